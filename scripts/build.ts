// Builds the committed bundles. `--out <folder>` puts them elsewhere, to compare with the committed ones.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundle, PROGRAM, ROOT } from "./bundle.ts";

const { values } = parseArgs({ options: { out: { type: "string", default: join(ROOT, "dist") } } });
await bundle(PROGRAM, resolve(values.out));

// Bundles files of this folder as `npm run bundle` does the program.
import { join } from "node:path";
import { bundle, ROOT } from "../scripts/bundle.ts";

export { ROOT };

/** Bundles `bench/<name>.ts` for each name into `<out>/<name>/index.js`. */
export async function bundleBenches(names: readonly string[], out: string): Promise<void> {
  for (const name of names) await bundle({ index: `bench/${name}.ts` }, join(out, name));
}

// Says whether commands can be isolated on this machine; exit 1 where they can't. A check of .ci/run.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openIsolation } from "../src/sandbox/isolation.ts";
import { commandEnvironment } from "../src/sandbox/visible.ts";

const folder = await mkdtemp(join(tmpdir(), "looplia-probe-"));
const isolator = openIsolation({
  sandbox: "auto",
  network: false,
  root: folder,
  environment: commandEnvironment(process.env),
  closed: [],
  temporary: tmpdir(),
  warn: console.error,
});
const { kind } = isolator.isolation;
if (kind !== "none") console.log(`Commands are isolated by ${kind}.`);
await isolator.close();
await rm(folder, { recursive: true });
process.exitCode = kind === "none" ? 1 : 0;

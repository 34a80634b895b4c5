// Starts the command line. A start is mostly compiling: Node reuses compiled code if the cache is set before the program is loaded.
import { realpathSync } from "node:fs";
import { access } from "node:fs/promises";
import module from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { INSTALLED } from "./installed.ts";
import { copyOutside, isBelowAny, isCopy, worktreesOf } from "./own-copy.ts";

const argv = process.argv.slice(2);
const worktrees = worktreesOf(argv, process.env);
// The sources of a developer are not copied: their packages lie elsewhere.
const mayCopy = import.meta.url.endsWith(".js") && !isCopy(INSTALLED);
const copy = mayCopy ? copyOrEnd() : undefined;
if (copy === undefined) await start();
else await import(pathToFileURL(join(copy, "dist", "cli", "index.js")).href);

function copyOrEnd(): string | undefined {
  try {
    return copyOutside(realpathSync(INSTALLED), argv, worktrees);
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

async function start(): Promise<void> {
  // Never Node's default, a folder shared by all users, and never a folder that commands can write to, because cached code is
  // run. Node 20 has no such cache; of a copy nothing is found again.
  const { XDG_CACHE_HOME, HOME } = process.env;
  const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
  const compiled = home && isAbsolute(home) ? join(home, "looplia", "compiled") : undefined;
  if (compiled !== undefined && !isCopy(INSTALLED) && !isBelowAny(worktrees, compiled)) {
    module.enableCompileCache?.(compiled);
  }
  // Many sessions write at once, and libuv's default is four threads for the disk. libuv reads the variable at its first use,
  // so it is removed at once: no command inherits it.
  const isSet = process.env.UV_THREADPOOL_SIZE !== undefined;
  process.env.UV_THREADPOOL_SIZE ??= "8";
  const used = access("/");
  if (!isSet) delete process.env.UV_THREADPOOL_SIZE;
  await Promise.all([used, import("./cli-main.ts")]);
}

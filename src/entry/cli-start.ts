// Starts the command line. A start is mostly compiling: Node reuses compiled code if the cache is set before the program is loaded.
import { access } from "node:fs/promises";
import module from "node:module";
import { isAbsolute, join } from "node:path";

// Never Node's default, a folder shared by all users, because cached code is run. Node 20 has no such cache.
const { XDG_CACHE_HOME, HOME } = process.env;
const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (home && isAbsolute(home)) module.enableCompileCache?.(join(home, "looplia", "compiled"));
// Many sessions write at once, and libuv's default is four threads for the disk. libuv reads the variable at its first use,
// so it is removed at once: no command inherits it.
const isSet = process.env.UV_THREADPOOL_SIZE !== undefined;
process.env.UV_THREADPOOL_SIZE ??= "8";
const used = access("/");
if (!isSet) delete process.env.UV_THREADPOOL_SIZE;
await Promise.all([used, import("./cli-main.ts")]);

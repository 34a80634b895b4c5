#!/usr/bin/env node
// The entry of the command line. A start is mostly compiling: Node reuses compiled code if the cache is set
// before the program is loaded.
import module from "node:module";
import { isAbsolute, join } from "node:path";

// Never Node's default, a folder shared by all users, because cached code is run. Node 20 has no such cache.
const { XDG_CACHE_HOME, HOME } = process.env;
const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (home && isAbsolute(home)) module.enableCompileCache?.(join(home, "looplia", "compiled"));
await import("./cli-main.ts");

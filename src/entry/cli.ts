#!/usr/bin/env node
// The entry of the command line. A start is mostly compiling: Node keeps what it compiled for the next start, if told so
// before the program is loaded.
import module from "node:module";
import { isAbsolute, join } from "node:path";

// Never Node's default, a folder that all users share: what is read from there is run. Node 20 keeps nothing.
const { XDG_CACHE_HOME, HOME } = process.env;
const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (home && isAbsolute(home)) module.enableCompileCache?.(join(home, "looplia", "compiled"));
await import("./cli-main.ts");

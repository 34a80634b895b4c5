#!/usr/bin/env node
// The entry of the command line. Before anything else it lets Node keep what it compiles (Node 22.8 and later), for a
// start is mostly compiling. It imports nothing but Node's own modules, and is not bundled.
import { lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join } from "node:path";
const folder = import.meta.url.endsWith(".ts") ? undefined : ownCache(process.env);
if (folder !== undefined)
    module.enableCompileCache?.(folder);
await import("./cli-main.js");
/**
 * `looplia/compiled` in the user's cache. What is read from there is run: undefined unless the folders are the user's own
 * and nobody else may write there. Never a folder that is shared.
 */
function ownCache(environment) {
    const { XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE } = environment;
    const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
    if (NODE_DISABLE_COMPILE_CACHE || !home || !isAbsolute(home) || !process.getuid)
        return undefined;
    const folders = [home, join(home, "looplia"), join(home, "looplia", "compiled")];
    try {
        mkdirSync(folders.at(-1) ?? home, { recursive: true, mode: 0o700 });
        return folders.every(isOwn) ? folders.at(-1) : undefined;
    }
    catch {
        // No cache: it only starts more slowly.
        return undefined;
    }
}
function isOwn(path) {
    const found = lstatSync(path);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

#!/usr/bin/env node
// The entry of the command line. A start is mostly compiling, so what is compiled of the bundle below is kept for the
// next start. It imports nothing but Node's own modules, and is not bundled.
import { createHash } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
const DIGEST_BYTES = 32;
const COMMANDS = ["run", "answer", "demo", "status", "ls"];
if (import.meta.url.endsWith(".ts"))
    await import("./cli-main.js");
else
    startBundle(fileURLToPath(new URL("main/index.js", import.meta.url)), ownCache(process.env));
/**
 * Runs a bundle, with what was kept of it in `folder`. Node's own compile cache (22.1 and later) is for the files that the
 * bundle loads later: it keeps a file as it is when it was read, without the functions that are compiled at their first call.
 */
function startBundle(bundle, folder) {
    const require = createRequire(bundle);
    if (folder === undefined) {
        require(bundle);
        return;
    }
    module.enableCompileCache?.(folder);
    const command = COMMANDS.find((name) => name === process.argv[2]) ?? "other";
    const path = join(folder, `${command}-${process.version}-${process.arch}`);
    const source = readFileSync(bundle);
    const asked = readKept(`${path}-asked`, source);
    const cachedData = asked ?? readKept(path, source);
    const wrapper = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
    const script = new Script(wrapper, { filename: bundle, ...(cachedData ? { cachedData } : {}) });
    let isKept = script.cachedDataRejected === false;
    const keepAs = (name) => {
        keep(name, source, script.createCachedData());
        isKept = true;
    };
    // A start that ends before, as one without a key does, has not used all that the next may need.
    if (!isKept || !asked)
        whenAsked(() => keepAs(`${path}-asked`));
    process.once("exit", () => {
        if (!isKept)
            keepAs(path);
    });
    const own = { exports: {} };
    script.runInThisContext()(own.exports, require, own, bundle, dirname(bundle));
}
/** Undefined unless it is whole and was compiled from these very bytes: V8 itself looks at their number only. */
function readKept(path, source) {
    try {
        const kept = readFileSync(path);
        const compiled = kept.subarray(DIGEST_BYTES);
        return digest(source, compiled).equals(kept.subarray(0, DIGEST_BYTES)) ? compiled : undefined;
    }
    catch {
        return undefined;
    }
}
/** While the first request of `fetch` is on its way. Later V8 begins to drop what was compiled and isn't called again. */
function whenAsked(act) {
    const sent = "undici:client:sendHeaders";
    const once = () => {
        unsubscribe(sent, once);
        setImmediate(act);
    };
    subscribe(sent, once);
}
function keep(path, source, compiled) {
    const draft = `${path}.${process.pid}`;
    try {
        writeFileSync(draft, Buffer.concat([digest(source, compiled), compiled]), { mode: 0o600 });
        renameSync(draft, path);
    }
    catch {
        // Not kept: the next start takes longer.
    }
}
function digest(source, compiled) {
    return createHash("sha256").update(source).update(compiled).digest();
}
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

export const id = 140;
export const ids = [140];
export const modules = {

/***/ 40140:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runCommand: () => (/* binding */ runCommand)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var node_string_decoder__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(46193);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(19473);
// Runs a command in a shell, in its own process group. Whatever the command leaves behind in its group is ended.




/** Between SIGTERM and SIGKILL. A cancelled job has 7.5 s for everything (PLATFORM). */
const TERM_GRACE_MS = 1_000;
/** How long output may still come after the shell has ended or was killed: a stray process may hold the pipe for ever. */
const DRAIN_MS = 200;
/** One pipe for both streams keeps their order. */
const MERGE_STREAMS = 'exec "$0" -c "$1" 2>&1';
/** Resolves when the command has ended, was stopped by the signal (`exitCode` null) or timed out. Times in ms. */
async function runCommand(command, place, options) {
    if (options.signal.aborted)
        return { exitCode: null, output: "", timedOut: false };
    const child = startShell(command, place);
    const output = collectOutput(child, options.maxOutput);
    let timedOut = false;
    let forced;
    const stop = () => {
        if (forced !== undefined)
            return;
        killGroup(child, "SIGTERM");
        forced = setTimeout(() => killGroup(child, "SIGKILL"), TERM_GRACE_MS);
    };
    const timer = setTimeout(() => {
        timedOut = true;
        stop();
    }, options.timeoutMs);
    options.signal.addEventListener("abort", stop, { once: true });
    try {
        const code = await ended(child);
        const isStopped = timedOut || options.signal.aborted;
        return { exitCode: isStopped ? null : code, output: output(), timedOut };
    }
    finally {
        clearTimeout(timer);
        clearTimeout(forced);
        options.signal.removeEventListener("abort", stop);
    }
}
function startShell(command, place) {
    const shell = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.existsSync)("/bin/bash") ? "/bin/bash" : "/bin/sh";
    try {
        return (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)("/bin/sh", ["-c", MERGE_STREAMS, shell, command], {
            cwd: place.folder,
            env: place.environment,
            detached: true,
            stdio: ["ignore", "pipe", "ignore"],
        });
    }
    catch (error) {
        throw notStarted(error);
    }
}
/** The exit code, or null after a signal. Settles although strays hold the pipe, and kills what is left of the group. */
function ended(child) {
    return new Promise((resolve, reject) => {
        child.once("error", (error) => reject(notStarted(error)));
        child.once("exit", (code) => {
            const finish = () => {
                clearTimeout(drain);
                killGroup(child, "SIGKILL");
                child.stdout?.destroy();
                resolve(code);
            };
            const drain = setTimeout(finish, DRAIN_MS);
            child.once("close", finish);
        });
    });
}
function killGroup(child, signal) {
    if (child.pid === undefined)
        return;
    try {
        process.kill(-child.pid, signal);
    }
    catch {
        // The group has ended already.
    }
}
/** Keeps the first and the last half of `limit` characters, whatever the amount. */
function collectOutput(child, limit) {
    const decoder = new node_string_decoder__WEBPACK_IMPORTED_MODULE_2__.StringDecoder("utf8");
    const half = Math.floor(limit / 2);
    let head = "";
    let tail = "";
    let total = 0;
    const take = (text) => {
        total += text.length;
        const room = Math.max(half - head.length, 0);
        head += text.slice(0, room);
        tail += text.slice(room);
        // Cut seldom: each cut copies the tail.
        if (tail.length > 4 * limit)
            tail = tail.slice(-(limit - half));
    };
    child.stdout?.on("data", (chunk) => take(decoder.write(chunk)));
    return () => {
        take(decoder.end());
        if (total <= limit)
            return head + tail;
        const kept = tail.slice(-(limit - half)).toWellFormed();
        return `${head.toWellFormed()}\n[… ${total - limit} of ${total} characters left out …]\n${kept}`;
    };
}
function notStarted(error) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .LoopliaError */ .$K("config-invalid", `The command could not be started: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .messageOf */ .bD)(error)}.`, {
        hint: "Write what is long into a file, and leave NUL characters out.",
        cause: error,
    });
}


/***/ })

};

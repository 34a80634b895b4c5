export const id = 132;
export const ids = [132];
export const modules = {

/***/ 21916:
/***/ ((__unused_webpack_module, exports) => {

var __webpack_unused_export__;

__webpack_unused_export__ = true;
exports.Io = __webpack_unused_export__ = void 0;
var peq = new Uint32Array(0x10000);
var myers_32 = function (a, b) {
    var n = a.length;
    var m = b.length;
    var lst = 1 << (n - 1);
    var pv = -1;
    var mv = 0;
    var sc = n;
    var i = n;
    while (i--) {
        peq[a.charCodeAt(i)] |= 1 << i;
    }
    for (i = 0; i < m; i++) {
        var eq = peq[b.charCodeAt(i)];
        var xv = eq | mv;
        eq |= ((eq & pv) + pv) ^ pv;
        mv |= ~(eq | pv);
        pv &= eq;
        if (mv & lst) {
            sc++;
        }
        if (pv & lst) {
            sc--;
        }
        mv = (mv << 1) | 1;
        pv = (pv << 1) | ~(xv | mv);
        mv &= xv;
    }
    i = n;
    while (i--) {
        peq[a.charCodeAt(i)] = 0;
    }
    return sc;
};
var myers_x = function (b, a) {
    var n = a.length;
    var m = b.length;
    var mhc = [];
    var phc = [];
    var hsize = Math.ceil(n / 32);
    var vsize = Math.ceil(m / 32);
    for (var i = 0; i < hsize; i++) {
        phc[i] = -1;
        mhc[i] = 0;
    }
    var j = 0;
    for (; j < vsize - 1; j++) {
        var mv_1 = 0;
        var pv_1 = -1;
        var start_1 = j * 32;
        var vlen_1 = Math.min(32, m) + start_1;
        for (var k = start_1; k < vlen_1; k++) {
            peq[b.charCodeAt(k)] |= 1 << k;
        }
        for (var i = 0; i < n; i++) {
            var eq = peq[a.charCodeAt(i)];
            var pb = (phc[(i / 32) | 0] >>> i) & 1;
            var mb = (mhc[(i / 32) | 0] >>> i) & 1;
            var xv = eq | mv_1;
            var xh = ((((eq | mb) & pv_1) + pv_1) ^ pv_1) | eq | mb;
            var ph = mv_1 | ~(xh | pv_1);
            var mh = pv_1 & xh;
            if ((ph >>> 31) ^ pb) {
                phc[(i / 32) | 0] ^= 1 << i;
            }
            if ((mh >>> 31) ^ mb) {
                mhc[(i / 32) | 0] ^= 1 << i;
            }
            ph = (ph << 1) | pb;
            mh = (mh << 1) | mb;
            pv_1 = mh | ~(xv | ph);
            mv_1 = ph & xv;
        }
        for (var k = start_1; k < vlen_1; k++) {
            peq[b.charCodeAt(k)] = 0;
        }
    }
    var mv = 0;
    var pv = -1;
    var start = j * 32;
    var vlen = Math.min(32, m - start) + start;
    for (var k = start; k < vlen; k++) {
        peq[b.charCodeAt(k)] |= 1 << k;
    }
    var score = m;
    for (var i = 0; i < n; i++) {
        var eq = peq[a.charCodeAt(i)];
        var pb = (phc[(i / 32) | 0] >>> i) & 1;
        var mb = (mhc[(i / 32) | 0] >>> i) & 1;
        var xv = eq | mv;
        var xh = ((((eq | mb) & pv) + pv) ^ pv) | eq | mb;
        var ph = mv | ~(xh | pv);
        var mh = pv & xh;
        score += (ph >>> (m - 1)) & 1;
        score -= (mh >>> (m - 1)) & 1;
        if ((ph >>> 31) ^ pb) {
            phc[(i / 32) | 0] ^= 1 << i;
        }
        if ((mh >>> 31) ^ mb) {
            mhc[(i / 32) | 0] ^= 1 << i;
        }
        ph = (ph << 1) | pb;
        mh = (mh << 1) | mb;
        pv = mh | ~(xv | ph);
        mv = ph & xv;
    }
    for (var k = start; k < vlen; k++) {
        peq[b.charCodeAt(k)] = 0;
    }
    return score;
};
var distance = function (a, b) {
    if (a.length < b.length) {
        var tmp = b;
        b = a;
        a = tmp;
    }
    if (b.length === 0) {
        return a.length;
    }
    if (a.length <= 32) {
        return myers_32(a, b);
    }
    return myers_x(a, b);
};
exports.Io = distance;
var closest = function (str, arr) {
    var min_distance = Infinity;
    var min_index = 0;
    for (var i = 0; i < arr.length; i++) {
        var dist = distance(str, arr[i]);
        if (dist < min_distance) {
            min_distance = dist;
            min_index = i;
        }
    }
    return arr[min_index];
};
__webpack_unused_export__ = closest;


/***/ }),

/***/ 81361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ gitEnvironment),
/* harmony export */   l: () => (/* binding */ createGit)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(19473);
// Runs git for the program itself: no shell, no hooks, no drivers, no configuration but what is given here.
// Output is captured and never reaches the step's output; a token lives in the environment of one child only.


const PASSED_ON = new Set("PATH TMPDIR TEMP SYSTEMROOT LD_LIBRARY_PATH GIT_EXEC_PATH GIT_SSL_CAINFO GIT_SSL_CAPATH SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY".split(" "));
const SETTINGS = [
    ["core.hooksPath", "/dev/null"],
    ["core.fsmonitor", "false"],
    ["core.untrackedCache", "false"],
    ["core.autocrlf", "false"],
    ["core.protectHFS", "true"],
    ["core.protectNTFS", "true"],
    ["protocol.ext.allow", "never"],
    ["submodule.recurse", "false"],
    ["fetch.recurseSubmodules", "false"],
    ["credential.helper", ""],
    ["commit.gpgSign", "false"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["advice.detachedHead", "false"],
    ["http.lowSpeedLimit", "1000"],
    ["http.lowSpeedTime", "60"],
];
/** What of the process's environment a git child gets: the search path, proxies and certificates, nothing else. */
function gitEnvironment(environment) {
    const chosen = {};
    for (const [name, value] of Object.entries(environment)) {
        if (value !== undefined && PASSED_ON.has(name.toUpperCase()))
            chosen[name] = value;
    }
    return chosen;
}
/**
 * A git that works in `folder` with only the given environment; `home` is an empty folder of its own. The token is
 * sent as checkout sends it, and only to the origin of `remote`.
 */
function createGit(place) {
    const secrets = place.token ? [place.token, basicCredential(place.token)] : [];
    return async (args, call = {}) => {
        const header = call.authorized && place.token ? authorization(place.remote, place.token) : [];
        const environment = {
            ...place.environment,
            ...configEnvironment([...SETTINGS, ...header]),
            HOME: place.home,
            LC_ALL: "C",
            GIT_CONFIG_NOSYSTEM: "1",
            GIT_CONFIG_GLOBAL: "/dev/null",
            GIT_ATTR_NOSYSTEM: "1",
            GIT_TERMINAL_PROMPT: "0",
            GIT_OPTIONAL_LOCKS: "0",
        };
        const result = await run(args, call.cwd ?? place.folder, environment, call.input);
        if (result.exitCode === 0 || call.answers?.includes(result.exitCode))
            return result;
        throw failure(args, result, secrets);
    };
}
function run(args, cwd, env, input) {
    return new Promise((resolve, reject) => {
        const child = (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)("git", ["--no-pager", ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
        const stdout = [];
        const stderr = [];
        child.stdout.on("data", (chunk) => stdout.push(chunk));
        child.stderr.on("data", (chunk) => stderr.push(chunk));
        child.stdin.on("error", () => { }); // a child that ends early says why on standard error
        child.on("error", (cause) => reject(new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .LoopliaError */ .$K("host-failed", "git could not be started", { hint: "install git", cause })));
        child.on("close", (code) => resolve({
            exitCode: code ?? 128,
            stdout: Buffer.concat(stdout),
            stderr: Buffer.concat(stderr).toString("utf8"),
        }));
        child.stdin.end(input ?? "");
    });
}
function configEnvironment(settings) {
    const environment = { GIT_CONFIG_COUNT: String(settings.length) };
    settings.forEach(([key, value], index) => {
        environment[`GIT_CONFIG_KEY_${index}`] = key;
        environment[`GIT_CONFIG_VALUE_${index}`] = value;
    });
    return environment;
}
function authorization(remote, token) {
    if (!/^https?:/.test(remote))
        return [];
    return [
        [`http.${new URL(remote).origin}/.extraheader`, `AUTHORIZATION: basic ${basicCredential(token)}`],
        ["http.followRedirects", "false"],
    ];
}
function basicCredential(token) {
    return Buffer.from(`x-access-token:${token}`).toString("base64");
}
function failure(args, result, secrets) {
    let said = result.stderr.trim().split("\n").slice(-5).join("\n");
    for (const secret of secrets)
        said = said.replaceAll(secret, "***");
    if (/Could not resolve host|Failed to connect|Connection refused|timed out/i.test(said)) {
        said += "\ncheck the network and run again";
    }
    const hint = hintFor(said);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .LoopliaError */ .$K("host-failed", `git ${args.find((word) => !/^-|=/.test(word)) ?? ""} failed: ${said || `exit code ${result.exitCode}`}`, {
        ...(hint === undefined ? {} : { hint }),
    });
}
// Only what another try cannot mend has a hint: the branch tells refusals from hiccups by it.
function hintFor(said) {
    if (/\b403\b|denied|not allowed|protected branch|GH006|GH013/i.test(said)) {
        return "give the job `permissions: contents: write` and let the branch prefix pass the repository's rules";
    }
    if (/\b401\b|Authentication failed|could not read Username/i.test(said)) {
        return "check the github-token: it is missing, expired or of another repository";
    }
    return undefined;
}


/***/ }),

/***/ 90460:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P8: () => (/* binding */ showPath),
/* harmony export */   RI: () => (/* binding */ checkForTools),
/* harmony export */   Uf: () => (/* binding */ splitPath),
/* harmony export */   x5: () => (/* binding */ refusal)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
// Which names a path may have, before the disk is looked at. Pure. Whether links lead out is for pinned-files.ts.

/** The names of a path below the root; empty for the root itself. Refuses absolute paths, `..` and NUL. */
function splitPath(path) {
    const shown = showPath(path);
    if (path.includes("\0"))
        throw refusal(`${shown} was refused: it holds a NUL character.`, "Give a plain path.");
    if (/^(?:[/\\]|[a-z]:)/i.test(path)) {
        throw refusal(`${shown} was refused: it is absolute.`, "Give the path relative to the root of the repository.");
    }
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..")) {
        throw refusal(`${shown} was refused: it has "..", which may lead out of the repository.`, "Name the path from the root.");
    }
    return parts;
}
/** Refuses what tools may not touch: the names alone decide, in every spelling that a file system takes for the same. */
function checkForTools(path, parts, use) {
    const shown = showPath(path);
    if (/[\p{Cc}\\]/u.test(path)) {
        throw refusal(`${shown} was refused: it has a backslash or a control character.`, 'Put "/" between names.');
    }
    const names = parts.map(foldName);
    if (names.some((name) => name === ".git" || /^git~\d+$/.test(name))) {
        throw refusal(`${shown} was refused: .git is closed to tools.`, "Work with the files themselves.");
    }
    if (!/^(?:\.looplia|loopli~\d+)$/.test(names[0] ?? ""))
        return;
    if (names[1] === "state") {
        throw refusal(`${shown} was refused: this folder is the program's own state.`, "You do not need it.");
    }
    if (use === "write" && /^(?:contentitem|conten~\d+)$/.test(names[1] ?? "")) {
        throw refusal(`${shown} was refused: only the program writes session folders.`, "Use writeArtifact.");
    }
}
/** An expected refusal; message and advice go to the model. */
function refusal(message, advice, cause) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", message, {
        hint: advice,
        ...(cause === undefined ? {} : { cause }),
    });
}
/** The path quoted, controls escaped, long ones cut. */
function showPath(path) {
    return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
/** HFS+ ignores these in names; the list is git's (utf8.c, next_hfs_char). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** The name as the laxest file system sees it: case, composition, NTFS streams, trailing dots and blanks. */
function foldName(name) {
    const folded = name.normalize("NFKC").replace(IGNORED, "").toLowerCase();
    return folded.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}


/***/ }),

/***/ 39305:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $N: () => (/* binding */ codeOf),
/* harmony export */   A3: () => (/* binding */ reasonOf),
/* harmony export */   FK: () => (/* binding */ isInside),
/* harmony export */   T6: () => (/* binding */ openPinned),
/* harmony export */   Uv: () => (/* binding */ realOrExpected),
/* harmony export */   WJ: () => (/* binding */ MovedError),
/* harmony export */   jt: () => (/* binding */ openParent),
/* harmony export */   x5: () => (/* binding */ locate)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(19473);
/* harmony import */ var _path_rules_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(90460);
// Opens files so that no link leads out of the root, also when links are swapped between check and use.
// On Linux a descriptor's real place is read from /proc and folders are entered through their descriptor.





const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = node_fs__WEBPACK_IMPORTED_MODULE_0__.constants;
/** Resolves names below `root` (a real path). Refuses what leads out of it, and links to nothing. */
async function locate(root, parts) {
    const shown = (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(parts.join("/"));
    const missing = [];
    for (let depth = parts.length;; depth -= 1) {
        const path = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(root, ...parts.slice(0, depth));
        const real = await realPath(path, shown);
        if (real !== undefined) {
            if (isInside(root, real))
                return { real, missing };
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} was refused: a link on it leads out of the repository.`, "Name the file itself.");
        }
        if (depth === 0)
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .LoopliaError */ .$K("config-invalid", `The folder ${root} is gone.`);
        if (await isLink(path)) {
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} was refused: a link on it leads to nothing.`, "Name another path.");
        }
        missing.unshift(parts[depth - 1] ?? "");
    }
}
/** Opens a place without following anything; whoever swaps a link in between gets a refusal. */
async function openPinned(real, flags) {
    const handle = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(real, flags | O_NOFOLLOW | O_NONBLOCK);
    try {
        if ((await placeOf(handle, real)) === real)
            return handle;
    }
    catch (error) {
        await handle.close();
        throw error;
    }
    await handle.close();
    throw new MovedError(real);
}
/**
 * Opens the folder that a located path is in, making what is missing, and names the last part. The place is not
 * looked up again: what was checked is what is opened. The caller closes the handle.
 */
async function openParent(place) {
    const { real, missing } = place;
    const start = missing.length === 0 ? (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(real) : real;
    const name = missing.at(-1) ?? (0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(real);
    const folder = await openPinned(start, O_RDONLY | O_DIRECTORY);
    return { folder: await enterFolders(pin(folder, start), start, missing.slice(0, -1)), name };
}
async function enterFolders(start, real, names) {
    let folder = start;
    let path = real;
    for (const name of names) {
        path = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(path, name);
        const entered = await enterFolder(folder, name).finally(() => folder.handle.close());
        folder = pin(entered, path);
    }
    return folder;
}
async function enterFolder(folder, name) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(folder.at(name));
        await folder.handle.sync();
    }
    catch (error) {
        if (codeOf(error) !== "EEXIST")
            throw error;
    }
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(folder.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}
/** What was opened is not what was looked up: something on the path was swapped meanwhile. */
class MovedError extends _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .LoopliaError */ .$K {
    constructor(path) {
        super("config-invalid", `${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(path)} was refused: it changed while it was being opened.`, {
            hint: "Try again.",
        });
    }
}
/** True for the folder itself and what lies below it. */
function isInside(folder, path) {
    return path === folder || path.startsWith(folder.endsWith(node_path__WEBPACK_IMPORTED_MODULE_2__.sep) ? folder : folder + node_path__WEBPACK_IMPORTED_MODULE_2__.sep);
}
function pin(handle, path) {
    const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
    return { handle, at: (name) => (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(base, name) };
}
/** The path under which an open file is to be found now; undefined when that can't be said. */
async function placeOf(handle, path) {
    if (process.platform === "linux")
        return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readlink)(`/proc/self/fd/${handle.fd}`);
    const [opened, named, real] = await Promise.all([handle.stat(), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(path), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path)]);
    return opened.ino === named.ino && opened.dev === named.dev ? real : undefined;
}
async function realPath(path, shown) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path);
    }
    catch (error) {
        const code = codeOf(error);
        if (code === "ENOENT" || code === "ENOTDIR")
            return undefined;
        throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} was refused: ${reasonOf(error)}.`, "Name another path.", error);
    }
}
async function isLink(path) {
    try {
        return (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(path)).isSymbolicLink();
    }
    catch {
        return false;
    }
}
/** The real path of what may not exist yet: that of its nearest existing folder, and the rest as it is. */
async function realOrExpected(path) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path);
    }
    catch {
        const parent = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path);
        return parent === path ? path : (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await realOrExpected(parent), path.slice(parent.length));
    }
}
/** The system's code of a failed call, e.g. `ENOENT`. */
function codeOf(error) {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
const REASONS = new Map([
    ["EACCES", "permission denied"],
    ["EPERM", "not permitted"],
    ["EROFS", "the file system is read-only"],
    ["ENOSPC", "no space is left on the disk"],
    ["EDQUOT", "the disk quota is used up"],
    ["ENAMETOOLONG", "the name is too long"],
    ["ENOTDIR", "a part of the path is a file, not a folder"],
    ["EISDIR", "it is a folder"],
    ["ELOOP", "its links lead in a circle, or it became a link meanwhile"],
    ["ENOENT", "a folder of the path is missing"],
    ["ENXIO", "it is no regular file"],
]);
/** Why a system call failed, in words. */
function reasonOf(error) {
    const code = codeOf(error);
    return REASONS.get(code ?? "") ?? (error instanceof Error ? error.message : String(error));
}


/***/ }),

/***/ 2414:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F8: () => (/* binding */ TEMPORARY_PREFIX),
/* harmony export */   Ks: () => (/* binding */ removeIfThere),
/* harmony export */   fR: () => (/* binding */ replaceFile)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var _path_rules_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(90460);
/* harmony import */ var _pinned_files_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(39305);
// Replaces a file as a whole: written beside, made durable, renamed. A crash leaves the old file or the new one.




/** Files being written have this prefix; one that a crash left behind goes at the next write of the same file. */
const TEMPORARY_PREFIX = ".looplia-write-";
const writing = new Set();
/** Writes, fsyncs, renames, fsyncs the folder. Keeps the mode of an existing file; refuses to replace a non-file. */
async function replaceFile(folder, name, bytes) {
    const mode = await modeOf(folder, name);
    const prefix = `${TEMPORARY_PREFIX}${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(name).digest("hex").slice(0, 12)}-`;
    await removeLeftovers(folder, prefix);
    const temporary = `${prefix}${process.pid}-${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(4).toString("hex")}`;
    writing.add(temporary);
    try {
        await writeNew(folder.at(temporary), bytes, mode);
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(folder.at(temporary), folder.at(name));
        await folder.handle.sync();
    }
    catch (error) {
        await removeIfThere(folder.at(temporary));
        throw error;
    }
    finally {
        writing.delete(temporary);
    }
}
/** Removes a file; a missing one is fine. */
async function removeIfThere(path) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.unlink)(path);
    }
    catch (error) {
        if ((0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_3__/* .codeOf */ .$N)(error) !== "ENOENT")
            throw error;
    }
}
async function writeNew(path, bytes, mode) {
    const handle = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, "wx");
    try {
        await handle.writeFile(bytes);
        if (mode !== undefined)
            await handle.chmod(mode);
        await handle.sync();
    }
    finally {
        await handle.close();
    }
}
async function modeOf(folder, name) {
    try {
        const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(folder.at(name));
        if (found.isFile())
            return found.mode & 0o777;
    }
    catch (error) {
        if ((0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_3__/* .codeOf */ .$N)(error) === "ENOENT")
            return undefined;
        throw error;
    }
    throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_2__/* .refusal */ .x5)(`${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_2__/* .showPath */ .P8)(name)} was refused: it is not a regular file.`, "Write to another name.");
}
/** Leaves alone what this process or another living one is writing just now. */
async function removeLeftovers(folder, prefix) {
    for (const entry of await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readdir)(folder.at("."))) {
        if (!entry.startsWith(prefix) || writing.has(entry))
            continue;
        const pid = Number(entry.slice(prefix.length).split("-")[0]);
        if (pid === process.pid || !isAlive(pid))
            await removeIfThere(folder.at(entry));
    }
}
function isAlive(pid) {
    try {
        return process.kill(pid, 0);
    }
    catch (error) {
        return (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_3__/* .codeOf */ .$N)(error) === "EPERM";
    }
}


/***/ }),

/***/ 2601:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jb: () => (/* binding */ textOfScalar),
/* harmony export */   f1: () => (/* binding */ lineAtPath),
/* harmony export */   gM: () => (/* binding */ readYaml),
/* harmony export */   oi: () => (/* binding */ plainOf)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);

const MAX_CHARACTERS = 64_000;
const MAX_ERRORS = 10;
const MAX_DEPTH = 60;
const MAX_ALIASES = 100;
/**
 * Reads one document; `firstLine` is the line of its first character in `file`.
 * Never throws: everything wrong is in `diagnostics`, and then `root` is undefined. An empty document is a null scalar.
 */
async function readYaml(text, file, firstLine = 1) {
    const problem = (message, line) => ({
        severity: "error",
        file,
        message,
        ...(line === undefined ? {} : { line: line + firstLine - 1 }),
    });
    if (text.length > MAX_CHARACTERS) {
        return { root: undefined, diagnostics: [problem("is too large: at most 64,000 characters are read")] };
    }
    if (isTooDeep(text))
        return { root: undefined, diagnostics: [problem("is nested too deeply")] };
    // Not above: a run may well meet no YAML, and the library takes long to load.
    const yaml = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 38815, 19));
    const lines = new yaml.LineCounter();
    const lineAt = (offset) => lines.linePos(offset ?? 0).line;
    try {
        // The library's own check for doubled keys takes quadratic time; the locator has one.
        const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
        if (document.errors.length > 0) {
            const byLine = new Map(document.errors.toReversed().map((error) => [lineAt(error.pos[0]), error]));
            const diagnostics = [...byLine]
                .sort(([one], [other]) => one - other)
                .slice(0, MAX_ERRORS)
                .map(([line, error]) => problem(`is not valid YAML: ${plainReason(error)}`, line));
            return { root: undefined, diagnostics };
        }
        const locate = createLocator(yaml, document, lineAt, firstLine - 1);
        return { root: locate(document.contents, 0), diagnostics: [] };
    }
    catch (error) {
        if (error instanceof PlacedError)
            return { root: undefined, diagnostics: [problem(error.message, error.line)] };
        return { root: undefined, diagnostics: [problem(`cannot be read: ${plainReason(error)}`)] };
    }
}
/** Thrown and caught in this file only; `line` counts in the text. */
class PlacedError extends Error {
    line;
    constructor(message, line) {
        super(message);
        this.line = line;
    }
}
// The parser recurses: what is too deep ends in an overflow of the stack, slowly.
function isTooDeep(text) {
    let depth = 0;
    for (const character of text) {
        if (character === "[" || character === "{")
            depth += 1;
        else if (character === "]" || character === "}")
            depth = Math.max(0, depth - 1);
        if (depth > 200)
            return true;
    }
    // Lists in lists on one line: `- - - -`.
    return /^[ \t]*(?:[-?:][ \t]+){60}/m.test(text);
}
function plainReason(error) {
    const reason = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error);
    if (/call stack|stack overflow/i.test(reason))
        return "it is nested too deeply";
    if (/compact mapping/i.test(reason))
        return `${reason}: put a text with a colon in quotes`;
    return reason.replace(/; please use .*$/, "");
}
function createLocator({ isAlias, isMap, isNode, isScalar, isSeq }, document, lineAt, linesBefore) {
    let aliases = 0;
    const offsetOf = (node) => (isNode(node) ? node.range?.[0] : undefined);
    function locate(node, depth) {
        const place = lineAt(offsetOf(node));
        const line = place + linesBefore;
        if (depth > MAX_DEPTH)
            throw new PlacedError("is nested too deeply", place);
        if (isAlias(node)) {
            aliases += 1;
            if (aliases > MAX_ALIASES)
                throw new PlacedError(`has more than ${MAX_ALIASES} aliases`, place);
            const target = node.resolve(document);
            if (target === undefined)
                throw new PlacedError(`has no anchor "${node.source}" for its alias`, place);
            return { ...locate(target, depth + 1), line };
        }
        if (isSeq(node))
            return { kind: "list", line, items: node.items.map((item) => locate(item, depth + 1)) };
        if (!isMap(node))
            return { kind: "scalar", line, value: isScalar(node) ? plainScalar(node.value) : null };
        const entries = new Map();
        for (const pair of node.items) {
            const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
            const keyPlace = lineAt(offsetOf(pair.key));
            if (entries.has(key))
                throw new PlacedError(`has the key "${key}" twice`, keyPlace);
            const keyLine = keyPlace + linesBefore;
            const value = pair.value === null ? nullAt(keyLine) : locate(pair.value, depth + 1);
            entries.set(key, { line: keyLine, value });
        }
        return { kind: "map", line, entries };
    }
    return locate;
}
function nullAt(line) {
    return { kind: "scalar", line, value: null };
}
function plainScalar(value) {
    if (value === null || typeof value === "string" || typeof value === "boolean")
        return value;
    return typeof value === "number" ? value : String(value);
}
/** The bare value: mappings as Maps, lists as arrays. */
function plainOf(located) {
    if (located.kind === "scalar")
        return located.value;
    if (located.kind === "list")
        return located.items.map(plainOf);
    return new Map([...located.entries].map(([key, entry]) => [key, plainOf(entry.value)]));
}
/** The line of the value at `path`, or of the nearest place above it that is there. */
function lineAtPath(root, path) {
    let here = root;
    let line = root.line;
    for (const step of path) {
        const entry = here.kind === "map" ? here.entries.get(String(step)) : undefined;
        const next = here.kind === "list" ? here.items[Number(step)] : entry?.value;
        if (next === undefined)
            return line;
        here = next;
        line = entry?.line ?? next.line;
    }
    return line;
}
/** The text of a scalar, or undefined when it is none or empty. */
function textOfScalar(located) {
    if (located?.kind !== "scalar" || typeof located.value !== "string")
        return undefined;
    return located.value.trim() === "" ? undefined : located.value.trim();
}


/***/ }),

/***/ 40093:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ createReport),
/* harmony export */   T: () => (/* binding */ reportUnknownKeys)
/* harmony export */ });
/* harmony import */ var _suggest_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(85813);

/** A report whose findings are errors of `file`, added to `diagnostics`. */
function createReport(file, diagnostics, severity = "error") {
    return (line, message, hint) => {
        const place = { file, ...(line === undefined ? {} : { line }) };
        diagnostics.push({ severity, ...place, message, ...(hint === undefined ? {} : { hint }) });
    };
}
/** Reports each key that is not among `known`. */
function reportUnknownKeys(entries, known, report) {
    for (const [key, { line }] of entries) {
        if (!known.includes(key))
            report(line, `unknown key "${key}"`, (0,_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(key, known));
    }
}


/***/ }),

/***/ 85813:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ suggestName)
/* harmony export */ });
/* harmony import */ var fastest_levenshtein__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(21916);
// "Did you mean": the nearest known name to one that is not known.

/** `did you mean "x"?` for the nearest of `names`, or undefined when none is near. */
function suggestName(name, names) {
    const wanted = normalize(name);
    let best;
    let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
    for (const candidate of names) {
        const steps = stepsBetween(wanted.slice(0, 100), normalize(candidate));
        if (steps < bestDistance)
            [best, bestDistance] = [candidate, steps];
    }
    return best === undefined ? undefined : `did you mean "${best}"?`;
}
// Swapped letters are the commonest slip, and count as two steps otherwise: "modle" is "model", not "mode".
function stepsBetween(one, other) {
    const isSwap = [...one].sort().join("") === [...other].sort().join("");
    return isSwap ? (0,fastest_levenshtein__WEBPACK_IMPORTED_MODULE_0__/* .distance */ .Io)(one, other) / 4 : (0,fastest_levenshtein__WEBPACK_IMPORTED_MODULE_0__/* .distance */ .Io)(one, other);
}
// `maxTurns`, `max_turns` and `MAX-TURNS` are the same slip.
function normalize(name) {
    return name
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .replaceAll("_", "-")
        .toLowerCase();
}


/***/ }),

/***/ 85287:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ findUnsoundJson),
/* harmony export */   g: () => (/* binding */ MAX_SENT_BYTES)
/* harmony export */ });
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(95897);
// What no artifact may be, whatever its schema: too deep, too large, or not writable as UTF-8 JSON.

const MAX_DEPTH = 100;
const MAX_PROBLEMS = 50;
/** What a model may send at once. */
const MAX_SENT_BYTES = 1024 * 1024;
/** Every reason why a value cannot be an artifact; an empty list for a sound one. Never recurses. */
function findUnsoundJson(value, maxBytes = MAX_SENT_BYTES) {
    if (value === undefined)
        return [problemAt([], "a JSON value", "nothing")];
    const problems = walkJson(value);
    if (problems.length > 0)
        return problems;
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    return bytes > maxBytes ? [problemAt([], `at most ${maxBytes} bytes of JSON`, `${bytes} bytes`)] : [];
}
function walkJson(root) {
    const problems = [];
    const open = [{ value: root, path: [] }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
        const { value, path } = place;
        const problem = judge(value, path);
        if (problem)
            problems.push(problem);
        if (problems.length >= MAX_PROBLEMS)
            return problems;
        if (problem || typeof value !== "object" || value === null)
            continue;
        for (const [key, inner] of Object.entries(value).reverse()) {
            open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
        }
    }
    return problems;
}
function judge(value, path) {
    const key = path.at(-1);
    if (key === "__proto__")
        return problemAt(path, "another name for this field", "the reserved name __proto__");
    if (typeof key === "string" && !key.isWellFormed()) {
        return problemAt(path, "a name in valid Unicode", "a name with half a surrogate pair");
    }
    if (typeof value === "string" && !value.isWellFormed()) {
        return problemAt(path, "text in valid Unicode", "text with half a surrogate pair (U+D800 to U+DFFF)");
    }
    if (path.length > MAX_DEPTH)
        return problemAt(path, `at most ${MAX_DEPTH} levels of nesting`, "deeper nesting");
    return undefined;
}
function problemAt(path, expected, received) {
    return { field: (0,_problem_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldName */ .w5)(path), expected, received };
}


/***/ }),

/***/ 95897:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jr: () => (/* binding */ describeReceived),
/* harmony export */   Vw: () => (/* binding */ formatProblem),
/* harmony export */   w5: () => (/* binding */ fieldName)
/* harmony export */ });
// One thing wrong with an artifact: which field, what was expected, what came.
const SHOWN = 80;
const MAX_FIELD = 120;
/** `importantQuotes[2].text`; the whole artifact has a name as well. */
function fieldName(path) {
    if (path.length === 0)
        return "(the artifact)";
    const name = path
        .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
        .join("")
        .replace(/^\./, "")
        .toWellFormed();
    return name.length > MAX_FIELD ? `${name.slice(0, MAX_FIELD).toWellFormed()}…` : name;
}
/** `headline: expected text of 10–200 characters, got "x" (1 character)` */
function formatProblem({ field, expected, received }) {
    return `${field}: expected ${expected}, got ${received}`;
}
/** What came, cut at 80 characters, with its length where that may be the point. */
function describeReceived(value) {
    if (value === undefined)
        return "nothing";
    if (Array.isArray(value))
        return `a list of ${value.length}: ${cut(JSON.stringify(value))}`;
    if (typeof value === "string")
        return `${cut(JSON.stringify(value))} (${count([...value].length, "character")})`;
    return cut(JSON.stringify(value));
}
function count(amount, noun) {
    return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
function cut(text) {
    const characters = [...text.slice(0, 2 * SHOWN + 2)];
    return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : text;
}


/***/ }),

/***/ 76132:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  wireAction: () => (/* binding */ wireAction)
});

// UNUSED EXPORTS: clock

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/errors.js
var build_errors = __webpack_require__(19473);
;// CONCATENATED MODULE: ./build/ports/repository.js
/** Trailer of every commit of a task: what stands on a branch with it was pushed by a run. */
const RUN_TRAILER = "Looplia-Run";

;// CONCATENATED MODULE: ./build/adapters/git-branch.js
// One work branch in a worktree: commits by plumbing alone (no filters, no hooks), pushes with an explicit lease.




const AUTHOR = "github-actions[bot]";
const EMAIL = "41898282+github-actions[bot]@users.noreply.github.com";
const IDENTITY = ["-c", `user.name=${AUTHOR}`, "-c", `user.email=${EMAIL}`];
const WAITS_MS = [500, 2_000];
const MERGES = 3;
/** Checks the commit out, byte for byte, into a worktree below `temporary`. */
async function openWorkBranch(place) {
    const root = (0,external_node_path_.join)(place.temporary, "worktree");
    await place.git(["worktree", "add", "--quiet", "--force", "--detach", root, place.commit]);
    const heads = { tip: place.commit, remoteTip: place.onRemote ? place.commit : undefined };
    let last = Promise.resolve();
    const inTurn = (work) => {
        const next = last.then(work, work);
        last = next.catch(() => { });
        return next;
    };
    return {
        name: place.branch,
        root,
        commit: (folder, message) => inTurn(() => commitFolder(place, root, heads, folder, message)),
        push: () => inTurn(() => pushBranch(place, root, heads)),
    };
}
async function commitFolder(place, root, heads, folder, message) {
    const { git } = place;
    const inRoot = await checkedFolder(root, folder);
    const present = await regularFiles((0,external_node_path_.join)(root, inRoot));
    const rows = [];
    const kept = new Set();
    for (const file of present) {
        const path = `${inRoot}/${file}`;
        const hashed = await git(["hash-object", "-w", "--no-filters", "--stdin"], {
            input: await (0,promises_.readFile)((0,external_node_path_.join)(root, path)),
        });
        kept.add(path);
        rows.push(`100644 ${hashed.stdout.toString("utf8").trim()}\t${path}\0`);
    }
    const listed = await git(["--literal-pathspecs", "ls-files", "-z", "--", `${inRoot}/`], { cwd: root });
    for (const path of listed.stdout.toString("utf8").split("\0")) {
        // What is there but not ours to write, a person's hidden file or link, stays as it was committed.
        if (path === "" || kept.has(path) || (await isThere((0,external_node_path_.join)(root, path))))
            continue;
        rows.push(`0 ${"0".repeat(40)}\t${path}\0`);
    }
    await git(["update-index", "-z", "--index-info"], { cwd: root, input: rows.join("") });
    const tree = await textOf(git, ["write-tree"], root);
    if (tree === (await textOf(git, ["rev-parse", `${heads.tip}^{tree}`], root)))
        return false;
    heads.tip = await commitTree(git, root, tree, [heads.tip], message);
    return true;
}
/** The folder as git names it; refuses what leaves the worktree, links on the way, and the state folder. */
async function checkedFolder(root, folder) {
    const real = await (0,promises_.realpath)((0,external_node_path_.join)(root, folder));
    const path = (0,external_node_path_.relative)(await (0,promises_.realpath)(root), real)
        .split(external_node_path_.sep)
        .join("/");
    const asked = folder.replace(/\/+$/, "");
    if (path === asked &&
        path !== "" &&
        !/^\.\.(\/|$)/.test(path) &&
        !/(^|\/)(\.git|\.looplia\/state)(\/|$)/i.test(path)) {
        return path;
    }
    throw new build_errors/* LoopliaError */.$K("host-failed", `refused to commit ${folder}: only a session's own folder is committed`);
}
async function regularFiles(folder, below = "") {
    const found = [];
    for (const entry of await (0,promises_.readdir)((0,external_node_path_.join)(folder, below), { withFileTypes: true })) {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory())
            found.push(...(await regularFiles(folder, path)));
        // Hidden names are half-written files of an atomic write.
        else if (entry.isFile() && !entry.name.startsWith("."))
            found.push(path);
    }
    return found.sort();
}
async function commitTree(git, root, tree, parents, message) {
    const by = parents.flatMap((parent) => ["-p", parent]);
    const made = await git([...IDENTITY, "commit-tree", tree, ...by, "-F", "-"], { cwd: root, input: message });
    const commit = made.stdout.toString("utf8").trim();
    await git(["update-ref", "--no-deref", "HEAD", commit], { cwd: root });
    return commit;
}
async function pushBranch(place, root, heads) {
    for (let merges = 0;; merges++) {
        if (heads.tip === heads.remoteTip)
            return;
        const found = await tryPush(place, heads);
        if (found === heads.tip) {
            heads.remoteTip = heads.tip;
            return;
        }
        if (found === undefined)
            throw deleted(place.branch);
        if (merges === MERGES)
            throw conflict(place.branch, "it keeps changing");
        await mergeRemote(place, root, heads, found);
    }
}
/** Pushes, with two more tries when the remote did not answer. The remote's tip afterwards. */
async function tryPush(place, heads) {
    const reference = `refs/heads/${place.branch}`;
    const lease = `--force-with-lease=${reference}:${heads.remoteTip ?? ""}`;
    const args = ["push", "--quiet", "--no-verify", lease, "--", place.remote, `${heads.tip}:${reference}`];
    for (let attempt = 0;; attempt++) {
        try {
            await place.git(args, { authorized: true });
            return heads.tip;
        }
        catch (thrown) {
            const wait = WAITS_MS[attempt];
            // The acknowledgement may be what was lost, so the remote is asked before anything is judged.
            const found = await place.tipOf(place.branch).catch(() => heads.remoteTip);
            if (found !== heads.remoteTip)
                return found;
            if (wait === undefined || refused(thrown))
                throw thrown;
            await new Promise((resolve) => setTimeout(resolve, wait));
        }
    }
}
function refused(thrown) {
    return thrown instanceof build_errors/* LoopliaError */.$K && thrown.hint !== undefined;
}
async function mergeRemote(place, root, heads, theirs) {
    const { git } = place;
    const shallow = (await textOf(git, ["rev-parse", "--is-shallow-repository"], root)) === "true";
    const depth = shallow ? ["--unshallow"] : [];
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", ...depth];
    await git([...fetch, "--", place.remote, `refs/heads/${place.branch}`], { authorized: true });
    if (await isOfAnotherRun(git, root, heads.tip, theirs))
        throw lostRace(place.branch);
    const merged = await git([...IDENTITY, "merge-tree", "--write-tree", heads.tip, theirs], {
        cwd: root,
        answers: [1],
    });
    if (merged.exitCode === 1)
        throw conflict(place.branch, "the same files were changed there meanwhile");
    const tree = merged.stdout.toString("utf8").split("\n")[0] ?? "";
    const changed = await git(["diff-tree", "-r", "-z", "--name-status", "--no-renames", heads.tip, tree], {
        cwd: root,
    });
    heads.tip = await commitTree(git, root, tree, [heads.tip, theirs], `chore: merge what was pushed to the branch\n`);
    heads.remoteTip = theirs;
    await git(["read-tree", tree], { cwd: root });
    await takeOver(git, root, changed.stdout.toString("utf8").split("\0"));
}
/** Only the branch's own line counts: what a merge of the base brought is an earlier work's. */
async function isOfAnotherRun(git, root, tip, theirs) {
    const format = `--format=%ce %(trailers:key=${RUN_TRAILER},valueonly,separator=%x2C)`;
    const line = await textOf(git, ["log", "--first-parent", format, theirs, "--not", tip], root);
    return line.split("\n").some((row) => row.startsWith(`${EMAIL} `) && row.length > EMAIL.length + 1);
}
/** Brings the merged files into the worktree. `rows`: status and path in turn. */
async function takeOver(git, root, rows) {
    const present = [];
    for (let index = 0; index + 1 < rows.length; index += 2) {
        const path = rows[index + 1] ?? "";
        if (rows[index] !== "D")
            present.push(path);
        else if (await isRegular((0,external_node_path_.join)(root, path)))
            await (0,promises_.rm)((0,external_node_path_.join)(root, path));
    }
    await git(["checkout-index", "--force", "-z", "--stdin"], {
        cwd: root,
        input: present.map((path) => `${path}\0`).join(""),
    });
}
async function isRegular(path) {
    return (await (0,promises_.lstat)(path).catch(() => undefined))?.isFile() ?? false;
}
async function isThere(path) {
    return (await (0,promises_.lstat)(path).catch(() => undefined)) !== undefined;
}
async function textOf(git, args, cwd) {
    return (await git(args, { cwd })).stdout.toString("utf8").trim();
}
function conflict(branch, why) {
    return new build_errors/* LoopliaError */.$K("host-failed", `branch ${branch} could not be updated: ${why}`, {
        hint: "what was pushed there stands; run again to go on from it, the results of this run are in its artifact",
    });
}
function deleted(branch) {
    return new build_errors/* LoopliaError */.$K("closed", `branch ${branch} was deleted while the run was at work`, {
        hint: "run again to begin a new one; the results of this run are in its artifact",
    });
}
function lostRace(branch) {
    return new build_errors/* LoopliaError */.$K("lost-race", `another run pushed to ${branch} first, so this one gave way`, {
        hint: "let one run at a time work on it: give the workflow a concurrency group",
    });
}

// EXTERNAL MODULE: ./build/adapters/git-process.js
var git_process = __webpack_require__(81361);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: ./build/adapters/path-rules.js
var path_rules = __webpack_require__(90460);
// EXTERNAL MODULE: ./build/adapters/pinned-files.js
var pinned_files = __webpack_require__(39305);
// EXTERNAL MODULE: ./build/adapters/write-atomic.js
var write_atomic = __webpack_require__(2414);
;// CONCATENATED MODULE: ./build/adapters/file-access.js
// Reads, writes and removes files below a root. What a caller checked is what is opened.





/** Bytes of a regular file, or undefined when there is none. `check` sees the real place before it is opened. */
async function file_access_readInside(root, parts, limit, check = () => { }) {
    const path = parts.join("/");
    for (let attempt = 1;; attempt += 1) {
        const place = await (0,pinned_files/* locate */.x5)(root, parts);
        check(place);
        if (place.missing.length > 0)
            return undefined;
        try {
            const handle = await (0,pinned_files/* openPinned */.T6)(place.real, external_node_fs_.constants.O_RDONLY);
            return await readAll(handle, path, limit);
        }
        catch (error) {
            // A file that is replaced at this moment looks like a swapped one: look again before refusing.
            if (error instanceof pinned_files/* MovedError */.WJ && attempt < 3)
                continue;
            if ((0,pinned_files/* codeOf */.$N)(error) === "ENOENT")
                return undefined;
            if (error instanceof build_errors/* LoopliaError */.$K)
                throw error;
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} can't be read: ${(0,pinned_files/* reasonOf */.A3)(error)}.`, "Name another file.", error);
        }
    }
}
/** Writes atomically at a path below the root, making folders. `check` sees the real place before anything is opened. */
async function writeInside(root, parts, bytes, check = () => { }) {
    await changing(parts, async () => {
        const place = await (0,pinned_files/* locate */.x5)(root, parts);
        check(place);
        const { folder, name } = await (0,pinned_files/* openParent */.jt)(place);
        await (0,write_atomic/* replaceFile */.fR)(folder, name, bytes).finally(() => folder.handle.close());
    });
}
/** Removes a file or link; a missing one is fine. */
async function removeInside(root, parts) {
    await changing(parts, async () => {
        const { real, missing } = await (0,pinned_files/* locate */.x5)(root, parts.slice(0, -1));
        if (missing.length > 0)
            return;
        const { folder, name } = await (0,pinned_files/* openParent */.jt)({ real, missing: parts.slice(-1) });
        await (0,write_atomic/* removeIfThere */.Ks)(folder.at(name)).finally(() => folder.handle.close());
    });
}
async function readAll(handle, path, limit) {
    try {
        const found = await handle.stat();
        if (found.isDirectory())
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} is a folder.`, "List it, or name a file in it.");
        if (!found.isFile())
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was refused: it is no regular file.`, "Name another file.");
        if (found.size > limit) {
            const mebibytes = `${Math.floor(limit / 1024 / 1024)} MiB`;
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was refused: it is larger than ${mebibytes}.`, "Search it, or use a command.");
        }
        return await handle.readFile();
    }
    finally {
        await handle.close();
    }
}
function isDiskFull(error) {
    return ["ENOSPC", "EDQUOT"].includes((0,pinned_files/* codeOf */.$N)(error) ?? "");
}
/** Translates what the system says of a change into an error that names path and reason. */
async function changing(parts, change) {
    const shown = (0,path_rules/* showPath */.P8)(parts.join("/"));
    if (parts.length === 0)
        throw (0,path_rules/* refusal */.x5)("The root itself can't be changed.", "Give the path of a file.");
    try {
        await change();
    }
    catch (error) {
        if (error instanceof build_errors/* LoopliaError */.$K || (0,pinned_files/* codeOf */.$N)(error) === undefined)
            throw error;
        if (isDiskFull(error)) {
            throw new build_errors/* LoopliaError */.$K("host-failed", `${shown} can't be written: ${(0,pinned_files/* reasonOf */.A3)(error)}.`, {
                hint: "Free some space and run again.",
                cause: error,
            });
        }
        throw (0,path_rules/* refusal */.x5)(`${shown} can't be written: ${(0,pinned_files/* reasonOf */.A3)(error)}.`, "Make it writable or name another place.", error);
    }
}

;// CONCATENATED MODULE: ./build/adapters/glob.js
// Globs in linear time. A model writes them, and translated to a backtracking engine a short one can run for minutes.


/** A test for paths: `*`, `?`, `**`, `[a-z]`, `{a,b}`. A glob without `/` is matched against the last name alone. */
async function compileGlob(glob) {
    const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
    let pattern;
    try {
        pattern = RE2JS.compile(toPattern(glob), RE2JS.DOTALL);
    }
    catch (error) {
        throw (0,path_rules/* refusal */.x5)(`The glob ${(0,path_rules/* showPath */.P8)(glob)} was refused: ${(0,build_errors/* messageOf */.bD)(error)}.`, "Write it as src/**/*.ts.", error);
    }
    const isName = !glob.includes("/");
    return (path) => pattern.testExact(isName ? path.slice(path.lastIndexOf("/") + 1) : path);
}
/** RE2 syntax of a glob; brackets and braces without their other half stand for themselves. */
function toPattern(glob) {
    const tokens = glob.replace(/^\.?\//, "").match(/\*\*\/|\*+|\?|\[[!^]?[^/\]]+\]|\\.|./gsu) ?? [];
    let open = 0;
    let closable = glob.split("}").length - 1;
    const translated = tokens.map((token) => {
        if (token === "**/")
            return "(?:.*/)?";
        if (/^\*/.test(token))
            return token.length > 1 ? ".*" : "[^/]*";
        if (token === "?")
            return "[^/]";
        if (token.length > 1 && token.startsWith("["))
            return toClass(token);
        if (token === "{" && closable > 0) {
            open += 1;
            closable -= 1;
            return "(?:";
        }
        if (token === "}" && open > 0) {
            open -= 1;
            return ")";
        }
        if (token === "," && open > 0)
            return "|";
        return quote(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
    });
    return translated.join("") + ")".repeat(open);
}
function toClass(token) {
    const isNegated = /^\[[!^]/.test(token);
    const inner = token.slice(isNegated ? 2 : 1, -1).replace(/[\\^[\]&~]/g, "\\$&");
    return `[${isNegated ? "^/" : ""}${inner}]`;
}
function quote(token) {
    return token.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

;// CONCATENATED MODULE: ./build/adapters/walk-files.js
// Lists folders and walks trees of files without following a link.






/** Entries seen before a walk gives up, so that a huge tree can't hold the run. */
const MAX_ENTRIES = 200_000;
/** Entries of a real folder that was checked; files that are being written are left out. */
async function listFolder(real) {
    const handle = await (0,pinned_files/* openPinned */.T6)(real, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_DIRECTORY);
    try {
        const path = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : real;
        const entries = await (0,promises_.readdir)(path, { withFileTypes: true });
        return entries.filter((entry) => !entry.name.startsWith(write_atomic/* TEMPORARY_PREFIX */.F8));
    }
    finally {
        await handle.close();
    }
}
/**
 * Paths of regular files below a real folder, relative to it, in the order of their code units. `enter` says of each
 * relative path whether it is of interest. Folders that can't be read are left out.
 */
async function* walkFiles(real, enter) {
    let seen = 0;
    const stack = [{ path: "", isFolder: true }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        if (!next.isFolder) {
            yield next.path;
            continue;
        }
        const { path: folder } = next;
        const below = (await readableEntries((0,external_node_path_.join)(real, folder)))
            .filter((entry) => entry.isDirectory() || entry.isFile())
            .map((entry) => ({
            path: folder ? `${folder}/${entry.name}` : entry.name,
            isFolder: entry.isDirectory(),
        }))
            .filter((entry) => enter(entry.path));
        seen += below.length;
        if (seen > MAX_ENTRIES) {
            throw new build_errors/* LoopliaError */.$K("config-invalid", `There are more than ${MAX_ENTRIES} files below this folder.`, {
                hint: "Give a folder further down.",
            });
        }
        stack.push(...below.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1)));
    }
}
/** With its slash a folder sorts where its files sort. */
function sortKey(entry) {
    return entry.isFolder ? `${entry.path}/` : entry.path;
}
async function readableEntries(real) {
    try {
        return await listFolder(real);
    }
    catch (error) {
        if (error instanceof build_errors/* LoopliaError */.$K ||
            ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"].includes((0,pinned_files/* codeOf */.$N)(error) ?? "")) {
            return [];
        }
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/adapters/tool-files.js
// Files as a model's tools see them: the same root, fewer places.







const MAX_BYTES = 10 * 1024 * 1024;
/** `closed` are real folders that tools never see. */
async function openToolFiles(root, closed) {
    const workspaceFolder = await linkedFolder(root, ".looplia");
    const check = (path, use) => (place) => {
        const real = (0,external_node_path_.join)(place.real, ...place.missing);
        if (closed.some((folder) => (0,pinned_files/* isInside */.FK)(folder, real))) {
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was refused: this folder is closed to tools.`, "You do not need it.");
        }
        (0,path_rules/* checkForTools */.RI)(path, namesOf(root, real), use);
        if (workspaceFolder !== undefined && (0,pinned_files/* isInside */.FK)(workspaceFolder, real)) {
            (0,path_rules/* checkForTools */.RI)(path, [".looplia", ...namesOf(workspaceFolder, real)], use);
        }
    };
    const read = async (path, use) => {
        const parts = (0,path_rules/* splitPath */.Uf)(path);
        (0,path_rules/* checkForTools */.RI)(path, parts, use);
        const bytes = await file_access_readInside(root, parts, MAX_BYTES, check(path, use));
        return bytes === undefined ? undefined : decode(path, bytes);
    };
    return {
        async readText(path) {
            const text = await read(path, "read");
            if (text !== undefined)
                return text;
            throw (0,path_rules/* refusal */.x5)(`There is no file ${(0,path_rules/* showPath */.P8)(path)}.`, "Find its name with listFiles.");
        },
        readForEdit: (path) => read(path, "write"),
        async writeText(path, text) {
            const parts = (0,path_rules/* splitPath */.Uf)(path);
            (0,path_rules/* checkForTools */.RI)(path, parts, "write");
            if (!text.isWellFormed()) {
                throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was not written: the text has half of a surrogate pair.`, "Send valid Unicode.");
            }
            await writeInside(root, parts, text, check(path, "write"));
        },
        walk: (folder, glob) => walkForTools(root, folder, glob, check(folder, "read")),
    };
}
async function* walkForTools(root, folder, glob, check) {
    const parts = (0,path_rules/* splitPath */.Uf)(folder);
    (0,path_rules/* checkForTools */.RI)(folder, parts, "read");
    const place = await (0,pinned_files/* locate */.x5)(root, parts);
    check(place);
    if (place.missing.length > 0)
        throw (0,path_rules/* refusal */.x5)(`There is no folder ${(0,path_rules/* showPath */.P8)(folder)}.`, 'List the root: path ".".');
    if ((await (0,promises_.stat)(place.real)).isFile()) {
        yield parts.join("/");
        return;
    }
    const isWanted = glob === undefined ? () => true : await compileGlob(glob);
    const isOpen = (path) => {
        if (path === "node_modules" || path.endsWith("/node_modules"))
            return false;
        try {
            (0,path_rules/* checkForTools */.RI)(path, path.split("/"), "read");
            check({ real: (0,external_node_path_.join)(place.real, path), missing: [] });
            return true;
        }
        catch {
            return false;
        }
    };
    for await (const path of walkFiles(place.real, isOpen)) {
        if (isWanted(path))
            yield [...parts, path].join("/");
    }
}
function decode(path, bytes) {
    const isBinary = bytes.subarray(0, 8_000).includes(0);
    try {
        if (!isBinary)
            return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch {
        throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was refused: it is not UTF-8.`, "Convert a copy with a command.");
    }
    throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was refused: it is binary.`, "Look at it with a command.");
}
function namesOf(folder, real) {
    return (0,external_node_path_.relative)(folder, real)
        .split(external_node_path_.sep)
        .filter((name) => name !== "");
}
/** Where the workspace folder really is, when it is a link: its rules hold there too. */
async function linkedFolder(root, name) {
    try {
        const real = await (0,promises_.realpath)((0,external_node_path_.join)(root, name));
        return real === (0,external_node_path_.join)(root, name) ? undefined : real;
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/adapters/workspace.js
// The worktree on the local disk: files that can't leave the root, and commands that can't see a key.








/** No file of the program is near this; beyond it reading would only exhaust memory. */
const workspace_MAX_BYTES = 256 * 1024 * 1024;
/**
 * Opens the worktree at `root`. Commands get exactly `environment`. `stateFolder` (moved state) and `systemTemp` are
 * closed to tools where they lie inside the root.
 */
async function openWorkspace(root, options) {
    const base = await workspace_realRoot(root);
    const closed = await closedFolders(base, [
        options.stateFolder,
        options.systemTemp,
        "/proc",
        "/sys",
        "/dev",
    ]);
    return {
        root: base,
        read: async (path) => file_access_readInside(base, (0,path_rules/* splitPath */.Uf)(path), workspace_MAX_BYTES, refuseLinks(base, path)),
        // async: a refused path is a rejection, like every other refusal
        writeAtomic: async (path, bytes) => writeInside(base, (0,path_rules/* splitPath */.Uf)(path), bytes, refuseLinks(base, path)),
        remove: async (path) => removeInside(base, (0,path_rules/* splitPath */.Uf)(path)),
        list: (folder) => workspace_listInside(base, folder),
        forTools: await openToolFiles(base, closed),
        async run(command, limits) {
            const { runCommand } = await __webpack_require__.e(/* import() */ 140).then(__webpack_require__.bind(__webpack_require__, 40140));
            return runCommand(command, { folder: base, environment: options.environment }, limits);
        },
        async snapshot(pending) {
            const { takeSnapshot } = await __webpack_require__.e(/* import() */ 981).then(__webpack_require__.bind(__webpack_require__, 64981));
            const own = await closedFolders(base, [".looplia/state", ".looplia/contentItem"]);
            const { environment } = options;
            return takeSnapshot(base, { environment, closed: [...closed, ...own] }, pending);
        },
    };
}
/**
 * The program's own files are what they are called: a link that somebody committed in their place must not have it read
 * or write another file.
 */
function refuseLinks(root, path) {
    return ({ real, missing }) => {
        if ((0,external_node_path_.join)(real, ...missing) === (0,external_node_path_.join)(root, path))
            return;
        throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was refused: a link is on it.`, "Put a real file or folder there.");
    };
}
/**
 * Entries of a folder below the root, sorted; empty when there is none. A link counts as no folder. Throws
 * `config-invalid` for what is no folder, or can't be read.
 */
async function workspace_listInside(root, folder) {
    const { real, missing } = await (0,pinned_files/* locate */.x5)(root, (0,path_rules/* splitPath */.Uf)(folder));
    const entries = missing.length > 0
        ? []
        : await listFolder(real).catch((error) => {
            if (error instanceof build_errors/* LoopliaError */.$K || (0,pinned_files/* codeOf */.$N)(error) === undefined)
                throw error;
            const isFile = (0,pinned_files/* codeOf */.$N)(error) === "ENOTDIR";
            const why = isFile ? "is no folder" : `can't be read: ${(0,pinned_files/* reasonOf */.A3)(error)}`;
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(folder)} ${why}.`, "Move it away, or make it readable.", error);
        });
    return entries
        .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}
/** The root without links; `config-invalid` when it is no folder that can be opened. */
async function workspace_realRoot(root) {
    try {
        return await (0,promises_.realpath)(root);
    }
    catch (error) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `The folder ${root} can't be opened: ${(0,pinned_files/* reasonOf */.A3)(error)}.`, {
            cause: error,
        });
    }
}
/** Only those below the root: a worktree may itself lie in the system's temporary folder. */
async function closedFolders(root, folders) {
    const named = folders.filter((folder) => folder !== undefined);
    const real = await Promise.all(named.map((folder) => (0,pinned_files/* realOrExpected */.Uv)((0,external_node_path_.resolve)(root, folder))));
    return real.filter((folder) => folder !== root && (0,pinned_files/* isInside */.FK)(root, folder));
}

;// CONCATENATED MODULE: ./build/adapters/trusted-files.js
// Read-only files of the trusted ref: a folder on the disk, or a commit that is read without checking it out.




const trusted_files_MAX_BYTES = 10 * 1024 * 1024;
/** The working tree, or a folder of the program's own. `label` stands before paths in diagnostics. */
async function trustedFolder(root, label) {
    const base = await realRoot(root);
    return {
        label,
        async read(path) {
            const bytes = await readInside(base, splitPath(path), trusted_files_MAX_BYTES);
            return bytes === undefined ? undefined : trusted_files_decode(`${label}${path}`, bytes);
        },
        list: async (folder) => (await listInside(base, folder)).map((entry) => entry.name),
    };
}
/** The tree of a commit (its full id), below `folder` of it. Links are followed inside the tree, never out of it. */
function trustedCommit(git, commit, label, folder = "") {
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `${(0,path_rules/* showPath */.P8)(commit)} is not the full id of a commit.`);
    }
    const look = async (path) => {
        const inTree = [...(0,path_rules/* splitPath */.Uf)(folder), ...(0,path_rules/* splitPath */.Uf)(path)].join("/");
        return lookUp(git, `${commit}:${inTree}`, `${label}${path}`);
    };
    return {
        label,
        async read(path) {
            const found = await look(path);
            if (found?.type !== "blob")
                return undefined;
            if (found.size > trusted_files_MAX_BYTES)
                throw unreadable(`${label}${path}`, "is larger than 10 MiB");
            const { stdout } = await git(["--no-replace-objects", "cat-file", "blob", found.oid]);
            return trusted_files_decode(`${label}${path}`, stdout);
        },
        async list(path) {
            const found = await look(path);
            if (found?.type !== "tree")
                return [];
            const { stdout } = await git(["--no-replace-objects", "ls-tree", "-z", "--name-only", found.oid]);
            return stdout.toString("utf8").split("\0").filter(Boolean).sort();
        },
    };
}
/** The object at `<commit>:<path>`; undefined when there is none. git tells links that leave the tree apart. */
async function lookUp(git, name, shown) {
    if (/\p{Cc}/u.test(name))
        throw unreadable(shown, "has a control character in its name");
    const args = ["--no-replace-objects", "cat-file", "--batch-check", "--follow-symlinks"];
    const { stdout } = await git(args, { input: `${name}\n` });
    const [line = ""] = stdout.toString("utf8").split("\n");
    if (/^(?:symlink|dangling|loop|notdir) \d+$/.test(line)) {
        if (line.startsWith("notdir"))
            return undefined;
        throw unreadable(shown, "is a link that leads out of the repository, to nothing, or in a circle");
    }
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
    return oid && type ? { oid, type, size: Number(size) } : undefined;
}
function trusted_files_decode(shown, bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    }
    catch (error) {
        throw unreadable(shown, "is not UTF-8 text", error);
    }
}
function unreadable(shown, why, cause) {
    return new build_errors/* LoopliaError */.$K("config-invalid", `${shown} ${why}.`, {
        hint: "Replace it by a text file in UTF-8.",
        ...(cause === undefined ? {} : { cause }),
    });
}

;// CONCATENATED MODULE: ./build/adapters/git.js
// The program's own clone of the remote: shallow, bare, with a clean configuration, in a temporary folder.






// Wins over every .gitattributes: files are checked out byte for byte and no driver is ever named.
const ATTRIBUTES = "* -text !eol -ident !filter !working-tree-encoding !diff !merge\n";
const OBJECT_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
/**
 * Makes an empty clone below `temporary` for the remote (a URL, or a path). Nothing is fetched yet. The folder is the
 * caller's to remove; worktrees lie below it as well.
 */
async function openRepository(options) {
    const folder = (0,external_node_path_.join)(options.temporary, "repository.git");
    const home = (0,external_node_path_.join)(options.temporary, "home");
    await (0,promises_.mkdir)(home, { recursive: true });
    await (0,promises_.mkdir)(folder, { recursive: true });
    const { remote, token, environment } = options;
    const git = (0,git_process/* createGit */.l)({ folder, home, remote, token, environment });
    await git(["init", "--quiet", "--bare", "--template=", "."]);
    await (0,promises_.mkdir)((0,external_node_path_.join)(folder, "info"), { recursive: true });
    await (0,promises_.writeFile)((0,external_node_path_.join)(folder, "info", "attributes"), ATTRIBUTES);
    const tipOf = (branch) => readTip(git, remote, branch);
    return {
        folder,
        defaultBranch: () => readDefaultBranch(git, remote),
        tipOf,
        fetchCommit: (commit, branch) => fetchCommit(git, remote, commit, branch),
        listFiles: (commit, below) => listFiles(git, commit, below),
        readBlobs: (oids) => readBlobs(git, oids),
        trustedFiles: (commit, below, label) => trustedCommit(git, checkedId(commit), label, below),
        openBranch: (branch, commit, onRemote) => openWorkBranch({
            git,
            remote,
            tipOf,
            branch,
            commit: checkedId(commit),
            onRemote,
            temporary: options.temporary,
        }),
    };
}
async function readTip(git, remote, branch) {
    const reference = `refs/heads/${branch}`;
    const listed = await git(["ls-remote", "--refs", "--", remote, reference], { authorized: true });
    for (const row of listed.stdout.toString("utf8").split("\n")) {
        const [oid, name] = row.split("\t");
        if (oid && name === reference)
            return checkedId(oid);
    }
    return undefined;
}
async function readDefaultBranch(git, remote) {
    const listed = await git(["ls-remote", "--symref", "--", remote, "HEAD"], { authorized: true });
    const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listed.stdout.toString("utf8"))?.[1];
    if (branch)
        return branch;
    throw new build_errors/* LoopliaError */.$K("host-failed", "the repository has no default branch", {
        hint: "push a first commit to it",
    });
}
async function fetchCommit(git, remote, commit, branch) {
    checkedId(commit);
    if (await hasCommit(git, commit))
        return;
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
    const byId = await git([...fetch, "--depth=1", "--", remote, commit], {
        authorized: true,
        answers: branch === undefined ? [] : [1, 128],
    });
    if (byId.exitCode === 0 || branch === undefined)
        return;
    // Old servers give only the tips of branches by their id: then the whole branch is fetched.
    await git([...fetch, "--", remote, `refs/heads/${branch}`], { authorized: true });
    if (await hasCommit(git, commit))
        return;
    throw new build_errors/* LoopliaError */.$K("host-failed", `commit ${commit} is not on branch ${branch} any more`, {
        hint: "run again: the branch was rewritten meanwhile",
    });
}
async function hasCommit(git, commit) {
    const found = await git(["cat-file", "-e", `${commit}^{tree}`], { answers: [1, 128] });
    return found.exitCode === 0;
}
async function listFiles(git, commit, folder) {
    const path = folder === "" || folder === "." ? [] : [`${folder.replace(/\/+$/, "")}/`];
    const listed = await git([
        "--literal-pathspecs",
        "ls-tree",
        "-r",
        "-l",
        "-z",
        checkedId(commit),
        "--",
        ...path,
    ]);
    const files = [];
    for (const row of listed.stdout.toString("utf8").split("\0")) {
        const [, mode, oid, size, name] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(row) ?? [];
        if ((mode === "100644" || mode === "100755") && oid && name)
            files.push({ path: name, oid, size: Number(size) });
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
async function readBlobs(git, oids) {
    if (oids.length === 0)
        return [];
    const input = oids.map((oid) => `${checkedId(oid)}\n`).join("");
    const { stdout } = await git(["cat-file", "--batch"], { input });
    let at = 0;
    return oids.map((oid) => {
        const end = stdout.indexOf("\n", at);
        const [, kind, size] = stdout.toString("latin1", at, end).split(" ");
        if (end < 0 || kind !== "blob")
            throw new build_errors/* LoopliaError */.$K("host-failed", `${oid} is not a file of the repository`);
        const from = end + 1;
        at = from + Number(size) + 1;
        return stdout.subarray(from, at - 1);
    });
}
/**
 * The address of the repository on the server, or the checkout's `origin` where that is this machine. Any other `origin`
 * does not count: the token goes there, and the checkout may be of another repository.
 */
async function findRemote(place) {
    const onServer = `${place.serverUrl.replace(/\/+$/, "")}/${place.repository}.git`;
    const text = await (0,promises_.readFile)((0,external_node_path_.join)(place.checkout, ".git", "config"), "utf8").catch(() => "");
    const address = /^\[remote "origin"\]\s*(?:\n(?!\[)[^\n]*)*?\n\s*url\s*=\s*(\S+)/m.exec(text)?.[1];
    if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address))
        return onServer;
    const origin = new URL(address);
    origin.username = "";
    origin.password = "";
    const isLocal = /^(127\.\d+\.\d+\.\d+|localhost|.*\.localhost|\[::1\])$/.test(origin.hostname);
    return isLocal ? origin.href : onServer;
}
function checkedId(oid) {
    if (OBJECT_ID.test(oid))
        return oid;
    throw new build_errors/* LoopliaError */.$K("host-failed", `not a commit id: ${JSON.stringify(oid)}`);
}

;// CONCATENATED MODULE: ./build/adapters/github.js
// Pull requests over GitHub's REST API. Octokit is loaded with the first request.

const LIMIT = 65_536;
const LONGEST_WAIT_SECONDS = 60;
const SETTING = "allow it under Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests” (of the organisation too, if it decides), then run again: the branch is pushed";
/** The code host of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
function createGithubHost(place) {
    const [owner = "", repo = ""] = place.repository.split("/");
    let connecting;
    const client = () => {
        connecting ??= connect(place);
        return connecting;
    };
    const api = { client, owner, repo };
    return {
        pullRequestsOf: (branch) => translate("list pull requests", () => listPullRequests(api, branch)),
        openPullRequests: (prefix) => translate("list pull requests", () => listOpen(api, prefix)),
        openPullRequest: (request) => openPullRequest(api, request),
        updatePullRequest: (number, change) => translate("update the pull request", () => updatePullRequest(api, number, change)),
    };
}
async function listPullRequests({ client, owner, repo }, branch) {
    const query = { owner, repo, head: `${owner}:${branch}`, state: "all", per_page: 100 };
    const found = await (await client()).paginate("GET /repos/{owner}/{repo}/pulls", query);
    // The API ignores a `head` that it cannot read and then lists everything.
    return found.filter((one) => isOf(one, branch)).map(toPullRequest);
}
async function listOpen({ client, owner, repo }, prefix) {
    const query = { owner, repo, state: "open", per_page: 100 };
    const found = await (await client()).paginate("GET /repos/{owner}/{repo}/pulls", query);
    return found
        .filter((one) => one.head.ref.startsWith(prefix) && isOf(one, one.head.ref))
        .map((one) => ({ ...toPullRequest(one), branch: one.head.ref }));
}
async function openPullRequest(api, request) {
    const { client, owner, repo } = api;
    const { branch: head, base, title } = request;
    try {
        const body = checkedBody(request.body);
        const fields = { owner, repo, head, base, title, body };
        return toPullRequest((await (await client()).request("POST /repos/{owner}/{repo}/pulls", fields)).data);
    }
    catch (thrown) {
        const said = wordsOf(thrown);
        if (/already exists/i.test(said)) {
            const existing = await translate("list pull requests", () => listPullRequests(api, head));
            const open = existing.find((one) => one.state === "open");
            if (open)
                return open;
        }
        if (/no commits between|no history in common/i.test(said))
            return undefined;
        throw translated("open a pull request", thrown);
    }
}
async function updatePullRequest({ client, owner, repo }, number, change) {
    const fields = { owner, repo, pull_number: number, title: change.title, body: checkedBody(change.body) };
    const updated = await (await client()).request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", fields);
    return toPullRequest(updated.data);
}
async function connect(place) {
    const [{ Octokit }, { throttling }, { retry }, { paginateRest }] = await Promise.all([
        __webpack_require__.e(/* import() */ 730).then(__webpack_require__.bind(__webpack_require__, 14730)),
        Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(475)]).then(__webpack_require__.bind(__webpack_require__, 86856)),
        Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(735)]).then(__webpack_require__.bind(__webpack_require__, 49735)),
        __webpack_require__.e(/* import() */ 779).then(__webpack_require__.bind(__webpack_require__, 93779)),
    ]);
    const second = place.secondMs ?? 1000;
    const waitOrNot = (seconds, _request, _octokit, retries) => seconds <= LONGEST_WAIT_SECONDS && retries < 2;
    const silent = () => { };
    return new (Octokit.plugin(throttling, retry, paginateRest))({
        auth: place.token,
        baseUrl: place.apiUrl.replace(/\/+$/, ""),
        userAgent: "looplia-action",
        log: { debug: silent, info: silent, warn: silent, error: silent },
        retry: { retryAfterBaseValue: second },
        throttle: {
            id: `${place.apiUrl} ${place.repository}`,
            onRateLimit: waitOrNot,
            onSecondaryRateLimit: waitOrNot,
            retryAfterBaseValue: second,
        },
    });
}
function toPullRequest(reply) {
    return {
        number: reply.number,
        url: reply.html_url,
        state: reply.state === "open" ? "open" : "closed",
        title: reply.title,
        body: reply.body ?? "",
    };
}
function isOf(reply, branch) {
    const head = fieldOf(reply, "head");
    // The repository of a fork that is gone is null.
    if (fieldOf(head, "repo") === null)
        return false;
    const from = fieldOf(fieldOf(head, "repo"), "full_name");
    const into = fieldOf(fieldOf(fieldOf(reply, "base"), "repo"), "full_name");
    return fieldOf(head, "ref") === branch && (from === into || from === undefined);
}
function checkedBody(body) {
    if (body.length <= LIMIT)
        return body;
    throw new build_errors/* LoopliaError */.$K("host-failed", `a pull request's text of ${body.length} characters is over ${LIMIT}`);
}
async function translate(what, work) {
    try {
        return await work();
    }
    catch (thrown) {
        throw translated(what, thrown);
    }
}
function translated(what, cause) {
    if (cause instanceof build_errors/* LoopliaError */.$K)
        return cause;
    const status = statusOf(cause);
    const hint = hintFor(status, wordsOf(cause));
    return new build_errors/* LoopliaError */.$K("host-failed", `GitHub did not ${what}${status ? ` (${status})` : ""}: ${wordsOf(cause)}`, {
        cause,
        ...(hint === undefined ? {} : { hint }),
    });
}
function hintFor(status, said) {
    if (/not permitted to create/i.test(said))
        return SETTING;
    if (status === 401)
        return "check the github-token: it is missing or expired";
    if (status === 403 && /rate limit/i.test(said))
        return "the hour's requests are used up: run again later";
    if (status === 403)
        return "give the job `permissions: pull-requests: write`";
    if (status === 404)
        return "check that the github-token may see this repository";
    if (status === undefined)
        return "check the network and GITHUB_API_URL, then run again";
    if (status >= 500)
        return "the server has a problem: run again later";
    return undefined;
}
/** GitHub's message with those of its `errors`. */
function wordsOf(thrown) {
    const response = fieldOf(thrown, "response");
    const errors = fieldOf(fieldOf(response, "data"), "errors");
    const details = Array.isArray(errors) ? errors.map((error) => fieldOf(error, "message")) : [];
    return [(0,build_errors/* messageOf */.bD)(thrown), ...details.filter((detail) => typeof detail === "string")].join(" ");
}
function statusOf(thrown) {
    const status = fieldOf(thrown, "status");
    return typeof status === "number" && fieldOf(thrown, "response") !== undefined ? status : undefined;
}
function fieldOf(value, name) {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(58500);
// EXTERNAL MODULE: ./build/session/conversation.js
var session_conversation = __webpack_require__(62068);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(57975);
;// CONCATENATED MODULE: ./build/adapters/anthropic-errors.js
// What can go wrong with a request to the Messages API, told apart by status, error type and wording.


const HINTS = {
    "bad-key": "Check anthropic-api-key (ANTHROPIC_API_KEY): is it whole, of this workspace, and not revoked?",
    "no-credit": "Add credit or raise the spend limit in the Anthropic Console (Billing), then run again.",
    "rate-limit": "Wait and run again, lower `concurrency`, or set `fallback-model`.",
    overloaded: "Run again later, or set `fallback-model`.",
    "context-too-long": "Give the agent less to read at once, split the work, or use a model with a larger window.",
    network: "Check the connection, a proxy and anthropic-base-url, then run again: nothing done is lost.",
    "bad-request": "Run again; if it stays, report it with the request id.",
    unavailable: "Check `model`: does it exist, and may this key use it? If so, try later or set `fallback-model`.",
};
/** Reads an error of the SDK. */
function readApiError(error, now) {
    const { status, type, errorCode } = error;
    const text = error.apiMessage ?? error.message;
    const kind = classify(status, type, errorCode, text);
    const waitMs = readWait(error.headers, now);
    const told = error.headers?.get("x-should-retry");
    const requestId = error.requestID ?? undefined;
    return {
        kind,
        text,
        ...(status === undefined ? {} : { status }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(waitMs === undefined ? {} : { waitMs }),
        mayRetry: told === "true" || (told !== "false" && isPassing(kind, status)),
    };
}
/** The network's own error, its cause first: `fetch failed` alone says nothing. */
function readNetworkError(error) {
    const cause = error.cause instanceof Error ? error.cause : error;
    const inner = cause.cause instanceof Error ? cause.cause : cause;
    const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
    return { kind: "network", text: `${code} ${inner.message}`.trim(), mayRetry: true };
}
/** The error for the loop; never holds the key. */
function toModelFailure(fault, asked) {
    const { apiKey, baseURL } = asked.endpoint;
    const details = [
        fault.status === undefined ? [] : `status ${fault.status}`,
        fault.requestId === undefined ? [] : `request ${fault.requestId}`,
        asked.attempts > 1 ? `${asked.attempts} attempts` : [],
    ].flat();
    const wait = fault.waitMs === undefined ? "" : `; it asks to wait ${Math.ceil(fault.waitMs / 1000)} seconds`;
    // Before it is cut: a cut key would not be found.
    const said = fault.text.replaceAll(apiKey, "[key]").replace(/\s+/g, " ").slice(0, 400);
    const message = `${describe(fault.kind, asked.model, baseURL)}: ${said}${wait}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
    const holdsKey = (0,external_node_util_.inspect)(asked.cause, { depth: 8 }).includes(apiKey);
    return new build_errors/* LoopliaError */.$K("model-failed", message.replaceAll(apiKey, "[key]"), {
        modelFailure: fault.kind,
        hint: HINTS[fault.kind],
        ...(holdsKey ? {} : { cause: asked.cause }),
    });
}
function describe(kind, model, baseURL) {
    switch (kind) {
        case "bad-key":
            return "The Anthropic API refuses the key";
        case "no-credit":
            return "The Anthropic account has no credit left for this request";
        case "rate-limit":
            return "The Anthropic API limits the rate of requests";
        case "overloaded":
            return "The Anthropic API is overloaded";
        case "context-too-long":
            return `The conversation is longer than ${model} takes`;
        case "network":
            return `No whole answer from ${new URL(baseURL).host}`;
        case "bad-request":
            return "The Anthropic API refuses the request";
        case "unavailable":
            return `The Anthropic API can't serve ${model}`;
    }
}
function classify(status, type, code, text) {
    if (status === 402 || type === "billing_error" || /spend_limit|billing/.test(code ?? ""))
        return "no-credit";
    if (/credit balance|billing|spend(ing)? limit|usage limits?\b/i.test(text) && status !== 500)
        return "no-credit";
    if (status === 401 || type === "authentication_error")
        return "bad-key";
    if (status === 413 || type === "request_too_large")
        return "context-too-long";
    if (/prompt is too long|context (window|limit|length)|too many (input )?tokens/i.test(text)) {
        if (status === 400 || type === "invalid_request_error")
            return "context-too-long";
    }
    if (status === 429 || type === "rate_limit_error")
        return "rate-limit";
    if (status === 529 || status === 503 || type === "overloaded_error")
        return "overloaded";
    if (status === 403 || status === 404 || type === "permission_error" || type === "not_found_error") {
        return "unavailable";
    }
    if (status === 408 || status === 409 || (status ?? 0) >= 500)
        return "unavailable";
    if (type === "api_error" || type === "timeout_error")
        return "unavailable";
    return status === undefined && type === null ? "network" : "bad-request";
}
/** What may be over a moment later. */
function isPassing(kind, status) {
    if (kind === "rate-limit" || kind === "overloaded" || kind === "network")
        return true;
    return kind === "unavailable" && status !== 403 && status !== 404;
}
/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function readWait(headers, now) {
    const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
    if (exact >= 0)
        return exact;
    const said = headers?.get("retry-after");
    if (!said)
        return undefined;
    const seconds = Number(said);
    const wait = Number.isNaN(seconds) ? Date.parse(said) - now : seconds * 1000;
    return wait >= 0 ? wait : undefined;
}

;// CONCATENATED MODULE: ./build/adapters/anthropic-request.js
const CACHED = { cache_control: { type: "ephemeral" } };
/**
 * The body of a streaming request. Marks at most three cache breakpoints: after tools and system, where the request
 * before this one ended (a turn may add more blocks than the cache looks back over), and at the end.
 */
function buildBody(request, maxTokens) {
    const { system, tools } = request.prefix;
    return {
        model: request.model,
        max_tokens: maxTokens,
        ...(system === "" ? {} : { system: [{ type: "text", text: system, ...CACHED }] }),
        ...(tools.length === 0 ? {} : { tools: buildTools(request.prefix.tools, system === "") }),
        messages: buildMessages(request.messages),
        stream: true,
    };
}
function buildTools(tools, markLast) {
    return tools.map(({ name, description, inputSchema }, index) => ({
        name,
        description,
        input_schema: { ...inputSchema, type: "object" },
        ...(markLast && index === tools.length - 1 ? CACHED : {}),
    }));
}
function buildMessages(messages) {
    const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
    const marked = new Set([lastAnswer - 1, messages.length - 1]);
    // The blocks are the API's own, unknown kinds included: only the session's narrower type has to be widened.
    return messages.map((message, index) => {
        const sent = withWellFormedText(message);
        return marked.has(index) ? withCacheMark(sent) : sent;
    });
}
/** A copy whose last block that can carry a mark has one; thinking can't. */
function withCacheMark(message) {
    const place = message.content.findLastIndex((block) => MARKABLE.has(block.type));
    if (place < 0)
        return message;
    const content = message.content.map((block, index) => (index === place ? { ...block, ...CACHED } : block));
    return { ...message, content };
}
const MARKABLE = new Set(["text", "tool_use", "tool_result"]);
/** The API refuses a body with half a surrogate pair, and a session would never get past it. */
function withWellFormedText(message) {
    if (message.content.every((block) => wellFormed(block) === block))
        return message;
    return { ...message, content: message.content.map(wellFormed) };
}
function wellFormed(block) {
    if (block.type === "text" && !block.text.isWellFormed()) {
        return { ...block, text: block.text.toWellFormed() };
    }
    if (block.type === "tool_result" && !block.content.isWellFormed()) {
        return { ...block, content: block.content.toWellFormed() };
    }
    return block;
}

;// CONCATENATED MODULE: ./build/adapters/anthropic-stream.js


const STOP_REASONS = new Set([
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
]);
/** A block that was being written when one of these came may be cut. */
const CUTTING = new Set(["max_tokens", "refusal", "model_context_window_exceeded"]);
/** Why an answer can't be used although every byte was received; asking again may help. */
class DamagedReply extends Error {
}
class ReplyCollector {
    /** What is known so far; of a cut answer the only trace of what it cost. */
    usage = (0,session_conversation/* noUsage */.tk)();
    #onText;
    #started;
    #stopReason = null;
    /** By index, which only the server vouches for. */
    #drafts = new Map();
    constructor(onText = () => { }) {
        this.#onText = onText;
    }
    /** Throws DamagedReply for what is no event of the API: a gateway may send anything. */
    add(event) {
        try {
            this.#take(event);
        }
        catch (cause) {
            throw new DamagedReply("an event of the answer can't be read", { cause });
        }
    }
    #take(event) {
        switch (event.type) {
            case "message_start":
                this.#started = event.message;
                this.#count(event.message.usage);
                return;
            case "content_block_start":
                this.#drafts.set(event.index, { block: { ...event.content_block }, json: "" });
                return;
            case "content_block_delta": {
                const draft = this.#drafts.get(event.index);
                if (draft)
                    addDelta(draft, event.delta, this.#onText);
                return;
            }
            case "message_delta":
                this.#stopReason = event.delta.stop_reason;
                this.#count(event.usage);
        }
    }
    /**
     * The whole reply. A tool call that was cut by the end of the answer is left out; no call of an answer that ended so
     * may run. Throws DamagedReply when the stream was cut, and LoopliaError for a stop reason that is not known.
     */
    finish() {
        if (!this.#started || this.#stopReason === null) {
            throw new DamagedReply("the answer broke off before its end");
        }
        const stopReason = this.#stopReason;
        if (!isStopReason(stopReason)) {
            const shown = /^[a-z_]{1,40}$/.test(stopReason) ? `: ${stopReason}` : "";
            throw new build_errors/* LoopliaError */.$K("model-failed", `The answer ended for an unknown reason${shown}.`, {
                modelFailure: "bad-request",
                hint: "Use a newer version of looplia-action, or another model.",
            });
        }
        const content = [...this.#drafts.values()].flatMap((draft) => finishBlock(draft, CUTTING.has(stopReason)));
        const message = { role: "assistant", content };
        return { message, stopReason, usage: { ...this.usage }, model: this.#started.model };
    }
    /** Counters are totals so far: a later one replaces an earlier. */
    #count(usage) {
        const known = this.usage;
        known.inputTokens = countOr(known.inputTokens, usage.input_tokens);
        known.outputTokens = countOr(known.outputTokens, usage.output_tokens);
        known.cacheReadTokens = countOr(known.cacheReadTokens, usage.cache_read_input_tokens);
        known.cacheWriteTokens = countOr(known.cacheWriteTokens, usage.cache_creation_input_tokens);
    }
}
function countOr(known, told) {
    return Number.isSafeInteger(told) && Number(told) >= 0 ? Number(told) : known;
}
function isStopReason(reason) {
    return STOP_REASONS.has(reason);
}
function addDelta(draft, delta, onText) {
    const { block } = draft;
    switch (delta.type) {
        case "text_delta":
            block.text = `${block.text ?? ""}${delta.text}`;
            onText(delta.text);
            return;
        case "thinking_delta":
            block.thinking = `${block.thinking ?? ""}${delta.thinking}`;
            return;
        case "signature_delta":
            block.signature = delta.signature;
            return;
        case "citations_delta":
            block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
            return;
        case "input_json_delta":
            draft.json += delta.partial_json;
    }
}
function finishBlock(draft, mayBeCut) {
    const { block, json } = draft;
    // The API says blank text but refuses to hear it again.
    if (block.type === "text" && String(block.text).trim() === "")
        return [];
    if (json !== "") {
        const input = parseInput(json);
        if (!input && mayBeCut)
            return [];
        if (!input)
            throw new DamagedReply(`the input of the tool call ${block.name} is not a JSON object`);
        block.input = input;
    }
    if (!isWhole(block))
        throw new DamagedReply("a block of the answer is not as the API describes it");
    return [block];
}
function isWhole({ type, text, id, name, input }) {
    if (type === "text")
        return typeof text === "string";
    if (type !== "tool_use")
        return typeof type === "string";
    return typeof id === "string" && typeof name === "string" && typeof input === "object" && input !== null;
}
/** The object in `json`, half surrogate pairs made whole (no request may hold one); undefined when there is none. */
function parseInput(json) {
    try {
        const escaped = /\\u[dD][89a-fA-F]/.test(json) || !json.isWellFormed();
        const input = escaped ? JSON.parse(json, repairText) : JSON.parse(json);
        return typeof input === "object" && input !== null && !Array.isArray(input) ? input : undefined;
    }
    catch {
        return undefined;
    }
}
function repairText(_key, value) {
    return typeof value === "string" ? value.toWellFormed() : value;
}

;// CONCATENATED MODULE: ./build/adapters/price-list.js
// Anthropic's list prices as of November 2026, US dollars per million tokens (platform.claude.com, "Pricing").
// They change: compare with that page, edit the rows and PRICES_AS_OF. A model without a row has no price.
const PRICES_AS_OF = "2026-11";
const PRICES = new Map([
    ["claude-fable-5-2", { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 }],
    ["claude-fable-5-1", { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 }],
    ["claude-mythos-5-1", { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 }],
    ["claude-fable-5", { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }],
    ["claude-mythos-5", { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }],
    ["claude-opus-5-5", { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
    ["claude-opus-5", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ["claude-opus-4-8", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ["claude-opus-4-7", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ["claude-opus-4-6", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ["claude-opus-4-5", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
    ["claude-sonnet-5-5", { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 }],
    ["claude-sonnet-5", { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }],
    ["claude-sonnet-4-6", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
    ["claude-sonnet-4-5", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
    [
        "claude-haiku-5-5",
        {
            ...{ input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
            longFrom: 100_000,
            long: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
        },
    ],
    ["claude-haiku-4-5", { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
]);

;// CONCATENATED MODULE: ./build/adapters/prices.js

/**
 * US dollars for one response, or null when the model is not in the price list: never a guess. A dated snapshot
 * (`-20250929`) costs what its model costs.
 */
function priceOf(model, usage) {
    const price = PRICES.get(model.replace(/-\d{8}$/, ""));
    if (!price)
        return null;
    const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    const isLong = price.longFrom !== undefined && prompt > price.longFrom;
    return cost((isLong ? price.long : undefined) ?? price, usage);
}
function cost(rates, usage) {
    const perMillion = usage.inputTokens * rates.input +
        usage.outputTokens * rates.output +
        usage.cacheReadTokens * rates.cacheRead +
        usage.cacheWriteTokens * rates.cacheWrite;
    return perMillion / 1_000_000;
}

;// CONCATENATED MODULE: ./build/adapters/anthropic.js
// The Messages API as a Model, through the official SDK. One retry loop for refused requests and cut streams alike.







const DEFAULT_ANTHROPIC_MODEL = "claude-sonnet-5-5";
const DEFAULT_BASE_URL = "https://api.anthropic.com";
/** Below what every model of the price list may answer with; thinking counts too. */
const DEFAULT_MAX_TOKENS = 32_000;
/** A longer wait is the run's to decide on: another model, or stopping. */
const LONGEST_WAIT_MS = 60_000;
const LONGEST_BACK_OFF_MS = 8_000;
/**
 * A Model over the Messages API. The SDK starts to load at once, and no request is made. After an answer was cut,
 * `onText` hears the next attempt from its beginning; what the cut one cost is counted in the reply's usage.
 * Throws `config-invalid` for a key or an address that can't be used.
 */
function createAnthropicModel(options) {
    const apiKey = requireKey(options.apiKey);
    const loading = Promise.all(/* import() */[__webpack_require__.e(850), __webpack_require__.e(732)]).then(__webpack_require__.bind(__webpack_require__, 24732));
    loading.catch(() => { }); // Told when it is awaited.
    const { maxRetries = 2, backOffMs = 500, maxTokens = DEFAULT_MAX_TOKENS } = options;
    const endpoint = { apiKey, baseURL: requireAddress(options.baseURL || DEFAULT_BASE_URL) };
    let client;
    return {
        provider: "anthropic",
        priceOf: priceOf,
        async respond(request, asked) {
            const sdk = await loading;
            client ??= createClient(sdk, endpoint, options.headers);
            const body = buildBody(request, maxTokens);
            let spent = (0,session_conversation/* noUsage */.tk)();
            for (let attempt = 1;; attempt += 1) {
                throwIfAborted(asked.signal);
                const collector = new ReplyCollector(asked.onText);
                try {
                    const reply = await streamReply(client, body, collector, asked);
                    return { ...reply, usage: (0,session_conversation/* addUsage */.vk)(spent, reply.usage) };
                }
                catch (thrown) {
                    throwIfAborted(asked.signal);
                    const fault = readFault(sdk, thrown);
                    const wait = fault.waitMs ?? Math.min(backOffMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
                    if (!fault.mayRetry || attempt > maxRetries || wait > LONGEST_WAIT_MS) {
                        throw toModelFailure(fault, { endpoint, model: request.model, attempts: attempt, cause: thrown });
                    }
                    spent = (0,session_conversation/* addUsage */.vk)(spent, collector.usage);
                    await pause(wait, asked.signal);
                }
            }
        },
    };
}
async function streamReply(client, body, collector, { signal }) {
    const events = await client.messages.create(body, { signal });
    for await (const event of events)
        collector.add(event);
    return collector.finish();
}
/** Key and address never come from the environment, and the client writes nothing: standard output is for data. */
function createClient(sdk, endpoint, headers) {
    return new sdk.MessagesClient({
        ...endpoint,
        webhookKey: null,
        maxRetries: 0,
        logLevel: "off",
        openTelemetry: false,
        // What is said to one host is for no other.
        fetchOptions: { redirect: "manual" },
        ...(headers ? { defaultHeaders: headers } : {}),
    });
}
function readFault(sdk, thrown) {
    if (thrown instanceof build_errors/* LoopliaError */.$K)
        throw thrown;
    if (thrown instanceof sdk.APIConnectionError)
        return readNetworkError(thrown);
    if (thrown instanceof sdk.APIError)
        return readApiError(thrown, Date.now());
    if (thrown instanceof DamagedReply || isCutConnection(thrown))
        return readNetworkError(thrown);
    throw thrown;
}
/** How fetch and the SDK's parser tell of a connection lost in mid-stream; any other error is a bug. */
function isCutConnection(thrown) {
    if (thrown instanceof SyntaxError)
        return true;
    return thrown instanceof TypeError && (thrown.message === "terminated" || thrown.cause instanceof Error);
}
async function pause(wait, signal) {
    // Spread out, so that sessions that were refused together don't come back together.
    await (0,external_node_timers_promises_.setTimeout)(wait * (1 + Math.random() / 4), undefined, { signal }).catch(() => throwIfAborted(signal));
}
/** Always an AbortError, whatever reason the signal was given. */
function throwIfAborted(signal) {
    if (!signal.aborted)
        return;
    throw new DOMException("The model request was aborted.", { name: "AbortError", cause: signal.reason });
}
function requireKey(given) {
    const apiKey = given.trim();
    if (/^[\x21-\x7e]+$/.test(apiKey))
        return apiKey;
    const problem = apiKey === "" ? "is empty" : "holds a space, a line break or another character no key has";
    throw new build_errors/* LoopliaError */.$K("config-invalid", `anthropic-api-key ${problem}.`, {
        hint: "Copy the key again from the Anthropic Console, as one line.",
    });
}
/** fetch refuses an address with a user name or password, and would repeat them in its message. */
function requireAddress(baseURL) {
    const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
    const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
    if (url && isHttp && url.username === "" && url.password === "")
        return baseURL;
    throw new build_errors/* LoopliaError */.$K("config-invalid", "anthropic-base-url is not an http(s) address without a login.", {
        hint: "Write it like https://api.anthropic.com; a gateway's own key goes into anthropic-api-key.",
    });
}

;// CONCATENATED MODULE: ./build/adapters/command-environment.js
// What of the process's environment a command gets. A list of exact names: a key can't match it by accident. Pure.
const ALLOWED = new Set([
    "PATH HOME USER LOGNAME SHELL TMPDIR TZ TERM CI NO_COLOR LANG LANGUAGE",
    "LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME",
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR",
]
    .join(" ")
    .split(" "));
/** The variables that commands may see: never a key, a token, or one of the runner's or the project's own. */
function commandEnvironment(environment) {
    const allowed = Object.entries(environment).filter((entry) => ALLOWED.has(entry[0]) && entry[1] !== undefined);
    return Object.fromEntries(allowed);
}

;// CONCATENATED MODULE: ./build/adapters/installed-files.js
// The files that the program is installed with: prompts and pipelines.



/** The program's own files: nobody else writes there, so they are read straight, without a look at links. */
function installedFolder(root) {
    const orNothing = (look) => {
        try {
            return look();
        }
        catch (error) {
            if (["ENOENT", "ENOTDIR", "EISDIR"].includes((0,pinned_files/* codeOf */.$N)(error) ?? ""))
                return undefined;
            throw error;
        }
    };
    // Synchronous: many small reads in a row, which the pool of threads would only slow down.
    return {
        label: "",
        read: async (path) => orNothing(() => (0,external_node_fs_.readFileSync)((0,external_node_path_.join)(root, path), "utf8")),
        list: async (folder) => orNothing(() => (0,external_node_fs_.readdirSync)((0,external_node_path_.join)(root, folder)))?.sort() ?? [],
    };
}

;// CONCATENATED MODULE: ./build/adapters/log-files.js
// A log of what happens in a run, for people and `tail`: `logs/<timestamp>-<pid>.jsonl`. Derived and never read back.


const FLUSH_MS = 250;
const FLUSH_CHARACTERS = 64 * 1024;
/** A log in `folder`, which is made with the first line; nothing happens, no file. */
function openRunLog(options) {
    const { folder, clock, pid } = options;
    const path = (0,external_node_path_.join)(folder, `${clock.now().toISOString().replaceAll(/[:.]/g, "-")}-${pid}.jsonl`);
    let waiting = "";
    let seq = 0;
    let timer;
    let written = Promise.resolve();
    const flush = () => {
        clearTimeout(timer);
        timer = undefined;
        if (waiting === "")
            return;
        const text = waiting;
        waiting = "";
        written = written.then(() => appendTo(folder, path, text));
    };
    const add = (type, payload) => {
        seq += 1;
        waiting += `${JSON.stringify({ v: 1, seq, at: clock.now().toISOString(), type, payload })}\n`;
        if (waiting.length >= FLUSH_CHARACTERS)
            flush();
        else
            timer ??= setTimeout(flush, FLUSH_MS).unref();
    };
    return {
        path,
        observe(event) {
            const line = lineOf(event);
            if (line)
                add(line.type, line.payload);
        },
        error: (error) => add("error", error),
        close() {
            flush();
            return written;
        },
    };
}
async function appendTo(folder, path, text) {
    try {
        await (0,promises_.mkdir)(folder, { recursive: true });
        await (0,promises_.appendFile)(path, text);
    }
    catch {
        // What counts stands in the stores: a run does not fail for its log.
    }
}
/** Deltas of text come again as a whole message, starts of tools as their ends. */
function lineOf(event) {
    switch (event.type) {
        case "text":
        case "tool-started":
            return undefined;
        case "message":
            return { type: "assistant_message", payload: payloadOf(event) };
        case "tool-ended":
            return { type: event.toolName === "runCommand" ? "command" : "tool", payload: payloadOf(event) };
        case "usage":
            return { type: "usage", payload: payloadOf(event) };
        case "validation-failed":
            return { type: "error", payload: validationError(event) };
        case "notice":
            return { type: event.level === "error" ? "error" : "progress", payload: noticePayload(event) };
        default:
            return { type: "progress", payload: { event: event.type, ...payloadOf(event) } };
    }
}
function payloadOf(event) {
    const { type: _, ...payload } = event;
    return payload;
}
function validationError(event) {
    return {
        sessionId: event.sessionId,
        output: event.output,
        code: "invalid-artifact",
        message: `The artifact of ${event.output} is not valid.`,
        recoverable: event.recoverable,
        retryHint: event.hint,
        validationErrors: event.errors,
        artifact: event.artifact,
    };
}
function noticePayload(event) {
    if (event.level !== "error")
        return { event: "notice", ...payloadOf(event) };
    const { message, sessionId } = event;
    return { code: "notice", message, recoverable: false, ...(sessionId === undefined ? {} : { sessionId }) };
}

;// CONCATENATED MODULE: ./build/adapters/durable-file.js
// Files that are whole or not there at all: written beside, synced, then given their name.




const LEFTOVER = /^\..+\.[0-9a-f]{8}\.looplia-new$/;
/**
 * Creates `path` by link(2), durable when it resolves, and returns its handle, ready to append.
 * Undefined when the file is there already: then nothing is changed.
 */
async function createOpenFile(path, bytes) {
    const { handle, draft } = await writeDraft(path, bytes);
    const refused = await linkDraft(draft, path).catch(async (error) => {
        await handle.close();
        throw error;
    });
    if (refused === undefined) {
        await syncFolder((0,external_node_path_.dirname)(path));
        return handle;
    }
    await handle.close();
    if (refused === "EEXIST")
        return undefined;
    // Somebody took the draft for a dead process's leftover.
    return createOpenFile(path, bytes);
}
/** As `createOpenFile`; false when the file is there already. */
async function createFile(path, bytes) {
    if (await exists(path))
        return false;
    const handle = await createOpenFile(path, bytes);
    await handle?.close();
    return handle !== undefined;
}
/** As `createFile`, but a power cut may undo it. */
async function createPassingFile(path, bytes) {
    const draft = draftOf(path);
    await (0,promises_.writeFile)(draft, bytes, { flag: "wx" }).catch((error) => {
        throw diskError(error, path);
    });
    return (await linkDraft(draft, path)) === undefined;
}
/** Replaces a file by rename(2); durable when it resolves. */
async function replaceFile(path, bytes) {
    const { handle, draft } = await writeDraft(path, bytes);
    await handle.close();
    await (0,promises_.rename)(draft, path);
    await syncFolder((0,external_node_path_.dirname)(path));
}
/** Removes a file; durable when it resolves. */
async function removeFile(path) {
    await (0,promises_.unlink)(path);
    await syncFolder((0,external_node_path_.dirname)(path));
}
/** Creates a folder and those above it; durable when it resolves. */
async function makeFolder(folder) {
    const first = await (0,promises_.mkdir)(folder, { recursive: true }).catch((error) => {
        throw diskError(error, folder);
    });
    if (first === undefined)
        return;
    for (let made = folder; made.length >= first.length; made = (0,external_node_path_.dirname)(made))
        await syncFolder((0,external_node_path_.dirname)(made));
}
/** Removes drafts that a killed process left; a live one whose draft is taken writes it again. */
async function removeLeftovers(folder) {
    for (const name of await namesIn(folder))
        if (LEFTOVER.test(name))
            await discard((0,external_node_path_.join)(folder, name));
}
/** All of a file's bytes. */
async function readWhole(path) {
    return (0,promises_.readFile)(path).catch((error) => {
        throw diskError(error, path);
    });
}
/** The names in a folder, sorted; none when it is missing. */
async function namesIn(folder) {
    try {
        return (await (0,promises_.readdir)(folder)).sort();
    }
    catch (error) {
        if (errnoOf(error) === "ENOENT")
            return [];
        throw diskError(error, folder);
    }
}
/** The code of a system error, or undefined. */
function errnoOf(error) {
    return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
/** What the disk refused, as an error that says what to do; anything else comes back as it was. */
function diskError(error, path) {
    const code = errnoOf(error);
    const reason = code === undefined ? undefined : DISK_REASONS.get(code);
    if (!reason)
        return error;
    return new build_errors/* LoopliaError */.$K(reason.code, `Cannot use ${path}: ${reason.text} (${code}).`, {
        hint: reason.hint,
        cause: error,
    });
}
const ELSEWHERE = "Make the folder writable, or set LOOPLIA_STATE_DIR to one that is.";
const NO_LINKS = {
    code: "config-invalid",
    text: "the file system has no hard links or forbids the change",
    hint: "Set LOOPLIA_STATE_DIR to a folder on a local disk.",
};
const DISK_REASONS = new Map([
    ["EACCES", { code: "config-invalid", text: "permission denied", hint: ELSEWHERE }],
    ["EROFS", { code: "config-invalid", text: "the file system is read-only", hint: ELSEWHERE }],
    ["ENOTDIR", { code: "config-invalid", text: "a part of the path is a file", hint: ELSEWHERE }],
    ["EEXIST", { code: "config-invalid", text: "a file has the name of a folder", hint: ELSEWHERE }],
    [
        "EISDIR",
        {
            code: "store-corrupt",
            text: "a folder has the name of a file",
            hint: "Move it away, or restore the file from a copy.",
        },
    ],
    ["EPERM", NO_LINKS],
    ["ENOTSUP", NO_LINKS],
    ["ENOSPC", { code: "host-failed", text: "the disk is full", hint: "Free some space and run again." }],
    [
        "EDQUOT",
        { code: "host-failed", text: "the disk quota is used up", hint: "Free some space and run again." },
    ],
]);
async function writeDraft(path, bytes) {
    const draft = draftOf(path);
    const handle = await (0,promises_.open)(draft, "wx").catch((error) => {
        throw diskError(error, path);
    });
    try {
        await handle.writeFile(bytes);
        await handle.datasync();
        return { handle, draft };
    }
    catch (error) {
        await handle.close();
        await discard(draft);
        throw diskError(error, path);
    }
}
function draftOf(path) {
    return (0,external_node_path_.join)((0,external_node_path_.dirname)(path), `.${(0,external_node_path_.basename)(path)}.${(0,external_node_crypto_.randomBytes)(4).toString("hex")}.looplia-new`);
}
/** Undefined when linked; else why not: the name is taken, or the draft is gone. */
async function linkDraft(draft, path) {
    try {
        await (0,promises_.link)(draft, path);
        return undefined;
    }
    catch (error) {
        const code = errnoOf(error);
        if (code === "EEXIST" || code === "ENOENT")
            return code;
        throw diskError(error, path);
    }
    finally {
        await discard(draft);
    }
}
async function discard(path) {
    await (0,promises_.unlink)(path).catch((error) => {
        if (errnoOf(error) !== "ENOENT")
            throw error;
    });
}
async function exists(path) {
    return (0,promises_.access)(path).then(() => true, () => false);
}
async function syncFolder(folder) {
    const handle = await (0,promises_.open)(folder, "r");
    try {
        await handle.sync();
    }
    finally {
        await handle.close();
    }
}

;// CONCATENATED MODULE: ./build/adapters/store-find.js
// Finds the work that a session or an interaction belongs to, by looking; takes no lock and changes nothing.



/** The work whose folder holds the session, or undefined. */
async function store_find_findSessionWork(stateFolder, sessionId) {
    if (!/^[a-z0-9][a-z0-9-]{0,80}$/.test(sessionId))
        return undefined;
    for (const workId of await namesIn(stateFolder)) {
        if (await isFolder((0,external_node_path_.join)(stateFolder, workId, "sessions", sessionId)))
            return workId;
    }
    return undefined;
}
/**
 * The session that raised an interaction, by interaction id or short id; an exact interaction id wins. A store that
 * can't be read hides no other's.
 */
async function store_find_findInteraction(stateFolder, id) {
    let byShortId;
    const failures = [];
    for await (const { workId, sessionId, request } of requestsIn(stateFolder, id, failures)) {
        const found = { workId, sessionId, interactionId: String(request.interactionId) };
        if (found.interactionId === id)
            return found;
        if (request.shortId === id)
            byShortId ??= found;
    }
    if (!byShortId && failures.length > 0)
        throw failures[0];
    return byShortId;
}
/** Requests on a line that holds `id`; the text is searched first, since parsing all of it would be slow. */
async function* requestsIn(stateFolder, id, failures) {
    const needle = JSON.stringify(id);
    for (const workId of await namesIn(stateFolder)) {
        const sessions = (0,external_node_path_.join)(stateFolder, workId, "sessions");
        if (!(await isFolder(sessions)))
            continue;
        for (const sessionId of await namesIn(sessions)) {
            const events = (0,external_node_path_.join)(sessions, sessionId, "events");
            if (!(await isFolder(events)))
                continue;
            for (const name of await namesIn(events)) {
                const text = await readWhole((0,external_node_path_.join)(events, name)).then(String, (error) => {
                    failures.push(error);
                    return "";
                });
                if (!text.includes(needle))
                    continue;
                for (const line of text.split("\n")) {
                    const request = line.includes(needle) ? requestOf(line) : undefined;
                    if (request)
                        yield { workId, sessionId, request };
                }
            }
        }
    }
}
function requestOf(line) {
    try {
        const { type, payload } = JSON.parse(line);
        if (type !== "UserInteractionRequested" || typeof payload !== "object" || payload === null)
            return undefined;
        return payload;
    }
    catch {
        // A torn line was never shown to anybody: opening the session tells of it.
        return undefined;
    }
}
async function isFolder(path) {
    return (0,promises_.stat)(path).then((found) => found.isDirectory(), () => false);
}

;// CONCATENATED MODULE: ./build/adapters/store-frozen.js
// The exact bytes that conversations began with, each under its own SHA-256.





function openFrozenFiles(folder) {
    return {
        async freeze(bytes) {
            const sha256 = hashOf(bytes);
            await makeFolder(folder);
            await createFile((0,external_node_path_.join)(folder, sha256), bytes);
            return sha256;
        },
        async read(sha256) {
            if (!/^[0-9a-f]{64}$/.test(sha256))
                throw corrupt(sha256, "no SHA-256");
            const path = (0,external_node_path_.join)(folder, sha256);
            const bytes = await (0,promises_.readFile)(path).catch((error) => {
                if (errnoOf(error) === "ENOENT")
                    throw corrupt(path, "the file is missing");
                throw diskError(error, path);
            });
            if (hashOf(bytes) !== sha256)
                throw corrupt(path, "the bytes were changed");
            return bytes.toString("utf8");
        },
    };
}
function hashOf(bytes) {
    return (0,external_node_crypto_.createHash)("sha256").update(bytes).digest("hex");
}
function corrupt(path, reason) {
    return new build_errors/* LoopliaError */.$K("store-corrupt", `${path}: ${reason}; a conversation cannot go on without it.`, {
        hint: "Restore the file from a copy, or begin a fresh session.",
    });
}

;// CONCATENATED MODULE: ./build/adapters/store-lock.js
// One live process a work. Locks are numbered, and the highest number counts: a lock file `000007` names its owner,
// `000007.free` was given back. The next owner links the next number; the highest is never removed, so no two win.




/** Takes the lock of a work; a dead owner's is taken over. Fails with `busy`, naming the owner's pid. */
async function takeLock(workFolder) {
    const folder = (0,external_node_path_.join)(workFolder, "lock");
    await makeFolder(folder);
    const owner = JSON.stringify({ pid: process.pid, startedAt: await startOf(process.pid) });
    for (;;) {
        const last = (await entriesOf(folder)).at(-1);
        const holder = last && !last.isFree ? await readOwner((0,external_node_path_.join)(folder, last.name)) : undefined;
        if (holder === "gone")
            continue;
        if (holder && (await isAlive(holder)))
            throw busyError(holder.pid);
        const number = (last?.number ?? 0) + 1;
        const name = String(number).padStart(6, "0");
        if ((await createPassingFile((0,external_node_path_.join)(folder, name), owner)) && (await keepIfHighest(folder, name, number))) {
            return { release: () => (0,promises_.rename)((0,external_node_path_.join)(folder, name), (0,external_node_path_.join)(folder, `${name}.free`)) };
        }
    }
}
/** A slow taker may have linked a number that was used and cleaned up meanwhile: it gives way. */
async function keepIfHighest(folder, name, number) {
    const others = (await entriesOf(folder)).filter((entry) => entry.name !== name);
    if (others.some((entry) => entry.number >= number)) {
        await (0,promises_.unlink)((0,external_node_path_.join)(folder, name)).catch(ignoreMissing);
        return false;
    }
    for (const entry of others)
        await (0,promises_.unlink)((0,external_node_path_.join)(folder, entry.name)).catch(ignoreMissing);
    await removeLeftovers(folder);
    return true;
}
async function entriesOf(folder) {
    const entries = [];
    for (const name of await namesIn(folder)) {
        const match = /^(\d{6,})(\.free)?$/.exec(name);
        if (match)
            entries.push({ name, number: Number(match[1]), isFree: match[2] !== undefined });
    }
    return entries.sort((a, b) => a.number - b.number || Number(a.isFree) - Number(b.isFree));
}
/** `gone` when it was given back just now. A file that names no owner is damaged, and nobody's. */
async function readOwner(path) {
    try {
        const owner = JSON.parse(await (0,promises_.readFile)(path, "utf8"));
        return isOwner(owner) ? owner : undefined;
    }
    catch (error) {
        if (errnoOf(error) === "ENOENT")
            return "gone";
        if (error instanceof SyntaxError)
            return undefined;
        throw error;
    }
}
function isOwner(value) {
    return typeof value === "object" && value !== null && "pid" in value && Number.isSafeInteger(value.pid);
}
async function isAlive(owner) {
    try {
        process.kill(owner.pid, 0);
    }
    catch (error) {
        if (errnoOf(error) === "ESRCH")
            return false;
    }
    // The number may be another process's by now, or a dead one's that nobody has waited for.
    const start = await startOf(owner.pid);
    return start === null || (start !== "dead" && (owner.startedAt === null || start === owner.startedAt));
}
/** Start of a process in ticks since boot (proc(5), stat field 22), `dead` for a zombie, null where it can't be read. */
async function startOf(pid) {
    const stat = await (0,promises_.readFile)(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    if (stat === undefined)
        return null;
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "dead" : (fields[19] ?? null);
}
function busyError(pid) {
    const who = pid === process.pid ? `this process (pid ${pid})` : `another looplia (pid ${pid})`;
    return new build_errors/* LoopliaError */.$K("busy", `This work is in use by ${who}.`, {
        hint: `Wait until it has ended, or end it: kill ${pid}.`,
    });
}
function ignoreMissing(error) {
    if (errnoOf(error) !== "ENOENT")
        throw error;
}

;// CONCATENATED MODULE: ./node_modules/canonicalize/lib/canonicalize.js
function serializeString (value) {
  if (!value.isWellFormed()) {
    throw new Error('Lone surrogate is not allowed');
  }
  return JSON.stringify(value);
}

function serializePrimitive (value) {
  switch (typeof value) {
    case 'number':
      if (isNaN(value)) {
        throw new Error('NaN is not allowed');
      }
      if (!isFinite(value)) {
        throw new Error('Infinity is not allowed');
      }
      // For finite numbers String(value) would give identical output, but
      // JSON.stringify benchmarks faster on V8.
      return JSON.stringify(value);
    case 'string':
      return serializeString(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      // null, or values JSON.stringify maps to undefined (undefined,
      // functions, symbols).
      return JSON.stringify(value);
  }
}

// Resolves a value to either its serialized primitive form (a string — or
// undefined, for values JSON.stringify drops) or a frame describing the
// container to descend into. Callers distinguish the two cases with
// `typeof result !== 'object'`.
//
// toJSON results are unwrapped here, and the wrapper objects stay in `seen`
// until the resolved subtree is fully serialized, so cycles introduced via
// toJSON are still detected.
function enterValue (value, seen) {
  let wrappers = null;
  while (value !== null && typeof value === 'object' && typeof value.toJSON === 'function') {
    if (seen.has(value)) {
      throw new Error('Circular reference detected');
    }
    seen.add(value);
    (wrappers ??= []).push(value);
    value = value.toJSON();
  }

  // Boxed Number/String/Boolean objects serialize as their primitive values,
  // mirroring how JSON.stringify treats them.
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    value = value.valueOf();
  }

  if (value === null || typeof value !== 'object') {
    if (wrappers !== null) {
      for (const wrapper of wrappers) seen.delete(wrapper);
    }
    return serializePrimitive(value);
  }

  if (seen.has(value)) {
    throw new Error('Circular reference detected');
  }
  seen.add(value);

  return {
    container: value,
    // null marks an array frame; object frames carry their sorted keys.
    // `sort()`'s default comparator orders by UTF-16 code unit, which is the
    // order JCS requires.
    keys: Array.isArray(value) ? null : Object.keys(value).sort(),
    // Next child to serialize; the frame resumes here after a nested
    // container's subtree completes.
    index: 0,
    // Whether no member has been emitted yet (controls comma placement).
    first: true,
    // toJSON wrappers to release from `seen` when this frame completes.
    wrappers
  };
}

function canonicalize_canonicalize (object) {
  if (object === null || typeof object !== 'object') {
    return serializePrimitive(object);
  }

  const seen = new Set();
  const root = enterValue(object, seen);
  if (typeof root !== 'object') {
    // A toJSON chain resolved the input to a primitive.
    return root;
  }

  let result = root.keys === null ? '[' : '{';
  const stack = [root];

  // Depth-first serialization with an explicit stack instead of recursion, so
  // nesting depth is bounded by heap size rather than call-stack size. The top
  // frame is the container currently being serialized: primitive children are
  // appended inline, while a nested container pushes a new frame and jumps
  // back to the outer loop. Because frame.index was already advanced, the
  // parent resumes at its next child once the subtree is done. Opening
  // brackets are emitted when a frame is pushed, closing brackets when it
  // completes.
  outer:
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const container = frame.container;

    // keys === null marks an array frame; otherwise keys holds the object's
    // sorted property names. Either way the iteration counter lives on the
    // frame itself (frame.index), so when a frame is resumed after a nested
    // container completes, the while condition continues at the first
    // unserialized child instead of restarting from the beginning.
    if (frame.keys === null) {
      while (frame.index < container.length) {
        const i = frame.index++;
        if (i > 0) {
          result += ',';
        }
        const element = container[i];
        // Inside arrays, JSON.stringify serializes values with no JSON
        // representation (undefined, symbols, functions) as null.
        const value = element === undefined || typeof element === 'symbol' || typeof element === 'function' ? null : element;
        if (value === null || typeof value !== 'object') {
          result += serializePrimitive(value);
          continue;
        }
        const child = enterValue(value, seen);
        if (typeof child !== 'object') {
          // A toJSON chain resolved the child to an already-serialized
          // primitive — or, when child is undefined, to a value with no JSON
          // representation, which becomes null inside arrays.
          result += child === undefined ? 'null' : child;
          continue;
        }
        result += child.keys === null ? '[' : '{';
        stack.push(child);
        continue outer;
      }
      result += ']';
    } else {
      const keys = frame.keys;
      while (frame.index < keys.length) {
        const key = keys[frame.index++];
        const value = container[key];
        // Inside objects, JSON.stringify omits properties whose value has no
        // JSON representation (undefined, symbols, functions).
        if (value === undefined || typeof value === 'symbol' || typeof value === 'function') {
          continue;
        }
        if (value === null || typeof value !== 'object') {
          // Commas are tracked with a flag rather than the key index: a
          // skipped key must not leave a stray comma behind.
          if (frame.first) {
            frame.first = false;
          } else {
            result += ',';
          }
          result += serializeString(key) + ':' + serializePrimitive(value);
          continue;
        }
        // The child must be resolved before the key is emitted: a toJSON
        // returning a value with no JSON representation drops the whole
        // property.
        const child = enterValue(value, seen);
        if (child === undefined) {
          continue;
        }
        if (frame.first) {
          frame.first = false;
        } else {
          result += ',';
        }
        result += serializeString(key) + ':';
        if (typeof child !== 'object') {
          result += child;
          continue;
        }
        result += child.keys === null ? '[' : '{';
        stack.push(child);
        continue outer;
      }
      result += '}';
    }

    // Frame complete. The container leaves `seen` so that a later, sibling
    // reference to the same object is not mistaken for a cycle.
    seen.delete(container);
    if (frame.wrappers !== null) {
      for (const wrapper of frame.wrappers) seen.delete(wrapper);
    }
    stack.pop();
  }

  return result;
}

;// CONCATENATED MODULE: ./build/session/audit.js
// The audit log's hash chain: each line names the one before, so that a change, removal or reordering shows.


/** What the first line names as the one before it. */
const FIRST_PREV = "0".repeat(64);
/**
 * The line with `prev` and `hash`. Lone surrogates in its strings become U+FFFD, for RFC 8785 has no form for them.
 * Fails where JSON does (cycles, BigInt).
 */
function chainLine(line, prev) {
    const plain = toPlainJson({ ...line, prev });
    return { ...plain, hash: hashLine(plain) };
}
/** SHA-256 (hex) over the RFC 8785 form of a stored line without its `hash`. */
function hashLine(line) {
    const { hash: _, ...unsigned } = line;
    return (0,external_node_crypto_.createHash)("sha256")
        .update(canonicalize_canonicalize(unsigned) ?? "")
        .digest("hex");
}
/** Checks a whole chain, oldest line first; says the first line (from 0) that does not fit. Never throws. */
function verifyChain(lines, firstPrev = FIRST_PREV) {
    let head = firstPrev;
    for (const [index, line] of lines.entries()) {
        const reason = faultOf(line, head);
        if (reason !== undefined)
            return { ok: false, index, reason };
        head = line.hash ?? head;
    }
    return { ok: true, count: lines.length, head };
}
function faultOf(line, prev) {
    if (typeof line.hash !== "string")
        return "the line has no hash";
    if (line.prev !== prev)
        return "the line does not follow the one before it";
    try {
        return hashLine(line) === line.hash ? undefined : "the line was changed";
    }
    catch {
        return "the line has no canonical form";
    }
}
function toPlainJson(value) {
    return JSON.parse(JSON.stringify(value), (_, item) => {
        if (typeof item === "string")
            return item.toWellFormed();
        return isPlain(item) && Object.keys(item).some((key) => !key.isWellFormed())
            ? withWellFormedKeys(item)
            : item;
    });
}
function isPlain(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function withWellFormedKeys(item) {
    return Object.fromEntries(Object.entries(item).map(([key, value]) => [key.toWellFormed(), value]));
}

;// CONCATENATED MODULE: ./build/session/codec.js

const VERSION = 1;
let shapes;
/** One line of the store, with its line feed. */
function encodeLine(line) {
    return `${JSON.stringify(line)}\n`;
}
/** Loads the shapes that lines are checked by: a new session has no lines and needs none. */
async function loadLineDecoder() {
    shapes ??= Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(340)]).then(__webpack_require__.bind(__webpack_require__, 24340)).then(({ makeLineShapes }) => makeLineShapes());
    const known = await shapes;
    return (store, text, place) => decodeLine(known, store, text, place);
}
function decodeLine(shapes, store, text, place) {
    const parsed = parseObject(text);
    if (!parsed)
        return undefined;
    checkVersion(parsed, place);
    checkShape(store === "audit" ? shapes.auditFrame : shapes.frame, parsed, place);
    const line = parsed;
    if (store === "audit")
        return line;
    const payload = shapes[store].get(line.type);
    if (!payload) {
        throw new build_errors/* LoopliaError */.$K("store-corrupt", `${place}: unknown line type ${JSON.stringify(line.type)}.`, {
            hint: "A newer looplia wrote it. Go on with that version.",
        });
    }
    checkShape(payload, line.payload, place);
    return line;
}
/** A decoded line of the events store. */
function toEvent(line) {
    return { store: "events", type: line.type, payload: line.payload };
}
/** A decoded line of the conversation store. */
function toConversationLine(line) {
    return { store: "conversation", type: line.type, payload: line.payload };
}
function parseObject(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === "object" && value !== null && !Array.isArray(value)
            ? value
            : undefined;
    }
    catch {
        return undefined;
    }
}
function checkVersion(line, place) {
    const version = line.v;
    if (version === VERSION)
        return;
    if (typeof version === "number" && version > VERSION) {
        throw new build_errors/* LoopliaError */.$K("store-corrupt", `${place}: written by a newer version (line format ${version}, this looplia reads ${VERSION}).`, { hint: "Go on with the newer looplia." });
    }
    throw new build_errors/* LoopliaError */.$K("store-corrupt", `${place}: no store line (\`v\` is missing or not ${VERSION}).`, {
        hint: RESTORE,
    });
}
function checkShape(schema, value, place) {
    const result = schema.safeParse(value);
    if (result.success)
        return;
    const issue = result.error.issues[0];
    const field = issue?.path.join(".") || "the line";
    throw new build_errors/* LoopliaError */.$K("store-corrupt", `${place}: ${field}: ${issue?.message ?? "wrong shape"}.`, {
        hint: RESTORE,
    });
}
const RESTORE = "Restore the file from a copy, or begin a fresh session; nothing was changed.";

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./build/adapters/store-scan.js
// Reads a session's three stores and tells which lines count: the longest prefix of `seq` without a gap.
// Changes nothing on disk.






const STORES = ["events", "conversation", "audit"];
/**
 * Scans `sessions/<id>`; a missing folder is an empty session. Fails with `store-corrupt`, naming file and line, for
 * damage that no crash leaves: before a segment's last line, in a segment that has a successor, a segment or
 * number that is missing, doubled or out of order.
 */
async function scanSession(folder) {
    const segments = [];
    const counts = { events: 0, conversation: 0, audit: 0 };
    for (const store of STORES) {
        const found = await readSegments(folder, store);
        counts[store] = found.length;
        segments.push(...found);
    }
    const seq = lastWithoutGap(segments);
    return { ...collectLines(segments, seq), seq, segments: counts, cuts: findCuts(segments, seq) };
}
/** A copy of a session's lines for those who only look: never waits, never mends. */
async function readSession(workFolder, sessionId) {
    const { events, conversation } = await scanSession(join(workFolder, "sessions", sessionId));
    return { events, conversation, setAside: [] };
}
function segmentName(number) {
    return `${String(number).padStart(6, "0")}.jsonl`;
}
async function readSegments(folder, store) {
    const names = (await namesIn((0,external_node_path_.join)(folder, store))).filter((name) => /^\d{6}\.jsonl$/.test(name));
    if (names.length === 0)
        return [];
    const decodeLine = await loadLineDecoder();
    const segments = [];
    for (const [index, name] of names.entries()) {
        const path = (0,external_node_path_.join)(folder, store, name);
        if (name !== segmentName(index + 1)) {
            throw store_scan_corrupt(`${(0,external_node_path_.join)(folder, store, segmentName(index + 1))}: the segment is missing.`);
        }
        const segment = splitSegment(await readWhole(path), { store, name, path, decodeLine });
        if (segment.tornAt !== undefined && index < names.length - 1) {
            throw store_scan_corrupt(`${path}:${segment.lines.length + 1}: damaged line, and a later segment follows it.`);
        }
        segments.push(segment);
    }
    return segments;
}
function splitSegment(bytes, { store, name, path, decodeLine }) {
    const segment = { store, name, size: bytes.length, lines: [], tornAt: undefined };
    for (let offset = 0; offset < bytes.length;) {
        const feed = bytes.indexOf(10, offset);
        const end = feed < 0 ? bytes.length : feed;
        const slice = bytes.subarray(offset, end);
        const place = `${path}:${segment.lines.length + 1}`;
        const stored = (0,external_node_buffer_.isUtf8)(slice) ? decodeLine(store, slice.toString("utf8"), place) : undefined;
        // The program never reads what audit says: its payloads need no memory.
        if (stored)
            segment.lines.push({ stored: store === "audit" ? { ...stored, payload: null } : stored, offset });
        else if (end >= bytes.length - 1)
            segment.tornAt = offset;
        else
            throw store_scan_corrupt(`${place}: damaged line before the end of its segment.`);
        offset = end + 1;
    }
    return segment;
}
function lastWithoutGap(segments) {
    const seen = new Map();
    const newest = new Map();
    for (const segment of segments) {
        for (const { stored } of segment.lines) {
            const other = seen.get(stored.seq);
            const place = `${segment.store}/${segment.name}`;
            if (other)
                throw store_scan_corrupt(`${place}: line ${stored.seq} stands in ${other.store}/${other.name} as well.`);
            if (stored.seq < (newest.get(segment.store) ?? 0)) {
                throw store_scan_corrupt(`${place}: line ${stored.seq} is out of order.`);
            }
            seen.set(stored.seq, segment);
            newest.set(segment.store, stored.seq);
        }
    }
    let last = 0;
    while (seen.has(last + 1))
        last += 1;
    return last;
}
function collectLines(segments, seq) {
    const counted = (store) => segments
        .filter((segment) => segment.store === store)
        .flatMap((segment) => segment.lines.map((line) => line.stored))
        .filter((line) => line.seq <= seq);
    return {
        events: counted("events").map(toEvent),
        conversation: counted("conversation").map(toConversationLine),
        auditHead: counted("audit").at(-1)?.hash ?? FIRST_PREV,
    };
}
function findCuts(segments, seq) {
    const cuts = [];
    for (const { store, name, lines, tornAt } of segments) {
        const behind = lines.filter((line) => line.stored.seq > seq);
        const offset = behind[0]?.offset ?? tornAt;
        if (offset === undefined)
            continue;
        cuts.unshift({ store, name, offset, lines: behind.length + (tornAt === undefined ? 0 : 1) });
    }
    return cuts;
}
function store_scan_corrupt(message) {
    return new build_errors/* LoopliaError */.$K("store-corrupt", message, {
        hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
    });
}

;// CONCATENATED MODULE: ./build/adapters/store-session.js
// The stores of one session on the local disk, open for this process alone.







const SET_ASIDE = "set-aside";
/** Opens `sessions/<id>` and sets aside what does not count. The caller holds the work's lock. */
async function openSession(sessionId, folder, frozen, clock, whenClosed) {
    const scan = await scanSession(folder);
    for (const name of [...STORES, SET_ASIDE])
        await removeLeftovers((0,external_node_path_.join)(folder, name));
    const setAside = [];
    for (const cut of scan.cuts)
        setAside.push(await setAsideCut(folder, cut, scan, clock));
    return new FileSessionStore(sessionId, folder, scan, setAside, { frozen, clock, whenClosed });
}
/** Keeps a copy beside the stores, then cuts the segment; done again after a crash, it ends the same. */
async function setAsideCut(folder, cut, scan, clock) {
    const path = (0,external_node_path_.join)(folder, cut.store, cut.name);
    const bytes = await (0,promises_.readFile)(path);
    await makeFolder((0,external_node_path_.join)(folder, SET_ASIDE));
    const time = clock.now().toISOString().replaceAll(/[:.]/g, "-");
    const stem = `${cut.store}-${cut.name.replace(".jsonl", "")}-${time}`;
    let name = `${stem}.jsonl`;
    for (let copy = 2; !(await createFile((0,external_node_path_.join)(folder, SET_ASIDE, name), bytes.subarray(cut.offset))); copy += 1) {
        name = `${stem}-${copy}.jsonl`;
    }
    if (cut.offset > 0)
        await replaceFile(path, bytes.subarray(0, cut.offset));
    else {
        await removeFile(path);
        scan.segments[cut.store] -= 1;
    }
    const lines = cut.lines === 1 ? "1 line" : `${cut.lines} lines`;
    return `${lines} at the end of ${cut.store}/${cut.name}, torn or behind a gap, set aside in ${SET_ASIDE}/${name}.`;
}
class FileSessionStore {
    sessionId;
    #folder;
    #around;
    #setAside;
    #segments;
    #handles = new Map();
    #loaded;
    #seq;
    #auditHead;
    #queue = Promise.resolve();
    /** Once a write failed nobody knows what stands on disk: only opening again finds out. */
    #broken;
    #isClosed = false;
    constructor(sessionId, folder, scan, setAside, around) {
        this.sessionId = sessionId;
        this.#folder = folder;
        this.#around = around;
        this.#setAside = setAside;
        this.#segments = scan.segments;
        this.#seq = scan.seq;
        this.#auditHead = scan.auditHead;
        this.#loaded = { events: scan.events, conversation: scan.conversation, setAside };
    }
    /** What is durable. The first call hands over what opening read, later ones read again. */
    async load() {
        const loaded = this.#loaded;
        this.#loaded = undefined;
        if (loaded)
            return loaded;
        await this.#queue;
        const { events, conversation } = await scanSession(this.#folder);
        return { events, conversation, setAside: this.#setAside };
    }
    async append(lines) {
        if (this.#isClosed)
            throw new Error(`The stores of session ${this.sessionId} are closed.`);
        const groups = this.#encode(lines);
        if (groups.length === 0)
            return;
        this.#loaded = undefined;
        const written = this.#queue.then(() => this.#write(groups));
        this.#queue = written.catch(() => undefined);
        return written;
    }
    freeze(bytes) {
        return this.#around.frozen.freeze(bytes);
    }
    readFrozen(sha256) {
        return this.#around.frozen.read(sha256);
    }
    async close() {
        if (this.#isClosed)
            return;
        this.#isClosed = true;
        await this.#queue;
        for (const handle of this.#handles.values())
            await handle.close();
        this.#around.whenClosed();
    }
    /** Numbers the lines at once, so that calls count in the order they were made; neighbours of one store are a write. */
    #encode(lines) {
        const at = this.#around.clock.now().toISOString();
        const groups = [];
        let seq = this.#seq;
        let auditHead = this.#auditHead;
        for (const { store, type, payload } of lines) {
            seq += 1;
            let stored = { v: 1, seq, at, type, payload };
            if (store === "audit") {
                const chained = chainLine(stored, auditHead);
                auditHead = chained.hash;
                stored = chained;
            }
            const text = encodeLine(stored);
            const group = groups.at(-1);
            if (group?.store === store)
                group.text += text;
            else
                groups.push({ store, text });
        }
        this.#seq = seq;
        this.#auditHead = auditHead;
        return groups;
    }
    async #write(groups) {
        if (this.#broken !== undefined)
            throw this.#broken;
        try {
            for (const group of groups)
                await this.#writeGroup(group);
        }
        catch (error) {
            this.#broken = diskError(error, this.#folder);
            throw this.#broken;
        }
    }
    async #writeGroup({ store, text }) {
        const handle = this.#handles.get(store);
        if (handle) {
            await handle.appendFile(text);
            await handle.datasync();
            return;
        }
        const name = segmentName(this.#segments[store] + 1);
        await makeFolder((0,external_node_path_.join)(this.#folder, store));
        const created = await createOpenFile((0,external_node_path_.join)(this.#folder, store, name), text);
        if (!created) {
            throw new build_errors/* LoopliaError */.$K("lost-race", `${store}/${name} of session ${this.sessionId} is another process's.`, {
                hint: "Let the other run end, then run again.",
            });
        }
        this.#segments[store] += 1;
        this.#handles.set(store, created);
    }
}

;// CONCATENATED MODULE: ./build/adapters/store-files.js
// The stores of a work on the local disk: `.looplia/state/<work-id>/`, laid out as in INTERFACE §6.








const SCHEMA_VERSION = 1;
const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;
const headerSchema = (z) => z.object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    codeVersion: z.string(),
    workId: z.string().regex(ID),
    kind: z.string(),
    key: z.string(),
    createdAt: z.string(),
});
/** The stores of all works below `stateFolder` (absolute: `.looplia/state`, or where it was moved). */
function openStores(options) {
    const { stateFolder, codeVersion, clock } = options;
    return {
        async open(work) {
            checkId(work.workId, "work");
            return openWorkStore({
                folder: join(stateFolder, work.workId),
                header: { ...work, codeVersion },
                clock,
            });
        },
        findSession: (sessionId) => findSessionWork(stateFolder, sessionId),
        findInteraction: (id) => findInteraction(stateFolder, id),
    };
}
/**
 * Opens the stores of a work in `folder` (absolute, named by the work id), and creates what is missing. One live
 * process at a time. Fails with `busy`, `lost-race`, `store-corrupt`, and `config-invalid` where it may not write.
 */
async function openWorkStore(options) {
    const { folder, header, clock } = options;
    checkId(header.workId, "work");
    await makeFolder(folder);
    const lock = await takeLock(folder);
    try {
        await ignoreState(folder);
        await writeHeader(folder, header, clock);
        await removeLeftovers(folder);
        await removeLeftovers((0,external_node_path_.join)(folder, "frozen"));
    }
    catch (error) {
        await lock.release();
        throw error;
    }
    const frozen = openFrozenFiles((0,external_node_path_.join)(folder, "frozen"));
    const open = new Map();
    return {
        workId: header.workId,
        async session(sessionId) {
            checkId(sessionId, "session");
            if (open.has(sessionId))
                throw new Error(`Session ${sessionId} is open already.`);
            const path = (0,external_node_path_.join)(folder, "sessions", sessionId);
            const opening = openSession(sessionId, path, frozen, clock, () => open.delete(sessionId));
            open.set(sessionId, opening);
            opening.catch(() => open.delete(sessionId));
            return opening;
        },
        async close() {
            const opened = await Promise.allSettled(open.values());
            for (const session of opened)
                if (session.status === "fulfilled")
                    await session.value.close();
            await lock.release();
        },
    };
}
/** The header of a work, or undefined where there is none. Fails with `store-corrupt` when it is not ours. */
async function readHeader(folder) {
    const path = (0,external_node_path_.join)(folder, "header.json");
    const text = await (0,promises_.readFile)(path, "utf8").catch((error) => {
        if (errnoOf(error) === "ENOENT")
            return undefined;
        throw diskError(error, path);
    });
    if (text === undefined)
        return undefined;
    const value = parseHeader(text, path);
    // A new work has no header to check.
    const { z } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(618)]).then(__webpack_require__.bind(__webpack_require__, 82618));
    const version = z.looseObject({ schemaVersion: z.number() }).safeParse(value);
    if (version.success && version.data.schemaVersion > SCHEMA_VERSION) {
        throw new build_errors/* LoopliaError */.$K("store-corrupt", `${path}: written by a newer version of looplia.`, {
            hint: "Go on with the newer looplia.",
        });
    }
    const result = headerSchema(z).safeParse(value);
    if (!result.success) {
        const issue = result.error.issues[0];
        throw damagedHeader(path, `${issue?.path.join(".") || "the header"}: ${issue?.message ?? "wrong shape"}`);
    }
    return result.data;
}
function parseHeader(text, path) {
    try {
        return JSON.parse(text);
    }
    catch (cause) {
        throw damagedHeader(path, "not JSON", cause);
    }
}
async function writeHeader(folder, work, clock) {
    const found = await readHeader(folder);
    if (found && found.workId !== work.workId) {
        throw damagedHeader((0,external_node_path_.join)(folder, "header.json"), `it belongs to the work ${found.workId}`);
    }
    if (found)
        return;
    const { workId, kind, key, codeVersion } = work;
    const createdAt = clock.now().toISOString();
    const header = { schemaVersion: SCHEMA_VERSION, codeVersion, workId, kind, key, createdAt };
    await createFile((0,external_node_path_.join)(folder, "header.json"), `${JSON.stringify(header, null, 2)}\n`);
}
/** State must not be committed by accident: `.looplia/.gitignore` is written where there is none. */
async function ignoreState(folder) {
    const state = (0,external_node_path_.dirname)(folder);
    const workspace = (0,external_node_path_.dirname)(state);
    if ((0,external_node_path_.basename)(state) !== "state" || (0,external_node_path_.basename)(workspace) !== ".looplia")
        return;
    await removeLeftovers(workspace);
    await createFile((0,external_node_path_.join)(workspace, ".gitignore"), "state/\n");
}
function checkId(id, what) {
    if (ID.test(id))
        return;
    throw new build_errors/* LoopliaError */.$K("config-invalid", `${JSON.stringify(id)} is no ${what} id.`, {
        hint: "An id has 1 to 81 characters: lower-case letters, digits and hyphens, no hyphen first.",
    });
}
function damagedHeader(path, reason, cause) {
    return new build_errors/* LoopliaError */.$K("store-corrupt", `${path}: ${reason}.`, {
        hint: "Restore the file from a copy, or move its folder away.",
        cause,
    });
}

;// CONCATENATED MODULE: ./build/config/diagnostics.js
// All that is wrong with a configuration is reported at once, with file and line.

/** `file:line: message (hint)` */
function formatDiagnostic(diagnostic) {
    const place = diagnostic.line === undefined ? diagnostic.file : `${diagnostic.file}:${diagnostic.line}`;
    return `${place}: ${diagnostic.message}${diagnostic.hint ? ` (${diagnostic.hint})` : ""}`;
}
/** Throws `config-invalid` with every error, one a line, when there is at least one. */
function diagnostics_throwIfErrors(diagnostics) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    if (errors.length === 0)
        return;
    throw new build_errors/* LoopliaError */.$K("config-invalid", errors.map(formatDiagnostic).join("\n"));
}

;// CONCATENATED MODULE: ./build/config/definition-source.js
// Where agents, skills and pipelines are looked for: a few folders, the first that has a name wins.

/** Text of a trusted file; undefined when it is missing or refused, the latter with a diagnostic. */
function readTrusted(files, path, diagnostics) {
    return orDiagnostic(() => files.read(path), `${files.label}${path}`, diagnostics);
}
/** Entries of a trusted folder; empty when it is missing or refused, the latter with a diagnostic. */
async function listTrusted(files, folder, diagnostics) {
    return (await orDiagnostic(() => files.list(folder), `${files.label}${folder}`, diagnostics)) ?? [];
}
async function orDiagnostic(action, file, diagnostics) {
    try {
        return await action();
    }
    catch (error) {
        if (!(error instanceof build_errors/* LoopliaError */.$K))
            throw error;
        const message = error.message.startsWith(file) ? error.message.slice(file.length).trim() : error.message;
        const hint = error.hint === undefined ? {} : { hint: error.hint };
        diagnostics.push({ severity: "error", file, message, ...hint });
        return undefined;
    }
}
/** Loads every entry of every source, sources in their order; a folder that is refused is a finding of its own. */
async function loadSources(sources, load) {
    const perSource = await Promise.all(sources.map(async (source) => {
        const diagnostics = [];
        const entries = await listTrusted(source.files, source.folder, diagnostics);
        const { isShared, folder } = source;
        const refused = diagnostics.length > 0 ? [{ name: folder, isShared, definition: undefined, diagnostics }] : [];
        return [...refused, ...(await Promise.all(entries.map((entry) => load(source, entry))))];
    }));
    return perSource.flat().filter((loaded) => loaded !== undefined);
}
/** The first of each name, broken or not: a broken file never lets a later source step in unseen. */
function chooseFirst(loaded) {
    const chosen = new Map();
    for (const one of loaded)
        if (!chosen.has(one.name))
            chosen.set(one.name, one);
    return chosen;
}
/** What a collection found, errors of what is shared and not in `needed` lowered to warnings. */
function diagnosticsOf(chosen, needed) {
    return [...chosen.values()].flatMap(({ name, isShared, diagnostics }) => isShared && !needed.has(name) ? diagnostics.map(lowerToWarning) : diagnostics);
}
/** The sound definitions by name. */
function definitionsOf(chosen) {
    const sound = new Map();
    for (const { name, definition } of chosen.values())
        if (definition !== undefined)
            sound.set(name, definition);
    return sound;
}
function lowerToWarning(diagnostic) {
    return { ...diagnostic, severity: "warning" };
}

// EXTERNAL MODULE: ./build/config/located-yaml.js
var located_yaml = __webpack_require__(2601);
;// CONCATENATED MODULE: ./build/config/front-matter.js
// The block of YAML between `---` lines at the start of a Markdown file: agents, skills, content items.


/** Throws `config-invalid` with file and line when the block is not closed, not YAML or not a mapping. */
async function parseFrontMatter(text, file) {
    const diagnostics = [];
    const read = await readFrontMatter(text, file, diagnostics);
    diagnostics_throwIfErrors(diagnostics);
    return read;
}
/** The same for those who collect diagnostics: what is wrong is added to them, and then `data` is empty. */
async function readFrontMatter(text, file, diagnostics) {
    const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
    const opening = /^---[ \t]*(?:\r?\n|$)/.exec(source);
    if (opening === null)
        return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
    const rest = source.slice(opening[0].length);
    const closing = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m.exec(rest);
    if (closing === null) {
        diagnostics.push({
            severity: "error",
            file,
            line: 1,
            message: "the front matter is opened and never closed",
            hint: "close it with a line of three dashes, or begin the file with something else than three dashes",
        });
        return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
    }
    const entries = await readEntries(rest.slice(0, closing.index), file, diagnostics);
    const end = closing.index + closing[0].length;
    return {
        data: new Map([...entries].map(([key, entry]) => [key, (0,located_yaml/* plainOf */.oi)(entry.value)])),
        entries,
        body: rest.slice(end),
        bodyLine: 2 + rest.slice(0, end).split("\n").length - 1,
    };
}
async function readEntries(block, file, diagnostics) {
    const { root, diagnostics: broken } = await (0,located_yaml/* readYaml */.gM)(block, file, 2);
    diagnostics.push(...broken);
    if (root === undefined || (root.kind === "scalar" && root.value === null))
        return new Map();
    if (root.kind === "map")
        return root.entries;
    diagnostics.push({
        severity: "error",
        file,
        line: root.line,
        message: "the front matter is not a mapping",
        hint: "write one `key: value` a line between the two lines of three dashes",
    });
    return new Map();
}

// EXTERNAL MODULE: ./build/config/report.js
var config_report = __webpack_require__(40093);
// EXTERNAL MODULE: ./build/config/suggest.js
var suggest = __webpack_require__(85813);
;// CONCATENATED MODULE: ./build/config/tool-names.js
// The names of tools in an agent's front matter: the project's own, and Claude Code's as aliases.
/** Every tool that an agent can be given (INTERFACE §8). */
const TOOL_NAMES = [
    "readFile",
    "listFiles",
    "grep",
    "searchCode",
    "editFile",
    "runCommand",
    "writeArtifact",
    "askUser",
    "Task",
    "Skill",
];
const aliases = new Map([
    ["Read", "readFile"],
    ["Write", "writeArtifact"],
    ["Edit", "editFile"],
    ["Glob", "listFiles"],
    ["Grep", "grep"],
    ["Bash", "runCommand"],
]);
/** Every name that front matter may have. */
const WRITTEN_TOOL_NAMES = [...TOOL_NAMES, ...aliases.keys()];
/** Splits names into the project's own, each once and in the order given, and those that nobody knows. */
function resolveToolNames(names) {
    const known = new Set(TOOL_NAMES);
    const resolved = names.map((name) => aliases.get(name) ?? name);
    return {
        tools: [...new Set(resolved.filter((name) => known.has(name)))],
        unknown: resolved.filter((name) => !known.has(name)),
    };
}

;// CONCATENATED MODULE: ./build/config/agents.js
// Agents: Markdown files with front matter `name`, `description`, `tools`, `model`; the body is the instructions.






/** Names of agents and skills. */
const DEFINITION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** All `*.md` of the sources, in their order; what is broken has diagnostics and no definition. */
function loadAgents(sources) {
    return loadSources(sources, async (source, entry) => entry.endsWith(".md") ? loadAgent(source, entry) : undefined);
}
/** One file of a source. */
async function loadAgent(source, fileName) {
    const path = `${source.folder}/${fileName}`;
    const file = `${source.files.label}${path}`;
    const diagnostics = [];
    const fallback = fileName.replace(/\.md$/, "");
    const text = await readTrusted(source.files, path, diagnostics);
    const frontMatter = await readFrontMatter(text ?? "", file, diagnostics);
    const name = readDefinitionName(frontMatter, fallback, file, diagnostics);
    const description = readDescription(frontMatter, file, diagnostics);
    const tools = readTools(frontMatter.entries.get("tools"), file, diagnostics);
    const model = (0,located_yaml/* textOfScalar */.Jb)(frontMatter.entries.get("model")?.value);
    const instructions = frontMatter.body.trim();
    const isSound = !diagnostics.some((diagnostic) => diagnostic.severity === "error");
    if (isSound && instructions === "")
        (0,config_report/* createReport */.L)(file, diagnostics)(undefined, "has no instructions");
    const definition = {
        name,
        description,
        instructions,
        file,
        ...(tools === undefined ? {} : { tools }),
        ...(model === undefined ? {} : { model }),
    };
    const isUsable = isSound && instructions !== "";
    return { name, isShared: source.isShared, definition: isUsable ? definition : undefined, diagnostics };
}
/** The front matter's `name`, else the file's or folder's. */
function readDefinitionName({ entries }, fallback, file, diagnostics) {
    const entry = entries.get("name");
    const name = (0,located_yaml/* textOfScalar */.Jb)(entry?.value) ?? fallback;
    if (DEFINITION_NAME.test(name))
        return name;
    const hint = "use letters, digits, dashes and underscores";
    (0,config_report/* createReport */.L)(file, diagnostics)(entry?.line, `has the name "${name.slice(0, 80)}"`, hint);
    return fallback;
}
/** The front matter's `description` in one line; a missing one is a warning. */
function readDescription({ entries }, file, diagnostics) {
    const entry = entries.get("description");
    const text = (0,located_yaml/* textOfScalar */.Jb)(entry?.value)?.replace(/\s+/g, " ");
    const isSound = diagnostics.every((diagnostic) => diagnostic.severity === "warning");
    if (text === undefined && isSound)
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(entry?.line, "has no description");
    return text ?? "";
}
function readTools(entry, file, diagnostics) {
    if (entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null))
        return undefined;
    const { value, line } = entry;
    const names = value.kind === "list"
        ? value.items.map(located_yaml/* textOfScalar */.Jb)
        : (0,located_yaml/* textOfScalar */.Jb)(value)
            ?.split(",")
            .map((name) => name.trim());
    if (names === undefined || value.kind === "map" || !names.every((name) => name !== undefined)) {
        (0,config_report/* createReport */.L)(file, diagnostics)(line, "tools must be names of tools, in a list or with commas between them");
        return undefined;
    }
    const { tools, unknown } = resolveToolNames(names.filter((name) => name !== ""));
    if (unknown.length > 0) {
        const message = `has tools that are not known here and are left out: ${unknown.join(", ")}`;
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(line, message, (0,suggest/* suggestName */.S)(unknown[0] ?? "", WRITTEN_TOOL_NAMES));
    }
    return tools;
}

;// CONCATENATED MODULE: ./build/config/artifact-schemas.js
/** Compact JSON Schemas by artifact file, from the installation's `prompts/artifacts.json`. */
async function readArtifactSchemas(builtin) {
    const file = "prompts/artifacts.json";
    const text = await builtin.read(file);
    if (text === undefined)
        throw new Error(`the installation's ${file} is missing`);
    const schemas = JSON.parse(text);
    return new Map(Object.entries(schemas).map(([artifact, schema]) => [artifact, JSON.stringify(schema)]));
}

;// CONCATENATED MODULE: ./build/config/json-schema.js

/** Throws `config-invalid`, naming `file`, when the text is not JSON or not a JSON Schema of draft 2020-12. */
async function compileJsonSchema(text, file) {
    const schema = parseSchema(text, file);
    // By its default: a bundler sees no other name in a CommonJS module that is a function.
    const [{ default: library }, { RE2JS }] = await Promise.all([__webpack_require__.e(/* import() */ 210).then(__webpack_require__.t.bind(__webpack_require__, 52210, 19)), __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856))]);
    // A pattern meets what a model sends: it must not be able to hang the program.
    const compilePattern = (pattern) => {
        const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
        // ajv tells patterns apart by their text form.
        return { test: (sent) => compiled.matcher(sent).find(), toString: () => `/${pattern}/` };
    };
    const regExp = Object.assign(compilePattern, { code: "compilePattern" });
    try {
        // Unknown keywords and formats are annotations, as the standard says.
        const options = { allErrors: true, strict: false, validateFormats: false, logger: false };
        const ajv = new library.Ajv2020({ ...options, code: { regExp } });
        const validate = ajv.compile(schema);
        return (value) => (validate(value) ? { fits: true } : { fits: false, errors: validate.errors ?? [] });
    }
    catch (error) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `${file}: is not a JSON Schema of draft 2020-12: ${(0,build_errors/* messageOf */.bD)(error)}`, { cause: error });
    }
}
function parseSchema(text, file) {
    let value;
    try {
        value = JSON.parse(text.replace(/^\uFEFF/, ""));
    }
    catch (error) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `${file}: is not valid JSON: ${(0,build_errors/* messageOf */.bD)(error)}`, {
            cause: error,
        });
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value;
    throw new build_errors/* LoopliaError */.$K("config-invalid", `${file}: is not a JSON Schema: it must be a JSON object`);
}

;// CONCATENATED MODULE: ./build/config/pipeline-graph.js
// The graph that `requires` makes: cycles, order, sinks. Pure.
/** The names of a cycle, the first repeated at the end, or undefined when there is none. Unknown names are ignored. */
function findCycle(nodes) {
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const finished = new Set();
    const path = [];
    const visit = (name) => {
        const node = byName.get(name);
        if (node === undefined || finished.has(name))
            return undefined;
        if (path.includes(name))
            return [...path.slice(path.indexOf(name)), name];
        path.push(name);
        for (const required of node.requires) {
            const cycle = visit(required);
            if (cycle !== undefined)
                return cycle;
        }
        path.pop();
        finished.add(name);
        return undefined;
    };
    for (const node of nodes) {
        const cycle = visit(node.name);
        if (cycle !== undefined)
            return cycle;
    }
    return undefined;
}
/** Every node after all that it requires; ties in the given order. The graph must have no cycle. */
function sortByRequirement(nodes) {
    const sorted = [];
    const done = new Set();
    let left = [...nodes];
    while (left.length > 0) {
        const next = left.find((node) => node.requires.every((name) => done.has(name)));
        if (next === undefined)
            throw new Error("sortByRequirement was given a cycle or an unknown name");
        sorted.push(next);
        done.add(next.name);
        left = left.filter((node) => node !== next);
    }
    return sorted;
}
/** The names that nothing else requires. */
function findSinks(nodes) {
    const required = new Set(nodes.flatMap((node) => node.requires));
    return nodes.map((node) => node.name).filter((name) => !required.has(name));
}

;// CONCATENATED MODULE: ./build/config/pipeline-checks.js
// What spans several outputs of a pipeline, and what is outside its file: agents, schema files.




function checkDuplicates(drafts, report) {
    const owners = new Map();
    for (const { name, artifact, lines } of drafts) {
        const owner = owners.get(artifact);
        if (artifact === "")
            continue;
        if (owner === undefined)
            owners.set(artifact, name);
        else
            report(lines.artifact, `"${name}" has the artifact ${artifact}, which "${owner}" has already`);
    }
}
function checkAgents(drafts, agents, report) {
    for (const { name, agent, lines } of drafts) {
        if (agent === "")
            continue;
        const definition = agents.get(agent);
        if (definition === undefined) {
            const hint = (0,suggest/* suggestName */.S)(agent, agents.keys()) ?? `there are ${[...agents.keys()].join(", ") || "none"}`;
            report(lines.agent, `"${name}" has the unknown agent "${agent}"`, hint);
        }
        else if (definition.tools?.includes("writeArtifact") === false) {
            report(lines.agent, `"${name}" has the agent "${agent}", whose tools lack writeArtifact`, `add Write to the tools in ${definition.file}`);
        }
    }
}
function checkRequirements(drafts, report) {
    const names = new Set(drafts.map((draft) => draft.name));
    for (const { name, requires, lines } of drafts) {
        for (const required of requires) {
            if (names.has(required))
                continue;
            report(lines.requires, `"${name}" requires the unknown output "${required}"`, (0,suggest/* suggestName */.S)(required, names));
        }
    }
    const cycle = findCycle(drafts);
    if (cycle === undefined)
        return;
    const first = drafts.find((draft) => draft.name === cycle[0]);
    report(first?.lines.requires, `the outputs require each other in a cycle: ${cycle.join(" → ")}`);
}
function chooseFinal(drafts, report) {
    const marked = drafts.filter((draft) => draft.isFinal);
    for (const extra of marked.slice(1)) {
        report(extra.lines.final, `"${extra.name}" is final, but "${marked[0]?.name}" is already`);
    }
    if (marked[0] !== undefined)
        return marked[0].name;
    const sinks = findSinks(drafts);
    if (sinks.length > 1) {
        report(drafts.find((draft) => draft.name === sinks[1])?.lines.name, `has several last outputs: ${sinks.join(", ")}`, "write final: true in one of them");
    }
    return sinks[0];
}
async function readSchemas(drafts, file, { readBeside, checkSchemas }, report) {
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const schemas = new Map();
    for (const { name, schema, lines } of drafts) {
        if (schema === undefined)
            continue;
        const text = await readBeside(schema);
        if (text === undefined) {
            report(lines.schema, `"${name}" has the schema ${schema}, and there is no file ${folder}${schema}`);
            continue;
        }
        schemas.set(name, { file: `${folder}${schema}`, text });
        if (!checkSchemas)
            continue;
        try {
            await compileJsonSchema(text, `${folder}${schema}`);
        }
        catch (error) {
            if (!(error instanceof build_errors/* LoopliaError */.$K))
                throw error;
            report(lines.schema, `"${name}" has a schema that cannot be used: ${error.message}`);
        }
    }
    return schemas;
}

;// CONCATENATED MODULE: ./build/config/pipeline-output.js
// One entry of a pipeline's `outputs`, its fields checked one by one; what spans several outputs is pipeline.ts's.


const KEYS = ["artifact", "agent", "requires", "final", "schema", "max-retries"];
const OUTPUT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const ARTIFACT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}\.json$/;
const SCHEMA_PATH = /^(?:[A-Za-z0-9][\w.-]*\/)*[A-Za-z0-9][\w.-]*\.json$/;
const DEFAULT_RETRIES = 2;
/** Reports every field that is missing, unknown or wrong. */
function readOutput(name, { line, value }, report) {
    if (!OUTPUT_NAME.test(name))
        report(line, `the output name "${name}" must be small letters, digits and dashes`);
    // The task loop's own output has this name.
    if (name === "to-do")
        report(line, 'the output name "to-do" is taken', "choose another");
    const fields = value.kind === "map" ? value.entries : new Map();
    if (value.kind !== "map")
        report(line, `"${name}" must be a mapping with an artifact and an agent`);
    else
        (0,config_report/* reportUnknownKeys */.T)(fields, KEYS, report);
    const lineOf = (key) => fields.get(key)?.line ?? line;
    return {
        name,
        artifact: value.kind === "map" ? readArtifact(name, fields, lineOf("artifact"), report) : "",
        agent: value.kind === "map" ? readAgent(name, fields, lineOf("agent"), report) : "",
        requires: readRequires(name, fields.get("requires"), report),
        isFinal: readFinal(name, fields.get("final"), report),
        schema: readSchemaPath(name, fields.get("schema"), report),
        maxRetries: readRetries(name, fields.get("max-retries"), report),
        lines: {
            name: line,
            artifact: lineOf("artifact"),
            agent: lineOf("agent"),
            requires: lineOf("requires"),
            final: lineOf("final"),
            schema: lineOf("schema"),
        },
    };
}
function readArtifact(name, fields, line, report) {
    const artifact = (0,located_yaml/* textOfScalar */.Jb)(fields.get("artifact")?.value);
    if (artifact === undefined) {
        report(line, `"${name}" has no artifact`, `write artifact: ${name}.json`);
        return "";
    }
    if (ARTIFACT_NAME.test(artifact) && artifact !== "session.json")
        return artifact;
    const reason = artifact === "session.json"
        ? "is the program's own"
        : "must be a file name of small letters that ends in .json";
    report(line, `the artifact "${artifact}" of "${name}" ${reason}`);
    return "";
}
function readAgent(name, fields, line, report) {
    const agent = (0,located_yaml/* textOfScalar */.Jb)(fields.get("agent")?.value);
    if (agent === undefined)
        report(line, `"${name}" has no agent`, "write agent: and the name of one");
    return agent ?? "";
}
function readRequires(name, entry, report) {
    if (entry === undefined)
        return [];
    const items = entry.value.kind === "list" ? entry.value.items : [entry.value];
    const names = items.map(located_yaml/* textOfScalar */.Jb);
    const isRight = names.every((required) => required !== undefined);
    if (!isRight)
        report(entry.line, `requires of "${name}" must be the name of an output, or a list of names`);
    return [...new Set(names.filter((required) => required !== undefined))];
}
function readFinal(name, entry, report) {
    const value = entry?.value.kind === "scalar" ? entry.value.value : undefined;
    if (entry !== undefined && typeof value !== "boolean")
        report(entry.line, `final of "${name}" must be true or false`);
    return value === true;
}
function readSchemaPath(name, entry, report) {
    if (entry === undefined)
        return undefined;
    const path = (0,located_yaml/* textOfScalar */.Jb)(entry.value);
    if (path !== undefined && SCHEMA_PATH.test(path))
        return path;
    report(entry.line, `schema of "${name}" must be the path of a .json file beside the pipeline`);
    return undefined;
}
function readRetries(name, entry, report) {
    if (entry === undefined)
        return DEFAULT_RETRIES;
    const value = entry.value.kind === "scalar" ? entry.value.value : undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10)
        return value;
    report(entry.line, `max-retries of "${name}" must be a whole number from 0 to 10`);
    return DEFAULT_RETRIES;
}

;// CONCATENATED MODULE: ./build/config/pipeline.js





const pipeline_KEYS = ["name", "description", "outputs"];
const PIPELINE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** `file` is the path shown in diagnostics; its last part without `.yaml` must be the pipeline's name. */
async function parsePipeline(text, file, surroundings) {
    const { root, diagnostics } = await (0,located_yaml/* readYaml */.gM)(text.replace(/^\uFEFF/, ""), file);
    if (root === undefined)
        return { pipeline: undefined, agents: [], diagnostics };
    const report = (0,config_report/* createReport */.L)(file, diagnostics);
    if (root.kind !== "map") {
        report(root.line, "is not a pipeline: it must be a mapping with name, description and outputs");
        return { pipeline: undefined, agents: [], diagnostics };
    }
    (0,config_report/* reportUnknownKeys */.T)(root.entries, pipeline_KEYS, report);
    const name = readName(root.entries.get("name"), file, report);
    const description = pipeline_readDescription(root.entries.get("description"), report);
    const drafts = readOutputs(root.entries.get("outputs"), report);
    checkDuplicates(drafts, report);
    checkAgents(drafts, surroundings.agents, report);
    checkRequirements(drafts, report);
    const final = chooseFinal(drafts, report);
    const schemas = await readSchemas(drafts, file, surroundings, report);
    const agents = drafts.map((draft) => draft.agent).filter((agent) => agent !== "");
    if (diagnostics.length > 0 || final === undefined)
        return { pipeline: undefined, agents, diagnostics };
    const outputs = sortByRequirement(drafts).map((draft) => {
        const schema = schemas.get(draft.name);
        const { name: output, artifact, agent, requires, maxRetries } = draft;
        return {
            name: output,
            artifact,
            agent,
            requires,
            maxRetries,
            ...(schema === undefined ? {} : { schema }),
        };
    });
    return { pipeline: { name, description, file, outputs, final }, agents, diagnostics };
}
function readName(entry, file, report) {
    const wanted = (file.split("/").at(-1) ?? file).replace(/\.yaml$/, "");
    const name = (0,located_yaml/* textOfScalar */.Jb)(entry?.value);
    if (name === undefined)
        report(entry?.line, "has no name", `write name: ${wanted}`);
    else if (!PIPELINE_NAME.test(name))
        report(entry?.line, `the name "${name}" must be small letters, digits and dashes`);
    else if (name !== wanted) {
        report(entry?.line, `the name "${name}" differs from the file's`, `call the file ${name}.yaml or write name: ${wanted}`);
    }
    return name ?? wanted;
}
function pipeline_readDescription(entry, report) {
    if (entry === undefined)
        return "";
    const text = (0,located_yaml/* textOfScalar */.Jb)(entry.value);
    if (text === undefined)
        report(entry.line, "the description must be a text");
    return text ?? "";
}
function readOutputs(entry, report) {
    if (entry?.value.kind !== "map" || entry.value.entries.size === 0) {
        report(entry?.line, "has no outputs", "write outputs: with one entry for each, its artifact and its agent");
        return [];
    }
    return [...entry.value.entries].map(([name, output]) => readOutput(name, output, report));
}

;// CONCATENATED MODULE: ./build/config/pipelines.js
// All pipeline files of some folders; the asked one must be sound.




/** Only the schema files of the pipeline that is asked for are compiled, or all when none is. */
function loadPipelines(sources, agents, asked) {
    return loadSources(sources, async (source, entry) => /\.ya?ml$/.test(entry) ? loadPipeline(source, entry, agents, asked) : undefined);
}
async function loadPipeline({ files, folder, isShared }, fileName, agents, asked) {
    const path = `${folder}/${fileName}`;
    const file = `${files.label}${path}`;
    const diagnostics = [];
    const loaded = { name: fileName.replace(/\.yaml$/, ""), isShared, definition: undefined, diagnostics };
    if (fileName.endsWith(".yml")) {
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(undefined, "is not read", "let its name end in .yaml");
        return loaded;
    }
    const text = await readTrusted(files, path, diagnostics);
    if (text === undefined)
        return loaded;
    const parsed = await parsePipeline(text, file, {
        agents,
        readBeside: (beside) => readTrusted(files, `${folder}/${beside}`, diagnostics),
        checkSchemas: asked === undefined || asked === loaded.name,
    });
    diagnostics.push(...parsed.diagnostics);
    return { ...loaded, definition: parsed.pipeline, agents: parsed.agents };
}
/** What is wrong with the asked pipeline (all of them when none is); the others' errors are warnings. */
function diagnosePipelines(pipelines, asked) {
    // A folder that is refused is under its path: it may hide the asked one.
    const isWanted = (name) => asked === undefined || asked === name || name.includes("/");
    const found = [...pipelines.values()].flatMap(({ name, diagnostics }) => isWanted(name) ? diagnostics : diagnostics.map(lowerToWarning));
    const names = [...pipelines.keys()].filter((name) => /^[^/.]+$/.test(name));
    if (asked === undefined || names.includes(asked))
        return found;
    const near = (0,suggest/* suggestName */.S)(asked, names);
    const hint = `${near === undefined ? "" : `${near} `}there are ${names.join(", ")}`;
    return [
        ...found,
        { severity: "error", file: "pipeline", message: `there is no pipeline "${asked}"`, hint },
    ];
}

;// CONCATENATED MODULE: ./build/config/skills.js




const ENTRY_FILE = "SKILL.md";
const MAX_FILES = 200;
const MAX_DEPTH = 4;
/** All folders of the sources that have a SKILL.md, in their order; what is broken has no definition. */
function loadSkills(sources) {
    return loadSources(sources, loadSkill);
}
async function loadSkill({ files, folder, isShared }, folderName) {
    const base = `${folder}/${folderName}`;
    const diagnostics = [];
    const entries = await listTrusted(files, base, diagnostics);
    if (diagnostics.length > 0)
        return { name: folderName, isShared, definition: undefined, diagnostics };
    if (!entries.includes(ENTRY_FILE))
        return undefined;
    const file = `${files.label}${base}/${ENTRY_FILE}`;
    const text = await readTrusted(files, `${base}/${ENTRY_FILE}`, diagnostics);
    const frontMatter = await readFrontMatter(text ?? "", file, diagnostics);
    const name = readDefinitionName(frontMatter, folderName, file, diagnostics);
    const description = readDescription(frontMatter, file, diagnostics);
    const body = frontMatter.body.trim();
    if (diagnostics.every(({ severity }) => severity === "warning") && body === "") {
        (0,config_report/* createReport */.L)(file, diagnostics)(undefined, "has no instructions");
    }
    if (diagnostics.some(({ severity }) => severity === "error")) {
        return { name, isShared, definition: undefined, diagnostics };
    }
    const bundled = await listBundled(files, base, entries.filter((entry) => entry !== ENTRY_FILE), diagnostics);
    const read = bundledReader(files, base, bundled);
    return { name, isShared, definition: { name, description, body, files: bundled, file, read }, diagnostics };
}
/** Reads the bundled files of a skill's folder by their names, and no others. */
function bundledReader(files, folder, bundled) {
    const known = new Set(bundled);
    return async (path) => (known.has(path) ? files.read(`${folder}/${path}`) : undefined);
}
async function listBundled(files, base, entries, diagnostics) {
    const found = [];
    const visit = async (path, depth) => {
        if (found.length >= MAX_FILES || depth > MAX_DEPTH)
            return;
        const refused = [];
        const inside = await listTrusted(files, `${base}/${path}`, refused);
        diagnostics.push(...refused.map(lowerToWarning));
        if (inside.length === 0 && refused.length === 0)
            found.push(path);
        for (const entry of inside)
            await visit(`${path}/${entry}`, depth + 1);
    };
    for (const entry of entries)
        await visit(entry, 1);
    return found;
}

;// CONCATENATED MODULE: ./build/config/prepared.js




/** What is prepared in an installation, or else what its files say. */
async function loadBuiltin(builtin) {
    const text = await builtin.read("prompts/prepared.json");
    if (text === undefined)
        return loadFromFiles(builtin);
    const { mainAgent, agents, skills, pipelines } = JSON.parse(text);
    return {
        mainAgent,
        agents: agents.map(asLoaded),
        skills: skills.map((skill) => {
            const folder = skill.file.slice(0, skill.file.lastIndexOf("/"));
            return asLoaded({ ...skill, read: bundledReader(builtin, folder, skill.files) });
        }),
        pipelines,
    };
}
/** The program's own pipelines, checked against `agents`; as prepared where that holds for these agents too. */
async function loadBuiltinPipelines(builtin, { agents: own, pipelines }, agents, asked) {
    const known = new Set(own.map(({ definition }) => definition));
    const isUnchanged = (name) => agents.has(name) && known.has(agents.get(name));
    if (!pipelines?.every(({ outputs }) => outputs.every(({ agent }) => isUnchanged(agent)))) {
        return loadPipelines([sourceOf(builtin, "pipelines")], agents, asked);
    }
    return pipelines.map((pipeline) => ({
        ...asLoaded(pipeline),
        agents: pipeline.outputs.map(({ agent }) => agent),
    }));
}
/** What `prompts/prepared.json` has to hold. Throws `config-invalid` for anything wrong in the files. */
async function prepareBuiltin(builtin) {
    const read = await loadFromFiles(builtin);
    const agents = soundOnes(read.agents);
    const known = new Map(agents.map((agent) => [agent.name, agent]));
    return {
        mainAgent: read.mainAgent,
        agents,
        skills: soundOnes(read.skills).map(({ read: _, ...skill }) => skill),
        pipelines: soundOnes(await loadBuiltinPipelines(builtin, read, known, undefined)),
    };
}
async function loadFromFiles(builtin) {
    const [main, agents, skills] = await Promise.all([
        loadAgent(sourceOf(builtin, "prompts"), "system.md"),
        loadAgents([sourceOf(builtin, "prompts/agents")]),
        loadSkills([sourceOf(builtin, "prompts/skills")]),
    ]);
    if (!main.definition)
        throw new Error("the installation's prompts/system.md is broken");
    return { mainAgent: main.definition, agents, skills };
}
function sourceOf(files, folder) {
    return { files, folder, isShared: false };
}
function asLoaded(definition) {
    return { name: definition.name, isShared: false, definition, diagnostics: [] };
}
function soundOnes(loaded) {
    throwIfErrors(loaded.flatMap(({ diagnostics }) => diagnostics));
    return loaded.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
}

;// CONCATENATED MODULE: ./build/config/tool-definitions.js
/** Definitions by tool, in the registry's order, from the installation's `prompts/tools.json`. */
async function readToolDefinitions(builtin) {
    const file = "prompts/tools.json";
    const text = await builtin.read(file);
    if (text === undefined)
        throw new Error(`the installation's ${file} is missing`);
    return new Map(JSON.parse(text).map((definition) => [definition.name, definition]));
}

;// CONCATENATED MODULE: ./build/config/load.js







/**
 * Reads pipelines, agents, skills, instructions and profile. `builtin` is the root of the installation (with `prompts/`
 * and `pipelines/`). Never throws for what a file says; the configuration has only what is sound.
 */
async function loadConfiguration(trusted, builtin, { prompts, pipeline: asked }) {
    const diagnostics = [];
    const [shipped, toolDefinitions, artifactSchemas] = await Promise.all([
        loadBuiltin(builtin),
        readToolDefinitions(builtin),
        readArtifactSchemas(builtin),
    ]);
    const [ownAgents, ownSkills, instructions, profileText] = await Promise.all([
        loadAgents(sourcesOf("agents", trusted)),
        loadSkills(sourcesOf("skills", trusted)),
        readTrusted(trusted, ".looplia/CLAUDE.md", diagnostics),
        readTrusted(trusted, PROFILE, diagnostics),
    ]);
    const chosenAgents = chooseFirst([...ownAgents, ...shipped.agents]);
    const agents = definitionsOf(chosenAgents);
    const ownPipelines = { files: trusted, folder: ".looplia/pipelines", isShared: false };
    const pipelines = chooseFirst([
        ...(await loadPipelines([ownPipelines], agents, asked)),
        ...(await loadBuiltinPipelines(builtin, shipped, agents, asked)),
    ]);
    const wanted = [...pipelines.values()].filter(({ name }) => asked === undefined || asked === name);
    const needed = new Set(wanted.flatMap((loaded) => loaded.agents ?? []));
    const chosenSkills = chooseFirst([...ownSkills, ...shipped.skills]);
    const profile = await readProfile(profileText, `${trusted.label}${PROFILE}`, diagnostics);
    diagnostics.push(...diagnosePipelines(pipelines, asked), ...diagnosticsOf(chosenAgents, needed), ...diagnosticsOf(chosenSkills, new Set()));
    const configuration = {
        pipelines: definitionsOf(pipelines),
        agents,
        mainAgent: shipped.mainAgent,
        skills: definitionsOf(chosenSkills),
        instructions: (instructions ?? "").replace(/^\uFEFF/, "").trim(),
        profileText: profileText ?? "",
        toolDefinitions,
        artifactSchemas,
        prompts,
        ...(profile === undefined ? {} : { profile }),
    };
    return { configuration, diagnostics };
}
const PROFILE = ".looplia/user-profile.json";
// Not above: most repositories have no profile, and what checks one takes long to load.
async function readProfile(text, file, diagnostics) {
    if (text === undefined)
        return undefined;
    const { parseUserProfile } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(492)]).then(__webpack_require__.bind(__webpack_require__, 35492));
    return parseUserProfile(text, file, diagnostics);
}
function sourcesOf(kind, trusted) {
    return [
        { files: trusted, folder: `.looplia/.claude/${kind}`, isShared: false },
        { files: trusted, folder: `.claude/${kind}`, isShared: true },
    ];
}

;// CONCATENATED MODULE: ./build/config/prompts.js
// The program's own prompts: strict Mustache templates under prompts/ (see template.ts for what they may use).


/**
 * Renders `prompts/<file>` of `builtin`, the root of the installation; front matter and white space around are left out.
 * Fails with `config-invalid`, naming file, line and variable, when one is undefined. Files are read once.
 */
function createPrompts(builtin) {
    const renderers = new Map();
    return {
        async render(file, variables) {
            const known = renderers.get(file) ?? loadPrompt(builtin, `prompts/${file}`);
            renderers.set(file, known);
            return (await known)(variables).trim();
        },
    };
}
async function loadPrompt(builtin, path) {
    // Not above: `--help` and `--version` need no template.
    const [text, { parseTemplate, TemplateError }] = await Promise.all([
        builtin.read(path),
        __webpack_require__.e(/* import() */ 305).then(__webpack_require__.bind(__webpack_require__, 10305)),
    ]);
    if (text === undefined)
        throw new build_errors/* LoopliaError */.$K("config-invalid", `there is no prompt ${path}`);
    const { body, bodyLine } = await parseFrontMatter(text, path);
    const located = (work) => {
        try {
            return work();
        }
        catch (error) {
            const place = error instanceof TemplateError ? `${path}:${error.line + bodyLine - 1}` : path;
            throw new build_errors/* LoopliaError */.$K("config-invalid", `${place}: ${(0,build_errors/* messageOf */.bD)(error)}`, { cause: error });
        }
    };
    const render = located(() => parseTemplate(body));
    return (variables) => located(() => render(variables));
}

;// CONCATENATED MODULE: ./build/approval/answer.js
/**
 * Checks that the option exists (an exact id beats its number), that what is required is given and that the pattern
 * matches (linear time). `expected` says what would be accepted.
 */
async function checkAnswer(request, answer) {
    return request.kind === "Input" || request.kind === "Composite"
        ? checkInput(request, answer)
        : checkOption(request, answer);
}
function checkOption(request, answer) {
    const options = request.options ?? [];
    const given = answer.selectedOptionId ?? "";
    const chosen = options.find((option) => option.id === given) ??
        (/^[1-9]\d*$/.test(given) ? options[Number(given) - 1] : undefined);
    if (!chosen) {
        const list = options.map((option, index) => `${index + 1} ${option.id}`).join(", ");
        return { ok: false, expected: `one of these options: ${list}` };
    }
    return { ok: true, answer: { ...answer, selectedOptionId: chosen.id } };
}
async function checkInput(request, answer) {
    const value = answer.inputValue;
    if (value === undefined)
        return { ok: false, expected: "a text" };
    if (request.validation?.required && value.trim() === "")
        return { ok: false, expected: "a text that is not empty" };
    const regex = request.validation?.regex;
    if (regex !== undefined) {
        const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
        if (!RE2JS.compile(regex).matcher(value).find()) {
            return { ok: false, expected: `a text that matches ${regex}` };
        }
    }
    return { ok: true, answer };
}

;// CONCATENATED MODULE: ./build/agent/ask.js
// Raises a request to a person, durably before anybody sees it, and records the answer before it has an effect.

/**
 * The request that `find` finds, or a new one from `create`, with its answer if there is one. Without an answer the
 * call stays suspended. The same call always meets the same request.
 */
async function askPerson(session, run, find, create) {
    const request = findRequest(session, run, find) ?? (await raiseRequest(session, run, create));
    const recorded = session.journal.state.interactions.get(request.interactionId)?.response;
    if (recorded)
        return { request, answer: recorded };
    session.observe({ type: "question", sessionId: session.journal.sessionId, request });
    const result = await session.host.ask(request, session.signal);
    if (typeof result === "string") {
        session.signal.throwIfAborted();
        return { request, answer: undefined };
    }
    const checked = await checkAnswer(request, result.answer);
    if (!checked.ok) {
        const message = `That does not answer ${request.shortId}: expected ${checked.expected}. The question stays open.`;
        session.observe({ type: "notice", level: "warning", sessionId: session.journal.sessionId, message });
        return { request, answer: undefined };
    }
    await recordAnswer(session, request, checked.answer, result.actorId);
    return { request, answer: checked.answer };
}
/** Stores a checked answer; from then on the request is closed. */
async function recordAnswer(session, request, answer, actorId) {
    const { interactionId, taskId } = request;
    await session.journal.append({
        store: "events",
        type: "UserInteractionResponded",
        payload: { ...answer, interactionId, taskId, authorActorId: actorId },
    });
    session.observe({ type: "answered", sessionId: session.journal.sessionId, request, answer, actorId });
}
function findRequest(session, run, find) {
    for (const { request } of session.journal.state.interactions.values()) {
        if (request.conversationId === run.conversationId && find(request))
            return request;
    }
    return undefined;
}
/** One at a time in a session: the ordinal of a request is the number of those before it. */
function raiseRequest(session, run, create) {
    const raise = async () => {
        const request = create({
            workId: session.journal.workId,
            sessionId: session.journal.sessionId,
            taskId: run.taskId,
            conversationId: run.conversationId,
            agent: run.agent,
            ordinal: session.journal.state.interactions.size,
            workingDirectory: session.workspace.root,
        });
        await session.journal.append({ store: "events", type: "UserInteractionRequested", payload: request });
        return request;
    };
    const raised = session.asking.last.then(raise, raise);
    session.asking.last = raised.catch(() => undefined);
    return raised;
}

;// CONCATENATED MODULE: ./build/agent/limits.js
// Limits are cumulative over a session with its pauses; reaching one is an outcome.


/** The limit that forbids another request, or undefined. `turns` are those of the task. */
function reachedLimit(limits, turns, totals) {
    if (turns >= limits.maxTurns) {
        return stopped("max-turns", `reached max-turns (${limits.maxTurns}); raise it to go on`);
    }
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = totals.usage;
    const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    if (limits.maxTokens !== undefined && tokens >= limits.maxTokens) {
        return stopped("cost-limit", `used ${tokens} of max-tokens ${limits.maxTokens}; raise it to go on`);
    }
    if (limits.maxCostUsd !== undefined && totals.unpriced) {
        return stopped("cost-limit", "max-cost-usd can't be kept: a model without a known price answered here");
    }
    if (limits.maxCostUsd !== undefined && totals.costUsd >= limits.maxCostUsd) {
        const spent = totals.costUsd.toFixed(4);
        return stopped("cost-limit", `spent $${spent} of max-cost-usd ${limits.maxCostUsd}; raise it to go on`);
    }
    return undefined;
}
/** A limit in dollars needs a price. Throws `config-invalid` for a model that has none. */
function requirePrice(limits, model, names) {
    if (limits.maxCostUsd === undefined)
        return;
    const unpriced = names.find((name) => model.priceOf(name, (0,session_conversation/* noUsage */.tk)()) === null);
    if (unpriced === undefined)
        return;
    throw new build_errors/* LoopliaError */.$K("config-invalid", `max-cost-usd is set, but there is no price for the model ${unpriced}.`, {
        hint: "Use max-tokens instead, or a model of the price list.",
    });
}
/** The outcome of an aborted signal: its reason is `deadline` or a person's interruption. */
function stoppedBySignal(signal) {
    return signal.reason === "deadline"
        ? stopped("deadline", "reached timeout-minutes; the next run goes on from here")
        : stopped("interrupted", "interrupted; the next run goes on from here");
}
function stopped(reasonCode, message) {
    return { kind: "stopped", reasonCode, message };
}

;// CONCATENATED MODULE: ./build/agent/prefix.js
/** The prefix of an agent's conversation: frame, its instructions, the repository's instructions, skills' metadata. */
async function buildPrefix(session, agent) {
    const { configuration, tools } = session;
    const names = new Set(agent.tools ?? tools.keys());
    const own = [...tools.values()].filter((tool) => names.has(tool.name));
    const system = await configuration.prompts.render("agent-system.md", {
        agent: { name: agent.name, description: agent.description, instructions: agent.instructions },
        instructions: configuration.instructions,
        skills: names.has("Skill")
            ? [...configuration.skills.values()].map(({ name, description }) => ({ name, description }))
            : [],
        subagents: names.has("Task")
            ? [...configuration.agents.values()].map(({ name, description }) => ({ name, description }))
            : [],
    });
    return { system, tools: own.map(({ name }) => definitionOf(configuration, name)) };
}
function definitionOf({ toolDefinitions }, name) {
    const definition = toolDefinitions.get(name);
    if (!definition)
        throw new Error(`the installation's prompts/tools.json lacks the tool ${name}`);
    return definition;
}
/** Names that mean "whatever the program uses". */
const ALIASES = new Set(["inherit", "default", "sonnet", "opus", "haiku"]);
/** The model an agent's front matter names, else the setting. */
function modelFor(session, agent) {
    return agent.model === undefined || ALIASES.has(agent.model) ? session.modelName : agent.model;
}

;// CONCATENATED MODULE: ./build/content/item-result.js
/** `status` of several: failed > waiting > stopped > completed > ignored; the reason is that of the first such item. */
function summarizeItems(items) {
    for (const status of ["failed", "waiting", "stopped", "completed", "ignored"]) {
        const found = items.filter((item) => item.status === status);
        const [first] = found;
        if (!first)
            continue;
        const isDone = found.some((item) => item.reasonCode === "done");
        return { status, reasonCode: isDone ? "done" : first.reasonCode, items: [...items] };
    }
    return { status: "ignored", reasonCode: "no-items", items: [] };
}

;// CONCATENATED MODULE: ./build/content/content-hash.js
// The one short hash of the content domain: manifests, staleness and ids use it.

/** First 16 hex digits of SHA-256 over the bytes (a text's UTF-8 form). */
function content_hash_hashContent(content) {
    return (0,external_node_crypto_.createHash)("sha256").update(content).digest("hex").slice(0, 16);
}

;// CONCATENATED MODULE: ./build/content/schema-version.js
// Stands alone, because a new session needs the version long before it needs a schema.
/** Version of the schemas in schemas.ts, written beside each completed step; one recorded with another is stale. */
const schema_version_SCHEMA_VERSION = "1.0.0";

;// CONCATENATED MODULE: ./build/content/group-tasks.js
/** The due steps as tasks, in an order in which each can run. Within a task each output requires the one before. */
function groupTasks(pipeline, plans) {
    const due = new Set(plans.filter((plan) => plan.due).map((plan) => plan.output));
    const groups = [];
    for (const output of pipeline.outputs) {
        if (!due.has(output.name))
            continue;
        const group = groups.find((candidate) => canJoin(output, candidate, groups));
        if (group)
            group.push(output);
        else
            groups.push([output]);
    }
    // In the order of the pipeline, which is topological: a task waits only for tasks that began before it.
    return groups.map((group) => {
        const outputs = group.map((output) => output.name);
        return { taskId: outputs.join("+"), agent: group[0]?.agent ?? "", outputs };
    });
}
/** Joining must not make the task wait for more: what could run at the same time still does. */
function canJoin(output, group, groups) {
    const last = group.at(-1);
    if (last?.agent !== output.agent || !output.requires.includes(last.name))
        return false;
    return groupsBefore([output], groups).every((before) => before === group || waitsFor(group, before, groups));
}
function waitsFor(group, target, groups) {
    return groupsBefore(group, groups).some((before) => before === target || waitsFor(before, target, groups));
}
function groupsBefore(outputs, groups) {
    const required = new Set(outputs.flatMap((output) => output.requires));
    return groups.filter((group) => group !== outputs && group.some((member) => required.has(member.name)));
}

;// CONCATENATED MODULE: ./build/content/plan.js




/**
 * The steps that the desired output needs, in order. A step is skipped only if it is completed, its file is there,
 * valid and as recorded, its inputs are unchanged, and nothing that it needs runs again.
 * Throws `config-invalid` for an output that the pipeline does not have, or a forced one that is not needed.
 */
function planSteps(input) {
    const needed = neededOutputs(input.pipeline, input.desiredOutput);
    if (input.force !== undefined && !needed.some((output) => output.name === input.force)) {
        neededOutputs(input.pipeline, input.force);
        throw new build_errors/* LoopliaError */.$K("config-invalid", `${input.force} is not needed for ${input.desiredOutput}`, {
            hint: "force one of its steps, or ask for a later output",
        });
    }
    const due = new Set();
    return needed.map((output) => {
        const reason = reasonToRun(input, output, due);
        if (reason !== undefined)
            due.add(output.name);
        return { output: output.name, due: reason !== undefined, reason: reason ?? "up to date" };
    });
}
function neededOutputs(pipeline, desired) {
    const names = pipeline.outputs.map((output) => output.name);
    if (!names.includes(desired)) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `pipeline ${pipeline.name} has no output ${JSON.stringify(desired)}`, {
            hint: `it has ${names.join(", ")}`,
        });
    }
    const needed = new Set([desired]);
    for (const output of pipeline.outputs.toReversed()) {
        if (needed.has(output.name))
            for (const name of output.requires)
                needed.add(name);
    }
    return pipeline.outputs.filter((output) => needed.has(output.name));
}
function reasonToRun(input, output, due) {
    const { manifest, sourceHash, observed, force } = input;
    const recorded = manifest.sourceHash;
    if (recorded !== undefined && recorded !== sourceHash)
        return "the source changed";
    if (output.name === force)
        return "forced";
    const step = manifest.steps.get(output.name);
    if (step?.status !== "completed")
        return reasonOfStatus(step);
    const file = observed.get(output.name) ?? { missing: true };
    if ("missing" in file)
        return "its file is missing";
    if (file.problems.length > 0)
        return `its file is not valid: ${summarize(file.problems)}`;
    if (step.contentHash !== undefined && step.contentHash !== file.contentHash) {
        return "its file was changed since";
    }
    const again = output.requires.filter((name) => due.has(name));
    if (again.length > 0)
        return `needs ${again.join(" and ")}, which ${again.length > 1 ? "run" : "runs"} again`;
    if (step.inputsHash === undefined)
        return undefined;
    if (step.schemaVersion !== undefined && step.schemaVersion !== schema_version_SCHEMA_VERSION) {
        return `it was made for schema version ${step.schemaVersion}, now it is ${schema_version_SCHEMA_VERSION}`;
    }
    return step.inputsHash === input.inputsHashOf(output.name) ? undefined : "its inputs changed";
}
function reasonOfStatus(step) {
    switch (step?.status) {
        case "failed":
            return step.errorMessage ? `it failed before: ${step.errorMessage}` : "it failed before";
        case "in_progress":
            return "it was begun and not finished";
        default:
            return "not done yet";
    }
}
function summarize(problems) {
    const more = problems.length - 1;
    return `${problems[0] ?? ""}${more > 0 ? ` (and ${more} more)` : ""}`;
}
/** 16 hex digits over all inputs and the version of the built-in schemas; the order of `requiredHashes` is no matter. */
function hashInputs(inputs) {
    const required = [...inputs.requiredHashes].sort(([one], [other]) => (one < other ? -1 : 1));
    const { sourceHash, agentInstructions, schemaText, profileText } = inputs;
    return content_hash_hashContent(JSON.stringify([schema_version_SCHEMA_VERSION, sourceHash, required, agentInstructions, schemaText, profileText]));
}

;// CONCATENATED MODULE: ./build/content/inputs.js


/** Digests of what every step of this agent is made from now. */
function currentInputs(configuration, agent, sourceHash) {
    return {
        source: sourceHash,
        agent: content_hash_hashContent(instructionsOf(configuration.agents.get(agent), configuration.instructions)),
        profile: content_hash_hashContent(configuration.profileText),
    };
}
/** The hash of one output's inputs; `artifactHashes` by output name. */
function inputsHashOf(pipeline, name, inputs, artifactHashes) {
    const output = pipeline.outputs.find((candidate) => candidate.name === name);
    return hashInputs({
        sourceHash: inputs.source,
        requiredHashes: new Map((output?.requires ?? []).map((required) => [required, artifactHashes.get(required) ?? ""])),
        agentInstructions: inputs.agent,
        schemaText: output?.schema?.text ?? "",
        profileText: inputs.profile,
    });
}
function instructionsOf(agent, common) {
    return JSON.stringify([agent?.instructions ?? "", agent?.tools ?? null, agent?.model ?? null, common]);
}

;// CONCATENATED MODULE: ./build/content/item-title.js
// What a content item is called.
/** The front matter's title, else the first Markdown heading of the body, else the file's name. One line, never empty. */
function readTitle(given, body, source) {
    const named = typeof given === "string" || typeof given === "number" ? oneLine(String(given)) : "";
    return named || firstHeading(body) || fileName(source) || "item";
}
/** The last part of a path without its extension. */
function fileName(path) {
    const name = path.split("/").at(-1) ?? "";
    return oneLine(name.replace(/(?<=.)\.[^.]*$/, ""));
}
/** CommonMark headings (`#` or underlined), outside of fenced code. */
function firstHeading(body) {
    let fence;
    let above = "";
    for (const line of body.split(/\r?\n/)) {
        const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
        if (fence !== undefined) {
            if (mark?.startsWith(fence))
                fence = undefined;
            continue;
        }
        fence = mark;
        const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1]?.replace(/(?:^|[ \t])#+[ \t]*$/, "");
        if (heading && oneLine(heading))
            return oneLine(heading);
        if (above && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line))
            return above;
        above = /^ {0,3}[^\s>*+`~|<-]/.test(line) ? oneLine(line) : "";
    }
    return "";
}
function oneLine(text) {
    return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

;// CONCATENATED MODULE: ./build/content/item.js
// A content item: the bytes as they came, and what the program reads from them.




const item_MAX_BYTES = 10 * 1024 * 1024;
/** Throws `config-invalid`, naming the file, for what is empty, binary, over 10 MiB, not UTF-8 or broken. */
async function parseContentItem(source, bytes) {
    const text = decodeItem(source, bytes);
    const { data, body } = await parseFrontMatter(text, source);
    if (body.trim() === "")
        throw refusal(source, "has no text", "write something below its front matter");
    return {
        source,
        bytes,
        text,
        title: readTitle(data.get("title"), body, source),
        body,
        url: [data.get("url"), data.get("source_url")].find(isText) ?? "",
        slugHint: wordOf(data.get("id")),
        frontMatter: data,
        sourceHash: content_hash_hashContent(bytes),
    };
}
/** Words as Unicode segments them (UAX 29), so that scripts without spaces count as well. Its first call is slow. */
function countWords(text) {
    let words = 0;
    for (const segment of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) {
        if (segment.isWordLike)
            words += 1;
    }
    return words;
}
function decodeItem(source, bytes) {
    if (bytes.length > item_MAX_BYTES) {
        throw refusal(source, "is larger than 10 MiB", "split it, or keep only the text that matters");
    }
    if (bytes.includes(0)) {
        throw refusal(source, "is not a text file: it has NUL bytes", "save it as Markdown in UTF-8");
    }
    const text = decodeUtf8(bytes);
    if (text === undefined) {
        throw refusal(`${source}:${firstBrokenLine(bytes)}`, "is not UTF-8", "save the file as UTF-8");
    }
    if (text.trim() === "")
        throw refusal(source, "is empty", "give it a text, or leave it out");
    return text;
}
function decodeUtf8(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    }
    catch {
        return undefined;
    }
}
// A newline byte is never part of a longer UTF-8 sequence, so lines can be judged one by one.
function firstBrokenLine(bytes) {
    let line = 1;
    let start = 0;
    for (;;) {
        const end = bytes.indexOf(0x0a, start);
        if (end === -1 || decodeUtf8(bytes.subarray(start, end)) === undefined)
            return line;
        line += 1;
        start = end + 1;
    }
}
function wordOf(value) {
    return isText(value) || typeof value === "number" ? String(value) : undefined;
}
function isText(value) {
    return typeof value === "string" && value !== "";
}
function refusal(place, what, hint) {
    return new build_errors/* LoopliaError */.$K("config-invalid", `${place}: ${what}`, { hint });
}

;// CONCATENATED MODULE: ./build/content/manifest.js
/** A session in which nothing is done yet. `now` is ISO 8601. */
function createManifest(start, now) {
    const { sessionId, source, sourceHash, pipeline, desiredOutput } = start;
    return {
        version: 1,
        contentId: sessionId,
        source,
        pipeline: pipeline.name,
        desiredOutput,
        createdAt: now,
        updatedAt: now,
        sourceHash,
        steps: new Map(pipeline.outputs.map((output) => [output.name, { status: "pending" }])),
        extra: new Map(),
    };
}
/** The manifest with one step's state replaced. `now` is ISO 8601. */
function updateStep(manifest, output, step, now) {
    return { ...manifest, updatedAt: now, steps: new Map([...manifest.steps, [output, step]]) };
}
/**
 * The manifest as it must be on disk before the first due step begins: what is due, and what depends on it even where
 * this run does not need it, counts as done no more; with another source nothing does. Comes back itself when nothing
 * changes. `now` is ISO 8601.
 */
function applyPlan(manifest, plan, now) {
    const { sourceHash, desiredOutput, pipeline } = plan;
    const isNewSource = manifest.sourceHash !== undefined && manifest.sourceHash !== sourceHash;
    const due = plan.steps.filter((step) => step.due).map((step) => step.output);
    const stale = withDependents(pipeline, due);
    const undone = [...manifest.steps]
        .filter(([name, step]) => (isNewSource ? step.status !== "pending" : stale.has(name) && isDone(step)))
        .map(([name]) => name);
    const added = pipeline.outputs.map((output) => output.name).filter((name) => !manifest.steps.has(name));
    const isSame = manifest.sourceHash === sourceHash && manifest.desiredOutput === desiredOutput;
    if (isSame && undone.length + added.length === 0)
        return manifest;
    const pending = [...undone, ...added].map((name) => [name, { status: "pending" }]);
    const steps = new Map([...manifest.steps, ...pending]);
    return { ...manifest, sourceHash, desiredOutput, updatedAt: now, steps };
}
function isDone(step) {
    return step.status === "completed";
}
/** The outputs with all that are made from them. */
function withDependents(pipeline, outputs) {
    const stale = new Set(outputs);
    for (const { name, requires } of pipeline.outputs) {
        if (requires.some((required) => stale.has(required)))
            stale.add(name);
    }
    return stale;
}
/** Two-space JSON with a newline at the end. */
function serializeManifest(manifest) {
    const { steps, extra, ...known } = manifest;
    const whole = { ...known, steps: Object.fromEntries(steps), ...Object.fromEntries(extra) };
    return `${JSON.stringify(whole, null, 2)}\n`;
}

;// CONCATENATED MODULE: ./build/content/adopt-session.js

const LEGACY_VERSION = "0.4.0";
const LEGACY_ARTIFACTS = new Map([
    ["summary", "summary.json"],
    ["ideas", "ideas.json"],
    ["outline", "outline.json"],
    ["writing-kit", "writing-kit.json"],
]);
/**
 * The manifest of a folder without one, or undefined when it has no `content.md`. Writes nothing. Whether the
 * artifacts are valid is judged later, like those of any session. `createdAt` is the day in the session id.
 */
async function adoptSession(workspace, folder, sessionId) {
    const content = await workspace.read(`${folder}/content.md`);
    if (content === undefined)
        return undefined;
    const steps = new Map();
    for (const [output, artifact] of LEGACY_ARTIFACTS) {
        const bytes = await workspace.read(`${folder}/${artifact}`);
        if (bytes === undefined)
            continue;
        const contentHash = content_hash_hashContent(bytes);
        steps.set(output, { status: "completed", contentHash, schemaVersion: LEGACY_VERSION });
    }
    const createdAt = dayOf(sessionId).toISOString();
    return {
        version: 1,
        contentId: sessionId,
        source: `${folder}/content.md`,
        pipeline: "writing-kit",
        desiredOutput: "writing-kit",
        createdAt,
        updatedAt: createdAt,
        sourceHash: content_hash_hashContent(content),
        steps,
        extra: new Map(),
    };
}
function dayOf(sessionId) {
    const day = /(?:^|-)(\d{4}-\d{2}-\d{2})(?:-|$)/.exec(sessionId)?.[1];
    return new Date(Date.parse(day ?? "") || 0);
}

// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
;// CONCATENATED MODULE: ./build/content/describe-schema.js
// JSON Schema put into words and into an example shape: what hints are made from.
const describe_schema_MAX_DEPTH = 5;
/**
 * In words: `text of 10–200 characters`, `one of "a", "b"`, `a list of 3–7 items, each text`. `root` resolves local
 * `$ref`s. Undefined for a schema without a keyword that can be said in words.
 */
function describeSchema(schema, root = schema, depth = 0) {
    const node = resolveSchema(schema, root);
    const within = (inner) => wordsFor(inner, root, depth + 1);
    if (depth > describe_schema_MAX_DEPTH)
        return undefined;
    if (Array.isArray(node.enum))
        return `one of ${node.enum.map((value) => JSON.stringify(value)).join(", ")}`;
    if (node.const !== undefined)
        return JSON.stringify(node.const);
    const choices = node.anyOf ?? node.oneOf;
    if (Array.isArray(choices))
        return choices.map(within).join(" or ");
    if (Array.isArray(node.type))
        return node.type.map((type) => within({ ...node, type })).join(" or ");
    switch (node.type) {
        case "string":
            return `text${range(node.minLength, node.maxLength, "characters")}${patternOf(node)}`;
        case "integer":
            return `a whole number${numberRange(node)}`;
        case "number":
            return `a number${numberRange(node)}`;
        case "boolean":
            return "true or false";
        case "null":
            return "null";
        case "array":
            return `a list${range(node.minItems, node.maxItems, "items")}${node.items ? `, each ${within(node.items)}` : ""}`;
        case "object":
            return `an object${fieldNames(node)}`;
        default:
            return undefined;
    }
}
/** An example of the right shape: texts and numbers are replaced by what they must be; optional fields end in `?`. */
function shapeOf(schema, root = schema, depth = 0) {
    const node = resolveSchema(schema, root);
    const within = (inner) => (isSchema(inner) ? shapeOf(inner, root, depth + 1) : "<any value>");
    if (node.type === "array" && depth < describe_schema_MAX_DEPTH)
        return [within(node.items)];
    if (node.type !== "object" || !isSchema(node.properties) || depth >= describe_schema_MAX_DEPTH) {
        return `<${wordsFor(node, root, 0)}>`;
    }
    const required = requiredOf(node);
    return Object.fromEntries(Object.entries(node.properties).map(([key, inner]) => [
        required.has(key) ? key : `${key}?`,
        within(inner),
    ]));
}
/** The schema of the value at `path`, or undefined where the schema does not say. */
function schemaAt(root, path) {
    let node = root;
    for (const key of path) {
        if (!isSchema(node))
            return undefined;
        const here = resolveSchema(node, root);
        node = typeof key === "number" ? here.items : propertyOf(here, String(key));
    }
    return isSchema(node) ? resolveSchema(node, root) : undefined;
}
function propertyOf(node, key) {
    const properties = isSchema(node.properties) ? node.properties : {};
    const found = Object.hasOwn(properties, key) ? properties[key] : node.additionalProperties;
    return isSchema(found) ? found : undefined;
}
function wordsFor(schema, root, depth) {
    return (isSchema(schema) ? describeSchema(schema, root, depth) : undefined) ?? "any value";
}
function resolveSchema(node, root, hops = 0) {
    const reference = node.$ref;
    if (typeof reference !== "string" || !reference.startsWith("#") || hops > 10)
        return node;
    let target = root;
    for (const part of reference.split("/").slice(1)) {
        const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
        target = isSchema(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    return isSchema(target) ? resolveSchema(target, root, hops + 1) : node;
}
function isSchema(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function requiredOf(node) {
    return new Set(Array.isArray(node.required) ? node.required : []);
}
function fieldNames(node) {
    if (!isSchema(node.properties))
        return "";
    const required = requiredOf(node);
    const names = Object.keys(node.properties).map((key) => (required.has(key) ? key : `${key}?`));
    return names.length > 0 ? ` with ${names.join(", ")}` : "";
}
function patternOf(node) {
    if (typeof node.description === "string" && node.pattern !== undefined)
        return ` (${node.description})`;
    return typeof node.pattern === "string" ? ` matching ${node.pattern}` : "";
}
function range(min, max, noun) {
    if (typeof min === "number" && typeof max === "number" && min > 0) {
        return ` of ${min === max ? min : `${min}–${max}`} ${noun}`;
    }
    if (typeof min === "number" && min > 0)
        return ` of at least ${min} ${min === 1 ? noun.slice(0, -1) : noun}`;
    return typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? ` of at most ${max} ${noun}` : "";
}
function numberRange(node) {
    const { minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below } = node;
    if (typeof min === "number" && typeof max === "number")
        return ` from ${min} to ${max}`;
    const parts = [
        typeof min === "number" && min > Number.MIN_SAFE_INTEGER ? `of at least ${min}` : "",
        typeof above === "number" ? `above ${above}` : "",
        typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? `of at most ${max}` : "",
        typeof below === "number" ? `below ${below}` : "",
    ].filter((part) => part !== "");
    return parts.length > 0 ? ` ${parts.join(" and ")}` : "";
}

// EXTERNAL MODULE: ./build/content/problem.js
var problem = __webpack_require__(95897);
;// CONCATENATED MODULE: ./build/content/check-schema.js



/** Nobody reads more at once, and a hostile value must not cost more. */
const MAX_PROBLEMS = 200;
/** The program's schema of an output, or undefined where the pipeline brings its own or the file has none. */
async function builtInSchema({ artifact, schema }) {
    if (schema)
        return undefined;
    const { artifactSchemas } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(50)]).then(__webpack_require__.bind(__webpack_require__, 19050));
    return artifactSchemas.get(artifact);
}
/** Holds a value against a built-in schema. */
async function checkBuiltIn(builtIn, value) {
    const parsed = builtIn.safeParse(value);
    if (parsed.success)
        return { value: parsed.data, problems: [], schema: {} };
    const { toJSONSchema } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(618)]).then(__webpack_require__.bind(__webpack_require__, 82618));
    const schema = toJSONSchema(builtIn);
    const problems = parsed.error.issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => problemAt(schema, value, path, message));
    return { value, problems: onePerField(problems), schema };
}
/** Holds a value against a pipeline's own schema file. Throws `config-invalid` when that file is not a schema. */
async function checkBySchemaFile(own, value) {
    const check = (await compileJsonSchema(own.text, own.file))(value);
    const schema = JSON.parse(own.text.replace(/^\uFEFF/, ""));
    if (check.fits)
        return { value, problems: [], schema };
    const problems = check.errors.slice(0, MAX_PROBLEMS).map((error) => problemOf(schema, value, error));
    return { value, problems: onePerField(problems), schema };
}
function problemOf(schema, value, error) {
    const path = readPointer(error.instancePath, value);
    const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
    const surplus = additionalProperty ?? unevaluatedProperty;
    if (typeof surplus === "string") {
        const here = [...path, surplus];
        return {
            field: (0,problem/* fieldName */.w5)(here),
            expected: "no such field",
            received: (0,problem/* describeReceived */.Jr)(valueAt(value, here)),
        };
    }
    const missing = typeof missingProperty === "string" ? [missingProperty] : [];
    return problemAt(schema, value, [...path, ...missing], error.message ?? "a value that fits");
}
function problemAt(schema, value, path, message) {
    const here = schemaAt(schema, path);
    const received = (0,problem/* describeReceived */.Jr)(valueAt(value, path));
    const expected = here && describeSchema(here, schema);
    return { field: (0,problem/* fieldName */.w5)(path), expected: expected ?? `a value that ${message}`, received };
}
/** RFC 6901; a part is an index only where the value has a list. */
function readPointer(pointer, root) {
    let value = root;
    return pointer
        .split("/")
        .slice(1)
        .map((part) => {
        const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
        const found = Array.isArray(value) ? Number(key) : key;
        value = valueAt(value, [found]);
        return found;
    });
}
function valueAt(root, path) {
    let value = root;
    for (const key of path) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
            return undefined;
        value = Reflect.get(value, key);
    }
    return value;
}
// Branches of a choice fail one by one and the choice itself last: what came last says most.
function onePerField(problems) {
    return [...new Map(problems.map((problem) => [problem.field, problem])).values()];
}

// EXTERNAL MODULE: ./build/content/json-limits.js
var json_limits = __webpack_require__(85287);
;// CONCATENATED MODULE: ./build/content/relevance.js
const WORDS_PER_MINUTE = 250;
const NO_TOPICS = 0.5;
/**
 * Share, 0–1, of the profile's interest that the texts cover: the interest levels of topics found over those of all
 * topics (INTERFACE §7; the fifths cancel out). A topic is found as whole words in any one text, in any case.
 */
function computeRelevance(profile, texts) {
    const topics = profile?.topics ?? [];
    const all = sumOf(topics.map((topic) => topic.interestLevel));
    if (all === 0)
        return NO_TOPICS;
    const folded = texts.map(foldText);
    const found = topics.filter(({ topic }) => {
        const pattern = wholeWords(topic);
        return pattern !== undefined && folded.some((text) => pattern.test(text));
    });
    return sumOf(found.map((topic) => topic.interestLevel)) / all;
}
/** Minutes to read that many words, rounded up; at least 1. */
function readingMinutes(words) {
    return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
/** NFC with white space collapsed: the form in which texts are compared. */
function foldText(text) {
    return text.normalize("NFC").replace(/\s+/g, " ").trim();
}
// Scripts that are written without spaces have no visible word ends: there any place will do.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const INSIDE_WORD = "[\\p{L}\\p{M}\\p{N}_]";
function wholeWords(topic) {
    const words = foldText(topic);
    const [first] = words;
    if (first === undefined)
        return undefined;
    const before = UNSPACED.test(first) ? "" : `(?<!${INSIDE_WORD})`;
    const after = UNSPACED.test([...words].at(-1) ?? "") ? "" : `(?!${INSIDE_WORD})`;
    return new RegExp(before + words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + after, "iu");
}
function sumOf(numbers) {
    return numbers.reduce((sum, number) => sum + number, 0);
}

;// CONCATENATED MODULE: ./build/content/program-fields.js



/** A copy of a built-in artifact with the program's fields set; what is no object comes back as it is. */
function setProgramFields(artifact, value, facts) {
    if (!(0,json/* isObject */.Gv)(value))
        return value;
    const named = { ...value, contentId: facts.sessionId };
    if (artifact === "summary.json")
        return summaryFields(named, facts);
    return artifact === "writing-kit.json" ? kitFields(named, facts) : named;
}
function summaryFields(value, { profile, item }) {
    const texts = [value.headline, value.tags, value.keyThemes]
        .flat()
        .filter((text) => typeof text === "string");
    return { ...value, score: { relevanceToUser: computeRelevance(profile, [...texts, item.text]) } };
}
function kitFields(value, facts) {
    const { item, sessionId, artifacts } = facts;
    const copy = (file, sent) => (artifacts.has(file) ? artifacts.get(file) : sent);
    const summary = copy("summary.json", value.summary);
    return {
        ...value,
        source: { id: sessionId, label: item.title, url: item.url },
        summary,
        ideas: copy("ideas.json", value.ideas),
        suggestedOutline: copy("outline.json", value.suggestedOutline),
        meta: {
            relevanceToUser: relevanceOf(summary, facts),
            estimatedReadingTimeMinutes: readingMinutes(countWords(item.body)),
        },
    };
}
function relevanceOf(summary, { profile, item }) {
    const score = (0,json/* isObject */.Gv)(summary) && (0,json/* isObject */.Gv)(summary.score) ? summary.score : {};
    return score.relevanceToUser ?? computeRelevance(profile, [item.text]);
}

;// CONCATENATED MODULE: ./build/content/artifact.js









const MAX_SHOWN = 50;
const MAX_HINT = 4000;
/** A kit holds copies of three artifacts. */
const MAX_STORED_BYTES = 4 * json_limits/* MAX_SENT_BYTES */.g;
/**
 * Judges what a model sent for an output. `text` is the file to write, two-space JSON with the program's fields set,
 * and `contentHash` its hash. Lists all problems; the hint is made from the schema and the fields that failed.
 */
async function checkArtifact(input) {
    const { output } = input;
    const sent = readSent(input.value);
    const isOwn = (await builtInSchema(output)) === undefined;
    if ("problem" in sent && !isOwn)
        return refuse(output, [sent.problem], {});
    const unsound = (0,json_limits/* findUnsoundJson */.M)(sent.value);
    if (unsound.length > 0)
        return refuse(output, unsound, {});
    const value = isOwn ? sent.value : setProgramFields(output.artifact, sent.value, input);
    const checked = await checkValue(output, value, input.item);
    if (checked.problems.length > 0)
        return refuse(output, checked.problems, checked.schema);
    const text = `${JSON.stringify(checked.value, null, 2)}\n`;
    return { ok: true, value: checked.value, text, contentHash: content_hash_hashContent(text) };
}
/** Judges an artifact's file as it stands; `problems` is empty for a valid one. Without an item quotes are not checked. */
async function checkStoredArtifact(output, bytes, item) {
    const contentHash = content_hash_hashContent(bytes);
    let value;
    try {
        value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    }
    catch (error) {
        return { contentHash, problems: [`is not JSON: ${(0,build_errors/* messageOf */.bD)(error)}`] };
    }
    const unsound = (0,json_limits/* findUnsoundJson */.M)(value, MAX_STORED_BYTES);
    const { problems } = unsound.length > 0 ? { problems: unsound } : await checkValue(output, value, item);
    return { contentHash, problems: problems.map(problem/* formatProblem */.Vw) };
}
async function checkValue(output, value, item) {
    if (output.schema)
        return checkBySchemaFile(output.schema, value);
    const builtIn = await builtInSchema(output);
    if (!builtIn)
        return { value, problems: [], schema: {} };
    const checked = await checkBuiltIn(builtIn, value);
    const strayQuotes = item ? findStrayQuotes(output.artifact, value, item) : [];
    return { ...checked, problems: [...checked.problems, ...strayQuotes] };
}
/** Models like to send JSON as a text: that is read. Another text stays a text. */
function readSent(value) {
    if (typeof value !== "string" || !/^\s*[[{]/.test(value))
        return { value };
    try {
        return { value: JSON.parse(value) };
    }
    catch (error) {
        const received = `text that is not JSON (${(0,build_errors/* messageOf */.bD)(error)}): ${(0,problem/* describeReceived */.Jr)(value)}`;
        return { value, problem: { field: (0,problem/* fieldName */.w5)([]), expected: "a JSON value", received } };
    }
}
function findStrayQuotes(artifact, value, item) {
    const isKit = artifact === "writing-kit.json";
    const summary = isKit && (0,json/* isObject */.Gv)(value) ? value.summary : value;
    if ((artifact !== "summary.json" && !isKit) || !(0,json/* isObject */.Gv)(summary))
        return [];
    const quotes = Array.isArray(summary.importantQuotes) ? summary.importantQuotes : [];
    const source = quotes.length > 0 ? foldText(item.text) : "";
    return quotes.flatMap((quote, index) => {
        const text = (0,json/* isObject */.Gv)(quote) ? quote.text : undefined;
        if (typeof text !== "string" || (foldText(text) !== "" && source.includes(foldText(text))))
            return [];
        const path = [...(isKit ? ["summary"] : []), "importantQuotes", index, "text"];
        const expected = `words that stand exactly so in ${item.source}`;
        return [{ field: (0,problem/* fieldName */.w5)(path), expected, received: (0,problem/* describeReceived */.Jr)(text) }];
    });
}
function refuse(output, problems, schema) {
    const errors = problems.slice(0, MAX_SHOWN).map(problem/* formatProblem */.Vw);
    if (problems.length > errors.length)
        errors.push("and more of the same");
    return { ok: false, problems, errors, hint: artifact_hintFor(output.artifact, problems, schema) };
}
function artifact_hintFor(artifact, problems, schema) {
    const fields = [...new Set(problems.map((problem) => problem.field.split(/[.[]/)[0] ?? ""))];
    const shapes = fields.flatMap((field) => {
        const found = schemaAt(schema, [field]);
        return found ? [[field, shapeOf(found, schema)]] : [];
    });
    const isWhole = shapes.length < fields.length && Object.keys(schema).length > 0;
    const shape = JSON.stringify(isWhole ? shapeOf(schema) : Object.fromEntries(shapes));
    const task = `Mend this and send all of ${artifact} again.`;
    if (shape === "{}")
        return task;
    const like = isWhole ? `${artifact} looks like this` : "These fields look like this";
    return `${task} ${like}: ${shape.length > MAX_HINT ? `${shape.slice(0, MAX_HINT).toWellFormed()}…` : shape}`;
}

;// CONCATENATED MODULE: ./build/content/session-id.js
// Ids of sessions and works: they become paths and refs, so their form is checked, and no model is asked for them.



const session_id_ID = /^[a-z0-9][a-z0-9-]{0,80}$/;
const MAX_SLUG = 60;
/** True for what may name a session or a work: safe as part of a path and of a ref. */
function isSessionId(text) {
    return session_id_ID.test(text);
}
/** Lower-case letters, digits and single hyphens, at most 60; empty when nothing is left. */
function slugify(text) {
    const plain = text
        .slice(0, 1000)
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replaceAll("ß", "ss");
    const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
    if (slug.length <= MAX_SLUG)
        return slug;
    const cut = slug.slice(0, MAX_SLUG + 1).replace(/-[^-]*$/, "");
    return (cut.length <= MAX_SLUG ? cut : slug.slice(0, MAX_SLUG)).replace(/-+$/, "");
}
/** `<slug>-<YYYY-MM-DD>-<6 hex>`; the day is UTC's, the slug from the hint, else the title, else the file name. */
function createSessionId(item, now, randomHex6) {
    const names = [item.slugHint ?? "", item.title, fileName(item.source)];
    const slug = names.map(slugify).find((name) => name !== "") ?? "item";
    return `${slug}-${now.toISOString().slice(0, 10)}-${randomHex6}`;
}
/** `<name>-<6 hex>`: the same for the same key, whatever the order of the key's fields. */
function createWorkId(name, key) {
    return `${slugify(name) || "work"}-${hashContent(canonicalize(key) ?? "").slice(0, 6)}`;
}

;// CONCATENATED MODULE: ./build/content/session-folder.js







const SESSIONS = ".looplia/contentItem";
/** The session's folder, relative to the workspace root. Throws `config-invalid` for what is no session id. */
function sessionFolder(sessionId) {
    if (isSessionId(sessionId))
        return `${SESSIONS}/${sessionId}`;
    throw new build_errors/* LoopliaError */.$K("config-invalid", `${JSON.stringify(sessionId.slice(0, 100))} is not a session id`, {
        hint: "a session id has lower-case letters, digits and hyphens only, at most 81",
    });
}
/** Reads a session, older forms included. Throws `config-invalid` when there is none or its manifest is unreadable. */
async function session_folder_readSession(workspace, sessionId, pipelines) {
    const found = await readManifest(workspace, sessionId);
    if (found === undefined) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `there is no session ${sessionId} in ${SESSIONS}`, {
            hint: "`looplia status` lists the sessions",
        });
    }
    return readRest(workspace, found, pipelines.get(found.manifest.pipeline));
}
/**
 * The newest session of an item and pipeline, completed ones too, or undefined. Throws `config-invalid` where one of
 * the item's cannot be read; an unreadable one of another item is passed over, and `notice` is told why.
 */
async function findSession(workspace, item, pipeline, notice = () => { }) {
    let newest;
    for (const { name, isFolder } of await workspace.list(SESSIONS)) {
        if (!isFolder)
            continue;
        const found = await readManifest(workspace, name).catch(async (error) => {
            if (!(error instanceof build_errors/* LoopliaError */.$K) || (await seemsOf(workspace, name, item, pipeline)))
                throw error;
            notice(`passed over session ${name}: ${(0,build_errors/* messageOf */.bD)(error)}`);
            return undefined;
        });
        if (found?.manifest.source !== item.source || found.manifest.pipeline !== pipeline.name)
            continue;
        if (newest === undefined || ageOf(found) >= ageOf(newest))
            newest = found;
    }
    return newest && readRest(workspace, newest, pipeline);
}
/** Throws `config-invalid` where no session can be because the folder of all is none. */
async function requireSessionsFolder(workspace) {
    await workspace.list(SESSIONS);
}
/** Begins a session's folder. Never overwrites: throws `config-invalid` where a session stands already. */
async function createSessionFolder(workspace, manifest, bytes) {
    const folder = sessionFolder(manifest.contentId);
    for (const file of ["session.json", "content.md"]) {
        if ((await workspace.read(`${folder}/${file}`)) === undefined)
            continue;
        throw new build_errors/* LoopliaError */.$K("config-invalid", `${folder}/${file} is there already`, {
            hint: `continue that session with --session-id ${manifest.contentId}`,
        });
    }
    // The manifest first: it names the source, from which a killed run can still make the copy.
    await writeManifest(workspace, manifest);
    await writeContent(workspace, manifest.contentId, bytes);
}
/** Writes `session.json` atomically. */
function writeManifest(workspace, manifest) {
    const file = `${sessionFolder(manifest.contentId)}/session.json`;
    return workspace.writeAtomic(file, serializeManifest(manifest));
}
/** Writes `content.md`, a byte copy of the item. */
function writeContent(workspace, sessionId, bytes) {
    return workspace.writeAtomic(`${sessionFolder(sessionId)}/content.md`, bytes);
}
/** Whether an unreadable manifest is the item's: by what can still be read of it, else by the copy beside it. */
async function seemsOf(workspace, sessionId, item, pipeline) {
    if (!isSessionId(sessionId))
        return false;
    const read = (file) => workspace.read(`${SESSIONS}/${sessionId}/${file}`).catch((error) => {
        if (error instanceof build_errors/* LoopliaError */.$K)
            return undefined;
        throw error;
    });
    const text = new TextDecoder().decode(await read("session.json"));
    const found = (field) => new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1];
    const source = found("source");
    if ((found("pipeline") ?? JSON.stringify(pipeline.name)) !== JSON.stringify(pipeline.name))
        return false;
    if (source !== undefined)
        return source === JSON.stringify(item.source);
    const content = await read("content.md");
    return content !== undefined && content_hash_hashContent(content) === item.sourceHash;
}
async function readManifest(workspace, sessionId) {
    const folder = sessionFolder(sessionId);
    const bytes = await workspace.read(`${folder}/session.json`);
    if (bytes) {
        const { parseManifest } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(291)]).then(__webpack_require__.bind(__webpack_require__, 69291));
        return parseManifest(new TextDecoder().decode(bytes), `${folder}/session.json`);
    }
    const manifest = await adoptSession(workspace, folder, sessionId);
    return manifest && { manifest, upgraded: true };
}
async function readRest(workspace, found, pipeline) {
    const { manifest } = found;
    const folder = sessionFolder(manifest.contentId);
    const content = await workspace.read(`${folder}/content.md`);
    const contentHash = content ? content_hash_hashContent(content) : "";
    const item = content && (await sameItem(manifest, content, contentHash));
    const observed = new Map();
    for (const output of pipeline?.outputs ?? []) {
        const bytes = await workspace.read(`${folder}/${output.artifact}`);
        observed.set(output.name, bytes ? await checkStoredArtifact(output, bytes, item) : { missing: true });
    }
    return { ...found, content, contentHash, observed };
}
// A copy that someone changed is no measure for the quotes in the artifacts.
async function sameItem(manifest, content, hash) {
    if (manifest.sourceHash !== undefined && manifest.sourceHash !== hash)
        return undefined;
    try {
        return await parseContentItem(manifest.source, content);
    }
    catch (error) {
        if (error instanceof build_errors/* LoopliaError */.$K)
            return undefined;
        throw error;
    }
}
function ageOf({ manifest }) {
    return Date.parse(manifest.createdAt) || 0;
}

;// CONCATENATED MODULE: ./build/content/open-session.js
// Finds or begins the session of an item and decides what is due in it. Changes nothing on disk.







/** The pipeline of that name. Throws `config-invalid` with the names there are. */
function pipelineNamed(ports, name) {
    const pipeline = ports.configuration.pipelines.get(name);
    if (pipeline)
        return pipeline;
    const names = [...ports.configuration.pipelines.keys()].join(", ");
    throw new build_errors/* LoopliaError */.$K("config-invalid", `There is no pipeline ${JSON.stringify(name)}.`, {
        hint: `There are: ${names}.`,
    });
}
/** Plans an item: the newest session of the same source and pipeline goes on, unless a fresh one is wanted. */
async function planItem(ports, settings, source) {
    const item = await parseContentItem(source.path, source.bytes);
    const pipeline = pipelineNamed(ports, settings.pipeline);
    if (source.fresh)
        await requireSessionsFolder(ports.workspace);
    const found = source.fresh
        ? undefined
        : await findSession(ports.workspace, item, pipeline, (message) => ports.observe({ type: "notice", level: "warning", message }));
    if (found)
        return planFound(ports, settings, item, pipeline, found);
    const sessionId = createSessionId(item, ports.clock.now(), ports.ids.hex(3));
    const desiredOutput = settings.output ?? pipeline.final;
    const { sourceHash } = item;
    const start = { sessionId, source: source.path, pipeline, desiredOutput, sourceHash };
    const manifest = createManifest(start, ports.clock.now().toISOString());
    const plans = plan(ports, settings, item, pipeline, desiredOutput, { manifest, observed: new Map() });
    const folder = sessionFolder(sessionId);
    return {
        sessionId,
        folder,
        item,
        pipeline,
        manifest,
        isNew: true,
        isSourceChanged: false,
        desiredOutput,
        plans,
    };
}
/** Plans a session by its id, from its source; where that is gone, from its copy `content.md`. */
async function planSession(ports, settings, sessionId) {
    return planKnown(ports, sessionId, () => settings);
}
/** As `planSession`, but no further than the output that was asked for when the question was raised. */
async function planAnswered(ports, settings, sessionId) {
    return planKnown(ports, sessionId, ({ desiredOutput }, pipeline) => pipeline.outputs.some((output) => output.name === desiredOutput)
        ? { output: desiredOutput, ...settings }
        : settings);
}
async function planKnown(ports, sessionId, settingsFor) {
    const found = await session_folder_readSession(ports.workspace, sessionId, ports.configuration.pipelines);
    const { source } = found.manifest;
    const bytes = (await ports.readSource(source)) ?? found.content;
    if (!bytes) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `The source of ${sessionId} is gone: ${source}.`, {
            hint: "There is no copy in its folder either. Begin a new session with --file.",
        });
    }
    const pipeline = pipelineNamed(ports, found.manifest.pipeline);
    const settings = settingsFor(found.manifest, pipeline);
    return planFound(ports, settings, await parseContentItem(source, bytes), pipeline, found);
}
function planFound(ports, settings, item, pipeline, found) {
    const desiredOutput = settings.output ?? pipeline.final;
    const sessionId = found.manifest.contentId;
    return {
        sessionId,
        folder: sessionFolder(sessionId),
        item,
        pipeline,
        manifest: found.manifest,
        isNew: false,
        isSourceChanged: found.contentHash !== item.sourceHash,
        desiredOutput,
        plans: plan(ports, settings, item, pipeline, desiredOutput, found),
    };
}
function plan(ports, settings, item, pipeline, desiredOutput, found) {
    const hashes = new Map();
    for (const [name, seen] of found.observed)
        if ("contentHash" in seen)
            hashes.set(name, seen.contentHash);
    const agentOf = new Map(pipeline.outputs.map((output) => [output.name, output.agent]));
    return planSteps({
        pipeline,
        manifest: found.manifest,
        sourceHash: item.sourceHash,
        observed: found.observed,
        inputsHashOf: (name) => inputsHashOf(pipeline, name, currentInputs(ports.configuration, agentOf.get(name) ?? "", item.sourceHash), hashes),
        desiredOutput,
        ...(settings.force === undefined ? {} : { force: settings.force }),
    });
}

;// CONCATENATED MODULE: ./build/session/state.js
/** A model may repeat its call ids in another conversation: the pair is unique. */
function callKey(conversationId, toolCallId) {
    return `${conversationId}\n${toolCallId}`;
}
function emptyState() {
    return { tasks: new Map(), interactions: new Map(), calls: new Map() };
}
/** Applies one event in place. An event about something unknown changes nothing. */
function applyEvent(state, event) {
    switch (event.type) {
        case "TaskCreated":
            state.tasks.set(event.payload.taskId, {
                ...event.payload,
                status: "created",
                attempt: (state.tasks.get(event.payload.taskId)?.attempt ?? 0) + 1,
                accepted: new Map(),
                refusals: new Map(),
            });
            return;
        case "TaskStarted":
            setStatus(state, event.payload.taskId, "started");
            return;
        case "TaskCompleted":
            endTask(state, event.payload.taskId, "completed");
            return;
        case "TaskFailed":
            endTask(state, event.payload.taskId, "failed");
            return;
        case "TaskCanceled":
            endTask(state, event.payload.taskId, "canceled");
            return;
        case "UserInteractionRequested":
            state.interactions.set(event.payload.interactionId, { request: event.payload });
            return;
        case "UserInteractionResponded": {
            const interaction = state.interactions.get(event.payload.interactionId);
            if (interaction && !interaction.response && !interaction.closed)
                interaction.response = event.payload;
            return;
        }
        case "ToolCallStarted":
            state.calls.set(callKey(event.payload.conversationId, event.payload.toolCallId), {});
            return;
        case "ToolCallSettled":
            state.calls.set(callKey(event.payload.conversationId, event.payload.toolCallId), {
                outcome: event.payload.outcome,
            });
            return;
        case "ArtifactAccepted":
            state.tasks.get(event.payload.taskId)?.accepted.set(event.payload.output, event.payload.contentHash);
            return;
        case "ArtifactRefused": {
            const { output, errors, callId } = event.payload;
            const refusals = state.tasks.get(event.payload.taskId)?.refusals;
            const last = refusals?.get(output);
            // A call that was killed before its result is made again: no other try.
            if (last && callId !== undefined && last.callId === callId)
                return;
            const count = (last?.count ?? 0) + 1;
            refusals?.set(output, { count, errors, ...(callId === undefined ? {} : { callId }) });
        }
    }
}
function foldEvents(events) {
    const state = emptyState();
    for (const event of events)
        applyEvent(state, event);
    return state;
}
/** Requests that still wait for an answer, oldest first. */
function openInteractions(state) {
    return [...state.interactions.values()]
        .filter((interaction) => !interaction.response && !interaction.closed)
        .map((interaction) => interaction.request);
}
/** True while a task's conversation may still go on. */
function isOpen(task) {
    return task?.status === "created" || task?.status === "started";
}
function setStatus(state, taskId, status) {
    const task = state.tasks.get(taskId);
    if (task)
        task.status = status;
}
function endTask(state, taskId, status) {
    setStatus(state, taskId, status);
    for (const interaction of state.interactions.values()) {
        if (interaction.request.taskId === taskId && !interaction.response)
            interaction.closed = true;
    }
}

;// CONCATENATED MODULE: ./build/content/session-run.js


/** Changes steps of the manifest and makes the change durable before it resolves. */
function saveSteps(run, changes) {
    const save = async () => {
        const now = run.session.clock.now().toISOString();
        let manifest = run.manifest;
        for (const [output, step] of changes)
            manifest = updateStep(manifest, output, step, now);
        await writeManifest(run.session.workspace, manifest);
        run.manifest = manifest;
    };
    const saved = run.saving.last.then(save, save);
    run.saving.last = saved.catch(() => undefined);
    return saved;
}
/** True when everything that the group builds on is completed. */
function isReady(run, group) {
    const own = new Set(group.outputs);
    return run.pipeline.outputs
        .filter((output) => own.has(output.name))
        .flatMap((output) => output.requires)
        .every((name) => own.has(name) || run.manifest.steps.get(name)?.status === "completed");
}

;// CONCATENATED MODULE: ./build/content/end-task.js



/** Marks all outputs of a task completed in one write. */
async function completeTask(run, task) {
    const completedAt = run.session.clock.now().toISOString();
    const hashes = new Map();
    for (const [name, step] of run.manifest.steps)
        if (step.contentHash)
            hashes.set(name, step.contentHash);
    for (const [name, contentHash] of task.accepted)
        hashes.set(name, contentHash);
    const changes = new Map();
    for (const name of task.outputs) {
        const inputsHash = inputsHashOf(run.pipeline, name, task.inputs, hashes);
        const contentHash = hashes.get(name) ?? "";
        changes.set(name, {
            status: "completed",
            contentHash,
            inputsHash,
            completedAt,
            schemaVersion: schema_version_SCHEMA_VERSION,
        });
    }
    await saveSteps(run, changes);
    await recordCompletion(run, task);
}
/** The event that follows the manifest; also for a task whose run was killed between the two. */
async function recordCompletion(run, task) {
    await run.session.journal.append({
        store: "events",
        type: "TaskCompleted",
        payload: { taskId: task.taskId },
    });
    observeSteps(run, task, "completed");
    await tellHost(run, task, "completed");
}
/** Ends the attempt: a later run begins the task anew. */
async function failTask(run, task, reasonCode, message) {
    const { taskId } = task;
    await run.session.journal.append({
        store: "events",
        type: "TaskFailed",
        payload: { taskId, reasonCode, message },
    });
    await markFailed(run, task, message);
}
/** Marks the steps failed; the attempt itself may still go on in a later run. */
async function markFailed(run, task, message) {
    await saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "failed", errorMessage: message }])));
    observeSteps(run, task, "failed", message);
    await tellHost(run, task, "failed");
}
/** Tells the observer about each step of a task. */
function observeSteps(run, task, status, message) {
    for (const output of task.outputs) {
        const { sessionId } = run;
        const said = message === undefined ? {} : { message };
        run.session.observe({ type: "step", sessionId, output, agent: task.agent, status, ...said });
    }
}
function tellHost(run, task, status) {
    const { sessionId, folder, item } = run;
    return run.session.host.taskEnded({ sessionId, folder, title: item.title, outputs: task.outputs, status });
}

;// CONCATENATED MODULE: ./build/content/read-artifacts.js

/** Names of the outputs whose artifact stands. */
function usableOutputs(run, task) {
    return new Set(run.pipeline.outputs
        .map((output) => output.name)
        .filter((name) => task?.accepted.has(name) || run.manifest.steps.get(name)?.status === "completed"));
}
/** Values of the named outputs by artifact file name; a file that is missing or no JSON is left out. */
async function readArtifacts(run, names) {
    const values = new Map();
    for (const output of run.pipeline.outputs) {
        if (!names.has(output.name))
            continue;
        const bytes = await run.session.workspace.read(`${run.folder}/${output.artifact}`);
        const value = bytes && parseJson(bytes);
        if (value !== undefined)
            values.set(output.artifact, value);
    }
    return values;
}
/** The file of an output that the task delivered and that is no longer what was accepted, or undefined. */
async function findChangedArtifact(run, task) {
    for (const { name, artifact } of run.pipeline.outputs) {
        const accepted = task.accepted.get(name);
        if (accepted === undefined)
            continue;
        const bytes = await run.session.workspace.read(`${run.folder}/${artifact}`);
        if (!bytes || content_hash_hashContent(bytes) !== accepted)
            return artifact;
    }
    return undefined;
}
function parseJson(bytes) {
    try {
        return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/content/open-tasks.js
// Tasks that an earlier run left open: which may go on in their conversation, and which begin anew.




/** Completes what was marked but for its event, and cancels what can't go on: its questions are closed. */
async function settleOpenTasks(run, groups, settings) {
    const { journal } = run.session;
    for (const task of [...journal.state.tasks.values()]) {
        if (!isOpen(task))
            continue;
        const isStanding = task.outputs.every((name) => run.manifest.steps.get(name)?.status === "completed");
        if (task.outputs.length > 0 && isStanding) {
            await recordCompletion(run, task);
            continue;
        }
        const reason = await whyAnew(run, groups, settings, task);
        if (reason === undefined)
            continue;
        const { taskId } = task;
        await journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
    }
}
/**
 * Why an open task can't go on as it was begun, as a piece of a sentence; undefined when it can. A task without outputs
 * is the main agent's.
 */
async function whyAnew(run, groups, settings, task) {
    if (task.inputs.source !== run.item.sourceHash)
        return "the source changed";
    if (task.outputs.length === 0) {
        return settings.orchestration === "agent" ? undefined : "the program leads the session now";
    }
    const own = new Set(task.outputs);
    const outputs = run.pipeline.outputs.filter((output) => own.has(output.name));
    if (outputs.length < own.size)
        return "the pipeline has no such step any more";
    if (outputs.some((output) => output.agent !== task.agent))
        return "its step has another agent now";
    if (settings.force !== undefined && own.has(settings.force))
        return "its step is forced to run again";
    const apart = groups.find((group) => group.taskId !== task.taskId && group.outputs.some((name) => own.has(name)));
    if (apart)
        return "its steps are no longer due together";
    const again = withDependents(run.pipeline, groups.flatMap((group) => group.outputs));
    const required = outputs
        .flatMap((output) => output.requires)
        .find((name) => again.has(name) && !own.has(name));
    if (required !== undefined)
        return `it was begun from ${required}, which runs again`;
    const changed = await findChangedArtifact(run, task);
    return changed && `${changed} was changed after it was accepted`;
}

;// CONCATENATED MODULE: ./build/agent/journal.js
// One session's stores with what they fold to. The only writer of the three stores.



/** State, conversations and totals as of the last durable line. */
class Journal {
    sessionId;
    workId;
    state = emptyState();
    conversations = new Map();
    totals = { usage: (0,session_conversation/* noUsage */.tk)(), costUsd: 0, unpriced: false };
    #store;
    #frozen = new Map();
    constructor(workId, store) {
        this.workId = workId;
        this.sessionId = store.sessionId;
        this.#store = store;
    }
    /** Loads and folds what is stored; `setAside` tells what was damaged at the end and put away. */
    static async open(workId, store) {
        const loaded = await store.load();
        const journal = new Journal(workId, store);
        for (const line of loaded.events)
            journal.#apply(line);
        for (const line of loaded.conversation)
            journal.#apply(line);
        return { journal, setAside: loaded.setAside };
    }
    /** Durable, then folded. Lines become durable in the order given. */
    async append(...lines) {
        await this.#store.append(lines);
        for (const line of lines)
            this.#apply(line);
    }
    /** Stores the prefix of a new conversation and returns its hash. */
    async freeze(prefix) {
        const hash = await this.#store.freeze(JSON.stringify(prefix));
        this.#frozen.set(hash, prefix);
        return hash;
    }
    /** The system and tools bytes that a conversation began with. */
    async prefixOf(conversation) {
        const known = this.#frozen.get(conversation.frozen);
        if (known)
            return known;
        const prefix = JSON.parse(await this.#store.readFrozen(conversation.frozen));
        this.#frozen.set(conversation.frozen, prefix);
        return prefix;
    }
    /** False also where only the first line of its beginning is left. */
    hasBegun(conversationId) {
        return (this.conversations.get(conversationId)?.messages.length ?? 0) > 0;
    }
    /** Model responses in the newest attempt at a task, its subagents' too. */
    turnsOf(taskId) {
        const root = this.state.tasks.get(taskId)?.conversationId;
        let turns = 0;
        for (const { conversationId: id, taskId: owner, turns: own } of this.conversations.values()) {
            if (owner === taskId && (root === undefined || id === root || id.startsWith(`${root}/`)))
                turns += own;
        }
        return turns;
    }
    /** A conversation that must exist. */
    conversation(conversationId) {
        const conversation = this.conversations.get(conversationId);
        if (!conversation)
            throw new build_errors/* LoopliaError */.$K("store-corrupt", `The store has no conversation ${conversationId}.`);
        return conversation;
    }
    close() {
        return this.#store.close();
    }
    #apply(line) {
        if (line.store === "events")
            applyEvent(this.state, line);
        else if (line.store === "conversation")
            (0,session_conversation/* applyConversationLine */.s)(this.conversations, this.totals, line);
    }
}

;// CONCATENATED MODULE: ./build/content/render-step.js
/** Names the session folder and the artifact file of each due output; `prompt` is what a main agent added. */
function renderStep(run, task, prompt = "") {
    const { pipeline, folder, item, session } = run;
    const definition = session.configuration.agents.get(task.agent);
    const byName = new Map(pipeline.outputs.map((output) => [output.name, output]));
    const outputs = pipeline.outputs.filter((output) => task.outputs.includes(output.name));
    const inner = new Set(task.outputs);
    const required = new Set(outputs.flatMap((output) => output.requires).filter((name) => !inner.has(name)));
    const facts = {
        sessionFolder: folder,
        content: `${folder}/content.md`,
        outputs: outputs.map(({ name, artifact, requires }) => ({ name, artifact, requires })),
        requires: [...required].map((name) => ({ name, path: `${folder}/${byName.get(name)?.artifact ?? ""}` })),
        profile: session.configuration.profileText ? ".looplia/user-profile.json" : null,
        // The rehearsal can't follow instructions: it must know that these are not the program's.
        ownAgent: definition?.file.startsWith("prompts/") ? null : task.agent,
    };
    return session.configuration.prompts.render("step.md", {
        ...facts,
        title: item.title,
        pipeline: { name: pipeline.name, description: pipeline.description },
        schemas: outputs.flatMap((output) => schemaOf(output, session.configuration)),
        prompt,
        facts: JSON.stringify(facts),
    });
}
/** The schema as the model sees it. */
function schemaOf({ artifact, schema }, { artifactSchemas }) {
    const text = schema ? schema.text.trim() : artifactSchemas.get(artifact);
    return text === undefined ? [] : [{ artifact, text }];
}

;// CONCATENATED MODULE: ./build/agent/outcome.js
// How a conversation ends. Waiting and limits are outcomes, never exceptions.

/** A model that can't be reached is an outcome; the conversation stays open for a later run. */
function modelFailure(error) {
    if (!(error instanceof build_errors/* LoopliaError */.$K) || error.code !== "model-failed")
        throw error;
    return {
        kind: "failed",
        reasonCode: "model-failed",
        message: (0,build_errors/* explain */.WE)(error),
    };
}

// EXTERNAL MODULE: ./build/session/message.js
var session_message = __webpack_require__(11684);
;// CONCATENATED MODULE: ./build/tools/answer.js
const NOBODY = "Nobody can be asked here. Decide yourself by what you know, and say in your result what you decided and why.";
/** What was decided, then the person's own words as they were written. */
function quoteAnswer(decided, { inputValue, comment }) {
    const parts = [decided];
    if (inputValue !== undefined)
        parts.push(inputValue === "" ? "(an empty text)" : inputValue);
    if (comment)
        parts.push(`Comment: ${comment}`);
    return parts.join("\n");
}

;// CONCATENATED MODULE: ./build/tools/ask-user.js
// askUser: a question to a person. The call waits for the answer, if need be beyond the end of the run.


const input = (z) => {
    const named = z.strictObject({
        id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/),
        label: z.string().min(1).max(200),
    });
    const option = z.union([z.string().min(1).max(200), named], { error: "expected a label, or {id, label}" });
    return z.strictObject({
        question: z.string().trim().min(1).max(4_000),
        kind: z
            .enum(["Select", "Confirm", "Input"])
            .optional()
            .describe("Default: Select with options, else Input"),
        purpose: z.enum(["choose_strategy", "request_info", "assign_subtask", "generic"]).default("generic"),
        options: z.array(option).min(1).max(20).optional().describe("For Select: labels, or labels with ids"),
        validation: z
            .strictObject({ regex: z.string().max(500).optional(), required: z.boolean().optional() })
            .optional()
            .describe("For Input; regex in RE2 syntax"),
    });
};
const askUserTool = {
    name: "askUser",
    description: "Ask a person when only a person can decide. Say what you need and why; one question a call.",
    input,
    effect: "reentrant",
    risk: "safe",
    summarize: ({ question }) => question.replace(/\s+/g, " ").slice(0, 100).toWellFormed(),
    async run(asked, context) {
        const question = await makeQuestion(asked);
        if (typeof question === "string")
            return { text: question, isError: true };
        const answer = await context.ask(question);
        if (answer === "nobody")
            return { text: NOBODY };
        return "suspended" in answer ? answer : { text: ask_user_describe(question, answer) };
    },
};
async function makeQuestion(asked) {
    const kind = asked.kind ?? (asked.options ? "Select" : "Input");
    const [title = "", ...more] = asked.question.split("\n");
    const description = more.join("\n").trim();
    const question = { kind, purpose: asked.purpose, title, ...(description ? { description } : {}) };
    if (kind === "Confirm")
        return { ...question, options: YES_OR_NO };
    if (kind === "Input") {
        const { regex, required } = asked.validation ?? {};
        const problem = regex === undefined ? undefined : await ask_user_problemOf(regex);
        if (problem !== undefined)
            return problem;
        const validation = {
            ...(regex === undefined ? {} : { regex }),
            ...(required === undefined ? {} : { required }),
        };
        return { ...question, ...(asked.validation ? { validation } : {}) };
    }
    if (!asked.options)
        return "A Select needs options. Give at least one, or ask with kind Input.";
    const options = nameOptions(asked.options);
    const ids = options.map(({ id }) => id);
    const twice = ids.find((id, at) => ids.indexOf(id) !== at);
    if (twice !== undefined)
        return `The option id ${JSON.stringify(twice)} is there twice. Give each its own.`;
    return { ...question, options };
}
const YES_OR_NO = [
    { id: "approve", label: "Approve", style: "primary" },
    { id: "reject", label: "Reject", style: "danger" },
];
/** Labels get an id made from their words; where that is taken or empty, one with their number. */
function nameOptions(options) {
    const taken = new Set(options.flatMap((each) => (typeof each === "string" ? [] : [each.id])));
    return options.map((each, at) => {
        if (typeof each !== "string")
            return each;
        const words = each
            .toLowerCase()
            .match(/[a-z0-9]+/g)
            ?.join("-")
            .slice(0, 40)
            .replace(/-$/, "");
        // An id that is a number would be read as the number of another option.
        const isFree = words !== undefined && !/^\d+$/.test(words) && !taken.has(words);
        const id = isFree ? words : `option-${at + 1}`;
        taken.add(id);
        return { id, label: each };
    });
}
/** An answer of 10,000 characters is then checked in about a second. */
const MAX_INSTRUCTIONS = 1_500;
async function ask_user_problemOf(regex) {
    const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
    try {
        const size = RE2JS.compile(regex).programSize();
        if (size <= MAX_INSTRUCTIONS)
            return undefined;
        return `validation.regex was refused: it is too large (${size} instructions of ${MAX_INSTRUCTIONS}). Use smaller repetitions.`;
    }
    catch (error) {
        return `validation.regex was refused: ${(0,build_errors/* messageOf */.bD)(error)}. Write it in RE2 syntax, or leave it out.`;
    }
}
function ask_user_describe({ options = [] }, answer) {
    const chosen = options.find(({ id }) => id === answer.selectedOptionId);
    if (chosen)
        return quoteAnswer(`The person chose ${chosen.id} (${chosen.label}).`, answer);
    if (answer.selectedOptionId !== undefined) {
        return quoteAnswer(`The person answered ${answer.selectedOptionId}.`, answer);
    }
    return quoteAnswer("The person answered:", answer);
}

;// CONCATENATED MODULE: ./build/tools/cut.js
// Cuts long texts for a model and says so. Pure.
/** At most `limit` characters of a line, with a mark where it was cut. */
function cutLine(line, limit) {
    return line.length <= limit ? line : `${line.slice(0, limit).toWellFormed()}… (${line.length} characters)`;
}
/** The first and last half of a text over `limit` characters, with a note of how much is missing between them. */
function cutMiddle(text, limit, note) {
    if (text.length <= limit)
        return text;
    const half = Math.floor(limit / 2);
    const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
    return `${head.toWellFormed()}\n[… ${text.length - 2 * half} characters left out; ${note} …]\n${tail.toWellFormed()}`;
}

;// CONCATENATED MODULE: ./build/tools/edit-file.js
// editFile: replaces one exact piece of a file, or creates a file.



const edit_file_input = (z) => z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    oldStr: z.string().describe("Exact text, with its white space; empty: create the file"),
    newStr: z.string(),
});
const editFileTool = {
    name: "editFile",
    description: "Replace oldStr, which must stand in the file exactly once, by newStr; or create a file.",
    input: edit_file_input,
    effect: "once",
    risk: "risky",
    summarize: ({ path }) => path,
    async preview(edit, { workspace, pending }) {
        const key = edit.path
            .split("/")
            .filter((name) => name !== "" && name !== ".")
            .join("/");
        const onDisk = await workspace.forTools.readForEdit(edit.path);
        const before = pending.get(key) ?? onDisk;
        const after = applyEdit(edit, before);
        pending.set(key, after);
        const isNew = before === undefined;
        return {
            title: `${isNew ? "Create" : "Edit"} ${key}`,
            content: await showDiff(key, before, after),
            contentKind: "Diff",
            binding: { path: key, before: isNew ? "none" : hash(before), after: hash(after) },
        };
    },
    async run(edit, { workspace }) {
        const before = await workspace.forTools.readForEdit(edit.path);
        await workspace.forTools.writeText(edit.path, applyEdit(edit, before));
        return { text: before === undefined ? `Created ${edit.path}.` : `Edited ${edit.path}.` };
    },
};
/** The file's text after the edit. Refuses, with what to do instead, an edit that is not exactly one replacement. */
function applyEdit({ path, oldStr, newStr }, before) {
    if (oldStr === "") {
        if (before === undefined || before === "")
            return newStr;
        throw edit_file_refuse(`${path} exists already, so it was not created.`, "Give the text to replace as oldStr.");
    }
    if (before === undefined) {
        throw edit_file_refuse(`There is no file ${path}.`, "Leave oldStr empty to create it, or find its name with listFiles.");
    }
    if (oldStr === newStr)
        throw edit_file_refuse("oldStr and newStr are the same.", "Send the text as it shall be.");
    const [first, ...more] = findAll(before, oldStr);
    if (first === undefined)
        throw edit_file_refuse(`oldStr is not in ${path}.`, explainMiss(before, oldStr));
    if (more.length > 0) {
        const lines = [first, ...more].map((at) => lineAt(before, at)).join(", ");
        throw edit_file_refuse(`oldStr stands ${more.length + 1} times in ${path}, at lines ${lines}.`, "Take in more lines around it.");
    }
    return before.slice(0, first) + newStr + before.slice(first + oldStr.length);
}
/** Starts of the matches, overlapping ones too; at most 20 are of use. */
function findAll(text, searched) {
    const found = [];
    for (let at = text.indexOf(searched); at >= 0 && found.length < 20; at = text.indexOf(searched, at + 1)) {
        found.push(at);
    }
    return found;
}
function lineAt(text, at) {
    return text.slice(0, at).split("\n").length;
}
function explainMiss(before, oldStr) {
    if (before.includes("\r\n") && findAll(before.replaceAll("\r\n", "\n"), oldStr).length > 0) {
        return "The file's lines end with \\r\\n: write them so in oldStr and newStr.";
    }
    const [wanted = ""] = oldStr.trim().split("\n");
    const at = before.split("\n").findIndex((line) => line.trim() === wanted.trim());
    return at >= 0 && wanted.trim() !== ""
        ? `Line ${at + 1} is like its first line: compare what follows and the white space.`
        : "Read the file again and copy the text as it stands.";
}
/** Unified diff; the library gives up on hard cases, which are then shown as all old lines and all new ones. */
async function showDiff(path, before, after) {
    const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await __webpack_require__.e(/* import() */ 23).then(__webpack_require__.bind(__webpack_require__, 44023));
    const old = before === undefined ? "/dev/null" : `a/${path}`;
    const patch = (limits) => createTwoFilesPatch(old, `b/${path}`, before ?? "", after, undefined, undefined, {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
        ...limits,
    });
    return patch({ timeout: 1_000 }) ?? wholeDiff(old, `b/${path}`, before ?? "", after);
}
function wholeDiff(old, now, before, after) {
    const rows = (text, sign) => text.split("\n").map((line) => `${sign}${line}`);
    return [`--- ${old}`, `+++ ${now}`, ...rows(before, "-"), ...rows(after, "+")].join("\n");
}
function hash(text) {
    return (0,external_node_crypto_.createHash)("sha256").update(text).digest("hex");
}
function edit_file_refuse(message, hint) {
    return new build_errors/* LoopliaError */.$K("config-invalid", cutLine(message, 1_000), { hint });
}

;// CONCATENATED MODULE: ./build/tools/read-texts.js
// Reads many files for a search: some ahead, given in order.

/** More at once gained nothing when measured. */
const AHEAD = 8;
/** Each path with its text; undefined for what is no text or is refused: a search passes over it. */
async function* readTexts(files, paths) {
    const waiting = [];
    for await (const path of paths) {
        const reading = readText(files, path);
        // A search that ends early leaves readings behind: their failure is nobody's.
        reading.catch(() => { });
        waiting.push(reading);
        const first = waiting.length > AHEAD ? waiting.shift() : undefined;
        if (first)
            yield await first;
    }
    for (const reading of waiting)
        yield await reading;
}
async function readText(files, path) {
    try {
        return { path, text: await files.readText(path) };
    }
    catch (error) {
        if (error instanceof build_errors/* LoopliaError */.$K)
            return { path, text: undefined };
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/tools/grep.js
// grep: lines that match a regular expression, in time linear in the text whatever the pattern.



const MAX_ROWS = 200;
const MAX_ROW = 300;
const MAX_MS = 8_000;
/** Time is at worst instructions × characters: this many steps a line take about half a second. */
const MAX_STEPS = 5_000_000;
const grep_MAX_INSTRUCTIONS = 1_500;
const grep_input = (z) => z.strictObject({
    pattern: z.string().min(1).max(1_000).describe("RE2 syntax: no lookaround, no back-references"),
    path: z.string().default(".").describe("Folder or file"),
    glob: z.string().min(1).max(500).optional().describe("Only these files, e.g. *.ts"),
});
const grepTool = {
    name: "grep",
    description: "Find lines by a regular expression. Rows are path:line: text. Put (?i) first to ignore case.",
    input: grep_input,
    effect: "read",
    risk: "safe",
    summarize: ({ pattern, path }) => `${pattern} in ${path}`,
    async run({ pattern, path, glob }, context) {
        const matcher = await compile(pattern);
        if (typeof matcher === "string")
            return { text: matcher, isError: true };
        const found = await search(matcher, path, glob, context);
        const text = found.rows.join("\n") || `No line matches ${pattern}.`;
        return { text: [text, ...notesOn(found, matcher)].join("\n") };
    },
};
async function compile(pattern) {
    const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
    try {
        const compiled = RE2JS.compile(pattern);
        const size = compiled.programSize();
        if (size <= grep_MAX_INSTRUCTIONS) {
            return { test: (line) => compiled.test(line), maxLine: Math.floor(MAX_STEPS / size) };
        }
        return `The pattern was refused: it is too large (${size} instructions of ${grep_MAX_INSTRUCTIONS}). Use smaller repetitions.`;
    }
    catch (error) {
        return `The pattern was refused: ${(0,build_errors/* messageOf */.bD)(error)}. Write it in RE2 syntax.`;
    }
}
async function search(matcher, path, glob, { workspace, signal }) {
    const found = { rows: [], count: 0, cutLines: 0, skipped: 0, isLate: false };
    const deadline = performance.now() + MAX_MS;
    const files = workspace.forTools;
    for await (const { path: file, text } of readTexts(files, files.walk(path, glob))) {
        signal.throwIfAborted();
        if (text === undefined)
            found.skipped += 1;
        else
            searchFile(file, text, matcher, found, deadline);
        if (found.isLate)
            break;
    }
    return found;
}
function searchFile(file, text, matcher, found, deadline) {
    const lines = text.split("\n");
    for (const [index, whole] of lines.entries()) {
        if (performance.now() > deadline) {
            found.isLate = true;
            return;
        }
        const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
        if (line.length > matcher.maxLine)
            found.cutLines += 1;
        if (!matcher.test(line.slice(0, matcher.maxLine)))
            continue;
        found.count += 1;
        if (found.rows.length < MAX_ROWS)
            found.rows.push(`${file}:${index + 1}: ${cutLine(line, MAX_ROW)}`);
    }
}
function notesOn(found, matcher) {
    const { count, cutLines, skipped, isLate } = found;
    return [
        count > MAX_ROWS ? `[the first ${MAX_ROWS} of ${count} lines; narrow pattern, path or glob]` : "",
        cutLines > 0
            ? `[${cutLines} long lines were searched only in their first ${matcher.maxLine} characters]`
            : "",
        skipped > 0 ? `[${skipped} files that are binary, not UTF-8 or over 10 MiB were left out]` : "",
        isLate ? `[stopped after ${MAX_MS / 1000} s, before all files were searched; narrow path or glob]` : "",
    ].filter((note) => note !== "");
}

;// CONCATENATED MODULE: ./build/tools/list-files.js
const list_files_MAX_ROWS = 500;
const list_files_input = (z) => z.strictObject({
    path: z.string().default(".").describe("Folder; . is the root"),
    glob: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe("Relative to path, e.g. **/*.md; without / it matches names"),
});
const listFilesTool = {
    name: "listFiles",
    description: "List the files below a folder, sorted, without .git and node_modules.",
    input: list_files_input,
    effect: "read",
    risk: "safe",
    summarize: ({ path, glob }) => (glob ? `${path} ${glob}` : path),
    async run({ path, glob }, { workspace, signal }) {
        const rows = [];
        let count = 0;
        for await (const file of workspace.forTools.walk(path, glob)) {
            signal.throwIfAborted();
            count += 1;
            if (count <= list_files_MAX_ROWS)
                rows.push(file);
        }
        if (count === 0)
            return { text: `No files${glob ? ` match ${glob}` : ""} below ${path}.` };
        const note = count > list_files_MAX_ROWS ? `\n[the first ${list_files_MAX_ROWS} of ${count} files; narrow path or glob]` : "";
        return { text: rows.join("\n") + note };
    },
};

;// CONCATENATED MODULE: ./build/tools/read-file.js
/** A part of a file that a model can take in at once; the loop cuts results at 30,000. */
const MAX_CHARACTERS = 28_000;
/** A longer line counts as several, so that its end can be reached: a transcript may be one single line. */
const LINES = /[^\n]{1,8000}\n?|\n/gu;
const read_file_input = (z) => z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    offset: z.int().min(1).optional().describe("First line, from 1"),
    limit: z.int().min(1).optional().describe("Number of lines"),
});
const readFileTool = {
    name: "readFile",
    description: "Read a UTF-8 text file. A long file comes in parts: go on at the offset that the note names.",
    input: read_file_input,
    effect: "read",
    risk: "safe",
    summarize: ({ path }) => path,
    async run({ path, offset = 1, limit }, { workspace }) {
        const text = await workspace.forTools.readText(path);
        if (text === "")
            return { text: "(the file is empty)" };
        const lines = text.match(LINES) ?? [];
        if (offset > lines.length) {
            return { text: `${path} has ${lines.length} lines; there is no line ${offset}.`, isError: true };
        }
        const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
        const shown = takeWhole(wanted);
        const next = offset - 1 + shown.count;
        if (next >= lines.length)
            return { text: shown.text };
        const isSplit = lines.slice(0, -1).some((line) => !line.endsWith("\n"));
        const counted = isSplit ? ", each 8,000 characters of a long one counted" : "";
        const note = `[lines ${offset}–${next} of ${lines.length}${counted}; go on with offset ${next + 1}]`;
        return { text: `${shown.text}\n${note}` };
    },
};
/** As many whole lines as fit. */
function takeWhole(lines) {
    let text = "";
    let count = 0;
    for (const line of lines) {
        if (text.length + line.length > MAX_CHARACTERS)
            break;
        text += line;
        count += 1;
    }
    return { text, count };
}

;// CONCATENATED MODULE: ./build/tools/run-command.js
// runCommand: a shell command in the root of the worktree.

const MAX_OUTPUT = 10_000;
/** What the audit log keeps of a command's output. */
const MAX_WHOLE = 1_000_000;
const run_command_input = (z) => z.strictObject({
    command: z.string().min(1).max(50_000),
    timeoutSeconds: z.int().min(1).max(600).default(30),
});
const runCommandTool = {
    name: "runCommand",
    description: "Run a shell command in the repository's root, without input. Processes left in the background are ended.",
    input: run_command_input,
    effect: "once",
    risk: "risky",
    summarize: ({ command }) => cutLine(command.replace(/\s+/g, " "), 100),
    async preview({ command, timeoutSeconds }, { workspace, pending, follows }) {
        return {
            title: `Run a command (at most ${timeoutSeconds} s; not if files change before, ignored ones aside)`,
            content: command,
            contentKind: "PlainText",
            binding: follows === undefined ? { worktree: await workspace.snapshot(pending) } : { follows },
        };
    },
    async run({ command, timeoutSeconds }, { workspace, signal }) {
        const result = await workspace.run(command, {
            timeoutMs: timeoutSeconds * 1_000,
            maxOutput: MAX_WHOLE,
            signal,
        });
        signal.throwIfAborted();
        const end = result.timedOut
            ? `Stopped after ${timeoutSeconds} s. What it had done stays.`
            : `Exit code ${result.exitCode ?? "none: it was ended by a signal"}.`;
        const output = cutMiddle(result.output, MAX_OUTPUT, "write it to a file to see all");
        return {
            text: `${end}\n${output || "(no output)"}`,
            ...(output === result.output ? {} : { whole: `${end}\n${result.output}` }),
        };
    },
};

;// CONCATENATED MODULE: ./build/tools/search-code.js


const LINES_A_PIECE = 40;
const LINES_SHOWN = 6;
const MAX_LINE = 160;
/** Characters indexed in one call (about 150 ms each million), and of one file. */
const MAX_TOTAL = 8_000_000;
const MAX_FILE = 400_000;
const search_code_input = (z) => z.strictObject({
    query: z.string().min(1).max(500),
    limit: z.int().min(1).max(50).default(10).describe("Number of results"),
});
const searchCodeTool = {
    name: "searchCode",
    description: "Search all files by words or parts of names, best first. For exact text use grep.",
    input: search_code_input,
    effect: "read",
    risk: "safe",
    summarize: ({ query }) => query,
    async run({ query, limit }, { workspace, signal }) {
        const { pieces, index, notes } = await indexFiles(workspace, signal);
        const words = new Set(splitWords(query));
        const rows = index
            .search(query)
            .slice(0, limit)
            .flatMap(({ id }) => {
            const piece = pieces[Number(id)];
            return piece ? [showPiece(piece, words)] : [];
        });
        const shown = notes.length > 5 ? [...notes.slice(0, 5), `[${notes.length - 5} more such notes]`] : notes;
        return { text: [rows.join("\n\n") || `Nothing found for ${query}.`, ...shown].join("\n") };
    },
};
async function indexFiles(workspace, signal) {
    const { default: Index } = await __webpack_require__.e(/* import() */ 150).then(__webpack_require__.bind(__webpack_require__, 72150));
    const index = new Index({
        fields: ["path", "text"],
        tokenize: splitWords,
        processTerm: (word) => word,
        searchOptions: { boost: { path: 2 }, prefix: (word) => word.length > 3, fuzzy: false },
    });
    const pieces = [];
    let total = 0;
    const notes = [];
    const files = workspace.forTools;
    for await (const { path, text } of readTexts(files, files.walk("."))) {
        signal.throwIfAborted();
        if (text === undefined)
            continue;
        if (text.length > MAX_FILE) {
            notes.push(`[${path} was not searched: it is too large]`);
            continue;
        }
        if (total + text.length > MAX_TOTAL) {
            notes.push(`[${path} and what comes after it were not searched: there is too much text; use grep]`);
            break;
        }
        total += text.length;
        for (const piece of cutPieces(path, text)) {
            const numbered = { ...piece, id: pieces.length };
            pieces.push(numbered);
            index.add(numbered);
        }
    }
    return { pieces, index, notes };
}
function cutPieces(path, text) {
    const lines = text.split("\n");
    const starts = Array.from({ length: Math.ceil(lines.length / LINES_A_PIECE) }, (_, at) => at * LINES_A_PIECE);
    return starts.map((start) => ({
        path,
        line: start + 1,
        text: lines.slice(start, start + LINES_A_PIECE).join("\n"),
    }));
}
/** Words in lower case: whole names and their parts (`readFile` gives readfile, read, file). */
function splitWords(text) {
    return (text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).flatMap((name) => {
        const parts = name
            .split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
            .filter((part) => part !== "");
        const words = parts.length > 1 ? [name.replaceAll("_", ""), ...parts] : parts;
        return words.map((word) => word.toLowerCase());
    });
}
/** The lines around the one with most of the words. */
function showPiece({ path, line, text }, words) {
    const lines = text.split("\n");
    const scores = lines.map((each) => new Set(splitWords(each).filter((word) => words.has(word))).size);
    const best = Math.max(scores.indexOf(Math.max(...scores)) - 1, 0);
    const shown = lines.slice(best, best + LINES_SHOWN);
    const head = `${path}:${line + best}-${line + best + shown.length - 1}`;
    return [head, ...shown.map((each) => `  ${cutLine(each, MAX_LINE)}`)].join("\n");
}

;// CONCATENATED MODULE: ./build/tools/skill.js
const skill_input = (z) => z.strictObject({
    name: z.string().min(1),
    file: z.string().min(1).optional().describe("One of its files"),
});
const skillTool = {
    name: "Skill",
    description: "Read a skill's instructions, or one of its files, before work that the skill is for.",
    input: skill_input,
    effect: "read",
    risk: "safe",
    summarize: ({ name, file }) => (file ? `${name}/${file}` : name),
    async run({ name, file }, { skills }) {
        const skill = skills.get(name);
        if (!skill) {
            const known = [...skills.keys()].join(", ") || "none";
            return { text: `There is no skill ${JSON.stringify(name)}. Skills: ${known}.`, isError: true };
        }
        if (file === undefined) {
            const list = skill.files.length > 0 ? `\n\nFiles of this skill: ${skill.files.join(", ")}` : "";
            return { text: skill.body + list };
        }
        // Only what is in the list is ever read: the name comes from a model.
        const text = skill.files.includes(file) ? await skill.read(file) : undefined;
        if (text !== undefined)
            return { text };
        const known = skill.files.join(", ") || "none";
        return { text: `The skill ${name} has no file ${JSON.stringify(file)}. Files: ${known}.`, isError: true };
    },
};

;// CONCATENATED MODULE: ./build/tools/task.js
// Task: a subagent does a part of the work in a conversation of its own.

const task_input = (z) => z.strictObject({
    agent: z.string().min(1).optional().describe("Without it a person chooses"),
    prompt: z.string().min(1).describe("All that it needs to know: it sees nothing of this conversation"),
});
const taskTool = {
    name: "Task",
    description: "Let another agent do a part of the work; its last message is the result.",
    input: task_input,
    effect: "reentrant",
    risk: "safe",
    summarize: ({ agent, prompt }) => `${agent ?? "?"}: ${prompt.replace(/\s+/g, " ").slice(0, 80).toWellFormed()}`,
    async run({ agent, prompt }, context) {
        const { names, run } = context.subagents;
        if (names.length === 0)
            return { text: "There are no other agents here. Do it yourself.", isError: true };
        const chosen = agent ?? (await chooseAgent(prompt, context));
        if (typeof chosen !== "string")
            return chosen;
        if (names.includes(chosen))
            return run(chosen, prompt);
        return {
            text: `There is no agent ${JSON.stringify(chosen)}. Agents: ${names.join(", ")}.`,
            isError: true,
        };
    },
};
async function chooseAgent(prompt, { ask, subagents }) {
    const answer = await ask({
        kind: "Select",
        purpose: "assign_subtask",
        title: "Which agent should do this?",
        description: prompt,
        options: subagents.names.map((name) => ({ id: name, label: name })),
    });
    if (answer === "nobody") {
        const text = `Nobody can be asked here. Name the agent yourself: ${subagents.names.join(", ")}.`;
        return { text, isError: true };
    }
    if ("suspended" in answer)
        return answer;
    const { selectedOptionId = "" } = answer;
    if (subagents.names.includes(selectedOptionId))
        return selectedOptionId;
    return {
        text: quoteAnswer("The person chose none of the agents.", answer),
        isError: true,
    };
}

;// CONCATENATED MODULE: ./build/tools/write-artifact.js
// writeArtifact: hands an output to the program, which checks it and writes the file.

const write_artifact_input = (z) => z.strictObject({
    output: z.string().min(1).describe("Its name in the pipeline"),
    content: z
        .unknown()
        .refine((value) => value !== undefined, "is missing")
        .describe("The JSON value itself"),
});
const writeArtifactTool = {
    name: "writeArtifact",
    description: "Deliver an output of your task. It is checked and saved only if valid; otherwise the errors come back: correct them and send it all again.",
    input: write_artifact_input,
    effect: "repeatable",
    risk: "safe",
    summarize: ({ output }) => output,
    async run({ output, content }, { artifacts }) {
        if (typeof content !== "string" || !/^\s*[[{]/.test(content))
            return artifacts.write(output, content);
        let parsed;
        try {
            parsed = JSON.parse(content);
        }
        catch (error) {
            const text = `content is a text that is not JSON: ${(0,build_errors/* messageOf */.bD)(error)}. Send the JSON value itself.`;
            return { text, isError: true };
        }
        return artifacts.write(output, parsed);
    },
};

;// CONCATENATED MODULE: ./build/tools/registry.js










/** Every tool, in the order in which models are told of them. */
function allTools() {
    return [
        readFileTool,
        listFilesTool,
        grepTool,
        searchCodeTool,
        editFileTool,
        runCommandTool,
        writeArtifactTool,
        askUserTool,
        taskTool,
        skillTool,
    ];
}
/** The tools of an agent: those that its front matter names (undefined: all) among those allowed here. */
function toolsFor(agentTools, allowed) {
    const own = new Set(agentTools ?? allowed);
    return allTools().filter((tool) => own.has(tool.name) && allowed.includes(tool.name));
}
const schemas = new WeakMap();
/** The schema of a tool's input, made once. */
async function inputSchema(tool) {
    const { z } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(618)]).then(__webpack_require__.bind(__webpack_require__, 82618));
    const schema = schemas.get(tool) ?? tool.input(z);
    schemas.set(tool, schema);
    return schema;
}
/** Everything that is wrong with the input of a call, as one reply to the model. */
function inputProblems(error) {
    const problems = error.issues.map(({ path, message }) => {
        const place = path.map(String).join(".");
        return place === "" ? message : `${place}: ${message}`;
    });
    return `The input was not accepted, so nothing was done. ${problems.join("; ")}. Correct it and call again.`;
}

;// CONCATENATED MODULE: ./build/agent/decide.js


/** Decides each call by itself. After any stop reason but `tool_use` none may run (Messages API). */
async function decideCalls(session, prefix, stopReason, calls) {
    if (stopReason !== "tool_use") {
        const reason = stopReason === "max_tokens" ? CUT_CALL : "Not run: the response was not complete.";
        return calls.map((call) => ({ call, kind: "deny", reason }));
    }
    const known = new Set(prefix.tools.map((tool) => tool.name));
    return Promise.all(calls.map((call) => decideCall(session, known, call)));
}
const CUT_CALL = "Not run: your response was cut at the limit of one response, so this call may be incomplete. Make it again, with less text before it.";
async function decideCall(session, known, call) {
    const tool = known.has(call.name) ? session.tools.get(call.name) : undefined;
    if (!tool) {
        const reason = `There is no tool ${JSON.stringify(call.name)} here. Your tools: ${[...known].join(", ")}.`;
        return { call, kind: "deny", reason };
    }
    if (!(0,json/* isWellFormedJson */.cZ)(call.input)) {
        return { call, kind: "deny", reason: "The input holds text that is not well-formed Unicode." };
    }
    const parsed = (await inputSchema(tool)).safeParse(call.input);
    if (!parsed.success)
        return { call, kind: "deny", reason: inputProblems(parsed.error) };
    return { call, kind: tool.risk === "risky" ? "ask" : "allow", tool, input: parsed.data };
}
/** The audit lines of a turn: every call is logged as requested before anything is asked or run. */
function requestedLines(session, run, decided) {
    return decided.map(({ call, kind }) => ({
        store: "audit",
        type: "ToolCallRequested",
        payload: {
            toolCallId: call.id,
            toolName: call.name.toWellFormed(),
            authorActorId: `agent:${run.agent}`,
            taskId: run.taskId,
            conversationId: run.conversationId,
            input: (0,json/* auditable */.Ks)(call.input),
            decision: kind,
            timestamp: session.clock.now().getTime(),
        },
    }));
}
/** The calls that may be run together from `start`: neighbouring reads, else one. */
function nextBatch(calls, start) {
    const isRead = (decided) => decided !== undefined && decided.kind === "allow" && decided.tool.effect === "read";
    let end = start + 1;
    if (isRead(calls[start]))
        while (isRead(calls[end]))
            end += 1;
    return calls.slice(start, end);
}

;// CONCATENATED MODULE: ./build/approval/fingerprint.js
// What an approval is bound to (DURABILITY, "What an approval is bound to").


/** SHA-256 (hex) over the RFC 8785 form of everything the answer is bound to. */
function fingerprintOf(bound) {
    return (0,external_node_crypto_.createHash)("sha256")
        .update(canonicalize_canonicalize(JSON.parse(JSON.stringify(bound))) ?? "")
        .digest("hex");
}

;// CONCATENATED MODULE: ./build/approval/interaction.js

/** One Confirm for all asked calls of a turn, in order, numbered. */
function createConfirm(origin, calls) {
    const [first] = calls;
    const isSingle = calls.length === 1;
    const asked = {
        kind: "Confirm",
        purpose: "confirm_risky_action",
        display: {
            title: isSingle && first ? first.title : `${calls.length} actions need your approval`,
            content: calls.map((call, index) => (isSingle ? call.content : numbered(call, index + 1))).join("\n"),
            contentKind: calls.every((call) => call.contentKind === "Diff") ? "Diff" : "PlainText",
        },
        options: [
            { id: "approve", label: "Approve", style: "primary" },
            { id: "reject", label: "Reject", style: "danger", isDefault: true },
        ],
    };
    return {
        ...createRequest(origin, asked, calls),
        bindings: Object.fromEntries(calls.map((call) => [call.toolCallId, call.binding])),
    };
}
/** The request of one call that asks by itself (`askUser`, `Task` without an agent). */
function createQuestion(origin, call, asked) {
    return createRequest(origin, asked, [call]);
}
function createRequest(origin, asked, calls) {
    const { agent, taskId, ...bound } = origin;
    const fingerprint = fingerprintOf({ ...bound, calls, question: asked });
    const shortId = `q${origin.ordinal + 1}-${fingerprint.slice(0, 6)}`;
    return {
        interactionId: `${origin.sessionId}.${shortId}`,
        shortId,
        taskId,
        conversationId: origin.conversationId,
        toolCallIds: calls.map((call) => call.toolCallId),
        authorActorId: `agent:${agent}`,
        ...asked,
        fingerprint,
    };
}
/** Plain text is indented, so that no line of a command can pass for the next call; in a diff every line has its sign. */
function numbered({ title, content, contentKind }, number) {
    return `${number}. ${title}\n${contentKind === "Diff" ? content : content.replace(/^/gm, "   ")}`;
}

;// CONCATENATED MODULE: ./build/agent/failure.js
// Which failures of a tool are answers to the model, and which end the run.

/** A refusal or a system error becomes a reply; anything else (a bug, a lost store, a failed model) is thrown on. */
function replyToFailure(error) {
    if (error instanceof build_errors/* LoopliaError */.$K && error.code === "config-invalid") {
        return { text: (0,build_errors/* explain */.WE)(error), isError: true };
    }
    if (error instanceof Error && "syscall" in error)
        return { text: error.message, isError: true };
    throw error;
}

;// CONCATENATED MODULE: ./build/agent/confirm.js
// One Confirm covers the risky calls of a turn; each is compared with what was shown just before it runs.




/** Asks for `decided` together with the risky calls after it in the turn. */
async function confirmCall(session, run, decided, rest) {
    if (!session.host.canAsk) {
        return { kind: "refused", reason: await session.configuration.prompts.render("nobody.md", {}) };
    }
    // The newest request counts: a call that could not be shown with the others may be asked about again with later ones.
    const raised = [...session.journal.state.interactions.values()]
        .map(({ request }) => request)
        .findLast((request) => request.conversationId === run.conversationId && covers(request, decided));
    const shown = raised ? new Map() : await showCalls(session, [decided, ...rest]);
    const own = shown.get(decided.call.id);
    if (own && "problem" in own)
        return { kind: "refused", reason: own.problem };
    const calls = [...shown.values()].filter((call) => !("problem" in call));
    const isRaised = (request) => request === raised;
    const { request, answer } = await askPerson(session, run, isRaised, (origin) => createConfirm(origin, calls));
    if (!answer)
        return { kind: "waiting" };
    if (answer.selectedOptionId !== "approve") {
        const reason = answer.comment ? ` They said: ${answer.comment}` : "";
        return { kind: "refused", reason: `A person rejected this call, so it was not run.${reason}` };
    }
    const reason = await whyNotNow(session, run, decided, request.bindings?.[decided.call.id] ?? {});
    if (reason === undefined)
        return { kind: "approved" };
    return { kind: "refused", reason: `Approved, but not run: ${reason}. Look again and make a new call.` };
}
function covers(request, { call }) {
    return request.kind === "Confirm" && request.toolCallIds.includes(call.id);
}
/** What was shown may be hours old: it is shown again and compared. The reason not to run, or undefined. */
async function whyNotNow(session, run, decided, bound) {
    if (bound.follows !== undefined) {
        const { outcome } = session.journal.state.calls.get(callKey(run.conversationId, bound.follows)) ?? {};
        if (outcome !== "done" && outcome !== "failed")
            return "the command before it did not run to its end";
    }
    const now = (await showCalls(session, [decided], bound.follows)).get(decided.call.id);
    if (now === undefined)
        return "it can't be shown again";
    if ("problem" in now)
        return now.problem;
    return isSame(now.binding, bound) ? undefined : "what was shown has changed since";
}
async function showCalls(session, calls, last) {
    const pending = new Map();
    let follows = last;
    const shown = new Map();
    for (const decided of calls) {
        if (decided.kind !== "ask")
            continue;
        const { call, tool, input } = decided;
        try {
            const preview = await tool.preview?.(input, {
                workspace: session.workspace,
                pending,
                ...(follows === undefined ? {} : { follows }),
            });
            const summary = {
                title: tool.name,
                content: JSON.stringify(input),
                contentKind: "PlainText",
                binding: {},
            };
            shown.set(call.id, {
                toolCallId: call.id,
                toolName: tool.name,
                input: call.input,
                ...(preview ?? summary),
            });
            // Whatever is not bound to a file of its own may change any file.
            if (preview?.binding.path === undefined)
                follows = call.id;
        }
        catch (error) {
            shown.set(call.id, { problem: replyToFailure(error).text });
        }
    }
    return shown;
}
function isSame(now, bound) {
    const keys = Object.keys(now);
    return keys.length === Object.keys(bound).length && keys.every((key) => now[key] === bound[key]);
}

;// CONCATENATED MODULE: ./build/tools/tool.js
const SUSPENDED = { suspended: true };

;// CONCATENATED MODULE: ./build/agent/tool-call.js
// One tool call: started, run, and its result made durable in all three stores.







/** Runs a decided call. Returns the outcome that interrupts the turn, or undefined when the call has its result. */
async function executeCall(session, run, call, tool, input) {
    const key = callKey(run.conversationId, call.id);
    if (!session.journal.state.calls.has(key)) {
        await session.journal.append({ store: "events", type: "ToolCallStarted", payload: reference(run, call) });
    }
    const began = session.clock.elapsed();
    const shown = {
        sessionId: session.journal.sessionId,
        taskId: run.taskId,
        agent: run.agent,
        toolName: tool.name,
    };
    const summary = tool.summarize(input);
    session.observe({ type: "tool-started", ...shown, toolCallId: call.id, summary });
    const interruption = {};
    const reply = await runTool(session, tool, input, createContext(session, run, call, interruption));
    const durationMs = Math.round(session.clock.elapsed() - began);
    if ("suspended" in reply)
        return interruption.outcome ?? { kind: "waiting" };
    session.observe({
        type: "tool-ended",
        ...shown,
        toolCallId: call.id,
        summary,
        isError: reply.isError === true,
        durationMs,
    });
    await settleCall(session, run, call, reply, reply.isError ? "failed" : "done", durationMs);
    return undefined;
}
/** Stores a call's result: audit first, then what the model will see, then the settlement that recovery reads. */
async function settleCall(session, run, call, reply, outcome, durationMs = 0) {
    const content = cutText(reply.text.toWellFormed(), call.id) || "(no output)";
    const block = {
        type: "tool_result",
        tool_use_id: call.id,
        content,
        ...(reply.isError ? { is_error: true } : {}),
    };
    const resultHash = (0,external_node_crypto_.createHash)("sha256").update(JSON.stringify(block)).digest("hex").slice(0, 16);
    const lines = [
        {
            store: "audit",
            type: "ToolCallCompleted",
            payload: {
                toolCallId: call.id,
                authorActorId: `agent:${run.agent}`,
                taskId: run.taskId,
                conversationId: run.conversationId,
                output: (0,json/* auditable */.Ks)({ text: reply.whole ?? reply.text }),
                isError: reply.isError === true,
                durationMs,
                timestamp: session.clock.now().getTime(),
            },
        },
        { store: "conversation", type: "ToolResult", payload: { conversationId: run.conversationId, block } },
        { store: "events", type: "ToolCallSettled", payload: { ...reference(run, call), outcome, resultHash } },
    ];
    await session.journal.append(...lines);
}
async function runTool(session, tool, input, context) {
    try {
        return await tool.run(input, context);
    }
    catch (error) {
        if (session.signal.aborted)
            throw error;
        return replyToFailure(error);
    }
}
function createContext(session, run, call, interruption) {
    const asks = { toolCallId: call.id, toolName: call.name, input: call.input, binding: {} };
    return {
        call: { toolCallId: call.id, conversationId: run.conversationId, taskId: run.taskId, agent: run.agent },
        workspace: session.workspace,
        signal: session.signal,
        skills: session.configuration.skills,
        artifacts: {
            write: (output, content) => run.artifacts.write(output, content, callKey(run.conversationId, call.id)),
        },
        ask: async ({ title, description, ...question }) => {
            if (!session.host.canAsk)
                return "nobody";
            const display = { title, ...(description === undefined ? {} : { description }) };
            const isOwn = (request) => request.purpose !== "confirm_risky_action" && request.toolCallIds.includes(call.id);
            const create = (origin) => createQuestion(origin, asks, { ...question, display });
            return (await askPerson(session, run, isOwn, create)).answer ?? SUSPENDED;
        },
        subagents: {
            names: run.subagents,
            run: async (agent, prompt) => {
                const ended = await run.runSubagent(agent, prompt, `${run.conversationId}/${call.id}`);
                if ("reply" in ended)
                    return ended.reply;
                interruption.outcome = ended.outcome;
                return SUSPENDED;
            },
        },
    };
}
/** Characters of a result that a model sees; the whole is in the audit log. */
const RESULT_LIMIT = 30_000;
function cutText(text, toolCallId) {
    if (text.length <= RESULT_LIMIT)
        return text;
    const kept = text.slice(0, RESULT_LIMIT).toWellFormed();
    return `${kept}\n[cut after ${RESULT_LIMIT} of ${text.length} characters; the whole result is in the audit log, call ${toolCallId}]`;
}
function reference(run, call) {
    return { conversationId: run.conversationId, toolCallId: call.id, toolName: call.name };
}

;// CONCATENATED MODULE: ./build/agent/turn.js
// Settles the calls of a turn in order; nothing after a waiting call starts. Everything is derived from what is
// stored, so a pause or crash in between changes nothing.






/** Returns the outcome that interrupts the turn, or undefined when every call has its result. */
async function settleTurn(session, run, conversation) {
    const prefix = await session.journal.prefixOf(conversation);
    const calls = await decideCalls(session, prefix, conversation.lastStop, (0,session_conversation/* unansweredCalls */.YO)(conversation));
    for (let next = 0; next < calls.length;) {
        if (session.signal.aborted)
            return stoppedBySignal(session.signal);
        const batch = nextBatch(calls, next);
        next += batch.length;
        const rest = calls.slice(next);
        const outcomes = await Promise.all(batch.map((decided) => runCall(session, run, decided, rest)));
        const interruption = outcomes.find((outcome) => outcome !== undefined);
        if (interruption)
            return interruption;
    }
    return undefined;
}
const OUTCOME_UNKNOWN = "This call was started before an interruption and left no result: its outcome is unknown. It was not run again. Look at what is there before you decide what to do.";
async function runCall(session, run, decided, rest) {
    const { call } = decided;
    if (decided.kind === "deny") {
        await settleCall(session, run, call, { text: decided.reason, isError: true }, "denied");
        return undefined;
    }
    const wasStarted = session.journal.state.calls.has(callKey(run.conversationId, call.id));
    if (wasStarted && decided.tool.effect === "once") {
        await settleCall(session, run, call, { text: OUTCOME_UNKNOWN, isError: true }, "unknown");
        return undefined;
    }
    if (decided.kind === "ask") {
        const verdict = await confirmCall(session, run, decided, rest);
        if (verdict.kind === "waiting")
            return { kind: "waiting" };
        if (verdict.kind === "refused") {
            await settleCall(session, run, call, { text: verdict.reason, isError: true }, "denied");
            return undefined;
        }
    }
    return executeCall(session, run, call, decided.tool, decided.input);
}

;// CONCATENATED MODULE: ./build/agent/loop.js
// The agent loop: settle the last turn, ask the model, until the task is done, waits or a limit is reached.








/** Begins a conversation: its frozen prefix, its model and the message that starts it become durable together. */
async function startConversation(session, start, prefix, opening) {
    const frozen = await session.journal.freeze(prefix);
    await session.journal.append({
        store: "conversation",
        type: "ConversationStarted",
        payload: { ...start, frozen, provider: session.model.provider },
    }, userMessage(start.conversationId, opening));
}
/** Runs a conversation until it ends. Never throws for a limit, an interruption or a question. */
async function runConversation(session, run) {
    const conversation = session.journal.conversation(run.conversationId);
    try {
        for (;;) {
            const outcome = await runTurn(session, run, conversation);
            if (outcome)
                return outcome;
        }
    }
    catch (error) {
        if (session.signal.aborted)
            return stoppedBySignal(session.signal);
        throw error;
    }
}
async function runTurn(session, run, conversation) {
    if (session.signal.aborted)
        return stoppedBySignal(session.signal);
    if ((0,session_conversation/* unansweredCalls */.YO)(conversation).length > 0) {
        const interruption = await settleTurn(session, run, conversation);
        if (interruption)
            return interruption;
    }
    const outcome = run.isDone() ?? ENDS.get(conversation.lastStop) ?? (await goOnAfterText(session, run, conversation));
    if (outcome)
        return outcome;
    const limit = reachedLimit(session.limits, session.journal.turnsOf(run.taskId), session.journal.totals);
    if (limit)
        return limit;
    await storeReply(session, run, await requestReply(session, run, conversation));
    return undefined;
}
/** What follows a response without tool calls; decided from what is stored, so a crash in between changes nothing. */
async function goOnAfterText(session, run, conversation) {
    const last = conversation.messages.at(-1);
    if (last?.role !== "assistant")
        return undefined;
    switch (conversation.lastStop) {
        case "pause_turn":
            return undefined;
        case "max_tokens":
            await session.journal.append(userMessage(run.conversationId, CUT));
            return undefined;
        default: {
            const next = await run.whenEnded((0,session_message/* textOf */.b)(last));
            if ("outcome" in next)
                return next.outcome;
            await session.journal.append(userMessage(run.conversationId, next.tell));
            return undefined;
        }
    }
}
async function requestReply(session, run, conversation) {
    const prefix = await session.journal.prefixOf(conversation);
    const request = () => session.model.respond({
        conversationId: `${session.journal.sessionId}/${run.conversationId}`,
        model: conversation.model,
        prefix,
        messages: (0,session_conversation/* messagesToSend */.Gf)(conversation),
    }, {
        signal: session.signal,
        onText: (delta) => session.observe({ type: "text", sessionId: session.journal.sessionId, agent: run.agent, delta }),
    });
    try {
        return await request();
    }
    catch (error) {
        if (!(await switchModel(session, run, conversation, error)))
            throw error;
        return request();
    }
}
/** Failures that another model may not have. */
const SWITCHABLE = new Set(["overloaded", "rate-limit", "unavailable"]);
async function switchModel(session, run, conversation, error) {
    const to = session.fallbackModel;
    if (!(error instanceof build_errors/* LoopliaError */.$K) || !error.modelFailure || !SWITCHABLE.has(error.modelFailure))
        return false;
    if (to === undefined || to === conversation.model)
        return false;
    const from = conversation.model;
    await session.journal.append({
        store: "conversation",
        type: "ModelSwitched",
        payload: { conversationId: run.conversationId, from, to, reason: error.message },
    });
    session.observe({
        type: "notice",
        level: "warning",
        sessionId: session.journal.sessionId,
        message: `${from} failed (${error.message}); ${run.agent} goes on with ${to}`,
    });
    return true;
}
async function storeReply(session, run, reply) {
    requireUsableCalls(session, run, reply.message);
    const { stopReason, usage, model } = reply;
    const conversation = session.journal.conversation(run.conversationId);
    // The API may name the model that answered more exactly than the price list does.
    const costUsd = session.model.priceOf(model, usage) ?? session.model.priceOf(conversation.model, usage);
    const text = (0,session_message/* textOf */.b)(reply.message);
    const prefix = await session.journal.prefixOf(conversation);
    const decided = await decideCalls(session, prefix, stopReason, (0,session_message/* toolCallsOf */.V)(reply.message));
    await session.journal.append(...requestedLines(session, run, decided), {
        store: "conversation",
        type: "Message",
        payload: {
            conversationId: run.conversationId,
            message: reply.message.content.length > 0 ? reply.message : EMPTY,
            response: { model, stopReason, usage, costUsd },
        },
    });
    const { sessionId } = session.journal;
    session.observe({ type: "usage", sessionId, model, usage, costUsd });
    if (text)
        session.observe({ type: "message", sessionId, agent: run.agent, text });
}
/** Stop reasons after which no request can follow. */
const ENDS = new Map([
    ["refusal", { kind: "failed", reasonCode: "model-failed", message: "the model refused to answer" }],
    [
        "model_context_window_exceeded",
        {
            kind: "failed",
            reasonCode: "model-failed",
            message: "the conversation is longer than the model can read",
        },
    ],
]);
const CUT = "Your answer was cut at the limit of one response. Go on from where it stopped, more briefly.";
/** The API refuses a history with an empty message. */
const EMPTY = { role: "assistant", content: [{ type: "text", text: "(no answer)" }] };
/** The Messages API's form of a call's id; it becomes part of the names of conversations. */
const CALL_ID = /^[\w-]{1,200}$/;
/**
 * A call without an id of its own can't be answered, and one that has an earlier call's id would get that one's answer;
 * an input nested too deep can't be stored. Refused before anything is.
 */
function requireUsableCalls(session, run, message) {
    const calls = (0,session_message/* toolCallsOf */.V)(message);
    const { calls: known } = session.journal.state;
    const isOwn = (id) => CALL_ID.test(id) && !known.has(callKey(run.conversationId, id));
    const areOwn = calls.every(({ id }) => isOwn(id)) && new Set(calls.map(({ id }) => id)).size === calls.length;
    const problem = areOwn ? "nested too deep" : "without ids of their own";
    if (areOwn && calls.every((call) => (0,json/* isShallow */.fE)(call.input)))
        return;
    throw new build_errors/* LoopliaError */.$K("model-failed", `The model sent tool calls ${problem}.`, {
        modelFailure: "bad-request",
        hint: "Run again, or use another model.",
    });
}
function userMessage(conversationId, text) {
    return {
        store: "conversation",
        type: "Message",
        payload: { conversationId, message: { role: "user", content: [{ type: "text", text }] } },
    };
}

;// CONCATENATED MODULE: ./build/agent/subagent.js
// A subagent is an agent run exposed as a tool: its own conversation, its own tools, gated call by call.


/** `Task` nests to this depth. */
const subagent_MAX_DEPTH = 3;
/** Runs or goes on with the subagent's conversation; its last text is the result of the call. */
async function runSubagent(session, parent, agent, prompt, conversationId) {
    const definition = session.configuration.agents.get(agent);
    if (!definition)
        return { reply: { text: `There is no agent ${JSON.stringify(agent)}.`, isError: true } };
    const depth = parent.depth + 1;
    if (depth > subagent_MAX_DEPTH) {
        return {
            reply: { text: `Not started: subagents nest to depth ${subagent_MAX_DEPTH}. Do it yourself.`, isError: true },
        };
    }
    if (!session.journal.hasBegun(conversationId)) {
        const start = {
            conversationId,
            taskId: parent.taskId,
            agent,
            depth,
            model: modelFor(session, definition),
        };
        await startConversation(session, start, await buildPrefix(session, definition), prompt);
    }
    const run = {
        ...parent,
        conversationId,
        agent,
        depth,
        isDone: () => undefined,
        whenEnded: async (text) => ({ outcome: { kind: "completed", text } }),
        runSubagent: (name, task, id) => runSubagent(session, run, name, task, id),
    };
    const outcome = await runConversation(session, run);
    if (outcome.kind === "completed")
        return { reply: { text: outcome.text || "(the subagent said nothing)" } };
    if (outcome.kind === "failed")
        return { reply: { text: `The subagent failed: ${outcome.message}.`, isError: true } };
    return { outcome };
}

;// CONCATENATED MODULE: ./build/content/write-artifact.js
// What `writeArtifact` does: an artifact is on disk as the step's file only if it is valid.



/**
 * Validates, writes and records one artifact of a task, or answers with every problem and a hint. The same `callId`
 * counts as one try.
 */
async function writeArtifact(run, taskId, name, content, callId) {
    const { journal, observe, workspace } = run.session;
    const task = journal.state.tasks.get(taskId);
    const output = run.pipeline.outputs.find((candidate) => candidate.name === name);
    if (!task || !output || !task.outputs.includes(name)) {
        const due = task?.outputs.join(", ") ?? "none";
        return {
            text: `Not written: ${JSON.stringify(name)} is not an output of this task. Due here: ${due}.`,
            isError: true,
        };
    }
    const artifacts = await readArtifacts(run, usableOutputs(run, task));
    const standing = run.pipeline.outputs.filter(({ artifact }) => artifacts.has(artifact));
    const missing = output.requires.filter((required) => !standing.some((found) => found.name === required));
    if (missing.length > 0) {
        return { text: `Not written: ${name} needs ${missing.join(", ")} first.`, isError: true };
    }
    const checked = await checkArtifact({
        output,
        value: content,
        item: run.item,
        sessionId: run.sessionId,
        ...(run.session.configuration.profile ? { profile: run.session.configuration.profile } : {}),
        artifacts,
    });
    if (!checked.ok) {
        await journal.append({
            store: "events",
            type: "ArtifactRefused",
            payload: { taskId, output: name, callId, errors: checked.errors },
        });
        const count = task.refusals.get(name)?.count ?? 0;
        const recoverable = count <= output.maxRetries;
        const { errors, hint } = checked;
        const { sessionId } = run;
        observe({
            type: "validation-failed",
            sessionId,
            output: name,
            artifact: output.artifact,
            errors,
            hint,
            recoverable,
        });
        const { prompts } = run.session.configuration;
        return { text: await prompts.render("retry.md", { output, errors, hint }), isError: true };
    }
    const accepted = task.accepted.get(name);
    if (accepted !== undefined && accepted !== checked.contentHash) {
        return {
            text: `Not written: ${output.artifact} was accepted already and stays as it is.`,
            isError: true,
        };
    }
    // No matter for the model: it can't mend the disk.
    const path = `${run.folder}/${output.artifact}`;
    await workspace.writeAtomic(path, checked.text).catch((cause) => {
        const hint = "Make its place writable and run again.";
        throw new build_errors/* LoopliaError */.$K("host-failed", `${path} was not written: ${(0,build_errors/* messageOf */.bD)(cause)}`, { hint, cause });
    });
    await journal.append({
        store: "events",
        type: "ArtifactAccepted",
        payload: { taskId, output: name, contentHash: checked.contentHash },
    });
    return { text: `Accepted: ${output.artifact} is valid and written.` };
}

;// CONCATENATED MODULE: ./build/content/run-task.js
// The step function: runs one task (a due step, or neighbours of one agent) in a conversation of its own.
// Whoever leads, the program or a main agent, calls this, and only this marks steps.











/** Runs or goes on with a task until its outputs are completed together, or it failed, waits or stopped. */
async function runTask(run, group, origin = { depth: 0 }) {
    const task = await openTask(run, group, origin);
    try {
        const ended = await runConversation(run.session, agentRun(run, task));
        const outcome = ended.kind === "completed" ? await confirmArtifacts(run, task) : ended;
        if (outcome.kind === "completed")
            await completeTask(run, task);
        if (outcome.kind === "failed")
            await failTask(run, task, outcome.reasonCode, outcome.message);
        if (outcome.kind === "waiting")
            observeSteps(run, task, "waiting");
        return outcome;
    }
    catch (error) {
        const outcome = modelFailure(error);
        await markFailed(run, task, outcome.message);
        return outcome;
    }
}
/** What was accepted must still stand: a command of the agent, or somebody else, may have written there. */
async function confirmArtifacts(run, task) {
    const changed = await findChangedArtifact(run, task);
    if (changed === undefined)
        return { kind: "completed", text: "" };
    const message = `${changed} was changed after it was accepted, so its step is not done`;
    return { kind: "failed", reasonCode: "invalid-artifact", message };
}
async function openTask(run, group, origin) {
    const { journal } = run.session;
    const known = journal.state.tasks.get(group.taskId);
    if (!isOpen(known)) {
        const attempt = (known?.attempt ?? 0) + 1;
        const { taskId, agent, outputs } = group;
        const conversationId = origin.conversationId ?? `${taskId}#${attempt}`;
        const inputs = currentInputs(run.session.configuration, agent, run.item.sourceHash);
        await journal.append({ store: "events", type: "TaskCreated", payload: { taskId, agent, outputs, inputs, conversationId } }, { store: "events", type: "TaskStarted", payload: { taskId } });
    }
    const task = journal.state.tasks.get(group.taskId);
    if (!task)
        throw new Error(`task ${group.taskId} was not folded`);
    await saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "in_progress" }])));
    observeSteps(run, task, "started");
    if (!journal.hasBegun(task.conversationId))
        await openConversation(run, task, origin);
    return task;
}
async function openConversation(run, task, origin) {
    const definition = run.session.configuration.agents.get(task.agent);
    if (!definition)
        throw new Error(`agent ${task.agent} passed the pipeline's check but is not known`);
    const start = {
        conversationId: task.conversationId,
        taskId: task.taskId,
        agent: task.agent,
        depth: origin.depth,
        model: modelFor(run.session, definition),
    };
    const opening = await renderStep(run, task, origin.prompt);
    await startConversation(run.session, start, await buildPrefix(run.session, definition), opening);
}
function agentRun(run, task) {
    const conversation = run.session.journal.conversation(task.conversationId);
    const self = {
        conversationId: task.conversationId,
        taskId: task.taskId,
        agent: task.agent,
        depth: conversation.depth,
        artifacts: {
            write: (output, content, callId) => writeArtifact(run, task.taskId, output, content, callId),
        },
        subagents: [...run.session.configuration.agents.keys()],
        runSubagent: (agent, prompt, id) => runSubagent(run.session, self, agent, prompt, id),
        isDone: () => taskOutcome(run, task),
        whenEnded: (text) => remind(run, task, text),
    };
    return self;
}
function taskOutcome(run, task) {
    for (const name of task.outputs) {
        const refusal = task.refusals.get(name);
        const retries = run.pipeline.outputs.find((output) => output.name === name)?.maxRetries ?? 0;
        if (task.accepted.has(name) || !refusal || refusal.count <= retries)
            continue;
        const message = `${name} was invalid ${refusal.count} times; last: ${refusal.errors.join("; ")}`;
        return { kind: "failed", reasonCode: "invalid-artifact", message };
    }
    return missingOutputs(task).length === 0 ? { kind: "completed", text: "" } : undefined;
}
/** How often an agent that stops without its artifact is told so. */
const REMINDERS = 1;
async function remind(run, task, text) {
    const missing = missingOutputs(task);
    const said = run.session.journal
        .conversation(task.conversationId)
        .messages.filter((message) => message.role === "user" && message.content.some((block) => block.type === "text"));
    if (said.length <= REMINDERS) {
        return { tell: await run.session.configuration.prompts.render("unfinished.md", { missing }) };
    }
    const last = text.trim().slice(0, 500) || "nothing";
    const message = `${task.agent} ended without writing ${missing.join(", ")}; it said: ${last}`;
    return { outcome: { kind: "failed", reasonCode: "invalid-artifact", message } };
}
function missingOutputs(task) {
    return task.outputs.filter((name) => !task.accepted.has(name));
}

;// CONCATENATED MODULE: ./build/content/orchestrate.js
// Orchestration `agent`: a main agent reads instructions, pipeline and due steps, and calls `Task` for each.
// The program still runs, validates and marks each step.






const TASK_ID = "orchestrate";
/** Runs the main agent. Outcomes of the tasks it started are put into `outcomes`; what it forgot is left out. */
async function orchestrate(run, groups, outcomes) {
    const { journal, configuration } = run.session;
    const agent = configuration.mainAgent.name;
    const conversationId = await openMain(run, groups);
    const self = {
        conversationId,
        taskId: TASK_ID,
        agent,
        depth: 0,
        artifacts: {
            write: async () => ({ text: "The main agent writes no artifacts: use Task.", isError: true }),
        },
        subagents: [...new Set(groups.map((group) => group.agent))],
        runSubagent: (agent, prompt, id) => delegate(run, groups, outcomes, { agent, prompt, conversationId: id }),
        isDone: () => (groups.every((group) => outcomes.get(group)?.kind === "completed") ? DONE : undefined),
        whenEnded: async () => ({ outcome: DONE }),
    };
    const outcome = await runConversation(run.session, self);
    if (outcome.kind === "waiting" || outcome.kind === "stopped")
        return outcome;
    // However it ended: what it left is the program's.
    await journal.append({ store: "events", type: "TaskCompleted", payload: { taskId: TASK_ID } });
    return DONE;
}
const DONE = { kind: "completed", text: "" };
async function openMain(run, groups) {
    const { journal, configuration, modelName: model } = run.session;
    const agent = configuration.mainAgent.name;
    const known = journal.state.tasks.get(TASK_ID);
    const conversationId = isOpen(known) ? known.conversationId : `${TASK_ID}#${(known?.attempt ?? 0) + 1}`;
    if (!isOpen(known)) {
        const inputs = currentInputs(configuration, agent, run.item.sourceHash);
        const payload = { taskId: TASK_ID, agent, outputs: [], inputs, conversationId };
        await journal.append({ store: "events", type: "TaskCreated", payload }, { store: "events", type: "TaskStarted", payload: { taskId: TASK_ID } });
    }
    if (!journal.hasBegun(conversationId)) {
        const prefix = await buildPrefix(run.session, configuration.mainAgent);
        const start = { conversationId, taskId: TASK_ID, agent, depth: 0, model };
        await startConversation(run.session, start, prefix, await renderOrchestration(run, groups));
    }
    return conversationId;
}
function renderOrchestration(run, groups) {
    const steps = groups.map(({ agent, outputs }) => ({ agent, outputs }));
    const { pipeline, folder, item } = run;
    return run.session.configuration.prompts.render("orchestrate.md", {
        pipeline,
        sessionFolder: folder,
        title: item.title,
        steps,
        facts: JSON.stringify({ sessionFolder: folder, steps }),
    });
}
/** One `Task` call: runs the due task of that agent, or says what is due. */
async function delegate(run, groups, outcomes, call) {
    const earlier = [...run.session.journal.state.tasks.values()].find((task) => task.conversationId === call.conversationId && task.status === "completed");
    if (earlier)
        return { reply: { text: `Completed: ${earlier.outputs.join(", ")}.` } };
    const left = groups.filter((group) => !outcomes.has(group));
    const group = left.find((candidate) => candidate.agent === call.agent && isReady(run, candidate));
    if (!group) {
        const due = left.filter((candidate) => isReady(run, candidate)).map((candidate) => candidate.agent);
        const text = `Nothing is due for ${JSON.stringify(call.agent)} now. Due now: ${due.join(", ") || "nothing"}.`;
        return { reply: { text, isError: true } };
    }
    const { conversationId, prompt } = call;
    const outcome = await runTask(run, group, { conversationId, depth: 1, prompt });
    if (outcome.kind === "waiting" || outcome.kind === "stopped")
        return { outcome };
    outcomes.set(group, outcome);
    if (outcome.kind === "failed")
        return { reply: { text: `Failed: ${outcome.message}.`, isError: true } };
    return { reply: { text: `Completed: ${group.outputs.join(", ")}. The program validated and marked it.` } };
}

;// CONCATENATED MODULE: ./build/content/run-session.js
// Runs what is due in a session: independent tasks at the same time (bounded), dependent ones in order.






/** Tasks of one session at once. */
const TASKS_AT_ONCE = 4;
/** Runs the groups and returns one outcome for the session: failed > waiting > stopped > completed. */
async function runSession(run, groups, settings) {
    await settleOpenTasks(run, groups, settings);
    const outcomes = new Map();
    if (settings.orchestration === "agent") {
        const led = await orchestrate(run, groups, outcomes).catch(modelFailure);
        if (led.kind !== "completed")
            return led;
    }
    // Whoever led, the program runs what is still due.
    await runGroups(run, groups, outcomes);
    const { signal } = run.session;
    if (signal.aborted && outcomes.size < groups.length)
        return stoppedBySignal(signal);
    return worstOf([...outcomes.values()]);
}
/** The outcome that counts for several. */
function worstOf(outcomes) {
    for (const kind of ["failed", "waiting", "stopped"]) {
        const found = outcomes.find((outcome) => outcome.kind === kind);
        if (found)
            return found;
    }
    return { kind: "completed", text: "" };
}
async function runGroups(run, groups, outcomes) {
    const running = new Map();
    const errors = [];
    const isStopped = () => run.session.signal.aborted || errors.length > 0;
    const start = async (group) => {
        try {
            outcomes.set(group, await runTask(run, group));
        }
        catch (error) {
            errors.push(error);
        }
        finally {
            running.delete(group);
        }
    };
    for (;;) {
        for (const group of groups) {
            if (running.size >= TASKS_AT_ONCE || isStopped())
                break;
            if (outcomes.has(group) || running.has(group) || !isReady(run, group))
                continue;
            running.set(group, start(group));
        }
        if (running.size === 0)
            break;
        await Promise.race(running.values());
    }
    if (errors.length > 0)
        throw errors[0];
}

;// CONCATENATED MODULE: ./build/content/run-item.js
// Runs one planned session: opens its stores, saves what changed, runs what is due, says how it ended.










/** Runs what is due. `before` sees the opened session first, e.g. to record an answer. */
async function runPlanned(ports, settings, plan, openWork, before) {
    const first = await plan();
    if (settings.dryRun || (!before && !hasDue(first)))
        return leaveAlone(ports, first);
    const work = await openWork();
    // Until the work was open another process may have gone on with the session.
    const planned = await plan();
    if (!before && !hasDue(planned))
        return leaveAlone(ports, planned);
    const { sessionId } = planned;
    const groups = groupTasks(planned.pipeline, planned.plans);
    const { journal, setAside } = await Journal.open(work.workId, await work.session(sessionId));
    for (const message of setAside)
        ports.observe({ type: "notice", level: "warning", message, sessionId });
    const run = sessionRun(planned, agentSession(ports, settings, journal));
    try {
        // What is observed is logged: a refused answer leaves nothing, so it comes first.
        await before?.(run, groups);
        observePlan(ports, planned);
        await saveStart(run, planned);
        const outcome = await runSession(run, groups, settings);
        return await run_item_describe(ports, planned, run, outcome);
    }
    finally {
        await journal.close();
    }
}
/**
 * Nothing is due, or it is a dry run: that renders what the due tasks would begin with, so that a broken prompt shows,
 * and stops there.
 */
async function leaveAlone(ports, planned) {
    observePlan(ports, planned);
    for (const group of groupTasks(planned.pipeline, planned.plans)) {
        const agent = ports.configuration.agents.get(group.agent);
        if (agent)
            await buildPrefix(ports, agent);
        await renderStep({ ...planned, session: ports }, group);
    }
    const result = await run_item_describe(ports, planned, undefined, { kind: "completed", text: "" });
    return hasDue(planned) ? { ...result, reasonCode: "done" } : result;
}
function hasDue({ plans }) {
    return plans.some((plan) => plan.due);
}
function observePlan(ports, planned) {
    const { sessionId, pipeline, plans, folder, item } = planned;
    const steps = plans.map(({ output, due, reason }) => ({ output, due, reason }));
    const { source } = item;
    ports.observe({ type: "session", sessionId, source, pipeline: pipeline.name, folder, steps });
}
function agentSession(ports, settings, journal) {
    const { configuration, workspace, host, model, tools, clock, observe, signal } = ports;
    return {
        journal,
        configuration,
        workspace,
        host,
        model,
        modelName: settings.model,
        ...(settings.fallbackModel === undefined ? {} : { fallbackModel: settings.fallbackModel }),
        tools,
        limits: settings.limits,
        clock,
        observe,
        signal,
        asking: { last: Promise.resolve() },
    };
}
function sessionRun(planned, session) {
    const { sessionId, folder, item, pipeline, manifest } = planned;
    return { sessionId, folder, item, pipeline, manifest, session, saving: { last: Promise.resolve() } };
}
/** Makes the folder, or brings `content.md` and the manifest up to the item and the output asked for. */
async function saveStart(run, planned) {
    const { workspace, clock } = run.session;
    if (planned.isNew) {
        run.manifest = withNotice(planned.manifest, run.session.model.notice, true);
        await createSessionFolder(workspace, run.manifest, planned.item.bytes);
        return;
    }
    if (planned.isSourceChanged)
        await writeContent(workspace, run.sessionId, planned.item.bytes);
    const { pipeline, plans: steps, item, desiredOutput } = planned;
    const plan = { pipeline, steps, sourceHash: item.sourceHash, desiredOutput };
    const isAll = steps.length === pipeline.outputs.length && steps.every((step) => step.due);
    const known = withNotice(run.manifest, run.session.model.notice, isAll);
    const manifest = applyPlan(known, plan, clock.now().toISOString());
    if (manifest === run.manifest)
        return;
    await writeManifest(workspace, manifest);
    run.manifest = manifest;
}
/** The manifest says when artifacts are not a language model's; only a run that makes all anew takes that back. */
function withNotice(manifest, notice, isAll) {
    if (manifest.extra.get("notice") === notice || (notice === undefined && !isAll))
        return manifest;
    const extra = new Map(manifest.extra);
    if (notice === undefined)
        extra.delete("notice");
    else
        extra.set("notice", notice);
    return { ...manifest, extra };
}
async function run_item_describe(ports, planned, run, outcome) {
    const { sessionId, folder, item, pipeline, desiredOutput } = planned;
    const manifest = run?.manifest ?? planned.manifest;
    const standing = { ...planned, manifest, session: { workspace: ports.workspace } };
    const usable = usableOutputs(standing);
    const byFile = await readArtifacts(standing, usable);
    const artifacts = new Map();
    for (const { name, artifact } of pipeline.outputs)
        if (byFile.has(artifact))
            artifacts.set(name, byFile.get(artifact));
    const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
    const journal = run?.session.journal;
    const notice = manifest.extra.get("notice");
    return {
        source: item.source,
        sessionId,
        title: item.title,
        ...run_item_statusOf(outcome, run === undefined),
        folder,
        pipeline: pipeline.name,
        output: desiredOutput,
        finalOutput: pipeline.final,
        ...(wanted && artifacts.has(desiredOutput)
            ? { artifactPath: `${folder}/${wanted.artifact}`, artifact: artifacts.get(desiredOutput) }
            : {}),
        artifacts,
        steps: planned.plans.map(({ output, reason }) => {
            const step = manifest.steps.get(output);
            const message = step?.errorMessage === undefined ? {} : { message: step.errorMessage };
            return { output, status: step?.status ?? "pending", reason, ...message };
        }),
        ...(typeof notice === "string" ? { notice } : {}),
        interactions: journal ? openInteractions(journal.state) : [],
        usage: journal?.totals.usage ?? (0,session_conversation/* noUsage */.tk)(),
        costUsd: journal === undefined ? 0 : journal.totals.unpriced ? null : journal.totals.costUsd,
    };
}
function run_item_statusOf(outcome, isUntouched) {
    switch (outcome.kind) {
        case "completed":
            return { status: "completed", reasonCode: isUntouched ? "up-to-date" : "done" };
        case "waiting":
            return { status: "waiting", reasonCode: "open-questions" };
        default:
            return { status: outcome.kind, reasonCode: outcome.reasonCode, message: outcome.message };
    }
}

;// CONCATENATED MODULE: ./build/handle.js
// The story, readable top to bottom: a trigger selects sessions, each runs what is due, one result is told.










/**
 * Runs a trigger to its end. Expected failures of one item are that item's result; what concerns the whole run
 * (configuration, a store that is in use or damaged) is thrown as LoopliaError.
 */
async function handle(trigger, ports, settings) {
    requirePrice(settings.limits, ports.model, modelNames(ports.configuration, settings));
    switch (trigger.kind) {
        case "file":
            return handleFile(trigger.source, ports, settings);
        case "items":
            return handleItems(trigger, ports, settings);
        case "session":
            return handleSession(trigger.sessionId, ports, settings);
        case "answer":
            return handleAnswer(trigger, ports, settings);
    }
}
/** Every model that may be asked. */
function modelNames(configuration, settings) {
    const { model, fallbackModel } = settings;
    const agents = [...configuration.agents.values()].map((agent) => modelFor({ modelName: model }, agent));
    return [...new Set([model, ...(fallbackModel === undefined ? [] : [fallbackModel]), ...agents])];
}
async function handleFile(source, ports, settings) {
    const planned = await planItem(ports, settings, { ...(await readItem(ports, source)), fresh: true });
    return runAlone(ports, settings, planned.sessionId, planned.sessionId, async () => planned);
}
async function handleSession(sessionId, ports, settings) {
    const workId = (await ports.stores.findSession(sessionId)) ?? sessionId;
    return runAlone(ports, settings, workId, sessionId, () => planSession(ports, settings, sessionId));
}
/** An answer is checked and stored before anything runs; a wrong one changes nothing. */
async function handleAnswer(trigger, ports, settings) {
    const found = await ports.stores.findInteraction(trigger.interactionId);
    if (!found) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `There is no question ${JSON.stringify(trigger.interactionId)}.`, {
            hint: "`looplia status` lists the open questions.",
        });
    }
    const { workId, sessionId } = found;
    const plan = () => planAnswered(ports, settings, sessionId);
    return runAlone(ports, settings, workId, sessionId, plan, async (run, groups) => {
        const { state } = run.session.journal;
        const interaction = state.interactions.get(found.interactionId);
        if (!interaction || interaction.response || interaction.closed) {
            throw new build_errors/* LoopliaError */.$K("config-invalid", `The question ${found.interactionId} is no longer open.`, {
                hint: "`looplia status` lists the open questions.",
            });
        }
        const task = state.tasks.get(interaction.request.taskId);
        const reason = task && (await whyAnew(run, groups, settings, task));
        if (reason !== undefined) {
            throw new build_errors/* LoopliaError */.$K("config-invalid", `An answer to ${found.interactionId} is of no use: ${reason}.`, {
                hint: `Go on with \`looplia run --session-id ${sessionId}\`; it asks again where it must.`,
            });
        }
        const checked = await checkAnswer(interaction.request, trigger.answer);
        if (!checked.ok) {
            throw new build_errors/* LoopliaError */.$K("config-invalid", `That does not answer ${found.interactionId}: expected ${checked.expected}.`);
        }
        await recordAnswer(run.session, interaction.request, checked.answer, trigger.actorId);
    });
}
async function runAlone(ports, settings, workId, key, plan, before) {
    const works = openOnce(ports, { workId, key });
    try {
        return summarizeItems([await runPlanned(ports, settings, plan, works.open, before)]);
    }
    finally {
        await works.close();
    }
}
/** Many items, some at once. One that fails stops no other; what damages the run as a whole does. */
async function handleItems(trigger, ports, settings) {
    if (trigger.sources.length === 0) {
        throw new build_errors/* LoopliaError */.$K("no-items", "No file matches `content`.", {
            hint: "Check the globs and the working directory.",
        });
    }
    const { default: limitConcurrency } = await __webpack_require__.e(/* import() */ 370).then(__webpack_require__.bind(__webpack_require__, 70370));
    const works = openOnce(ports, trigger);
    const limit = limitConcurrency(settings.concurrency);
    try {
        const results = await Promise.allSettled(trigger.sources.map((source) => limit(() => runItem(ports, settings, source, works.open))));
        return summarizeItems(results.map((result) => {
            if (result.status === "rejected")
                throw result.reason;
            return result.value;
        }));
    }
    finally {
        await works.close();
    }
}
async function runItem(ports, settings, source, openWork) {
    try {
        const read = await readItem(ports, source);
        const plan = () => planItem(ports, settings, { ...read, fresh: false });
        return await runPlanned(ports, settings, plan, openWork);
    }
    catch (error) {
        if (!(error instanceof build_errors/* LoopliaError */.$K) || error.code === "busy" || error.code === "lost-race")
            throw error;
        return failedItem(source, settings, error.code, (0,build_errors/* explain */.WE)(error));
    }
}
async function readItem(ports, source) {
    const bytes = await ports.readSource(source);
    if (bytes)
        return { path: source, bytes };
    throw new build_errors/* LoopliaError */.$K("config-invalid", `There is no file ${source}.`, { hint: "Check the path." });
}
function failedItem(source, settings, reasonCode, message) {
    return {
        source,
        sessionId: "",
        title: source,
        status: "failed",
        reasonCode,
        message,
        folder: "",
        pipeline: settings.pipeline,
        output: settings.output ?? "",
        finalOutput: "",
        artifacts: new Map(),
        steps: [],
        interactions: [],
        usage: (0,session_conversation/* noUsage */.tk)(),
        costUsd: 0,
    };
}
/** The work is opened when the first session has something to do, so a run without work leaves no trace. */
function openOnce(ports, work) {
    let opened;
    return {
        open: () => {
            opened ??= ports.stores.open({ workId: work.workId, kind: "content", key: work.key });
            return opened;
        },
        close: async () => {
            await (await opened?.catch(() => undefined))?.close();
        },
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/wire.js
// Puts an adapter behind each port; with its neighbours `wire-cli.ts` and `wire-action.ts` the only importer of adapters.















const clock = { now: () => new Date(), elapsed: () => performance.now() };
const ids = { hex: (bytes) => (0,external_node_crypto_.randomBytes)(bytes).toString("hex") };
/** Handles a trigger with real adapters. Throws LoopliaError for what concerns the run as a whole. */
async function runTrigger(place, trigger) {
    const logs = [];
    const observe = (event) => {
        place.observe(event);
        for (const log of logs)
            log.observe(event);
    };
    // First, because it begins to load the SDK while everything else is read.
    const model = await createModel(place.settings, place.isDemo === true);
    const builtin = installedFolder(place.installFolder);
    const { configuration, diagnostics } = await loadConfiguration(place.trusted, builtin, {
        prompts: createPrompts(builtin),
        pipeline: place.settings.pipeline,
    });
    for (const diagnostic of diagnostics) {
        if (diagnostic.severity === "warning") {
            observe({ type: "notice", level: "warning", message: formatDiagnostic(diagnostic) });
        }
    }
    diagnostics_throwIfErrors(diagnostics);
    const ports = {
        clock,
        ids,
        workspace: await openWorkspace(place.root, {
            environment: commandEnvironment(place.environment),
            stateFolder: place.stateFolder,
            systemTemp: place.environment.RUNNER_TEMP ?? place.stateFolder,
        }),
        host: place.host,
        model,
        stores: createStores(place, logs),
        observe,
        signal: withDeadline(place.signal, place.settings.timeoutMinutes),
        configuration,
        tools: new Map(allTools().map((tool) => [tool.name, tool])),
        readSource: place.readSource,
    };
    try {
        return await handle(trigger, ports, await contentSettings(place.settings));
    }
    finally {
        await Promise.all(logs.map((log) => log.close()));
    }
}
/** The model that the settings name; for `anthropic` the SDK begins to load at once. */
async function createModel(settings, isDemo) {
    if (settings.provider === "anthropic") {
        const baseURL = settings.anthropicBaseUrl;
        return createAnthropicModel({ apiKey: settings.anthropicApiKey ?? "", ...(baseURL ? { baseURL } : {}) });
    }
    const { createOfflineModel } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(176)]).then(__webpack_require__.bind(__webpack_require__, 96176));
    return createOfflineModel({ askInDemo: isDemo });
}
async function defaultModel(settings) {
    if (settings.provider === "anthropic")
        return DEFAULT_ANTHROPIC_MODEL;
    return (await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(176)]).then(__webpack_require__.bind(__webpack_require__, 96176))).OFFLINE_MODEL;
}
async function contentSettings(settings) {
    const { pipeline, output, force, orchestration, fallbackModel, concurrency, dryRun } = settings;
    const { maxTurns, maxTokens, maxCostUsd } = settings;
    const isOffline = settings.provider === "offline";
    return {
        pipeline,
        ...(output === undefined ? {} : { output }),
        ...(force === undefined ? {} : { force }),
        orchestration,
        // Another provider's model means nothing to the rehearsal.
        model: (isOffline ? undefined : settings.model) ?? (await defaultModel(settings)),
        ...(fallbackModel === undefined || isOffline ? {} : { fallbackModel }),
        limits: {
            maxTurns,
            ...(maxTokens === undefined ? {} : { maxTokens }),
            ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
        },
        concurrency,
        dryRun,
    };
}
function createStores({ stateFolder, version }, logs) {
    return {
        async open({ workId, kind, key }) {
            const folder = (0,external_node_path_.join)(stateFolder, workId);
            const header = { workId, kind, key, codeVersion: version };
            const work = await openWorkStore({ folder, header, clock });
            logs.push(openRunLog({ folder: (0,external_node_path_.join)(folder, "logs"), clock, pid: process.pid }));
            return work;
        },
        findSession: (sessionId) => store_find_findSessionWork(stateFolder, sessionId),
        findInteraction: (id) => store_find_findInteraction(stateFolder, id),
    };
}
/** Saving takes seconds: a run ends this long before its time is up, or at nine tenths of a short one. */
const SAVING_MS = 30_000;
function withDeadline(signal, minutes) {
    const total = minutes * 60_000;
    const deadline = new AbortController();
    setTimeout(() => deadline.abort("deadline"), total - Math.min(SAVING_MS, total / 10)).unref();
    return AbortSignal.any([signal, deadline.signal]);
}
/** The folder that the program is installed in: two above its entry. */
async function findInstall() {
    const installFolder = (0,external_node_path_.dirname)((0,external_node_path_.dirname)((0,external_node_path_.dirname)(await (0,promises_.realpath)(process.argv[1] ?? ""))));
    const { version } = JSON.parse(await (0,promises_.readFile)((0,external_node_path_.join)(installFolder, "package.json"), "utf8"));
    return { installFolder, version };
}

;// CONCATENATED MODULE: ./build/entrypoints/wire-action.js
// What the Action needs of the rest of the program.





/** Everything that the Action needs of the rest of the program. */
async function wireAction() {
    const install = await findInstall();
    return {
        runTrigger: (place, trigger) => runTrigger({ ...place, ...install }, trigger),
        openRepository: async ({ temporary, token, environment, ...where }) => openRepository({
            temporary,
            token,
            remote: await findRemote(where),
            environment: (0,git_process/* gitEnvironment */._)(environment),
        }),
        codeHost: createGithubHost,
        uploadFolder: async (upload) => (await __webpack_require__.e(/* import() */ 630).then(__webpack_require__.bind(__webpack_require__, 14630))).uploadFolder(upload),
    };
}


/***/ }),

/***/ 62068:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gf: () => (/* binding */ messagesToSend),
/* harmony export */   YO: () => (/* binding */ unansweredCalls),
/* harmony export */   s: () => (/* binding */ applyConversationLine),
/* harmony export */   tk: () => (/* binding */ noUsage),
/* harmony export */   vk: () => (/* binding */ addUsage)
/* harmony export */ });
/* harmony import */ var _message_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(11684);

function noUsage() {
    return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
}
function addUsage(sum, more) {
    return {
        inputTokens: sum.inputTokens + more.inputTokens,
        outputTokens: sum.outputTokens + more.outputTokens,
        cacheReadTokens: sum.cacheReadTokens + more.cacheReadTokens,
        cacheWriteTokens: sum.cacheWriteTokens + more.cacheWriteTokens,
    };
}
/** Applies one line in place; adds what a response cost to `totals`. */
function applyConversationLine(conversations, totals, line) {
    if (line.type === "ConversationStarted") {
        conversations.set(line.payload.conversationId, {
            ...line.payload,
            messages: [],
            results: new Map(),
            turns: 0,
            switchedAt: 0,
        });
        return;
    }
    const conversation = conversations.get(line.payload.conversationId);
    if (!conversation)
        return;
    switch (line.type) {
        case "Message":
            conversation.messages.push(line.payload.message);
            if (line.payload.response) {
                conversation.turns += 1;
                conversation.lastStop = line.payload.response.stopReason;
                totals.usage = addUsage(totals.usage, line.payload.response.usage);
                totals.costUsd += line.payload.response.costUsd ?? 0;
                totals.unpriced ||= line.payload.response.costUsd === null;
            }
            return;
        case "ToolResult":
            addResult(conversation, line.payload.block);
            return;
        case "ModelSwitched":
            conversation.model = line.payload.to;
            conversation.switchedAt = conversation.messages.length;
    }
}
/** The calls of the last turn that have no result yet, in order. */
function unansweredCalls(conversation) {
    const last = conversation.messages.at(-1);
    if (last?.role !== "assistant")
        return [];
    return (0,_message_js__WEBPACK_IMPORTED_MODULE_0__/* .toolCallsOf */ .V)(last).filter((call) => !conversation.results.has(call.id));
}
/**
 * What the next request sends. Thinking from before a switch of model is left out: it is bound to the model that
 * thought it (Messages API, thinking blocks).
 */
function messagesToSend(conversation) {
    if (conversation.switchedAt === 0)
        return conversation.messages;
    return conversation.messages
        .map((message, index) => (index < conversation.switchedAt ? withoutThinking(message) : message))
        .filter((message) => message.content.length > 0);
}
function withoutThinking(message) {
    if (message.role === "user")
        return message;
    return { ...message, content: message.content.filter((block) => !isThinking(block.type)) };
}
function isThinking(type) {
    return type === "thinking" || type === "redacted_thinking";
}
/** The user message after a turn: its results in call order, once all are there. */
function addResult(conversation, block) {
    const last = conversation.messages.at(-1);
    if (last?.role !== "assistant")
        return;
    conversation.results.set(block.tool_use_id, block);
    const results = (0,_message_js__WEBPACK_IMPORTED_MODULE_0__/* .toolCallsOf */ .V)(last).map((call) => conversation.results.get(call.id));
    if (results.some((result) => result === undefined))
        return;
    conversation.results = new Map();
    conversation.messages.push({ role: "user", content: results });
}


/***/ }),

/***/ 59437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Ks: () => (/* binding */ auditable),
/* harmony export */   cZ: () => (/* binding */ isWellFormedJson),
/* harmony export */   fE: () => (/* binding */ isShallow)
/* harmony export */ });
// Rules about JSON values that models and people send.
/** False when a text or key in the value holds a lone surrogate: such a value has no UTF-8 and no RFC 8785 form. */
function isWellFormedJson(value) {
    const open = [value];
    while (open.length > 0) {
        const next = open.pop();
        if (typeof next === "string") {
            if (!next.isWellFormed())
                return false;
        }
        else if (next !== null && typeof next === "object") {
            for (const [key, inner] of Object.entries(next))
                open.push(key, inner);
        }
    }
    return true;
}
/** Deeper values overflow the stack of what writes JSON. */
const MAX_DEPTH = 500;
/** True when no list or object in the value has more than 500 others around it. Never recurses. */
function isShallow(value) {
    let level = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
        if (depth > MAX_DEPTH)
            return false;
        level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    }
    return true;
}
/** The value as an object for the audit log; anything else is wrapped. Lone surrogates become U+FFFD. */
function auditable(value) {
    const safe = isWellFormedJson(value) ? value : JSON.parse(wellFormedText(value));
    return isObject(safe) ? safe : { value: safe ?? null };
}
/** A JSON object, not an array. */
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function wellFormedText(value) {
    const replace = (_key, inner) => {
        if (typeof inner === "string")
            return inner.toWellFormed();
        if (!isObject(inner))
            return inner;
        return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key.toWellFormed(), item]));
    };
    return JSON.stringify(value, replace) ?? "null";
}


/***/ }),

/***/ 11684:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   V: () => (/* binding */ toolCallsOf),
/* harmony export */   b: () => (/* binding */ textOf)
/* harmony export */ });
// What a model says and hears. The shape is the Messages API's; other providers translate at their border.
/** The tool calls of a message, in order. */
function toolCallsOf(message) {
    return message.content.filter((block) => block.type === "tool_use");
}
/** The text of a message: its text blocks, joined by a newline. */
function textOf(message) {
    return message.content
        .filter((block) => block.type === "text")
        .map((block) => block.text)
        .join("\n");
}


/***/ })

};

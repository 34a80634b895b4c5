export const id = 895;
export const ids = [895];
export const modules = {

/***/ 70064:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ commandEnvironment)
/* harmony export */ });
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


/***/ }),

/***/ 54134:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ onDisk),
/* harmony export */   w: () => (/* binding */ diskError)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
// What a disk refuses, in words.

/** What the disk refused, as an error that says what to do; anything else comes back as it was. */
function diskError(error, path) {
    const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .errnoOf */ .UQ)(error);
    const reason = code === undefined ? undefined : DISK_REASONS.get(code);
    if (!reason)
        return error;
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K(reason.code, `Cannot use ${path}: ${reason.text} (${code}).`, {
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
/** What `action` does with the disk, its refusals as `diskError`. */
function onDisk(path, action) {
    try {
        return action();
    }
    catch (error) {
        throw diskError(error, path);
    }
}


/***/ }),

/***/ 63861:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DA: () => (/* binding */ removeLeftovers),
/* harmony export */   DW: () => (/* binding */ syncDescriptor),
/* harmony export */   Ks: () => (/* binding */ removeIfThere),
/* harmony export */   Qx: () => (/* binding */ isDraft),
/* harmony export */   ap: () => (/* binding */ makePassingFolder),
/* harmony export */   fR: () => (/* binding */ replaceFile),
/* harmony export */   fc: () => (/* binding */ makeFolder),
/* harmony export */   gH: () => (/* binding */ allDone),
/* harmony export */   jY: () => (/* binding */ createOpenFile),
/* harmony export */   nM: () => (/* binding */ removeFile),
/* harmony export */   oD: () => (/* binding */ readWhole),
/* harmony export */   uj: () => (/* binding */ createPassingFile),
/* harmony export */   wX: () => (/* binding */ namesIn),
/* harmony export */   x3: () => (/* binding */ createFile),
/* harmony export */   zR: () => (/* binding */ syncBytes)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(76760);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(57975);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(19473);
/* harmony import */ var _disk_errors_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(54134);
// Files that are whole or not there at all: written beside, synced, then given their name. What only touches names is
// done at once, for a hop to another thread and back takes longer; what waits for the disk is waited for.







const DRAFT = /^\..+\.[0-9a-f]{8}\.looplia-new$/;
/** Waits until an open file or folder is on the disk, with what its inode says of it. */
const syncDescriptor = (0,node_util__WEBPACK_IMPORTED_MODULE_4__.promisify)(node_fs__WEBPACK_IMPORTED_MODULE_1__.fsync);
/** As `syncDescriptor`, for a file's bytes and length alone. */
const syncBytes = (0,node_util__WEBPACK_IMPORTED_MODULE_4__.promisify)(node_fs__WEBPACK_IMPORTED_MODULE_1__.fdatasync);
/**
 * Creates `path` by link(2), and the folders that are missing above it. Durable when it resolves; returns its descriptor,
 * ready to append. Undefined when the file is there already: then it is not changed.
 */
async function createOpenFile(path, bytes) {
    const above = makeFolder((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path));
    const created = createIn(path, bytes);
    try {
        await allDone([above, created]);
    }
    catch (error) {
        const descriptor = await created.catch(() => undefined);
        if (descriptor !== undefined)
            (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
        throw error;
    }
    return created;
}
async function createIn(path, bytes) {
    const { descriptor, draft } = await writeDraft(path, bytes);
    const refused = closingOnError(descriptor, () => linkDraft(draft, path));
    if (refused === undefined) {
        await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path));
        return descriptor;
    }
    (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
    if (refused === "EEXIST")
        return undefined;
    // Somebody took the draft for a dead process's leftover.
    return createIn(path, bytes);
}
/** As `createOpenFile`; false when the file is there already. */
async function createFile(path, bytes) {
    if ((0,node_fs__WEBPACK_IMPORTED_MODULE_1__.existsSync)(path))
        return false;
    const descriptor = await createOpenFile(path, bytes);
    if (descriptor !== undefined)
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
    return descriptor !== undefined;
}
/** As `createFile`, but a power cut may undo it. */
function createPassingFile(path, bytes) {
    const draft = draftOf(path);
    (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .onDisk */ .F)(path, () => (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.writeFileSync)(draft, bytes, { flag: "wx" }));
    return linkDraft(draft, path) === undefined;
}
/** Replaces a file by rename(2); durable when it resolves. */
async function replaceFile(path, bytes) {
    const { descriptor, draft } = await writeDraft(path, bytes);
    (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
    (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.renameSync)(draft, path);
    await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path));
}
/** Removes a file; durable when it resolves. */
async function removeFile(path) {
    (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.unlinkSync)(path);
    await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path));
}
/** Creates a folder and those above it: they are there at once, and durable when it resolves. */
async function makeFolder(folder) {
    const first = (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .onDisk */ .F)(folder, () => (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.mkdirSync)(folder, { recursive: true }));
    if (first === undefined)
        return;
    const parents = [];
    for (let made = folder; made.length >= first.length; made = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(made))
        parents.push((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(made));
    await Promise.all(parents.map(syncFolder));
}
/** As `makeFolder`, but a power cut may undo it. */
function makePassingFolder(folder) {
    (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .onDisk */ .F)(folder, () => (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.mkdirSync)(folder, { recursive: true }));
}
/** Removes a file, which a power cut may undo; nothing is fine. */
function removeIfThere(path) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.unlinkSync)(path);
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .errnoOf */ .UQ)(error) !== "ENOENT")
            throw error;
    }
}
/** Waits for all of them, so that none goes on unwatched, then fails as the first of them in their order that failed. */
async function allDone(promises) {
    for (const one of await Promise.allSettled(promises))
        if (one.status === "rejected")
            throw one.reason;
}
/** Whether a file of this name is one that is being written, or that a killed process was writing. */
function isDraft(name) {
    return DRAFT.test(name);
}
/** Removes drafts that a killed process left; a live one whose draft is taken writes it again. */
function removeLeftovers(folder) {
    for (const name of namesIn(folder))
        if (isDraft(name))
            removeIfThere((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, name));
}
/** All of a file's bytes. */
async function readWhole(path) {
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.readFile)(path).catch((error) => {
        throw (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .diskError */ .w)(error, path);
    });
}
/** The names in a folder, sorted; none when it is missing. */
function namesIn(folder) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readdirSync)(folder).sort();
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .errnoOf */ .UQ)(error) === "ENOENT")
            return [];
        throw (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .diskError */ .w)(error, folder);
    }
}
async function writeDraft(path, bytes) {
    const draft = draftOf(path);
    const descriptor = (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .onDisk */ .F)(path, () => (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.openSync)(draft, "wx"));
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.writeFileSync)(descriptor, bytes);
        await syncBytes(descriptor);
        return { descriptor, draft };
    }
    catch (error) {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
        removeIfThere(draft);
        throw (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .diskError */ .w)(error, path);
    }
}
function draftOf(path) {
    return (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path), `.${(0,node_path__WEBPACK_IMPORTED_MODULE_3__.basename)(path)}.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(4).toString("hex")}.looplia-new`);
}
/** Undefined when linked; else why not: the name is taken, or the draft is gone. */
function linkDraft(draft, path) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.linkSync)(draft, path);
        return undefined;
    }
    catch (error) {
        const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .errnoOf */ .UQ)(error);
        if (code === "EEXIST" || code === "ENOENT")
            return code;
        throw (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_6__/* .diskError */ .w)(error, path);
    }
    finally {
        removeIfThere(draft);
    }
}
async function syncFolder(folder) {
    const descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.openSync)(folder, "r");
    try {
        await syncDescriptor(descriptor);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
    }
}
function closingOnError(descriptor, action) {
    try {
        return action();
    }
    catch (error) {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
        throw error;
    }
}


/***/ }),

/***/ 74870:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Mt: () => (/* binding */ writeInside),
/* harmony export */   ik: () => (/* binding */ requireWritable),
/* harmony export */   pi: () => (/* binding */ removeInside),
/* harmony export */   xO: () => (/* binding */ readInside)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(57975);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(63861);
/* harmony import */ var _path_rules_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(90460);
/* harmony import */ var _pinned_files_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(39305);
/* harmony import */ var _write_atomic_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2414);
// Reads, writes and removes files below a root. What a caller checked is what is opened.







/** Bytes of a regular file, or undefined when there is none. `check` sees the real place before it is opened. */
async function readInside(root, parts, limit, check = () => { }) {
    const path = parts.join("/");
    for (let attempt = 1;; attempt += 1) {
        const place = (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .locate */ .x5)(root, parts);
        check(place);
        if (place.missing.length > 0)
            return undefined;
        try {
            return await readAll((0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .openPinned */ .T6)(place.real, node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY), path, limit);
        }
        catch (error) {
            // A file that is replaced at this moment looks like a swapped one: look again before refusing.
            if (error instanceof _pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .MovedError */ .WJ && attempt < 3)
                continue;
            if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error) === "ENOENT")
                return undefined;
            if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K)
                throw error;
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(path)} can't be read: ${(0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .reasonOf */ .A3)(error)}.`, "Name another file.", error);
        }
    }
}
/** Writes atomically at a path below the root, making folders. `check` sees the real place before anything is opened. */
async function writeInside(root, parts, bytes, check = () => { }) {
    await changing(parts, async () => {
        const place = (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .locate */ .x5)(root, parts);
        check(place);
        const { folder, name, made } = await (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .openParent */ .jt)(place);
        await (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_3__/* .allDone */ .gH)([made, (0,_write_atomic_js__WEBPACK_IMPORTED_MODULE_6__/* .replaceFile */ .f)(folder, name, bytes).finally(() => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(folder.descriptor))]);
    });
}
/** Removes what is there, a link itself, a folder with all in it; nothing is fine. */
async function removeInside(root, parts) {
    await changing(parts, async () => {
        const { real, missing } = (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .locate */ .x5)(root, parts.slice(0, -1));
        if (missing.length > 0)
            return;
        const { folder, name } = await (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .openParent */ .jt)({ real, missing: parts.slice(-1) });
        try {
            (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.rmSync)(folder.at(name), { recursive: true, force: true });
        }
        finally {
            (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(folder.descriptor);
        }
    });
}
const readDescriptor = (0,node_util__WEBPACK_IMPORTED_MODULE_1__.promisify)(node_fs__WEBPACK_IMPORTED_MODULE_0__.readFile);
/** Throws where a folder, or the nearest one above it that exists, can't be written. `check` sees the real place. */
function requireWritable(root, parts, check = () => { }) {
    const place = (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .locate */ .x5)(root, parts);
    check(place);
    try {
        // With the dot it must be a folder.
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.accessSync)(`${place.real}/.`, node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.W_OK | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.X_OK);
    }
    catch (error) {
        const why = `${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(parts.join("/"))} can't be written: ${(0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .reasonOf */ .A3)(error)}.`;
        throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(why, "Make it writable.", error);
    }
}
async function readAll(descriptor, path, limit) {
    try {
        const found = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.fstatSync)(descriptor);
        if (found.isDirectory())
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(path)} is a folder.`, "List it, or name a file in it.");
        if (!found.isFile())
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(path)} was refused: it is no regular file.`, "Name another file.");
        if (found.size > limit) {
            const mebibytes = `${Math.floor(limit / 1024 / 1024)} MiB`;
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(path)} was refused: it is larger than ${mebibytes}.`, "Search it, or use a command.");
        }
        return await readDescriptor(descriptor);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(descriptor);
    }
}
function isDiskFull(error) {
    return ["ENOSPC", "EDQUOT"].includes((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error) ?? "");
}
/** Translates what the system says of a change into an error that names path and reason. */
async function changing(parts, change) {
    const shown = (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(parts.join("/"));
    if (parts.length === 0)
        throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)("The root itself can't be changed.", "Give the path of a file.");
    try {
        await change();
    }
    catch (error) {
        if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K || (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error) === undefined)
            throw error;
        if (isDiskFull(error)) {
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("host-failed", `${shown} can't be written: ${(0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .reasonOf */ .A3)(error)}.`, {
                hint: "Free some space and run again.",
                cause: error,
            });
        }
        throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} can't be written: ${(0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_5__/* .reasonOf */ .A3)(error)}.`, "Make it writable or name another place.", error);
    }
}


/***/ }),

/***/ 80367:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ isLive)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
// Whether somebody who left a mark on the disk may still be at work.

/** True for a process that exists, another user's and one that nobody has waited for included. */
function isLive(pid) {
    try {
        return process.kill(pid, 0);
    }
    catch (error) {
        return (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .errnoOf */ .UQ)(error) === "EPERM";
    }
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
/* harmony import */ var _session_fold_name_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4038);
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
    const names = parts.map(_session_fold_name_js__WEBPACK_IMPORTED_MODULE_1__/* .foldName */ .z);
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


/***/ }),

/***/ 39305:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A3: () => (/* binding */ reasonOf),
/* harmony export */   FK: () => (/* binding */ isInside),
/* harmony export */   T6: () => (/* binding */ openPinned),
/* harmony export */   Uv: () => (/* binding */ realOrExpected),
/* harmony export */   WJ: () => (/* binding */ MovedError),
/* harmony export */   jt: () => (/* binding */ openParent),
/* harmony export */   x5: () => (/* binding */ locate)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(63861);
/* harmony import */ var _path_rules_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(90460);
// Opens files so that no link leads out of the root, also when links are swapped between check and use.
// On Linux a descriptor's real place is read from /proc and folders are entered through their descriptor.
// Names are looked up at once: a hop to another thread for each would take longer than all of them together.





const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = node_fs__WEBPACK_IMPORTED_MODULE_0__.constants;
/** Resolves names below `root` (a real path). Refuses what leads out of it, and links to nothing. */
function locate(root, parts) {
    const shown = (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(parts.join("/"));
    const missing = [];
    for (let depth = parts.length;; depth -= 1) {
        const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(root, ...parts.slice(0, depth));
        const real = realPath(path, shown);
        if (real !== undefined) {
            if (isInside(root, real))
                return { real, missing };
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} was refused: a link on it leads out of the repository.`, "Name the file itself.");
        }
        if (depth === 0)
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", `The folder ${root} is gone.`);
        if (isLink(path)) {
            throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} was refused: a link on it leads to nothing.`, "Name another path.");
        }
        missing.unshift(parts[depth - 1] ?? "");
    }
}
/** Opens a place without following anything; whoever swaps a link in between gets a refusal. The caller closes it. */
function openPinned(real, flags) {
    const descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openSync)(real, flags | O_NOFOLLOW | O_NONBLOCK);
    try {
        if (placeOf(descriptor, real) === real)
            return descriptor;
    }
    catch (error) {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(descriptor);
        throw error;
    }
    (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(descriptor);
    throw new MovedError(real);
}
/**
 * Opens the folder that a located path is in, making what is missing, and names the last part. The place is not
 * looked up again: what was checked is what is opened. The caller closes the descriptor. What was made is durable when
 * `made` resolves.
 */
async function openParent(place) {
    const { real, missing } = place;
    const start = missing.length === 0 ? (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(real) : real;
    const name = missing.at(-1) ?? (0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(real);
    const folder = pin(openPinned(start, O_RDONLY | O_DIRECTORY), start);
    return { name, ...(await enterFolders(folder, start, missing.slice(0, -1))) };
}
async function enterFolders(start, real, names) {
    const syncs = [];
    let folder = start;
    let path = real;
    try {
        for (const name of names) {
            path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(path, name);
            const entered = enterFolder(folder, name);
            syncs.push((0,_durable_file_js__WEBPACK_IMPORTED_MODULE_3__/* .syncDescriptor */ .DW)(folder.descriptor).finally(closing(folder)));
            folder = pin(entered, path);
        }
    }
    catch (error) {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(folder.descriptor);
        await Promise.allSettled(syncs);
        throw error;
    }
    return { folder, made: (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_3__/* .allDone */ .gH)(syncs) };
}
function closing({ descriptor }) {
    return () => (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(descriptor);
}
function enterFolder(folder, name) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.mkdirSync)(folder.at(name));
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error) !== "EEXIST")
            throw error;
    }
    return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openSync)(folder.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}
/** What was opened is not what was looked up: something on the path was swapped meanwhile. */
class MovedError extends _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K {
    constructor(path) {
        super("config-invalid", `${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .showPath */ .P8)(path)} was refused: it changed while it was being opened.`, {
            hint: "Try again.",
        });
    }
}
/** True for the folder itself and what lies below it. */
function isInside(folder, path) {
    return path === folder || path.startsWith(folder.endsWith(node_path__WEBPACK_IMPORTED_MODULE_1__.sep) ? folder : folder + node_path__WEBPACK_IMPORTED_MODULE_1__.sep);
}
function pin(descriptor, path) {
    const base = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
    return { descriptor, at: (name) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(base, name) };
}
/** The path under which an open file is to be found now; undefined when that can't be said. */
function placeOf(descriptor, path) {
    if (process.platform === "linux")
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readlinkSync)(`/proc/self/fd/${descriptor}`);
    const [opened, named, real] = [(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.fstatSync)(descriptor), (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(path), node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync.native(path)];
    return opened.ino === named.ino && opened.dev === named.dev ? real : undefined;
}
function realPath(path, shown) {
    try {
        return node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync.native(path);
    }
    catch (error) {
        const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error);
        if (code === "ENOENT" || code === "ENOTDIR")
            return undefined;
        throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .refusal */ .x5)(`${shown} was refused: ${reasonOf(error)}.`, "Name another path.", error);
    }
}
function isLink(path) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(path).isSymbolicLink();
    }
    catch {
        return false;
    }
}
/** The real path of what may not exist yet: that of its nearest existing folder, and the rest as it is. */
function realOrExpected(path) {
    try {
        return node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync.native(path);
    }
    catch {
        const parent = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path);
        return parent === path ? path : (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(realOrExpected(parent), path.slice(parent.length));
    }
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
    const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error);
    return REASONS.get(code ?? "") ?? (error instanceof Error ? error.message : String(error));
}


/***/ }),

/***/ 78686:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PK: () => (/* binding */ requireCipher),
/* harmony export */   dy: () => (/* binding */ isSealed),
/* harmony export */   m3: () => (/* binding */ storeCiphers)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(38522);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
// What models and tools said, encrypted with a key from the settings (AES-256-GCM). What stands beside a sealed text is
// bound to it: a line can't be moved to another place, nor a prompt given another name.



const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** About a tenth of a second once a process: a short key is expensive to guess. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** True for what `seal` made. */
function isSealed(value) {
    return (typeof value === "object" &&
        value !== null &&
        Object.keys(value).length === 1 &&
        "sealed" in value &&
        typeof value.sealed === "string");
}
/** Ciphers of works by their id: each has a key of its own. Without a secret there is none. */
function storeCiphers(secret) {
    const made = new Map();
    return async (workId) => {
        if (secret === undefined)
            return undefined;
        const cipher = made.get(workId) ?? deriveKey(secret, `looplia-state:${workId}`).then(createCipher);
        made.set(workId, cipher);
        return cipher;
    };
}
function deriveKey(secret, salt) {
    return new Promise((resolve, reject) => {
        (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.scrypt)(secret.normalize("NFC"), salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key)));
    });
}
function createCipher(key) {
    const keyId = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)("sha256", key).update("key id").digest("hex").slice(0, 16);
    const checkKey = ({ sealed }, shown) => {
        if (sealed.startsWith(`${keyId}.`))
            return;
        throw keyError(`${shown} was encrypted with another \`state-key\`.`);
    };
    return {
        checkKey,
        seal(place, text) {
            const nonce = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(NONCE_BYTES);
            const cipher = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createCipheriv)("aes-256-gcm", key, nonce).setAAD(boundTo(place));
            const packed = cipher.update((0,node_zlib__WEBPACK_IMPORTED_MODULE_1__.deflateRawSync)(text));
            const bytes = Buffer.concat([nonce, packed, cipher.final(), cipher.getAuthTag()]);
            return { sealed: `${keyId}.${bytes.toString("base64")}` };
        },
        open(place, sealed, shown) {
            checkKey(sealed, shown);
            const bytes = Buffer.from(sealed.sealed.slice(keyId.length + 1), "base64");
            try {
                const nonce = bytes.subarray(0, NONCE_BYTES);
                const opener = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createDecipheriv)("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
                opener.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
                const packed = opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
                return (0,node_zlib__WEBPACK_IMPORTED_MODULE_1__.inflateRawSync)(Buffer.concat([packed, opener.final()])).toString("utf8");
            }
            catch (cause) {
                throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("store-corrupt", `${shown}: the encrypted text was changed or moved.`, {
                    hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
                    cause,
                });
            }
        },
    };
}
function boundTo(place) {
    return Buffer.from(JSON.stringify(["looplia-state", 1, ...place]));
}
/** The cipher, or `config-invalid` where there is none though something is sealed. */
function requireCipher(cipher, shown) {
    if (cipher)
        return cipher;
    throw keyError(`${shown} is encrypted, and there is no \`state-key\`.`);
}
function keyError(message) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", message, {
        hint: "set `state-key` to the key that the work was begun with; nothing was changed",
    });
}


/***/ }),

/***/ 17141:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  j: () => (/* binding */ openStores)
});

// UNUSED EXPORTS: openWorkStore

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/adapters/durable-file.js
var durable_file = __webpack_require__(63861);
// EXTERNAL MODULE: ./build/adapters/store-cipher.js
var store_cipher = __webpack_require__(78686);
// EXTERNAL MODULE: ./build/adapters/store-find.js
var store_find = __webpack_require__(14346);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
// EXTERNAL MODULE: ./build/adapters/disk-errors.js
var disk_errors = __webpack_require__(54134);
;// CONCATENATED MODULE: ./build/adapters/store-frozen.js
// The exact bytes that conversations began with, each under its own SHA-256; sealed where there is a key.







/** Those of a folder. With a cipher what is new is sealed; what was stored without one is read all the same. */
function openFrozenFiles(folder, cipher) {
    return {
        async freeze(bytes) {
            const sha256 = (0,hash/* sha256Of */.B)(bytes);
            const stored = cipher ? `${JSON.stringify(cipher.seal(placeOf(sha256), bytes))}\n` : bytes;
            await (0,durable_file/* createFile */.x3)((0,external_node_path_.join)(folder, sha256), stored);
            return sha256;
        },
        async read(sha256) {
            if (!NAME.test(sha256))
                throw corrupt(sha256, "no SHA-256");
            const path = (0,external_node_path_.join)(folder, sha256);
            const bytes = await (0,promises_.readFile)(path).catch((error) => {
                if ((0,errors/* errnoOf */.UQ)(error) === "ENOENT")
                    throw corrupt(path, "the file is missing");
                throw (0,disk_errors/* diskError */.w)(error, path);
            });
            if ((0,hash/* sha256Of */.B)(bytes) === sha256)
                return bytes.toString("utf8");
            const sealed = parseSealed(bytes);
            const text = sealed && (0,store_cipher/* requireCipher */.PK)(cipher, path).open(placeOf(sha256), sealed, path);
            if (text === undefined || (0,hash/* sha256Of */.B)(text) !== sha256)
                throw corrupt(path, "the bytes were changed");
            return text;
        },
        async checkKey() {
            for (const name of (0,durable_file/* namesIn */.wX)(folder)) {
                const path = (0,external_node_path_.join)(folder, name);
                const sealed = NAME.test(name) ? parseSealed(await (0,durable_file/* readWhole */.oD)(path)) : undefined;
                if (sealed)
                    (0,store_cipher/* requireCipher */.PK)(cipher, path).checkKey(sealed, path);
            }
        },
    };
}
const NAME = /^[0-9a-f]{64}$/;
/** What bytes of a prompt do not begin with. */
const SEALED = Buffer.from('{"sealed":"');
function placeOf(sha256) {
    return ["frozen", sha256];
}
function parseSealed(bytes) {
    if (!bytes.subarray(0, SEALED.length).equals(SEALED))
        return undefined;
    try {
        const value = JSON.parse(bytes.toString("utf8"));
        return (0,store_cipher/* isSealed */.dy)(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
function corrupt(path, reason) {
    return new errors/* LoopliaError */.$K("store-corrupt", `${path}: ${reason}; a conversation cannot go on without it.`, {
        hint: "Restore the file from a copy, or begin a fresh session.",
    });
}

// EXTERNAL MODULE: ./build/adapters/store-header.js
var store_header = __webpack_require__(83140);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: ./build/adapters/live-process.js
var live_process = __webpack_require__(80367);
;// CONCATENATED MODULE: ./build/adapters/store-lock.js
// One live process a work. Locks are numbered, and the highest number counts: a lock file `000007` names its owner,
// `000007.free` was given back. The next owner links the next number; the highest is never removed, so no two win.





/** Takes the lock of a work; a dead owner's is taken over. Fails with `busy`, naming the owner's pid. */
async function takeLock(workFolder) {
    const folder = (0,external_node_path_.join)(workFolder, "lock");
    (0,durable_file/* makePassingFolder */.ap)(folder);
    const owner = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) });
    for (;;) {
        const last = entriesOf(folder).at(-1);
        const holder = last && !last.isFree ? readOwner((0,external_node_path_.join)(folder, last.name)) : undefined;
        if (holder === "gone")
            continue;
        if (holder && isAlive(holder))
            throw busyError(holder.pid);
        const number = (last?.number ?? 0) + 1;
        const name = String(number).padStart(6, "0");
        if ((0,durable_file/* createPassingFile */.uj)((0,external_node_path_.join)(folder, name), owner) && keepIfHighest(folder, name, number)) {
            return { release: () => giveBack((0,external_node_path_.join)(folder, name)) };
        }
    }
}
/** Nothing is to be given back where somebody removed the work's folder meanwhile. */
function giveBack(path) {
    try {
        (0,external_node_fs_.renameSync)(path, `${path}.free`);
    }
    catch (error) {
        if ((0,errors/* errnoOf */.UQ)(error) !== "ENOENT")
            throw error;
    }
}
/** A slow taker may have linked a number that was used and cleaned up meanwhile: it gives way. */
function keepIfHighest(folder, name, number) {
    const others = entriesOf(folder).filter((entry) => entry.name !== name);
    if (others.some((entry) => entry.number >= number)) {
        (0,durable_file/* removeIfThere */.Ks)((0,external_node_path_.join)(folder, name));
        return false;
    }
    for (const entry of others)
        (0,durable_file/* removeIfThere */.Ks)((0,external_node_path_.join)(folder, entry.name));
    (0,durable_file/* removeLeftovers */.DA)(folder);
    return true;
}
function entriesOf(folder) {
    const entries = [];
    for (const name of (0,durable_file/* namesIn */.wX)(folder)) {
        const match = /^(\d{6,})(\.free)?$/.exec(name);
        if (match)
            entries.push({ name, number: Number(match[1]), isFree: match[2] !== undefined });
    }
    return entries.sort((a, b) => a.number - b.number || Number(a.isFree) - Number(b.isFree));
}
/** `gone` when it was given back just now. A file that names no owner is damaged, and nobody's. */
function readOwner(path) {
    try {
        const owner = JSON.parse((0,external_node_fs_.readFileSync)(path, "utf8"));
        return isOwner(owner) ? owner : undefined;
    }
    catch (error) {
        if ((0,errors/* errnoOf */.UQ)(error) === "ENOENT")
            return "gone";
        if (error instanceof SyntaxError)
            return undefined;
        throw error;
    }
}
function isOwner(value) {
    return typeof value === "object" && value !== null && "pid" in value && Number.isSafeInteger(value.pid);
}
function isAlive(owner) {
    if (!(0,live_process/* isLive */.D)(owner.pid))
        return false;
    // The number may be another process's by now, or a dead one's that nobody has waited for.
    const start = startOf(owner.pid);
    return start === null || (start !== "dead" && (owner.startedAt === null || start === owner.startedAt));
}
/** Start of a process in ticks since boot (proc(5), stat field 22), `dead` for a zombie, null where it can't be read. */
function startOf(pid) {
    let stat;
    try {
        stat = (0,external_node_fs_.readFileSync)(`/proc/${pid}/stat`, "utf8");
    }
    catch {
        return null;
    }
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "dead" : (fields[19] ?? null);
}
function busyError(pid) {
    const who = pid === process.pid ? `this process (pid ${pid})` : `another looplia (pid ${pid})`;
    return new errors/* LoopliaError */.$K("busy", `This work is in use by ${who}.`, {
        hint: `Wait until it has ended, or end it: kill ${pid}.`,
    });
}

// EXTERNAL MODULE: ./build/session/fold-state.js
var fold_state = __webpack_require__(90680);
// EXTERNAL MODULE: ./build/session/state.js
var state = __webpack_require__(94878);
// EXTERNAL MODULE: ./build/adapters/store-scan.js
var store_scan = __webpack_require__(16728);
;// CONCATENATED MODULE: ./build/adapters/store-questions.js
// Which questions of a work are open, by looking; takes no lock and changes nothing.





/**
 * Interaction ids over all sessions of the work in `folder` (absolute). Only the lines that count are looked at, and no
 * session whose stores are damaged: opening it tells of that.
 */
async function findOpenInteractions(folder) {
    const asking = new Set();
    // Most sessions never asked: their lines are not parsed.
    for await (const { sessionId } of (0,store_find/* requestsOfWork */.$Q)(folder, '"UserInteractionRequested"', () => { })) {
        asking.add(sessionId);
    }
    const open = await Promise.all([...asking].map((sessionId) => openIn((0,store_scan/* sessionFolder */.vE)(folder, sessionId))));
    return open.flat();
}
async function openIn(session) {
    try {
        const { events } = await (0,store_scan/* scanSession */.qk)(session, { stores: ["events"] });
        return (0,state/* openInteractions */.st)((0,fold_state/* foldEvents */.v0)(events)).map(({ interactionId }) => interactionId);
    }
    catch (error) {
        if (error instanceof errors/* LoopliaError */.$K)
            return [];
        throw error;
    }
}

// EXTERNAL MODULE: ./build/session/audit.js
var audit = __webpack_require__(62980);
// EXTERNAL MODULE: ./build/session/codec.js
var codec = __webpack_require__(37677);
// EXTERNAL MODULE: ./build/adapters/store-lines.js
var store_lines = __webpack_require__(29174);
;// CONCATENATED MODULE: ./build/adapters/store-set-aside.js
// Sets aside what does not count: a copy is kept beside the stores, then the segment is cut.



const FOLDER = "set-aside";
/**
 * Cuts the segments below `folder` and says so, one sentence each. Done again after a crash, it ends the same. A segment
 * of which nothing is left is removed, and told to `whenRemoved`.
 */
async function setAsideCuts(folder, cuts, clock, whenRemoved) {
    (0,durable_file/* removeLeftovers */.DA)((0,external_node_path_.join)(folder, FOLDER));
    const told = [];
    for (const cut of cuts) {
        const bytes = await (0,promises_.readFile)((0,external_node_path_.join)(folder, cut.store, cut.name));
        const kept = await keepCopy(folder, cut, bytes.subarray(cut.offset), clock);
        if (cut.offset > 0)
            await (0,durable_file/* replaceFile */.fR)((0,external_node_path_.join)(folder, cut.store, cut.name), bytes.subarray(0, cut.offset));
        else {
            await (0,durable_file/* removeFile */.nM)((0,external_node_path_.join)(folder, cut.store, cut.name));
            whenRemoved(cut);
        }
        const lines = cut.lines === 1 ? "1 line" : `${cut.lines} lines`;
        const place = `${cut.store}/${cut.name}`;
        told.push(`${lines} at the end of ${place}, torn or behind a gap, set aside in ${FOLDER}/${kept}.`);
    }
    return told;
}
async function keepCopy(folder, cut, bytes, clock) {
    const time = clock.now().toISOString().replaceAll(/[:.]/g, "-");
    const stem = `${cut.store}-${cut.name.replace(".jsonl", "")}-${time}`;
    for (let copy = 1;; copy += 1) {
        const name = copy === 1 ? `${stem}.jsonl` : `${stem}-${copy}.jsonl`;
        if (await (0,durable_file/* createFile */.x3)((0,external_node_path_.join)(folder, FOLDER, name), bytes))
            return name;
    }
}

// EXTERNAL MODULE: ./build/adapters/store-segments.js + 1 modules
var store_segments = __webpack_require__(65950);
;// CONCATENATED MODULE: ./build/adapters/store-fold.js
// Many small segments become one: where each checkpoint ends a segment, a thousand of them would be a thousand files, and
// every checkpoint's tree would name them all.




/**
 * Puts the newest `FOLD` segments of a store into one that has the next number, if so many are unfolded; `numbers` are
 * those of all segments, and are brought up to date. Nobody may write meanwhile; who reads in this process finds either
 * those or the one, never both. Only where the folder dies with the process: killed halfway, lines stand there twice.
 */
async function foldSegments(folder, numbers) {
    const newest = numbers.slice(-store_segments/* FOLD */.C7);
    const isUnfolded = newest.every((number, index) => {
        return number - (numbers[numbers.length - store_segments/* FOLD */.C7 + index - 1] ?? 0) === 1;
    });
    if (newest.length < store_segments/* FOLD */.C7 || !isUnfolded)
        return;
    const paths = newest.map((number) => (0,external_node_path_.join)(folder, (0,store_segments/* segmentName */.Jc)(number)));
    const next = (newest.at(-1) ?? 0) + 1;
    const bytes = Buffer.concat(await Promise.all(paths.map(durable_file/* readWhole */.oD)));
    if (!(0,durable_file/* createPassingFile */.uj)((0,external_node_path_.join)(folder, (0,store_segments/* segmentName */.Jc)(next)), bytes))
        return;
    for (const path of paths)
        (0,external_node_fs_.unlinkSync)(path);
    numbers.splice(-store_segments/* FOLD */.C7, store_segments/* FOLD */.C7, next);
}

;// CONCATENATED MODULE: ./build/adapters/store-writer.js
// Appends to the segments of stores that lie in one folder, one write after another.







/** Appends to segments of its own, one group after the other; an older segment is never written to. */
class SegmentWriter {
    #folder;
    /** What the folder is of, for people. */
    #owner;
    #segments;
    #descriptors = new Map();
    #queue = Promise.resolve();
    /** Once a write failed nobody knows what stands on disk: only opening again finds out. */
    #broken;
    /** `segments`: numbers of each store's, which this now holds. */
    constructor(folder, owner, segments) {
        this.#folder = folder;
        this.#owner = owner;
        this.#segments = new Map(segments);
    }
    /** Durable when it resolves, after all that was asked for before. The first line of a store makes a new segment. */
    write(groups) {
        const written = this.#queue.then(() => this.#writeAll(groups));
        this.#queue = written.catch(() => undefined);
        return written;
    }
    /** Resolves when all that was asked for is written, or was refused. */
    drained() {
        return this.#queue;
    }
    /**
     * Ends every segment: what is written later begins new ones, and only once `until` is settled. Where there are many,
     * they become one. Resolves when they have ended; fails when an earlier write failed.
     */
    seal(until) {
        const sealed = this.#queue.then(async () => {
            this.#closeAll();
            if (this.#broken !== undefined)
                throw this.#broken;
            for (const [store, numbers] of this.#segments)
                await foldSegments((0,external_node_path_.join)(this.#folder, store), numbers);
        });
        const goOn = () => until.then(nothing, nothing);
        this.#queue = sealed.then(goOn, goOn);
        return sealed;
    }
    async close() {
        await this.#queue;
        this.#closeAll();
    }
    #closeAll() {
        for (const descriptor of this.#descriptors.values())
            (0,external_node_fs_.closeSync)(descriptor);
        this.#descriptors.clear();
    }
    async #writeAll(groups) {
        if (this.#broken !== undefined)
            throw this.#broken;
        try {
            for (const group of groups)
                await this.#writeGroup(group);
        }
        catch (error) {
            this.#broken = (0,disk_errors/* diskError */.w)(error, this.#folder);
            throw this.#broken;
        }
    }
    async #writeGroup({ store, text }) {
        const descriptor = this.#descriptors.get(store);
        if (descriptor !== undefined) {
            (0,external_node_fs_.appendFileSync)(descriptor, text);
            await (0,durable_file/* syncBytes */.zR)(descriptor);
            return;
        }
        const numbers = this.#segments.get(store) ?? [];
        const number = (numbers.at(-1) ?? 0) + 1;
        const name = (0,store_segments/* segmentName */.Jc)(number);
        const created = await (0,durable_file/* createOpenFile */.jY)((0,external_node_path_.join)(this.#folder, store, name), text);
        if (created === undefined) {
            throw new errors/* LoopliaError */.$K("lost-race", `${store}/${name} of ${this.#owner} is another process's.`, {
                hint: "Let the other run end, then run again.",
            });
        }
        numbers.push(number);
        this.#segments.set(store, numbers);
        this.#descriptors.set(store, created);
    }
}
function nothing() { }

;// CONCATENATED MODULE: ./build/adapters/store-session.js
// The stores of one session on the local disk, open for this process alone.








/** Opens `sessions/<id>` and sets aside what does not count. The caller holds the work's lock. */
async function openSession(sessionId, folder, around) {
    const scan = await (0,store_scan/* scanSession */.qk)(folder, cipherOf(around));
    for (const name of store_scan/* STORES */.ZZ)
        (0,durable_file/* removeLeftovers */.DA)((0,external_node_path_.join)(folder, name));
    const setAside = await setAsideCuts(folder, scan.cuts, around.clock, ({ store }) => {
        if (store !== "work")
            scan.segments[store].pop();
    });
    return new FileSessionStore(sessionId, folder, scan, setAside, around);
}
/** The stores of a session as files; made by `openSession` only, once they were read. */
class FileSessionStore {
    sessionId;
    writer;
    #folder;
    #around;
    #setAside;
    #loaded;
    #seq;
    #auditHead;
    #isClosed = false;
    constructor(sessionId, folder, scan, setAside, around) {
        this.sessionId = sessionId;
        const segments = store_scan/* STORES */.ZZ.map((store) => [store, scan.segments[store]]);
        this.writer = new SegmentWriter(folder, `session ${sessionId}`, segments);
        this.#folder = folder;
        this.#around = around;
        this.#setAside = setAside;
        this.#seq = scan.seq;
        this.#auditHead = scan.auditHead;
        this.#loaded = { events: scan.events, conversation: scan.conversation, setAside };
        around.whenAudited(scan.auditHead);
    }
    /** What is durable. The first call hands over what opening read, later ones read again. */
    async load() {
        const loaded = this.#loaded;
        this.#loaded = undefined;
        if (loaded)
            return loaded;
        await this.writer.drained();
        const { events, conversation } = await (0,store_scan/* scanSession */.qk)(this.#folder, cipherOf(this.#around));
        return { events, conversation, setAside: this.#setAside };
    }
    async append(lines) {
        if (this.#isClosed)
            throw new Error(`The stores of session ${this.sessionId} are closed.`);
        const groups = this.#encode(lines);
        if (groups.length === 0)
            return;
        this.#loaded = undefined;
        const head = this.#auditHead;
        // Before whatever the writer does next: a seal that follows finds it told.
        return this.writer.write(groups).then(() => this.#around.whenAudited(head));
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
        await this.writer.close();
        this.#around.whenClosed();
    }
    /** Numbers the lines at once, so that calls count in the order they were made; neighbours of one store are a write. */
    #encode(lines) {
        const at = this.#around.clock.now().toISOString();
        const groups = [];
        let seq = this.#seq;
        let { count, hash } = this.#auditHead;
        for (const { store, type, payload } of lines) {
            seq += 1;
            const line = { v: 1, seq, at, type, payload };
            let stored = (0,store_lines/* toStored */.z)(line, store, this.sessionId, this.#around.cipher);
            if (store === "audit") {
                const chained = (0,audit/* chainLine */.Cm)(stored, hash);
                count += 1;
                hash = chained.hash;
                stored = chained;
            }
            const text = (0,codec/* encodeLine */.Nu)(stored);
            const group = groups.at(-1);
            if (group?.store === store)
                group.text += text;
            else
                groups.push({ store, text });
        }
        this.#seq = seq;
        this.#auditHead = { count, hash };
        return groups;
    }
}
function cipherOf({ cipher }) {
    return cipher ? { cipher } : {};
}

;// CONCATENATED MODULE: ./build/adapters/store-work-log.js
// A work's own log on the local disk (`work/<n>.jsonl`), open for this process alone.







/** Opens the log in a work's folder and sets aside what does not count. The caller holds the work's lock. */
async function openWorkLog(folder, clock) {
    const scan = await (0,store_scan/* scanWorkLog */.NA)(folder);
    (0,durable_file/* removeLeftovers */.DA)((0,external_node_path_.join)(folder, "work"));
    await setAsideCuts(folder, scan.cuts, clock, () => {
        scan.segments.pop();
    });
    const writer = new SegmentWriter(folder, "the work's log", [["work", scan.segments]]);
    let { seq } = scan;
    return {
        writer,
        async events() {
            await writer.drained();
            return (await (0,store_scan/* scanWorkLog */.NA)(folder)).events;
        },
        async append(events) {
            if (events.length === 0)
                return;
            const at = clock.now().toISOString();
            let text = "";
            for (const { type, payload } of events) {
                seq += 1;
                text += (0,codec/* encodeLine */.Nu)({ v: 1, seq, at, type, payload });
            }
            return writer.write([{ store: "work", text }]);
        },
    };
}
/** The highest number that a question of the work has so far: each is another one, asked or not. */
async function lastOrdinal(folder) {
    let count = 0;
    let highest = 0;
    for await (const { request } of (0,store_find/* requestsOfWork */.$Q)(folder, '"UserInteractionRequested"')) {
        count += 1;
        const ordinal = /^q([1-9]\d{0,8})-/.exec(String(request.shortId))?.[1];
        highest = Math.max(highest, Number(ordinal ?? 0));
    }
    return Math.max(count, highest);
}

;// CONCATENATED MODULE: ./build/adapters/store-files.js
// The stores of a work on the local disk: `.looplia/state/<work-id>/`, laid out as in INTERFACE §6.











/** The stores of all works below `stateFolder` (absolute: `.looplia/state`, or where it was moved). */
function openStores(options) {
    const { stateFolder, codeVersion, clock, stateKey } = options;
    const cipherOf = (0,store_cipher/* storeCiphers */.m3)(stateKey);
    return {
        async open(work) {
            (0,store_header/* checkId */.ij)(work.workId, "work");
            const folder = (0,external_node_path_.join)(stateFolder, work.workId);
            const cipher = await cipherOf(work.workId);
            return openWorkStore({
                folder,
                header: { ...work, codeVersion },
                clock,
                ...(cipher ? { cipher } : {}),
            });
        },
        async look(sessionId) {
            const workId = await (0,store_find/* findSessionWork */.XK)(stateFolder, sessionId);
            if (workId === undefined)
                return undefined;
            return (0,store_scan/* readSession */.lx)((0,external_node_path_.join)(stateFolder, workId), sessionId, await cipherOf(workId));
        },
        findSession: (sessionId) => (0,store_find/* findSessionWork */.XK)(stateFolder, sessionId),
        findInteraction: (id) => (0,store_find/* findInteraction */.eN)(stateFolder, id),
        openInteractions: (workId) => findOpenInteractions((0,external_node_path_.join)(stateFolder, workId)),
    };
}
/**
 * Opens the stores of a work in `folder` (absolute, named by the work id), and creates what is missing. One live
 * process at a time. Fails with `busy`, `lost-race`, `store-corrupt`, and `config-invalid` where it may not write.
 */
async function openWorkStore(options) {
    const { folder, header, clock, cipher } = options;
    (0,store_header/* checkId */.ij)(header.workId, "work");
    const made = (0,durable_file/* makeFolder */.fc)(folder);
    const lock = await takeLock(folder).catch(async (error) => {
        await made;
        throw error;
    });
    const frozen = openFrozenFiles((0,external_node_path_.join)(folder, "frozen"), cipher);
    const begin = async () => {
        await frozen.checkKey();
        (0,durable_file/* removeLeftovers */.DA)(folder);
        await (0,durable_file/* allDone */.gH)([ignoreState(folder), (0,store_header/* writeHeader */.bx)(folder, header, clock)]);
        (0,durable_file/* removeLeftovers */.DA)((0,external_node_path_.join)(folder, "frozen"));
    };
    try {
        await (0,durable_file/* allDone */.gH)([made, begin()]);
    }
    catch (error) {
        lock.release();
        throw error;
    }
    const log = await openWorkLog(folder, clock).catch((error) => {
        lock.release();
        throw error;
    });
    return new FileWorkStore(folder, header.workId, { clock, cipher, frozen }, log, lock);
}
class FileWorkStore {
    workId;
    #folder;
    #around;
    #log;
    #lock;
    #open = new Map();
    #auditHeads = new Map();
    #ordinal;
    #sealing = Promise.resolve();
    constructor(folder, workId, around, log, lock) {
        this.workId = workId;
        this.#folder = folder;
        this.#around = around;
        this.#log = log;
        this.#lock = lock;
    }
    async session(sessionId) {
        (0,store_header/* checkId */.ij)(sessionId, "session");
        if (this.#open.has(sessionId))
            throw new Error(`Session ${sessionId} is open already.`);
        // One that waits for a seal is nothing to seal: waiting for it in turn would never end.
        this.#open.set(sessionId, undefined);
        await this.#sealing;
        const opening = openSession(sessionId, (0,store_scan/* sessionFolder */.vE)(this.#folder, sessionId), {
            ...this.#around,
            whenAudited: (head) => head.count > 0 && this.#auditHeads.set(sessionId, head),
            whenClosed: () => this.#open.delete(sessionId),
        });
        this.#open.set(sessionId, opening);
        opening.catch(() => this.#open.delete(sessionId));
        return opening;
    }
    workEvents() {
        return this.#log.events();
    }
    appendWorkEvents(events) {
        return this.#log.append(events);
    }
    nextOrdinal() {
        const next = (this.#ordinal ?? lastOrdinal(this.#folder)).then((last) => last + 1);
        this.#ordinal = next;
        // What could not be read now may be readable when the next one asks.
        next.catch(() => {
            if (this.#ordinal === next)
                this.#ordinal = undefined;
        });
        return next;
    }
    seal(whileSealed = async () => { }) {
        const sealing = this.#sealing.then(() => this.#sealAll(whileSealed));
        this.#sealing = sealing.catch(() => undefined);
        return sealing;
    }
    auditHeads() {
        return this.#auditHeads;
    }
    async #sealAll(whileSealed) {
        let release = () => { };
        const until = new Promise((resolve) => {
            release = resolve;
        });
        try {
            const sessions = await this.#openSessions();
            const writers = [this.#log, ...sessions].map(({ writer }) => writer);
            await Promise.all(writers.map((writer) => writer.seal(until)));
            await whileSealed();
        }
        finally {
            release();
        }
    }
    async #openSessions() {
        const opened = await Promise.allSettled(this.#open.values());
        return opened.flatMap((session) => (session.status === "fulfilled" ? (session.value ?? []) : []));
    }
    async close() {
        await this.#sealing;
        for (const session of await this.#openSessions())
            await session.close();
        await this.#log.writer.close();
        this.#lock.release();
    }
}
/** State must not be committed by accident: `.looplia/.gitignore` is written where there is none. */
async function ignoreState(folder) {
    const state = (0,external_node_path_.dirname)(folder);
    const workspace = (0,external_node_path_.dirname)(state);
    if ((0,external_node_path_.basename)(state) !== "state" || (0,external_node_path_.basename)(workspace) !== ".looplia")
        return;
    (0,durable_file/* removeLeftovers */.DA)(workspace);
    await (0,durable_file/* createFile */.x3)((0,external_node_path_.join)(workspace, ".gitignore"), "state/\n");
}


/***/ }),

/***/ 14346:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $Q: () => (/* binding */ requestsOfWork),
/* harmony export */   XK: () => (/* binding */ findSessionWork),
/* harmony export */   eN: () => (/* binding */ findInteraction)
/* harmony export */ });
/* unused harmony exports newestSession, listTaskSessions, findTodo */
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(63861);
/* harmony import */ var _store_header_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(83140);
/* harmony import */ var _store_segments_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(65950);
// Finds the work that a session or an interaction belongs to, by looking; takes no lock and changes nothing.






/** The work whose folder holds the session, or undefined. */
async function findSessionWork(stateFolder, sessionId) {
    if (!/^[a-z0-9][a-z0-9-]{0,80}$/.test(sessionId))
        return undefined;
    for (const workId of (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_2__/* .namesIn */ .wX)(stateFolder)) {
        if (await isFolder((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(stateFolder, workId, "sessions", sessionId)))
            return workId;
    }
    return undefined;
}
/** The session of a work that was begun last; undefined: it has none. */
function newestSession(workFolder) {
    return namesIn(join(workFolder, "sessions")).sort(byDay).at(-1);
}
/** Sessions of every work with a to-do file, newest first, with the work. */
function listTaskSessions(stateFolder) {
    const works = namesIn(stateFolder).filter((name) => /^tasks-[0-9a-f]{6}(?:-\d+)?$/.test(name));
    return works
        .flatMap((workId) => namesIn(join(stateFolder, workId, "sessions")).map((sessionId) => ({ sessionId, workId })))
        .sort((one, other) => byDay(other.sessionId, one.sessionId));
}
/** The to-do file that a work was begun for; undefined where it is none's, or its header can't be read. */
async function findTodo(stateFolder, workId) {
    const header = await readHeader(join(stateFolder, workId)).catch(() => undefined);
    const key = header?.kind === "tasks" ? parseJson(header.key) : undefined;
    return isObject(key) && typeof key.todo === "string" ? key.todo : undefined;
}
/** By the day in the id, then by its letters. */
function byDay(one, other) {
    const dayOf = (id) => /(\d{4}-\d\d-\d\d)-[0-9a-f]{6}$/.exec(id)?.[1] ?? "";
    return dayOf(one).localeCompare(dayOf(other)) || (one < other ? -1 : 1);
}
/**
 * The session that raised an interaction, by interaction id or short id; an exact interaction id wins. A store that
 * can't be read hides no other's.
 */
async function findInteraction(stateFolder, id) {
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
async function* requestsIn(stateFolder, id, failures) {
    for (const workId of (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_2__/* .namesIn */ .wX)(stateFolder)) {
        const requests = requestsOfWork((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(stateFolder, workId), JSON.stringify(id), (error) => failures.push(error));
        for await (const found of requests)
            yield { workId, ...found };
    }
}
/** Requests on a line that holds `needle`; the text is searched first, since parsing all of it would be slow. */
async function* requestsOfWork(workFolder, needle, whenUnreadable = rethrow) {
    const sessions = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(workFolder, "sessions");
    if (!(await isFolder(sessions)))
        return;
    for (const sessionId of (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_2__/* .namesIn */ .wX)(sessions)) {
        const lines = await linesWith((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(sessions, sessionId), needle).catch((error) => {
            whenUnreadable(error);
            return [];
        });
        for (const line of lines) {
            const request = requestOf(line);
            if (request)
                yield { sessionId, request };
        }
    }
}
async function linesWith(session, needle) {
    if (!(await isFolder((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(session, "events"))))
        return [];
    return (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_4__/* .overSegments */ .RG)(session, "events", async (names) => {
        const lines = [];
        for (const name of names) {
            const text = (await (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_2__/* .readWhole */ .oD)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(session, "events", name))).toString("utf8");
            if (text.includes(needle))
                lines.push(...text.split("\n").filter((line) => line.includes(needle)));
        }
        return lines;
    });
}
function rethrow(error) {
    throw error;
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
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(path).then((found) => found.isDirectory(), () => false);
}


/***/ }),

/***/ 83140:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ay: () => (/* binding */ readHeader),
/* harmony export */   bx: () => (/* binding */ writeHeader),
/* harmony export */   ij: () => (/* binding */ checkId)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
/* harmony import */ var _disk_errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(54134);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(63861);
// The header of a work, and what ids may be: they become parts of paths.





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
/** The header of a work, or undefined where there is none. Fails with `store-corrupt` when it is not ours. */
async function readHeader(folder) {
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, "header.json");
    const text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(path, "utf8").catch((error) => {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error) === "ENOENT")
            return undefined;
        throw (0,_disk_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .diskError */ .w)(error, path);
    });
    if (text === undefined)
        return undefined;
    const value = parseHeader(text, path);
    // A new work has no header to check.
    const { z } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(618)]).then(__webpack_require__.bind(__webpack_require__, 82618));
    const version = z.looseObject({ schemaVersion: z.number() }).safeParse(value);
    if (version.success && version.data.schemaVersion > SCHEMA_VERSION) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("store-corrupt", `${path}: written by a newer version of looplia.`, {
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
/** Writes the header of a new work; an existing one stays, if it is this work's. */
async function writeHeader(folder, work, clock) {
    const found = await readHeader(folder);
    if (found && found.workId !== work.workId) {
        throw damagedHeader((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, "header.json"), `it belongs to the work ${found.workId}`);
    }
    if (found)
        return;
    const { workId, kind, key, codeVersion } = work;
    const createdAt = clock.now().toISOString();
    const header = { schemaVersion: SCHEMA_VERSION, codeVersion, workId, kind, key, createdAt };
    await (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_4__/* .createFile */ .x3)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, "header.json"), `${JSON.stringify(header, null, 2)}\n`);
}
/** Fails with `config-invalid` for what may not become part of a path. */
function checkId(id, what) {
    if (ID.test(id))
        return;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", `${JSON.stringify(id)} is no ${what} id.`, {
        hint: "An id has 1 to 81 characters: lower-case letters, digits and hyphens, no hyphen first.",
    });
}
function damagedHeader(path, reason, cause) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("store-corrupt", `${path}: ${reason}.`, {
        hint: "Restore the file from a copy, or move its folder away.",
        cause,
    });
}


/***/ }),

/***/ 29174:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ payloadReader),
/* harmony export */   z: () => (/* binding */ toStored)
/* harmony export */ });
/* harmony import */ var _store_cipher_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(78686);

/** The line with the payload that is stored. */
function toStored(line, store, sessionId, cipher) {
    if (!cipher || store === "events")
        return line;
    return { ...line, payload: cipher.seal(placeOf(line, store, sessionId), JSON.stringify(line.payload)) };
}
/** Restores payloads of a store; those of lines from before there was a key are as they are. */
function payloadReader(store, sessionId, cipher) {
    return (line, shown) => {
        const { payload } = line;
        if (!(0,_store_cipher_js__WEBPACK_IMPORTED_MODULE_0__/* .isSealed */ .dy)(payload))
            return payload;
        return JSON.parse((0,_store_cipher_js__WEBPACK_IMPORTED_MODULE_0__/* .requireCipher */ .PK)(cipher, shown).open(placeOf(line, store, sessionId), payload, shown));
    };
}
function placeOf({ seq, type }, store, sessionId) {
    return [sessionId, store, seq, type];
}


/***/ }),

/***/ 16728:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kc: () => (/* binding */ readWork),
/* harmony export */   NA: () => (/* binding */ scanWorkLog),
/* harmony export */   ZZ: () => (/* binding */ STORES),
/* harmony export */   lx: () => (/* binding */ readSession),
/* harmony export */   nr: () => (/* binding */ readWholeWork),
/* harmony export */   qk: () => (/* binding */ scanSession),
/* harmony export */   vE: () => (/* binding */ sessionFolder)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76760);
/* harmony import */ var _session_audit_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(62980);
/* harmony import */ var _session_codec_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(37677);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(63861);
/* harmony import */ var _store_lines_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(29174);
/* harmony import */ var _store_segments_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(65950);
// Reads the stores of a session or of a work and tells which lines count: the longest prefix of `seq` without a gap.
// Changes nothing on disk.






const STORES = ["events", "conversation", "audit"];
/**
 * Scans `sessions/<id>`; a missing folder is an empty session. Fails with `store-corrupt`, naming file and line, for
 * damage that no crash leaves. Only the payloads of `stores` are read; what the others say is left out.
 */
async function scanSession(folder, { stores = ["events", "conversation"], cipher, } = {}) {
    const found = await Promise.all(STORES.map((store) => {
        // The program never reads what audit says: its payloads need no memory.
        const read = stores.includes(store) ? (0,_store_lines_js__WEBPACK_IMPORTED_MODULE_4__/* .payloadReader */ .a)(store, (0,node_path__WEBPACK_IMPORTED_MODULE_0__.basename)(folder), cipher) : "skip";
        return (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .readSegments */ .lZ)({ folder, store, read });
    }));
    const [events = [], conversation = [], audit = []] = found;
    const all = found.flat();
    const seq = (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .lastWithoutGap */ .jZ)(all);
    const read = (store) => (stores.includes(store) ? (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .linesOf */ .Dx)(all, store, seq) : []);
    return {
        events: read("events").map(_session_codec_js__WEBPACK_IMPORTED_MODULE_2__/* .toEvent */ .IZ),
        conversation: read("conversation").map(_session_codec_js__WEBPACK_IMPORTED_MODULE_2__/* .toConversationLine */ .B4),
        auditHead: headOf((0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .linesOf */ .Dx)(audit, "audit", seq)),
        seq,
        segments: { events: numbersOf(events), conversation: numbersOf(conversation), audit: numbersOf(audit) },
        cuts: (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .findCuts */ .BP)(all, seq),
    };
}
function headOf(audit) {
    return { count: audit.length, hash: audit.at(-1)?.hash ?? _session_audit_js__WEBPACK_IMPORTED_MODULE_1__/* .FIRST_PREV */ .ZF };
}
/**
 * A copy of a session's lines for those who only look: never waits, never mends. Fails with `config-invalid` where the
 * conversation is encrypted and the cipher is missing or another.
 */
async function readSession(workFolder, sessionId, cipher) {
    const folder = sessionFolder(workFolder, sessionId);
    const { events, conversation } = await scanSession(folder, cipher ? { cipher } : {});
    return { events, conversation, setAside: [] };
}
/** Scans a work's own log, as `scanSession` does a session's stores. */
async function scanWorkLog(workFolder) {
    const segments = await (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .readSegments */ .lZ)({ folder: workFolder, store: "work" });
    const seq = (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .lastWithoutGap */ .jZ)(segments);
    const events = (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .linesOf */ .Dx)(segments, "work", seq).map(_session_codec_js__WEBPACK_IMPORTED_MODULE_2__/* .toWorkEvent */ .bG);
    return { events, seq, segments: numbersOf(segments), cuts: (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .findCuts */ .BP)(segments, seq) };
}
/**
 * What happened to a work and to each of its sessions, for those who only look: takes no lock, never waits, never mends,
 * and needs no key. A missing folder is a work that nothing happened to. Fails with `store-corrupt`.
 */
async function readWork(workFolder, check = () => { }) {
    const log = await scanWorkLog(workFolder);
    check(workFolder, log);
    const sessions = new Map();
    for (const sessionId of (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_3__/* .namesIn */ .wX)((0,node_path__WEBPACK_IMPORTED_MODULE_0__.join)(workFolder, "sessions"))) {
        const folder = sessionFolder(workFolder, sessionId);
        const scan = await scanSession(folder, { stores: ["events"] });
        check(folder, scan);
        sessions.set(sessionId, { events: scan.events, auditHead: scan.auditHead });
    }
    return { events: log.events, sessions };
}
/**
 * The same of a work whose stores must be whole: fails with `store-corrupt` where something in its folder would not count.
 * A killed process leaves that on its own disk, but a checkpoint has whole segments only: there somebody else changed it.
 */
function readWholeWork(workFolder) {
    return readWork(workFolder, requireNoCut);
}
function requireNoCut(folder, { cuts: [cut] }) {
    if (!cut)
        return;
    throw (0,_store_segments_js__WEBPACK_IMPORTED_MODULE_5__/* .corruptStore */ .Tc)(`${(0,node_path__WEBPACK_IMPORTED_MODULE_0__.join)(folder, cut.store, cut.name)}: ${cut.lines} lines follow something that is missing or torn.`);
}
/** Where a session of a work has its stores. */
function sessionFolder(workFolder, sessionId) {
    return (0,node_path__WEBPACK_IMPORTED_MODULE_0__.join)(workFolder, "sessions", sessionId);
}
function numbersOf(segments) {
    return segments.map(({ number }) => number);
}


/***/ }),

/***/ 65950:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  C7: () => (/* binding */ FOLD),
  Tc: () => (/* binding */ corruptStore),
  BP: () => (/* binding */ findCuts),
  jZ: () => (/* binding */ lastWithoutGap),
  Dx: () => (/* binding */ linesOf),
  RG: () => (/* binding */ overSegments),
  lZ: () => (/* binding */ readSegments),
  Jc: () => (/* binding */ segmentName)
});

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/codec.js
var codec = __webpack_require__(37677);
// EXTERNAL MODULE: ./build/adapters/durable-file.js
var durable_file = __webpack_require__(63861);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(57975);
// EXTERNAL MODULE: ./build/adapters/disk-errors.js
var disk_errors = __webpack_require__(54134);
;// CONCATENATED MODULE: ./build/adapters/read-lines.js
// A file line by line, in little memory however long it is.



const CHUNK = 128 * 1024;
const readBytes = (0,external_node_util_.promisify)(external_node_fs_.read);
/** Hands each line to `use` in order, of as many bytes as the file had when it was opened. Fails as `diskError` says. */
async function readLines(path, use) {
    const descriptor = openForReading(path);
    try {
        await eachLine(descriptor, use);
    }
    catch (error) {
        throw (0,disk_errors/* diskError */.w)(error, path);
    }
    finally {
        (0,external_node_fs_.closeSync)(descriptor);
    }
}
async function eachLine(descriptor, use) {
    const { size } = (0,external_node_fs_.fstatSync)(descriptor);
    let buffer = Buffer.allocUnsafe(Math.min(size, CHUNK));
    // Of the file: where the buffer begins. Of the buffer: how much is filled.
    let offset = 0;
    let filled = 0;
    while (offset + filled < size) {
        if (filled === buffer.length)
            buffer = Buffer.concat([buffer], buffer.length * 2);
        const wanted = Math.min(buffer.length - filled, size - offset - filled);
        const { bytesRead } = await readBytes(descriptor, buffer, filled, wanted, null);
        if (bytesRead === 0)
            break;
        filled += bytesRead;
        let start = 0;
        for (let feed = buffer.indexOf(10); feed >= 0 && feed < filled; feed = buffer.indexOf(10, start)) {
            use({ bytes: buffer.subarray(start, feed), offset: offset + start, isLast: offset + feed + 1 >= size });
            start = feed + 1;
        }
        buffer.copyWithin(0, start, filled);
        offset += start;
        filled -= start;
    }
    if (filled > 0)
        use({ bytes: buffer.subarray(0, filled), offset, isLast: true });
}
function openForReading(path) {
    try {
        return (0,external_node_fs_.openSync)(path, "r");
    }
    catch (error) {
        throw (0,disk_errors/* diskError */.w)(error, path);
    }
}

;// CONCATENATED MODULE: ./build/adapters/store-segments.js
// Segments of a store as they stand on disk, and which of their lines count. Changes nothing.






/**
 * So many segments of a store become one, whose number is the next: a long history stays few files, in small trees. With
 * fewer, trees are smaller, but lines are packed twice more often, and more trees of a thousand checkpoints' have the same
 * size than git compares when it packs: 32 and 96 pack worse than 192 for every length of history and of records tried.
 */
const FOLD = 192;
/** `000007.jsonl`: sorted by name they are sorted by number, up to a million. */
function segmentName(number) {
    return `${String(number).padStart(6, "0")}.jsonl`;
}
/** The files of `<folder>/<store>` that are segments, oldest first; not the drafts of those that are being begun. */
function segmentNames(folder, store) {
    return (0,durable_file/* namesIn */.wX)((0,external_node_path_.join)(folder, store)).filter((name) => /^\d{6}\.jsonl$/.test(name));
}
/**
 * Hands the segments of `<folder>/<store>` to `read`; where it missed one because they were folded meanwhile, once more
 * those that there are now.
 */
async function overSegments(folder, store, read) {
    for (;;) {
        const names = segmentNames(folder, store);
        try {
            return await read(names);
        }
        catch (error) {
            const now = segmentNames(folder, store);
            if ((0,errors/* errnoOf */.UQ)(error) !== "ENOENT" || names.every((name) => now.includes(name)))
                throw error;
        }
    }
}
/**
 * All segments of `<folder>/<store>`, oldest first. Fails with `store-corrupt`, naming file and line, for damage that no
 * crash leaves: before a segment's last line, in a segment that has a successor, a segment that is missing.
 */
function readSegments(source) {
    return overSegments(source.folder, source.store, (names) => readAll(source, names));
}
async function readAll(source, names) {
    const { folder, store } = source;
    if (names.length === 0)
        return [];
    const decodeLine = await (0,codec/* loadLineDecoder */.jH)();
    const segments = [];
    for (const [index, name] of names.entries()) {
        const path = (0,external_node_path_.join)(folder, store, name);
        const expected = (segments.at(-1)?.number ?? 0) + 1;
        const segment = await readSegment(source, name, decodeLine);
        const isFolded = segment.number === expected + FOLD && segment.lines.length >= FOLD;
        if (segment.number !== expected && !isFolded) {
            throw corruptStore(`${(0,external_node_path_.join)(folder, store, segmentName(expected))}: the segment is missing.`);
        }
        if (segment.tornAt !== undefined && index < names.length - 1) {
            throw corruptStore(`${path}:${segment.lines.length + 1}: damaged line, and a later segment follows it.`);
        }
        segments.push(segment);
    }
    return segments;
}
async function readSegment({ folder, store, read }, name, decodeLine) {
    const segment = { store, number: Number(name.slice(0, 6)), name, lines: [], tornAt: undefined };
    const path = (0,external_node_path_.join)(folder, store, name);
    await readLines(path, ({ bytes, offset, isLast }) => {
        const place = `${path}:${segment.lines.length + 1}`;
        const stored = (0,external_node_buffer_.isUtf8)(bytes) ? decodeLine(store, bytes.toString("utf8"), place, read) : undefined;
        if (stored)
            segment.lines.push({ stored: read === "skip" ? { ...stored, payload: null } : stored, offset });
        else if (isLast)
            segment.tornAt = offset;
        else
            throw corruptStore(`${place}: damaged line before the end of its segment.`);
    });
    return segment;
}
/**
 * The number of the last line of the longest prefix without a gap, over segments of stores that share their numbers.
 * Fails with `store-corrupt` where a number is doubled or out of order.
 */
function lastWithoutGap(segments) {
    const seen = new Map();
    const newest = new Map();
    for (const segment of segments) {
        for (const { stored } of segment.lines) {
            const other = seen.get(stored.seq);
            const place = `${segment.store}/${segment.name}`;
            if (other)
                throw corruptStore(`${place}: line ${stored.seq} stands in ${other.store}/${other.name} as well.`);
            if (stored.seq < (newest.get(segment.store) ?? 0)) {
                throw corruptStore(`${place}: line ${stored.seq} is out of order.`);
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
/** The lines of a store up to number `seq`. */
function linesOf(segments, store, seq) {
    return segments
        .filter((segment) => segment.store === store)
        .flatMap((segment) => segment.lines.map((line) => line.stored))
        .filter((line) => line.seq <= seq);
}
/** What lies behind line `seq`, newest segment first. */
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
/** Damage before the end of a store: nothing goes on from there. */
function corruptStore(message) {
    return new errors/* LoopliaError */.$K("store-corrupt", message, {
        hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
    });
}


/***/ }),

/***/ 85831:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  OH: () => (/* binding */ openWorkspace)
});

// UNUSED EXPORTS: listInside, realRoot

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/redaction.js
var redaction = __webpack_require__(20134);
// EXTERNAL MODULE: ./build/adapters/file-access.js
var file_access = __webpack_require__(74870);
// EXTERNAL MODULE: ./build/adapters/path-rules.js
var path_rules = __webpack_require__(90460);
// EXTERNAL MODULE: ./build/adapters/pinned-files.js
var pinned_files = __webpack_require__(39305);
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
        throw (0,path_rules/* refusal */.x5)(`The glob ${(0,path_rules/* showPath */.P8)(glob)} was refused: ${(0,errors/* messageOf */.bD)(error)}.`, "Write it as src/**/*.ts.", error);
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

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./build/adapters/write-atomic.js
var write_atomic = __webpack_require__(2414);
;// CONCATENATED MODULE: ./build/adapters/walk-files.js
// Lists folders and walks trees of files without following a link.






/** Entries seen before a walk gives up, so that a huge tree can't hold the run. */
const MAX_ENTRIES = 200_000;
/** Entries of a real folder that was checked; files that are being written are left out. */
async function listFolder(real) {
    const descriptor = (0,pinned_files/* openPinned */.T6)(real, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_DIRECTORY);
    try {
        const path = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : real;
        const entries = await (0,promises_.readdir)(path, { withFileTypes: true });
        return entries.filter((entry) => !entry.name.startsWith(write_atomic/* TEMPORARY_PREFIX */.F));
    }
    finally {
        (0,external_node_fs_.closeSync)(descriptor);
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
            throw new errors/* LoopliaError */.$K("config-invalid", `There are more than ${MAX_ENTRIES} files below this folder.`, {
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
        if (error instanceof errors/* LoopliaError */.$K ||
            ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"].includes((0,errors/* errnoOf */.UQ)(error) ?? "")) {
            return [];
        }
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/adapters/tool-files.js
// Files as a model's tools see them: the same root, fewer places.







const MAX_BYTES = 10 * 1024 * 1024;
/** `closed` are real folders that tools never see. */
function openToolFiles(root, closed) {
    const workspaceFolder = linkedFolder(root, ".looplia");
    const check = (path, use) => (place) => {
        const real = realOf(place);
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
        const bytes = await (0,file_access/* readInside */.xO)(root, parts, MAX_BYTES, check(path, use));
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
        async locate(path) {
            const parts = (0,path_rules/* splitPath */.Uf)(path);
            (0,path_rules/* checkForTools */.RI)(path, parts, "write");
            const place = await (0,pinned_files/* locate */.x5)(root, parts);
            check(path, "write")(place);
            return namesOf(root, realOf(place)).join("/");
        },
        async writeText(path, text, expected) {
            const parts = (0,path_rules/* splitPath */.Uf)(path);
            (0,path_rules/* checkForTools */.RI)(path, parts, "write");
            if (!text.isWellFormed()) {
                throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was not written: the text has half of a surrogate pair.`, "Send valid Unicode.");
            }
            await (0,file_access/* writeInside */.Mt)(root, parts, text, (place) => {
                check(path, "write")(place);
                if (expected === undefined || namesOf(root, realOf(place)).join("/") === expected)
                    return;
                throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(path)} was not written: it leads somewhere else by now.`, "Look again.");
            });
        },
        walk: (folder, glob) => walkForTools(root, folder, glob, check(folder, "read")),
    };
}
async function* walkForTools(root, folder, glob, check) {
    const parts = (0,path_rules/* splitPath */.Uf)(folder);
    (0,path_rules/* checkForTools */.RI)(folder, parts, "read");
    const place = (0,pinned_files/* locate */.x5)(root, parts);
    check(place);
    if (place.missing.length > 0)
        throw (0,path_rules/* refusal */.x5)(`There is no folder ${(0,path_rules/* showPath */.P8)(folder)}.`, 'List the root: path ".".');
    if ((0,external_node_fs_.statSync)(place.real).isFile()) {
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
function realOf({ real, missing }) {
    return (0,external_node_path_.join)(real, ...missing);
}
function namesOf(folder, real) {
    return (0,external_node_path_.relative)(folder, real)
        .split(external_node_path_.sep)
        .filter((name) => name !== "");
}
/** Where the workspace folder really is, when it is a link: its rules hold there too. */
function linkedFolder(root, name) {
    try {
        const real = external_node_fs_.realpathSync.native((0,external_node_path_.join)(root, name));
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
const NO_ISOLATION = { kind: "none", network: true, reason: "nothing isolates commands here" };
/**
 * Opens the worktree at `root`. Commands get exactly `environment`. `stateFolder` (moved state) and `systemTemp` are
 * closed to tools where they lie inside the root. What tools read and what commands say goes through `redact`.
 */
async function openWorkspace(root, options) {
    const base = realRoot(root);
    const closed = closedFolders(base, [options.stateFolder, options.systemTemp, "/proc", "/sys", "/dev"]);
    const { redact = redaction/* redactNothing */.xe } = options;
    const files = openToolFiles(base, closed);
    const isolator = options.isolate?.(base);
    return {
        root: base,
        read: async (path) => (0,file_access/* readInside */.xO)(base, (0,path_rules/* splitPath */.Uf)(path), workspace_MAX_BYTES, refuseLinks(base, path)),
        // async: a refused path is a rejection, like every other refusal
        writeAtomic: async (path, bytes) => (0,file_access/* writeInside */.Mt)(base, (0,path_rules/* splitPath */.Uf)(path), bytes, refuseLinks(base, path)),
        remove: async (path) => (0,file_access/* removeInside */.pi)(base, (0,path_rules/* splitPath */.Uf)(path)),
        requireWritable: async (folder) => (0,file_access/* requireWritable */.ik)(base, (0,path_rules/* splitPath */.Uf)(folder), refuseLinks(base, folder)),
        list: (folder) => listInside(base, folder),
        get isolation() {
            return isolator?.isolation ?? NO_ISOLATION;
        },
        // Only what is shown: an edit needs the text as it is.
        forTools: { ...files, readText: async (path) => redact(await files.readText(path)) },
        async run(command, limits) {
            const { runCommand } = await __webpack_require__.e(/* import() */ 140).then(__webpack_require__.bind(__webpack_require__, 40140));
            const { environment } = options;
            const launch = isolator?.launch(limits.network) ?? {
                before: [],
                environment,
                setUp: "",
                finish: () => { },
            };
            try {
                const own = { ...launch, environment: { ...launch.environment, ...limits.variables } };
                return await runCommand(command, { folder: base, launch: own, redact }, limits);
            }
            finally {
                launch.finish();
            }
        },
        async snapshot(pending) {
            const { takeSnapshot } = await __webpack_require__.e(/* import() */ 981).then(__webpack_require__.bind(__webpack_require__, 64981));
            const own = closedFolders(base, [".looplia/state", ".looplia/contentItem"]);
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
async function listInside(root, folder) {
    const { real, missing } = (0,pinned_files/* locate */.x5)(root, (0,path_rules/* splitPath */.Uf)(folder));
    const entries = missing.length > 0
        ? []
        : await listFolder(real).catch((error) => {
            if (error instanceof errors/* LoopliaError */.$K || (0,errors/* errnoOf */.UQ)(error) === undefined)
                throw error;
            const isFile = (0,errors/* errnoOf */.UQ)(error) === "ENOTDIR";
            const why = isFile ? "is no folder" : `can't be read: ${(0,pinned_files/* reasonOf */.A3)(error)}`;
            throw (0,path_rules/* refusal */.x5)(`${(0,path_rules/* showPath */.P8)(folder)} ${why}.`, "Move it away, or make it readable.", error);
        });
    return entries
        .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}
/** The root without links; `config-invalid` when it is no folder that can be opened. */
function realRoot(root) {
    try {
        return external_node_fs_.realpathSync.native(root);
    }
    catch (error) {
        throw new errors/* LoopliaError */.$K("config-invalid", `The folder ${root} can't be opened: ${(0,pinned_files/* reasonOf */.A3)(error)}.`, {
            cause: error,
        });
    }
}
/** Only those below the root: a worktree may itself lie in the system's temporary folder. */
function closedFolders(root, folders) {
    const named = folders.filter((folder) => folder !== undefined);
    const real = named.map((folder) => (0,pinned_files/* realOrExpected */.Uv)((0,external_node_path_.resolve)(root, folder)));
    return real.filter((folder) => folder !== root && (0,pinned_files/* isInside */.FK)(root, folder));
}


/***/ }),

/***/ 2414:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ TEMPORARY_PREFIX),
/* harmony export */   f: () => (/* binding */ replaceFile)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
/* harmony import */ var _session_hash_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(17815);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(63861);
/* harmony import */ var _live_process_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(80367);
/* harmony import */ var _path_rules_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(90460);
// Replaces a file as a whole: written beside, made durable, renamed. A crash leaves the old file or the new one.







/** Files being written have this prefix; one that a crash left behind goes at the next write of the same file. */
const TEMPORARY_PREFIX = ".looplia-write-";
const writing = new Set();
/** Writes, fsyncs, renames, fsyncs the folder. Keeps the mode of an existing file; refuses to replace a non-file. */
async function replaceFile(folder, name, bytes) {
    const mode = modeOf(folder, name);
    const prefix = `${TEMPORARY_PREFIX}${(0,_session_hash_js__WEBPACK_IMPORTED_MODULE_3__/* .sha256Of */ .B)(name).slice(0, 12)}-`;
    removeLeftovers(folder, prefix);
    const temporary = `${prefix}${process.pid}-${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(4).toString("hex")}`;
    writing.add(temporary);
    try {
        await writeNew(folder.at(temporary), bytes, mode);
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.renameSync)(folder.at(temporary), folder.at(name));
        await (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_4__/* .syncDescriptor */ .DW)(folder.descriptor);
    }
    catch (error) {
        (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_4__/* .removeIfThere */ .Ks)(folder.at(temporary));
        throw error;
    }
    finally {
        writing.delete(temporary);
    }
}
async function writeNew(path, bytes, mode) {
    const descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.openSync)(path, "wx");
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.writeFileSync)(descriptor, bytes);
        if (mode !== undefined)
            (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.fchmodSync)(descriptor, mode);
        await (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_4__/* .syncDescriptor */ .DW)(descriptor);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
    }
}
function modeOf(folder, name) {
    try {
        const found = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.lstatSync)(folder.at(name));
        if (found.isFile())
            return found.mode & 0o777;
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errnoOf */ .UQ)(error) === "ENOENT")
            return undefined;
        throw error;
    }
    throw (0,_path_rules_js__WEBPACK_IMPORTED_MODULE_6__/* .refusal */ .x5)(`${(0,_path_rules_js__WEBPACK_IMPORTED_MODULE_6__/* .showPath */ .P8)(name)} was refused: it is not a regular file.`, "Write to another name.");
}
/** Leaves alone what this process or another living one is writing just now. */
function removeLeftovers(folder, prefix) {
    for (const entry of (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readdirSync)(folder.at("."))) {
        if (!entry.startsWith(prefix) || writing.has(entry))
            continue;
        const pid = Number(entry.slice(prefix.length).split("-")[0]);
        if (pid === process.pid || !(0,_live_process_js__WEBPACK_IMPORTED_MODULE_5__/* .isLive */ .D)(pid))
            (0,_durable_file_js__WEBPACK_IMPORTED_MODULE_4__/* .removeIfThere */ .Ks)(folder.at(entry));
    }
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

/***/ 22184:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gp: () => (/* binding */ VOICES),
/* harmony export */   On: () => (/* binding */ WORD_COUNTS),
/* harmony export */   RX: () => (/* binding */ INTEREST_LEVELS),
/* harmony export */   Sj: () => (/* binding */ TONES),
/* harmony export */   cJ: () => (/* binding */ parseSoundProfile)
/* harmony export */ });
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(59437);
// Tells a profile that is plainly sound without a library for schemas, which takes long to load. What is not plainly so is
// for the schema to judge, and to say what is wrong.

const TONES = ["beginner", "intermediate", "expert", "mixed"];
const VOICES = ["first-person", "third-person", "instructional"];
const INTEREST_LEVELS = { min: 1, max: 5 };
const WORD_COUNTS = { min: 100, max: 10_000 };
/** The profile as the schema would give it, or undefined where only the schema can tell. */
function parseSoundProfile(text) {
    const value = (0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(text);
    if (!hasKeys(value, ["userId", "topics", "style"], ["writingSamples"]))
        return undefined;
    const { userId, topics, style, writingSamples } = value;
    if (!isText(userId) || !Array.isArray(topics) || !topics.every(isTopic) || !isStyle(style))
        return undefined;
    const wanted = topics.map(({ topic, interestLevel }) => ({ topic, interestLevel }));
    const { tone, targetWordCount, voice } = style;
    const profile = { userId, topics: wanted, style: { tone, targetWordCount, voice } };
    if (writingSamples === undefined)
        return Object.hasOwn(value, "writingSamples") ? undefined : profile;
    const isList = Array.isArray(writingSamples) && writingSamples.every((sample) => typeof sample === "string");
    return isList ? { ...profile, writingSamples } : undefined;
}
function isTopic(value) {
    if (!hasKeys(value, ["topic", "interestLevel"]))
        return false;
    const { topic, interestLevel } = value;
    return isText(topic) && topic.trim() === topic && isWithin(interestLevel, INTEREST_LEVELS);
}
function isStyle(value) {
    if (!hasKeys(value, ["tone", "targetWordCount", "voice"]))
        return false;
    const { tone, targetWordCount, voice } = value;
    return isOneOf(tone, TONES) && isWithin(targetWordCount, WORD_COUNTS) && isOneOf(voice, VOICES);
}
function hasKeys(value, names, optional = []) {
    if (!(0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(value))
        return false;
    const known = new Set([...names, ...optional]);
    return (names.every((name) => Object.hasOwn(value, name)) && Object.keys(value).every((key) => known.has(key)));
}
function isText(value) {
    return typeof value === "string" && value !== "";
}
function isOneOf(value, words) {
    return words.some((word) => word === value);
}
function isWithin(value, { min, max }) {
    return typeof value === "number" && value >= min && value <= max;
}


/***/ }),

/***/ 74146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ redactArguments),
/* harmony export */   k: () => (/* binding */ redactError)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
/* harmony import */ var _session_redaction_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(20134);
// Keeps secrets out of what leaves through a port, and out of errors.


/** The same port, told only texts without secrets: for ports that publish, where no argument is a secret by right. */
function redactArguments(port, redact) {
    if (redact === _session_redaction_js__WEBPACK_IMPORTED_MODULE_1__/* .redactNothing */ .xe)
        return port;
    return new Proxy(port, {
        get(target, name) {
            const member = Reflect.get(target, name, target);
            if (typeof member !== "function")
                return member;
            return (...given) => Reflect.apply(member, target, (0,_session_redaction_js__WEBPACK_IMPORTED_MODULE_1__/* .redactValue */ .FI)(given, redact));
        },
    });
}
/** What was thrown, without secrets; whoever shows it shows also the stack and the causes of a bug. */
function redactError(thrown, redact) {
    if (redact === _session_redaction_js__WEBPACK_IMPORTED_MODULE_1__/* .redactNothing */ .xe || !(thrown instanceof Error))
        return (0,_session_redaction_js__WEBPACK_IMPORTED_MODULE_1__/* .redactValue */ .FI)(thrown, redact);
    if (thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K) {
        const { code, hint, modelFailure } = thrown;
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K(code, redact(thrown.message), {
            ...(hint === undefined ? {} : { hint: redact(hint) }),
            ...(modelFailure === undefined ? {} : { modelFailure }),
            ...(thrown.cause === undefined ? {} : { cause: redactError(thrown.cause, redact) }),
        });
    }
    thrown.message = redact(thrown.message);
    if (thrown.stack !== undefined)
        thrown.stack = redact(thrown.stack);
    if (thrown.cause !== undefined)
        thrown.cause = redactError(thrown.cause, redact);
    return thrown;
}


/***/ }),

/***/ 9895:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  clock: () => (/* binding */ clock),
  createModel: () => (/* binding */ createModel),
  runTrigger: () => (/* binding */ runTrigger)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(58500);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/conversation.js
var conversation = __webpack_require__(62068);
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
    const text = inner.message.includes(code) ? inner.message : `${code} ${inner.message}`.trim();
    return { kind: "network", text, mayRetry: true };
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
    const said = withoutKey(fault.text, apiKey).replace(/\s+/g, " ").slice(0, 400);
    const message = `${describe(fault.kind, asked.model, baseURL)}: ${said}${wait}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
    const cause = (0,external_node_util_.inspect)(asked.cause, { depth: 8 });
    const holdsKey = withoutKey(cause, apiKey) !== cause;
    return new errors/* LoopliaError */.$K("model-failed", withoutKey(message, apiKey), {
        modelFailure: fault.kind,
        hint: HINTS[fault.kind],
        ...(holdsKey ? {} : { cause: asked.cause }),
    });
}
/** Shorter than any key that is one: it would be found in words that hold no secret. */
const SHORTEST_KEY = 8;
function withoutKey(text, apiKey) {
    return apiKey.length < SHORTEST_KEY ? text : text.replaceAll(apiKey, "[key]");
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

// EXTERNAL MODULE: ./node_modules/@anthropic-ai/sdk/client.mjs + 90 modules
var client = __webpack_require__(20854);
;// CONCATENATED MODULE: ./build/adapters/anthropic-sdk.js
// The part of the SDK that is used. Bundlers leave out the rest, which is most of it and would be read at each start.


/** A client of the Messages API and of nothing else. */
class MessagesClient extends client/* BaseAnthropic */.q {
    /** As `messages.create` of the whole SDK, without what that brings along for batches, helpers and parsing. */
    streamMessage(body, { signal }) {
        return this.post("/v1/messages", { body, signal, stream: true });
    }
}

// EXTERNAL MODULE: ./node_modules/@anthropic-ai/sdk/core/error.mjs
var error = __webpack_require__(25064);
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
/** Makes one answer of the events of a stream; what is no answer is refused when it is asked for. */
class ReplyCollector {
    /** What is known so far; of a cut answer the only trace of what it cost. */
    usage = (0,conversation/* noUsage */.tk)();
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
            throw new errors/* LoopliaError */.$K("model-failed", `The answer ended for an unknown reason${shown}.`, {
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
// They change: compare with that page, edit the rows and the date above. A model without a row has no price.
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
 * A Model over the Messages API; no request is made yet. After an answer was cut, `onText` hears the next attempt from its beginning; what the cut one cost is counted in the reply's usage.
 * Throws `config-invalid` for a key or an address that can't be used.
 */
function createAnthropicModel(options) {
    const apiKey = requireKey(options.apiKey);
    const { maxRetries = 2, backOffMs = 500, maxTokens = DEFAULT_MAX_TOKENS } = options;
    const endpoint = { apiKey, baseURL: requireAddress(options.baseURL || DEFAULT_BASE_URL) };
    let client;
    return {
        provider: "anthropic",
        priceOf: priceOf,
        async respond(request, asked) {
            client ??= createClient(endpoint, options.headers);
            const body = buildBody(request, maxTokens);
            let spent = (0,conversation/* noUsage */.tk)();
            for (let attempt = 1;; attempt += 1) {
                throwIfAborted(asked.signal);
                const collector = new ReplyCollector(asked.onText);
                try {
                    const reply = await streamReply(client, body, collector, asked);
                    return { ...reply, usage: (0,conversation/* addUsage */.vk)(spent, reply.usage) };
                }
                catch (thrown) {
                    throwIfAborted(asked.signal);
                    const fault = readFault(thrown);
                    const wait = fault.waitMs ?? Math.min(backOffMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
                    if (!fault.mayRetry || attempt > maxRetries || wait > LONGEST_WAIT_MS) {
                        throw toModelFailure(fault, { endpoint, model: request.model, attempts: attempt, cause: thrown });
                    }
                    spent = (0,conversation/* addUsage */.vk)(spent, collector.usage);
                    await pause(wait, asked.signal);
                }
            }
        },
    };
}
async function streamReply(client, body, collector, { signal }) {
    const events = await client.streamMessage(body, { signal });
    for await (const event of events)
        collector.add(event);
    return collector.finish();
}
/** Key and address never come from the environment, and the client writes nothing: standard output is for data. */
function createClient(endpoint, headers) {
    return new MessagesClient({
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
function readFault(thrown) {
    if (thrown instanceof errors/* LoopliaError */.$K)
        throw thrown;
    if (thrown instanceof error/* APIConnectionError */.xX)
        return readNetworkError(thrown);
    if (thrown instanceof error/* APIError */.LG)
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
    await (0,promises_.setTimeout)(wait * (1 + Math.random() / 4), undefined, { signal }).catch(() => throwIfAborted(signal));
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
    throw new errors/* LoopliaError */.$K("config-invalid", `anthropic-api-key ${problem}.`, {
        hint: "Copy the key again from the Anthropic Console, as one line.",
    });
}
/** fetch refuses an address with a user name or password, and would repeat them in its message. */
function requireAddress(baseURL) {
    const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
    const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
    if (url && isHttp && url.username === "" && url.password === "")
        return baseURL;
    throw new errors/* LoopliaError */.$K("config-invalid", "anthropic-base-url is not an http(s) address without a login.", {
        hint: "Write it like https://api.anthropic.com; a gateway's own key goes into anthropic-api-key.",
    });
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
;// CONCATENATED MODULE: ./build/adapters/installed-files.js
// The files that the program is installed with: prompts and pipelines.



/** The program's own files: nobody else writes there, so they are read straight, without a look at links. */
function installedFolder(root) {
    const orNothing = (look) => {
        try {
            return look();
        }
        catch (error) {
            if (["ENOENT", "ENOTDIR", "EISDIR"].includes((0,errors/* errnoOf */.UQ)(error) ?? ""))
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

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(51455);
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
        get hasBegun() {
            return seq > 0;
        },
        close() {
            flush();
            return written;
        },
    };
}
async function appendTo(folder, path, text) {
    try {
        await (0,external_node_fs_promises_.mkdir)(folder, { recursive: true });
        await (0,external_node_fs_promises_.appendFile)(path, text);
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
        case "iteration":
            return event.errorCode === undefined
                ? {
                    type: event.summary ? "summary" : "progress",
                    payload: { event: event.type, ...payloadOf(event) },
                }
                : { type: "error", payload: iterationError(event, event.errorCode) };
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
/** The agent failed at one task; the loop goes on. */
function iterationError(event, code) {
    const { errorCode: _, message = "", ...iteration } = payloadOf(event);
    const told = { event: event.type, ...iteration };
    return { ...told, code, message, recoverable: true };
}
function noticePayload(event) {
    if (event.level !== "error")
        return { event: "notice", ...payloadOf(event) };
    const { message, sessionId } = event;
    return { code: "notice", message, recoverable: false, ...(sessionId === undefined ? {} : { sessionId }) };
}

// EXTERNAL MODULE: ./build/adapters/store-files.js + 8 modules
var store_files = __webpack_require__(17141);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var config_diagnostics = __webpack_require__(3811);
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
        if (!(error instanceof errors/* LoopliaError */.$K))
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
/** The same finding, which stops nobody. */
function lowerToWarning(diagnostic) {
    return { ...diagnostic, severity: "warning" };
}

// EXTERNAL MODULE: ./build/config/located-yaml.js + 1 modules
var located_yaml = __webpack_require__(36045);
;// CONCATENATED MODULE: ./build/config/front-matter.js
// The block of YAML between `---` lines at the start of a Markdown file: agents, skills, content items.


/** Throws `config-invalid` with file and line when the block is not closed, not YAML or not a mapping. */
async function parseFrontMatter(text, file) {
    const diagnostics = [];
    const read = await readFrontMatter(text, file, diagnostics);
    (0,config_diagnostics/* throwIfErrors */.Z)(diagnostics);
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
// EXTERNAL MODULE: ./build/config/tool-names.js
var tool_names = __webpack_require__(43556);
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
    const { tools, unknown } = (0,tool_names/* resolveToolNames */.Xg)(names.filter((name) => name !== ""));
    if (unknown.length > 0) {
        const message = `has tools that are not known here and are left out: ${unknown.join(", ")}`;
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(line, message, (0,suggest/* suggestName */.S)(unknown[0] ?? "", tool_names/* WRITTEN_TOOL_NAMES */.g3));
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

// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
;// CONCATENATED MODULE: ./build/config/json-schema.js
// JSON Schema files (draft 2020-12) of pipelines that have artifacts of their own.


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
        throw new errors/* LoopliaError */.$K("config-invalid", `${file}: is not a JSON Schema of draft 2020-12: ${(0,errors/* messageOf */.bD)(error)}`, { cause: error });
    }
}
function parseSchema(text, file) {
    let value;
    try {
        value = JSON.parse(text.replace(/^\uFEFF/, ""));
    }
    catch (error) {
        throw new errors/* LoopliaError */.$K("config-invalid", `${file}: is not valid JSON: ${(0,errors/* messageOf */.bD)(error)}`, {
            cause: error,
        });
    }
    if ((0,json/* isObject */.Gv)(value))
        return value;
    throw new errors/* LoopliaError */.$K("config-invalid", `${file}: is not a JSON Schema: it must be a JSON object`);
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




/** No two outputs have the same file. */
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
/** Each output has an agent that there is, and that can write it. */
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
/** What an output requires is there, and nothing requires itself. */
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
/** The output that is marked `final`, else the only one that no other requires. */
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
/** Texts of the schema files by the name of their output; what is missing or no schema is reported. */
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
            if (!(error instanceof errors/* LoopliaError */.$K))
                throw error;
            report(lines.schema, `"${name}" has a schema that cannot be used: ${error.message}`);
        }
    }
    return schemas;
}

;// CONCATENATED MODULE: ./build/config/pipeline-output.js


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
    const look = async (path) => {
        const refused = [];
        return { path, inside: await listTrusted(files, `${base}/${path}`, refused), refused };
    };
    const visit = async (paths, depth) => {
        for (let at = 0; at < paths.length && depth <= MAX_DEPTH; at += MAX_FILES) {
            // Those of a folder are asked for together: one after another they are as many processes of git.
            for (const { path, inside, refused } of await Promise.all(paths.slice(at, at + MAX_FILES).map(look))) {
                if (found.length >= MAX_FILES)
                    return;
                diagnostics.push(...refused.map(lowerToWarning));
                if (inside.length === 0 && refused.length === 0)
                    found.push(path);
                await visit(inside.map((entry) => `${path}/${entry}`), depth + 1);
            }
        }
    };
    await visit(entries, 1);
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

// EXTERNAL MODULE: ./build/config/sound-profile.js
var sound_profile = __webpack_require__(22184);
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
// Not above: what words every fault of a profile takes long to load, and most profiles have none.
async function readProfile(text, file, diagnostics) {
    if (text === undefined)
        return undefined;
    const sound = (0,sound_profile/* parseSoundProfile */.cJ)(text);
    if (sound !== undefined)
        return sound;
    const { parseUserProfile } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(492)]).then(__webpack_require__.bind(__webpack_require__, 35492));
    return parseUserProfile(text, file, diagnostics);
}
function sourcesOf(kind, trusted) {
    return [
        { files: trusted, folder: `.looplia/.claude/${kind}`, isShared: false },
        { files: trusted, folder: `.claude/${kind}`, isShared: true },
    ];
}

// EXTERNAL MODULE: ./build/config/policy.js
var policy = __webpack_require__(98389);
// EXTERNAL MODULE: ./build/config/secrets.js
var secrets = __webpack_require__(3654);
;// CONCATENATED MODULE: ./build/content/run-setup.js
// `setup`: the commands of the trusted ref that make a fresh worktree usable, before the first task.

/** One command; installing takes minutes. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT = 100_000;
const SHOWN = 2_000;
/**
 * Runs the lines in order, isolated like any command; `network: npm ci` gives that one the network. Throws
 * `config-invalid` with the end of its output at the first that fails, and the signal's reason when it is aborted.
 */
async function runSetup(workspace, lines, around) {
    const { observe, signal } = around;
    const commands = lines.map(parseLine).filter(({ command }) => command !== "");
    for (const { command, network } of commands) {
        const message = `setup: ${command}${network ? " (with network)" : ""}`;
        observe({ type: "notice", level: "info", message });
        const result = await workspace.run(command, {
            timeoutMs: TIMEOUT_MS,
            maxOutput: MAX_OUTPUT,
            signal,
            ...(network ? { network } : {}),
        });
        signal.throwIfAborted();
        if (result.exitCode === 0)
            continue;
        const how = result.timedOut
            ? `did not end within ${TIMEOUT_MS / 60_000} minutes`
            : `failed with exit code ${result.exitCode ?? "none"}`;
        throw new errors/* LoopliaError */.$K("config-invalid", `The setup command \`${command}\` ${how}:\n${tailOf(result.output)}`, {
            hint: "mend `setup` in looplia.yml on the default branch; write `network: ` before what must download",
        });
    }
}
function parseLine(line) {
    const marked = /^\s*network:\s+(.*)$/s.exec(line);
    return { command: (marked?.[1] ?? line).trim(), network: marked !== null };
}
function tailOf(output) {
    return output.trimEnd().slice(-SHOWN).toWellFormed() || "(no output)";
}

// EXTERNAL MODULE: ./build/agent/limits.js
var limits = __webpack_require__(32972);
// EXTERNAL MODULE: ./build/agent/prefix.js
var agent_prefix = __webpack_require__(98596);
// EXTERNAL MODULE: ./build/agent/take-answer.js
var take_answer = __webpack_require__(40306);
// EXTERNAL MODULE: ./build/content/item-result.js
var item_result = __webpack_require__(61161);
// EXTERNAL MODULE: ./build/session/hash.js
var session_hash = __webpack_require__(17815);
;// CONCATENATED MODULE: ./build/content/schema-version.js
// Stands alone, because a new session needs the version long before it needs a schema.
/** Version of the schemas in schemas.ts, written beside each completed step; one recorded with another is stale. */
const SCHEMA_VERSION = "1.0.0";

;// CONCATENATED MODULE: ./build/content/plan.js
// Which steps of a session run, and why. Pure: what is on disk comes in as observations.



/**
 * The steps that the desired output needs, in order. A step is skipped only if it is completed, its file is there,
 * valid and as recorded, its inputs are unchanged, and nothing that it needs runs again.
 * Throws `config-invalid` for an output that the pipeline does not have, or a forced one that is not needed.
 */
function planSteps(input) {
    const needed = neededOutputs(input.pipeline, input.desiredOutput);
    for (const forced of input.force ?? []) {
        if (needed.some((output) => output.name === forced))
            continue;
        neededOutputs(input.pipeline, forced);
        throw new errors/* LoopliaError */.$K("config-invalid", `${forced} is not needed for ${input.desiredOutput}`, {
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
        throw new errors/* LoopliaError */.$K("config-invalid", `pipeline ${pipeline.name} has no output ${JSON.stringify(desired)}`, {
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
    if (force?.includes(output.name))
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
    if (step.schemaVersion !== undefined && step.schemaVersion !== SCHEMA_VERSION) {
        return `it was made for schema version ${step.schemaVersion}, now it is ${SCHEMA_VERSION}`;
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
    return (0,session_hash/* hashContent */.s)(JSON.stringify([SCHEMA_VERSION, sourceHash, required, agentInstructions, schemaText, profileText]));
}

;// CONCATENATED MODULE: ./build/content/inputs.js
// What a step is made from. A step whose inputs changed is stale.


/** Digests of what every step of this agent is made from now. */
function currentInputs(configuration, agent, sourceHash) {
    return {
        source: sourceHash,
        agent: (0,session_hash/* hashContent */.s)(instructionsOf(configuration.agents.get(agent), configuration.instructions)),
        profile: (0,session_hash/* hashContent */.s)(configuration.profileText),
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

// EXTERNAL MODULE: ./build/session/redaction.js
var redaction = __webpack_require__(20134);
// EXTERNAL MODULE: ./build/content/item-title.js
var item_title = __webpack_require__(93348);
;// CONCATENATED MODULE: ./build/content/item.js
// A content item: the bytes as they came, and what the program reads from them.





const MAX_BYTES = 10 * 1024 * 1024;
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
        title: (0,item_title/* readTitle */.t)(data.get("title"), body, source),
        body,
        url: [data.get("url"), data.get("source_url")].find(isText) ?? "",
        slugHint: wordOf(data.get("id")),
        frontMatter: data,
        sourceHash: (0,session_hash/* hashContent */.s)(bytes),
    };
}
/** The item as models and people may see it. Path, bytes and hash stay: the item is found and compared by them. */
function redactItem(item, redact) {
    const { source, bytes, sourceHash, ...said } = item;
    return { source, bytes, sourceHash, ...(0,redaction/* redactValue */.FI)(said, redact) };
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
    if (bytes.length > MAX_BYTES) {
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
    return new errors/* LoopliaError */.$K("config-invalid", `${place}: ${what}`, { hint });
}

// EXTERNAL MODULE: ./build/session/conflict.js
var conflict = __webpack_require__(73445);
// EXTERNAL MODULE: ./build/session/session-view.js
var session_view = __webpack_require__(88929);
;// CONCATENATED MODULE: ./build/content/look-at.js
// A session's stores, for those who only look.

/** What is stored of a session, or undefined where nothing is. */
async function lookAt(ports, sessionId) {
    const lines = await ports.stores.look(sessionId);
    return lines && (0,session_view/* viewSession */.WY)(sessionId, lines);
}

;// CONCATENATED MODULE: ./build/content/adopt-session.js
// A session folder from before there were manifests: its artifacts say what is done.

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
        const contentHash = (0,session_hash/* hashContent */.s)(bytes);
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
        sourceHash: (0,session_hash/* hashContent */.s)(content),
        steps,
        extra: new Map(),
    };
}
function dayOf(sessionId) {
    const day = /(?:^|-)(\d{4}-\d{2}-\d{2})(?:-|$)/.exec(sessionId)?.[1];
    return new Date(Date.parse(day ?? "") || 0);
}

// EXTERNAL MODULE: ./build/config/describe-schema.js
var describe_schema = __webpack_require__(73748);
// EXTERNAL MODULE: ./build/config/json-limits.js
var json_limits = __webpack_require__(11566);
// EXTERNAL MODULE: ./build/config/problem.js
var problem = __webpack_require__(58308);
// EXTERNAL MODULE: ./build/config/check-value.js
var check_value = __webpack_require__(55947);
;// CONCATENATED MODULE: ./build/content/check-schema.js
// An artifact held against its schema: the built-in ones by zod, a pipeline's own file by its JSON Schema.




/** The program's schema of an output, or undefined where the pipeline brings its own or the file has none. */
async function builtInSchema({ artifact, schema }) {
    if (schema)
        return undefined;
    const { artifactSchemas } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(50)]).then(__webpack_require__.bind(__webpack_require__, 19050));
    return artifactSchemas.get(artifact);
}
/** Holds a value against a built-in schema. */
async function checkBuiltIn(builtIn, value) {
    const checked = await (0,check_value/* checkValue */.Su)(builtIn, value);
    return { ...checked, problems: checked.problems.map(({ path: _, ...problem }) => problem) };
}
/** Holds a value against a pipeline's own schema file. Throws `config-invalid` when that file is not a schema. */
async function checkBySchemaFile(own, value) {
    const check = (await compileJsonSchema(own.text, own.file))(value);
    const schema = JSON.parse(own.text.replace(/^\uFEFF/, ""));
    if (check.fits)
        return { value, problems: [], schema };
    const problems = check.errors.slice(0, check_value/* MAX_PROBLEMS */.aZ).map((error) => problemOf(schema, value, error));
    return { value, problems: (0,check_value/* onePerField */.K$)(problems), schema };
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
            received: (0,problem/* describeReceived */.Jr)((0,json/* valueAt */.fK)(value, ...here)),
        };
    }
    const missing = typeof missingProperty === "string" ? [missingProperty] : [];
    return (0,check_value/* problemAt */.l4)(schema, value, [...path, ...missing], error.message ?? "a value that fits");
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
        value = (0,json/* valueAt */.fK)(value, found);
        return found;
    });
}

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
// Whether a value may become an artifact of a session, and what to tell the model when it may not.










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
    return { ok: true, value: checked.value, text, contentHash: (0,session_hash/* hashContent */.s)(text) };
}
/** Judges an artifact's file as it stands; `problems` is empty for a valid one. Without an item quotes are not checked. */
async function checkStoredArtifact(output, bytes, item) {
    const contentHash = (0,session_hash/* hashContent */.s)(bytes);
    let value;
    try {
        value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    }
    catch (error) {
        return { contentHash, problems: [`is not JSON: ${(0,errors/* messageOf */.bD)(error)}`] };
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
        const received = `text that is not JSON (${(0,errors/* messageOf */.bD)(error)}): ${(0,problem/* describeReceived */.Jr)(value)}`;
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
        if (typeof text !== "string" || isQuoteOf(source, text))
            return [];
        const path = [...(isKit ? ["summary"] : []), "importantQuotes", index, "text"];
        const expected = `words that stand exactly so in ${item.source}`;
        return [{ field: (0,problem/* fieldName */.w5)(path), expected, received: (0,problem/* describeReceived */.Jr)(text) }];
    });
}
/** Where a secret was cut out of what the model read, the rest must stand in the source. */
function isQuoteOf(source, quote) {
    const parts = quote.split(redaction/* REDACTED */.XF).map(foldText);
    return parts.some((part) => part !== "") && parts.every((part) => source.includes(part));
}
function refuse(output, problems, schema) {
    const errors = problems.slice(0, MAX_SHOWN).map(problem/* formatProblem */.Vw);
    if (problems.length > errors.length)
        errors.push("and more of the same");
    return { ok: false, problems, errors, hint: hintFor(output.artifact, problems, schema) };
}
function hintFor(artifact, problems, schema) {
    const fields = [...new Set(problems.map((problem) => problem.field.split(/[.[]/)[0] ?? ""))];
    const shapes = fields.flatMap((field) => {
        const found = (0,describe_schema/* schemaAt */.lv)(schema, [field]);
        return found ? [[field, (0,describe_schema/* shapeOf */.F5)(found, schema)]] : [];
    });
    const isWhole = shapes.length < fields.length && Object.keys(schema).length > 0;
    const shape = JSON.stringify(isWhole ? (0,describe_schema/* shapeOf */.F5)(schema) : Object.fromEntries(shapes));
    const task = `Mend this and send all of ${artifact} again.`;
    if (shape === "{}")
        return task;
    const like = isWhole ? `${artifact} looks like this` : "These fields look like this";
    return `${task} ${like}: ${shape.length > MAX_HINT ? `${shape.slice(0, MAX_HINT).toWellFormed()}…` : shape}`;
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

// EXTERNAL MODULE: ./build/content/session-id.js
var session_id = __webpack_require__(24642);
;// CONCATENATED MODULE: ./build/content/session-folder.js
// The folder of a session on disk: `content.md`, `session.json` and the artifacts, through the workspace port.







const SESSIONS = ".looplia/contentItem";
/** The session's folder, relative to the workspace root. Throws `config-invalid` for what is no session id. */
function sessionFolder(sessionId) {
    if ((0,session_id/* isSessionId */.Sd)(sessionId))
        return `${SESSIONS}/${sessionId}`;
    throw new errors/* LoopliaError */.$K("config-invalid", `${JSON.stringify(sessionId.slice(0, 100))} is not a session id`, {
        hint: "a session id has lower-case letters, digits and hyphens only, at most 81",
    });
}
/** Whether there is a session of this id. Throws `config-invalid` for what is no session id, or no readable manifest. */
async function hasSession(workspace, sessionId) {
    return (await readManifest(workspace, sessionId)) !== undefined;
}
/** Reads a session, older forms included. Throws `config-invalid` when there is none or its manifest is unreadable. */
async function readSession(workspace, sessionId, pipelines) {
    const found = await readManifest(workspace, sessionId);
    if (found === undefined) {
        throw new errors/* LoopliaError */.$K("config-invalid", `there is no session ${sessionId} in ${SESSIONS}`, {
            hint: "`looplia status` lists the sessions",
        });
    }
    return readRest(workspace, found, pipelines.get(found.manifest.pipeline));
}
/**
 * The newest session of an item and pipeline, completed ones too, but none of `except`; or undefined. Throws `config-invalid` where one of
 * the item's cannot be read; an unreadable one of another item is passed over, and `notice` is told why.
 */
async function findSession(workspace, item, pipeline, notice = () => { }, except = new Set()) {
    let newest;
    for (const { name, isFolder } of await workspace.list(SESSIONS)) {
        if (!isFolder || except.has(name))
            continue;
        const found = await readManifest(workspace, name).catch(async (error) => {
            if (!(error instanceof errors/* LoopliaError */.$K) || (await seemsOf(workspace, name, item, pipeline)))
                throw error;
            notice(`passed over session ${name}: ${(0,errors/* messageOf */.bD)(error)}`);
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
/** Throws `config-invalid` where no session could be begun because nothing can be written. Changes nothing. */
function requireRoomForSession(workspace) {
    return workspace.requireWritable(SESSIONS);
}
/** Begins a session's folder. Never overwrites: throws `config-invalid` where a session stands already. */
async function createSessionFolder(workspace, manifest, bytes) {
    const folder = sessionFolder(manifest.contentId);
    for (const file of ["session.json", "content.md"]) {
        if ((await workspace.read(`${folder}/${file}`)) === undefined)
            continue;
        throw new errors/* LoopliaError */.$K("config-invalid", `${folder}/${file} is there already`, {
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
    if (!(0,session_id/* isSessionId */.Sd)(sessionId))
        return false;
    const read = (file) => workspace.read(`${SESSIONS}/${sessionId}/${file}`).catch((error) => {
        if (error instanceof errors/* LoopliaError */.$K)
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
    return content !== undefined && (0,session_hash/* hashContent */.s)(content) === item.sourceHash;
}
async function readManifest(workspace, sessionId) {
    const folder = sessionFolder(sessionId);
    const bytes = await workspace.read(`${folder}/session.json`);
    if (bytes) {
        const { parseManifest } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(672)]).then(__webpack_require__.bind(__webpack_require__, 69291));
        return parseManifest(new TextDecoder().decode(bytes), `${folder}/session.json`);
    }
    const manifest = await adoptSession(workspace, folder, sessionId);
    return manifest && { manifest, upgraded: true };
}
async function readRest(workspace, found, pipeline) {
    const { manifest } = found;
    const folder = sessionFolder(manifest.contentId);
    const content = await workspace.read(`${folder}/content.md`);
    const contentHash = content ? (0,session_hash/* hashContent */.s)(content) : "";
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
        if (error instanceof errors/* LoopliaError */.$K)
            return undefined;
        throw error;
    }
}
function ageOf({ manifest }) {
    return Date.parse(manifest.createdAt) || 0;
}

;// CONCATENATED MODULE: ./build/content/kept-artifacts.js
// Artifacts that a person pushed over a run's own, and that stay: their steps count as done.



/** The session with every valid artifact that a person's answer keeps; one that was changed since is not among them. */
async function withKept(ports, outputs, found) {
    const { manifest, observed } = found;
    const changed = outputs.flatMap(({ name, artifact }) => {
        const seen = observed.get(name);
        const isNew = seen && "contentHash" in seen && seen.contentHash !== manifest.steps.get(name)?.contentHash;
        return isNew && seen.problems.length === 0 ? [{ name, artifact, contentHash: seen.contentHash }] : [];
    });
    const view = changed.length === 0 ? undefined : await lookAt(ports, manifest.contentId);
    const kept = view ? (0,conflict/* keptFiles */.y2)(view.state) : [];
    const isKept = ({ artifact, contentHash }) => kept.some(({ path, sha256 }) => sha256?.startsWith(contentHash) &&
        `/${path}`.endsWith(`/${sessionFolder(manifest.contentId)}/${artifact}`));
    const steps = changed
        .filter(isKept)
        .map(({ name, contentHash }) => [name, { status: "completed", contentHash }]);
    if (steps.length === 0)
        return found;
    return { ...found, manifest: { ...manifest, steps: new Map([...manifest.steps, ...steps]) } };
}

;// CONCATENATED MODULE: ./build/content/open-session.js
// Finds or begins the session of an item and decides what is due in it. Changes nothing on disk.









/** The pipeline of that name. Throws `config-invalid` with the names there are. */
function pipelineNamed(ports, name) {
    const pipeline = ports.configuration.pipelines.get(name);
    if (pipeline)
        return pipeline;
    const names = [...ports.configuration.pipelines.keys()].join(", ");
    throw new errors/* LoopliaError */.$K("config-invalid", `There is no pipeline ${JSON.stringify(name)}.`, {
        hint: `There are: ${names}.`,
    });
}
/** Plans an item: the newest session of the same source and pipeline goes on, unless a fresh one is wanted or it is `canceled`. */
async function planItem(ports, settings, source) {
    const item = redactItem(await parseContentItem(source.path, source.bytes), ports.redact);
    const pipeline = pipelineNamed(ports, settings.pipeline);
    if (source.fresh)
        await requireSessionsFolder(ports.workspace);
    const found = source.fresh
        ? undefined
        : await findSession(ports.workspace, item, pipeline, (message) => ports.observe({ type: "notice", level: "warning", message }), source.canceled);
    if (found) {
        const kept = await withKept(ports, pipeline.outputs, found);
        return planFound(ports, settings, item, pipeline, kept);
    }
    const sessionId = (0,session_id/* createSessionId */.GH)(item, ports.clock.now(), ports.ids.hex(3));
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
    const found = await readSession(ports.workspace, sessionId, ports.configuration.pipelines);
    const { source } = found.manifest;
    const bytes = (await ports.readSource(source)) ?? found.content;
    if (!bytes) {
        throw new errors/* LoopliaError */.$K("config-invalid", `The source of ${sessionId} is gone: ${source}.`, {
            hint: "There is no copy in its folder either. Begin a new session with --file.",
        });
    }
    requireKnownSource(found, bytes);
    const pipeline = pipelineNamed(ports, found.manifest.pipeline);
    const settings = settingsFor(found.manifest, pipeline);
    const item = redactItem(await parseContentItem(source, bytes), ports.redact);
    const kept = await withKept(ports, pipeline.outputs, found);
    return planFound(ports, settings, item, pipeline, kept);
}
/** A manifest may have come with the repository: what it names outside counts only where the session holds it already. */
function requireKnownSource({ manifest, contentHash }, bytes) {
    const { source, contentId, sourceHash } = manifest;
    const isOutside = /^(?:[/\\]|[a-z]:)/i.test(source) || source.split(/[/\\]/).includes("..");
    if (!isOutside || [contentHash, sourceHash].includes((0,session_hash/* hashContent */.s)(bytes)))
        return;
    const file = `${sessionFolder(contentId)}/session.json`;
    const what = `its source ${JSON.stringify(source)} lies outside the repository and is not what the session began with`;
    throw new errors/* LoopliaError */.$K("config-invalid", `${file}: ${what}.`, {
        hint: "If the file is yours and has changed, begin a new session with --file; else the manifest was forged.",
    });
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

// EXTERNAL MODULE: ./build/session/state.js
var session_state = __webpack_require__(94878);
// EXTERNAL MODULE: ./build/agent/as-one.js
var as_one = __webpack_require__(20425);
// EXTERNAL MODULE: ./build/session/in-turn.js
var in_turn = __webpack_require__(35478);
;// CONCATENATED MODULE: ./build/content/session-run.js
// One content session while it runs: its item, pipeline, manifest and agent session.



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
    return (0,in_turn/* inTurn */.l)(run, save);
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
// Ends a task: the manifest first, then the event, then whoever watches. Only here is a step marked. On a runner one
// checkpoint holds all of it, the commit as well.




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
            schemaVersion: SCHEMA_VERSION,
        });
    }
    await (0,as_one/* asOne */.Z)(run.session.host, async () => {
        await saveSteps(run, changes);
        await noteCompletion(run, task);
    });
}
/** The event for a task whose run was killed when the manifest was written. */
function recordCompletion(run, task) {
    return (0,as_one/* asOne */.Z)(run.session.host, () => noteCompletion(run, task));
}
async function noteCompletion(run, task) {
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
    const payload = { taskId, reasonCode, message };
    await (0,as_one/* asOne */.Z)(run.session.host, async () => {
        await run.session.journal.append({ store: "events", type: "TaskFailed", payload });
        await noteFailure(run, task, message);
    });
}
/** Marks the steps failed; the attempt itself may still go on in a later run. */
function markFailed(run, task, message) {
    return (0,as_one/* asOne */.Z)(run.session.host, () => noteFailure(run, task, message));
}
async function noteFailure(run, task, message) {
    const errorMessage = run.session.journal.redact(message);
    await saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "failed", errorMessage }])));
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
// The artifacts that a step may build on: completed before, or accepted earlier in the same task.

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
        if (!bytes || (0,session_hash/* hashContent */.s)(bytes) !== accepted)
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
        if (!(0,session_state/* isOpen */.nT)(task))
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
    if (settings.force?.some((name) => own.has(name)))
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

// EXTERNAL MODULE: ./build/agent/asking.js
var asking = __webpack_require__(21363);
// EXTERNAL MODULE: ./build/agent/cancellations.js
var cancellations = __webpack_require__(68834);
// EXTERNAL MODULE: ./build/agent/journal.js + 1 modules
var agent_journal = __webpack_require__(54289);
// EXTERNAL MODULE: ./build/agent/open-questions.js
var open_questions = __webpack_require__(32644);
;// CONCATENATED MODULE: ./build/content/describe-session.js



/** The result of a session that ended so; `view`: what is stored of it. */
async function describeSession(ports, planned, manifest, view, outcome) {
    const { sessionId, folder, item, pipeline, desiredOutput } = planned;
    const standing = { ...planned, manifest, session: { workspace: ports.workspace } };
    const usable = usableOutputs(standing);
    const byFile = await readArtifacts(standing, usable);
    const artifacts = new Map();
    for (const { name, artifact } of pipeline.outputs)
        if (byFile.has(artifact))
            artifacts.set(name, byFile.get(artifact));
    const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
    const notice = manifest.extra.get("notice");
    return {
        source: item.source,
        sessionId,
        title: item.title,
        ...statusOf(outcome),
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
        interactions: view ? (0,session_state/* openInteractions */.st)(view.state) : [],
        usage: view?.totals.usage ?? (0,conversation/* noUsage */.tk)(),
        costUsd: view === undefined ? 0 : view.totals.unpriced ? null : view.totals.costUsd,
    };
}
function statusOf(outcome) {
    switch (outcome.kind) {
        case "completed":
            return { status: "completed", reasonCode: "done" };
        case "waiting":
            return { status: "waiting", reasonCode: "open-questions" };
        default:
            return { status: outcome.kind, reasonCode: outcome.reasonCode, message: outcome.message };
    }
}

;// CONCATENATED MODULE: ./build/content/group-tasks.js
/**
 * The due steps as tasks, in an order in which each can run. Within a task each output requires the one before. `open`:
 * tasks that were begun and have not ended; nothing joins them, else they could not go on in their conversations.
 */
function groupTasks(pipeline, plans, open = []) {
    const taskOf = ({ name }) => open.find(({ outputs }) => outputs.includes(name));
    const due = new Set(plans.filter((plan) => plan.due).map((plan) => plan.output));
    const groups = [];
    for (const output of pipeline.outputs) {
        if (!due.has(output.name))
            continue;
        const group = groups.find((candidate) => candidate.every((member) => taskOf(member) === taskOf(output)) && canJoin(output, candidate, groups));
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

;// CONCATENATED MODULE: ./build/content/left-alone.js
// Sessions that a run looks at and does not go on with: a person must answer first, or a person ended them.





/** Why the task that makes this output failed, as it was recorded. */
function failureCodeOf(state, output) {
    const task = [...(state?.tasks.values() ?? [])].findLast(({ outputs }) => outputs.includes(output));
    // Only a model that can't be reached fails a step whose conversation may still go on.
    if ((0,session_state/* isOpen */.nT)(task))
        return "model-failed";
    return task?.failures.at(-1) ?? "invalid-artifact";
}
/** True where all that could run now waits for a person, so that a run would only find that out. */
function onlyWaits(planned, state) {
    if ((0,conflict/* waitsForConflict */.qZ)(state))
        return true;
    if (planned.isSourceChanged)
        return false;
    const open = [...state.tasks.values()].filter(session_state/* isOpen */.nT);
    if (open.length === 0 || !open.every((task) => (0,session_view/* isWaiting */.Gu)(state, task)))
        return false;
    const begun = new Set(open.flatMap((task) => task.outputs));
    return groupTasks(planned.pipeline, planned.plans, open).every((group) => !isReady(planned, group) || group.outputs.every((output) => begun.has(output)));
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

// EXTERNAL MODULE: ./build/agent/outcome.js
var agent_outcome = __webpack_require__(80514);
// EXTERNAL MODULE: ./build/agent/loop.js + 15 modules
var loop = __webpack_require__(50864);
// EXTERNAL MODULE: ./build/agent/messages.js
var agent_messages = __webpack_require__(74576);
// EXTERNAL MODULE: ./build/agent/subagent.js
var subagent = __webpack_require__(88875);
;// CONCATENATED MODULE: ./build/content/write-artifact.js



/**
 * Validates, writes and records one artifact of a task, or answers with every problem and a hint. The same `callId`
 * counts as one try.
 */
async function writeArtifact(run, taskId, name, content, callId) {
    const { journal, configuration } = run.session;
    const task = journal.state.tasks.get(taskId);
    const output = run.pipeline.outputs.find((candidate) => candidate.name === name);
    if (!task || !output || !task.outputs.includes(name)) {
        const due = task?.outputs.join(", ") ?? "none";
        return notWritten(`${JSON.stringify(name)} is not an output of this task. Due here: ${due}.`);
    }
    const artifacts = await readArtifacts(run, usableOutputs(run, task));
    const standing = run.pipeline.outputs.filter(({ artifact }) => artifacts.has(artifact));
    const missing = output.requires.filter((required) => !standing.some((found) => found.name === required));
    if (missing.length > 0)
        return notWritten(`${name} needs ${missing.join(", ")} first.`);
    const checked = await checkArtifact({
        output,
        value: content,
        item: run.item,
        sessionId: run.sessionId,
        ...(configuration.profile ? { profile: configuration.profile } : {}),
        artifacts,
    });
    if (!checked.ok)
        return write_artifact_refuse(run, task, output, callId, checked);
    const accepted = task.accepted.get(name);
    if (accepted !== undefined && accepted !== checked.contentHash) {
        return notWritten(`${output.artifact} was accepted already and stays as it is.`);
    }
    await keep(run, `${run.folder}/${output.artifact}`, checked.text);
    const payload = { taskId, output: name, contentHash: checked.contentHash };
    await journal.append({ store: "events", type: "ArtifactAccepted", payload });
    return { text: `Accepted: ${output.artifact} is valid and written.` };
}
function notWritten(why) {
    return { text: `Not written: ${why}`, isError: true };
}
/** Records what is wrong with it, tells who watches, and words it for the model. */
async function write_artifact_refuse(run, { taskId, refusals }, output, callId, { errors, hint }) {
    const { journal, observe, configuration } = run.session;
    const { name, artifact, maxRetries } = output;
    const payload = { taskId, output: name, callId, errors };
    await journal.append({ store: "events", type: "ArtifactRefused", payload });
    const recoverable = (refusals.get(name)?.count ?? 0) <= maxRetries;
    const { sessionId } = run;
    observe({ type: "validation-failed", sessionId, output: name, artifact, errors, hint, recoverable });
    const text = await configuration.prompts.render("retry.md", { output, errors, hint });
    return { text, isError: true };
}
/** Fails with `host-failed`: it is no matter for the model, which can't mend the disk. */
async function keep({ session }, path, text) {
    await session.workspace.writeAtomic(path, text).catch((cause) => {
        const hint = "Make its place writable and run again.";
        throw new errors/* LoopliaError */.$K("host-failed", `${path} was not written: ${(0,errors/* messageOf */.bD)(cause)}`, { hint, cause });
    });
}

;// CONCATENATED MODULE: ./build/content/run-task.js
// The step function: runs one task (a due step, or neighbours of one agent) in a conversation of its own.
// Whoever leads, the program or a main agent, calls this, and only this marks steps.












/** Runs or goes on with a task until its outputs are completed together, or it failed, waits or stopped. */
async function runTask(run, group, origin = { depth: 0 }) {
    const task = await openTask(run, group, origin);
    try {
        const ended = await (0,loop/* runConversation */.r)(run.session, agentRun(run, task));
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
        const outcome = (0,agent_outcome/* modelFailure */.i)(error);
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
    if (!(0,session_state/* isOpen */.nT)(known)) {
        const attempt = (known?.attempt ?? 0) + 1;
        const { taskId, agent, outputs } = group;
        const conversationId = origin.conversationId ?? `${taskId}#${attempt}`;
        const inputs = currentInputs(run.session.configuration, agent, run.item.sourceHash);
        await journal.append({ store: "events", type: "TaskCreated", payload: { taskId, agent, outputs, inputs, conversationId } }, { store: "events", type: "TaskStarted", payload: { taskId } });
    }
    const task = journal.state.tasks.get(group.taskId);
    if (!task)
        throw new Error(`task ${group.taskId} was not folded`);
    // Together: neither needs the other to be durable.
    const [saved, ready] = await Promise.allSettled([
        saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "in_progress" }]))),
        journal.hasBegun(task.conversationId) ? undefined : prepareConversation(run, task, origin),
    ]);
    if (saved.status === "rejected")
        throw saved.reason;
    observeSteps(run, task, "started");
    if (ready.status === "rejected")
        throw ready.reason;
    if (ready.value) {
        const { start, prefix, opening, messages } = ready.value;
        await run.mailbox.deliver(run.session.host, task.taskId, messages, () => (0,loop/* startConversation */.g)(run.session, start, prefix, opening));
    }
    return task;
}
/** What the conversation begins with; its prefix is frozen already. */
async function prepareConversation(run, task, origin) {
    const definition = run.session.configuration.agents.get(task.agent);
    if (!definition)
        throw new Error(`agent ${task.agent} passed the pipeline's check but is not known`);
    const start = {
        conversationId: task.conversationId,
        taskId: task.taskId,
        agent: task.agent,
        depth: origin.depth,
        model: (0,agent_prefix/* modelFor */.T)(run.session, definition),
    };
    const messages = run.mailbox.take();
    const step = await renderStep(run, task, origin.prompt);
    const opening = await (0,agent_messages/* withMessages */.$)(run.session.configuration.prompts, step, messages);
    const prefix = await (0,agent_prefix/* buildPrefix */.N)(run.session, definition);
    await run.session.journal.freeze(prefix);
    return { start, prefix, opening, messages };
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
        runSubagent: (agent, prompt, id) => (0,subagent/* runSubagent */.R)(run.session, self, agent, prompt, id),
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
    const last = run.session.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
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
    const outcome = await (0,loop/* runConversation */.r)(run.session, self);
    if (outcome.kind === "waiting" || outcome.kind === "stopped")
        return outcome;
    if (outcome.kind === "failed" && (0,agent_outcome/* isEndedByPeople */.x)(outcome)) {
        const { reasonCode, message } = outcome;
        await journal.append({
            store: "events",
            type: "TaskFailed",
            payload: { taskId: TASK_ID, reasonCode, message },
        });
        return outcome;
    }
    // However it ended: what it left is the program's.
    await journal.append({ store: "events", type: "TaskCompleted", payload: { taskId: TASK_ID } });
    return DONE;
}
const DONE = { kind: "completed", text: "" };
async function openMain(run, groups) {
    const { journal, configuration, modelName: model } = run.session;
    const agent = configuration.mainAgent.name;
    const known = journal.state.tasks.get(TASK_ID);
    const conversationId = (0,session_state/* isOpen */.nT)(known) ? known.conversationId : `${TASK_ID}#${(known?.attempt ?? 0) + 1}`;
    if (!(0,session_state/* isOpen */.nT)(known)) {
        const inputs = currentInputs(configuration, agent, run.item.sourceHash);
        const payload = { taskId: TASK_ID, agent, outputs: [], inputs, conversationId };
        await journal.append({ store: "events", type: "TaskCreated", payload }, { store: "events", type: "TaskStarted", payload: { taskId: TASK_ID } });
    }
    if (!journal.hasBegun(conversationId)) {
        const prefix = await (0,agent_prefix/* buildPrefix */.N)(run.session, configuration.mainAgent);
        const start = { conversationId, taskId: TASK_ID, agent, depth: 0, model };
        await (0,loop/* startConversation */.g)(run.session, start, prefix, await renderOrchestration(run, groups));
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
        const led = await orchestrate(run, groups, outcomes).catch(agent_outcome/* modelFailure */.i);
        if (led.kind !== "completed")
            return led;
    }
    // Whoever led, the program runs what is still due.
    await runGroups(run, groups, outcomes);
    const { signal } = run.session;
    if (signal.aborted && outcomes.size < groups.length)
        return (0,limits/* stoppedBySignal */.Tq)(signal);
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














/**
 * Runs what is due. `before` sees the opened session first, e.g. to record an answer. Where answers come later, a
 * session that only waits is told, and nothing of it is opened.
 */
async function runPlanned(ports, settings, plan, openWork, before) {
    const first = await plan(new Set());
    if (settings.dryRun || (!before && !hasDue(first)))
        return leaveAlone(ports, first);
    if (ports.host.answersLater && !before && settings.force === undefined) {
        const view = await lookAt(ports, first.sessionId);
        if (view && onlyWaits(first, view.state))
            return tellOf(ports, first);
    }
    // Before anything is opened: what can't be begun leaves no trace.
    if (first.isNew)
        await requireRoomForSession(ports.workspace);
    const work = await openWork();
    const { planned, journal } = await openPlanned(ports, plan, work.store);
    try {
        if (!before && !hasDue(planned))
            return await leaveAlone(ports, planned);
        if (planned.isNew && work.questions.isFull)
            return await leaveForLater(ports, planned);
        const open = [...journal.state.tasks.values()].filter(session_state/* isOpen */.nT);
        const groups = groupTasks(planned.pipeline, planned.plans, open);
        const run = sessionRun(planned, agentSession(ports, settings, journal, work), work.mailbox);
        // What is observed is logged: a refused answer leaves nothing, so it comes first.
        await before?.(run, groups);
        observePlan(ports, planned);
        await saveStart(run, planned);
        const outcome = await runSession(run, groups, settings);
        await (0,cancellations/* recordCancellation */.nu)(run.session);
        return await describeSession(ports, planned, run.manifest, journal, outcome);
    }
    finally {
        await journal.close();
    }
}
/** Until the work was open another process may have gone on with the session, so it is planned again. */
async function openPlanned(ports, plan, work) {
    const canceled = new Set();
    for (;;) {
        const planned = await plan(canceled);
        const { sessionId } = planned;
        const { journal, setAside } = await agent_journal/* Journal */.C.open(work.workId, await work.session(sessionId), ports.redact);
        for (const message of setAside)
            ports.observe({ type: "notice", level: "warning", message, sessionId });
        if (!journal.state.canceled)
            return { planned, journal };
        await journal.close();
        canceled.add(sessionId);
    }
}
/** At the cap of open questions no new item starts. */
async function leaveForLater(ports, planned) {
    const result = await leaveAlone(ports, planned);
    const message = `not started: ${open_questions/* MAX_OPEN_QUESTIONS */.S} questions of this work are open already`;
    return { ...result, status: "waiting", reasonCode: "open-questions", message };
}
/** Says how a session stands, and changes nothing. */
async function tellOf(ports, planned) {
    const view = await lookAt(ports, planned.sessionId);
    const result = await describeSession(ports, planned, planned.manifest, view, NOTHING_RUN);
    if (view?.state.canceled) {
        return { ...result, status: "ignored", reasonCode: "closed", message: view.state.canceled.reason };
    }
    if (result.interactions.length > 0)
        return { ...result, status: "waiting", reasonCode: "open-questions" };
    const failed = planned.plans.find(({ output }) => planned.manifest.steps.get(output)?.status === "failed");
    if (failed) {
        const message = planned.manifest.steps.get(failed.output)?.errorMessage ?? `${failed.output} failed`;
        return { ...result, status: "failed", reasonCode: failureCodeOf(view?.state, failed.output), message };
    }
    if (!hasDue(planned))
        return { ...result, reasonCode: "up-to-date" };
    return { ...result, status: "stopped", reasonCode: "interrupted" };
}
const NOTHING_RUN = { kind: "completed", text: "" };
/**
 * Nothing is due, or it is a dry run: that renders what the due tasks would begin with, so that a broken prompt shows,
 * and stops there.
 */
async function leaveAlone(ports, planned) {
    observePlan(ports, planned);
    for (const group of groupTasks(planned.pipeline, planned.plans)) {
        const agent = ports.configuration.agents.get(group.agent);
        if (agent)
            await (0,agent_prefix/* buildPrefix */.N)(ports, agent);
        await renderStep({ ...planned, session: ports }, group);
    }
    const result = await describeSession(ports, planned, planned.manifest, undefined, NOTHING_RUN);
    return hasDue(planned) ? result : { ...result, reasonCode: "up-to-date" };
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
function agentSession(ports, settings, journal, work) {
    const { configuration, workspace, host, model, tools, clock, observe, signal } = ports;
    const canceled = ports.cancellations?.signalOf(journal.sessionId);
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
        // Its own: Node 20 warns where more than ten requests listen to one.
        signal: AbortSignal.any(canceled === undefined ? [signal] : [signal, canceled]),
        gate: settings.gate,
        asking: (0,asking/* createAsking */.a)(settings.people, work, ports.startedBy),
    };
}
function sessionRun(planned, session, mailbox) {
    const { sessionId, folder, item, pipeline, manifest } = planned;
    return { sessionId, folder, item, pipeline, manifest, session, mailbox };
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

;// CONCATENATED MODULE: ./build/content/removed-session.js
// A session that has begun, and whose folder somebody took from the branch.





/** What is stored of it; undefined where its folder is there, or nothing is stored. */
async function lookAtRemoved(ports, sessionId) {
    return (await hasSession(ports.workspace, sessionId)) ? undefined : lookAt(ports, sessionId);
}
/** It is over, and no failure. Throws `config-invalid` where something of it is under way, or `isWanted`. */
function tellRemoved(sessionId, settings, { state, totals }, isWanted) {
    if ((0,session_state/* isUnderWay */.gn)(state) || isWanted) {
        throw new errors/* LoopliaError */.$K("config-invalid", `the folder of session ${sessionId} is not on the branch any more`, {
            hint: `put it back (\`git revert\`, or push the branch as it was), or end the session: /cancel ${sessionId}`,
        });
    }
    const message = state.canceled?.reason ?? "its folder was taken from the branch";
    return {
        ...(0,item_result/* bareItem */.Y)(sessionId, settings, { status: "ignored", reasonCode: "closed", message }),
        sessionId,
        usage: totals.usage,
        costUsd: totals.unpriced ? null : totals.costUsd,
    };
}

;// CONCATENATED MODULE: ./build/content/run-items.js
// Many items of one work, some at once. One that fails stops no other; what damages the run as a whole does.







/** Runs the items, then the other sessions. Throws `no-items` where there is neither. */
async function runItems(trigger, ports, settings) {
    const { sources, sessions = [] } = trigger;
    if (sources.length + sessions.length === 0) {
        throw new errors/* LoopliaError */.$K("no-items", "No file matches `content`.", {
            hint: "Check the globs and the working directory.",
        });
    }
    const { default: limitConcurrency } = await __webpack_require__.e(/* import() */ 370).then(__webpack_require__.bind(__webpack_require__, 70370));
    const works = openOnce(ports, trigger);
    const limit = limitConcurrency(settings.concurrency);
    const runAll = async (runs) => {
        const results = await Promise.allSettled(runs.map((run) => limit(run)));
        return results.map((result) => {
            if (result.status === "rejected")
                throw result.reason;
            return result.value;
        });
    };
    try {
        const ofItems = await runAll(sources.map((source) => () => runItem(ports, settings, source, works.open)));
        const known = new Set(ofItems.map((result) => result.sessionId));
        const others = sessions.filter(({ sessionId }) => !known.has(sessionId));
        const ofOthers = await runAll(others.map((session) => () => runOther(ports, settings, session, works.open)));
        return (0,item_result/* summarizeItems */.E)([...ofItems, ...ofOthers]);
    }
    finally {
        await works.close();
    }
}
/** A session of the work by its id, no further than the output that was asked for when it began. */
async function runOther(ports, settings, { sessionId, force, isLeftAlone }, openWork) {
    const own = force === undefined ? settings : { ...settings, force };
    const plan = () => planAnswered(ports, own, sessionId);
    return failSoftly(sessionId, settings, async () => {
        const removed = await lookAtRemoved(ports, sessionId);
        if (removed)
            return tellRemoved(sessionId, settings, removed, force !== undefined);
        return isLeftAlone ? tellOf(ports, await plan()) : runPlanned(ports, own, plan, openWork);
    });
}
async function runItem(ports, settings, source, openWork) {
    return failSoftly(source, settings, async () => {
        const read = await readItem(ports, source);
        const plan = (canceled) => planItem(ports, settings, { ...read, fresh: false, canceled });
        return runPlanned(ports, settings, plan, openWork);
    });
}
/** What concerns one item only is its result; `name` says which. */
async function failSoftly(name, settings, run) {
    try {
        return await run();
    }
    catch (error) {
        if (!(error instanceof errors/* LoopliaError */.$K) || OF_THE_RUN.has(error.code))
            throw error;
        const ended = { status: "failed", reasonCode: error.code, message: (0,errors/* explain */.WE)(error) };
        return (0,item_result/* bareItem */.Y)(name, settings, ended);
    }
}
/** Another run has the work, or there is none any more: no item of this one goes on. */
const OF_THE_RUN = new Set(["busy", "lost-race", "closed"]);
/** The bytes of a source. Throws `config-invalid` where there is none. */
async function readItem(ports, source) {
    const bytes = await ports.readSource(source);
    if (bytes)
        return { path: source, bytes };
    throw new errors/* LoopliaError */.$K("config-invalid", `There is no file ${source}.`, { hint: "Check the path." });
}
/** The work is opened when the first session has something to do, so a run without work leaves no trace. */
function openOnce(ports, work) {
    let opened;
    const open = async () => {
        const store = await ports.stores.open({ workId: work.workId, kind: "content", key: work.key });
        const questions = new open_questions/* OpenQuestions */.m(await ports.stores.openInteractions(work.workId));
        return { store, questions, mailbox: await agent_messages/* Mailbox */.z.open(store) };
    };
    return {
        open: () => {
            opened ??= open();
            return opened;
        },
        close: async () => {
            await (await opened?.catch(() => undefined))?.store.close();
        },
    };
}

// EXTERNAL MODULE: ./build/handle-tasks.js
var handle_tasks = __webpack_require__(16755);
;// CONCATENATED MODULE: ./build/handle.js
// The story, readable top to bottom: a trigger selects sessions, each runs what is due, one result is told.










/**
 * Runs a trigger to its end. Expected failures of one item are that item's result; what concerns the whole run
 * (configuration, a store that is in use or damaged) is thrown as LoopliaError.
 */
async function handle(trigger, ports, settings, tasks) {
    const ofTasks = tasks && (await findTasks(trigger, ports));
    if (tasks && ofTasks)
        return (0,handle_tasks/* handleTasks */.He)(ofTasks, ports, tasks, ofTasks.answered);
    const own = { ...ports, tools: withoutTool(ports.tools, "reportSummary") };
    (0,limits/* requirePrice */.TP)(settings.limits, ports.model, modelNames(ports.configuration, settings));
    switch (trigger.kind) {
        case "file":
            return handleFile(trigger.source, own, settings);
        case "items":
            return runItems(trigger, own, settings);
        case "tasks":
            throw new Error("the task loop is not wired here");
        case "session":
            return handleSession(trigger.sessionId, own, settings);
        case "answer":
            return handleAnswer(trigger, own, settings);
    }
}
/** To-do tasks alone end with a summary. */
function withoutTool(tools, left) {
    return new Map([...tools].filter(([name]) => name !== left));
}
/** The work with a to-do file that a trigger wakes, if it is one. */
async function findTasks(trigger, { stores }) {
    if (trigger.kind === "tasks")
        return trigger;
    if (trigger.kind === "session") {
        const { sessionId } = trigger;
        const workId = (await stores.findSession(sessionId)) ?? "";
        return (0,handle_tasks/* isTasksWork */.IH)(workId) ? { workId, key: workId, sessionId } : undefined;
    }
    if (trigger.kind !== "answer")
        return undefined;
    const found = await stores.findInteraction(trigger.interactionId);
    if (!found || !(0,handle_tasks/* isTasksWork */.IH)(found.workId))
        return undefined;
    const { workId, sessionId, interactionId } = found;
    return { workId, key: workId, sessionId, answered: { ...trigger, interactionId } };
}
/** Every model that may be asked. */
function modelNames(configuration, settings) {
    const { model, fallbackModel } = settings;
    const agents = [...configuration.agents.values()].map((agent) => (0,agent_prefix/* modelFor */.T)({ modelName: model }, agent));
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
async function handleAnswer({ interactionId: id, answer, actorId }, ports, settings) {
    const found = await ports.stores.findInteraction(id);
    if (!found) {
        throw new errors/* LoopliaError */.$K("config-invalid", `There is no question ${JSON.stringify(id)}.`, {
            hint: "`looplia status` lists the open questions.",
        });
    }
    const { workId, sessionId, interactionId } = found;
    const plan = () => planAnswered(ports, settings, sessionId);
    return runAlone(ports, settings, workId, sessionId, plan, (run, groups) => (0,take_answer/* takeAnswer */.e)(run.session, { interactionId, answer, actorId }, (task) => whyAnew(run, groups, settings, task)));
}
async function runAlone(ports, settings, workId, key, plan, before) {
    const works = openOnce(ports, { workId, key });
    const planOpen = async (canceled) => {
        const [sessionId] = canceled;
        if (sessionId === undefined)
            return plan();
        throw new errors/* LoopliaError */.$K("closed", `The session ${sessionId} was canceled.`, {
            hint: "Begin a new one with --file.",
        });
    };
    try {
        return (0,item_result/* summarizeItems */.E)([await runPlanned(ports, settings, planOpen, works.open, before)]);
    }
    finally {
        await works.close();
    }
}

// EXTERNAL MODULE: ./build/tools/registry.js + 14 modules
var registry = __webpack_require__(24619);
;// CONCATENATED MODULE: ./build/entrypoints/deadline.js
// When a run must end by itself.
/** Saving takes seconds: a run ends this long before its time is up, or at nine tenths of a short one. */
const SAVING_MS = 30_000;
/** `minutes` count from the start of the process, `elapsed` milliseconds ago. */
function withDeadline(signal, minutes, elapsed) {
    const total = minutes * 60_000;
    const deadline = new AbortController();
    const left = total - Math.min(SAVING_MS, total / 10) - elapsed;
    if (left <= 0)
        deadline.abort("deadline");
    else
        setTimeout(() => deadline.abort("deadline"), left).unref();
    return AbortSignal.any([signal, deadline.signal]);
}

;// CONCATENATED MODULE: ./build/entrypoints/kept-open.js
/** The same stores; closing them here does nothing. */
function keptOpen(store) {
    return {
        workId: store.workId,
        session: (sessionId) => store.session(sessionId),
        workEvents: () => store.workEvents(),
        appendWorkEvents: (events) => store.appendWorkEvents(events),
        nextOrdinal: () => store.nextOrdinal(),
        seal: (whileSealed) => store.seal(whileSealed),
        auditHeads: () => store.auditHeads(),
        close: async () => { },
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/log-end.js

/** Bad usage: whoever typed it is told at once. */
const USAGE = new Set(["config-invalid", "no-items"]);
/** A line for each item or list: how it failed, where the next run may go on with it, or how it ended else. */
function logEnds(logs, { items }) {
    for (const item of items)
        for (const log of logs)
            logEnd(log, item);
}
function logEnd(log, item) {
    const { status, sessionId, source, reasonCode, message } = item;
    if (status === "failed")
        log.error({ code: reasonCode, message: message ?? "", recoverable: true, sessionId, source });
    else if (log.hasBegun) {
        log.observe({
            type: "ended",
            sessionId,
            status,
            reasonCode,
            ...(message === undefined ? {} : { message }),
        });
    }
}
/** The line of what ended the run as a whole. What was only stopped is no error; bad usage that began nothing leaves no log. */
function logThrown(logs, thrown) {
    const { code, hint } = thrown instanceof errors/* LoopliaError */.$K ? thrown : { code: "bug", hint: undefined };
    if (code === "interrupted" || code === "deadline")
        return;
    const retry = hint === undefined ? {} : { retryHint: hint };
    const told = logs.filter(({ hasBegun }) => hasBegun || !USAGE.has(code));
    for (const log of told)
        log.error({ code, message: (0,errors/* messageOf */.bD)(thrown), recoverable: false, ...retry });
}

;// CONCATENATED MODULE: ./build/entrypoints/log-folder.js
// Where logs go when they do not stay with the state.


/** `<log-dir>/<project>-<hash>`, the same for the same folder; undefined where logs stay with the state. */
function findLogFolder(root, logDir) {
    if (logDir === undefined)
        return undefined;
    const hash = (0,session_hash/* sha256Of */.B)(root).slice(0, 8);
    return (0,external_node_path_.join)((0,external_node_path_.resolve)(root, logDir), `${(0,external_node_path_.basename)(root)}-${hash}`);
}

// EXTERNAL MODULE: ./node_modules/mustache/mustache.mjs
var mustache = __webpack_require__(40562);
;// CONCATENATED MODULE: ./build/config/template.js
// Mustache, strictly: an undefined name is an error with its line, and text is neither escaped nor a template itself.
// Beyond Mustache: `@first`, `@last`, `@number` (from 1) of the nearest list item, and `name.@json`.


/** What is wrong with a template or with the variables it got, and where in the template. */
class TemplateError extends Error {
    /** Counted from 1. */
    line;
    constructor(text, offset, cause) {
        super((0,errors/* messageOf */.bD)(cause).replace(/ at \d+$/, ""), { cause });
        this.line = text.slice(0, offset).split("\n").length;
    }
}
/** What renders `text` with given variables; both throw `TemplateError`. An own property is a variable, nothing else. */
function parseTemplate(text) {
    const writer = new StrictWriter();
    try {
        writer.parse(text);
    }
    catch (error) {
        throw new TemplateError(text, Number(/ at (\d+)$/.exec((0,errors/* messageOf */.bD)(error))?.[1] ?? 0), error);
    }
    return (variables) => writer.render(text, new StrictContext(variables), {}, { escape: textOf });
}
class StrictWriter extends mustache/* default */.A.Writer {
    renderTokens(tokens, context, partials, template = "", config) {
        // One by one, for the library's own errors say nothing of the place.
        const rendered = tokens.map((token) => {
            try {
                template_refuse(token);
                return super.renderTokens([token], context, partials, template, config);
            }
            catch (error) {
                throw error instanceof TemplateError ? error : new TemplateError(template, Number(token[2]), error);
            }
        });
        return rendered.join("");
    }
}
function template_refuse([kind, name]) {
    if (kind === ">")
        throw new Error(`a template includes no other: ${name}`);
    if (kind === "&")
        throw new Error(`nothing is escaped, write two braces: ${name}`);
}
class ListItem {
    value;
    place;
    constructor(value, index, { length }) {
        this.value = value;
        this.place = new Map([
            ["@first", index === 0],
            ["@last", index === length - 1],
            ["@number", index + 1],
        ]);
    }
}
class StrictContext extends mustache/* default */.A.Context {
    value;
    place;
    outer;
    constructor(value, outer) {
        super(value, outer);
        const item = value instanceof ListItem ? value : undefined;
        this.value = item ? item.value : value;
        this.place = item?.place ?? outer?.place;
        this.outer = outer;
    }
    push(value) {
        return new StrictContext(value, this);
    }
    lookup(path) {
        const found = path === "." ? this.value : this.find(path);
        return Array.isArray(found) ? found.map((value, index) => new ListItem(value, index, found)) : found;
    }
    find(path) {
        const [name = "", ...keys] = path.split(".");
        let value = this.place?.get(name) ?? this.variable(name);
        let known = name;
        for (const key of keys) {
            known += `.${key}`;
            value = key === "@json" ? JSON.stringify(value) : propertyOf(value, key);
            if (value === undefined)
                throw new Error(`undefined variable: ${known}`);
        }
        return value;
    }
    variable(name) {
        const value = propertyOf(this.value, name);
        if (value !== undefined)
            return value;
        if (!this.outer)
            throw new Error(`undefined variable: ${name}`);
        return this.outer.variable(name);
    }
}
function propertyOf(value, key) {
    if (typeof value !== "object" || value === null)
        return undefined;
    return Object.getOwnPropertyDescriptor(value, key)?.value;
}
function textOf(value) {
    if (typeof value === "object")
        throw new Error("a list or an object where text belongs");
    return String(value);
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
const FILES = [
    ...[
        "agent-system",
        "bootstrap",
        "iteration",
        "messages",
        "nobody",
        "orchestrate",
        "planner",
        "repair",
        "retry",
    ],
    ...["review", "step", "system", "unfinished", "unreported", "worker"],
];
/** Reads every prompt of the program, and says how many. Fails like `createPrompts` with the first that is gone or broken. */
async function checkPrompts(builtin) {
    for (const name of FILES)
        await loadPrompt(builtin, `prompts/${name}.md`);
    return FILES.length;
}
async function loadPrompt(builtin, path) {
    const text = await builtin.read(path);
    if (text === undefined)
        throw new errors/* LoopliaError */.$K("config-invalid", `there is no prompt ${path}`);
    const { body, bodyLine } = await parseFrontMatter(text, path);
    const located = (work) => {
        try {
            return work();
        }
        catch (error) {
            const place = error instanceof TemplateError ? `${path}:${error.line + bodyLine - 1}` : path;
            throw new errors/* LoopliaError */.$K("config-invalid", `${place}: ${(0,errors/* messageOf */.bD)(error)}`, { cause: error });
        }
    };
    const render = located(() => parseTemplate(body));
    return (variables) => located(() => render(variables));
}

;// CONCATENATED MODULE: ./build/entrypoints/prompts.js

/** `own` is read before `builtin`. */
function openPrompts(builtin, own, show) {
    const read = async (path) => (await own?.read(path.replace(/^prompts\//, ""))) ?? builtin.read(path);
    const prompts = createPrompts(own ? { ...builtin, read } : builtin);
    if (!show)
        return prompts;
    return {
        async render(file, variables) {
            const text = await prompts.render(file, variables);
            show(file, text);
            return text;
        },
    };
}

// EXTERNAL MODULE: ./build/entrypoints/redact-ports.js
var redact_ports = __webpack_require__(74146);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(48161);
// EXTERNAL MODULE: ./build/adapters/command-environment.js
var command_environment = __webpack_require__(70064);
// EXTERNAL MODULE: ./build/adapters/live-process.js
var live_process = __webpack_require__(80367);
;// CONCATENATED MODULE: ./build/adapters/isolation-cover.js
// Where there is no repository, commands must not make one: its hooks would run whenever a person uses git there. What
// hides `.git` from them is mounted on a folder, so there has to be one for as long as commands run. Each process leaves a
// mark in it, for whoever takes the folder away takes the cover of every command that still runs.





const MARK = /^looplia-cover-(\d+)-[0-9a-f]{8}$/;
/** Nobody makes a folder with this mode by chance: it says whose it is before its first mark is there. */
const MODE = 0o1700;
/** As often as others may take the folder away in between. */
const TRIES = 5;
/** `folder`: absolute, where the repository would be. */
function openCover(folder) {
    let holders = 0;
    let mark;
    return {
        hold() {
            mark ??= cover(folder);
            if (mark === undefined)
                return () => { };
            holders += 1;
            return () => {
                holders -= 1;
                if (holders > 0 || mark === undefined)
                    return;
                remove(mark);
                mark = undefined;
                removeEmpty(folder);
            };
        },
        clean() {
            if (holders === 0 && marksIn(folder)?.every(isGone))
                removeEmpty(folder);
        },
    };
}
/** The path of this process's mark; undefined where the folder is not ours, or can't be made. */
function cover(folder) {
    for (let tries = 0; tries < TRIES; tries += 1) {
        const isMade = quietly(() => (0,external_node_fs_.mkdirSync)(folder, { mode: MODE }));
        const marks = isMade ? [] : marksIn(folder);
        if (!marks)
            return undefined;
        marks.forEach(isGone);
        const mark = (0,external_node_path_.join)(folder, `looplia-cover-${process.pid}-${(0,external_node_crypto_.randomBytes)(4).toString("hex")}`);
        if (quietly(() => (0,external_node_fs_.writeFileSync)(mark, "", { flag: "wx" })))
            return mark;
    }
    return undefined;
}
/** The marks of a folder that has nothing else; undefined for any other folder. */
function marksIn(folder) {
    try {
        const found = (0,external_node_fs_.lstatSync)(folder);
        if (!found.isDirectory())
            return undefined;
        const names = (0,external_node_fs_.readdirSync)(folder);
        if (names.length === 0 && (found.mode & 0o1777) !== MODE)
            return undefined;
        return names.every((name) => MARK.test(name)) ? names.map((name) => (0,external_node_path_.join)(folder, name)) : undefined;
    }
    catch (error) {
        if ((0,errors/* errnoOf */.UQ)(error) === undefined)
            throw error;
        return undefined;
    }
}
/** True where the process of a mark is no more; its mark goes as well. */
function isGone(mark) {
    const pid = Number(/-(\d+)-[0-9a-f]+$/.exec(mark)?.[1]);
    if ((0,live_process/* isLive */.D)(pid))
        return false;
    remove(mark);
    return true;
}
function remove(mark) {
    quietly(() => (0,external_node_fs_.unlinkSync)(mark));
}
function removeEmpty(folder) {
    quietly(() => (0,external_node_fs_.rmdirSync)(folder));
}
/** False where the system refused: what can't be made is told by the one who needs it, what can't be removed stays. */
function quietly(change) {
    try {
        change();
        return true;
    }
    catch (error) {
        if ((0,errors/* errnoOf */.UQ)(error) === undefined)
            throw error;
        return false;
    }
}

// EXTERNAL MODULE: ./build/adapters/pinned-files.js
var pinned_files = __webpack_require__(39305);
;// CONCATENATED MODULE: ./build/adapters/isolation-git.js
// What an isolated command sees of the repository: history and index to read, no configuration, nothing to write.




/** All else (configuration, hooks, logs, fetched addresses) may hold a key, or would run. */
const READABLE = "HEAD commondir gitdir index info objects packed-refs refs shallow".split(" ");
/** Of the configuration: what git must know to read the rest. */
const SAFE_SETTINGS = /^\s*(?:repositoryformatversion|filemode|bare|ignorecase|objectformat|refstorage)\s*=\s*[\w-]+\s*$/i;
/** The git of the folder or of the nearest one above it; undefined where there is none, or none that can be read. */
function findGit(root) {
    for (let top = root;; top = (0,external_node_path_.dirname)(top)) {
        const found = statOf((0,external_node_path_.join)(top, ".git"));
        const git = found && isolation_git_describe(top, found.isFile());
        if (git)
            return git;
        if (top === (0,external_node_path_.dirname)(top))
            return undefined;
    }
}
/** Arguments that show it: to be given after the worktree's own. `scratch`: a folder for a configuration without keys. */
function showGit(git, scratch) {
    const config = (0,external_node_path_.join)(scratch, "git-config");
    (0,external_node_fs_.mkdirSync)(scratch, { recursive: true });
    (0,external_node_fs_.writeFileSync)(config, safeConfig((0,external_node_path_.join)(git.common, "config")));
    const folders = [...new Set([git.common, git.folder])];
    const covered = folders.filter((folder) => !folders.some((other) => other !== folder && (0,pinned_files/* isInside */.FK)(other, folder)));
    return [
        ...covered.flatMap((folder) => ["--tmpfs", folder]),
        ...folders.flatMap((folder) => READABLE.map((name) => (0,external_node_path_.join)(folder, name)).flatMap((path) => ["--ro-bind-try", path, path])),
        ...["--ro-bind", config, (0,external_node_path_.join)(git.common, "config")],
        ...covered.flatMap((folder) => ["--remount-ro", folder]),
        ...(git.isFile ? ["--ro-bind", (0,external_node_path_.join)(git.top, ".git"), (0,external_node_path_.join)(git.top, ".git")] : []),
    ];
}
function isolation_git_describe(top, isFile) {
    try {
        const named = isFile ? /^gitdir: (.+)$/m.exec((0,external_node_fs_.readFileSync)((0,external_node_path_.join)(top, ".git"), "utf8"))?.[1] : ".git";
        if (named === undefined)
            return undefined;
        const folder = (0,external_node_fs_.realpathSync)((0,external_node_path_.resolve)(top, named));
        const shared = statOf((0,external_node_path_.join)(folder, "commondir"));
        const common = shared ? (0,external_node_fs_.readFileSync)((0,external_node_path_.join)(folder, "commondir"), "utf8").trim() : ".";
        if (!statOf((0,external_node_path_.join)(folder, "HEAD")))
            return undefined;
        return { top, folder, common: (0,external_node_fs_.realpathSync)((0,external_node_path_.resolve)(folder, common)), isFile };
    }
    catch (error) {
        if ((0,errors/* errnoOf */.UQ)(error) === undefined)
            throw error;
        return undefined;
    }
}
function safeConfig(path) {
    const kept = [];
    let isSafe = false;
    for (const line of statOf(path) ? (0,external_node_fs_.readFileSync)(path, "utf8").split("\n") : []) {
        if (/^\s*\[/.test(line)) {
            isSafe = /^\s*\[(?:core|extensions)\]\s*$/i.test(line);
            if (isSafe)
                kept.push(line);
        }
        else if (isSafe && SAFE_SETTINGS.test(line))
            kept.push(line);
    }
    return `${kept.join("\n")}\n`;
}
function statOf(path) {
    return (0,external_node_fs_.lstatSync)(path, { throwIfNoEntry: false });
}

;// CONCATENATED MODULE: ./build/adapters/isolation-mounts.js
// What an isolated command sees of the disk, as arguments of bubblewrap. Later ones lie over earlier ones.




/** Homes, sockets of services, other disks. `/tmp` and `/dev/shm` are the run's own. */
const HIDDEN = ["/home", "/root", "/run", "/var/run", "/var/tmp", "/mnt", "/media", "/github"];
/** What is the machine's own, and may hold keys; root could read all of it. */
const SECRET_FILES = ["/etc/shadow", "/etc/gshadow", "/etc/ssh", "/etc/gitconfig"];
/** Root writes to them even without capabilities, and some of them start programs outside. */
const KERNEL = [
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/scsi",
    "/proc/acpi",
];
/** Compilers and interpreters that live in a home, with the variable that names each. They hold no keys. */
const TOOLCHAINS = [
    [".rustup", "RUSTUP_HOME"],
    [".pyenv", "PYENV_ROOT"],
    [".nvm", "NVM_DIR"],
    [".rbenv", "RBENV_ROOT"],
    [".volta", "VOLTA_HOME"],
    [".asdf", "ASDF_DIR"],
    [".sdkman", "SDKMAN_DIR"],
    [".bun"],
    [".deno"],
];
const CERTIFICATES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
/** What an isolated command gets of the environment: a home and caches of this run. */
function isolatedEnvironment(environment) {
    const home = environment.HOME;
    const tools = TOOLCHAINS.flatMap(([folder, name]) => name !== undefined && home !== undefined && isThere((0,external_node_path_.join)(home, folder))
        ? [[name, (0,external_node_path_.join)(home, folder)]]
        : []);
    return { ...environment, ...Object.fromEntries(tools), HOME: "/tmp/home", TMPDIR: "/tmp" };
}
/** Throws a TypeError with the reason where nothing sensible can be hidden. */
function mountArguments(visible) {
    const { root, scratch, environment } = visible;
    const { HOME: home = "/root" } = environment;
    const closed = [...HIDDEN, home, ...visible.closed].filter(isThere).map((path) => (0,external_node_fs_.realpathSync)(path));
    // Each mount takes a fifth of a millisecond: what is empty needs none.
    const outside = outermost(closed.filter((path) => !(0,pinned_files/* isInside */.FK)(root, path) && !(0,pinned_files/* isInside */.FK)("/tmp", path))).filter((path) => !isEmpty(path));
    if (["/", "/tmp", "/dev", "/proc", "/sys"].includes(root) || closed.includes(root)) {
        throw new TypeError(`${root} is a home or a folder of the system; work in a folder of its own`);
    }
    if ((0,external_node_fs_.lstatSync)((0,external_node_path_.join)(root, ".git"), { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new TypeError(`${root}/.git is a link, which a command could replace`);
    }
    for (const folder of ["tmp/home", "shm"])
        (0,external_node_fs_.mkdirSync)((0,external_node_path_.join)(scratch, folder), { recursive: true });
    (0,external_node_fs_.writeFileSync)((0,external_node_path_.join)(scratch, "empty"), "");
    const git = findGit(root);
    const isTopShown = git !== undefined && git.top !== root && !closed.some((path) => (0,pinned_files/* isInside */.FK)(git.top, path));
    return [
        ...["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"],
        ...KERNEL.filter(isThere).flatMap((path) => ["--ro-bind", path, path]),
        ...["--bind", (0,external_node_path_.join)(scratch, "shm"), "/dev/shm", "--remount-ro", "/dev"],
        ...["--bind", (0,external_node_path_.join)(scratch, "tmp"), "/tmp"],
        ...[...outside, ...SECRET_FILES.filter(isThere)].flatMap((path) => hide(path, scratch)),
        ...shownAgain(visible, [...outside, "/tmp"]).flatMap((path) => ["--ro-bind-try", path, path]),
        ...(isTopShown ? ["--ro-bind", git.top, git.top] : []),
        ...["--bind", root, root],
        ...closed
            .filter((path) => path !== root && (0,pinned_files/* isInside */.FK)(root, path))
            .flatMap((path) => closeInside(root, path, scratch)),
        ...visible.kept.flatMap((path) => keepInside(root, path)),
        ...(git ? showGit(git, scratch) : []),
        // Where there is no repository none can be made: its hooks would run whenever a person uses git here.
        ...(git?.top === root
            ? []
            : [...["--tmpfs", (0,external_node_path_.join)(root, ".git")], ...["--remount-ro", (0,external_node_path_.join)(root, ".git")]]),
        ...outside.flatMap((path) => ["--remount-ro", path]),
        ...["--chdir", root],
    ];
}
/** Below a hidden folder again: programs on the search path, toolchains, certificates, where names are looked up. */
function shownAgain({ environment, shown }, hidden) {
    const { HOME: home = "/root" } = environment;
    const programs = (environment.PATH ?? "").split(":").filter((folder) => (0,external_node_path_.isAbsolute)(folder));
    const beside = programs
        .filter((folder) => folder.endsWith("/bin") && (0,external_node_path_.dirname)(folder) !== home)
        .flatMap((folder) => ["lib", "lib64", "libexec", "include"].map((name) => (0,external_node_path_.join)((0,external_node_path_.dirname)(folder), name)));
    const paths = [
        ...[...shown, ...programs, ...beside],
        ...TOOLCHAINS.map(([folder]) => (0,external_node_path_.join)(home, folder)),
        ...CERTIFICATES.flatMap((name) => environment[name] ?? []),
        ...(isThere("/etc/resolv.conf") ? [(0,external_node_fs_.realpathSync)("/etc/resolv.conf")] : []),
    ];
    const isBelow = (path) => hidden.some((folder) => (0,pinned_files/* isInside */.FK)(folder, path)) && !hidden.some((folder) => (0,pinned_files/* isInside */.FK)(path, folder));
    return outermost(paths.filter((path) => isThere(path) && isBelow(path)));
}
/** Empty, and no folder on the way to it can be moved away. */
function closeInside(root, path, scratch) {
    return [...pinWay(root, path), ...hide(path, scratch), "--remount-ro", path];
}
/** To be read only, and no folder on the way to it can be moved away. An earlier command may have removed it. */
function keepInside(root, path) {
    return isThere(path) ? [...pinWay(root, path), "--ro-bind", path, path] : [];
}
function pinWay(root, path) {
    const above = [];
    for (let folder = (0,external_node_path_.dirname)(path); folder !== root; folder = (0,external_node_path_.dirname)(folder))
        above.unshift(folder);
    return above.flatMap((folder) => ["--bind", folder, folder]);
}
function hide(path, scratch) {
    return (0,external_node_fs_.statSync)(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", (0,external_node_path_.join)(scratch, "empty"), path];
}
function outermost(paths) {
    const all = [...new Set(paths)];
    return all.filter((path) => !all.some((other) => other !== path && (0,pinned_files/* isInside */.FK)(other, path)));
}
function isEmpty(path) {
    try {
        return (0,external_node_fs_.readdirSync)(path).length === 0;
    }
    catch {
        return false;
    }
}
function isThere(path) {
    try {
        return (0,external_node_fs_.lstatSync)(path, { throwIfNoEntry: false }) !== undefined && (0,external_node_fs_.statSync)(path) !== undefined;
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/adapters/isolation-probe.js
// Whether bubblewrap works on this machine, and if not, what to do.



const PROBE_MS = 10_000;
const RESTRICTION = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
/**
 * The real path of `bwrap` on the search path. Never one inside `root`: a command could put its own there, and that
 * would run with nothing around it.
 */
function findBubblewrap(searchPath, root) {
    for (const folder of searchPath.split(external_node_path_.delimiter)) {
        if (!(0,external_node_path_.isAbsolute)(folder))
            continue;
        try {
            const found = (0,external_node_fs_.realpathSync)((0,external_node_path_.join)(folder, "bwrap"));
            (0,external_node_fs_.accessSync)(found, external_node_fs_.constants.X_OK);
            if (!(0,pinned_files/* isInside */.FK)(root, found))
                return found;
        }
        catch {
            // Not here: the next folder.
        }
    }
    return undefined;
}
/** Runs `true` with these arguments before the command. Undefined when it worked, else what was said. */
function tryBubblewrap(program, args, environment) {
    // Not imported: it takes 10 ms and more, and most runs reach the model before they need it.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const tried = spawnSync(program, [...args, "--", "/bin/sh", "-c", "true"], {
        env: environment,
        cwd: "/",
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe"],
        timeout: PROBE_MS,
    });
    if (tried.status === 0)
        return undefined;
    return tried.stderr?.trim().split("\n").at(-1) || tried.error?.message || `exit code ${tried.status}`;
}
/** Why there is no isolation and what to do, in one line. `said`: what bubblewrap said; undefined: it is not there. */
function explainAbsence(said, facts) {
    if (facts.platform !== "linux")
        return "bubblewrap runs on Linux only; use a Linux runner or container";
    if (said === undefined) {
        return "bubblewrap is not installed; install it, for example `sudo apt-get install -y bubblewrap`";
    }
    if (facts.isRestricted) {
        return `AppArmor keeps bubblewrap from making namespaces, as ubuntu-24.04 does (${said}); ${ALLOW_IN_APPARMOR}`;
    }
    return `bubblewrap does not work here (${said}); ${ALLOW_NAMESPACES}`;
}
/** True where AppArmor allows user namespaces only to programs with a profile of their own. */
function isRestrictedByAppArmor() {
    try {
        return (0,external_node_fs_.readFileSync)(RESTRICTION, "utf8").trim() === "1";
    }
    catch {
        return false;
    }
}
const isolation_probe_PROFILE = "bwrap-userns-restrict";
const ALLOW_IN_APPARMOR = [
    "before this step load its profile:",
    `\`sudo apt-get install -y apparmor-profiles && sudo cp /usr/share/apparmor/extra-profiles/${isolation_probe_PROFILE} /etc/apparmor.d/`,
    `&& sudo apparmor_parser -r /etc/apparmor.d/${isolation_probe_PROFILE}\`,`,
    "or else `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
].join(" ");
const ALLOW_NAMESPACES = "allow user namespaces: `sudo sysctl -w user.max_user_namespaces=10000`, and a container needs `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`";

;// CONCATENATED MODULE: ./build/adapters/nested-git.js
// Repositories inside the worktree: their hooks and configuration would run whenever a person uses git there.


/** Beyond these, looking would hold the run up; what is behind them stays open. */
const MOST_FOLDERS = 20_000;
/** The `.git` of every repository and submodule below `root` but its own, in any order. `node_modules` is passed over. */
function findNestedGit(root) {
    const found = [];
    const folders = [root];
    for (let next = 0; next < folders.length && next < MOST_FOLDERS; next += 1) {
        const folder = folders[next] ?? root;
        for (const entry of entriesOf(folder)) {
            const path = (0,external_node_path_.join)(folder, entry.name);
            if (entry.name.toLowerCase() === ".git") {
                if (folder !== root && !entry.isSymbolicLink())
                    found.push(path);
            }
            else if (entry.isDirectory() && entry.name !== "node_modules")
                folders.push(path);
        }
    }
    return found;
}
function entriesOf(folder) {
    try {
        return (0,external_node_fs_.readdirSync)(folder, { withFileTypes: true });
    }
    catch {
        // What can't be read can't be changed by a command either, or is gone.
        return [];
    }
}

;// CONCATENATED MODULE: ./build/adapters/isolation.js
// Stands between commands and this machine: bubblewrap, where it works.









/** User, processes, memory segments, host name, control groups; no capability; no way to more of the same. */
const NAMESPACES = "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent".split(" ");
/** Since bubblewrap 0.8; ubuntu-22.04 has an older one. */
const NO_MORE_NAMESPACES = "--disable-userns";
/** Nothing happens until it is asked: the way to the first model request is short. */
function openIsolation(options) {
    let found;
    let scratch;
    let kept;
    const environment = isolatedEnvironment(options.environment);
    const mounts = () => {
        scratch ??= (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(options.temporary, "looplia-commands-"));
        const given = (paths = []) => paths.filter((path) => path !== undefined);
        const [closed, shown] = [given(options.closed), given(options.shown)];
        // As it is when the first command runs: what commands make is theirs.
        kept ??= findNestedGit(options.root);
        return mountArguments({ ...options, scratch, closed, shown, kept });
    };
    const cover = openCover((0,external_node_path_.join)(options.root, ".git"));
    const look = () => {
        if (found)
            return found;
        found = options.sandbox === "off" ? { isolation: OFF } : probe(options, environment, mounts, cover);
        const { kind, reason } = found.isolation;
        if (kind === "none")
            options.warn(`Commands are not isolated: ${reason}.`);
        return found;
    };
    return {
        get isolation() {
            return look().isolation;
        },
        launch(network = options.network) {
            const { program, isolation } = look();
            if (!program) {
                if (options.sandbox === "required")
                    throw isolation_refusal(isolation.reason ?? "");
                return { before: [], environment: options.environment, setUp: "", finish: () => { } };
            }
            const net = network ? [] : ["--unshare-net"];
            const before = [...program, ...net, ...mounts(), "--"];
            return { before, environment, setUp: setUpShell(), finish: cover.hold() };
        },
        async close() {
            cover.clean();
            if (scratch === undefined)
                return;
            const left = scratch;
            scratch = undefined;
            await removeScratch(left);
        },
    };
}
/** Removes the folder, locked folders in it too. What stays all the same is no failure of the run. */
async function removeScratch(folder) {
    const remove = () => (0,external_node_fs_promises_.rm)(folder, { recursive: true, force: true });
    await remove()
        .catch(() => unlock(folder).then(remove))
        .catch(() => undefined);
}
async function unlock(folder) {
    await (0,external_node_fs_promises_.chmod)(folder, 0o700);
    for (const entry of await (0,external_node_fs_promises_.readdir)(folder, { withFileTypes: true }))
        if (entry.isDirectory())
            await unlock((0,external_node_path_.join)(folder, entry.name));
}
const OFF = { kind: "none", network: true, reason: "the setting `sandbox` is `off`", isOff: true };
function probe(options, environment, mounts, cover) {
    const none = (reason) => ({ isolation: { kind: "none", network: true, reason } });
    const program = findBubblewrap(options.environment.PATH ?? "", options.root);
    const facts = { platform: process.platform, isRestricted: isRestrictedByAppArmor() };
    if (program === undefined || facts.platform !== "linux")
        return none(explainAbsence(undefined, facts));
    let uncover = () => { };
    try {
        let said;
        const seen = mounts();
        uncover = cover.hold();
        for (const extra of [[NO_MORE_NAMESPACES], []]) {
            const before = [...NAMESPACES, ...extra];
            // Without network, for that is the harder case.
            said = tryBubblewrap(program, [...before, "--unshare-net", ...seen], environment);
            if (said !== undefined)
                continue;
            return {
                isolation: { kind: "bubblewrap", network: options.network },
                program: [program, ...before],
            };
        }
        return none(explainAbsence(said ?? "", facts));
    }
    catch (error) {
        return none((0,errors/* messageOf */.bD)(error));
    }
    finally {
        uncover();
    }
}
const GIB = 1024 ** 3;
const MOST = { processes: 4_096, fileBytes: 4 * GIB };
/** Sizes in blocks of 512 bytes, as in every other shell; what the runner left open is not the command's. */
const BASH_SET_UP = `set -o posix; for f in /proc/self/fd/*; do f=\${f##*/}; if [ "$f" -gt 2 ]; then eval "exec $f>&-"; fi; done`;
/**
 * For each process: memory it may write (three quarters of the machine's), size of a file, no core dumps. For all
 * together: processes and threads, which the kernel counts by user namespace (not for root, whom it never limits).
 */
function setUpShell() {
    const memory = Math.floor((totalMemory() * 3) / 4 / 1024);
    const all = [
        "ulimit -c 0",
        `ulimit -f ${MOST.fileBytes / 512}`,
        `ulimit -d ${memory}`,
        `ulimit -u ${MOST.processes} || ulimit -p ${MOST.processes}`,
    ];
    return `echo started >&2; if [ -n "$BASH_VERSION" ]; then ${BASH_SET_UP}; fi; { ${all.join("; ")}; } 2>/dev/null; `;
}
/** In bytes; in a container that of its control group. */
function totalMemory() {
    for (const file of ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]) {
        try {
            const limit = Number((0,external_node_fs_.readFileSync)(file, "utf8"));
            if (limit > 0 && limit < (0,external_node_os_.totalmem)())
                return limit;
        }
        catch {
            // No such control group.
        }
    }
    return (0,external_node_os_.totalmem)();
}
function isolation_refusal(reason) {
    return new errors/* LoopliaError */.$K("config-invalid", `No command runs: \`sandbox\` is \`required\`, and ${reason}.`, {
        hint: "Go on without commands; a person can mend the machine, or set `sandbox: auto` to approve each command",
    });
}

// EXTERNAL MODULE: ./build/adapters/workspace.js + 3 modules
var adapters_workspace = __webpack_require__(85831);
;// CONCATENATED MODULE: ./build/entrypoints/wire-worktree.js
// The worktree of a run, and what stands between its commands and the machine.





/** The worktree, its commands isolated as the settings say; `close` removes what commands left outside of it. */
async function openWorktree(place, observe, redact) {
    let isolator;
    const warn = (message) => observe({ type: "notice", level: "warning", message });
    const workspace = await (0,adapters_workspace/* openWorkspace */.OH)(place.root, {
        environment: (0,command_environment/* commandEnvironment */.J)(place.environment),
        stateFolder: place.stateFolder,
        systemTemp: place.environment.RUNNER_TEMP ?? place.stateFolder,
        redact,
        isolate: (root) => {
            isolator = isolatorFor({ ...place, root }, warn);
            return isolator;
        },
    });
    return { workspace, close: async () => isolator?.close() };
}
/** What stands between commands and the machine here; `warn` is told when that is nothing. */
function isolatorFor(place, warn) {
    const { root, stateFolder, settings, environment } = place;
    const { RUNNER_TEMP, RUNNER_TOOL_CACHE, GITHUB_EVENT_PATH } = environment;
    return openIsolation({
        root,
        sandbox: settings.sandbox,
        network: settings.network,
        environment: (0,command_environment/* commandEnvironment */.J)(environment),
        closed: [
            ...[stateFolder, (0,external_node_path_.join)(root, ".looplia", "state"), RUNNER_TEMP],
            // Beside `_temp` is all that the runner works on: checkouts with their credentials, actions, its own files.
            RUNNER_TEMP && (0,external_node_path_.basename)(RUNNER_TEMP) === "_temp" ? (0,external_node_path_.dirname)(RUNNER_TEMP) : undefined,
            GITHUB_EVENT_PATH && (0,external_node_path_.dirname)(GITHUB_EVENT_PATH),
        ],
        shown: [RUNNER_TOOL_CACHE],
        temporary: (0,external_node_os_.tmpdir)(),
        warn,
    });
}

;// CONCATENATED MODULE: ./build/entrypoints/wire.js
// Puts an adapter behind each port; with its neighbours `wire-*.ts` the only importer of adapters.





















const clock = { now: () => new Date(), elapsed: () => performance.now() };
const ids = { hex: (bytes) => (0,external_node_crypto_.randomBytes)(bytes).toString("hex") };
/** Handles a trigger with real adapters. Throws LoopliaError for what concerns the run as a whole. */
async function runTrigger(place, trigger) {
    const logs = [];
    const redact = (0,redaction/* createRedactor */.lY)((0,secrets/* secretsOf */.F)(place.environment, place.settings));
    const observe = (event) => {
        const safe = (0,redaction/* redactValue */.FI)(event, redact);
        place.observe(safe);
        for (const log of logs)
            log.observe(safe);
    };
    const model = await createModel(place.settings, place.isDemo === true);
    const configuration = await readConfiguration(place, observe);
    const { workspace, close } = await openWorktree(place, observe, redact);
    const signal = withDeadline(place.signal, place.settings.timeoutMinutes, clock.elapsed());
    const whenOpen = async () => {
        // The work of a runner is in a fresh worktree; on the command line it is the user's own.
        if (place.openStore)
            await runSetup(workspace, place.settings.setup, { observe, signal });
    };
    const ports = {
        clock,
        ids,
        workspace,
        host: place.host,
        model,
        stores: createStores(place, logs, whenOpen),
        observe,
        redact,
        signal,
        configuration,
        tools: new Map((0,registry/* allTools */.XU)().map((tool) => [tool.name, tool])),
        readSource: place.readSource,
        ...(place.cancellations === undefined ? {} : { cancellations: place.cancellations }),
        ...(place.startedBy === undefined ? {} : { startedBy: place.startedBy }),
    };
    try {
        const content = await contentSettings(place.settings);
        const tasks = await tasksSideFor(trigger, place, { content, redact, logs });
        const result = (0,redaction/* redactValue */.FI)(await handle(trigger, ports, content, tasks), redact);
        logEnds(logs, result);
        return result;
    }
    catch (thrown) {
        const error = (0,redact_ports/* redactError */.k)(thrown, redact);
        logThrown(logs, error);
        throw error;
    }
    finally {
        await Promise.all([close(), ...logs.map((log) => log.close())]);
    }
}
/** Warnings are told; throws `config-invalid` with everything that is wrong. */
async function readConfiguration({ installFolder, prompts, trusted, settings: { pipeline } }, observe) {
    const builtin = installedFolder(installFolder);
    const own = prompts?.folder === undefined ? undefined : installedFolder(prompts.folder);
    const { configuration, diagnostics } = await loadConfiguration(trusted, builtin, {
        prompts: openPrompts(builtin, own, prompts?.show),
        pipeline,
    });
    for (const diagnostic of diagnostics) {
        if (diagnostic.severity === "warning") {
            observe({ type: "notice", level: "warning", message: (0,config_diagnostics/* formatDiagnostic */.x)(diagnostic) });
        }
    }
    (0,config_diagnostics/* throwIfErrors */.Z)(diagnostics);
    return configuration;
}
/** Only a run of tasks, or one that may turn out to be, loads what it takes. */
async function tasksSideFor(trigger, place, { content, redact, logs }) {
    if (trigger.kind === "file" || trigger.kind === "items")
        return undefined;
    const { createTasksSide } = await __webpack_require__.e(/* import() */ 461).then(__webpack_require__.bind(__webpack_require__, 93461));
    const logPath = () => logs[0]?.path ?? (0,external_node_path_.join)(place.stateFolder, "run.jsonl");
    return createTasksSide({ ...place, redact, logPath, createModel: (own) => createModel(own, false), defaultModel }, content);
}
/** The model that the settings name. */
async function createModel(settings, isDemo) {
    if (settings.provider === "anthropic") {
        const baseURL = settings.anthropicBaseUrl;
        return createAnthropicModel({ apiKey: settings.anthropicApiKey ?? "", ...(baseURL ? { baseURL } : {}) });
    }
    const { createOfflineModel } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(870)]).then(__webpack_require__.bind(__webpack_require__, 37870));
    return createOfflineModel({ askInDemo: isDemo });
}
async function defaultModel(settings) {
    if (settings.provider === "anthropic")
        return DEFAULT_ANTHROPIC_MODEL;
    return (await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(870)]).then(__webpack_require__.bind(__webpack_require__, 37870))).OFFLINE_MODEL;
}
async function contentSettings(settings) {
    const { pipeline, output, force, orchestration, fallbackModel, concurrency, dryRun } = settings;
    const { maxTurns, maxTokens, maxCostUsd, answerTtlHours, minApprovals, workingDirectory } = settings;
    const isOffline = settings.provider === "offline";
    return {
        pipeline,
        ...(output === undefined ? {} : { output }),
        ...(force === undefined ? {} : { force: [force] }),
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
        gate: {
            policy: await (0,policy/* readPolicy */.T)(settings.policy),
            approval: settings.approval,
            sandbox: settings.sandbox,
            settingsFile: external_node_path_.posix.relative(workingDirectory, settings.config),
        },
        people: { answerTtlHours, minApprovals, workingDirectory: external_node_path_.posix.normalize(workingDirectory) },
    };
}
/** The stores on disk, with a log beside those of each work that is opened. */
function createStores(place, logs, whenOpen) {
    const { root, stateFolder, version, settings, openStore } = place;
    const logFolder = findLogFolder(root, settings.logDir);
    const stores = (0,store_files/* openStores */.j)({ stateFolder, codeVersion: version, clock, stateKey: settings.stateKey });
    return {
        ...stores,
        async open(work) {
            const opened = openStore ? keptOpen(await openStore()) : await stores.open(work);
            const folder = logFolder ?? (0,external_node_path_.join)(stateFolder, work.workId, "logs");
            logs.push(openRunLog({ folder, clock, pid: process.pid }));
            await whenOpen();
            return opened;
        },
    };
}


/***/ }),

/***/ 62980:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cm: () => (/* binding */ chainLine),
/* harmony export */   ZF: () => (/* binding */ FIRST_PREV)
/* harmony export */ });
/* unused harmony exports hashLine, verifyChain */
/* harmony import */ var canonicalize__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(98799);
/* harmony import */ var _hash_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(17815);
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(59437);
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
    return (0,_hash_js__WEBPACK_IMPORTED_MODULE_0__/* .sha256Of */ .B)((0,canonicalize__WEBPACK_IMPORTED_MODULE_1__/* ["default"] */ .A)(unsigned) ?? "");
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
        return (0,_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(item) && Object.keys(item).some((key) => !key.isWellFormed())
            ? withWellFormedKeys(item)
            : item;
    });
}
function withWellFormedKeys(item) {
    return Object.fromEntries(Object.entries(item).map(([key, value]) => [key.toWellFormed(), value]));
}


/***/ }),

/***/ 37677:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B4: () => (/* binding */ toConversationLine),
/* harmony export */   IZ: () => (/* binding */ toEvent),
/* harmony export */   Nu: () => (/* binding */ encodeLine),
/* harmony export */   bG: () => (/* binding */ toWorkEvent),
/* harmony export */   jH: () => (/* binding */ loadLineDecoder)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(59437);


const VERSION = 1;
let shapes;
/** One line of the store, with its line feed. */
function encodeLine(line) {
    return `${JSON.stringify(line)}\n`;
}
/** Loads the shapes that lines are checked by: a new session has no lines and needs none. */
async function loadLineDecoder() {
    shapes ??= Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(535)]).then(__webpack_require__.bind(__webpack_require__, 40535)).then(({ makeLineShapes }) => makeLineShapes());
    const known = await shapes;
    return (store, text, place, read) => decodeLine(known, store, text, place, read);
}
function decodeLine(shapes, store, text, place, read) {
    const parsed = parseObject(text);
    if (!parsed)
        return undefined;
    checkVersion(parsed, place);
    checkShape(store === "audit" ? shapes.auditFrame : shapes.frame, parsed, place);
    const line = parsed;
    if (store === "audit" || read === "skip")
        return line;
    const payload = shapes[store].get(line.type);
    if (!payload) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("store-corrupt", `${place}: unknown line type ${JSON.stringify(line.type)}.`, {
            hint: "A newer looplia wrote it. Go on with that version.",
        });
    }
    if (read)
        line.payload = read(line, place);
    checkShape(payload, line.payload, place);
    return line;
}
/** What closes the questions of a task: when that was decides what a bare command may mean. */
const CLOSING = [
    "TaskCompleted",
    "TaskFailed",
    "TaskCanceled",
];
/** A decoded line of the events store. What ends a task says when: as it was told, else when its line was stored. */
function toEvent({ type, at, payload }) {
    const told = CLOSING.includes(type) ? { at, ...payload } : payload;
    return { store: "events", type, payload: told };
}
/** A decoded line of the conversation store. */
function toConversationLine(line) {
    return { store: "conversation", type: line.type, payload: line.payload };
}
/** A decoded line of a work's log. */
function toWorkEvent(line) {
    return { type: line.type, payload: line.payload };
}
function parseObject(text) {
    const value = (0,_json_js__WEBPACK_IMPORTED_MODULE_1__/* .parseJson */ .qF)(text);
    return (0,_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value) ? value : undefined;
}
function checkVersion(line, place) {
    const version = line.v;
    if (version === VERSION)
        return;
    if (typeof version === "number" && version > VERSION) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("store-corrupt", `${place}: written by a newer version (line format ${version}, this looplia reads ${VERSION}).`, { hint: "Go on with the newer looplia." });
    }
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("store-corrupt", `${place}: no store line (\`v\` is missing or not ${VERSION}).`, {
        hint: RESTORE,
    });
}
function checkShape(schema, value, place) {
    const result = schema.safeParse(value);
    if (result.success)
        return;
    const issue = result.error.issues[0];
    const field = issue?.path.join(".") || "the line";
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("store-corrupt", `${place}: ${field}: ${issue?.message ?? "wrong shape"}.`, {
        hint: RESTORE,
    });
}
const RESTORE = "Restore the file from a copy, or begin a fresh session; nothing was changed.";


/***/ })

};

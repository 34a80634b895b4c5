export const id = 981;
export const ids = [981];
export const modules = {

/***/ 64981:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   takeSnapshot: () => (/* binding */ takeSnapshot)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(19473);
/* harmony import */ var _git_process_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(81361);
/* harmony import */ var _pinned_files_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(39305);
/* harmony import */ var _write_atomic_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2414);
// One hash for all that a command may find in the worktree. Nothing is written, no filter or hook of git runs, and only
// the .gitignore files, which the hash covers, say what is left out. Paths are latin1: names need not be UTF-8.








/** Beyond these, hashing would hold the run for minutes. */
const MAX_FILES = 200_000;
const AT_ONCE = 16;
/**
 * SHA-256 (hex) over path, kind and bytes of every file below `root` (a real path) but what git ignores; without git,
 * of every file outside `node_modules`. `closed` are real folders left out; `pending` are texts that files would have.
 */
async function takeSnapshot(root, place, pending = new Map()) {
    const closed = place.closed.map((folder) => toBytes((0,node_path__WEBPACK_IMPORTED_MODULE_3__.relative)(root, folder)));
    const listed = (await listWithGit(root, place.environment)) ?? (await listBelow(root, ""));
    const entries = new Map();
    for (let next = 0; next < listed.length; next += AT_ONCE) {
        const some = listed.slice(next, next + AT_ONCE).filter((path) => isCovered(path, closed));
        const described = await Promise.all(some.map((path) => describePath(root, path)));
        for (const [path, entry] of described.flat())
            if (isCovered(path, closed))
                entries.set(path, entry);
    }
    for (const [name, text] of pending) {
        const path = toBytes(name);
        const mode = entries.get(path)?.split(" ")[0] ?? "file";
        entries.set(path, `${mode} ${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(text).digest("hex")}`);
    }
    const whole = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256");
    for (const path of [...entries.keys()].sort())
        whole.update(`${entries.get(path)} ${path}\0`, "latin1");
    return whole.digest("hex");
}
/** What git tracks and what no .gitignore names; undefined where there is no git, or git knows nothing of the folder. */
async function listWithGit(root, environment) {
    const git = (0,_git_process_js__WEBPACK_IMPORTED_MODULE_5__/* .createGit */ .l)({
        folder: root,
        home: "/dev/null",
        remote: "",
        token: undefined,
        environment: { ...(0,_git_process_js__WEBPACK_IMPORTED_MODULE_5__/* .gitEnvironment */ ._)(environment), GIT_ALLOW_PROTOCOL: "none" },
    });
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-per-directory=.gitignore"];
    const listed = await git(args).catch(() => undefined);
    const paths = listed?.stdout.toString("latin1").split("\0").filter(Boolean) ?? [];
    return paths.length > 0 ? [...new Set(paths)] : undefined;
}
/** Every file and link below a folder, in repositories inside it too: git lists only the name of such a folder. */
async function listBelow(root, folder) {
    const found = [];
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
        for (const entry of await entriesOf(root, next)) {
            const name = entry.name.toString("latin1");
            if (name === ".git" || name === "node_modules")
                continue;
            const path = next === "" ? name : `${next}/${name}`;
            if (entry.isDirectory())
                folders.push(path);
            else
                found.push(path);
        }
        if (found.length + folders.length > MAX_FILES) {
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .LoopliaError */ .$K("config-invalid", `There are more than ${MAX_FILES} files in this folder.`, {
                hint: "Work in a git repository that ignores what is made.",
            });
        }
    }
    return found;
}
async function entriesOf(root, folder) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.readdir)(onDisk(root, folder), { withFileTypes: true, encoding: "buffer" });
    }
    catch (error) {
        if (["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes((0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_6__/* .codeOf */ .$N)(error) ?? ""))
            return [];
        throw error;
    }
}
/** A path with its kind and hash; a folder's files one by one; nothing for what is gone. */
async function describePath(root, listed) {
    const path = listed.replace(/\/$/, "");
    try {
        const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.lstat)(onDisk(root, path));
        if (!found.isDirectory())
            return [[path, await describeFile(onDisk(root, path), found)]];
    }
    catch (error) {
        if (["ENOENT", "ENOTDIR"].includes((0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_6__/* .codeOf */ .$N)(error) ?? ""))
            return [];
        return [[path, `unreadable ${(0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_6__/* .codeOf */ .$N)(error) ?? (0,_errors_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .bD)(error)}`]];
    }
    const below = await listBelow(root, path);
    const described = [];
    for (const file of below)
        described.push(...(await describePath(root, file)));
    return described;
}
async function describeFile(path, found) {
    if (found.isSymbolicLink()) {
        return `link ${(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.readlink)(path, { encoding: "buffer" })).toString("hex")}`;
    }
    if (!found.isFile())
        return "other";
    const handle = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.open)(path, node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_NOFOLLOW | node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_NONBLOCK);
    try {
        const hash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256");
        const buffer = Buffer.allocUnsafe(Math.min(found.size + 1, 1024 * 1024));
        for (;;) {
            const { bytesRead } = await handle.read(buffer, 0, buffer.length);
            if (bytesRead === 0)
                break;
            hash.update(buffer.subarray(0, bytesRead));
        }
        return `${(found.mode & 0o100) === 0 ? "file" : "executable"} ${hash.digest("hex")}`;
    }
    finally {
        await handle.close();
    }
}
function isCovered(path, closed) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return !name.startsWith(_write_atomic_js__WEBPACK_IMPORTED_MODULE_7__/* .TEMPORARY_PREFIX */ .F8) && !closed.some((folder) => (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_6__/* .isInside */ .FK)(folder, path));
}
function onDisk(root, path) {
    return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}
function toBytes(path) {
    return Buffer.from(path).toString("latin1");
}


/***/ })

};

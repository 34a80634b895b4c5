export const id = 981;
export const ids = [981];
export const modules = {

/***/ 81361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ gitEnvironment),
/* harmony export */   l: () => (/* binding */ createGit)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
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
        if (value === undefined || !PASSED_ON.has(name.toUpperCase()))
            continue;
        chosen[name] = name.toUpperCase() === "PATH" ? trustedPath(value) : value;
    }
    return chosen;
}
/** Without what a worktree may hold: package runners put its `node_modules/.bin` first, and a command could plant a git there. */
function trustedPath(path) {
    const folders = path.split(node_path__WEBPACK_IMPORTED_MODULE_1__.delimiter);
    return folders
        .filter((folder) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder))
        .join(node_path__WEBPACK_IMPORTED_MODULE_1__.delimiter);
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
        const { worktree, index = worktree?.index } = call;
        if (worktree)
            Object.assign(environment, { GIT_DIR: worktree.records, GIT_WORK_TREE: worktree.root });
        if (index !== undefined)
            Object.assign(environment, { GIT_INDEX_FILE: index });
        const folder = worktree?.root ?? call.cwd ?? place.folder;
        const result = await patiently(args, () => run(args, folder, environment, call.input));
        if (result.exitCode === 0 || call.answers?.includes(result.exitCode))
            return result;
        throw failure(args, result, secrets);
    };
}
const READS = ["fetch", "ls-remote"];
const WAITS_MS = [500, 2_000];
const HICCUP = /returned error: (?:5\d\d|429)|RPC failed|early EOF|hung up|Empty reply|Could not resolve|Failed to connect|Connection (?:reset|refused|timed out)/i;
/** What only reads from the remote is tried twice more where the server, or the way there, had a hiccup. */
async function patiently(args, attempt) {
    let result = await attempt();
    for (const wait of READS.includes(args[0]) ? WAITS_MS : []) {
        if (result.exitCode === 0 || !HICCUP.test(result.stderr) || /too slow/i.test(result.stderr))
            break;
        await new Promise((resolve) => setTimeout(resolve, wait));
        result = await attempt();
    }
    return result;
}
function run(args, cwd, env, input) {
    return new Promise((resolve, reject) => {
        const child = (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)("git", ["--no-pager", ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
        const stdout = [];
        const stderr = [];
        child.stdout.on("data", (chunk) => stdout.push(chunk));
        child.stderr.on("data", (chunk) => stderr.push(chunk));
        child.stdin.on("error", () => { }); // a child that ends early says why on standard error
        child.on("error", (cause) => reject(new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("host-failed", "git could not be started", { hint: "install git", cause })));
        child.on("close", (code, signal) => resolve({
            exitCode: code ?? 128,
            signal,
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
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("host-failed", `git ${args.find((word) => !/^-|=/.test(word)) ?? ""} failed: ${said || result.signal || `exit code ${result.exitCode}`}`, {
        ...(hint === undefined ? {} : { hint }),
    });
}
// Only what another try cannot mend has a hint: refusals are told from hiccups by it.
function hintFor(said) {
    if (/does not support --atomic/i.test(said)) {
        return "the state of a work and its branch are pushed together, which this server cannot: update it, or run on one that can";
    }
    if (/hidden ref|refs\/(?!heads\/)\S+ .*\b(declined|refused|not allowed|prohibited)/i.test(said)) {
        return "the server refuses such refs: set `state-ref-prefix: refs/heads/looplia-state/`";
    }
    if (/without `?workflows`? permission/i.test(said)) {
        return "the job's token may not change workflows: take them out of the branch, or push them yourself";
    }
    if (/GH001|exceeds GitHub's file size limit/i.test(said))
        return "leave out large files with .gitignore";
    if (/\b403\b|denied|not allowed|protected branch|hook declined|GH006|GH013/i.test(said)) {
        return "give the job `permissions: contents: write` and let the branch prefix pass the repository's rules";
    }
    if (/\b401\b|Authentication failed|could not read Username/i.test(said)) {
        return "check the github-token: it is missing, expired or of another repository";
    }
    return undefined;
}


/***/ }),

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
/* harmony import */ var _session_hash_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(17815);
/* harmony import */ var _git_process_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(81361);
/* harmony import */ var _pinned_files_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(39305);
/* harmony import */ var _write_atomic_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(2414);
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
        entries.set(path, `${mode} ${(0,_session_hash_js__WEBPACK_IMPORTED_MODULE_5__/* .sha256Of */ .B)(text)}`);
    }
    const whole = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256");
    for (const path of [...entries.keys()].sort())
        whole.update(`${entries.get(path)} ${path}\0`, "latin1");
    return whole.digest("hex");
}
/** What git tracks and what no .gitignore names; undefined where there is no git, or git knows nothing of the folder. */
async function listWithGit(root, environment) {
    const git = (0,_git_process_js__WEBPACK_IMPORTED_MODULE_6__/* .createGit */ .l)({
        folder: root,
        home: "/dev/null",
        remote: "",
        token: undefined,
        environment: { ...(0,_git_process_js__WEBPACK_IMPORTED_MODULE_6__/* .gitEnvironment */ ._)(environment), GIT_ALLOW_PROTOCOL: "none" },
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
        if (["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes((0,_errors_js__WEBPACK_IMPORTED_MODULE_4__/* .errnoOf */ .UQ)(error) ?? ""))
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
        if (["ENOENT", "ENOTDIR"].includes((0,_errors_js__WEBPACK_IMPORTED_MODULE_4__/* .errnoOf */ .UQ)(error) ?? ""))
            return [];
        return [[path, `unreadable ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_4__/* .errnoOf */ .UQ)(error) ?? (0,_errors_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .bD)(error)}`]];
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
    return !name.startsWith(_write_atomic_js__WEBPACK_IMPORTED_MODULE_8__/* .TEMPORARY_PREFIX */ .F) && !closed.some((folder) => (0,_pinned_files_js__WEBPACK_IMPORTED_MODULE_7__/* .isInside */ .FK)(folder, path));
}
function onDisk(root, path) {
    return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}
function toBytes(path) {
    return Buffer.from(path).toString("latin1");
}


/***/ })

};

export const id = 118;
export const ids = [118];
export const modules = {

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

/***/ 58118:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  clock: () => (/* reexport */ wire.clock),
  wireAction: () => (/* binding */ wireAction)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/errors.js
var build_errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/ports/repository.js
var repository = __webpack_require__(23043);
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
    const format = `--format=%ce %(trailers:key=${repository/* RUN_TRAILER */.c},valueonly,separator=%x2C)`;
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
// EXTERNAL MODULE: ./build/adapters/file-access.js
var file_access = __webpack_require__(74870);
// EXTERNAL MODULE: ./build/adapters/path-rules.js
var path_rules = __webpack_require__(90460);
// EXTERNAL MODULE: ./build/adapters/workspace.js + 3 modules
var workspace = __webpack_require__(85831);
;// CONCATENATED MODULE: ./build/adapters/trusted-files.js
// Read-only files of the trusted ref: a folder on the disk, or a commit that is read without checking it out.




const MAX_BYTES = 10 * 1024 * 1024;
/** The working tree, or a folder of the program's own. `label` stands before paths in diagnostics. */
async function trustedFolder(root, label) {
    const base = await realRoot(root);
    return {
        label,
        async read(path) {
            const bytes = await readInside(base, splitPath(path), MAX_BYTES);
            return bytes === undefined ? undefined : decode(`${label}${path}`, bytes);
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
            if (found.size > MAX_BYTES)
                throw unreadable(`${label}${path}`, "is larger than 10 MiB");
            const { stdout } = await git(["--no-replace-objects", "cat-file", "blob", found.oid]);
            return decode(`${label}${path}`, stdout);
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
function decode(shown, bytes) {
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

// EXTERNAL MODULE: ./build/entrypoints/wire.js + 91 modules
var wire = __webpack_require__(74715);
;// CONCATENATED MODULE: ./build/entrypoints/wire-action.js
// What the Action needs of the rest of the program.





/** Everything that the Action needs of the rest of the program. */
async function wireAction() {
    const install = await (0,wire.findInstall)();
    return {
        runTrigger: (place, trigger) => (0,wire.runTrigger)({ ...place, ...install }, trigger),
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


/***/ })

};

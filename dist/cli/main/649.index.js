"use strict";
exports.id = 649;
exports.ids = [649,943];
exports.modules = {

/***/ 156:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ gitEnvironment),
/* harmony export */   l: () => (/* binding */ createGit)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_child_process__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9984);
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

/***/ 1943:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ findRemote),
/* harmony export */   findRepository: () => (/* binding */ findRepository)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs_promises__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_1__);
// Where the repository of a checkout is: the token goes there and nowhere else.


/**
 * The address of the repository on the server, or the checkout's `origin` where that is this machine. Any other `origin`
 * does not count: the token goes there, and the checkout may be of another repository.
 */
async function findRemote(place) {
    const onServer = `${place.serverUrl.replace(/\/+$/, "")}/${place.repository}.git`;
    const address = await originOf(place.checkout);
    if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address))
        return onServer;
    const origin = new URL(address);
    origin.username = "";
    origin.password = "";
    return isLocal(origin) ? origin.href : onServer;
}
/**
 * `owner/name` of the repository that a checkout's `origin` is on the server (or on this machine), by its https or ssh
 * address; undefined where it is another's or none.
 */
async function findRepository(checkout, serverUrl) {
    const address = await originOf(checkout);
    if (address === undefined || !URL.canParse(serverUrl))
        return undefined;
    const [, sshHost, sshPath] = /^(?:ssh:\/\/)?(?:[^@/]+@)([^:/]+)[:/](.+)$/.exec(address) ?? [];
    const origin = sshHost === undefined && URL.canParse(address) ? new URL(address) : undefined;
    const isThere = sshHost === new URL(serverUrl).hostname || origin?.host === new URL(serverUrl).host;
    if (!isThere && !(origin && isLocal(origin)))
        return undefined;
    return /^\/?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(sshPath ?? origin?.pathname ?? "")?.[1];
}
async function originOf(checkout) {
    const text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(checkout, ".git", "config"), "utf8").catch(() => "");
    return /^\[remote "origin"\]\s*(?:\n(?!\[)[^\n]*)*?\n\s*url\s*=\s*(\S+)/m.exec(text)?.[1];
}
function isLocal({ hostname }) {
    return /^(127\.\d+\.\d+\.\d+|localhost|.*\.localhost|\[::1\])$/.test(hostname);
}


/***/ }),

/***/ 9649:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  probeStateRef: () => (/* binding */ probeStateRef)
});

// UNUSED EXPORTS: isProbe

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9984);
// EXTERNAL MODULE: ./build/adapters/git-commit.js
var git_commit = __webpack_require__(8884);
// EXTERNAL MODULE: ./build/adapters/git-process.js
var git_process = __webpack_require__(156);
// EXTERNAL MODULE: ./build/adapters/git-remote.js
var git_remote = __webpack_require__(1943);
;// CONCATENATED MODULE: ./build/adapters/state-ref-push.js
// State ref and branch move together. After any doubt the remote says what became of it, for `--atomic` is not all that it
// says: a ref that the server refuses by itself (hidden, or of a history that it has not) stays, and the other moves.


const WAITS_MS = (/* unused pure expression or super */ null && ([500, 2_000]));
/**
 * Pushes both refs with explicit leases, with two more tries where the server did not carry it out. The commit of the
 * state ref must be made on what the ref is expected to be: a lease alone lets an unrelated one through. Fails with
 * `host-failed`. `beforeTry` is called before every push.
 */
async function pushTogether({ git, remote }, moves, beforeTry) {
    const { state, branch } = moves;
    await checkParent(git, state);
    const both = branch ? [state, branch] : [state];
    const leases = both.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
    const refs = both.map(({ ref, commit }) => `${commit}:${ref}`);
    const args = ["push", "--quiet", "--no-verify", "--atomic", ...leases, "--", remote, ...refs];
    for (let attempt = 0;; attempt += 1) {
        try {
            beforeTry();
            await git(args, { authorized: true });
            return { kind: "won" };
        }
        catch (thrown) {
            if (!(thrown instanceof LoopliaError))
                throw thrown;
            const found = await readTips({ git, remote }, both.map(({ ref }) => ref)).catch(() => undefined);
            const judged = found && judge(found, state, branch);
            if (judged)
                return judged === "half" ? { kind: judged, reason: thrown } : { kind: judged };
            const wait = WAITS_MS[attempt];
            if (wait === undefined || isRefusal(thrown))
                throw thrown;
            await new Promise((resolve) => setTimeout(resolve, wait));
        }
    }
}
/** Undefined where nothing has moved, so that another try may help. */
function judge(found, state, branch) {
    const tip = branch && found.get(branch.ref);
    const stateTip = found.get(state.ref);
    if (stateTip === state.commit)
        return tip === branch?.commit ? "won" : "half";
    if (stateTip !== state.expected)
        return stateTip === undefined ? "gone" : "lost";
    if (tip === branch?.expected || tip === branch?.commit)
        return undefined;
    return tip === undefined ? "gone" : "moved";
}
async function checkParent(git, { ref, commit, expected }) {
    const { parents } = await readCommit(git, commit);
    if (parents.length <= 1 && parents[0] === expected)
        return;
    throw new LoopliaError("lost-race", `${commit} was not made on the checkpoint that ${ref} has`, {
        hint: "run again, from the newest checkpoint",
    });
}
/** Where the remote has each of the refs; those it has not are missing. */
async function readTips({ git, remote }, refs) {
    const listed = await listTips({ git, remote }, refs);
    return new Map([...listed].filter(([name]) => refs.includes(name)));
}
/** Where the remote has each ref that one of the patterns matches (`*` matches any text), and what ends like one. */
async function listTips({ git, remote }, patterns) {
    const listed = await git(["ls-remote", "--refs", "--", remote, ...patterns], { authorized: true });
    const tips = new Map();
    for (const row of listed.stdout.toString("utf8").split("\n")) {
        const [oid, name] = row.split("\t");
        if (oid && name)
            tips.set(name, (0,git_commit/* checkedId */.VJ)(oid));
    }
    return tips;
}
/**
 * Brings the newest `depth` commits of each of the refs here and says which the newest is, all as the remote had them at
 * one moment; a ref that is not there is missing. What came is kept under `refs/fetched/`.
 */
async function fetchTips(place, refs, depth = 1) {
    for (let attempt = 0;; attempt += 1) {
        const there = [...(await readTips(place, refs)).keys()];
        const specs = there.map((ref, index) => `+${ref}:refs/fetched/${index}`);
        if (specs.length === 0)
            return new Map();
        const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", `--depth=${depth}`, "--"];
        try {
            await place.git([...fetch, place.remote, ...specs], { authorized: true });
        }
        catch (thrown) {
            // It may have been deleted since it was listed.
            if (attempt > 0 || isRefusal(thrown))
                throw thrown;
            continue;
        }
        const tips = await textOf(place.git, ["rev-parse", ...there.map((_, index) => `refs/fetched/${index}`)]);
        return new Map(tips.split("\n").map((oid, index) => [there[index] ?? "", checkedId(oid)]));
    }
}

;// CONCATENATED MODULE: ./build/adapters/state-ref-probe.js
// Whether a repository takes state refs: two that nobody needs are pushed together, and deleted together.








/**
 * Tries it on the remote of a checkout and says what was tried; undefined where its remote is not on the server. Fails
 * with `host-failed` and what to set. What was made there is deleted, also when it failed.
 */
async function probeStateRef(place) {
    const { checkout, serverUrl, token, prefix } = place;
    const repository = place.repository ?? (await (0,git_remote.findRepository)(checkout, serverUrl));
    if (repository === undefined)
        return undefined;
    const remote = await (0,git_remote/* findRemote */._)({ checkout, serverUrl, repository });
    const home = await (0,promises_.mkdtemp)((0,external_node_path_.join)(place.systemTemp, "looplia-probe-"));
    try {
        const environment = (0,git_process/* gitEnvironment */._)(place.environment);
        const git = (0,git_process/* createGit */.l)({ folder: home, home, remote, token, environment });
        await git(["init", "--quiet", "--bare", "--template=", "."]);
        await pushAndDelete({ git, remote }, prefix);
        return `${prefix} of ${repository} takes refs, two at once`;
    }
    finally {
        await (0,promises_.rm)(home, { recursive: true, force: true });
    }
}
/** Whether a ref of this name (without the prefix) is one that a probe made; where it was killed one may be left. */
function isProbe(name) {
    return /^probe-[0-9a-f]{12}(?:-2)?$/.test(name);
}
async function pushAndDelete(place, prefix) {
    const { git, remote } = place;
    const tree = await (0,git_commit/* textOf */.b6)(git, ["hash-object", "-t", "tree", "-w", "--stdin"]);
    const commit = await (0,git_commit/* commitTree */.SC)(git, tree, [], "chore: probe whether this repository takes state refs\n");
    const name = `${prefix}probe-${(0,external_node_crypto_.randomBytes)(6).toString("hex")}`;
    const refs = [name, `${name}-2`];
    const push = async (source, expected) => {
        const leases = refs.map((ref) => `--force-with-lease=${ref}:${expected}`);
        const specs = refs.map((ref) => `${source}:${ref}`);
        const args = ["push", "--quiet", "--no-verify", "--atomic", ...leases, "--", remote, ...specs];
        await git(args, { authorized: true });
    };
    try {
        await push(commit, "");
        if ((await readTips(place, refs)).size < refs.length) {
            throw new errors/* LoopliaError */.$K("host-failed", `the server took ${name} and does not show it`, {
                hint: "set `state-ref-prefix: refs/heads/looplia-state/`",
            });
        }
    }
    finally {
        const left = await readTips(place, refs).catch(() => new Map());
        if (left.size === refs.length)
            await push("", commit);
    }
}


/***/ })

};
;
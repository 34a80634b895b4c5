export const id = 752;
export const ids = [752];
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

/***/ 30752:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  wireAction: () => (/* binding */ wireAction)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/errors.js
var build_errors = __webpack_require__(19473);
;// CONCATENATED MODULE: ./build/adapters/git-commit.js
// Commits by plumbing, with the bot as author; what every part of git here shares.

const AUTHOR = "github-actions[bot]";
const EMAIL = "41898282+github-actions[bot]@users.noreply.github.com";
const OBJECT_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
/** What `update-index --index-info` takes for "no such file". */
const NO_OBJECT = "0".repeat(40);
const MERGE_MESSAGE = "chore: merge what was pushed to the branch\n";
/** True for what another try can't mend. */
function isRefusal(thrown) {
    return thrown instanceof build_errors/* LoopliaError */.$K && thrown.hint !== undefined;
}
/** The id, or `host-failed` where it is none. */
function checkedId(oid) {
    if (OBJECT_ID.test(oid))
        return oid;
    throw new build_errors/* LoopliaError */.$K("host-failed", `not a commit id: ${JSON.stringify(oid)}`);
}
/** What git printed, without the white space around it. */
async function git_commit_textOf(git, args, call) {
    return (await git(args, call)).stdout.toString("utf8").trim();
}
/** Id of a new commit; nothing points to it yet. */
async function git_commit_commitTree(git, tree, parents, message) {
    const who = ["-c", `user.name=${AUTHOR}`, "-c", `user.email=${EMAIL}`];
    const by = parents.flatMap((parent) => ["-p", parent]);
    return checkedId(await git_commit_textOf(git, [...who, "commit-tree", tree, ...by, "-F", "-"], { input: message }));
}
/** A commit as it was made: its parents are told in a shallow clone too. */
async function readCommit(git, commit) {
    const text = (await git(["cat-file", "commit", checkedId(commit)])).stdout.toString("utf8");
    const end = text.indexOf("\n\n");
    const header = text.slice(0, end).split("\n");
    const valuesOf = (name) => header.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
    const seconds = Number(/ (\d+) [+-]\d{4}$/.exec(valuesOf("committer")[0] ?? "")?.[1] ?? 0);
    return {
        tree: valuesOf("tree")[0] ?? "",
        parents: valuesOf("parent"),
        at: new Date(seconds * 1000).toISOString(),
        message: text.slice(end + 2),
    };
}
/** Rows of git's `-z` output. */
function rowsOf(output) {
    return output.toString("utf8").split("\0").filter(Boolean);
}

// EXTERNAL MODULE: ./build/adapters/git-process.js
var git_process = __webpack_require__(81361);
;// CONCATENATED MODULE: ./build/adapters/git-read.js
// Reads objects of a repository: one process for many, as many bytes at a time as fit well into memory.


const MOST_BYTES = 64 * 1024 * 1024;
/** Things of `size` bytes, in their order, in parts of at most 64 MiB; what is larger is a part of its own. */
function partsOf(all, most = MOST_BYTES) {
    const parts = [];
    let free = 0;
    for (const one of all) {
        const part = parts.at(-1);
        if (part && one.size <= free)
            part.push(one);
        else {
            parts.push([one]);
            free = most;
        }
        free -= one.size;
    }
    return parts;
}
/**
 * The object at each `<commit>:<path>` (no line breaks in it), undefined where there is none. Links are followed;
 * `leads-away` is one that leads out of the tree, to nothing, or in a circle.
 */
async function findObjects(git, names) {
    const args = ["--no-replace-objects", "cat-file", "--batch-check", "--follow-symlinks"];
    const { stdout } = await git(args, { input: names.map((name) => `${name}\n`).join("") });
    let at = 0;
    return names.map(() => {
        const end = endOfLine(stdout, at);
        const line = stdout.toString("utf8", at, end);
        at = end + 1;
        const [, link, length] = /^(symlink|dangling|loop|notdir) (\d+)$/.exec(line) ?? [];
        if (link !== undefined) {
            at += Number(length) + 1;
            return link === "notdir" ? undefined : "leads-away";
        }
        const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
        return oid && type ? { oid, type, size: Number(size) } : undefined;
    });
}
/** How many bytes each object has, by its id. */
async function sizesOf(git, oids) {
    if (oids.length === 0)
        return new Map();
    const args = ["--no-replace-objects", "cat-file", "--batch-check=%(objectsize)"];
    const { stdout } = await git(args, { input: oids.map((oid) => `${checkedId(oid)}\n`).join("") });
    const rows = stdout.toString("latin1").split("\n");
    return new Map(oids.map((oid, index) => [oid, Number(rows[index]) || 0]));
}
/** Bytes of blobs, in the order asked. Fails with `host-failed` where one is no file of the repository. */
function readBlobs(git, oids) {
    return readTogether(git, oids.map((oid) => ({ oid, type: "blob" })));
}
/** Bytes of what was found, in the order asked. */
async function readObjects(git, found) {
    const read = [];
    for (const part of partsOf(found))
        read.push(...(await readTogether(git, part)));
    return read;
}
async function readTogether(git, objects) {
    if (objects.length === 0)
        return [];
    const input = objects.map(({ oid }) => `${checkedId(oid)}\n`).join("");
    const { stdout } = await git(["--no-replace-objects", "cat-file", "--batch"], { input });
    let at = 0;
    return objects.map(({ oid, type }) => {
        const end = endOfLine(stdout, at);
        const [, is, size] = stdout.toString("latin1", at, end).split(" ");
        if (is !== type)
            throw new build_errors/* LoopliaError */.$K("host-failed", `${oid} is not a file of the repository`);
        const from = end + 1;
        at = from + Number(size) + 1;
        return stdout.subarray(from, at - 1);
    });
}
function endOfLine(bytes, from) {
    const end = bytes.indexOf("\n", from);
    return end < 0 ? bytes.length : end;
}
/** Names in the bytes of a tree object, whose ids have `idLength` bytes each. */
function namesOfTree(tree, idLength) {
    const names = [];
    for (let at = 0; at < tree.length;) {
        const end = tree.indexOf(0, at);
        if (end < 0)
            break;
        names.push(tree.toString("utf8", tree.indexOf(" ", at) + 1, end));
        at = end + 1 + idLength;
    }
    return names;
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
;// CONCATENATED MODULE: ./build/adapters/state-ref-push.js
// State ref and branch move together. After any doubt the remote says what became of it, for `--atomic` is not all that it
// says: a ref that the server refuses by itself (hidden, or of a history that it has not) stays, and the other moves.


const WAITS_MS = [500, 2_000];
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
            if (!(thrown instanceof build_errors/* LoopliaError */.$K))
                throw thrown;
            const found = await state_ref_push_readTips({ git, remote }, both.map(({ ref }) => ref)).catch(() => undefined);
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
    throw new build_errors/* LoopliaError */.$K("lost-race", `${commit} was not made on the checkpoint that ${ref} has`, {
        hint: "run again, from the newest checkpoint",
    });
}
/** Where the remote has each of the refs; those it has not are missing. */
async function state_ref_push_readTips({ git, remote }, refs) {
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
            tips.set(name, checkedId(oid));
    }
    return tips;
}
/**
 * Brings the newest `depth` commits of each of the refs here and says which the newest is, all as the remote had them at
 * one moment; a ref that is not there is missing. What came is kept under `refs/fetched/`.
 */
async function fetchTips(place, refs, depth = 1) {
    for (let attempt = 0;; attempt += 1) {
        const there = [...(await state_ref_push_readTips(place, refs)).keys()];
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
        const tips = await git_commit_textOf(place.git, ["rev-parse", ...there.map((_, index) => `refs/fetched/${index}`)]);
        return new Map(tips.split("\n").map((oid, index) => [there[index] ?? "", checkedId(oid)]));
    }
}

;// CONCATENATED MODULE: ./build/adapters/letters.js
// Letters as refs beside the state ref of a work: the state has one writer, and whoever must not write it leaves one here.
// Git takes no ref beneath another, so they are its neighbours: `<state ref>.letter-<hex>`, which is no work's name.




const AT_ONCE = 100;
/** A letter can wait for its turn to be pushed. */
const NEVER = new Promise(() => { });
const SUBJECT = "chore: leave an answer";
/** `stateRef`: `<state-ref-prefix><work-id>` */
function openLetters(tools, stateRef) {
    const { git, remote } = tools;
    const place = { git, remote };
    return {
        async leave(text) {
            const ref = `${stateRef}.letter-${(0,external_node_crypto_.randomBytes)(8).toString("hex")}`;
            const tree = await git_commit_textOf(git, ["mktree"], { input: "" });
            const commit = await git_commit_commitTree(git, tree, [], `${SUBJECT}\n\n${text}`);
            const move = { state: { ref, commit, expected: undefined } };
            await tools.rate.turn(NEVER);
            const { kind } = await pushTogether(place, move, () => tools.rate.count());
            if (kind !== "won")
                throw new build_errors/* LoopliaError */.$K("host-failed", `an answer could not be left at ${ref}`);
        },
        async list() {
            const listed = await listTips(place, [`${stateRef}.letter-*`]);
            const names = [...listed.keys()].filter((ref) => /\.letter-[0-9a-f]{16}$/.test(ref)).slice(0, AT_ONCE);
            if (names.length === 0)
                return [];
            const letters = [...(await fetchTips(place, names))].map(async ([ref, commit]) => {
                const { at, message } = await readCommit(git, commit);
                return { id: `${ref} ${commit}`, at, text: message.slice(message.indexOf("\n\n") + 2).trimEnd() };
            });
            const read = await Promise.all(letters);
            return read.sort((one, other) => (one.at < other.at ? -1 : 1)).map(({ id, text }) => ({ id, text }));
        },
        async remove(letters) {
            if (letters.length === 0)
                return;
            const gone = letters.map(({ id }) => id.split(" "));
            const leases = gone.map(([ref, commit]) => `--force-with-lease=${ref}:${commit}`);
            const args = [
                "push",
                "--quiet",
                "--no-verify",
                ...leases,
                "--",
                remote,
                ...gone.map(([ref]) => `:${ref}`),
            ];
            await tools.rate.turn(NEVER);
            tools.rate.count();
            // Another run may have been faster.
            await git(args, { authorized: true, answers: [1] });
        },
    };
}

;// CONCATENATED MODULE: ./build/adapters/git-remote.js
// Where the repository of a checkout is: the token goes there and nowhere else.


/**
 * The address of the repository on the server, or the checkout's `origin` where that is this machine. Any other `origin`
 * does not count: the token goes there, and the checkout may be of another repository.
 */
async function git_remote_findRemote(place) {
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
async function git_remote_findRepository(checkout, serverUrl) {
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
    const text = await (0,promises_.readFile)((0,external_node_path_.join)(checkout, ".git", "config"), "utf8").catch(() => "");
    return /^\[remote "origin"\]\s*(?:\n(?!\[)[^\n]*)*?\n\s*url\s*=\s*(\S+)/m.exec(text)?.[1];
}
function isLocal({ hostname }) {
    return /^(127\.\d+\.\d+\.\d+|localhost|.*\.localhost|\[::1\])$/.test(hostname);
}

;// CONCATENATED MODULE: ./build/adapters/state-ref-probe.js
// Whether a repository takes state refs: two that nobody needs are pushed together, and deleted together.








/**
 * Tries it on the remote of a checkout and says what was tried; undefined where its remote is not on the server. Fails
 * with `host-failed` and what to set. What was made there is deleted, also when it failed.
 */
async function probeStateRef(place) {
    const { checkout, serverUrl, token, prefix } = place;
    const repository = place.repository ?? (await findRepository(checkout, serverUrl));
    if (repository === undefined)
        return undefined;
    const remote = await findRemote({ checkout, serverUrl, repository });
    const home = await mkdtemp(join(place.systemTemp, "looplia-probe-"));
    try {
        const environment = gitEnvironment(place.environment);
        const git = createGit({ folder: home, home, remote, token, environment });
        await git(["init", "--quiet", "--bare", "--template=", "."]);
        await pushAndDelete({ git, remote }, prefix);
        return `${prefix} of ${repository} takes refs, two at once`;
    }
    finally {
        await rm(home, { recursive: true, force: true });
    }
}
/** Whether a ref of this name (without the prefix) is one that a probe made; where it was killed one may be left. */
function isProbe(name) {
    return /^probe-[0-9a-f]{12}(?:-2)?$/.test(name);
}
async function pushAndDelete(place, prefix) {
    const { git, remote } = place;
    const tree = await textOf(git, ["hash-object", "-t", "tree", "-w", "--stdin"]);
    const commit = await commitTree(git, tree, [], "chore: probe whether this repository takes state refs\n");
    const name = `${prefix}probe-${randomBytes(6).toString("hex")}`;
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
            throw new LoopliaError("host-failed", `the server took ${name} and does not show it`, {
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

;// CONCATENATED MODULE: ./build/adapters/state-list.js
// Which works a remote has the state of, by their newest checkpoints: nothing but those commits is fetched.





const WORK_ID = /^[a-z0-9][a-z0-9-]{0,80}$/;
/**
 * The works whose state refs begin with `prefix`, in no order. `createClone` makes a git in an empty folder: a clone that
 * lacks what its commits name is good for nothing else.
 */
async function listStoredWorks(place, prefix) {
    const refs = [...(await listTips(place, [`${prefix}*`])).keys()].filter((ref) => {
        const name = ref.slice(prefix.length);
        return ref.startsWith(prefix) && WORK_ID.test(name) && !isProbe(name);
    });
    if (refs.length === 0)
        return [];
    const folder = (0,external_node_path_.join)(place.temporary, `states-${(0,external_node_crypto_.randomBytes)(6).toString("hex")}.git`);
    await (0,promises_.mkdir)(folder);
    try {
        const git = place.createClone(folder);
        await git(["init", "--quiet", "--bare", "--template=", "."]);
        const specs = refs.map((ref) => `+${ref}:refs/states/${ref.slice(prefix.length)}\n`).join("");
        const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "--filter=tree:0"];
        await git([...fetch, "--stdin", "--", place.remote], { authorized: true, input: specs });
        const format = "--format=%(refname:lstrip=2) %(committerdate:unix) %(contents:subject)";
        const { stdout } = await git(["for-each-ref", format, "refs/states"]);
        return stdout.toString("utf8").split("\n").flatMap(readRow);
    }
    finally {
        await (0,promises_.rm)(folder, { recursive: true, force: true });
    }
}
function readRow(row) {
    const [, workId, seconds, message] = /^(\S+) (\d+) (.*)$/.exec(row) ?? [];
    if (workId === undefined || message === undefined)
        return [];
    return [{ workId, at: new Date(Number(seconds) * 1000).toISOString(), message }];
}

// EXTERNAL MODULE: ./build/session/in-turn.js
var in_turn = __webpack_require__(35478);
// EXTERNAL MODULE: ./build/ports/repository.js
var repository = __webpack_require__(23043);
// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
;// CONCATENATED MODULE: ./build/adapters/git-merge.js
// A merge of three trees without a worktree and without history: a shallow clone is enough.





/**
 * The tree that has what changed from `base` to `ours` and to `theirs`; where both changed the same lines, or one removed
 * what the other changed, theirs stands and the path is a conflict. `temporary` is a folder for passing files.
 */
async function mergeTrees(git, temporary, trees) {
    const folder = (0,external_node_path_.join)(temporary, `merge-${(0,external_node_crypto_.randomBytes)(6).toString("hex")}`);
    await (0,promises_.mkdir)(folder);
    try {
        const index = (0,external_node_path_.join)(folder, "index");
        const names = [trees.base, trees.ours, trees.theirs].map((commit) => `${commit}^{tree}`);
        await git(["read-tree", "-i", "-m", "--aggressive", ...names], { index });
        const unmerged = parseUnmerged(rowsOf((await git(["ls-files", "-u", "-z"], { index })).stdout));
        const conflicts = [];
        const removed = [];
        const settled = [];
        for (const some of partsOf(await measure(git, unmerged))) {
            const texts = await readSides(git, some);
            for (const one of some) {
                const merged = await mergeFile(git, folder, one, texts);
                if (!merged)
                    conflicts.push(one.path);
                const side = merged ?? one.theirs;
                removed.push(`0 ${NO_OBJECT}\t${one.path}\0`);
                if (side)
                    settled.push(`${side.mode} ${side.oid}\t${one.path}\0`);
            }
        }
        // A folder that is in the way of their file goes with its last entry, so entries are removed first.
        await git(["update-index", "-z", "--index-info"], { index, input: [...removed, ...settled].join("") });
        return { tree: await git_commit_textOf(git, ["write-tree"], { index }), conflicts: conflicts.sort() };
    }
    finally {
        await (0,promises_.rm)(folder, { recursive: true, force: true });
    }
}
function parseUnmerged(rows) {
    const byPath = new Map();
    for (const row of rows) {
        const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(row) ?? [];
        if (!mode || !oid || path === undefined)
            continue;
        const name = stage === "1" ? "base" : stage === "2" ? "ours" : "theirs";
        byPath.set(path, { ...byPath.get(path), path, [name]: { mode, oid } });
    }
    return [...byPath.values()];
}
/** True where there are three regular files to be made one. */
function isMergeable(one) {
    return [one.base, one.ours, one.theirs].every((side) => side?.mode.startsWith("100"));
}
function idsOf(unmerged) {
    const sides = unmerged.filter(isMergeable).flatMap(({ base, ours, theirs }) => [base, ours, theirs]);
    return [...new Set(sides.map(({ oid }) => oid))];
}
/** `size`: the bytes of its sides that are read. */
async function measure(git, unmerged) {
    const sizes = await sizesOf(git, idsOf(unmerged));
    return unmerged.map((one) => {
        const size = idsOf([one]).reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0);
        return { ...one, size };
    });
}
/** The bytes of all sides that can be merged, by their ids: thousands of files must not take as many processes each. */
async function readSides(git, unmerged) {
    const oids = idsOf(unmerged);
    const blobs = await readBlobs(git, oids);
    return new Map(oids.map((oid, index) => [oid, blobs[index] ?? new Uint8Array()]));
}
/** Undefined where the two can't be one. */
async function mergeFile(git, folder, unmerged, texts) {
    if (!isMergeable(unmerged))
        return undefined;
    const { base, ours, theirs } = unmerged;
    for (const [name, { oid }] of Object.entries({ ours, base, theirs })) {
        await (0,promises_.writeFile)((0,external_node_path_.join)(folder, name), texts.get(oid) ?? "");
    }
    // Any other exit code than 0 is the number of conflicts, or 255: no text.
    const merged = await git(["merge-file", "--quiet", "-p", "ours", "base", "theirs"], {
        cwd: folder,
        answers: Array.from({ length: 255 }, (_, index) => index + 1),
    });
    if (merged.exitCode !== 0)
        return undefined;
    const oid = await git_commit_textOf(git, ["hash-object", "-w", "--no-filters", "--stdin"], { input: merged.stdout });
    return { mode: theirs.mode === base.mode ? ours.mode : theirs.mode, oid };
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: ./build/adapters/write-atomic.js
var write_atomic = __webpack_require__(2414);
;// CONCATENATED MODULE: ./build/adapters/git-changes.js
// What of a worktree is committed: all that git does not ignore, but what the program must not or cannot push.





/** GitHub refuses a push with a larger file. */
const MAX_BYTES = 100 * 1024 * 1024;
const WORKFLOWS = /^\.github\/workflows(\/|$)/i;
const STATE = /(^|\/)\.looplia\/state(\/|$)/i;
/** `leftOut`: a sentence for each path that is not committed though it changed. */
async function listChanges(git, place) {
    const rows = await listPaths(git, place);
    const changes = [];
    const leftOut = new Map();
    for (const path of new Set(rows)) {
        if (STATE.test(path) || (0,external_node_path_.basename)(path).startsWith(write_atomic/* TEMPORARY_PREFIX */.F))
            continue;
        if (WORKFLOWS.test(path)) {
            leftOut.set(path, "was left out: the job's token may not change workflows");
            continue;
        }
        if (path.includes("\ufffd")) {
            leftOut.set(path, "was left out: its name is not UTF-8");
            continue;
        }
        const found = await (0,promises_.lstat)((0,external_node_path_.join)(place.root, path)).catch(() => undefined);
        if (!found)
            changes.push({ path, kind: "removed" });
        else if (found.isDirectory()) {
            if (await isSubmoduleOrRepository(git, place, path))
                leftOut.set(path, "was left out: it is a repository of its own");
            else
                changes.push({ path, kind: "removed" });
        }
        else if (found.isFile() && found.size > MAX_BYTES)
            leftOut.set(path, "was left out: it is over 100 MiB");
        else
            changes.push({ path, kind: found.isFile() ? "file" : "other" });
    }
    return { changes, leftOut };
}
async function listPaths(git, place) {
    const args = "ls-files -z --modified --deleted --others --exclude-per-directory=.gitignore".split(" ");
    const list = () => git(args, { worktree: place });
    return rowsOf((await tryAgain(list, wasCut)).stdout);
}
/** Writes files as the index has them, whatever is in their place. */
async function checkOut(git, place, paths) {
    const args = ["checkout-index", "--force", "-u", "-z", "--stdin"];
    const input = paths.map((path) => `${path}\0`).join("");
    await tryAgain(async () => {
        await unlockIndex(place);
        return git(args, { worktree: place, input });
    }, () => true);
}
/** As often as commands may change files under git. */
const TRIES = 5;
async function tryAgain(work, mayHelp) {
    for (let tries = 1;; tries += 1) {
        try {
            return await work();
        }
        catch (thrown) {
            if (tries === TRIES || !mayHelp(thrown))
                throw thrown;
        }
    }
}
/** A folder that git lists as one path: a repository inside, or where a committed file or submodule was. */
async function isSubmoduleOrRepository(git, place, path) {
    if (path.endsWith("/"))
        return true;
    const listed = await git(["--literal-pathspecs", "ls-files", "-s", "-z", "--", path], { worktree: place });
    return rowsOf(listed.stdout).some((row) => row.startsWith("160000 ") && row.endsWith(`\t${path}`));
}
/** Brings changes into the index. What can't be read now is returned, and left as it was committed. */
async function stageChanges(git, place, changes) {
    const removed = changes.filter(({ kind }) => kind === "removed");
    const rows = removed.map(({ path }) => `0 ${NO_OBJECT}\t${path}\0`);
    if (rows.length > 0) {
        await git(["update-index", "-z", "--index-info"], { worktree: place, input: rows.join("") });
    }
    return addPaths(git, place, changes.filter(({ kind }) => kind !== "removed").map(({ path }) => path));
}
/** Those that git could not read: a command may change files at this moment. */
async function addPaths(git, place, paths) {
    const unreadable = [];
    for (let left = paths; left.length > 0;) {
        const failed = await tryPaths(git, place, left);
        if (failed === undefined)
            break;
        if (failed === "cut")
            return [...unreadable, ...(await addHalves(git, place, left))];
        unreadable.push(failed.path);
        left = left.filter((path) => path !== failed.path);
    }
    return unreadable;
}
/** One of them was cut short while git read it. */
async function addHalves(git, place, paths) {
    if (paths.length === 1)
        return [...paths];
    const middle = Math.ceil(paths.length / 2);
    const first = await addPaths(git, place, paths.slice(0, middle));
    return [...first, ...(await addPaths(git, place, paths.slice(middle)))];
}
/** The path that could not be read; `cut` where git does not say which it was. */
async function tryPaths(git, place, paths) {
    const input = paths.map((path) => `${path}\0`).join("");
    const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
    try {
        await unlockIndex(place);
        await git(args, { worktree: place, input });
        return undefined;
    }
    catch (thrown) {
        const path = /Unable to process path (.*)$/m.exec((0,build_errors/* messageOf */.bD)(thrown))?.[1];
        if (path !== undefined && paths.includes(path))
            return { path };
        if (wasCut(thrown))
            return "cut";
        throw thrown;
    }
}
/** Git reads through a map of a file: where the file is cut short meanwhile it does not survive that. */
function wasCut(thrown) {
    return / failed: SIGBUS$/.test((0,build_errors/* messageOf */.bD)(thrown));
}
/** Only one git at a time has the program's index: a lock that is there is a killed one's. */
async function unlockIndex({ index }) {
    await (0,promises_.rm)(`${index}.lock`, { force: true });
}

;// CONCATENATED MODULE: ./build/adapters/git-worktree.js
// The worktree of a work branch: task commits, commits of work in progress, and what others pushed brought in.






/**
 * Files checked out byte for byte at a commit, detached. Calls must not overlap. The index is the program's own: what
 * commands put into the one that they see, and a lock that a killed one leaves there, changes no commit.
 */
class GitWorktree {
    root;
    #git;
    #place;
    #notice;
    #told = new Set();
    #tip;
    #held;
    constructor(git, place, commit, notice) {
        this.root = place.root;
        this.#git = git;
        this.#place = place;
        this.#tip = commit;
        this.#notice = notice;
    }
    /** Makes it below `temporary`; `notice` is told what is left out of commits, once a path. */
    static async open(git, temporary, commit, notice) {
        const root = (0,external_node_path_.join)(temporary, "worktree");
        await git(["worktree", "add", "--quiet", "--force", "--detach", root, commit]);
        const records = await git_commit_textOf(git, ["rev-parse", "--absolute-git-dir"], { cwd: root });
        const index = (0,external_node_path_.join)(temporary, "worktree-index");
        await (0,promises_.copyFile)((0,external_node_path_.join)(records, "index"), index);
        return new GitWorktree(git, { root, records, index }, commit, notice);
    }
    /** The newest commit. */
    get tip() {
        return this.#tip;
    }
    /**
     * Commits a session's folder as it stands, and what changed outside the folder that the sessions are in; false when
     * nothing did. In a session's folder only regular files that are not hidden are the program's.
     */
    async commitTask(folder, message) {
        const own = `${await checkedFolder(this.root, folder)}/`;
        const all = `${(0,external_node_path_.dirname)(own)}/`;
        return this.#commit(message, ({ path, kind }) => {
            if (!path.startsWith(own))
                return !path.startsWith(all);
            return kind === "removed" || (kind === "file" && !/(^|\/)\.[^/]*$/.test(path.slice(own.length)));
        });
    }
    /** Commits all that changed but for `notFor` alone, with `always` also nothing; false when there was no commit. */
    async commitAll(message, { always = false, notFor } = {}) {
        if (await this.#commit(message, () => true, notFor))
            return true;
        if (!always)
            return false;
        const tree = await git_commit_textOf(this.#git, ["rev-parse", `${this.#tip}^{tree}`]);
        await this.#setTip(await git_commit_commitTree(this.#git, tree, [this.#tip], message));
        return true;
    }
    /** Every commit has the file as it is now until it is released. What a merge brings of it stands. */
    hold(path) {
        const place = (0,external_node_path_.join)(this.root, path);
        const isFile = (0,external_node_fs_.lstatSync)(place, { throwIfNoEntry: false })?.isFile() === true;
        const held = { path, bytes: isFile ? (0,external_node_fs_.readFileSync)(place) : undefined };
        this.#held = held;
        return {
            brought: () => held.brought,
            release: () => {
                if (this.#held === held)
                    this.#held = undefined;
            },
        };
    }
    /**
     * Makes `commit` the tip and brings what it changes into the folder. Paths that were changed here meanwhile are
     * replaced as well, and returned.
     */
    async moveTo(commit) {
        const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", this.#tip, commit];
        const rows = rowsOf((await this.#git(args)).stdout);
        const pending = new Set((await listChanges(this.#git, this.#place)).changes.map(({ path }) => path));
        // Until the folder has all of it, the index stays as it was: what is missing there would be taken for removed here.
        const next = { ...this.#place, index: `${this.#place.index}-next` };
        await unlockIndex(next);
        await (0,promises_.copyFile)(this.#place.index, next.index);
        await this.#git(["read-tree", "-i", "-m", this.#tip, commit], { worktree: next });
        const present = [];
        const changed = [];
        for (let index = 0; index + 1 < rows.length; index += 2) {
            const path = rows[index + 1] ?? "";
            changed.push(path);
            if (rows[index] !== "D")
                present.push(path);
            else
                await removeFileOrLink((0,external_node_path_.join)(this.root, path));
        }
        await checkOut(this.#git, next, present);
        await (0,promises_.rename)(next.index, this.#place.index);
        await this.#setTip(commit);
        if (this.#held && changed.includes(this.#held.path)) {
            const { path } = this.#held;
            // As the commit has it: a command may be changing the file already.
            const bytes = present.includes(path) ? await this.#fileAt(commit, path) : undefined;
            Object.assign(this.#held, { bytes, brought: { bytes } });
        }
        return changed.filter((path) => pending.has(path));
    }
    async #commit(message, isWanted, notFor) {
        const { changes, leftOut } = await listChanges(this.#git, this.#place);
        for (const [path, why] of leftOut)
            this.#tell(path, why);
        const held = changes.find(({ path }) => path === this.#held?.path);
        // A link in the place of a folder above the held file would take the file out of the commit.
        const isAbove = ({ path }) => this.#held?.path.startsWith(`${path}/`) === true;
        const wanted = changes.filter((change) => change !== held && !isAbove(change) && isWanted(change));
        if (wanted.every(({ path }) => path === notFor) && !held)
            return false;
        await unlockIndex(this.#place);
        if (held)
            await this.#stageHeld();
        const unreadable = await stageChanges(this.#git, this.#place, wanted);
        for (const path of unreadable)
            this.#tell(path, "could not be read, so it stays as it was committed");
        const tree = await git_commit_textOf(this.#git, ["write-tree"], { worktree: this.#place });
        if (tree === (await git_commit_textOf(this.#git, ["rev-parse", `${this.#tip}^{tree}`])))
            return false;
        await this.#setTip(await git_commit_commitTree(this.#git, tree, [this.#tip], message));
        return true;
    }
    /** What an agent may be making of the file is nobody's; what the program wrote before counts. */
    async #stageHeld() {
        const { path, bytes } = this.#held ?? {};
        if (path === undefined || !bytes)
            return;
        const input = Buffer.from(bytes);
        const oid = await git_commit_textOf(this.#git, ["hash-object", "-w", "--no-filters", "--stdin"], { input });
        const row = `100644 ${oid}\t${path}\0`;
        await this.#git(["update-index", "--add", "-z", "--index-info"], { worktree: this.#place, input: row });
    }
    /** Commands that ask git see HEAD and an index that fit each other. */
    async #setTip(commit) {
        this.#tip = commit;
        await this.#git(["update-ref", "--no-deref", "HEAD", commit], { worktree: this.#place });
        const { index, records } = this.#place;
        await (0,promises_.copyFile)(index, `${index}-shown`);
        await (0,promises_.rename)(`${index}-shown`, (0,external_node_path_.join)(records, "index"));
    }
    async #fileAt(commit, path) {
        return (await this.#git(["cat-file", "blob", `${commit}:${path}`])).stdout;
    }
    #tell(path, why) {
        if (this.#told.has(path))
            return;
        this.#told.add(path);
        this.#notice(`${path} ${why}`);
    }
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
/** A folder stays. */
async function removeFileOrLink(path) {
    try {
        await (0,promises_.unlink)(path);
    }
    catch (error) {
        if (!["ENOENT", "ENOTDIR", "EISDIR", "EPERM"].includes((0,build_errors/* errnoOf */.UQ)(error) ?? ""))
            throw error;
    }
}

;// CONCATENATED MODULE: ./build/adapters/state-ref-branch.js
// The work branch beside a state ref: its commits here, its worktree, and what a person pushed to it.








/** How far back a branch is looked through for the commit that a run began with; behind it, it counts as rewritten. */
const MERGE_DEPTH = 50;
/** Calls are carried out one at a time, in the order they came. */
class WorkLine {
    /** Full name of the branch. */
    ref;
    #tools;
    #place;
    #opening;
    #worktree;
    #remoteTip;
    #bareTip;
    /** `remoteTip`: where the remote has the branch; its commit is here. */
    constructor(tools, place, remoteTip) {
        this.#tools = tools;
        this.#place = place;
        this.ref = `refs/heads/${place.branch}`;
        this.#remoteTip = remoteTip;
        this.#bareTip = remoteTip ?? place.base;
    }
    /** Where the remote had the branch when we last knew; undefined: there is none. */
    get remoteTip() {
        return this.#remoteTip;
    }
    /** The newest commit here. */
    get tip() {
        return this.#worktree?.tip ?? this.#bareTip;
    }
    async openWorktree() {
        this.#opening ??= (0,in_turn/* inTurn */.l)(this, async () => {
            const { git, temporary } = this.#tools;
            this.#worktree = await GitWorktree.open(git, temporary, this.#bareTip, this.#place.notice);
            return this.#worktree;
        });
        const worktree = await this.#opening;
        return {
            root: worktree.root,
            commit: (folder, message) => (0,in_turn/* inTurn */.l)(this, () => worktree.commitTask(folder, message)),
            commitAll: (message, options) => (0,in_turn/* inTurn */.l)(this, () => worktree.commitAll(message, options)),
            hold: (path) => worktree.hold(path),
        };
    }
    /** Commits what the worktree has, and something where the branch would be no other than its base. The newest commit. */
    save() {
        return (0,in_turn/* inTurn */.l)(this, async () => {
            await this.#worktree?.commitAll(this.#messageOf("chore: save work in progress"));
            if (this.#remoteTip === undefined && this.tip === this.#place.base) {
                // A pull request needs a commit that its base has not.
                const { git } = this.#tools;
                const tree = await git_commit_textOf(git, ["rev-parse", `${this.tip}^{tree}`]);
                await this.#moveTo(await git_commit_commitTree(git, tree, [this.tip], this.#messageOf("chore: begin")));
            }
            return this.tip;
        });
    }
    /** The remote has this commit now. */
    notePushed(commit) {
        this.#remoteTip = commit;
    }
    /** Brings in what a person pushed; the files where theirs stand against ours. */
    mergeRemote() {
        return (0,in_turn/* inTurn */.l)(this, async () => {
            const theirs = (await fetchTips(this.#tools, [this.ref], MERGE_DEPTH)).get(this.ref);
            const conflicts = theirs === undefined ? [] : await this.#bringIn(theirs);
            // Only now: the next push takes the place of this commit, so what is pushed must have it.
            this.#remoteTip = theirs;
            return conflicts;
        });
    }
    async #bringIn(theirs) {
        const { git, temporary } = this.#tools;
        const base = this.#remoteTip ?? this.#place.base;
        // What was written while their push was fetched is merged, not replaced.
        await this.#worktree?.commitAll(this.#messageOf("chore: save work in progress"));
        const before = this.tip;
        if (before === base)
            return this.#describe(await this.#moveTo(theirs), before);
        const { tree, conflicts } = await mergeTrees(git, temporary, { base, ours: this.tip, theirs });
        // The server takes no history that begins at a commit which it has not any more.
        const isRewritten = !(await isAncestor(git, base, theirs));
        const commit = isRewritten
            ? await git_commit_commitTree(git, tree, [theirs], this.#messageOf("chore: bring the work to the rewritten branch"))
            : await git_commit_commitTree(git, tree, [this.tip, theirs], MERGE_MESSAGE);
        return this.#describe([...conflicts, ...(await this.#moveTo(commit))], before);
    }
    /** As they stand at the tip, and as they were in the commit that the run had `before`. */
    async #describe(conflicts, before) {
        const commit = this.tip;
        const paths = [...new Set(conflicts)];
        const [theirs, ours] = await Promise.all([commit, before].map((one) => hashesAt(this.#tools.git, one, paths)));
        return paths.map((path) => {
            const [sha256, own] = [theirs?.get(path), ours?.get(path)];
            return { path, commit, ...(sha256 ? { sha256 } : {}), ...(own ? { ours: own } : {}) };
        });
    }
    #messageOf(subject) {
        return `${subject}\n\n${repository/* RUN_TRAILER */.c}: ${this.#place.run}\n`;
    }
    async #moveTo(commit) {
        const replaced = (await this.#worktree?.moveTo(commit)) ?? [];
        this.#bareTip = commit;
        return replaced;
    }
}
/** SHA-256 (hex) of the files of a commit, by path; what is a folder there, or nothing, is missing. */
async function hashesAt(git, commit, paths) {
    const hashes = new Map();
    if (paths.length === 0)
        return hashes;
    const wanted = new Set(paths);
    const listed = rowsOf((await git(["ls-tree", "-r", "-l", "-z", commit])).stdout).flatMap((row) => {
        const [, oid = "", size, path = ""] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(row) ?? [];
        return wanted.has(path) ? [{ oid, path, size: Number(size) }] : [];
    });
    for (const part of partsOf(listed)) {
        const oids = part.map(({ oid }) => oid);
        const blobs = await readBlobs(git, oids);
        for (const [index, { path }] of part.entries()) {
            hashes.set(path, (0,hash/* sha256Of */.B)(blobs[index] ?? ""));
        }
    }
    return hashes;
}
async function isAncestor(git, commit, of) {
    return (await git(["merge-base", "--is-ancestor", commit, of], { answers: [1] })).exitCode === 0;
}

// EXTERNAL MODULE: ./build/adapters/durable-file.js
var durable_file = __webpack_require__(63861);
;// CONCATENATED MODULE: ./build/adapters/state-ref-tree.js
// The files of a work's state as the tree of its state ref, and back.








const STORES = ["events", "conversation", "audit"];
const KNOWN = new RegExp(`^(header\\.json|frozen/[0-9a-f]{64}|(work|sessions/[a-z0-9][a-z0-9-]{0,80}/(${STORES.join("|")}))/\\d{6}\\.jsonl)$`);
const state_ref_tree_AT_ONCE = 64;
/** Far above what works come to: more was not written by a run, and is not taken into memory. */
const MOST_FILES = 20_000;
const state_ref_tree_MOST_BYTES = 512 * 1024 * 1024;
/** What of a work's state folder stands in git; everything else there (locks, logs) stays on this machine. */
class StateTree {
    #git;
    #folder;
    #index;
    #known = new Map();
    /** `index`: absolute path of a file that is this tree's alone. */
    constructor(git, folder, index) {
        this.#git = git;
        this.#folder = folder;
        this.#index = index;
    }
    /**
     * Writes the files of a checkpoint into the folder, which must have none of them. Fails with `store-corrupt` before it
     * writes anything where the commit has something that is no state of a work.
     */
    async fill(commit) {
        const listed = rowsOf((await this.#git(["ls-tree", "-r", "-l", "-z", commit])).stdout);
        const files = listed.map((row) => {
            const [, mode, oid, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(row) ?? [];
            if (mode === "100644" && oid && path && KNOWN.test(path))
                return { path, oid, size: Number(size) };
            throw notState(commit, `it has ${JSON.stringify(path ?? row)}${mode === "100644" ? "" : ` (${mode})`}`);
        });
        const paths = new Set(files.map(({ path }) => path));
        if (paths.size < files.length)
            throw notState(commit, "it has a file twice");
        if (!paths.has("header.json"))
            throw notState(commit, "it has no header.json");
        checkSize(commit, files);
        const blobs = await readBlobs(this.#git, files.map(({ oid }) => oid));
        for (const folder of new Set(files.map(({ path }) => (0,external_node_path_.dirname)(path)))) {
            await (0,promises_.mkdir)((0,external_node_path_.join)(this.#folder, folder), { recursive: true });
        }
        for (let next = 0; next < files.length; next += state_ref_tree_AT_ONCE) {
            const some = files.slice(next, next + state_ref_tree_AT_ONCE).map(({ path }, offset) => {
                return (0,promises_.writeFile)((0,external_node_path_.join)(this.#folder, path), blobs[next + offset] ?? "", { flag: "wx" });
            });
            await Promise.all(some);
        }
        for (const { path, oid, size } of files)
            this.#known.set(path, { oid, size });
        await this.#git(["read-tree", commit], { index: this.#index });
    }
    /** Id of the tree of what is in the folder now; only new files are read. The stores must be sealed. */
    async write() {
        const present = new Map(listState(this.#folder).map((path) => [path, this.#sizeOf(path)]));
        const gone = [...this.#known.keys()].filter((path) => !present.has(path));
        const fresh = [...present].filter(([path, size]) => this.#known.get(path)?.size !== size);
        const hashed = await this.#hash(fresh.map(([path]) => path));
        const rows = [
            ...gone.map((path) => `0 ${NO_OBJECT}\t${path}\0`),
            ...fresh.map(([path], index) => `100644 ${hashed[index]}\t${path}\0`),
        ];
        const input = rows.join("");
        await unlockIndex({ index: this.#index });
        await this.#git(["update-index", "-z", "--index-info"], { index: this.#index, input });
        // Only now: what the index lacks after a failure must be brought to it by the next checkpoint.
        for (const path of gone)
            this.#known.delete(path);
        for (const [index, [path, size]] of fresh.entries()) {
            this.#known.set(path, { oid: hashed[index] ?? "", size });
        }
        return git_commit_textOf(this.#git, ["write-tree"], { index: this.#index });
    }
    #sizeOf(path) {
        const found = (0,external_node_fs_.lstatSync)((0,external_node_path_.join)(this.#folder, path));
        if (found.isFile())
            return found.size;
        throw new build_errors/* LoopliaError */.$K("store-corrupt", `${(0,external_node_path_.join)(this.#folder, path)} is no regular file.`);
    }
    async #hash(paths) {
        if (paths.length === 0)
            return [];
        const input = paths.map((path) => `${(0,external_node_path_.join)(this.#folder, path)}\n`).join("");
        const hashed = await git_commit_textOf(this.#git, ["hash-object", "-w", "--no-filters", "--stdin-paths"], { input });
        return hashed.split("\n");
    }
}
/** Paths of the files in a work's folder that are its state, in no order. */
function listState(folder) {
    const below = (place) => (0,durable_file/* namesIn */.wX)((0,external_node_path_.join)(folder, place)).map((name) => `${place}/${name}`);
    const stores = below("sessions").flatMap((session) => STORES.map((store) => `${session}/${store}`));
    const all = [...(0,durable_file/* namesIn */.wX)(folder), ...["frozen", "work", ...stores].flatMap(below)];
    return all.filter((path) => KNOWN.test(path));
}
function checkSize(commit, files) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (files.length > MOST_FILES)
        throw notState(commit, `it has ${files.length} files, at most ${MOST_FILES} are read`);
    if (bytes <= state_ref_tree_MOST_BYTES)
        return;
    const [has, most] = [bytes, state_ref_tree_MOST_BYTES].map((size) => Math.ceil(size / 1024 / 1024));
    throw notState(commit, `it has ${has} MiB, at most ${most} are read`);
}
/** What stands at the state ref was written by somebody else. */
function notState(commit, why) {
    return new build_errors/* LoopliaError */.$K("store-corrupt", `Commit ${commit} is no state of a work: ${why}.`, {
        hint: "Somebody else wrote to the state ref. Put it back to an earlier commit of its own, or delete it.",
    });
}

;// CONCATENATED MODULE: ./build/adapters/waiting-line.js
// What waits for its turn is one: those who ask for the same before it begins get the same answer.
/** An empty line; it begins what waits in the order asked, one at a time. */
function createWaitingLine() {
    let waiting;
    let last = Promise.resolve();
    return {
        join(want, kind, isUrgent, work) {
            if (waiting?.kind !== kind) {
                let hurryUp = () => { };
                const hurry = new Promise((resolve) => {
                    hurryUp = resolve;
                });
                const wants = new Set();
                const close = () => {
                    if (waiting === mine)
                        waiting = undefined;
                    return [...wants].join(", ");
                };
                const run = () => work({ hurry, close }).finally(close);
                const result = last.then(run, run);
                last = result.catch(() => { });
                const mine = { kind, wants, hurry: hurryUp, result };
                waiting = mine;
            }
            waiting.wants.add(want);
            if (isUrgent)
                waiting.hurry();
            return waiting.result;
        },
    };
}

;// CONCATENATED MODULE: ./build/adapters/state-ref.js
// The state ref of a work and its branch: read at one moment, moved together.









const MERGES = 5;
/** An older claim looks dead to those who can't ask whether its run is: then a checkpoint is made though nothing is new. */
const FRESH_MS = 4 * 60_000;
/** Reads both refs, and writes what the state ref has into the local folder. */
async function openStateRef(tools, place) {
    checkRefs(place);
    const branchRef = `refs/heads/${place.branch}`;
    const tips = await fetchTips(tools, [place.ref, branchRef]);
    const index = (0,external_node_path_.join)(tools.temporary, `state-index-${(0,external_node_crypto_.randomBytes)(6).toString("hex")}`);
    const tree = new StateTree(tools.git, place.folder, index);
    const commit = tips.get(place.ref);
    const last = commit === undefined ? undefined : await readCheckpoint(tools.git, commit);
    if (commit !== undefined)
        await tree.fill(commit);
    return new GitStateRef(tools, place, tree, new WorkLine(tools, place, tips.get(branchRef)), last);
}
function checkRefs({ ref, base }) {
    checkedId(base);
    if (/^refs\/(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)+[a-z0-9][a-z0-9-]{0,80}$/.test(ref))
        return;
    throw new build_errors/* LoopliaError */.$K("config-invalid", `${JSON.stringify(ref)} is no state ref`, {
        hint: "set `state-ref-prefix` to the beginning of a ref, for example refs/looplia/",
    });
}
async function readCheckpoint(git, commit) {
    const { message, at } = await readCommit(git, commit);
    const trailers = new Map();
    for (const line of (message.trimEnd().split("\n\n").at(-1) ?? "").split("\n")) {
        const [, name, value] = /^([A-Za-z]+): (\S+)$/.exec(line) ?? [];
        if (name && value)
            trailers.set(name, value);
    }
    const [work, run] = [trailers.get("Work"), trailers.get("Run")];
    if (work && run && trailers.has("Nonce"))
        return { commit, work: checkedId(work), run, at };
    throw notState(commit, "it has no trailers of a checkpoint");
}
class GitStateRef {
    #tools;
    #place;
    #tree;
    #branch;
    #line = createWaitingLine();
    #last;
    /** What the last checkpoint of this run had. */
    #lastTree;
    #lost;
    /** Pushed, and no answer says what became of it. */
    #inDoubt;
    #soft;
    constructor(tools, place, tree, branch, last) {
        this.#tools = tools;
        this.#place = place;
        this.#tree = tree;
        this.#branch = branch;
        this.#last = last;
    }
    get last() {
        return this.#last;
    }
    get isOurs() {
        return this.#lastTree !== undefined && this.#lost === undefined;
    }
    get branchTip() {
        return this.#branch.remoteTip;
    }
    openWorktree() {
        return this.#branch.openWorktree();
    }
    checkpoint(message, options = {}) {
        const { isUrgent = false, stateOnly = false } = options;
        return this.#line.join(message, stateOnly ? "state" : "both", isUrgent, async (ticket) => {
            this.#checkNotLost(stateOnly);
            await this.#tools.rate.turn(ticket.hurry);
            clearTimeout(this.#soft);
            this.#soft = undefined;
            return this.#make(ticket.close(), stateOnly);
        });
    }
    checkpointSoon(message) {
        if (this.#soft || this.#lost)
            return;
        const wait = this.#tools.rate.untilSoft();
        this.#soft = setTimeout(() => {
            this.#soft = undefined;
            this.checkpoint(message).catch((thrown) => {
                // What was lost is told to `whenLost`; the rest is tried again by the next checkpoint.
                if (thrown !== this.#lost)
                    this.#place.notice(`Not saved yet: ${(0,build_errors/* messageOf */.bD)(thrown)}`);
            });
        }, wait).unref();
    }
    together(work) {
        return (0,in_turn/* inTurn */.l)(this, work);
    }
    /** The last words of a work whose branch was deleted may still be kept. */
    #checkNotLost(stateOnly) {
        if (this.#lost && !(stateOnly && this.#lost.code === "closed"))
            throw this.#lost;
    }
    async #make(message, stateOnly) {
        await this.#settleDoubt();
        for (let merges = 0; merges <= MERGES; merges += 1) {
            if (!stateOnly && this.#last && this.#branch.remoteTip === undefined)
                throw this.#lose("gone");
            const { tree, work, audits } = await this.#prepare(stateOnly);
            const last = this.#last;
            if (last && tree === this.#lastTree && work === last.work && isFresh(last)) {
                return last;
            }
            const { commit, pushed } = await this.#push({ message, tree, audits }, stateOnly ? undefined : work);
            if (pushed.kind === "lost" || pushed.kind === "gone")
                throw this.#lose(pushed.kind);
            if (pushed.kind !== "moved")
                this.#last = await readCheckpoint(this.#tools.git, commit);
            this.#inDoubt = undefined;
            if (pushed.kind === "won" && this.#last) {
                this.#lastTree = tree;
                if (!stateOnly)
                    this.#branch.notePushed(work);
                return this.#last;
            }
            if (pushed.kind === "half" && isRefusal(pushed.reason))
                throw pushed.reason;
            const conflicts = await this.#branch.mergeRemote();
            if (conflicts.length > 0)
                await this.#place.whenConflict(conflicts);
        }
        throw new build_errors/* LoopliaError */.$K("host-failed", `branch ${this.#place.branch} refuses this run's commits`, {
            hint: "run again when nobody pushes to it, and let the branch prefix pass the repository's rules",
        });
    }
    /** What there is at one moment: the stores wait meanwhile, so no effect is in the worktree without its record. */
    #prepare(stateOnly) {
        return (0,in_turn/* inTurn */.l)(this, async () => {
            let tree = "";
            let audits = "";
            let work = this.#last?.work ?? this.#branch.tip;
            await this.#place.seal(async () => {
                tree = await this.#tree.write();
                audits = auditTrailers(this.#place.auditHeads());
                if (!stateOnly)
                    work = await this.#branch.save();
            });
            return { tree, work, audits };
        });
    }
    async #push({ message, tree, audits }, work) {
        const { ref, run } = this.#place;
        const { git, rate } = this.#tools;
        const expected = this.#last?.commit;
        // Two runs that made the same commit would both believe that theirs was taken.
        const nonce = (0,external_node_crypto_.randomBytes)(16).toString("hex");
        const trailers = `Work: ${work ?? this.#last?.work ?? this.#branch.tip}\nRun: ${run}\nNonce: ${nonce}\n${audits}`;
        const parents = expected === undefined ? [] : [expected];
        const commit = await git_commit_commitTree(git, tree, parents, `${toLine(message)}\n\n${trailers}`);
        const branch = work && { ref: this.#branch.ref, commit: work, expected: this.#branch.remoteTip };
        const moves = { state: { ref, commit, expected }, ...(branch ? { branch } : {}) };
        this.#inDoubt = { commit, work };
        return { commit, pushed: await pushTogether(this.#tools, moves, () => rate.count()) };
    }
    /** An earlier push may have been carried out though it failed here: then its commit is the one to go on from. */
    async #settleDoubt() {
        if (!this.#inDoubt)
            return;
        const { commit, work } = this.#inDoubt;
        const tips = await state_ref_push_readTips(this.#tools, [this.#place.ref, this.#branch.ref]);
        if (tips.get(this.#place.ref) === commit) {
            this.#last = await readCheckpoint(this.#tools.git, commit);
            if (work !== undefined && tips.get(this.#branch.ref) === work)
                this.#branch.notePushed(work);
        }
        this.#inDoubt = undefined;
    }
    #lose(kind) {
        const { ref, branch } = this.#place;
        clearTimeout(this.#soft);
        this.#lost =
            kind === "lost"
                ? new build_errors/* LoopliaError */.$K("lost-race", `another run wrote to ${ref} first, so this one gave way`, {
                    hint: "let one run at a time work on it: give the workflow a concurrency group",
                })
                : new build_errors/* LoopliaError */.$K("closed", `branch ${branch} or its state was deleted while the work was open`, {
                    hint: "run again to begin a new one; the results of this run are in its artifact",
                });
        this.#place.whenLost(this.#lost);
        return this.#lost;
    }
}
/** Whoever knows a later commit sees what was cut off the log of an earlier one, and what was written anew. */
function auditTrailers(heads) {
    return [...heads].map(([session, { count, hash }]) => `Audit: ${session} ${count} ${hash}\n`).join("");
}
function isFresh({ at }) {
    return Date.now() - Date.parse(at) < FRESH_MS;
}
function toLine(message) {
    return message.replaceAll(/\s+/g, " ").trim().slice(0, 200) || "checkpoint";
}

;// CONCATENATED MODULE: ./build/adapters/ask-together.js
// Many small questions to one slow source: those that come at one time are asked together.
/**
 * Asks at once for what came in the same moment, or while an answer was under way. `ask` answers in the order asked; where
 * it fails, all who asked with it fail.
 */
function askTogether(ask) {
    let waiting = [];
    let isAsking = false;
    const askAll = async () => {
        await Promise.resolve(); // who asks in the same moment goes along
        while (waiting.length > 0) {
            const now = waiting;
            waiting = [];
            try {
                const answers = await ask(now.map(({ asked }) => asked));
                for (const [index, { resolve }] of now.entries())
                    resolve(answers[index]);
            }
            catch (thrown) {
                for (const { reject } of now)
                    reject(thrown);
            }
        }
        isAsking = false;
    };
    return (asked) => new Promise((resolve, reject) => {
        waiting.push({ asked, resolve, reject });
        if (isAsking)
            return;
        isAsking = true;
        void askAll();
    });
}

// EXTERNAL MODULE: ./build/adapters/file-access.js
var file_access = __webpack_require__(74870);
// EXTERNAL MODULE: ./build/adapters/path-rules.js
var path_rules = __webpack_require__(90460);
// EXTERNAL MODULE: ./build/adapters/workspace.js + 3 modules
var workspace = __webpack_require__(85831);
;// CONCATENATED MODULE: ./build/adapters/trusted-files.js
// Read-only files of the trusted ref: a folder on the disk, or a commit that is read without checking it out.






const trusted_files_MAX_BYTES = 10 * 1024 * 1024;
/** The working tree, or a folder of the program's own. `label` stands before paths in diagnostics. */
async function trustedFolder(root, label) {
    const base = realRoot(root);
    return {
        label,
        async read(path) {
            const bytes = await readInside(base, splitPath(path), trusted_files_MAX_BYTES);
            return bytes === undefined ? undefined : decode(`${label}${path}`, bytes);
        },
        list: async (folder) => (await listInside(base, folder)).map((entry) => entry.name),
    };
}
/**
 * The tree of a commit (its full id), below `folder` of it. Links are followed inside the tree, never out of it. What is
 * asked at one time is read by one process.
 */
function trustedCommit(git, commit, label, folder = "") {
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
        throw new build_errors/* LoopliaError */.$K("config-invalid", `${(0,path_rules/* showPath */.P8)(commit)} is not the full id of a commit.`);
    }
    const find = askTogether((names) => findObjects(git, names));
    const contents = askTogether((objects) => readObjects(git, objects));
    const look = async (path) => {
        const name = `${commit}:${[...(0,path_rules/* splitPath */.Uf)(folder), ...(0,path_rules/* splitPath */.Uf)(path)].join("/")}`;
        if (/\p{Cc}/u.test(name))
            throw unreadable(`${label}${path}`, "has a control character in its name");
        const found = await find(name);
        if (found !== "leads-away")
            return found;
        throw unreadable(`${label}${path}`, "is a link that leads out of the repository, to nothing, or in a circle");
    };
    return {
        label,
        async read(path) {
            const found = await look(path);
            if (found?.type !== "blob")
                return undefined;
            if (found.size > trusted_files_MAX_BYTES)
                throw unreadable(`${label}${path}`, "is larger than 10 MiB");
            return decode(`${label}${path}`, await contents(found));
        },
        async list(path) {
            const found = await look(path);
            return found?.type === "tree" ? namesOfTree(await contents(found), found.oid.length / 2).sort() : [];
        },
    };
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
/**
 * Makes an empty clone below `temporary` for the remote (a URL, or a path). Nothing is fetched yet. The folder is the
 * caller's to remove; worktrees lie below it as well.
 */
async function openRepository(options) {
    const folder = (0,external_node_path_.join)(options.temporary, "repository.git");
    const home = (0,external_node_path_.join)(options.temporary, "home");
    await (0,promises_.mkdir)(home, { recursive: true });
    await (0,promises_.mkdir)(folder, { recursive: true });
    const { remote, token, environment, rate } = options;
    const git = (0,git_process/* createGit */.l)({ folder, home, remote, token, environment });
    await git(["init", "--quiet", "--bare", "--template=", "."]);
    await (0,promises_.mkdir)((0,external_node_path_.join)(folder, "info"), { recursive: true });
    await (0,promises_.writeFile)((0,external_node_path_.join)(folder, "info", "attributes"), ATTRIBUTES);
    const tipOf = async (branch) => {
        const ref = `refs/heads/${branch}`;
        return (await state_ref_push_readTips({ git, remote }, [ref])).get(ref);
    };
    const fetched = new Set();
    const fetch = async (commit, branch) => {
        if (!fetched.has(commit))
            await fetchCommit(git, remote, commit, branch);
        fetched.add(commit);
    };
    return {
        folder,
        defaultBranch: () => readDefaultBranch(git, remote),
        tipOf,
        fetchCommit: fetch,
        listFiles: rememberLists((commit, below) => listFiles(git, commit, below)),
        readBlobs: (oids) => readBlobs(git, oids),
        trustedFiles: (commit, below, label) => trustedCommit(git, checkedId(commit), label, below),
        storedWorks: (prefix) => listStoredWorks({
            git,
            remote,
            temporary: options.temporary,
            createClone: (clone) => (0,git_process/* createGit */.l)({ folder: clone, home, remote, token, environment }),
        }, prefix),
        letters: (stateRef) => openLetters({ git, remote, rate }, stateRef),
        openStateRef: (place) => openStateRef({ git, remote, temporary: options.temporary, rate }, place),
    };
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
/** What a commit has never changes. */
function rememberLists(list) {
    const known = new Map();
    return (commit, below) => {
        const name = `${commit}:${below}`;
        const listed = known.get(name) ?? list(commit, below);
        known.set(name, listed);
        return listed;
    };
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

;// CONCATENATED MODULE: ./build/adapters/github-client.js
// The connection to GitHub's REST API and its errors. Octokit is loaded with the first request.

/** GitHub's limit of characters for a comment and for a pull request's text. */
const LIMIT = 65_536;
const LONGEST_WAIT_SECONDS = 60;
/** GitHub accepts about this many requests a minute that create something people are told of. */
const CREATIONS_A_MINUTE = 80;
/** A server that says nothing for so long is asked again. */
const TIMEOUT_MS = 30_000;
const SETTING = "allow it under Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests” (of the organisation too, if it decides), then run again: the branch is pushed";
/** Requests of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
function openApi(place) {
    const [owner = "", repo = ""] = place.repository.split("/");
    let connecting;
    const client = () => {
        connecting ??= connect(place);
        return connecting;
    };
    return { client, owner, repo };
}
async function connect(place) {
    const [{ Octokit }, { throttling }, { retry }, { paginateRest }, { default: Bottleneck }] = await Promise.all([
        __webpack_require__.e(/* import() */ 730).then(__webpack_require__.bind(__webpack_require__, 14730)),
        Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(475)]).then(__webpack_require__.bind(__webpack_require__, 86856)),
        Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(735)]).then(__webpack_require__.bind(__webpack_require__, 49735)),
        __webpack_require__.e(/* import() */ 779).then(__webpack_require__.bind(__webpack_require__, 93779)),
        __webpack_require__.e(/* import() */ 251).then(__webpack_require__.t.bind(__webpack_require__, 63251, 19)),
    ]);
    const second = place.secondMs ?? 1000;
    const waitOrNot = (seconds, _request, _octokit, retries) => seconds <= LONGEST_WAIT_SECONDS && retries < 2;
    const silent = () => { };
    const timed = (url, init) => fetchWhole(url, { ...init, signal: AbortSignal.timeout(place.timeoutMs ?? TIMEOUT_MS) });
    // The plugin's own pace is a write a second and a comment in three, which would keep a runner waiting for nothing.
    const pace = () => new Bottleneck.Group({
        maxConcurrent: 1,
        reservoir: CREATIONS_A_MINUTE,
        reservoirRefreshAmount: CREATIONS_A_MINUTE,
        reservoirRefreshInterval: 60 * second,
    });
    return new (Octokit.plugin(throttling, retry, paginateRest))({
        auth: place.token,
        baseUrl: place.apiUrl.replace(/\/+$/, ""),
        userAgent: "looplia-action",
        log: { debug: silent, info: silent, warn: silent, error: silent },
        request: { fetch: timed },
        retry: { retryAfterBaseValue: second },
        throttle: {
            id: `${place.apiUrl} ${place.repository}`,
            onRateLimit: waitOrNot,
            onSecondaryRateLimit: waitOrNot,
            retryAfterBaseValue: second,
            write: pace(),
            notifications: pace(),
        },
    });
}
/** An answer that broke off is none, so that it is asked for again: Octokit would take it for an empty one. */
const fetchWhole = async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null)
        return response;
    const text = await response.text();
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get("content-type") ?? "");
    if (response.ok && isJson)
        JSON.parse(text);
    return new Response(text, response);
};
/** The text, or `host-failed` where GitHub would refuse its length; `what` names it. */
function checkedText(what, text, limit = LIMIT) {
    if (text.length <= limit)
        return text;
    throw new build_errors/* LoopliaError */.$K("host-failed", `${what} of ${text.length} characters is over ${limit}`);
}
/** Errors of the work as `host-failed` with a hint; `what` completes "GitHub did not …". */
async function translate(what, work) {
    try {
        return await work();
    }
    catch (thrown) {
        throw translated(what, thrown);
    }
}
/** Like `translate`, but `instead` stands for what GitHub says with one of these statuses. */
async function translateBut(what, statuses, instead, work) {
    try {
        return await work();
    }
    catch (thrown) {
        if (statuses.includes(statusOf(thrown) ?? 0) && !isRateLimit(thrown))
            return instead;
        throw translated(what, thrown);
    }
}
/** For requests that make something: the plugin's retries look nothing up. */
const UNREPEATED = { request: { retries: 0 } };
/**
 * Makes something once. Where no answer came, or the server failed, it may be there all the same: then `find` looks, and
 * only where it finds nothing is it made again.
 */
async function makeOnce(what, make, find) {
    try {
        return await make();
    }
    catch (thrown) {
        const status = statusOf(thrown);
        if (thrown instanceof build_errors/* LoopliaError */.$K || (status !== undefined && status < 500))
            throw thrown;
    }
    return translate(what, async () => (await find()) ?? (await make()));
}
/** What was thrown as `host-failed`, unless it is an expected failure already. */
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
    if (/is locked/i.test(said))
        return "unlock the pull request's conversation";
    if (status === 401)
        return "check the github-token: it is missing or expired";
    if (isLimited(status, said))
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
/** The status that GitHub answered with; undefined where no answer came. */
function statusOf(thrown) {
    const status = fieldOf(thrown, "status");
    return typeof status === "number" && fieldOf(thrown, "response") !== undefined ? status : undefined;
}
/** A property of anything. */
function fieldOf(value, name) {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
/** Whether GitHub answers nothing for now, and it is no question of permissions. */
function isRateLimit(thrown) {
    return isLimited(statusOf(thrown), wordsOf(thrown));
}
function isLimited(status, said) {
    return status === 429 || (status === 403 && /rate limit/i.test(said));
}

;// CONCATENATED MODULE: ./build/adapters/github.js

/** The code host of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
function createGithubHost(place) {
    const api = openApi(place);
    return {
        pullRequestsOf: (branch) => translate("list pull requests", () => listPullRequests(api, branch)),
        pullRequest: (number) => readPullRequest(api, number),
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
function readPullRequest({ client, owner, repo }, number) {
    return translateBut("read the pull request", [404], undefined, async () => {
        const fields = { owner, repo, pull_number: number };
        const { data } = await (await client()).request("GET /repos/{owner}/{repo}/pulls/{pull_number}", fields);
        const { head, base, user } = data;
        return {
            ...toPullRequest(data),
            branch: head.ref,
            headSha: head.sha,
            // The repository of a fork that is gone is null, whatever the types say.
            headRepository: head.repo?.full_name,
            base: base.ref,
            isMerged: data.merged,
            isDraft: data.draft ?? false,
            author: user === null ? null : { id: Number(user.id), login: user.login },
        };
    });
}
async function openPullRequest(api, request) {
    const { client, owner, repo } = api;
    const { branch: head, base, title } = request;
    try {
        const body = checkedText("a pull request's text", request.body);
        const fields = { owner, repo, head, base, title, body, ...(request.isDraft ? { draft: true } : {}) };
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
    const fields = {
        owner,
        repo,
        pull_number: number,
        title: change.title,
        body: checkedText("a pull request's text", change.body),
    };
    const updated = await (await client()).request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", fields);
    return toPullRequest(updated.data);
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

;// CONCATENATED MODULE: ./build/adapters/github-checks.js

const LONGEST_SUMMARY = 65_535;
const LONGEST_TITLE = 255;
/** No permission, or a check of another app: the latter is answered by a new one. */
const REFUSED = [403, 404];
/**
 * Makes the check of this name on its commit, or changes the one that is there. Resolves to its id, or to undefined where
 * the token may not write checks.
 */
async function saveCheck(api, check) {
    const fields = toFields(check);
    const known = check.id ?? (await findCheck(api, check));
    if (known === "unreadable")
        return undefined;
    const changed = known === undefined ? undefined : await changeCheck(api, known, fields);
    return changed ?? createCheck(api, check, fields);
}
function toFields(check) {
    return {
        name: check.name,
        status: "completed",
        conclusion: check.conclusion,
        details_url: check.detailsUrl,
        external_id: externalId(check),
        output: {
            title: checkedText("a check's title", check.title, LONGEST_TITLE),
            summary: checkedText("a check's summary", check.summary, LONGEST_SUMMARY),
        },
    };
}
/** Jobs of workflows are check runs of the same app: ours are known by this, not by their name. */
function externalId({ name }) {
    return `looplia:${name}`;
}
function findCheck(api, check) {
    return translateBut("list checks", REFUSED, "unreadable", () => lookUp(api, check));
}
async function lookUp({ client, owner, repo }, check) {
    const query = { owner, repo, ref: check.headSha, check_name: check.name, per_page: 100 };
    const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
    const { check_runs: found } = (await (await client()).request(route, query)).data;
    const ours = found.find((one) => one.external_id === externalId(check));
    return ours && Number(ours.id);
}
function changeCheck({ client, owner, repo }, id, fields) {
    return translateBut("change a check", REFUSED, undefined, async () => {
        const route = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
        const changed = await (await client()).request(route, { owner, repo, check_run_id: id, ...fields });
        return Number(changed.data.id);
    });
}
function createCheck(api, check, fields) {
    const { client, owner, repo } = api;
    const create = async () => {
        const route = "POST /repos/{owner}/{repo}/check-runs";
        const all = { owner, repo, head_sha: check.headSha, ...fields, ...UNREPEATED };
        return Number((await (await client()).request(route, all)).data.id);
    };
    const find = () => lookUp(api, check);
    return translateBut("make a check", REFUSED, undefined, () => makeOnce("make a check", create, find));
}

;// CONCATENATED MODULE: ./build/adapters/github-discussion.js
// Comments, reactions, permissions and checks over GitHub's REST API.



const ROLES = ["none", "read", "triage", "write", "maintain", "admin"];
/** The discussions of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
function createGithubDiscussion(place) {
    const api = openApi(place);
    return {
        comments: (pullRequest, since) => translate("list comments", () => listComments(api, pullRequest, since)),
        postComment: (pullRequest, body) => postComment(api, pullRequest, body),
        editComment: (id, body) => editComment(api, id, body),
        react: (commentId, reaction) => react(api, commentId, reaction),
        permissionOf: (login) => permissionOf(api, login),
        isTeamMember: (team, login) => isTeamMember(api, team, login),
        isRunLive: (runId, attempt) => isRunLive(api, runId, attempt),
        saveCheck: (check) => saveCheck(api, check),
    };
}
async function listComments({ client, owner, repo }, number, since) {
    const query = { owner, repo, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
    const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
    const found = await (await client()).paginate(route, query);
    // The API's `since` is about changes: an old comment that was edited comes back.
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    return found
        .map(toComment)
        .filter((comment) => Date.parse(comment.createdAt) >= from)
        .sort((a, b) => a.id - b.id);
}
/**
 * A comment rings phones: one whose acknowledgement was lost is found and not posted again; with a person's token, whose
 * comments look like anybody's, it is.
 */
function postComment(api, number, text) {
    const { client, owner, repo } = api;
    const post = async () => {
        const fields = { owner, repo, issue_number: number, body: checkedText("a comment", text), ...UNREPEATED };
        const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
        return toComment((await (await client()).request(route, fields)).data);
    };
    const find = async () => {
        const posted = await listComments(api, number, undefined);
        // Whoever reads a comment can write the same: a person's copy is none of ours.
        return posted.findLast(({ body, author }) => author?.isBot === true && sameText(body, text));
    };
    return translate("post a comment", () => makeOnce("post a comment", post, find));
}
async function editComment({ client, owner, repo }, id, text) {
    const body = checkedText("a comment", text);
    return translateBut("edit a comment", [404, 410], undefined, async () => {
        const route = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";
        return toComment((await (await client()).request(route, { owner, repo, comment_id: id, body })).data);
    });
}
function react({ client, owner, repo }, id, content) {
    // A comment that is gone needs no reaction.
    return translateBut("add a reaction", [404, 410], undefined, async () => {
        const route = "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
        await (await client()).request(route, { owner, repo, comment_id: id, content });
    });
}
function permissionOf({ client, owner, repo }, login) {
    const stranger = { role: "none", userId: undefined };
    return translateBut("tell a permission", [404], stranger, async () => {
        const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
        const { data } = await (await client()).request(route, { owner, repo, username: login });
        const userId = data.user === null ? undefined : Number(data.user.id);
        return { role: toRole(data.role_name) ?? toRole(data.permission) ?? "none", userId };
    });
}
async function isTeamMember({ client }, { org, slug }, login) {
    const fields = { org, team_slug: slug };
    const membership = await readTeams(`@${org}/${slug}`, async () => {
        const route = "GET /orgs/{org}/teams/{team_slug}/memberships/{username}";
        return (await (await client()).request(route, { ...fields, username: login })).data.state;
    });
    if (membership !== undefined)
        return membership === "active";
    // 404 is both no member and no such team, or none that this token may see.
    const team = await readTeams(`@${org}/${slug}`, async () => {
        return (await (await client()).request("GET /orgs/{org}/teams/{team_slug}", fields)).data.slug;
    });
    if (team === undefined)
        throw unreadableTeam(`@${org}/${slug}`);
    return false;
}
function readTeams(team, read) {
    return translateBut("tell a team's members", [404], undefined, async () => {
        try {
            return await read();
        }
        catch (thrown) {
            throw statusOf(thrown) === 403 && !isRateLimit(thrown) ? unreadableTeam(team, thrown) : thrown;
        }
    });
}
function unreadableTeam(team, cause) {
    return new build_errors/* LoopliaError */.$K("config-invalid", `approvers: the github-token cannot read the team ${team}`, {
        hint: "give a token that can read the organisation's teams, or name logins instead",
        ...(cause === undefined ? {} : { cause }),
    });
}
async function isRunLive({ client, owner, repo }, runId, attempt) {
    if (!/^\d+$/.test(runId) || !/^\d+$/.test(attempt))
        return undefined;
    const fields = { owner, repo, run_id: Number(runId), attempt_number: Number(attempt) };
    return translateBut("tell of a workflow run", [403, 404], undefined, async () => {
        const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}";
        const { status } = (await (await client()).request(route, fields)).data;
        return status === null ? undefined : status !== "completed";
    });
}
function toComment(reply) {
    const { user, performed_via_github_app: app } = reply;
    return {
        id: Number(reply.id),
        url: reply.html_url,
        author: user === null ? null : { id: Number(user.id), login: user.login, isBot: user.type === "Bot" },
        ...(app?.slug === undefined ? {} : { app: { id: Number(app.id), slug: app.slug } }),
        body: reply.body ?? "",
        createdAt: reply.created_at,
        updatedAt: reply.updated_at,
    };
}
/** An organisation may give its roles names of its own; then the level beneath counts. */
function toRole(name) {
    return ROLES.includes(name) ? name : undefined;
}
function sameText(a, b) {
    return a.replace(/\r\n/g, "\n").trim() === b.replace(/\r\n/g, "\n").trim();
}

;// CONCATENATED MODULE: ./build/adapters/push-rate.js
// At most so many pushes a minute: GitHub asks for no more than six to a repository.
const MINUTE_MS = 60_000;
const A_MINUTE = 6;
/** By the clock of this machine. One for all clones of a repository: GitHub counts what comes, not what it comes from. */
function pushRate(aMinute = A_MINUTE) {
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    return createPushRate({ aMinute, elapsed: () => performance.now(), sleep });
}
/** `elapsed`: monotonic milliseconds. */
function createPushRate(options) {
    const { aMinute, elapsed, sleep } = options;
    let times = [];
    const recent = () => {
        const since = elapsed() - MINUTE_MS;
        times = times.filter((time) => time > since);
        return times;
    };
    return {
        async turn(hurry) {
            let isHurried = false;
            const hurried = hurry.then(() => {
                isHurried = true;
            });
            while (!isHurried && recent().length >= aMinute) {
                const oldest = times[0] ?? elapsed();
                await Promise.race([sleep(Math.max(1, oldest + MINUTE_MS - elapsed())), hurried]);
            }
        },
        count() {
            times.push(elapsed());
        },
        untilSoft() {
            const last = times.at(-1);
            return last === undefined ? 0 : Math.max(0, last + (2 * MINUTE_MS) / aMinute - elapsed());
        },
    };
}

// EXTERNAL MODULE: ./build/adapters/store-cipher.js
var store_cipher = __webpack_require__(78686);
// EXTERNAL MODULE: ./build/adapters/store-files.js + 8 modules
var store_files = __webpack_require__(17141);
// EXTERNAL MODULE: ./build/adapters/store-header.js
var store_header = __webpack_require__(83140);
// EXTERNAL MODULE: ./build/adapters/store-scan.js
var store_scan = __webpack_require__(16728);
// EXTERNAL MODULE: ./build/config/secrets.js
var secrets = __webpack_require__(3654);
// EXTERNAL MODULE: ./build/session/codec.js
var codec = __webpack_require__(37677);
// EXTERNAL MODULE: ./build/session/fold-state.js
var fold_state = __webpack_require__(90680);
// EXTERNAL MODULE: ./build/session/redaction.js
var redaction = __webpack_require__(20134);
// EXTERNAL MODULE: ./build/session/session-view.js
var session_view = __webpack_require__(88929);
;// CONCATENATED MODULE: ./build/entrypoints/install.js
// Where the program itself is.


/** The folder that the program is installed in: two above its entry. */
async function findInstall() {
    const installFolder = (0,external_node_path_.dirname)((0,external_node_path_.dirname)((0,external_node_path_.dirname)(await (0,promises_.realpath)(process.argv[1] ?? ""))));
    const { version } = JSON.parse(await (0,promises_.readFile)((0,external_node_path_.join)(installFolder, "package.json"), "utf8"));
    return { installFolder, version };
}

// EXTERNAL MODULE: ./build/publish/markers.js
var markers = __webpack_require__(56019);
;// CONCATENATED MODULE: ./build/entrypoints/own-voice.js

/** The same discussion; a comment that begins otherwise is a bug, and is not posted. */
function requireMarkers(discussion) {
    return {
        ...discussion,
        postComment: async (pullRequest, body) => discussion.postComment(pullRequest, marked(body)),
        editComment: async (id, body) => discussion.editComment(id, marked(body)),
    };
}
function marked(body) {
    if ((0,markers/* readMarker */.t)(body))
        return body;
    throw new Error(`a comment without a marker: ${JSON.stringify(body.slice(0, 80))}`);
}

// EXTERNAL MODULE: ./build/entrypoints/redact-ports.js
var redact_ports = __webpack_require__(74146);
// EXTERNAL MODULE: ./build/entrypoints/wire.js + 68 modules
var wire = __webpack_require__(9895);
;// CONCATENATED MODULE: ./build/entrypoints/wire-action.js
// What the Action needs of the rest of the program.





















/** Everything that the Action needs of the rest of the program. `installed`: where that is. `rate`: of all pushes. */
async function wireAction(installed, rate = pushRate()) {
    const install = installed ?? (await findInstall());
    const redact = (0,redaction/* createRedactor */.lY)((0,secrets/* secretsOf */.F)(process.env));
    return {
        redact,
        loadAhead: () => void loadAhead().catch(() => undefined), // told where it is needed
        runTrigger: (place, trigger) => (0,wire.runTrigger)({ ...place, ...install }, trigger),
        openRepository: async ({ temporary, token, environment, ...where }) => {
            const remote = await git_remote_findRemote(where);
            const place = { temporary, token, remote, environment: (0,git_process/* gitEnvironment */._)(environment), rate };
            return openRepository(place);
        },
        codeHost: (place) => (0,redact_ports/* redactArguments */.G)(createGithubHost(place), redact),
        discussion: (place) => (0,redact_ports/* redactArguments */.G)(requireMarkers(createGithubDiscussion(place)), redact),
        openWorkStore: async (place) => {
            const sessions = toStored(await (0,store_scan/* readWholeWork */.nr)(place.folder));
            const { workId, kind, key } = place;
            const store = await storesOf(place, install.version).open({ workId, kind, key });
            return { store, sessions };
        },
        readSessions: async ({ folder }) => toStored(await (0,store_scan/* readWork */.Kc)(folder)),
        readKey: async ({ folder }) => (await (0,store_header/* readHeader */.ay)(folder))?.key,
        writeReports,
        uploadFolder: async (upload) => (await __webpack_require__.e(/* import() */ 630).then(__webpack_require__.bind(__webpack_require__, 14630))).uploadFolder(upload),
    };
}
async function loadAhead() {
    await (0,codec/* loadLineDecoder */.jH)();
    await __webpack_require__.e(/* import() */ 77).then(__webpack_require__.bind(__webpack_require__, 59077));
    await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(672)]).then(__webpack_require__.bind(__webpack_require__, 69291));
}
function toStored({ sessions }) {
    return [...sessions].map(([sessionId, { events, auditHead }]) => ({
        sessionId,
        state: (0,fold_state/* foldEvents */.v0)(events),
        auditHead,
    }));
}
function storesOf({ folder, stateKey }, codeVersion) {
    return (0,store_files/* openStores */.j)({ stateFolder: (0,external_node_path_.dirname)(folder), codeVersion, clock: wire.clock, stateKey });
}
/** What `looplia report` prints, as `logs/report-<session-id>.md` of the work's folder; anew where it is there. */
async function writeReports({ folder, stateKey }, sessionIds) {
    const { reportMarkdown, reportOf } = await __webpack_require__.e(/* import() */ 539).then(__webpack_require__.bind(__webpack_require__, 47539));
    const cipher = await (0,store_cipher/* storeCiphers */.m3)(stateKey)((0,external_node_path_.basename)(folder));
    const begun = new Set(await (0,promises_.readdir)((0,external_node_path_.join)(folder, "sessions")).catch(() => []));
    await (0,promises_.mkdir)((0,external_node_path_.join)(folder, "logs"), { recursive: true });
    for (const sessionId of sessionIds.filter((id) => begun.has(id))) {
        const stored = await (0,store_scan/* readSession */.lx)(folder, sessionId, cipher);
        const report = reportMarkdown(reportOf((0,session_view/* viewSession */.WY)(sessionId, stored)));
        await (0,promises_.writeFile)((0,external_node_path_.join)(folder, "logs", `report-${sessionId}.md`), report);
    }
}


/***/ })

};

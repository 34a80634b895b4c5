"use strict";
exports.id = 679;
exports.ids = [679];
exports.modules = {

/***/ 9679:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  doctorCommand: () => (/* binding */ doctorCommand)
});

// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(9150);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(7686);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9984);
// EXTERNAL MODULE: ./build/entrypoints/cli/read-tasks.js
var read_tasks = __webpack_require__(4035);
;// CONCATENATED MODULE: ./build/entrypoints/cli/doctor-checks.js
// The checks of `doctor` that need no network.








const LEAST_NODE = 20;
/** `version` as Node tells it: `v24.1.0`. */
function checkNode(version) {
    const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
    if (major >= LEAST_NODE)
        return { name: "node", isWell: true, detail: version };
    return {
        name: "node",
        isWell: false,
        detail: `${version} is too old`,
        mend: `install Node ${LEAST_NODE} or newer`,
    };
}
/** A warning is well, but shown. */
function findingOf(name, { hint, ...bare }) {
    const isWell = bare.severity === "warning";
    const detail = `${isWell ? "warning: " : ""}${(0,diagnostics/* formatDiagnostic */.x)(bare)}`;
    return { name, isWell, detail, ...(hint === undefined ? {} : { mend: hint }) };
}
/** What a run can do without, but a person should know. */
function warningOf(name, what, mend) {
    return { name, isWell: true, detail: `warning: ${what}`, mend };
}
/** Git must be there; a folder outside a repository is said but well. */
async function checkGit(root) {
    const run = (0,external_node_util_.promisify)(external_node_child_process_.execFile);
    try {
        const { stdout } = await run("git", ["--version"]);
        const where = await run("git", ["-C", root, "rev-parse", "--show-toplevel"]).then((found) => found.stdout.trim(), () => "not in a repository");
        return { name: "git", isWell: true, detail: `${stdout.trim()}, ${where}` };
    }
    catch {
        return {
            name: "git",
            isWell: false,
            detail: "git cannot be run",
            mend: "install git and put it on the PATH",
        };
    }
}
/** Pipelines, agents, skills, profile and prompts, all that is wrong with them at once. */
async function checkConfiguration(root, pipeline, wiring) {
    try {
        const { trusted, builtin } = await wiring.readFiles(root);
        const { loadConfiguration } = await Promise.resolve(/* import() */).then(__webpack_require__.bind(__webpack_require__, 8574));
        const { checkPrompts, createPrompts } = await Promise.resolve(/* import() */).then(__webpack_require__.bind(__webpack_require__, 9254));
        const prompts = createPrompts(builtin);
        const { configuration, diagnostics } = await loadConfiguration(trusted, builtin, { prompts });
        const { pipelines, agents, skills } = configuration;
        const findings = diagnostics.map((diagnostic) => findingOf("files", diagnostic));
        const named = pipelines.has(pipeline) ? [...pipelines.keys()] : [];
        if (named.length > 0)
            findings.push({ name: "pipelines", isWell: true, detail: named.join(", ") });
        else if (findings.every((finding) => finding.isWell)) {
            const mend = `use one of ${[...pipelines.keys()].join(", ")}`;
            findings.push({ name: "pipelines", isWell: false, detail: `there is no pipeline ${pipeline}`, mend });
        }
        findings.push({ name: "agents", isWell: agents.size > 0, detail: [...agents.keys()].join(", ") });
        findings.push({ name: "skills", isWell: true, detail: [...skills.keys()].join(", ") || "none" });
        const count = await checkPrompts(builtin);
        return [...findings, { name: "prompts", isWell: true, detail: `${count}, the install's own` }];
    }
    catch (thrown) {
        return [{ name: "files", isWell: false, detail: (0,errors/* messageOf */.bD)(thrown), mend: "mend or reinstall that file" }];
    }
}
/** The task list, everything that is wrong with it; none is well. */
async function checkTasks(root, path, wiring) {
    const name = "tasks";
    try {
        const list = await (0,read_tasks/* readTasks */.j9)((await wiring.readFiles(root)).trusted, path);
        if (!list)
            return [{ name, isWell: true, detail: `there is no ${path}` }];
        if (list.diagnostics.length === 0) {
            return [{ name, isWell: true, detail: `${path}: ${(0,read_tasks/* countTasks */.g6)(list.tasks)}` }];
        }
        return list.diagnostics.map((diagnostic) => findingOf(name, diagnostic));
    }
    catch (thrown) {
        const hint = thrown instanceof errors/* LoopliaError */.$K ? thrown.hint : undefined;
        const detail = (0,errors/* messageOf */.bD)(thrown);
        return [{ name, isWell: false, detail, ...(hint === undefined ? {} : { mend: hint }) }];
    }
}
/** Without isolation commands need a person, or none run: told as a warning unless it is required. */
async function checkSandbox(place, wiring) {
    const isRequired = place.settings.sandbox === "required";
    try {
        return describeIsolation(await wiring.probeIsolation(place), isRequired);
    }
    catch (thrown) {
        const detail = `cannot be tried: ${(0,errors/* messageOf */.bD)(thrown)}`;
        return { name: "sandbox", isWell: false, detail, mend: "check that the folder is there and readable" };
    }
}
function describeIsolation({ kind, network, reason = "", isOff }, isRequired) {
    if (kind !== "none") {
        return { name: "sandbox", isWell: true, detail: `${kind}, ${network ? "with" : "without"} network` };
    }
    const [why = "", mend] = reason.split("; ", 2);
    const detail = isRequired ? `required, but ${why}` : `warning: commands are not isolated: ${why}`;
    return { name: "sandbox", isWell: !isRequired, detail, ...(mend && !isOff ? { mend } : {}) };
}
/** True to what a write will meet: the folder, or the nearest one above it that is there. */
async function checkFolder(name, folder) {
    for (let path = folder;; path = (0,external_node_path_.dirname)(path)) {
        const found = await (0,promises_.stat)(path).catch(() => undefined);
        if (!found && path !== (0,external_node_path_.dirname)(path))
            continue;
        const isWritable = found?.isDirectory() === true &&
            (await (0,promises_.access)(path, external_node_fs_.constants.W_OK).then(() => true, () => false));
        if (isWritable)
            return { name, isWell: true, detail: `${folder} is writable` };
        const detail = found?.isDirectory() ? `${path} is not writable` : `${path} is no folder`;
        return {
            name,
            isWell: false,
            detail,
            mend: `make it a writable folder, or move state with LOOPLIA_STATE_DIR`,
        };
    }
}

// EXTERNAL MODULE: ./build/config/task-agents.js
var task_agents = __webpack_require__(2936);
// EXTERNAL MODULE: ./build/publish/report.js
var report = __webpack_require__(429);
;// CONCATENATED MODULE: ./build/entrypoints/cli/doctor-remote.js
// The checks of `doctor` that ask a server: the provider, GitHub, the remote. One that fails is a line, never more.




const PROBE_MS = 15_000;
/** The key, and whether the provider answers to it; one that is meant for another address goes nowhere else. */
async function checkProvider({ place, diagnostics }, wiring) {
    const { provider, anthropicApiKey } = place.settings;
    if (provider === "offline") {
        const keyless = anthropicApiKey === undefined ? findAnthropicAgents(place) : [];
        if (keyless.length > 0) {
            const detail = `there is no key for the agents ${keyless.join(", ")}`;
            return [{ name: "key", isWell: false, detail, mend: "set the variable ANTHROPIC_API_KEY" }];
        }
        const detail = `offline (${report/* REHEARSAL */.Ce}); set ANTHROPIC_API_KEY for a language model`;
        return [{ name: "provider", isWell: true, detail }];
    }
    if (anthropicApiKey === undefined) {
        const mend = "set the variable ANTHROPIC_API_KEY, or use --provider offline";
        return [{ name: "key", isWell: false, detail: "there is no key for anthropic", mend }];
    }
    const key = { name: "key", isWell: true, detail: "anthropic-api-key is set" };
    if (diagnostics.some(({ file, message }) => /anthropic[-_]base[-_]url/i.test(`${file} ${message}`))) {
        const detail = "not asked: nobody knows which address the key is for";
        return [key, { name: "provider", isWell: false, detail, mend: "mend anthropic-base-url, see settings" }];
    }
    try {
        const detail = await wiring.probeProvider(place, AbortSignal.timeout(PROBE_MS));
        return [key, { name: "provider", isWell: true, detail }];
    }
    catch (thrown) {
        return [key, failure("provider", thrown, "check the network and anthropic-base-url")];
    }
}
/** Agents whose turn comes, in the task list, its review or its repair, and who need a key. */
function findAnthropicAgents({ settings }) {
    const { agents, schedule } = (0,task_agents/* readTaskAgents */.Ak)(settings);
    const { reviewAgent, repairAgent } = settings;
    const names = new Set([...schedule.turns, reviewAgent, repairAgent].filter((name) => name !== undefined));
    return [...names].filter((name) => agents.get(name)?.provider === "anthropic");
}
/** The remote's state refs. Nothing where there is no token: `checkGithub` says that. */
async function checkStateRef(place, wiring) {
    const name = "state-ref";
    try {
        const detail = await wiring.probeStateRef(place);
        return detail === undefined ? [] : [{ name, isWell: true, detail }];
    }
    catch (thrown) {
        return [failure(name, thrown, "check the network, the token and its `contents: write`")];
    }
}
/** What the Action needs of GitHub, as far as the token can tell. The command line itself needs none of it. */
async function checkGithub(place, wiring) {
    try {
        const facts = await wiring.probeGithub(place);
        if (!facts)
            return [notAsked(place)];
        const isEncrypted = place.settings.stateKey !== undefined;
        return [
            aboutRepository(facts),
            ...aboutStateKey(facts, isEncrypted),
            ...aboutToken(facts),
            aboutActions(facts),
        ];
    }
    catch (thrown) {
        return [failure("github", thrown, "check the network and GITHUB_API_URL")];
    }
}
function notAsked({ settings }) {
    if (settings.githubToken === undefined) {
        const mend = "set GITHUB_TOKEN to have repository, permissions and state ref checked";
        return {
            name: "github",
            isWell: true,
            detail: "not asked: there is no token (the Action has one)",
            mend,
        };
    }
    const detail = "not asked: `origin` is no repository on the server";
    return { name: "github", isWell: true, detail, mend: "set GITHUB_REPOSITORY, or GITHUB_SERVER_URL" };
}
function aboutRepository({ repository, isPublic, isArchived }) {
    const name = "repository";
    const detail = `${repository}, ${isPublic ? "public" : "private"}`;
    if (!isArchived)
        return { name, isWell: true, detail };
    return { name, isWell: false, detail: `${detail}, archived`, mend: "unarchive it: nobody can write to it" };
}
function aboutStateKey({ isPublic }, isEncrypted) {
    const name = "state-key";
    if (isEncrypted)
        return [{ name, isWell: true, detail: "what models and tools said is stored encrypted" }];
    if (!isPublic)
        return [];
    const what = "this repository is public: everybody can read what models and tools said in the stored state";
    return [warningOf(name, what, "set `state-key` to a secret")];
}
const WITHOUT = {
    "pull-requests: write": "nothing can be opened or answered",
    "checks: write": "pull requests have no check of it",
    "actions: read": "a run that died is told from a live one by its age only",
};
function aboutToken({ has, lacks }) {
    const name = "token";
    const well = has.length === 0 ? [] : [{ name, isWell: true, detail: has.join(", ") }];
    const ill = lacks.map((permission) => {
        const mend = `give the job \`permissions: { ${permission} }\``;
        if (permission !== "pull-requests: write")
            return warningOf(name, `without ${permission} ${WITHOUT[permission]}`, mend);
        return { name, isWell: false, detail: `without ${permission} ${WITHOUT[permission]}`, mend };
    });
    return [...well, ...ill];
}
const WHERE = "Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests”";
function aboutActions({ mayActionsOpen }) {
    const name = "actions";
    if (mayActionsOpen)
        return { name, isWell: true, detail: "may open pull requests" };
    if (mayActionsOpen === undefined) {
        const what = "this token is not told whether Actions may open pull requests";
        return warningOf(name, what, `look at ${WHERE}, or use an administrator's token`);
    }
    return { name, isWell: false, detail: "may not open pull requests", mend: `allow it under ${WHERE}` };
}
function failure(name, thrown, fallback) {
    const mend = (thrown instanceof errors/* LoopliaError */.$K ? thrown.hint : undefined) ?? fallback;
    return { name, isWell: false, detail: (0,errors/* messageOf */.bD)(thrown), mend };
}

// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(8700);
// EXTERNAL MODULE: ./build/entrypoints/cli/surface.js
var cli_surface = __webpack_require__(2237);
;// CONCATENATED MODULE: ./build/entrypoints/cli/doctor.js





/** Prints the findings; 0 only if all are well. */
async function doctorCommand(line, surface, wiring) {
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    const findings = await examine(found, wiring);
    if (line.isJson)
        surface.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    else
        surface.stdout.write(findingLines(findings, (0,cli_surface/* colorsFor */.u0)(surface, surface.stdout)).join(""));
    return findings.every((finding) => finding.isWell) ? 0 : 1;
}
/** Every check; one that fails stops no other. */
async function examine(found, wiring) {
    const { place } = found;
    const { root, stateFolder, settings } = place;
    const remote = Promise.all([
        checkProvider(found, wiring),
        checkGithub(place, wiring),
        checkStateRef(place, wiring),
    ]);
    return [
        checkNode(process.version),
        await checkGit(root),
        ...checkSettings(found),
        ...(await checkConfiguration(root, settings.pipeline, wiring)),
        ...(await checkTasks(root, settings.todo, wiring)),
        await checkSandbox(place, wiring),
        await checkFolder("artifacts", `${root}/.looplia`),
        await checkFolder("state", stateFolder),
        ...(await remote).flat(),
    ];
}
function checkSettings({ diagnostics, place }) {
    if (diagnostics.length === 0)
        return [{ name: "settings", isWell: true, detail: place.root }];
    return diagnostics.map((diagnostic) => findingOf("settings", diagnostic));
}
/** One line each, and how to mend it below. */
function findingLines(findings, { green, red, dim }) {
    return findings.flatMap(({ name, isWell, detail, mend }) => [
        `${isWell ? green("✓") : red("✗")} ${name.padEnd(10)} ${(0,plain_text/* toPlainLine */.Ic)(detail)}\n`,
        ...(mend === undefined ? [] : [dim(`  ${" ".repeat(10)} → ${(0,plain_text/* toPlainLine */.Ic)(mend)}\n`)]),
    ]);
}


/***/ }),

/***/ 4035:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fu: () => (/* binding */ isListDone),
/* harmony export */   c4: () => (/* binding */ requireTasks),
/* harmony export */   f: () => (/* binding */ STATUSES),
/* harmony export */   g6: () => (/* binding */ countTasks),
/* harmony export */   j9: () => (/* binding */ readTasks)
/* harmony export */ });
/* harmony import */ var _config_diagnostics_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7686);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9984);
// The task list as it stands on disk, for commands that only look.


const STATUSES = ["todo", "doing", "blocked", "done"];
/** Throws LoopliaError `config-invalid` for what is no JSON object. */
async function readTasks(files, path) {
    const text = await files.read(path);
    if (text === undefined)
        return undefined;
    const { dependencyDiagnostics, readTodo } = await __webpack_require__.e(/* import() */ 194).then(__webpack_require__.bind(__webpack_require__, 1194));
    const reading = await readTodo(new TextEncoder().encode(text), path);
    if (reading.kind === "broken")
        return { tasks: [], diagnostics: reading.broken.diagnostics };
    const { document } = reading;
    return { tasks: document.file.tasks, diagnostics: dependencyDiagnostics(document) };
}
/** True for a list that ends with the end marker. One that can't be read is not done. */
async function isListDone(files, path) {
    const list = await readTasks(files, path).catch(() => undefined);
    if (!list)
        return false;
    const { isProjectDone } = await __webpack_require__.e(/* import() */ 106).then(__webpack_require__.bind(__webpack_require__, 5106));
    return isProjectDone(list.tasks);
}
/** As `readTasks`, but the list must be there and valid by its schema. */
async function requireTasks(files, path) {
    const list = await readTasks(files, path);
    if (!list) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .LoopliaError */ .$K("config-invalid", `There is no task list ${path}.`, {
            hint: "name another with --todo",
        });
    }
    if (list.tasks.length > 0 || list.diagnostics.length === 0)
        return list.tasks;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .LoopliaError */ .$K("config-invalid", list.diagnostics.map(_config_diagnostics_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDiagnostic */ .x).join("\n"));
}
/** `3 todo, 1 doing, 0 blocked, 8 done` */
function countTasks(tasks) {
    const count = (status) => `${tasks.filter((task) => task.status === status).length} ${status}`;
    return STATUSES.map(count).join(", ");
}


/***/ })

};
;
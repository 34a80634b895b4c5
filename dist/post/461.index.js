export const id = 461;
export const ids = [461];
export const modules = {

/***/ 93461:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createTasksSide: () => (/* binding */ createTasksSide)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/adapters/command-environment.js
var command_environment = __webpack_require__(70064);
// EXTERNAL MODULE: ./build/adapters/store-find.js
var store_find = __webpack_require__(14346);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(31421);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
;// CONCATENATED MODULE: ./build/adapters/run-hook.js
// Calls the hook of the settings: a program, never a shell. Nothing that it does or leaves behind holds up the run.




/** How long output may still come after its end: what it left running may hold the pipe. */
const DRAIN_MS = 200;
const MAX_SAID = 2_000;
/** The words are the program's arguments as they are. Never fails: what went wrong, in words. */
async function runHook(words, place) {
    const { root, hook, environment, signal, timeoutMs } = place;
    const stopped = { why: "" };
    try {
        const program = hook.includes("/") ? (0,external_node_path_.resolve)(root, hook) : hook;
        if (place.expected && (await (0,promises_.readFile)(program, "utf8")) !== place.expected.text) {
            return `it was not called: ${hook} is not what it was when the run began, or not the trusted ref's`;
        }
        // Nothing may come between this and the listener below.
        if (signal.aborted)
            return "it was not called: the run is being stopped";
        const child = (0,external_node_child_process_.spawn)(program, [...words], {
            cwd: root,
            env: environment,
            detached: true,
            stdio: ["ignore", "pipe", "pipe"],
        });
        const stop = (why) => {
            stopped.why = why;
            killGroup(child);
        };
        const onAbort = () => stop("it was ended together with the run");
        signal.addEventListener("abort", onAbort, { once: true });
        const timer = setTimeout(() => stop(`it took longer than ${timeoutMs / 1000} s`), timeoutMs);
        try {
            const end = await ended(child);
            return stopped.why || end;
        }
        finally {
            clearTimeout(timer);
            signal.removeEventListener("abort", onAbort);
        }
    }
    catch (error) {
        return (0,errors/* messageOf */.bD)(error);
    }
}
/** Undefined when all is well; rejects when the program could not be started. */
function ended(child) {
    let said = "";
    const listen = (chunk) => {
        if (said.length < MAX_SAID)
            said += chunk.toString("utf8");
    };
    child.stdout?.resume();
    child.stderr?.on("data", listen);
    return new Promise((done, fail) => {
        child.once("error", fail);
        child.once("exit", (code, signal) => {
            const finish = () => {
                clearTimeout(drain);
                child.stdout?.destroy();
                child.stderr?.destroy();
                done(code === 0 ? undefined : `it ended with ${signal ?? code}: ${said.trim().slice(0, MAX_SAID)}`);
            };
            const drain = setTimeout(finish, DRAIN_MS);
            child.once("close", finish);
        });
    });
}
function killGroup(child) {
    if (child.pid === undefined)
        return;
    try {
        process.kill(-child.pid, "SIGKILL");
    }
    catch {
        // It has ended already.
    }
}

;// CONCATENATED MODULE: ./build/adapters/task-log.js
// What is kept of iterations beside the stores: last messages for people and hooks, texts of a session, the hook itself.



const HOOK_MS = 30_000;
/** Files are derived: a lost one is no harm. */
async function createTaskLog(place) {
    const expected = await readExpected(place);
    return {
        async keepLast(iteration, message) {
            const path = place.logPath().replace(/\.jsonl$/, `-iter-${iteration}.last.json`);
            return write(path, `${JSON.stringify(message, null, 2)}\n`);
        },
        async keepText(sessionId, name, text) {
            return write((0,external_node_path_.join)(await place.sessionFolder(sessionId), name), text);
        },
        async readText(sessionId, name) {
            return (0,promises_.readFile)((0,external_node_path_.join)(await place.sessionFolder(sessionId), name), "utf8").catch(() => undefined);
        },
        async runHook(words) {
            const { hook, hookMs: timeoutMs = HOOK_MS } = place;
            return hook === undefined ? undefined : runHook(words, { ...place, hook, timeoutMs, ...expected });
        },
    };
}
/** Read before an agent acts; empty for a program that is not below the root. */
async function readExpected({ root, hook, trusted }) {
    if (!hook?.includes("/"))
        return {};
    const path = (0,external_node_path_.relative)(root, (0,external_node_path_.resolve)(root, hook));
    if ((0,external_node_path_.isAbsolute)(path) || /^\.\.(?:\/|$)/.test(path))
        return {};
    return { expected: { text: await trusted.read(path).catch(() => undefined) } };
}
async function write(path, text) {
    await (0,promises_.mkdir)((0,external_node_path_.dirname)(path), { recursive: true });
    await (0,promises_.writeFile)(path, text);
    return path;
}

// EXTERNAL MODULE: ./build/agent/limits.js
var agent_limits = __webpack_require__(32972);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(3811);
// EXTERNAL MODULE: ./build/config/task-agents.js
var task_agents = __webpack_require__(95737);
// EXTERNAL MODULE: ./build/entrypoints/redact-ports.js
var redact_ports = __webpack_require__(74146);
;// CONCATENATED MODULE: ./build/entrypoints/wire-tasks.js
// What the task loop needs of the rest of the program.









/** Throws `config-invalid` for agents that can't be. */
async function createTasksSide(place, content) {
    const { settings, root, stateFolder, environment, signal, logPath } = place;
    const found = (0,task_agents/* readTaskAgents */.Ak)(settings);
    (0,diagnostics/* throwIfErrors */.Z)(found.diagnostics);
    const { todo, task, hook, applySummary, maxIterations, dryRun, reviewAgent, repairAgent } = settings;
    const { people, gate } = content;
    return {
        agent: agentFinder(place, found, content),
        log: (0,redact_ports/* redactArguments */.G)(await createTaskLog({
            ...{ root, logPath, signal, trusted: place.trusted, environment: (0,command_environment/* commandEnvironment */.J)(environment) },
            async sessionFolder(sessionId) {
                const workId = (await (0,store_find/* findSessionWork */.XK)(stateFolder, sessionId)) ?? sessionId;
                return (0,external_node_path_.join)(stateFolder, workId, "sessions", sessionId);
            },
            ...(hook === undefined ? {} : { hook }),
        }), place.redact),
        settings: {
            ...{ todo, applySummary, maxIterations, dryRun, people, gate },
            ...(task === undefined ? {} : { task }),
            sourceFiles: settings.sourceFiles.length > 0 ? settings.sourceFiles : task_agents/* SOURCE_FILES */.AP,
            schedule: { shown: found.schedule.shown, agents: found.schedule.turns },
            ...(reviewAgent === undefined ? {} : { reviewAgent }),
            ...(repairAgent === undefined ? {} : { repairAgent }),
        },
    };
}
function agentFinder(place, { agents }, content) {
    const models = new Map();
    const { settings } = place;
    return async (name) => {
        const own = agents.get(name);
        if (!own) {
            const hint = `There are: ${[...agents.keys()].join(", ")}.`;
            throw new errors/* LoopliaError */.$K("config-invalid", `There is no agent ${JSON.stringify(name)} any more.`, {
                hint,
            });
        }
        const provider = own.provider ?? task_agents/* PROVIDERS */.xq.find((known) => known === settings.provider) ?? "offline";
        const mine = { ...settings, provider };
        if (provider === "anthropic" && settings.anthropicApiKey === undefined) {
            throw new errors/* LoopliaError */.$K("config-invalid", `The agent ${name} has no key.`, {
                hint: "Set ANTHROPIC_API_KEY.",
            });
        }
        const model = await (models.get(provider) ?? place.createModel(mine));
        models.set(provider, Promise.resolve(model));
        const inherited = provider === settings.provider ? content.model : undefined;
        const modelName = own.model ?? inherited ?? (await place.defaultModel(mine));
        const { maxTurns, timeoutMinutes } = own;
        const limits = maxTurns === undefined ? content.limits : { ...content.limits, maxTurns };
        const fallbackModel = provider === settings.provider ? content.fallbackModel : undefined;
        (0,agent_limits/* requirePrice */.TP)(limits, model, fallbackModel === undefined ? [modelName] : [modelName, fallbackModel]);
        return {
            ...{ name, provider, model, modelName, limits },
            ...(fallbackModel === undefined ? {} : { fallbackModel }),
            ...(timeoutMinutes === undefined ? {} : { timeoutMs: timeoutMinutes * 60_000 }),
        };
    };
}


/***/ })

};

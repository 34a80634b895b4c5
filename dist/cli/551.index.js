export const id = 551;
export const ids = [551];
export const modules = {

/***/ 1551:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createTasksSide: () => (/* binding */ createTasksSide)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/adapters/command-environment.js
var command_environment = __webpack_require__(64);
// EXTERNAL MODULE: ./build/adapters/store-find.js
var store_find = __webpack_require__(4346);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
;// CONCATENATED MODULE: ./build/adapters/task-log.js
// What is kept of iterations beside the stores: last messages for people and hooks, texts of a session, the hook itself.




const HOOK_MS = 30_000;
/** Files are derived: a lost one is no harm. */
function createTaskLog(place) {
    return {
        async keepLast(iteration, message) {
            const path = place.logPath().replace(/\.jsonl$/, `-iter-${iteration}.last.json`);
            return write(path, `${JSON.stringify(message, null, 2)}\n`);
        },
        async keepText(sessionId, name, text) {
            return write((0,external_node_path_.join)(await place.sessionFolder(sessionId), name), text);
        },
        async runHook(words) {
            return place.hook === undefined ? undefined : runHook(place.hook, words, place);
        },
    };
}
async function write(path, text) {
    await (0,promises_.mkdir)((0,external_node_path_.dirname)(path), { recursive: true });
    await (0,promises_.writeFile)(path, text);
    return path;
}
/** Without a shell: the words are the program's arguments as they are. */
function runHook(hook, words, place) {
    const { root, environment, signal } = place;
    const program = hook.includes("/") ? (0,external_node_path_.resolve)(root, hook) : hook;
    const options = { cwd: root, env: environment, timeout: HOOK_MS, killSignal: "SIGKILL", signal };
    return new Promise((done) => {
        const child = (0,external_node_child_process_.execFile)(program, [...words], { ...options, maxBuffer: 1024 * 1024 }, (error) => {
            const isLate = error?.killed === true && !signal.aborted;
            done(error ? (isLate ? `it took longer than ${HOOK_MS / 1000} s` : (0,errors/* messageOf */.bD)(error).trim()) : undefined);
        });
        child.stdin?.end();
    });
}

// EXTERNAL MODULE: ./build/agent/limits.js
var agent_limits = __webpack_require__(2972);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(3811);
// EXTERNAL MODULE: ./build/config/task-agents.js
var task_agents = __webpack_require__(5737);
// EXTERNAL MODULE: ./build/entrypoints/redact-ports.js
var redact_ports = __webpack_require__(4146);
;// CONCATENATED MODULE: ./build/entrypoints/wire-tasks.js
// What the task loop needs of the rest of the program.









/** Throws `config-invalid` for agents that can't be. */
function createTasksSide(place, content) {
    const { settings, root, stateFolder, environment, signal, logPath } = place;
    const found = (0,task_agents/* readTaskAgents */.Ak)(settings);
    (0,diagnostics/* throwIfErrors */.Z)(found.diagnostics);
    const { todo, task, hook, applySummary, maxIterations, dryRun, reviewAgent, repairAgent } = settings;
    const { people, gate } = content;
    return {
        agent: agentFinder(place, found, content),
        log: (0,redact_ports/* redactArguments */.G)(createTaskLog({
            ...{ root, logPath, signal, environment: (0,command_environment/* commandEnvironment */.J)(environment) },
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

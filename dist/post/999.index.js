export const id = 999;
export const ids = [999];
export const modules = {

/***/ 57999:
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
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(31421);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
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
var agent_limits = __webpack_require__(32972);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(3811);
// EXTERNAL MODULE: ./build/config/suggest.js
var suggest = __webpack_require__(85813);
;// CONCATENATED MODULE: ./build/config/task-agents.js

/** What a first task list is made from where the settings name nothing. */
const SOURCE_FILES = ["README.md", "docs/**/*.md"];
const PROVIDERS = ["anthropic", "offline"];
/** Every name is known, or it is in `diagnostics`. The provider must be decided: not `auto`. */
function readTaskAgents(settings) {
    const diagnostics = [];
    const fail = (file, message, hint) => void diagnostics.push({ severity: "error", file, message, ...(hint === undefined ? {} : { hint }) });
    const agents = new Map();
    const turns = [];
    for (const line of settings.agents) {
        const [name = "", ...words] = line.split(/\s+/);
        const known = agents.get(name);
        if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
            fail("agents", `${JSON.stringify(name)} is no name of an agent`);
        else if (known && words.length > 0)
            fail("agents", `${name} is described twice`, "name it alone the second time");
        else if (!known)
            agents.set(name, readAgent(name, words, (message, hint) => fail("agents", message, hint)));
        turns.push(name);
    }
    for (const provider of PROVIDERS)
        if (!agents.has(provider))
            agents.set(provider, { name: provider, provider });
    const known = new Set([...turns, ...PROVIDERS]);
    const check = (file, name) => {
        if (name === undefined || known.has(name))
            return;
        fail(file, `there is no agent ${JSON.stringify(name)}`, (0,suggest/* suggestName */.S)(name, known) ?? `there are: ${[...known].join(", ")}`);
    };
    check("review-agent", settings.reviewAgent);
    check("repair-agent", settings.repairAgent);
    const schedule = readSchedule(settings, turns);
    if (schedule.turns.length === 0)
        fail("schedule", "odd-even takes two agents", "name them as `agents`");
    for (const name of schedule.turns)
        check("schedule", name);
    return { agents, schedule, diagnostics };
}
function readSchedule({ schedule, provider }, turns) {
    const all = turns.length > 0 ? turns : [provider];
    const distinct = [...new Set(all)];
    switch (schedule) {
        case "odd-even":
            return { shown: schedule, turns: distinct.length < 2 ? [] : distinct.slice(0, 2) };
        case "round-robin":
            return { shown: schedule, turns: all };
        default: {
            const name = schedule ?? distinct[0] ?? provider;
            return { shown: name, turns: [name] };
        }
    }
}
const NUMBERS = new Map([
    ["max-turns", "maxTurns"],
    ["timeout-minutes", "timeoutMinutes"],
]);
function readAgent(name, words, fail) {
    const agent = {};
    for (const word of words) {
        const [, key = word, value = ""] = /^([a-z-]+)=(.+)$/.exec(word) ?? [];
        const number = NUMBERS.get(key);
        if (number !== undefined) {
            if (/^\d+(?:\.\d+)?$/.test(value) && Number(value) > 0)
                agent[number] = Number(value);
            else
                fail(`${name}: ${key} must be a number above 0, not ${JSON.stringify(value)}`);
        }
        else if (key === "provider") {
            if (PROVIDERS.some((provider) => provider === value))
                agent.provider = value;
            else
                fail(`${name}: there is no provider ${JSON.stringify(value)}`, (0,suggest/* suggestName */.S)(value, PROVIDERS));
        }
        else if (key === "model" && value !== "")
            agent.model = value;
        else {
            const keys = ["provider", "model", ...NUMBERS.keys()];
            fail(`${name}: ${JSON.stringify(word)} says nothing`, (0,suggest/* suggestName */.S)(key, keys) ?? `write ${keys.join("=…, ")}=…`);
        }
    }
    if (agent.provider === undefined && PROVIDERS.some((provider) => provider === name))
        agent.provider = name;
    return { ...agent, name };
}

// EXTERNAL MODULE: ./build/entrypoints/redact-ports.js
var redact_ports = __webpack_require__(74146);
;// CONCATENATED MODULE: ./build/entrypoints/wire-tasks.js
// What the task loop needs of the rest of the program.









/** Throws `config-invalid` for agents that can't be. */
function createTasksSide(place, content) {
    const { settings, root, stateFolder, environment, signal, logPath } = place;
    const found = readTaskAgents(settings);
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
            sourceFiles: settings.sourceFiles.length > 0 ? settings.sourceFiles : SOURCE_FILES,
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
        const provider = own.provider ?? PROVIDERS.find((known) => known === settings.provider) ?? "offline";
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

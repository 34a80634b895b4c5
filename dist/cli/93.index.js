export const id = 93;
export const ids = [93];
export const modules = {

/***/ 9712:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ noticeLine),
/* harmony export */   L: () => (/* binding */ progressLines)
/* harmony export */ });
/* harmony import */ var _publish_figures_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5033);
/* harmony import */ var _session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9179);
/* harmony import */ var _progress_state_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5030);



/** The lines of one event; `state` already knows it. Several sessions are told apart by their id. */
function progressLines(state, event) {
    const lines = linesOf(state, event);
    const isAlone = state.sessions.size < 2;
    const sessionId = "sessionId" in event ? event.sessionId : undefined;
    return isAlone || sessionId === undefined ? lines : lines.map((line) => `[${sessionId}] ${line}`);
}
function linesOf(state, event) {
    switch (event.type) {
        case "session":
            return sessionLines(event);
        case "step":
            return [stepLine(state, event)];
        case "tool-ended": {
            const call = (0,_progress_state_js__WEBPACK_IMPORTED_MODULE_1__/* .callLabel */ .v1)(state.sessions.get(event.sessionId), event);
            return [`  ${call}${event.isError ? " failed" : ""} (${(0,_publish_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDuration */ .a3)(event.durationMs)})`];
        }
        case "validation-failed":
            return [
                `  ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.artifact)} failed validation${event.recoverable ? ", trying again" : ""}`,
                ...event.errors.map((error) => `    • ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(error)}`),
                ...(event.hint ? [`    Hint: ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.hint)}`] : []),
            ];
        case "question":
            return [`question ${event.request.shortId}: ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.request.display.title)}`];
        case "answered": {
            const answer = event.answer.selectedOptionId ?? event.answer.inputValue ?? "";
            return [`answered ${event.request.shortId}: ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(answer)} (${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.actorId)})`];
        }
        case "notice":
            return [noticeLine(event)];
        default:
            return [];
    }
}
/** A notice as it is printed, live or not: `warning: …`. */
function noticeLine(event) {
    const text = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.message);
    return event.level === "info" ? text : `${event.level}: ${text}`;
}
function sessionLines(event) {
    const skipped = event.steps.filter((step) => !step.due);
    return [
        `session ${event.sessionId}: ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.source)} through ${event.pipeline}`,
        ...skipped.map((step) => `step ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(step.output)} skipped: ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(step.reason)}`),
    ];
}
function stepLine(state, event) {
    const step = state.sessions.get(event.sessionId)?.steps.find((one) => one.output === event.output);
    const output = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.output);
    const more = event.message ? `: ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.message)}` : "";
    if (event.status === "started")
        return `step ${output} started (${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.agent)})${more}`;
    const spent = step?.startedAt === undefined || step.endedAt === undefined
        ? ""
        : ` in ${(0,_publish_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDuration */ .a3)(step.endedAt - step.startedAt)}`;
    const verb = event.status === "waiting" ? "waits for an answer" : `${event.status}${spent}`;
    return `step ${output} ${verb}${more}`;
}


/***/ }),

/***/ 5030:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $n: () => (/* binding */ beginProgress),
/* harmony export */   Bw: () => (/* binding */ endProgress),
/* harmony export */   Ni: () => (/* binding */ activitiesBelow),
/* harmony export */   kl: () => (/* binding */ applyProgress),
/* harmony export */   v1: () => (/* binding */ callLabel),
/* harmony export */   wr: () => (/* binding */ looseActivities)
/* harmony export */ });
/* harmony import */ var _session_conversation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2068);
/* harmony import */ var _session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9179);


const KEPT_TEXT = 400;
function beginProgress(now) {
    return { startedAt: now, sessions: new Map(), usage: (0,_session_conversation_js__WEBPACK_IMPORTED_MODULE_1__/* .noUsage */ .tk)(), costUsd: 0, isUnpriced: false };
}
/** Applies one event in place. Text of models and content is made plain here, once. */
function applyProgress(state, event, now) {
    if (event.type === "session") {
        state.sessions.set(event.sessionId, beginSession(event));
        return;
    }
    if (event.type === "usage") {
        state.usage = (0,_session_conversation_js__WEBPACK_IMPORTED_MODULE_1__/* .addUsage */ .vk)(state.usage, event.usage);
        state.costUsd += event.costUsd ?? 0;
        state.isUnpriced ||= event.costUsd === null;
        return;
    }
    const session = event.sessionId === undefined ? undefined : state.sessions.get(event.sessionId);
    if (session)
        applyToSession(session, event, now);
}
/** The run ended: what was at work is no longer. */
function endProgress(state, now) {
    for (const session of state.sessions.values()) {
        session.saying = "";
        for (const step of session.steps) {
            if (step.state !== "started")
                continue;
            step.state = "stopped";
            step.endedAt = now;
        }
        for (const call of session.activities)
            if (call.state === "running")
                call.state = "stopped";
    }
}
/** The calls that are shown below a step: those of its task, below the task's last step. */
function activitiesBelow(session, step) {
    return session.activities.filter((activity) => activity.outputs.at(-1) === step.output);
}
/** Calls of no known step, such as those of a main agent. */
function looseActivities(session) {
    const outputs = new Set(session.steps.map((step) => step.output));
    return session.activities.filter((activity) => !outputs.has(activity.outputs.at(-1) ?? ""));
}
/** Tool and summary on one line; files of the session's own folder go by their name. */
function callLabel(session, call) {
    const label = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(`${call.toolName} ${call.summary}`);
    return session?.folder ? label.replaceAll(`${session.folder}/`, "") : label;
}
function beginSession(event) {
    return {
        sessionId: event.sessionId,
        source: (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.source),
        pipeline: event.pipeline,
        folder: event.folder,
        steps: event.steps.map((step) => ({
            output: (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(step.output),
            agent: "",
            state: step.due ? "pending" : "skipped",
            reason: (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(step.reason),
        })),
        activities: [],
        questions: [],
        saying: "",
    };
}
function applyToSession(session, event, now) {
    switch (event.type) {
        case "step":
            applyStep(session, event, now);
            return;
        case "tool-started":
            session.saying = "";
            session.activities.push({
                id: event.toolCallId,
                outputs: event.taskId.split("+"),
                label: callLabel(session, event),
                state: "running",
                startedAt: now,
                problems: [],
                hint: "",
            });
            return;
        case "tool-ended": {
            const activity = session.activities.findLast((one) => one.id === event.toolCallId);
            if (!activity)
                return;
            activity.durationMs = event.durationMs;
            if (activity.state === "running")
                activity.state = event.isError ? "failed" : "done";
            return;
        }
        case "validation-failed":
            applyRefusal(session, event, now);
            return;
        case "text":
            session.saying = (session.saying + (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainText */ .bo)(event.delta)).slice(-KEPT_TEXT);
            return;
        case "message":
            session.saying = "";
            return;
        case "question":
            session.questions.push({
                shortId: event.request.shortId,
                title: (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.request.display.title),
            });
            return;
        case "answered":
            session.questions = session.questions.filter((open) => open.shortId !== event.request.shortId);
    }
}
function applyStep(session, event, now) {
    const output = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.output);
    let step = session.steps.find((one) => one.output === output);
    if (!step) {
        step = { output, agent: "", state: "pending", reason: "" };
        session.steps.push(step);
    }
    step.agent = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.agent);
    step.state = event.status;
    step.reason = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.message ?? "");
    if (event.status === "started") {
        step.startedAt ??= now;
        delete step.endedAt;
    }
    else {
        step.endedAt = now;
    }
}
function applyRefusal(session, event, now) {
    const running = session.activities.findLast((one) => one.state === "running" && one.label.startsWith("writeArtifact"));
    const refused = running ?? {
        id: "",
        outputs: [event.output],
        label: "",
        state: "refused",
        startedAt: now,
        problems: [],
        hint: "",
    };
    if (!running)
        session.activities.push(refused);
    refused.state = "refused";
    refused.label = `Write ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.artifact)} - validation failed`;
    refused.problems = event.errors.map(_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic);
    refused.hint = (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(event.hint);
}


/***/ }),

/***/ 2093:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runCommand: () => (/* binding */ runCommand),
  watchRun: () => (/* binding */ watchRun)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/entrypoints/cli/next-command.js
var next_command = __webpack_require__(1284);
// EXTERNAL MODULE: ./build/entrypoints/cli/progress-lines.js
var progress_lines = __webpack_require__(9712);
// EXTERNAL MODULE: ./build/entrypoints/cli/progress-state.js
var progress_state = __webpack_require__(5030);
;// CONCATENATED MODULE: ./build/entrypoints/cli/progress.js


/** The live picture is loaded only where it is shown. `elapsed` gives monotonic milliseconds. */
async function startProgress(options) {
    if (!options.isLive)
        return plainProgress(options.stream, options.elapsed);
    const { LiveProgress } = await Promise.all(/* import() */[__webpack_require__.e(121), __webpack_require__.e(833), __webpack_require__.e(20)]).then(__webpack_require__.bind(__webpack_require__, 1020));
    return new LiveProgress(options);
}
function plainProgress(stream, elapsed) {
    const state = (0,progress_state/* beginProgress */.$n)(elapsed());
    const print = (text) => void stream.write(`${text}\n`);
    return {
        observe(event) {
            (0,progress_state/* applyProgress */.kl)(state, event, elapsed());
            for (const line of (0,progress_lines/* progressLines */.L)(state, event))
                print(line);
        },
        screen: { pause() { }, resume() { }, print },
        end() { },
    };
}

// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(4235);
// EXTERNAL MODULE: ./build/entrypoints/cli/show-result.js
var show_result = __webpack_require__(844);
// EXTERNAL MODULE: ./build/entrypoints/cli/surface.js
var cli_surface = __webpack_require__(4738);
;// CONCATENATED MODULE: ./build/entrypoints/cli/watch-signals.js
const EXIT_STOPPED = 4;
/** `say` is told once, when the run begins to stop. */
function watchSignals(surface, say) {
    const controller = new AbortController();
    const interrupt = () => {
        if (controller.signal.aborted)
            return;
        say("Stopping and saving; Ctrl-C again exits at once.");
        controller.abort("interrupted");
    };
    const release = surface.onSignal(() => {
        if (controller.signal.aborted)
            surface.exit(EXIT_STOPPED);
        interrupt();
    });
    return { signal: controller.signal, interrupt, release };
}

;// CONCATENATED MODULE: ./build/entrypoints/cli/run-command.js
// `run` and `answer`: one trigger, watched to its end.








/** Runs to the end and prints the result. Returns the exit code; throws LoopliaError for the run as a whole. */
async function runCommand(line, surface, wiring) {
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    (0,resolve_place/* reportPlace */.YM)(surface, found);
    const { place } = found;
    const trigger = await triggerOf(line, surface, place);
    const kept = (0,next_command/* keptArguments */.d1)(line);
    const result = await watchRun({ trigger, place, isDemo: false, kept }, surface, wiring);
    printResult(result, place, { kept, isJson: line.isJson }, surface);
    return (0,show_result/* exitCodeOf */.FO)(result);
}
/** Shows progress and asks in the terminal, or answers by itself in the demo. */
async function watchRun(run, surface, wiring) {
    const { stderr, elapsed } = surface;
    const colors = (0,cli_surface/* colorsFor */.u0)(surface, stderr);
    const progress = await startProgress({ stream: stderr, isLive: (0,cli_surface/* isLive */.DG)(surface), colors, elapsed });
    const interruption = watchSignals(surface, progress.screen.print);
    const sessions = new Set();
    const observe = (event) => {
        if (event.type === "session")
            sessions.add(event.sessionId);
        progress.observe(event);
    };
    try {
        const host = await hostFor(run, surface, wiring, progress.screen, interruption);
        const { signal } = interruption;
        return await wiring.run(run.trigger, { ...run.place, host, observe, signal, isDemo: run.isDemo });
    }
    catch (thrown) {
        if (!interruption.signal.aborted)
            throw thrown;
        const hint = [...sessions].map((id) => (0,next_command/* resumeCommand */.VJ)(id, run.kept)).join("\n");
        throw new errors/* LoopliaError */.$K("interrupted", "Stopped; everything so far is saved.", {
            cause: thrown,
            ...(hint ? { hint: `Go on: ${hint}` } : {}),
        });
    }
    finally {
        progress.end();
        interruption.release();
    }
}
function hostFor(run, surface, wiring, screen, interruption) {
    if (run.isDemo)
        return wiring.demoHost(screen);
    return wiring.terminalHost({
        screen,
        isInteractive: (0,cli_surface/* isInteractive */.b4)(surface),
        colors: (0,cli_surface/* colorsFor */.u0)(surface, surface.stderr),
        actorId: actorOf(surface),
        interrupt: interruption.interrupt,
    });
}
async function triggerOf(line, surface, place) {
    const { sessionId, content } = place.settings;
    if (line.answer)
        return { kind: "answer", ...line.answer, actorId: actorOf(surface) };
    if (line.file !== undefined) {
        if (sessionId !== undefined) {
            throw new errors/* LoopliaError */.$K("config-invalid", "--file begins a session and --session-id goes on with one.", {
                hint: "give only one of them",
            });
        }
        return { kind: "file", source: sourceOf(place.root, await (0,resolve_place/* findItem */.Rm)(surface, place, line.file)) };
    }
    if (sessionId !== undefined)
        return { kind: "session", sessionId };
    if (content.length > 0)
        return { kind: "content", globs: content };
    throw new errors/* LoopliaError */.$K("config-invalid", "There is nothing to run.", {
        hint: "give --file <path>, --session-id <id>, or globs as `content` in looplia.yml; `looplia demo` shows how it goes",
    });
}
/** Relative to the root with `/` when the file is below it, else absolute. */
function sourceOf(root, path) {
    const below = (0,external_node_path_.relative)(root, path);
    return below.startsWith("..") ? path : below.split(external_node_path_.sep).join("/");
}
function actorOf(surface) {
    const { USER, LOGNAME, USERNAME } = surface.environment;
    return `terminal:${USER || LOGNAME || USERNAME || "someone"}`;
}
function printResult(result, place, how, surface) {
    const { stdout, stderr } = surface;
    const shown = {
        result,
        kept: how.kept,
        isRehearsal: place.settings.provider === "offline",
        isDryRun: place.settings.dryRun,
        locate: (path) => `${place.root}${external_node_path_.sep}${path.split("/").join(external_node_path_.sep)}`,
    };
    const stream = how.isJson ? stderr : stdout;
    const { good, bad } = (0,show_result/* resultLines */.DW)(shown, (0,cli_surface/* colorsFor */.u0)(surface, stream));
    for (const text of good)
        stream.write(`${text}\n`);
    for (const text of bad)
        stderr.write(`${text}\n`);
    if (how.isJson)
        stdout.write(`${JSON.stringify((0,show_result/* resultJson */.y3)(shown), null, 2)}\n`);
}


/***/ }),

/***/ 2068:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gf: () => (/* binding */ messagesToSend),
/* harmony export */   YO: () => (/* binding */ unansweredCalls),
/* harmony export */   s: () => (/* binding */ applyConversationLine),
/* harmony export */   tk: () => (/* binding */ noUsage),
/* harmony export */   vk: () => (/* binding */ addUsage)
/* harmony export */ });
/* harmony import */ var _message_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1684);

function noUsage() {
    return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
}
function addUsage(sum, more) {
    return {
        inputTokens: sum.inputTokens + more.inputTokens,
        outputTokens: sum.outputTokens + more.outputTokens,
        cacheReadTokens: sum.cacheReadTokens + more.cacheReadTokens,
        cacheWriteTokens: sum.cacheWriteTokens + more.cacheWriteTokens,
    };
}
/** Applies one line in place; adds what a response cost to `totals`. */
function applyConversationLine(conversations, totals, line) {
    if (line.type === "ConversationStarted") {
        conversations.set(line.payload.conversationId, {
            ...line.payload,
            messages: [],
            results: new Map(),
            turns: 0,
            switchedAt: 0,
        });
        return;
    }
    const conversation = conversations.get(line.payload.conversationId);
    if (!conversation)
        return;
    switch (line.type) {
        case "Message":
            conversation.messages.push(line.payload.message);
            if (line.payload.response) {
                conversation.turns += 1;
                conversation.lastStop = line.payload.response.stopReason;
                totals.usage = addUsage(totals.usage, line.payload.response.usage);
                totals.costUsd += line.payload.response.costUsd ?? 0;
                totals.unpriced ||= line.payload.response.costUsd === null;
            }
            return;
        case "ToolResult":
            addResult(conversation, line.payload.block);
            return;
        case "ModelSwitched":
            conversation.model = line.payload.to;
            conversation.switchedAt = conversation.messages.length;
    }
}
/** The calls of the last turn that have no result yet, in order. */
function unansweredCalls(conversation) {
    const last = conversation.messages.at(-1);
    if (last?.role !== "assistant")
        return [];
    return (0,_message_js__WEBPACK_IMPORTED_MODULE_0__/* .toolCallsOf */ .V)(last).filter((call) => !conversation.results.has(call.id));
}
/**
 * What the next request sends. Thinking from before a switch of model is left out: it is bound to the model that
 * thought it (Messages API, thinking blocks).
 */
function messagesToSend(conversation) {
    if (conversation.switchedAt === 0)
        return conversation.messages;
    return conversation.messages
        .map((message, index) => (index < conversation.switchedAt ? withoutThinking(message) : message))
        .filter((message) => message.content.length > 0);
}
function withoutThinking(message) {
    if (message.role === "user")
        return message;
    return { ...message, content: message.content.filter((block) => !isThinking(block.type)) };
}
function isThinking(type) {
    return type === "thinking" || type === "redacted_thinking";
}
/** The user message after a turn: its results in call order, once all are there. */
function addResult(conversation, block) {
    const last = conversation.messages.at(-1);
    if (last?.role !== "assistant")
        return;
    conversation.results.set(block.tool_use_id, block);
    const results = (0,_message_js__WEBPACK_IMPORTED_MODULE_0__/* .toolCallsOf */ .V)(last).map((call) => conversation.results.get(call.id));
    if (results.some((result) => result === undefined))
        return;
    conversation.results = new Map();
    conversation.messages.push({ role: "user", content: results });
}


/***/ }),

/***/ 1684:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   V: () => (/* binding */ toolCallsOf),
/* harmony export */   b: () => (/* binding */ textOf)
/* harmony export */ });
// What a model says and hears. The shape is the Messages API's; other providers translate at their border.
/** The tool calls of a message, in order. */
function toolCallsOf(message) {
    return message.content.filter((block) => block.type === "tool_use");
}
/** The text of a message: its text blocks, joined by a newline. */
function textOf(message) {
    return message.content
        .filter((block) => block.type === "text")
        .map((block) => block.text)
        .join("\n");
}


/***/ })

};

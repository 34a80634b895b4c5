export const id = 500;
export const ids = [500];
export const modules = {

/***/ 20425:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ asOne)
/* harmony export */ });
/** What `work` records and tells becomes durable at one moment, where it could be lost in parts. Never within another. */
function asOne(host, work) {
    return host.together ? host.together(work) : work();
}


/***/ }),

/***/ 76427:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ recordAnswer),
/* harmony export */   f: () => (/* binding */ askPerson)
/* harmony export */ });
/* harmony import */ var _approval_answer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(81966);
/* harmony import */ var _approval_recordable_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(74953);
/* harmony import */ var _session_in_turn_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(35478);
// Raises a request to a person, durably before anybody sees it, and records the answer before it has an effect.



const WAITING = { kind: "unanswered", outcome: { kind: "waiting" } };
/**
 * Asks the request that `find` finds, or a new one from `create`. The same call always meets the same request. A work
 * that has as many open questions as it may have gets no other: the call waits without one.
 */
async function askPerson(session, run, find, create) {
    const interaction = findInteraction(session, run, find) ?? (await raiseRequest(session, run, create));
    if (!interaction)
        return WAITING;
    const { request } = interaction;
    if (interaction.response)
        return { kind: "answered", request, answer: interaction.response };
    if (await isExpired(session, interaction))
        return { kind: "unanswered", outcome: expired(request) };
    session.observe({ type: "question", sessionId: session.journal.sessionId, request });
    const result = await session.host.ask(request, session.signal);
    if (typeof result === "string") {
        session.signal.throwIfAborted();
        return WAITING;
    }
    const checked = await (0,_approval_answer_js__WEBPACK_IMPORTED_MODULE_1__/* .checkAnswer */ .d)(request, result.answer);
    if (!checked.ok) {
        const message = `That does not answer ${request.shortId}: expected ${checked.expected}. The question stays open.`;
        session.observe({ type: "notice", level: "warning", sessionId: session.journal.sessionId, message });
        return WAITING;
    }
    const { actorId } = result;
    const isAnswered = await recordAnswer(session, interaction, { answer: checked.answer, actorId });
    return isAnswered ? { kind: "answered", request, answer: checked.answer } : WAITING;
}
/**
 * Stores a checked answer. True when the request is closed by it; false when more people must approve, or when it was
 * not open any more.
 */
async function recordAnswer(session, interaction, given) {
    const { answer, actorId } = given;
    const { request } = interaction;
    const events = (0,_approval_recordable_js__WEBPACK_IMPORTED_MODULE_2__/* .recordable */ .I)(interaction, given, session.asking.minApprovals);
    await session.journal.append(...events);
    const isAnswered = events.some((event) => event.type === "UserInteractionResponded");
    const { sessionId } = session.journal;
    if (isAnswered) {
        session.asking.open.settle(request.interactionId);
        session.observe({ type: "answered", sessionId, request, answer, actorId });
    }
    else if (events.length > 0) {
        const message = `${actorId} approved ${request.shortId}; it needs ${session.asking.minApprovals} different people.`;
        session.observe({ type: "notice", level: "info", sessionId, message });
    }
    return isAnswered;
}
/** True when nobody can answer any more; recorded when it is found out. */
async function isExpired(session, interaction) {
    const { interactionId, taskId, expiresAt } = interaction.request;
    if (interaction.closed)
        return true;
    const now = session.clock.now();
    if (expiresAt === undefined || now.getTime() < Date.parse(expiresAt))
        return false;
    await session.journal.append({
        store: "events",
        type: "InteractionExpired",
        payload: { interactionId, taskId, at: now.toISOString() },
    });
    session.asking.open.settle(interactionId);
    return true;
}
function expired({ shortId, display, expiresAt = "its time" }) {
    const message = `nobody answered ${shortId} (${display.title}) before ${expiresAt}`;
    return { kind: "failed", reasonCode: "expired", message };
}
function findInteraction(session, run, find) {
    for (const interaction of session.journal.state.interactions.values()) {
        const { request } = interaction;
        if (request.conversationId === run.conversationId && find(request))
            return interaction;
    }
    return undefined;
}
/** One at a time in a work: no two of its sessions take the last room. Undefined at the cap of open questions. */
function raiseRequest(session, run, create) {
    const { asking, journal } = session;
    const raise = async () => {
        if (asking.open.isFull)
            return undefined;
        const request = create({
            workId: journal.workId,
            sessionId: journal.sessionId,
            taskId: run.taskId,
            conversationId: run.conversationId,
            agent: run.agent,
            ordinal: await asking.nextOrdinal(),
            workingDirectory: asking.workingDirectory,
            expiresAt: new Date(session.clock.now().getTime() + asking.ttlHours * 3_600_000).toISOString(),
            ...(asking.startedBy === undefined ? {} : { startedBy: asking.startedBy }),
        });
        asking.open.raise(request.interactionId);
        await journal.append({ store: "events", type: "UserInteractionRequested", payload: request });
        return journal.state.interactions.get(request.interactionId);
    };
    return (0,_session_in_turn_js__WEBPACK_IMPORTED_MODULE_0__/* .inTurn */ .l)(asking.open, raise);
}


/***/ }),

/***/ 68834:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fj: () => (/* binding */ Cancellations),
/* harmony export */   mT: () => (/* binding */ Cancellation),
/* harmony export */   nu: () => (/* binding */ recordCancellation)
/* harmony export */ });
/** Why a session's signal was aborted. */
class Cancellation {
    reason;
    actorId;
    constructor(reason, actorId) {
        this.reason = reason;
        this.actorId = actorId;
    }
}
/** The sessions of a run that may be canceled. Shared by who runs them and who hears of the cancellation. */
class Cancellations {
    #controllers = new Map();
    #ofAll;
    /** Aborted with a `Cancellation` when the session is canceled, before it began too. */
    signalOf(sessionId) {
        const controller = this.#controllerOf(sessionId);
        if (this.#ofAll)
            controller.abort(this.#ofAll);
        return controller.signal;
    }
    /** Cancels one session, or all of the run. Its tools are killed; the session records it when they have ended. */
    cancel(cancellation, sessionId) {
        if (sessionId !== undefined) {
            this.#controllerOf(sessionId).abort(cancellation);
            return;
        }
        this.#ofAll ??= cancellation;
        for (const controller of this.#controllers.values())
            controller.abort(cancellation);
    }
    #controllerOf(sessionId) {
        const controller = this.#controllers.get(sessionId) ?? new AbortController();
        this.#controllers.set(sessionId, controller);
        return controller;
    }
}
/** Stored once what was running has ended: from then on nothing of the session goes on. */
async function recordCancellation({ signal, journal, clock, }) {
    if (!(signal.reason instanceof Cancellation))
        return;
    const { reason, actorId } = signal.reason;
    const at = clock.now().toISOString();
    const payload = { reason, at, ...(actorId === undefined ? {} : { actorId }) };
    await journal.append({ store: "events", type: "SessionCanceled", payload });
}


/***/ }),

/***/ 74576:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ withMessages),
/* harmony export */   z: () => (/* binding */ Mailbox)
/* harmony export */ });
/* harmony import */ var _session_work_state_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(99118);
/* harmony import */ var _as_one_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(20425);


/** The messages of an open work that nobody was told yet. */
class Mailbox {
    #log;
    #waiting;
    constructor(log, waiting) {
        this.#log = log;
        this.#waiting = waiting;
    }
    static async open(log) {
        return new Mailbox(log, (0,_session_work_state_js__WEBPACK_IMPORTED_MODULE_0__/* .foldWork */ .T)(await log.workEvents()).messages);
    }
    /** Hands out what waits: no other task gets it. */
    take() {
        const taken = this.#waiting;
        this.#waiting = [];
        return taken;
    }
    /** `tell` puts messages into a task's conversation. That they were told is noted at the same moment. */
    async deliver(host, taskId, messages, tell) {
        if (messages.length === 0)
            return tell();
        await (0,_as_one_js__WEBPACK_IMPORTED_MODULE_1__/* .asOne */ .Z)(host, async () => {
            await tell();
            await this.#log.appendWorkEvents(messages.map(({ commentId }) => ({ type: "MessageDelivered", payload: { commentId, taskId } })));
        });
    }
}
/** The message that starts a task, with what people left before it, labelled with who wrote it. */
async function withMessages(prompts, opening, messages) {
    if (messages.length === 0)
        return opening;
    const said = messages.map(({ actorId, text }) => ({ author: actorId.split(":").at(-1) ?? actorId, text }));
    return `${await prompts.render("messages.md", { messages: said })}\n\n${opening}`;
}


/***/ }),

/***/ 32644:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ MAX_OPEN_QUESTIONS),
/* harmony export */   m: () => (/* binding */ OpenQuestions)
/* harmony export */ });
// The questions of a work that wait for an answer, over all its sessions.
/** So many may be open in one work; then no new item starts (DURABILITY, "A turn"). */
const MAX_OPEN_QUESTIONS = 10;
/** Kept up by whoever raises and settles; one for all sessions of a work in this process. */
class OpenQuestions {
    #ids;
    /** `ids`: the interactions that were open when the work was opened. */
    constructor(ids = []) {
        this.#ids = new Set(ids);
    }
    get isFull() {
        return this.#ids.size >= MAX_OPEN_QUESTIONS;
    }
    raise(interactionId) {
        this.#ids.add(interactionId);
    }
    settle(interactionId) {
        this.#ids.delete(interactionId);
    }
}


/***/ }),

/***/ 40306:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ takeAnswer)
/* harmony export */ });
/* harmony import */ var _approval_answer_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(81966);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
/* harmony import */ var _session_state_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(94878);
/* harmony import */ var _ask_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76427);
// An answer that is given from outside of a run (`looplia answer`).




/**
 * Checks and stores an answer before anything runs. Fails with `config-invalid`, and changes nothing, where the question
 * is closed or expired, where the answer is none to it, or where `whyUseless` says why its task has no use for one.
 */
async function takeAnswer(session, { interactionId, answer, actorId }, whyUseless = async () => undefined) {
    const { journal, clock } = session;
    const { state, sessionId } = journal;
    const interaction = state.interactions.get(interactionId);
    if (!interaction || !(0,_session_state_js__WEBPACK_IMPORTED_MODULE_2__/* .isPending */ .mm)(interaction)) {
        throw refused(`The question ${interactionId} is no longer open.`, LIST);
    }
    const { taskId, expiresAt } = interaction.request;
    const task = state.tasks.get(taskId);
    const reason = task && (await whyUseless(task));
    const resume = `\`looplia run --session-id ${sessionId}\``;
    if (reason !== undefined) {
        throw refused(`An answer to ${interactionId} is of no use: ${reason}.`, `Go on with ${resume}; it asks again where it must.`);
    }
    if (expiresAt !== undefined && clock.now().getTime() >= Date.parse(expiresAt)) {
        throw refused(`The question ${interactionId} expired at ${expiresAt}.`, `${resume} ends what waited for it; run it again to begin anew.`);
    }
    const checked = await (0,_approval_answer_js__WEBPACK_IMPORTED_MODULE_3__/* .checkAnswer */ .d)(interaction.request, answer);
    if (!checked.ok)
        throw refused(`That does not answer ${interactionId}: expected ${checked.expected}.`);
    await (0,_ask_js__WEBPACK_IMPORTED_MODULE_1__/* .recordAnswer */ .W)(session, interaction, { answer: checked.answer, actorId });
}
const LIST = "`looplia status` lists the open questions.";
function refused(message, hint) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", message, hint === undefined ? {} : { hint });
}


/***/ }),

/***/ 81966:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ checkAnswer)
/* harmony export */ });
/* harmony import */ var _session_fields_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(36630);
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(59437);
// Every answer is checked against its request before it is recorded.


/** `reject` declines a question of any kind (INTERFACE §5). */
const DECLINE = "reject";
/**
 * Checks that the option exists (an exact id beats its number; a number that is another one's label is neither), that
 * what is required is given and that the pattern matches (linear time); a Composite's JSON, or its lines, field by
 * field. `expected` says, as a piece of a sentence, all that would be
 * accepted instead.
 */
async function checkAnswer(request, answer) {
    if (answer.inputValue === undefined && answer.selectedOptionId === DECLINE)
        return { ok: true, answer };
    if (request.kind === "Composite")
        return checkFields(request.fields ?? [], answer);
    if (request.kind === "Input") {
        const { inputValue } = answer;
        if (inputValue === undefined)
            return { ok: false, expected: "a text" };
        const expected = await textProblem(inputValue, request.validation);
        return expected === undefined ? { ok: true, answer } : { ok: false, expected };
    }
    const options = request.options ?? [];
    const given = answer.selectedOptionId ?? "";
    const chosen = findOption(options, given);
    if (!chosen)
        return { ok: false, expected: expectedOption(options, given) };
    return { ok: true, answer: { ...answer, selectedOptionId: chosen.id } };
}
async function checkFields(fields, answer) {
    const read = answer.inputValue === undefined ? undefined : (0,_session_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .readFields */ .q)(answer.inputValue, fields);
    const given = read && "value" in read ? readObject(read.value) : undefined;
    const ids = fields.map(({ id }) => id);
    if (!given) {
        return {
            ok: false,
            expected: `a line \`field: value\` for each, or a JSON object, with ${ids.join(", ")}`,
        };
    }
    const problems = [];
    const values = [];
    for (const field of fields) {
        const checked = await checkField(field, given.get(field.id));
        if ("expected" in checked)
            problems.push(`for ${field.id} ${checked.expected}`);
        else if (checked.value !== undefined)
            values.push([field.id, checked.value]);
    }
    const unknown = [...given.keys()].filter((id) => !ids.includes(id)).map((id) => JSON.stringify(id));
    if (unknown.length > 0)
        problems.push(`no field ${unknown.join(", ")} (there are ${ids.join(", ")})`);
    if (problems.length > 0)
        return { ok: false, expected: problems.join("; ") };
    return { ok: true, answer: { ...answer, inputValue: JSON.stringify(Object.fromEntries(values)) } };
}
async function checkField(field, given) {
    const options = field.kind === "Input" ? undefined : (field.options ?? []);
    // A number may be meant as the number of an option, or as a text of digits.
    const value = typeof given === "number" ? String(given) : (given ?? undefined);
    const isMissing = value === undefined || value === "";
    if (isMissing && !(field.validation?.required ?? options !== undefined))
        return { value: undefined };
    if (options) {
        const chosen = typeof value === "string" ? findOption(options, value) : undefined;
        return chosen ? { value: chosen.id } : { expected: expectedOption(options, String(value ?? "")) };
    }
    if (typeof value !== "string")
        return { expected: "a text" };
    const expected = await textProblem(value, field.validation);
    return expected === undefined ? { value } : { expected };
}
const NUMBER = /^[1-9]\d*$/;
function findOption(options, given) {
    const byId = options.find((option) => option.id === given);
    if (byId || !NUMBER.test(given))
        return byId;
    const byNumber = options[Number(given) - 1];
    return byNumber && isMistakable(options, given) ? undefined : byNumber;
}
/** True for the number of one option that a person reads as the label of another. */
function isMistakable(options, given) {
    if (!NUMBER.test(given))
        return false;
    const at = options.findIndex(({ label }) => label.trim() === given);
    return at >= 0 && at !== Number(given) - 1;
}
function expectedOption(options, given) {
    const why = isMistakable(options, given) ? "the id, for a number could mean two, of " : "";
    return `${why}one of these options: ${options.map(({ id }, index) => `${index + 1} ${id}`).join(", ")}`;
}
async function textProblem(value, validation) {
    const { required, regex } = validation ?? {};
    if (required && value.trim() === "")
        return "a text that is not empty";
    if (regex === undefined)
        return undefined;
    const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
    return RE2JS.compile(regex).matcher(value).find() ? undefined : `a text that matches ${regex}`;
}
/** A `Map`, because people and models choose the names. What is no JSON is told like any other wrong answer. */
function readObject(text) {
    const value = (0,_session_json_js__WEBPACK_IMPORTED_MODULE_1__/* .parseJson */ .qF)(text);
    return (0,_session_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value) ? new Map(Object.entries(value)) : undefined;
}


/***/ }),

/***/ 80255:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Zl: () => (/* binding */ createConfirm),
  js: () => (/* binding */ createConflict),
  JM: () => (/* binding */ createDoubt),
  hG: () => (/* binding */ createQuestion)
});

// EXTERNAL MODULE: ./build/session/actor.js
var actor = __webpack_require__(95114);
// EXTERNAL MODULE: ./build/session/conflict.js
var conflict = __webpack_require__(73445);
// EXTERNAL MODULE: ./node_modules/canonicalize/lib/canonicalize.js
var canonicalize = __webpack_require__(98799);
// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
;// CONCATENATED MODULE: ./build/approval/fingerprint.js
// What an approval is bound to (DURABILITY, "What an approval is bound to").


/** SHA-256 (hex) over the RFC 8785 form of everything the answer is bound to. */
function fingerprintOf(bound) {
    return (0,hash/* sha256Of */.B)((0,canonicalize/* default */.A)(JSON.parse(JSON.stringify(bound))) ?? "");
}

;// CONCATENATED MODULE: ./build/approval/interaction.js
// Makes the requests of the interaction protocol (UIP). Pure: who asks and who answers is elsewhere.



/** One Confirm for all asked calls of a turn, in order, numbered; `isolation` is how their commands would run. */
function createConfirm(origin, calls, isolation) {
    const [first] = calls;
    const isSingle = calls.length === 1;
    const asked = {
        kind: "Confirm",
        purpose: "confirm_risky_action",
        display: {
            title: isSingle && first ? (first.headline ?? first.title) : `${calls.length} actions need your approval`,
            content: calls.map((call, index) => (isSingle ? call.content : numbered(call, index + 1))).join("\n"),
            contentKind: calls.every((call) => call.contentKind === "Diff") ? "Diff" : "PlainText",
        },
        options: [
            { id: "approve", label: "Approve", style: "primary" },
            { id: "reject", label: "Reject", style: "danger", isDefault: true },
        ],
    };
    const dangers = [...new Set(calls.flatMap((call) => call.dangers))];
    return {
        ...createRequest(origin, asked, calls, isolation),
        ...(dangers.length > 0 ? { dangers } : {}),
        isolation,
        bindings: Object.fromEntries(calls.map((call) => [call.toolCallId, call.binding])),
    };
}
/** The question about one call that was started, and nobody knows whether it ran. */
function createDoubt(origin, call, isolation) {
    const asked = {
        kind: "Select",
        purpose: "confirm_risky_action",
        display: {
            title: `Nobody knows whether this happened: ${call.headline ?? call.title}`,
            description: "An earlier run started it and was interrupted before it had a result. Look at what is there, then decide.",
            content: call.content,
            contentKind: call.contentKind,
        },
        options: [
            { id: "happened", label: "It happened: go on" },
            { id: "run", label: "Run it now, maybe a second time", style: "danger" },
            { id: "stop", label: "End the task", isDefault: true },
        ],
    };
    return {
        ...createRequest(origin, asked, [call], isolation),
        ...(call.dangers.length > 0 ? { dangers: call.dangers } : {}),
        isolation,
        bindings: { [call.toolCallId]: call.binding },
    };
}
/**
 * The program's own question about files that a person changed as well. No command waits for it, so anybody may answer.
 * `redo.names`: the steps or tasks that would be made again; `isGuess`: the last of them was begun last, and which one made
 * some of the files is not known.
 */
function createConflict(origin, files, redo) {
    const { shown, more } = (0,conflict/* listFiles */.CS)(files, FILES_ROOM);
    const asked = {
        kind: "Select",
        purpose: "generic",
        display: {
            title: `A person changed ${files.length === 1 ? "a file" : `${files.length} files`} that this session changed as well`,
            description: `Theirs stand on the branch, and what was made here is not there any more. The session waits for your word.${more ? ` Not all of the files are listed: ${more.commits.join(", ")} ${more.commits.length === 1 ? "has" : "have"} them all.` : ""}`,
            content: [...shown, ...(more ? [`… and ${more.count} more`] : [])].join("\n"),
            contentKind: "PlainText",
        },
        options: [
            { id: "keep", label: "Keep theirs, where an artifact is still valid, and go on", isDefault: true },
            { id: "redo", label: redoLabel(redo), style: "danger" },
            { id: "stop", label: "End the session" },
        ],
    };
    const place = { taskId: CONFLICT, conversationId: CONFLICT, agent: actor/* PROGRAM */.RX, startedBy: [] };
    const call = { toolCallId: CONFLICT, toolName: CONFLICT, input: { files }, binding: {} };
    const request = createRequest({ ...origin, ...place }, asked, [call]);
    return { ...request, toolCallIds: [], authorActorId: actor/* PROGRAM */.RX, conflict: [...files] };
}
/** Characters of the list of files; commits have the rest of it. */
const FILES_ROOM = 10_000;
/** Steps that an option names. */
const STEPS = 5;
function redoLabel({ names, isGuess }) {
    if (names.length === 0)
        return "Make them again, over theirs";
    const shown = names.slice(0, STEPS).join(", ");
    const all = names.length > STEPS ? `${shown} and ${names.length - STEPS} more` : shown;
    const why = isGuess
        ? ` (${names.at(-1)} because it was begun last: nobody knows what made these files)`
        : "";
    return `Do ${all} again${why}, and tell the agent which files to look at`;
}
/** Stands where a task and a call stand in the questions of agents. */
const CONFLICT = "conflict";
/** The request of one call that asks by itself (`askUser`, `Task` without an agent). */
function createQuestion(origin, call, asked) {
    return createRequest(origin, asked, [call]);
}
function createRequest(origin, asked, calls, isolation) {
    const { agent, taskId, expiresAt, startedBy, ...bound } = origin;
    const fingerprint = fingerprintOf({
        ...bound,
        calls: calls.map(({ toolCallId, toolName, input, binding }) => ({
            toolCallId,
            toolName,
            input,
            binding,
        })),
        question: asked,
        ...(isolation === undefined ? {} : { isolation }),
    });
    const shortId = `q${origin.ordinal}-${fingerprint.slice(0, 6)}`;
    return {
        interactionId: `${origin.sessionId}.${shortId}`,
        shortId,
        taskId,
        conversationId: origin.conversationId,
        toolCallIds: calls.map((call) => call.toolCallId),
        authorActorId: `agent:${agent}`,
        ...asked,
        expiresAt,
        ...(startedBy === undefined ? {} : { startedBy }),
        fingerprint,
    };
}
/** Plain text is indented, so that no line of a command can pass for the next call; in a diff every line has its sign. */
function numbered({ title, content, contentKind }, number) {
    return `${number}. ${title}\n${contentKind === "Diff" ? content : content.replace(/^/gm, "   ")}`;
}


/***/ }),

/***/ 74953:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ recordable)
/* harmony export */ });
/* harmony import */ var _session_actor_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(95114);
/* harmony import */ var _session_interaction_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(95511);
/* harmony import */ var _session_state_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(94878);
// What an answer that was checked adds to the events. Pure.



/**
 * The events to append, in order. A Confirm is approved when `minApprovals` different people said so, and rejected by
 * one; any other question is answered by one. Empty: the request is not open, or that person approved it already.
 */
function recordable(interaction, given, minApprovals) {
    if (!(0,_session_state_js__WEBPACK_IMPORTED_MODULE_0__/* .isPending */ .mm)(interaction))
        return [];
    const { kind, interactionId, taskId } = interaction.request;
    const { answer, actorId, ...circumstances } = given;
    const response = {
        store: "events",
        type: "UserInteractionResponded",
        payload: { ...answer, interactionId, taskId, authorActorId: actorId, ...circumstances },
    };
    // What lets a call run: the approval of a Confirm, or of running one again that is in doubt.
    const option = answer.selectedOptionId;
    const isApproval = (kind === "Confirm" && option === "approve") || ((0,_session_interaction_js__WEBPACK_IMPORTED_MODULE_1__/* .letsCallsRun */ .Z)(interaction.request) && option === "run");
    const needsSeveral = minApprovals > 1 && isApproval;
    if (!needsSeveral)
        return [response];
    const people = new Set(interaction.approvals.map((approval) => personOf(approval.actorId)));
    if (people.has(personOf(actorId)))
        return [];
    const approval = {
        store: "events",
        type: "ApprovalGiven",
        payload: { interactionId, taskId, actorId, ...circumstances },
    };
    return people.size + 1 < minApprovals ? [approval] : [approval, response];
}
/** An account may change its login, never its id: `github:<id>:<login>`. */
function personOf(actorId) {
    return (0,_session_actor_js__WEBPACK_IMPORTED_MODULE_2__/* .githubAccountOf */ .Mx)(actorId)?.id ?? actorId;
}


/***/ }),

/***/ 55947:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   K$: () => (/* binding */ onePerField),
/* harmony export */   Su: () => (/* binding */ checkValue),
/* harmony export */   aZ: () => (/* binding */ MAX_PROBLEMS),
/* harmony export */   l4: () => (/* binding */ problemAt)
/* harmony export */ });
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(59437);
/* harmony import */ var _describe_schema_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73748);
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(58308);



/** Nobody reads more at once, and a hostile value must not cost more. */
const MAX_PROBLEMS = 200;
/** Holds a value against a schema of zod. One problem a field, at most 200. */
async function checkValue(zodSchema, value) {
    const parsed = zodSchema.safeParse(value);
    if (parsed.success)
        return { value: parsed.data, problems: [], schema: {} };
    const { toJSONSchema } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(618)]).then(__webpack_require__.bind(__webpack_require__, 82618));
    const schema = toJSONSchema(zodSchema);
    const problems = parsed.error.issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => ({ path, ...problemAt(schema, value, path, message) }));
    return { value, problems: onePerField(problems), schema };
}
/** What the schema wants at `path`, in words, and what is there. */
function problemAt(schema, value, path, message) {
    const here = (0,_describe_schema_js__WEBPACK_IMPORTED_MODULE_0__/* .schemaAt */ .lv)(schema, path);
    const received = (0,_problem_js__WEBPACK_IMPORTED_MODULE_1__/* .describeReceived */ .Jr)((0,_session_json_js__WEBPACK_IMPORTED_MODULE_2__/* .valueAt */ .fK)(value, ...path));
    const expected = here && (0,_describe_schema_js__WEBPACK_IMPORTED_MODULE_0__/* .describeSchema */ .hZ)(here, schema);
    return { field: (0,_problem_js__WEBPACK_IMPORTED_MODULE_1__/* .fieldName */ .w5)(path), expected: expected ?? `a value that ${message}`, received };
}
/** Branches of a choice fail one by one and the choice itself last: what came last says most. */
function onePerField(problems) {
    return [...new Map(problems.map((problem) => [problem.field, problem])).values()];
}


/***/ }),

/***/ 73748:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F5: () => (/* binding */ shapeOf),
/* harmony export */   hZ: () => (/* binding */ describeSchema),
/* harmony export */   lv: () => (/* binding */ schemaAt)
/* harmony export */ });
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(59437);
// JSON Schema put into words and into an example shape: what hints are made from.

const MAX_DEPTH = 5;
/**
 * In words: `text of 10–200 characters`, `one of "a", "b"`, `a list of 3–7 items, each text`. `root` resolves local
 * `$ref`s. Undefined for a schema without a keyword that can be said in words.
 */
function describeSchema(schema, root = schema, depth = 0) {
    const node = resolveSchema(schema, root);
    const within = (inner) => wordsFor(inner, root, depth + 1);
    if (depth > MAX_DEPTH)
        return undefined;
    if (Array.isArray(node.enum))
        return `one of ${node.enum.map((value) => JSON.stringify(value)).join(", ")}`;
    if (node.const !== undefined)
        return JSON.stringify(node.const);
    const choices = node.anyOf ?? node.oneOf;
    if (Array.isArray(choices))
        return choices.map(within).join(" or ");
    if (Array.isArray(node.type))
        return node.type.map((type) => within({ ...node, type })).join(" or ");
    switch (node.type) {
        case "string":
            return `text${range(node.minLength, node.maxLength, "characters")}${patternOf(node)}`;
        case "integer":
            return `a whole number${numberRange(node)}`;
        case "number":
            return `a number${numberRange(node)}`;
        case "boolean":
            return "true or false";
        case "null":
            return "null";
        case "array":
            return `a list${range(node.minItems, node.maxItems, "items")}${node.items ? `, each ${within(node.items)}` : ""}`;
        case "object":
            return `an object${fieldNames(node)}`;
        default:
            return undefined;
    }
}
/** An example of the right shape: texts and numbers are replaced by what they must be; optional fields end in `?`. */
function shapeOf(schema, root = schema, depth = 0) {
    const node = resolveSchema(schema, root);
    const within = (inner) => ((0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(inner) ? shapeOf(inner, root, depth + 1) : "<any value>");
    if (node.type === "array" && depth < MAX_DEPTH)
        return [within(node.items)];
    if (node.type !== "object" || !(0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(node.properties) || depth >= MAX_DEPTH) {
        return `<${wordsFor(node, root, 0)}>`;
    }
    const required = requiredOf(node);
    return Object.fromEntries(Object.entries(node.properties).map(([key, inner]) => [
        required.has(key) ? key : `${key}?`,
        within(inner),
    ]));
}
/** The schema of the value at `path`, or undefined where the schema does not say. */
function schemaAt(root, path) {
    let node = root;
    for (const key of path) {
        if (!(0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(node))
            return undefined;
        const here = resolveSchema(node, root);
        node = typeof key === "number" ? here.items : propertyOf(here, String(key));
    }
    return (0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(node) ? resolveSchema(node, root) : undefined;
}
function propertyOf(node, key) {
    const properties = (0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(node.properties) ? node.properties : {};
    const found = Object.hasOwn(properties, key) ? properties[key] : node.additionalProperties;
    return (0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(found) ? found : undefined;
}
function wordsFor(schema, root, depth) {
    return ((0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(schema) ? describeSchema(schema, root, depth) : undefined) ?? "any value";
}
function resolveSchema(node, root, hops = 0) {
    const reference = node.$ref;
    if (typeof reference !== "string" || !reference.startsWith("#") || hops > 10)
        return node;
    let target = root;
    for (const part of reference.split("/").slice(1)) {
        const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
        target = (0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    return (0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(target) ? resolveSchema(target, root, hops + 1) : node;
}
function requiredOf(node) {
    return new Set(Array.isArray(node.required) ? node.required : []);
}
function fieldNames(node) {
    if (!(0,_session_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(node.properties))
        return "";
    const required = requiredOf(node);
    const names = Object.keys(node.properties).map((key) => (required.has(key) ? key : `${key}?`));
    return names.length > 0 ? ` with ${names.join(", ")}` : "";
}
function patternOf(node) {
    if (typeof node.description === "string" && node.pattern !== undefined)
        return ` (${node.description})`;
    return typeof node.pattern === "string" ? ` matching ${node.pattern}` : "";
}
function range(min, max, noun) {
    if (typeof min === "number" && typeof max === "number" && min > 0) {
        return ` of ${min === max ? min : `${min}–${max}`} ${noun}`;
    }
    if (typeof min === "number" && min > 0)
        return ` of at least ${min} ${min === 1 ? noun.slice(0, -1) : noun}`;
    return typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? ` of at most ${max} ${noun}` : "";
}
function numberRange(node) {
    const { minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below } = node;
    if (typeof min === "number" && typeof max === "number")
        return ` from ${min} to ${max}`;
    const parts = [
        typeof min === "number" && min > Number.MIN_SAFE_INTEGER ? `of at least ${min}` : "",
        typeof above === "number" ? `above ${above}` : "",
        typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? `of at most ${max}` : "",
        typeof below === "number" ? `below ${below}` : "",
    ].filter((part) => part !== "");
    return parts.length > 0 ? ` ${parts.join(" and ")}` : "";
}


/***/ }),

/***/ 3811:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ throwIfErrors),
/* harmony export */   x: () => (/* binding */ formatDiagnostic)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
// All that is wrong with a configuration is reported at once, with file and line.

/** `file:line: message (hint)` */
function formatDiagnostic(diagnostic) {
    const place = diagnostic.line === undefined ? diagnostic.file : `${diagnostic.file}:${diagnostic.line}`;
    return `${place}: ${diagnostic.message}${diagnostic.hint ? ` (${diagnostic.hint})` : ""}`;
}
/** Throws `config-invalid` with every error, one a line, when there is at least one. */
function throwIfErrors(diagnostics) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    if (errors.length === 0)
        return;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", errors.map(formatDiagnostic).join("\n"));
}


/***/ }),

/***/ 36045:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  f1: () => (/* binding */ lineAtPath),
  oi: () => (/* binding */ plainOf),
  gM: () => (/* binding */ readYaml),
  Jb: () => (/* binding */ textOfScalar)
});

// UNUSED EXPORTS: readAnyYaml

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
;// CONCATENATED MODULE: ./build/config/flat-yaml.js
const LINE = /^([A-Za-z][\w-]*):(?:[ ]+(.*))?$/;
/** Begins with a letter, and is no text that YAML takes for something else. */
const PLAIN = /^[A-Za-z][^\p{C}\p{Z}#:]*(?:(?: |:(?=[^\p{C}\p{Z}#:]))[^\p{C}\p{Z}#:]+)*$/u;
const NO_TEXT = /^(?:true|false|null|y|n|yes|no|on|off)$/i;
const WHOLE = /^(?:0|[1-9]\d{0,8})$/;
const QUOTED = /^"([^"\\\p{C}]*)"$|^'([^'\p{C}]*)'$/u;
/** The tree that `readYaml` would give, or undefined where only the library can tell. */
function readFlatYaml(text, firstLine) {
    const entries = new Map();
    let first;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
        if (line === "" || line.startsWith("#"))
            continue;
        const [, name, written = ""] = LINE.exec(line) ?? [];
        const value = scalarOf(written);
        if (name === undefined || value === undefined || entries.has(name) || NO_TEXT.test(name))
            return undefined;
        const place = firstLine + index;
        first ??= place;
        entries.set(name, { line: place, value: { kind: "scalar", line: place, value } });
    }
    return first === undefined ? undefined : { kind: "map", line: first, entries };
}
function scalarOf(written) {
    if (written === "true" || written === "false")
        return written === "true";
    if (WHOLE.test(written))
        return Number(written);
    if (PLAIN.test(written))
        return NO_TEXT.test(written) ? undefined : written;
    const [, double, single] = QUOTED.exec(written) ?? [];
    return double ?? single;
}

;// CONCATENATED MODULE: ./build/config/located-yaml.js


const MAX_CHARACTERS = 64_000;
const MAX_ERRORS = 10;
const MAX_DEPTH = 60;
const MAX_ALIASES = 100;
/**
 * Reads one document; `firstLine` is the line of its first character in `file`.
 * Never throws: everything wrong is in `diagnostics`, and then `root` is undefined. An empty document is a null scalar.
 */
async function readYaml(text, file, firstLine = 1) {
    const root = text.length > MAX_CHARACTERS ? undefined : readFlatYaml(text, firstLine);
    return root === undefined ? readAnyYaml(text, file, firstLine) : { root, diagnostics: [] };
}
/** As `readYaml`, by the library alone. */
async function readAnyYaml(text, file, firstLine) {
    const problem = (message, line) => ({
        severity: "error",
        file,
        message,
        ...(line === undefined ? {} : { line: line + firstLine - 1 }),
    });
    if (text.length > MAX_CHARACTERS) {
        return { root: undefined, diagnostics: [problem("is too large: at most 64,000 characters are read")] };
    }
    if (isTooDeep(text))
        return { root: undefined, diagnostics: [problem("is nested too deeply")] };
    // Not above: a run may well meet no YAML, and the library takes long to load.
    const yaml = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 38815, 19));
    const lines = new yaml.LineCounter();
    const lineAt = (offset) => lines.linePos(offset ?? 0).line;
    try {
        // The library's own check for doubled keys takes quadratic time; the locator has one.
        const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
        if (document.errors.length > 0) {
            const byLine = new Map(document.errors.toReversed().map((error) => [lineAt(error.pos[0]), error]));
            const diagnostics = [...byLine]
                .sort(([one], [other]) => one - other)
                .slice(0, MAX_ERRORS)
                .map(([line, error]) => problem(`is not valid YAML: ${plainReason(error)}`, line));
            return { root: undefined, diagnostics };
        }
        const locate = createLocator(yaml, document, lineAt, firstLine - 1);
        return { root: locate(document.contents, 0), diagnostics: [] };
    }
    catch (error) {
        if (error instanceof PlacedError)
            return { root: undefined, diagnostics: [problem(error.message, error.line)] };
        return { root: undefined, diagnostics: [problem(`cannot be read: ${plainReason(error)}`)] };
    }
}
/** Thrown and caught in this file only; `line` counts in the text. */
class PlacedError extends Error {
    line;
    constructor(message, line) {
        super(message);
        this.line = line;
    }
}
// The parser recurses: what is too deep ends in an overflow of the stack, slowly.
function isTooDeep(text) {
    let depth = 0;
    for (const character of text) {
        if (character === "[" || character === "{")
            depth += 1;
        else if (character === "]" || character === "}")
            depth = Math.max(0, depth - 1);
        if (depth > 200)
            return true;
    }
    // Lists in lists on one line: `- - - -`.
    return /^[ \t]*(?:[-?:][ \t]+){60}/m.test(text);
}
function plainReason(error) {
    const reason = (0,errors/* messageOf */.bD)(error);
    if (/call stack|stack overflow/i.test(reason))
        return "it is nested too deeply";
    if (/compact mapping/i.test(reason))
        return `${reason}: put a text with a colon in quotes`;
    return reason.replace(/; please use .*$/, "");
}
function createLocator({ isAlias, isMap, isNode, isScalar, isSeq }, document, lineAt, linesBefore) {
    let aliases = 0;
    const offsetOf = (node) => (isNode(node) ? node.range?.[0] : undefined);
    function locate(node, depth) {
        const place = lineAt(offsetOf(node));
        const line = place + linesBefore;
        if (depth > MAX_DEPTH)
            throw new PlacedError("is nested too deeply", place);
        if (isAlias(node)) {
            aliases += 1;
            if (aliases > MAX_ALIASES)
                throw new PlacedError(`has more than ${MAX_ALIASES} aliases`, place);
            const target = node.resolve(document);
            if (target === undefined)
                throw new PlacedError(`has no anchor "${node.source}" for its alias`, place);
            return { ...locate(target, depth + 1), line };
        }
        if (isSeq(node))
            return { kind: "list", line, items: node.items.map((item) => locate(item, depth + 1)) };
        if (!isMap(node))
            return { kind: "scalar", line, value: isScalar(node) ? plainScalar(node.value) : null };
        const entries = new Map();
        for (const pair of node.items) {
            const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
            const keyPlace = lineAt(offsetOf(pair.key));
            if (entries.has(key))
                throw new PlacedError(`has the key "${key}" twice`, keyPlace);
            const keyLine = keyPlace + linesBefore;
            const value = pair.value === null ? nullAt(keyLine) : locate(pair.value, depth + 1);
            entries.set(key, { line: keyLine, value });
        }
        return { kind: "map", line, entries };
    }
    return locate;
}
function nullAt(line) {
    return { kind: "scalar", line, value: null };
}
function plainScalar(value) {
    if (value === null || typeof value === "string" || typeof value === "boolean")
        return value;
    return typeof value === "number" ? value : String(value);
}
/** The bare value: mappings as Maps, lists as arrays. */
function plainOf(located) {
    if (located.kind === "scalar")
        return located.value;
    if (located.kind === "list")
        return located.items.map(plainOf);
    return new Map([...located.entries].map(([key, entry]) => [key, plainOf(entry.value)]));
}
/** The line of the value at `path`, or of the nearest place above it that is there. */
function lineAtPath(root, path) {
    let here = root;
    let line = root.line;
    for (const step of path) {
        const entry = here.kind === "map" ? here.entries.get(String(step)) : undefined;
        const next = here.kind === "list" ? here.items[Number(step)] : entry?.value;
        if (next === undefined)
            return line;
        here = next;
        line = entry?.line ?? next.line;
    }
    return line;
}
/** The text of a scalar, or undefined when it is none or empty. */
function textOfScalar(located) {
    if (located?.kind !== "scalar" || typeof located.value !== "string")
        return undefined;
    return located.value.trim() === "" ? undefined : located.value.trim();
}


/***/ }),

/***/ 58308:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jr: () => (/* binding */ describeReceived),
/* harmony export */   Vw: () => (/* binding */ formatProblem),
/* harmony export */   w5: () => (/* binding */ fieldName)
/* harmony export */ });
// One thing wrong with an artifact: which field, what was expected, what came.
const SHOWN = 80;
const MAX_FIELD = 120;
/** `importantQuotes[2].text`; the whole artifact has a name as well. */
function fieldName(path) {
    if (path.length === 0)
        return "(the artifact)";
    const name = path
        .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
        .join("")
        .replace(/^\./, "")
        .toWellFormed();
    return name.length > MAX_FIELD ? `${name.slice(0, MAX_FIELD).toWellFormed()}…` : name;
}
/** `headline: expected text of 10–200 characters, got "x" (1 character)` */
function formatProblem({ field, expected, received }) {
    return `${field}: expected ${expected}, got ${received}`;
}
/** What came, cut at 80 characters, with its length where that may be the point. */
function describeReceived(value) {
    if (value === undefined)
        return "nothing";
    if (Array.isArray(value))
        return `a list of ${value.length}: ${cut(JSON.stringify(value))}`;
    if (typeof value === "string")
        return `${cut(JSON.stringify(value))} (${count([...value].length, "character")})`;
    return cut(JSON.stringify(value));
}
function count(amount, noun) {
    return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
function cut(text) {
    const characters = [...text.slice(0, 2 * SHOWN + 2)];
    return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : text;
}


/***/ }),

/***/ 95737:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AP: () => (/* binding */ SOURCE_FILES),
/* harmony export */   Ak: () => (/* binding */ readTaskAgents),
/* harmony export */   xq: () => (/* binding */ PROVIDERS)
/* harmony export */ });
/* harmony import */ var _suggest_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(85813);

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
        fail(file, `there is no agent ${JSON.stringify(name)}`, (0,_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(name, known) ?? `there are: ${[...known].join(", ")}`);
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
                fail(`${name}: there is no provider ${JSON.stringify(value)}`, (0,_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(value, PROVIDERS));
        }
        else if (key === "model" && value !== "")
            agent.model = value;
        else {
            const keys = ["provider", "model", ...NUMBERS.keys()];
            fail(`${name}: ${JSON.stringify(word)} says nothing`, (0,_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(key, keys) ?? `write ${keys.join("=…, ")}=…`);
        }
    }
    if (agent.provider === undefined && PROVIDERS.some((provider) => provider === name))
        agent.provider = name;
    return { ...agent, name };
}


/***/ }),

/***/ 61161:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ summarizeItems),
/* harmony export */   Y: () => (/* binding */ bareItem)
/* harmony export */ });
/* harmony import */ var _session_conversation_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(62068);
// What a run says of one item: the shape behind `--json`, the summary and the outputs.

/** `status` of several: failed > waiting > stopped > completed > ignored; the reason is that of the first such item. */
function summarizeItems(items) {
    for (const status of ["failed", "waiting", "stopped", "completed", "ignored"]) {
        const found = items.filter((item) => item.status === status);
        const [first] = found;
        if (!first)
            continue;
        const isDone = found.some((item) => item.reasonCode === "done");
        return { status, reasonCode: isDone ? "done" : first.reasonCode, items: [...items] };
    }
    return { status: "ignored", reasonCode: "no-items", items: [] };
}
/** Of what could not be read: `name` says which it is. */
function bareItem(name, settings, ended) {
    return {
        source: name,
        sessionId: "",
        title: name,
        ...ended,
        folder: "",
        pipeline: settings.pipeline,
        output: settings.output ?? "",
        finalOutput: "",
        artifacts: new Map(),
        steps: [],
        interactions: [],
        usage: (0,_session_conversation_js__WEBPACK_IMPORTED_MODULE_0__/* .noUsage */ .tk)(),
        costUsd: 0,
    };
}


/***/ }),

/***/ 93348:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ fileName),
/* harmony export */   t: () => (/* binding */ readTitle)
/* harmony export */ });
// What a content item is called.
/** The front matter's title, else the first Markdown heading of the body, else the file's name. One line, never empty. */
function readTitle(given, body, source) {
    const named = typeof given === "string" || typeof given === "number" ? oneLine(String(given)) : "";
    return named || firstHeading(body) || fileName(source) || "item";
}
/** The last part of a path without its extension. */
function fileName(path) {
    const name = path.split("/").at(-1) ?? "";
    return oneLine(name.replace(/(?<=.)\.[^.]*$/, ""));
}
/** CommonMark headings (`#` or underlined), outside of fenced code. */
function firstHeading(body) {
    let fence;
    let above = "";
    for (const line of body.split(/\r?\n/)) {
        const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
        if (fence !== undefined) {
            if (mark?.startsWith(fence))
                fence = undefined;
            continue;
        }
        fence = mark;
        const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1]?.replace(/(?:^|[ \t])#+[ \t]*$/, "");
        if (heading && oneLine(heading))
            return oneLine(heading);
        if (above && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line))
            return above;
        above = /^ {0,3}[^\s>*+`~|<-]/.test(line) ? oneLine(line) : "";
    }
    return "";
}
function oneLine(text) {
    return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}


/***/ }),

/***/ 24642:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GH: () => (/* binding */ createSessionId),
/* harmony export */   LV: () => (/* binding */ createWorkId),
/* harmony export */   Sd: () => (/* binding */ isSessionId)
/* harmony export */ });
/* unused harmony export slugify */
/* harmony import */ var canonicalize__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(98799);
/* harmony import */ var _session_hash_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(17815);
/* harmony import */ var _item_title_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(93348);
// Ids of sessions and works: they become paths and refs, so their form is checked, and no model is asked for them.



const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;
const MAX_SLUG = 60;
/** True for what may name a session or a work: safe as part of a path and of a ref. */
function isSessionId(text) {
    return ID.test(text);
}
/** Lower-case letters, digits and single hyphens, at most 60; empty when nothing is left. */
function slugify(text) {
    const plain = text
        .slice(0, 1000)
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replaceAll("ß", "ss");
    const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
    if (slug.length <= MAX_SLUG)
        return slug;
    const cut = slug.slice(0, MAX_SLUG + 1).replace(/-[^-]*$/, "");
    return (cut.length <= MAX_SLUG ? cut : slug.slice(0, MAX_SLUG)).replace(/-+$/, "");
}
/** `<slug>-<YYYY-MM-DD>-<6 hex>`; the day is UTC's, the slug from the hint, else the title, else the file name. */
function createSessionId(item, now, randomHex6) {
    const names = [item.slugHint ?? "", item.title, (0,_item_title_js__WEBPACK_IMPORTED_MODULE_1__/* .fileName */ .M)(item.source)];
    const slug = names.map(slugify).find((name) => name !== "") ?? "item";
    return `${slug}-${now.toISOString().slice(0, 10)}-${randomHex6}`;
}
/** `<name>-<6 hex>`: the same for the same key, whatever the order of the key's fields. */
function createWorkId(name, key) {
    return `${slugify(name) || "work"}-${(0,_session_hash_js__WEBPACK_IMPORTED_MODULE_0__/* .hashContent */ .s)((0,canonicalize__WEBPACK_IMPORTED_MODULE_2__/* ["default"] */ .A)(key) ?? "").slice(0, 6)}`;
}


/***/ }),

/***/ 85500:
/***/ ((__webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
__webpack_require__.r(__webpack_exports__);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var _config_secrets_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3654);
/* harmony import */ var _publish_markdown_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(11379);
/* harmony import */ var _session_redaction_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(20134);
/* harmony import */ var _action_outcome_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(82291);
/* harmony import */ var _action_progress_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(24240);
/* harmony import */ var _action_run_action_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(80125);
/* harmony import */ var _action_runner_facts_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(75779);
/* harmony import */ var _action_tell_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(94442);
// The Action's main step, once no key is left in the environment: the only place that touches the process.











/** The runner kills 10 s after its first signal; `post` does what is left. */
const SAVING_MS = 7_000;
/** Name of the state that `post` reads. */
const STATE = "looplia";
const redact = (0,_session_redaction_js__WEBPACK_IMPORTED_MODULE_9__/* .createRedactor */ .lY)((0,_config_secrets_js__WEBPACK_IMPORTED_MODULE_3__/* .secretsOf */ .F)(process.env));
// It takes a tenth of a second: time that the first git commands take anyway.
const loading = __webpack_require__.e(/* import() */ 659).then(__webpack_require__.bind(__webpack_require__, 91659));
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) {
    process.on(name, () => {
        if (interruption.signal.aborted)
            return;
        interruption.abort("interrupted");
        setTimeout(endUnsaved, SAVING_MS).unref();
    });
}
try {
    const facts = (0,_action_runner_facts_js__WEBPACK_IMPORTED_MODULE_7__/* .readRunnerFacts */ .cw)(process.env);
    const core = await loading;
    const temporary = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(facts.temporary, "looplia-"));
    // The jobs of a matrix have all their names in common.
    const claimant = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(6).toString("hex");
    const remember = ({ upload, works = [] }) => {
        const left = { temporary, claimant, upload, works };
        core.saveState(STATE, JSON.stringify(left));
    };
    remember({});
    const [{ wireAction }, { clock }] = await Promise.all([Promise.all(/* import() */[__webpack_require__.e(259), __webpack_require__.e(634), __webpack_require__.e(895), __webpack_require__.e(752)]).then(__webpack_require__.bind(__webpack_require__, 30752)), Promise.all(/* import() */[__webpack_require__.e(259), __webpack_require__.e(634), __webpack_require__.e(895)]).then(__webpack_require__.bind(__webpack_require__, 9895))]);
    const observe = (said) => {
        const event = (0,_session_redaction_js__WEBPACK_IMPORTED_MODULE_9__/* .redactValue */ .FI)(said, redact);
        const line = (0,_action_progress_js__WEBPACK_IMPORTED_MODULE_10__/* .progressLine */ .o)(event);
        if (line !== undefined)
            process.stdout.write(`${(0,_publish_markdown_js__WEBPACK_IMPORTED_MODULE_4__/* .neutralizeLine */ .a0)(line)}\n`);
        else if (event.type === "notice" && event.level === "warning")
            core.warning((0,_publish_markdown_js__WEBPACK_IMPORTED_MODULE_4__/* .neutralizeLine */ .a0)(event.message));
        else if (event.type === "notice")
            process.stdout.write(`${(0,_publish_markdown_js__WEBPACK_IMPORTED_MODULE_4__/* .neutralizeLine */ .a0)(event.message)}\n`);
    };
    const { signal } = interruption;
    const event = await (0,_action_runner_facts_js__WEBPACK_IMPORTED_MODULE_7__/* .readEvent */ .j_)(process.env);
    const wiring = await wireAction();
    const environment = process.env;
    const ended = await (0,_action_run_action_js__WEBPACK_IMPORTED_MODULE_6__/* .runAction */ .C)({
        wiring,
        environment,
        facts,
        event,
        claimant,
        temporary,
        clock,
        observe,
        signal,
        remember,
    });
    await (0,_action_tell_js__WEBPACK_IMPORTED_MODULE_8__/* .tellRunner */ .s)(core, (0,_session_redaction_js__WEBPACK_IMPORTED_MODULE_9__/* .redactValue */ .FI)(ended, redact));
}
catch (thrown) {
    const core = await loading;
    const { status, reasonCode, message } = (0,_session_redaction_js__WEBPACK_IMPORTED_MODULE_9__/* .redactValue */ .FI)((0,_action_outcome_js__WEBPACK_IMPORTED_MODULE_5__/* .outcomeOf */ .sG)(thrown), redact);
    core.setOutput("status", status);
    core.setOutput("reason-code", reasonCode);
    core.setFailed(`${reasonCode}: ${message ?? ""}`);
}
async function endUnsaved() {
    const core = await loading;
    core.setOutput("status", "stopped");
    core.setOutput("reason-code", "interrupted");
    core.setFailed("interrupted: there was no time to save everything; run again to go on from the branch");
    process.exit();
}
// Timers and sockets of packages must not hold the job.
process.exit();

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 82291:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G9: () => (/* binding */ settle),
/* harmony export */   Gi: () => (/* binding */ graver),
/* harmony export */   Zk: () => (/* binding */ gravest),
/* harmony export */   sG: () => (/* binding */ outcomeOf)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
// How a run of the Action ends: an expected failure is an outcome, anything else is a bug, and says so. Pure.

const ORDER = ["failed", "waiting", "stopped", "completed", "ignored"];
/** The outcome that a thrown error stands for. */
function outcomeOf(thrown) {
    if (thrown instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K) {
        const message = thrown.hint ? `${thrown.message}\n${thrown.hint}` : thrown.message;
        return { status: statusOf(thrown), reasonCode: thrown.code, message };
    }
    if (thrown instanceof Error && thrown.name === "AbortError") {
        return {
            status: "stopped",
            reasonCode: "interrupted",
            message: "stopped on request; what was done is saved",
        };
    }
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return {
        status: "failed",
        reasonCode: "bug",
        message: `This is a bug in looplia, please report it:\n${stack}`,
    };
}
/** The outcome of the work, or the one that its error stands for. */
async function settle(work, rescue) {
    try {
        return await work();
    }
    catch (thrown) {
        return rescue(thrown);
    }
}
/** The graver of two; of equals the first. A run whose work is over or another's is ignored unless it failed as well. */
function graver(ran, published) {
    if (!published)
        return ran;
    if (published.status === "ignored" && ran.status !== "failed")
        return published;
    return ORDER.indexOf(ran.status) <= ORDER.indexOf(published.status) ? ran : published;
}
/** The gravest of several works, the first of equals. */
function gravest(outcomes) {
    return outcomes.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))[0];
}
function statusOf(error) {
    switch (error.code) {
        case "busy":
        case "lost-race":
        case "closed":
            return "ignored";
        case "interrupted":
        case "deadline":
        case "cost-limit":
            return "stopped";
        default:
            return "failed";
    }
}


/***/ }),

/***/ 24240:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ progressLine)
/* harmony export */ });
/** A line, or undefined for what the log leaves out. Notices are annotations and told elsewhere. */
function progressLine(event) {
    switch (event.type) {
        case "session":
            return `${event.source}: session ${event.sessionId}, ${dueOf(event.steps)}`;
        case "iteration":
            return event.status === "started" ? `${event.sessionId}: ${iterationOf(event)}` : undefined;
        case "question":
            return `${event.sessionId}: ${event.request.shortId} waits for an answer: ${event.request.display.title}`;
        case "step":
            return `${event.sessionId}: ${event.output} ${event.status}${event.message ? `: ${event.message}` : ""}`;
        case "tool-ended": {
            const call = `${event.sessionId}: ${event.toolName} ${event.summary}`;
            if (event.refused !== undefined)
                return `${call} refused: ${event.refused}`;
            return `${call}${event.isError ? " failed" : ""} (${Math.round(event.durationMs)} ms)`;
        }
        case "validation-failed": {
            const left = event.recoverable ? "the model tries again" : "no try is left";
            return `${event.sessionId}: ${event.artifact} refused, ${left}: ${event.errors.join("; ")}`;
        }
        default:
            return undefined;
    }
}
function iterationOf(event) {
    const { iteration, taskId, title, agent, model, schedule } = event;
    return `iteration ${iteration}: ${taskId}: ${title} (agent ${agent}, model ${model}, schedule ${schedule})`;
}
function dueOf(steps) {
    const due = steps.filter((step) => step.due).map((step) => `${step.output} (${step.reason})`);
    return due.length === 0 ? "nothing is due" : `due: ${due.join(", ")}`;
}


/***/ }),

/***/ 80125:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  C: () => (/* binding */ runAction)
});

// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
;// CONCATENATED MODULE: ./build/trigger/payload.js
// Reading what an event brings: payloads may have any shape. Pure.
/** The value where it is a text that is not empty. */
function textOf(value) {
    return typeof value === "string" && value !== "" ? value : undefined;
}
/** The value where it is a whole number above zero. */
function countOf(value) {
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

;// CONCATENATED MODULE: ./build/trigger/event.js
// What an event of the Action may start, and which refs it works on and trusts. Pure; payloads may have any shape.


const COMMANDS = new Set([
    "issue_comment",
    "check_run",
    "pull_request_review",
    "pull_request_review_comment",
]);
const STARTS = new Set(["push", "schedule", "workflow_dispatch", "repository_dispatch"]);
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
/** Why an event starts nothing, or undefined when it may. */
function refuseEvent(event) {
    if (STARTS.has(event.name)) {
        const isAnswer = event.name === "repository_dispatch" && (0,json/* valueAt */.fK)(event.payload, "action") === "looplia-answer";
        return isAnswer
            ? { reasonCode: "no-command", message: "there is no question that this could answer" }
            : undefined;
    }
    if (event.name === "pull_request")
        return refusePullRequest(event.payload);
    if (COMMANDS.has(event.name)) {
        return { reasonCode: "no-command", message: `${event.name} starts nothing: there is no command in it` };
    }
    return untrusted(`the event ${JSON.stringify(event.name)} can be started by people without write access; use push, schedule, workflow_dispatch, repository_dispatch or pull_request`);
}
/** The refs of an event that `refuseEvent` let through. A branch under `branchPrefix` is never base nor trusted. */
function chooseRefs(event, repository) {
    const { defaultBranch } = repository;
    const isOpen = (branch) => branch !== undefined && isBranchName(branch) && !branch.startsWith(repository.branchPrefix);
    if (event.name === "pull_request") {
        const base = (0,json/* valueAt */.fK)(event.payload, "pull_request", "base");
        const branch = textOf((0,json/* valueAt */.fK)(base, "ref"));
        const commit = textOf((0,json/* valueAt */.fK)(base, "sha"));
        if (!isOpen(branch) || commit === undefined)
            return onBranch(defaultBranch);
        return { base: branch, trusted: { branch, commit } };
    }
    const branch = branchOf(event.ref);
    if (event.name === "push") {
        return { base: isOpen(branch) ? branch : defaultBranch, trusted: { branch: defaultBranch } };
    }
    if (event.name !== "workflow_dispatch")
        return onBranch(defaultBranch);
    if (isOpen(branch))
        return onBranch(branch);
    const isTag = event.ref.startsWith("refs/tags/") && COMMIT.test(event.sha);
    return isTag
        ? { base: defaultBranch, trusted: { branch: defaultBranch, commit: event.sha } }
        : onBranch(defaultBranch);
}
/** The default branch as the payload tells, when it does. */
function defaultBranchOf(payload) {
    const branch = textOf((0,json/* valueAt */.fK)(payload, "repository", "default_branch"));
    return branch !== undefined && isBranchName(branch) ? branch : undefined;
}
/** What git accepts as a branch's name (git-check-ref-format), and no option. */
function isBranchName(name) {
    if (name === "" || name.length > 244 || /^[-/]|[/.]$|\.\.|\/\/|@\{|\.lock(\/|$)|(^|\/)\./.test(name))
        return false;
    return !/[\p{Cc} ~^:?*[\\]/u.test(name) && name !== "@";
}
function refusePullRequest(payload) {
    const own = (0,json/* valueAt */.fK)(payload, "repository", "full_name");
    const head = (0,json/* valueAt */.fK)(payload, "pull_request", "head", "repo", "full_name");
    const base = (0,json/* valueAt */.fK)(payload, "pull_request", "base");
    const isComplete = COMMIT.test(textOf((0,json/* valueAt */.fK)(base, "sha")) ?? "") && isBranchName(textOf((0,json/* valueAt */.fK)(base, "ref")) ?? "");
    if (textOf(own) !== undefined && head === own && isComplete)
        return undefined;
    return untrusted("a pull request from a fork starts nothing: its author may have no write access here");
}
function onBranch(branch) {
    return { base: branch, trusted: { branch } };
}
function branchOf(ref) {
    return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}
function untrusted(message) {
    return { reasonCode: "fork-or-untrusted-event", message };
}

// EXTERNAL MODULE: ./build/session/actor.js
var session_actor = __webpack_require__(95114);
;// CONCATENATED MODULE: ./build/trigger/who-may.js

/**
 * The standing of a comment's author, or undefined for everybody who has none: no write access (any more), an account
 * that is gone, a login that has passed to another account, a bot that is not allowed by slug and id. Teams are asked
 * only where `decides` and no login matches; fails with `config-invalid` where the token can't read teams.
 */
async function findStanding({ author, app }, settings, asks, decides) {
    if (author === null)
        return undefined;
    const actorId = `github:${author.id}:${author.login}`;
    const isAllowed = isAllowedBot({ author, ...(app ? { app } : {}) }, settings.allowedBots);
    if (author.isBot) {
        return isAllowed ? { actorId, permission: "allowed-bot", isBot: true, mayDecide: true } : undefined;
    }
    const { role, userId } = await asks.permissionOf(author.login);
    if (userId !== author.id || !hasWrite(role))
        return undefined;
    const mayDecide = decides && (await isApprover(author.login, settings.approvers, asks));
    const strangeApp = app && !isAllowed ? { strangeApp: app.slug } : {};
    return { actorId, permission: role, isBot: false, mayDecide, ...strangeApp };
}
/** The standing of the person for whom an allowed bot dispatched a command. */
async function findSenderStanding(login, settings, asks, decides) {
    const { role, userId } = await asks.permissionOf(login);
    if (userId === undefined || !hasWrite(role))
        return undefined;
    const mayDecide = decides && (await isApprover(login, settings.approvers, asks));
    return { actorId: `github:${userId}:${login}`, permission: role, isBot: false, mayDecide };
}
/** Whether who decided something earlier might still do so: asked again just before it has its effect. */
async function mayStillDecide(actorId, settings, asks) {
    const account = (0,session_actor/* githubAccountOf */.Mx)(actorId);
    if (!account)
        return false;
    const slug = /^(.+)\[bot\]$/.exec(account.login)?.[1];
    if (slug !== undefined)
        return settings.allowedBots.some((entry) => entry.startsWith(`${slug}:`));
    const author = { id: Number(account.id), login: account.login, isBot: false };
    return (await findStanding({ author }, settings, asks, true))?.mayDecide === true;
}
/**
 * Whether `allowed-bots` names this bot by its slug together with the app's id or the id of its account. A login that
 * ends in `[bot]` alone is no authority.
 */
function isAllowedBot({ author, app }, allowedBots) {
    return allowedBots.some((entry) => {
        const [, slug, id] = /^([A-Za-z0-9][A-Za-z0-9-]*):([1-9]\d*)$/.exec(entry) ?? [];
        if (slug === undefined)
            return false;
        if (app?.slug === slug && String(app.id) === id)
            return true;
        return author?.isBot === true && author.login === `${slug}[bot]` && String(author.id) === id;
    });
}
/** The numeric id of an actor, which stays when the login changes; undefined for others than GitHub's. */
function accountOf(actorId) {
    return (0,session_actor/* githubAccountOf */.Mx)(actorId)?.id;
}
function hasWrite(role) {
    return role === "write" || role === "maintain" || role === "admin";
}
async function isApprover(login, approvers, asks) {
    if (approvers.length === 0)
        return true;
    const wanted = approvers.map((approver) => approver.replace(/^@/, ""));
    if (wanted.some((name) => name.toLowerCase() === login.toLowerCase()))
        return true;
    for (const name of wanted) {
        const [org, slug] = name.split("/");
        if (org && slug && (await asks.isTeamMember({ org, slug }, login)))
            return true;
    }
    return false;
}

;// CONCATENATED MODULE: ./build/trigger/respond.js



const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
/**
 * What an `issue_comment` or a `looplia-answer` dispatch asks for, or why it asks for nothing; undefined for every other
 * event. Whose pull request it is has to be looked up: `findWork`.
 */
function respondTo(event, settings) {
    if (event.name === "issue_comment")
        return readComment(event.payload);
    const isAnswer = event.name === "repository_dispatch" && (0,json/* valueAt */.fK)(event.payload, "action") === "looplia-answer";
    return isAnswer ? readDispatch(event.payload, settings.allowedBots) : undefined;
}
/** The id of the work that a pull request carries, or why it carries none. `repository`: `owner/name`. */
function findWork(pullRequest, own) {
    if (!pullRequest)
        return noCommand("there is no such pull request");
    const { branch, headRepository } = pullRequest;
    if (headRepository?.toLowerCase() !== own.repository.toLowerCase()) {
        return {
            reasonCode: "fork-or-untrusted-event",
            message: "the pull request comes from a fork: comments on it have no effect",
        };
    }
    const workId = branch.startsWith(own.branchPrefix) ? branch.slice(own.branchPrefix.length) : "";
    if (/^[a-z0-9][a-z0-9-]{0,80}$/.test(workId))
        return { workId };
    return noCommand(`the branch ${branch} is no work branch: those begin with ${own.branchPrefix}`);
}
function readComment(payload) {
    if ((0,json/* valueAt */.fK)(payload, "action") !== "created")
        return noCommand("only new comments are read");
    if (!(0,json/* valueAt */.fK)(payload, "issue", "pull_request"))
        return noCommand("the comment is not on a pull request");
    const pullRequest = countOf((0,json/* valueAt */.fK)(payload, "issue", "number"));
    const isPlain = !/^\s*\//.test(textOf((0,json/* valueAt */.fK)(payload, "comment", "body"))?.replace(/^\ufeff/, "") ?? "");
    return pullRequest === undefined || isPlain ? noCommand("the comment has no command") : { pullRequest };
}
function readDispatch(payload, allowedBots) {
    const sender = (0,json/* valueAt */.fK)(payload, "sender");
    const id = countOf((0,json/* valueAt */.fK)(sender, "id")) ?? 0;
    const login = textOf((0,json/* valueAt */.fK)(sender, "login")) ?? "";
    const isBot = (0,json/* valueAt */.fK)(sender, "type") === "Bot";
    if (!isAllowedBot({ author: { id, login, isBot } }, allowedBots)) {
        const entry = isBot ? ` (\`${login.replace(/\[bot\]$/, "")}:${id}\` would be its entry)` : "";
        return {
            reasonCode: "not-permitted",
            message: `looplia-answer counts only from a bot in allowed-bots${entry}`,
        };
    }
    const said = (0,json/* valueAt */.fK)(payload, "client_payload");
    const pullRequest = countOf((0,json/* valueAt */.fK)(said, "pullRequest"));
    const command = textOf((0,json/* valueAt */.fK)(said, "command"));
    const person = textOf((0,json/* valueAt */.fK)(said, "sender"));
    if (pullRequest === undefined || command === undefined || !person || !LOGIN.test(person)) {
        return noCommand("client_payload needs pullRequest (a number), command and sender (a login)");
    }
    return { pullRequest, dispatched: { command, sender: person, bot: { id, login } } };
}
function noCommand(message) {
    return { reasonCode: "no-command", message };
}

// EXTERNAL MODULE: ./build/entrypoints/action/outcome.js
var action_outcome = __webpack_require__(82291);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/handle-tasks.js
var handle_tasks = __webpack_require__(16755);
;// CONCATENATED MODULE: ./build/trigger/starters.js
// Who led to a question: `self-approval: false` keeps them from answering it. Pure.



/**
 * Who started a run, as an actor. `named`: whom GitHub names in the run's environment, else the event's sender counts. For
 * a schedule it names whoever touched the workflow last: such a run is nobody's doing.
 */
function starterOf({ name, payload }, named) {
    if (name === "schedule")
        return session_actor/* PROGRAM */.RX;
    const sender = (0,json/* valueAt */.fK)(payload, "sender");
    const id = countOf((0,json/* valueAt */.fK)(sender, "id"));
    const login = textOf((0,json/* valueAt */.fK)(sender, "login"));
    return named ?? (id === undefined || login === undefined ? session_actor/* UNKNOWN */.HV : `github:${id}:${login}`);
}
/**
 * Who had a run done again: they led to what that attempt does, beside who started it. GitHub names a login only, whose
 * account `idOf` tells (undefined: nobody has it). Undefined: it is the first attempt, or it was its starter. Whom GitHub
 * does not name, or whose account is not known, is `unknown`.
 */
async function rerunnerOf(run, idOf) {
    const named = run.actorId === undefined ? undefined : (0,session_actor/* githubAccountOf */.Mx)(run.actorId);
    const isActor = named?.login.toLowerCase() === run.triggeredBy?.toLowerCase();
    if (run.attempt === "1" && (isActor || run.triggeredBy === undefined))
        return undefined;
    if (run.triggeredBy === undefined)
        return session_actor/* UNKNOWN */.HV;
    const id = isActor ? named?.id : await idOf(run.triggeredBy);
    const rerunner = id === undefined ? session_actor/* UNKNOWN */.HV : `github:${id}:${run.triggeredBy}`;
    return (0,session_actor/* githubAccountOf */.Mx)(run.startedBy)?.id === String(id) ? undefined : rerunner;
}
/**
 * Who led to what a run asks: who `spoke` (its starter, who had it run again, authors of letters), who took the work first, whose commands it
 * carries out, and whoever left its agents a message.
 */
function startersOf(work, spoke) {
    const carriedOut = [...work.handled.values()].filter(({ commentId, verdict }) => verdict === "accepted" && !work.acknowledged.has(commentId));
    const actors = [...spoke, ...work.leaders, ...carriedOut.flatMap(({ actorId }) => actorId ?? [])];
    return [...new Set(actors)].filter((actor) => actor !== session_actor/* PROGRAM */.RX);
}

// EXTERNAL MODULE: ./build/session/fields.js
var session_fields = __webpack_require__(36630);
// EXTERNAL MODULE: ./build/session/interaction.js
var interaction = __webpack_require__(95511);
;// CONCATENATED MODULE: ./build/trigger/command-line.js
// Where a comment says its command: the first line of its first paragraph, as CommonMark reads it. Pure.
/** Inside a paragraph only lines matter. Without these constructs a hostile comment costs no time. */
const INLINE = [
    "attention",
    "autolink",
    "characterEscape",
    "characterReference",
    "codeText",
    "hardBreakEscape",
    "htmlText",
    "labelEnd",
    "labelStartImage",
    "labelStartLink",
];
const BETWEEN = new Set(["lineEnding", "lineEndingBlank", "linePrefix", "whitespace", "content"]);
/**
 * The line and what follows it to the comment's end, as they were written (line ends become `\n`). Undefined where the
 * comment does not begin with a paragraph: with a quote, code, HTML, a list, a heading, a definition.
 */
async function readFirstLine(body) {
    const text = body.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
    // Nothing else can be a command, and most comments are none: they cost no parser.
    if (!/^\s*\//.test(text))
        return undefined;
    const { parse, postprocess, preprocess } = await __webpack_require__.e(/* import() */ 77).then(__webpack_require__.bind(__webpack_require__, 59077));
    const parser = parse({ extensions: [{ disable: { null: INLINE } }] });
    const events = postprocess(parser.document().write(preprocess()(firstBlock(text), undefined, true)));
    const first = events.find(([kind, token]) => kind === "enter" && !BETWEEN.has(token.type));
    if (first?.[1].type !== "paragraph")
        return undefined;
    const start = first[1].start.offset;
    const end = text.indexOf("\n", start);
    return end < 0
        ? { line: text.slice(start), rest: "" }
        : { line: text.slice(start, end), rest: text.slice(end + 1) };
}
/** All that can decide what the first block is: hostile lines after it would take the parser minutes. */
function firstBlock(text) {
    const lines = text.split("\n");
    const start = lines.findIndex((line) => !/^[ \t]*$/.test(line));
    // A blank line and a quote end a paragraph; an underline makes it a heading, or has ended it.
    const end = lines.findIndex((line, at) => at > start && /^[ \t]*$|^ {0,3}>/.test(line));
    const block = lines.slice(0, end < 0 ? undefined : end);
    const underline = block.findIndex((line, at) => at > start && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line));
    return block.slice(0, underline < 0 ? undefined : underline + 1).join("\n");
}

;// CONCATENATED MODULE: ./build/trigger/command.js
// Slash commands of comments (INTERFACE §5). Pure.


/** The word that a person wrote for a command, with its slash. */
function wordOf(command) {
    if (command.name === "message")
        return "/looplia";
    if (command.name === "run")
        return "/looplia run";
    return command.name === "unclear" ? `/${command.word}` : `/${command.name}`;
}
/** What somebody meant as one: to take it for a comment would decide another question. */
const ALMOST_ID = /(?<![\p{L}\p{N}])q\d+(?![\p{L}\p{N}])/iu;
const WHOLE_ID = /(?<![\p{L}\p{N}])q\d+\p{Pd}[0-9a-f]{6}(?![\p{L}\p{N}])/iu;
const ID_BELOW = "an id stands on a line of its own: it comes right behind the command";
const NAME = /^[a-z0-9][a-z0-9-]{0,80}$/;
const USAGES = {
    approve: "/approve <q> [comment]",
    reject: "/reject <q> [reason]",
    choose: "/choose <q> <option>",
    answer: "/answer <q> <text>",
    revise: "/revise <q> <text>",
    looplia: "/looplia <text>",
    cancel: "/cancel [<session>]",
    retry: "/retry [<session>/]<output>",
};
const READERS = new Map([
    ["approve", (written) => readDecision("approve", written)],
    ["reject", (written) => readDecision("reject", written)],
    ["choose", readChoice],
    ["answer", (written) => readText("answer", written)],
    ["revise", (written) => readText("revise", written)],
    ["looplia", readMessage],
    ["status", () => ({ name: "status" })],
    ["cancel", readCancel],
    ["retry", readRetry],
]);
/**
 * The command of a comment, or undefined where it has none. The word counts in any case, arguments stay as they are;
 * what has the form of a short id is one, and what almost has it makes the command `unclear`.
 */
async function parseCommand(body) {
    const first = await readFirstLine(body);
    const [, word = "", line = ""] = /^\/([A-Za-z]+)(?:\s+(.*))?$/s.exec(first?.line ?? "") ?? [];
    const read = READERS.get(word.toLowerCase());
    return first && read?.({ word: word.toLowerCase(), line: line.trim(), rest: first.rest });
}
function readDecision(name, written) {
    const { ids, words, after } = takeIds(written.line);
    const isStray = ids.length > 0 ? isAnotherId : isLikeId;
    const stray = [...words, ...idBelow(written)].find(isStray);
    if (stray !== undefined) {
        const problem = interaction/* SHORT_ID */.z.test(stray)
            ? "an id stands behind other words: ids come first, on the command's own line, with spaces between them"
            : "something there looks like an id and is none: ids are like q1-0a1b2c, with spaces between them";
        return unclear(written, problem);
    }
    return { name, ids, comment: command_textOf(after, written.rest) };
}
function readChoice(written) {
    const words = wordsOf(written.line);
    const ids = words.filter((word) => interaction/* SHORT_ID */.z.test(word));
    const [option, ...more] = words.filter((word) => !interaction/* SHORT_ID */.z.test(word));
    if (ids.length > 1)
        return unclear(written, "it decides one question at a time");
    if (ids.length === 0 && idBelow(written).length > 0)
        return unclear(written, ID_BELOW);
    if (option === undefined || more.length > 0)
        return unclear(written, "it needs one option, by id or number");
    return { name: "choose", ids, option, comment: written.rest.trim() };
}
function readText(name, written) {
    const { ids, words, after } = takeIds(written.line);
    if (ids.length > 1)
        return unclear(written, "it answers one question at a time");
    if (ids.length === 0 && words.length === 0 && idBelow(written).length > 0)
        return unclear(written, ID_BELOW);
    if (ids.length === 1 && WHOLE_ID.test(seen(words[0] ?? ""))) {
        return unclear(written, "it answers one question at a time");
    }
    if (ids.length === 0 && words[0] !== undefined && isLikeId(words[0])) {
        return unclear(written, "its first word looks like an id and is none: ids are like q1-0a1b2c");
    }
    const text = command_textOf(after, written.rest);
    return text === "" && name === "revise"
        ? unclear(written, "it needs a text: what should be tried instead")
        : { name, ids, text };
}
function readMessage(written) {
    const text = command_textOf(written.line, written.rest);
    if (text === "")
        return unclear(written, "it needs a text for the agent, or `run`");
    return /^run$/i.test(text) ? { name: "run" } : { name: "message", text };
}
function readCancel(written) {
    const [session, ...more] = wordsOf(written.line);
    if (session === undefined)
        return { name: "cancel" };
    return more.length === 0 && NAME.test(session)
        ? { name: "cancel", session }
        : unclear(written, "it takes one session's id, or nothing for all of them");
}
/** Ids of tasks may have spaces and slashes: what stands before the first one may be a session. */
function readRetry(written) {
    const [, session, rest] = /^([^\s/]+)\/(.*)$/s.exec(written.line) ?? [];
    const isSession = session !== undefined && NAME.test(session);
    const target = isSession ? (rest ?? "") : written.line;
    if (target.trim() === "")
        return unclear(written, "it needs the name of one task or output");
    return { name: "retry", target, ...(isSession ? { session } : {}) };
}
/** Who puts an id on the next line means a question by it: a bare command would decide whichever is open. */
function idBelow({ rest }) {
    return wordsOf(rest)
        .slice(0, 1)
        .filter((word) => isLikeId(word));
}
/** The ids that a line begins with, and what stands after them. */
function takeIds(line) {
    const ids = [];
    let after = line;
    for (const word of wordsOf(line)) {
        if (!interaction/* SHORT_ID */.z.test(word))
            break;
        ids.push(word);
        after = after.slice(word.length).trimStart();
    }
    return { ids: [...new Set(ids)], words: wordsOf(after), after };
}
/** In whatever signs it stands; what nobody sees in it, or sees as the same letter, makes it no other. */
function isLikeId(word) {
    return ALMOST_ID.test(seen(word));
}
/** Behind one that was named: there `Q4` is a quarter. */
function isAnotherId(word) {
    return isLikeId(word) && /q\d|\p{Pd}/u.test(seen(word));
}
function seen(word) {
    return word.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}
function wordsOf(line) {
    return line.split(/\s+/).filter((word) => word !== "");
}
function command_textOf(line, rest) {
    return `${line}\n${rest}`.trim();
}
function unclear({ word }, problem) {
    return { name: "unclear", word, problem, usage: USAGES[word] ?? `/${word}` };
}

// EXTERNAL MODULE: ./build/session/question-text.js
var question_text = __webpack_require__(79283);
;// CONCATENATED MODULE: ./build/trigger/refusal.js
// Why a command of somebody with permission is refused: what, why, and what to do instead. Pure.


const refuse = {
    edited: () => make("edited", "the comment was edited after it was written", "Write the command as a new comment."),
    unclear: (command) => make("unclear", command.problem, "It is written like this:", [command.usage]),
    older: (request) => make("older", `it was written before ${request.shortId} was asked`, "Look at the question, then:", fitting(request)),
    expired: (request) => make("expired", `the time to answer ${request.shortId} is over`, "To have the work tried again:", [
        "/looplia run",
    ]),
    decided: (request, actorId) => make("decided", `${request.shortId} was decided already${by(actorId)}`, "There is nothing left to do."),
    canceled: (request, open) => make("canceled", `${request.shortId} is not asked any more: its task has ended`, ...whatIsOpen(open)),
    changed: (command, id, now) => make("changed", `${id} is not what is asked there now: that is ${now.shortId}`, `Look at ${now.shortId}, then:`, [withId(command, [now])]),
    unknown: (_, id, open) => make("unknown", `there is no question ${id} here`, ...whatIsOpen(open)),
    nothingOpen: (_, open) => make("nothing-open", "no question was open when it was written", ...whatIsOpen(open)),
    severalOpen: (command, open) => make("several-open", "several questions were open when it was written", "Say which one:", [
        ...open.map((request) => withId(command, [request])),
        ...(isForSeveral(command) && open.length > 1 ? [withId(command, open)] : []),
    ]),
    anotherJustClosed: (command, request) => make("another-just-closed", "another question was closed in the two minutes before, so this may have been meant for that one", `For ${request.shortId}:`, [withId(command, [request])]),
    dangerous: (command, request) => make("dangerous", `${request.shortId} is dangerous (${(request.dangers ?? []).join("; ")}), so it must be named`, "After a second look:", [withId(command, [request])]),
    cut: (request) => make("cut", `${request.shortId} is too long to be shown and could not be attached, so nobody can know what they decide`, "Decline it, and ask for smaller steps:", [`/revise ${request.shortId} in smaller steps`]),
    wrongKind: (command, request) => make("wrong-kind", `/${command.name} does not answer ${request.shortId}`, `${EXPECTS[request.kind]}:`, fitting(request)),
    noFields: (request, line) => make("no-fields", `line ${line} of the answer is not \`field: value\` with a field of ${request.shortId}`, "Write a value after each colon; further lines of a value begin with a space.", fitting(request)),
    self: (request) => make("self", `whoever led to a question may not answer it (self-approval: false): by starting the work or the run that asked, by having that run done again, by a command that this run carried out, or by a message to the agent; you led to ${request.shortId}`, "Somebody else with permission has to decide."),
    unknownStarter: (request) => make("unknown-starter", `GitHub did not say who started what led to ${request.shortId}, so with self-approval: false nobody may answer it`, "Cancel it and start the work again from an event that names its actor:", ["/cancel"]),
    approvedBefore: (request, given, needed) => make("approved-before", `you approved ${request.shortId} before; ${given} of ${needed} people have`, "Somebody else has to approve it too."),
    botAmongSeveral: (request, needed) => make("bot-among-several", `${request.shortId} needs the approval of ${needed} people, and a bot is none`, "People have to approve it."),
    strangeApp: (slug) => make("strange-app", `the comment was made by the app ${slug}, which is not in allowed-bots`, "Write the command yourself, or add the app to allowed-bots in looplia.yml."),
    needsId: (open) => make("needs-id", "a dispatched answer must name its question", ...whatIsOpen(open)),
};
const EXPECTS = {
    Confirm: "It is a call to approve or reject",
    Select: "It is a choice: give the id or number of an option",
    Input: "It asks for a text",
    Composite: "It asks for several values, each after its field",
};
/** The commands that answer a request of this kind. */
function fitting(request) {
    const { shortId, kind } = request;
    if (kind === "Confirm")
        return [`/approve ${shortId}`, `/reject ${shortId}`];
    if (kind === "Select") {
        const { options = [] } = request;
        return options.slice(0, 10).map((_, at) => `/choose ${shortId} ${(0,question_text/* optionWord */.yY)(options, at)}`);
    }
    if (kind === "Input")
        return [`/answer ${shortId} <text>`];
    return [[`/answer ${shortId}`, ...(request.fields ?? []).map(({ id }) => `${id}: <value>`)].join("\n")];
}
/** The command as it was meant, for these questions. */
function withId(command, requests) {
    const ids = requests.map(({ shortId }) => shortId).join(" ");
    const said = command.name === "choose" ? command.option : "text" in command ? command.text : command.comment;
    return `/${command.name} ${ids} ${said}`.trimEnd();
}
function isForSeveral(command) {
    return command.name === "approve" || command.name === "reject";
}
function whatIsOpen(open) {
    if (open.length === 0)
        return ["No question is open now.", []];
    return ["Open now:", open.flatMap((request) => fitting(request).slice(0, 1))];
}
function by(actorId) {
    return actorId === undefined ? "" : ` by ${(0,session_actor/* loginOf */.DQ)(actorId)}`;
}
function make(code, reason, whatToDo, copy = []) {
    return { code, reason, whatToDo, copy };
}

;// CONCATENATED MODULE: ./build/trigger/questions.js

/** What closed shortly before a bare command may have been what its author saw. */
const DOUBT_MS = 2 * 60 * 1000;
/** The questions that a command decides, in the order in which it names them, or why it decides none. */
function findQuestions(command, moment, questions) {
    if (command.ids.length === 0)
        return findBare(command, moment, questions);
    const found = [];
    for (const id of command.ids) {
        const question = questions.find(({ request }) => request.shortId === id);
        const refusal = question
            ? problemOf(question, moment, questions)
            : unknownId(command, id, moment, questions);
        if (refusal)
            return refusal;
        if (question)
            found.push(question);
    }
    return found;
}
function findBare(command, moment, questions) {
    const seen = questions.filter((question) => isBefore(question.published, moment));
    const open = seen.filter((question) => !wasClosed(question, moment));
    const [only, ...others] = open;
    if (!only) {
        const recent = seen.findLast((question) => closedShortlyBefore(question, moment));
        const problem = recent && problemOf(recent, moment, questions);
        return problem ?? refuse.nothingOpen(command, openNow(questions));
    }
    if (others.length > 0)
        return refuse.severalOpen(command, openNow(open));
    const problem = problemOf(only, moment, questions);
    if (problem)
        return problem;
    if (seen.some((question) => question !== only && closedShortlyBefore(question, moment))) {
        return refuse.anotherJustClosed(command, only.request);
    }
    const { dangers = [] } = only.request;
    return dangers.length > 0 ? refuse.dangerous(command, only.request) : [only];
}
/** Why a question that was named can't be decided by a command of that moment. */
function problemOf(question, moment, questions) {
    const { request, closed } = question;
    if (!isBefore(question.published, moment))
        return refuse.older(request);
    if (closed?.why === "answered")
        return refuse.decided(request, closed.actorId);
    if (closed?.why === "expired" || isExpired(request, moment))
        return refuse.expired(request);
    return closed ? refuse.canceled(request, openNow(questions)) : undefined;
}
function unknownId(command, id, moment, questions) {
    const ordinal = id.split("-")[0];
    const same = questions.find(({ request }) => request.shortId.split("-")[0] === ordinal);
    const isOpen = same && !same.closed && !isExpired(same.request, moment);
    return isOpen ? refuse.changed(command, id, same.request) : refuse.unknown(command, id, openNow(questions));
}
function openNow(questions) {
    return questions.filter(({ closed, published }) => !closed && published).map(({ request }) => request);
}
function isBefore(published, { createdAt, commentId }) {
    if (!published)
        return false;
    const apart = Date.parse(createdAt) - Date.parse(published.createdAt);
    return apart > 0 || (apart === 0 && (commentId ?? Number.POSITIVE_INFINITY) > published.commentId);
}
function isExpired({ expiresAt }, { createdAt }) {
    return expiresAt !== undefined && Date.parse(createdAt) > Date.parse(expiresAt);
}
function wasClosed(question, moment) {
    const { closed, request } = question;
    return isExpired(request, moment) || (closed !== undefined && sinceClosed(closed, moment) > 0);
}
function closedShortlyBefore({ closed, request }, moment) {
    const closings = [...(closed ? [closed] : []), ...(request.expiresAt ? [{ at: request.expiresAt }] : [])];
    return closings.map((one) => sinceClosed(one, moment)).some((apart) => apart >= 0 && apart <= DOUBT_MS);
}
/** Milliseconds; of a time that nobody knows: none. */
function sinceClosed({ at }, { createdAt }) {
    return Date.parse(createdAt) - Date.parse(at ?? createdAt);
}

;// CONCATENATED MODULE: ./build/trigger/judge.js







/**
 * Judges a comment of the pull request; `ownId` is the program's account there: a bot's never has a word of its own, a
 * person's has (what the program itself says there is no command). Its author's permission is asked only
 * where there is a command. Several comments are judged in the order in which they were written, each after the effects
 * of those before it are in `questions`. Fails as `Discussion` does.
 */
async function judgeComment(comment, ownId, around) {
    if (comment.author?.isBot && comment.author.id === ownId)
        return { verdict: "ignored", reason: "no-command" };
    const command = await parseCommand(comment.body);
    if (!command)
        return { verdict: "ignored", reason: "no-command" };
    const standing = await findStanding(comment, around.settings, around.asks, isDeciding(command));
    const isEdited = comment.updatedAt !== comment.createdAt;
    const said = { createdAt: comment.createdAt, commentId: comment.id, isEdited, isDispatched: false };
    return judge(command, said, standing, around);
}
/**
 * Judges the command that an allowed bot dispatched for `sender` (a login); whether the bot is allowed was looked at
 * before. It must name its question. `createdAt`: when it came, ISO 8601.
 */
async function judgeDispatch(dispatched, around) {
    const command = await parseCommand(dispatched.command);
    if (!command)
        return { verdict: "ignored", reason: "no-command" };
    const { settings, asks } = around;
    const standing = await findSenderStanding(dispatched.sender, settings, asks, isDeciding(command));
    const said = { createdAt: dispatched.createdAt, isEdited: false, isDispatched: true };
    return judge(command, said, standing, around);
}
function judge(command, said, standing, around) {
    if (!standing || (isDeciding(command) && !standing.mayDecide)) {
        return { verdict: "ignored", reason: "not-permitted", command };
    }
    const { actorId, permission } = standing;
    const outcome = consider(command, said, standing, around);
    return Array.isArray(outcome)
        ? { verdict: "accepted", command, actorId, permission, effects: outcome }
        : { verdict: "refused", command, actorId, permission, refusal: outcome };
}
function consider(command, said, standing, { settings, questions }) {
    if (standing.strangeApp !== undefined)
        return refuse.strangeApp(standing.strangeApp);
    if (said.isEdited)
        return refuse.edited();
    if (command.name === "unclear")
        return refuse.unclear(command);
    if (!isDeciding(command))
        return [otherEffect(command)];
    if (said.isDispatched && command.ids.length === 0) {
        return refuse.needsId(questions.filter(({ closed }) => !closed).map(({ request }) => request));
    }
    const found = findQuestions(command, said, questions);
    if (!Array.isArray(found))
        return found;
    const effects = [];
    // All or nothing: who names three questions and errs in one looks again at all of them.
    for (const question of found) {
        const refusal = refuseDecider(command, question, standing, settings);
        if (refusal)
            return refusal;
        const answer = answerOf(command, question.request);
        if ("code" in answer)
            return answer;
        effects.push({ type: "answer", interactionId: question.request.interactionId, answer });
    }
    return effects;
}
/** Why this person may not decide this question so, though they may decide others. */
function refuseDecider(command, { request, published, approvals }, standing, { selfApproval, minApprovals }) {
    const account = accountOf(standing.actorId);
    const { startedBy } = request;
    if (!selfApproval && (!startedBy || startedBy.includes(session_actor/* UNKNOWN */.HV)))
        return refuse.unknownStarter(request);
    if (!selfApproval && startedBy?.map(accountOf).includes(account))
        return refuse.self(request);
    const isDeclined = command.name === "reject" || command.name === "revise";
    if (published?.isCut && !isDeclined)
        return refuse.cut(request);
    if (minApprovals < 2 || !letsRun(command, request))
        return undefined;
    if (standing.isBot)
        return refuse.botAmongSeveral(request, minApprovals);
    const people = new Set(approvals.map(accountOf));
    return people.has(account) ? refuse.approvedBefore(request, people.size, minApprovals) : undefined;
}
/** What needs several people: the approval of a Confirm, or of running again what is in doubt (`recordable`). */
function letsRun(command, request) {
    const { kind, options = [] } = request;
    if (command.name === "approve")
        return kind === "Confirm";
    if (command.name !== "choose" || !(0,interaction/* letsCallsRun */.Z)(request))
        return false;
    const named = options.find(({ id }) => id === command.option) ?? options[Number(command.option) - 1];
    return named?.id === "run";
}
function answerOf(command, request) {
    if (command.name === "reject")
        return declined(command.comment);
    if (command.name === "revise")
        return declined(`Try again: ${command.text}`);
    if (command.name === "approve" && request.kind === "Confirm") {
        return { selectedOptionId: "approve", ...commented(command.comment) };
    }
    if (command.name === "choose" && request.kind === "Select") {
        return { selectedOptionId: command.option, ...commented(command.comment) };
    }
    if (command.name === "answer" && request.kind === "Input")
        return { inputValue: command.text };
    if (command.name === "answer" && request.kind === "Composite") {
        const fields = (0,session_fields/* readFields */.q)(command.text, request.fields ?? []);
        return "value" in fields ? { inputValue: fields.value } : refuse.noFields(request, fields.wrongLine);
    }
    return refuse.wrongKind(command, request);
}
function otherEffect(command) {
    switch (command.name) {
        case "message":
            return { type: "message", text: command.text };
        case "cancel":
            return { type: "cancel", ...(command.session === undefined ? {} : { session: command.session }) };
        case "retry": {
            const { session, target } = command;
            return { type: "retry", target, ...(session === undefined ? {} : { session }) };
        }
        default:
            return { type: command.name };
    }
}
function isDeciding(command) {
    return "ids" in command;
}
function declined(comment) {
    return { selectedOptionId: "reject", ...commented(comment) };
}
function commented(comment) {
    return comment === "" ? {} : { comment };
}

;// CONCATENATED MODULE: ./build/trigger/letter.js
// The text of a letter: what a bot dispatched for a person, kept until a run that has the work carries it out. Pure.


/** As `readLetter` reads it. */
function writeLetter(answer) {
    return JSON.stringify(answer);
}
/** Undefined where it is none: whoever may write to the state ref may have written anything. */
function readLetter(text) {
    const value = (0,json/* parseJson */.qF)(text);
    const command = textOf((0,json/* valueAt */.fK)(value, "command"));
    const sender = textOf((0,json/* valueAt */.fK)(value, "sender"));
    const id = countOf((0,json/* valueAt */.fK)(value, "bot", "id"));
    const login = textOf((0,json/* valueAt */.fK)(value, "bot", "login"));
    const at = textOf((0,json/* valueAt */.fK)(value, "at"));
    if (!command || !sender || !id || !login || !at || Number.isNaN(Date.parse(at)))
        return undefined;
    return { command, sender, bot: { id, login }, at: new Date(Date.parse(at)).toISOString() };
}

// EXTERNAL MODULE: ./build/approval/answer.js
var approval_answer = __webpack_require__(81966);
// EXTERNAL MODULE: ./build/approval/recordable.js
var recordable = __webpack_require__(74953);
// EXTERNAL MODULE: ./build/session/state.js
var session_state = __webpack_require__(94878);
;// CONCATENATED MODULE: ./build/entrypoints/wake/change-sessions.js
// What an accepted command changes in what sessions have stored: answers and cancellations.



/** Records answers, all or none; the first that does not fit its request is told. */
async function recordAnswers(work, answers, given, minApprovals) {
    const questions = new Map((await work.questions()).map((question) => [question.request.interactionId, question]));
    const changes = [];
    for (const { interactionId, answer } of answers) {
        const question = questions.get(interactionId);
        if (!question)
            throw new Error(`${interactionId} was judged and is not there`);
        const checked = await (0,approval_answer/* checkAnswer */.d)(question.request, answer);
        if (!checked.ok) {
            const { shortId } = question.request;
            return {
                reason: `that does not answer ${shortId}: expected ${checked.expected}`,
                whatToDo: `Answer ${shortId} again; it is still open.`,
            };
        }
        const events = (0,recordable/* recordable */.I)(question, { ...given, answer: checked.answer }, minApprovals);
        changes.push({ sessionId: question.sessionId, events });
    }
    for (const { sessionId, events } of changes)
        await work.change(sessionId, events);
    return undefined;
}
/** Ends one session, or all that have not ended: nothing of them goes on. */
async function cancelSessions(work, wanted, canceled) {
    const sessions = (await work.sessions()).filter(({ state }) => !state.canceled);
    const chosen = sessions.filter((session) => wanted === undefined ? (0,session_state/* isUnderWay */.gn)(session.state) : session.sessionId === wanted);
    if (chosen.length === 0 && (await isCanceledBy(work, wanted, canceled.actorId)))
        return undefined;
    if (chosen.length === 0) {
        const names = sessions.map(({ sessionId }) => sessionId).join(", ");
        return {
            reason: wanted === undefined ? "nothing is under way" : `there is no session ${wanted} to cancel`,
            whatToDo: names === "" ? "There is nothing to do." : `There are: ${names}.`,
        };
    }
    for (const { sessionId, state } of chosen) {
        const { reason, at } = canceled;
        const tasks = [...state.tasks.values()].filter(session_state/* isOpen */.nT);
        await work.change(sessionId, [
            ...tasks.map(({ taskId }) => ({
                store: "events",
                type: "TaskCanceled",
                payload: { taskId, reason, at },
            })),
            { store: "events", type: "SessionCanceled", payload: canceled },
        ]);
    }
    return undefined;
}
/** Their word was heard while the session ran. */
async function isCanceledBy(work, wanted, actorId) {
    return (await work.sessions()).some(({ sessionId, state }) => actorId !== undefined &&
        state.canceled?.actorId === actorId &&
        (wanted === undefined || sessionId === wanted));
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/agent/open-questions.js
var open_questions = __webpack_require__(32644);
// EXTERNAL MODULE: ./build/approval/interaction.js + 1 modules
var approval_interaction = __webpack_require__(80255);
// EXTERNAL MODULE: ./build/session/conflict.js
var conflict = __webpack_require__(73445);
;// CONCATENATED MODULE: ./build/entrypoints/wake/redo.js
// What is done again where a person pushed over the files of a session and wants the session's work there. Pure.

function redoOf({ sessionId, state }, files, kind) {
    const elsewhere = files.filter((file) => !isInFolder(file, sessionId));
    if (elsewhere.length === 0)
        return { names: [], isGuess: false };
    // What leads a session, or makes the list itself, is no step of it.
    const isStep = ({ outputs }) => outputs.length > 0 === (kind === "content");
    const { tasks, unknown } = (0,conflict/* authorsOf */.EK)(state, elsewhere);
    const isGuess = unknown || !tasks.every(isStep);
    const all = [...state.tasks.values()].filter(isStep);
    const chosen = all.filter((task) => tasks.includes(task) || (isGuess && task === all.at(-1)));
    return { names: chosen.map(({ taskId, outputs: [first] }) => first ?? taskId), isGuess };
}
/** Whether a file is in a session's own folder, where its artifacts are. */
function isInFolder({ path }, sessionId) {
    return path.split("/").slice(0, -1).includes(sessionId);
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/conflicts.js
// What becomes of files that a person pushed while a run changed them as well: theirs stand, and a person is asked
// (DURABILITY, "A checkpoint is the only durable write on a runner").








/** The files that nobody was asked about, by the id of the session to ask in. */
async function findUnasked(run, work) {
    const sessions = await work.sessions();
    const states = sessions.map(({ state }) => state);
    const shares = new Map();
    for (const file of (0,conflict/* unaskedFiles */.FQ)(states, work.state.conflicts)) {
        if (isList(run, file))
            continue;
        const owner = ownerOf(file, sessions);
        if (owner && !owner.state.canceled) {
            shares.set(owner.sessionId, [...(shares.get(owner.sessionId) ?? []), file]);
        }
    }
    return shares;
}
/** What the program wrote of a to-do file is written again by itself (`todo/reapply-ends.ts`). */
function isList({ work, found }, { path }) {
    return work.kind === "tasks" && path === external_node_path_.posix.join(found.folder, found.settings.todo);
}
/** Whose folder it is in; else the session that was at work. */
function ownerOf(file, sessions) {
    const living = sessions.filter(({ state }) => !state.canceled);
    const atWork = living.find(({ state }) => [...state.tasks.values()].some(session_state/* isOpen */.nT)) ?? living.at(-1);
    return sessions.find(({ sessionId }) => isInFolder(file, sessionId)) ?? atWork;
}
/** Raises the questions that are owed, as many as may be open, and makes them durable. */
async function askConflicts(run, work, claim) {
    const room = open_questions/* MAX_OPEN_QUESTIONS */.S - (await work.openQuestions()).length;
    const shares = [...(await findUnasked(run, work))].slice(0, Math.max(0, room));
    if (shares.length === 0)
        return;
    await claim.take();
    const { answerTtlHours, workingDirectory } = run.found.settings;
    const expiresAt = new Date(run.clock.now().getTime() + answerTtlHours * 3_600_000).toISOString();
    const sessions = await work.sessions();
    for (const [sessionId, files] of shares) {
        const session = sessions.find((one) => one.sessionId === sessionId);
        if (!session)
            throw new Error(`${sessionId} owns files and is not there`);
        const ordinal = await work.store.nextOrdinal();
        const origin = { workId: work.workId, sessionId, ordinal, workingDirectory, expiresAt };
        const payload = (0,approval_interaction/* createConflict */.js)(origin, files, redoOf(session, files, run.work.kind));
        await work.change(sessionId, [{ store: "events", type: "UserInteractionRequested", payload }]);
    }
    await work.checkpoint("chore: save a question");
}
/** What answers about such files bring with them: a session ends, or the next agent is told what to do again. */
async function followAnswers(work, interactionIds, { actorId, commentId: saidIn, answeredAt: at }) {
    const named = (await work.questions()).filter(({ request }) => interactionIds.includes(request.interactionId));
    for (const { request, response, sessionId } of named) {
        if (!request.conflict || !response)
            continue;
        const { selectedOptionId: answer, comment = "" } = response;
        if (answer === "stop")
            await cancelSessions(work, sessionId, { reason: `ended by ${(0,session_actor/* loginOf */.DQ)(actorId)}`, actorId, at });
        // What a bot dispatched stands in no comment: the question's own is as good a name for the message.
        const commentId = saidIn ?? work.state.requestComments.get(request.interactionId)?.commentId;
        if (answer !== "redo" || commentId === undefined)
            continue;
        const text = `${CHANGED} ${namesOf(request.conflict)}. ${AGAIN} ${comment}`.trim();
        await work.note({ type: "MessageLeft", payload: { commentId, actorId, text } });
    }
}
/** Characters that the names of files take in a message to an agent. */
const NAMES_ROOM = 4_000;
function namesOf(files) {
    const { shown, more } = (0,conflict/* listFiles */.CS)(files, NAMES_ROOM);
    const rest = more ? [`and ${more.count} more (all of them are in ${more.commits.join(", ")})`] : [];
    return [...shown, ...rest].join(", ");
}
const CHANGED = "A person changed files at the same time as an agent here, and the person's version stands:";
const AGAIN = "Look at them, and do again what of the agent's work is missing there.";
/** Whether the session goes on because of such an answer; `force`: the steps that left other files than artifacts. */
function afterConflict({ sessionId, state }, answered) {
    if ((0,conflict/* waitsForConflict */.qZ)(state))
        return undefined;
    if (state.redo) {
        const { names: force } = redoOf({ sessionId, state }, state.redo, "content");
        return { sessionId, ...(force.length > 0 ? { force } : {}) };
    }
    const wasAnswered = [...state.interactions.values()].some(({ request }) => request.conflict && answered.has(request.interactionId));
    return wasAnswered ? { sessionId } : undefined;
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/retry.js
/**
 * Which session's output is made again; a name alone must be one session's only. What was not begun yet is one of
 * `outputsOf` the session that was named.
 */
async function findRetry(work, wanted, outputsOf) {
    const stored = await work.sessions();
    const sessions = stored.filter(({ state }) => !state.canceled);
    if (sessions.length === 0 && stored.length > 0) {
        return { reason: "what was begun here was canceled", whatToDo: "Write /looplia run to begin anew." };
    }
    const withSlash = wanted.session === undefined ? [] : findWhole(sessions, wanted);
    if (withSlash[0] && withSlash.length === 1)
        return withSlash[0];
    const { session, target } = wanted;
    const named = sessions.filter(({ sessionId }) => session === undefined || sessionId === session);
    const having = named.filter((one) => attemptsAt(one, target) > 0);
    if (having.length > 1) {
        const list = having.map(({ sessionId }) => `${sessionId}/${target}`).join(", ");
        return { reason: `${target} is an output of several sessions`, whatToDo: `Name one: ${list}.` };
    }
    const [only = session === undefined ? undefined : named[0]] = having;
    const isKnown = only && (having.length > 0 || (await outputsOf(only.sessionId)).includes(target));
    return isKnown
        ? { sessionId: only.sessionId, output: target, attempts: attemptsAt(only, target) }
        : notBegun(session === undefined || named.length > 0 ? target : `${session}/${target}`, sessions);
}
function notBegun(target, sessions) {
    const begun = sessions.flatMap(({ state }) => [...state.tasks.values()].flatMap(({ taskId, outputs }) => (outputs.length === 0 ? taskId : outputs)));
    return {
        reason: `no session here has begun ${target}`,
        whatToDo: begun.length > 0
            ? `Begun so far: ${[...new Set(begun)].join(", ")}.`
            : "There is nothing to make again.",
    };
}
/** The id of a task may have a slash: what looks like a session is the beginning of it. */
function findWhole(sessions, wanted) {
    const output = `${wanted.session}/${wanted.target}`;
    return sessions
        .map((session) => ({ sessionId: session.sessionId, output, attempts: attemptsAt(session, output) }))
        .filter(({ attempts }) => attempts > 0);
}
/** How often tasks that make this output, or the to-do task of this id, were begun. */
function attemptsAt({ state }, output) {
    return [...state.tasks.values()]
        .filter(({ taskId, outputs }) => (outputs.length === 0 ? taskId === output : outputs.includes(output)))
        .reduce((sum, task) => sum + task.attempt, 0);
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/carry-out.js
// Stores what an accepted command does.




/** Stores what an accepted command does: it has answers only, or one other effect. */
async function carryOut(work, effects, said, { settings, now, outputsOf }) {
    const { commentId, createdAt: answeredAt, actorId, permission } = said;
    const answers = effects.filter((effect) => effect.type === "answer");
    if (answers.length > 0) {
        const given = { actorId, ...(commentId === undefined ? {} : { commentId }), permission, answeredAt };
        const problem = await recordAnswers(work, answers, given, settings.minApprovals);
        if (problem)
            return problem;
        const interactionIds = answers.map(({ interactionId }) => interactionId);
        await followAnswers(work, interactionIds, given);
        return { interactionIds };
    }
    const [effect] = effects;
    switch (effect?.type) {
        case "message":
            if (commentId === undefined)
                return {};
            await work.note({ type: "MessageLeft", payload: { commentId, actorId, text: effect.text } });
            return {};
        case "cancel": {
            const reason = `canceled by ${(0,session_actor/* loginOf */.DQ)(actorId)}`;
            const canceled = { reason, actorId, at: now().toISOString() };
            return (await cancelSessions(work, effect.session, canceled)) ?? {};
        }
        case "retry": {
            const found = await findRetry(work, effect, outputsOf);
            return "reason" in found ? found : { retry: found };
        }
        case "run":
            return { runsAll: true };
        default:
            return {};
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/known-outputs.js
// What a session can make: its manifest on the work branch names every output, begun or not.


/** None where there is no manifest that can be read, and for a task list. */
async function outputsOf({ repository, found, work: { kind, branch } }, { stateRef: { branchTip } }, sessionId) {
    if (kind === "tasks" || branchTip === undefined)
        return [];
    await repository.fetchCommit(branchTip, branch);
    const folder = external_node_path_.posix.join(found.folder, ".looplia/contentItem", sessionId);
    const files = await repository.listFiles(branchTip, folder);
    const file = files.find(({ path }) => path === `${folder}/session.json`);
    if (!file)
        return [];
    const [bytes] = await repository.readBlobs([file.oid]);
    const { parseManifest } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(291)]).then(__webpack_require__.bind(__webpack_require__, 69291));
    try {
        return [...parseManifest(new TextDecoder().decode(bytes), file.path).manifest.steps.keys()];
    }
    catch (error) {
        // The run says what is wrong with it.
        if (error instanceof errors/* LoopliaError */.$K)
            return [];
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/judging.js

/** What a run judges by; `over` is left to whoever knows. */
function judgingOf(run, work) {
    return {
        discussion: run.discussion,
        settings: run.found.settings,
        now: () => run.clock.now(),
        outputsOf: (sessionId) => outputsOf(run, work, sessionId),
        log: (message) => run.observe({ type: "notice", level: "info", message }),
    };
}
/** What a comment is judged by. */
async function circumstances(work, { settings, discussion }) {
    const questions = (await work.questions()).map((question) => toQuestion(question, work.state));
    return { settings, questions, asks: discussion };
}
/** A question as those who judge see it. */
function toQuestion({ request, response, closed, approvals }, state) {
    const published = state.requestComments.get(request.interactionId);
    const given = approvals.map(({ actorId }) => actorId);
    const ended = response
        ? { why: "answered", ...when(response.answeredAt), actorId: response.authorActorId }
        : closed && { why: closed.why, ...when(closed.at) };
    return {
        request,
        ...(published ? { published } : {}),
        ...(ended ? { closed: ended } : {}),
        approvals: given,
    };
}
function when(at) {
    return at === undefined ? {} : { at };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/letters.js





/** Durable when it resolves, whoever has the work. */
async function leaveLetter({ repository, found, wiring, clock }, workId, dispatched) {
    const letter = writeLetter({ ...dispatched, at: clock.now().toISOString() });
    await repository.letters(`${found.settings.stateRefPrefix}${workId}`).leave(wiring.redact(letter));
}
/** One look at the remote. */
function listLetters({ repository, found, work }) {
    return repository.letters(`${found.settings.stateRefPrefix}${work.workId}`).list();
}
/** Letters that were read and whose effect is stored. A server that forbids it keeps them: nothing is done twice. */
async function removeLetters({ repository, found, work, observe }, letters) {
    try {
        await repository.letters(`${found.settings.stateRefPrefix}${work.workId}`).remove(letters);
    }
    catch {
        observe({ type: "notice", level: "info", message: "a letter that was read could not be removed yet" });
    }
}
/** Judges each and stores what it does. Fails as `Discussion` does. */
async function handleLetters(work, letters, judging) {
    const read = { letters, actorIds: [], interactionIds: [] };
    for (const { id, text } of letters) {
        if (work.state.letters.has(id))
            continue;
        const { verdict, actorId, interactionIds = [] } = await handleLetter(work, text, judging);
        if (verdict === "accepted")
            await work.note({ type: "LetterHandled", payload: { id } });
        read.interactionIds.push(...interactionIds);
        if (actorId !== undefined)
            read.actorIds.push(actorId);
        if (read.verdict !== "accepted" && (verdict !== "no-command" || !read.verdict))
            read.verdict = verdict;
    }
    return read;
}
/** Only answers and cancellations can come so. */
async function handleLetter(work, text, judging) {
    const answer = readLetter(text);
    if (!answer)
        return { verdict: "no-command" };
    const { command, sender, bot, at: createdAt } = answer;
    // It was allowed when it wrote; what counts is now.
    if (!isAllowedBot({ author: { ...bot, isBot: true } }, judging.settings.allowedBots)) {
        return { verdict: "not-permitted" };
    }
    const verdict = await judgeDispatch({ command, sender, createdAt }, await circumstances(work, judging));
    if (verdict.verdict === "ignored")
        return { verdict: verdict.reason };
    const refuse = (reason) => {
        judging.log(`a command of ${sender} was refused: ${reason}`);
        return { verdict: "no-command" };
    };
    if (verdict.verdict === "refused")
        return refuse(verdict.refusal.reason);
    if (verdict.effects.some(({ type }) => type !== "answer" && type !== "cancel" && type !== "status")) {
        return refuse("it must be written as a comment");
    }
    const { actorId, permission } = verdict;
    const done = await carryOut(work, verdict.effects, { createdAt, actorId, permission }, judging);
    return "reason" in done ? refuse(done.reason) : { ...done, verdict: "accepted", actorId };
}

// EXTERNAL MODULE: ./build/content/session-id.js
var session_id = __webpack_require__(24642);
;// CONCATENATED MODULE: ./build/entrypoints/action/choose-work.js
// Which work a run goes on with: its id, its branch, the pull request that carries it.



/**
 * The open work that holds the session asked for, else that of these globs and pipeline (or this task list), base and
 * folder. One whose pull
 * request was merged or closed is over: then the next of its kind, `-2`, `-3` … A branch without a pull request is what
 * a run left that did not get further. `skipped`: so many more of its kind are known to be over.
 */
async function chooseWork(repository, host, found, { kind = "content", skipped = 0 } = {}) {
    const holder = kind === "content" ? await findHolder(repository, host, found) : undefined;
    return holder ?? findNext(host, found, { kind, skipped });
}
/** The kind of the work of an id. A pipeline that is called `tasks` is told by the work's header only. */
function kindOf(workId) {
    return (0,handle_tasks/* isTasksWork */.IH)(workId) ? "tasks" : "content";
}
async function findHolder(repository, host, { settings, folder }) {
    const { sessionId, branchPrefix } = settings;
    if (sessionId === undefined)
        return undefined;
    const place = external_node_path_.posix.join(folder, ".looplia/contentItem", sessionId);
    for (const pullRequest of await host.openPullRequests(branchPrefix)) {
        const { branch } = pullRequest;
        const workId = branch.slice(branchPrefix.length);
        const tip = (0,session_id/* isSessionId */.Sd)(workId) ? await repository.tipOf(branch) : undefined;
        if (tip === undefined)
            continue;
        await repository.fetchCommit(tip, branch);
        if ((await repository.listFiles(tip, place)).length > 0)
            return { workId, kind: "content", key: sessionId, branch, pullRequest };
    }
    return undefined;
}
async function findNext(host, found, { kind, skipped }) {
    const { branchPrefix, pipeline } = found.settings;
    const key = kind === "tasks" ? tasksKey(found) : contentKey(found);
    const first = (0,session_id/* createWorkId */.LV)(kind === "tasks" ? kind : pipeline, key);
    const nameOf = (ordinal) => (ordinal === 1 ? first : `${first}-${ordinal}`);
    const look = async (ordinal) => {
        const requests = await host.pullRequestsOf(branchPrefix + nameOf(ordinal));
        const open = requests.find((request) => request.state === "open");
        return { open, isOver: !open && requests.length > 0 };
    };
    const { ordinal, open } = await findAfter(look, await findFirst(look), skipped);
    const branch = branchPrefix + nameOf(ordinal);
    return { workId: nameOf(ordinal), kind, key: JSON.stringify(key), branch, pullRequest: open };
}
function contentKey({ settings, base, folder }) {
    const { content, pipeline, sessionId } = settings;
    const globs = content.length > 0 || sessionId === undefined ? [...content].sort() : [`session:${sessionId}`];
    return { kind: "content", globs, pipeline, base, workingDirectory: folder };
}
function tasksKey({ settings, base, folder }) {
    return { kind: "tasks", todo: settings.todo, base, workingDirectory: folder };
}
/** So many further on among those that are not over: a branch that was deleted leaves no pull request to see. */
async function findAfter(look, from, skipped) {
    let candidate = from;
    for (let left = skipped; left > 0;) {
        const ordinal = candidate.ordinal + 1;
        candidate = { ...(await look(ordinal)), ordinal };
        if (!candidate.isOver)
            left -= 1;
    }
    return candidate;
}
/** The first that is not over. Works end in order, so their number is found in a few steps. */
async function findFirst(look) {
    let over = 0;
    let candidate = { ordinal: 1, ...(await look(1)) };
    while (candidate.isOver) {
        over = candidate.ordinal;
        candidate = { ordinal: over * 2, ...(await look(over * 2)) };
    }
    while (candidate.ordinal - over > 1) {
        const middle = Math.floor((over + candidate.ordinal) / 2);
        const found = await look(middle);
        if (found.isOver)
            over = middle;
        else
            candidate = { ordinal: middle, ...found };
    }
    return candidate;
}

// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(3811);
// EXTERNAL MODULE: ./build/config/located-yaml.js + 1 modules
var located_yaml = __webpack_require__(36045);
// EXTERNAL MODULE: ./build/config/suggest.js
var suggest = __webpack_require__(85813);
;// CONCATENATED MODULE: ./build/config/setting-value.js
// One value of one setting, checked against its row of the table. Text is converted; YAML values keep their type.


/**
 * Undefined when nothing is given (undefined, null, empty text or list). Numbers and booleans may come as text where
 * `isText` says that the source has nothing else. Problems never show a secret.
 */
function checkSetting(definition, raw, isText) {
    const given = typeof raw === "string" ? raw.trim() : raw;
    if (given === undefined || given === null || given === "")
        return undefined;
    const { type } = definition;
    if (type.kind === "list")
        return checkList(type, given);
    const checked = checkScalar(type, isText ? setting_value_readText(type, given) : given);
    if (checked !== undefined)
        return checked;
    const came = definition.isSecret ? "" : `, not ${shown(raw)}`;
    const close = type.kind === "enum" ? (0,suggest/* suggestName */.S)(String(given), type.values) : undefined;
    return { problem: `must be ${allowedText(type)}${came}`, ...(close === undefined ? {} : { hint: close }) };
}
function checkList(type, given) {
    const parts = typeof given === "string" ? given.split("\n") : given;
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) {
        return { problem: `must be ${allowedText(type)}, not ${shown(given)}` };
    }
    const value = parts.flatMap((part) => part.split("\n")).map((part) => part.trim());
    const filled = value.filter((part) => part !== "");
    if (filled.length === 0)
        return undefined;
    const problems = type.kind === "list" && type.problemOf ? filled.map(type.problemOf) : [];
    const found = problems.filter((problem) => problem !== undefined);
    return found.length > 0 ? { problem: found.join("; ") } : { value: filled };
}
function checkScalar(type, given) {
    switch (type.kind) {
        case "string":
            if (typeof given !== "string" || hasControl(given))
                return undefined;
            return type.pattern === undefined || type.pattern.test(given) ? { value: given } : undefined;
        case "path":
            return typeof given === "string" ? plainPath(given) : undefined;
        case "enum":
            return typeof given === "string" && type.values.includes(given) ? { value: given } : undefined;
        case "boolean":
            return typeof given === "boolean" ? { value: given } : undefined;
        case "int":
        case "number":
            return typeof given === "number" && isInRange(type, given) ? { value: given } : undefined;
        case "list":
            return undefined;
    }
}
/** Without `.`, `..` and doubled slashes; undefined for what is no file below the folder, or in its `.git`. */
function plainPath(given) {
    if (hasControl(given) || /^\/|\\|\/$/.test(given))
        return undefined;
    const path = external_node_path_.posix.normalize(given);
    return /^(?:\.|\.\.|(?:\.\.|\.git)\/.*)$/i.test(path) ? undefined : { value: path };
}
// The forms of YAML's core schema, so that a text means the same in every source.
function setting_value_readText(type, given) {
    if (typeof given !== "string")
        return given;
    if (type.kind === "boolean" && /^(?:true|True|TRUE|false|False|FALSE)$/.test(given)) {
        return given.toLowerCase() === "true";
    }
    const isNumber = (type.kind === "int" || type.kind === "number") && /^-?\d+(?:\.\d+)?$/.test(given);
    return isNumber ? Number(given) : given;
}
function isInRange(type, value) {
    if (type.kind === "int" ? !Number.isSafeInteger(value) : !Number.isFinite(value))
        return false;
    if (type.above !== undefined && value <= type.above)
        return false;
    return value >= (type.minimum ?? value) && value <= (type.maximum ?? value);
}
function hasControl(text) {
    return [...text].some((character) => character < " " || character === "\u007F");
}
/** What a setting allows, in words: `a whole number from 1 to 64`. */
function allowedText(type) {
    switch (type.kind) {
        case "string":
            return type.form ?? "a text of one line";
        case "path":
            return "the path of a file below the folder that is worked in, with / between names";
        case "list":
            return "a list of texts, one a line";
        case "enum":
            return `one of ${type.values.join(", ")}`;
        case "boolean":
            return "true or false";
        case "int":
        case "number": {
            const noun = type.kind === "int" ? "a whole number" : "a number";
            const above = type.above === undefined ? "" : ` above ${type.above}`;
            if (type.minimum !== undefined && type.maximum !== undefined) {
                return `${noun} from ${type.minimum} to ${type.maximum}`;
            }
            const least = type.minimum === undefined ? "" : ` of at least ${type.minimum}`;
            return `${noun}${above}${least}${type.maximum === undefined ? "" : ` and at most ${type.maximum}`}`;
        }
    }
}
function shown(value) {
    if (Array.isArray(value))
        return "a list with something else in it";
    if (typeof value === "object")
        return "a mapping";
    const text = typeof value === "string" ? JSON.stringify(value) : String(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

// EXTERNAL MODULE: ./build/config/settings-table.js + 2 modules
var settings_table = __webpack_require__(64117);
;// CONCATENATED MODULE: ./build/config/settings.js




// Read elsewhere (INTERFACE §4), and no settings.
const OTHER_VARIABLES = new Set(["LOOPLIA_STATE_DIR", "LOOPLIA_PROMPT_MODE"]);
const byName = new Map(settings_table/* settingDefinitions */.RJ.map((definition) => [definition.name, definition]));
/**
 * The settings and all that is wrong with any source. A wrong value leaves the next lower source's in place.
 * Empty strings and nulls count as not given.
 */
async function resolveSettings(sources) {
    const diagnostics = [];
    const given = [
        ...(await readFile(sources, diagnostics)),
        ...readEnvironment(sources.environment, diagnostics),
        ...readOverrides(sources, diagnostics),
    ];
    const values = new Map();
    for (const definition of settings_table/* settingDefinitions */.RJ) {
        values.set((0,settings_table/* settingKey */.iT)(definition.name), definition.type.kind === "list" ? [] : definition.default);
    }
    for (const { definition, value, isText, place } of given) {
        const checked = checkSetting(definition, value, isText);
        if (checked === undefined)
            continue;
        if ("problem" in checked) {
            const message = place.line === undefined ? checked.problem : `"${definition.name}" ${checked.problem}`;
            diagnostics.push({ severity: "error", ...place, message, ...hintOf(checked.hint) });
        }
        else
            values.set((0,settings_table/* settingKey */.iT)(definition.name), checked.value);
    }
    return { settings: Object.fromEntries(values), diagnostics };
}
async function readFile(sources, diagnostics) {
    if (sources.file === undefined)
        return [];
    const file = sources.fileName;
    const { root, diagnostics: broken } = await (0,located_yaml/* readYaml */.gM)(sources.file.replace(/^\uFEFF/, ""), file);
    diagnostics.push(...broken);
    if (root === undefined || (root.kind === "scalar" && root.value === null))
        return [];
    if (root.kind !== "map") {
        diagnostics.push({
            severity: "error",
            file,
            line: root.line,
            message: "is not a mapping of settings",
            hint: "write one `name: value` a line",
        });
        return [];
    }
    const given = [];
    for (const [name, { line, value }] of root.entries) {
        const definition = byName.get(name);
        const refusal = refuseInFile(name, definition);
        if (refusal !== undefined)
            diagnostics.push({ severity: "error", file, line, ...refusal });
        else if (definition !== undefined)
            given.push({ definition, value: fileValue(value), isText: false, place: { file, line } });
    }
    return given;
}
function refuseInFile(name, definition) {
    if (definition === undefined) {
        const names = settings_table/* settingDefinitions */.RJ.filter((known) => !known.isSecret && !known.outsideFile);
        return {
            message: `unknown setting "${name}"`,
            ...hintOf((0,suggest/* suggestName */.S)(name, names.map((known) => known.name))),
        };
    }
    if (definition.isSecret) {
        return {
            message: `"${name}" must not stand in a file`,
            hint: `take it out, revoke it if it was ever committed, and use a secret: the variable ${definition.usualName ?? (0,settings_table/* environmentName */.VE)(name)} or the Action's input`,
        };
    }
    if (!definition.outsideFile)
        return undefined;
    return {
        message: `"${name}" cannot be set in the file of settings`,
        hint: `use the flag --${name}, the Action's input or ${(0,settings_table/* environmentName */.VE)(name)}`,
    };
}
function fileValue(located) {
    const value = (0,located_yaml/* plainOf */.oi)(located);
    return value instanceof Map ? {} : value;
}
function readEnvironment(environment, diagnostics) {
    const variables = new Map(Object.entries(environment));
    const known = new Set();
    const given = [];
    for (const definition of settings_table/* settingDefinitions */.RJ) {
        const own = (0,settings_table/* environmentName */.VE)(definition.name);
        known.add(own);
        for (const variable of [definition.usualName, own]) {
            const value = variable === undefined ? undefined : variables.get(variable);
            if (variable !== undefined)
                given.push({ definition, value, isText: true, place: { file: variable } });
        }
    }
    for (const [variable, value] of variables) {
        if (!variable.startsWith("LOOPLIA_") || value === undefined)
            continue;
        if (known.has(variable) || OTHER_VARIABLES.has(variable))
            continue;
        diagnostics.push({
            severity: "warning",
            file: variable,
            message: "is a variable that no setting reads",
            ...hintOf((0,suggest/* suggestName */.S)(variable, known)),
        });
    }
    return given;
}
function readOverrides(sources, diagnostics) {
    const isInput = sources.overridesSource === "input";
    const given = [];
    for (const [name, value] of Object.entries(sources.overrides)) {
        if (value === undefined)
            continue;
        const file = isInput ? `input ${name}` : `--${name}`;
        const definition = byName.get(name);
        if (definition !== undefined && (!isInput || definition.isInput)) {
            given.push({ definition, value, isText: true, place: { file } });
            continue;
        }
        const names = settings_table/* settingDefinitions */.RJ.filter((known) => !isInput || known.isInput).map((known) => known.name);
        const hint = definition === undefined
            ? (0,suggest/* suggestName */.S)(name, names)
            : `set ${name} in looplia.yml or as ${(0,settings_table/* environmentName */.VE)(name)}`;
        diagnostics.push({
            severity: "error",
            file,
            message: `is no ${sources.overridesSource}`,
            ...hintOf(hint),
        });
    }
    return given;
}
function hintOf(hint) {
    return hint === undefined ? {} : { hint };
}

// EXTERNAL MODULE: ./build/entrypoints/action/runner-facts.js
var runner_facts = __webpack_require__(75779);
;// CONCATENATED MODULE: ./build/entrypoints/action/find-settings.js
// Which refs a run works on, and its settings from the trusted one. Nothing is read from a work branch.






/** Throws `config-invalid` with everything that is wrong with the settings. */
async function findSettings(repository, event, environment) {
    const defaultBranch = defaultBranchOf(event.payload) ?? (await repository.defaultBranch());
    const early = await readEarly(environment);
    // A work branch is known by its prefix, and that is a setting: the default branch says which.
    const defaultCommit = await fetchTip(repository, defaultBranch);
    const onDefault = await readAt(repository, defaultCommit, `${defaultBranch}:`, early.config, environment);
    const refs = chooseRefs(event, { branchPrefix: onDefault.settings.branchPrefix, defaultBranch });
    // Each branch is asked for once: what a run is made of is how the remote was at one moment.
    const tipOf = async (name) => (name === defaultBranch ? defaultCommit : fetchTip(repository, name));
    const { branch, commit = await tipOf(branch) } = refs.trusted;
    await repository.fetchCommit(commit, branch);
    const isDefault = commit === defaultCommit;
    const read = isDefault
        ? onDefault
        : await readAt(repository, commit, `${branch}:`, early.config, environment);
    (0,diagnostics/* throwIfErrors */.Z)(read.diagnostics);
    const { settings } = read;
    const folder = checkedFolder(settings.workingDirectory);
    const trustedAt = (below) => repository.trustedFiles(commit, below, `${branch}:`);
    return {
        settings: { ...settings, provider: chooseProvider(settings), workingDirectory: folder || "." },
        base: refs.base,
        baseCommit: refs.base === branch && !refs.trusted.commit ? commit : await tipOf(refs.base),
        trusted: trustedAt(folder),
        trustedAt,
        folder,
        warnings: read.diagnostics.map(diagnostics/* formatDiagnostic */.x),
    };
}
/** Settings that are needed before any file is read: inputs and variables only. Wrong ones are reported later. */
async function readEarly(environment) {
    return (await resolve(undefined, "looplia.yml", environment)).settings;
}
async function readAt(repository, commit, label, config, environment) {
    const text = await repository.trustedFiles(commit, "", label).read(config);
    const resolved = await resolve(text, `${label}${config}`, environment);
    if (text === undefined && config !== "looplia.yml") {
        const missing = { file: `${label}${config}`, message: "there is no such file of settings" };
        resolved.diagnostics.push({ severity: "error", ...missing });
    }
    return resolved;
}
function resolve(file, fileName, environment) {
    const overrides = (0,runner_facts/* readInputs */.Ko)(environment);
    return resolveSettings({ file, fileName, environment, overrides, overridesSource: "input" });
}
async function fetchTip(repository, branch) {
    const tip = await repository.tipOf(branch);
    if (tip === undefined) {
        throw new errors/* LoopliaError */.$K("config-invalid", `there is no branch ${branch}`, {
            hint: "push it, then run again",
        });
    }
    await repository.fetchCommit(tip, branch);
    return tip;
}
function checkedFolder(folder) {
    const path = external_node_path_.posix.normalize(folder).replace(/\/+$/, "");
    if (path === ".")
        return "";
    if (!external_node_path_.posix.isAbsolute(path) && !/^\.\.(\/|$)/.test(path))
        return path;
    throw new errors/* LoopliaError */.$K("config-invalid", `working-directory: ${folder} is not inside the repository`, {
        hint: "name a folder of the repository, for example docs",
    });
}
/** A mistyped secret is an empty string, and must not open a pull request: `offline` has to be named. */
function chooseProvider(settings) {
    if (settings.provider === "offline")
        return "offline";
    if (settings.anthropicApiKey !== undefined)
        return "anthropic";
    throw new errors/* LoopliaError */.$K("config-invalid", "anthropic-api-key is empty, so no model can be asked", {
        hint: "check the name of the secret; for an extractive rehearsal without a model set `provider: offline`",
    });
}

// EXTERNAL MODULE: ./build/config/task-agents.js
var task_agents = __webpack_require__(95737);
// EXTERNAL MODULE: ./node_modules/picomatch/index.js
var picomatch = __webpack_require__(14006);
;// CONCATENATED MODULE: ./build/trigger/select-items.js
// Which files are content items. Pure.

/**
 * The paths that match any of the globs, sorted; a glob that begins with `!` takes away. Paths are relative to the
 * working directory. Nothing below `.git` or `.looplia` is ever an item.
 */
function selectItems(paths, globs) {
    const wanted = globs.filter((glob) => !glob.startsWith("!")).map(plain);
    const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => plain(glob.slice(1)));
    if (wanted.length === 0)
        return [];
    const isItem = picomatch(wanted, { nonegate: true, ignore: [...unwanted, ".git/**", ".looplia/**"] });
    return paths.filter((path) => isItem(path)).sort();
}
function plain(glob) {
    return glob.trim().replace(/^(\.\/)+/, "");
}

;// CONCATENATED MODULE: ./build/entrypoints/action/items.js
// Content items as they are at the tip of the base, never on a work branch.



const MAX_BYTES = 10 * 1024 * 1024;
/** The items that the globs match, and any file of the base by its path. */
async function findItems(repository, found) {
    const prefix = found.folder === "" ? "" : `${found.folder}/`;
    const files = await repository.listFiles(found.baseCommit, found.folder);
    const byPath = new Map(files.map((file) => [file.path.slice(prefix.length), file]));
    const read = async (path) => {
        const file = byPath.get(path);
        if (!file)
            return undefined;
        // Only the length of what is too large is looked at.
        if (file.size > MAX_BYTES)
            return new Uint8Array(MAX_BYTES + 1);
        return (await repository.readBlobs([file.oid]))[0];
    };
    const match = (globs) => selectItems([...byPath.keys()], globs);
    return { sources: match(found.settings.content), match, has: (path) => byPath.has(path), read };
}
/** Where no mode is set there must be something to do: throws `config-invalid` without globs, list and documents. */
function requireTasks({ match, has }, { settings, base }) {
    const { mode, todo, sourceFiles } = settings;
    if (mode !== "auto" || has(todo))
        return;
    if (match(sourceFiles.length > 0 ? sourceFiles : task_agents/* SOURCE_FILES */.AP).length === 0) {
        throw nothingToDo(todo, `, and ${base} has no ${todo}, nor documents to make one from`);
    }
}
/** A content run must have something to do. Throws `config-invalid` without globs, `no-items` where none matches. */
function requireItems({ sources }, { settings, base }) {
    const { content, sessionId } = settings;
    if (sessionId !== undefined)
        return;
    if (content.length === 0)
        throw nothingToDo(settings.todo);
    if (sources.length > 0)
        return;
    throw new errors/* LoopliaError */.$K("no-items", `no file on ${base} matches ${content.join(", ")}`, {
        hint: "check the globs and working-directory",
    });
}
function nothingToDo(todo, more = "") {
    return new errors/* LoopliaError */.$K("config-invalid", `there is nothing to do: \`content\` is not set${more}`, {
        hint: `give globs of content items, one a line, for example content/**/*.md, or write a ${todo}`,
    });
}

// EXTERNAL MODULE: ./build/publish/report.js
var publish_report = __webpack_require__(44224);
;// CONCATENATED MODULE: ./build/trigger/sweep.js
// Which works a scheduled run looks at. Pure.
/** Each is a clone and some requests to GitHub. */
const MOST_SWEPT = 20;
/**
 * Oldest first; of more than a run looks at, another part in each run: `turn` counts the runs. Every work is looked at once
 * in as many runs in a row as there are parts.
 */
function chooseSwept(works, turn, most = MOST_SWEPT) {
    const ordered = works.toSorted((one, other) => {
        return one.at === other.at ? compare(one.workId, other.workId) : compare(one.at, other.at);
    });
    if (ordered.length <= most)
        return ordered;
    const first = (turn % Math.ceil(ordered.length / most)) * most;
    return ordered.slice(first, first + most);
}
function compare(one, other) {
    return one < other ? -1 : 1;
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/inbox.js




/** Judges the comments and stores what they do. Fails as `Discussion` does; then nothing of that comment is stored. */
async function handleComments(work, comments, judging) {
    const inbox = { handled: [], ignored: [] };
    const asks = rememberRoles(judging.discussion);
    for (const comment of comments) {
        const verdict = await judgeComment(comment, work.state.authorId, {
            ...(await circumstances(work, judging)),
            asks,
        });
        const handled = await handleComment(work, comment, verdict, judging);
        if (handled.verdict === "ignored") {
            inbox.ignored.push(handled);
            const who = comment.author?.login ?? "an account that is gone";
            if (handled.reason === "not-permitted")
                judging.log(`not-permitted: a command of ${who} was passed over`);
            continue;
        }
        await work.note({ type: "CommentHandled", payload: handled });
        inbox.handled.push(handled);
    }
    return inbox;
}
/** A comment that has no effect. */
function passOver({ id: commentId, createdAt }) {
    return { commentId, createdAt, verdict: "ignored", reason: "no-command" };
}
const ANEW = "Nothing of it goes on; the next run begins anew, with a pull request of its own.";
async function handleComment(work, comment, verdict, judging) {
    const { id: commentId, createdAt } = comment;
    if (verdict.verdict === "ignored") {
        return { commentId, createdAt, verdict: "ignored", reason: verdict.reason };
    }
    const { actorId, permission } = verdict;
    const command = comment.body.trim().split("\n")[0] ?? wordOf(verdict.command);
    const said = { commentId, createdAt, actorId, permission, command };
    if (judging.over !== undefined)
        return { ...said, verdict: "refused", reason: judging.over, whatToDo: ANEW };
    if (verdict.verdict === "refused") {
        const { reason, whatToDo, copy } = verdict.refusal;
        return { ...said, verdict: "refused", reason, whatToDo, copy };
    }
    const done = await carryOut(work, verdict.effects, said, judging);
    if ("reason" in done)
        return { ...said, verdict: "refused", ...done };
    return { ...said, verdict: "accepted", reason: "", ...done };
}
/** The role of an account is asked once in a look at the inbox. */
function rememberRoles(discussion) {
    const known = new Map();
    return {
        permissionOf(login) {
            const asked = known.get(login) ?? discussion.permissionOf(login);
            known.set(login, asked);
            return asked;
        },
        isTeamMember: (team, login) => discussion.isTeamMember(team, login),
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/owed.js
// What the pull request does not show yet of what is stored. Pure: every wake asks this, whatever happened before.

/** From what is stored alone: GitHub is not asked. */
function findOwed(state, questions) {
    const isAsked = ({ request }) => state.requestComments.has(request.interactionId);
    return {
        ask: questions.filter((question) => (0,session_state/* isPending */.mm)(question) && !isAsked(question)),
        settle: questions.filter((question) => !(0,session_state/* isPending */.mm)(question) && isAsked(question) && !isTold(question, state.settled)),
        answer: [...state.handled.values()].filter(({ commentId, verdict }) => verdict !== "ignored" && !state.acknowledged.has(commentId)),
        isBehind: state.isBehind === true,
    };
}
/** What a comment says of an approval that let nothing run: it may be asked anew only later. */
function owed_wordOf({ reason, again = "" }) {
    return `${reason} ${again}`;
}
function isTold({ request, inVain }, settled) {
    const told = settled.get(request.interactionId);
    return told !== undefined && told.inVain === (inVain && owed_wordOf(inVain));
}
/** Whether there is any of it. */
function isOwed(owed) {
    return owed.isBehind || owed.ask.length + owed.settle.length + owed.answer.length > 0;
}

// EXTERNAL MODULE: ./build/publish/markdown.js
var publish_markdown = __webpack_require__(11379);
// EXTERNAL MODULE: ./build/publish/markers.js
var markers = __webpack_require__(56019);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(25033);
;// CONCATENATED MODULE: ./build/publish/people.js
// People in our comments: only logins that the program knows become mentions, never text of others. Pure.



const people_LOGIN = /^[a-z\d](?:-?[a-z\d]){0,38}$/i;
const TEAM = /^@?[a-z\d](?:-?[a-z\d]){0,38}\/[a-z\d][\w-]{0,99}$/i;
/** Ringing more phones helps nobody. */
const MOST = 20;
/** The login of a person on GitHub; undefined for bots and for everything that is no account there. */
function personOf(actorId) {
    const login = (0,session_actor/* githubAccountOf */.Mx)(actorId)?.login;
    return login !== undefined && people_LOGIN.test(login) ? login : undefined;
}
/** Rings a person's or a team's phone; what is no login is a word in code. */
function mention(name) {
    const bare = name.replace(/^@/, "");
    return people_LOGIN.test(bare) || TEAM.test(bare) ? `@${bare}` : (0,publish_markdown/* codeSpan */.SS)(bare);
}
/** `@a, @b and @c`, twenty at most. */
function mentionAll(names) {
    const shown = [...new Set(names)].slice(0, MOST).map(mention);
    const more = new Set(names).size - shown.length;
    return (0,figures/* listWords */.yh)(more > 0 ? [...shown, `${more} more`] : shown);
}
/** A person's name that rings nothing. */
function nameOf(actorId) {
    return (0,publish_markdown/* codeSpan */.SS)((0,session_actor/* loginOf */.DQ)(actorId));
}

// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(89179);
;// CONCATENATED MODULE: ./build/publish/look-alikes.js
// Characters that pass for others (UTS 39): named in a warning, because they can't be seen. Pure.
const SCRIPTS = [
    "Latin",
    "Cyrillic",
    "Greek",
    "Armenian",
    "Cherokee",
    "Coptic",
    "Georgian",
    "Hebrew",
    "Arabic",
];
const TESTS = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")]);
/** Scripts that ordinary text mixes with Latin, and what belongs to none. */
const MIXES = /[\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
/** Letters of other scripts that most typefaces draw as Latin ones. */
const LATIN_SHAPES = new RegExp(`^[${[
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0475",
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u04ae\u04c0",
    "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03b9",
    "\u0585\u057d\u0578\u0581\u0570",
].join("")}]+$`, "u");
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu;
/** Slashes, dots, colons, quotes and dashes of commands that are none, and blanks that are no space. */
const SIGNS = /[\p{Zs}\u2800\u2044\u2215\u29f8\u2024\u2027\u2236\ua789\u01c3\u037e\ufe63\uff0d\ufe68\uff3c\uff1b\uff5c\uff06]/gu;
const ASCII = /^[\x20-\x7e\t\r\n]*$/;
/** Each suspicious character once, in the order in which they come. */
function findLookAlikes(text) {
    const found = new Map();
    if (ASCII.test(text))
        return [];
    const isEastAsian = EAST_ASIAN.test(text);
    const note = (character, why, word) => {
        if (!found.has(character))
            found.set(character, { character, codePoint: look_alikes_nameOf(character), why, word });
    };
    const foreign = foreignWords(text);
    for (const [word] of text.matchAll(WORDS)) {
        for (const [character, why] of suspectsOf(word, foreign.has(word), isEastAsian))
            note(character, why, word);
    }
    for (const [sign] of text.matchAll(SIGNS)) {
        if (sign === " " || (isEastAsian && /[\u3000\uff06-\uff5c]/.test(sign)))
            continue;
        note(sign, /[\p{Zs}\u2800]/u.test(sign) ? "looks like a space" : "looks like a sign of commands", sign);
    }
    return [...found.values()];
}
function suspectsOf(word, isForeign, isEastAsian) {
    const letters = [...word];
    const scripts = new Set(letters.filter((letter) => !MIXES.test(letter)).map(scriptOf));
    const suspects = [];
    for (const letter of letters) {
        const isMixed = scripts.size > 1 && !MIXES.test(letter) && scriptOf(letter) !== "Latin";
        if (isMixed)
            suspects.push([letter, `${scriptOf(letter)} among other letters`]);
        else if (isForeign && LATIN_SHAPES.test(letter))
            suspects.push([letter, `${scriptOf(letter)}, looks Latin`]);
        else if (!isEastAsian && isStyled(letter))
            suspects.push([letter, `looks like ${letter.normalize("NFKC")}`]);
    }
    return suspects;
}
/**
 * Words that look Latin and are not. One letter alone counts only where no other word needs its script: a text in
 * Russian is left alone.
 */
function foreignWords(text) {
    const words = [...new Set([...text.matchAll(WORDS)].map(([word]) => word))];
    const cores = words.map((word) => [word, word.replace(/[\p{M}\p{N}_]/gu, "")]);
    const needed = new Set(cores
        .filter(([, core]) => !LATIN_SHAPES.test(core))
        .map(([, core]) => new Set([...core].filter((letter) => !MIXES.test(letter)).map(scriptOf)))
        .flatMap((scripts) => (scripts.size === 1 ? [...scripts] : [])));
    const isForeign = (core) => LATIN_SHAPES.test(core) && ([...core].length > 1 || !needed.has(scriptOf(core)));
    return new Set(cores.filter(([, core]) => isForeign(core)).map(([word]) => word));
}
/** Full width, mathematical and other dressed-up forms of ASCII letters and digits. */
function isStyled(letter) {
    return (/[\p{Lu}\p{Ll}\p{Nd}]/u.test(letter) &&
        letter > "\u007f" &&
        /^[\x21-\x7e]+$/.test(letter.normalize("NFKC")));
}
function scriptOf(letter) {
    return TESTS.find(([, test]) => test.test(letter))?.[0] ?? "of another script";
}
function look_alikes_nameOf(character) {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

;// CONCATENATED MODULE: ./build/publish/request-parts.js
// The parts of a request's comment, each within its own limit whatever a model wrote. Pure.






const LIMITS = { title: 2_000, description: 8_000, choices: 10_000, warnings: 3_000 };
/** One character is never shown in more than this many. */
const GROWTH = 12;
/** One line. */
function renderTitle(request) {
    return within(request.display.title, LIMITS.title, (text) => (0,publish_markdown/* escapeShown */.DW)(text));
}
/** A quote; empty where there is none. */
function renderDescription(request) {
    const { description } = request.display;
    return description === undefined || description.trim() === ""
        ? { markdown: "", isWhole: true }
        : within(description, LIMITS.description, publish_markdown/* quoteShown */.Ww);
}
/** Options, numbered; or the fields of a Composite. */
function renderChoices(request) {
    if (request.kind === "Confirm")
        return { markdown: "", isWhole: true };
    const lines = request.kind === "Composite" ? (request.fields ?? []).flatMap(fieldLines) : optionLines(request);
    const { kept, left } = fitLines(lines, LIMITS.choices);
    const note = left > 0 ? ["", `**Cut**: there are ${left} more.`] : [];
    return { markdown: [...kept, ...note].join("\n"), isWhole: left === 0 };
}
/** The first lines that fit into `limit` characters, and how many do not. */
function fitLines(lines, limit) {
    const kept = [];
    let room = limit - 100;
    for (const line of lines) {
        room -= line.length + 1;
        if (room < 0)
            break;
        kept.push(line);
    }
    return { kept, left: lines.length - kept.length };
}
function optionLines({ options = [] }, indent = "") {
    return options.map((option, at) => `${indent}${at + 1}. ${renderOption(option)}`);
}
/** Its id, its label, and whether it is the default. */
function renderOption(option) {
    const id = (0,publish_markdown/* codeSpan */.SS)(option.id);
    const isLabelled = (0,question_text/* optionText */.re)(option) !== (0,question_text/* optionText */.re)({ ...option, label: "" });
    const marks = [...(option.isDefault ? ["default"] : []), ...(option.style === "danger" ? ["careful"] : [])];
    const note = marks.length > 0 ? ` *(${marks.join(", ")})*` : "";
    return `${id}${isLabelled ? ` ${(0,publish_markdown/* escapeShown */.DW)(option.label)}` : ""}${note}`;
}
function fieldLines(field) {
    const { id, label, kind, validation } = field;
    const rules = [
        ...(kind === "Confirm" ? [`${(0,publish_markdown/* codeSpan */.SS)("approve")} or ${(0,publish_markdown/* codeSpan */.SS)("reject")}`] : []),
        ...(validation?.required ? ["required"] : []),
        ...(validation?.regex === undefined ? [] : [`matching ${(0,publish_markdown/* codeSpan */.SS)(validation.regex)}`]),
    ];
    const note = rules.length > 0 ? ` (${rules.join(", ")})` : "";
    return [`- ${(0,publish_markdown/* codeSpan */.SS)(id)} ${(0,publish_markdown/* escapeShown */.DW)(label)}${note}`, ...optionLines(field, "  ")];
}
/** What makes it dangerous, and which of its characters are not what they seem. */
function renderWarnings(request) {
    const dangers = (request.dangers ?? []).filter((danger) => danger.trim() !== "");
    const suspects = findLookAlikes(request_parts_textOf(request)).map(describeSuspect);
    return [
        warn("CAUTION", "**Dangerous.** Only a command with its id approves it: copy the one below.", dangers.map((danger) => `- ${(0,publish_markdown/* escapeShown */.DW)(danger, 100)}`)),
        warn("WARNING", "**Characters that are not what they look like:**", suspects),
    ]
        .filter((box) => box !== "")
        .join("\n\n");
}
/** Empty without lines; those beyond the limit are counted. */
function warn(kind, lead, lines) {
    if (lines.length === 0)
        return "";
    const { kept, left } = fitLines(lines, LIMITS.warnings);
    return (0,publish_markdown/* alert */.xE)(kind, [lead, ...kept, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n"));
}
function describeSuspect({ codePoint, character, why, word }) {
    const where = word === character ? "" : `, in ${(0,publish_markdown/* codeSpan */.SS)((0,publish_markdown/* cut */.Jj)(word, 40))}`;
    return `- ${codePoint} ${(0,publish_markdown/* codeSpan */.SS)(character)} ${why}${where}`;
}
/** Everything of a request that somebody else wrote. */
function request_parts_textOf({ display, options = [], fields = [] }) {
    const { title, description = "", content } = display;
    const shown = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
    const choices = [...options, ...fields, ...fields.flatMap((field) => field.options ?? [])];
    return [title, description, shown, ...choices.flatMap(({ id, label }) => [id, label])].join("\n");
}
/** How its commands would run; empty where it has none. */
function renderIsolation({ isolation, display }) {
    if (!isolation || display.contentKind === "Diff")
        return "";
    const network = isolation.network ? "**with network**" : "without network";
    return isolation.kind === "none"
        ? `Commands run **without isolation**: as this job's user, on the runner itself, ${network}.`
        : `Commands run isolated (${isolation.kind}), ${network}.`;
}
/** Wider than a comment on any screen. */
const WIDE = 100;
/** Code blocks do not wrap, and what is approved must be seen: which lines go on beyond the edge. */
function renderLongLines(request) {
    const { display } = request;
    if (!(0,interaction/* letsCallsRun */.Z)(request) || typeof display.content !== "string")
        return "";
    const count = (0,plain_text/* showUnseen */.AZ)(display.content)
        .split("\n")
        .filter((line) => line.length > WIDE).length;
    if (count === 0)
        return "";
    const what = count === 1 ? "1 line is" : `${count} lines are`;
    return `**Scroll the box sideways**: ${what} longer than ${WIDE} characters.`;
}
/** Until when it may be answered; empty where it never expires. */
function renderUntil({ expiresAt }) {
    return expiresAt === undefined ? "" : `Until **${(0,figures/* formatMoment */.K9)(expiresAt)}**.`;
}
/** The whole, or so much of the text's beginning that it fits for certain. */
function within(text, limit, write) {
    const whole = text.length <= limit ? write(text) : undefined;
    if (whole !== undefined && whole.length <= limit)
        return { markdown: whole, isWhole: true };
    return { markdown: write((0,publish_markdown/* cut */.Jj)(text, Math.floor(limit / GROWTH))), isWhole: false };
}

;// CONCATENATED MODULE: ./build/publish/request-commands.js
// The exact commands that answer a request, each in a code block of its own: a phone copies it with one touch. Pure.




/** More options than these share one command. */
const BLOCKS = 10;
/** Markdown: what to write for each answer; `isShort`: without what grows with the options and fields. */
function renderCommands(request, isShort) {
    const decline = ["To decline, add a reason if you like:", renderRejectCommand(request)];
    return [...answerCommands(request, isShort), ...decline, HOW].join("\n\n");
}
const HOW = "Copy one of them into a new comment: work then goes on by itself. Eyes mean that it was accepted, a rocket that it is done.";
/** The one that is always left: to decline. */
function renderRejectCommand({ shortId }) {
    return block(`/reject ${shortId}`);
}
function answerCommands(request, isShort) {
    const { shortId, kind } = request;
    if (kind === "Confirm") {
        return [
            (0,interaction/* letsCallsRun */.Z)(request) ? "To approve exactly what is shown, once:" : "To say yes:",
            block(`/approve ${shortId}`),
            "To have it tried another way, add your instructions:",
            block(`/revise ${shortId}`),
        ];
    }
    if (kind === "Select")
        return selectCommands(request, isShort);
    if (kind === "Input") {
        return [`To answer, add your text${textRules(request.validation)}:`, block(`/answer ${shortId}`)];
    }
    if (isShort) {
        return [
            "To answer, add a line for each field below it, its id, a colon and the value:",
            block(`/answer ${shortId}`),
        ];
    }
    const fields = (request.fields ?? []).map(({ id }) => `${id}: `);
    return ["To answer, add a value after each colon:", block([`/answer ${shortId}`, ...fields].join("\n"))];
}
function selectCommands(request, isShort) {
    const { shortId, options = [] } = request;
    const commandOf = (at) => `/choose ${shortId} ${(0,question_text/* optionWord */.yY)(options, at)}`;
    if (isShort || !carriesChoices(request)) {
        const lead = "To choose, give the option's id or number, for example the first:";
        return [lead, block(commandOf(0))];
    }
    return options.flatMap((option, at) => [
        `**To choose ${at + 1}:** ${renderOption(option)}`,
        block(commandOf(at)),
    ]);
}
/** True where the commands name every option, so that no list of them is needed. */
function carriesChoices({ kind, options = [] }) {
    return kind === "Select" && options.length > 0 && options.length <= BLOCKS;
}
function textRules(validation) {
    const rules = [
        ...(validation?.required ? ["not empty"] : []),
        ...(validation?.regex === undefined ? [] : [`matching ${(0,publish_markdown/* codeSpan */.SS)((0,publish_markdown/* cut */.Jj)(validation.regex, 500))}`]),
    ];
    return rules.length > 0 ? ` (${rules.join(", ")})` : "";
}
function block(command) {
    return (0,publish_markdown/* fenceShown */.hj)(command);
}

// EXTERNAL MODULE: ./build/session/table-text.js
var table_text = __webpack_require__(60851);
;// CONCATENATED MODULE: ./build/publish/request-content.js



/** Markdown of at most `room` characters. */
function renderContent({ display, toolCallIds }, room) {
    const { content, contentKind } = display;
    if (content === undefined || content === "")
        return { markdown: "", isWhole: true };
    const table = contentKind === "Table" ? (0,table_text/* readTable */.x)(content) : undefined;
    if (table?.rows.some((row) => row.length > 0))
        return renderTable(table, room);
    const isText = typeof content === "string" && contentKind !== "Json";
    const text = isText ? content : (JSON.stringify(content, null, 2) ?? "");
    // Of several calls the commands are indented, so that only edits get colours.
    const isDiff = contentKind === "Diff" || toolCallIds.length > 1;
    const language = isText ? (isDiff ? "diff" : "text") : "json";
    return renderFence(text, language, room);
}
function renderFence(text, language, room) {
    const whole = (0,publish_markdown/* fenceShown */.hj)(text.replace(/\n$/, ""), language);
    if (whole.length <= room)
        return { markdown: whole, isWhole: true };
    const lines = text.replace(/\n$/, "").split("\n");
    const kept = [];
    // Both fences can't be longer than the longest line, and that one is counted.
    let left = room - 100 - 2 * (0,publish_markdown/* longestRun */.Q_)(text);
    for (const line of lines) {
        left -= (0,plain_text/* showUnseen */.AZ)(line).length + 1;
        if (left < 0)
            break;
        kept.push(line);
    }
    const note = `**Cut**: ${kept.length} of ${lines.length} lines are shown.`;
    return { markdown: `${(0,publish_markdown/* fenceShown */.hj)(kept.join("\n"), language)}\n\n${note}`, isWhole: false };
}
function renderTable({ header, rows }, room) {
    const width = Math.max(header.length, ...rows.map((row) => row.length));
    const write = (cells) => `| ${Array.from({ length: width }, (_, at) => renderCell(cells[at] ?? "")).join(" | ")} |`;
    const head = [write(header), `|${":--|".repeat(width)}`];
    const kept = [];
    let left = room - 100 - head.join("\n").length;
    const isHeadShown = left > 0;
    for (const row of rows) {
        const line = write(row);
        left -= line.length + 1;
        if (left < 0)
            break;
        kept.push(line);
    }
    const isWhole = isHeadShown && kept.length === rows.length;
    const note = isWhole ? [] : ["", `**Cut**: ${kept.length} of ${rows.length} rows are shown.`];
    return { markdown: [...(isHeadShown ? head : []), ...kept, ...note].join("\n"), isWhole };
}
/** Lines stay lines; a cell never ends its row. */
function renderCell(cell) {
    return cell
        .split("\n")
        .map((line) => (0,publish_markdown/* escapeShown */.DW)(line))
        .join("<br>");
}

;// CONCATENATED MODULE: ./build/publish/who-is-asked.js
// The paragraph of a request's comment that says whose word is wanted, and whose does not count. Pure.




const ASKS = {
    Confirm: "a yes or no is needed",
    Select: "one of these must be chosen",
    Input: "an answer is needed",
    Composite: "a few answers are needed",
};
/** One paragraph of Markdown; until when stands in it. */
function whoIsAsked(request, around) {
    const addressed = around.approvers.length > 0 ? around.approvers : whoIsNear(request, around);
    const isGate = request.kind === "Confirm" && (0,interaction/* letsCallsRun */.Z)(request);
    const asked = isGate ? "approval is needed before this runs" : ASKS[request.kind];
    const who = around.approvers.length > 0
        ? "Only those who are named here may answer, and only with write access."
        : "Anyone with write access may answer.";
    const several = request.kind === "Confirm" && around.minApprovals > 1
        ? `**${around.minApprovals} different people** must approve; one rejection ends it.`
        : "";
    const notStarter = around.selfApproval ? "" : whoMayNot(request.startedBy);
    const lead = addressed.length > 0
        ? `${mentionAll(addressed)}: ${asked}.`
        : `${asked[0]?.toUpperCase()}${asked.slice(1)}.`;
    return [lead, who, several, notStarter, renderUntil(request)].filter((part) => part !== "").join(" ");
}
/** Nobody is subscribed to a bot's pull request: one person who led to it, and may answer, hears of it. */
function whoIsNear({ startedBy = [] }, { run, selfApproval }) {
    const led = startedBy.flatMap((actor) => personOf(actor) ?? []);
    if (led.length > 0)
        return selfApproval ? led.slice(0, 1) : [];
    return [run.actor ?? ""].flatMap((actor) => personOf(actor) ?? []);
}
/** With `self-approval: false`. */
function whoMayNot(startedBy) {
    if (!startedBy || startedBy.includes(session_actor/* UNKNOWN */.HV)) {
        return "**Nobody may answer it**: `self-approval` is off, and GitHub did not say who started what led to it.";
    }
    const [first, ...others] = startedBy
        .map(personOf)
        .flatMap((login) => login ?? [])
        .map(nameOf);
    if (first === undefined)
        return "";
    if (others.length === 0)
        return `Not ${first}, who started it.`;
    return `Not ${[first, ...others].join(" or ")}: who started it, or told the agent something.`;
}

;// CONCATENATED MODULE: ./build/publish/request-comment.js
// The comment of one request: all that a person needs to decide, and the commands to copy. What others wrote shows as
// text and does nothing; nothing unseen stays unseen (SECURITY, "a misleading diff"). Pure.










/** Below what the API takes (65,536 characters). */
const COMMENT_LIMIT = 60_000;
/** For what the comment tells beside the request: people, run, links, hashes. */
const AROUND_ROOM = 9_000;
/** The request as one text file when a comment can't hold it; depends on the request alone. */
function attachmentOf(request) {
    if (renderParts(request).isWhole)
        return undefined;
    const text = `${(0,question_text/* questionLines */.Qx)(request).join("\n")}\n`;
    return { name: `${request.shortId}.txt`, text, sha256: (0,hash/* sha256Of */.B)(text) };
}
/** A comment under 60,000 characters. */
function renderRequest(request, around) {
    const attachment = attachmentOf(request);
    const isComplete = !attachment || around.attachmentUrl !== undefined;
    const { title, warnings, description, content, choices, commands } = renderParts(request);
    const body = [
        (0,markers/* writeMarker */.e)({ role: "request", workId: around.workId, interactionId: request.interactionId }),
        `### ${title}`,
        around.task ? renderTask(around.task) : "",
        whoIsAsked(request, around),
        warnings,
        description,
        content,
        renderLongLines(request),
        !attachment && carriesChoices(request) ? "" : choices,
        renderIsolation(request),
        attachment ? attachmentNote(attachment, around.attachmentUrl) : "",
        isComplete ? commands : renderRejectCommand(request),
        boundTo(request, around),
    ];
    return { body: join(body), isComplete, ...(attachment ? { attachment } : {}) };
}
/** Whether the comment shows the whole request, or links to it: false where it may only be declined. */
function isShownWhole(request, body) {
    const attachment = attachmentOf(request);
    return attachment === undefined || body.includes(attachment.sha256);
}
/** What was asked, as in the open comment, so in the settled one. */
function questionParts(request) {
    const { description, content, choices } = renderParts(request);
    return [description, content, choices, renderIsolation(request)];
}
/** The content gets the room that the others leave; each of them has a limit. */
function renderParts(request) {
    const title = renderTitle(request);
    const description = renderDescription(request);
    const choices = renderChoices(request);
    const warnings = renderWarnings(request);
    const areWhole = title.isWhole && description.isWhole && choices.isWhole;
    const commands = renderCommands(request, !areWhole);
    const others = [title, description, choices].map(({ markdown }) => markdown).join("");
    const room = COMMENT_LIMIT - AROUND_ROOM - others.length - warnings.length - commands.length;
    const content = renderContent(request, room);
    return {
        title: title.markdown,
        warnings,
        description: description.markdown,
        content: content.markdown,
        choices: choices.markdown,
        commands,
        isWhole: areWhole && content.isWhole,
    };
}
/** Paragraphs; empty ones are left out. */
function join(parts) {
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
function renderTask({ id, title }) {
    return `Task **${(0,publish_markdown/* escapeInline */.VV)(id, 100)}**: ${(0,publish_markdown/* escapeInline */.VV)(title, 300)}`;
}
function attachmentNote({ name, sha256 }, url) {
    if (url === undefined) {
        const why = "It is too long for a comment and could not be attached, so nobody can see the whole of it.";
        return (0,publish_markdown/* alert */.xE)("CAUTION", `**This can't be approved or answered here.** ${why} It can be declined:`);
    }
    const whole = `**The whole of it is ${(0,publish_markdown/* link */.nf)(name, url)}**, SHA-256 ${(0,publish_markdown/* codeSpan */.SS)(sha256)}.`;
    return (0,publish_markdown/* alert */.xE)("WARNING", `${whole} Read that before you answer: only a part is shown here.`);
}
function boundTo(request, around) {
    const { run, auditHead, source } = around;
    const { authorActorId: author } = request;
    const agent = (0,publish_markdown/* codeSpan */.SS)((0,publish_markdown/* cut */.Jj)(author.replace(/^agent:/, ""), 100));
    const lines = [
        `- Asked by ${author === session_actor/* PROGRAM */.RX ? "looplia itself" : `the agent ${agent}`}${source === undefined ? "" : ` for ${(0,publish_markdown/* codeSpan */.SS)((0,publish_markdown/* cut */.Jj)(source, 300))}`} in ${(0,publish_markdown/* link */.nf)(`run ${(0,publish_markdown/* escapeShown */.DW)(run.number)}`, run.url)}.`,
        `- The answer holds once, for exactly this request: SHA-256 ${(0,publish_markdown/* codeSpan */.SS)(request.fingerprint)}.`,
        ...((0,interaction/* letsCallsRun */.Z)(request) ? [BINDING] : []),
        `- Audit log so far: ${auditHead.count === 1 ? "1 line" : `${auditHead.count} lines`}, the last one's hash ${(0,publish_markdown/* codeSpan */.SS)(auditHead.hash)}.`,
    ];
    const summary = `<summary>${request.shortId}: what an answer is bound to</summary>`;
    return ["<details>", summary, "", ...lines, "", "</details>"].join("\n");
}
const BINDING = "- An edit is not made if its file has changed since, a command is not run if any file has. Files that git ignores can't be bound.";

;// CONCATENATED MODULE: ./build/publish/reply-comment.js
// One comment for a command that was refused, or that needs an answer in words. Pure.




/** What was refused, why, and what to do instead. `command` is the line that they wrote; `copy` are commands to copy. */
function renderRefusal({ workId, commentId, author }, refused) {
    const { command, reason, whatToDo, copy = [] } = refused;
    const line = (0,publish_markdown/* codeSpan */.SS)((0,publish_markdown/* cut */.Jj)(command.split("\n")[0] ?? "", 200));
    const said = `${line} was refused: ${(0,publish_markdown/* sentence */.em)(reason)} ${(0,publish_markdown/* sentence */.em)(whatToDo)}`;
    const markdown = [said, ...copy.map((each) => (0,publish_markdown/* fenceShown */.hj)(each))].join("\n\n");
    const to = author === null ? "" : `${mention(author)}: `;
    return join([(0,markers/* writeMarker */.e)({ role: "reply", workId, commentId }), `${to}${markdown}`]);
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/acknowledge.js


/** Says that it was read; once more does no harm. */
async function greet({ discussion }, handled) {
    for (const { commentId, verdict } of handled) {
        if (verdict === "accepted")
            await discussion.react(commentId, "eyes");
    }
}
/** Tells how a command ended. One that was accepted is told when the run `isOver`. */
async function acknowledge(run, work, pullRequest, handled, isOver) {
    const { commentId, verdict } = handled;
    if (verdict === "accepted" && !isOver)
        return;
    await run.discussion.react(commentId, verdict === "accepted" ? "rocket" : "confused");
    if (verdict === "refused" && !work.state.refusals.has(commentId))
        await acknowledge_refuse(run, work, pullRequest, handled);
    await work.note({ type: "CommentAcknowledged", payload: { commentId } });
}
async function acknowledge_refuse(run, work, pullRequest, handled) {
    const { commentId: answers, actorId, command = "", reason, whatToDo = "", copy = [] } = handled;
    const author = actorId === undefined ? null : (0,session_actor/* loginOf */.DQ)(actorId);
    const reply = { workId: work.workId, commentId: answers, author };
    const body = renderRefusal(reply, { command, reason, whatToDo, copy });
    const posted = await run.discussion.postComment(pullRequest.number, body);
    const { id: commentId, createdAt, author: us } = posted;
    await work.note({
        type: "CommentPosted",
        payload: { role: "refusal", answers, commentId, createdAt, authorId: us?.id ?? 0 },
    });
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
;// CONCATENATED MODULE: ./build/publish/artifact-name.js
// Names of workflow artifacts. Pure.
/** A name that the service takes: unlike all others of the run, without characters that it refuses. */
function artifactName(parts) {
    return `looplia-${parts.workId}-${parts.runId}.${parts.attempt}-${parts.job}`
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .slice(0, 200);
}

;// CONCATENATED MODULE: ./build/publish/settled-comment.js






/** Answers and comments longer than this are in the comment that gave them. */
const SAID = 1_000;
/** Who decided what, with which permission, when, and where they said so; and what was not done all the same. */
function renderAnswered(request, around, response, { earlier = [], inVain } = {}) {
    const people = [
        ...earlier.filter(({ actorId }) => actorId !== response.authorActorId),
        { ...response, actorId: response.authorActorId },
    ];
    const others = people.map((person) => describePerson(person, around));
    const said = response.comment?.trim() ?? "";
    return settled(request, around, inVain ? `${answerWord(request, response)}, but not run` : answerWord(request, response), [
        `By ${(0,figures/* listWords */.yh)(others)}.`,
        inVain ? describeVain(inVain, around) : "",
        describeAnswer(request, response),
        said === "" ? "" : (0,publish_markdown/* quoteShown */.Ww)((0,publish_markdown/* cut */.Jj)(said, SAID)),
    ]);
}
function describeVain(inVain, { pullRequestUrl }) {
    const { reason, calls, of, commentId, isOver } = inVain;
    const what = calls === of
        ? "Nothing of it was run"
        : `${calls} of the ${of} calls ${calls === 1 ? "was" : "were"} not run`;
    const where = commentId === undefined ? "" : (0,publish_markdown/* link */.nf)("asked anew", `${pullRequestUrl}#issuecomment-${commentId}`);
    const told = isOver
        ? "Nothing of it goes on."
        : "The agent was told so; where it still wants it, it asks anew.";
    const next = where === "" ? told : `It was ${where}.`;
    return `**${what}**: ${(0,publish_markdown/* escapeShown */.DW)((0,publish_markdown/* cut */.Jj)(reason.replace(/\.$/, ""), SAID))}. ${next}`;
}
/** It ended without an answer. */
function renderClosed(request, around, closing) {
    const again = "Nothing of it was done. To have the work tried again, comment `/looplia run`.";
    switch (closing.how) {
        case "expired":
            return settled(request, around, "Expired", [
                `Nobody answered until ${(0,figures/* formatMoment */.K9)(closing.at)}.`,
                again,
            ]);
        case "canceled":
            return settled(request, around, "Canceled", [(0,publish_markdown/* sentence */.em)(closing.reason, SAID)]);
        case "superseded": {
            const by = closing.byShortId === undefined ? "" : `Asked anew as ${(0,publish_markdown/* codeSpan */.SS)(closing.byShortId)}.`;
            return settled(request, around, "Superseded", [(0,publish_markdown/* sentence */.em)(closing.reason, SAID), by]);
        }
    }
}
function settled(request, { workId }, word, lines) {
    const { interactionId, shortId, fingerprint } = request;
    return join([
        (0,markers/* writeMarker */.e)({ role: "request", workId, interactionId }),
        `### ${word}: ${renderTitle(request).markdown}`,
        ...lines,
        `<details>\n<summary>${shortId}: what was asked</summary>`,
        ...questionParts(request),
        `SHA-256 ${(0,publish_markdown/* codeSpan */.SS)(fingerprint)}`,
        "</details>",
    ]);
}
function answerWord({ kind }, { selectedOptionId }) {
    if (selectedOptionId === "reject")
        return kind === "Confirm" ? "Rejected" : "Declined";
    if (kind === "Confirm")
        return "Approved";
    return kind === "Select" ? "Chosen" : "Answered";
}
function describePerson(person, { pullRequestUrl }) {
    const { actorId, permission, answeredAt, commentId } = person;
    const when = answeredAt === undefined ? "" : ` on ${(0,figures/* formatMoment */.K9)(answeredAt)}`;
    const where = commentId === undefined ? "" : ` (${(0,publish_markdown/* link */.nf)("comment", `${pullRequestUrl}#issuecomment-${commentId}`)})`;
    const may = permission === undefined ? "" : `, who has ${(0,publish_markdown/* escapeShown */.DW)(permission)} access,`;
    return `${nameOf(actorId)}${may}${when}${where}`;
}
function describeAnswer(request, response) {
    const { selectedOptionId, inputValue } = response;
    const option = request.options?.find(({ id }) => id === selectedOptionId);
    if (request.kind === "Select" && option) {
        return renderOption({ id: option.id, label: (0,publish_markdown/* cut */.Jj)(option.label, SAID) });
    }
    return inputValue === undefined ? "" : (0,publish_markdown/* fenceShown */.hj)((0,publish_markdown/* cut */.Jj)(inputValue, SAID));
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/wake-run.js
// What a wake has in hand: the surroundings of the run, the repository, and the work that it is about.
/** `<run id>.<attempt>` */
function runIdOf({ facts }) {
    return `${facts.runId}.${facts.attempt}`;
}
/** Who holds a claim: `<run id>.<attempt>.<claimant>`; two jobs of one run are two. */
function claimIdOf(run) {
    return `${runIdOf(run)}.${run.claimant}`;
}
/** The page of the run on GitHub. */
function runUrlOf({ facts }) {
    return `${facts.serverUrl}/${facts.repository}/actions/runs/${facts.runId}`;
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/project-requests.js
// One comment a question: posted once, and edited when the question has ended.








const project_requests_CHANGED = "Somebody changed this comment, so it is asked again in another one.";
const UPLOAD_MS = 60_000;
/** Posts the question's comment; what a comment can't hold is uploaded first. */
async function askPeople(run, work, pullRequest, { request, sessionId, auditHead }) {
    const { approvers, minApprovals, selfApproval } = run.found.settings;
    const { source, tasks } = run.told.items.find((item) => item.sessionId === sessionId) ?? {};
    const task = tasks?.find(({ id }) => id === request.taskId);
    const attachment = attachmentOf(request);
    const attachmentUrl = attachment && (await upload(run, attachment));
    const around = {
        workId: work.workId,
        approvers,
        minApprovals,
        selfApproval,
        run: {
            number: run.facts.runNumber,
            url: runUrlOf(run),
            ...(run.facts.actorId === undefined ? {} : { actor: run.facts.actorId }),
        },
        auditHead,
        ...(source === undefined ? {} : { source }),
        ...(task ? { task } : {}),
        ...(attachmentUrl === undefined ? {} : { attachmentUrl }),
    };
    const { body, isComplete } = renderRequest(request, around);
    const { interactionId } = request;
    const changed = work.state.changedComments.get(interactionId);
    if (changed !== undefined) {
        const closing = { how: "superseded", reason: project_requests_CHANGED };
        const place = { workId: work.workId, pullRequestUrl: pullRequest.url };
        await run.discussion.editComment(changed, renderClosed(request, place, closing));
    }
    const posted = await run.discussion.postComment(pullRequest.number, body);
    const { id: commentId, createdAt, author } = posted;
    await work.note({
        type: "CommentPosted",
        payload: {
            role: "request",
            interactionId,
            commentId,
            createdAt,
            authorId: author?.id ?? 0,
            ...(isComplete ? {} : { isCut: true }),
        },
    });
}
/** The artifact's address, or undefined where it could not be uploaded: then the comment says so. */
async function upload(run, { name, text }) {
    const folder = (0,external_node_path_.join)(run.temporary, "attachments", name);
    await (0,promises_.mkdir)(folder, { recursive: true });
    await (0,promises_.writeFile)((0,external_node_path_.join)(folder, name), text);
    const { workId } = run.work;
    const artifact = `${artifactName({ workId, ...run.facts })}-${name.replace(/\.txt$/, "")}`;
    const retentionDays = run.found.settings.retentionDays;
    try {
        const id = await run.wiring.uploadFolder({ name: artifact, folder, retentionDays, timeoutMs: UPLOAD_MS });
        return id === undefined ? undefined : `${runUrlOf(run)}/artifacts/${id}`;
    }
    catch (thrown) {
        const { message = "" } = (0,action_outcome/* outcomeOf */.sG)(thrown);
        run.observe({ type: "notice", level: "warning", message });
        return undefined;
    }
}
/** Edits the comment of a question that ended; one that somebody deleted is left so. */
async function settleRequest(run, work, pullRequest, question) {
    const { interactionId } = question.request;
    const comment = work.state.requestComments.get(interactionId);
    if (!comment)
        return;
    const body = renderEnd(work, pullRequest.url, question);
    await run.discussion.editComment(comment.commentId, body);
    const inVain = question.inVain && owed_wordOf(question.inVain);
    await work.note({
        type: "RequestSettled",
        payload: { interactionId, ...(inVain === undefined ? {} : { inVain }) },
    });
}
function renderEnd(work, pullRequestUrl, question) {
    const { request, response, closed, approvals, inVain } = question;
    const around = { workId: work.workId, pullRequestUrl };
    if (response) {
        const earlier = approvals.filter(({ actorId }) => actorId !== response.authorActorId);
        const again = inVain?.again && work.state.requestComments.get(inVain.again)?.commentId;
        const more = inVain && { ...inVain, ...(again ? { commentId: again } : {}) };
        return renderAnswered(request, around, response, { earlier, ...(more ? { inVain: more } : {}) });
    }
    switch (closed?.why) {
        case "expired":
            return renderClosed(request, around, { how: "expired", at: closed.at ?? request.expiresAt ?? "" });
        case "canceled":
            return renderClosed(request, around, { how: "canceled", reason: "Its task was canceled." });
        default:
            return renderClosed(request, around, { how: "superseded", reason: "Its task has ended." });
    }
}

// EXTERNAL MODULE: ./build/publish/items-table.js
var items_table = __webpack_require__(67749);
// EXTERNAL MODULE: ./build/publish/questions-list.js
var questions_list = __webpack_require__(2218);
// EXTERNAL MODULE: ./build/publish/tasks-table.js
var tasks_table = __webpack_require__(25955);
// EXTERNAL MODULE: ./build/publish/warnings.js
var warnings = __webpack_require__(9059);
;// CONCATENATED MODULE: ./build/publish/status-comment.js
// The one comment of a work that is edited in place: where it stands, as of which run. Pure.









/** A comment under 60,000 characters, whatever the items hold. */
function renderStatus(status) {
    const { report, runningSince } = status;
    const questions = report.questions ?? [];
    const message = runningSince === undefined ? (0,publish_report/* messageOf */.bD)(report) : report.message;
    const before = [
        (0,markers/* writeMarker */.e)({ role: "status", workId: status.workId }),
        `## looplia: ${headlineOf(status)}`,
        report.isRehearsal ? `This is an ${publish_report/* REHEARSAL */.Ce}: every text is taken from the source.` : "",
        message ? (0,publish_markdown/* fence */.EU)(message, 2_000) : "",
        (0,questions_list/* renderQuestions */.W)(questions).join("\n").trim(),
        report.items.length > 0 ? (0,items_table/* renderTotals */._R)(report) : "",
    ];
    const after = [(0,warnings/* renderWarnings */.c)(report), asOf(status)];
    const room = COMMENT_LIMIT - (0,items_table/* bytesOf */.$$)(join([...before, ...after])) - 500;
    const tasks = (0,publish_report/* tasksOf */.a4)(report.items);
    const table = tasks ? (0,tasks_table/* renderTasks */.F)(tasks, room) : (0,items_table/* renderTable */.bo)(report.items, room);
    return join([...before, table.trim(), ...after]);
}
/** `waiting for 2 answers`, `running since …`, `completed`, `failed (model-failed)`. */
function headlineOf({ report, runningSince }) {
    const open = report.questions?.length ?? 0;
    if (runningSince !== undefined) {
        return `running since ${(0,figures/* formatMoment */.K9)(runningSince)}${open > 0 ? `; ${(0,questions_list/* countQuestions */.j)(open)}` : ""}`;
    }
    return open > 0 && report.status === "waiting"
        ? `waiting for ${open === 1 ? "1 answer" : `${open} answers`}`
        : `${(0,items_table/* stateOf */.L4)(report.status, report.reasonCode)}${open > 0 ? `; ${(0,questions_list/* countQuestions */.j)(open)}` : ""}`;
}
/** A run that was killed says nothing more: so the comment always says whose word it is. */
function asOf({ run, at, runningSince, report }) {
    const words = `As of ${(0,publish_markdown/* link */.nf)(`run ${(0,publish_markdown/* escapeInline */.VV)(run.number)}`, run.url)}, ${(0,figures/* formatMoment */.K9)(at)}.`;
    const stale = runningSince === undefined ? "" : " If that run is over, comment `/status` to bring this up to date.";
    const what = report.pipeline === "tasks" ? "task" : "output";
    return `${words}${stale} Commands: \`/status\`, \`/cancel\`, \`/retry <${what}>\`, \`/looplia <text>\`.`;
}

;// CONCATENATED MODULE: ./build/publish/check-run.js



/** A check run without what only the caller knows: the commit, and the check that is continued. */
function renderCheck(status) {
    const [question] = status.report.questions ?? [];
    return {
        name: `looplia (${status.workId})`,
        conclusion: conclusionOf(status),
        title: (0,publish_markdown/* cut */.Jj)((0,plain_text/* toPlainLine */.Ic)(headlineOf(status)), 200),
        summary: renderStatus(status),
        detailsUrl: question?.commentUrl ?? status.run.url,
    };
}
function conclusionOf({ report, runningSince }) {
    if (runningSince !== undefined || (report.questions?.length ?? 0) > 0)
        return "neutral";
    switch (report.status) {
        case "completed":
            return "success";
        case "failed":
            return "failure";
        case "ignored":
            return report.reasonCode === "closed" ? "cancelled" : "neutral";
        default:
            return "neutral";
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/project-status.js



/** Posts or edits the status comment, as often as a run may; one that somebody deleted is posted anew. */
async function projectStatus(run, work, pullRequest, telling) {
    if (!run.statusEdits.take({ isRunning: telling.runningSince !== undefined }))
        return;
    const status = workReport(run, work, telling);
    const body = renderStatus(status);
    const known = work.state.statusComment;
    const edited = known === undefined ? undefined : await run.discussion.editComment(known, body);
    if (!edited) {
        const { id: commentId, createdAt, author } = await run.discussion.postComment(pullRequest.number, body);
        const authorId = author?.id ?? 0;
        await work.note({ type: "CommentPosted", payload: { role: "status", commentId, createdAt, authorId } });
    }
    if (telling.runningSince === undefined)
        await projectCheck(run, work, status);
}
/** A check belongs to a commit: on another one it is another check. */
async function projectCheck(run, work, status) {
    const headSha = work.stateRef.branchTip;
    if (headSha === undefined)
        return;
    const known = work.state.check;
    const id = known?.headSha === headSha ? { id: known.checkId } : {};
    const checkId = await run.discussion.saveCheck({ ...renderCheck(status), headSha, ...id });
    if (checkId === undefined || (known?.checkId === checkId && known.headSha === headSha))
        return;
    await work.note({ type: "CheckSaved", payload: { checkId, headSha } });
}
function workReport(run, work, telling) {
    return {
        workId: work.workId,
        report: telling.report,
        run: { number: run.facts.runNumber, url: runUrlOf(run) },
        at: run.clock.now().toISOString(),
        ...(telling.runningSince === undefined ? {} : { runningSince: telling.runningSince }),
    };
}

// EXTERNAL MODULE: ./build/publish/kit-view.js
var kit_view = __webpack_require__(65388);
;// CONCATENATED MODULE: ./build/publish/pull-request.js
// Title and text of the one pull request. What a person writes around our part, and a title of theirs, stay. Pure.







/** Below what the API takes (65,536), so that a person can add to it. */
const LIMIT = 60_000;
/** Ours is never shorter; where the API's limit leaves less, the text stays as it is. */
const LEAST = 1_000;
const pull_request_MOST = 65_000;
const END = "<!-- looplia:end -->";
/** A fresh title and text, or those of an existing pull request brought up to date. */
function writePullRequest(workId, report, existing) {
    const title = titleOf(report);
    const ours = findOurs(existing?.body ?? "", workId);
    const theirs = existing && existing.body.trim() !== "" ? `${existing.body.trim()}\n\n` : "";
    const { before, after } = ours ?? { before: theirs, after: "" };
    const taken = before.length + after.length;
    if (existing && taken + LEAST > pull_request_MOST)
        return existing;
    const body = before + writeOurs(workId, report, title, Math.max(LEAST, LIMIT - taken)) + after;
    const isTheirs = existing && digest(existing.title) !== ours?.titleDigest;
    return { title: isTheirs ? existing.title : title, body };
}
function titleOf(report) {
    if (report.pipeline === "tasks")
        return tasksTitle(report);
    const [only, ...others] = report.items;
    const what = only && others.length === 0 ? only.title || only.source : `${report.items.length} items`;
    const suffix = report.isRehearsal ? ` (${publish_report/* REHEARSAL */.Ce})` : "";
    return (0,publish_markdown/* plainTitle */.D4)(`content(${report.pipeline}): ${what}`, 200 - suffix.length) + suffix;
}
function tasksTitle({ items: [list] }) {
    const name = list?.title ?? "";
    const what = name === "" || name === list?.source ? `work through ${list?.source ?? "the task list"}` : name;
    return (0,publish_markdown/* plainTitle */.D4)(`chore: ${what}`, 200);
}
function introOf({ pipeline, items, isRehearsal }) {
    const tasks = (0,publish_report/* tasksOf */.a4)(items);
    if (tasks)
        return `${(0,publish_report/* countTasks */.g6)(tasks)}: ${(0,publish_markdown/* codeSpan */.SS)(items[0]?.source ?? "")}, one commit a task.`;
    if (pipeline === "tasks")
        return "The tasks of a list, one commit a task.";
    return isRehearsal
        ? `An ${publish_report/* REHEARSAL */.Ce}: every text below is taken from its source.`
        : `Artifacts of the pipeline ${(0,publish_markdown/* escapeInline */.VV)(pipeline)}, each checked against its schema.`;
}
function writeOurs(workId, report, title, room) {
    const begin = `<!-- looplia:work ${workId} ${digest(title)} -->`;
    const intro = introOf(report);
    const questions = (0,questions_list/* renderQuestions */.W)(report.questions ?? [])
        .join("\n")
        .trim();
    const head = questions === "" ? [begin, intro] : [begin, intro, questions];
    const parts = [];
    let left = room - head.join("\n\n").length - END.length - 200;
    const tasks = (0,publish_report/* tasksOf */.a4)(report.items);
    if (tasks)
        return [...head, (0,tasks_table/* renderTasks */.F)(tasks, left).trim(), END].join("\n\n");
    for (const item of report.items) {
        const part = writeItem(item, report);
        left -= part.length + 2;
        if (left < 0) {
            parts.push(`… and ${report.items.length - parts.length} more: see the summary of the run.`);
            break;
        }
        parts.push(part);
    }
    return [...head, ...parts, END].join("\n\n");
}
function writeItem(item, { isRehearsal }) {
    const steps = item.steps
        .map((step) => `${(0,publish_markdown/* escapeInline */.VV)(step.output)} ${step.status.replace("_", " ")}`)
        .join(", ");
    const lines = [
        `### ${(0,publish_markdown/* escapeInline */.VV)(item.title || item.source)}`,
        "",
        `${(0,publish_markdown/* escapeInline */.VV)(item.source)}: ${(0,items_table/* stateOf */.L4)(item.status, item.reasonCode)}${steps ? `; ${steps}` : ""}`,
        ...(item.message && item.status !== "completed" ? ["", (0,publish_markdown/* escapeInline */.VV)(item.message)] : []),
        ...(item.notice && !isRehearsal ? ["", (0,publish_markdown/* escapeInline */.VV)(item.notice)] : []),
        ...(item.folder ? ["", `Folder: ${(0,publish_markdown/* escapeInline */.VV)(item.folder)}`] : []),
        "",
        ...(0,kit_view/* viewArtifacts */.f)(item.artifacts),
    ];
    return lines.join("\n").trimEnd();
}
/** True where a pull request's text has the part that a work wrote there. */
function isOurDescription(body, workId) {
    return findOurs(body, workId) !== undefined;
}
function findOurs(body, workId) {
    const begin = new RegExp(`<!-- looplia:work ${workId} ([0-9a-f]{12}) -->`).exec(body);
    const end = begin ? body.indexOf(END, begin.index) : -1;
    if (!begin || end < 0)
        return undefined;
    return { before: body.slice(0, begin.index), after: body.slice(end + END.length), titleDigest: begin[1] };
}
function digest(title) {
    return (0,hash/* sha256Of */.B)(title).slice(0, 12);
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/pull-request.js
// The one pull request of a work: opened when there is something to see or to decide, its text kept up to date.


/** Opens it where there is none. `isDraft`: nothing has changed yet, there is only a question. */
async function openPullRequest(run, work, report, isDraft) {
    if (run.work.pullRequest)
        return;
    const { branch, workId } = run.work;
    const text = writePullRequest(workId, report);
    const opened = await run.host.openPullRequest({ branch, base: run.found.base, ...text, isDraft });
    if (!opened)
        return;
    run.work.pullRequest = opened;
    run.told.pullRequest = opened;
    await work.note({ type: "PullRequestOpened", payload: { number: opened.number, url: opened.url } });
}
/** Brings title and text up to date; what people wrote around them stays. Fails with `closed` where it was closed. */
async function writeDescription(run, report) {
    const existing = run.work.pullRequest;
    // What was closed before keeps its text: the status comment tells.
    if (!existing || existing.state === "closed")
        return;
    const text = writePullRequest(run.work.workId, report, existing);
    if (text.title === existing.title && text.body === existing.body)
        return;
    const fresh = await run.host.updatePullRequest(existing.number, text);
    run.work.pullRequest = fresh;
    run.told.pullRequest = fresh;
    if (fresh.state !== "closed")
        return;
    throw new errors/* LoopliaError */.$K("closed", `pull request ${fresh.number} was closed while the run was at work`, {
        hint: `the results are on ${run.work.branch}; the next run begins a new work from ${run.found.base}`,
    });
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/project.js





/** Fails with `host-failed`; what was done until then is noted. Nothing happens where there is no pull request. */
function project(run, work, telling) {
    return work.inTurn(() => show(run, work, telling));
}
/** What GitHub refuses of the rest, in a locked conversation for example, never leaves the status comment behind. */
async function show(run, work, telling) {
    const { pullRequest } = run.work;
    if (!pullRequest)
        return;
    const reportNow = async () => {
        return { ...telling.report, pullRequest, questions: await listQuestions(run, work) };
    };
    const parts = [
        () => showOwed(run, work, telling, pullRequest),
        async () => writeDescription(run, await reportNow()),
        async () => projectStatus(run, work, pullRequest, { ...telling, report: await reportNow() }),
    ];
    const failures = [];
    for (const part of parts)
        await part().catch((thrown) => failures.push(thrown));
    if (failures.length > 0)
        throw failures[0];
}
async function showOwed(run, work, telling, pullRequest) {
    const owed = findOwed(work.state, await work.questions());
    for (const question of owed.ask)
        await askPeople(run, work, pullRequest, question);
    for (const question of owed.settle)
        await settleRequest(run, work, pullRequest, question);
    const isOver = telling.runningSince === undefined;
    for (const handled of owed.answer)
        await acknowledge(run, work, pullRequest, handled, isOver);
}
/** What waits for people, with links to the comments. */
async function listQuestions(run, work) {
    const url = run.work.pullRequest?.url;
    return (await work.openQuestions()).map((request) => {
        const { interactionId, shortId, sessionId, display, expiresAt } = request;
        const comment = work.state.requestComments.get(interactionId);
        return {
            interactionId,
            shortId,
            sessionId,
            title: display.title,
            ...(comment && url !== undefined ? { commentUrl: `${url}#issuecomment-${comment.commentId}` } : {}),
            ...(expiresAt === undefined ? {} : { expiresAt }),
        };
    });
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/own-comments.js


/** The account that the job's own token comments as. */
const ACTIONS_BOT = { id: 41_898_282, login: "github-actions[bot]" };
/** Whether we are the author: by the id that an earlier comment of ours told, else by the job's own account. */
function isOurs(author, known) {
    if (author === null)
        return false;
    if (known.authorId !== undefined)
        return author.id === known.authorId;
    return author.isBot && author.login === ACTIONS_BOT.login && author.id === ACTIONS_BOT.id;
}
/**
 * Whether we wrote it. With a person's token we share their account: then ours are what we posted and what bears our
 * marker, which all that we say begins with (`own-voice.ts`). What else that account writes is the person's.
 */
function isOurComment({ id, author, body }, state) {
    if (author === null || !isOurs(author, state))
        return false;
    return author.isBot || (0,markers/* readMarker */.t)(body) !== undefined || isPosted(id, state);
}
function isPosted(id, state) {
    const { statusComment, requestComments, changedComments, refusals } = state;
    const requests = [...requestComments.values()].map(({ commentId }) => commentId);
    return [statusComment, ...requests, ...changedComments.values(), ...refusals.values()].includes(id);
}
/** Events for comments of ours that the state does not know: their acknowledgement was lost. */
function adoptComments(workId, state, comments, requests) {
    const adopted = [];
    const seen = new Set();
    for (const comment of comments) {
        const marker = (0,markers/* readMarker */.t)(comment.body);
        if (!marker || marker.workId !== workId || !comment.author || !isOurs(comment.author, state))
            continue;
        const about = describe(marker, state);
        const key = JSON.stringify(about?.event);
        if (about.isKnown || seen.has(key))
            continue;
        // Whoever has write access can edit our comments: an open question's is never edited by us.
        if (about.event.role === "request" && comment.updatedAt !== comment.createdAt)
            continue;
        seen.add(key);
        const { id: commentId, createdAt, body } = comment;
        const request = requests.find(({ interactionId }) => interactionId === about.event.interactionId);
        const isCut = request !== undefined && !isShownWhole(request, body);
        adopted.push({
            type: "CommentPosted",
            payload: {
                ...about.event,
                commentId,
                authorId: comment.author.id,
                createdAt,
                ...(isCut ? { isCut } : {}),
            },
        });
    }
    return adopted;
}
/** A list may lack what was posted a moment ago. */
const SURELY_LISTED_MS = 60_000;
/** Events for open requests whose comment is gone from `comments`, or does not say any more what we wrote. */
function findLostRequests(state, comments, open, now) {
    const listed = new Map(comments.map((comment) => [comment.id, comment]));
    return open.flatMap(({ interactionId }) => {
        const posted = state.requestComments.get(interactionId);
        if (!posted)
            return [];
        const found = listed.get(posted.commentId);
        const isChanged = found !== undefined && found.updatedAt !== found.createdAt;
        const isGone = !found && now.getTime() - Date.parse(posted.createdAt) > SURELY_LISTED_MS;
        if (!isChanged && !isGone)
            return [];
        const changed = isChanged ? { changedComment: posted.commentId } : {};
        return [{ type: "RequestLost", payload: { interactionId, ...changed } }];
    });
}
function describe(marker, state) {
    switch (marker.role) {
        case "status":
            return { event: { role: "status" }, isKnown: state.statusComment !== undefined };
        case "request": {
            const { interactionId } = marker;
            return {
                event: { role: "request", interactionId },
                isKnown: state.requestComments.has(interactionId),
            };
        }
        case "reply": {
            const { commentId: answers } = marker;
            return { event: { role: "refusal", answers }, isKnown: state.refusals.has(answers) };
        }
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/unread.js

/** A list may lack a comment for a moment and have newer ones: so far before the cursor it is read again. */
const OVERLAP_MS = 10 * 60_000;
/**
 * Comments that are not handled: created ten minutes before the cursor or later, ours left out. One request to GitHub.
 * With `now`, questions whose comment somebody deleted or changed count as not asked.
 */
async function unreadComments(work, discussion, pullRequest, now) {
    const { state, workId } = work;
    const requests = (await work.questions()).map(({ request }) => request);
    const open = await work.openQuestions();
    // A comment of ours whose acknowledgement was lost may be older than the cursor.
    const posted = open.map(({ interactionId }) => state.requestComments.get(interactionId)?.createdAt);
    const isWhole = posted.includes(undefined) || state.statusComment === undefined || !state.cursor;
    // From the oldest open question on: whether its comment still stands is seen by the way.
    const since = isWhole ? undefined : [...posted, readFrom(state)].flatMap((at) => at ?? []).sort()[0];
    const comments = await discussion.comments(pullRequest, since);
    await work.note(...adoptComments(workId, state, comments, requests));
    if (now)
        await work.note(...findLostRequests(state, comments, open, now));
    return comments.filter((comment) => isUnread(comment, state));
}
function isUnread(comment, state) {
    const { id, createdAt } = comment;
    if (state.handled.has(id) || isOurComment(comment, state))
        return false;
    const from = readFrom(state);
    return from === undefined || Date.parse(createdAt) >= Date.parse(from);
}
function readFrom({ cursor }) {
    return cursor === undefined ? undefined : new Date(Date.parse(cursor) - OVERLAP_MS).toISOString();
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/close-work.js
// A work whose pull request was merged or closed, or whose branch is gone: nothing of it goes on.







/** How a checkpoint is called after which nothing is left to do for a work. */
const ENDED = "chore: keep a work that is over";
/** Cancels what is open and says so; undefined where the work goes on. */
async function closeWork(run, work) {
    const reason = whyOver(run, work);
    const outcome = findOver(run, work);
    if (reason === undefined || !outcome)
        return undefined;
    await refuseCommands(run, work, reason);
    const sessions = await work.sessions();
    const isUnfinished = sessions.some((session) => !session.state.canceled && (0,session_state/* isUnderWay */.gn)(session.state));
    const owed = run.work.pullRequest && findOwed(work.state, await work.questions());
    const isTold = work.state.closed?.isShown && !isUnfinished && !(owed && isOwed(owed));
    if (work.stateRef.last === undefined || isTold)
        return outcome;
    const at = run.clock.now().toISOString();
    if (isUnfinished)
        await cancelSessions(work, undefined, { reason, at });
    if (!work.state.closed)
        await work.note({ type: "WorkClosed", payload: { reason } });
    await work.checkpoint("chore: close the work", { stateOnly: true });
    await project(run, work, { report: { ...run.told, ...outcome } });
    await work.note({ type: "WorkClosed", payload: { reason, isShown: true } });
    await work.checkpoint(ENDED, { stateOnly: true });
    return outcome;
}
/** Whoever speaks to it, and may, is told; a schedule looks at no comments of what is over. */
async function refuseCommands(run, work, over) {
    const { pullRequest } = run.work;
    if (!pullRequest || run.event.name !== "issue_comment" || work.stateRef.last === undefined)
        return;
    const unread = await unreadComments(work, run.discussion, pullRequest.number);
    await handleComments(work, unread, { ...judgingOf(run, work), over });
}
/** The same, and nothing is changed. */
function findOver(run, work) {
    const reason = whyOver(run, work);
    if (reason === undefined)
        return undefined;
    return { status: "ignored", reasonCode: "closed", message: `${reason}: nothing of it goes on` };
}
function whyOver(run, work) {
    const { pullRequest, branch } = run.work;
    if (pullRequest?.state === "closed")
        return `pull request ${pullRequest.number} was merged or closed`;
    if (work.state.closed)
        return work.state.closed.reason;
    const isGone = work.stateRef.last !== undefined && work.stateRef.branchTip === undefined;
    return isGone ? `the branch ${branch} was deleted` : undefined;
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/status-edits.js
/** The eighth is for `post`. */
const status_edits_MOST = 7;
/** The others are for the ends of rounds. */
const WHILE_RUNNING = 4;
/** Each wait is longer than the one before: a run may last for hours. */
const FIRST_WAIT_MS = 20_000;
const LONGER = 3;
/** The edits of one run at one work, over all of its rounds. */
class StatusEdits {
    #clock;
    #used = 0;
    #next = Number.NEGATIVE_INFINITY;
    constructor(clock) {
        this.#clock = clock;
    }
    /** False: another round could not show how it ended. */
    get isLeft() {
        return this.#used < status_edits_MOST;
    }
    /** True where the comment may be edited now; that is counted. How a round ended may always be shown. */
    take({ isRunning }) {
        const now = this.#clock.elapsed();
        if (isRunning && (this.#used >= WHILE_RUNNING || now < this.#next))
            return false;
        this.#next = now + FIRST_WAIT_MS * LONGER ** this.#used;
        this.#used += 1;
        return true;
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/upload.js
// The audit log and the stores as an artifact of the run.




const upload_UPLOAD_MS = 60_000;
/** What `post` uploads should this process not get there; undefined where nothing is to be uploaded. */
function uploadOf(run, folder) {
    const { settings } = run.found;
    if (!settings.uploadAudit)
        return undefined;
    const { workId } = run.work;
    return { name: artifactName({ workId, ...run.facts }), folder, retentionDays: settings.retentionDays };
}
/** Uploads once a run, with a report of what the run had to do with; each failure is a warning. */
async function uploadState(run, folder, sessionIds) {
    const upload = uploadOf(run, folder);
    if (!upload || run.told.artifactUrl !== undefined)
        return;
    await orWarn(run, () => {
        const place = { folder: (0,external_node_path_.join)(folder, run.work.workId), stateKey: run.found.settings.stateKey };
        return run.wiring.writeReports(place, sessionIds);
    });
    await orWarn(run, async () => {
        const id = await run.wiring.uploadFolder({ ...upload, timeoutMs: upload_UPLOAD_MS });
        run.remember({ works: run.unshown });
        if (id !== undefined)
            run.told.artifactUrl = `${runUrlOf(run)}/artifacts/${id}`;
    });
}
async function orWarn(run, work) {
    try {
        await work();
    }
    catch (thrown) {
        const { message = "" } = (0,action_outcome/* outcomeOf */.sG)(thrown);
        run.observe({ type: "notice", level: "warning", message });
    }
}

// EXTERNAL MODULE: ./build/session/session-view.js
var session_view = __webpack_require__(88929);
;// CONCATENATED MODULE: ./build/trigger/claim.js
/** Where nobody can tell whether a run is at work, it is believed to be for so long after its last checkpoint. */
const SILENCE_MS = 15 * 60_000;
/**
 * `run` is what this job's own claims say (`<run id>.<attempt>.<claimant>`), `isLive` whether the claim's attempt is at
 * work, undefined where that can't be read. An earlier attempt of this run is another: its process is gone once this one
 * runs, and GitHub says so. Another job of this attempt is another as well, and as live as the run itself.
 */
function claimOf(work, about) {
    const holder = work.claim?.run;
    if (holder === undefined)
        return { kind: "free" };
    if (holder === about.run)
        return { kind: "ours", run: holder };
    const isHeld = about.isLive ?? isRecent(about.last, about.now);
    return { kind: isHeld ? "live" : "dead", run: holder };
}
/** The clocks of two runners differ: a checkpoint of the future is recent. */
function isRecent(last, now) {
    return last !== undefined && now.getTime() - Date.parse(last.at) < SILENCE_MS;
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/claim.js

/** `alongside` is stored with the claim; `whenTaken` follows it. A claim that this run made before is taken already. */
function createClaim(run, work, options) {
    const id = claimIdOf(run);
    let taking = work.state.claim?.run === id ? Promise.resolve() : undefined;
    let showing = Promise.resolve();
    const claim = async () => {
        const { startedBy: actorId, rerunBy } = run;
        const payload = { run: id, actorId, ...(rerunBy === undefined ? {} : { rerunBy }) };
        await work.note({ type: "WorkClaimed", payload }, ...options.alongside);
        await work.checkpoint("chore: take the work");
        // Nothing waits for what is only shown; the end of the run shows it again.
        showing = options.whenTaken().catch(() => undefined);
    };
    return {
        get isTaken() {
            return taking !== undefined;
        },
        take() {
            taking ??= claim();
            return taking;
        },
        whenShown: () => showing,
        async release({ isUrgent = false, isBehind }) {
            await work.note({ type: "WorkReleased", payload: { run: id, ...(isBehind ? { isBehind } : {}) } });
            await work.checkpoint("chore: give the work back", { isUrgent });
        },
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/expire.js
/** Closes what is due; the task that asked fails as soon as its session goes on. How many there were. */
async function expireQuestions(work, now) {
    const due = (await work.openQuestions()).filter(({ expiresAt }) => expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime());
    for (const { interactionId, taskId, sessionId } of due) {
        const payload = { interactionId, taskId, at: now.toISOString() };
        await work.change(sessionId, [{ store: "events", type: "InteractionExpired", payload }]);
    }
    return due.length;
}

// EXTERNAL MODULE: ./build/content/item-result.js
var item_result = __webpack_require__(61161);
;// CONCATENATED MODULE: ./build/entrypoints/wake/tell-conflicts.js
// A run that is done is not over while a person must say what becomes of what was pushed over its files.



/** How a run ended, where some of its sessions wait for such an answer now. */
async function tellConflicts(work, ran) {
    const waiting = (await work.sessions()).filter(({ state }) => (0,conflict/* waitsForConflict */.qZ)(state));
    if (waiting.length === 0)
        return ran;
    const tell = (item) => {
        const session = waiting.find(({ sessionId }) => sessionId === item.sessionId);
        if (!session || item.status === "failed")
            return item;
        const interactions = (0,session_state/* openInteractions */.st)(session.state);
        return { ...item, status: "waiting", reasonCode: "open-questions", interactions };
    };
    const [all, reported] = [ran.all.map(tell), ran.reported.map(tell)];
    const outcome = ran.outcome.status === "completed" ? (0,item_result/* summarizeItems */.E)(reported) : ran.outcome;
    return { ...ran, all, reported, outcome };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/finish.js
// The end of a round: everything is saved, the pull request shows it, the work is given back, the inbox is looked at once
// more. The projection comes before the release, so that only one run at a time writes comments.












/** Stores, shows and gives back; what fails of it is told as the outcome. Looks at the inbox once more. */
async function finish(run, opened, claim, ended) {
    const { work, fence } = opened;
    run.told.isRehearsal = (0,publish_report/* areRehearsals */.jH)(ended.all);
    const failure = await failureOf(() => end(run, opened, claim, ended));
    const ran = await tellConflicts(work, ended);
    run.told.items = ran.all;
    if (work.stateRef.branchTip !== undefined && !fence.aborted)
        run.told.branch = run.work.branch;
    run.told.questions = await listQuestions(run, work);
    // Nobody else was let in meanwhile: what came is this run's to read, though it could not show its own end.
    const looksAgain = claim.isTaken && !run.signal.aborted && !fence.aborted;
    const look = looksAgain ? await lookAgain(run, work) : { hasNews: false };
    const failures = [failure, look.failure].flatMap((one) => one ?? []);
    const outcome = failures.reduce(action_outcome/* graver */.Gi, ran.outcome);
    for (const told of failures.filter((one) => one !== outcome)) {
        run.observe({ type: "notice", level: "warning", message: `${told.reasonCode}: ${told.message}` });
    }
    const { hasNews } = look;
    return { outcome, reported: ran.reported, hasRun: ran.hasRun, hasEnded: !failure, hasNews };
}
async function end(run, opened, claim, ended) {
    const { work } = opened;
    // What became of the work is told by who has it now; this run's own end is that it lost it.
    const lost = opened.lost();
    if (lost)
        throw lost;
    if (run.found.settings.dryRun)
        return;
    if (run.signal.aborted) {
        if (claim.isTaken)
            await claim.release({ isUrgent: true, isBehind: true });
        return;
    }
    // What is shown must be durable: an answer may come at once.
    if (claim.isTaken)
        await work.checkpoint("chore: save a pause");
    await askConflicts(run, work, claim);
    const ran = await tellConflicts(work, ended);
    run.told.items = ran.all;
    const hasResult = await isResultThere(run, work, ran);
    const owed = findOwed(work.state, await work.questions());
    const opensPullRequest = !run.work.pullRequest && (hasResult || owed.ask.length > 0);
    if (!claim.isTaken && !isOwed(owed) && !opensPullRequest)
        return;
    await claim.take();
    await Promise.all([claim.whenShown(), uploadState(run, opened.stateFolder, sessionsOf(ran))]);
    let isBehind = true;
    try {
        const report = { ...run.told, ...ran.outcome };
        if (opensPullRequest)
            await openPullRequest(run, work, report, !hasResult);
        await project(run, work, { report: { ...report, ...standing(ran) } });
        isBehind = false;
    }
    finally {
        await claim.release({ isBehind });
    }
}
/** Sessions that this run had to do with; an item that was refused before one began has none. */
function sessionsOf({ reported }) {
    return reported.flatMap(({ sessionId }) => (sessionId === "" ? [] : [sessionId]));
}
/** How the work as a whole stands, whatever this run did of it. */
function standing({ all, outcome }) {
    if (all.length === 0)
        return outcome;
    const { status, reasonCode } = (0,item_result/* summarizeItems */.E)(all);
    return status === outcome.status ? outcome : { status, reasonCode };
}
/** True where the branch has more than sessions of which nothing is done: something for a pull request to show. */
async function isResultThere(run, work, { all }) {
    const commit = work.stateRef.branchTip;
    if (commit === undefined)
        return false;
    const [onBase, onBranch] = await Promise.all([run.found.baseCommit, commit].map((one) => run.repository.listFiles(one, "")));
    const known = new Map(onBase?.map(({ path, oid }) => [path, oid]));
    const changed = (onBranch ?? []).filter(({ path, oid }) => known.get(path) !== oid);
    if (run.work.kind === "tasks") {
        const list = external_node_path_.posix.join(run.found.folder, run.found.settings.todo);
        return changed.some(({ path }) => path !== list) || (changed.length > 0 && (await hasEndedTask(work)));
    }
    const begun = all.filter(({ steps }) => steps.every(({ status }) => status !== "completed"));
    return changed.some(({ path }) => !begun.some(({ folder }) => folder !== "" && path.includes(`${folder}/`)));
}
/** True where the list says more than what is under way: a task is done, or its agent says what it lacks. */
async function hasEndedTask(work) {
    return (await work.sessions()).some(({ state }) => [...state.tasks.values()].some(({ status, failures }) => status === "completed" || (status === "failed" && failures.at(-1) === "blocked")));
}
/** What cannot be read now waits for the next wake: the run says so. */
function lookAgain(run, work) {
    return (0,action_outcome/* settle */.G9)(async () => ({ hasNews: await hasNews(run, work) }), (thrown) => ({ hasNews: false, failure: (0,action_outcome/* outcomeOf */.sG)(thrown) }));
}
async function hasNews(run, work) {
    const { pullRequest } = run.work;
    if (!pullRequest)
        return false;
    const unread = await unreadComments(work, run.discussion, pullRequest.number);
    return unread.length > 0 || (await listLetters(run)).some(({ id }) => !work.state.letters.has(id));
}
function failureOf(work) {
    return (0,action_outcome/* settle */.G9)(async () => {
        await work();
        return undefined;
    }, action_outcome/* outcomeOf */.sG);
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/lost-state.js
// A pull request that is open, and the state of its work is not there: somebody deleted the ref.


/**
 * Fails with `store-corrupt` where somebody wants to go on with a work whose state is gone; a run that begins with its
 * items is only warned. An outcome: there never was a work here. Undefined: all is well.
 */
function findLostState(run, { stateRef }) {
    const { pullRequest, workId } = run.work;
    if (stateRef.last !== undefined || pullRequest?.state !== "open")
        return undefined;
    if (!isOurDescription(pullRequest.body, workId)) {
        if (run.kind !== "respond")
            return undefined;
        const message = `pull request ${pullRequest.number} carries no work of looplia`;
        return { status: "ignored", reasonCode: "no-command", message };
    }
    const ref = `${run.found.settings.stateRefPrefix}${workId}`;
    const message = `the state of this work was deleted: there is no ${ref}, though pull request ${pullRequest.number} is open`;
    if (run.kind === "respond") {
        throw new errors/* LoopliaError */.$K("store-corrupt", message, {
            hint: `Who has it can put it back (git push origin <commit>:${ref}). Else run the workflow that starts the work: it begins a new state from what is on the branch, and asks again what it needs; answers to what was asked before count no more.`,
        });
    }
    const consequence = "a new one begins from what is on the branch, and what was asked before counts no more";
    run.observe({ type: "notice", level: "warning", message: `${message}; ${consequence}` });
    return undefined;
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/adopt-key.js
// A comment tells which work it is about; what the work is made of stands in its header, not in the answering job's inputs.





/**
 * The run with globs and pipeline, or the task list, and base and folder as they were when the work began; as it is where
 * that is not known.
 */
async function adoptKey(run, key) {
    const known = key === undefined ? undefined : parse(key);
    if (run.kind !== "respond" || !known)
        return run;
    const { base, workingDirectory: folder } = known;
    const { found, repository, told, work } = run;
    const own = known.kind === "tasks" ? { todo: known.todo } : { content: known.globs, pipeline: known.pipeline };
    const settings = { ...found.settings, ...own, workingDirectory: folder || "." };
    const tip = base === found.base ? {} : { base, ...(await tipOf(run, base)) };
    const place = { ...tip, folder, trusted: found.trustedAt(folder) };
    const adopted = { ...found, ...place, settings };
    told.pipeline = known.kind === "tasks" ? known.kind : known.pipeline;
    work.kind = known.kind;
    return { ...run, found: adopted, items: await findItems(repository, adopted) };
}
async function tipOf({ repository }, base) {
    const tip = await repository.tipOf(base);
    if (tip === undefined)
        return {};
    await repository.fetchCommit(tip, base);
    return { baseCommit: tip };
}
/** Whoever may write the state ref could have written anything: a name that leads elsewhere is refused. */
function parse(key) {
    if (!key.startsWith("{"))
        return undefined;
    const value = parseJson(key);
    if (!(0,json/* isObject */.Gv)(value))
        return undefined;
    const { kind, globs, pipeline, todo, base, workingDirectory } = value;
    if (typeof base !== "string" || typeof workingDirectory !== "string")
        return undefined;
    if (!isBranchName(base) || !isInside(workingDirectory))
        throw damaged();
    if (kind === "tasks" && typeof todo === "string") {
        if (todo === "" || !isInside(todo))
            throw damaged();
        return { kind, todo, base, workingDirectory };
    }
    const isList = Array.isArray(globs) && globs.every((glob) => typeof glob === "string");
    if (!isList || typeof pipeline !== "string")
        return undefined;
    return { kind: "content", globs, pipeline, base, workingDirectory };
}
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch (cause) {
        throw damaged(cause);
    }
}
function isInside(folder) {
    return folder === "" || !(external_node_path_.posix.isAbsolute(folder) || folder.split("/").includes(".."));
}
function damaged(cause) {
    return new errors/* LoopliaError */.$K("store-corrupt", "header.json of the work's state: its key is none that was written here.", {
        hint: "Somebody else wrote to the state ref. Put it back to an earlier commit of its own, or delete it.",
        cause,
    });
}

// EXTERNAL MODULE: ./build/session/fold-state.js
var fold_state = __webpack_require__(90680);
// EXTERNAL MODULE: ./build/session/in-turn.js
var in_turn = __webpack_require__(35478);
// EXTERNAL MODULE: ./build/session/redaction.js
var redaction = __webpack_require__(20134);
;// CONCATENATED MODULE: ./build/session/void-approval.js
// An approval that let nothing run: what was shown was not there any more when its call was about to run, or somebody
// canceled the task first. Pure.


/** Undefined where nothing was approved, or all of it ran or still may. */
function voidApprovalOf(state, { request, response }) {
    const { conversationId, toolCallIds, interactionId } = request;
    const answer = response?.selectedOptionId;
    if (!(0,interaction/* letsCallsRun */.Z)(request) || (answer !== "approve" && answer !== "run"))
        return undefined;
    const isOver = isCanceled(state, request);
    const reasons = toolCallIds.flatMap((id) => {
        const call = state.calls.get((0,session_state/* callKey */.C_)(conversationId, id));
        return call?.notRun ?? (isOver && !call ? [CANCELED] : []);
    });
    const [reason] = reasons;
    if (reason === undefined)
        return undefined;
    const all = [...state.interactions.values()].map((one) => one.request);
    const later = all.slice(all.findIndex((one) => one.interactionId === interactionId) + 1);
    const again = later.find((one) => one.conversationId === conversationId && one.kind === "Confirm");
    return {
        reason,
        calls: reasons.length,
        of: toolCallIds.length,
        ...(again ? { again: again.interactionId } : {}),
        ...(isOver ? { isOver } : {}),
    };
}
const CANCELED = "its task was canceled before it could run";
/** Also where the task was begun again since: that is another conversation. */
function isCanceled(state, { taskId, conversationId }) {
    const task = state.tasks.get(taskId);
    const isItsOwn = task !== undefined && `${conversationId}/`.startsWith(`${task.conversationId}/`);
    return !isItsOwn || task.status === "canceled";
}

// EXTERNAL MODULE: ./build/session/work-state.js
var work_state = __webpack_require__(99118);
;// CONCATENATED MODULE: ./build/entrypoints/wake/work-in-hand.js





/** An open work: its state, its sessions as they are stored, and how a wake adds to them and makes them durable. */
class WorkInHand {
    workId;
    state;
    stateRef;
    store;
    #readSessions;
    #sessions;
    #redact;
    constructor(parts, state) {
        this.workId = parts.store.workId;
        this.store = parts.store;
        this.stateRef = parts.stateRef;
        this.state = state;
        this.#readSessions = parts.readSessions;
        if (parts.sessions)
            this.#sessions = Promise.resolve(parts.sessions);
        this.#redact = parts.redact;
    }
    static async open(parts) {
        return new WorkInHand(parts, (0,work_state/* foldWork */.T)(await parts.store.workEvents()));
    }
    /** Every session of the work as it is stored now. */
    sessions() {
        this.#sessions ??= this.#readSessions();
        return this.#sessions;
    }
    /** Questions of all sessions, oldest first in each. */
    async questions() {
        return (await this.sessions()).flatMap(({ state, ...session }) => [...state.interactions.values()].map((interaction) => {
            const inVain = voidApprovalOf(state, interaction);
            return { ...interaction, ...session, ...(inVain ? { inVain } : {}) };
        }));
    }
    async openQuestions() {
        const open = (await this.questions()).filter(({ response, closed }) => !response && !closed);
        return open.map(({ request, sessionId }) => ({ ...request, sessionId }));
    }
    /** Stores events of the work. */
    async note(...events) {
        if (events.length === 0)
            return;
        const safe = (0,redaction/* redactValue */.FI)(events, this.#redact);
        await this.store.appendWorkEvents(safe);
        for (const event of safe)
            (0,work_state/* applyWorkEvent */.y)(this.state, event);
    }
    /** Stores events of a session that nobody has open. */
    async change(sessionId, events) {
        if (events.length === 0)
            return;
        const safe = (0,redaction/* redactValue */.FI)(events, this.#redact);
        const known = await this.#sessions;
        this.forget();
        const session = await this.store.session(sessionId);
        try {
            await session.append(safe);
        }
        finally {
            await session.close();
        }
        const changed = known?.find((one) => one.sessionId === sessionId);
        if (!known || !changed)
            return;
        for (const event of safe)
            (0,fold_state/* applyEvent */.Z8)(changed.state, event);
        this.#sessions = Promise.resolve(known);
    }
    /** One projection after the other: what one posted the next knows. */
    inTurn(show) {
        return (0,in_turn/* inTurn */.l)(this, show);
    }
    /** What was read of the sessions counts no more: a run went on with them. */
    forget() {
        this.#sessions = undefined;
    }
    /** One checkpoint of everything. Fails as `StateRef.checkpoint`. */
    async checkpoint(message, options = {}) {
        await this.stateRef.checkpoint(message, options);
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/open-work.js
// Brings a work to this machine: its state ref is fetched into an empty folder, and its stores are opened there.





/** Characters of the names of files in a line of the log. */
const NOTICE_ROOM = 1_000;
/** The work as its state ref has it now, in an empty folder. Whoever opened it closes it. */
async function openWork(run) {
    const { work, found, wiring, observe } = run;
    const { stateRefPrefix, stateKey } = found.settings;
    const stateFolder = (0,external_node_path_.join)(run.temporary, "state");
    const folder = (0,external_node_path_.join)(stateFolder, work.workId);
    const fence = new AbortController();
    let lost;
    const opened = {};
    const stateRef = await run.repository.openStateRef({
        ref: `${stateRefPrefix}${work.workId}`,
        branch: work.branch,
        base: found.baseCommit,
        folder,
        run: runIdOf(run),
        seal: async (whileSealed) => opened.store?.seal(whileSealed),
        auditHeads: () => opened.store?.auditHeads() ?? new Map(),
        whenConflict: async (files) => {
            const { shown, more } = (0,conflict/* listFiles */.CS)(files, NOTICE_ROOM);
            const paths = [...shown, ...(more ? [`and ${more.count} more`] : [])].join(", ");
            const message = `somebody changed the same files on ${work.branch}, and theirs stand: ${paths}`;
            observe({ type: "notice", level: "warning", message });
            await opened.work?.note({ type: "ConflictMet", payload: { files: [...files] } });
        },
        whenLost: (error) => {
            lost ??= error;
            fence.abort("interrupted");
        },
        notice: (message) => observe({ type: "notice", level: "warning", message }),
    });
    const adopted = await adoptKey(run, await wiring.readKey({ folder }));
    const place = { folder, workId: work.workId, kind: work.kind, key: work.key, stateKey };
    const { store, sessions } = await wiring.openWorkStore(place);
    opened.store = store;
    const readSessions = () => wiring.readSessions(place);
    const inHand = await WorkInHand.open({ stateRef, store, sessions, readSessions, redact: wiring.redact });
    opened.work = inHand;
    return {
        run: adopted,
        work: inHand,
        fence: fence.signal,
        lost: () => lost,
        stateFolder,
        close: () => store.close(),
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/progress.js
// While a run is at work its questions are asked and its status comment follows: a minute's work is not shown twice.



const SOON_MS = 20_000;
const EVERY_MS = 5 * 60_000;
/** Says that the run is at work, where there is a pull request. A failure is told, and stops nothing. */
async function showProgress(run, work) {
    const { told } = run;
    const report = { ...told, status: "stopped", reasonCode: "interrupted" };
    const runningSince = run.startedAt;
    await project(run, work, { report, runningSince });
}
/** What GitHub fails at here is shown at the end: it keeps nothing from being run. Other failures are passed on. */
async function showInPassing(run, show) {
    try {
        await show();
    }
    catch (thrown) {
        if (!(thrown instanceof errors/* LoopliaError */.$K) || thrown.code !== "host-failed")
            throw thrown;
        run.observe({ type: "notice", level: "info", message: `not shown yet: ${thrown.message}` });
    }
}
/** A checkpoint every five minutes, and soon after a question or a task what is new of it on the pull request. */
function followProgress(run, work, claim) {
    let showing = Promise.resolve();
    let timer;
    let isOver = false;
    const show = async () => {
        if (isOver)
            return;
        work.forget();
        const asks = (await work.openQuestions()).length > 0;
        if (!asks && !run.work.pullRequest)
            return;
        await work.checkpoint("chore: save work in progress");
        const report = { ...run.told, status: "waiting", reasonCode: "open-questions" };
        if (asks)
            await openPullRequest(run, work, report, true);
        await showProgress(run, work);
    };
    const every = setInterval(() => {
        if (claim.isTaken)
            work.stateRef.checkpointSoon("chore: save work in progress");
    }, EVERY_MS);
    every.unref();
    return {
        soon() {
            timer ??= setTimeout(() => {
                timer = undefined;
                // One after the other: the last is the one that is waited for. Shown again at the end, and told then.
                showing = showing.then(show).catch(() => undefined);
            }, SOON_MS);
            timer.unref();
        },
        async stop() {
            isOver = true;
            clearInterval(every);
            clearTimeout(timer);
            await showing;
        },
    };
}

// EXTERNAL MODULE: ./build/agent/cancellations.js
var agent_cancellations = __webpack_require__(68834);
;// CONCATENATED MODULE: ./build/entrypoints/action/bring-sessions.js
// Sessions that stand on the base only are brought into the worktree, so that they are gone on with.



const SESSIONS = ".looplia/contentItem";
/**
 * Copies from the base the sessions of sources that have none on the branch (same source and pipeline). Nothing is
 * committed by it; what is on the branch is left as it is. `folder`: the working directory.
 */
async function bringSessions(from) {
    const below = from.folder === "" ? SESSIONS : `${from.folder}/${SESSIONS}`;
    const [onBase, onBranch] = await Promise.all([
        from.repository.listFiles(from.base, below),
        from.repository.listFiles(from.branch, below),
    ]);
    const sessionOf = (path) => path.slice(below.length + 1).split("/")[0] ?? "";
    const standing = new Set(onBranch.map((file) => sessionOf(file.path)));
    const missing = onBase.filter((file) => !standing.has(sessionOf(file.path)));
    if (missing.length === 0)
        return;
    const taken = new Set((await readKeys(from.repository, onBranch)).map(({ key }) => key));
    const wanted = (await readKeys(from.repository, missing)).filter(({ key }) => !taken.has(key));
    const folders = new Set(wanted.map(({ path }) => sessionOf(path)));
    const files = missing.filter((file) => folders.has(sessionOf(file.path)));
    const blobs = await from.repository.readBlobs(files.map((file) => file.oid));
    for (const [index, file] of files.entries()) {
        const target = (0,external_node_path_.join)(from.root, file.path);
        await refuseLinks(from.root, (0,external_node_path_.dirname)(file.path));
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(target), { recursive: true });
        await (0,promises_.writeFile)(target, blobs[index] ?? "", { flag: "wx" });
    }
}
/** The branch may hold a link where the base has a folder: nothing is ever written through one. */
async function refuseLinks(root, folder) {
    if (folder === ".")
        return;
    await refuseLinks(root, (0,external_node_path_.dirname)(folder));
    const found = await (0,promises_.lstat)((0,external_node_path_.join)(root, folder)).catch(() => undefined);
    if (!found || found.isDirectory())
        return;
    throw new errors/* LoopliaError */.$K("config-invalid", `${folder} on the work branch is not a folder`, {
        hint: "remove it there: sessions of the base are brought to this place",
    });
}
/** What a session is for, by its manifest; those that cannot be read are for nothing. */
async function readKeys(repository, files) {
    const manifests = files.filter((file) => file.path.endsWith("/session.json"));
    const blobs = await repository.readBlobs(manifests.map((file) => file.oid));
    const { parseManifest } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(291)]).then(__webpack_require__.bind(__webpack_require__, 69291));
    return manifests.flatMap(({ path }, index) => {
        try {
            const { manifest } = parseManifest(new TextDecoder().decode(blobs[index]), path);
            return [{ path, key: JSON.stringify([manifest.source, manifest.pipeline]) }];
        }
        catch (error) {
            if (error instanceof errors/* LoopliaError */.$K)
                return [];
            throw error;
        }
    });
}

// EXTERNAL MODULE: ./build/todo/document.js + 2 modules
var todo_document = __webpack_require__(77162);
// EXTERNAL MODULE: ./build/todo/task-digest.js
var task_digest = __webpack_require__(82477);
;// CONCATENATED MODULE: ./build/entrypoints/wake/base-edits.js
// What people changed of a to-do file on the base since a work began, as far as the work's own list lacks it. Pure.

/** A phrase for each task. `before`: the base's when the work began; undefined where that can't be had any more. */
function baseEdits(lists) {
    const { theirs } = lists;
    const ours = byId(lists.ours);
    const before = lists.before && byId(lists.before);
    const edits = theirs.flatMap((task) => {
        const { id } = task;
        const [own, was] = [ours.get(id), before?.get(id)];
        if (!own)
            return was ? [] : [`${id} is new there`];
        const differs = before && was ? isEdited(was, task, own) : (0,task_digest/* taskDigest */.e)(own) !== (0,task_digest/* taskDigest */.e)(task);
        return differs ? [`${id} reads differently there`] : [];
    });
    const there = byId(theirs);
    const gone = [...(before?.keys() ?? [])].filter((id) => !there.has(id) && ours.has(id));
    return [...edits, ...gone.map((id) => `${id} is gone there`)];
}
/** True where a field is neither as it was nor as we have it. */
function isEdited(was, theirs, own) {
    const fields = new Set([...Object.keys(was), ...Object.keys(theirs)]);
    fields.delete("updated_at");
    return [...fields].some((field) => {
        const text = JSON.stringify(theirs[field]);
        return text !== JSON.stringify(was[field]) && text !== JSON.stringify(own[field]);
    });
}
function byId(tasks) {
    return new Map(tasks.map((task) => [task.id, task]));
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/base-list.js
// The to-do file of the base while a work is open: what people change there is reported, never merged by the program.





/** Remembers how the list was when the work began. */
async function rememberBaseList(run, work) {
    if (run.work.kind !== "tasks" || work.state.baseList !== undefined)
        return;
    const hash = hashOf(await listOf(run));
    await work.note({ type: "BaseListSeen", payload: { hash, commit: run.found.baseCommit } });
}
/** Warns of what people changed in the base's list since the work began, and the work's own list has not. */
async function reportBaseEdits(run, work) {
    const { baseList } = work.state;
    const { stateRef } = work;
    if (run.work.kind !== "tasks" || baseList === undefined || stateRef.branchTip === undefined)
        return;
    const base = await listOf(run);
    if (hashOf(base) === baseList.hash)
        return;
    const [before, theirs, ours] = await Promise.all([
        tasksThen(run, baseList),
        tasksOf(run, base),
        tasksOf(run, await listAt(run, stateRef.branchTip)),
    ]);
    const edits = theirs ? baseEdits({ before, theirs, ours: ours ?? [] }) : ["it can't be read there"];
    if (edits.length === 0)
        return;
    const { base: name, settings } = run.found;
    const said = `${edits.slice(0, SHOWN).join(", ")}${edits.length > SHOWN ? ", …" : ""}`;
    const message = `${settings.todo} was changed on ${name} since this work began, and nothing of it is merged: ${said}. Merge ${name} into ${run.work.branch}, or change the list there.`;
    run.observe({ type: "notice", level: "warning", message });
}
const SHOWN = 10;
async function listOf({ items, found }) {
    return items.read(external_node_path_.posix.normalize(found.settings.todo));
}
async function listAt({ repository, found }, commit) {
    const path = external_node_path_.posix.join(found.folder, found.settings.todo);
    const file = (await repository.listFiles(commit, found.folder)).find((one) => one.path === path);
    return file && (await repository.readBlobs([file.oid]))[0];
}
/** The base's when the work began; undefined where its commit can't be had any more. */
function tasksThen(run, { commit }) {
    if (commit === undefined)
        return Promise.resolve(undefined);
    return (0,action_outcome/* settle */.G9)(async () => {
        await run.repository.fetchCommit(commit, run.found.base);
        return tasksOf(run, await listAt(run, commit));
    }, () => undefined);
}
/** None where there is no list; undefined where it can't be read. */
async function tasksOf({ found }, bytes) {
    if (!bytes)
        return [];
    const reading = await (0,action_outcome/* settle */.G9)(() => (0,todo_document/* readTodo */.zn)(bytes, found.settings.todo), () => undefined);
    return reading?.kind === "valid" ? reading.document.file.tasks : undefined;
}
function hashOf(bytes) {
    return bytes ? (0,hash/* hashContent */.s)(bytes) : "";
}

// EXTERNAL MODULE: ./build/ports/repository.js
var repository = __webpack_require__(23043);
;// CONCATENATED MODULE: ./build/publish/commit-message.js
// The message of a task's commit: conventional, with trailers. What others wrote can neither mention, close nor skip
// anything, and never reaches the last paragraph, where trailers are. Pure.




/** `content(<slug>): add <outputs>`, with a trailer for the session, each step and the run. */
function writeCommitMessage(task) {
    const slug = task.sessionId.replace(/-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/, "").slice(0, 50);
    const outputs = (0,figures/* listWords */.yh)(task.outputs);
    const change = task.status === "completed" ? `add ${outputs}` : `note that ${outputs} failed`;
    const note = task.isRehearsal ? [`This is an ${publish_report/* REHEARSAL */.Ce}.`, ""] : [];
    return [
        `content(${slug}): ${change}`,
        "",
        ...note,
        `Looplia-Session: ${task.sessionId}`,
        ...task.outputs.map((output) => `Looplia-Step: ${output}`),
        `${repository/* RUN_TRAILER */.c}: ${task.run}`,
        "",
    ].join("\n");
}
/** Kinds of change (conventional commits), by the words that lists have for them. */
const KINDS = new Map(Object.entries({
    feat: ["feat", "feature", "enhancement"],
    fix: ["fix", "bug", "bugfix"],
    docs: ["docs", "doc", "documentation"],
    test: ["test", "tests", "testing"],
    refactor: ["refactor", "refactoring", "cleanup"],
    perf: ["perf", "performance"],
    build: ["build", "deps", "dependencies"],
    ci: ["ci"],
    style: ["style"],
}).flatMap(([kind, words]) => words.map((word) => [word, kind])));
const SUBJECT = 72;
const LINE = 200;
const LINES = 60;
/** `<kind>: <title>` with the summary, then a trailer for the session, the task and the run. */
function writeTodoMessage(task) {
    const { sessionId, id, said, run } = task;
    const lines = said.trim().split("\n");
    const shown = lines.slice(0, LINES).map((line) => quiet(line, LINE));
    const body = lines.length > LINES ? [...shown, "…"] : shown;
    return [
        (0,publish_markdown/* plainTitle */.D4)(quiet(subjectOf(task), SUBJECT), SUBJECT),
        "",
        ...(body.join("").trim() === "" ? [] : [body.join("\n").trim(), ""]),
        `Looplia-Session: ${sessionId}`,
        `Looplia-Task: ${quiet(id, LINE)}`,
        `${repository/* RUN_TRAILER */.c}: ${run}`,
        "",
    ].join("\n");
}
function subjectOf({ label, tags, id, title }) {
    if (label === "blocked")
        return `chore: note that ${id} is blocked`;
    if (label === "skipped")
        return `chore: leave ${id} for later`;
    if (label === "todo")
        return `chore: put ${id} back`;
    const kind = tags.flatMap((tag) => KINDS.get(tag.toLowerCase()) ?? [])[0] ?? "chore";
    return `${kind}: ${/[\p{L}\p{N}\p{P}\p{S}]/u.test(title) ? title : `do ${id}`}`;
}
/** One line that asks nothing of GitHub: `[skip ci]` and its like are workflow commands too. */
function quiet(line, limit) {
    return (0,publish_markdown/* plainTitle */.D4)(line, limit).replace(/\[(?=[^\]]*\b(?:skip|no|ci)\b)/gi, "(");
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/host.js
// People on a pull request, as the agent loop sees them: they answer later, and what must outlive the runner is pushed.


/** The host of a run of the Action. `whenAsked` is told of each question that was raised, `whenEnded` of each task. */
function createPullRequestHost(options) {
    const { work, worktree, folder, isRehearsal, run } = options;
    return {
        canAsk: true,
        answersLater: true,
        async ask() {
            options.whenAsked();
            return "later";
        },
        async whoMayNot(actorIds) {
            const gone = [];
            for (const actorId of actorIds)
                if (!(await options.mayDecide(actorId)))
                    gone.push(actorId);
            return gone;
        },
        overruled: (path) => work.state.conflicts
            .filter((file) => file.path === external_node_path_.posix.join(folder, path))
            .map(({ commit }) => commit),
        hold: (path) => worktree.hold(external_node_path_.posix.join(folder, path)),
        together: (record) => work.stateRef.together(record),
        async secure() {
            await work.checkpoint("chore: save what is about to be run");
        },
        async taskEnded(task) {
            const { sessionId, outputs, status, title, todo } = task;
            if (todo) {
                const [id = ""] = outputs;
                const message = options.redact(writeTodoMessage({ ...todo, sessionId, id, title, run }));
                // What a task did, and how it ended, may be in a commit of work in progress: it has one of its own all the same.
                const { repeatedIn: list } = todo;
                const how = list === undefined ? { always: true } : { notFor: external_node_path_.posix.join(folder, list) };
                await worktree.commitAll(message, how);
            }
            else {
                const path = folder === "" ? task.folder : `${folder}/${task.folder}`;
                const message = writeCommitMessage({ sessionId, outputs, status, isRehearsal, run });
                await worktree.commit(path, message);
            }
            work.stateRef.checkpointSoon("chore: save a finished task");
            options.whenEnded(task);
        },
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/listen.js
// While a run is at work one word is heard at once: `/cancel`. Everything else waits for the look at its end.





/** Looks become rarer: each is a request to GitHub. */
const FIRST_MS = 20_000;
const RARER = 3;
/** Aborts what people canceled. The command itself is handled, and told, by the look at the end. */
function listenForCancel(run, work, cancellations) {
    let looking = Promise.resolve();
    let timer;
    const later = (wait) => {
        timer = setTimeout(() => {
            // A look that failed is made up for by the next.
            looking = looking.then(() => look(run, work, cancellations)).catch(() => undefined);
            later(wait * RARER);
        }, wait);
        timer.unref();
    };
    later(FIRST_MS);
    return {
        async stop() {
            clearTimeout(timer);
            await looking;
        },
    };
}
async function look(run, work, cancellations) {
    const { pullRequest } = run.work;
    if (!pullRequest)
        return;
    for (const comment of await unreadComments(work, run.discussion, pullRequest.number)) {
        if (!/^\s*\/cancel\b/i.test(comment.body))
            continue;
        const judging = await circumstances(work, { ...run, settings: run.found.settings });
        const verdict = await judgeComment(comment, work.state.authorId, judging);
        const effect = verdict.verdict === "accepted" ? verdict.effects[0] : undefined;
        if (verdict.verdict !== "accepted" || effect?.type !== "cancel")
            continue;
        const { actorId } = verdict;
        cancellations.cancel(new agent_cancellations/* Cancellation */.mT(`canceled by ${(0,session_actor/* loginOf */.DQ)(actorId)}`, actorId), effect.session);
    }
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/may-decide.js
// Whether who approved something may still do so: hours can lie between an approval and what it lets run.

/** The calls of one turn run in a moment: nobody is asked about for each of them. */
const MOMENT_MS = 60_000;
/** Asks GitHub, for one person at most once a minute. Where GitHub failed, the next look asks again. */
function createMayDecide(run) {
    const asked = new Map();
    return (actorId) => {
        const at = run.clock.elapsed();
        const known = asked.get(actorId);
        if (known && at - known.at < MOMENT_MS)
            return known.answer;
        const answer = mayStillDecide(actorId, run.found.settings, run.discussion);
        asked.set(actorId, { at, answer });
        answer.catch(() => asked.delete(actorId));
        return answer;
    };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/work-trigger.js






/** What the run started, what people asked for, and what can go on; the rest is told as it stands. */
async function triggerOf(run, work, how) {
    const pending = [...work.state.handled.values()].filter(({ commentId, verdict }) => verdict === "accepted" && !work.state.acknowledged.has(commentId));
    const views = await work.sessions();
    // The run was killed before its first session: what it was for is all still to do.
    const isUnbegun = how.wasDead === true && views.length === 0;
    const asksForAll = isUnbegun || pending.some((handled) => handled.runsAll);
    const asked = {
        views,
        retries: pending.flatMap(({ retry }) => (retry ? [retry] : [])),
        answered: new Set([
            ...(how.answered ?? []),
            ...pending.flatMap(({ interactionIds = [] }) => interactionIds),
        ]),
        runsAll: !how.onlyTells && (run.kind !== "respond" || asksForAll),
        only: run.kind === "respond" ? undefined : run.found.settings.sessionId,
    };
    return run.work.kind === "tasks" ? work_trigger_tasksOf(run, asked, how) : itemsOf(run, asked, how);
}
/** False for what is only told. */
function mayRun(trigger, item) {
    if (trigger.kind === "tasks")
        return !trigger.isLeftAlone;
    const alone = (trigger.sessions ?? []).filter((one) => one.isLeftAlone).map((one) => one.sessionId);
    return trigger.sources.includes(item.source) || !alone.includes(item.sessionId);
}
function itemsOf(run, asked, how) {
    const { views, runsAll, only } = asked;
    const known = views.map((view) => sessionToRun(view, asked, how));
    return {
        kind: "items",
        workId: run.work.workId,
        key: run.work.key,
        sources: runsAll && only === undefined ? run.items.sources : [],
        sessions: only === undefined || views.some((view) => view.sessionId === only)
            ? known
            : [...known, { sessionId: only }],
    };
}
/** After a crash every session is looked at: it may have been between two tasks. */
function sessionToRun(view, { retries, answered, only }, how) {
    const { sessionId, state } = view;
    if (state.canceled || how.onlyTells)
        return { sessionId, isLeftAlone: true };
    if (only !== undefined)
        return sessionId === only ? { sessionId } : { sessionId, isLeftAlone: true };
    const retry = work_trigger_findRetry(view, retries);
    if (retry)
        return { sessionId, force: [retry.output] };
    const after = afterConflict(view, answered);
    if (after)
        return after;
    return how.wasDead || (0,session_view/* canGoOn */.Iq)(state) ? { sessionId } : { sessionId, isLeftAlone: true };
}
/** The newest session that nobody canceled; where a run begins and there is none, a new one. */
function work_trigger_tasksOf(run, asked, how) {
    const { views, retries, answered, runsAll, only } = asked;
    const { workId, key } = run.work;
    const live = views.filter(({ state }) => !state.canceled);
    const current = only === undefined ? live.at(-1) : views.find(({ sessionId }) => sessionId === only);
    if (only !== undefined && !current)
        throw noSession(only);
    const trigger = { kind: "tasks", workId, key };
    const told = current ?? (runsAll ? undefined : views.at(-1));
    const session = told ? { sessionId: told.sessionId } : {};
    const retry = current && !how.onlyTells ? work_trigger_findRetry(current, retries) : undefined;
    if (retry)
        return { ...trigger, ...session, retry: [retry.output] };
    const after = current && !how.onlyTells ? afterConflict(current, answered) : undefined;
    const redone = after && current?.state.redo && redoOf(current, current.state.redo, "tasks").names;
    if (redone && redone.length > 0)
        return { ...trigger, ...session, retry: redone };
    if (current && (0,conflict/* waitsForConflict */.qZ)(current.state))
        return { ...trigger, ...session, isLeftAlone: true };
    const goesOn = current && !how.onlyTells && (how.wasDead || after || (0,session_view/* canGoOn */.Iq)(current.state));
    return runsAll || goesOn ? { ...trigger, ...session } : { ...trigger, ...session, isLeftAlone: true };
}
/** What a person wants made again, and has not been begun since. */
function work_trigger_findRetry(view, retries) {
    return retries.find((one) => one.sessionId === view.sessionId && attemptsAt(view, one.output) <= one.attempts);
}
function noSession(sessionId) {
    return new errors/* LoopliaError */.$K("config-invalid", `session-id: this task list has no session ${sessionId}`, {
        hint: "leave session-id out to go on with the newest",
    });
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/run-work.js
// Runs what can go on in a work, and tells how the rest of it stands.













/** The work is claimed when the first session has something to do. Failures of the run are its outcome. */
async function runWork(run, opened, claim, how) {
    const { work, fence, stateFolder } = opened;
    const { settings, folder, trusted, baseCommit } = run.found;
    const worktree = await work.stateRef.openWorktree();
    const { branchTip } = work.stateRef;
    if (branchTip !== undefined && run.work.kind === "content") {
        await bringSessions({ ...run, base: baseCommit, branch: branchTip, folder, root: worktree.root });
    }
    await reportBaseEdits(run, work);
    const trigger = await triggerOf(run, work, how);
    const progress = followProgress(run, work, claim);
    const host = hostOf(run, work, worktree, progress.soon);
    const openStore = async () => {
        await claim.take();
        await rememberBaseList(run, work);
        return work.store;
    };
    const cancellations = new agent_cancellations/* Cancellations */.Fj();
    const listening = listenForCancel(run, work, cancellations);
    let all = [];
    const outcome = await (0,action_outcome/* settle */.G9)(async () => {
        const result = await run.wiring.runTrigger({
            root: (0,external_node_path_.join)(worktree.root, folder),
            stateFolder,
            settings,
            environment: run.environment,
            trusted,
            host,
            startedBy: startersOf(work.state, [...ledBy(run), ...(how.spokenBy ?? [])]),
            observe: run.observe,
            signal: AbortSignal.any([run.signal, fence]),
            readSource: run.items.read,
            openStore,
            cancellations,
        }, trigger);
        all = result.items;
        return result;
    }, action_outcome/* outcomeOf */.sG);
    work.forget();
    await Promise.all([progress.stop(), listening.stop()]);
    return summarize(trigger, all, outcome);
}
function hostOf(run, work, worktree, soon) {
    return createPullRequestHost({
        work,
        worktree,
        folder: run.found.folder,
        isRehearsal: run.found.settings.provider === "offline",
        run: runIdOf(run),
        redact: run.wiring.redact,
        mayDecide: createMayDecide(run),
        whenAsked: soon,
        whenEnded: soon,
    });
}
function ledBy({ startedBy, rerunBy }) {
    return rerunBy === undefined ? [startedBy] : [startedBy, rerunBy];
}
function summarize(trigger, all, outcome) {
    if (all.length === 0)
        return { outcome, all, reported: [], hasRun: false };
    const ran = all.filter((item) => mayRun(trigger, item));
    if (ran.length > 0)
        return { outcome: (0,item_result/* summarizeItems */.E)(ran), all, reported: ran, hasRun: true };
    const isWaiting = all.some((item) => item.status === "waiting");
    const idle = isWaiting
        ? { status: "waiting", reasonCode: "open-questions" }
        : { status: "completed", reasonCode: "up-to-date" };
    return { outcome: idle, all, reported: all, hasRun: false };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/wake-once.js
// One round of a wake: fetch and fold, whose claim, the inbox, what has expired; then claim, run, show, give back.




















/** Opens the work, does what can be done, and closes it whatever happens. */
async function wakeOnce(run) {
    const opened = await openWork(run);
    try {
        const isRehearsed = opened.run.found.settings.dryRun;
        return await (isRehearsed ? rehearse : goOn)(opened.run, opened);
    }
    finally {
        await opened.close();
    }
}
/** `dry-run`: what there is to do is looked at and left; what people said stays unread. */
async function rehearse(run, opened) {
    const over = findOver(run, opened.work);
    if (over)
        return ended(over);
    const claim = createClaim(run, opened.work, { alongside: [], whenTaken: async () => { } });
    return finish(run, opened, claim, await runWork(run, opened, claim, {}));
}
async function goOn(run, opened) {
    const { work } = opened;
    const over = await closeWork(run, work);
    if (over) {
        await removeLetters(run, await listLetters(run));
        return ended(over);
    }
    const lost = findLostState(run, work);
    if (lost)
        return ended(lost);
    const claimed = await whoseClaim(run, work);
    if (claimed === "live")
        return ended(BUSY);
    // What is written after this is read by the next look: nothing that it may answer expires before.
    const looked = run.clock.now();
    const inbox = await readInbox(run, work);
    const isSpokenTo = inbox.handled.length > 0 || inbox.verdict === "accepted";
    // What has no effect needs no record: the letter may go.
    if (inbox.verdict !== "accepted")
        await removeLetters(run, inbox.letters);
    if (!isSpokenTo && isStranger(run, work, inbox))
        return ended(wake_once_nothingToDo(inbox));
    const expired = await expireQuestions(work, looked);
    const mustClaim = claimed === "dead" || isSpokenTo || expired > 0;
    if (!mustClaim && run.kind === "respond" && !(await isBehind(run, work)))
        return ended(wake_once_nothingToDo(inbox));
    const claim = createClaim(run, work, {
        alongside: inbox.ignored.map((payload) => ({ type: "CommentHandled", payload })),
        whenTaken: () => showInPassing(run, async () => {
            await greet(run, inbox.handled);
            await showProgress(run, work);
        }),
    });
    if (mustClaim)
        await claim.take();
    // Nothing waits for that: it may have to wait for its turn.
    const removing = inbox.verdict === "accepted" ? removeLetters(run, inbox.letters) : undefined;
    const said = { spokenBy: inbox.actorIds, answered: inbox.interactionIds };
    const ran = await runWork(run, opened, claim, { wasDead: claimed === "dead", ...said });
    const round = await finish(run, opened, claim, ran);
    if (!run.signal.aborted)
        await removing;
    return round;
}
/** A comment of somebody without permission starts nothing, whatever was left to go on with: others wake that. */
function isStranger({ event }, { state }, { verdict: said }) {
    if (event.name === "repository_dispatch")
        return said === "not-permitted";
    if (event.name !== "issue_comment")
        return false;
    const verdict = state.handled.get(countOf((0,json/* valueAt */.fK)(event.payload, "comment", "id")) ?? 0)?.verdict;
    return verdict === undefined || verdict === "ignored";
}
/** GitHub is asked only where another run has not given the work back. */
async function whoseClaim(run, { state, stateRef }) {
    const own = claimIdOf(run);
    const holder = state.claim?.run;
    const [id = "", attempt = ""] = holder?.split(".") ?? [];
    const isAsked = holder !== undefined && holder !== own;
    const isLive = isAsked ? await run.discussion.isRunLive(id, attempt) : undefined;
    return claimOf(state, { run: own, last: stateRef.last, isLive, now: run.clock.now() }).kind;
}
const NOTHING_READ = { handled: [], ignored: [], letters: [], actorIds: [], interactionIds: [] };
async function readInbox(run, work) {
    const judging = judgingOf(run, work);
    const { pullRequest } = run.work;
    if (!pullRequest)
        return NOTHING_READ;
    const [unread, left] = await Promise.all([
        lookForComments(run, work, pullRequest.number),
        listLetters(run),
    ]);
    // Its state was lost: whatever was said here before was said of another one.
    const isNew = work.stateRef.last === undefined;
    if (isNew)
        return { ...NOTHING_READ, letters: left, ignored: unread.map(passOver) };
    const letters = await handleLetters(work, left, judging);
    return { ...letters, ...(await handleComments(work, unread, judging)) };
}
/** GitHub may tell of a comment a moment before it lists it: then the list is asked for once more. */
const LISTED_LATE_MS = 2_000;
async function lookForComments(run, work, pullRequest) {
    const { event, discussion, clock } = run;
    const look = () => unreadComments(work, discussion, pullRequest, clock.now());
    const unread = await look();
    const named = event.name === "issue_comment" ? countOf((0,json/* valueAt */.fK)(event.payload, "comment", "id")) : undefined;
    const isKnown = named === undefined || work.state.handled.has(named);
    if (isKnown || unread.some(({ id }) => id === named))
        return unread;
    await new Promise((resolve) => setTimeout(resolve, LISTED_LATE_MS));
    return look();
}
/** True where the pull request does not show what is stored, or something was left to go on with. */
async function isBehind(run, work) {
    if (isOwed(findOwed(work.state, await work.questions())))
        return true;
    if ((await findUnasked(run, work)).size > 0)
        return true;
    return (await work.sessions()).some(({ state }) => (0,session_view/* canGoOn */.Iq)(state));
}
const BUSY = {
    status: "ignored",
    reasonCode: "busy",
    message: "another run is at work on this; it looks for comments and answers again before it ends",
};
function wake_once_nothingToDo({ ignored, verdict }) {
    const isRefused = verdict === "not-permitted" || ignored.some(({ reason }) => reason === "not-permitted");
    return isRefused
        ? { status: "ignored", reasonCode: "not-permitted", message: "whoever wrote that may not decide here" }
        : { status: "ignored", reasonCode: "no-command", message: "no comment has a command for looplia" };
}
function ended(outcome) {
    return { outcome, reported: [], hasRun: false, hasEnded: true, hasNews: false };
}

;// CONCATENATED MODULE: ./build/entrypoints/wake/wake.js
// A wake, whatever woke it: look at the work, do what can be done, show it, and look again (DURABILITY, "A wake").




/**
 * Runs rounds until nothing new is in the inbox. Comments may come as fast as they are answered: where no more could be
 * shown of another round, the next wake reads on. Fills in `told`. Throws LoopliaError for what ends the run.
 */
async function wake(run) {
    const items = new Map();
    let round = await wakeOnce(run);
    let outcome = round.outcome;
    const wasOver = outcome.reasonCode === "closed" && !round.hasRun;
    keep(items, round);
    for (let number = 2; round.hasNews && run.statusEdits.isLeft && !run.signal.aborted; number += 1) {
        const before = round;
        if (!before.hasEnded)
            tell(run, before.outcome);
        round = await wakeOnce(await nextRound(run, String(number)));
        // Somebody else was faster: that is theirs now, what this run did before stays told.
        if (round.outcome.status === "ignored")
            break;
        // A command that only had to be refused changes nothing of what the round before did.
        if (!round.hasRun && round.outcome.status !== "failed")
            continue;
        keep(items, round);
        outcome = round.outcome;
        // GitHub fails at every end: the next wake reads on.
        if (!before.hasEnded && !round.hasEnded)
            break;
    }
    run.told.items = [...items.values()];
    if (round.hasNews)
        tellOfNews(run);
    return { outcome, isShown: round.hasEnded || (await isShownByOthers(run, round)), wasOver };
}
/** Whoever won a race shows the rest of it. */
async function isShownByOthers(run, { outcome }) {
    if (outcome.reasonCode === "lost-race")
        return true;
    return outcome.reasonCode === "closed" && (await showClosed(run));
}
/**
 * The pull request was closed, or its branch deleted, while this run was at work: perhaps nobody ever wakes it again, so
 * that is shown now. True where it was.
 */
async function showClosed(run) {
    const { pullRequest } = run.work;
    if (!pullRequest || run.signal.aborted || !run.statusEdits.isLeft)
        return false;
    return (0,action_outcome/* settle */.G9)(async () => {
        run.work.pullRequest = (await run.host.pullRequest(pullRequest.number)) ?? pullRequest;
        return (await wakeOnce(await nextRound(run, "closed"))).outcome.reasonCode === "closed";
    }, (thrown) => {
        tell(run, (0,action_outcome/* outcomeOf */.sG)(thrown));
        return false;
    });
}
function tellOfNews({ observe }) {
    const message = "what was said while this run ended is read by the next one, which any comment with a command starts";
    observe({ type: "notice", level: "warning", message });
}
/** A failure that the next round makes up for. */
function tell({ observe }, { reasonCode, message = "" }) {
    observe({ type: "notice", level: "warning", message: `${reasonCode}: ${message}` });
}
/** What came in meanwhile is all that is left: a fresh clone, and nothing of the items. */
async function nextRound(run, name) {
    const temporary = (0,external_node_path_.join)(run.temporary, `round-${name}`);
    await (0,promises_.mkdir)(temporary);
    const repository = await run.openRepository(temporary);
    await repository.fetchCommit(run.found.baseCommit, run.found.base);
    return { ...run, kind: "respond", repository, temporary };
}
function keep(items, { reported }) {
    for (const item of reported)
        items.set(item.sessionId || item.source, item);
}

;// CONCATENATED MODULE: ./build/entrypoints/action/wake-work.js
// Wakes one work of a run.





/** Fills in `told`. Throws LoopliaError for what ends the wake. `wasOver` as in `Woken`. */
async function wakeWork(scene, work, kind) {
    const { told } = scene;
    told.workId = work.workId;
    if (work.kind === "tasks")
        told.pipeline = work.kind;
    if (work.pullRequest)
        told.pullRequest = work.pullRequest;
    const run = { ...scene, work, kind, statusEdits: new StatusEdits(scene.clock) };
    const upload = uploadOf(run, (0,external_node_path_.join)(run.temporary, "state"));
    const left = { workId: work.workId, branch: work.branch };
    run.unshown.push(left);
    run.remember({ works: run.unshown, ...(upload ? { upload } : {}) });
    const { outcome, isShown, wasOver } = await wake(run);
    // What was interrupted, or could not show its end, is shown by `post`.
    if (run.signal.aborted)
        return { ...outcome, wasOver };
    if (isShown)
        run.unshown.splice(run.unshown.indexOf(left), 1);
    run.remember({ works: run.unshown });
    return { ...outcome, wasOver };
}
/** The same with a clone in a folder of this name: a work is opened once in each. */
async function inFolderOfItsOwn(scene, name) {
    const temporary = (0,external_node_path_.join)(scene.temporary, name);
    await (0,promises_.mkdir)(temporary);
    const repository = await scene.openRepository(temporary);
    await repository.fetchCommit(scene.found.baseCommit, scene.found.base);
    return { ...scene, temporary, repository };
}

;// CONCATENATED MODULE: ./build/entrypoints/action/sweep.js
// Every scheduled run looks at the works of the repository: what has expired, what a killed run left, what nobody read,
// whose pull request was merged or closed. The state refs tell which there are, so none is missed that has no pull request
// yet, or none any more.






/** Wakes them one after the other and adds to `told` what they did; what fails in one keeps no other from its turn. */
async function sweep(scene) {
    const { found, told, repository, host } = scene;
    const stored = await repository.storedWorks(found.settings.stateRefPrefix);
    // What was settled when it ended stays as it is for ever, and is not even asked about.
    const open = stored.filter(({ workId, message }) => workId !== told.workId && message !== ENDED);
    const chosen = chooseSwept(open, Number(scene.facts.runNumber) || 0);
    if (chosen.length < open.length) {
        const message = `${open.length} works are open: ${chosen.length} of them are looked at now, the others by the next scheduled runs`;
        scene.observe({ type: "notice", level: "warning", message });
    }
    const requests = chosen.length === 0 ? [] : await host.openPullRequests(found.settings.branchPrefix);
    const outcomes = [];
    for (const { workId } of chosen) {
        if (scene.signal.aborted)
            break;
        const branch = `${found.settings.branchPrefix}${workId}`;
        const known = requests.find((request) => request.branch === branch);
        outcomes.push(await (0,action_outcome/* settle */.G9)(() => wakeStored(scene, { workId, branch, known }), action_outcome/* outcomeOf */.sG));
    }
    return ((0,action_outcome/* gravest */.Zk)(outcomes) ?? { status: "ignored", reasonCode: "no-command", message: "nothing is to be done" });
}
async function wakeStored(scene, { workId, branch, known }) {
    const [pullRequest] = known ? [known] : await scene.host.pullRequestsOf(branch);
    const work = { workId, kind: kindOf(workId), key: workId, branch, pullRequest };
    const own = await inFolderOfItsOwn(scene, workId);
    const told = { pipeline: scene.told.pipeline, isRehearsal: false, items: [], workId, branch: "" };
    try {
        const outcome = await wakeWork({ ...own, told }, work, "respond");
        if (outcome.status === "ignored")
            return outcome;
        scene.observe({
            type: "notice",
            level: "info",
            message: `${workId}: ${outcome.status} (${outcome.reasonCode})`,
        });
        return outcome;
    }
    finally {
        add(scene.told, told);
    }
}
/** The run's own work comes first; where it has none, the outputs are the last one's. */
function add(told, swept) {
    const items = [...told.items, ...swept.items];
    const questions = [...(told.questions ?? []), ...(swept.questions ?? [])];
    if (told.branch === "")
        Object.assign(told, swept);
    Object.assign(told, { items, questions, isRehearsal: (0,publish_report/* areRehearsals */.jH)(items) });
}

;// CONCATENATED MODULE: ./build/entrypoints/action/start.js
// What an event starts: content items, the task list, or the wake of works that people spoke to.












/** Fills in `told`. Throws LoopliaError for what ends the run before there is a work. */
async function start(job, told) {
    const scene = await setScene(job, told);
    const { event, found } = scene;
    const wanted = respondTo(event, found.settings);
    const kind = kindToStart(found.settings, wanted !== undefined);
    if (kind)
        return event.name === "schedule" ? startAndSweep(scene, kind) : startWork(scene, kind);
    if (!wanted)
        return sweep(scene);
    return "pullRequest" in wanted ? respond(scene, wanted) : { status: "ignored", ...wanted };
}
/** Repository, settings and the other side of the API, for whoever goes on with a work. */
async function setScene(job, told) {
    const token = await requireToken(job);
    const api = { ...job.facts, token };
    const host = job.wiring.codeHost(api);
    const ahead = askAhead(job.event, host);
    job.wiring.loadAhead();
    const openRepository = (temporary) => job.wiring.openRepository({ ...job.facts, environment: job.environment, token, temporary });
    const repository = await openRepository(job.temporary);
    const found = await findSettings(repository, job.event, job.environment);
    const { settings } = found;
    told.pipeline = settings.pipeline;
    if (isPublic(job.event.payload) && settings.stateKey === undefined)
        told.isStatePublic = true;
    const warnings = [];
    told.warnings = warnings;
    const observe = (event) => {
        if (event.type === "notice" && event.level === "warning")
            warnings.push(event.message);
        job.observe(event);
    };
    for (const message of found.warnings)
        observe({ type: "notice", level: "warning", message });
    const discussion = job.wiring.discussion(api);
    const startedBy = starterOf(job.event, job.facts.actorId);
    const idOf = async (login) => (await discussion.permissionOf(login)).userId;
    const rerunBy = await rerunnerOf({ ...job.facts, startedBy }, idOf);
    return {
        ...job,
        observe,
        repository,
        openRepository,
        found,
        told,
        host,
        ...(ahead ? { ahead } : {}),
        discussion,
        items: await findItems(repository, found),
        startedAt: job.clock.now().toISOString(),
        unshown: [],
        startedBy,
        ...(rerunBy === undefined ? {} : { rerunBy }),
    };
}
/** While git reads the settings: nearly every comment that gets here is answered. */
function askAhead(event, host) {
    const wanted = respondTo(event, { allowedBots: [] });
    if (!wanted || !("pullRequest" in wanted))
        return undefined;
    const asked = host.pullRequest(wanted.pullRequest);
    asked.catch(() => undefined); // told where it is needed
    return asked;
}
/** How often a work that turns out to be over is left for the next of its kind. */
const NEXT_WORKS = 3;
async function startWork(scene, kind) {
    if (kind === "content")
        requireItems(scene.items, scene.found);
    for (let skipped = 0;; skipped += 1) {
        const work = await chooseWork(scene.repository, scene.host, scene.found, { kind, skipped });
        const isBegun = kind === "content" || (await scene.repository.tipOf(work.branch)) !== undefined;
        if (!isBegun)
            requireTasks(scene.items, scene.found);
        const outcome = await wakeWork(scene, work, kind);
        if (!outcome.wasOver || skipped === NEXT_WORKS)
            return outcome;
        // Somebody opened it again: it stays over, and the next one has a pull request of its own.
        delete scene.told.pullRequest;
    }
}
/** Its own work first; of the others only a failure makes it another end. */
async function startAndSweep(scene, kind) {
    const own = await (0,action_outcome/* settle */.G9)(() => startWork(scene, kind), action_outcome/* outcomeOf */.sG);
    if (scene.signal.aborted || scene.found.settings.dryRun)
        return own;
    const swept = await (0,action_outcome/* settle */.G9)(() => sweep(scene), action_outcome/* outcomeOf */.sG);
    return own.status !== "failed" && swept.status === "failed" ? swept : own;
}
/** What a run begins or goes on with by itself; undefined: it acts on what people said. */
function kindToStart({ mode, content, sessionId }, isSpokenTo) {
    if (mode === "content" || mode === "tasks")
        return mode;
    if (mode === "respond" || isSpokenTo)
        return undefined;
    const isOfContent = sessionId !== undefined && !(0,handle_tasks/* isTasksSession */.Rd)(sessionId);
    return content.length > 0 || isOfContent ? "content" : "tasks";
}
async function respond(scene, { pullRequest: number, dispatched }) {
    const { branchPrefix } = scene.found.settings;
    const pullRequest = await (scene.ahead ?? scene.host.pullRequest(number));
    const found = findWork(pullRequest, { repository: scene.facts.repository, branchPrefix });
    if (!pullRequest || !("workId" in found)) {
        return { status: "ignored", reasonCode: "no-command", message: "", ...found };
    }
    const { branch } = pullRequest;
    const { workId } = found;
    const work = { workId, kind: kindOf(workId), key: workId, branch, pullRequest };
    const isLeft = dispatched && pullRequest.state === "open" && !scene.found.settings.dryRun;
    if (isLeft)
        await leaveLetter(scene, workId, dispatched);
    return wakeWork(scene, work, "respond");
}
async function requireToken({ environment }) {
    const token = (await readEarly(environment)).githubToken;
    if (token !== undefined)
        return token;
    throw new errors/* LoopliaError */.$K("config-invalid", "github-token is empty", {
        hint: "leave the input out: the job's own token is its default",
    });
}
/** As the event says; where it does not, nothing is claimed. */
function isPublic(payload) {
    return (0,json/* valueAt */.fK)(payload, "repository", "private") === false;
}

;// CONCATENATED MODULE: ./build/entrypoints/action/run-action.js




/** Never throws: what goes wrong is in the report. */
async function runAction(job) {
    const told = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
    const refusal = run_action_refuse(job.event);
    const outcome = refusal
        ? { status: "ignored", reasonCode: refusal.reasonCode, message: refusal.message }
        : await (0,action_outcome/* settle */.G9)(() => start(job, told), action_outcome/* outcomeOf */.sG);
    const { workId, branch, ...rest } = told;
    // What a run brought may say more of itself; which items there are is told.
    const { status, reasonCode, message } = outcome;
    const report = { ...rest, status, reasonCode, ...(message === undefined ? {} : { message }) };
    return { report, workId, branch };
}
/** What can be told from the event alone. Which bots may answer stands in the settings. */
function run_action_refuse(event) {
    const spoken = respondTo(event, { allowedBots: [] });
    if (!spoken)
        return refuseEvent(event);
    return "reasonCode" in spoken && spoken.reasonCode === "no-command" ? spoken : undefined;
}


/***/ }),

/***/ 75779:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ko: () => (/* binding */ readInputs),
/* harmony export */   cw: () => (/* binding */ readRunnerFacts),
/* harmony export */   j_: () => (/* binding */ readEvent)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var _config_settings_table_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(64117);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(59437);
// What the runner tells the Action through its environment. Pure, but for the event's payload.




/** Throws `config-invalid` where this is no runner. */
function readRunnerFacts(environment) {
    const need = (name) => {
        const value = environment[name];
        if (value)
            return value;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", `${name} is not set: this runs as a GitHub Action only`, {
            hint: "on a machine of your own use the command line instead",
        });
    };
    const repository = need("GITHUB_REPOSITORY");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("config-invalid", `GITHUB_REPOSITORY is not owner/name: ${JSON.stringify(repository)}`);
    }
    return {
        repository,
        serverUrl: environment.GITHUB_SERVER_URL || "https://github.com",
        apiUrl: environment.GITHUB_API_URL || "https://api.github.com",
        checkout: need("GITHUB_WORKSPACE"),
        temporary: need("RUNNER_TEMP"),
        runId: environment.GITHUB_RUN_ID || "0",
        attempt: environment.GITHUB_RUN_ATTEMPT || "1",
        runNumber: environment.GITHUB_RUN_NUMBER || environment.GITHUB_RUN_ID || "0",
        actorId: actorOf(environment),
        triggeredBy: environment.GITHUB_TRIGGERING_ACTOR || undefined,
        job: environment.GITHUB_JOB || "job",
    };
}
function actorOf({ GITHUB_ACTOR: login, GITHUB_ACTOR_ID: id }) {
    return login && id && /^\d+$/.test(id) ? `github:${id}:${login}` : undefined;
}
/** The event; a payload that is missing or no JSON counts as empty. */
async function readEvent(environment) {
    const path = environment.GITHUB_EVENT_PATH;
    const text = path ? await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(path, "utf8").catch(() => "") : "";
    return {
        name: environment.GITHUB_EVENT_NAME ?? "",
        payload: (0,_session_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .qF)(text.replace(/^\uFEFF/, "")),
        ref: environment.GITHUB_REF ?? "",
        sha: environment.GITHUB_SHA ?? "",
    };
}
/** The Action's inputs by the setting's name, as the runner passes them; empty ones are left out. */
function readInputs(environment) {
    const inputs = {};
    for (const { name, isInput } of _config_settings_table_js__WEBPACK_IMPORTED_MODULE_1__/* .settingDefinitions */ .RJ) {
        const value = environment[`INPUT_${name.toUpperCase()}`]?.trim();
        if (isInput && value)
            inputs[name] = value;
    }
    return inputs;
}


/***/ }),

/***/ 94442:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  s: () => (/* binding */ tellRunner)
});

// EXTERNAL MODULE: ./build/publish/items-table.js
var items_table = __webpack_require__(67749);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(25033);
// EXTERNAL MODULE: ./build/publish/report.js
var publish_report = __webpack_require__(44224);
;// CONCATENATED MODULE: ./build/publish/outputs.js
// The Action's outputs and the JSON of a result, as the contract names them. Pure.


/** Values of artifacts beyond this many characters in all are left out of `result-json`: they are in the branch. */
const LIMIT = 500_000;
/** One item as `run --json` prints it; the path is relative. */
function toResultJson(item) {
    const { status, reasonCode, sessionId, source, output, usage, costUsd, message } = item;
    return {
        status,
        reasonCode,
        sessionId,
        source,
        output,
        path: item.artifactPath ?? null,
        artifact: item.artifact ?? null,
        usage: { ...usage, costUsd, ...(item.notice === undefined ? {} : { note: publish_report/* REHEARSAL */.Ce }) },
        ...(message === undefined ? {} : { message }),
    };
}
/** The same fields for a run that never came to an item. */
function failureJson(failed) {
    const { status, reasonCode, message } = failed;
    const nothing = { sessionId: "", output: "", path: null, artifact: null, usage: null };
    return { status, reasonCode, ...nothing, ...(message === undefined ? {} : { message }) };
}
/** Every output by its name; those that do not apply are empty. */
function writeOutputs(report, work) {
    const [only, ...others] = report.items;
    const cost = (0,publish_report/* totalCost */.cv)(report);
    const usage = (0,publish_report/* totalUsage */.GG)(report);
    const number = report.pullRequest?.number;
    return new Map([
        ["status", report.status],
        ["reason-code", report.reasonCode],
        ["work-id", work.workId],
        ["session-id", only && others.length === 0 ? only.sessionId : ""],
        ["interaction-id", report.questions?.[0]?.interactionId ?? ""],
        ["pull-request-number", number === undefined ? "" : String(number)],
        ["pull-request-url", report.pullRequest?.url ?? ""],
        ["branch", work.branch],
        ["artifact-url", report.artifactUrl ?? ""],
        ["cost-usd", cost === null ? "" : String(roundMoney(cost))],
        ["input-tokens", String((0,figures/* totalInput */.PG)(usage))],
        ["output-tokens", String(usage.outputTokens)],
        ["items", JSON.stringify(report.items.map((item) => outputItem(item, report)))],
        ["result-json", resultText(report)],
    ]);
}
function outputItem(item, { pullRequest, questions = [] }) {
    return {
        source: item.source,
        sessionId: item.sessionId,
        status: item.status,
        reasonCode: item.reasonCode,
        ...(pullRequest ? { pullRequestNumber: pullRequest.number } : {}),
        interactionIds: questions
            .filter(({ sessionId }) => sessionId === item.sessionId)
            .map(({ interactionId }) => interactionId),
        costUsd: item.costUsd === null ? null : roundMoney(item.costUsd),
    };
}
function resultText(report) {
    const results = report.items.map((item) => toResultJson(item));
    const write = (list) => JSON.stringify(list.length > 1 ? list : (list[0] ?? failureJson(report)));
    const whole = write(results);
    return whole.length <= LIMIT ? whole : write(results.map((result) => ({ ...result, artifact: null })));
}
function roundMoney(dollars) {
    return Math.round(dollars * 1e6) / 1e6;
}

// EXTERNAL MODULE: ./build/publish/questions-list.js
var questions_list = __webpack_require__(2218);
// EXTERNAL MODULE: ./build/publish/kit-view.js
var kit_view = __webpack_require__(65388);
// EXTERNAL MODULE: ./build/publish/markdown.js
var markdown = __webpack_require__(11379);
// EXTERNAL MODULE: ./build/publish/tasks-table.js
var tasks_table = __webpack_require__(25955);
// EXTERNAL MODULE: ./build/publish/warnings.js
var warnings = __webpack_require__(9059);
;// CONCATENATED MODULE: ./build/publish/step-summary.js
// The step summary: what the run did, one row an item, the open questions, then what came of each. Pure.







// GitHub takes 1 MiB a step; other lines of the job may follow ours.
const LIMIT_BYTES = 1_000_000;
/** Markdown under a megabyte; items that no longer fit are counted instead. */
function renderStepSummary(report) {
    const message = (0,publish_report/* messageOf */.bD)(report);
    const head = [
        `## looplia: ${(0,items_table/* stateOf */.L4)(report.status, report.reasonCode)}`,
        "",
        ...(report.isRehearsal ? [`> This is an ${publish_report/* REHEARSAL */.Ce}: every text is taken from the source.`, ""] : []),
        (0,warnings/* renderWarnings */.c)(report),
        "",
        ...(message ? [(0,markdown/* fence */.EU)(message), ""] : []),
        ...(report.items.length > 0 ? [(0,items_table/* renderTotals */._R)(report), ""] : []),
        ...(0,questions_list/* renderQuestions */.W)(report.questions ?? []),
    ].join("\n");
    const tasks = (0,publish_report/* tasksOf */.a4)(report.items);
    const room = LIMIT_BYTES / 2 - (0,items_table/* bytesOf */.$$)(head);
    const table = tasks ? (0,tasks_table/* renderTasks */.F)(tasks, room) : (0,items_table/* renderTable */.bo)(report.items, room);
    const views = report.items.map((item) => renderItem(item, report)).filter((view) => view !== "");
    const rest = LIMIT_BYTES - (0,items_table/* bytesOf */.$$)(head) - (0,items_table/* bytesOf */.$$)(table);
    const shown = (0,items_table/* withinLimit */.zl)(views, rest, (left) => `… ${left} more items`);
    return `${head}\n${table}\n${shown.join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}
function renderItem(item, { isRehearsal }) {
    // The table of tasks says it all.
    if (item.tasks)
        return "";
    const view = (0,kit_view/* viewArtifacts */.f)(item.artifacts);
    const failed = item.steps.filter((step) => step.message && step.status === "failed");
    if (view.length === 0 && failed.length === 0)
        return "";
    const errors = failed.flatMap((step) => [
        `${(0,markdown/* escapeInline */.VV)(step.output)} failed:`,
        "",
        (0,markdown/* fence */.EU)(step.message ?? ""),
        "",
    ]);
    const note = item.notice && !isRehearsal ? [(0,markdown/* escapeInline */.VV)(item.notice), ""] : [];
    return [`### ${(0,markdown/* escapeInline */.VV)(item.title || item.source)}`, "", ...note, ...errors, ...view].join("\n");
}

// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(89179);
;// CONCATENATED MODULE: ./build/entrypoints/action/tell.js






/** Green: completed, waiting, ignored, and stopped with a warning. Red: failed. */
async function tellRunner(core, ended) {
    const { report } = ended;
    for (const [name, value] of writeOutputs(report, ended))
        core.setOutput(name, value);
    for (const item of report.items) {
        if (item.status === "failed")
            core.error(sayItem(item), { title: "looplia", file: item.source });
    }
    if (report.isStatePublic && report.status !== "ignored")
        core.warning(publish_report/* STATE_IS_PUBLIC */.$1, { title: "looplia" });
    const said = (0,plain_text/* toPlainText */.bo)(`${report.reasonCode}: ${report.message ?? sayItems(report)}`);
    if (report.status === "failed")
        core.setFailed(said);
    else if (report.status === "stopped")
        core.warning(said, { title: "looplia stopped" });
    else if (report.status === "ignored")
        core.notice(said, { title: "looplia left this alone" });
    else
        core.info(sayEnd(report));
    if (process.env.GITHUB_STEP_SUMMARY)
        await core.summary.addRaw(renderStepSummary(report)).write();
}
/** Words of the program alone: this line reaches the log as it is. */
function sayEnd({ status, reasonCode, questions = [], pullRequest }) {
    const waits = questions.length > 0 ? `: ${(0,questions_list/* countQuestions */.j)(questions.length)}` : "";
    const where = pullRequest ? ` (${pullRequest.url})` : "";
    return `looplia: ${(0,items_table/* stateOf */.L4)(status, reasonCode)}${waits}${where}`;
}
function sayItem({ source, message, reasonCode }) {
    const said = message ?? reasonCode;
    return (0,plain_text/* toPlainText */.bo)(said.startsWith(source) ? said : `${source}: ${said}`);
}
function sayItems({ items }) {
    return items
        .filter((item) => item.status !== "completed")
        .map(sayItem)
        .join("\n");
}


/***/ }),

/***/ 16755:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   He: () => (/* binding */ handleTasks),
/* harmony export */   IH: () => (/* binding */ isTasksWork),
/* harmony export */   Rd: () => (/* binding */ isTasksSession)
/* harmony export */ });
/* harmony import */ var _agent_messages_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(74576);
/* harmony import */ var _agent_open_questions_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(32644);
/* harmony import */ var _agent_take_answer_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40306);
/* harmony import */ var _content_session_id_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(24642);
// The story of a to-do file: open its session, perhaps record an answer, run the loop, tell the result.




/** True for the ids of works that hold a to-do file. */
function isTasksWork(workId) {
    return /^tasks-[0-9a-f]{6}(?:-\d+)?$/.test(workId);
}
/** True for the ids of sessions that work through a to-do file, as far as an id can tell. */
function isTasksSession(sessionId) {
    return /^to-do-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/.test(sessionId);
}
/** Runs the loop, after an answer if one is given; a wrong answer changes nothing. */
async function handleTasks({ workId, key, sessionId: known, retry, isLeftAlone }, ports, tasks, answered) {
    const { todo } = tasks.settings;
    const named = { slugHint: undefined, title: "to-do", source: todo };
    const sessionId = known ?? (0,_content_session_id_js__WEBPACK_IMPORTED_MODULE_1__/* .createSessionId */ .GH)(named, ports.clock.now(), ports.ids.hex(3));
    const work = {};
    const openWork = async () => {
        work.store = await ports.stores.open({ workId, kind: "tasks", key });
        const questions = new _agent_open_questions_js__WEBPACK_IMPORTED_MODULE_2__/* .OpenQuestions */ .m(await ports.stores.openInteractions(workId));
        return { store: work.store, questions, mailbox: await _agent_messages_js__WEBPACK_IMPORTED_MODULE_3__/* .Mailbox */ .z.open(work.store) };
    };
    const before = answered &&
        (({ journal, asking, ports: { observe, clock } }) => (0,_agent_take_answer_js__WEBPACK_IMPORTED_MODULE_0__/* .takeAnswer */ .e)({ journal, asking, observe, clock }, answered));
    const { runTasks } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(547), __webpack_require__.e(634), __webpack_require__.e(667)]).then(__webpack_require__.bind(__webpack_require__, 70667));
    try {
        const toRun = {
            ...{ sessionId, openWork },
            ...(before ? { before } : {}),
            ...(retry === undefined ? {} : { retry }),
            ...(isLeftAlone ? { isLeftAlone } : {}),
        };
        return toRunResult(await runTasks(toRun, { ...ports, ...tasks }, tasks.settings));
    }
    finally {
        await work.store?.close();
    }
}
const STEP_STATES = { todo: "pending", doing: "in_progress", blocked: "failed", done: "completed" };
/** A to-do file is told as an item whose steps are its tasks. */
function toRunResult(result) {
    const { status, reasonCode, message, sessionId, path, file, interactions, usage, costUsd, notice } = result;
    const said = message === undefined ? {} : { message };
    const steps = result.tasks.map((task) => ({
        output: task.id,
        status: STEP_STATES[task.status],
        reason: task.title,
        ...(task.message === undefined || task.status !== "blocked" ? {} : { message: task.message }),
    }));
    const artifact = file ? { artifactPath: path, artifact: file } : {};
    const item = {
        ...{ source: path, sessionId, title: file?.project?.name ?? path, pipeline: "tasks", folder: "" },
        ...{ status, reasonCode, ...said, output: "to-do", finalOutput: "to-do", ...artifact },
        ...{ artifacts: new Map(), steps, tasks: result.tasks, interactions, usage, costUsd },
        ...(notice === undefined ? {} : { notice }),
    };
    return { status, reasonCode, items: [item] };
}


/***/ }),

/***/ 23043:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ RUN_TRAILER)
/* harmony export */ });
/** Trailer of every commit of a task: what stands on a branch with it was pushed by a run. */
const RUN_TRAILER = "Looplia-Run";


/***/ }),

/***/ 25033:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   BD: () => (/* binding */ formatCost),
/* harmony export */   K9: () => (/* binding */ formatMoment),
/* harmony export */   PG: () => (/* binding */ totalInput),
/* harmony export */   _y: () => (/* binding */ formatTokens),
/* harmony export */   xp: () => (/* binding */ isFree),
/* harmony export */   yh: () => (/* binding */ listWords)
/* harmony export */ });
/* unused harmony export formatDuration */
/** `2ms`, `15.2s`, `3m 05s`, `1h 02m`. */
function formatDuration(milliseconds) {
    if (milliseconds < 1000)
        return `${Math.max(0, Math.round(milliseconds))}ms`;
    const seconds = milliseconds / 1000;
    if (seconds < 59.95)
        return `${seconds.toFixed(1)}s`;
    const whole = Math.round(seconds);
    const minutes = Math.floor(whole / 60);
    if (minutes < 60)
        return `${minutes}m ${String(whole % 60).padStart(2, "0")}s`;
    return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}
/** `12,345 tokens in, 678 out`; tokens read from and written to a cache count as in. */
function formatTokens(usage) {
    return `${formatCount(totalInput(usage))} tokens in, ${formatCount(usage.outputTokens)} out`;
}
/** `$0.0123`; null is a model without a known price. */
function formatCost(costUsd) {
    return costUsd === null ? "price unknown" : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}
/** Tokens that went in, those read from and written to a cache as well. */
function totalInput(usage) {
    return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
/** True when no token was counted: a rehearsal. */
function isFree(usage) {
    return totalInput(usage) + usage.outputTokens === 0;
}
/** `2026-12-03 12:00 UTC`, from ISO 8601 or a time; what is no time is left empty. */
function formatMoment(at) {
    const time = new Date(at);
    return Number.isNaN(time.getTime()) ? "" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
/** `a, b and c` */
function listWords(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
function formatCount(count) {
    return count.toLocaleString("en-US");
}


/***/ }),

/***/ 67749:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $$: () => (/* binding */ bytesOf),
/* harmony export */   L4: () => (/* binding */ stateOf),
/* harmony export */   _R: () => (/* binding */ renderTotals),
/* harmony export */   bo: () => (/* binding */ renderTable),
/* harmony export */   zl: () => (/* binding */ withinLimit)
/* harmony export */ });
/* harmony import */ var _figures_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(25033);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(11379);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44224);
// One row an item: what it is, its steps, its state, its cost. For the step summary and the status comment. Pure.



const MARKS = new Map([
    ["completed", "✓"],
    ["failed", "✗"],
    ["in_progress", "…"],
    ["pending", "○"],
]);
/** A Markdown table of at most `limit` bytes; rows that no longer fit are counted instead. Empty without items. */
function renderTable(items, limit) {
    const rows = withinLimit(items.map(renderRow), limit, (left) => `| … ${left} more | | | |`);
    return rows.length > 0
        ? ["| Item | Steps | State | Cost |", "|:--|:--|:--|--:|", ...rows, ""].join("\n")
        : "";
}
/** How many items, the pipeline, tokens and cost where there were any, and links, on one line. */
function renderTotals(report) {
    const tasks = (0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .tasksOf */ .a4)(report.items);
    const count = report.items.length === 1 ? "1 item" : `${report.items.length} items`;
    const parts = [
        ...(tasks ? [`**${(0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .countTasks */ .g6)(tasks)}**`] : [`**${count}**`, `pipeline ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(report.pipeline)}`]),
        ...((0,_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .isFree */ .xp)((0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .totalUsage */ .GG)(report)) ? [] : [(0,_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .formatTokens */ ._y)((0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .totalUsage */ .GG)(report)), (0,_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .formatCost */ .BD)((0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .totalCost */ .cv)(report))]),
    ];
    if (report.pullRequest) {
        parts.push((0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)(`pull request ${report.pullRequest.number}`, report.pullRequest.url));
    }
    if (report.artifactUrl)
        parts.push((0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)("audit log", report.artifactUrl));
    return parts.join(" · ");
}
/** `completed`, or `failed (model-failed)`. */
function stateOf(status, reasonCode) {
    const isPlain = reasonCode === "done" || reasonCode === "" || reasonCode === status;
    return (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(isPlain ? status : `${status} (${reasonCode})`);
}
/** The first parts that fit into `limit` bytes, then `more(left)` if some do not. */
function withinLimit(parts, limit, more) {
    const kept = [];
    let size = 100;
    for (const part of parts) {
        size += bytesOf(part) + 1;
        if (size > limit)
            return [...kept, more(parts.length - kept.length)];
        kept.push(part);
    }
    return kept;
}
/** In UTF-8: limits of GitHub are in bytes. */
function bytesOf(text) {
    return Buffer.byteLength(text, "utf8");
}
function renderRow(item) {
    const steps = item.steps
        .map((step) => (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .keepTogether */ .Ag)(`${MARKS.get(step.status) ?? "?"} ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(step.output)}`))
        .join(" · ");
    const why = item.message && item.status !== "completed" ? `: ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(item.message, 300)}` : "";
    const state = `${stateOf(item.status, item.reasonCode)}${why}`;
    return `| ${nameOf(item)} | ${steps || "–"} | ${state} | ${(0,_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .formatCost */ .BD)(item.costUsd)} |`;
}
function nameOf(item) {
    const source = (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(item.source, 200);
    return item.title === "" || item.title === item.source
        ? source
        : `${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(item.title, 200)}<br>${source}`;
}


/***/ }),

/***/ 65388:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ viewArtifacts)
/* harmony export */ });
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(59437);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(11379);
// The short view of an item's artifacts: headline, ideas, outline. Unknown shapes are left out, never guessed at. Pure.


const MANY = 12;
/** Markdown lines; empty when no artifact has a known shape. */
function viewArtifacts(artifacts) {
    const sections = [
        viewSummary(artifacts.get("summary")),
        viewIdeas(artifacts.get("ideas")),
        viewOutline(artifacts.get("outline")),
    ];
    return sections.filter((lines) => lines.length > 0).flatMap((lines) => [...lines, ""]);
}
function viewSummary(summary) {
    const headline = textAt(summary, "headline");
    const tldr = textAt(summary, "tldr");
    return [
        ...(headline ? [`**${headline}**`] : []),
        ...(headline && tldr ? [""] : []),
        ...(tldr ? [tldr] : []),
    ];
}
function viewIdeas(ideas) {
    const hooks = listAt(ideas, "hooks").map((hook) => [textAt(hook, "text"), textAt(hook, "type", 30)]);
    const hookRows = hooks.filter(([text]) => text).map(([text, type]) => `- ${text}${type && ` (${type})`}`);
    const angles = listAt(ideas, "angles").map((angle) => textAt(angle, "title"));
    const angleRows = angles.filter((title) => title).map((title) => `- ${title}`);
    return [
        ...(hookRows.length > 0 ? ["*Hooks*", "", ...hookRows] : []),
        ...(hookRows.length > 0 && angleRows.length > 0 ? [""] : []),
        ...(angleRows.length > 0 ? ["*Angles*", "", ...angleRows] : []),
    ];
}
function viewOutline(outline) {
    const headings = (Array.isArray(outline) ? outline : [])
        .slice(0, MANY)
        .map((section) => textAt(section, "heading"));
    const rows = headings.filter((heading) => heading).map((heading, index) => `${index + 1}. ${heading}`);
    return rows.length > 0 ? ["*Outline*", "", ...rows] : [];
}
function textAt(value, name, limit) {
    const found = (0,_session_json_js__WEBPACK_IMPORTED_MODULE_1__/* .valueAt */ .fK)(value, name);
    return typeof found === "string" ? (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(found, limit) : "";
}
function listAt(value, name) {
    const found = (0,_session_json_js__WEBPACK_IMPORTED_MODULE_1__/* .valueAt */ .fK)(value, name);
    return Array.isArray(found) ? found.slice(0, MANY) : [];
}


/***/ }),

/***/ 11379:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ag: () => (/* binding */ keepTogether),
/* harmony export */   D4: () => (/* binding */ plainTitle),
/* harmony export */   DW: () => (/* binding */ escapeShown),
/* harmony export */   EU: () => (/* binding */ fence),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   Q_: () => (/* binding */ longestRun),
/* harmony export */   SS: () => (/* binding */ codeSpan),
/* harmony export */   VV: () => (/* binding */ escapeInline),
/* harmony export */   Ww: () => (/* binding */ quoteShown),
/* harmony export */   a0: () => (/* binding */ neutralizeLine),
/* harmony export */   em: () => (/* binding */ sentence),
/* harmony export */   hj: () => (/* binding */ fenceShown),
/* harmony export */   nf: () => (/* binding */ link),
/* harmony export */   xE: () => (/* binding */ alert)
/* harmony export */ });
/* harmony import */ var _session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(89179);
/* harmony import */ var _session_question_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(79283);
// Text of others inside our Markdown, and inside a runner's log: it can neither format, link, mention nor command. Pure.


// Keeps GitHub from reading a name after @ or a number after # in the rendered text; it is not seen.
const BREAK = "\u200b";
/** A run without what would end a code span, a table cell or a tag. */
const WORD = /[^\s`|\\<>]+/g;
const REFERENCE = /@|#(?=\w)|\bGH-(?=\d)|:\/\/|www\./i;
// Only what means something where it stands, so that plain words stay readable in the raw text too.
const MARKUP = /[\\`*[\]<>|~@$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#\w])|^[-+#=:]|#(?=#*$)|-(?=[->])/g;
/** One line that a Markdown renderer shows as it is: no markup, HTML, link, mention or reference; at most `limit`. */
function escapeInline(text, limit = 500) {
    return escapeLine(cut((0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(text.toWellFormed()), limit));
}
/** As `escapeInline`, but nothing is left out: unseen characters are shown as `<U+XXXX>`. What approvals show. */
function escapeShown(text, limit = Number.POSITIVE_INFINITY) {
    return escapeLine(cut((0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_1__/* .showOneLine */ .E)(text), limit));
}
/** A code block whose fence is longer than any run of backticks in the text; at most `limit` characters of it. */
function fence(text, limit = 4_000) {
    return fenced(cut((0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainText */ .bo)(text.toWellFormed()), limit), "text");
}
/** A code block with exactly the text, every unseen character shown. */
function fenceShown(text, language = "text") {
    return fenced((0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .showUnseen */ .AZ)(text), language);
}
/** One line in a code span: nothing in it means anything. Not for table cells. */
function codeSpan(text) {
    const shown = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_1__/* .showOneLine */ .E)(text);
    const marks = "`".repeat(longestRun(shown) + 1);
    const room = /^`|`$/.test(shown) || shown === "" ? " " : "";
    return `${marks}${room}${shown}${room}${marks}`;
}
function fenced(text, language) {
    const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
    return `${marks}${language}\n${text}\n${marks}`;
}
/** How many backticks stand together at most. */
function longestRun(text) {
    let longest = 0;
    for (const [run] of text.matchAll(/`+/g))
        longest = Math.max(longest, run.length);
    return longest;
}
/** Several lines of prose as a quotation: each stays one (comments keep line ends), none formats. */
function quoteShown(text) {
    return text
        .trim()
        .split(/\r?\n/)
        .map((line) => `> ${escapeShown(line)}`.trimEnd())
        .join("\n");
}
/** A sentence of ours that may quote others: escaped, with a capital (an id keeps its own letters) and a full stop. */
function sentence(text, limit = 2_000) {
    const shown = escapeShown(cut(text.trim(), limit)).replace(/^[a-z](?!\S*\d)/, (letter) => letter.toUpperCase());
    return shown === "" || /[.!?:…]$/.test(shown) ? shown : `${shown}.`;
}
/** The same words on one line, however narrow the screen. */
function keepTogether(markdown) {
    return markdown.replaceAll(" ", "\u00a0");
}
/** A boxed notice of our own words. */
function alert(kind, markdown) {
    return [`[!${kind}]`, ...markdown.split("\n")].map((line) => `> ${line}`.trimEnd()).join("\n");
}
/** A link of our own; what could end it is encoded. */
function link(label, url) {
    return `[${label}](<${encodeURI(url).replace(/[<>]/g, "")}>)`;
}
/** Words that GitHub reads as a mention, a reference or a link stand in code, where they are words. */
function escapeLine(line) {
    let escaped = "";
    let plain = 0;
    for (const { 0: word, index } of line.matchAll(WORD)) {
        if (!REFERENCE.test(word))
            continue;
        escaped += `${escapeMarkup(line.slice(plain, index))}\`${word}\``;
        plain = index + word.length;
    }
    return escaped + escapeMarkup(line.slice(plain));
}
function escapeMarkup(text) {
    return text.replace(MARKUP, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
}
/** One line for a title or a commit: plain text in which no mention, reference or closing word works. */
function plainTitle(text, limit) {
    return cut((0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(text.toWellFormed()), limit)
        .replace(/@(?=\w)/g, `@${BREAK}`)
        .replace(/#(?=\w)/g, `#${BREAK}`)
        .replace(/\bGH-(?=\d)/gi, (found) => `${found}${BREAK}`)
        .replace(/:\/\//g, `:${BREAK}//`);
}
/** One line for a runner's log that is never a workflow command, whatever stands in it. */
function neutralizeLine(text) {
    return (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .toPlainLine */ .Ic)(text.toWellFormed())
        .replace(/:(?=:)/g, ": ")
        .replace(/#(?=#\[)/g, "# ");
}
/** The text, or its beginning and an ellipsis; `limit` counts characters. */
function cut(text, limit) {
    const characters = [...text.slice(0, limit * 2 + 2)];
    return characters.length <= limit
        ? text
        : `${characters
            .slice(0, limit - 1)
            .join("")
            .trimEnd()}…`;
}


/***/ }),

/***/ 56019:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ writeMarker),
/* harmony export */   t: () => (/* binding */ readMarker)
/* harmony export */ });
// Hidden first lines by which our own comments are found again. They only locate: who wrote a comment is checked, and
// what it stands for is in the store (SECURITY, "forged bot comment or marker"). Pure.
const ID = "[A-Za-z0-9][A-Za-z0-9._-]*";
const FORM = new RegExp(`^<!-- looplia:(status|request|reply) (${ID})(?: (${ID}))? -->(?:\\r?\\n|$)`);
/** The comment's first line. */
function writeMarker(marker) {
    const about = marker.role === "request"
        ? ` ${marker.interactionId}`
        : marker.role === "reply"
            ? ` ${marker.commentId}`
            : "";
    return `<!-- looplia:${marker.role} ${marker.workId}${about} -->`;
}
/** What a comment's first line names; undefined for everything else. */
function readMarker(body) {
    const [, role, workId, about] = FORM.exec(body) ?? [];
    if (role === undefined || workId === undefined)
        return undefined;
    if (role === "status")
        return about === undefined ? { role, workId } : undefined;
    if (about === undefined)
        return undefined;
    if (role === "request")
        return { role, workId, interactionId: about };
    return /^[1-9]\d{0,15}$/.test(about) ? { role: "reply", workId, commentId: Number(about) } : undefined;
}


/***/ }),

/***/ 2218:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ renderQuestions),
/* harmony export */   j: () => (/* binding */ countQuestions)
/* harmony export */ });
/* harmony import */ var _figures_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(25033);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(11379);
// The open questions of a work, with links to their comments. Pure.


/** A work has ten at most. */
const MOST = 20;
/** Markdown lines; none without a question. */
function renderQuestions(questions) {
    if (questions.length === 0)
        return [];
    const rows = questions.slice(0, MOST).map(renderQuestion);
    const more = questions.length - rows.length;
    return [
        `**${countQuestions(questions.length)}:**`,
        "",
        ...rows,
        ...(more > 0 ? [`- … ${more} more`] : []),
        "",
    ];
}
/** `1 question waits for an answer` */
function countQuestions(count) {
    return count === 1 ? "1 question waits for an answer" : `${count} questions wait for answers`;
}
function renderQuestion({ shortId, title, commentUrl, expiresAt }) {
    const id = commentUrl === undefined ? (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(shortId) : (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)((0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(shortId), commentUrl);
    const until = expiresAt === undefined ? "" : ` · until ${(0,_figures_js__WEBPACK_IMPORTED_MODULE_1__/* .formatMoment */ .K9)(expiresAt)}`;
    return `- ${id} ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(title, 200)}${until}`;
}


/***/ }),

/***/ 44224:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $1: () => (/* binding */ STATE_IS_PUBLIC),
/* harmony export */   Ce: () => (/* binding */ REHEARSAL),
/* harmony export */   GG: () => (/* binding */ totalUsage),
/* harmony export */   a4: () => (/* binding */ tasksOf),
/* harmony export */   bD: () => (/* binding */ messageOf),
/* harmony export */   cv: () => (/* binding */ totalCost),
/* harmony export */   g6: () => (/* binding */ countTasks),
/* harmony export */   jH: () => (/* binding */ areRehearsals)
/* harmony export */ });
const STATE_IS_PUBLIC = "This repository is public and `state-key` is not set: everybody can read what models and tools said in the stored state.";
const REHEARSAL = "extractive rehearsal, no language model";
/** True when no language model made any of the items that have a session. */
function areRehearsals(items) {
    const begun = items.filter(({ sessionId }) => sessionId !== "");
    return begun.length > 0 && begun.every(({ notice }) => notice !== undefined);
}
/** The tasks of the one item that is a to-do file, if the report is about one. */
function tasksOf(items) {
    const [only, ...others] = items;
    return others.length === 0 ? only?.tasks : undefined;
}
/** Why the run ended so, and what to do; of the one to-do file also what is left of it, or who ended it. */
function messageOf({ message, items }) {
    const [only, ...others] = items;
    const isEnd = only?.tasks && others.length === 0 && only.status !== "completed" && only.status !== "waiting";
    return message ?? (isEnd ? only.message : undefined);
}
/** `2 of 3 tasks done` */
function countTasks(tasks) {
    const done = tasks.filter(({ status }) => status === "done").length;
    return `${done} of ${tasks.length === 1 ? "1 task" : `${tasks.length} tasks`} done`;
}
/** Sum of the items' tokens. */
function totalUsage(report) {
    const total = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    for (const { usage } of report.items) {
        total.inputTokens += usage.inputTokens;
        total.outputTokens += usage.outputTokens;
        total.cacheReadTokens += usage.cacheReadTokens;
        total.cacheWriteTokens += usage.cacheWriteTokens;
    }
    return total;
}
/** Sum of the items' dollars; null when one used a model without a known price. */
function totalCost(report) {
    let total = 0;
    for (const { costUsd } of report.items) {
        if (costUsd === null)
            return null;
        total += costUsd;
    }
    return total;
}


/***/ }),

/***/ 25955:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ renderTasks)
/* harmony export */ });
/* harmony import */ var _figures_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(25033);
/* harmony import */ var _items_table_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(67749);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(11379);
// One row a task of a to-do file: what it is, where it stands, what was said of it, its cost. Pure.



const MARKS = new Map([
    ["done", "✓"],
    ["doing", "…"],
    ["blocked", "✗"],
    ["todo", "○"],
]);
/** A summary's beginning: the whole of it is in the task's commit. */
const SAID = 300;
/** A Markdown table of at most `limit` bytes; rows that no longer fit are counted. What is not done comes first. */
function renderTasks(tasks, limit) {
    const open = tasks.filter(({ status }) => status !== "done");
    const all = tasks.length > WHOLE ? [...open, ...tasks.filter(({ status }) => status === "done")] : tasks;
    const rows = (0,_items_table_js__WEBPACK_IMPORTED_MODULE_0__/* .withinLimit */ .zl)(all.map(renderRow), limit, (left) => `| … ${left} more | | | |`);
    return rows.length > 0
        ? ["| Task | State | Summary | Cost |", "|:--|:--|:--|--:|", ...rows, ""].join("\n")
        : "";
}
/** Shorter lists stay in their own order. */
const WHOLE = 50;
function renderRow({ id, title, status, message, costUsd }) {
    const said = message === undefined ? "" : escapeLines(message);
    const state = `${MARKS.get(status) ?? "?"} ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(status)}`;
    const cost = costUsd === 0 ? "" : (0,_figures_js__WEBPACK_IMPORTED_MODULE_2__/* .formatCost */ .BD)(costUsd);
    return `| **${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(id)}** ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(title, 200)} | ${state} | ${said} | ${cost} |`;
}
/** Lines stay lines: those of a runbook are its commands. */
function escapeLines(text) {
    const lines = (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(text, SAID)
        .split("\n")
        .map((line) => (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(line, SAID));
    return lines.filter((line) => line !== "").join("<br>");
}


/***/ }),

/***/ 9059:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ renderWarnings)
/* harmony export */ });
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(11379);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44224);
// What whoever reads of a run must know beside how it ended. Pure.


const MOST = 10;
/** A box of its own; empty where there is nothing to warn of. */
function renderWarnings({ warnings = [], isStatePublic }) {
    const shown = warnings
        .slice(0, MOST)
        .map((warning) => (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeInline */ .VV)(warning, 300))
        .filter((line) => line !== "");
    const lines = [...(isStatePublic ? [_report_js__WEBPACK_IMPORTED_MODULE_1__/* .STATE_IS_PUBLIC */ .$1] : []), ...shown];
    const more = warnings.length - MOST;
    if (more > 0)
        lines.push(`… ${more} more: see the run.`);
    return lines.length > 0 ? (0,_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .alert */ .xE)("WARNING", lines.map((line) => `- ${line}`).join("\n")) : "";
}


/***/ }),

/***/ 95114:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DQ: () => (/* binding */ loginOf),
/* harmony export */   HV: () => (/* binding */ UNKNOWN),
/* harmony export */   Mx: () => (/* binding */ githubAccountOf),
/* harmony export */   RX: () => (/* binding */ PROGRAM)
/* harmony export */ });
// Who did something: `github:<numeric id>:<login>`, `terminal:<user>`, `agent:<name>`, `looplia` (INTERFACE, 1). Pure.
/** The program itself: what it did on a schedule of its own was nobody's doing. */
const PROGRAM = "looplia";
/** Somebody did it, and GitHub did not say who. */
const UNKNOWN = "unknown";
/** GitHub's account of an actor; undefined for all others. The id stays when its owner changes the login. */
function githubAccountOf(actorId) {
    const [, id, login] = /^github:(\d+):(.+)$/.exec(actorId) ?? [];
    return id === undefined || login === undefined ? undefined : { id, login };
}
/** The login of GitHub's account, else the actor as it is. */
function loginOf(actorId) {
    return githubAccountOf(actorId)?.login ?? actorId;
}


/***/ }),

/***/ 73445:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CS: () => (/* binding */ listFiles),
/* harmony export */   EK: () => (/* binding */ authorsOf),
/* harmony export */   FQ: () => (/* binding */ unaskedFiles),
/* harmony export */   qZ: () => (/* binding */ waitsForConflict),
/* harmony export */   y2: () => (/* binding */ keptFiles)
/* harmony export */ });
/* harmony import */ var _plain_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(89179);

/** True while nobody has said what becomes of such files: nothing of the session goes on. */
function waitsForConflict(state) {
    return conflictsOf(state).some(({ response, closed }) => !response && !closed);
}
/** Files whose other version stays: so it was chosen, or nobody chose anything else. */
function keptFiles(state) {
    return conflictsOf(state)
        .filter(({ response, closed }) => closed || (response && !isUndone(response.selectedOptionId)))
        .flatMap(({ request }) => request.conflict ?? []);
}
/** Those of `files` that no request of these sessions asks about. */
function unaskedFiles(states, files) {
    const requests = states.flatMap(conflictsOf).map(({ request }) => request);
    const asked = new Set(requests.flatMap(({ conflict }) => conflict?.map(nameOf) ?? []));
    return files.filter((file) => !asked.has(nameOf(file)));
}
/**
 * Tasks whose tools left one of these files as the run had it, in the order in which they were first begun; `unknown`: a
 * file among them is nobody's that is known here, for example a command's.
 */
function authorsOf(state, files) {
    const writers = new Map();
    for (const [key, { image }] of state.calls) {
        if (image)
            writers.set(image.after, key.slice(0, key.indexOf("\n")));
    }
    const conversations = new Set(files.map(({ ours = "" }) => writers.get(ours)));
    const owners = new Set([...conversations].map((one) => one && taskOf(state, one)));
    const tasks = [...state.tasks.values()].filter((task) => owners.has(task));
    return { tasks, unknown: owners.has(undefined) };
}
/** Whose conversation it is, of this attempt or an earlier one, or whose subagent's. */
function taskOf({ tasks }, conversation) {
    const owners = [...tasks.values()].filter(({ taskId, conversationId }) => {
        const attempt = conversation.startsWith(`${taskId}#`) ? conversation.slice(taskId.length + 1) : "";
        return `${conversation}/`.startsWith(`${conversationId}/`) || /^\d+(?:\/|$)/.test(attempt);
    });
    return owners.toSorted((one, other) => other.conversationId.length - one.conversationId.length)[0];
}
/**
 * The files, one a line each whatever is in their names, as many as `room` characters take when they are shown; then how
 * many more there are, and which commits have them all.
 */
function listFiles(files, room) {
    const shown = [];
    let left = room;
    for (const { path, sha256 } of files) {
        const name = /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
        const line = sha256 === undefined ? `${name} (removed)` : name;
        left -= (0,_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .showUnseen */ .AZ)(line).length + 1;
        if (left < 0)
            break;
        shown.push(line);
    }
    const count = files.length - shown.length;
    if (count === 0)
        return { shown };
    return { shown, more: { count, commits: [...new Set(files.map(({ commit }) => commit))].slice(-COMMITS) } };
}
/** Merges that a list names: each is a checkpoint's. */
const COMMITS = 3;
function conflictsOf(state) {
    return [...state.interactions.values()].filter(({ request }) => request.conflict !== undefined);
}
function isUndone(answer) {
    return answer === "redo" || answer === "stop";
}
function nameOf({ commit, path }) {
    return `${commit}:${path}`;
}


/***/ }),

/***/ 62068:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gf: () => (/* binding */ messagesToSend),
/* harmony export */   YO: () => (/* binding */ unansweredCalls),
/* harmony export */   s: () => (/* binding */ applyConversationLine),
/* harmony export */   tk: () => (/* binding */ noUsage),
/* harmony export */   vk: () => (/* binding */ addUsage)
/* harmony export */ });
/* harmony import */ var _message_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(11684);

/** Of no response. */
function noUsage() {
    return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
}
/** A new sum; neither is changed. */
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
            costUsd: 0,
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
                const { usage, costUsd } = line.payload.response;
                conversation.costUsd =
                    costUsd === null || conversation.costUsd === null ? null : conversation.costUsd + costUsd;
                totals.usage = addUsage(totals.usage, usage);
                totals.costUsd += costUsd ?? 0;
                totals.unpriced ||= costUsd === null;
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

/***/ 36630:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ readFields)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(59437);

/**
 * JSON text of an object by field ids. A line that begins with white space goes on with the value above it; any other
 * must begin with a known field and a colon, once each; phones begin a line with a capital, so case counts only where two
 * fields differ in nothing else. `wrongLine` counts from 1.
 */
function readFields(text, fields) {
    if (isJson(text))
        return { value: text };
    const ids = fields.map(({ id }) => id);
    const values = new Map();
    let last;
    for (const [at, line] of text.split("\n").entries()) {
        if (/^\s/.test(line) && last !== undefined) {
            values.set(last, `${values.get(last) ?? ""}\n${line.trim()}`.trim());
            continue;
        }
        if (line.trim() === "")
            continue;
        const colon = line.indexOf(":");
        const id = colon < 0 ? undefined : findId(ids, line.slice(0, colon).trim());
        if (id === undefined || values.has(id))
            return { wrongLine: at + 1 };
        values.set(id, line.slice(colon + 1).trim());
        last = id;
    }
    return { value: JSON.stringify(Object.fromEntries(values)) };
}
function findId(ids, given) {
    if (ids.includes(given))
        return given;
    const alike = ids.filter((id) => id.toLowerCase() === given.toLowerCase());
    return alike.length === 1 ? alike[0] : undefined;
}
/** What is no JSON is read as lines. */
function isJson(text) {
    return text.trimStart().startsWith("{") && (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)((0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(text));
}


/***/ }),

/***/ 90680:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z8: () => (/* binding */ applyEvent),
/* harmony export */   p$: () => (/* binding */ emptyState),
/* harmony export */   v0: () => (/* binding */ foldEvents)
/* harmony export */ });
/* harmony import */ var _state_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(94878);

/** Before the first event. */
function emptyState() {
    return { tasks: new Map(), interactions: new Map(), calls: new Map() };
}
/** Applies one event in place. An event about something unknown changes nothing. */
function applyEvent(state, event) {
    switch (event.type) {
        case "TaskCreated":
            delete state.redo;
            state.tasks.set(event.payload.taskId, {
                ...event.payload,
                status: "created",
                attempt: (state.tasks.get(event.payload.taskId)?.attempt ?? 0) + 1,
                accepted: new Map(),
                refusals: new Map(),
                failures: state.tasks.get(event.payload.taskId)?.failures ?? [],
                blocker: state.tasks.get(event.payload.taskId)?.blocker,
                whyBefore: state.tasks.get(event.payload.taskId)?.why,
            });
            return;
        case "SummaryReported": {
            const task = state.tasks.get(event.payload.taskId);
            if (task)
                task.summary ??= event.payload.summary;
            return;
        }
        case "EndsReapplied":
            state.reapplied = new Set([...(state.reapplied ?? []), ...event.payload.commits]);
            return;
        case "ActAhead": {
            const { taskId, tree, list } = event.payload;
            const task = state.tasks.get(taskId);
            if (task)
                task.before = { tree: task.before?.tree ?? tree, list };
            return;
        }
        case "TaskStarted":
            setStatus(state, event.payload.taskId, "started");
            return;
        case "TaskCompleted":
            endTask(state, event.payload.taskId, "completed", closedAs("task-ended", event.payload));
            noteFailure(state, event.payload.taskId, undefined);
            return;
        case "TaskFailed":
            endTask(state, event.payload.taskId, "failed", closedAs("task-ended", event.payload));
            noteFailure(state, event.payload.taskId, event.payload);
            return;
        case "TaskCanceled":
            endTask(state, event.payload.taskId, "canceled", closedAs("canceled", event.payload));
            Object.assign(state.tasks.get(event.payload.taskId) ?? {}, { why: event.payload.reason });
            return;
        case "SessionCanceled":
            cancelSession(state, event.payload);
            return;
        case "UserInteractionRequested":
            state.interactions.set(event.payload.interactionId, { request: event.payload, approvals: [] });
            return;
        case "UserInteractionResponded": {
            const interaction = state.interactions.get(event.payload.interactionId);
            if (!interaction || !(0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .isPending */ .mm)(interaction))
                return;
            interaction.response = event.payload;
            const { conflict } = interaction.request;
            if (conflict && event.payload.selectedOptionId === "redo")
                state.redo = conflict;
            return;
        }
        case "ApprovalGiven": {
            const interaction = state.interactions.get(event.payload.interactionId);
            if (interaction && (0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .isPending */ .mm)(interaction))
                interaction.approvals.push(event.payload);
            return;
        }
        case "InteractionExpired":
            closeInteraction(state.interactions.get(event.payload.interactionId), {
                why: "expired",
                at: event.payload.at,
            });
            return;
        case "ToolCallStarted": {
            const { conversationId, toolCallId, image } = event.payload;
            const key = (0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .callKey */ .C_)(conversationId, toolCallId);
            const starts = (state.calls.get(key)?.starts ?? 0) + 1;
            state.calls.set(key, { starts, ...(image === undefined ? {} : { image }) });
            return;
        }
        case "ToolCallWithdrawn":
            withdrawCall(state, (0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .callKey */ .C_)(event.payload.conversationId, event.payload.toolCallId));
            return;
        case "ToolCallSettled": {
            const { conversationId, toolCallId, outcome, notRun } = event.payload;
            const key = (0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .callKey */ .C_)(conversationId, toolCallId);
            const why = notRun === undefined ? {} : { notRun };
            state.calls.set(key, { starts: 0, ...state.calls.get(key), outcome, ...why });
            return;
        }
        case "ArtifactAccepted":
            state.tasks.get(event.payload.taskId)?.accepted.set(event.payload.output, event.payload.contentHash);
            return;
        case "ArtifactRefused": {
            const { output, errors, callId } = event.payload;
            const refusals = state.tasks.get(event.payload.taskId)?.refusals;
            const last = refusals?.get(output);
            // A call that was killed before its result is made again: no other try.
            if (last && callId !== undefined && last.callId === callId)
                return;
            const count = (last?.count ?? 0) + 1;
            refusals?.set(output, { count, errors, ...(callId === undefined ? {} : { callId }) });
        }
    }
}
/** The state after all events of a session, in their order. */
function foldEvents(events) {
    const state = emptyState();
    for (const event of events)
        applyEvent(state, event);
    return state;
}
function setStatus(state, taskId, status) {
    const task = state.tasks.get(taskId);
    if (task)
        task.status = status;
}
/** The start that did not happen does not count; earlier ones do. */
function withdrawCall(state, key) {
    const call = state.calls.get(key);
    if (!call || call.outcome !== undefined)
        return;
    if (call.starts > 1)
        call.starts -= 1;
    else
        state.calls.delete(key);
}
function noteFailure(state, taskId, failed) {
    const task = state.tasks.get(taskId);
    if (!task)
        return;
    task.failures = failed ? [...task.failures, failed.reasonCode] : [];
    if (failed)
        Object.assign(task, { why: failed.message, blocker: failed.blocker ?? task.blocker });
}
function endTask(state, taskId, status, closed) {
    setStatus(state, taskId, status);
    for (const interaction of state.interactions.values()) {
        if (interaction.request.taskId === taskId)
            closeInteraction(interaction, closed);
    }
}
function cancelSession(state, canceled) {
    state.canceled ??= canceled;
    for (const task of state.tasks.values()) {
        if ((0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .isOpen */ .nT)(task))
            setStatus(state, task.taskId, "canceled");
    }
    for (const interaction of state.interactions.values()) {
        closeInteraction(interaction, closedAs("canceled", canceled));
    }
}
/** What is answered or closed stays as it is. */
function closeInteraction(interaction, closed) {
    if (interaction && (0,_state_js__WEBPACK_IMPORTED_MODULE_0__/* .isPending */ .mm)(interaction))
        interaction.closed = closed;
}
function closedAs(why, { at }) {
    return { why, ...(at === undefined ? {} : { at }) };
}


/***/ }),

/***/ 17815:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ sha256Of),
/* harmony export */   s: () => (/* binding */ hashContent)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
// The one hash of the program.

/** SHA-256 over the bytes (a text's UTF-8 form), in hex. */
function sha256Of(bytes) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(bytes).digest("hex");
}
/** Its first 16 digits: what artifacts, sources and lists are known by. */
function hashContent(content) {
    return sha256Of(content).slice(0, 16);
}


/***/ }),

/***/ 35478:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   l: () => (/* binding */ inTurn)
/* harmony export */ });
// One at a time for each owner, in the order of the calls.
const last = new WeakMap();
/** Runs `work` when all that was given for the same owner before has ended, however it ended. */
function inTurn(owner, work) {
    const before = last.get(owner) ?? Promise.resolve();
    const next = before.then(work, work);
    last.set(owner, next.catch(() => undefined));
    return next;
}


/***/ }),

/***/ 95511:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ letsCallsRun),
/* harmony export */   z: () => (/* binding */ SHORT_ID)
/* harmony export */ });
// UIP: a request to a person and the response. Field names are the protocol's; see INTERFACE §6.
/** What stands in a request for a person to type: `q<ordinal>-<six hex digits of the fingerprint>`. */
const SHORT_ID = /^q[1-9]\d*-[0-9a-f]{6}$/;
/**
 * True where the answer lets calls of the turn run: what the gate asks, and what is in doubt. A model's own question lets
 * nothing run, whatever its purpose is called.
 */
function letsCallsRun({ purpose, bindings, }) {
    return purpose === "confirm_risky_action" && bindings !== undefined;
}


/***/ }),

/***/ 59437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Ks: () => (/* binding */ auditable),
/* harmony export */   cZ: () => (/* binding */ isWellFormedJson),
/* harmony export */   fE: () => (/* binding */ isShallow),
/* harmony export */   fK: () => (/* binding */ valueAt),
/* harmony export */   qF: () => (/* binding */ parseJson)
/* harmony export */ });
// Rules about JSON values that models and people send.
/** False when a text or key in the value holds a lone surrogate: such a value has no UTF-8 and no RFC 8785 form. */
function isWellFormedJson(value) {
    const open = [value];
    while (open.length > 0) {
        const next = open.pop();
        if (typeof next === "string") {
            if (!next.isWellFormed())
                return false;
        }
        else if (next !== null && typeof next === "object") {
            for (const [key, inner] of Object.entries(next))
                open.push(key, inner);
        }
    }
    return true;
}
/** Deeper values overflow the stack of what writes JSON. */
const MAX_DEPTH = 500;
/** True when no list or object in the value has more than 500 others around it. Never recurses. */
function isShallow(value) {
    let level = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
        if (depth > MAX_DEPTH)
            return false;
        level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    }
    return true;
}
/** The value as an object for the audit log; anything else is wrapped. Lone surrogates become U+FFFD. */
function auditable(value) {
    const safe = isWellFormedJson(value) ? value : JSON.parse(wellFormedText(value));
    return isObject(safe) ? safe : { value: safe ?? null };
}
/** The value of a JSON text; undefined where it is none. */
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** A JSON object, not an array. */
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** What stands at a path of own properties; undefined where there is nothing. */
function valueAt(root, ...path) {
    let value = root;
    for (const key of path) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
            return undefined;
        value = Reflect.get(value, key);
    }
    return value;
}
function wellFormedText(value) {
    const replace = (_key, inner) => {
        if (typeof inner === "string")
            return inner.toWellFormed();
        if (!isObject(inner))
            return inner;
        return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key.toWellFormed(), item]));
    };
    return JSON.stringify(value, replace) ?? "null";
}


/***/ }),

/***/ 11684:
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


/***/ }),

/***/ 89179:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AZ: () => (/* binding */ showUnseen),
/* harmony export */   Ic: () => (/* binding */ toPlainLine),
/* harmony export */   bo: () => (/* binding */ toPlainText)
/* harmony export */ });
// Text from models and content, made safe for a terminal or a log. Pure.
const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** ECMA-48: control sequences, strings ended by BEL or ST, and two-character escapes. */
const SEQUENCES = new RegExp([
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\u009c]*(?:${BELL}|${ESCAPE}\\\\|\u009c)?`,
    `${ESCAPE}[ -/]*[0-~]`,
].join("|"), "g");
/** Every control but tab and newline. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
/** What changes the order of text or cannot be seen: format and bidi marks, zero-width characters, lone surrogates. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** The text without terminal sequences and controls; newlines stay, tabs become two spaces. */
function toPlainText(text) {
    return text
        .replace(/\r\n?/g, "\n")
        .replace(SEQUENCES, "")
        .replace(CONTROLS, "")
        .replace(/\p{Bidi_Control}/gu, "")
        .replaceAll("\t", "  ");
}
/** The text on one line, white space collapsed, without terminal sequences and controls. */
function toPlainLine(text) {
    return toPlainText(text).replace(/\s+/g, " ").trim();
}
/**
 * The text with every unseen character written as `<U+XXXX>`, so that what is approved is what is read. Newlines and
 * tabs stay. Nothing is left out.
 */
function showUnseen(text) {
    return text.replace(UNSEEN, (character) => {
        const code = character.codePointAt(0) ?? 0;
        return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
    });
}


/***/ }),

/***/ 79283:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ showOneLine),
/* harmony export */   Qx: () => (/* binding */ questionLines),
/* harmony export */   ZN: () => (/* binding */ detailLines),
/* harmony export */   re: () => (/* binding */ optionText),
/* harmony export */   yY: () => (/* binding */ optionWord)
/* harmony export */ });
/* unused harmony exports askedLines, cautionLines, defaultOption */
/* harmony import */ var _interaction_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(95511);
/* harmony import */ var _plain_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(89179);
/* harmony import */ var _table_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(60851);
// A question to a person as plain text, nothing of it hidden. Pure.



/**
 * Title, description, content, and what can be answered: options by number and id, fields by id. Unseen characters are
 * shown, see `showUnseen`.
 */
function questionLines(request) {
    return [
        showOneLine(request.display.title),
        ...detailLines(request),
        ...optionLines(request.options),
        ...(request.fields ?? []).flatMap(fieldLines),
    ];
}
/** As `questionLines`, with what whoever answers in a terminal must know of it. */
function askedLines(request) {
    const [title = "", ...rest] = questionLines(request);
    const details = detailLines(request).length;
    return [title, ...rest.slice(0, details), ...cautionLines(request), ...rest.slice(details)];
}
/** Why it is dangerous, how its commands would run, and what an approval is bound to. */
function cautionLines(request) {
    const { dangers = [], isolation, display } = request;
    const isEdit = display.contentKind === "Diff";
    return [
        ...dangers.map((danger) => `! Dangerous: ${briefly(showOneLine(danger))}`),
        ...(isolation && !isEdit ? [`${howIsolated(isolation)}.`] : []),
        ...(letsCallsRun(request) ? [isEdit ? EDIT_BINDING : COMMAND_BINDING] : []),
    ];
}
/** The command itself stands above. */
function briefly(text) {
    return text.length <= 100 ? text : `${text.slice(0, 99).toWellFormed()}…`;
}
function howIsolated({ kind, network }) {
    if (kind === "none")
        return "! Commands run without isolation, as you can on this machine";
    return `Commands run isolated (${kind}), ${network ? "with" : "without"} network`;
}
const EDIT_BINDING = "Not made if the file changes before.";
const COMMAND_BINDING = "Not run if a file changes before; those that git ignores do not count.";
/** Description and content of a question, one entry a line. */
function detailLines(request) {
    const { description, content, contentKind } = request.display;
    const lines = description === undefined ? [] : (0,_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .showUnseen */ .AZ)(description).split("\n");
    if (content === undefined)
        return lines;
    const table = contentKind === "Table" ? (0,_table_text_js__WEBPACK_IMPORTED_MODULE_1__/* .tableLines */ .o)(content) : undefined;
    return [...lines, ...(table ?? textLines(content, contentKind === "Json"))];
}
function textLines(content, isJson) {
    const text = typeof content === "string" && !isJson ? content : JSON.stringify(content, null, 2);
    return (0,_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .showUnseen */ .AZ)(text).replace(/\n$/, "").split("\n");
}
function fieldLines({ id, label, options }) {
    const name = showOneLine(label);
    return [`  ${name === id ? id : `${id}  ${name}`}`, ...optionLines(options).map((line) => `  ${line}`)];
}
function optionLines(options = []) {
    return options.map((option, index) => `  ${index + 1}  ${optionText(option)}`);
}
/** `id  label`, or the label alone where it says the same. */
function optionText(option) {
    const label = showOneLine(option.label);
    const id = showOneLine(option.id);
    if (label === "")
        return id;
    return label.toLowerCase() === id.toLowerCase() ? label : `${id}  ${label}`;
}
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;
/** What to write behind `/choose`: its id; its number where the id can't be typed. An exact id beats a number. */
function optionWord(options, at) {
    const option = options[at];
    const number = String(at + 1);
    if (!option)
        return number;
    const isPlain = PLAIN_ID.test(option.id) && !_interaction_js__WEBPACK_IMPORTED_MODULE_2__/* .SHORT_ID */ .z.test(option.id);
    return isPlain || options.some(({ id }) => id === number) ? option.id : number;
}
/** The option that is taken when nobody says otherwise: the one marked, else the first. */
function defaultOption(question) {
    return question.options?.find((option) => option.isDefault) ?? question.options?.[0];
}
/** One line, every unseen character shown. */
function showOneLine(text) {
    return (0,_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .showUnseen */ .AZ)(text).replace(/\s+/g, " ").trim();
}


/***/ }),

/***/ 20134:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FI: () => (/* binding */ redactValue),
/* harmony export */   V: () => (/* binding */ REDACTION_MARGIN),
/* harmony export */   XF: () => (/* binding */ REDACTED),
/* harmony export */   lY: () => (/* binding */ createRedactor),
/* harmony export */   xe: () => (/* binding */ redactNothing)
/* harmony export */ });
// Known secrets in texts, as they are and in the forms that a command or a model may give them. Pure.
/** Stands where a secret stood. */
const REDACTED = "[redacted]";
/** Shorter values are words that a text may well have. */
const LEAST_LENGTH = 8;
/** A line of a secret of many lines counts by itself from here on. */
const LEAST_LINE = 16;
/** Characters on each side of a cut that must be looked at before it is made, or half a secret escapes. */
const REDACTION_MARGIN = 64 * 1024;
/** Where nothing is secret. */
const redactNothing = (text) => text;
/**
 * Finds the secrets exactly, in base64 (each alignment, both alphabets), hex, percent-encoded, as in JSON, and reversed,
 * also where white space was put between the characters. Values under 8 characters are not looked for. The time is
 * linear in the text.
 */
function createRedactor(secrets) {
    const forms = new Map();
    for (const secret of secrets.flatMap(partsOf)) {
        for (const form of plainForms(secret))
            addForm(forms, form, { before: 0, after: 0 });
        for (const [form, edges] of base64Forms(secret))
            addForm(forms, form, edges);
    }
    if (forms.size === 0)
        return redactNothing;
    return (text) => {
        if (text.length < LEAST_LENGTH)
            return text;
        const found = findForms(text, forms, (index) => index);
        const closed = text.replace(/\s+/g, "");
        if (closed !== text && findForms(closed, forms, (index) => index).length > 0) {
            const indexes = indexesWithoutSpace(text);
            found.push(...findForms(closed, forms, (index) => indexes[index] ?? 0));
        }
        return found.length === 0 ? text : cutOut(text, found);
    };
}
function redactValue(value, redact) {
    if (redact === redactNothing)
        return value;
    if (typeof value === "string")
        return redact(value);
    if (Array.isArray(value))
        return value.map((item) => redactValue(item, redact));
    if (value instanceof Map) {
        return new Map([...value].map(([key, item]) => [redactValue(key, redact), redactValue(item, redact)]));
    }
    if (!isRecord(value))
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]));
}
function isRecord(value) {
    if (typeof value !== "object" || value === null)
        return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
}
/** The whole secret, and those of its lines that nobody would write by chance. */
function partsOf(secret) {
    const whole = secret?.trim() ?? "";
    if (whole.length < LEAST_LENGTH)
        return [];
    const lines = whole.split(/\r?\n/).map((line) => line.trim());
    if (lines.length === 1)
        return [whole];
    const telling = lines.filter((line) => line.length >= LEAST_LINE && !line.startsWith("-----"));
    return [whole, lines.join("\n"), lines.join("\r\n"), ...telling];
}
function addForm(forms, form, edges) {
    for (const one of [form, form.replace(/\s+/g, "")]) {
        if (one.length >= LEAST_LENGTH && !forms.has(one))
            forms.set(one, edges);
    }
}
function plainForms(secret) {
    const hex = hexOf(bytesOf(secret));
    const json = JSON.stringify(secret).slice(1, -1);
    const percent = percentOf(secret, /[A-Za-z0-9_.~-]/);
    const loose = percentOf(secret, /[A-Za-z0-9_.!~*'()-]/);
    const address = percentOf(secret, /[A-Za-z0-9_.!~*'();/?:@&=+$,#-]/);
    const query = new URLSearchParams([["", secret]]).toString().slice(1);
    const coded = [percent, loose, address, query];
    return [
        secret,
        json,
        JSON.stringify(json).slice(1, -1),
        json.replaceAll("/", "\\/"),
        hex,
        hex.toUpperCase(),
        ...coded,
        ...coded.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
        [...secret].reverse().join(""),
    ];
}
/** What of the encoded secret does not depend on what stands before and after it, for each of the three alignments. */
function base64Forms(secret) {
    const bytes = bytesOf(secret);
    return [0, 1, 2].flatMap((offset) => {
        const padded = String.fromCharCode(...new Array(offset).fill(0), ...bytes);
        const whole = btoa(padded).replace(/=+$/, "");
        const isCut = (offset + bytes.length) % 3 !== 0;
        const core = whole.slice(offset === 0 ? 0 : offset + 1, isCut ? -1 : undefined);
        const edges = { before: offset === 0 ? 0 : 1, after: isCut ? 1 : 0 };
        return [core, core.replaceAll("+", "-").replaceAll("/", "_")].map((form) => [form, edges]);
    });
}
/** `original`: the index in the original text of a character of `text`. */
function findForms(text, forms, original) {
    const found = [];
    for (const [form, { before, after }] of forms) {
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
            let end = Math.min(at + form.length + after, text.length);
            if (after > 0)
                while (text.charAt(end) === "=" && end < at + form.length + 3)
                    end += 1;
            found.push({ from: original(Math.max(at - before, 0)), to: original(end - 1) + 1 });
        }
    }
    return found;
}
/** Where the characters that are no white space stand. */
function indexesWithoutSpace(text) {
    const indexes = new Uint32Array(text.length);
    let count = 0;
    for (const match of text.matchAll(/\S+/g)) {
        for (let at = 0; at < match[0].length; at += 1)
            indexes[count++] = match.index + at;
    }
    return indexes;
}
function cutOut(text, ranges) {
    ranges.sort((a, b) => a.from - b.from);
    let result = "";
    let at = 0;
    for (const { from, to } of ranges) {
        if (from >= at)
            result += `${text.slice(at, from)}${REDACTED}`;
        at = Math.max(at, to);
    }
    return result + text.slice(at);
}
function percentOf(text, kept) {
    return [...text].map((character) => (kept.test(character) ? character : percentEach(character))).join("");
}
function percentEach(character) {
    return [...bytesOf(character)].map((byte) => `%${hexOf([byte]).toUpperCase()}`).join("");
}
function hexOf(bytes) {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function bytesOf(text) {
    return new TextEncoder().encode(text);
}


/***/ }),

/***/ 88929:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gu: () => (/* binding */ isWaiting),
/* harmony export */   Iq: () => (/* binding */ canGoOn),
/* harmony export */   WY: () => (/* binding */ viewSession)
/* harmony export */ });
/* harmony import */ var _conflict_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73445);
/* harmony import */ var _conversation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(62068);
/* harmony import */ var _fold_state_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(90680);
/* harmony import */ var _state_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(94878);
// What a session's lines fold to, for those who only look at it.




/** Folds the lines of a session. */
function viewSession(sessionId, lines) {
    const conversations = new Map();
    const totals = { usage: (0,_conversation_js__WEBPACK_IMPORTED_MODULE_1__/* .noUsage */ .tk)(), costUsd: 0, unpriced: false };
    for (const line of lines.conversation)
        (0,_conversation_js__WEBPACK_IMPORTED_MODULE_1__/* .applyConversationLine */ .s)(conversations, totals, line);
    return { sessionId, state: (0,_fold_state_js__WEBPACK_IMPORTED_MODULE_2__/* .foldEvents */ .v0)(lines.events), conversations, totals };
}
/** True while a question of the task, or of an agent below it, has no answer: nothing of it can go on. */
function isWaiting(state, task) {
    const below = `${task.conversationId}/`;
    return (0,_state_js__WEBPACK_IMPORTED_MODULE_3__/* .openInteractions */ .st)(state).some((request) => request.taskId === task.taskId || request.conversationId.startsWith(below));
}
/** True where a task was begun, has not ended and waits for nobody: a run can go on with it. */
function canGoOn(state) {
    if ((0,_conflict_js__WEBPACK_IMPORTED_MODULE_0__/* .waitsForConflict */ .qZ)(state))
        return false;
    return [...state.tasks.values()].some((task) => (0,_state_js__WEBPACK_IMPORTED_MODULE_3__/* .isOpen */ .nT)(task) && !isWaiting(state, task));
}


/***/ }),

/***/ 94878:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C_: () => (/* binding */ callKey),
/* harmony export */   gn: () => (/* binding */ isUnderWay),
/* harmony export */   mm: () => (/* binding */ isPending),
/* harmony export */   nT: () => (/* binding */ isOpen),
/* harmony export */   pJ: () => (/* binding */ endOf),
/* harmony export */   st: () => (/* binding */ openInteractions)
/* harmony export */ });
/** A model may repeat its call ids in another conversation: the pair is unique. */
function callKey(conversationId, toolCallId) {
    return `${conversationId}\n${toolCallId}`;
}
/** True while an answer would still count. */
function isPending(interaction) {
    return !interaction.response && !interaction.closed;
}
/** Requests that still wait for an answer, oldest first. */
function openInteractions(state) {
    return [...state.interactions.values()].filter(isPending).map((interaction) => interaction.request);
}
/** True while a task's conversation may still go on. */
function isOpen(task) {
    return task?.status === "created" || task?.status === "started";
}
/** True while something of a session may still go on; one that is through may wait for a word about what was pushed over it. */
function isUnderWay(state) {
    return [...state.tasks.values()].some(isOpen) || openInteractions(state).length > 0;
}
/** How a task stands, as people are told: one that its agent skipped was canceled for that reason. */
function endOf({ status, summary }) {
    return status === "canceled" && summary?.status === "skipped" ? "skipped" : status;
}


/***/ }),

/***/ 60851:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ tableLines),
/* harmony export */   x: () => (/* binding */ readTable)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(59437);
/* harmony import */ var _plain_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(89179);
// The content of a Table: rows of named cells, or rows of cells, as a grid and as lines of text. Pure.


/** An array of objects (their keys are the header) or of arrays; undefined for anything else. */
function readTable(content) {
    if (!Array.isArray(content) || content.length === 0)
        return undefined;
    const rows = content;
    if (rows.every((row) => Array.isArray(row))) {
        return { header: [], rows: rows.map((row) => row.map(cellText)) };
    }
    if (!rows.every(_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)) {
        return undefined;
    }
    const named = rows.map((row) => new Map(Object.entries(row)));
    const header = [...new Set(named.flatMap((row) => [...row.keys()]))];
    return { header, rows: named.map((row) => header.map((name) => cellText(row.get(name)))) };
}
/** Columns side by side; undefined for what is no table. */
function tableLines(content) {
    const table = readTable(content);
    if (!table)
        return undefined;
    const rows = [...(table.header.length > 0 ? [table.header] : []), ...table.rows].map((row) => row.map((cell) => (0,_plain_text_js__WEBPACK_IMPORTED_MODULE_0__/* .showUnseen */ .AZ)(cell).replace(/\s+/g, " ").trim()));
    const columns = Math.max(...rows.map((row) => row.length));
    const widths = Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    const lines = rows.map((row) => widths
        .map((width, column) => (row[column] ?? "").padEnd(width))
        .join("  ")
        .trimEnd());
    if (table.header.length > 0)
        lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
    return lines;
}
function cellText(cell) {
    if (cell === undefined || cell === null)
        return "";
    return typeof cell === "string" ? cell : JSON.stringify(cell);
}


/***/ }),

/***/ 99118:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ foldWork),
/* harmony export */   y: () => (/* binding */ applyWorkEvent)
/* harmony export */ });
/** Of all events of a work, in their order. */
function foldWork(events) {
    const state = {
        requestComments: new Map(),
        changedComments: new Map(),
        conflicts: [],
        settled: new Map(),
        refusals: new Map(),
        handled: new Map(),
        acknowledged: new Set(),
        letters: new Set(),
        leaders: new Set(),
        messages: [],
    };
    for (const event of events)
        applyWorkEvent(state, event);
    return state;
}
/** Applies one event in place. */
function applyWorkEvent(state, event) {
    switch (event.type) {
        case "WorkClaimed":
            state.claim = event.payload;
            if (state.leaders.size === 0)
                noteLeaders(state, event.payload);
            return;
        case "WorkReleased":
            if (state.claim?.run !== event.payload.run)
                return;
            delete state.claim;
            if (event.payload.isBehind)
                state.isBehind = true;
            else
                delete state.isBehind;
            return;
        case "WorkClosed":
            state.closed = event.payload;
            return;
        case "PullRequestOpened":
            state.pullRequest = event.payload;
            return;
        case "CommentPosted":
            notePosted(state, event.payload);
            return;
        case "ConflictMet":
            state.conflicts.push(...event.payload.files);
            return;
        case "RequestLost": {
            const { interactionId, changedComment } = event.payload;
            state.requestComments.delete(interactionId);
            if (changedComment !== undefined)
                state.changedComments.set(interactionId, changedComment);
            return;
        }
        case "CommentHandled":
            state.handled.set(event.payload.commentId, event.payload);
            if (state.cursor === undefined || event.payload.createdAt > state.cursor) {
                state.cursor = event.payload.createdAt;
            }
            return;
        case "RequestSettled":
            state.settled.set(event.payload.interactionId, event.payload);
            return;
        case "CommentAcknowledged":
            state.acknowledged.add(event.payload.commentId);
            return;
        case "LetterHandled":
            state.letters.add(event.payload.id);
            return;
        case "MessageLeft":
            state.messages.push(event.payload);
            state.leaders.add(event.payload.actorId);
            return;
        case "MessageDelivered":
            state.messages = state.messages.filter(({ commentId }) => commentId !== event.payload.commentId);
            return;
        case "CheckSaved":
            state.check = event.payload;
            return;
        case "BaseListSeen":
            state.baseList ??= event.payload;
    }
}
function noteLeaders({ leaders }, { actorId, rerunBy }) {
    leaders.add(actorId);
    if (rerunBy !== undefined)
        leaders.add(rerunBy);
}
function notePosted(state, posted) {
    const { role, commentId, authorId, createdAt, interactionId, isCut, answers } = posted;
    state.authorId = authorId;
    if (role === "status")
        state.statusComment = commentId;
    if (interactionId !== undefined) {
        state.requestComments.set(interactionId, { commentId, createdAt, ...(isCut ? { isCut } : {}) });
    }
    if (answers !== undefined)
        state.refusals.set(answers, commentId);
}


/***/ }),

/***/ 77162:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  kL: () => (/* binding */ dependencyDiagnostics),
  VX: () => (/* binding */ findTask),
  zn: () => (/* binding */ readTodo),
  ui: () => (/* binding */ todoBytes)
});

// EXTERNAL MODULE: ./build/config/check-value.js
var check_value = __webpack_require__(55947);
// EXTERNAL MODULE: ./build/config/problem.js
var config_problem = __webpack_require__(58308);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
;// CONCATENATED MODULE: ./build/todo/dependencies.js
/** Every unknown id, then every cycle once; empty when all is sound. */
function findDependencyProblems(tasks) {
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const unknown = tasks.flatMap(({ id, depends_on = [] }) => depends_on
        .filter((needed) => !byId.has(needed))
        .map((needed) => ({ id, message: `depends on ${show(needed)}, and there is no such task` })));
    return [...unknown, ...findCycles(tasks, byId)];
}
/** Depth first without recursion: a chain may be as long as the file. */
function findCycles(tasks, byId) {
    const problems = [];
    const done = new Set();
    for (const { id } of tasks) {
        const way = [];
        const onWay = new Set();
        const enter = (next) => {
            way.push({ id: next, left: [...(byId.get(next)?.depends_on ?? [])] });
            onWay.add(next);
        };
        if (!done.has(id))
            enter(id);
        for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
            const next = here.left.shift();
            if (next === undefined) {
                done.add(here.id);
                onWay.delete(here.id);
                way.pop();
            }
            else if (onWay.has(next)) {
                const cycle = way.map((step) => step.id).slice(way.findIndex((step) => step.id === next));
                problems.push({ id: next, message: `is in a cycle: ${[...cycle, next].map(show).join(" → ")}` });
            }
            else if (byId.has(next) && !done.has(next))
                enter(next);
        }
    }
    return problems;
}
function show(id) {
    return JSON.stringify(id);
}

// EXTERNAL MODULE: ./build/todo/locate.js
var locate = __webpack_require__(46111);
;// CONCATENATED MODULE: ./build/todo/syntax-error.js
/** `offset` of the first thing that is wrong; `message` says what, without the text around it. */
async function findSyntaxError(message, text) {
    const position = /\bposition (\d+)/.exec(message)?.[1];
    if (position !== undefined)
        return { offset: Number(position), message };
    const [, token] = /^(Unexpected token .{1,3}), [\s\S]* is not valid JSON$/su.exec(message) ?? [];
    // Else the end came too early.
    if (token === undefined)
        return { offset: text.length, message };
    return { offset: await findFirstError(text), message: token };
}
async function findFirstError(text) {
    const { parse } = await __webpack_require__.e(/* import() */ 547).then(__webpack_require__.t.bind(__webpack_require__, 99547, 19));
    const errors = [];
    try {
        parse(text, errors, { disallowComments: true });
    }
    catch {
        // Nested deeper than the stack of that parser.
    }
    return errors[0]?.offset ?? text.length;
}

;// CONCATENATED MODULE: ./build/todo/document.js
// A to-do file as text with what it says, or everything that is wrong with it, with lines.







/** Deeper files are nobody's work, and the stack of what edits them is finite. */
const MAX_DEPTH = 200;
/**
 * Reads the bytes of a to-do file. Throws `config-invalid`, naming the line, for what is no JSON object in UTF-8. All
 * other problems are listed at once, each with line, path and what is allowed.
 */
async function readTodo(bytes, path) {
    const whole = decode(bytes, path);
    const hasMark = whole.startsWith("\uFEFF");
    const text = hasMark ? whole.slice(1) : whole;
    const value = await parseObject(text, path);
    const located = (0,locate/* locateTasks */.X)(text);
    if (located.depth > MAX_DEPTH)
        throw notTodo(`${path} is nested more than ${MAX_DEPTH} levels deep.`);
    const { todoFileSchema } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(874)]).then(__webpack_require__.bind(__webpack_require__, 22874));
    const parsed = todoFileSchema.safeParse(value);
    const twice = findRepeatedIds(value.tasks);
    if (parsed.success && twice.length === 0 && located.repeated.length === 0) {
        return {
            kind: "valid",
            document: { path, text, hasMark, file: parsed.data, spans: located.tasks },
        };
    }
    const checked = parsed.success ? [] : (await (0,check_value/* checkValue */.Su)(todoFileSchema, value)).problems;
    const fields = located.repeated.map(({ path: place }) => ({
        path: place,
        field: (0,config_problem/* fieldName */.w5)(place),
        expected: "to stand there once",
        received: "two of it",
    }));
    const problems = [...checked, ...twice, ...fields].slice(0, check_value/* MAX_PROBLEMS */.aZ);
    const diagnostics = await placeProblems(text, path, problems);
    const found = (parsed.error?.issues.length ?? 0) + twice.length + fields.length;
    if (found > check_value/* MAX_PROBLEMS */.aZ) {
        const message = `there is more: only the first ${check_value/* MAX_PROBLEMS */.aZ} problems are looked at`;
        diagnostics.push({ severity: "error", file: path, message });
    }
    return { kind: "broken", broken: { path, text, hasMark, value, diagnostics } };
}
/** What is wrong with `depends_on`, with the lines of the tasks. */
function dependencyDiagnostics({ path, text, file, spans }) {
    const lineOf = lineCounter(text);
    const indexes = new Map(file.tasks.map((task, index) => [task.id, index]));
    return findDependencyProblems(file.tasks).map(({ id, message }) => {
        const index = indexes.get(id) ?? 0;
        const line = lineOf(spans[index]?.start ?? 0);
        const place = `tasks[${index}].depends_on: ${JSON.stringify(id)} ${message}`;
        return { severity: "error", file: path, line, message: place };
    });
}
/** The whole file again, as it is to be written. */
function todoBytes({ text, hasMark }) {
    return new TextEncoder().encode(hasMark ? `\uFEFF${text}` : text);
}
/** By its whole id. */
function findTask(document, id) {
    return document.file.tasks.find((task) => task.id === id);
}
function decode(bytes, path) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch (cause) {
        throw notTodo(`${path} is not UTF-8 text.`, cause);
    }
}
async function parseObject(text, path) {
    let value;
    try {
        value = JSON.parse(text);
    }
    catch (cause) {
        const { offset, message } = await findSyntaxError((0,errors/* messageOf */.bD)(cause), text);
        throw notTodo(`${path}:${lineCounter(text)(offset)}: is not JSON: ${message}.`, cause);
    }
    if ((0,json/* isObject */.Gv)(value))
        return value;
    throw notTodo(`${path} is no JSON object: ${(0,config_problem/* describeReceived */.Jr)(value)}.`);
}
function notTodo(message, cause) {
    const hint = "It was left as it is. Mend it by hand, or move it away to begin anew.";
    return new errors/* LoopliaError */.$K("config-invalid", message, { hint, ...(cause === undefined ? {} : { cause }) });
}
function findRepeatedIds(tasks) {
    const first = new Map();
    return (Array.isArray(tasks) ? tasks : []).flatMap((task, index) => {
        const id = (0,json/* isObject */.Gv)(task) ? task.id : undefined;
        if (typeof id !== "string")
            return [];
        const earlier = first.get(id);
        if (earlier === undefined)
            first.set(id, index);
        const path = ["tasks", index, "id"];
        const received = `${JSON.stringify(id)}, which tasks[${earlier}] has`;
        return earlier === undefined
            ? []
            : [{ path, field: (0,config_problem/* fieldName */.w5)(path), expected: "an id of its own", received }];
    });
}
async function placeProblems(text, path, problems) {
    const { parseTree, findNodeAtLocation } = await __webpack_require__.e(/* import() */ 547).then(__webpack_require__.t.bind(__webpack_require__, 99547, 19));
    const root = parseTree(text);
    const lineOf = lineCounter(text);
    const placed = problems.map((problem) => {
        let node = root;
        // What is missing is missing in the nearest thing around it.
        for (let length = problem.path.length; root && length > 0; length -= 1) {
            const keys = problem.path.slice(0, length).map((key) => (typeof key === "number" ? key : String(key)));
            const found = findNodeAtLocation(root, keys);
            if (!found)
                continue;
            node = found;
            break;
        }
        const message = (0,config_problem/* formatProblem */.Vw)({ ...problem, field: problem.field.replace(/^\(.*\)$/, "the file") });
        return { severity: "error", file: path, line: lineOf(node?.offset ?? 0), message };
    });
    return placed.sort((one, other) => one.line - other.line);
}
/** Lines from 1; a lone carriage return ends none. */
function lineCounter(text) {
    const ends = [];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
        ends.push(at);
    return (offset) => {
        let low = 0;
        let high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((ends[middle] ?? 0) < offset)
                low = middle + 1;
            else
                high = middle;
        }
        return low + 1;
    };
}


/***/ }),

/***/ 46111:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ locateTasks)
/* harmony export */ });
// Where the tasks of a to-do file stand in its text: one pass over text that is known to be JSON. Pure.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Finds the tasks of a JSON object. Never recurses, so depth is no danger. */
function locateTasks(text) {
    const found = { tasks: [], repeated: [], depth: 0 };
    const fields = new Set();
    const own = new Set();
    let depth = 0;
    let field = "";
    let isInTasks = false;
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === QUOTE) {
            const end = endOfString(text, at);
            const isTask = depth === 3 && isInTasks;
            const key = depth === 1 || isTask ? keyIn(text, at, end) : undefined;
            if (key !== undefined) {
                const known = isTask ? own : fields;
                const path = isTask ? ["tasks", found.tasks.length, key] : [key];
                if (known.has(key))
                    found.repeated.push({ path, offset: at });
                known.add(key);
                if (!isTask)
                    field = key;
            }
            at = end - 1;
        }
        else if (code === OPEN_OBJECT || code === OPEN_LIST) {
            depth += 1;
            found.depth = Math.max(found.depth, depth);
            if (depth === 2)
                isInTasks = field === "tasks" && code === OPEN_LIST;
            if (depth === 3)
                start = at;
            if (depth === 3)
                own.clear();
        }
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
            if (depth === 3 && isInTasks)
                found.tasks.push({ start, end: at + 1 });
            depth -= 1;
        }
    }
    return found;
}
/** The index after the closing quote of the string that begins at `at`. */
function endOfString(text, at) {
    for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
        let backslashes = 0;
        while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH)
            backslashes += 1;
        if (backslashes % 2 === 0)
            return end + 1;
    }
    return text.length;
}
/** The string if a colon follows it. */
function keyIn(text, start, end) {
    let next = end;
    while (/\s/.test(text.charAt(next)))
        next += 1;
    if (text.charAt(next) !== ":")
        return undefined;
    const raw = text.slice(start + 1, end - 1);
    return raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
}


/***/ }),

/***/ 82477:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ taskDigest)
/* harmony export */ });
/* harmony import */ var _session_hash_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(17815);
// What a task asks for, as one short hash: an attempt that was begun from something else begins anew.

/** Over what an agent is told to do; states, files and times are left out. */
function taskDigest({ title, details, description, reference, steps }) {
    return (0,_session_hash_js__WEBPACK_IMPORTED_MODULE_0__/* .hashContent */ .s)(JSON.stringify([title, details, description, reference, steps]));
}


/***/ }),

/***/ 98799:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ canonicalize)
/* harmony export */ });
function serializeString (value) {
  if (!value.isWellFormed()) {
    throw new Error('Lone surrogate is not allowed');
  }
  return JSON.stringify(value);
}

function serializePrimitive (value) {
  switch (typeof value) {
    case 'number':
      if (isNaN(value)) {
        throw new Error('NaN is not allowed');
      }
      if (!isFinite(value)) {
        throw new Error('Infinity is not allowed');
      }
      // For finite numbers String(value) would give identical output, but
      // JSON.stringify benchmarks faster on V8.
      return JSON.stringify(value);
    case 'string':
      return serializeString(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      // null, or values JSON.stringify maps to undefined (undefined,
      // functions, symbols).
      return JSON.stringify(value);
  }
}

// Resolves a value to either its serialized primitive form (a string — or
// undefined, for values JSON.stringify drops) or a frame describing the
// container to descend into. Callers distinguish the two cases with
// `typeof result !== 'object'`.
//
// toJSON results are unwrapped here, and the wrapper objects stay in `seen`
// until the resolved subtree is fully serialized, so cycles introduced via
// toJSON are still detected.
function enterValue (value, seen) {
  let wrappers = null;
  while (value !== null && typeof value === 'object' && typeof value.toJSON === 'function') {
    if (seen.has(value)) {
      throw new Error('Circular reference detected');
    }
    seen.add(value);
    (wrappers ??= []).push(value);
    value = value.toJSON();
  }

  // Boxed Number/String/Boolean objects serialize as their primitive values,
  // mirroring how JSON.stringify treats them.
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    value = value.valueOf();
  }

  if (value === null || typeof value !== 'object') {
    if (wrappers !== null) {
      for (const wrapper of wrappers) seen.delete(wrapper);
    }
    return serializePrimitive(value);
  }

  if (seen.has(value)) {
    throw new Error('Circular reference detected');
  }
  seen.add(value);

  return {
    container: value,
    // null marks an array frame; object frames carry their sorted keys.
    // `sort()`'s default comparator orders by UTF-16 code unit, which is the
    // order JCS requires.
    keys: Array.isArray(value) ? null : Object.keys(value).sort(),
    // Next child to serialize; the frame resumes here after a nested
    // container's subtree completes.
    index: 0,
    // Whether no member has been emitted yet (controls comma placement).
    first: true,
    // toJSON wrappers to release from `seen` when this frame completes.
    wrappers
  };
}

function canonicalize (object) {
  if (object === null || typeof object !== 'object') {
    return serializePrimitive(object);
  }

  const seen = new Set();
  const root = enterValue(object, seen);
  if (typeof root !== 'object') {
    // A toJSON chain resolved the input to a primitive.
    return root;
  }

  let result = root.keys === null ? '[' : '{';
  const stack = [root];

  // Depth-first serialization with an explicit stack instead of recursion, so
  // nesting depth is bounded by heap size rather than call-stack size. The top
  // frame is the container currently being serialized: primitive children are
  // appended inline, while a nested container pushes a new frame and jumps
  // back to the outer loop. Because frame.index was already advanced, the
  // parent resumes at its next child once the subtree is done. Opening
  // brackets are emitted when a frame is pushed, closing brackets when it
  // completes.
  outer:
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const container = frame.container;

    // keys === null marks an array frame; otherwise keys holds the object's
    // sorted property names. Either way the iteration counter lives on the
    // frame itself (frame.index), so when a frame is resumed after a nested
    // container completes, the while condition continues at the first
    // unserialized child instead of restarting from the beginning.
    if (frame.keys === null) {
      while (frame.index < container.length) {
        const i = frame.index++;
        if (i > 0) {
          result += ',';
        }
        const element = container[i];
        // Inside arrays, JSON.stringify serializes values with no JSON
        // representation (undefined, symbols, functions) as null.
        const value = element === undefined || typeof element === 'symbol' || typeof element === 'function' ? null : element;
        if (value === null || typeof value !== 'object') {
          result += serializePrimitive(value);
          continue;
        }
        const child = enterValue(value, seen);
        if (typeof child !== 'object') {
          // A toJSON chain resolved the child to an already-serialized
          // primitive — or, when child is undefined, to a value with no JSON
          // representation, which becomes null inside arrays.
          result += child === undefined ? 'null' : child;
          continue;
        }
        result += child.keys === null ? '[' : '{';
        stack.push(child);
        continue outer;
      }
      result += ']';
    } else {
      const keys = frame.keys;
      while (frame.index < keys.length) {
        const key = keys[frame.index++];
        const value = container[key];
        // Inside objects, JSON.stringify omits properties whose value has no
        // JSON representation (undefined, symbols, functions).
        if (value === undefined || typeof value === 'symbol' || typeof value === 'function') {
          continue;
        }
        if (value === null || typeof value !== 'object') {
          // Commas are tracked with a flag rather than the key index: a
          // skipped key must not leave a stray comma behind.
          if (frame.first) {
            frame.first = false;
          } else {
            result += ',';
          }
          result += serializeString(key) + ':' + serializePrimitive(value);
          continue;
        }
        // The child must be resolved before the key is emitted: a toJSON
        // returning a value with no JSON representation drops the whole
        // property.
        const child = enterValue(value, seen);
        if (child === undefined) {
          continue;
        }
        if (frame.first) {
          frame.first = false;
        } else {
          result += ',';
        }
        result += serializeString(key) + ':';
        if (typeof child !== 'object') {
          result += child;
          continue;
        }
        result += child.keys === null ? '[' : '{';
        stack.push(child);
        continue outer;
      }
      result += '}';
    }

    // Frame complete. The container leaves `seen` so that a later, sibling
    // reference to the same object is not mistaken for a cycle.
    seen.delete(container);
    if (frame.wrappers !== null) {
      for (const wrapper of frame.wrappers) seen.delete(wrapper);
    }
    stack.pop();
  }

  return result;
}


/***/ })

};

export const id = 95;
export const ids = [95,291];
export const modules = {

/***/ 5287:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ findUnsoundJson),
/* harmony export */   g: () => (/* binding */ MAX_SENT_BYTES)
/* harmony export */ });
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5897);
// What no artifact may be, whatever its schema: too deep, too large, or not writable as UTF-8 JSON.

const MAX_DEPTH = 100;
const MAX_PROBLEMS = 50;
/** What a model may send at once. */
const MAX_SENT_BYTES = 1024 * 1024;
/** Every reason why a value cannot be an artifact; an empty list for a sound one. Never recurses. */
function findUnsoundJson(value, maxBytes = MAX_SENT_BYTES) {
    if (value === undefined)
        return [problemAt([], "a JSON value", "nothing")];
    const problems = walkJson(value);
    if (problems.length > 0)
        return problems;
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    return bytes > maxBytes ? [problemAt([], `at most ${maxBytes} bytes of JSON`, `${bytes} bytes`)] : [];
}
function walkJson(root) {
    const problems = [];
    const open = [{ value: root, path: [] }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
        const { value, path } = place;
        const problem = judge(value, path);
        if (problem)
            problems.push(problem);
        if (problems.length >= MAX_PROBLEMS)
            return problems;
        if (problem || typeof value !== "object" || value === null)
            continue;
        for (const [key, inner] of Object.entries(value).reverse()) {
            open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
        }
    }
    return problems;
}
function judge(value, path) {
    const key = path.at(-1);
    if (key === "__proto__")
        return problemAt(path, "another name for this field", "the reserved name __proto__");
    if (typeof key === "string" && !key.isWellFormed()) {
        return problemAt(path, "a name in valid Unicode", "a name with half a surrogate pair");
    }
    if (typeof value === "string" && !value.isWellFormed()) {
        return problemAt(path, "text in valid Unicode", "text with half a surrogate pair (U+D800 to U+DFFF)");
    }
    if (path.length > MAX_DEPTH)
        return problemAt(path, `at most ${MAX_DEPTH} levels of nesting`, "deeper nesting");
    return undefined;
}
function problemAt(path, expected, received) {
    return { field: (0,_problem_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldName */ .w5)(path), expected, received };
}


/***/ }),

/***/ 9291:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseManifest: () => (/* binding */ parseManifest)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5156);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9437);
/* harmony import */ var _json_limits_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5287);
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5897);
// Reads `session.json` in its current form and in the older ones (INTERFACE §7).





const VERSION = 1;
const DEFAULT_PIPELINE = "writing-kit";
const OLD_STEP_NAMES = new Map([
    ["analyzing", "summary"],
    ["generating_ideas", "ideas"],
    ["building_outline", "outline"],
    ["assembling_kit", "writing-kit"],
]);
const status = zod__WEBPACK_IMPORTED_MODULE_1__["enum"](["pending", "in_progress", "completed", "failed", "done"]);
const text = zod__WEBPACK_IMPORTED_MODULE_1__.string().nullish();
const stepSchema = zod__WEBPACK_IMPORTED_MODULE_1__.object({
    status,
    contentHash: text,
    inputsHash: text,
    completedAt: text,
    errorMessage: text,
    schemaVersion: text,
});
const manifestSchema = zod__WEBPACK_IMPORTED_MODULE_1__.object({
    version: zod__WEBPACK_IMPORTED_MODULE_1__.literal(VERSION),
    contentId: text,
    source: text,
    pipeline: text,
    desiredOutput: text,
    createdAt: text,
    updatedAt: text,
    sourceHash: text,
    steps: zod__WEBPACK_IMPORTED_MODULE_1__.unknown(),
});
/**
 * `file` ends in `<session-id>/session.json`. `upgraded`: the file lacks fields or has an older form, so write it anew.
 * Throws `config-invalid` naming the file for what is torn, malformed or of a newer version.
 */
function parseManifest(content, file) {
    const raw = readObject(content, file);
    const parsed = manifestSchema.safeParse(raw);
    if (!parsed.success)
        throw malformed(file, parsed.error);
    const known = parsed.data;
    const { steps, isOld } = readSteps(known.steps, file);
    const folder = file.split("/").slice(0, -1);
    const updatedAt = known.updatedAt ?? known.createdAt ?? new Date(0).toISOString();
    const pipeline = known.pipeline ?? DEFAULT_PIPELINE;
    const contentId = folder.at(-1) ?? known.contentId ?? "";
    const manifest = {
        version: VERSION,
        contentId,
        source: known.source || [...folder, "content.md"].join("/"),
        pipeline,
        desiredOutput: known.desiredOutput ?? DEFAULT_PIPELINE,
        createdAt: known.createdAt ?? updatedAt,
        updatedAt,
        ...(known.sourceHash ? { sourceHash: known.sourceHash } : {}),
        steps,
        extra: new Map(Object.entries(raw).filter(([key]) => !Object.hasOwn(manifestSchema.shape, key))),
    };
    const isWhole = known.contentId === contentId &&
        [known.source, known.pipeline, known.desiredOutput, known.createdAt, known.updatedAt].every(Boolean);
    return { manifest, upgraded: isOld || !isWhole };
}
function readObject(content, file) {
    const raw = readJson(content, file);
    const [unsound] = (0,_json_limits_js__WEBPACK_IMPORTED_MODULE_2__/* .findUnsoundJson */ .M)(raw);
    if (unsound)
        throw refusal(file, (0,_problem_js__WEBPACK_IMPORTED_MODULE_3__/* .formatProblem */ .Vw)(unsound));
    if (!(0,_session_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(raw))
        throw refusal(file, "is not a JSON object");
    if (typeof raw.version === "number" && raw.version > VERSION) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: was written by a newer looplia (manifest version ${raw.version}, this one reads ${VERSION})`, { hint: "run the newer version; the file was left as it is" });
    }
    return raw;
}
function readJson(content, file) {
    try {
        return JSON.parse(content.replace(/^\uFEFF/, ""));
    }
    catch (error) {
        throw refusal(file, `is torn or not JSON: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`);
    }
}
function readSteps(raw, file) {
    if (raw !== undefined && !(0,_session_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(raw))
        throw refusal(file, "steps is not an object");
    const steps = new Map();
    let isOld = raw === undefined;
    for (const [key, value] of Object.entries(raw ?? {})) {
        const name = OLD_STEP_NAMES.get(key) ?? key;
        const step = readStep(value, key, file);
        isOld ||= name !== key || step.isOld;
        // Where both names stand, the newer one was written later.
        if (name === key || !steps.has(name))
            steps.set(name, step.state);
    }
    return { steps, isOld };
}
function readStep(raw, name, file) {
    const isShort = typeof raw === "string";
    const parsed = stepSchema.safeParse(isShort ? { status: raw } : raw);
    if (!parsed.success)
        throw malformed(file, parsed.error, ["steps", name]);
    const { status: word, ...recorded } = parsed.data;
    const known = Object.fromEntries(Object.entries(recorded).filter(([, value]) => value));
    const state = { status: word === "done" ? "completed" : word, ...known };
    return { state, isOld: isShort || word === "done" };
}
function malformed(file, error, above = []) {
    const problems = error.issues.map(({ path, message }) => `${(0,_problem_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldName */ .w5)([...above, ...path])}: ${message}`);
    return refusal(file, `is not a session manifest: ${problems.join("; ")}`);
}
function refusal(file, what) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: ${what}`, {
        hint: "restore it from version control, or delete it: the artifacts beside it are then checked and taken over; it was left as it is",
    });
}


/***/ }),

/***/ 5897:
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

/***/ 4009:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C1: () => (/* binding */ wrapText),
/* harmony export */   F2: () => (/* binding */ padText),
/* harmony export */   MT: () => (/* binding */ wrapLines),
/* harmony export */   ax: () => (/* binding */ fitLine),
/* harmony export */   qz: () => (/* binding */ widthOf)
/* harmony export */ });
/* unused harmony export cutText */
/* harmony import */ var string_width__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8314);
/* harmony import */ var wrap_ansi__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6121);
// Lines that fit a terminal: widths count columns, so wide characters count two.


const GRAPHEMES = new Intl.Segmenter();
/** Columns that a plain text takes. */
function widthOf(text) {
    return (0,string_width__WEBPACK_IMPORTED_MODULE_1__/* ["default"] */ .A)(text);
}
/** The text, or as much of it as fits with `…` at its end. Never cuts a character. */
function cutText(text, width) {
    if (width <= 0)
        return "";
    if (widthOf(text) <= width)
        return text;
    let fitting = "";
    let left = width - 1;
    for (const { segment } of GRAPHEMES.segment(text)) {
        left -= widthOf(segment);
        if (left < 0)
            break;
        fitting += segment;
    }
    return `${fitting}…`;
}
/** The segments as one styled line of at most `width` columns; with `isPadded` of exactly that many. */
function fitLine(segments, width, isPadded = false) {
    let left = width;
    let line = "";
    for (const { text, style } of segments) {
        const piece = cutText(text, left);
        left -= widthOf(piece);
        line += style && piece ? style(piece) : piece;
        if (piece !== text)
            break;
    }
    return isPadded ? line + " ".repeat(Math.max(0, left)) : line;
}
/** The text padded with spaces to at least `width` columns. */
function padText(text, width) {
    return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
/** The text in lines of at most `width` columns, broken at spaces where there are any. */
function wrapText(text, width) {
    return (0,wrap_ansi__WEBPACK_IMPORTED_MODULE_0__/* ["default"] */ .A)(text, Math.max(width, 2), { hard: true }).split("\n");
}
/** Each line in lines of at most `width` columns; what goes on stands a little further in than its beginning. */
function wrapLines(text, width) {
    const wrapped = text.split("\n").flatMap((line) => {
        if (widthOf(line) <= width)
            return [line];
        const indent = " ".repeat(Math.min(line.search(/\S|$/), width >> 1));
        const pieces = wrapText(line.trimStart(), width - indent.length - 2);
        return pieces.map((piece, index) => `${indent}${index === 0 ? "" : "  "}${piece}`);
    });
    return wrapped.join("\n");
}


/***/ }),

/***/ 2095:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  sessionLines: () => (/* binding */ sessionLines),
  statusCommand: () => (/* binding */ statusCommand)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(5033);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(9179);
// EXTERNAL MODULE: ./build/session/question-text.js
var question_text = __webpack_require__(9283);
// EXTERNAL MODULE: ./build/entrypoints/cli/fit-line.js
var fit_line = __webpack_require__(4009);
// EXTERNAL MODULE: ./build/entrypoints/cli/next-command.js
var next_command = __webpack_require__(1284);
// EXTERNAL MODULE: ./build/content/parse-manifest.js
var parse_manifest = __webpack_require__(9291);
// EXTERNAL MODULE: ./build/session/conversation.js
var conversation = __webpack_require__(2068);
// EXTERNAL MODULE: ./build/session/state.js
var state = __webpack_require__(4878);
;// CONCATENATED MODULE: ./build/entrypoints/cli/read-sessions.js
// The sessions of a workspace as they stand on disk: no lock, no change.




const FOLDER = ".looplia/contentItem";
/** Newest first. What cannot be read is one sentence in `problems`. */
async function readSessions(sources) {
    const sessions = [];
    const problems = [];
    for (const sessionId of await sources.files.list(FOLDER)) {
        try {
            const report = await readSession(sources, sessionId);
            if (report)
                sessions.push(report);
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* LoopliaError */.$K))
                throw thrown;
            problems.push(thrown.message);
        }
    }
    sessions.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
    return { sessions, problems };
}
async function readSession({ files, readStores }, sessionId) {
    const file = `${FOLDER}/${sessionId}/session.json`;
    const text = await files.read(file);
    if (text === undefined)
        return undefined;
    const { manifest } = (0,parse_manifest.parseManifest)(text, file);
    const stores = await readStores(sessionId);
    const interactions = stores ? (0,state/* openInteractions */.st)((0,state/* foldEvents */.v0)(stores.events)) : [];
    const steps = [...manifest.steps].map(([output, { status, errorMessage }]) => ({
        output,
        status,
        ...(errorMessage === undefined ? {} : { message: errorMessage }),
    }));
    const isDone = manifest.steps.get(manifest.desiredOutput)?.status === "completed";
    const hasFailed = steps.some((step) => step.status === "failed");
    return {
        sessionId,
        source: manifest.source,
        pipeline: manifest.pipeline,
        status: interactions.length > 0 ? "waiting" : isDone ? "completed" : hasFailed ? "failed" : "unfinished",
        createdAt: manifest.createdAt,
        updatedAt: manifest.updatedAt,
        steps,
        interactions,
        totals: totalsOf(stores),
    };
}
function totalsOf(stores) {
    const totals = { usage: (0,conversation/* noUsage */.tk)(), costUsd: 0, unpriced: false };
    const conversations = new Map();
    for (const line of stores?.conversation ?? [])
        (0,conversation/* applyConversationLine */.s)(conversations, totals, line);
    return totals;
}

// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(4235);
// EXTERNAL MODULE: ./build/entrypoints/cli/surface.js
var cli_surface = __webpack_require__(4738);
;// CONCATENATED MODULE: ./build/entrypoints/cli/status.js









/** Lists sessions, or the one that is named. Throws LoopliaError `config-invalid` when there is none of that name. */
async function statusCommand(line, surface, wiring) {
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    (0,resolve_place/* reportPlace */.YM)(surface, { ...found, notices: [] });
    const { root, stateFolder } = found.place;
    const { trusted } = await wiring.readFiles(root);
    const readStores = (sessionId) => wiring.readStores(stateFolder, sessionId);
    const { sessions, problems } = await readSessions({ files: trusted, readStores });
    for (const problem of problems)
        surface.stderr.write(`warning: ${(0,plain_text/* toPlainLine */.Ic)(problem)}\n`);
    const shown = line.topic === undefined ? sessions : sessions.filter((one) => one.sessionId === line.topic);
    if (line.topic !== undefined && shown.length === 0) {
        throw new errors/* LoopliaError */.$K("config-invalid", `There is no session ${line.topic} in ${root}.`, {
            hint: "`looplia status` lists the sessions",
        });
    }
    const kept = (0,next_command/* keptArguments */.d1)(line);
    if (line.isJson) {
        surface.stdout.write(`${JSON.stringify(shown.map((one) => sessionJson(one, kept)), null, 2)}\n`);
        return 0;
    }
    const colors = (0,cli_surface/* colorsFor */.u0)(surface, surface.stdout);
    if (shown.length === 0)
        surface.stdout.write(`No sessions in ${root}.\n`);
    surface.stdout.write(shown
        .map((one) => `${sessionLines(one, { kept, isWhole: line.topic !== undefined }, colors).join("\n")}\n`)
        .join("\n"));
    return 0;
}
/**
 * A session for people: a heading, its steps, its open questions and the command that goes on. `isWhole`: with
 * everything that the questions show.
 */
function sessionLines(session, { kept, isWhole }, colors) {
    const { dim, bold } = colors;
    const { usage, costUsd, unpriced } = session.totals;
    const cost = (0,figures/* isFree */.xp)(usage) ? "" : ` · ${(0,figures/* formatTokens */._y)(usage)} · ${(0,figures/* formatCost */.BD)(unpriced ? null : costUsd)}`;
    const width = Math.max(0, ...session.steps.map((step) => step.output.length));
    const lines = [
        `${mark(session.status, colors)} ${bold(session.sessionId)}  ${session.status}`,
        dim(`  ${(0,plain_text/* toPlainLine */.Ic)(session.source)} through ${(0,plain_text/* toPlainLine */.Ic)(session.pipeline)} · ${session.updatedAt}${cost}`),
        ...session.steps.map((step) => {
            const message = step.message ? `  ${(0,plain_text/* toPlainLine */.Ic)(step.message)}` : "";
            return `  ${mark(step.status, colors)} ${(0,fit_line/* padText */.F2)((0,plain_text/* toPlainLine */.Ic)(step.output), width)}  ${dim(step.status)}${message}`;
        }),
    ];
    for (const request of session.interactions) {
        const [title = "", ...details] = (0,question_text/* questionLines */.Qx)(request);
        lines.push(`  question: ${title} (${request.shortId})`);
        if (isWhole)
            lines.push(...details.map((detail) => `  ${detail}`));
        lines.push(...(0,next_command/* answerCommands */.Tp)(request, kept).map((command) => `    ${command}`));
    }
    if (session.status === "failed" || session.status === "unfinished") {
        lines.push(`  go on: ${(0,next_command/* resumeCommand */.VJ)(session.sessionId, kept)}`);
    }
    return lines;
}
function mark(status, { green, red, yellow, dim }) {
    switch (status) {
        case "completed":
            return green("✓");
        case "failed":
            return red("✗");
        case "waiting":
            return yellow("?");
        case "in_progress":
        case "unfinished":
            return yellow("■");
        default:
            return dim("○");
    }
}
function sessionJson({ totals, interactions, ...session }, kept) {
    return {
        ...session,
        interactions: interactions.map((request) => ({
            interactionId: request.interactionId,
            shortId: request.shortId,
            kind: request.kind,
            title: request.display.title,
            options: request.options ?? [],
            commands: (0,next_command/* answerCommands */.Tp)(request, kept),
        })),
        usage: totals.usage,
        costUsd: totals.unpriced ? null : totals.costUsd,
    };
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

/***/ 9437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Ks: () => (/* binding */ auditable),
/* harmony export */   cZ: () => (/* binding */ isWellFormedJson),
/* harmony export */   fE: () => (/* binding */ isShallow)
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
/** A JSON object, not an array. */
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
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


/***/ }),

/***/ 4878:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C_: () => (/* binding */ callKey),
/* harmony export */   Z8: () => (/* binding */ applyEvent),
/* harmony export */   nT: () => (/* binding */ isOpen),
/* harmony export */   p$: () => (/* binding */ emptyState),
/* harmony export */   st: () => (/* binding */ openInteractions),
/* harmony export */   v0: () => (/* binding */ foldEvents)
/* harmony export */ });
/** A model may repeat its call ids in another conversation: the pair is unique. */
function callKey(conversationId, toolCallId) {
    return `${conversationId}\n${toolCallId}`;
}
function emptyState() {
    return { tasks: new Map(), interactions: new Map(), calls: new Map() };
}
/** Applies one event in place. An event about something unknown changes nothing. */
function applyEvent(state, event) {
    switch (event.type) {
        case "TaskCreated":
            state.tasks.set(event.payload.taskId, {
                ...event.payload,
                status: "created",
                attempt: (state.tasks.get(event.payload.taskId)?.attempt ?? 0) + 1,
                accepted: new Map(),
                refusals: new Map(),
            });
            return;
        case "TaskStarted":
            setStatus(state, event.payload.taskId, "started");
            return;
        case "TaskCompleted":
            endTask(state, event.payload.taskId, "completed");
            return;
        case "TaskFailed":
            endTask(state, event.payload.taskId, "failed");
            return;
        case "TaskCanceled":
            endTask(state, event.payload.taskId, "canceled");
            return;
        case "UserInteractionRequested":
            state.interactions.set(event.payload.interactionId, { request: event.payload });
            return;
        case "UserInteractionResponded": {
            const interaction = state.interactions.get(event.payload.interactionId);
            if (interaction && !interaction.response && !interaction.closed)
                interaction.response = event.payload;
            return;
        }
        case "ToolCallStarted":
            state.calls.set(callKey(event.payload.conversationId, event.payload.toolCallId), {});
            return;
        case "ToolCallSettled":
            state.calls.set(callKey(event.payload.conversationId, event.payload.toolCallId), {
                outcome: event.payload.outcome,
            });
            return;
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
function foldEvents(events) {
    const state = emptyState();
    for (const event of events)
        applyEvent(state, event);
    return state;
}
/** Requests that still wait for an answer, oldest first. */
function openInteractions(state) {
    return [...state.interactions.values()]
        .filter((interaction) => !interaction.response && !interaction.closed)
        .map((interaction) => interaction.request);
}
/** True while a task's conversation may still go on. */
function isOpen(task) {
    return task?.status === "created" || task?.status === "started";
}
function setStatus(state, taskId, status) {
    const task = state.tasks.get(taskId);
    if (task)
        task.status = status;
}
function endTask(state, taskId, status) {
    setStatus(state, taskId, status);
    for (const interaction of state.interactions.values()) {
        if (interaction.request.taskId === taskId && !interaction.response)
            interaction.closed = true;
    }
}


/***/ })

};

"use strict";
exports.id = 814;
exports.ids = [814,958];
exports.modules = {

/***/ 6958:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseManifest: () => (/* binding */ parseManifest)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5156);
/* harmony import */ var _config_json_limits_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(711);
/* harmony import */ var _config_problem_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7849);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9984);
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(56);
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
    const [unsound] = (0,_config_json_limits_js__WEBPACK_IMPORTED_MODULE_2__/* .findUnsoundJson */ .M)(raw);
    if (unsound)
        throw refusal(file, (0,_config_problem_js__WEBPACK_IMPORTED_MODULE_3__/* .formatProblem */ .Vw)(unsound));
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
    const problems = error.issues.map(({ path, message }) => `${(0,_config_problem_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldName */ .w5)([...above, ...path])}: ${message}`);
    return refusal(file, `is not a session manifest: ${problems.join("; ")}`);
}
function refusal(file, what) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: ${what}`, {
        hint: "restore it from version control, or delete it: the artifacts beside it are then checked and taken over; it was left as it is",
    });
}


/***/ }),

/***/ 643:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

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


/***/ }),

/***/ 7814:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  statusCommand: () => (/* binding */ statusCommand)
});

// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(7686);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9984);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(8850);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(9150);
// EXTERNAL MODULE: ./build/session/question-text.js + 1 modules
var question_text = __webpack_require__(8171);
// EXTERNAL MODULE: ./build/entrypoints/cli/fit-line.js
var fit_line = __webpack_require__(643);
// EXTERNAL MODULE: ./build/entrypoints/cli/next-command.js
var next_command = __webpack_require__(1113);
// EXTERNAL MODULE: ./build/content/parse-manifest.js
var parse_manifest = __webpack_require__(6958);
// EXTERNAL MODULE: ./build/session/conversation.js
var conversation = __webpack_require__(425);
// EXTERNAL MODULE: ./build/session/fold-state.js
var fold_state = __webpack_require__(1473);
// EXTERNAL MODULE: ./build/session/state.js
var session_state = __webpack_require__(7025);
;// CONCATENATED MODULE: ./build/entrypoints/cli/read-sessions.js
// The sessions of a workspace as they stand on disk: no lock, no change.





const FOLDER = ".looplia/contentItem";
/** Newest first. */
async function readSessions(sources) {
    const sessions = [];
    const damaged = [];
    for (const sessionId of await sources.files.list(FOLDER)) {
        try {
            const report = await readSession(sources, sessionId);
            if (report)
                sessions.push(report);
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* LoopliaError */.$K))
                throw thrown;
            const { message, hint } = thrown;
            damaged.push({ sessionId, status: "damaged", message, ...(hint === undefined ? {} : { hint }) });
        }
    }
    sessions.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
    return { sessions, damaged };
}
async function readSession({ files, readStores }, sessionId) {
    const file = `${FOLDER}/${sessionId}/session.json`;
    const text = await files.read(file);
    if (text === undefined)
        return undefined;
    const { manifest } = (0,parse_manifest.parseManifest)(text, file);
    const stores = await readStores(sessionId);
    const interactions = stores ? (0,session_state/* openInteractions */.st)((0,fold_state/* foldEvents */.v0)(stores.events)) : [];
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

// EXTERNAL MODULE: ./build/session/session-view.js
var session_view = __webpack_require__(9300);
;// CONCATENATED MODULE: ./build/entrypoints/cli/read-task-sessions.js
// The sessions of to-do files as their stores tell them: no lock, no change.



/** Sessions and their to-do files: where one isn't known it is `todo`. What can't be read is told as damaged. */
async function readTaskSessions(listed, readStores, { todo, isDone }) {
    const sessions = [];
    const damaged = [];
    for (const { sessionId, source = todo } of listed) {
        try {
            const stored = await readStores(sessionId);
            if (stored)
                sessions.push(reportOf({ sessionId, source, isDone: await isDone(source) }, stored));
        }
        catch (thrown) {
            if (!(thrown instanceof errors/* LoopliaError */.$K))
                throw thrown;
            const { message, hint } = thrown;
            damaged.push({ sessionId, status: "damaged", message, ...(hint === undefined ? {} : { hint }) });
        }
    }
    return { sessions, damaged };
}
function reportOf({ sessionId, source, isDone }, stored) {
    const { state, totals } = (0,session_view/* viewSession */.WY)(sessionId, stored);
    const tasks = [...state.tasks.values()];
    const interactions = (0,session_state/* openInteractions */.st)(state);
    const day = /\d{4}-\d\d-\d\d/.exec(sessionId)?.[0] ?? "";
    return {
        sessionId,
        source,
        pipeline: "tasks",
        // A blocked task is tried again: it ends no list.
        status: interactions.length > 0 ? "waiting" : isDone ? "completed" : "unfinished",
        createdAt: day,
        updatedAt: day,
        steps: tasks.map((task) => ({ output: task.taskId, status: statusOf(task) })),
        interactions,
        totals,
    };
}
function statusOf(task) {
    return (0,session_state/* isOpen */.nT)(task) ? "in_progress" : (0,session_state/* endOf */.pJ)(task);
}

// EXTERNAL MODULE: ./build/entrypoints/cli/read-tasks.js
var read_tasks = __webpack_require__(4035);
// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(8700);
// EXTERNAL MODULE: ./build/entrypoints/cli/surface.js
var cli_surface = __webpack_require__(2237);
;// CONCATENATED MODULE: ./build/entrypoints/cli/status.js












/** Lists sessions, or the one that is named. Throws LoopliaError `config-invalid` when there is none of that name. */
async function statusCommand(line, surface, wiring) {
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    (0,resolve_place/* reportPlace */.YM)(surface, { ...found, notices: [] });
    const { root, stateFolder, settings } = found.place;
    const { trusted } = await wiring.readFiles(root);
    const readStores = wiring.readStores(stateFolder, settings.stateKey);
    const content = await readSessions({ files: trusted, readStores });
    const isDone = (source) => (0,read_tasks/* isListDone */.Fu)(trusted, source);
    const listed = await wiring.taskSessions(stateFolder);
    const tasks = await readTaskSessions(listed, readStores, { todo: settings.todo, isDone });
    const sessions = [...tasks.sessions, ...content.sessions];
    const damaged = [...tasks.damaged, ...content.damaged];
    const isShown = ({ sessionId }) => [undefined, sessionId].includes(line.topic);
    const shown = [...sessions, ...damaged].filter(isShown);
    if (line.topic !== undefined && shown.length === 0) {
        throw new errors/* LoopliaError */.$K("config-invalid", `There is no session ${line.topic} in ${root}.`, {
            hint: "`looplia status` lists the sessions",
        });
    }
    const kept = (0,next_command/* keptArguments */.d1)(line);
    if (line.isJson) {
        surface.stdout.write(`${JSON.stringify(shown.map((one) => (one.status === "damaged" ? one : sessionJson(one, kept))), null, 2)}\n`);
        return 0;
    }
    const colors = (0,cli_surface/* colorsFor */.u0)(surface, surface.stdout);
    if (line.topic === undefined)
        await showTasks(found.place.settings.todo, trusted, surface);
    if (shown.length === 0)
        surface.stdout.write(`No sessions in ${root}.\n`);
    const view = { kept, isWhole: line.topic !== undefined, now: new Date() };
    const texts = shown.map((one) => one.status === "damaged" ? damagedLines(one, colors) : sessionLines(one, view, colors));
    surface.stdout.write(texts.map((lines) => `${lines.join("\n")}\n`).join("\n"));
    return 0;
}
function damagedLines({ sessionId, status, message, hint }, colors) {
    const told = [message, hint ?? ""].filter((text) => text !== "").map((text) => `  ${(0,plain_text/* toPlainLine */.Ic)(text)}`);
    return [`${mark("failed", colors)} ${colors.bold(sessionId)}  ${status}`, ...told];
}
/** The task list in numbers, if there is one. What is wrong with it is a warning. */
async function showTasks(path, files, surface) {
    const warn = (text) => surface.stderr.write(`warning: ${(0,plain_text/* toPlainLine */.Ic)(text)}\n`);
    const list = await (0,read_tasks/* readTasks */.j9)(files, path).catch((thrown) => {
        if (!(thrown instanceof errors/* LoopliaError */.$K))
            throw thrown;
        warn((0,errors/* explain */.WE)(thrown));
    });
    if (!list)
        return;
    for (const diagnostic of list.diagnostics)
        warn((0,diagnostics/* formatDiagnostic */.x)(diagnostic));
    if (list.tasks.length > 0)
        surface.stdout.write(`${path}: ${(0,read_tasks/* countTasks */.g6)(list.tasks)}\n\n`);
}
/**
 * A session for people: a heading, its steps, its open questions and the command that goes on. `isWhole`: with
 * everything that the questions show. One that is not to be answered any more shows how its session goes on instead.
 */
function sessionLines(session, { kept, isWhole, now }, colors) {
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
        const [title = "", ...details] = (0,question_text/* askedLines */.QO)(request);
        lines.push(`  question: ${title} (${request.shortId})`);
        if (isWhole)
            lines.push(...details.map((detail) => `  ${detail}`));
        const { expiresAt } = request;
        const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
        const commands = isExpired
            ? [`expired at ${expiresAt}; this ends what waited for it:`, (0,next_command/* resumeCommand */.VJ)(session.sessionId, kept)]
            : (0,next_command/* answerCommands */.Tp)(request, kept);
        lines.push(...commands.map((command) => `    ${command}`));
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
        interactions: interactions.map((request) => (0,next_command/* questionJson */.tr)(request, kept)),
        usage: totals.usage,
        costUsd: totals.unpriced ? null : totals.costUsd,
    };
}


/***/ })

};
;
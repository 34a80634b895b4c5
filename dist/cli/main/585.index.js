"use strict";
exports.id = 585;
exports.ids = [585];
exports.modules = {

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

/***/ 1585:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   lsCommand: () => (/* binding */ lsCommand)
/* harmony export */ });
/* harmony import */ var _config_suggest_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5248);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9984);
/* harmony import */ var _session_plain_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9150);
/* harmony import */ var _todo_natural_order_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3100);
/* harmony import */ var _fit_line_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(643);
/* harmony import */ var _read_tasks_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4035);
/* harmony import */ var _resolve_place_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8700);
/* harmony import */ var _surface_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2237);
// `ls <status>`: the tasks of the task list that have a status.








/** Prints id, priority and title of each, or whole tasks as JSON. */
async function lsCommand(line, surface, wiring) {
    const { topic } = line;
    if (topic === undefined || !_read_tasks_js__WEBPACK_IMPORTED_MODULE_4__/* .STATUSES */ .f.some((status) => status === topic)) {
        const message = topic === undefined ? "`ls` needs a status." : `There is no status ${JSON.stringify(topic)}.`;
        const near = topic === undefined ? undefined : (0,_config_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(topic, _read_tasks_js__WEBPACK_IMPORTED_MODULE_4__/* .STATUSES */ .f);
        const hint = near ?? `write \`looplia ls ${_read_tasks_js__WEBPACK_IMPORTED_MODULE_4__/* .STATUSES */ .f.join("|")} [<folder>]\``;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .LoopliaError */ .$K("config-invalid", message, { hint });
    }
    const found = await (0,_resolve_place_js__WEBPACK_IMPORTED_MODULE_5__/* .findPlace */ .Pj)(surface, line.folder, line.overrides);
    (0,_resolve_place_js__WEBPACK_IMPORTED_MODULE_5__/* .reportPlace */ .YM)(surface, { ...found, notices: [] });
    const { trusted } = await wiring.readFiles(found.place.root);
    const tasks = (await (0,_read_tasks_js__WEBPACK_IMPORTED_MODULE_4__/* .requireTasks */ .c4)(trusted, found.place.settings.todo))
        .filter((task) => task.status === topic)
        .sort((one, other) => one.priority - other.priority || (0,_todo_natural_order_js__WEBPACK_IMPORTED_MODULE_6__/* .compareIds */ .q)(one.id, other.id));
    if (line.isJson) {
        surface.stdout.write(`${JSON.stringify(tasks, null, 2)}\n`);
        return 0;
    }
    const { dim } = (0,_surface_js__WEBPACK_IMPORTED_MODULE_7__/* .colorsFor */ .u0)(surface, surface.stdout);
    const width = Math.max(0, ...tasks.map((task) => (0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_2__/* .toPlainLine */ .Ic)(task.id).length));
    surface.stdout.write(tasks.map((task) => taskLine(task, width, dim)).join(""));
    return 0;
}
function taskLine(task, width, dim) {
    const why = task.status === "blocked" ? task.blockers?.at(-1) : undefined;
    const more = why === undefined ? "" : dim(`  ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_2__/* .toPlainLine */ .Ic)(why)}`);
    const id = (0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .padText */ .F2)((0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_2__/* .toPlainLine */ .Ic)(task.id), width);
    return `${id}  ${dim(`p${task.priority}`)}  ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_2__/* .toPlainLine */ .Ic)(task.title)}${more}\n`;
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

/***/ 3100:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ compareIds)
/* harmony export */ });
// The order of ids as people count: T2 before T10, A10 before B2. Pure, and the same on every machine.
/** Negative when `one` comes first. Runs of ASCII digits count as numbers; equal ones fall back to code units. */
function compareIds(one, other) {
    if (one === other)
        return 0;
    const parts = one.match(/[0-9]+|[^0-9]+/g) ?? [];
    const others = other.match(/[0-9]+|[^0-9]+/g) ?? [];
    for (const [at, part] of parts.entries()) {
        const against = others[at];
        if (against === undefined)
            return 1;
        const order = compareParts(part, against);
        if (order !== 0)
            return order;
    }
    return parts.length < others.length ? -1 : one < other ? -1 : 1;
}
function compareParts(one, other) {
    if (/^[0-9]/.test(one) && /^[0-9]/.test(other)) {
        const digits = one.replace(/^0+/, "");
        const against = other.replace(/^0+/, "");
        if (digits.length !== against.length)
            return digits.length - against.length;
        return digits === against ? 0 : digits < against ? -1 : 1;
    }
    return one === other ? 0 : one < other ? -1 : 1;
}


/***/ })

};
;
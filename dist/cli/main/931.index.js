"use strict";
exports.id = 931;
exports.ids = [931];
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

/***/ 6931:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   helpText: () => (/* binding */ helpText)
/* harmony export */ });
/* harmony import */ var _config_suggest_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5248);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9984);
/* harmony import */ var _commands_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(870);
/* harmony import */ var _fit_line_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(643);
/* harmony import */ var _flags_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1073);
// Help is made from the tables of commands and settings.





const EXIT_CODES = [
    ["0", "completed, or nothing to do"],
    ["1", "failed"],
    ["2", "bad usage or configuration"],
    ["3", "waits for a person: the command to answer with is printed"],
    ["4", "stopped by a limit, the clock or a signal: everything is saved"],
];
/** The help of a command, or of all. Throws LoopliaError `config-invalid` for an unknown command. */
function helpText(topic, width) {
    const columns = Math.min(Math.max(width, 40), 110);
    if (topic === undefined || topic === "help")
        return overview(columns).join("\n");
    const command = _commands_js__WEBPACK_IMPORTED_MODULE_2__/* .commandsByName */ .$.get(topic);
    if (command)
        return commandHelp(command, columns).join("\n");
    const hint = (0,_config_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(topic, _commands_js__WEBPACK_IMPORTED_MODULE_2__/* .commandsByName */ .$.keys()) ?? "`looplia help` lists the commands";
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .LoopliaError */ .$K("config-invalid", `There is no command ${JSON.stringify(topic)}.`, { hint });
}
function overview(columns) {
    return [
        "looplia: content becomes artifacts, a task list is worked through, and a person is asked where it matters",
        "",
        "Usage: looplia [<command>] [<flags>] [<folder of the repository>]",
        "",
        "Commands",
        ...table(_commands_js__WEBPACK_IMPORTED_MODULE_2__/* .commandDefinitions */ .a.map((command) => [`${command.name} ${command.own}`.trim(), command.summary]), columns),
        "",
        "`looplia help <command>` shows its flags. All but --file, --agent, --comment, --follow, --json and --help are settings as well: variables LOOPLIA_<NAME> and, secrets aside, keys of looplia.yml.",
        "",
        "Exit codes",
        ...table(EXIT_CODES, columns),
    ].flatMap((line) => (line.startsWith(" ") ? [line] : (0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .wrapText */ .C1)(line, columns)));
}
function commandHelp(command, columns) {
    const folder = command.takesFolder ? " [<folder of the repository>]" : "";
    const own = command.own ? ` ${command.own}` : "";
    const flags = (0,_flags_js__WEBPACK_IMPORTED_MODULE_4__/* .flagNamesOf */ .i)(command).flatMap((name) => {
        const flag = _flags_js__WEBPACK_IMPORTED_MODULE_4__/* .flagsByName */ .c.get(name);
        if (!flag?.description)
            return [];
        return [[`--${name}${flag.value === undefined ? "" : ` <${flag.value}>`}`, flag.description]];
    });
    return [
        ...(0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .wrapText */ .C1)(command.summary, columns),
        "",
        ...(0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .wrapText */ .C1)(`Usage: looplia ${command.name}${own} [<flags>]${folder}`, columns),
        ...(command.details.length ? ["", ...command.details.flatMap((line) => (0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .wrapText */ .C1)(line, columns))] : []),
        "",
        "Flags",
        ...table(flags, columns),
    ];
}
/** Two columns; a long name stands on a line of its own. */
function table(rows, columns) {
    const nameWidth = Math.min(30, columns >> 1, Math.max(...rows.map(([name]) => name.length)));
    const indent = " ".repeat(nameWidth + 4);
    return rows.flatMap(([name, description]) => {
        const lines = (0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .wrapText */ .C1)(description.replaceAll("`", ""), columns - indent.length);
        const isLong = name.length > nameWidth;
        const head = isLong
            ? (0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .wrapText */ .C1)(name, columns - 2).map((line) => `  ${line}`)
            : [`  ${(0,_fit_line_js__WEBPACK_IMPORTED_MODULE_3__/* .padText */ .F2)(name, nameWidth)}  ${lines.shift() ?? ""}`];
        return [...head, ...lines.map((line) => indent + line)];
    });
}


/***/ })

};
;
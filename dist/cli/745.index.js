export const id = 745;
export const ids = [745];
export const modules = {

/***/ 8745:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createTerminalHost: () => (/* binding */ createTerminalHost)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _session_question_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9283);


const MAY_BE_EMPTY = " (may stay empty)";
/**
 * `ask` throws LoopliaError `interrupted` when Ctrl-C or the signal ends the question; it stays open.
 */
function createTerminalHost(options) {
    let last = Promise.resolve();
    return {
        canAsk: true,
        ask(request, signal) {
            if (!options.isInteractive)
                return Promise.resolve("later");
            const asked = last.then(() => askInPlace(request, signal, options));
            last = asked.catch(() => undefined);
            return asked;
        },
        async taskEnded() { },
    };
}
async function askInPlace(request, signal, options) {
    if (signal.aborted)
        throw interrupted(request);
    const prompts = await __webpack_require__.e(/* import() */ 170).then(__webpack_require__.bind(__webpack_require__, 6170));
    options.screen.pause();
    try {
        options.output.write(`\n${describe(request, options.colors).join("\n")}\n`);
        const answer = await promptFor(request, prompts, signal, options);
        return { answer, actorId: options.actorId };
    }
    finally {
        options.screen.resume();
    }
}
function describe(request, colors) {
    const lines = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_1__/* .detailLines */ .ZN)(request);
    const isDiff = request.display.contentKind === "Diff";
    return [
        colors.dim(`question ${request.shortId} · ${request.interactionId}`),
        ...(isDiff ? lines.map((line) => paintDiffLine(line, colors)) : lines),
    ];
}
function paintDiffLine(line, colors) {
    if (/^(\+\+\+|---|Index:|===)/.test(line))
        return colors.bold(line);
    if (line.startsWith("+"))
        return colors.green(line);
    if (line.startsWith("-"))
        return colors.red(line);
    return line.startsWith("@@") ? colors.cyan(line) : line;
}
async function promptFor(request, prompts, signal, options) {
    const streams = { input: options.input, output: options.output, signal };
    const taken = (value) => {
        if (typeof value !== "symbol")
            return value ?? "";
        options.interrupt();
        throw interrupted(request);
    };
    const message = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_1__/* .showOneLine */ .E)(request.display.title);
    if (request.kind === "Input" || request.kind === "Composite") {
        const validate = async (value = "") => refusalOf(await options.check(request, { inputValue: value }));
        const hint = (await validate()) === undefined ? MAY_BE_EMPTY : "";
        return { inputValue: taken(await prompts.text({ ...streams, message: message + hint, validate })) };
    }
    const initialValue = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_1__/* .defaultOption */ .hd)(request)?.id;
    const selectedOptionId = taken(await prompts.select({
        ...streams,
        message,
        options: (request.options ?? []).map(({ id, label }) => ({
            value: id,
            label: (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_1__/* .showOneLine */ .E)(label || id),
        })),
        ...(initialValue === undefined ? {} : { initialValue }),
    }));
    if (request.kind !== "Confirm" || selectedOptionId !== "reject")
        return { selectedOptionId };
    const reason = taken(await prompts.text({ ...streams, message: `Why?${MAY_BE_EMPTY}` }));
    return reason.trim() === "" ? { selectedOptionId } : { selectedOptionId, comment: reason };
}
function refusalOf(checked) {
    return checked.ok ? undefined : `Expected ${checked.expected}.`;
}
function interrupted(request) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("interrupted", `Interrupted at question ${request.shortId}; it stays open.`);
}


/***/ })

};

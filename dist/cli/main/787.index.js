"use strict";
exports.id = 787;
exports.ids = [787];
exports.modules = {

/***/ 6168:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createDemoHost: () => (/* binding */ createDemoHost)
/* harmony export */ });
/* harmony import */ var _session_question_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8171);

/**
 * `approves`: says yes to every Confirm; its commands are then the program's own. Takes the default option of every other
 * question; to a question without options it says that it has no preference.
 */
function createDemoHost(options) {
    return {
        canAsk: true,
        async ask(request) {
            const { answer, said } = decide(request, options.approves === true);
            const [title = "", ...details] = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .askedLines */ .QO)(request);
            const lines = [`? ${title} (${request.shortId})`, ...details.map((line) => `  ${line}`), `  → ${said}`];
            options.print(`${lines.join("\n")}\n`);
            return { answer, actorId: "terminal:demo" };
        },
        async secure() { },
        async taskEnded() { },
    };
}
function decide(request, approves) {
    if (approves && request.kind === "Confirm") {
        return { answer: { selectedOptionId: "approve" }, said: "the demo approves" };
    }
    const option = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .defaultOption */ .hd)(request);
    if (option) {
        return {
            answer: { selectedOptionId: option.id },
            said: `the demo takes the default: ${(0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .optionText */ .re)(option)}`,
        };
    }
    if (request.fields) {
        const inputValue = JSON.stringify(Object.fromEntries(request.fields.map((field) => [field.id, (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .defaultOption */ .hd)(field)?.id ?? "No preference."])));
        return { answer: { inputValue }, said: `the demo takes the defaults: ${inputValue}` };
    }
    return { answer: { inputValue: "No preference." }, said: "the demo answers: No preference." };
}


/***/ })

};
;
export const id = 789;
export const ids = [789];
export const modules = {

/***/ 3789:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createDemoHost: () => (/* binding */ createDemoHost)
/* harmony export */ });
/* harmony import */ var _session_question_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9283);

/** Takes the default option of every question; to a question without options it says that it has no preference. */
function createDemoHost(options) {
    return {
        canAsk: true,
        async ask(request) {
            const { answer, said } = decide(request);
            const [title = "", ...details] = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .questionLines */ .Qx)(request);
            const lines = [`? ${title} (${request.shortId})`, ...details.map((line) => `  ${line}`), `  → ${said}`];
            options.print(`${lines.join("\n")}\n`);
            return { answer, actorId: "terminal:demo" };
        },
        async taskEnded() { },
    };
}
function decide(request) {
    const option = (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .defaultOption */ .hd)(request);
    if (option) {
        return {
            answer: { selectedOptionId: option.id },
            said: `the demo takes the default: ${(0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .optionText */ .re)(option)}`,
        };
    }
    return { answer: { inputValue: "No preference." }, said: "the demo answers: No preference." };
}


/***/ })

};

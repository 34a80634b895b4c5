export const id = 732;
export const ids = [732];
export const modules = {

/***/ 24732:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   APIConnectionError: () => (/* reexport safe */ _anthropic_ai_sdk_core_error__WEBPACK_IMPORTED_MODULE_0__.xX),
/* harmony export */   APIError: () => (/* reexport safe */ _anthropic_ai_sdk_core_error__WEBPACK_IMPORTED_MODULE_0__.LG),
/* harmony export */   MessagesClient: () => (/* binding */ MessagesClient)
/* harmony export */ });
/* harmony import */ var _anthropic_ai_sdk_client__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(74850);
/* harmony import */ var _anthropic_ai_sdk_resources_messages_messages__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(25022);
/* harmony import */ var _anthropic_ai_sdk_core_error__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(25064);
// The part of the SDK that is used. Bundlers leave out the rest, which is most of it and would be read at each start.



/** A client of the Messages API and of nothing else. */
class MessagesClient extends _anthropic_ai_sdk_client__WEBPACK_IMPORTED_MODULE_1__/* .BaseAnthropic */ .q {
    messages = new _anthropic_ai_sdk_resources_messages_messages__WEBPACK_IMPORTED_MODULE_2__/* .Messages */ .B2(this);
}


/***/ })

};

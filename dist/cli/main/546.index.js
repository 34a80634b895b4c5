"use strict";
exports.id = 546;
exports.ids = [546];
exports.modules = {

/***/ 8546:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   versionCommand: () => (/* binding */ versionCommand)
/* harmony export */ });
/** One `name value` a line, or the same as JSON. */
function versionCommand(line, surface, wiring) {
    const models = Object.fromEntries(wiring.defaultModels);
    const fields = { looplia: wiring.version, node: process.version, models };
    if (line.isJson) {
        surface.stdout.write(`${JSON.stringify(fields, null, 2)}\n`);
        return 0;
    }
    const rows = [["looplia", fields.looplia], ["node", fields.node], ...wiring.defaultModels];
    surface.stdout.write(rows.map(([name, value]) => `${name} ${value}\n`).join(""));
    return 0;
}


/***/ })

};
;
"use strict";
exports.id = 363;
exports.ids = [363];
exports.modules = {

/***/ 6363:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   selectItems: () => (/* binding */ selectItems)
/* harmony export */ });
/* harmony import */ var picomatch__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4006);
/* harmony import */ var picomatch__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(picomatch__WEBPACK_IMPORTED_MODULE_0__);
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
    const isItem = picomatch__WEBPACK_IMPORTED_MODULE_0___default()(wanted, { nonegate: true, ignore: [...unwanted, ".git/**", ".looplia/**"] });
    return paths.filter((path) => isItem(path)).sort();
}
function plain(glob) {
    return glob.trim().replace(/^(\.\/)+/, "");
}


/***/ })

};
;
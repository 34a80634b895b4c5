export const id = 630;
export const ids = [630];
export const modules = {

/***/ 14630:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   uploadFolder: () => (/* binding */ uploadFolder)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(19473);
/* harmony import */ var _durable_file_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(63861);
// Uploads a folder as a workflow artifact. The package is large and is loaded at the upload only.




/**
 * Uploads the regular files below `folder` under `name`, which must be new in this run. The artifact's id, or undefined
 * when there is no file. Fails with `host-failed`, on servers without this service (GHES) as well.
 */
async function uploadFolder(upload) {
    const files = await regularFiles(upload.folder);
    if (files.length === 0)
        return undefined;
    const { DefaultArtifactClient } = await Promise.all(/* import() */[__webpack_require__.e(251), __webpack_require__.e(659), __webpack_require__.e(730), __webpack_require__.e(82)]).then(__webpack_require__.bind(__webpack_require__, 85082));
    const options = { retentionDays: upload.retentionDays };
    const request = new DefaultArtifactClient().uploadArtifact(upload.name, files, upload.folder, options);
    try {
        const { id } = await withTimeout(request, upload.timeoutMs);
        return id;
    }
    catch (cause) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .LoopliaError */ .$K("host-failed", `the artifact could not be uploaded: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(cause)}`, {
            cause,
        });
    }
}
/** Without drafts: they are gone in a moment, and the package uploads nothing where a file is gone. */
async function regularFiles(folder) {
    const entries = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readdir)(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
        .filter((entry) => entry.isFile() && !(0,_durable_file_js__WEBPACK_IMPORTED_MODULE_3__/* .isDraft */ .Qx)(entry.name))
        .map((entry) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(entry.parentPath, entry.name))
        .sort();
}
async function withTimeout(work, milliseconds) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
    });
    try {
        return await Promise.race([work, late]);
    }
    finally {
        clearTimeout(timer);
    }
}


/***/ })

};

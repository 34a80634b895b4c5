"use strict";
exports.id = 943;
exports.ids = [943];
exports.modules = {

/***/ 1943:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ findRemote),
/* harmony export */   findRepository: () => (/* binding */ findRepository)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs_promises__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_1__);
// Where the repository of a checkout is: the token goes there and nowhere else.


/**
 * The address of the repository on the server, or the checkout's `origin` where that is this machine. Any other `origin`
 * does not count: the token goes there, and the checkout may be of another repository.
 */
async function findRemote(place) {
    const onServer = `${place.serverUrl.replace(/\/+$/, "")}/${place.repository}.git`;
    const address = await originOf(place.checkout);
    if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address))
        return onServer;
    const origin = new URL(address);
    origin.username = "";
    origin.password = "";
    return isLocal(origin) ? origin.href : onServer;
}
/**
 * `owner/name` of the repository that a checkout's `origin` is on the server (or on this machine), by its https or ssh
 * address; undefined where it is another's or none.
 */
async function findRepository(checkout, serverUrl) {
    const address = await originOf(checkout);
    if (address === undefined || !URL.canParse(serverUrl))
        return undefined;
    const [, sshHost, sshPath] = /^(?:ssh:\/\/)?(?:[^@/]+@)([^:/]+)[:/](.+)$/.exec(address) ?? [];
    const origin = sshHost === undefined && URL.canParse(address) ? new URL(address) : undefined;
    const isThere = sshHost === new URL(serverUrl).hostname || origin?.host === new URL(serverUrl).host;
    if (!isThere && !(origin && isLocal(origin)))
        return undefined;
    return /^\/?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(sshPath ?? origin?.pathname ?? "")?.[1];
}
async function originOf(checkout) {
    const text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(checkout, ".git", "config"), "utf8").catch(() => "");
    return /^\[remote "origin"\]\s*(?:\n(?!\[)[^\n]*)*?\n\s*url\s*=\s*(\S+)/m.exec(text)?.[1];
}
function isLocal({ hostname }) {
    return /^(127\.\d+\.\d+\.\d+|localhost|.*\.localhost|\[::1\])$/.test(hostname);
}


/***/ })

};
;
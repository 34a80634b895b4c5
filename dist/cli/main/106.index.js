"use strict";
exports.id = 106;
exports.ids = [106];
exports.modules = {

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


/***/ }),

/***/ 5106:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ projectDoneTask),
/* harmony export */   a: () => (/* binding */ selectTask),
/* harmony export */   isProjectDone: () => (/* binding */ isProjectDone)
/* harmony export */ });
/* harmony import */ var _natural_order_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3100);
// Which task is next (INTERFACE §7). Pure: the same file and the same run so far give the same task.

/**
 * Any `doing` (lowest id), else `todo` by priority, else `blocked` by priority; ties by natural id order. A task whose
 * `depends_on` are not all done is left out. The dependencies must be sound.
 */
function selectTask(tasks, tried) {
    const left = tasks.filter((task) => task.status !== "done");
    if (left.length === 0)
        return { kind: "none" };
    const open = new Set(left.map((task) => task.id));
    const isReady = ({ id, status, depends_on = [] }) => !tried.skipped.has(id) &&
        !(status === "blocked" && tried.blocked.has(id)) &&
        depends_on.every((needed) => !open.has(needed));
    let best;
    for (const task of left) {
        if ((best === undefined || compareTasks(task, best) < 0) && isReady(task))
            best = task;
    }
    return best === undefined ? { kind: "stuck", left } : { kind: "task", task: best };
}
const RANKS = { doing: 0, todo: 1, blocked: 2, done: 3 };
function compareTasks(one, other) {
    if (one.status !== other.status)
        return RANKS[one.status] - RANKS[other.status];
    const byPriority = one.status === "doing" ? 0 : one.priority - other.priority;
    return byPriority === 0 ? (0,_natural_order_js__WEBPACK_IMPORTED_MODULE_0__/* .compareIds */ .q)(one.id, other.id) : byPriority;
}
const DONE_TAG = "project-done";
/** True when the last task is the end marker: nothing was added since the review found nothing. */
function isProjectDone(tasks) {
    const last = tasks.at(-1);
    return last?.status === "done" && last.tags?.includes(DONE_TAG) === true;
}
/** The marker that ends a to-do file. */
function projectDoneTask(tasks) {
    const taken = new Set(tasks.map((task) => task.id));
    let id = DONE_TAG;
    for (let number = 2; taken.has(id); number += 1)
        id = `${DONE_TAG}-${number}`;
    return { id, title: "Project done", status: "done", priority: 5, tags: [DONE_TAG] };
}


/***/ })

};
;
export const id = 874;
export const ids = [874];
export const modules = {

/***/ 22874:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ TASK_STATUSES),
/* harmony export */   R: () => (/* binding */ todoTaskSchema),
/* harmony export */   todoFileSchema: () => (/* binding */ todoFileSchema)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(55156);
// The to-do file (INTERFACE §7). Unknown fields are anybody's: they are let through and never touched.

const texts = () => zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.string());
/** People write a paragraph or a list of lines. */
const prose = () => zod__WEBPACK_IMPORTED_MODULE_0__.union([zod__WEBPACK_IMPORTED_MODULE_0__.string(), texts()]).exactOptional();
const TASK_STATUSES = ["todo", "doing", "blocked", "done"];
const todoTaskSchema = zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({
    id: zod__WEBPACK_IMPORTED_MODULE_0__.string()
        .min(1)
        .max(64)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u)
        .describe("1–64 characters, no control characters"),
    title: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1),
    priority: zod__WEBPACK_IMPORTED_MODULE_0__.int().min(1).max(5).describe("1 is the highest"),
    status: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](TASK_STATUSES),
    details: prose(),
    description: prose(),
    reference: prose(),
    steps: texts().exactOptional(),
    blockers: texts().exactOptional(),
    tags: texts().exactOptional(),
    files: texts().exactOptional(),
    depends_on: texts().exactOptional().describe("Ids of tasks that must be done before"),
    created_at: zod__WEBPACK_IMPORTED_MODULE_0__.string().exactOptional(),
    updated_at: zod__WEBPACK_IMPORTED_MODULE_0__.string().exactOptional(),
});
const todoFileSchema = zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({
    schema_version: zod__WEBPACK_IMPORTED_MODULE_0__.literal(1),
    project: zod__WEBPACK_IMPORTED_MODULE_0__.looseObject({ name: zod__WEBPACK_IMPORTED_MODULE_0__.string(), root: zod__WEBPACK_IMPORTED_MODULE_0__.string() }).exactOptional(),
    source_files: texts(),
    tasks: zod__WEBPACK_IMPORTED_MODULE_0__.array(todoTaskSchema),
});


/***/ })

};

export const id = 672;
export const ids = [672];
export const modules = {

/***/ 69291:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseManifest: () => (/* binding */ parseManifest)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(55156);
/* harmony import */ var _config_json_limits_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(11566);
/* harmony import */ var _config_problem_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(58308);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
/* harmony import */ var _session_json_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(59437);
// Reads `session.json` in its current form and in the older ones (INTERFACE §7).





const VERSION = 1;
const DEFAULT_PIPELINE = "writing-kit";
const OLD_STEP_NAMES = new Map([
    ["analyzing", "summary"],
    ["generating_ideas", "ideas"],
    ["building_outline", "outline"],
    ["assembling_kit", "writing-kit"],
]);
const status = zod__WEBPACK_IMPORTED_MODULE_1__["enum"](["pending", "in_progress", "completed", "failed", "done"]);
const text = zod__WEBPACK_IMPORTED_MODULE_1__.string().nullish();
const stepSchema = zod__WEBPACK_IMPORTED_MODULE_1__.object({
    status,
    contentHash: text,
    inputsHash: text,
    completedAt: text,
    errorMessage: text,
    schemaVersion: text,
});
const manifestSchema = zod__WEBPACK_IMPORTED_MODULE_1__.object({
    version: zod__WEBPACK_IMPORTED_MODULE_1__.literal(VERSION),
    contentId: text,
    source: text,
    pipeline: text,
    desiredOutput: text,
    createdAt: text,
    updatedAt: text,
    sourceHash: text,
    steps: zod__WEBPACK_IMPORTED_MODULE_1__.unknown(),
});
/**
 * `file` ends in `<session-id>/session.json`. `upgraded`: the file lacks fields or has an older form, so write it anew.
 * Throws `config-invalid` naming the file for what is torn, malformed or of a newer version.
 */
function parseManifest(content, file) {
    const raw = readObject(content, file);
    const parsed = manifestSchema.safeParse(raw);
    if (!parsed.success)
        throw malformed(file, parsed.error);
    const known = parsed.data;
    const { steps, isOld } = readSteps(known.steps, file);
    const folder = file.split("/").slice(0, -1);
    const updatedAt = known.updatedAt ?? known.createdAt ?? new Date(0).toISOString();
    const pipeline = known.pipeline ?? DEFAULT_PIPELINE;
    const contentId = folder.at(-1) ?? known.contentId ?? "";
    const manifest = {
        version: VERSION,
        contentId,
        source: known.source || [...folder, "content.md"].join("/"),
        pipeline,
        desiredOutput: known.desiredOutput ?? DEFAULT_PIPELINE,
        createdAt: known.createdAt ?? updatedAt,
        updatedAt,
        ...(known.sourceHash ? { sourceHash: known.sourceHash } : {}),
        steps,
        extra: new Map(Object.entries(raw).filter(([key]) => !Object.hasOwn(manifestSchema.shape, key))),
    };
    const isWhole = known.contentId === contentId &&
        [known.source, known.pipeline, known.desiredOutput, known.createdAt, known.updatedAt].every(Boolean);
    return { manifest, upgraded: isOld || !isWhole };
}
function readObject(content, file) {
    const raw = readJson(content, file);
    const [unsound] = (0,_config_json_limits_js__WEBPACK_IMPORTED_MODULE_2__/* .findUnsoundJson */ .M)(raw);
    if (unsound)
        throw refusal(file, (0,_config_problem_js__WEBPACK_IMPORTED_MODULE_3__/* .formatProblem */ .Vw)(unsound));
    if (!(0,_session_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(raw))
        throw refusal(file, "is not a JSON object");
    if (typeof raw.version === "number" && raw.version > VERSION) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: was written by a newer looplia (manifest version ${raw.version}, this one reads ${VERSION})`, { hint: "run the newer version; the file was left as it is" });
    }
    return raw;
}
function readJson(content, file) {
    try {
        return JSON.parse(content.replace(/^\uFEFF/, ""));
    }
    catch (error) {
        throw refusal(file, `is torn or not JSON: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`);
    }
}
function readSteps(raw, file) {
    if (raw !== undefined && !(0,_session_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(raw))
        throw refusal(file, "steps is not an object");
    const steps = new Map();
    let isOld = raw === undefined;
    for (const [key, value] of Object.entries(raw ?? {})) {
        const name = OLD_STEP_NAMES.get(key) ?? key;
        const step = readStep(value, key, file);
        isOld ||= name !== key || step.isOld;
        // Where both names stand, the newer one was written later.
        if (name === key || !steps.has(name))
            steps.set(name, step.state);
    }
    return { steps, isOld };
}
function readStep(raw, name, file) {
    const isShort = typeof raw === "string";
    const parsed = stepSchema.safeParse(isShort ? { status: raw } : raw);
    if (!parsed.success)
        throw malformed(file, parsed.error, ["steps", name]);
    const { status: word, ...recorded } = parsed.data;
    const known = Object.fromEntries(Object.entries(recorded).filter(([, value]) => value));
    const state = { status: word === "done" ? "completed" : word, ...known };
    return { state, isOld: isShort || word === "done" };
}
function malformed(file, error, above = []) {
    const problems = error.issues.map(({ path, message }) => `${(0,_config_problem_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldName */ .w5)([...above, ...path])}: ${message}`);
    return refusal(file, `is not a session manifest: ${problems.join("; ")}`);
}
function refusal(file, what) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: ${what}`, {
        hint: "restore it from version control, or delete it: the artifacts beside it are then checked and taken over; it was left as it is",
    });
}


/***/ })

};

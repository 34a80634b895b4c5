"use strict";
exports.id = 339;
exports.ids = [339];
exports.modules = {

/***/ 5339:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseUserProfile: () => (/* binding */ parseUserProfile)
/* harmony export */ });
/* unused harmony export userProfileSchema */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5156);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9984);
/* harmony import */ var _located_yaml_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6936);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2994);
/* harmony import */ var _sound_profile_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9349);
// `.looplia/user-profile.json`: whom the writing is for. Read and checked here, never written.





const topic = zod__WEBPACK_IMPORTED_MODULE_4__.strictObject({
    topic: zod__WEBPACK_IMPORTED_MODULE_4__.string().trim().min(1).describe("Looked for as whole words"),
    interestLevel: zod__WEBPACK_IMPORTED_MODULE_4__.number()
        .min(_sound_profile_js__WEBPACK_IMPORTED_MODULE_3__/* .INTEREST_LEVELS */ .RX.min)
        .max(_sound_profile_js__WEBPACK_IMPORTED_MODULE_3__/* .INTEREST_LEVELS */ .RX.max)
        .describe("From 1, hardly, to 5, very much"),
});
const style = zod__WEBPACK_IMPORTED_MODULE_4__.strictObject({
    tone: zod__WEBPACK_IMPORTED_MODULE_4__["enum"](_sound_profile_js__WEBPACK_IMPORTED_MODULE_3__/* .TONES */ .Sj),
    targetWordCount: zod__WEBPACK_IMPORTED_MODULE_4__.number().min(_sound_profile_js__WEBPACK_IMPORTED_MODULE_3__/* .WORD_COUNTS */ .On.min).max(_sound_profile_js__WEBPACK_IMPORTED_MODULE_3__/* .WORD_COUNTS */ .On.max),
    voice: zod__WEBPACK_IMPORTED_MODULE_4__["enum"](_sound_profile_js__WEBPACK_IMPORTED_MODULE_3__/* .VOICES */ .Gp),
});
const userProfileSchema = zod__WEBPACK_IMPORTED_MODULE_4__.strictObject({
    $schema: zod__WEBPACK_IMPORTED_MODULE_4__.string().optional(),
    userId: zod__WEBPACK_IMPORTED_MODULE_4__.string().min(1),
    topics: zod__WEBPACK_IMPORTED_MODULE_4__.array(topic),
    style,
    writingSamples: zod__WEBPACK_IMPORTED_MODULE_4__.array(zod__WEBPACK_IMPORTED_MODULE_4__.string()).optional(),
});
/** The profile, or undefined with everything that is wrong in `diagnostics`, each with its line. */
async function parseUserProfile(text, file, diagnostics) {
    const report = (0,_report_js__WEBPACK_IMPORTED_MODULE_2__/* .createReport */ .L)(file, diagnostics);
    const source = text.replace(/^\uFEFF/, "");
    let value;
    try {
        value = JSON.parse(source);
    }
    catch (error) {
        report(lineOfFault(source, (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)), `is not valid JSON: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`);
        return undefined;
    }
    const parsed = userProfileSchema.safeParse(value);
    if (parsed.success) {
        const { userId, topics, style: wanted, writingSamples } = parsed.data;
        return { userId, topics, style: wanted, ...(writingSamples === undefined ? {} : { writingSamples }) };
    }
    const { root } = await (0,_located_yaml_js__WEBPACK_IMPORTED_MODULE_1__/* .readYaml */ .gM)(source, file);
    for (const issue of parsed.error.issues) {
        const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
        const path = [...issue.path, ...keys.slice(0, 1)];
        const place = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
        report(root === undefined ? undefined : (0,_located_yaml_js__WEBPACK_IMPORTED_MODULE_1__/* .lineAtPath */ .f1)(root, path), `${place}${issue.message}`);
    }
    return undefined;
}
// Engines word it differently; where no position is told there is no line.
function lineOfFault(source, message) {
    const position = /position (\d+)/.exec(message)?.[1];
    if (position !== undefined)
        return source.slice(0, Number(position)).split("\n").length;
    return /end of JSON/i.test(message) ? source.split("\n").length : undefined;
}


/***/ })

};
;
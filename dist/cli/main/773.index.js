"use strict";
exports.id = 773;
exports.ids = [773];
exports.modules = {

/***/ 7773:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KJ: () => (/* binding */ writingKitSchema),
/* harmony export */   artifactSchemas: () => (/* binding */ artifactSchemas)
/* harmony export */ });
/* unused harmony exports contentSummarySchema, writingIdeasSchema, outlineSchema */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5156);
// The content formats. Lengths of texts count Unicode code points, here as in the JSON Schemas generated from this file.
// Descriptions are read by the model. Unknown keys are stripped. What changes here may ask for a new `SCHEMA_VERSION`.

const contentId = zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1).describe("Set by the program: the session id");
const share = () => zod__WEBPACK_IMPORTED_MODULE_0__.number().min(0).max(1);
const list = (item, min, max) => zod__WEBPACK_IMPORTED_MODULE_0__.array(item).min(min).max(max);
const quote = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    text: zod__WEBPACK_IMPORTED_MODULE_0__.string().describe("Word for word as it stands in the source"),
    timestamp: zod__WEBPACK_IMPORTED_MODULE_0__.string()
        .regex(/^\d{2}(?::[0-5]\d){1,2}$/)
        .exactOptional()
        .describe("MM:SS or HH:MM:SS, only where the source has one"),
    context: zod__WEBPACK_IMPORTED_MODULE_0__.string().exactOptional().describe("Who says it, and about what"),
});
const coreIdea = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    concept: zod__WEBPACK_IMPORTED_MODULE_0__.string(),
    explanation: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(10),
    examples: zod__WEBPACK_IMPORTED_MODULE_0__.array(zod__WEBPACK_IMPORTED_MODULE_0__.string()).exactOptional(),
});
const contentSummarySchema = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    contentId,
    headline: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(10).max(200).describe("The main point in one line"),
    tldr: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(20).max(500).describe("The whole in two or three sentences"),
    bullets: list(zod__WEBPACK_IMPORTED_MODULE_0__.string(), 1, 10).describe("Key points, most important first"),
    tags: list(zod__WEBPACK_IMPORTED_MODULE_0__.string(), 1, 20).describe("Short topic labels"),
    sentiment: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["positive", "neutral", "negative"]),
    category: zod__WEBPACK_IMPORTED_MODULE_0__.string().describe("The one field it belongs to"),
    score: zod__WEBPACK_IMPORTED_MODULE_0__.object({ relevanceToUser: share() }).describe("Set by the program"),
    overview: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(50).describe("What it is about, and why it was made"),
    keyThemes: list(zod__WEBPACK_IMPORTED_MODULE_0__.string(), 3, 7),
    detailedAnalysis: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(100).describe("Arguments and evidence, in order"),
    narrativeFlow: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(50).describe("How it leads from its beginning to its end"),
    coreIdeas: list(coreIdea, 1, 10),
    importantQuotes: list(quote, 0, 20).describe("Each is checked against the source"),
    context: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(20).describe("What a reader must know beforehand"),
    relatedConcepts: list(zod__WEBPACK_IMPORTED_MODULE_0__.string(), 0, 15),
    detectedSource: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["podcast", "transcript", "article", "youtube", "twitter", "text", "other"])
        .exactOptional(),
});
const hook = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    text: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(5),
    type: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["emotional", "curiosity", "controversy", "statistic", "story"]),
});
const angle = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    title: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(3).max(100),
    description: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(10),
    relevanceScore: share(),
});
const question = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    question: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(10),
    type: zod__WEBPACK_IMPORTED_MODULE_0__["enum"](["analytical", "practical", "philosophical", "comparative"]),
});
const writingIdeasSchema = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    contentId,
    hooks: list(hook, 1, 5).describe("Openings that make one read on"),
    angles: list(angle, 1, 5).describe("Points of view to write from"),
    questions: list(question, 1, 5).describe("Questions that the new text may answer"),
});
const outlineSection = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    heading: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1),
    notes: zod__WEBPACK_IMPORTED_MODULE_0__.string().min(1).describe("What the section says and how"),
    keyPoints: list(zod__WEBPACK_IMPORTED_MODULE_0__.string(), 1, 7),
    estimatedWords: zod__WEBPACK_IMPORTED_MODULE_0__.number().positive().exactOptional(),
});
const outlineSchema = zod__WEBPACK_IMPORTED_MODULE_0__.array(outlineSection).min(1);
const writingKitSchema = zod__WEBPACK_IMPORTED_MODULE_0__.object({
    contentId,
    source: zod__WEBPACK_IMPORTED_MODULE_0__.object({ id: zod__WEBPACK_IMPORTED_MODULE_0__.string(), label: zod__WEBPACK_IMPORTED_MODULE_0__.string(), url: zod__WEBPACK_IMPORTED_MODULE_0__.string() })
        .describe("Set by the program: session id, title and address of the item"),
    summary: contentSummarySchema.describe("Set by the program: summary.json"),
    ideas: writingIdeasSchema.describe("Set by the program: ideas.json"),
    suggestedOutline: outlineSchema.describe("Set by the program: outline.json"),
    meta: zod__WEBPACK_IMPORTED_MODULE_0__.object({ relevanceToUser: share(), estimatedReadingTimeMinutes: zod__WEBPACK_IMPORTED_MODULE_0__.number().positive() })
        .describe("Set by the program"),
});
/** The built-in artifacts by file name. A pipeline that names its own `schema` for a file uses that instead. */
const artifactSchemas = new Map([
    ["summary.json", contentSummarySchema],
    ["ideas.json", writingIdeasSchema],
    ["outline.json", outlineSchema],
    ["writing-kit.json", writingKitSchema],
]);


/***/ })

};
;
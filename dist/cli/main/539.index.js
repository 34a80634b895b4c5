"use strict";
exports.id = 539;
exports.ids = [539,773];
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


/***/ }),

/***/ 8539:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   demoCommand: () => (/* binding */ demoCommand)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_fs_promises__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8161);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_os__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_2__);
/* harmony import */ var _config_settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3314);
/* harmony import */ var _content_schemas_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7773);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9984);
/* harmony import */ var _publish_report_js__WEBPACK_IMPORTED_MODULE_11__ = __webpack_require__(429);
/* harmony import */ var _session_plain_text_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9150);
/* harmony import */ var _fit_line_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(643);
/* harmony import */ var _run_command_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(6885);
/* harmony import */ var _show_result_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(7635);
/* harmony import */ var _surface_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(2237);
// `demo`: both main jobs without a language model, in temporary folders, with every question answered: the rehearsal over
// an example article, and an example runbook.












/** One of the demos, or both: `topic` is `content` or `tasks`. */
async function demoCommand(topic, surface, wiring) {
    const code = topic === "tasks" ? 0 : await contentDemo(surface, wiring);
    if (code !== 0 || topic === "content")
        return code;
    if (topic === undefined)
        surface.stderr.write("\n");
    return tasksDemo(surface, wiring);
}
/** Prints where it worked, the list and what came of it. 0 only if every task is done. */
async function tasksDemo(surface, wiring) {
    const place = await preparePlace(surface, wiring);
    surface.stderr.write("Demo on to-do.json: a release checklist whose steps are commands; no language model.\n\n");
    const trigger = { kind: "tasks" };
    const result = await (0,_run_command_js__WEBPACK_IMPORTED_MODULE_8__/* .watchRun */ .v)({ trigger, place, isDemo: true, kept: "" }, surface, wiring);
    if (result.status !== "completed") {
        const why = result.items[0]?.message ?? result.reasonCode;
        surface.stderr.write(`The demo ended ${result.status}: ${why}. What it made so far is in ${place.root}\n`);
        return (0,_show_result_js__WEBPACK_IMPORTED_MODULE_9__/* .exitCodeOf */ .FO)(result);
    }
    const { bold, dim, green } = (0,_surface_js__WEBPACK_IMPORTED_MODULE_10__/* .colorsFor */ .u0)(surface, surface.stdout);
    const notes = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(place.root, "RELEASE_NOTES.md"), "utf8");
    const lines = [
        "",
        ...(result.items[0]?.steps ?? []).map((step) => `${green("✓")} ${bold(step.output)}  ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_6__/* .toPlainLine */ .Ic)(step.reason)}`),
        "",
        dim("RELEASE_NOTES.md"),
        ...notes
            .trimEnd()
            .split("\n")
            .map((line) => `  ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_6__/* .toPlainLine */ .Ic)(line)}`),
        "",
        bold(place.root),
        `${green("✓")} Every task is done. Your own list: ${programName(surface, wiring)} init`,
    ];
    surface.stdout.write(`${(0,_fit_line_js__WEBPACK_IMPORTED_MODULE_7__/* .wrapLines */ .MT)(lines.join("\n"), surface.stdout.columns ?? 110)}\n`);
    return (0,_show_result_js__WEBPACK_IMPORTED_MODULE_9__/* .exitCodeOf */ .FO)(result);
}
function programName(surface, { installFolder }) {
    return `node ${(0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(surface.cwd, (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(installFolder, "dist", "cli", "index.js"))}`;
}
/** Prints where it worked, the files and a short view of the kit. 0 only if the kit on disk is valid. */
async function contentDemo(surface, wiring) {
    const place = await preparePlace(surface, wiring);
    const [article] = (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readdir)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(place.root, "content")))
        .filter((name) => name.endsWith(".md"))
        .sort();
    if (article === undefined)
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .LoopliaError */ .$K("no-items", "The install has no example article.");
    surface.stderr.write(`Demo on content/${article}: ${_publish_report_js__WEBPACK_IMPORTED_MODULE_11__/* .REHEARSAL */ .Ce}.\n\n`);
    const trigger = { kind: "file", source: `content/${article}` };
    const result = await (0,_run_command_js__WEBPACK_IMPORTED_MODULE_8__/* .watchRun */ .v)({ trigger, place, isDemo: true, kept: "" }, surface, wiring);
    if (result.status === "stopped") {
        surface.stderr.write(`The demo was stopped; what it made so far is in ${place.root}\n`);
        return (0,_show_result_js__WEBPACK_IMPORTED_MODULE_9__/* .exitCodeOf */ .FO)(result);
    }
    const [item] = result.items;
    if (!item || result.status !== "completed") {
        const why = item?.message ?? result.message ?? result.reasonCode;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .LoopliaError */ .$K("invalid-artifact", `The demo ended ${result.status}: ${why}`);
    }
    const kit = await readKit(place.root, item);
    const { bold, dim, green } = (0,_surface_js__WEBPACK_IMPORTED_MODULE_10__/* .colorsFor */ .u0)(surface, surface.stdout);
    const lines = [
        "",
        ...kitLines(kit, bold, dim),
        "",
        bold(place.root),
        ...(await treeLines(place.root, "")),
        "",
        `${green("✓")} The writing kit is valid. Try your own: ${programName(surface, wiring)} run --file <article.md>`,
    ];
    surface.stdout.write(`${(0,_fit_line_js__WEBPACK_IMPORTED_MODULE_7__/* .wrapLines */ .MT)(lines.join("\n"), surface.stdout.columns ?? 110)}\n`);
    return (0,_show_result_js__WEBPACK_IMPORTED_MODULE_9__/* .exitCodeOf */ .FO)(result);
}
/** A copy of the examples. The settings are its own: of this machine's environment only where its programs are counts. */
async function preparePlace({ environment: { PATH } }, { installFolder }) {
    const root = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)((0,node_os__WEBPACK_IMPORTED_MODULE_1__.tmpdir)(), "looplia-demo-")));
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.cp)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(installFolder, "examples"), root, { recursive: true });
    const { settings } = await (0,_config_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .resolveSettings */ .M)({
        file: await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(root, "looplia.yml"), "utf8").catch(() => undefined),
        fileName: "looplia.yml",
        environment: {},
        overrides: { provider: "offline" },
        overridesSource: "flag",
    });
    return { root, stateFolder: (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(root, ".looplia", "state"), settings, environment: { PATH } };
}
async function readKit(root, item) {
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(root, item.artifactPath ?? "");
    const parsed = _content_schemas_js__WEBPACK_IMPORTED_MODULE_4__/* .writingKitSchema */ .KJ.safeParse(JSON.parse(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(path, "utf8")));
    if (parsed.success)
        return parsed.data;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_5__/* .LoopliaError */ .$K("invalid-artifact", `${path} is not valid: ${parsed.error.message}`);
}
function kitLines(kit, bold, dim) {
    return [
        bold((0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_6__/* .toPlainLine */ .Ic)(kit.summary.headline)),
        dim("Hooks"),
        ...kit.ideas.hooks.map((hook) => `  • ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_6__/* .toPlainLine */ .Ic)(hook.text)} ${dim(`(${hook.type})`)}`),
        dim("Outline"),
        ...kit.suggestedOutline.map((section, index) => `  ${index + 1}. ${(0,_session_plain_text_js__WEBPACK_IMPORTED_MODULE_6__/* .toPlainLine */ .Ic)(section.heading)}`),
    ];
}
/** Files below a folder, as a tree; what the program keeps for itself is one line. */
async function treeLines(folder, indent) {
    const entries = (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readdir)(folder, { withFileTypes: true })).sort((one, other) => one.name < other.name ? -1 : 1);
    const lines = [];
    for (const [index, entry] of entries.entries()) {
        const isLast = index === entries.length - 1;
        lines.push(`${indent}${isLast ? "└─" : "├─"} ${entry.name}${entry.isDirectory() ? "/" : ""}`);
        if (!entry.isDirectory() || entry.name === "state")
            continue;
        lines.push(...(await treeLines((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(folder, entry.name), `${indent}${isLast ? "   " : "│  "}`)));
    }
    return lines;
}


/***/ }),

/***/ 643:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C1: () => (/* binding */ wrapText),
/* harmony export */   F2: () => (/* binding */ padText),
/* harmony export */   MT: () => (/* binding */ wrapLines),
/* harmony export */   ax: () => (/* binding */ fitLine),
/* harmony export */   qz: () => (/* binding */ widthOf)
/* harmony export */ });
/* unused harmony export cutText */
/* harmony import */ var string_width__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8314);
/* harmony import */ var wrap_ansi__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6121);
// Lines that fit a terminal: widths count columns, so wide characters count two.


const GRAPHEMES = new Intl.Segmenter();
/** Columns that a plain text takes. */
function widthOf(text) {
    return (0,string_width__WEBPACK_IMPORTED_MODULE_1__/* ["default"] */ .A)(text);
}
/** The text, or as much of it as fits with `…` at its end. Never cuts a character. */
function cutText(text, width) {
    if (width <= 0)
        return "";
    if (widthOf(text) <= width)
        return text;
    let fitting = "";
    let left = width - 1;
    for (const { segment } of GRAPHEMES.segment(text)) {
        left -= widthOf(segment);
        if (left < 0)
            break;
        fitting += segment;
    }
    return `${fitting}…`;
}
/** The segments as one styled line of at most `width` columns; with `isPadded` of exactly that many. */
function fitLine(segments, width, isPadded = false) {
    let left = width;
    let line = "";
    for (const { text, style } of segments) {
        const piece = cutText(text, left);
        left -= widthOf(piece);
        line += style && piece ? style(piece) : piece;
        if (piece !== text)
            break;
    }
    return isPadded ? line + " ".repeat(Math.max(0, left)) : line;
}
/** The text padded with spaces to at least `width` columns. */
function padText(text, width) {
    return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
/** The text in lines of at most `width` columns, broken at spaces where there are any. */
function wrapText(text, width) {
    return (0,wrap_ansi__WEBPACK_IMPORTED_MODULE_0__/* ["default"] */ .A)(text, Math.max(width, 2), { hard: true }).split("\n");
}
/** Each line in lines of at most `width` columns; what goes on stands a little further in than its beginning. */
function wrapLines(text, width) {
    const wrapped = text.split("\n").flatMap((line) => {
        if (widthOf(line) <= width)
            return [line];
        const indent = " ".repeat(Math.min(line.search(/\S|$/), width >> 1));
        const pieces = wrapText(line.trimStart(), width - indent.length - 2);
        return pieces.map((piece, index) => `${indent}${index === 0 ? "" : "  "}${piece}`);
    });
    return wrapped.join("\n");
}


/***/ })

};
;
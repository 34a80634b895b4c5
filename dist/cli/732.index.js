export const id = 732;
export const ids = [732];
export const modules = {

/***/ 3140:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ readFrontMatter),
/* harmony export */   e: () => (/* binding */ parseFrontMatter)
/* harmony export */ });
/* harmony import */ var _diagnostics_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3811);
/* harmony import */ var _located_yaml_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2601);
// The block of YAML between `---` lines at the start of a Markdown file: agents, skills, content items.


/** Throws `config-invalid` with file and line when the block is not closed, not YAML or not a mapping. */
async function parseFrontMatter(text, file) {
    const diagnostics = [];
    const read = await readFrontMatter(text, file, diagnostics);
    (0,_diagnostics_js__WEBPACK_IMPORTED_MODULE_0__/* .throwIfErrors */ .Z)(diagnostics);
    return read;
}
/** The same for those who collect diagnostics: what is wrong is added to them, and then `data` is empty. */
async function readFrontMatter(text, file, diagnostics) {
    const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
    const opening = /^---[ \t]*(?:\r?\n|$)/.exec(source);
    if (opening === null)
        return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
    const rest = source.slice(opening[0].length);
    const closing = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m.exec(rest);
    if (closing === null) {
        diagnostics.push({
            severity: "error",
            file,
            line: 1,
            message: "the front matter is opened and never closed",
            hint: "close it with a line of three dashes, or begin the file with something else than three dashes",
        });
        return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
    }
    const entries = await readEntries(rest.slice(0, closing.index), file, diagnostics);
    const end = closing.index + closing[0].length;
    return {
        data: new Map([...entries].map(([key, entry]) => [key, (0,_located_yaml_js__WEBPACK_IMPORTED_MODULE_1__/* .plainOf */ .oi)(entry.value)])),
        entries,
        body: rest.slice(end),
        bodyLine: 2 + rest.slice(0, end).split("\n").length - 1,
    };
}
async function readEntries(block, file, diagnostics) {
    const { root, diagnostics: broken } = await (0,_located_yaml_js__WEBPACK_IMPORTED_MODULE_1__/* .readYaml */ .gM)(block, file, 2);
    diagnostics.push(...broken);
    if (root === undefined || (root.kind === "scalar" && root.value === null))
        return new Map();
    if (root.kind === "map")
        return root.entries;
    diagnostics.push({
        severity: "error",
        file,
        line: root.line,
        message: "the front matter is not a mapping",
        hint: "write one `key: value` a line between the two lines of three dashes",
    });
    return new Map();
}


/***/ }),

/***/ 3732:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createPrompts: () => (/* binding */ createPrompts)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _front_matter_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3140);
// The program's own prompts: strict Mustache templates under prompts/ (see template.ts for what they may use).


/**
 * Renders `prompts/<file>` of `builtin`, the root of the installation; front matter and white space around are left out.
 * Fails with `config-invalid`, naming file, line and variable, when one is undefined. Files are read once.
 */
function createPrompts(builtin) {
    const renderers = new Map();
    return {
        async render(file, variables) {
            const known = renderers.get(file) ?? loadPrompt(builtin, `prompts/${file}`);
            renderers.set(file, known);
            return (await known)(variables).trim();
        },
    };
}
async function loadPrompt(builtin, path) {
    // Not above: `--help` and `--version` need no template.
    const [text, { parseTemplate, TemplateError }] = await Promise.all([
        builtin.read(path),
        __webpack_require__.e(/* import() */ 305).then(__webpack_require__.bind(__webpack_require__, 305)),
    ]);
    if (text === undefined)
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `there is no prompt ${path}`);
    const { body, bodyLine } = await (0,_front_matter_js__WEBPACK_IMPORTED_MODULE_1__/* .parseFrontMatter */ .e)(text, path);
    const located = (work) => {
        try {
            return work();
        }
        catch (error) {
            const place = error instanceof TemplateError ? `${path}:${error.line + bodyLine - 1}` : path;
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${place}: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`, { cause: error });
        }
    };
    const render = located(() => parseTemplate(body));
    return (variables) => located(() => render(variables));
}


/***/ })

};

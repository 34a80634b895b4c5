export const id = 235;
export const ids = [235];
export const modules = {

/***/ 3811:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ throwIfErrors),
/* harmony export */   x: () => (/* binding */ formatDiagnostic)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
// All that is wrong with a configuration is reported at once, with file and line.

/** `file:line: message (hint)` */
function formatDiagnostic(diagnostic) {
    const place = diagnostic.line === undefined ? diagnostic.file : `${diagnostic.file}:${diagnostic.line}`;
    return `${place}: ${diagnostic.message}${diagnostic.hint ? ` (${diagnostic.hint})` : ""}`;
}
/** Throws `config-invalid` with every error, one a line, when there is at least one. */
function throwIfErrors(diagnostics) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    if (errors.length === 0)
        return;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", errors.map(formatDiagnostic).join("\n"));
}


/***/ }),

/***/ 2601:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jb: () => (/* binding */ textOfScalar),
/* harmony export */   f1: () => (/* binding */ lineAtPath),
/* harmony export */   gM: () => (/* binding */ readYaml),
/* harmony export */   oi: () => (/* binding */ plainOf)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);

const MAX_CHARACTERS = 64_000;
const MAX_ERRORS = 10;
const MAX_DEPTH = 60;
const MAX_ALIASES = 100;
/**
 * Reads one document; `firstLine` is the line of its first character in `file`.
 * Never throws: everything wrong is in `diagnostics`, and then `root` is undefined. An empty document is a null scalar.
 */
async function readYaml(text, file, firstLine = 1) {
    const problem = (message, line) => ({
        severity: "error",
        file,
        message,
        ...(line === undefined ? {} : { line: line + firstLine - 1 }),
    });
    if (text.length > MAX_CHARACTERS) {
        return { root: undefined, diagnostics: [problem("is too large: at most 64,000 characters are read")] };
    }
    if (isTooDeep(text))
        return { root: undefined, diagnostics: [problem("is nested too deeply")] };
    // Not above: a run may well meet no YAML, and the library takes long to load.
    const yaml = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const lines = new yaml.LineCounter();
    const lineAt = (offset) => lines.linePos(offset ?? 0).line;
    try {
        // The library's own check for doubled keys takes quadratic time; the locator has one.
        const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
        if (document.errors.length > 0) {
            const byLine = new Map(document.errors.toReversed().map((error) => [lineAt(error.pos[0]), error]));
            const diagnostics = [...byLine]
                .sort(([one], [other]) => one - other)
                .slice(0, MAX_ERRORS)
                .map(([line, error]) => problem(`is not valid YAML: ${plainReason(error)}`, line));
            return { root: undefined, diagnostics };
        }
        const locate = createLocator(yaml, document, lineAt, firstLine - 1);
        return { root: locate(document.contents, 0), diagnostics: [] };
    }
    catch (error) {
        if (error instanceof PlacedError)
            return { root: undefined, diagnostics: [problem(error.message, error.line)] };
        return { root: undefined, diagnostics: [problem(`cannot be read: ${plainReason(error)}`)] };
    }
}
/** Thrown and caught in this file only; `line` counts in the text. */
class PlacedError extends Error {
    line;
    constructor(message, line) {
        super(message);
        this.line = line;
    }
}
// The parser recurses: what is too deep ends in an overflow of the stack, slowly.
function isTooDeep(text) {
    let depth = 0;
    for (const character of text) {
        if (character === "[" || character === "{")
            depth += 1;
        else if (character === "]" || character === "}")
            depth = Math.max(0, depth - 1);
        if (depth > 200)
            return true;
    }
    // Lists in lists on one line: `- - - -`.
    return /^[ \t]*(?:[-?:][ \t]+){60}/m.test(text);
}
function plainReason(error) {
    const reason = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error);
    if (/call stack|stack overflow/i.test(reason))
        return "it is nested too deeply";
    if (/compact mapping/i.test(reason))
        return `${reason}: put a text with a colon in quotes`;
    return reason.replace(/; please use .*$/, "");
}
function createLocator({ isAlias, isMap, isNode, isScalar, isSeq }, document, lineAt, linesBefore) {
    let aliases = 0;
    const offsetOf = (node) => (isNode(node) ? node.range?.[0] : undefined);
    function locate(node, depth) {
        const place = lineAt(offsetOf(node));
        const line = place + linesBefore;
        if (depth > MAX_DEPTH)
            throw new PlacedError("is nested too deeply", place);
        if (isAlias(node)) {
            aliases += 1;
            if (aliases > MAX_ALIASES)
                throw new PlacedError(`has more than ${MAX_ALIASES} aliases`, place);
            const target = node.resolve(document);
            if (target === undefined)
                throw new PlacedError(`has no anchor "${node.source}" for its alias`, place);
            return { ...locate(target, depth + 1), line };
        }
        if (isSeq(node))
            return { kind: "list", line, items: node.items.map((item) => locate(item, depth + 1)) };
        if (!isMap(node))
            return { kind: "scalar", line, value: isScalar(node) ? plainScalar(node.value) : null };
        const entries = new Map();
        for (const pair of node.items) {
            const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
            const keyPlace = lineAt(offsetOf(pair.key));
            if (entries.has(key))
                throw new PlacedError(`has the key "${key}" twice`, keyPlace);
            const keyLine = keyPlace + linesBefore;
            const value = pair.value === null ? nullAt(keyLine) : locate(pair.value, depth + 1);
            entries.set(key, { line: keyLine, value });
        }
        return { kind: "map", line, entries };
    }
    return locate;
}
function nullAt(line) {
    return { kind: "scalar", line, value: null };
}
function plainScalar(value) {
    if (value === null || typeof value === "string" || typeof value === "boolean")
        return value;
    return typeof value === "number" ? value : String(value);
}
/** The bare value: mappings as Maps, lists as arrays. */
function plainOf(located) {
    if (located.kind === "scalar")
        return located.value;
    if (located.kind === "list")
        return located.items.map(plainOf);
    return new Map([...located.entries].map(([key, entry]) => [key, plainOf(entry.value)]));
}
/** The line of the value at `path`, or of the nearest place above it that is there. */
function lineAtPath(root, path) {
    let here = root;
    let line = root.line;
    for (const step of path) {
        const entry = here.kind === "map" ? here.entries.get(String(step)) : undefined;
        const next = here.kind === "list" ? here.items[Number(step)] : entry?.value;
        if (next === undefined)
            return line;
        here = next;
        line = entry?.line ?? next.line;
    }
    return line;
}
/** The text of a scalar, or undefined when it is none or empty. */
function textOfScalar(located) {
    if (located?.kind !== "scalar" || typeof located.value !== "string")
        return undefined;
    return located.value.trim() === "" ? undefined : located.value.trim();
}


/***/ }),

/***/ 8645:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  M: () => (/* binding */ resolveSettings)
});

// UNUSED EXPORTS: settingDefinitions

// EXTERNAL MODULE: ./build/config/located-yaml.js
var located_yaml = __webpack_require__(2601);
// EXTERNAL MODULE: ./build/config/suggest.js
var suggest = __webpack_require__(5813);
;// CONCATENATED MODULE: ./build/config/setting-value.js

/**
 * Undefined when nothing is given (undefined, null, empty text or list). Numbers and booleans may come as text where
 * `isText` says that the source has nothing else. Problems never show a secret.
 */
function checkSetting(definition, raw, isText) {
    const given = typeof raw === "string" ? raw.trim() : raw;
    if (given === undefined || given === null || given === "")
        return undefined;
    const { type } = definition;
    if (type.kind === "list")
        return checkList(type, given);
    const checked = checkScalar(type, isText ? readText(type, given) : given);
    if (checked !== undefined)
        return checked;
    const came = definition.isSecret ? "" : `, not ${shown(raw)}`;
    const close = type.kind === "enum" ? (0,suggest/* suggestName */.S)(String(given), type.values) : undefined;
    return { problem: `must be ${allowedText(type)}${came}`, ...(close === undefined ? {} : { hint: close }) };
}
function checkList(type, given) {
    const parts = typeof given === "string" ? given.split("\n") : given;
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) {
        return { problem: `must be ${allowedText(type)}, not ${shown(given)}` };
    }
    const value = parts.flatMap((part) => part.split("\n")).map((part) => part.trim());
    const filled = value.filter((part) => part !== "");
    return filled.length === 0 ? undefined : { value: filled };
}
function checkScalar(type, given) {
    switch (type.kind) {
        case "string":
            if (typeof given !== "string" || hasControl(given))
                return undefined;
            return type.pattern === undefined || type.pattern.test(given) ? { value: given } : undefined;
        case "enum":
            return typeof given === "string" && type.values.includes(given) ? { value: given } : undefined;
        case "boolean":
            return typeof given === "boolean" ? { value: given } : undefined;
        case "int":
        case "number":
            return typeof given === "number" && isInRange(type, given) ? { value: given } : undefined;
        case "list":
            return undefined;
    }
}
// The forms of YAML's core schema, so that a text means the same in every source.
function readText(type, given) {
    if (typeof given !== "string")
        return given;
    if (type.kind === "boolean" && /^(?:true|True|TRUE|false|False|FALSE)$/.test(given)) {
        return given.toLowerCase() === "true";
    }
    const isNumber = (type.kind === "int" || type.kind === "number") && /^-?\d+(?:\.\d+)?$/.test(given);
    return isNumber ? Number(given) : given;
}
function isInRange(type, value) {
    if (type.kind === "int" ? !Number.isSafeInteger(value) : !Number.isFinite(value))
        return false;
    if (type.above !== undefined && value <= type.above)
        return false;
    return value >= (type.minimum ?? value) && value <= (type.maximum ?? value);
}
function hasControl(text) {
    return [...text].some((character) => character < " " || character === "\u007F");
}
/** What a setting allows, in words: `a whole number from 1 to 64`. */
function allowedText(type) {
    switch (type.kind) {
        case "string":
            return type.form ?? "a text of one line";
        case "list":
            return "a list of texts, one a line";
        case "enum":
            return `one of ${type.values.join(", ")}`;
        case "boolean":
            return "true or false";
        case "int":
        case "number": {
            const noun = type.kind === "int" ? "a whole number" : "a number";
            const above = type.above === undefined ? "" : ` above ${type.above}`;
            if (type.minimum !== undefined && type.maximum !== undefined) {
                return `${noun} from ${type.minimum} to ${type.maximum}`;
            }
            const least = type.minimum === undefined ? "" : ` of at least ${type.minimum}`;
            return `${noun}${above}${least}${type.maximum === undefined ? "" : ` and at most ${type.maximum}`}`;
        }
    }
}
function shown(value) {
    if (Array.isArray(value))
        return "a list with something else in it";
    if (typeof value === "object")
        return "a mapping";
    const text = typeof value === "string" ? JSON.stringify(value) : String(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

// EXTERNAL MODULE: ./build/config/settings-table.js
var settings_table = __webpack_require__(6667);
;// CONCATENATED MODULE: ./build/config/settings.js





// Read elsewhere (INTERFACE §4), and no settings.
const OTHER_VARIABLES = new Set(["LOOPLIA_STATE_DIR", "LOOPLIA_PROMPT_MODE"]);
const byName = new Map(settings_table/* settingDefinitions */.RJ.map((definition) => [definition.name, definition]));
/**
 * The settings and all that is wrong with any source. A wrong value leaves the next lower source's in place.
 * Empty strings and nulls count as not given.
 */
async function resolveSettings(sources) {
    const diagnostics = [];
    const given = [
        ...(await readFile(sources, diagnostics)),
        ...readEnvironment(sources.environment, diagnostics),
        ...readOverrides(sources, diagnostics),
    ];
    const values = new Map();
    for (const definition of settings_table/* settingDefinitions */.RJ) {
        values.set((0,settings_table/* settingKey */.iT)(definition.name), definition.type.kind === "list" ? [] : definition.default);
    }
    for (const { definition, value, isText, place } of given) {
        const checked = checkSetting(definition, value, isText);
        if (checked === undefined)
            continue;
        if ("problem" in checked) {
            const message = place.line === undefined ? checked.problem : `"${definition.name}" ${checked.problem}`;
            diagnostics.push({ severity: "error", ...place, message, ...hintOf(checked.hint) });
        }
        else
            values.set((0,settings_table/* settingKey */.iT)(definition.name), checked.value);
    }
    return { settings: Object.fromEntries(values), diagnostics };
}
async function readFile(sources, diagnostics) {
    if (sources.file === undefined)
        return [];
    const file = sources.fileName;
    const { root, diagnostics: broken } = await (0,located_yaml/* readYaml */.gM)(sources.file.replace(/^\uFEFF/, ""), file);
    diagnostics.push(...broken);
    if (root === undefined || (root.kind === "scalar" && root.value === null))
        return [];
    if (root.kind !== "map") {
        diagnostics.push({
            severity: "error",
            file,
            line: root.line,
            message: "is not a mapping of settings",
            hint: "write one `name: value` a line",
        });
        return [];
    }
    const given = [];
    for (const [name, { line, value }] of root.entries) {
        const definition = byName.get(name);
        const refusal = refuseInFile(name, definition);
        if (refusal !== undefined)
            diagnostics.push({ severity: "error", file, line, ...refusal });
        else if (definition !== undefined)
            given.push({ definition, value: fileValue(value), isText: false, place: { file, line } });
    }
    return given;
}
function refuseInFile(name, definition) {
    if (definition === undefined) {
        const names = settings_table/* settingDefinitions */.RJ.filter((known) => !known.isSecret && !known.outsideFile);
        return {
            message: `unknown setting "${name}"`,
            ...hintOf((0,suggest/* suggestName */.S)(name, names.map((known) => known.name))),
        };
    }
    if (definition.isSecret) {
        return {
            message: `"${name}" must not stand in a file`,
            hint: `take it out, revoke it if it was ever committed, and use a secret: the variable ${definition.usualName ?? (0,settings_table/* environmentName */.VE)(name)} or the Action's input`,
        };
    }
    if (!definition.outsideFile)
        return undefined;
    return {
        message: `"${name}" cannot be set in the file of settings`,
        hint: `use the flag --${name}, the Action's input or ${(0,settings_table/* environmentName */.VE)(name)}`,
    };
}
function fileValue(located) {
    const value = (0,located_yaml/* plainOf */.oi)(located);
    return value instanceof Map ? {} : value;
}
function readEnvironment(environment, diagnostics) {
    const variables = new Map(Object.entries(environment));
    const known = new Set();
    const given = [];
    for (const definition of settings_table/* settingDefinitions */.RJ) {
        const own = (0,settings_table/* environmentName */.VE)(definition.name);
        known.add(own);
        for (const variable of [definition.usualName, own]) {
            const value = variable === undefined ? undefined : variables.get(variable);
            if (variable !== undefined)
                given.push({ definition, value, isText: true, place: { file: variable } });
        }
    }
    for (const [variable, value] of variables) {
        if (!variable.startsWith("LOOPLIA_") || value === undefined)
            continue;
        if (known.has(variable) || OTHER_VARIABLES.has(variable))
            continue;
        diagnostics.push({
            severity: "warning",
            file: variable,
            message: "is a variable that no setting reads",
            ...hintOf((0,suggest/* suggestName */.S)(variable, known)),
        });
    }
    return given;
}
function readOverrides(sources, diagnostics) {
    const isInput = sources.overridesSource === "input";
    const given = [];
    for (const [name, value] of Object.entries(sources.overrides)) {
        if (value === undefined)
            continue;
        const file = isInput ? `input ${name}` : `--${name}`;
        const definition = byName.get(name);
        if (definition !== undefined && (!isInput || definition.isInput)) {
            given.push({ definition, value, isText: true, place: { file } });
            continue;
        }
        const names = settings_table/* settingDefinitions */.RJ.filter((known) => !isInput || known.isInput).map((known) => known.name);
        const hint = definition === undefined
            ? (0,suggest/* suggestName */.S)(name, names)
            : `set ${name} in looplia.yml or as ${(0,settings_table/* environmentName */.VE)(name)}`;
        diagnostics.push({
            severity: "error",
            file,
            message: `is no ${sources.overridesSource}`,
            ...hintOf(hint),
        });
    }
    return given;
}
function hintOf(hint) {
    return hint === undefined ? {} : { hint };
}


/***/ }),

/***/ 4235:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Pj: () => (/* binding */ findPlace),
/* harmony export */   Rm: () => (/* binding */ findItem),
/* harmony export */   YM: () => (/* binding */ reportPlace)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _config_diagnostics_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3811);
/* harmony import */ var _config_settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8645);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9473);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8705);
// Where a command runs and with which settings: folder, looplia.yml, variables, flags, provider.






/** Never throws for wrong settings: they are in `diagnostics`. */
async function findPlace(surface, folder, overrides) {
    const repository = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(surface.cwd, folder ?? ".");
    const { environment } = surface;
    const sources = { fileName: "looplia.yml", environment, overrides, overridesSource: "flag" };
    // The first pass tells where the file of settings is.
    const { config, workingDirectory } = (await (0,_config_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .resolveSettings */ .M)({ ...sources, file: undefined })).settings;
    const { text, problem } = await readConfig(repository, config);
    const { settings, diagnostics } = await (0,_config_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .resolveSettings */ .M)({ ...sources, file: text, fileName: config });
    if (problem)
        diagnostics.push(problem);
    const root = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(repository, workingDirectory);
    if (!(await isFolder(root))) {
        diagnostics.push({ severity: "error", file: "working-directory", message: `there is no folder ${root}` });
    }
    const stateFolder = environment.LOOPLIA_STATE_DIR
        ? (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(surface.cwd, environment.LOOPLIA_STATE_DIR)
        : (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(root, ".looplia", "state");
    const chosen = chooseProvider(settings);
    if (chosen.problem)
        diagnostics.push(chosen.problem);
    return {
        place: { root, stateFolder, settings: chosen.settings, environment },
        diagnostics,
        notices: chosen.notice === undefined ? [] : [chosen.notice],
    };
}
/** Prints warnings and notices on standard error. Throws LoopliaError `config-invalid` with every error. */
function reportPlace(surface, { diagnostics, notices }) {
    const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === "warning");
    for (const warning of warnings)
        surface.stderr.write(`warning: ${(0,_config_diagnostics_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDiagnostic */ .x)(warning)}\n`);
    (0,_config_diagnostics_js__WEBPACK_IMPORTED_MODULE_2__/* .throwIfErrors */ .Z)(diagnostics);
    for (const notice of notices)
        surface.stderr.write(`${notice}\n`);
}
/** The path of a content item: as given, else in the root. Throws LoopliaError `config-invalid` if it is nowhere. */
async function findItem(surface, place, path) {
    for (const base of [surface.cwd, place.root]) {
        const found = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(base, path);
        if (await exists(found))
            return found;
        if ((0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(path))
            break;
    }
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .LoopliaError */ .$K("config-invalid", `There is no file ${path}.`, {
        hint: `looked in ${[...new Set([surface.cwd, place.root])].join(" and ")}`,
    });
}
async function readConfig(repository, config) {
    try {
        return { text: await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(repository, config), "utf8") };
    }
    catch (thrown) {
        const isMissing = thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
        if (isMissing && config === "looplia.yml")
            return { text: undefined };
        const message = isMissing ? "there is no such file of settings" : `cannot be read: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .bD)(thrown)}`;
        return { text: undefined, problem: { severity: "error", file: config, message } };
    }
}
/** Without a key the command line rehearses offline, and says so; a provider that was named must have its key. */
function chooseProvider(settings) {
    const hasKey = settings.anthropicApiKey !== undefined;
    if (settings.provider === "offline")
        return { settings, notice: `Offline: ${_texts_js__WEBPACK_IMPORTED_MODULE_5__/* .REHEARSAL */ .Ce}.` };
    if (settings.provider === "anthropic" && !hasKey) {
        const hint = "set the variable ANTHROPIC_API_KEY, or rehearse with --provider offline";
        const problem = {
            severity: "error",
            file: "anthropic-api-key",
            message: "the provider anthropic has no key",
        };
        return { settings, problem: { ...problem, severity: "error", hint } };
    }
    if (hasKey)
        return { settings: { ...settings, provider: "anthropic" } };
    const notice = `ANTHROPIC_API_KEY is not set, so this is offline: ${_texts_js__WEBPACK_IMPORTED_MODULE_5__/* .REHEARSAL */ .Ce}.`;
    return { settings: { ...settings, provider: "offline" }, notice };
}
async function isFolder(path) {
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(path).then((found) => found.isDirectory(), () => false);
}
async function exists(path) {
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(path).then(() => true, () => false);
}


/***/ })

};

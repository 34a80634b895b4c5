export const id = 714;
export const ids = [714];
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

/***/ 2257:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ compileJsonSchema)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);

/** Throws `config-invalid`, naming `file`, when the text is not JSON or not a JSON Schema of draft 2020-12. */
async function compileJsonSchema(text, file) {
    const schema = parseSchema(text, file);
    // By its default: a bundler sees no other name in a CommonJS module that is a function.
    const [{ default: library }, { RE2JS }] = await Promise.all([__webpack_require__.e(/* import() */ 210).then(__webpack_require__.t.bind(__webpack_require__, 2210, 19)), __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856))]);
    // A pattern meets what a model sends: it must not be able to hang the program.
    const compilePattern = (pattern) => {
        const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
        // ajv tells patterns apart by their text form.
        return { test: (sent) => compiled.matcher(sent).find(), toString: () => `/${pattern}/` };
    };
    const regExp = Object.assign(compilePattern, { code: "compilePattern" });
    try {
        // Unknown keywords and formats are annotations, as the standard says.
        const options = { allErrors: true, strict: false, validateFormats: false, logger: false };
        const ajv = new library.Ajv2020({ ...options, code: { regExp } });
        const validate = ajv.compile(schema);
        return (value) => (validate(value) ? { fits: true } : { fits: false, errors: validate.errors ?? [] });
    }
    catch (error) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: is not a JSON Schema of draft 2020-12: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`, { cause: error });
    }
}
function parseSchema(text, file) {
    let value;
    try {
        value = JSON.parse(text.replace(/^\uFEFF/, ""));
    }
    catch (error) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: is not valid JSON: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`, {
            cause: error,
        });
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `${file}: is not a JSON Schema: it must be a JSON object`);
}


/***/ }),

/***/ 8714:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  loadConfiguration: () => (/* binding */ loadConfiguration)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
;// CONCATENATED MODULE: ./build/config/definition-source.js
// Where agents, skills and pipelines are looked for: a few folders, the first that has a name wins.

/** Text of a trusted file; undefined when it is missing or refused, the latter with a diagnostic. */
function readTrusted(files, path, diagnostics) {
    return orDiagnostic(() => files.read(path), `${files.label}${path}`, diagnostics);
}
/** Entries of a trusted folder; empty when it is missing or refused, the latter with a diagnostic. */
async function listTrusted(files, folder, diagnostics) {
    return (await orDiagnostic(() => files.list(folder), `${files.label}${folder}`, diagnostics)) ?? [];
}
async function orDiagnostic(action, file, diagnostics) {
    try {
        return await action();
    }
    catch (error) {
        if (!(error instanceof errors/* LoopliaError */.$K))
            throw error;
        const message = error.message.startsWith(file) ? error.message.slice(file.length).trim() : error.message;
        const hint = error.hint === undefined ? {} : { hint: error.hint };
        diagnostics.push({ severity: "error", file, message, ...hint });
        return undefined;
    }
}
/** Loads every entry of every source, sources in their order; a folder that is refused is a finding of its own. */
async function loadSources(sources, load) {
    const perSource = await Promise.all(sources.map(async (source) => {
        const diagnostics = [];
        const entries = await listTrusted(source.files, source.folder, diagnostics);
        const { isShared, folder } = source;
        const refused = diagnostics.length > 0 ? [{ name: folder, isShared, definition: undefined, diagnostics }] : [];
        return [...refused, ...(await Promise.all(entries.map((entry) => load(source, entry))))];
    }));
    return perSource.flat().filter((loaded) => loaded !== undefined);
}
/** The first of each name, broken or not: a broken file never lets a later source step in unseen. */
function chooseFirst(loaded) {
    const chosen = new Map();
    for (const one of loaded)
        if (!chosen.has(one.name))
            chosen.set(one.name, one);
    return chosen;
}
/** What a collection found, errors of what is shared and not in `needed` lowered to warnings. */
function diagnosticsOf(chosen, needed) {
    return [...chosen.values()].flatMap(({ name, isShared, diagnostics }) => isShared && !needed.has(name) ? diagnostics.map(lowerToWarning) : diagnostics);
}
/** The sound definitions by name. */
function definitionsOf(chosen) {
    const sound = new Map();
    for (const { name, definition } of chosen.values())
        if (definition !== undefined)
            sound.set(name, definition);
    return sound;
}
function lowerToWarning(diagnostic) {
    return { ...diagnostic, severity: "warning" };
}

// EXTERNAL MODULE: ./build/config/front-matter.js
var front_matter = __webpack_require__(3140);
// EXTERNAL MODULE: ./build/config/located-yaml.js
var located_yaml = __webpack_require__(2601);
// EXTERNAL MODULE: ./build/config/report.js
var config_report = __webpack_require__(93);
// EXTERNAL MODULE: ./build/config/suggest.js
var suggest = __webpack_require__(5813);
;// CONCATENATED MODULE: ./build/config/tool-names.js
// The names of tools in an agent's front matter: the project's own, and Claude Code's as aliases.
/** Every tool that an agent can be given (INTERFACE §8). */
const TOOL_NAMES = [
    "readFile",
    "listFiles",
    "grep",
    "searchCode",
    "editFile",
    "runCommand",
    "writeArtifact",
    "askUser",
    "Task",
    "Skill",
];
const aliases = new Map([
    ["Read", "readFile"],
    ["Write", "writeArtifact"],
    ["Edit", "editFile"],
    ["Glob", "listFiles"],
    ["Grep", "grep"],
    ["Bash", "runCommand"],
]);
/** Every name that front matter may have. */
const WRITTEN_TOOL_NAMES = [...TOOL_NAMES, ...aliases.keys()];
/** Splits names into the project's own, each once and in the order given, and those that nobody knows. */
function resolveToolNames(names) {
    const known = new Set(TOOL_NAMES);
    const resolved = names.map((name) => aliases.get(name) ?? name);
    return {
        tools: [...new Set(resolved.filter((name) => known.has(name)))],
        unknown: resolved.filter((name) => !known.has(name)),
    };
}

;// CONCATENATED MODULE: ./build/config/agents.js
// Agents: Markdown files with front matter `name`, `description`, `tools`, `model`; the body is the instructions.






/** Names of agents and skills. */
const DEFINITION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** All `*.md` of the sources, in their order; what is broken has diagnostics and no definition. */
function loadAgents(sources) {
    return loadSources(sources, async (source, entry) => entry.endsWith(".md") ? loadAgent(source, entry) : undefined);
}
/** One file of a source. */
async function loadAgent(source, fileName) {
    const path = `${source.folder}/${fileName}`;
    const file = `${source.files.label}${path}`;
    const diagnostics = [];
    const fallback = fileName.replace(/\.md$/, "");
    const text = await readTrusted(source.files, path, diagnostics);
    const frontMatter = await (0,front_matter/* readFrontMatter */.X)(text ?? "", file, diagnostics);
    const name = readDefinitionName(frontMatter, fallback, file, diagnostics);
    const description = readDescription(frontMatter, file, diagnostics);
    const tools = readTools(frontMatter.entries.get("tools"), file, diagnostics);
    const model = (0,located_yaml/* textOfScalar */.Jb)(frontMatter.entries.get("model")?.value);
    const instructions = frontMatter.body.trim();
    const isSound = !diagnostics.some((diagnostic) => diagnostic.severity === "error");
    if (isSound && instructions === "")
        (0,config_report/* createReport */.L)(file, diagnostics)(undefined, "has no instructions");
    const definition = {
        name,
        description,
        instructions,
        file,
        ...(tools === undefined ? {} : { tools }),
        ...(model === undefined ? {} : { model }),
    };
    const isUsable = isSound && instructions !== "";
    return { name, isShared: source.isShared, definition: isUsable ? definition : undefined, diagnostics };
}
/** The front matter's `name`, else the file's or folder's. */
function readDefinitionName({ entries }, fallback, file, diagnostics) {
    const entry = entries.get("name");
    const name = (0,located_yaml/* textOfScalar */.Jb)(entry?.value) ?? fallback;
    if (DEFINITION_NAME.test(name))
        return name;
    const hint = "use letters, digits, dashes and underscores";
    (0,config_report/* createReport */.L)(file, diagnostics)(entry?.line, `has the name "${name.slice(0, 80)}"`, hint);
    return fallback;
}
/** The front matter's `description` in one line; a missing one is a warning. */
function readDescription({ entries }, file, diagnostics) {
    const entry = entries.get("description");
    const text = (0,located_yaml/* textOfScalar */.Jb)(entry?.value)?.replace(/\s+/g, " ");
    const isSound = diagnostics.every((diagnostic) => diagnostic.severity === "warning");
    if (text === undefined && isSound)
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(entry?.line, "has no description");
    return text ?? "";
}
function readTools(entry, file, diagnostics) {
    if (entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null))
        return undefined;
    const { value, line } = entry;
    const names = value.kind === "list"
        ? value.items.map(located_yaml/* textOfScalar */.Jb)
        : (0,located_yaml/* textOfScalar */.Jb)(value)
            ?.split(",")
            .map((name) => name.trim());
    if (names === undefined || value.kind === "map" || !names.every((name) => name !== undefined)) {
        (0,config_report/* createReport */.L)(file, diagnostics)(line, "tools must be names of tools, in a list or with commas between them");
        return undefined;
    }
    const { tools, unknown } = resolveToolNames(names.filter((name) => name !== ""));
    if (unknown.length > 0) {
        const message = `has tools that are not known here and are left out: ${unknown.join(", ")}`;
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(line, message, (0,suggest/* suggestName */.S)(unknown[0] ?? "", WRITTEN_TOOL_NAMES));
    }
    return tools;
}

;// CONCATENATED MODULE: ./build/config/artifact-schemas.js
/** Compact JSON Schemas by artifact file, from the installation's `prompts/artifacts.json`. */
async function readArtifactSchemas(builtin) {
    const file = "prompts/artifacts.json";
    const text = await builtin.read(file);
    if (text === undefined)
        throw new Error(`the installation's ${file} is missing`);
    const schemas = JSON.parse(text);
    return new Map(Object.entries(schemas).map(([artifact, schema]) => [artifact, JSON.stringify(schema)]));
}

// EXTERNAL MODULE: ./build/config/json-schema.js
var json_schema = __webpack_require__(2257);
;// CONCATENATED MODULE: ./build/config/pipeline-graph.js
// The graph that `requires` makes: cycles, order, sinks. Pure.
/** The names of a cycle, the first repeated at the end, or undefined when there is none. Unknown names are ignored. */
function findCycle(nodes) {
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const finished = new Set();
    const path = [];
    const visit = (name) => {
        const node = byName.get(name);
        if (node === undefined || finished.has(name))
            return undefined;
        if (path.includes(name))
            return [...path.slice(path.indexOf(name)), name];
        path.push(name);
        for (const required of node.requires) {
            const cycle = visit(required);
            if (cycle !== undefined)
                return cycle;
        }
        path.pop();
        finished.add(name);
        return undefined;
    };
    for (const node of nodes) {
        const cycle = visit(node.name);
        if (cycle !== undefined)
            return cycle;
    }
    return undefined;
}
/** Every node after all that it requires; ties in the given order. The graph must have no cycle. */
function sortByRequirement(nodes) {
    const sorted = [];
    const done = new Set();
    let left = [...nodes];
    while (left.length > 0) {
        const next = left.find((node) => node.requires.every((name) => done.has(name)));
        if (next === undefined)
            throw new Error("sortByRequirement was given a cycle or an unknown name");
        sorted.push(next);
        done.add(next.name);
        left = left.filter((node) => node !== next);
    }
    return sorted;
}
/** The names that nothing else requires. */
function findSinks(nodes) {
    const required = new Set(nodes.flatMap((node) => node.requires));
    return nodes.map((node) => node.name).filter((name) => !required.has(name));
}

;// CONCATENATED MODULE: ./build/config/pipeline-checks.js
// What spans several outputs of a pipeline, and what is outside its file: agents, schema files.




function checkDuplicates(drafts, report) {
    const owners = new Map();
    for (const { name, artifact, lines } of drafts) {
        const owner = owners.get(artifact);
        if (artifact === "")
            continue;
        if (owner === undefined)
            owners.set(artifact, name);
        else
            report(lines.artifact, `"${name}" has the artifact ${artifact}, which "${owner}" has already`);
    }
}
function checkAgents(drafts, agents, report) {
    for (const { name, agent, lines } of drafts) {
        if (agent === "")
            continue;
        const definition = agents.get(agent);
        if (definition === undefined) {
            const hint = (0,suggest/* suggestName */.S)(agent, agents.keys()) ?? `there are ${[...agents.keys()].join(", ") || "none"}`;
            report(lines.agent, `"${name}" has the unknown agent "${agent}"`, hint);
        }
        else if (definition.tools?.includes("writeArtifact") === false) {
            report(lines.agent, `"${name}" has the agent "${agent}", whose tools lack writeArtifact`, `add Write to the tools in ${definition.file}`);
        }
    }
}
function checkRequirements(drafts, report) {
    const names = new Set(drafts.map((draft) => draft.name));
    for (const { name, requires, lines } of drafts) {
        for (const required of requires) {
            if (names.has(required))
                continue;
            report(lines.requires, `"${name}" requires the unknown output "${required}"`, (0,suggest/* suggestName */.S)(required, names));
        }
    }
    const cycle = findCycle(drafts);
    if (cycle === undefined)
        return;
    const first = drafts.find((draft) => draft.name === cycle[0]);
    report(first?.lines.requires, `the outputs require each other in a cycle: ${cycle.join(" → ")}`);
}
function chooseFinal(drafts, report) {
    const marked = drafts.filter((draft) => draft.isFinal);
    for (const extra of marked.slice(1)) {
        report(extra.lines.final, `"${extra.name}" is final, but "${marked[0]?.name}" is already`);
    }
    if (marked[0] !== undefined)
        return marked[0].name;
    const sinks = findSinks(drafts);
    if (sinks.length > 1) {
        report(drafts.find((draft) => draft.name === sinks[1])?.lines.name, `has several last outputs: ${sinks.join(", ")}`, "write final: true in one of them");
    }
    return sinks[0];
}
async function readSchemas(drafts, file, { readBeside, checkSchemas }, report) {
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const schemas = new Map();
    for (const { name, schema, lines } of drafts) {
        if (schema === undefined)
            continue;
        const text = await readBeside(schema);
        if (text === undefined) {
            report(lines.schema, `"${name}" has the schema ${schema}, and there is no file ${folder}${schema}`);
            continue;
        }
        schemas.set(name, { file: `${folder}${schema}`, text });
        if (!checkSchemas)
            continue;
        try {
            await (0,json_schema/* compileJsonSchema */.n)(text, `${folder}${schema}`);
        }
        catch (error) {
            if (!(error instanceof errors/* LoopliaError */.$K))
                throw error;
            report(lines.schema, `"${name}" has a schema that cannot be used: ${error.message}`);
        }
    }
    return schemas;
}

;// CONCATENATED MODULE: ./build/config/pipeline-output.js
// One entry of a pipeline's `outputs`, its fields checked one by one; what spans several outputs is pipeline.ts's.


const KEYS = ["artifact", "agent", "requires", "final", "schema", "max-retries"];
const OUTPUT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const ARTIFACT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}\.json$/;
const SCHEMA_PATH = /^(?:[A-Za-z0-9][\w.-]*\/)*[A-Za-z0-9][\w.-]*\.json$/;
const DEFAULT_RETRIES = 2;
/** Reports every field that is missing, unknown or wrong. */
function readOutput(name, { line, value }, report) {
    if (!OUTPUT_NAME.test(name))
        report(line, `the output name "${name}" must be small letters, digits and dashes`);
    // The task loop's own output has this name.
    if (name === "to-do")
        report(line, 'the output name "to-do" is taken', "choose another");
    const fields = value.kind === "map" ? value.entries : new Map();
    if (value.kind !== "map")
        report(line, `"${name}" must be a mapping with an artifact and an agent`);
    else
        (0,config_report/* reportUnknownKeys */.T)(fields, KEYS, report);
    const lineOf = (key) => fields.get(key)?.line ?? line;
    return {
        name,
        artifact: value.kind === "map" ? readArtifact(name, fields, lineOf("artifact"), report) : "",
        agent: value.kind === "map" ? readAgent(name, fields, lineOf("agent"), report) : "",
        requires: readRequires(name, fields.get("requires"), report),
        isFinal: readFinal(name, fields.get("final"), report),
        schema: readSchemaPath(name, fields.get("schema"), report),
        maxRetries: readRetries(name, fields.get("max-retries"), report),
        lines: {
            name: line,
            artifact: lineOf("artifact"),
            agent: lineOf("agent"),
            requires: lineOf("requires"),
            final: lineOf("final"),
            schema: lineOf("schema"),
        },
    };
}
function readArtifact(name, fields, line, report) {
    const artifact = (0,located_yaml/* textOfScalar */.Jb)(fields.get("artifact")?.value);
    if (artifact === undefined) {
        report(line, `"${name}" has no artifact`, `write artifact: ${name}.json`);
        return "";
    }
    if (ARTIFACT_NAME.test(artifact) && artifact !== "session.json")
        return artifact;
    const reason = artifact === "session.json"
        ? "is the program's own"
        : "must be a file name of small letters that ends in .json";
    report(line, `the artifact "${artifact}" of "${name}" ${reason}`);
    return "";
}
function readAgent(name, fields, line, report) {
    const agent = (0,located_yaml/* textOfScalar */.Jb)(fields.get("agent")?.value);
    if (agent === undefined)
        report(line, `"${name}" has no agent`, "write agent: and the name of one");
    return agent ?? "";
}
function readRequires(name, entry, report) {
    if (entry === undefined)
        return [];
    const items = entry.value.kind === "list" ? entry.value.items : [entry.value];
    const names = items.map(located_yaml/* textOfScalar */.Jb);
    const isRight = names.every((required) => required !== undefined);
    if (!isRight)
        report(entry.line, `requires of "${name}" must be the name of an output, or a list of names`);
    return [...new Set(names.filter((required) => required !== undefined))];
}
function readFinal(name, entry, report) {
    const value = entry?.value.kind === "scalar" ? entry.value.value : undefined;
    if (entry !== undefined && typeof value !== "boolean")
        report(entry.line, `final of "${name}" must be true or false`);
    return value === true;
}
function readSchemaPath(name, entry, report) {
    if (entry === undefined)
        return undefined;
    const path = (0,located_yaml/* textOfScalar */.Jb)(entry.value);
    if (path !== undefined && SCHEMA_PATH.test(path))
        return path;
    report(entry.line, `schema of "${name}" must be the path of a .json file beside the pipeline`);
    return undefined;
}
function readRetries(name, entry, report) {
    if (entry === undefined)
        return DEFAULT_RETRIES;
    const value = entry.value.kind === "scalar" ? entry.value.value : undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10)
        return value;
    report(entry.line, `max-retries of "${name}" must be a whole number from 0 to 10`);
    return DEFAULT_RETRIES;
}

;// CONCATENATED MODULE: ./build/config/pipeline.js





const pipeline_KEYS = ["name", "description", "outputs"];
const PIPELINE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** `file` is the path shown in diagnostics; its last part without `.yaml` must be the pipeline's name. */
async function parsePipeline(text, file, surroundings) {
    const { root, diagnostics } = await (0,located_yaml/* readYaml */.gM)(text.replace(/^\uFEFF/, ""), file);
    if (root === undefined)
        return { pipeline: undefined, agents: [], diagnostics };
    const report = (0,config_report/* createReport */.L)(file, diagnostics);
    if (root.kind !== "map") {
        report(root.line, "is not a pipeline: it must be a mapping with name, description and outputs");
        return { pipeline: undefined, agents: [], diagnostics };
    }
    (0,config_report/* reportUnknownKeys */.T)(root.entries, pipeline_KEYS, report);
    const name = readName(root.entries.get("name"), file, report);
    const description = pipeline_readDescription(root.entries.get("description"), report);
    const drafts = readOutputs(root.entries.get("outputs"), report);
    checkDuplicates(drafts, report);
    checkAgents(drafts, surroundings.agents, report);
    checkRequirements(drafts, report);
    const final = chooseFinal(drafts, report);
    const schemas = await readSchemas(drafts, file, surroundings, report);
    const agents = drafts.map((draft) => draft.agent).filter((agent) => agent !== "");
    if (diagnostics.length > 0 || final === undefined)
        return { pipeline: undefined, agents, diagnostics };
    const outputs = sortByRequirement(drafts).map((draft) => {
        const schema = schemas.get(draft.name);
        const { name: output, artifact, agent, requires, maxRetries } = draft;
        return {
            name: output,
            artifact,
            agent,
            requires,
            maxRetries,
            ...(schema === undefined ? {} : { schema }),
        };
    });
    return { pipeline: { name, description, file, outputs, final }, agents, diagnostics };
}
function readName(entry, file, report) {
    const wanted = (file.split("/").at(-1) ?? file).replace(/\.yaml$/, "");
    const name = (0,located_yaml/* textOfScalar */.Jb)(entry?.value);
    if (name === undefined)
        report(entry?.line, "has no name", `write name: ${wanted}`);
    else if (!PIPELINE_NAME.test(name))
        report(entry?.line, `the name "${name}" must be small letters, digits and dashes`);
    else if (name !== wanted) {
        report(entry?.line, `the name "${name}" differs from the file's`, `call the file ${name}.yaml or write name: ${wanted}`);
    }
    return name ?? wanted;
}
function pipeline_readDescription(entry, report) {
    if (entry === undefined)
        return "";
    const text = (0,located_yaml/* textOfScalar */.Jb)(entry.value);
    if (text === undefined)
        report(entry.line, "the description must be a text");
    return text ?? "";
}
function readOutputs(entry, report) {
    if (entry?.value.kind !== "map" || entry.value.entries.size === 0) {
        report(entry?.line, "has no outputs", "write outputs: with one entry for each, its artifact and its agent");
        return [];
    }
    return [...entry.value.entries].map(([name, output]) => readOutput(name, output, report));
}

;// CONCATENATED MODULE: ./build/config/pipelines.js
// All pipeline files of some folders; the asked one must be sound.




/** Only the schema files of the pipeline that is asked for are compiled, or all when none is. */
function loadPipelines(sources, agents, asked) {
    return loadSources(sources, async (source, entry) => /\.ya?ml$/.test(entry) ? loadPipeline(source, entry, agents, asked) : undefined);
}
async function loadPipeline({ files, folder, isShared }, fileName, agents, asked) {
    const path = `${folder}/${fileName}`;
    const file = `${files.label}${path}`;
    const diagnostics = [];
    const loaded = { name: fileName.replace(/\.yaml$/, ""), isShared, definition: undefined, diagnostics };
    if (fileName.endsWith(".yml")) {
        (0,config_report/* createReport */.L)(file, diagnostics, "warning")(undefined, "is not read", "let its name end in .yaml");
        return loaded;
    }
    const text = await readTrusted(files, path, diagnostics);
    if (text === undefined)
        return loaded;
    const parsed = await parsePipeline(text, file, {
        agents,
        readBeside: (beside) => readTrusted(files, `${folder}/${beside}`, diagnostics),
        checkSchemas: asked === undefined || asked === loaded.name,
    });
    diagnostics.push(...parsed.diagnostics);
    return { ...loaded, definition: parsed.pipeline, agents: parsed.agents };
}
/** What is wrong with the asked pipeline (all of them when none is); the others' errors are warnings. */
function diagnosePipelines(pipelines, asked) {
    // A folder that is refused is under its path: it may hide the asked one.
    const isWanted = (name) => asked === undefined || asked === name || name.includes("/");
    const found = [...pipelines.values()].flatMap(({ name, diagnostics }) => isWanted(name) ? diagnostics : diagnostics.map(lowerToWarning));
    const names = [...pipelines.keys()].filter((name) => /^[^/.]+$/.test(name));
    if (asked === undefined || names.includes(asked))
        return found;
    const near = (0,suggest/* suggestName */.S)(asked, names);
    const hint = `${near === undefined ? "" : `${near} `}there are ${names.join(", ")}`;
    return [
        ...found,
        { severity: "error", file: "pipeline", message: `there is no pipeline "${asked}"`, hint },
    ];
}

// EXTERNAL MODULE: ./build/config/diagnostics.js
var diagnostics = __webpack_require__(3811);
;// CONCATENATED MODULE: ./build/config/skills.js




const ENTRY_FILE = "SKILL.md";
const MAX_FILES = 200;
const MAX_DEPTH = 4;
/** All folders of the sources that have a SKILL.md, in their order; what is broken has no definition. */
function loadSkills(sources) {
    return loadSources(sources, loadSkill);
}
async function loadSkill({ files, folder, isShared }, folderName) {
    const base = `${folder}/${folderName}`;
    const diagnostics = [];
    const entries = await listTrusted(files, base, diagnostics);
    if (diagnostics.length > 0)
        return { name: folderName, isShared, definition: undefined, diagnostics };
    if (!entries.includes(ENTRY_FILE))
        return undefined;
    const file = `${files.label}${base}/${ENTRY_FILE}`;
    const text = await readTrusted(files, `${base}/${ENTRY_FILE}`, diagnostics);
    const frontMatter = await (0,front_matter/* readFrontMatter */.X)(text ?? "", file, diagnostics);
    const name = readDefinitionName(frontMatter, folderName, file, diagnostics);
    const description = readDescription(frontMatter, file, diagnostics);
    const body = frontMatter.body.trim();
    if (diagnostics.every(({ severity }) => severity === "warning") && body === "") {
        (0,config_report/* createReport */.L)(file, diagnostics)(undefined, "has no instructions");
    }
    if (diagnostics.some(({ severity }) => severity === "error")) {
        return { name, isShared, definition: undefined, diagnostics };
    }
    const bundled = await listBundled(files, base, entries.filter((entry) => entry !== ENTRY_FILE), diagnostics);
    const read = bundledReader(files, base, bundled);
    return { name, isShared, definition: { name, description, body, files: bundled, file, read }, diagnostics };
}
/** Reads the bundled files of a skill's folder by their names, and no others. */
function bundledReader(files, folder, bundled) {
    const known = new Set(bundled);
    return async (path) => (known.has(path) ? files.read(`${folder}/${path}`) : undefined);
}
async function listBundled(files, base, entries, diagnostics) {
    const found = [];
    const visit = async (path, depth) => {
        if (found.length >= MAX_FILES || depth > MAX_DEPTH)
            return;
        const refused = [];
        const inside = await listTrusted(files, `${base}/${path}`, refused);
        diagnostics.push(...refused.map(lowerToWarning));
        if (inside.length === 0 && refused.length === 0)
            found.push(path);
        for (const entry of inside)
            await visit(`${path}/${entry}`, depth + 1);
    };
    for (const entry of entries)
        await visit(entry, 1);
    return found;
}

;// CONCATENATED MODULE: ./build/config/prepared.js




/** What is prepared in an installation, or else what its files say. */
async function loadBuiltin(builtin) {
    const text = await builtin.read("prompts/prepared.json");
    if (text === undefined)
        return loadFromFiles(builtin);
    const { mainAgent, agents, skills, pipelines } = JSON.parse(text);
    return {
        mainAgent,
        agents: agents.map(asLoaded),
        skills: skills.map((skill) => {
            const folder = skill.file.slice(0, skill.file.lastIndexOf("/"));
            return asLoaded({ ...skill, read: bundledReader(builtin, folder, skill.files) });
        }),
        pipelines,
    };
}
/** The program's own pipelines, checked against `agents`; as prepared where that holds for these agents too. */
async function loadBuiltinPipelines(builtin, { agents: own, pipelines }, agents, asked) {
    const known = new Set(own.map(({ definition }) => definition));
    const isUnchanged = (name) => agents.has(name) && known.has(agents.get(name));
    if (!pipelines?.every(({ outputs }) => outputs.every(({ agent }) => isUnchanged(agent)))) {
        return loadPipelines([sourceOf(builtin, "pipelines")], agents, asked);
    }
    return pipelines.map((pipeline) => ({
        ...asLoaded(pipeline),
        agents: pipeline.outputs.map(({ agent }) => agent),
    }));
}
/** What `prompts/prepared.json` has to hold. Throws `config-invalid` for anything wrong in the files. */
async function prepareBuiltin(builtin) {
    const read = await loadFromFiles(builtin);
    const agents = soundOnes(read.agents);
    const known = new Map(agents.map((agent) => [agent.name, agent]));
    return {
        mainAgent: read.mainAgent,
        agents,
        skills: soundOnes(read.skills).map(({ read: _, ...skill }) => skill),
        pipelines: soundOnes(await loadBuiltinPipelines(builtin, read, known, undefined)),
    };
}
async function loadFromFiles(builtin) {
    const [main, agents, skills] = await Promise.all([
        loadAgent(sourceOf(builtin, "prompts"), "system.md"),
        loadAgents([sourceOf(builtin, "prompts/agents")]),
        loadSkills([sourceOf(builtin, "prompts/skills")]),
    ]);
    if (!main.definition)
        throw new Error("the installation's prompts/system.md is broken");
    return { mainAgent: main.definition, agents, skills };
}
function sourceOf(files, folder) {
    return { files, folder, isShared: false };
}
function asLoaded(definition) {
    return { name: definition.name, isShared: false, definition, diagnostics: [] };
}
function soundOnes(loaded) {
    throwIfErrors(loaded.flatMap(({ diagnostics }) => diagnostics));
    return loaded.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
}

;// CONCATENATED MODULE: ./build/config/tool-definitions.js
/** Definitions by tool, in the registry's order, from the installation's `prompts/tools.json`. */
async function readToolDefinitions(builtin) {
    const file = "prompts/tools.json";
    const text = await builtin.read(file);
    if (text === undefined)
        throw new Error(`the installation's ${file} is missing`);
    return new Map(JSON.parse(text).map((definition) => [definition.name, definition]));
}

;// CONCATENATED MODULE: ./build/config/load.js







/**
 * Reads pipelines, agents, skills, instructions and profile. `builtin` is the root of the installation (with `prompts/`
 * and `pipelines/`). Never throws for what a file says; the configuration has only what is sound.
 */
async function loadConfiguration(trusted, builtin, { prompts, pipeline: asked }) {
    const diagnostics = [];
    const [shipped, toolDefinitions, artifactSchemas] = await Promise.all([
        loadBuiltin(builtin),
        readToolDefinitions(builtin),
        readArtifactSchemas(builtin),
    ]);
    const [ownAgents, ownSkills, instructions, profileText] = await Promise.all([
        loadAgents(sourcesOf("agents", trusted)),
        loadSkills(sourcesOf("skills", trusted)),
        readTrusted(trusted, ".looplia/CLAUDE.md", diagnostics),
        readTrusted(trusted, PROFILE, diagnostics),
    ]);
    const chosenAgents = chooseFirst([...ownAgents, ...shipped.agents]);
    const agents = definitionsOf(chosenAgents);
    const ownPipelines = { files: trusted, folder: ".looplia/pipelines", isShared: false };
    const pipelines = chooseFirst([
        ...(await loadPipelines([ownPipelines], agents, asked)),
        ...(await loadBuiltinPipelines(builtin, shipped, agents, asked)),
    ]);
    const wanted = [...pipelines.values()].filter(({ name }) => asked === undefined || asked === name);
    const needed = new Set(wanted.flatMap((loaded) => loaded.agents ?? []));
    const chosenSkills = chooseFirst([...ownSkills, ...shipped.skills]);
    const profile = await readProfile(profileText, `${trusted.label}${PROFILE}`, diagnostics);
    diagnostics.push(...diagnosePipelines(pipelines, asked), ...diagnosticsOf(chosenAgents, needed), ...diagnosticsOf(chosenSkills, new Set()));
    const configuration = {
        pipelines: definitionsOf(pipelines),
        agents,
        mainAgent: shipped.mainAgent,
        skills: definitionsOf(chosenSkills),
        instructions: (instructions ?? "").replace(/^\uFEFF/, "").trim(),
        profileText: profileText ?? "",
        toolDefinitions,
        artifactSchemas,
        prompts,
        ...(profile === undefined ? {} : { profile }),
    };
    return { configuration, diagnostics };
}
const PROFILE = ".looplia/user-profile.json";
// Not above: most repositories have no profile, and what checks one takes long to load.
async function readProfile(text, file, diagnostics) {
    if (text === undefined)
        return undefined;
    const { parseUserProfile } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(492)]).then(__webpack_require__.bind(__webpack_require__, 5492));
    return parseUserProfile(text, file, diagnostics);
}
function sourcesOf(kind, trusted) {
    return [
        { files: trusted, folder: `.looplia/.claude/${kind}`, isShared: false },
        { files: trusted, folder: `.claude/${kind}`, isShared: true },
    ];
}


/***/ }),

/***/ 93:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ createReport),
/* harmony export */   T: () => (/* binding */ reportUnknownKeys)
/* harmony export */ });
/* harmony import */ var _suggest_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5813);

/** A report whose findings are errors of `file`, added to `diagnostics`. */
function createReport(file, diagnostics, severity = "error") {
    return (line, message, hint) => {
        const place = { file, ...(line === undefined ? {} : { line }) };
        diagnostics.push({ severity, ...place, message, ...(hint === undefined ? {} : { hint }) });
    };
}
/** Reports each key that is not among `known`. */
function reportUnknownKeys(entries, known, report) {
    for (const [key, { line }] of entries) {
        if (!known.includes(key))
            report(line, `unknown key "${key}"`, (0,_suggest_js__WEBPACK_IMPORTED_MODULE_0__/* .suggestName */ .S)(key, known));
    }
}


/***/ })

};

"use strict";
exports.id = 194;
exports.ids = [194];
exports.modules = {

/***/ 1194:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  dependencyDiagnostics: () => (/* binding */ dependencyDiagnostics),
  V: () => (/* binding */ findTask),
  readTodo: () => (/* binding */ readTodo),
  u: () => (/* binding */ todoBytes)
});

// EXTERNAL MODULE: ./build/config/check-value.js
var check_value = __webpack_require__(7526);
// EXTERNAL MODULE: ./build/config/problem.js
var config_problem = __webpack_require__(7849);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9984);
// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(56);
;// CONCATENATED MODULE: ./build/todo/dependencies.js
/** Every unknown id, then every cycle once; empty when all is sound. */
function findDependencyProblems(tasks) {
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const unknown = tasks.flatMap(({ id, depends_on = [] }) => depends_on
        .filter((needed) => !byId.has(needed))
        .map((needed) => ({ id, message: `depends on ${show(needed)}, and there is no such task` })));
    return [...unknown, ...findCycles(tasks, byId)];
}
/** Depth first without recursion: a chain may be as long as the file. */
function findCycles(tasks, byId) {
    const problems = [];
    const done = new Set();
    for (const { id } of tasks) {
        const way = [];
        const onWay = new Set();
        const enter = (next) => {
            way.push({ id: next, left: [...(byId.get(next)?.depends_on ?? [])] });
            onWay.add(next);
        };
        if (!done.has(id))
            enter(id);
        for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
            const next = here.left.shift();
            if (next === undefined) {
                done.add(here.id);
                onWay.delete(here.id);
                way.pop();
            }
            else if (onWay.has(next)) {
                const cycle = way.map((step) => step.id).slice(way.findIndex((step) => step.id === next));
                problems.push({ id: next, message: `is in a cycle: ${[...cycle, next].map(show).join(" → ")}` });
            }
            else if (byId.has(next) && !done.has(next))
                enter(next);
        }
    }
    return problems;
}
function show(id) {
    return JSON.stringify(id);
}

// EXTERNAL MODULE: ./build/todo/locate.js
var locate = __webpack_require__(784);
;// CONCATENATED MODULE: ./build/todo/syntax-error.js
/** `offset` of the first thing that is wrong; `message` says what, without the text around it. */
async function findSyntaxError(message, text) {
    const position = /\bposition (\d+)/.exec(message)?.[1];
    if (position !== undefined)
        return { offset: Number(position), message };
    const [, token] = /^(Unexpected token .{1,3}), [\s\S]* is not valid JSON$/su.exec(message) ?? [];
    // Else the end came too early.
    if (token === undefined)
        return { offset: text.length, message };
    return { offset: await findFirstError(text), message: token };
}
async function findFirstError(text) {
    const { parse } = await __webpack_require__.e(/* import() */ 547).then(__webpack_require__.t.bind(__webpack_require__, 1928, 23));
    const errors = [];
    try {
        parse(text, errors, { disallowComments: true });
    }
    catch {
        // Nested deeper than the stack of that parser.
    }
    return errors[0]?.offset ?? text.length;
}

;// CONCATENATED MODULE: ./build/todo/document.js
// A to-do file as text with what it says, or everything that is wrong with it, with lines.







/** Deeper files are nobody's work, and the stack of what edits them is finite. */
const MAX_DEPTH = 200;
/**
 * Reads the bytes of a to-do file. Throws `config-invalid`, naming the line, for what is no JSON object in UTF-8. All
 * other problems are listed at once, each with line, path and what is allowed.
 */
async function readTodo(bytes, path) {
    const whole = decode(bytes, path);
    const hasMark = whole.startsWith("\uFEFF");
    const text = hasMark ? whole.slice(1) : whole;
    const value = await parseObject(text, path);
    const located = (0,locate/* locateTasks */.X)(text);
    if (located.depth > MAX_DEPTH)
        throw notTodo(`${path} is nested more than ${MAX_DEPTH} levels deep.`);
    const { todoFileSchema } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(533)]).then(__webpack_require__.bind(__webpack_require__, 533));
    const parsed = todoFileSchema.safeParse(value);
    const twice = findRepeatedIds(value.tasks);
    if (parsed.success && twice.length === 0 && located.repeated.length === 0) {
        return {
            kind: "valid",
            document: { path, text, hasMark, file: parsed.data, spans: located.tasks },
        };
    }
    const checked = parsed.success ? [] : (await (0,check_value/* checkValue */.Su)(todoFileSchema, value)).problems;
    const fields = located.repeated.map(({ path: place }) => ({
        path: place,
        field: (0,config_problem/* fieldName */.w5)(place),
        expected: "to stand there once",
        received: "two of it",
    }));
    const problems = [...checked, ...twice, ...fields].slice(0, check_value/* MAX_PROBLEMS */.aZ);
    const diagnostics = await placeProblems(text, path, problems);
    const found = (parsed.error?.issues.length ?? 0) + twice.length + fields.length;
    if (found > check_value/* MAX_PROBLEMS */.aZ) {
        const message = `there is more: only the first ${check_value/* MAX_PROBLEMS */.aZ} problems are looked at`;
        diagnostics.push({ severity: "error", file: path, message });
    }
    return { kind: "broken", broken: { path, text, hasMark, value, diagnostics } };
}
/** What is wrong with `depends_on`, with the lines of the tasks. */
function dependencyDiagnostics({ path, text, file, spans }) {
    const lineOf = lineCounter(text);
    const indexes = new Map(file.tasks.map((task, index) => [task.id, index]));
    return findDependencyProblems(file.tasks).map(({ id, message }) => {
        const index = indexes.get(id) ?? 0;
        const line = lineOf(spans[index]?.start ?? 0);
        const place = `tasks[${index}].depends_on: ${JSON.stringify(id)} ${message}`;
        return { severity: "error", file: path, line, message: place };
    });
}
/** The whole file again, as it is to be written. */
function todoBytes({ text, hasMark }) {
    return new TextEncoder().encode(hasMark ? `\uFEFF${text}` : text);
}
/** By its whole id. */
function findTask(document, id) {
    return document.file.tasks.find((task) => task.id === id);
}
function decode(bytes, path) {
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch (cause) {
        throw notTodo(`${path} is not UTF-8 text.`, cause);
    }
}
async function parseObject(text, path) {
    let value;
    try {
        value = JSON.parse(text);
    }
    catch (cause) {
        const { offset, message } = await findSyntaxError((0,errors/* messageOf */.bD)(cause), text);
        throw notTodo(`${path}:${lineCounter(text)(offset)}: is not JSON: ${message}.`, cause);
    }
    if ((0,json/* isObject */.Gv)(value))
        return value;
    throw notTodo(`${path} is no JSON object: ${(0,config_problem/* describeReceived */.Jr)(value)}.`);
}
function notTodo(message, cause) {
    const hint = "It was left as it is. Mend it by hand, or move it away to begin anew.";
    return new errors/* LoopliaError */.$K("config-invalid", message, { hint, ...(cause === undefined ? {} : { cause }) });
}
function findRepeatedIds(tasks) {
    const first = new Map();
    return (Array.isArray(tasks) ? tasks : []).flatMap((task, index) => {
        const id = (0,json/* isObject */.Gv)(task) ? task.id : undefined;
        if (typeof id !== "string")
            return [];
        const earlier = first.get(id);
        if (earlier === undefined)
            first.set(id, index);
        const path = ["tasks", index, "id"];
        const received = `${JSON.stringify(id)}, which tasks[${earlier}] has`;
        return earlier === undefined
            ? []
            : [{ path, field: (0,config_problem/* fieldName */.w5)(path), expected: "an id of its own", received }];
    });
}
async function placeProblems(text, path, problems) {
    const { parseTree, findNodeAtLocation } = await __webpack_require__.e(/* import() */ 547).then(__webpack_require__.t.bind(__webpack_require__, 1928, 23));
    const root = parseTree(text);
    const lineOf = lineCounter(text);
    const placed = problems.map((problem) => {
        let node = root;
        // What is missing is missing in the nearest thing around it.
        for (let length = problem.path.length; root && length > 0; length -= 1) {
            const keys = problem.path.slice(0, length).map((key) => (typeof key === "number" ? key : String(key)));
            const found = findNodeAtLocation(root, keys);
            if (!found)
                continue;
            node = found;
            break;
        }
        const message = (0,config_problem/* formatProblem */.Vw)({ ...problem, field: problem.field.replace(/^\(.*\)$/, "the file") });
        return { severity: "error", file: path, line: lineOf(node?.offset ?? 0), message };
    });
    return placed.sort((one, other) => one.line - other.line);
}
/** Lines from 1; a lone carriage return ends none. */
function lineCounter(text) {
    const ends = [];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
        ends.push(at);
    return (offset) => {
        let low = 0;
        let high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((ends[middle] ?? 0) < offset)
                low = middle + 1;
            else
                high = middle;
        }
        return low + 1;
    };
}


/***/ }),

/***/ 784:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ locateTasks)
/* harmony export */ });
// Where the tasks of a to-do file stand in its text: one pass over text that is known to be JSON. Pure.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Finds the tasks of a JSON object. Never recurses, so depth is no danger. */
function locateTasks(text) {
    const found = { tasks: [], repeated: [], depth: 0 };
    const fields = new Set();
    const own = new Set();
    let depth = 0;
    let field = "";
    let isInTasks = false;
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === QUOTE) {
            const end = endOfString(text, at);
            const isTask = depth === 3 && isInTasks;
            const key = depth === 1 || isTask ? keyIn(text, at, end) : undefined;
            if (key !== undefined) {
                const known = isTask ? own : fields;
                const path = isTask ? ["tasks", found.tasks.length, key] : [key];
                if (known.has(key))
                    found.repeated.push({ path, offset: at });
                known.add(key);
                if (!isTask)
                    field = key;
            }
            at = end - 1;
        }
        else if (code === OPEN_OBJECT || code === OPEN_LIST) {
            depth += 1;
            found.depth = Math.max(found.depth, depth);
            if (depth === 2)
                isInTasks = field === "tasks" && code === OPEN_LIST;
            if (depth === 3)
                start = at;
            if (depth === 3)
                own.clear();
        }
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
            if (depth === 3 && isInTasks)
                found.tasks.push({ start, end: at + 1 });
            depth -= 1;
        }
    }
    return found;
}
/** The index after the closing quote of the string that begins at `at`. */
function endOfString(text, at) {
    for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
        let backslashes = 0;
        while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH)
            backslashes += 1;
        if (backslashes % 2 === 0)
            return end + 1;
    }
    return text.length;
}
/** The string if a colon follows it. */
function keyIn(text, start, end) {
    let next = end;
    while (/\s/.test(text.charAt(next)))
        next += 1;
    if (text.charAt(next) !== ":")
        return undefined;
    const raw = text.slice(start + 1, end - 1);
    return raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
}


/***/ })

};
;
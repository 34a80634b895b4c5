export const id = 667;
export const ids = [667,874];
export const modules = {

/***/ 70667:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runTasks: () => (/* binding */ runTasks)
});

// EXTERNAL MODULE: ./build/agent/cancellations.js
var cancellations = __webpack_require__(68834);
// EXTERNAL MODULE: ./build/agent/limits.js
var limits = __webpack_require__(32972);
// EXTERNAL MODULE: ./build/config/diagnostics.js
var config_diagnostics = __webpack_require__(3811);
// EXTERNAL MODULE: ./build/session/session-view.js
var session_view = __webpack_require__(88929);
// EXTERNAL MODULE: ./build/agent/as-one.js
var as_one = __webpack_require__(20425);
// EXTERNAL MODULE: ./build/todo/document.js + 2 modules
var todo_document = __webpack_require__(77162);
// EXTERNAL MODULE: ./node_modules/jsonc-parser/lib/umd/main.js
var main = __webpack_require__(99547);
;// CONCATENATED MODULE: ./build/todo/edit-text.js
// Puts values into JSON text. Only the value that is meant changes; what is new looks like what stands before it.

/** The text with an object's field set; a new field comes last. `path` leads to the object. */
function setField(text, path, field, value) {
    const object = nodeAt(text, path);
    const known = object.children?.find((property) => property.children?.[0]?.value === field)?.children?.[1];
    if (known)
        return splice(text, known.offset, known.length, format(value, gapBefore(text, object)));
    const gap = gapBefore(text, object);
    const colon = gap === "" ? ":" : ": ";
    return insertLast(text, object, gap, `${JSON.stringify(field)}${colon}${format(value, gap)}`);
}
/** The text with values put at the end of a list. `path` leads to the list. */
function appendItems(text, path, values) {
    if (values.length === 0)
        return text;
    const list = nodeAt(text, path);
    const gap = gapBefore(text, list);
    return insertLast(text, list, gap, values.map((value) => format(value, gap)).join(`,${gap}`));
}
/**
 * The text with each item of a list as `edit` makes it from its own text; undefined takes it away, and the comma that it
 * needed. `show` writes a value as it looks in this place. The list is read once, however long it is.
 */
function editItems(text, path, edit) {
    const list = nodeAt(text, path);
    const items = list.children ?? [];
    let end = list.offset + 1;
    let start = end;
    let made = "";
    for (const [index, { offset, length }] of items.entries()) {
        const between = text.slice(end, offset);
        const gap = /\s*$/.exec(between)?.[0] ?? "";
        const edited = edit(text.slice(offset, offset + length), index, (value) => format(value, gap));
        if (index === 0)
            start = offset;
        if (edited !== undefined)
            made += (made === "" ? "" : between) + edited;
        end = offset + length;
    }
    return splice(text, start, end - start, made);
}
/** The text without a field of an object, nor the comma that it needed. */
function removeField(text, path, field) {
    const fields = nodeAt(text, path).children ?? [];
    const index = fields.findIndex((property) => property.children?.[0]?.value === field);
    return removeChild(text, fields, index);
}
/** The text without an item of a list, nor the comma that it needed. */
function removeItem(text, path, index) {
    return removeChild(text, nodeAt(text, path).children ?? [], index);
}
function removeChild(text, children, index) {
    const [child, before, after] = [children[index], children[index - 1], children[index + 1]];
    if (!child)
        return text;
    const end = child.offset + child.length;
    if (before) {
        const start = before.offset + before.length;
        return splice(text, start, end - start, "");
    }
    return splice(text, child.offset, (after?.offset ?? end) - child.offset, "");
}
function nodeAt(text, path) {
    const root = (0,main.parseTree)(text);
    const node = root && (0,main.findNodeAtLocation)(root, path);
    if (!node)
        throw new Error(`there is nothing at ${path.join(".")}`);
    return node;
}
function insertLast(text, around, gap, content) {
    const last = around.children?.at(-1);
    if (last)
        return splice(text, last.offset + last.length, 0, `,${gap}${content}`);
    // Empty: the bracket goes back to where its line begins.
    const outer = gap.includes("\n") ? `${lineEnd(gap)}${lineIndent(text, around.offset)}` : gap;
    return splice(text, around.offset + 1, around.length - 2, `${gap}${content}${outer}`);
}
/** The white space before the last thing in a list or object; for an empty one, what it would have with two spaces more. */
function gapBefore(text, around) {
    const last = around.children?.at(-1);
    if (!last) {
        if (!text.includes("\n"))
            return "";
        const indent = lineIndent(text, around.offset);
        return `${lineEnd(text)}${indent}${unitOf(indent)}`;
    }
    const start = around.children?.at(-2);
    const before = text.slice(start ? start.offset + start.length : around.offset + 1, last.offset);
    return /\s*$/.exec(before)?.[0] ?? "";
}
/** On lines of its own where its surroundings have them. */
function format(value, gap) {
    if (!gap.includes("\n") || typeof value !== "object")
        return JSON.stringify(value);
    const indent = gap.slice(gap.lastIndexOf("\n") + 1);
    const lines = JSON.stringify(value, null, unitOf(indent)).split("\n");
    return lines.join(`${lineEnd(gap)}${indent}`);
}
function unitOf(indent) {
    return indent.startsWith("\t") ? "\t" : "  ";
}
function lineEnd(text) {
    return text.includes("\r\n") ? "\r\n" : "\n";
}
function lineIndent(text, offset) {
    const start = text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}
function splice(text, offset, length, content) {
    return text.slice(0, offset) + content + text.slice(offset + length);
}

// EXTERNAL MODULE: ./build/todo/locate.js
var locate = __webpack_require__(46111);
;// CONCATENATED MODULE: ./build/todo/edit.js


/** The document with one task changed. Only the task's own text is looked at, so a long file costs no more. */
function editTask(document, id, change) {
    const index = document.file.tasks.findIndex((task) => task.id === id);
    const [task, span] = [document.file.tasks[index], document.spans[index]];
    if (!task || !span)
        throw new Error(`there is no task ${id} in ${document.path}`);
    let text = document.text.slice(span.start, span.end);
    for (const [field, value] of Object.entries(change.set ?? {})) {
        if (value !== undefined && task[field] !== value)
            text = setField(text, [], field, value);
    }
    // From the end, so that what is left keeps its place.
    for (const [at, value] of [...(task.blockers ?? []).entries()].reverse()) {
        if (change.remove?.blockers?.includes(value))
            text = removeItem(text, ["blockers"], at);
    }
    for (const field of ["files", "blockers"]) {
        const gone = field === "blockers" ? (change.remove?.blockers ?? []) : [];
        const known = (task[field] ?? []).filter((value) => !gone.includes(value));
        const missing = [...new Set(change.add?.[field])].filter((value) => !known.includes(value));
        if (missing.length === 0)
            continue;
        text = task[field] ? appendItems(text, [field], missing) : setField(text, [], field, missing);
    }
    return replaceTask(document, index, span, text);
}
/** The document with tasks put at the end of its list. */
function appendTasks(document, tasks) {
    const text = appendItems(document.text, ["tasks"], tasks);
    const file = { ...document.file, tasks: [...document.file.tasks, ...tasks] };
    return { ...document, text, file, spans: (0,locate/* locateTasks */.X)(text).tasks };
}
function replaceTask(document, index, span, text) {
    const moved = text.length - (span.end - span.start);
    const tasks = [...document.file.tasks];
    tasks[index] = JSON.parse(text);
    const spans = document.spans.map((other, at) => {
        if (at < index || moved === 0)
            return other;
        return { start: other.start + (at > index ? moved : 0), end: other.end + moved };
    });
    return {
        ...document,
        text: document.text.slice(0, span.start) + text + document.text.slice(span.end),
        file: { ...document.file, tasks },
        spans,
    };
}

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
;// CONCATENATED MODULE: ./build/todo/todo-file.js
// The to-do file on disk: read as it stands, written as a whole, never over somebody else's change.


/** What stands at `path`, or undefined. Throws `config-invalid` for what is no JSON object. */
async function loadTodo(files, path) {
    const bytes = await files.read(path);
    return bytes && { ...(await (0,todo_document/* readTodo */.zn)(bytes, path)), bytes };
}
/**
 * Writes an edited document durably, or answers "changed" and writes nothing when the file is no longer what was read.
 * Throws `config-invalid` for a document that has lost a task.
 */
async function saveTodo(files, before, edited) {
    requireAllTasks(before.document, edited);
    const bytes = (0,todo_document/* todoBytes */.ui)(edited);
    const current = await files.read(edited.path);
    if (!current || !isSame(current, before.bytes))
        return "changed";
    await writeWhole(files, edited.path, bytes);
    return { document: edited, bytes };
}
/** Writes the file durably. Throws `host-failed` where the disk refuses. */
async function writeWhole(files, path, bytes) {
    await files.writeAtomic(path, bytes).catch((cause) => {
        const hint = "Make room there or make its place writable, and run again.";
        throw new errors/* LoopliaError */.$K("host-failed", `${path} was not written: ${(0,errors/* messageOf */.bD)(cause)}`, { hint, cause });
    });
}
/** The text itself is asked: what an edit believes does not count. */
function requireAllTasks(before, edited) {
    const { tasks } = JSON.parse(edited.text);
    const ids = new Set(tasks.map((task) => task.id));
    const lost = before.file.tasks.filter((task) => !ids.has(task.id)).map((task) => task.id);
    if (lost.length === 0)
        return;
    throw new errors/* LoopliaError */.$K("config-invalid", `${edited.path} was not written: it would lose ${lost.join(", ")}.`);
}
function isSame(one, other) {
    return Buffer.compare(one, other) === 0;
}

;// CONCATENATED MODULE: ./build/todo/todo-run.js




/** The agent session of one agent; its files are guarded, and `signal` may end it before the run ends. */
function sessionFor(run, agent, workspace, signal) {
    const { configuration, host, tools, clock, observe } = run.ports;
    const { model, modelName, fallbackModel, limits } = agent;
    return {
        ...{ configuration, host, tools, clock, observe, workspace, signal },
        ...{ model, modelName, limits, gate: run.settings.gate, asking: run.asking, journal: run.journal },
        ...(fallbackModel === undefined ? {} : { fallbackModel }),
    };
}
/** Reads the file again if it is no longer what the program knows. Throws `config-invalid` when it can't be run. */
async function refresh(run) {
    const { todo } = run.settings;
    const bytes = await run.ports.workspace.read(todo);
    if (run.stored && bytes && Buffer.compare(bytes, run.stored.bytes) === 0)
        return run.stored;
    const reading = await loadWhole(run);
    if (!reading)
        throw new errors/* LoopliaError */.$K("config-invalid", `There is no ${todo} any more.`);
    if (reading.kind === "broken") {
        const lines = reading.broken.diagnostics.map(config_diagnostics/* formatDiagnostic */.x).join("\n");
        throw new errors/* LoopliaError */.$K("config-invalid", lines, { hint: "The next run has it repaired." });
    }
    const { document } = reading;
    (0,config_diagnostics/* throwIfErrors */.Z)((0,todo_document/* dependencyDiagnostics */.kL)(document));
    run.stored = { document, bytes: reading.bytes };
    return run.stored;
}
/** How long editors that do not write at once may take, and how often they are waited for. */
const SAVING_MS = 150;
const WAITS = 3;
/** What was valid before and no longer is may be half of what somebody is just saving. */
async function loadWhole({ ports, settings, stored }) {
    for (let waits = stored ? 0 : WAITS; waits < WAITS; waits += 1) {
        const reading = await loadTodo(ports.workspace, settings.todo).catch(() => undefined);
        if (reading?.kind === "valid")
            return reading;
        await new Promise((resolve) => setTimeout(resolve, SAVING_MS));
    }
    return loadTodo(ports.workspace, settings.todo);
}
/** As often as somebody may get between reading and writing. */
const MAX_TRIES = 5;
/**
 * Makes an edit of the file as it stands now durable. An edit that gives the same document writes nothing. Somebody
 * else's change is read and edited in its turn.
 */
async function change(run, edit) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const before = await refresh(run);
        const edited = edit(before.document);
        if (edited.text === before.document.text)
            return;
        const saved = await saveTodo(run.ports.workspace, before, edited);
        if (saved === "changed")
            continue;
        run.stored = saved;
        return;
    }
    throw new errors/* LoopliaError */.$K("host-failed", `${run.settings.todo} was not written: somebody else keeps changing it.`, {
        hint: "Run again when nobody else writes it.",
    });
}
/** Tells whoever watches the session. */
function notify(run, level, message) {
    run.ports.observe({ type: "notice", level, message, sessionId: run.journal.sessionId });
}

;// CONCATENATED MODULE: ./build/todo/after-cancel.js
// After a person ended the session: what was under way is not done, and the list must not say for ever that somebody is
// at it.




/**
 * Puts tasks that the session had begun back to the state that they had before. What their agents changed stays. Nothing
 * happens where the session was not canceled.
 */
async function putBackCanceled(run, { sessionId, state }) {
    const { canceled } = state;
    if (!canceled)
        return;
    const { tasks } = (await refresh(run)).document.file;
    for (const task of tasks.filter(({ id, status }) => status === "doing" && isCanceled(state, id))) {
        const status = statusBefore(state, task);
        await (0,as_one/* asOne */.Z)(run.ports.host, async () => {
            await change(run, (now) => (0,todo_document/* findTask */.VX)(now, task.id) ? editTask(now, task.id, { set: { status } }) : now);
            await run.ports.host.taskEnded({
                ...{ sessionId, folder: "", title: task.title, outputs: [task.id], status: "failed" },
                todo: { label: "todo", tags: task.tags ?? [], said: canceled.reason },
            });
        });
        const message = `${task.id} is ${status} again: ${canceled.reason}`;
        run.ports.observe({ type: "notice", level: "info", message, sessionId });
    }
}
function isCanceled({ tasks }, id) {
    return tasks.get(id)?.status === "canceled";
}
function statusBefore({ tasks }, { id }) {
    return tasks.get(id)?.from === "blocked" ? "blocked" : "todo";
}

// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
// EXTERNAL MODULE: ./build/session/message.js
var message = __webpack_require__(11684);
// EXTERNAL MODULE: ./build/session/state.js
var session_state = __webpack_require__(94878);
;// CONCATENATED MODULE: ./build/todo/put-back.js
// What stands in the list's place, whatever an agent made of it, and the list put back there.


/** Bytes of the file; undefined: there is none; `strange`: a folder, a link or another thing that is not to be read. */
async function look(files, path) {
    try {
        return await files.read(path);
    }
    catch (error) {
        if (error instanceof errors/* LoopliaError */.$K && error.code === "config-invalid")
            return "strange";
        throw error;
    }
}
/**
 * Makes the file these bytes, durably, or takes it away; what is no file goes first, on its way what is no folder. What was
 * moved elsewhere stays there.
 */
async function putBack(files, path, bytes) {
    const inTheWay = await findInTheWay(files, path);
    if (inTheWay !== undefined)
        await files.remove(inTheWay);
    else if (!bytes || (await look(files, path)) === "strange")
        await files.remove(path);
    if (bytes)
        await writeWhole(files, path, bytes);
}
/** The first name above the path that is a link, a file or another thing that is no folder. */
async function findInTheWay(files, path) {
    const names = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= names.length; depth += 1) {
        const entries = await files.list(names.slice(0, depth - 1).join("/"));
        const entry = entries.find(({ name }) => name === names[depth - 1]);
        if (!entry)
            return undefined;
        if (!entry.isFolder)
            return names.slice(0, depth).join("/");
    }
    return undefined;
}

;// CONCATENATED MODULE: ./build/todo/guard.js
// Agents work in the repository, the program keeps the to-do file: an agent's own edit of it is undone and reported.


const ADVICE = "Its states are the program's: say how your task ended with reportSummary.";
/** Where what agents made of the list is kept. */
function undoneName(ids) {
    return `undone-${ids.hex(4)}.json`;
}
/** The workspace as agents of the task loop have it. */
function guardTodo(workspace, guard) {
    const undo = async (before, by) => {
        const found = await look(workspace, guard.path);
        const after = found === "strange" ? undefined : found;
        const isSame = before && after ? Buffer.compare(before, after) === 0 : before === found;
        if (isSame)
            return false;
        await putBack(workspace, guard.path, before);
        await guard.onUndone(after, by);
        return true;
    };
    const forTools = {
        ...workspace.forTools,
        async writeText(path, text, place) {
            await guard.beforeAct();
            const before = await workspace.read(guard.path);
            await workspace.forTools.writeText(path, text, place);
            if (await undo(before, "edit"))
                throw refused(guard.path);
        },
    };
    const { root, read, writeAtomic, remove, list, snapshot, requireWritable } = workspace;
    return {
        ...{ root, read, writeAtomic, remove, list, snapshot, requireWritable, forTools },
        // Found out at the first look, which costs a moment.
        get isolation() {
            return workspace.isolation;
        },
        get variables() {
            return guard.variables();
        },
        async run(command, options) {
            await guard.beforeAct();
            const variables = { ...options.variables, ...guard.variables() };
            const held = guard.hold();
            try {
                const before = await workspace.read(guard.path);
                const run = workspace.run(command, { ...options, variables });
                await run.catch(() => undefined);
                const brought = held?.brought();
                const isUndone = await undo(brought ? brought.bytes : before, "command");
                return withAdvice(await run, isUndone, guard.path);
            }
            finally {
                held?.release();
            }
        },
    };
}
function withAdvice(result, isUndone, path) {
    if (!isUndone)
        return result;
    return { ...result, output: `${result.output}\n[${path} was changed, which was undone. ${ADVICE}]` };
}
function refused(path) {
    return new errors/* LoopliaError */.$K("config-invalid", `${path} was not changed: only the program writes it.`, {
        hint: ADVICE,
    });
}

;// CONCATENATED MODULE: ./build/todo/before-act.js
// What agents find before they act: whether they changed anything is judged by the worktree, and an edit of the list by a
// command that was killed is undone by the next run.







/** The list as it was before the last act, beside the session's stores. */
const KEPT = "to-do.before.json";
const ACTS = new Set(["editFile", "runCommand"]);
/** Called before each act of a task's agent. Stores the worktree's hash before the first, and the list whenever it is another. */
async function noteBeforeAct(run, { taskId }) {
    const { journal, ports, settings } = run;
    const known = journal.state.tasks.get(taskId)?.before;
    const bytes = await ports.workspace.read(settings.todo);
    const list = bytes ? (0,hash/* hashContent */.s)(bytes) : "";
    if (known?.list === list)
        return;
    const tree = known?.tree ?? (await treeOf(run));
    // The text first: an event without it would have nothing to put back.
    if (bytes)
        await ports.log.keepText(journal.sessionId, KEPT, decode(bytes));
    await journal.append({ store: "events", type: "ActAhead", payload: { taskId, tree, list } });
}
/** True where the worktree is another than before the first act, the list aside. */
async function hasChanged(run, { taskId }) {
    const before = run.journal.state.tasks.get(taskId)?.before;
    if (before === undefined)
        return false;
    return before.tree === "" || before.tree !== (await treeOf(run));
}
/** Puts the list back where a call was killed that had changed it; what it had become is kept. */
async function undoKilledEdit(run) {
    const { ports, settings, journal } = run;
    const killed = findKilled(journal);
    if (!killed?.before)
        return;
    const kept = await ports.log.readText(journal.sessionId, KEPT);
    if (kept === undefined || (0,hash/* hashContent */.s)(kept) !== killed.before.list)
        return;
    const there = await look(ports.workspace, settings.todo);
    const found = there === "strange" ? undefined : there;
    if (found && (0,hash/* hashContent */.s)(found) === killed.before.list)
        return;
    const text = found && decode(found);
    const name = undoneName(ports.ids);
    const where = text === undefined ? "" : await ports.log.keepText(journal.sessionId, name, text);
    await putBack(ports.workspace, settings.todo, new TextEncoder().encode(kept));
    const aside = where === "" ? "" : ` What it had become is in ${where}.`;
    notify(run, "warning", `${settings.todo} was changed while ${killed.agent} was killed at it, which was undone.${aside}`);
}
/** The open task in whose act, or an agent's below it, an earlier process died. For sessions that nothing has gone on with. */
function findKilled({ state, conversations }) {
    return [...state.tasks.values()].find((task) => {
        if (!(0,session_state/* isOpen */.nT)(task))
            return false;
        const below = `${task.conversationId}/`;
        return [...conversations.values()]
            .filter(({ conversationId: id }) => id === task.conversationId || id.startsWith(below))
            .some(({ conversationId: id, messages }) => messages
            .flatMap(message/* toolCallsOf */.V)
            .some((call) => ACTS.has(call.name) && isInDoubt(state, (0,session_state/* callKey */.C_)(id, call.id))));
    });
}
function isInDoubt(state, key) {
    const call = state.calls.get(key);
    return call !== undefined && call.outcome === undefined;
}
/** Empty where it can't be told: too many files, for example. The list's own text counts for nothing. */
async function treeOf({ ports, settings }) {
    try {
        return await ports.workspace.snapshot(new Map([[settings.todo, ""]]));
    }
    catch (error) {
        const message = `whether a task changed anything can't be told: ${(0,errors/* messageOf */.bD)(error)}`;
        ports.observe({ type: "notice", level: "info", message });
        return "";
    }
}
/** Byte order mark and all. */
function decode(bytes) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

;// CONCATENATED MODULE: ./build/todo/natural-order.js
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

;// CONCATENATED MODULE: ./build/todo/select.js
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
    return byPriority === 0 ? compareIds(one.id, other.id) : byPriority;
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

;// CONCATENATED MODULE: ./build/todo/choose.js
// Which task a run takes next: the list's order, a setting, or what a person wants first.


/** A task that is under way was begun after the end marker: somebody had it tried again. */
function isOver(tasks, { task }) {
    if (task === undefined)
        return isProjectDone(tasks) && tasks.every(({ status }) => status !== "doing");
    return tasks.find(({ id }) => id === task)?.status === "done";
}
/** With `task` set, that one or nothing; what a person wants first, if it may be chosen. */
function choose({ settings, tried, first }, tasks) {
    const only = settings.task;
    const wanted = tasks.find(({ id }) => id === first);
    const selection = wanted && wanted.status !== "done" ? selectAlone(tasks, wanted, tried) : undefined;
    if (selection?.kind === "task")
        return selection;
    if (only === undefined)
        return selectTask(tasks, tried);
    const task = requireTask(tasks, settings.todo, only);
    return task.status === "done" ? { kind: "none" } : selectAlone(tasks, task, tried);
}
/** The task of this id. Throws `config-invalid` where the list has none. */
function requireTask(tasks, todo, wanted) {
    const task = tasks.find(({ id }) => id === wanted);
    if (task)
        return task;
    throw new errors/* LoopliaError */.$K("config-invalid", `There is no task ${JSON.stringify(wanted)} in ${todo}.`, {
        hint: "`task` is the id of one task of the list, as it stands there.",
    });
}
function selectAlone(tasks, task, tried) {
    const others = tasks.filter((other) => other !== task && other.status !== "done").map(({ id }) => id);
    return selectTask(tasks, { ...tried, skipped: new Set([...tried.skipped, ...others]) });
}

;// CONCATENATED MODULE: ./build/todo/judge-end.js
/** As often as an agent may report another task's id in a row. */
const MAX_WRONG = 2;
const WRONG_TASK = "wrong-task";
/** The end of an attempt that did end. */
function judgeEnd(state, outcome) {
    const end = judge(state, outcome);
    const { event, status } = end;
    const why = event.type === "TaskFailed"
        ? event.payload.message
        : event.type === "TaskCanceled"
            ? event.payload.reason
            : undefined;
    const isRepeated = why !== undefined && why === state.whyBefore && status === state.from;
    return isRepeated ? { ...end, isRepeated } : end;
}
function judge(state, outcome) {
    const { summary, taskId } = state;
    if (summary)
        return summary.task_id === taskId ? judgeSummary(state, summary) : judgeWrong(state, summary);
    const message = outcome.kind === "failed" ? outcome.message : "its agent said nothing";
    const reasonCode = outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
    const isAgentError = reasonCode === "model-failed" || reasonCode === "invalid-artifact";
    return blocked(state, { reasonCode, message, isAgentError, files: [], blocker: message });
}
function judgeSummary(state, summary) {
    const { taskId, from } = state;
    const { files = [], blockers = [] } = summary;
    const message = summary.summary?.trim() ?? "";
    const common = { files, blockers, message, isAgentError: false };
    switch (summary.status) {
        case "done": {
            const event = { store: "events", type: "TaskCompleted", payload: { taskId } };
            return { ...common, status: "done", label: "done", event };
        }
        case "skipped": {
            const payload = { taskId, reason: `skipped: ${message || "no reason was given"}` };
            const status = from === "blocked" ? "blocked" : "todo";
            return {
                ...common,
                status,
                label: "skipped",
                event: { store: "events", type: "TaskCanceled", payload },
            };
        }
        case "blocked": {
            const reason = blockers.join("; ") || message || "its agent gave no reason";
            const own = blockers.length > 0 ? {} : { blocker: reason };
            return blocked(state, { ...common, reasonCode: "blocked", message: reason, ...own });
        }
    }
}
/** Not applied: what is said of another task says nothing of this one. */
function judgeWrong(state, { task_id: said }) {
    const { taskId, agent, failures } = state;
    const earlier = failures.length - 1 - failures.findLastIndex((reason) => reason !== WRONG_TASK);
    const message = `${agent} reported ${said === null ? "no task" : JSON.stringify(said)} instead of ${JSON.stringify(taskId)}`;
    const common = { reasonCode: WRONG_TASK, message, isAgentError: false, files: [] };
    if (earlier + 1 >= MAX_WRONG)
        return blocked(state, { ...common, blocker: message });
    return { ...blocked(state, common), status: "todo", label: "todo" };
}
/** `blocker`: in the program's words, as the agent has none; its texts may differ from try to try. */
function blocked({ taskId, blocker: outdated }, why) {
    const { reasonCode, blocker, blockers = [], ...rest } = why;
    const own = blocker === undefined ? {} : { blocker };
    return {
        ...rest,
        blockers: blocker === undefined ? blockers : [blocker],
        ...(blocker === undefined || outdated === undefined ? {} : { outdated }),
        status: "blocked",
        label: "blocked",
        event: {
            store: "events",
            type: "TaskFailed",
            payload: { taskId, reasonCode, message: rest.message, ...own },
        },
    };
}

;// CONCATENATED MODULE: ./build/todo/observe-iteration.js
/** Tells of an iteration, and of the task as a step of the session. */
function observeIteration(run, task, { number, agent }, end) {
    const { sessionId } = run.journal;
    run.ports.observe({
        type: "iteration",
        sessionId,
        iteration: number,
        taskId: task.id,
        title: task.title,
        agent: agent.name,
        model: agent.modelName,
        schedule: run.settings.schedule.shown,
        ...end,
    });
    const { status, message } = end;
    const said = message === undefined ? {} : { message };
    run.ports.observe({ type: "step", sessionId, output: task.id, agent: agent.name, status, ...said });
}
/** The list as a session of steps. A long list is told by what is open of it. */
function observeList(run) {
    const tasks = run.stored?.document.file.tasks ?? [];
    const { sessionId } = run.journal;
    run.ports.observe({
        type: "session",
        sessionId,
        source: run.settings.todo,
        pipeline: "tasks",
        folder: "",
        steps: tasks
            .filter((task) => tasks.length <= SHOWN_STEPS || task.status === "doing")
            .map(({ id, status }) => ({
            output: id,
            due: status !== "done",
            reason: status,
        })),
    });
}
const SHOWN_STEPS = 30;

// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
// EXTERNAL MODULE: ./build/tools/registry.js + 14 modules
var registry = __webpack_require__(24619);
// EXTERNAL MODULE: ./build/tools/report-summary.js
var report_summary = __webpack_require__(52653);
;// CONCATENATED MODULE: ./build/todo/summary.js



/** A summary by its schema, or all that is wrong with it. */
async function checkSummary(value) {
    const { z } = await __webpack_require__.e(/* import() */ 618).then(__webpack_require__.bind(__webpack_require__, 82618));
    const parsed = (0,report_summary/* summarySchema */.Uv)(z).safeParse(value);
    if (!parsed.success)
        return { problems: (0,registry/* inputProblems */.ri)(parsed.error) };
    const { task_id, status, summary, files, blockers } = parsed.data;
    return {
        summary: {
            task_id,
            status,
            ...(summary === undefined ? {} : { summary }),
            ...(files === undefined ? {} : { files }),
            ...(blockers === undefined ? {} : { blockers }),
        },
    };
}
/** The summary that a last message is or holds: the whole text, else a fenced block, else from brace to brace. */
async function findSummary(text) {
    const fenced = [...text.matchAll(/^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm)].map(([, body = ""]) => body);
    const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
    for (const candidate of [text, ...fenced.reverse(), braces]) {
        const value = (0,json/* parseJson */.qF)(candidate);
        if (!(0,json/* isObject */.Gv)(value))
            continue;
        const checked = await checkSummary(value);
        if ("summary" in checked)
            return checked.summary;
    }
    return undefined;
}
/**
 * What a summary changes: status, union of files and blockers, `updated_at`. Nothing else of the task. A summary that
 * was applied already changes nothing, whenever that was.
 */
function changeFor(task, end, now) {
    const { status, files = [], blockers = [], outdated } = end;
    const isThere = (list, value) => list?.includes(value) === true;
    const isKnown = files.every((file) => isThere(task.files, file)) &&
        blockers.every((blocker) => isThere(task.blockers, blocker));
    if (isKnown && task.status === status)
        return {};
    if (isKnown && end.isRepeated)
        return { set: { status } };
    // What is said today stands last, where it is read as the reason.
    const isNews = status === "blocked" && !blockers.includes(task.blockers?.at(-1) ?? "");
    const again = isNews ? blockers : [];
    const old = outdated === undefined || blockers.includes(outdated) ? again : [outdated, ...again];
    const remove = old.length === 0 ? {} : { remove: { blockers: old } };
    return { set: { status, updated_at: now }, ...remove, add: { files, blockers } };
}

// EXTERNAL MODULE: ./build/todo/task-digest.js
var task_digest = __webpack_require__(82477);
;// CONCATENATED MODULE: ./build/todo/end-iteration.js
// Ends an iteration: the file, then whoever keeps it (the Action commits), then the event. Only here does a task get its
// state. Who only watches comes after that: a hook may take its time.











/** Applies how an iteration ended. The same end applied again, after a crash, changes nothing. */
async function endIteration(run, task, iteration) {
    const { state, agent, number } = iteration;
    if (iteration.outcome.kind === "waiting" || iteration.outcome.kind === "stopped") {
        throw new Error(`the iteration of ${task.id} has not ended`);
    }
    const end = judgeEnd(run.journal.state.tasks.get(task.id) ?? state, redacted(run, iteration.outcome));
    await recordEnd(run, task, end);
    if (end.label === "skipped")
        run.tried.skipped.add(task.id);
    if (end.status === "blocked")
        run.tried.blocked.add(task.id);
    run.failures = end.isAgentError ? run.failures + 1 : 0;
    const isDone = end.label === "done" || end.label === "skipped";
    const { summary } = state;
    const [said = ""] = end.message.split("\n");
    const message = end.label === "skipped" ? `skipped${said && `: ${said}`}` : said;
    observeIteration(run, task, iteration, {
        status: isDone ? "completed" : "failed",
        ...(message ? { message } : {}),
        ...(summary ? { summary } : { errorCode: errorOf(iteration.outcome) }),
    });
    const last = await keepLast(run, number, {
        iteration: number,
        taskId: task.id,
        agent: agent.name,
        status: end.label,
        message: lastText(run, iteration),
        summary: summary ?? null,
    });
    const failed = await run.ports.log.runHook([task.id, end.label, last, `iteration-${number}`]);
    if (failed !== undefined)
        notify(run, "warning", `The hook failed, which changes nothing: ${failed}`);
    return end;
}
/** The path of what was kept; empty where that can't be written, which ends no run: it is for who watches. */
async function keepLast(run, number, message) {
    try {
        return await run.ports.log.keepLast(number, message);
    }
    catch (error) {
        const what = `The last message of iteration ${number} was not kept, which changes nothing`;
        notify(run, "warning", `${what}: ${(0,errors/* messageOf */.bD)(error)}`);
        return "";
    }
}
/** Why there is no summary. */
function errorOf(outcome) {
    return outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
}
/**
 * The file, the commit, the event. On a runner one checkpoint holds all three or none; on a disk that stays, the next run
 * does what is missing. The commit before the event: where it fails, nothing says that the task ended.
 */
async function recordEnd(run, task, end) {
    await (0,as_one/* asOne */.Z)(run.ports.host, async () => {
        await applyEnd(run, task.id, end);
        await tellHost(run, task, end);
        await run.journal.append(end.event);
    });
    if (end.label === "todo" || end.label === "blocked") {
        notify(run, "warning", `${task.id} is ${end.status}: ${end.message}`);
    }
}
async function applyEnd(run, taskId, end) {
    const { status, isRepeated } = end;
    const bare = { status, ...(isRepeated ? { isRepeated } : {}) };
    const fields = run.settings.applySummary || end.isAgentError ? end : bare;
    const now = run.ports.clock.now().toISOString();
    await change(run, (document) => {
        const task = (0,todo_document/* findTask */.VX)(document, taskId);
        return task ? editTask(document, taskId, changeFor(task, fields, now)) : document;
    });
}
/**
 * Attempts that an earlier run left open. What was reported is applied; what no longer is what it was begun from is
 * canceled. All else goes on when its task is chosen.
 */
async function settleOpenTasks(run) {
    const { document } = await refresh(run);
    for (const state of [...run.journal.state.tasks.values()]) {
        if (!(0,session_state/* isOpen */.nT)(state) || state.outputs.length > 0)
            continue;
        const { taskId } = state;
        const task = (0,todo_document/* findTask */.VX)(document, taskId);
        if (state.summary) {
            const end = judgeEnd(state, { kind: "completed", text: "" });
            if (task)
                await recordEnd(run, task, end);
            else
                await run.journal.append(end.event);
            continue;
        }
        const reason = whyAnew(task, state);
        if (reason === undefined)
            continue;
        await run.journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
    }
}
/** Why an attempt that is open can't go on: it was begun from something else. */
function whyAnew(task, { from, inputs }) {
    if (!task)
        return "the task is gone";
    if ((0,task_digest/* taskDigest */.e)(task) !== inputs.source)
        return "the task was changed";
    return task.status === "doing" || task.status === from ? undefined : `the task is ${task.status} now`;
}
/** What a provider says of its failure gets into the list, and is compared with what was stored of it. */
function redacted({ journal }, outcome) {
    return outcome.kind === "failed" ? { ...outcome, message: journal.redact(outcome.message) } : outcome;
}
function lastText(run, { state }) {
    const { messages } = run.journal.conversation(state.conversationId);
    const last = messages.findLast((message) => message.role === "assistant");
    return last ? (0,message/* textOf */.b)(last) : "";
}
function tellHost(run, task, end) {
    const { label, message: said } = end;
    const status = label === "done" ? "completed" : "failed";
    const { sessionId } = run.journal;
    const repeated = end.isRepeated ? { repeatedIn: run.settings.todo } : {};
    const todo = { label, tags: task.tags ?? [], said, ...repeated };
    return run.ports.host.taskEnded({
        ...{ sessionId, folder: "", title: task.title, outputs: [task.id], status, todo },
    });
}

;// CONCATENATED MODULE: ./build/todo/schedule.js
// Which agent runs an iteration. Pure.
/** The agent of iteration n of a session, from 1. */
function agentAt({ agents }, iteration) {
    const agent = agents[(iteration - 1) % agents.length];
    if (agent === undefined)
        throw new Error("a schedule has no agent");
    return agent;
}

;// CONCATENATED MODULE: ./build/todo/open-iteration.js
// An attempt at a to-do task begins: it is recorded with the state that the task had, then the task is marked.






/** Puts `doing` into the list. False where somebody took the task out of it just now: the attempt is over then. */
async function markDoing(run, taskId) {
    let isThere = true;
    await change(run, (document) => {
        isThere = (0,todo_document/* findTask */.VX)(document, taskId) !== undefined;
        return isThere ? editTask(document, taskId, { set: { status: "doing" } }) : document;
    });
    if (isThere)
        return true;
    const payload = { taskId, reason: "the task is gone" };
    await run.journal.append({ store: "events", type: "TaskCanceled", payload });
    return false;
}
/** Attempts at to-do tasks so far: the number of the newest iteration. */
function countIterations(run) {
    const tasks = [...run.journal.state.tasks.values()].filter((task) => task.outputs.length === 0);
    return tasks.reduce((sum, task) => sum + task.attempt, 0);
}
/** The attempt that is open, else a new one by the agent whose turn it is. */
async function openIteration(run, task) {
    const { journal, ports, settings } = run;
    const known = journal.state.tasks.get(task.id);
    if ((0,session_state/* isOpen */.nT)(known))
        return { number: countIterations(run), agent: await ports.agent(known.agent), state: known };
    const number = countIterations(run) + 1;
    const agent = await ports.agent(agentAt(settings.schedule, number));
    const taskId = task.id;
    const payload = {
        taskId,
        agent: agent.name,
        outputs: [],
        inputs: { source: (0,task_digest/* taskDigest */.e)(task), agent: "", profile: "" },
        conversationId: `${taskId}#${(known?.attempt ?? 0) + 1}`,
        from: task.status === "doing" ? "todo" : task.status,
    };
    await journal.append({ store: "events", type: "TaskCreated", payload }, { store: "events", type: "TaskStarted", payload: { taskId } });
    const state = journal.state.tasks.get(taskId);
    if (!state)
        throw new Error(`task ${taskId} was not folded`);
    return { number, agent, state };
}

// EXTERNAL MODULE: ./build/agent/loop.js + 15 modules
var loop = __webpack_require__(50864);
// EXTERNAL MODULE: ./build/agent/outcome.js
var outcome = __webpack_require__(80514);
// EXTERNAL MODULE: ./build/agent/subagent.js
var subagent = __webpack_require__(88875);
// EXTERNAL MODULE: ./build/agent/prefix.js
var agent_prefix = __webpack_require__(98596);
;// CONCATENATED MODULE: ./build/todo/begin-phase.js
// What a phase is, and how its conversation begins: prefix, schema and first message.



const SCHEMA = "to-do.json";
const TOOLS = ["readFile", "listFiles", "grep", "searchCode", "writeArtifact", "askUser"];
/** Stores what the agent of a phase is told first. */
async function beginPhase(run, phase, state) {
    const { conversationId, taskId, agent } = state;
    const { configuration } = run.ports;
    const session = sessionFor(run, phase.agent, run.ports.workspace, run.ports.signal);
    const prefix = await (0,agent_prefix/* buildPrefix */.N)(session, {
        name: "planner",
        description: "Keeps the to-do list.",
        instructions: await configuration.prompts.render("planner.md", {}),
        tools: TOOLS,
        file: "prompts/planner.md",
    });
    const start = { conversationId, taskId, agent, depth: 0, model: phase.agent.modelName };
    await (0,loop/* startConversation */.g)(session, start, prefix, await renderPhase(run, phase));
}
/** The schema of the list as a file beside the session's stores, for commands: its path. */
async function keepSchema(run) {
    const { log } = run.ports;
    run.schemaPath ??= await log.keepText(run.journal.sessionId, "to-do.schema.json", `${schemaOf(run)}\n`);
    return run.schemaPath;
}
function schemaOf({ ports }) {
    return ports.configuration.artifactSchemas.get(SCHEMA) ?? "";
}
/** The message that starts a phase. */
async function renderPhase(run, phase) {
    const { configuration, workspace, clock } = run.ports;
    const schema = schemaOf(run);
    return configuration.prompts.render(`${phase.name}.md`, {
        TodoPath: run.settings.todo,
        SchemaPath: await keepSchema(run),
        WorkDir: workspace.root,
        Schedule: run.settings.schedule.shown,
        Now: clock.now().toISOString(),
        schema,
        ...phase.variables,
    });
}

;// CONCATENATED MODULE: ./build/todo/runbook.js
/** `? name: Question?`, then options between brackets `[a | b]` or a pattern between slashes. */
const QUESTION = /^\?\s*([a-z][a-z0-9_-]{0,39})\s*:\s*(.+)$/is;
/** The steps of a task in order. What is neither a command nor a question is a note. */
function readRunbook({ steps = [] }) {
    return steps.map((text) => {
        const command = /^\$\s+(\S[\s\S]*)$/.exec(text)?.[1];
        if (command !== undefined)
            return { kind: "command", command };
        const [, name, rest] = QUESTION.exec(text) ?? [];
        if (name === undefined || rest === undefined)
            return { kind: "note", text };
        return { kind: "question", name, ...readQuestion(rest.trim()) };
    });
}
/** A text ends with its options or its pattern. Read by hand: expressions for it take hours for some long texts. */
function readQuestion(text) {
    const bracket = text.lastIndexOf("[");
    const list = text.slice(bracket + 1, -1);
    if (bracket >= 0 && text.endsWith("]") && list.includes("|") && !list.includes("]")) {
        const options = list.split("|").map((option) => option.trim());
        return { question: text.slice(0, bracket).trimEnd(), options: options.filter((option) => option !== "") };
    }
    const slash = text.search(/\s\//);
    const regex = slash >= 0 && text.endsWith("/") ? text.slice(slash + 2, -1) : "";
    return regex === "" ? { question: text } : { question: text.slice(0, slash).trimEnd(), regex };
}
/** `region` → `LOOPLIA_REGION` */
function variableName(name) {
    return `LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`;
}

;// CONCATENATED MODULE: ./build/todo/guard-run.js




/** Where agents of this run work: an edit of the to-do file is undone, kept beside the log, and reported. */
function guardFor(run, task, state) {
    const { todo } = run.settings;
    return guardTodo(run.ports.workspace, {
        path: todo,
        async onUndone(discarded, by) {
            const how = discarded ? "changed" : "removed";
            const name = undoneName(run.ports.ids);
            const { sessionId } = run.journal;
            const kept = discarded ? await run.ports.log.keepText(sessionId, name, guard_run_decode(discarded)) : undefined;
            const where = kept === undefined ? "" : ` What it had become is in ${kept}.`;
            const what = by === "edit"
                ? `${state.agent} ${how} ${todo} itself`
                : `${todo} was ${how} while a command of ${state.agent} ran`;
            notify(run, "warning", `${what}, which was undone.${where}`);
        },
        beforeAct: async () => (task ? noteBeforeAct(run, state) : undefined),
        hold: () => run.ports.host.hold?.(todo),
        variables: () => (task ? answersOf(run, task, state) : {}),
    });
}
function guard_run_decode(bytes) {
    return new TextDecoder().decode(bytes);
}
/** What people answered to the questions of a runbook: the n-th question of the task got the n-th answer. */
function answersOf(run, task, { conversationId }) {
    if (run.journal.conversation(conversationId).provider !== "offline")
        return {};
    const asked = [...run.journal.state.interactions.values()].filter(({ request }) => request.conversationId === conversationId && request.purpose === "request_info");
    const questions = readRunbook(task).filter((step) => step.kind === "question");
    return Object.fromEntries(questions.flatMap(({ name, options = [] }, at) => {
        const { request, response } = asked[at] ?? {};
        if (!request || !response)
            return [];
        const chosen = request.options?.findIndex((option) => option.id === response.selectedOptionId) ?? -1;
        const value = response.inputValue ?? options[chosen];
        return value === undefined ? [] : [[variableName(name), value]];
    }));
}

;// CONCATENATED MODULE: ./build/todo/run-phase.js
// Bootstrap, repair and review: an agent reads the repository and writes the list through `writeArtifact("to-do")`.








const OUTPUT = "to-do";
/** Refusals of one attempt, after which it is over. */
const MAX_REFUSALS = 5;
/** Runs or goes on with a phase until its agent ended, waits or stopped. */
async function runPhase(run, phase) {
    const state = await openPhase(run, phase);
    const { journal } = run;
    try {
        const workspace = guardFor(run, undefined, state);
        const session = sessionFor(run, phase.agent, workspace, run.ports.signal);
        if (!journal.hasBegun(state.conversationId))
            await beginPhase(run, phase, state);
        const self = {
            conversationId: state.conversationId,
            taskId: state.taskId,
            agent: state.agent,
            depth: 0,
            artifacts: { write: (output, content, callId) => take(run, phase, state, { output, content, callId }) },
            subagents: [],
            runSubagent: (name, prompt, id) => (0,subagent/* runSubagent */.R)(session, self, name, prompt, id),
            isDone: () => phaseOutcome(run, phase, state),
            whenEnded: (text) => endOfTurn(run, phase, state, text),
        };
        const outcome = await (0,loop/* runConversation */.r)(session, self);
        const { taskId } = state;
        if (outcome.kind === "completed") {
            await journal.append({ store: "events", type: "TaskCompleted", payload: { taskId } });
            if (state.accepted.has(OUTPUT))
                await run_phase_tellHost(run, phase);
        }
        if (outcome.kind === "failed") {
            const { reasonCode, message } = outcome;
            await journal.append({ store: "events", type: "TaskFailed", payload: { taskId, reasonCode, message } });
        }
        return outcome;
    }
    catch (error) {
        return (0,outcome/* modelFailure */.i)(error);
    }
}
const TITLES = {
    bootstrap: "Write the task list",
    repair: "Repair the task list",
    review: "Add to the task list what its review found",
};
function run_phase_tellHost(run, { name }) {
    const { sessionId } = run.journal;
    const todo = { label: "done", tags: [], said: "" };
    const ended = { sessionId, folder: "", title: TITLES[name], outputs: [OUTPUT], todo };
    return run.ports.host.taskEnded({ ...ended, status: "completed" });
}
async function openPhase(run, phase) {
    const { journal } = run;
    const taskId = `${OUTPUT}:${phase.name}`;
    const known = journal.state.tasks.get(taskId);
    const source = (0,hash/* hashContent */.s)(phase.source);
    if ((0,session_state/* isOpen */.nT)(known) && known.inputs.source === source && known.agent === phase.agent.name)
        return known;
    if ((0,session_state/* isOpen */.nT)(known)) {
        const reason = "it was begun from another list, or by another agent";
        await journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
    }
    const payload = {
        taskId,
        agent: phase.agent.name,
        outputs: [OUTPUT],
        inputs: { source, agent: "", profile: "" },
        conversationId: `${taskId}#${(known?.attempt ?? 0) + 1}`,
    };
    await journal.append({ store: "events", type: "TaskCreated", payload }, { store: "events", type: "TaskStarted", payload: { taskId } });
    const state = journal.state.tasks.get(taskId);
    if (!state)
        throw new Error(`${taskId} was not folded`);
    return state;
}
async function take(run, phase, { taskId }, sent) {
    const { journal } = run;
    const { observe, configuration } = run.ports;
    if (sent.output !== OUTPUT) {
        return { text: `Not written: the only output here is "${OUTPUT}".`, isError: true };
    }
    if (journal.state.tasks.get(taskId)?.accepted.has(OUTPUT))
        return { text: "Written already: it stays as it is." };
    const written = await phase.write(sent.content);
    if (written.ok) {
        const contentHash = (0,hash/* hashContent */.s)(written.stored.bytes);
        const payload = { taskId, output: OUTPUT, contentHash };
        await journal.append({ store: "events", type: "ArtifactAccepted", payload });
        return { text: `Accepted. ${written.said}` };
    }
    const { problems: errors } = written;
    const payload = { taskId, output: OUTPUT, callId: sent.callId, errors };
    await journal.append({ store: "events", type: "ArtifactRefused", payload });
    const recoverable = (journal.state.tasks.get(taskId)?.refusals.get(OUTPUT)?.count ?? 0) < MAX_REFUSALS;
    const { sessionId } = journal;
    observe({
        type: "validation-failed",
        ...{ sessionId, output: OUTPUT, artifact: run.settings.todo, errors, hint: "", recoverable },
    });
    const output = { name: OUTPUT, artifact: run.settings.todo };
    return {
        text: await configuration.prompts.render("retry.md", { output, errors, hint: "" }),
        isError: true,
    };
}
function phaseOutcome(run, phase, { taskId }) {
    const state = run.journal.state.tasks.get(taskId);
    if (state?.accepted.has(OUTPUT))
        return { kind: "completed", text: "" };
    const refusal = state?.refusals.get(OUTPUT);
    if (!refusal || refusal.count < MAX_REFUSALS)
        return undefined;
    const message = `the ${phase.name} was refused ${refusal.count} times; last: ${refusal.errors.join("; ")}`;
    return { kind: "failed", reasonCode: "invalid-artifact", message };
}
/** How often an agent that stops without a list is told so. */
const REMINDERS = 1;
async function endOfTurn(run, phase, state, text) {
    const isRefused = (run.journal.state.tasks.get(state.taskId)?.refusals.size ?? 0) > 0;
    if (phase.isOptional && !isRefused)
        return { outcome: { kind: "completed", text } };
    const { messages } = run.journal.conversation(state.conversationId);
    const said = messages.filter(({ role, content }) => role === "user" && content.some(({ type }) => type === "text"));
    const { prompts } = run.ports.configuration;
    if (said.length <= REMINDERS)
        return { tell: await prompts.render("unfinished.md", { missing: [OUTPUT] }) };
    const last = run.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
    const message = `the ${phase.name} ended without a list; its agent said: ${last}`;
    return { outcome: { kind: "failed", reasonCode: "invalid-artifact", message } };
}

// EXTERNAL MODULE: ./build/config/json-limits.js
var json_limits = __webpack_require__(11566);
// EXTERNAL MODULE: ./build/config/problem.js
var problem = __webpack_require__(58308);
// EXTERNAL MODULE: ./build/todo/schema.js
var schema = __webpack_require__(22874);
;// CONCATENATED MODULE: ./build/todo/repair.js
// A broken to-do file and what an agent made of it become one text: nothing gets lost unsaid, and what was sound stays as
// it stood.



/** How each task is called that is in the broken file, but neither in the repaired one nor said to be removed. */
function findLost(broken, repaired, removed) {
    const matched = matchTasks(entriesOf(broken), repaired.tasks);
    // Each word covers one task: two may have one id.
    const said = removed.map((task) => task.id);
    return entriesOf(broken).flatMap((entry, index) => {
        if (matched.has(index))
            return [];
        const names = [idOf(entry), titleOf(entry), `tasks[${index}]`];
        const at = said.findIndex((name) => names.includes(name));
        if (at >= 0)
            said.splice(at, 1);
        return at >= 0 ? [] : [nameOf(entry, index)];
    });
}
/**
 * The repaired file as text: made by edits in the broken one, so that its own fields, numbers and order stay. A state
 * that was valid stays as it was.
 */
function mergeRepair(broken, repaired) {
    const entries = entriesOf(broken);
    let { text } = broken;
    for (const field of Object.keys(schema.todoFileSchema.shape)) {
        if (field !== "tasks")
            text = mendField(text, field, broken.value[field], repaired[field]);
    }
    if (!Array.isArray(broken.value.tasks))
        return setField(text, [], "tasks", repaired.tasks);
    const matched = matchTasks(entries, repaired.tasks);
    const mended = new Set();
    text = editItems(text, ["tasks"], (item, index, show) => {
        const [entry, task] = [entries[index], matched.get(index)];
        if (!(0,json/* isObject */.Gv)(entry) || !task)
            return undefined;
        mended.add(task);
        return Object.keys(entry).length === 0 ? show(task) : mendTask(item, entry, task);
    });
    return appendItems(text, ["tasks"], repaired.tasks.filter((task) => !mended.has(task)));
}
/**
 * Which task each of the broken list became, by index: by its id; where that is no id, or is another's as well, by its
 * title; what has neither became one that nothing else did.
 */
function matchTasks(entries, tasks) {
    const matched = new Map();
    const free = new Set(tasks);
    const take = (index, task) => {
        if (!task || matched.has(index) || !free.delete(task))
            return;
        matched.set(index, task);
    };
    const byId = new Map(tasks.map((task) => [task.id, task]));
    for (const [index, entry] of entries.entries())
        take(index, byId.get(idOf(entry) ?? ""));
    const ids = new Set([...matched.keys()].map((index) => idOf(entries[index])));
    const isNamed = (entry) => isUsable(idOf(entry)) && !ids.has(idOf(entry));
    const byTitle = new Map([...free].map(({ title }) => [title, []]));
    for (const task of free)
        byTitle.get(task.title)?.push(task);
    for (const [index, entry] of entries.entries()) {
        if (!matched.has(index) && !isNamed(entry))
            take(index, byTitle.get(titleOf(entry) ?? "")?.shift());
    }
    for (const [index, entry] of entries.entries()) {
        const [next] = free;
        if (!isUsable(idOf(entry)) && titleOf(entry) === undefined)
            take(index, next);
    }
    return matched;
}
/** `text`: of the task alone. */
function mendTask(text, entry, task) {
    let mended = text;
    for (const field of Object.keys(schema/* todoTaskSchema */.R.shape)) {
        const isKept = field === "status" && schema/* TASK_STATUSES */.H.some((status) => status === entry.status);
        if (!isKept)
            mended = mendField(mended, field, entry[field], task[field]);
    }
    return mended;
}
function mendField(text, field, is, shall) {
    if (JSON.stringify(is) === JSON.stringify(shall))
        return text;
    return shall === undefined ? removeField(text, [], field) : setField(text, [], field, shall);
}
/** Also of an object in the place of the list. */
function entriesOf({ value: { tasks } }) {
    return Array.isArray(tasks) ? tasks : (0,json/* isObject */.Gv)(tasks) ? Object.values(tasks) : [];
}
function isUsable(id) {
    return schema/* todoTaskSchema */.R.shape.id.safeParse(id).success;
}
/** A number is meant as the text of its digits. */
function idOf(entry) {
    const id = (0,json/* isObject */.Gv)(entry) ? entry.id : undefined;
    return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
/** A text in the place of a task is its title. */
function titleOf(entry) {
    const title = (0,json/* isObject */.Gv)(entry) ? entry.title : entry;
    return typeof title === "string" && title !== "" ? title : undefined;
}
function nameOf(entry, index) {
    const name = idOf(entry) || titleOf(entry);
    return `tasks[${index}]${name === undefined ? "" : ` (${name.slice(0, 80).toWellFormed()})`}`;
}

;// CONCATENATED MODULE: ./build/todo/write-todo.js
// What `writeArtifact("to-do")` does in bootstrap, repair and review: the file changes only if all of it is valid.










const CHANGED = "the file was changed by somebody else meanwhile: read it and send your value again";
/** A first list. Refused when there is a file by now. */
async function writeFirst(run, sent) {
    const { workspace } = run.ports;
    const read = await readSent(run, sent);
    if ("problems" in read)
        return { ok: false, problems: read.problems };
    const { document } = read;
    const problems = problemsOfNew(document.file.tasks);
    if (document.file.tasks.length === 0)
        problems.push("tasks: expected at least one task, got none");
    if (await workspace.read(document.path))
        problems.push(`there is a ${document.path} already`);
    if (problems.length > 0)
        return { ok: false, problems };
    return write(run, document, "The list is written.");
}
/** New tasks at the end. What stands there stays as it is, whatever was sent of it. */
async function writeNewTasks(run, sent) {
    const before = await refresh(run);
    const tasks = (0,json/* isObject */.Gv)(sent) ? sent.tasks : undefined;
    if (!Array.isArray(tasks))
        return { ok: false, problems: ["tasks: expected a list, got none"] };
    const unsound = (0,json_limits/* findUnsoundJson */.M)(sent).map(problem/* formatProblem */.Vw);
    if (unsound.length > 0)
        return { ok: false, problems: unsound };
    const known = new Map(before.document.file.tasks.map((task) => [task.id, task]));
    const added = tasks.filter((task) => !(0,json/* isObject */.Gv)(task) || !known.has(String(task.id)));
    const read = await readText(run, (0,todo_document/* todoBytes */.ui)(appendTasks(before.document, added)));
    if ("problems" in read)
        return { ok: false, problems: read.problems };
    const problems = problemsOfNew(read.document.file.tasks.slice(known.size));
    if (problems.length > 0)
        return { ok: false, problems };
    const changed = tasks.filter((task) => (0,json/* isObject */.Gv)(task) && isOther(known.get(String(task.id)), task));
    const kept = changed.map((task) => String(task.id)).join(", ");
    if (kept !== "")
        notify(run, "warning", `The review changed ${kept}, which was undone: only new tasks count.`);
    const said = `${added.length} new tasks are in the list.${kept && ` Kept as they were: ${kept}.`}`;
    const current = await run.ports.workspace.read(read.document.path);
    if (!current || Buffer.compare(current, before.bytes) !== 0)
        return { ok: false, problems: [CHANGED] };
    return write(run, read.document, said);
}
/** A repaired list. Tasks may go only where `removed_tasks` says so; the broken file is kept beside it. */
async function writeRepaired(run, broken, sent) {
    const { workspace } = run.ports;
    const { removed_tasks: said, ...value } = (0,json/* isObject */.Gv)(sent) ? sent : {};
    const read = await readSent(run, (0,json/* isObject */.Gv)(sent) ? value : sent);
    if ("problems" in read)
        return { ok: false, problems: read.problems };
    const removed = readRemoved(said);
    const lost = findLost(broken, read.document.file, removed);
    if (lost.length > 0) {
        const how = "keep it, or name it in `removed_tasks` ({id, reason}) beside `tasks`";
        return { ok: false, problems: lost.map((name) => `${name} got lost: ${how}`) };
    }
    const text = mergeRepair(broken, read.document.file);
    const merged = await readText(run, (0,todo_document/* todoBytes */.ui)({ text, hasMark: broken.hasMark }));
    // Two of one field, for instance, can't be mended where they stand.
    const { document } = "document" in merged ? merged : read;
    const current = await workspace.read(broken.path);
    if (!current || Buffer.compare(current, broken.bytes) !== 0)
        return { ok: false, problems: [CHANGED] };
    const aside = asideOf(broken);
    await writeWhole(workspace, aside, broken.bytes);
    for (const { id, reason } of removed)
        notify(run, "warning", `The repair removed ${id}: ${reason}`);
    notify(run, "info", `${broken.path} was repaired; as it was before, it is in ${aside}.`);
    return write(run, document, "The list is repaired.");
}
/** Named after what is in it, so that a repair that is made again keeps it once. */
function asideOf({ path, bytes }) {
    return `${path.replace(/\.json$/, "")}.broken-${(0,hash/* hashContent */.s)(bytes).slice(0, 8)}.json`;
}
async function write(run, document, said) {
    const bytes = (0,todo_document/* todoBytes */.ui)(document);
    await writeWhole(run.ports.workspace, document.path, bytes);
    run.stored = { document, bytes };
    return { ok: true, stored: run.stored, said };
}
async function readSent(run, sent) {
    const unsound = (0,json_limits/* findUnsoundJson */.M)(sent);
    if (unsound.length > 0)
        return { problems: unsound.map(problem/* formatProblem */.Vw) };
    if (!(0,json/* isObject */.Gv)(sent))
        return { problems: ["expected an object with schema_version, source_files and tasks"] };
    return readText(run, new TextEncoder().encode(`${JSON.stringify(sent, null, 2)}\n`));
}
async function readText(run, bytes) {
    const reading = await (0,todo_document/* readTodo */.zn)(bytes, run.settings.todo);
    if (reading.kind === "broken")
        return { problems: reading.broken.diagnostics.map(({ message }) => message) };
    const diagnostics = (0,todo_document/* dependencyDiagnostics */.kL)(reading.document);
    if (diagnostics.length > 0)
        return { problems: diagnostics.map(config_diagnostics/* formatDiagnostic */.x) };
    return { document: reading.document };
}
function problemsOfNew(tasks) {
    return tasks
        .filter((task) => task.status !== "todo")
        .map((task) => `${JSON.stringify(task.id)}: a new task has the status "todo", not "${task.status}"`);
}
function isOther(known, sent) {
    if (!known)
        return false;
    return Object.entries(sent).some(([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value));
}
function readRemoved(said) {
    const list = Array.isArray(said) ? said : [];
    return list.flatMap((one) => (0,json/* isObject */.Gv)(one) && typeof one.id === "string" && typeof one.reason === "string" && one.reason.trim() !== ""
        ? [{ id: one.id, reason: one.reason }]
        : []);
}

;// CONCATENATED MODULE: ./build/todo/phases.js








const DONE = { kind: "completed", text: "" };
/** Sees to it that there is a valid list: made where there is none, repaired where it is broken. */
async function ensureList(run) {
    const { todo } = run.settings;
    const reading = await loadTodo(run.ports.workspace, todo);
    const outcome = !reading
        ? await bootstrap(run)
        : reading.kind === "broken"
            ? await repair(run, { ...reading.broken, bytes: reading.bytes })
            : DONE;
    if (outcome.kind === "completed")
        await refresh(run);
    return outcome;
}
/** A last look at what was done: new tasks may come of it. Without a language model there is none. */
async function reviewList(run) {
    const agent = await phaseAgent(run, run.settings.reviewAgent);
    if (agent.provider === "offline")
        return DONE;
    const { document } = await refresh(run);
    const done = document.file.tasks.map(({ id, title, files = [] }) => ({ id, title, files }));
    return runPhase(run, {
        name: "review",
        agent,
        source: document.text,
        variables: { facts: JSON.stringify({ sourceFiles: document.file.source_files, done }) },
        write: (sent) => writeNewTasks(run, sent),
        isOptional: true,
    });
}
/** Throws where a first run could neither make nor repair the list: `config-invalid` or `no-items`. */
async function requireMaker(ports, settings, reading) {
    const first = agentAt(settings.schedule, 1);
    if (!reading)
        return requireSources({ ports, settings }, await ports.agent(first)).then(() => undefined);
    if (reading.kind === "broken")
        requireMending(await ports.agent(settings.repairAgent ?? first), reading.broken);
}
/** What a first list can be made from. */
async function requireSources({ ports, settings }, agent) {
    const { todo } = settings;
    const sources = await findSources({ ports, settings });
    if (sources.length === 0 && !ports.host.canAsk) {
        throw new errors/* LoopliaError */.$K("no-items", `There is no ${todo}, and no file that it could be made from.`, {
            hint: "Write it, or name documents with source-files.",
        });
    }
    requireModel(agent, `There is no ${todo}, and to make one takes a language model.`, "Write it yourself: `looplia init` makes an example.");
    return sources;
}
function requireMending(agent, { diagnostics }) {
    const problems = diagnostics.map(config_diagnostics/* formatDiagnostic */.x);
    requireModel(agent, problems.join("\n"), "Mend them by hand: a repair takes a language model.");
    return problems;
}
async function bootstrap(run) {
    const agent = await phaseAgent(run, undefined);
    const sources = await requireSources(run, agent);
    return runPhase(run, {
        name: "bootstrap",
        agent,
        source: sources.join("\n"),
        variables: { sources, facts: JSON.stringify({ sources }) },
        write: (sent) => writeFirst(run, sent),
        isOptional: false,
    });
}
async function repair(run, broken) {
    const agent = await phaseAgent(run, run.settings.repairAgent);
    const problems = requireMending(agent, broken);
    return runPhase(run, {
        name: "repair",
        agent,
        source: broken.text,
        variables: { problems },
        write: (sent) => writeRepaired(run, broken, sent),
        isOptional: false,
    });
}
/** Files that the settings name for the first list, as far as they are there. */
async function findSources({ ports, settings }) {
    const found = new Set();
    for (const glob of settings.sourceFiles) {
        for await (const path of ports.workspace.forTools.walk("", glob))
            found.add(path);
    }
    return [...found].sort();
}
/** The agent that the settings name, else the one whose turn is next. */
function phaseAgent(run, named) {
    return run.ports.agent(named ?? agentAt(run.settings.schedule, countIterations(run) + 1));
}
function requireModel({ provider }, message, hint) {
    if (provider === "offline")
        throw new errors/* LoopliaError */.$K("config-invalid", message, { hint });
}

// EXTERNAL MODULE: ./build/session/conversation.js
var conversation = __webpack_require__(62068);
;// CONCATENATED MODULE: ./build/todo/tasks-result.js
// What a run says of a to-do file.


/** The result of a run that ended so. */
function describeTasks(end, { path, file, view, sessionId }) {
    return {
        ...end,
        sessionId,
        path,
        file,
        tasks: rowsOf(file?.tasks ?? [], view),
        interactions: view ? (0,session_state/* openInteractions */.st)(view.state) : [],
        usage: view?.totals.usage ?? (0,conversation/* noUsage */.tk)(),
        costUsd: view === undefined ? 0 : view.totals.unpriced ? null : view.totals.costUsd,
    };
}
function rowsOf(tasks, view) {
    const costs = new Map();
    for (const { taskId, costUsd } of view?.conversations.values() ?? []) {
        const known = costs.get(taskId);
        costs.set(taskId, known === null || costUsd === null ? null : (known ?? 0) + costUsd);
    }
    return tasks.map(({ id, title, status, blockers }) => {
        const summary = view?.state.tasks.get(id)?.summary;
        const said = summary?.task_id === id ? saidOf(summary) : undefined;
        const message = status === "blocked" ? blockers?.at(-1) : said;
        const costUsd = costs.has(id) ? (costs.get(id) ?? null) : 0;
        return { id, title, status, ...(message ? { message } : {}), costUsd };
    });
}
function saidOf({ status, summary = "" }) {
    const said = summary.trim();
    if (status !== "skipped")
        return said;
    return said === "" ? "skipped" : `skipped: ${said}`;
}
const SHOWN = 5;
/** `3 tasks are left: T1 (blocked: no key), T2 (skipped), …`; `skipped`: ids of those that were, in this run. */
function whatIsLeft(tasks, skipped) {
    const left = tasks.filter((task) => task.status !== "done");
    if (left.length === 0)
        return "no task is left";
    const names = left.slice(0, SHOWN).map(({ id, status, blockers }) => {
        const why = status === "blocked" ? blockers?.at(-1) : undefined;
        if (status === "todo" && skipped?.has(id))
            return `${id} (skipped)`;
        return status === "todo" ? id : `${id} (${status}${why === undefined ? "" : `: ${why}`})`;
    });
    const more = left.length > SHOWN ? ", …" : "";
    return `${left.length} ${left.length === 1 ? "task is" : "tasks are"} left: ${names.join(", ")}${more}`;
}

;// CONCATENATED MODULE: ./build/todo/end-of-list.js
// How the loop over a list ends: at what an outcome ends, or where nothing more can be chosen.







/** Nothing more to choose: blocked, or the review. Undefined: the review found more. */
async function endOfList(run, selection, tasks) {
    const { task } = run.settings;
    if (selection.kind === "stuck") {
        const left = task === undefined ? selection.left : selection.left.filter(({ id }) => id === task);
        return { status: "stopped", reasonCode: "blocked-tasks", message: whatIsLeft(left, run.tried.skipped) };
    }
    if (task !== undefined)
        return endOfTask(task, tasks);
    if (isProjectDone(tasks))
        return { status: "completed", reasonCode: "done" };
    const early = endOf(await reviewList(run), run);
    if (early)
        return early;
    const { document } = await refresh(run);
    if (document.file.tasks.some(({ status }) => status !== "done")) {
        observeList(run);
        return undefined;
    }
    await (0,as_one/* asOne */.Z)(run.ports.host, async () => {
        await change(run, (now) => isProjectDone(now.file.tasks) ? now : appendTasks(now, [projectDoneTask(now.file.tasks)]));
        const marker = run.stored?.document.file.tasks.at(-1)?.id ?? "";
        await run.ports.host.taskEnded({
            ...{ sessionId: run.journal.sessionId, folder: "", title: "Project done", outputs: [marker] },
            ...{ status: "completed", todo: { label: "done", tags: [], said: "" } },
        });
    });
    return { status: "completed", reasonCode: "done" };
}
/** One task alone was to be done: what else is left is said, so that nobody takes the list for done. */
function endOfTask(id, tasks) {
    const isLeft = tasks.some(({ status }) => status !== "done");
    const message = `${id} is done; ${whatIsLeft(tasks)}`;
    return { status: "completed", reasonCode: "done", ...(isLeft ? { message } : {}) };
}
/** What an outcome ends, or undefined where the loop goes on. */
function endOf(outcome, run) {
    switch (outcome.kind) {
        case "completed":
            return undefined;
        case "waiting":
            return { status: "waiting", reasonCode: "open-questions" };
        case "stopped": {
            const left = run ? `; ${leftIn(run)}` : "";
            return { status: "stopped", reasonCode: outcome.reasonCode, message: `${outcome.message}${left}` };
        }
        case "failed":
            return { status: "failed", reasonCode: outcome.reasonCode, message: outcome.message };
    }
}
/** What is left of the list, in words. */
function leftIn(run) {
    return whatIsLeft(run.stored?.document.file.tasks ?? [], run.tried.skipped);
}

;// CONCATENATED MODULE: ./build/todo/left-alone.js
// Lists that a run looks at and does not go on with: a person must answer first, or a person ended it.







/** True where what is under way waits for a person, so that a run would only find that out. */
function onlyWaits(state, document) {
    const open = [...state.tasks.values()].filter(session_state/* isOpen */.nT);
    if (open.length === 0 || !open.every((task) => (0,session_view/* isWaiting */.Gu)(state, task)))
        return false;
    return open.every((task) => task.outputs.length > 0 || whyAnew((0,todo_document/* findTask */.VX)(document, task.taskId), task) === undefined);
}
/** Tells how the list stands; of a session that was canceled meanwhile nothing stays under way. */
async function leaveAlone(run, standing) {
    const { view, sessionId, file } = standing;
    if (!view || !file || run.settings.dryRun)
        return tellTasks(standing);
    await putBackCanceled(run, { sessionId, state: view.state });
    return tellTasks({ ...standing, file: run.stored?.document.file ?? file });
}
/** How the list stands; nothing is run. */
function tellTasks(standing) {
    const told = describeTasks(left_alone_endOf(standing), standing);
    const { canceled } = standing.view?.state ?? {};
    if (canceled)
        return { ...told, status: "ignored", reasonCode: "closed", message: canceled.reason };
    return told.interactions.length > 0 ? { ...told, status: "waiting", reasonCode: "open-questions" } : told;
}
function left_alone_endOf({ file, path }) {
    if (!file)
        return { status: "stopped", reasonCode: "interrupted", message: `${path} is not there yet` };
    const { tasks } = file;
    if (isProjectDone(tasks) || tasks.every(({ status }) => status === "done")) {
        return { status: "completed", reasonCode: "up-to-date" };
    }
    const blocked = new Set(tasks.filter(({ status }) => status === "blocked").map(({ id }) => id));
    const isStuck = selectTask(tasks, { blocked, skipped: new Set() }).kind === "stuck";
    const message = whatIsLeft(tasks);
    return { status: "stopped", reasonCode: isStuck ? "blocked-tasks" : "interrupted", message };
}

// EXTERNAL MODULE: ./build/agent/asking.js
var agent_asking = __webpack_require__(21363);
// EXTERNAL MODULE: ./build/agent/journal.js + 1 modules
var agent_journal = __webpack_require__(54289);
;// CONCATENATED MODULE: ./build/todo/open-run.js
// Opens the session of a to-do file, or only looks at it.



/** What is stored of the session, where a run may have nothing to do. */
async function lookFirst({ sessionId, isLeftAlone }, { host, stores }, document) {
    if (document && !host.answersLater && !isLeftAlone)
        return undefined;
    const lines = await stores.look(sessionId);
    return lines && (0,session_view/* viewSession */.WY)(sessionId, lines);
}
/** The run of a session whose work is open. */
async function openRun({ ports, settings, work }, sessionId) {
    const store = await work.store.session(sessionId);
    const { journal, setAside } = await agent_journal/* Journal */.C.open(work.store.workId, store, ports.redact);
    for (const message of setAside)
        ports.observe({ type: "notice", level: "warning", message, sessionId });
    const canceled = ports.cancellations?.signalOf(sessionId);
    const signal = canceled ? AbortSignal.any([ports.signal, canceled]) : ports.signal;
    const tried = { blocked: new Set(), skipped: new Set() };
    const asking = (0,agent_asking/* createAsking */.a)(settings.people, work, ports.startedBy);
    const fresh = { stored: undefined, tried, iterations: 0, failures: 0 };
    return { ports: { ...ports, signal }, settings, work, journal, asking, ...fresh };
}

;// CONCATENATED MODULE: ./build/todo/reapply-ends.js
// A person's push may take the place of what the program wrote of the list (in a conflict theirs stands). How tasks ended
// is on record: it is written again, once for each such push, so that nothing is done twice.







/** Tasks that their version knows as not ended, in the words that their agent had, are ended again. */
async function reapplyEnds(run) {
    const { ports, settings, journal } = run;
    const known = journal.state.reapplied;
    const commits = (ports.host.overruled?.(settings.todo) ?? []).filter((commit) => !known?.has(commit));
    if (commits.length === 0)
        return;
    const { document } = await refresh(run);
    const lost = [...journal.state.tasks.values()].filter((state) => isLost(document, state));
    const now = ports.clock.now().toISOString();
    for (const state of lost) {
        const end = judgeEnd(state, { kind: "completed", text: "" });
        const fields = settings.applySummary ? end : { status: end.status };
        await change(run, (current) => {
            const task = (0,todo_document/* findTask */.VX)(current, state.taskId);
            return task ? editTask(current, task.id, changeFor(task, fields, now)) : current;
        });
    }
    await journal.append({ store: "events", type: "EndsReapplied", payload: { commits } });
    if (lost.length === 0)
        return;
    const ids = lost.map(({ taskId }) => taskId).join(", ");
    notify(run, "info", `${settings.todo} is as it was pushed, and says again how these ended: ${ids}.`);
}
function isLost(document, state) {
    const task = (0,todo_document/* findTask */.VX)(document, state.taskId);
    if (!task || (0,session_state/* isOpen */.nT)(state) || state.summary?.task_id !== task.id)
        return false;
    if ((0,task_digest/* taskDigest */.e)(task) !== state.inputs.source)
        return false;
    return task.status === "doing" || task.status === state.from;
}

// EXTERNAL MODULE: ./build/agent/messages.js
var agent_messages = __webpack_require__(74576);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(89179);
// EXTERNAL MODULE: ./build/session/actor.js
var actor = __webpack_require__(95114);
// EXTERNAL MODULE: ./build/session/interaction.js
var interaction = __webpack_require__(95511);
;// CONCATENATED MODULE: ./build/todo/accept-summary.js
// The summary that an agent sends of a to-do task: taken, or sent back once.





/** Records the first acceptable summary of an attempt. After `done` without change or reason it asks once. */
async function acceptSummary(run, task, state, content, callId) {
    const known = run.journal.state.tasks.get(task.id);
    if (known?.summary)
        return { text: "Taken already: the first summary counts." };
    const checked = await checkSummary(content);
    if ("problems" in checked)
        return { text: checked.problems, isError: true };
    const { summary } = checked;
    const isOwn = summary.task_id === task.id;
    const isEmpty = summary.status === "done" && !summary.summary?.trim();
    const wasAsked = (known?.refusals.get(report_summary/* SUMMARY_OUTPUT */.pc)?.count ?? 0) > 0;
    if (isOwn && isEmpty && !wasAsked && !(await hasChanged(run, state))) {
        await run.journal.append({
            store: "events",
            type: "ArtifactRefused",
            payload: {
                taskId: task.id,
                output: report_summary/* SUMMARY_OUTPUT */.pc,
                errors: [NO_CHANGE],
                ...(callId ? { callId } : {}),
            },
        });
        return { text: NO_CHANGE, isError: true };
    }
    const approved = approvalsOf(run, state);
    const whole = approved === "" ? summary : { ...summary, summary: `${summary.summary ?? ""}\n${approved}`.trim() };
    const payload = { taskId: task.id, summary: whole, ...(callId === undefined ? {} : { callId }) };
    await run.journal.append({ store: "events", type: "SummaryReported", payload });
    return { text: "Taken." };
}
const NO_CHANGE = "Done, but nothing was changed and no reason is given. Do what is missing, or report again and say in `summary` why nothing had to change.";
/** Who approved commands: a runbook's summary says it. Empty for a model's. */
function approvalsOf(run, { conversationId }) {
    if (run.journal.conversation(conversationId).provider !== "offline")
        return "";
    const confirmed = [...run.journal.state.interactions.values()].filter(({ request, response }) => request.conversationId === conversationId &&
        (0,interaction/* letsCallsRun */.Z)(request) &&
        response?.selectedOptionId === "approve");
    return confirmed
        .map(({ request, response }) => `Approved by ${(0,actor/* loginOf */.DQ)(response?.authorActorId ?? "nobody")}: ${request.shortId}`)
        .join("\n");
}

;// CONCATENATED MODULE: ./build/todo/run-iteration.js
// One iteration: a to-do task is marked, its agent runs in a conversation of its own and says how it ended.















/**
 * Runs or goes on with a task until its agent ended, waits or stopped. What it said is recorded, not yet applied.
 * Undefined where somebody took the task out of the list just now.
 */
async function runIteration(run, task) {
    const { number, agent, state } = await openIteration(run, task);
    if (!(await markDoing(run, task.id)))
        return undefined;
    observeIteration(run, task, { number, agent }, { status: "started" });
    const outcome = await withTimeout(run, agent, async (signal) => {
        const session = sessionFor(run, agent, guardFor(run, task, state), signal);
        if (!run.journal.hasBegun(state.conversationId))
            await openConversation(run, session, { task, state, agent, number });
        return (0,loop/* runConversation */.r)(session, agentRun(run, session, task, state));
    });
    return { number, agent, state, outcome };
}
/** What a worker may use: everything but what belongs to other jobs. */
const NOT_FOR_WORKERS = new Set(["writeArtifact"]);
/** The agent of to-do tasks: the program's own instructions, whatever model stands behind it. */
async function workerDefinition(run) {
    const { configuration, tools } = run.ports;
    return {
        name: "worker",
        description: "Works on one task of a to-do list.",
        instructions: await configuration.prompts.render("worker.md", {}),
        tools: [...tools.keys()].filter((name) => !NOT_FOR_WORKERS.has(name)),
        file: "prompts/worker.md",
    };
}
async function openConversation(run, session, opening) {
    const { state, agent } = opening;
    const { conversationId, taskId } = state;
    const start = { conversationId, taskId, agent: agent.name, depth: 0, model: agent.modelName };
    const { mailbox } = run.work;
    const prefix = await (0,agent_prefix/* buildPrefix */.N)(session, await workerDefinition(run));
    const messages = mailbox.take();
    const task = await renderIteration(run, { ...opening, schemaPath: await keepSchema(run) });
    const text = await (0,agent_messages/* withMessages */.$)(run.ports.configuration.prompts, task, messages);
    await mailbox.deliver(session.host, taskId, messages, () => (0,loop/* startConversation */.g)(session, start, prefix, text));
}
/** The message that starts a task. What changes from task to task stands here, so that the prefix never does. */
async function renderIteration(run, { task, agent, number, schemaPath }) {
    const { prompts } = run.ports.configuration;
    const { id, title, status } = task;
    const runbook = agent.provider === "offline" ? { runbook: readRunbook(task) } : {};
    return prompts.render("iteration.md", {
        TodoPath: run.settings.todo,
        SchemaPath: schemaPath,
        WorkDir: run.ports.workspace.root,
        SelectedTask: { ID: id, Title: (0,plain_text/* toPlainLine */.Ic)(title), Status: status },
        Iteration: number,
        Schedule: run.settings.schedule.shown,
        Now: run.ports.clock.now().toISOString(),
        facts: JSON.stringify({ task, ...runbook }),
    });
}
function agentRun(run, session, task, state) {
    const { conversationId } = state;
    const self = {
        conversationId,
        taskId: task.id,
        agent: state.agent,
        depth: 0,
        artifacts: {
            write: (output, content, callId) => takeSummary(run, task, state, { output, content, callId }),
        },
        subagents: [...run.ports.configuration.agents.keys()],
        runSubagent: (name, prompt, id) => (0,subagent/* runSubagent */.R)(session, self, name, prompt, id),
        isDone: () => (run.journal.state.tasks.get(task.id)?.summary ? run_iteration_DONE : undefined),
        whenEnded: (text) => run_iteration_endOfTurn(run, task, state, text),
    };
    return self;
}
const run_iteration_DONE = { kind: "completed", text: "" };
async function takeSummary(run, task, state, sent) {
    if (sent.output !== report_summary/* SUMMARY_OUTPUT */.pc) {
        return { text: `Not written: a to-do task has no output ${JSON.stringify(sent.output)}.`, isError: true };
    }
    if (!sent.callId.startsWith(`${state.conversationId}\n`)) {
        return {
            text: "Not taken: the agent of the task reports it. End with a text that says it.",
            isError: true,
        };
    }
    return acceptSummary(run, task, state, sent.content, sent.callId);
}
/** How often an agent that stops without a summary is told so. */
const run_iteration_REMINDERS = 1;
async function run_iteration_endOfTurn(run, task, state, text) {
    const summary = await findSummary(text);
    if (summary) {
        const reply = await acceptSummary(run, task, state, summary, undefined);
        return reply.isError ? { tell: reply.text } : { outcome: run_iteration_DONE };
    }
    const { messages } = run.journal.conversation(state.conversationId);
    const said = messages.filter(({ role, content }) => role === "user" && content.some(({ type }) => type === "text"));
    const { prompts } = run.ports.configuration;
    if (said.length <= run_iteration_REMINDERS)
        return { tell: await prompts.render("unreported.md", { id: task.id }) };
    const last = run.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
    const message = `${state.agent} ended without reportSummary; it said: ${last}`;
    return { outcome: { kind: "failed", reasonCode: "model-failed", message } };
}
/** An agent's own time-out is its failure; the run's signal stops the run. */
async function withTimeout(run, agent, work) {
    const own = new AbortController();
    const { timeoutMs } = agent;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => own.abort("timeout"), timeoutMs);
    try {
        const outcome = await work(AbortSignal.any([run.ports.signal, own.signal]));
        if (!own.signal.aborted || run.ports.signal.aborted || outcome.kind !== "stopped")
            return outcome;
        const message = `${agent.name} took longer than its ${(timeoutMs ?? 0) / 60_000} minutes`;
        return { kind: "failed", reasonCode: "model-failed", message };
    }
    catch (error) {
        return (0,outcome/* modelFailure */.i)(error);
    }
    finally {
        clearTimeout(timer);
    }
}

;// CONCATENATED MODULE: ./build/todo/set-back.js
// `/retry <task>`: a person has a task tried again.




/** Sets a task back, done or not; its open attempt and its questions end. It is the first to be chosen. */
async function setBack(run, taskId) {
    if (!(0,todo_document/* findTask */.VX)((await refresh(run)).document, taskId)) {
        const message = `There is no task ${JSON.stringify(taskId)} in ${run.settings.todo} any more.`;
        return notify(run, "warning", message);
    }
    if ((0,session_state/* isOpen */.nT)(run.journal.state.tasks.get(taskId))) {
        const payload = { taskId, reason: "it is tried again", at: run.ports.clock.now().toISOString() };
        await run.journal.append({ store: "events", type: "TaskCanceled", payload });
    }
    await change(run, (document) => editTask(document, taskId, { set: { status: "todo" } }));
    run.first = taskId;
}

;// CONCATENATED MODULE: ./build/todo/run-tasks.js
// The loop over a to-do file: choose a task, run it, end it, until nothing is left.





















/**
 * Works through the to-do file until nothing is left, a person must answer or a limit is reached. Where answers come
 * later, a list that only waits is told, and nothing of it is opened. Throws `config-invalid` for a file that can't be
 * run: no JSON object, or dependencies that can't be met.
 */
async function runTasks(toRun, ports, settings) {
    const { sessionId, openWork, before, retry } = toRun;
    const path = settings.todo;
    const reading = await readList(toRun, ports, path);
    const document = reading?.kind === "valid" ? reading.document : undefined;
    if (document)
        (0,config_diagnostics/* throwIfErrors */.Z)((0,todo_document/* dependencyDiagnostics */.kL)(document));
    const view = await lookFirst(toRun, ports, document);
    const standing = { path, file: document?.file, sessionId, view };
    if (toRun.isLeftAlone)
        return leaveAlone({ ports, settings, stored: undefined }, standing);
    if (document && settings.task !== undefined)
        requireTask(document.file.tasks, path, settings.task);
    const isSpokenTo = before !== undefined || retry !== undefined;
    if (document && !isSpokenTo && isOver(document.file.tasks, settings)) {
        const end = { status: "completed", reasonCode: "up-to-date" };
        return describeTasks(end, { ...standing, sessionId: view ? sessionId : "" });
    }
    if (settings.dryRun)
        return describeTasks(await rehearse(ports, settings, reading), standing);
    if (!isSpokenTo && view && document && onlyWaits(view.state, document))
        return tellTasks(standing);
    // Before anything is opened: what can't be begun leaves no trace.
    if (!document && !view)
        await requireMaker(ports, settings, reading);
    const work = await openWork();
    const run = await openRun({ ports, settings, work }, sessionId);
    try {
        // What is observed is logged: a refused answer leaves nothing, so it comes first.
        await before?.(run);
        const end = await runLoop(run, retry);
        await (0,cancellations/* recordCancellation */.nu)({ ...run.ports, journal: run.journal });
        await putBackCanceled(run, run.journal);
        return describeTasks(end, { ...standing, file: run.stored?.document.file, view: run.journal });
    }
    finally {
        await run.journal.close();
    }
}
/** What can't be read was somebody's, and is refused; but for what a killed act left: that is undone. */
async function readList({ sessionId }, { workspace, stores }, path) {
    try {
        return await loadTodo(workspace, path);
    }
    catch (thrown) {
        const lines = await stores.look(sessionId);
        if (lines && findKilled((0,session_view/* viewSession */.WY)(sessionId, lines)))
            return undefined;
        throw thrown;
    }
}
/**
 * What the first task would begin with, so that a broken prompt shows, or what is wrong with the list. Fails where a run
 * could not begin. Calls no model, changes nothing.
 */
async function rehearse(ports, settings, reading) {
    if (reading?.kind !== "valid") {
        await requireMaker(ports, settings, reading);
        const problems = reading?.broken.diagnostics.map(config_diagnostics/* formatDiagnostic */.x) ?? [];
        const first = `${settings.todo} would be ${reading ? "repaired" : "made"} first`;
        return { status: "completed", reasonCode: "done", message: [first, ...problems].join("\n") };
    }
    const run = { ports, settings, tried: { blocked: new Set(), skipped: new Set() } };
    const selection = choose(run, reading.document.file.tasks);
    if (selection.kind !== "task")
        return { status: "completed", reasonCode: "done" };
    const agent = await ports.agent(agentAt(settings.schedule, 1));
    // Nothing is kept: the prompt is only tried.
    await renderIteration(run, { task: selection.task, agent, number: 1, schemaPath: "to-do.schema.json" });
    return { status: "completed", reasonCode: "done", message: `${selection.task.id} would be next` };
}
async function runLoop(run, retry = []) {
    const { canceled } = run.journal.state;
    if (canceled)
        return { status: "ignored", reasonCode: "closed", message: canceled.reason };
    await undoKilledEdit(run);
    const early = endOf(await ensureList(run));
    if (early)
        return early;
    await reapplyEnds(run);
    await settleOpenTasks(run);
    // The one that was set back last is the first to be chosen.
    for (const taskId of retry.toReversed())
        await setBack(run, taskId);
    observeList(run);
    for (;;) {
        await reapplyEnds(run);
        const { tasks } = (await refresh(run)).document.file;
        const selection = choose(run, tasks);
        const end = selection.kind === "task" ? await runNext(run, selection.task) : await endOfList(run, selection, tasks);
        if (end)
            return end;
    }
}
/** One task. Undefined: the loop goes on. */
async function runNext(run, task) {
    const { maxIterations } = run.settings;
    if (run.ports.signal.aborted)
        return endOf((0,limits/* stoppedBySignal */.Tq)(run.ports.signal), run);
    if (run.iterations >= maxIterations) {
        const ran = maxIterations === 1 ? "1 task was" : `${maxIterations} tasks were`;
        const message = `${ran} run (max-iterations); ${leftIn(run)}`;
        return { status: "stopped", reasonCode: "max-iterations", message };
    }
    run.iterations += 1;
    if (task.status === "blocked")
        run.tried.blocked.add(task.id);
    const iteration = await runIteration(run, task);
    if (!iteration)
        return undefined;
    const early = iteration.outcome.kind === "failed" ? undefined : endOf(iteration.outcome, run);
    if (early)
        return early;
    const end = await endIteration(run, task, iteration);
    if (run.failures < MAX_FAILURES)
        return undefined;
    const message = `${MAX_FAILURES} tasks in a row failed; last: ${end.message}`;
    return { status: "failed", reasonCode: "model-failed", message };
}
/** Tasks in a row whose agents failed: what comes after them would fail as well. */
const MAX_FAILURES = 3;


/***/ }),

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

"use strict";
exports.id = 838;
exports.ids = [838];
exports.modules = {

/***/ 9838:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  tailCommand: () => (/* binding */ tailCommand)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9984);
// EXTERNAL MODULE: ./build/entrypoints/log-folder.js
var log_folder = __webpack_require__(2406);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(8850);
// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(56);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(9150);
;// CONCATENATED MODULE: ./build/entrypoints/cli/log-lines.js
// A line of a run's log as a line that a person reads. Pure.



const SHOWN = 300;
/** `12:03:04 runCommand npm test (3 s)`; undefined for what is no line of a log. */
function logLine(text) {
    const line = (0,json/* parseJson */.qF)(text);
    if (!(0,json/* isObject */.Gv)(line) || typeof line.at !== "string" || !(0,json/* isObject */.Gv)(line.payload))
        return undefined;
    const said = (0,plain_text/* toPlainLine */.Ic)(sayLine(String(line.type), line.payload));
    const cut = said.length > SHOWN ? `${said.slice(0, SHOWN).toWellFormed()}…` : said;
    return `${line.at.slice(11, 19)} ${cut}`;
}
function sayLine(type, payload) {
    const text = (field) => (payload[field] === undefined ? "" : String(payload[field]));
    switch (type) {
        case "assistant_message":
            return `${text("agent")}: ${text("text")}`;
        case "tool":
        case "command": {
            if (payload.refused !== undefined) {
                return `${text("toolName")} ${text("summary")} refused: ${text("refused")}`;
            }
            const duration = (0,figures/* formatDuration */.a3)(Number(payload.durationMs ?? 0));
            return `${text("toolName")} ${text("summary")}${payload.isError === true ? " failed" : ""} (${duration})`;
        }
        case "usage":
            return `${text("model")} answered${Number(payload.costUsd ?? 0) > 0 ? ` for ${(0,figures/* formatCost */.BD)(Number(payload.costUsd))}` : ""}`;
        case "error":
            return `error ${text("code")}: ${text("taskId") && `${text("taskId")}: `}${text("message")} ${listOf(payload.validationErrors)}`;
        case "summary": {
            const summary = (0,json/* isObject */.Gv)(payload.summary) ? payload.summary : {};
            const status = String(summary.status ?? text("status"));
            const message = text("message");
            return `${text("taskId")} ${message.startsWith(status) ? message : `${status}: ${message}`}`;
        }
        default:
            return sayProgress(text("event"), payload, text);
    }
}
function sayProgress(event, payload, text) {
    const more = text("message") && `: ${text("message")}`;
    switch (event) {
        case "session":
            return `session ${text("sessionId")}: ${text("source")} through ${text("pipeline")}`;
        case "iteration": {
            const who = `(agent ${text("agent")}, model ${text("model")}, schedule ${text("schedule")})`;
            return `iteration ${text("iteration")} ${text("status")}: ${text("taskId")}: ${text("title")} ${who}`;
        }
        case "ended":
            return `session ${text("sessionId")} ${text("status")} (${text("reasonCode")})${more}`;
        case "step":
            return `step ${text("output")} ${text("status")}${more}`;
        case "question":
        case "answered": {
            const request = (0,json/* isObject */.Gv)(payload.request) ? payload.request : {};
            const display = (0,json/* isObject */.Gv)(request.display) ? request.display : {};
            return `${event} ${String(request.shortId ?? "")}: ${String(display.title ?? "")}`;
        }
        case "notice":
            return `${text("level")}${more}`;
        default:
            return event;
    }
}
function listOf(values) {
    return Array.isArray(values) ? values.map(String).join("; ") : "";
}

// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(8700);
// EXTERNAL MODULE: ./build/entrypoints/cli/watch-signals.js
var watch_signals = __webpack_require__(7845);
;// CONCATENATED MODULE: ./build/entrypoints/cli/tail.js
// `tail`: the end of the newest log as lines that a person reads, and with --follow what comes after it, from another
// terminal too.








const LINES = 40;
const POLL_MS = 250;
const BLOCK = 256 * 1024;
/** Prints the last lines; with --follow until Ctrl-C, over to a newer log when a run begins one. */
async function tailCommand(line, surface) {
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    (0,resolve_place/* reportPlace */.YM)(surface, { ...found, notices: [] });
    const { root, stateFolder, settings } = found.place;
    const logDir = (0,log_folder/* findLogFolder */.G)(root, settings.logDir);
    const newest = () => newestLog(stateFolder, logDir);
    const first = await newest();
    if (first === undefined && !line.isFollowing) {
        throw new errors/* LoopliaError */.$K("config-invalid", `There is no log in ${logDir ?? stateFolder}.`, {
            hint: "`looplia run` writes one; --log-dir names where",
        });
    }
    const log = { path: first, offset: 0, rest: "" };
    const begun = (await readOn(log)).slice(-LINES);
    surface.stdout.write(begun.map((text) => `${text}\n`).join(""));
    if (!line.isFollowing)
        return 0;
    const showMore = async () => {
        surface.stdout.write((await readOn(log)).map((text) => `${text}\n`).join(""));
    };
    const { signal, release } = (0,watch_signals/* watchSignals */.R)(surface, () => undefined);
    try {
        while (!signal.aborted) {
            await (0,external_node_timers_promises_.setTimeout)(POLL_MS, undefined, { signal }).catch(() => undefined);
            await showMore();
            const path = await newest();
            if (path === log.path)
                continue;
            // The run before may have said its last words since.
            await showMore();
            Object.assign(log, { path, offset: 0, rest: "" });
        }
        return 0;
    }
    finally {
        release();
    }
}
/** What has come since, as far as lines are whole; nothing of a log that somebody has removed. */
async function readOn(log) {
    const file = log.path === undefined ? undefined : await (0,promises_.open)(log.path, "r").catch(orGone);
    if (!file)
        return [];
    try {
        const buffer = Buffer.alloc(BLOCK);
        const texts = [];
        for (;;) {
            const { bytesRead } = await file.read(buffer, 0, BLOCK, log.offset);
            if (bytesRead === 0)
                break;
            // Up to the last whole line, so that no character is cut in two.
            const end = buffer.lastIndexOf("\n", bytesRead - 1) + 1;
            const taken = end > 0 && end <= bytesRead ? end : bytesRead < BLOCK ? 0 : bytesRead;
            if (taken === 0)
                break;
            texts.push(buffer.toString("utf8", 0, taken));
            log.offset += taken;
        }
        const lines = (log.rest + texts.join("")).split("\n");
        log.rest = lines.pop() ?? "";
        return lines.flatMap((text) => logLine(text) ?? []);
    }
    finally {
        await file.close();
    }
}
function orGone(error) {
    if (error.code !== "ENOENT")
        throw error;
}
/** Names of logs begin with their time. */
async function newestLog(stateFolder, logDir) {
    const works = logDir === undefined ? await namesIn(stateFolder) : [];
    const folders = logDir === undefined ? works.map((work) => (0,external_node_path_.join)(stateFolder, work, "logs")) : [logDir];
    const logs = [];
    for (const folder of folders) {
        for (const name of await namesIn(folder)) {
            if (name.endsWith(".jsonl"))
                logs.push({ name, path: (0,external_node_path_.join)(folder, name) });
        }
    }
    return logs.sort((one, other) => (one.name < other.name ? -1 : 1)).at(-1)?.path;
}
async function namesIn(folder) {
    return (0,promises_.readdir)(folder).catch(() => []);
}


/***/ })

};
;
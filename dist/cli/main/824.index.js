"use strict";
exports.id = 824;
exports.ids = [824];
exports.modules = {

/***/ 3824:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportCommand: () => (/* binding */ reportCommand)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9984);
// EXTERNAL MODULE: ./build/session/message.js
var message = __webpack_require__(1379);
// EXTERNAL MODULE: ./build/session/question-text.js + 1 modules
var question_text = __webpack_require__(8171);
// EXTERNAL MODULE: ./build/session/state.js
var session_state = __webpack_require__(7025);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(8850);
// EXTERNAL MODULE: ./build/session/plain-text.js
var plain_text = __webpack_require__(9150);
;// CONCATENATED MODULE: ./build/publish/markdown.js
// Text of others inside our Markdown, and inside a runner's log: it can neither format, link, mention nor command. Pure.


// Keeps GitHub from reading a name after @ or a number after # in the rendered text; it is not seen.
const BREAK = "\u200b";
/** A run without what would end a code span, a table cell or a tag. */
const WORD = /[^\s`|\\<>]+/g;
const REFERENCE = /@|#(?=\w)|\bGH-(?=\d)|:\/\/|www\./i;
// Only what means something where it stands, so that plain words stay readable in the raw text too.
const MARKUP = /[\\`*[\]<>|~@$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#\w])|^[-+#=:]|#(?=#*$)|-(?=[->])/g;
/** One line that a Markdown renderer shows as it is: no markup, HTML, link, mention or reference; at most `limit`. */
function escapeInline(text, limit = 500) {
    return escapeLine(cut((0,plain_text/* toPlainLine */.Ic)(text.toWellFormed()), limit));
}
/** As `escapeInline`, but nothing is left out: unseen characters are shown as `<U+XXXX>`. What approvals show. */
function escapeShown(text, limit = Number.POSITIVE_INFINITY) {
    return escapeLine(cut(showOneLine(text), limit));
}
/** A code block whose fence is longer than any run of backticks in the text; at most `limit` characters of it. */
function fence(text, limit = 4_000) {
    return fenced(cut(toPlainText(text.toWellFormed()), limit), "text");
}
/** A code block with exactly the text, every unseen character shown. */
function fenceShown(text, language = "text") {
    return fenced(showUnseen(text), language);
}
/** One line in a code span: nothing in it means anything. Not for table cells. */
function codeSpan(text) {
    const shown = (0,question_text/* showOneLine */.E)(text);
    const marks = "`".repeat(longestRun(shown) + 1);
    const room = /^`|`$/.test(shown) || shown === "" ? " " : "";
    return `${marks}${room}${shown}${room}${marks}`;
}
function fenced(text, language) {
    const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
    return `${marks}${language}\n${text}\n${marks}`;
}
/** How many backticks stand together at most. */
function longestRun(text) {
    let longest = 0;
    for (const [run] of text.matchAll(/`+/g))
        longest = Math.max(longest, run.length);
    return longest;
}
/** Several lines of prose as a quotation: each stays one (comments keep line ends), none formats. */
function quoteShown(text) {
    return text
        .trim()
        .split(/\r?\n/)
        .map((line) => `> ${escapeShown(line)}`.trimEnd())
        .join("\n");
}
/** A sentence of ours that may quote others: escaped, with a capital (an id keeps its own letters) and a full stop. */
function sentence(text, limit = 2_000) {
    const shown = escapeShown(cut(text.trim(), limit)).replace(/^[a-z](?!\S*\d)/, (letter) => letter.toUpperCase());
    return shown === "" || /[.!?:…]$/.test(shown) ? shown : `${shown}.`;
}
/** The same words on one line, however narrow the screen. */
function keepTogether(markdown) {
    return markdown.replaceAll(" ", "\u00a0");
}
/** A boxed notice of our own words. */
function markdown_alert(kind, markdown) {
    return [`[!${kind}]`, ...markdown.split("\n")].map((line) => `> ${line}`.trimEnd()).join("\n");
}
/** A link of our own; what could end it is encoded. */
function markdown_link(label, url) {
    return `[${label}](<${encodeURI(url).replace(/[<>]/g, "")}>)`;
}
/** Words that GitHub reads as a mention, a reference or a link stand in code, where they are words. */
function escapeLine(line) {
    let escaped = "";
    let plain = 0;
    for (const { 0: word, index } of line.matchAll(WORD)) {
        if (!REFERENCE.test(word))
            continue;
        escaped += `${escapeMarkup(line.slice(plain, index))}\`${word}\``;
        plain = index + word.length;
    }
    return escaped + escapeMarkup(line.slice(plain));
}
function escapeMarkup(text) {
    return text.replace(MARKUP, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
}
/** One line for a title or a commit: plain text in which no mention, reference or closing word works. */
function plainTitle(text, limit) {
    return cut(toPlainLine(text.toWellFormed()), limit)
        .replace(/@(?=\w)/g, `@${BREAK}`)
        .replace(/#(?=\w)/g, `#${BREAK}`)
        .replace(/\bGH-(?=\d)/gi, (found) => `${found}${BREAK}`)
        .replace(/:\/\//g, `:${BREAK}//`);
}
/** One line for a runner's log that is never a workflow command, whatever stands in it. */
function neutralizeLine(text) {
    return toPlainLine(text.toWellFormed())
        .replace(/:(?=:)/g, ": ")
        .replace(/#(?=#\[)/g, "# ");
}
/** The text, or its beginning and an ellipsis; `limit` counts characters. */
function cut(text, limit) {
    const characters = [...text.slice(0, limit * 2 + 2)];
    return characters.length <= limit
        ? text
        : `${characters
            .slice(0, limit - 1)
            .join("")
            .trimEnd()}…`;
}

;// CONCATENATED MODULE: ./build/publish/session-report.js





/** What the stores of a session say. */
function reportOf(view) {
    const { sessionId, state, totals } = view;
    return {
        sessionId,
        tasks: [...state.tasks.values()].map((task) => {
            const { taskId: id, agent, attempt: attempts } = task;
            return { id, agent, status: (0,session_state/* endOf */.pJ)(task), attempts, message: saidOf(task) };
        }),
        interactions: [...state.interactions.values()].map(({ request, response, closed }) => ({
            id: request.shortId,
            kind: request.kind,
            title: request.display.title,
            details: (0,question_text/* detailLines */.ZN)(request),
            status: response ? "answered" : closed ? closed.why : "open",
            answer: response?.selectedOptionId ?? response?.inputValue ?? "",
            comment: response?.comment ?? "",
            by: response?.authorActorId ?? "",
        })),
        calls: countCalls(view),
        usage: totals.usage,
        costUsd: totals.unpriced ? null : totals.costUsd,
    };
}
/** What its agent said of a task, or why it failed. What was reported of another task says nothing of this one. */
function saidOf({ taskId, status, summary, failures, blocker }) {
    const own = summary?.task_id === taskId ? summary : undefined;
    if (status === "failed")
        return own?.blockers?.at(-1) ?? blocker ?? failures.at(-1) ?? "";
    return own?.summary ?? "";
}
/** The report as Markdown: nothing in it is a model's markup. */
function reportMarkdown(report) {
    const { sessionId, tasks, interactions, calls, usage, costUsd } = report;
    const sections = [
        `# ${escapeInline(sessionId)}`,
        `${(0,figures/* formatTokens */._y)(usage)}, ${(0,figures/* formatCost */.BD)(costUsd)}`,
        table("Tasks", ["task", "state", "agent", "attempts", "summary"], tasks.map((task) => [
            codeSpan(task.id),
            task.status,
            codeSpan(task.agent),
            String(task.attempts),
            firstLine(task.message),
        ])),
        table("Questions", ["id", "question", "state", "answer", "by"], interactions.map((one) => [
            one.id,
            `${escapeInline(one.title)}${shownDetails(one.title, one.details)}`,
            one.status,
            firstLine(one.comment === "" ? one.answer : `${one.answer}: ${one.comment}`),
            escapeInline(one.by),
        ])),
        table("Calls", ["tool", "calls", "failed"], calls.map((one) => [codeSpan(one.tool), String(one.calls), String(one.failed)])),
    ];
    return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}
function countCalls({ state, conversations }) {
    const counts = new Map();
    for (const { conversationId, messages } of conversations.values()) {
        for (const call of messages.flatMap(message/* toolCallsOf */.V)) {
            const count = counts.get(call.name) ?? { calls: 0, failed: 0 };
            const outcome = state.calls.get((0,session_state/* callKey */.C_)(conversationId, call.id))?.outcome;
            counts.set(call.name, {
                calls: count.calls + 1,
                failed: count.failed + (outcome === undefined || outcome === "done" ? 0 : 1),
            });
        }
    }
    return [...counts]
        .map(([tool, count]) => ({ tool, ...count }))
        .sort((one, other) => other.calls - one.calls);
}
/** The first line of what was shown, unless the title says it, and how much more there was. */
function shownDetails(title, [first, ...more]) {
    if (first === undefined)
        return "";
    const shown = title.includes(first) ? "" : ` ${codeSpan(first.slice(0, 200).toWellFormed())}`;
    const left = more.length === 1 ? "1 more line" : `${more.length} more lines`;
    return more.length === 0 ? shown : `${shown} and ${left}`;
}
function table(title, head, rows) {
    if (rows.length === 0)
        return "";
    const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`);
    return `## ${title}\n\n${lines.join("\n")}`;
}
function cell(text) {
    return text.replace(/(?<!\\)\|/g, "\\|");
}
function firstLine(text) {
    return escapeInline(text.split("\n")[0] ?? "", 200);
}

// EXTERNAL MODULE: ./build/session/session-view.js
var session_view = __webpack_require__(9300);
// EXTERNAL MODULE: ./build/entrypoints/cli/resolve-place.js
var resolve_place = __webpack_require__(8700);
;// CONCATENATED MODULE: ./build/entrypoints/cli/report.js
// `report <session-id>`: a session told whole, as Markdown or JSON.




/** Throws LoopliaError `config-invalid` when there is no such session. */
async function reportCommand(line, surface, wiring) {
    const { topic } = line;
    const hint = "`looplia status` lists the sessions";
    if (topic === undefined)
        throw new errors/* LoopliaError */.$K("config-invalid", "`report` needs the id of a session.", { hint });
    const found = await (0,resolve_place/* findPlace */.Pj)(surface, line.folder, line.overrides);
    (0,resolve_place/* reportPlace */.YM)(surface, { ...found, notices: [] });
    const { stateFolder, settings } = found.place;
    const stored = await wiring.readStores(stateFolder, settings.stateKey)(topic);
    if (!stored)
        throw new errors/* LoopliaError */.$K("config-invalid", `There is no session ${topic} in ${stateFolder}.`, { hint });
    const report = reportOf((0,session_view/* viewSession */.WY)(topic, stored));
    surface.stdout.write(line.isJson ? `${JSON.stringify(report, null, 2)}\n` : reportMarkdown(report));
    return 0;
}


/***/ })

};
;
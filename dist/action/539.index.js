export const id = 539;
export const ids = [539];
export const modules = {

/***/ 47539:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   reportMarkdown: () => (/* binding */ reportMarkdown),
/* harmony export */   reportOf: () => (/* binding */ reportOf)
/* harmony export */ });
/* harmony import */ var _session_message_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(11684);
/* harmony import */ var _session_question_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(79283);
/* harmony import */ var _session_state_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(94878);
/* harmony import */ var _figures_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(25033);
/* harmony import */ var _markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(11379);





/** What the stores of a session say. */
function reportOf(view) {
    const { sessionId, state, totals } = view;
    return {
        sessionId,
        tasks: [...state.tasks.values()].map((task) => {
            const { taskId: id, agent, attempt: attempts } = task;
            return { id, agent, status: (0,_session_state_js__WEBPACK_IMPORTED_MODULE_2__/* .endOf */ .pJ)(task), attempts, message: saidOf(task) };
        }),
        interactions: [...state.interactions.values()].map(({ request, response, closed }) => ({
            id: request.shortId,
            kind: request.kind,
            title: request.display.title,
            details: (0,_session_question_text_js__WEBPACK_IMPORTED_MODULE_0__/* .detailLines */ .ZN)(request),
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
        `# ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(sessionId)}`,
        `${(0,_figures_js__WEBPACK_IMPORTED_MODULE_3__/* .formatTokens */ ._y)(usage)}, ${(0,_figures_js__WEBPACK_IMPORTED_MODULE_3__/* .formatCost */ .BD)(costUsd)}`,
        table("Tasks", ["task", "state", "agent", "attempts", "summary"], tasks.map((task) => [
            (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(task.id),
            task.status,
            (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(task.agent),
            String(task.attempts),
            firstLine(task.message),
        ])),
        table("Questions", ["id", "question", "state", "answer", "by"], interactions.map((one) => [
            one.id,
            `${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(one.title)}${shownDetails(one.title, one.details)}`,
            one.status,
            firstLine(one.comment === "" ? one.answer : `${one.answer}: ${one.comment}`),
            (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(one.by),
        ])),
        table("Calls", ["tool", "calls", "failed"], calls.map((one) => [(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(one.tool), String(one.calls), String(one.failed)])),
    ];
    return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}
function countCalls({ state, conversations }) {
    const counts = new Map();
    for (const { conversationId, messages } of conversations.values()) {
        for (const call of messages.flatMap(_session_message_js__WEBPACK_IMPORTED_MODULE_4__/* .toolCallsOf */ .V)) {
            const count = counts.get(call.name) ?? { calls: 0, failed: 0 };
            const outcome = state.calls.get((0,_session_state_js__WEBPACK_IMPORTED_MODULE_2__/* .callKey */ .C_)(conversationId, call.id))?.outcome;
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
    const shown = title.includes(first) ? "" : ` ${(0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(first.slice(0, 200).toWellFormed())}`;
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
    return (0,_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeInline */ .VV)(text.split("\n")[0] ?? "", 200);
}


/***/ })

};

"use strict";
exports.id = 172;
exports.ids = [172];
exports.modules = {

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


/***/ }),

/***/ 7172:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  LiveProgress: () => (/* binding */ LiveProgress)
});

// EXTERNAL MODULE: ./node_modules/log-update/index.js + 11 modules
var log_update = __webpack_require__(4833);
// EXTERNAL MODULE: ./build/entrypoints/cli/fit-line.js
var fit_line = __webpack_require__(643);
// EXTERNAL MODULE: ./build/entrypoints/cli/progress-lines.js
var progress_lines = __webpack_require__(9373);
// EXTERNAL MODULE: ./build/entrypoints/cli/progress-state.js
var progress_state = __webpack_require__(4543);
// EXTERNAL MODULE: ./build/publish/figures.js
var figures = __webpack_require__(8850);
// EXTERNAL MODULE: ./build/entrypoints/cli/texts.js
var texts = __webpack_require__(9338);
;// CONCATENATED MODULE: ./build/entrypoints/cli/progress-view.js




const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const MOST_COLUMNS = 100;
const LEAST_BOX = 30;
const SHOWN_CALLS = 6;
/** The whole picture: a box for each session, of several only for those at work, then one line of totals. */
function drawProgress(state, look) {
    const sessions = [...state.sessions.values()];
    const isBoxed = (session) => sessions.length === 1 || stateOf(session) === "started";
    const boxes = [
        ...sessions.filter((session) => !isBoxed(session)).map((session) => drawLine(session, look)),
        ...sessions.filter(isBoxed).flatMap((session) => drawSession(session, look)),
    ];
    return [...boxes, (0,fit_line/* fitLine */.ax)(totals(state, look), Math.min(look.width, MOST_COLUMNS))];
}
function drawSession(session, look) {
    const width = Math.min(look.width, MOST_COLUMNS);
    const inner = width >= LEAST_BOX ? width - 4 : width;
    const lines = sessionLines(session, look, inner);
    if (width < LEAST_BOX)
        return lines.map((line) => (0,fit_line/* fitLine */.ax)(line, width));
    const { dim } = look.colors;
    const title = (0,fit_line/* fitLine */.ax)([{ text: (0,texts/* titleOf */.Gg)(session.pipeline) }], width - 6);
    const rule = "─".repeat(Math.max(0, width - 5 - (0,fit_line/* widthOf */.qz)(title)));
    return [
        `${dim("┌─")} ${look.colors.bold(title)} ${dim(`${rule}┐`)}`,
        ...lines.map((line) => `${dim("│")} ${(0,fit_line/* fitLine */.ax)(line, inner, true)} ${dim("│")}`),
        dim(`└${"─".repeat(width - 2)}┘`),
    ];
}
/** A session that is not at work, on one line. */
function drawLine(session, look) {
    const done = session.steps.filter((step) => step.state === "completed" || step.state === "skipped").length;
    const segments = [
        mark(stateOf(session), look),
        { text: ` ${session.source}` },
        { text: `  ${done} of ${session.steps.length}`, style: look.colors.dim },
    ];
    return (0,fit_line/* fitLine */.ax)(segments, Math.min(look.width, MOST_COLUMNS));
}
/** The state of the step that matters most. */
function stateOf(session) {
    const states = new Set(session.steps.map((step) => step.state));
    const order = ["started", "failed", "waiting", "stopped", "pending"];
    return order.find((state) => states.has(state)) ?? "completed";
}
function sessionLines(session, look, width) {
    const { dim, yellow } = look.colors;
    const nameWidth = Math.max(0, ...session.steps.map((step) => (0,fit_line/* widthOf */.qz)(step.output)));
    const lines = [
        [{ text: session.source }],
        [{ text: session.sessionId, style: dim }],
        [],
        ...(0,progress_state/* looseActivities */.wr)(session)
            .slice(-SHOWN_CALLS)
            .flatMap((call) => callLines(call, look, width)),
    ];
    for (const step of session.steps) {
        lines.push(stepLine(step, nameWidth, look));
        if (step.state === "failed" && step.reason) {
            lines.push(...(0,fit_line/* wrapText */.C1)(step.reason, width - 4).map((text) => [{ text: `    ${text}`, style: look.colors.red }]));
        }
        lines.push(...stepCalls(session, step, look, width));
    }
    for (const question of session.questions) {
        lines.push([{ text: "? ", style: yellow }, { text: `${question.title} (${question.shortId})` }]);
    }
    const saying = session.saying.replace(/\s+/g, " ").trim();
    if (saying)
        lines.push([{ text: "  " }, { text: lastColumns(saying, width - 2), style: dim }]);
    return lines;
}
function stepLine(step, nameWidth, look) {
    const { dim } = look.colors;
    const segments = [mark(step.state, look), { text: ` ${(0,fit_line/* padText */.F2)(step.output, nameWidth)}` }];
    if (step.startedAt !== undefined) {
        const spent = (step.endedAt ?? look.now) - step.startedAt;
        segments.push({ text: `  ${(0,figures/* formatDuration */.a3)(spent).padStart(6)}`, style: dim });
        segments.push({ text: `  ${step.agent}`, style: dim });
    }
    const isReasonShown = step.state === "skipped" || step.state === "pending" || step.state === "waiting";
    if (isReasonShown && step.reason)
        segments.push({ text: `  ${step.reason}`, style: dim });
    return segments;
}
/** A running or failed step shows its calls, a completed one only what was refused on the way. */
function stepCalls(session, step, look, width) {
    const calls = (0,progress_state/* activitiesBelow */.Ni)(session, step);
    if (step.state === "completed") {
        return calls.filter((call) => call.state === "refused").flatMap((call) => callLines(call, look, width));
    }
    const shown = calls.slice(-SHOWN_CALLS);
    const hidden = calls.length - shown.length;
    const more = hidden ? [[{ text: `    … ${hidden} earlier`, style: look.colors.dim }]] : [];
    return [...more, ...shown.flatMap((call) => callLines(call, look, width))];
}
function callLines(call, look, width) {
    const { dim, yellow } = look.colors;
    const spent = call.durationMs === undefined ? "" : ` (${(0,figures/* formatDuration */.a3)(call.durationMs)})`;
    const style = call.state === "refused" ? yellow : dim;
    const lines = [
        [
            { text: "    " },
            mark(call.state, look),
            { text: ` ${call.label}`, style },
            { text: spent, style: dim },
        ],
    ];
    if (call.state !== "refused")
        return lines;
    for (const problem of call.problems)
        lines.push(...hanging("      • ", problem, width));
    if (call.hint)
        lines.push(...hanging("      Hint: ", call.hint, width));
    return lines;
}
/** A long text below its own beginning, at most three lines of it. */
function hanging(lead, text, width) {
    const lines = (0,fit_line/* wrapText */.C1)(text, Math.max(8, width - (0,fit_line/* widthOf */.qz)(lead)));
    const shown = lines.slice(0, 3);
    if (lines.length > 3)
        shown[2] = `${shown[2]}…`;
    return shown.map((line, index) => [{ text: (index === 0 ? lead : " ".repeat((0,fit_line/* widthOf */.qz)(lead))) + line }]);
}
function mark(state, look) {
    const { green, red, yellow, cyan, dim } = look.colors;
    switch (state) {
        case "completed":
        case "done":
            return { text: "✓", style: green };
        case "failed":
            return { text: "✗", style: red };
        case "refused":
            return { text: "⚠", style: yellow };
        case "waiting":
            return { text: "?", style: yellow };
        case "stopped":
            return { text: "■", style: yellow };
        case "skipped":
            return { text: "–", style: dim };
        case "pending":
            return { text: "○", style: dim };
        default:
            return { text: SPINNER[look.frame % SPINNER.length] ?? "·", style: cyan };
    }
}
function totals(state, look) {
    const parts = [(0,figures/* formatDuration */.a3)(look.now - state.startedAt)];
    if (!(0,figures/* isFree */.xp)(state.usage)) {
        parts.push((0,figures/* formatTokens */._y)(state.usage), (0,figures/* formatCost */.BD)(state.isUnpriced ? null : state.costUsd));
    }
    return [{ text: parts.join(" · "), style: look.colors.dim }];
}
function lastColumns(text, width) {
    let shown = text;
    while ((0,fit_line/* widthOf */.qz)(shown) > width)
        shown = shown.slice(Math.max(1, Math.floor(((0,fit_line/* widthOf */.qz)(shown) - width) / 2)));
    return shown;
}

;// CONCATENATED MODULE: ./build/entrypoints/cli/progress-live.js
// The picture of a run that changes in place.





const FRAME_MS = 80;
/** Redrawn at each event and while nothing happens; lasting lines are printed above the picture. */
class LiveProgress {
    screen;
    #options;
    #picture;
    #timer;
    #state;
    #frame = 0;
    #lineCount = 0;
    #isPaused = false;
    #waiting = [];
    constructor(options) {
        this.#options = options;
        this.#picture = (0,log_update/* createLogUpdate */.SY)(options.stream);
        this.#state = (0,progress_state/* beginProgress */.$n)(options.elapsed());
        this.screen = {
            pause: () => this.#pause(),
            resume: () => this.#resume(),
            print: (text) => this.#print(text),
        };
        this.#timer = setInterval(() => {
            this.#frame += 1;
            this.#draw();
        }, FRAME_MS);
        this.#timer.unref();
    }
    observe = (event) => {
        (0,progress_state/* applyProgress */.kl)(this.#state, event, this.#options.elapsed());
        if (event.type === "notice")
            this.#print(this.#paintNotice(event));
        else if (event.type !== "text")
            this.#draw();
    };
    end() {
        clearInterval(this.#timer);
        (0,progress_state/* endProgress */.Bw)(this.#state, this.#options.elapsed());
        this.#resume();
        this.#picture.done();
    }
    #draw() {
        if (this.#isPaused || this.#state.sessions.size === 0)
            return;
        const { stream, colors, elapsed } = this.#options;
        const look = { width: stream.columns ?? 80, colors, frame: this.#frame, now: elapsed() };
        const lines = drawProgress(this.#state, look);
        // log-update 7.2 leaves stale lines behind when the number of lines changes above lines that stay.
        if (lines.length !== this.#lineCount)
            this.#picture.clear();
        this.#lineCount = lines.length;
        this.#picture(lines.join("\n"));
    }
    #pause() {
        this.#picture.clear();
        this.#isPaused = true;
    }
    #resume() {
        this.#isPaused = false;
        for (const text of this.#waiting.splice(0))
            this.#print(text);
        this.#draw();
    }
    #print(text) {
        if (this.#isPaused) {
            this.#waiting.push(text);
            return;
        }
        this.#picture.clear();
        this.#options.stream.write(`${(0,fit_line/* wrapLines */.MT)(text, this.#options.stream.columns ?? 80)}\n`);
        this.#draw();
    }
    #paintNotice(event) {
        const { red, yellow, dim } = this.#options.colors;
        const paint = event.level === "error" ? red : event.level === "warning" ? yellow : dim;
        return paint((0,progress_lines/* noticeLine */.J)(event));
    }
}


/***/ })

};
;
export const id = 870;
export const ids = [870];
export const modules = {

/***/ 37870:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  OFFLINE_MODEL: () => (/* binding */ OFFLINE_MODEL),
  OFFLINE_NOTICE: () => (/* binding */ OFFLINE_NOTICE),
  createOfflineModel: () => (/* binding */ createOfflineModel)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js
var schemas = __webpack_require__(55156);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/conversation.js
var conversation = __webpack_require__(62068);
// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
// EXTERNAL MODULE: ./build/session/message.js
var message = __webpack_require__(11684);
;// CONCATENATED MODULE: ./build/adapters/offline/article.js

/** An expected refusal; `reason` goes on from "Cannot rehearse: ". */
function cannotRehearse(reason) {
    return new errors/* LoopliaError */.$K("invalid-artifact", reason);
}
/** `readArticle` that knows the last file again: a step asks for it each turn. */
function createArticleReader() {
    let last;
    return (file) => {
        if (last?.file !== file)
            last = { file, article: readArticle(file) };
        return last.article;
    };
}
/** Reads a content item. Fails with `invalid-artifact` where there is nothing that a rehearsal can work with. */
async function readArticle(file) {
    const { default: nlp } = await __webpack_require__.e(/* import() */ 620).then(__webpack_require__.bind(__webpack_require__, 25620));
    const [front = ""] = /^\uFEFF?(---[ \t]*\r?\n([\s\S]*?\n)??---[ \t]*(\r?\n|$))?/.exec(file) ?? [];
    const blocks = await readBlocks(file.slice(front.length));
    if (blocks.some(({ text }) => TOO_LONG.test(text)))
        throw cannotRehearse("a paragraph of it is too long.");
    const [raw, plain] = [collapse(file), blocks.map((block) => block.text).join(" ")];
    const [letters = 0, latin = 0] = [/\p{L}/gu, /\p{Script=Latin}/gu].map((kind) => plain.match(kind)?.length);
    if (latin * 2 < letters)
        throw cannotRehearse("the source is in another script; it reads English only.");
    const phrases = findPhrases(nlp(blocks.map((block) => block.text).join("\n\n")), raw, plain);
    const units = blocks.flatMap(({ text, isHeading }) => {
        const sentences = isHeading ? [] : nlp.tokenize(text).out("array");
        // Where the sentences are not the block's very words, the block stays in one piece.
        return (sentences.join(" ") === text ? sentences : [text]).map((piece) => {
            const kind = isHeading ? "heading" : SENTENCE.test(piece) ? "sentence" : "line";
            const named = phrases.slice(0, 20).filter((phrase) => piece.includes(phrase)).length;
            return { text: piece, kind, isRaw: raw.includes(piece), score: named / (200 + piece.length) };
        });
    });
    if (!units.some((unit) => unit.kind === "sentence"))
        throw cannotRehearse("the source has no sentence.");
    if (phrases.length < 3)
        throw cannotRehearse(`too short for keyThemes: ${phrases.length} of 3 nouns.`);
    const sections = [{ units: [] }];
    for (const unit of units) {
        if (unit.kind === "heading")
            sections.push({ heading: unit.text, units: [] });
        else
            sections.at(-1)?.units.push(unit);
    }
    const told = (name) => new RegExp(`^${name}: *(["']?)(\\p{L}.*?)\\1\\s*$`, "mu").exec(front)?.[2];
    return {
        ...{ raw, plain, units, phrases, sections: sections.filter((section) => section.units.length > 0) },
        title: collapse(told("title") ?? units.find((unit) => unit.kind === "heading")?.text ?? ""),
        category: told("category"),
        voices: blocks.flatMap((block) => findVoices(block.text, raw)),
    };
}
const TOO_LONG = /[^.!?]{5000}|.{40000}/;
const SENTENCE = /^(?=.*\p{L})(\S+ ){3}.*[.!?…]["”’»)\]]*$/u;
function collapse(text) {
    return text.replace(/\s+/g, " ").trim();
}
/** Headings, paragraphs and items of lists without markup; code, tables and HTML are left out. */
async function readBlocks(markdown) {
    const { lexer, walkTokens } = await __webpack_require__.e(/* import() */ 22).then(__webpack_require__.bind(__webpack_require__, 48022));
    const blocks = [];
    walkTokens(lexer(markdown), (token) => {
        if (!/^(heading|paragraph|text)$/.test(token.type) || !("tokens" in token) || !token.tokens)
            return;
        let text = "";
        walkTokens(token.tokens, (leaf) => {
            if (leaf.type === "br")
                text += " ";
            else if (/^(text|escape|codespan)$/.test(leaf.type) && "text" in leaf)
                text += leaf.text;
        });
        const isHeading = token.type === "heading";
        if (/[\p{L}\p{N}]/u.test(text))
            blocks.push({ text: collapse(text), isHeading });
    });
    return blocks;
}
const NOUN = "(#Noun && !#Pronoun && !#Date && !#Unit && !#Possessive && !#Url)";
/** Names, nouns and pairs by how often they stand there; those that share a word with a better one come last. */
function findPhrases(tagged, raw, plain) {
    const patterns = ["#ProperNoun #ProperNoun+", `(#Adjective|#Noun) ${NOUN}`, NOUN];
    const hits = patterns.flatMap((one) => tagged.match(one).out("topk"));
    const candidates = hits
        .filter(({ normal }) => /^\p{L}[\p{L}'’ -]{1,60}\p{L}$/u.test(normal))
        .map(({ normal, count }) => {
        const keys = normal.split(" ").map((word) => word.replace(/(?<=\w{3})s$/, ""));
        return { normal, keys, weight: count * (count > 1 ? keys.length ** 2 : 1) };
    })
        .sort((a, b) => b.weight - a.weight);
    const ranked = [];
    // Looking one up takes longest: only as many as count.
    for (const { normal, keys } of candidates) {
        if (ranked.length === 200)
            break;
        const [text] = new RegExp(`(?<!\\p{L})${normal}(?!\\p{L})`, "iu").exec(plain) ?? [];
        if (text !== undefined && raw.includes(text))
            ranked.push({ text, keys });
    }
    const isFresh = ({ keys }, at) => !ranked.slice(0, at).some((better) => better.keys.some((key) => keys.includes(key)));
    return [...new Set([...ranked.filter(isFresh), ...ranked].map((phrase) => phrase.text))];
}
const QUOTED = /(?<=^|[\s(—–])["“«](?=\S)([^"“”«»]{12,400})(?<=\S)["”»](?=$|[\s.,;:!?)—–])/gu;
const SPEECH = /\b(says?|said|adds?|added|asks?|asked|recall(s|ed)|writes?|wrote|explain(s|ed)|told)\b/i;
/** What stands between quotation marks word for word, with what beside it says who speaks. */
function findVoices(block, raw) {
    return [...block.matchAll(QUOTED)].flatMap(({ 0: whole, 1: words = "", index: at }) => {
        const text = words.replace(/[,;]$/, "");
        if (text.split(" ").length < 4 || !raw.includes(text))
            return [];
        const after = /^[\s,;:—–]*([^.!?"“”«»]*)/u.exec(block.slice(at + whole.length).slice(0, 400))?.[1];
        const before = /([^.!?"“”«»]*?)[\s,;:—–]*$/u.exec(block.slice(Math.max(0, at - 400), at))?.[1];
        const context = [after, before].find((piece) => piece && SPEECH.test(piece))?.trim();
        return [context && raw.includes(context) ? { text, context } : { text }];
    });
}

;// CONCATENATED MODULE: ./build/adapters/offline/artifacts.js
// The four artifacts by extraction: each text is a verbatim piece, a counted fact, or one in a fixed frame.

/** By artifact file. Each fails with `invalid-artifact` where the article is too poor for the schema. */
const BUILDERS = new Map([
    ["summary.json", buildSummary],
    ["ideas.json", buildIdeas],
    ["outline.json", buildOutline],
    // The program puts the kit together from the artifacts before it.
    ["writing-kit.json", ({ contentId }) => ({ contentId })],
]);
const GOOD = /\b(better|best|good|great|gain\w*|improv\w+|succe(ss|ed)\w*|won|lov\w+|happy|hope\w*|joy)\b/g;
const BAD = /\b(bad|worse|worst|fail\w*|los[st]|trouble|problem\w*|fear\w*|angry|harm\w*|hurt|sad|awful)\b/g;
const HOOKS = [
    ["statistic", /\d/],
    ["story", /["“][^"“”]{10,}["”]/u],
    ["curiosity", /\?["”)]*$/u],
    ["controversy", /\b(but|however|yet|although|despite|instead|whereas|unlike|rather|nobody)\b/i],
    ["emotional", new RegExp(`${GOOD.source}|${BAD.source}`)],
];
function buildSummary({ article, contentId }) {
    const { units, voices, phrases, sections, plain, title } = article;
    const [opening = [], closing = []] = [sections.at(0)?.units, sections.at(-1)?.units];
    const tldr = cut(passage(article, "tldr", units, 20, 60), 500);
    const [good = 0, bad = 0] = [GOOD, BAD].map((cues) => plain.match(cues)?.length);
    const sentences = units.filter((unit) => unit.kind === "sentence").length;
    const shape = `sections: ${sections.length}, sentences: ${sentences}, words: ${wordsIn(units)}`;
    const coreIdeas = phrases.slice(0, 5).map((concept) => {
        const about = units.filter((unit) => unit.text.includes(concept));
        return { concept, explanation: passage(article, "coreIdeas", about, 10, 10) };
    });
    return {
        contentId,
        headline: cut(lengthOf(title) >= 10 ? title : tldr, 200),
        tldr,
        bullets: pointsOf(units, 5),
        tags: phrases.slice(0, 8),
        sentiment: good > bad ? "positive" : good < bad ? "negative" : "neutral",
        category: article.category ?? phrases[0],
        score: { relevanceToUser: 0.5 },
        overview: passage(article, "overview", opening, 50, 160),
        keyThemes: phrases.slice(0, 6),
        detailedAnalysis: passage(article, "detailedAnalysis", units, 100, 400),
        narrativeFlow: `Counted here: ${shape}, quoted voices: ${voices.length}`,
        coreIdeas,
        importantQuotes: voices.slice(0, 8),
        context: passage(article, "context", closing, 20, 60),
        relatedConcepts: phrases.slice(6, 14),
    };
}
/** At most one of each type, by a cue that stands in it. */
function findHooks({ units }) {
    const lines = ranked(units).map((unit) => cut(unit.text, 200));
    const unused = new Set(lines.filter((text) => lengthOf(text) >= 10));
    const hooks = HOOKS.flatMap(([type, cue]) => {
        const text = [...unused].find((line) => cue.test(line));
        return text !== undefined && unused.delete(text) ? [{ text, type }] : [];
    });
    if (hooks.length > 0)
        return hooks;
    throw cannotRehearse("no hooks: the source has no number, voice, question, contrast or feeling word.");
}
function buildIdeas({ article, contentId, firstHook }) {
    const { units, phrases, sections } = article;
    const hooks = findHooks(article);
    const asked = ranked(units).filter(({ text }) => text.endsWith("?") && lengthOf(text) >= 10);
    return {
        contentId,
        hooks: [...hooks.splice(firstHook, 1), ...hooks],
        angles: sections.slice(0, 5).map(({ heading = "", units: part }) => ({
            title: lengthOf(heading) > 2 ? cut(heading, 100) : phrases[0],
            description: passage(article, "angles", part, 10, 10),
            relevanceScore: Math.round((100 * wordsIn(part)) / wordsIn(units)) / 100,
        })),
        questions: [
            ...asked.slice(0, 2).map(({ text }) => ({ question: text, type: "analytical" })),
            { question: `What explains the role of ${phrases[0]}?`, type: "analytical" },
            { question: `What makes ${phrases[1]} work in practice?`, type: "practical" },
            { question: `What would be lost without ${phrases[2]}?`, type: "philosophical" },
        ],
    };
}
function buildOutline({ article: { sections, title } }) {
    const opening = sections.some((section) => section.heading === title) ? "" : title;
    return sections.map(({ heading = opening || "Part 1", units }) => {
        const [notes] = ranked(units);
        const keyPoints = pointsOf(units.length > 1 ? units.filter((unit) => unit !== notes) : units, 4);
        return { heading, notes: notes?.text, keyPoints, estimatedWords: wordsIn(units) };
    });
}
/** What stands in the file just so first, then whole sentences, then what says most. */
function ranked(units) {
    const weight = (unit) => unit.score + (unit.isRaw ? 1000 : 0) + (unit.kind === "sentence" ? 100 : 0);
    return units.toSorted((a, b) => weight(b) - weight(a));
}
/** The best few in the order of the article. */
function pointsOf(units, few) {
    const best = ranked(units.filter((unit) => unit.kind !== "heading")).slice(0, few);
    return units.filter((unit) => best.includes(unit)).map((unit) => unit.text);
}
/** Neighbouring units as one piece: of `part` if it has `aim` characters, else of the whole, at least `min`. */
function passage(article, field, part, min, aim) {
    const [found] = [windowsOf(article, part, aim), windowsOf(article, article.units, min)].flatMap(ranked);
    if (found)
        return found.text;
    const has = `${lengthOf(article.plain)} of the ${min} characters that it needs`;
    throw cannotRehearse(`too short for ${field}: the source has ${has}.`);
}
/** From each unit on the shortest run that has `length` characters, as one unit. */
function windowsOf({ raw }, units, length) {
    return units.flatMap((first, start) => {
        let { text, kind, score } = first;
        for (const next of units.slice(start + 1)) {
            if (lengthOf(text) >= length)
                break;
            text += ` ${next.text}`;
            if (next.kind !== "sentence")
                kind = "line";
            score = (score + next.score) / 2;
        }
        return lengthOf(text) < length ? [] : [{ text, kind, isRaw: raw.includes(text), score }];
    });
}
/** At most `max` UTF-16 units, ending at a word where one ends. */
function cut(text, max, mark = "") {
    if (text.length <= max)
        return text;
    const end = text.lastIndexOf(" ", max - mark.length);
    return text.slice(0, end > max / 2 ? end : max - mark.length).replace(/[\uD800-\uDBFF]$/, "") + mark;
}
/** In code points, as JSON Schema counts. */
const lengthOf = (text) => [...text].length;
function wordsIn(units) {
    const text = units.map((unit) => unit.text).join(" ");
    const segments = [...new Intl.Segmenter("en", { granularity: "word" }).segment(text)];
    return segments.filter((segment) => segment.isWordLike).length;
}

;// CONCATENATED MODULE: ./build/adapters/offline/runbook.js
// Runbooks: a to-do task whose steps are commands, questions and notes is done without a language model. Each turn is
// derived from the conversation, so an interrupted one goes on; what may have run is run again only where a person says so.



const step = schemas.discriminatedUnion("kind", [
    schemas.object({ kind: schemas.literal("command"), command: schemas.string() }),
    schemas.object({
        kind: schemas.literal("question"),
        name: schemas.string(),
        question: schemas.string(),
        options: schemas.array(schemas.string()).optional(),
        regex: schemas.string().optional(),
    }),
    schemas.object({ kind: schemas.literal("note"), text: schemas.string() }),
]);
const factsBlock = schemas.object({ task: schemas.object({ id: schemas.string() }), runbook: schemas.array(step) });
/** Longer commands belong into the background of somebody's own making. */
const COMMAND_SECONDS = 600;
const TAIL_LINES = 5;
/** What `reportSummary` takes, and how much of it one line may be. */
const MAX_SUMMARY = 10_000;
const MAX_BLOCKER = 1_000;
const MAX_LINE = 500;
/** What `askUser` takes. */
const MAX_QUESTION = 4_000;
/** The runbook of the message that starts a task, if it has one: one line between fences, which a text in it can't close. */
function readRunbookTask(opening) {
    const [, text = ""] = /^```json\n([^\n]*)\n```$/m.exec(opening) ?? [];
    try {
        return factsBlock.safeParse(JSON.parse(text)).data;
    }
    catch {
        return undefined;
    }
}
/** The next command or question, or the summary: done, blocked by the first that failed, or skipped. */
function nextStep({ task, runbook }, messages) {
    const acts = runbook.filter((one) => one.kind !== "note");
    if (acts.length === 0) {
        return report(task.id, "skipped", "Its steps hold no command, so it takes a language model or a person.", []);
    }
    const { acted, open } = judgeActs(settledActs(messages));
    const act = acts[acted.length];
    if (open && act?.kind === "command")
        return open === "again" ? perform(act) : askAbout(act.command);
    const said = shorten(linesOf(runbook, acted).map((line) => cut(line, MAX_LINE, "…")));
    const failed = acted.find(hasFailed);
    if (failed)
        return report(task.id, "blocked", said, [reasonOf(failed, acts[acted.indexOf(failed)])]);
    return act ? perform(act) : report(task.id, "done", said, []);
}
/**
 * What became of each act so far. A command that ended with its run is `open`: a person says whether it is done, and one
 * that is run again takes the place of the first.
 */
function judgeActs(settled) {
    const acted = [];
    for (let at = 0; at < settled.length; at += 1) {
        const act = settled[at];
        if (!act)
            break;
        if (!INTERRUPTED.test(act.reply)) {
            acted.push(act);
            continue;
        }
        at += 1;
        const word = settled[at];
        if (!word)
            return { acted, open: "unasked" };
        const [, chosen] = /^The person chose (again|done)\b/.exec(word.reply) ?? [];
        if (chosen === "again" && at === settled.length - 1)
            return { acted, open: "again" };
        if (chosen === "done")
            acted.push({ reply: "Interrupted with its run; a person says that it is done.", isError: false });
        else if (chosen !== "again")
            acted.push({ ...act, isError: true });
    }
    return { acted };
}
/** As `runCommand` says it. */
const INTERRUPTED = /^Interrupted together with the run\./;
function askAbout(command) {
    const question = `This was interrupted when its run was stopped. What it had done by then stays. How shall it go on?\n\n$ ${command}`;
    const options = [
        { id: "again", label: "Run it again" },
        { id: "done", label: "It is done: go on with what comes after it" },
        { id: "stop", label: "Stop: the task is blocked" },
    ];
    return {
        text: question,
        calls: [
            {
                name: "askUser",
                input: { question: cut(question, MAX_QUESTION, "…"), purpose: "choose_strategy", options },
            },
        ],
    };
}
function perform(next) {
    if (next.kind === "command") {
        const input = { command: next.command, timeoutSeconds: COMMAND_SECONDS };
        return { text: `$ ${next.command}`, calls: [{ name: "runCommand", input }] };
    }
    const { question, options, regex } = next;
    const validation = options
        ? {}
        : { validation: { required: true, ...(regex === undefined ? {} : { regex }) } };
    const input = { question, purpose: "request_info", ...(options ? { options } : validation) };
    return { text: question, calls: [{ name: "askUser", input }] };
}
function report(id, status, summary, blockers) {
    const input = { task_id: id, status, summary, ...(blockers.length === 0 ? {} : { blockers }) };
    return { text: `${id}: ${status}`, calls: [{ name: "reportSummary", input }] };
}
/** Commands and questions that have their result, in order. */
function settledActs(messages) {
    const results = messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_result");
    return messages
        .flatMap(message/* toolCallsOf */.V)
        .filter(({ name }) => name === "runCommand" || name === "askUser")
        .flatMap(({ id }) => {
        const result = results.find((block) => block.tool_use_id === id);
        return result ? [{ reply: result.content, isError: result.is_error === true }] : [];
    });
}
/** Exit code 0, an answer, or a person's word that a command whose result was lost is done. */
const WENT_WELL = /^(?:Exit code 0\.|The person (?:chose|answered:)|A person looked: this call did run\.|Interrupted with its run; a person)/;
/** A refusal, any exit code but 0, a time-out, and a question that nobody could or would answer. */
function hasFailed({ reply, isError }) {
    return isError || !WENT_WELL.test(reply);
}
function reasonOf({ reply }, act) {
    const what = act?.kind === "command" ? `$ ${act.command}` : act?.kind === "question" ? act.question : "";
    return cut(`${cut(what, MAX_LINE, "…")}: ${firstLine(reply)}`, MAX_BLOCKER, "…");
}
/** What ran, with exit code and the end of its output; what was asked and answered; notes where they stand. */
function linesOf(runbook, acted) {
    let at = 0;
    return runbook.flatMap((one) => {
        if (one.kind === "note")
            return [`- ${one.text}`];
        const result = acted[at];
        at += 1;
        if (one.kind === "question") {
            return [`? ${one.question} ${result ? result.reply.replace(/\s+/g, " ") : "(not asked)"}`];
        }
        if (!result)
            return [`$ ${one.command} (not run)`];
        const [, ...output] = result.reply.trimEnd().split("\n");
        return [
            `$ ${one.command}`,
            `  ${firstLine(result.reply)}`,
            ...output.slice(-TAIL_LINES).map((line) => `  ${line}`),
        ];
    });
}
/** The lines as a text that a summary may be: of too many the last ones, where it ended. */
function shorten(lines) {
    const text = lines.join("\n");
    if (text.length <= MAX_SUMMARY)
        return text;
    const [mark, end] = ["[…]\n", text.slice(-(MAX_SUMMARY - MAX_LINE))];
    return mark + end.slice(end.indexOf("\n") + 1);
}
function firstLine(text) {
    return text.split("\n")[0] ?? "";
}

;// CONCATENATED MODULE: ./build/adapters/offline/model.js
// The offline provider reads the article through the same tools as any model and extracts, never invents. Each
// turn is derived from the conversation alone, so an interrupted one goes on.








const OFFLINE_MODEL = "offline-extractive";
/** Said in manifest, output and pull request title. */
const OFFLINE_NOTICE = "extractive rehearsal, no language model";
const outputs = schemas.array(schemas.object({ name: schemas.string(), artifact: schemas.string() }));
const requires = schemas.array(schemas.object({ path: schemas.string() }));
const ownAgent = schemas.string().nullish();
const stepBlock = schemas.object({ sessionFolder: schemas.string(), content: schemas.string(), outputs, requires, ownAgent });
const leadBlock = schemas.object({ steps: schemas.array(schemas.object({ agent: schemas.string(), outputs: schemas.array(schemas.string()) })) });
const CUT = /\n\[lines [^\n]*; go on with offset (\d+)\]$/;
/** `askInDemo`: before the ideas are written, a person chooses which hook comes first. */
function createOfflineModel({ askInDemo = false } = {}) {
    const readArticle = createArticleReader();
    return {
        provider: "offline",
        notice: OFFLINE_NOTICE,
        priceOf: () => 0,
        async respond(request, { signal, onText }) {
            signal.throwIfAborted();
            const { text, calls = [] } = await nextTurn(request, readArticle, askInDemo).catch(sayWhy);
            onText?.(text);
            const turn = `offline-${request.conversationId}-${request.messages.length}`.replace(/[^\w-]/g, "-");
            const uses = calls.map((call, at) => ({ type: "tool_use", id: `${turn}-${at}`, ...call }));
            const message = { role: "assistant", content: [{ type: "text", text }, ...uses] };
            const stopReason = uses.length > 0 ? "tool_use" : "end_turn";
            return { message, stopReason, usage: (0,conversation/* noUsage */.tk)(), model: OFFLINE_MODEL };
        },
    };
}
function sayWhy(error) {
    if (error instanceof RangeError)
        return { text: "Cannot rehearse: the source is nested too deeply." };
    if (error instanceof errors/* LoopliaError */.$K)
        return { text: `Cannot rehearse: ${error.message}` };
    throw error;
}
async function nextTurn(request, readArticle, askInDemo) {
    const [first, ...later] = request.messages;
    const runbook = first && readRunbookTask((0,message/* textOf */.b)(first));
    if (runbook)
        return nextStep(runbook, later);
    const settled = settledCalls(later);
    const blocks = (first ? (0,message/* textOf */.b)(first) : "").matchAll(/```json\s([\s\S]*?)```/g);
    const facts = [...blocks].map(([, text = ""]) => (0,json/* parseJson */.qF)(text));
    const lead = facts.flatMap((fact) => leadBlock.safeParse(fact).data ?? []).at(-1);
    if (lead)
        return nextTask(lead.steps, settled);
    const step = facts.flatMap((fact) => stepBlock.safeParse(fact).data ?? []).at(-1);
    if (!step)
        throw cannotRehearse("it knows the steps of the built-in pipeline only, and this is none.");
    if (step.ownAgent)
        throw cannotRehearse(`${step.ownAgent} has instructions of its own.`);
    const custom = step.outputs.find(({ artifact }) => !BUILDERS.has(artifact));
    if (custom)
        throw cannotRehearse(`it does not know how to make ${custom.artifact}; that takes a model.`);
    const paths = [step.content, ...step.requires.map(({ path }) => path)];
    const files = paths.map((path) => readSoFar(path, settled));
    const calls = files.flatMap((file) => file.calls);
    if (calls.length > 0)
        return { text: "Reading the source.", calls };
    const article = await readArticle(files[0]?.text ?? "");
    const canAsk = askInDemo && step.outputs.some(({ artifact }) => artifact === "ideas.json");
    const answer = settled.find((call) => call.name === "askUser")?.reply;
    if (canAsk && answer === undefined)
        return askForHook(findHooks(article));
    return nextArtifact(step, article, settled, answer);
}
function askForHook(hooks) {
    const options = hooks.map(({ text }, at) => ({ id: `hook-${at + 1}`, label: cut(text, 99, "…") }));
    const input = { question: "Which hook comes first?", kind: "Select", purpose: "choose_strategy", options };
    return { text: "Asking for a hook.", calls: [{ name: "askUser", input }] };
}
function nextArtifact(step, article, settled, answer = "") {
    const contentId = step.sessionFolder.split("/").at(-1) ?? "";
    const firstHook = Number(/\bhook-(\d+)/.exec(answer)?.[1] ?? 1) - 1;
    for (const { name, artifact } of step.outputs) {
        const sent = settled.filter((call) => call.name === "writeArtifact" && call.input.output === name);
        if (sent.some((call) => !call.isError))
            continue;
        const [refused, again] = sent.map((call) => call.reply);
        if (again !== undefined)
            throw cannotRehearse(`${artifact} was refused twice. ${again}`);
        const made = BUILDERS.get(artifact)?.({ article, contentId, firstHook }) ?? {};
        const input = { output: name, content: refused ? withoutRefused(made, refused) : made };
        return { text: `Writing ${artifact}.`, calls: [{ name: "writeArtifact", input }] };
    }
    return { text: `Done: ${OFFLINE_NOTICE}.` };
}
/** Without the items of lists that a refusal names, as in `importantQuotes[1].text`. */
function withoutRefused(content, refusal) {
    const keep = (name, value) => Array.isArray(value) ? value.filter((_, at) => !refusal.includes(`${name}[${at}]`)) : value;
    return JSON.parse(JSON.stringify(content, keep));
}
function nextTask(steps, settled) {
    const tasks = settled.filter((call) => call.name === "Task");
    for (const { isError, reply } of tasks)
        if (isError)
            throw cannotRehearse(reply);
    const [step] = steps.slice(tasks.length);
    if (!step)
        return { text: `Done: ${OFFLINE_NOTICE}.` };
    const prompt = `Make ${step.outputs.join(" and ")}.`;
    return { text: prompt, calls: [{ name: "Task", input: { agent: step.agent, prompt } }] };
}
/** What `readFile` has given of a file, and the call that reads on. */
function readSoFar(path, settled) {
    const pieces = settled.filter((call) => call.name === "readFile" && call.input.path === path);
    const last = pieces.at(-1);
    if (!last)
        return { text: "", calls: [{ name: "readFile", input: { path } }] };
    if (last.isError)
        throw cannotRehearse(last.reply);
    const text = pieces.map(({ reply }) => reply.replace(CUT, "")).join("");
    if (text.length > 200_000)
        throw cannotRehearse(`${path} is too long.`);
    const offset = Number(CUT.exec(last.reply)?.[1] ?? 0);
    const goesOn = offset > Number(last.input.offset ?? 1);
    return { text, calls: goesOn ? [{ name: "readFile", input: { path, offset } }] : [] };
}
/** A call whose outcome is unknown counts as not made. */
function settledCalls(messages) {
    const results = messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_result");
    return messages.flatMap(message/* toolCallsOf */.V).flatMap(({ id, name, input }) => {
        const result = results.find((block) => block.tool_use_id === id);
        const isError = result?.is_error === true;
        if (!result || (isError && result.content.includes("outcome is unknown")))
            return [];
        return [{ name, input: Object(input), reply: result.content, isError }];
    });
}


/***/ })

};

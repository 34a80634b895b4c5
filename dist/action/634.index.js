export const id = 634;
export const ids = [634];
export const modules = {

/***/ 21363:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ createAsking)
/* harmony export */ });
/** One for each session; the questions that it shares with the others are raised one at a time. */
function createAsking(people, { store, questions }, startedBy) {
    return {
        nextOrdinal: () => store.nextOrdinal(),
        open: questions,
        ttlHours: people.answerTtlHours,
        minApprovals: people.minApprovals,
        workingDirectory: people.workingDirectory,
        ...(startedBy === undefined ? {} : { startedBy }),
    };
}


/***/ }),

/***/ 54289:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  C: () => (/* binding */ Journal)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/conversation.js
var conversation = __webpack_require__(62068);
// EXTERNAL MODULE: ./build/session/fold-state.js
var fold_state = __webpack_require__(90680);
// EXTERNAL MODULE: ./build/session/redaction.js
var redaction = __webpack_require__(20134);
;// CONCATENATED MODULE: ./build/session/redact-line.js

/** Made by the program or by the API; another value would be looked up in vain. */
const KEYS = new Set([
    "interactionId shortId taskId conversationId toolCallId toolCallIds callId commentId authorActorId actorId",
    "agent outputs inputs frozen provider model response kind purpose fingerprint bindings isolation conflict",
    "selectedOptionId permission answeredAt expiresAt startedBy at decision outcome resultHash contentHash",
]
    .join(" ")
    .split(" "));
/**
 * The line as it may be stored. A model's own message is kept to the byte: its thinking is bound to what stands there
 * (PLATFORM, "thinking blocks"), and the model was told no secret, for all that it reads went through here.
 */
function redactLine(line, redact) {
    if (redact === redaction/* redactNothing */.xe)
        return line;
    if (line.type === "Message" && line.payload.message.role === "assistant")
        return line;
    const payload = Object.entries(line.payload).map(([key, value]) => [
        key,
        KEYS.has(key) ? value : (0,redaction/* redactValue */.FI)(value, redact),
    ]);
    return { ...line, payload: Object.fromEntries(payload) };
}

// EXTERNAL MODULE: ./build/session/state.js
var state = __webpack_require__(94878);
;// CONCATENATED MODULE: ./build/agent/journal.js
// One session's stores with what they fold to. The only writer of the three stores.






/** State, conversations and totals as of the last durable line. */
class Journal {
    sessionId;
    workId;
    state = (0,fold_state/* emptyState */.p$)();
    conversations = new Map();
    totals = { usage: (0,conversation/* noUsage */.tk)(), costUsd: 0, unpriced: false };
    /** For texts that are cut before they are stored: half a secret is not found any more. */
    redact;
    #store;
    #frozen = new Map();
    #startedHere = new Set();
    constructor(workId, store, redact) {
        this.workId = workId;
        this.redact = redact;
        this.sessionId = store.sessionId;
        this.#store = store;
    }
    /** Loads and folds what is stored; `setAside` tells what was damaged at the end and put away. */
    static async open(workId, store, redact = redaction/* redactNothing */.xe) {
        const loaded = await store.load();
        const journal = new Journal(workId, store, redact);
        for (const line of loaded.events)
            journal.#apply(line);
        for (const line of loaded.conversation)
            journal.#apply(line);
        return { journal, setAside: loaded.setAside };
    }
    /**
     * Durable, then folded. Lines become durable in the order given. Secrets are cut out first, so that what a model is
     * sent is what is stored, to the byte.
     */
    async append(...lines) {
        const safe = lines.map((line) => redactLine(line, this.redact));
        await this.#store.append(safe);
        for (const line of safe) {
            this.#apply(line);
            if (line.type === "ToolCallStarted") {
                this.#startedHere.add((0,state/* callKey */.C_)(line.payload.conversationId, line.payload.toolCallId));
            }
        }
    }
    /** True for a call that an earlier process started and that has no result: nobody here knows what it did. */
    isInDoubt(key) {
        const call = this.state.calls.get(key);
        return call !== undefined && call.outcome === undefined && !this.#startedHere.has(key);
    }
    /** Stores the prefix of a new conversation and returns its hash. */
    async freeze(prefix) {
        const safe = (0,redaction/* redactValue */.FI)(prefix, this.redact);
        const hash = await this.#store.freeze(JSON.stringify(safe));
        this.#frozen.set(hash, safe);
        return hash;
    }
    /** The system and tools bytes that a conversation began with. */
    async prefixOf(conversation) {
        const known = this.#frozen.get(conversation.frozen);
        if (known)
            return known;
        const prefix = JSON.parse(await this.#store.readFrozen(conversation.frozen));
        this.#frozen.set(conversation.frozen, prefix);
        return prefix;
    }
    /** False also where only the first line of its beginning is left. */
    hasBegun(conversationId) {
        return (this.conversations.get(conversationId)?.messages.length ?? 0) > 0;
    }
    /** Model responses in the newest attempt at a task, its subagents' too. */
    turnsOf(taskId) {
        const root = this.state.tasks.get(taskId)?.conversationId;
        let turns = 0;
        for (const { conversationId: id, taskId: owner, turns: own } of this.conversations.values()) {
            if (owner === taskId && (root === undefined || id === root || id.startsWith(`${root}/`)))
                turns += own;
        }
        return turns;
    }
    /** A conversation that must exist. */
    conversation(conversationId) {
        const conversation = this.conversations.get(conversationId);
        if (!conversation)
            throw new errors/* LoopliaError */.$K("store-corrupt", `The store has no conversation ${conversationId}.`);
        return conversation;
    }
    close() {
        return this.#store.close();
    }
    #apply(line) {
        if (line.store === "events")
            (0,fold_state/* applyEvent */.Z8)(this.state, line);
        else if (line.store === "conversation")
            (0,conversation/* applyConversationLine */.s)(this.conversations, this.totals, line);
    }
}


/***/ }),

/***/ 32972:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KM: () => (/* binding */ reachedLimit),
/* harmony export */   TP: () => (/* binding */ requirePrice),
/* harmony export */   Tq: () => (/* binding */ stoppedBySignal)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
/* harmony import */ var _session_conversation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(62068);
/* harmony import */ var _cancellations_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(68834);
// Limits are cumulative over a session with its pauses; reaching one is an outcome.



/** The limit that forbids another request, or undefined. `turns` are those of the task. */
function reachedLimit(limits, turns, totals) {
    if (turns >= limits.maxTurns) {
        return stopped("max-turns", `reached max-turns (${limits.maxTurns}); raise it to go on`);
    }
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = totals.usage;
    const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    if (limits.maxTokens !== undefined && tokens >= limits.maxTokens) {
        return stopped("cost-limit", `used ${tokens} of max-tokens ${limits.maxTokens}; raise it to go on`);
    }
    if (limits.maxCostUsd !== undefined && totals.unpriced) {
        return stopped("cost-limit", "max-cost-usd can't be kept: a model without a known price answered here");
    }
    if (limits.maxCostUsd !== undefined && totals.costUsd >= limits.maxCostUsd) {
        const spent = totals.costUsd.toFixed(4);
        return stopped("cost-limit", `spent $${spent} of max-cost-usd ${limits.maxCostUsd}; raise it to go on`);
    }
    return undefined;
}
/** A limit in dollars needs a price. Throws `config-invalid` for a model that has none. */
function requirePrice(limits, model, names) {
    if (limits.maxCostUsd === undefined)
        return;
    const unpriced = names.find((name) => model.priceOf(name, (0,_session_conversation_js__WEBPACK_IMPORTED_MODULE_1__/* .noUsage */ .tk)()) === null);
    if (unpriced === undefined)
        return;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K("config-invalid", `max-cost-usd is set, but there is no price for the model ${unpriced}.`, {
        hint: "Use max-tokens instead, or a model of the price list.",
    });
}
/** The outcome of an aborted signal: its reason is `deadline`, a `Cancellation` or a person's interruption. */
function stoppedBySignal(signal) {
    if (signal.reason instanceof _cancellations_js__WEBPACK_IMPORTED_MODULE_2__/* .Cancellation */ .mT)
        return stopped("closed", `canceled: ${signal.reason.reason}`);
    return signal.reason === "deadline"
        ? stopped("deadline", "reached timeout-minutes; the next run goes on from here")
        : stopped("interrupted", "interrupted; the next run goes on from here");
}
function stopped(reasonCode, message) {
    return { kind: "stopped", reasonCode, message };
}


/***/ }),

/***/ 50864:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  r: () => (/* binding */ runConversation),
  g: () => (/* binding */ startConversation)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
// EXTERNAL MODULE: ./build/session/conversation.js
var session_conversation = __webpack_require__(62068);
// EXTERNAL MODULE: ./build/session/json.js
var json = __webpack_require__(59437);
// EXTERNAL MODULE: ./build/session/message.js
var session_message = __webpack_require__(11684);
// EXTERNAL MODULE: ./build/session/state.js
var state = __webpack_require__(94878);
;// CONCATENATED MODULE: ./build/approval/parse-command.js
// Reads a command line as the shell does, or not at all: what could mean something else is not read. Pure.
// Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition; bash(1) where it differs.
/**
 * The programs that a command line starts, in order; undefined when that can't be said for certain: expansions,
 * substitutions, patterns that may become options, here-documents, groups, functions, reserved words, assignments,
 * comments, control characters and anything unfinished.
 */
function parseCommand(line) {
    const tokens = tokenize(line);
    if (!tokens)
        return undefined;
    const commands = [];
    let current = { words: [], written: [] };
    for (let at = 0; at < tokens.length; at += 1) {
        const token = tokens[at];
        if (token?.kind === "word")
            current.words.push(token.text);
        else if (token && SEPARATORS.has(token.text)) {
            // A newline may stand anywhere between commands; any other operator needs one before it.
            if (token.text !== "\n" && !isComplete(current))
                return undefined;
            if (isComplete(current))
                commands.push(current);
            else if (current.written.length > 0 || current.words.length > 0)
                return undefined;
            current = { words: [], written: [] };
        }
        else if (token) {
            const target = tokens[at + 1];
            if (target?.kind !== "word")
                return undefined;
            if (isWritten(token.text, target.text))
                current.written.push(target.text);
            at += 1;
        }
    }
    if (isComplete(current))
        commands.push(current);
    else if (current.words.length > 0 || current.written.length > 0)
        return undefined;
    const last = tokens.findLast((token) => token.text !== "\n" || token.kind === "word");
    if (last?.kind === "operator" && !MAY_END.has(last.text))
        return undefined;
    return commands.length > 0 ? commands : undefined;
}
const SEPARATORS = new Set(["\n", ";", "&", "&&", "||", "|", "|&"]);
const MAY_END = new Set([";", "&"]);
/** They begin something longer than a simple command, or change how what follows is read. */
const RESERVED = new Set("! [[ { } case coproc do done elif else esac fi for function if in select then time until while".split(" "));
function isComplete({ words: [name] }) {
    if (name === undefined || name === "" || RESERVED.has(name))
        return false;
    return !PATTERN.test(name) && !/^[A-Za-z_]\w*\+?=/.test(name);
}
/** Whether a redirection writes a file. `target` of `>&` may be a descriptor. */
function isWritten(operator, target) {
    if (!operator.includes(">"))
        return false;
    if (operator.endsWith(">&") && /^(\d+|-)$/.test(target))
        return false;
    return target !== "/dev/null";
}
const CONTROL = /[^\P{Cc}\t\n]/u;
/** Anything else outside of quotes is not read. */
const PLAIN = /[A-Za-z0-9_./:@%+=,^-]/;
/** A pattern may become any word that is a file's name, an option or `push`, unless a folder stands before it. */
const PATTERN = /[*?[\]]/;
const OPERATOR = /^(?:&&|\|\||\|&|&>>|&>|[;&|\n]|\d*(?:>>|>\||>&|<&|<>|>|<))/;
function tokenize(line) {
    if (CONTROL.test(line) || !line.isWellFormed())
        return undefined;
    const tokens = [];
    for (let at = 0; at < line.length;) {
        const rest = line.slice(at);
        const blank = /^(?:[ \t]|\\\n)+/.exec(rest)?.[0];
        if (blank !== undefined) {
            at += blank.length;
            continue;
        }
        const operator = OPERATOR.exec(rest)?.[0];
        if (operator !== undefined) {
            // `<<`, `;;`, `&|` and the like
            if (/^[<>;&|]/.test(rest.slice(operator.length)) && operator !== "\n")
                return undefined;
            tokens.push({ kind: "operator", text: operator });
            at += operator.length;
            continue;
        }
        const word = readWord(rest);
        if (!word)
            return undefined;
        tokens.push({ kind: "word", text: word.text });
        at += word.length;
    }
    return tokens;
}
/** The word that `rest` begins with; `length` counts its characters with quotes. */
function readWord(rest) {
    let text = "";
    let at = 0;
    while (at < rest.length) {
        const character = rest.charAt(at);
        if (/[ \t\n;&|<>]/.test(character))
            break;
        const piece = readPiece(rest.slice(at), text);
        if (!piece)
            return undefined;
        text += piece.text;
        at += piece.length;
    }
    return at === 0 ? undefined : { text, length: at };
}
/** `before` is what the word begins with. */
function readPiece(rest, before) {
    const character = rest.charAt(0);
    const isPattern = PATTERN.test(character) && before.includes("/");
    // A tilde is a home folder at the start of a word, or behind `:` or `=`.
    const isTilde = character === "~" && /[\w^]$/.test(before);
    if (PLAIN.test(character) || isPattern || isTilde)
        return { text: character, length: 1 };
    const single = /^'([^']*)'/.exec(rest);
    if (single)
        return { text: single[1] ?? "", length: single[0].length };
    const double = /^"((?:[^"\\$`!]|\\[\s\S])*)"/.exec(rest);
    if (double) {
        // Within double quotes a backslash quotes only these; before others it stands for itself.
        const text = (double[1] ?? "").replace(/\\([$`"\\\n])/g, (_, quoted) => quoted === "\n" ? "" : quoted);
        return { text, length: double[0].length };
    }
    const escaped = /^\\([\s\S])/.exec(rest);
    if (!escaped)
        return undefined;
    return { text: escaped[1] === "\n" ? "" : (escaped[1] ?? ""), length: 2 };
}

;// CONCATENATED MODULE: ./build/approval/dangerous-commands.js
// Which commands a person is asked about whatever the rules say: one table. It names what is plainly dangerous; what
// holds back all else is isolation. Pure.

const UNREADABLE = "can't be read for certain";
const some = (pattern) => (args) => args.some((arg) => pattern.test(arg));
const first = (pattern) => ([arg = ""]) => pattern.test(arg);
const both = (one, other) => (args) => one(args) && other(args);
const either = (one, other) => (args) => one(args) || other(args);
const not = (condition) => (args) => !condition(args);
/** `uniq <in> <out>` writes the second. */
const isSecondNamed = (args) => args.filter((arg) => !arg.startsWith("-")).length > 1;
/** Options and a script that neither write files nor start programs. */
const isPlainSed = (args) => {
    const [script = ""] = args.filter((arg) => !arg.startsWith("-"));
    const areOptionsPlain = args.every((arg) => !arg.startsWith("-") || /^-[nErszi]+$/.test(arg));
    return areOptionsPlain && /^(?:[0-9,$]*[pdq=]|s\/[^/]*\/[^/]*\/[gpi0-9]*)$/.test(script);
};
const KNOWN_GIT = new RegExp(`^(?:${[
    "add|am|annotate|apply|blame|branch|cat-file|check-ignore|checkout|cherry|cherry-pick|clean|commit|describe|diff",
    "fetch|filter-branch|gc|grep|help|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|notes|prune|pull|push",
    "rebase|reflog|remote|replace|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|stash|status|switch",
    "symbolic-ref|tag|update-ref|version|worktree|--version|--help",
].join("|")})$`);
const TABLE = [
    ["deletes", "rm rmdir unlink shred srm rimraf del trash trash-put wipefs mkfs mkfs.ext4 fdisk parted"],
    ["deletes", "find", some(/^-delete$/)],
    ["deletes", "rsync", some(/^--(?:del|remove)/)],
    ["deletes", "git", first(/^(?:clean|rm)$/)],
    ["overwrites", "tee dd mv cp ln install truncate patch sponge rsync unzip gunzip bunzip2 unxz 7z cpio"],
    ["overwrites", "gzip bzip2 xz lzma zstd zip rename dos2unix unix2dos split csplit"],
    ["overwrites", "uniq", isSecondNamed],
    ["overwrites", "shuf", some(/^-[a-zA-Z]*o|^--o/)],
    ["overwrites", "sed gsed", some(/^-[nErsz]*i|^--in-place/)],
    ["overwrites", "sort", some(/^-[a-zA-Z]*o|^--output/)],
    ["overwrites", "tar bsdtar", some(/^-{0,2}[a-zA-Z]*x|^--get/)],
    [
        "overwrites",
        "tar bsdtar",
        either(first(/^[a-zA-Z]*[cru]/), some(/^-[a-zA-Z]*[cruA]|^--(?:cr|ap|up|ca|con|del)/)),
    ],
    ["overwrites", "wget aria2c"],
    ["overwrites", "curl", some(/^-[a-zA-Z]*[oOJDc]|^--(?:out|rem|dump|cook)/)],
    ["overwrites", "find", some(/^-f(?:print|ls)/)],
    ["overwrites", "git", first(/^(?:checkout|restore|switch|stash|apply|am|mv)$/)],
    ["overwrites", "git", some(/^--outp/)],
    [
        "rewrites history",
        "git",
        first(/^(?:reset|rebase|filter-branch|update-ref|symbolic-ref|replace|prune|gc|notes)$/),
    ],
    ["rewrites history", "git", both(first(/^commit$/), some(/^--am/))],
    ["rewrites history", "git", both(first(/^pull$/), some(/^-r|^--reb/))],
    ["rewrites history", "git", both(first(/^reflog$/), some(/^(?:expire|delete|drop)$/))],
    [
        "rewrites history",
        "git",
        both(first(/^(?:branch|tag|worktree)$/), some(/^-[a-z]*[dDfmMC]|^--(?:del|fo|mo)|^(?:remove|prune)$/)),
    ],
    ["rewrites history", "git-filter-repo bfg"],
    ["publishes", "git", first(/^push$/)],
    [
        "publishes",
        "npm pnpm yarn bun lerna",
        some(/^(?:publish|unpublish|deprecate|dist-tags?|owner|access|login|adduser|token)$/),
    ],
    [
        "publishes",
        "cargo poetry uv flit hatch pdm dart flutter twine gem helm dotnet",
        some(/^(?:publish|upload|push|yank)$/),
    ],
    ["publishes", "mvn mvnw gradle gradlew sbt", some(/deploy|publish|release/i)],
    ["publishes", "gh glab hub vsce ovsx semantic-release release-it goreleaser scp sftp ftp mail sendmail"],
    ["publishes", "curl", some(/^-[a-zA-Z]*[TdFX]|^--(?:upl|da|form|js|req)/)],
    ["publishes", "rclone"],
    ["publishes", "terraform tofu pulumi kubectl aws gcloud az vercel netlify wrangler firebase heroku flyctl"],
    [
        "takes privileges",
        "sudo su doas pkexec runuser sudoedit passwd chown chgrp chattr setcap setfacl mount umount chroot",
    ],
    [
        "takes privileges",
        "unshare nsenter bwrap docker podman nerdctl systemctl systemd-run service shutdown reboot",
    ],
    ["takes privileges", "insmod modprobe sysctl iptables nft useradd usermod groupadd crontab at batch"],
    // Of a file elsewhere, or with the set-user-id bits.
    ["takes privileges", "chmod", some(/^\/|(?:^|\/)\.\.(?:\/|$)|^0?[1-7][0-7]{3}$|^[^-/]*[+=][^,]*s/)],
    // What starts another program, or changes what a later name means, is not what it is called.
    [
        UNREADABLE,
        "xargs env nohup timeout nice ionice setsid stdbuf watch parallel flock script expect taskset",
    ],
    [
        UNREADABLE,
        "eval exec source . command builtin alias unalias enable trap hash export declare typeset local",
    ],
    [
        UNREADABLE,
        "readonly unset set shopt let read mapfile readarray bind fc coproc ssh busybox toybox strace gdb",
    ],
    [UNREADABLE, "awk gawk mawk nawk vi vim nvim ex ed emacs screen tmux entr"],
    [UNREADABLE, "bash sh dash zsh ksh fish csh tcsh ash pwsh", not(first(/^[^-+]/))],
    [UNREADABLE, "node deno bun", some(/^-[a-z]*[epr]|^--(?:ev|pr|re|im|loader)|^eval$/)],
    [UNREADABLE, "python python2 python3 pypy pypy3", some(/^-[a-zA-Z]*c/)],
    [UNREADABLE, "perl ruby php lua rscript", some(/^-/)],
    [UNREADABLE, "sed gsed", not(isPlainSed)],
    [UNREADABLE, "find fd fdfind", some(/^-(?:exec|ok)|^--exec|^-[xX]$/)],
    [UNREADABLE, "tar bsdtar", some(/^--(?:to-c|ch|use-c|rsh|info-s|new-v)|^-[a-zA-Z]*[IF]/)],
    [UNREADABLE, "printf", some(/^-v/)],
    [UNREADABLE, "git", not(first(KNOWN_GIT))],
    [UNREADABLE, "git", some(/^--(?:u(?:=|$)|up(?!d)|rec|open|exe?c?(?:=|$))|^ext::/)],
    [UNREADABLE, "git", both(first(/^grep$/), some(/^-[a-zA-Z]*O/))],
    // They run what their arguments name from a registry or the project; `-c` gives them a whole command line.
    [UNREADABLE, "npx bunx pnpx npm pnpm yarn", some(/^-c|^--call|^--shell-mode/)],
];
const byProgram = new Map();
for (const row of TABLE) {
    for (const program of row[1].split(" "))
        byProgram.set(program, [...(byProgram.get(program) ?? []), row]);
}
/** What is dangerous about a command line, in words; empty when nothing is known to be. */
function commandDangers(line) {
    const commands = parseCommand(line);
    return commands ? [...new Set(commands.flatMap(dangersOf))] : [`${UNREADABLE}: ${line}`];
}
function dangersOf({ words, written }) {
    const shown = words.join(" ");
    return [
        ...dangersOfWords(words).map((danger) => `${danger}: ${shown}`),
        ...written.map((path) => `overwrites: ${path} (${shown})`),
    ];
}
function dangersOfWords([name = "", ...args]) {
    const program = programName(name);
    const rows = byProgram.get(program) ?? [];
    return [
        ...rows.filter(([, , when]) => when?.(args) ?? true).map(([danger]) => danger),
        ...programsThatAreRun(program, args).flatMap(dangersOfWords),
    ];
}
/** A program as the table names it: `/usr/bin/RM.exe` is `rm`. */
function programName(word) {
    const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
    return name.replace(/(?<=.)\.(?:exe|cmd|bat|ps1)$/, "");
}
/** `npx rimraf dist`, `pnpm exec rm x`: what may be run is judged as if it stood alone. */
function programsThatAreRun(program, args) {
    const isRunner = /^(?:npx|bunx|pnpx|uvx|yarn|pnpm|bun)$/.test(program);
    const isManager = /^(?:npm|pnpm|yarn|bun|uv|poetry|pdm|pipx|bundle)$/.test(program);
    const starts = args.flatMap((arg, at) => (isManager && /^(?:exec|x|dlx|run)$/.test(arg) ? [at + 1] : []));
    return [...(isRunner ? [0] : []), ...starts].map((start) => {
        const rest = args.slice(start);
        const at = rest.findIndex((arg) => !arg.startsWith("-"));
        return at < 0 ? [] : rest.slice(at);
    });
}

// EXTERNAL MODULE: ./build/session/fold-name.js
var fold_name = __webpack_require__(4038);
;// CONCATENATED MODULE: ./build/approval/dangerous-paths.js
// Files that decide what runs and who may: a person is asked before an agent changes one (SECURITY, "path escape"). Pure.

const WORKSPACE_FILES = new Set(["pipelines", ".claude", "claude.md"]);
/**
 * Whether an agent would widen its own power by changing the file: workflows, actions, its settings (`settingsFile`, as
 * configured), pipelines and prompts. `path` is relative to the worktree.
 */
function isDangerousPath(path, settingsFile) {
    const names = namesOf(path);
    const last = names.at(-1) ?? "";
    if (names.join("/") === namesOf(settingsFile).join("/"))
        return true;
    if (/^action\.ya?ml$/.test(last) || last === "looplia.yml")
        return true;
    if (names[0] === ".git")
        return true;
    // In any folder: a workflow may work in that one, with instructions of its own.
    return names.some((name, at) => {
        const next = names[at + 1] ?? "";
        if (name === ".looplia")
            return WORKSPACE_FILES.has(next);
        return name === ".claude" || (name === ".github" && next === "workflows");
    });
}
function namesOf(path) {
    return path
        .split("/")
        .filter((name) => name !== "" && name !== ".")
        .map(fold_name/* foldName */.z);
}

;// CONCATENATED MODULE: ./build/approval/gate.js



/**
 * Rules go `deny` before `ask` before `allow` before `approval`; danger is asked about whatever they say. How commands
 * are isolated is looked at only where there is one.
 */
function decideCall(call, rules, place) {
    const ruled = call.command === undefined
        ? ruleOf(call, rules.policy)
        : ruleOfCommand(call.command, call.tool, rules.policy);
    if (ruled?.effect === "deny") {
        return {
            kind: "deny",
            reason: `The rule ${JSON.stringify(ruled.text)} of the policy forbids this. Do it another way, or leave it.`,
        };
    }
    const isolation = call.command === undefined ? undefined : place.isolation;
    const isOpen = isolation?.kind === "none";
    if (isOpen && rules.sandbox === "required") {
        return {
            kind: "deny",
            reason: `Commands must run isolated here (sandbox: required), and can't: ${isolation.reason ?? "there is no isolation"}. Do it without a command.`,
        };
    }
    const dangers = gate_dangersOf(call, rules.settingsFile);
    const needsPerson = dangers.length > 0 || (isOpen && isolation.isOff !== true) || isAskedByDefault(call, rules, ruled);
    return needsPerson ? { kind: "ask", dangers } : { kind: "allow" };
}
function isAskedByDefault(call, { approval }, rule) {
    if (rule)
        return rule.effect === "ask";
    if (call.asksItself || approval === "none")
        return false;
    return approval === "all" || call.risk === "risky";
}
function gate_dangersOf({ command, paths = [] }, settingsFile) {
    const changed = paths.filter((path) => isDangerousPath(path, settingsFile));
    const inFiles = changed.map((path) => `changes ${path}, which decides what runs or who may`);
    return [...new Set(inFiles), ...(command === undefined ? [] : commandDangers(command))];
}
const ORDER = ["deny", "ask", "allow"];
/** The strongest rule for the tool. An edit is forbidden by one of its names, and allowed only by both. */
function ruleOf({ tool, paths = [] }, policy) {
    const own = policy.filter((rule) => rule.tool === tool);
    return strongest(own, ({ effect, matchesPath }) => {
        if (!matchesPath)
            return true;
        return effect === "allow" ? paths.length > 0 && paths.every(matchesPath) : paths.some(matchesPath);
    });
}
/** The strongest rule for a whole line: each of its commands must be allowed for the line to be. */
function ruleOfCommand(line, tool, policy) {
    const own = policy.filter((rule) => rule.tool === tool);
    const commands = parseCommand(line);
    if (!commands)
        return strongest(own, ({ words, effect }) => words === undefined && effect !== "allow");
    const rules = commands.map(({ words }) => strongest(own, (rule) => beginsWith(words, rule)));
    for (const effect of ["deny", "ask"]) {
        const found = rules.find((rule) => rule?.effect === effect);
        if (found)
            return found;
    }
    return rules.every((rule) => rule !== undefined) ? rules[0] : undefined;
}
function strongest(rules, applies) {
    for (const effect of ORDER) {
        const found = rules.find((rule) => rule.effect === effect && applies(rule));
        if (found)
            return found;
    }
    return undefined;
}
/** An allowed program is named exactly; one that is asked about or forbidden is that program in any folder. */
function beginsWith(words, { words: prefix, effect }) {
    if (!prefix)
        return true;
    const isSame = (word, wanted, at) => word === wanted ||
        (at === 0 && effect !== "allow" && word !== undefined && programName(word) === programName(wanted));
    return prefix.every((wanted, at) => isSame(words[at], wanted, at));
}

// EXTERNAL MODULE: ./build/tools/registry.js + 14 modules
var registry = __webpack_require__(24619);
;// CONCATENATED MODULE: ./build/agent/failure.js
// Which failures of a tool are answers to the model, and which end the run.

/** A refusal or a system error becomes a reply; anything else (a bug, a lost store, a failed model) is thrown on. */
function replyToFailure(error) {
    if (error instanceof errors/* LoopliaError */.$K && error.code === "config-invalid") {
        return { text: (0,errors/* explain */.WE)(error), isError: true };
    }
    if (error instanceof Error && "syscall" in error)
        return { text: error.message, isError: true };
    throw error;
}

// EXTERNAL MODULE: ./build/session/redaction.js
var redaction = __webpack_require__(20134);
;// CONCATENATED MODULE: ./build/agent/reference.js

/** By events. */
function callReference({ conversationId }, { id, name }) {
    return { conversationId, toolCallId: id, toolName: name };
}
/** One line for people. Summaries are cut, so secrets are cut out of the input before. */
function summaryOf({ journal }, { tool, input }) {
    return tool.summarize((0,redaction/* redactValue */.FI)(input, journal.redact));
}

;// CONCATENATED MODULE: ./build/agent/decide.js
// What is decided about a call before anything runs: known tool, valid input, and whether a person must agree.





/** Decides each call by itself. After any stop reason but `tool_use` none may run (Messages API). */
async function decideCalls(session, prefix, stopReason, calls) {
    if (stopReason !== "tool_use") {
        const reason = stopReason === "max_tokens" ? CUT_CALL : "Not run: the response was not complete.";
        return calls.map((call) => ({ call, kind: "deny", reason }));
    }
    const known = new Set(prefix.tools.map((tool) => tool.name));
    return Promise.all(calls.map((call) => decideOne(session, known, call)));
}
const CUT_CALL = "Not run: your response was cut at the limit of one response, so this call may be incomplete. Make it again, with less text before it.";
async function decideOne(session, known, call) {
    const tool = known.has(call.name) ? session.tools.get(call.name) : undefined;
    if (!tool) {
        const reason = `There is no tool ${JSON.stringify(call.name)} here. Your tools: ${[...known].join(", ")}.`;
        return { call, kind: "deny", reason };
    }
    if (!(0,json/* isWellFormedJson */.cZ)(call.input)) {
        return { call, kind: "deny", reason: "The input holds text that is not well-formed Unicode." };
    }
    const parsed = (await (0,registry/* inputSchema */.is)(tool)).safeParse(call.input);
    if (!parsed.success)
        return { call, kind: "deny", reason: (0,registry/* inputProblems */.ri)(parsed.error) };
    const input = parsed.data;
    try {
        const facts = (await tool.facts?.(input, session.workspace)) ?? {};
        const gated = { tool: tool.name, risk: tool.risk, asksItself: tool.effect === "reentrant", ...facts };
        const decision = decideCall(gated, session.gate, session.workspace);
        if (decision.kind === "deny")
            return { call, ...decision, summary: summaryOf(session, { tool, input }) };
        const dangers = decision.kind === "ask" ? decision.dangers : [];
        return { call, kind: decision.kind, tool, input, facts, dangers };
    }
    catch (error) {
        return { call, kind: "deny", reason: replyToFailure(error).text };
    }
}
/** The audit lines of a turn: every call is logged as requested before anything is asked or run. */
function requestedLines(session, run, decided) {
    return decided.map(({ call, ...decision }) => ({
        store: "audit",
        type: "ToolCallRequested",
        payload: {
            toolCallId: call.id,
            toolName: call.name.toWellFormed(),
            authorActorId: `agent:${run.agent}`,
            taskId: run.taskId,
            conversationId: run.conversationId,
            input: (0,json/* auditable */.Ks)(call.input),
            decision: decision.kind,
            ...(decision.kind !== "deny" && decision.facts.command !== undefined
                ? { isolation: session.workspace.isolation.kind }
                : {}),
            ...(decision.kind === "ask" && decision.dangers.length > 0 ? { dangers: decision.dangers } : {}),
            timestamp: session.clock.now().getTime(),
        },
    }));
}
/** The calls that may be run together from `start`: neighbouring reads, else one. */
function nextBatch(calls, start) {
    const isRead = (decided) => decided !== undefined && decided.kind === "allow" && decided.tool.effect === "read";
    let end = start + 1;
    if (isRead(calls[start]))
        while (isRead(calls[end]))
            end += 1;
    return calls.slice(start, end);
}

// EXTERNAL MODULE: ./build/agent/limits.js
var limits = __webpack_require__(32972);
;// CONCATENATED MODULE: ./build/agent/request-reply.js
// One request to the model, and once more to another model where this one can't answer now.


/** The answer to a conversation as it stands. Fails as `Model` does, where the fallback model fails or there is none. */
async function requestReply(session, run, conversation) {
    const prefix = await session.journal.prefixOf(conversation);
    const request = () => session.model.respond({
        conversationId: `${session.journal.sessionId}/${run.conversationId}`,
        model: conversation.model,
        prefix,
        messages: (0,session_conversation/* messagesToSend */.Gf)(conversation),
    }, {
        signal: session.signal,
        onText: (delta) => session.observe({ type: "text", sessionId: session.journal.sessionId, agent: run.agent, delta }),
    });
    try {
        return await request();
    }
    catch (error) {
        if (!(await switchModel(session, run, conversation, error)))
            throw error;
        return request();
    }
}
/** Failures that another model may not have. */
const SWITCHABLE = new Set(["overloaded", "rate-limit", "unavailable"]);
async function switchModel(session, run, conversation, error) {
    const to = session.fallbackModel;
    if (!(error instanceof errors/* LoopliaError */.$K) || !error.modelFailure || !SWITCHABLE.has(error.modelFailure))
        return false;
    if (to === undefined || to === conversation.model)
        return false;
    const from = conversation.model;
    await session.journal.append({
        store: "conversation",
        type: "ModelSwitched",
        payload: { conversationId: run.conversationId, from, to, reason: error.message },
    });
    session.observe({
        type: "notice",
        level: "warning",
        sessionId: session.journal.sessionId,
        message: `${from} failed (${error.message}); ${run.agent} goes on with ${to}`,
    });
    return true;
}

// EXTERNAL MODULE: ./build/session/in-turn.js
var in_turn = __webpack_require__(35478);
// EXTERNAL MODULE: ./build/approval/interaction.js + 1 modules
var interaction = __webpack_require__(80255);
// EXTERNAL MODULE: ./build/session/interaction.js
var session_interaction = __webpack_require__(95511);
// EXTERNAL MODULE: ./build/agent/ask.js
var ask = __webpack_require__(76427);
// EXTERNAL MODULE: ./build/session/actor.js
var actor = __webpack_require__(95114);
;// CONCATENATED MODULE: ./build/agent/show-calls.js



/** What was shown may be hours old: it is shown again and compared. The reason not to run, or undefined. */
async function whyNotNow(session, run, decided, request) {
    const gone = await whoMayNot(session, request);
    if (gone.length > 0)
        return `who approved it may not decide here any more: ${gone.map(actor/* loginOf */.DQ).join(", ")}`;
    const { isolation } = session.workspace;
    const shown = request.isolation;
    if (shown && (shown.kind !== isolation.kind || shown.network !== isolation.network)) {
        return "commands would run otherwise than it was shown";
    }
    if (decided.dangers.some((danger) => !request.dangers?.includes(danger))) {
        return "it is more dangerous than it was shown";
    }
    // How often it was started before is no part of what would run.
    const { starts: _, ...bound } = request.bindings?.[decided.call.id] ?? {};
    if (bound.follows !== undefined) {
        const { outcome } = session.journal.state.calls.get((0,state/* callKey */.C_)(run.conversationId, bound.follows)) ?? {};
        if (outcome !== "done" && outcome !== "failed")
            return "the command before it did not run to its end";
    }
    const now = (await showCalls(session, [decided], bound.follows)).get(decided.call.id);
    if (now === undefined)
        return "it can't be shown again";
    if ("problem" in now)
        return now.problem;
    return whatChanged(now.binding, bound);
}
/** All who approved count: with one of them gone there were too few. */
async function whoMayNot(session, { interactionId }) {
    const { approvals = [], response } = session.journal.state.interactions.get(interactionId) ?? {};
    const people = [...approvals.map(({ actorId }) => actorId), ...(response ? [response.authorActorId] : [])];
    return (await session.host.whoMayNot?.([...new Set(people)])) ?? [];
}
/** The first call and those that are asked about after it; allowed ones between count for what they leave. */
async function showCalls(session, calls, last) {
    const pending = new Map();
    let follows = last;
    const shown = new Map();
    for (const decided of calls) {
        if (decided.kind === "deny")
            continue;
        const isShown = decided.kind === "ask" || decided === calls[0];
        if (!isShown && !decided.tool.preview)
            continue;
        const { call, tool, input, dangers } = decided;
        try {
            const preview = await tool.preview?.(input, {
                workspace: session.workspace,
                pending,
                redact: session.journal.redact,
                ...(follows === undefined ? {} : { follows }),
            });
            const summary = {
                title: tool.name,
                content: JSON.stringify(input, null, 2),
                contentKind: "PlainText",
                binding: {},
            };
            const { id: toolCallId, name: toolName } = call;
            const part = { toolCallId, toolName, input: call.input, dangers, ...(preview ?? summary) };
            if (isShown)
                shown.set(call.id, part);
            // Whatever is not bound to a file of its own may change any file.
            if (tool.effect === "once" && preview?.binding.path === undefined)
                follows = call.id;
        }
        catch (error) {
            if (isShown)
                shown.set(call.id, { problem: replyToFailure(error).text });
        }
    }
    return shown;
}
function whatChanged(now, bound) {
    const names = new Set([...Object.keys(now), ...Object.keys(bound)]);
    const changed = [...names].filter((name) => now[name] !== bound[name]);
    if (changed.length === 0)
        return undefined;
    return changed.includes("worktree")
        ? "a file has changed since it was shown"
        : "what was shown has changed since";
}

;// CONCATENATED MODULE: ./build/agent/confirm.js
// One Confirm covers the risky calls of a turn; each is compared with what was shown just before it runs.




/** Asks for `decided` together with the risky calls after it in the turn. */
async function confirmCall(session, run, decided, rest) {
    if (!session.host.canAsk) {
        return { kind: "refused", reason: await session.configuration.prompts.render("nobody.md", {}) };
    }
    const raised = findConfirm(session, run, decided);
    const shown = raised ? new Map() : await showCalls(session, [decided, ...rest]);
    const own = shown.get(decided.call.id);
    if (own && "problem" in own)
        return { kind: "refused", reason: own.problem };
    const calls = [...shown.values()].filter((call) => !("problem" in call));
    const isRaised = (request) => request === raised;
    const { kind, network } = session.workspace.isolation;
    const asked = await (0,ask/* askPerson */.f)(session, run, isRaised, (origin) => (0,interaction/* createConfirm */.Zl)(origin, calls, { kind, network }));
    if (asked.kind === "unanswered")
        return asked;
    const { request, answer } = asked;
    if (answer.selectedOptionId !== "approve") {
        const reason = answer.comment ? ` They said: ${answer.comment}` : "";
        return { kind: "refused", reason: `A person rejected this call, so it was not run.${reason}` };
    }
    return { kind: "approved", request };
}
/** The newest one counts: a call that could not be shown with the others may be asked about again with later ones. */
function findConfirm(session, run, { call }) {
    return [...session.journal.state.interactions.values()]
        .map(({ request }) => request)
        .findLast((request) => request.conversationId === run.conversationId &&
        request.kind === "Confirm" &&
        (0,session_interaction/* letsCallsRun */.Z)(request) &&
        request.toolCallIds.includes(call.id));
}
/** True where enough people approved the call, whether it may still run or not. */
function wasApproved(session, run, decided) {
    const request = findConfirm(session, run, decided);
    const answered = request && session.journal.state.interactions.get(request.interactionId)?.response;
    return answered?.selectedOptionId === "approve";
}

;// CONCATENATED MODULE: ./build/agent/doubt.js
// A call that an earlier process started and that has no result: settled by looking, else a person is asked.







/** What is told where nobody can find out. */
const OUTCOME_UNKNOWN = "This call was started before an interruption and left no result: its outcome is unknown. It was not run again. Look at what is there before you decide what to do.";
/** Never runs the call. The same question is found again until it is answered; an answer counts for one start. */
async function settleDoubt(session, run, decided) {
    const seen = await lookAtFile(session, run, decided);
    if (seen)
        return seen;
    if (!session.host.canAsk)
        return unknown();
    const { call } = decided;
    const starts = String(session.journal.state.calls.get((0,state/* callKey */.C_)(run.conversationId, call.id))?.starts ?? 1);
    const isOwn = (request) => (0,session_interaction/* letsCallsRun */.Z)(request) && request.bindings?.[call.id]?.starts === starts;
    const isRaised = [...session.journal.state.interactions.values()].some(({ request }) => isOwn(request));
    const shown = isRaised ? undefined : (await showCalls(session, [decided])).get(call.id);
    if (shown && "problem" in shown)
        return unknown(shown.problem);
    const { kind, network } = session.workspace.isolation;
    const asked = await (0,ask/* askPerson */.f)(session, run, isOwn, (origin) => {
        if (!shown)
            throw new Error(`the question about call ${call.id} was there and is not`);
        const bound = { ...shown, binding: { ...shown.binding, starts } };
        return (0,interaction/* createDoubt */.JM)(origin, bound, { kind, network });
    });
    if (asked.kind === "unanswered")
        return { kind: "interrupted", outcome: asked.outcome };
    return settleAnswered(session, run, decided, asked);
}
async function settleAnswered(session, run, decided, { request, answer, }) {
    const said = answer.comment ? ` They said: ${answer.comment}` : "";
    switch (answer.selectedOptionId) {
        case "happened":
            return {
                kind: "happened",
                reply: { text: `A person looked: this call did run. What it printed is lost.${said}` },
            };
        case "run": {
            const reason = await whyNotNow(session, run, decided, request);
            if (reason === undefined)
                return { kind: "again" };
            return { ...unknown(`A person let it run again, but ${reason}.`), notRun: reason };
        }
        case "stop": {
            const message = `a person ended the task because nobody knows what ${summaryOf(session, decided)} did.${said}`;
            return { kind: "interrupted", outcome: { kind: "failed", reasonCode: "rejected", message } };
        }
        default:
            return unknown(`A person was asked and did not decide.${said}`);
    }
}
/** The file is as the edit would leave it, or as it was before: then nobody has to be asked. */
async function lookAtFile(session, run, { call, tool, input }) {
    const recorded = session.journal.state.calls.get((0,state/* callKey */.C_)(run.conversationId, call.id))?.image;
    if (!recorded || !tool.fileHash)
        return undefined;
    try {
        const now = await tool.fileHash(input, session.workspace);
        if (now === recorded.after)
            return { kind: "happened", reply: { text: `Done: ${summaryOf(session, { tool, input })}.` } };
        return now === recorded.before ? { kind: "fresh" } : undefined;
    }
    catch (error) {
        // A file that can't be read any more tells nothing.
        return unknown(replyToFailure(error).text);
    }
}
function unknown(more) {
    const text = more === undefined ? OUTCOME_UNKNOWN : `${OUTCOME_UNKNOWN} ${more}`;
    return { kind: "unknown", reply: { text, isError: true } };
}

;// CONCATENATED MODULE: ./build/agent/intents.js



/** The intents of one turn. What was intended and not begun is taken back when the turn is interrupted. */
class Intents {
    #session;
    #run;
    #open = new Map();
    constructor(session, run) {
        this.#session = session;
        this.#run = run;
    }
    /**
     * Called before `decided` runs. Records it together with those of `rest` that may run without waiting for anybody, and
     * resolves when the record is durable beyond this machine.
     */
    async record(decided, rest) {
        if (!this.#reachesOutside(decided) || this.#open.has(decided.call.id))
            return;
        const calls = [decided, ...this.#certainOf(rest)];
        const lines = calls.map((call) => ({
            store: "events",
            type: "ToolCallStarted",
            payload: callReference(this.#run, call.call),
        }));
        await this.#session.journal.append(...lines);
        for (const call of calls)
            this.#open.set(call.call.id, call);
        await this.#session.host.secure();
    }
    /** True when the start of the call is on record already; from now on it counts as begun. */
    begin(toolCallId) {
        return this.#open.delete(toolCallId);
    }
    /** Takes back what was never begun, so that nobody is asked whether it happened. */
    async withdraw() {
        const { calls } = this.#session.journal.state;
        const left = [...this.#open.values()].filter(({ call }) => calls.get((0,state/* callKey */.C_)(this.#run.conversationId, call.id))?.outcome === undefined);
        this.#open.clear();
        if (left.length === 0)
            return;
        const lines = left.map(({ call }) => ({
            store: "events",
            type: "ToolCallWithdrawn",
            payload: callReference(this.#run, call),
        }));
        await this.#session.journal.append(...lines);
    }
    /** Up to the first call that may have to wait: those that a person approved, or that need nobody. */
    #certainOf(rest) {
        const certain = [];
        for (const decided of rest) {
            if (decided.kind === "deny")
                continue;
            if (decided.tool.effect === "reentrant" || !this.#isSettledWith(decided))
                break;
            if (this.#reachesOutside(decided))
                certain.push(decided);
        }
        return certain;
    }
    #isSettledWith(decided) {
        const { journal } = this.#session;
        if (journal.state.calls.has((0,state/* callKey */.C_)(this.#run.conversationId, decided.call.id)))
            return false;
        return findConfirm(this.#session, this.#run, decided)
            ? wasApproved(this.#session, this.#run, decided)
            : decided.kind === "allow";
    }
    #reachesOutside({ tool }) {
        return tool.effect === "once" && (tool.reachesOutside?.(this.#session.workspace.isolation) ?? false);
    }
}

// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
;// CONCATENATED MODULE: ./build/tools/tool.js
const SUSPENDED = { suspended: true };

;// CONCATENATED MODULE: ./build/agent/tool-call.js
// One tool call: started, run, and its result made durable in all three stores.










/** Runs a decided call; `isStarted`: its start is on record. Returns the outcome that interrupts the turn, or undefined when the call has its result. */
async function executeCall(session, run, { call, tool, input, facts }, isStarted) {
    if (!isStarted)
        await recordStart(session, run, { call, tool, input });
    const began = session.clock.elapsed();
    const shown = {
        sessionId: session.journal.sessionId,
        taskId: run.taskId,
        agent: run.agent,
        toolName: tool.name,
    };
    const summary = summaryOf(session, { tool, input });
    session.observe({ type: "tool-started", ...shown, toolCallId: call.id, summary });
    const interruption = {};
    const reply = await runTool(session, tool, input, createContext(session, run, call, facts, interruption));
    const durationMs = Math.round(session.clock.elapsed() - began);
    if ("suspended" in reply)
        return interruption.outcome ?? { kind: "waiting" };
    session.observe({
        type: "tool-ended",
        ...shown,
        toolCallId: call.id,
        summary,
        isError: reply.isError === true,
        durationMs,
    });
    await settleCall(session, run, call, reply, reply.isError ? "failed" : "done", { durationMs });
    return undefined;
}
/** Stores a call's result: audit first, then what the model will see, then the settlement that recovery reads. */
async function settleCall(session, run, call, reply, outcome, { durationMs = 0, notRun } = {}) {
    const content = cutText(session.journal.redact(reply.text.toWellFormed()), call.id) || "(no output)";
    const block = {
        type: "tool_result",
        tool_use_id: call.id,
        content,
        ...(reply.isError ? { is_error: true } : {}),
    };
    const resultHash = (0,hash/* hashContent */.s)(JSON.stringify(block));
    const lines = [
        {
            store: "audit",
            type: "ToolCallCompleted",
            payload: {
                toolCallId: call.id,
                authorActorId: `agent:${run.agent}`,
                taskId: run.taskId,
                conversationId: run.conversationId,
                output: (0,json/* auditable */.Ks)({ text: reply.whole ?? reply.text }),
                isError: reply.isError === true,
                durationMs,
                timestamp: session.clock.now().getTime(),
            },
        },
        { store: "conversation", type: "ToolResult", payload: { conversationId: run.conversationId, block } },
        {
            store: "events",
            type: "ToolCallSettled",
            payload: {
                ...callReference(run, call),
                outcome,
                resultHash,
                ...(notRun === undefined ? {} : { notRun }),
            },
        },
    ];
    await session.journal.append(...lines);
}
/** `reentrant` and repeatable calls are entered again under their first start. */
async function recordStart(session, run, { call, tool, input }) {
    const isKnown = session.journal.state.calls.has((0,state/* callKey */.C_)(run.conversationId, call.id));
    if (isKnown && tool.effect !== "once")
        return;
    const image = await imageOf(session, tool, input);
    await session.journal.append({
        store: "events",
        type: "ToolCallStarted",
        payload: { ...callReference(run, call), ...(image === undefined ? {} : { image }) },
    });
}
/** Undefined also where the call will be refused anyway. */
async function imageOf(session, tool, input) {
    try {
        return await tool.image?.(input, session.workspace);
    }
    catch (error) {
        replyToFailure(error);
        return undefined;
    }
}
async function runTool(session, tool, input, context) {
    try {
        return await tool.run(input, context);
    }
    catch (error) {
        if (session.signal.aborted)
            throw error;
        return replyToFailure(error);
    }
}
function createContext(session, run, call, facts, interruption) {
    const asks = { toolCallId: call.id, toolName: call.name, input: call.input, binding: {} };
    return {
        call: { toolCallId: call.id, conversationId: run.conversationId, taskId: run.taskId, agent: run.agent },
        workspace: session.workspace,
        facts,
        signal: session.signal,
        skills: session.configuration.skills,
        artifacts: {
            write: (output, content) => run.artifacts.write(output, (0,redaction/* redactValue */.FI)(content, session.journal.redact), (0,state/* callKey */.C_)(run.conversationId, call.id)),
        },
        ask: async ({ title, description, ...question }) => {
            if (!session.host.canAsk)
                return "nobody";
            const display = { title, ...(description === undefined ? {} : { description }) };
            const isOwn = (request) => !(0,session_interaction/* letsCallsRun */.Z)(request) && request.toolCallIds.includes(call.id);
            const create = (origin) => (0,interaction/* createQuestion */.hG)(origin, asks, { ...question, display });
            const asked = await (0,ask/* askPerson */.f)(session, run, isOwn, create);
            if (asked.kind === "answered")
                return asked.answer;
            interruption.outcome = asked.outcome;
            return SUSPENDED;
        },
        subagents: {
            names: run.subagents,
            run: async (agent, prompt) => {
                const ended = await run.runSubagent(agent, prompt, `${run.conversationId}/${call.id}`);
                if ("reply" in ended)
                    return ended.reply;
                interruption.outcome = ended.outcome;
                return SUSPENDED;
            },
        },
    };
}
/** Characters of a result that a model sees; the whole is in the audit log. */
const RESULT_LIMIT = 30_000;
function cutText(text, toolCallId) {
    if (text.length <= RESULT_LIMIT)
        return text;
    const kept = text.slice(0, RESULT_LIMIT).toWellFormed();
    return `${kept}\n[cut after ${RESULT_LIMIT} of ${text.length} characters; the whole result is in the audit log, call ${toolCallId}]`;
}

;// CONCATENATED MODULE: ./build/agent/turn.js
// Settles the calls of a turn in order; nothing after a waiting call starts. Everything is derived from what is
// stored, so a pause or crash in between changes nothing.











/** Returns the outcome that interrupts the turn, or undefined when every call has its result. */
async function settleTurn(session, run, conversation) {
    const prefix = await session.journal.prefixOf(conversation);
    const calls = await decideCalls(session, prefix, conversation.lastStop, (0,session_conversation/* unansweredCalls */.YO)(conversation));
    const turn = { session, run, intents: new Intents(session, run) };
    const interruption = await runCalls(turn, calls);
    if (interruption)
        await turn.intents.withdraw();
    return interruption;
}
async function runCalls(turn, calls) {
    const { signal } = turn.session;
    for (let next = 0; next < calls.length;) {
        if (signal.aborted)
            return (0,limits/* stoppedBySignal */.Tq)(signal);
        const batch = nextBatch(calls, next);
        next += batch.length;
        const rest = calls.slice(next);
        const outcomes = await Promise.all(batch.map((decided) => runCall(turn, decided, rest)));
        const interruption = outcomes.find((outcome) => outcome !== undefined);
        if (interruption)
            return interruption;
    }
    return undefined;
}
async function runCall(turn, decided, rest) {
    const { session, run } = turn;
    const { call } = decided;
    const isInDoubt = session.journal.isInDoubt((0,state/* callKey */.C_)(run.conversationId, call.id));
    if (decided.kind === "deny") {
        const text = isInDoubt ? `${OUTCOME_UNKNOWN} ${decided.reason}` : decided.reason;
        const more = wasApproved(session, run, decided) ? { notRun: decided.reason } : {};
        observeRefusal(turn, call, decided.reason, decided.summary);
        await settleCall(session, run, call, { text, isError: true }, isInDoubt ? "unknown" : "denied", more);
        return undefined;
    }
    if (isInDoubt && decided.tool.effect === "once") {
        const settled = await settleDoubt(session, run, decided);
        if (settled.kind === "interrupted")
            return settled.outcome;
        if ("reply" in settled) {
            const outcome = settled.kind === "happened" ? "done" : "unknown";
            const more = "notRun" in settled ? { notRun: settled.notRun } : {};
            await settleCall(session, run, call, settled.reply, outcome, more);
            return undefined;
        }
        if (settled.kind === "again")
            return startCall(turn, decided, rest);
    }
    // What a person was once asked about is theirs to decide, whatever the rules say now.
    if (decided.kind !== "ask" && !findConfirm(session, run, decided))
        return startCall(turn, decided, rest);
    const verdict = await confirmCall(session, run, decided, rest);
    if (verdict.kind === "unanswered")
        return verdict.outcome;
    if (verdict.kind === "refused")
        return refuseCall(turn, decided, verdict.reason);
    return startCall(turn, decided, rest, () => whyNotNow(session, run, decided, verdict.request));
}
/** What changes the worktree runs alone in it: nothing of another session comes between the last look and the start. */
async function startCall(turn, decided, rest, lookAgain = async () => undefined) {
    const { session, run, intents } = turn;
    const start = async () => {
        session.signal.throwIfAborted();
        const notRun = await lookAgain();
        if (notRun !== undefined)
            return refuseCall(turn, decided, approvedInVain(notRun), notRun);
        await intents.record(decided, rest);
        return executeCall(session, run, decided, intents.begin(decided.call.id));
    };
    return decided.tool.effect === "once" ? (0,in_turn/* inTurn */.l)(session.workspace, start) : start();
}
/** `notRun`: why, of a call that a person approved. */
async function refuseCall(turn, { call, tool, input }, reason, notRun) {
    const { session, run, intents } = turn;
    intents.begin(call.id);
    observeRefusal(turn, call, reason, summaryOf(session, { tool, input }));
    const more = notRun === undefined ? {} : { notRun };
    await settleCall(session, run, call, { text: reason, isError: true }, "denied", more);
    return undefined;
}
/** People see what was not run as well. */
function observeRefusal({ session, run }, { id, name }, reason, summary = "") {
    const { taskId, agent } = run;
    const call = { taskId, agent, toolName: name.toWellFormed(), toolCallId: id, summary };
    const { sessionId, redact } = session.journal;
    const refused = redact(reason);
    session.observe({ type: "tool-ended", sessionId, ...call, isError: true, durationMs: 0, refused });
}
function approvedInVain(reason) {
    return `Approved, but not run: ${reason}. Look again and make a new call.`;
}

;// CONCATENATED MODULE: ./build/agent/loop.js
// The agent loop: settle the last turn, ask the model, until the task is done, waits or a limit is reached.









/** Begins a conversation: its frozen prefix, its model and the message that starts it become durable together. */
async function startConversation(session, start, prefix, opening) {
    const frozen = await session.journal.freeze(prefix);
    await session.journal.append({
        store: "conversation",
        type: "ConversationStarted",
        payload: { ...start, frozen, provider: session.model.provider },
    }, userMessage(start.conversationId, opening));
}
/** Runs a conversation until it ends. Never throws for a limit, an interruption or a question. */
async function runConversation(session, run) {
    const conversation = session.journal.conversation(run.conversationId);
    try {
        for (;;) {
            const outcome = await runTurn(session, run, conversation);
            if (outcome)
                return outcome;
        }
    }
    catch (error) {
        if (session.signal.aborted)
            return (0,limits/* stoppedBySignal */.Tq)(session.signal);
        throw error;
    }
}
async function runTurn(session, run, conversation) {
    if (session.signal.aborted)
        return (0,limits/* stoppedBySignal */.Tq)(session.signal);
    if ((0,session_conversation/* unansweredCalls */.YO)(conversation).length > 0) {
        const interruption = await settleTurn(session, run, conversation);
        if (interruption)
            return interruption;
    }
    const outcome = run.isDone() ?? ENDS.get(conversation.lastStop) ?? (await goOnAfterText(session, run, conversation));
    if (outcome)
        return outcome;
    const limit = (0,limits/* reachedLimit */.KM)(session.limits, session.journal.turnsOf(run.taskId), session.journal.totals);
    if (limit)
        return conversation.lastStop === "max_tokens" ? afterCut(limit) : limit;
    await storeReply(session, run, await requestReply(session, run, conversation));
    return undefined;
}
/** What follows a response without tool calls; decided from what is stored, so a crash in between changes nothing. */
async function goOnAfterText(session, run, conversation) {
    const last = conversation.messages.at(-1);
    if (last?.role !== "assistant")
        return undefined;
    switch (conversation.lastStop) {
        case "pause_turn":
            return undefined;
        case "max_tokens":
            await session.journal.append(userMessage(run.conversationId, CUT));
            return undefined;
        default: {
            const next = await run.whenEnded((0,session_message/* textOf */.b)(last));
            if ("outcome" in next)
                return next.outcome;
            await session.journal.append(userMessage(run.conversationId, next.tell));
            return undefined;
        }
    }
}
async function storeReply(session, run, reply) {
    requireUsableCalls(session, run, reply.message);
    const { stopReason, usage, model } = reply;
    const conversation = session.journal.conversation(run.conversationId);
    // The API may name the model that answered more exactly than the price list does.
    const costUsd = session.model.priceOf(model, usage) ?? session.model.priceOf(conversation.model, usage);
    const text = (0,session_message/* textOf */.b)(reply.message);
    const prefix = await session.journal.prefixOf(conversation);
    const decided = await decideCalls(session, prefix, stopReason, (0,session_message/* toolCallsOf */.V)(reply.message));
    await session.journal.append(...requestedLines(session, run, decided), {
        store: "conversation",
        type: "Message",
        payload: {
            conversationId: run.conversationId,
            message: reply.message.content.length > 0 ? reply.message : EMPTY,
            response: { model, stopReason, usage, costUsd },
        },
    });
    const { sessionId } = session.journal;
    session.observe({ type: "usage", sessionId, model, usage, costUsd });
    if (stopReason === "max_tokens") {
        const message = `${run.agent}'s answer was cut at the limit of one response; it is asked to go on more briefly`;
        session.observe({ type: "notice", level: "warning", sessionId, message });
    }
    if (text)
        session.observe({ type: "message", sessionId, agent: run.agent, text });
}
/** Stop reasons after which no request can follow. */
const ENDS = new Map([
    ["refusal", { kind: "failed", reasonCode: "model-failed", message: "the model refused to answer" }],
    [
        "model_context_window_exceeded",
        {
            kind: "failed",
            reasonCode: "model-failed",
            message: "the conversation is longer than the model can read",
        },
    ],
]);
/** Who stopped at a limit is told that the last answer was not a whole one. */
function afterCut(limit) {
    if (limit.kind !== "stopped")
        return limit;
    return { ...limit, message: `${limit.message}; the last answer was cut at the limit of one response` };
}
const CUT = "Your answer was cut at the limit of one response. Go on from where it stopped, more briefly.";
/** The API refuses a history with an empty message. */
const EMPTY = { role: "assistant", content: [{ type: "text", text: "(no answer)" }] };
/** The Messages API's form of a call's id; it becomes part of the names of conversations. */
const CALL_ID = /^[\w-]{1,200}$/;
/**
 * A call without an id of its own can't be answered, and one that has an earlier call's id would get that one's answer;
 * an input nested too deep can't be stored. Refused before anything is.
 */
function requireUsableCalls(session, run, message) {
    const calls = (0,session_message/* toolCallsOf */.V)(message);
    const { calls: known } = session.journal.state;
    const isOwn = (id) => CALL_ID.test(id) && !known.has((0,state/* callKey */.C_)(run.conversationId, id));
    const areOwn = calls.every(({ id }) => isOwn(id)) && new Set(calls.map(({ id }) => id)).size === calls.length;
    const problem = areOwn ? "nested too deep" : "without ids of their own";
    if (areOwn && calls.every((call) => (0,json/* isShallow */.fE)(call.input)))
        return;
    throw new errors/* LoopliaError */.$K("model-failed", `The model sent tool calls ${problem}.`, {
        modelFailure: "bad-request",
        hint: "Run again, or use another model.",
    });
}
function userMessage(conversationId, text) {
    return {
        store: "conversation",
        type: "Message",
        payload: { conversationId, message: { role: "user", content: [{ type: "text", text }] } },
    };
}


/***/ }),

/***/ 80514:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ modelFailure),
/* harmony export */   x: () => (/* binding */ isEndedByPeople)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19473);
// How a conversation ends. Waiting and limits are outcomes, never exceptions.

/** A model that can't be reached is an outcome; the conversation stays open for a later run. */
function modelFailure(error) {
    if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LoopliaError */ .$K) || error.code !== "model-failed")
        throw error;
    return {
        kind: "failed",
        reasonCode: "model-failed",
        message: (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .explain */ .WE)(error),
    };
}
/** True when a person ended the task, or nobody answered: then no agent above it may go on as if it had only failed. */
function isEndedByPeople(outcome) {
    return outcome.kind === "failed" && (outcome.reasonCode === "expired" || outcome.reasonCode === "rejected");
}


/***/ }),

/***/ 98596:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N: () => (/* binding */ buildPrefix),
/* harmony export */   T: () => (/* binding */ modelFor)
/* harmony export */ });
/** The prefix of an agent's conversation: frame, its instructions, the repository's instructions, skills' metadata. */
async function buildPrefix(session, agent) {
    const { configuration, tools } = session;
    const names = new Set(agent.tools ?? tools.keys());
    const own = [...tools.values()].filter((tool) => names.has(tool.name));
    const system = await configuration.prompts.render("agent-system.md", {
        agent: { name: agent.name, description: agent.description, instructions: agent.instructions },
        instructions: configuration.instructions,
        skills: names.has("Skill")
            ? [...configuration.skills.values()].map(({ name, description }) => ({ name, description }))
            : [],
        subagents: names.has("Task")
            ? [...configuration.agents.values()].map(({ name, description }) => ({ name, description }))
            : [],
    });
    return { system, tools: own.map(({ name }) => definitionOf(configuration, name)) };
}
function definitionOf({ toolDefinitions }, name) {
    const definition = toolDefinitions.get(name);
    if (!definition)
        throw new Error(`the installation's prompts/tools.json lacks the tool ${name}`);
    return definition;
}
/** Names that mean "whatever the program uses". */
const ALIASES = new Set(["inherit", "default", "sonnet", "opus", "haiku"]);
/** The model an agent's front matter names, else the setting. */
function modelFor(session, agent) {
    return agent.model === undefined || ALIASES.has(agent.model) ? session.modelName : agent.model;
}


/***/ }),

/***/ 88875:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ runSubagent)
/* harmony export */ });
/* harmony import */ var _loop_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(50864);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(80514);
/* harmony import */ var _prefix_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(98596);
// A subagent is an agent run exposed as a tool: its own conversation, its own tools, gated call by call.



/** `Task` nests to this depth. */
const MAX_DEPTH = 3;
/** Runs or goes on with the subagent's conversation; its last text is the result of the call. */
async function runSubagent(session, parent, agent, prompt, conversationId) {
    const definition = session.configuration.agents.get(agent);
    if (!definition)
        return { reply: { text: `There is no agent ${JSON.stringify(agent)}.`, isError: true } };
    const depth = parent.depth + 1;
    if (depth > MAX_DEPTH) {
        return {
            reply: { text: `Not started: subagents nest to depth ${MAX_DEPTH}. Do it yourself.`, isError: true },
        };
    }
    if (!session.journal.hasBegun(conversationId)) {
        const start = {
            conversationId,
            taskId: parent.taskId,
            agent,
            depth,
            model: (0,_prefix_js__WEBPACK_IMPORTED_MODULE_2__/* .modelFor */ .T)(session, definition),
        };
        await (0,_loop_js__WEBPACK_IMPORTED_MODULE_0__/* .startConversation */ .g)(session, start, await (0,_prefix_js__WEBPACK_IMPORTED_MODULE_2__/* .buildPrefix */ .N)(session, definition), prompt);
    }
    const run = {
        ...parent,
        conversationId,
        agent,
        depth,
        isDone: () => undefined,
        whenEnded: async (text) => ({ outcome: { kind: "completed", text } }),
        runSubagent: (name, task, id) => runSubagent(session, run, name, task, id),
    };
    const outcome = await (0,_loop_js__WEBPACK_IMPORTED_MODULE_0__/* .runConversation */ .r)(session, run);
    if (outcome.kind === "completed")
        return { reply: { text: outcome.text || "(the subagent said nothing)" } };
    if (outcome.kind === "failed" && !(0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isEndedByPeople */ .x)(outcome))
        return { reply: { text: `The subagent failed: ${outcome.message}.`, isError: true } };
    return { outcome };
}


/***/ }),

/***/ 11566:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ findUnsoundJson),
/* harmony export */   g: () => (/* binding */ MAX_SENT_BYTES)
/* harmony export */ });
/* harmony import */ var _problem_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(58308);
// What no artifact may be, whatever its schema: too deep, too large, or not writable as UTF-8 JSON.

const MAX_DEPTH = 100;
const MAX_PROBLEMS = 50;
/** What a model may send at once. */
const MAX_SENT_BYTES = 1024 * 1024;
/** Every reason why a value cannot be an artifact; an empty list for a sound one. Never recurses. */
function findUnsoundJson(value, maxBytes = MAX_SENT_BYTES) {
    if (value === undefined)
        return [problemAt([], "a JSON value", "nothing")];
    const problems = walkJson(value);
    if (problems.length > 0)
        return problems;
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    return bytes > maxBytes ? [problemAt([], `at most ${maxBytes} bytes of JSON`, `${bytes} bytes`)] : [];
}
function walkJson(root) {
    const problems = [];
    const open = [{ value: root, path: [] }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
        const { value, path } = place;
        const problem = judge(value, path);
        if (problem)
            problems.push(problem);
        if (problems.length >= MAX_PROBLEMS)
            return problems;
        if (problem || typeof value !== "object" || value === null)
            continue;
        for (const [key, inner] of Object.entries(value).reverse()) {
            open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
        }
    }
    return problems;
}
function judge(value, path) {
    const key = path.at(-1);
    if (key === "__proto__")
        return problemAt(path, "another name for this field", "the reserved name __proto__");
    if (typeof key === "string" && !key.isWellFormed()) {
        return problemAt(path, "a name in valid Unicode", "a name with half a surrogate pair");
    }
    if (typeof value === "string" && !value.isWellFormed()) {
        return problemAt(path, "text in valid Unicode", "text with half a surrogate pair (U+D800 to U+DFFF)");
    }
    if (path.length > MAX_DEPTH)
        return problemAt(path, `at most ${MAX_DEPTH} levels of nesting`, "deeper nesting");
    return undefined;
}
function problemAt(path, expected, received) {
    return { field: (0,_problem_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldName */ .w5)(path), expected, received };
}


/***/ }),

/***/ 4038:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   z: () => (/* binding */ foldName)
/* harmony export */ });
// Names as the laxest file system sees them. Pure.
/** HFS+ ignores these in names; the list is git's (utf8.c, next_hfs_char). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** One name of a path: case, composition, NTFS streams, trailing dots and blanks do not matter. */
function foldName(name) {
    const folded = name.normalize("NFKC").replace(IGNORED, "").toLowerCase();
    return folded.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}


/***/ }),

/***/ 24619:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  XU: () => (/* binding */ allTools),
  ri: () => (/* binding */ inputProblems),
  is: () => (/* binding */ inputSchema)
});

;// CONCATENATED MODULE: ./build/tools/answer.js
const NOBODY = "Nobody can be asked here. Decide yourself by what you know, and say in your result what you decided and why.";
/** What was decided, then the person's own words as they were written. */
function quoteAnswer(decided, { inputValue, comment }) {
    const parts = [decided];
    if (inputValue !== undefined)
        parts.push(inputValue === "" ? "(an empty text)" : inputValue);
    if (comment)
        parts.push(`Comment: ${comment}`);
    return parts.join("\n");
}

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(19473);
;// CONCATENATED MODULE: ./build/tools/make-question.js
// From what a model asks to a question that a person can answer.

/** What `askUser` takes. */
const questionInput = (z) => {
    const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);
    const label = z.string().min(1).max(200);
    const named = z.strictObject({
        // Printable ASCII; one that can't be typed is chosen by its number.
        id: z.string().regex(/^[!-~](?:[ -~]{0,62}[!-~])?$/),
        label,
        style: z.enum(["primary", "danger", "default"]).optional(),
        isDefault: z.boolean().optional(),
    });
    const option = z.union([label, named], {
        error: "expected a label, or {id, label, style?, isDefault?}",
    });
    const options = z.array(option).min(1).max(20).optional();
    const validation = z
        .strictObject({ regex: z.string().max(500).optional(), required: z.boolean().optional() })
        .optional();
    const field = z.strictObject({
        id,
        label,
        kind: z.enum(["Select", "Confirm", "Input"]).optional(),
        options,
        validation,
    });
    return z.strictObject({
        question: z.string().trim().min(1).max(4_000),
        kind: z
            .enum(["Select", "Confirm", "Input", "Composite"])
            .optional()
            .describe("Default: Composite with fields, Select with options, else Input"),
        purpose: z
            .enum(["choose_strategy", "request_info", "confirm_risky_action", "assign_subtask", "generic"])
            .default("generic"),
        options: options.describe("For Select: labels, or labels with ids"),
        fields: z
            .array(field)
            .min(1)
            .max(10)
            .optional()
            .describe("For Composite: several questions answered together; kind as above"),
        validation: validation.describe("For Input; regex in RE2 syntax"),
    });
};
/** What a person will be asked; a text says to the model why that can't be asked. */
async function makeQuestion(asked) {
    const kind = asked.kind ?? (asked.fields ? "Composite" : asked.options ? "Select" : "Input");
    const [title = "", ...more] = asked.question.split("\n");
    const description = more.join("\n").trim();
    const question = { purpose: asked.purpose, title, ...(description ? { description } : {}) };
    if (kind !== "Composite") {
        if (asked.fields)
            return `fields belong to kind Composite, not ${kind}. Leave one of the two out.`;
        const part = await makePart(kind, asked, "");
        return typeof part === "string" ? part : { ...question, ...part };
    }
    const problem = problemOfFields(asked);
    if (problem !== undefined)
        return problem;
    const fields = [];
    for (const { id, label, ...given } of asked.fields ?? []) {
        const part = await makePart(given.kind ?? (given.options ? "Select" : "Input"), given, `fields.${id}.`);
        if (typeof part === "string")
            return part;
        fields.push({ id, label, ...part });
    }
    return { ...question, kind, fields };
}
function problemOfFields({ fields = [], options, validation }) {
    if (fields.length === 0)
        return "A Composite needs fields. Give at least one, or ask with another kind.";
    if (options || validation)
        return "A Composite has options and validation in its fields, not beside them.";
    const twice = findTwice(fields.map(({ id }) => id));
    return twice === undefined
        ? undefined
        : `The field id ${JSON.stringify(twice)} is there twice. Give each its own.`;
}
/** What is asked, once: a whole question or a field of one. A text says why it can't be asked; `place` begins it. */
async function makePart(kind, given, place) {
    if (kind === "Confirm")
        return { kind, options: YES_OR_NO };
    if (kind === "Input") {
        const { regex, required } = given.validation ?? {};
        const problem = regex === undefined ? undefined : await problemOf(regex, place);
        if (problem !== undefined)
            return problem;
        const validation = {
            ...(regex === undefined ? {} : { regex }),
            ...(required === undefined ? {} : { required }),
        };
        return { kind, ...(given.validation ? { validation } : {}) };
    }
    const { options: asked } = given;
    if (!asked)
        return `${place || "A "}Select needs options. Give at least one, or ask with kind Input.`;
    const options = nameOptions(asked);
    const twice = findTwice(options.map(({ id }) => id));
    if (twice !== undefined) {
        return `The option id ${place}${JSON.stringify(twice)} is there twice. Give each its own.`;
    }
    const hidden = options.find(({ id }, at) => {
        const others = options.filter((_, other) => other !== at);
        return /\s/.test(id) && others.some((other) => [other.id, other.label.trim()].includes(String(at + 1)));
    });
    if (hidden) {
        return `The option id ${place}${JSON.stringify(hidden.id)} has spaces, and its number means another option. Give it a plain one.`;
    }
    if (options.filter(({ isDefault }) => isDefault).length > 1) {
        return `${place}options has more than one default. Mark one at most.`;
    }
    return { kind, options };
}
function findTwice(ids) {
    return ids.find((id, at) => ids.indexOf(id) !== at);
}
const YES_OR_NO = [
    { id: "approve", label: "Approve", style: "primary" },
    { id: "reject", label: "Reject", style: "danger" },
];
/** Without what was left out. */
function plainOption({ id, label, style, isDefault }) {
    return { id, label, ...(style === undefined ? {} : { style }), ...(isDefault ? { isDefault } : {}) };
}
/** Labels get an id made from their words; where that is taken or empty, one with their number. */
function nameOptions(options) {
    const taken = new Set(options.flatMap((each) => (typeof each === "string" ? [] : [each.id])));
    return options.map((each, at) => {
        if (typeof each !== "string")
            return plainOption(each);
        const words = each
            .toLowerCase()
            .match(/[a-z0-9]+/g)
            ?.join("-")
            .slice(0, 40)
            .replace(/-$/, "");
        // An id that is a number would be read as the number of another option.
        const isFree = words !== undefined && !/^\d+$/.test(words) && !taken.has(words);
        const id = isFree ? words : `option-${at + 1}`;
        taken.add(id);
        return { id, label: each };
    });
}
/** An answer of 10,000 characters is then checked in about a second. */
const MAX_INSTRUCTIONS = 1_500;
async function problemOf(regex, place) {
    const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
    try {
        const size = RE2JS.compile(regex).programSize();
        if (size <= MAX_INSTRUCTIONS)
            return undefined;
        return `${place}validation.regex was refused: it is too large (${size} instructions of ${MAX_INSTRUCTIONS}). Use smaller repetitions.`;
    }
    catch (error) {
        return `${place}validation.regex was refused: ${(0,errors/* messageOf */.bD)(error)}. Write it in RE2 syntax, or leave it out.`;
    }
}

;// CONCATENATED MODULE: ./build/tools/ask-user.js


const askUserTool = {
    name: "askUser",
    description: "Ask a person when only a person can decide. Say what you need and why; one question a call.",
    input: questionInput,
    effect: "reentrant",
    risk: "safe",
    summarize: ({ question }) => question.replace(/\s+/g, " ").slice(0, 100).toWellFormed(),
    async run(asked, context) {
        const question = await makeQuestion(asked);
        if (typeof question === "string")
            return { text: question, isError: true };
        const answer = await context.ask(question);
        if (answer === "nobody")
            return { text: NOBODY };
        return "suspended" in answer ? answer : { text: describe(question, answer) };
    },
};
function describe({ kind, options = [] }, answer) {
    const chosen = options.find(({ id }) => id === answer.selectedOptionId);
    if (chosen)
        return quoteAnswer(`The person chose ${chosen.id} (${chosen.label}).`, answer);
    if (answer.selectedOptionId !== undefined)
        return quoteAnswer("The person declined to answer.", answer);
    const decided = kind === "Composite" ? "The person answered, by field:" : "The person answered:";
    return quoteAnswer(decided, answer);
}

// EXTERNAL MODULE: ./build/session/hash.js
var hash = __webpack_require__(17815);
;// CONCATENATED MODULE: ./build/tools/cut.js
// Cuts long texts for a model and says so. Pure.
/** At most `limit` characters of a line, with a mark where it was cut. */
function cutLine(line, limit) {
    return line.length <= limit ? line : `${line.slice(0, limit).toWellFormed()}… (${line.length} characters)`;
}
/** The first and last half of a text over `limit` characters, with a note of how much is missing between them. */
function cutMiddle(text, limit, note) {
    if (text.length <= limit)
        return text;
    const half = Math.floor(limit / 2);
    const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
    return `${head.toWellFormed()}\n[… ${text.length - 2 * half} characters left out; ${note} …]\n${tail.toWellFormed()}`;
}

;// CONCATENATED MODULE: ./build/tools/edit-file.js
// editFile: replaces one exact piece of a file, or creates a file.



const input = (z) => z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    oldStr: z.string().describe("Exact text, with its white space; empty: create the file"),
    newStr: z.string(),
});
const editFileTool = {
    name: "editFile",
    description: "Replace oldStr, which must stand in the file exactly once, by newStr; or create a file.",
    input,
    effect: "once",
    risk: "risky",
    summarize: ({ path }) => path,
    facts: async ({ path }, { forTools }) => ({ paths: [plainPath(path), await forTools.locate(path)] }),
    image: async (edit, { forTools }) => imageOf(edit, await forTools.readForEdit(edit.path)),
    fileHash: async ({ path }, { forTools }) => hashOf(await forTools.readForEdit(path)),
    async preview(edit, { workspace, pending }) {
        const key = plainPath(edit.path);
        const onDisk = await workspace.forTools.readForEdit(edit.path);
        const before = pending.get(key) ?? onDisk;
        const after = applyEdit(edit, before);
        pending.set(key, after);
        return {
            title: `${before === undefined ? "Create" : "Edit"} ${key}`,
            content: await showDiff(key, before, after),
            contentKind: "Diff",
            binding: { path: key, ...imageOf(edit, before) },
        };
    },
    async run(edit, { workspace, facts }) {
        const before = await workspace.forTools.readForEdit(edit.path);
        await workspace.forTools.writeText(edit.path, applyEdit(edit, before), facts.paths?.[1]);
        return { text: before === undefined ? `Created ${edit.path}.` : `Edited ${edit.path}.` };
    },
};
function imageOf(edit, before) {
    return { before: hashOf(before), after: hashOf(applyEdit(edit, before)) };
}
function plainPath(path) {
    return path
        .split("/")
        .filter((name) => name !== "" && name !== ".")
        .join("/");
}
/** The file's text after the edit. Refuses, with what to do instead, an edit that is not exactly one replacement. */
function applyEdit({ path, oldStr, newStr }, before) {
    if (oldStr === "") {
        if (before === undefined || before === "")
            return newStr;
        throw refuse(`${path} exists already, so it was not created.`, "Give the text to replace as oldStr.");
    }
    if (before === undefined) {
        throw refuse(`There is no file ${path}.`, "Leave oldStr empty to create it, or find its name with listFiles.");
    }
    if (oldStr === newStr)
        throw refuse("oldStr and newStr are the same.", "Send the text as it shall be.");
    const [first, ...more] = findAll(before, oldStr);
    if (first === undefined)
        throw refuse(`oldStr is not in ${path}.`, explainMiss(before, oldStr));
    if (more.length > 0) {
        const lines = [first, ...more].map((at) => lineAt(before, at)).join(", ");
        throw refuse(`oldStr stands ${more.length + 1} times in ${path}, at lines ${lines}.`, "Take in more lines around it.");
    }
    return before.slice(0, first) + newStr + before.slice(first + oldStr.length);
}
/** Starts of the matches, overlapping ones too; at most 20 are of use. */
function findAll(text, searched) {
    const found = [];
    for (let at = text.indexOf(searched); at >= 0 && found.length < 20; at = text.indexOf(searched, at + 1)) {
        found.push(at);
    }
    return found;
}
function lineAt(text, at) {
    return text.slice(0, at).split("\n").length;
}
function explainMiss(before, oldStr) {
    if (before.includes("\r\n") && findAll(before.replaceAll("\r\n", "\n"), oldStr).length > 0) {
        return "The file's lines end with \\r\\n: write them so in oldStr and newStr.";
    }
    const [wanted = ""] = oldStr.trim().split("\n");
    const at = before.split("\n").findIndex((line) => line.trim() === wanted.trim());
    return at >= 0 && wanted.trim() !== ""
        ? `Line ${at + 1} is like its first line: compare what follows and the white space.`
        : "Read the file again and copy the text as it stands.";
}
/** Unified diff; the library gives up on hard cases, which are then shown as all old lines and all new ones. */
async function showDiff(path, before, after) {
    const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await __webpack_require__.e(/* import() */ 23).then(__webpack_require__.bind(__webpack_require__, 44023));
    const old = before === undefined ? "/dev/null" : `a/${path}`;
    const patch = (limits) => createTwoFilesPatch(old, `b/${path}`, before ?? "", after, undefined, undefined, {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
        ...limits,
    });
    return patch({ timeout: 1_000 }) ?? wholeDiff(old, `b/${path}`, before ?? "", after);
}
function wholeDiff(old, now, before, after) {
    const rows = (text, sign) => text.split("\n").map((line) => `${sign}${line}`);
    return [`--- ${old}`, `+++ ${now}`, ...rows(before, "-"), ...rows(after, "+")].join("\n");
}
function hashOf(text) {
    return text === undefined ? "none" : (0,hash/* sha256Of */.B)(text);
}
function refuse(message, hint) {
    return new errors/* LoopliaError */.$K("config-invalid", cutLine(message, 1_000), { hint });
}

;// CONCATENATED MODULE: ./build/tools/read-texts.js
// Reads many files for a search: some ahead, given in order.

/** More at once gained nothing when measured. */
const AHEAD = 8;
/** Each path with its text; undefined for what is no text or is refused: a search passes over it. */
async function* readTexts(files, paths) {
    const waiting = [];
    for await (const path of paths) {
        const reading = readText(files, path);
        // A search that ends early leaves readings behind: their failure is nobody's.
        reading.catch(() => { });
        waiting.push(reading);
        const first = waiting.length > AHEAD ? waiting.shift() : undefined;
        if (first)
            yield await first;
    }
    for (const reading of waiting)
        yield await reading;
}
async function readText(files, path) {
    try {
        return { path, text: await files.readText(path) };
    }
    catch (error) {
        if (error instanceof errors/* LoopliaError */.$K)
            return { path, text: undefined };
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/tools/grep.js
// grep: lines that match a regular expression, in time linear in the text whatever the pattern.



const MAX_ROWS = 200;
const MAX_ROW = 300;
const MAX_MS = 8_000;
/** Time is at worst instructions × characters: this many steps a line take about half a second. */
const MAX_STEPS = 5_000_000;
const grep_MAX_INSTRUCTIONS = 1_500;
const grep_input = (z) => z.strictObject({
    pattern: z.string().min(1).max(1_000).describe("RE2 syntax: no lookaround, no back-references"),
    path: z.string().default(".").describe("Folder or file"),
    glob: z.string().min(1).max(500).optional().describe("Only these files, e.g. *.ts"),
});
const grepTool = {
    name: "grep",
    description: "Find lines by a regular expression. Rows are path:line: text. Put (?i) first to ignore case.",
    input: grep_input,
    effect: "read",
    risk: "safe",
    summarize: ({ pattern, path }) => `${pattern} in ${path}`,
    async run({ pattern, path, glob }, context) {
        const matcher = await compile(pattern);
        if (typeof matcher === "string")
            return { text: matcher, isError: true };
        const found = await search(matcher, path, glob, context);
        const text = found.rows.join("\n") || `No line matches ${pattern}.`;
        return { text: [text, ...notesOn(found, matcher)].join("\n") };
    },
};
async function compile(pattern) {
    const { RE2JS } = await __webpack_require__.e(/* import() */ 856).then(__webpack_require__.bind(__webpack_require__, 2856));
    try {
        const compiled = RE2JS.compile(pattern);
        const size = compiled.programSize();
        if (size <= grep_MAX_INSTRUCTIONS) {
            return { test: (line) => compiled.test(line), maxLine: Math.floor(MAX_STEPS / size) };
        }
        return `The pattern was refused: it is too large (${size} instructions of ${grep_MAX_INSTRUCTIONS}). Use smaller repetitions.`;
    }
    catch (error) {
        return `The pattern was refused: ${(0,errors/* messageOf */.bD)(error)}. Write it in RE2 syntax.`;
    }
}
async function search(matcher, path, glob, { workspace, signal }) {
    const found = { rows: [], count: 0, cutLines: 0, skipped: 0, isLate: false };
    const deadline = performance.now() + MAX_MS;
    const files = workspace.forTools;
    for await (const { path: file, text } of readTexts(files, files.walk(path, glob))) {
        signal.throwIfAborted();
        if (text === undefined)
            found.skipped += 1;
        else
            searchFile(file, text, matcher, found, deadline);
        if (found.isLate)
            break;
    }
    return found;
}
function searchFile(file, text, matcher, found, deadline) {
    const lines = text.split("\n");
    for (const [index, whole] of lines.entries()) {
        if (performance.now() > deadline) {
            found.isLate = true;
            return;
        }
        const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
        if (line.length > matcher.maxLine)
            found.cutLines += 1;
        if (!matcher.test(line.slice(0, matcher.maxLine)))
            continue;
        found.count += 1;
        if (found.rows.length < MAX_ROWS)
            found.rows.push(`${file}:${index + 1}: ${cutLine(line, MAX_ROW)}`);
    }
}
function notesOn(found, matcher) {
    const { count, cutLines, skipped, isLate } = found;
    return [
        count > MAX_ROWS ? `[the first ${MAX_ROWS} of ${count} lines; narrow pattern, path or glob]` : "",
        cutLines > 0
            ? `[${cutLines} long lines were searched only in their first ${matcher.maxLine} characters]`
            : "",
        skipped > 0 ? `[${skipped} files that are binary, not UTF-8 or over 10 MiB were left out]` : "",
        isLate ? `[stopped after ${MAX_MS / 1000} s, before all files were searched; narrow path or glob]` : "",
    ].filter((note) => note !== "");
}

;// CONCATENATED MODULE: ./build/tools/list-files.js
const list_files_MAX_ROWS = 500;
const list_files_input = (z) => z.strictObject({
    path: z.string().default(".").describe("Folder; . is the root"),
    glob: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe("Relative to path, e.g. **/*.md; without / it matches names"),
});
const listFilesTool = {
    name: "listFiles",
    description: "List the files below a folder, sorted, without .git and node_modules.",
    input: list_files_input,
    effect: "read",
    risk: "safe",
    summarize: ({ path, glob }) => (glob ? `${path} ${glob}` : path),
    async run({ path, glob }, { workspace, signal }) {
        const rows = [];
        let count = 0;
        for await (const file of workspace.forTools.walk(path, glob)) {
            signal.throwIfAborted();
            count += 1;
            if (count <= list_files_MAX_ROWS)
                rows.push(file);
        }
        if (count === 0)
            return { text: `No files${glob ? ` match ${glob}` : ""} below ${path}.` };
        const note = count > list_files_MAX_ROWS ? `\n[the first ${list_files_MAX_ROWS} of ${count} files; narrow path or glob]` : "";
        return { text: rows.join("\n") + note };
    },
};

;// CONCATENATED MODULE: ./build/tools/read-file.js
/** A part of a file that a model can take in at once; the loop cuts results at 30,000. */
const MAX_CHARACTERS = 28_000;
/** A longer line counts as several, so that its end can be reached: a transcript may be one single line. */
const LINES = /[^\n]{1,8000}\n?|\n/gu;
const read_file_input = (z) => z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    offset: z.int().min(1).optional().describe("First line, from 1"),
    limit: z.int().min(1).optional().describe("Number of lines"),
});
const readFileTool = {
    name: "readFile",
    description: "Read a UTF-8 text file. A long file comes in parts: go on at the offset that the note names.",
    input: read_file_input,
    effect: "read",
    risk: "safe",
    summarize: ({ path }) => path,
    async run({ path, offset = 1, limit }, { workspace }) {
        const text = await workspace.forTools.readText(path);
        if (text === "")
            return { text: "(the file is empty)" };
        const lines = text.match(LINES) ?? [];
        if (offset > lines.length) {
            return { text: `${path} has ${lines.length} lines; there is no line ${offset}.`, isError: true };
        }
        const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
        const shown = takeWhole(wanted);
        const next = offset - 1 + shown.count;
        if (next >= lines.length)
            return { text: shown.text };
        const isSplit = lines.slice(0, -1).some((line) => !line.endsWith("\n"));
        const counted = isSplit ? ", each 8,000 characters of a long one counted" : "";
        const note = `[lines ${offset}–${next} of ${lines.length}${counted}; go on with offset ${next + 1}]`;
        return { text: `${shown.text}\n${note}` };
    },
};
/** As many whole lines as fit. */
function takeWhole(lines) {
    let text = "";
    let count = 0;
    for (const line of lines) {
        if (text.length + line.length > MAX_CHARACTERS)
            break;
        text += line;
        count += 1;
    }
    return { text, count };
}

// EXTERNAL MODULE: ./build/tools/report-summary.js
var report_summary = __webpack_require__(52653);
;// CONCATENATED MODULE: ./build/tools/run-command.js

const MAX_OUTPUT = 10_000;
/** What the audit log keeps of a command's output. */
const MAX_WHOLE = 1_000_000;
const run_command_input = (z) => z.strictObject({
    command: z.string().min(1).max(50_000),
    timeoutSeconds: z.int().min(1).max(600).default(30),
});
const runCommandTool = {
    name: "runCommand",
    description: "Run a shell command in the repository's root, without input. Processes left in the background are ended.",
    input: run_command_input,
    effect: "once",
    risk: "risky",
    summarize: ({ command }) => briefly(command),
    facts: async ({ command }) => ({ command }),
    reachesOutside: ({ kind, network }) => kind === "none" || network,
    async preview({ command, timeoutSeconds }, { workspace, pending, follows, redact }) {
        const { variables = {} } = workspace;
        const given = Object.entries(variables).map(([name, value]) => `# with ${name}=${JSON.stringify(value)}`);
        return {
            title: `Run a command (at most ${timeoutSeconds} s)`,
            headline: `Run (at most ${timeoutSeconds} s): ${briefly(redact(command))}`,
            content: [command, ...given].join("\n"),
            contentKind: "PlainText",
            binding: {
                ...(follows === undefined ? { worktree: await workspace.snapshot(pending) } : { follows }),
                ...(given.length > 0 ? { variables: JSON.stringify(variables) } : {}),
            },
        };
    },
    async run({ command, timeoutSeconds }, { workspace, signal }) {
        const result = await workspace.run(command, {
            timeoutMs: timeoutSeconds * 1_000,
            maxOutput: MAX_WHOLE,
            signal,
        });
        const end = signal.aborted ? INTERRUPTED : endOf(result, timeoutSeconds);
        const output = cutMiddle(result.output, MAX_OUTPUT, "write it to a file to see all");
        return {
            text: `${end}\n${output || "(no output)"}`,
            ...(signal.aborted ? { isError: true } : {}),
            ...(output === result.output ? {} : { whole: `${end}\n${result.output}` }),
        };
    },
};
function briefly(command) {
    return cutLine(command.replace(/\s+/g, " "), 100);
}
const INTERRUPTED = "Interrupted together with the run. What it had done by then stays.";
function endOf({ timedOut, exitCode }, timeoutSeconds) {
    if (timedOut)
        return `Stopped after ${timeoutSeconds} s. What it had done stays.`;
    return `Exit code ${exitCode ?? "none: it was ended by a signal"}.`;
}

;// CONCATENATED MODULE: ./build/tools/search-code.js


const LINES_A_PIECE = 40;
const LINES_SHOWN = 6;
const MAX_LINE = 160;
/** Characters indexed in one call (about 150 ms each million), and of one file. */
const MAX_TOTAL = 8_000_000;
const MAX_FILE = 400_000;
const search_code_input = (z) => z.strictObject({
    query: z.string().min(1).max(500),
    limit: z.int().min(1).max(50).default(10).describe("Number of results"),
});
const searchCodeTool = {
    name: "searchCode",
    description: "Search all files by words or parts of names, best first. For exact text use grep.",
    input: search_code_input,
    effect: "read",
    risk: "safe",
    summarize: ({ query }) => query,
    async run({ query, limit }, { workspace, signal }) {
        const { pieces, index, notes } = await indexFiles(workspace, signal);
        const words = new Set(splitWords(query));
        const rows = index
            .search(query)
            .slice(0, limit)
            .flatMap(({ id }) => {
            const piece = pieces[Number(id)];
            return piece ? [showPiece(piece, words)] : [];
        });
        const shown = notes.length > 5 ? [...notes.slice(0, 5), `[${notes.length - 5} more such notes]`] : notes;
        return { text: [rows.join("\n\n") || `Nothing found for ${query}.`, ...shown].join("\n") };
    },
};
async function indexFiles(workspace, signal) {
    const { default: Index } = await __webpack_require__.e(/* import() */ 150).then(__webpack_require__.bind(__webpack_require__, 72150));
    const index = new Index({
        fields: ["path", "text"],
        tokenize: splitWords,
        processTerm: (word) => word,
        searchOptions: { boost: { path: 2 }, prefix: (word) => word.length > 3, fuzzy: false },
    });
    const pieces = [];
    let total = 0;
    const notes = [];
    const files = workspace.forTools;
    for await (const { path, text } of readTexts(files, files.walk("."))) {
        signal.throwIfAborted();
        if (text === undefined)
            continue;
        if (text.length > MAX_FILE) {
            notes.push(`[${path} was not searched: it is too large]`);
            continue;
        }
        if (total + text.length > MAX_TOTAL) {
            notes.push(`[${path} and what comes after it were not searched: there is too much text; use grep]`);
            break;
        }
        total += text.length;
        for (const piece of cutPieces(path, text)) {
            const numbered = { ...piece, id: pieces.length };
            pieces.push(numbered);
            index.add(numbered);
        }
    }
    return { pieces, index, notes };
}
function cutPieces(path, text) {
    const lines = text.split("\n");
    const starts = Array.from({ length: Math.ceil(lines.length / LINES_A_PIECE) }, (_, at) => at * LINES_A_PIECE);
    return starts.map((start) => ({
        path,
        line: start + 1,
        text: lines.slice(start, start + LINES_A_PIECE).join("\n"),
    }));
}
/** Words in lower case: whole names and their parts (`readFile` gives readfile, read, file). */
function splitWords(text) {
    return (text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).flatMap((name) => {
        const parts = name
            .split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
            .filter((part) => part !== "");
        const words = parts.length > 1 ? [name.replaceAll("_", ""), ...parts] : parts;
        return words.map((word) => word.toLowerCase());
    });
}
/** The lines around the one with most of the words. */
function showPiece({ path, line, text }, words) {
    const lines = text.split("\n");
    const scores = lines.map((each) => new Set(splitWords(each).filter((word) => words.has(word))).size);
    const best = Math.max(scores.indexOf(Math.max(...scores)) - 1, 0);
    const shown = lines.slice(best, best + LINES_SHOWN);
    const head = `${path}:${line + best}-${line + best + shown.length - 1}`;
    return [head, ...shown.map((each) => `  ${cutLine(each, MAX_LINE)}`)].join("\n");
}

;// CONCATENATED MODULE: ./build/tools/skill.js
const skill_input = (z) => z.strictObject({
    name: z.string().min(1),
    file: z.string().min(1).optional().describe("One of its files"),
});
const skillTool = {
    name: "Skill",
    description: "Read a skill's instructions, or one of its files, before work that the skill is for.",
    input: skill_input,
    effect: "read",
    risk: "safe",
    summarize: ({ name, file }) => (file ? `${name}/${file}` : name),
    async run({ name, file }, { skills }) {
        const skill = skills.get(name);
        if (!skill) {
            const known = [...skills.keys()].join(", ") || "none";
            return { text: `There is no skill ${JSON.stringify(name)}. Skills: ${known}.`, isError: true };
        }
        if (file === undefined) {
            const list = skill.files.length > 0 ? `\n\nFiles of this skill: ${skill.files.join(", ")}` : "";
            return { text: skill.body + list };
        }
        // Only what is in the list is ever read: the name comes from a model.
        const text = skill.files.includes(file) ? await skill.read(file) : undefined;
        if (text !== undefined)
            return { text };
        const known = skill.files.join(", ") || "none";
        return { text: `The skill ${name} has no file ${JSON.stringify(file)}. Files: ${known}.`, isError: true };
    },
};

;// CONCATENATED MODULE: ./build/tools/task.js
// Task: a subagent does a part of the work in a conversation of its own.

const task_input = (z) => z.strictObject({
    agent: z.string().min(1).optional().describe("Without it a person chooses"),
    prompt: z.string().min(1).describe("All that it needs to know: it sees nothing of this conversation"),
});
const taskTool = {
    name: "Task",
    description: "Let another agent do a part of the work; its last message is the result.",
    input: task_input,
    effect: "reentrant",
    risk: "safe",
    summarize: ({ agent, prompt }) => `${agent ?? "?"}: ${prompt.replace(/\s+/g, " ").slice(0, 80).toWellFormed()}`,
    async run({ agent, prompt }, context) {
        const { names, run } = context.subagents;
        if (names.length === 0)
            return { text: "There are no other agents here. Do it yourself.", isError: true };
        const chosen = agent ?? (await chooseAgent(prompt, context));
        if (typeof chosen !== "string")
            return chosen;
        if (names.includes(chosen))
            return run(chosen, prompt);
        return {
            text: `There is no agent ${JSON.stringify(chosen)}. Agents: ${names.join(", ")}.`,
            isError: true,
        };
    },
};
async function chooseAgent(prompt, { ask, subagents }) {
    const answer = await ask({
        kind: "Select",
        purpose: "assign_subtask",
        title: "Which agent should do this?",
        description: prompt,
        options: subagents.names.map((name) => ({ id: name, label: name })),
    });
    if (answer === "nobody") {
        const text = `Nobody can be asked here. Name the agent yourself: ${subagents.names.join(", ")}.`;
        return { text, isError: true };
    }
    if ("suspended" in answer)
        return answer;
    const { selectedOptionId = "" } = answer;
    if (subagents.names.includes(selectedOptionId))
        return selectedOptionId;
    return {
        text: quoteAnswer("The person chose none of the agents.", answer),
        isError: true,
    };
}

;// CONCATENATED MODULE: ./build/tools/write-artifact.js
// writeArtifact: hands an output to the program, which checks it and writes the file.

const write_artifact_input = (z) => z.strictObject({
    output: z.string().min(1).describe("Its name in the pipeline"),
    content: z
        .unknown()
        .refine((value) => value !== undefined, "is missing")
        .describe("The JSON value itself"),
});
const writeArtifactTool = {
    name: "writeArtifact",
    description: "Deliver an output of your task. It is checked and saved only if valid; otherwise the errors come back: correct them and send it all again.",
    input: write_artifact_input,
    effect: "repeatable",
    risk: "safe",
    summarize: ({ output }) => output,
    async run({ output, content }, { artifacts }) {
        if (typeof content !== "string" || !/^\s*[[{]/.test(content))
            return artifacts.write(output, content);
        let parsed;
        try {
            parsed = JSON.parse(content);
        }
        catch (error) {
            const text = `content is a text that is not JSON: ${(0,errors/* messageOf */.bD)(error)}. Send the JSON value itself.`;
            return { text, isError: true };
        }
        return artifacts.write(output, parsed);
    },
};

;// CONCATENATED MODULE: ./build/tools/registry.js











/** Every tool, in the order in which models are told of them. */
function allTools() {
    return [
        readFileTool,
        listFilesTool,
        grepTool,
        searchCodeTool,
        editFileTool,
        runCommandTool,
        writeArtifactTool,
        askUserTool,
        taskTool,
        skillTool,
        report_summary/* reportSummaryTool */.fy,
    ];
}
const schemas = new WeakMap();
/** The schema of a tool's input, made once. */
async function inputSchema(tool) {
    const { z } = await Promise.all(/* import() */[__webpack_require__.e(156), __webpack_require__.e(618)]).then(__webpack_require__.bind(__webpack_require__, 82618));
    const schema = schemas.get(tool) ?? tool.input(z);
    schemas.set(tool, schema);
    return schema;
}
/** Everything that is wrong with the input of a call, as one reply to the model. */
function inputProblems(error) {
    const problems = error.issues.map(({ path, message }) => {
        const place = path.map(String).join(".");
        return place === "" ? message : `${place}: ${message}`;
    });
    return `The input was not accepted, so nothing was done. ${problems.join("; ")}. Correct it and call again.`;
}


/***/ }),

/***/ 52653:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Uv: () => (/* binding */ summarySchema),
/* harmony export */   fy: () => (/* binding */ reportSummaryTool),
/* harmony export */   pc: () => (/* binding */ SUMMARY_OUTPUT)
/* harmony export */ });
/** Under this name the task loop takes summaries. */
const SUMMARY_OUTPUT = "task-summary";
const input = (z) => z.strictObject({
    task_id: z.string().max(64).nullable().describe("The id of the task that you were given"),
    status: z
        .enum(["done", "blocked", "skipped"])
        .describe("skipped: nothing was tried, and it goes back to where it was"),
    summary: z.string().max(10_000).optional().describe("What was done, or why not"),
    files: z.array(z.string().max(1_000)).max(1_000).optional().describe("Paths that you changed"),
    blockers: z.array(z.string().max(1_000)).max(100).optional().describe("What stands in the way"),
});
/** What a summary must look like, wherever it comes from. */
const summarySchema = input;
const reportSummaryTool = {
    name: "reportSummary",
    description: "End your task: say how it ended. Call it once, last, when all that you did is in place.",
    input,
    effect: "repeatable",
    risk: "safe",
    summarize: ({ task_id, status }) => `${task_id ?? "no task"}: ${status}`,
    run: (summary, { artifacts }) => artifacts.write(SUMMARY_OUTPUT, summary),
};


/***/ })

};

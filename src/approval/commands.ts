// Which commands a person is asked about whatever the rules say: one table. It names what is plainly dangerous; what
// holds back all else is isolation. Pure.

// Reads a command line as the shell does, or not at all: what could mean something else is not read. Pure.
// Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition; bash(1) where it differs.

/** One program with its arguments, quotes taken away. */
type SimpleCommand = {
  words: string[];
  /** Files that its output replaces; `/dev/null`, other descriptors and files that it is appended to are none. */
  written: string[];
};

/** Variables of the shell by name, as a command will find them. */
export type KnownValues = Readonly<Record<string, string>>;

type Token = { kind: "word"; text: string } | { kind: "operator"; text: string };

/**
 * The programs that a command line starts, in order; undefined when that can't be said for certain: expansions,
 * substitutions, patterns that may become options, here-documents, groups, functions, reserved words, assignments,
 * comments, control characters and anything unfinished. A variable of `values` within double quotes is its value.
 */
export function parseCommand(line: string, values: KnownValues = {}): SimpleCommand[] | undefined {
  const tokens = tokenize(line, new Map(Object.entries(values)));
  if (!tokens) return undefined;
  const commands: SimpleCommand[] = [];
  let current: SimpleCommand = { words: [], written: [] };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === "word") current.words.push(token.text);
    else if (token && SEPARATORS.has(token.text)) {
      // A newline may stand anywhere between commands; any other operator needs one before it.
      if (token.text !== "\n" && !isComplete(current)) return undefined;
      if (isComplete(current)) commands.push(current);
      else if (current.written.length > 0 || current.words.length > 0) return undefined;
      current = { words: [], written: [] };
    } else if (token) {
      const target = tokens[at + 1];
      if (target?.kind !== "word") return undefined;
      if (isWritten(token.text, target.text)) current.written.push(target.text);
      at += 1;
    }
  }
  if (isComplete(current)) commands.push(current);
  else if (current.words.length > 0 || current.written.length > 0) return undefined;
  const last = tokens.findLast((token) => token.text !== "\n" || token.kind === "word");
  if (last?.kind === "operator" && !MAY_END.has(last.text)) return undefined;
  return commands.length > 0 ? commands : undefined;
}

const SEPARATORS = new Set(["\n", ";", "&", "&&", "||", "|", "|&"]);
const MAY_END = new Set([";", "&"]);

/** They begin something longer than a simple command, or change how what follows is read. */
const RESERVED = new Set(
  "! [[ { } case coproc do done elif else esac fi for function if in select then time until while".split(" "),
);

function isComplete({ words: [name] }: SimpleCommand): boolean {
  if (name === undefined || name === "" || RESERVED.has(name)) return false;
  return !PATTERN.test(name) && !/^[A-Za-z_]\w*\+?=/.test(name);
}

/** Whether a redirection replaces what is in a file. `target` of `>&` may be a descriptor. */
function isWritten(operator: string, target: string): boolean {
  if (!operator.includes(">") || operator.endsWith(">>")) return false;
  if (operator.endsWith(">&") && /^(\d+|-)$/.test(target)) return false;
  return target !== "/dev/null";
}

const CONTROL = /[^\P{Cc}\t\n]/u;
/** Anything else outside of quotes is not read. */
const PLAIN = /[A-Za-z0-9_./:@%+=,^-]/;
/** A pattern may become any word that is a file's name, an option or `push`, unless a folder stands before it. */
const PATTERN = /[*?[\]]/;
const OPERATOR = /^(?:&&|\|\||\|&|&>>|&>|[;&|\n]|\d*(?:>>|>\||>&|<&|<>|>|<))/;

type Values = ReadonlyMap<string, string>;

function tokenize(line: string, values: Values): Token[] | undefined {
  if (CONTROL.test(line) || !line.isWellFormed()) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at);
    const blank = /^(?:[ \t]|\\\n)+/.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const operator = OPERATOR.exec(rest)?.[0];
    if (operator !== undefined) {
      // `<<`, `;;`, `&|` and the like
      if (/^[<>;&|]/.test(rest.slice(operator.length)) && operator !== "\n") return undefined;
      tokens.push({ kind: "operator", text: operator });
      at += operator.length;
      continue;
    }
    const word = readWord(rest, values);
    if (!word) return undefined;
    tokens.push({ kind: "word", text: word.text });
    at += word.length;
  }
  return tokens;
}

/** The word that `rest` begins with; `length` counts its characters with quotes. */
function readWord(rest: string, values: Values): { text: string; length: number } | undefined {
  let text = "";
  let at = 0;
  while (at < rest.length) {
    const character = rest.charAt(at);
    if (/[ \t\n;&|<>]/.test(character)) break;
    const piece = readPiece(rest.slice(at), text, values);
    if (!piece) return undefined;
    text += piece.text;
    at += piece.length;
  }
  return at === 0 ? undefined : { text, length: at };
}

/** `before` is what the word begins with. */
function readPiece(
  rest: string,
  before: string,
  values: Values,
): { text: string; length: number } | undefined {
  const character = rest.charAt(0);
  const isPattern = PATTERN.test(character) && before.includes("/");
  // A tilde is a home folder at the start of a word, or behind `:` or `=`.
  const isTilde = character === "~" && /[\w^]$/.test(before);
  if (PLAIN.test(character) || isPattern || isTilde) return { text: character, length: 1 };
  const single = /^'([^']*)'/.exec(rest);
  if (single) return { text: single[1] ?? "", length: single[0].length };
  const double = DOUBLE_QUOTED.exec(rest);
  if (double) {
    const text = unquote(double[1] ?? "", values);
    return text === undefined ? undefined : { text, length: double[0].length };
  }
  const escaped = /^\\([\s\S])/.exec(rest);
  if (!escaped) return undefined;
  return { text: escaped[1] === "\n" ? "" : (escaped[1] ?? ""), length: 2 };
}

const DOUBLE_QUOTED = /^"((?:[^"\\$`!]|\\[\s\S]|\$\w+|\$\{\w+\})*)"/;
/** Within double quotes a backslash quotes only these; before others it stands for itself. */
const QUOTED = /\\([$`"\\\n])|\$(?:(\w+)|\{(\w+)\})/g;

/** What stands between double quotes, as the program gets it; undefined where a variable in it is not known. */
function unquote(quoted: string, values: Values): string | undefined {
  let isKnown = true;
  const text = quoted.replace(QUOTED, (_, escaped?: string, plain?: string, braced?: string) => {
    if (escaped !== undefined) return escaped === "\n" ? "" : escaped;
    const value = values.get(plain ?? braced ?? "");
    if (value === undefined || CONTROL.test(value) || !value.isWellFormed()) isKnown = false;
    return value ?? "";
  });
  return isKnown ? text : undefined;
}

const UNREADABLE = "can't be read for certain";
type Danger =
  | "deletes"
  | "overwrites"
  | "rewrites history"
  | "publishes"
  | "takes privileges"
  | typeof UNREADABLE;

type Arguments = readonly string[];
type Condition = (args: Arguments) => boolean;
/** Programs without their folder; without a condition they are always dangerous. */
type Row = readonly [danger: Danger, programs: string, when?: Condition];

const some =
  (pattern: RegExp): Condition =>
  (args) =>
    args.some((arg) => pattern.test(arg));
const first =
  (pattern: RegExp): Condition =>
  ([arg = ""]) =>
    pattern.test(arg);
const both =
  (one: Condition, other: Condition): Condition =>
  (args) =>
    one(args) && other(args);
const either =
  (one: Condition, other: Condition): Condition =>
  (args) =>
    one(args) || other(args);
const not =
  (condition: Condition): Condition =>
  (args) =>
    !condition(args);

/** `uniq <in> <out>` writes the second. */
const isSecondNamed: Condition = (args) => args.filter((arg) => !arg.startsWith("-")).length > 1;

/** Between two delimiters: an escape, a whole class of characters without the delimiter, or any other character. */
const betweenDelimiters = (delimiter: string) =>
  `(?:[^${delimiter}\\\\[\\n]|\\\\.|\\[\\^?[^\\]^${delimiter}\\\\\\n][^\\]${delimiter}\\\\\\n]*\\])*`;
const SED_ADDRESS = `(?:\\d+|\\$|/${betweenDelimiters("/")}/)`;
const SED_SUBSTITUTIONS = ["/", "|", "#", ","].map((mark) => {
  const delimiter = mark === "|" ? "\\|" : mark;
  return `s${delimiter}${betweenDelimiters(delimiter)}${delimiter}(?:[^${delimiter}\\\\\\n]|\\\\.)*${delimiter}[gpiI0-9]*`;
});
const SED_COMMAND = `(?:${SED_ADDRESS}(?:,${SED_ADDRESS})? *)?(?:! *)?(?:[pdDPgGhHxnNq=]|${SED_SUBSTITUTIONS.join("|")}) *`;
/** Commands that neither write files, nor read others, nor start programs. */
const SED_SCRIPT = new RegExp(`^ *${SED_COMMAND}(?:[;\\n] *${SED_COMMAND})*$`);

/** Options and scripts that neither write files nor start programs. */
const isPlainSed: Condition = (args) => {
  const scripts: string[] = [];
  const names: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (/^-[nErsz]*e$/.test(arg)) {
      at += 1;
      scripts.push(args[at] ?? "");
    } else if (!arg.startsWith("-")) names.push(arg);
    else if (!/^-[nErszi]+$/.test(arg)) return false;
  }
  const given = scripts.length > 0 ? scripts : names.slice(0, 1);
  return given.length > 0 && given.every((script) => SED_SCRIPT.test(script));
};

/** `-F` and `-v`, and a program that neither writes files, nor starts others, nor calls by a name that it makes up. */
const isPlainAwk: Condition = (args) => {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (/^-[Fv]/.test(arg)) at += arg.length === 2 ? 1 : 0;
    else if (arg.startsWith("-")) return false;
    else return !/\bsystem\b|[|>@]/.test(arg.replace(/\|\||>=/g, " "));
  }
  return false;
};
const KNOWN_GIT = new RegExp(
  `^(?:${[
    "add|am|annotate|apply|blame|branch|cat-file|check-ignore|checkout|cherry|cherry-pick|clean|commit|describe|diff",
    "fetch|filter-branch|gc|grep|help|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|notes|prune|pull|push",
    "rebase|reflog|remote|replace|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|stash|status|switch",
    "symbolic-ref|tag|update-ref|version|worktree|--version|--help",
  ].join("|")})$`,
);

const TABLE: readonly Row[] = [
  ["deletes", "rm rmdir unlink shred srm rimraf del trash trash-put wipefs mkfs mkfs.ext4 fdisk parted"],
  ["deletes", "find", some(/^-delete$/)],
  ["deletes", "rsync", some(/^--(?:del|remove)/)],
  ["deletes", "git", first(/^(?:clean|rm)$/)],
  ["overwrites", "tee dd mv cp ln install truncate patch sponge rsync unzip gunzip bunzip2 unxz 7z cpio"],
  ["overwrites", "gzip bzip2 xz lzma zstd zip rename dos2unix unix2dos split csplit"],
  ["overwrites", "uniq", isSecondNamed],
  ["overwrites", "shuf", some(/^-[a-zA-Z]*o|^--o/)],
  ["overwrites", "sed gsed", some(/^-[nErsz]*i|^--in-place/)],
  ["overwrites", "yq", some(/^-[a-zA-Z]*[is]|^--(?:in-?p|split)/)],
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
  [UNREADABLE, "awk gawk mawk nawk", not(isPlainAwk)],
  [UNREADABLE, "vi vim nvim ex ed emacs screen tmux entr"],
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

const byProgram = new Map<string, Row[]>();
for (const row of TABLE) {
  for (const program of row[1].split(" ")) byProgram.set(program, [...(byProgram.get(program) ?? []), row]);
}

/** What is dangerous about a command line, in words; empty when nothing is known to be. */
export function commandDangers(line: string, values: KnownValues = {}): string[] {
  const commands = parseCommand(line, values);
  return commands ? [...new Set(commands.flatMap(dangersOf))] : [`${UNREADABLE}: ${line}`];
}

function dangersOf({ words, written }: SimpleCommand): string[] {
  const shown = words.join(" ");
  return [
    ...dangersOfWords(words).map((danger) => `${danger}: ${shown}`),
    ...written.map((path) => `overwrites: ${path} (${shown})`),
  ];
}

function dangersOfWords([name = "", ...args]: readonly string[]): Danger[] {
  const program = programName(name);
  const rows = byProgram.get(program) ?? [];
  return [
    ...rows.filter(([, , when]) => when?.(args) ?? true).map(([danger]) => danger),
    ...programsThatAreRun(program, args).flatMap(dangersOfWords),
  ];
}

/** A program as the table names it: `/usr/bin/RM.exe` is `rm`. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/(?<=.)\.(?:exe|cmd|bat|ps1)$/, "");
}

/** `npx rimraf dist`, `pnpm exec rm x`: what may be run is judged as if it stood alone. */
function programsThatAreRun(program: string, args: Arguments): Arguments[] {
  const isRunner = /^(?:npx|bunx|pnpx|uvx|yarn|pnpm|bun)$/.test(program);
  const isManager = /^(?:npm|pnpm|yarn|bun|uv|poetry|pdm|pipx|bundle)$/.test(program);
  const starts = args.flatMap((arg, at) => (isManager && /^(?:exec|x|dlx|run)$/.test(arg) ? [at + 1] : []));
  return [...(isRunner ? [0] : []), ...starts].map((start) => {
    const rest = args.slice(start);
    const at = rest.findIndex((arg) => !arg.startsWith("-"));
    return at < 0 ? [] : rest.slice(at);
  });
}

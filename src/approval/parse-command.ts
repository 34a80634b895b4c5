// Parses a command line as the shell does; ambiguous lines are not parsed at all. Pure.
// Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition; bash(1) where it
// differs.

/** One program with its arguments, unquoted. */
export type SimpleCommand = {
  words: string[];
  /** Files that its output overwrites; excludes `/dev/null`, other descriptors and appending. */
  written: string[];
  /** Files that its output goes to the end of. */
  appended: string[];
  /** Files that its input comes from. */
  read: string[];
  /** Its input is the previous command's output. */
  isPiped?: true;
};

/** Shell variables with the values that a command will see. */
export type KnownValues = Readonly<Record<string, string>>;

type Token = { kind: "word"; text: string } | { kind: "operator"; text: string };

/**
 * The programs that a command line starts, in order; undefined when that is uncertain: expansions,
 * substitutions, patterns that may become options, here-documents, groups, functions, reserved words,
 * assignments, comments, control characters and anything unfinished. A variable from `values` within double
 * quotes is replaced by its value.
 */
export function parseCommand(line: string, values: KnownValues = {}): SimpleCommand[] | undefined {
  const tokens = tokenize(line, new Map(Object.entries(values)));
  if (!tokens) return undefined;
  const commands: SimpleCommand[] = [];
  let current: SimpleCommand = { words: [], written: [], appended: [], read: [] };
  // A redirection alone also makes a command.
  let isBegun = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === "word") {
      current.words.push(token.text);
      isBegun = true;
    } else if (token && SEPARATORS.has(token.text)) {
      // A newline may occur anywhere between commands; any other operator needs a command before it.
      if ((isBegun || token.text !== "\n") && !isComplete(current)) return undefined;
      if (isBegun) commands.push(current);
      const isPipe = token.text === "|" || token.text === "|&";
      // After a pipe the command may follow on the next line.
      const isPiped = isPipe || (!isBegun && current.isPiped === true);
      current = { words: [], written: [], appended: [], read: [], ...(isPiped ? { isPiped } : {}) };
      isBegun = false;
    } else if (token) {
      const target = tokens[at + 1];
      if (target?.kind !== "word") return undefined;
      if (isWritten(token.text, target.text)) current.written.push(target.text);
      if (token.text.endsWith(">>")) current.appended.push(target.text);
      if (/^\d*<(?!&)>?$/.test(token.text) && target.text !== "/dev/null") current.read.push(target.text);
      isBegun = true;
      at += 1;
    }
  }
  if (isBegun && !isComplete(current)) return undefined;
  if (isBegun) commands.push(current);
  const last = tokens.findLast((token) => token.text !== "\n" || token.kind === "word");
  if (last?.kind === "operator" && !MAY_END.has(last.text)) return undefined;
  return commands.length > 0 ? commands : undefined;
}

const SEPARATORS = new Set(["\n", ";", "&", "&&", "||", "|", "|&"]);
const MAY_END = new Set([";", "&"]);

/** Words that begin a compound command, or change how the following text is read. */
const RESERVED = new Set(
  "! [[ { } case coproc do done elif else esac fi for function if in select then until while".split(" "),
);

function isComplete({ words: [name] }: SimpleCommand): boolean {
  return name !== undefined && isProgramName(name);
}

/** False for words that can't be a program's name: a reserved word, a pattern, an assignment. */
export function isProgramName(name: string): boolean {
  if (name === "" || RESERVED.has(name)) return false;
  return !PATTERN.test(name) && !/^[A-Za-z_]\w*\+?=/.test(name);
}

/** Whether a redirection overwrites a file. `target` of `>&` may be a descriptor. */
function isWritten(operator: string, target: string): boolean {
  if (!operator.includes(">") || operator.endsWith(">>")) return false;
  if (operator.endsWith(">&") && /^(\d+|-)$/.test(target)) return false;
  return target !== "/dev/null";
}

const CONTROL = /[^\P{Cc}\t\n]/u;
/** Any other unquoted character makes the line unreadable. */
const PLAIN = /[A-Za-z0-9_./:@%+=,^-]/;
/** A pattern may expand to any file name, so to an option or `push`, unless a folder precedes it. */
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

/** The word that `rest` begins with; `length` includes its quotes. */
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

/** `before` is the word's beginning. */
function readPiece(
  rest: string,
  before: string,
  values: Values,
): { text: string; length: number } | undefined {
  const character = rest.charAt(0);
  const isPattern = PATTERN.test(character) && before.includes("/");
  // A tilde means a home folder at the start of a word, or after `:` or `=`.
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
/** Within double quotes a backslash escapes only these; before others it is an ordinary character. */
const QUOTED = /\\([$`"\\\n])|\$(?:(\w+)|\{(\w+)\})/g;

/** The content of double quotes as the program receives it; undefined if it uses an unknown variable. */
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

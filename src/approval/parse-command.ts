// Reads a command line as the shell does, or not at all: what could mean something else is not read. Pure.
// Source: POSIX.1-2024, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition; bash(1) where it differs.

/** One program with its arguments, quotes taken away. */
export type SimpleCommand = {
  words: string[];
  /** Files that its output is written to; `/dev/null` and other descriptors are none. */
  written: string[];
};

type Token = { kind: "word"; text: string } | { kind: "operator"; text: string };

/**
 * The programs that a command line starts, in order; undefined when that can't be said for certain: expansions,
 * substitutions, patterns that may become options, here-documents, groups, functions, reserved words, assignments,
 * comments, control characters and anything unfinished.
 */
export function parseCommand(line: string): SimpleCommand[] | undefined {
  const tokens = tokenize(line);
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

/** Whether a redirection writes a file. `target` of `>&` may be a descriptor. */
function isWritten(operator: string, target: string): boolean {
  if (!operator.includes(">")) return false;
  if (operator.endsWith(">&") && /^(\d+|-)$/.test(target)) return false;
  return target !== "/dev/null";
}

const CONTROL = /[^\P{Cc}\t\n]/u;
/** Anything else outside of quotes is not read. */
const PLAIN = /[A-Za-z0-9_./:@%+=,^-]/;
/** A pattern may become any word that is a file's name, an option or `push`, unless a folder stands before it. */
const PATTERN = /[*?[\]]/;
const OPERATOR = /^(?:&&|\|\||\|&|&>>|&>|[;&|\n]|\d*(?:>>|>\||>&|<&|<>|>|<))/;

function tokenize(line: string): Token[] | undefined {
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
    const word = readWord(rest);
    if (!word) return undefined;
    tokens.push({ kind: "word", text: word.text });
    at += word.length;
  }
  return tokens;
}

/** The word that `rest` begins with; `length` counts its characters with quotes. */
function readWord(rest: string): { text: string; length: number } | undefined {
  let text = "";
  let at = 0;
  while (at < rest.length) {
    const character = rest.charAt(at);
    if (/[ \t\n;&|<>]/.test(character)) break;
    const piece = readPiece(rest.slice(at), text);
    if (!piece) return undefined;
    text += piece.text;
    at += piece.length;
  }
  return at === 0 ? undefined : { text, length: at };
}

/** `before` is what the word begins with. */
function readPiece(rest: string, before: string): { text: string; length: number } | undefined {
  const character = rest.charAt(0);
  const isPattern = PATTERN.test(character) && before.includes("/");
  // A tilde is a home folder at the start of a word, or behind `:` or `=`.
  const isTilde = character === "~" && /[\w^]$/.test(before);
  if (PLAIN.test(character) || isPattern || isTilde) return { text: character, length: 1 };
  const single = /^'([^']*)'/.exec(rest);
  if (single) return { text: single[1] ?? "", length: single[0].length };
  const double = /^"((?:[^"\\$`!]|\\[\s\S])*)"/.exec(rest);
  if (double) {
    // Within double quotes a backslash quotes only these; before others it stands for itself.
    const text = (double[1] ?? "").replace(/\\([$`"\\\n])/g, (_, quoted: string) =>
      quoted === "\n" ? "" : quoted,
    );
    return { text, length: double[0].length };
  }
  const escaped = /^\\([\s\S])/.exec(rest);
  if (!escaped) return undefined;
  return { text: escaped[1] === "\n" ? "" : (escaped[1] ?? ""), length: 2 };
}

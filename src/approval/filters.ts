// Which commands after a pipe only shorten the output of the one before. Pure.

/** `flags`: letters without a value; `counted`: letters with a number; `long`: whole long options. */
type Filter = { flags: string; counted: string; long: RegExp; takesPattern?: true };

const NEVER = /^(?!)/;
const FILTERS = new Map<string, Filter>([
  ["head", { flags: "qvz", counted: "nc", long: /^--(?:lines|bytes)=[+-]?\d+$/ }],
  ["tail", { flags: "qvz", counted: "nc", long: /^--(?:lines|bytes)=[+-]?\d+$/ }],
  ["wc", { flags: "lwcmL", counted: "", long: /^--(?:lines|words|bytes|chars|max-line-length)$/ }],
  ["grep", { flags: "ivwxcnoEFPGqshHa", counted: "mABC", long: NEVER, takesPattern: true }],
]);

/**
 * True for `head`, `tail`, `wc` and `grep` with the options listed here and, for `grep`, a pattern: then it reads nothing but
 * its input. A file, recursion or any other option means false.
 */
export function isFilter([name = "", ...args]: readonly string[]): boolean {
  const filter = FILTERS.get(name);
  if (!filter) return false;
  let named = 0;
  let operands = 0;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (filter.takesPattern && arg === "-e") {
      at += 1;
      if (args[at] === undefined) return false;
      named += 1;
    } else if (arg.startsWith("-")) {
      const read = readOption(arg, args[at + 1], filter);
      if (read === undefined) return false;
      at += read;
    } else operands += 1;
  }
  // Without `-e` the first operand is the pattern; any other operand is a file.
  const patterns = filter.takesPattern && named === 0 ? 1 : 0;
  return operands === patterns;
}

/** How many further words the option takes; undefined for one that is not listed. */
function readOption(
  arg: string,
  next: string | undefined,
  { flags, counted, long }: Filter,
): number | undefined {
  if (long.test(arg)) return 0;
  // `-5` of head and tail.
  if (counted.includes("n") && /^-\d+$/.test(arg)) return 0;
  const [, letters = "", rest = ""] = /^-([A-Za-z]+)([+-]?\d*)$/.exec(arg) ?? [];
  if (letters === "") return undefined;
  const last = letters.at(-1) ?? "";
  if (![...letters.slice(0, -1)].every((letter) => flags.includes(letter))) return undefined;
  if (counted.includes(last)) {
    if (rest !== "") return 0;
    return /^[+-]?\d+$/.test(next ?? "") ? 1 : undefined;
  }
  return flags.includes(last) && rest === "" ? 0 : undefined;
}

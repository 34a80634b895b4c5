// Parses the rules of `policy`.
import { isServerTool, type PolicyRule } from "../core/events.ts";
import { suggestName } from "./diagnostics.ts";

/** Every tool that an agent can be given (INTERFACE §8). */
export const TOOL_NAMES = [
  "readFile",
  "listFiles",
  "grep",
  "searchCode",
  "editFile",
  "runCommand",
  "writeArtifact",
  "askUser",
  "Task",
  "Skill",
  "reportSummary",
] as const;

const EFFECTS = ["deny", "ask", "allow"] as const;
type Effect = (typeof EFFECTS)[number];

type ReadRule = { effect: Effect; tool: string; rest: string };

/** The compiled rules. `lines` were checked with `policyProblem`; invalid lines are left out. */
export async function readPolicy(lines: readonly string[]): Promise<PolicyRule[]> {
  const rules: PolicyRule[] = [];
  for (const text of lines) {
    const read = readRule(text);
    if ("problem" in read) continue;
    const { effect, tool, rest } = read;
    const rule: PolicyRule = { effect, tool, text };
    if (rest !== "" && tool === "editFile") rule.matchesPath = await compileGlob(rest);
    if (rest !== "" && tool === "runCommand") Object.assign(rule, commandOf(rest));
    rules.push(rule);
  }
  return rules;
}

const MORE = /^(?:…|\.\.\.)$/;

function commandOf(rest: string): { words: string[]; andMore?: true } {
  const words = rest.split(/\s+/);
  return MORE.test(words.at(-1) ?? "") ? { words: words.slice(0, -1), andMore: true } : { words };
}

/** Programs that do little without further words. */
const NEEDS_MORE =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run| exec)?|npx|deno(?: run)?|cargo|go(?: run)?|git|gh|python[\d.]*(?: -m)?|pip[\d.]*|poetry|uv|mvn|gradle|bundle(?: exec)?|dotnet|composer|php|node|ruby|java|cat|ls|grep|rg|find|touch|mkdir|echo)$/;

/** What a rule allows now, if it was probably meant to allow more; otherwise undefined. */
export function prefixProblem(text: string): string | undefined {
  const read = readRule(text);
  if ("problem" in read || read.effect !== "allow" || read.tool !== "runCommand") return undefined;
  const { words, andMore } = commandOf(read.rest);
  const command = words.join(" ");
  if (andMore || !NEEDS_MORE.test(command)) return undefined;
  return `the rule ${JSON.stringify(text)} allows only the command \`${command}\` without more words`;
}

const DOES = { deny: "is refused", ask: "needs a person", allow: "runs unasked" };

/** What a valid rule does, for people; undefined for an invalid one. */
export function describeRule(text: string): string | undefined {
  const read = readRule(text);
  if ("problem" in read) return undefined;
  const limit = read.effect === "allow" ? "; what is dangerous still needs a person" : "";
  return `${text.trim()}: ${subjectOf(read)} ${DOES[read.effect]}${limit}`;
}

function subjectOf({ effect, tool, rest }: ReadRule): string {
  if (tool !== "runCommand") return rest === "" ? `each call of ${tool}` : `each call of ${tool} on ${rest}`;
  if (rest === "") return "each command";
  const { words, andMore } = commandOf(rest);
  const command = `\`${words.join(" ")}\``;
  if (effect !== "allow") return `${command}, with any options and further words,`;
  return andMore
    ? `${command}, with any further words that begin with neither \`-\` nor \`@\`,`
    : `exactly ${command}`;
}

/** What is wrong with a rule, and what to write instead; undefined for a valid rule. */
export function policyProblem(text: string): string | undefined {
  const read = readRule(text);
  return "problem" in read ? `the rule ${JSON.stringify(text)} ${read.problem}` : undefined;
}

function readRule(text: string): ReadRule | { problem: string } {
  const [, word = "", tool = "", rest = ""] = /^(\S+)(?:\s+(\S+))?(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  const effect = EFFECTS.find((known) => known === word);
  if (!effect) return { problem: `begins with none of ${EFFECTS.join(", ")}` };
  const names: readonly string[] = TOOL_NAMES;
  if (!names.includes(tool) && !isServerTool(tool)) {
    if (tool === "") return { problem: "names no tool" };
    const close = suggestName(tool, names) ?? `there are ${names.join(", ")}`;
    return { problem: `names ${JSON.stringify(tool)}, which is not a tool (${close})` };
  }
  const problem = rest === "" ? undefined : problemOfRest(tool, rest);
  return problem === undefined ? { effect, tool, rest } : { problem };
}

function problemOfRest(tool: string, rest: string): string | undefined {
  if (tool === "runCommand") {
    const { words } = commandOf(rest);
    if (words.length === 0) return "names no command before …; leave both out to mean every command";
    const isPlain = words.every((word) => /^[\w@%+=:,./-]+$/.test(word) && !MORE.test(word));
    return isPlain
      ? undefined
      : "has more than plain words after runCommand; quotes and patterns have no meaning there, and … is only allowed at the end";
  }
  if (tool !== "editFile") return `says more than the tool: ${tool} has neither paths nor commands`;
  if (/\s/.test(rest)) return "has a space in its glob; write one rule per glob";
  if (/^[/!]|(^|\/)\.\.(\/|$)|\\/.test(rest)) {
    return "has a glob that begins with / or !, or leads out with ..; write it relative to the root";
  }
  return undefined;
}

/** `*` matches within a name, `**` across folders; names that begin with a dot are matched too. */
async function compileGlob(glob: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import("picomatch");
  const matches = picomatch(glob.replace(/^\.\//, ""), { dot: true });
  // The library's function takes a second argument, so it must not be passed to `every`.
  return (path) => matches(path);
}

// Decides from tool, arguments, rules and isolation whether a call is allowed, denied or needs an approval.
// Pure.
import { coversTool, type PolicyRule } from "../core/events.ts";
import { foldName } from "../core/json.ts";
import type { Isolation } from "../core/ports.ts";
import { commandDangers, programName, programsIn, unwrapCommand, withoutVersion } from "./commands.ts";
import { isFilter } from "./filters.ts";
import { type KnownValues, parseCommand, type SimpleCommand } from "./parse-command.ts";

// The one list of files that decide what runs or who has permission. Editing them needs an approval, isolated
// commands can only read them, and changes by any command are reverted (SECURITY, first row). Pure.

/** Matches in every folder, since a workflow may run in any; a folder stands for all of its contents. */
const DECIDING = new Set([
  ...["looplia.yml", "action.yml", "action.yaml", "codeowners"],
  ...[".claude", ".github", ".husky", ".npmrc", ".envrc"],
]);
/** Only at the root: tools of people and other agents read them there. */
const AT_ROOT = new Set(["claude.md", "agents.md", ".mcp.json", ".gitlab-ci.yml", ".gitmodules", ".vscode"]);
/** Directly in `.looplia`, wherever that folder is. */
const WORKSPACE = new Set(["pipelines", ".claude", "claude.md", "user-profile.json", "contentitem", "state"]);

/**
 * Whether changing the file would widen an agent's own power. `path` is relative to the worktree;
 * `settingsFile` is the configured path of the settings file.
 */
function isDangerousPath(path: string, settingsFile: string): boolean {
  const names = namesOf(path);
  if (names.join("/") === namesOf(settingsFile).join("/") || names[0] === ".git") return true;
  if (AT_ROOT.has(names[0] ?? "")) return true;
  return names.some(
    (name, at) => DECIDING.has(name) || (name === ".looplia" && WORKSPACE.has(names[at + 1] ?? "")),
  );
}

/**
 * Tests for searching a worktree after a command: all of `isDangerousPath` but the state, which the program
 * and other processes write meanwhile. `leadsThere`: whether a link at the path could put other files in the
 * place of listed ones. `mayMatter`: whether a path that ends in the name can be either.
 */
export function listDecidingPaths(settingsFile: string) {
  const settings = namesOf(settingsFile);
  const known = new Set([...DECIDING, ...AT_ROOT, ...WORKSPACE, ".looplia", ...settings]);
  const isState = (names: readonly string[]) =>
    names.some((name, at) => name === ".looplia" && names[at + 1] === "state");
  return {
    decides: (path: string) => isDangerousPath(path, settingsFile) && !isState(namesOf(path)),
    leadsThere(path: string) {
      const names = namesOf(path);
      return names.at(-1) === ".looplia" || settings.join("/").startsWith(`${names.join("/")}/`);
    },
    // Folding is slow, and nearly all names consist of plain characters.
    mayMatter: (name: string) => known.has(PLAIN_NAME.test(name) ? name.toLowerCase() : foldName(name)),
  };
}

/** `foldName` only lower-cases such a name. */
const PLAIN_NAME = /^[A-Za-z0-9_.-]*[A-Za-z0-9_-]$/;

function namesOf(path: string): string[] {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .map(foldName);
}

/** The settings that decide. */
export type GateRules = {
  policy: readonly PolicyRule[];
  /** Applies when no rule matches. */
  approval: "risky" | "all" | "none";
  sandbox: "auto" | "required" | "off";
  /** The settings file, relative to the worktree. */
  settingsFile: string;
};

/** The parts of a call that decide. */
type GatedCall = {
  tool: string;
  risk: "safe" | "risky";
  /** True for tools that ask a person themselves, or delegate to calls that are gated one by one. */
  asksItself: boolean;
  /** A command line that would run. */
  command?: string;
  /** Values of the command's variables that are certain. */
  values?: KnownValues;
  /** Files that would change, by given and real path, relative to the worktree. */
  paths?: readonly string[];
  /** What looks like keys in the input. */
  keys?: readonly { kind: string }[];
};

/** `dangers`, in words: reasons to ask whatever the rules say. */
type Decision = { kind: "allow" } | { kind: "ask"; dangers: string[] } | { kind: "deny"; reason: string };

/**
 * Precedence: `deny`, `ask`, `allow`, then `approval`; a danger always needs an approval. Isolation matters
 * only for commands.
 */
export function decideCall(
  call: GatedCall,
  rules: GateRules,
  place: { readonly isolation: Isolation },
): Decision {
  const ruled =
    call.command === undefined
      ? ruleOf(call, rules.policy)
      : ruleOfCommand(parseCommand(call.command, call.values), call.tool, rules.policy);
  if (ruled?.effect === "deny") {
    return {
      kind: "deny",
      reason: `The rule ${JSON.stringify(ruled.text)} of the policy forbids this. Find another way, or do without it.`,
    };
  }
  const isolation = call.command === undefined ? undefined : place.isolation;
  const isOpen = isolation?.kind === "none";
  if (isOpen && rules.sandbox === "required") {
    return {
      kind: "deny",
      reason: `Commands must run isolated here (sandbox: required), but can't: ${isolation.reason ?? "there is no isolation"}. Find a way without a command.`,
    };
  }
  const dangers = dangersOf(call, rules.settingsFile);
  const needsPerson =
    dangers.length > 0 || (isOpen && isolation.isOff !== true) || isAskedByDefault(call, rules, ruled);
  return needsPerson ? { kind: "ask", dangers } : { kind: "allow" };
}

function isAskedByDefault(call: GatedCall, { approval }: GateRules, rule: PolicyRule | undefined): boolean {
  if (rule) return rule.effect === "ask";
  if (call.asksItself || approval === "none") return false;
  return approval === "all" || call.risk === "risky";
}

function dangersOf({ command, values, paths = [], keys = [] }: GatedCall, settingsFile: string): string[] {
  const changed = paths.filter((path) => isDangerousPath(path, settingsFile));
  const inFiles = changed.map((path) => `changes ${path}${WHICH_DECIDES}`);
  const inInput = keys.map(
    ({ kind }) => `contains what looks like a key (${kind}), which may reach the branch`,
  );
  const inCommand =
    command === undefined
      ? []
      : [
          ...(parseCommand(command, values) ?? []).flatMap((one) => namedDangers(one, settingsFile)),
          ...commandDangers(command, values),
        ];
  return [...new Set([...inFiles, ...inInput, ...inCommand])];
}

/** Programs whose words can't make them write the file that a word names; git by its subcommand. */
const READERS = new Set("cat head tail grep rg ls wc stat echo".split(" "));
const GIT_READERS = new Set("log show diff status blame grep ls-files add commit".split(" "));

/** `go build -o .npmrc`, `echo x >> .envrc`: any word of another program may name what the program writes. */
function namedDangers({ words, written, appended }: SimpleCommand, settingsFile: string): string[] {
  const [name = "", first = ""] = unwrapCommand(words) ?? [];
  const isReader = READERS.has(name) || (name === "git" && GIT_READERS.has(first));
  const named = [...(isReader ? [] : words.slice(1)), ...written, ...appended];
  const deciding = named.find((word) => pathsIn(word).some((path) => namesDeciding(path, settingsFile)));
  return deciding === undefined ? [] : [`names ${deciding}${WHICH_DECIDES}: ${words.join(" ")}`];
}

/** What a word can hold of a path: the word, `of=<path>`, `type=bind,src=<path>`, `-xo<path>`. */
function pathsIn(word: string): string[] {
  return word.split(/[=,:;\s]/).flatMap((part) => {
    const letters = /^-[A-Za-z]+/.exec(part)?.[0].length ?? 0;
    return [part, ...Array.from({ length: Math.min(letters, 20) }, (_, at) => part.slice(at + 1))];
  });
}

/**
 * As `isDangerousPath`, also from another folder, through `..`, for the folder `.looplia` itself, and for a pattern that
 * the shell may expand to such a path.
 */
function namesDeciding(path: string, settingsFile: string): boolean {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const tests = names.map(testOf);
  const isAt = (at: number, known: Iterable<string>) => [...known].some((one) => tests[at]?.(one));
  const settings = namesOf(settingsFile);
  const isListed = (_: string, at: number) =>
    isAt(at, DECIDING) || (isAt(at, [".looplia"]) && (at === names.length - 1 || isAt(at + 1, WORKSPACE)));
  return (
    isAt(0, [".git", ...AT_ROOT]) ||
    names.some(isListed) ||
    settings.every((name, at) => isAt(names.length - settings.length + at, [name]))
  );
}

/** More in one name are slow to match, and count as every name. */
const MOST_STARS = 4;

/**
 * Whether a name, or a name that the shell may put in its place, is a listed one. `*` alone says nothing: what it changes
 * is put back after the command.
 */
function testOf(name: string): (listed: string) => boolean {
  const folded = foldName(name);
  if (!/[*?[]/.test(name) || /^[*?]+$/.test(name)) return (listed) => listed === folded;
  const parts = name.toLowerCase().split(/(\[[^\]]+\]|\*+|\?)/);
  if (parts.filter((part) => part.startsWith("*")).length > MOST_STARS) return () => true;
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(/[^a-z\d]/g, "\\$&");
    return part.startsWith("*") ? ".*" : ".";
  });
  // The shell matches a leading dot only with a dot.
  const pattern = new RegExp(`^${name.startsWith(".") ? "" : "(?!\\.)"}${source.join("")}$`, "s");
  return (listed) => pattern.test(listed);
}

const WHICH_DECIDES = ", which decides what runs or who may";

/** The path in an edit's danger, as requests keep it; undefined for every other danger. */
export function decidingPathIn(danger: string): string | undefined {
  if (!danger.startsWith("changes ") || !danger.endsWith(WHICH_DECIDES)) return undefined;
  return danger.slice("changes ".length, -WHICH_DECIDES.length);
}

const ORDER = ["deny", "ask", "allow"] as const;

/**
 * The strongest rule for the tool. One matching path forbids an edit; allowing it takes a match for all
 * paths.
 */
function ruleOf({ tool, paths = [] }: GatedCall, policy: readonly PolicyRule[]): PolicyRule | undefined {
  const own = policy.filter((rule) => coversTool(rule.tool, tool));
  return strongest(own, ({ effect, matchesPath }) => {
    if (!matchesPath) return true;
    return effect === "allow" ? paths.length > 0 && paths.every(matchesPath) : paths.some(matchesPath);
  });
}

/** The strongest rule for a whole line, which is allowed only if each of its commands is. */
function ruleOfCommand(
  commands: ReturnType<typeof parseCommand>,
  tool: string,
  policy: readonly PolicyRule[],
): PolicyRule | undefined {
  const own = policy.filter((rule) => rule.tool === tool);
  if (!commands) return strongest(own, ({ words, effect }) => words === undefined && effect !== "allow");
  const rules = commands.map(({ words }) => strongest(own, (rule) => isAbout(words, rule)));
  for (const effect of ["deny", "ask"]) {
    const found = rules.find((rule) => rule?.effect === effect);
    if (found) return found;
  }
  const isRuled = commands.every((one, at) => {
    const rule = rules[at];
    if (rule && rule.words === undefined) return true;
    return !isRedirected(one) && (rule !== undefined || (one.isPiped === true && isFilter(one.words)));
  });
  return isRuled ? rules.find((rule) => rule !== undefined) : undefined;
}

/** A rule for one command names no file that the shell reads or appends to; overwriting is a danger anyway. */
function isRedirected({ appended, read }: SimpleCommand): boolean {
  return read.length > 0 || appended.some((path) => path !== "/dev/null");
}

function strongest(
  rules: readonly PolicyRule[],
  applies: (rule: PolicyRule) => boolean,
): PolicyRule | undefined {
  for (const effect of ORDER) {
    const found = rules.find((rule) => rule.effect === effect && applies(rule));
    if (found) return found;
  }
  return undefined;
}

/**
 * An `allow` rule must name the whole command, with or without programs that only start it. Where it ends in `…`, further words
 * may follow, but no options: what an option means only its program knows. `ask` and `deny` rules match the program in any
 * folder and version, with options anywhere and any words behind, also as what a runner such as `npx` starts.
 */
function isAbout(words: readonly string[], { words: named, effect, andMore }: PolicyRule): boolean {
  if (!named) return true;
  const forms = [words, unwrapCommand(words) ?? words];
  if (effect === "allow") {
    return forms.some((form) => {
      const more = form.slice(named.length);
      const mayFollow = andMore === true && more.every((word) => !/^[-@]/.test(word));
      return (more.length === 0 || mayFollow) && named.every((word, at) => form[at] === word);
    });
  }
  return forms.flatMap(startedBy).some((form) => isNamed(form, named));
}

/** The command and what it starts in turn. */
function startedBy(words: readonly string[]): (readonly string[])[] {
  return [words, ...programsIn(words).flatMap(startedBy)];
}

/** Whether the named words occur in order, with nothing between them but options and their values. */
function isNamed(words: readonly string[], [program = "", ...rest]: readonly string[]): boolean {
  const [first] = words;
  if (first === undefined || (first !== program && !isProgram(first, program))) return false;
  let at = 1;
  for (const wanted of rest) {
    while (at < words.length && words[at] !== wanted && isOptional(words, at)) at += 1;
    if (words[at] !== wanted) return false;
    at += 1;
  }
  return true;
}

/** An option, or a word that may be the value of the option before. */
function isOptional(words: readonly string[], at: number): boolean {
  return words[at]?.startsWith("-") === true || (at > 1 && /^-[^=]*$/.test(words[at - 1] ?? ""));
}

function isProgram(word: string, wanted: string): boolean {
  const name = programName(word);
  return name === programName(wanted) || withoutVersion(name) === programName(wanted);
}

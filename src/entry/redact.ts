// Redacts arguments of ports, and requires our marker on everything that the program publishes.
import type { SecretLintCoreConfig } from "@secretlint/types";
import { LoopliaError } from "../core/errors.ts";
import type { WithheldKeys } from "../core/interaction.ts";
import { hashContent } from "../core/json.ts";
import type { Discussion } from "../core/ports-host.ts";
import { createRedactor, type Redact, redactNothing, redactValue } from "../core/redaction.ts";
import { readMarker } from "../publish/report.ts";
import type { Tool } from "../tools/tool.ts";

/** The same discussion, but refuses a comment without our marker, because that is a bug. */
export function requireMarkers(discussion: Discussion): Discussion {
  return {
    ...discussion,
    postComment: async (pullRequest, body) => discussion.postComment(pullRequest, marked(body)),
    editComment: async (id, body) => discussion.editComment(id, marked(body)),
  };
}

function marked(body: string): string {
  if (readMarker(body)) return body;
  throw new Error(`a comment without a marker: ${JSON.stringify(body.slice(0, 80))}`);
}

// Removes secrets from the arguments of publishing ports and from errors.

/** The same port with secrets removed from every argument; only for ports that publish and never need a secret. */
export function redactArguments<Port extends object>(port: Port, redact: Redact): Port {
  if (redact === redactNothing) return port;
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => Reflect.apply(member, target, redactValue(given, redact));
    },
  });
}

/** The error without secrets in its message, stack and causes, because a bug is shown with all of them. */
export function redactError(thrown: unknown, redact: Redact): unknown {
  if (redact === redactNothing || !(thrown instanceof Error)) return redactValue(thrown, redact);
  if (thrown instanceof LoopliaError) {
    const { code, hint, modelFailure } = thrown;
    return new LoopliaError(code, redact(thrown.message), {
      ...(hint === undefined ? {} : { hint: redact(hint) }),
      ...(modelFailure === undefined ? {} : { modelFailure }),
      ...(thrown.cause === undefined ? {} : { cause: redactError(thrown.cause, redact) }),
    });
  }
  thrown.message = redact(thrown.message);
  if (thrown.stack !== undefined) thrown.stack = redact(thrown.stack);
  if (thrown.cause !== undefined) thrown.cause = redactError(thrown.cause, redact);
  return thrown;
}

// Finds unknown keys by their patterns. Used only on a runner, whose output other people may read.

/** `key`: what was found, which is not the text at this place where escapes or the beginnings of lines stand in it. */
type Hit = { from: number; to: number; kind: string; key: string };

let linting: Promise<(text: string) => Promise<Hit[]>> | undefined;

/** No pattern matches a shorter text. */
const LEAST_LENGTH = 16;
/** No pattern matches over this: each begins, ends and continues with other characters. */
const BETWEEN = "\n\u0001\n";
const MOST_AT_ONCE = 256 * 1024;

/**
 * The places in texts that look like a key; texts without one are absent. Loads the patterns with the first text. They
 * are looked at together: to set the patterns up takes longer than to look at a page.
 */
async function findKeysIn(texts: Iterable<string>): Promise<Map<string, readonly Hit[]>> {
  const found = new Map<string, readonly Hit[]>();
  const long = [...new Set(texts)].filter((text) => text.length >= LEAST_LENGTH);
  if (long.length === 0) return found;
  const bare = new Map(long.map((text) => [text, undress(text)]));
  const inBare = await findAsWritten([...bare.values()].flatMap((one) => (one ? [one.text] : [])));
  const asWritten = await findAsWritten(long);
  for (const text of long) {
    const { text: plain = "", at = Number } = bare.get(text) ?? {};
    const undressed = (inBare.get(plain) ?? []).map((hit) => ({
      ...hit,
      from: at(hit.from),
      to: at(hit.to - 1) + 1,
    }));
    const hits = [...undressed, ...(asWritten.get(text) ?? [])];
    // Once where a key is found in both ways.
    const all = [...new Map(hits.map((hit) => [`${hit.from} ${hit.to}`, hit])).values()];
    all.sort((one, other) => one.from - other.from);
    if (all.length > 0) found.set(text, all);
  }
  return found;
}

/** Escapes of Markdown and JSON, terminal codes, unseen characters, and what quotes, diffs and listings put before a line. */
const DRESSING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
  /\\(?=[!-/:-@[-`{-~])|\u001b\[[\d;]*[A-Za-z]|[\u200b-\u200d\u2060\ufeff]|^[ \t]*(?:>[> \t]*|\d+[:\t|] ?|[+-](?! ))/gm;

/** The text as a reader would take it, and where its characters stand. Undefined where that is the text itself. */
function undress(text: string): { text: string; at: (index: number) => number } | undefined {
  const starts: number[] = [];
  const shifts: number[] = [];
  let removed = 0;
  const plain = text.replace(DRESSING, (dressing: string, index: number) => {
    starts.push(index - removed);
    removed += dressing.length;
    shifts.push(removed);
    return "";
  });
  if (removed === 0) return undefined;
  const at = (index: number) => {
    let low = 0;
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return index + (shifts[low - 1] ?? 0);
  };
  return { text: plain, at };
}

async function findAsWritten(texts: readonly string[]): Promise<Map<string, readonly Hit[]>> {
  const found = new Map<string, readonly Hit[]>();
  linting ??= loadPatterns();
  const lint = await linting;
  for (const some of packsOf([...new Set(texts)])) {
    const hits = await lint(some.join(BETWEEN));
    let from = 0;
    for (const text of hits.length === 0 ? [] : some) {
      const to = from + text.length;
      const isTouched = hits.some((hit) => hit.from < to && hit.to > from);
      if (isTouched) found.set(text, some.length === 1 ? hits : await lint(text));
      from = to + BETWEEN.length;
    }
  }
  return found;
}

function packsOf(texts: readonly string[]): string[][] {
  const packs: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    if (length + text.length > MOST_AT_ONCE && length > 0) {
      packs.push([]);
      length = 0;
    }
    packs.at(-1)?.push(text);
    length += text.length;
  }
  return packs;
}

/** Names of keys and addresses before them are shorter. */
const MOST_BEFORE = 300;

/** Some patterns report a range as long as the key that begins at the key's name, so half the key would stay. */
function endOf(text: string, told: unknown, from: number): number {
  // One pattern takes the rest of the line with the key.
  const [key] = /^\S+/.exec(typeof told === "string" ? told : "") ?? [];
  if (key === undefined) return 0;
  const at = text.slice(from, from + MOST_BEFORE + key.length).indexOf(key);
  return at < 0 ? 0 : from + at + key.length;
}

async function loadPatterns(): Promise<(text: string) => Promise<Hit[]>> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It would keep some hundred marks of each text for as long as the process lives.
  secretLintProfiler.setEnabled(false);
  const id = "@secretlint/secretlint-rule-preset-recommend";
  // The package's types ask for a rule, and a preset is one.
  const config = { rules: [{ id, rule: creator }] } as unknown as SecretLintCoreConfig;
  return async (text) => {
    // A text must not switch the patterns off by a comment for the linter.
    const content = text.replace(/(?<=secretlint)-/gi, "_");
    const source = { filePath: "text.txt", ext: ".txt", contentType: "text" as const, content };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    return messages
      .filter(({ type }) => type === "message")
      .map(({ range: [from, end], ruleId, data }) => {
        const to = Math.max(end, ...Object.values(data ?? {}).map((value) => endOf(text, value, from)));
        return { from, to, key: text.slice(from, to), kind: ruleId.replace(/^.*-rule-/, "") };
      })
      .sort((one, other) => one.from - other.from);
  };
}

/** What in a text looks like a key. */
export async function findUnknownKeys(text: string): Promise<{ key: string; kind: string }[]> {
  return ((await findKeysIn([text])).get(text) ?? []).map(({ key, kind }) => ({ key, kind }));
}

/** Replaces everything that looks like a key with a note. `whenFound` returns true for a key that may stay. */
function withholdKeys(
  text: string,
  hits: readonly Hit[],
  whenFound: (key: string, kind: string) => boolean = () => false,
): string {
  let result = "";
  let at = 0;
  for (const { from, to, kind, key } of hits) {
    if (whenFound(key, kind)) continue;
    if (from >= at) result += `${text.slice(at, from)}[withheld: looks like a key (${kind})]`;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

const WITHHELD =
  "\n\n> Something in this text looks like a key, and is withheld unless a person lets it through: the question about it is on this pull request. If it is a real key, revoke it: whoever can read the repository can fetch the log.";

/** Words for the arguments of ports that people read; a text of any other call is withheld and asked about by nobody. */
const PLACES = new Map([
  ["postComment", "a comment"],
  ["editComment", "a comment"],
  ["openPullRequest", "the pull request"],
  ["updatePullRequest", "the pull request"],
  ["saveCheck", "the check"],
]);

/** Only ask, by the name of a branch, which git tells the server as it is: the patterns load while git pushes. */
const LOOK_UPS: readonly unknown[] = ["openPullRequests", "pullRequestsOf"];

/** Withholds likely keys in texts for people, until they let them through. */
export class KeyGuard implements WithheldKeys {
  readonly #found = new Map<string, { kind: string; hash: string; places: Set<string> }>();
  #allowed: ReadonlySet<string> = new Set();

  allow(hashes: Iterable<string>): void {
    this.#allowed = new Set(hashes);
  }

  take(): { kind: string; hash: string; places: string[] }[] {
    const found = [...this.#found.values()].map((one) => ({ ...one, places: [...one.places] }));
    this.#found.clear();
    return found;
  }

  async withhold<T>(value: T, place?: string): Promise<T> {
    const hits = await findKeysIn(textsIn(value));
    return hits.size === 0 ? value : changeTexts(value, (text) => this.#inText(text, hits.get(text), place));
  }

  /** The same port with likely keys withheld from every argument; all of its methods must be asynchronous. */
  over<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (LOOK_UPS.includes(name)) return member.bind(target);
        const place = PLACES.get(String(name));
        return async (...given: unknown[]): Promise<unknown> => {
          const hits = await findKeysIn(textsIn(given));
          const inText = (text: string) => {
            const left = this.#inText(text, hits.get(text), place && (nameOfComment(text) ?? place));
            // Only bodies have room for a paragraph.
            return left === text || !text.includes("\n") ? left : `${left}${WITHHELD}`;
          };
          return Reflect.apply(member, target, hits.size === 0 ? given : changeTexts(given, inText));
        };
      },
    });
  }

  #inText(text: string, hits: readonly Hit[] = [], place: string | undefined): string {
    return withholdKeys(text, hits, (key, kind) => {
      const hash = hashContent(key);
      if (this.#allowed.has(hash)) return true;
      if (place === undefined) return false;
      const found = this.#found.get(hash) ?? { kind, hash, places: new Set() };
      this.#found.set(hash, found);
      found.places.add(place);
      return false;
    });
  }
}

function nameOfComment(text: string): string | undefined {
  const role = readMarker(text)?.role;
  if (role === "status") return "the status comment";
  return role === "request" ? "the comment of a question" : undefined;
}

/** A copy of lists and plain objects, with each text changed. */
function changeTexts<T>(value: T, change: (text: string) => string): T;
function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => changeTexts<unknown>(item, change));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, changeTexts<unknown>(item, change)]),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The texts that `changeTexts` changes. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlain(value) ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The same tool, but withholds likely keys from its result before a model or a store gets it, and asks a person before a
 * call that would write a key. Answers of people are unchanged.
 */
export function watchKeys(tool: Tool): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      const reply = await tool.run(input, context);
      if ("suspended" in reply || reply.isPersons) return reply;
      const { text, whole = "" } = reply;
      const hits = await findKeysIn([text, whole]);
      const left = (said: string) => withholdKeys(said, hits.get(said) ?? []);
      return { ...reply, text: left(text), ...(reply.whole === undefined ? {} : { whole: left(whole) }) };
    },
    facts: async (input, workspace) => {
      const facts = (await tool.facts?.(input, workspace)) ?? {};
      if (!bringsText(tool)) return facts;
      const found = await findKeysIn(textsIn(input));
      const keys = [...found.values()].flatMap((hits) =>
        hits.map(({ kind, key }) => ({ kind, hash: hashContent(key) })),
      );
      return keys.length === 0 ? facts : { ...facts, keys };
    },
  };
}

/** Whether the input may get to the branch or into a comment: edits, commands, artifacts and summaries. */
function bringsText({ risk, effect }: Tool): boolean {
  return risk !== "safe" || effect === "repeatable";
}

let latest: { key: string; redact: Redact } | undefined;

/** The redactor of these secrets. Parts of a run ask for the same one, and making it takes milliseconds. */
export function redactorOf(secrets: readonly string[]): Redact {
  const key = JSON.stringify([...secrets].sort());
  if (latest?.key !== key) latest = { key, redact: createRedactor(secrets) };
  return latest.redact;
}

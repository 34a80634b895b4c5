// Redacts arguments of ports, and requires our marker on everything that the program publishes.
import type { SecretLintCoreConfig } from "@secretlint/types";
import { LoopliaError } from "../core/errors.ts";
import { hashContent } from "../core/json.ts";
import type { Discussion } from "../core/ports-host.ts";
import { type Redact, redactNothing, redactValue } from "../core/redaction.ts";
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

type Hit = { from: number; to: number; kind: string };

let linting: Promise<(text: string) => Promise<Hit[]>> | undefined;

/** The places in a text that look like a key. Loads the patterns with the first text. */
async function findKeys(text: string): Promise<Hit[]> {
  if (text.length < LEAST_LENGTH) return [];
  linting ??= loadPatterns();
  return (await linting)(text);
}

/** No pattern matches a shorter text. */
const LEAST_LENGTH = 16;

async function loadPatterns(): Promise<(text: string) => Promise<Hit[]>> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const id = "@secretlint/secretlint-rule-preset-recommend";
  // The package's types ask for a rule, and a preset is one.
  const config = { rules: [{ id, rule: creator }] } as unknown as SecretLintCoreConfig;
  return async (content) => {
    const source = { filePath: "text.txt", ext: ".txt", contentType: "text" as const, content };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    return messages
      .filter(({ type }) => type === "message")
      .map(({ range: [from, to], ruleId }) => ({ from, to, kind: ruleId.replace(/^.*-rule-/, "") }))
      .sort((one, other) => one.from - other.from);
  };
}

/** Keys in calls that a person allowed and that ran. */
const allowed = new Set<string>();

/** The keys in a text, except those that people allowed in a call of this process. */
export async function findUnknownKeys(text: string): Promise<{ key: string; kind: string }[]> {
  return (await keysOf(text)).filter(({ key }) => !allowed.has(key));
}

async function keysOf(text: string): Promise<{ key: string; kind: string }[]> {
  return (await findKeys(text)).map(({ from, to, kind }) => ({ key: text.slice(from, to), kind }));
}

/** Replaces everything that looks like a key with a note. */
async function withholdKeys(text: string): Promise<string> {
  let result = "";
  let at = 0;
  for (const { from, to, kind } of await findKeys(text)) {
    if (from >= at) result += `${text.slice(at, from)}[withheld: looks like a key (${kind})]`;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

const WITHHELD =
  "\n\n> Something in this text looks like a key, and was withheld. The audit log has what the agent wrote. If it is a real key, revoke it: whoever can read the repository can fetch the log. If it may be told, write it in a comment of your own.";

async function withholdInValue(value: unknown): Promise<unknown> {
  if (typeof value === "string") {
    const text = await withholdKeys(value);
    // Only bodies have room for a paragraph.
    return text === value || !text.includes("\n") ? text : `${text}${WITHHELD}`;
  }
  if (Array.isArray(value)) return Promise.all(value.map(withholdInValue));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value;
  }
  const entries = Object.entries(value).map(async ([name, item]) => [name, await withholdInValue(item)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** The same port with likely keys withheld from every argument; all of its methods must be asynchronous. */
export function withholdFromArguments<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return async (...given: unknown[]): Promise<unknown> =>
        Reflect.apply(member, target, (await withholdInValue(given)) as unknown[]);
    },
  });
}

/**
 * The same tool, but withholds likely keys from its result before a model or a store gets it, and asks a person before a
 * call that would write a key. Answers of people are unchanged.
 */
export function watchKeys(tool: Tool): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      if (bringsText(tool)) await allowKeys(input);
      const reply = await tool.run(input, context);
      if ("suspended" in reply || reply.isPersons) return reply;
      const whole = reply.whole === undefined ? {} : { whole: await withholdKeys(reply.whole) };
      return { ...reply, text: await withholdKeys(reply.text), ...whole };
    },
    facts: async (input, workspace) => {
      const facts = (await tool.facts?.(input, workspace)) ?? {};
      if (!bringsText(tool)) return facts;
      const hits = await Promise.all(textsIn(input).map(keysOf));
      const keys = hits.flat().map(({ key, kind }) => ({ kind, hash: hashContent(key) }));
      return keys.length === 0 ? facts : { ...facts, keys };
    },
  };
}

/** Whether the input may get to the branch or into a comment: edits, commands, artifacts and summaries. */
function bringsText({ risk, effect }: Tool): boolean {
  return risk !== "safe" || effect === "repeatable";
}

async function allowKeys(input: unknown): Promise<void> {
  const keys = await Promise.all(textsIn(input).map(findUnknownKeys));
  for (const { key } of keys.flat()) allowed.add(key);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// What a run leaves in a repository: its artifacts without what differs from run to run, and every rule that it broke.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { StoredLine, StoreName } from "../../src/core/events.ts";
import { verifyChain } from "../../src/core/lines.ts";

/** Of these fields only the form is compared: ids are random, times pass, hashes follow from both. */
export const FIELDS_THAT_DIFFER: ReadonlyMap<string, RegExp> = new Map([
  ["createdAt", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ["updatedAt", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ["completedAt", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ["contentHash", /^[0-9a-f]{16}$/],
  ["inputsHash", /^[0-9a-f]{16}$/],
]);

/** The session whose manifest is on disk, or undefined; a folder without one was never begun. */
export function findManifest(repository: string): string | undefined {
  const sessions = join(repository, ".looplia", "contentItem");
  if (!existsSync(sessions)) return undefined;
  return readdirSync(sessions).find((id) => existsSync(join(sessions, id, "session.json")));
}

/** The session's files by name, its id and `FIELDS_THAT_DIFFER` blotted out; other files byte for byte. */
export function readEndState(repository: string): Map<string, string> {
  const sessionId = findManifest(repository) ?? "";
  const folder = join(repository, ".looplia", "contentItem", sessionId);
  const state = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(sessionId, "<session>");
    state.set(name, name === "session.json" ? blot(text) : text);
  }
  return state;
}

/** Every rule that the session breaks, one sentence each. A work that was killed before its session began is left alone. */
export function findFaults(repository: string): string[] {
  const workspace = join(repository, ".looplia");
  const sessionId = findManifest(repository);
  if (sessionId === undefined) return ["there is no session"];
  const states = join(workspace, "state");
  const works = readdirSync(states).filter((work) => existsSync(join(states, work, "sessions", sessionId)));
  if (works.length !== 1) return [`${works.length} works hold the session`];
  const work = join(states, works[0] ?? "");
  const folder = join(workspace, "contentItem", sessionId);
  const session = join(work, "sessions", sessionId);
  return [
    ...[...filesIn(workspace, false), ...filesIn(folder, true), ...filesIn(work, true)].flatMap(faultOfFile),
    ...faultsOfManifest(folder),
    ...faultsOfEvents(linesOf(session, "events")),
    ...faultsOfAudit(linesOf(session, "audit")),
  ];
}

function blot(text: string): string {
  const manifest: unknown = JSON.parse(text, (key, value: unknown) =>
    typeof value === "string" && FIELDS_THAT_DIFFER.get(key)?.test(value) ? `<${key}>` : value,
  );
  return JSON.stringify(manifest, null, 2);
}

function filesIn(folder: string, recursive: boolean): string[] {
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function faultOfFile(path: string): string[] {
  if (/^\.looplia-write-|\.looplia-new$/.test(basename(path))) return [`draft left behind: ${path}`];
  if (basename(dirname(path)) === "set-aside") return [];
  const text = readFileSync(path, "utf8");
  const texts = path.endsWith(".jsonl") ? text.split("\n") : path.endsWith(".json") ? [text] : [];
  if (path.endsWith(".jsonl") && texts.pop() !== "") return [`torn: ${path}`];
  return texts.some((one) => !isJson(one)) ? [`damaged: ${path}`] : [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Step = { status: string; contentHash: string | null };

function faultsOfManifest(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "session.json"), "utf8")) as {
    steps: Record<string, Step>;
  };
  return Object.entries(manifest.steps).flatMap(([output, step]) => {
    if (step.status !== "completed") return [`${output} is ${step.status}`];
    const bytes = readFileSync(join(folder, `${output}.json`));
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    return hash === step.contentHash ? [] : [`${output} has another hash than the manifest says`];
  });
}

function linesOf(session: string, store: StoreName): StoredLine[] {
  const folder = join(session, store);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as StoredLine);
}

function faultsOfEvents(lines: readonly StoredLine[]): string[] {
  const faults: string[] = [];
  const completed = new Set<string>();
  const once = new Set<string>();
  for (const { type, payload } of lines) {
    const { taskId = "", conversationId, toolCallId } = payload as Record<string, string | undefined>;
    if (type.startsWith("Task") && completed.has(taskId))
      faults.push(`${type} of ${taskId} after it was completed`);
    if (type === "TaskCompleted") completed.add(taskId);
    if (!type.startsWith("ToolCall")) continue;
    const call = `${type} of ${toolCallId} in ${conversationId}`;
    if (once.has(call)) faults.push(`${call} came twice`);
    once.add(call);
  }
  if (completed.size === 0) faults.push("no task was completed");
  return faults;
}

function faultsOfAudit(lines: readonly StoredLine[]): string[] {
  const chain = verifyChain(lines);
  return chain.ok ? [] : [`audit line ${chain.index + 1}: ${chain.reason}`];
}

// Checks audit logs: each session's chain, the numbers of all its lines, and heads recorded elsewhere. Pure.

import { quietly } from "../core/errors.ts";
import type { StoredLine } from "../core/events.ts";
import { isObject, parseJson } from "../core/json.ts";
import { type AuditHead, FIRST_PREV, hashLine } from "../core/lines.ts";

/**
 * A file of a state; `path` ends as in a work's folder: `sessions/<id>/<store>/<n>.jsonl`. `onlyHashes`: its lines were
 * packed with a key that is not here, so they lack `prev` and `payload`.
 */
export type StateFile = { path: string; text: string; onlyHashes?: true };

/** A head recorded elsewhere while the log grew. `source` says where, for people. */
export type AuditWitness = AuditHead & { sessionId: string; source: string };

type AuditProblem = {
  kind: "changed" | "removed" | "reordered" | "truncated" | "damaged" | "missing";
  /** File and line. */
  place: string;
  message: string;
};

/**
 * The result of checking one session's log. `witnesses`: the number of heads from elsewhere that were
 * compared. `onlyHashes`: the number of lines whose contents could not be read without the key.
 */
type AuditedSession = AuditHead & {
  sessionId: string;
  witnesses: number;
  onlyHashes?: number;
  problems: AuditProblem[];
};

type AuditVerdict = { status: "verified" | "broken"; sessions: AuditedSession[] };

type AuditLine = { place: string; text: string; line: StoredLine | undefined; onlyHash: boolean };
type Log = { lines: AuditLine[]; others: Set<number> };

const FILE = /(?:^|\/)sessions\/([a-z0-9][a-z0-9-]{0,80})\/(events|conversation|audit)\/(\d{6})\.jsonl$/;

/**
 * Names the first invalid line of each log, and missing lines. An empty log counts as a log too. Never
 * throws.
 */
export function verifyAudit(
  files: readonly StateFile[],
  witnesses: readonly AuditWitness[] = [],
): AuditVerdict {
  const logs = readLogs(files);
  for (const { sessionId } of witnesses) {
    if (!logs.has(sessionId)) logs.set(sessionId, { lines: [], others: new Set() });
  }
  const sessions = [...logs].map(([sessionId, log]): AuditedSession => {
    const heads = witnesses.filter((witness) => witness.sessionId === sessionId);
    const broken = findFault(log.lines);
    const compared = heads.flatMap((head) => compareHead(log.lines, head, sessionId) ?? []);
    const onlyHashes = log.lines.filter(({ onlyHash }) => onlyHash).length;
    return {
      sessionId,
      count: log.lines.length,
      hash: log.lines.at(-1)?.line?.hash ?? FIRST_PREV,
      witnesses: heads.length,
      ...(onlyHashes > 0 ? { onlyHashes } : {}),
      problems: [...(broken ? [broken] : []), ...findGaps(log, sessionId), ...compared.slice(0, 1)],
    };
  });
  return { status: sessions.some(({ problems }) => problems.length > 0) ? "broken" : "verified", sessions };
}

function readLogs(files: readonly StateFile[]): Map<string, Log> {
  const logs = new Map<string, Log>();
  for (const { path, text, onlyHashes } of [...files].sort((one, other) =>
    one.path < other.path ? -1 : 1,
  )) {
    const [, sessionId, store] = FILE.exec(path) ?? [];
    if (!sessionId) continue;
    const log = logs.get(sessionId) ?? { lines: [], others: new Set() };
    logs.set(sessionId, log);
    const texts = text.split("\n");
    if (texts.at(-1) === "") texts.pop();
    for (const [index, one] of texts.entries()) {
      const line = asLine(parseJson(one));
      if (store === "audit")
        log.lines.push({ place: `${path}:${index + 1}`, text: one, line, onlyHash: onlyHashes === true });
      else if (line) log.others.add(line.seq);
    }
  }
  return logs;
}

function asLine(value: unknown): StoredLine | undefined {
  return isObject(value) && Number.isSafeInteger(value.seq) ? (value as StoredLine) : undefined;
}

/** The first line that does not follow from the previous one. */
function findFault(lines: readonly AuditLine[]): AuditProblem | undefined {
  let head = FIRST_PREV;
  let before: AuditLine | undefined;
  for (const [index, one] of lines.entries()) {
    const { place, line } = one;
    if (!line) return { kind: "damaged", place, message: "The line is not a JSON object with a number." };
    if (typeof line.hash !== "string") return { kind: "changed", place, message: "The line has no hash." };
    // Without a canonical form, no program of ours wrote it.
    if (!one.onlyHash && quietly(() => hashLine(line)) !== line.hash) {
      return { kind: "changed", place, message: `The line was changed: its hash does not match its text.` };
    }
    if (!one.onlyHash && line.prev !== head) return explainBreak(lines, index, head);
    if (before?.line && line.seq <= before.line.seq) {
      const message = `Its number ${line.seq} does not come after ${before.line.seq}.`;
      return { kind: "changed", place, message };
    }
    head = line.hash;
    before = one;
  }
  return undefined;
}

function explainBreak(lines: readonly AuditLine[], index: number, head: string): AuditProblem {
  const { place, line } = lines[index] as AuditLine;
  const next = lines.findIndex((one, at) => at > index && one.line?.prev === head);
  if (next >= 0) {
    const message = `The order was changed: the line at ${lines[next]?.place} belongs here.`;
    return { kind: "reordered", place, message };
  }
  const before = lines[index - 1];
  if (lines.slice(0, index).some((one) => one.line?.hash === line?.hash)) {
    return { kind: "reordered", place, message: "The line is a duplicate." };
  }
  const from = before ? `the line numbered ${before.line?.seq}` : "the beginning";
  const message = `What was between ${from} and this line, numbered ${line?.seq}, is missing or was replaced: the line names the hash ${line?.prev}, which no line has.`;
  return { kind: "removed", place, message };
}

/** All lines of a session share one sequence of numbers, so a missing line leaves a gap. */
function findGaps({ lines, others }: Log, sessionId: string): AuditProblem[] {
  if (others.size === 0) return [];
  const numbers = new Set([...others, ...lines.flatMap(({ line }) => line?.seq ?? [])]);
  let last = 0;
  for (const number of numbers) last = Math.max(last, number);
  if (last === numbers.size) return [];
  const missing: number[] = [];
  // A forged number must not make this loop long.
  for (let number = 1; number < last && missing.length < 20; number += 1) {
    if (!numbers.has(number)) missing.push(number);
  }
  const lastAudit = lines.at(-1)?.line?.seq ?? 0;
  const isTail = missing.every((number) => number > lastAudit);
  const named = `${missing.join(", ")}${missing.length === 20 ? " …" : ""}`;
  return [
    {
      kind: isTail ? "truncated" : "missing",
      place: lines.at(-1)?.place ?? `sessions/${sessionId}`,
      message: `No line of the session has the number ${named}${isTail ? ": the end of the log was cut off, or a run was killed there and none has resumed" : ""}.`,
    },
  ];
}

function compareHead(
  lines: readonly AuditLine[],
  { count, hash, source }: AuditWitness,
  sessionId: string,
): AuditProblem | undefined {
  if (count > lines.length) {
    const place = lines.at(-1)?.place ?? `sessions/${sessionId}`;
    const message = `The log has ${lines.length} lines, and ${source} names ${count}: the last ${count - lines.length} were cut off.`;
    return { kind: "truncated", place, message };
  }
  const line = lines[count - 1];
  if (count === 0 || line?.line?.hash === hash) return undefined;
  const message = `Line ${count} is not the one that ${source} names: the log was rewritten.`;
  return { kind: "changed", place: line?.place ?? "", message };
}

// Exported logs are one file: a header line with the heads, then one JSON line per stored file.

const FORMAT = "looplia-audit";

/** All logs as one text for `readExport`, including the heads from the logs and from elsewhere. */
export function exportAudit(
  files: readonly StateFile[],
  witnesses: readonly AuditWitness[],
  at: string,
): string {
  const { sessions } = verifyAudit(files);
  const heads = sessions.map(({ sessionId, count, hash }) => ({
    ...{ sessionId, count, hash },
    source: `the export of ${at}`,
  }));
  const head = { format: FORMAT, v: 1, at, heads: [...heads, ...witnesses] };
  const lines = files
    .filter(({ path }) => FILE.exec(path)?.[2] === "audit")
    .map((file) => ({ ...file, path: file.path.slice(file.path.search(FILE)).replace(/^\//, "") }));
  return [head, ...lines].map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The contents of an exported text; undefined for any other text. */
export function readExport(text: string): { files: StateFile[]; witnesses: AuditWitness[] } | undefined {
  const [first = "", ...rest] = text.split("\n").filter((line) => line !== "");
  const head = parseJson(first);
  if (!isObject(head) || head.format !== FORMAT || head.v !== 1 || !Array.isArray(head.heads))
    return undefined;
  const files = rest.map((line, index): StateFile => {
    const file = parseJson(line);
    const isFile = isObject(file) && typeof file.path === "string" && typeof file.text === "string";
    return isFile
      ? (file as StateFile)
      : { path: `sessions/damaged/audit/${String(index).padStart(6, "0")}.jsonl`, text: line };
  });
  return { files, witnesses: head.heads.filter(isWitness) };
}

function isWitness(value: unknown): value is AuditWitness {
  if (!isObject(value)) return false;
  const { sessionId, count, hash, source } = value;
  return [sessionId, hash, source].every((one) => typeof one === "string") && Number.isSafeInteger(count);
}

/** The heads in a checkpoint's message. */
export function headsInMessage(message: string, source: string): AuditWitness[] {
  return [...message.matchAll(/^Audit: ([a-z0-9][a-z0-9-]{0,80}) (\d{1,9}) ([0-9a-f]{64})$/gm)].map(
    ([, sessionId = "", count, hash = ""]) => ({ sessionId, count: Number(count), hash, source }),
  );
}

/** The head in a request's comment. */
export function headInComment(body: string): AuditHead | undefined {
  const [, count, hash] =
    /^- Audit log so far: (\d{1,9}) lines?, the last one's hash `([0-9a-f]{64})`\.$/m.exec(body) ?? [];
  return hash === undefined ? undefined : { count: Number(count), hash };
}

/** The session that raised an interaction, found in the files of a state. */
export function sessionOfInteraction(files: readonly StateFile[], interactionId: string): string | undefined {
  const needle = `"interactionId":${JSON.stringify(interactionId)}`;
  const found = files.find(({ path, text }) => FILE.exec(path)?.[2] === "events" && text.includes(needle));
  return found && FILE.exec(found.path)?.[1];
}

// Every way to change a log is found, and said with the line where it begins.
import { describe, expect, test } from "vitest";
import type { StoredLine } from "../../src/core/events.ts";
import { chainLine, FIRST_PREV } from "../../src/core/lines.ts";
import {
  type AuditWitness,
  exportAudit,
  readExport,
  type StateFile,
  verifyAudit,
} from "../../src/publish/audit.ts";

const SESSION = "kettles-2026-11-22-342e27";
const AT = "2026-11-22T08:00:00.000Z";
const PLACE = `sessions/${SESSION}/audit/000001.jsonl`;

/** Audit lines at odd numbers, events between them and after the last one. */
function chain(count: number): StoredLine[] {
  const lines: StoredLine[] = [];
  for (let index = 0; index < count; index += 1) {
    const line = { v: 1 as const, seq: 2 * index + 1, at: AT, type: "ToolCallRequested", payload: { index } };
    lines.push(chainLine(line, lines.at(-1)?.hash ?? FIRST_PREV));
  }
  return lines;
}

function filesOf(lines: readonly StoredLine[], eventsOf = 0): StateFile[] {
  const toText = (all: readonly unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join("");
  const audit = { path: PLACE, text: toText(lines) };
  const events = Array.from({ length: eventsOf }, (_, index) => ({ seq: 2 * index + 2 }));
  const path = `sessions/${SESSION}/events/000001.jsonl`;
  return eventsOf === 0 ? [audit] : [audit, { path, text: toText(events) }];
}

const whole = chain(6);
const problemsOf = (files: readonly StateFile[], witnesses: readonly AuditWitness[] = []) =>
  verifyAudit(files, witnesses).sessions.flatMap(({ problems }) => problems);

const changes: [what: string, change: (line: StoredLine) => StoredLine][] = [
  ["payload", (line) => ({ ...line, payload: { index: -1 } })],
  ["time", (line) => ({ ...line, at: "2026-11-22T08:00:01.000Z" })],
  ["number", (line) => ({ ...line, seq: line.seq + 1 })],
  ["hash", (line) => ({ ...line, hash: "0".repeat(64) })],
  ["a new field", (line) => ({ ...line, more: true }) as StoredLine],
];

describe("verifyAudit", () => {
  test("a whole log is verified, with its head", () => {
    expect(verifyAudit(filesOf(whole, 6))).toEqual({
      status: "verified",
      sessions: [{ sessionId: SESSION, count: 6, hash: whole[5]?.hash, witnesses: 0, problems: [] }],
    });
  });

  test.each(changes)("each line whose %s was changed is named", (_, change) => {
    for (let at = 0; at < whole.length; at += 1) {
      const lines = whole.map((line, index) => (index === at ? change(line) : line));
      expect(problemsOf(filesOf(lines))[0]).toMatchObject({ kind: "changed", place: `${PLACE}:${at + 1}` });
    }
  });

  test("a line that was written again with a hash of its own breaks the next one", () => {
    const lines = [...whole];
    lines[2] = chainLine({ v: 1, seq: 5, at: AT, type: "x", payload: {} }, whole[1]?.hash ?? "");
    expect(problemsOf(filesOf(lines))).toMatchObject([{ kind: "removed", place: `${PLACE}:4` }]);
  });

  test("each removed line is named by what follows it, and by its number", () => {
    for (let at = 0; at < whole.length - 1; at += 1) {
      const [chained, gap] = problemsOf(filesOf(whole.toSpliced(at, 1), 6));
      expect(chained).toMatchObject({ kind: "removed", place: `${PLACE}:${at + 1}` });
      expect(gap?.message).toContain(`the number ${2 * at + 1}`);
    }
  });

  test("each pair that was swapped is named as a change of the order", () => {
    for (let at = 0; at < whole.length - 1; at += 1) {
      const [one, other] = [whole[at] as StoredLine, whole[at + 1] as StoredLine];
      const [problem] = problemsOf(filesOf(whole.toSpliced(at, 2, other, one)));
      expect(problem).toMatchObject({ kind: "reordered", place: `${PLACE}:${at + 1}` });
    }
  });

  test("each cut tail is found by the numbers of other lines, and by a head that somebody else wrote down", () => {
    const witness = { sessionId: SESSION, count: 6, hash: whole[5]?.hash ?? "", source: "commit 1234" };
    for (let length = 0; length < whole.length; length += 1) {
      const cut = whole.slice(0, length);
      expect(problemsOf(filesOf(cut, 6))[0]).toMatchObject({ kind: "truncated" });
      const [problem] = problemsOf(filesOf(cut), [witness]);
      expect(problem).toMatchObject({ kind: "truncated" });
      expect(problem?.message).toContain(`commit 1234 names 6: the last ${6 - length} were cut off`);
    }
  });

  test("a log that was written again as a whole does not have the head that a commit names", () => {
    const again = chain(7).map(({ hash: _, prev: __, ...line }) => line);
    const lines: StoredLine[] = [];
    for (const line of again)
      lines.push(chainLine({ ...line, payload: {} }, lines.at(-1)?.hash ?? FIRST_PREV));
    const witness = { sessionId: SESSION, count: 6, hash: whole[5]?.hash ?? "", source: "commit 1234" };
    expect(problemsOf(filesOf(lines), [witness])).toMatchObject([{ kind: "changed", place: `${PLACE}:6` }]);
  });

  test("a session whose whole log is gone, and a line that is no JSON", () => {
    const witness = { sessionId: "gone-1", count: 2, hash: "a".repeat(64), source: "commit 1234" };
    expect(verifyAudit([], [witness]).status).toBe("broken");
    const torn = [{ path: PLACE, text: `${JSON.stringify(whole[0])}\n{"v":1,"se` }];
    expect(problemsOf(torn)).toMatchObject([{ kind: "damaged", place: `${PLACE}:2` }]);
  });

  test("an exported file is read as it was, and a tail cut off it is found", () => {
    const text = exportAudit(filesOf(whole, 6), [], AT);
    const read = readExport(text);
    expect(verifyAudit(read?.files ?? [], read?.witnesses).status).toBe("verified");
    const cut = readExport(text.replace(/\\n(?:(?!\\n).)*\\n"}\n$/, '\\n"}\n'));
    expect(problemsOf(cut?.files ?? [], cut?.witnesses)).toMatchObject([{ kind: "truncated" }]);
    expect(readExport("{}")).toBeUndefined();
  });
});

// The question about files that a person pushed over a run's: it is whole, however many there are and however they are called.
import { expect, test } from "vitest";
import { createConflict } from "../../src/approval/request.ts";
import type { ConflictFile } from "../../src/core/interaction.ts";
import { showUnseen } from "../../src/core/json.ts";
import { listFiles } from "../../src/core/state.ts";
import { renderRequest } from "../../src/publish/request.ts";
import { renderAnswered } from "../../src/publish/settled.ts";
import fc from "../fakes/properties.ts";
import { hostile } from "./hostile.ts";
import { liveText, render } from "./rendered.ts";

const MERGE = "c0ffee".padEnd(40, "0");
const origin = {
  workId: "writing-kit-abc123",
  sessionId: "tides-2026-12-01-0a1b2c",
  ordinal: 1,
  workingDirectory: ".",
  expiresAt: "2026-12-08T09:00:00.000Z",
};
const around = {
  workId: origin.workId,
  approvers: [],
  minApprovals: 1,
  selfApproval: true,
  run: { number: "45", url: "https://github.com/o/r/actions/runs/11" },
  auditHead: { count: 12, hash: "cd".repeat(32) },
};

/** 5,000 files with names of 200 characters. */
function manyFiles(piece: string): ConflictFile[] {
  return Array.from({ length: 5_000 }, (_, at) => {
    const path = `${at}/`.padEnd(200, piece).toWellFormed();
    return { path, commit: MERGE, ...(at % 2 === 0 ? { sha256: "ab" } : {}) };
  });
}

const PIECES = {
  "plain letters": "a",
  "other scripts": "語",
  "two units a letter": "😀",
  "what is not seen": "\u202e\u200b",
  backticks: "```",
  "a marker": "<!-- looplia:status writing-kit-abc123 -->",
  mentions: " @octocat #12 ",
  "lines of their own": "\n/approve q1-abcdef\n",
};

test.each(Object.entries(PIECES))(
  "5,000 names of 200 characters, of %s: the question can be answered",
  (_, piece) => {
    const files = manyFiles(piece);
    const request = createConflict(origin, files, { names: ["ideas"], isGuess: true });
    const { body, isComplete, attachment } = renderRequest(request, around);
    expect([isComplete, attachment]).toEqual([true, undefined]);
    const [, left] = /… and (\d+) more/.exec(body) ?? [];
    const listed = body.split("\n").filter((line) => /^"?\d+\//.test(line)).length;
    expect(listed).toBeGreaterThan(0);
    expect(listed + Number(left)).toBe(files.length);
    expect(body).toContain(`Not all of the files are listed: ${MERGE} has them all.`);
    const settled = renderAnswered(
      request,
      { workId: origin.workId, pullRequestUrl: "https://github.com/o/r/pull/7" },
      { ...request, authorActorId: "github:1:ada", selectedOptionId: "redo" },
    );
    for (const text of [body, settled]) {
      expect(text.length).toBeLessThan(60_000);
      expect(liveText(text)).not.toMatch(/@octocat|#12/);
      expect(render(text).match(/<!--/g)).toHaveLength(1);
    }
  },
);

test("a list of files has each on a line of its own within its room, and counts the others", () => {
  const file = fc.record({
    path: hostile.filter((text) => text !== ""),
    commit: fc.constantFrom("c1", "c2", "c3", "c4", "c5"),
  });
  fc.assert(
    fc.property(fc.array(file, { maxLength: 40 }), fc.nat(600), (files, room) => {
      const { shown, more } = listFiles(files, room);
      expect(showUnseen(shown.join("\n")).length).toBeLessThanOrEqual(room);
      expect(shown.join("\n").split("\n")).toHaveLength(Math.max(1, shown.length));
      expect(shown.length + (more?.count ?? 0)).toBe(files.length);
      expect(more?.commits.length ?? 1).toBeGreaterThan(0);
    }),
  );
});

test.each<[{ names: string[]; isGuess: boolean }, string]>([
  [{ names: [], isGuess: false }, "Make them again, over theirs"],
  [{ names: ["ideas"], isGuess: false }, "Do ideas again, and tell the agent which files to look at"],
  [
    { names: ["ideas", "outline"], isGuess: true },
    "Do ideas, outline again (outline because it started last: it is not known which step made these files), and tell the agent which files to look at",
  ],
  [
    { names: ["a", "b", "c", "d", "e", "f", "g"], isGuess: false },
    "Do a, b, c, d, e and 2 more again, and tell the agent which files to look at",
  ],
])("redo says what it does: %j", (redo, label) => {
  const request = createConflict(origin, [{ path: "a.md", commit: MERGE }], redo);
  expect(request.options?.find(({ id }) => id === "redo")?.label).toBe(label);
  expect(renderRequest(request, around).body).toContain(label);
});

// Small rules that safety code relies on, each with the value on either side of its limit.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DomainEvent } from "../../src/core/events.ts";
import { plainNetwork, readFields } from "../../src/core/interaction.ts";
import {
  auditable,
  changedLines,
  endOfObject,
  isShallow,
  isWellFormedJson,
  payloadCount,
  payloadText,
  textOfBytes,
  valueAt,
} from "../../src/core/json.ts";
import { foldEvents } from "../../src/core/state.ts";
import { ENDED, findExpired, foldWork } from "../../src/core/work-state.ts";
import { requestLine } from "../fakes/store-lines.ts";

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1);

test("a value may be nested 500 levels deep, and no deeper", () => {
  expect([isShallow(nested(500)), isShallow(nested(501))]).toEqual([true, false]);
});

test("an object in a text ends after its last brace, whatever its strings contain", () => {
  expect(endOfObject('x {"a": "}", "b": [1]} y', 2)).toBe(22);
  expect(endOfObject('{"a": "\\""', 0)).toBeUndefined();
});

test("a lone surrogate anywhere makes a value unfit for UTF-8", () => {
  expect([isWellFormedJson({ a: ["x"] }), isWellFormedJson({ "\ud800": 1 })]).toEqual([true, false]);
});

test("the audit shows a value with lone surrogates as it is, but for the surrogates", () => {
  expect(auditable({ "\ud800": [1, null, { a: "\udfff" }], b: true })).toEqual({
    "\ufffd": [1, null, { a: "\ufffd" }],
    b: true,
  });
});

test("a text is the bytes of its file: a byte order mark stays, and what is not UTF-8 is no text", () => {
  expect(textOfBytes(Buffer.from("\ufeffa"))).toBe("\ufeffa");
  expect([Buffer.from([0xff]), Buffer.from("a\0")].map(textOfBytes)).toEqual([undefined, undefined]);
});

test("removed lines come before added ones, and an empty text has none", () => {
  expect(changedLines("a\nb", "c")).toBe("- a\n- b\n+ c");
  expect(changedLines("", "c")).toBe("+ c");
});

test("only own properties of objects lead anywhere", () => {
  expect(valueAt({ a: { b: 1 } }, "a", "b")).toBe(1);
  for (const root of ["text", 7, null, undefined])
    expect(valueAt({ a: root }, "a", "length")).toBeUndefined();
  expect(valueAt({}, "toString")).toBeUndefined();
});

test("a payload's number is whole and positive, and its text is a string with something in it", () => {
  expect([7, 0, -1, 1.5, "7", undefined].map(payloadCount)).toEqual([7, ...Array(5).fill(undefined)]);
  expect(["main", "", 7, undefined].map(payloadText)).toEqual(["main", undefined, undefined, undefined]);
});

test("a network that is on or off needs no list", () => {
  expect([plainNetwork(true), plainNetwork(false)]).toEqual([true, false]);
});

test("a reply to a command is remembered under the command's comment, a question's comment is not", () => {
  const posted = { commentId: 5, authorId: 9, createdAt: "2026-11-21T08:00:00Z" };
  const { refusals } = foldWork([
    { type: "CommentPosted", payload: { ...posted, role: "request", interactionId: "i-1" } },
    { type: "CommentPosted", payload: { ...posted, commentId: 6, role: "refusal", answers: 4 } },
  ]);
  expect([...refusals]).toEqual([[4, 6]]);
});

test("a delivered message is gone, and the others wait", () => {
  const left = (commentId: number) =>
    ({ type: "MessageLeft", payload: { commentId, actorId: "github:1:ada", text: "Hello." } }) as const;
  const state = foldWork([
    left(1),
    left(2),
    { type: "MessageDelivered", payload: { commentId: 1, taskId: "t" } },
  ]);
  expect(state.messages.map(({ commentId }) => commentId)).toEqual([2]);
});

test("works that ended more than so many days ago expire: no running work, and none without a limit", () => {
  const now = new Date("2026-01-31T00:00:00Z");
  const stored = [
    { workId: "old", message: ENDED, at: "2026-01-20T23:59:59Z" },
    { workId: "recent", message: ENDED, at: "2026-01-21T00:00:00Z" },
    { workId: "running", message: "chore: checkpoint", at: "2025-01-01T00:00:00Z" },
  ].map((work) => ({ ...work, commit: "0".repeat(40) }));
  expect(findExpired(stored, 10, now).map(({ workId }) => workId)).toEqual(["old"]);
  expect(findExpired(stored, undefined, now)).toEqual([]);
});

test("the name of a field is found in any case, unless two fields differ in nothing else", () => {
  const field = (id: string) => ({ id, label: id, kind: "Input" as const });
  expect(readFields("FIRST NAME: Ada", [field("First name")])).toEqual({
    value: JSON.stringify({ "First name": "Ada" }),
  });
  expect(readFields("A: 1", [field("a")])).toEqual({ value: '{"a":"1"}' });
  const both = [field("url"), field("URL")];
  expect(readFields("URL: x", both)).toEqual({ value: '{"URL":"x"}' });
  expect(readFields("Url: x", both)).toEqual({ wrongLine: 1 });
});

test("an answer with fields is one JSON object or lines, and a brace alone makes no object", () => {
  const fields = [{ id: "name", label: "Name", kind: "Input" as const }];
  expect(readFields(' {"name": "Ada"}', fields)).toEqual({ value: ' {"name": "Ada"}' });
  expect(readFields("{name: Ada", fields)).toEqual({ wrongLine: 1 });
  expect(readFields('["Ada"]', fields)).toEqual({ wrongLine: 1 });
});

test("an answer that counts as one approval again keeps the comment that it stood in", () => {
  const of = { interactionId: "i-1", taskId: "summary" };
  const said = { authorActorId: "github:1:ada", selectedOptionId: "approve", commentId: 12 };
  const { interactions } = foldEvents([
    requestLine("i-1", "q1-0a1b2c"),
    { store: "events", type: "UserInteractionResponded", payload: { ...of, ...said } },
    { store: "events", type: "ApprovalReopened", payload: { ...of, actorIds: ["github:2:bob"] } },
  ] satisfies DomainEvent[]);
  expect(interactions.get("i-1")).toMatchObject({
    approvals: [{ actorId: "github:1:ada", commentId: 12 }],
  });
  expect(interactions.get("i-1")?.response).toBeUndefined();
});

test("each rule that `npm run test:mutants` names still stands in one line of the sources", () => {
  const root = join(import.meta.dirname, "../..");
  const named: { line: string }[] = JSON.parse(
    readFileSync(join(root, "scripts/mutants/named.json"), "utf8"),
  );
  const lines = new Set(
    globSync("src/**/*.ts", { cwd: root }).flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .map((line) => line.trim()),
    ),
  );
  expect(named.map(({ line }) => line).filter((line) => !lines.has(line))).toEqual([]);
});

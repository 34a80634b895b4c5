// What is stored is judged when it is read: a field of a wrong type is damage with a place, never a surprise further on.
import { describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { ConversationLine, DomainEvent, WorkEvent } from "../../src/core/events.ts";
import { conversationPayloads, eventPayloads } from "../../src/core/line-shapes.ts";
import { decodeLine, type LogName } from "../../src/core/lines.ts";
import { workPayloads } from "../../src/core/work-shapes.ts";

type Payloads<Line extends { type: string; payload: unknown }> = {
  [T in Line["type"]]: Extract<Line, { type: T }>["payload"];
};

const HASH = "0".repeat(64);
const option = { id: "calm", label: "Calm", style: "primary", isDefault: true } as const;
const validation = { regex: "^a", required: true };
const file = { path: "a.md", commit: "c1", sha256: HASH, ours: HASH, session: "s", steps: ["summary"] };
const call = { conversationId: "ideas#1", toolCallId: "toolu_1", toolName: "runCommand" };
const said = { commentId: 7, permission: "write", answeredAt: "2026-11-21T08:00:00.000Z" };
const at = "2026-11-21T08:00:00.000Z";

const EVENTS: Payloads<DomainEvent> = {
  TaskCreated: {
    taskId: "ideas",
    agent: "idea-generator",
    outputs: ["ideas"],
    inputs: { source: "s", agent: "a", profile: "p" },
    conversationId: "ideas#1",
    from: "todo",
  },
  TaskRevised: { taskId: "T1", source: "" },
  SummaryReported: {
    taskId: "T1",
    callId: "toolu_1",
    summary: { task_id: "T1", status: "done", summary: "Did it.", files: ["a.md"], blockers: ["no key"] },
  },
  ActAhead: { taskId: "T1", tree: "t", list: "l" },
  BlocksSeen: { under: { T1: "0a1b" } },
  EndsReapplied: { commits: ["c1"] },
  TaskStarted: { taskId: "T1" },
  TaskCompleted: { taskId: "T1", at },
  TaskFailed: { taskId: "T1", reasonCode: "blocked", message: "no key", blocker: "no key", at },
  TaskCanceled: { taskId: "T1", reason: "r", at },
  SessionReopened: { at },
  SessionCanceled: { reason: "r", actorId: "github:1:ada", at },
  UserInteractionRequested: {
    interactionId: "i1",
    shortId: "q1-abcdef",
    taskId: "ideas",
    conversationId: "ideas#1",
    toolCallIds: ["toolu_1"],
    authorActorId: "agent:idea-generator",
    kind: "Composite",
    purpose: "generic",
    display: { title: "T", description: "d", content: { a: [1] }, contentKind: "Json" },
    options: [option],
    validation,
    fields: [{ id: "tone", label: "Tone?", kind: "Select", options: [option], validation }],
    expiresAt: at,
    startedBy: ["github:1:ada"],
    dangers: ["deletes"],
    isolation: { kind: "bubblewrap", network: false },
    kept: [{ toolCallId: "c-kept-1", path: ".npmrc", before: "a", after: "b" }],
    keys: [{ path: "notes.md", kind: "github-token", id: "k1" }],
    keyHashes: ["a1".repeat(32)],
    standing: { folder: ".", commands: ["npm test"] },
    said: "I remove the old table first.",
    fingerprint: HASH,
    conflict: [file],
    budget: { of: "month", unit: "usd", limit: 50, raiseTo: 55, name: "2026-11" },
    isRewritten: true,
    baseList: { hash: HASH, commit: "c1" },
    bindings: { toolu_1: { tree: HASH } },
  },
  UserInteractionResponded: {
    interactionId: "i1",
    taskId: "ideas",
    authorActorId: "github:1:ada",
    selectedOptionId: "calm",
    inputValue: "x",
    comment: "c",
    always: true,
    ...said,
  },
  ApprovalGiven: { interactionId: "i1", taskId: "ideas", actorId: "github:1:ada", always: true, ...said },
  ApprovalReopened: { interactionId: "i1", taskId: "ideas", actorIds: ["github:1:ada"] },
  ApprovalWithdrawn: { interactionId: "i1", taskId: "ideas", actorId: "github:1:ada" },
  InteractionExpired: { interactionId: "i1", taskId: "ideas", at },
  ToolCallStarted: { ...call, image: { before: HASH, after: HASH } },
  ToolCallWithdrawn: call,
  ToolCallSettled: { ...call, outcome: "done", resultHash: HASH, tree: HASH, notRun: "changed" },
  ArtifactAccepted: { taskId: "ideas", output: "ideas", contentHash: HASH },
  ArtifactAdopted: { output: "ideas", contentHash: HASH, editedBy: "ada" },
  ArtifactKept: { output: "ideas.json", path: "ideas.ada.json", contentHash: HASH },
  ArtifactRefused: { taskId: "ideas", output: "ideas", callId: "toolu_1", errors: ["e"] },
};

const CONVERSATION: Payloads<ConversationLine> = {
  ConversationStarted: {
    conversationId: "ideas#1",
    taskId: "ideas",
    agent: "a",
    frozen: HASH,
    provider: "anthropic",
    model: "m",
    effort: "high",
    depth: 0,
  },
  Message: {
    conversationId: "ideas#1",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", signature: "s" },
        { type: "text", text: "t" },
        { type: "tool_use", id: "toolu_1", name: "grep", input: { pattern: "x" } },
        { type: "tool_result", tool_use_id: "toolu_0", content: "c", is_error: true },
      ],
    },
    response: {
      model: "m",
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 },
      costUsd: 0.1,
    },
  },
  ToolResult: {
    conversationId: "ideas#1",
    block: { type: "tool_result", tool_use_id: "toolu_1", content: "c", is_error: true },
  },
  MemoryKept: { conversationId: "ideas#1", memory: HASH },
  SpendingLost: {
    conversationId: "ideas#1",
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 },
    costUsd: 0.1,
    requests: 2,
  },
  ModelSwitched: { conversationId: "ideas#1", from: "m", to: "n", reason: "overloaded" },
};

const WORK: Payloads<WorkEvent> = {
  WorkClaimed: { run: "1.1.x", actorId: "github:1:ada", rerunBy: "github:2:bob" },
  WorkReleased: { run: "1.1.x", isBehind: true },
  WorkClosed: { reason: "merged", isShown: true },
  WorkReopened: { at },
  ReviewRequested: { number: 7 },
  BatchIntended: { name: "n", at, customIds: ["c"] },
  BatchSent: { name: "n", batchId: "b" },
  BatchClosed: { name: "n" },
  PullRequestOpened: { number: 1, url: "u" },
  CommentPosted: {
    role: "request",
    commentId: 1,
    authorId: 2,
    createdAt: at,
    interactionId: "i1",
    isCut: true,
    answers: 3,
  },
  ConflictMet: { files: [file] },
  RequestLost: { interactionId: "i1", changedComment: 1 },
  CommentHandled: {
    commentId: 1,
    createdAt: at,
    verdict: "refused",
    reason: "r",
    actorId: "github:1:ada",
    permission: "write",
    command: "/approve q1",
    interactionIds: ["i1"],
    whatToDo: "w",
    copy: ["/approve q1"],
    retry: { sessionId: "s", output: "ideas", attempts: 1 },
    runsAll: true,
    restart: { ref: "refs/x/w.damaged-0a1b2c", commit: "c" },
  },
  RequestEdited: { interactionId: "i1", editedAt: at, shows: "github:1:ada" },
  RequestSettled: { interactionId: "i1", inVain: "changed" },
  CommentAcknowledged: { commentId: 1 },
  MessageLeft: { commentId: 1, actorId: "github:1:ada", text: "t" },
  MessageDelivered: { commentId: 1, taskId: "T1" },
  ApprovalStands: {
    number: 1,
    interactionId: "s-1.q1-0a1b2c",
    actorIds: ["github:1:ada"],
    at: "2026-01-01T00:00:00.000Z",
    folder: ".",
    commands: ["npm test"],
    isolation: "bubblewrap",
  },
  ApprovalRevoked: { number: 1, actorId: "github:1:ada" },
  LetterHandled: { id: "l" },
  PeopleReminded: { interactionId: "s.q1-0a1b2c" },
  BaseListSettled: { hash: HASH, commit: "c1" },
  StepsSettled: { interactionId: "s.q1-0a1b2c" },
  CheckSaved: { checkId: 1, headSha: "c1", shows: "d1" },
  BaseListSeen: { hash: HASH, commit: "c1" },
};

/** Fields that hold what anybody wrote: of any type. */
const OPEN = /\.display\.content(?:\.|$)|\.content\.0\.signature$|\.content\.2\.input(?:\.|$)/;
/** Fields that may be null. */
const NULLABLE = /\.task_id$|\.costUsd$/;
const VALUES = [7, "text", true, [], {}, null];

type Path = (string | number)[];

function* pathsIn(value: unknown, path: Path = []): Iterable<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => Reflect.get(inner as object, key), value);
}

/** A copy with another value at the path. */
function changed(payload: unknown, path: Path, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(payload));
  Reflect.set(valueAt(copy, path.slice(0, -1)) as object, path.at(-1) ?? "", value);
  return copy;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Every payload with one field of another type than it has. */
function* mutants(payload: unknown): Iterable<{ path: Path; value: unknown; mutant: unknown }> {
  for (const path of pathsIn(payload)) {
    const name = `.${path.join(".")}`;
    if (OPEN.test(name)) continue;
    for (const value of VALUES) {
      if (kindOf(value) === kindOf(valueAt(payload, path))) continue;
      if (value === null && NULLABLE.test(name)) continue;
      yield { path, value, mutant: changed(payload, path, value) };
    }
  }
}

const decode = (store: LogName, type: string, payload: unknown) =>
  decodeLine(store, JSON.stringify({ v: 1, seq: 1, at, type, payload }), "events/000001.jsonl:7");

describe.each([
  ["events", EVENTS, eventPayloads],
  ["conversation", CONVERSATION, conversationPayloads],
  ["work", WORK, workPayloads],
] as const)("%s", (store, samples, shapes) => {
  test("every type of line has a sample, with every field", () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(shapes).sort());
    for (const [type, shape] of Object.entries(shapes)) {
      const sample = Object.entries(samples).find(([name]) => name === type)?.[1];
      expect(Object.keys(sample ?? {}).sort(), type).toEqual(Object.keys(shape().shape).sort());
    }
  });

  test.each(Object.entries(samples))(
    "%s is read as it is; each field of a wrong type is refused, with the place",
    (type, payload) => {
      expect(decode(store, type, payload)?.payload).toEqual(payload);
      let count = 0;
      for (const { path, value, mutant } of mutants(payload)) {
        const what = `${type}.${path.join(".")} = ${JSON.stringify(value)}`;
        let thrown: unknown;
        try {
          decode(store, type, mutant);
        } catch (error) {
          thrown = error;
        }
        expect(thrown, what).toBeInstanceOf(LoopliaError);
        expect(thrown, what).toMatchObject({ code: "store-corrupt" });
        expect(String(thrown), what).toContain("events/000001.jsonl:7: ");
        expect(String(thrown), what).toContain(String(path[0]));
        count += 1;
      }
      expect(count).toBeGreaterThan(3);
    },
  );
});

// What every implementation of a port promises, fakes included: code that was tested with one runs with the others.
// Models, trusted files and the month's ledger have suites of their own, beside their servers and git. The
// discussion, the code host, state refs and worktrees have one implementation each and no fake: tests run the
// real one over a local GitHub and real git.
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import picocolors from "picocolors";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkAnswer } from "../src/approval/questions.ts";
import type { DomainEvent } from "../src/core/events.ts";
import { hashContent } from "../src/core/json.ts";
import type { Host, Stores, Workspace } from "../src/core/ports.ts";
import type { SessionWorktree, ToolServers } from "../src/core/ports-host.ts";
import { sessionWorkspace } from "../src/files/session-workspace.ts";
import { openToolServers } from "../src/mcp/servers.ts";
import { Replay } from "../src/offline/replay.ts";
import { openStores } from "../src/store/work.ts";
import { createDemoHost, createTerminalHost } from "../src/terminal/host.ts";
import { guardTodo } from "../src/todo/revise.ts";
import { createPullRequestHost } from "../src/work/host.ts";
import { confirm, input, question } from "./cli/made-up.ts";
import { approve, ScriptedHost } from "./fakes/agent-world.ts";
import { mortalStores } from "./fakes/dying-stores.ts";
import { fixedClock } from "./fakes/fixed-clock.ts";
import { eventLine, lineOf, requestLine } from "./fakes/store-lines.ts";
import { startToolServer } from "./fakes/tool-server-http.ts";
import { makeWorktree } from "./fakes/worktree.ts";

const nothing = async () => {};
const never = async (): Promise<never> => Promise.reject(new Error("not needed here"));

const RECORD = { events: [], conversation: [], setAside: [] };
const CALL = { type: "tool_use", id: "t1", name: "mcp__notes__add", input: { text: "x" } } as const;

describe.each<[string, () => Host]>([
  ["the demo", () => createDemoHost({ print: () => {}, approves: true })],
  ["a terminal without a person", () => createTerminalHost(TERMINAL)],
  ["a pull request", () => createPullRequestHost(PULL_REQUEST)],
  ["a record", () => new Replay("s", RECORD).host],
  ["the fake", () => new ScriptedHost([approve()])],
  ["the fake without answers", () => new ScriptedHost([])],
])("the host of %s", (_, open) => {
  test.each([confirm, question, { ...input, validation: {} }])(
    "asks a $kind and gives an answer that counts, or none",
    async (request) => {
      const host = open();
      const before = structuredClone(request);
      const result = await host.ask(request, new AbortController().signal);
      expect(request).toEqual(before);
      if (host.answersLater) expect(result).toBe("later");
      if (typeof result === "string") return expect(result).toBe(host.canAsk ? "later" : "nobody");
      expect(result.actorId).toMatch(/^(?:terminal|github):/);
      // The scripted host says what its test scripted, whatever is asked.
      if (!(host instanceof ScriptedHost))
        expect(await checkAnswer(request, result.answer)).toMatchObject({ ok: true });
    },
  );

  test("resolves what it is told about, and drops nobody who may decide", async () => {
    const host = open();
    await expect(host.secure()).resolves.toBeUndefined();
    const ended = {
      sessionId: "s",
      folder: "f",
      title: "t",
      outputs: ["summary"],
    };
    await expect(host.taskEnded({ ...ended, status: "completed" })).resolves.toBeUndefined();
    expect((await host.whoMayNot?.(["github:1:ada"])) ?? []).toEqual([]);
  });
});

const TERMINAL: Parameters<typeof createTerminalHost>[0] = {
  ...{ input: process.stdin, output: process.stderr, isInteractive: false, actorId: "terminal:ada" },
  ...{ screen: { pause() {}, resume() {} }, colors: picocolors.createColors(false), interrupt() {} },
  check: async (_request, answer) => ({ ok: true, answer }),
};

const PULL_REQUEST = {
  work: {
    checkpoint: nothing,
    stateRef: { checkpointSoon: () => {} },
    state: { conflicts: [] },
    sessions: async () => [],
  },
  worktree: { commit: nothing, commitAll: nothing, allowKeys: () => {}, hold: never, editorOf: never },
  ...{ folder: "", isRehearsal: false, run: "1.1", redact: (text: string) => text },
  ...{ mayDecide: async () => true, hearRevocations: nothing, whenAsked: () => {}, whenEnded: () => {} },
} as unknown as Parameters<typeof createPullRequestHost>[0];

const WORK = "writing-kit-abc123";
const SESSION = "kettles-2026-11-21-0a1b2c";
const HEADER = { workId: WORK, kind: "content", key: "k" } as const;

describe.each<[string, (folder: string) => Stores]>([
  ["on disk", (stateFolder) => openStores({ stateFolder, codeVersion: "1", clock: fixedClock() })],
  [
    "on disk, encrypted",
    (stateFolder) =>
      openStores({ stateFolder, codeVersion: "1", clock: fixedClock(), stateKey: "k".repeat(40) }),
  ],
  [
    "of a process that may die",
    (stateFolder) =>
      mortalStores({ lines: 0, ends: 100 })(
        openStores({ stateFolder, codeVersion: "1", clock: fixedClock() }),
      ),
  ],
])("stores %s", (_, create) => {
  const answered: DomainEvent = {
    store: "events",
    type: "UserInteractionResponded",
    payload: {
      interactionId: "i-1",
      taskId: "summary",
      authorActorId: "terminal:ada",
      selectedOptionId: "approve",
    },
  };

  async function open() {
    const folder = await mkdtemp(join(tmpdir(), "looplia-port-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return create(folder);
  }

  test("show every line that was appended, in its order, to each reader and to the next process", async () => {
    const stores = await open();
    expect(await stores.look(SESSION)).toBeUndefined();
    expect(await stores.findSession(SESSION)).toBeUndefined();
    const work = await stores.open(HEADER);
    const session = await work.session(SESSION);
    await session.append([eventLine("t1"), lineOf("conversation", "hello")]);
    await session.append([lineOf("audit", "said"), eventLine("t2")]);
    const frozen = await session.freeze("a prefix, byte for byte");
    const looked = await stores.look(SESSION);
    expect(looked?.events).toEqual([eventLine("t1"), eventLine("t2")]);
    expect(looked?.conversation).toEqual([lineOf("conversation", "hello")]);
    expect(await stores.findSession(SESSION)).toBe(WORK);
    await session.close();
    await work.close();
    const next = await stores.open({ ...HEADER, key: "another" });
    const again = await next.session(SESSION);
    expect(await again.load()).toMatchObject({ events: looked?.events, conversation: looked?.conversation });
    expect(await again.readFrozen(frozen)).toBe("a prefix, byte for byte");
    await next.close();
  });

  test("let one process write at a time, and number its questions without a gap", async () => {
    const stores = await open();
    const work = await stores.open(HEADER);
    await expect(stores.open(HEADER)).rejects.toMatchObject({ code: "busy" });
    expect([await work.nextOrdinal(), await work.nextOrdinal()]).toEqual([1, 2]);
    await work.appendWorkEvents([{ type: "ApprovalRevoked", payload: { number: 3, actorId: "a" } }]);
    expect(await work.workEvents()).toMatchObject([{ type: "ApprovalRevoked" }]);
    await work.close();
    await (await stores.open(HEADER)).close();
  });

  test("find a question by either id, and list it until it is answered", async () => {
    const stores = await open();
    const work = await stores.open(HEADER);
    const session = await work.session(SESSION);
    await session.append([requestLine("i-1", "q1-0a1b2c"), requestLine("i-2", "q2-0a1b2c")]);
    const found = { workId: WORK, sessionId: SESSION, interactionId: "i-1" };
    expect(await stores.findInteraction("i-1")).toEqual(found);
    expect(await stores.findInteraction("q1-0a1b2c")).toEqual(found);
    expect(await stores.findInteraction("q9-0a1b2c")).toBeUndefined();
    const listed = async () => (await stores.openQuestions(WORK)).map(({ interactionId }) => interactionId);
    expect(await listed()).toEqual(["i-1", "i-2"]);
    await session.append([answered]);
    expect(await listed()).toEqual(["i-2"]);
    expect((await stores.openQuestions(WORK))[0]).toMatchObject({ sessionId: SESSION, shortId: "q2-0a1b2c" });
    expect(await stores.openQuestions("writing-kit-000000")).toEqual([]);
    await work.close();
  });
});

const FILES = { "list.json": "{}\n", "src/a.txt": "one\n", "src/b.bin": new Uint8Array([0, 255]) };

/** Changes of the program's files by agents are the guard's subject elsewhere. */
const GUARD: Parameters<typeof guardTodo>[1] = {
  ...{ path: "list.json", beforeAct: nothing, onUndone: nothing, hold: () => undefined },
  ...{ variables: () => ({}), checkedVariables: () => ({}) },
};

/** A session's own worktree as git makes it, without git: a folder, and a hash in place of a tree's id. */
async function ownWorktree() {
  const { root, workspace } = await makeWorktree(FILES);
  const tree: SessionWorktree = {
    ...{ root, leftOut: [], keep: () => {}, refresh: nothing, leave: nothing, newKeys: async () => [] },
    capture: (pending) => workspace.snapshot(pending),
  };
  return { tree, workspace, close: nothing };
}

describe.each<[string, (shared: Workspace) => Workspace]>([
  ["a folder", (shared) => shared],
  ["a task list", (shared) => guardTodo(shared, GUARD)],
  [
    "a session with its own worktree",
    (shared) =>
      sessionWorkspace(shared, { isStored: true, root: "", program: { file: "list.json" } }, ownWorktree),
  ],
])("the workspace of %s", (_, wrap) => {
  const open = async () => wrap((await makeWorktree(FILES)).workspace);
  const limits = { timeoutMs: 60_000, maxOutput: 1_000, signal: new AbortController().signal };

  test("reads, writes, lists and removes the program's files", async () => {
    const workspace = await open();
    await workspace.requireWritable("out/kits");
    await workspace.writeAtomic("out/kits/kit.md", "# Kit\n");
    expect(Buffer.from((await workspace.read("out/kits/kit.md")) ?? []).toString()).toBe("# Kit\n");
    expect(await workspace.hashSeveral("out/kits", ["kit.md", "none.md"])).toEqual(
      new Map([["kit.md", hashContent("# Kit\n")]]),
    );
    expect(await workspace.modifiedAt("out/kits/kit.md")).toBeInstanceOf(Date);
    expect(await workspace.list("out")).toEqual([{ name: "kits", isFolder: true }]);
    await workspace.remove("out");
    await workspace.remove("out");
    expect(await workspace.read("out/kits/kit.md")).toBeUndefined();
    expect(await workspace.list("out")).toEqual([]);
    await expect(workspace.read("../secret")).rejects.toThrow(/refused/);
  });

  test("shows tools and commands the same files, and no others", async () => {
    const { forTools, ...workspace } = await open();
    const place = await forTools.locate("src/new.txt");
    await forTools.writeText("src/new.txt", "two\n", place);
    expect(await forTools.readForEdit("src/none.txt")).toBeUndefined();
    const { exitCode, output } = await workspace.run(
      "cat src/a.txt src/new.txt && echo three > src/c.txt",
      limits,
    );
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: "one\ntwo\n" });
    expect(await forTools.readText("src/c.txt")).toBe("three\n");
    expect(await forTools.lookAt("src")).toBe("folder");
    const walked: string[] = [];
    for await (const path of forTools.walk("src", "*.txt")) walked.push(path);
    expect(walked).toEqual(["src/a.txt", "src/c.txt", "src/new.txt"]);
    await expect(forTools.readText("src/b.bin")).rejects.toThrow(/binary|not text/i);
    for (const path of ["../out.txt", ".git/config", "/etc/passwd"]) {
      await expect(forTools.writeText(path, "x")).rejects.toMatchObject({ code: expect.any(String) });
    }
  });

  test("takes a snapshot that tells every change, also one that is only pending, and changes nothing", async () => {
    const workspace = await open();
    const first = await workspace.snapshot();
    expect(await workspace.snapshot(undefined, first)).toBe(first);
    const pending = await workspace.snapshot(new Map([["src/a.txt", "changed\n"]]), first);
    expect(pending).not.toBe(first);
    expect(await workspace.snapshot(undefined, first)).toBe(first);
    await workspace.forTools.writeText("src/a.txt", "changed\n");
    expect(await workspace.snapshot(undefined, first)).toBe(pending);
  });
});

describe.each<[string, () => Promise<ToolServers>]>([
  [
    "over HTTP",
    async () => {
      const server = await startToolServer("Bearer t");
      const access = { url: server.url, headers: { authorization: "Bearer t" } };
      const notes = { name: "notes", place: server.url, timeoutMs: 5_000, open: async () => access };
      const servers = openToolServers([notes], { version: "1", warn: () => {} });
      onTestFinished(async () => {
        await servers.close();
        await server.close();
      });
      return servers;
    },
  ],
  ["of a record", async () => new Replay("s", recordOf(CALL)).servers],
])("tool servers %s", (_, open) => {
  test("name their tools in a fixed order, and the place behind each, but of no other tool", async () => {
    const servers = await open();
    const names = (await servers.definitions()).map(({ name }) => name);
    expect(servers.names).toEqual(["notes"]);
    expect(names).not.toEqual([]);
    expect(names).toEqual((await servers.definitions()).map(({ name }) => name));
    for (const name of names) {
      expect(name).toMatch(/^mcp__notes__/);
      expect(servers.placeOf(name)).toBeTypeOf("string");
    }
    expect(servers.placeOf("mcp__other__add")).toBeUndefined();
  });

  test("tell the failure of a call that they can't make, and never throw it", async () => {
    const servers = await open();
    const { signal } = new AbortController();
    expect(await servers.call("mcp__other__add", {}, signal)).toMatchObject({ isError: true });
    expect(await servers.call("mcp__notes__no_such_tool", {}, signal)).toMatchObject({ isError: true });
  });
});

/** A conversation in which a tool was called once. */
function recordOf(call: typeof CALL): ConstructorParameters<typeof Replay>[1] {
  const about = { conversationId: "c1" };
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const lines = [
    {
      type: "ConversationStarted",
      payload: { ...about, taskId: "t", agent: "a", provider: "p", model: "m" },
    },
    {
      type: "Message",
      payload: {
        ...about,
        message: { role: "assistant", content: [call] },
        response: { stopReason: "tool_use", model: "m", usage },
      },
    },
    {
      type: "ToolResult",
      payload: { ...about, block: { type: "tool_result", tool_use_id: call.id, content: "added" } },
    },
  ];
  return { ...RECORD, conversation: lines } as unknown as ConstructorParameters<typeof Replay>[1];
}

test("each test that starts a strict fake closes it: closing throws for every violation", () => {
  const isStrict =
    /\b(?:startGithubServer|startMessagesApi|startOpenAIApi|startModelServer|createActionWorld)\(/;
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
  // A world that starts one for its test, and leaves the end to it.
  const worlds = globSync("fakes/*.ts", { cwd: import.meta.dirname })
    .map(read)
    .filter((text) => isStrict.test(text))
    .flatMap((text) => [...text.matchAll(/export (?:async )?function (create\w*World|start\w+)\(/g)])
    .map(([, name = ""]) => name);
  expect(worlds).toContain("createActionWorld");
  const uses = new RegExp(`\\b(?:${worlds.join("|")})\\(`);
  const open = globSync("**/*.test.ts", { cwd: import.meta.dirname }).filter((path) => {
    const text = read(path);
    return uses.test(text) && !/\bclose(?:World)?\(\)|\.close\b/.test(text);
  });
  expect(open).toEqual([]);
});

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Wiring } from "../../src/cli/surface.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import type { LoadedSession } from "../../src/core/ports.ts";
import { question, SESSION } from "./made-up.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

const WAITING = SESSION;
const DONE = "older-2026-11-20-000001";

function manifest(contentId: string, createdAt: string, steps: Record<string, unknown>): string {
  const known = { version: 1, contentId, source: `content/${contentId}.md`, pipeline: "writing-kit" };
  return JSON.stringify({ ...known, desiredOutput: "ideas", createdAt, updatedAt: createdAt, steps });
}

async function workspace(): Promise<string> {
  const folder = await makeFolder();
  const sessions = {
    [DONE]: manifest(DONE, "2026-11-20T10:00:00.000Z", {
      summary: { status: "completed" },
      ideas: { status: "completed" },
    }),
    [WAITING]: manifest(WAITING, "2026-11-21T10:00:00.000Z", {
      summary: { status: "completed" },
      ideas: { status: "in_progress" },
    }),
    "broken-2026-11-19-000002": "{ torn",
  };
  for (const [sessionId, text] of Object.entries(sessions)) {
    await mkdir(join(folder, ".looplia/contentItem", sessionId), { recursive: true });
    await writeFile(join(folder, ".looplia/contentItem", sessionId, "session.json"), text);
  }
  return folder;
}

const stores: LoadedSession = {
  events: [{ store: "events", type: "UserInteractionRequested", payload: question }],
  conversation: [
    {
      store: "conversation",
      type: "ConversationStarted",
      payload: {
        conversationId: "ideas#1",
        taskId: "ideas",
        agent: "idea-generator",
        frozen: "00",
        provider: "anthropic",
        model: "m",
        depth: 0,
      },
    },
    {
      store: "conversation",
      type: "Message",
      payload: {
        conversationId: "ideas#1",
        message: { role: "assistant", content: [] },
        response: {
          model: "m",
          stopReason: "tool_use",
          usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
          costUsd: 0.5,
        },
      },
    },
  ],
  setAside: [],
};
const wiring = {
  readStores: () => async (sessionId: string) => (sessionId === WAITING ? stores : undefined),
};

describe("status", () => {
  it("lists sessions, newest first, with steps, cost and the commands that answer", async () => {
    const { code, stdout } = await runMain(["status"], await workspace(), { wiring });
    expect(code).toBe(0);
    expect(stdout.indexOf(WAITING)).toBeLessThan(stdout.indexOf(DONE));
    expect(stdout).toMatch(new RegExp(`^\\? ${WAITING}  waiting$`, "m"));
    expect(stdout).toMatch(new RegExp(`^✓ ${DONE}  completed$`, "m"));
    expect(stdout).toMatch(/^ {2}■ ideas {4}in_progress$/m);
    expect(stdout).toContain("10 tokens in, 5 out · $0.5000");
    expect(stdout).toContain(`looplia answer ${question.shortId} choose hook-1\n`);
  });

  it("shows what ends a question that has expired, and not how to answer it", async () => {
    const asked = (expiresAt: string): LoadedSession => ({
      ...stores,
      events: [{ store: "events", type: "UserInteractionRequested", payload: { ...question, expiresAt } }],
    });
    const shown = async (expiresAt: string) => {
      const readStores = () => async (id: string) => (id === WAITING ? asked(expiresAt) : undefined);
      return (await runMain(["status"], await workspace(), { wiring: { readStores } })).stdout;
    };
    const late = await shown("2020-01-01T00:00:00.000Z");
    expect(late).toContain(
      `expired at 2020-01-01T00:00:00.000Z; to end the waiting step, run:\n    looplia run --session-id ${WAITING}\n`,
    );
    expect(late).not.toContain("looplia answer");
    expect(await shown("2999-01-01T00:00:00.000Z")).toContain("looplia answer");
  });

  it("lists a session that is damaged, with the file, the reason and what to do", async () => {
    const { stdout } = await runMain(["status"], await workspace(), { wiring });
    expect(stdout).toMatch(
      /^✗ broken-2026-11-19-000002 {2}damaged\n {2}.*000002\/session\.json: is torn.*\n {2}restore/m,
    );
  });

  it("says of the only session that its stores are damaged", async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, ".looplia/contentItem", DONE), { recursive: true });
    const text = manifest(DONE, "2026-11-20T10:00:00.000Z", {});
    await writeFile(join(folder, ".looplia/contentItem", DONE, "session.json"), text);
    const readStores = () => async (): Promise<LoadedSession> => {
      throw new LoopliaError("store-corrupt", "state/events/000001.jsonl:3: damaged line.", {
        hint: "Restore it.",
      });
    };
    const { code, stdout } = await runMain(["status"], folder, { wiring: { readStores } });
    expect(code).toBe(0);
    expect(stdout).toBe(`✗ ${DONE}  damaged\n  state/events/000001.jsonl:3: damaged line.\n  Restore it.\n`);
    for (const command of ["report", "replay"]) {
      const { stderr } = await runMain([command], folder, { wiring: { readStores } });
      expect(stderr).toBe("error: state/events/000001.jsonl:3: damaged line.\nRestore it.\n");
    }
    const json = JSON.parse((await runMain(["status", "--json"], folder, { wiring: { readStores } })).stdout);
    expect(json).toEqual([
      expect.objectContaining({ sessionId: DONE, status: "damaged", hint: "Restore it." }),
    ]);
  });

  it("shows one session, also as JSON", async () => {
    const folder = await workspace();
    const one = await runMain(["status", DONE], folder, { wiring });
    expect(one.stdout).toContain(DONE);
    expect(one.stdout).not.toContain(WAITING);
    const asked = await runMain(["status", WAITING], folder, { wiring });
    expect(asked.stdout).toContain("1  hook-1  Nine of ten seats were empty.");
    const json = JSON.parse((await runMain(["status", "--json"], folder, { wiring })).stdout);
    expect(json).toMatchObject([
      { sessionId: WAITING, status: "waiting", interactions: [{ shortId: "q1-abc123" }], costUsd: 0.5 },
      { sessionId: DONE, status: "completed", interactions: [], usage: { inputTokens: 0 } },
      { sessionId: "broken-2026-11-19-000002", status: "damaged" },
    ]);
  });

  it("tells when a task list's session began and when it was written last", async () => {
    const written = { first: "2026-11-20T23:59:00.000Z", last: "2026-11-22T08:00:00.000Z" };
    const taskSessions = async () => [{ sessionId: "to-do-2026-11-20-000003", source: undefined }];
    const readStores = () => async () => ({ ...stores, written });
    const options = { wiring: { taskSessions, readStores } };
    const { stdout } = await runMain(["status", "--json"], await makeFolder(), options);
    expect(JSON.parse(stdout)).toMatchObject([{ createdAt: written.first, updatedAt: written.last }]);
  });

  it("names tasks by id and title, and the question's task too", async () => {
    const id = "to-do-2026-11-20-000003";
    const begun = { agent: "a", outputs: [], inputs: { source: "", agent: "", profile: "" } };
    const events: LoadedSession["events"] = [
      { store: "events", type: "TaskCreated", payload: { ...begun, taskId: "T1", conversationId: "T1#1" } },
      { store: "events", type: "UserInteractionRequested", payload: { ...question, taskId: "T1" } },
    ];
    const folder = await makeFolder();
    const task = { id: "T1", title: "Count the seats", priority: 1, status: "doing" };
    const list = { schema_version: 1, source_files: [], tasks: [task] };
    await writeFile(join(folder, "to-do.json"), JSON.stringify(list));
    const readStores = () => async () => ({ ...stores, events });
    const taskSessions = async () => [{ sessionId: id, source: undefined }];
    const options = { wiring: { taskSessions, readStores } };
    const { stdout } = await runMain(["status"], folder, options);
    expect(stdout).toMatch(/^ {2}■ T1 {2}Count the seats {2}in_progress$/m);
    expect(stdout).toContain("question: Which hook shall lead? (q1-abc123, T1 Count the seats)");
    const report = (await runMain(["report", id], folder, options)).stdout;
    expect(report).toContain("1 task is left: T1 (doing)");
    expect(report).toContain("| `T1` Count the seats |");
    expect((await runMain(["report"], folder, options)).stdout).toBe(report);
    const none = await runMain(["report"], await makeFolder(), { wiring: { taskSessions: async () => [] } });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("`looplia run` starts one")]);
  });

  it("lists standing approvals, each with the command that ends it", async () => {
    const approval = { interactionId: "i", actorIds: ["terminal:ada"], at: "2026-11-22T08:00:00.000Z" };
    const given = { ...approval, folder: ".", isolation: "bubblewrap" };
    const works = [{ workId: "tasks-0a1b2c", approvals: [{ ...given, number: 2, commands: ["npm test"] }] }];
    const revoked: unknown[] = [];
    const standing: Partial<Wiring> = {
      standingApprovals: async () => works,
      revokeApproval: async (_place, one, actorId) => void revoked.push({ ...one, actorId }),
    };
    const run = async (...argv: string[]) => runMain(argv, await makeFolder(), { wiring: standing });
    const { stdout } = await run("status");
    expect(stdout).toMatch(/npm test {2}by terminal:ada, 2026-.*\n +looplia answer revoke 2\n/);
    const ended = await run("answer", "revoke", "2");
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/^Revoked 2: npm test\./)]);
    const workId = "tasks-0a1b2c";
    expect(revoked).toEqual([{ workId, number: 2, actorId: expect.stringMatching(/^terminal:/) }]);
    const wrong = await run("answer", "revoke", "3");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("answer revoke tasks-0a1b2c/2")]);
    works.push({ workId: "tasks-333333", approvals: [{ ...given, number: 2, commands: ["ls"] }] });
    expect((await run("answer", "revoke", "2")).stderr).toContain("Several works");
    expect((await run("answer", "revoke", "tasks-333333/2")).stdout).toContain("Revoked 2: ls.");
    expect((await run("answer", "revoke")).code).toBe(2);
  });

  it("says so when there is none", async () => {
    const { code, stdout } = await runMain(["status"], await makeFolder());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No sessions in /);
  });
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { MAX_OPEN_QUESTIONS, OpenQuestions } from "../../src/agent/session.ts";
import type { AskResult } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost } from "../fakes/agent-world.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

const ASK = { content: [call("q", "askUser", { question: "Which tone?", options: ["Plain", "Bold"] })] };
const RUN = { content: [call("1", "runCommand", { command: "true" })] };
const TOUCH = { content: [call("1", "runCommand", { command: "touch ran" })] };
const HOUR = 3_600_000;

describe("a question that nobody answers", () => {
  it("says until when it may be answered, and fails its task once that has passed", async () => {
    const world = await createWorld();
    const { session } = await runOnce(world, new ScriptedModel([ASK]));
    const [asked] = [...session.journal.state.interactions.values()];
    const expiresAt = Date.parse(asked?.request.expiresAt ?? "");
    expect(expiresAt - world.clock.now().getTime()).toBeGreaterThan(167 * HOUR);

    const late = { ...world, clock: { now: () => new Date(expiresAt), elapsed: () => 0 } };
    const host = new ScriptedHost([{ answer: { selectedOptionId: "plain" }, actorId: "terminal:t" }]);
    const next = await runOnce(late, new ScriptedModel([]), { host });
    expect(next.outcome).toMatchObject({ kind: "failed", reasonCode: "expired" });
    expect(host.asked).toEqual([]);
    const [closed] = [...next.session.journal.state.interactions.values()];
    expect(closed?.closed).toEqual({ why: "expired", at: new Date(expiresAt).toISOString() });
  });

  it("of a subagent fails the task above it too: no agent goes on as if it had an answer", async () => {
    const world = await createWorld();
    const task = { content: [call("t1", "Task", { agent: "helper", prompt: "Find out." })] };
    await runOnce(world, new ScriptedModel([task, ASK]));
    const late = { ...world, clock: { now: () => new Date(Date.UTC(2027, 0, 1)), elapsed: () => 0 } };
    const { outcome } = await runOnce(late, new ScriptedModel([]));
    expect(outcome).toMatchObject({ kind: "failed", reasonCode: "expired" });
  });
});

describe("a risky call that several people must approve", () => {
  const says = (actorId: string): AskResult => ({ answer: { selectedOptionId: "approve" }, actorId });

  it("waits for the second person, and the first one twice is one", async () => {
    const world = await createWorld();
    const minApprovals = 2;
    const run = (host: AskResult, script: ConstructorParameters<typeof ScriptedModel>[0]) =>
      runOnce(world, new ScriptedModel(script), { host: new ScriptedHost([host]), minApprovals });
    expect((await run(says("github:1:ann"), [RUN])).outcome.kind).toBe("waiting");
    expect((await run(says("github:1:ann"), [])).outcome.kind).toBe("waiting");
    expect((await run(says("github:2:bob"), ["done"])).outcome.kind).toBe("completed");
  });
});

describe("an approval of somebody who may not decide any more when its call would run", () => {
  /** Answered hours ago; who may decide is asked again. */
  class LaterHost extends ScriptedHost {
    readonly gone: string[];
    readonly looked: (readonly string[])[] = [];

    constructor(answers: AskResult[], gone: string[]) {
      super(answers);
      this.gone = gone;
    }

    async whoMayNot(actorIds: readonly string[]): Promise<string[]> {
      this.looked.push(actorIds);
      return actorIds.filter((actorId) => this.gone.includes(actorId));
    }
  }
  const says = (actorId: string): AskResult => ({ answer: { selectedOptionId: "approve" }, actorId });
  it.each([
    [["github:1:ann"], false],
    [["github:2:bob"], false],
    [["github:3:eve"], true],
  ])("with %j gone the command of ann and bob runs: %j", async (gone, isRun) => {
    const world = await createWorld();
    const minApprovals = 2;
    await runOnce(world, new ScriptedModel([TOUCH]), {
      host: new LaterHost([says("github:1:ann")], []),
      minApprovals,
    });
    const host = new LaterHost([says("github:2:bob")], gone);
    const model = new ScriptedModel(["done"]);
    expect((await runOnce(world, model, { host, minApprovals })).outcome.kind).toBe("completed");
    expect(host.looked).toEqual([["github:1:ann", "github:2:bob"]]);
    expect(existsSync(join(world.root, "ran"))).toBe(isRun);
    expect(JSON.stringify(model.requests[0]?.messages).includes("may no longer decide here")).toBe(!isRun);
  });
});

describe("a question of the model's own that is called confirm_risky_action", () => {
  const [run] = TOUCH.content;
  const input = { question: "May I touch it?", kind: "Confirm", purpose: "confirm_risky_action" };
  const turn = { content: [call("q", "askUser", input), ...(run ? [run] : [])] };

  it("lets nothing run when it is approved: the call is asked about by itself", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([approve()]);
    const { outcome } = await runOnce(world, new ScriptedModel([turn]), { host });
    expect(outcome.kind).toBe("waiting");
    expect(host.asked.map(({ toolCallIds }) => toolCallIds)).toEqual([["q"], ["1"]]);
    expect(existsSync(join(world.root, "ran"))).toBe(false);
  });
});

describe("the open questions of a work", () => {
  it("are ten at most: a call that wants to ask one more waits without one, and asks when there is room", async () => {
    const world = await createWorld();
    const full = new OpenQuestions(Array.from({ length: MAX_OPEN_QUESTIONS }, (_, at) => `other.${at}`));
    const host = new ScriptedHost([approve()]);
    const first = await runOnce(world, new ScriptedModel([RUN]), { host, questions: full });
    expect(first.outcome.kind).toBe("waiting");
    expect(host.asked).toEqual([]);
    expect(first.session.journal.state.interactions.size).toBe(0);
    full.settle("other.0");
    const second = await runOnce(world, new ScriptedModel(["done"]), { host, questions: full });
    expect(second.outcome.kind).toBe("completed");
    expect(full.isFull).toBe(false);
  });

  it("are ten at most also where two sessions ask at one moment", async () => {
    const [one, other] = [await createWorld(), await createWorld()];
    const questions = new OpenQuestions(Array.from({ length: MAX_OPEN_QUESTIONS - 1 }, (_, at) => `q.${at}`));
    let second: ReturnType<typeof runOnce> | undefined;
    // While the first is given its number the other comes to the same point, and would get further.
    const nextOrdinal = async () => {
      second = runOnce(other, new ScriptedModel([RUN]), { questions });
      await Promise.race([second, sleep(300)]);
      return 1;
    };
    const first = await runOnce(one, new ScriptedModel([RUN]), { questions, nextOrdinal });
    const sizes = [first, await second].map((ran) => ran?.session.journal.state.interactions.size);
    expect(sizes).toEqual([1, 0]);
  });
});

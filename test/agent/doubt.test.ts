// DURABILITY, the crash table: a call was started, its result is not there, and another process goes on.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { Cancellation } from "../../src/agent/session.ts";
import { voidApprovalOf } from "../../src/core/answer-fate.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { AskResult, Host, Isolation, RunEvent } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost, type World } from "../fakes/agent-world.ts";
import { Killed } from "../fakes/dying-stores.ts";
import { isHeld } from "../fakes/held-pipe.ts";
import { call, resultOf, ScriptedModel } from "../fakes/scripted-model.ts";

const ISOLATED: Isolation = { kind: "bubblewrap", network: false };
const command = (id: string, text: string) => call(id, "runCommand", { command: text });
const answer = (selectedOptionId: string, actorId = "terminal:t"): AskResult => ({
  answer: { selectedOptionId },
  actorId,
});

/** The process is killed when it reports that: before the effect, or after it and before its result is stored. */
const killAt = (type: "tool-started" | "tool-ended", toolCallId: string) => (event: RunEvent) => {
  if (event.type === type && event.toolCallId === toolCallId) throw new Killed(type);
};

async function lineCount(world: World, name: string): Promise<number> {
  const text = await readFile(join(world.root, name), "utf8").catch(() => "");
  return text.split("\n").length - 1;
}

const SAY = { content: [command("1", "echo said >> log")] };

/** A process that is killed after (or before) the command ran. */
async function crashed(when: "tool-started" | "tool-ended" = "tool-ended"): Promise<World> {
  const world = await createWorld();
  const options = { host: new ScriptedHost([approve()]), observe: killAt(when, "1") };
  await expect(runOnce(world, new ScriptedModel([SAY]), options)).rejects.toThrow(Killed);
  expect(await lineCount(world, "log")).toBe(when === "tool-ended" ? 1 : 0);
  return world;
}

describe("X: effect or result cut, the next wake asks: it happened / run it / stop", () => {
  it("names the command and says that nobody knows", async () => {
    const host = new ScriptedHost([]);
    const { outcome } = await runOnce(await crashed(), new ScriptedModel([]), { host });
    expect(outcome.kind).toBe("waiting");
    const [asked] = host.asked;
    expect(asked).toMatchObject({
      kind: "Select",
      purpose: "confirm_risky_action",
      display: { title: expect.stringMatching(/^Unknown outcome/), content: "echo said >> log" },
      isolation: { kind: "none", network: true },
    });
    expect(asked?.options?.map(({ id }) => id)).toEqual(["happened", "run", "stop"]);
  });

  it("asks the same question however often it wakes", async () => {
    const world = await crashed();
    const hosts = [new ScriptedHost([]), new ScriptedHost([]), new ScriptedHost([])];
    for (const host of hosts) await runOnce(world, new ScriptedModel([]), { host });
    const ids = hosts.flatMap(({ asked }) => asked.map(({ interactionId }) => interactionId));
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  test.each<[string, string, number, string]>([
    ["it happened: it is not run again", "happened", 1, "this call did run"],
    ["run it: it runs once more", "run", 2, "Exit code 0."],
    ["a refusal to decide: it is not run again", "reject", 1, "outcome is unknown"],
  ])("%s", async (_, option, lines, told) => {
    const world = await crashed();
    const model = new ScriptedModel(["done"]);
    const { outcome } = await runOnce(world, model, { host: new ScriptedHost([answer(option)]) });
    expect(outcome.kind).toBe("completed");
    expect(await lineCount(world, "log")).toBe(lines);
    expect(resultOf(model.requests[0], "1")?.content).toContain(told);
  });

  it("stop: the task ends, and nothing is run", async () => {
    const world = await crashed();
    const { outcome } = await runOnce(world, new ScriptedModel([]), {
      host: new ScriptedHost([answer("stop")]),
    });
    expect(outcome).toMatchObject({ kind: "failed", reasonCode: "rejected" });
    expect(await lineCount(world, "log")).toBe(1);
  });

  it("an answer counts for one start: killed again while it runs again, it asks again", async () => {
    const world = await crashed();
    const again = { host: new ScriptedHost([answer("run")]), observe: killAt("tool-ended", "1") };
    await expect(runOnce(world, new ScriptedModel([]), again)).rejects.toThrow(Killed);
    const host = new ScriptedHost([]);
    await runOnce(world, new ScriptedModel([]), { host });
    expect(host.asked).toHaveLength(1);
    expect(host.asked[0]?.interactionId).not.toBe(again.host.asked[0]?.interactionId);
    expect(await lineCount(world, "log")).toBe(2);
  });

  it("an answer is not lost when the process is killed before it ran again", async () => {
    const world = await crashed("tool-started");
    const observe = (event: RunEvent) => {
      if (event.type === "answered") throw new Killed("answered");
    };
    const once = { host: new ScriptedHost([answer("run")]), observe };
    await expect(runOnce(world, new ScriptedModel([]), once)).rejects.toThrow(Killed);
    const host = new ScriptedHost([]);
    await runOnce(world, new ScriptedModel(["done"]), { host });
    expect(host.asked).toEqual([]);
    expect(await lineCount(world, "log")).toBe(1);
  });

  it("what may run only with several people runs again only with several", async () => {
    const world = await crashed();
    const run = (host: AskResult, script: string[]) =>
      runOnce(world, new ScriptedModel(script), { host: new ScriptedHost([host]), minApprovals: 2 });
    await run(answer("run", "github:1:ann"), []);
    expect(await lineCount(world, "log")).toBe(1);
    await run(answer("run", "github:2:bob"), ["done"]);
    expect(await lineCount(world, "log")).toBe(2);
  });

  test.each<[string, (world: World) => Promise<unknown>, Parameters<typeof runOnce>[2], string | undefined]>([
    ["the files changed meanwhile", (world) => writeFile(join(world.root, "new"), ""), {}, "has changed"],
    [
      "commands would no longer run as shown",
      async () => undefined,
      { isolation: ISOLATED },
      "would not run as shown",
    ],
    [
      "policy forbids it by now",
      async () => undefined,
      { gate: { policy: [{ effect: "deny", tool: "runCommand", text: "deny runCommand" }] } },
      undefined,
    ],
  ])("it is not run again when %s", async (_, change, options, why) => {
    const world = await crashed();
    await runOnce(world, new ScriptedModel([]));
    await change(world);
    const model = new ScriptedModel(["done"]);
    const { session } = await runOnce(world, model, { host: new ScriptedHost([answer("run")]), ...options });
    expect(await lineCount(world, "log")).toBe(1);
    expect(resultOf(model.requests[0], "1")?.content).toContain("outcome is unknown");
    const { state } = session.journal;
    const ends = [...state.interactions.values()].map((one) => voidApprovalOf(state, one)?.reason);
    // Its approval ran and was in doubt then; only an answer that let it run again can be void.
    expect(ends.at(-1)).toEqual(why === undefined ? undefined : expect.stringContaining(why));
  });

  it("where nobody can be asked it stays unknown, and is not run again", async () => {
    const world = await crashed();
    const model = new ScriptedModel(["done"]);
    await runOnce(world, model, { host: new ScriptedHost("nobody") });
    expect(resultOf(model.requests[0], "1")?.content).toContain("outcome is unknown");
    expect(await lineCount(world, "log")).toBe(1);
  });
});

describe("on a local disk, started without a result: the pre- or post-image of the file decides", () => {
  const EDIT = { content: [call("1", "editFile", { path: "f", oldStr: "one", newStr: "two" })] };

  async function crashedEdit(when: "tool-started" | "tool-ended"): Promise<World> {
    const world = await createWorld();
    await writeFile(join(world.root, "f"), "one\n");
    const options = { host: new ScriptedHost([approve()]), observe: killAt(when, "1") };
    await expect(runOnce(world, new ScriptedModel([EDIT]), options)).rejects.toThrow(Killed);
    return world;
  }

  test.each<["tool-started" | "tool-ended", string]>([
    ["tool-started", "Edited f."],
    ["tool-ended", "Done: f."],
  ])("killed at %s: the edit stands once, nobody is asked", async (when, told) => {
    const world = await crashedEdit(when);
    const host = new ScriptedHost([]);
    const model = new ScriptedModel(["done"]);
    await runOnce(world, model, { host });
    expect(host.asked).toEqual([]);
    expect(resultOf(model.requests[0], "1")?.content).toBe(told);
    expect(await readFile(join(world.root, "f"), "utf8")).toBe("two\n");
  });

  it("the file is neither: a person is asked, or nobody knows where it can't be shown", async () => {
    const world = await crashedEdit("tool-started");
    await writeFile(join(world.root, "f"), "one, by somebody else\n");
    const host = new ScriptedHost([answer("run")]);
    await runOnce(world, new ScriptedModel(["done"]), { host });
    expect(host.asked[0]?.kind).toBe("Select");
    expect(await readFile(join(world.root, "f"), "utf8")).toBe("two, by somebody else\n");

    const other = await crashedEdit("tool-started");
    await writeFile(join(other.root, "f"), "quite another\n");
    const model = new ScriptedModel(["done"]);
    await runOnce(other, model, { host: new ScriptedHost([answer("run")]) });
    expect(resultOf(model.requests[0], "1")?.content).toContain("outcome is unknown");
  });
});

/** Notes in which order things happen. */
class NotingHost implements Host {
  readonly canAsk = true;
  readonly notes: string[] = [];
  readonly #world: World;
  readonly #fail: boolean;
  readonly #answer: AskResult;

  constructor(world: World, answer: AskResult = approve(), fail = false) {
    this.#world = world;
    this.#answer = answer;
    this.#fail = fail;
  }

  async ask({ kind }: InteractionRequest): Promise<AskResult> {
    this.notes.push(`asked ${kind}`);
    return kind === "Confirm" ? this.#answer : "later";
  }

  async secure(): Promise<void> {
    const events = await readFile(join(this.#world.state, "sessions/s-1/events/000001.jsonl"), "utf8");
    const started = [...events.matchAll(/"ToolCallStarted".*?"toolCallId":"(\w+)"/g)].map(([, id]) => id);
    const ran = ["a", "b", "c"].filter((name) => existsSync(join(this.#world.root, name)));
    this.notes.push(`secured started:${started} ran:${ran}`);
    if (this.#fail) throw new Killed("fenced");
  }

  async taskEnded(): Promise<void> {}
}

describe("a turn's intents are on record, and secured, before its first effect that may reach outside", () => {
  const touch = (id: string) => command(id, `touch ${id}`);

  it("all calls that were approved together in one go", async () => {
    const world = await createWorld();
    const host = new NotingHost(world);
    await runOnce(world, new ScriptedModel([{ content: [touch("a"), touch("b")] }, "done"]), { host });
    expect(host.notes).toEqual(["asked Confirm", "secured started:a,b ran:"]);
  });

  it("but none behind a call that may have to wait", async () => {
    const world = await createWorld();
    const host = new NotingHost(world);
    const ask = call("q", "askUser", { question: "?", options: ["A"] });
    const { outcome, session } = await runOnce(
      world,
      new ScriptedModel([{ content: [touch("a"), ask, touch("b")] }]),
      { host },
    );
    expect(outcome.kind).toBe("waiting");
    expect(host.notes).toEqual(["asked Confirm", "secured started:a ran:", "asked Select"]);
    expect([...session.journal.state.calls.keys()].map((key) => key.split("\n")[1])).toEqual(["a", "q"]);
  });

  it("and nothing runs when that fails: another run has taken over", async () => {
    const world = await createWorld();
    const host = new NotingHost(world, approve(), true);
    await expect(runOnce(world, new ScriptedModel([{ content: [touch("a")] }]), { host })).rejects.toThrow(
      "fenced",
    );
    expect(existsSync(join(world.root, "a"))).toBe(false);
  });

  it("what is isolated and without network needs none of it", async () => {
    const world = await createWorld();
    const host = new NotingHost(world);
    const edit = call("e", "editFile", { path: "c", oldStr: "", newStr: "x" });
    const options = { host, isolation: ISOLATED };
    await runOnce(world, new ScriptedModel([{ content: [touch("a"), edit] }, "done"]), options);
    expect(host.notes).toEqual(["asked Confirm"]);
  });

  it("what was intended and not begun when the run is interrupted is taken back: nobody is asked about it", async () => {
    const world = await createWorld();
    const stop = new AbortController();
    const options = {
      host: new NotingHost(world),
      signal: stop.signal,
      observe: (event: RunEvent) => {
        if (event.type === "tool-ended" && event.toolCallId === "a") stop.abort("interrupted");
      },
    };
    const first = await runOnce(world, new ScriptedModel([{ content: [touch("a"), touch("b")] }]), options);
    expect(first.outcome).toMatchObject({ kind: "stopped", reasonCode: "interrupted" });
    expect(existsSync(join(world.root, "b"))).toBe(false);
    const host = new NotingHost(world);
    await runOnce(world, new ScriptedModel(["done"]), { host });
    expect(host.notes).toEqual(["secured started:a,b ran:a"]);
    expect(existsSync(join(world.root, "b"))).toBe(true);
  });
});

/** Lives until somebody writes into the pipe that it holds. */
const STRAY = "(exec 9<>held; touch begun; read -r line <&9)";

describe("a session that is canceled while a command runs", () => {
  it("kills all that the command started, gives the call its result and stops", async () => {
    const world = await createWorld();
    execFileSync("mkfifo", [join(world.root, "held")]);
    const cancel = new AbortController();
    const hasBegun = () => existsSync(join(world.root, "begun"));
    const stop = () => cancel.abort(new Cancellation("no more", "github:1:ann"));
    const observe = (event: RunEvent) => {
      if (event.type === "tool-started") void expect.poll(hasBegun).toBe(true).then(stop);
    };
    const turn = {
      content: [command("1", `${STRAY} & sleep 300`), command("2", "touch b")],
    };
    const options = { host: new ScriptedHost([approve()]), signal: cancel.signal, observe };
    const began = performance.now();
    const { outcome, session } = await runOnce(world, new ScriptedModel([turn]), options);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(outcome).toEqual({ kind: "stopped", reasonCode: "closed", message: "canceled: no more" });
    expect(existsSync(join(world.root, "begun"))).toBe(true);
    expect(session.journal.state.calls.get("main\n1")?.outcome).toBe("failed");
    expect(session.journal.state.calls.has("main\n2")).toBe(false);
    await expect.poll(() => isHeld(join(world.root, "held"))).toBe(false);
  });
});

// DURABILITY's table of crashes and races, row by row in its order, each by its name: what the next wake finds, and what
// it does. Where a row is a crash the run is killed with SIGKILL, by a server that sees its request or by the injector.
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { INJECTOR } from "../crash/trial.ts";
import { ended, type Ran, said } from "../fakes/action-world.ts";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { keepWorld } from "../fakes/kept-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Answer, Turn } from "../fakes/messages-api-script.ts";
import { readWorkflow } from "../fakes/workflow.ts";

const COMMANDS_REACH_OUTSIDE = { "looplia.yml": "sandbox: 'off'\n" };
const EDITS_NEED_NOBODY = { "looplia.yml": "approval: none\n" };

/** Of the row that is under way. */
let world: AskingWorld;
/** A question waits in a pull request; its command may reach outside (class X). */
let asked: { world: AskingWorld; back(): Promise<void> };

beforeAll(async () => {
  const asking = await createAskingWorld(COMMANDS_REACH_OUTSIDE);
  const ran = await asking.start();
  expect(ended(ran), said(ran)).toBe("waiting open-questions");
  asked = { world: asking, back: await keepWorld(asking) };
  return () => asking.close();
});

function withQuestion(rows: () => void): void {
  describe("with a question that waits", () => {
    beforeEach(async () => {
      ({ world } = asked);
      await asked.back();
    });
    rows();
  });
}

/** The rows below begin with a push to `main`. */
function withPush(files: Record<string, string>, rows: () => void): void {
  describe("with a push", () => {
    beforeEach(async () => {
      world = await createAskingWorld(files);
      return () => world.close();
    });
    rows();
  });
}

/** Somebody approves; the run that their comment starts is killed when `when` says so. */
async function killedAnswer(when: (kill: () => void) => void): Promise<void> {
  const killed = await world.deliver(approval(), {
    during: async (process) => when(() => process.kill("SIGKILL")),
  });
  expect(killed.exitCode, said(killed)).toBe(null);
  world.github.onRequest = undefined;
}

/** For the environment of a run: the injector kills it there. `only`: over `<kind> <place>`, see the injector. */
function killedAt(only: string, at: string, folder: string): Record<string, string> {
  const injected = { NODE_OPTIONS: `--import ${INJECTOR}`, CRASH_FOLDERS: folder };
  return { ...injected, CRASH_ONLY: only, CRASH_AT: at };
}

/** The same of the Action, which begins twice. */
function runnerKilledAt(only: string, at: string): Record<string, string> {
  return { ...killedAt(only, at, world.root), CRASH_WITH: "LOOPLIA_HANDED_OVER" };
}

function approval(login = "maintainer") {
  return world.say(login, `/approve ${questionOf(world)}`);
}

function reading(path: string): Answer {
  return { content: [{ type: "tool_use", id: "read", name: "readFile", input: { path } }] };
}

function expectCompleted(ran: Ran): void {
  expect(ended(ran), said(ran)).toBe("completed done");
}

/** The command ran once; one artifact, one question, one status comment; nobody broke a rule. */
async function expectOneEffect(): Promise<void> {
  expect(await world.effects()).toBe(1);
  expect((await world.files()).filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(1);
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.ours("looplia:status")).toHaveLength(1);
  expectNoFaults();
}

function expectNoFaults(): void {
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
}

withQuestion(() => {
  test("before the claim: a comment in the inbox, as if first", async () => {
    await killedAnswer((kill) => {
      world.repository.beforePush = async () => {
        world.repository.beforePush = undefined;
        kill();
        return 500;
      };
    });
    expectCompleted(await world.sweep());
    await expectOneEffect();
  });

  test("claim pushed, acknowledgement lost: the tip is mine, goes on", async () => {
    let pushes = 0;
    world.repository.afterPush = () => ++pushes === 1;
    expectCompleted(await world.deliver(approval()));
    expect(pushes).toBeGreaterThan(1);
    await expectOneEffect();
  });

  test("after the claim, before the effect: a dead claim, the answer stored; takes over, runs it, asks nobody again", async () => {
    await killedAnswer((kill) => {
      world.github.onRequest = async ({ method, path }) => {
        if (method === "POST" && path.endsWith("/reactions")) kill();
      };
    });
    expect(world.model.requests).toEqual([]);
    expectCompleted(await world.sweep());
    await expectOneEffect();
  });
});

/** How often the first turn of the step that writes ideas was asked for. */
function samples(): number {
  const first = world.model.requests.filter(({ body }) => body.messages.length === 1);
  return first.filter(({ body }) => dueOutputs(body)[0] === "ideas").length;
}

const NOTE = "notes.txt";

/** The model writes a note before it writes ideas. */
function noting(body: ApiBody): Turn {
  if (dueOutputs(body)[0] !== "ideas" || body.messages.length > 1) return writeDue(body);
  const input = { path: NOTE, oldStr: "", newStr: "Four minutes.\n" };
  return { content: [{ type: "tool_use", id: "note", name: "editFile", input }] };
}

withPush(EDITS_NEED_NOBODY, () => {
  test("in a turn, class L: the last checkpoint, effects gone; samples again, same end", async () => {
    world.modelTurn = async (body) => {
      // The summary is saved meanwhile. A save that is still under way could contain this turn.
      if (samples() > 0)
        await expect.poll(() => world.files()).toContainEqual(expect.stringMatching(/\/summary\.json$/));
      return noting(body);
    };
    const environment = runnerKilledAt(`^rename .*${NOTE}$`, "1:after");
    const killed = await world.start({ environment });
    expect(killed.exitCode, said(killed)).toBe(null);
    expect(await world.files()).not.toContain(NOTE);
    expect(samples()).toBe(1);
    expectCompleted(await world.start());
    expect(samples()).toBe(2);
    expect(await world.repository.git("show", `${await world.branch()}:${NOTE}`)).toBe("Four minutes.");
    expectNoFaults();
  });
});

test.each(["before", "after"])(
  "the same on a local disk: started, no result (killed %s the effect); the pre- or post-image hash decides",
  async (when) => {
    const model = await startMessagesApi(noting);
    onTestFinished(() => model.close());
    const local = await makeCliWorld({
      ...EDITS_NEED_NOBODY,
      ".looplia/.claude/agents/idea-generator.md": NOTING_AGENT,
    });
    const provider = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: model.url };
    const injected = killedAt(`^rename (.*/)?${NOTE}$`, `1:${when}`, local.folder);
    const killed = await local.run(["--file", "content/kettles.md"], { ...provider, ...injected });
    expect(killed.code, killed.stderr).toBe(null);
    const files = [...(await local.files()).keys()];
    expect(files.includes(NOTE)).toBe(when === "after");
    const [, session = ""] = /contentItem\/([^/]+)\/session\.json/.exec(files.join("\n")) ?? [];
    const resumed = await local.run(["run", "--session-id", session, "--json"], provider);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((await local.files()).get(NOTE)).toBe("Four minutes.\n");
    const told = JSON.stringify(model.requests.map(({ body }) => body.messages.slice(2)));
    expect(told).toContain(when === "after" ? `Done: ${NOTE}` : `Created ${NOTE}`);
    expect(told).not.toContain("outcome is unknown");
    expect(model.faults).toEqual([]);
  },
);

const NOTING_AGENT = `---
name: idea-generator
description: Makes hooks, angles and questions from a summary.
tools: editFile, writeArtifact
---
Write ideas.
`;

withQuestion(() => {
  test.each(["before", "after"])(
    "X: effect or result cut (killed %s the command ran): started, no result; asks: it happened, run it, stop",
    async (when) => {
      const environment = runnerKilledAt("^spawn .*/(perl|(ba)?sh)$", `1:${when}`);
      const killed = await world.deliver(approval(), { environment });
      expect(killed.exitCode, said(killed)).toBe(null);
      const doubtful = await world.sweep();
      expect(ended(doubtful), said(doubtful)).toBe("waiting open-questions");
      const doubt = world.ours("Unknown outcome").at(-1)?.body ?? "";
      const commands = [...doubt.matchAll(/^\/choose (\S+) (\S+)/gm)];
      expect(commands.map(([, , option]) => option)).toEqual(["happened", "run", "stop"]);
      const option = when === "before" ? "run" : "happened";
      expectCompleted(await world.deliver(world.say("writer", `/choose ${commands[0]?.[1]} ${option}`)));
      // What the killed runner's command left went with its disk.
      expect(await world.effects()).toBe(when === "before" ? 1 : 0);
      expect(world.ours("looplia:request")).toHaveLength(2);
      expectNoFaults();
    },
  );
});

withPush({}, () => {
  test("before the pause's checkpoint: nobody saw the question; as in a turn", async () => {
    const ask = world.modelTurn ?? writeDue;
    const during = async (process: { kill(signal: NodeJS.Signals): void }) => {
      world.modelTurn = async (body) => {
        const turn = await ask(body);
        if (turn !== null && typeof turn === "object" && dueOutputs(body)[0] === "ideas") {
          world.repository.beforePush = async () => {
            process.kill("SIGKILL");
            return 500;
          };
        }
        return turn;
      };
    };
    const killed = await world.start({ during });
    expect(killed.exitCode, said(killed)).toBe(null);
    expect(world.ours("looplia:request")).toEqual([]);
    world.repository.beforePush = undefined;
    world.modelTurn = ask;
    expect(samples()).toBe(1);
    const again = await world.start();
    expect(ended(again), said(again)).toBe("waiting open-questions");
    expect(samples()).toBe(2);
    expectCompleted(await world.deliver(approval()));
    await expectOneEffect();
  });

  test("what a run spent after its last save counts, though the run was killed: post reads it from the disk", async () => {
    const read: Answer = { ...reading("content/kettles.md"), usage: { output_tokens: 1_000 } };
    const usual = world.modelTurn ?? writeDue;
    let kill = () => {};
    let isKilled = false;
    world.modelTurn = async (body) => {
      if (dueOutputs(body)[0] !== "ideas") return writeDue(body);
      const saves = () => world.repository.git("log", "--format=%s", "--glob=refs/looplia-state");
      await expect.poll(saves, { timeout: 60_000 }).toContain("save a finished task");
      if (body.messages.length === 1) return read;
      if (!isKilled) kill();
      isKilled = true;
      return usual(body);
    };
    const killed = await world.start({
      during: async (process) => {
        kill = () => process.kill("SIGKILL");
      },
    });
    expect(killed.exitCode, said(killed)).toBe(null);
    await world.post(killed.state);
    await world.renewModel();
    const again = await world.start();
    expectCompleted(again);
    const tokens = Number(again.outputs.get("output-tokens"));
    // Its answer is not lost with the run, so nothing is read twice.
    expect(Math.floor(tokens / 1_000)).toBe(1);
    expectNoFaults();
  });

  test("after it, before PR or comment: an open request, no marker; post or the next run projects it", async () => {
    const killed = await world.start({
      during: async (process) => {
        world.github.onRequest = async ({ method, path }) => {
          if (method === "POST" && path.endsWith("/pulls")) process.kill("SIGKILL");
        };
      },
    });
    world.github.onRequest = undefined;
    expect(killed.exitCode).toBe(null);
    expect(world.ours("looplia:request")).toEqual([]);
    const post = await world.post(killed.state);
    expect(post.exitCode, said(post)).toBe(0);
    expect(world.ours("looplia:request")).toHaveLength(1);
    expect(world.ours("looplia:status")[0]?.body).toContain("waiting for 1 answer");
    expectCompleted(await world.deliver(approval()));
    await expectOneEffect();
  });

  test("comment posted, acknowledgement lost: the marker in the list; adopts it", async () => {
    world.github.lostAnswers.push({ method: "POST", path: /\/issues\/\d+\/comments$/ });
    const again = await world.start();
    expect(ended(again), said(again)).toBe("waiting open-questions");
    expect(world.ours("looplia:request")).toHaveLength(1);
    expectCompleted(await world.deliver(approval()));
    await expectOneEffect();
  });
});

withQuestion(() => {
  test("an answer while a run is live: that run ended busy; the owner's second look sees it", async () => {
    let pushes = 0;
    let busy: Ran | undefined;
    world.repository.beforePush = async () => {
      // The claim stands; the answer comes and its own run finds the work taken.
      if (++pushes === 2) busy = await world.deliver(approval("writer"));
      return undefined;
    };
    const owner = await world.deliver(world.say("maintainer", "/looplia keep it short"));
    expect(busy && ended(busy), busy && said(busy)).toBe("ignored busy");
    expectCompleted(owner);
    await expectOneEffect();
  });

  test("webhook lost, doubled, reordered, dropped from the queue: inbox and cursor; one effect", async () => {
    const comment = approval();
    const later = approval("writer");
    expectCompleted(await world.deliver(later));
    for (const again of [comment, later, comment]) {
      expect(ended(await world.deliver(again))).toBe("ignored no-command");
    }
    await expectOneEffect();
    expect(world.github.comments.reactionsOf(comment.id)).toEqual(["eyes", "rocket"]);
    expect(world.github.comments.reactionsOf(later.id)).toEqual(["confused"]);
    expect(world.ours("looplia:reply")).toHaveLength(1);
  });

  test("two resumes at once: the loser's lease fails; lost-race", async () => {
    const comment = approval();
    let pushes = 0;
    const together = Promise.withResolvers<void>();
    world.repository.beforePush = async () => {
      if (++pushes === 2) together.resolve();
      if (pushes <= 2) await together.promise;
      return undefined;
    };
    const runs = await Promise.all([world.deliver(comment), world.deliver(comment)]);
    expect(runs.map(ended).sort(), runs.map(said).join("\n")).toEqual([
      "completed done",
      "ignored lost-race",
    ]);
    await expectOneEffect();
  });

  test("a zombie runner wakes up: its lease fails before any X; fenced", async () => {
    let pushes = 0;
    let next: Ran | undefined;
    const zombie = await world.deliver(approval(), {
      during: async (process) => {
        world.repository.beforePush = async () => {
          // What it is about to run is on its way to the remote when the machine falls asleep.
          if (++pushes !== 2) return undefined;
          process.kill("SIGSTOP");
          for (const run of world.github.checks.runs.keys()) world.github.checks.runs.set(run, "completed");
          next = await world.sweep();
          process.kill("SIGCONT");
          return undefined;
        };
      },
    });
    if (next) expectCompleted(next);
    expect(ended(zombie), said(zombie)).toBe("ignored lost-race");
    await expectOneEffect();
  });

  test("the runner is gone and nothing wakes: a dead claim; the scheduled sweep in the copied workflow", async () => {
    await killedAnswer((kill) => {
      world.github.onRequest = async ({ method, path }) => {
        if (method === "POST" && path.endsWith("/reactions")) kill();
      };
    });
    const workflow = readWorkflow(join(import.meta.dirname, "../../examples/workflows/looplia.yml"));
    const event = { name: "schedule", payload: {} };
    // The world's key stands for the secret, its globs for those that the work was begun with.
    const { "anthropic-api-key": _, content: __, ...inputs } = workflow.start(event)[0]?.inputs ?? {};
    expectCompleted(await world.run({ event, inputs }));
    await expectOneEffect();
  });
});

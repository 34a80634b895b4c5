// Wakes: what people say, what expires, what nobody has to pay for. The rows of crashes are in crash-table.test.ts.
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, type Ran, said } from "../fakes/action-world.ts";
import { type AskingWorld, commandCall, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Turn } from "../fakes/messages-api-script.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld();
});
afterEach(async () => {
  await world.close();
});

async function expectOneEffect(): Promise<void> {
  expect(await world.effects()).toBe(1);
  expect((await world.files()).filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(1);
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.ours("looplia:status")).toHaveLength(1);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
}

test("nobody answers in time: the question expires, its step fails, and a comment says so", async () => {
  await world.close();
  world = await createAskingWorld({ "looplia.yml": "answer-ttl-hours: 0.0001\n" });
  await world.start();
  await wait(1_000);
  const ran = await world.sweep();
  expect(ended(ran), said(ran)).toBe("failed expired");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Expired/m);
  expect(await world.effects()).toBe(0);
}, 120_000);

test("a waiting session costs a scheduled run no model request", async () => {
  await world.start();
  const asked = world.model.requests.length;
  const tip = await world.repository.git("rev-parse", `refs/${await world.branch()}`);
  const ran = await world.run({ event: { name: "schedule" } });
  expect(ended(ran), said(ran)).toBe("waiting open-questions");
  expect(ran.outputs.get("interaction-id")).toContain(questionOf(world));
  expect(world.model.requests.length).toBe(asked);
  expect(await world.repository.git("rev-parse", `refs/${await world.branch()}`)).toBe(tip);
}, 120_000);

test.each<[string, string, string]>([
  ["/reject too risky", "completed done", "too risky"],
  ["/revise use the other tool", "completed done", "use the other tool"],
])(
  "%s: the reason reaches the agent, and nothing ran",
  async (command, end, reason) => {
    await world.start();
    const ran = await world.deliver(world.say("writer", command));
    expect(ended(ran), said(ran)).toBe(end);
    expect(await world.effects()).toBe(0);
    expect(
      JSON.stringify(world.model.requests.at(-1)?.body ?? "") + JSON.stringify(world.model.requests),
    ).toContain(reason);
  },
  120_000,
);

test("/cancel ends the session: its question is closed, a later answer is refused", async () => {
  await world.start();
  const question = questionOf(world);
  const canceled = await world.deliver(world.say("writer", "/cancel"));
  expect(ended(canceled), said(canceled)).toMatch(/^(ignored closed|completed up-to-date)$/);
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  const late = world.say("writer", `/approve ${question}`);
  const ran = await world.deliver(late);
  expect(world.github.comments.reactionsOf(late.id)).toEqual(["confused"]);
  expect(ran.exitCode).toBe(0);
  expect(await world.effects()).toBe(0);
}, 120_000);

test("/cancel is heard by a live run: what it does is aborted, and nothing of the session goes on", async () => {
  await world.start();
  const question = questionOf(world);
  const ask = world.modelTurn;
  let reach: (() => void) | undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  world.modelTurn = () => {
    reach?.();
    return { content: "never", delayMs: 120_000 };
  };
  const running = world.deliver(world.say("maintainer", `/approve ${question}`));
  await reached;
  const word = world.say("writer", "/cancel");
  const ran = await running;
  expect(ran.exitCode, said(ran)).toBe(0);
  expect(world.github.comments.reactionsOf(word.id)).toEqual(["eyes", "rocket"]);
  world.modelTurn = ask;
  const next = await world.sweep();
  expect(ended(next), said(next)).toBe("ignored no-command");
}, 120_000);

test("eight people answer at once, one of them while a run is live: one effect, no answer lost", async () => {
  await world.start();
  const question = questionOf(world);
  const people = ["a1", "b2", "c3", "d4", "e5", "f6", "g7"];
  for (const login of [...people, "h8"]) world.github.accounts.addPerson(login, "write");
  let late: Promise<Ran> | undefined;
  // Whoever asks the model has the work: that run is live.
  world.modelTurn = async (body) => {
    late ??= world.deliver(world.say("h8", `/approve ${question}`));
    await wait(2_000);
    return writeDue(body);
  };
  const comments = people.map((login) => world.say(login, `/approve ${question}`));
  const runs = await Promise.all(comments.map((comment) => world.deliver(comment)));
  expect(late).toBeDefined();
  await late;
  const after = await world.sweep();
  expect([...runs.map(ended), ended(after)]).toContain("completed done");
  expect(
    runs.every((ran) => ran.exitCode === 0),
    runs.map(said).join("\n"),
  ).toBe(true);
  await expectOneEffect();
  const reactions = world.github.comments.all
    .filter(({ body }) => body.startsWith("/approve"))
    .map(({ id }) => world.github.comments.reactionsOf(id).join(" "));
  expect(reactions.filter((each) => each === "eyes rocket")).toHaveLength(1);
  expect(reactions.filter((each) => each === "confused")).toHaveLength(reactions.length - 1);
}, 240_000);

/** Eight bytes and a moment: no two runs are told the same. */
const NEVER_THE_SAME = "od -An -N8 -tx1 /dev/urandom; date +%s%N";

/** A command, then a question, as often as there are questions; then what is due. */
function randomThenAsk(questions: readonly string[]) {
  return (body: ApiBody): Turn => {
    const turn = (body.messages.length - 1) / 2;
    const question = questions[Math.floor(turn / 2)];
    if (dueOutputs(body)[0] !== "ideas" || question === undefined) return writeDue(body);
    const thought = { type: "text", text: `Thinking about it: ${Math.random()}` } as const;
    const input = { question, options: ["A", "B"] };
    const ask = { type: "tool_use", id: `ask${turn}`, name: "askUser", input } as const;
    return { content: [thought, turn % 2 === 0 ? commandCall(NEVER_THE_SAME, `run${turn}`) : ask] };
  };
}

/** A request as it came, up to the end of its messages; marks of the cache aside. */
function sentBytes({ raw, body }: (typeof world.model.requests)[number]) {
  const bare = raw.replace(/,?"cache_control":\{[^{}]*\}/g, "");
  const unmarked = (key: string, value: unknown) => (key === "cache_control" ? undefined : value);
  const messages = JSON.stringify(body.messages, unmarked);
  const at = bare.indexOf(messages);
  expect(at).toBeGreaterThan(0);
  const end = at + messages.length;
  return { upToHere: bare.slice(0, end - 1), around: [bare.slice(0, at), bare.slice(end)] };
}

test("three pauses, results random in each run, prompts and tools changed in between: each request begins with the one before, byte for byte", async () => {
  await world.close();
  world = await createAskingWorld({ "looplia.yml": "approval: none\nsandbox: 'off'\n" });
  const questions = ["Which tone?", "Which length?", "Which hook?"];
  world.modelTurn = randomThenAsk(questions);
  let ran = await world.start();
  const agent = ".looplia/.claude/agents/idea-generator.md";
  for (const [pause, question] of questions.entries()) {
    expect(ended(ran), said(ran)).toBe("waiting open-questions");
    expect(world.ours("looplia:request").at(-1)?.body).toContain(question);
    const tools = ["askUser, writeArtifact", "askUser, writeArtifact, grep", "writeArtifact"][pause];
    const front = `---\nname: idea-generator\ndescription: Upgraded ${pause}.\ntools: ${tools}\n---\nOther words ${pause}.\n`;
    await commitFiles(world.repository.bare, "main", { [agent]: front }, "upgrade");
    const id = /\/choose (q\d+-[0-9a-f]{6})/.exec(world.ours("looplia:request").at(-1)?.body ?? "")?.[1];
    ran = await world.deliver(world.say("writer", `/choose ${id} 1`));
  }
  expect(ended(ran), said(ran)).toBe("completed done");
  const conversation = world.model.requests.filter(({ body }) => dueOutputs(body)[0] === "ideas");
  expect(conversation).toHaveLength(2 * questions.length + 1);
  for (const [index, request] of conversation.entries()) {
    const before = conversation[index - 1];
    if (!before) continue;
    const [earlier, later] = [sentBytes(before), sentBytes(request)];
    expect(later.upToHere.startsWith(earlier.upToHere)).toBe(true);
    expect(later.around).toEqual(earlier.around);
  }
  // What is compared is not the same in each run by itself.
  const last = JSON.stringify(conversation.at(-1)?.body.messages);
  expect(new Set(last.match(/Exit code 0\.\\n [0-9a-f ]{23}\\n\d{19}/g)).size).toBe(questions.length);
  expect(world.model.faults).toEqual([]);
}, 240_000);

test("/retry makes an output again in its session", async () => {
  world.modelTurn = writeDue;
  await world.start();
  const asked = world.model.requests.length;
  const ran = await world.deliver(world.say("writer", "/retry ideas"));
  expect(ended(ran), said(ran)).toBe("completed done");
  expect(world.model.requests.length).toBeGreaterThan(asked);
  const again = await world.sweep();
  expect(ended(again), said(again)).toBe("ignored no-command");
}, 120_000);

test("/looplia <text> is told to the next task, with its author, once", async () => {
  await world.start();
  await world.deliver(world.say("writer", "/looplia Keep it short, please."));
  const before = world.model.requests.length;
  const ran = await world.deliver(world.say("writer", `/approve ${questionOf(world)}`));
  expect(ended(ran), said(ran)).toBe("completed done");
  const openings = world.model.requests
    .slice(before)
    .filter(({ body }) => body.messages.length === 1)
    .map(({ body }) => JSON.stringify(body.messages[0]));
  expect(openings.filter((text) => text.includes("Keep it short, please."))).toHaveLength(1);
  expect(openings.find((text) => text.includes("Keep it short"))).toContain("writer wrote");
}, 120_000);

test("whoever may not decide is met with silence", async () => {
  await world.start();
  const comment = world.say("reader", `/approve ${questionOf(world)}`);
  const ran = await world.deliver(comment);
  expect(ended(ran), said(ran)).toBe("ignored not-permitted");
  expect(world.github.comments.reactionsOf(comment.id)).toEqual([]);
  expect(world.ours("looplia:reply")).toEqual([]);
  expect(await world.effects()).toBe(0);
}, 120_000);

test("a run takes at most twenty requests of GitHub's and six for each interaction", async () => {
  await world.start();
  expect(world.github.requests.length).toBeLessThanOrEqual(20 + 6);
  world.github.requests.length = 0;
  await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(world.github.requests.length).toBeLessThanOrEqual(20 + 6);
  expect(
    world.github.countByKind()["PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}"],
  ).toBeLessThanOrEqual(9);
}, 120_000);

test("a question before any change: an empty commit and a draft", async () => {
  await world.close();
  world = await createAskingWorld({
    ".looplia/.claude/agents/content-analyzer.md":
      "---\nname: content-analyzer\ndescription: d\ntools: askUser, writeArtifact\n---\nAsk.\n",
  });
  world.modelTurn = (body) =>
    body.messages.length === 1
      ? {
          content: [
            {
              type: "tool_use",
              id: "q",
              name: "askUser",
              input: { question: "Which?", options: ["A", "B"] },
            },
          ],
        }
      : writeDue(body);
  const ran = await world.start();
  expect(ended(ran), said(ran)).toBe("waiting open-questions");
  const [pullRequest] = await world.github.pullRequests();
  expect(pullRequest).toMatchObject({ draft: true });
}, 120_000);

test("merged or closed: answers are refused, and what is open is canceled", async () => {
  await world.start();
  const question = questionOf(world);
  await world.github.endPullRequest(1, "closed");
  const ran = await world.deliver(world.say("maintainer", `/approve ${question}`));
  expect(ended(ran), said(ran)).toBe("ignored closed");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  expect(await world.effects()).toBe(0);
}, 120_000);

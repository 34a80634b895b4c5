// Wakes: what people say, what expires, what nobody has to pay for. The rows of crashes are in crash-table.deep.test.ts.
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
});

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
});

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
});

test("a run takes at most twenty requests of GitHub's and six for each interaction", async () => {
  await world.start();
  expect(world.github.requests.length).toBeLessThanOrEqual(20 + 6);
  world.github.requests.length = 0;
  await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(world.github.requests.length).toBeLessThanOrEqual(20 + 6);
  expect(
    world.github.countByKind()["PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}"],
  ).toBeLessThanOrEqual(9);
});

test("a run dies with its comments posted and not on record: post adopts them by their markers, and posts none again", async () => {
  const killed = await world.start({
    during: async (process) => {
      world.github.onRequest = async ({ method, path }) => {
        // Both comments stand by then, and no checkpoint has heard of them.
        if (method === "POST" && path.endsWith("/check-runs")) process.kill("SIGKILL");
      };
    },
  });
  world.github.onRequest = undefined;
  expect(killed.exitCode).toBe(null);
  expect(world.ours("looplia:request")).toHaveLength(1);
  await world.post(killed.state);
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.ours("looplia:status")).toHaveLength(1);
  const ran = await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(ended(ran), said(ran)).toBe("completed done");
});

// A key in what an agent says: withheld from every text, asked about once, and told or left out as a person decides.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, asking, createAskingWorld } from "../fakes/asking-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";

const KEY = `ghp_${"aB3d".repeat(9)}`;
const SAID = `Is ${KEY} the one of the example?`;

let world: AskingWorld;
beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
});
afterEach(() => world.close());

const requests = () => world.ours("looplia:request");
const withKey = () => world.github.comments.all.filter(({ body }) => body.includes(KEY));
const idOf = (body = "") => /\/(?:approve|answer) (q\d+-[0-9a-f]{6})/.exec(body)?.[1];

test.each(["approve", "reject"])("a key in a question is asked about, and /%s decides", async (word) => {
  const input = { question: SAID, kind: "Input" };
  world.modelTurn = asking({ type: "tool_use", id: "ask", name: "askUser", input });
  const first = await world.start();
  expect(first.outputs.get("reason-code"), first.stdout).toBe("open-questions");
  const [own, about, ...others] = requests();
  expect(others).toEqual([]);
  expect(own?.body).toContain("Is [withheld: looks like a key (github)] the one");
  expect(about?.body).toContain("Publish what looks like a key (github) in");
  expect(about?.body).toContain("github: in the pull request, the comment of a question, the status comment");
  expect(withKey()).toEqual([]);
  expect(first.stdout).not.toContain(KEY);
  expect(first.summary).not.toContain(KEY);
  expect(JSON.stringify([...first.outputs])).not.toContain(KEY);
  expect(JSON.stringify(await world.github.pullRequests())).not.toContain(KEY);

  const second = await world.deliver(world.say("maintainer", `/${word} ${idOf(about?.body)}`));
  expect(second.outputs.get("reason-code"), second.stdout).toBe("open-questions");
  expect(requests()).toHaveLength(2);
  expect(own?.body.includes(SAID)).toBe(word === "approve");
  expect(withKey().length > 0).toBe(word === "approve");

  const third = await world.deliver(world.say("maintainer", `/answer ${idOf(own?.body)} yes`));
  expect(third.outputs.get("reason-code"), third.stdout).toBe("done");
  expect(requests()).toHaveLength(2);
  if (word === "reject") expect(withKey()).toEqual([]);
});

test("several keys are one question, a private key in prose too, and no other key is let through with them", async () => {
  const pem = `-----BEGIN RSA PRIVATE KEY-----\nMI${`${"eF6g".repeat(16)}\n`.repeat(4)}-----END RSA PRIVATE KEY-----`;
  const asked = [`${SAID}\n${pem}\n`, `And ghp_${"hI9j".repeat(9)} or ${KEY}?`];
  world.modelTurn = (body) => {
    const question = asked[(body.messages.length - 1) / 2];
    if (dueOutputs(body)[0] !== "ideas" || question === undefined) return writeDue(body);
    const id = `ask${body.messages.length}`;
    return { content: [{ type: "tool_use", id, name: "askUser", input: { question, kind: "Input" } }] };
  };
  const said = () => JSON.stringify(world.github.comments.all.map(({ body }) => body));
  const first = await world.start();
  expect(first.outputs.get("reason-code"), first.stdout).toBe("open-questions");
  expect(said() + first.stdout + first.summary).not.toMatch(/aB3daB3d|eF6geF6g/);
  const [own, about, ...others] = requests();
  expect(others).toEqual([]);
  expect(about?.body).toMatch(/^github: in .*\nprivatekey: in the comment of a question$/m);

  await world.deliver(world.say("maintainer", `/approve ${idOf(about?.body)}`));
  expect(own?.body).toContain(SAID);
  expect(own?.body).toContain("eF6geF6g");
  const third = await world.deliver(world.say("maintainer", `/answer ${idOf(own?.body)} yes`));
  expect(third.outputs.get("reason-code"), third.stdout).toBe("open-questions");
  expect(requests()).toHaveLength(4);
  expect(requests()[2]?.body).toContain(`And [withheld: looks like a key (github)] or ${KEY}?`);
  expect(said() + third.stdout + third.summary).not.toContain("hI9jhI9j");
});

test("a key in words of an agent that only the log shows is withheld there, and nobody is asked", async () => {
  world.modelTurn = (body) => {
    const turn = writeDue(body);
    if (dueOutputs(body)[0] !== "ideas" || typeof turn !== "object" || !("content" in turn)) return turn;
    const said = { type: "text" as const, text: SAID };
    return { ...turn, content: [said, ...(Array.isArray(turn.content) ? turn.content : [])] };
  };
  const first = await world.start();
  expect(first.outputs.get("reason-code"), first.stdout).toBe("done");
  expect(first.stdout).toContain("Is [withheld: looks like a key (github)] the one");
  expect([first.stdout.includes(KEY), withKey().length, requests().length]).toEqual([false, 0, 0]);
});

test("a key that a person let into an artifact is told by later processes, and not asked about again", async () => {
  world.modelTurn = (body) => {
    const turn = writeDue(body);
    if (dueOutputs(body)[0] !== "ideas" || body.messages.length > 1) return turn;
    const text = JSON.stringify(turn).replace(/("hooks":\[[^\]]*?"(?:text|content)":")/, `$1${KEY} `);
    return JSON.parse(text) as typeof turn;
  };
  await world.start();
  expect(requests()).toHaveLength(1);
  expect(withKey()).toEqual([]);
  const second = await world.deliver(world.say("maintainer", `/approve ${idOf(requests()[0]?.body)}`));
  expect(second.outputs.get("reason-code"), second.stdout).toBe("done");
  const { git } = world.repository;
  expect(await git("log", "-p", `refs/heads/${await world.branch()}`)).toContain(KEY);
  expect(requests()).toHaveLength(1);
  const [pullRequest] = await world.github.pullRequests();
  expect(pullRequest?.body).not.toContain("withheld");

  const third = await world.deliver(world.say("maintainer", "/status"));
  expect(third.outputs.get("status"), third.stdout).not.toBe("failed");
  expect(requests()).toHaveLength(1);
});

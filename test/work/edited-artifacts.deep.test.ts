// A person edits an artifact on the branch of a pull request: the run keeps it, says whose it is, and never writes over it.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

const MONA = { name: "Mona", email: "123+mona@users.noreply.github.com" };

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  world.modelTurn = writeDue;
});
afterEach(() => world.close());

async function pathOf(name: string): Promise<string> {
  return (await world.files()).find((file) => file.endsWith(`/${name}`)) ?? "";
}

async function readFile(name: string): Promise<string> {
  return world.repository.git("show", `${await world.branch()}:${await pathOf(name)}`);
}

async function push(name: string, text: string): Promise<void> {
  const branch = (await world.branch()).replace(/^heads\//, "");
  await commitFiles(world.repository.bare, branch, { [await pathOf(name)]: text }, "my words", MONA);
}

/** The steps that the model was asked for since. */
function made(since: number): string[][] {
  return world.model.requests.slice(since).map(({ body }) => dueOutputs(body));
}

const statusOf = () => world.ours("looplia:status")[0]?.body ?? "";

test("a valid one stays, what is made from it is made again, and the status says who edited it", async () => {
  expect((await runHere(world)).ended).toBe("completed done");
  const edited = `${JSON.stringify({ ...JSON.parse(await readFile("ideas.json")), hooks: [HOOK] })}\n`;
  await push("ideas.json", edited);
  const asked = world.model.requests.length;
  const again = await runHere(world);
  expect(again.ended, again.said).toBe("completed done");
  expect(made(asked)).toEqual([["outline"]]);
  expect(`${await readFile("ideas.json")}\n`).toBe(edited);
  expect(JSON.parse(await readFile("session.json")).steps.ideas).toMatchObject({
    status: "completed",
    editedBy: "@mona",
  });
  expect(statusOf()).toMatch(EDITED);
  expect((await world.github.pullRequests())[0]?.body).toMatch(EDITED);
  expect((await runHere(world)).ended).toBe("completed up-to-date");
});

const EDITED = /ideas\.json was edited by `@mona` and is kept/;
const HOOK = { text: "A hook in a person's own words", type: "story" };

test("one that is not valid is left as it is until a person has it made again, and then a copy stays", async () => {
  await runHere(world);
  await push("ideas.json", '{"hooks": ["half a');
  const asked = world.model.requests.length;
  const stopped = await runHere(world);
  expect(stopped.ended, stopped.said).toBe("waiting open-questions");
  expect(made(asked)).toEqual([]);
  expect(await readFile("ideas.json")).toBe('{"hooks": ["half a');
  expect(statusOf()).toMatch(/ideas\.json was edited, and is not valid/);
  const retried = await deliverHere(world, world.say("writer", "/retry ideas"));
  expect(retried.ended, retried.said).toBe("completed done");
  expect(made(asked)).toEqual([["ideas"], ["outline"]]);
  const copy = (await world.files()).find((file) => file.includes("/ideas.kept-")) ?? "";
  expect(await world.repository.git("show", `${await world.branch()}:${copy}`)).toBe('{"hooks": ["half a');
  expect(statusOf()).toMatch(/is kept as ideas\.kept-/);
});

test.each(["removed", "renamed"])(
  "one that was %s on the branch is made again, and what stands there stays",
  async (act) => {
    expect((await runHere(world)).ended).toBe("completed done");
    const [path, text] = [await pathOf("ideas.json"), await readFile("ideas.json")];
    const other = path.replace(/ideas\.json$/, "ideas-of-mine.json");
    const branch = (await world.branch()).replace(/^heads\//, "");
    const files = { [path]: null, ...(act === "renamed" ? { [other]: text } : {}) };
    await commitFiles(world.repository.bare, branch, files, "my words", MONA);
    const asked = world.model.requests.length;
    const again = await runHere(world);
    expect(again.ended, again.said).toBe("completed done");
    expect(made(asked)).toEqual([["ideas"], ["outline"]]);
    expect(JSON.parse(await readFile("ideas.json"))).toHaveProperty("hooks");
    expect(await pathOf("ideas-of-mine.json")).toBe(act === "renamed" ? other : "");
    if (act === "renamed") expect(await readFile("ideas-of-mine.json")).toBe(text);
    expect((await runHere(world)).ended).toBe("completed up-to-date");
  },
);

/** The short id of the only open question. */
const questionId = () =>
  /\bq\d+-[0-9a-f]{6}\b/.exec(world.ours("looplia:request").at(-1)?.body ?? "")?.[0] ?? "";

test("the question about an invalid edit: made again by a word, with a copy", async () => {
  await runHere(world);
  await push("ideas.json", '{"hooks": ["half a');
  expect((await runHere(world)).ended).toBe("waiting open-questions");
  expect((await runHere(world)).ended).toBe("waiting open-questions");
  const asked = world.model.requests.length;
  const answered = await deliverHere(world, world.say("writer", `/choose ${questionId()} redo`));
  expect(answered.ended, answered.said).toBe("completed done");
  expect(made(asked)).toEqual([["ideas"], ["outline"]]);
  expect((await world.files()).some((file) => file.includes("/ideas.kept-"))).toBe(true);
});

test("the question about an invalid edit: an agent repairs it from the person's own text, with a copy", async () => {
  await runHere(world);
  await push("ideas.json", '{"hooks": ["half a');
  expect((await runHere(world)).ended).toBe("waiting open-questions");
  const asked = world.model.requests.length;
  const answered = await deliverHere(world, world.say("writer", `/choose ${questionId()} repair`));
  expect(answered.ended, answered.said).toBe("completed done");
  expect(made(asked)).toEqual([["ideas"], ["outline"]]);
  const opening = JSON.stringify(world.model.requests[asked]?.body.messages[0]);
  expect(opening).toMatch(/`ideas\.json`, as a person edited it\..*is not JSON.*as the person wrote it/);
  expect(opening).toContain(JSON.stringify('{"hooks": ["half a').slice(1, -1));
  expect((await world.files()).some((file) => file.includes("/ideas.kept-"))).toBe(true);
});

test("the question about an invalid edit: who corrects the edit has answered it", async () => {
  await runHere(world);
  const sound = await readFile("ideas.json");
  await push("ideas.json", '{"hooks": ["half a');
  expect((await runHere(world)).ended).toBe("waiting open-questions");
  await push("ideas.json", `${JSON.stringify({ ...JSON.parse(sound), hooks: [HOOK] })}\n`);
  const asked = world.model.requests.length;
  const again = await runHere(world);
  expect(again.ended, again.said).toBe("completed done");
  expect(made(asked)).toEqual([["outline"]]);
});

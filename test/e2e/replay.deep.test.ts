// A session of yesterday runs again without a model: the same results, or the first that differs.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";
import { behave } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const use = (id: string, name: string, input: unknown): AnswerBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

it("says that all is the same, then at which call a result first differs, and changes nothing", async () => {
  const api = await startMessagesApi((body) => {
    if (dueOutputs(body)[0] !== "ideas" || body.messages.length > 3) return writeDue(body);
    const ask = use("q", "askUser", { question: "Which?", options: ["Calm", "Loud"] });
    return { content: body.messages.length > 1 ? [ask] : [use("note", "readFile", { path: "notes.md" })] };
  });
  onTestFinished(() => api.close());
  const world = await makeCliWorld({ "notes.md": "yesterday\n" });
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  const asked = await world.run(["run", "--file", "content/kettles.md"], environment);
  const id = /looplia answer (\S+) choose/.exec(asked.stdout + asked.stderr)?.[1] ?? "";
  const done = await world.run(["answer", id, "choose", "2"], environment);
  expect(done.code, done.stderr).toBe(0);
  const requests = api.requests.length;
  const [sessionId = ""] = await readdir(join(world.folder, ".looplia/contentItem"));
  const before = await world.files();

  const same = await world.run(["replay", sessionId], environment);
  expect(same.stdout, same.stderr).toMatch(/^\d+ recorded turns, [1-9]\d* results compared, completed\n$/);
  expect(same.code).toBe(0);
  expect(await world.files()).toEqual(before);

  await writeFile(join(world.folder, "notes.md"), "today\n");
  const other = await world.run(["replay", sessionId, "--json"], environment);
  expect(other.code).toBe(1);
  expect(JSON.parse(other.stdout)).toMatchObject({
    difference: {
      toolCallId: "note",
      toolName: "readFile",
      recorded: expect.stringMatching(/yesterday/),
      now: expect.stringMatching(/today/),
    },
  });
  expect(api.requests).toHaveLength(requests);
  expect(await readFile(join(world.folder, "notes.md"), "utf8")).toBe("today\n");
});

it("replays calls that name files in the session's own folder, as those of the rehearsal do", async () => {
  const world = await makeCliWorld();
  const ran = await world.run(["run", "--file", "content/kettles.md"]);
  expect(ran.code, ran.stderr).toBe(0);
  const [sessionId = ""] = await readdir(join(world.folder, ".looplia/contentItem"));
  const same = await world.run(["replay", sessionId]);
  expect(same.stdout, same.stderr).toMatch(/^\d+ recorded turns, [1-9]\d* results compared, completed\n$/);
  expect(same.code).toBe(0);
});

it("names what it can't replay", async () => {
  const world = await makeCliWorld();
  const { code, stderr } = await world.run(["replay", "no-such-2026-01-01-000000"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("There is no session no-such-2026-01-01-000000"),
  ]);
});

it("replays a task list from how it began; a recording has no secret and replays in another folder", async () => {
  const secret = "canary-of-a-token-0123456789";
  const api = await startMessagesApi((body) =>
    behave(
      {
        T1: (turn) => {
          if (turn === 1) return { content: [use("note", "readFile", { path: "notes.md" })] };
          if (turn === 2) return { content: [use("run", "runCommand", { command: "mktemp ran-XXXXXX" })] };
          // The second one leaves nothing behind, and after the third its text stands there twice.
          const [oldStr, newStr] =
            [
              ["one", "two"],
              ["kee", ""],
              ["p", "two"],
            ][turn - 3] ?? [];
          const edit = { path: "plan.md", oldStr, newStr };
          return oldStr === undefined ? undefined : { content: [use(`edit${turn}`, "editFile", edit)] };
        },
      },
      body,
    ),
  );
  onTestFinished(() => api.close());
  const files = { "to-do.json": makeTodo([makeTask("T2", { depends_on: ["T1"] }), makeTask("T1")]) };
  const world = await makeCliWorld({ ...files, "plan.md": "one\nkeep\n", "notes.md": `kept ${secret}\n` });
  const access = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url, NOTES_TOKEN: secret };
  const ran = await world.run(["run", "--sandbox", "off", "--approval", "none", "--json"], access);
  expect(ran.code, ran.stderr).toBe(0);
  const { sessionId } = JSON.parse(ran.stdout);
  const before = await world.files();
  const same = await world.run(["replay", sessionId, "--record", "kept.json"], access);
  expect([same.code, same.stdout], same.stderr).toEqual([
    0,
    expect.stringMatching(/^8 recorded turns, [1-9]\d* results compared, completed\n$/),
  ]);
  const { "kept.json": kept = "", ...others } = Object.fromEntries(await world.files());
  expect(others).toEqual(Object.fromEntries(before));
  expect(kept).toContain(sessionId);
  expect(kept).not.toContain(secret);

  const elsewhere = await makeCliWorld({
    ...{ "notes.md": "kept [redacted]\n", "plan.md": "one\nkeep\n", "kept.json": kept },
  });
  const again = await elsewhere.run(["replay", "kept.json"]);
  expect([again.code, again.stdout], again.stderr).toEqual([0, same.stdout]);
  await writeFile(join(elsewhere.folder, "notes.md"), "other\n");
  const other = await elsewhere.run(["replay", "kept.json"]);
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(
      /first difference is at call note \(readFile\) of T1#1\n {2}recorded .*\n {2}now .*other/,
    ),
  ]);
  const { begin, ...rest } = JSON.parse(kept);
  const hostile = { ...rest, begin: { ...begin, path: "../outside.json" } };
  await writeFile(join(elsewhere.folder, "other.json"), JSON.stringify(hostile));
  const wrong = await elsewhere.run(["replay", "other.json"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("is not a recording")]);
});

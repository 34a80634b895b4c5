// A session of yesterday runs again without a model: the same results, or the first that differs.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";

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

it("names what it can't replay", async () => {
  const world = await makeCliWorld();
  const { code, stderr } = await world.run(["replay", "no-such-2026-01-01-000000"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("There is no session no-such-2026-01-01-000000"),
  ]);
});

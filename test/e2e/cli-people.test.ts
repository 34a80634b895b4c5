// The command line and people: several questions at once, and output that cannot be written.
import { spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";

async function startModel(output: string, name: string, input: Record<string, unknown>) {
  const api = await startMessagesApi((body) =>
    body.messages.length === 1 && dueOutputs(body)[0] === output
      ? { content: [{ type: "tool_use", id: `toolu_${name}`, name, input }] }
      : writeDue(body),
  );
  onTestFinished(() => api.close());
  return { api, environment: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url } };
}

it("several questions are answered together as JSON; a wrong answer tells all that is wrong", async () => {
  const fields = [
    { id: "tone", label: "Which tone?", options: ["Calm", "Loud"] },
    { id: "year", label: "Which year?", validation: { regex: "^\\d{4}$", required: true } },
  ];
  const { api, environment } = await startModel("ideas", "askUser", { question: "Two things", fields });
  const world = await makeCliWorld();
  const asked = await world.run(["--file", "content/kettles.md", "--json"], environment);
  expect(asked.code).toBe(3);
  const [question] = JSON.parse(asked.stdout).interactions;
  expect(question.commands[0]).toMatch(/answer \S+ input '\{"tone":"<calm\|loud>","year":"<text>"\}'$/);
  const answer = (text: string) => world.run(["answer", question.interactionId, "input", text], environment);
  const wrong = await answer('{"tone":"shrill","yeer":"2026"}');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/for tone one of these options.*for year a text.*no field "yeer"/s);
  const answered = await answer('{"tone":"2","year":"2026"}');
  expect([answered.code, answered.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  const told = JSON.stringify('{"tone":"loud","year":"2026"}').slice(1, -1);
  expect(api.requests.some(({ body }) => JSON.stringify(body).includes(told))).toBe(true);
});

it.runIf(existsSync("/dev/full"))(
  "output on a full disk ends with one sentence, not with a stack",
  async () => {
    const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
    const { status, stderr } = spawnSync(process.execPath, [await bundled("cli"), "help"], {
      stdio: [...stdio],
    });
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(
        /^error: The output can't be written: ENOSPC.*\nsend it elsewhere, and run again\n$/,
      ),
    ]);
  },
);

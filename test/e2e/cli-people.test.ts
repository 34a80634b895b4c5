// The command line and people: several questions at once, and a command that nobody knows the end of.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
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

it("a command that was killed with the program is asked about, answered, and not run again", async () => {
  const command = "echo begun >> begun; sleep 5";
  const { environment } = await startModel("ideas", "runCommand", { command });
  const world = await makeCliWorld({
    "looplia.yml": "sandbox: 'off'\n",
    ".looplia/.claude/agents/idea-generator.md":
      "---\nname: idea-generator\ndescription: Makes ideas.\ntools: Read, Bash, Write\n---\nMake ideas.\n",
  });
  const asked = await world.run(["--file", "content/kettles.md", "--json"], environment);
  const json = JSON.parse(asked.stdout);
  expect([asked.code, json.interactions[0].kind]).toEqual([3, "Confirm"]);
  const approve = ["answer", json.interactions[0].interactionId, "approve"];
  await world.watch(approve, environment, async (child) => {
    while (child.exitCode === null && !existsSync(join(world.folder, "begun"))) await wait(20);
    child.kill("SIGKILL");
  });
  const again = await world.run(["run", "--session-id", json.sessionId, "--json"], environment);
  expect(again.code).toBe(3);
  const [doubt] = JSON.parse(again.stdout).interactions;
  expect(doubt.kind).toBe("Select");
  expect(doubt.commands.map((line: string) => line.split(" ").at(-1))).toEqual(["happened", "run", "stop"]);
  const answered = await world.run(["answer", doubt.interactionId, "choose", "happened"], environment);
  expect([answered.code, answered.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  expect((await world.files()).get("begun")).toBe("begun\n");
});

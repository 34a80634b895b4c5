// The command line and people: a command that nobody knows the end of.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";

it("a command that was killed with the program is asked about, answered, and not run again", async () => {
  const command = "echo begun >> begun; sleep 5";
  const api = await startMessagesApi((body) =>
    body.messages.length === 1 && dueOutputs(body)[0] === "ideas"
      ? { content: [{ type: "tool_use", id: "toolu_run", name: "runCommand", input: { command } }] }
      : writeDue(body),
  );
  onTestFinished(() => api.close());
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
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

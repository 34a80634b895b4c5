// The story on a pull request with each agent program: a question, the job ends, an answer, and the shown command runs once.
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import { KEY, serveProgram } from "../fakes/program-world.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld();
});
afterEach(async () => {
  await world.close();
});

test.each(["claude", "codex"] as const)("%s", async (name) => {
  const program = resolve(import.meta.dirname, `../fakes/${name}-program.mjs`);
  const { path, api } = await serveProgram({ name, program }, asking(commandCall()));
  const service = name === "claude" ? "anthropic" : "openai";
  const inputs = {
    ...{ provider: name, model: name === "claude" ? "claude-sonnet-5-5" : "gpt-6.2-sol" },
    ...{ [`${service}-api-key`]: KEY, [`${service}-base-url`]: api.url },
  };
  const around = { inputs, environment: { PATH: path } };
  const asked = await world.start(around);
  expect(asked.outputs.get("status"), asked.stdout + asked.stderr).toBe("waiting");
  expect(await world.effects()).toBe(0);
  const said = world.say("maintainer", `/approve ${questionOf(world)}`);
  const approved = await world.deliver(said, around);
  expect(approved.outputs.get("status"), approved.stdout + approved.stderr).toBe("completed");
  expect(await world.effects()).toBe(1);
  api.assertDone();
  await api.close();
});

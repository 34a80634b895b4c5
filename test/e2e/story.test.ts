// The story: the agent stops in the middle of a turn to ask, the job ends green, and an answer goes on exactly there.
import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyChain } from "../../src/core/lines.ts";
import {
  type AskingWorld,
  auditLines,
  COMMAND,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld();
});
afterEach(async () => {
  await world.close();
});

test("start, question, the process ends green, /approve, exactly the shown command runs, artifact, pull request", async () => {
  // A push starts a run. The agent wants to run a command, and that needs a person.
  const asked = await world.start();
  expect(asked.outputs.get("status"), asked.stdout + asked.stderr).toBe("waiting");
  expect(asked.outputs.get("reason-code")).toBe("open-questions");
  expect(asked.exitCode).toBe(0);
  const turns = world.model.requests.length;
  expect(await world.effects()).toBe(0);

  // The question is a comment on the pull request, with the command and the words to answer it.
  const [pullRequest] = await world.github.pullRequests();
  expect(pullRequest?.head.ref).toBe(asked.outputs.get("branch"));
  expect(asked.outputs.get("pull-request-number")).toBe("1");
  const question = questionOf(world);
  expect(asked.outputs.get("interaction-id")).toMatch(new RegExp(`\\.${question}$`));
  const [comment, ...others] = world.ours("looplia:request");
  expect(others).toEqual([]);
  expect(comment?.body).toContain(COMMAND);
  expect(world.ours("looplia:status")[0]?.body).toContain("waiting for 1 answer");

  // It also names the head of the audit log as it stood then: whoever cuts or rewrites what came before is found out.
  const chain = verifyChain(await auditLines(world));
  if (!chain.ok) throw new Error(chain.reason);
  expect(comment?.body).toContain(`${chain.count} lines, the last one's hash \`${chain.head}\``);

  // Somebody with permission approves it, and the comment starts a run.
  const said = world.say("maintainer", `/approve ${question} go ahead`);
  const approved = await world.deliver(said);
  expect(approved.outputs.get("status"), approved.stdout + approved.stderr).toBe("completed");
  expect(approved.outputs.get("reason-code")).toBe("done");
  expect(approved.outputs.get("session-id")).toBe(asked.outputs.get("session-id"));

  // Exactly the shown command ran, once, and the agent went on where it had stopped.
  expect(await world.effects()).toBe(1);
  const result = JSON.stringify(world.model.requests[turns]?.body.messages.at(-1));
  expect(result).toMatch(/tool_result.*ran-/);
  expect((await world.files()).filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(1);

  // Everybody can see who decided what.
  expect(world.github.comments.reactionsOf(said.id)).toEqual(["eyes", "rocket"]);
  expect(comment && world.github.comments.need(comment.id).body).toMatch(/^### Approved/m);
  expect(world.ours("looplia:status")).toHaveLength(1);
  expect(world.ours("looplia:status")[0]?.body).toContain("completed");
  const [updated] = await world.github.pullRequests();
  expect(updated?.body).toContain("Four minutes, every morning.");
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

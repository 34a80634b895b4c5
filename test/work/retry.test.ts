import { afterEach, beforeEach, expect, test } from "vitest";
import { parseSlashCommand } from "../../src/approval/comment.ts";
import { findRetry } from "../../src/work/people.ts";
import { type HeldWork, holdWork } from "../fakes/work-in-hand.ts";

const SESSION = "to-do-2026-11-21-0a1b2c";
let held: HeldWork;

beforeEach(async () => {
  held = await holdWork();
  for (const taskId of ["T1", "api/login", "a/b/c", "Write the docs", "-rf /"]) {
    const inputs = { source: "0", agent: "0", profile: "0" };
    const payload = { taskId, agent: "a", outputs: [], inputs, conversationId: `${taskId}#1` };
    await held.happen(SESSION, [{ store: "events", type: "TaskCreated", payload }]);
  }
});
afterEach(() => held.close());

async function retry(body: string): Promise<unknown> {
  const command = await parseSlashCommand(body);
  if (command?.name !== "retry") return command;
  return findRetry(held.work, command, async () => []);
}

test.each(["T1", "api/login", "a/b/c", "Write the docs", "-rf /"])(
  "a task is found by its id, alone or behind the session's: %s",
  async (output) => {
    const found = { sessionId: SESSION, output, attempts: 1 };
    expect(await retry(`/retry ${output}`)).toEqual(found);
    expect(await retry(`/retry ${SESSION}/${output}`)).toEqual(found);
  },
);

test("what was not begun yet is taken from the session that was named, if it can make that", async () => {
  const ideas = (known: string[]) =>
    findRetry(held.work, { session: SESSION, target: "ideas" }, async () => known);
  expect(await ideas(["summary", "ideas"])).toEqual({ sessionId: SESSION, output: "ideas", attempts: 0 });
  expect(await ideas(["summary"])).toMatchObject({ reason: "no session here has begun ideas" });
});

test("what nobody began is refused with what was", async () => {
  const begun = "Begun so far: T1, api/login, a/b/c, Write the docs, -rf /.";
  for (const body of [
    "/retry login",
    "/retry api/logout",
    "/retry other-session/T1",
    `/retry ${SESSION}/T9`,
  ]) {
    const [, what = ""] = body.split(" ");
    const reason = `no session here has begun ${what.replace(`${SESSION}/`, "")}`;
    expect(await retry(body)).toMatchObject({ reason, whatToDo: begun });
  }
});

// Who waits for a long run sees its finished steps: the pull request is opened while the run is at work.
import { afterEach, expect, test } from "vitest";
import { ended, said, TOKEN } from "../fakes/action-world.ts";
import { fastClock } from "../fakes/fast-clock.ts";
import { behave, createTasksWorld, subjectOf, type TasksWorld } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

/** A minute takes two seconds. */
const RATE = 30;
const OPEN = "POST /repos/{owner}/{repo}/pulls";

let world: TasksWorld;

afterEach(async () => {
  world.github.assertValid();
  await world.close();
});

/** Three tasks; the second takes until `isSeen`, then `act` runs. */
async function workThrough(
  isSeen: () => boolean,
  act: () => void | Promise<void> = () => {},
  mayCreate = true,
) {
  world = await createTasksWorld({ "to-do.json": makeTodo(["T1", "T2", "T3"].map((id) => makeTask(id))) });
  world.github.mayCreatePullRequests = mayCreate;
  let hasActed = false;
  world.modelTurn = async (body) => {
    if (subjectOf(body) === "T2" && !hasActed) {
      for (let looks = 0; looks < 400 && !isSeen(); looks += 1)
        await new Promise((done) => setTimeout(done, 50));
      expect(isSeen()).toBe(true);
      hasActed = true;
      await act();
    }
    return behave({}, body);
  };
  const environment = { LOOPLIA_UPLOAD_AUDIT: "false", ...fastClock(RATE) };
  return world.start({ environment });
}

const status = () => world.ours("looplia:status").map(({ body }) => body);
const opened = () => world.github.requests.filter(({ kind }) => kind === OPEN).length;

test("after its first task a long run opens the pull request, ticks the task off, and ends on the same one", async () => {
  let during = "";
  const ran = await workThrough(
    () => status().length > 0,
    () => {
      during = status().join();
    },
  );
  expect(ended(ran), said(ran)).toBe("completed done");
  expect(during).toMatch(/^## looplia: running since/m);
  expect(during).toContain("**Done so far: 1 step**\n\n- ✓ Do T1: T1");
  expect(opened()).toBe(1);
  expect(status()).toHaveLength(1);
  expect(status()[0]).toMatch(/^## looplia: completed/m);
  const creation = world.github.requests.find(({ kind }) => kind === OPEN);
  expect(JSON.stringify(creation?.body)).toContain("A run is at work on this");
  const page = world.github.requests.findLast(
    ({ kind }) => kind === "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
  );
  expect(JSON.stringify(page?.body)).toContain("3 of 3 tasks done");
  expect(JSON.stringify(page?.body)).not.toContain("A run is at work");
  expect(world.github.requests.length).toBeLessThanOrEqual(30);
});

test("where pull requests may not be created, the run goes on and reports that at its end", async () => {
  const ran = await workThrough(() => opened() > 0, undefined, false);
  expect(ended(ran), said(ran)).toBe("failed host-failed");
  expect(await world.states()).toMatch(/T1 done, T2 done, T3 done/);
  expect(opened()).toBe(2);
});

test("a person closes the pull request meanwhile: the run says so and opens no second one", async () => {
  const close = () => world.github.endPullRequest(1, "closed");
  const ran = await workThrough(() => status().length > 0, close);
  expect(ended(ran), said(ran)).toMatch(/ closed$/);
  expect(opened()).toBe(1);
});

test("what a person writes above the text while the run is at work stays", async () => {
  const { pull, edit } = person();
  const ran = await workThrough(
    () => status().length > 0,
    async () => edit(`Mind the comma.\n\n${(await pull()).body}`),
  );
  expect(ended(ran), said(ran)).toBe("completed done");
  expect((await pull()).body).toMatch(/^Mind the comma\.\n\n<!-- looplia:work .*3 of 3 tasks done/s);
});

/** What a person does with the pull request on its page. */
function person() {
  const ask = async (change?: object): Promise<{ body: string }> => {
    const reply = await fetch(`${world.github.apiUrl}/repos/owner/repo/pulls/1`, {
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(change ? { method: "PATCH", body: JSON.stringify(change) } : {}),
    });
    return (await reply.json()) as { body: string };
  };
  return { pull: () => ask(), edit: async (body: string) => void (await ask({ body })) };
}

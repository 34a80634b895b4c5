// A rehearsal of a wake looks at what there is and changes nothing, on the remote and on the pull request.
import { expect, test } from "vitest";
import { renderStepSummary, writeOutputs } from "../../src/publish/summary.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { answerEvent } from "../fakes/github-server-events.ts";
import { deliverHere, postHere, runHere } from "../fakes/run-here.ts";

test("dry-run with an answer in a comment, and one that is dispatched: nothing is changed, and the answer counts later", async () => {
  // The local server counts accounts from 1001, four people come first.
  const world = await createAskingWorld({ "looplia.yml": "allowed-bots: [helper:1006]\n" });
  try {
    const bot = world.github.accounts.addBot("helper");
    await runHere(world);
    const command = `/approve ${questionOf(world)}`;
    const comment = world.say("writer", command);
    const before = await world.repository.git("for-each-ref");
    world.github.requests.length = 0;
    const inputs = { "dry-run": "true" };
    const said = await deliverHere(world, comment, { inputs });
    expect(said.ended, said.said).toBe("waiting open-questions");
    const event = answerEvent(world.github, bot, { pullRequest: 1, command, sender: "writer" });
    const dispatched = await runHere(world, { event, inputs });
    expect(dispatched.ended, dispatched.said).toBe("waiting open-questions");
    expect(world.github.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await world.repository.git("for-each-ref")).toBe(before);
    const ran = await deliverHere(world, comment);
    expect(ran.ended, ran.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
  } finally {
    await world.close();
  }
});

test("what post does for a dry-run that was canceled changes nothing, though there is something to settle", async () => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  try {
    await runHere(world);
    const comment = world.say("writer", `/approve ${questionOf(world)}`);
    await world.github.endPullRequest(1, "closed");
    const before = await world.repository.git("for-each-ref");
    const inputs = { "dry-run": "true" };
    const ran = await deliverHere(world, comment, { inputs, signal: AbortSignal.abort("interrupted") });
    expect(ran.left.works?.[0]?.workId).toMatch(/^writing-kit-/);
    world.github.requests.length = 0;
    await postHere(world, ran, { inputs });
    expect(world.github.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await world.repository.git("for-each-ref")).toBe(before);
    await postHere(world, ran);
    expect(await world.repository.git("for-each-ref")).not.toBe(before);
  } finally {
    await world.close();
  }
});

test("a plan tells what is due as JSON and in the summary, asks no model, and changes nothing", async () => {
  const world = await createAskingWorld();
  try {
    const before = await world.repository.git("for-each-ref");
    const planned = await runHere(world, { inputs: { mode: "plan" } });
    expect(planned.ended, planned.said).toBe("completed done");
    const { report } = planned;
    expect(report.plan?.items).toMatchObject([{ source: "content/kettles.md", state: "new", sessionId: "" }]);
    const outputs = writeOutputs(report, { workId: "", branch: "" });
    expect(JSON.parse(outputs.get("result-json") ?? "")).toEqual(report.plan);
    expect(renderStepSummary(report)).toContain("| new | content/kettles.md |");
    expect(world.github.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await world.repository.git("for-each-ref")).toBe(before);
  } finally {
    await world.close();
  }
});

test("a plan of several shards leaves their plan and nothing else; with dry-run not even this", async () => {
  const items = Array.from({ length: 24 }, (_, at) => [`content/item-${at}.md`, `# Item ${at}\n\nA text.\n`]);
  const world = await createAskingWorld(Object.fromEntries(items));
  try {
    const before = (await world.repository.git("for-each-ref")).split("\n");
    const dry = await runHere(world, { inputs: { mode: "plan", "dry-run": "true" } });
    expect(dry.report.matrix?.include.map(({ shard }) => shard)).toEqual(["1/2", "2/2"]);
    expect((await world.repository.git("for-each-ref")).split("\n")).toEqual(before);
    const planned = await runHere(world, { inputs: { mode: "plan" } });
    expect(planned.report.matrix?.include).toHaveLength(2);
    const after = (await world.repository.git("for-each-ref")).split("\n");
    const left = after.filter((ref) => !before.includes(ref));
    expect(left).toEqual([expect.stringMatching(/\srefs\/looplia-state\/writing-kit-[0-9a-f]+\.plans$/)]);
    expect(after).toEqual(expect.arrayContaining(before));
  } finally {
    await world.close();
  }
});

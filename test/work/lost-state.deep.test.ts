// Somebody deleted the state ref while the pull request is open.
import { expect, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

test("the state ref is deleted: an answer fails and says what to do, a new run starts over, and nothing said before counts", async () => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  try {
    await runHere(world);
    const old = [world.say("maintainer", "/looplia mention shops"), world.say("maintainer", "/cancel")];
    const approve = world.say("maintainer", `/approve ${questionOf(world)}`);
    const ref = await world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
    await world.repository.git("update-ref", "-d", ref);
    const lost = await deliverHere(world, approve);
    expect(lost.ended).toBe("failed store-corrupt");
    expect(lost.report.message).toContain(`there is no ${ref}, though pull request 1 is open`);
    expect(lost.report.message).toContain(`git push origin <commit>:${ref}`);
    const anew = await runHere(world);
    expect(anew.ended, anew.said).toBe("waiting open-questions");
    expect(anew.said).toContain("earlier questions no longer count");
    for (const { id } of old) expect(world.github.comments.reactionsOf(id)).toEqual([]);
    // Whoever wrote the answer that failed is told; nobody else is.
    expect(world.ours("looplia:reply").map(({ body }) => body)).toEqual([
      expect.stringContaining("state of this work can't be read"),
    ]);
    expect(JSON.stringify(world.model.requests)).not.toContain("mention shops");
    await deliverHere(world, approve);
    expect(world.github.comments.reactionsOf(approve.id)).toEqual(["confused"]);
    expect(world.ours("looplia:reply")).toHaveLength(1);
    expect(await world.effects()).toBe(0);
  } finally {
    await world.close();
  }
});

// A question was answered, and shards of the next schedule run before or after the answer's own run was stopped.
import { expect, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, postHere, runHere } from "../fakes/run-here.ts";

const SCHEDULE = { name: "schedule", payload: { repository: { default_branch: "main" } } };

/** At these moments the run of the answer has read it, recorded it, begun the call, or ended. */
test.each([100, 180, 240, 300, 400, 900])(
  "the answer's run is stopped after %i ms, and shards come next: the approved command runs once",
  async (ms) => {
    const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\nsandbox: off\n" });
    const shards = async (run: string) => {
      let ended = "";
      for (const inputs of [
        { mode: "content", shard: "1/2" },
        { mode: "content", shard: "2/2" },
        { mode: "collect" },
      ]) {
        await world.renewModel();
        const environment = { GITHUB_RUN_ID: run };
        ({ ended } = await runHere(world, { event: SCHEDULE, inputs, environment }));
      }
      return ended;
    };
    try {
      expect(await shards("800")).toBe("waiting open-questions");
      const answer = world.say("maintainer", `/approve ${questionOf(world)}`);
      await world.renewModel();
      const stopping = new AbortController();
      const timer = setTimeout(() => stopping.abort("interrupted"), ms);
      const stopped = await deliverHere(world, answer, { signal: stopping.signal });
      clearTimeout(timer);
      await postHere(world, stopped);
      const before = await world.effects();
      await shards("801");
      // A command that was stopped in the middle is asked about, and a person looks whether it happened.
      const doubt = /\/choose (q\d+-[0-9a-f]{6}) (?:happened|1)/.exec(
        world
          .ours("looplia:request")
          .map(({ body }) => body)
          .join("\n"),
      )?.[1];
      if (doubt) {
        await world.renewModel();
        await deliverHere(
          world,
          world.say("maintainer", `/choose ${doubt} ${before > 0 ? "happened" : "run"}`),
        );
      }
      await world.renewModel();
      const last = await runHere(world, { event: SCHEDULE });
      expect(last.report.status, `${stopped.ended}, ${before} before: ${last.said}`).toBe("completed");
      expect(await world.effects()).toBe(1);
    } finally {
      await world.close();
    }
  },
  120_000,
);

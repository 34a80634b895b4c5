// A limit of cost that all sessions of a run share, as a person meets it: one question on the pull request, and its answer.
import { expect, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import { createAskingWorld } from "../fakes/asking-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

test("at a run's limit one question asks for all items, and its approval lets all of them end", async () => {
  const others = ["a", "b", "c"].map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const world = await createAskingWorld({
    ...Object.fromEntries(others),
    "looplia.yml": "max-run-cost-usd: 0.02\nmax-month-cost-usd: 40\nconcurrency: 2\n",
  });
  world.modelTurn = writeDue;
  try {
    const first = await world.start();
    expect(ended(first), said(first)).toBe("waiting open-questions");
    const requests = world.model.requests.length;
    expect(requests).toBeLessThan(12);
    const month = new Date().toISOString().slice(0, 7);
    expect(first.summary).toMatch(new RegExp(`${month}: \\$0\\.\\d\\d of \\$40\\.00`));
    expect(world.ours("looplia:request")).toHaveLength(1);
    expect(world.ours("looplia:request")[0]?.body).toMatch(/The limit of .*0\.02 for this run is reached/);
    // Each approval is for as much as the limit once more.
    let run = first;
    for (let approvals = 0; ended(run) !== "completed done" && approvals < 6; approvals += 1) {
      const question = String(run.outputs.get("interaction-id")).split(".").at(-1);
      run = await world.deliver(world.say("maintainer", `/approve ${question}`));
    }
    expect(ended(run), said(run)).toBe("completed done");
    expect(world.model.requests).toHaveLength(12);
    const ledger = JSON.parse(
      await world.repository.git("show", "refs/looplia-state/month.budget:budget.json"),
    );
    expect(ledger.months[month].leases).toEqual({});
    expect(ledger.months[month].spentUsd).toBeGreaterThan(0.02);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

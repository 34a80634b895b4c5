// `pull-request: per-item`: as many pull requests as may be open, then the next one for each that was merged; and old
// states are deleted.
import { expect, test } from "vitest";
import { createActionWorld, ended, said } from "../fakes/action-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const SETTINGS = "pull-request: per-item\nmax-pull-requests: 2\nstate-retention-days: 30\n";

test("items beyond max-pull-requests wait until one is merged", async () => {
  const names = ["a", "b (1)", "c"];
  const items = names.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const world = await createActionWorld({ ...Object.fromEntries(items), "looplia.yml": SETTINGS });
  world.modelTurn = writeDue;
  try {
    const first = await world.run();
    expect(ended(first), said(first)).toBe("completed done");
    expect(await world.github.pullRequests()).toHaveLength(2);
    expect(world.model.requests).toHaveLength(6);
    expect(said(first)).toContain("1 more item waits");
    const told = JSON.parse(first.outputs.get("items") ?? "[]") as { pullRequestNumber: number }[];
    expect(told.map(({ pullRequestNumber }) => pullRequestNumber).sort()).toEqual([1, 2]);
    // What is open is updated, not multiplied.
    const again = await world.run();
    expect(again.exitCode, said(again)).toBe(0);
    expect(await world.github.pullRequests()).toHaveLength(2);
    expect(world.model.requests).toHaveLength(6);
    await world.github.endPullRequest(1, "merged");
    const later = await world.run();
    expect(ended(later), said(later)).toBe("completed done");
    expect(await world.github.pullRequests()).toHaveLength(3);
    expect(world.model.requests).toHaveLength(9);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

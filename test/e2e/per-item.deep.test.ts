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

test("an item takes three requests to GitHub, and what is said before its work is free again is read", async () => {
  const names = ["a", "b", "c"];
  const items = names.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const settings = SETTINGS.replace("max-pull-requests: 2", "max-pull-requests: 3");
  const world = await createActionWorld({ ...Object.fromEntries(items), "looplia.yml": settings });
  world.modelTurn = writeDue;
  const spoken: number[] = [];
  const sayOnce = async ({ method, path }: { method: string; path: string }) => {
    if (spoken.length > 0 || method !== "POST" || !path.endsWith("/comments")) return;
    spoken.push(world.github.comments.say("writer", "/status", { pullRequest: 1 }).id);
  };
  try {
    world.github.accounts.addPerson("writer", "write");
    world.github.onRequest = sayOnce;
    const ran = await world.run();
    expect(ended(ran), said(ran)).toBe("completed done");
    const kinds = world.github.requests.map(({ kind }) => kind);
    const firstLook = kinds.indexOf("GET /repos/{owner}/{repo}/issues/comments");
    const before = kinds.slice(0, firstLook);
    expect(before.filter((kind) => kind.startsWith("POST"))).toHaveLength(3 * names.length);
    // Three lists of pull requests for the whole run, however many items there are.
    expect(before).toHaveLength(3 + 3 * names.length);
    expect(spoken.map((id) => world.github.comments.reactionsOf(id))).toEqual([
      expect.arrayContaining(["rocket"]),
    ]);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

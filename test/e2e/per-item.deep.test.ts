// `pull-request: per-item`: as many pull requests as may be open, then the next one for each that was merged; and old
// states are deleted.
import { expect, test } from "vitest";
import { type ActionWorld, createActionWorld, ended, said } from "../fakes/action-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
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

test("a scheduled run wakes each work once, whoever asks for it: it is green, and says when a push waits", async () => {
  const names = ["a", "b", "c"];
  const items = names.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const world = await createActionWorld({
    ...Object.fromEntries(items),
    "looplia.yml": "pull-request: per-item\n",
  });
  world.modelTurn = writeDue;
  const event = { name: "schedule", payload: { repository: { default_branch: "main" } } };
  try {
    const first = await world.run({ event });
    expect(ended(first), said(first)).toBe("completed done");
    expect(said(first)).toMatch(
      /The next save waits \d+ s: a repository gets at most 6 pushes in a minute\./,
    );
    const second = await world.run({ event });
    expect(ended(second), said(second)).toBe("completed up-to-date");
    expect(second.exitCode).toBe(0);
    expect(await world.github.pullRequests()).toHaveLength(3);
    expect(world.model.requests).toHaveLength(9);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test("a changed item updates its open pull request; after one is closed or merged, a change begins a new one", async () => {
  const textOf = (name: string, more = "") => `# ${name}\n\n${ARTICLE}\n${more}`;
  const names = ["a", "b", "c"];
  const items = names.map((name) => [`content/${name}.md`, textOf(name)]);
  const settings = "pull-request: per-item\nmax-pull-requests: 5\n";
  const world = await createActionWorld({ ...Object.fromEntries(items), "looplia.yml": settings });
  world.modelTurn = writeDue;
  const change = (name: string, more: string) =>
    commitFiles(
      world.repository.bare,
      "main",
      { [`content/${name}.md`]: textOf(name, more) },
      `more of ${name}`,
    );
  const runAgain = async () => {
    const before = world.model.requests.length;
    const ran = await world.run();
    expect(ran.exitCode, said(ran)).toBe(0);
    return world.model.requests.length - before;
  };
  const open = async () =>
    (await world.github.pullRequests()).filter(({ state }) => state === "open").map(({ number }) => number);
  try {
    await runAgain();
    const [first] = await world.github.pullRequests();
    expect(await open()).toHaveLength(3);
    const branches = (await world.github.pullRequests()).map(({ head }) => head.ref);
    const sourceOf = async (branch: string) =>
      /"source": "(.*)"/.exec(await manifestAt(world, branch))?.[1] ?? "";
    const sources = await Promise.all(branches.map(sourceOf));
    const numberOf = async (name: string) =>
      (await world.github.pullRequests())[sources.indexOf(`content/${name}.md`)]?.number ?? 0;
    const hashBefore = await manifestAt(world, first?.head.ref ?? "");
    await change("a", "Another sentence about kettles and water.");
    await change("b", "Another sentence about time and tea.");
    expect(await runAgain()).toBe(6);
    expect(await open()).toHaveLength(3);
    expect(await world.github.pullRequests()).toHaveLength(3);
    const changed = sources.filter((source) => source !== "content/c.md");
    if (changed.includes(sources[0] ?? "")) {
      expect(await manifestAt(world, first?.head.ref ?? "")).not.toBe(hashBefore);
    }
    await world.github.endPullRequest(await numberOf("a"), "merged");
    await world.github.endPullRequest(await numberOf("b"), "closed");
    await change("a", "A third sentence about kettles.");
    await change("b", "A third sentence about time.");
    expect(await runAgain()).toBeGreaterThan(0);
    expect(await open()).toHaveLength(3);
    expect(await world.github.pullRequests()).toHaveLength(5);
    expect(await runAgain()).toBe(0);
    expect(await world.github.pullRequests()).toHaveLength(5);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

async function manifestAt(world: ActionWorld, branch: string): Promise<string> {
  const files = (await world.repository.git("ls-tree", "-r", "--name-only", branch)).split("\n");
  const [path] = files.filter((file) => file.endsWith("/session.json"));
  return world.repository.git("show", `${branch}:${path}`);
}

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

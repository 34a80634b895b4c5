import { expect, test } from "vitest";
import { resolveSettings } from "../../../src/config/settings.ts";
import { chooseWork } from "../../../src/entrypoints/action/choose-work.ts";
import type { Found } from "../../../src/entrypoints/action/find-settings.ts";
import type { CodeHost, PullRequest, Repository } from "../../../src/ports/repository.ts";

async function found(
  changes: { overrides?: Record<string, string>; base?: string; folder?: string } = {},
): Promise<Found> {
  const overrides = { content: "content/*.md", ...changes.overrides };
  const { settings } = await resolveSettings({
    file: undefined,
    fileName: "looplia.yml",
    environment: {},
    overrides,
    overridesSource: "input",
  });
  return {
    settings,
    base: changes.base ?? "main",
    baseCommit: "",
    trusted: { label: "", read: async () => undefined, list: async () => [] },
    folder: changes.folder ?? "",
    warnings: [],
  };
}

/** `states` by ordinal of the work: what pull requests its branch has. */
function world(first: string, states: ("open" | "closed")[][], tips: Record<string, string> = {}) {
  const asked: string[] = [];
  const host: Pick<CodeHost, "pullRequestsOf"> = {
    async pullRequestsOf(branch) {
      asked.push(branch);
      const ordinal = branch === first ? 1 : Number(branch.slice(first.length + 1));
      return (states[ordinal - 1] ?? []).map(
        (state, index): PullRequest => ({ number: index + 1, url: "", state, title: "", body: "" }),
      );
    },
  };
  const repository: Pick<Repository, "tipOf"> = { tipOf: async (branch) => tips[branch] };
  const choose = async (of = found()) => chooseWork(repository as Repository, host as CodeHost, await of);
  return { choose, asked };
}

const first = (await world("", []).choose()).branch;

test("the id is the same for the same globs, pipeline, base and folder, and for nothing else", async () => {
  const idOf = async (changes: Parameters<typeof found>[0]) =>
    (await world("", []).choose(found(changes))).workId;
  expect(await idOf({})).toMatch(/^writing-kit-[0-9a-f]{6}$/);
  expect(await idOf({ overrides: { content: "b\na" } })).toBe(await idOf({ overrides: { content: "a\nb" } }));
  const others = [
    { overrides: { content: "x/*.md" } },
    { overrides: { pipeline: "social-posts" } },
    { base: "next" },
    { folder: "docs" },
  ];
  const ids = await Promise.all([{}, ...others].map(idOf));
  expect(new Set(ids).size).toBe(5);
});

test("a new work has neither branch nor pull request", async () => {
  expect(await world(first, []).choose()).toMatchObject({
    branch: first,
    tip: undefined,
    pullRequest: undefined,
  });
});

test("an open pull request is gone on with, whatever happened on its branch before", async () => {
  const work = await world(first, [["open", "closed"]], { [first]: "abc" }).choose();
  expect(work).toMatchObject({ branch: first, tip: "abc", pullRequest: { number: 1 } });
});

test("a branch without a pull request is gone on with", async () => {
  expect(await world(first, [], { [first]: "abc" }).choose()).toMatchObject({ branch: first, tip: "abc" });
});

test("after works that are over comes the next, found in few requests", async () => {
  for (let over = 1; over <= 40; over++) {
    const { choose, asked } = world(
      first,
      Array.from({ length: over }, () => ["closed" as const]),
    );
    expect((await choose()).branch).toBe(`${first}-${over + 1}`);
    expect(asked.length).toBeLessThanOrEqual(12);
  }
});

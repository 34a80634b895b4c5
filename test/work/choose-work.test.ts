import { expect, test } from "vitest";
import { resolveSettings } from "../../src/config/settings.ts";
import type { CodeHost, PullRequest, Repository } from "../../src/core/ports-host.ts";
import { chooseWork, type RunSettings } from "../../src/work/find.ts";

const NO_FILES = { label: "", read: async () => undefined, list: async () => [] };

async function found(
  changes: { overrides?: Record<string, string>; base?: string; folder?: string } = {},
): Promise<RunSettings> {
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
    trusted: NO_FILES,
    trustedTree: { copyTo: async () => {}, folder: "" },
    trustedAt: () => NO_FILES,
    folder: changes.folder ?? "",
    warnings: [],
  };
}

/** `states` by ordinal of the work: what pull requests its branch has. */
function world(
  first: string,
  states: ("open" | "closed")[][],
  tips: Record<string, string> = {},
  holders: Record<string, string> = {},
) {
  const asked: string[] = [];
  const host: Pick<CodeHost, "pullRequestsOf" | "openPullRequests"> = {
    openPullRequests: async (prefix) =>
      Object.keys(tips)
        .filter((branch) => branch.startsWith(prefix))
        .map((branch, at) => ({
          number: at + 1,
          url: "",
          state: "open",
          title: "",
          body: "",
          isDraft: false,
          branch,
        })),
    async pullRequestsOf(branch) {
      asked.push(branch);
      const ordinal = branch === first ? 1 : Number(branch.slice(first.length + 1));
      return (states[ordinal - 1] ?? []).map(
        (state, index): PullRequest => ({
          number: index + 1,
          url: "",
          state,
          title: "",
          body: "",
          isDraft: false,
        }),
      );
    },
  };
  const repository: Pick<Repository, "tipOf" | "fetchCommit" | "listFiles"> = {
    tipOf: async (branch) => tips[branch],
    fetchCommit: async () => {},
    listFiles: async (commit, folder) =>
      holders[commit] === folder ? [{ path: `${folder}/session.json`, oid: "", size: 1 }] : [],
  };
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
    pullRequest: undefined,
  });
});

test("an open pull request is gone on with, whatever happened on its branch before", async () => {
  const work = await world(first, [["open", "closed"]], { [first]: "abc" }).choose();
  expect(work).toMatchObject({ branch: first, pullRequest: { number: 1 } });
});

test("a branch without a pull request is gone on with", async () => {
  expect(await world(first, [], { [first]: "abc" }).choose()).toMatchObject({ branch: first });
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

test("a session asked for is gone on with where it is, whatever the globs", async () => {
  const overrides = { content: "", "session-id": "a-2026-11-20-aaaaaa" };
  const tips = { "looplia/other-1": "one", "looplia/../x": "bad", "looplia/kit-2": "two" };
  const place = ".looplia/contentItem/a-2026-11-20-aaaaaa";
  const holder = await world("", [], tips, { bad: place, two: place }).choose(found({ overrides }));
  expect(holder).toMatchObject({
    workId: "kit-2",
    branch: "looplia/kit-2",
    pullRequest: { number: 3 },
  });
  const inDocs = await world("", [], tips, { two: `docs/${place}` }).choose(
    found({ overrides, folder: "docs" }),
  );
  expect(inDocs.workId).toBe("kit-2");
  const none = await world("", [], tips).choose(found({ overrides }));
  expect(none).toMatchObject({ pullRequest: undefined });
});

// Labels, reviewers, assignees and the title of the pull request, once the work is done.
import { afterEach, expect, test } from "vitest";
import { type ActionWorld, createActionWorld } from "../fakes/action-world.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { runHere } from "../fakes/run-here.ts";

let world: ActionWorld;
afterEach(() => world.close());

const SETTINGS = `title: "Kits: {{ items }} of {{ work }}, first {{ first }}"
labels: [kit, "needs editor"]
assignees: [ada]
reviewers: [writer, "@owner/editors"]
upload-audit: false
`;

test("are set once; what GitHub refuses is a warning", async () => {
  world = await createActionWorld({ "content/kettles.md": ARTICLE, "looplia.yml": SETTINGS });
  const path = /\/requested_reviewers$/;
  world.github.answers.push({ method: "POST", path, status: 422, body: { message: "Not a collaborator" } });
  world.github.accounts.addPerson("ada", "write");
  const first = await runHere(world);
  expect(first.ended, first.said).toBe("completed done");
  const [pull] = await world.github.pullRequests();
  expect(pull?.title).toMatch(/^Kits: 1 of writing-kit-[0-9a-f]{6}, first \S/);
  const asked = () =>
    world.github.requests
      .filter(({ path }) => /\/(labels|assignees|requested_reviewers)$/.test(path))
      .map(({ path, body }) => [path.split("/").at(-1), body]);
  const once = [
    ["labels", { labels: ["kit", "needs editor"] }],
    ["assignees", { assignees: ["ada"] }],
    ["requested_reviewers", { reviewers: ["writer"] }],
    ["requested_reviewers", { team_reviewers: ["editors"] }],
  ];
  expect(asked()).toEqual(once);
  expect(world.github.requests.filter(({ status }) => status >= 400)).toHaveLength(1);
  expect(first.said).toContain("GitHub refused to request a review from writer on pull request 1");
  const again = await runHere(world, { inputs: { content: "content/*.md" } });
  expect(again.ended).toBe("completed up-to-date");
  expect(asked()).toEqual(once);
  world.github.assertValid();
});

test("one name that GitHub does not take keeps no other from being asked", async () => {
  const people = `labels: [kit, ${"x".repeat(51)}]\nassignees: [Ada, stranger]\nreviewers: [author, writer]\n`;
  const title = `title: "@everyone #1 ${"{{ first }} ".repeat(15)}"\n`;
  const settings = `${people}${title}upload-audit: false\n`;
  world = await createActionWorld({ "content/kettles.md": ARTICLE, "looplia.yml": settings });
  world.github.accounts.addPerson("ada", "write");
  const refuse = (path: RegExp, message: string) =>
    world.github.answers.push({ method: "POST", path, status: 422, body: { message } });
  const byAuthor = "Review cannot be requested from pull request author.";
  for (const _ of ["both", "the author alone"]) refuse(/requested_reviewers$/, byAuthor);
  refuse(/labels$/, "Validation Failed");
  const run = await runHere(world);
  expect(run.ended, run.said).toBe("completed done");
  const bodies = (end: RegExp) =>
    world.github.requests.filter(({ path }) => end.test(path)).map(({ body }) => body);
  expect(bodies(/requested_reviewers$/)).toEqual([
    { reviewers: ["author", "writer"] },
    { reviewers: ["author"] },
    { reviewers: ["writer"] },
  ]);
  expect(bodies(/\/labels$/)).toHaveLength(3);
  expect(run.said).toContain("GitHub refused to request a review from author on pull request 1");
  expect(run.said).toContain("GitHub refused to assign stranger on pull request 1");
  const [pull] = await world.github.pullRequests();
  expect(pull?.title.length).toBeLessThanOrEqual(256);
  expect(pull?.title).not.toMatch(/@everyone|#1/);
  world.github.assertValid();
});

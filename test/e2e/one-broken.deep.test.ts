// Two good items and an empty one: the run is red, and every place where people look first says which.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ActionWorld, createActionWorld, ended, type Ran, said } from "../fakes/action-world.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const SENTENCE = "2 of 3 kits made; content/c.md is empty";
let world: ActionWorld;
let ran: Ran;

beforeAll(async () => {
  world = await createActionWorld({
    "content/a.md": ARTICLE,
    "content/b.md": ARTICLE.replace("# ", "# Second "),
    "content/c.md": "\n",
    "looplia.yml": "upload-audit: false\n",
  });
  ran = await world.run();
}, 60_000);
afterAll(() => world.close());

test("the job is red, the outputs keep the code", () => {
  expect(ended(ran), said(ran)).toBe("failed config-invalid");
  expect(ran.exitCode).toBe(1);
});

test("the first annotation, with which the e-mail begins, is the sentence; the item's own one has the advice", () => {
  const errors = said(ran).match(/^::error.*$/gm) ?? [];
  expect(errors[0]).toMatch(/^::error::2 of 3 kits made; content\/c\.md is empty(?:%0A|$)/);
  expect(errors[1]).toBe(
    "::error title=looplia,file=content/c.md::content/c.md is empty (give it a text, or leave it out)",
  );
});

test("the titles of pull request, check, comment and summary say it, without a machine's word", async () => {
  const [pull] = await world.github.pullRequests();
  expect(pull?.title).toBe(`content(writing-kit): ${SENTENCE}`);
  const [status] = world.github.comments.all;
  for (const shown of [ran.summary, status?.body ?? ""]) expect(shown).toContain(`## looplia: ${SENTENCE}\n`);
  expect(world.github.checks.all.at(-1)?.title).toBe(SENTENCE);
  const shown = [ran.summary, status?.body, pull?.body].join("\n");
  expect(shown).not.toMatch(/config-invalid|open-questions/);
  expect(pull?.body).toContain("\n\ncontent/c.md: failed: it is empty (give it a text, or leave it out)\n\n");
});

test("the summary has the good kits themselves", () => {
  expect(ran.summary.match(/^\*Hooks\*$/gm)).toHaveLength(2);
  expect(ran.summary).toContain("Four minutes, every morning.");
});

test("the log has one group for each item that ran, and no chatter of packages", () => {
  expect(ran.stdout.match(/^::group::content\/[ab]\.md: /gm)).toHaveLength(2);
  expect(ran.stdout.match(/^::endgroup::$/gm)).toHaveLength(2);
  expect(ran.stdout).toMatch(/^content\/c\.md: failed: it is empty \(give it a text, or leave it out\)$/m);
  expect(said(ran)).not.toMatch(/octokit|artifact client|deprecat|ExperimentalWarning/i);
});

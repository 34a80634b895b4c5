// The smaller pipelines end to end, and what the program checks of a translation.
import { expect, test } from "vitest";
import { createOfflineModel } from "../../src/offline/model.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { writeDue } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const FILE = { kind: "file", source: "a.md" } as const;

async function pageOf(world: ContentWorld, output: string): Promise<string> {
  return world.read(`.looplia/contentItem/${(await sessionsOf(world))[0]}/${output}.md`);
}

function writing(output: string, value: unknown): ScriptedModel {
  return new ScriptedModel((request) => writeDue(request, new Map([[output, value]])));
}

const CHANGES = `# Kettle 2.4

- feat(timer): a timer that ends with the water (#41)
- refactor: move the heater into its own module (#45)
- fix: no drop is left in the spout (#48)
- feat!: temperatures are degrees Celsius everywhere (#46)
`;

test("release-notes: what users notice, by kind, each with its source", async () => {
  const world = await createContentWorld({ "a.md": CHANGES });
  const run = await world.run(FILE, createOfflineModel(), { settings: { pipeline: "release-notes" } });
  expect(run.status).toBe("completed");
  expect(await pageOf(world, "release-notes")).toMatch(
    /^# Kettle 2\.4\n[\s\S]*## Breaking\n\n- temperatures .* \(#46\)\n\n## Added\n\n- a timer .* \(#41\)\n\n## Fixed/,
  );
});

const ITEM = `# Der Kessel

Lies [die Seite](https://example.org/kessel) und tippe \`kessel --an\`:

\`\`\`sh
kessel --an
\`\`\`

- erstens
- zweitens
`;
const ENGLISH = ITEM.replace("Der Kessel", "The kettle")
  .replace("Lies [die Seite]", "Read [the page]")
  .replace("und tippe", "and type")
  .replace("erstens", "first")
  .replace("zweitens", "second");
const TRANSLATION = { language: "en", title: "The kettle", markdown: ENGLISH };

test("translation: the page is the Markdown of the translation", async () => {
  const world = await createContentWorld({ "a.md": ITEM });
  const settings = { pipeline: "translation" };
  expect((await world.run(FILE, writing("translation", TRANSLATION), { settings })).status).toBe("completed");
  expect(await pageOf(world, "translation")).toBe(ENGLISH);
});

test.each([
  ["headings", (text: string) => text.replace("# The", "## The"), /headings of the same levels.*"#"/],
  ["lists", (text: string) => text.replace("- second\n", ""), /lists with as many entries.*"2 entries"/],
  [
    "code",
    (text: string) => text.replaceAll("kessel --an", "kettle --on"),
    /the same code, letter by letter/,
  ],
  ["links", (text: string) => text.replace("/kessel)", "/kettle)"), /the same addresses of links and images/],
])("translation: other %s than the item's are refused", async (_, change, expected) => {
  const world = await createContentWorld({ "a.md": ITEM });
  const value = { ...TRANSLATION, markdown: change(ENGLISH) };
  const run = await world.run(FILE, writing("translation", value), { settings: { pipeline: "translation" } });
  expect(run.status).toBe("failed");
  const errors = world.events.flatMap((event) => (event.type === "validation-failed" ? event.errors : []));
  expect(errors[0]).toMatch(expected);
});

test("newsletter: one issue from the items that the brief names", async () => {
  const world = await createContentWorld({ "a.md": "---\nitems: [b.md, c.md]\n---\nFor our readers.\n" });
  const text = "A short report that says one thing of its item, with the number that makes it true.";
  const issue = {
    subject: "Two small things",
    intro: "This week has two small things that have a lot in common with each other.",
    entries: ["b.md", "c.md"].map((source) => ({ source, heading: `On ${source}`, text })),
    closing: "See you next week.",
  };
  const settings = { pipeline: "newsletter" };
  expect((await world.run(FILE, writing("newsletter", issue), { settings })).status).toBe("completed");
  expect(await pageOf(world, "newsletter")).toContain("## On c.md");
});

test("docs-summary: a title and a description that fit into a search result", async () => {
  const page = `# Boiling water\n\n${"The kettle boils water in four minutes. Fill it to the mark and press the switch of the kettle. ".repeat(3)}\n`;
  const world = await createContentWorld({ "a.md": page });
  const run = await world.run(FILE, createOfflineModel(), { settings: { pipeline: "docs-summary" } });
  expect(run.status).toBe("completed");
  expect(run.items[0]?.artifact).toMatchObject({
    title: expect.stringMatching(/^.{10,60}$/),
    description: expect.stringMatching(/^.{50,160}$/),
  });
});

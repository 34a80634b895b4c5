// The smaller pipelines end to end, and what the program checks of a translation.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createOfflineModel } from "../../src/offline/model.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { writeDue } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const ITEMS = { kind: "items", workId: "newsletter-abcdef", key: "k", sources: ["a.md"] } as const;
const FILE = { kind: "file", source: "a.md" } as const;

async function pageOf(world: ContentWorld, output: string): Promise<string> {
  return world.read(`.looplia/contentItem/${(await sessionsOf(world))[0]}/${output}.md`);
}

function errorsOf(world: ContentWorld): string[] {
  return world.events.flatMap((event) => (event.type === "validation-failed" ? event.errors : []));
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
  [
    "lists",
    (text: string) => text.replace("- second\n", ""),
    /lists with the same number of entries.*"2 entries"/,
  ],
  ["code", (text: string) => text.replaceAll("kessel --an", "kettle --on"), /exactly the same code/],
  ["links", (text: string) => text.replace("/kessel)", "/kettle)"), /the same addresses of links and images/],
])("translation: other %s than the item's are refused", async (_, change, expected) => {
  const world = await createContentWorld({ "a.md": ITEM });
  const value = { ...TRANSLATION, markdown: change(ENGLISH) };
  const run = await world.run(FILE, writing("translation", value), { settings: { pipeline: "translation" } });
  expect(run.status).toBe("failed");
  expect(errorsOf(world)[0]).toMatch(expected);
});

describe("newsletter", () => {
  const settings = { pipeline: "newsletter" };
  const text = "A short report that says one thing of its item, with the number that makes it true.";
  const issueOf = (...sources: string[]) => ({
    subject: "Two small things",
    intro: "This week has two small things that have a lot in common with each other.",
    entries: sources.map((source) => ({ source, heading: `On ${source}`, text })),
    closing: "See you next week.",
  });
  const BRIEF = "---\nitems: [items/, c.md]\n---\nFor our readers.\n";
  const create = () =>
    createContentWorld({ "a.md": BRIEF, "items/b.md": "# Bees\n\nMany.\n", "c.md": "# Cats\n\nFew.\n" });
  const dueIn = async (world: ContentWorld) => {
    const { plan } = await world.run({ ...ITEMS, isPlan: true }, new ScriptedModel([]), { settings });
    return plan?.items.map(({ state, reasons }) => [state, ...reasons]);
  };

  test("one issue from the items that the brief names, which are in the first message", async () => {
    const world = await create();
    const model = writing("newsletter", issueOf("items/b.md", "c.md"));
    expect((await world.run(ITEMS, model, { settings })).status).toBe("completed");
    expect(await pageOf(world, "newsletter")).toContain("## On c.md");
    expect(JSON.stringify(model.requests[0]?.messages[0])).toMatch(/# items\/b\.md.*# Bees.*# c\.md.*# Cats/);
    expect(await dueIn(world)).toEqual([["up-to-date"]]);
  });

  test.each<[string, (world: ContentWorld) => Promise<void>, string[]]>([
    ["changed", (world) => world.write("c.md", "# Cats\n\nNone.\n"), ["items/b.md", "c.md"]],
    [
      "was added",
      (world) => world.write("items/new.md", "# News\n\nOne.\n"),
      ["items/b.md", "items/new.md", "c.md"],
    ],
    [
      "was removed",
      (world) => rm(join(world.root, "items/b.md")).then(() => world.write("items/c.md", "C.")),
      ["items/c.md", "c.md"],
    ],
  ])("an item that %s makes the issue again, and the plan says which", async (what, change, now) => {
    const world = await create();
    await world.run(ITEMS, writing("newsletter", issueOf("items/b.md", "c.md")), { settings });
    await change(world);
    expect(await dueIn(world)).toEqual([["changed", expect.stringMatching(`^newsletter: .*${what}`)]]);
    const model = writing("newsletter", issueOf(...now));
    expect((await world.run(ITEMS, model, { settings })).status).toBe("completed");
    expect(model.requests).toHaveLength(1);
    expect(await dueIn(world)).toEqual([["up-to-date"]]);
  });

  test("entries are those of the items: none is missing, double or from elsewhere", async () => {
    const world = await create();
    const model = writing("newsletter", issueOf("c.md", "c.md", "d.md"));
    expect((await world.run(ITEMS, model, { settings })).status).toBe("failed");
    expect(errorsOf(world)[0]).toMatch(/entries\[1\]\.source.*one entry per item/);
    expect(errorsOf(world).join()).toMatch(
      /entries\[2\]\.source.*one of items\/b\.md, c\.md.*none for items\/b\.md/,
    );
  });

  test("a name that matches no file ends before anything is paid for", async () => {
    const world = await createContentWorld({ "a.md": BRIEF, "c.md": "# Cats\n\nFew.\n" });
    const model = new ScriptedModel([]);
    const run = await world.run(ITEMS, model, { settings });
    expect(run.items[0]?.message).toContain('a.md: has "items/" among its items, which matches no file');
    expect(model.requests).toEqual([]);
  });

  test("a rehearsal takes each entry out of its item", async () => {
    const page = (what: string) =>
      `---\ntitle: On ${what}\nurl: https://example.org/${what}\n---\n${`The ${what} of this street number more than 40 in every good year. `.repeat(4)}\n`;
    const world = await createContentWorld({
      "a.md":
        "---\ntitle: Issue 12\nitems: [b.md, c.md]\n---\nFor people who look after something that is small. Short, please.\n\nUntil next month.\n",
      "b.md": page("swifts"),
      "c.md": page("beetles"),
    });
    expect((await world.run(ITEMS, createOfflineModel(), { settings })).status).toBe("completed");
    expect(await pageOf(world, "newsletter")).toMatch(
      /^# Issue 12\n\nFor people who[\s\S]*## On swifts\n\nThe swifts[\s\S]*\[Read on\]\(https:\/\/example\.org\/beetles\)[\s\S]*Until next month\.\n$/,
    );
  });
});

test("release-notes: a source that the list has not is refused", async () => {
  const world = await createContentWorld({ "a.md": CHANGES });
  const changes = [{ text: "A timer that ends with the water.", sources: ["#41", "#410"] }];
  const value = {
    title: "Kettle",
    summary: "A timer that ends with the water.",
    sections: [{ heading: "Added", changes }],
  };
  await world.run(FILE, writing("release-notes", value), { settings: { pipeline: "release-notes" } });
  expect(errorsOf(world)[0]).toMatch(/sources\[1\].*from a\.md.*#410/);
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

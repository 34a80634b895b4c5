// What the rehearsal cannot do, it says, and writes nothing.
import { describe, expect, test } from "vitest";
import { converse, openingOf, type Step } from "./offline-conversation.ts";

const PROSE = "The old bridge over the river was repaired by the council in the winter of last year. ".repeat(
  4,
);

async function refusalOf(markdown: string, step: Step = { outputs: ["summary"] }): Promise<string> {
  const { artifacts, last } = await converse(step, { "content.md": markdown });
  expect([...artifacts.keys()]).toEqual([]);
  return last;
}

test.each([
  ["has no sentence", "# Only a heading\n\n- an item\n- another item\n", /no sentence/],
  ["has no letters", "1 2 3 4 5 6!\n\n*** --- !!!\n", /no sentence/],
  ["is nothing but front matter", "---\ntitle: A title of a text\n---\n", /no sentence/],
  ["is nothing but code", "```\nThis is a line of code, not of text.\n```\n", /no sentence/],
  [
    "is Russian",
    "Старый мост через реку был отремонтирован советом зимой прошлого года.\n",
    /another script.*English/,
  ],
  ["is Chinese", "这座老桥去年冬天被市议会修好了。人们很高兴。\n", /another script.*English/],
  [
    "speaks of too few things",
    "It is what it is, and so it was. ".repeat(9),
    /too short for keyThemes: 0 of 3/,
  ],
  [
    "is too short",
    "Mayor Tom saw old boats near bridges.\n",
    /too short for overview: .*37 of the 50 characters/,
  ],
  ["has a paragraph too long to tag", `${"word ".repeat(6_000)}end.\n`, /a paragraph of it is too long/],
  ["is too long to read", `${PROSE}\n\n`.repeat(700), /content\.md is longer than 200,000 characters/],
  ["is nested too deeply to parse", `${PROSE}\n\n${"> ".repeat(9_000)}deep\n`, /nested too deeply/],
])("a text that %s is refused", async (_, markdown, reason) => {
  const said = await refusalOf(markdown);
  expect(said).toMatch(/^Cannot rehearse: .+\.$/s);
  expect(said).toMatch(reason);
});

test("a text without any cue gets no ideas", async () => {
  const markdown = "The mayor of the town saw the boats near the bridges. ".repeat(6);
  expect(await refusalOf(markdown, { outputs: ["ideas"] })).toMatch(/^Cannot rehearse: no hooks: .*contrast/);
});

describe("a step that it does not know", () => {
  test("names the artifact, before anything is read", async () => {
    const { messages, last } = await converse({ outputs: ["posts"] }, {});
    expect(last).toMatch(/^Cannot rehearse: .*posts\.json/);
    expect(messages).toHaveLength(2);
  });

  test.each([
    ["no block", "Write a poem, please."],
    ["a block of something else", '```json\n{"type": "object"}\n```'],
    ["a block that is no JSON", "```json\n{sessionFolder}\n```"],
    ["nothing at all", ""],
  ])("with %s is refused", async (_, opening) => {
    expect(await refusalOf(PROSE, { outputs: [], opening })).toMatch(/^Cannot rehearse: .*built-in pipeline/);
  });

  test("is refused again when it is reminded", async () => {
    const opening = openingOf({ outputs: ["posts"] });
    const said = await refusalOf(PROSE, {
      outputs: [],
      opening: `${opening}\nYou ended your turn without it.`,
    });
    expect(said).toMatch(/^Cannot rehearse: .*posts\.json/);
  });
});

test("a file that cannot be read ends the turn with the tool's own words", async () => {
  const { last } = await converse({ outputs: ["summary"], requires: ["ideas"] }, { "content.md": PROSE });
  expect(last).toBe("Cannot rehearse: There is no such file.");
});

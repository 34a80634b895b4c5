// Whatever the article: each field of the offline artifacts obeys its rule and the schemas.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { checkArtifact } from "../../src/content/artifact.ts";
import { parseContentItem } from "../../src/content/item.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc, { anyCharacter, tries } from "../fakes/properties.ts";
import { articles, type MadeArticle } from "./offline-articles.ts";
import { type Conversation, converse } from "./offline-conversation.ts";
import { countWords, FRAMES, findBreaches, findUncuedHooks } from "./offline-rules.ts";

const OUTPUTS = ["summary", "ideas", "outline", "writing-kit"];

function rehearse(markdown: string, how: { crashes?: boolean } = {}): Promise<Conversation> {
  return converse({ outputs: OUTPUTS, ...how }, { "content.md": markdown });
}

/** The four artifacts as the program would write them. */
async function accept(markdown: string, sent: ReadonlyMap<string, unknown>): Promise<Map<string, unknown>> {
  const item = await parseContentItem("content/made.md", new TextEncoder().encode(markdown));
  const artifacts = new Map<string, unknown>();
  for (const name of OUTPUTS) {
    const output = { name, artifact: `${name}.json`, agent: "a", requires: [], maxRetries: 0 };
    const checked = await checkArtifact({
      output,
      value: sent.get(name),
      item,
      sessionId: "session",
      artifacts,
    });
    if (!checked.ok) throw new Error(`${name}: ${checked.errors.join("; ")}`);
    artifacts.set(output.artifact, checked.value);
  }
  return artifacts;
}

function breachesOf(sent: ReadonlyMap<string, unknown>, article: MadeArticle): string[] {
  return OUTPUTS.flatMap((name) =>
    findBreaches(sent.get(name), article).map((breach) => `${name}: ${breach}`),
  );
}

describe("articles made from a seed", () => {
  test("obey rules and schemas", async () => {
    let rehearsed = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(articles(6, 24), async (article) => {
        const { artifacts, last } = await rehearse(article.markdown);
        if (last.startsWith("Cannot rehearse:")) {
          refused += 1;
          return;
        }
        rehearsed += 1;
        expect(breachesOf(artifacts, article)).toEqual([]);
        expect(findUncuedHooks(artifacts.get("ideas") as never)).toEqual([]);
        await accept(article.markdown, artifacts);
      }),
      tries(6),
    );
    // Six blocks and more are nearly always enough.
    expect(rehearsed).toBeGreaterThan(refused * 10);
  });

  test("count the words of the sections", async () => {
    await fc.assert(
      fc.asyncProperty(articles(6, 12), async (article) => {
        const { artifacts } = await rehearse(article.markdown);
        const outline = artifacts.get("outline") as { estimatedWords: number }[] | undefined;
        if (!outline) return;
        const counted = outline.reduce((sum, section) => sum + section.estimatedWords, 0);
        expect(counted + countWords(article.headings.join(" "))).toBe(countWords(article.body));
      }),
      tries(3),
    );
  });

  test("give the same bytes again, also to a model that starts anew each turn, whatever the line ends", async () => {
    await fc.assert(
      fc.asyncProperty(articles(6, 12), async ({ markdown }) => {
        const first = await rehearse(markdown);
        const again = await rehearse(markdown, { crashes: true });
        const mended = await rehearse(markdown.replaceAll("\r\n", "\n"));
        expect(JSON.stringify([...again.artifacts])).toBe(JSON.stringify([...first.artifacts]));
        expect([...mended.artifacts]).toEqual([...first.artifacts]);
      }),
      tries(3),
    );
  });

  test("are refused for a stated reason, never with an artifact that breaks a schema", async () => {
    await fc.assert(
      fc.asyncProperty(articles(0, 3), async (article) => {
        const { artifacts, last } = await rehearse(article.markdown);
        if (artifacts.size < OUTPUTS.length) expect(last).toMatch(/^Cannot rehearse: .{10,}\.$/s);
        else await accept(article.markdown, artifacts);
        expect(
          breachesOf(new Map([...artifacts]), article).filter((breach) => !breach.includes("no rule")),
        ).toEqual([]);
      }),
      tries(6),
    );
  });
});

const HOSTILE = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => text.toWellFormed().replaceAll("\0", "")),
  fc.constantFrom(
    "# ",
    "- ",
    "> ",
    "```",
    "[x](",
    "**",
    '"',
    "”",
    "\u2028",
    "&amp;",
    "__proto__: ",
    "![",
    "\\",
    "| a |",
  ),
  fc.constantFrom("The old bridge was lost in 1987 to the river council of the city. ", "\n\n", "\n", "\r\n"),
);

test("any text at all ends in valid artifacts or in a refusal", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(HOSTILE, { minLength: 4, maxLength: 40 }), async (parts) => {
      const markdown = `The council of the city repaired a bridge over the river.\n\n${parts.join("")}`;
      const { artifacts, last } = await rehearse(markdown);
      if (last.startsWith("Cannot rehearse: ")) expect(last).toMatch(/\.$/);
      else await accept(markdown, artifacts);
    }),
    tries(6),
  );
});

const EXAMPLES = resolve(import.meta.dirname, "../../examples/content");

describe.each(readdirSync(EXAMPLES))("%s", (name) => {
  const markdown = readFileSync(join(EXAMPLES, name), "utf8");
  const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/^(#+|-) /gm, "");
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? "");

  test("obeys rules and schemas, with something of everything", async () => {
    const { artifacts } = await rehearse(markdown);
    expect(breachesOf(artifacts, { markdown, body, headings })).toEqual([]);
    const written = await accept(markdown, artifacts);
    const summary = written.get("summary.json") as { importantQuotes: unknown[]; keyThemes: string[] };
    expect(summary.importantQuotes.length).toBeGreaterThan(3);
    expect(summary.importantQuotes[0]).toHaveProperty(
      "context",
      expect.stringMatching(/^says \p{Lu}\w+ \p{Lu}/u),
    );
    const ideas = written.get("ideas.json") as { hooks: { text: string; type: string }[] };
    expect(new Set(ideas.hooks.map((hook) => hook.type)).size).toBe(5);
    expect(findUncuedHooks(ideas)).toEqual([]);
    const outline = written.get("outline.json") as { heading: string }[];
    expect(outline.map((section) => section.heading)).toEqual(headings);
  });

  test("takes less than 400 ms a step once the libraries are there", async () => {
    await converse({ outputs: ["summary"] }, { "content.md": markdown });
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const took = startCpuClock();
      await converse(
        { outputs: ["summary"] },
        { "content.md": `${markdown}\nRound ${round} is over now.\n` },
      );
      times.push(took());
    }
    expect(Math.min(...times)).toBeLessThan(400);
  });
});

test("a frame has at most eight words of ours", () => {
  for (const frame of FRAMES) expect(countWords(frame.source.replace("(.+)", " "))).toBeLessThanOrEqual(8);
});

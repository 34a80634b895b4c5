import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { UserProfile } from "../../src/config/definitions.ts";
import { checkArtifact, checkStoredArtifact } from "../../src/content/artifact.ts";
import {
  ARTICLE,
  makeOutput,
  SESSION_ID,
  sampleArtifacts,
  sampleIdeas,
  sampleItem,
  sampleKit,
  sampleOutline,
  sampleSummary,
} from "../fakes/content-samples.ts";
import { jsonTestSuite } from "../fakes/corpora.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc from "../fakes/properties.ts";

type ArtifactCheck = Awaited<ReturnType<typeof checkArtifact>>;

const profile: UserProfile = {
  userId: "u",
  topics: [
    { topic: "noise", interestLevel: 3 },
    { topic: "law", interestLevel: 1 },
  ],
  style: { tone: "mixed", targetWordCount: 500, voice: "first-person" },
};

async function check(name: string, value: unknown, parts: Partial<Parameters<typeof checkArtifact>[0]> = {}) {
  const earlier = new Map([...sampleArtifacts()].filter(([file]) => file !== `${name}.json`));
  const output = makeOutput(name);
  return checkArtifact({
    output,
    value,
    item: await sampleItem(),
    sessionId: SESSION_ID,
    artifacts: earlier,
    ...parts,
  });
}

async function accepted(name: string, value: unknown, parts = {}): Promise<Record<string, unknown>> {
  const checked = await check(name, value, parts);
  if (!checked.ok) throw new Error(checked.errors.join("\n"));
  return checked.value as Record<string, unknown>;
}

async function refused(name: string, value: unknown, parts = {}): Promise<ArtifactCheck & { ok: false }> {
  const checked = await check(name, value, parts);
  if (checked.ok) throw new Error("it was accepted");
  return checked;
}

const fieldsOf = (checked: ArtifactCheck & { ok: false }) => checked.problems.map((problem) => problem.field);

describe("a valid artifact", () => {
  test.each([...sampleArtifacts()])("%s becomes two-space JSON with its hash", async (file, value) => {
    const checked = await check(file.replace(".json", ""), value);
    if (!checked.ok) throw new Error(checked.errors.join("\n"));
    expect(checked.text).toBe(`${JSON.stringify(checked.value, null, 2)}\n`);
    const hash = createHash("sha256").update(checked.text).digest("hex").slice(0, 16);
    expect(checked.contentHash).toBe(hash);
    const stored = await checkStoredArtifact(
      makeOutput(file.replace(".json", "")),
      Buffer.from(checked.text),
      await sampleItem(),
    );
    expect(stored).toEqual({ contentHash: hash, problems: [] });
  });

  test("may come as a text, without unknown fields in the end", async () => {
    const sent = JSON.stringify({ ...sampleIdeas(), mood: "good" });
    expect(await accepted("ideas", ` ${sent}\n`)).toEqual(sampleIdeas());
  });
});

describe("the program's own fields", () => {
  test("of a summary: id and relevance", async () => {
    const sent = { ...sampleSummary(), contentId: "other", score: { relevanceToUser: 0.01 } };
    expect(await accepted("summary", sent, { profile })).toMatchObject({
      contentId: SESSION_ID,
      score: { relevanceToUser: 0.75 },
    });
    const { contentId: _id, score: _score, ...bare } = sampleSummary();
    expect(await accepted("summary", bare)).toMatchObject({
      contentId: SESSION_ID,
      score: { relevanceToUser: 0.5 },
    });
  });

  test("of a summary: a topic that only the item names counts", async () => {
    const topics = [
      { topic: "shed", interestLevel: 4 },
      { topic: "law", interestLevel: 4 },
    ];
    const quiet = { ...sampleSummary(), headline: "A pump without noise" };
    const checked = await accepted("summary", quiet, { profile: { ...profile, topics } });
    expect(checked.score).toEqual({ relevanceToUser: 0.5 });
    const listed = await accepted(
      "summary",
      { ...quiet, tags: ["LAW"] },
      { profile: { ...profile, topics } },
    );
    expect(listed.score).toEqual({ relevanceToUser: 1 });
  });

  test("of ideas: the id", async () => {
    expect(await accepted("ideas", { ...sampleIdeas(), contentId: 7 })).toEqual(sampleIdeas());
  });

  test("of a kit: all of it", async () => {
    expect(await accepted("writing-kit", {})).toEqual(sampleKit());
    const lies = {
      ...sampleKit(),
      source: "x",
      summary: {},
      suggestedOutline: [],
      meta: { relevanceToUser: 9 },
    };
    expect(await accepted("writing-kit", lies)).toEqual(sampleKit());
  });

  test("of a kit without address and with more words", async () => {
    const item = await sampleItem(`# T\n${"word ".repeat(250)}`);
    const artifacts = sampleArtifacts().set("summary.json", { ...sampleSummary(), importantQuotes: [] });
    expect(await accepted("writing-kit", {}, { item, artifacts })).toMatchObject({
      source: { id: SESSION_ID, label: "T", url: "" },
      meta: { estimatedReadingTimeMinutes: 2 },
    });
  });

  test("are not put into a pipeline's own artifact", async () => {
    const text = JSON.stringify({
      type: "object",
      properties: { a: { type: "number" } },
      additionalProperties: false,
    });
    const output = makeOutput("summary", { schema: { file: "own.json", text } });
    expect(await accepted("summary", { a: 1 }, { output })).toEqual({ a: 1 });
  });
});

describe("a refusal", () => {
  test("names each field, what was expected and what came, and shows the shape", async () => {
    const sent = { ...sampleIdeas(), hooks: [{ text: "no", type: "fun" }], questions: undefined };
    const checked = await refused("ideas", sent);
    expect(checked.problems).toEqual([
      { field: "hooks[0].text", expected: "text of at least 5 characters", received: '"no" (2 characters)' },
      {
        field: "hooks[0].type",
        expected: 'one of "emotional", "curiosity", "controversy", "statistic", "story"',
        received: '"fun" (3 characters)',
      },
      {
        field: "questions",
        expected: "a list of 1–5 items, each an object with question, type",
        received: "nothing",
      },
    ]);
    expect(checked.errors[0]).toBe(
      'hooks[0].text: expected text of at least 5 characters, got "no" (2 characters)',
    );
    expect(checked.hint).toContain("Fix this and send all of ideas.json again.");
    expect(checked.hint).toContain('"hooks":[{"text":"<text of at least 5 characters>"');
    expect(checked.hint).toContain('"questions":[{"question":"<text of at least 10 characters>"');
    expect(checked.hint).not.toContain("angles");
  });

  test("lists every missing field of an empty summary", async () => {
    const checked = await refused("summary", {});
    const byProgram = ["contentId", "score"];
    const required = Object.keys(sampleSummary()).filter(
      (key) => !byProgram.includes(key) && key !== "detectedSource",
    );
    expect(fieldsOf(checked).sort()).toEqual(required.sort());
  });

  test.each([null, 5, true, [], "text"])("%j as a summary: the whole shape is shown", async (value) => {
    const checked = await refused("summary", value);
    expect(fieldsOf(checked)).toEqual(["(the artifact)"]);
    expect(checked.hint).toContain("summary.json looks like this: {");
    expect(checked.hint).toContain('"detectedSource?"');
  });

  test("of text that is not JSON says why", async () => {
    const checked = await refused("ideas", '{"hooks": [');
    expect(checked.errors[0]).toMatch(
      /^\(the artifact\): expected a JSON value, got text that is not JSON \(/,
    );
  });

  test("cuts what came at 80 characters", async () => {
    const checked = await refused("outline", [{ ...sampleOutline()[0], estimatedWords: "9".repeat(5000) }]);
    expect(checked.problems[0]).toMatchObject({ field: "[0].estimatedWords", expected: "a number above 0" });
    expect(checked.problems[0]?.received).toBe(`"${"9".repeat(79)}… (5000 characters)`);
  });

  test("is bounded where everything is wrong", async () => {
    const took = startCpuClock();
    const checked = await refused(
      "outline",
      Array.from({ length: 20_000 }, () => ({})),
    );
    expect(took()).toBeLessThan(3000);
    expect(checked.errors).toHaveLength(51);
    expect(checked.errors.at(-1)).toBe("and more of the same");
    expect(checked.hint.length).toBeLessThan(5000);
  });
});

describe("quotes", () => {
  const withQuote = (text: string) => ({ ...sampleSummary(), importantQuotes: [{ text }] });

  test.each(["almost no noise at all”, says Ada Moor, who built", " makes “almost\n\tno noise "])(
    "%j stands in the source",
    async (text) => {
      await accepted("summary", withQuote(text));
    },
  );

  test("are compared after NFC", async () => {
    const item = await sampleItem("Das Cafe\u0301 ist zu.");
    await accepted("summary", withQuote("Das Café ist"), { item });
  });

  // The last one is of the front matter.
  test.each(["Almost no noise", "almost no noise. It costs 40", "", " ", "id: quiet-machines"])(
    "%j does not",
    async (text) => {
      const checked = await refused("summary", withQuote(text));
      expect(checked.problems).toMatchObject([
        {
          field: "importantQuotes[0].text",
          expected: expect.stringContaining("words copied exactly from content/quiet.md"),
        },
      ]);
    },
  );

  test("are listed beside the schema's problems, in a kit as well", async () => {
    const bad = { ...withQuote("invented"), headline: "short" };
    expect(fieldsOf(await refused("summary", bad))).toEqual(["headline", "importantQuotes[0].text"]);
    const artifacts = sampleArtifacts().set("summary.json", withQuote("invented"));
    expect(fieldsOf(await refused("writing-kit", {}, { artifacts }))).toEqual([
      "summary.importantQuotes[0].text",
    ]);
  });
});

describe("a pipeline's own schema", () => {
  const schema = {
    $defs: {
      post: { type: "object", properties: { text: { type: "string", maxLength: 5 } }, required: ["text"] },
    },
    type: "object",
    properties: {
      posts: { type: "array", items: { $ref: "#/$defs/post" }, minItems: 1 },
      tone: { anyOf: [{ const: "dry" }, { type: "integer", minimum: 1 }] },
    },
    required: ["posts", "tone"],
    additionalProperties: false,
  };
  const output = makeOutput("posts", { schema: { file: "posts.schema.json", text: JSON.stringify(schema) } });

  test("accepts what fits, as it was sent", async () => {
    const value = { posts: [{ text: "12345", extra: true }], tone: 2 };
    expect(await accepted("posts", value, { output })).toEqual(value);
  });

  test("lists all problems with what its nodes say", async () => {
    const checked = await refused(
      "posts",
      { posts: [{ text: "123456" }, {}], tone: "wet", more: 1 },
      { output },
    );
    expect(new Set(checked.problems)).toEqual(
      new Set([
        {
          field: "posts[0].text",
          expected: "text of at most 5 characters",
          received: '"123456" (6 characters)',
        },
        { field: "posts[1].text", expected: "text of at most 5 characters", received: "nothing" },
        {
          field: "tone",
          expected: '"dry" or a whole number of at least 1',
          received: '"wet" (3 characters)',
        },
        { field: "more", expected: "no such field", received: "1" },
      ]),
    );
    expect(checked.hint).toContain('"posts":[{"text":"<text of at most 5 characters>"}]');
  });

  test("that is none is a configuration error", async () => {
    const broken = makeOutput("posts", {
      schema: { file: "posts.schema.json", text: '{"type": "nothing"}' },
    });
    await expect(check("posts", {}, { output: broken })).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("posts.schema.json"),
    });
  });

  test("is not needed: then any JSON value will do", async () => {
    for (const value of [null, 0, false, "text", "[broken", [], { a: [1] }]) {
      expect((await check("notes", value)).ok, JSON.stringify(value)).toBe(true);
    }
    expect((await refused("notes", undefined)).errors).toEqual([
      "(the artifact): expected a JSON value, got nothing",
    ]);
  });
});

describe("hostile values", () => {
  const deep = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));

  test.each([
    ["a __proto__ key", JSON.parse('{"a": {"__proto__": {"polluted": true}}}'), "a.__proto__"],
    ["half a surrogate pair in a text", { a: ["x\uD83D"] }, "a[0]"],
    ["half a surrogate pair in a name", { "a\uDC00": 1 }, "a\uFFFD"],
    ["depth", deep(200), "[0]".repeat(40)],
    ["depth far beyond any stack", deep(100_000), "[0]".repeat(40)],
    ["size", "x".repeat(1024 * 1024), "(the artifact)"],
    ["size in bytes, not characters", "界".repeat(400_000), "(the artifact)"],
  ])("%s is refused within a second", async (_what, value, field) => {
    const took = startCpuClock();
    for (const name of ["notes", "ideas"]) {
      const checked = await refused(name, value);
      expect(checked.problems[0]?.field.slice(0, 120)).toBe(field);
    }
    expect(took()).toBeLessThan(1000);
    expect({}).not.toHaveProperty("polluted");
  });

  test("depth 100 is still fine", async () => {
    expect((await check("notes", deep(100))).ok).toBe(true);
  });

  test("any JSON value gets a verdict whose text is that value", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom("notes", "summary", "ideas", "outline"),
        async (value, name) => {
          const checked = await check(name, value);
          if (checked.ok) expect(JSON.parse(checked.text)).toEqual(JSON.parse(JSON.stringify(checked.value)));
          else expect(checked.errors.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

const item = await sampleItem(ARTICLE);

describe("a stored artifact", () => {
  const problemsOf = async (name: string, text: string | Uint8Array, of: typeof item | undefined = item) =>
    (await checkStoredArtifact(makeOutput(name), typeof text === "string" ? Buffer.from(text) : text, of))
      .problems;

  test("cut short, not UTF-8 or of another form has problems", async () => {
    const text = JSON.stringify(sampleIdeas(), null, 2);
    for (const end of [0, 1, text.length >> 1, text.length - 1]) {
      expect(await problemsOf("ideas", text.slice(0, end))).toEqual([
        expect.stringMatching(/^is not JSON: /),
      ]);
    }
    expect(await problemsOf("ideas", new Uint8Array([0x22, 0xff, 0x22]))).toHaveLength(1);
    expect(await problemsOf("ideas", '{"contentId": "x", "hooks": []}')).toHaveLength(3);
  });

  test("is judged as it stands: nothing is set for it", async () => {
    expect(await problemsOf("writing-kit", "{}")).toHaveLength(6);
  });

  test("has its quotes checked only where the source is known", async () => {
    const text = JSON.stringify({ ...sampleSummary(), importantQuotes: [{ text: "invented" }] });
    expect(await problemsOf("summary", text)).toHaveLength(1);
    const { problems } = await checkStoredArtifact(makeOutput("summary"), Buffer.from(text), undefined);
    expect(problems).toEqual([]);
  });
});

describe("JSON test suite", () => {
  test.each(jsonTestSuite())("%s gets a verdict", async (name, bytes) => {
    const took = startCpuClock();
    const { problems } = await checkStoredArtifact(makeOutput("notes"), bytes, undefined);
    expect(took()).toBeLessThan(1000);
    if (name.startsWith("n_")) expect(problems).not.toEqual([]);
    if (name.startsWith("y_"))
      expect(problems.filter((problem) => problem.startsWith("is not JSON"))).toEqual([]);
  });
});

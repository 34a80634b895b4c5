// Items beyond one reading: each section is read once, whatever kills the run, and what can't be paid is not begun.
import { expect, test } from "vitest";
import { splitText } from "../../src/content/reading/parts.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { Killed, mortalStores } from "../fakes/dying-stores.ts";
import { dueOutputs, SUMMARY } from "../fakes/kit-script.ts";
import { charactersRead, makeBook, makeTranscript, readingModel, sectionsRead } from "../fakes/long-items.ts";
import fc from "../fakes/properties.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const FILE = { kind: "file", source: "a.md" } as const;

test("a book of 9 MB becomes a kit for at most 1.3 times its length", { timeout: 120_000 }, async () => {
  const book = makeBook(9_000_000);
  const world = await createContentWorld({ "a.md": book });
  const model = readingModel();
  const { status, items } = await world.run(FILE, model);
  expect(status).toBe("completed");
  expect(items[0]?.artifacts.get("summary")).toMatchObject({
    importantQuotes: [{ line: expect.any(Number) }],
  });
  expect(charactersRead(model) / book.length).toBeLessThan(1.3);
  expect(sectionsRead(model)).toBeGreaterThan(70);
});

test.each(["vtt", "srt", "plain"] as const)(
  "a transcript of three hours (%s) becomes a kit",
  async (form) => {
    const transcript = makeTranscript(form);
    const world = await createContentWorld({ "a.md": transcript });
    const model = readingModel();
    const { status } = await world.run(FILE, model);
    expect(status).toBe("completed");
    expect(sectionsRead(model)).toBeGreaterThan(1);
    expect(charactersRead(model) / transcript.length).toBeLessThan(1.3);
    expect(model.requests.map(dueOutputs).slice(-3)).toEqual([["summary"], ["ideas"], ["outline"]]);
  },
);

test("killed at any line, a resumed run asks for no section whose notes are stored", {
  timeout: 120_000,
}, async () => {
  const book = makeBook(300_000);
  const whole = { lines: 0, ends: Number.POSITIVE_INFINITY };
  const calm = readingModel();
  const settings = { output: "summary" };
  const world = await createContentWorld({ "a.md": book });
  await world.run(FILE, calm, { settings, stores: mortalStores(whole) });
  const sections = sectionsRead(calm);
  expect(sections).toBeGreaterThan(2);
  for (let ends = 1; ends < whole.lines; ends += 1) {
    const world = await createContentWorld({ "a.md": book });
    const life = { lines: 0, ends };
    const [killed, resumed] = [readingModel(), readingModel()];
    const run = world.run(FILE, killed, { settings, stores: mortalStores(life) });
    await expect(run, `line ${ends}`).rejects.toThrow(Killed);
    const [sessionId = ""] = await sessionsOf(world);
    const noted = await notedIn(world, sessionId);
    const again = await world.run({ kind: "session", sessionId }, resumed, { settings });
    expect(again.status, `line ${ends}`).toBe("completed");
    expect(sectionsRead(resumed), `line ${ends}`).toBeLessThanOrEqual(sections - noted);
    expect(again.items[0]?.artifact).toMatchObject({
      headline: SUMMARY.headline,
    });
  }
});

async function notedIn(
  world: Awaited<ReturnType<typeof createContentWorld>>,
  sessionId: string,
): Promise<number> {
  const file = `.looplia/state/${sessionId}/sessions/${sessionId}/events/000001.jsonl`;
  const text = await world.read(file).catch(() => "");
  return text.split("\n").filter((line) => line.includes('"ArtifactAccepted"') && line.includes('"notes"'))
    .length;
}

test("what the limits can't pay for is refused before anything is asked or written", async () => {
  const world = await createContentWorld({ "a.md": makeBook(1_000_000) });
  const model = new ScriptedModel([]);
  const limits = { maxTurns: 50, maxTokens: 100_000 };
  const run = await world.run(
    { kind: "items", workId: "writing-kit-abc123", key: "k", sources: ["a.md"] },
    model,
    {
      settings: { limits },
    },
  );
  expect(run).toMatchObject({ status: "failed", reasonCode: "config-invalid" });
  expect(run.items[0]?.message).toMatch(/a\.md has 1,0\d\d,\d{3} characters: .* max-tokens is 100000/);
  expect(await sessionsOf(world)).toEqual([]);
  const trigger = { kind: "items", workId: "writing-kit-abc123", key: "k", sources: ["a.md"] } as const;
  const dry = await world.run(trigger, model, { settings: { limits, dryRun: true } });
  expect(dry.items[0]?.message).toMatch(/max-tokens is 100000/);
  const free = await world.run(trigger, model, { settings: { dryRun: true } });
  // Not much less than the book itself, at 3.5 bytes to a token.
  expect(free.items[0]?.estimate?.tokens).toBeGreaterThan(1_000_000 / 4);
});

test("sections together are the text, each within one reading", () => {
  const piece = fc.constantFrom("# A\n", "word ", "\n\n", "HOST: hi\n", "😀", "Ende. ", "\r\n");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), fc.integer({ min: 40, max: 300 }), (pieces, size) => {
      const text = pieces.join("");
      const sections = splitText(text, size);
      let rest = text;
      for (const { text: part } of sections) {
        expect(part.length).toBeLessThanOrEqual(size * 1.1 + 1);
        const at = text.length - rest.length;
        const begins = text.lastIndexOf(part, at);
        expect(begins).toBeGreaterThanOrEqual(0);
        rest = text.slice(Math.max(at, begins + part.length));
      }
      expect(rest).toBe("");
      expect(sections.every(({ text: part }) => part.isWellFormed())).toBe(true);
    }),
  );
});

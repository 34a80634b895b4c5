import { describe, expect, test } from "vitest";
import { countWords, parseContentItem } from "../../src/content/item.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import fc from "../fakes/properties.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, source = "content/a-file.md") => parseContentItem(source, bytesOf(text));

async function refusalOf(bytes: Uint8Array): Promise<LoopliaError> {
  try {
    await parseContentItem("content/bad.md", bytes);
  } catch (error) {
    if (error instanceof LoopliaError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a content item", () => {
  test("has its front matter, body and hash", async () => {
    const item = await read(
      "---\nid: ../../etc\ntitle: ' A  title '\nsource_url: https://example.org\n---\nOne two.\n",
    );
    expect(item).toMatchObject({
      source: "content/a-file.md",
      title: "A title",
      body: "One two.\n",
      url: "https://example.org",
      slugHint: "../../etc",
      sourceHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(item.text.startsWith("---\nid:")).toBe(true);
  });

  test.each([
    ["# First\n\n## Second", "First"],
    ["text\n\n## Closed ##\n", "Closed"],
    ["C# is no heading\n\n### C#\n", "C#"],
    ["Under\nline\n====\n", "line"],
    ["```sh\n# a comment\n```\n# Real", "Real"],
    ["~~~\n# a\n```\n# b\n~~~\n\n# c", "c"],
    ["#hashtag\n", "a-file"],
    ["> quoted\n---\n", "a-file"],
    ["just text", "a-file"],
    ["---\ntitle: 2026\n---\n# H\n", "2026"],
    ["---\ntitle: ''\n---\n# H\n", "H"],
    ["---\ntitle: [a]\n---\n# H\n", "H"],
  ])("%j is called %j", async (text, title) => {
    expect((await read(text)).title).toBe(title);
  });

  test.each([
    ["content/no-extension", "no-extension"],
    ["content/.hidden", ".hidden"],
    ["a.b.md", "a.b"],
  ])("without a heading %s is called %s", async (source, title) => {
    expect((await read("text", source)).title).toBe(title);
  });

  test("a byte order mark changes the hash and nothing else", async () => {
    const plain = await read("---\ntitle: T\n---\nText");
    const marked = await read("\uFEFF---\ntitle: T\n---\nText");
    expect(marked).toMatchObject({ title: "T", body: "Text", text: plain.text });
    expect(marked.sourceHash).not.toBe(plain.sourceHash);
  });

  test("CRLF is read", async () => {
    expect(await read("---\r\ntitle: T\r\n---\r\nOne\r\ntwo\r\n")).toMatchObject({
      title: "T",
      body: "One\r\ntwo\r\n",
    });
  });

  test.each([
    ["url: 5\nsource_url: https://example.org/a?b=c", "https://example.org/a?b=c"],
    ["url: [a]", ""],
    ["url: 'javascript:alert(1)'", ""],
    ["url: 'data:text/html,x'", ""],
    ["url: '//example.org'", ""],
    ["url: 'https://example.org) [x](javascript:alert(1)'", ""],
    ["url: 'https://example.org/<b>'", ""],
  ])("the url is an address of the web: %s", async (line, url) => {
    expect((await read(`---\n${line}\n---\nx`)).url).toBe(url);
  });

  test.each([
    ["nothing", new Uint8Array(), "content/bad.md: is empty"],
    ["white space", bytesOf(" \r\n\t"), "content/bad.md: is empty"],
    ["front matter only", bytesOf("---\ntitle: T\n---\n \n"), "content/bad.md: has no text"],
    ["NUL", bytesOf("a\0b"), "content/bad.md: is not a text file: it has NUL bytes"],
    ["Latin-1", new Uint8Array([0x61, 0x0a, 0x62, 0xe9, 0x0a]), "content/bad.md:2: is not UTF-8"],
    [
      "a cut character at the end",
      new Uint8Array([0x61, 0x0a, 0xe2, 0x82]),
      "content/bad.md:2: is not UTF-8",
    ],
    ["an encoded surrogate", new Uint8Array([0xed, 0xa0, 0x80]), "content/bad.md:1: is not UTF-8"],
    ["over 10 MiB", new Uint8Array(10 * 1024 * 1024 + 1).fill(0x61), "content/bad.md: is larger than 10 MiB"],
  ])("%s is refused", async (_what, bytes, message) => {
    expect(await refusalOf(bytes)).toMatchObject({
      code: "config-invalid",
      message,
      hint: expect.any(String),
    });
  });

  test("broken front matter is refused with its line", async () => {
    expect(await refusalOf(bytesOf("---\ntitle: T\nid: [a\n---\nText"))).toMatchObject({
      code: "config-invalid",
      message: expect.stringMatching(/^content\/bad\.md:[2-5]:/),
    });
    expect(await refusalOf(bytesOf("---\ntitle: T\n"))).toMatchObject({ code: "config-invalid" });
  });

  test("any bytes make an item or a clear refusal", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        try {
          expect((await parseContentItem("x.md", bytes)).title).not.toBe("");
        } catch (error) {
          expect(error).toMatchObject({
            code: "config-invalid",
            message: expect.stringMatching(/^x\.md[: ]/),
          });
        }
      }),
    );
  });
});

describe("words", () => {
  test.each([
    ["", 0],
    ["# - * …", 0],
    ["One, two; it's three.", 4],
    ["Привет, мир", 2],
    ["مرحبا بالعالم", 2],
  ])("%j has %i", (text, words) => {
    expect(countWords({ body: text })).toBe(words);
  });

  test("any text has as many as Unicode's segments that are like words", () => {
    const marks = [..."aB7'.:,;_- \n\"@é—人’\t\u0301\u00a0\u200d😀カ"];
    const slow = (text: string) =>
      [...new Intl.Segmenter("en", { granularity: "word" }).segment(text)].filter(
        ({ isWordLike }) => isWordLike,
      ).length;
    const texts = fc.array(fc.constantFrom(...marks), { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(fc.property(texts, (text) => countWords({ body: text }) === slow(text)));
  });

  test("scripts without spaces have several", () => {
    expect(countWords({ body: "人工智能正在改变世界" })).toBeGreaterThan(3);
    expect(countWords({ body: "สวัสดีชาวโลก" })).toBeGreaterThan(1);
  });
});

import { describe, expect, test } from "vitest";
import { createSessionId, createWorkId, isSessionId } from "../../src/content/item.ts";
import { naughtyStrings } from "../fakes/corpora.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const now = new Date("2026-11-21T23:59:59.999Z");
const item = (title: string, slugHint?: string, source = "content/file-name.md") => ({
  title,
  slugHint,
  source,
});

const slugOf = (title: string) =>
  createSessionId(item(title, undefined, "人.md"), now, "0a1b2c").replace("-2026-11-21-0a1b2c", "");

describe("the slug of a title", () => {
  test.each([
    ["../../etc", "etc"],
    ["Hello, Wörld!", "hello-world"],
    ["Straße", "strasse"],
    ["ﬁne ①", "fine-1"],
    ["--a--b--", "a-b"],
    ["人工智能", "item"],
    ["İstanbul", "istanbul"],
    ["", "item"],
  ])("%j → %j", (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  test("cuts at a word, at most 60 characters", () => {
    expect(slugOf("word ".repeat(30))).toBe("word-".repeat(12).slice(0, -1));
    expect(slugOf(`${"x".repeat(60)} y`)).toBe("x".repeat(60));
    expect(slugOf("x".repeat(61))).toBe("x".repeat(60));
    expect(slugOf("x".repeat(500))).toBe("x".repeat(60));
  });
});

describe("a session id", () => {
  test.each([
    ["the hint", item("Title", "../../etc"), "etc-2026-11-21-0a1b2c"],
    ["the title", item("A Title"), "a-title-2026-11-21-0a1b2c"],
    ["the title where the hint has nothing", item("A Title", "人"), "a-title-2026-11-21-0a1b2c"],
    ["the file name", item("人工智能"), "file-name-2026-11-21-0a1b2c"],
    ["a default", item("人", undefined, "内容/人.md"), "item-2026-11-21-0a1b2c"],
  ])("has its slug from %s", (_from, from, id) => {
    expect(createSessionId(from, now, "0a1b2c")).toBe(id);
  });

  test("is safe whatever the item is called", () => {
    const anyText = fc.string({ unit: anyCharacter });
    const url = fc
      .tuple(fc.domain(), fc.array(anyText.map(encodeURIComponent)))
      .map(([host, path]) => `https://${[host, ...path].join("/")}`);
    const text = fc.oneof(anyText, fc.string({ maxLength: 300 }), url);
    const day = fc.date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), text, day, (title, hint, source, date) => {
        const id = createSessionId({ title, slugHint: hint, source }, date, "abcdef");
        expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,80}$/);
        expect(id).toMatch(/-\d{4}-\d{2}-\d{2}-abcdef$/);
        expect(isSessionId(id)).toBe(true);
      }),
    );
  });

  test.each(["", "-a", "A", "a/b", "..", "a b", "a\n", "a".repeat(82), "é"])("%j is none", (text) => {
    expect(isSessionId(text)).toBe(false);
  });
});

describe("a work id", () => {
  const key = { globs: ["content/**/*.md"], base: "main", directory: "." };

  test("is the same for the same key in any order", () => {
    const reordered = { directory: ".", base: "main", globs: ["content/**/*.md"] };
    expect(createWorkId("writing-kit", key)).toMatch(/^writing-kit-[0-9a-f]{6}$/);
    expect(createWorkId("writing-kit", reordered)).toBe(createWorkId("writing-kit", key));
  });

  test("differs with every part of the key", () => {
    const ids = [key, { ...key, base: "dev" }, { ...key, globs: ["b"] }, { ...key, directory: "x" }];
    expect(new Set(ids.map((each) => createWorkId("writing-kit", each))).size).toBe(4);
    expect(createWorkId("other", key)).not.toBe(createWorkId("writing-kit", key));
  });

  test("stays an id for a long or strange name", () => {
    for (const name of ["x".repeat(200), "人", "A B"])
      expect(isSessionId(createWorkId(name, key))).toBe(true);
  });
});

describe("naughty strings", () => {
  test("become safe session ids", () => {
    const strings = naughtyStrings();
    expect(strings.length).toBeGreaterThan(400);
    for (const text of strings) {
      expect(isSessionId(createSessionId(item(text, text, text), now, "abcdef")), text).toBe(true);
    }
  });
});

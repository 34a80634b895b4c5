import picomatch from "picomatch";
import { expect, test } from "vitest";
import { compileGlob } from "../../src/files/walk.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc from "../fakes/properties.ts";

test.each([
  ["*.md", ["a.md", "x/y/a.md", ".md"], ["a.mdx", "md"]],
  ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts"]],
  ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["lib/a.ts", "src/a.js"]],
  ["**/*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.t", "a.ts,tsx"]],
  ["docs/**", ["docs/a", "docs/a/b.md"], ["docs", "doc/a"]],
  ["[a-c]?.txt", ["ab.txt"], ["d1.txt", "a.txt"]],
  ["[!a]*", ["b"], ["a"]],
  ["a+(b)|c$^.md", ["a+(b)|c$^.md"], ["abc.md"]],
  ["{a,b}/{c,d}*", ["a/c1", "b/d"], ["a/e", "{a,b}/c"]],
  ["{open", ["{open"], ["open"]],
  ["close}", ["close}"], ["close"]],
  ["./src/x", ["src/x"], ["x"]],
  ["*", ["a", "x/ü😀"], []],
  ["a[", ["a["], ["a"]],
])("%s", async (glob, yes, no) => {
  const matches = await compileGlob(glob);
  for (const path of yes) expect(matches(path), path).toBe(true);
  for (const path of no) expect(matches(path), path).toBe(false);
});

test("what the engine cannot take is refused with the reason", async () => {
  await expect(compileGlob("[z-a]")).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringContaining("[z-a]"),
  });
});

test("plain globs mean what picomatch means", async () => {
  const name = fc.constantFrom("a", "b", "ab", "a.md", ".x");
  const glob = fc.array(fc.constantFrom("a", "*", "?", "**", "a*", "*.md", "{a,b}", "[ab]"), {
    minLength: 2,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(glob, fc.array(name, { minLength: 1, maxLength: 4 }), async (parts, names) => {
      // picomatch lets a `**` at the end match the folder itself, which is no file.
      fc.pre(parts.at(-1) !== "**");
      const [pattern, path] = [parts.join("/"), names.join("/")];
      expect((await compileGlob(pattern))(path)).toBe(picomatch(pattern, { dot: true })(path));
    }),
  );
});

test("hostile globs take linear time", async () => {
  const hostile = [
    "*a".repeat(200),
    "**/a/".repeat(80),
    "{a*,*a}".repeat(50),
    "(a+)+b",
    "[a]+".repeat(100),
    "?*".repeat(200),
  ];
  const paths = ["a".repeat(4_000), "a/".repeat(2_000)];
  for (const glob of hostile) {
    const took = startCpuClock();
    const matches = await compileGlob(glob);
    for (const path of paths) matches(path);
    expect(took(), glob.slice(0, 20)).toBeLessThan(1_500);
  }
});

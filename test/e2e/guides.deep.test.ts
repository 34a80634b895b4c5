// The fences of the guides that are marked `sh run` are typed as they stand, one line after the other, in a new folder.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const root = resolve(import.meta.dirname, "../..");
const guides = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
const fences = guides
  .filter((guide) => guide.endsWith(".md"))
  .flatMap((guide) => {
    const blocks = readFileSync(join(root, guide), "utf8").matchAll(/^```sh run\n([\s\S]*?)^```$/gm);
    return [...blocks].map(([, text = ""]) => [guide, text] as const);
  });

test("some are marked", () => expect(fences.length).toBeGreaterThan(0));

test.each(fences)("%s", async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), "looplia-guide-"));
  mkdirSync(join(folder, "content"));
  writeFileSync(join(folder, "content/article.md"), ARTICLE);
  writeFileSync(join(folder, "looplia.yml"), "content: content/**/*.md\n");
  execFileSync("git", ["init", "-q", folder]);
  const looplia = `"${process.execPath}" "${await bundled("cli")}"`;
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1" };
  const lines = text.split("\n").map((line) => line.replace(/\s+#.*$/, "").trim());
  for (const line of lines.filter((one) => one !== "")) {
    const sessions = join(folder, ".looplia/contentItem");
    const session = line.includes("<session-id>") ? (readdirSync(sessions)[0] ?? "") : "";
    const typed = line.replace("<session-id>", session).replace(/^looplia /, `${looplia} `);
    expect(() => execFileSync("sh", ["-c", typed], { cwd: folder, env, stdio: "pipe" }), line).not.toThrow();
  }
});

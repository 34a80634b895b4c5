// The gallery of docs/examples.md shows what the bundle makes: in rehearsal, or from the answers of a scripted server.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { writeFrom } from "../fakes/kit-api.ts";
import { startModelServer } from "../fakes/model-servers.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFile(resolve(ROOT, path), "utf8");
const SWIFTS = "content/swifts-of-harrow-street.md";
const BUILD = "content/six-minute-build.md";
const LETTER = "content/de-brief-werkstatt.md";

/** What the scripted server answers: written by hand, checked by the program like any model's. */
const ANSWERS = new Map<string, unknown>(
  Object.entries(JSON.parse(await read("test/data/gallery-answers.json"))),
);

/** The code block below a heading of the gallery, or the quotation after `marker`. */
async function shown(marker: string, kind: "block" | "page"): Promise<string> {
  const text = await read("docs/examples.md");
  const after = text.slice(text.indexOf(marker));
  if (kind === "block") return /```markdown\n([\s\S]*?)```/.exec(after)?.[1] ?? "";
  const lines = (/(?:^>.*\n)+/m.exec(after)?.[0] ?? "").split("\n").slice(0, -1);
  return lines.map((line) => `${line.replace(/^> ?/, "")}\n`).join("");
}

test.each([
  ["writing-kit", "## writing-kit", SWIFTS, []],
  ["writing-kit", "A transcript,", "content/en-transcript-bees.md", []],
  ["release-notes", "## release-notes", "content/changes.md", []],
  ["docs-summary", "## docs-summary", "content/en-howto-bread.md", []],
  ["newsletter", "## newsletter", "content/issue.md", []],
  ["social-posts", "## social-posts", SWIFTS, ["summary", "posts"]],
  ["translation", "## translation", LETTER, ["translation"]],
])("%s: %s", async (pipeline, marker, source, scripted) => {
  const world = await makeCliWorld({
    [SWIFTS]: await read(`examples/${SWIFTS}`),
    [BUILD]: await read(`examples/${BUILD}`),
    [LETTER]: await read("eval/items/de-brief-werkstatt.md"),
    "content/en-transcript-bees.md": await read("eval/items/en-transcript-bees.md"),
    "content/en-howto-bread.md": await read("eval/items/en-howto-bread.md"),
    "content/changes.md": await shown("## release-notes", "block"),
    "content/issue.md": await shown("## newsletter", "block"),
  });
  const server = scripted.length === 0 ? undefined : await startModelServer("anthropic", writeFrom(ANSWERS));
  onTestFinished(async () => server?.close());
  const argv = ["run", "--file", source, "--pipeline", pipeline, "--json"];
  const ran = await world.run(argv, server?.environment ?? {});
  expect(ran.code, ran.stderr).toBe(0);
  const output = pipeline === "social-posts" ? "posts" : pipeline;
  const page = [...(await world.files(".looplia/contentItem"))].find(([path]) =>
    path.endsWith(`/${output}.md`),
  );
  // The world gives bytes as latin1.
  expect(await shown(marker, "page")).toBe(Buffer.from(page?.[1] ?? "", "latin1").toString("utf8"));
  server?.assertDone();
});

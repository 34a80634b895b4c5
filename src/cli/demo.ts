// `demo`: both main jobs without a language model, in temporary folders and with automatic answers: a
// rehearsal with an example article, and an example runbook.
import { cp, mkdtemp, readdir, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { resolveSettings } from "../config/settings.ts";
import { type WritingKit, writingKitSchema } from "../content/artifact.ts";
import { LoopliaError } from "../core/errors.ts";
import { toPlainLine } from "../core/json.ts";
import type { Result } from "../core/result.ts";
import { REHEARSAL } from "../publish/report.ts";
import type { CommandLine } from "./arguments.ts";
import { wrapLines } from "./live/view.ts";
import { exitCodeOf, quoteArgument } from "./result.ts";
import { watchRun } from "./run.ts";
import { type CliPlace, colorsFor, columnsOf, type Surface, type Wiring } from "./surface.ts";

/** Runs one demo or both: `topic` is `content` or `tasks`. */
export async function demoCommand(
  { topic, ui }: Pick<CommandLine, "topic" | "ui">,
  surface: Surface,
  wiring: Wiring,
): Promise<number> {
  const shown = ui ? { ui } : {};
  const code = topic === "tasks" ? 0 : await contentDemo(surface, wiring, shown);
  if (code !== 0 || topic === "content") return code;
  if (topic === undefined) surface.stderr.write("\n");
  return tasksDemo(surface, wiring, shown);
}

/** Prints the folder, the list and its results. Returns 0 only if every task is done. */
async function tasksDemo(surface: Surface, wiring: Wiring, shown: Pick<CommandLine, "ui">): Promise<number> {
  const place = await preparePlace(surface, wiring);
  surface.stderr.write(
    "Demo on to-do.json: a release checklist whose steps are commands; no language model.\n\n",
  );
  const trigger = { kind: "tasks" } as const;
  const result = await watchRun({ trigger, place, isDemo: true, kept: "", ...shown }, surface, wiring);
  if (result.status !== "completed") {
    const why = result.items[0]?.message ?? result.reasonCode;
    surface.stderr.write(
      `The demo ended ${result.status}: ${why}. What it made so far is in ${place.root}\n`,
    );
    return exitCodeOf(result);
  }
  const { bold, dim, green } = colorsFor(surface, surface.stdout);
  const notes = await readFile(join(place.root, "RELEASE_NOTES.md"), "utf8");
  const lines = [
    "",
    ...(result.items[0]?.steps ?? []).map(
      (step) => `${green("✓")} ${bold(step.output)}  ${toPlainLine(step.reason)}`,
    ),
    "",
    dim("RELEASE_NOTES.md"),
    ...notes
      .trimEnd()
      .split("\n")
      .map((line) => `  ${toPlainLine(line)}`),
    "",
    bold(place.root),
    `${green("✓")} Every task is done. In your own repository:`,
  ];
  surface.stdout.write(`${wrapLines(lines.join("\n"), columnsOf(surface.stdout))}\n`);
  // Not wrapped, because a line break in a copied command ends it.
  surface.stdout.write(`  node ${quoteArgument(programOf(wiring))} init\n`);
  return exitCodeOf(result);
}

/** Absolute, for a person who copies it to another folder. */
function programOf({ installFolder }: Wiring): string {
  return join(installFolder, "dist", "cli", "index.js");
}

/** Prints the folder, the files and a summary of the kit. Returns 0 only if the kit on disk is valid. */
async function contentDemo(
  surface: Surface,
  wiring: Wiring,
  shown: Pick<CommandLine, "ui">,
): Promise<number> {
  const place = await preparePlace(surface, wiring);
  const [article] = (await readdir(join(place.root, "content")))
    .filter((name) => name.endsWith(".md"))
    .sort();
  if (article === undefined) throw new LoopliaError("no-items", "The install has no example article.");
  surface.stderr.write(`Demo on content/${article}: ${REHEARSAL}.\n\n`);
  const trigger = { kind: "file", source: `content/${article}` } as const;
  const result = await watchRun({ trigger, place, isDemo: true, kept: "", ...shown }, surface, wiring);
  if (result.status === "stopped") {
    surface.stderr.write(`The demo was stopped; what it made so far is in ${place.root}\n`);
    return exitCodeOf(result);
  }
  const [item] = result.items;
  if (!item || result.status !== "completed") {
    const why = item?.message ?? result.message ?? result.reasonCode;
    throw new LoopliaError("invalid-artifact", `The demo ended ${result.status}: ${why}`);
  }
  const kit = await readKit(place.root, item);
  const { bold, dim, green } = colorsFor(surface, surface.stdout);
  const lines = [
    "",
    ...kitLines(kit, bold, dim),
    "",
    bold(place.root),
    ...(await treeLines(place.root, "")),
    "",
    `${green("✓")} The writing kit is valid. Try your own: node ${relative(surface.cwd, programOf(wiring))} run --file <article.md>`,
  ];
  surface.stdout.write(`${wrapLines(lines.join("\n"), columnsOf(surface.stdout))}\n`);
  return exitCodeOf(result);
}

/** A copy of the examples with its own settings; of this machine's environment only PATH counts. */
async function preparePlace(
  { environment: { PATH } }: Surface,
  { installFolder }: Wiring,
): Promise<CliPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "looplia-demo-")));
  await cp(join(installFolder, "examples"), root, { recursive: true });
  const { settings } = await resolveSettings({
    file: await readFile(join(root, "looplia.yml"), "utf8").catch(() => undefined),
    fileName: "looplia.yml",
    environment: {},
    overrides: { provider: "offline" },
    overridesSource: "flag",
  });
  return { root, stateFolder: join(root, ".looplia", "state"), settings, environment: { PATH } };
}

async function readKit(root: string, item: Result): Promise<WritingKit> {
  const path = join(root, item.artifactPath ?? "");
  const parsed = writingKitSchema().safeParse(JSON.parse(await readFile(path, "utf8")));
  if (parsed.success) return parsed.data;
  throw new LoopliaError("invalid-artifact", `${path} is not valid: ${parsed.error.message}`);
}

function kitLines(kit: WritingKit, bold: (text: string) => string, dim: (text: string) => string): string[] {
  return [
    bold(toPlainLine(kit.summary.headline)),
    dim("Hooks"),
    ...kit.ideas.hooks.map((hook) => `  • ${toPlainLine(hook.text)} ${dim(`(${hook.type})`)}`),
    dim("Outline"),
    ...kit.suggestedOutline.map((section, index) => `  ${index + 1}. ${toPlainLine(section.heading)}`),
  ];
}

/** Files below a folder as a tree; the program's own files are one line. */
async function treeLines(folder: string, indent: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const lines: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const isLast = index === entries.length - 1;
    lines.push(`${indent}${isLast ? "└─" : "├─"} ${entry.name}${entry.isDirectory() ? "/" : ""}`);
    if (!entry.isDirectory() || entry.name === "state") continue;
    lines.push(...(await treeLines(join(folder, entry.name), `${indent}${isLast ? "   " : "│  "}`)));
  }
  return lines;
}

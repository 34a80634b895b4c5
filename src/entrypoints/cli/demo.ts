// `demo`: the offline rehearsal over an example article, in a temporary folder, with every question answered.
import { cp, mkdtemp, readdir, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { resolveSettings } from "../../config/settings.ts";
import type { ItemResult } from "../../content/item-result.ts";
import { type WritingKit, writingKitSchema } from "../../content/schemas.ts";
import { LoopliaError } from "../../errors.ts";
import { toPlainLine } from "../../session/plain-text.ts";
import { wrapLines } from "./fit-line.ts";
import { watchRun } from "./run-command.ts";
import { exitCodeOf } from "./show-result.ts";
import { colorsFor, type Surface } from "./surface.ts";
import { REHEARSAL } from "./texts.ts";
import type { Place, Wiring } from "./wiring.ts";

/** Prints where it worked, the files and a short view of the kit. 0 only if the kit on disk is valid. */
export async function demoCommand(surface: Surface, wiring: Wiring): Promise<number> {
  const place = await preparePlace(wiring.installFolder);
  const [article] = (await readdir(join(place.root, "content")))
    .filter((name) => name.endsWith(".md"))
    .sort();
  if (article === undefined) throw new LoopliaError("no-items", "The install has no example article.");
  surface.stderr.write(`Demo on content/${article}: ${REHEARSAL}.\n\n`);
  const trigger = { kind: "file", source: `content/${article}` } as const;
  const result = await watchRun({ trigger, place, isDemo: true, kept: "" }, surface, wiring);
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
  const program = relative(surface.cwd, join(wiring.installFolder, "dist", "cli", "index.js"));
  const lines = [
    "",
    ...kitLines(kit, bold, dim),
    "",
    bold(place.root),
    ...(await treeLines(place.root, "")),
    "",
    `${green("✓")} The writing kit is valid. Try your own: node ${program} run --file <article.md>`,
  ];
  surface.stdout.write(`${wrapLines(lines.join("\n"), surface.stdout.columns ?? 110)}\n`);
  return exitCodeOf(result);
}

/** A copy of the examples. The settings are its own: nothing of this machine's environment counts. */
async function preparePlace(installFolder: string): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "looplia-demo-")));
  await cp(join(installFolder, "examples"), root, { recursive: true });
  const { settings } = await resolveSettings({
    file: await readFile(join(root, "looplia.yml"), "utf8").catch(() => undefined),
    fileName: "looplia.yml",
    environment: {},
    overrides: { provider: "offline" },
    overridesSource: "flag",
  });
  return { root, stateFolder: join(root, ".looplia", "state"), settings, environment: {} };
}

async function readKit(root: string, item: ItemResult): Promise<WritingKit> {
  const path = join(root, item.artifactPath ?? "");
  const parsed = writingKitSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
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

/** Files below a folder, as a tree; what the program keeps for itself is one line. */
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

// Many items with finished kits, copied from one that was really made: what a folder is like months later.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Configuration } from "../../src/config/definitions.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import { createPrompts } from "../../src/config/prompts.ts";
import { parseManifest, serializeManifest } from "../../src/content/manifest.ts";
import { currentInputs, inputsHashOf } from "../../src/content/plan.ts";
import { hashContent } from "../../src/core/json.ts";
import { trustedFolder } from "../../src/files/sources.ts";

const INSTALL = resolve(import.meta.dirname, "../..");
const SESSIONS = ".looplia/contentItem";

const OWN = new Set(["session.json", "content.md"]);

type Original = { item: string; manifest: string; artifacts: ReadonlyMap<string, string>; sessionId: string };

/**
 * Copies the only session of the repository at `root` `count` times, each with an item of its own of `bytes` bytes in
 * `content/many/`. Every step of the copies is up to date.
 */
export async function copyFinished(root: string, count: number, bytes = 5_000): Promise<string[]> {
  const original = await readOriginal(root);
  const { configuration } = await loadConfiguration(
    await trustedFolder(root, ""),
    await trustedFolder(INSTALL, ""),
    { prompts: createPrompts(await trustedFolder(INSTALL, "")), pipeline: "writing-kit" },
  );
  await mkdir(join(root, "content/many"), { recursive: true });
  const sources: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `item-${String(number).padStart(5, "0")}`;
    const source = `content/many/${name}.md`;
    const start = `${original.item.trimEnd()}\n\nThis is number ${number}. `;
    const item = `${start.padEnd(bytes - 1, "Water boils. ")}\n`;
    await writeFile(join(root, source), item);
    const sessionId = `${name}-2026-11-20-${number.toString(16).padStart(6, "0")}`;
    await writeSession(root, { original, configuration, source, item, sessionId });
    sources.push(source);
  }
  return sources;
}

async function readOriginal(root: string): Promise<Original> {
  const [sessionId = ""] = await readdir(join(root, SESSIONS));
  const folder = join(root, SESSIONS, sessionId);
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const names = (await readdir(folder)).filter((name) => /\.(json|md)$/.test(name) && !OWN.has(name));
  const artifacts = new Map<string, string>();
  for (const name of names) artifacts.set(name, await read(name));
  return { sessionId, artifacts, item: await read("content.md"), manifest: await read("session.json") };
}

async function writeSession(
  root: string,
  copy: { original: Original; configuration: Configuration; source: string; item: string; sessionId: string },
): Promise<void> {
  const { original, configuration, source, item, sessionId } = copy;
  const folder = join(root, SESSIONS, sessionId);
  await mkdir(folder, { recursive: true });
  const { manifest } = parseManifest(original.manifest, `${SESSIONS}/${sessionId}/session.json`);
  const pipeline = configuration.pipelines.get(manifest.pipeline);
  if (!pipeline) throw new Error(`There is no pipeline ${manifest.pipeline}.`);
  const sourceHash = hashContent(item);
  const hashes = new Map<string, string>();
  const steps = new Map(manifest.steps);
  for (const { name, artifact, agent } of pipeline.outputs) {
    const text = original.artifacts.get(artifact)?.replaceAll(original.sessionId, sessionId);
    const step = steps.get(name);
    if (text === undefined || !step) throw new Error(`The original has no ${artifact}.`);
    await writeFile(join(folder, artifact), text);
    hashes.set(name, hashContent(text));
    const inputsHash = inputsHashOf(pipeline, name, currentInputs(configuration, agent, sourceHash), hashes);
    steps.set(name, { ...step, contentHash: hashContent(text), inputsHash });
  }
  const pages = new Map<string, string>();
  for (const name of manifest.pages?.keys() ?? []) {
    const text = original.artifacts.get(`${name}.md`) ?? "";
    await writeFile(join(folder, `${name}.md`), text);
    pages.set(name, hashContent(text));
  }
  await writeFile(join(folder, "content.md"), item);
  const whole = { ...manifest, pages, contentId: sessionId, source, sourceHash, steps };
  await writeFile(join(folder, "session.json"), serializeManifest(whole));
}

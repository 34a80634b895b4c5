// The licences of the packages that a bundle holds.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Package = { name: string; folder: string };

/** The package that a bundled file is from. Undefined for the project's own files. */
export function packageOf(moduleId: string): Package | undefined {
  const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(moduleId) ?? [];
  return folder && name ? { folder, name } : undefined;
}

/** Name, version and licence of each package, in order. Throws for a package that names no licence. */
export function describeLicenses(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.flatMap((id) => packageOf(id)?.folder ?? []));
  return [...folders]
    .map(describeLicense)
    .sort((a, b) => (a < b ? -1 : 1))
    .join(`\n${"-".repeat(80)}\n\n`);
}

function describeLicense(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const { name, version, license } = about;
  if (typeof license !== "string")
    throw new Error(`${name} ${version} names no licence: it can't be bundled.`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `${name} ${version}\n${license}\n${texts.map((text) => `\n${text}\n`).join("")}`;
}

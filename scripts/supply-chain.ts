// What the releases rest on: licences, known weaknesses, the digest of dist/, and what the changelog says of a version.
// node scripts/supply-chain.ts licenses | audit | links | sbom | digest [<folder>] | checksums [<folder>] | notes <version>
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./bundle.ts";

/** What may be in a bundle that others run. */
const ALLOWED = new Set([
  ...["MIT", "MIT/X11", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0"],
  ...[
    "Unlicense",
    "CC0-1.0",
    "Python-2.0",
    "(Apache-2.0 AND BSD-3-Clause)",
    "MIT OR Apache-2.0",
    "(MIT OR CC0-1.0)",
  ],
]);

/** SHA-256 and path of each file, as `sha256sum` writes them, in the order of the bytes of the paths. */
export function checksumsOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return files.map((path) => `${sha256(readFileSync(join(folder, path)))}  ${path}\n`).join("");
}

/** One digest of all files of a folder: `sha256sum` of the list of their checksums. */
export function digestOf(folder: string): string {
  return sha256(checksumsOf(folder));
}

/** The section of a version, without its heading. Throws where there is none. */
export function notesOf(changelog: string, version: string): string {
  const [, notes] = changelog.split(new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\].*$`, "m"));
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section [${version}].`);
  return `${notes.split(/^## /m)[0]?.trim()}\n`;
}

type Package = { name: string; version: string; license: string };

/** The packages in the bundles, as `licenses.txt` beside them lists them. All are development dependencies. */
export function bundledPackages(licenses: string): Package[] {
  // A licence's own text may hold such a rule too.
  return licenses.split(/^-{80}\n\n(?=\S+ \d+\.\d+\.\S+\n)/m).map((part) => {
    const [head = "", license = ""] = part.split("\n");
    const space = head.lastIndexOf(" ");
    return { name: head.slice(0, space), version: head.slice(space + 1), license };
  });
}

/** A sentence for each package whose licence is not on the list. */
export function licenseProblems(packages: readonly Package[]): string[] {
  return packages
    .filter(({ license }) => !ALLOWED.has(license))
    .map(({ name, license }) => `${name}: ${license || "no licence is named"}`);
}

function readBundled(): Package[] {
  return bundledPackages(readFileSync(join(ROOT, "dist/licenses.txt"), "utf8"));
}

/** What the pages of the repository link to elsewhere, each once. */
export function externalLinks(pages: readonly string[]): string[] {
  const found = pages.flatMap((text) =>
    [...text.matchAll(/\]\((https?:[^)\s]+)\)/g)].map(([, url = ""]) => url),
  );
  return [...new Set(found.map((url) => url.replace(/#.*$/, "")))].sort();
}

/** A sentence for each address that is gone. A server that refuses programs (403, 429) has the page. */
export async function goneLinks(urls: readonly string[]): Promise<string[]> {
  const asked = urls.map(async (url) => {
    const signal = AbortSignal.timeout(20_000);
    const status = await fetch(url, { signal }).then(
      (answer) => answer.status,
      (error: unknown) => String(error),
    );
    const isThere = typeof status === "number" && (status < 400 || status === 403 || status === 429);
    return isThere ? [] : [`${url}: ${status}`];
  });
  return (await Promise.all(asked)).flat();
}

async function links(): Promise<number> {
  const names = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  // Samples and recordings name addresses that nobody has.
  const pages = names.filter((name) => !/^(?:test|eval|examples|docs\/comments)\//.test(name));
  const urls = externalLinks(pages.map((name) => readFileSync(join(ROOT, name), "utf8")));
  const gone = await goneLinks(urls.filter((url) => !/^https:\/\/(?:[\w-]+\.)?example\./.test(url)));
  console.log(gone.length > 0 ? gone.join("\n") : `${urls.length} links lead somewhere.`);
  return gone.length > 0 ? 1 : 0;
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** 1 for known weaknesses of bundled packages, 0 also where the registry has no such service. */
function audit(): number {
  const { stdout } = spawnSync("npm", ["audit", "--json"], { cwd: ROOT, encoding: "utf8" });
  const { vulnerabilities } = JSON.parse(stdout || "{}") as { vulnerabilities?: Record<string, unknown> };
  if (vulnerabilities === undefined) {
    console.log("The registry does not answer: weaknesses were not looked up.");
    return 0;
  }
  const names = new Set(readBundled().map(({ name }) => name));
  const known = Object.keys(vulnerabilities).filter((name) => names.has(name));
  console.log(known.length > 0 ? `Known weaknesses: ${known.join(", ")}` : "0 known weaknesses");
  return known.length > 0 ? 1 : 0;
}

/** A bill of materials of the bundles, in the format CycloneDX. */
function sbom(): string {
  const words = ["sbom", "--sbom-format", "cyclonedx"];
  const whole = JSON.parse(
    execFileSync("npm", words, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 }),
  ) as Bill;
  const bundled = new Set(readBundled().map(({ name, version }) => `${name}@${version}`));
  const components = whole.components.filter((one) => bundled.has(`${one.name}@${one.version}`));
  const kept = new Set(components.map((one) => one["bom-ref"]));
  const own = whole.metadata.component["bom-ref"];
  const dependencies = whole.dependencies
    .filter(({ ref }) => ref === own || kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return `${JSON.stringify({ ...whole, components, dependencies }, undefined, 2)}\n`;
}

type Bill = {
  metadata: { component: { "bom-ref": string } };
  components: { name: string; version: string; "bom-ref": string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};

function main([command, argument]: string[]): number | Promise<number> {
  switch (command) {
    case "licenses": {
      const problems = licenseProblems(readBundled());
      console.log(problems.length > 0 ? problems.join("\n") : "Every licence is on the list.");
      return problems.length > 0 ? 1 : 0;
    }
    case "audit":
      return audit();
    case "links":
      return links();
    case "digest":
      console.log(digestOf(argument ?? join(ROOT, "dist")));
      return 0;
    case "checksums":
      process.stdout.write(checksumsOf(argument ?? join(ROOT, "dist")));
      return 0;
    case "notes":
      process.stdout.write(notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), argument ?? ""));
      return 0;
    case "sbom":
      process.stdout.write(sbom());
      return 0;
    default:
      console.error(
        "licenses | audit | links | digest [<folder>] | checksums [<folder>] | notes <version> | sbom",
      );
      return 2;
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

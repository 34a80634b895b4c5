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

/** Installed and not in the bundles (`UNUSED` in bundle.ts). */
const LEFT_OUT = ["node_modules/buffers"];

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

/** A sentence for each package of the program, not of its tests, whose licence is not on the list. */
export function licenseProblems(lock: Lock): string[] {
  return Object.entries(lock.packages)
    .filter(
      ([path, about]) =>
        path.startsWith("node_modules/") && !LEFT_OUT.includes(path) && !about.dev && !about.devOptional,
    )
    .filter(([, { license }]) => license === undefined || !ALLOWED.has(license))
    .map(([path, { license }]) => `${path}: ${license ?? "no licence is named"}`);
}

type Lock = {
  packages: Record<string, { license?: string; dev?: boolean; devOptional?: boolean; version?: string }>;
};

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

/** 1 for known weaknesses, 0 also where the registry has no such service. */
function audit(): number {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: ROOT, encoding: "utf8" });
  const report = JSON.parse(stdout || "{}") as { metadata?: { vulnerabilities?: { total: number } } };
  const total = report.metadata?.vulnerabilities?.total;
  if (total === undefined) console.log("The registry does not answer: weaknesses were not looked up.");
  else console.log(`${total} known weaknesses`);
  return total ? 1 : 0;
}

function main([command, argument]: string[]): number | Promise<number> {
  switch (command) {
    case "licenses": {
      const problems = licenseProblems(
        JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock,
      );
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
      process.stdout.write(
        execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], { cwd: ROOT }),
      );
      return 0;
    default:
      console.error(
        "licenses | audit | links | digest [<folder>] | checksums [<folder>] | notes <version> | sbom",
      );
      return 2;
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

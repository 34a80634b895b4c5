// What releases rest on, and the page that says what is shown.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  bundledPackages,
  checksumsOf,
  digestOf,
  externalLinks,
  goneLinks,
  licenseProblems,
  notesOf,
} from "../scripts/supply-chain.ts";
import { bundled } from "./fakes/bundle.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("the digest of a folder is that of its files and their names, in no order", () => {
  const folders = ["one", "other"].map((name) => mkdtempSync(join(tmpdir(), `looplia-${name}-`)));
  for (const [at, folder] of folders.entries()) {
    mkdirSync(join(folder, "sub"));
    const files = [
      ["b.js", "2"],
      ["a.js", "1"],
      ["sub/a.js", "3"],
    ] as const;
    for (const [path, text] of at === 0 ? files : files.toReversed()) writeFileSync(join(folder, path), text);
  }
  const [one = "", other = ""] = folders;
  expect(checksumsOf(one)).toMatch(
    /^6b86b273\S+ {2}a\.js\nd4735e3a\S+ {2}b\.js\n4e074085\S+ {2}sub\/a\.js\n$/,
  );
  expect(digestOf(one)).toBe(digestOf(other));
  writeFileSync(join(other, "b.js"), "3");
  expect(digestOf(one)).not.toBe(digestOf(other));
});

test("release notes are the section of the version", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.2.0] - 2026-11-22\n\n### Added\n\n- a\n\n## [1.1.0]\n\n- b\n";
  expect(notesOf(changelog, "1.2.0")).toBe("### Added\n\n- a\n");
  expect(notesOf(changelog, "1.1.0")).toBe("- b\n");
  expect(() => notesOf(changelog, "1.0.0")).toThrow("CHANGELOG.md has no section [1.0.0].");
});

test("every package in the bundles has a licence that is on the list", async () => {
  const licenses = join(dirname(await bundled("cli")), "../licenses.txt");
  const packages = bundledPackages(readFileSync(licenses, "utf8"));
  expect(packages.length).toBeGreaterThan(50);
  const { packages: locked } = JSON.parse(read("package-lock.json")) as { packages: Record<string, object> };
  for (const { name, version } of packages) {
    const entries = Object.entries(locked).filter(([path]) => path.endsWith(`node_modules/${name}`));
    expect(
      entries.map(([, about]) => about),
      name,
    ).toContainEqual(expect.objectContaining({ version }));
  }
  expect(licenseProblems(packages)).toEqual([]);
  const rule = "-".repeat(80);
  const text = `@x/a 1.0.0\nGPL-3.0\n\nText\n\n${rule}\n\nb 2.0.0\n\nText\n\n${rule}\n\nc 3.0.0\nMIT\n\nText\n`;
  expect(licenseProblems(bundledPackages(text))).toEqual(["@x/a: GPL-3.0", "b: no licence is named"]);
});

test("installing from git runs no script and brings no package", () => {
  const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string> | undefined>;
  expect(manifest.dependencies).toBeUndefined();
  // With any of these, npm installs all development dependencies first (`prepareDir` of `pacote`).
  const prepare = ["postinstall", "build", "preinstall", "install", "prepack", "prepare"];
  expect(prepare.filter((name) => manifest.scripts?.[name] !== undefined)).toEqual([]);
});

test("every test that the security overview names exists", () => {
  const page = read("docs/security.md");
  const table = page.slice(page.indexOf("## Attack by attack")).split("\n## ")[0] ?? "";
  const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attack"));
  expect(rows.length).toBeGreaterThanOrEqual(20);
  for (const row of rows) {
    const named = [...row.matchAll(/\[`([^`]+)`\]\(\.\.\/(test\/[^)]+)\)((?:,? “[^”]+”)+)/g)];
    expect(named.length, row).toBeGreaterThan(0);
    for (const [, name = "", path = "", titles = ""] of named) {
      expect(path.endsWith(`/${name}`), row).toBe(true);
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      for (const [, title = ""] of titles.matchAll(/“([^”]+)”/g))
        expect(read(path), `${path}: ${title}`).toContain(title);
    }
  }
});

test("the works that this version leaves open are recorded for the next ones", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const [major, minor] = version.split(".");
  expect(readdirSync(join(ROOT, "test/data/states"))).toContain(`${major}.${minor}`);
});

test("links to other sites that are gone are named; a site that refuses programs is not gone", async () => {
  const server = createServer(({ url = "" }, answer) => answer.writeHead(Number(url.slice(1))).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const urls = externalLinks([
      `[a](${at}/200#part) [b](${at}/404) [c](docs/x.md)`,
      `[d](${at}/403)[a](${at}/200)`,
    ]);
    expect(urls).toEqual([`${at}/200`, `${at}/403`, `${at}/404`]);
    expect(await goneLinks(urls)).toEqual([`${at}/404: 404`]);
  } finally {
    server.close();
  }
});

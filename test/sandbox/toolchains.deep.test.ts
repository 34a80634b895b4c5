// What people build with works in the sandbox as it works outside, on whatever machine this is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandEnvironment } from "../../src/sandbox/visible.ts";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };
const FILES = {
  "package.json": JSON.stringify({ name: "a", version: "1.0.0", scripts: { test: "node --test" } }),
  "a.test.js": "require('node:test')('adds', () => require('node:assert').equal(1 + 1, 2));\n",
  "Cargo.toml": '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n',
  "src/main.rs": 'fn main() { println!("from rust") }\n',
  "test_a.py": "def test_a():\n    assert 1 + 1 == 2\n",
  "A.java": 'class A { public static void main(String[] a) { System.out.println("from java"); } }\n',
  "go.mod": "module a\n\ngo 1.20\n",
  "a.go": 'package main\n\nfunc main() { println("from go") }\n',
  "a_test.go":
    'package main\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif 1+1 != 2 {\n\t\tt.Fatal()\n\t}\n}\n',
  "pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>a</groupId><artifactId>a</artifactId><version>1</version><packaging>pom</packaging></project>\n`,
};
/** Each says in its last line how it ended; a program that the machine lacks ends alike on both sides. */
const BUILDS = [
  "npm test",
  "node --version; npm --version; git --version",
  "cargo build --quiet --offline && ./target/debug/a",
  "python3 -m pytest -q -p no:cacheprovider test_a.py | sed 's/ in .*//'",
  "python3 -c 'import ssl, sqlite3, zoneinfo; print(ssl.create_default_context().cert_store_stats()[\"x509_ca\"] > 0)'",
  "java A.java",
  "mvn --version | sed -n 1p",
  "mvn -B -o -q validate && echo valid",
  "cargo test --quiet --offline 2>&1 | sed 's/finished in .*//'",
  "go test . | sed 's/[0-9.]*s$//'",
  "pytest -q -p no:cacheprovider test_a.py | sed 's/ in .*//'",
  "corepack --version; COREPACK_ENABLE_NETWORK=0 corepack pnpm --version 2>&1 | tail -n 1",
  "go build -o go-a . && ./go-a",
  "ruby -e 'puts 6 * 7'; perl -e 'print 6 * 7, qq(\\n)'; php -r 'echo 6 * 7;'; gcc --version | head -n 1; make --version | head -n 1",
  "date +%Z; id -un; locale -a | head -n 3; getent hosts localhost",
];

/** Folders of this checkout are not there for a command in another worktree. */
function systemPath(): string {
  const own = resolve(import.meta.dirname, "../..");
  return (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => !folder.startsWith(own))
    .join(":");
}

test.each(BUILDS)("%s ends as it does outside", async (command) => {
  const environment = commandEnvironment({ ...process.env, PATH: systemPath() });
  const inside = await makeWorktree(FILES, isolate({ environment }));
  const outside = await makeWorktree(FILES, isolate({ environment, sandbox: "off" }));
  const run = async ({ workspace, root }: typeof inside) => {
    const { output } = await workspace.run(`${command}; echo "ended with $?"`, limits);
    const plain = output.replaceAll(root, "").replace(/duration_ms:? .*|\([\d.]+ms\)/g, "");
    return plain
      .split("\n")
      .filter((line) => !/^npm (?:warn|notice)|Picked up/.test(line))
      .join("\n");
  };
  expect(await run(inside)).toBe(await run(outside));
});

test("packages that were fetched before are found without network, and can't be changed", async () => {
  const { base } = await makeWorktree();
  for (const [name, text] of Object.entries({
    ".m2/repository/a/a.pom": "fetched",
    ".m2/settings.xml": "a password",
    ".cargo/registry/index/a": "fetched",
    ".cargo/credentials.toml": "a token",
    ".npm/_cacache/a": "fetched",
    ".local/share/pnpm/store/a": "fetched",
    ".cache/node/corepack/a": "fetched",
  })) {
    mkdirSync(join(base, name, ".."), { recursive: true });
    writeFileSync(join(base, name), `${name}: ${text}\n`);
  }
  const environment = { PATH: process.env.PATH ?? "", HOME: base };
  const { workspace } = await makeWorktree({}, isolate({ environment }));
  const { output } = await workspace.run(
    `cat ~/.m2/*/a/* ~/.cargo/*/index/* ~/.npm/*/a ~/.local/share/pnpm/store/a ~/.cache/node/corepack/a; echo x > ~/.m2/repository/b; touch ~/.m2/own; ls -A ~/.m2 ~/.cargo; cat ${base}/.m2/settings.xml ${base}/.cargo/credentials.toml`,
    limits,
  );
  expect(output.match(/fetched/g)).toHaveLength(5);
  expect(output).toContain("Read-only file system");
  expect(output).not.toMatch(/password|token/);
  const { output: fresh } = await workspace.run("ls -A ~/.npm", { ...limits, network: true });
  expect(fresh).toBe("_cacache\n");
  expect((await workspace.run("ls ~/.npm/_cacache", { ...limits, network: true })).output).toBe("");
});

test("a place that is on no list is there once `sandbox-read` names the place, and only to be read", async () => {
  // Commands have temporary folders of their own, so the place is below the home.
  const place = mkdtempSync(join(homedir(), "looplia-read-"));
  onTestFinished(() => rmSync(place, { recursive: true }));
  writeFileSync(join(place, "a"), "read\n");
  const command = `cat ${place}/a; echo x > ${place}/a; ls ${tmpdir()}`;
  const hidden = await makeWorktree({}, isolate());
  expect((await hidden.workspace.run(command, limits)).output).toContain("No such file");
  const shown = await makeWorktree({}, isolate({ shown: [place] }));
  expect((await shown.workspace.run(command, limits)).output).toMatch(/^read\n.*Read-only file system/);
});

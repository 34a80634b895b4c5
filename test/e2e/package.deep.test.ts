// The package as it would be published: small, complete, and started with Node alone.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makePackage } from "../../scripts/package.ts";
import { bundled } from "../fakes/bundle.ts";

/** `npm pack` of the folder that is published, with the bundles of the sources as they are now. */
async function pack(): Promise<{ folder: string; bytes: number }> {
  const copy = await mkdtemp(join(tmpdir(), "looplia-pack-"));
  await makePackage(copy, dirname(dirname(await bundled("cli"))));
  const npm = ["pack", "--json", "--ignore-scripts", "--offline"];
  const [{ filename }] = JSON.parse(execFileSync("npm", npm, { cwd: copy, encoding: "utf8" }));
  const folder = await mkdtemp(join(tmpdir(), "looplia-package-"));
  execFileSync("tar", ["-xzf", join(copy, filename), "-C", folder]);
  return { folder: join(folder, "package"), bytes: (await stat(join(copy, filename))).size };
}

test("has at most 3 MB and no dependencies, shows the demo and sets up a repository", async () => {
  const { folder, bytes } = await pack();
  expect(bytes).toBeLessThan(3_000_000);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  expect([manifest.private, manifest.dependencies]).toEqual([undefined, undefined]);
  const cwd = await mkdtemp(join(tmpdir(), "looplia-installed-"));
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(folder, manifest.bin.looplia), ...args], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: cwd },
      stdio: ["ignore", "pipe", "ignore"],
    });
  expect(run("version")).toContain(manifest.version);
  expect(run("demo", "content")).toContain("The writing kit is valid");
  expect(run("init", "--tasks")).toContain("looplia-tasks.yml");
});

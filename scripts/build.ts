// Builds the committed bundles: TypeScript is compiled by tsc, then each entry is bundled by ncc.
// `--out <folder>` puts them elsewhere, to compare with the committed ones.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const outFlag = process.argv.indexOf("--out");
const out = outFlag === -1 ? join(root, "dist") : resolve(process.argv[outFlag + 1] ?? "dist");
const run = (program: string, ...words: string[]): void => {
  execFileSync(process.execPath, [join(root, "node_modules", program), ...words], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
};

rmSync(join(root, "build"), { recursive: true, force: true });
run("typescript/bin/tsc", "-p", "tsconfig.build.json");
const staging = mkdtempSync(join(tmpdir(), "looplia-build-"));
for (const entry of ["action", "post", "cli"]) {
  run(
    "@vercel/ncc/dist/ncc/cli.js",
    "build",
    `build/entrypoints/${entry}.js`,
    "-m",
    "-o",
    join(staging, entry),
  );
}
rmSync(out, { recursive: true, force: true });
cpSync(staging, out, { recursive: true });
rmSync(staging, { recursive: true });

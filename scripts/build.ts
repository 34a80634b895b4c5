// Builds the committed bundles: TypeScript is compiled by tsc, then each entry is bundled by ncc.
// `--out <folder>` puts them elsewhere, to compare with the committed ones.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
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
for (const entry of ["action", "post", "cli-main"]) {
  run(
    "@vercel/ncc/dist/ncc/cli.js",
    "build",
    `build/entrypoints/${entry}.js`,
    "-m",
    "-o",
    join(staging, entry),
  );
}
// The command line begins in a file of its own, which decides where Node keeps what it compiles of the bundle beside it.
const cli = join(staging, "cli");
renameSync(join(staging, "cli-main"), cli);
renameSync(join(cli, "index.js"), join(cli, "cli-main.js"));
copyFileSync(join(root, "build/entrypoints/cli.js"), join(cli, "index.js"));
chmodSync(join(cli, "index.js"), 0o755);
rmSync(out, { recursive: true, force: true });
cpSync(staging, out, { recursive: true });
rmSync(staging, { recursive: true });

// Builds the committed bundles: TypeScript is compiled by tsc, then each entry is bundled by ncc.
// `--out <folder>` puts them elsewhere, to compare with the committed ones.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Characters of the file that each start of the command line reads. */
const MAX_MAIN = 850_000;
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
const bundle = (entry: string): void => {
  const target = join(staging, entry);
  run("@vercel/ncc/dist/ncc/cli.js", "build", `build/entrypoints/${entry}.js`, "-m", "-o", target);
};
bundle("action");
bundle("post");
// The command line begins in a file of its own, which keeps what is compiled of the bundle below it. Of a script more can
// be kept than of a module, so that this one is none.
writeFileSync(join(root, "build/package.json"), "{}\n");
bundle("cli-main");
const cli = join(staging, "cli");
mkdirSync(cli);
renameSync(join(staging, "cli-main"), join(cli, "main"));
const main = join(cli, "main/index.js");
writeFileSync(main, toAscii(requireSmall(readFileSync(main, "utf8"))));
writeFileSync(join(cli, "main/package.json"), '{ "type": "commonjs" }\n');
copyFileSync(join(root, "build/entrypoints/cli.js"), join(cli, "index.js"));
chmodSync(join(cli, "index.js"), 0o755);
copyFileSync(join(staging, "action/package.json"), join(cli, "package.json"));
rmSync(out, { recursive: true, force: true });
cpSync(staging, out, { recursive: true });
rmSync(staging, { recursive: true });

/** V8 reads a text of ASCII alone faster, and holds it in half the memory. */
function toAscii(source: string): string {
  return source.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Each start reads all of it, so that what a first request does not need belongs behind an `import()`. */
function requireSmall(source: string): string {
  if (source.length <= MAX_MAIN) return source;
  throw new Error(`The command line's main file has ${source.length} characters, and may have ${MAX_MAIN}.`);
}

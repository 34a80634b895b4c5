// `node scripts/generate.ts` writes the generated files; with `--check` it only names those that differ, and exits 1.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generatedFiles } from "./generated-files.ts";

const root = resolve(import.meta.dirname, "..");

function read(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const isCheck = process.argv.includes("--check");
const files = await generatedFiles((path) => read(path) ?? "");
const differing = [...files].filter(([path, text]) => read(path) !== text);
for (const [path, text] of differing) {
  if (!isCheck) writeFileSync(join(root, path), text);
  console.log(isCheck ? `${path} differs: run npm run generate` : `wrote ${path}`);
}
if (isCheck && differing.length > 0) process.exitCode = 1;

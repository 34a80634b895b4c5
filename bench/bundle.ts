// Bundles files of this folder as `npm run build` does the program: compiled by tsc, then by ncc with the same options.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

export const ROOT = resolve(import.meta.dirname, "..");

/** Bundles `bench/<name>.ts` for each name into `<out>/<name>/index.js`. */
export async function bundleBenches(names: readonly string[], out: string): Promise<void> {
  // Below the project, so that ncc finds the packages.
  const cache = join(ROOT, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "looplia-bench-"));
  try {
    const compilerOptions = { noEmit: false, sourceMap: false, rootDir: ROOT, outDir: join(folder, "js") };
    const files = names.map((name) => join(ROOT, "bench", `${name}.ts`));
    const project = join(folder, "tsconfig.json");
    await writeFile(
      project,
      JSON.stringify({ extends: join(ROOT, "tsconfig.json"), compilerOptions, files, include: [] }),
    );
    await runTool("typescript/bin/tsc", "-p", project);
    for (const name of names) {
      const entry = join(folder, "js/bench", `${name}.js`);
      await runTool("@vercel/ncc/dist/ncc/cli.js", "build", entry, "-m", "-o", join(out, name));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTool(program: string, ...words: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, "node_modules", program), ...words], { cwd: ROOT });
}

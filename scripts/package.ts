// Makes the folder that is published: everything is bundled, so the package has no dependencies and no scripts.
// node scripts/package.ts <folder> [<dist>]
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const ALWAYS = ["README.md", "LICENSE"];

/** Copies the files that `package.json` names, with `dist` from elsewhere where given. The folder must be new or empty. */
export async function makePackage(folder: string, dist = join(ROOT, "dist")): Promise<void> {
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const left of ["scripts", "dependencies", "devDependencies", "overrides", "allowScripts"]) {
    delete manifest[left];
  }
  await mkdir(folder, { recursive: true });
  for (const name of [...manifest.files, ...ALWAYS]) {
    await cp(name === "dist" ? dist : join(ROOT, name), join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const [folder, dist] = process.argv.slice(2);
if (import.meta.main) {
  if (folder === undefined) throw new Error("node scripts/package.ts <folder> [<dist>]");
  await makePackage(resolve(folder), dist === undefined ? undefined : resolve(dist));
}

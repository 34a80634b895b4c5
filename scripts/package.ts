// Makes the folder that is published: everything is bundled, so the package has no dependencies and no scripts.
// node scripts/package.ts <folder> [<dist>]; in a workflow it also says which repository it is from, which npm's provenance
// asks for and `looplia init` reads.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const ALWAYS = ["README.md", "LICENSE"];

/**
 * Copies the files that `package.json` names, with `dist` from elsewhere where given; `address`: of the repository. The
 * folder must be new or empty.
 */
export async function makePackage(
  folder: string,
  dist = join(ROOT, "dist"),
  address?: string,
): Promise<void> {
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const left of ["scripts", "dependencies", "devDependencies", "overrides", "allowScripts"]) {
    delete manifest[left];
  }
  if (address !== undefined) manifest.repository = { type: "git", url: `git+${address}` };
  await mkdir(folder, { recursive: true });
  for (const name of [...manifest.files, ...ALWAYS]) {
    await cp(name === "dist" ? dist : join(ROOT, name), join(folder, name), { recursive: true });
  }
  if (address !== undefined) {
    // Where the package is shown, its pages are not below the repository's.
    const readme = await readFile(join(folder, "README.md"), "utf8");
    await writeFile(
      join(folder, "README.md"),
      readme.replaceAll("](../../", `](${address.replace(/\.git$/, "")}/`),
    );
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const [folder, dist] = process.argv.slice(2);
if (import.meta.main) {
  if (folder === undefined) throw new Error("node scripts/package.ts <folder> [<dist>]");
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const address = GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  await makePackage(resolve(folder), dist === undefined ? undefined : resolve(dist), address || undefined);
}

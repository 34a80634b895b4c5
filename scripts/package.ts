// Makes the folder that is published: everything is bundled, so the package has no dependencies and no scripts.
// node scripts/package.ts <folder> [<dist>]; it also says which repository (in a workflow, or in a clone of one on GitHub)
// and commit it is from: npm's provenance asks for the first, and `looplia init` reads both.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const ALWAYS = ["README.md", "LICENSE"];

/** Of the repository, with the commit of its files. */
type Origin = { address: string; commit?: string | undefined };

/**
 * Copies the files that `package.json` names, with `dist` from elsewhere where given. The folder must be new or empty.
 */
export async function makePackage(folder: string, dist = join(ROOT, "dist"), origin?: Origin): Promise<void> {
  const { address, commit } = origin ?? {};
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const left of ["scripts", "dependencies", "devDependencies", "overrides", "allowScripts"]) {
    delete manifest[left];
  }
  if (address !== undefined) manifest.repository = { type: "git", url: `git+${address}` };
  if (commit !== undefined) manifest.gitHead = commit;
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

/** The workflow's repository, else the clone's on GitHub; the commit only where GitHub has it. */
function originOf({
  GITHUB_SERVER_URL,
  GITHUB_REPOSITORY,
  GITHUB_SHA,
}: NodeJS.ProcessEnv): Origin | undefined {
  if (GITHUB_REPOSITORY) {
    return { address: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`, commit: GITHUB_SHA || undefined };
  }
  const git = (...args: string[]) => {
    try {
      return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
    } catch {
      return "";
    }
  };
  const [, name] =
    /^(?:https:\/\/|(?:ssh:\/\/)?git@)github\.com[:/](.+?)(?:\.git)?$/.exec(
      git("remote", "get-url", "origin"),
    ) ?? [];
  if (name === undefined) return undefined;
  const isPushed =
    git("branch", "--remotes", "--contains", "HEAD") !== "" && git("status", "--porcelain") === "";
  return {
    address: `https://github.com/${name}.git`,
    commit: isPushed ? git("rev-parse", "HEAD") : undefined,
  };
}

const [folder, dist] = process.argv.slice(2);
if (import.meta.main) {
  if (folder === undefined) throw new Error("node scripts/package.ts <folder> [<dist>]");
  await makePackage(resolve(folder), dist === undefined ? undefined : resolve(dist), originOf(process.env));
}

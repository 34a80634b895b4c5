// Whom to mention in a question that no person caused: the owners of its paths, else their last editors.
import picomatch from "picomatch";
import { personOf } from "../../publish/markdown.ts";
import { settle, type WakeRun, type WorkInHand, type WorkQuestion } from "../run.ts";

/** In GitHub's order of precedence. */
const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
const MOST = 5;

/**
 * Logins and `@org/team`; empty if `approvers` are set or a person caused the question. An unreadable file
 * names nobody.
 */
export async function findNear(
  run: WakeRun,
  work: WorkInHand,
  { request }: Pick<WorkQuestion, "request">,
  paths: readonly string[],
): Promise<string[]> {
  const isLed = (request.startedBy ?? []).some((actor) => personOf(actor) !== undefined);
  if (run.found.settings.approvers.length > 0 || isLed || paths.length === 0) return [];
  const find = async (): Promise<string[]> => {
    const owners = ownersOf(await readOwners(run), paths);
    return owners.length > 0 ? owners.slice(0, MOST) : lastEditors(work, paths);
  };
  return settle(find, () => []);
}

async function readOwners({ repository, found }: WakeRun): Promise<string> {
  const files = repository.trustedFiles(found.baseCommit, "", `${found.base}:`);
  for (const place of PLACES) {
    const text = await files.read(place);
    if (text !== undefined) return text;
  }
  return "";
}

/** The last matching rule names the owners of a path; e-mail addresses are ignored. */
function ownersOf(text: string, paths: readonly string[]): string[] {
  const rules = text.split("\n").flatMap((line) => {
    const [pattern, ...owners] = line
      .replace(/(?:^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    return pattern ? [{ isMatch: picomatch(globsOf(pattern), { dot: true }), owners }] : [];
  });
  const found = paths.flatMap((path) => rules.findLast(({ isMatch }) => isMatch(path))?.owners ?? []);
  return [...new Set(found.filter((owner) => owner.startsWith("@")))];
}

function globsOf(pattern: string): string[] {
  const isAnchored = pattern.slice(0, -1).includes("/");
  const bare = pattern.replace(/^\//, "").replace(/\/$/, "/**");
  const glob = isAnchored ? bare : `**/${bare}`;
  return /\*$/.test(glob) && isAnchored ? [glob] : [glob, `${glob}/**`];
}

async function lastEditors({ stateRef }: WorkInHand, paths: readonly string[]): Promise<string[]> {
  const worktree = await stateRef.openWorktree();
  for (const path of paths.slice(0, MOST)) {
    const editor = await worktree.editorOf(path);
    if (editor?.startsWith("@")) return [editor];
  }
  return [];
}

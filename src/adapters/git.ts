// The program's own clone of the remote: shallow, bare, with a clean configuration, in a temporary folder.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import type { Repository } from "../ports/repository.ts";
import { checkedId } from "./git-commit.ts";
import { createGit, type Git } from "./git-process.ts";
import { readBlobs } from "./git-read.ts";
import { openLetters } from "./letters.ts";
import type { PushRate } from "./push-rate.ts";
import { listStoredWorks } from "./state-list.ts";
import { openStateRef } from "./state-ref.ts";
import { readTips } from "./state-ref-push.ts";
import { trustedCommit } from "./trusted-files.ts";

// Wins over every .gitattributes: files are checked out byte for byte and no driver is ever named.
const ATTRIBUTES = "* -text !eol -ident !filter !working-tree-encoding !diff !merge\n";

/**
 * Makes an empty clone below `temporary` for the remote (a URL, or a path). Nothing is fetched yet. The folder is the
 * caller's to remove; worktrees lie below it as well.
 */
export async function openRepository(options: {
  temporary: string;
  remote: string;
  token: string | undefined;
  /** What `gitEnvironment` chose. */
  environment: Record<string, string>;
  /** Folders that commands can write to. */
  writable?: readonly string[];
  /** Shared by all clones of the remote. */
  rate: PushRate;
}): Promise<Repository> {
  const folder = join(options.temporary, "repository.git");
  const home = join(options.temporary, "home");
  await mkdir(home, { recursive: true });
  await mkdir(folder, { recursive: true });
  const { remote, token, environment, rate, writable = [options.temporary] } = options;
  const git = createGit({ folder, home, remote, token, environment, writable });
  await git(["init", "--quiet", "--bare", "--template=", "."]);
  await mkdir(join(folder, "info"), { recursive: true });
  await writeFile(join(folder, "info", "attributes"), ATTRIBUTES);
  const tipOf = async (branch: string) => {
    const ref = `refs/heads/${branch}`;
    return (await readTips({ git, remote }, [ref])).get(ref);
  };
  const fetched = new Set<string>();
  const fetch = async (commit: string, branch?: string): Promise<void> => {
    if (!fetched.has(commit)) await fetchCommit(git, remote, commit, branch);
    fetched.add(commit);
  };
  return {
    folder,
    defaultBranch: () => readDefaultBranch(git, remote),
    tipOf,
    fetchCommit: fetch,
    listFiles: rememberLists((commit, below) => listFiles(git, commit, below)),
    readBlobs: (oids) => readBlobs(git, oids),
    trustedFiles: (commit, below, label) => trustedCommit(git, checkedId(commit), label, below),
    storedWorks: (prefixes) =>
      listStoredWorks(
        {
          git,
          remote,
          temporary: options.temporary,
          createClone: (clone) => createGit({ folder: clone, home, remote, token, environment, writable }),
        },
        prefixes,
      ),
    letters: (stateRefs) => openLetters({ git, remote, rate }, stateRefs),
    openStateRef: (place) => openStateRef({ git, remote, temporary: options.temporary, rate }, place),
  };
}

async function readDefaultBranch(git: Git, remote: string): Promise<string> {
  const listed = await git(["ls-remote", "--symref", "--", remote, "HEAD"], { authorized: true });
  const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listed.stdout.toString("utf8"))?.[1];
  if (branch) return branch;
  throw new LoopliaError("host-failed", "the repository has no default branch", {
    hint: "push a first commit to it",
  });
}

async function fetchCommit(
  git: Git,
  remote: string,
  commit: string,
  branch: string | undefined,
): Promise<void> {
  checkedId(commit);
  if (await hasCommit(git, commit)) return;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
  const byId = await git([...fetch, "--depth=1", "--", remote, commit], {
    authorized: true,
    answers: branch === undefined ? [] : [1, 128],
  });
  if (byId.exitCode === 0 || branch === undefined) return;
  // Old servers give only the tips of branches by their id: then the whole branch is fetched.
  await git([...fetch, "--", remote, `refs/heads/${branch}`], { authorized: true });
  if (await hasCommit(git, commit)) return;
  throw new LoopliaError("host-failed", `commit ${commit} is not on branch ${branch} any more`, {
    hint: "run again: the branch was rewritten meanwhile",
  });
}

async function hasCommit(git: Git, commit: string): Promise<boolean> {
  const found = await git(["cat-file", "-e", `${commit}^{tree}`], { answers: [1, 128] });
  return found.exitCode === 0;
}

type List = Repository["listFiles"];

/** What a commit has never changes. */
function rememberLists(list: List): List {
  const known = new Map<string, ReturnType<List>>();
  return (commit, below) => {
    const name = `${commit}:${below}`;
    const listed = known.get(name) ?? list(commit, below);
    known.set(name, listed);
    return listed;
  };
}

async function listFiles(git: Git, commit: string, folder: string) {
  const path = folder === "" || folder === "." ? [] : [`${folder.replace(/\/+$/, "")}/`];
  const listed = await git([
    "--literal-pathspecs",
    "ls-tree",
    "-r",
    "-l",
    "-z",
    checkedId(commit),
    "--",
    ...path,
  ]);
  const files: { path: string; oid: string; size: number }[] = [];
  for (const row of listed.stdout.toString("utf8").split("\0")) {
    const [, mode, oid, size, name] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(row) ?? [];
    if ((mode === "100644" || mode === "100755") && oid && name)
      files.push({ path: name, oid, size: Number(size) });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

// Read-only files of the trusted ref: a folder on the disk, or a commit that is read without checking it out.
import { LoopliaError } from "../errors.ts";
import type { TrustedFiles } from "../ports.ts";
import { readInside } from "./file-access.ts";
import type { Git } from "./git-process.ts";
import { showPath, splitPath } from "./path-rules.ts";
import { listInside, realRoot } from "./workspace.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** The working tree, or a folder of the program's own. `label` stands before paths in diagnostics. */
export async function trustedFolder(root: string, label: string): Promise<TrustedFiles> {
  const base = realRoot(root);
  return {
    label,
    async read(path) {
      const bytes = await readInside(base, splitPath(path), MAX_BYTES);
      return bytes === undefined ? undefined : decode(`${label}${path}`, bytes);
    },
    list: async (folder) => (await listInside(base, folder)).map((entry) => entry.name),
  };
}

/** The tree of a commit (its full id), below `folder` of it. Links are followed inside the tree, never out of it. */
export function trustedCommit(git: Git, commit: string, label: string, folder = ""): TrustedFiles {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw new LoopliaError("config-invalid", `${showPath(commit)} is not the full id of a commit.`);
  }
  const look = async (path: string) => {
    const inTree = [...splitPath(folder), ...splitPath(path)].join("/");
    return lookUp(git, `${commit}:${inTree}`, `${label}${path}`);
  };
  return {
    label,
    async read(path) {
      const found = await look(path);
      if (found?.type !== "blob") return undefined;
      if (found.size > MAX_BYTES) throw unreadable(`${label}${path}`, "is larger than 10 MiB");
      const { stdout } = await git(["--no-replace-objects", "cat-file", "blob", found.oid]);
      return decode(`${label}${path}`, stdout);
    },
    async list(path) {
      const found = await look(path);
      if (found?.type !== "tree") return [];
      const { stdout } = await git(["--no-replace-objects", "ls-tree", "-z", "--name-only", found.oid]);
      return stdout.toString("utf8").split("\0").filter(Boolean).sort();
    },
  };
}

type Found = { oid: string; type: string; size: number };

/** The object at `<commit>:<path>`; undefined when there is none. git tells links that leave the tree apart. */
async function lookUp(git: Git, name: string, shown: string): Promise<Found | undefined> {
  if (/\p{Cc}/u.test(name)) throw unreadable(shown, "has a control character in its name");
  const args = ["--no-replace-objects", "cat-file", "--batch-check", "--follow-symlinks"];
  const { stdout } = await git(args, { input: `${name}\n` });
  const [line = ""] = stdout.toString("utf8").split("\n");
  if (/^(?:symlink|dangling|loop|notdir) \d+$/.test(line)) {
    if (line.startsWith("notdir")) return undefined;
    throw unreadable(shown, "is a link that leads out of the repository, to nothing, or in a circle");
  }
  const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  return oid && type ? { oid, type, size: Number(size) } : undefined;
}

function decode(shown: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(shown, "is not UTF-8 text", error);
  }
}

function unreadable(shown: string, why: string, cause?: unknown): LoopliaError {
  return new LoopliaError("config-invalid", `${shown} ${why}.`, {
    hint: "Replace it by a text file in UTF-8.",
    ...(cause === undefined ? {} : { cause }),
  });
}

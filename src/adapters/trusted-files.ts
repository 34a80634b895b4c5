// Read-only files of the trusted ref: a folder on the disk, or a commit that is read without checking it out.
import { statSync } from "node:fs";
import { LoopliaError } from "../errors.ts";
import type { TrustedFiles } from "../ports.ts";
import { askTogether } from "./ask-together.ts";
import { readInside } from "./file-access.ts";
import type { Git } from "./git-process.ts";
import { type FoundObject, findObjects, namesOfTree, readObjects } from "./git-read.ts";
import { showPath, splitPath } from "./path-rules.ts";
import { locate } from "./pinned-files.ts";
import { listInside, realRoot } from "./workspace.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** The working tree, or a folder of the program's own. Diagnostics show `label` before each path. */
export async function trustedFolder(root: string, label: string): Promise<TrustedFiles> {
  const base = realRoot(root);
  return {
    label,
    async read(path) {
      if (isFolder(base, path)) return undefined;
      const bytes = await readInside(base, splitPath(path), MAX_BYTES);
      return bytes === undefined ? undefined : decode(`${label}${path}`, bytes);
    },
    async list(folder) {
      if (!isFolder(base, folder)) return [];
      return (await listInside(base, folder)).map((entry) => entry.name);
    },
  };
}

/** Whoever lists a skill's folder tells files from folders by this: a file has no entries and is no error. */
function isFolder(root: string, path: string): boolean {
  const { real, missing } = locate(root, splitPath(path));
  return missing.length === 0 && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * The tree of a commit (its full id), below `folder` of it. Links are followed inside the tree, never out of it. What is
 * asked at one time is read by one process.
 */
export function trustedCommit(git: Git, commit: string, label: string, folder = ""): TrustedFiles {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw new LoopliaError("config-invalid", `${showPath(commit)} is not the full id of a commit.`);
  }
  const find = askTogether((names: readonly string[]) => findObjects(git, names));
  const contents = askTogether((objects: readonly FoundObject[]) => readObjects(git, objects));
  const look = async (path: string) => {
    const name = `${commit}:${[...splitPath(folder), ...splitPath(path)].join("/")}`;
    if (/\p{Cc}/u.test(name)) throw unreadable(`${label}${path}`, "has a control character in its name");
    const found = await find(name);
    if (found !== "leads-away") return found;
    throw unreadable(
      `${label}${path}`,
      "is a link that leads out of the repository, to nothing, or in a circle",
    );
  };
  return {
    label,
    async read(path) {
      const found = await look(path);
      if (found?.type !== "blob") return undefined;
      if (found.size > MAX_BYTES) throw unreadable(`${label}${path}`, "is larger than 10 MiB");
      return decode(`${label}${path}`, await contents(found));
    },
    async list(path) {
      const found = await look(path);
      return found?.type === "tree" ? namesOfTree(await contents(found), found.oid.length / 2).sort() : [];
    },
  };
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

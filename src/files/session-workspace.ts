// A session as it works in a worktree of its own: agents' files and commands are there, while the folders of sessions stay
// the program's, in the branch's worktree. A command finds its session's folder beside it, as a copy.
import { join, posix, relative, sep } from "node:path";
import type { OwnTree, ToolFiles, Workspace } from "../core/ports.ts";
import type { SessionWorktree } from "../core/ports-host.ts";
import { splitPath } from "./names.ts";

/** How a tree's id is told from the hash that earlier versions bound approvals to. */
const KIND = "tree:";
const SESSIONS = ".looplia/contentItem";

type OpenedTree = { tree: SessionWorktree; workspace: Workspace; close(): Promise<void> };

/** `open` makes the session's worktree; called at most once, at the first edit or command. */
export function sessionWorkspace(
  shared: Workspace,
  session: { sessionId: string; isStored: boolean },
  open: () => Promise<OpenedTree>,
): Workspace {
  let opening: Promise<OpenedTree> | undefined;
  const enter = (): Promise<OpenedTree> => {
    opening ??= open();
    return opening;
  };
  const folder = `${SESSIONS}/${session.sessionId}`;
  const workspaceFor = async (path: string): Promise<Workspace> => {
    const [first, second] = splitPath(path);
    if (first === ".looplia" && second === "contentItem") return shared;
    return opening || session.isStored ? (await enter()).workspace : shared;
  };
  const forTools: ToolFiles = {
    readText: async (path) => (await workspaceFor(path)).forTools.readText(path),
    readForEdit: async (path) => (await enter()).workspace.forTools.readForEdit(path),
    locate: async (path) => (await enter()).workspace.forTools.locate(path),
    writeText: async (path, text, place) => (await enter()).workspace.forTools.writeText(path, text, place),
    async *walk(below, glob) {
      yield* (await workspaceFor(below)).forTools.walk(below, glob);
    },
  };
  const { root, read, hashSeveral, writeAtomic, remove, list, requireWritable } = shared;
  return {
    ...{ root, read, hashSeveral, writeAtomic, remove, list, requireWritable, forTools },
    get isolation() {
      return shared.isolation;
    },
    async run(command, limits) {
      const { workspace } = await enter();
      const shown = await copyFolder(shared, workspace, folder);
      try {
        return await workspace.run(command, limits);
      } finally {
        await copyFolder(workspace, shared, folder, shown);
      }
    },
    async snapshot(pending, like) {
      const { tree, workspace } = await enter();
      if (like !== undefined && !like.startsWith(KIND)) return workspace.snapshot(pending);
      const below = relative(tree.root, workspace.root).split(sep).join("/");
      const texts = [...(pending ?? [])].map(([path, text]) => [posix.join(below, path), text] as const);
      return `${KIND}${await tree.capture(new Map(texts))}`;
    },
    own: ownTree(session.isStored, () => opening),
  };
}

function ownTree(isStored: boolean, opened: () => Promise<OpenedTree> | undefined): OwnTree {
  let now: OpenedTree | undefined;
  const find = async () => {
    now = await opened();
    return now;
  };
  return {
    isStored,
    get leftOut() {
      return now?.tree.leftOut ?? [];
    },
    async now() {
      const found = await find();
      return found && `${KIND}${await found.tree.capture()}`;
    },
    keep: (tree) => now?.tree.keep(tree.slice(KIND.length)),
    refresh: async () => (await find())?.tree.refresh(),
    async leave(isNeeded) {
      const found = await find();
      await found?.close();
      await found?.tree.leave(isNeeded);
    },
  };
}

type Folder = Map<string, Uint8Array>;

/**
 * Makes the files of a folder in one worktree those of another; with `known`, only what differs from that. The files that
 * it had in the first.
 */
async function copyFolder(from: Workspace, to: Workspace, folder: string, known?: Folder): Promise<Folder> {
  const [there, here] = await Promise.all([readFolder(from, folder), readFolder(to, folder)]);
  for (const [path, bytes] of there) {
    const before = (known ?? here).get(path);
    if (!before || Buffer.compare(before, bytes) !== 0) await to.writeAtomic(path, bytes);
  }
  for (const path of (known ?? here).keys()) {
    if (!there.has(path)) await to.remove(path);
  }
  return there;
}

async function readFolder(workspace: Workspace, folder: string): Promise<Folder> {
  const files: Folder = new Map();
  for (const { name, isFolder } of await workspace.list(folder)) {
    const path = join(folder, name);
    if (isFolder) for (const [below, bytes] of await readFolder(workspace, path)) files.set(below, bytes);
    // What is no regular file is no artifact.
    const bytes = isFolder ? undefined : await workspace.read(path).catch(() => undefined);
    if (bytes) files.set(path, bytes);
  }
  return files;
}

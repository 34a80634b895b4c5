// The workspace of a session with its own worktree: agents' files and commands use that worktree, while
// session folders stay the program's, in the branch's worktree. A command sees a copy of its session's
// folder.
import { join, posix, relative, sep } from "node:path";
import type { OwnTree, ToolFiles, Workspace } from "../core/ports.ts";
import type { SessionWorktree } from "../core/ports-host.ts";
import { splitPath } from "./names.ts";

/** Distinguishes a tree's id from the hash that earlier versions bound approvals to. */
const KIND = "tree:";

/**
 * `program`: the program's file or folder that a command sees as a copy. `root`: the path of the future
 * worktree.
 */
type Session = { isStored: boolean; root: string; program: { file: string } | { folder: string } };

type OpenedTree = { tree: SessionWorktree; workspace: Workspace; close(): Promise<void> };

/** `open` makes the session's worktree; called at most once, at the first edit or command. */
export function sessionWorkspace(
  shared: Workspace,
  session: Session,
  open: () => Promise<OpenedTree>,
): Workspace {
  let opening: Promise<OpenedTree> | undefined;
  const enter = (): Promise<OpenedTree> => {
    opening ??= open().then(async (opened) => {
      await copyFiles(shared, opened.workspace, session.program);
      return opened;
    });
    return opening;
  };
  const workspaceFor = async (path: string): Promise<Workspace> => {
    if (isProgram(path)) return shared;
    return opening || session.isStored ? (await enter()).workspace : shared;
  };
  const isProgram = (path: string): boolean => {
    const parts = splitPath(path);
    const isInSession = parts[0] === ".looplia" && parts[1] === "contentItem";
    return isInSession || ("file" in session.program && parts.join("/") === session.program.file);
  };
  const forEdit = async (path: string) => (isProgram(path) ? shared : (await enter()).workspace).forTools;
  const forTools: ToolFiles = {
    readText: async (path) => (await workspaceFor(path)).forTools.readText(path),
    readForEdit: async (path) => (await forEdit(path)).readForEdit(path),
    locate: async (path) => (await forEdit(path)).locate(path),
    writeText: async (path, text, place) => (await forEdit(path)).writeText(path, text, place),
    lookAt: async (path) => (await forEdit(path)).lookAt(path),
    replace: async (path, made) => (await forEdit(path)).replace(path, made),
    async *walk(below, glob) {
      yield* (await workspaceFor(below)).forTools.walk(below, glob);
    },
  };
  const { root, read, hashSeveral, modifiedAt, writeAtomic, remove, list, requireWritable } = shared;
  return {
    ...{ root, read, hashSeveral, modifiedAt, writeAtomic, remove, list, requireWritable, forTools },
    get isolation() {
      return shared.isolation;
    },
    async run(command, limits) {
      const { workspace } = await enter();
      const shown = await copyFiles(shared, workspace, session.program);
      try {
        return await workspace.run(command, limits);
      } finally {
        await copyFiles(workspace, shared, session.program, shown);
      }
    },
    async snapshot(pending, like) {
      const { tree, workspace } = await enter();
      if (like !== undefined && !like.startsWith(KIND)) return workspace.snapshot(pending);
      const below = relative(tree.root, workspace.root).split(sep).join("/");
      const texts = [...(pending ?? [])].map(([path, text]) => [posix.join(below, path), text] as const);
      return `${KIND}${await tree.capture(new Map(texts))}`;
    },
    own: ownTree(session, () => opening),
  };
}

function ownTree({ isStored, root }: Session, opened: () => Promise<OpenedTree> | undefined): OwnTree {
  let now: OpenedTree | undefined;
  const find = async () => {
    now = await opened();
    return now;
  };
  return {
    isStored,
    root,
    get leftOut() {
      return now?.tree.leftOut ?? [];
    },
    async now() {
      const found = await find();
      return found && `${KIND}${await found.tree.capture()}`;
    },
    keep: (tree) => now?.tree.keep(tree.slice(KIND.length)),
    newKeys: async (approved) => (await find())?.tree.newKeys(approved) ?? [],
    refresh: async () => (await find())?.tree.refresh(),
    async leave(isNeeded) {
      const found = await find();
      await found?.close();
      await found?.tree.leave(isNeeded);
    },
  };
}

type Files = Map<string, Uint8Array>;

/**
 * Copies the program's files from one worktree to another; with `known`, only those that differ from it.
 * Returns the files.
 */
async function copyFiles(
  from: Workspace,
  to: Workspace,
  program: Session["program"],
  known?: Files,
): Promise<Files> {
  const read = (workspace: Workspace) =>
    "file" in program ? readFile(workspace, program.file) : readFolder(workspace, program.folder);
  const [there, here] = await Promise.all([read(from), read(to)]);
  for (const [path, bytes] of there) {
    const before = (known ?? here).get(path);
    if (!before || Buffer.compare(before, bytes) !== 0) await to.writeAtomic(path, bytes);
  }
  for (const path of (known ?? here).keys()) {
    if (!there.has(path)) await to.remove(path);
  }
  return there;
}

/** The program's files are always regular files. */
async function readFile(workspace: Workspace, path: string): Promise<Files> {
  const bytes = await workspace.read(path).catch(() => undefined);
  return new Map(bytes ? [[path, bytes]] : []);
}

async function readFolder(workspace: Workspace, folder: string): Promise<Files> {
  const files: Files = new Map();
  for (const { name, isFolder } of await workspace.list(folder)) {
    const path = join(folder, name);
    const found = await (isFolder ? readFolder(workspace, path) : readFile(workspace, path));
    for (const [below, bytes] of found) files.set(below, bytes);
  }
  return files;
}

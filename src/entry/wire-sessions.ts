// What sessions read and write: items below a folder, and worktrees of their own, prepared by `setup`.
import { cp, mkdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { ItemFiles } from "../content/item.ts";
import { runSetup } from "../content/result.ts";
import type { Observer, Workspace } from "../core/ports.ts";
import type { SessionWorktrees } from "../core/ports-host.ts";
import { sessionWorkspace } from "../files/session-workspace.ts";
import { listItemFiles, readSourceFile } from "../files/sources.ts";

/** The items below a folder; `readSource` reads any file that a person named. */
export function itemFilesBelow(root: string): ItemFiles {
  return {
    readSource: (path) => readSourceFile(root, path),
    async matchSources(globs) {
      const { selectItems } = await import("../work/trigger.ts");
      return selectItems((await listItemFiles(root)).files, globs);
    },
  };
}

type Opened = { workspace: Workspace; close(): Promise<void> };

/** `open` opens the worktree in a folder; `folder`: the working directory in it. */
type SessionsPlace = {
  sessions: SessionWorktrees;
  folder: string;
  setup: readonly string[];
  sandbox: Parameters<typeof runSetup>[2]["sandbox"];
  /** The to-do file, if the session works through one. */
  todo: string | undefined;
  open(root: string): Promise<Opened>;
  observe: Observer;
  signal: AbortSignal;
};

/**
 * `prepare` runs `setup` once, before the first session begins; every worktree gets the ignored files that it
 * made.
 */
export function createSessionWorkspaces(place: SessionsPlace, shared: Workspace) {
  const { sessions, setup, sandbox, observe, signal } = place;
  let made: { root: string; paths: string[] } = { root: "", paths: [] };
  return {
    workspaceOf: (sessionId: string): Workspace =>
      sessionWorkspace(shared, sessionOf(place, sessionId), async () => {
        const tree = await sessions.open(sessionId);
        for (const path of made.paths) await copyTo(join(tree.root, path), join(made.root, path));
        await mkdir(join(tree.root, place.folder), { recursive: true });
        return { tree, ...(await place.open(join(tree.root, place.folder))) };
      }),
    async prepare(): Promise<void> {
      if (setup.every((line) => line.trim() === "")) return;
      const base = await sessions.openBase();
      const { workspace, close } = await place.open(join(base.root, place.folder));
      try {
        await runSetup(workspace, setup, { observe, signal, sandbox });
      } finally {
        await close();
      }
      if (await base.changed()) {
        const message = "setup changed files that git does not ignore; agents do not get these changes";
        observe({ type: "notice", level: "warning", message });
      }
      made = { root: base.root, paths: await base.ignored() };
    },
  };
}

function sessionOf({ sessions, folder, todo }: SessionsPlace, sessionId: string) {
  const program =
    todo === undefined ? { folder: `.looplia/contentItem/${sessionId}` } : { file: posix.normalize(todo) };
  return { isStored: sessions.isStored(sessionId), root: join(sessions.rootOf(sessionId), folder), program };
}

async function copyTo(target: string, source: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(source, target, { recursive: true, force: true, verbatimSymlinks: true });
}

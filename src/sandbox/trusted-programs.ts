// Programs that the settings name, as hooks and MCP servers: each is a tool of the machine or a file of the trusted
// export, starts in the export, and is isolated. It sees the worktree only where its settings say so.
import { existsSync, realpathSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { LoopliaError, quietly } from "../core/errors.ts";
import type { Isolator } from "./isolation.ts";
import { findOwnTool, noteBareCommand, ownSearchPath, pinTool } from "./own-tools.ts";
import type { TrustedExport } from "./trusted-export.ts";
import { isInside } from "./visible.ts";

/** How to start a program. */
export type Started = {
  /** Its words, after those of its isolation. */
  words: readonly string[];
  folder: string;
  environment: Record<string, string>;
  /** Call this once the program has ended. */
  finish(): void;
};

type StartOptions = {
  /** Undefined: that of commands. */
  network: boolean | undefined;
  /** Added to the environment of commands. */
  environment: Readonly<Record<string, string>>;
  /** Files outside the export that it can read. */
  shown?: readonly string[];
  /** It can read the worktree, and write these paths in it. */
  worktree?: { written: readonly string[] };
  /** It also starts where nothing isolates it. */
  mayBeBare?: boolean;
};

export type TrustedPrograms = {
  /**
   * Finds a program now, before any command; `start` rejects where there was none. A name with a slash is a path
   * in the export, or an absolute path.
   */
  find(name: string): { start(args: readonly string[], options: StartOptions): Promise<Started> };
  close(): Promise<void>;
};

type ProgramsPlace = {
  trusted: TrustedExport;
  /** The folder in the export where programs start. */
  folder: string;
  /** The worktree. */
  root: string;
  searchPath: string;
  /** Folders that commands can write to. */
  writable: readonly string[];
  /** The isolation around a folder. */
  isolate(root: string): Isolator;
};

export function openTrustedPrograms(place: ProgramsPlace): TrustedPrograms {
  const isolators = new Map<string, Isolator>();
  const isolatorOf = (root: string): Isolator => {
    const isolator = isolators.get(root) ?? place.isolate(root);
    isolators.set(root, isolator);
    return isolator;
  };
  return {
    find(name) {
      const locate = locator(name, place);
      return {
        async start(args, options) {
          await place.trusted.ready();
          const isolator = isolatorOf(options.worktree ? place.root : place.trusted.top);
          return startIn(isolator, { name, path: locate(), args }, { ...place, ...options });
        },
      };
    },
    close: async () => void (await Promise.all([...isolators.values()].map((one) => one.close()))),
  };
}

/** Returns its real path before each start. */
function locator(name: string, { trusted, folder, root, searchPath, writable }: ProgramsPlace): () => string {
  if (!name.includes("/")) {
    const tool = findOwnTool(name, searchPath, writable);
    return () => {
      if (tool) return tool.path();
      throw new LoopliaError(
        "config-invalid",
        `there is no ${name} on the PATH outside of folders that commands can write to`,
      );
    };
  }
  const given = resolve(root, name);
  const own = isInside(root, given) ? relative(root, given) : name;
  const outside = quietly(() => realpathSync(given));
  const isOutside = outside !== undefined && !writable.some((one) => isInside(one, outside));
  const tool = isOutside ? pinTool(outside) : undefined;
  return () => {
    const real = quietly(() => realpathSync(resolve(folder, own)));
    if (real !== undefined && isInside(trusted.top, real)) return real;
    if (tool) return tool.path();
    throw new LoopliaError("config-invalid", `there is no ${name} among the trusted files`, {
      hint: "Commit it to the default branch; git must not ignore it.",
    });
  };
}

async function startIn(
  isolator: Isolator,
  program: { name: string; path: string; args: readonly string[] },
  { root, trusted, folder, ...options }: ProgramsPlace & StartOptions,
): Promise<Started> {
  const { kind, reason, isOff } = isolator.isolation;
  if (kind === "none" && isOff !== true && options.mayBeBare !== true) {
    throw new LoopliaError(
      "config-invalid",
      `it can't be isolated here: ${reason ?? "there is no isolation"}`,
    );
  }
  const { worktree, searchPath, writable } = options;
  const launch = await isolator.launch(options.network, {
    isReadOnly: true,
    shown: [...(worktree ? [trusted.top] : []), program.path, ...(options.shown ?? [])],
    written: (worktree?.written ?? []).map((path) => writtenPath(root, path)),
    folder,
  });
  if (launch.before.length === 0) noteBareCommand();
  const own = { ...launch.environment, PATH: ownSearchPath(searchPath, writable) };
  return {
    words: [...launch.before, ...underName(program, launch.setUp)],
    folder,
    environment: { ...own, ...options.environment },
    finish: launch.finish,
  };
}

/** Some tools are one file that asks under which name it was started. */
function underName(
  { name, path, args }: { name: string; path: string; args: readonly string[] },
  setUp: string,
) {
  if (existsSync("/bin/bash"))
    return ["/bin/bash", "-c", `${setUp}exec -a "$0" "$@"`, basename(name), path, ...args];
  return ["/bin/sh", "-c", `${setUp}exec "$@"`, basename(name), path, ...args];
}

/** A link on the way could lead out of the worktree. */
function writtenPath(root: string, path: string): string {
  const place = join(root, path);
  if (quietly(() => realpathSync(place)) === place) return place;
  throw new LoopliaError(
    "config-invalid",
    `its \`write\` names ${path}, which is not in the worktree or is a link`,
    {
      hint: "Make that file or folder first.",
    },
  );
}

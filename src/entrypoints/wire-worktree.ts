// The worktree of a run, and what stands between its commands and the machine.
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { commandEnvironment } from "../adapters/command-environment.ts";
import { type Isolator, openIsolation } from "../adapters/isolation.ts";
import { openWorkspace } from "../adapters/workspace.ts";
import { isDangerousPath, mayLeadToDangerousPath } from "../approval/dangerous-paths.ts";
import type { Settings } from "../config/settings-table.ts";
import type { Observer, PutBack, Workspace } from "../ports.ts";
import type { Redact } from "../session/redaction.ts";
import { tellPutBack } from "../tools/put-back.ts";

/** Folders are absolute. */
type WorktreePlace = {
  root: string;
  stateFolder: string;
  settings: Pick<Settings, "sandbox" | "network" | "config" | "workingDirectory">;
  environment: Readonly<Record<string, string | undefined>>;
};

/** The worktree, its commands isolated as the settings say; `close` removes what commands left outside of it. */
export async function openWorktree(
  place: WorktreePlace,
  observe: Observer,
  redact: Redact,
): Promise<{ workspace: Workspace; close(): Promise<void> }> {
  let isolator: Isolator | undefined;
  const warn = (message: string) => observe({ type: "notice", level: "warning", message });
  const workspace = await openWorkspace(place.root, {
    environment: commandEnvironment(place.environment),
    stateFolder: place.stateFolder,
    systemTemp: place.environment.RUNNER_TEMP ?? place.stateFolder,
    redact,
    rules: rulesOf(place, warn),
    isolate: (root) => {
      isolator = isolatorFor({ ...place, root }, warn);
      return isolator;
    },
  });
  return { workspace, close: async () => isolator?.close() };
}

/** Commands change none of the files that decide what runs or who has permission; people are told of each that tried. */
function rulesOf({ settings, stateFolder }: WorktreePlace, warn: (message: string) => void) {
  const settingsFile = settingsFileOf(settings);
  return {
    decides: (path: string) => isDangerousPath(path, settingsFile),
    leadsThere: (path: string) => mayLeadToDangerousPath(path, settingsFile),
    aside: join(stateFolder, "put-back"),
    notify: (putBack: PutBack) => warn(tellPutBack(putBack)),
  };
}

/** The file of settings, relative to the worktree. */
export function settingsFileOf({
  config,
  workingDirectory,
}: Pick<Settings, "config" | "workingDirectory">): string {
  return posix.relative(workingDirectory, config);
}

/** What stands between commands and the machine here; `warn` is told when that is nothing. */
export function isolatorFor(place: WorktreePlace, warn: (message: string) => void): Isolator {
  const { root, stateFolder, settings, environment } = place;
  const { RUNNER_TEMP, RUNNER_TOOL_CACHE, GITHUB_EVENT_PATH } = environment;
  return openIsolation({
    root,
    sandbox: settings.sandbox,
    network: settings.network,
    environment: commandEnvironment(environment),
    closed: [
      ...[stateFolder, join(root, ".looplia", "state"), RUNNER_TEMP],
      // Beside `_temp` is all that the runner works on: checkouts with their credentials, actions, its own files.
      RUNNER_TEMP && basename(RUNNER_TEMP) === "_temp" ? dirname(RUNNER_TEMP) : undefined,
      GITHUB_EVENT_PATH && dirname(GITHUB_EVENT_PATH),
    ],
    shown: [RUNNER_TOOL_CACHE],
    temporary: tmpdir(),
    warn,
  });
}

// What the Action needs of the rest of the program. `wire.ts` provides it, tests make it up.
import type { Settings } from "../../config/settings-table.ts";
import type { RunResult } from "../../content/item-result.ts";
import type { Trigger } from "../../handle.ts";
import type { CodeHost, Repository } from "../../ports/repository.ts";
import type { Host, Observer, TrustedFiles } from "../../ports.ts";

/** Where a trigger is handled. Folders are absolute. */
export type ActionPlace = {
  /** The working directory inside the worktree of the work branch. */
  root: string;
  stateFolder: string;
  /** `provider` is decided. */
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  trusted: TrustedFiles;
  host: Host;
  observe: Observer;
  /** Its reason is `"interrupted"`; the deadline is the callee's. */
  signal: AbortSignal;
  readSource(path: string): Promise<Uint8Array | undefined>;
};

export type ActionWiring = {
  runTrigger(place: ActionPlace, trigger: Trigger): Promise<RunResult>;
  openRepository(place: {
    /** Folder of the checkout, if there is one: it tells the remote. Never changed. */
    checkout: string;
    serverUrl: string;
    /** `owner/name` */
    repository: string;
    token: string;
    temporary: string;
    environment: Readonly<Record<string, string | undefined>>;
  }): Promise<Repository>;
  codeHost(place: { apiUrl: string; repository: string; token: string }): CodeHost;
  /** The artifact's id, or undefined when the folder has no file. */
  uploadFolder(upload: Upload & { timeoutMs: number }): Promise<number | undefined>;
};

export type Upload = { name: string; folder: string; retentionDays: number };

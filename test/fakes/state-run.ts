// A run's side of a state ref: its own clone, state folder and stores, as on a runner of its own.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { LoopliaError } from "../../src/core/errors.ts";
import type { ConflictFile } from "../../src/core/interaction.ts";
import type { WorkStore } from "../../src/core/ports.ts";
import type { CodeHost, FindKeys, StateRef } from "../../src/core/ports-host.ts";
import { openRepository } from "../../src/git/repository.ts";
import { pushRate } from "../../src/git/state-push.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";
import { openWorkStore } from "../../src/store/work.ts";

export const WORK = "writing-kit-abc123";
export const STATE = `refs/looplia/${WORK}`;
export const BRANCH = `looplia/${WORK}`;
export const SESSION = "an-article-2026-11-21-0a1b2c";

export type Run = {
  /** `<run id>.<attempt>` */
  name: string;
  temporary: string;
  /** The work's state folder. */
  folder: string;
  state: StateRef;
  store: WorkStore;
  lost: LoopliaError[];
  notices: string[];
  /** What a person changed as well. */
  conflicts: ConflictFile[];
  /** Notes the claim of this run and makes it durable. */
  claim(): Promise<void>;
};

/** Opens state ref and stores below `<root>/<name>`. */
export async function openRun(
  root: string,
  options: {
    name: string;
    remote: string;
    token?: string;
    ref?: string;
    pushesAMinute?: number;
    environment?: Record<string, string>;
    findKeys?: FindKeys;
    makeCommit?: CodeHost["makeCommit"];
  },
): Promise<Run> {
  const { name, remote, token, ref = STATE, pushesAMinute = 1_000, findKeys, makeCommit } = options;
  const temporary = join(root, name);
  const folder = join(temporary, "state", WORK);
  await mkdir(temporary, { recursive: true });
  const { environment = gitEnvironment(process.env) } = options;
  const repository = await openRepository({
    temporary,
    remote,
    token,
    environment,
    rate: pushRate(pushesAMinute),
    findKeys,
  });
  const base = (await repository.tipOf("main")) ?? "";
  await repository.fetchCommit(base);
  const lost: LoopliaError[] = [];
  const notices: string[] = [];
  const conflicts: ConflictFile[] = [];
  let store: WorkStore | undefined;
  const state = await repository.openStateRef({
    ref,
    branch: BRANCH,
    base,
    folder,
    run: name,
    seal: async (whileSealed) => store?.seal(whileSealed),
    auditHeads: () => store?.auditHeads() ?? new Map(),
    whenLost: (error) => lost.push(error),
    whenConflict: async (files) => {
      conflicts.push(...files);
      await store?.appendWorkEvents([{ type: "ConflictMet", payload: { files: [...files] } }]);
    },
    notice: (message) => notices.push(message),
    makeCommit,
  });
  const opened = await openWorkStore({
    folder,
    header: { workId: WORK, kind: "content", key: "k", codeVersion: "0.1.0" },
    clock: { now: () => new Date(), elapsed: () => performance.now() },
  });
  store = opened;
  return {
    name,
    temporary,
    folder,
    state,
    store: opened,
    lost,
    notices,
    conflicts,
    async claim() {
      await opened.appendWorkEvents([
        { type: "WorkClaimed", payload: { run: name, actorId: "github:1:ada" } },
      ]);
      await state.checkpoint("claim");
    },
  };
}

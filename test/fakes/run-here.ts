// A run of the Action in this process: the same entry as on a runner without its start, for tests with many runs.
import { mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Clock } from "../../src/core/ports.ts";
import { wireAction } from "../../src/entry/action-main.ts";
import { clock } from "../../src/entry/wire.ts";
import { type PushRate, pushRate } from "../../src/git/state-push.ts";
import type { RunReport } from "../../src/publish/report.ts";
import { readEvent, readRunnerFacts } from "../../src/work/find.ts";
import type { Leftovers } from "../../src/work/run.ts";
import { runAction, runPost } from "../../src/work/start.ts";
import type { ActionWorld, RunChanges } from "./action-world.ts";
import type { StoredComment } from "./github-server-comments.ts";
import { commentEvent } from "./github-server-events.ts";

const INSTALL = { installFolder: resolve(import.meta.dirname, "../.."), version: "0.0.0" };

/** The run that a comment starts, in this process. */
export function deliverHere(
  world: ActionWorld,
  comment: StoredComment,
  changes: Changes = {},
): Promise<RanHere> {
  return runHere(world, { event: commentEvent(world.github, comment), ...changes });
}

/** Shards would share six pushes a minute. */
function unpaced(): PushRate {
  return { ...pushRate(1_000), share: () => undefined };
}

/** `ended`: status and reason code. `left`: what `post` has to do. */
export type RanHere = { report: RunReport; ended: string; said: string; left: Leftovers };

type Changes = RunChanges & { claimant?: string; clock?: Clock; signal?: AbortSignal; rate?: PushRate };

/** `claimant`, `clock`, `signal` and `rate` may be given (pushes wait for nothing); the rest is as `ActionWorld.run`. */
export async function runHere(world: ActionWorld, changes: Changes = {}): Promise<RanHere> {
  const environment = { ...(await world.environment(changes)), ...remoteOf(world) };
  const facts = readRunnerFacts(environment);
  const attempt = `${facts.runId}.${facts.attempt}`;
  world.github.checks.runs.set(attempt, "in_progress");
  let said = "";
  let left: Leftovers = {};
  try {
    const { report } = await runAction({
      wiring: await wireAction({ installed: INSTALL, rate: changes.rate ?? unpaced() }),
      environment,
      facts,
      event: await readEvent(environment),
      claimant: changes.claimant ?? "here",
      temporary: await mkdtemp(join(facts.temporary, "looplia-")),
      clock: changes.clock ?? clock,
      observe: (event) => {
        if (event.type === "notice") said += `${event.level}: ${event.message}\n`;
      },
      signal: changes.signal ?? new AbortController().signal,
      remember: (now) => {
        left = structuredClone(now);
      },
    });
    return { report, ended: `${report.status} ${report.reasonCode}`, said, left };
  } finally {
    world.github.checks.runs.set(attempt, "completed");
  }
}

/** A run that no comment started. */
export function sweepHere(world: ActionWorld, changes: Changes = {}): Promise<RanHere> {
  return runHere(world, { inputs: { mode: "respond" }, event: { name: "schedule" }, ...changes });
}

/** The post step of a run: it does what the run has left. */
export async function postHere(
  world: ActionWorld,
  { left }: Pick<RanHere, "left">,
  changes: RunChanges = {},
): Promise<void> {
  const environment = { ...(await world.environment(changes)), ...remoteOf(world) };
  const facts = readRunnerFacts(environment);
  await runPost(
    {
      wiring: await wireAction({ installed: INSTALL, rate: pushRate(1_000) }),
      environment,
      facts,
      event: await readEvent(environment),
      claimant: "here",
      temporary: await mkdtemp(join(facts.temporary, "looplia-post-")),
      clock,
      observe: () => {},
      signal: new AbortController().signal,
      remember: () => {},
    },
    left,
  );
}

/** A path where nothing is asked of the wire: each request over HTTP takes several processes. */
function remoteOf({ root, repository }: ActionWorld): Record<string, string> {
  const { beforeRead, beforePush, afterPush } = repository;
  return beforeRead || beforePush || afterPush ? {} : { GITHUB_SERVER_URL: `file://${join(root, "served")}` };
}

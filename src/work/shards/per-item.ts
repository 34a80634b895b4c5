// `pull-request: per-item`: each item is a separate work, and the number of open pull requests is limited.
import { type ContentPlan, mostSerious, type Result } from "../../core/result.ts";
import { chooseWork, type Items, type RunSettings, type Work } from "../find.ts";
import type { ActionOutcome, RunFacts, WakeRun } from "../run.ts";

type Scene = Pick<WakeRun, "repository" | "host" | "found" | "items" | "observe" | "signal">;

/** One item of a run, as a work with its surroundings. */
export type ItemWork = { work: Work; found: RunSettings; items: Items };

/**
 * Wakes the works of due items one by one: those with an open pull request, and others while fewer than
 * `max-pull-requests` are open. `wakeItem` returns the outcome; the remaining items wait for a later run.
 */
export async function runPerItem(
  scene: Scene,
  plan: ContentPlan,
  wakeItem: (item: ItemWork) => Promise<{ outcome: ActionOutcome; told: RunFacts }>,
): Promise<{ outcome: ActionOutcome; items: Result[] }> {
  const { maxPullRequests, branchPrefix } = scene.found.settings;
  const open = await scene.host.openPullRequests(branchPrefix);
  let room = Math.max(0, maxPullRequests - open.length);
  let queued = 0;
  const outcomes: ActionOutcome[] = [];
  const items: Result[] = [];
  for (const { source, state } of plan.items) {
    if (scene.signal.aborted) break;
    if (state === "up-to-date" || state === "unreadable") continue;
    const found = onlyFor(scene.found, source);
    const work = await chooseWork(scene.repository, scene.host, found);
    const isOpen = work.pullRequest !== undefined;
    if (!isOpen && room === 0) {
      queued += 1;
      continue;
    }
    const { outcome, told } = await wakeItem({ work, found, items: { ...scene.items, sources: [source] } });
    if (!isOpen && told.pullRequest) room -= 1;
    outcomes.push(outcome);
    const number = told.pullRequest?.number;
    items.push(
      ...told.items.map((item) => (number === undefined ? item : { ...item, pullRequestNumber: number })),
    );
  }
  if (queued > 0) {
    const message = `${queued} more ${queued === 1 ? "item waits" : "items wait"}: as many pull requests are open as max-pull-requests (${maxPullRequests}) allows`;
    scene.observe({ type: "notice", level: "warning", message });
  }
  const nothing = { status: "completed", reasonCode: "up-to-date" } as const;
  // Of several finished results, one that did something is more informative.
  const active = outcomes.filter(({ reasonCode }) => reasonCode !== nothing.reasonCode);
  return { outcome: mostSerious(active) ?? mostSerious(outcomes) ?? nothing, items };
}

/** The same settings for one file, with glob characters in its name escaped. */
function onlyFor(found: RunSettings, source: string): RunSettings {
  const glob = source.replace(/[[\]{}()*?!+@\\]/g, "\\$&");
  return { ...found, settings: { ...found.settings, content: [glob] } };
}

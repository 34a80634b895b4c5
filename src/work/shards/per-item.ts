// `pull-request: per-item`: each item is a separate work, and the number of open pull requests is limited.
import type { CodeHost } from "../../core/ports-host.ts";
import { type ContentPlan, mostSerious, type Result } from "../../core/result.ts";
import { readMarker } from "../../publish/report.ts";
import { chooseWork, type Items, type RunSettings, type Work } from "../find.ts";
import type { ActionOutcome, RunFacts, WakeRun } from "../run.ts";

type Scene = Pick<
  WakeRun,
  "repository" | "host" | "discussion" | "found" | "items" | "observe" | "signal" | "startedAt"
>;

/** One item of a run, as a work with its surroundings. */
type ItemWork = { work: Work; found: RunSettings; items: Items };

/** `respond` only reads the comments. Returns the outcome. */
type WakeItem = (
  item: ItemWork,
  kind: "content" | "respond",
) => Promise<{ outcome: ActionOutcome; told: RunFacts }>;

/**
 * Wakes the works of due items one by one: those with an open pull request, and others while fewer than
 * `max-pull-requests` are open. The remaining items wait for a later run. In a repository
 * of up to a thousand pull requests, an item that gets a new one takes three requests to GitHub: the pull request, its status comment and its check.
 */
export async function runPerItem(
  scene: Scene,
  plan: ContentPlan,
  wakeItem: WakeItem,
): Promise<{ outcome: ActionOutcome; items: Result[] }> {
  const { maxPullRequests, branchPrefix } = scene.found.settings;
  const due = plan.items.filter(({ state }) => state !== "up-to-date" && state !== "unreadable");
  const open = await scene.host.openPullRequests(branchPrefix);
  const host = await listedOnce(scene, due.length);
  let room = Math.max(0, maxPullRequests - open.length);
  let queued = 0;
  const outcomes: ActionOutcome[] = [];
  const items: Result[] = [];
  const begun = new Map<number, ItemWork>();
  for (const { source } of due) {
    if (scene.signal.aborted) break;
    const found = onlyFor(scene.found, source);
    const work = await chooseWork(scene.repository, host, found);
    const isOpen = work.pullRequest !== undefined;
    if (!isOpen && room === 0) {
      queued += 1;
      continue;
    }
    const item = { work, found, items: { ...scene.items, sources: [source] } };
    const { outcome, told } = await wakeItem(item, "content");
    const { pullRequest } = told;
    if (!isOpen && pullRequest) {
      room -= 1;
      begun.set(pullRequest.number, item);
    }
    outcomes.push(outcome);
    items.push(
      ...told.items.map((one) => (pullRequest ? { ...one, pullRequestNumber: pullRequest.number } : one)),
    );
  }
  outcomes.push(...(await readFirstComments(scene, begun, wakeItem)));
  if (queued > 0) {
    const message = `${queued} more ${queued === 1 ? "item waits" : "items wait"}: as many pull requests are open as max-pull-requests (${maxPullRequests}) allows`;
    scene.observe({ type: "notice", level: "warning", message });
  }
  const nothing = scene.signal.aborted
    ? ({ status: "stopped", reasonCode: "interrupted" } as const)
    : ({ status: "completed", reasonCode: "up-to-date" } as const);
  // Of several finished results, one that did something is more informative.
  const active = outcomes.filter(({ reasonCode }) => reasonCode !== nothing.reasonCode);
  return { outcome: mostSerious(active) ?? mostSerious(outcomes) ?? nothing, items };
}

const MOST_PAGES = 10;

/** A host that knows from one list which branches never had an open pull request; it asks about the others. */
async function listedOnce({ host, found }: Scene, due: number): Promise<CodeHost> {
  if (due === 0) return host;
  const pages = Math.min(due, MOST_PAGES);
  const recent = await host.recentPullRequests(found.settings.branchPrefix, pages);
  return {
    ...host,
    async pullRequestsOf(branch) {
      const listed = recent.found.filter((one) => one.branch === branch);
      // An open one may have changed since, and is about to be written to.
      const isSettled = recent.isWhole && listed.every(({ state }) => state === "closed");
      return isSettled ? listed : host.pullRequestsOf(branch);
    },
  };
}

/** The clocks of GitHub and of the runner may differ by this much. */
const SKEW_MS = 10 * 60_000;

/** Jobs of comments that came while a work was begun found it busy: one list for all works finds these comments. */
async function readFirstComments(
  { host, discussion, signal, startedAt }: Scene,
  begun: ReadonlyMap<number, ItemWork>,
  wakeItem: WakeItem,
): Promise<ActionOutcome[]> {
  if (begun.size === 0 || signal.aborted) return [];
  const since = new Date(Date.parse(startedAt) - SKEW_MS).toISOString();
  const comments = await discussion.recentComments(since);
  const others = comments.filter(({ body }) => readMarker(body) === undefined);
  const numbers = new Set(others.map(({ number }) => number));
  const outcomes: ActionOutcome[] = [];
  for (const [number, item] of begun) {
    if (signal.aborted) break;
    const pullRequest = numbers.has(number) ? await host.pullRequest(number) : undefined;
    if (!pullRequest) continue;
    const { outcome } = await wakeItem({ ...item, work: { ...item.work, pullRequest } }, "respond");
    if (outcome.status !== "ignored") outcomes.push(outcome);
  }
  return outcomes;
}

/** The same settings for one file, with glob characters in its name escaped. */
function onlyFor(found: RunSettings, source: string): RunSettings {
  const glob = source.replace(/[[\]{}()*?!+@\\]/g, "\\$&");
  return { ...found, settings: { ...found.settings, content: [glob] } };
}

// What an event of the Action may start, and which refs it works on and trusts. Pure; payloads may have any shape.
import { valueAt } from "../session/json.ts";
import { textOf } from "./payload.ts";

export type EventFacts = {
  name: string;
  payload: unknown;
  /** GITHUB_REF and GITHUB_SHA */
  ref: string;
  sha: string;
};
export type Refusal = {
  reasonCode: "fork-or-untrusted-event" | "no-command" | "not-permitted";
  message: string;
};
/** `base`: branch whose items are read and that the pull request is for. `trusted`: where settings come from. */
export type Refs = { base: string; trusted: { branch: string; commit?: string } };

const COMMANDS = new Set([
  "issue_comment",
  "check_run",
  "pull_request_review",
  "pull_request_review_comment",
]);
const STARTS = new Set(["push", "schedule", "workflow_dispatch", "repository_dispatch"]);
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Why an event starts nothing, or undefined when it may. */
export function refuseEvent(event: EventFacts): Refusal | undefined {
  if (STARTS.has(event.name)) {
    const isAnswer =
      event.name === "repository_dispatch" && valueAt(event.payload, "action") === "looplia-answer";
    return isAnswer
      ? { reasonCode: "no-command", message: "there is no question that this could answer" }
      : undefined;
  }
  if (event.name === "pull_request") return refusePullRequest(event.payload);
  if (COMMANDS.has(event.name)) {
    return { reasonCode: "no-command", message: `${event.name} starts nothing: there is no command in it` };
  }
  return untrusted(
    `the event ${JSON.stringify(event.name)} can be started by people without write access; use push, schedule, workflow_dispatch, repository_dispatch or pull_request`,
  );
}

/** The refs of an event that `refuseEvent` let through. A branch under `branchPrefix` is never base nor trusted. */
export function chooseRefs(
  event: EventFacts,
  repository: { branchPrefix: string; defaultBranch: string },
): Refs {
  const { defaultBranch } = repository;
  const isOpen = (branch: string | undefined): branch is string =>
    branch !== undefined && isBranchName(branch) && !branch.startsWith(repository.branchPrefix);
  if (event.name === "pull_request") {
    const base = valueAt(event.payload, "pull_request", "base");
    const branch = textOf(valueAt(base, "ref"));
    const commit = textOf(valueAt(base, "sha"));
    if (!isOpen(branch) || commit === undefined) return onBranch(defaultBranch);
    return { base: branch, trusted: { branch, commit } };
  }
  const branch = branchOf(event.ref);
  if (event.name === "push") {
    return { base: isOpen(branch) ? branch : defaultBranch, trusted: { branch: defaultBranch } };
  }
  if (event.name !== "workflow_dispatch") return onBranch(defaultBranch);
  if (isOpen(branch)) return onBranch(branch);
  const isTag = event.ref.startsWith("refs/tags/") && COMMIT.test(event.sha);
  return isTag
    ? { base: defaultBranch, trusted: { branch: defaultBranch, commit: event.sha } }
    : onBranch(defaultBranch);
}

/** The default branch as the payload tells, when it does. */
export function defaultBranchOf(payload: unknown): string | undefined {
  const branch = textOf(valueAt(payload, "repository", "default_branch"));
  return branch !== undefined && isBranchName(branch) ? branch : undefined;
}

/** What git accepts as a branch's name (git-check-ref-format), and no option. */
export function isBranchName(name: string): boolean {
  if (name === "" || name.length > 244 || /^[-/]|[/.]$|\.\.|\/\/|@\{|\.lock(\/|$)|(^|\/)\./.test(name))
    return false;
  return !/[\p{Cc} ~^:?*[\\]/u.test(name) && name !== "@";
}

function refusePullRequest(payload: unknown): Refusal | undefined {
  const own = valueAt(payload, "repository", "full_name");
  const head = valueAt(payload, "pull_request", "head", "repo", "full_name");
  const base = valueAt(payload, "pull_request", "base");
  const isComplete =
    COMMIT.test(textOf(valueAt(base, "sha")) ?? "") && isBranchName(textOf(valueAt(base, "ref")) ?? "");
  if (textOf(own) !== undefined && head === own && isComplete) return undefined;
  return untrusted("a pull request from a fork starts nothing: its author may have no write access here");
}

function onBranch(branch: string): Refs {
  return { base: branch, trusted: { branch } };
}

function branchOf(ref: string): string | undefined {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}

function untrusted(message: string): Refusal {
  return { reasonCode: "fork-or-untrusted-event", message };
}

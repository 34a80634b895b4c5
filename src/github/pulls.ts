// Pull requests, and the permissions of a token.
import { randomBytes } from "node:crypto";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { textOfBytes } from "../core/json.ts";
import type {
  CodeHost,
  CommitRequest,
  GithubFacts,
  Permission,
  PullRequest,
  ReviewRequest,
} from "../core/ports-host.ts";
import {
  type Api,
  checkedText,
  fieldOf,
  type GithubPlace,
  openApi,
  statusOf,
  translate,
  translateBut,
  translated,
  UNREPEATED,
  wordsOf,
} from "./client.ts";

/** Without retries, so that `doctor` answers quickly. */
const ONCE = { request: { retries: 0 } };
const NO_COMMIT = "0".repeat(40);
/** Prefix of app tokens, including the job's own. */
const APP_TOKEN = "ghs_";

/** Throws `host-failed` with advice if GitHub is out of reach or hides the repository from this token. */
export async function probeGithub(
  place: GithubPlace,
  run: { id: string; attempt: string } | undefined,
): Promise<GithubFacts> {
  const api = openApi(place);
  const found = await translate("show the repository", () => readRepository(api));
  const [opening, checks, runs, setting, secrets] = await Promise.all([
    answerOf("try to open a pull request", () => openNothing(api, found.default_branch)),
    answerOf("try to make a check", () => checkNothing(api)),
    answerOf("tell of a workflow run", () => readRun(api, run)),
    readSetting(api),
    readSecrets(api),
  ]);
  const isApp = place.token.startsWith(APP_TOKEN);
  const asked: [Permission, Told][] = [["pull-requests: write", toldBy(opening)]];
  // Only apps can create checks, and a person's token reads whatever the person may.
  if (isApp) asked.push(["checks: write", toldBy(checks)], ["actions: read", toldBy(runs)]);
  const named = (wanted: Told) =>
    asked.filter(([, told]) => told === wanted).map(([permission]) => permission);
  return {
    repository: found.full_name,
    isPublic: !found.private,
    isArchived: found.archived,
    has: named("may"),
    lacks: named("may not"),
    mayActionsOpen: setting ?? settingBy(opening, isApp),
    secrets,
  };
}

type Answer = { status: number; words: string };
type Told = "may" | "may not" | "unknown";

/** GitHub's answer with any status. Throws `host-failed` without an answer or after a server error. */
function answerOf(what: string, request: () => Promise<{ status: number }>): Promise<Answer> {
  return translate(what, async () => {
    try {
      return { status: (await request()).status, words: "" };
    } catch (thrown) {
      const status = statusOf(thrown);
      const isAnswer = status !== undefined && status < 500 && ![401, 429].includes(status);
      if (!isAnswer || /rate limit/i.test(wordsOf(thrown))) throw thrown;
      return { status, words: wordsOf(thrown) };
    }
  });
}

const SETTING_IS_OFF = /not permitted to create/i;

/** GitHub answers 403 if the permission is missing, and 404 if only the object is. */
function toldBy({ status, words }: Answer): Told {
  if (status === 403) return SETTING_IS_OFF.test(words) ? "may" : "may not";
  return [200, 404, 422].includes(status) ? "may" : "unknown";
}

function settingBy(opening: Answer, isApp: boolean): boolean | undefined {
  if (SETTING_IS_OFF.test(opening.words)) return false;
  return isApp && toldBy(opening) === "may" ? true : undefined;
}

async function readRepository({ client, owner, repo }: Api) {
  const { data } = await (await client()).request("GET /repos/{owner}/{repo}", { owner, repo, ...ONCE });
  const { full_name, default_branch, archived } = data;
  return { full_name, default_branch, archived, private: data.private };
}

async function openNothing({ client, owner, repo }: Api, base: string) {
  const head = `looplia-probe-${randomBytes(6).toString("hex")}`;
  const fields = { owner, repo, head, base, title: "looplia doctor: no such branch", ...ONCE };
  return (await client()).request("POST /repos/{owner}/{repo}/pulls", fields);
}

async function checkNothing({ client, owner, repo }: Api) {
  const fields = { owner, repo, name: "looplia doctor: no such commit", head_sha: NO_COMMIT, ...ONCE };
  return (await client()).request("POST /repos/{owner}/{repo}/check-runs", fields);
}

async function readRun({ client, owner, repo }: Api, run: { id: string; attempt: string } | undefined) {
  const fields = { owner, repo, run_id: Number(run?.id ?? 1), attempt_number: Number(run?.attempt ?? 1) };
  const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}";
  return (await client()).request(route, { ...fields, ...ONCE });
}

/** Only administrators may read it. */
async function readSetting({ client, owner, repo }: Api): Promise<boolean | undefined> {
  const route = "GET /repos/{owner}/{repo}/actions/permissions/workflow";
  const read = async () => (await (await client()).request(route, { owner, repo, ...ONCE })).data;
  return read().then(
    (setting) => setting.can_approve_pull_request_reviews,
    () => undefined,
  );
}

/** At most a hundred names of each kind. */
async function readSecrets({ client, owner, repo }: Api): Promise<GithubFacts["secrets"]> {
  const query = { owner, repo, per_page: 100, ...ONCE };
  const octokit = await client();
  const [own, shared] = await Promise.all([
    octokit.request("GET /repos/{owner}/{repo}/actions/secrets", query).catch(() => undefined),
    // Without an organisation, GitHub refuses this.
    octokit.request("GET /repos/{owner}/{repo}/actions/organization-secrets", query).catch(() => undefined),
  ]);
  if (!own) return undefined;
  const listed = [own, ...(shared ? [shared] : [])];
  const names = listed.flatMap(({ data }) => data.secrets.map(({ name }) => name));
  const count = listed.reduce((sum, { data }) => sum + data.total_count, 0);
  return { names, isWhole: shared !== undefined && names.length === count };
}

// Pull requests over GitHub's REST API.

// Commits through the API, which signs those that an app makes without an author.

/** GitHub refuses larger files in this way. */
const LARGEST_BYTES = 40 * 1024 * 1024;
/** Texts up to this size are sent within their tree; all other files are requests of their own. */
const INLINE_BYTES = 64 * 1024;
const MOST_INLINE_BYTES = 1024 * 1024;
const MOST_ENTRIES = 500;

type Change = CommitRequest["changes"][number];
type Entry = {
  path: string;
  mode: "100644" | "100755" | "120000" | "160000";
  type: "blob" | "commit";
} & ({ sha: string | null } | { content: string });

/** As `CodeHost.makeCommit`. A commit that is made twice is harmless: no ref points to the first one. */
async function makeCommit(api: Api, request: CommitRequest): ReturnType<CodeHost["makeCommit"]> {
  try {
    const tree = await makeTree(api, request);
    if (tree !== request.tree) {
      throw new LoopliaError("host-failed", `GitHub made the tree ${tree} instead of ${request.tree}`, {
        hint: "set `commits: git`, and report this with the files of the step",
      });
    }
    const { client, owner, repo } = api;
    const fields = { owner, repo, message: request.message, tree, parents: [request.parent] };
    const { data } = await (await client()).request("POST /repos/{owner}/{repo}/git/commits", fields);
    return { commit: data.sha, isSigned: data.verification?.verified === true };
  } catch (thrown) {
    if (statusOf(thrown) !== 403 || /rate limit/i.test(wordsOf(thrown)))
      throw translated("make a commit", thrown);
    throw new LoopliaError("host-failed", `GitHub did not make a commit (403): ${wordsOf(thrown)}`, {
      hint: "give the job `permissions: contents: write`, or set `commits: git`",
      cause: thrown,
    });
  }
}

/** A file where a folder was, or the other way round, needs the removals first. */
async function makeTree(api: Api, { base, changes }: CommitRequest): Promise<string> {
  const removed = changes.filter(({ file }) => !file);
  const left = changes.filter(({ file }) => file);
  const isWithin = (inner: Change, outer: Change) => inner.path.startsWith(`${outer.path}/`);
  const isInWay = removed.some((one) => left.some((other) => isWithin(one, other) || isWithin(other, one)));
  let tree = base;
  for (const part of isInWay ? [removed, left] : [changes]) {
    for (let at = 0; at < part.length; at += MOST_ENTRIES) {
      tree = await addToTree(api, tree, part.slice(at, at + MOST_ENTRIES));
    }
  }
  return tree;
}

async function addToTree({ client, owner, repo }: Api, base: string, changes: readonly Change[]) {
  const octokit = await client();
  let left = MOST_INLINE_BYTES;
  const send = async (bytes: Uint8Array, path: string): Promise<{ sha: string } | { content: string }> => {
    if (bytes.length > LARGEST_BYTES) throw tooLarge(path);
    const text = bytes.length <= Math.min(left, INLINE_BYTES) ? textOfBytes(bytes) : undefined;
    if (text !== undefined) {
      left -= bytes.length;
      return { content: text };
    }
    const content = Buffer.from(bytes).toString("base64");
    const fields = { owner, repo, content, encoding: "base64" };
    return { sha: (await octokit.request("POST /repos/{owner}/{repo}/git/blobs", fields)).data.sha };
  };
  const entries: Entry[] = [];
  for (const { path, file } of changes) {
    const mode = (file?.mode ?? "100644") as Entry["mode"];
    const type = mode === "160000" ? "commit" : "blob";
    const content = file?.read ? await send(await file.read(), path) : { sha: file?.oid ?? null };
    entries.push({ path, mode, type, ...content });
  }
  const fields = { owner, repo, base_tree: base, tree: entries };
  // The types do not know that no `sha` of a file means that it is removed.
  const { data } = await octokit.request("POST /repos/{owner}/{repo}/git/trees", fields as never);
  return data.sha;
}

function tooLarge(path: string): LoopliaError {
  return new LoopliaError("host-failed", `${path} is larger than 40 MiB, which GitHub's API does not take`, {
    hint: "leave it out with .gitignore, or set `commits: git`",
  });
}

type Reply = Pick<PullRequest, "number" | "title"> & {
  html_url: string;
  state: string;
  body: string | null;
  draft?: boolean;
};

/** The code host of one repository. Waits out rate limits of up to a minute; retries server errors. */
export function createGithubHost(place: GithubPlace): CodeHost {
  const api = openApi(place);
  return {
    makeCommit: (request) => makeCommit(api, request),
    pullRequestsOf: (branch) => translate("list pull requests", () => listPullRequests(api, branch)),
    pullRequest: (number) => readPullRequest(api, number),
    openPullRequests: (prefix) => translate("list pull requests", () => listOpen(api, prefix)),
    recentPullRequests: (prefix, pages) =>
      translate("list pull requests", () => listRecent(api, prefix, pages)),
    openPullRequest: (request) => openPullRequest(api, request),
    updatePullRequest: (number, change) =>
      translate("update the pull request", () => updatePullRequest(api, number, change)),
    requestReview: (number, wanted) => requestReview(api, number, wanted),
    startWorkflow: (start) => translate("start the workflow", () => startWorkflow(api, start)),
    tokenLife: async () => {
      const { tokenEndsAt: endsAt } = api.told;
      return { ...(endsAt ? { endsAt } : {}), isApp: place.token.startsWith(APP_TOKEN) };
    },
  };
}

async function startWorkflow(
  { client, owner, repo }: Api,
  { file, ref, inputs }: Parameters<CodeHost["startWorkflow"]>[0],
): Promise<void> {
  const route = "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches";
  await (await client()).request(route, { owner, repo, workflow_id: file, ref, inputs, ...UNREPEATED });
}

async function listPullRequests({ client, owner, repo }: Api, branch: string): Promise<PullRequest[]> {
  const query = { owner, repo, head: `${owner}:${branch}`, state: "all", per_page: 100 } as const;
  const found = await (await client()).paginate("GET /repos/{owner}/{repo}/pulls", query);
  // The API ignores an unreadable `head` and then lists everything.
  return found.filter((one) => isOf(one, branch)).map(toPullRequest);
}

async function listOpen({ client, owner, repo }: Api, prefix: string) {
  const query = { owner, repo, state: "open", per_page: 100 } as const;
  const found = await (await client()).paginate("GET /repos/{owner}/{repo}/pulls", query);
  return withPrefix(found, prefix);
}

async function listRecent(
  { client, owner, repo }: Api,
  prefix: string,
  pages: number,
): ReturnType<CodeHost["recentPullRequests"]> {
  const query = { owner, repo, state: "all", per_page: 100 } as const;
  const octokit = await client();
  let left = pages;
  let isWhole = true;
  const found = await octokit.paginate(
    "GET /repos/{owner}/{repo}/pulls",
    query,
    ({ data, headers }, done) => {
      left -= 1;
      if (left > 0) return data;
      isWhole = !/rel="next"/.test(headers.link ?? "");
      done();
      return data;
    },
  );
  return { found: withPrefix(found, prefix), isWhole };
}

function withPrefix<T extends Reply & { head: { ref: string } }>(found: readonly T[], prefix: string) {
  return found
    .filter((one) => one.head.ref.startsWith(prefix) && isOf(one, one.head.ref))
    .map((one) => ({ ...toPullRequest(one), branch: one.head.ref }));
}

function readPullRequest({ client, owner, repo }: Api, number: number): ReturnType<CodeHost["pullRequest"]> {
  return translateBut("read the pull request", [404], undefined, async () => {
    const fields = { owner, repo, pull_number: number };
    const { data } = await (await client()).request("GET /repos/{owner}/{repo}/pulls/{pull_number}", fields);
    const { head, base, user } = data;
    return {
      ...toPullRequest(data),
      branch: head.ref,
      headSha: head.sha,
      // The repository of a deleted fork is null, despite the types.
      headRepository: (head.repo as typeof head.repo | null)?.full_name,
      base: base.ref,
      isMerged: data.merged,
      author: user === null ? null : { id: Number(user.id), login: user.login },
    };
  });
}

/** A branch may look empty to the API just after a push: seconds to wait before each new request. */
const LISTED_LATE_SECONDS = [1, 2, 4];

/** GitHub's limit on content creation, as a validation error (422). */
const TOO_QUICKLY = /submitted too quickly/i;
/** It lasts longer than a list lags: up to a minute. */
const PATIENCE = 8;

type Opening = Parameters<CodeHost["openPullRequest"]>[0];

async function openPullRequest(api: Api, request: Opening): Promise<PullRequest | undefined> {
  for (const seconds of LISTED_LATE_SECONDS) {
    let wait = seconds;
    const opened = await tryToOpen(api, request).catch((thrown: unknown) => {
      if (!TOO_QUICKLY.test(messageOf(thrown))) throw thrown;
      wait *= PATIENCE;
    });
    if (opened) return opened;
    await new Promise((resolve) => setTimeout(resolve, wait * api.secondMs));
  }
  return tryToOpen(api, request);
}

async function tryToOpen(api: Api, request: Opening): Promise<PullRequest | undefined> {
  const { client, owner, repo } = api;
  const { branch: head, base, title } = request;
  try {
    const body = checkedText("a pull request's text", request.body);
    const fields = { owner, repo, head, base, title, body };
    const { data } = await (await client()).request("POST /repos/{owner}/{repo}/pulls", fields);
    return { ...toPullRequest(data), isNew: true };
  } catch (thrown) {
    const said = wordsOf(thrown);
    if (/already exists/i.test(said)) {
      const existing = await translate("list pull requests", () => listPullRequests(api, head));
      const open = existing.find((one) => one.state === "open");
      if (open) return open;
    }
    if (/no commits between|no history in common/i.test(said)) return undefined;
    throw translated("open a pull request", thrown);
  }
}

async function updatePullRequest(
  { client, owner, repo }: Api,
  number: number,
  { title, body }: { title: string; body: string },
): Promise<PullRequest> {
  checkedText("a pull request's text", body);
  const fields = { owner, repo, pull_number: number, title, body };
  const updated = await (await client()).request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", fields);
  return toPullRequest(updated.data);
}

const TEAM = /^@[^/]+\/(.+)$/;

/**
 * GitHub refuses a whole request for one name that it does not take (the author as reviewer, a label of 51
 * characters): then each name is asked for alone. Who cannot be assigned is left out without an error.
 */
async function requestReview(
  { client, owner, repo }: Api,
  number: number,
  { labels, reviewers, assignees }: ReviewRequest,
): Promise<string[]> {
  const octokit = await client();
  const pull = { owner, repo, pull_number: number };
  const ofIssue = { owner, repo, issue_number: number };
  const people = reviewers.filter((name) => !TEAM.test(name));
  const teams = reviewers.flatMap((name) => TEAM.exec(name)?.[1] ?? []);
  const label = "POST /repos/{owner}/{repo}/issues/{issue_number}/labels";
  const assign = "POST /repos/{owner}/{repo}/issues/{issue_number}/assignees";
  const review = "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
  type Part = [what: string, names: readonly string[], ask: (names: string[]) => Promise<unknown>];
  const parts: Part[] = [
    ["set the labels", labels, (names) => octokit.request(label, { ...ofIssue, labels: names })],
    ["assign", assignees, (names) => octokit.request(assign, { ...ofIssue, assignees: names })],
    ["request a review from", people, (names) => octokit.request(review, { ...pull, reviewers: names })],
    ["request a review from", teams, (names) => octokit.request(review, { ...pull, team_reviewers: names })],
  ];
  const refused: string[] = [];
  for (const [what, names, ask] of parts) {
    const not = await refusedOf(what, names, ask);
    if (not.length > 0) refused.push(`GitHub refused to ${what} ${not.join(", ")} on pull request ${number}`);
  }
  return refused;
}

/** Asks for all names at once, then for each one alone if GitHub refuses them. Returns the refused names. */
async function refusedOf(
  what: string,
  names: readonly string[],
  ask: (names: string[]) => Promise<unknown>,
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const reply = await translateBut(what, [403, 404, 422], "refused", () => ask([...names]));
  if (reply !== "refused") return what === "assign" ? missingOf(names, fieldOf(reply, "data")) : [];
  if (names.length === 1) return names;
  const each: string[] = [];
  for (const name of names) each.push(...(await refusedOf(what, [name], ask)));
  return each;
}

/** The names that are not among the assignees of GitHub's answer. */
function missingOf(names: readonly string[], issue: unknown): string[] {
  const assignees = fieldOf(issue, "assignees");
  const logins = Array.isArray(assignees) ? assignees.map((one) => String(fieldOf(one, "login"))) : [];
  const assigned = new Set(logins.map((login) => login.toLowerCase()));
  return names.filter((name) => !assigned.has(name.toLowerCase()));
}

function toPullRequest(reply: Reply): PullRequest {
  return {
    number: reply.number,
    url: reply.html_url,
    state: reply.state === "open" ? "open" : "closed",
    title: reply.title,
    body: reply.body ?? "",
    isDraft: reply.draft ?? false,
  };
}

function isOf(reply: unknown, branch: string): boolean {
  const head = fieldOf(reply, "head");
  // The repository of a deleted fork is null.
  if (fieldOf(head, "repo") === null) return false;
  const from = fieldOf(fieldOf(head, "repo"), "full_name");
  const into = fieldOf(fieldOf(fieldOf(reply, "base"), "repo"), "full_name");
  return fieldOf(head, "ref") === branch && (from === into || from === undefined);
}

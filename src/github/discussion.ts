// Comments, reactions and checks of a pull request.
import { LoopliaError } from "../core/errors.ts";
import type { CheckRun, Discussion, PullComment, Role } from "../core/ports-host.ts";
import {
  type Api,
  checkedText,
  type GithubPlace,
  isLocked,
  isRateLimit,
  openApi,
  statusOf,
  translate,
  translateBut,
  UNREPEATED,
} from "./client.ts";

const LONGEST_SUMMARY = 65_535;
const LONGEST_TITLE = 255;
/** No permission, or a check of another app, which a new check replaces. */
const REFUSED = [403, 404];

/**
 * Creates the check of this name on its commit, or updates an existing one. Resolves to its id, or to
 * undefined if the token may not write checks.
 */
async function saveCheck(api: Api, check: CheckRun): Promise<number | undefined> {
  const fields = toFields(check);
  const known = check.id ?? (check.isFirst ? undefined : await findCheck(api, check));
  if (known === "unreadable") return undefined;
  const changed = known === undefined ? undefined : await changeCheck(api, known, fields);
  return changed ?? createCheck(api, check, fields);
}

function toFields(check: CheckRun) {
  return {
    name: check.name,
    status: "completed" as const,
    conclusion: check.conclusion,
    details_url: check.detailsUrl,
    external_id: externalId(check),
    output: {
      title: checkedText("a check's title", check.title, LONGEST_TITLE),
      summary: checkedText("a check's summary", check.summary, LONGEST_SUMMARY),
    },
  };
}

/** Jobs of workflows are check runs of the same app: this id, not the name, identifies ours. */
function externalId({ name }: CheckRun): string {
  return `looplia:${name}`;
}

function findCheck(api: Api, check: CheckRun): Promise<number | "unreadable" | undefined> {
  return translateBut("list checks", REFUSED, "unreadable", () => lookUp(api, check));
}

async function lookUp({ client, owner, repo }: Api, check: CheckRun): Promise<number | undefined> {
  const query = { owner, repo, ref: check.headSha, check_name: check.name, per_page: 100 };
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const { check_runs: found } = (await (await client()).request(route, query)).data;
  const ours = found.find((one) => one.external_id === externalId(check));
  return ours && Number(ours.id);
}

function changeCheck(
  { client, owner, repo }: Api,
  id: number,
  fields: ReturnType<typeof toFields>,
): Promise<number | undefined> {
  return translateBut("change a check", REFUSED, undefined, async () => {
    const route = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
    const changed = await (await client()).request(route, { owner, repo, check_run_id: id, ...fields });
    return Number(changed.data.id);
  });
}

function createCheck(
  api: Api,
  check: CheckRun,
  fields: ReturnType<typeof toFields>,
): Promise<number | undefined> {
  const { client, owner, repo } = api;
  const create = async () => {
    const route = "POST /repos/{owner}/{repo}/check-runs";
    const all = { owner, repo, head_sha: check.headSha, ...fields, ...UNREPEATED };
    return Number((await (await client()).request(route, all)).data.id);
  };
  const find = () => lookUp(api, check);
  return translateBut("make a check", REFUSED, undefined, () => makeOnce("make a check", create, find));
}

// Comments, reactions, permissions and checks over GitHub's REST API.

const ROLES: readonly string[] = ["none", "read", "triage", "write", "maintain", "admin"] satisfies Role[];

/** The discussions of one repository. Waits out rate limits of up to a minute; retries server errors. */
export function createGithubDiscussion(place: GithubPlace): Discussion {
  const api = openApi(place);
  return {
    comments: (pullRequest, since) => translate("list comments", () => listComments(api, pullRequest, since)),
    recentComments: (since) => translate("list comments", () => listRecent(api, since)),
    postComment: (pullRequest, body) => postComment(api, pullRequest, body),
    editComment: (id, body) => editComment(api, id, body),
    react: (commentId, reaction) => react(api, commentId, reaction),
    permissionOf: (login) => permissionOf(api, login),
    isTeamMember: (team, login) => isTeamMember(api, team, login),
    isRunLive: (runId, attempt) => isRunLive(api, runId, attempt),
    saveCheck: (check) => saveCheck(api, check),
  };
}

type Reply = {
  id: number | bigint;
  html_url: string;
  user: { id: number | bigint; login: string; type: string } | null;
  performed_via_github_app?: { id: number | bigint; slug?: string } | null | undefined;
  body?: string | undefined;
  created_at: string;
  updated_at: string;
};

async function listComments(
  { client, owner, repo }: Api,
  number: number,
  since: string | undefined,
): Promise<PullComment[]> {
  const query = { owner, repo, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const found = await (await client()).paginate(route, query);
  // The API's `since` is the time of the last change, so it also returns old edited comments.
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  return found
    .map(toComment)
    .filter((comment) => Date.parse(comment.createdAt) >= from)
    .sort((a, b) => a.id - b.id);
}

async function listRecent(
  { client, owner, repo }: Api,
  since: string,
): Promise<(PullComment & { number: number })[]> {
  const query = { owner, repo, since, per_page: 100 };
  const found = await (await client()).paginate("GET /repos/{owner}/{repo}/issues/comments", query);
  return found.map((one) => ({ ...toComment(one), number: Number(/\d+$/.exec(one.issue_url)?.[0]) }));
}

/**
 * A comment notifies people, so a comment whose acknowledgement was lost is found and not posted again. With
 * a person's token it is posted again, because its comments look like any others of that person.
 */
function postComment(api: Api, number: number, text: string): Promise<PullComment> {
  const { client, owner, repo } = api;
  const post = async () => {
    const fields = { owner, repo, issue_number: number, body: checkedText("a comment", text), ...UNREPEATED };
    const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
    return toComment((await (await client()).request(route, fields)).data);
  };
  const find = async () => {
    const posted = await listComments(api, number, undefined);
    // Any reader of a comment can copy it, so a person's copy does not count as ours.
    return posted.findLast(({ body, author }) => author?.isBot === true && sameText(body, text));
  };
  return translate("post a comment", () => makeOnce("post a comment", post, find));
}

async function editComment(
  { client, owner, repo }: Api,
  id: number,
  text: string,
): Promise<PullComment | undefined> {
  const body = checkedText("a comment", text);
  return translateBut("edit a comment", [404, 410], undefined, async () => {
    const route = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";
    return toComment((await (await client()).request(route, { owner, repo, comment_id: id, body })).data);
  });
}

function react(
  { client, owner, repo }: Api,
  id: number,
  content: Parameters<Discussion["react"]>[1],
): Promise<void> {
  // A deleted comment needs no reaction, and a run can't fix a refused one.
  return translateBut("add a reaction", [404, 410, 422], undefined, async () => {
    const route = "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
    try {
      await (await client()).request(route, { owner, repo, comment_id: id, content });
    } catch (thrown) {
      if (statusOf(thrown) !== 403 || isRateLimit(thrown) || isLocked(thrown)) throw thrown;
    }
  });
}

function permissionOf(
  { client, owner, repo }: Api,
  login: string,
): Promise<{ role: Role; userId: number | undefined }> {
  const stranger = { role: "none" as const, userId: undefined };
  return translateBut("tell a permission", [404], stranger, async () => {
    const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
    const { data } = await (await client()).request(route, { owner, repo, username: login });
    const userId = data.user === null ? undefined : Number(data.user.id);
    return { role: toRole(data.role_name) ?? toRole(data.permission) ?? "none", userId };
  });
}

async function isTeamMember(
  { client }: Api,
  { org, slug }: { org: string; slug: string },
  login: string,
): Promise<boolean> {
  const fields = { org, team_slug: slug };
  const membership = await readTeams(`@${org}/${slug}`, async () => {
    const route = "GET /orgs/{org}/teams/{team_slug}/memberships/{username}";
    return (await (await client()).request(route, { ...fields, username: login })).data.state;
  });
  if (membership !== undefined) return membership === "active";
  // 404 means no member, no such team, or a team that this token can't see.
  const team = await readTeams(`@${org}/${slug}`, async () => {
    return (await (await client()).request("GET /orgs/{org}/teams/{team_slug}", fields)).data.slug;
  });
  if (team === undefined) throw unreadableTeam(`@${org}/${slug}`);
  return false;
}

function readTeams<T>(team: string, read: () => Promise<T>): Promise<T | undefined> {
  return translateBut("tell a team's members", [404], undefined, async () => {
    try {
      return await read();
    } catch (thrown) {
      throw statusOf(thrown) === 403 && !isRateLimit(thrown) ? unreadableTeam(team, thrown) : thrown;
    }
  });
}

function unreadableTeam(team: string, cause?: unknown): LoopliaError {
  return new LoopliaError("config-invalid", `approvers: the github-token cannot read the team ${team}`, {
    hint: "give a token that can read the organisation's teams, or name logins instead",
    ...(cause === undefined ? {} : { cause }),
  });
}

async function isRunLive(
  { client, owner, repo }: Api,
  runId: string,
  attempt: string,
): Promise<boolean | undefined> {
  if (!/^\d+$/.test(runId) || !/^\d+$/.test(attempt)) return undefined;
  const fields = { owner, repo, run_id: Number(runId), attempt_number: Number(attempt) };
  return translateBut("tell of a workflow run", [403, 404], undefined, async () => {
    const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}";
    const { status } = (await (await client()).request(route, fields)).data;
    return status === null ? undefined : status !== "completed";
  });
}

function toComment(reply: Reply): PullComment {
  const { user, performed_via_github_app: app } = reply;
  return {
    id: Number(reply.id),
    url: reply.html_url,
    author: user === null ? null : { id: Number(user.id), login: user.login, isBot: user.type === "Bot" },
    ...(app?.slug === undefined ? {} : { app: { id: Number(app.id), slug: app.slug } }),
    body: reply.body ?? "",
    createdAt: reply.created_at,
    updatedAt: reply.updated_at,
  };
}

/** An organization may define its own role names; then the underlying level counts. */
function toRole(name: string): Role | undefined {
  return ROLES.includes(name) ? (name as Role) : undefined;
}

function sameText(a: string, b: string): boolean {
  return a.replace(/\r\n/g, "\n").trim() === b.replace(/\r\n/g, "\n").trim();
}

/**
 * Creates something once. After a missing answer or a server error it may exist anyway: then `find` looks for
 * it, and only if it is missing is it created again.
 */
async function makeOnce<T>(
  what: string,
  make: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await make();
  } catch (thrown) {
    const status = statusOf(thrown);
    if (thrown instanceof LoopliaError || (status !== undefined && status < 500)) throw thrown;
  }
  return translate(what, async () => (await find()) ?? (await make()));
}

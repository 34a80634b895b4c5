// Pull requests over GitHub's REST API.
import type { CodeHost, PullRequest, PullRequestDetails } from "../ports/repository.ts";
import {
  type Api,
  checkedText,
  fieldOf,
  type GithubPlace,
  openApi,
  translate,
  translateBut,
  translated,
  wordsOf,
} from "./github-client.ts";

type Reply = {
  number: number;
  html_url: string;
  state: string;
  title: string;
  body: string | null;
  draft?: boolean;
};

/** The code host of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
export function createGithubHost(place: GithubPlace): CodeHost {
  const api = openApi(place);
  return {
    pullRequestsOf: (branch) => translate("list pull requests", () => listPullRequests(api, branch)),
    pullRequest: (number) => readPullRequest(api, number),
    openPullRequests: (prefix) => translate("list pull requests", () => listOpen(api, prefix)),
    openPullRequest: (request) => openPullRequest(api, request),
    updatePullRequest: (number, change) =>
      translate("update the pull request", () => updatePullRequest(api, number, change)),
  };
}

async function listPullRequests({ client, owner, repo }: Api, branch: string): Promise<PullRequest[]> {
  const query = { owner, repo, head: `${owner}:${branch}`, state: "all", per_page: 100 } as const;
  const found = await (await client()).paginate("GET /repos/{owner}/{repo}/pulls", query);
  // The API ignores a `head` that it cannot read and then lists everything.
  return found.filter((one) => isOf(one, branch)).map(toPullRequest);
}

async function listOpen({ client, owner, repo }: Api, prefix: string) {
  const query = { owner, repo, state: "open", per_page: 100 } as const;
  const found = await (await client()).paginate("GET /repos/{owner}/{repo}/pulls", query);
  return found
    .filter((one) => one.head.ref.startsWith(prefix) && isOf(one, one.head.ref))
    .map((one) => ({ ...toPullRequest(one), branch: one.head.ref }));
}

function readPullRequest(
  { client, owner, repo }: Api,
  number: number,
): Promise<PullRequestDetails | undefined> {
  return translateBut("read the pull request", [404], undefined, async () => {
    const fields = { owner, repo, pull_number: number };
    const { data } = await (await client()).request("GET /repos/{owner}/{repo}/pulls/{pull_number}", fields);
    const { head, base, user } = data;
    return {
      ...toPullRequest(data),
      branch: head.ref,
      headSha: head.sha,
      // The repository of a fork that is gone is null, whatever the types say.
      headRepository: (head.repo as typeof head.repo | null)?.full_name,
      base: base.ref,
      isMerged: data.merged,
      author: user === null ? null : { id: Number(user.id), login: user.login },
    };
  });
}

/** A branch that was pushed a moment ago may still look empty to the API: seconds of waiting until it is asked again. */
const LISTED_LATE_SECONDS = [1, 2, 4];

async function openPullRequest(
  api: Api,
  request: Parameters<CodeHost["openPullRequest"]>[0],
): Promise<PullRequest | undefined> {
  for (const seconds of LISTED_LATE_SECONDS) {
    const opened = await tryToOpen(api, request);
    if (opened) return opened;
    await new Promise((resolve) => setTimeout(resolve, seconds * api.secondMs));
  }
  return tryToOpen(api, request);
}

async function tryToOpen(
  api: Api,
  request: Parameters<CodeHost["openPullRequest"]>[0],
): Promise<PullRequest | undefined> {
  const { client, owner, repo } = api;
  const { branch: head, base, title } = request;
  try {
    const body = checkedText("a pull request's text", request.body);
    const fields = { owner, repo, head, base, title, body };
    return toPullRequest((await (await client()).request("POST /repos/{owner}/{repo}/pulls", fields)).data);
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
  change: { title: string; body: string },
): Promise<PullRequest> {
  const fields = {
    owner,
    repo,
    pull_number: number,
    title: change.title,
    body: checkedText("a pull request's text", change.body),
  };
  const updated = await (await client()).request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", fields);
  return toPullRequest(updated.data);
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
  // The repository of a fork that is gone is null.
  if (fieldOf(head, "repo") === null) return false;
  const from = fieldOf(fieldOf(head, "repo"), "full_name");
  const into = fieldOf(fieldOf(fieldOf(reply, "base"), "repo"), "full_name");
  return fieldOf(head, "ref") === branch && (from === into || from === undefined);
}

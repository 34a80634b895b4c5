// Pull requests over GitHub's REST API. Octokit is loaded with the first request.
import { LoopliaError, messageOf } from "../errors.ts";
import type { CodeHost, PullRequest } from "../ports/repository.ts";

const LIMIT = 65_536;
const LONGEST_WAIT_SECONDS = 60;
const SETTING =
  "allow it under Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests” (of the organisation too, if it decides), then run again: the branch is pushed";

export type GithubPlace = {
  /** GITHUB_API_URL */
  apiUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  /** Milliseconds that stand for a second of waiting, for tests. */
  secondMs?: number;
};

type Reply = { number: number; html_url: string; state: string; title: string; body: string | null };

type Client = Awaited<ReturnType<typeof connect>>;
type Api = { client(): Promise<Client>; owner: string; repo: string };

/** The code host of one repository. Waits out rate limits of up to a minute; retries what the server got wrong. */
export function createGithubHost(place: GithubPlace): CodeHost {
  const [owner = "", repo = ""] = place.repository.split("/");
  let connecting: Promise<Client> | undefined;
  const client = () => {
    connecting ??= connect(place);
    return connecting;
  };
  const api: Api = { client, owner, repo };
  return {
    pullRequestsOf: (branch) => translate("list pull requests", () => listPullRequests(api, branch)),
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

async function openPullRequest(
  api: Api,
  request: Parameters<CodeHost["openPullRequest"]>[0],
): Promise<PullRequest | undefined> {
  const { client, owner, repo } = api;
  const { branch: head, base, title } = request;
  try {
    const body = checkedBody(request.body);
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
  const fields = { owner, repo, pull_number: number, title: change.title, body: checkedBody(change.body) };
  const updated = await (await client()).request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", fields);
  return toPullRequest(updated.data);
}

async function connect(place: GithubPlace) {
  const [{ Octokit }, { throttling }, { retry }, { paginateRest }] = await Promise.all([
    import("@octokit/core"),
    import("@octokit/plugin-throttling"),
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-paginate-rest"),
  ]);
  const second = place.secondMs ?? 1000;
  const waitOrNot = (seconds: number, _request: unknown, _octokit: unknown, retries: number) =>
    seconds <= LONGEST_WAIT_SECONDS && retries < 2;
  const silent = () => {};
  return new (Octokit.plugin(throttling, retry, paginateRest))({
    auth: place.token,
    baseUrl: place.apiUrl.replace(/\/+$/, ""),
    userAgent: "looplia-action",
    log: { debug: silent, info: silent, warn: silent, error: silent },
    retry: { retryAfterBaseValue: second },
    throttle: {
      id: `${place.apiUrl} ${place.repository}`,
      onRateLimit: waitOrNot,
      onSecondaryRateLimit: waitOrNot,
      retryAfterBaseValue: second,
    },
  });
}

function toPullRequest(reply: Reply): PullRequest {
  return {
    number: reply.number,
    url: reply.html_url,
    state: reply.state === "open" ? "open" : "closed",
    title: reply.title,
    body: reply.body ?? "",
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

function checkedBody(body: string): string {
  if (body.length <= LIMIT) return body;
  throw new LoopliaError(
    "host-failed",
    `a pull request's text of ${body.length} characters is over ${LIMIT}`,
  );
}

async function translate<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw translated(what, thrown);
  }
}

function translated(what: string, cause: unknown): LoopliaError {
  if (cause instanceof LoopliaError) return cause;
  const status = statusOf(cause);
  const hint = hintFor(status, wordsOf(cause));
  return new LoopliaError(
    "host-failed",
    `GitHub did not ${what}${status ? ` (${status})` : ""}: ${wordsOf(cause)}`,
    {
      cause,
      ...(hint === undefined ? {} : { hint }),
    },
  );
}

function hintFor(status: number | undefined, said: string): string | undefined {
  if (/not permitted to create/i.test(said)) return SETTING;
  if (status === 401) return "check the github-token: it is missing or expired";
  if (status === 403 && /rate limit/i.test(said)) return "the hour's requests are used up: run again later";
  if (status === 403) return "give the job `permissions: pull-requests: write`";
  if (status === 404) return "check that the github-token may see this repository";
  if (status === undefined) return "check the network and GITHUB_API_URL, then run again";
  if (status >= 500) return "the server has a problem: run again later";
  return undefined;
}

/** GitHub's message with those of its `errors`. */
function wordsOf(thrown: unknown): string {
  const response = fieldOf(thrown, "response");
  const errors = fieldOf(fieldOf(response, "data"), "errors");
  const details = Array.isArray(errors) ? errors.map((error) => fieldOf(error, "message")) : [];
  return [messageOf(thrown), ...details.filter((detail) => typeof detail === "string")].join(" ");
}

function statusOf(thrown: unknown): number | undefined {
  const status = fieldOf(thrown, "status");
  return typeof status === "number" && fieldOf(thrown, "response") !== undefined ? status : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

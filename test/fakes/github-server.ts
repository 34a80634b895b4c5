// GitHub's REST API for tests. Every request and every answer is held against GitHub's own OpenAPI description.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Operation } from "openapi-backend";
import { type Account, Accounts } from "./github-server-accounts.ts";
import { Checks } from "./github-server-checks.ts";
import { Comments } from "./github-server-comments.ts";
import { loadContract, notFound, type PlainRequest, type Reply, refusal } from "./github-server-contract.ts";
import { answerObjects } from "./github-server-objects.ts";
import { Profile } from "./github-server-profile.ts";
import { openPulls, type PullRequestReply } from "./github-server-pulls.ts";

export type { PullRequestReply } from "./github-server-pulls.ts";

export type ApiRequest = {
  method: string;
  path: string;
  /** Method and path with the names of its parameters: `GET /repos/{owner}/{repo}/pulls`. */
  kind: string;
  query: Record<string, string>;
  body: unknown;
  /** 0: the answer never arrived. */
  status: number;
};
type Aimed = { method: string; path: RegExp };

export type GithubServer = {
  /** What GITHUB_API_URL is set to. */
  apiUrl: string;
  /** `owner/name` */
  repository: string;
  requests: ApiRequest[];
  /** How often each kind was requested. */
  countByKind(): Record<string, number>;
  /** What broke the contract; `assertValid` throws when there is any. */
  violations: string[];
  assertValid(): void;
  /** Answers instead of the server, once for each entry, before anything else. */
  answers: (Aimed & { status: number; body: unknown; headers?: Record<string, string> })[];
  /** Requests that are carried out and whose answer is lost, once for each entry. */
  lostAnswers: Aimed[];
  /** The same, and the answer breaks off in its middle. */
  cutAnswers: Aimed[];
  /** Called before each request is answered, for what happens at that moment. */
  onRequest?: ((request: { method: string; path: string }) => Promise<void>) | undefined;
  accounts: Accounts;
  profile: Profile;
  comments: Comments;
  checks: Checks;
  /** As the repository's setting does. */
  mayCreatePullRequests: boolean;
  pullRequests(): Promise<PullRequestReply[]>;
  /** From then on its head is in that repository. */
  makeFork(number: number, repository: string): void;
  /** Closes a pull request; `merged` also brings its branch into the base of the real repository. */
  endPullRequest(number: number, end: "merged" | "closed"): Promise<void>;
  reopenPullRequest(number: number): Promise<void>;
  makeDraft(number: number): Promise<void>;
  /** Makes the repository private, with an owner whose plan has no drafts there. */
  useFreePlan(): void;
  /** Throws where the contract was broken: no test can forget to look. */
  close(): Promise<void>;
};

/** `token` is the job's own, of `github-actions[bot]`; `git` runs git in the bare repository behind this API. */
export async function startGithubServer(options: {
  repository: string;
  token: string;
  git(...args: string[]): Promise<string>;
}): Promise<GithubServer> {
  const { repository, token, git } = options;
  const contract = await loadContract();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const repositoryUrl = `${apiUrl}/repos/${repository}`;
  const accounts = new Accounts(apiUrl, token);
  const comments = new Comments(accounts, repositoryUrl);
  const profile = new Profile();
  const hasCommit = (sha: string) =>
    git("cat-file", "-e", `${sha}^{commit}`).then(
      () => true,
      () => false,
    );
  const checks = new Checks(accounts, repositoryUrl, hasCommit);
  const pulls = await openPulls({ apiUrl, repository, token, accounts, git });
  const state: GithubServer = {
    apiUrl,
    repository,
    requests: [],
    countByKind: () => {
      const counts = new Map<string, number>();
      for (const { kind } of state.requests) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return Object.fromEntries(counts);
    },
    violations: [],
    assertValid() {
      if (state.violations.length > 0)
        throw new Error(`against GitHub's API:\n${state.violations.join("\n")}`);
    },
    answers: [],
    lostAnswers: [],
    cutAnswers: [],
    accounts,
    profile,
    comments,
    checks,
    get mayCreatePullRequests() {
      return pulls.mayCreate;
    },
    set mayCreatePullRequests(may: boolean) {
      pulls.mayCreate = may;
    },
    pullRequests: pulls.list,
    makeFork: (number, fork) => void pulls.forks.set(number, fork),
    endPullRequest: pulls.end,
    reopenPullRequest: pulls.reopen,
    makeDraft: pulls.makeDraft,
    useFreePlan() {
      accounts.isPrivate = true;
      pulls.plan = "free";
    },
    close: async () => {
      await pulls.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      const broken = state.violations.splice(0);
      if (broken.length > 0) throw new Error(`against GitHub's API:\n${broken.join("\n")}`);
    },
  };
  return state;

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", apiUrl);
    const request = await readRequest(incoming, url);
    const { method, path, query, body } = request;
    await state.onRequest?.({ method, path });
    const operation = contract.match(method, path);
    const reply = take(state.answers, request) ?? (await answerTo(request, operation, url.search));
    const isLost = take(state.lostAnswers, request) !== undefined;
    const isCut = take(state.cutAnswers, request) !== undefined;
    const kind = `${method} ${operation?.path ?? path}`;
    state.requests.push({ method, path, kind, query, body, status: isLost || isCut ? 0 : reply.status });
    if (isLost) {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(reply.status, { "content-type": "application/json; charset=utf-8", ...reply.headers });
    const text = reply.status === 204 ? "" : JSON.stringify(reply.body);
    if (isCut) response.write(text.slice(0, text.length / 2), () => incoming.socket.destroy());
    else response.end(text);
  }

  async function answerTo(
    request: PlainRequest,
    operation: Operation | undefined,
    search: string,
  ): Promise<Reply> {
    const name = `${request.method} ${request.path}`;
    const token = /^(?:token|bearer) (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const account = accounts.byToken(token);
    if (!account) return { status: 401, body: { message: "Bad credentials" } };
    if (!operation) return broken(`${name} is not in the slice of the API`);
    const wrong = contract.checkRequest(operation, request);
    if (wrong) return broken(`${name}: request ${wrong}`);
    const mock = () => contract.mock(operation);
    const reply =
      profile.refuse(request) ??
      (await refuseUnknown(request)) ??
      answerOfRepository(request, account, mock) ??
      (await answerOwn(request, account, mock)) ??
      (await pulls.answer(request, search));
    const unfit = contract.checkReply(operation, reply);
    return unfit ? broken(`${name}: answer ${unfit}`) : reply;
  }

  /** Comments of what is no pull request. Those that a test wrote make theirs known. */
  async function refuseUnknown({ path }: PlainRequest): Promise<Reply | undefined> {
    const number = Number(/\/issues\/(\d+)\/comments$/.exec(path)?.[1] ?? 0);
    if (number === 0 || profile.numbers.has(number) || comments.all.some((one) => one.pullRequest === number))
      return undefined;
    const known = await pulls.list();
    return known.some((one) => one.number === number) ? undefined : notFound();
  }

  function answerOfRepository(
    { method, path }: PlainRequest,
    account: Account,
    mock: () => Record<string, unknown>,
  ): Reply | undefined {
    if (method === "GET" && path === `/repos/${repository}`) {
      const fields = { full_name: repository, default_branch: "main", private: accounts.isPrivate };
      return { status: 200, body: { ...mock(), archived: false, ...fields } };
    }
    const secrets = /\/actions\/(organization-)?secrets$/.exec(path);
    if (secrets) {
      const found = secrets[1] === undefined ? profile.secrets : profile.organizationSecrets;
      if (account.app || !["write", "maintain", "admin"].includes(accounts.roleOf(account)))
        return refusal(403, "Resource not accessible by integration");
      const at = "2026-11-01T00:00:00Z";
      const listed = found?.map((name) => ({ name, created_at: at, updated_at: at }));
      return listed ? { status: 200, body: { total_count: listed.length, secrets: listed } } : notFound();
    }
    if (!path.endsWith("/actions/permissions/workflow")) return undefined;
    if (accounts.roleOf(account) !== "admin") return refusal(403, "Resource not accessible by integration");
    return {
      status: 200,
      body: { default_workflow_permissions: "read", can_approve_pull_request_reviews: pulls.mayCreate },
    };
  }

  /** What `emulate` lacks or has wrong. */
  async function answerOwn(
    request: PlainRequest,
    account: Account,
    mock: () => Record<string, unknown>,
  ): Promise<Reply | undefined> {
    const permission = /\/collaborators\/([^/]+)\/permission$/.exec(request.path)?.[1];
    if (permission !== undefined) return accounts.permission(decodeURIComponent(permission));
    const [, org, team, login] =
      /^\/orgs\/([^/]+)\/teams\/([^/]+)(?:\/memberships\/([^/]+))?$/.exec(request.path) ?? [];
    if (login !== undefined) return accounts.membership(`${org}/${team}`, decodeURIComponent(login));
    if (team !== undefined) {
      return accounts.teams.has(`${org}/${team}`)
        ? { status: 200, body: { ...mock(), slug: team } }
        : notFound();
    }
    // Kept nowhere: tests look at the requests.
    if (/\/actions\/workflows\/[^/]+\/dispatches$/.test(request.path))
      return request.path.includes("no-such") ? notFound() : { status: 204, body: undefined };
    const dress = /\/(labels|assignees|requested_reviewers)$/.exec(request.path)?.[1];
    const asked = (request.body ?? {}) as { assignees?: string[] };
    if (dress === "assignees")
      return { status: 201, body: { ...mock(), ...accounts.assigned(asked.assignees ?? []) } };
    if (dress) return dress === "labels" ? { status: 200, body: [] } : { status: 201, body: mock() };
    const made = await answerObjects(request, account, git);
    if (made) return made;
    return comments.answer(request, account) ?? (await checks.answer(request, account, mock));
  }

  function broken(violation: string): Reply {
    state.violations.push(violation);
    return { status: 400, body: { message: violation } };
  }
}

function take<T extends Aimed>(entries: T[], { method, path }: PlainRequest): T | undefined {
  const index = entries.findIndex((entry) => entry.method === method && entry.path.test(path));
  return index < 0 ? undefined : entries.splice(index, 1)[0];
}

async function readRequest(incoming: IncomingMessage, url: URL): Promise<PlainRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: text === "" ? undefined : JSON.parse(text),
    headers: Object.fromEntries(headers),
  };
}

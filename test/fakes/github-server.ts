// GitHub's REST API for tests: `emulate` keeps the state, this layer adds and corrects what it lacks or has wrong,
// and holds every request and every answer against GitHub's own OpenAPI description.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createEmulator } from "emulate";
import { OpenAPIBackend, type Operation } from "openapi-backend";

const CONTRACT = new URL("../data/github-api/openapi-slice.json", import.meta.url);

export type ApiRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  status: number;
};
export type GithubServer = {
  /** What GITHUB_API_URL is set to. */
  apiUrl: string;
  requests: ApiRequest[];
  /** What broke the contract; `assertValid` throws when there is any. */
  violations: string[];
  assertValid(): void;
  /** Answers instead of the server, once for each entry, before anything else. */
  answers: {
    method: string;
    path: RegExp;
    status: number;
    body: unknown;
    headers?: Record<string, string>;
  }[];
  /** As the repository's setting does. */
  mayCreatePullRequests: boolean;
  pullRequests(): Promise<PullRequestReply[]>;
  /** Closes a pull request; `merged` also brings its branch into the base of the real repository. */
  endPullRequest(number: number, end: "merged" | "closed"): Promise<void>;
  close(): Promise<void>;
};
export type PullRequestReply = {
  number: number;
  state: string;
  title: string;
  body: string | null;
  html_url: string;
  merged_at: string | null;
  head: { ref: string; sha: string };
  base: { ref: string; sha: string };
};

/** `git` runs git in the bare repository that stands behind this API. */
export async function startGithubServer(options: {
  repository: string;
  token: string;
  git(...args: string[]): Promise<string>;
}): Promise<GithubServer> {
  const [owner = "", name = ""] = options.repository.split("/");
  const contract = await loadContract();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { [options.token]: { login: owner, scopes: ["repo"] } },
      github: { users: [{ login: owner }], repos: [{ owner, name }] },
    },
  });
  const inside = new URL(emulator.url);
  inside.hostname = "127.0.0.1";
  const state: GithubServer = {
    apiUrl,
    requests: [],
    violations: [],
    answers: [],
    mayCreatePullRequests: true,
    assertValid() {
      if (state.violations.length > 0)
        throw new Error(`against GitHub's API:\n${state.violations.join("\n")}`);
    },
    pullRequests: async () => {
      const { body } = await ask("GET", `/repos/${owner}/${name}/pulls?state=all&per_page=100`, undefined);
      return body as PullRequestReply[];
    },
    endPullRequest,
    close: async () => {
      await emulator.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
  return state;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", apiUrl);
    const method = request.method ?? "GET";
    const text = await readAll(request);
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const query = Object.fromEntries(url.searchParams);
    const canned = takeAnswer(method, url.pathname);
    const reply = canned ?? (await answerTo(request, method, url, query, body));
    state.requests.push({ method, path: url.pathname, query, body, status: reply.status });
    response.writeHead(reply.status, { "content-type": "application/json; charset=utf-8", ...reply.headers });
    response.end(JSON.stringify(reply.body));
  }

  function takeAnswer(method: string, path: string) {
    const index = state.answers.findIndex((answer) => answer.method === method && answer.path.test(path));
    return index < 0 ? undefined : state.answers.splice(index, 1)[0];
  }

  async function answerTo(
    request: IncomingMessage,
    method: string,
    url: URL,
    query: Record<string, string>,
    body: unknown,
  ): Promise<Reply> {
    const token = /^(?:token|bearer) (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    // `emulate` takes an unknown token for its first user.
    if (token !== options.token) return { status: 401, body: { message: "Bad credentials" } };
    const operation = contract.match(method, url.pathname);
    if (!operation) return broken(`${method} ${url.pathname} is not in the slice of the API`);
    const wrong = contract.checkRequest(operation, {
      method,
      path: url.pathname,
      query,
      body,
      headers: plainHeaders(request),
    });
    if (wrong) return broken(`${method} ${url.pathname}: request ${wrong}`);
    const refused = await refuse(method, url.pathname, body);
    if (refused) return refused;
    const reply = await ask(method, url.pathname + url.search, body);
    const unfit = contract.checkReply(operation, reply);
    return unfit ? broken(`${method} ${url.pathname}: answer ${unfit}`) : reply;
  }

  function broken(violation: string): Reply {
    state.violations.push(violation);
    return { status: 400, body: { message: violation } };
  }

  /** What GitHub refuses and `emulate` does not. */
  async function refuse(method: string, path: string, body: unknown): Promise<Reply | undefined> {
    const given = new Map(Object.entries((body ?? {}) as Record<string, unknown>));
    const text = given.get("body");
    if (typeof text === "string" && text.length > 65_536)
      return invalid("body is too long (maximum is 65536 characters)");
    if (method !== "POST" || !path.endsWith("/pulls")) return undefined;
    if (!state.mayCreatePullRequests) {
      return {
        status: 403,
        body: {
          message: "GitHub Actions is not permitted to create or approve pull requests.",
          documentation_url: "https://docs.github.com/rest/pulls/pulls#create-a-pull-request",
          status: "403",
        },
      };
    }
    const head = String(given.get("head")).replace(`${owner}:`, "");
    const base = String(given.get("base"));
    const tips = await Promise.all([tipOf(head), tipOf(base)]);
    if (!tips[0] || !tips[1]) return invalid(undefined, tips[0] ? "base" : "head");
    if (tips[0] === tips[1]) return invalid(`No commits between ${base} and ${head}`);
    const open = (await state.pullRequests()).find((one) => one.head.ref === head && one.state === "open");
    return open ? invalid(`A pull request already exists for ${owner}:${head}.`) : undefined;
  }

  async function ask(method: string, path: string, body: unknown): Promise<Reply> {
    const reply = await fetch(new URL(path, inside), {
      method,
      headers: { authorization: `Bearer ${options.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const link = reply.headers.get("link");
    return {
      status: reply.status,
      body: await withRealCommits(JSON.parse((await reply.text()).replaceAll(emulator.url, apiUrl))),
      ...(link ? { headers: { link } } : {}),
    };
  }

  /** `emulate` makes branches up; the commits are those of the real repository. */
  async function withRealCommits(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map(withRealCommits));
    const reply = value as Partial<PullRequestReply>;
    for (const side of [reply.head, reply.base]) {
      const tip = side?.ref ? await tipOf(side.ref) : undefined;
      if (side && tip) side.sha = tip;
    }
    return value;
  }

  function tipOf(branch: string): Promise<string | undefined> {
    return options.git("rev-parse", "--verify", "-q", `refs/heads/${branch}`).catch(() => undefined);
  }

  async function endPullRequest(number: number, end: "merged" | "closed"): Promise<void> {
    const path = `/repos/${owner}/${name}/pulls/${number}`;
    if (end === "closed") {
      await ask("PATCH", path, { state: "closed" });
      return;
    }
    const { body } = await ask("GET", path, undefined);
    const { head, base } = body as PullRequestReply;
    const tree = (await options.git("merge-tree", "--write-tree", base.sha, head.sha)).split("\n")[0] ?? "";
    const commit = await options.git(
      "commit-tree",
      tree,
      "-p",
      base.sha,
      "-p",
      head.sha,
      "-m",
      `Merge #${number}`,
    );
    await options.git("update-ref", `refs/heads/${base.ref}`, commit);
    await ask("PUT", `${path}/merge`, {});
  }
}

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

function invalid(message: string | undefined, field?: string): Reply {
  const error = message
    ? { resource: "PullRequest", code: "custom", message }
    : { resource: "PullRequest", field, code: "invalid" };
  return {
    status: 422,
    body: {
      message: "Validation Failed",
      errors: [error],
      documentation_url: "https://docs.github.com/rest",
    },
  };
}

async function loadContract() {
  const definition = JSON.parse(readFileSync(CONTRACT, "utf8"));
  const api = new OpenAPIBackend({
    definition,
    quick: true,
    strict: false,
    ajvOpts: { strict: false, formats: formats() },
  });
  await api.init();
  return {
    match(method: string, path: string): Operation | undefined {
      return api.matchOperation({ method, path, headers: {} });
    },
    checkRequest(
      operation: Operation,
      request: {
        method: string;
        path: string;
        query: Record<string, string>;
        body: unknown;
        headers: Record<string, string>;
      },
    ): string | undefined {
      return problems(api.validateRequest(request, operation));
    },
    checkReply(operation: Operation, reply: Reply): string | undefined {
      return problems(api.validateResponse(reply.body, operation, reply.status));
    },
  };
}

function formats() {
  return {
    "date-time": true,
    uri: true,
    "uri-template": true,
    email: true,
    int64: true,
    ipv4: true,
    hostname: true,
    "repo.nwo": true,
  } as const;
}

function problems(result: { valid: boolean; errors?: { instancePath: string; message?: string }[] | null }) {
  if (result.valid) return undefined;
  return (result.errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join("; ");
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

// Check runs and attempts of workflow runs of the local GitHub server.
import type { Account, Accounts } from "./github-server-accounts.ts";
import { invalid, notFound, type PlainRequest, type Reply, refusal } from "./github-server-contract.ts";

export type StoredCheck = {
  id: number;
  headSha: string;
  name: string;
  externalId: string;
  status: string;
  conclusion: string | null;
  detailsUrl: string | null;
  title: string | null;
  summary: string | null;
  app: { id: number; slug: string };
};

const ONE = /^\/repos\/[^/]+\/[^/]+\/check-runs\/(\d+)$/;
const OF_COMMIT = /^\/repos\/[^/]+\/[^/]+\/commits\/([^/]+)\/check-runs$/;
const ATTEMPT = /^\/repos\/[^/]+\/[^/]+\/actions\/runs\/(\d+)\/attempts\/(\d+)$/;

export class Checks {
  readonly all: StoredCheck[] = [];
  /** `checks: write` of the job's permissions. */
  mayWrite = true;
  /** `actions: read` of the job's permissions. */
  mayReadRuns = true;
  /** Status by `<run id>.<attempt>`: `in_progress`, `completed` … */
  readonly runs = new Map<string, string>();
  readonly #accounts: Accounts;
  readonly #repositoryUrl: string;
  readonly #hasCommit: (sha: string) => Promise<boolean>;
  #lastId = 3_000_000;

  constructor(accounts: Accounts, repositoryUrl: string, hasCommit: (sha: string) => Promise<boolean>) {
    this.#accounts = accounts;
    this.#repositoryUrl = repositoryUrl;
    this.#hasCommit = hasCommit;
  }

  /** Checks of another server, in place of these. */
  restore(checks: readonly StoredCheck[]): void {
    this.all.splice(0, this.all.length, ...structuredClone([...checks]));
    this.#lastId = Math.max(this.#lastId, ...checks.map(({ id }) => id));
  }

  /** `mock`: an answer of the operation with made-up values. */
  async answer(
    request: PlainRequest,
    account: Account,
    mock: () => Record<string, unknown>,
  ): Promise<Reply | undefined> {
    const { method, path } = request;
    const attempt = ATTEMPT.exec(path);
    if (attempt) return this.#attempt(`${attempt[1]}.${attempt[2]}`, mock);
    const commit = OF_COMMIT.exec(path)?.[1];
    const isCheck = commit !== undefined || ONE.test(path) || path.endsWith("/check-runs");
    if (!isCheck) return undefined;
    if (!this.mayWrite) return refusal(403, "Resource not accessible by integration");
    if (commit !== undefined) return this.#list(commit, request.query);
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const { actions } = fields as { actions?: unknown[] };
    if (actions && actions.length > 3) return invalid("CheckRun", "actions is too long (maximum is 3)");
    if (method === "POST") return this.#create(fields, account);
    const check = this.all.find(({ id }) => id === Number(ONE.exec(path)?.[1]));
    if (!check) return notFound();
    if (method === "PATCH") {
      if (check.app.id !== account.app?.id) return refusal(403, "Invalid app_id");
      lay(check, fields);
    }
    return { status: 200, body: this.reply(check) };
  }

  async #create(fields: Record<string, unknown>, { app }: Account): Promise<Reply> {
    if (!app) return refusal(403, "You must authenticate via a GitHub App.");
    const headSha = String(fields.head_sha);
    if (!(await this.#hasCommit(headSha))) return invalid("CheckRun", `No commit found for SHA: ${headSha}`);
    const check: StoredCheck = {
      id: ++this.#lastId,
      headSha,
      name: "",
      externalId: "",
      status: "queued",
      conclusion: null,
      detailsUrl: null,
      title: null,
      summary: null,
      app,
    };
    lay(check, fields);
    this.all.push(check);
    return { status: 201, body: this.reply(check) };
  }

  #list(commit: string, query: Record<string, string>): Reply {
    const found = this.all.filter(
      ({ headSha, name }) =>
        headSha === commit && (query.check_name === undefined || name === query.check_name),
    );
    return {
      status: 200,
      body: { total_count: found.length, check_runs: found.map((check) => this.reply(check)) },
    };
  }

  #attempt(id: string, mock: () => Record<string, unknown>): Reply {
    if (!this.mayReadRuns) return refusal(403, "Resource not accessible by integration");
    const status = this.runs.get(id);
    if (status === undefined) return notFound();
    const conclusion = status === "completed" ? "success" : null;
    return { status: 200, body: { ...mock(), id: Number(id.split(".")[0]), status, conclusion } };
  }

  /** The `check-run` of GitHub's API. */
  reply(check: StoredCheck) {
    const url = `${this.#repositoryUrl}/check-runs/${check.id}`;
    const isDone = check.status === "completed";
    return {
      id: check.id,
      head_sha: check.headSha,
      node_id: `CR_${check.id}`,
      external_id: check.externalId,
      url,
      html_url: url.replace("/repos/", "/"),
      details_url: check.detailsUrl,
      status: check.status,
      conclusion: check.conclusion,
      started_at: "2026-01-01T00:00:00Z",
      completed_at: isDone ? "2026-01-01T00:00:00Z" : null,
      output: {
        title: check.title,
        summary: check.summary,
        text: null,
        annotations_count: 0,
        annotations_url: `${url}/annotations`,
      },
      name: check.name,
      check_suite: { id: 1 },
      app: this.#accounts.appReply(check.app),
      pull_requests: [],
    };
  }
}

function lay(check: StoredCheck, fields: Record<string, unknown>): void {
  const { name, external_id, details_url, conclusion, status, output } = fields as Record<string, string> & {
    output?: { title?: string; summary?: string };
  };
  if (name !== undefined) check.name = name;
  if (external_id !== undefined) check.externalId = external_id;
  if (details_url !== undefined) check.detailsUrl = details_url;
  if (conclusion !== undefined) Object.assign(check, { conclusion, status: "completed" });
  else if (status !== undefined) check.status = status;
  if (output) Object.assign(check, { title: output.title ?? null, summary: output.summary ?? null });
}

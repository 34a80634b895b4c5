// Pull requests of the local GitHub server: `emulate` keeps them, this corrects what it has wrong.
import { createEmulator } from "emulate";
import { ACTIONS, type Accounts } from "./github-server-accounts.ts";
import { invalid, type PlainRequest, type Reply, refusal } from "./github-server-contract.ts";

export type PullRequestReply = {
  number: number;
  state: string;
  title: string;
  body: string | null;
  html_url: string;
  merged_at: string | null;
  draft: boolean;
  head: { ref: string; sha: string; repo: { full_name: string } };
  base: { ref: string; sha: string };
};

export type Pulls = Awaited<ReturnType<typeof openPulls>>;

/** `git` runs git in the bare repository that stands behind this API. */
export async function openPulls(options: {
  apiUrl: string;
  repository: string;
  token: string;
  accounts: Accounts;
  git(...args: string[]): Promise<string>;
}) {
  const { apiUrl, token, git, accounts } = options;
  const [owner = "", name = ""] = options.repository.split("/");
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { [token]: { login: owner, scopes: ["repo"] } },
      github: { users: [{ login: owner }], repos: [{ owner, name }] },
    },
  });
  const inside = new URL(emulator.url);
  inside.hostname = "127.0.0.1";
  const pulls = {
    /** As the repository's setting does. */
    mayCreate: true,
    /** The plan of the owner: on the free one, private repositories have no drafts. */
    plan: "team" as "free" | "team",
    /** Pull requests that stand as if their head were in another repository, by number. */
    forks: new Map<number, string>(),
    /** The heads at the moment of the merge, by number: what is pushed later is no part of the pull request. */
    mergedHeads: new Map<number, string>(),
    answer,
    list,
    end,
    /** As a person does, or as an earlier version did. */
    makeDraft: async (number: number) =>
      void (await ask("PATCH", `/repos/${owner}/${name}/pulls/${number}`, { draft: true })),
    reopen: async (number: number) =>
      void (await ask("PATCH", `/repos/${owner}/${name}/pulls/${number}`, { state: "open" })),
    close: () => emulator.close(),
  };
  return pulls;

  async function answer(request: PlainRequest, search: string): Promise<Reply> {
    return (await refuse(request)) ?? ask(request.method, request.path + search, request.body);
  }

  async function list(): Promise<PullRequestReply[]> {
    const { body } = await ask("GET", `/repos/${owner}/${name}/pulls?state=all&per_page=100`, undefined);
    return body as PullRequestReply[];
  }

  /** What GitHub refuses and `emulate` does not. */
  async function refuse({ method, path, body }: PlainRequest): Promise<Reply | undefined> {
    const given = new Map(Object.entries((body ?? {}) as Record<string, unknown>));
    const text = given.get("body");
    if (typeof text === "string" && text.length > 65_536)
      return invalid("PullRequest", "body is too long (maximum is 65536 characters)");
    const title = given.get("title");
    if (typeof title === "string" && title.length > 256)
      return invalid("PullRequest", "title is too long (maximum is 256 characters)");
    if (method !== "POST" || !path.endsWith("/pulls")) return undefined;
    if (given.get("draft") === true && accounts.isPrivate && pulls.plan === "free")
      return refusal(422, "Draft pull requests are not supported in this repository.");
    if (!pulls.mayCreate)
      return refusal(403, "GitHub Actions is not permitted to create or approve pull requests.");
    const head = String(given.get("head")).replace(`${owner}:`, "");
    const base = String(given.get("base"));
    const tips = await Promise.all([tipOf(head), tipOf(base)]);
    if (!tips[0] || !tips[1]) return invalid("PullRequest", undefined, tips[0] ? "base" : "head");
    if (tips[0] === tips[1]) return invalid("PullRequest", `No commits between ${base} and ${head}`);
    const open = (await list()).find((one) => one.head.ref === head && one.state === "open");
    return open ? invalid("PullRequest", `A pull request already exists for ${owner}:${head}.`) : undefined;
  }

  async function ask(method: string, path: string, body: unknown): Promise<Reply> {
    const reply = await fetch(new URL(path, inside), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const link = reply.headers.get("link");
    return {
      status: reply.status,
      body: await corrected(JSON.parse((await reply.text()).replaceAll(emulator.url, apiUrl))),
      ...(link ? { headers: { link } } : {}),
    };
  }

  /** `emulate` makes branches up: the commits are those of the real repository, the author is who has the token. */
  async function corrected(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map(corrected));
    const reply = value as Partial<PullRequestReply> & { user?: unknown };
    for (const side of [reply.head, reply.base]) {
      const tip = side?.ref ? await tipOf(side.ref) : undefined;
      if (side && tip) side.sha = tip;
    }
    if (reply.head) reply.user = accounts.reply(accounts.need(ACTIONS.login));
    const merged = pulls.mergedHeads.get(reply.number ?? 0);
    if (reply.head && merged !== undefined) reply.head.sha = merged;
    const fork = reply.head && pulls.forks.get(reply.number ?? 0);
    if (fork !== undefined && reply.head) reply.head.repo = { ...reply.head.repo, full_name: fork };
    return value;
  }

  function tipOf(branch: string): Promise<string | undefined> {
    return git("rev-parse", "--verify", "-q", `refs/heads/${branch}`).catch(() => undefined);
  }

  /** Closes a pull request; `merged` also brings its branch into the base of the real repository. */
  async function end(number: number, how: "merged" | "closed"): Promise<void> {
    const path = `/repos/${owner}/${name}/pulls/${number}`;
    if (how === "closed") {
      await ask("PATCH", path, { state: "closed" });
      return;
    }
    const { body } = await ask("GET", path, undefined);
    const { head, base, draft } = body as PullRequestReply;
    // Who merges has marked it as ready before.
    if (draft) await ask("PATCH", path, { draft: false });
    const tree = (await git("merge-tree", "--write-tree", base.sha, head.sha)).split("\n")[0] ?? "";
    const parents = ["-p", base.sha, "-p", head.sha];
    const commit = await git("commit-tree", tree, ...parents, "-m", `Merge #${number}`);
    await git("update-ref", `refs/heads/${base.ref}`, commit);
    await ask("PUT", `${path}/merge`, {});
    pulls.mergedHeads.set(number, head.sha);
  }
}

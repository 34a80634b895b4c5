// Comments and reactions of the local GitHub server. People write here too, with `say`, `edit` and `delete`.
import type { Account, Accounts } from "./github-server-accounts.ts";
import { invalid, notFound, type PlainRequest, paged, type Reply } from "./github-server-contract.ts";

export type StoredComment = {
  id: number;
  pullRequest: number;
  author: Account;
  app?: { id: number; slug: string };
  body: string;
  createdAt: string;
  updatedAt: string;
  reactions: { id: number; content: string; author: Account }[];
};

const LIST = /^\/repos\/[^/]+\/[^/]+\/issues\/(\d+)\/comments$/;
const RECENT = /^\/repos\/[^/]+\/[^/]+\/issues\/comments$/;
const ONE = /^\/repos\/[^/]+\/[^/]+\/issues\/comments\/(\d+)$/;
const REACTIONS = /^\/repos\/[^/]+\/[^/]+\/issues\/comments\/(\d+)\/reactions$/;

export class Comments {
  /** Every comment that was not deleted, oldest first. */
  all: StoredComment[] = [];
  /** Edits may come within the second in which their comment was written; else they come a second later. */
  hasQuickEditors = false;
  /** Seconds that are added to the server's clock. */
  aheadSeconds = 0;
  readonly #accounts: Accounts;
  readonly #repositoryUrl: string;
  #lastId = 2_000_000;

  constructor(accounts: Accounts, repositoryUrl: string) {
    this.#accounts = accounts;
    this.#repositoryUrl = repositoryUrl;
  }

  /** A person writes; `createdAt` (ISO 8601) for another time than now. */
  say(
    login: string,
    body: string,
    where: { pullRequest?: number; createdAt?: string; app?: StoredComment["app"] } = {},
  ) {
    const author = this.#accounts.need(login);
    return this.#add(
      author,
      where.pullRequest ?? 1,
      body,
      where.createdAt ?? this.now(),
      where.app ?? author.app,
    );
  }

  /** Comments of another server, in place of these. */
  restore(comments: readonly StoredComment[]): void {
    this.all = structuredClone([...comments]);
    const ids = comments.flatMap(({ id, reactions }) => [id, ...reactions.map((reaction) => reaction.id)]);
    this.#lastId = Math.max(this.#lastId, ...ids);
  }

  edit(id: number, body: string): void {
    const comment = this.need(id);
    comment.body = body;
    comment.updatedAt = this.now();
    // GitHub's clock has seconds: an edit in the comment's own one can't be seen.
    if (comment.updatedAt <= comment.createdAt && !this.hasQuickEditors)
      comment.updatedAt = isoSeconds(Date.parse(comment.createdAt) + 1000);
  }

  delete(id: number): void {
    this.all = this.all.filter((comment) => comment.id !== id);
  }

  need(id: number): StoredComment {
    const found = this.all.find((comment) => comment.id === id);
    if (!found) throw new Error(`there is no comment ${id}`);
    return found;
  }

  /** What stands under a comment, by anybody. */
  reactionsOf(id: number): string[] {
    return this.need(id).reactions.map(({ content }) => content);
  }

  /** ISO 8601, whole seconds, as GitHub has it. */
  now(): string {
    return isoSeconds(Date.now() + this.aheadSeconds * 1000);
  }

  answer(request: PlainRequest, account: Account): Reply | undefined {
    const { method, path } = request;
    const list = LIST.exec(path)?.[1];
    if (list !== undefined) return this.#answerList(request, Number(list), account);
    if (RECENT.test(path)) return this.#list(request, this.all);
    const one = ONE.exec(path)?.[1] ?? REACTIONS.exec(path)?.[1];
    if (one === undefined) return undefined;
    const comment = this.all.find(({ id }) => id === Number(one));
    if (!comment) return notFound();
    if (REACTIONS.test(path)) return this.#react(comment, request, account);
    if (method === "DELETE") {
      this.delete(comment.id);
      return { status: 204, body: undefined };
    }
    if (method === "PATCH") {
      const refused = refuseBody(request.body);
      if (refused) return refused;
      this.edit(comment.id, bodyOf(request.body));
    }
    return { status: 200, body: this.reply(comment) };
  }

  #answerList(request: PlainRequest, pullRequest: number, account: Account): Reply {
    const { method, body } = request;
    if (method === "POST") {
      const refused = refuseBody(body);
      if (refused) return refused;
      const added = this.#add(account, pullRequest, bodyOf(body), this.now(), account.app);
      return { status: 201, body: this.reply(added) };
    }
    return this.#list(
      request,
      this.all.filter((one) => one.pullRequest === pullRequest),
    );
  }

  #list({ query, path }: PlainRequest, comments: readonly StoredComment[]): Reply {
    // By the last change, as GitHub does.
    const since = query.since === undefined ? 0 : Date.parse(query.since);
    const found = comments.filter((one) => Date.parse(one.updatedAt) >= since);
    const url = this.#repositoryUrl.replace(/\/repos\/.*$/, path);
    return paged(
      found.map((comment) => this.reply(comment)),
      query,
      url,
    );
  }

  #react(comment: StoredComment, { method, body, query, path }: PlainRequest, author: Account): Reply {
    const reply = (reaction: StoredComment["reactions"][number]) => ({
      id: reaction.id,
      node_id: `R_${reaction.id}`,
      user: this.#accounts.reply(reaction.author),
      content: reaction.content,
      created_at: comment.createdAt,
    });
    if (method === "GET") return paged(comment.reactions.map(reply), query, path);
    const { content } = body as { content: string };
    const same = comment.reactions.find((one) => one.content === content && one.author.id === author.id);
    if (same) return { status: 200, body: reply(same) };
    const added = { id: ++this.#lastId, content, author };
    comment.reactions.push(added);
    return { status: 201, body: reply(added) };
  }

  #add(author: Account, pullRequest: number, body: string, createdAt: string, app: StoredComment["app"]) {
    const comment: StoredComment = {
      id: ++this.#lastId,
      pullRequest,
      author,
      ...(app ? { app } : {}),
      // GitHub keeps the line ends of web forms.
      body,
      createdAt: isoSeconds(Date.parse(createdAt)),
      updatedAt: isoSeconds(Date.parse(createdAt)),
      reactions: [],
    };
    this.all.push(comment);
    return comment;
  }

  /** The `issue-comment` of GitHub's API; a deleted account's has no user. */
  reply(comment: StoredComment) {
    const url = `${this.#repositoryUrl}/issues/comments/${comment.id}`;
    const issue = `${this.#repositoryUrl}/issues/${comment.pullRequest}`;
    return {
      id: comment.id,
      node_id: `IC_${comment.id}`,
      url,
      html_url: `${issue.replace("/repos/", "/")}#issuecomment-${comment.id}`,
      issue_url: issue,
      user: this.#accounts.has(comment.author.id) ? this.#accounts.reply(comment.author) : null,
      body: comment.body,
      created_at: comment.createdAt,
      updated_at: comment.updatedAt,
      // Unreliable: nothing may depend on it.
      author_association: "OWNER",
      performed_via_github_app: comment.app ? this.#accounts.appReply(comment.app) : null,
    };
  }
}

function bodyOf(body: unknown): string {
  return (body as { body: string }).body;
}

function refuseBody(body: unknown): Reply | undefined {
  const text = bodyOf(body);
  if (text.trim() === "") return invalid("IssueComment", undefined, "body");
  return text.length > 65_536
    ? invalid("IssueComment", "body is too long (maximum is 65536 characters)")
    : undefined;
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

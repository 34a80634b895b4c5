// Events as GitHub delivers them: real payloads, with the values of a test laid over them.
import { readFileSync } from "node:fs";
import type { GithubServer } from "./github-server.ts";
import type { Account } from "./github-server-accounts.ts";
import type { StoredComment } from "./github-server-comments.ts";

const EXAMPLES = new URL("../data/github-api/webhooks.json", import.meta.url);
const example = (name: string): Payload => JSON.parse(readFileSync(EXAMPLES, "utf8"))[name];

type Payload = Record<string, Record<string, unknown>>;
export type DeliveredEvent = { name: string; payload: unknown };

/** What GitHub delivers when a comment was made, changed or taken away. */
export function commentEvent(
  server: GithubServer,
  comment: StoredComment,
  action: "created" | "edited" | "deleted" = "created",
): DeliveredEvent {
  const payload = example("issue_comment");
  const { issue, repository } = payload;
  const html = `https://github.com/${server.repository}/pull/${comment.pullRequest}`;
  const url = `${server.apiUrl}/repos/${server.repository}/pulls/${comment.pullRequest}`;
  return {
    name: "issue_comment",
    payload: {
      ...payload,
      action,
      issue: {
        ...issue,
        number: comment.pullRequest,
        html_url: html,
        pull_request: {
          url,
          html_url: html,
          diff_url: `${html}.diff`,
          patch_url: `${html}.patch`,
          merged_at: null,
        },
      },
      comment: server.comments.reply(comment),
      repository: {
        ...repository,
        full_name: server.repository,
        default_branch: "main",
        private: server.accounts.isPrivate,
      },
      sender: server.accounts.reply(comment.author),
    },
  };
}

/** What GitHub delivers when a bot dispatched an answer. */
export function answerEvent(server: GithubServer, sender: Account, said: unknown): DeliveredEvent {
  const payload = example("repository_dispatch");
  return {
    name: "repository_dispatch",
    payload: {
      ...payload,
      action: "looplia-answer",
      branch: "main",
      client_payload: said,
      repository: { ...payload.repository, full_name: server.repository, default_branch: "main" },
      sender: server.accounts.reply(sender),
    },
  };
}

// Events that bring a person's word: they wake the work of a pull request, and are themselves no answer. Pure.
import type { PullRequestDetails } from "../ports/repository.ts";
import { valueAt } from "../session/json.ts";
import type { EventFacts, Refusal } from "./event.ts";
import { countOf, textOf } from "./payload.ts";
import { isAllowedBot } from "./who-may.ts";

/** What an allowed bot says for a person (`sender`, a login). */
export type Dispatched = { command: string; sender: string; bot: { id: number; login: string } };
/** A pull request whose comments are to be read. */
export type Wake = { pullRequest: number; dispatched?: Dispatched };

const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * What an `issue_comment` or a `looplia-answer` dispatch asks for, or why it asks for nothing; undefined for every other
 * event. Whose pull request it is has to be looked up: `findWork`.
 */
export function respondTo(
  event: EventFacts,
  settings: { allowedBots: readonly string[] },
): Wake | Refusal | undefined {
  if (event.name === "issue_comment") return readComment(event.payload);
  const isAnswer =
    event.name === "repository_dispatch" && valueAt(event.payload, "action") === "looplia-answer";
  return isAnswer ? readDispatch(event.payload, settings.allowedBots) : undefined;
}

/** The id of the work that a pull request carries, or why it carries none. `repository`: `owner/name`. */
export function findWork(
  pullRequest: PullRequestDetails | undefined,
  own: { repository: string; branchPrefix: string },
): { workId: string } | Refusal {
  if (!pullRequest) return noCommand("there is no such pull request");
  const { branch, headRepository } = pullRequest;
  if (headRepository?.toLowerCase() !== own.repository.toLowerCase()) {
    return {
      reasonCode: "fork-or-untrusted-event",
      message: "the pull request comes from a fork: comments on it have no effect",
    };
  }
  const workId = branch.startsWith(own.branchPrefix) ? branch.slice(own.branchPrefix.length) : "";
  if (/^[a-z0-9][a-z0-9-]{0,80}$/.test(workId)) return { workId };
  return noCommand(`the branch ${branch} is no work branch: those begin with ${own.branchPrefix}`);
}

function readComment(payload: unknown): Wake | Refusal {
  if (valueAt(payload, "action") !== "created") return noCommand("only new comments are read");
  if (!valueAt(payload, "issue", "pull_request")) return noCommand("the comment is not on a pull request");
  const pullRequest = countOf(valueAt(payload, "issue", "number"));
  const isPlain = !/^\s*\//.test(textOf(valueAt(payload, "comment", "body"))?.replace(/^\ufeff/, "") ?? "");
  return pullRequest === undefined || isPlain ? noCommand("the comment has no command") : { pullRequest };
}

function readDispatch(payload: unknown, allowedBots: readonly string[]): Wake | Refusal {
  const sender = valueAt(payload, "sender");
  const id = countOf(valueAt(sender, "id")) ?? 0;
  const login = textOf(valueAt(sender, "login")) ?? "";
  const isBot = valueAt(sender, "type") === "Bot";
  if (!isAllowedBot({ author: { id, login, isBot } }, allowedBots)) {
    const entry = isBot ? ` (\`${login.replace(/\[bot\]$/, "")}:${id}\` would be its entry)` : "";
    return {
      reasonCode: "not-permitted",
      message: `looplia-answer counts only from a bot in allowed-bots${entry}`,
    };
  }
  const said = valueAt(payload, "client_payload");
  const pullRequest = countOf(valueAt(said, "pullRequest"));
  const command = textOf(valueAt(said, "command"));
  const person = textOf(valueAt(said, "sender"));
  if (pullRequest === undefined || command === undefined || !person || !LOGIN.test(person)) {
    return noCommand("client_payload needs pullRequest (a number), command and sender (a login)");
  }
  return { pullRequest, dispatched: { command, sender: person, bot: { id, login } } };
}

function noCommand(message: string): Refusal {
  return { reasonCode: "no-command", message };
}

// People in our comments: only logins that the program knows become mentions, never text of others. Pure.
import { githubAccountOf, loginOf } from "../session/actor.ts";
import { listWords } from "./figures.ts";
import { codeSpan } from "./markdown.ts";

const LOGIN = /^[a-z\d](?:-?[a-z\d]){0,38}$/i;
const TEAM = /^@?[a-z\d](?:-?[a-z\d]){0,38}\/[a-z\d][\w-]{0,99}$/i;
/** Ringing more phones helps nobody. */
const MOST = 20;

/** The login of a person on GitHub; undefined for bots and for everything that is no account there. */
export function personOf(actorId: string): string | undefined {
  const login = githubAccountOf(actorId)?.login;
  return login !== undefined && LOGIN.test(login) ? login : undefined;
}

/** Rings a person's or a team's phone; what is no login is a word in code. */
export function mention(name: string): string {
  const bare = name.replace(/^@/, "");
  return LOGIN.test(bare) || TEAM.test(bare) ? `@${bare}` : codeSpan(bare);
}

/** `@a, @b and @c`, twenty at most. */
export function mentionAll(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, MOST).map(mention);
  const more = new Set(names).size - shown.length;
  return listWords(more > 0 ? [...shown, `${more} more`] : shown);
}

/** A person's name that rings nothing. */
export function nameOf(actorId: string): string {
  return codeSpan(loginOf(actorId));
}

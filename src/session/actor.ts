// Who did something: `github:<numeric id>:<login>`, `terminal:<user>`, `agent:<name>`, `looplia` (INTERFACE, 1). Pure.

/** The program itself: what it did on a schedule of its own was nobody's doing. */
export const PROGRAM = "looplia";
/** Somebody did it, and GitHub did not say who. */
export const UNKNOWN = "unknown";

/** GitHub's account of an actor; undefined for all others. The id stays when its owner changes the login. */
export function githubAccountOf(actorId: string): { id: string; login: string } | undefined {
  const [, id, login] = /^github:(\d+):(.+)$/.exec(actorId) ?? [];
  return id === undefined || login === undefined ? undefined : { id, login };
}

/** The login of GitHub's account, else the actor as it is. */
export function loginOf(actorId: string): string {
  return githubAccountOf(actorId)?.login ?? actorId;
}

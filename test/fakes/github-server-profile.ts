// What a repository's plan, a moderator, GitHub's limits and the job's permissions refuse, in GitHub's own words.
import { type PlainRequest, type Reply, refusal } from "./github-server-contract.ts";

type Level = "none" | "read" | "write";

const COMMENTS = /^\/repos\/[^/]+\/[^/]+\/issues\/(?:\d+\/comments|comments\/\d+(?:\/reactions)?)$/;
const PULLS = /^\/repos\/[^/]+\/[^/]+\/pulls(?:\/\d+)?$/;

export class Profile {
  /** Pull requests that are there though nobody opened them here. */
  readonly numbers = new Set<number>();
  /** Names of the secrets of the repository, and of its organisation, if it has one. */
  secrets: string[] = [];
  organizationSecrets: string[] | undefined;
  /** The conversation takes no new comments and reactions. */
  isLocked = false;
  /** What `permissions:` gives the job's token; checks and runs have theirs at `checks`. */
  readonly token: { issues: Level; pullRequests: Level } = { issues: "write", pullRequests: "write" };
  /** So many requests that make something are refused next. */
  readonly secondaryLimit = { left: 0, waitSeconds: 1 };

  refuse({ method, path }: PlainRequest): Reply | undefined {
    const isChange = method !== "GET";
    if (isChange && this.secondaryLimit.left > 0) {
      this.secondaryLimit.left -= 1;
      const message =
        "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.";
      return {
        ...refusal(403, message),
        headers: { "retry-after": String(this.secondaryLimit.waitSeconds) },
      };
    }
    if (!this.#isPermitted(path, isChange ? "write" : "read")) {
      return refusal(403, "Resource not accessible by integration");
    }
    if (!this.isLocked || method !== "POST" || !COMMENTS.test(path)) return undefined;
    const what = path.endsWith("/reactions") ? "reaction" : "comment";
    return refusal(403, `Unable to create ${what} because issue is locked.`);
  }

  /** Comments of a pull request take either permission. */
  #isPermitted(path: string, needed: Level): boolean {
    const { issues, pullRequests } = this.token;
    const given = COMMENTS.test(path) ? [issues, pullRequests] : PULLS.test(path) ? [pullRequests] : [needed];
    return given.some((level) => level === "write" || level === needed);
  }
}

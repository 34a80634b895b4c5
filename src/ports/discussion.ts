// The people's side of a pull request: comments, reactions, permissions, checks. Projections only, never the authority.

/** What GitHub says of who wrote something; null for an account that was deleted. */
export type CommentAuthor = { id: number; login: string; isBot: boolean } | null;

export type PullComment = {
  id: number;
  url: string;
  author: CommentAuthor;
  /** The app that posted it, if one did. */
  app?: { id: number; slug: string };
  body: string;
  /** ISO 8601; they differ once it was edited. */
  createdAt: string;
  updatedAt: string;
};

/** From the least to the most; `none` also where the account is unknown. */
export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export type Reaction = "eyes" | "rocket" | "confused";

export type CheckRun = {
  headSha: string;
  /** Continues this one instead of making another. */
  id?: number;
  name: string;
  /** `neutral` while a question is open. */
  conclusion: "neutral" | "success" | "failure" | "cancelled";
  title: string;
  /** Markdown. */
  summary: string;
  detailsUrl: string;
};

/** One repository's discussion. Fails with `host-failed`; every call is counted by GitHub, so none is made twice. */
export interface Discussion {
  /** Comments of a pull request created at or after `since` (ISO 8601), oldest first. */
  comments(pullRequest: number, since?: string): Promise<PullComment[]>;
  /** Once: where the acknowledgement was lost, the comment that is there is returned. */
  postComment(pullRequest: number, body: string): Promise<PullComment>;
  /** Undefined where somebody deleted it. */
  editComment(id: number, body: string): Promise<PullComment | undefined>;
  /** Adding the same reaction twice is one reaction. */
  react(commentId: number, reaction: Reaction): Promise<void>;
  /** The account's role in the repository at this moment, and its id as GitHub has it now. */
  permissionOf(login: string): Promise<{ role: Role; userId: number | undefined }>;
  /** Fails with `config-invalid` where the token can't read teams. */
  isTeamMember(team: { org: string; slug: string }, login: string): Promise<boolean>;
  /** Whether that attempt of a workflow run is still at work; undefined where that can't be read. */
  isRunLive(runId: string, attempt: string): Promise<boolean | undefined>;
  /** The check's id, or undefined where the token may not write checks. */
  saveCheck(check: CheckRun): Promise<number | undefined>;
}

// Who may decide: asked of GitHub for the author of a comment at the moment of decision. Pure but for what it asks.
import type { CommentAuthor, Discussion, PullComment, Role } from "../ports/discussion.ts";
import { githubAccountOf } from "../session/actor.ts";

export type PeopleSettings = {
  /** Logins and `@org/team`; empty: everybody with write access. */
  approvers: readonly string[];
  minApprovals: number;
  selfApproval: boolean;
  /** `slug:numeric-id` */
  allowedBots: readonly string[];
};

/** Somebody who may give commands here. */
export type Standing = {
  /** `github:<numeric id>:<login>` */
  actorId: string;
  permission: "write" | "maintain" | "admin" | "allowed-bot";
  isBot: boolean;
  /** The app that wrote it in the person's name, and that nobody allowed. */
  strangeApp?: string;
  /** Whether they may decide questions, and not only give other commands. */
  mayDecide: boolean;
};

type Asks = Pick<Discussion, "permissionOf" | "isTeamMember">;
type Author = { author: CommentAuthor; app?: PullComment["app"] };

/**
 * The standing of a comment's author, or undefined for everybody who has none: no write access (any more), an account
 * that is gone, a login that has passed to another account, a bot that is not allowed by slug and id. Teams are asked
 * only where `decides` and no login matches; fails with `config-invalid` where the token can't read teams.
 */
export async function findStanding(
  { author, app }: Author,
  settings: PeopleSettings,
  asks: Asks,
  decides: boolean,
): Promise<Standing | undefined> {
  if (author === null) return undefined;
  const actorId = `github:${author.id}:${author.login}`;
  const isAllowed = isAllowedBot({ author, ...(app ? { app } : {}) }, settings.allowedBots);
  if (author.isBot) {
    return isAllowed ? { actorId, permission: "allowed-bot", isBot: true, mayDecide: true } : undefined;
  }
  const { role, userId } = await asks.permissionOf(author.login);
  if (userId !== author.id || !hasWrite(role)) return undefined;
  const mayDecide = decides && (await isApprover(author.login, settings.approvers, asks));
  const strangeApp = app && !isAllowed ? { strangeApp: app.slug } : {};
  return { actorId, permission: role, isBot: false, mayDecide, ...strangeApp };
}

/** The standing of the person for whom an allowed bot dispatched a command. */
export async function findSenderStanding(
  login: string,
  settings: PeopleSettings,
  asks: Asks,
  decides: boolean,
): Promise<Standing | undefined> {
  const { role, userId } = await asks.permissionOf(login);
  if (userId === undefined || !hasWrite(role)) return undefined;
  const mayDecide = decides && (await isApprover(login, settings.approvers, asks));
  return { actorId: `github:${userId}:${login}`, permission: role, isBot: false, mayDecide };
}

/** Whether who decided something earlier might still do so: asked again just before it has its effect. */
export async function mayStillDecide(
  actorId: string,
  settings: PeopleSettings,
  asks: Asks,
): Promise<boolean> {
  const account = githubAccountOf(actorId);
  if (!account) return false;
  const slug = /^(.+)\[bot\]$/.exec(account.login)?.[1];
  if (slug !== undefined) return settings.allowedBots.some((entry) => entry.startsWith(`${slug}:`));
  const author = { id: Number(account.id), login: account.login, isBot: false };
  return (await findStanding({ author }, settings, asks, true))?.mayDecide === true;
}

/**
 * Whether `allowed-bots` names this bot by its slug together with the app's id or the id of its account. A login that
 * ends in `[bot]` alone is no authority.
 */
export function isAllowedBot({ author, app }: Author, allowedBots: readonly string[]): boolean {
  return allowedBots.some((entry) => {
    const [, slug, id] = /^([A-Za-z0-9][A-Za-z0-9-]*):([1-9]\d*)$/.exec(entry) ?? [];
    if (slug === undefined) return false;
    if (app?.slug === slug && String(app.id) === id) return true;
    return author?.isBot === true && author.login === `${slug}[bot]` && String(author.id) === id;
  });
}

/** The numeric id of an actor, which stays when the login changes; undefined for others than GitHub's. */
export function accountOf(actorId: string): string | undefined {
  return githubAccountOf(actorId)?.id;
}

function hasWrite(role: Role): role is "write" | "maintain" | "admin" {
  return role === "write" || role === "maintain" || role === "admin";
}

async function isApprover(login: string, approvers: readonly string[], asks: Asks): Promise<boolean> {
  if (approvers.length === 0) return true;
  const wanted = approvers.map((approver) => approver.replace(/^@/, ""));
  if (wanted.some((name) => name.toLowerCase() === login.toLowerCase())) return true;
  for (const name of wanted) {
    const [org, slug] = name.split("/");
    if (org && slug && (await asks.isTeamMember({ org, slug }, login))) return true;
  }
  return false;
}

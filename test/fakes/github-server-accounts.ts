// Accounts of the local GitHub server: people, bots, their roles in the repository, teams.
import { notFound, type Reply, refusal } from "./github-server-contract.ts";

export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";
export type Account = {
  id: number;
  login: string;
  type: "User" | "Bot";
  app?: { id: number; slug: string };
  token?: string;
};

const RANKS: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The job's own token acts as this one. */
export const ACTIONS: Account = {
  id: 41898282,
  login: "github-actions[bot]",
  type: "Bot",
  app: { id: 15368, slug: "github-actions" },
};

export class Accounts {
  /** False: everybody's role is at least `read`, as GitHub says of public repositories. */
  isPrivate = false;
  /** The job's own token can't. */
  mayReadTeams = true;
  /** Members by `org/team`. */
  readonly teams = new Map<string, Set<string>>();
  readonly #all = new Map<string, Account>();
  readonly #roles = new Map<number, Role>();
  readonly #apiUrl: string;
  #nextId = 1000;

  constructor(apiUrl: string, token: string) {
    this.#apiUrl = apiUrl;
    this.#all.set(ACTIONS.login, { ...ACTIONS, token });
  }

  addPerson(login: string, role: Role = "none", id = ++this.#nextId): Account {
    const account: Account = { id, login, type: "User" };
    this.#all.set(login, account);
    this.#roles.set(id, role);
    return account;
  }

  addBot(slug: string, token?: string): Account {
    const app = { id: ++this.#nextId, slug };
    const account: Account = { id: ++this.#nextId, login: `${slug}[bot]`, type: "Bot", app };
    this.#all.set(account.login, token === undefined ? account : { ...account, token });
    return account;
  }

  setRole(login: string, role: Role): void {
    this.#roles.set(this.need(login).id, role);
  }

  /** The login is free then: `addPerson` gives it to another account. */
  delete(login: string): void {
    this.#all.delete(login);
  }

  need(login: string): Account {
    const found = this.#all.get(login);
    if (!found) throw new Error(`there is no account ${login}`);
    return found;
  }

  has(id: number): boolean {
    return [...this.#all.values()].some((account) => account.id === id);
  }

  byToken(token: string | undefined): Account | undefined {
    return token === undefined ? undefined : [...this.#all.values()].find((each) => each.token === token);
  }

  roleOf({ id }: Account): Role {
    return this.#roles.get(id) ?? "none";
  }

  permission(login: string): Reply {
    const account = this.#find(login);
    // Of an app's account GitHub says that it is no user.
    if (!account || account.type === "Bot") return notFound();
    const given = this.roleOf(account);
    const role = given === "none" && !this.isPrivate ? "read" : given;
    const levels: Partial<Record<Role, string>> = { triage: "read", maintain: "write" };
    const rank = RANKS.indexOf(role);
    const permissions = {
      pull: rank >= 1,
      triage: rank >= 2,
      push: rank >= 3,
      maintain: rank >= 4,
      admin: rank >= 5,
    };
    const user = { ...this.reply(account), permissions, role_name: role };
    return { status: 200, body: { permission: levels[role] ?? role, role_name: role, user } };
  }

  /** The part of an issue that names its assignees: GitHub leaves out who may not push, without an error. */
  assigned(logins: readonly string[]) {
    const found = logins.flatMap((login) => this.#find(login) ?? []);
    const able = found.filter((account) => RANKS.indexOf(this.roleOf(account)) >= RANKS.indexOf("write"));
    return { assignees: able.map((account) => this.reply(account)) };
  }

  membership(team: string, login: string): Reply {
    if (!this.mayReadTeams) return refusal(403, "Resource not accessible by integration");
    if (!this.teams.get(team)?.has(login)) return notFound();
    return {
      status: 200,
      body: { role: "member", state: "active", url: `${this.#apiUrl}/teams/1/memberships/x` },
    };
  }

  /** The `simple-user` of GitHub's API. */
  reply({ id, login, type }: Account) {
    const url = `${this.#apiUrl}/users/${encodeURIComponent(login)}`;
    return {
      login,
      id,
      node_id: `U_${id}`,
      avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
      gravatar_id: "",
      url,
      html_url: `https://github.com/${login}`,
      followers_url: `${url}/followers`,
      following_url: `${url}/following{/other_user}`,
      gists_url: `${url}/gists{/gist_id}`,
      starred_url: `${url}/starred{/owner}{/repo}`,
      subscriptions_url: `${url}/subscriptions`,
      organizations_url: `${url}/orgs`,
      repos_url: `${url}/repos`,
      events_url: `${url}/events{/privacy}`,
      received_events_url: `${url}/received_events`,
      type,
      site_admin: false,
    };
  }

  /** The `integration` of GitHub's API. */
  appReply(app: { id: number; slug: string }) {
    return {
      id: app.id,
      slug: app.slug,
      node_id: `A_${app.id}`,
      owner: this.reply(ACTIONS),
      name: app.slug,
      description: "",
      external_url: "https://example.com",
      html_url: `https://github.com/apps/${app.slug}`,
      created_at: "2020-01-01T00:00:00Z",
      updated_at: "2020-01-01T00:00:00Z",
      permissions: { metadata: "read" },
      events: [],
    };
  }

  /** Logins have no case. */
  #find(login: string): Account | undefined {
    const lower = login.toLowerCase();
    return [...this.#all.values()].find((account) => account.login.toLowerCase() === lower);
  }
}

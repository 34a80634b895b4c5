// The checks of `doctor` that ask a server: the provider, GitHub, the remote. One that fails is a line, never more.
import { readTaskAgents } from "../../config/task-agents.ts";
import { LoopliaError, messageOf } from "../../errors.ts";
import type { GithubFacts, Permission } from "../../ports/repository.ts";
import { REHEARSAL } from "../../publish/report.ts";
import { type Finding, warningOf } from "./doctor-checks.ts";
import type { FoundPlace } from "./resolve-place.ts";
import type { Place, Wiring } from "./wiring.ts";

const PROBE_MS = 15_000;

/** The key, and whether the provider answers to it; one that is meant for another address goes nowhere else. */
export async function checkProvider(
  { place, diagnostics }: Pick<FoundPlace, "place" | "diagnostics">,
  wiring: Wiring,
): Promise<Finding[]> {
  const { provider, anthropicApiKey } = place.settings;
  if (provider === "offline") {
    const keyless = anthropicApiKey === undefined ? findAnthropicAgents(place) : [];
    if (keyless.length > 0) {
      const detail = `there is no key for the agents ${keyless.join(", ")}`;
      return [{ name: "key", isWell: false, detail, mend: "set the variable ANTHROPIC_API_KEY" }];
    }
    const detail = `offline (${REHEARSAL}); set ANTHROPIC_API_KEY for a language model`;
    return [{ name: "provider", isWell: true, detail }];
  }
  if (anthropicApiKey === undefined) {
    const mend = "set the variable ANTHROPIC_API_KEY, or use --provider offline";
    return [{ name: "key", isWell: false, detail: "there is no key for anthropic", mend }];
  }
  const key: Finding = { name: "key", isWell: true, detail: "anthropic-api-key is set" };
  if (diagnostics.some(({ file, message }) => /anthropic[-_]base[-_]url/i.test(`${file} ${message}`))) {
    const detail = "not asked: nobody knows which address the key is for";
    return [key, { name: "provider", isWell: false, detail, mend: "mend anthropic-base-url, see settings" }];
  }
  try {
    const detail = await wiring.probeProvider(place, AbortSignal.timeout(PROBE_MS));
    return [key, { name: "provider", isWell: true, detail }];
  } catch (thrown) {
    return [key, failure("provider", thrown, "check the network and anthropic-base-url")];
  }
}

/** Agents whose turn comes, in the task list, its review or its repair, and who need a key. */
function findAnthropicAgents({ settings }: Place): string[] {
  const { agents, schedule } = readTaskAgents(settings);
  const { reviewAgent, repairAgent } = settings;
  const names = new Set([...schedule.turns, reviewAgent, repairAgent].filter((name) => name !== undefined));
  return [...names].filter((name) => agents.get(name)?.provider === "anthropic");
}

/** The remote's state refs. Nothing where there is no token: `checkGithub` says that. */
export async function checkStateRef(place: Place, wiring: Wiring): Promise<Finding[]> {
  const name = "state-ref";
  try {
    const detail = await wiring.probeStateRef(place);
    return detail === undefined ? [] : [{ name, isWell: true, detail }];
  } catch (thrown) {
    return [failure(name, thrown, "check the network, the token and its `contents: write`")];
  }
}

/** What the Action needs of GitHub, as far as the token can tell. The command line itself needs none of it. */
export async function checkGithub(place: Place, wiring: Wiring): Promise<Finding[]> {
  try {
    const facts = await wiring.probeGithub(place);
    if (!facts) return [notAsked(place)];
    const isEncrypted = place.settings.stateKey !== undefined;
    return [
      aboutRepository(facts),
      ...aboutStateKey(facts, isEncrypted),
      ...aboutToken(facts),
      aboutActions(facts),
    ];
  } catch (thrown) {
    return [failure("github", thrown, "check the network and GITHUB_API_URL")];
  }
}

function notAsked({ settings }: Place): Finding {
  if (settings.githubToken === undefined) {
    const mend = "set GITHUB_TOKEN to have repository, permissions and state ref checked";
    return {
      name: "github",
      isWell: true,
      detail: "not asked: there is no token (the Action has one)",
      mend,
    };
  }
  const detail = "not asked: `origin` is no repository on the server";
  return { name: "github", isWell: true, detail, mend: "set GITHUB_REPOSITORY, or GITHUB_SERVER_URL" };
}

function aboutRepository({ repository, isPublic, isArchived }: GithubFacts): Finding {
  const name = "repository";
  const detail = `${repository}, ${isPublic ? "public" : "private"}`;
  if (!isArchived) return { name, isWell: true, detail };
  return { name, isWell: false, detail: `${detail}, archived`, mend: "unarchive it: nobody can write to it" };
}

function aboutStateKey({ isPublic }: GithubFacts, isEncrypted: boolean): Finding[] {
  const name = "state-key";
  if (isEncrypted) return [{ name, isWell: true, detail: "what models and tools said is stored encrypted" }];
  if (!isPublic) return [];
  const what = "this repository is public: everybody can read what models and tools said in the stored state";
  return [warningOf(name, what, "set `state-key` to a secret")];
}

const WITHOUT: Record<Permission, string> = {
  "pull-requests: write": "nothing can be opened or answered",
  "checks: write": "pull requests have no check of it",
  "actions: read": "a run that died is told from a live one by its age only",
};

function aboutToken({ has, lacks }: GithubFacts): Finding[] {
  const name = "token";
  const well = has.length === 0 ? [] : [{ name, isWell: true, detail: has.join(", ") }];
  const ill = lacks.map((permission): Finding => {
    const mend = `give the job \`permissions: { ${permission} }\``;
    if (permission !== "pull-requests: write")
      return warningOf(name, `without ${permission} ${WITHOUT[permission]}`, mend);
    return { name, isWell: false, detail: `without ${permission} ${WITHOUT[permission]}`, mend };
  });
  return [...well, ...ill];
}

const WHERE =
  "Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests”";

function aboutActions({ mayActionsOpen }: GithubFacts): Finding {
  const name = "actions";
  if (mayActionsOpen) return { name, isWell: true, detail: "may open pull requests" };
  if (mayActionsOpen === undefined) {
    const what = "this token is not told whether Actions may open pull requests";
    return warningOf(name, what, `look at ${WHERE}, or use an administrator's token`);
  }
  return { name, isWell: false, detail: "may not open pull requests", mend: `allow it under ${WHERE}` };
}

function failure(name: string, thrown: unknown, fallback: string): Finding {
  const mend = (thrown instanceof LoopliaError ? thrown.hint : undefined) ?? fallback;
  return { name, isWell: false, detail: messageOf(thrown), mend };
}

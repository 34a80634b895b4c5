// Wires the command line.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { Budget } from "../agent/budget.ts";
import { checkAnswer } from "../approval/questions.ts";
import type { CliPlace, CliTrigger, RunSurroundings, Wiring } from "../cli/surface.ts";
import { DEFAULT_ANTHROPIC_MODEL } from "../config/providers.ts";
import { secretsOf } from "../config/secrets.ts";
import { SOURCE_FILES } from "../config/tasks.ts";
import { createWorkId } from "../content/item.ts";
import { LoopliaError } from "../core/errors.ts";
import { createRedactor } from "../core/redaction.ts";
import type { RunResult } from "../core/result.ts";
import { installedFolder, listItemFiles, readInstall, sourceName, trustedFolder } from "../files/sources.ts";
import { openWorkspace } from "../files/workspace.ts";
import { commandEnvironment } from "../sandbox/visible.ts";
import { storeCiphers } from "../store/cipher.ts";
import {
  findInteraction,
  findSessionWork,
  findTodo,
  listStanding,
  listTaskSessions,
  newestSession,
} from "../store/find.ts";
import { isLiveProcess } from "../store/lock.ts";
import { readHeader, readSession, readStoredLines } from "../store/scan.ts";
import { createTerminalHost } from "../terminal/host.ts";
import type { TerminalTrigger } from "../work/terminal.ts";
import { hideSecrets } from "./hand-over.ts";
import { INSTALLED } from "./installed.ts";
import { spareMemory } from "./lifetime.ts";
import { createModel, DEFAULT_OPENAI_MODEL, defaultModel, modelAddress } from "./outside/models.ts";
import type { ProgramSurroundings } from "./outside/programs.ts";
import { clock, isolatorFor, type RunPlace, runTrigger } from "./wire.ts";
import { itemFilesBelow } from "./wire-sessions.ts";

/** Everything that the command line needs from the program. */
export async function wireCli(): Promise<Wiring> {
  const install = await readInstall(INSTALLED);
  return {
    ...install,
    defaultModels: new Map([
      ["anthropic", DEFAULT_ANTHROPIC_MODEL],
      ["openai", DEFAULT_OPENAI_MODEL],
    ]),
    run: (trigger, around) => runFromCli(trigger, around, install),
    ...SETUP_FACTS,
    async findRelease(ref) {
      const { findNamedRelease, findNewestRelease } = await import("../git/remote.ts");
      const place = { folder: install.installFolder, environment: process.env };
      const server = process.env.GITHUB_SERVER_URL ?? "https://github.com";
      const found = ref === undefined ? findNewestRelease(place) : findNamedRelease(ref, server, place);
      return found.catch(() => undefined);
    },
    terminalHost: async (options) =>
      createTerminalHost({ ...options, input: process.stdin, output: process.stderr, check: checkAnswer }),
    demoHost: async ({ print }, approves) =>
      (await import("../terminal/host.ts")).createDemoHost({ print, approves }),
    ...STORED,
    replay: async (place, what, recordTo) =>
      (await import("./replay.ts")).replaySession(place, { what, recordTo }, install),
    readAudit: async (place, source, cwd, exportTo) =>
      (await import("./audit.ts")).readAudit(place, source, {
        ...{ cwd, exportTo },
        server: await githubPlace(place),
      }),
    expireStates,
    readFiles: async (root) => ({
      trusted: await trustedFolder(root, ""),
      builtin: installedFolder(install.installFolder),
    }),
    ...PROBES,
    probeProvider: (place, signal) => probeProvider({ ...place, ...install }, signal),
    taskSessions: (stateFolder) =>
      Promise.all(
        listTaskSessions(stateFolder).map(async ({ sessionId, workId }) => ({
          sessionId,
          source: await findTodo(stateFolder, workId),
        })),
      ),
    standingApprovals: listStanding,
    revokeApproval: (place, approval, actorId) =>
      revokeApproval({ ...place, version: install.version }, approval, actorId),
    async hasSources(root, { sourceFiles }) {
      const { forTools } = await openWorkspace(root, { environment: {}, systemTemp: root });
      for (const glob of sourceFiles.length > 0 ? sourceFiles : SOURCE_FILES) {
        for await (const _ of forTools.walk("", glob)) return true;
      }
      return false;
    },
  };
}

async function revokeApproval(
  { stateFolder, settings, environment, version }: CliPlace & { version: string },
  { workId, number }: { workId: string; number: number },
  actorId: string,
): Promise<void> {
  const header = await readHeader(join(stateFolder, workId));
  if (!header) throw new LoopliaError("config-invalid", `There is no work ${workId} in ${stateFolder}.`);
  const [{ openStores }, { revokeFromTerminal }] = await Promise.all([
    import("../store/work.ts"),
    import("../work/terminal.ts"),
  ]);
  const kind = header.kind === "tasks" ? "tasks" : "content";
  const stores = openStores({ stateFolder, codeVersion: version, clock });
  const ports = { stores, clock, redact: createRedactor(secretsOf(environment, settings)) };
  await revokeFromTerminal(ports, { workId, kind, key: header.key }, number, actorId);
}

/** Reads stored sessions. */
const STORED: Pick<Wiring, "readStores" | "readLines"> = {
  readStores(stateFolder, stateKey) {
    const cipherOf = storeCiphers(stateKey);
    return async (sessionId) => {
      const workId = await findSessionWork(stateFolder, sessionId);
      if (workId === undefined) return undefined;
      return readSession(join(stateFolder, workId), sessionId, await cipherOf(workId));
    };
  },
  async readLines(stateFolder, sessionId, stateKey) {
    const workId = (await findSessionWork(stateFolder, sessionId)) ?? sessionId;
    const cipher = await storeCiphers(stateKey)(workId);
    return readStoredLines(join(stateFolder, workId), sessionId, cipher);
  },
};

/** The facts and choices for `init`. */
const SETUP_FACTS: Pick<Wiring, "readCheckout" | "programPackages" | "choose"> = {
  async readCheckout(folder) {
    const { findDefaultBranch, findPage } = await import("../git/remote.ts");
    const { probeGit } = await import("../sandbox/git-process.ts");
    const { repository: root } = await probeGit(folder, process.env).catch(() => ({
      repository: undefined,
    }));
    if (root === undefined) return {};
    const branch = await findDefaultBranch(root);
    const page = await findPage(root);
    return { root, ...(branch ? { branch } : {}), ...(page ? { page } : {}) };
  },
  programPackages: async () => (await import("../programs/self-test.ts")).TRIED_PACKAGES,
  choose: async (question, options) => (await import("../terminal/host.ts")).chooseOne(question, options),
};

/** The probes for `doctor`. */
const PROBES: Pick<
  Wiring,
  "probeGit" | "probeIsolation" | "routes" | "probeLimits" | "priceLists" | "probeStateRef" | "probeGithub"
> = {
  async probeGit({ root, environment }) {
    const { probeGit } = await import("../sandbox/git-process.ts");
    return probeGit(root, environment);
  },
  async routes({ settings, environment }) {
    const { describeRoutes } = await import("./outside/routes.ts");
    const { apiUrl, serverUrl } = serversOf(environment);
    const addresses = { GitHub: apiUrl, git: serverUrl, model: modelAddress(settings) };
    const artifacts = environment.ACTIONS_RESULTS_URL;
    return describeRoutes({ ...addresses, ...(artifacts ? { artifacts } : {}) }, environment);
  },
  async probeIsolation(place) {
    const isolator = isolatorFor(place, () => {});
    const { isolation } = isolator;
    await isolator.close();
    return isolation;
  },
  async probeLimits() {
    const { groupPlace, openControlGroup, standardLimits } = await import("../sandbox/limits.ts");
    const limits = standardLimits();
    const group = openControlGroup(limits, groupPlace());
    group?.close();
    return { memory: limits.memory, isKept: group !== undefined };
  },
  async priceLists() {
    const [{ PRICES }, { OPENAI_PRICES }] = await Promise.all([
      import("../anthropic/prices.ts"),
      import("../openai/prices.ts"),
    ]);
    const lists: [string, typeof PRICES][] = [
      ["Anthropic", PRICES],
      ["OpenAI", OPENAI_PRICES],
    ];
    return lists.flatMap(([of, list]) => {
      const [oldest] = [...list.values()].sort((one, other) => one.asOf.localeCompare(other.asOf));
      if (!oldest) return [];
      const { asOf, source } = oldest;
      return [{ of, asOf, source, days: Math.floor((Date.now() - Date.parse(asOf)) / 86_400_000) }];
    });
  },
  async probeStateRef(place) {
    const where = await githubPlace(place);
    if (!where) return undefined;
    const { probeStateRef } = await import("../git/state-push.ts");
    const { root: checkout, settings, environment } = place;
    return probeStateRef({
      ...{ ...where, checkout, environment, prefix: settings.stateRefPrefix, systemTemp: tmpdir() },
    });
  },
  async probeGithub(place) {
    const where = await githubPlace(place);
    if (!where) return undefined;
    const { probeGithub } = await import("../github/pulls.ts");
    const { GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: attempt = "1" } = place.environment;
    return probeGithub(where, id ? { id, attempt } : undefined);
  },
};

async function runFromCli(
  trigger: CliTrigger,
  around: RunSurroundings,
  install: { installFolder: string; version: string },
): Promise<RunResult> {
  const { root } = around;
  const isPassing = around.settings.dryRun || around.isDemo;
  const signState = isPassing ? undefined : await claimLocalState(around);
  const shown = hideSecrets(around.settings);
  if (shown !== undefined) {
    const message = `Commands without isolation can read keys in this process's environment: ${shown}.`;
    around.observe({ type: "notice", level: "warning", message });
  }
  const todo = await todoOf(trigger, around);
  if (around.settings.maxMonthCostUsd !== undefined) await signState?.();
  const budget = await openBudget(around);
  const place: RunPlace = {
    ...around,
    ...install,
    ...(budget === undefined ? {} : { budget }),
    signState,
    settings: todo === undefined ? around.settings : { ...around.settings, todo },
    trusted: await trustedFolder(root, ""),
    trustedTree: { copyTo: (folder) => copyWorktree(around, folder), folder: "" },
    ...itemFilesBelow(root),
  };
  try {
    const resolved = await triggerFor(trigger, around);
    if (resolved.kind === "items") spareMemory(resolved);
    return await runTrigger(place, resolved);
  } finally {
    if (budget) await tellMonth(budget, around);
    await budget?.close();
  }
}

/** Approvals, answers and conversations that came with a repository are nobody's: only state that was made here counts. */
async function claimLocalState({
  root,
  stateFolder,
  environment,
  observe,
}: RunSurroundings): Promise<() => Promise<void>> {
  const { XDG_STATE_HOME, HOME = homedir() } = environment;
  const [{ claimState }, { isTracked }] = await Promise.all([
    import("../store/origin.ts"),
    import("../sandbox/git-process.ts"),
  ]);
  const { aside, sign } = await claimState({
    ...{ root, stateFolder },
    keyFolder: join(XDG_STATE_HOME || join(HOME, ".local", "state"), "looplia"),
    isTracked: (folder) => isTracked(root, folder, environment),
  });
  if (aside === undefined) return sign;
  const message = `The state in ${stateFolder} was not made here by you: it came with the repository, or from another machine, folder or user. It is now in ${aside}, and nothing of it is used.`;
  observe({ type: "notice", level: "warning", message });
  return sign;
}

/** Only a hook or an MCP server needs a copy of the files. */
async function copyWorktree(
  { root, stateFolder, environment }: RunSurroundings,
  folder: string,
): Promise<void> {
  const { copyFiles } = await import("../files/trusted-copy.ts");
  await copyFiles(root, folder, { environment: commandEnvironment(environment), closed: [stateFolder] });
}

async function tellMonth(budget: Budget, { observe }: RunSurroundings): Promise<void> {
  const month = budget.figures();
  if (!month) return;
  const { monthText } = await import("../publish/tables.ts");
  observe({ type: "notice", level: "info", message: `max-month-cost-usd: ${monthText(month)}` });
}

async function triggerFor(trigger: CliTrigger, around: RunSurroundings): Promise<TerminalTrigger> {
  if (trigger.kind === "tasks") return tasksOf(around);
  if (trigger.kind === "content") return selectContent(around, trigger);
  return trigger.kind === "file" ? { ...trigger, source: sourceName(around.root, trigger.source) } : trigger;
}

/** The cost limits of this run and of the month; the month's ledger is on this disk. */
async function openBudget({ settings, stateFolder }: RunSurroundings): Promise<Budget | undefined> {
  const { maxRunCostUsd: runUsd, maxMonthCostUsd: limitUsd } = settings;
  if (runUsd === undefined && limitUsd === undefined) return undefined;
  const { openLedger } = await import("../store/ledger.ts");
  const month = limitUsd === undefined ? undefined : { limitUsd, ledger: openLedger(stateFolder) };
  const isLive = async (by: string) => isLiveProcess(Number(by));
  const id = `${process.pid}-${randomBytes(6).toString("hex")}`;
  return new Budget({ runUsd, month, clock, id, by: String(process.pid), isLive });
}

/** The to-do file that a continued session began with, even if the settings have changed. */
async function todoOf(trigger: CliTrigger, { stateFolder }: RunSurroundings): Promise<string | undefined> {
  if (trigger.kind !== "session" && trigger.kind !== "answer") return undefined;
  const workId =
    trigger.kind === "session"
      ? await findSessionWork(stateFolder, trigger.sessionId)
      : (await findInteraction(stateFolder, trigger.interactionId))?.workId;
  return workId === undefined ? undefined : findTodo(stateFolder, workId);
}

/** The to-do file as a work; its newest session continues. */
async function tasksOf({ root, settings, stateFolder }: RunSurroundings): Promise<TerminalTrigger> {
  const key = {
    kind: "tasks",
    todo: settings.todo,
    base: "",
    workingDirectory: relative(root, resolve(root)),
  };
  const workId = createWorkId("tasks", key);
  const sessionId = newestSession(join(stateFolder, workId));
  return {
    kind: "tasks",
    workId,
    key: JSON.stringify(key),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** The matching items of the working tree, as one work. */
async function selectContent(
  { root, settings, observe }: RunSurroundings,
  { globs, isPlan }: Extract<CliTrigger, { kind: "content" }>,
): Promise<TerminalTrigger> {
  // Not imported above: `run --file` needs no globs.
  const { describeOddItems, selectItems } = await import("../work/trigger.ts");
  const listed = await listItemFiles(root);
  for (const message of describeOddItems(listed, globs))
    observe({ type: "notice", level: "warning", message });
  const { pipeline } = settings;
  const key = {
    kind: "content",
    globs: [...globs].sort(),
    pipeline,
    base: "",
    workingDirectory: relative(root, resolve(root)),
  };
  return {
    kind: "items",
    workId: createWorkId(pipeline, key),
    key: JSON.stringify(key),
    sources: selectItems(listed.files, globs),
    ...(isPlan ? { isPlan } : {}),
  };
}

/** GitHub's URLs, with the runner's names. */
function serversOf(environment: CliPlace["environment"]): { serverUrl: string; apiUrl: string } {
  const serverUrl = (environment.GITHUB_SERVER_URL || "https://github.com").replace(/\/+$/, "");
  const isGithub = serverUrl === "https://github.com";
  const apiUrl = environment.GITHUB_API_URL || (isGithub ? "https://api.github.com" : `${serverUrl}/api/v3`);
  return { serverUrl, apiUrl };
}

/** The repository on GitHub with its clients; undefined without a token, or for a checkout from elsewhere. */
const expireStates: Wiring["expireStates"] = async (place) => {
  const { root: checkout, settings, environment } = place;
  const where = await githubPlace(place);
  if (!where || settings.stateRetentionDays === undefined) {
    throw new LoopliaError(
      "config-invalid",
      "`expire` needs a token, a GitHub remote and a number of days.",
      {
        hint: "set GITHUB_TOKEN, and `state-retention-days` in looplia.yml or as a flag",
      },
    );
  }
  const { findRemote } = await import("../git/remote.ts");
  const { gitEnvironment } = await import("../sandbox/git-process.ts");
  const { writableFolders } = await import("../sandbox/own-tools.ts");
  const { openRepository } = await import("../git/repository.ts");
  const { pushRate } = await import("../git/state-push.ts");
  const { statePrefixesOf } = await import("../work/find.ts");
  const temporary = await mkdtemp(join(tmpdir(), "looplia-expire-"));
  try {
    const writable = [temporary, ...writableFolders(checkout)];
    const repository = await openRepository({
      ...{ temporary, writable, rate: pushRate(), token: where.token },
      remote: await findRemote({ checkout, ...where }),
      environment: gitEnvironment({ ...environment }, writable),
    });
    const stored = await repository.storedWorks(statePrefixesOf(settings));
    const { forgetStates } = await import("../work/finish.ts");
    const { createGithubHost } = await import("../github/pulls.ts");
    const host = createGithubHost(where);
    const scene = { found: { settings }, clock, repository, host, observe: () => {} };
    const expired = await forgetStates(scene, stored);
    return { expired, kept: stored.length - expired.length };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

async function githubPlace({ root, settings, environment }: CliPlace) {
  const { githubToken: token } = settings;
  if (token === undefined) return undefined;
  const { serverUrl, apiUrl } = serversOf(environment);
  const { findRepository } = await import("../git/remote.ts");
  const repository = environment.GITHUB_REPOSITORY || (await findRepository(root, serverUrl));
  if (repository === undefined) return undefined;
  return { serverUrl, apiUrl, repository, token };
}

async function probeProvider(place: CliPlace & ProgramSurroundings, signal: AbortSignal): Promise<string> {
  const { settings } = place;
  if (settings.provider === "offline") return "offline: nothing to reach";
  const name = settings.model ?? (await defaultModel(settings));
  if (settings.provider === "claude" || settings.provider === "codex") {
    const { probeProgram } = await import("./outside/programs.ts");
    return probeProgram(settings.provider, settings, { ...place, model: name });
  }
  const model = await createModel(settings, false, place);
  const message = { role: "user" as const, content: [{ type: "text" as const, text: "Say ok." }] };
  const prefix = { system: "Answer with one word.", tools: [] };
  await model.respond({ conversationId: "probe", model: name, prefix, messages: [message] }, { signal });
  return `${name} answered`;
}

// The Action's main step, and how the Action is wired. Only this file touches the process.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { requireAllAsShown } from "../approval/fingerprint.ts";
import { secretsOf } from "../config/secrets.ts";
import { viewSession } from "../core/conversation.ts";
import type { SpendingLost } from "../core/events.ts";
import { toolCallsOf } from "../core/events.ts";
import type { RunEvent, Stores } from "../core/ports.ts";
import type { WorkReading } from "../core/ports-host.ts";
import { redactValue } from "../core/redaction.ts";
import type { Result } from "../core/result.ts";
import { foldEvents, isUnderWay } from "../core/state.ts";
import { readInstall } from "../files/sources.ts";
import { type BegunClone, findRemote } from "../git/remote.ts";
import { openRepository } from "../git/repository.ts";
import { type PushRate, pushRate } from "../git/state-push.ts";
import { loadClient } from "../github/client.ts";
import { createGithubDiscussion } from "../github/discussion.ts";
import { createGithubHost } from "../github/pulls.ts";
import { neutralizeLine } from "../publish/markdown.ts";
import { gitEnvironment } from "../sandbox/git-process.ts";
import { noteCheckout, writableFolders } from "../sandbox/own-tools.ts";
import { type StoreCipher, storeCiphers } from "../store/cipher.ts";
import {
  readHeader,
  readSession,
  readStoredLines,
  readWholeConversations,
  readWholeWork,
  readWork,
} from "../store/scan.ts";
import { openStores } from "../store/work.ts";
import { readEvent, readRunnerFacts } from "../work/find.ts";
import {
  type ActionWiring,
  type Leftovers,
  outcomeOf,
  type StoredSession,
  type StorePlace,
} from "../work/run.ts";
import { runAction } from "../work/start.ts";
import { INSTALLED } from "./installed.ts";
import { spareMemory } from "./lifetime.ts";
import { takeProxies } from "./outside/routes.ts";
import {
  findUnknownKeys,
  KeyGuard,
  redactArguments,
  redactorOf,
  requireMarkers,
  watchKeys,
} from "./redact.ts";
import { JobLog, takeJobLog, tellRunner } from "./tell.ts";
import { clock, runTrigger } from "./wire.ts";

/** The runner kills the process 10 s after its first signal; `post` completes the work. */
const SAVING_MS = 7_000;
/** Name of the state that `post` reads. */
const STATE = "looplia";

type Core = typeof import("@actions/core");

/** Runs the main step to its end, which ends the process. `begun`: the clone that began before this file was loaded. */
export async function runMain(begun: BegunClone | undefined): Promise<never> {
  await takeProxies(process.env);
  const redact = redactorOf(secretsOf(process.env));
  // Loading takes a tenth of a second, in parallel with the first git commands.
  const loading = import("@actions/core");
  const write = takeJobLog(process.env);
  const log = new JobLog(write);
  const signal = listen(loading);
  const lines = { shown: Promise.resolve() };
  try {
    const facts = readRunnerFacts(process.env);
    const core = await loading;
    const temporary = begun?.temporary ?? (await mkdtemp(join(facts.temporary, "looplia-")));
    // The jobs of a matrix share all their names, so each gets a random id.
    const claimant = randomBytes(6).toString("hex");
    const remember = ({ upload, works = [] }: Leftovers) => {
      const left = { temporary, claimant, upload, works: redactValue(works, redact) };
      core.saveState(STATE, JSON.stringify(left));
    };
    remember({});
    const wiring = await wireAction({ begun, tell: write });
    const show = (event: RunEvent): void => {
      if (event.type === "notice" && event.level === "warning") core.warning(neutralizeLine(event.message));
      else if (event.type === "notice") write(neutralizeLine(event.message));
      else log.observe(event);
    };
    const withhold = <T>(value: T) => wiring.keys.withhold(redactValue(value, redact));
    const leaveOut = () => write("Lines are left out: they could not be searched for keys.");
    const observe = showInOrder(lines, withhold, show, leaveOut);
    const event = await readEvent(process.env);
    const environment = process.env;
    const job = { wiring, environment, facts, event, claimant, temporary, clock, observe, signal, remember };
    const ended = await runAction(job);
    await lines.shown;
    log.end();
    await tellRunner(core, await withhold(ended), write);
  } catch (thrown) {
    await lines.shown;
    log.end();
    fail(await loading, redactValue(outcomeOf(thrown), redact));
  }
  // Timers and sockets of packages must not keep the job running.
  process.exit();
}

/** Aborted by the first signal. The process ends soon after it, saved or not. */
function listen(loading: Promise<Core>): AbortSignal {
  const interruption = new AbortController();
  const endUnsaved = async (): Promise<never> => {
    const message = "there was no time to save everything; run again to resume from the branch";
    fail(await loading, { status: "stopped", reasonCode: "interrupted", message });
    process.exit();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (interruption.signal.aborted) return;
      interruption.abort("interrupted");
      setTimeout(endUnsaved, SAVING_MS).unref();
    });
  }
  return interruption.signal;
}

function fail(core: Core, { status, reasonCode, message = "" }: ReturnType<typeof outcomeOf>): void {
  core.setOutput("status", status);
  core.setOutput("reason-code", reasonCode);
  core.setFailed(`${reasonCode}: ${message}`);
}

/** Lines of the log, one after the other, because what looks like a key is looked for first. */
function showInOrder(
  lines: { shown: Promise<void> },
  withhold: (events: RunEvent[]) => Promise<RunEvent[]>,
  show: (event: RunEvent) => void,
  leaveOut: () => void,
): (event: RunEvent) => void {
  let waiting: RunEvent[] = [];
  const showWaiting = async (): Promise<void> => {
    const events = waiting;
    waiting = [];
    for (const event of await withhold(events)) show(event);
  };
  return (event) => {
    waiting.push(event);
    if (waiting.length === 1) lines.shown = lines.shown.then(showWaiting).catch(leaveOut);
  };
}

/**
 * Everything that the Action needs from the program. `installed`: its folder. `tell`: gets a line for the log.
 * `rate`: shared by all pushes. `begun`: the clone of the first repository that is opened.
 */
export async function wireAction({
  installed,
  tell,
  rate = pushRate(undefined, tell),
  begun,
}: {
  installed?: Awaited<ReturnType<typeof readInstall>>;
  tell?: (line: string) => void;
  rate?: PushRate;
  begun?: BegunClone | undefined;
} = {}): Promise<ActionWiring> {
  const install = installed ?? (await readInstall(INSTALLED));
  const redact = redactorOf(secretsOf(process.env));
  const keys = new KeyGuard();
  return {
    redact,
    keys,
    // A failure is reported by the module's user.
    loadAhead: (what) => void LOADERS[what]().catch(() => undefined),
    spareMemory,
    runTrigger: (place, trigger) => {
      if (trigger.kind === "items") spareMemory(trigger);
      return runTrigger({ ...place, ...install, watchKeys }, trigger);
    },
    openRepository: async ({ temporary, token, environment, ...where }) => {
      noteCheckout(where.checkout);
      const remote = await findRemote(where);
      const writable = [temporary, ...writableFolders(where.checkout)];
      const place = {
        temporary,
        token,
        remote,
        environment: gitEnvironment(environment, writable),
        writable,
      };
      return openRepository({ ...place, rate, findKeys: findUnknownKeys, begun });
    },
    codeHost: (place) => redactArguments(keys.over(createGithubHost(place)), redact),
    discussion: (place) => redactArguments(requireMarkers(keys.over(createGithubDiscussion(place))), redact),
    openWorkStore: async (place) => {
      const sessions = toStored(await readWholeWork(place.folder));
      const cipher = await storeCiphers(place.stateKey)(basename(place.folder));
      // What can't go on from here counts as damaged, so that people are told and can restart it.
      const { workId, kind, key } = place;
      for (const session of sessions) await requireSound(place, session, cipher);
      const store = await storesOf(place, install.version).open({ workId, kind, key });
      return { store, sessions };
    },
    mendWork: async (place) => {
      const { workId, kind, key } = place;
      const store = await storesOf(place, install.version).open({ workId, kind, key });
      try {
        for (const sessionId of await readdir(join(place.folder, "sessions")).catch(() => []))
          await (await store.session(sessionId)).close();
      } finally {
        await store.close();
      }
      return toStored(await readWholeWork(place.folder));
    },
    readSessions: async ({ folder }) => toStored(await readWork(folder)),
    readLost,
    readKey: async ({ folder }) => (await readHeader(folder))?.key,
    writeReports: (place, results) => writeReports(place, results, keys),
    uploadFolder: async (upload) => {
      // Each part takes 8 MB, and the package sends five at once.
      process.env.ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY ??= "1";
      return (await import("../files/sources.ts")).uploadFolder(upload);
    },
  };
}

/** Loads what the first request to GitHub needs while the first git processes run, which start before. */
async function loadStart(): Promise<void> {
  await setImmediate();
  await loadClient();
  // Node loads its HTTP client at the first use of any of its classes.
  new Headers();
}

/** A push has begun by then, and takes longer than the modules. */
const UNTIL_PUSH_MS = 30;

/** Loads what sessions need after their first request while git pushes the claim. */
async function loadSession(): Promise<void> {
  await sleep(UNTIL_PUSH_MS);
  await findUnknownKeys("any text loads the patterns");
  await import("franc-min/data.js");
  await import("micromark");
}

/** What the run's end needs is loaded while git pushes. */
async function loadUpload(): Promise<void> {
  await sleep(UNTIL_PUSH_MS);
  await import("../publish/html-report.ts");
  await import("@actions/artifact");
}

const LOADERS = { start: loadStart, session: loadSession, upload: loadUpload };

/** Fails with `store-corrupt` if a session under way lacks what it begins with, or would run what nobody was shown. */
async function requireSound(
  { folder, workId, workingDirectory }: { folder: string; workId: string; workingDirectory: string },
  { sessionId, state }: StoredSession,
  cipher: StoreCipher | undefined,
): Promise<void> {
  if (!isUnderWay(state) || state.canceled) return;
  const lines = await readWholeConversations(folder, sessionId, cipher);
  requireAllAsShown(state, { workId, sessionId, workingDirectory }, (conversationId) =>
    lines.flatMap((line) =>
      line.type === "Message" && line.payload.conversationId === conversationId
        ? toolCallsOf(line.payload.message)
        : [],
    ),
  );
}

function toStored({ sessions }: WorkReading): StoredSession[] {
  return [...sessions].map(([sessionId, { events, auditHead }]) => ({
    sessionId,
    state: foldEvents(events),
    auditHead,
  }));
}

function storesOf({ folder, stateKey }: StorePlace, codeVersion: string): Stores {
  return openStores({ stateFolder: dirname(folder), codeVersion, clock, stateKey });
}

async function readLost(
  { folder: saved, stateKey }: Pick<StorePlace, "folder" | "stateKey">,
  diedIn: string,
): Promise<Map<string, SpendingLost[]>> {
  const cipher = await storeCiphers(stateKey)(basename(saved));
  const lost = new Map<string, SpendingLost[]>();
  for (const sessionId of await readdir(join(saved, "sessions")).catch(() => [])) {
    const [before, after] = await Promise.all(
      [saved, diedIn].map((folder) => sizeOf(join(folder, "sessions", sessionId, "conversation"))),
    );
    if (before === after || after === 0) continue;
    const known = await readCosts(saved, sessionId, cipher);
    lost.set(sessionId, (await readCosts(diedIn, sessionId, cipher)).slice(known.length));
  }
  return lost;
}

/** Bytes of the files in a folder; 0 without the folder. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What each response in a session cost, in order. */
async function readCosts(
  folder: string,
  sessionId: string,
  cipher: Parameters<typeof readSession>[2],
): Promise<SpendingLost[]> {
  const { conversation } = await readSession(folder, sessionId, cipher);
  return conversation.flatMap((line): SpendingLost[] => {
    if (line.type === "SpendingLost") return [line];
    if (line.type !== "Message" || !line.payload.response) return [];
    const { usage, costUsd, requests = 1 } = line.payload.response;
    const lost = { conversationId: line.payload.conversationId, usage, costUsd, requests };
    return [{ store: "conversation", type: "SpendingLost", payload: lost }];
  });
}

/**
 * Writes the output of `looplia report` and `looplia report --html` to `logs/report-<session-id>` in the work's folder;
 * overwrites old reports.
 */
async function writeReports(
  { folder, stateKey }: Pick<StorePlace, "folder" | "stateKey">,
  ended: readonly Result[],
  keys: KeyGuard,
): Promise<void> {
  const { reportMarkdown, reportOf } = await import("../publish/session-report.ts");
  const { htmlReport } = await import("../publish/html-report.ts");
  const cipher = await storeCiphers(stateKey)(basename(folder));
  const begun = new Set(await readdir(join(folder, "sessions")).catch(() => []));
  await mkdir(join(folder, "logs"), { recursive: true });
  for (const { sessionId, title, ...result } of ended.filter((one) => begun.has(one.sessionId))) {
    const stored = await readSession(folder, sessionId, cipher);
    const view = viewSession(sessionId, stored);
    const report = await keys.withhold(reportMarkdown(reportOf(view)));
    await writeFile(join(folder, "logs", `report-${sessionId}.md`), report);
    const read = await readStoredLines(folder, sessionId, cipher);
    const { usage, costUsd, unpriced } = view.totals;
    const results = result.tasks
      ? new Map([[basename(result.source), result.artifact]])
      : new Map([...result.artifacts].map(([output, value]) => [`${output}.json`, value]));
    const facts = { sessionId, title, ...read, usage, costUsd: unpriced ? null : costUsd, results };
    await writeFile(join(folder, "logs", `report-${sessionId}.html`), await keys.withhold(htmlReport(facts)));
  }
}

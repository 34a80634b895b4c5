// The Action's main step. Only this file touches the process.
import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { secretsOf } from "../config/secrets.ts";
import type { RunEvent } from "../core/ports.ts";
import { redactValue } from "../core/redaction.ts";
import { neutralizeLine } from "../publish/markdown.ts";
import { readEvent, readRunnerFacts } from "../work/find.ts";
import { type Leftovers, outcomeOf } from "../work/run.ts";
import { runAction } from "../work/start.ts";
import { takeProxies } from "./outside/routes.ts";
import { redactorOf } from "./redact.ts";
import { JobLog, takeJobLog, tellRunner } from "./tell.ts";

/** The runner kills the process 10 s after its first signal; `post` completes the work. */
const SAVING_MS = 7_000;
/** Name of the state that `post` reads. */
const STATE = "looplia";

await takeProxies(process.env);
const redact = redactorOf(secretsOf(process.env));
// Loading takes a tenth of a second, in parallel with the first git commands.
const loading = import("@actions/core");
const write = takeJobLog(process.env);
const log = new JobLog(write);
const interruption = new AbortController();
/** Lines of the log, one after the other, because what looks like a key is looked for first. */
let shown = Promise.resolve();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (interruption.signal.aborted) return;
    interruption.abort("interrupted");
    setTimeout(endUnsaved, SAVING_MS).unref();
  });
}

try {
  const facts = readRunnerFacts(process.env);
  const core = await loading;
  const { begun } = await import("./outside/begin.ts");
  const temporary = begun?.temporary ?? (await mkdtemp(join(facts.temporary, "looplia-")));
  // The jobs of a matrix share all their names, so each gets a random id.
  const claimant = randomBytes(6).toString("hex");
  const remember = ({ upload, works = [] }: Leftovers) => {
    const left = { temporary, claimant, upload, works: redactValue(works, redact) };
    core.saveState(STATE, JSON.stringify(left));
  };
  remember({});
  const [{ wireAction }, { clock }] = await Promise.all([import("./wire-action.ts"), import("./wire.ts")]);
  const wiring = await wireAction({ begun });
  const show = (event: RunEvent): void => {
    if (event.type === "notice" && event.level === "warning") core.warning(neutralizeLine(event.message));
    else if (event.type === "notice") write(neutralizeLine(event.message));
    else log.observe(event);
  };
  let waiting: RunEvent[] = [];
  const showWaiting = async (): Promise<void> => {
    const events = waiting;
    waiting = [];
    for (const event of await wiring.keys.withhold(redactValue(events, redact))) show(event);
  };
  const observe = (said: RunEvent): void => {
    waiting.push(said);
    const leaveOut = () => write("Lines are left out: they could not be searched for keys.");
    if (waiting.length === 1) shown = shown.then(showWaiting).catch(leaveOut);
  };
  const { signal } = interruption;
  const event = await readEvent(process.env);
  const environment = process.env;
  const ended = await runAction({
    wiring,
    environment,
    facts,
    event,
    claimant,
    temporary,
    clock,
    observe,
    signal,
    remember,
  });
  await shown;
  log.end();
  await tellRunner(core, await wiring.keys.withhold(redactValue(ended, redact)), write);
} catch (thrown) {
  await shown;
  log.end();
  const core = await loading;
  const { status, reasonCode, message } = redactValue(outcomeOf(thrown), redact);
  core.setOutput("status", status);
  core.setOutput("reason-code", reasonCode);
  core.setFailed(`${reasonCode}: ${message ?? ""}`);
}

async function endUnsaved(): Promise<never> {
  const core = await loading;
  core.setOutput("status", "stopped");
  core.setOutput("reason-code", "interrupted");
  core.setFailed("interrupted: there was no time to save everything; run again to resume from the branch");
  process.exit();
}

// Timers and sockets of packages must not keep the job running.
process.exit();

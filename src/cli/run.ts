// `run` and `answer`: resolves folder and settings, runs, prints the result.

import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Diagnostic, formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { describeMissingKey, findProvider } from "../config/providers.ts";
import { resolveSettings } from "../config/settings.ts";
import type { Settings } from "../config/settings-table.ts";
import { readTaskAgents } from "../config/tasks.ts";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import { printedJson, toPlainLine, toPlainText } from "../core/json.ts";
import type { Host, RunEvent } from "../core/ports.ts";
import type { ContentPlan, RunResult } from "../core/result.ts";
import { REHEARSAL } from "../publish/report.ts";
import { planRows, planSentence } from "../publish/tables.ts";
import type { CommandLine, PromptOverride } from "./arguments.ts";
import { startProgress, watchSignals } from "./live/progress.ts";
import { exitCodeOf, keptArguments, resultJson, resultLines, resumeCommand } from "./result.ts";
import { findRoot } from "./root.ts";
import {
  actorOf,
  type CliPlace,
  type CliTrigger,
  colorsFor,
  isInteractive,
  type Progress,
  readsScreen,
  type Surface,
  type Wiring,
} from "./surface.ts";

export type FoundPlace = {
  place: CliPlace;
  /** All errors and warnings of the settings. */
  diagnostics: Diagnostic[];
  /** Messages for the person before the run starts. */
  notices: string[];
  /** The repository's root, where the person stands in another folder and named none. */
  elsewhere?: string;
};

/** Does not throw for invalid settings: `diagnostics` lists the problems. */
export async function findPlace(
  surface: Surface,
  folder: string | undefined,
  overrides: Record<string, string | boolean | string[]>,
): Promise<FoundPlace> {
  const { environment } = surface;
  const sources = { fileName: "looplia.yml", environment, overrides, overridesSource: "flag" } as const;
  // The first pass only locates the settings file.
  const { config, workingDirectory } = (await resolveSettings({ ...sources, file: undefined })).settings;
  const repository =
    folder === undefined ? findRoot(surface.cwd, config, environment.HOME) : resolve(surface.cwd, folder);
  const { text, problem } = await readConfig(repository, config);
  const { settings, diagnostics } = await resolveSettings({ ...sources, file: text, fileName: config });
  if (problem) diagnostics.push(problem);
  const root = resolve(repository, workingDirectory);
  if (!(await isFolder(root))) {
    diagnostics.push({ severity: "error", file: "working-directory", message: `there is no folder ${root}` });
  }
  const stateFolder = environment.LOOPLIA_STATE_DIR
    ? resolve(surface.cwd, environment.LOOPLIA_STATE_DIR)
    : join(root, ".looplia", "state");
  const chosen = chooseProvider(settings, environment);
  if (chosen.problem) diagnostics.push(chosen.problem);
  diagnostics.push(...readTaskAgents(chosen.settings).diagnostics);
  return {
    place: { root, stateFolder, settings: chosen.settings, environment },
    diagnostics,
    notices: chosen.notice === undefined ? [] : [chosen.notice],
    ...(folder === undefined && repository !== surface.cwd ? { elsewhere: repository } : {}),
  };
}

/** The place of a command that runs nothing: prints warnings, and throws LoopliaError `config-invalid` with all errors. */
export async function openPlace(
  surface: Surface,
  { folder, overrides }: Pick<CommandLine, "folder" | "overrides">,
): Promise<CliPlace> {
  const found = await findPlace(surface, folder, overrides);
  reportPlace(surface, { ...found, notices: [] });
  return found.place;
}

/** Prints warnings and notices on standard error. Throws LoopliaError `config-invalid` with all errors. */
function reportPlace(surface: Surface, { diagnostics, notices, elsewhere }: FoundPlace): void {
  if (elsewhere !== undefined) surface.stderr.write(`in ${elsewhere}\n`);
  const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === "warning");
  for (const warning of warnings) surface.stderr.write(`warning: ${formatDiagnostic(warning)}\n`);
  throwIfErrors(diagnostics);
  for (const notice of notices) surface.stderr.write(`${notice}\n`);
}

/**
 * The path of a content item: as given, else below the root. Throws LoopliaError `config-invalid` if it does
 * not exist.
 */
async function findItem(surface: Surface, place: CliPlace, path: string): Promise<string> {
  for (const base of [surface.cwd, place.root]) {
    const found = resolve(base, path);
    if (await exists(found)) return found;
    if (isAbsolute(path)) break;
  }
  throw new LoopliaError("config-invalid", `There is no file ${path}.`, {
    hint: `looked in ${[...new Set([surface.cwd, place.root])].join(" and ")}`,
  });
}

async function readConfig(
  repository: string,
  config: string,
): Promise<{ text: string | undefined; problem?: Diagnostic }> {
  try {
    return { text: await readFile(resolve(repository, config), "utf8") };
  } catch (thrown) {
    const isMissing = errnoOf(thrown) === "ENOENT";
    if (isMissing && config === "looplia.yml") return { text: undefined };
    const message = isMissing ? "there is no such settings file" : `cannot be read: ${messageOf(thrown)}`;
    return { text: undefined, problem: { severity: "error", file: config, message } };
  }
}

/** Without a key the command line rehearses offline and says so; an explicit provider needs its key. */
function chooseProvider(
  settings: Settings,
  environment: Surface["environment"],
): { settings: Settings; notice?: string; problem?: Diagnostic } {
  const named = settings.provider;
  if (named === "offline") return { settings, notice: `Offline: ${REHEARSAL}.` };
  const provider = findProvider(settings);
  if (provider !== undefined) return { settings: { ...settings, provider } };
  if (named !== "auto") {
    const { problem: message, fix } = describeMissingKey(named, environment);
    const hint = `${fix}, or rehearse with --provider offline`;
    return { settings, problem: { severity: "error", file: "provider", message, hint } };
  }
  const notice = `Neither ANTHROPIC_API_KEY nor OPENAI_API_KEY is set, so this run is offline: ${REHEARSAL}.`;
  return { settings: { ...settings, provider: "offline" }, notice };
}

/** A link to a folder counts. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

// `run` and `answer`: runs one trigger to its end.

/**
 * Runs the trigger and prints the result. Returns the exit code; throws LoopliaError for failures of the
 * whole run.
 */
export async function runSubcommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const overrides = line.command === "plan" ? { ...line.overrides, mode: "plan" } : line.overrides;
  const found = await findPlace(surface, line.folder, overrides);
  reportPlace(surface, found);
  await requirePrompts(line, surface);
  const { place } = found;
  const trigger = await triggerOf(line, surface, place, wiring);
  const kept = keptArguments(line);
  const result = await watchRun({ trigger, place, isDemo: false, kept, ...promptsOf(line) }, surface, wiring);
  if (result.plan) printPlan(result.plan, line.isJson, surface);
  else printResult(result, place, { kept, isJson: line.isJson }, surface);
  return exitCodeOf(result);
}

type WatchedRun = {
  trigger: CliTrigger;
  place: CliPlace;
  isDemo: boolean;
  /** The end of the command that continues an interrupted run. */
  kept: string;
  prompts?: PromptOverride;
  ui?: "none" | "tui";
};

function promptsOf({ prompts, ui }: CommandLine): Pick<WatchedRun, "prompts" | "ui"> {
  return { ...(prompts ? { prompts } : {}), ...(ui ? { ui } : {}) };
}

/** Shows progress and asks in the terminal; the demo answers by itself. */
export async function watchRun(run: WatchedRun, surface: Surface, wiring: Wiring): Promise<RunResult> {
  let progress: Progress | undefined;
  const interruption = watchSignals(surface, (text) => progress?.screen.print(text));
  const sessions = new Set<string>();
  const observe = (event: RunEvent) => {
    if (event.type === "session") sessions.add(event.sessionId);
    progress?.observe(event);
  };
  let ended: string | undefined;
  try {
    progress = await startProgress(surface, run, interruption.press);
    const host = await hostFor(run, surface, wiring, { progress, interruption });
    const { signal } = interruption;
    const { isDemo, prompts } = run;
    const around = { ...run.place, host, observe, signal, isDemo };
    const result = await wiring.run(
      run.trigger,
      prompts ? { ...around, prompts: shownPrompts(prompts, surface) } : around,
    );
    if (!signal.aborted) ended = result.status;
    return result;
  } catch (thrown) {
    if (!interruption.signal.aborted) throw thrown;
    const hint = [...sessions].map((id) => resumeCommand(id, run.kept)).join("\n");
    throw new LoopliaError("interrupted", "Stopped; everything so far is saved.", {
      cause: thrown,
      ...(hint ? { hint: `Resume: ${hint}` } : {}),
    });
  } finally {
    await progress?.end(ended);
    interruption.release();
  }
}

async function requirePrompts({ prompts }: CommandLine, { cwd }: Surface): Promise<void> {
  const { folder } = prompts ?? {};
  if (folder === undefined || (await isFolder(resolve(cwd, folder)))) return;
  throw new LoopliaError("config-invalid", `--prompt-dir: there is no folder ${folder}.`);
}

function shownPrompts({ folder, isPrinted }: PromptOverride, surface: Surface) {
  const show = (file: string, text: string) =>
    surface.stderr.write(`--- ${file}\n${toPlainText(text)}\n---\n`);
  return {
    ...(folder === undefined ? {} : { folder: resolve(surface.cwd, folder) }),
    ...(isPrinted ? { show } : {}),
  };
}

function hostFor(
  run: WatchedRun,
  surface: Surface,
  wiring: Wiring,
  {
    progress: { screen, prompts },
    interruption,
  }: { progress: Progress; interruption: ReturnType<typeof watchSignals> },
): Promise<Host> {
  // The demo runs the example's own commands in a temporary folder.
  if (run.isDemo && !prompts) return wiring.demoHost(screen, run.trigger.kind === "tasks");
  return wiring.terminalHost({
    screen,
    ...(prompts ? { prompts } : {}),
    isInteractive: isInteractive(surface),
    isPlain: readsScreen(surface),
    colors: colorsFor(surface, surface.stderr),
    actorId: actorOf(surface),
    interrupt: interruption.interrupt,
  });
}

async function triggerOf(
  line: CommandLine,
  surface: Surface,
  place: CliPlace,
  wiring: Wiring,
): Promise<CliTrigger> {
  const { sessionId, content } = place.settings;
  if (place.settings.mode === "plan") {
    if (content.length > 0) return { kind: "content", globs: content, isPlan: true };
    throw new LoopliaError("config-invalid", "There is nothing to plan: `content` is not set.", {
      hint: "give globs of content items as `content` in looplia.yml, or with --content; for a task list, `looplia ls todo` shows what is left",
    });
  }
  if (line.answer) return { kind: "answer", ...line.answer, actorId: actorOf(surface) };
  if (line.file !== undefined) {
    if (sessionId !== undefined) {
      throw new LoopliaError("config-invalid", "--file starts a session and --session-id resumes one.", {
        hint: "give only one of them",
      });
    }
    return { kind: "file", source: sourceOf(place.root, await findItem(surface, place, line.file)) };
  }
  if (sessionId !== undefined) return { kind: "session", sessionId };
  const { mode, task } = place.settings;
  if (mode === "tasks" || (mode === "auto" && task !== undefined)) return { kind: "tasks" };
  if (content.length > 0) return { kind: "content", globs: content };
  if (mode === "auto" && (await hasTasks(place, wiring))) return { kind: "tasks" };
  const list = mode === "auto" ? `, and there is no task list ${place.settings.todo}` : "";
  const what = `There is nothing to run in ${place.root}: \`content\` is not set${list}.`;
  throw new LoopliaError("config-invalid", what, {
    hint: "give --file <path>, --session-id <id>, globs as `content` in looplia.yml, or a task list (`looplia init` makes one); `looplia demo` shows an example",
  });
}

/**
 * True with a task list, with a source document for one, or with a model, which can make a list from a
 * person's words.
 */
async function hasTasks({ root, settings }: CliPlace, wiring: Wiring): Promise<boolean> {
  if (settings.provider !== "offline") return true;
  const { trusted } = await wiring.readFiles(root);
  const isThere = async (path: string) => (await trusted.read(path).catch(() => "")) !== undefined;
  if (await isThere(settings.todo)) return true;
  return wiring.hasSources(root, settings);
}

/** Relative to the root with `/` if the file is below it, else absolute. */
function sourceOf(root: string, path: string): string {
  const below = relative(root, path);
  return below.startsWith("..") ? path : below.split(sep).join("/");
}

function printPlan(plan: ContentPlan, isJson: boolean, { stdout }: Surface): void {
  if (isJson) {
    stdout.write(printedJson(plan));
    return;
  }
  const { rows, left } = planRows(plan);
  const width = Math.max(0, ...rows.map(([state = ""]) => state.length));
  for (const [state = "", source = "", why = "", cost = ""] of rows) {
    const said = [source, why, cost].filter(Boolean).map(toPlainLine).join("  ");
    stdout.write(`${state.padEnd(width)}  ${said}\n`);
  }
  if (left > 0) stdout.write(`… and ${left} more; --json has all of them\n`);
  for (const { sessionId, source } of plan.deleted) {
    stdout.write(`${toPlainLine(`gone  ${source}  session ${sessionId} is kept`)}\n`);
  }
  stdout.write(`${planSentence(plan)}\n`);
}

function printResult(
  result: RunResult,
  place: CliPlace,
  how: { kept: string; isJson: boolean },
  surface: Surface,
): void {
  const { stdout, stderr } = surface;
  const shown = {
    result,
    kept: how.kept,
    isRehearsal: place.settings.provider === "offline",
    isDryRun: place.settings.dryRun,
    locate: (path: string) => `${place.root}${sep}${path.split("/").join(sep)}`,
  };
  const stream = how.isJson ? stderr : stdout;
  const { good, bad } = resultLines(shown, colorsFor(surface, stream));
  for (const text of good) stream.write(`${text}\n`);
  for (const text of bad) stderr.write(`${text}\n`);
  if (how.isJson) stdout.write(printedJson(resultJson(shown)));
}

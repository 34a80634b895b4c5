// `run` and `answer`: one trigger, watched to its end.
import { relative, resolve, sep } from "node:path";
import type { RunResult } from "../../content/item-result.ts";
import { LoopliaError } from "../../errors.ts";
import type { Host, RunEvent } from "../../ports.ts";
import { toPlainText } from "../../session/plain-text.ts";
import type { PromptOverride } from "./developer-flags.ts";
import { keptArguments, resumeCommand } from "./next-command.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { startProgress } from "./progress.ts";
import { findItem, findPlace, isFolder, reportPlace } from "./resolve-place.ts";
import type { Screen } from "./screen.ts";
import { exitCodeOf, resultJson, resultLines, type Shown } from "./show-result.ts";
import { colorsFor, isInteractive, isLive, type Surface } from "./surface.ts";
import { type Interruption, watchSignals } from "./watch-signals.ts";
import type { CliTrigger, Place, Wiring } from "./wiring.ts";

/** Runs to the end and prints the result. Returns the exit code; throws LoopliaError for the run as a whole. */
export async function runCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const found = await findPlace(surface, line.folder, line.overrides);
  reportPlace(surface, found);
  await requirePrompts(line, surface);
  const { place } = found;
  const trigger = await triggerOf(line, surface, place, wiring);
  const kept = keptArguments(line);
  const result = await watchRun({ trigger, place, isDemo: false, kept, ...promptsOf(line) }, surface, wiring);
  printResult(result, place, { kept, isJson: line.isJson }, surface);
  return exitCodeOf(result);
}

export type WatchedRun = {
  trigger: CliTrigger;
  place: Place;
  isDemo: boolean;
  /** What follows the command that goes on, should the run be interrupted. */
  kept: string;
  prompts?: PromptOverride;
};

function promptsOf({ prompts }: CommandLine): { prompts?: PromptOverride } {
  return prompts ? { prompts } : {};
}

/** Shows progress and asks in the terminal, or answers by itself in the demo. */
export async function watchRun(run: WatchedRun, surface: Surface, wiring: Wiring): Promise<RunResult> {
  const { stderr, elapsed } = surface;
  const colors = colorsFor(surface, stderr);
  const progress = await startProgress({ stream: stderr, isLive: isLive(surface), colors, elapsed });
  const interruption = watchSignals(surface, progress.screen.print);
  const sessions = new Set<string>();
  const observe = (event: RunEvent) => {
    if (event.type === "session") sessions.add(event.sessionId);
    progress.observe(event);
  };
  try {
    const host = await hostFor(run, surface, wiring, progress.screen, interruption);
    const { signal } = interruption;
    const { isDemo, prompts } = run;
    const around = { ...run.place, host, observe, signal, isDemo };
    return await wiring.run(
      run.trigger,
      prompts ? { ...around, prompts: shownPrompts(prompts, surface) } : around,
    );
  } catch (thrown) {
    if (!interruption.signal.aborted) throw thrown;
    const hint = [...sessions].map((id) => resumeCommand(id, run.kept)).join("\n");
    throw new LoopliaError("interrupted", "Stopped; everything so far is saved.", {
      cause: thrown,
      ...(hint ? { hint: `Go on: ${hint}` } : {}),
    });
  } finally {
    progress.end();
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
  screen: Screen,
  interruption: Interruption,
): Promise<Host> {
  // The example's own commands, in a temporary folder.
  if (run.isDemo) return wiring.demoHost(screen, run.trigger.kind === "tasks");
  return wiring.terminalHost({
    screen,
    isInteractive: isInteractive(surface),
    colors: colorsFor(surface, surface.stderr),
    actorId: actorOf(surface),
    interrupt: interruption.interrupt,
  });
}

async function triggerOf(
  line: CommandLine,
  surface: Surface,
  place: Place,
  wiring: Wiring,
): Promise<CliTrigger> {
  const { sessionId, content } = place.settings;
  if (line.answer) return { kind: "answer", ...line.answer, actorId: actorOf(surface) };
  if (line.file !== undefined) {
    if (sessionId !== undefined) {
      throw new LoopliaError("config-invalid", "--file begins a session and --session-id goes on with one.", {
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
  throw new LoopliaError("config-invalid", "There is nothing to run.", {
    hint: "give --file <path>, --session-id <id>, globs as `content` in looplia.yml, or a task list (`looplia init` makes one); `looplia demo` shows how it goes",
  });
}

/** True with a task list, or with a document that one can be made from; a model can make one from a person's words. */
async function hasTasks({ root, settings }: Place, wiring: Wiring): Promise<boolean> {
  if (settings.provider !== "offline") return true;
  const { trusted } = await wiring.readFiles(root);
  const isThere = async (path: string) => (await trusted.read(path).catch(() => "")) !== undefined;
  if (await isThere(settings.todo)) return true;
  return wiring.hasSources(root, settings);
}

/** Relative to the root with `/` when the file is below it, else absolute. */
function sourceOf(root: string, path: string): string {
  const below = relative(root, path);
  return below.startsWith("..") ? path : below.split(sep).join("/");
}

function actorOf(surface: Surface): string {
  const { USER, LOGNAME, USERNAME } = surface.environment;
  return `terminal:${USER || LOGNAME || USERNAME || "someone"}`;
}

function printResult(
  result: RunResult,
  place: Place,
  how: { kept: string; isJson: boolean },
  surface: Surface,
): void {
  const { stdout, stderr } = surface;
  const shown: Shown = {
    result,
    kept: how.kept,
    isRehearsal: place.settings.provider === "offline",
    isDryRun: place.settings.dryRun,
    locate: (path) => `${place.root}${sep}${path.split("/").join(sep)}`,
  };
  const stream = how.isJson ? stderr : stdout;
  const { good, bad } = resultLines(shown, colorsFor(surface, stream));
  for (const text of good) stream.write(`${text}\n`);
  for (const text of bad) stderr.write(`${text}\n`);
  if (how.isJson) stdout.write(`${JSON.stringify(resultJson(shown), null, 2)}\n`);
}

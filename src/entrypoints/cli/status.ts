// `status`: what became of each session, and what is open.
import type { Colors } from "picocolors/types.js";
import { formatDiagnostic } from "../../config/diagnostics.ts";
import { explain, LoopliaError } from "../../errors.ts";
import type { TrustedFiles } from "../../ports.ts";
import { formatCost, formatTokens, isFree } from "../../publish/figures.ts";
import { toPlainLine } from "../../session/plain-text.ts";
import { askedLines } from "../../session/question-text.ts";
import { padText } from "./fit-line.ts";
import { answerCommands, keptArguments, questionJson, resumeCommand } from "./next-command.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { type DamagedSession, readSessions, type SessionReport } from "./read-sessions.ts";
import { readTaskSessions } from "./read-task-sessions.ts";
import { countTasks, isListDone, readTasks } from "./read-tasks.ts";
import { findPlace, reportPlace } from "./resolve-place.ts";
import { colorsFor, type Surface } from "./surface.ts";
import type { Wiring } from "./wiring.ts";

/** Lists sessions, or the one that is named. Throws LoopliaError `config-invalid` when there is none of that name. */
export async function statusCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const found = await findPlace(surface, line.folder, line.overrides);
  reportPlace(surface, { ...found, notices: [] });
  const { root, stateFolder, settings } = found.place;
  const { trusted } = await wiring.readFiles(root);
  const readStores = wiring.readStores(stateFolder, settings.stateKey);
  const content = await readSessions({ files: trusted, readStores });
  const isDone = (source: string) => isListDone(trusted, source);
  const listed = await wiring.taskSessions(stateFolder);
  const tasks = await readTaskSessions(listed, readStores, { todo: settings.todo, isDone });
  const sessions = [...tasks.sessions, ...content.sessions];
  const damaged = [...tasks.damaged, ...content.damaged];
  const isShown = ({ sessionId }: { sessionId: string }) => [undefined, sessionId].includes(line.topic);
  const shown = [...sessions, ...damaged].filter(isShown);
  if (line.topic !== undefined && shown.length === 0) {
    throw new LoopliaError("config-invalid", `There is no session ${line.topic} in ${root}.`, {
      hint: "`looplia status` lists the sessions",
    });
  }
  const kept = keptArguments(line);
  if (line.isJson) {
    surface.stdout.write(
      `${JSON.stringify(
        shown.map((one) => (one.status === "damaged" ? one : sessionJson(one, kept))),
        null,
        2,
      )}\n`,
    );
    return 0;
  }
  const colors = colorsFor(surface, surface.stdout);
  if (line.topic === undefined) await showTasks(found.place.settings.todo, trusted, surface);
  if (shown.length === 0) surface.stdout.write(`No sessions in ${root}.\n`);
  const view = { kept, isWhole: line.topic !== undefined, now: new Date() };
  const texts = shown.map((one) =>
    one.status === "damaged" ? damagedLines(one, colors) : sessionLines(one, view, colors),
  );
  surface.stdout.write(texts.map((lines) => `${lines.join("\n")}\n`).join("\n"));
  return 0;
}

function damagedLines({ sessionId, status, message, hint }: DamagedSession, colors: Colors): string[] {
  const told = [message, hint ?? ""].filter((text) => text !== "").map((text) => `  ${toPlainLine(text)}`);
  return [`${mark("failed", colors)} ${colors.bold(sessionId)}  ${status}`, ...told];
}

/** The task list in numbers, if there is one. What is wrong with it is a warning. */
async function showTasks(path: string, files: TrustedFiles, surface: Surface): Promise<void> {
  const warn = (text: string) => surface.stderr.write(`warning: ${toPlainLine(text)}\n`);
  const list = await readTasks(files, path).catch((thrown: unknown) => {
    if (!(thrown instanceof LoopliaError)) throw thrown;
    warn(explain(thrown));
  });
  if (!list) return;
  for (const diagnostic of list.diagnostics) warn(formatDiagnostic(diagnostic));
  if (list.tasks.length > 0) surface.stdout.write(`${path}: ${countTasks(list.tasks)}\n\n`);
}

/**
 * A session for people: a heading, its steps, its open questions and the command that goes on. `isWhole`: with
 * everything that the questions show. One that is not to be answered any more shows how its session goes on instead.
 */
function sessionLines(
  session: SessionReport,
  { kept, isWhole, now }: { kept: string; isWhole: boolean; now: Date },
  colors: Colors,
): string[] {
  const { dim, bold } = colors;
  const { usage, costUsd, unpriced } = session.totals;
  const cost = isFree(usage) ? "" : ` · ${formatTokens(usage)} · ${formatCost(unpriced ? null : costUsd)}`;
  const width = Math.max(0, ...session.steps.map((step) => step.output.length));
  const lines = [
    `${mark(session.status, colors)} ${bold(session.sessionId)}  ${session.status}`,
    dim(
      `  ${toPlainLine(session.source)} through ${toPlainLine(session.pipeline)} · ${session.updatedAt}${cost}`,
    ),
    ...session.steps.map((step) => {
      const message = step.message ? `  ${toPlainLine(step.message)}` : "";
      return `  ${mark(step.status, colors)} ${padText(toPlainLine(step.output), width)}  ${dim(step.status)}${message}`;
    }),
  ];
  for (const request of session.interactions) {
    const [title = "", ...details] = askedLines(request);
    lines.push(`  question: ${title} (${request.shortId})`);
    if (isWhole) lines.push(...details.map((detail) => `  ${detail}`));
    const { expiresAt } = request;
    const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
    const commands = isExpired
      ? [`expired at ${expiresAt}; this ends what waited for it:`, resumeCommand(session.sessionId, kept)]
      : answerCommands(request, kept);
    lines.push(...commands.map((command) => `    ${command}`));
  }
  if (session.status === "failed" || session.status === "unfinished") {
    lines.push(`  go on: ${resumeCommand(session.sessionId, kept)}`);
  }
  return lines;
}

function mark(status: string, { green, red, yellow, dim }: Colors): string {
  switch (status) {
    case "completed":
      return green("✓");
    case "failed":
      return red("✗");
    case "waiting":
      return yellow("?");
    case "in_progress":
    case "unfinished":
      return yellow("■");
    default:
      return dim("○");
  }
}

function sessionJson({ totals, interactions, ...session }: SessionReport, kept: string): unknown {
  return {
    ...session,
    interactions: interactions.map((request) => questionJson(request, kept)),
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

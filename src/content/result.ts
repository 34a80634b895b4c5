// The result of an item as a run reports it.

import type { Outcome } from "../agent/session.ts";
import { noUsage, type SessionView } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Observer, Workspace } from "../core/ports.ts";
import type { End, Result } from "../core/result.ts";
import { openInteractions } from "../core/state.ts";
import { tellExceeded } from "../tools/run-command.ts";
import type { SessionManifest } from "./manifest.ts";
import { type ContentPorts, readArtifacts, usableOutputs } from "./ports.ts";
import { type SessionPlan, tellEdits } from "./session.ts";

type SessionEnd = {
  manifest: SessionManifest;
  /** What is stored of the session. */
  view: Pick<SessionView, "state" | "totals"> | undefined;
  outcome: Outcome;
};

/** The result of a session with this outcome. */
export async function describeSession(
  ports: ContentPorts,
  planned: SessionPlan,
  { manifest, view, outcome }: SessionEnd,
): Promise<Result> {
  const { sessionId, folder, item, pipeline, desiredOutput } = planned;
  const standing = { ...planned, manifest, session: { workspace: ports.workspace } };
  const usable = usableOutputs(standing);
  const byFile = await readArtifacts(standing, usable);
  const artifacts = new Map<string, unknown>();
  for (const { name, artifact } of pipeline.outputs)
    if (byFile.has(artifact)) artifacts.set(name, byFile.get(artifact));
  const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
  const notice = manifest.extra.get("notice");
  const { describePages, viewKit } = await import("./kit/page.ts");
  const pages = await describePages(ports.workspace, folder, pipeline.outputs);
  const edits = [...tellEdits(pipeline.outputs, manifest, view?.state), ...pages.edits];
  const kit = usable.has(pipeline.final) ? viewKit(item, byFile) : undefined;
  const standingFiles = pipeline.outputs.map(({ artifact }) => artifact).filter((file) => byFile.has(file));
  const interactions = view ? openInteractions(view.state) : [];
  return {
    source: item.source,
    sessionId,
    title: item.title,
    ...statusOf(outcome, interactions),
    folder,
    pipeline: pipeline.name,
    output: desiredOutput,
    finalOutput: pipeline.final,
    ...(wanted && artifacts.has(desiredOutput)
      ? { artifactPath: `${folder}/${wanted.artifact}`, artifact: artifacts.get(desiredOutput) }
      : {}),
    artifacts,
    steps: planned.plans.map(({ output, due, reason }) => {
      const step = manifest.steps.get(output);
      const message = step?.errorMessage === undefined ? {} : { message: step.errorMessage };
      const isDue = due ? { isDue: true as const } : {};
      return { output, status: step?.status ?? "pending", reason, ...isDue, ...message };
    }),
    ...(typeof notice === "string" ? { notice } : {}),
    ...(edits.length > 0 ? { edits } : {}),
    ...(kit ? { kit } : {}),
    files: [...pages.files, ...standingFiles],
    interactions,
    usage: view?.totals.usage ?? noUsage(),
    costUsd: view === undefined ? 0 : view.totals.unpriced ? null : view.totals.costUsd,
  };
}

function statusOf(outcome: Outcome, { length: open }: Result["interactions"]): End {
  switch (outcome.kind) {
    case "completed":
      return { status: "completed", reasonCode: "done" };
    case "waiting":
      return outcome.isInBatch && open === 0
        ? {
            status: "waiting",
            reasonCode: "batch",
            message: "a batch of requests is in progress; run again later",
          }
        : { status: "waiting", reasonCode: "open-questions" };
    default:
      return { status: outcome.kind, reasonCode: outcome.reasonCode, message: outcome.message };
  }
}

// `setup`: the commands of the trusted ref that make a fresh worktree usable, before the first task.

/** Per command; installing packages takes minutes. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT = 100_000;
const SHOWN = 2_000;
const NOT_ISOLATED =
  "setup did not run, because nothing isolates commands here and nobody would be asked about it; `looplia doctor` says how to isolate them, and `sandbox: off` runs it without";

/**
 * Runs the commands in order, isolated like any command; `network: npm ci` gives only that command network access.
 * Where nothing isolates them, none runs unless `sandbox` is `off`: nobody is asked about them, and people are told.
 * Stops at the first failure with `config-invalid` and the end of the command's output. Throws the signal's reason on
 * abort.
 */
export async function runSetup(
  workspace: Workspace,
  lines: readonly string[],
  around: { observe: Observer; signal: AbortSignal; sandbox: "auto" | "required" | "off" },
): Promise<void> {
  const { observe, signal } = around;
  const commands = lines.map(parseLine).filter(({ command }) => command !== "");
  if (commands.length > 0 && around.sandbox === "auto" && workspace.isolation.kind === "none") {
    observe({ type: "notice", level: "warning", message: NOT_ISOLATED });
    return;
  }
  for (const { command, network } of commands) {
    const message = `setup: ${command}${network ? " (with network)" : ""}`;
    observe({ type: "notice", level: "info", message });
    const result = await workspace.run(command, {
      timeoutMs: TIMEOUT_MS,
      maxOutput: MAX_OUTPUT,
      signal,
      ...(network ? { network } : {}),
    });
    signal.throwIfAborted();
    if (result.exitCode === 0) continue;
    const how = result.exceeded
      ? `was stopped: ${tellExceeded(result.exceeded)}`
      : result.timedOut
        ? `did not end within ${TIMEOUT_MS / 60_000} minutes`
        : `failed with exit code ${result.exitCode ?? "none"}`;
    throw new LoopliaError(
      "config-invalid",
      `The setup command \`${command}\` ${how}:\n${tailOf(result.output)}`,
      {
        hint: "fix `setup` in looplia.yml on the default branch; put `network: ` before a command that downloads",
      },
    );
  }
}

function parseLine(line: string): { command: string; network: boolean } {
  const marked = /^\s*network:\s+(.*)$/s.exec(line);
  return { command: (marked?.[1] ?? line).trim(), network: marked !== null };
}

function tailOf(output: string): string {
  return output.trimEnd().slice(-SHOWN).toWellFormed() || "(no output)";
}

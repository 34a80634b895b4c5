// Asks what to do about a person's invalid edit of an artifact on the branch.
import type { AgentSession } from "../agent/session.ts";
import { createInvalidEdit, isInvalidEdit } from "../approval/request.ts";
import { sha256Of } from "../core/json.ts";
import { openInteractions } from "../core/state.ts";
import type { SessionRun } from "./ports.ts";
import { quoted } from "./reading/attach.ts";
import type { SessionPlan } from "./session.ts";

/** Stands for the commit of a file in the worktree. */
const HERE = "edited";

/** Asks once about each invalid edit, up to the limit of open questions. */
export async function askAboutInvalid(
  session: AgentSession,
  { folder, pipeline, plans }: Pick<SessionPlan, "folder" | "pipeline" | "plans">,
): Promise<void> {
  const { asking, journal, clock, workspace } = session;
  const blocked = plans.filter(({ isBlocked }) => isBlocked);
  for (const { output, reason } of blocked) {
    const file = pipeline.outputs.find(({ name }) => name === output)?.artifact ?? output;
    const bytes = await workspace.read(`${folder}/${file}`);
    if (!bytes || asking.open.isFull) continue;
    const edit = {
      path: placeOf(asking.workingDirectory, `${folder}/${file}`),
      commit: HERE,
      sha256: sha256Of(bytes),
    };
    const isAsked = [...journal.state.interactions.values()].some(({ request }) =>
      request.conflict?.some(({ sha256 }) => sha256 === edit.sha256),
    );
    if (isAsked) continue;
    const ordinal = await asking.nextOrdinal();
    const expiresAt = new Date(clock.now().getTime() + asking.ttlHours * 3_600_000).toISOString();
    const { workId, sessionId } = journal;
    const { workingDirectory } = asking;
    const origin = { workId, sessionId, ordinal, workingDirectory, expiresAt };
    const payload = createInvalidEdit(origin, edit, { output, problem: reason });
    asking.open.raise(payload.interactionId);
    await journal.append({ store: "events", type: "UserInteractionRequested", payload });
  }
}

/** Closes questions about edits that are now valid or gone. */
export async function closeCorrected({ asking, journal }: AgentSession): Promise<void> {
  for (const { taskId, interactionId, ...request } of openInteractions(journal.state)) {
    if (!isInvalidEdit({ taskId }) || request.conflict === undefined) continue;
    const payload = { taskId, reason: "the edit was corrected" };
    await journal.append({ store: "events", type: "TaskCanceled", payload });
    asking.open.settle(interactionId);
  }
}

/** What a step repairs: the person's text of each output whose question was answered so, with the fault. */
export async function editsToRepair(
  { session, folder, pipeline }: Pick<SessionRun, "session" | "folder" | "pipeline">,
  { outputs }: { outputs: readonly string[] },
): Promise<string[]> {
  const parts: string[] = [];
  for (const { request, response } of session.journal.state.interactions.values()) {
    const { taskId, conflict, display } = request;
    if (!isInvalidEdit({ taskId }) || response?.selectedOptionId !== "repair") continue;
    const artifact = pipeline.outputs.find(
      ({ name }) => outputs.includes(name) && taskId.endsWith(`/${name}`),
    )?.artifact;
    const bytes = artifact === undefined ? undefined : await session.workspace.read(`${folder}/${artifact}`);
    if (!bytes || !conflict?.some(({ sha256 }) => sha256 === sha256Of(bytes))) continue;
    const task = "Correct what is not valid. Everything else of it stays as the person wrote it";
    const label = `\`${artifact}\`, as a person edited it. ${display.description ?? ""} ${task}`;
    parts.push(quoted(label, session.journal.redact(new TextDecoder().decode(bytes))));
  }
  return parts;
}

function placeOf(workingDirectory: string, path: string): string {
  return workingDirectory === "." ? path : `${workingDirectory}/${path}`;
}

// Commands' changes to files that decide what runs: they are reverted first, then a person is asked whether
// to keep them.
import { createConfirm, type ShownCall } from "../approval/request.ts";
import type { ToolUseBlock } from "../core/events.ts";
import type { InteractionAnswer, InteractionRequest, RuleChange } from "../core/interaction.ts";
import { inTurn } from "../core/json.ts";
import { callKey } from "../core/state.ts";
import { editFileTool } from "../tools/edit-file.ts";
import { executeCall, settleCall } from "./call.ts";
import { decideEdit, type RunnableCall, requestedLines } from "./decide.ts";
import { askPerson, raiseRequest, showCalls, whyNotNow } from "./people.ts";
import type { AgentRun, AgentSession, Outcome } from "./session.ts";

type Kept = NonNullable<InteractionRequest["kept"]>[number];

/**
 * Raises one question about a command's changes: each is an edit by the program with its own id. Raises none
 * if no person can be asked, and leaves out files that no edit may change or whose text contains a secret.
 */
export async function raiseKept(
  session: AgentSession,
  run: AgentRun,
  toolCallId: string,
  changes: readonly RuleChange[],
): Promise<void> {
  if (!session.host.canAsk) return;
  const kept: Kept[] = [];
  const shown: ShownCall[] = [];
  const edits: RunnableCall[] = [];
  for (const [at, change] of changes.entries()) {
    const one = { toolCallId: `${toolCallId}-kept-${at + 1}`, ...change };
    const decided =
      session.journal.redact(change.after) === change.after && (await decideEdit(session, editOf(one)));
    if (!decided || decided.kind === "deny") continue;
    const call = (await showCalls(session, [asAsked(decided)])).get(one.toolCallId);
    if (!call || "problem" in call) continue;
    const headline = `A command changed ${change.path}, and it was put back. Keep the command's version?`;
    shown.push({ ...call, title: `Keep the command's version of ${change.path}`, headline });
    kept.push(one);
    edits.push(asAsked(decided));
  }
  if (kept.length === 0) return;
  const { kind, network } = session.workspace.isolation;
  await session.journal.append(...requestedLines(session, run, edits));
  await raiseRequest(session, run, (origin) => ({
    ...createConfirm(origin, shown, { kind, network }),
    kept,
  }));
}

/** Asks even if the rules would allow the edit: no person was asked about a command's side effect. */
function asAsked(decided: RunnableCall): RunnableCall {
  return { ...decided, kind: "ask" };
}

function editOf({ toolCallId, path, before = "", after }: Kept): ToolUseBlock {
  return {
    type: "tool_use",
    id: toolCallId,
    name: editFileTool.name,
    input: { path, oldStr: before, newStr: after },
  };
}

/** Waits for the answers to the conversation's questions of this kind, and makes the approved edits. */
export async function settleKept(session: AgentSession, run: AgentRun): Promise<Outcome | undefined> {
  const { state } = session.journal;
  const isOpen = ({ toolCallId }: Kept) =>
    state.calls.get(callKey(run.conversationId, toolCallId))?.outcome === undefined;
  const requests = [...state.interactions.values()].map(({ request }) => request);
  for (const request of requests) {
    if (request.conversationId !== run.conversationId || !request.kept?.some(isOpen)) continue;
    const asked = await askPerson(
      session,
      run,
      (one) => one === request,
      () => request,
    );
    if (asked.kind === "unanswered") return asked.outcome;
    for (const kept of request.kept.filter(isOpen)) {
      await inTurn(session.workspace, () => settleOne(session, run, kept, asked));
    }
  }
  return undefined;
}

async function settleOne(
  session: AgentSession,
  run: AgentRun,
  kept: Kept,
  { request, answer }: { request: InteractionRequest; answer: InteractionAnswer },
): Promise<void> {
  const call = editOf(kept);
  const refuse = (text: string, notRun?: string) =>
    settleCall(session, run, call, {
      ...{ reply: { text, isError: true }, outcome: "denied", isProgram: true },
      ...(notRun === undefined ? {} : { notRun }),
    });
  if (answer.selectedOptionId !== "approve") return refuse("A person left the file as it was.");
  const decided = await decideEdit(session, call);
  if (decided.kind === "deny") return refuse(decided.reason, decided.reason);
  const notRun = await whyNotNow(session, run, asAsked(decided), request);
  if (notRun !== undefined) return refuse(`Not kept: ${notRun}.`, notRun);
  await executeCall(session, run, decided, false);
}

// Commands' changes to files that decide what runs: they are reverted first, then a person is asked whether
// to keep them.
import { createConfirm, createProgramQuestion, type ShownCall } from "../approval/request.ts";
import type { ToolUseBlock } from "../core/events.ts";
import type { InteractionAnswer, InteractionRequest, RuleChange } from "../core/interaction.ts";
import { inTurn } from "../core/json.ts";
import { callKey, type InteractionState, isPending } from "../core/state.ts";
import { editFileTool, KEEP_CHANGE, keepChangeTool, keptCall } from "../tools/edit-file.ts";
import { cutLine, type Tool } from "../tools/tool.ts";
import { decideOwn, executeCall, requestedLines, settleCall } from "./call.ts";
import {
  askPerson,
  type DecidedCall,
  type RunnableCall,
  raiseRequest,
  requireShownCalls,
  showCalls,
  whyNotNow,
} from "./people.ts";
import type { AgentRun, AgentSession, Outcome } from "./session.ts";

type Kept = NonNullable<InteractionRequest["kept"]>[number];

/**
 * Raises one question about a command's changes: each is a call by the program with its own id. Raises none
 * if no person can be asked, and leaves out files that no edit may change or whose text contains a secret.
 */
export async function raiseKept(
  session: AgentSession,
  run: AgentRun,
  { call, facts }: RunnableCall,
  changes: readonly RuleChange[],
): Promise<void> {
  if (!session.host.canAsk) return;
  const kept: Kept[] = [];
  const shown: ShownCall[] = [];
  const asked: RunnableCall[] = [];
  for (const [at, change] of changes.entries()) {
    const one = { toolCallId: `${call.id}-kept-${at + 1}`, ...change };
    if (holdsSecret(session, change)) continue;
    const decided = await decideKept(session, one);
    if (decided.kind === "deny") continue;
    const preview = (await showCalls(session, [asAsked(decided)])).get(one.toolCallId);
    if (!preview || "problem" in preview) continue;
    shown.push(
      isTextEdit(change) ? { ...preview, title: `Keep the command's version of ${change.path}` } : preview,
    );
    kept.push(one);
    asked.push(asAsked(decided));
  }
  if (kept.length === 0) return;
  const { kind, network } = session.workspace.isolation;
  await session.journal.append(...requestedLines(session, run, asked));
  const words = {
    title: titleOf(kept),
    ...(facts.command === undefined ? {} : { description: `It ran: ${shorten(session, facts.command)}` }),
  };
  await raiseRequest(session, run, (origin) => ({
    ...createConfirm(origin, shown, { kind, network }, words),
    kept,
  }));
}

function titleOf(kept: readonly Kept[]): string {
  const [first] = kept;
  if (kept.length === 1 && first) {
    const isRemoved = placedNothing(first);
    const [done, asked] = isRemoved
      ? ["removed", "Remove it after all"]
      : ["changed", "Keep the command's version"];
    return `A command ${done} ${first.path}, and this was reverted. ${asked}?`;
  }
  return `A command changed ${kept.length} files that decide what runs, and the changes were reverted. Keep the command's versions?`;
}

function placedNothing({ after, bytes, link }: RuleChange): boolean {
  return after === undefined && bytes === undefined && link === undefined;
}

/** Most characters of the command in a description. */
const COMMAND = 300;

function shorten({ journal }: AgentSession, command: string): string {
  return cutLine(journal.redact(command).replace(/\s+/g, " "), COMMAND);
}

function holdsSecret({ journal }: AgentSession, { after = "", bytes = "", link = "" }: RuleChange): boolean {
  const texts = [after, Buffer.from(bytes, "base64").toString("latin1"), link];
  return texts.some((text) => journal.redact(text) !== text);
}

/** Text in place of text, or of nothing, is an ordinary edit. */
function isTextEdit({ after, isExecutable }: RuleChange): boolean {
  return after !== undefined && isExecutable === undefined;
}

function decideKept(session: AgentSession, kept: Kept): Promise<DecidedCall> {
  return decideOwn(session, callOf(kept), isTextEdit(kept) ? undefined : (keepChangeTool(kept) as Tool));
}

/** Asks even if the rules would allow the edit: no person was asked about a command's side effect. */
function asAsked(decided: RunnableCall): RunnableCall {
  return { ...decided, kind: "ask" };
}

function callOf(kept: Kept): ToolUseBlock {
  const { toolCallId: id, path, before = "", after = "" } = kept;
  return isTextEdit(kept)
    ? { type: "tool_use", id, name: editFileTool.name, input: { path, oldStr: before, newStr: after } }
    : { type: "tool_use", id, name: KEEP_CHANGE, input: keptCall(kept) };
}

/**
 * Raises one question about what looks like keys in the session's files, but for those that were asked about before.
 * Files with such keys are left out of the branch, and stay there without an approval.
 */
export async function raiseKeys(
  session: AgentSession,
  run: AgentRun,
  { facts }: RunnableCall,
): Promise<void> {
  const { host, journal, workspace } = session;
  const approved = approvedKeys(journal.state.interactions.values());
  const found = host.canAsk ? ((await workspace.own?.newKeys(approved)) ?? []) : [];
  const known = [...journal.state.interactions.values()].flatMap(({ request }) => askedKeys(request));
  const keys = found.filter(({ id }) => !known.includes(id));
  const [first] = keys;
  if (!first) return;
  const paths = new Set(keys.map(({ path }) => path));
  const [what, where] =
    paths.size === 1
      ? [`what looks like a key (${first.kind})`, first.path]
      : ["what looks like keys", `${paths.size} files`];
  const ran = facts.command === undefined ? "" : ` It ran: ${shorten(session, facts.command)}`;
  await raiseRequest(session, run, (origin) => ({
    ...createProgramQuestion(origin, {
      kind: "Confirm",
      purpose: "generic",
      display: {
        title: `A command put ${what} into ${where}: let it into the branch?`,
        description: `Until a person allows it, or it is gone, what holds it is left out of the branch: whoever can read the branch could use the key.${ran}`,
        content: keys.map(({ path, kind }) => `${path}: ${kind}`).join("\n"),
        contentKind: "PlainText",
      },
      options: [
        { id: "approve", label: "Let it into the branch", style: "danger" },
        { id: "reject", label: "Leave it out", isDefault: true },
      ],
    }),
    keys,
  }));
}

/** Hashes of the keys that people let into the branch, an approved call or a text. */
export function approvedKeys(
  interactions: Iterable<Pick<InteractionState, "request" | "response">>,
): string[] {
  return [...interactions].flatMap(({ request, response }) =>
    response?.selectedOptionId === "approve" ? askedKeys(request) : [],
  );
}

/** Hashes of the keys that a request is about. */
export function askedKeys({ keys = [], keyHashes = [] }: InteractionRequest): string[] {
  return [...keys.map(({ id }) => id), ...keyHashes];
}

/**
 * Waits for the answers to the conversation's questions about its commands' files, and makes the approved
 * changes.
 */
export async function settleKept(session: AgentSession, run: AgentRun): Promise<Outcome | undefined> {
  const { state } = session.journal;
  const isOpen = ({ toolCallId }: Kept) =>
    state.calls.get(callKey(run.conversationId, toolCallId))?.outcome === undefined;
  const requests = [...state.interactions.values()].map(({ request }) => request);
  for (const request of requests) {
    if (request.conversationId !== run.conversationId) continue;
    const isPendingKeys = request.keys !== undefined && isUnanswered(session, request);
    if (!isPendingKeys && !request.kept?.some(isOpen)) continue;
    const asked = await askPerson(
      session,
      run,
      (one) => one === request,
      () => request,
    );
    if (asked.kind === "unanswered") return asked.outcome;
    for (const kept of request.kept?.filter(isOpen) ?? []) {
      await inTurn(session.workspace, () => settleOne(session, run, kept, asked));
    }
  }
  return undefined;
}

function isUnanswered({ journal }: AgentSession, { interactionId }: InteractionRequest): boolean {
  const interaction = journal.state.interactions.get(interactionId);
  return interaction !== undefined && isPending(interaction);
}

async function settleOne(
  session: AgentSession,
  run: AgentRun,
  kept: Kept,
  { request, answer }: { request: InteractionRequest; answer: InteractionAnswer },
): Promise<void> {
  const call = callOf(kept);
  const refuse = (text: string, notRun?: string) =>
    settleCall(session, run, call, {
      ...{ reply: { text, isError: true }, outcome: "denied", isProgram: true },
      ...(notRun === undefined ? {} : { notRun }),
    });
  if (answer.selectedOptionId !== "approve") return refuse("A person left it unchanged.");
  const decided = await decideKept(session, kept);
  if (decided.kind === "deny") return refuse(decided.reason, decided.reason);
  requireShownCalls(session, request, request.kept?.map(callOf));
  const notRun = await whyNotNow(session, run, asAsked(decided), request);
  if (notRun !== undefined) return refuse(`Not kept: ${notRun}.`, notRun);
  await executeCall(session, run, decided, false);
}

// Makes the requests of the interaction protocol (UIP), not who asks or answers them. Pure.
import { isServerTool } from "../core/events.ts";
import {
  type BudgetLimit,
  type ConflictFile,
  INVALID_EDIT,
  type InteractionOption,
  type InteractionRequest,
} from "../core/interaction.ts";
import { isObject, PROGRAM } from "../core/json.ts";
import { type Redact, redactValue } from "../core/redaction.ts";
import { listFiles } from "../core/state.ts";
import { type Asked, type AskedPlace, fingerprintOf } from "./fingerprint.ts";

/** A call that needs a person's answer. */
type BoundCall = {
  toolCallId: string;
  toolName: string;
  input: unknown;
  /** The tool's own binding, for example the file's hash before and after. */
  binding: Record<string, string>;
};

/** Where a request comes from. */
export type RequestOrigin = AskedPlace & {
  taskId: string;
  conversationId: string;
  agent: string;
  /** The number of this request in its work, from 1: two equal questions are two requests. */
  ordinal: number;
  /** ISO 8601. */
  expiresAt: string;
  /** The actors behind the request, the run's starter first. */
  startedBy?: readonly string[];
  /** Applied to what people are asked before the fingerprint is made: the store keeps nothing else. */
  redact?: Redact;
};

/** A risky call as shown to a person. */
export type ShownCall = BoundCall & {
  title: string;
  /** More informative than `title` when shown alone, without the content. */
  headline?: string;
  content: string;
  contentKind: "PlainText" | "Diff";
  /** If this call fails, the calls after it are not run. */
  endsRest?: true;
  /** The dangers that the policy found. */
  dangers: string[];
  /** Hashes of what looks like keys in the input. */
  keyHashes?: string[];
};

/** Maximum characters of an agent's text that a person is shown. */
const SAID = 1_000;

/** `said`: the agent's text before the calls; `title` and `description`: in place of those for any calls. */
type ConfirmWords = { said?: string; title?: string; description?: string };

/**
 * One Confirm for all calls of a turn that need an approval, numbered in order. `isolation`: how their
 * commands would run.
 */
export function createConfirm(
  origin: RequestOrigin,
  calls: readonly ShownCall[],
  isolation: NonNullable<InteractionRequest["isolation"]>,
  { said = "", ...words }: ConfirmWords = {},
): InteractionRequest {
  const [first] = calls;
  const isSingle = calls.length === 1;
  const several = `${calls.length} actions need your approval`;
  const description = words.description ?? (calls.some(({ endsRest }) => endsRest) ? IN_ORDER : undefined);
  const asked: Asked = {
    kind: "Confirm",
    purpose: "confirm_risky_action",
    display: {
      title: words.title ?? (isSingle && first ? (first.headline ?? first.title) : several),
      ...(description === undefined || (isSingle && description === IN_ORDER) ? {} : { description }),
      content: calls.map((call, index) => (isSingle ? call.content : numbered(call, index + 1))).join("\n"),
      contentKind: calls.every((call) => call.contentKind === "Diff") ? "Diff" : "PlainText",
    },
    options: [
      { id: "approve", label: "Approve", style: "primary" },
      { id: "reject", label: "Reject", style: "danger", isDefault: true },
    ],
  };
  const dangers = [...new Set(calls.flatMap((call) => call.dangers))];
  const keyHashes = [...new Set(calls.flatMap((call) => call.keyHashes ?? []))];
  const own = ofCommands(calls, isolation);
  return {
    ...createRequest(origin, asked, calls, own),
    ...(dangers.length > 0 ? { dangers } : {}),
    ...(keyHashes.length > 0 ? { keyHashes } : {}),
    ...(said.trim() === "" ? {} : { said: said.trim().slice(0, SAID).toWellFormed() }),
    ...(own === undefined ? {} : { isolation: own }),
    ...(mayStand(calls, isolation)
      ? {
          standing: {
            folder: origin.workingDirectory,
            commands: [...new Set(calls.flatMap(({ input }) => commandOf(input)))],
          },
        }
      : {}),
    bindings: Object.fromEntries(calls.map((call) => [call.toolCallId, call.binding])),
  };
}

/** A call of an MCP server says itself how that server runs, which commands' isolation says nothing about. */
function ofCommands<Isolation>(calls: readonly ShownCall[], isolation: Isolation): Isolation | undefined {
  return calls.every(({ toolName }) => isServerTool(toolName)) ? undefined : isolation;
}

/**
 * Only isolated commands without network and without danger whose environment contains no answers of people.
 */
function mayStand(
  calls: readonly ShownCall[],
  { kind, network }: NonNullable<InteractionRequest["isolation"]>,
): boolean {
  if (kind === "none" || network || calls.length === 0) return false;
  return calls.every(({ toolName, dangers, binding, input }) => {
    const isPlain = dangers.length === 0 && binding.variables === undefined;
    return toolName === "runCommand" && isPlain && commandOf(input).length === 1;
  });
}

function commandOf(input: unknown): string[] {
  return isObject(input) && typeof input.command === "string" ? [input.command] : [];
}

const IN_ORDER = "They run in this order. If one fails, the rest do not run.";

/** The question about one call that was started and whose outcome is unknown. */
export function createDoubt(
  origin: RequestOrigin,
  call: ShownCall,
  isolation: NonNullable<InteractionRequest["isolation"]>,
): InteractionRequest {
  const asked: Asked = {
    kind: "Select",
    purpose: "confirm_risky_action",
    display: {
      title: `Unknown outcome: ${call.headline ?? call.title}`,
      description:
        "An earlier run started this call and was interrupted before it had a result. Check what is there, then decide.",
      content: call.content,
      contentKind: call.contentKind,
    },
    options: [
      { id: "happened", label: "It happened: continue" },
      { id: "run", label: "Run it now, perhaps for the second time", style: "danger" },
      { id: "stop", label: "End the task", isDefault: true },
    ],
  };
  const own = ofCommands([call], isolation);
  return {
    ...createRequest(origin, asked, [call], own),
    ...(call.dangers.length > 0 ? { dangers: call.dangers } : {}),
    ...(own === undefined ? {} : { isolation: own }),
    bindings: { [call.toolCallId]: call.binding },
  };
}

/**
 * The program's own question about files that a person changed too. No command waits for it, so anyone may
 * answer. `redo.names`: the steps or tasks that would be made again; `isGuess`: some files can't be
 * attributed, and the last name is the step that began last.
 */
export function createConflict(
  origin: ProgramOrigin,
  files: readonly ConflictFile[],
  redo: { names: readonly string[]; isGuess: boolean },
): InteractionRequest {
  return createOverruled(origin, files, {
    title: `A person changed ${countFiles(files)} that this session also changed`,
    description:
      "Their version is on the branch, and this session's version is not. The session waits for your decision.",
    options: [
      { id: "keep", label: "Keep theirs, where an artifact is still valid, and continue", isDefault: true },
      { id: "redo", label: redoLabel(redo), style: "danger" },
      { id: "stop", label: "End the session" },
    ],
  });
}

/** The same question about finished steps that a rewrite of the branch removed. */
export function createRewritten(origin: ProgramOrigin, files: readonly ConflictFile[]): InteractionRequest {
  const request = createOverruled(origin, files, {
    title: `Somebody rewrote the branch, and ${countFiles(files)} of finished steps are gone`,
    description: "The stored state still has them. The work waits for your decision.",
    options: [
      { id: "restore", label: "Put our steps back, as one commit on what is there now" },
      {
        id: "keep",
        label: "Keep the branch as it is; sessions whose folders are gone end",
        style: "danger",
        isDefault: true,
      },
    ],
  });
  return { ...request, isRewritten: true };
}

/** The program's own question about an artifact that a person's edit made invalid: `problem` says why. */
export function createInvalidEdit(
  origin: ProgramOrigin,
  file: ConflictFile,
  { output, problem }: { output: string; problem: string },
): InteractionRequest {
  const request = createOverruled(origin, [file], {
    title: `${file.path.split("/").at(-1)} was edited, and is not valid`,
    description: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. It was left as it is, and no step that needs it runs.`,
    options: [
      {
        id: "keep",
        label: "Keep it: somebody corrects it, and the next run continues from there",
        isDefault: true,
      },
      { id: "repair", label: `Keep what it says: an agent corrects what is not valid in ${output}` },
      { id: "redo", label: `Make ${output} again; a copy of the edit is kept`, style: "danger" },
    ],
  });
  return { ...request, taskId: `${INVALID_EDIT}${output}` };
}

/** Maximum number of edits that a question names. */
const EDITS = 100;

/** The program's own question about people's changes to the base's to-do file while the work was open. */
export function createBaseEdits(
  origin: ProgramOrigin,
  about: {
    list: string;
    base: string;
    edits: readonly string[];
    baseList: NonNullable<InteractionRequest["baseList"]>;
  },
): InteractionRequest {
  const { list, base, edits, baseList } = about;
  const [first = "", ...others] = edits;
  const more = edits.length > EDITS ? [`… and ${edits.length - EDITS} more`] : [];
  const asked: Asked = {
    kind: "Select",
    purpose: "generic",
    display: {
      title:
        others.length === 0
          ? `${first.replace(/ there$/, ` on ${base}`)}: take it?`
          : `${edits.length} tasks of ${list} were changed on ${base}: take them?`,
      description: `${list} was changed on ${base} since this work began. Until you decide, the work continues with its own list.`,
      content: [...edits.slice(0, EDITS), ...more].join("\n"),
      contentKind: "PlainText",
    },
    options: [
      { id: "take", label: "Take what is new or changed there into this work's list" },
      { id: "leave", label: "Leave it out", isDefault: true },
    ],
  };
  const place = { taskId: BASE_LIST, conversationId: BASE_LIST, agent: PROGRAM, startedBy: [] };
  const call = { toolCallId: BASE_LIST, toolName: BASE_LIST, input: { ...baseList }, binding: {} };
  const request = createRequest({ ...origin, ...place }, asked, [call]);
  return { ...request, toolCallIds: [], authorActorId: PROGRAM, baseList };
}

const BASE_LIST = "base-list";

type ProgramOrigin = Omit<RequestOrigin, "taskId" | "conversationId" | "agent" | "startedBy">;

function countFiles(files: readonly ConflictFile[]): string {
  return files.length === 1 ? "a file" : `${files.length} files`;
}

function createOverruled(
  origin: ProgramOrigin,
  files: readonly ConflictFile[],
  about: {
    title: string;
    description: string;
    options: (InteractionOption & { id: "keep" | "repair" | "redo" | "restore" | "stop" })[];
  },
): InteractionRequest {
  const { title, description, options } = about;
  const { shown, more } = listFiles(files, FILES_ROOM);
  const others = more
    ? ` Not all of the files are listed: ${more.commits.join(", ")} ${more.commits.length === 1 ? "has" : "have"} them all.`
    : "";
  const asked: Asked = {
    kind: "Select",
    purpose: "generic",
    display: {
      title,
      description: description + others,
      content: [...shown, ...(more ? [`… and ${more.count} more`] : [])].join("\n"),
      contentKind: "PlainText",
    },
    options,
  };
  const place = { taskId: CONFLICT, conversationId: CONFLICT, agent: PROGRAM, startedBy: [] };
  const call = { toolCallId: CONFLICT, toolName: CONFLICT, input: { files }, binding: {} };
  const request = createRequest({ ...origin, ...place }, asked, [call]);
  return { ...request, toolCallIds: [], authorActorId: PROGRAM, conflict: [...files] };
}

/** Maximum characters of the file list; the commits contain the full list. */
const FILES_ROOM = 10_000;
/** Maximum number of steps that an option names. */
const STEPS = 5;

function redoLabel({ names, isGuess }: { names: readonly string[]; isGuess: boolean }): string {
  if (names.length === 0) return "Make them again, over theirs";
  const shown = names.slice(0, STEPS).join(", ");
  const all = names.length > STEPS ? `${shown} and ${names.length - STEPS} more` : shown;
  const why = isGuess
    ? ` (${names.at(-1)} because it started last: it is not known which step made these files)`
    : "";
  return `Do ${all} again${why}, and tell the agent which files to look at`;
}

/** Used in place of an agent question's task and call. */
const CONFLICT = "conflict";

/** The program's own question about a cost limit. Approving it changes no call, so it is bound to none. */
export function createBudgetQuestion(
  origin: RequestOrigin,
  budget: BudgetLimit,
  spent: number,
): InteractionRequest {
  const [limit, next, used] = [budget.limit, budget.raiseTo, spent].map((amount) => amountOf(budget, amount));
  const asked: Asked = {
    kind: "Confirm",
    purpose: "generic",
    display: {
      title: `The limit of ${limit} for ${LIMITED[budget.of]} is reached: raise it to ${next}?`,
      description: `${used} of ${limit} are spent. Everything is saved. Approve to continue, or reject to stop here.`,
    },
    options: [
      { id: "approve", label: `Raise it to ${next}`, style: "primary" },
      { id: "reject", label: "Leave it", isDefault: true },
    ],
  };
  const call = { toolCallId: BUDGET, toolName: BUDGET, input: { budget }, binding: {} };
  return {
    ...createRequest(origin, asked, [call]),
    toolCallIds: [],
    authorActorId: PROGRAM,
    budget,
  };
}

/** Used in place of an agent question's call. */
const BUDGET = "budget";

const LIMITED = { session: "this session", run: "this run", month: "this month" } as const;

function amountOf({ unit }: BudgetLimit, amount: number): string {
  return unit === "usd" ? `$${amount.toFixed(2)}` : `${Math.round(amount)} tokens`;
}

/** A question of the program itself: no call waits for it. */
export function createProgramQuestion(origin: RequestOrigin, asked: Asked): InteractionRequest {
  return { ...createRequest(origin, asked, []), authorActorId: PROGRAM };
}

/** The request of one call that asks a person itself (`askUser`, `Task` without an agent). */
export function createQuestion(origin: RequestOrigin, call: BoundCall, asked: Asked): InteractionRequest {
  return createRequest(origin, asked, [call]);
}

function createRequest(
  origin: RequestOrigin,
  asked: Asked,
  calls: readonly BoundCall[],
  isolation?: InteractionRequest["isolation"],
): InteractionRequest {
  const { agent, taskId, expiresAt, startedBy, redact } = origin;
  const shown = redact ? redactValue(asked, redact) : asked;
  const fingerprint = fingerprintOf(origin, origin, calls, { asked: shown, isolation });
  const shortId = `q${origin.ordinal}-${fingerprint.slice(0, 6)}`;
  return {
    interactionId: `${origin.sessionId}.${shortId}`,
    shortId,
    taskId,
    conversationId: origin.conversationId,
    toolCallIds: calls.map((call) => call.toolCallId),
    authorActorId: `agent:${agent}`,
    ...shown,
    expiresAt,
    ...(startedBy === undefined ? {} : { startedBy }),
    fingerprint,
  };
}

/**
 * Plain text is indented, so that no line of a command can look like the next call; in a diff every line has
 * its sign.
 */
function numbered({ title, content, contentKind }: ShownCall, number: number): string {
  return `${number}. ${title}\n${contentKind === "Diff" ? content : content.replace(/^/gm, "   ")}`;
}

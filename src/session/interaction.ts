// UIP: a request to a person and the response. Field names are the protocol's; see INTERFACE §6.

export type InteractionKind = "Select" | "Confirm" | "Input" | "Composite";
export type InteractionPurpose =
  | "choose_strategy"
  | "request_info"
  | "confirm_risky_action"
  | "assign_subtask"
  | "generic";
export type ContentKind = "PlainText" | "Json" | "Diff" | "Table";

export type InteractionOption = {
  id: string;
  label: string;
  style?: "primary" | "danger" | "default";
  isDefault?: boolean;
};

/** `regex` runs in linear time; `required` refuses an empty input. */
export type InputValidation = { regex?: string; required?: boolean };

/** One question of a Composite; its answer's `inputValue` is a JSON object by these ids. */
export type InteractionField = {
  id: string;
  label: string;
  kind: "Select" | "Confirm" | "Input";
  options?: InteractionOption[];
  validation?: InputValidation;
};

/** A file that a person pushed while a run changed it as well, by the merge that brought it in: theirs stands. */
export type ConflictFile = {
  /** Relative to the repository. */
  path: string;
  commit: string;
  /** Hex, of their version; absent where they removed the file. */
  sha256?: string;
  /** Hex, of the run's version; absent where it removed the file. */
  ours?: string;
};

/** What stands in a request for a person to type: `q<ordinal>-<six hex digits of the fingerprint>`. */
export const SHORT_ID = /^q[1-9]\d*-[0-9a-f]{6}$/;

/** A request as it is stored in `UserInteractionRequested`. */
export type InteractionRequest = {
  interactionId: string;
  /** `q<ordinal>-<first six hex digits of the fingerprint>` */
  shortId: string;
  taskId: string;
  /** The conversation and the calls of its last turn that wait for the answer, in order. */
  conversationId: string;
  toolCallIds: string[];
  authorActorId: string;
  kind: InteractionKind;
  purpose: InteractionPurpose;
  display: { title: string; description?: string; content?: unknown; contentKind?: ContentKind };
  options?: InteractionOption[];
  validation?: InputValidation;
  /** Composite only. */
  fields?: InteractionField[];
  /** ISO 8601; an answer that comes later is refused. */
  expiresAt?: string;
  /**
   * Who led to it, as actors, the starter of the run that asked first: `self-approval: false` keeps all of them from
   * answering. `unknown`: somebody did, and nobody knows who; a run of the program's own schedule is nobody's.
   */
  startedBy?: readonly string[];
  /** Why a person must name this request to approve it: what policy calls dangerous. */
  dangers?: string[];
  /** Confirm: how its commands would run. */
  isolation?: { kind: "bubblewrap" | "none"; network: boolean };
  /** SHA-256 (hex) over everything the answer is bound to. */
  fingerprint: string;
  /** Of the program's own question: the files that a person changed as well. */
  conflict?: ConflictFile[];
  /** Confirm: by tool call id, what each call is bound to beside its input; compared again just before it runs. */
  bindings?: Record<string, Record<string, string>>;
};

/**
 * True where the answer lets calls of the turn run: what the gate asks, and what is in doubt. A model's own question lets
 * nothing run, whatever its purpose is called.
 */
export function letsCallsRun({
  purpose,
  bindings,
}: Pick<InteractionRequest, "purpose" | "bindings">): boolean {
  return purpose === "confirm_risky_action" && bindings !== undefined;
}

/** What a person said; one of `selectedOptionId` and `inputValue` is set. */
export type InteractionAnswer = {
  selectedOptionId?: string;
  inputValue?: string;
  comment?: string;
};

/** An answer as it is stored in `UserInteractionResponded`. */
export type InteractionResponse = InteractionAnswer & {
  interactionId: string;
  taskId: string;
  authorActorId: string;
  /** On a pull request: the comment that said so, and its author's permission at that moment. */
  commentId?: number;
  permission?: string;
  /** When the comment was written, ISO 8601. */
  answeredAt?: string;
};

/** One person's word for a request that several must approve, as it is stored in `ApprovalGiven`. */
export type Approval = {
  interactionId: string;
  taskId: string;
  actorId: string;
  commentId?: number;
  permission?: string;
  answeredAt?: string;
};

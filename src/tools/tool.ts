// The type of a tool, and how its answers are cut.
import type { z } from "zod";
import type { FileImage } from "../core/events.ts";
import type { InteractionAnswer, InteractionRequest, RuleChange } from "../core/interaction.ts";
import type { Isolation, Workspace } from "../core/ports.ts";
import type { Redact } from "../core/redaction.ts";

// Cuts long texts for a model and marks the cut. Pure.

/** At most `limit` characters of a line, with a mark at the cut. */
export function cutLine(line: string, limit: number): string {
  return line.length <= limit ? line : `${line.slice(0, limit).toWellFormed()}… (${line.length} characters)`;
}

/** The beginning and end of a text longer than `limit` characters, with a note of the length left out. */
export function cutMiddle(text: string, limit: number, note: string): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
  return `${head.toWellFormed()}\n[… ${text.length - 2 * half} characters left out; ${note} …]\n${tail.toWellFormed()}`;
}

/** The result for the model. `whole`: the full text for the audit log, if `text` was cut. */
export type ToolReply = {
  text: string;
  isError?: boolean;
  whole?: string;
  /** A person's own words, which reach the model uncut. */
  isPersons?: true;
  /** A command's changes about which a person is asked next; they are already reverted. */
  changes?: RuleChange[];
  /** Nothing more may run: why, and what to do. The session fails once this reply is stored. */
  fatal?: { message: string; hint: string };
};
/** The call waits for a person, directly or in a subagent; it is entered again after the answer. */
type Suspended = { suspended: true };
export const SUSPENDED: Suspended = { suspended: true };

/** A risky call as shown to a person, and the values besides its input that the approval is bound to. */
type Preview = {
  title: string;
  /** More informative than `title` when shown alone, without the content. */
  headline?: string;
  content: string;
  contentKind: "PlainText" | "Diff";
  /** If this call fails, the later calls of its turn are not run. */
  endsRest?: true;
  /**
   * For example SHA-256 of the file before and after; checked again just before the run. `follows` names a
   * call that must have completed.
   */
  binding: Record<string, string>;
};

/** The effects of earlier calls of the same Confirm. */
type PreviewContext = {
  workspace: Workspace;
  /** Texts by path. */
  pending: Map<string, string>;
  /** The last preceding command, whose effects are unpredictable. */
  follows?: string;
  /** The call's binding from its earlier preview. */
  bound?: Record<string, string>;
  /** Redacts input before it is cut for display: a secret cut in half would not be found later. */
  redact: Redact;
};

/** The facts that decide whether a call may run, besides its tool. */
type CallFacts = {
  /** A command line that would run. */
  command?: string;
  /** Values of the command's variables that are certain. */
  values?: Readonly<Record<string, string>>;
  /** Files that would change, relative to the root: by given and by real path. */
  paths?: string[];
  /** What looks like keys in the input: kind and hash. */
  keys?: { kind: string; hash: string }[];
};

export type ToolQuestion = Pick<
  InteractionRequest,
  "kind" | "purpose" | "options" | "validation" | "fields"
> &
  Pick<InteractionRequest["display"], "title" | "description" | "content" | "contentKind">;

/** Everything that a tool can access. The agent loop makes one for each call. */
export type ToolContext = {
  call: { toolCallId: string; conversationId: string; taskId: string; agent: string };
  workspace: Workspace;
  /** The facts behind the decision: a file that has moved since is refused. */
  facts: CallFacts;
  signal: AbortSignal;
  /** Skills by name; `read` returns a bundled file's text or undefined. */
  skills: ReadonlyMap<
    string,
    { body: string; files: string[]; read(file: string): Promise<string | undefined> }
  >;
  artifacts: { write(output: string, content: unknown): Promise<ToolReply> };
  /** A repeated call gets the same interaction. `nobody`: no person can be asked here. */
  ask(question: ToolQuestion): Promise<InteractionAnswer | Suspended | "nobody">;
  subagents: { names: string[]; run(agent: string, prompt: string): Promise<ToolReply | Suspended> };
};

/**
 * `read`: changes nothing. `repeatable`: repeating the call gives the same state. `once`: never run twice,
 * and in doubt after a crash. `reentrant`: asks or delegates; entered again after a pause or crash.
 */
type ToolEffect = "read" | "repeatable" | "once" | "reentrant";

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** The tool whose policy rules hold; by default its own. */
  readonly ruledAs?: string;
  /** The schema that every input is checked against. */
  /** Made at its first use. */
  readonly input: () => z.ZodType<Input>;
  /** Input fields for the program's own runbooks, hidden from models. */
  readonly ofProgram?: readonly string[];
  readonly effect: ToolEffect;
  /** Risky calls need an approval. */
  readonly risk: "safe" | "risky";
  /** One line for progress, for example the path. Never the content. */
  summarize(input: Input): string;
  /** The facts in the input that decide whether the call may run. A refusal denies the call. */
  facts?(input: Input, workspace: Workspace): Promise<CallFacts>;
  /** Whether the effect may outlive this machine (class X of DURABILITY); if absent, it can't. */
  reachesOutside?(isolation: Isolation): boolean;
  /**
   * Hashes of the file that the call would change; with `fileHash` they show after a crash whether it did.
   */
  image?(input: Input, workspace: Workspace): Promise<FileImage>;
  /** The file's current hash, in the form of an image. */
  fileHash?(input: Input, workspace: Workspace): Promise<string>;
  /** Risky tools only. */
  preview?(input: Input, context: PreviewContext): Promise<Preview>;
  /** Never throws for a model's mistake: the reply then has `isError`. */
  run(input: Input, context: ToolContext): Promise<ToolReply | Suspended>;
}

// The type of a tool, and how its answers are cut.
import type { z } from "zod";
import type { FileImage } from "../core/events.ts";
import type {
  InputValidation,
  InteractionAnswer,
  InteractionField,
  InteractionKind,
  InteractionOption,
  InteractionPurpose,
  InteractionRequest,
  RuleChange,
} from "../core/interaction.ts";
import type { Isolation, Workspace } from "../core/ports.ts";
import type { Redact } from "../core/redaction.ts";

// How an answer of a person is told to a model. Pure.

export const NOBODY =
  "Nobody can be asked here. Decide yourself by what you know, and say in your result what you decided and why.";

/** What was decided, then the person's own words as they were written. */
export function quoteAnswer(decided: string, { inputValue, comment }: InteractionAnswer): string {
  const parts = [decided];
  if (inputValue !== undefined) parts.push(inputValue === "" ? "(an empty text)" : inputValue);
  if (comment) parts.push(`Comment: ${comment}`);
  return parts.join("\n");
}

// Cuts long texts for a model and says so. Pure.

/** At most `limit` characters of a line, with a mark where it was cut. */
export function cutLine(line: string, limit: number): string {
  return line.length <= limit ? line : `${line.slice(0, limit).toWellFormed()}… (${line.length} characters)`;
}

/** The first and last half of a text over `limit` characters, with a note of how much is missing between them. */
export function cutMiddle(text: string, limit: number, note: string): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
  return `${head.toWellFormed()}\n[… ${text.length - 2 * half} characters left out; ${note} …]\n${tail.toWellFormed()}`;
}

/** What the model gets. `whole` is the uncut text when `text` was cut: it goes to the audit log. */
export type ToolReply = {
  text: string;
  isError?: boolean;
  whole?: string;
  /** A person's own words: they reach the model whole. */
  isPersons?: true;
  /** What a person is asked about next: files as a command left them, which are as they were before by now. */
  changes?: RuleChange[];
};
/** The call waits for a person (or for a subagent that does); it is entered again when the answer is there. */
export type Suspended = { suspended: true };
export const SUSPENDED: Suspended = { suspended: true };

/** What a person is shown of a risky call, and what the approval is bound to beside the input. */
export type Preview = {
  title: string;
  /** Says more than `title` where it stands alone, without the content. */
  headline?: string;
  content: string;
  contentKind: "PlainText" | "Diff";
  /** Where it fails, nothing after it in its turn is run. */
  endsRest?: true;
  /**
   * E.g. SHA-256 of the file before and after; compared again just before running. `follows` names a call that must have
   * run to its end.
   */
  binding: Record<string, string>;
};

/** What earlier calls of the same Confirm would leave. */
type PreviewContext = {
  workspace: Workspace;
  /** Texts by path. */
  pending: Map<string, string>;
  /** The last command before: what it leaves nobody can know. */
  follows?: string;
  /** What the call was bound to when it was shown before. */
  bound?: Record<string, string>;
  /** For what of the input is shown cut: half a secret is not found any longer. */
  redact: Redact;
};

/** What decides whether a call may run, beside its tool. */
export type CallFacts = {
  /** A command line that would run. */
  command?: string;
  /** What its variables are, as far as that may be counted on. */
  values?: Readonly<Record<string, string>>;
  /** Files that would change, relative to the root: as named, and where they really are. */
  paths?: string[];
  /** Kinds of keys that the input seems to hold. */
  keys?: string[];
};

type ContentKind = NonNullable<InteractionRequest["display"]["contentKind"]>;

export type ToolQuestion = {
  kind: InteractionKind;
  purpose: InteractionPurpose;
  title: string;
  description?: string;
  content?: unknown;
  contentKind?: ContentKind;
  options?: InteractionOption[];
  validation?: InputValidation;
  /** Composite only. */
  fields?: InteractionField[];
};

/** Everything a tool may reach. The agent loop makes one for each call. */
export type ToolContext = {
  call: { toolCallId: string; conversationId: string; taskId: string; agent: string };
  workspace: Workspace;
  /** What was decided upon: a file that is somewhere else by now is refused. */
  facts: CallFacts;
  signal: AbortSignal;
  /** Skills by name; `read` gives a bundled file's text or undefined. */
  skills: ReadonlyMap<
    string,
    { body: string; files: string[]; read(file: string): Promise<string | undefined> }
  >;
  artifacts: { write(output: string, content: unknown): Promise<ToolReply> };
  /** The same call asking again gets the same interaction. `nobody`: nobody can be asked here. */
  ask(question: ToolQuestion): Promise<InteractionAnswer | Suspended | "nobody">;
  subagents: { names: string[]; run(agent: string, prompt: string): Promise<ToolReply | Suspended> };
};

/**
 * `read`: changes nothing. `repeatable`: the same call again ends in the same state. `once`: never run twice, in doubt
 * after a crash. `reentrant`: asks or delegates; entered again after a pause or crash.
 */
type ToolEffect = "read" | "repeatable" | "once" | "reentrant";

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** The schema that every input is checked against. */
  readonly input: z.ZodType<Input>;
  /** Fields of the input that the program's own runbooks use: models are not told of them. */
  readonly ofProgram?: readonly string[];
  readonly effect: ToolEffect;
  /** Risky calls need a person. */
  readonly risk: "safe" | "risky";
  /** One line for progress, e.g. the path. Never the content. */
  summarize(input: Input): string;
  /** What of the input decides whether the call may run. A refusal denies the call. */
  facts?(input: Input, workspace: Workspace): Promise<CallFacts>;
  /** Whether its effect may outlive this machine (class X of DURABILITY); without it none does. */
  reachesOutside?(isolation: Isolation): boolean;
  /** Of the file that the call would change; with `fileHash` it tells after a crash whether the change was made. */
  image?(input: Input, workspace: Workspace): Promise<FileImage>;
  /** The file as it is now, in the form of an image. */
  fileHash?(input: Input, workspace: Workspace): Promise<string>;
  /** Risky tools only. */
  preview?(input: Input, context: PreviewContext): Promise<Preview>;
  /** Never throws for what the model did wrong: that is a reply with `isError`. */
  run(input: Input, context: ToolContext): Promise<ToolReply | Suspended>;
}

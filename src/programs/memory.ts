// The memory of an agent program between two processes: its own conversation file, packed into one line of
// text.
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import { LoopliaError } from "../core/errors.ts";
import type { Message } from "../core/events.ts";
import { type Redact, redactValue } from "../core/redaction.ts";
import { PACKAGES, type ProgramName } from "./process.ts";

const shape = z.object({
  program: z.string(),
  version: z.string(),
  /** The name of its folder, which is part of the paths in its requests; absent in older memories. */
  place: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  /** The program's own id of the conversation. */
  id: z.string(),
  /** How many messages of the stored conversation the program knows. */
  known: z.int().min(0),
  /** The calls at which it stopped: it gets their results next. */
  waits: z.array(z.string()),
  /** Its file: brotli, base64. */
  file: z.string(),
});
export type Memory = Omit<z.infer<typeof shape>, "file"> & { file: string };

/** Redacts each line; drops lines that a killed process left unfinished. */
export function packMemory({ file, ...memory }: Memory, redact: Redact): string {
  const lines = file.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.stringify(redactValue(JSON.parse(line) as unknown, redact))];
    } catch {
      return [];
    }
  });
  const packed = brotliCompressSync(`${lines.join("\n")}\n`).toString("base64");
  return JSON.stringify({ ...memory, file: packed } satisfies z.infer<typeof shape>);
}

/**
 * Undefined for another program's memory, and for one from before a process that was killed: then the program
 * gets the conversation as text.
 */
export function unpackMemory(
  text: string | undefined,
  name: ProgramName,
  messages: readonly Message[],
): Memory | undefined {
  if (text === undefined) return undefined;
  const found = shape.safeParse(JSON.parse(text));
  if (!found.success) throw unreadable(name);
  const isOlder = messages.slice(found.data.known).some(({ role }) => role === "assistant");
  if (found.data.program !== name || isOlder) return undefined;
  return { ...found.data, file: unpack(found.data.file, name) };
}

/** No conversation is longer: no model reads so much. */
const MOST_BYTES = 256 * 1024 * 1024;

function unpack(file: string, name: ProgramName): string {
  try {
    return brotliDecompressSync(Buffer.from(file, "base64"), { maxOutputLength: MOST_BYTES }).toString(
      "utf8",
    );
  } catch {
    throw unreadable(name);
  }
}

function unreadable(name: ProgramName): LoopliaError {
  return new LoopliaError("store-corrupt", `The stored conversation of ${PACKAGES[name]} can't be read.`, {
    hint: "Retry the task: the retry starts a fresh conversation.",
  });
}

// A conversation as text, for a program that does not know it, or only knows its beginning.

const GO_ON = "Continue from where you left off.";

/** The text for a program that knows all earlier messages. */
export function tellRest(messages: readonly Message[]): string {
  const said = messages.filter(({ role }) => role === "user").map(tellMessage);
  return said.length > 0 ? said.join("\n\n") : GO_ON;
}

/** The whole conversation: its first message unchanged, then the rest as text. */
export function tellAll(messages: readonly Message[]): string {
  const [first, ...rest] = messages;
  if (!first) return GO_ON;
  const opening = tellMessage(first);
  if (rest.length === 0) return opening;
  const story = rest.map(
    (message) => `## ${message.role === "user" ? "You were told" : "You"}\n\n${tellMessage(message)}`,
  );
  return `${opening}\n\n# What happened so far\n\nYou worked on this before, in a process that was lost. Its calls are settled: do not make them again.\n\n${story.join("\n\n")}\n\n# Now\n\n${GO_ON}`;
}

function tellMessage({ content }: Message): string {
  const parts = content.flatMap((block) => {
    if (block.type === "text") return [block.text];
    if (block.type === "tool_use") return [`Call ${block.id}: ${block.name} ${JSON.stringify(block.input)}`];
    if (block.type !== "tool_result") return [];
    const how = block.is_error ? "failed, or was not run" : "has run";
    return [
      `The call ${block.tool_use_id} ${how}, and this is its result; do not make it again:\n${block.content}`,
    ];
  });
  return parts.join("\n\n");
}

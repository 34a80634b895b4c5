// A conversation with an agent program, over all its processes: its interface, its resources, and how it
// waits.
import type { LoopliaError } from "../core/errors.ts";
import type { Message } from "../core/events.ts";
import type { ModelReply, ModelRequest, RespondOptions } from "../core/ports.ts";
import type { Door } from "./gateway.ts";
import type { Command } from "./launch.ts";
import type { Memory } from "./memory.ts";
import type { Listener, ProgramProcess } from "./process.ts";

export interface ProgramConversation {
  readonly door: Door;
  respond(request: ModelRequest, options: RespondOptions): Promise<ModelReply>;
  /** Ends the turn, and tells the program to end. */
  stop(why: LoopliaError): void;
  /** These calls run and wait for nobody. Absent where the program asks only once, for the result. */
  expect?(toolCallIds: readonly string[]): void;
  /** Called once before the first request, with the memory of an earlier process. */
  recall(memory: Memory, messages: readonly Message[]): Promise<void>;
  /** Ends the process, at once if nothing is kept. Undefined if there is nothing to resume from. */
  leave(isKept: boolean): Promise<Omit<Memory, "program" | "version"> | undefined>;
}

/** The resources of a conversation: its own folder, and how to start the program there. */
export type Room = {
  folder: string;
  /** For a new conversation. */
  id: string;
  silenceMs: number;
  /** A new conversation's first process may have been started already, with a command for `id`. */
  start(command: () => Command, listener: Listener): Promise<ProgramProcess>;
  /** Resolves when the process and all its children are gone. */
  stop(process: ProgramProcess | undefined): Promise<void>;
  /** Tells the program to end. */
  loosen(): void;
};

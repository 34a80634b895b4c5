// What people left for the next task (`/looplia <text>`): told to one task's agent, once.
import type { Prompts } from "../config/definitions.ts";
import type { WorkLog } from "../ports/work-log.ts";
import type { Host } from "../ports.ts";
import { foldWork, type WorkState } from "../session/work-state.ts";
import { asOne } from "./as-one.ts";

type Message = WorkState["messages"][number];
type Log = Pick<WorkLog, "workEvents" | "appendWorkEvents">;

/** The messages of an open work that nobody was told yet. */
export class Mailbox {
  readonly #log: Log;
  #waiting: Message[];

  private constructor(log: Log, waiting: Message[]) {
    this.#log = log;
    this.#waiting = waiting;
  }

  static async open(log: Log): Promise<Mailbox> {
    return new Mailbox(log, foldWork(await log.workEvents()).messages);
  }

  /** Hands out what waits: no other task gets it. */
  take(): Message[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** `tell` puts messages into a task's conversation. That they were told is noted at the same moment. */
  async deliver(
    host: Host,
    taskId: string,
    messages: readonly Message[],
    tell: () => Promise<void>,
  ): Promise<void> {
    if (messages.length === 0) return tell();
    await asOne(host, async () => {
      await tell();
      await this.#log.appendWorkEvents(
        messages.map(({ commentId }) => ({ type: "MessageDelivered", payload: { commentId, taskId } })),
      );
    });
  }
}

/** The message that starts a task, with what people left before it, labelled with who wrote it. */
export async function withMessages(
  prompts: Prompts,
  opening: string,
  messages: readonly Message[],
): Promise<string> {
  if (messages.length === 0) return opening;
  const said = messages.map(({ actorId, text }) => ({ author: actorId.split(":").at(-1) ?? actorId, text }));
  return `${await prompts.render("messages.md", { messages: said })}\n\n${opening}`;
}

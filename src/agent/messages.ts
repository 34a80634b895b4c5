// What people left for the next task (`/looplia <text>`): told to one task's agent, once.
import type { Prompts } from "../config/definitions.ts";
import type { WorkLog } from "../ports/work-log.ts";
import { foldWork, type WorkState } from "../session/work-state.ts";

type Message = WorkState["messages"][number];

/** The messages of an open work that nobody was told yet. */
export class Mailbox {
  readonly #log: WorkLog;
  #waiting: Message[];

  private constructor(log: WorkLog, waiting: Message[]) {
    this.#log = log;
    this.#waiting = waiting;
  }

  static async open(log: WorkLog): Promise<Mailbox> {
    return new Mailbox(log, foldWork(await log.workEvents()).messages);
  }

  /** Hands out what waits: no other task gets it. */
  take(): Message[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** Said once the task's conversation holds them. */
  async noteDelivered(messages: readonly Message[], taskId: string): Promise<void> {
    if (messages.length === 0) return;
    await this.#log.appendWorkEvents(
      messages.map(({ commentId }) => ({ type: "MessageDelivered", payload: { commentId, taskId } })),
    );
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

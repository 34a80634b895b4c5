// Calls whose effect may outlive this machine are on record before the first of them runs (DURABILITY, class X).
import type { StoreLine } from "../session/events.ts";
import { callKey } from "../session/state.ts";
import { findConfirm, wasApproved } from "./confirm.ts";
import type { DecidedCall, RunnableCall } from "./decide.ts";
import { callReference } from "./reference.ts";
import type { AgentRun, AgentSession } from "./session.ts";

/** The intents of one turn. What was intended and not begun is taken back when the turn is interrupted. */
export class Intents {
  readonly #session: AgentSession;
  readonly #run: AgentRun;
  readonly #open = new Map<string, RunnableCall>();

  constructor(session: AgentSession, run: AgentRun) {
    this.#session = session;
    this.#run = run;
  }

  /**
   * Called before `decided` runs. Records it together with those of `rest` that may run without waiting for anybody, and
   * resolves when the record is durable beyond this machine.
   */
  async record(decided: RunnableCall, rest: readonly DecidedCall[]): Promise<void> {
    if (!this.#reachesOutside(decided) || this.#open.has(decided.call.id)) return;
    const calls = [decided, ...this.#certainOf(rest)];
    const lines = calls.map(
      (call): StoreLine => ({
        store: "events",
        type: "ToolCallStarted",
        payload: callReference(this.#run, call.call),
      }),
    );
    await this.#session.journal.append(...lines);
    for (const call of calls) this.#open.set(call.call.id, call);
    await this.#session.host.secure();
  }

  /** True when the start of the call is on record already; from now on it counts as begun. */
  begin(toolCallId: string): boolean {
    return this.#open.delete(toolCallId);
  }

  /** Takes back what was never begun, so that nobody is asked whether it happened. */
  async withdraw(): Promise<void> {
    const { calls } = this.#session.journal.state;
    const left = [...this.#open.values()].filter(
      ({ call }) => calls.get(callKey(this.#run.conversationId, call.id))?.outcome === undefined,
    );
    this.#open.clear();
    if (left.length === 0) return;
    const lines = left.map(
      ({ call }): StoreLine => ({
        store: "events",
        type: "ToolCallWithdrawn",
        payload: callReference(this.#run, call),
      }),
    );
    await this.#session.journal.append(...lines);
  }

  /** Up to the first call that may have to wait: those that a person approved, or that need nobody. */
  #certainOf(rest: readonly DecidedCall[]): RunnableCall[] {
    const certain: RunnableCall[] = [];
    for (const decided of rest) {
      if (decided.kind === "deny") continue;
      if (decided.tool.effect === "reentrant" || !this.#isSettledWith(decided)) break;
      if (this.#reachesOutside(decided)) certain.push(decided);
    }
    return certain;
  }

  #isSettledWith(decided: RunnableCall): boolean {
    const { journal } = this.#session;
    if (journal.state.calls.has(callKey(this.#run.conversationId, decided.call.id))) return false;
    return findConfirm(this.#session, this.#run, decided)
      ? wasApproved(this.#session, this.#run, decided)
      : decided.kind === "allow";
  }

  #reachesOutside({ tool }: RunnableCall): boolean {
    return tool.effect === "once" && (tool.reachesOutside?.(this.#session.workspace.isolation) ?? false);
  }
}

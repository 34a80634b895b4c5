// The stores of one session with their folded state. This is the only writer of the three stores.
import { applyConversationLine, type Conversation, noUsage, type Totals } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { FrozenPrefix, StoreLine } from "../core/events.ts";
import type { LoadedSession, SessionStore } from "../core/ports.ts";
import { type Redact, redactLine, redactNothing, redactValue } from "../core/redaction.ts";
import { applyEvent, callKey, emptyState, type State } from "../core/state.ts";

/** State, conversations and totals as of the last durable line. */
export class Journal {
  readonly sessionId: string;
  readonly workId: string;
  readonly state: State = emptyState();
  readonly conversations = new Map<string, Conversation>();
  readonly totals: Totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  /** Redacts texts before they are cut: a secret cut in half would not be found later. */
  readonly redact: Redact;
  readonly #store: SessionStore;
  readonly #frozen = new Map<string, FrozenPrefix>();
  readonly #startedHere = new Set<string>();
  /** Number of open model requests by task, that is, without a stored response. */
  readonly #underWay = new Map<string, number>();

  private constructor(workId: string, store: SessionStore, redact: Redact) {
    this.workId = workId;
    this.redact = redact;
    this.sessionId = store.sessionId;
    this.#store = store;
  }

  /** Loads and folds the stored lines; `setAside` describes damaged data at the end that was moved away. */
  static async open(
    workId: string,
    store: SessionStore,
    redact: Redact = redactNothing,
  ): Promise<{ journal: Journal; setAside: string[] }> {
    const loaded: LoadedSession = await store.load();
    const journal = new Journal(workId, store, redact);
    for (const line of loaded.events) journal.#apply(line);
    for (const line of loaded.conversation) journal.#apply(line);
    return { journal, setAside: loaded.setAside };
  }

  /**
   * Makes the lines durable in the given order, then folds them. Secrets are removed first, so the model is
   * sent exactly the stored bytes.
   */
  async append(...lines: StoreLine[]): Promise<void> {
    const safe = lines.map((line) => redactLine(line, this.redact));
    await this.#store.append(safe);
    for (const line of safe) this.#applyOwn(line);
  }

  /**
   * Folds the lines at once; they are durable when the next `append` is, or the next checkpoint. For what a crash may undo
   * as long as nothing that follows from it is durable.
   */
  note(...lines: StoreLine[]): void {
    const safe = lines.map((line) => redactLine(line, this.redact));
    // After a failed write every later one fails, too.
    this.#store.append(safe).catch(() => undefined);
    for (const line of safe) this.#applyOwn(line);
  }

  /** True for a call without a result that an earlier process started: its effect is unknown. */
  isInDoubt(key: string): boolean {
    const call = this.state.calls.get(key);
    return call !== undefined && call.outcome === undefined && !this.#startedHere.has(key);
  }

  /** Stores the prefix of a new conversation and returns its hash. */
  async freeze(prefix: FrozenPrefix): Promise<string> {
    const safe = redactValue(prefix, this.redact);
    const hash = await this.#store.freeze(JSON.stringify(safe));
    this.#frozen.set(hash, safe);
    return hash;
  }

  /** The system and tools bytes that a conversation began with. */
  async prefixOf(conversation: Conversation): Promise<FrozenPrefix> {
    const known = this.#frozen.get(conversation.frozen);
    if (known) return known;
    const prefix = JSON.parse(await this.#store.readFrozen(conversation.frozen)) as FrozenPrefix;
    this.#frozen.set(conversation.frozen, prefix);
    return prefix;
  }

  /** Stores an agent program's memory; secrets are already removed. */
  async keepMemory(conversationId: string, text: string): Promise<void> {
    const memory = await this.#store.freeze(text);
    await this.append({ store: "conversation", type: "MemoryKept", payload: { conversationId, memory } });
  }

  /** The memory that the agent program left when it was last released. */
  async memoryOf({ memory }: Conversation): Promise<string | undefined> {
    return memory === undefined ? undefined : this.#store.readFrozen(memory);
  }

  /** False also if a crash left only the first line of the conversation's beginning. */
  hasBegun(conversationId: string): boolean {
    return (this.conversations.get(conversationId)?.messages.length ?? 0) > 0;
  }

  /**
   * Counts a model request as a turn of its task until `work` has stored the response, which counts from then
   * on.
   */
  async turn(taskId: string, work: () => Promise<void>): Promise<void> {
    const count = (change: number) => this.#underWay.set(taskId, (this.#underWay.get(taskId) ?? 0) + change);
    count(1);
    try {
      await work();
    } finally {
      count(-1);
    }
  }

  /** Model requests in the latest attempt at a task, including its subagents'. */
  turnsOf(taskId: string): number {
    const root = this.state.tasks.get(taskId)?.conversationId;
    let turns = this.#underWay.get(taskId) ?? 0;
    for (const { conversationId: id, taskId: owner, turns: own } of this.conversations.values()) {
      if (owner === taskId && (root === undefined || id === root || id.startsWith(`${root}/`))) turns += own;
    }
    return turns;
  }

  /** A conversation that must exist. */
  conversation(conversationId: string): Conversation {
    const conversation = this.conversations.get(conversationId);
    if (!conversation)
      throw new LoopliaError("store-corrupt", `The store has no conversation ${conversationId}.`);
    return conversation;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #applyOwn(line: StoreLine): void {
    this.#apply(line);
    if (line.type === "ToolCallStarted") {
      this.#startedHere.add(callKey(line.payload.conversationId, line.payload.toolCallId));
    }
  }

  #apply(line: StoreLine): void {
    if (line.store === "events") applyEvent(this.state, line);
    else if (line.store === "conversation") applyConversationLine(this.conversations, this.totals, line);
  }
}

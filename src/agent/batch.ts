// Requests that a run sends together when it ends, at a lower price, and whose replies a later run collects.
import { LoopliaError } from "../core/errors.ts";
import { inTurn } from "../core/json.ts";
import type {
  BatchService,
  Clock,
  Host,
  Model,
  ModelReply,
  ModelRequest,
  Observer,
  WorkLog,
} from "../core/ports.ts";
import { foldWork, type SentBatch } from "../core/work-state.ts";
import type { Budget } from "./budget.ts";

type WavePlace = {
  log: Pick<WorkLog, "workEvents" | "appendWorkEvents">;
  service: BatchService;
  priceOf: Model["priceOf"];
  budget: Pick<Budget, "leaveToBatch" | "settleBatch"> | undefined;
  host: Pick<Host, "secure">;
  clock: Pick<Clock, "now">;
  observe: Observer;
  signal: AbortSignal;
  /** False: what was sent is collected, and nothing more is sent. */
  sends: boolean;
};

/** `unsent`: no batch has the request. `lost`: its batch ended without a reply, and it is sent by itself. */
type Standing = "unsent" | "waiting" | "lost" | { reply: ModelReply; batch: string };

/** Larger waves are sent in several batches, because all requests of a batch are in memory at once. */
const MOST_BYTES = 20_000_000;
const MOST_REQUESTS = 10_000;
/** Clocks may differ. */
const SKEW_MS = 10 * 60_000;
/** The service keeps results for 29 days. */
const KEPT_MS = 29 * 24 * 3_600_000;

/** The batches of one work during one run. */
export class Wave {
  readonly #place: WavePlace;
  readonly #standing = new Map<string, Standing>();
  /** Names of the ended batches, with the requests whose replies nobody has taken. */
  readonly #ended = new Map<string, Set<string>>();
  #entries: { customId: string; request: ModelRequest }[] = [];
  #bytes = 0;
  #reservedUsd = 0;

  private constructor(place: WavePlace) {
    this.#place = place;
  }

  /** Collects what has ended of the batches that earlier runs sent. Fails as `Model.respond` does. */
  static async open(place: WavePlace): Promise<Wave> {
    const wave = new Wave(place);
    const { batches } = foldWork(await place.log.workEvents());
    const others = new Set([...batches.values()].flatMap(({ batchId }) => batchId ?? []));
    for (const batch of batches.values()) {
      const { batchId = await wave.#adopt(batch, others) } = batch;
      if (batchId !== undefined) await wave.#collect(batch, batchId);
    }
    return wave;
  }

  /** True while new requests are taken. */
  get sends(): boolean {
    return this.#place.sends;
  }

  /** True while requests wait to be sent. */
  get isBegun(): boolean {
    return this.#entries.length > 0;
  }

  /** The part of the usual price that is charged. */
  get share(): number {
    return this.#place.service.share;
  }

  standingOf(customId: string): Standing {
    return this.#standing.get(customId) ?? "unsent";
  }

  /** Called once the reply of `customId` is stored in its session. */
  taken(customId: string, batch: string): void {
    this.#standing.delete(customId);
    this.#ended.get(batch)?.delete(customId);
  }

  /** The request goes with the next batch, which is sent at once when it is full. `reservedUsd`: its estimate. */
  async add(customId: string, request: ModelRequest, reservedUsd: number): Promise<void> {
    this.#standing.set(customId, "waiting");
    this.#entries.push({ customId, request });
    this.#reservedUsd += reservedUsd;
    this.#bytes += Buffer.byteLength(JSON.stringify(request));
    if (this.#bytes >= MOST_BYTES || this.#entries.length >= MOST_REQUESTS)
      await inTurn(this, () => this.#send());
  }

  /** Sends what was added; called when the run's sessions have ended. */
  async close(): Promise<void> {
    if (!this.#place.signal.aborted) await inTurn(this, () => this.#send());
    const over = [...this.#ended].filter(([, left]) => left.size === 0);
    await this.#note(over.map(([name]) => ({ type: "BatchClosed", payload: { name } })));
  }

  async #send(): Promise<void> {
    const entries = this.#entries;
    const [first] = entries;
    if (!first) return;
    const reservedUsd = this.#reservedUsd;
    this.#entries = [];
    this.#bytes = 0;
    this.#reservedUsd = 0;
    const { service, clock, signal, host, budget } = this.#place;
    const name = first.customId;
    const at = clock.now().toISOString();
    const customIds = entries.map(({ customId }) => customId);
    await this.#note([{ type: "BatchIntended", payload: { name, at, customIds } }]);
    await host.secure();
    await budget?.leaveToBatch(name, reservedUsd);
    const batchId = await service.send(entries, signal).catch(async (error: unknown) => {
      if (isRefusal(error)) await this.#drop(name);
      throw error;
    });
    await this.#note([{ type: "BatchSent", payload: { name, batchId } }]);
    await host.secure();
    this.#tell(`sent ${countOf(entries)} as batch ${batchId}; a later run collects the answers`);
  }

  /** Finds the batch of a run that was killed before it knew the id. Undefined: it may be sent again, or must wait. */
  async #adopt(intended: SentBatch, others: Set<string>): Promise<string | undefined> {
    const { service, signal } = this.#place;
    const { name, at, customIds } = intended;
    const own = new Set(customIds);
    const listed = await service.list(new Date(Date.parse(at) - SKEW_MS), signal);
    const likely = listed.filter(({ id, count }) => count === own.size && !others.has(id));
    for (const { id } of likely.filter(({ isEnded }) => isEnded)) {
      for await (const { customId } of service.results(id, signal)) {
        if (!own.has(customId)) break;
        others.add(id);
        await this.#note([{ type: "BatchSent", payload: { name, batchId: id } }]);
        return id;
      }
    }
    // What a batch holds is not known before it ends.
    if (likely.some(({ isEnded }) => !isEnded)) this.#wait(intended);
    else await this.#drop(name);
    return undefined;
  }

  /** The service never had it. */
  async #drop(name: string): Promise<void> {
    await this.#place.budget?.settleBatch(name, 0);
    await this.#note([{ type: "BatchClosed", payload: { name } }]);
  }

  async #collect(batch: SentBatch, batchId: string): Promise<void> {
    const { service, signal, clock, priceOf, budget } = this.#place;
    const found = await service.find(batchId, signal);
    if (found && !found.isEnded) return this.#wait(batch);
    for (const customId of batch.customIds) this.#standing.set(customId, "lost");
    const left = new Set<string>();
    this.#ended.set(batch.name, left);
    if (!found || clock.now().getTime() - Date.parse(batch.at) > KEPT_MS) return;
    let costUsd = 0;
    for await (const { customId, reply } of service.results(batchId, signal)) {
      if (!reply || !this.#standing.has(customId)) continue;
      costUsd += (priceOf(reply.model, reply.usage) ?? 0) * service.share;
      this.#standing.set(customId, { reply, batch: batch.name });
      left.add(customId);
    }
    await budget?.settleBatch(batch.name, costUsd);
    this.#tell(`batch ${batchId} has ended with ${left.size} of ${countOf(batch.customIds)} answered`);
  }

  #wait({ customIds }: SentBatch): void {
    for (const customId of customIds) this.#standing.set(customId, "waiting");
  }

  async #note(events: Parameters<WorkLog["appendWorkEvents"]>[0]): Promise<void> {
    if (events.length > 0) await this.#place.log.appendWorkEvents(events);
  }

  #tell(message: string): void {
    this.#place.observe({ type: "notice", level: "info", message });
  }
}

/** The service has said no, so it has no batch. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof LoopliaError) || error.modelFailure === undefined) return false;
  return error.modelFailure !== "network" && error.modelFailure !== "server-error";
}

function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 request" : `${length.toLocaleString("en")} requests`;
}

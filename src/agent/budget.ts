// The budget of a run: an upper estimate is reserved before each request and settled afterwards.

import type { Settings } from "../config/settings-table.ts";
import { inTurn } from "../core/json.ts";
import {
  askerOf,
  BATCH,
  figuresOf,
  isShared,
  type Ledger,
  leaseholders,
  leaveToBatch,
  type MonthFigures,
  type MonthLedger,
  monthOf,
  noteAsked,
  raiseMonth,
  settleBatch,
  settleDead,
  settleLease,
  takeTranche,
} from "../core/money/ledger.ts";
import type { Clock } from "../core/ports.ts";
import type { Discussion, Repository } from "../core/ports-host.ts";

type BudgetPlace = {
  /** `max-run-cost-usd` */
  runUsd?: number | undefined;
  /** `max-month-cost-usd`, with the ledger that all runs share. */
  month?: { limitUsd: number; ledger: MonthLedger } | undefined;
  clock: Pick<Clock, "now">;
  /**
   * The lease's id, different for each process. `by` identifies the run, so that others can check whether it
   * is running.
   */
  id: string;
  by: string;
  /** Whether a run that has held a lease since `at` (ISO 8601) is still running. */
  isLive(by: string, at: string): Promise<boolean>;
};

/** The limit in dollars that forbids another request. `isShared`: other runs have leased the rest. */
export type Exhausted = {
  of: "run" | "month";
  limitUsd: number;
  spentUsd: number;
  month?: string;
  isShared?: boolean;
};

/** Called once, with the actual cost of the request. */
type Settle = (costUsd: number) => void;

/** `isDry`: the month had nothing left to lease. */
type Tranche = { month: string; leasedUsd: number; spentUsd: number; reserved: Reserved; isDry: boolean };

/** Estimates of open requests. They are counted because a sum of fractions may not return to exactly zero. */
class Reserved {
  usd = 0;
  #count = 0;

  get isNone(): boolean {
    return this.#count === 0;
  }

  add(estimateUsd: number): void {
    this.#count += 1;
    this.usd += estimateUsd;
  }

  remove(estimateUsd: number): void {
    this.#count -= 1;
    this.usd = this.isNone ? 0 : this.usd - estimateUsd;
  }
}

function newTranche(month: string): Tranche {
  return { month, leasedUsd: 0, spentUsd: 0, reserved: new Reserved(), isDry: false };
}

/** Shared by all sessions of a run. */
export class Budget {
  readonly #place: BudgetPlace;
  #runUsd: number;
  #spentUsd = 0;
  readonly #reserved = new Reserved();
  #tranche: Tranche | undefined;
  /** Tranches of past months that are not settled yet. */
  #former: Tranche[] = [];
  #ledger: Ledger | undefined;
  #waiting: (() => void)[] = [];
  readonly #deciding = new Map<string, Promise<boolean>>();

  constructor(place: BudgetPlace) {
    this.#place = place;
    this.#runUsd = place.runUsd ?? Number.POSITIVE_INFINITY;
  }

  /** The run's id, as a question about its limit names it. */
  get runId(): string {
    return this.#place.id;
  }

  /**
   * Reserves an estimate in dollars, or returns the limit that is reached. When open requests hold the rest,
   * it waits until they have settled. The last request may exceed the rest, so a limit is exceeded by one
   * estimate at most.
   */
  async reserve(estimateUsd: number): Promise<Settle | Exhausted> {
    for (;;) {
      const run = this.#runRoom(estimateUsd);
      const room = run === "room" ? this.#monthRoom(estimateUsd) : run;
      if (room === "room") return this.#take(estimateUsd);
      if (room === "lease") await inTurn(this, () => this.#lease(estimateUsd));
      else if (room === "wait") await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else return room;
    }
  }

  /** True when the rest may not be enough for a request: then no new session begins. */
  get isSpent(): boolean {
    const { month } = this.#place;
    const tranche = this.#tranche;
    const isDry = month && tranche?.isDry && tranche.spentUsd >= tranche.leasedUsd;
    return this.#spentUsd >= this.#runUsd || isDry === true;
  }

  /** Applies a person's approval. `question` is the interaction's id; the same one is applied only once. */
  async raise({ of, limitUsd, month }: Exhausted, question: string): Promise<void> {
    const usd = this.stepUsd(of);
    if (of === "run") this.#runUsd = Math.max(this.#runUsd, limitUsd + usd);
    else if (month !== undefined) {
      await this.#update((ledger) => raiseMonth(ledger, month, question, usd));
      if (this.#tranche) this.#tranche.isDry = false;
    }
    this.#wake();
  }

  /** The amount that an approval adds: the run's limit once more, or a tenth of the month's limit. */
  stepUsd(of: Exhausted["of"]): number {
    return of === "run" ? (this.#place.runUsd ?? 0) : (this.#place.month?.limitUsd ?? 0) / 10;
  }

  /**
   * One session asks for all; the others share its answer, whether the limit was raised. Undefined when
   * another run asks, or asked, about the same limit.
   */
  async decide(
    limit: Exhausted,
    sessionId: string,
    ask: () => Promise<boolean>,
  ): Promise<boolean | undefined> {
    const key = `${limit.of} ${limit.limitUsd}`;
    const known = this.#deciding.get(key);
    if (known) return known;
    const deciding = this.#mayAsk(limit, sessionId).then((may) => (may ? ask() : false));
    this.#deciding.set(key, deciding);
    return deciding;
  }

  async #mayAsk({ of, month, limitUsd }: Exhausted, sessionId: string): Promise<boolean> {
    if (of !== "month" || month === undefined) return true;
    const ledger = await this.#update((stored) => noteAsked(stored, month, { limitUsd, sessionId }));
    return askerOf(ledger, month, limitUsd) === sessionId;
  }

  /** Called when a batch is sent: what was counted for its requests stays leased until `settleBatch`. */
  async leaveToBatch(batch: string, usd: number): Promise<void> {
    const tranche = this.#tranche;
    if (!tranche || usd === 0) return;
    const leaving = { id: this.#place.id, batch, usd, at: this.#place.clock.now().toISOString() };
    await this.#update((ledger) => leaveToBatch(ledger, tranche.month, leaving));
    tranche.leasedUsd -= usd;
    tranche.spentUsd -= usd;
  }

  /** Counts what the batch cost instead of its lease; only the first call counts. */
  async settleBatch(batch: string, costUsd: number): Promise<void> {
    if (this.#place.month) await this.#update((ledger) => settleBatch(ledger, batch, costUsd));
  }

  /** The month as this run knows it, including its own spending; undefined without a limit. */
  figures(): MonthFigures | undefined {
    const { month, clock, id } = this.#place;
    if (!month || !this.#ledger) return undefined;
    const name = monthOf(clock.now());
    const own = [this.#tranche, ...this.#former].find((tranche) => tranche?.month === name);
    const settled = settleLease(this.#ledger, name, id, own?.spentUsd ?? 0);
    return figuresOf(settled, name, month.limitUsd);
  }

  /** Returns the unused part of the leases. Open requests count with their estimates. */
  async close(): Promise<void> {
    const tranches = [...this.#former, ...(this.#tranche ? [this.#tranche] : [])];
    this.#former = [];
    this.#tranche = undefined;
    if (tranches.length === 0) return;
    await this.#update((ledger) => this.#settled(ledger, tranches));
  }

  #settled(ledger: Ledger, tranches: readonly Tranche[]): Ledger {
    return tranches.reduce(
      (settled, { month, spentUsd, reserved }) =>
        settleLease(settled, month, this.#place.id, spentUsd + reserved.usd),
      ledger,
    );
  }

  #runRoom(estimateUsd: number): "room" | "wait" | Exhausted {
    if (this.#spentUsd >= this.#runUsd)
      return { of: "run", limitUsd: this.#runUsd, spentUsd: this.#spentUsd };
    const fits = this.#spentUsd + this.#reserved.usd + estimateUsd <= this.#runUsd;
    return fits || this.#reserved.isNone ? "room" : "wait";
  }

  #monthRoom(estimateUsd: number): "room" | "wait" | "lease" | Exhausted {
    const { month, clock, id } = this.#place;
    if (!month) return "room";
    const name = monthOf(clock.now());
    const tranche = this.#tranche;
    if (tranche?.month !== name) return "lease";
    const left = tranche.leasedUsd - tranche.spentUsd;
    if (tranche.reserved.usd + estimateUsd <= left) return "room";
    // A run holds a tenth of the limit at most, however many requests are open.
    const isLow = tranche.reserved.isNone || left < month.limitUsd / 20;
    if (!tranche.isDry && isLow) return "lease";
    if (!tranche.reserved.isNone) return "wait";
    const isAlone = this.#ledger !== undefined && !isShared(this.#ledger, name, id);
    if (left > 0 && isAlone) return "room";
    const { limitUsd, spentUsd } = this.figures() ?? { limitUsd: month.limitUsd, spentUsd: 0 };
    return { of: "month", month: name, limitUsd, spentUsd, isShared: !isAlone };
  }

  #take(estimateUsd: number): Settle {
    const tranche = this.#tranche;
    this.#reserved.add(estimateUsd);
    tranche?.reserved.add(estimateUsd);
    return (costUsd) => {
      this.#spentUsd += costUsd;
      this.#reserved.remove(estimateUsd);
      if (tranche) tranche.spentUsd += costUsd;
      tranche?.reserved.remove(estimateUsd);
      this.#wake();
    };
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /**
   * Leases another tranche. The first call also ends the leases of dead runs; a past month is settled too.
   */
  async #lease(estimateUsd: number): Promise<void> {
    const { month, clock, id, by } = this.#place;
    if (!month || this.#monthRoom(estimateUsd) !== "lease") return;
    const at = clock.now().toISOString();
    const name = monthOf(clock.now());
    const dead = this.#ledger ? new Set<string>() : await this.#findDead();
    if (this.#tranche && this.#tranche.month !== name) this.#former.push(this.#tranche);
    const over = this.#former.filter(({ reserved }) => reserved.isNone);
    this.#former = this.#former.filter((tranche) => !over.includes(tranche));
    const known = this.#tranche?.month === name ? this.#tranche : newTranche(name);
    const unspentUsd = known.leasedUsd - known.spentUsd;
    const wantUsd = Math.max(month.limitUsd / 10, known.reserved.isNone ? estimateUsd : 0) - unspentUsd;
    const leasing = { month: name, limitUsd: month.limitUsd, id, by, at, wantUsd };
    const ledger = await this.#update((stored) =>
      takeTranche(this.#settled(settleDead(stored, dead), over), leasing),
    );
    const leasedUsd = ledger.months[name]?.leases[id]?.usd ?? 0;
    known.isDry = leasedUsd <= known.leasedUsd;
    known.leasedUsd = leasedUsd;
    this.#tranche = known;
  }

  async #findDead(): Promise<Set<string>> {
    const { id, isLive } = this.#place;
    const ledger = await this.#update((stored) => stored);
    const dead = new Set<string>();
    for (const { by, at } of leaseholders(ledger, id))
      if (by !== BATCH && !(await isLive(by, at))) dead.add(by);
    return dead;
  }

  async #update(change: (stored: Ledger) => Ledger): Promise<Ledger> {
    const { month } = this.#place;
    if (!month) throw new Error("a budget without a month has no ledger");
    this.#ledger = await month.ledger.update(change);
    return this.#ledger;
  }
}

/** A run of the Action, as far as its budget needs it. */
type BudgetScene = {
  found: {
    settings: Pick<Settings, "maxRunCostUsd" | "maxMonthCostUsd" | "dryRun"> & { stateRefPrefix: string };
  };
  repository: Pick<Repository, "monthLedger">;
  discussion: Pick<Discussion, "isRunLive">;
  facts: { runId: string; attempt: string };
  claimant: string;
  clock: Clock;
};

/** The cost limits of a run of the Action and of the month, whose ledger is on the remote, beside the states. */
export function budgetOf({
  found,
  repository,
  discussion,
  facts,
  claimant,
  clock,
}: BudgetScene): Budget | undefined {
  const { maxRunCostUsd: runUsd, maxMonthCostUsd: limitUsd, dryRun, stateRefPrefix } = found.settings;
  if (dryRun || (runUsd === undefined && limitUsd === undefined)) return undefined;
  const month =
    limitUsd === undefined ? undefined : { limitUsd, ledger: repository.monthLedger(stateRefPrefix) };
  const by = `${facts.runId}.${facts.attempt}`;
  const isLive = async (run: string, at: string): Promise<boolean> => {
    const [id = "", attempt = ""] = run.split(".");
    const told = await discussion.isRunLive(id, attempt);
    return told ?? clock.now().getTime() - Date.parse(at) < LONGEST_RUN_MS;
  };
  return new Budget({ runUsd, month, clock, id: `${by}.${claimant}`, by, isLive });
}

/** GitHub's limit for a hosted job: an older lease counts as dead if GitHub does not report its run. */
const LONGEST_RUN_MS = 6 * 3_600_000;

// The month's budget that all runs share: what was spent, and what each run has leased of the rest. Pure.
import { z } from "zod";
import { lazily } from "../json.ts";

const usd = lazily(() => z.number().min(0));
const monthShape = lazily(() =>
  z.object({
    spentUsd: usd(),
    /** Amounts that people added to the limit, by the question that they answered. */
    raisedUsd: z.record(z.string(), usd()),
    /** By the lease's id. `by`: the run, as its claims name it; `at`: ISO 8601. */
    leases: z.record(z.string(), z.object({ usd: usd(), by: z.string(), at: z.string() })),
    /** The session that asked whether to raise the limit of `limitUsd`. */
    asked: z.object({ limitUsd: usd(), sessionId: z.string() }).optional(),
  }),
);

export const ledgerShape = lazily(() =>
  z.object({
    schemaVersion: z.literal(1),
    /** By calendar month (UTC), `2026-11`. */
    months: z.record(z.string(), monthShape()),
  }),
);

export type Ledger = z.infer<ReturnType<typeof ledgerShape>>;
type Month = z.infer<ReturnType<typeof monthShape>>;

/** Where the ledger is kept: one for all runs of a repository or folder. */
export interface MonthLedger {
  /**
   * Stores and returns the result of `change`, which is called again when another run was faster. Stores
   * nothing if `change` returns its argument. Fails with `host-failed` or `store-corrupt`.
   */
  update(change: (stored: Ledger) => Ledger): Promise<Ledger>;
}

/** A month's figures for people. */
export type MonthFigures = { month: string; spentUsd: number; leasedUsd: number; limitUsd: number };

export const EMPTY_LEDGER: Ledger = { schemaVersion: 1, months: {} };

/** The calendar month in UTC, `2026-11`. */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

function monthIn(ledger: Ledger, month: string): Month {
  return ledger.months[month] ?? { spentUsd: 0, raisedUsd: {}, leases: {} };
}

/** Keeps at least three months, and every month that still has a lease. */
function withMonth(ledger: Ledger, name: string, month: Month): Ledger {
  const all = { ...ledger.months, [name]: month };
  const newest = new Set(Object.keys(all).sort().slice(-3));
  const kept = Object.entries(all).filter(
    ([key, { leases }]) => newest.has(key) || Object.keys(leases).length > 0,
  );
  return { ...ledger, months: Object.fromEntries(kept) };
}

/** `limitUsd` is the setting, to which people's additions are added. */
export function figuresOf(ledger: Ledger, month: string, limitUsd: number): MonthFigures {
  const { spentUsd, raisedUsd, leases } = monthIn(ledger, month);
  const raised = Object.values(raisedUsd).reduce((sum, one) => sum + one, 0);
  const leasedUsd = Object.values(leases).reduce((sum, { usd }) => sum + usd, 0);
  return { month, spentUsd, leasedUsd, limitUsd: limitUsd + raised };
}

/** True while a run other than `id` has a lease of the month. */
export function isShared(ledger: Ledger, month: string, id: string): boolean {
  return Object.keys(monthIn(ledger, month).leases).some((other) => other !== id);
}

/** The runs other than `id` that have leases, of any month. */
export function leaseholders(ledger: Ledger, id: string): { by: string; at: string }[] {
  return Object.values(ledger.months).flatMap(({ leases }) =>
    Object.entries(leases).flatMap(([other, { by, at }]) => (other === id ? [] : [{ by, at }])),
  );
}

/** Smaller amounts are rounding errors of sums. */
const LEAST_USD = 1e-6;

type Leasing = { month: string; limitUsd: number; id: string; by: string; at: string; wantUsd: number };

/**
 * Adds to the lease `id`: at most a tenth of the limit, and at most half of the rest unless that is less than
 * a hundredth of the limit, so that parallel runs all get a share. Unchanged when nothing is left.
 */
export function takeTranche(ledger: Ledger, { month: name, limitUsd, id, by, at, wantUsd }: Leasing): Ledger {
  const month = monthIn(ledger, name);
  const figures = figuresOf(ledger, name, limitUsd);
  const left = figures.limitUsd - figures.spentUsd - figures.leasedUsd;
  const tenth = figures.limitUsd / 10;
  const tranche = Math.min(wantUsd, tenth, left, Math.max(left / 2, tenth / 10));
  if (tranche < LEAST_USD) return ledger;
  const lease = { usd: (month.leases[id]?.usd ?? 0) + tranche, by, at };
  return withMonth(ledger, name, { ...month, leases: { ...month.leases, [id]: lease } });
}

/**
 * Ends the lease `id` of a month: the spent part stays spent, and the rest is available to all runs again.
 */
export function settleLease(ledger: Ledger, name: string, id: string, spentUsd: number): Ledger {
  const month = monthIn(ledger, name);
  const { [id]: lease, ...leases } = month.leases;
  // The run was considered dead, so its whole lease already counts as spent.
  if (!lease) return ledger;
  return withMonth(ledger, name, { ...month, spentUsd: month.spentUsd + spentUsd, leases });
}

/** `by` of a lease that a batch of requests holds until its cost is known. */
export const BATCH = "batch";

/** Moves a part of the lease `id` to a batch that outlives the run. */
export function leaveToBatch(
  ledger: Ledger,
  name: string,
  { id, batch, usd, at }: { id: string; batch: string; usd: number; at: string },
): Ledger {
  const month = monthIn(ledger, name);
  const own = month.leases[id];
  const left = own ? { [id]: { ...own, usd: Math.max(0, own.usd - usd) } } : {};
  const leases = { ...month.leases, ...left, [`${BATCH}.${batch}`]: { usd, by: BATCH, at } };
  return withMonth(ledger, name, { ...month, leases });
}

/** Ends the lease of a batch, in whichever month it was sent. */
export function settleBatch(ledger: Ledger, batch: string, spentUsd: number): Ledger {
  const id = `${BATCH}.${batch}`;
  const name = Object.keys(ledger.months).find((month) => ledger.months[month]?.leases[id]);
  return name === undefined ? ledger : settleLease(ledger, name, id, spentUsd);
}

/** Ends the leases of dead runs. Their spending is unknown, so each whole lease counts as spent. */
export function settleDead(ledger: Ledger, dead: ReadonlySet<string>): Ledger {
  let settled = ledger;
  for (const [name, { leases }] of Object.entries(ledger.months)) {
    for (const [id, { by, usd }] of Object.entries(leases)) {
      if (dead.has(by)) settled = settleLease(settled, name, id, usd);
    }
  }
  return settled;
}

/** Adds an approved amount to the limit, once per question. */
export function raiseMonth(ledger: Ledger, name: string, question: string, usd: number): Ledger {
  const month = monthIn(ledger, name);
  if (month.raisedUsd[question] !== undefined) return ledger;
  return withMonth(ledger, name, { ...month, raisedUsd: { ...month.raisedUsd, [question]: usd } });
}

/** Records the session that asks about a limit; unchanged when another session asked about the same limit. */
export function noteAsked(ledger: Ledger, name: string, asked: NonNullable<Month["asked"]>): Ledger {
  const month = monthIn(ledger, name);
  if (month.asked?.limitUsd === asked.limitUsd) return ledger;
  return withMonth(ledger, name, { ...month, asked });
}

/** The session that asked about a limit of the month. */
export function askerOf(ledger: Ledger, name: string, limitUsd: number): string | undefined {
  const { asked } = monthIn(ledger, name);
  return asked?.limitUsd === limitUsd ? asked.sessionId : undefined;
}

// The month's ledger in memory.
import { EMPTY_LEDGER, type Ledger, type MonthLedger } from "../../src/core/money/ledger.ts";

/** Two runs that read before either wrote: one of them is asked again. */
export class MemoryLedger implements MonthLedger {
  stored: Ledger = EMPTY_LEDGER;
  writes = 0;

  async update(change: (stored: Ledger) => Ledger): Promise<Ledger> {
    for (;;) {
      const seen = this.stored;
      await new Promise((resolve) => setImmediate(resolve));
      const next = change(seen);
      if (next === seen) return seen;
      if (this.stored !== seen) continue;
      this.stored = next;
      this.writes += 1;
      return next;
    }
  }
}

// The month's ledger on the remote: a ref beside the state refs, moved by one compare-and-swap at a time.
import { setTimeout as sleep } from "node:timers/promises";
import { LoopliaError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { EMPTY_LEDGER, type Ledger, ledgerShape, type MonthLedger } from "../core/money/ledger.ts";
import type { Git } from "../sandbox/git-process.ts";
import { EMPTY_TREE, editTree, readObject, writeObject } from "./object-store.ts";
import { commitTree, findEntry } from "./objects.ts";
import { fetchTips, type PushRate, pushTogether } from "./state-push.ts";

const FILE = "budget.json";
/** After each try another run was faster. */
const TRIES = 20;
const LONGEST_WAIT_MS = 400;

/** `prefix`: of the state refs. The dot in the ref's name makes sure that it is no work's. */
export function openBudgetRef(
  tools: { git: Git; remote: string; rate: PushRate },
  prefix: string,
): MonthLedger {
  const { git, remote, rate } = tools;
  const ref = `${prefix}month.budget`;
  return {
    async update(change) {
      for (let tries = 1; tries <= TRIES; tries += 1) {
        const expected = (await fetchTips({ git, remote }, [ref])).get(ref);
        const stored = expected === undefined ? EMPTY_LEDGER : await readLedger(git, expected);
        const next = change(stored);
        if (next === stored) return stored;
        const commit = await commitLedger(git, next, expected);
        const { kind } = await pushTogether({ git, remote }, { state: { ref, commit, expected } }, () =>
          rate.count(),
        );
        if (kind === "won") return next;
        // Random waits, so that runs that lost together do not collide again.
        await sleep(Math.random() * Math.min(LONGEST_WAIT_MS, 20 * 2 ** tries));
      }
      throw new LoopliaError("host-failed", `too many runs write to ${ref} at once`, {
        hint: "run again in a minute",
      });
    },
  };
}

async function readLedger(git: Git, commit: string): Promise<Ledger> {
  const found = await findEntry(git, commit, FILE);
  const text = typeof found === "object" ? await readObject(git, found.oid, "blob") : "";
  const parsed = ledgerShape.safeParse(parseJson(text.toString("utf8")));
  if (parsed.success) return parsed.data;
  throw new LoopliaError("store-corrupt", `the month's budget (commit ${commit}) can't be read`, {
    hint: "delete its ref, <state-ref-prefix>month.budget: the month then starts at zero",
  });
}

async function commitLedger(git: Git, ledger: Ledger, parent: string | undefined): Promise<string> {
  const text = `${JSON.stringify(ledger, null, 1)}\n`;
  const oid = await writeObject(git, "blob", text);
  const tree = await editTree(git, EMPTY_TREE, new Map([[FILE, { mode: "100644", oid }]]));
  return commitTree(git, tree, parent === undefined ? [] : [parent], "chore: settle the month's budget\n");
}

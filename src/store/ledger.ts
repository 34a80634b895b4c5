// The month's ledger on this disk: numbered files; the highest number counts.
import { join } from "node:path";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { EMPTY_LEDGER, type Ledger, ledgerShape, type MonthLedger } from "../core/money/ledger.ts";
import { createFile, makeFolder, namesIn, readWhole, removeIfThere } from "./durable.ts";

/** Below the state folder, which is absolute. */
export function openLedger(stateFolder: string): MonthLedger {
  const folder = join(stateFolder, "budget");
  return {
    async update(change) {
      await makeFolder(folder);
      for (;;) {
        const number = highest(folder);
        const stored = number === 0 ? EMPTY_LEDGER : await readLedger(join(folder, nameOf(number)));
        if (stored === undefined) continue;
        const next = change(stored);
        if (next === stored) return stored;
        // If another process linked the next number first, this one tries again. The file before the last is
        // no longer used.
        if (!(await createFile(join(folder, nameOf(number + 1)), `${JSON.stringify(next, null, 1)}\n`)))
          continue;
        removeIfThere(join(folder, nameOf(number - 1)));
        return next;
      }
    },
  };
}

function nameOf(number: number): string {
  return `${String(number).padStart(9, "0")}.json`;
}

function highest(folder: string): number {
  return Math.max(
    0,
    ...namesIn(folder)
      .flatMap((name) => /^(\d{9})\.json$/.exec(name)?.[1] ?? [])
      .map(Number),
  );
}

/** Undefined if another run has just removed it. */
async function readLedger(path: string): Promise<Ledger | undefined> {
  let text: string;
  try {
    text = (await readWhole(path)).toString("utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const parsed = ledgerShape().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LoopliaError("store-corrupt", `The month's budget in ${path} can't be read.`, {
    hint: "Remove its folder: the month then starts at zero.",
  });
}

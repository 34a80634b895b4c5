// What became of each mutant: kept in a file, so that a later run goes on where an earlier one ended, and counted.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./find-mutants.ts";

/** `limit`: the tests did not end in time, which a person would notice too. */
export type Outcome = "killed" | "limit" | "survives";
type Row = { file: string; text: string; line: number; becomes: string; outcome: Outcome };

/** The outcomes of one run and, with a file, of the runs before it. */
export class Outcomes {
  readonly #root: string;
  readonly #file: string | undefined;
  readonly #rows = new Map<string, Outcome>();

  constructor(root: string, file: string | undefined) {
    this.#root = root;
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
      const row: Row = JSON.parse(line);
      this.#rows.set(keyOf(row), row.outcome);
    }
  }

  /** Undefined when the mutant was not tried on the file's present text. */
  of(mutant: Mutant): Outcome | undefined {
    return this.#rows.get(keyOf(this.#rowOf(mutant, "killed")));
  }

  add(mutant: Mutant, outcome: Outcome): void {
    const row = this.#rowOf(mutant, outcome);
    this.#rows.set(keyOf(row), outcome);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(row)}\n`);
  }

  #rowOf({ file, number, becomes }: Mutant, outcome: Outcome): Row {
    const text = createHash("sha256")
      .update(readFileSync(join(this.#root, file)))
      .digest("hex")
      .slice(0, 12);
    return { file, text, line: number, becomes, outcome };
  }
}

function keyOf({ file, text, line, becomes }: Row): string {
  return JSON.stringify([file, text, line, becomes]);
}

/** One line per file, and their sum. */
export function tableOf(rows: readonly { mutant: Mutant; outcome: Outcome; isListed: boolean }[]): string {
  const files = [...new Set(rows.map(({ mutant }) => mutant.file))];
  const count = (of: typeof rows) => {
    const killed = of.filter(({ outcome }) => outcome === "killed").length;
    const limit = of.filter(({ outcome }) => outcome === "limit").length;
    const listed = of.filter(({ outcome, isListed }) => outcome === "survives" && isListed).length;
    return [of.length, killed, limit, listed, of.length - killed - limit - listed];
  };
  const lines = [
    ["file", "mutants", "killed", "endless", "listed", "open"],
    ...files.map((file) => [file, ...count(rows.filter(({ mutant }) => mutant.file === file))]),
    ["all", ...count(rows)],
  ];
  const width = Math.max(...files.map(({ length }) => length), 4);
  return lines
    .map(([name, ...cells]) =>
      [String(name).padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join(""),
    )
    .join("\n");
}

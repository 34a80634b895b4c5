// Milliseconds per megabyte of text that is searched for keys: known ones in all their forms, unknown ones by their patterns.
import { createRedactor } from "../src/core/redaction.ts";
import { findUnknownKeys } from "../src/entry/redact.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, median } from "./report.ts";

const LINE = "src/core/redaction.ts:17: the quick brown fox jumps over 42 lazy dogs = \\n and 100 % of it\n";
const TEXT = LINE.repeat(20_000);
/** At least 50 MB/s, and 5. */
const KNOWN_MS = 20;
const PATTERNS_MS = 200;

export async function benchRedaction({ runs }: Surroundings): Promise<Figure[]> {
  const keys = ["sk-ant-a-key-that-is-known-0123456789", `ghs_${"aB3".repeat(12)}`, "x7-another-key"];
  const known = await perMegabyte(runs, createRedactor(keys));
  const patterns = await perMegabyte(runs, findUnknownKeys);
  return [
    { name: "redaction of known keys, per MB", value: known, unit: "ms", demand: KNOWN_MS },
    { name: "search for unknown keys, per MB", value: patterns, unit: "ms", demand: PATTERNS_MS },
  ];
}

async function perMegabyte(runs: number, search: (text: string) => unknown): Promise<number> {
  await search(TEXT.slice(0, 100_000));
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await search(TEXT);
    times.push(((performance.now() - start) / TEXT.length) * 1e6);
  }
  return median(times);
}

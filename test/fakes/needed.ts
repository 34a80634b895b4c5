// What tests need of the machine. Where it is missing, they are skipped, and the last line of the run says what to install.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestRunner } from "vitest";
import { openIsolation } from "../../src/sandbox/isolation.ts";

let canIsolate: boolean | undefined;

/** Skips the running test where commands can't be isolated: bubblewrap is missing or may not create namespaces. */
export function needIsolation(): void {
  canIsolate ??= tryIsolation();
  if (!canIsolate) skipWithout("bubblewrap");
}

/** Skips the running test. `program`: what the machine lacks, by the name of its Debian package. */
export function skipWithout(program: string): void {
  TestRunner.getCurrentTest()?.context.skip(`needs ${program}`);
}

function tryIsolation(): boolean {
  const root = mkdtempSync(join(tmpdir(), "needed-"));
  const { isolation } = openIsolation({
    ...{ sandbox: "auto", network: false, root, closed: [], temporary: tmpdir(), warn: () => {} },
    environment: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: "/root" },
  });
  rmSync(root, { recursive: true });
  return isolation.kind === "bubblewrap";
}

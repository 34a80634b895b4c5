// A reporter: how many tests were skipped, and what to install so that they run.
import type { Reporter } from "vitest/node";

const NOTE = /^needs (\S+)$/;

export const saySkipped: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => test.result())
      .filter(({ state }) => state === "skipped");
    if (skipped.length === 0) return;
    const notes = skipped.map((result) => ("note" in result ? (result.note ?? "") : ""));
    const missing = [...new Set(notes.flatMap((note) => NOTE.exec(note)?.[1] ?? []))];
    const count = skipped.length === 1 ? "1 test was skipped" : `${skipped.length} tests were skipped`;
    const advice =
      missing.length === 0
        ? "."
        : `, because this machine lacks ${missing.join(" and ")}. To run them too: sudo apt-get install ${missing.join(" ")}`;
    console.log(`${count}${advice}`);
  },
};

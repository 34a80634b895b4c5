// `tail --follow` beside runs that begin and end: nothing of a log is missed, and none has to stay.
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logLine } from "../../src/cli/read.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

const LOGS = ".looplia/state/tasks-abc123/logs";

function say(folder: string, log: string, message: string): void {
  const logs = join(folder, LOGS);
  mkdirSync(logs, { recursive: true });
  const payload = { event: "notice", level: "info", message };
  const line = { v: 1, seq: 1, at: "2026-11-21T10:00:00.000Z", type: "progress", payload };
  appendFileSync(join(logs, `2026-11-21T10-00-0${log}-1.jsonl`), `${JSON.stringify(line)}\n`);
}

/** Follows the logs; `acts` happen one after the other, each as soon as something was written after the one before. */
async function follow(folder: string, acts: (() => void)[], isOver: (stdout: string) => boolean) {
  return runMain(["tail", "--follow"], folder, {
    whenSaid(stdout, { send }) {
      acts.shift()?.();
      if (isOver(stdout)) send();
    },
  });
}

test("the last words of a run are shown though the next has begun its log already", async () => {
  const folder = await makeFolder();
  say(folder, "1", "first of one");
  const nothing = () => {};
  const turn = () => {
    say(folder, "1", "last of one");
    say(folder, "2", "first of two");
  };
  const { stdout, code } = await follow(folder, [nothing, turn], (said) => said.includes("first of two"));
  expect(stdout.match(/(first|last) of \w+/g)).toEqual(["first of one", "last of one", "first of two"]);
  expect(code).toBe(0);
});

test("a log that is removed is followed no more, and the next one is", async () => {
  const folder = await makeFolder();
  say(folder, "1", "first of one");
  const remove = () => rmSync(join(folder, LOGS), { recursive: true });
  const begin = () => say(folder, "2", "first of two");
  const { stdout, stderr, code } = await follow(folder, [remove, begin], (said) => said.includes("of two"));
  expect(stdout.match(/(first|last) of \w+/g)).toEqual(["first of one", "first of two"]);
  expect([stderr, code]).toEqual(["", 0]);
});

test("says of a call that was refused why it was not run", () => {
  const payload = { toolName: "runCommand", summary: "curl x", isError: true, durationMs: 0 };
  const logged = { v: 1, seq: 1, at: "2026-11-21T08:00:00.000Z", type: "command" };
  const said = (more: object) => logLine(JSON.stringify({ ...logged, payload: { ...payload, ...more } }));
  expect(said({})).toBe("08:00:00 runCommand curl x failed (0ms)");
  expect(said({ refused: "A rule\nforbids it." })).toBe(
    "08:00:00 runCommand curl x refused: A rule forbids it.",
  );
});

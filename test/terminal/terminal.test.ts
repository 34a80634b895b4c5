import { join } from "node:path";
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { createDemoHost, createTerminalHost } from "../../src/terminal/host.ts";
import { confirm, input, question } from "../cli/made-up.ts";
import { KEYS, openTerminal } from "../fakes/pseudo-terminal.ts";

const program = join(import.meta.dirname, "terminal-program.ts");
const ask = (...kind: string[]) => openTerminal([process.execPath, program, ...kind]);
const signal = new AbortController().signal;

describe("the terminal host", () => {
  it("lets a person select with the arrow keys, the default first", async () => {
    const terminal = ask("select");
    await terminal.shows("to navigate");
    expect(terminal.screen()).toContain("Nine of ten seats were empty.");
    expect(terminal.screen()).toContain(question.interactionId);
    expect(terminal.screen()).toContain("Who<U+001B>[31m pays<U+202E> for the night?");
    terminal.type(KEYS.up);
    terminal.type(KEYS.enter);
    await terminal.shows("RESULT");
    expect(terminal.screen()).toContain(
      '[{"answer":{"selectedOptionId":"hook-1"},"actorId":"terminal:ada"}] pause,resume',
    );
    expect(await terminal.ended()).toBe(0);
  });

  it("shows a diff in colour and takes an approval", async () => {
    const terminal = ask("confirm");
    await terminal.shows("to navigate");
    expect(terminal.screen()).toContain("\u001b[31m-old\u001b[39m");
    expect(terminal.screen()).toContain("\u001b[32m+new<U+200B>\u001b[39m");
    terminal.type(KEYS.up);
    terminal.type(KEYS.enter);
    await terminal.shows('RESULT [{"answer":{"selectedOptionId":"approve"}');
  });

  it("offers to approve a command always, where that is possible", async () => {
    const terminal = ask("standing");
    await terminal.shows("Approve always: the same command");
    terminal.type(KEYS.up);
    terminal.type(KEYS.enter);
    await terminal.shows('RESULT [{"answer":{"selectedOptionId":"approve","always":true}');
    const plain = ask("confirm");
    await plain.shows("to navigate");
    expect(plain.screen()).not.toContain("Approve always");
    plain.type(KEYS.enter);
    await plain.shows("Why?");
    plain.type(KEYS.enter);
    expect(await plain.ended()).toBe(0);
  });

  it("asks why when something is rejected, which is the default", async () => {
    const terminal = ask("confirm");
    await terminal.shows("to navigate");
    terminal.type(KEYS.enter);
    await terminal.shows("Why?");
    terminal.type(`not today${KEYS.enter}`);
    await terminal.shows('RESULT [{"answer":{"selectedOptionId":"reject","comment":"not today"}');
  });

  it("refuses a text that does not match, and says what is expected", async () => {
    const terminal = ask("input");
    await terminal.shows("Which year?");
    terminal.type(KEYS.enter);
    await terminal.shows("Expected a non-empty text");
    terminal.type(`20x6${KEYS.enter}`);
    await terminal.shows("Expected a text that matches");
    terminal.type(`${KEYS.backspace.repeat(4)}2026${KEYS.enter}`);
    await terminal.shows('RESULT [{"answer":{"inputValue":"2026"}');
  });

  it("says so when a text may stay empty", async () => {
    const terminal = ask("optional");
    await terminal.shows("Which year? (may stay empty)");
    terminal.type(KEYS.enter);
    await terminal.shows('RESULT [{"answer":{"inputValue":""}');
  });

  it("asks several questions field by field, each checked by itself", async () => {
    const terminal = ask("composite");
    await terminal.shows("Which tone?");
    await terminal.shows("to navigate");
    terminal.type(KEYS.down);
    terminal.type(KEYS.enter);
    await terminal.shows("Which of the years? (may stay empty)");
    terminal.type(`20x6${KEYS.enter}`);
    await terminal.shows("Expected for year a text that matches");
    terminal.type(`${KEYS.backspace.repeat(4)}2026${KEYS.enter}`);
    await terminal.shows("A note? (may stay empty)");
    terminal.type(KEYS.enter);
    await terminal.shows(String.raw`{\"tone\":\"loud\",\"year\":\"2026\",\"note\":\"\"}`);
    // Else Ctrl-C would end each of them once more, and Node 20 warns of more than ten listeners.
    await terminal.shows("listening: 0");
  });

  it("asks one question at a time", async () => {
    const terminal = ask("select", "twice");
    await terminal.shows("to navigate");
    expect(terminal.screen()).toContain("q1-abc123");
    expect(terminal.screen()).not.toContain("q2-def456");
    terminal.type(KEYS.enter);
    await terminal.shows(/q2-def456[\s\S]*to navigate/);
    terminal.type(KEYS.enter);
    await terminal.shows(/RESULT .*hook 2.*hook 2.* pause,resume,pause,resume/);
  });

  it("is interrupted by Ctrl-C; the terminal is as before", async () => {
    const terminal = ask("select");
    await terminal.shows("to navigate");
    terminal.type(KEYS.ctrlC);
    await terminal.shows("THROWN interrupted aborted=true pause,resume");
    expect(terminal.screen().lastIndexOf("\u001b[?25h")).toBeGreaterThan(
      terminal.screen().lastIndexOf("\u001b[?25l"),
    );
    expect(await terminal.ended()).toBe(4);
  });

  it("answers `later` where nobody sits at the terminal", async () => {
    const host = createTerminalHost({
      input: process.stdin,
      output: process.stderr,
      isInteractive: false,
      screen: { pause() {}, resume() {} },
      colors: picocolors.createColors(false),
      actorId: "terminal:ada",
      check: async (_request, answer) => ({ ok: true, answer }),
      interrupt() {},
    });
    expect(host.canAsk).toBe(true);
    expect(await host.ask(question, signal)).toBe("later");
  });
});

describe("the demo host", () => {
  it("shows the question, its options and the answer that it takes", async () => {
    const printed: string[] = [];
    const host = createDemoHost({ print: (text) => printed.push(text) });
    expect(await host.ask(question, signal)).toEqual({
      answer: { selectedOptionId: "hook 2" },
      actorId: "terminal:demo",
    });
    expect(printed.join("\n")).toMatch(
      /^\? Which hook shall lead\? \(q1-abc123\)\n.*below it\.\n +1 {2}hook-1 /s,
    );
    expect(printed.join("\n")).toContain("→ the demo takes the default: hook 2");
    expect(await host.ask(confirm, signal)).toMatchObject({ answer: { selectedOptionId: "reject" } });
    expect(await host.ask(input, signal)).toMatchObject({ answer: { inputValue: "No preference." } });
  });
});

// The full-screen view as it is drawn, and where it is refused; test/e2e/tui.deep.test.ts has it in a real terminal.
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { type AskedQuestion, drawScreen, type Place } from "../../src/cli/live/screens.ts";
import { applyProgress, beginProgress, type ProgressState } from "../../src/cli/live/state.ts";
import { widthOf } from "../../src/cli/live/view.ts";
import { LEAST_COLUMNS } from "../../src/cli/surface.ts";
import type { RunEvent } from "../../src/core/ports.ts";
import fc from "../fakes/properties.ts";
import { events, lastEvents, SESSION } from "./made-up.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

const colors = picocolors.createColors(false);
const edit: RunEvent = {
  ...{
    type: "tool-ended",
    sessionId: SESSION,
    taskId: "ideas",
    agent: "idea-generator",
    toolName: "editFile",
  },
  ...{ toolCallId: "c6", summary: "notes.md", isError: false, durationMs: 4 },
  change: "- Nine of ten seats were empty.\n+ Nine of ten seats are empty.\u001b[31m",
};
const said: RunEvent = {
  ...{ type: "message", sessionId: SESSION, taskId: "ideas", agent: "idea-generator" },
  text: "The strongest hook is the empty train: nobody has counted the seats since 2019.",
};

function stateAfter(...more: RunEvent[]): ProgressState {
  const state = beginProgress(0, true);
  for (const [now, event] of events) applyProgress(state, event, now);
  for (const event of more) applyProgress(state, event, 2750);
  return state;
}

const question: AskedQuestion = {
  lines: [
    "! Dangerous: deletes files",
    "- old",
    "+ new",
    ...Array.from({ length: 30 }, (_, at) => `line ${at}`),
  ],
  message: "Which hook shall lead?",
  choices: [
    { id: "hook-1", label: "Nine of ten seats were empty." },
    { id: "hook 2", label: "Who pays for the night?" },
  ],
  ...{ at: 1, text: [], problem: "", hint: "", top: 0 },
};
const start: Place = { pane: "list", above: 0, notice: "", ended: "" };
const draw = (state: ProgressState, place: Place, width: number, rows = 24) =>
  drawScreen(state, place, { width, rows, colors, frame: 3, now: 64_100 });

describe("the full-screen view", () => {
  it.each([40, 80, 120, 200])("is drawn %i columns wide: list, detail, question", async (width) => {
    const state = stateAfter(said, edit);
    const screens = [
      draw(state, start, width),
      draw(state, { ...start, pane: "detail" }, width),
      draw(state, { ...start, pane: "question", question }, width),
    ];
    for (const lines of screens) {
      expect(lines).toHaveLength(24);
      for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(width);
    }
    const text = screens.map((lines) => lines.map((line) => line.trimEnd()).join("\n")).join("\n\n");
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/tui-${width}.golden.txt`);
  });

  it("fits every size and place, and lets no control of a model through", () => {
    const state = stateAfter(said, edit, ...lastEvents.map(([, event]) => event));
    const place = fc.record({
      pane: fc.constantFrom("list" as const, "detail" as const, "question" as const, "help" as const),
      row: fc.integer({ min: 0, max: 20 }),
      above: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(
        place,
        fc.integer({ min: 1, max: 220 }),
        fc.integer({ min: 1, max: 60 }),
        (at, width, rows) => {
          const lines = draw(state, { ...start, ...at, question }, width, rows);
          expect(lines).toHaveLength(rows);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
          expect(lines.join("")).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
        },
      ),
    );
  });

  it("never cuts the line of keys, which always says how to answer and how to stop", () => {
    const state = stateAfter(said, edit);
    const typed: AskedQuestion = { ...question, text: ["a"], at: 1 };
    delete typed.choices;
    for (const width of [LEAST_COLUMNS, 24, 30, 39, 40, 48, 59, 60, 71, 80, 100, 200]) {
      for (const asked of [question, typed]) {
        const keys = draw(state, { ...start, pane: "question", question: asked }, width)
          .at(-1)
          ?.trimEnd();
        expect(keys).toMatch(/Enter(?: answer)? .*Ctrl-C(?: save and stop| stop)?$/);
      }
      for (const pane of ["list", "detail"] as const) {
        const keys = draw(state, { ...start, pane, question }, width)
          .at(-1)
          ?.trimEnd();
        expect(keys).toMatch(/\? keys · Ctrl-C stop$/);
      }
    }
  });

  it("shows each row's own state and cost, and what it is about when it is selected", () => {
    const state = stateAfter(said, edit);
    const list = draw(state, start, 80);
    expect(list.find((line) => line.includes("✓ summary"))).toMatch(/1\.5s {2}\$0\.0123/);
    expect(list.find((line) => line.includes("› "))).toMatch(/\? ideas/);
    const detail = draw(state, { ...start, pane: "detail", row: 1 }, 80).join("\n");
    expect(detail).toMatch(/done · content-analyzer · \$0\.0123/);
    expect(detail).not.toContain("Nine of ten");
  });

  it("keeps a line of each item when there are thousands", () => {
    const state = beginProgress(0, true);
    applyProgress(state, { type: "item", count: 1000 }, 0);
    for (let id = 0; id < 1000; id += 1) {
      const at = { sessionId: `s-${id}`, source: `content/${id}.md` };
      const steps = [{ output: "summary", due: true, reason: "not done yet" }];
      applyProgress(state, { type: "session", ...at, pipeline: "writing-kit", folder: "f", steps }, 0);
      applyProgress(
        state,
        { type: "item", count: 1000, ended: { ...at, status: "completed", reasonCode: "done" } },
        1,
      );
    }
    const lines = draw(state, { ...start, row: 700 }, 80);
    expect(lines.find((line) => line.startsWith("› "))).toContain("content/700.md");
  });
});

describe("--ui", () => {
  it("tui needs Node 22 and a terminal, and says so before anything runs", async () => {
    const folder = await makeFolder();
    const argv = ["demo", "content", "--ui", "tui"];
    const old = await runMain(argv, folder, { nodeVersion: "20.19.0" });
    expect([old.code, old.stderr]).toEqual([
      2,
      expect.stringContaining("needs Node 22 or newer; this is Node 20.19.0"),
    ]);
    const piped = await runMain(argv, folder, { nodeVersion: "22.0.0" });
    expect([piped.code, piped.stderr]).toEqual([
      2,
      expect.stringContaining("needs a terminal with a keyboard"),
    ]);
    expect([old.listeners, piped.listeners]).toEqual([0, 0]);
    const wrong = await runMain(["run", "--ui", "tiu"], folder);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "tui"?')]);
  });
});

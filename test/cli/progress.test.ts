import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { progressLines } from "../../src/cli/live/progress.ts";
import { applyProgress, beginProgress, endProgress, type ProgressState } from "../../src/cli/live/state.ts";
import { drawProgress, widthOf } from "../../src/cli/live/view.ts";
import { events, lastEvents, question } from "./made-up.ts";

const plain = picocolors.createColors(false);
const colored = picocolors.createColors(true);

function stateAfter(all: typeof events): ProgressState {
  const state = beginProgress(0);
  for (const [now, event] of all) applyProgress(state, event, now);
  return state;
}

function draw(state: ProgressState, width: number, now: number, colors = plain): string[] {
  return drawProgress(state, { width, colors, frame: 3, now });
}

describe("the live list", () => {
  it.each([24, 40, 80, 120])("is drawn %i columns wide in the middle of a run", async (width) => {
    const lines = draw(stateAfter(events), width, 2800);
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(Math.min(width, 100));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/progress-${width}.golden.txt`);
  });

  it("ends with what was refused on the way and what failed", async () => {
    const lines = draw(stateAfter([...events, ...lastEvents]), 80, 64_100);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/progress-end.golden.txt");
  });

  it("shows a call that was not run with the reason, and a line of it without a terminal", () => {
    const state = stateAfter(events);
    const [, begun] = events.find(([, { type }]) => type === "tool-started") ?? [];
    if (begun?.type !== "tool-started") throw new Error("no call in the events");
    const refused = { ...begun, toolCallId: "r", summary: "curl x", refused: "A rule\u001b[31m forbids it." };
    const event = { ...refused, type: "tool-ended", isError: true, durationMs: 0 } as const;
    applyProgress(state, event, 2800);
    expect(progressLines(state, event).join("\n")).toMatch(/curl x refused: A rule forbids it\.$/);
    expect(draw(state, 100, 2800).join("\n")).toMatch(/curl x[\s\S]*A rule forbids it\./);
  });

  it("names a to-do task by id and title, says why it runs again, and how its commands ended", () => {
    const begun = { source: "to-do.json", pipeline: "tasks", folder: "" };
    const steps = [{ output: "T1", title: "Count the seats", due: true, reason: "todo" }];
    const at = { sessionId: "s", taskId: "T1", agent: "a", toolName: "runCommand", toolCallId: "c" };
    const ended = {
      ...at,
      summary: "npm test",
      isError: false,
      durationMs: 5,
      ending: "Exit code 1.\n2 failed",
    };
    const message = "again, because the task was changed";
    const all = [
      { type: "session", sessionId: "s", ...begun, steps },
      {
        type: "step",
        sessionId: "s",
        output: "T1",
        title: "Count the seats",
        agent: "a",
        status: "started",
        message,
      },
      { type: "tool-started", ...at, summary: "npm test" },
      { type: "tool-ended", ...ended },
      { type: "question", sessionId: "s", request: { ...question, taskId: "T1" } },
    ] as const;
    const state = beginProgress(0);
    const lines = all.flatMap((event) => {
      applyProgress(state, event, 1);
      return progressLines(state, event);
    });
    expect(lines.slice(1)).toEqual([
      "  runCommand npm test (5ms)",
      "    Exit code 1.",
      "    2 failed",
      "question q1-abc123 (T1 Count the seats): Which hook shall lead?",
    ]);
    const picture = draw(state, 100, 5).join("\n");
    expect(picture).toMatch(/T1 {2}Count the seats .* a {2}again, because the task was changed/);
    expect(picture).toMatch(/runCommand npm test \(5ms\).*\n.*Exit code 1\..*\n.*2 failed/);
    expect(picture).toContain("(q1-abc123, T1 Count the seats)");
  });

  it("shows nothing at work once the run has ended", () => {
    const state = stateAfter(events);
    endProgress(state, 2800);
    const text = draw(state, 80, 9000).join("\n");
    expect(text).toMatch(/■ ideas +1\.1s/);
    expect(text).toContain("■ askUser Which hook");
    expect(text).not.toMatch(/[\u2801-\u28ff]|strongest/);
  });

  it.each([0, 1, 2, 5, 17, 29, 30, 31])("never exceeds %i columns, at work or at its end", (width) => {
    const pictures = [
      draw(stateAfter(events), width, 2800),
      draw(stateAfter([...events, ...lastEvents]), width, 64_100),
    ];
    for (const line of pictures.flat()) expect(widthOf(line), line).toBeLessThanOrEqual(width);
  });

  it("gives of several sessions only those at work a box", () => {
    const state = stateAfter(events);
    const steps = [{ output: "summary", due: true, reason: "not done yet" }];
    for (const sessionId of ["waits", "done"]) {
      const begun = { sessionId, source: `${sessionId}.md`, pipeline: "p", folder: "f", steps };
      applyProgress(state, { type: "session", ...begun }, 1);
    }
    const step = {
      type: "step",
      sessionId: "done",
      output: "summary",
      agent: "a",
      status: "completed",
    } as const;
    applyProgress(state, step, 2);
    expect(draw(state, 80, 2800).slice(0, 3)).toEqual([
      "○ waits.md  0 of 1",
      "✓ done.md  1 of 1",
      expect.stringMatching(/^┌─ Writing Kit Builder ─/),
    ]);
  });

  it("has the same text with and without colour", () => {
    const state = stateAfter(events);
    const drawn = draw(state, 80, 2800, colored).join("\n");
    expect(drawn).toContain("\u001b[32m");
    expect(drawn.replace(new RegExp(`${"\u001b"}\\[\\d+m`, "g"), "")).toBe(draw(state, 80, 2800).join("\n"));
  });

  it("lets no control of a model or of content through", () => {
    const text = draw(stateAfter([...events, ...lastEvents]), 120, 64_100).join("");
    expect(text).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  });
});

describe("plain lines", () => {
  it("tell a whole run", async () => {
    const state = beginProgress(0);
    const lines = [...events, ...lastEvents].flatMap(([now, event]) => {
      applyProgress(state, event, now);
      return progressLines(state, event);
    });
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/progress-lines.golden.txt");
  });

  it("name the session once there are two", () => {
    const state = stateAfter(events);
    const first = events[1]?.[1];
    if (!first) throw new Error("there is a second event");
    const other = {
      type: "session",
      sessionId: "other",
      source: "b.md",
      pipeline: "p",
      folder: "f",
      steps: [] as never[],
    } as const;
    applyProgress(state, other, 1);
    expect(progressLines(state, first)[0]).toMatch(
      /^\[night-trains-2026-11-21-3fa2bc\] step summary started/,
    );
  });
});

describe("many items", () => {
  const state = beginProgress(0);
  const count = 1_000;
  applyProgress(state, { type: "item", count }, 0);
  const endOf = (id: number, status: "completed" | "failed") => {
    const reasonCode = status === "failed" ? "model-failed" : "done";
    return { source: `${id}.md`, sessionId: `s-${id}`, status, reasonCode, message: `fault ${id}` } as const;
  };
  const begin = (id: number) => {
    const sessionId = `s-${id}`;
    const steps = [{ output: "summary", due: true, reason: "not done yet" }];
    applyProgress(
      state,
      { type: "session", sessionId, source: `${id}.md`, pipeline: "writing-kit", folder: "", steps },
      id,
    );
    applyProgress(state, { type: "step", sessionId, output: "summary", agent: "a", status: "started" }, id);
  };
  for (let id = 0; id < 500; id += 1) {
    begin(id);
    const status = id % 100 === 99 ? "failed" : "completed";
    applyProgress(state, { type: "item", count, ended: endOf(id, status) }, id);
  }
  for (let id = 500; id < 540; id += 1) begin(id);

  it.each([24, 80])(
    "are counts, rate, time left and the last failures, in a few lines (%i columns)",
    (width) => {
      const lines = draw(state, width, 600_000);
      expect(lines.length).toBeLessThan(16);
      for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(width);
      if (width < 80) return;
      expect(lines.slice(0, 3)).toEqual([
        `${"█".repeat(10)}${"░".repeat(10)} 500 of 1,000 items`,
        "495 completed · 5 failed · 40 at work",
        "50.0 items per minute · about 10m 00s left",
      ]);
      expect(lines).toContain("  … 34 more");
      expect(lines.filter((line) => line.startsWith("✗"))).toEqual(
        [299, 399, 499].map((id) => `✗ ${id}.md: fault ${id}`),
      );
    },
  );

  it("keeps only those that are at work", () => {
    expect(state.sessions.size).toBe(40);
  });

  it("without a terminal, have one line each where they ran", () => {
    const ended = endOf(499, "failed");
    const step = { type: "step", sessionId: "s-500", output: "a", agent: "a", status: "completed" } as const;
    const notice = { type: "notice", level: "warning", message: "look" } as const;
    expect(progressLines(state, { type: "item", count, ended })).toEqual([
      "500 of 1000: 499.md failed: fault 499",
    ]);
    expect(
      progressLines(state, { type: "item", count, ended: { ...ended, reasonCode: "up-to-date" } }),
    ).toEqual([]);
    expect(progressLines(state, step)).toEqual([]);
    expect(progressLines(state, notice)).toEqual(["warning: look"]);
  });
});

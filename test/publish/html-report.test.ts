// The HTML report: nothing that a model or a person wrote becomes markup, and nothing is loaded from anywhere.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { StoredLine } from "../../src/core/events.ts";
import { htmlReport } from "../../src/publish/html-report.ts";
import fc from "../fakes/properties.ts";
import { hostile } from "./hostile.ts";

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 0 };
const audit = { ok: true, count: 4, head: "ab".repeat(32) } as const;

/** A session in which `said` is wherever somebody can write something. */
function linesWith(said: string): StoredLine[] {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString();
  const call = { conversationId: "T1#1", toolCallId: "c1", taskId: said, authorActorId: said, timestamp: 0 };
  const lines: [string, object][] = [
    ["TaskCreated", { taskId: said, agent: said }],
    [
      "Message",
      {
        conversationId: said,
        message: { role: "assistant", content: [{ type: "text", text: said }] },
        response: { costUsd: 0.01 },
      },
    ],
    [
      "ToolCallRequested",
      { ...call, toolName: said, decision: "ask", dangers: [said], input: { command: said } },
    ],
    ["ToolCallCompleted", { ...call, output: { text: said }, isError: true, durationMs: 12 }],
    [
      "ToolCallRequested",
      { ...call, toolCallId: "c2", toolName: "editFile", input: { path: said, oldStr: said, newStr: said } },
    ],
    ["Message", { message: { role: "assistant", content: [] }, response: { costUsd: 0.02 } }],
    ["TaskFailed", { taskId: said, message: said }],
    ["ModelSwitched", { conversationId: said, from: "first", to: "spare", reason: said }],
  ];
  return lines.map(([type, payload], index) => ({ v: 1, seq: index + 1, at: at(index), type, payload }));
}

function render(said: string): string {
  const results = new Map<string, unknown>([[said, { [said]: [said, { deep: said }] }]]);
  return htmlReport({ sessionId: said, lines: linesWith(said), audit, usage, costUsd: 0.03, results });
}

const tagsOf = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/"[^"]*"/g, '""'));

test("no text changes a tag", () => {
  const expected = tagsOf(render("harmless"));
  fc.assert(
    fc.property(
      hostile.filter((said) => said !== ""),
      (said) => {
        expect(tagsOf(render(said))).toEqual(expected);
      },
    ),
  );
});

test("loads nothing, and runs no script but the one whose hash it names", () => {
  const html = render("<script>alert(1)</script>");
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
  expect(scripts).toHaveLength(1);
  const hash = createHash("sha256")
    .update(scripts[0] ?? "")
    .digest("base64");
  expect(html).toContain(`default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`);
  expect(html).not.toMatch(/https?:|<link|<img|src=|url\(|@import/);
});

test("says what happened when, what it cost, and whether the audit chain is whole", () => {
  const html = render("T1");
  for (const text of [
    "2026-11-20 09:00:02",
    "editFile: T1",
    "spare takes over T1 from first",
    "decided: ask",
    "12 ms",
    "T1 failed",
    "75 % cached",
  ]) {
    expect(html).toContain(text);
  }
  // From nothing, in steps, to the sum: 0.01 and 0.02 dollars are a third and the whole.
  expect(html).toMatch(
    /<polyline points="0,76\.0 ([\d.]+),76\.0 \1,54\.0 ([\d.]+),54\.0 \2,10\.0 1000,10\.0" class="costUsd"/,
  );
  expect(html).toMatch(/cost, up to \$0\.03/);
  expect(html).toContain("The audit chain of 4 lines is intact");
  const broken = { ok: false, index: 2, reason: "the line was changed" } as const;
  const facts = { sessionId: "s", lines: [], usage, costUsd: null, results: new Map() };
  expect(htmlReport({ ...facts, audit: broken })).toContain(
    "The audit chain is broken at line 3: the line was changed",
  );
});

test("stays below 15 MB with 5,000 calls of 20,000 characters", () => {
  const call = { conversationId: "T1#1", toolName: "runCommand", decision: "allow" };
  const lines = Array.from({ length: 10_000 }, (_, index): StoredLine => {
    const toolCallId = `c${index >> 1}`;
    const isEnd = index % 2 === 1;
    const payload = isEnd
      ? { ...call, toolCallId, output: { text: "x".repeat(20_000) }, isError: false, durationMs: 1 }
      : { ...call, toolCallId, input: { command: "echo x" } };
    return {
      v: 1,
      seq: index + 1,
      at: "2026-11-20T09:00:00.000Z",
      type: isEnd ? "ToolCallCompleted" : "ToolCallRequested",
      payload,
    };
  });
  const html = htmlReport({ sessionId: "s", lines, audit, usage, costUsd: 0, results: new Map() });
  expect(html.match(/<li [^>]*class="call/g)).toHaveLength(5_000);
  expect(Buffer.byteLength(html)).toBeLessThan(15_000_000);
});

test("a list shows its tasks as a table; a command that goes on is marked", () => {
  const call = { conversationId: "T1#1", toolCallId: "c", toolName: "runCommand", decision: "allow" };
  const payload = { ...call, input: { command: `echo ${"x".repeat(200)}` } };
  const lines: StoredLine[] = [
    { v: 1, seq: 1, at: "2026-11-20T09:00:00.000Z", type: "ToolCallRequested", payload },
  ];
  const tasks = [{ id: "T1", title: "Say <hello>", status: "blocked", blockers: ["no key", "no time"] }];
  const results = new Map([["to-do.json", { schema_version: 1, tasks }]]);
  const html = htmlReport({ sessionId: "s", lines, audit, usage, costUsd: 0, results });
  expect(html).toContain(
    '<tr><td data-of="task">T1</td><td data-of="title">Say &lt;hello&gt;</td><td data-of="status">blocked</td><td data-of="blocked by">no key; no time</td></tr>',
  );
  expect(html).toMatch(/<b>runCommand: echo x{100,}…<\/b>/);
});

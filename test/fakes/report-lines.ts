// Stored lines of a long session, full of markup that must have no effect.
import type { StoredLine } from "../../src/core/events.ts";

export const XSS = `<img src=x onerror="document.title='broken'"><script>document.title="broken"</script>"'><svg onload=alert(1)>`;

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 0 };

/** `count` calls in turns of one call each, with an edit, a question and its answer after nine hours. */
export function linesOf(count: number): StoredLine[] {
  const start = Date.UTC(2026, 10, 20, 18);
  const lines: StoredLine[] = [];
  const add = (second: number, type: string, payload: object) =>
    lines.push({
      v: 1,
      seq: lines.length + 1,
      at: new Date(start + second * 1000).toISOString(),
      type,
      payload,
    });
  add(0, "TaskCreated", { taskId: "T1", agent: "writer" });
  for (let id = 0; id < count; id += 1) {
    const call = { conversationId: "T1#1", taskId: "T1", toolCallId: `c${id}` };
    const edit = { path: "notes.md", oldStr: "old words", newStr: `new words\n${XSS}` };
    const input = id % 2 === 0 ? { command: `echo ${id}` } : edit;
    add(id * 2, "ToolCallRequested", {
      ...call,
      toolName: id % 2 === 0 ? "runCommand" : "editFile",
      decision: "allow",
      input,
    });
    add(id * 2, "Message", {
      conversationId: "T1#1",
      message: { role: "assistant", content: [{ type: "text", text: `Step ${id}. ${XSS}` }] },
      response: { costUsd: 0.01, usage },
    });
    add(id * 2 + 1, "ToolCallCompleted", {
      ...call,
      output: { text: `${XSS}\n${"output ".repeat(40)}` },
      isError: id === 2,
      durationMs: 700,
    });
  }
  const question = {
    interactionId: "s.q1-abcdef",
    shortId: "q1-abcdef",
    kind: "Confirm",
    display: { title: "Send it?" },
  };
  add(count * 2, "UserInteractionRequested", question);
  const answer = { interactionId: "s.q1-abcdef", authorActorId: "github:1:ada", selectedOptionId: "approve" };
  add(count * 2 + 9 * 3600, "UserInteractionResponded", answer);
  return lines;
}

import { describe, expect, test } from "vitest";
import { writePullRequest } from "../../src/publish/pull-request.ts";
import { type RunReport, readMarker } from "../../src/publish/report.ts";
import { renderCheck, renderRefusal, renderStatus, type WorkReport } from "../../src/publish/status.ts";
import { renderStepSummary, writeOutputs } from "../../src/publish/summary.ts";
import fc, { tries } from "../fakes/properties.ts";
import { hostile } from "./hostile.ts";
import { liveText, render } from "./rendered.ts";
import { item, question, waitingWork } from "./works.ts";

function work(changes: Partial<WorkReport> = {}, report: Partial<RunReport> = {}): WorkReport {
  return { ...waitingWork, ...changes, report: { ...waitingWork.report, ...report } };
}

const done = { status: "completed", reasonCode: "done", questions: [] } as const;
const failed = {
  status: "failed",
  reasonCode: "model-failed",
  message: "the model said 529",
  questions: [],
} as const;
const running = work({ runningSince: "2026-12-01T08:59:00Z" }, { questions: [] });

test("the status comment reads as written down", async () => {
  const warnings = ["Commands are not isolated on this runner: install bubblewrap"];
  const texts = [work({}, { warnings, isStatePublic: true }), running, work({}, done), work({}, failed)].map(
    renderStatus,
  );
  const golden = new URL("golden/status.golden.md", import.meta.url).pathname;
  await expect(texts.join("\n---\n\n")).toMatchFileSnapshot(golden);
});

describe("the status comment", () => {
  test("says of which run it is the word, and what to do if that run is gone", () => {
    expect(renderStatus(running)).toContain("## looplia: running since 2026-12-01 08:59 UTC");
    expect(renderStatus(running)).toContain("As of [run 45]");
    expect(renderStatus(running)).toContain("If that run has ended, comment `/status`");
    expect(renderStatus(work())).not.toContain("If that run has ended");
  });

  test("tells what to press where the pull request is a draft", () => {
    const pullRequest = { number: 7, url: "https://github.example/pull/7" };
    expect(renderStatus(work({}, { pullRequest: { ...pullRequest, isDraft: true } }))).toContain(
      "press **Ready for review**",
    );
    expect(renderStatus(work({}, { pullRequest }))).not.toContain("Ready for review");
  });

  test("is found by its first line", () => {
    expect(readMarker(renderStatus(work()))).toEqual({ role: "status", workId: "writing-kit-abc123" });
    expect(readMarker(`> ${renderStatus(work())}`)).toBeUndefined();
    expect(readMarker(`x\n${renderStatus(work())}`)).toBeUndefined();
    for (const line of [
      "<!-- looplia:status -->",
      "<!-- looplia:request w -->",
      "<!-- looplia:reply w x -->",
    ]) {
      expect(readMarker(line)).toBeUndefined();
    }
  });

  test("stays under 60,000 characters and keeps its shape, whatever the items hold", () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 0, max: 2_000 }), (text, count) => {
        const items = Array.from({ length: count }, () => ({
          ...item,
          source: text,
          title: text,
          message: text,
        }));
        const questions = Array.from({ length: 30 }, () => ({ ...question, title: text }));
        const markdown = renderStatus(
          work({}, { warnings: Array(30).fill(text), items, questions, message: text }),
        );
        expect(markdown.length).toBeLessThan(60_000);
        const small = renderStatus(work({}, { warnings: [text], items: items.slice(0, 2), message: text }));
        const html = render(small);
        expect(html.match(/<!--/g)?.length).toBe(1);
        expect(html.match(/<h\d/g)?.length).toBe(1);
        expect(html.match(/<tr/g)?.length ?? 0).toBe(count === 0 ? 0 : Math.min(count, 2) + 1);
        expect(liveText(small)).not.toMatch(/@|#\w|\bGH-\d|:\/\/|www\./i);
      }),
      tries(20),
    );
  });
});

describe("the check", () => {
  test.each([
    ["neutral while a question is open", work(), "neutral", question.commentUrl],
    ["neutral while a run is at work", running, "neutral", running.run.url],
    ["a success at the end", work({}, done), "success", running.run.url],
    ["a failure", work({}, failed), "failure", running.run.url],
    [
      "neutral when it stopped",
      work({}, { ...done, status: "stopped", reasonCode: "deadline" }),
      "neutral",
      running.run.url,
    ],
    [
      "cancelled when it was closed",
      work({}, { ...done, status: "ignored", reasonCode: "closed" }),
      "cancelled",
      running.run.url,
    ],
  ])("is %s", (_, status, conclusion, detailsUrl) => {
    expect(renderCheck(status)).toMatchObject({
      name: "looplia (writing-kit-abc123)",
      conclusion,
      detailsUrl,
    });
  });
});

test("open questions stand in pull request, step summary and outputs, with links", () => {
  const { report } = work();
  const line = `[q2-b18f6d](<${question.commentUrl}>) Which angle should the text take? · until 2026-12-08 09:00 UTC`;
  expect(writePullRequest("writing-kit-abc123", report).body).toContain(line);
  expect(renderStepSummary(report)).toContain(line);
  const outputs = writeOutputs(report, { workId: "w", branch: "b" });
  expect(outputs.get("interaction-id")).toBe(question.interactionId);
  expect(JSON.parse(outputs.get("items") ?? "")).toMatchObject([
    { interactionIds: [question.interactionId] },
  ]);
});

describe("a reply", () => {
  const reply = { workId: "writing-kit-abc123", commentId: 1234, author: "octocat" };

  test("says what was refused, why, and what to do instead", () => {
    const refused = {
      command: "/approve q9-ffffff and more\nmore",
      reason: "there is no open question q9-ffffff",
      whatToDo: "the open one is q2-b18f6d",
      copy: ["/choose q2-b18f6d the-cost"],
    };
    const markdown = renderRefusal(reply, refused);
    expect(markdown).toBe(
      [
        "<!-- looplia:reply writing-kit-abc123 1234 -->",
        "",
        "@octocat: `/approve q9-ffffff and more` was refused: There is no open question q9-ffffff. The open one is q2-b18f6d.",
        "",
        "```text",
        "/choose q2-b18f6d the-cost",
        "```",
        "",
      ].join("\n"),
    );
    expect(readMarker(markdown)).toEqual({ role: "reply", workId: reply.workId, commentId: 1234 });
  });

  test("does nothing with the words that it quotes, and needs no author", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const refused = { command: text, reason: text, whatToDo: text };
        for (const markdown of [
          renderRefusal({ ...reply, author: null }, refused),
          renderRefusal({ ...reply, author: `no login ${text}` }, refused),
        ]) {
          const html = render(markdown);
          expect(html.match(/<!--/g)?.length).toBe(1);
          expect(html).not.toMatch(/<(?!!--|\/?(?:p|code)\b)/);
          expect(liveText(markdown)).not.toMatch(/@|#\w|\bGH-\d|:\/\//i);
        }
      }),
      tries(20),
    );
  });
});

import { expect, test } from "vitest";
import type { Result } from "../../src/core/result.ts";
import { writeCommitMessage, writePullRequest } from "../../src/publish/pull-request.ts";
import { areRehearsals, artifactName, REHEARSAL, type RunReport } from "../../src/publish/report.ts";
import { renderStepSummary, writeOutputs } from "../../src/publish/summary.ts";
import fc from "../fakes/properties.ts";
import { liveText, render } from "./rendered.ts";
import { question } from "./works.ts";

const usage = { inputTokens: 1200, outputTokens: 345, cacheReadTokens: 8000, cacheWriteTokens: 0 };
const hostileText = "Ping @octocat <!-- looplia:end --> ::error:: | [x](http://evil) #12 `code`\u202e";

function item(changes: Partial<Result> = {}): Result {
  return {
    source: "content/tides.md",
    sessionId: "how-tides-work-2026-11-20-0a1b2c",
    title: "How tides work",
    pipeline: "writing-kit",
    finalOutput: "writing-kit",
    interactions: [],
    status: "completed",
    reasonCode: "done",
    folder: ".looplia/contentItem/how-tides-work-2026-11-20-0a1b2c",
    output: "writing-kit",
    artifactPath: ".looplia/contentItem/how-tides-work-2026-11-20-0a1b2c/writing-kit.json",
    artifact: { contentId: "how-tides-work-2026-11-20-0a1b2c" },
    artifacts: new Map<string, unknown>([
      ["summary", { headline: "The moon pulls, the sea answers", tldr: "Tides follow the moon." }],
      [
        "ideas",
        { hooks: [{ text: "Why twice a day?", type: "curiosity" }], angles: [{ title: "A fisher's day" }] },
      ],
      ["outline", [{ heading: "The pull" }, { heading: "1. Twice a day" }]],
    ]),
    steps: ["summary", "ideas", "outline", "writing-kit"].map((output) => ({
      output,
      status: "completed",
      reason: "",
    })),
    usage,
    costUsd: 0.0421,
    ...changes,
  };
}

const broken = item({
  source: "content/broken.md",
  sessionId: "",
  title: "content/broken.md",
  status: "failed",
  reasonCode: "config-invalid",
  message: "content/broken.md: is empty give it a text, or leave it out",
  folder: "",
  artifacts: new Map(),
  steps: [],
  costUsd: 0,
});
const hostile = item({
  source: `content/${hostileText}.md`,
  title: hostileText,
  status: "failed",
  reasonCode: "invalid-artifact",
  message: hostileText,
  artifacts: new Map<string, unknown>([
    ["summary", { headline: hostileText, tldr: 7 }],
    ["ideas", { hooks: [null, { text: hostileText, type: hostileText }], angles: "none" }],
    ["outline", { heading: "no list" }],
  ]),
  steps: [{ output: "summary", status: "failed", reason: "", message: "```\n::error::x\n```` @octocat" }],
});

function report(changes: Partial<RunReport> = {}): RunReport {
  return {
    status: "completed",
    reasonCode: "done",
    pipeline: "writing-kit",
    isRehearsal: false,
    items: [item()],
    pullRequest: { number: 7, url: "https://github.com/o/r/pull/7" },
    artifactUrl: "https://github.com/o/r/actions/runs/1/artifacts/2",
    ...changes,
  };
}

test("the step summary warns: no isolation, a state that everybody may read", () => {
  const warnings = ["Commands are not isolated: bubblewrap is not installed; install it.", "a\n::warning::b"];
  const summary = renderStepSummary(report({ warnings, isStatePublic: true }));
  expect(summary).toMatch(/^> \[!WARNING\]\n> - This repository is public.*\n> - Commands are not isolated/m);
  expect(summary).not.toMatch(/^::/m);
  expect(renderStepSummary(report())).not.toContain("[!WARNING]");
});

test("summary and pull request begin with a box of the changed paths that decide what runs or who has permission", () => {
  const changedRules = [
    ".github/workflows/ci.yml",
    "a`\n<b>@octocat",
    ...Array.from({ length: 20 }, (_, at) => `d${at}/.npmrc`),
  ];
  for (const text of [
    writePullRequest("w-abc123", report({ changedRules })).body,
    renderStepSummary(report({ changedRules })),
  ]) {
    const box = /^> \[!CAUTION\]\n(?:> ?.*\n)+/m.exec(text)?.[0] ?? "";
    expect(box).toContain("> - `.github/workflows/ci.yml`\n");
    expect(box).toMatch(/> - … 2 more\n$/);
    expect(box.split("\n")).toHaveLength(25);
    expect(text.indexOf("[!CAUTION]")).toBeLessThan(120);
  }
  expect(renderStepSummary(report({ changedRules: [] }))).not.toContain("[!CAUTION]");
});

const mixed = report({ status: "failed", reasonCode: "config-invalid", items: [item(), broken, hostile] });

function golden(name: string): string {
  return new URL(`golden/${name}`, import.meta.url).pathname;
}

test("the step summary", async () => {
  await expect(renderStepSummary(mixed)).toMatchFileSnapshot(golden("summary.golden.md"));
  const rehearsal = report({ isRehearsal: true });
  await expect(renderStepSummary(rehearsal)).toMatchFileSnapshot(golden("rehearsal.golden.md"));
  const refused = report({
    status: "failed",
    reasonCode: "no-items",
    message: "No file matches `content`.",
    items: [],
  });
  await expect(renderStepSummary(refused)).toMatchFileSnapshot(golden("refused.golden.md"));
});

test("the pull request", async () => {
  const text = writePullRequest("writing-kit-abc123", mixed);
  await expect(`${text.title}\n\n${text.body}\n`).toMatchFileSnapshot(golden("pull-request.golden.md"));
  expect(writePullRequest("writing-kit-abc123", report({ isRehearsal: true })).title).toBe(
    "content(writing-kit): How tides work (extractive rehearsal, no language model)",
  );
});

test("whether it is a rehearsal is what the sessions say, item by item", () => {
  const rehearsed = item({ notice: REHEARSAL });
  expect(areRehearsals([rehearsed, broken])).toBe(true);
  expect(areRehearsals([rehearsed, item()])).toBe(false);
  expect(areRehearsals([broken])).toBe(false);
  const both = report({ items: [rehearsed, item({ source: "content/other.md" })] });
  for (const text of [writePullRequest("writing-kit-abc123", both).body, renderStepSummary(both)]) {
    expect(text.split(REHEARSAL).length, text).toBe(2);
  }
  const results = JSON.parse(writeOutputs(both, { workId: "w", branch: "b" }).get("result-json") ?? "");
  expect(results.map((result: { usage: { note?: string } }) => result.usage.note)).toEqual([
    REHEARSAL,
    undefined,
  ]);
});

test("an update keeps a person's words and title, and finds its own part again", () => {
  const first = writePullRequest("writing-kit-abc123", report());
  expect(writePullRequest("writing-kit-abc123", report(), first)).toEqual(first);
  const edited = { title: "My title", body: `Before.\r\n\r\n${first.body}\r\n\r\nCloses nothing @me` };
  const updated = writePullRequest("writing-kit-abc123", mixed, edited);
  expect(updated.title).toBe("My title");
  expect(updated.body.startsWith("Before.\r\n\r\n<!-- looplia:work")).toBe(true);
  expect(updated.body.endsWith("<!-- looplia:end -->\r\n\r\nCloses nothing @me")).toBe(true);
  expect(updated.body).toContain("broken");
  const renamed = writePullRequest("writing-kit-abc123", mixed, first);
  expect(renamed.title).toMatch(/^content\(writing-kit\): 1 of 3 kits made; content\/broken\.md is empty/);
  expect(writePullRequest("writing-kit-abc123", mixed, renamed)).toEqual(renamed);
  const emptied = writePullRequest("writing-kit-abc123", report(), { title: "T", body: "theirs" });
  expect(emptied).toMatchObject({ title: "T", body: expect.stringMatching(/^theirs\n\n<!-- looplia:work/) });
});

test("a title begins with [question] while a question is open, and only then, whoever wrote it", () => {
  const asking = report({ questions: [question] });
  const first = writePullRequest("writing-kit-abc123", asking);
  expect(first.title).toBe("[question] content(writing-kit): How tides work");
  expect(writePullRequest("writing-kit-abc123", asking, first)).toEqual(first);
  const answered = writePullRequest("writing-kit-abc123", report(), first);
  expect(answered.title).toBe("content(writing-kit): How tides work");
  const theirs = writePullRequest("writing-kit-abc123", asking, { ...first, title: "My title" });
  expect(theirs.title).toBe("[question] My title");
  expect(writePullRequest("writing-kit-abc123", report(), theirs).title).toBe("My title");
  const full = writePullRequest("writing-kit-abc123", asking, { title: "T", body: "x".repeat(65_000) });
  expect(full.title).toBe("[question] T");
  const long = writePullRequest("writing-kit-abc123", asking, { ...first, title: "x".repeat(250) });
  expect(long.title).toBe("x".repeat(250));
});

test("however long a person's text is, it is never cut, and what GitHub takes is never exceeded", () => {
  const first = writePullRequest("writing-kit-abc123", report());
  for (const length of [0, 59_000, 60_000, 63_000, 64_000, 65_500]) {
    for (const body of ["x".repeat(length), `${"x".repeat(length)}\r\n${first.body}`.slice(0, 65_536)]) {
      const updated = writePullRequest("writing-kit-abc123", mixed, { title: "T", body });
      expect(updated.body.length).toBeLessThanOrEqual(65_536);
      expect(updated.body.startsWith("x".repeat(length))).toBe(true);
      if (length <= 63_000) expect(updated.body).toContain("looplia:work");
      else expect(updated).toEqual({ title: "T", body });
    }
  }
});

test("many items stay under the limits", () => {
  const many = report({ items: Array.from({ length: 3_000 }, () => hostile) });
  const summary = renderStepSummary(many);
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  expect(summary).toMatch(/\| … \d+ more \|/);
  const { body } = writePullRequest("writing-kit-abc123", many, { title: "x", body: "p".repeat(30_000) });
  expect(body.length).toBeLessThanOrEqual(60_000);
  expect(body).toMatch(/and \d+ more/);
});

test("of more than twenty items the pull request has the counts and the first twenty", () => {
  const [first] = report().items;
  if (!first) throw new Error("no item");
  const items = Array.from({ length: 23 }, (_, at) => ({ ...first, title: `Title ${at}`, message: "" }));
  const failed = items.slice(20).map((item) => ({ ...item, status: "failed" as const }));
  const many = report({ items: [...items.slice(0, 20), ...failed] });
  const { body } = writePullRequest("writing-kit-abc123", many);
  expect(body).toContain(`23 items: 20 ${first.status}, 3 failed.`);
  expect(body.match(/^### Title \d+$/gm)).toHaveLength(20);
  expect(body).toContain("… and 3 more: see the summary of the run.");
});

test("the message of a commit", () => {
  const task = { sessionId: "how-tides-work-2026-11-20-0a1b2c", run: "11.2", isRehearsal: false } as const;
  expect(writeCommitMessage({ ...task, outputs: ["summary"], status: "completed" })).toBe(
    "content(how-tides-work): add summary\n\nLooplia-Session: how-tides-work-2026-11-20-0a1b2c\nLooplia-Step: summary\nLooplia-Run: 11.2\n",
  );
  const message = writeCommitMessage({
    ...task,
    outputs: ["outline", "writing-kit"],
    status: "failed",
    isRehearsal: true,
  });
  expect(message).toBe(
    "content(how-tides-work): note that outline and writing-kit failed\n\nThis is an extractive rehearsal, no language model.\n\nLooplia-Session: how-tides-work-2026-11-20-0a1b2c\nLooplia-Step: outline\nLooplia-Step: writing-kit\nLooplia-Run: 11.2\n",
  );
});

test("the outputs", () => {
  const outputs = writeOutputs(report(), {
    workId: "writing-kit-abc123",
    branch: "looplia/writing-kit-abc123",
  });
  expect(Object.fromEntries(outputs)).toEqual({
    status: "completed",
    "reason-code": "done",
    "work-id": "writing-kit-abc123",
    "session-id": "how-tides-work-2026-11-20-0a1b2c",
    "interaction-id": "",
    "pull-request-number": "7",
    "pull-request-url": "https://github.com/o/r/pull/7",
    branch: "looplia/writing-kit-abc123",
    "artifact-url": "https://github.com/o/r/actions/runs/1/artifacts/2",
    "cost-usd": "0.0421",
    "input-tokens": "9200",
    "output-tokens": "345",
    items: JSON.stringify([
      {
        source: "content/tides.md",
        sessionId: "how-tides-work-2026-11-20-0a1b2c",
        status: "completed",
        reasonCode: "done",
        pullRequestNumber: 7,
        interactionIds: [],
        costUsd: 0.0421,
      },
    ]),
    matrix: "",
    "result-json": JSON.stringify({
      status: "completed",
      reasonCode: "done",
      sessionId: "how-tides-work-2026-11-20-0a1b2c",
      source: "content/tides.md",
      output: "writing-kit",
      path: ".looplia/contentItem/how-tides-work-2026-11-20-0a1b2c/writing-kit.json",
      artifact: { contentId: "how-tides-work-2026-11-20-0a1b2c" },
      usage: { ...usage, costUsd: 0.0421 },
    }),
  });
  const several = writeOutputs(mixed, { workId: "w", branch: "b" });
  expect(several.get("session-id")).toBe("");
  expect(JSON.parse(several.get("result-json") ?? "")).toHaveLength(3);
  const large = report({ items: [item({ artifact: "x".repeat(600_000) })] });
  expect(
    JSON.parse(writeOutputs(large, { workId: "w", branch: "b" }).get("result-json") ?? "").artifact,
  ).toBeNull();
  const unknown = report({ items: [item(), item({ costUsd: null })] });
  expect(writeOutputs(unknown, { workId: "w", branch: "b" }).get("cost-usd")).toBe("");
});

test("no shape of an artifact makes the summary crash", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.anything(), (summary, ideas, outline) => {
      const artifacts = new Map([
        ["summary", summary],
        ["ideas", ideas],
        ["outline", outline],
      ]);
      renderStepSummary(report({ items: [item({ artifacts })] }));
    }),
  );
});

test("nothing of the content is live in what is published", () => {
  const { body } = writePullRequest("writing-kit-abc123", mixed);
  expect(body.match(/<!-- looplia:end -->/g)?.length).toBe(1);
  for (const text of [renderStepSummary(mixed), body]) {
    expect(liveText(text)).not.toMatch(/@octocat|#12/);
    expect(render(text)).not.toContain('href="http://evil');
  }
});

test("names carry run, attempt and job, and nothing that is refused", () => {
  const parts = { workId: "writing-kit-abc123", runId: "11", attempt: "2" };
  expect(artifactName({ ...parts, job: "kit" })).toBe("looplia-writing-kit-abc123-11.2-kit");
  expect(artifactName({ ...parts, job: 'a/b:"<*?>' })).toBe("looplia-writing-kit-abc123-11.2-a-b-");
});

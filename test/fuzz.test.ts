// Whatever comes from outside is read or refused: no crash but a LoopliaError, nothing over a second, and
// no text takes more than 128 MiB of memory or keeps it. The seed is the one
// of all property tests (PROPERTY_SEED), and the number of tries is fixed
// (FUZZ_TRIES for more).
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAnthropicModel } from "../src/anthropic/model.ts";
import { commandDangers } from "../src/approval/commands.ts";
import { parseSlashCommand } from "../src/approval/comment.ts";
import { decideCall } from "../src/approval/gate.ts";
import { parseCommand } from "../src/approval/parse-command.ts";
import { resolveSettings } from "../src/config/settings.ts";
import { parseContentItem } from "../src/content/item.ts";
import { LoopliaError } from "../src/core/errors.ts";
import { auditable, isWellFormedJson, parseJson, showUnseen, toPlainText } from "../src/core/json.ts";
import { decodeLine } from "../src/core/lines.ts";
import { createRedactor } from "../src/core/redaction.ts";
import { readExport, verifyAudit } from "../src/publish/audit.ts";
import { readMarker } from "../src/publish/report.ts";
import { readTodo } from "../src/todo/document.ts";
import { applyEdit } from "../src/tools/edit-file.ts";
import { allTools, inputProblems } from "../src/tools/registry.ts";
import { chooseRefs, readLetter, refuseEvent, respondTo, starterOf } from "../src/work/trigger.ts";
import { startCpuClock } from "./fakes/cpu-clock.ts";
import fc, { anyCharacter, TRIES } from "./fakes/properties.ts";

const NASTY = [
  ...["", "\u0000", "\ufeff", "\ud800", "\u202e", "\u200b", "\r", "\r\n", "\u2028", "\u001b[2J", "\t", " "],
  ...["__proto__", "constructor", "toString", "null", "true", "-0", "1e999", "NaN", "9".repeat(400)],
  ...[
    "'",
    '"',
    "`",
    "\\",
    "$(",
    "${",
    "<(",
    "<<EOF\n",
    "&&",
    "||",
    ";",
    "|",
    ">",
    "2>&1",
    "#",
    "\\\n",
    "!",
    "~",
    "*",
  ],
  ...[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "---\n",
    "- ",
    "? ",
    "&a ",
    "*a",
    "!!js/function ",
    "|\n",
    ">-\n",
    "%YAML 1.3\n",
  ],
  ...[
    "[".repeat(3000),
    '{"a":'.repeat(3000),
    "- ".repeat(3000),
    "(".repeat(3000),
    "a".repeat(50_000),
    "\n".repeat(5000),
  ],
  ...["data: ", "event: ", "data: [DONE]\n\n", "\n\n", "<!-- ", " -->", "```", "| ", "@@ -1 +1 @@\n"],
];

/** Texts that are nearly right: one of the samples with a few pieces put in, taken out or doubled; and any text. */
function nearly(samples: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    how: fc.constantFrom("insert", "remove", "double", "replace"),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(60),
    piece: fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: anyCharacter, maxLength: 8 })),
  });
  const changed = fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 5 }))
    .map(([sample, changes]) =>
      changes.reduce((text, { how, at, length, piece }) => {
        const from = Math.floor(at * text.length);
        const taken = text.slice(from, from + length);
        const kept = how === "remove" || how === "replace" ? text.slice(from + length) : text.slice(from);
        return text.slice(0, from) + (how === "double" ? taken : how === "remove" ? "" : piece) + kept;
      }, sample),
    );
  return fc.oneof(
    { weight: 5, arbitrary: changed },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }) },
  );
}

const MOST_MEMORY = 128 * 1024 ** 2;

/** Bytes that this process holds, buffers included. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What was held when the last test had ended: to look takes longer than the test. */
let kept: number | undefined;

function keptNow(): number {
  collectGarbage();
  return memory();
}

/**
 * Runs it on every text; anything but a LoopliaError, more than a second, or more than `MOST_MEMORY` fails with the seed and the
 * text. All texts together keep no more than that either.
 */
async function fuzz(samples: readonly string[], run: (text: string) => unknown): Promise<void> {
  const begun = kept ?? keptNow();
  await fc.assert(
    fc.asyncProperty(nearly(samples), async (text) => {
      const took = startCpuClock();
      const before = memory();
      try {
        await run(text);
      } catch (thrown) {
        if (!(thrown instanceof LoopliaError)) throw thrown;
        expect(thrown.message.length).toBeGreaterThan(3);
      }
      expect(took()).toBeLessThan(1_000);
      expect(memory() - before).toBeLessThan(MOST_MEMORY);
    }),
    { numRuns: TRIES },
  );
  kept = keptNow();
  expect(kept - begun).toBeLessThan(MOST_MEMORY);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const LIST = JSON.stringify({
  schema_version: 1,
  source_files: ["README.md"],
  tasks: [
    { id: "T1", title: "One", priority: 1, status: "todo", steps: ["? a: What? /^x+$/", "$ echo hi"] },
    { id: "T2", title: "Two", priority: 2, status: "blocked", depends_on: ["T1"], blockers: ["x"] },
  ],
});
const LINE = { v: 1, seq: 3, at: "2026-11-22T08:00:00.000Z" };
const LINES = [
  { ...LINE, type: "TaskCompleted", payload: { taskId: "t", outputs: { a: "x" } } },
  {
    ...LINE,
    type: "Message",
    payload: { conversationId: "c", message: { role: "user", content: [{ type: "text", text: "x" }] } },
  },
  { ...LINE, type: "ToolCallRequested", payload: {}, prev: "0".repeat(64), hash: "1".repeat(64) },
].map((line) => JSON.stringify(line));
const EVENT = {
  action: "created",
  issue: { number: 7, pull_request: { url: "u" }, user: { id: 1, login: "ada" } },
  comment: {
    id: 9,
    body: "/approve q1-abcdef",
    created_at: "2026-11-22T08:00:00Z",
    updated_at: "2026-11-22T08:00:00Z",
    user: { id: 1, login: "ada", type: "User" },
  },
  repository: { full_name: "o/r", default_branch: "main", private: false },
  sender: { id: 1, login: "ada", type: "User" },
  client_payload: { pullRequest: 7, command: "/approve", sender: "ada" },
};
const DIFF = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n";

describe(`${TRIES} texts that are nearly right each, seed ${fc.readConfigureGlobal().seed}`, () => {
  test("command lines", () =>
    fuzz(
      [
        "npm test -- --run 2>&1 | tail -n 5",
        "git grep -n 'x y' -- src; make -j2 && echo \"$HOME\"",
        "time env A=1 rm -rf ./x > y",
      ],
      (text) => {
        parseCommand(text);
        commandDangers(text);
        const call = { tool: "runCommand", risk: "risky" as const, asksItself: false, command: text };
        const rules = {
          policy: [],
          approval: "risky" as const,
          sandbox: "auto" as const,
          settingsFile: "looplia.yml",
        };
        decideCall(call, rules, { isolation: { kind: "bubblewrap", network: false } });
      },
    ));

  test("settings", () =>
    fuzz(
      [
        "todo: to-do.json\ncontent: content/**/*.md\npolicy: |\n  allow runCommand npm test …\n  deny editFile\n",
        "agents:\n  - careful provider=anthropic max-turns=80\nnetwork: [localhost:5432, example.org]\n",
      ],
      (text) =>
        resolveSettings({
          file: text,
          fileName: "looplia.yml",
          environment: { LOOPLIA_POLICY: text },
          overrides: { "max-turns": text },
          overridesSource: "flag",
        }),
    ));

  test("items with front matter", () =>
    fuzz(
      [
        "---\ntitle: Kettles\nurl: https://example.org/a\ntags: [a, b]\n---\n# Kettles\n\nA text.\n",
        "# Only text\n",
      ],
      (text) => parseContentItem("content/a.md", bytesOf(text)),
    ));

  test("task lists", () =>
    fuzz([LIST, JSON.stringify(JSON.parse(LIST), null, 2)], (text) => readTodo(bytesOf(text), "to-do.json")));

  test("lines of the stores, and exported logs", () =>
    fuzz([...LINES, `${LINES.join("\n")}\n`], (text) => {
      for (const store of ["events", "conversation", "audit", "work"] as const) {
        try {
          decodeLine(store, text, "here:1");
        } catch (thrown) {
          if (!(thrown instanceof LoopliaError)) throw thrown;
        }
      }
      verifyAudit([
        { path: "sessions/s-1/audit/000001.jsonl", text },
        { path: "sessions/s-1/events/000001.jsonl", text },
      ]);
      readExport(text);
    }));

  test("arguments of tools", () =>
    fuzz(
      [
        '{"path":"a.md","oldStr":"a","newStr":"b"}',
        '{"command":"npm test","timeoutSeconds":30}',
        '{"question":"Which?","options":["a","b"]}',
      ],
      (text) => {
        const value = parseJson(text) ?? text;
        isWellFormedJson(value);
        auditable(value);
        for (const tool of allTools()) {
          const parsed = tool.input().safeParse(value);
          if (!parsed.success) inputProblems(parsed.error);
          else tool.summarize(parsed.data);
        }
      },
    ));

  test("edits and diffs", () =>
    fuzz([DIFF], (text) => {
      const half = Math.floor(text.length / 2);
      showUnseen(text);
      toPlainText(text);
      applyEdit({ path: "a", oldStr: text.slice(half), newStr: text }, text);
    }));

  test("comments", () =>
    fuzz(
      [
        "/approve q1-abcdef always looks good",
        "> quoted\n\n/reject no",
        "/answer q2-012345\nfield: value\nother: x",
        "<!-- looplia:status w-1 -->\n# a",
      ],
      async (text) => {
        await parseSlashCommand(text);
        readMarker(text);
        readLetter(text);
      },
    ));

  test("payloads of events", () =>
    fuzz([JSON.stringify(EVENT)], (text) => {
      const payload = parseJson(text) ?? text;
      for (const name of [
        "issue_comment",
        "repository_dispatch",
        "pull_request",
        "push",
        "schedule",
        "workflow_dispatch",
      ]) {
        const event = { name, payload, ref: "refs/heads/main", sha: "a".repeat(40) };
        refuseEvent(event);
        respondTo(event, { allowedBots: [] });
        starterOf(event, undefined);
        try {
          chooseRefs(event, { branchPrefix: "looplia/", defaultBranch: "main" });
        } catch (thrown) {
          if (!(thrown instanceof LoopliaError)) throw thrown;
        }
      }
    }));

  test("texts with keys", () => {
    const redact = createRedactor([
      "sk-canary-7f3Q+/x9==&%",
      "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END KEY-----",
    ]);
    return fuzz(
      ["a sk-canary-7f3Q+/x9==&% b", "c2stY2FuYXJ5LTdmM1ErL3g5PT0mJQ== %73%6b", "&#115;&#x6b;\\u002dcanary"],
      (text) => {
        expect(redact(text)).not.toContain("sk-canary-7f3Q+/x9==&%");
      },
    );
  });
});

describe("server-sent events of a model", () => {
  let server: Server;
  let stream = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(Buffer.from(stream));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void server.close());

  const events = [
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "claude-x",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t1", name: "readFile", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"path":"a"}' },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: "message_stop" },
  ];
  const right = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

  test("any bytes are an answer or an error of the model", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const model = createAnthropicModel({ apiKey: "sk-ant-fuzz", baseURL: url, backOffMs: 0, maxRetries: 0 });
    const message = { role: "user" as const, content: [{ type: "text" as const, text: "x" }] };
    const ask = () =>
      model.respond(
        {
          conversationId: "c",
          model: "claude-sonnet-5-5",
          prefix: { system: "s", tools: [] },
          messages: [message],
        },
        { signal: new AbortController().signal },
      );
    stream = right;
    expect((await ask()).message.content).toHaveLength(1);
    await fuzz([right], async (text) => {
      stream = text;
      await ask();
    });
  });
});

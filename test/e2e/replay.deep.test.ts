// A session of yesterday runs again without a model: the same results, or the first that differs.
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";
import { behave } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const use = (id: string, name: string, input: unknown): AnswerBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

it("says that all is the same, then at which call a result first differs, and changes nothing", async () => {
  const api = await startMessagesApi((body) => {
    if (dueOutputs(body)[0] !== "ideas" || body.messages.length > 3) return writeDue(body);
    const ask = use("q", "askUser", { question: "Which?", options: ["Calm", "Loud"] });
    return { content: body.messages.length > 1 ? [ask] : [use("note", "readFile", { path: "notes.md" })] };
  });
  onTestFinished(() => api.close());
  const world = await makeCliWorld({ "notes.md": "yesterday\n" });
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  const asked = await world.run(["run", "--file", "content/kettles.md"], environment);
  const id = /looplia answer (\S+) choose/.exec(asked.stdout + asked.stderr)?.[1] ?? "";
  const done = await world.run(["answer", id, "choose", "2"], environment);
  expect(done.code, done.stderr).toBe(0);
  const requests = api.requests.length;
  const [sessionId = ""] = await readdir(join(world.folder, ".looplia/contentItem"));
  const before = await world.files();

  const same = await world.run(["replay", sessionId], environment);
  expect(same.stdout, same.stderr).toMatch(/^\d+ recorded turns, [1-9]\d* results? compared, completed\n$/);
  expect(same.code).toBe(0);
  expect(await world.files()).toEqual(before);

  await writeFile(join(world.folder, "notes.md"), "today\n");
  const other = await world.run(["replay", sessionId, "--json"], environment);
  expect(other.code).toBe(1);
  expect(JSON.parse(other.stdout)).toMatchObject({
    difference: {
      toolCallId: "note",
      toolName: "readFile",
      recorded: expect.stringMatching(/yesterday/),
      now: expect.stringMatching(/today/),
    },
  });
  expect(api.requests).toHaveLength(requests);
  expect(await readFile(join(world.folder, "notes.md"), "utf8")).toBe("today\n");
});

it("replays calls that name files in the session's own folder, as those of the rehearsal do", async () => {
  const world = await makeCliWorld();
  const ran = await world.run(["run", "--file", "content/kettles.md"]);
  expect(ran.code, ran.stderr).toBe(0);
  const [sessionId = ""] = await readdir(join(world.folder, ".looplia/contentItem"));
  const same = await world.run(["replay", sessionId]);
  expect(same.stdout, same.stderr).toMatch(/^\d+ recorded turns, [1-9]\d* results? compared, completed\n$/);
  expect(same.code).toBe(0);
  const over = await world.run(["replay", sessionId, "--record", "content/kettles.md"]);
  expect([over.code, over.stderr]).toEqual([2, expect.stringContaining("another file is there")]);
  for (let times = 0; times < 2; times += 1) {
    expect((await world.run(["replay", sessionId, "--record", "kept.json"])).stdout).toBe(same.stdout);
  }
});

it("replays a session that reached a limit up to there", async () => {
  let made = 0;
  const api = await startMessagesApi(() => {
    made += 1;
    return { content: [use(`read${made}`, "readFile", { path: "none.md" })] };
  });
  onTestFinished(() => api.close());
  const world = await makeCliWorld();
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  const ran = await world.run(["run", "--file", "content/kettles.md", "--max-turns", "3"], environment);
  expect(ran.code, ran.stderr).toBe(4);
  const [sessionId = ""] = await readdir(join(world.folder, ".looplia/contentItem"));
  const { code, stdout, stderr } = await world.run(["replay", sessionId]);
  const said = "3 recorded turns, 3 results compared, stopped\nThe recording ends in summary#1.\n";
  expect([code, stdout], stderr).toEqual([0, said]);
});

it("names what it can't replay", async () => {
  const world = await makeCliWorld();
  const { code, stderr } = await world.run(["replay", "no-such-2026-01-01-000000"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("There is no session no-such-2026-01-01-000000"),
  ]);
});

it("replays a task list from how it began; a recording has no secret and replays in another folder", async () => {
  const secret = "canary-of-a-token-0123456789";
  const api = await startMessagesApi((body) =>
    behave(
      {
        T1: (turn) => {
          if (turn === 1) return { content: [use("note", "readFile", { path: "notes.md" })] };
          if (turn === 2) return { content: [use("run", "runCommand", { command: "mktemp ran-XXXXXX" })] };
          // The second one leaves nothing behind, and after the third its text stands there twice.
          const [oldStr, newStr] =
            [
              ["one", "two"],
              ["kee", ""],
              ["p", "two"],
            ][turn - 3] ?? [];
          const edit = { path: "plan.md", oldStr, newStr };
          return oldStr === undefined ? undefined : { content: [use(`edit${turn}`, "editFile", edit)] };
        },
      },
      body,
    ),
  );
  onTestFinished(() => api.close());
  const files = { "to-do.json": makeTodo([makeTask("T2", { depends_on: ["T1"] }), makeTask("T1")]) };
  const world = await makeCliWorld({ ...files, "plan.md": "one\nkeep\n", "notes.md": `kept ${secret}\n` });
  const access = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url, NOTES_TOKEN: secret };
  const ran = await world.run(["run", "--sandbox", "off", "--approval", "none", "--json"], access);
  expect(ran.code, ran.stderr).toBe(0);
  const { sessionId } = JSON.parse(ran.stdout);
  const before = await world.files();
  const same = await world.run(["replay", sessionId, "--record", "kept.json"], access);
  expect([same.code, same.stdout], same.stderr).toEqual([
    0,
    expect.stringMatching(/^8 recorded turns, [1-9]\d* results? compared, completed\n$/),
  ]);
  const { "kept.json": kept = "", ...others } = Object.fromEntries(await world.files());
  expect(others).toEqual(Object.fromEntries(before));
  expect(kept).toContain(sessionId);
  expect(kept).not.toContain(secret);

  const elsewhere = await makeCliWorld({
    ...{ "notes.md": "kept [redacted]\n", "plan.md": "one\nkeep\n", "kept.json": kept },
  });
  const again = await elsewhere.run(["replay", "kept.json"]);
  expect([again.code, again.stdout], again.stderr).toEqual([0, same.stdout]);
  await writeFile(join(elsewhere.folder, "notes.md"), "other\n");
  const other = await elsewhere.run(["replay", "kept.json"]);
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(
      /first difference is at call note \(readFile\) of T1#1\n {2}recorded .*\n {2}now .*other/,
    ),
  ]);
  const { begin, ...rest } = JSON.parse(kept);
  const hostile = { ...rest, begin: { ...begin, path: "../outside.json" } };
  await writeFile(join(elsewhere.folder, "other.json"), JSON.stringify(hostile));
  const wrong = await elsewhere.run(["replay", "other.json"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("is not a recording")]);
});

/** Of kinds that nobody told the program about. */
const FOUND = [
  `ghp_${"aB3d".repeat(9)}`,
  `AWS_SECRET_ACCESS_KEY="${["wJalrXUtnFEMI", "K7MDENG", "bPxRfiCYzEXAMPLf3k"].join("/")}"`,
  `sk-ant-api03-${"aB3d".repeat(23)}-AA`,
  `xoxb-123456789012-1234567890123-${"aB3d".repeat(6)}`,
  `-----BEGIN RSA PRIVATE KEY-----\nMI${`${"eF6g".repeat(16)}\n`.repeat(4)}-----END RSA PRIVATE KEY-----`,
];

it("replays questions, approvals, a refusal, a subagent and an MCP call from an encrypted state; a recording has no key", async () => {
  const told = "canary-of-a-token-0123456789";
  const api = await startMessagesApi((body) => {
    const turn = body.messages.filter(({ role }) => role === "assistant").length;
    if (JSON.stringify(body.messages[0]).includes("Look closely.")) return "I looked.";
    const calls: [string, object][] = [
      ["readFile", { path: "keys.txt" }],
      ["askUser", { question: "Which name?", kind: "Input" }],
      ["editFile", { path: "plan.md", oldStr: "one", newStr: `two ${FOUND[0]}` }],
      ["runCommand", { command: "rm -rf notes" }],
      ["mcp__notes__echo", { text: "hi" }],
      ["Task", { agent: "helper", prompt: "Look closely." }],
      ["reportSummary", { task_id: "T1", status: "done", summary: "Done." }],
    ];
    const [name, input] = calls[turn] ?? [];
    const isTask = JSON.stringify(body.messages[0]).includes("Your task is `T1`");
    if (!isTask || name === undefined) return "Nothing is missing.";
    return { content: [{ type: "thinking", thinking: "so" }, use(`t${turn}`, name, input)] };
  });
  onTestFinished(() => api.close());
  const files = {
    "to-do.json": makeTodo([makeTask("T1")]),
    "keys.txt": `${FOUND.join("\n")}\n${told}\n`,
    "plan.md": "one\n",
    "looplia.yml":
      "approval: all\npolicy: |\n  allow readFile\n  allow Task\nmcp-servers: { notes: { command: node, args: [notes.mjs] } }\n",
    "notes.mjs": await readFile(join(import.meta.dirname, "../fakes/tool-server.mjs"), "utf8"),
    ".looplia/.claude/agents/helper.md": "---\nname: helper\ndescription: d\ntools: readFile\n---\nLook.\n",
  };
  const world = await makeCliWorld(files);
  const access = {
    ...{ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url, NOTES_TOKEN: told },
    ...{ LOOPLIA_STATE_KEY: "5".repeat(64), HOME: await mkdtemp(join(tmpdir(), "looplia-home-")) },
  };
  let ran = await world.run(["run", "--mode", "tasks", "--json"], access);
  for (let asked = 0; ran.code === 3; asked += 1) {
    const [{ interactionId, kind, title }] = JSON.parse(ran.stdout).interactions;
    const reply = kind === "Input" ? ["input", "Kettle"] : [title.includes("rm -rf") ? "reject" : "approve"];
    ran = await world.run(["answer", interactionId, ...reply, "--json"], access);
    if (asked > 9) break;
  }
  expect(ran.code, ran.stderr).toBe(0);
  const { sessionId } = JSON.parse(ran.stdout);
  const requests = api.requests.length;
  const before = await world.files();
  const same = await world.run(["replay", sessionId, "--record", "kept.json"], access);
  expect([same.code, same.stdout], same.stderr).toEqual([
    0,
    expect.stringMatching(/^\d+ recorded turns, [1-9]\d* results? compared, completed\n$/),
  ]);
  const { "kept.json": kept = "", ...others } = Object.fromEntries(await world.files());
  expect(others).toEqual(Object.fromEntries(before));
  expect(api.requests).toHaveLength(requests);
  expect(kept).toContain("looks like a key (github)");
  // Half a key would be too much, too.
  const partsOf = (key: string) => key.match(/[^\n"]{24,}/g) ?? [];
  const left = [...FOUND, told, access.LOOPLIA_STATE_KEY].flatMap(partsOf).map((part) => part.slice(-20));
  expect(left.filter((part) => kept.includes(part))).toEqual([]);

  const elsewhere = await makeCliWorld({ ...files, "kept.json": kept });
  const again = await elsewhere.run(["replay", "kept.json"], { NOTES_TOKEN: told });
  expect([again.code, again.stdout], again.stderr).toEqual([0, same.stdout]);
  await writeFile(join(elsewhere.folder, "plan.md"), "another\n");
  const other = await elsewhere.run(["replay", "kept.json"], { NOTES_TOKEN: told });
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(/first difference is at call t2 \(editFile\)/),
  ]);
});

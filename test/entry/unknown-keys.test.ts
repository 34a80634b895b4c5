// Keys that nobody told the program of: withheld from what tools say and from what is published, and asked about in calls.
import { expect, test } from "vitest";
import { decideCall } from "../../src/approval/gate.ts";
import { hashContent } from "../../src/core/json.ts";
import { KeyGuard, watchKeys } from "../../src/entry/redact.ts";
import { escapeShown, plainTitle, quoteShown } from "../../src/publish/markdown.ts";
import type { Tool, ToolContext, ToolReply } from "../../src/tools/tool.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";

const GITHUB = `ghp_${"aB3d".repeat(9)}`;
const KEYS: [kind: string, key: string][] = [
  ["github", GITHUB],
  ["anthropic", `sk-ant-api03-${"a1B2".repeat(23)}aAA`],
  ["slack", "xoxb-123456789012-1234567890123-abcdefghijABCDEFGHIJabcd"],
  ["basicauth", "https://ada:pa55w0rd99@example.org/x"],
  ["npm", "//registry.npmjs.org/:_authToken=npm_aB3daB3daB3daB3daB3daB3daB3daB3daB3d"],
];

const saying = (reply: ToolReply, risk: Tool["risk"] = "safe"): Tool =>
  ({
    name: "t",
    description: "",
    effect: "once",
    risk,
    summarize: () => "",
    run: async () => reply,
  }) as unknown as Tool;
const nowhere = {} as ToolContext;
const withholdKeys = async (text: string) =>
  ((await watchKeys(saying({ text })).run({}, nowhere)) as ToolReply).text;

test.each(KEYS)("a key of the kind %s is withheld, and what stands around it stays", async (kind, key) => {
  const reply = await watchKeys(saying({ text: `a ${key} b`, whole: `x ${key}` })).run({}, nowhere);
  expect(reply).toEqual({
    text: expect.stringMatching(new RegExp(`^a .*\\[withheld: looks like a key \\(${kind}\\)\\].* b$`)),
    whole: expect.stringMatching(/^x .*\[withheld/),
  });
  expect(JSON.stringify(reply)).not.toContain(key);
});

test.each([
  ["aws", 'AWS_SECRET_ACCESS_KEY="', ["wJalrXUtnFEMI", "K7MDENG", "bPxRfiCYzEXAMPLf3k"].join("/"), '"'],
  ["npm", "https://", "0f3a9c1d5b7e4c2a9d8f6e1b2a3c4d5e6f708192", ":x-oauth-basic@github.com/a/b"],
])(
  "no half of a key stays where a pattern begins at its name: %s in %s",
  async (_kind, before, key, after) => {
    const left = await withholdKeys(`a ${before}${key}${after} b`);
    expect(left).toMatch(/^a .*\[withheld: looks like a key.* b$/);
    for (let at = 0; at + 6 <= key.length; at += 1) expect(left).not.toContain(key.slice(at, at + 6));
  },
);

const PEM = `-----BEGIN RSA PRIVATE KEY-----\nMI${`${"aB3d".repeat(16)}\n`.repeat(4)}-----END RSA PRIVATE KEY-----`;
const lines = (before: (line: string, at: number) => string) => PEM.split("\n").map(before).join("\n");

test.each([
  ["a quotation", quoteShown(PEM)],
  ["a line of Markdown", escapeShown(PEM)],
  ["a diff", lines((line) => `+${line}`)],
  ["a listing", lines((line, at) => `${at + 7}:${line}`)],
  ["JSON in JSON", JSON.stringify(JSON.stringify({ key: PEM }))],
  ["terminal codes", `\u001b[1mghp_\u001b[0m${GITHUB.slice(4)}`],
  ["a title", plainTitle(KEYS[3]?.[1] ?? "", 100)],
])("what stands in a key or before its lines hides it from nobody: %s", async (_name, dressed) => {
  const left = await withholdKeys(`see ${dressed} there`);
  expect(left).toMatch(/^see .*\[withheld: looks like a key \(\w+\)\].* there$/s);
  expect(left).not.toMatch(/aB3d|pa55w0rd/);
});

test("a key that may be told is the same one with escapes in it", async () => {
  const keys = new KeyGuard();
  const [plain, titled] = [KEYS[3]?.[1] ?? "", plainTitle(KEYS[3]?.[1] ?? "", 100)];
  await keys.withhold([plain, titled], "a comment");
  const asked = keys.take();
  expect(asked).toHaveLength(1);
  keys.allow(asked.map(({ hash }) => hash));
  expect(await keys.withhold([plain, titled])).toEqual([plain, titled]);
});

test("a megabyte of keys and escapes is read in linear time", async () => {
  const text = `\\* ${GITHUB} \\_ `.repeat(10_000);
  const took = startCpuClock();
  expect(await withholdKeys(text)).not.toContain("ghp_");
  expect(took()).toBeLessThan(3_000);
});

test.each(["// secretlint-disable", "<!-- secretlint-disable -->", "# Secretlint-Disable"])(
  "no comment for a linter lets one through: %s",
  async (comment) => {
    for (const [, key] of KEYS) {
      expect(await withholdKeys(`${comment}\n${key}\n`)).toMatch(/^\S+ secretlint-disable.*\n.*\[withheld/i);
    }
  },
);

test("of thousands of texts each is judged by itself", async () => {
  const pem = `-----BEGIN RSA PRIVATE KEY-----\nMI${"aB3d".repeat(60)}\n`;
  const end = "-----END RSA PRIVATE KEY-----";
  const halves = [
    pem,
    end,
    GITHUB.slice(0, 20),
    GITHUB.slice(20),
    "AWS_SECRET_ACCESS_KEY=",
    "aB3d".repeat(10),
  ];
  const texts = Array.from({ length: 3_000 }, (_, at) => `${halves[at % halves.length]} number ${at}`);
  const started = startCpuClock();
  expect(await new KeyGuard().withhold(texts)).toEqual(texts);
  expect(started()).toBeLessThan(2_000);
  const whole = [pem + end, ...KEYS.map(([, key]) => key)];
  const left = await new KeyGuard().withhold([...whole.map((key, at) => [key, texts[at]]), { deep: whole }]);
  expect(JSON.stringify(left).match(/\[withheld/g)).toHaveLength(2 * whole.length);
  for (const key of whole) expect(JSON.stringify(left)).not.toContain(JSON.stringify(key).slice(1, -1));
});

test("what a person said, and texts without a key, stay to the byte", async () => {
  const persons = { text: GITHUB, isPersons: true as const };
  expect(await watchKeys(saying(persons)).run({}, nowhere)).toEqual(persons);
  for (const text of ["", "no key here", "sha256:".padEnd(71, "0"), "Ghp_ is the beginning of one"]) {
    expect(await withholdKeys(text)).toBe(text);
  }
});

test("an artifact or a summary that holds a key asks a person, for it goes to the branch or into a comment", async () => {
  const artifact = { ...saying({ text: "" }), effect: "repeatable" } as Tool;
  const facts = await watchKeys(artifact).facts?.({ content: { summary: [GITHUB] } }, {} as never);
  expect(facts?.keys).toEqual([{ kind: "github", hash: hashContent(GITHUB) }]);
});

test("a risky call that holds a key asks a person whatever the rules say, and a reading one does not", async () => {
  const input = { path: "a.txt", edits: [{ newStr: `token = ${GITHUB}` }] };
  const facts = await watchKeys(saying({ text: "" }, "risky")).facts?.(input, {} as never);
  expect(facts).toEqual({ keys: [{ kind: "github", hash: hashContent(GITHUB) }] });
  const call = { tool: "editFile", risk: "risky" as const, asksItself: false, ...facts };
  const rules = {
    policy: [],
    approval: "none" as const,
    sandbox: "auto" as const,
    settingsFile: "looplia.yml",
  };
  expect(decideCall(call, rules, { isolation: { kind: "bubblewrap", network: false } })).toEqual({
    kind: "ask",
    dangers: [expect.stringContaining("looks like a key (github)")],
  });
  expect(await watchKeys(saying({ text: "" })).facts?.(input, {} as never)).toEqual({});
});

test("no comment and no pull request says one", async () => {
  const said: unknown[] = [];
  const port = new KeyGuard().over({ post: async (...given: unknown[]) => void said.push(...given) });
  await port.post(7, { body: `<!-- looplia:status w -->\nSee ${GITHUB}`, labels: [GITHUB], at: undefined });
  expect(said).toEqual([
    7,
    {
      body: expect.stringMatching(
        /^<!-- looplia:status w -->\nSee \[withheld: looks like a key \(github\)\]\n\n> Something .* revoke it/,
      ),
      labels: ["[withheld: looks like a key (github)]"],
      at: undefined,
    },
  ]);
});

test("a key that people let through is published, and the others are told with the texts they were meant for", async () => {
  const said: string[] = [];
  const keys = new KeyGuard();
  const port = keys.over({
    editComment: async (_id: number, body: string) => void said.push(body),
    updatePullRequest: async (_number: number, { body }: { body: string }) => void said.push(body),
    permissionOf: async (login: string) => void said.push(login),
  });
  const slack = KEYS[2]?.[1] ?? "";
  await port.permissionOf(GITHUB);
  expect(keys.take()).toEqual([]);
  await port.editComment(7, `<!-- looplia:status w -->\n${GITHUB} and ${slack}`);
  await port.updatePullRequest(1, { body: GITHUB });
  expect(await keys.withhold({ line: [slack] }, "a commit message")).toEqual({
    line: ["[withheld: looks like a key (slack)]"],
  });
  const github = { kind: "github", hash: hashContent(GITHUB) };
  expect(keys.take()).toEqual([
    { ...github, places: ["the status comment", "the pull request"] },
    { kind: "slack", hash: hashContent(slack), places: ["the status comment", "a commit message"] },
  ]);
  expect(keys.take()).toEqual([]);
  expect(said.join()).not.toContain(GITHUB);

  keys.allow([github.hash]);
  await port.editComment(7, `${GITHUB} and ${slack}\n`);
  expect(said.at(-1)).toMatch(`${GITHUB} and [withheld: looks like a key (slack)]\n`);
  keys.allow([]);
  await port.editComment(7, GITHUB);
  expect(said.at(-1)).toBe("[withheld: looks like a key (github)]");
});

test("patterns are looked for at 5 MB a second and more", async () => {
  const text =
    "src/core/redaction.ts:17: const key = process.env.KEY; // 42 lazy dogs = \\n and 100 %\n".repeat(10_000);
  await withholdKeys(text.slice(0, 10_000));
  const took = startCpuClock();
  await withholdKeys(text);
  expect(text.length / 1e3 / took()).toBeGreaterThan(5);
});

test("what a person says reaches the model as it is, and a question has no result to look at", async () => {
  const persons = { text: `use ${GITHUB}`, isPersons: true } as unknown as ToolReply;
  expect(await watchKeys(saying(persons)).run({}, nowhere)).toEqual(persons);
  const suspended = { suspended: true } as unknown as ToolReply;
  expect(await watchKeys(saying(suspended)).run({}, nowhere)).toBe(suspended);
});

test("a key with unseen characters in it goes with its first and last character, and nothing else does", async () => {
  const dressed = [...GITHUB].join("\u200b");
  expect(await withholdKeys(`a ${dressed} b`)).toMatch(/^a \[withheld[^\]]*\] b$/);
});

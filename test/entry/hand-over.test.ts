// The Action's own environment, as every process of the same user can read it.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { isSecretName, secretsOf } from "../../src/config/secrets.ts";
import { createActionWorld } from "../fakes/action-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const MODULE = resolve(import.meta.dirname, "../../src/entry/hand-over.ts");
const SECRETS = {
  "INPUT_GITHUB-TOKEN": "ghs_canary_one",
  "INPUT_STATE-KEY": 'state canary "two"\nwith a line',
  ANTHROPIC_API_KEY: "sk-canary-three",
  LOOPLIA_STATE_KEY: "canary four",
  ACTIONS_RUNTIME_TOKEN: "canary.five.of.the.job",
};
const PLAIN = {
  GITHUB_STATE: "/tmp/state",
  RUNNER_TRACKING_ID: "github_1",
  INPUT_CONTENT: "a.md",
  EMPTY_TOKEN: "",
};

async function runScript(lines: string[], environment: Record<string, string>, flags: string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), "hand-over-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(folder, "script.ts");
  await writeFile(
    script,
    [`import { handOverSecrets, hideSecrets } from ${JSON.stringify(MODULE)};`, ...lines].join("\n"),
  );
  const env = { PATH: process.env.PATH ?? "", ...environment };
  const child = promisify(execFile)(process.execPath, [...flags, script, "an argument"], { env });
  return { ...(await child), pid: child.child.pid };
}

const REPORT = [
  'import { readFileSync, readlinkSync } from "node:fs";',
  "const why = handOverSecrets();",
  'const initial = readFileSync("/proc/self/environ", "utf8");',
  'const input = readlinkSync("/proc/self/fd/0");',
  "console.log(JSON.stringify({ why, initial, env: process.env, pid: process.pid, argv: process.argv.slice(2), execArgv: process.execArgv, input }));",
];

test("the command line hides its keys in place: same process, same input, and no child reads them", async () => {
  const { stdout, stderr, pid } = await runScript(
    [
      'import { execFileSync } from "node:child_process";',
      'import { readFileSync, readlinkSync } from "node:fs";',
      'const input = readlinkSync("/proc/self/fd/0");',
      "const why = hideSecrets({});",
      'const read = (flags) => execFileSync("/bin/sh", ["-c", "cat /proc/$PPID/environ"], flags).toString();',
      "const seen = read({ env: {} });",
      'const same = input === readlinkSync("/proc/self/fd/0");',
      'const given = execFileSync("env").toString();',
      "console.log(JSON.stringify({ why: why ?? null, again: hideSecrets({}) ?? null, seen, same, given, env: process.env, pid: process.pid }));",
    ],
    { ...SECRETS, ...PLAIN },
  );
  const { seen, given, env, ...rest } = JSON.parse(stdout);
  expect([stderr, rest]).toEqual(["", { why: null, again: null, same: true, pid }]);
  expect(env).toMatchObject({ ...SECRETS, ...PLAIN });
  for (const value of Object.values(SECRETS)) {
    expect(seen).not.toContain(value.slice(0, 10));
    expect(given).toContain(value);
  }
  expect(seen).toContain("GITHUB_STATE=/tmp/state\0");
});

test("the process goes on with its keys, its arguments and its id, and /proc has none of the keys", async () => {
  const { stdout, stderr, pid } = await runScript(REPORT, { ...SECRETS, ...PLAIN }, ["--no-warnings"]);
  const { why, initial, env, ...rest } = JSON.parse(stdout);
  expect(why).toBeUndefined();
  expect(stderr).toBe("");
  expect(env).toMatchObject({ ...SECRETS, ...PLAIN });
  expect(env).not.toHaveProperty("LOOPLIA_HANDED_OVER");
  expect(rest).toEqual({ pid, argv: ["an argument"], execArgv: ["--no-warnings"], input: "/dev/null" });
  for (const value of Object.values(SECRETS)) expect(initial).not.toContain(value.slice(0, 10));
  expect(initial).toContain("GITHUB_STATE=/tmp/state");
});

test("without keys it begins only once; a false mark changes nothing", async () => {
  const plain = await runScript(REPORT, PLAIN);
  expect(JSON.parse(plain.stdout)).toMatchObject({ env: PLAIN });
  const marked = await runScript(REPORT, { ...SECRETS, LOOPLIA_HANDED_OVER: "1" });
  const { why, env } = JSON.parse(marked.stdout);
  expect(why).toMatch(/nothing was handed over/);
  expect(env).toMatchObject(SECRETS);
});

test("every name under which a secret setting is read counts as one, and what is called a token", () => {
  for (const name of [
    ...Object.keys(SECRETS),
    "GITHUB_TOKEN",
    "NPM_TOKEN",
    "MY_PASSWORD",
    "x_secret",
    "AWS_SECRET_ACCESS_KEY",
  ]) {
    expect(isSecretName(name), name).toBe(true);
  }
  for (const name of [
    "PATH",
    "INPUT_CONTENT",
    "GITHUB_STATE",
    "RUNNER_TRACKING_ID",
    "KEYBOARD",
    "TOKENIZER",
  ]) {
    expect(isSecretName(name), name).toBe(false);
  }
  const found = secretsOf({ ...SECRETS, NPM_TOKEN: "short", DEPLOY_TOKEN: "long enough to be one" });
  const keys = SECRETS["INPUT_STATE-KEY"].split("\n");
  expect(new Set(found)).toEqual(new Set([...Object.values(SECRETS), ...keys, "long enough to be one"]));
});

test("while the Action asks a model no process of this user has the key in its environment", async () => {
  const key = `sk-ant-canary-${Math.random().toString(36).slice(2)}-of-this-run`;
  const world = await createActionWorld({ "content/kettles.md": ARTICLE });
  onTestFinished(() => world.close());
  const seen: string[][] = [];
  world.modelTurn = async (body) => {
    seen.push(await processesWith(key));
    return writeDue(body);
  };
  const ran = await world.run({ inputs: { "anthropic-api-key": key } });
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("completed");
  expect(ran.stdout).not.toContain("Keys stay");
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.flat()).toEqual([]);
});

async function processesWith(text: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = pids.map(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    return environment.includes(text) ? [pid] : [];
  });
  return (await Promise.all(found)).flat();
}

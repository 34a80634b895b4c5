import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliTrigger, RunSurroundings } from "../../src/cli/surface.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import type { Result, RunResult } from "../../src/core/result.ts";
import { confirm, item, question, SESSION } from "./made-up.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

function resultOf(...items: Partial<Result>[]): RunResult {
  const [first] = items;
  return {
    status: first?.status ?? "completed",
    reasonCode: first?.reasonCode ?? "done",
    items: items.map((one) => ({ ...item, ...one })),
  };
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe("what a run is started with", () => {
  async function seen(argv: string[], files: Record<string, string>, environment = {}, inFolder = false) {
    const folder = await folderWith(files);
    const calls: { trigger: CliTrigger; around: RunSurroundings }[] = [];
    const run = async (trigger: CliTrigger, around: RunSurroundings) => {
      calls.push({ trigger, around });
      return resultOf({});
    };
    const cwd = inFolder ? await makeFolder() : folder;
    const ran = await runMain(inFolder ? [...argv, folder] : argv, cwd, { run, environment });
    return { ...ran, folder, ...calls[0] };
  }

  it("is a file, relative to the root", async () => {
    const { trigger, around, stderr, folder } = await seen(["--file", "content/a.md"], {
      "content/a.md": "x",
    });
    expect(trigger).toEqual({ kind: "file", source: "content/a.md" });
    expect(around).toMatchObject({
      root: folder,
      stateFolder: join(folder, ".looplia/state"),
      isDemo: false,
    });
    expect(around?.settings.provider).toBe("offline");
    expect(stderr).toContain("extractive rehearsal, no language model");
  });

  it("finds the file in the folder that is named last", async () => {
    const { trigger } = await seen(["--file", "content/a.md"], { "content/a.md": "x" }, {}, true);
    expect(trigger).toEqual({ kind: "file", source: "content/a.md" });
  });

  it("is a session, an answer, or what the settings match", async () => {
    expect((await seen(["--session-id", SESSION], {})).trigger).toEqual({
      kind: "session",
      sessionId: SESSION,
    });
    expect((await seen(["answer", "s.q1-abc123", "choose", "2"], {})).trigger).toEqual({
      kind: "answer",
      interactionId: "s.q1-abc123",
      answer: { selectedOptionId: "2" },
      actorId: "terminal:ada",
    });
    const byFile = await seen(["run"], { "looplia.yml": "content: ['**/*.md']\n" });
    expect(byFile.trigger).toEqual({ kind: "content", globs: ["**/*.md"] });
  });

  it("takes state, key and flags from where they are said", async () => {
    const { around, stderr, folder } = await seen(
      ["--file", "a.md", "--max-turns", "7"],
      { "a.md": "x" },
      {
        LOOPLIA_STATE_DIR: "elsewhere",
        ANTHROPIC_API_KEY: "k",
        LOOPLIA_MAX_TURNS: "9",
      },
    );
    expect(around?.stateFolder).toBe(join(folder, "elsewhere"));
    expect(around?.settings).toMatchObject({ provider: "anthropic", maxTurns: 7 });
    expect(stderr).not.toContain("rehearsal");
  });
});

describe("exit codes", () => {
  it.each<[number, Partial<Result>]>([
    [0, { status: "completed" }],
    [0, { status: "completed", reasonCode: "up-to-date" }],
    [0, { status: "ignored", reasonCode: "busy" }],
    [1, { status: "failed", reasonCode: "invalid-artifact" }],
    [1, { status: "failed", reasonCode: "model-failed" }],
    [2, { status: "failed", reasonCode: "config-invalid" }],
    [3, { status: "waiting", reasonCode: "open-questions", interactions: [question] }],
    [4, { status: "stopped", reasonCode: "max-turns" }],
    [4, { status: "stopped", reasonCode: "interrupted" }],
  ])("are %i for %j", async (code, outcome) => {
    const run = async () => resultOf(outcome);
    expect((await runMain(["--session-id", SESSION], await makeFolder(), { run })).code).toBe(code);
  });

  it.each([
    ["config-invalid", 2],
    ["no-items", 2],
    ["store-corrupt", 1],
    ["host-failed", 1],
    ["busy", 0],
    ["interrupted", 4],
  ] as const)("of an error %s are %i", async (errorCode, code) => {
    const run = async () => {
      throw new LoopliaError(errorCode, "what happened", { hint: "what to do" });
    };
    const ran = await runMain(["--session-id", SESSION, "--json"], await makeFolder(), { run });
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain("what happened\nwhat to do");
    expect(JSON.parse(ran.stdout)).toMatchObject({
      reasonCode: errorCode,
      message: "what happened",
      path: null,
    });
  });

  it("show a bug as one", async () => {
    const run = async () => {
      throw new TypeError("undefined is no function");
    };
    const ran = await runMain(["--session-id", SESSION], await makeFolder(), { run });
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/bug in looplia: TypeError: undefined is no function\n\s+at /);
  });
});

describe("bad usage ends with 2, says what to do and runs nothing", () => {
  it.each<[string[], Record<string, string>, RegExp]>([
    [["run"], {}, /nothing to run[\s\S]*--file <path>/],
    [
      ["--todo", "no.json"],
      {},
      /nothing to run in \/.+: `content` is not set, and there is no task list no\.json/,
    ],
    [["doctor", "--offline"], {}, /Unknown flag --offline\.\n`looplia help <command>` lists/],
    [["--file", "nowhere.md"], {}, /no file nowhere\.md/],
    [["--file", "a.md", "--session-id", "s-1"], { "a.md": "x" }, /give only one/],
    [
      ["--file", "a.md", "--provider", "anthropic"],
      { "a.md": "x" },
      /anthropic has no key[\s\S]*ANTHROPIC_API_KEY/,
    ],
    [
      ["--file", "a.md", "--provider", "antropic"],
      { "a.md": "x" },
      /--provider[\s\S]*did you mean "anthropic"/,
    ],
    [
      ["--file", "a.md"],
      { "a.md": "x", "looplia.yml": "model: a\nmax-trns: 5\n" },
      /looplia\.yml:2:[\s\S]*"max-turns"/,
    ],
    [["--file", "a.md"], { "a.md": "x", "looplia.yml": "a: [" }, /looplia\.yml:1/],
    [
      ["--file", "a.md", "--config", "other.yml"],
      { "a.md": "x" },
      /other\.yml: there is no such settings file/,
    ],
    [["--file", "a.md", "--working-directory", "sub"], { "a.md": "x" }, /no folder .*sub/],
    [["--max-turns", "none", "--session-id", "s-1"], {}, /--max-turns: must be a whole number/],
    [["frobnicate"], {}, /Unknown command "frobnicate"/],
    [["status", "no-such-session"], {}, /no session no-such-session/],
  ])("%j in %j", async (argv, files, expected) => {
    const ran = await runMain(argv, await folderWith(files));
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(expected);
  });
});

describe("what is printed at the end", () => {
  async function printed(outcome: RunResult, argv: string[] = [], environment = {}) {
    const folder = await makeFolder();
    const ran = await runMain(["--session-id", SESSION, ...argv], folder, {
      run: async () => outcome,
      environment,
    });
    return { ...ran, folder };
  }

  it("is where the result is", async () => {
    const { stdout, folder } = await printed(resultOf({ notice: "extractive rehearsal, no language model" }));
    expect(stdout).toBe(
      `✓ Writing kit complete (extractive rehearsal, no language model) · 10,200 tokens in, 340 out · $0.0123\n  ${folder}/${item.artifactPath}\n`,
    );
  });

  it("is the command that goes on after an earlier output", async () => {
    const early = { output: "summary", artifactPath: "x/summary.json" };
    const { stdout } = await printed(resultOf(early), ["--output", "summary", "--provider", "offline"]);
    expect(stdout).toMatch(/^✓ Summary complete/);
    expect(stdout).toContain(`Next: looplia run --session-id ${SESSION} --provider offline\n`);
  });

  it("is each question with its options and the commands that answer it", async () => {
    const { stdout } = await printed(resultOf({ status: "waiting", interactions: [question, confirm] }));
    expect(stdout).toContain("1  hook-1  Nine of ten seats were empty.");
    expect(stdout).toContain("2  hook 2  Who<U+001B>[31m pays<U+202E> for the night?");
    expect(stdout).toContain(`looplia answer q1-abc123 choose hook-1\n`);
    expect(stdout).toContain(`looplia answer q1-abc123 choose 'hook 2'\n`);
    expect(stdout).toContain("+new<U+200B>");
    expect(stdout).toContain(`looplia answer q1-abc123 approve\n`);
    expect(stdout).toContain(`looplia answer q1-abc123 reject\n`);
  });

  it("is what failed and how to go on", async () => {
    const steps = [
      { output: "ideas", status: "failed", reason: "", message: "hooks: expected 1 to 5" },
    ] as const;
    const failed = { status: "failed", reasonCode: "invalid-artifact", steps: [...steps] } as const;
    const { stdout, stderr } = await printed(resultOf({ ...failed, steps: [...steps] }));
    expect(stdout).toBe("");
    expect(stderr).toContain(
      "failed (invalid-artifact): an artifact never became valid\n  ideas: hooks: expected",
    );
    expect(stderr).toContain(
      `Resume with a language model, once its key is set: looplia run --session-id ${SESSION}\n`,
    );
  });

  it("is one JSON object for one item, and a list for several", async () => {
    const { stdout, stderr, folder } = await printed(resultOf({}), ["--json"]);
    const json = JSON.parse(stdout);
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(["status", "reasonCode", "sessionId", "output", "path", "artifact", "usage"]),
    );
    expect(json).toMatchObject({
      status: "completed",
      path: `${folder}/${item.artifactPath}`,
      artifact: item.artifact,
    });
    expect(json.usage).toMatchObject({ inputTokens: 1200, costUsd: 0.0123 });
    expect(stderr).toContain("Writing kit complete");
    const several = await printed(resultOf({}, { sessionId: "other" }), ["--json"]);
    expect(JSON.parse(several.stdout)).toMatchObject([{ sessionId: SESSION }, { sessionId: "other" }]);
  });

  it("has colour only when it is forced", async () => {
    const esc = "\u001b[";
    expect((await printed(resultOf({}))).stdout).not.toContain(esc);
    expect((await printed(resultOf({}), [], { FORCE_COLOR: "1" })).stdout).toContain(esc);
    expect((await printed(resultOf({}), [], { FORCE_COLOR: "1", NO_COLOR: "1" })).stdout).not.toContain(
      escape,
    );
  });

  it("never shows a key in a command to copy", async () => {
    const early = resultOf({ output: "summary" });
    const { stdout, stderr } = await printed(early, ["--anthropic-api-key", "sk-secret"]);
    expect(stdout + stderr).not.toContain("sk-secret");
  });
});

describe("signals", () => {
  it("stop the run once and say how to go on", async () => {
    const ran = await runMain(["--session-id", SESSION], await makeFolder(), {
      run: async (_trigger, around, { send }) => {
        around.observe({
          type: "session",
          sessionId: SESSION,
          source: "a.md",
          pipeline: "p",
          folder: "f",
          steps: [],
        });
        send();
        expect(around.signal.reason).toBe("interrupted");
        around.signal.throwIfAborted();
        return resultOf({});
      },
    });
    expect(ran).toMatchObject({ code: 4, exits: [], listeners: 0 });
    expect(ran.stderr).toContain("Stopping and saving");
    expect(ran.stderr).toContain(`Resume: looplia run --session-id ${SESSION}\n`);
  });

  it("end the process at the second", async () => {
    const ran = await runMain(["--session-id", SESSION], await makeFolder(), {
      run: async (_trigger, _around, { send }) => {
        send();
        send();
        return resultOf({ status: "stopped", reasonCode: "interrupted" });
      },
    });
    expect(ran).toMatchObject({ code: 4, exits: [4] });
  });
});

describe("version", () => {
  it("tells version, Node and models, as lines and as JSON", async () => {
    const folder = await makeFolder();
    const { stdout } = await runMain(["--version"], folder);
    expect(stdout).toBe(`looplia 1.2.3\nnode ${process.version}\nanthropic claude-x\n`);
    const json = JSON.parse((await runMain(["version", "--json"], folder)).stdout);
    expect(json).toEqual({ looplia: "1.2.3", node: process.version, models: { anthropic: "claude-x" } });
  });
});

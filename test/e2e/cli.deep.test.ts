// The command line as a whole: its bundle, real files, a local model server, a pseudo terminal.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { writingKitSchema } from "../../src/content/artifact.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { type MessagesApi, startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Turn } from "../fakes/messages-api-script.ts";
import { KEYS } from "../fakes/pseudo-terminal.ts";

const OFFLINE = ["--provider", "offline"];
const EXAMPLE = await readFile(`${import.meta.dirname}/../../examples/content/six-minute-build.md`, "utf8");
const article = { "content/build.md": EXAMPLE };

/** A local model; what it says first in a conversation is the test's. */
async function startModel(first: (body: ApiBody) => Turn | undefined): Promise<MessagesApi> {
  const api = await startMessagesApi((body) => (body.messages.length === 1 && first(body)) || writeDue(body));
  onTestFinished(() => api.close());
  return api;
}

function environmentOf(api: MessagesApi): Record<string, string> {
  return { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
}

/** The step whose agent may ask a person. */
function isIdeas(body: ApiBody): boolean {
  return dueOutputs(body)[0] === "ideas";
}

function use(name: string, input: Record<string, unknown>): Turn {
  return { content: [{ type: "tool_use", id: `toolu_${name}`, name, input }] };
}

const askOnce = (body: ApiBody) =>
  isIdeas(body) ? use("askUser", { question: "Which angle?", options: ["Calm", "Loud"] }) : undefined;

/** The words after `looplia` of a printed command. */
function commandIn(text: string, begin: string): string[] {
  const line = text.split("\n").find((one) => one.includes(begin));
  if (line === undefined) throw new Error(`no command ${begin} in\n${text}`);
  return line
    .slice(line.indexOf("looplia ") + 8)
    .trim()
    .split(" ");
}

describe("demo", () => {
  it("shows the steps, a question and its answer, and leaves a valid kit", async () => {
    const world = await makeCliWorld();
    const { code, stdout, stderr } = await world.run(["demo"]);
    expect(stderr).toMatch(
      /step summary completed[\s\S]*\? .*hook[\s\S]*→ the demo takes[\s\S]*step writing-kit completed/,
    );
    expect(stderr).toContain("extractive rehearsal, no language model");
    expect(stdout).toContain("The writing kit is valid.");
    const root = /^(\/.*looplia-demo-.*)$/m.exec(stdout)?.[1] ?? "";
    expect(existsSync(root)).toBe(true);
    expect(code).toBe(0);
    expect((await world.files()).size).toBe(1);
  });

  it("ends with 4 when it is interrupted, and promises nothing", async () => {
    const world = await makeCliWorld();
    const stopped = await world.watch(["demo"], {}, async (child, said) => {
      while (!said().includes("step summary started"))
        await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGINT");
    });
    expect(stopped).toMatchObject({ code: 4, stdout: "" });
    expect(stopped.stderr).toMatch(/what it made so far is in \/.*looplia-demo-/);
    expect(stopped.stderr).not.toMatch(/error|next run/);
  });
});

describe("run", () => {
  it("leaves every artifact and says where, as JSON too", async () => {
    const world = await makeCliWorld(article);
    const { code, stdout } = await world.run(["run", "--file", "content/build.md", ...OFFLINE, "--json"]);
    expect(code).toBe(0);
    const json = JSON.parse(stdout);
    expect(json).toMatchObject({ status: "completed", reasonCode: "done", output: "writing-kit" });
    expect(writingKitSchema().parse(JSON.parse(await readFile(json.path, "utf8")))).toEqual(json.artifact);
    const files = await world.files(".looplia/contentItem");
    const names = [
      "content.md",
      "ideas.json",
      "outline.json",
      "session.json",
      "summary.json",
      "writing-kit.json",
      "writing-kit.md",
    ];
    expect([...files.keys()].sort()).toEqual(names.map((name) => `${json.sessionId}/${name}`));
    const again = await world.run(["--session-id", json.sessionId, ...OFFLINE, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ reasonCode: "up-to-date", sessionId: json.sessionId });
    expect(await world.files(".looplia/contentItem")).toEqual(files);
  });

  it("says of a rehearsal's kit that it is one when a key is there later, and makes it anew when told", async () => {
    const api = await startModel(() => undefined);
    const world = await makeCliWorld();
    const made = await world.run(["--file", "content/kettles.md", ...OFFLINE, "--json"]);
    const { sessionId } = JSON.parse(made.stdout);
    const later = await world.run(["--session-id", sessionId], environmentOf(api));
    expect(later.stdout).toMatch(/Up to date \(extractive rehearsal/);
    expect(api.requests).toEqual([]);
    const anew = await world.run(commandIn(later.stdout, "looplia run --session-id"), environmentOf(api));
    expect(anew.stdout).toMatch(/Writing kit complete (?!.*rehearsal)/);
    const kept = await world.run(["--session-id", sessionId, ...OFFLINE, "--json"]);
    expect(JSON.parse(kept.stdout)).toMatchObject({ reasonCode: "up-to-date" });
    expect(kept.stdout).not.toContain("rehearsal");
  });

  it("runs in the folder that is named last, from anywhere", async () => {
    const world = await makeCliWorld(article);
    const elsewhere = await makeCliWorld();
    const { code, stdout } = await elsewhere.run([
      "--file",
      "content/build.md",
      ...OFFLINE,
      "--json",
      world.folder,
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).path).toContain(world.folder);
  });

  it("ends at an earlier output with the command that goes on", async () => {
    const world = await makeCliWorld(article);
    const first = await world.run(["--file", "content/build.md", "--output", "summary", ...OFFLINE]);
    expect(first.stdout).toMatch(/✓ Summary complete[\s\S]*summary\.json/);
    const next = await world.run(commandIn(first.stdout, "looplia run --session-id"));
    expect(next.code).toBe(0);
    expect(next.stderr).not.toContain("step summary started");
    expect(next.stdout).toContain("writing-kit.json");
  });

  it("calls no model and changes nothing in a dry run", async () => {
    const world = await makeCliWorld(article);
    const { code, stdout } = await world.run(["--file", "content/build.md", "--dry-run", ...OFFLINE]);
    expect(code).toBe(0);
    expect(stdout).toContain("changed nothing");
    expect((await world.files(".looplia")).size).toBe(0);
    const json = await world.run(["--file", "content/build.md", "--dry-run", "--json", ...OFFLINE]);
    const steps = ["summary", "ideas", "outline", "writing-kit"];
    expect(JSON.parse(json.stdout).steps).toEqual(
      steps.map((output) => ({ output, due: true, reason: "not done yet" })),
    );
  });

  it("plans what the settings match, as lines and as JSON, and changes nothing", async () => {
    const settings = "content: content/*.md\nprovider: offline\n";
    const names = ["with a space.md", "emoji 🫖.md", "Case.md", "case.md", `${"long-".repeat(50)}.md`];
    const items = names.map((name) => [
      `content/${name}`,
      `# ${name}\n\n${EXAMPLE.replace(/^---\n[\s\S]*?\n---\n/, "")}`,
    ]);
    const files = {
      ...article,
      ...Object.fromEntries(items),
      "content/broken.md": "\0",
      "looplia.yml": settings,
    };
    const world = await makeCliWorld(files);
    const shown = await world.run(["plan"]);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain(
      "new         content/with a space.md  summary, ideas, outline, writing-kit: not done yet",
    );
    expect(shown.stdout).toMatch(/unreadable {2}content\/broken\.md .*NUL bytes/);
    expect(shown.stdout).toMatch(/8 of 8 items are due \(7 new, 1 unreadable\): about [\d,]+ tokens/);
    const { items: planned } = JSON.parse((await world.run(["plan", "--json"])).stdout);
    expect(planned.map(({ source }: { source: string }) => source)).toEqual(
      expect.arrayContaining(names.map((name) => `content/${name}`)),
    );
    expect((await world.files(".looplia")).size).toBe(0);
    const ran = await world.run(["--json"]);
    const results: { source: string; status: string }[] = JSON.parse(ran.stdout);
    expect(results.filter(({ status }) => status !== "completed").map(({ source }) => source)).toEqual([
      "content/broken.md",
    ]);
    expect((await world.run(["plan"])).stdout).toContain("1 of 8 items are due (1 unreadable)");
  });

  it("refuses to plan without globs", async () => {
    const { code, stderr } = await (await makeCliWorld(article)).run(["plan", ...OFFLINE]);
    expect(code).toBe(2);
    expect(stderr).toContain("`content` is not set");
  });

  it("goes on with every item that the settings match", async () => {
    const world = await makeCliWorld({
      ...article,
      "looplia.yml": "content: content/build.md\nprovider: offline\n",
    });
    expect((await world.run(["--json"])).code).toBe(0);
    const again = await world.run(["--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ reasonCode: "up-to-date", source: "content/build.md" });
  });
});

describe("a question without a terminal", () => {
  it("ends with 3 and the commands that answer it; a wrong answer changes nothing", async () => {
    const api = await startModel(askOnce);
    const world = await makeCliWorld();
    const environment = environmentOf(api);
    const asked = await world.run(["--file", "content/kettles.md"], environment);
    expect(asked.code).toBe(3);
    expect(asked.stdout).toMatch(/Which angle\?[\s\S]*1 {2}.*Calm[\s\S]*2 {2}.*Loud/);
    const command = commandIn(asked.stdout, "looplia answer ");
    const requests = api.requests.length;
    const before = await world.files();
    const wrong = await world.run([...command.slice(0, 2), "choose", "9"], environment);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toMatch(/expected one of these options/);
    expect(await world.files()).toEqual(before);
    expect((await world.run(["status"], environment)).stdout).toContain(`looplia ${command.join(" ")}`);
    expect(api.requests.length).toBe(requests);
    const answered = await world.run(command, environment);
    expect(answered.stderr).not.toContain("error");
    expect(answered.code).toBe(0);
    expect(JSON.stringify(api.requests[requests]?.body)).toContain("Calm");
    const twice = await world.run(command, environment);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain("no longer open");
    expect(api.faults).toEqual([]);
  });
});

describe("a question in the terminal", () => {
  it("is asked in place, with the diff, and the run goes on", async () => {
    const api = await startModel((body) =>
      isIdeas(body) ? use("editFile", { path: "notes.md", oldStr: "", newStr: "four minutes\n" }) : undefined,
    );
    const editor =
      "---\nname: idea-generator\ndescription: d\ntools: readFile, writeArtifact, editFile\n---\nEdit.\n";
    const world = await makeCliWorld({ ".looplia/.claude/agents/idea-generator.md": editor });
    const terminal = world.terminal(["--file", "content/kettles.md"], environmentOf(api));
    await terminal.shows("to navigate");
    expect(terminal.screen()).toContain("+four minutes");
    terminal.type(KEYS.up);
    terminal.type(KEYS.enter);
    await terminal.shows("Writing kit complete");
    expect(await terminal.ended()).toBe(0);
    expect((await world.files()).get("notes.md")).toBe("four minutes\n");
  });

  it("stays open after Ctrl-C: the next run shows the same id without a model request", async () => {
    const api = await startModel(askOnce);
    const world = await makeCliWorld();
    const environment = environmentOf(api);
    const terminal = world.terminal(["--file", "content/kettles.md"], environment);
    await terminal.shows("to navigate");
    const id = /· (\S+\.q1-[0-9a-f]{6})/.exec(terminal.screen())?.[1] ?? "";
    const requests = api.requests.length;
    terminal.type(KEYS.ctrlC);
    await terminal.shows("looplia run --session-id");
    expect(await terminal.ended()).toBe(4);
    const next = await world.run(["--session-id", id.replace(/\.q1-.*$/, "")], environment);
    expect(next.code).toBe(3);
    expect(next.stdout).toContain(`looplia answer ${id.split(".").at(-1)} choose`);
    expect(api.requests.length).toBe(requests);
  });
});

describe("signals", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s saves, says how to go on and ends with 4", async (signal) => {
    let isSlow = true;
    const api = await startModel((body) =>
      isSlow && isIdeas(body) ? { content: "…", delayMs: 20_000 } : undefined,
    );
    const world = await makeCliWorld();
    const environment = environmentOf(api);
    const stopped = await world.watch(["--file", "content/kettles.md"], environment, async (child, said) => {
      while (!said().includes("step ideas started")) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill(signal);
    });
    expect(stopped.code).toBe(4);
    expect(stopped.stderr).toContain("Stopping and saving");
    isSlow = false;
    const resumed = await world.run(commandIn(stopped.stderr, "looplia run --session-id"), environment);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).not.toContain("step summary started");
  });
});

describe("bad input ends with 2, names what and where, and changes nothing", () => {
  const run = ["--file", "content/kettles.md", ...OFFLINE];
  it.each<[string, Record<string, string | Uint8Array>, string[], RegExp]>([
    ["no such file", {}, ["--file", "content/no.md", ...OFFLINE], /content\/no\.md/],
    ["the folder itself", {}, ["--file", ".", ...OFFLINE], /error: \/.+ is not a file/],
    ["a folder", {}, ["--file", "content", ...OFFLINE], /content is not a file/],
    ["empty", { "content/kettles.md": "" }, run, /kettles\.md.*empty/],
    ["binary", { "content/kettles.md": new Uint8Array([0, 1, 2, 255]) }, run, /kettles\.md/],
    ["not UTF-8", { "content/kettles.md": new Uint8Array([0xc3, 0x28, 0x41]) }, run, /kettles\.md.*UTF-8/],
    ["over 10 MiB", { "content/kettles.md": "a ".repeat(5_300_000) }, run, /kettles\.md.*10 MiB/],
    ["broken front matter", { "content/kettles.md": "---\ntitle: [\n---\nText.\n" }, run, /kettles\.md:\d+/],
    ["no item", { "looplia.yml": "content: nothing/*.md\n" }, OFFLINE, /content/],
    ["unknown pipeline", {}, [...run, "--pipeline", "writing-kid"], /writing-kid.*did you mean|writing-kit/s],
    ["unknown output", {}, [...run, "--output", "sumary"], /sumary/],
    [
      "unknown provider",
      {},
      ["--file", "content/kettles.md", "--provider", "offlin"],
      /did you mean "offline"/,
    ],
    ["missing key", {}, ["--file", "content/kettles.md", "--provider", "anthropic"], /ANTHROPIC_API_KEY/],
    [
      "typo in looplia.yml",
      { "looplia.yml": "model: x\npipline: writing-kit\n" },
      run,
      /looplia\.yml:2.*"pipeline"/s,
    ],
    ["broken looplia.yml", { "looplia.yml": "a: [\n" }, run, /looplia\.yml:\d/],
    [
      "cyclic pipeline",
      {
        ".looplia/pipelines/loop.yaml":
          "name: loop\ndescription: d\noutputs:\n  a: {artifact: a.json, agent: content-analyzer, requires: b}\n  b: {artifact: b.json, agent: content-analyzer, requires: a}\n",
      },
      [...run, "--pipeline", "loop"],
      /loop\.yaml:\d+/,
    ],
    [
      "unknown session",
      {},
      ["--session-id", "no-such-2026-01-01-abcdef", ...OFFLINE],
      /no-such-2026-01-01-abcdef/,
    ],
    ["unknown question", {}, ["answer", "nobody.q1-abcdef", "approve", ...OFFLINE], /nobody\.q1-abcdef/],
    [
      "torn session.json",
      {
        ".looplia/contentItem/a-2026-01-01-abcdef/session.json": '{ "version": 1,',
        ".looplia/contentItem/a-2026-01-01-abcdef/content.md": "x",
      },
      ["--session-id", "a-2026-01-01-abcdef", ...OFFLINE],
      /session\.json/,
    ],
    [
      "session.json of a newer version",
      {
        ".looplia/contentItem/a-2026-01-01-abcdef/session.json": '{ "version": 2 }',
        ".looplia/contentItem/a-2026-01-01-abcdef/content.md": "x",
      },
      ["--session-id", "a-2026-01-01-abcdef", ...OFFLINE],
      /newer/,
    ],
  ])("%s", async (_name, files, argv, expected) => {
    const world = await makeCliWorld(files);
    const before = await world.files();
    const ran = await world.run(argv);
    expect(ran.stderr).toMatch(expected);
    expect(ran.stderr).not.toContain("bug in looplia");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(await world.files()).toEqual(before);
  });
});

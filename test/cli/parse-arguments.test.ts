import { describe, expect, it } from "vitest";
import { parseArguments } from "../../src/cli/arguments.ts";
import { commandDefinitions, flagNamesOf, flagsByName } from "../../src/cli/commands-table.ts";
import { helpText } from "../../src/cli/help.ts";
import { settingDefinitions } from "../../src/config/settings-table.ts";

const isFolder = (path: string) => path === "repo" || path === ".";
const parse = (text: string) => parseArguments(text === "" ? [] : text.split(" "), isFolder);
const answer = (given: object) => ({ answer: { interactionId: "s.q1-abc123", answer: given } });

describe("arguments", () => {
  it.each<[string, object]>([
    ["", { command: "run", isNamed: false }],
    ["repo", { command: "run", folder: "repo" }],
    ["--file a.md repo", { command: "run", file: "a.md", folder: "repo" }],
    ["run --file=-odd.md", { file: "-odd.md" }],
    ["run --session-id s-1 --json", { overrides: { "session-id": "s-1" }, isJson: true }],
    ["run --dry-run --no-upload-audit", { overrides: { "dry-run": true, "upload-audit": false } }],
    ["run --apply-summary=false --dry-run=true", { overrides: { "apply-summary": false, "dry-run": true } }],
    ["run --apply-summary false repo", { overrides: { "apply-summary": false }, folder: "repo" }],
    [
      "run --network=a.example --network=localhost:5432 repo",
      { overrides: { network: ["a.example", "localhost:5432"] }, folder: "repo" },
    ],
    ["run --dry-run true --network repo", { overrides: { "dry-run": true, network: true }, folder: "repo" }],
    ["run --content a --content b/** repo", { overrides: { content: ["a", "b/**"] }, folder: "repo" }],
    ["run --agent careful", { overrides: { schedule: "careful" } }],
    ["run --force ideas --output summary", { overrides: { force: "ideas", output: "summary" } }],
    ["answer s.q1-abc123 approve", answer({ selectedOptionId: "approve" })],
    ["answer s.q1-abc123 reject --comment no", answer({ selectedOptionId: "reject", comment: "no" })],
    ["answer s.q1-abc123 choose 2 repo", { ...answer({ selectedOptionId: "2" }), folder: "repo" }],
    ["answer s.q1-abc123 input hello --provider offline", { overrides: { provider: "offline" } }],
    ["answer s.q1-abc123 input -- -x", answer({ inputValue: "-x" })],
    ["status", { command: "status" }],
    ["status s-1 repo", { topic: "s-1", folder: "repo" }],
    ["status repo", { folder: "repo" }],
    ["demo content", { command: "demo", topic: "content" }],
    ["demo tasks", { command: "demo", topic: "tasks" }],
    ["--version", { command: "version" }],
    ["help run", { command: "help", topic: "run" }],
    ["doctor -h", { command: "doctor", isHelp: true }],
  ])("%j are understood", (text, expected) => {
    expect(parse(text)).toMatchObject(expected);
  });

  it.each([
    ["demmo", /command "demmo".*/, 'did you mean "demo"?'],
    ["a.md", /command "a.md", and no folder/, "--file"],
    ["--filee a.md", /flag --filee/, 'did you mean "--file"?'],
    ["run --max-turn 3", /flag --max-turn/, '"--max-turns"'],
    ["run --file", /--file needs a value/, "--file=<path>"],
    ["run --file --json", /--file needs a value/, "--file=<path>"],
    ["run --json=yes", /--json takes no value/, ""],
    ["run --json true", /no folder true/, ""],
    ["run --apply-summary=perhaps", /--apply-summary takes only true or false/, "--no-apply-summary"],
    ["run --no-apply-summary=true", /--no-apply-summary takes no value/, ""],
    ["run -- true false", /"false" is an extra argument/, ""],
    ["run a.md", /no folder a.md/, "folder of the repository"],
    ["run repo .", /"\." is an extra argument/, "looplia help run"],
    ["status --file x", /--file is no flag of `looplia status`/, "looplia help status"],
    ["demo taks", /an extra argument/, ""],
    ["answer", /needs the id of a question/, "looplia answer <interaction-id>"],
    ["answer q", /needs an answer/, "looplia answer <interaction-id>"],
    ["answer q aprove", /Unknown answer "aprove"/, 'did you mean "approve"?'],
    ["answer q choose", /`choose` needs an option/, "looplia answer"],
    ["answer q input", /`input` needs a text/, "looplia answer"],
    ["answer q approve it . now", /"\." is an extra argument/, "--comment"],
  ])("%j are refused with advice", (text, message, hint) => {
    let thrown: unknown;
    try {
      parse(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "config-invalid", message: expect.stringMatching(message) });
    if (hint) expect((thrown as { hint?: string }).hint).toContain(hint);
  });
});

describe("help", () => {
  it("names every command, and none that is not there", () => {
    const text = helpText(undefined, 100);
    for (const { name } of commandDefinitions) expect(text).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(text).not.toMatch(/^ {2}prompts\b/m);
  });

  it("shows every flag of `run`, which has one for each setting", () => {
    const run = commandDefinitions.find((command) => command.name === "run");
    if (!run) throw new Error("there is a command `run`");
    const names = flagNamesOf(run);
    for (const { name, type } of settingDefinitions) {
      expect(names).toContain(name);
      if (type.kind === "boolean") expect(names).toContain(`no-${name}`);
    }
    const text = helpText("run", 100);
    expect(text).toMatch(/--content <glob> [^-]*Give the flag again for more\./);
    expect(text).toContain("--policy <entry>");
    for (const name of names) if (flagsByName.get(name)?.description) expect(text).toContain(name);
  });

  it("puts every setting into a group, and names those that count on GitHub only", () => {
    const [, own = ""] = /^Flags\n((?: .*\n)+)/m.exec(helpText("run", 100)) ?? [];
    const names = [...own.matchAll(/^ {2}--(\S+)/gm)].map(([, name]) => name);
    expect(names).toEqual(["file", "agent", "ui", "json", "help"]);
    expect(helpText("run", 100)).toMatch(/On GitHub only \(docs\/settings\.md\): [^.]*\breviewers\b/);
    expect(helpText("status", 100)).not.toMatch(/Model|base-url/);
  });

  it.each([40, 60, 100])("fits %i columns", (width) => {
    for (const { name } of commandDefinitions) {
      for (const line of helpText(name, width).split("\n")) {
        expect(line.length, line).toBeLessThanOrEqual(width);
      }
    }
  });

  it("suggests a command for one that is unknown", () => {
    expect(() => helpText("docter", 80)).toThrow(/command "docter"/);
  });
});

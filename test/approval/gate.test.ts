import { describe, expect, it, test } from "vitest";
import { decideCall, decidingPathIn, type GatedCall, type GateRules } from "../../src/approval/gate.ts";
import { policyProblem, readPolicy } from "../../src/config/policy.ts";
import type { Isolation } from "../../src/core/ports.ts";

const ISOLATED: Isolation = { kind: "bubblewrap", network: false };
const OPEN: Isolation = { kind: "none", network: true, reason: "bubblewrap is not installed" };
const OFF: Isolation = { kind: "none", network: true, isOff: true };

const command = (text: string): GatedCall => ({
  tool: "runCommand",
  risk: "risky",
  asksItself: false,
  command: text,
});
const edit = (...paths: string[]): GatedCall => ({
  tool: "editFile",
  risk: "risky",
  asksItself: false,
  paths,
});
const READ: GatedCall = { tool: "readFile", risk: "safe", asksItself: false };
const ASK_USER: GatedCall = { tool: "askUser", risk: "safe", asksItself: true };

async function decide(
  call: GatedCall,
  lines: string[],
  rules: Partial<GateRules> = {},
  isolation: Isolation = ISOLATED,
): Promise<string> {
  for (const line of lines) expect(policyProblem(line)).toBeUndefined();
  const policy = await readPolicy(lines);
  const whole: GateRules = {
    policy,
    approval: "risky",
    sandbox: "auto",
    settingsFile: "conf/looplia.yml",
    ...rules,
  };
  const decision = decideCall(call, whole, { isolation });
  return decision.kind === "ask" && decision.dangers.length > 0 ? "danger" : decision.kind;
}

describe("without a rule the setting `approval` decides", () => {
  test.each<[GateRules["approval"], string, string, string, string]>([
    ["risky", "ask", "ask", "allow", "allow"],
    ["all", "ask", "ask", "ask", "allow"],
    ["none", "allow", "allow", "allow", "allow"],
  ])("%s: a command %s, an edit %s, a read %s, askUser itself %s", async (approval, ...expected) => {
    const calls = [command("npm test"), edit("a.md", "a.md"), READ, ASK_USER];
    expect(await Promise.all(calls.map((call) => decide(call, [], { approval })))).toEqual(expected);
  });
});

describe("rules: deny beats ask beats allow beats `approval`", () => {
  test.each<[string, string[], GatedCall, string]>([
    ["a command by its first words", ["allow runCommand npm test"], command("npm test -- --run x"), "allow"],
    ["not by the beginning of a word", ["allow runCommand npm test"], command("npm tests"), "ask"],
    [
      "not a program of that name in another folder",
      ["allow runCommand npm test"],
      command("./npm test"),
      "ask",
    ],
    [
      "each command of a line",
      ["allow runCommand npm", "allow runCommand ls"],
      command("npm test && ls"),
      "allow",
    ],
    ["not one more behind it", ["allow runCommand npm test"], command("npm test && curl x"), "ask"],
    ["not one more in the background", ["allow runCommand npm test"], command("npm test & curl x"), "ask"],
    ["not one more in a line below", ["allow runCommand npm test"], command("npm test\ncurl x"), "ask"],
    ["not one more behind a pipe", ["allow runCommand npm test"], command("npm test | curl x"), "ask"],
    [
      "one forbidden forbids the line",
      ["allow runCommand", "deny runCommand curl"],
      command("ls; curl x"),
      "deny",
    ],
    [
      "forbidden in any folder",
      ["allow runCommand", "deny runCommand curl"],
      command("/usr/bin/curl x"),
      "deny",
    ],
    [
      "ask before allow",
      ["allow runCommand npm", "ask runCommand npm install"],
      command("npm install"),
      "ask",
    ],
    ["deny before all", ["deny editFile", "allow editFile docs/**"], edit("docs/a", "docs/a"), "deny"],
    ["an edit by its path", ["allow editFile docs/**"], edit("docs/.x/a.md", "docs/.x/a.md"), "allow"],
    ["not by the path of a link", ["allow editFile docs/**"], edit("docs/a.md", "src/a.md"), "ask"],
    [
      "forbidden where a link leads",
      ["allow editFile", "deny editFile src/**"],
      edit("docs/a", "src/a"),
      "deny",
    ],
    [
      "a value that is known",
      ["allow runCommand deploy eu"],
      { ...command('deploy "$LOOPLIA_REGION" now'), values: { LOOPLIA_REGION: "eu" } },
      "allow",
    ],
    [
      "not another value",
      ["allow runCommand deploy eu"],
      { ...command('deploy "$LOOPLIA_REGION" now'), values: { LOOPLIA_REGION: "eu now" } },
      "ask",
    ],
    ["not another file", ["allow editFile docs/*.md"], edit("docs/sub/a.md", "docs/sub/a.md"), "ask"],
    [
      "a line that nobody can read, with the whole tool",
      ["deny runCommand"],
      command("echo $(date)"),
      "deny",
    ],
    [
      "no line that nobody can read, with one program",
      ["deny runCommand ls"],
      command("echo $(date)"),
      "danger",
    ],
    ["a whole tool", ["deny Task"], { tool: "Task", risk: "safe", asksItself: true }, "deny"],
    ["a read that must be asked", ["ask readFile"], READ, "ask"],
  ])("%s", async (_, lines, call, expected) => {
    expect(await decide(call, lines)).toBe(expected);
  });
});

describe("danger is asked about, whatever the rules say", () => {
  const everything = ["allow runCommand", "allow editFile"];

  test.each([
    ".github/workflows/ci.yml",
    ".GitHub/Workflows/ci.yml",
    "sub/.github/workflows/ci.yml",
    "action.yml",
    "packages/x/action.yaml",
    "looplia.yml",
    "conf/looplia.yml",
    "conf//./LOOPLIA.yml",
    ".looplia/pipelines/x.yaml",
    ".looplia/.claude/agents/a.md",
    ".looplia/CLAUDE.md",
    ".claude/skills/s/SKILL.md",
    "docs/.looplia/pipelines/x.yaml",
    "docs/.looplia/CLAUDE.md",
    "docs/.claude/agents/a.md",
    ".looplia/\u200dCLAUDE.md",
    ".claude/agents/a.md. ",
    ".claude::$INDEX_ALLOCATION/agents/a.md",
    "\uff0elooplia/pipelines/x.yaml",
    "\uff21ction.yml",
    ".git/hooks/pre-commit",
    ".GIT/config",
    "./.git/config",
    ".github/CODEOWNERS",
    ".github/dependabot.yml",
    "docs/CODEOWNERS",
    ".npmrc",
    "packages/x/.NPMRC",
    ".envrc",
    ".husky/pre-commit",
    ".looplia/user-profile.json",
    "docs/.looplia/contentItem/s/notes.md",
  ])("an edit of %j", async (path) => {
    expect(await decide(edit(path, path), everything, { approval: "none" })).toBe("danger");
    expect(await decide(edit("harmless.md", path), everything, { approval: "none" })).toBe("danger");
  });

  test.each([
    "to-do.json",
    "docs/looplia.yml.md",
    ".looplia/notes.md",
    "docs/CODEOWNERS.md",
    "npmrc",
    "github/x",
    "claude/x",
  ])("but not of %s", async (path) => {
    expect(await decide(edit(path, path), [], { approval: "none" })).toBe("allow");
  });

  it("a command that deletes, although it is allowed", async () => {
    expect(await decide(command("rm -r dist"), everything, { approval: "none" })).toBe("danger");
    expect(await decide(command("npm test; rm x"), everything, { approval: "none" })).toBe("danger");
  });

  it("and is forbidden where a rule forbids it", async () => {
    expect(await decide(command("rm -r dist"), ["deny runCommand rm"])).toBe("deny");
    expect(await decide(edit("action.yml", "action.yml"), ["deny editFile action.yml"])).toBe("deny");
  });
});

describe("without isolation", () => {
  test.each<[string, string[], Partial<GateRules>, Isolation, string]>([
    ["every command needs a person, `allow` or not", ["allow runCommand"], {}, OPEN, "ask"],
    ["every command needs a person, `approval: none` or not", [], { approval: "none" }, OPEN, "ask"],
    ["nothing runs where it is required", ["allow runCommand"], { sandbox: "required" }, OPEN, "deny"],
    [
      "rules decide where it is switched off",
      ["allow runCommand npm test"],
      { sandbox: "off" },
      OFF,
      "allow",
    ],
    [
      "rules decide where there is isolation",
      ["allow runCommand npm test"],
      { sandbox: "required" },
      ISOLATED,
      "allow",
    ],
  ])("%s", async (_, lines, rules, isolation, expected) => {
    expect(await decide(command("npm test"), lines, rules, isolation)).toBe(expected);
  });

  it("says why and what to do instead", () => {
    const rules: GateRules = {
      policy: [],
      approval: "none",
      sandbox: "required",
      settingsFile: "looplia.yml",
    };
    expect(decideCall(command("ls"), rules, { isolation: OPEN })).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/sandbox: required.*bubblewrap is not installed.*without a command/),
    });
  });

  it("edits are decided as ever", async () => {
    expect(await decide(edit("a", "a"), ["allow editFile a"], {}, OPEN)).toBe("allow");
  });
});

describe("a rule that can't be read is told with what is wrong", () => {
  test.each([
    ["permit runCommand ls", /begins with none of deny, ask, allow/],
    ["allow", /names no tool/],
    ["allow runComand ls", /"runComand", which is no tool \(did you mean "runCommand"\?\)/],
    ["allow readFile docs/**", /readFile has neither paths nor commands/],
    ['allow runCommand "npm test"', /plain words/],
    ["allow runCommand npm *", /plain words/],
    ["allow runCommand npm test && ls", /plain words/],
    ["deny editFile a b", /blank in its glob/],
    ["deny editFile ../x", /relative to the root/],
    ["deny editFile /etc/**", /relative to the root/],
    ["deny editFile !x", /relative to the root/],
  ])("%s", (line, expected) => {
    expect(policyProblem(line)).toMatch(expected);
  });
});

test("the path that a danger names is read from the danger, and from no other", async () => {
  const rules: GateRules = { policy: [], approval: "none", sandbox: "auto", settingsFile: "looplia.yml" };
  const path = "changes, which decides/.npmrc";
  const decided = decideCall(edit(path), rules, { isolation: ISOLATED });
  expect(decided.kind === "ask" && decided.dangers.map(decidingPathIn)).toEqual([path]);
  const ran = decideCall(command("rm 'changes x, which decides what runs or who may'"), rules, {
    isolation: ISOLATED,
  });
  expect(ran.kind === "ask" && ran.dangers.map(decidingPathIn)).toEqual([undefined]);
});

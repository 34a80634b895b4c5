import { describe, expect, it, test } from "vitest";
import { decideCall, decidingPathIn, type GateRules, listDecidingPaths } from "../../src/approval/gate.ts";
import { policyProblem, prefixProblem, readPolicy } from "../../src/config/policy.ts";
import type { Isolation } from "../../src/core/ports.ts";

type GatedCall = Parameters<typeof decideCall>[0];

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
const DOCS: GatedCall = { tool: "mcp__docs__search", risk: "risky", asksItself: false };
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
    ["one tool of an MCP server", ["allow mcp__docs__search"], DOCS, "allow"],
    ["all tools of an MCP server", ["allow mcp__docs"], DOCS, "allow"],
    ["all but one", ["allow mcp__docs__*", "deny mcp__docs__search"], DOCS, "deny"],
    ["another server whose name begins alike", ["allow mcp__doc", "allow mcp__docs__sea"], DOCS, "ask"],
    ["a whole command", ["allow runCommand npm test"], command("npm test"), "allow"],
    ["not with more words", ["allow runCommand npm test"], command("npm test -- --run x"), "ask"],
    ["with more words", ["allow runCommand npm test -- --run …"], command("npm test -- --run x y"), "allow"],
    ["with more words, in ASCII", ["allow runCommand npm run ..."], command("npm run x"), "allow"],
    ["with no options that it does not name", ["allow runCommand npm test …"], command("npm test -w"), "ask"],
    ["with no file of options", ["allow runCommand vale …"], command("vale @options"), "ask"],
    ["with more words, and without", ["allow runCommand npm test …"], command("npm test"), "allow"],
    ["not by the beginning of a word", ["allow runCommand npm test"], command("npm tests"), "ask"],
    [
      "not a program of that name in another folder",
      ["allow runCommand npm test"],
      command("./npm test"),
      "ask",
    ],
    [
      "each command of a line",
      ["allow runCommand npm test", "allow runCommand ls"],
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
      ["allow runCommand npm …", "ask runCommand npm install"],
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
      ["allow runCommand deploy eu …"],
      { ...command('deploy "$LOOPLIA_REGION" now'), values: { LOOPLIA_REGION: "eu" } },
      "allow",
    ],
    [
      "not another value",
      ["allow runCommand deploy eu …"],
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
    ["allow runComand ls", /"runComand", which is not a tool \(did you mean "runCommand"\?\)/],
    ["allow readFile docs/**", /readFile has neither paths nor commands/],
    ['allow runCommand "npm test"', /plain words/],
    ["allow runCommand npm *", /plain words/],
    ["allow runCommand npm test && ls", /plain words/],
    ["deny editFile a b", /space in its glob/],
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

describe("a rule means the line", () => {
  const rules = [
    "allow runCommand npm test",
    "allow runCommand git grep …",
    "allow runCommand cargo build",
    "deny runCommand curl",
  ];

  test.each([
    "npm test",
    "'npm' \"test\"",
    "npm test 2>&1 | tail -50",
    "npm test 2>&1 | grep -v ok | head -n 20 | wc -l",
    "npm test >/dev/null 2>&1 && cargo build",
    "git grep TODO src; npm test",
    "time npm test",
    "time -p nice -n 5 npm test | tail -1",
    "timeout -k 5 60 npm test",
    "timeout --signal=KILL 1.5m nohup npm test",
    "env npm test",
    "setarch x86_64 -R cargo build",
    "prlimit --cpu=60 npm test",
  ])("allowed: %s", async (line) => {
    expect(await decide(command(line), rules)).toBe("allow");
  });

  test.each<[string, string]>([
    ["npm test -w", "ask"],
    ["npm tests", "ask"],
    ["npm", "ask"],
    ["cargo build --release", "ask"],
    ["npm test | cat", "ask"],
    ["npm test && grep -r x .", "ask"],
    ["npm test || tail -f x", "ask"],
    ["tail -50 x | head", "ask"],
    ["npm test | ./head", "ask"],
    ["npm test | tail -50 > out.txt", "danger"],
    ["npm test 2> out.txt", "danger"],
    ["./time npm test", "danger"],
    ["bin/nice npm test", "danger"],
    ["env NODE_OPTIONS=--import=./a.js npm test", "danger"],
    ["env -S npm test", "danger"],
    ["time A=1 npm test", "danger"],
    ["time if", "danger"],
    ["timeout npm test", "danger"],
    ["prlimit npm test --pid 1", "ask"],
    ["curl x", "deny"],
    ["time curl x", "deny"],
    ["npm test | nice -n 3 curl x", "deny"],
    ["/usr/bin/curl x", "deny"],
    ["curl-8.5 x", "deny"],
  ])("%s: %s", async (line, expected) => {
    expect(await decide(command(line), rules)).toBe(expected);
  });

  test.each([
    'npm test | grep -r "" ~',
    "npm test | grep -R x",
    "npm test | grep -d recurse x",
    "npm test | grep -f patterns",
    "npm test | grep --file=patterns",
    "npm test | grep -e x ~/id_rsa",
    "npm test | grep x ~/id_rsa",
    "npm test | grep x -- ~/id_rsa",
    "npm test | grep --include=* x",
    "npm test | grep",
    "npm test | tail -n +1 ~/id_rsa",
    "npm test | tail -f ~/id_rsa",
    "npm test | tail -fn 5",
    "npm test | head -c 5 ~/id_rsa",
    "npm test | wc -l ~/id_rsa",
    "npm test | wc --files0-from=x",
    "npm test >> ~/.bashrc",
    "npm test &>> log",
    "npm test < ~/id_rsa",
    "npm test | tail -5 >> log",
  ])("a rule for one command reads and appends to no other file: %s", async (line) => {
    expect(await decide(command(line), rules)).not.toBe("allow");
  });

  test.each([
    "npm test | grep -ivE 'a|b' | head -5",
    "npm test | grep -e one -e two | wc -lw",
    "npm test | grep -A3 -B 2 -m1 x",
    "npm test | tail -n +2 | head --lines=3",
    "npm test | tail -n20 2>&1 >> /dev/null",
  ])("what only shortens its output needs no rule: %s", async (line) => {
    expect(await decide(command(line), ["allow runCommand npm test"])).toBe("allow");
  });

  test.each<[string, string, string]>([
    ["npm --silent test", "npm test", "deny"],
    ["npm --prefix x test", "npm test", "deny"],
    ["npx npm test", "npm test", "deny"],
    ["npx -y npm -s test", "npm test", "deny"],
    ["time npx npm test", "npm test", "deny"],
    ["make -j4 deploy", "make deploy", "deny"],
    ["make -j 4 deploy", "make deploy", "deny"],
    ["git commit -m push", "git push", "allow"],
    ["git log push", "git push", "allow"],
    ["echo npm test", "npm test", "allow"],
  ])("%s, where %s is forbidden: %s", async (line, forbidden, expected) => {
    expect(await decide(command(line), ["allow runCommand", `deny runCommand ${forbidden}`])).toBe(expected);
  });

  test.each([
    ["git grep", "git grep --op=./evil.sh x"],
    ["git grep", "git grep -O./evil.sh x"],
    ["git log", "git log --o=x"],
    ["git fetch", "git fetch --upload-p=./evil.sh"],
    ["git diff", "git diff --ext-diff"],
    ["sort", "sort --o=looplia.yml x"],
    ["sort", "sort --compress-program=./evil.sh x"],
    ["sort", "sort --comp=./evil.sh x"],
    ["make", "make --eval='$(shell id)'"],
    ["make", "make --ev x"],
    ["make", "make SHELL=./evil.sh"],
    ["npm test", "npm test --script-shell=./evil.sh"],
    ["npm test", "npm test --script-sh ./evil.sh"],
    ["npm test", "npm test --node-options=--import=data:text/javascript,1"],
    ["npm test", "npm test --node-opt --import=./evil.js"],
    ["npm test", "npm test --userconfig=x"],
    // npm takes one dash for two.
    ["npm test", "npm test -script-shell=./evil.sh"],
    ["npm test", "npm test -node-opt --import=./evil.js"],
    ["npm test", "npm test -- --test-reporter=data:text/javascript,1"],
    ["npx vitest", "npx vitest --reporter data:text/javascript;base64,MQ=="],
    ["node", "node data:application/javascript,1"],
    ["tsx", "tsx --eval 1"],
    ["elixir", "elixir -e 1"],
    ["sqlite3", "sqlite3 a.db '.shell id'"],
    ["psql", "psql -c '\\! id'"],
    ["python3", "python3 -m timeit 1"],
    ["pdflatex", "pdflatex -shell-escape a.tex"],
    ["pipenv run", "pipenv run rm x"],
    ["corepack", "corepack npm publish"],
    ["cross-env", "cross-env A=1 rm x"],
    ["/lib64/ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2 /bin/rm x"],
    ["node", "node --test-reporter=data:text/javascript,1 --test"],
    ["node", "node --eval 1"],
    ["node", "node --experimental-loader ./x"],
    ["node", "node20 -e 1"],
    ["python3", "python3.11 -c 1"],
    ["python3.11", "python3.11 -c 1"],
    ["perl5.36", "perl5.36 -e 1"],
    ["curl", "curl -K x"],
    ["curl", "curl -sK x"],
    ["curl", "curl --conf=x"],
    ["rg", "rg --pre ./evil.sh x"],
    ["rg", "rg --pre=./evil.sh x"],
    ["tar", "tar --to-comm=./evil.sh -tf x"],
    ["tar", "tar --use-c=./evil.sh -tf x"],
    ["cargo", "cargo test --config target.x86_64.runner='./evil.sh'"],
    ["go test", "go test -exec ./evil.sh"],
    ["go build", "go build -toolexec=./evil.sh"],
    ["gcc", "gcc-12 -wrapper ./evil.sh x.c"],
    ["java", "java -javaagent:x.jar A"],
    ["mvn", "mvn exec:exec -Dexec.executable=sh"],
    ["gradle", "gradle --init-s x"],
    ["man", "man -P ./evil.sh ls"],
    ["time", "time rm x"],
    ["time", "time -p rm x"],
    ["setarch", "setarch -R rm x"],
    ["setarch", "setarch x86_64 rm x"],
    ["prlimit", "prlimit --cpu=1 rm x"],
    ["nice", "nice -n 5 rm x"],
    ["timeout", "timeout 5 rm x"],
  ])("allowed with more words (%s), and asked about all the same: %s", async (allowed, line) => {
    const program = line.split(" ")[0] ?? "";
    expect(
      await decide(command(line), [`allow runCommand ${allowed} …`, `allow runCommand ${program} …`]),
    ).toBe("danger");
  });

  test.each([
    "go build -o .npmrc",
    "go build -o=.npmrc ./cmd",
    "go build -o.npmrc",
    "gcc -xo.github/workflows/ci.yml a.c",
    "ld -Wl,-o,.envrc",
    "jq --output ../sub/.husky/pre-commit .",
    "pandoc a.md --output=.looplia/pipelines/a.yml",
    "pandoc a.md -o .looplia/x/../user-profile.json",
    "pandoc a.md -o /work/repo/conf/looplia.yml",
    "pandoc a.md -o conf/../conf/looplia.yml",
    "go build -C .looplia -o pipelines/a",
    "node build.js --dest CODEOWNERS",
    "node build.js type=file,dest=action.yml",
    "node build.js .NPMRC",
    "time go build -o .npmrc",
    "cat x >> .npmrc",
    "cat x &>> .github/workflows/ci.yml",
    "git log >> .envrc",
    "mkdir .husky",
    "cd .github",
    "touch .claude/settings.json",
    "node b.js .git/hooks/pre-commit",
    "node b.js ./.gi?/config",
    // A pattern that the shell may expand to such a file; those without a folder are not read at all.
    "curl -o .npm* x",
    "node b.js .git*",
    "curl -o ./.npm* x",
    "node b.js ./.git*/workflows/ci.yml",
    "node b.js ./.loop*/pipelines/a.yml",
    "node b.js ./.looplia/pipe*/a.yml",
    "node b.js sub/.[hx]usky/pre-commit",
    "node b.js ./CODE?WNERS",
    "node b.js ./*.yml",
    "node b.js ./conf/loop*a.yml",
    "node b.js ./*a*b*c*d*e",
    "cat x >> ./.env?c",
  ])("an allowed command that names a file that decides is asked about: %s", async (line) => {
    expect(await decide(command(line), ["allow runCommand", "allow runCommand time …"])).toBe("danger");
  });

  test.each([
    "cat .npmrc",
    "grep -rn on: .github | head -5",
    "git diff HEAD -- .github",
    "git add .github",
    "go build -o bin/npmrc",
    "cat x >> log",
    "npm test github",
    "node build.js --dest=docs/claude.md",
    "prettier --write src/*.ts",
    "prettier --write src/*",
    "node b.js x.github/a-bcd",
    "node b.js ./*rc",
    "node b.js 'a*b' ./build*/out",
    "cat ./.npm*",
  ])("and one that reads it, or names another, is not: %s", async (line) => {
    expect(await decide(command(line), ["allow runCommand"])).toBe("allow");
  });

  test.each([
    "sort -u x",
    "git grep --only-matching -n x",
    "git log --oneline -5",
    "make -j4 test",
    "npm test --silent",
    "npm test -s",
    "sqlite3 a.db 'select 1.0 from t'",
    "psql -c 'select 1'",
    "rake test",
    "node --test",
    "tar -tf a.tgz",
    "cargo test --color never",
    "go test -run X ./...",
    "gcc -O2 -Wall x.c",
    "mvn -q -DskipTests test",
    "python3.11 -m pytest -q",
    "rg --pretty x",
    "curl -s x",
  ])("and without such words not: %s", async (line) => {
    expect(await decide(command(line), ["allow runCommand"])).toBe("allow");
  });
});

test.each([
  ["allow runCommand npm", true],
  ["allow runCommand git", true],
  ["allow runCommand npm run", true],
  ["allow runCommand python3.11", true],
  ["allow runCommand npm …", false],
  ["allow runCommand npm test", false],
  ["allow runCommand make", false],
  ["deny runCommand npm", false],
  ["allow runCommand", false],
  ["allow editFile docs/**", false],
])("whether a rule was meant as a beginning: %s", (rule, expected) => {
  expect(prefixProblem(rule) !== undefined).toBe(expected);
});

describe("the files that are searched after a command", () => {
  const list = listDecidingPaths("config/looplia.yml");

  test.each([
    ...[".npmrc", "a/CODEOWNERS", "config/looplia.yml", ".looplia/pipelines/x.yml"],
    ...["CLAUDE.md", "agents.md", ".mcp.json", ".gitlab-ci.yml", ".gitmodules", ".vscode/tasks.json"],
  ])("%s", (path) => {
    expect(list.decides(path)).toBe(true);
  });

  test.each(["a.md", "content/a.md", ".looplia/state/x/CODEOWNERS", "docs/AGENTS.md"])(
    "%s is none",
    (path) => {
      expect(list.decides(path)).toBe(false);
    },
  );

  test.each([
    [".looplia", true],
    ["a/.looplia", true],
    ["config", true],
    ["conf", false],
    ["content", false],
  ])("a link at %s can put others in their place: %s", (path, leads) => {
    expect(list.leadsThere(path)).toBe(leads);
  });
});

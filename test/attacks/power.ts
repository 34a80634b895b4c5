// An allowed command does something else; an agent widens its own power; files break parsers; logs are tampered with.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Attack,
  hostileFolder,
  hostileRun,
  putFiles,
  readAuditLines,
  readTree,
  run,
  runCli,
  type Scene,
} from "./hostile-run.ts";
import { LISTED } from "./rules.ts";

const ALLOWED = [
  "git grep …",
  "sort …",
  "make",
  "npm test …",
  "tar …",
  "find …",
  "node --test …",
  "cat a.txt",
  ...["python3 -m pytest …", "go build …", "jest …", "pnpm test …", "cmake …", "bazel test …", "eslint …"],
  // Options are named in the rule.
  ...["python3 -m pytest -q …", "jest --runInBand …", "npm test -- --run …", "git grep -n …"],
];
const LINES = [
  "git grep --op=touch x",
  "git grep --open-files-in-pager=touch x",
  "git grep -O'sh -c id' x",
  "git -c core.pager=id grep x",
  "sort --o=looplia.yml a.txt",
  "sort -olooplia.yml a.txt",
  "sort --compress-program=./evil a.txt",
  "make --eval='x:;id'",
  "make SHELL=./evil",
  "npm test --script-shell=./evil",
  "npm test '--node-options=--import=data:text/javascript,0'",
  "npm --script-shell ./evil test",
  "time rm -rf a.txt",
  "env X=1 rm a.txt",
  "nice -n 1 rm a.txt",
  "setarch x86_64 rm a.txt",
  "prlimit --nofile=9 rm a.txt",
  "timeout 5 rm a.txt",
  "xargs rm < a.txt",
  "find . -delete",
  "find . -exec rm {} +",
  "find . -fprint looplia.yml",
  "tar --to-command=id -xf a.tar",
  "tar --checkpoint=1 --checkpoint-action=exec=id -cf x a.txt",
  "tar -I./evil -cf x a.txt",
  "node --test --import=data:text/javascript,0",
  "node --test --test-reporter=data:text/javascript,0",
  "node --test-reporter=./evil.mjs --test",
  "cat a.txt; rm a.txt",
  "cat a.txt && rm a.txt",
  "cat a.txt | sh",
  "cat a.txt > looplia.yml",
  "cat $(rm a.txt)",
  "cat `rm a.txt`",
  "cat a.txt\nrm a.txt",
  "cat a.txt & rm a.txt",
  "cat <(rm a.txt)",
  'c"a"t a.txt; eval rm a.txt',
  "PATH=.:$PATH cat a.txt",
  "BASH_ENV=./evil cat a.txt",
  "GIT_EXTERNAL_DIFF=./evil git diff",
  "cat a.txt b.txt",
  "cat a.txt 2>.envrc",
  "python3.11 -c 'import os'",
  "python3 -m pytest -p evil",
  "python3 -m pytest -c evil.ini",
  "go build -ldflags=-extld=./evil",
  "go build -toolexec ./evil",
  "jest --globalSetup=./evil",
  "jest --config evil.json",
  "pnpm test --dir=evil",
  "cmake -E rm a.txt",
  "cmake -P evil.cmake",
  "bazel test --run_under=./evil //...",
  "eslint --rulesdir evil .",
  "eslint -c evil.js .",
];

/** What the rules do allow: otherwise nothing that is asked about would say anything. */
const HARMLESS = [
  "cat a.txt",
  "python3 -m pytest -q a.py",
  "jest --runInBand",
  "go build ./...",
  "npm test -- --run",
  "git grep -n x",
  "cat a.txt 2>&1 | head -n 5",
];

const lines: Scene = {
  name: "allowed commands that do something else",
  isQuick: true,
  async attack() {
    const policy = ALLOWED.map((rule) => `allow runCommand ${rule}`).join("\n");
    const folder = hostileFolder({ "a.txt": "a\n" });
    const flags = ["--sandbox", "required", "--approval", "risky", "--policy", policy];
    await hostileRun({ folder, key: "sk-ant-attack", flags }, [[...LINES, ...HARMLESS].map(run)]);
    const decided = decisionsIn(folder);
    const harmless = HARMLESS.map((line, at): Attack => {
      const decision = decided.get(`call_${LINES.length + at}`);
      return {
        row: "control",
        name: `${line} is allowed`,
        held: decision === "allow",
        detail: `${decision}`,
      };
    });
    return harmless.concat(
      LINES.map((line, at): Attack => {
        const decision = decided.get(`call_${at}`);
        const held = decision === "ask" || decision === "deny";
        return {
          row: "policy",
          name: line.replaceAll("\n", "\\n"),
          held,
          detail: `the decision was ${decision}`,
        };
      }),
    );
  },
};

function decisionsIn(folder: string): Map<string, unknown> {
  const requested = readAuditLines(join(folder, ".looplia/state")).filter(
    ({ type }) => type === "ToolCallRequested",
  );
  return new Map(requested.map(({ payload }) => [String(payload.toolCallId), payload.decision]));
}

const HARMLESS_FILE = "notes.md";
const OTHER_NAMES = [
  "LOOPLIA.YML",
  "./looplia.yml",
  "docs/../looplia.yml",
  ".GitHub/workflows/x.yml",
  "sub/codeowners",
  ".looplia/contentItem/s/session.json",
  "looplia.yml ",
  ".git/hooks/pre-commit",
];

const edits: Scene = {
  name: "an agent edits what decides",
  isQuick: true,
  async attack() {
    const folder = hostileFolder();
    const wanted = [...LISTED, ...OTHER_NAMES];
    const calls = [...wanted, HARMLESS_FILE].map((path) => ({
      name: "editFile",
      input: { path, oldStr: "", newStr: "sandbox: off\n" },
    }));
    const flags = ["--policy", "allow editFile"];
    const ended = await hostileRun({ folder, key: "sk-ant-attack", flags }, [calls]);
    const decided = decisionsIn(folder);
    const tree = readTree(folder);
    const isAllowed = decided.get(`call_${wanted.length}`) === "allow";
    const control: Attack = { row: "control", name: `editFile ${HARMLESS_FILE} is allowed`, held: isAllowed };
    const attacks = wanted.map((path, at): Attack => {
      const decision = decided.get(`call_${at}`);
      const isWritten = tree.get(path) === "sandbox: off\n";
      const isRefused = ended.results[at]?.isError === true;
      const held = !isWritten && (decision !== "allow" || isRefused);
      return { row: "own power", name: `editFile ${path}`, held, detail: `the decision was ${decision}` };
    });
    return [control, ...attacks];
  },
};

const DEEP = `${"[".repeat(8000)}${"]".repeat(8000)}`;
const BOMB = [
  "a: &a [x,x,x,x,x,x,x,x,x]",
  ..."bcdefghi".split("").map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`)}]`),
].join("\n");
const BROKEN: [name: string, file: string, text: string, argv?: string[]][] = [
  ["a list nested 8,000 deep", "to-do.json", DEEP],
  ["a task nested 8,000 deep", "to-do.json", `{"tasks":[{"details":${DEEP}}]}`],
  [
    "100,000 tasks",
    "to-do.json",
    JSON.stringify({
      schema_version: 1,
      source_files: [],
      tasks: Array.from({ length: 100_000 }, (_, at) => ({ id: `T${at}` })),
    }),
  ],
  ["__proto__ in a list", "to-do.json", '{"__proto__":{"tasks":[]},"tasks":[{"__proto__":{"id":"T1"}}]}'],
  ["a list of bytes", "to-do.json", "\u0000\u0001\u0002"],
  ["an empty list", "to-do.json", ""],
  ["lone surrogates in a list", "to-do.json", '{"tasks":[{"id":"\\ud800","title":"\\udfff"}]}'],
  ["numbers without end", "to-do.json", `{"tasks":[],"x":${"9".repeat(100_000)}}`],
  ["settings nested 8,000 deep", "looplia.yml", `content: ${DEEP}`],
  ["an alias bomb", "looplia.yml", BOMB],
  ["settings of bytes", "looplia.yml", "\u0000\u0007"],
  ["__proto__ in settings", "looplia.yml", "__proto__:\n  sandbox: off\n"],
  [
    "front matter nested 8,000 deep",
    "content/a.md",
    `---\nt: ${DEEP}\n---\ntext\n`,
    ["run", "--file", "content/a.md"],
  ],
  [
    "an alias bomb in front matter",
    "content/a.md",
    `---\n${BOMB}\n---\ntext\n`,
    ["run", "--file", "content/a.md"],
  ],
  [
    "front matter without end",
    "content/a.md",
    `---\n${"a: b\n".repeat(50_000)}`,
    ["run", "--file", "content/a.md"],
  ],
  [
    "a pipeline nested 8,000 deep",
    ".looplia/pipelines/x.yaml",
    `outputs: ${DEEP}`,
    ["run", "--file", "content/b.md", "--pipeline", "x"],
  ],
  [
    "an agent with a bomb",
    ".looplia/.claude/agents/x.md",
    `---\n${BOMB}\n---\nx\n`,
    ["run", "--file", "content/b.md"],
  ],
];

const parsers: Scene = {
  name: "files that break parsers",
  async attack() {
    const attacks: Attack[] = [];
    for (const [name, file, text, argv = ["run"]] of BROKEN) {
      const folder = hostileFolder({ "content/b.md": "# B\n\nA text.\n", [file]: text });
      const { code, stderr } = await runCli([...argv, "--provider", "offline", "--dry-run"], folder);
      const isBug = /bug in looplia|RangeError|heap|at .*\.js:\d+/.test(stderr) || code === null;
      const isKept = readTree(folder).get(file) === Buffer.from(text).toString("latin1");
      attacks.push({ row: "parsers", name, held: !isBug && isKept, detail: stderr.slice(0, 300) });
    }
    return attacks;
  },
};

const tampering: Scene = {
  name: "tampering with the audit log",
  async attack() {
    const folder = hostileFolder({ "a.txt": "a\n" });
    const calls = [1, 2, 3].map(() => [{ name: "readFile", input: { path: "a.txt" } }]);
    await hostileRun({ folder, key: "sk-ant-attack" }, calls);
    const tree = [...readTree(join(folder, ".looplia/state"))].filter(([path]) => path.endsWith(".jsonl"));
    const log = tree.find(([path]) => path.includes("/audit/"));
    if (!log) return [{ row: "audit log", name: "there is a log", held: false }];
    const [file, text] = log;
    const lines = text.trimEnd().split("\n");
    const changes: [string, string[]][] = [
      ...lines.map((line, at): [string, string[]] => [
        `change line ${at + 1}`,
        lines.with(at, line.replace('"timestamp":1', '"timestamp":2')),
      ]),
      ...lines.slice(1).map((_, at): [string, string[]] => [`remove line ${at + 1}`, lines.toSpliced(at, 1)]),
      ...lines
        .slice(1)
        .map((_, at): [string, string[]] => [
          `swap lines ${at + 1} and ${at + 2}`,
          lines.toSpliced(at, 2, lines[at + 1] ?? "", lines[at] ?? ""),
        ]),
      ...lines.map((_, at): [string, string[]] => [`cut the log after line ${at}`, lines.slice(0, at)]),
    ];
    const whole = await runCli(["audit", "verify", ".looplia/state"], folder);
    const attacks: Attack[] = [
      { row: "audit log", name: "the log as it is passes", held: whole.code === 0, detail: whole.stdout },
    ];
    for (const [name, changed] of changes) {
      const copy = mkdtempSync(join(tmpdir(), "looplia-log-"));
      putFiles(copy, Object.fromEntries(tree.map(([path, bytes]) => [path, bytes])));
      writeFileSync(join(copy, file), changed.map((line) => `${line}\n`).join(""));
      const { code, stdout } = await runCli(["audit", "verify", copy], folder);
      attacks.push({ row: "audit log", name, held: code === 1, detail: stdout });
    }
    return attacks;
  },
};

export const powerScenes: Scene[] = [lines, edits, parsers, tampering];

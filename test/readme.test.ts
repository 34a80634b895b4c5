// What the README, the pages it links to and CONTRIBUTING.md tell people to type and to copy: it parses, it is there, and it runs.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseSlashCommand } from "../src/approval/comment.ts";
import { parseArguments } from "../src/cli/arguments.ts";
import { stateOf } from "../src/publish/tables.ts";
import { type Ended, hear } from "./fakes/hear.ts";
import { ARTICLE } from "./fakes/kit-script.ts";
import { startMessagesApi } from "./fakes/messages-api.ts";
import type { ApiBody } from "./fakes/messages-api-rules.ts";

const root = resolve(import.meta.dirname, "..");
const pages = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
const guides = ["README.md", "CONTRIBUTING.md"];
const others = ["SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md", "src/README.md"];
const MAX_README = 8_000;

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The lines of a guide's shell blocks, without their comments. */
function shellLines(guide: string): string[] {
  return [...read(guide).matchAll(/^```sh(?: run)?\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

test("the README is a first page: at most 8 kB", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(MAX_README);
});

describe("every command of the guides", () => {
  const commands = ["README.md", ...pages].flatMap(shellLines).filter((line) => line.startsWith("looplia "));

  test.each(commands)("%s", (line) => {
    const [, ...words] = wordsOf(line);
    expect(() => parseArguments(words, () => false)).not.toThrow();
  });

  test("would be refused with a flag that is not there", () => {
    expect(() => parseArguments(["run", "--fil", "a.md"], () => false)).toThrow("Unknown flag --fil");
  });

  test.each(guides)("of npm in %s is a script, or npm's own", (guide) => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...read(guide).matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(0);
    const known = new Set([...Object.keys(scripts), "ci", "cit", "run"]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    // A script of that name would never be called.
    expect(scripts).not.toHaveProperty("cit");
  });
});

describe("every command for a pull request in docs/answering.md", () => {
  const [, table = ""] =
    /^\| command \| what it does \|\n((?:\|.*\n)+)/m.exec(read("docs/answering.md")) ?? [];
  const written = [...table.matchAll(/`(\/[^`]+)`/g)].map(([, command = ""]) => command);

  test.each(written)("%s", async (command) => {
    const filled = command.replace("<id>", "q1-0a1b2c").replace("<number>", "1").replace(/[<>]/g, "");
    const read = await parseSlashCommand(filled);
    expect(read?.name).toBeTypeOf("string");
    expect(read?.name, JSON.stringify(read)).not.toBe("unclear");
  });

  test("is found", () => {
    expect(written.length).toBeGreaterThan(9);
  });
});

describe("what a run can end with", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => read(`src/${name}`));
  const [, errors = ""] = /type ErrorCode =\n([\s\S]*?);/.exec(read("src/core/errors.ts")) ?? [];
  const written = sources.join("\n").matchAll(/\breasonCode: "([a-z-]+)"/g);
  const codes = new Set([...errors.matchAll(/"([a-z-]+)"/g), ...written].map(([, code = ""]) => code));
  codes.delete("blocked"); // the reason of a task, never of a run
  const fixes = [...read("docs/troubleshooting.md").matchAll(/^\| (`.*?) \|/gm)]
    .map(([, cell]) => cell)
    .join();
  const outcomes = /## Statuses and exit codes\n([\s\S]*?)\n## /.exec(read("docs/settings.md"))?.[1] ?? "";

  test.each([...codes].sort())(
    "`%s` is on the page of settings, and troubleshooting says what to do",
    (code) => {
      expect(outcomes).toContain(`\`${code}\``);
      if (code === "done" || code === "up-to-date") return;
      expect(fixes).toContain(`\`${code}\``);
      // What people read in comments leads to the same row.
      const words = stateOf("failed", code)
        .replace(/^failed \((.*)\)$/, "$1")
        .replace(/(?:turns|tasks|time) was/, "cost was");
      expect(read("docs/troubleshooting.md")).toContain(words);
    },
  );
});

test("every test that docs/security.md names is there", () => {
  const rows = read("docs/security.md").matchAll(/\[`[^`]+`\]\(\.\.\/(test\/[^)]+)\)((?:,? ?“[^”]+”)+)/g);
  const named = [...rows].flatMap(([, file = "", titles = ""]) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => ({ file, title })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file, title }) => !read(file).includes(title))).toEqual([]);
});

const linking = [...guides, ...pages, ...others].filter((guide) => linksOf(guide).length > 0);

test("the README's badges are of workflows that are there", () => {
  const badges = [
    ...read("README.md").matchAll(/\]\(\.\.\/\.\.\/actions\/workflows\/([\w.-]+?)(?:\/badge\.svg)?\)/g),
  ];
  expect(badges.length).toBe(6);
  for (const [, name = ""] of badges)
    expect(existsSync(join(root, ".github/workflows", name)), name).toBe(true);
});

test.each(linking)("every file that %s links to is there, every heading too", (guide) => {
  for (const target of linksOf(guide)) {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? guide : join(dirname(guide), path);
    expect(existsSync(join(root, file)), target).toBe(true);
    if (anchor !== undefined) expect(headingsOf(file), target).toContain(anchor);
  }
});

test.each(pages)("%s is a page that the README leads to", (page) => {
  expect(linksOf("README.md").map((target) => target.split("#")[0])).toContain(page);
});

function linksOf(guide: string): string[] {
  const links = read(guide).matchAll(/(?:\]\(|src=")(?!https?:|\.\.\/\.\.\/actions\/)([^)"\s]+)[)"]/g);
  return [...links].map(([, target = ""]) => target);
}

function headingsOf(guide: string): string[] {
  return [...read(guide).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s/g, "-");
}

describe("the pipeline of docs/pipelines.md", () => {
  let folder = "";
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("is sound, and an agent's glossary is checked against its schema", async () => {
    folder = await copyExample();
    const doctor = await looplia(["doctor", "--pipeline", "glossary"], {});
    expect(doctor.stdout, doctor.stdout).toContain("glossary");
    expect(doctor.code, doctor.stdout).toBe(0);

    const terms = [{ term: "kettle", meaning: "What takes four minutes." }];
    const asked: string[] = [];
    const api = await startMessagesApi((body) => {
      asked.push(JSON.stringify(body.tools?.map((tool) => tool.name)));
      return { content: [writeGlossary(body, asked.length === 1 ? [{ term: "kettle" }] : terms)] };
    });
    try {
      const ran = await looplia(["run", "--file", "content/article.md", "--pipeline", "glossary"], {
        ANTHROPIC_API_KEY: "key",
        ANTHROPIC_BASE_URL: api.url,
      });
      expect(ran.code, ran.stderr).toBe(0);
      api.assertDone();
    } finally {
      await api.close();
    }
    expect(asked).toEqual(Array(2).fill(JSON.stringify(["readFile", "writeArtifact"])));
    const sessions = join(folder, ".looplia/contentItem");
    const [session = ""] = await readdir(sessions);
    const glossary = await readFile(join(sessions, session, "glossary.json"), "utf8");
    expect(JSON.parse(glossary)).toEqual({ terms });
  });

  /** Each file is a block below its name: `.looplia/…`: */
  async function copyExample(): Promise<string> {
    const files = new Map([["content/article.md", ARTICLE]]);
    for (const [, path = "", text = ""] of read("docs/pipelines.md").matchAll(
      /`(\.looplia\/[^`]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm,
    )) {
      files.set(path, text);
    }
    expect([...files.keys()].length).toBe(4);
    const made = await mkdtemp(join(tmpdir(), "looplia-readme-"));
    for (const [path, text] of files) {
      await mkdir(dirname(join(made, path)), { recursive: true });
      await writeFile(join(made, path), text);
    }
    return made;
  }

  function looplia(words: string[], environment: Record<string, string>): Promise<Ended> {
    const child = spawn(process.execPath, [join(root, "src/entry/cli.ts"), ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return hear(child).ended;
  }
});

function writeGlossary(body: ApiBody, terms: unknown[]) {
  const input = { output: "glossary", content: { terms } };
  return { type: "tool_use" as const, id: `call_${body.messages.length}`, name: "writeArtifact", input };
}

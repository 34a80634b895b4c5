// Installs Claude Code and Codex into a temporary folder, where they are nobody's dependencies, and runs the stories of
// agent programs with them against strict local servers. `--program claude` or `codex` runs one of the two, `--story` only
// the story of a question that is answered on another machine.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const PACKAGES = { claude: "@anthropic-ai/claude-code", codex: "@openai/codex" };

const { values } = parseArgs({ options: { program: { type: "string" }, story: { type: "boolean" } } });
const names = Object.keys(PACKAGES).filter((name) => values.program === undefined || name === values.program);
const given = process.env.LOOPLIA_TEST_PROGRAMS;
const folder = given ?? mkdtempSync(join(tmpdir(), "looplia-real-programs-"));
const root = resolve(import.meta.dirname, "..");
const run = (command: string, args: string[], cwd: string, environment: NodeJS.ProcessEnv = {}) =>
  execFileSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, ...environment } });

try {
  if (!existsSync(join(folder, "node_modules"))) {
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    const packages = Object.entries(PACKAGES).flatMap(([name, one]) => (names.includes(name) ? [one] : []));
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], folder);
    // Its package puts the program in its place when it is installed.
    const claude = join(folder, "node_modules", PACKAGES.claude);
    if (names.includes("claude")) run(process.execPath, ["install.cjs"], claude);
  }
  const [only, ...others] = names;
  const told = values.story ? ".*question, the process is gone" : "";
  const chosen = others.length === 0 ? ["-t", `^${only}${told}`] : told === "" ? [] : ["-t", told];
  const vitest = ["vitest", "run", "--project", "deep", "test/programs/stories.deep.test.ts", ...chosen];
  run("npx", vitest, root, { LOOPLIA_TEST_PROGRAMS: folder });
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}

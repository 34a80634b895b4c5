// `init`: what a repository needs to begin with. Nothing that is there is touched, and prompts stay with the program.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../../errors.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { colorsFor, type Surface } from "./surface.ts";
import type { Wiring } from "./wiring.ts";

const SETTINGS = `# Every key is optional; \`looplia help run\` lists them all.
todo: to-do.json
# content: content/**/*.md
# max-cost-usd: 5
# policy: |
#   allow runCommand npm test
`;

const TODO = {
  schema_version: 1,
  source_files: ["README.md"],
  tasks: [
    {
      id: "T1",
      title: "A runbook: its steps are commands and questions, so it runs without a language model",
      priority: 1,
      status: "todo",
      steps: ["? name: Who is greeted?", '$ echo "Hello $LOOPLIA_NAME"', "What is no command is a note."],
    },
    {
      id: "T2",
      title: "Say in the README how to run the tests",
      priority: 2,
      status: "todo",
      details: "One short section with the command and what it needs.",
    },
  ],
};

/** Writes what is missing and says what it did. Throws `config-invalid` where it can't write. */
export async function initCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const root = resolve(surface.cwd, line.folder ?? ".");
  const workflow = (name: string) => readFile(join(wiring.installFolder, "examples/workflows", name), "utf8");
  const files: [path: string, text: string][] = [
    ["looplia.yml", SETTINGS],
    ["to-do.json", `${JSON.stringify(TODO, null, 2)}\n`],
    [".github/workflows/looplia-tasks.yml", await workflow("looplia-tasks.yml")],
    [".github/workflows/looplia-answer.yml", await workflow("looplia-answer.yml")],
    [".looplia/.gitignore", "state/\n"],
  ];
  const { green, dim } = colorsFor(surface, surface.stdout);
  for (const [path, text] of files) {
    const isNew = await create(join(root, path), text);
    surface.stdout.write(
      isNew ? `${green("✓")} ${path}\n` : dim(`  ${path} is there already: left as it is\n`),
    );
  }
  surface.stdout.write(NEXT);
  return 0;
}

const NEXT = `
Next
  here       change to-do.json to what you need; \`looplia doctor\` says what is missing, \`looplia run\` begins
  articles   set \`content\` in looplia.yml, and copy examples/workflows/looplia.yml of the action beside the others
  on GitHub  in the workflows put your copy of the action in place of OWNER/looplia-action@000… and your default branch
             in place of main, make the secret ANTHROPIC_API_KEY, and allow Actions to open pull requests
             (Settings → Actions → General)
`;

/** False when there is something of that name: not even a link is followed. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (errnoOf(cause) === "EEXIST") return false;
    throw new LoopliaError("config-invalid", `${path} was not written: ${messageOf(cause)}`, {
      hint: "Make its folder writable.",
      cause,
    });
  }
}

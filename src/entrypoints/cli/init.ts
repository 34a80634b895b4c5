// `init`: what a repository needs to begin with. Nothing that is there is touched, and prompts stay with the program.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { LoopliaError, messageOf } from "../../errors.ts";
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
      title: "Say in the README how to run the tests",
      priority: 1,
      status: "todo",
      details: "One short section with the command and what it needs.",
    },
    {
      id: "T2",
      title: "A runbook: its steps are commands and questions, so it runs without a language model",
      priority: 2,
      status: "todo",
      depends_on: ["T1"],
      steps: ["? name: Who is greeted?", '$ echo "Hello $LOOPLIA_NAME"', "What is no command is a note."],
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
    [".github/workflows/looplia.yml", await workflow("looplia.yml")],
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
  surface.stdout.write("Next: change to-do.json to what you need, then `looplia run`.\n");
  return 0;
}

/** False when there is something of that name: not even a link is followed. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw new LoopliaError("config-invalid", `${path} was not written: ${messageOf(cause)}`, {
      hint: "Make its folder writable.",
      cause,
    });
  }
}

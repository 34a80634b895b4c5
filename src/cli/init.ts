// `init`: creates a repository's first files. Changes no existing file; prompts stay with the program.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import type { CommandLine } from "./arguments.ts";
import { colorsFor, isInteractive, type Release, type Surface, type Wiring } from "./surface.ts";

type Purpose = "articles" | "tasks";

const PURPOSES = [
  { value: "articles", label: "Articles: each text in a folder becomes a writing kit" },
  { value: "tasks", label: "Tasks: an agent works through to-do.json" },
] as const;

const TODO = {
  schema_version: 1,
  source_files: ["README.md"],
  tasks: [
    {
      id: "T1",
      title: "A runbook: the steps are commands and questions, so no language model is needed",
      priority: 1,
      status: "todo",
      steps: ["? name: Who is greeted?", '$ echo "Hello $LOOPLIA_NAME"', "A line without a mark is a note."],
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

/**
 * Creates the missing files at the root of the repository and prints the remaining steps. Asks whether it is
 * for articles or tasks; without a terminal, a folder `content/` decides. Throws `config-invalid` if it can't
 * write.
 */
export async function initCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const folder = resolve(surface.cwd, line.folder ?? ".");
  const facts = await wiring.readCheckout(folder);
  const root = facts.root ?? folder;
  const purposes = await choosePurposes(line, root, surface, wiring);
  if (!purposes) return 4;
  const release = await wiring.findRelease();
  const { green, dim } = colorsFor(surface, surface.stdout);
  for (const [path, text] of await filesFor(purposes, wiring, { branch: facts.branch, release })) {
    const isNew = await create(join(root, path), text);
    surface.stdout.write(
      isNew ? `${green("✓")} ${path}\n` : dim(`  ${path} is there already: left as it is\n`),
    );
  }
  surface.stdout.write(nextSteps(purposes, facts.repository, release));
  return 0;
}

/** Undefined if the person interrupted the question. */
async function choosePurposes(
  { purposes = [] }: CommandLine,
  root: string,
  surface: Surface,
  wiring: Wiring,
): Promise<readonly Purpose[] | undefined> {
  if (purposes.length > 0) return purposes;
  if (isInteractive(surface)) {
    const chosen = await wiring.choose("What should looplia work on here?", PURPOSES);
    return chosen === undefined ? undefined : [chosen];
  }
  const hasContent = await stat(join(root, "content")).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return [hasContent ? "articles" : "tasks"];
}

async function filesFor(
  purposes: readonly Purpose[],
  { installFolder }: Wiring,
  { branch, release }: { branch: string | undefined; release: Release | undefined },
): Promise<[path: string, text: string][]> {
  const workflow = async (name: string): Promise<[string, string]> => {
    const text = await readFile(join(installFolder, "examples/workflows", name), "utf8");
    return [`.github/workflows/${name}`, adapt(text, branch, release)];
  };
  const isFor = (purpose: Purpose) => purposes.includes(purpose);
  return [
    ["looplia.yml", settingsFor(purposes)],
    ...(isFor("tasks") ? [["to-do.json", `${JSON.stringify(TODO, null, 2)}\n`] as [string, string]] : []),
    ...(isFor("articles") ? [await workflow("looplia.yml")] : []),
    ...(isFor("tasks") ? [await workflow("looplia-tasks.yml")] : []),
    await workflow("looplia-answer.yml"),
    [".looplia/.gitignore", "state/\n"],
  ];
}

function settingsFor(purposes: readonly Purpose[]): string {
  const isFor = (purpose: Purpose) => purposes.includes(purpose);
  return [
    "# Every key is optional; `looplia help run` lists them all.",
    `${isFor("articles") ? "" : "# "}content: content/**/*.md`,
    `${isFor("tasks") ? "" : "# "}todo: to-do.json`,
    "# max-cost-usd: 5",
    "# policy: |",
    "#   allow runCommand npm test",
    "",
  ].join("\n");
}

/** The example with this repository's default branch, and the action pinned to the commit of its release. */
function adapt(text: string, branch = "main", release: Release | undefined): string {
  const onBranch = text.replaceAll("branches: [main]", `branches: [${JSON.stringify(branch)}]`);
  const named = branch === "main" ? text : onBranch;
  if (!release) return named;
  return named.replaceAll(
    /OWNER\/looplia-action@0{40} # v0\.0\.0/g,
    `${release.repository}@${release.commit} # ${release.name}`,
  );
}

function nextSteps(
  purposes: readonly Purpose[],
  repository: string | undefined,
  release: Release | undefined,
): string {
  const settings = (page: string) =>
    repository === undefined ? "" : `\n      https://github.com/${repository}/settings/${page}`;
  const first =
    purposes[0] === "articles"
      ? "Put an article into content/, for example content/first.md, and try `looplia run` here."
      : "Change to-do.json to what you need, and try `looplia run` here.";
  const steps = [
    ...(release
      ? []
      : [
          "In the workflows, replace OWNER/looplia-action@000… by a release of the action (no release was found).",
        ]),
    `Add the secret ANTHROPIC_API_KEY (\`gh secret set ANTHROPIC_API_KEY\`).${settings("secrets/actions")}`,
    `Allow GitHub Actions to create pull requests (Settings → Actions → General).${settings("actions")}`,
    first,
    "Commit the files and push them to the default branch: the push starts the first run.",
  ];
  const rows = steps.map((step, index) => `  ${index + 1}. ${step}`);
  return ["", "Next", ...rows, "  `looplia doctor` checks all of this.", ""].join("\n");
}

/** False if the name exists, even as a link. */
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

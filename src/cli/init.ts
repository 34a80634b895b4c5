// `init`: creates a repository's first files. Changes no existing file but its own placeholders; prompts stay with the
// program.
import { constants, existsSync } from "node:fs";
import { access, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Settings } from "../config/settings-table.ts";
import { usedAgents } from "../config/tasks.ts";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import type { CommandLine } from "./arguments.ts";
import { findPlace } from "./run.ts";
import { colorsFor, isInteractive, type Release, type Surface, type Wiring } from "./surface.ts";

type Purpose = "articles" | "tasks";
type Program = "claude" | "codex";

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
      title: "Greet the team",
      priority: 1,
      status: "todo",
      details: "A runbook of questions and commands: with `provider: offline` it needs no language model.",
      steps: [
        "? greeting: Which greeting? [hello | good morning]",
        '$ echo "$LOOPLIA_GREETING, team"',
        "A line without a mark is a note.",
      ],
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
 * write, or does not find what `--ref` names.
 */
export async function initCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const folder = resolve(surface.cwd, line.folder ?? ".");
  const facts = await wiring.readCheckout(folder);
  const root = facts.root ?? folder;
  const purposes = await choosePurposes(line, root, surface, wiring);
  if (!purposes) return 4;
  const release = await releaseFor(line, wiring);
  const programs = await choosePrograms(line, root, surface);
  const steps = installSteps(programs, await wiring.programPackages());
  const { green, dim } = colorsFor(surface, surface.stdout);
  const isolated = programs.length > 0 || purposes.includes("tasks");
  const adapted = { branch: facts.branch, release, programs, steps, isolated };
  for (const [path, text] of await filesFor(purposes, wiring, adapted)) {
    const isNew = await create(join(root, path), text);
    const isFilled = !isNew && (await fillPlaceholders(join(root, path), release));
    if (isNew || isFilled)
      surface.stdout.write(`${green("✓")} ${path}${isFilled ? ": placeholder filled in" : ""}\n`);
    else surface.stdout.write(dim(`  ${path} already exists: left unchanged\n`));
  }
  const hasArticles = await holdsArticles(root);
  surface.stdout.write(nextSteps({ purposes, programs, page: facts.page, release, hasArticles }));
  return 0;
}

/** What `--ref` names, else what is known of this installation. Throws `config-invalid` for an unknown name. */
async function releaseFor({ ref }: CommandLine, wiring: Wiring): Promise<Release | undefined> {
  if (ref === undefined) return wiring.findRelease();
  const named = await wiring.findRelease(ref);
  if (named) return named;
  throw new LoopliaError("config-invalid", `--ref ${ref}: no such commit or tag was found.`, {
    hint: "write --ref <owner>/looplia-action@<commit>, with all 40 characters, or a tag of that repository",
  });
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

/** True with a file that `content: content/**\/*.md` matches. */
async function holdsArticles(root: string): Promise<boolean> {
  const names = await readdir(join(root, "content"), { recursive: true }).catch(() => []);
  return names.some((name) => name.endsWith(".md"));
}

/** The agent programs that a flag names, else those of the settings that are there already. */
async function choosePrograms({ programs }: CommandLine, root: string, surface: Surface): Promise<Program[]> {
  return programs ?? programsOf((await findPlace(surface, root, {})).place.settings);
}

/** The agent programs that the main agent is, or an agent of the task list. */
export function programsOf(settings: Settings): Program[] {
  const providers = new Set([settings.provider, ...usedAgents(settings).map(({ provider }) => provider)]);
  return (["claude", "codex"] as const).filter((name) => providers.has(name));
}

/** The steps of a job that install agent programs, cached. */
function installSteps(programs: readonly Program[], packages: Readonly<Record<Program, string>>): string {
  if (programs.length === 0) return "";
  const key = programs.map((name) => `${name}-${packages[name].split("@").at(-1)}`).join("-");
  const install = (name: Program) =>
    `[ -x ~/.agent-programs/bin/${name} ] || npm install --prefix ~/.agent-programs --global ${packages[name]}`;
  return [
    "- uses: actions/cache@v5",
    `  with: { path: ~/.agent-programs, key: "agent-programs-\${{ runner.os }}-${key}" }`,
    "- run: |",
    ...programs.map((name) => `    ${install(name)}`),
    '    echo "$HOME/.agent-programs/bin" >> "$GITHUB_PATH"',
    "",
  ].join("\n      ");
}

type Adaptation = {
  branch: string | undefined;
  release: Release | undefined;
  programs: readonly Program[];
  /** Steps before the action's own. */
  steps: string;
  /** Whether commands or agent programs run. */
  isolated: boolean;
};

async function filesFor(
  purposes: readonly Purpose[],
  { installFolder }: Wiring,
  adaptation: Adaptation,
): Promise<[path: string, text: string][]> {
  const workflow = async (name: string): Promise<[string, string]> => {
    const text = await readFile(join(installFolder, "examples/workflows", name), "utf8");
    return [`.github/workflows/${name}`, adapt(text, adaptation)];
  };
  const isFor = (purpose: Purpose) => purposes.includes(purpose);
  return [
    ["looplia.yml", settingsFor(purposes, adaptation.programs)],
    ...(isFor("tasks") ? [["to-do.json", `${JSON.stringify(TODO, null, 2)}\n`] as [string, string]] : []),
    ...(isFor("articles") ? [await workflow("looplia.yml")] : []),
    ...(isFor("tasks") ? [await workflow("looplia-tasks.yml")] : []),
    await workflow("looplia-answer.yml"),
    [".looplia/.gitignore", "state/\nstate-set-aside-*/\n"],
  ];
}

function settingsFor(purposes: readonly Purpose[], programs: readonly Program[]): string {
  const isFor = (purpose: Purpose) => purposes.includes(purpose);
  return [
    "# Every key is optional; `looplia help run` lists them all.",
    `${isFor("articles") ? "" : "# "}content: content/**/*.md`,
    `${isFor("tasks") ? "" : "# "}todo: to-do.json`,
    ...(programs[0] === undefined ? [] : [`provider: ${programs[0]}`]),
    ...(programs.length > 1 ? [`schedule: odd-even`, `agents: [${programs.join(", ")}]`] : []),
    "# max-cost-usd: 5",
    "# policy: |",
    "#   allow runCommand npm test",
    "",
  ].join("\n");
}

const ISOLATION_STEP = `- uses: OWNER/looplia-action/isolation@${"0".repeat(40)} # v0.0.0\n      `;

/** The example with this repository's default branch and programs, the action pinned to the commit of its release. */
function adapt(text: string, { branch = "main", release, programs, steps, isolated }: Adaptation): string {
  const key = (service: string) => `${service}-api-key: \${{ secrets.${service.toUpperCase()}_API_KEY }}`;
  const keys = programs.map((name) => key(name === "claude" ? "anthropic" : "openai"));
  const onBranch =
    branch === "main" ? text : text.replaceAll("branches: [main]", `branches: [${JSON.stringify(branch)}]`);
  const isolation = isolated ? ISOLATION_STEP : "";
  const own = onBranch
    .replaceAll(/^ *- uses: OWNER\/looplia-action\/isolation@.*\n/gm, "")
    .replaceAll("- uses: OWNER/looplia-action@", `${isolation}${steps}- uses: OWNER/looplia-action@`)
    .replaceAll(key("anthropic"), keys.length === 0 ? key("anthropic") : keys.join("\n          "));
  return release ? pinned(own, release) : own;
}

function pinned(text: string, { repository, commit, name }: Release): string {
  return text.replaceAll(
    /OWNER\/looplia-action((?:\/isolation)?)@0{40} # v0\.0\.0/g,
    `${repository}$1@${commit} # ${name}`,
  );
}

/** True if an earlier `init`, which knew no release, left placeholders in the file; nothing else is changed. */
async function fillPlaceholders(path: string, release: Release | undefined): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  const filled = text !== undefined && release ? pinned(text, release) : text;
  if (filled === undefined || filled === text) return false;
  await writeFile(path, filled).catch((cause: unknown) => {
    throw notWritten(path, cause);
  });
  return true;
}

function nextSteps({
  purposes,
  programs,
  page,
  release,
  hasArticles,
}: Pick<Adaptation, "release" | "programs"> & {
  purposes: readonly Purpose[];
  page: string | undefined;
  hasArticles: boolean;
}): string {
  const services = programs.map((name) => (name === "claude" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"));
  const secrets = services.length === 0 ? ["ANTHROPIC_API_KEY"] : services;
  const asSecret = secrets.map((name) => `the secret ${name} (\`gh secret set ${name}\`)`).join(" and ");
  const settings = (name: string) => (page === undefined ? "" : `\n      ${page}/settings/${name}`);
  const prepare =
    purposes[0] === "tasks"
      ? "Change to-do.json to what you need, and try `looplia run` here."
      : "Put an article into content/, for example content/first.md, and try `looplia run` here.";
  const first =
    purposes[0] === "articles" && hasArticles
      ? "Try `looplia run` here: without a key, it is an offline rehearsal."
      : prepare;
  const steps = [
    ...(release
      ? []
      : [
          "Say which commit of the action the workflows use; this installation does not know its own, so they hold zeros:\n      looplia init --ref <owner>/looplia-action@<commit or tag>",
        ]),
    `Add ${asSecret}.${settings("secrets/actions")}`,
    `Allow GitHub Actions to create pull requests (Settings → Actions → General).${settings("actions")}`,
    first,
    "Commit the files and push them to the default branch: the push starts the first run.",
  ];
  const rows = steps.map((step, index) => `  ${index + 1}. ${step}`);
  const used = release
    ? ["", `The workflows use ${release.repository} at ${release.commit.slice(0, 7)} (${release.name}).`]
    : [];
  return [...used, "", "Next", ...rows, "  `looplia doctor` checks all of this.", ""].join("\n");
}

/** False if the name exists, even as a link. */
async function create(path: string, text: string): Promise<boolean> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw notWritten(path, await causeAt(folder, cause));
  }
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (errnoOf(cause) === "EEXIST") return false;
    throw notWritten(path, cause);
  }
}

/** Why a folder could not be made. Node may say only that it is missing; the nearest one above tells why. */
async function causeAt(folder: string, cause: unknown): Promise<unknown> {
  if (errnoOf(cause) !== "ENOENT") return cause;
  let above = folder;
  while (!existsSync(above)) above = dirname(above);
  return access(above, constants.W_OK).then(
    () => cause,
    (denied: unknown) => denied,
  );
}

function notWritten(path: string, cause: unknown): LoopliaError {
  const isTaken = errnoOf(cause) === "EEXIST";
  const reason = isTaken ? "its folder's name is taken by a file" : messageOf(cause);
  const fix = isTaken ? "Move that file away" : "Make its folder writable";
  return new LoopliaError("config-invalid", `${path} was not written: ${reason}.`, {
    hint: `${fix}, and run \`looplia init\` again: it keeps what is there.`,
    cause,
  });
}

// What real runs of the Action's bundle write: comments, statuses and step summaries, in a repository on the fake GitHub with
// a scripted model. What differs from run to run (ids, times, addresses) is replaced.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type ActionWorld,
  createActionWorld,
  type Ran,
  type RunChanges,
} from "../../test/fakes/action-world.ts";
import type { StoredComment } from "../../test/fakes/github-server-comments.ts";
import { commentEvent } from "../../test/fakes/github-server-events.ts";
import { dueOutputs, writeFrom } from "../../test/fakes/kit-api.ts";
import type { ApiBody } from "../../test/fakes/messages-api-rules.ts";
import type { Turn } from "../../test/fakes/messages-api-script.ts";
import type { AnswerBlock } from "../../test/fakes/messages-api-stream.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MAINTAINER = "octocat";
const SETTINGS = "upload-audit: false\nconcurrency: 1\n";
const TABLE = "place,pairs\nHarrow Street 4,1\n";
const AGENT = `---
name: idea-generator
description: Makes hooks, angles and questions from a summary.
tools: readFile, editFile, runCommand, askUser, writeArtifact
---
Write ideas. Correct the tables on the way.
`;
const SUMMARY = JSON.parse(await read("test/data/gallery-answers.json")).summary;
const write = writeFrom(
  new Map<string, unknown>([
    ["summary", SUMMARY],
    [
      "ideas",
      {
        hooks: [
          { text: "The register knew of none of the 34.", type: "statistic" },
          { text: "Who counts what flies into a roof?", type: "curiosity" },
        ],
        angles: [
          {
            title: "A map that stops a permit",
            description: "How a list of neighbours became part of an office's work.",
            relevanceScore: 0.9,
          },
        ],
        questions: [{ question: "What does your street count?", type: "practical" }],
      },
    ],
    [
      "outline",
      [
        { heading: "The first evening", notes: "Open with the count.", keyPoints: ["34 swifts"] },
        { heading: "From map to permit", notes: "What the office asks now.", keyPoints: ["212 boxes"] },
      ],
    ],
  ]),
);

/** Texts by name. Runs the bundle seven times, a few seconds each. */
export async function recordTexts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const record of [recordKit, recordTasks, recordBroken]) {
    const fix = fixer();
    for (const [name, text] of await record()) texts.set(name, fix(text));
  }
  return texts;
}

/** One item, whose agent asks for an approval and then for a choice. */
async function recordKit(): Promise<[string, string][]> {
  const world = await createActionWorld({
    "content/swifts.md": await read("examples/content/swifts-of-harrow-street.md"),
    "docs/count.md": "# The count\n\nThe first count found 43 swifts.\nSee `tables/2026.csv`.\n",
    "tables/2026.csv": TABLE,
    "tables/2025/may.csv": TABLE,
    ".looplia/.claude/agents/idea-generator.md": AGENT,
    "looplia.yml": SETTINGS,
  });
  try {
    world.modelTurn = playKit;
    await start(world);
    const [confirm, status] = [ours(world, "request"), ours(world, "status")];
    await answer(world, `/approve ${idOf(confirm)} The old tables are in the archive.`);
    const select = ours(world, "request");
    const ran = await answer(world, /^\/choose .*$/m.exec(select.body)?.[0] ?? "");
    return [
      ["confirm", confirm.body],
      ["status", status.body],
      ["approved", world.github.comments.need(confirm.id).body],
      ["select", select.body],
      ["summary", ran.summary],
    ];
  } finally {
    await world.close();
  }
}

function playKit(body: ApiBody): Turn {
  const turn = body.messages.filter(({ role }) => role === "assistant").length;
  const act = dueOutputs(body)[0] === "ideas" ? ACTS[turn] : undefined;
  return act ? { content: act } : write(body);
}

const ACTS: readonly AnswerBlock[][] = [
  [
    {
      type: "text",
      text: "The tables of 2025 are in the archive now, so the folder can go. First I correct the text.",
    },
    use("editFile", { path: "docs/count.md", oldStr: "found 43 swifts", newStr: "found 34 swifts" }),
    use("editFile", { path: "tables/2026.csv", oldStr: "Street 4,1", newStr: "Street 4,3" }),
    use("runCommand", { command: "rm -r tables/2025 && ls tables", timeoutSeconds: 30 }),
  ],
  [
    use("askUser", {
      question: "Which angle should the text take?",
      options: ["What a sealed nest costs", "An evening with the counters", "Neither: look for others"],
    }),
  ],
];

function use(name: string, input: Record<string, unknown>): AnswerBlock {
  return {
    type: "tool_use",
    id: `toolu_${name}_${Object.values(input)[0]}`.replace(/\W/g, "_"),
    name,
    input,
  };
}

/** The release checklist of the examples, after its first answer. */
async function recordTasks(): Promise<[string, string][]> {
  const names = ["CHANGELOG.md", "VERSION", "looplia.yml", "to-do.json"];
  const files = names.map(async (name) => [name, await read(join("examples", name))] as const);
  const world = await createActionWorld(Object.fromEntries(await Promise.all(files)));
  try {
    const inputs = { content: "", provider: "offline" };
    const environment = { LOOPLIA_UPLOAD_AUDIT: "false" };
    await start(world, { inputs: { ...inputs, mode: "tasks" }, environment });
    const choice = `/choose ${idOf(ours(world, "request"))} patch`;
    const ran = await answer(world, choice, { inputs, environment });
    return [
      ["status-tasks", ours(world, "status").body],
      ["summary-tasks", ran.summary],
    ];
  } finally {
    await world.close();
  }
}

/** Three items, one of them empty. */
async function recordBroken(): Promise<[string, string][]> {
  const article = await read("examples/content/swifts-of-harrow-street.md");
  const world = await createActionWorld({
    "content/a.md": article,
    "content/b.md": article.replaceAll("What a street learned from", "Seven years of"),
    "content/c.md": "\n",
    "looplia.yml": SETTINGS,
  });
  try {
    world.modelTurn = write;
    const { summary } = await start(world);
    return [["summary-broken", summary]];
  } finally {
    await world.close();
  }
}

/** A private repository with one maintainer, who starts a run by hand. */
function start(world: ActionWorld, changes: RunChanges = {}): Promise<Ran> {
  const { accounts } = world.github;
  accounts.addPerson(MAINTAINER, "write");
  accounts.isPrivate = true;
  return run(world, { event: { name: "schedule" }, ...changes });
}

function answer(world: ActionWorld, body: string, changes: RunChanges = {}): Promise<Ran> {
  const comment = world.github.comments.say(MAINTAINER, body);
  return run(world, { event: commentEvent(world.github, comment), ...changes });
}

async function run(world: ActionWorld, changes: RunChanges): Promise<Ran> {
  const environment = { GITHUB_ACTION_REPOSITORY: "owner/looplia-action", GITHUB_ACTION_REF: "v0" };
  const ran = await world.run({ ...changes, environment: { ...environment, ...changes.environment } });
  if (!ran.summary) throw new Error(`The run wrote no summary:\n${ran.stdout}${ran.stderr}`);
  return ran;
}

/** The newest of the program's comments of a kind, as it is now. */
function ours({ github }: ActionWorld, kind: "request" | "status"): StoredComment {
  const found = github.comments.all.findLast(({ body }) => body.startsWith(`<!-- looplia:${kind} `));
  if (!found) throw new Error(`The run wrote no ${kind}.`);
  return { ...found };
}

function idOf({ body }: StoredComment): string {
  const [, id] = /^\/(?:approve|choose) (q\d+-[0-9a-f]{6})/m.exec(body) ?? [];
  if (id === undefined) throw new Error(`No question can be answered in:\n${body}`);
  return id;
}

/** Replaces ids, dates and addresses of one world, each always by the same. */
function fixer(): (text: string) => string {
  const ids = new Map<string, string>();
  const fixed = (id: string) => {
    const known = id.slice(0, 6);
    if (!ids.has(known)) ids.set(known, createHash("sha256").update(String(ids.size)).digest("hex"));
    return ids.get(known)?.slice(0, id.length) ?? "";
  };
  return (text) =>
    text
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|git\.localhost):\d+\//g, "https://github.com/")
      .replaceAll(/(?<=-)\d{4}-\d\d-\d\d(?=-[0-9a-f]{6}\b)/g, "2026-12-01")
      .replaceAll(/(?<=until \**)\d{4}-\d\d-\d\d \d\d:\d\d/gi, "2026-12-08 09:00")
      .replaceAll(/(?<!until \**)\d{4}-\d\d-\d\d \d\d:\d\d/gi, "2026-12-01 09:00")
      .replaceAll(/(?<=-)[0-9a-f]{6}\b|\b[0-9a-f]{64}\b/g, fixed);
}

function read(path: string): Promise<string> {
  return readFile(join(ROOT, path), "utf8");
}

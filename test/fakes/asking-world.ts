// A world whose model asks before it writes ideas, and people who answer on the pull request.
import type { StoredLine } from "../../src/core/events.ts";
import { type ActionWorld, createActionWorld, type Ran, type RunChanges } from "./action-world.ts";
import type { StoredComment } from "./github-server-comments.ts";
import { commentEvent } from "./github-server-events.ts";
import { dueOutputs, writeDue } from "./kit-api.ts";
import { ARTICLE } from "./kit-script.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { Turn } from "./messages-api-script.ts";
import type { AnswerBlock } from "./messages-api-stream.ts";

/** Leaves a file of a new name each time that it runs. */
export const COMMAND = "mktemp ran-XXXXXX";

export type AskingWorld = ActionWorld & {
  /** `content/kettles.md` is the only item. */
  start(changes?: RunChanges): Promise<Ran>;
  /** Somebody writes a comment on the pull request; nothing runs yet. */
  say(login: string, body: string): StoredComment;
  /** The run that a comment starts. */
  deliver(comment: StoredComment, changes?: RunChanges): Promise<Ran>;
  /** A run that no comment started. */
  sweep(): Promise<Ran>;
  /** The comments of ours that hold a text. */
  ours(text: string): StoredComment[];
  /** Names of the files at the branch's tip. */
  files(): Promise<string[]>;
  /** How often `COMMAND` ran, by what stands on the branch. */
  effects(): Promise<number>;
  branch(): Promise<string>;
};

/** What the model says first in the step that writes ideas. */
export function asking(block: AnswerBlock): (body: ApiBody) => Turn {
  return (body) =>
    dueOutputs(body)[0] === "ideas" && body.messages.length === 1 ? { content: [block] } : writeDue(body);
}

export function commandCall(command = COMMAND, id = "run"): AnswerBlock {
  return { type: "tool_use", id, name: "runCommand", input: { command } };
}

/** One that may do more than the built-in one. */
const AGENT = `---
name: idea-generator
description: Makes hooks, angles and questions from a summary.
tools: readFile, editFile, runCommand, askUser, Task, writeArtifact
---
Write ideas. Ask where you are not sure.
`;

/** `maintainer`, `writer` and `second` may decide, `reader` may not. */
export async function createAskingWorld(files: Record<string, string> = {}): Promise<AskingWorld> {
  const world = await createActionWorld({
    "content/kettles.md": ARTICLE,
    ".looplia/.claude/agents/idea-generator.md": AGENT,
    ...files,
  });
  world.modelTurn = asking(commandCall());
  const { github, repository } = world;
  github.accounts.addPerson("maintainer", "maintain");
  github.accounts.addPerson("writer", "write");
  github.accounts.addPerson("second", "write");
  github.accounts.addPerson("reader", "read");
  const branch = async () => {
    const refs = await repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/looplia");
    return refs.split("\n")[0] ?? "";
  };
  const listFiles = async () =>
    (await repository.git("ls-tree", "-r", "--name-only", await branch())).split("\n");
  return Object.assign(world, {
    start: (changes: RunChanges = {}) => world.run(changes),
    say: (login: string, body: string) => github.comments.say(login, body),
    deliver: (comment: StoredComment, changes: RunChanges = {}) =>
      world.run({ event: commentEvent(github, comment), ...changes }),
    sweep: () => world.run({ inputs: { mode: "respond" }, event: { name: "schedule" } }),
    ours: (text: string) =>
      github.comments.all.filter(
        (comment) => comment.author.login === "github-actions[bot]" && comment.body.includes(text),
      ),
    branch,
    files: listFiles,
    effects: async () => (await listFiles()).filter((file) => file.startsWith("ran-")).length,
  });
}

/** The audit log of the one session, as the state ref has it. */
export async function auditLines({ repository: { git } }: AskingWorld): Promise<StoredLine[]> {
  const ref = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const paths = (await git("ls-tree", "-r", "--name-only", ref)).split("\n");
  const segments = paths.filter((path) => /^sessions\/[^/]+\/audit\//.test(path));
  const texts = await Promise.all(segments.map((path) => git("show", `${ref}:${path}`)));
  return texts.flatMap((text) => text.split("\n").map((line) => JSON.parse(line) as StoredLine));
}

/** The short id of the one open question, as its comment shows it. */
export function questionOf(world: AskingWorld): string {
  const shown = world
    .ours("looplia:request")
    .map(({ body }) => /\/(?:approve|choose|answer) (q\d+-[0-9a-f]{6})/.exec(body)?.[1]);
  const open = shown.filter((id) => id !== undefined);
  const [only, ...others] = open;
  if (!only || others.length > 0) throw new Error(`${open.length} open questions`);
  return only;
}

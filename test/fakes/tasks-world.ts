// A repository with a to-do file behind the Action, a model that works through its tasks, and people who answer.
import type { Clock } from "../../src/core/ports.ts";
import type { TodoFile } from "../../src/todo/document.ts";
import { type ActionWorld, createActionWorld, type Ran, type RunChanges } from "./action-world.ts";
import type { StoredComment } from "./github-server-comments.ts";
import { commentEvent } from "./github-server-events.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { Turn } from "./messages-api-script.ts";
import { deliverHere, type RanHere, runHere } from "./run-here.ts";

export type TasksWorld = ActionWorld & {
  /** A run that nobody's comment starts: by schedule. */
  start(changes?: RunChanges): Promise<Ran>;
  /** Somebody writes a comment on the pull request, and the run that it starts. */
  comment(login: string, body: string, changes?: RunChanges): Promise<Ran>;
  say(login: string, body: string): StoredComment;
  deliver(comment: StoredComment, changes?: RunChanges): Promise<Ran>;
  /** The comments of ours that hold a text. */
  ours(text: string): StoredComment[];
  /** A file at the tip of the work branch. */
  file(path: string): Promise<string>;
  /** `T1 done, T2 doing`, as the work branch has it. */
  states(): Promise<string>;
  /** Whole messages of the branch's commits, oldest first. */
  commits(): Promise<string[]>;
  branch(): Promise<string>;
  /** A run in this process: by schedule, unless `changes` say otherwise. */
  here(changes?: RunChanges & { clock?: Clock }): Promise<RanHere>;
  /** Somebody writes a comment, and the run that it starts is in this process. */
  hear(login: string, body: string, changes?: RunChanges): Promise<RanHere>;
};

/** What the model does at a task, by its turn from 1; undefined: it reports it done. */
export type Behaviour = (turn: number, body: ApiBody) => Turn | undefined;

/** Tasks behave as given, others are done at once; a review finds nothing. */
export async function createTasksWorld(
  files: Record<string, string>,
  behaviours: Record<string, Behaviour> = {},
): Promise<TasksWorld> {
  const world = await createActionWorld(files);
  world.modelTurn = (body) => behave(behaviours, body);
  const { github, repository } = world;
  github.accounts.addPerson("maintainer", "maintain");
  github.accounts.addPerson("writer", "write");
  github.accounts.addPerson("reader", "read");
  const branch = async () => {
    const refs = await repository.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/looplia");
    return refs.split("\n")[0] ?? "";
  };
  const file = async (path: string) => repository.git("show", `refs/heads/${await branch()}:${path}`);
  const say = (login: string, body: string) => github.comments.say(login, body);
  const byHand = (changes: RunChanges): RunChanges => ({
    ...changes,
    inputs: { content: "", ...changes.inputs },
  });
  const bySchedule = (changes: RunChanges): RunChanges => ({
    event: { name: "schedule" },
    ...changes,
    inputs: { content: "", mode: "tasks", ...changes.inputs },
  });
  const deliver = (comment: StoredComment, changes: RunChanges = {}) =>
    world.run({ event: commentEvent(github, comment), ...byHand(changes) });
  return Object.assign(world, {
    here: ({ clock, ...changes }: RunChanges & { clock?: Clock } = {}) =>
      runHere(world, { ...quiet(bySchedule(changes)), ...(clock ? { clock } : {}) }),
    hear: (login: string, body: string, changes: RunChanges = {}) =>
      deliverHere(world, say(login, body), quiet(byHand(changes))),
    start: (changes: RunChanges = {}) => world.run(bySchedule(changes)),
    say,
    deliver,
    comment: (login: string, body: string, changes?: RunChanges) => deliver(say(login, body), changes),
    ours: (text: string) =>
      github.comments.all.filter(
        (comment) => comment.author.login === "github-actions[bot]" && comment.body.includes(text),
      ),
    file,
    states: async () => {
      const { tasks }: TodoFile = JSON.parse(await file("to-do.json"));
      return tasks.map(({ id, status }) => `${id} ${status}`).join(", ");
    },
    commits: async () => {
      const log = await repository.git(
        "log",
        "--reverse",
        "--format=%B%x00",
        `main..refs/heads/${await branch()}`,
      );
      const messages = log.split("\0").map((message) => message.trim());
      return messages.filter((message) => message !== "" && !/^chore: (?:begin|save|merge)/.test(message));
    },
    branch,
  });
}

/** What is uploaded is another test's matter. */
function quiet(changes: RunChanges): RunChanges {
  return { ...changes, environment: { LOOPLIA_UPLOAD_AUDIT: "false", ...changes.environment } };
}

/** The model's turn: tasks behave as given, others are done at once; a review finds nothing. */
export function behave(behaviours: Record<string, Behaviour>, body: ApiBody): Turn {
  const subject = subjectOf(body);
  const turn = 1 + body.messages.filter(({ role }) => role === "assistant").length;
  return (
    behaviours[subject]?.(turn, body) ?? (subject === "review" ? "Nothing is missing." : report(subject))
  );
}

/** A call of `reportSummary`; done, with a reason, unless `summary` says otherwise. */
export function report(id: string, summary: Record<string, unknown> = {}): Turn {
  return use("reportSummary", { task_id: id, status: "done", summary: `Did ${id}.`, ...summary });
}

/** Above the ids in recorded works: an id occurs once in a conversation. */
let made = 1_000;

export function use(name: string, input: Record<string, unknown>): Turn {
  made += 1;
  return { content: [{ type: "tool_use", id: `toolu_${made}`, name, input }] };
}

/** The subjects of requests in their order, each once in a row. */
export function orderOf(requests: readonly { body: ApiBody }[]): string[] {
  const subjects = requests.map(({ body }) => subjectOf(body));
  return subjects.filter((subject, at) => subject !== subjects[at - 1]);
}

/** The task of a conversation, or `review`. */
export function subjectOf(body: ApiBody): string {
  return /Your task is `(.*?)`/.exec(JSON.stringify(body.messages[0]))?.[1] ?? "review";
}

/** The short id of the one open question, as its comment shows it. */
export function questionOf(world: TasksWorld): string {
  const shown = world
    .ours("looplia:request")
    .flatMap(({ body }) => /\/(?:approve|choose|answer) (q\d+-[0-9a-f]{6})/.exec(body)?.[1] ?? []);
  const [only, ...others] = shown;
  if (!only || others.length > 0) throw new Error(`${shown.length} open questions`);
  return only;
}

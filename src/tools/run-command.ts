// runCommand, writeArtifact and reportSummary.
import { z } from "zod";
import { messageOf } from "../core/errors.ts";
import { lazily } from "../core/json.ts";
import type { CommandResult, PutBack, Workspace } from "../core/ports.ts";
import { cutLine, cutMiddle, type Tool } from "./tool.ts";

// reportSummary: how a to-do task ended, in the agent's words. The program checks it and writes the task
// list.

/** The output name under which the task loop accepts summaries. */
export const SUMMARY_OUTPUT = "task-summary";

/** The shape of every summary, whatever its source. */
export const summarySchema = lazily(() =>
  z.strictObject({
    task_id: z.string().max(64).nullable().describe("The id of the task that you were given"),
    status: z
      .enum(["done", "blocked", "skipped"])
      .describe("skipped: nothing was tried, and the task returns to its earlier state"),
    summary: z.string().max(10_000).exactOptional().describe("What was done, or why not"),
    files: z.array(z.string().max(1_000)).max(1_000).exactOptional().describe("Paths that you changed"),
    blockers: z.array(z.string().max(1_000)).max(100).exactOptional().describe("What stands in the way"),
  }),
);

export const reportSummaryTool: Tool<z.infer<ReturnType<typeof summarySchema>>> = {
  name: "reportSummary",
  description:
    "End your task and say how it ended. Call this once, at the very end, when all your changes are in place.",
  input: summarySchema,
  effect: "repeatable",
  risk: "safe",
  summarize: ({ task_id, status }) => `${task_id ?? "no task"}: ${status}`,
  run: (summary, { artifacts }) => artifacts.write(SUMMARY_OUTPUT, summary),
};

// Messages to people and the model when a command changed files that decide what runs or who has permission.
// Pure.

const MOST = 5;

/** For people, with the path of the copy. */
export function tellPutBack({ paths, failed, copy }: PutBack): string {
  const said = `A command changed ${namePaths(paths)}: ${paths.length === 1 ? "this path decides" : "these paths decide"} what runs or who has permission. The change was undone, and a copy is in ${copy}.`;
  if (failed.length === 0) return said;
  return `A command changed ${namePaths(paths)}, and ${namePaths(failed)} could not be restored: check before anything else runs. A copy of what was moved away is in ${copy}.`;
}

/** For the model: what to do instead. */
function advisePutBack({ paths }: PutBack): string {
  return `The command changed ${namePaths(paths)}. The change was undone: such files decide what runs or who has permission. Where a person can be asked, they decide now whether the command's version is kept: look at the file before you count on it. To change it another way use editFile, which asks as well.`;
}

/** For people: the files that decide what may run are no longer what they trusted. */
function fatalOf({ failed, copy }: PutBack): { message: string; hint: string } {
  return {
    message: `A command changed ${namePaths(failed)}, and the change could not be undone.`,
    hint: `Compare with git, restore by hand, and run again; what the command left is in ${copy}, or still in place`,
  };
}

function namePaths(paths: readonly string[]): string {
  const named = paths.slice(0, MOST).map((path) => JSON.stringify(path));
  const more = paths.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

const MAX_OUTPUT = 10_000;
/** Maximum characters of a command's output in the audit log. */
const MAX_WHOLE = 1_000_000;

const commandInput = lazily(() =>
  z.strictObject({
    command: z.string().min(1).max(50_000),
    timeoutSeconds: z.int().min(1).max(600).default(30),
    stopOnFailure: z.literal(true).optional(),
  }),
);

export const runCommandTool: Tool<z.infer<ReturnType<typeof commandInput>>> = {
  name: "runCommand",
  description:
    "Run a shell command in the repository's root, without input. Background processes are stopped when it ends.",
  input: commandInput,
  ofProgram: ["stopOnFailure"],
  effect: "once",
  risk: "risky",
  summarize: ({ command }) => briefly(command),
  facts: async ({ command }, { checkedVariables: values }) => ({
    command,
    ...(values === undefined ? {} : { values }),
  }),
  reachesOutside: ({ kind, network }) => kind === "none" || network !== false,
  async preview({ command, timeoutSeconds, stopOnFailure }, { workspace, pending, follows, bound, redact }) {
    const { variables = {} } = workspace;
    const tree =
      follows === undefined ? { worktree: await workspace.snapshot(pending, bound?.worktree) } : { follows };
    const given = Object.entries(variables).map(([name, value]) => `# with ${name}=${JSON.stringify(value)}`);
    return {
      title: `Run a command (at most ${timeoutSeconds} s)`,
      headline: `Run (at most ${timeoutSeconds} s): ${briefly(redact(command))}`,
      content: [command, ...given, ...unbound(workspace)].join("\n"),
      contentKind: "PlainText",
      ...(stopOnFailure ? { endsRest: true } : {}),
      binding: {
        ...tree,
        ...(given.length > 0 ? { variables: JSON.stringify(variables) } : {}),
      },
    };
  },
  async run({ command, timeoutSeconds, stopOnFailure }, { workspace, signal }) {
    const result = await workspace.run(command, {
      timeoutMs: timeoutSeconds * 1_000,
      maxOutput: MAX_WHOLE,
      signal,
    });
    const end = signal.aborted ? INTERRUPTED : endOf(result, timeoutSeconds);
    const output = cutMiddle(result.output, MAX_OUTPUT, "write it to a file to see all");
    const first = result.putBack ? `${end}\n${advisePutBack(result.putBack)}` : end;
    return {
      text: `${first}\n${output || "(no output)"}`,
      ...(signal.aborted || (stopOnFailure && result.exitCode !== 0) ? { isError: true } : {}),
      ...(result.putBack && result.putBack.changes.length > 0 ? { changes: result.putBack.changes } : {}),
      ...(output === result.output ? {} : { whole: `${first}\n${result.output}` }),
      ...(result.putBack && result.putBack.failed.length > 0 ? { fatal: fatalOf(result.putBack) } : {}),
    };
  },
};

/** Files of the worktree that no approval covers, because they can't be stored. */
function unbound({ own }: Workspace): string[] {
  return (own?.leftOut ?? []).map((why) => `# not covered by this approval: ${cutLine(why, 300)}`);
}

function briefly(command: string): string {
  return cutLine(command.replace(/\s+/g, " "), 100);
}

const INTERRUPTED = "Interrupted together with the run. What it had done by then stays.";

function endOf({ timedOut, exceeded, exitCode }: CommandResult, timeoutSeconds: number): string {
  if (exceeded) return `Stopped: ${tellExceeded(exceeded)}. What it had done stays.`;
  if (timedOut) return `Stopped after ${timeoutSeconds} s. What it had done stays.`;
  return `Exit code ${exitCode ?? "none: it was ended by a signal"}.`;
}

/** The limit that a command exceeded, as a sentence without its end. */
export function tellExceeded(what: NonNullable<CommandResult["exceeded"]>): string {
  if (what === "disk") return "it left too little room on the disk";
  return what === "memory"
    ? "its processes together used more memory than they may"
    : "it ran more processes at once than it may";
}

// writeArtifact: passes an output to the program, which checks it and writes the file.

const artifactInput = lazily(() =>
  z.strictObject({
    output: z.string().min(1).describe("The output's name in the pipeline"),
    content: z
      .unknown()
      .refine((value) => value !== undefined, "is missing")
      .describe("The JSON value itself"),
  }),
);

export const writeArtifactTool: Tool<z.infer<ReturnType<typeof artifactInput>>> = {
  name: "writeArtifact",
  description:
    "Deliver an output of your task. It is saved only if valid; otherwise the result lists the errors: fix them and send the whole value again.",
  input: artifactInput,
  effect: "repeatable",
  risk: "safe",
  summarize: ({ output }) => output,
  async run({ output, content }, { artifacts }) {
    if (typeof content !== "string" || !/^\s*[[{]/.test(content)) return artifacts.write(output, content);
    let parsed: unknown;
    try {
      parsed = JSON.parse(content);
    } catch (error) {
      const text = `content is a text that is not JSON: ${messageOf(error)}. Send the JSON value itself.`;
      return { text, isError: true };
    }
    return artifacts.write(output, parsed);
  },
};

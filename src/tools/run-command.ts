// runCommand: a shell command in the root of the worktree.
import { z } from "zod";
import type { CommandResult } from "../ports.ts";
import { cutLine, cutMiddle } from "./cut.ts";
import { advisePutBack } from "./put-back.ts";
import type { Tool } from "./tool.ts";

const MAX_OUTPUT = 10_000;
/** What the audit log keeps of a command's output. */
const MAX_WHOLE = 1_000_000;

const input = z.strictObject({
  command: z.string().min(1).max(50_000),
  timeoutSeconds: z.int().min(1).max(600).default(30),
});

export const runCommandTool: Tool<z.infer<typeof input>> = {
  name: "runCommand",
  description:
    "Run a shell command in the repository's root, without input. Processes left in the background are ended.",
  input,
  effect: "once",
  risk: "risky",
  summarize: ({ command }) => briefly(command),
  facts: async ({ command }) => ({ command }),
  reachesOutside: ({ kind, network }) => kind === "none" || network,
  async preview({ command, timeoutSeconds }, { workspace, pending, follows, redact }) {
    const { variables = {} } = workspace;
    const given = Object.entries(variables).map(([name, value]) => `# with ${name}=${JSON.stringify(value)}`);
    return {
      title: `Run a command (at most ${timeoutSeconds} s)`,
      headline: `Run (at most ${timeoutSeconds} s): ${briefly(redact(command))}`,
      content: [command, ...given].join("\n"),
      contentKind: "PlainText",
      binding: {
        ...(follows === undefined ? { worktree: await workspace.snapshot(pending) } : { follows }),
        ...(given.length > 0 ? { variables: JSON.stringify(variables) } : {}),
      },
    };
  },
  async run({ command, timeoutSeconds }, { workspace, signal }) {
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
      ...(signal.aborted ? { isError: true } : {}),
      ...(output === result.output ? {} : { whole: `${first}\n${result.output}` }),
    };
  },
};

function briefly(command: string): string {
  return cutLine(command.replace(/\s+/g, " "), 100);
}

const INTERRUPTED = "Interrupted together with the run. What it had done by then stays.";

function endOf({ timedOut, exitCode }: CommandResult, timeoutSeconds: number): string {
  if (timedOut) return `Stopped after ${timeoutSeconds} s. What it had done stays.`;
  return `Exit code ${exitCode ?? "none: it was ended by a signal"}.`;
}

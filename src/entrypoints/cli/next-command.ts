// The commands that go on with a session, as they can be copied to a shell.
import type { InteractionRequest } from "../../session/interaction.ts";
import { showOneLine } from "../../session/question-text.ts";
import type { CommandLine } from "./parse-arguments.ts";

/** Flags that the next command needs as well; keys and tokens are never printed. */
const KEPT = [
  ...["config", "working-directory", "provider", "model", "fallback-model", "orchestration"],
  ...["task", "schedule", "log-dir"],
];

/** What follows the command's own part: the flags that were given and matter later, and the folder. */
export function keptArguments(line: CommandLine): string {
  const flags = KEPT.flatMap((name) => {
    const value = line.overrides[name];
    return typeof value === "string" ? [`--${name}`, quoteArgument(value)] : [];
  });
  const folder = line.folder === undefined ? [] : [quoteArgument(line.folder)];
  return [...flags, ...folder].map((part) => ` ${part}`).join("");
}

/** `looplia run --session-id …` */
export function resumeCommand(sessionId: string, kept: string): string {
  return `looplia run --session-id ${sessionId}${kept}`;
}

/** One command for each answer there is; for texts, one with places to fill in. */
export function answerCommands(request: InteractionRequest, kept: string): string[] {
  const begin = `looplia answer ${quoteArgument(request.interactionId)}`;
  if (request.kind === "Confirm") return [`${begin} approve${kept}`, `${begin} reject${kept}`];
  if (request.kind === "Select") {
    return (request.options ?? []).map(({ id }, index) => {
      const isPlain = showOneLine(id) === id && !id.startsWith("-");
      return `${begin} choose ${isPlain ? quoteArgument(id) : index + 1}${kept}`;
    });
  }
  if (request.kind !== "Composite") return [`${begin} input '<text>'${kept}`];
  const fields = (request.fields ?? []).map(({ id, options }) => [
    id,
    `<${options?.map((option) => option.id).join("|") ?? "text"}>`,
  ]);
  return [`${begin} input ${quoteArgument(JSON.stringify(Object.fromEntries(fields)))}${kept}`];
}

/** A question as machines read it. */
export function questionJson(request: InteractionRequest, kept: string): Record<string, unknown> {
  return {
    interactionId: request.interactionId,
    shortId: request.shortId,
    kind: request.kind,
    title: request.display.title,
    options: request.options ?? [],
    commands: answerCommands(request, kept),
  };
}

/** As one word of a POSIX shell. */
export function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

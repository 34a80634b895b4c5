// The terminal as the place where people are: asks in place, one question at a time.
import type { Colors } from "picocolors/types.js";
import { LoopliaError } from "../errors.ts";
import type { AskResult, Host } from "../ports.ts";
import type { InteractionAnswer, InteractionRequest } from "../session/interaction.ts";
import { defaultOption, detailLines, showOneLine } from "../session/question-text.ts";

export type TerminalOptions = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** False: every question is answered `later`. */
  isInteractive: boolean;
  /** What changes in place is taken away while a question is open. */
  screen: { pause(): void; resume(): void };
  colors: Colors;
  /** `terminal:<user>` */
  actorId: string;
  /** `expected` says what would be accepted. */
  check(
    request: InteractionRequest,
    answer: InteractionAnswer,
  ): Promise<{ ok: true; answer: InteractionAnswer } | { ok: false; expected: string }>;
  /** Called on Ctrl-C at a question. */
  interrupt(): void;
};

const MAY_BE_EMPTY = " (may stay empty)";

type Prompts = typeof import("@clack/prompts");

/**
 * `ask` throws LoopliaError `interrupted` when Ctrl-C or the signal ends the question; it stays open.
 */
export function createTerminalHost(options: TerminalOptions): Host {
  let last: Promise<unknown> = Promise.resolve();
  return {
    canAsk: true,
    ask(request, signal) {
      if (!options.isInteractive) return Promise.resolve("later");
      const asked = last.then(() => askInPlace(request, signal, options));
      last = asked.catch(() => undefined);
      return asked;
    },
    async secure() {},
    async taskEnded() {},
  };
}

async function askInPlace(
  request: InteractionRequest,
  signal: AbortSignal,
  options: TerminalOptions,
): Promise<AskResult> {
  if (signal.aborted) throw interrupted(request);
  const prompts = await import("@clack/prompts");
  options.screen.pause();
  try {
    options.output.write(`\n${describe(request, options.colors).join("\n")}\n`);
    const answer = await promptFor(request, prompts, signal, options);
    return { answer, actorId: options.actorId };
  } finally {
    options.screen.resume();
  }
}

function describe(request: InteractionRequest, colors: Colors): string[] {
  const lines = detailLines(request);
  const isDiff = request.display.contentKind === "Diff";
  return [
    colors.dim(`question ${request.shortId} · ${request.interactionId}`),
    ...(isDiff ? lines.map((line) => paintDiffLine(line, colors)) : lines),
  ];
}

function paintDiffLine(line: string, colors: Colors): string {
  if (/^(\+\+\+|---|Index:|===)/.test(line)) return colors.bold(line);
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return line.startsWith("@@") ? colors.cyan(line) : line;
}

async function promptFor(
  request: InteractionRequest,
  prompts: Prompts,
  signal: AbortSignal,
  options: TerminalOptions,
): Promise<InteractionAnswer> {
  const streams = { input: options.input, output: options.output, signal };
  const taken = (value: string | symbol | undefined): string => {
    if (typeof value !== "symbol") return value ?? "";
    options.interrupt();
    throw interrupted(request);
  };
  const message = showOneLine(request.display.title);
  if (request.kind === "Input" || request.kind === "Composite") {
    const validate = async (value = "") => refusalOf(await options.check(request, { inputValue: value }));
    const hint = (await validate()) === undefined ? MAY_BE_EMPTY : "";
    return { inputValue: taken(await prompts.text({ ...streams, message: message + hint, validate })) };
  }
  const initialValue = defaultOption(request)?.id;
  const selectedOptionId = taken(
    await prompts.select<string>({
      ...streams,
      message,
      options: (request.options ?? []).map(({ id, label }) => ({
        value: id,
        label: showOneLine(label || id),
      })),
      ...(initialValue === undefined ? {} : { initialValue }),
    }),
  );
  if (request.kind !== "Confirm" || selectedOptionId !== "reject") return { selectedOptionId };
  const reason = taken(await prompts.text({ ...streams, message: `Why?${MAY_BE_EMPTY}` }));
  return reason.trim() === "" ? { selectedOptionId } : { selectedOptionId, comment: reason };
}

function refusalOf(checked: { ok: true } | { ok: false; expected: string }): string | undefined {
  return checked.ok ? undefined : `Expected ${checked.expected}.`;
}

function interrupted(request: InteractionRequest): LoopliaError {
  return new LoopliaError("interrupted", `Interrupted at question ${request.shortId}; it stays open.`);
}

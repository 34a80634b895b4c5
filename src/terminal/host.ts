// The terminal as host: asks in place.
import type { Colors } from "picocolors/types.js";
import { LoopliaError } from "../core/errors.ts";
import {
  askedLines,
  cautionLines,
  defaultOption,
  detailLines,
  type InteractionAnswer,
  type InteractionOption,
  type InteractionRequest,
  optionText,
  showOneLine,
} from "../core/interaction.ts";
import { inTurn } from "../core/json.ts";
import type { AskResult, Host } from "../core/ports.ts";

/**
 * A host that answers by itself. `approves`: accepts every Confirm, for commands of the program itself.
 * Chooses the default option of other questions; answers a question without options with no preference.
 */
export function createDemoHost(options: { print(text: string): void; approves?: boolean }): Host {
  return {
    canAsk: true,
    async ask(request) {
      const { answer, said } = decide(request, options.approves === true);
      const [title = "", ...details] = askedLines(request);
      const lines = [`? ${title} (${request.shortId})`, ...details.map((line) => `  ${line}`), `  → ${said}`];
      options.print(`${lines.join("\n")}\n`);
      return { answer, actorId: "terminal:demo" };
    },
    async secure() {},
    async taskEnded() {},
  };
}

function decide(request: InteractionRequest, approves: boolean): { answer: InteractionAnswer; said: string } {
  if (approves && request.kind === "Confirm") {
    return { answer: { selectedOptionId: "approve" }, said: "the demo approves" };
  }
  const option = defaultOption(request);
  if (option) {
    return {
      answer: { selectedOptionId: option.id },
      said: `the demo takes the default: ${optionText(option)}`,
    };
  }
  if (request.fields) {
    const inputValue = JSON.stringify(
      Object.fromEntries(
        request.fields.map((field) => [field.id, defaultOption(field)?.id ?? "No preference."]),
      ),
    );
    return { answer: { inputValue }, said: `the demo takes the defaults: ${inputValue}` };
  }
  return { answer: { inputValue: "No preference." }, said: "the demo answers: No preference." };
}

// The terminal as host: asks in place, one question at a time.

type TerminalOptions = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** False: every question is answered `later`. */
  isInteractive: boolean;
  /** Hides the live view while a question is open. */
  screen: { pause(): void; resume(): void };
  colors: Colors;
  /** `terminal:<user>` */
  actorId: string;
  /** `expected` describes valid answers. */
  check(
    request: InteractionRequest,
    answer: InteractionAnswer,
  ): Promise<{ ok: true; answer: InteractionAnswer } | { ok: false; expected: string }>;
  /** Called on Ctrl-C during a question. */
  interrupt(): void;
};

const MAY_BE_EMPTY = " (may stay empty)";

type Prompts = typeof import("@clack/prompts");

/** `ask` throws LoopliaError `interrupted` on Ctrl-C or when the signal aborts; the question stays open. */
export function createTerminalHost(options: TerminalOptions): Host {
  return {
    canAsk: true,
    ask(request, signal) {
      if (!options.isInteractive) return Promise.resolve("later");
      return inTurn(options, () => askInPlace(request, signal, options));
    },
    async secure() {},
    async taskEnded() {},
  };
}

/** Asks for one of the options; undefined if the person interrupted the question. */
export async function chooseOne<T extends string>(
  message: string,
  options: readonly { value: T; label: string }[],
): Promise<T | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const chosen = await select<string>({ message, options: options.map((option) => ({ ...option })) });
  return isCancel(chosen) ? undefined : options.find(({ value }) => value === chosen)?.value;
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
    ...cautionLines(request).map((line) => (line.startsWith("!") ? colors.red(line) : colors.dim(line))),
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
  const prompter = createPrompter(request, prompts, signal, options);
  const message = showOneLine(request.display.title);
  if (request.kind === "Composite") return askFields(request, prompter, options);
  if (request.kind === "Input") {
    return {
      inputValue: await prompter.text(message, (inputValue) => options.check(request, { inputValue })),
    };
  }
  const own = request.options ?? [];
  const offered = request.standing ? [...own.slice(0, 1), ALWAYS, ...own.slice(1)] : own;
  const selectedOptionId = await prompter.select(message, { options: offered });
  if (request.standing && selectedOptionId === ALWAYS.id)
    return { selectedOptionId: "approve", always: true };
  if (request.kind !== "Confirm" || selectedOptionId !== "reject") return { selectedOptionId };
  const reason = await prompter.text(`Why?${MAY_BE_EMPTY}`);
  return reason.trim() === "" ? { selectedOptionId } : { selectedOptionId, comment: reason };
}

const ALWAYS: InteractionOption = {
  id: "always",
  label: "Approve always: the same command needs no further question in this work",
};

/** Asks field by field, with the same check as for the whole answer. */
async function askFields(
  request: InteractionRequest,
  prompter: Prompter,
  options: TerminalOptions,
): Promise<InteractionAnswer> {
  prompter.note(showOneLine(request.display.title));
  const values: [string, string][] = [];
  for (const field of request.fields ?? []) {
    const message = showOneLine(field.label);
    const alone = { ...request, fields: [field] };
    const check = (value: string) =>
      options.check(alone, { inputValue: JSON.stringify(Object.fromEntries([[field.id, value]])) });
    const value = field.options ? await prompter.select(message, field) : await prompter.text(message, check);
    values.push([field.id, value]);
  }
  return { inputValue: JSON.stringify(Object.fromEntries(values)) };
}

type Check = (value: string) => Promise<{ ok: true } | { ok: false; expected: string }>;

type Validate = (value?: string) => Promise<string | undefined>;

type Prompter = {
  note(text: string): void;
  select(message: string, question: { options?: readonly InteractionOption[] }): Promise<string>;
  /** Repeats the question until `check` accepts; says if an empty text is allowed. */
  text(message: string, check?: Check): Promise<string>;
};

function createPrompter(
  request: InteractionRequest,
  prompts: Prompts,
  signal: AbortSignal,
  options: TerminalOptions,
): Prompter {
  const streams = { input: options.input, output: options.output };
  const taken = (value: string | symbol | undefined): string => {
    if (typeof value !== "symbol") return value ?? "";
    options.interrupt();
    throw interrupted(request);
  };
  return {
    note: (text) => void options.output.write(`${text}\n`),
    async select(message, question) {
      const initialValue = defaultOption(question)?.id;
      const choices = (question.options ?? []).map(({ id, label }) => ({
        value: id,
        label: showOneLine(label || id),
      }));
      const given = { message, options: choices, ...(initialValue === undefined ? {} : { initialValue }) };
      return taken(
        await whileOpen(signal, (own) => prompts.select<string>({ ...streams, signal: own, ...given })),
      );
    },
    async text(message, check) {
      const read = (given: { message: string; validate?: Validate }) =>
        whileOpen(signal, (own) => prompts.text({ ...streams, signal: own, ...given }));
      if (!check) return taken(await read({ message }));
      const validate = async (value = "") => refusalOf(await check(value));
      const hint = (await validate()) === undefined ? MAY_BE_EMPTY : "";
      return taken(await read({ message: message + hint, validate }));
    },
  };
}

/**
 * A prompt never removes its listener, so each gets its own signal, which is not aborted after the answer.
 */
async function whileOpen<T>(signal: AbortSignal, ask: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await ask(own.signal);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function refusalOf(checked: { ok: true } | { ok: false; expected: string }): string | undefined {
  return checked.ok ? undefined : `Expected ${checked.expected}.`;
}

function interrupted(request: InteractionRequest): LoopliaError {
  return new LoopliaError("interrupted", `Interrupted at question ${request.shortId}; it stays open.`);
}

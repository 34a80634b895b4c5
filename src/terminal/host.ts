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
  type TerminalPrompts,
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
  screen: { pause(): void; resume(): void; aboutOf?(shortId: string): string };
  /** Asks instead of the prompts that redraw in place. */
  prompts?: TerminalPrompts;
  /** Asks in lines that are never redrawn, for screen readers. */
  isPlain?: boolean;
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
  const prompts =
    options.prompts ?? (options.isPlain ? linePrompts(options) : await keyPrompts(options, options.screen));
  prompts.open(...describe(request, options));
  try {
    const answer = await promptFor(request, { prompts, signal, ...options });
    return { answer, actorId: options.actorId };
  } finally {
    prompts.close();
  }
}

function describe(
  request: InteractionRequest,
  { colors, screen }: TerminalOptions,
): [lines: string[], cautions: string[]] {
  const about = screen.aboutOf?.(request.shortId) ?? "";
  const lines = detailLines(request);
  const isDiff = request.display.contentKind === "Diff";
  return [
    [
      colors.dim(`question ${request.shortId}${about && ` (${about})`} · ${request.interactionId}`),
      ...(isDiff ? lines.map((line) => paintDiffLine(line, colors)) : lines),
    ],
    cautionLines(request).map((line) => (line.startsWith("!") ? colors.red(line) : colors.dim(line))),
  ];
}

function paintDiffLine(line: string, colors: Colors): string {
  if (/^(\+\+\+|---|Index:|===)/.test(line)) return colors.bold(line);
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return line.startsWith("@@") ? colors.cyan(line) : line;
}

type Asking = Pick<TerminalOptions, "check" | "interrupt"> & {
  prompts: TerminalPrompts;
  signal: AbortSignal;
};

async function promptFor(request: InteractionRequest, asking: Asking): Promise<InteractionAnswer> {
  const message = showOneLine(request.display.title);
  if (request.kind === "Composite") return askFields(request, message, asking);
  const { select, text } = createAsker(request, asking);
  if (request.kind === "Input") {
    return { inputValue: await text(message, (inputValue) => asking.check(request, { inputValue })) };
  }
  const own = request.options ?? [];
  const offered = request.standing ? [...own.slice(0, 1), ALWAYS, ...own.slice(1)] : own;
  const selectedOptionId = await select(message, offered);
  if (request.standing && selectedOptionId === ALWAYS.id)
    return { selectedOptionId: "approve", always: true };
  if (request.kind !== "Confirm" || selectedOptionId !== "reject") return { selectedOptionId };
  const reason = await text(`Why?${MAY_BE_EMPTY}`);
  return reason.trim() === "" ? { selectedOptionId } : { selectedOptionId, comment: reason };
}

const ALWAYS: InteractionOption = {
  id: "always",
  label: "Approve always: the same command needs no further question in this work",
};

/** Asks field by field, with the same check as for the whole answer. */
async function askFields(
  request: InteractionRequest,
  title: string,
  asking: Asking,
): Promise<InteractionAnswer> {
  const { select, text } = createAsker(request, asking);
  const values: [string, string][] = [];
  for (const [index, field] of (request.fields ?? []).entries()) {
    const message = `${index === 0 ? `${title}: ` : ""}${showOneLine(field.label)}`;
    const alone = { ...request, fields: [field] };
    const check = (value: string) =>
      asking.check(alone, { inputValue: JSON.stringify(Object.fromEntries([[field.id, value]])) });
    const value = field.options ? await select(message, field.options) : await text(message, check);
    values.push([field.id, value]);
  }
  return { inputValue: JSON.stringify(Object.fromEntries(values)) };
}

type Check = (value: string) => Promise<{ ok: true } | { ok: false; expected: string }>;

/** Throws `interrupted` when the person leaves the question. `text` repeats the question until `check` accepts. */
function createAsker(request: InteractionRequest, { prompts, signal, interrupt }: Asking) {
  const taken = (value: string | undefined): string => {
    if (value !== undefined) return value;
    interrupt();
    throw interrupted(request);
  };
  return {
    async select(message: string, options: readonly InteractionOption[]): Promise<string> {
      const preferred = defaultOption({ options })?.id;
      const choices = options.map(({ id, label }) => ({
        id,
        label: showOneLine(label || id),
        isDefault: id === preferred,
      }));
      return taken(await prompts.select(message, choices, signal));
    },
    async text(message: string, check?: Check): Promise<string> {
      const refusal = async (value: string) => (check ? refusalOf(await check(value)) : undefined);
      const hint = check && (await refusal("")) === undefined ? MAY_BE_EMPTY : "";
      return taken(await prompts.text(message + hint, refusal, signal));
    },
  };
}

/** Prompts in place: arrow keys, redrawn as the person types. */
async function keyPrompts(
  { input, output }: Pick<TerminalOptions, "input" | "output">,
  screen: TerminalOptions["screen"],
): Promise<TerminalPrompts> {
  const prompts = await import("@clack/prompts");
  const takenOf = (value: string | symbol | undefined) =>
    typeof value === "symbol" ? undefined : (value ?? "");
  return {
    open(lines, cautions) {
      screen.pause();
      output.write(`\n${[...lines, ...cautions].join("\n")}\n`);
    },
    async select(message, choices, signal) {
      const options = choices.map(({ id: value, label }) => ({ value, label }));
      const initialValue = choices.find(({ isDefault }) => isDefault)?.id;
      const given = { message, options, ...(initialValue === undefined ? {} : { initialValue }) };
      return takenOf(
        await whileOpen(signal, (own) => prompts.select<string>({ input, output, signal: own, ...given })),
      );
    },
    async text(message, check, signal) {
      const validate = async (value = "") => check(value);
      return takenOf(
        await whileOpen(signal, (own) => prompts.text({ input, output, signal: own, message, validate })),
      );
    },
    close: () => screen.resume(),
  };
}

/** Prompts for screen readers: numbered lines, and one line typed as the answer. */
function linePrompts({ input, output }: Pick<TerminalOptions, "input" | "output">): TerminalPrompts {
  const read = async (message: string, signal: AbortSignal): Promise<string | undefined> => {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input, output, terminal: false });
    const left = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
    try {
      const asked = whileOpen(signal, (own) => lines.question(message, { signal: own }));
      return await Promise.race([asked.catch(() => undefined), left]);
    } finally {
      lines.close();
    }
  };
  return {
    open: (lines, cautions) => void output.write(`${[...lines, ...cautions].join("\n")}\n`),
    async select(message, choices, signal) {
      const rows = choices.map(
        ({ label, isDefault }, index) => `${index + 1}. ${label}${isDefault ? " (default)" : ""}`,
      );
      output.write(`${[message, ...rows].join("\n")}\n`);
      for (;;) {
        const said = await read(`Number from 1 to ${choices.length}: `, signal);
        if (said === undefined) return undefined;
        const chosen =
          said.trim() === "" ? choices.find(({ isDefault }) => isDefault) : choices[Number(said) - 1];
        if (chosen) return chosen.id;
      }
    },
    async text(message, check, signal) {
      for (;;) {
        const said = await read(`${message} `, signal);
        const problem = said === undefined ? undefined : await check(said);
        if (problem === undefined) return said;
        output.write(`${problem}\n`);
      }
    },
    close() {},
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

// Renders the program's prompts: strict Mustache templates.
import mustache from "mustache";
import { LoopliaError, messageOf } from "../core/errors.ts";
import type { TrustedFiles } from "../core/ports.ts";
import type { Prompts } from "./definitions.ts";
import { parseFrontMatter } from "./yaml.ts";

// Strict Mustache: an undefined name is an error with its line, and values are neither escaped nor read as
// templates. Additional names: `@first`, `@last`, `@number` (from 1) of the nearest list item, and
// `name.@json`.

/** An error in a template or its variables, with the place in the template. */
class TemplateError extends Error {
  /** Counted from 1. */
  readonly line: number;

  constructor(text: string, offset: number, cause: unknown) {
    super(messageOf(cause).replace(/ at \d+$/, ""), { cause });
    this.line = text.slice(0, offset).split("\n").length;
  }
}

/** Returns a function that renders `text`. Both throw `TemplateError`. Only own properties are variables. */
function parseTemplate(text: string): (variables: object) => string {
  const writer = new StrictWriter();
  try {
    writer.parse(text);
  } catch (error) {
    throw new TemplateError(text, Number(/ at (\d+)$/.exec(messageOf(error))?.[1] ?? 0), error);
  }
  return (variables) => writer.render(text, new StrictContext(variables), {}, { escape: textOf });
}

class StrictWriter extends mustache.Writer {
  // biome-ignore lint/complexity/useMaxParams: the signature is that of the library
  override renderTokens(
    tokens: string[][],
    context: mustache.Context,
    partials?: mustache.PartialsOrLookupFn,
    template = "",
    config?: mustache.RenderOptions,
  ): string {
    // Rendered one by one, because the library's own errors do not name the place.
    const rendered = tokens.map((token) => {
      try {
        refuse(token);
        return super.renderTokens([token], context, partials, template, config);
      } catch (error) {
        throw error instanceof TemplateError ? error : new TemplateError(template, Number(token[2]), error);
      }
    });
    return rendered.join("");
  }
}

function refuse([kind, name]: string[]): void {
  if (kind === ">") throw new Error(`a template includes no other: ${name}`);
  if (kind === "&") throw new Error(`nothing is escaped, write two braces: ${name}`);
}

class ListItem {
  readonly value: unknown;
  readonly place: ReadonlyMap<string, unknown>;

  constructor(value: unknown, index: number, { length }: readonly unknown[]) {
    this.value = value;
    this.place = new Map<string, unknown>([
      ["@first", index === 0],
      ["@last", index === length - 1],
      ["@number", index + 1],
    ]);
  }
}

class StrictContext extends mustache.Context {
  readonly value: unknown;
  readonly place: ReadonlyMap<string, unknown> | undefined;
  readonly outer: StrictContext | undefined;

  constructor(value: unknown, outer?: StrictContext) {
    super(value, outer);
    const item = value instanceof ListItem ? value : undefined;
    this.value = item ? item.value : value;
    this.place = item?.place ?? outer?.place;
    this.outer = outer;
  }

  override push(value: unknown): StrictContext {
    return new StrictContext(value, this);
  }

  override lookup(path: string): unknown {
    const found = path === "." ? this.value : this.find(path);
    return Array.isArray(found) ? found.map((value, index) => new ListItem(value, index, found)) : found;
  }

  private find(path: string): unknown {
    const [name = "", ...keys] = path.split(".");
    let value = this.place?.get(name) ?? this.variable(name);
    let known = name;
    for (const key of keys) {
      known += `.${key}`;
      value = key === "@json" ? JSON.stringify(value) : propertyOf(value, key);
      if (value === undefined) throw new Error(`undefined variable: ${known}`);
    }
    return value;
  }

  private variable(name: string): unknown {
    const value = propertyOf(this.value, name);
    if (value !== undefined) return value;
    if (!this.outer) throw new Error(`undefined variable: ${name}`);
    return this.outer.variable(name);
  }
}

function propertyOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function textOf(value: unknown): string {
  if (typeof value === "object") throw new Error("a list or an object where text belongs");
  return String(value);
}

type Render = (variables: object) => string;

/**
 * Renders `prompts/<file>` of `builtin`, the root of the installation, without front matter and surrounding
 * white space. Fails with `config-invalid`, naming file, line and variable, for an undefined variable. Files
 * are read once.
 */
export function createPrompts(builtin: TrustedFiles): Prompts {
  const renderers = new Map<string, Promise<Render>>();
  return {
    async render(file, variables) {
      const known = renderers.get(file) ?? loadPrompt(builtin, `prompts/${file}`);
      renderers.set(file, known);
      return (await known)(variables).trim();
    },
  };
}

const FILES = [
  ...[
    "agent-system",
    "bootstrap",
    "iteration",
    "messages",
    "nobody",
    "orchestrate",
    "planner",
    "repair",
    "retry",
  ],
  ...["answers", "changed", "review", "section", "step", "system", "unfinished", "unreported", "worker"],
];

/**
 * Reads every prompt of the program and returns their number. Fails like `createPrompts` on the first missing
 * or broken one.
 */
export async function checkPrompts(builtin: TrustedFiles): Promise<number> {
  for (const name of FILES) await loadPrompt(builtin, `prompts/${name}.md`);
  return FILES.length;
}

async function loadPrompt(builtin: TrustedFiles, path: string): Promise<Render> {
  const text = await builtin.read(path);
  if (text === undefined) throw new LoopliaError("config-invalid", `there is no prompt ${path}`);
  const { body, bodyLine } = await parseFrontMatter(text, path);
  const located = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const place = error instanceof TemplateError ? `${path}:${error.line + bodyLine - 1}` : path;
      throw new LoopliaError("config-invalid", `${place}: ${messageOf(error)}`, { cause: error });
    }
  };
  const render = located(() => parseTemplate(body));
  return (variables) => located(() => render(variables));
}

// Pages for people, made from artifacts with plain Mustache. Fields that an artifact omits are empty, and a
// model's text becomes one line without HTML.

/** Why a text is not a Mustache template; undefined for a valid one. */
export function problemOfPage(template: string): string | undefined {
  try {
    mustache.parse(template);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The page, ending in one line break. `{{{ name }}}` keeps line breaks and markup. */
export function renderPage(template: string, variables: object): string {
  const text = mustache.render(template, variables, {}, { escape: lineOf });
  return `${text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

/** Tags are shown, not obeyed. In code they are shown anyway, and an entity would be one more text. */
function lineOf(value: unknown): string {
  return String(value)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(`+)(?!`)(?:(?!\1).)*?\1(?!`)|<(?=[a-z/!?])/gi, (found) => (found === "<" ? "&lt;" : found));
}

// The program's own prompts, and a developer's prompts that override them.

/** `folder`: a developer's prompts; `show` is called with each rendered prompt. */
export type DeveloperPrompts = { folder?: string; show?(file: string, text: string): void };

/** `own` overrides `builtin`. */
export function openPrompts(
  builtin: TrustedFiles,
  own: TrustedFiles | undefined,
  show: DeveloperPrompts["show"],
): Prompts {
  const read = async (path: string) =>
    (await own?.read(path.replace(/^prompts\//, ""))) ?? builtin.read(path);
  const prompts = createPrompts(own ? { ...builtin, read } : builtin);
  if (!show) return prompts;
  return {
    async render(file, variables) {
      const text = await prompts.render(file, variables);
      show(file, text);
      return text;
    },
  };
}

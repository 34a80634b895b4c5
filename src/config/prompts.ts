// The program's own prompts: strict Mustache templates under prompts/ (see template.ts for what they may use).
import { LoopliaError, messageOf } from "../errors.ts";
import type { TrustedFiles } from "../ports.ts";
import type { Prompts } from "./definitions.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { parseTemplate, TemplateError } from "./template.ts";

type Render = (variables: object) => string;

/**
 * Renders `prompts/<file>` of `builtin`, the root of the installation; front matter and white space around are left out.
 * Fails with `config-invalid`, naming file, line and variable, when one is undefined. Files are read once.
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
  ...["review", "step", "system", "unfinished", "unreported", "worker"],
];

/** Reads every prompt of the program, and says how many. Fails like `createPrompts` with the first that is gone or broken. */
export async function checkPrompts(builtin: TrustedFiles): Promise<number> {
  for (const name of FILES) await loadPrompt(builtin, `prompts/${name}.md`);
  return FILES.length;
}

async function loadPrompt(builtin: TrustedFiles, path: string): Promise<Render> {
  const text = await builtin.read(path);
  if (text === undefined) throw new LoopliaError("config-invalid", `there is no prompt ${path}`);
  const { body, bodyLine } = parseFrontMatter(text, path);
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

// The program's own prompts: Liquid templates under prompts/, rendered strictly. Values are text, never templates.
import type { Template } from "liquidjs";
import { LoopliaError, messageOf } from "../errors.ts";
import type { TrustedFiles } from "../ports.ts";
import type { Prompts } from "./definitions.ts";
import { parseFrontMatter } from "./front-matter.ts";

type Renderer = { template: Template[]; bodyLine: number };

/**
 * Renders `prompts/<file>` of `builtin`, the root of the installation; front matter and white space around are left out.
 * Fails with `config-invalid`, naming file, line and variable, when one is undefined. Files are read once.
 */
export function createPrompts(builtin: TrustedFiles): Prompts {
  const templates = new Map<string, Promise<Renderer>>();
  const engine = loadEngine();
  // Whoever renders first hears of it.
  engine.catch(() => undefined);
  const load = async (file: string): Promise<Renderer> => {
    const path = `prompts/${file}`;
    const text = await builtin.read(path);
    if (text === undefined) throw new LoopliaError("config-invalid", `there is no prompt ${path}`);
    const { body, bodyLine } = parseFrontMatter(text, path);
    try {
      return { template: (await engine).parse(body, path), bodyLine };
    } catch (error) {
      throw renderError(path, bodyLine, error);
    }
  };
  return {
    async render(file, variables) {
      const known = templates.get(file) ?? load(file);
      templates.set(file, known);
      const { template, bodyLine } = await known;
      try {
        const text: unknown = await (await engine).render(template, variables);
        return String(text).trim();
      } catch (error) {
        throw renderError(`prompts/${file}`, bodyLine, error);
      }
    },
  };
}

async function loadEngine() {
  const { Liquid } = await import("liquidjs");
  return new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // No template includes another: nothing is ever looked up on the disk.
    templates: {},
    cache: false,
    // Left out, it is asked of the system, which takes longer than all the rest.
    locale: "en-US",
  });
}

function renderError(path: string, bodyLine: number, error: unknown): LoopliaError {
  const [, reason, line] = /^(.*?)(?:, file:.*?)?, line:(\d+)/s.exec(messageOf(error)) ?? [];
  const place = line === undefined ? path : `${path}:${Number(line) + bodyLine - 1}`;
  return new LoopliaError("config-invalid", `${place}: ${reason ?? messageOf(error)}`, { cause: error });
}

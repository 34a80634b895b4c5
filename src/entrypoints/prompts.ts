// The program's own prompts, and a developer's before them.
import type { Prompts } from "../config/definitions.ts";
import { createPrompts } from "../config/prompts.ts";
import type { TrustedFiles } from "../ports.ts";

/** `folder` holds prompts of a developer; `show` is told of each as it is rendered. */
export type DeveloperPrompts = { folder?: string; show?(file: string, text: string): void };

/** `own` is read before `builtin`. */
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

// Locates the program, its prompts and its logs.
import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Prompts } from "../config/definitions.ts";
import { createPrompts } from "../config/prompts.ts";
import { sha256Of } from "../core/json.ts";
import type { TrustedFiles } from "../core/ports.ts";

export type Install = { installFolder: string; version: string };

/** The folder of the installed program: two above its entry, `script`. */
export async function findInstall(script: string): Promise<Install> {
  const installFolder = dirname(dirname(dirname(await realpath(script))));
  const { version } = JSON.parse(await readFile(join(installFolder, "package.json"), "utf8")) as {
    version: string;
  };
  return { installFolder, version };
}

// The log folder, if logs are not beside the state.

/** `<log-dir>/<project>-<hash>`, constant per folder; undefined if logs are beside the state. */
export function findLogFolder(root: string, logDir: string | undefined): string | undefined {
  if (logDir === undefined) return undefined;
  const hash = sha256Of(root).slice(0, 8);
  return join(resolve(root, logDir), `${basename(root)}-${hash}`);
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

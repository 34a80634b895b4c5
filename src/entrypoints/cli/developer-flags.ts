// Flags for those who work on the prompts; for anybody else they do not exist. Pure.
import { LoopliaError } from "../../errors.ts";

/** Prompts from a folder before the program's own, and whether each is printed as it is rendered. */
export type PromptOverride = { folder?: string; isPrinted: boolean };

/** Takes `--prompt-dir` and `--print-prompt` out of the arguments, only with `LOOPLIA_PROMPT_MODE=dev`. */
export function takeDeveloperFlags(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): { argv: string[]; prompts?: PromptOverride } {
  if (environment.LOOPLIA_PROMPT_MODE !== "dev") return { argv: [...argv] };
  const left: string[] = [];
  const prompts: PromptOverride = { isPrinted: false };
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? "";
    if (argument === "--print-prompt") prompts.isPrinted = true;
    else if (argument === "--prompt-dir" || argument.startsWith("--prompt-dir=")) {
      const isApart = argument === "--prompt-dir";
      const folder = isApart ? argv[at + 1] : argument.slice("--prompt-dir=".length);
      if (isApart) at += 1;
      if (!folder)
        throw new LoopliaError("config-invalid", "--prompt-dir needs a value.", { hint: "name a folder" });
      prompts.folder = folder;
    } else left.push(argument);
  }
  return { argv: left, prompts };
}

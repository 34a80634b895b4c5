// Words of a command line as flags, each with its value, and what is no flag.
import { parseArgs } from "node:util";
import { suggestName } from "../../config/suggest.ts";
import { LoopliaError } from "../../errors.ts";
import { type FlagDefinition, flagsByName } from "./flags.ts";

export type Flags = Map<string, string | boolean | string[]>;

const SHORT_FORMS = new Map([
  ["-h", "--help"],
  ["-v", "version"],
  ["--version", "version"],
]);

/** Knows no commands. Throws LoopliaError `config-invalid` for a flag that there is not, or whose value is wrong. */
export function readTokens(argv: readonly string[]): { flags: Flags; positionals: string[] } {
  const options = Object.fromEntries(
    [...flagsByName.values()].map((flag) => [
      flag.name,
      { type: flag.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const args = argv.map((argument) => SHORT_FORMS.get(argument) ?? argument);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true, allowPositionals: true });
  const flags: Flags = new Map();
  const positionals: string[] = [];
  let before: FlagDefinition | undefined;
  for (const token of tokens) {
    const last = before;
    before = undefined;
    if (token.kind === "positional") {
      if (last?.takesTruth && isTruth(token.value)) flags.set(last.name, token.value === "true");
      else positionals.push(token.value);
    }
    if (token.kind !== "option") continue;
    const flag = flagsByName.get(token.name);
    if (!flag) throw usage(`There is no flag ${token.rawName}.`, suggestFlag(token.name));
    addFlag(flags, flag, token.value, token.inlineValue === true);
    if (token.inlineValue !== true) before = flag;
  }
  return { flags, positionals };
}

function isTruth(value: string): boolean {
  return value === "true" || value === "false";
}

function addFlag(flags: Flags, flag: FlagDefinition, value: string | undefined, isInline: boolean): void {
  if (flag.value === undefined) {
    if (value !== undefined && !(flag.takesTruth && isTruth(value))) {
      throw usage(
        `--${flag.name} takes ${flag.takesTruth ? "only true or false" : "no value"}.`,
        `write --${flag.name}, or --no-${flag.name} where there is one`,
      );
    }
    flags.set(flag.name, value !== "false");
    return;
  }
  if (value === undefined || (!isInline && value.startsWith("-") && value.length > 1)) {
    throw usage(`--${flag.name} needs a value.`, `write --${flag.name}=<${flag.value}>`);
  }
  const earlier = flags.get(flag.name);
  flags.set(flag.name, flag.isRepeatable ? [...(Array.isArray(earlier) ? earlier : []), value] : value);
}

function suggestFlag(name: string): string {
  const suggestion = suggestName(name, flagsByName.keys());
  return suggestion?.replace(/"(.+)"/, '"--$1"') ?? "`looplia help run` lists the flags";
}

/** An error of usage. */
export function usage(message: string, hint: string | undefined): LoopliaError {
  return new LoopliaError("config-invalid", message, hint === undefined ? {} : { hint });
}

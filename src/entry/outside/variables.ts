import { fillVariables } from "../../config/secrets.ts";
import type { Settings } from "../../config/settings-table.ts";
import { LoopliaError } from "../../core/errors.ts";

/** `subject` begins the error's sentence: who names the variable. */
type Place = {
  subject: string;
  environment: Readonly<Record<string, string | undefined>>;
  settings: Settings;
};

/**
 * The text with its variables replaced. Throws `config-invalid` for a variable without a value, and for one that holds a key or
 * token that this run uses itself.
 */
export function fillText(text: string, { subject, environment, settings }: Place): string {
  const filled = fillVariables(text, environment, settings);
  if ("text" in filled) return filled.text;
  if ("own" in filled) {
    const names = filled.own.join(", ");
    throw new LoopliaError("config-invalid", `${subject} refers to ${names}, a secret of this run itself.`, {
      hint: "Create a separate key with no more rights than it needs there, and give it a variable of its own",
    });
  }
  const missing = filled.missing.join(", ");
  throw new LoopliaError("config-invalid", `${subject} needs ${missing}, which is not set.`, {
    hint: `Set ${missing} in the step's \`env\`, or take it out of the settings`,
  });
}

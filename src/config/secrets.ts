// Which values must never be said: keys and tokens of the settings, and what the environment calls a secret.
import { environmentName, type Settings, settingDefinitions, settingKey } from "./settings-table.ts";

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|_KEY|_PAT)$/i;
/** A shorter value under such a name may well be a word: of a policy, a user, a file. */
const LEAST_LENGTH = 16;

/** Empty where nothing is secret. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  settings?: Partial<Settings>,
): string[] {
  const values = new Map<string, unknown>(Object.entries(settings ?? {}));
  const known = settingDefinitions
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ name, usualName }) => [
      values.get(settingKey(name)),
      environment[`INPUT_${name.toUpperCase()}`],
      environment[environmentName(name)],
      usualName === undefined ? undefined : environment[usualName],
    ]);
  const named = Object.entries(environment)
    .filter(([name, value = ""]) => SECRET_NAME.test(name) && value.length >= LEAST_LENGTH)
    .map(([, value]) => value);
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  return [...new Set([...known, ...named].filter(isText))];
}

// Tells which settings and variables are secrets.
import { environmentName, type Settings, settingDefinitions, settingKey } from "./settings-table.ts";

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|_KEY|_PAT)$/i;
/** A shorter value under such a name may well be a word: of a policy, a user, a file. */
const LEAST_LENGTH = 16;

/** The variables that secret settings are read from. */
const SETTING_NAMES = new Set(
  settingDefinitions
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ name, usualName }) => [
      `INPUT_${name.toUpperCase()}`,
      environmentName(name),
      ...(usualName === undefined ? [] : [usualName]),
    ]),
);

/** Whether the value of this variable may be a key. */
export function isSecretName(name: string): boolean {
  return SETTING_NAMES.has(name) || SECRET_NAME.test(name);
}

/** Empty where nothing is secret. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  settings?: Partial<Settings>,
): string[] {
  const values = new Map<string, unknown>(Object.entries(settings ?? {}));
  const known = [
    ...settingDefinitions.filter(({ isSecret }) => isSecret).map(({ name }) => values.get(settingKey(name))),
    ...[...SETTING_NAMES].map((name) => environment[name]),
  ];
  const named = Object.entries(environment)
    .filter(([name, value = ""]) => SECRET_NAME.test(name) && value.length >= LEAST_LENGTH)
    .map(([, value]) => value);
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  return [...new Set([...known, ...named].filter(isText))];
}

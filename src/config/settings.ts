// Settings from all their sources: defaults < looplia.yml < usual names < LOOPLIA_<NAME> < inputs or flags.
import type { Diagnostic } from "./diagnostics.ts";
import { type Located, plainOf, readYaml } from "./located-yaml.ts";
import type { SettingDefinition } from "./setting-definition.ts";
import { checkSetting } from "./setting-value.ts";
import { environmentName, type Settings, settingDefinitions, settingKey } from "./settings-table.ts";
import { suggestName } from "./suggest.ts";

export type SettingsSources = {
  /** Text of looplia.yml; undefined when there is none. */
  file: string | undefined;
  /** How the file is called in diagnostics. */
  fileName: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Inputs or flags by the setting's name. */
  overrides: Readonly<Record<string, string | boolean | string[] | undefined>>;
  overridesSource: "input" | "flag";
};

// Read elsewhere (INTERFACE §4), and no settings.
const OTHER_VARIABLES = new Set(["LOOPLIA_STATE_DIR", "LOOPLIA_PROMPT_MODE"]);
const byName = new Map(settingDefinitions.map((definition) => [definition.name, definition]));

type Given = {
  definition: SettingDefinition;
  value: unknown;
  isText: boolean;
  place: Pick<Diagnostic, "file" | "line">;
};

/**
 * The settings and all that is wrong with any source. A wrong value leaves the next lower source's in place.
 * Empty strings and nulls count as not given.
 */
export function resolveSettings(sources: SettingsSources): { settings: Settings; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const given = [
    ...readFile(sources, diagnostics),
    ...readEnvironment(sources.environment, diagnostics),
    ...readOverrides(sources, diagnostics),
  ];
  const values = new Map<string, unknown>();
  for (const definition of settingDefinitions) {
    values.set(settingKey(definition.name), definition.type.kind === "list" ? [] : definition.default);
  }
  for (const { definition, value, isText, place } of given) {
    const checked = checkSetting(definition, value, isText);
    if (checked === undefined) continue;
    if ("problem" in checked) {
      const message = place.line === undefined ? checked.problem : `"${definition.name}" ${checked.problem}`;
      diagnostics.push({ severity: "error", ...place, message, ...hintOf(checked.hint) });
    } else values.set(settingKey(definition.name), checked.value);
  }
  return { settings: Object.fromEntries(values) as Settings, diagnostics };
}

function readFile(sources: SettingsSources, diagnostics: Diagnostic[]): Given[] {
  if (sources.file === undefined) return [];
  const file = sources.fileName;
  const { root, diagnostics: broken } = readYaml(sources.file.replace(/^\uFEFF/, ""), file);
  diagnostics.push(...broken);
  if (root === undefined || (root.kind === "scalar" && root.value === null)) return [];
  if (root.kind !== "map") {
    diagnostics.push({
      severity: "error",
      file,
      line: root.line,
      message: "is not a mapping of settings",
      hint: "write one `name: value` a line",
    });
    return [];
  }
  const given: Given[] = [];
  for (const [name, { line, value }] of root.entries) {
    const definition = byName.get(name);
    const refusal = refuseInFile(name, definition);
    if (refusal !== undefined) diagnostics.push({ severity: "error", file, line, ...refusal });
    else if (definition !== undefined)
      given.push({ definition, value: fileValue(value), isText: false, place: { file, line } });
  }
  return given;
}

function refuseInFile(name: string, definition: SettingDefinition | undefined) {
  if (definition === undefined) {
    const names = settingDefinitions.filter((known) => !known.isSecret && !known.outsideFile);
    return {
      message: `unknown setting "${name}"`,
      ...hintOf(
        suggestName(
          name,
          names.map((known) => known.name),
        ),
      ),
    };
  }
  if (definition.isSecret) {
    return {
      message: `"${name}" must not stand in a file`,
      hint: `take it out, revoke it if it was ever committed, and use a secret: the variable ${definition.usualName ?? environmentName(name)} or the Action's input`,
    };
  }
  if (!definition.outsideFile) return undefined;
  return {
    message: `"${name}" cannot be set in the file of settings`,
    hint: `use the flag --${name}, the Action's input or ${environmentName(name)}`,
  };
}

function fileValue(located: Located): unknown {
  const value = plainOf(located);
  return value instanceof Map ? {} : value;
}

function readEnvironment(environment: SettingsSources["environment"], diagnostics: Diagnostic[]): Given[] {
  const variables = new Map(Object.entries(environment));
  const known = new Set<string>();
  const given: Given[] = [];
  for (const definition of settingDefinitions) {
    const own = environmentName(definition.name);
    known.add(own);
    for (const variable of [definition.usualName, own]) {
      const value = variable === undefined ? undefined : variables.get(variable);
      if (variable !== undefined) given.push({ definition, value, isText: true, place: { file: variable } });
    }
  }
  for (const [variable, value] of variables) {
    if (!variable.startsWith("LOOPLIA_") || value === undefined) continue;
    if (known.has(variable) || OTHER_VARIABLES.has(variable)) continue;
    diagnostics.push({
      severity: "warning",
      file: variable,
      message: "is a variable that no setting reads",
      ...hintOf(suggestName(variable, known)),
    });
  }
  return given;
}

function readOverrides(sources: SettingsSources, diagnostics: Diagnostic[]): Given[] {
  const isInput = sources.overridesSource === "input";
  const given: Given[] = [];
  for (const [name, value] of Object.entries(sources.overrides)) {
    if (value === undefined) continue;
    const file = isInput ? `input ${name}` : `--${name}`;
    const definition = byName.get(name);
    if (definition !== undefined && (!isInput || definition.isInput)) {
      given.push({ definition, value, isText: true, place: { file } });
      continue;
    }
    // Of all settings, also for an input: the next run says where one goes that is no input.
    const hint =
      definition === undefined
        ? suggestName(name, byName.keys())
        : `put ${name} into looplia.yml, or set ${environmentName(name)}`;
    diagnostics.push({
      severity: "error",
      file,
      message: `is no ${sources.overridesSource}`,
      ...hintOf(hint),
    });
  }
  return given;
}

function hintOf(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint };
}

// Resolves settings from defaults, looplia.yml, variables, and inputs or flags.
import { basename, join, posix, resolve } from "node:path";
import { sha256Of } from "../core/json.ts";
import { createReport, type Diagnostic, suggestName } from "./diagnostics.ts";
import { plainOf } from "./located.ts";
import { environmentName } from "./secrets.ts";
import { readServers } from "./servers.ts";
import type { SettingDefinition, SettingType } from "./setting-rows.ts";
import { type Settings, settingDefinitions, settingKey } from "./settings-table.ts";
import { readYaml } from "./yaml.ts";

// Checks one value of one setting against its row of the table. Text is converted; YAML values keep their
// type.

type CheckedSetting = { value: unknown } | { problem: string; hint?: string | undefined };

/**
 * Undefined when no value is given (undefined, null, empty text or list). With `isText`, the source contains
 * only text, so numbers and booleans may be text. Problems never show a secret.
 */
function checkSetting(
  definition: SettingDefinition,
  raw: unknown,
  isText: boolean,
): CheckedSetting | undefined {
  const given = typeof raw === "string" ? raw.trim() : raw;
  if (given === undefined || given === null || given === "") return undefined;
  const { type } = definition;
  if (type.kind === "list") return checkList(type, given);
  if (type.kind === "switch") {
    const truth = readText({ kind: "boolean" }, given);
    return typeof truth === "boolean" ? { value: truth } : checkList(type, given);
  }
  if (type.kind === "servers") return readServers(given);
  const checked = checkScalar(type, isText ? readText(type, given) : given);
  if (checked !== undefined) return checked;
  const came = definition.isSecret ? "" : `, not ${shown(raw)}`;
  const hint = type.kind === "enum" ? suggestName(String(given), type.values) : undefined;
  return { problem: `must be ${allowedText(type)}${came}`, hint };
}

function checkList(type: SettingType, given: unknown): CheckedSetting | undefined {
  const parts = typeof given === "string" ? given.split("\n") : given;
  if (!Array.isArray(parts) || !parts.every((part): part is string => typeof part === "string")) {
    return { problem: `must be ${allowedText(type)}, not ${shown(given)}` };
  }
  const value = parts.flatMap((part) => part.split("\n")).map((part) => part.trim());
  const filled = value.filter((part) => part !== "");
  if (filled.length === 0) return undefined;
  const problems = "problemOf" in type && type.problemOf ? filled.map(type.problemOf) : [];
  const found = problems.filter((problem) => problem !== undefined);
  return found.length > 0 ? { problem: found.join("; ") } : { value: filled };
}

function checkScalar(type: SettingType, given: unknown): { value: unknown } | undefined {
  switch (type.kind) {
    case "string":
      if (typeof given !== "string" || hasControl(given)) return undefined;
      return type.pattern === undefined || type.pattern.test(given) ? { value: given } : undefined;
    case "path":
      return typeof given === "string" ? plainPath(given) : undefined;
    case "enum":
      return typeof given === "string" && type.values.includes(given) ? { value: given } : undefined;
    case "boolean":
      return typeof given === "boolean" ? { value: given } : undefined;
    case "int":
    case "number":
      if (type.word !== undefined && given === type.word) return { value: given };
      return typeof given === "number" && isInRange(type, given) ? { value: given } : undefined;
    case "list":
    case "switch":
    case "servers":
      return undefined;
  }
}

/**
 * Removes `.`, `..` and doubled slashes; undefined unless the path is a file below the folder and outside its
 * `.git`.
 */
function plainPath(given: string): { value: string } | undefined {
  if (hasControl(given) || /^\/|\\|\/$/.test(given)) return undefined;
  const path = posix.normalize(given);
  return /^(?:\.|\.\.|(?:\.\.|\.git)\/.*)$/i.test(path) ? undefined : { value: path };
}

// The forms of YAML's core schema, so that a text has the same meaning in every source.
function readText(type: SettingType, given: unknown): unknown {
  if (typeof given !== "string") return given;
  if (type.kind === "boolean" && /^(?:true|True|TRUE|false|False|FALSE)$/.test(given)) {
    return given.toLowerCase() === "true";
  }
  const isNumber = (type.kind === "int" || type.kind === "number") && /^-?\d+(?:\.\d+)?$/.test(given);
  return isNumber ? Number(given) : given;
}

function isInRange(type: SettingType & { kind: "int" | "number" }, value: number): boolean {
  if (type.kind === "int" ? !Number.isSafeInteger(value) : !Number.isFinite(value)) return false;
  if (type.above !== undefined && value <= type.above) return false;
  return value >= (type.minimum ?? value) && value <= (type.maximum ?? value);
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007F");
}

function isMany({ kind }: SettingType): boolean {
  return kind === "list" || kind === "servers";
}

/** A setting's allowed values, in words: `a whole number from 1 to 64`. */
export function allowedText(type: SettingType): string {
  switch (type.kind) {
    case "string":
      return type.form ?? "a text of one line";
    case "path":
      return "the path of a file below the working directory, with / between names";
    case "list":
      return "a list of texts, one per line";
    case "enum":
      return `one of ${type.values.join(", ")}`;
    case "boolean":
      return "true or false";
    case "switch":
      return "true, false, or a list of texts, one per line";
    case "servers":
      return "a mapping of names to servers, or its JSON";
    case "int":
    case "number": {
      const noun = type.kind === "int" ? "a whole number" : "a number";
      const above = type.above === undefined ? "" : ` above ${type.above}`;
      if (type.minimum !== undefined && type.maximum !== undefined) {
        const word = type.word === undefined ? "" : `${type.word} or `;
        return `${word}${noun} from ${type.minimum} to ${type.maximum}`;
      }
      const least = type.minimum === undefined ? "" : ` of at least ${type.minimum}`;
      return `${noun}${above}${least}${type.maximum === undefined ? "" : ` and at most ${type.maximum}`}`;
    }
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list with other entries in it";
  if (typeof value === "object") return "a mapping";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

type SettingsSources = {
  /** Text of looplia.yml; undefined when the file does not exist. */
  file: string | undefined;
  /** The file's name in diagnostics. */
  fileName: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Inputs or flags by the setting's name. */
  overrides: Readonly<Record<string, string | boolean | string[] | undefined>>;
  overridesSource: "input" | "flag";
};

// Read elsewhere (INTERFACE §4); they are not settings.
const OTHER_VARIABLES = new Set(["LOOPLIA_STATE_DIR", "LOOPLIA_PROMPT_MODE"]);
const byName = new Map(settingDefinitions.map((definition) => [definition.name, definition]));

type Given = {
  definition: SettingDefinition;
  value: unknown;
  isText: boolean;
  place: Pick<Diagnostic, "file" | "line">;
};

/**
 * The settings and every problem of any source. After an invalid value the next lower source applies. Empty
 * strings and nulls count as not given.
 */
export async function resolveSettings(
  sources: SettingsSources,
): Promise<{ settings: Settings; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const given = [
    ...(await readFile(sources, diagnostics)),
    ...readEnvironment(sources.environment, diagnostics),
    ...readOverrides(sources, diagnostics),
  ];
  const values = new Map<string, unknown>();
  for (const definition of settingDefinitions) {
    values.set(settingKey(definition.name), isMany(definition.type) ? [] : definition.default);
  }
  for (const { definition, value, isText, place } of given) {
    const checked = checkSetting(definition, value, isText);
    if (checked === undefined) continue;
    if ("problem" in checked) {
      const message = place.line === undefined ? checked.problem : `"${definition.name}" ${checked.problem}`;
      diagnostics.push({ severity: "error", ...place, message, hint: checked.hint });
    } else values.set(settingKey(definition.name), checked.value);
  }
  return { settings: Object.fromEntries(values) as Settings, diagnostics };
}

async function readFile(sources: SettingsSources, diagnostics: Diagnostic[]): Promise<Given[]> {
  if (sources.file === undefined) return [];
  const file = sources.fileName;
  const { root, diagnostics: broken } = await readYaml(sources.file.replace(/^\uFEFF/, ""), file);
  diagnostics.push(...broken);
  if (root === undefined || (root.kind === "scalar" && root.value === null)) return [];
  const report = createReport(file, diagnostics);
  if (root.kind !== "map") {
    report(root.line, "is not a mapping of settings", "write one `name: value` per line");
    return [];
  }
  const given: Given[] = [];
  for (const [name, { line, value }] of root.entries) {
    const definition = byName.get(name);
    const refusal = refuseInFile(name, definition);
    if (refusal !== undefined) report(line, ...refusal);
    else if (definition !== undefined)
      given.push({ definition, value: plainOf(value), isText: false, place: { file, line } });
  }
  return given;
}

function refuseInFile(
  name: string,
  definition: SettingDefinition | undefined,
): [message: string, hint: string | undefined] | undefined {
  if (definition === undefined) {
    const names = settingDefinitions.filter((known) => !known.isSecret && !known.outsideFile);
    const hint = suggestName(
      name,
      names.map((known) => known.name),
    );
    return [`unknown setting "${name}"`, hint];
  }
  if (definition.isSecret) {
    return [
      `"${name}" must not be in a file`,
      `take it out, revoke it if it was ever committed, and use a secret: the variable ${definition.usualName ?? environmentName(name)} or the Action's input`,
    ];
  }
  if (!definition.outsideFile) return undefined;
  return [
    `"${name}" cannot be set in the settings file`,
    `use the flag --${name}, the Action's input or ${environmentName(name)}`,
  ];
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
    const hint = suggestName(variable, known);
    createReport(variable, diagnostics, "warning")(undefined, "is not the variable of any setting", hint);
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
    // Suggests any setting, even for an input: the next run says where a setting that is no input belongs.
    const hint =
      definition === undefined
        ? suggestName(name, byName.keys())
        : `put ${name} into looplia.yml, or set ${environmentName(name)}`;
    createReport(file, diagnostics)(undefined, `is no ${sources.overridesSource}`, hint);
  }
  return given;
}

/** `<log-dir>/<project>-<hash>`, constant per folder; undefined if logs are beside the state. */
export function findLogFolder(root: string, logDir: string | undefined): string | undefined {
  if (logDir === undefined) return undefined;
  const hash = sha256Of(root).slice(0, 8);
  return join(resolve(root, logDir), `${basename(root)}-${hash}`);
}

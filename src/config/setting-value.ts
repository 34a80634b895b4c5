// One value of one setting, checked against its row of the table. Text is converted; YAML values keep their type.
import { posix } from "node:path";
import type { SettingDefinition, SettingType } from "./setting-definition.ts";
import { suggestName } from "./suggest.ts";

export type CheckedSetting = { value: unknown } | { problem: string; hint?: string };

/**
 * Undefined when nothing is given (undefined, null, empty text or list). Numbers and booleans may come as text where
 * `isText` says that the source has nothing else. Problems never show a secret.
 */
export function checkSetting(
  definition: SettingDefinition,
  raw: unknown,
  isText: boolean,
): CheckedSetting | undefined {
  const given = typeof raw === "string" ? raw.trim() : raw;
  if (given === undefined || given === null || given === "") return undefined;
  const { type } = definition;
  if (type.kind === "list") return checkList(type, given);
  const checked = checkScalar(type, isText ? readText(type, given) : given);
  if (checked !== undefined) return checked;
  const came = definition.isSecret ? "" : `, not ${shown(raw)}`;
  const close = type.kind === "enum" ? suggestName(String(given), type.values) : undefined;
  return { problem: `must be ${allowedText(type)}${came}`, ...(close === undefined ? {} : { hint: close }) };
}

function checkList(type: SettingType, given: unknown): CheckedSetting | undefined {
  const parts = typeof given === "string" ? given.split("\n") : given;
  if (!Array.isArray(parts) || !parts.every((part): part is string => typeof part === "string")) {
    return { problem: `must be ${allowedText(type)}, not ${shown(given)}` };
  }
  const value = parts.flatMap((part) => part.split("\n")).map((part) => part.trim());
  const filled = value.filter((part) => part !== "");
  if (filled.length === 0) return undefined;
  const problems = type.kind === "list" && type.problemOf ? filled.map(type.problemOf) : [];
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
      return typeof given === "number" && isInRange(type, given) ? { value: given } : undefined;
    case "list":
      return undefined;
  }
}

/** Without `.`, `..` and doubled slashes; undefined for what is no file below the folder, or in its `.git`. */
function plainPath(given: string): { value: string } | undefined {
  if (hasControl(given) || /^\/|\\|\/$/.test(given)) return undefined;
  const path = posix.normalize(given);
  return /^(?:\.|\.\.|(?:\.\.|\.git)\/.*)$/i.test(path) ? undefined : { value: path };
}

// The forms of YAML's core schema, so that a text means the same in every source.
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

/** What a setting allows, in words: `a whole number from 1 to 64`. */
export function allowedText(type: SettingType): string {
  switch (type.kind) {
    case "string":
      return type.form ?? "a text of one line";
    case "path":
      return "the path of a file below the folder that is worked in, with / between names";
    case "list":
      return "a list of texts, one a line";
    case "enum":
      return `one of ${type.values.join(", ")}`;
    case "boolean":
      return "true or false";
    case "int":
    case "number": {
      const noun = type.kind === "int" ? "a whole number" : "a number";
      const above = type.above === undefined ? "" : ` above ${type.above}`;
      if (type.minimum !== undefined && type.maximum !== undefined) {
        return `${noun} from ${type.minimum} to ${type.maximum}`;
      }
      const least = type.minimum === undefined ? "" : ` of at least ${type.minimum}`;
      return `${noun}${above}${least}${type.maximum === undefined ? "" : ` and at most ${type.maximum}`}`;
    }
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list with something else in it";
  if (typeof value === "object") return "a mapping";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

// The type of a row in the table of settings.
export type SettingType =
  | { kind: "string"; pattern?: RegExp; form?: string }
  /** Below the working folder; normalized, so that one file has one name. */
  | { kind: "path" }
  /** `problemOf` says what is wrong with an entry. */
  | { kind: "list"; problemOf?: (entry: string) => string | undefined }
  | { kind: "enum"; values: readonly string[] }
  /** `above` is exclusive; `word` is allowed instead of a number. */
  | { kind: "int" | "number"; minimum?: number; above?: number; maximum?: number; word?: string }
  | { kind: "boolean" }
  /** True, false, or a list. */
  | { kind: "switch"; problemOf: (entry: string) => string | undefined }
  /** MCP servers: a mapping, or its JSON. */
  | { kind: "servers" };

export type SettingDefinition = {
  name: string;
  /** Also an input of the Action; the others are flags, variables and keys of looplia.yml only. */
  isInput?: true;
  type: SettingType;
  default?: string | number | boolean;
  /** The default in words, when the program has no default of its own. */
  defaultText?: string;
  description: string;
  /** Never accepted from looplia.yml, never shown in a diagnostic. */
  isSecret?: true;
  /** Not allowed in looplia.yml: the setting says where that file is, or where a key is sent. */
  outsideFile?: true;
  /** A common variable that is read if `LOOPLIA_<NAME>` is not set. */
  usualName?: string;
};

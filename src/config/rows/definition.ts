// What a row of the table of settings is.
export type SettingType =
  | { kind: "string"; pattern?: RegExp; form?: string }
  /** Below the folder that is worked in; kept in its plain form, so that one file has one name. */
  | { kind: "path" }
  /** `problemOf` says what is wrong with an entry. */
  | { kind: "list"; problemOf?: (entry: string) => string | undefined }
  | { kind: "enum"; values: readonly string[] }
  /** `above` is exclusive; `word` may stand instead of a number. */
  | { kind: "int" | "number"; minimum?: number; above?: number; maximum?: number; word?: string }
  | { kind: "boolean" }
  /** True, false, or a list. */
  | { kind: "switch"; problemOf: (entry: string) => string | undefined }
  /** MCP servers: a mapping, or its JSON. */
  | { kind: "servers" };

export type SettingDefinition = {
  name: string;
  /** An input of the Action as well; the others are flags, variables and keys of looplia.yml only. */
  isInput?: true;
  type: SettingType;
  default?: string | number | boolean;
  /** The default in words, where the program has none of its own. */
  defaultText?: string;
  description: string;
  /** Never accepted from looplia.yml, never shown in a diagnostic. */
  isSecret?: true;
  /** Cannot are in looplia.yml: it says where that is, or where a key is sent to. */
  outsideFile?: true;
  /** A variable that is read below `LOOPLIA_<NAME>`. */
  usualName?: string;
};

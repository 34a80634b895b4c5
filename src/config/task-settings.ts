// Settings about the task loop: rows of the one table in settings-table.ts.
import type { SettingDefinition } from "./setting-definition.ts";

export const taskSettings = [
  {
    name: "todo",
    type: {
      kind: "string",
      pattern: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\]+$/,
      form: "a path below the folder that is worked in",
    },
    default: "to-do.json",
    description: "The task list.",
  },
] as const satisfies readonly SettingDefinition[];

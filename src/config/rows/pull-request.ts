// Settings about pull requests: rows of the table in settings-table.ts.
import type { SettingDefinition } from "./definition.ts";

export const pullRequestSettings = [
  {
    name: "title",
    type: {
      kind: "string",
      pattern: /^(?:(?!\{\{)[^\r\n]|\{\{ ?(?:work|items|first) ?\}\}){1,200}$/,
      form: "one line of at most 200 characters with only the names {{ work }}, {{ items }} and {{ first }}",
    },
    defaultText: "what the work is about",
    description:
      "Title of the pull request: `{{ work }}` is the id of the work, `{{ items }}` the number of items or tasks, `{{ first }}` the title of the first item or of the task list. A title that a person edited is never overwritten.",
  },
  {
    name: "labels",
    type: { kind: "list" },
    defaultText: "none",
    description: "Labels of the pull request, one per line. Set once, when the work is done.",
  },
  {
    name: "reviewers",
    type: { kind: "list" },
    defaultText: "none",
    description:
      "Logins or `@org/team` to request a review from, one per line. Requested once, when the work is done.",
  },
  {
    name: "assignees",
    type: { kind: "list" },
    defaultText: "none",
    description: "Logins to assign the pull request to, one per line. Assigned once, when the work is done.",
  },
] as const satisfies readonly SettingDefinition[];

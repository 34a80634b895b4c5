// The outputs of the Action, in the order of action.yml.

export const actionOutputs = [
  ["status", "`completed`, `waiting`, `ignored`, `stopped` or `failed`; of several items the gravest."],
  [
    "reason-code",
    "Why, as one stable word, for example `done`, `up-to-date`, `cost-limit` or `config-invalid`.",
  ],
  ["work-id", "The work that the pull request carries."],
  ["session-id", "The session; empty when there are several."],
  ["interaction-id", "The open request to a person, if there is one."],
  ["pull-request-number", "Number of the pull request that was opened or updated."],
  ["pull-request-url", "Its address."],
  ["branch", "The work branch."],
  ["artifact-url", "The workflow artifact with state and audit log."],
  ["cost-usd", "US dollars that this run cost."],
  ["input-tokens", "Tokens that the models read."],
  ["output-tokens", "Tokens that the models wrote."],
  [
    "items",
    "JSON: `[{source, sessionId, status, reasonCode, pullRequestNumber?, interactionIds, costUsd}]`, one for each content item.",
  ],
  ["result-json", "JSON: the result as `looplia run --json` prints it."],
] as const satisfies readonly (readonly [name: string, description: string])[];

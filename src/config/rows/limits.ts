// What a run may cost and take, and how it is distributed: rows of the one table in settings-table.ts.
export const limitSettings = [
  {
    name: "max-cost-usd",
    isInput: true,
    type: { kind: "number", above: 0 },
    description:
      "Stop once a session has cost this many US dollars, all its runs together, and ask whether to raise the limit.",
  },
  {
    name: "max-run-cost-usd",
    type: { kind: "number", above: 0 },
    description:
      "Stop once a run has cost this many US dollars, all sessions together, and ask whether to raise the limit. Each request first reserves an upper estimate of its cost.",
  },
  {
    name: "max-month-cost-usd",
    type: { kind: "number", above: 0 },
    description:
      "Stop once a calendar month (UTC) has cost this many US dollars, all runs of the repository together, and ask whether to raise the limit.",
  },
  {
    name: "max-turns",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 10_000 },
    default: 50,
    description: "Maximum number of turns per task.",
  },
  {
    name: "max-tokens",
    type: { kind: "int", minimum: 1, maximum: 1_000_000_000_000 },
    description: "Stop once a session has used this many tokens, all its runs together.",
  },
  {
    name: "timeout-minutes",
    isInput: true,
    type: { kind: "number", above: 0, maximum: 7200 },
    default: 300,
    description: "Save and stop before the run has taken this many minutes.",
  },
  {
    name: "continue",
    type: { kind: "boolean" },
    default: false,
    description:
      "When a run stops at `timeout-minutes` or `max-iterations`, it starts its own workflow again, at most 20 times in a row. The job needs `actions: write`, and the workflow needs `workflow_dispatch` with the input `looplia-continuation` (docs/scale.md).",
  },
  {
    name: "concurrency",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 64, word: "auto" },
    default: 4,
    description:
      "How many content items are processed at once; `auto` starts at four and rises until the API limits requests.",
  },
  {
    name: "shard",
    isInput: true,
    type: {
      kind: "string",
      pattern: /^(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-6])\/(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-6])$/,
      form: "i/n with numbers from 1 to 256, for example 2/16",
    },
    description:
      "Process only part `i` of `n` of the due items, with a separate state. The parts come from this run's plan (`matrix` of `mode: plan`); `mode: collect` merges their results.",
  },
  {
    name: "batch",
    type: { kind: "boolean" },
    default: false,
    description:
      "Send the requests of agents with `batch: true` in their front matter through Anthropic's Message Batches API, at half price. The run ends as `waiting`, and a later run collects the answers, within a day (docs/scale.md).",
  },
  {
    name: "pull-request",
    type: { kind: "enum", values: ["one", "per-item"] },
    default: "one",
    description: "One pull request for all items of a run, or one for each item.",
  },
  {
    name: "max-pull-requests",
    type: { kind: "int", minimum: 1, maximum: 100 },
    default: 10,
    description:
      "With `pull-request: per-item`, how many pull requests may be open at once; the other items wait for a later run.",
  },
  {
    name: "state-retention-days",
    type: { kind: "int", minimum: 1, maximum: 3650 },
    defaultText: "forever",
    description:
      "Days to keep the stored state of a work after its pull request was merged or closed; scheduled runs then delete its ref. A state with an open question is kept.",
  },
] as const;

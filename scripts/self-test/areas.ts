// What can't be tried on a machine, as docs/setup.md lists it. Every area has rows in the table; `queue` is a job of its own.
export const AREAS = {
  state: "a state ref and a branch in one push, with leases",
  letters: "letters beside a state ref",
  fetches: "fetches of a part of a history, or without its trees",
  commits: "commits that GitHub makes and signs (`commits: api`)",
  pulls: "pull requests, and finding them again",
  comments: "comments of 60,000 characters, their times, edits and reactions",
  people: "permissions of people and teams",
  checks: "checks of the job's token",
  runs: "run attempts, and who had them run",
  doctor: "what `doctor` asks of GitHub",
  isolation: "isolation on `ubuntu-24.04`",
  queue: "`queue: max`",
} as const;

export type Area = keyof typeof AREAS;

/** The list in docs/setup.md of what nobody has tried on GitHub. */
export function listAreas(): string {
  return Object.values(AREAS).join("; ");
}

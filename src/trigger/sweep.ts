// Which works a scheduled run looks at. Pure.

/** Each is a clone and some requests to GitHub. */
const MOST_SWEPT = 20;

/**
 * Oldest first; of more than a run looks at, another part in each run: `turn` counts the runs. Every work is looked at once
 * in as many runs in a row as there are parts.
 */
export function chooseSwept<Work extends { workId: string; at: string }>(
  works: readonly Work[],
  turn: number,
  most = MOST_SWEPT,
): Work[] {
  const ordered = works.toSorted((one, other) => {
    return one.at === other.at ? compare(one.workId, other.workId) : compare(one.at, other.at);
  });
  if (ordered.length <= most) return ordered;
  const first = (turn % Math.ceil(ordered.length / most)) * most;
  return ordered.slice(first, first + most);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}

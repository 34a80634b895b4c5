// A thing to try, and the table of what came of it.

export type Platform = {
  apiUrl: string;
  repositoryUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  /** Login of who started the run. */
  actor: string;
  runId: string;
  attempt: string;
};

export type Probe = {
  what: string;
  /** Says what happened; throws when that is not what the Action needs. */
  run(): Promise<string> | string;
};

export type Tried = { what: string; isAsNeeded: boolean; happened: string };

/** One after the other; one that fails keeps no other from being tried. */
export async function tryAll(probes: readonly Probe[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const { what, run } of probes) {
    try {
      tried.push({ what, isAsNeeded: true, happened: await run() });
    } catch (error) {
      tried.push({
        what,
        isAsNeeded: false,
        happened: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return tried;
}

/** Markdown. */
export function renderTable(tried: readonly Tried[]): string {
  const rows = tried.map(
    ({ what, isAsNeeded, happened }) =>
      `| ${cell(what)} | ${isAsNeeded ? "yes" : "**no**"} | ${cell(happened)} |`,
  );
  return ["| tried | as needed | what happened |", "|:--|:--|:--|", ...rows, ""].join("\n");
}

function cell(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300)
    .replace(/[|<`\\]/g, "\\$&");
}

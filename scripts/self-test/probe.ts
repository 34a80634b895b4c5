// A thing to try, and the table of what came of it.
import type { Area } from "./areas.ts";

export type Platform = {
  apiUrl: string;
  repositoryUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  /** Login of who started the run, and the account's id. */
  actor: string;
  actorId: string;
  /** Login of who had this attempt run. */
  triggeredBy: string;
  runId: string;
  attempt: string;
};

export type Probe = {
  what: string;
  /** Says what happened; throws when that is not what the Action needs. */
  run(): Promise<string> | string;
};

export type Probes = { area: Area; probes: readonly Probe[] };

export type Tried = { area: Area; what: string; isAsNeeded: boolean; happened: string };

/** One after the other; one that fails keeps no other from being tried. */
export async function tryAll(all: readonly Probes[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const { area, probes } of all) {
    for (const { what, run } of probes) {
      try {
        tried.push({ area, what, isAsNeeded: true, happened: await run() });
      } catch (error) {
        const happened = error instanceof Error ? error.message : String(error);
        tried.push({ area, what, isAsNeeded: false, happened });
      }
    }
  }
  return tried;
}

/** Markdown. */
export function renderTable(tried: readonly Tried[]): string {
  const rows = tried.map(
    ({ area, what, isAsNeeded, happened }) =>
      `| ${area} | ${cell(what)} | ${isAsNeeded ? "yes" : "**no**"} | ${cell(happened)} |`,
  );
  return ["| area | tried | as needed | what happened |", "|:--|:--|:--|:--|", ...rows, ""].join("\n");
}

/** What is told where a thing is as needed; else it throws with what was found. */
export function expect(found: unknown, wanted: unknown, said = "as needed"): string {
  if (found !== wanted) throw new Error(`found ${String(found) || "nothing"} instead of ${String(wanted)}`);
  return said;
}

function cell(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300)
    .replace(/[|<`\\]/g, "\\$&");
}

// Names of workflow artifacts. Pure.

/** A name that the service takes: unlike all others of the run, without characters that it refuses. */
export function artifactName(parts: { workId: string; runId: string; attempt: string; job: string }): string {
  return `looplia-${parts.workId}-${parts.runId}.${parts.attempt}-${parts.job}`
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 200);
}

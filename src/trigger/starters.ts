// Who led to a question: `self-approval: false` keeps them from answering it. Pure.
import { githubAccountOf, PROGRAM, UNKNOWN } from "../session/actor.ts";
import { valueAt } from "../session/json.ts";
import type { WorkState } from "../session/work-state.ts";
import type { EventFacts } from "./event.ts";
import { countOf, textOf } from "./payload.ts";

/**
 * Who started a run, as an actor. `named`: whom GitHub names in the run's environment, else the event's sender counts. For
 * a schedule it names whoever touched the workflow last: such a run is nobody's doing.
 */
export function starterOf(
  { name, payload }: Pick<EventFacts, "name" | "payload">,
  named: string | undefined,
): string {
  if (name === "schedule") return PROGRAM;
  const sender = valueAt(payload, "sender");
  const id = countOf(valueAt(sender, "id"));
  const login = textOf(valueAt(sender, "login"));
  return named ?? (id === undefined || login === undefined ? UNKNOWN : `github:${id}:${login}`);
}

/**
 * Who had a run done again: they led to what that attempt does, beside who started it. GitHub names a login only, whose
 * account `idOf` tells (undefined: nobody has it). Undefined: it is the first attempt, or it was its starter. Whom GitHub
 * does not name, or whose account is not known, is `unknown`.
 */
export async function rerunnerOf(
  run: { attempt: string; triggeredBy: string | undefined; actorId: string | undefined; startedBy: string },
  idOf: (login: string) => Promise<number | undefined>,
): Promise<string | undefined> {
  const named = run.actorId === undefined ? undefined : githubAccountOf(run.actorId);
  const isActor = named?.login.toLowerCase() === run.triggeredBy?.toLowerCase();
  if (run.attempt === "1" && (isActor || run.triggeredBy === undefined)) return undefined;
  if (run.triggeredBy === undefined) return UNKNOWN;
  const id = isActor ? named?.id : await idOf(run.triggeredBy);
  const rerunner = id === undefined ? UNKNOWN : `github:${id}:${run.triggeredBy}`;
  return githubAccountOf(run.startedBy)?.id === String(id) ? undefined : rerunner;
}

/**
 * Who led to what a run asks: who `spoke` (its starter, who had it run again, authors of letters), who took the work first, whose commands it
 * carries out, and whoever left its agents a message.
 */
export function startersOf(
  work: Pick<WorkState, "leaders" | "handled" | "acknowledged">,
  spoke: readonly string[],
): string[] {
  const carriedOut = [...work.handled.values()].filter(
    ({ commentId, verdict }) => verdict === "accepted" && !work.acknowledged.has(commentId),
  );
  const actors = [...spoke, ...work.leaders, ...carriedOut.flatMap(({ actorId }) => actorId ?? [])];
  return [...new Set(actors)].filter((actor) => actor !== PROGRAM);
}

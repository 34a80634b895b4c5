// Where the states of works are in the repository. A state ref never has the short name of a work branch: git would take
// one for the other in a person's `git fetch origin looplia/x`.
import { LoopliaError } from "../../errors.ts";

/** Where earlier versions kept the states: an open work of theirs stays there to its end. */
const FORMER_PREFIX = "refs/looplia/";

type Prefixes = { stateRefPrefix: string; branchPrefix: string };

/** Where the state of a work may be: new works begin at the first, and one that has its state at the other stays there. */
export function stateRefsOf(settings: Prefixes, workId: string): [string, ...string[]] {
  const [first, ...others] = statePrefixesOf(settings);
  return [`${first}${workId}`, ...others.map((prefix) => `${prefix}${workId}`)];
}

/** What the state refs of all works begin with. */
export function statePrefixesOf({ stateRefPrefix }: Prefixes): [string, ...string[]] {
  return stateRefPrefix === FORMER_PREFIX ? [FORMER_PREFIX] : [stateRefPrefix, FORMER_PREFIX];
}

/** Fails with `config-invalid` where git could take a state for a branch. */
export function checkStatePrefix({ stateRefPrefix, branchPrefix }: Prefixes): void {
  if (stateRefPrefix.replace(/^refs\/(?:heads\/)?/, "") !== branchPrefix) return;
  const message = `state-ref-prefix: ${stateRefPrefix} and the branch-prefix ${branchPrefix} give a state and its branch the same short name`;
  throw new LoopliaError("config-invalid", message, {
    hint: "leave state-ref-prefix out, or name another one, for example refs/looplia-state/",
  });
}

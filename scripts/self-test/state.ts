// Pushes as the durable state needs them: custom refs, two refs at once, leases that hold for both.
import { makeCommit, namesOf, openGit, refusalOf, tipOf } from "./git.ts";
import { expect, type Platform, type Probe } from "./probe.ts";

export function stateProbes(platform: Platform): Probe[] {
  const git = openGit(platform);
  const { branch, gone, state, other } = namesOf(platform);
  const head = `refs/heads/${branch}`;
  const lease = (ref: string, commit: string) => `--force-with-lease=${ref}:${commit}`;
  let first = "";
  let second = "";
  let work = "";
  return [
    {
      what: "a state ref outside of refs/heads, with a history of its own",
      run: () => {
        first = makeCommit(git, "state 1");
        git("push", "-q", "--atomic", lease(state, ""), "origin", `${first}:${state}`);
        return expect(tipOf(git, state), first, "pushed and found again");
      },
    },
    {
      what: "the alternative below refs/heads",
      run: () => {
        git("push", "-q", lease(other, ""), "origin", `${first}:${other}`);
        return expect(tipOf(git, other), first, "pushed and found again");
      },
    },
    {
      what: "state ref and work branch in one atomic push with leases, from a shallow clone",
      run: () => {
        git("fetch", "-q", "--depth=1", "origin", "HEAD");
        work = makeCommit(git, "work 1", git("rev-parse", "FETCH_HEAD"));
        second = makeCommit(git, "state 2", first);
        const leases = [lease(state, first), lease(head, "")];
        git("push", "-q", "--atomic", ...leases, "origin", `${second}:${state}`, `${work}:${head}`);
        expect(tipOf(git, state), second);
        return expect(tipOf(git, head), work, "both moved");
      },
    },
    {
      what: "a lease that is out of date refuses both refs",
      run: () => {
        const late = makeCommit(git, "state 3", first);
        const more = makeCommit(git, "work 2", work);
        const leases = [lease(state, first), lease(head, work)];
        const refused = refusalOf(() =>
          git("push", "-q", "--atomic", ...leases, "origin", `${late}:${state}`, `${more}:${head}`),
        );
        expect(tipOf(git, head), work);
        return refused;
      },
    },
    {
      what: "a branch that was deleted is not brought back, and the state ref stays with it",
      run: () => {
        const ref = `refs/heads/${gone}`;
        git("push", "-q", lease(ref, ""), "origin", `${work}:${ref}`);
        git("push", "-q", "origin", `:${ref}`);
        const [late, more] = [makeCommit(git, "state 3", second), makeCommit(git, "work 2", work)];
        const leases = [lease(state, second), lease(ref, work)];
        const refused = refusalOf(() =>
          git("push", "-q", "--atomic", ...leases, "origin", `${late}:${state}`, `${more}:${ref}`),
        );
        expect(tipOf(git, ref), "");
        expect(tipOf(git, state), second);
        return refused;
      },
    },
    {
      what: "a ref beneath a state ref is refused: what stands beside it does not",
      run: () => {
        const beneath = `${state}/beneath`;
        const refused = refusalOf(() =>
          git("push", "-q", lease(beneath, ""), "origin", `${first}:${beneath}`),
        );
        expect(tipOf(git, state), second);
        return refused;
      },
    },
  ];
}

// Letters: refs that are neighbours of a state ref, left by whoever must not write the state.
import { makeCommit, namesOf, openGit, refusalOf, tipOf } from "./git.ts";
import { expect, type Platform, type Probe } from "./probe.ts";

export function letterProbes(platform: Platform): Probe[] {
  const git = openGit(platform);
  const { state, letters } = namesOf(platform);
  const commits = new Map<string, string>();
  const leases = (): string[] =>
    letters.map((ref) => `--force-with-lease=${ref}:${commits.get(ref) ?? "0".repeat(40)}`);
  return [
    {
      what: "letters are left beside a state ref that stands",
      run: () => {
        for (const ref of letters) {
          const letter = makeCommit(git, `a letter\n\n{"ref":"${ref}"}`);
          git("push", "-q", "--atomic", `--force-with-lease=${ref}:`, "origin", `${letter}:${ref}`);
          commits.set(ref, letter);
        }
        return `${commits.size} pushed`;
      },
    },
    {
      what: "they are listed by the beginning of their names, and nothing else is",
      run: () => {
        const listed = git("ls-remote", "origin", `${state}.letter-*`).split("\n");
        const names = listed.map((row) => row.split("\t")[1] ?? "").sort();
        return expect(names.join(" "), letters.join(" "), `${names.length} listed`);
      },
    },
    {
      what: "they are fetched together and read",
      run: () => {
        const reader = openGit(platform);
        const specs = letters.map((ref, index) => `+${ref}:refs/fetched/${index}`);
        reader("fetch", "-q", "--no-tags", "--no-write-fetch-head", "--depth=1", "origin", ...specs);
        const said = letters.map((_, index) => reader("log", "-1", "--format=%b", `refs/fetched/${index}`));
        return expect(said.join(), letters.map((ref) => `{"ref":"${ref}"}`).join(), "as they were written");
      },
    },
    {
      what: "one that was written anew is not removed by a lease on the old one",
      run: () => {
        const [ref = ""] = letters;
        const stale = `--force-with-lease=${ref}:${"1".repeat(40)}`;
        const refused = refusalOf(() => git("push", "-q", stale, "origin", `:${ref}`));
        expect(tipOf(git, ref), commits.get(ref) ?? "");
        return refused;
      },
    },
    {
      what: "several are removed in one push with leases",
      run: () => {
        git("push", "-q", ...leases(), "origin", ...letters.map((ref) => `:${ref}`));
        return expect(git("ls-remote", "origin", `${state}.letter-*`), "", "gone");
      },
    },
  ];
}

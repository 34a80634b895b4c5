// Pushes as the durable state needs them: custom refs, two refs at once, leases that hold for both.
import { type Call, field, ok } from "./api.ts";
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

/** What `commits: api` needs: nothing points to such a commit until it is pushed. */
export function commitProbes(platform: Platform, call: Call): Probe[] {
  const git = openGit(platform);
  const { branch, gone } = namesOf(platform);
  let [base, baseTree, tree, commit] = ["", "", "", ""];
  const made = async (path: string, body: object) => (await ok(call("POST", `/git/${path}`, body))).body;
  return [
    {
      what: "a tree on the tree of a commit: a file as text, one as a blob, one removed, a link, what may run",
      run: async () => {
        base = tipOf(git, `refs/heads/${branch}`);
        git("fetch", "-q", "--depth=1", "origin", `refs/heads/${branch}`);
        baseTree = git("rev-parse", `${base}^{tree}`);
        const [gone = ""] = git("ls-tree", "-r", "--name-only", base).split("\n");
        const { sha } = await made("blobs", { content: "AP/+Cg==", encoding: "base64" });
        const row = (path: string, mode: string, what: object) => ({ path, mode, type: "blob", ...what });
        const entries = [
          row("self-test/text.md", "100644", { content: "\uFEFFone\r\ntwo\n" }),
          row("self-test/binary", "100644", { sha }),
          row("self-test/run.sh", "100755", { content: "#!/bin/sh\n" }),
          row("self-test/link", "120000", { content: "text.md" }),
          row(gone, "100644", { sha: null }),
        ];
        tree = String((await made("trees", { base_tree: baseTree, tree: entries })).sha);
        return tree;
      },
    },
    {
      what: "a commit of it without an author is signed",
      run: async () => {
        const body = await made("commits", { message: "self-test: signed", tree, parents: [base] });
        commit = String(body.sha);
        return expect(field(body, "verification", "verified"), true, String(field(body, "author", "name")));
      },
    },
    {
      what: "it can be fetched by its id, and has the files as they were sent",
      run: () => {
        git("fetch", "-q", `--negotiation-tip=${base}`, "origin", commit);
        expect(git("rev-parse", `${commit}^{tree}`), tree);
        expect(git("cat-file", "-s", `${commit}:self-test/text.md`), "12");
        return expect(git("ls-tree", commit, "self-test/run.sh").split(" ")[0], "100755", "fetched");
      },
    },
    {
      what: "it is pushed like any other",
      run: () => {
        const ref = `refs/heads/${gone}`;
        git("push", "-q", "--atomic", `--force-with-lease=${ref}:`, "origin", `${commit}:${ref}`);
        return expect(tipOf(git, ref), commit, "pushed");
      },
    },
  ];
}

// Letters as refs beside the state ref of a work: the state has one writer, and whoever must not write it leaves one here.
// Git takes no ref beneath another, so they are its neighbours: `<state ref>.letter-<hex>`, which is no work's name.
import { randomBytes } from "node:crypto";
import { LoopliaError } from "../errors.ts";
import type { Letters } from "../ports/letters.ts";
import { commitTree, readCommit, textOf } from "./git-commit.ts";
import type { Git } from "./git-process.ts";
import type { PushRate } from "./push-rate.ts";
import { fetchTips, listTips, pushTogether, readTips } from "./state-ref-push.ts";

const AT_ONCE = 100;
/** A letter can wait for its turn to be pushed. */
const NEVER = new Promise<void>(() => {});
const SUBJECT = "chore: leave an answer";

/** `stateRefs`: where the state of the work may be (`<state-ref-prefix><work-id>`); a letter lies beside the state. */
export function openLetters(
  tools: { git: Git; remote: string; rate: PushRate },
  stateRefs: readonly [string, ...string[]],
): Letters {
  const { git, remote } = tools;
  const place = { git, remote };
  return {
    async leave(text) {
      const known = stateRefs.length === 1 ? new Map() : await readTips(place, stateRefs);
      const stateRef = stateRefs.find((ref) => known.has(ref)) ?? stateRefs[0];
      const ref = `${stateRef}.letter-${randomBytes(8).toString("hex")}`;
      const tree = await textOf(git, ["mktree"], { input: "" });
      const commit = await commitTree(git, tree, [], `${SUBJECT}\n\n${text}`);
      const move = { state: { ref, commit, expected: undefined } };
      await tools.rate.turn(NEVER);
      const { kind } = await pushTogether(place, move, () => tools.rate.count());
      if (kind !== "won") throw new LoopliaError("host-failed", `an answer could not be left at ${ref}`);
    },
    async list() {
      const listed = await listTips(
        place,
        stateRefs.map((ref) => `${ref}.letter-*`),
      );
      const names = [...listed.keys()].filter((ref) => /\.letter-[0-9a-f]{16}$/.test(ref)).slice(0, AT_ONCE);
      if (names.length === 0) return [];
      const letters = [...(await fetchTips(place, names))].map(async ([ref, commit]) => {
        const { at, message } = await readCommit(git, commit);
        return { id: `${ref} ${commit}`, at, text: message.slice(message.indexOf("\n\n") + 2).trimEnd() };
      });
      const read = await Promise.all(letters);
      return read.sort((one, other) => (one.at < other.at ? -1 : 1)).map(({ id, text }) => ({ id, text }));
    },
    async remove(letters) {
      if (letters.length === 0) return;
      const gone = letters.map(({ id }) => id.split(" "));
      const leases = gone.map(([ref, commit]) => `--force-with-lease=${ref}:${commit}`);
      const args = [
        "push",
        "--quiet",
        "--no-verify",
        ...leases,
        "--",
        remote,
        ...gone.map(([ref]) => `:${ref}`),
      ];
      await tools.rate.turn(NEVER);
      tools.rate.count();
      // Another run may have been faster.
      await git(args, { authorized: true, answers: [1] });
    },
  };
}

// What a session can make: its manifest on the work branch names every output, begun or not.
import { posix } from "node:path";
import { parseManifest } from "../../content/parse-manifest.ts";
import { LoopliaError } from "../../errors.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** None where there is no manifest that can be read, and for a task list. */
export async function outputsOf(
  { repository, found, work: { kind, branch } }: Pick<WakeRun, "repository" | "found" | "work">,
  { stateRef: { branchTip } }: WorkInHand,
  sessionId: string,
): Promise<string[]> {
  if (kind === "tasks" || branchTip === undefined) return [];
  await repository.fetchCommit(branchTip, branch);
  const folder = posix.join(found.folder, ".looplia/contentItem", sessionId);
  const files = await repository.listFiles(branchTip, folder);
  const file = files.find(({ path }) => path === `${folder}/session.json`);
  if (!file) return [];
  const [bytes] = await repository.readBlobs([file.oid]);
  try {
    return [...parseManifest(new TextDecoder().decode(bytes), file.path).manifest.steps.keys()];
  } catch (error) {
    // The run says what is wrong with it.
    if (error instanceof LoopliaError) return [];
    throw error;
  }
}

import { expect, test } from "vitest";
import { outputsOf } from "../../src/work/people.ts";
import type { WakeRun, WorkInHand } from "../../src/work/run.ts";

const SESSION = "kettles-2026-11-21-0a1b2c";
const FOLDER = `docs/.looplia/contentItem/${SESSION}`;
const work = { stateRef: { branchTip: "tip", filesTip: "tip" } } as WorkInHand;

/** A branch whose tip has these files. */
function runOn(files: Record<string, string>, kind = "content"): WakeRun {
  const paths = Object.keys(files);
  const repository = {
    fetchCommit: async () => {},
    listFiles: async (_: string, folder: string) =>
      paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => ({ path, oid: path, size: 1 })),
    readBlobs: async (oids: string[]) => oids.map((oid) => new TextEncoder().encode(files[oid])),
  };
  const found = { folder: "docs" };
  return { repository, found, work: { kind, branch: "looplia/w-000000" } } as unknown as WakeRun;
}

const manifest = JSON.stringify({
  version: 1,
  contentId: SESSION,
  steps: { summary: "done", ideas: "pending" },
});

test.each<[string, WakeRun, string[]]>([
  ["its manifest names them", runOn({ [`${FOLDER}/session.json`]: manifest }), ["summary", "ideas"]],
  ["only its own", runOn({ [`${FOLDER}/old/session.json`]: manifest }), []],
  ["none where it can't be read", runOn({ [`${FOLDER}/session.json`]: "{" }), []],
  ["none of a task list", runOn({ [`${FOLDER}/session.json`]: manifest }, "tasks"), []],
])("what a session can make: %s", async (_, run, outputs) => {
  expect(await outputsOf(run, work, SESSION)).toEqual(outputs);
});

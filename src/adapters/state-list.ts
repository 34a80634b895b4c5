// Which works a remote has the state of, by their newest checkpoints: nothing but those commits is fetched.
import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StoredWork } from "../ports/repository.ts";
import type { Git } from "./git-process.ts";
import { isProbe } from "./state-ref-probe.ts";
import { listTips } from "./state-ref-push.ts";

const WORK_ID = /^[a-z0-9][a-z0-9-]{0,80}$/;

/**
 * The works whose state refs begin with one of the prefixes, each once, in no order. `createClone` makes a git in an empty folder: a clone that
 * lacks what its commits name is good for nothing else.
 */
export async function listStoredWorks(
  place: { git: Git; remote: string; temporary: string; createClone(folder: string): Git },
  prefixes: readonly string[],
): Promise<StoredWork[]> {
  const patterns = prefixes.map((prefix) => `${prefix}*`);
  const refs = chooseRefs([...(await listTips(place, patterns)).keys()], prefixes);
  if (refs.size === 0) return [];
  const folder = join(place.temporary, `states-${randomBytes(6).toString("hex")}.git`);
  await mkdir(folder);
  try {
    const git = place.createClone(folder);
    await git(["init", "--quiet", "--bare", "--template=", "."]);
    const specs = [...refs].map(([workId, ref]) => `+${ref}:refs/states/${workId}\n`).join("");
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "--filter=tree:0"];
    await git([...fetch, "--stdin", "--", place.remote], { authorized: true, input: specs });
    const format = "--format=%(refname:lstrip=2) %(committerdate:unix) %(contents:subject)";
    const { stdout } = await git(["for-each-ref", format, "refs/states"]);
    return stdout.toString("utf8").split("\n").flatMap(readRow);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The state ref of each work; where a work has two, that of the earlier prefix counts. */
function chooseRefs(refs: readonly string[], prefixes: readonly string[]): Map<string, string> {
  const chosen = new Map<string, string>();
  for (const prefix of prefixes) {
    for (const ref of refs.filter((one) => one.startsWith(prefix))) {
      const workId = ref.slice(prefix.length);
      const isWork = WORK_ID.test(workId) && !isProbe(workId);
      if (isWork && !chosen.has(workId)) chosen.set(workId, ref);
    }
  }
  return chosen;
}

function readRow(row: string): StoredWork[] {
  const [, workId, seconds, message] = /^(\S+) (\d+) (.*)$/.exec(row) ?? [];
  if (workId === undefined || message === undefined) return [];
  return [{ workId, at: new Date(Number(seconds) * 1000).toISOString(), message }];
}

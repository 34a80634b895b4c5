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
 * The works whose state refs begin with `prefix`, in no order. `createClone` makes a git in an empty folder: a clone that
 * lacks what its commits name is good for nothing else.
 */
export async function listStoredWorks(
  place: { git: Git; remote: string; temporary: string; createClone(folder: string): Git },
  prefix: string,
): Promise<StoredWork[]> {
  const refs = [...(await listTips(place, [`${prefix}*`])).keys()].filter((ref) => {
    const name = ref.slice(prefix.length);
    return ref.startsWith(prefix) && WORK_ID.test(name) && !isProbe(name);
  });
  if (refs.length === 0) return [];
  const folder = join(place.temporary, `states-${randomBytes(6).toString("hex")}.git`);
  await mkdir(folder);
  try {
    const git = place.createClone(folder);
    await git(["init", "--quiet", "--bare", "--template=", "."]);
    const specs = refs.map((ref) => `+${ref}:refs/states/${ref.slice(prefix.length)}\n`).join("");
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "--filter=tree:0"];
    await git([...fetch, "--stdin", "--", place.remote], { authorized: true, input: specs });
    const format = "--format=%(refname:lstrip=2) %(committerdate:unix) %(contents:subject)";
    const { stdout } = await git(["for-each-ref", format, "refs/states"]);
    return stdout.toString("utf8").split("\n").flatMap(readRow);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readRow(row: string): StoredWork[] {
  const [, workId, seconds, message] = /^(\S+) (\d+) (.*)$/.exec(row) ?? [];
  if (workId === undefined || message === undefined) return [];
  return [{ workId, at: new Date(Number(seconds) * 1000).toISOString(), message }];
}

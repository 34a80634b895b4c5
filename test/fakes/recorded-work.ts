// Work of an earlier version, put back into a world of today: refs, pull request, comments and checks.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ActionWorld, TOKEN } from "./action-world.ts";
import type { StoredCheck } from "./github-server-checks.ts";
import type { StoredComment } from "./github-server-comments.ts";
import type { ApiBody } from "./messages-api-rules.ts";

export type RecordedWork = {
  recordedAt: string;
  pullRequest: { head: string; title: string; body: string };
  comments: StoredComment[];
  checks: StoredCheck[];
  /** The last request of the conversation that waits. */
  request: ApiBody | undefined;
};

/**
 * Puts `<folder>/<name>.bundle` and `.json` into a world in which nothing has run; `back`: as everything was that many
 * checkpoints before the last.
 */
export async function restoreWork(
  world: ActionWorld,
  folder: string,
  name: string,
  back = 0,
): Promise<RecordedWork> {
  const recorded: RecordedWork = JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"));
  const { repository, github } = world;
  await repository.git("fetch", "-q", "--update-head-ok", join(folder, `${name}.bundle`), "+refs/*:refs/*");
  const inCheckout = (...args: string[]) =>
    promisify(execFile)("git", args, { cwd: join(world.root, "checkout") });
  await inCheckout("fetch", "-q", repository.bare, "main");
  await inCheckout("reset", "-q", "--hard", "FETCH_HEAD");
  const made = await fetch(`${github.apiUrl}/repos/owner/repo/pulls`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ ...recorded.pullRequest, base: "main" }),
  });
  if (made.status !== 201) throw new Error(`no pull request: ${await made.text()}`);
  if (back > 0) await goBack(world, recorded, back);
  github.comments.restore(recorded.comments);
  github.checks.restore(recorded.checks);
  return recorded;
}

async function goBack(
  { repository: { git } }: ActionWorld,
  recorded: RecordedWork,
  back: number,
): Promise<void> {
  const [state, commit] = [await stateRefOf(git), `${await stateRefOf(git)}~${back}`];
  const format = "--format=%ct %(trailers:key=Work,valueonly)";
  const [seconds = "", branch = ""] = (await git("log", "-1", format, commit)).trim().split(" ");
  await git("update-ref", state, commit);
  await git("update-ref", `refs/heads/${recorded.pullRequest.head}`, branch);
  // A question is shown after the checkpoint that holds it, be it within the same second.
  const isBefore = ({ createdAt, body }: StoredComment) =>
    Date.parse(createdAt) < Number(seconds) * 1000 + (body.includes("looplia:request") ? 0 : 1);
  Object.assign(recorded, { comments: recorded.comments.filter(isBefore), checks: [] });
}

/** How many checkpoints a recorded work has. */
export async function countCheckpoints(world: ActionWorld): Promise<number> {
  const { git } = world.repository;
  return Number(await git("rev-list", "--count", await stateRefOf(git)));
}

function stateRefOf(git: ActionWorld["repository"]["git"]): Promise<string> {
  return git("for-each-ref", "--format=%(refname)", "refs/looplia", "refs/looplia-state");
}

/** What a model must see again byte for byte: system, tools and the messages so far; cache marks aside. */
export function bytesOf({ system, tools, messages }: ApiBody, count = messages.length): string {
  const parts = { system, tools, messages: messages.slice(0, count) };
  return JSON.stringify(parts, (key, value) => (key === "cache_control" ? undefined : value));
}

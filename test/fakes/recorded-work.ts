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

/** Puts `<folder>/<name>.bundle` and `.json` into a world in which nothing has run. */
export async function restoreWork(world: ActionWorld, folder: string, name: string): Promise<RecordedWork> {
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
  github.comments.restore(recorded.comments);
  github.checks.restore(recorded.checks);
  return recorded;
}

/** What a model must see again byte for byte: system, tools and the messages so far; cache marks aside. */
export function bytesOf({ system, tools, messages }: ApiBody, count = messages.length): string {
  const parts = { system, tools, messages: messages.slice(0, count) };
  return JSON.stringify(parts, (key, value) => (key === "cache_control" ? undefined : value));
}

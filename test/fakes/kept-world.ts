// A world that is put back to how it once was: tests that begin alike share their beginning.
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AskingWorld } from "./asking-world.ts";

/**
 * Keeps repository, comments and checks as they are now. Each call of what it resolves to puts them back, takes away
 * every hook, and lets the model forget; pull requests stay as they are. No run may be at work.
 */
export async function keepWorld(world: AskingWorld): Promise<() => Promise<void>> {
  const { repository, github, modelTurn } = world;
  const kept = join(world.root, "kept.git");
  await cp(repository.bare, kept, { recursive: true });
  const comments = structuredClone(github.comments.all);
  const checks = structuredClone(github.checks.all);
  return async () => {
    await rm(repository.bare, { recursive: true });
    await cp(kept, repository.bare, { recursive: true });
    github.comments.all = structuredClone(comments);
    github.checks.all.splice(0, Number.POSITIVE_INFINITY, ...structuredClone(checks));
    Object.assign(repository, { beforePush: undefined, afterPush: undefined });
    github.onRequest = undefined;
    for (const list of [github.requests, github.answers, github.lostAnswers]) list.length = 0;
    await world.renewModel();
    world.modelTurn = modelTurn;
  };
}

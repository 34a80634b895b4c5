// Sessions of one work share a worktree, and a command's approval is bound to it as it was shown (DURABILITY, "What an
// approval is bound to"): where two are approved, the first makes the second one's approval void.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { voidApprovalOf } from "../../src/core/answer-fate.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { ModelRequest } from "../../src/core/ports.ts";
import { foldEvents } from "../../src/core/state.ts";
import { readWork } from "../../src/store/scan.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld } from "../fakes/content-world.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import { ARTICLE, dueOutputs, writeDue } from "../fakes/kit-script.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

const WORK = { workId: "writing-kit-abcdef", kind: "content", key: "k" } as const;
const ITEMS = { kind: "items", workId: WORK.workId, key: "k", sources: ["a.md", "b.md"] } as const;
const AGENT = `---
name: idea-generator
description: Makes hooks, angles and questions from a summary.
tools: runCommand, writeArtifact
---
Write ideas.
`;

class AwayHost extends ScriptedHost {
  readonly answersLater = true;

  constructor() {
    super([]);
  }
}

/** Runs a command before the ideas, and tries again as long as it is told that it was not run. */
function runsFirst(request: ModelRequest) {
  const said = JSON.stringify(request.messages.at(-1)?.content);
  const isAsked = dueOutputs(request)[0] === "ideas";
  const mustRun = request.messages.length === 1 || said.includes("Approved, but not run");
  if (!isAsked || !mustRun) return writeDue(request);
  return { content: [call(`run${request.messages.length}`, "runCommand", { command: "mktemp ran-XXXXXX" })] };
}

async function approve(world: ContentWorld, requests: readonly InteractionRequest[]): Promise<void> {
  const header = { ...WORK, codeVersion: "test" };
  const store = await openWorkStore({ folder: folderOf(world), header, clock: fixedClock() });
  for (const { interactionId, taskId, shortId } of requests) {
    const session = await store.session(interactionId.slice(0, -shortId.length - 1));
    const said = { interactionId, taskId, authorActorId: "github:1:ada", selectedOptionId: "approve" };
    await session.append([{ store: "events", type: "UserInteractionResponded", payload: said }]);
    await session.close();
  }
  await store.close();
}

const folderOf = ({ root }: ContentWorld) => join(root, ".looplia/state", WORK.workId);
const effects = async ({ root }: ContentWorld) =>
  (await readdir(root)).filter((name) => name.startsWith("ran-")).length;

async function run(world: ContentWorld) {
  const host = new AwayHost();
  const { status } = await world.run(ITEMS, new ScriptedModel(runsFirst), { host });
  return { status, asked: host.asked };
}

test("two sessions, an approval each, both answered before the run: exactly one runs, the other is asked again, then runs", async () => {
  const world = await createContentWorld({
    "a.md": ARTICLE,
    "b.md": ARTICLE.replace("Kettles", "Cups"),
    ".looplia/.claude/agents/idea-generator.md": AGENT,
  });
  const first = await run(world);
  expect(first.asked).toHaveLength(2);
  await approve(world, first.asked);

  const second = await run(world);
  expect(second.status).toBe("waiting");
  expect(await effects(world)).toBe(1);
  const [anew, ...others] = second.asked;
  expect(others).toEqual([]);
  const sessionId = anew?.interactionId.slice(0, -(anew.shortId.length + 1)) ?? "";
  const state = foldEvents((await readWork(folderOf(world))).sessions.get(sessionId)?.events ?? []);
  const [old] = [...state.interactions.values()];
  expect(old && voidApprovalOf(state, old)).toEqual({
    reason: "a file has changed since it was shown",
    calls: 1,
    of: 1,
    again: anew?.interactionId,
  });

  await approve(world, second.asked);
  expect(await run(world)).toEqual({ status: "completed", asked: [] });
  expect(await effects(world)).toBe(2);
});

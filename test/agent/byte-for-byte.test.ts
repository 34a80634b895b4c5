// What a model was sent is never sent otherwise: three pauses, each run a process of its own with other tools, results that
// are random in each run, and a switch of model on record.
import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { AskResult, Host, ModelRequest } from "../../src/core/ports.ts";
import { createWorld, runOnce } from "../fakes/agent-world.ts";
import { call, ScriptedModel, type ScriptedReply } from "../fakes/scripted-model.ts";

const OVERLOADED = new LoopliaError("model-failed", "overloaded", { modelFailure: "overloaded" });
const UPGRADES = [undefined, ["askUser"], ["readFile", "grep"], ["writeArtifact"]];
const PAUSES = 3;

/** Approves commands, and answers a question only when it was raised by an earlier process. */
class HostOfOneRun implements Host {
  readonly canAsk = true;
  readonly #asked: Set<string>;
  readonly #before: ReadonlySet<string>;

  constructor(asked: Set<string>) {
    this.#asked = asked;
    this.#before = new Set(asked);
  }

  async ask({ kind, interactionId }: InteractionRequest): Promise<AskResult> {
    if (kind === "Confirm") return { answer: { selectedOptionId: "approve" }, actorId: "terminal:t" };
    this.#asked.add(interactionId);
    if (!this.#before.has(interactionId)) return "later";
    return { answer: { selectedOptionId: "plain" }, actorId: "terminal:t" };
  }

  async taskEnded(): Promise<void> {}
  async secure(): Promise<void> {}
}

/** Thinks, runs a command that never says the same twice, then asks. The first model fails for good after two pauses. */
function turnOf({ model, messages }: ModelRequest): ScriptedReply | { error: Error } {
  const turn = (messages.length - 1) / 2;
  if (turn >= 2 * PAUSES) return { content: "done" };
  if (turn >= 4 && model === "first") return { error: OVERLOADED };
  const thinking = { type: "thinking" as const, thinking: `turn ${turn}`, signature: `s${turn}` };
  const command = call(`run${turn}`, "runCommand", { command: "od -An -N8 -tx1 /dev/urandom" });
  const question = call(`q${turn}`, "askUser", { question: `Which, ${turn}?`, options: ["Plain", "Bold"] });
  return { content: [thinking, turn % 2 === 0 ? command : question] };
}

function isThinking({ type }: { type: string }): boolean {
  return type.endsWith("thinking");
}

/** What was sent, the brackets at the end aside; after the switch nothing is left of what the first model thought. */
function bytesOf({ prefix, messages }: ModelRequest, withThinking: boolean): string {
  const shown = messages.map((message) => ({
    ...message,
    content: message.content.filter((block) => withThinking || !isThinking(block)),
  }));
  return JSON.stringify([prefix, shown]).slice(0, -2);
}

test("three pauses, tool results random in each run, tools upgraded between the pauses, a recorded switch of model", async () => {
  const world = await createWorld();
  const asked = new Set<string>();
  const requests: ModelRequest[] = [];
  for (const [pause, tools] of UPGRADES.entries()) {
    const model = new ScriptedModel(turnOf);
    const host = new HostOfOneRun(asked);
    const options = { host, fallbackModel: "second", ...(tools ? { tools } : {}) };
    const { outcome, session } = await runOnce(world, model, options);
    expect(outcome.kind).toBe(pause < PAUSES ? "waiting" : "completed");
    expect(session.journal.conversation("main").model).toBe(pause < 2 ? "first" : "second");
    requests.push(...model.requests);
  }
  expect(requests.map(({ model }) => model)).toEqual([...Array(5).fill("first"), ...Array(3).fill("second")]);
  for (const [index, request] of requests.slice(1).entries()) {
    const before = requests[index];
    if (!before) continue;
    const withThinking = before.model === request.model;
    expect(bytesOf(request, withThinking).startsWith(bytesOf(before, withThinking))).toBe(true);
  }
  const results = JSON.stringify(requests.at(-1)?.messages).match(/Exit code 0\.\\n [0-9a-f ]{23}/g) ?? [];
  expect(new Set(results).size).toBe(PAUSES);
});

// A subagent at depth 3 asks and edits; the process is killed after each stored line, at once or at the next one.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { AskResult, Host } from "../../src/core/ports.ts";
import { createWorld, runOnce } from "../fakes/agent-world.ts";
import { Killed, type Life } from "../fakes/dying-stores.ts";
import { call, ScriptedModel, type ScriptedReply } from "../fakes/scripted-model.ts";

/** What is said depends on the conversation alone, as a good model's answer would. */
function nestedModel(): ScriptedModel {
  return new ScriptedModel(({ conversationId, messages }): ScriptedReply => {
    const depth = conversationId.split("/").length - 2;
    const turn = (messages.length + 1) / 2;
    if (depth < 3 && turn === 1) {
      return { content: [call(`t${depth + 1}`, "Task", { agent: "helper", prompt: "deeper" })] };
    }
    if (depth === 3 && turn === 1) {
      return { content: [call("q", "askUser", { question: "Which?", options: ["Plain", "Bold"] })] };
    }
    if (depth === 3 && turn === 2) {
      return { content: [call("e", "editFile", { path: "f.txt", oldStr: "", newStr: "once\n" })] };
    }
    return { content: `level ${depth} is done` };
  });
}

class PatientHost implements Host {
  readonly canAsk = true;
  readonly asked: string[] = [];

  async ask({ kind, interactionId }: InteractionRequest): Promise<AskResult> {
    this.asked.push(interactionId);
    return { answer: { selectedOptionId: kind === "Confirm" ? "approve" : "plain" }, actorId: "terminal:t" };
  }

  async taskEnded(): Promise<void> {}
  async secure(): Promise<void> {}
}

async function runWhole() {
  const world = await createWorld();
  const life: Life = { lines: 0, ends: Number.POSITIVE_INFINITY };
  const host = new PatientHost();
  const model = nestedModel();
  const { outcome } = await runOnce(world, model, { host, life });
  expect(outcome).toEqual({ kind: "completed", text: "level 0 is done" });
  return { lines: life.lines, asked: host.asked.length, requests: model.requests.length };
}

test("every point", async () => {
  const whole = await runWhole();
  expect(whole.asked).toBe(2);
  for (let ends = 1; ends < whole.lines; ends += 1) {
    for (const lingers of [false, true]) {
      const place = `killed after line ${ends}${lingers ? ", at the next" : ""}`;
      const world = await createWorld();
      const models = [nestedModel(), nestedModel()] as const;
      const hosts = [new PatientHost(), new PatientHost()] as const;
      const life = { lines: 0, ends, lingers };
      await expect(runOnce(world, models[0], { host: hosts[0], life }), place).rejects.toThrow(Killed);
      const { outcome, session } = await runOnce(world, models[1], { host: hosts[1] });
      expect(outcome, place).toEqual({ kind: "completed", text: "level 0 is done" });
      const seen = new Set([...hosts[0].asked, ...hosts[1].asked]);
      expect([...seen], place).toEqual([...session.journal.state.interactions.keys()]);
      // The image of the file tells whether the edit was made: it stands there once, and nobody is asked.
      expect(await readFile(join(world.root, "f.txt"), "utf8"), place).toBe("once\n");
      const told = JSON.stringify(session.journal.conversation("main/t1/t2/t3").messages[4]);
      expect(told, place).not.toContain("outcome is unknown");
      const requests = models[0].requests.length + models[1].requests.length;
      expect(requests - whole.requests, `${place}: requests`).toBeLessThanOrEqual(1);
      const turns = [...session.journal.conversations.values()].map((one) => one.turns);
      expect(turns, place).toEqual([2, 2, 2, 3]);
    }
  }
});

// A session of a thousand turns goes on on another runner: from the start of the Action to its next model request.
import type { ActionWorld } from "../test/fakes/action-world.ts";
import { type AskingWorld, createAskingWorld } from "../test/fakes/asking-world.ts";
import { keepWorld } from "../test/fakes/kept-world.ts";
import { dueOutputs, writeDue } from "../test/fakes/kit-api.ts";
import { type Figure, median } from "./report.ts";

const TURNS = 1_000;
const DEMAND_MS = 2_000;

type Turn = ReturnType<NonNullable<ActionWorld["modelTurn"]>>;

const ANSWERS = 5;

/** Each answer meets the same session: what the one before changed is put back. */
export async function benchResumeFromRef(): Promise<Figure[]> {
  const world = await createAskingWorld({ "looplia.yml": `max-turns: ${TURNS * 2}\n` });
  try {
    world.modelTurn = (body): Turn => {
      const turn = (body.messages.length - 1) / 2;
      if (dueOutputs(body)[0] !== "ideas" || turn > TURNS) return writeDue(body);
      return { content: [turn < TURNS ? readAgain(turn) : ask()] };
    };
    const asked = await world.start();
    if (asked.outputs.get("status") !== "waiting") throw new Error(`It did not wait: ${asked.stdout}`);
    const back = await keepWorld(world);
    const times: number[] = [];
    for (let round = 0; round < ANSWERS; round += 1) {
      await back();
      const startedAt = performance.now();
      await answer(world);
      times.push((world.model.requests[0]?.at ?? Number.NaN) - startedAt);
    }
    return [
      {
        name: `the Action goes on with ${TURNS} turns from the state ref, start to next request`,
        value: median(times),
        unit: "ms",
        demand: DEMAND_MS,
      },
    ];
  } finally {
    await world.close();
  }
}

async function answer(world: AskingWorld): Promise<void> {
  const command = /^\/choose \S+ \S+/m.exec(world.ours("looplia:request")[0]?.body ?? "")?.[0];
  if (command === undefined) throw new Error("There is no question.");
  const ran = await world.deliver(world.say("maintainer", command));
  if (ran.outputs.get("status") !== "completed") throw new Error(`It did not go on: ${ran.stdout}`);
}

function readAgain(turn: number) {
  const input = { path: "content/kettles.md" };
  return { type: "tool_use" as const, id: `read${turn}`, name: "readFile", input };
}

function ask() {
  const input = { question: "Which tone?", options: ["Plain", "Bold"] };
  return { type: "tool_use" as const, id: "ask", name: "askUser", input };
}

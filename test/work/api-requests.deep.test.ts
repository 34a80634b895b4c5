// What one comment costs of GitHub's rate when it is alone in its run. Of sixteen questions answered in rounds, each costs
// at most six (`many-decisions.deep.test.ts`).
import { afterEach, expect, test } from "vitest";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

afterEach(() => world.close());

const ask = (input: object): AnswerBlock => ({
  type: "tool_use",
  id: "ask",
  name: "askUser",
  input: { question: "Which?", ...input },
});
const SELECT = ask({ kind: "Select", options: ["one", "two"] });
const INPUT = ask({ kind: "Input" });

test.each<[string, AnswerBlock, (question: string) => string, string, number]>([
  ["/approve", commandCall(), (question) => `/approve ${question}`, "completed done", 14],
  ["/reject", commandCall(), (question) => `/reject ${question} not now`, "completed done", 13],
  ["/revise", commandCall(), (question) => `/revise ${question} another name`, "completed done", 13],
  ["/choose", SELECT, (question) => `/choose ${question} two`, "completed done", 13],
  ["/answer", INPUT, (question) => `/answer ${question} some words`, "completed done", 13],
  ["/status", commandCall(), () => "/status", "waiting open-questions", 8],
  ["/looplia", commandCall(), () => "/looplia Mind the comma.", "waiting open-questions", 8],
  ["/cancel", commandCall(), () => "/cancel", "stopped closed", 11],
  ["/retry", commandCall(), () => "/retry summary", "waiting open-questions", 14],
])("%s, alone in its run, costs no more requests than these", async (_, call, command, end, most) => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  world.modelTurn = asking(call);
  await runHere(world);
  const comment = world.say("maintainer", command(questionOf(world)));
  const before = world.github.requests.length;
  const ran = await deliverHere(world, comment);
  const requests = world.github.requests.slice(before).map(({ kind }) => kind);
  expect(ran.ended, ran.said).toBe(end);
  expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(most);
});

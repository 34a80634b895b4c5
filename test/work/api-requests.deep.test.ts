// What one comment costs of GitHub's rate when it is alone in its run. Of sixteen questions answered in rounds, each costs
// at most six (`many-decisions.deep.test.ts`). Alone, an answer needs the pull request's present state, the inbox, the
// author's permission and the reaction; then the permission again before an approved call, the question's comment, the
// reaction, the pull request's title and text, the status, the check of the new commit, and the inbox again.
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
  ["/approve", commandCall(), (question) => `/approve ${question}`, "completed done", 11],
  ["/reject", commandCall(), (question) => `/reject ${question} not now`, "completed done", 10],
  ["/revise", commandCall(), (question) => `/revise ${question} another name`, "completed done", 10],
  ["/choose", SELECT, (question) => `/choose ${question} two`, "completed done", 10],
  ["/answer", INPUT, (question) => `/answer ${question} some words`, "completed done", 10],
  ["/status", commandCall(), () => "/status", "waiting open-questions", 7],
  ["/looplia", commandCall(), () => "/looplia Mind the comma.", "waiting open-questions", 7],
  ["/cancel", commandCall(), () => "/cancel", "stopped closed", 10],
  ["/retry", commandCall(), () => "/retry summary", "waiting open-questions", 11],
])("%s, alone in its run, costs these requests", async (_, call, command, end, most) => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  const inputs = { "state-key": "so that no run warns" };
  world.modelTurn = asking(call);
  await runHere(world, { inputs });
  const comment = world.say("maintainer", command(questionOf(world)));
  const before = world.github.requests.length;
  const ran = await deliverHere(world, comment, { inputs });
  const requests = world.github.requests.slice(before).map(({ kind }) => kind);
  expect(ran.ended, ran.said).toBe(end);
  expect(requests.length, requests.join("\n")).toBe(most);
});

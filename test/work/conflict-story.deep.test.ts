// A person pushes over a file that the agent is changing: their version is kepts, a question asks, and "redo" does the step again.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "approval: none\nupload-audit: false\n" });
});
afterEach(() => world.close());

const NOTE = "notes.txt";
const noteOf = async () => world.repository.git("show", `${await world.branch()}:${NOTE}`);

/** The step that writes ideas leaves a note first; `then` is called when that is on its disk. */
function noting(text: string, then: () => Promise<unknown>): void {
  world.modelTurn = async (body) => {
    if (dueOutputs(body)[0] !== "ideas") return writeDue(body);
    const turn = (body.messages.length - 1) / 2;
    const input = { path: NOTE, oldStr: "", newStr: text };
    if (turn === 0) return { content: [{ type: "tool_use", id: "note", name: "editFile", input }] };
    await then();
    return writeDue(body);
  };
}

test("their version is kept, the session waits for a word, and the step that wrote the file is done again and told of it", async () => {
  noting("ours\n", async () => {
    const branch = (await world.branch()).replace(/^heads\//, "");
    await commitFiles(world.repository.bare, branch, { [NOTE]: "theirs\n" }, "mine");
  });
  const first = await runHere(world);
  expect(first.ended, first.said).toBe("waiting open-questions");
  expect(await noteOf()).toBe("theirs");
  const request = world.ours("looplia:request")[0]?.body ?? "";
  expect(request).toContain("### A person changed a file that this session also changed");
  expect(request).toContain(NOTE);
  expect(request).toContain("Do ideas again, and tell the agent which files to look at");

  const asked = world.model.requests.length;
  world.modelTurn = writeDue;
  const redo = world.say("writer", `/choose ${questionOf(world)} redo keep my first line`);
  const kept = await deliverHere(world, redo);
  expect(world.github.comments.reactionsOf(redo.id), kept.said).toEqual(["confused"]);
  const again = await deliverHere(
    world,
    world.say("writer", `/choose ${questionOf(world)} redo\nkeep my line`),
  );
  expect(again.ended, again.said).toBe("completed done");
  const [ideas] = world.model.requests.slice(asked);
  expect(ideas && dueOutputs(ideas.body)).toEqual(["ideas"]);
  const told = JSON.stringify(ideas?.body.messages[0]);
  expect(told).toContain("writer wrote");
  expect(told).toMatch(/the person's version is kept: notes\.txt\. .*keep my line/);
  expect(await noteOf()).toBe("theirs");
});

// The commands that decide nothing, and the answer that a bot dispatches, from the event to what stands on the pull request.
import { expect, test } from "vitest";
import type { Ran } from "../fakes/action-world.ts";
import { asking, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { answerEvent } from "../fakes/github-server-events.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

function ended(ran: Ran): string {
  return `${ran.outputs.get("status")} ${ran.outputs.get("reason-code")}`;
}

test("/status shows how it stands, /looplia run takes up what is new, looplia-answer decides for its sender", async () => {
  const world = await createAskingWorld({ "looplia.yml": "allowed-bots: [helper:1006]\n" });
  try {
    const bot = world.github.accounts.addBot("helper");
    await world.start();
    const question = questionOf(world);
    const asked = world.model.requests.length;

    const status = world.say("writer", "/status");
    const shown = await world.deliver(status);
    expect(ended(shown), shown.stdout + shown.stderr).toBe("waiting open-questions");
    expect(world.github.comments.reactionsOf(status.id)).toEqual(["eyes", "rocket"]);
    expect(world.ours("looplia:status")[0]?.body).toContain(question);
    expect(world.model.requests.length).toBe(asked);

    const cups = ARTICLE.replaceAll("Kettles", "Cups");
    await commitFiles(world.repository.bare, "main", { "content/cups.md": cups }, "another item");
    world.modelTurn = writeDue;
    const run = world.say("writer", "/looplia run");
    const ran = await world.deliver(run);
    expect(ended(ran), ran.stdout + ran.stderr).toBe("waiting open-questions");
    expect(world.github.comments.reactionsOf(run.id)).toEqual(["eyes", "rocket"]);
    const kits = (await world.files()).filter((file) => file.endsWith("/writing-kit.json"));
    expect(kits).toHaveLength(1);

    const said = { pullRequest: 1, command: `/approve ${question} go on`, sender: "maintainer" };
    const answered = await world.run({ event: answerEvent(world.github, bot, said) });
    expect(ended(answered), answered.stdout + answered.stderr).toBe("completed done");
    expect(await world.effects()).toBe(1);
    const [request] = world.ours("looplia:request");
    expect(request?.body).toMatch(/^### Approved/m);
    expect(request?.body).toContain("`maintainer`");
    world.github.assertValid();
    expect(world.model.faults).toEqual([]);
  } finally {
    await world.close();
  }
});

test("an answer of 60,000 characters reaches the agent whole, and the question says how long it may be", async () => {
  const world = await createAskingWorld();
  try {
    const ask = { question: "What does the street say?", kind: "Input" };
    world.modelTurn = asking({ type: "tool_use", id: "ask", name: "askUser", input: ask });
    await world.start();
    const question = questionOf(world);
    expect(world.ours("looplia:request")[0]?.body).toContain("65,000 characters");
    const line = 'Zwölf Schwalben – 🐦 & <b>one</b> `swift`: "they\'re back".';
    const text = `${Array.from({ length: 1_100 }, (_, at) => `${at} ${line}`).join("\n")}\nthe end`.slice(
      -60_000,
    );
    expect(text).toHaveLength(60_000);
    const answer = world.say("writer", `/answer ${question} ${text}`);
    const asked = world.model.requests.length;
    const ran = await world.deliver(answer);
    expect(ended(ran), ran.stdout + ran.stderr).toBe("completed done");
    expect(world.github.comments.reactionsOf(answer.id)).toEqual(["eyes", "rocket"]);
    const [result] = (world.model.requests[asked]?.body.messages ?? []).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result"),
    );
    // A comparison that fails would print both texts.
    expect(JSON.stringify(result).includes(JSON.stringify(text).slice(1, -1))).toBe(true);
    expect(ran.stdout + ran.stderr).not.toMatch(/cut after|audit log/);
    expect(world.ours("looplia:request")[0]?.body.slice(0, 2_000)).toMatch(/^### Answered/m);
  } finally {
    await world.close();
  }
});

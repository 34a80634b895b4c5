// Questions of shards: `collect` asks them, ten at a time, and they are answered as always.
import { expect, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import { asking, commandCall, createAskingWorld } from "../fakes/asking-world.ts";
import { fastClock } from "../fakes/fast-clock.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const event = { name: "schedule", payload: {} };
const COUNT = 14;

test("collect asks ten questions, the next ones come up as the first are answered, and every kit ends", async () => {
  // With `kettles.md`, each of two shards has half of them.
  const names = Array.from({ length: COUNT - 1 }, (_, at) => `item-${at}`);
  const items = names.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const world = await createAskingWorld(Object.fromEntries(items));
  const input = { question: "Which tone?", options: ["Calm", "Loud"] };
  world.modelTurn = asking({ type: "tool_use", id: "ask", name: "askUser", input });
  const job = (inputs: Record<string, string>) =>
    world.run({
      event,
      inputs,
      environment: { GITHUB_RUN_ID: "800", GITHUB_JOB: inputs.shard ?? "collect", ...fastClock(20) },
    });
  const questions = () =>
    world.ours("looplia:request").flatMap(({ body }) => /\/choose (q\d+-[0-9a-f]{6})/.exec(body)?.[1] ?? []);
  try {
    const shards = await Promise.all([
      job({ mode: "content", shard: "1/2" }),
      job({ mode: "content", shard: "2/2" }),
    ]);
    for (const shard of shards) expect(ended(shard), said(shard)).toBe("waiting open-questions");
    expect(questions()).toEqual([]);
    const collected = await job({ mode: "collect" });
    expect(ended(collected), said(collected)).toBe("waiting open-questions");
    expect(await world.github.pullRequests()).toHaveLength(1);
    const asked = questions();
    expect(new Set(asked).size).toBe(10);
    const answered = new Set<string>();
    let run = collected;
    for (let rounds = 0; answered.size < COUNT && rounds < 4; rounds += 1) {
      const open = questions().filter((id) => !answered.has(id));
      // Four answers at first: as many questions as have waited come up.
      const chosen = rounds === 0 ? open.slice(0, 4) : open;
      const said = chosen.map((id) => world.say("writer", `/choose ${id} 2`));
      for (const id of chosen) answered.add(id);
      const last = said.at(-1);
      if (last) run = await world.deliver(last);
      if (rounds === 0) expect(new Set([...asked, ...questions()]).size).toBe(COUNT);
    }
    expect(ended(run), said(run)).toBe("completed done");
    expect((await world.files()).filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(COUNT);
    // Three answers for each item, and one in which it asked.
    expect(world.model.requests).toHaveLength(COUNT * 4);
    world.github.assertValid();
  } finally {
    await world.close();
  }
}, 300_000);

test("approvals that are given in turn after collect void none of one another: each command runs once", async () => {
  const names = ["item-0", "item-1"];
  const items = names.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const world = await createAskingWorld(Object.fromEntries(items));
  const edit = { type: "tool_use", id: "edit", name: "editFile" } as const;
  const created = (path: string) => ({
    ...edit,
    input: { path, oldStr: "", newStr: "made before the question\n" },
  });
  let made = 0;
  world.modelTurn = (body) => {
    if (dueOutputs(body)[0] !== "ideas") return writeDue(body);
    if (body.messages.length === 1) return { content: [created(`made-${made++}.txt`)] };
    return body.messages.length === 3 ? { content: [commandCall()] } : writeDue(body);
  };
  const job = (inputs: Record<string, string>) =>
    world.run({
      event,
      inputs: { approval: "risky", policy: "allow editFile made-*.txt", ...inputs },
      environment: { GITHUB_RUN_ID: "800", GITHUB_JOB: inputs.shard ?? "collect", ...fastClock(20) },
    });
  const questions = () =>
    world.ours("looplia:request").flatMap(({ body }) => /\/approve (q\d+-[0-9a-f]{6})/.exec(body)?.[1] ?? []);
  try {
    for (const shard of ["1/2", "2/2"]) {
      const ran = await job({ mode: "content", shard });
      expect(ended(ran), said(ran)).toBe("waiting open-questions");
    }
    const collected = await job({ mode: "collect" });
    expect(ended(collected), said(collected)).toBe("waiting open-questions");
    const asked = questions();
    expect(asked).toHaveLength(3);
    const effects: number[] = [];
    for (const id of asked) {
      const ran = await world.deliver(world.say("writer", `/approve ${id}`), { environment: fastClock(20) });
      expect(ran.exitCode, said(ran)).toBe(0);
      effects.push(await world.effects());
    }
    expect(effects).toEqual([1, 2, 3]);
    expect(world.ours("looplia:request")).toHaveLength(3);
    const files = await world.files();
    expect(files.filter((file) => /^made-\d\.txt$/.test(file))).toHaveLength(3);
    expect(files.filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(3);
    world.github.assertValid();
  } finally {
    await world.close();
  }
}, 300_000);

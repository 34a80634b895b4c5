// Each webhook delivered one to three times and in every order: the same end. What counts is the inbox, whoever wakes.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { foldEvents } from "../../src/core/state.ts";
import { foldWork } from "../../src/core/work-state.ts";
import { readWork } from "../../src/store/scan.ts";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import type { StoredComment } from "../fakes/github-server-comments.ts";
import fc from "../fakes/properties.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;
afterEach(() => world.close());

async function ask(command?: string): Promise<string> {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  world.modelTurn = asking(commandCall(command));
  await runHere(world);
  return questionOf(world);
}

test("/approve and /cancel are read in one look: the comment says that nothing of what was approved ran", async () => {
  const question = await ask();
  const approve = world.say("maintainer", `/approve ${question}`);
  const cancel = world.say("writer", "/cancel");
  await deliverHere(world, cancel);
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Approved, but not run/m);
  expect(world.ours("looplia:request")[0]?.body).toContain("its task was canceled before it could run");
  expect(world.github.comments.reactionsOf(approve.id)).toEqual(["eyes", "confused"]);
  expect(await world.effects()).toBe(0);
});

/** What stands on the remote and on GitHub, to begin from once more. */
async function remember(): Promise<() => Promise<void>> {
  const listed = async () => {
    const rows = await world.repository.git("for-each-ref", "--format=%(refname) %(objectname)");
    return new Map(rows.split("\n").map((row) => row.split(" ") as [string, string]));
  };
  const refs = await listed();
  const comments = structuredClone(world.github.comments.all);
  return async () => {
    for (const name of (await listed()).keys()) {
      if (!refs.has(name)) await world.repository.git("update-ref", "-d", name);
    }
    for (const [name, oid] of refs) await world.repository.git("update-ref", name, oid);
    world.github.comments.all = structuredClone(comments);
  };
}

/** Named by the server or told by a clock: the check and its commit, our replies, times of the program's own. */
const DIFFERS = new Set(["check", "refusals", "at"]);

/** What the work and its session fold to, as the remote has them. */
async function folded(): Promise<unknown> {
  const { git } = world.repository;
  const ref = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const folder = await mkdtemp(join(world.root, "folded-"));
  for (const path of (await git("ls-tree", "-r", "--name-only", ref)).split("\n")) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), `${await git("show", `${ref}:${path}`)}\n`);
  }
  const { events, sessions } = await readWork(folder);
  const states = [...sessions.values()].map((session) => foldEvents(session.events));
  const plain = (key: string, value: unknown): unknown => {
    if (DIFFERS.has(key)) return undefined;
    if (value instanceof Map) return [...value];
    return value instanceof Set ? [...value] : value;
  };
  return JSON.parse(JSON.stringify({ work: foldWork(events), states }, plain));
}

/** Every order of the commands; each delivered one to three times, and a comment that is none. */
function deliveriesOf(commands: readonly StoredComment[], talk: StoredComment): StoredComment[][] {
  const [a, b, c] = commands;
  if (!a || !b || !c) throw new Error("three commands");
  const orders = [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ];
  const more = fc.array(fc.constantFrom(...commands, talk), { minLength: 1, maxLength: 2 });
  const samples = fc.sample(fc.tuple(more, fc.nat(99)), orders.length);
  return orders.map((order, index) => {
    const [again = [], seed = 0] = samples[index] ?? [];
    const all = [...order, ...again, talk];
    // The first of each stay in their order; what comes again comes anywhere behind the first of all.
    const at = 1 + (seed % all.length);
    return [...all.slice(0, at), ...all.slice(at).reverse()];
  });
}

test("a comment, two approvals and /status: each webhook once to three times, in every order, is one effect and the same end", async () => {
  // It says the same whenever it runs, so the model has one history in all orders.
  const question = await ask("echo ran >> ran-log");
  const talk = world.say("reader", "Nice work!");
  const approve = world.say("maintainer", `/approve ${question}`);
  const late = world.say("writer", `/approve ${question}`);
  const status = world.say("second", "/status");
  const restore = await remember();
  const ends: unknown[] = [];
  for (const deliveries of deliveriesOf([approve, late, status], talk)) {
    await restore();
    const ended: string[] = [];
    for (const comment of deliveries) ended.push((await deliverHere(world, comment)).ended);
    const order = `${deliveries.map(({ id }) => id).join(" ")}: ${ended.join(", ")}`;
    expect(
      ended.filter((one) => one === "completed done"),
      order,
    ).toHaveLength(1);
    expect(
      ended.every((one) => /^(completed done|ignored no-command)$/.test(one)),
      order,
    ).toBe(true);
    expect(await world.repository.git("show", `${await world.branch()}:ran-log`), order).toBe("ran");
    const reactions = [talk, approve, late, status].map(({ id }) => world.github.comments.reactionsOf(id));
    expect(reactions, order).toEqual([[], ["eyes", "rocket"], ["confused"], ["eyes", "rocket"]]);
    expect(world.ours("looplia:reply"), order).toHaveLength(1);
    ends.push(await folded());
  }
  for (const end of ends) expect(end).toEqual(ends[0]);
});

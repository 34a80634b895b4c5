// One trial of the Action: a question and its answer, each a run on a runner of its own; one of them is killed at a point.
// What outlives a runner is what it pushed and what it asked of GitHub, so only that counts.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ran } from "../fakes/action-world.ts";
import { type AskingWorld, asking, COMMAND, commandCall, createAskingWorld } from "../fakes/asking-world.ts";
import type { TasksWorld } from "../fakes/tasks-world.ts";
import { type Effect, INJECTOR } from "./trial.ts";

export type Phase = "question" | "answer";
export type ActionPoint = { phase: Phase; effect: Effect; when: "before" | "after"; isPosted: boolean };

export type World = AskingWorld | TasksWorld;
/** A world whose one question is about `mktemp ran-…`. */
export type Scenario<W extends World = World> = {
  create(): Promise<W>;
  /** A run that nobody's comment starts. */
  wake(world: W): Promise<Ran>;
  /** What is wrong at the end with what it made, one sentence each. */
  problemsOf(world: W): Promise<string[]>;
};

/** The model asks before it writes the ideas of one article. */
export const CONTENT_SCENARIO: Scenario<AskingWorld> = {
  create: async () => {
    const world = await createAskingWorld();
    // What it says is the same each time: a turn that died with its runner is asked for again to the byte.
    world.modelTurn = asking(commandCall(`${COMMAND} > /dev/null`));
    return world;
  },
  wake: (world) => world.run({ event: { name: "schedule" } }),
  problemsOf: async (world) => {
    const ran = await world.effects();
    const kits = (await world.files()).filter((file) => file.endsWith("/writing-kit.json")).length;
    return [
      ...(ran === 1 ? [] : [`the command ran ${ran} times`]),
      ...(kits === 1 ? [] : ["there is not one artifact"]),
    ];
  },
};

const OUTWARD = /^(spawn git (push|fetch|ls-remote)|fetch |request )/;

/** What must come up, else the injector looks at the wrong effects. */
const DURABLE: readonly [string, RegExp][] = [
  ["push", /^spawn git push/],
  ["commit", /^rename\S* .*\/objects\//],
  ["pull request opened", /^fetch POST .*\/pulls$/],
  ["comment posted", /^fetch POST .*\/issues\/\d+\/comments$/],
  ["comment edited", /^fetch PATCH .*\/issues\/comments\/\d+$/],
  ["reaction", /^fetch POST .*\/reactions$/],
  ["check", /^fetch POST .*\/check-runs$/],
  ["upload", /^request PUT /],
];

/** The effects of an undisturbed question and of its answer. Throws where that fails already. */
export async function listActionEffects<W extends World>(
  scenario: Scenario<W>,
): Promise<Record<Phase, Effect[]>> {
  return inWorld(scenario, async (world) => {
    const lists = { question: join(world.root, "question"), answer: join(world.root, "answer") };
    await world.start({ environment: crash({ CRASH_LIST: lists.question }) });
    const comment = world.say("maintainer", approval(world));
    await world.deliver(comment, { environment: crash({ CRASH_LIST: lists.answer }) });
    const problems = await problemsOf(world, scenario);
    if (problems.length > 0) throw new Error(`The undisturbed runs failed: ${problems.join("; ")}`);
    return { question: read(lists.question), answer: read(lists.answer) };
  });
}

/** The durable operations that never came up. */
export function findMissingOfAction(effects: Record<Phase, Effect[]>): string[] {
  const lines = [...effects.question, ...effects.answer].map(({ kind, place }) => `${kind} ${place}`);
  return DURABLE.filter(([, pattern]) => !lines.some((line) => pattern.test(line))).map(([name]) => name);
}

/** Every point at which something reaches outside, with and without `post` after it; or a sample as `seed` says. */
export function chooseActionPoints(
  effects: Record<Phase, Effect[]>,
  sample?: { seed: string; count: number },
): ActionPoint[] {
  const points = (["question", "answer"] as const).flatMap((phase) =>
    effects[phase]
      .filter(({ kind, place }) => OUTWARD.test(`${kind} ${place}`))
      .flatMap((effect): ActionPoint[] => [
        { phase, effect, when: "before", isPosted: effect.index % 2 === 0 },
        { phase, effect, when: "after", isPosted: effect.index % 2 === 1 },
      ]),
  );
  if (!sample) return points;
  const rank = ({ phase, effect, when }: ActionPoint) =>
    createHash("sha256").update(`${sample.seed} ${phase} ${effect.index} ${when}`).digest("hex");
  return points.sort((a, b) => rank(a).localeCompare(rank(b))).slice(0, sample.count);
}

/** Kills the run at the point, lets the next ones go on; what is wrong at the end, one sentence each. */
export async function runActionTrial<W extends World>(
  scenario: Scenario<W>,
  point: ActionPoint,
): Promise<string[]> {
  return inWorld(scenario, async (world) => {
    const environment = crash({ CRASH_AT: `${point.effect.index}:${point.when}` });
    const killed = await runPhase(world, point.phase, environment);
    // The order of requests that are sent together may differ: then the point lies elsewhere, or behind the end.
    if (killed.exitCode === null && point.isPosted) await world.post(killed.state);
    await goOn(world, scenario);
    return problemsOf(world, scenario);
  });
}

async function runPhase(world: World, phase: Phase, environment: Record<string, string>): Promise<Ran> {
  if (phase === "question") return world.start({ environment });
  await world.start();
  return world.deliver(world.say("maintainer", approval(world)), { environment });
}

/** What happens in time by itself: scheduled runs, and one person who answers what is open. */
async function goOn<W extends World>(world: W, scenario: Scenario<W>): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    const open = world
      .ours("looplia:request")
      .flatMap(({ body }) => /^\/(?:approve|choose) q\d+-[0-9a-f]{6}/m.exec(body)?.[0] ?? []);
    for (const command of open) {
      const answer = command.startsWith("/choose") ? `${command} run` : command;
      if (world.github.comments.all.some(({ body }) => body === answer)) continue;
      world.say("maintainer", answer);
    }
    const ran = await scenario.wake(world);
    if (ran.outputs.get("status") === "completed") return;
  }
}

async function problemsOf<W extends World>(world: W, scenario: Scenario<W>): Promise<string[]> {
  const problems = await scenario.problemsOf(world);
  const check = (isRight: boolean, problem: string) => {
    if (!isRight) problems.push(problem);
  };
  check((await world.github.pullRequests()).length === 1, "there is not one pull request");
  const requests = world.ours("looplia:request").map(({ body }) => body);
  check(requests.filter((body) => body.includes("mktemp ran-")).length === 1, "the question was asked twice");
  check(
    requests.every((body) => !/^\/approve /m.test(body)),
    "a question that ended still asks",
  );
  const status = world.ours("looplia:status");
  check(status.length === 1, `there are ${status.length} status comments`);
  check(status[0]?.body.includes("completed") === true, "the status comment is stale");
  const ref = (await world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state")).split(
    "\n",
  );
  check(ref.length === 1, `there are ${ref.length} state refs`);
  const log = await world.repository.git(
    "grep",
    "-h",
    "-E",
    "WorkClaimed|WorkReleased",
    ref[0] ?? "",
    "--",
    "work",
  );
  const last = log.split("\n").at(-1) ?? "";
  check(last.includes("WorkReleased"), "the work is still claimed");
  problems.push(...world.github.violations, ...world.model.faults.map(String));
  return problems;
}

async function inWorld<W extends World, T>(scenario: Scenario<W>, use: (world: W) => Promise<T>): Promise<T> {
  const world = await scenario.create();
  try {
    return await use(world);
  } finally {
    await world.close();
  }
}

/** The command that approves the one open question. */
function approval(world: World): string {
  const [shown = ""] = world
    .ours("looplia:request")
    .flatMap(({ body }) => /^\/approve q\d+-[0-9a-f]{6}/m.exec(body) ?? []);
  return shown;
}

function crash(variables: Record<string, string>): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${INJECTOR}`,
    CRASH_WITH: "LOOPLIA_HANDED_OVER",
    // Of the files only git's objects count: a commit is one of them.
    CRASH_FOLDERS: tmpdir(),
    CRASH_ONLY: "^(?:spawn |fetch |request |rename\\S* .*/objects/)",
    ...variables,
  };
}

function read(list: string): Effect[] {
  if (!existsSync(list)) throw new Error("the injector saw nothing");
  return readFileSync(list, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [index, kind = "", place = "", site = ""] = line.split("\t");
      return { index: Number(index), kind, place: place.replace(/https?:\/\/[^/]+/, ""), site };
    });
}

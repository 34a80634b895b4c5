// Sixteen sessions, sixteen commands, sixteen people: answers in random order, and runs that are killed in between.
import { expect, onTestFinished, test } from "vitest";
import { type AskingWorld, asking, commandCall, createAskingWorld } from "../fakes/asking-world.ts";
import { commentEvent } from "../fakes/github-server-events.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";

const COUNT = 16;
const SEED = Number(process.env.DECISIONS_SEED ?? 7);

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

async function begin() {
  const articles = Array.from({ length: COUNT - 1 }, (_, at) => [
    `content/item-${at}.md`,
    `${ARTICLE}\nOf item ${at}.\n`,
  ]);
  const world = await createAskingWorld({
    ...Object.fromEntries(articles),
    "looplia.yml": "upload-audit: false\nconcurrency: 8\n",
  });
  onTestFinished(() => world.close());
  world.modelTurn = asking(commandCall("mktemp ran-XXXXXX && ls | wc -l"));
  for (let at = 0; at < COUNT; at += 1) world.github.accounts.addPerson(`person-${at}`, "write");
  const open = () =>
    world
      .ours("looplia:request")
      .flatMap(({ body }) => /^\/approve (q\d+-[0-9a-f]{6})$/m.exec(body)?.[1] ?? []);
  return { world, open };
}

/** Kills the run at its claim: never carried out, or carried out and the answer lost. Later kills may leave doubt. */
function killedAtClaim({ repository }: AskingWorld, isBefore: boolean, kill: () => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      Object.assign(repository, { beforePush: undefined, afterPush: undefined });
      kill();
      resolve();
    };
    if (isBefore) {
      repository.beforePush = async () => {
        end();
        return 503;
      };
      return;
    }
    repository.afterPush = () => {
      end();
      return true;
    };
  });
}

test(`rounds of ten, in random order, with kills in between (seed ${SEED}): each command runs once, each is asked once`, async () => {
  const random = randomOf(SEED);
  const { world, open } = await begin();
  const asked = await runHere(world);
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  expect(open()).toHaveLength(10);
  const people = shuffled(
    Array.from({ length: COUNT }, (_, at) => `person-${at}`),
    random,
  );
  const approvals: number[] = [];
  for (let round = 0; (await world.effects()) < COUNT && round < 8; round += 1) {
    const said = shuffled(open(), random).map((id) =>
      world.say(people[approvals.length % COUNT] ?? "", `/approve ${id}`),
    );
    const [first, last] = [said[0], said.at(-1)];
    if (!first || !last) throw new Error("nothing is asked");
    approvals.push(...said.map(({ id }) => id));
    await world.run({
      event: commentEvent(world.github, first),
      during: ({ kill }) => killedAtClaim(world, random() < 0.5, () => kill("SIGKILL")),
    });
    const ran = await deliverHere(world, last);
    expect(ran.ended, ran.said).toMatch(/^(?:waiting open-questions|completed done|completed up-to-date)$/);
  }
  const quiet = await sweepHere(world);
  expect(quiet.ended, quiet.said).toMatch(/^(?:ignored no-command|completed)/);
  expect(await world.effects()).toBe(COUNT);
  expect(world.ours("looplia:request")).toHaveLength(COUNT);
  expect(approvals).toHaveLength(COUNT);
  for (const id of approvals) expect(world.github.comments.reactionsOf(id)).toContain("rocket");
  expect(world.ours("looplia:reply")).toEqual([]);
  expect((await world.files()).filter((file) => file.endsWith("/ideas.json"))).toHaveLength(COUNT);
  // Every request: to open and to ask, by the killed runs, and to find nothing left to do.
  expect(world.github.requests.length / COUNT).toBeLessThanOrEqual(6);
  world.github.assertValid();
});

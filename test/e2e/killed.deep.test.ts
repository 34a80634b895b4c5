// A process that must end: killed while its runner goes on, the post step keeps everything that was stored on the runner's
// disk; at its deadline and on a signal it saves by itself.
import { expect, test } from "vitest";
import { createActionWorld, ended, said } from "../fakes/action-world.ts";
import { fastClock } from "../fakes/fast-clock.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

test("only the requests under way are asked again, and finished steps are on the branch at once", async () => {
  const items = ["a", "b", "c", "d", "e"].map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
  const world = await createActionWorld(Object.fromEntries(items));
  let answered = 0;
  world.modelTurn = async (body) => {
    // The seventh answer never comes.
    answered += 1;
    if (answered === 7) await new Promise((done) => setTimeout(done, 3_000));
    return writeDue(body);
  };
  try {
    const during = async (child: { kill(signal: NodeJS.Signals): void }) => {
      while (answered < 7) await new Promise((done) => setTimeout(done, 20));
      await new Promise((done) => setTimeout(done, 1_000));
      child.kill("SIGKILL");
    };
    const killed = await world.run({ inputs: { concurrency: "1" }, during });
    expect(killed.exitCode).toBe(null);
    const post = await world.post(killed.state);
    expect(post.exitCode, said(post)).toBe(0);
    expect(said(post)).not.toMatch(/could not clean up|^Error/m);
    const [branch = ""] = (
      await world.repository.git("for-each-ref", "--format=%(refname)", "refs/heads/looplia/*")
    ).split("\n");
    const files = (await world.repository.git("ls-tree", "-r", "--name-only", branch)).split("\n");
    expect(files.filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(2);
    const again = await world.run({ inputs: { concurrency: "1" } });
    expect(ended(again), said(again)).toBe("completed done");
    expect(world.model.requests).toHaveLength(5 * 3 + 1);
    const log = await world.repository.git("log", "--format=", "--name-status", `main..${branch}`);
    const made = log.split("\n").filter((line) => /\/(?:summary|ideas|writing-kit)\.json$/.test(line));
    expect(made).toHaveLength(5 * 3);
    expect(new Set(made.map((line) => line.slice(0, 1)))).toEqual(new Set(["A"]));
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

const DISPATCHED = { GITHUB_WORKFLOW_REF: "owner/repo/.github/workflows/kits.yml@refs/heads/main" };

test.each([
  ["timeout-minutes: 1", "stopped deadline", undefined, 1],
  ["SIGTERM", "stopped interrupted", "SIGTERM", 0],
  ["SIGINT, as GitHub cancels", "stopped interrupted", "SIGINT", 0],
] as const)(
  "at %s everything is saved and pushed, and the next run goes on",
  async (_, how, signal, started) => {
    const items = ["a", "b", "c", "d", "e"].map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
    const settings = { "looplia.yml": `continue: true\n${signal ? "" : "timeout-minutes: 1\n"}` };
    const world = await createActionWorld({ ...Object.fromEntries(items), ...settings });
    let answered = 0;
    // The seventh answer and all after it come too late.
    world.modelTurn = (body) => {
      answered += 1;
      return { ...(writeDue(body) as object), delayMs: answered < 7 ? 0 : 30_000 } as never;
    };
    try {
      const during = async (child: { kill(signal: NodeJS.Signals): void }) => {
        while (signal && answered < 7) await new Promise((done) => setTimeout(done, 20));
        if (signal) child.kill(signal);
      };
      const event = { name: "workflow_dispatch" };
      // Time enough for a busy machine: a minute takes twenty seconds.
      const environment = { ...DISPATCHED, ...fastClock(3) };
      const stopped = await world.run({ event, inputs: { concurrency: "1" }, environment, during });
      expect(ended(stopped), said(stopped)).toBe(how);
      expect(world.github.requests.filter(({ path }) => path.endsWith("/dispatches"))).toHaveLength(started);
      expect(answered).toBe(7);
      world.modelTurn = undefined;
      const again = await world.run({ inputs: { concurrency: "1" }, environment: { GITHUB_RUN_ID: "990" } });
      expect(ended(again), said(again)).toBe("completed done");
      expect(world.model.requests).toHaveLength(5 * 3 + 1);
      world.github.assertValid();
    } finally {
      await world.close();
    }
  },
);

// A run that lost its work writes nothing more, and what it had started is killed (DURABILITY, "state moved: fenced").
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asking, commandCall, createAskingWorld } from "../fakes/asking-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { runHere } from "../fakes/run-here.ts";

/** Whether a process was started with this word. */
function isRunning(word: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      // It is no process, or none any more.
      return false;
    }
  });
}

test("another run takes the work while a command runs: the command is killed, and the run ends as the one that lost", async () => {
  const files = {
    "content/tea.md": ARTICLE,
    "looplia.yml": "approval: none\nsandbox: 'off'\nupload-audit: false\n",
  };
  const world = await createAskingWorld(files);
  try {
    const { git } = world.repository;
    const seconds = `90.${process.pid}`;
    const command = asking(commandCall(`sleep ${seconds} && touch late`));
    let begun = 0;
    let isTaken = false;
    world.modelTurn = async (body) => {
      // One of the two items runs the command; the other takes its time, and meanwhile somebody else writes the state.
      if (dueOutputs(body)[0] === "ideas" && body.messages.length === 1 && ++begun === 1)
        return command(body);
      if (!isTaken && begun > 1) {
        isTaken = true;
        await expect.poll(() => isRunning(seconds)).toBe(true);
        const ref = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
        const who = ["-c", "user.name=x", "-c", "user.email=x@y"];
        const message = await git("log", "-1", "--format=%B", ref);
        const other = await git(...who, "commit-tree", `${ref}^{tree}`, "-p", ref, "-m", message);
        await git("update-ref", ref, other);
      }
      return writeDue(body);
    };
    const startedAt = performance.now();
    const ran = await runHere(world);
    expect(ran.ended, ran.said).toBe("ignored lost-race");
    expect(performance.now() - startedAt).toBeLessThan(80_000);
    expect(isTaken).toBe(true);
    expect(isRunning(seconds)).toBe(false);
    expect((await git("ls-tree", "-r", "--name-only", await world.branch())).split("\n")).not.toContain(
      "late",
    );
  } finally {
    await world.close();
  }
});

// The self-test for GitHub itself, against the local servers: so that what it finds there is GitHub's, not its own.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createActionWorld, TOKEN } from "../fakes/action-world.ts";
import { type Ended, hear } from "../fakes/hear.ts";

const script = resolve(import.meta.dirname, "../../scripts/self-test.ts");

test("tries each thing, prints a table, and leaves nothing behind", async () => {
  const world = await createActionWorld({ "README.md": "# x\n" });
  try {
    world.github.accounts.addPerson("octocat", "write");
    world.github.checks.runs.set("77.1", "in_progress");
    const before = await world.repository.git("for-each-ref", "--format=%(refname)");
    const ran = await run({
      GITHUB_API_URL: world.github.apiUrl,
      GITHUB_SERVER_URL: world.repository.serverUrl,
      GITHUB_REPOSITORY: world.github.repository,
      GITHUB_TOKEN: TOKEN,
      GITHUB_ACTOR: "octocat",
      GITHUB_RUN_ID: "77",
      GITHUB_RUN_ATTEMPT: "1",
    });
    const rows = ran.stdout
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(1);
    expect(
      rows.filter((row) => !row.includes("| yes |")),
      ran.stdout + ran.stderr,
    ).toEqual([]);
    expect(rows).toHaveLength(14);
    expect(ran.code).toBe(0);
    expect(await world.repository.git("for-each-ref", "--format=%(refname)")).toBe(before);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

function run(environment: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return hear(child).ended;
}

// The self-test for GitHub itself, against the local servers: so that what it finds there is GitHub's, not its own.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { caller, ok, refused } from "../../scripts/self-test/api.ts";
import { AREAS } from "../../scripts/self-test/areas.ts";
import { expect as need, renderTable, tryAll } from "../../scripts/self-test/probe.ts";
import { createActionWorld, TOKEN } from "../fakes/action-world.ts";
import { type Ended, hear } from "../fakes/hear.ts";

const root = resolve(import.meta.dirname, "../..");
const script = join(root, "scripts/self-test.ts");

/** Each kind of request to GitHub that an adapter makes. */
function routes(): string[] {
  const folder = join(root, "src/github");
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  return [
    ...new Set(
      texts.flatMap((text) => text.match(/(?<=")(?:GET|POST|PATCH|PUT|DELETE) \/[^"]+(?=")/g) ?? []),
    ),
  ];
}

test("tries each thing and each kind of request that the adapters make, prints a table, and leaves nothing behind", async () => {
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
      GITHUB_ACTOR_ID: "1001",
      GITHUB_TRIGGERING_ACTOR: "octocat",
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
    expect(ran.code).toBe(0);
    // Isolation is tried on a runner alone, the queue by jobs of their own.
    const areas = new Set([...rows.map((row) => row.split(" ")[1]), "isolation", "queue"]);
    expect([...areas].sort()).toEqual(Object.keys(AREAS).sort());
    const asked = Object.keys(world.github.countByKind());
    expect(routes().filter((route) => !asked.includes(route))).toEqual([]);
    expect(routes().length).toBeGreaterThan(15);
    expect(await world.repository.git("for-each-ref", "--format=%(refname)")).toBe(before);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test("what is not as needed is a row that says so, and keeps nothing else from being tried", async () => {
  const world = await createActionWorld({ "README.md": "# x\n" });
  try {
    const platform = { apiUrl: world.github.apiUrl, repository: world.github.repository, token: TOKEN };
    const call = caller({
      ...platform,
      repositoryUrl: "",
      actor: "",
      actorId: "",
      triggeredBy: "",
      runId: "",
      attempt: "",
    });
    const missing = () => call("GET", "/collaborators/nobody/permission");
    const tried = await tryAll([
      {
        area: "people",
        probes: [
          { what: "an answer that is none", run: async () => String((await ok(missing())).status) },
          { what: "another refusal", run: () => refused(missing(), 403) },
          { what: "another value", run: () => need("a | b", "c") },
          { what: "this", run: () => refused(missing(), 404) },
        ],
      },
    ]);
    expect(tried.map(({ isAsNeeded }) => isAsNeeded)).toEqual([false, false, false, true]);
    const table = renderTable(tried);
    expect(table).toContain("| people | an answer that is none | **no** | answered 404: Not Found |");
    expect(table).toContain("| people | another value | **no** | found a \\| b instead of c |");
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

// `mode: collect` over thousands of sessions: what it takes grows with their number, and people see one pull request.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type ActionWorld, createActionWorld, ended, said } from "../fakes/action-world.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const event = { name: "schedule", payload: {} };
const SHARDS = 16;
/** Sessions of such a work are packed as they end. */
const MADE = 10;
const SESSIONS = ".looplia/contentItem";

/** A world whose `content/*.md` are so many items. */
function worldOf(count: number): Promise<ActionWorld> {
  const items = Array.from({ length: count }, (_, at) => [
    `content/item-${at}.md`,
    `# Item ${at}\n\n${ARTICLE}`,
  ]);
  return createActionWorld(Object.fromEntries(items));
}

test("2,000 sessions of 16 shards cost about four times as much as 500, and one pull request shows them", async () => {
  const original = await worldOf(MADE);
  try {
    const made = await original.run({ event });
    expect(ended(made), said(made)).toBe("completed done");
    const few = await collect(original, 500);
    const many = await collect(original, 2_000);
    console.log(`collect: ${JSON.stringify({ few, many })}`);
    expect(many.cpuMs / few.cpuMs).toBeLessThan(5);
    expect(many.memoryMb).toBeLessThan(400);
  } finally {
    await original.close();
  }
}, 600_000);

/** What `collect` takes to bring so many sessions of 16 shards together. */
async function collect(original: ActionWorld, count: number) {
  const world = await worldOf(count);
  try {
    await copyToShards(original, world, count);
    const usage = join(world.root, "usage.json");
    const meter = join(world.root, "meter.mjs");
    const write = `writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage()))`;
    await writeFile(meter, `import { writeFileSync } from "node:fs";\nprocess.on("exit", () => ${write});\n`);
    const begun = performance.now();
    const environment = { NODE_OPTIONS: `--import=${pathToFileURL(meter)}`, GITHUB_RUN_ID: "901" };
    const ran = await world.run({ event, inputs: { mode: "collect" }, environment });
    const ms = Math.round(performance.now() - begun);
    expect(ran.exitCode, said(ran)).toBe(0);
    expect(await world.github.pullRequests()).toHaveLength(1);
    expect(ran.summary).toContain(`${count} items`);
    const { git } = world.repository;
    const files = await git("ls-tree", "-r", "--name-only", ran.outputs.get("branch") ?? "");
    expect(files.match(/\/writing-kit\.json$/gm)).toHaveLength(count);
    expect(await git("for-each-ref", "--format=%(refname)")).not.toMatch(/shard/);
    expect(world.github.requests.length).toBeLessThanOrEqual(30);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(await readFile(usage, "utf8"));
    const cpuMs = Math.round((userCPUTime + systemCPUTime) / 1_000);
    return { cpuMs, ms, memoryMb: Math.round(maxRSS / 1_000) };
  } finally {
    await world.close();
  }
}

/** Gives each of 16 shards its part of so many copies of the first session that `original` made. */
async function copyToShards(original: ActionWorld, world: ActionWorld, count: number): Promise<void> {
  const { git } = world.repository;
  const [state = ""] = (
    await original.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state")
  ).split("\n");
  const workId = state.slice("refs/looplia-state/".length);
  const branch = `refs/heads/looplia/${workId}`;
  await git(
    "fetch",
    "-q",
    original.repository.bare,
    `${state}:refs/original/state`,
    `${branch}:refs/original/branch`,
  );
  const rows = async (ref: string) => {
    const listed = await git("ls-tree", "-r", ref);
    return listed.split("\n").map((row) => /^(\d+) blob (\S+)\t(.*)$/.exec(row)?.slice(1) ?? []);
  };
  const [stored, files] = [await rows("refs/original/state"), await rows("refs/original/branch")];
  const first = files
    .map(([, , path = ""]) => /^\.looplia\/contentItem\/(item-0-[^/]+)\//.exec(path)?.[1])
    .find((id) => id);
  const session = first ?? "";
  const manifest = await git("show", `refs/original/branch:${SESSIONS}/${session}/session.json`);
  const shared = stored.filter(([, , path = ""]) => /^(header\.json|frozen\/)/.test(path));
  const copy = (at: number) => session.replace("item-0", `item-${at}`);
  const text = (ref: string, message: string, lines: string[]) => [
    `commit ${ref}`,
    "committer x <x@example.com> 1700000000 +0000",
    `data ${Buffer.byteLength(message)}`,
    message,
    ...lines,
    "",
  ];
  const moved = (from: string[][], below: string, at: number) =>
    from
      .filter(([, , path = ""]) => path.startsWith(`${below}/${session}/`) && !path.endsWith("/session.json"))
      .map(([mode, oid, path = ""]) => `M ${mode} ${oid} ${path.replace(session, copy(at))}`);
  const main = await git("rev-parse", "main");
  const script: string[] = [];
  for (let shard = 1; shard <= SHARDS; shard += 1) {
    const own = Array.from({ length: count }, (_, at) => at).filter((at) => at % SHARDS === shard - 1);
    const manifests = own.flatMap((at) => {
      const bytes = manifest.replaceAll("item-0", `item-${at}`);
      return [
        `M 100644 inline ${SESSIONS}/${copy(at)}/session.json`,
        `data ${Buffer.byteLength(bytes)}`,
        bytes,
      ];
    });
    const name = `shard-900-${shard}`;
    script.push(
      ...text(`refs/heads/looplia/${workId}.${name}`, "feat: items", [
        `from ${main}`,
        ...own.flatMap((at) => moved(files, SESSIONS, at)),
        ...manifests,
      ]),
      ...text(`refs/looplia-state/${workId}.${name}`, "chore: give the work back", [
        ...shared.map(([mode, oid, path]) => `M ${mode} ${oid} ${path}`),
        ...own.flatMap((at) => moved(stored, "sessions", at)),
      ]),
    );
  }
  const child = spawn("git", ["fast-import", "--quiet"], {
    cwd: world.repository.bare,
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.end(script.join("\n"));
  expect(await once(child, "exit")).toEqual([0, null]);
  await git("update-ref", "-d", "refs/original/state");
  await git("update-ref", "-d", "refs/original/branch");
}

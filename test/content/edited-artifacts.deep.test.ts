// People edit artifacts: whatever they do and whenever, what they wrote stays, or a copy of it and a notice.

import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Host } from "../../src/core/ports.ts";
import type { RunResult } from "../../src/core/result.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, dueOutputs, kitModel, writeDue } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const ITEMS = { kind: "items", workId: "writing-kit-abcdef", key: "k", sources: ["a.md"] } as const;

class BranchHost extends ScriptedHost {
  readonly answersLater = true;
  async editorOf(): Promise<string> {
    return "@ada";
  }
}

const HOSTS = new Map<string, () => Host>([
  ["command line", () => new ScriptedHost([])],
  ["branch", () => new BranchHost([])],
]);

const OUTPUTS = ["summary", "ideas", "outline", "writing-kit"];
/** What runs when an output is made again. */
const FROM: Record<string, string[][]> = {
  summary: [["summary"], ["ideas"], ["outline"]],
  ideas: [["ideas"], ["outline"]],
  outline: [["outline"]],
  "writing-kit": [],
};
/** What runs when a person's version of an output stays. */
const AFTER: Record<string, string[][]> = {
  summary: [["ideas"], ["outline"]],
  ideas: [["outline"]],
  outline: [],
  "writing-kit": [],
};

const OWN: Record<string, (value: Record<string, unknown>) => unknown> = {
  summary: (value) => ({ ...value, headline: "A headline in a person's own words" }),
  ideas: (value) => ({ ...value, hooks: [{ text: "A hook in a person's own words", type: "story" }] }),
  outline: () => [{ heading: "My own", notes: "In my own words.", keyPoints: ["mine"] }],
  "writing-kit": (value) => ({ ...value, meta: { relevanceToUser: 1, estimatedReadingTimeMinutes: 7 } }),
};

/** What an invalid edit leads to: a question on a pull request, a refusal on the command line. */
const ASKED = { status: "waiting", reasonCode: "open-questions" };
const REFUSED = { status: "failed", reasonCode: "invalid-artifact" };

type Act = "valid" | "invalid" | "removed" | "renamed";
const ACTS: Act[] = ["valid", "invalid", "removed", "renamed"];

/** A person at work in a session's folder. */
async function edit(world: ContentWorld, output: string, act: Act, from?: string): Promise<string> {
  const [sessionId = ""] = await sessionsOf(world);
  const file = join(world.root, ".looplia/contentItem", sessionId, `${output}.json`);
  if (act === "removed") await rm(file, { force: true });
  if (act === "renamed") await rename(file, file.replace(/\.json$/, "-old.json")).catch(() => undefined);
  if (act === "removed" || act === "renamed") return "";
  const value = JSON.parse(from ?? (await world.read(file.slice(world.root.length + 1))));
  const text = act === "valid" ? JSON.stringify(OWN[output]?.(value)) : '{"hooks": ["half a fi';
  await writeFile(file, text);
  return text;
}

async function filesOf(world: ContentWorld): Promise<Map<string, string>> {
  const [sessionId = ""] = await sessionsOf(world);
  const folder = `.looplia/contentItem/${sessionId}`;
  const names = await readdir(join(world.root, folder));
  const files = new Map<string, string>();
  for (const name of names) files.set(name, await world.read(`${folder}/${name}`));
  return files;
}

const noticesOf = (world: ContentWorld) =>
  world.events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
const editsOf = (result: RunResult) => result.items[0]?.edits ?? [];

/** What a person wrote stands in a copy; people are told of it, and the artifact was made again. */
async function expectCopy(world: ContentWorld, result: RunResult, output: string, text: string) {
  const files = await filesOf(world);
  const [copy = ""] = [...files.keys()].filter((name) => name.startsWith(`${output}.kept-`));
  expect(files.get(copy)).toBe(text);
  expect(copy).toMatch(/\.kept-[0-9a-f]{16}\.json$/);
  expect(files.get(`${output}.json`)).not.toBe(text);
  const told = `${output}.json is made again; the edited version is kept as ${copy}`;
  expect(noticesOf(world)).toContain(told);
  expect(editsOf(result)).toContain(told);
}

async function expectUpToDate(world: ContentWorld, host: () => Host) {
  const again = await world.run(ITEMS, new ScriptedModel([]), { host: host() });
  expect(again).toMatchObject({ status: "completed", reasonCode: "up-to-date" });
}

/** Every artifact and every act. */
const ROWS = OUTPUTS.flatMap((output) => ACTS.map((act) => [output, act] as const));

describe.each([...HOSTS])("on the %s", (place, host) => {
  const by = place === "branch" ? "@ada" : "a person";

  it.each(ROWS)("after a run: %s, %s", async (output, act) => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel(), { host: host() });
    const text = await edit(world, output, act);
    const model = kitModel();
    const result = await world.run(ITEMS, model, { host: host() });
    const made = model.requests.map(dueOutputs);
    const files = await filesOf(world);
    if (act === "valid") {
      expect(result).toMatchObject({ status: "completed", reasonCode: "done" });
      expect(made).toEqual(AFTER[output]);
      expect(files.get(`${output}.json`)).toBe(text);
      expect(editsOf(result)).toEqual([`${output}.json was edited by ${by} and is kept`]);
      expect(noticesOf(world)).toEqual(editsOf(result));
      return expectUpToDate(world, host);
    }
    if (act === "invalid") {
      expect(result).toMatchObject(place === "branch" ? ASKED : REFUSED);
      expect(made).toEqual([]);
      expect(files.get(`${output}.json`)).toBe(text);
      const way = place === "branch" ? `/retry ${output}` : `--force ${output}`;
      expect(result.items[0]?.message).toMatch(
        new RegExp(`${output}\\.json was edited, and .*not JSON.*${way}`),
      );
      const forced = await world.run(ITEMS, kitModel(), { host: host(), settings: { force: [output] } });
      expect(forced.status).toBe("completed");
      await expectCopy(world, forced, output, text);
      return expectUpToDate(world, host);
    }
    expect(result.status).toBe("completed");
    expect(made.flat()[0]).toBe(FROM[output]?.flat()[0]);
    expect(files.has(`${output}.json`)).toBe(true);
    expect(files.has(`${output}-old.json`)).toBe(act === "renamed");
    return expectUpToDate(world, host);
  });

  it.each(ROWS)("before the step: %s, %s", async (output, act) => {
    const sample = await createContentWorld({ "a.md": ARTICLE });
    await sample.run(ITEMS, kitModel());
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel(), { host: host(), settings: { output: "ideas" } });
    const isMade = output === "summary" || output === "ideas";
    const text = await edit(world, output, act, (await filesOf(sample)).get(`${output}.json`));
    const model = kitModel();
    const result = await world.run(ITEMS, model, { host: host() });
    const files = await filesOf(world);
    if (isMade && act === "invalid") {
      expect(result).toMatchObject(place === "branch" ? ASKED : REFUSED);
      expect(files.get(`${output}.json`)).toBe(text);
      return;
    }
    expect(result.status).toBe("completed");
    if (isMade && act === "valid") {
      expect(model.requests.map(dueOutputs)).toEqual(AFTER[output]);
      expect(files.get(`${output}.json`)).toBe(text);
    } else if (text !== "") await expectCopy(world, result, output, text);
    return expectUpToDate(world, host);
  });

  it.each(ROWS)("while it is about to be made again: %s, %s", async (output, act) => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel(), { host: host() });
    let text: string | undefined;
    const model = new ScriptedModel(async (request) => {
      text ??= await edit(world, output, act);
      return writeDue(request);
    });
    const settings = { force: ["summary"] };
    const result = await world.run(ITEMS, model, { host: host(), settings });
    expect(result.status).toBe("completed");
    expect(model.requests.map(dueOutputs)).toEqual(FROM.summary);
    if (text) await expectCopy(world, result, output, text);
    expect((await filesOf(world)).has(`${output}-old.json`)).toBe(act === "renamed");
    return expectUpToDate(world, host);
  });

  it.each(["summary", "ideas"].flatMap((output) => ACTS.map((act) => [output, act] as const)))(
    "while a later step runs: %s, %s",
    async (output, act) => {
      const world = await createContentWorld({ "a.md": ARTICLE });
      let text: string | undefined;
      const model = new ScriptedModel(async (request) => {
        if (dueOutputs(request)[0] === "outline") text ??= await edit(world, output, act);
        return writeDue(request);
      });
      await world.run(ITEMS, model, { host: host() });
      const next = kitModel();
      const result = await world.run(ITEMS, next, { host: host() });
      if (text) expect((await filesOf(world)).get(`${output}.json`)).toBe(text);
      const refused = place === "branch" ? ASKED.status : REFUSED.status;
      expect(result.status).toBe(act === "invalid" ? refused : "completed");
      const made = { valid: AFTER[output], invalid: [], removed: FROM[output], renamed: FROM[output] }[act];
      expect(next.requests.flatMap(dueOutputs)).toEqual((made ?? []).flat());
    },
  );
});

describe("a version of a person that stays", () => {
  it("is kept beside the new one when the source changes", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    const text = await edit(world, "ideas", "valid");
    await world.run(ITEMS, kitModel());
    await world.write("a.md", `${ARTICLE}\nOne more line.\n`);
    const result = await world.run(ITEMS, kitModel());
    await expectCopy(world, result, "ideas", text);
    expect(editsOf(result)).toHaveLength(1);
  });

  it("is kept beside the new one though the session's state is gone", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    const text = await edit(world, "ideas", "valid");
    await world.run(ITEMS, kitModel());
    await rm(join(world.root, ".looplia/state"), { recursive: true });
    const result = await world.run(ITEMS, kitModel(), { settings: { force: ["ideas"] } });
    await expectCopy(world, result, "ideas", text);
  });

  it("stays with others that were edited at the same time", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    const texts = [await edit(world, "summary", "valid"), await edit(world, "ideas", "valid")];
    const model = kitModel();
    await world.run(ITEMS, model);
    const files = await filesOf(world);
    expect([files.get("summary.json"), files.get("ideas.json")]).toEqual(texts);
    expect(model.requests.map(dueOutputs)).toEqual([["outline"]]);
  });

  it("is left alone by a dry run, which records nothing", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    await edit(world, "ideas", "valid");
    const before = await filesOf(world);
    await world.run(ITEMS, new ScriptedModel([]), { settings: { dryRun: true } });
    expect(await filesOf(world)).toEqual(before);
  });

  it("leaves no copy of what the program itself made", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    await world.write("a.md", `${ARTICLE}\nOne more line.\n`);
    await world.run(ITEMS, kitModel());
    expect([...(await filesOf(world)).keys()].filter((name) => name.includes("kept"))).toEqual([]);
  });
});

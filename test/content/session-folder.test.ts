import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createSessionFolder,
  readSessionFolder,
  sessionFolder,
  writeContent,
  writeManifest,
} from "../../src/content/folder.ts";
import { createManifest, type SessionManifest, updateStep } from "../../src/content/manifest.ts";
import { planSteps } from "../../src/content/plan.ts";
import { findSession, SessionIndex } from "../../src/content/session-index.ts";
import { hashContent } from "../../src/core/json.ts";
import { ARTICLE, SESSION_ID, sampleArtifacts, sampleSummary, writingKit } from "../fakes/content-samples.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const pipeline = writingKit();
const pipelines = new Map([["writing-kit", pipeline]]);
const NOW = "2026-11-21T08:00:00.000Z";
const bytes = new TextEncoder().encode(ARTICLE);

function manifestFor(sessionId: string, parts: Partial<SessionManifest> = {}): SessionManifest {
  const start = {
    sessionId,
    source: "content/quiet.md",
    sourceHash: hashContent(bytes),
    pipeline,
    desiredOutput: "writing-kit",
  };
  return { ...createManifest(start, NOW), ...parts };
}

const pathOf = (file: string, sessionId = SESSION_ID) => `.looplia/contentItem/${sessionId}/${file}`;

/** A folder as version 0.4.0 left it. */
function legacyFiles(): Record<string, string> {
  const artifacts = [...sampleArtifacts()].map(([file, value]) => [pathOf(file), JSON.stringify(value)]);
  return { [pathOf("content.md")]: ARTICLE, ...Object.fromEntries(artifacts) };
}

describe("a session's folder", () => {
  test("is made with a byte copy of the item and read back", async () => {
    const { workspace, root } = await makeWorktree();
    const odd = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("# T\r\n\r\nText\r\n")]);
    const manifest = manifestFor(SESSION_ID, { sourceHash: hashContent(odd) });
    await createSessionFolder(workspace, manifest, odd);
    expect(new Uint8Array(await readFile(join(root, pathOf("content.md"))))).toEqual(odd);
    expect((await readdir(join(root, sessionFolder(SESSION_ID)))).sort()).toEqual([
      "content.md",
      "session.json",
    ]);
    const found = await readSessionFolder(workspace, SESSION_ID, pipelines);
    expect(found).toMatchObject({ manifest, upgraded: false, contentHash: hashContent(odd) });
    expect([...found.observed.values()]).toEqual(Array(4).fill({ missing: true }));
  });

  test("is never overwritten by another session", async () => {
    for (const file of ["session.json", "content.md"]) {
      const { workspace, root } = await makeWorktree({ [pathOf(file)]: "something else" });
      await expect(createSessionFolder(workspace, manifestFor(SESSION_ID), bytes)).rejects.toMatchObject({
        code: "config-invalid",
      });
      expect(await readFile(join(root, pathOf(file)), "utf8")).toBe("something else");
      expect(await readdir(join(root, sessionFolder(SESSION_ID)))).toEqual([file]);
    }
  });

  test.each(["", "..", "../x", "a/b", "A", "x".repeat(82), "a\0"])("%j is no session id", async (id) => {
    const { workspace } = await makeWorktree();
    expect(() => sessionFolder(id)).toThrow(/is not a session id/);
    await expect(readSessionFolder(workspace, id, pipelines)).rejects.toMatchObject({
      code: "config-invalid",
    });
  });

  test("that is not there is said to be so", async () => {
    const { workspace } = await makeWorktree();
    await expect(readSessionFolder(workspace, "a-b", pipelines)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("a-b"),
    });
  });

  test("whose manifest is torn or newer is refused and left as it is", async () => {
    for (const text of ['{"version": 1,', '{"version": 2}']) {
      const { workspace, root } = await makeWorktree({
        [pathOf("session.json")]: text,
        [pathOf("content.md")]: ARTICLE,
      });
      await expect(readSessionFolder(workspace, SESSION_ID, pipelines)).rejects.toMatchObject({
        code: "config-invalid",
        message: expect.stringContaining(pathOf("session.json")),
      });
      expect(await readFile(join(root, pathOf("session.json")), "utf8")).toBe(text);
    }
  });

  test("killed between manifest and copy is read, and its copy can be made", async () => {
    const { workspace } = await makeWorktree();
    await writeManifest(workspace, manifestFor(SESSION_ID));
    expect(await readSessionFolder(workspace, SESSION_ID, pipelines)).toMatchObject({
      content: undefined,
      contentHash: "",
    });
    await writeContent(workspace, SESSION_ID, bytes);
    expect((await readSessionFolder(workspace, SESSION_ID, pipelines)).contentHash).toBe(hashContent(bytes));
  });
});

describe("observed artifacts", () => {
  const observe = async (files: Record<string, string>) => {
    const { workspace } = await makeWorktree({ [pathOf("content.md")]: ARTICLE, ...files });
    await writeManifest(workspace, manifestFor(SESSION_ID));
    return (await readSessionFolder(workspace, SESSION_ID, pipelines)).observed;
  };

  test("are hashed and validated", async () => {
    const text = JSON.stringify(sampleSummary());
    const observed = await observe({ [pathOf("summary.json")]: text, [pathOf("ideas.json")]: "{" });
    expect(observed.get("summary")).toEqual({ contentHash: hashContent(text), problems: [] });
    expect(observed.get("ideas")).toMatchObject({ problems: [expect.stringMatching(/^is not JSON/)] });
    expect(observed.get("outline")).toEqual({ missing: true });
  });

  test("have their quotes held against the copy only while it is what the session began with", async () => {
    const text = JSON.stringify({ ...sampleSummary(), importantQuotes: [{ text: "invented" }] });
    const files = { [pathOf("summary.json")]: text };
    expect((await observe(files)).get("summary")).toMatchObject({
      problems: [expect.stringContaining("importantQuotes")],
    });
    expect(
      (await observe({ ...files, [pathOf("content.md")]: "changed by someone" })).get("summary"),
    ).toMatchObject({ problems: [] });
  });
});

describe("a legacy folder", () => {
  test("without a manifest is adopted: nothing is due", async () => {
    const { workspace, root } = await makeWorktree(legacyFiles());
    const found = await readSessionFolder(workspace, SESSION_ID, pipelines);
    expect(found.upgraded).toBe(true);
    expect(found.manifest).toMatchObject({
      contentId: SESSION_ID,
      source: pathOf("content.md"),
      pipeline: "writing-kit",
      createdAt: "2026-11-21T00:00:00.000Z",
      sourceHash: hashContent(bytes),
    });
    expect([...found.manifest.steps.values()].map((step) => step.schemaVersion)).toEqual(
      Array(4).fill("0.4.0"),
    );
    const { manifest, observed } = found;
    const input = {
      pipeline,
      manifest,
      observed,
      sourceHash: hashContent(bytes),
      desiredOutput: "writing-kit",
    };
    const plan = planSteps({ ...input, inputsHashOf: () => "any" });
    expect(plan.map((step) => step.due)).toEqual([false, false, false, false]);
    expect(await readdir(join(root, sessionFolder(SESSION_ID)))).not.toContain("session.json");
  });

  test("with an invalid artifact runs that step and what needs it", async () => {
    const { workspace } = await makeWorktree({ ...legacyFiles(), [pathOf("ideas.json")]: '{"hooks": []}' });
    const { manifest, observed } = await readSessionFolder(workspace, SESSION_ID, pipelines);
    const input = {
      pipeline,
      manifest,
      observed,
      sourceHash: hashContent(bytes),
      desiredOutput: "writing-kit",
    };
    const plan = planSteps({ ...input, inputsHashOf: () => "any" });
    expect(plan.map((step) => step.due)).toEqual([false, true, true, true]);
  });

  test("may have any id, and is as old as its file", async () => {
    const at = "2026-03-02T10:00:00.000Z";
    for (const id of ["old", "old-2026-03-02-abcdef", "old-2026-03-09-abcdef"]) {
      const { workspace, root } = await makeWorktree({ [`.looplia/contentItem/${id}/content.md`]: "Text" });
      await utimes(join(root, `.looplia/contentItem/${id}/content.md`), new Date(at), new Date(at));
      expect((await readSessionFolder(workspace, id, pipelines)).manifest.createdAt, id).toBe(at);
    }
  });
});

describe("the newest session of an item", () => {
  const ITEM = { source: "content/quiet.md", sourceHash: "0123456789abcdef" };
  const done = { status: "completed" } as const;

  test("is found by source and pipeline, completed ones too", async () => {
    const { workspace } = await makeWorktree();
    const at = (day: string) => ({ createdAt: `2026-11-${day}T00:00:00.000Z` });
    await writeManifest(workspace, manifestFor("a-old", at("01")));
    await writeManifest(workspace, updateStep(manifestFor("b-new", at("03")), "summary", done, NOW));
    await writeManifest(workspace, manifestFor("c-mid", at("02")));
    await writeManifest(
      workspace,
      manifestFor("d-other-source", { ...at("09"), source: "content/other.md" }),
    );
    await writeManifest(
      workspace,
      manifestFor("e-other-pipeline", { ...at("09"), pipeline: "social-posts" }),
    );
    const found = await findSession(workspace, ITEM, pipeline, { index: new SessionIndex(workspace) });
    expect(found?.manifest.contentId).toBe("b-new");
    expect(found?.observed.size).toBe(4);
    expect(
      await findSession(workspace, { ...ITEM, source: "content/none.md" }, pipeline, {
        index: new SessionIndex(workspace),
      }),
    ).toBeUndefined();
  });

  test("is not hidden by broken ones, which are named", async () => {
    const { workspace, root } = await makeWorktree({
      ".looplia/contentItem/torn/session.json": "{",
      ".looplia/contentItem/newer/session.json": '{"version": 9}',
      ".looplia/contentItem/Not An Id/content.md": "x",
      ".looplia/contentItem/empty/notes.txt": "x",
      ".looplia/contentItem/.DS_Store": "x",
    });
    await writeManifest(workspace, manifestFor("good"));
    const notices: string[] = [];
    const index = new SessionIndex(workspace, (message) => notices.push(message));
    const found = await findSession(workspace, ITEM, pipeline, { index });
    expect(found?.manifest.contentId).toBe("good");
    expect(notices.map((notice) => /session (.*?):/.exec(notice)?.[1]).sort()).toEqual([
      "Not An Id",
      "newer",
      "torn",
    ]);
    expect(await readFile(join(root, ".looplia/contentItem/torn/session.json"), "utf8")).toBe("{");
  });

  test("is none in a repository without sessions", async () => {
    const { workspace } = await makeWorktree();
    expect(
      await findSession(workspace, ITEM, pipeline, { index: new SessionIndex(workspace) }),
    ).toBeUndefined();
  });
});

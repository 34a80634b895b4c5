import { describe, expect, test } from "vitest";
import {
  applyPlan,
  createManifest,
  parseManifest,
  type SessionManifest,
  serializeManifest,
  updateStep,
} from "../../src/content/manifest.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { SESSION_ID, writingKit } from "../fakes/content-samples.ts";
import { jsonTestSuite } from "../fakes/corpora.ts";
import fc from "../fakes/properties.ts";

const FILE = `.looplia/contentItem/${SESSION_ID}/session.json`;
const NOW = "2026-11-21T08:00:00.000Z";
const LATER = "2026-11-21T09:00:00.000Z";
const pipeline = writingKit();

function fresh(): SessionManifest {
  const start = {
    sessionId: SESSION_ID,
    source: "content/quiet.md",
    sourceHash: "0123456789abcdef",
    pipeline,
  };
  return createManifest({ ...start, desiredOutput: "writing-kit" }, NOW);
}

const done = { status: "completed", contentHash: "aaaaaaaaaaaaaaaa" } as const;

function refusalOf(text: string): LoopliaError {
  try {
    parseManifest(text, FILE);
  } catch (error) {
    if (error instanceof LoopliaError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a new manifest", () => {
  test("has the fields of the contract, in order, and nothing done", () => {
    expect(serializeManifest(fresh())).toBe(`{
  "version": 1,
  "contentId": "${SESSION_ID}",
  "source": "content/quiet.md",
  "pipeline": "writing-kit",
  "desiredOutput": "writing-kit",
  "createdAt": "${NOW}",
  "updatedAt": "${NOW}",
  "sourceHash": "0123456789abcdef",
  "steps": {
    "summary": {
      "status": "pending"
    },
    "ideas": {
      "status": "pending"
    },
    "outline": {
      "status": "pending"
    },
    "writing-kit": {
      "status": "pending"
    }
  }
}
`);
  });

  test("is read back as it was", () => {
    expect(parseManifest(serializeManifest(fresh()), FILE)).toEqual({ manifest: fresh(), upgraded: false });
  });
});

describe("updateStep", () => {
  test("replaces one step's state and changes nothing in place", () => {
    const before = fresh();
    const failed = updateStep(before, "ideas", { status: "failed", errorMessage: "no" }, LATER);
    const after = updateStep(failed, "ideas", done, LATER);
    expect(before).toEqual(fresh());
    expect(after.updatedAt).toBe(LATER);
    expect(after.createdAt).toBe(NOW);
    expect(after.steps.get("ideas")).toEqual(done);
    expect([...after.steps.keys()]).toEqual([...before.steps.keys()]);
  });
});

describe("applyPlan", () => {
  const allDone = ["summary", "ideas", "outline", "writing-kit"].reduce(
    (manifest, name) => updateStep(manifest, name, done, NOW),
    fresh(),
  );
  const statuses = (manifest: SessionManifest) => [...manifest.steps.values()].map((step) => step.status);
  const apply = (manifest: SessionManifest, due: string[], parts = {}) => {
    const steps = due.map((output) => ({ output, due: true }));
    const plan = { pipeline, steps, sourceHash: "0123456789abcdef", desiredOutput: "writing-kit" };
    return applyPlan(manifest, { ...plan, ...parts }, LATER);
  };

  test("leaves the very same manifest where nothing is due", () => {
    expect(apply(allDone, [])).toBe(allDone);
  });

  test("takes back what is due and all that depends on it", () => {
    expect(statuses(apply(allDone, ["ideas"]))).toEqual(["completed", "pending", "pending", "pending"]);
    expect(statuses(apply(allDone, ["summary"], { desiredOutput: "summary" }))).toEqual(
      Array(4).fill("pending"),
    );
    expect(statuses(allDone)).toEqual(Array(4).fill("completed"));
  });

  test("takes everything back with another source, and records it", () => {
    const changed = apply(allDone, ["summary"], { sourceHash: "ffffffffffffffff", desiredOutput: "summary" });
    expect(statuses(changed)).toEqual(Array(4).fill("pending"));
    expect(changed).toMatchObject({
      sourceHash: "ffffffffffffffff",
      desiredOutput: "summary",
      updatedAt: LATER,
    });
  });

  test("begins a failed step anew with another source, even where this run does not need it", () => {
    const failed = updateStep(allDone, "outline", { status: "failed", errorMessage: "no" }, NOW);
    const changed = apply(failed, [], { sourceHash: "ffffffffffffffff" });
    expect([...changed.steps.values()]).toEqual(Array(4).fill({ status: "pending" }));
  });

  test("leaves a step that waits or failed as it is", () => {
    const waiting = updateStep(fresh(), "summary", { status: "in_progress" }, NOW);
    expect(statuses(apply(waiting, ["summary", "ideas"]))[0]).toBe("in_progress");
  });

  test("fills what an older manifest lacks", () => {
    const { manifest } = parseManifest('{"version":1,"steps":{"analyzing":"done"}}', FILE);
    const filled = apply(manifest, ["ideas"]);
    expect(filled.sourceHash).toBe("0123456789abcdef");
    expect(statuses(filled)).toEqual(["completed", "pending", "pending", "pending"]);
  });
});

describe("older forms", () => {
  test("the short form with the old step names", () => {
    const text = JSON.stringify({
      version: 1,
      contentId: SESSION_ID,
      updatedAt: "2025-12-12T10:35:42.000Z",
      steps: {
        analyzing: "done",
        generating_ideas: "done",
        building_outline: "done",
        assembling_kit: "done",
      },
    });
    const { manifest, upgraded } = parseManifest(text, FILE);
    expect(upgraded).toBe(true);
    expect(manifest).toMatchObject({
      contentId: SESSION_ID,
      source: `.looplia/contentItem/${SESSION_ID}/content.md`,
      pipeline: "writing-kit",
      desiredOutput: "writing-kit",
      createdAt: "2025-12-12T10:35:42.000Z",
    });
    expect(manifest).not.toHaveProperty("sourceHash");
    expect([...manifest.steps]).toEqual(
      ["summary", "ideas", "outline", "writing-kit"].map((name) => [name, { status: "completed" }]),
    );
  });

  test("the long form with the old step names keeps what it recorded", () => {
    const step = {
      status: "completed",
      contentHash: "a1b2c3d4e5f67890",
      schemaVersion: "0.5.0",
      completedAt: NOW,
    };
    const text = JSON.stringify({
      ...JSON.parse(serializeManifest(fresh())),
      steps: { analyzing: step, building_outline: { status: "in_progress" } },
    });
    const { manifest, upgraded } = parseManifest(text, FILE);
    expect(upgraded).toBe(true);
    expect(manifest.sourceHash).toBe("0123456789abcdef");
    expect([...manifest.steps]).toEqual([
      ["summary", step],
      ["outline", { status: "in_progress" }],
    ]);
  });

  test("the short form with the new names; the newer name wins", () => {
    const text = '{"version":1,"steps":{"summary":"done","analyzing":"pending","ideas":"failed"}}';
    expect([...parseManifest(text, FILE).manifest.steps]).toEqual([
      ["summary", { status: "completed" }],
      ["ideas", { status: "failed" }],
    ]);
  });

  test("null, a byte order mark and CRLF are no reason to refuse", () => {
    const text =
      '\uFEFF{"version":1,\r\n"sourceHash":null,"steps":{"ideas":{"status":"pending","contentHash":null}}}\r\n';
    expect(parseManifest(text, FILE).manifest.steps.get("ideas")).toEqual({ status: "pending" });
  });

  test("the folder's name is the session id", () => {
    const text = serializeManifest({ ...fresh(), contentId: "other" });
    expect(parseManifest(text, FILE)).toMatchObject({ manifest: { contentId: SESSION_ID }, upgraded: true });
  });

  test("unknown fields survive every rewrite", () => {
    const raw = {
      ...JSON.parse(serializeManifest(fresh())),
      notice: "n",
      nested: { a: [1, null] },
      constructor: 1,
    };
    const { manifest, upgraded } = parseManifest(JSON.stringify(raw), FILE);
    expect(upgraded).toBe(false);
    const rewritten = JSON.parse(serializeManifest(updateStep(manifest, "ideas", done, LATER)));
    expect(rewritten).toMatchObject({ notice: "n", nested: { a: [1, null] } });
    expect(Object.hasOwn(rewritten, "constructor")).toBe(true);
  });

  test("step names are data", () => {
    const { manifest } = parseManifest(
      '{"version":1,"steps":{"constructor":"done","toString":"done"}}',
      FILE,
    );
    expect([...manifest.steps.keys()]).toEqual(["constructor", "toString"]);
    expect(JSON.parse(serializeManifest(manifest)).steps.constructor).toEqual({ status: "completed" });
  });
});

describe("what cannot be read", () => {
  test.each([
    ["", /is torn or not JSON/],
    ['{"version": 1, "steps": {', /is torn or not JSON/],
    ["[]", /is not a JSON object/],
    ["null", /is not a JSON object/],
    ["{}", /version/],
    ['{"version": "1"}', /version/],
    ['{"version": 0}', /version/],
    ['{"version": 1, "source": 5}', /source/],
    ['{"version": 1, "steps": []}', /steps is not an object/],
    ['{"version": 1, "steps": {"ideas": "finished"}}', /steps\.ideas\.status/],
    ['{"version": 1, "steps": {"ideas": {"status": "done", "contentHash": 1}}}', /steps\.ideas\.contentHash/],
    ['{"version": 1, "steps": {"ideas": null}}', /steps\.ideas/],
    ['{"version": 1, "__proto__": {"a": 1}}', /__proto__/],
    [`{"version": 1, "x": ${"[".repeat(5000)}${"]".repeat(5000)}}`, /levels of nesting/],
    [`{"version": 1, "x": "${"x".repeat(1024 * 1024)}"}`, /bytes/],
  ])("%.60j names file and reason", (text, message) => {
    const error = refusalOf(text);
    expect(error.code).toBe("config-invalid");
    expect(error.message.startsWith(`${FILE}: `)).toBe(true);
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(/restore the file/);
  });

  test("a newer version says that a newer looplia wrote it", () => {
    const error = refusalOf('{"version": 2, "steps": "other"}');
    expect(error.message).toMatch(/newer looplia/);
    expect(error.hint).toMatch(/run the newer version/);
  });

  test("every cut of a manifest is refused or read, never half read", () => {
    const text = serializeManifest(updateStep(fresh(), "ideas", done, NOW));
    fc.assert(
      fc.property(fc.nat(text.length - 3), (end) => {
        expect(refusalOf(text.slice(0, end)).message).toMatch(/is torn or not JSON/);
      }),
    );
  });
});

describe("JSON test suite", () => {
  test.each(jsonTestSuite())("%s is refused with the file's name", (_name, bytes) => {
    expect(refusalOf(new TextDecoder().decode(bytes)).message).toContain(FILE);
  });
});

// The stores on a real disk: order, segments, frozen bytes, header, and what a reader finds.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredLine, StoreLine, StoreName } from "../../src/core/events.ts";
import { verifyChain } from "../../src/core/lines.ts";
import { findInteraction, findSessionWork } from "../../src/store/find.ts";
import { readHeader, readSession } from "../../src/store/scan.ts";
import { openStores, openWorkStore } from "../../src/store/work.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";
import { auditLine, eventLine, lineOf, messageLine, requestLine } from "../fakes/store-lines.ts";

const WORK = "writing-kit-abc123";
const SESSION = "an-article-2026-11-21-0a1b2c";
let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "store-"));
  folder = join(root, ".looplia", "state", WORK);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (at = folder, workId = WORK) =>
  openWorkStore({
    folder: at,
    header: { workId, kind: "content", key: "content/*.md", codeVersion: "0.1.0" },
    clock: fixedClock(),
  });

test("a file in the place of a folder is to be moved away", async () => {
  writeFileSync(join(root, ".looplia"), "");
  await expect(open()).rejects.toMatchObject({
    message: expect.stringContaining("a part of the path is a file (ENOTDIR)"),
    hint: "Move that file away, or set LOOPLIA_STATE_DIR to another folder.",
  });
});

function storedIn(store: StoreName, segment: string): StoredLine[] {
  const text = readFileSync(join(folder, "sessions", SESSION, store, segment), "utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as StoredLine);
}

describe("append and load", () => {
  test("one seq over the three stores, in the order given", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    expect(await session.load()).toEqual({ events: [], conversation: [], setAside: [] });
    await session.append([eventLine("a"), eventLine("b"), messageLine("x"), auditLine("y"), eventLine("c")]);
    await session.append([auditLine("z")]);
    await work.close();
    expect(storedIn("events", "000001.jsonl").map((line) => line.seq)).toEqual([1, 2, 5]);
    expect(storedIn("conversation", "000001.jsonl").map((line) => line.seq)).toEqual([3]);
    const audit = storedIn("audit", "000001.jsonl");
    expect(audit.map((line) => line.seq)).toEqual([4, 6]);
    expect(verifyChain(audit)).toMatchObject({ ok: true, count: 2 });
    expect(audit[0]).toMatchObject({ v: 1, at: "2026-11-21T08:00:00.000Z", type: "ToolCallRequested" });
  });

  test("a reader is told when the first line was written, and the last", async () => {
    const hour = (hours: number) => ({
      now: () => new Date(Date.UTC(2026, 10, 21, hours)),
      elapsed: () => 0,
    });
    for (const [hours, line] of [
      [8, messageLine("x")],
      [9, eventLine("a")],
    ] as const) {
      const header = { workId: WORK, kind: "content", key: "content/*.md", codeVersion: "0.1.0" };
      const work = await openWorkStore({ folder, header, clock: hour(hours) });
      await (await work.session(SESSION)).append([line]);
      await work.close();
    }
    const written = { first: "2026-11-21T08:00:00.000Z", last: "2026-11-21T09:00:00.000Z" };
    expect((await readSession(folder, SESSION)).written).toEqual(written);
  });

  test("every process has segments of its own; the chain and the numbers go on", async () => {
    for (const text of ["1", "2", "3"]) {
      const work = await open();
      const session = await work.session(SESSION);
      await session.append([eventLine(text), auditLine(text)]);
      await work.close();
    }
    const names = ["000001.jsonl", "000002.jsonl", "000003.jsonl"];
    expect(readdirSync(join(folder, "sessions", SESSION, "audit"))).toEqual(names);
    expect(verifyChain(names.flatMap((name) => storedIn("audit", name)))).toMatchObject({
      ok: true,
      count: 3,
    });
    expect(names.flatMap((name) => storedIn("events", name)).map((line) => line.seq)).toEqual([1, 3, 5]);
    expect((await readSession(folder, SESSION)).events).toEqual(["1", "2", "3"].map(eventLine));
  });

  test("any batches, also at once and over several processes, come back in call order", async () => {
    const line = fc.tuple(
      fc.constantFrom<StoreName>("events", "conversation", "audit"),
      fc.string({ unit: anyCharacter }),
    );
    const runs = fc.array(fc.array(fc.array(line, { maxLength: 5 }), { maxLength: 4 }), { maxLength: 3 });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(runs, async (processes) => {
        count += 1;
        const at = join(root, `work-${count}`);
        const all: StoreLine[] = [];
        for (const batches of processes) {
          const work = await open(at);
          const session = await work.session(SESSION);
          const lines = batches.map((batch) => batch.map(([store, text]) => lineOf(store, text)));
          await Promise.all(lines.map((batch) => session.append(batch)));
          all.push(...lines.flat());
          const loaded = await session.load();
          expect(loaded.events).toEqual(all.filter((one) => one.store === "events"));
          expect(loaded.conversation).toEqual(all.filter((one) => one.store === "conversation"));
          await work.close();
        }
        const again = await readSession(at, SESSION);
        expect(again.events).toEqual(all.filter((one) => one.store === "events"));
        expect(again.setAside).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("a line that JSON can't hold is refused, and nothing of its batch is written", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    const bad = { ...auditLine("x"), payload: { input: 10n } } as unknown as StoreLine;
    await expect(session.append([eventLine("a"), bad])).rejects.toThrow("BigInt");
    await session.append([eventLine("b")]);
    expect((await session.load()).events).toEqual([eventLine("b")]);
    await work.close();
  });

  test("after a failed write nothing more is written: only opening again tells what stands there", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    await session.append([eventLine("a")]);
    const audit = join(folder, "sessions", SESSION, "audit");
    writeFileSync(audit, "in the way");
    await expect(session.append([eventLine("b"), auditLine("x")])).rejects.toMatchObject({
      code: "config-invalid",
    });
    await rm(audit);
    await expect(session.append([eventLine("c")])).rejects.toMatchObject({ code: "config-invalid" });
    await work.close();
    expect((await readSession(folder, SESSION)).events).toEqual([eventLine("a"), eventLine("b")]);
  });

  test("another's segment of the same number is a lost race", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    mkdirSync(join(folder, "sessions", SESSION, "events"), { recursive: true });
    writeFileSync(join(folder, "sessions", SESSION, "events", "000001.jsonl"), "");
    await expect(session.append([eventLine("a")])).rejects.toMatchObject({ code: "lost-race" });
    await work.close();
  });

  test("closed stores refuse lines; a session is open once at a time", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    await expect(work.session(SESSION)).rejects.toThrow("open already");
    await session.close();
    await expect(session.append([eventLine("a")])).rejects.toThrow("closed");
    const again = await work.session(SESSION);
    await again.append([eventLine("a")]);
    await work.close();
  });

  test("a session that was only opened leaves nothing", async () => {
    const work = await open();
    await work.session(SESSION);
    await work.close();
    expect(existsSync(join(folder, "sessions"))).toBe(false);
  });
});

describe("frozen bytes", () => {
  test("come back as they were, are stored once, and a change shows", async () => {
    const work = await open();
    const one = await work.session(SESSION);
    const other = await work.session("another-2026-11-21-0a1b2c");
    const bytes = JSON.stringify({ system: "Ü \ud83d\ude00\r\n", tools: [] });
    const hashes = await Promise.all([one.freeze(bytes), other.freeze(bytes), one.freeze(bytes)]);
    expect(new Set(hashes).size).toBe(1);
    const sha256 = hashes[0] as string;
    expect(readdirSync(join(folder, "frozen"))).toEqual([sha256]);
    expect(await other.readFrozen(sha256)).toBe(bytes);
    writeFileSync(join(folder, "frozen", sha256), `${bytes} `);
    await expect(one.readFrozen(sha256)).rejects.toMatchObject({ code: "store-corrupt" });
    await expect(one.readFrozen("0".repeat(64))).rejects.toThrow("missing");
    await expect(one.readFrozen("../header.json")).rejects.toMatchObject({ code: "store-corrupt" });
    await work.close();
  });
});

describe("header and folder", () => {
  test("the header is written once", async () => {
    await (await open()).close();
    const header = await readHeader(folder);
    expect(header).toEqual({
      schemaVersion: 2,
      codeVersion: "0.1.0",
      workId: WORK,
      kind: "content",
      key: "content/*.md",
      createdAt: "2026-11-21T08:00:00.000Z",
    });
    const bytes = readFileSync(join(folder, "header.json"));
    await (await open()).close();
    expect(readFileSync(join(folder, "header.json"))).toEqual(bytes);
  });

  test.each([
    ["{", "not JSON"],
    ["[]", "wrong shape|expected object"],
    ['{"schemaVersion":5}', "newer version"],
    ['{"schemaVersion":1}', "codeVersion"],
  ])("header %j is refused, and the lock given back", async (text, reason) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "header.json"), text);
    await expect(open()).rejects.toThrow(new RegExp(reason));
    await expect(open()).rejects.toMatchObject({ code: "store-corrupt" });
    expect(readFileSync(join(folder, "header.json"), "utf8")).toBe(text);
  });

  test("a header of another work is refused", async () => {
    await (await open()).close();
    await expect(open(folder, "other-abc123")).rejects.toThrow(WORK);
  });

  test("state is kept out of commits where no .gitignore is", async () => {
    await (await open()).close();
    expect(readFileSync(join(root, ".looplia", ".gitignore"), "utf8")).toBe("state/\nstate-set-aside-*/\n");
    writeFileSync(join(root, ".looplia", ".gitignore"), "# mine\n");
    await (await open()).close();
    expect(readFileSync(join(root, ".looplia", ".gitignore"), "utf8")).toBe("# mine\n");
    const moved = join(root, "elsewhere", WORK);
    await (await open(moved)).close();
    expect(readdirSync(root).sort()).toEqual([".looplia", "elsewhere"]);
  });

  test.each(["../x", "", "A", "a/b", "-a", `a${"b".repeat(81)}`])(
    "id %j never becomes a path",
    async (id) => {
      await expect(open(folder, id)).rejects.toMatchObject({ code: "config-invalid" });
      const work = await open();
      await expect(work.session(id)).rejects.toMatchObject({ code: "config-invalid" });
      await work.close();
    },
  );

  test("a file where the state folder should be is a clear error", async () => {
    writeFileSync(join(root, ".looplia"), "");
    await expect(open()).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("part of the path"),
    });
  });
});

describe("finding", () => {
  test("a session's work, and an interaction by either id", async () => {
    const state = join(root, ".looplia", "state");
    const other = await open(join(state, "other-abc123"), "other-abc123");
    await (await other.session("one-2026-11-21-0a1b2c")).append([requestLine("i-1", "i-2")]);
    await other.close();
    const work = await open();
    await (await work.session(SESSION)).append([eventLine("i-2"), requestLine("i-2", "q1-0a1b2c")]);
    await work.close();
    writeFileSync(join(state, "a-file"), "");
    mkdirSync(join(state, "empty-folder"));
    expect(await findSessionWork(state, SESSION)).toBe(WORK);
    expect(await findSessionWork(state, "nobody-2026-11-21-0a1b2c")).toBeUndefined();
    expect(await findSessionWork(state, `../${WORK}/sessions/${SESSION}`)).toBeUndefined();
    expect(await findInteraction(state, "i-2")).toEqual({
      workId: WORK,
      sessionId: SESSION,
      interactionId: "i-2",
    });
    expect(await findInteraction(state, "q1-0a1b2c")).toEqual({
      workId: WORK,
      sessionId: SESSION,
      interactionId: "i-2",
    });
    expect(await findInteraction(state, "summary")).toBeUndefined();
    expect(await findInteraction(join(root, "nowhere"), "i-2")).toBeUndefined();
  });

  test("all of it behind the port", async () => {
    const stores = openStores({
      stateFolder: join(root, "state"),
      codeVersion: "0.1.0",
      clock: fixedClock(),
    });
    const work = await stores.open({ workId: WORK, kind: "content", key: "k" });
    await (await work.session(SESSION)).append([requestLine("i-1", "q1-0a1b2c")]);
    await work.close();
    expect(await stores.findSession(SESSION)).toBe(WORK);
    expect(await stores.findInteraction("q1-0a1b2c")).toEqual({
      workId: WORK,
      sessionId: SESSION,
      interactionId: "i-1",
    });
    await expect(stores.open({ workId: "../x", kind: "content", key: "k" })).rejects.toMatchObject({
      code: "config-invalid",
    });
  });
});

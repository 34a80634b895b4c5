// A work's own log, the numbers of its questions, and sealing: what was sealed never changes.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoreLine, StoreName, WorkEvent } from "../../src/core/events.ts";
import { FIRST_PREV, verifyChain } from "../../src/core/lines.ts";
import { readSession, readWork } from "../../src/store/scan.ts";
import { lastOrdinal, openWorkStore } from "../../src/store/work.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import fc from "../fakes/properties.ts";
import { eventLine, lineOf, requestLine } from "../fakes/store-lines.ts";

/** So many segments of a store become one. */
const FOLD = 192;
const segmentName = (number: number): string => `${String(number).padStart(6, "0")}.jsonl`;

const SESSION = "an-article-2026-11-21-0a1b2c";
const OTHER = "another-2026-11-21-0a1b2c";
const CLAIMED: WorkEvent = { type: "WorkClaimed", payload: { run: "7.1", actorId: "github:1:ada" } };
const RELEASED: WorkEvent = { type: "WorkReleased", payload: { run: "7.1" } };
const NO_AUDIT = { count: 0, hash: FIRST_PREV };
const STORES: StoreName[] = ["events", "conversation", "audit"];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "work-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (at = folder) =>
  openWorkStore({
    folder: at,
    header: { workId: "work-abc123", kind: "content", key: "k", codeVersion: "0.1.0" },
    clock: fixedClock(),
  });

/** Path and bytes of every file of the stores. */
function filesOf(at: string): Map<string, string> {
  const entries = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes("/lock/"))
      .map((path) => [path.slice(at.length + 1), readFileSync(path, "latin1")]),
  );
}

describe("a work's log", () => {
  test("comes back in order, in segments of each process, with the frame of every store line", async () => {
    const first = await open();
    expect(await first.workEvents()).toEqual([]);
    await first.appendWorkEvents([]);
    expect(existsSync(join(folder, "work"))).toBe(false);
    await first.appendWorkEvents([CLAIMED]);
    await first.appendWorkEvents([RELEASED]);
    await first.close();
    const second = await open();
    await second.appendWorkEvents([CLAIMED]);
    expect(await second.workEvents()).toEqual([CLAIMED, RELEASED, CLAIMED]);
    await second.close();
    expect(readdirSync(join(folder, "work"))).toEqual(["000001.jsonl", "000002.jsonl"]);
    expect(JSON.parse(readFileSync(join(folder, "work", "000002.jsonl"), "utf8"))).toEqual({
      v: 1,
      seq: 3,
      at: "2026-11-21T08:00:00.000Z",
      ...CLAIMED,
    });
  });

  test("a torn end is set aside, and the next line never glued to it", async () => {
    const first = await open();
    await first.appendWorkEvents([CLAIMED]);
    await first.close();
    appendFileSync(join(folder, "work", "000001.jsonl"), '{"v":1,"seq":2,"at":"2026');
    const second = await open();
    await second.appendWorkEvents([RELEASED]);
    await second.close();
    expect((await readWork(folder)).events).toEqual([CLAIMED, RELEASED]);
    const aside = readdirSync(join(folder, "set-aside"));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(folder, "set-aside", aside[0] ?? ""), "utf8")).toBe('{"v":1,"seq":2,"at":"2026');
  });

  test.each([
    ["damage before the end", '{"v":1,\n'],
    ["an event that nobody knows", '{"v":1,"seq":2,"at":"x","type":"WorkSold","payload":{}}\n'],
    ["a field of another type", '{"v":1,"seq":2,"at":"x","type":"WorkClaimed","payload":{"run":7}}\n'],
  ])("%s is refused, and the lock given back", async (_, text) => {
    const first = await open();
    await first.appendWorkEvents([CLAIMED]);
    await first.close();
    appendFileSync(join(folder, "work", "000001.jsonl"), `${text}${text}`);
    for (const _ of [1, 2]) await expect(open()).rejects.toMatchObject({ code: "store-corrupt" });
  });
});

describe("numbers of questions", () => {
  test("count over all sessions of the work and over processes; no two calls get the same", async () => {
    const first = await open();
    expect(await Promise.all([first.nextOrdinal(), first.nextOrdinal()])).toEqual([1, 2]);
    await (await first.session(SESSION)).append([eventLine("a"), requestLine("i-1", "q1-aaaaaa")]);
    await (await first.session(OTHER)).append([requestLine("i-2", "q2-bbbbbb")]);
    await first.close();
    const second = await open();
    expect(await second.nextOrdinal()).toBe(3);
    expect(await second.nextOrdinal()).toBe(4);
    await second.close();
  });

  test("go on after the highest, where one that was handed out was never asked", async () => {
    const first = await open();
    await (await first.session(SESSION)).append([requestLine("i-1", "q5-aaaaaa")]);
    await first.close();
    const second = await open();
    expect(await second.nextOrdinal()).toBe(6);
    await second.close();
  });

  test("are counted anew where they could not be read before", async () => {
    const work = await open();
    await (await work.session(SESSION)).append([requestLine("i-1", "q1-aaaaaa")]);
    const unreadable = join(folder, "sessions", SESSION, "events", "000002.jsonl");
    mkdirSync(unreadable);
    const calls = [work.nextOrdinal(), work.nextOrdinal()];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "store-corrupt" });
    rmdirSync(unreadable);
    expect(await Promise.all([work.nextOrdinal(), work.nextOrdinal()])).toEqual([2, 3]);
    await work.close();
  });

  test("do not count what stands in the draft of a segment, nor fail where it is gone", async () => {
    const work = await open();
    await (await work.session(SESSION)).append([requestLine("i-1", "q1-aaaaaa")]);
    const events = join(folder, "sessions", SESSION, "events");
    copyFileSync(join(events, "000001.jsonl"), join(events, ".000001.jsonl.87d7c9ed.looplia-new"));
    symlinkSync("nowhere", join(events, ".000002.jsonl.87d7c9ed.looplia-new"));
    expect(await work.nextOrdinal()).toBe(2);
    await work.close();
  });
});

describe("sealing", () => {
  const line = fc.tuple(
    fc.constantFrom<StoreName>("events", "conversation", "audit"),
    fc.string({ unit: "grapheme" }),
  );

  test("what was sealed is never written to again, and what it holds is whole, however appends interleave", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(11), { maxLength: 4 }),
        async (batches, seals) => {
          count += 1;
          const at = join(folder, String(count));
          const work = await open(at);
          const session = await work.session(SESSION);
          const sealed: Map<string, string>[] = [];
          const all: StoreLine[] = [];
          const pending: Promise<unknown>[] = [];
          for (const [index, batch] of batches.entries()) {
            const lines = batch.map(([store, text]) => lineOf(store, text));
            all.push(...lines);
            pending.push(session.append(lines), work.appendWorkEvents([CLAIMED]));
            if (!seals.includes(index)) continue;
            const look = async () => void sealed.push(filesOf(at));
            pending.push(work.seal(look));
          }
          await Promise.all(pending);
          await work.close();
          const end = filesOf(at);
          for (const files of sealed) {
            for (const [path, bytes] of files) expect(end.get(path), path).toBe(bytes);
            await expectWhole(join(folder, `${count}-copy-${sealed.indexOf(files)}`), files);
          }
          const loaded = await readSession(at, SESSION);
          expect(loaded.events).toEqual(all.filter(({ store }) => store === "events"));
          expect(loaded.conversation).toEqual(all.filter(({ store }) => store === "conversation"));
        },
      ),
      { numRuns: 20 },
    );
  });

  /** A copy of what was sealed opens without anything to set aside. */
  async function expectWhole(copy: string, files: ReadonlyMap<string, string>): Promise<void> {
    for (const [path, bytes] of files) {
      mkdirSync(join(copy, path, ".."), { recursive: true });
      writeFileSync(join(copy, path), bytes, "latin1");
    }
    const work = await open(copy);
    expect((await (await work.session(SESSION)).load()).setAside).toEqual([]);
    await work.close();
  }

  test("many small segments become one, so that a long history stays few files; nothing is lost by it", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    const all: StoreLine[] = [];
    const turns = 2 * FOLD + 20;
    for (let turn = 1; turn <= turns; turn += 1) {
      const lines = STORES.map((store) => lineOf(store, String(turn)));
      all.push(...lines);
      await session.append(lines);
      await work.appendWorkEvents([CLAIMED]);
      await work.seal();
    }
    for (const store of STORES) {
      const names = readdirSync(join(folder, "sessions", SESSION, store));
      expect(names.slice(0, 3)).toEqual([FOLD + 1, 2 * FOLD + 2, 2 * FOLD + 3].map(segmentName));
      expect(names).toHaveLength(2 + 20);
    }
    expect(readdirSync(join(folder, "work"))).toHaveLength(2 + 20);
    await work.close();
    const again = await open();
    const reopened = await again.session(SESSION);
    expect(await reopened.load()).toEqual({
      events: all.filter(({ store }) => store === "events"),
      conversation: all.filter(({ store }) => store === "conversation"),
      setAside: [],
    });
    expect(await again.workEvents()).toHaveLength(turns);
    await reopened.append(STORES.map((store) => lineOf(store, "after")));
    await again.close();
    const audit = readdirSync(join(folder, "sessions", SESSION, "audit")).flatMap((name) =>
      readFileSync(join(folder, "sessions", SESSION, "audit", name), "utf8")
        .trimEnd()
        .split("\n"),
    );
    expect(verifyChain(audit.map((line) => JSON.parse(line)))).toMatchObject({ ok: true, count: turns + 1 });
  });

  test("who reads while they become one finds all of them, and finds each once", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    for (let turn = 1; turn < FOLD; turn += 1) {
      await session.append([requestLine(`i-${turn}`, `q${turn}-aaaaaa`)]);
      await work.seal();
    }
    const fold = join(folder, "sessions", SESSION, "events", segmentName(FOLD + 1));
    let isWritten = false;
    const writing = (async () => {
      await session.append([requestLine(`i-${FOLD}`, `q${FOLD}-aaaaaa`)]);
      await work.seal();
      isWritten = true;
    })();
    const reads: Promise<[number, number]>[] = [];
    while (!isWritten) {
      const numbered = lastOrdinal(folder);
      const read = readWork(folder).then(({ sessions }) => sessions.get(SESSION)?.events.length ?? 0);
      reads.push(Promise.all([numbered, read]));
      await new Promise(setImmediate);
    }
    await writing;
    expect(existsSync(fold)).toBe(true);
    for (const found of await Promise.all(reads)) {
      for (const count of found) expect([FOLD - 1, FOLD]).toContain(count);
    }
    await work.close();
  });

  test.each([FOLD + 1, FOLD + 2, FOLD + 6].map(segmentName))(
    "a segment that is missing is found out among folded ones as well: %s",
    async (missing) => {
      const work = await open();
      const session = await work.session(SESSION);
      for (let turn = 1; turn <= FOLD + 6; turn += 1) {
        await session.append([eventLine(String(turn))]);
        await work.seal();
      }
      await session.append([eventLine("last")]);
      await work.close();
      await rm(join(folder, "sessions", SESSION, "events", missing));
      const again = await open();
      await expect(again.session(SESSION)).rejects.toMatchObject({ code: "store-corrupt" });
      await again.close();
    },
  );

  test("appends wait until what is copied is copied; a session is opened after it", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    await session.append([eventLine("a")]);
    const seen: string[] = [];
    const waiting: Promise<unknown>[] = [];
    await work.seal(async () => {
      waiting.push(session.append([eventLine("b")]).then(() => seen.push("appended")));
      waiting.push(work.session(OTHER).then(() => seen.push("opened")));
      await new Promise((resolve) => setTimeout(resolve, 30));
      seen.push(`copied ${(await readSession(folder, SESSION)).events.length}`);
    });
    await Promise.all(waiting);
    expect(seen[0]).toBe("copied 1");
    expect(new Set(seen)).toEqual(new Set(["copied 1", "appended", "opened"]));
    await work.close();
  });

  test("a copy that fails holds nothing up; stores that could not write are not sealed", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    await expect(work.seal(() => Promise.reject(new Error("no copy")))).rejects.toThrow("no copy");
    await session.append([eventLine("a")]);
    await work.seal();
    mkdirSync(join(folder, "sessions", SESSION, "events"), { recursive: true });
    writeFileSync(join(folder, "sessions", SESSION, "events", "000002.jsonl"), "");
    await expect(session.append([eventLine("b")])).rejects.toMatchObject({ code: "lost-race" });
    await expect(work.seal()).rejects.toMatchObject({ code: "lost-race" });
    await work.close();
  });
});

describe("those who only look", () => {
  test("see the events of every session and of the work, while it is open, and change nothing", async () => {
    const work = await open();
    await work.appendWorkEvents([CLAIMED]);
    await (await work.session(SESSION)).append([
      requestLine("i-1", "q1-aaaaaa"),
      lineOf("conversation", "x"),
      eventLine("a"),
    ]);
    await (await work.session(OTHER)).append([eventLine("b"), lineOf("audit", "y")]);
    const before = filesOf(folder);
    expect(await readWork(folder)).toEqual({
      events: [CLAIMED],
      sessions: new Map([
        [SESSION, { events: [requestLine("i-1", "q1-aaaaaa"), eventLine("a")], auditHead: NO_AUDIT }],
        [
          OTHER,
          { events: [eventLine("b")], auditHead: { count: 1, hash: expect.stringMatching(/[1-9a-f]/) } },
        ],
      ]),
    });
    expect(filesOf(folder)).toEqual(before);
    await work.close();
  });

  test("find nothing where there is no work", async () => {
    expect(await readWork(join(folder, "nowhere"))).toEqual({ events: [], sessions: new Map() });
  });
});

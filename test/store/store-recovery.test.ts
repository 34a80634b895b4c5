// What a crash leaves at the end is set aside and reported; other damage is refused, and nothing changes.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { StoredLine, StoreLine, StoreName } from "../../src/core/events.ts";
import { verifyChain } from "../../src/core/lines.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import fc, { tries } from "../fakes/properties.ts";
import { auditLine, eventLine, lineOf, messageLine } from "../fakes/store-lines.ts";

const SESSION = "an-article-2026-11-21-0a1b2c";
const STORES: StoreName[] = ["events", "conversation", "audit"];
let root: string;
let count = 0;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "recovery-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (folder: string) =>
  openWorkStore({
    folder,
    header: { workId: "work-abc123", kind: "content", key: "k", codeVersion: "0.1.0" },
    clock: fixedClock(),
  });

/** Writes each batch as its own process, and returns the work's folder. */
async function writeWork(processes: readonly (readonly StoreLine[])[]): Promise<string> {
  count += 1;
  const folder = join(root, `work-${count}`);
  for (const lines of processes) {
    const work = await open(folder);
    const session = await work.session(SESSION);
    for (const line of lines) await session.append([line]);
    await work.close();
  }
  return folder;
}

/** All files of the session with their bytes as text. */
function snapshot(folder: string): Map<string, string> {
  const base = join(folder, "sessions", SESSION);
  const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(base.length + 1), readFileSync(path, "latin1")];
    }),
  );
}

const segment = (folder: string, store: StoreName, name = "000001.jsonl") =>
  join(folder, "sessions", SESSION, store, name);

async function refusalOf(folder: string): Promise<LoopliaError> {
  const before = snapshot(folder);
  const work = await open(folder);
  try {
    const error = await work.session(SESSION).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof LoopliaError)) throw new Error(`not refused: ${error}`);
    expect(error.code).toBe("store-corrupt");
    expect(snapshot(folder)).toEqual(before);
    return error;
  } finally {
    await work.close();
  }
}

/** Appends one line of each store and checks that prefix and new lines are all that is there, in an unbroken chain. */
async function appendsAfter(folder: string, prefix: readonly StoreLine[]): Promise<void> {
  const added = STORES.map((store) => lineOf(store, "after"));
  const work = await open(folder);
  await (await work.session(SESSION)).append(added);
  await work.close();
  const again = await open(folder);
  const loaded = await (await again.session(SESSION)).load();
  await again.close();
  const all = [...prefix, ...added];
  expect(loaded.events).toEqual(all.filter((line) => line.store === "events"));
  expect(loaded.conversation).toEqual(all.filter((line) => line.store === "conversation"));
  expect(loaded.setAside).toEqual([]);
  const audit = readdirSync(join(folder, "sessions", SESSION, "audit"))
    .flatMap((name) =>
      readFileSync(segment(folder, "audit", name), "utf8")
        .trimEnd()
        .split("\n"),
    )
    .map((line) => JSON.parse(line) as StoredLine);
  expect(verifyChain(audit)).toMatchObject({
    ok: true,
    count: all.filter((line) => line.store === "audit").length,
  });
}

const anyLine = fc
  .tuple(fc.constantFrom(...STORES), fc.string({ unit: "grapheme" }))
  .map(([store, text]) => lineOf(store, text));
const anyProcess = fc.array(anyLine, { minLength: 1, maxLength: 8 });

describe("a cut tail", () => {
  test("any cut of the last line loads the lines before it, reports it, and goes on", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyProcess, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        async (processes, cut) => {
          const folder = await writeWork(processes);
          const lines = processes.flat();
          const last = lines.at(-1) as StoreLine;
          const names = readdirSync(join(folder, "sessions", SESSION, last.store));
          const path = segment(folder, last.store, names.at(-1));
          const bytes = readFileSync(path);
          const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
          const length = cut % (bytes.length - start);
          writeFileSync(path, bytes.subarray(0, start + length));
          // Without its line feed alone the line is whole, and counts.
          const isWhole = length === bytes.length - start - 1;
          const prefix = isWhole ? lines : lines.slice(0, -1);
          const work = await open(folder);
          const loaded = await (await work.session(SESSION)).load();
          await work.close();
          expect(loaded.events).toEqual(prefix.filter((line) => line.store === "events"));
          expect(loaded.conversation).toEqual(prefix.filter((line) => line.store === "conversation"));
          expect(loaded.setAside).toHaveLength(isWhole || length === 0 ? 0 : 1);
          if (loaded.setAside.length > 0) {
            const [kept] = readdirSync(join(folder, "sessions", SESSION, "set-aside"));
            expect(loaded.setAside[0]).toContain(kept);
            const keptBytes = readFileSync(join(folder, "sessions", SESSION, "set-aside", kept ?? ""));
            expect(keptBytes).toEqual(bytes.subarray(start, start + length));
          }
          await appendsAfter(folder, prefix);
        },
      ),
      tries(12),
    );
  });

  test("any cut anywhere in a process's last segments loads a prefix and reports the rest", async () => {
    await fc.assert(
      fc.asyncProperty(anyProcess, fc.constantFrom(...STORES), fc.nat(), async (lines, store, cut) => {
        const folder = await writeWork([lines]);
        if (!lines.some((line) => line.store === store)) return;
        const bytes = readFileSync(segment(folder, store));
        const size = cut % bytes.length;
        writeFileSync(segment(folder, store), bytes.subarray(0, size));
        const whole =
          bytes
            .subarray(0, size + 1)
            .toString("latin1")
            .split("\n").length - 1;
        let seen = 0;
        const gap = lines.findIndex((line) => line.store === store && ++seen > whole);
        const prefix = gap < 0 ? lines : lines.slice(0, gap);
        const work = await open(folder);
        const loaded = await (await work.session(SESSION)).load();
        await work.close();
        expect(loaded.events).toEqual(prefix.filter((line) => line.store === "events"));
        expect(loaded.conversation).toEqual(prefix.filter((line) => line.store === "conversation"));
        const isBehind = lines.slice(prefix.length).some((line) => line.store !== store);
        const isTorn = size > 0 && bytes[size - 1] !== 10 && bytes[size] !== 10;
        expect(loaded.setAside.length > 0).toBe(isBehind || isTorn);
        await appendsAfter(folder, prefix);
      }),
      tries(12),
    );
  });

  test("no byte is lost: set aside and kept make what was there", async () => {
    const folder = await writeWork([
      [eventLine("a"), messageLine("b"), eventLine("c"), auditLine("d"), messageLine("e")],
    ]);
    const path = segment(folder, "events");
    writeFileSync(path, readFileSync(path).subarray(0, -4));
    const before = new Map(STORES.map((store) => [store, readFileSync(segment(folder, store), "utf8")]));
    const work = await open(folder);
    const { setAside } = await (await work.session(SESSION)).load();
    await work.close();
    expect(setAside).toHaveLength(3);
    const after = snapshot(folder);
    for (const store of STORES) {
      const kept = [...after].find(([name]) => name.startsWith(`set-aside/${store}-000001-`))?.[1];
      expect((after.get(`${store}/000001.jsonl`) ?? "") + kept).toBe(before.get(store));
    }
    expect(after.has("audit/000001.jsonl")).toBe(false);
  });

  test("a second torn tail at the same instant overwrites no first", async () => {
    const folder = await writeWork([[eventLine("a"), eventLine("b")]]);
    const path = segment(folder, "events");
    for (const tail of ['{"v":1,"se', "\0\0\0\0", "{"]) {
      writeFileSync(path, readFileSync(path, "utf8") + tail);
      const work = await open(folder);
      expect((await (await work.session(SESSION)).load()).events).toEqual([eventLine("a"), eventLine("b")]);
      await work.close();
    }
    const kept = readdirSync(join(folder, "sessions", SESSION, "set-aside"));
    expect(kept).toHaveLength(3);
  });

  test("drafts of a killed process are cleaned up", async () => {
    const folder = await writeWork([[eventLine("a")]]);
    writeFileSync(join(folder, "sessions", SESSION, "events", ".000002.jsonl.0a1b2c3d.looplia-new"), "{");
    writeFileSync(join(folder, ".header.json.0a1b2c3d.looplia-new"), "{");
    const work = await open(folder);
    expect((await (await work.session(SESSION)).load()).setAside).toEqual([]);
    await work.close();
    expect(readdirSync(join(folder, "sessions", SESSION, "events"))).toEqual(["000001.jsonl"]);
    expect(readdirSync(folder)).toEqual(["header.json", "lock", "sessions"]);
  });
});

describe("damage that no crash leaves", () => {
  test("a byte changed in a line before the last is refused with file and line", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 2, maxLength: 5 }), fc.nat(), async (texts, at) => {
        const folder = await writeWork([texts.map((text) => messageLine(text))]);
        const path = segment(folder, "conversation");
        const lines = readFileSync(path, "utf8").split("\n");
        const index = at % (texts.length - 1);
        const line = lines[index] as string;
        const cut = 1 + (at % (line.length - 1));
        lines[index] = line.slice(0, line.length - cut);
        writeFileSync(path, lines.join("\n"));
        const error = await refusalOf(folder);
        expect(error.message).toContain(`conversation/000001.jsonl:${index + 1}:`);
      }),
      tries(12),
    );
  });

  test("invalid UTF-8 inside a string is damage too", async () => {
    const folder = await writeWork([[messageLine("äää"), messageLine("b")]]);
    const path = segment(folder, "conversation");
    const bytes = readFileSync(path);
    bytes[bytes.indexOf(0xc3)] = 0xff;
    writeFileSync(path, bytes);
    expect((await refusalOf(folder)).message).toContain("000001.jsonl:1:");
  });

  test("a torn segment that has a successor", async () => {
    const folder = await writeWork([[eventLine("a"), eventLine("b")], [eventLine("c")]]);
    const path = segment(folder, "events");
    writeFileSync(path, readFileSync(path).subarray(0, -5));
    expect((await refusalOf(folder)).message).toContain("events/000001.jsonl:2: damaged line");
  });

  test("a missing segment, a doubled line, lines out of order, a newer line at the end", async () => {
    const processes = [[eventLine("a"), eventLine("b")], [eventLine("c")]];
    const missing = await writeWork(processes);
    rmSync(segment(missing, "events"));
    expect((await refusalOf(missing)).message).toContain("events/000001.jsonl: the segment is missing");

    const doubled = await writeWork(processes);
    writeFileSync(segment(doubled, "events", "000002.jsonl"), readFileSync(segment(doubled, "events")));
    expect((await refusalOf(doubled)).message).toContain("is also in events/000001.jsonl");

    const turned = await writeWork(processes);
    const [first, second] = readFileSync(segment(turned, "events"), "utf8").split("\n");
    writeFileSync(segment(turned, "events"), `${second}\n${first}\n`);
    expect((await refusalOf(turned)).message).toContain("out of order");

    const newer = await writeWork(processes);
    const last = segment(newer, "events", "000002.jsonl");
    writeFileSync(last, readFileSync(last, "utf8").replace('"v":1', '"v":2'));
    expect((await refusalOf(newer)).message).toContain("newer version");
  });

  test("a damaged audit line before the last", async () => {
    const folder = await writeWork([[auditLine("a"), auditLine("b")]]);
    const path = segment(folder, "audit");
    writeFileSync(path, readFileSync(path, "utf8").replace('"v"', ""));
    expect((await refusalOf(folder)).message).toContain("audit/000001.jsonl:1:");
  });

  test("a folder of strangers' files is not read", async () => {
    const folder = await writeWork([[eventLine("a")]]);
    mkdirSync(join(folder, "sessions", SESSION, "events", "old"));
    writeFileSync(join(folder, "sessions", SESSION, "events", "notes.txt"), "hello");
    const work = await open(folder);
    expect((await (await work.session(SESSION)).load()).events).toEqual([eventLine("a")]);
    await work.close();
  });
});

// Sessions that ended are packed: small, and everyone still reads what was stored.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chainLine, FIRST_PREV } from "../../src/core/lines.ts";
import { verifyAudit } from "../../src/publish/audit.ts";
import { storeCiphers } from "../../src/store/cipher.ts";
import { findInteraction } from "../../src/store/find.ts";
import { openPacks } from "../../src/store/packed.ts";
import { readSession, readStoredLines, readWork } from "../../src/store/scan.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import fc, { tries } from "../fakes/properties.ts";
import { endedSession, eventLine, messageLine, requestLine } from "../fakes/store-lines.ts";

const WORK = "work-abc123";
const ids = Array.from({ length: 10 }, (_, index) => `item-${index}-2026-11-21-00000${index}`);
const [FIRST = ""] = ids;
let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "packed-"));
  folder = join(root, WORK);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const KEY = "correct horse battery staple";
/** A new key on a line before the old one. */
const TURNED = `a new key\n${KEY}`;
/** Deriving a key takes a tenth of a second. */
const ciphers = new Map([KEY, TURNED, "another key"].map((key) => [key, storeCiphers(key)]));
const cipherOf = async (key = "") => ciphers.get(key)?.(WORK);

async function open(key?: string) {
  const cipher = await cipherOf(key);
  const header = { workId: WORK, kind: "content", key: "k", codeVersion: "0.1.0" };
  return openWorkStore({ folder, header, clock: fixedClock(), ...(cipher ? { cipher } : {}) });
}

/** By a process of its own. */
async function writeSessions(sessionIds: readonly string[], key?: string): Promise<void> {
  const work = await open(key);
  for (const sessionId of sessionIds) {
    const session = await work.session(sessionId);
    for (const line of endedSession(sessionId)) await session.append([line]);
    await session.close();
  }
  await work.close();
}

const filesOf = (sessionId: string) =>
  readdirSync(join(folder, "sessions", sessionId), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "sessions", sessionId).length + 1))
    .sort();
const everyFile = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
const verdictOf = async (files: readonly { path: string; bytes: Buffer }[], key?: string) =>
  verifyAudit(await openPacks(files, async () => cipherOf(key)));
const verdict = (key?: string) => verdictOf(everyFile(), key);
const PACKED = ["events/000001.jsonl", "packed/000001.br"];
const LOOSE = ["audit/000001.jsonl", "conversation/000001.jsonl", "events/000001.jsonl"];

test.each([
  [undefined, undefined],
  [KEY, KEY],
  [KEY, TURNED],
])("reads the same after packing, key %j, then %j", async (key, later) => {
  const cipher = await cipherOf(later);
  await writeSessions(ids.slice(0, 8), key);
  expect(ids.slice(0, 8).map(filesOf)).toEqual(Array(8).fill(LOOSE));
  const read = async (id: string) => [
    await readSession(folder, id, cipher),
    await readStoredLines(folder, id, cipher),
  ];
  const before = await Promise.all(ids.slice(0, 8).map(read));
  const headsBefore = [...(await readWork(folder)).sessions].map(([, { auditHead }]) => auditHead);

  await writeSessions(ids.slice(8), later);

  expect(ids.map(filesOf)).toEqual(Array(10).fill(PACKED));
  expect(await Promise.all(ids.slice(0, 8).map(read))).toEqual(before);
  const { sessions } = await readWork(folder);
  expect([...sessions].slice(0, 8).map(([, { auditHead }]) => auditHead)).toEqual(headsBefore);
  const { status, sessions: audited } = await verdict();
  expect([status, audited.map(({ count }) => count)]).toEqual(["verified", Array(10).fill(2)]);
  const withKey = await verdict(later);
  expect([withKey.status, withKey.sessions.map(({ hash }) => hash)]).toEqual([
    "verified",
    audited.map(({ hash }) => hash),
  ]);
  expect(withKey.sessions.map(({ onlyHashes }) => onlyHashes)).toEqual(Array(10).fill(undefined));
  if (key === undefined) return;
  expect(audited.map(({ onlyHashes }) => onlyHashes)).toEqual(Array(10).fill(2));
  await expect(verdict("another key")).rejects.toMatchObject({ code: "config-invalid" });
  const everything = ids.flatMap((id) =>
    filesOf(id).map((path) => readFileSync(join(folder, "sessions", id, path), "latin1")),
  );
  expect(everything.join("")).not.toContain("what the model");
  await expect(readSession(folder, FIRST)).rejects.toMatchObject({ code: "config-invalid" });
  if (later === TURNED) {
    const last = ids.at(-1) ?? "";
    await expect(readSession(folder, last, await cipherOf(KEY))).rejects.toThrow("another `state-key`");
  }
  await expect(readSession(folder, FIRST, await cipherOf("another key"))).rejects.toMatchObject({
    code: "config-invalid",
  });
});

test("what sessions have in common is stored once", async () => {
  await writeSessions(ids.slice(0, 9));
  await writeSessions(ids.slice(9));
  const sizes = ids.map((id) => statSync(join(folder, "sessions", id, "packed/000001.br")).size);
  const bases = ids.map(
    (id) =>
      /"base":"(\w+)"/.exec(readFileSync(join(folder, "sessions", id, "packed/000001.br"), "latin1"))?.[1],
  );
  expect(new Set(bases).size).toBe(1);
  expect(readdirSync(join(folder, "frozen"))).toEqual([bases[0]]);
  // The header line is about 400 bytes; a session alone would take 300 more.
  for (const size of sizes) expect(size).toBeLessThan(900);
});

test("a packed session goes on, and is packed again when it ends again", async () => {
  await writeSessions(ids);
  const work = await open();
  const session = await work.session(FIRST);
  await session.append([requestLine("i1", "q1-abcdef"), messageLine("more")]);
  await session.close();
  expect(filesOf(FIRST)).toEqual([
    "conversation/000002.jsonl",
    "events/000001.jsonl",
    "events/000002.jsonl",
    "packed/000001.br",
  ]);
  expect(await findInteraction(root, "q1-abcdef")).toMatchObject({ sessionId: FIRST });
  const again = await work.session(FIRST);
  const { conversation } = await again.load();
  expect(conversation).toEqual([
    ...endedSession(FIRST).filter(({ store }) => store === "conversation"),
    messageLine("more"),
  ]);
  await again.append([{ store: "events", type: "TaskCompleted", payload: { taskId: "summary" } }]);
  await work.close();
  expect(filesOf(FIRST)).toEqual([
    "events/000001.jsonl",
    "events/000002.jsonl",
    "events/000003.jsonl",
    "packed/000002.br",
  ]);
  expect((await readSession(folder, FIRST)).conversation).toEqual(conversation);
  expect((await verdict()).status).toBe("verified");
});

test("a session under way, and one that asks, stay as they are", async () => {
  await writeSessions(ids.slice(0, 8));
  const work = await open();
  for (const [id, lines] of [
    [ids[8] ?? "", endedSession("x").slice(0, -1)],
    [ids[9] ?? "", [...endedSession("x"), requestLine("i1", "q1-abcdef"), eventLine("summary")]],
  ] as const) {
    await (await work.session(id)).append(lines);
  }
  await work.close();
  expect([filesOf(ids[8] ?? ""), filesOf(ids[9] ?? "")]).toEqual([LOOSE, LOOSE]);
  expect(filesOf(FIRST)).toEqual(PACKED);
});

test("the header refuses earlier versions once there is a pack", async () => {
  const version = () => JSON.parse(readFileSync(join(folder, "header.json"), "utf8")).schemaVersion;
  await writeSessions(ids.slice(0, 8));
  expect(version()).toBe(2);
  await writeSessions(ids.slice(8));
  expect(version()).toBe(4);
});

test("damage is told: a changed pack, a missing base, missing events", async () => {
  await writeSessions(ids);
  const kept = join(root, "kept");
  cpSync(folder, kept, { recursive: true });
  const pack = join(folder, "sessions", FIRST, "packed/000001.br");
  const bytes = readFileSync(pack);
  bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
  writeFileSync(pack, bytes);
  await expect(readSession(folder, FIRST)).rejects.toMatchObject({ code: "store-corrupt" });
  const broken = (await verdict()).sessions.filter(({ problems }) => problems.length > 0);
  expect(broken.map(({ sessionId }) => sessionId)).toEqual([FIRST]);
  const restore = () => {
    rmSync(folder, { recursive: true });
    cpSync(kept, folder, { recursive: true });
  };
  restore();
  rmSync(join(folder, "frozen"), { recursive: true });
  await expect(readSession(folder, FIRST)).rejects.toMatchObject({ code: "store-corrupt" });
  restore();
  rmSync(join(folder, "sessions", FIRST, "events"), { recursive: true });
  await expect(readSession(folder, FIRST)).rejects.toMatchObject({ code: "store-corrupt" });
  await expect(readWork(folder)).rejects.toMatchObject({ code: "store-corrupt" });
});

describe("an encrypted audit log in a pack", () => {
  test.each([undefined, KEY])("any flipped bit and any cut is found, with the key %j", async (key) => {
    await writeSessions(ids, KEY);
    const files = everyFile().filter(({ path }) => path.includes(FIRST) || key !== undefined);
    const pack = files.findIndex(({ path }) => path.includes(FIRST) && path.endsWith(".br"));
    const size = files[pack]?.bytes.length ?? 0;
    const statusWith = async (bytes: Buffer<ArrayBuffer>) =>
      (await verdictOf(files.with(pack, { path: files[pack]?.path ?? "", bytes }), key)).status;
    expect(await statusWith(files[pack]?.bytes ?? Buffer.alloc(0))).toBe("verified");
    const flip = fc.record({ at: fc.nat(size - 1), bit: fc.nat(7) }).map(({ at, bit }) => {
      const bytes = Buffer.from(files[pack]?.bytes ?? []);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      return bytes;
    });
    const cut = fc.nat(size - 1).map((at) => Buffer.from(files[pack]?.bytes.subarray(0, at) ?? []));
    await fc.assert(
      fc.asyncProperty(fc.oneof(flip, cut), async (bytes) => {
        expect(await statusWith(bytes)).toBe("broken");
      }),
      tries(40),
    );
  });

  test("a pack in the place of another session's, and a pack without a line, are found", async () => {
    await writeSessions(ids, KEY);
    const packOf = (id: string) => readFileSync(join(folder, "sessions", id, "packed/000001.br"));
    writeFileSync(join(folder, "sessions", FIRST, "packed/000001.br"), packOf(ids[1] ?? ""));
    expect((await verdict(KEY)).sessions.map(({ problems }) => problems.length > 0)).toEqual(
      ids.map((id) => id === FIRST),
    );
    const { hash = "", count = 0 } = (await verdict()).sessions.find((one) => one.sessionId === ids[2]) ?? {};
    const witnesses = [{ sessionId: FIRST, count, hash, source: "a comment" }];
    const compared = verifyAudit(await openPacks(everyFile()), witnesses);
    expect(compared.sessions[0]?.problems).toMatchObject([{ kind: "changed" }]);
  });

  test("a log that was changed before it was packed is not packed", async () => {
    await writeSessions(ids.slice(0, 8), KEY);
    const path = join(folder, "sessions", FIRST, "audit/000001.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").replace("ToolCallRequested", "ToolCallCompleted"));
    await writeSessions(ids.slice(8), KEY);
    expect(filesOf(FIRST)).toEqual(LOOSE);
    expect((await verdict()).sessions[0]?.problems).toMatchObject([{ kind: "changed" }]);
  });

  test("lines that an earlier version compressed stay as they are, and are verified", async () => {
    await writeSessions(ids.slice(0, 8), KEY);
    const path = join(folder, "sessions", FIRST, "audit/000001.jsonl");
    const cipher = await cipherOf(KEY);
    let prev = FIRST_PREV;
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const older = lines.map((text) => {
      const { hash: _, prev: __, ...line } = JSON.parse(text);
      const place = [FIRST, "audit", line.seq, line.type];
      const packed = deflateRawSync(cipher?.open(place, line.payload, "") ?? "", { level: 1 });
      const { keyId, bytes } = cipher?.sealBytes(place, packed) ?? { keyId: "", bytes: Buffer.alloc(0) };
      const chained = chainLine(
        { ...line, payload: { sealed: `${keyId}.${bytes.toString("base64")}` } },
        prev,
      );
      prev = chained.hash;
      return `${JSON.stringify(chained)}\n`;
    });
    writeFileSync(path, older.join(""));
    const before = await readStoredLines(folder, FIRST, cipher);
    await writeSessions(ids.slice(8), KEY);
    expect(filesOf(FIRST)).toEqual(PACKED);
    expect(await readStoredLines(folder, FIRST, cipher)).toEqual(before);
    expect([(await verdict()).status, (await verdict(KEY)).status]).toEqual(["verified", "verified"]);
  });
});

test("segments that a killed packing left beside the pack do not count twice, and go", async () => {
  await writeSessions(ids.slice(0, 8));
  const place = join(folder, "sessions", FIRST);
  const kept = join(root, "kept");
  cpSync(place, kept, { recursive: true });
  const before = await readSession(folder, FIRST);
  await writeSessions(ids.slice(8));
  for (const store of ["audit", "conversation"])
    cpSync(join(kept, store), join(place, store), { recursive: true });
  mkdirSync(join(place, "packed"), { recursive: true });
  expect(await readSession(folder, FIRST)).toEqual(before);
  expect((await verdict()).status).toBe("verified");
  const work = await open();
  await work.session(FIRST);
  await work.close();
  expect(filesOf(FIRST)).toEqual(PACKED);
  expect(existsSync(join(place, "audit"))).toBe(false);
});

// With `state-key` nothing that models and tools said stands in a file, nothing can be moved, and the chain still holds.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredLine, StoreLine, StoreName } from "../../src/core/events.ts";
import { verifyChain } from "../../src/core/lines.ts";
import { storeCiphers } from "../../src/store/cipher.ts";
import { readSession, readWork } from "../../src/store/scan.ts";
import { openStores, openWorkStore } from "../../src/store/work.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import fc, { anyCharacter, tries } from "../fakes/properties.ts";
import { auditLine, eventLine, lineOf, messageLine } from "../fakes/store-lines.ts";

const WORK = "work-abc123";
const SESSION = "an-article-2026-11-21-0a1b2c";
const OTHER = "another-2026-11-21-0a1b2c";
const CANARY = "canary-of-a-conversation";
/** Of an encrypted text. Another value means that stored audit lines can't be verified any more. */
const GOLDEN = "b50654ef7d4a106cb0333a03e86ed8039ccfebb8cd446b9d343245c8a05c4a57";
const cipherOf = storeCiphers("correct horse battery staple");
const wrongOf = storeCiphers("correct horse battery stable");
let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "store-cipher-"));
  folder = join(root, WORK);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function open(ciphers = cipherOf, at = folder) {
  const cipher = await ciphers(WORK);
  const header = { workId: WORK, kind: "content", key: "k", codeVersion: "0.1.0" };
  return openWorkStore({ folder: at, header, clock: fixedClock(), ...(cipher ? { cipher } : {}) });
}
const none = async () => undefined;

/** Appends as a process of its own. */
async function write(lines: readonly StoreLine[], ciphers = cipherOf, sessionId = SESSION): Promise<void> {
  const work = await open(ciphers);
  await (await work.session(sessionId)).append(lines);
  await work.close();
}

function storedIn(store: StoreName, name = "000001.jsonl", sessionId = SESSION): StoredLine[] {
  return readFileSync(join(folder, "sessions", sessionId, store, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function put(store: StoreName, lines: readonly unknown[], sessionId = SESSION): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "sessions", sessionId, store, "000001.jsonl"), text);
}

const allFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("/lock"))
    .map((entry) => join(entry.parentPath, entry.name));
const bytesOfAll = () => new Map(allFiles().map((path) => [path, readFileSync(path, "latin1")]));

describe("what is encrypted", () => {
  test("conversation, audit and frozen bytes; ids, events and frames stay open", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    const frozen = await session.freeze(`{"system":"${CANARY}"}`);
    await session.append([auditLine(CANARY), messageLine(CANARY), eventLine("t")]);
    await work.close();
    for (const text of bytesOfAll().values()) expect(text).not.toContain(CANARY);
    expect(storedIn("events")[0]).toMatchObject({ payload: { taskId: "t" } });
    const sealed = { sealed: expect.stringMatching(/^[0-9a-f]{16}\.[A-Za-z0-9+/=]+$/) };
    expect(storedIn("conversation")[0]).toMatchObject({ v: 1, seq: 2, type: "Message", payload: sealed });
    expect(storedIn("audit")[0]).toMatchObject({ seq: 1, type: "ToolCallRequested", payload: sealed });
    expect(frozen).toBe(createHash("sha256").update(`{"system":"${CANARY}"}`).digest("hex"));
    expect(readdirSync(join(folder, "frozen"))).toEqual([frozen]);
    const again = await open();
    expect(await (await again.session(SESSION)).readFrozen(frozen)).toBe(`{"system":"${CANARY}"}`);
    await again.close();
  });

  test("any batches over several processes, with the key turned on at any time, come back as they were", async () => {
    const line = fc.tuple(
      fc.constantFrom<StoreName>("events", "conversation", "audit"),
      fc.string({ unit: anyCharacter }),
    );
    const processes = fc.array(fc.array(line, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(processes, fc.nat(3), async (batches, openOnes) => {
        count += 1;
        folder = join(root, String(count), WORK);
        const all = batches.map((batch) => batch.map(([store, text]) => lineOf(store, text)));
        for (const [index, lines] of all.entries()) await write(lines, index < openOnes ? none : cipherOf);
        const cipher = await cipherOf(WORK);
        const loaded = await readSession(folder, SESSION, cipher);
        expect(loaded.events).toEqual(all.flat().filter(({ store }) => store === "events"));
        expect(loaded.conversation).toEqual(all.flat().filter(({ store }) => store === "conversation"));
      }),
      tries(12),
    );
  });

  test("the chain is over what is stored: it holds without the key, and no longer when a line was changed", async () => {
    await write([auditLine("a"), auditLine("b")]);
    await write([auditLine("c")]);
    const lines = [...storedIn("audit"), ...storedIn("audit", "000002.jsonl")];
    expect(verifyChain(lines)).toMatchObject({ ok: true, count: 3 });
    const other = lines[1]?.payload;
    expect(
      verifyChain(lines.map((line, index) => (index === 0 ? { ...line, payload: other } : line))),
    ).toMatchObject({ ok: false, index: 0 });
  });

  test("the same text is never the same bytes, and each work has a key of its own", async () => {
    await write([messageLine("same"), messageLine("same")]);
    const [one, two] = storedIn("conversation").map(({ payload }) => JSON.stringify(payload));
    expect(one).not.toBe(two);
    const [here, there] = [await cipherOf(WORK), await cipherOf("work-def456")];
    const sealed = here?.seal([], "x") ?? { sealed: "" };
    expect(() => there?.open([], sealed, "it")).toThrow("another `state-key`");
  });

  test("the same nonce makes the same bytes, in every version: hashes of audit lines are of them", async () => {
    const cipher = await cipherOf(WORK);
    if (!cipher) throw new Error("no cipher");
    const text = JSON.stringify(
      Array.from({ length: 400 }, (_, at) => [at * 7919, `word ${at % 31}`, "same"]),
    );
    const nonce = `${cipher.seal([], "").sealed.slice(0, 16)}.AAAAAAAAAAAAAAAA`;
    const made = cipher.seal(["p"], text, nonce);
    expect(createHash("sha256").update(made.sealed).digest("hex")).toBe(GOLDEN);
    expect(cipher.open(["p"], made, "it")).toBe(text);
    const fresh = cipher.seal(["p"], text);
    expect(cipher.seal(["p"], text, cipher.nonceOf(fresh))).toEqual(fresh);
  });

  test("a key is changed by a line before it: the first one writes, each one reads", async () => {
    const cipher = async (stateKey: string) => {
      const made = await storeCiphers(stateKey)(WORK);
      if (!made) throw new Error("there is a key");
      return made;
    };
    const [old, both, fresh] = [
      await cipher("old key"),
      await cipher("new key\r\nold key\n"),
      await cipher("new key"),
    ];
    const [before, after] = [old.seal(["p"], "said before"), both.seal(["p"], "said after")];
    expect(both.open(["p"], before, "it")).toBe("said before");
    expect(fresh.open(["p"], after, "it")).toBe("said after");
    expect(() => old.open(["p"], after, "it")).toThrow("another `state-key`");
    expect(() => fresh.checkKey(before, "it")).toThrow("another `state-key`");
    const sealedByLines = (await cipher("one")).seal([], "x");
    expect((await cipher("two\none")).open([], sealedByLines, "it")).toBe("x");
  });
});

describe("what is changed or moved is refused", () => {
  test("any change of any character of a sealed text", async () => {
    const cipher = await cipherOf(WORK);
    if (!cipher) throw new Error("no cipher");
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(), fc.nat(62), (text, at, turn) => {
        const { sealed } = cipher.seal(["p"], text);
        expect(cipher.open(["p"], { sealed }, "it")).toBe(text.toWellFormed());
        const [id = "", base64 = ""] = sealed.split(".");
        const bytes = Buffer.from(base64, "base64");
        bytes[at % bytes.length] = ((bytes[at % bytes.length] ?? 0) + turn + 1) % 256;
        const changed = { sealed: `${id}.${bytes.toString("base64")}` };
        expect(() => cipher.open(["p"], changed, "it")).toThrow("changed or moved");
      }),
    );
  });

  const refuses = async (sessionId = SESSION) => {
    const before = bytesOfAll();
    const work = await open();
    await expect(work.session(sessionId)).rejects.toMatchObject({ code: "store-corrupt" });
    await work.close();
    expect(bytesOfAll()).toEqual(before);
  };

  test("a line in another's place", async () => {
    await write([messageLine("a"), messageLine("b")]);
    const [one, two] = storedIn("conversation");
    put("conversation", [{ ...one, payload: two?.payload }, two]);
    await refuses();
  });

  test("a line of another session", async () => {
    await write([messageLine("a")]);
    await write([messageLine("b")], cipherOf, OTHER);
    put("conversation", storedIn("conversation"), OTHER);
    await refuses(OTHER);
  });

  test("a line of another store, or of another type", async () => {
    await write([auditLine("a")]);
    await write([messageLine("b")], cipherOf, OTHER);
    const [audit] = storedIn("audit");
    const [message] = storedIn("conversation", "000001.jsonl", OTHER);
    put("conversation", [{ ...message, payload: audit?.payload }], OTHER);
    await refuses(OTHER);
    put("conversation", [{ ...message, type: "ToolResult" }], OTHER);
    await refuses(OTHER);
  });

  test("frozen bytes under another's name", async () => {
    const work = await open();
    const session = await work.session(SESSION);
    const [one, two] = [await session.freeze("one"), await session.freeze("two")];
    writeFileSync(join(folder, "frozen", one), readFileSync(join(folder, "frozen", two)));
    await expect(session.readFrozen(one)).rejects.toMatchObject({ code: "store-corrupt" });
    await work.close();
  });
});

describe("without the right key", () => {
  const hint = expect.stringContaining("state-key");

  test.each([
    ["no key", none],
    ["another key", wrongOf],
  ])("%s: refused at once, with what to do, and nothing is changed", async (_, ciphers) => {
    const work = await open();
    const session = await work.session(SESSION);
    await session.freeze("prompt");
    await session.append([messageLine("a")]);
    await work.close();
    const before = bytesOfAll();
    for (const _again of [1, 2]) {
      await expect(open(ciphers)).rejects.toMatchObject({ code: "config-invalid", hint });
    }
    expect(bytesOfAll()).toEqual(before);
  });

  test.each([
    ["no key", none],
    ["another key", wrongOf],
  ])("%s: a session without a prompt yet is refused when it is opened", async (_, ciphers) => {
    await write([messageLine("a")]);
    const before = bytesOfAll();
    const work = await open(ciphers);
    await expect(work.session(SESSION)).rejects.toMatchObject({ code: "config-invalid", hint });
    await work.close();
    expect(bytesOfAll()).toEqual(before);
  });

  test("those who only look still see events", async () => {
    await write([messageLine("a"), eventLine("t")]);
    expect((await readWork(folder)).sessions.get(SESSION)?.events).toEqual([eventLine("t")]);
    await expect(readSession(folder, SESSION)).rejects.toMatchObject({ code: "config-invalid", hint });
  });

  test("behind the port: the setting is all that is needed", async () => {
    const place = { stateFolder: root, codeVersion: "0.1.0", clock: fixedClock() };
    const stores = openStores({ ...place, stateKey: "a key" });
    const work = await stores.open({ workId: WORK, kind: "content", key: "k" });
    await (await work.session(SESSION)).append([messageLine(CANARY)]);
    await work.close();
    for (const text of bytesOfAll().values()) expect(text).not.toContain(CANARY);
    expect((await stores.look(SESSION))?.conversation).toEqual([messageLine(CANARY)]);
    await expect(openStores(place).look(SESSION)).rejects.toMatchObject({ code: "config-invalid" });
  });
});

test("a sealed line that would unpack to more than a line can be is damaged, and is not unpacked", async () => {
  const cipher = await cipherOf(WORK);
  const sealed = cipher?.seal(["a place"], "x".repeat(65 * 1024 * 1024)) ?? { sealed: "" };
  expect(sealed.sealed.length).toBeLessThan(200_000);
  expect(() => cipher?.open(["a place"], sealed, "000001.jsonl:1")).toThrow(
    expect.objectContaining({ code: "store-corrupt" }),
  );
});

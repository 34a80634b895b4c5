// Compact storage that many sessions share: frozen bytes, and the packs of sessions that ended.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { brotliDecompressSync, constants, createBrotliCompress } from "node:zlib";
import { z } from "zod";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import type { StoredLine } from "../core/events.ts";
import { lazily, parseJson, sha256Of, valueAt } from "../core/json.ts";
import { encodeLine } from "../core/lines.ts";
import { isSealed, requireCipher, type StoreCipher } from "./cipher.ts";
import {
  allDone,
  createFile,
  diskError,
  namesIn,
  readWhole,
  removeIfEmpty,
  removeLeftovers,
  removeSoon,
} from "./durable.ts";
import { bodyOfAudit, joinAudit } from "./segments.ts";

export type FrozenFiles = {
  /** Durable when it resolves; returns the SHA-256 of the UTF-8 bytes as hex. */
  freeze(bytes: string): Promise<string>;
  /** Throws `store-corrupt` if the bytes are missing or were changed. */
  read(sha256: string): Promise<string>;
  /** Throws `config-invalid` if a file can't be read with the present key. */
  checkKey(): Promise<void>;
};

/** The frozen files of a folder. With a cipher new files are sealed; plain files remain readable. */
export function openFrozenFiles(folder: string, cipher?: StoreCipher): FrozenFiles {
  return {
    async freeze(bytes) {
      const sha256 = sha256Of(bytes);
      const stored = cipher ? `${JSON.stringify(cipher.seal(placeOf(sha256), bytes))}\n` : bytes;
      await createFile(join(folder, sha256), stored);
      return sha256;
    },
    async read(sha256) {
      if (!NAME.test(sha256)) throw corrupt(sha256, "no SHA-256");
      const path = join(folder, sha256);
      const bytes = await readFile(path).catch((error: unknown) => {
        if (errnoOf(error) === "ENOENT") throw corrupt(path, "the file is missing");
        throw diskError(error, path);
      });
      if (sha256Of(bytes) === sha256) return bytes.toString("utf8");
      const sealed = parseSealed(bytes);
      const text = sealed && requireCipher(cipher, path).open(placeOf(sha256), sealed, path);
      if (text === undefined || sha256Of(text) !== sha256) throw corrupt(path, "the bytes were changed");
      return text;
    },
    async checkKey() {
      for (const name of namesIn(folder)) {
        const path = join(folder, name);
        const sealed = NAME.test(name) ? parseSealed(await readWhole(path)) : undefined;
        if (sealed) requireCipher(cipher, path).checkKey(sealed, path);
      }
    },
  };
}

const NAME = /^[0-9a-f]{64}$/;
/** No prompt begins with these bytes. */
const SEALED = Buffer.from('{"sealed":"');

function placeOf(sha256: string): string[] {
  return ["frozen", sha256];
}

function parseSealed(bytes: Buffer) {
  if (!bytes.subarray(0, SEALED.length).equals(SEALED)) return undefined;
  const value = parseJson(bytes.toString("utf8"));
  return isSealed(value) ? value : undefined;
}

function corrupt(path: string, reason: string, cause?: unknown): LoopliaError {
  return new LoopliaError(
    "store-corrupt",
    `${path}: ${reason}; the conversation cannot continue without it.`,
    {
      hint: "Restore the file from a copy, or begin a fresh session.",
      cause,
    },
  );
}

// A pack is one file, `packed/<n>.br`: a line of JSON, then compressed lines of the stores `conversation` and
// `audit`. The highest number counts; segments up to `through` that are still there are a killed process's.
// With a key, the lines are encrypted after they were compressed. What everyone reads is each line's number, time and
// type, and the hashes of the audit lines. An audit line's hash is of its encrypted form: the key makes that form again.

const FOLDER = "packed";
const PACK_NAME = /^(\d{6})\.br$/;
const PACKED_STORES = ["conversation", "audit"] as const;
/** `stored`: bytes in the file. `base`: the frozen beginning of the compressed stream. `hash`: of the text. */
const part = lazily(() =>
  z.strictObject({ stored: z.int().min(0), base: z.string().optional(), hash: z.string() }),
);
const commonHeader = lazily(() =>
  z.strictObject({
    /** Number of the session's last line when it was packed, and how many of the lines are in the pack. */
    seq: z.int().min(1),
    lines: z.int().min(1),
    /** The last segment of each store that the pack replaces. */
    through: z.strictObject({ conversation: z.int().min(0), audit: z.int().min(0) }),
    auditHead: z.strictObject({ count: z.int().min(0), hash: z.string() }),
    /** `audit`: bytes of its text that are of audit lines; the conversation follows. */
    open: part().extend({ audit: z.int().min(0) }),
  }),
);
const packHeader = lazily(() =>
  z.discriminatedUnion("v", [
    /** Of earlier versions: with a key, only the conversation is in `sealed`, and whole audit lines are in `open`. */
    commonHeader().extend({ v: z.literal(1), sealed: part().extend({ keyId: z.string() }).optional() }),
    commonHeader().extend({
      v: z.literal(2),
      sealed: part()
        .extend({ audit: z.int().min(0), keyId: z.string() })
        .optional(),
      /** SHA-256 of all other bytes of the file. */
      check: z.string(),
    }),
  ]),
);
type PackHeader = z.infer<ReturnType<typeof packHeader>>;
export type Pack = PackHeader & { path: string; number: number; body: Buffer };

/** Text of stored lines. */
export type PackTexts = { conversation: string; audit: string };

/** The newest pack in a session's folder; undefined if there is none. Fails with `store-corrupt`. */
export function findPack(folder: string): Pack | undefined {
  for (;;) {
    const name = packName(folder);
    if (name === undefined) return undefined;
    const path = join(folder, FOLDER, name);
    try {
      return parsePack(readFileSync(path), path);
    } catch (error) {
      // A newer pack has just replaced it.
      if (errnoOf(error) !== "ENOENT") throw diskError(error, path);
    }
  }
}

/** The name of the newest pack in a session's folder. */
export function packName(folder: string): string | undefined {
  return namesIn(join(folder, FOLDER))
    .filter((name) => PACK_NAME.test(name))
    .at(-1);
}

/** Fails with `store-corrupt` if the bytes are no pack, or were changed. */
function parsePack(bytes: Buffer, path: string): Pack {
  const end = Math.max(bytes.indexOf(10), 0);
  const line = bytes.subarray(0, end).toString("utf8");
  const header = packHeader().safeParse(parseJson(line));
  if (!header.success) throw corrupt(path, "it is no pack of a session");
  const body = bytes.subarray(end + 1);
  const { data } = header;
  if (body.length !== data.open.stored + (data.sealed?.stored ?? 0))
    throw corrupt(path, "its length is wrong");
  if (data.v === 2) {
    const tail = tailWith(data.check);
    const isSame = line.endsWith(tail) && checkOf(line.slice(0, -tail.length), body) === data.check;
    if (!isSame) throw corrupt(path, "its bytes were changed");
  }
  return { ...data, path, number: Number(PACK_NAME.exec(path.slice(-9))?.[1]), body };
}

function tailWith(check: string): string {
  return `,"check":"${check}"}`;
}

function checkOf(head: string, body: Uint8Array): string {
  return sha256Of(Buffer.concat([Buffer.from(head), body]));
}

/** `readFrozen` gives frozen text by its hash. */
type Unpacking = { readFrozen: (sha256: string) => Promise<string>; sessionId: string };

/** The lines in a pack, as they were stored. Fails as `StoreCipher.open` does. */
export async function unpack(
  pack: Pack,
  { readFrozen, sessionId, cipher }: Unpacking & { cipher: StoreCipher | undefined },
): Promise<{ conversation: string; audit: () => string }> {
  const open = await unpackOpen(pack, readFrozen);
  if (!pack.sealed) return { ...open, audit: () => open.audit };
  const { keyId } = pack.sealed;
  const bytes = pack.body.subarray(pack.open.stored);
  const place = placeOfPack(sessionId, pack.seq);
  const own = requireCipher(cipher, pack.path);
  const packed = own.openBytes(place, { keyId, bytes }, pack.path);
  const text = await expand(pack, pack.sealed, packed, readFrozen);
  if (pack.v === 1) return { conversation: text.toString("utf8"), audit: () => open.audit };
  const bodies = text.subarray(0, pack.sealed.audit).toString("utf8");
  return {
    conversation: text.subarray(pack.sealed.audit).toString("utf8"),
    audit: () => joinAudit({ frames: open.audit, bodies }, { sessionId, cipher: own, path: pack.path }),
  };
}

/** Without a key, encrypted lines lack their payloads. */
async function unpackOpen(pack: Pack, readFrozen: Unpacking["readFrozen"]): Promise<PackTexts> {
  const { open } = pack;
  const text = await expand(pack, open, pack.body.subarray(0, open.stored), readFrozen);
  const audit = text.subarray(0, open.audit).toString("utf8");
  return { audit, conversation: text.subarray(open.audit).toString("utf8") };
}

async function expand(
  { path }: Pack,
  { base, hash }: z.infer<ReturnType<typeof part>>,
  packed: Uint8Array,
  readFrozen: Unpacking["readFrozen"],
): Promise<Buffer> {
  const beginning = base === undefined ? undefined : openBase(await readFrozen(base), base, path);
  try {
    const all = brotliDecompressSync(Buffer.concat([beginning?.packed ?? Buffer.alloc(0), packed]), {
      maxOutputLength: MOST_BYTES,
    });
    const text = all.subarray(beginning?.text.length ?? 0);
    if (sha256Of(text) === hash) return text;
  } catch (cause) {
    throw corrupt(path, "it cannot be unpacked", cause);
  }
  throw corrupt(path, "its bytes were changed");
}

/** The text that the sessions of a work have in common: each pack's compressed stream continues it. */
export type PackBase = { sha256: string; packed: Buffer; text: Buffer };
/** A larger base would make each pack slower but hardly smaller. */
const MOST_BASE_BYTES = 64 * 1024;
/** Earlier versions made bases of 128 KiB. */
const MOST_READ_BYTES = 256 * 1024;
const MOST_BYTES = 512 * 1024 * 1024;
/**
 * Measured over sessions of 100 kB: 5.3 kB in 1.6 ms each. Quality 6 gains 12 %, and takes twice the time and four times
 * the memory, for which the whole heap is collected again and again. A window of 17 bits would lose the base.
 */
const QUALITY = 4;
const WINDOW_BITS = 18;
const PARAMETERS = {
  [constants.BROTLI_PARAM_QUALITY]: QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
};

export async function makeBase({ conversation, audit }: PackTexts, frozen: FrozenFiles): Promise<PackBase> {
  const text = Buffer.from(conversation + audit).subarray(0, MOST_BASE_BYTES);
  const { beginning: packed } = await compress(text, undefined);
  return { sha256: await frozen.freeze(packed.toString("base64")), packed, text };
}

export async function readBase(sha256: string, frozen: FrozenFiles): Promise<PackBase> {
  return openBase(await frozen.read(sha256), sha256, sha256);
}

function openBase(frozen: string, sha256: string, path: string): PackBase {
  const packed = Buffer.from(frozen, "base64");
  try {
    const finishFlush = constants.BROTLI_OPERATION_FLUSH;
    const text = brotliDecompressSync(packed, { finishFlush, maxOutputLength: MOST_READ_BYTES });
    return { sha256, packed, text };
  } catch (cause) {
    throw corrupt(path, "what it continues cannot be unpacked", cause);
  }
}

/** The stream over `first` up to a flush, and over `text` after it. */
async function compress(
  first: Uint8Array | undefined,
  text: string | undefined,
): Promise<{ beginning: Buffer; rest: Buffer }> {
  const stream = createBrotliCompress({ params: PARAMETERS });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (first) {
    stream.write(first);
    await new Promise<void>((resolve) => stream.flush(constants.BROTLI_OPERATION_FLUSH, resolve));
  }
  const beginning = Buffer.concat(chunks.splice(0));
  stream.end(text);
  await once(stream, "end");
  return { beginning, rest: Buffer.concat(chunks) };
}

/** A session's facts and lines. */
type PackSource = {
  sessionId: string;
  facts: Pick<PackHeader, "seq" | "through" | "auditHead">;
  lines: Record<keyof PackTexts, readonly StoredLine[]>;
};

/** The texts of a session for its pack: with a key, of audit lines only the bodies. */
export function packTexts(
  { sessionId, lines: { conversation, audit } }: Pick<PackSource, "sessionId" | "lines">,
  cipher: StoreCipher | undefined,
): PackTexts {
  const ofAudit = cipher ? audit.map((line) => bodyOfAudit(line, sessionId, cipher)) : audit.map(encodeLine);
  return { conversation: conversation.map(encodeLine).join(""), audit: ofAudit.join("") };
}

/**
 * `texts`: those of `packTexts`. Undefined if this version of Node compresses the base in another way: then a new base is
 * needed.
 */
export async function encodePack(
  { sessionId, facts, lines, texts }: PackSource & { texts: PackTexts },
  base: PackBase,
  cipher: StoreCipher | undefined,
): Promise<Buffer | undefined> {
  const said = texts.audit + texts.conversation;
  const { beginning, rest } = await compress(base.text, said);
  if (!beginning.equals(base.packed)) return undefined;
  const common = { v: 2, ...facts, lines: lines.conversation.length + lines.audit.length } as const;
  const whole = { base: base.sha256, hash: sha256Of(said), audit: Buffer.byteLength(texts.audit) };
  if (!cipher) return layOut({ ...common, open: { stored: rest.length, ...whole } }, rest);
  const audit = lines.audit.map(frameOf).join("");
  const shown = audit + lines.conversation.map(frameOf).join("");
  const { rest: open } = await compress(undefined, shown);
  const { keyId, bytes } = cipher.sealBytes(placeOfPack(sessionId, facts.seq), rest);
  const ofShown = { stored: open.length, hash: sha256Of(shown), audit: Buffer.byteLength(audit) };
  return layOut({ ...common, open: ofShown, sealed: { stored: bytes.length, ...whole, keyId } }, open, bytes);
}

function frameOf({ v, seq, at, type, hash }: StoredLine): string {
  return `${JSON.stringify({ v, seq, at, type, hash })}\n`;
}

function layOut(header: Omit<PackHeader & { v: 2 }, "check">, ...parts: Buffer[]): Buffer {
  const head = JSON.stringify(header).slice(0, -1);
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(`${head}${tailWith(checkOf(head, body))}\n`), body]);
}

function placeOfPack(sessionId: string, seq: number): unknown[] {
  return [sessionId, FOLDER, seq];
}

/** Durable when it resolves; the segments that the pack replaces are still there. */
export async function writePack(folder: string, number: number, bytes: Buffer): Promise<void> {
  await createFile(join(folder, FOLDER, `${String(number).padStart(6, "0")}.br`), bytes);
}

/** Removes the older packs and segments that the newest pack of a session's folder replaces. */
export async function removeUnpacked(folder: string): Promise<void> {
  const names = namesIn(join(folder, FOLDER));
  if (names.length === 0) return;
  removeLeftovers(join(folder, FOLDER));
  const pack = findPack(folder);
  if (!pack) return;
  const newest = basename(pack.path);
  const older = names.filter((name) => PACK_NAME.test(name) && name < newest);
  const ofStores = PACKED_STORES.map((store) => removeReplaced(pack, folder, store));
  await allDone([...older.map((name) => removeSoon(join(folder, FOLDER, name))), ...ofStores]);
}

async function removeReplaced(pack: Pack, folder: string, store: keyof PackTexts): Promise<void> {
  const names = namesIn(join(folder, store));
  const replaced = names.filter((name) => isReplaced(pack, store, name));
  await allDone(replaced.map((name) => removeSoon(join(folder, store, name))));
  if (names.length > 0 && names.length === replaced.length) await removeIfEmpty(join(folder, store));
}

function isReplaced({ through }: Pack, store: keyof PackTexts, name: string): boolean {
  return /^\d{6}\.jsonl$/.test(name) && Number(name.slice(0, 6)) <= through[store];
}

// For readers of a state outside the state folder, such as a zip or a commit.

const STATE_FILE =
  /^((?:.*\/)?sessions\/([a-z0-9][a-z0-9-]{0,80})\/)(events|conversation|audit|packed)\/(\d{6}\.(?:jsonl|br))$/;
const FROZEN_FILE = /(?:^|\/)frozen\/([0-9a-f]{64})$/;

/** True for the path of a file that `openPacks` needs. */
export function isOfPack(path: string): boolean {
  return FROZEN_FILE.test(path) || STATE_FILE.exec(path)?.[3] === FOLDER;
}

/** `onlyHashes`: the lines of an encrypted audit log without `prev` and `payload`. */
type OpenedFile = { path: string; text: string; onlyHashes?: true };

/**
 * The files of states with the segments that packs replace in place of the packs, and without frozen files. Without the
 * cipher of their work, encrypted lines lack their payloads. A pack that is damaged becomes a damaged segment. Fails with
 * `config-invalid` if the key is another.
 */
export async function openPacks(
  files: readonly { path: string; bytes: Uint8Array }[],
  cipherOf: (workId: string) => Promise<StoreCipher | undefined> = async () => undefined,
): Promise<OpenedFile[]> {
  const frozen = new Map(files.map(({ path, bytes }) => [FROZEN_FILE.exec(path)?.[1], bytes]));
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const packs = new Map<string, { pack: Pack | undefined; segments: OpenedFile[] }>();
  for (const { path, bytes } of [...files].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const [, folder = "", sessionId = "", store] = STATE_FILE.exec(path) ?? [];
    if (store !== FOLDER) continue;
    const header = bytesOf.get(folder.replace(/sessions\/[^/]+\/$/, "header.json")) ?? [];
    const workId = valueAt(parseJson(Buffer.from(header).toString("utf8")), "workId");
    const cipher = typeof workId === "string" ? await cipherOf(workId) : undefined;
    packs.set(folder, await openPack({ path, folder, bytes }, { sessionId, cipher }, frozen));
  }
  const others = files.flatMap(({ path, bytes }) => {
    if (isOfPack(path)) return [];
    const [, folder = "", , store, name = ""] = STATE_FILE.exec(path) ?? [];
    const pack = packs.get(folder)?.pack;
    const isOld = pack && store !== "events" && isReplaced(pack, store as keyof PackTexts, name);
    return isOld ? [] : [{ path, text: Buffer.from(bytes).toString("utf8") }];
  });
  return [...others, ...[...packs.values()].flatMap(({ segments }) => segments)];
}

async function openPack(
  { path, folder, bytes }: { path: string; folder: string; bytes: Uint8Array },
  { sessionId, cipher }: Pick<Unpacking, "sessionId"> & { cipher: StoreCipher | undefined },
  frozen: ReadonlyMap<string | undefined, Uint8Array>,
): Promise<{ pack: Pack | undefined; segments: OpenedFile[] }> {
  const segment = (store: keyof PackTexts, number: number, text: string): OpenedFile => ({
    path: `${folder}${store}/${String(number).padStart(6, "0")}.jsonl`,
    text,
  });
  try {
    const pack = parsePack(Buffer.from(bytes), path);
    const readFrozen = async (sha256: string) => {
      const text = Buffer.from(frozen.get(sha256) ?? []).toString("utf8");
      const sealed = parseSealed(Buffer.from(text));
      return sealed && cipher ? cipher.open(placeOf(sha256), sealed, path) : text;
    };
    const isRead = !pack.sealed || cipher !== undefined;
    const texts = isRead
      ? await unpack(pack, { readFrozen, sessionId, cipher })
      : await unpackOpen(pack, readFrozen);
    const { conversation, audit } = pack.through;
    const ofAudit = segment("audit", audit, typeof texts.audit === "string" ? texts.audit : texts.audit());
    if (!isRead && pack.v === 2) ofAudit.onlyHashes = true;
    return { pack, segments: [segment("conversation", conversation, texts.conversation), ofAudit] };
  } catch (error) {
    if (!(error instanceof LoopliaError && error.code === "store-corrupt")) throw error;
    return { pack: undefined, segments: [segment("audit", 0, error.message)] };
  }
}

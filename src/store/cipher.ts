// Encrypts stored payloads with `state-key` (AES-256-GCM).
import {
  type BinaryLike,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
} from "node:crypto";
import { inflateRawSync } from "node:zlib";
import type { deflateSync } from "fflate";
import { LoopliaError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";

const NONCE_BYTES = 12;
/** Characters in Base64; without padding, so that it is the beginning of a longer text. */
const NONCE_TEXT = 16;
const TAG_BYTES = 16;
/** A line with more would not be read in any form. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;
/** Never change this: the hashes of audit lines are of the result. */
const HOW = { level: 6, mem: 4 } as const;
/** About a tenth of a second per process: this makes guessing a short key expensive. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** The form in a file: `<id of the key>.<base64 of nonce, ciphertext of the deflated text, and tag>`. */
type SealedPayload = { sealed: string };

/** Nonce, ciphertext and tag. */
type SealedBytes = { keyId: string; bytes: Buffer };

export type StoreCipher = {
  /**
   * `place`: the text can only be opened with the same place. With the `nonceOf` an earlier result, the same text is the
   * same result again, on every machine. Throws `config-invalid` if the nonce is of another key.
   */
  seal(place: readonly unknown[], text: string, nonce?: string): SealedPayload;
  nonceOf(sealed: SealedPayload): string;
  /**
   * Throws `config-invalid` if the payload was sealed with another key, and `store-corrupt`, naming `shown`,
   * if it was changed or moved to another place.
   */
  open(place: readonly unknown[], sealed: SealedPayload, shown: string): string;
  /** As `seal` and `open`, for bytes that are compressed already. */
  sealBytes(place: readonly unknown[], bytes: Uint8Array): SealedBytes;
  openBytes(place: readonly unknown[], sealed: SealedBytes, shown: string): Buffer;
  /** Throws `config-invalid` if the payload was sealed with another key. */
  checkKey(sealed: SealedPayload, shown: string): void;
};

/** True for a result of `seal`. */
export function isSealed(value: unknown): value is SealedPayload {
  return isObject(value) && Object.keys(value).length === 1 && typeof value.sealed === "string";
}

/**
 * Returns the cipher of a work by its id; each work has its own keys. Undefined without a secret. Each line
 * of a secret is a key: the first seals, all open.
 */
export function storeCiphers(
  secret: string | undefined,
): (workId: string) => Promise<StoreCipher | undefined> {
  const made = new Map<string, Promise<StoreCipher>>();
  const make = async (keys: Promise<[Buffer, ...Buffer[]]>) => {
    const { deflateSync } = await import("fflate");
    return createCipher(await keys, deflateSync);
  };
  return async (workId) => {
    if (secret === undefined) return undefined;
    const cipher = made.get(workId) ?? make(deriveKeys(secret, `looplia-state:${workId}`));
    made.set(workId, cipher);
    return cipher;
  };
}

async function deriveKeys(secret: string, salt: string): Promise<[Buffer, ...Buffer[]]> {
  const lines = secret.split(/\r?\n/).filter((line) => line.trim() !== "");
  // Earlier versions used a secret of several lines as one key.
  const [first = secret, ...others] = lines.length > 1 ? [...lines, secret] : [secret];
  return Promise.all([deriveKey(first, salt), ...others.map((key) => deriveKey(key, salt))]);
}

function deriveKey(secret: string, salt: BinaryLike): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize("NFC"), salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** `deflate`: one that gives the same bytes everywhere. zlib does not: its result depends on version and processor. */
function createCipher(keys: [Buffer, ...Buffer[]], deflate: typeof deflateSync): StoreCipher {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [key] = keys;
  const keyId = idOf(key);
  const keyOf = (id: string, shown: string): Buffer => {
    const found = byId.get(id);
    if (found) return found;
    throw keyError(`${shown} was encrypted with another \`state-key\`.`);
  };
  const partsOf = ({ sealed }: SealedPayload): SealedBytes => ({
    keyId: sealed.charAt(keyId.length) === "." ? sealed.slice(0, keyId.length) : "",
    bytes: Buffer.from(sealed.slice(keyId.length + 1), "base64"),
  });
  const sealWith = (own: Buffer, nonce: Buffer, place: readonly unknown[], bytes: Uint8Array) => {
    const cipher = createCipheriv("aes-256-gcm", own, nonce).setAAD(boundTo(place));
    const hidden = cipher.update(bytes);
    return Buffer.concat([nonce, hidden, cipher.final(), cipher.getAuthTag()]);
  };
  const fresh = (): SealedBytes => ({ keyId, bytes: randomBytes(NONCE_BYTES) });
  const openBytes: StoreCipher["openBytes"] = (place, { keyId: id, bytes }, shown) => {
    const own = keyOf(id, shown);
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const opener = createDecipheriv("aes-256-gcm", own, nonce, { authTagLength: TAG_BYTES });
      opener.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), opener.final()]);
    } catch (cause) {
      throw changedText(shown, cause);
    }
  };
  return {
    checkKey: (sealed, shown) => void keyOf(partsOf(sealed).keyId, shown),
    sealBytes: (place, bytes) => ({ keyId, bytes: sealWith(key, randomBytes(NONCE_BYTES), place, bytes) }),
    openBytes,
    nonceOf: ({ sealed }) => sealed.slice(0, keyId.length + 1 + NONCE_TEXT),
    seal(place, text, nonce) {
      const { keyId: id, bytes } = nonce === undefined ? fresh() : partsOf({ sealed: nonce });
      const hidden = sealWith(keyOf(id, "a packed line"), bytes, place, deflate(Buffer.from(text), HOW));
      return { sealed: `${id}.${hidden.toString("base64")}` };
    },
    open(place, sealed, shown) {
      const packed = openBytes(place, partsOf(sealed), shown);
      try {
        return inflateRawSync(packed, { maxOutputLength: MOST_LINE_BYTES }).toString("utf8");
      } catch (cause) {
        throw changedText(shown, cause);
      }
    },
  };
}

function changedText(shown: string, cause: unknown): LoopliaError {
  return new LoopliaError("store-corrupt", `${shown}: the encrypted text was changed or moved.`, {
    hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
    cause,
  });
}

function idOf(key: Buffer): string {
  return createHmac("sha256", key).update("key id").digest("hex").slice(0, 16);
}

function boundTo(place: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify(["looplia-state", 1, ...place]));
}

/** The cipher; throws `config-invalid` if there is none for sealed content. */
export function requireCipher(cipher: StoreCipher | undefined, shown: string): StoreCipher {
  if (cipher) return cipher;
  throw keyError(`${shown} is encrypted, and there is no \`state-key\`.`);
}

function keyError(message: string): LoopliaError {
  return new LoopliaError("config-invalid", message, {
    hint: "add the key that the work started with to `state-key`, on a line of its own; nothing was changed",
  });
}

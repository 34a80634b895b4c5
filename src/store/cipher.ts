// Encrypts stored payloads with `state-key` (AES-256-GCM).
import {
  type BinaryLike,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
} from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LoopliaError } from "../core/errors.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** About a tenth of a second per process: this makes guessing a short key expensive. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** The form in a file: `<id of the key>.<base64 of nonce, ciphertext of the deflated text, and tag>`. */
export type SealedPayload = { sealed: string };

export type StoreCipher = {
  /** `place`: the text can only be opened with the same place. */
  seal(place: readonly unknown[], text: string): SealedPayload;
  /**
   * Throws `config-invalid` if the payload was sealed with another key, and `store-corrupt`, naming `shown`,
   * if it was changed or moved to another place.
   */
  open(place: readonly unknown[], sealed: SealedPayload, shown: string): string;
  /** Throws `config-invalid` if the payload was sealed with another key. */
  checkKey(sealed: SealedPayload, shown: string): void;
};

/** True for a result of `seal`. */
export function isSealed(value: unknown): value is SealedPayload {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === 1 &&
    "sealed" in value &&
    typeof value.sealed === "string"
  );
}

/**
 * Returns the cipher of a work by its id; each work has its own keys. Undefined without a secret. Each line
 * of a secret is a key: the first seals, all open.
 */
export function storeCiphers(
  secret: string | undefined,
): (workId: string) => Promise<StoreCipher | undefined> {
  const made = new Map<string, Promise<StoreCipher>>();
  return async (workId) => {
    if (secret === undefined) return undefined;
    const cipher = made.get(workId) ?? deriveKeys(secret, `looplia-state:${workId}`).then(createCipher);
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

function createCipher(keys: [Buffer, ...Buffer[]]): StoreCipher {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [key] = keys;
  const keyId = idOf(key);
  const keyOf = ({ sealed }: SealedPayload, shown: string): Buffer => {
    const found = byId.get(sealed.slice(0, keyId.length));
    if (found && sealed.charAt(keyId.length) === ".") return found;
    throw keyError(`${shown} was encrypted with another \`state-key\`.`);
  };
  return {
    checkKey: (sealed, shown) => void keyOf(sealed, shown),
    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(place));
      const packed = cipher.update(deflateRawSync(text));
      const bytes = Buffer.concat([nonce, packed, cipher.final(), cipher.getAuthTag()]);
      return { sealed: `${keyId}.${bytes.toString("base64")}` };
    },
    open(place, sealed, shown) {
      const key = keyOf(sealed, shown);
      const bytes = Buffer.from(sealed.sealed.slice(keyId.length + 1), "base64");
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const opener = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
        opener.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const packed = opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return inflateRawSync(Buffer.concat([packed, opener.final()])).toString("utf8");
      } catch (cause) {
        throw new LoopliaError("store-corrupt", `${shown}: the encrypted text was changed or moved.`, {
          hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
          cause,
        });
      }
    },
  };
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
    hint: "add the key that the work was begun with to `state-key`, on a line of its own; nothing was changed",
  });
}

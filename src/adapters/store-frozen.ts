// The exact bytes that conversations began with, each under its own SHA-256; sealed where there is a key.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf, LoopliaError } from "../errors.ts";
import { sha256Of } from "../session/hash.ts";
import { diskError } from "./disk-errors.ts";
import { createFile, namesIn, readWhole } from "./durable-file.ts";
import { isSealed, requireCipher, type Sealed, type StoreCipher } from "./store-cipher.ts";

export type FrozenFiles = {
  /** Durable when it resolves; returns the SHA-256 of the UTF-8 bytes as hex. */
  freeze(bytes: string): Promise<string>;
  /** Fails with `store-corrupt` when they are missing or not the bytes that were frozen. */
  read(sha256: string): Promise<string>;
  /** Fails with `config-invalid` where some can't be read with the key that there is. */
  checkKey(): Promise<void>;
};

/** Those of a folder. With a cipher what is new is sealed; what was stored without one is read all the same. */
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
/** What bytes of a prompt do not begin with. */
const SEALED = Buffer.from('{"sealed":"');

function placeOf(sha256: string): string[] {
  return ["frozen", sha256];
}

function parseSealed(bytes: Buffer): Sealed | undefined {
  if (!bytes.subarray(0, SEALED.length).equals(SEALED)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isSealed(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function corrupt(path: string, reason: string): LoopliaError {
  return new LoopliaError("store-corrupt", `${path}: ${reason}; a conversation cannot go on without it.`, {
    hint: "Restore the file from a copy, or begin a fresh session.",
  });
}

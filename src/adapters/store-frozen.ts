// The exact bytes that conversations began with, each under its own SHA-256.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import { createFile, diskError, errnoOf, makeFolder } from "./durable-file.ts";

export type FrozenFiles = {
  /** Durable when it resolves; returns the SHA-256 of the UTF-8 bytes as hex. */
  freeze(bytes: string): Promise<string>;
  /** Fails with `store-corrupt` when they are missing or not the bytes that were frozen. */
  read(sha256: string): Promise<string>;
};

export function openFrozenFiles(folder: string): FrozenFiles {
  return {
    async freeze(bytes) {
      const sha256 = hashOf(bytes);
      await makeFolder(folder);
      await createFile(join(folder, sha256), bytes);
      return sha256;
    },
    async read(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw corrupt(sha256, "no SHA-256");
      const path = join(folder, sha256);
      const bytes = await readFile(path).catch((error: unknown) => {
        if (errnoOf(error) === "ENOENT") throw corrupt(path, "the file is missing");
        throw diskError(error, path);
      });
      if (hashOf(bytes) !== sha256) throw corrupt(path, "the bytes were changed");
      return bytes.toString("utf8");
    },
  };
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function corrupt(path: string, reason: string): LoopliaError {
  return new LoopliaError("store-corrupt", `${path}: ${reason}; a conversation cannot go on without it.`, {
    hint: "Restore the file from a copy, or begin a fresh session.",
  });
}

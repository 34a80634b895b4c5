// The one hash of the program.
import { createHash } from "node:crypto";

/** SHA-256 over the bytes (a text's UTF-8 form), in hex. */
export function sha256Of(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Its first 16 digits: what artifacts, sources and lists are known by. */
export function hashContent(content: string | Uint8Array): string {
  return sha256Of(content).slice(0, 16);
}

// The one short hash of the content domain: manifests, staleness and ids use it.
import { createHash } from "node:crypto";

/** First 16 hex digits of SHA-256 over the bytes (a text's UTF-8 form). */
export function hashContent(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

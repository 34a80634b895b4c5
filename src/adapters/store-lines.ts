// Payloads of a session's lines as they are stored: sealed in conversation and audit where there is a key. Events stay
// open, for recovery and those who only look need no key.
import type { PayloadReader } from "../session/codec.ts";
import type { StoredLine, StoreName } from "../session/events.ts";
import { isSealed, requireCipher, type StoreCipher } from "./store-cipher.ts";

/** The line with the payload that is stored. */
export function toStored(
  line: StoredLine,
  store: StoreName,
  sessionId: string,
  cipher: StoreCipher | undefined,
): StoredLine {
  if (!cipher || store === "events") return line;
  return { ...line, payload: cipher.seal(placeOf(line, store, sessionId), JSON.stringify(line.payload)) };
}

/** Restores payloads of a store; those of lines from before there was a key are as they are. */
export function payloadReader(
  store: StoreName,
  sessionId: string,
  cipher: StoreCipher | undefined,
): PayloadReader {
  return (line, shown) => {
    const { payload } = line;
    if (!isSealed(payload)) return payload;
    return JSON.parse(requireCipher(cipher, shown).open(placeOf(line, store, sessionId), payload, shown));
  };
}

function placeOf({ seq, type }: StoredLine, store: StoreName, sessionId: string): unknown[] {
  return [sessionId, store, seq, type];
}

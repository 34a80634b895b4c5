// What an approval is bound to (DURABILITY, "What an approval is bound to").

import canonicalize from "canonicalize";
import { sha256Of } from "../session/hash.ts";

/** A call that a person is asked about. */
export type BoundCall = {
  toolCallId: string;
  toolName: string;
  input: unknown;
  /** What the tool adds: e.g. the file's hash before and after. */
  binding: Record<string, string>;
};

/** SHA-256 (hex) over the RFC 8785 form of everything the answer is bound to. */
export function fingerprintOf(bound: {
  workId: string;
  sessionId: string;
  conversationId: string;
  /** The number of the request in its work: two equal questions are two requests. */
  ordinal: number;
  workingDirectory: string;
  calls: readonly BoundCall[];
  question?: unknown;
  /** How commands would run. */
  isolation?: { kind: string; network: boolean };
}): string {
  return sha256Of(canonicalize(JSON.parse(JSON.stringify(bound))) ?? "");
}

// The one error type. An expected failure is a LoopliaError with a stable code; every other error is a bug
// and propagates.
/** Stable codes: each is also a reason code of the public contract (INTERFACE §3). */
type ErrorCode =
  | "config-invalid"
  | "no-items"
  | "invalid-artifact"
  | "model-failed"
  | "host-failed"
  | "store-corrupt"
  | "busy"
  | "lost-race"
  | "closed"
  | "cost-limit"
  | "interrupted"
  | "deadline";

/** Why a model request failed; decides whether another model may be tried. */
export type ModelFailure =
  | "bad-key"
  | "no-credit"
  | "rate-limit"
  | "overloaded"
  | "context-too-long"
  | "network"
  | "bad-request"
  | "unavailable"
  /** The provider failed for a reason unrelated to the request. */
  | "server-error";

/** Why the host refused. `locked`: the conversation is locked and takes no comments. */
type HostFailure = "locked";

type Details = { hint?: string; cause?: unknown; modelFailure?: ModelFailure; hostFailure?: HostFailure };

/**
 * An expected failure: `message` says what failed and where, `hint` what to do. `modelFailure` is set only
 * with code `model-failed`, `hostFailure` only with `host-failed`.
 */
export class LoopliaError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly modelFailure: ModelFailure | undefined;
  readonly hostFailure: HostFailure | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "LoopliaError";
    this.code = code;
    this.hint = details.hint;
    this.modelFailure = details.modelFailure;
    this.hostFailure = details.hostFailure;
  }
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of a system error, for example `ENOENT`; undefined for anything else. */
export function errnoOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}

/** What failed and where, followed by the hint in brackets. */
export function explain(error: LoopliaError): string {
  return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
}

/** What `look` returns; undefined if it throws, whatever the reason. */
export function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

// Redacts arguments of ports, and requires our marker on everything that the program publishes.
import { LoopliaError } from "../core/errors.ts";
import type { Discussion } from "../core/ports-host.ts";
import { type Redact, redactNothing, redactValue } from "../core/redaction.ts";
import { readMarker } from "../publish/report.ts";

/** The same discussion; a comment that begins otherwise is a bug, and is not posted. */
export function requireMarkers(discussion: Discussion): Discussion {
  return {
    ...discussion,
    postComment: async (pullRequest, body) => discussion.postComment(pullRequest, marked(body)),
    editComment: async (id, body) => discussion.editComment(id, marked(body)),
  };
}

function marked(body: string): string {
  if (readMarker(body)) return body;
  throw new Error(`a comment without a marker: ${JSON.stringify(body.slice(0, 80))}`);
}

// Keeps secrets out of what leaves through a port, and out of errors.

/** The same port, told only texts without secrets: for ports that publish, where no argument is a secret by right. */
export function redactArguments<Port extends object>(port: Port, redact: Redact): Port {
  if (redact === redactNothing) return port;
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => Reflect.apply(member, target, redactValue(given, redact));
    },
  });
}

/** What was thrown, without secrets; whoever shows it shows also the stack and the causes of a bug. */
export function redactError(thrown: unknown, redact: Redact): unknown {
  if (redact === redactNothing || !(thrown instanceof Error)) return redactValue(thrown, redact);
  if (thrown instanceof LoopliaError) {
    const { code, hint, modelFailure } = thrown;
    return new LoopliaError(code, redact(thrown.message), {
      ...(hint === undefined ? {} : { hint: redact(hint) }),
      ...(modelFailure === undefined ? {} : { modelFailure }),
      ...(thrown.cause === undefined ? {} : { cause: redactError(thrown.cause, redact) }),
    });
  }
  thrown.message = redact(thrown.message);
  if (thrown.stack !== undefined) thrown.stack = redact(thrown.stack);
  if (thrown.cause !== undefined) thrown.cause = redactError(thrown.cause, redact);
  return thrown;
}

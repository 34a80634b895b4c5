// GitHub's own OpenAPI description, against which every request and every answer of the local server is held.
import { readFileSync } from "node:fs";
import { OpenAPIBackend, type Operation } from "openapi-backend";

const CONTRACT = new URL("../data/github-api/openapi-slice.json", import.meta.url);

export type Reply = { status: number; body: unknown; headers?: Record<string, string> };
export type PlainRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Record<string, string>;
};

let loading: ReturnType<typeof readContract> | undefined;

/** Read once in a process: its schemas are large, and compiled when they are first met. */
export function loadContract() {
  loading ??= readContract();
  return loading;
}

async function readContract() {
  const definition = JSON.parse(readFileSync(CONTRACT, "utf8"));
  const api = new OpenAPIBackend({
    definition,
    quick: true,
    strict: false,
    ajvOpts: { strict: false, formats, code: { optimize: false } },
  });
  await api.init();
  return {
    match(method: string, path: string): Operation | undefined {
      return api.matchOperation({ method, path, headers: {} });
    },
    checkRequest(operation: Operation, request: PlainRequest): string | undefined {
      return problems(api.validateRequest(request, operation));
    },
    checkReply(operation: Operation, reply: Reply): string | undefined {
      if (reply.status === 204) return undefined;
      return problems(api.validateResponse(reply.body, operation, reply.status));
    },
    /** An answer of the operation with made-up values, to be laid over. */
    mock(operation: Operation): Record<string, unknown> {
      return api.mockResponseForOperation(operation.operationId ?? "").mock;
    },
  };
}

const formats = {
  "date-time": true,
  uri: true,
  "uri-template": true,
  email: true,
  int64: true,
  ipv4: true,
  hostname: true,
  "repo.nwo": true,
} as const;

function problems(result: { valid: boolean; errors?: { instancePath: string; message?: string }[] | null }) {
  if (result.valid) return undefined;
  return (result.errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join("; ");
}

export function notFound(): Reply {
  return refusal(404, "Not Found");
}

export function refusal(status: number, message: string): Reply {
  return {
    status,
    body: { message, documentation_url: "https://docs.github.com/rest", status: String(status) },
  };
}

/** What GitHub answers to a value that it does not take. */
export function invalid(resource: string, message: string | undefined, field?: string): Reply {
  const error = message ? { resource, code: "custom", message } : { resource, field, code: "invalid" };
  return {
    status: 422,
    body: {
      message: "Validation Failed",
      errors: [error],
      documentation_url: "https://docs.github.com/rest",
    },
  };
}

/** One page of a list, with the header that leads to the next. */
export function paged(items: readonly unknown[], query: Record<string, string>, url: string): Reply {
  const size = Math.min(Number(query.per_page ?? 30), 100);
  const page = Number(query.page ?? 1);
  const body = items.slice((page - 1) * size, page * size);
  if (page * size >= items.length) return { status: 200, body };
  const next = new URLSearchParams({ ...query, page: String(page + 1) });
  return { status: 200, body, headers: { link: `<${url}?${next}>; rel="next"` } };
}

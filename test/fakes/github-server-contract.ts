// GitHub's own OpenAPI description, against which every request and every answer of the local server is held.
import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
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

/** Read once in a process. */
export function loadContract() {
  loading ??= readContract();
  return loading;
}

async function readContract() {
  const text = readFileSync(CONTRACT, "utf8");
  // Finds operations and makes up answers. Its own checks compile each schema anew wherever it is referred to, which
  // takes seconds: a schema is compiled once here, when it is first needed.
  const api = new OpenAPIBackend({ definition: JSON.parse(text), quick: true });
  await api.init();
  const schemas = schemasOf(JSON.parse(text, withNull));
  return {
    match(method: string, path: string): Operation | undefined {
      return api.matchOperation({ method, path, headers: {} });
    },
    checkRequest(operation: Operation, request: PlainRequest): string | undefined {
      const { params, query } = api.router.parseRequest(request, operation);
      const words = schemas.words(operation);
      if (!words({ path: params, query })) return problems(words.errors);
      if (request.body === undefined && !isBodyNeeded(operation)) return undefined;
      const body = schemas.at(operation, "requestBody");
      return body === undefined || body(request.body) ? undefined : problems(body.errors);
    },
    checkReply(operation: Operation, reply: Reply): string | undefined {
      if (reply.status === 204) return undefined;
      const body = schemas.at(operation, "responses", String(reply.status));
      return body === undefined || body(reply.body) ? undefined : problems(body.errors);
    },
    /** An answer of the operation with made-up values, to be laid over. */
    mock(operation: Operation): Record<string, unknown> {
      return api.mockResponseForOperation(operation.operationId ?? "").mock;
    },
  };
}

/** `nullable` beside `$ref` or `anyOf`, without a type, in the words of JSON Schema. */
function withNull(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("nullable" in value) || "type" in value) return value;
  const { nullable, ...schema } = value;
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : value;
}

/** Compiled schemas of the description, each referring to the others as the description does. */
function schemasOf(definition: object) {
  const options = { strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv(options).addSchema({ ...definition, $id: "github" });
  const lenient = new Ajv({ ...options, coerceTypes: "array" });
  const compiled = new Map<string, ValidateFunction | undefined>();
  const once = (key: string, compile: () => ValidateFunction | undefined): ValidateFunction | undefined => {
    if (!compiled.has(key)) compiled.set(key, compile());
    return compiled.get(key);
  };
  return {
    /** What is sent as JSON in a place of an operation. Undefined where nothing is. */
    at({ path, method }: Operation, ...place: string[]): ValidateFunction | undefined {
      const words = ["paths", path, method, ...place];
      return once(words.join(" "), () => {
        const { $ref } = (find(definition, words) ?? {}) as { $ref?: string };
        const to = [...($ref?.split("/").slice(1) ?? words), "content", "application/json", "schema"];
        if (find(definition, to) === undefined) return undefined;
        return ajv.compile({ $ref: `github#/${to.map(escapePointer).join("/")}` });
      });
    },
    /** The words of a path and a query, which are text on their way. */
    words(operation: Operation): ValidateFunction {
      const parameters = (operation.parameters ?? []) as Parameter[];
      return (
        once(`words ${operation.operationId}`, () =>
          lenient.compile({
            type: "object",
            properties: { path: wordsIn("path", parameters), query: wordsIn("query", parameters) },
          }),
        ) ?? lenient.compile(false)
      );
    },
  };
}

function isBodyNeeded({ requestBody }: Operation): boolean {
  return requestBody !== undefined && "required" in requestBody && requestBody.required === true;
}

type Parameter = { in: string; name: string; required?: boolean; schema?: object };

function wordsIn(place: string, parameters: readonly Parameter[]): object {
  const here = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(here.map(({ name, schema = {} }) => [name, schema])),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  };
}

function find(value: unknown, [word, ...rest]: readonly string[]): unknown {
  if (word === undefined || typeof value !== "object" || value === null) return value;
  return find((value as Record<string, unknown>)[word], rest);
}

function escapePointer(word: string): string {
  return encodeURIComponent(word.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function problems(errors: ValidateFunction["errors"]): string {
  return (errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join("; ");
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

// The Message Batches API beside the local Messages API: batches that stay in progress until a test ends them.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApiBody, type ApiFault, invalid, isFault, parseBody } from "./messages-api-rules.ts";
import { sendRefusal } from "./messages-api-send.ts";
import type { ApiMessage } from "./messages-api-stream.ts";

type Fate = "succeeded" | "errored" | "expired" | "canceled";
type Entry = { custom_id: string; params: ApiBody };
type KnownBatch = {
  id: string;
  createdAt: Date;
  entries: Entry[];
  results?: { custom_id: string; result: object }[];
  isArchived?: true;
};

export type LocalBatches = {
  /** All that were created, the oldest first. */
  readonly all: readonly KnownBatch[];
  /** Ends what is in progress; `fateOf` says how each request ended (default: it succeeded). */
  end(fateOf?: (body: ApiBody, index: number) => Fate): Promise<void>;
  /** A batch of somebody else in the same account. */
  addForeign(count: number): void;
  /** The next batch is created, and its sender never learns of it. */
  loseNextAnswer(): void;
  /** The next batch is refused with this status. */
  refuseNext(status: number): void;
  /** The results are no longer kept. */
  archive(): void;
};

type Surroundings = {
  /** The fault of a request, or nothing: what the Messages API itself would refuse. */
  faultOf(params: ApiBody): ApiFault | undefined;
  answer(params: ApiBody): Promise<ApiMessage>;
  readAll(request: IncomingMessage): Promise<string>;
  faults: string[];
};

const PATH = "/v1/messages/batches";

/** The server's part for these paths; `handle` returns false for all others. */
export function createBatches({ faultOf, answer, readAll, faults }: Surroundings) {
  const all: KnownBatch[] = [];
  let losesNext = false;
  let refusal: number | undefined;

  async function end(fateOf: (body: ApiBody, index: number) => Fate = () => "succeeded"): Promise<void> {
    for (const batch of all.filter(({ results }) => !results)) {
      const results: KnownBatch["results"] = [];
      for (const [index, { custom_id, params }] of batch.entries.entries()) {
        results.push({ custom_id, result: await resultOf(params, fateOf(params, index)) });
      }
      // The API promises no order.
      batch.results = results.reverse();
    }
  }

  async function resultOf(params: ApiBody, fate: Fate): Promise<object> {
    if (fate === "expired" || fate === "canceled") return { type: fate };
    const fault = fate === "errored" ? { type: "api_error", message: "Internal error" } : faultOf(params);
    if (fault && fate !== "errored") faults.push(`batch entry refused: ${fault.message}`);
    if (!fault) return { type: "succeeded", message: await answer(params) };
    const error = { type: fault.type, message: fault.message };
    return { type: "errored", error: { type: "error", error, request_id: "req_local" } };
  }

  function refuse(response: ServerResponse, fault: ApiFault): void {
    faults.push(`batch refused: ${fault.message}`);
    sendRefusal(response, { ...fault, headers: { "x-should-retry": "false" } });
  }

  async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = readEntries(await readAll(request));
    if (refusal !== undefined) {
      const status = refusal;
      refusal = undefined;
      return sendRefusal(response, { status, headers: { "x-should-retry": "false" } });
    }
    if (isFault(read)) return refuse(response, read);
    const batch = {
      id: `msgbatch_${String(all.length + 1).padStart(4, "0")}`,
      createdAt: new Date(),
      entries: read,
    };
    all.push(batch);
    if (losesNext) {
      losesNext = false;
      response.destroy();
      return;
    }
    sendJson(response, shown(batch));
  }

  function list(response: ServerResponse, query: URLSearchParams): void {
    const limit = Number(query.get("limit") ?? 20);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
      refuse(response, invalid("limit: 1 to 1000"));
      return;
    }
    const newest = all.toReversed();
    const after = query.get("after_id");
    const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const page = newest.slice(from, from + limit);
    const ends = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
    sendJson(response, { data: page.map(shown), has_more: from + limit < newest.length, ...ends });
  }

  /** False for a path of another API. */
  function handle(request: IncomingMessage, response: ServerResponse): Promise<void> | false {
    const url = new URL(request.url ?? "", "http://local");
    if (!url.pathname.startsWith(PATH)) return false;
    const [id, what] = url.pathname.slice(PATH.length + 1).split("/");
    if (request.method === "POST" && !id) return create(request, response);
    if (request.method === "GET" && !id) return Promise.resolve(list(response, url.searchParams));
    const batch = all.find((known) => known.id === id);
    const isGone = what === "results" && (!batch?.results || batch.isArchived);
    if (request.method !== "GET" || !batch || isGone || (what !== undefined && what !== "results")) {
      return Promise.resolve(sendRefusal(response, { status: 404, message: `${url.pathname}: Not found` }));
    }
    if (what === undefined) return Promise.resolve(sendJson(response, shown(batch)));
    response.writeHead(200, { "content-type": "application/x-jsonl" });
    response.end((batch.results ?? []).map((result) => `${JSON.stringify(result)}\n`).join(""));
    return Promise.resolve();
  }

  const batches: LocalBatches = {
    all,
    end,
    addForeign(count) {
      const entries = Array.from({ length: count }, (_, at) => ({
        custom_id: `foreign-${all.length}-${at}`,
        params: {} as ApiBody,
      }));
      const results = entries.map(({ custom_id }) => ({ custom_id, result: { type: "expired" } }));
      all.push({ id: `msgbatch_foreign_${all.length}`, createdAt: new Date(), entries, results });
    },
    loseNextAnswer() {
      losesNext = true;
    },
    refuseNext(status) {
      refusal = status;
    },
    archive() {
      for (const batch of all) batch.isArchived = true;
    },
  };
  return { batches, handle };
}

function readEntries(raw: string): Entry[] | ApiFault {
  const body = parseBody(raw);
  if (isFault(body)) return body;
  const extra = Object.keys(body).find((name) => name !== "requests");
  if (extra !== undefined) return invalid(`${extra}: Extra inputs are not permitted`);
  const { requests } = body;
  if (!Array.isArray(requests) || requests.length === 0) return invalid("requests: at least 1 item");
  if (requests.length > 100_000) return invalid("requests: at most 100000 items");
  const ids = new Set<string>();
  for (const [index, entry] of (requests as Entry[]).entries()) {
    const odd = Object.keys(entry).find((name) => name !== "custom_id" && name !== "params");
    if (odd !== undefined) return invalid(`requests.${index}.${odd}: Extra inputs are not permitted`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(entry.custom_id ?? ""))
      return invalid(`requests.${index}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
    if (ids.has(entry.custom_id)) return invalid(`requests.${index}.custom_id: not unique`);
    ids.add(entry.custom_id);
    if (entry.params?.stream) return invalid(`requests.${index}.params.stream: not supported in a batch`);
  }
  return requests as Entry[];
}

function shown({ id, createdAt, entries, results, isArchived }: KnownBatch): object {
  const types = (results ?? []).map(({ result }) => (result as { type: string }).type);
  const count = (type: string) => types.filter((one) => one === type).length;
  return {
    id,
    type: "message_batch",
    processing_status: results ? "ended" : "in_progress",
    request_counts: {
      processing: results ? 0 : entries.length,
      succeeded: count("succeeded"),
      errored: count("errored"),
      canceled: count("canceled"),
      expired: count("expired"),
    },
    created_at: createdAt.toISOString(),
    expires_at: new Date(createdAt.getTime() + 86_400_000).toISOString(),
    ended_at: results ? new Date().toISOString() : null,
    archived_at: isArchived ? new Date().toISOString() : null,
    cancel_initiated_at: null,
    results_url: results ? `https://api.anthropic.com${PATH}/${id}/results` : null,
  };
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

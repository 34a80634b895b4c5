// The Message Batches API: many requests at half price, answered within a day.
import type { BaseAnthropic } from "@anthropic-ai/sdk/client";
import type {
  MessageBatch,
  MessageBatchIndividualResponse,
} from "@anthropic-ai/sdk/resources/messages/batches";
import type { Message } from "@anthropic-ai/sdk/resources/messages/messages";
import { LoopliaError } from "../core/errors.ts";
import { DamagedReply, type Fault, retried, type Tries } from "../core/model-request.ts";
import type { Batch, BatchService, ModelReply, ModelRequest } from "../core/ports.ts";
import { ReplyCollector } from "./stream.ts";

const PATH = "/v1/messages/batches";
const PAGE = 100;

type Calls = {
  connect(): Promise<BaseAnthropic>;
  bodyOf(request: ModelRequest): object;
  triesOf(signal: AbortSignal): Tries;
};

/** The batches of the account that the client's key belongs to. */
export function createBatches({ connect, bodyOf, triesOf }: Calls): BatchService {
  const read = <T>(signal: AbortSignal, ask: (client: BaseAnthropic) => Promise<T>) =>
    retried(triesOf(signal), async () => ask(await connect()));
  return {
    share: 0.5,
    async send(entries, signal) {
      const requests = entries.map(({ customId, request }) => ({
        custom_id: customId,
        params: bodyOf(request),
      }));
      const tries = triesOf(signal);
      // After any failure but a refusal the batch may exist: whoever sends looks for it before it is sent again.
      const readFault = (thrown: unknown) => {
        const fault = tries.readFault(thrown);
        return fault && { ...fault, mayRetry: fault.mayRetry && isRefusal(fault) };
      };
      const create = async () => (await connect()).post<MessageBatch>(PATH, { body: { requests }, signal });
      return (await retried({ ...tries, readFault }, create)).id;
    },
    list: (since, signal) => read(signal, (client) => listSince(client, since, signal)),
    find: (id, signal) =>
      read(signal, async (client) => {
        const found = client.get<MessageBatch>(`${PATH}/${encodeURIComponent(id)}`, { signal });
        const batch = await found.catch((error: { status?: unknown }) => {
          if (error.status === 404) return undefined;
          throw error;
        });
        return batch === undefined || batch.archived_at ? undefined : toBatch(batch);
      }),
    async *results(id, signal) {
      // Not `results_url`: the key goes to no other host.
      const path = `${PATH}/${encodeURIComponent(id)}/results`;
      const response = await read(signal, (client) => client.get(path, { signal }).asResponse());
      const lines = linesOf(response);
      for (;;) {
        // A cut connection is not tried again: the next run reads the results from their beginning.
        const next = await retried({ ...triesOf(signal), maxRetries: 0 }, () => lines.next());
        if (next.done) return;
        yield readResult(next.value);
      }
    },
  };
}

function isRefusal({ kind, status }: Fault): boolean {
  return status !== undefined && (kind === "rate-limit" || kind === "overloaded");
}

function readResult(line: string): { customId: string; reply?: ModelReply } {
  const { custom_id: customId, result } = JSON.parse(line) as MessageBatchIndividualResponse;
  const reply = result.type === "succeeded" ? toReply(result.message) : undefined;
  return { customId, ...(reply === undefined ? {} : { reply }) };
}

/** The service lists the newest first. */
async function listSince(client: BaseAnthropic, since: Date, signal: AbortSignal): Promise<Batch[]> {
  const found: Batch[] = [];
  for (let after = ""; ; ) {
    const query = { limit: PAGE, ...(after === "" ? {} : { after_id: after }) };
    const page = await client.get<{ data: MessageBatch[]; has_more: boolean; last_id: string | null }>(PATH, {
      query,
      signal,
    });
    const batches = page.data.map(toBatch);
    const late = batches.filter(({ createdAt }) => new Date(createdAt) >= since);
    found.push(...late);
    if (!page.has_more || !page.last_id || late.length < batches.length) return found;
    after = page.last_id;
  }
}

function toBatch({ id, processing_status, request_counts, created_at }: MessageBatch): Batch {
  const count = Object.values(request_counts).reduce((sum, one) => sum + one, 0);
  return { id, isEnded: processing_status === "ended", count, createdAt: created_at };
}

/** Read like a stream, so that both kinds of answers are checked alike; undefined for an unusable answer. */
function toReply(message: Message): ModelReply | undefined {
  const collector = new ReplyCollector();
  const { content, stop_reason, usage } = message;
  try {
    collector.add({ type: "message_start", message });
    for (const [index, block] of content.entries()) {
      collector.add({ type: "content_block_start", index, content_block: block as never });
    }
    const delta = { stop_reason, stop_sequence: null, container: null, stop_details: null };
    collector.add({ type: "message_delta", delta, usage: usage as never });
    return collector.finish();
  } catch (error) {
    if (error instanceof DamagedReply || error instanceof LoopliaError) return undefined;
    throw error;
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

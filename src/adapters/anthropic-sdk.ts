// The part of the SDK that is used. Bundlers leave out the rest, which is most of it and would be read at each start.
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import type { APIPromise } from "@anthropic-ai/sdk/core/api-promise";
import type { Stream } from "@anthropic-ai/sdk/core/streaming";
import type {
  MessageCreateParamsStreaming,
  RawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/messages/messages";

/** A client of the Messages API and of nothing else. */
export class MessagesClient extends BaseAnthropic {
  /** As `messages.create` of the whole SDK, without what that brings along for batches, helpers and parsing. */
  streamMessage(
    body: MessageCreateParamsStreaming,
    { signal }: { signal: AbortSignal },
  ): APIPromise<Stream<RawMessageStreamEvent>> {
    return this.post("/v1/messages", { body, signal, stream: true });
  }
}

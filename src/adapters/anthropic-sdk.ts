// The part of the SDK that is used. Bundlers leave out the rest, which is most of it and would be read at each start.
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { Messages } from "@anthropic-ai/sdk/resources/messages/messages";

export { APIConnectionError, APIError } from "@anthropic-ai/sdk/core/error";

/** A client of the Messages API and of nothing else. */
export class MessagesClient extends BaseAnthropic {
  readonly messages = new Messages(this);
}

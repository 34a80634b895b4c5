// Declares the used part of the package. Its own declarations are megabytes, and the compiler would read all
// of them.

declare module "openai/core/streaming" {
  export class Stream<Item> implements AsyncIterable<Item> {
    /** Decodes server-sent events; throws an `error` event as an APIError. */
    static fromSSEResponse<Item>(
      response: Response,
      controller: AbortController,
      client: { logLevel: "off" },
    ): Stream<Item>;
    [Symbol.asyncIterator](): AsyncIterator<Item>;
  }
}

declare module "openai/core/error" {
  export class APIError extends Error {
    readonly status: number | undefined;
    readonly headers: Headers | undefined;
    readonly requestID: string | null | undefined;
    readonly error: unknown;
    readonly code: string | null | undefined;
    readonly type: string | undefined;
    static generate(status: number, body: unknown, message: string | undefined, headers: Headers): APIError;
  }
}

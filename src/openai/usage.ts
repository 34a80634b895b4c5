// What a server reports of an answer's tokens, held against what was sent and heard: a report that can't be true must
// not escape the limit of tokens.

import type { Usage } from "../core/events.ts";
import { countOr, tokensAtLeast } from "../core/model-request.ts";
import type { ModelRequest } from "../core/ports.ts";
import { fieldsOf } from "./fields.ts";

/** The tokens of one answer as the server reports them; the prompt's tokens include the cached ones. */
export function readUsage(prompt: unknown, details: unknown, output: unknown): Usage {
  const { cached_tokens, cache_write_tokens } = fieldsOf(details);
  const cacheReadTokens = countOr(0, cached_tokens);
  const cacheWriteTokens = countOr(0, cache_write_tokens);
  const inputTokens = Math.max(0, countOr(0, prompt) - cacheReadTokens - cacheWriteTokens);
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens: countOr(0, output) };
}

/** The report, with an estimate for the input or the output where fewer tokens are reported than the text can have. */
export function plausibleUsage(told: Usage, { prefix, messages }: ModelRequest, said: string): Usage {
  const cached = told.cacheReadTokens + told.cacheWriteTokens;
  const input = tokensAtLeast(told.inputTokens + cached, JSON.stringify([prefix, messages]));
  return { ...told, inputTokens: input - cached, outputTokens: tokensAtLeast(told.outputTokens, said) };
}

import { expect, it } from "vitest";
import { findProvider } from "../../src/config/providers.ts";

const NONE = {
  anthropicApiKey: undefined,
  claudeCodeOauthToken: undefined,
  anthropicCloud: "none" as const,
  openaiApiKey: undefined,
  openaiBaseUrl: undefined,
};
const own = "http://localhost:11434/v1";

it.each([
  ["auto", {}, undefined],
  ["auto", { openaiApiKey: "k" }, "openai"],
  ["auto", { openaiApiKey: "k", anthropicApiKey: "k" }, "anthropic"],
  ["auto", { openaiBaseUrl: own }, undefined],
  ["openai", { anthropicApiKey: "k" }, undefined],
  ["openai", { openaiBaseUrl: own }, "openai"],
  ["openai", { openaiBaseUrl: "https://api.openai.com/v1" }, undefined],
  ["anthropic", { openaiApiKey: "k" }, undefined],
  ["claude", { claudeCodeOauthToken: "k" }, "claude"],
  ["claude", { openaiApiKey: "k" }, undefined],
  ["codex", { openaiApiKey: "k" }, "codex"],
  ["auto", { openaiApiKey: "k", anthropicCloud: "bedrock" }, "anthropic"],
  ["offline", {}, "offline"],
] as const)("%s with %j is %s", (provider, access, expected) => {
  expect(findProvider({ ...NONE, ...access, provider })).toBe(expected);
});

// The model providers, and what each one needs before its first request.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { quietly } from "../core/errors.ts";
import { isObject, parseJson } from "../core/json.ts";
import { secretSettings } from "./secrets.ts";

export type Provider = (typeof PROVIDERS)[number];
export const PROVIDERS = ["anthropic", "openai", "claude", "codex", "offline"] as const;

export const DEFAULT_ANTHROPIC_MODEL = "claude-sonnet-5-5";

/** The variables that people set, by provider. Agent programs never use a login of the machine. */
const KEY_VARIABLES: Readonly<Record<Exclude<Provider, "offline">, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  claude: "ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token` prints one)",
  codex: "OPENAI_API_KEY (a ChatGPT login can't be used)",
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The words for a provider without access, and what to do. A ChatGPT login in Codex's home is named, because people
 * take it for a key.
 */
export function describeMissingKey(
  provider: Exclude<Provider, "offline">,
  environment: Environment,
): { problem: string; fix: string } {
  const login = provider === "codex" ? findChatGptLogin(environment) : undefined;
  return {
    problem: login
      ? `the provider codex can't use the ChatGPT login in ${login}, and has no key`
      : `the provider ${provider} has no key`,
    fix: `set the variable ${KEY_VARIABLES[provider]}`,
  };
}

/** The file of a login without an API key. Nothing else is read from it. */
function findChatGptLogin({ CODEX_HOME, HOME }: Environment): string | undefined {
  const home = CODEX_HOME || (HOME && join(HOME, ".codex"));
  if (!home) return undefined;
  const file = join(home, "auth.json");
  const login = parseJson(quietly(() => readFileSync(file, "utf8")) ?? "");
  return isObject(login) && (isObject(login.tokens) || login.auth_mode === "chatgpt") ? file : undefined;
}

/** Where `provider: anthropic` sends requests; `none`: to Anthropic itself. */
const CLOUDS = ["none", "bedrock", "vertex"] as const;

type Access = {
  anthropicCloud: (typeof CLOUDS)[number];
  provider: "auto" | Provider;
  anthropicApiKey: string | undefined;
  claudeCodeOauthToken: string | undefined;
  openaiApiKey: string | undefined;
  openaiBaseUrl: string | undefined;
};

/** True if a key is set; a user's own server at `openai-base-url` may need none. */
export function hasAccess(provider: Provider, settings: Access): boolean {
  switch (provider) {
    case "anthropic":
      return settings.anthropicApiKey !== undefined || settings.anthropicCloud !== "none";
    case "claude":
      return settings.anthropicApiKey !== undefined || settings.claudeCodeOauthToken !== undefined;
    case "openai":
    case "codex":
      return settings.openaiApiKey !== undefined || isOwnServer(settings.openaiBaseUrl);
    case "offline":
      return true;
  }
}

/** True for an address that is not OpenAI's. */
export function isOwnServer(address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && new URL(address).hostname !== "api.openai.com";
}

/** The named provider, or for `auto` the first one whose key is set; undefined if it has no access. */
export function findProvider(settings: Access): Provider | undefined {
  const { provider } = settings;
  if (provider !== "auto") return hasAccess(provider, settings) ? provider : undefined;
  if (hasAccess("anthropic", settings)) return "anthropic";
  return settings.openaiApiKey === undefined ? undefined : "openai";
}

/** How providers are reached: rows of the one table in settings-table.ts. */
export const accessSettings = [
  {
    ...secretSettings.anthropicApiKey,
    isInput: true,
    type: { kind: "string" },
    description: "The key of the providers `anthropic` and `claude`.",
  },
  {
    ...secretSettings.claudeCodeOauthToken,
    type: { kind: "string" },
    description:
      "The token that `claude setup-token` prints: lets the provider `claude` use a subscription if `anthropic-api-key` is not set.",
  },
  {
    name: "anthropic-base-url",
    isInput: true,
    type: {
      kind: "string",
      pattern: /^https?:\/\/\S+$/,
      form: "an address that starts with https:// or http://",
    },
    usualName: "ANTHROPIC_BASE_URL",
    outsideFile: true,
    defaultText: "the provider's",
    description: "Another address for the providers `anthropic` and `claude`, for example a proxy.",
  },
  {
    name: "anthropic-cloud",
    type: { kind: "enum", values: CLOUDS },
    default: "none",
    description:
      "Use `anthropic` models at Amazon `bedrock` or Google `vertex`, with the cloud's own credentials; see [Claude through clouds](models.md#claude-through-clouds).",
  },
  {
    ...secretSettings.openaiApiKey,
    isInput: true,
    type: { kind: "string" },
    description:
      "The key of the providers `openai` and `codex`; a server of your own at `openai-base-url` may need none.",
  },
  {
    name: "openai-base-url",
    isInput: true,
    type: {
      kind: "string",
      pattern: /^https?:\/\/\S+$/,
      form: "an address that starts with https:// or http://",
    },
    usualName: "OPENAI_BASE_URL",
    outsideFile: true,
    defaultText: "the provider's",
    description:
      "Another address for the provider `openai`: a compatible server (vLLM, Ollama, LiteLLM, llama.cpp), for example `http://localhost:11434/v1`.",
  },
  {
    name: "openai-api",
    type: { kind: "enum", values: ["auto", "responses", "chat"] },
    default: "auto",
    description:
      "The API that the provider `openai` uses: `auto` is the Responses API at OpenAI itself and Chat Completions at any other `openai-base-url`.",
  },
  {
    name: "tool-calls",
    type: { kind: "enum", values: ["auto", "native", "text"] },
    default: "auto",
    description:
      "How models call tools. `native`: through the API; `text`: the prompt describes the tools, and calls are read from the model's text; `auto`: `text` for a model of the provider `openai` whose server rejects tools, otherwise `native`.",
  },
] as const;

// The model that the settings name. Only the provider that is used is loaded.
import { DEFAULT_ANTHROPIC_MODEL, isOwnServer } from "../../config/providers.ts";
import type { Settings } from "../../config/settings-table.ts";
import { LoopliaError } from "../../core/errors.ts";
import { Pace } from "../../core/model-request.ts";
import type { Model } from "../../core/ports.ts";
import type { ProgramSurroundings } from "./programs.ts";

/** OpenAI's for everyday work, which costs what Anthropic's default costs. */
export const DEFAULT_OPENAI_MODEL = "gpt-6.2-sol";

/** The model that the settings name; an agent program is one. */
export async function createModel(
  settings: Settings,
  isDemo: boolean,
  place: ProgramSurroundings,
): Promise<Model> {
  const { provider, toolCalls } = settings;
  if (provider === "claude" || provider === "codex") {
    const { createProgram } = await import("./programs.ts");
    return createProgram(provider, settings, place);
  }
  const model = await createNativeModel(settings, isDemo);
  const mayRefuseTools = provider === "openai" && toolCalls === "auto";
  if (provider === "offline" || (toolCalls !== "text" && !mayRefuseTools)) return model;
  const { withTextCalls } = await import("../../openai/text-model.ts");
  return withTextCalls(model, mayRefuseTools ? "auto" : "text");
}

/** One for all models of this process that a service limits together. */
const paces = new Map<string, Pace>();

function paceOf({ provider }: Settings): Pace {
  const pace = paces.get(provider) ?? new Pace();
  paces.set(provider, pace);
  return pace;
}

async function createNativeModel(settings: Settings, isDemo: boolean): Promise<Model> {
  if (settings.provider === "anthropic" && settings.anthropicCloud !== "none") {
    const { createCloudModel } = await import("../../anthropic/cloud.ts");
    return createCloudModel(settings.anthropicCloud, {
      environment: process.env,
      pace: paceOf(settings),
    });
  }
  if (settings.provider === "anthropic") {
    const { createAnthropicModel } = await import("../../anthropic/model.ts");
    const baseURL = settings.anthropicBaseUrl;
    const access = { apiKey: settings.anthropicApiKey ?? "", ...(baseURL ? { baseURL } : {}) };
    return createAnthropicModel({ ...access, pace: paceOf(settings) });
  }
  if (settings.provider === "openai") {
    const { createOpenAIModel } = await import("../../openai/model.ts");
    const { openaiApiKey: apiKey = "", openaiBaseUrl: baseURL, openaiApi: api } = settings;
    return createOpenAIModel({ apiKey, api, pace: paceOf(settings), ...(baseURL ? { baseURL } : {}) });
  }
  const { createOfflineModel } = await import("../../offline/model.ts");
  return createOfflineModel({ askInDemo: isDemo });
}

/** The model of the provider where the settings name none. */
export async function defaultModel(settings: Settings): Promise<string> {
  const { provider } = settings;
  if (provider === "anthropic") return defaultAnthropicModel(settings);
  if (provider === "claude") return DEFAULT_ANTHROPIC_MODEL;
  if (provider === "openai" || provider === "codex") return defaultOpenAIModel(settings);
  return (await import("../../offline/model.ts")).OFFLINE_MODEL;
}

/** Clouds have names of their own for models. */
function defaultAnthropicModel({ model, anthropicCloud }: Settings): string {
  if (model === undefined && anthropicCloud !== "none") {
    throw new LoopliaError("config-invalid", `anthropic-cloud: ${anthropicCloud} needs a \`model\`.`, {
      hint: "Set `model` to the model's name at the cloud, for example us.anthropic.claude-sonnet-5-5-v1:0.",
    });
  }
  return DEFAULT_ANTHROPIC_MODEL;
}

/**
 * Which models a server of the user's own has, nobody here knows. One that offers the Responses API, which Codex needs
 * too, is a gateway to OpenAI.
 */
function defaultOpenAIModel({ provider, model, openaiApi, openaiBaseUrl }: Settings): string {
  const isGateway = provider === "codex" || openaiApi === "responses";
  if (model !== undefined || isGateway || !isOwnServer(openaiBaseUrl)) return DEFAULT_OPENAI_MODEL;
  const host = openaiBaseUrl === undefined ? "" : new URL(openaiBaseUrl).host;
  const problem = `openai-base-url (OPENAI_BASE_URL) is set and leads to ${host}: the server there needs a \`model\`.`;
  throw new LoopliaError("config-invalid", problem, {
    hint: "Set `model` to a model of that server, for example qwen3:32b; for a gateway to OpenAI set `openai-api: responses`; or unset the address.",
  });
}

/** Where the provider is asked; empty where nobody is, or a cloud's package knows. */
export function modelAddress({
  provider,
  anthropicBaseUrl,
  openaiBaseUrl,
  anthropicCloud,
}: Settings): string {
  if (provider === "openai" || provider === "codex") return openaiBaseUrl ?? "https://api.openai.com/v1";
  if (provider === "offline" || anthropicCloud !== "none") return "";
  return anthropicBaseUrl ?? "https://api.anthropic.com";
}

// A local server behind each kind of model, its script written once, as calls of the Messages API.
import { writtenScript } from "../openai/written-calls.ts";
import { startMessagesApi } from "./messages-api.ts";
import { startOpenAIApi } from "./openai-api.ts";
import { type ProgramScript, programFile, serveProgram } from "./program-world.ts";

const KEY = "sk-canary-of-the-models-key";

export const MODEL_KINDS = [
  "anthropic",
  "openai responses",
  "openai chat",
  "calls from text",
  "anthropic, calls from text",
  "claude",
  "codex",
] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export type ModelServer = {
  /** What selects it, and nothing else, over the command line and in the Action. */
  environment: Record<string, string>;
  assertDone(): void;
  close(): Promise<void>;
};

export async function startModelServer(kind: ModelKind, script: ProgramScript): Promise<ModelServer> {
  if (kind === "claude" || kind === "codex") {
    const program = programFile(kind);
    const { path, api, environment } = await serveProgram({ name: kind, program }, script);
    return { ...handleOf(api), environment: { ...environment, PATH: path } };
  }
  if (kind.startsWith("anthropic")) {
    const isWritten = kind !== "anthropic";
    const api = await startMessagesApi(isWritten ? writtenScript(script) : script, { apiKey: KEY });
    const environment = {
      ...{ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: api.url, LOOPLIA_MODEL: "claude-opus-4-8" },
      ...(isWritten ? { LOOPLIA_TOOL_CALLS: "text" } : {}),
    };
    return { ...handleOf(api), environment };
  }
  const isWritten = kind === "calls from text";
  const options = isWritten ? { refuseTools: "this model does not support tools" } : {};
  const api = await startOpenAIApi(isWritten ? writtenScript(script) : script, { apiKey: KEY, ...options });
  const environment = {
    ...{ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: api.url, LOOPLIA_MODEL: "gpt-6.2-sol" },
    LOOPLIA_OPENAI_API: kind === "openai responses" ? "responses" : "chat",
  };
  return { ...handleOf(api), environment };
}

function handleOf(api: Pick<ModelServer, "assertDone" | "close">) {
  return { assertDone: () => api.assertDone(), close: () => api.close() };
}

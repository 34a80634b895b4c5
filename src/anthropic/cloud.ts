// Claude at Amazon Bedrock and Google Vertex AI, through Anthropic's packages, which the first request loads.

import { LoopliaError } from "../core/errors.ts";
import type { Usage } from "../core/events.ts";
import type { Endpoint, Retries } from "../core/model-request.ts";
import type { Model } from "../core/ports.ts";
import { CLIENT_OPTIONS, modelOver } from "./model.ts";
import { priceOf } from "./prices.ts";
import { HINTS } from "./stream.ts";

type Cloud = "bedrock" | "vertex";

/**
 * `environment`: values that the clouds' packages do not read themselves, or only with an unclear error
 * message.
 */
type CloudOptions = Retries & { environment: Readonly<Record<string, string | undefined>> };

/**
 * A Model over a cloud's Messages API. Credentials come from the cloud's usual places, prices from the list
 * that Anthropic and the clouds share. Throws `config-invalid` when region or project is missing.
 */
export function createCloudModel(cloud: Cloud, { environment, ...retries }: CloudOptions): Model {
  return cloud === "bedrock"
    ? createBedrockModel(environment, retries)
    : createVertexModel(environment, retries);
}

type Environment = CloudOptions["environment"];

/** Both clouds charge a tenth more where the data stays in a region (November 2026). */
const REGIONAL = 1.1;

function priced(name: string | undefined, isGlobal: boolean, usage: Usage): number | null {
  const price = name === undefined ? null : priceOf(name, usage);
  return price === null || isGlobal ? price : price * REGIONAL;
}

/**
 * `global.anthropic.claude-sonnet-5-5-v1:0`, alone or at the end of an ARN. Profiles with names of their own and
 * the regions of governments have no price.
 */
const BEDROCK_ID =
  /(?:^|:(?:inference-profile|foundation-model)\/)(?:(global|us|eu|apac|jp|au|ca)\.)?anthropic\.(claude-[a-z0-9-]+?)(?:-v\d+)?(?::\d+)?$/;

function priceAtBedrock(model: string, usage: Usage): number | null {
  const [, where, name] = BEDROCK_ID.exec(model) ?? [];
  return priced(name, where === "global", usage);
}

function createBedrockModel(environment: Environment, retries: Retries): Model {
  const awsRegion = environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  if (!awsRegion) throw missing("bedrock", "AWS_REGION");
  const baseURL =
    environment.ANTHROPIC_BEDROCK_BASE_URL || `https://bedrock-runtime.${awsRegion}.amazonaws.com`;
  const connect = async () => {
    const { AnthropicBedrock } = await import("@anthropic-ai/bedrock-sdk");
    return new AnthropicBedrock({ ...CLIENT_OPTIONS, awsRegion, baseURL });
  };
  const endpoint = endpointOf("Amazon Bedrock", baseURL, environment.AWS_BEARER_TOKEN_BEDROCK);
  return modelOver(endpoint, connect, { ...retries, priceOf: priceAtBedrock });
}

function createVertexModel(environment: Environment, retries: Retries): Model {
  const { CLOUD_ML_REGION: region, ANTHROPIC_VERTEX_PROJECT_ID } = environment;
  const projectId = ANTHROPIC_VERTEX_PROJECT_ID || environment.GOOGLE_CLOUD_PROJECT;
  if (!region) throw missing("vertex", "CLOUD_ML_REGION");
  if (!projectId) throw missing("vertex", "ANTHROPIC_VERTEX_PROJECT_ID");
  const connect = async () => {
    const { AnthropicVertex } = await import("@anthropic-ai/vertex-sdk");
    return new AnthropicVertex({ ...CLIENT_OPTIONS, region, projectId });
  };
  // The package chooses the address; this one is only shown.
  const baseURL = environment.ANTHROPIC_VERTEX_BASE_URL || `https://${region}-aiplatform.googleapis.com/v1`;
  return modelOver(endpointOf("Vertex AI", baseURL), connect, {
    ...retries,
    priceOf: (model, usage) => priced(model.replace(/@/, "-"), region === "global", usage),
  });
}

function endpointOf(service: string, baseURL: string, apiKey = ""): Endpoint {
  const key = "Check the credentials of the cloud, and that they may use the model; see docs/models.md.";
  return { apiKey, baseURL, service, hints: { ...HINTS, "bad-key": key } };
}

function missing(cloud: Cloud, variable: string): LoopliaError {
  return new LoopliaError("config-invalid", `anthropic-cloud: ${cloud} needs ${variable}.`, {
    hint: "Set it in the step's `env`; see docs/models.md.",
  });
}

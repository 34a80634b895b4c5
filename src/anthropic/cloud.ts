// Claude at Amazon Bedrock and Google Vertex AI, through Anthropic's packages, which the first request loads.

import { LoopliaError } from "../core/errors.ts";
import type { Endpoint, Retries } from "../core/model-request.ts";
import type { Model } from "../core/ports.ts";
import { CLIENT_OPTIONS, modelOver } from "./model.ts";
import { HINTS } from "./stream.ts";

type Cloud = "bedrock" | "vertex";

/**
 * `environment`: values that the clouds' packages do not read themselves, or only with an unclear error
 * message.
 */
type CloudOptions = Retries & { environment: Readonly<Record<string, string | undefined>> };

/**
 * A Model over a cloud's Messages API. Credentials come from the cloud's usual places. Prices differ by
 * region and contract, so no model has one. Throws `config-invalid` when region or project is missing.
 */
export function createCloudModel(cloud: Cloud, { environment, ...retries }: CloudOptions): Model {
  const options = { ...retries, priceOf: () => null };
  return cloud === "bedrock"
    ? createBedrockModel(environment, options)
    : createVertexModel(environment, options);
}

type Environment = CloudOptions["environment"];
type Options = Parameters<typeof modelOver>[2];

function createBedrockModel(environment: Environment, options: Options): Model {
  const awsRegion = environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  if (!awsRegion) throw missing("bedrock", "AWS_REGION");
  const baseURL =
    environment.ANTHROPIC_BEDROCK_BASE_URL || `https://bedrock-runtime.${awsRegion}.amazonaws.com`;
  const connect = async () => {
    const { AnthropicBedrock } = await import("@anthropic-ai/bedrock-sdk");
    return new AnthropicBedrock({ ...CLIENT_OPTIONS, awsRegion, baseURL });
  };
  const endpoint = endpointOf("Amazon Bedrock", baseURL, environment.AWS_BEARER_TOKEN_BEDROCK);
  return modelOver(endpoint, connect, options);
}

function createVertexModel(environment: Environment, options: Options): Model {
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
  return modelOver(endpointOf("Vertex AI", baseURL), connect, options);
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

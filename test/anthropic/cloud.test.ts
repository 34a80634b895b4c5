// Claude at Bedrock and Vertex against a local server: the request as each cloud takes it, signed, and the answer as it sends it.
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCloudModel } from "../../src/anthropic/cloud.ts";
import { ask, say, signal } from "./anthropic-fixture.ts";

type Asked = { path: string; headers: IncomingHttpHeaders; body: string };
type Answering = (asked: Asked, response: ServerResponse) => void;

async function startServer(answer: Answering): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    asked.push(one);
    answer(one, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => new Promise((closed) => server.close(() => closed())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function withVariables(variables: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return variables;
}

const usage = {
  input_tokens: 9,
  output_tokens: 4,
  cache_read_input_tokens: 2,
  cache_creation_input_tokens: 0,
};
const EVENTS = [
  {
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [],
      stop_reason: null,
      usage,
    },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "t1", name: "readFile", input: {} },
  },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json: '{"path":"a.md"}' },
  },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 7 },
  },
  { type: "message_stop" },
];
const REPLY = {
  message: { content: [{ type: "tool_use", id: "t1", name: "readFile", input: { path: "a.md" } }] },
  stopReason: "tool_use",
  usage: { inputTokens: 9, outputTokens: 7, cacheReadTokens: 2 },
};

/** One frame of AWS's binary event stream. */
function frameOf(event: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({
      ":event-type": "chunk",
      ":content-type": "application/json",
      ":message-type": "event",
    }).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, 0, value.length]),
        Buffer.from(value),
      ]),
    ),
  );
  const bytes = Buffer.from(JSON.stringify(event)).toString("base64");
  const payload = Buffer.from(JSON.stringify({ bytes }));
  const frame = Buffer.alloc(16 + headers.length + payload.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  headers.copy(frame, 12);
  payload.copy(frame, 12 + headers.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - 4)), frame.length - 4);
  return frame;
}

test("Bedrock: signed with AWS's own credentials, the model in the path, the answer in AWS's frames", async () => {
  const server = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    response.end(Buffer.concat(EVENTS.map(frameOf)));
  });
  const environment = withVariables({
    ...{
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "canary-secret-of-aws",
    },
    ...{ ANTHROPIC_BEDROCK_BASE_URL: server.url, ANTHROPIC_API_KEY: "not-for-aws" },
  });
  const model = createCloudModel("bedrock", { environment });
  const request = { ...ask(say("hi")), model: "eu.anthropic.claude-sonnet-5-5-v1:0" };
  expect(await model.respond(request, { signal })).toMatchObject(REPLY);
  const [first] = server.asked;
  expect(first?.path).toBe("/model/eu.anthropic.claude-sonnet-5-5-v1:0/invoke-with-response-stream");
  expect(first?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request/,
  );
  expect(JSON.stringify(first)).not.toMatch(/canary-secret|not-for-aws/);
  const body = JSON.parse(first?.body ?? "{}");
  expect(body).toMatchObject({ anthropic_version: expect.any(String), tools: [{ name: "readFile" }] });
  expect(body).not.toHaveProperty("model");
});

test("Vertex: the job's OIDC token is exchanged at Google's STS, and project and model stand in the path", async () => {
  const server = await startServer(({ path }, response) => {
    if (path === "/token") {
      const token = { access_token: "ya29.exchanged", token_type: "Bearer", expires_in: 3600 };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const folder = await mkdtemp(join(tmpdir(), "looplia-vertex-"));
  await writeFile(join(folder, "token"), "the-job's-token");
  const credentials = {
    type: "external_account",
    audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/github",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${server.url}/token`,
    credential_source: { file: join(folder, "token") },
  };
  await writeFile(join(folder, "credentials.json"), JSON.stringify(credentials));
  const environment = withVariables({
    ...{ CLOUD_ML_REGION: "europe-west1", GOOGLE_CLOUD_PROJECT: "my-project" },
    ...{
      GOOGLE_APPLICATION_CREDENTIALS: join(folder, "credentials.json"),
      ANTHROPIC_VERTEX_BASE_URL: server.url,
    },
  });
  const model = createCloudModel("vertex", { environment });
  const reply = await model.respond({ ...ask(say("hi")), model: "claude-sonnet-5-5" }, { signal });
  expect(reply).toMatchObject(REPLY);
  const [exchanged, asked] = server.asked;
  expect(decodeURIComponent(exchanged?.body ?? "")).toContain("subject_token=the-job's-token");
  expect(asked?.path).toBe(
    "/projects/my-project/locations/europe-west1/publishers/anthropic/models/claude-sonnet-5-5:streamRawPredict",
  );
  expect(asked?.headers.authorization).toBe("Bearer ya29.exchanged");
});

test("a refusal of the cloud and missing variables say what to do", async () => {
  const server = await startServer((_, response) =>
    response
      .writeHead(403, { "content-type": "application/json" })
      .end(JSON.stringify({ message: "You don't have access to the model with the specified model ID." })),
  );
  const environment = withVariables({
    ...{ AWS_REGION: "us-east-1", AWS_BEARER_TOKEN_BEDROCK: "bearer-canary-0123456789" },
    ANTHROPIC_BEDROCK_BASE_URL: server.url,
  });
  await expect(
    createCloudModel("bedrock", { environment }).respond(ask(say("hi")), { signal }),
  ).rejects.toMatchObject({
    code: "model-failed",
    message: expect.stringMatching(/Amazon Bedrock .*don't have access/),
  });
  expect(server.asked[0]?.headers.authorization).toBe("Bearer bearer-canary-0123456789");
  expect(() => createCloudModel("bedrock", { environment: {} })).toThrow(/needs AWS_REGION/);
  expect(() => createCloudModel("vertex", { environment: {} })).toThrow(/needs CLOUD_ML_REGION/);
});

test("a cloud's names have the prices of the list, and a tenth more where the data stays in a region", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const bedrock = createCloudModel("bedrock", { environment: { AWS_REGION: "eu-central-1" } });
  const arn = "arn:aws:bedrock:eu-central-1:123456789012";
  const prices = new Map([
    ["global.anthropic.claude-sonnet-5-5-v1:0", 2],
    ["eu.anthropic.claude-sonnet-5-5-v1:0", 2.2],
    ["anthropic.claude-haiku-4-5-20251001-v1:0", 1.1],
    ["anthropic.claude-opus-4-6-v1", 5.5],
    [`${arn}:inference-profile/global.anthropic.claude-sonnet-4-6`, 3],
    // Nobody here knows what these are.
    [`${arn}:application-inference-profile/abc123`, null],
    ["us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", null],
    ["anthropic.claude-2", null],
    ["claude-sonnet-5-5", null],
  ]);
  const told = [...prices.keys()].map((name): [string, number | null] => [
    name,
    bedrock.priceOf(name, usage),
  ]);
  expect(told.map(([name, price]) => [name, price && Number(price.toFixed(9))])).toEqual([...prices]);
  const vertexAt = (region: string) =>
    createCloudModel("vertex", {
      environment: { CLOUD_ML_REGION: region, ANTHROPIC_VERTEX_PROJECT_ID: "p" },
    });
  expect(vertexAt("global").priceOf("claude-sonnet-4-5@20250929", usage)).toBe(3);
  expect(vertexAt("europe-west1").priceOf("claude-sonnet-5-5", usage)).toBeCloseTo(2.2);
  expect(vertexAt("global").priceOf("gemini-4", usage)).toBeNull();
});

// The story of an article over the command line, with each of OpenAI's APIs behind it.
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Turn } from "../fakes/messages-api-script.ts";
import { startOpenAIApi } from "../fakes/openai-api.ts";
import { writtenScript } from "../openai/written-calls.ts";

const question = { question: "Which angle?", options: ["Calm", "Loud"] };

describe.each([
  ["responses", { OPENAI_API_KEY: "sk-proj-canary-0123456789", LOOPLIA_OPENAI_API: "responses" }],
  ["chat", { LOOPLIA_PROVIDER: "openai" }],
  ["chat without tools", { LOOPLIA_PROVIDER: "openai" }],
])("provider openai over %s", (kind, access) => {
  it("asks, ends, and goes on with the answer in another process", async () => {
    const apiKey = "OPENAI_API_KEY" in access ? access.OPENAI_API_KEY : undefined;
    const script = (body: ApiBody): Turn => {
      if (dueOutputs(body)[0] !== "ideas" || body.messages.length > 1) return writeDue(body);
      const ask = { type: "tool_use", id: "q", name: "askUser", input: question };
      return { content: [{ type: "thinking", thinking: "ask" }, ask] };
    };
    const isWritten = kind === "chat without tools";
    const api = await startOpenAIApi(isWritten ? writtenScript(script) : script, {
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(isWritten ? { refuseTools: "this model does not support tools" } : {}),
    });
    onTestFinished(() => api.close());
    const world = await makeCliWorld();
    const environment = { ...access, OPENAI_BASE_URL: api.url, LOOPLIA_MODEL: "gpt-6.2-sol" };
    const asked = await world.run(["run", "--file", "content/kettles.md", "--json"], environment);
    expect(asked.code, asked.stderr).toBe(3);
    const id = /looplia answer (\S+) choose/.exec(asked.stderr)?.[1] ?? "";
    const done = await world.run(["answer", id, "choose", "2", "--json"], environment);
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: "completed", artifact: { source: {} } });
    expect(new Set(api.requests.map(({ path }) => path))).toEqual(
      new Set([kind === "responses" ? "responses" : "chat/completions"]),
    );
    api.assertDone();
  });

  it("is found well by doctor", async () => {
    const api = await startOpenAIApi(["ok"]);
    onTestFinished(() => api.close());
    const world = await makeCliWorld();
    const environment = { ...access, OPENAI_BASE_URL: api.url, LOOPLIA_MODEL: "local" };
    const { stdout } = await world.run(["doctor"], environment);
    expect(stdout).toMatch(/✓ provider +local answered/);
    expect(stdout).toMatch(kind === "responses" ? /✓ key +openai-api-key is set/ : /✓ key +none is set/);
    api.assertDone();
  });
});

it("says which key is missing, and asks for the model of a server of the user's own", async () => {
  const world = await makeCliWorld();
  const keyless = await world.run(["run", "--file", "content/kettles.md", "--provider", "openai"]);
  expect(keyless.stderr).toMatch(/provider openai has no key[\s\S]*OPENAI_API_KEY/);
  const own = { LOOPLIA_PROVIDER: "openai", OPENAI_BASE_URL: "http://127.0.0.1:2/v1" };
  const unnamed = await world.run(["run", "--file", "content/kettles.md"], own);
  expect(unnamed.stderr).toMatch(
    /openai-base-url \(OPENAI_BASE_URL\) is set and leads to 127\.0\.0\.1:\d+: .* needs a `model`/,
  );
  expect([keyless.code, unnamed.code]).toEqual([2, 2]);
});

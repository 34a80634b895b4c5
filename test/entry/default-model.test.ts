// The model where the settings name none: at OpenAI, behind a gateway to it, and at a server of the user's own.
import { expect, it } from "vitest";
import type { Settings } from "../../src/config/settings-table.ts";
import { DEFAULT_OPENAI_MODEL, defaultModel } from "../../src/entry/outside/models.ts";

const at = (settings: Partial<Settings>) =>
  defaultModel({ provider: "openai", openaiApi: "auto", anthropicCloud: "none", ...settings } as Settings);
const openaiBaseUrl = "http://gateway.example:8080/v1";

it("is the default one at OpenAI, and behind a gateway to it", async () => {
  expect(await at({})).toBe(DEFAULT_OPENAI_MODEL);
  expect(await at({ openaiBaseUrl: "https://api.openai.com/v1" })).toBe(DEFAULT_OPENAI_MODEL);
  expect(await at({ openaiBaseUrl, openaiApi: "responses" })).toBe(DEFAULT_OPENAI_MODEL);
  expect(await at({ openaiBaseUrl, provider: "codex" })).toBe(DEFAULT_OPENAI_MODEL);
});

it("must be named for any other server; the error says what is set, where it leads, and what to add", async () => {
  await expect(at({ openaiBaseUrl })).rejects.toMatchObject({
    code: "config-invalid",
    message:
      "openai-base-url (OPENAI_BASE_URL) is set and leads to gateway.example:8080: the server there needs a `model`.",
    hint: expect.stringMatching(/^Set `model` .*openai-api: responses/),
  });
});

// An agent's effort is part of each request of its conversation, for models that can be told.
import { expect, test } from "vitest";
import { ask, say, signal, startModel } from "./anthropic-fixture.ts";

test.each([
  ["claude-sonnet-5-5", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }],
  ["claude-haiku-4-5", {}],
])("%s", async (model, expected) => {
  const { model: asked, api } = await startModel(["Well."]);
  await asked.respond({ ...ask(say("begin")), model, effort: "high" }, { signal });
  const { thinking, output_config }: Record<string, unknown> = { ...api.requests[0]?.body };
  expect({ thinking, output_config }).toEqual({ thinking: undefined, output_config: undefined, ...expected });
});

// Claude at a cloud, over the bundle: the packages load, and a run that can't reach it says so in words of its own.
import { expect, it } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";

const run = ["run", "--file", "content/kettles.md", "--model", "m", "--anthropic-cloud"];
const NOWHERE = "http://127.0.0.1:9";

it.each([
  ["bedrock", { AWS_REGION: "eu-central-1", AWS_BEARER_TOKEN_BEDROCK: "key-of-bedrock-0123456789" }, NOWHERE],
  ["vertex", { CLOUD_ML_REGION: "europe-west1", GOOGLE_CLOUD_PROJECT: "p" }, "credentials"],
])("%s", async (cloud, variables, said) => {
  const world = await makeCliWorld();
  const addresses = { ANTHROPIC_BEDROCK_BASE_URL: NOWHERE, ANTHROPIC_VERTEX_BASE_URL: NOWHERE };
  // Google's library asks no metadata server where the variable says that there is none.
  const environment = { ...variables, ...addresses, METADATA_SERVER_DETECTION: "none" };
  const { code, stderr } = await world.run([...run, cloud], environment);
  expect([code, stderr]).toEqual([1, expect.stringContaining(said.replace("http://", ""))]);
  expect(stderr).not.toContain("a bug in looplia");
  const unnamed = await world.run(
    ["run", "--file", "content/kettles.md", "--anthropic-cloud", cloud],
    environment,
  );
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("needs a `model`")]);
});

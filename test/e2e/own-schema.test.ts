// A pipeline whose artifact has a JSON Schema file of its own, from the bundle: its validator is a CommonJS module, which
// a bundler hands out in another way than Node.
import { expect, it } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";

it("the shipped social-posts pipeline is sound in the bundle too", async () => {
  const world = await makeCliWorld();
  const words = ["--file", "content/kettles.md", "--pipeline", "social-posts", "--provider", "offline"];
  const ran = await world.run(["run", ...words, "--dry-run", "--json"]);
  expect(ran.stderr).not.toContain("error:");
  expect(ran.code).toBe(0);
});

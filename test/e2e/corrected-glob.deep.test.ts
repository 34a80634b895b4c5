// A corrected glob goes on with the items where an open work has them, and pays for none twice.
import { expect, test } from "vitest";
import { createActionWorld, ended, said } from "../fakes/action-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

test("items of an open work continue there, whatever the globs say", async () => {
  const world = await createActionWorld({
    "content/a.md": `# A\n\n${ARTICLE}`,
    "content/deep/b.md": `# B\n\n${ARTICLE}`,
  });
  world.modelTurn = writeDue;
  try {
    const first = await world.run();
    expect(ended(first), said(first)).toBe("completed done");
    const second = await world.run({ inputs: { content: "content/**/*.md" } });
    expect(ended(second), said(second)).toBe("completed done");
    expect(second.outputs.get("branch")).toBe(first.outputs.get("branch"));
    expect(await world.github.pullRequests()).toHaveLength(1);
    expect(world.model.requests).toHaveLength(6);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

import { describe, expect, it } from "vitest";
import { compileJsonSchema } from "../../src/config/schema.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";

describe("patterns of a schema", () => {
  it("run in linear time, each by itself", async () => {
    const schema = { properties: { a: { pattern: "^(a+)+$" }, b: { pattern: "^\\d{2}[\\w-]+$" } } };
    const check = await compileJsonSchema(JSON.stringify(schema), "x.json");
    const took = startCpuClock();
    expect(check({ a: `${"a".repeat(50)}!`, b: "22x" }).fits).toBe(false);
    expect(took()).toBeLessThan(1_000);
    expect(check({ a: "aaa", b: "22x-" }).fits).toBe(true);
    expect(check({ a: "aaa", b: "2x" }).fits).toBe(false);
  });

  it("that need more than linear time are refused with the file's name", async () => {
    await expect(compileJsonSchema('{"pattern":"(?=a)b"}', "x.schema.json")).rejects.toThrow(
      /x\.schema\.json.*\(\?=/,
    );
  });
});

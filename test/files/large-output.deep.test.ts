// Memory can be measured only in a process that no other test has used.
import { describe, expect, test } from "vitest";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

describe.each([
  ["as this process can", undefined],
  ["isolated", isolate()],
])("running %s", (_, around) => {
  test("output of any size takes bounded memory; head and tail are kept, with a note between", async () => {
    const { workspace } = await makeWorktree({}, around);
    const before = process.memoryUsage().rss;
    const command = "echo first; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo last";
    const { signal } = new AbortController();
    const result = await workspace.run(command, { timeoutMs: 200_000, maxOutput: 1_000, signal });
    expect(result.output).toMatch(
      /^first\nx+\n\[… 199\d{6} of 200\d{6} characters left out …\]\nx+\nlast\n$/,
    );
    expect(result.output.length).toBeLessThan(1_100);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A test that hangs fails; one that is slow because the machine is busy does not.
    testTimeout: 60_000,
    // Much of the time is waiting for child processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // Tests never see a key or a runner's variables of the machine they run on.
    env: { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", GITHUB_TOKEN: "", NO_COLOR: "1" },
  },
});

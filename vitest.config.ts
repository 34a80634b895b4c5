import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { saySkipped } from "./test/fakes/say-skipped.ts";

/** Tries every point, or starts so many processes that it takes more than a few seconds: `npm run test:deep`. */
const DEEP = "test/**/*.deep.test.ts";
/** Packages are loaded as the program loads them, not as their slow builds for development. */
const PACKAGES_AS_RELEASED: NonNullable<ViteUserConfig["plugins"]>[number] = {
  name: "packages-as-released",
  configResolved: ({ ssr }) => {
    const { conditions = [] } = ssr.resolve ?? {};
    ssr.resolve = { ...ssr.resolve, conditions: conditions.filter((one) => !one.startsWith("development")) };
  },
};

/**
 * Files that start processes go first: they take longest, whatever their size, so that none is left over alone; and the
 * workers that start them are still small.
 */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isEarly = ({ moduleId }: TestSpecification) =>
      /\/test\/(e2e|crash|work|git|sandbox|files|terminal|entry)\//.test(moduleId);
    return [...sorted.filter(isEarly), ...sorted.filter((file) => !isEarly(file))];
  }
}

export default defineConfig({
  plugins: [PACKAGES_AS_RELEASED],
  test: {
    globalSetup: "test/fakes/temporary-folder.ts",
    reporters: ["default", saySkipped],
    // A test that hangs fails; one that is slow because the machine is busy does not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Much of the time is waiting for child processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ProcessesFirst },
    // Tests never see a key, a runner's variables or a person's ways with git of the machine they run on.
    env: {
      ...{ ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", GITHUB_TOKEN: "", NO_COLOR: "1" },
      ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    },
    // Less memory means collecting it all the time, more of it longer forks.
    execArgv: ["--max-semi-space-size=8"],
    projects: [
      {
        extends: true,
        // Loading the sources anew for each file takes longer than most tests.
        test: { name: "quick", include: ["test/**/*.test.ts"], exclude: [DEEP], isolate: false },
      },
      { extends: true, test: { name: "deep", include: [DEEP] } },
    ],
  },
});

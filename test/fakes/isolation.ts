// An isolator around a test's worktree, as the wiring makes one.
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";
import { type Isolator, openIsolation } from "../../src/sandbox/isolation.ts";
import { needIsolation } from "./needed.ts";

type IsolationOptions = Parameters<typeof openIsolation>[0];

/**
 * Closed when the test is over. By default: bubblewrap must be there, no network. Skips the test where it is not, unless
 * the test brings an environment of its own.
 */
export function isolate(options: Partial<IsolationOptions> = {}): (root: string) => Isolator {
  return (root) => {
    if ((options.sandbox ?? "required") === "required" && !options.environment) needIsolation();
    const isolator = openIsolation({
      sandbox: "required",
      network: false,
      root,
      environment: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: process.env.HOME ?? "/root" },
      closed: [],
      temporary: tmpdir(),
      warn: () => {},
      ...options,
    });
    onTestFinished(() => isolator.close());
    return isolator;
  };
}

// An isolator around a test's worktree, as the wiring makes one.
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";
import { type Isolator, openIsolation } from "../../src/sandbox/isolation.ts";

type IsolationOptions = Parameters<typeof openIsolation>[0];

/** Closed when the test is over. By default: bubblewrap must be there, no network. */
export function isolate(options: Partial<IsolationOptions> = {}): (root: string) => Isolator {
  return (root) => {
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

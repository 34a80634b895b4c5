// What belongs together on a runner.
import type { Host } from "../ports.ts";

/** What `work` records and tells becomes durable at one moment, where it could be lost in parts. Never within another. */
export function asOne(host: Host, work: () => Promise<void>): Promise<void> {
  return host.together ? host.together(work) : work();
}

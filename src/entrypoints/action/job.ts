// One job of a workflow, which is one run of the Action: what it is given, and what becomes known of it.
import type { Clock, Observer } from "../../ports.ts";
import type { Report } from "../../publish/report.ts";
import type { EventFacts } from "../../trigger/event.ts";
import type { Outcome } from "./outcome.ts";
import type { Environment, RunnerFacts } from "./runner-facts.ts";
import type { ActionWiring, Upload } from "./wiring.ts";

export type Job = {
  wiring: ActionWiring;
  environment: Environment;
  facts: RunnerFacts;
  event: EventFacts;
  /** Tells this job's steps from other jobs of the same run: what stands in a claim behind the run attempt. */
  claimant: string;
  /** An empty folder of this run's own. */
  temporary: string;
  clock: Clock;
  observe: Observer;
  /** Its reason is `"interrupted"`. */
  signal: AbortSignal;
  /** Told what `post` has to do should this process not get there. */
  remember(left: Left): void;
};

/** What would be left behind: an upload, and works that this run may have claimed, or that do not show how it ended. */
export type Left = { upload?: Upload; works?: readonly LeftWork[] };

export type LeftWork = { workId: string; branch: string };

/** What is known of the run so far; it is told whatever happens later. */
export type Told = Omit<Report, keyof Outcome> & { workId: string; branch: string };

// The Action's post step. It never fails the job.
import { mkdtemp, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { secretsOf } from "../config/secrets.ts";
import { messageOf } from "../core/errors.ts";
import type { RunEvent } from "../core/ports.ts";
import { createRedactor, redactValue } from "../core/redaction.ts";
import { neutralizeLine } from "../publish/markdown.ts";
import { readEvent, readRunnerFacts } from "../work/find.ts";
import { runPost } from "../work/start.ts";
import { handOverSecrets } from "./hand-over.ts";
import { takeProxies } from "./outside/routes.ts";

const exposed = handOverSecrets();
if (exposed !== undefined) process.stdout.write(`Keys stay in this process's environment: ${exposed}.\n`);
await takeProxies(process.env);
const redact = createRedactor(secretsOf(process.env));
const core = await import("@actions/core");
try {
  const saved = core.getState("looplia");
  if (saved !== "") await finish(saved);
} catch (thrown) {
  core.warning(redact(messageOf(thrown)), { title: "looplia could not clean up" });
}
process.exit();

async function finish(saved: string): Promise<void> {
  const stateSchema = z.object({
    temporary: z.string().refine(isAbsolute),
    claimant: z.string(),
    upload: z.object({ name: z.string(), folder: z.string(), retentionDays: z.number() }).exactOptional(),
    works: z.array(
      z.object({
        workId: z.string(),
        branch: z.string(),
        folder: z.string(),
        failure: z.string().exactOptional(),
        shard: z
          .object({ name: z.string(), index: z.number(), of: z.number(), from: z.string() })
          .exactOptional(),
      }),
    ),
  });
  const { temporary, claimant, ...left } = stateSchema.parse(JSON.parse(saved));
  try {
    if (!left.upload && left.works.length === 0) return;
    const [{ wireAction }, { clock }, event] = await Promise.all([
      import("./action-main.ts"),
      import("./wire.ts"),
      readEvent(process.env),
    ]);
    const observe = (said: RunEvent): void => {
      const shown = redactValue(said, redact);
      if (shown.type === "notice") process.stdout.write(`${neutralizeLine(shown.message)}\n`);
    };
    await runPost(
      {
        wiring: await wireAction({ tell: (line) => process.stdout.write(`${line}\n`) }),
        environment: process.env,
        facts: readRunnerFacts(process.env),
        event,
        claimant,
        temporary: await mkdtemp(join(temporary, "post-")),
        clock,
        observe,
        signal: new AbortController().signal,
        remember: () => {},
      },
      left,
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

// How large the first request of each conversation is: every step of the shipped pipelines, and the main agent.
import { cp, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerKit, dueOutputs } from "../test/fakes/kit-api.ts";
import { ARTICLE } from "../test/fakes/kit-script.ts";
import { startMessagesApi } from "../test/fakes/messages-api.ts";
import { ROOT } from "./bundle.ts";
import { providerAt, type Surroundings, startNode } from "./child.ts";
import type { Figure } from "./report.ts";

const ITEM = "content/kettles.md";
const LIMIT_KB = 20;
const RUNS = [
  ["--pipeline", "writing-kit"],
  ["--pipeline", "social-posts"],
  ["--orchestration", "agent"],
];

export async function benchFirstRequest({ script, folder }: Surroundings): Promise<Figure[]> {
  const sizes = new Map<string, number>();
  for (const flags of RUNS) {
    const api = await startMessagesApi((body) => answerKit(body));
    try {
      const repository = await mkdtemp(join(folder, "repository-"));
      await cp(join(ROOT, "examples"), repository, { recursive: true });
      await writeFile(join(repository, ITEM), ARTICLE);
      const words = [script, "run", "--file", ITEM, "--provider", "anthropic", ...flags, repository];
      await startNode(words, providerAt(api.url)).ended;
      api.assertDone();
      for (const { raw, body } of api.requests) {
        const name = dueOutputs(body).join(" and ") || "the main agent";
        if (body.messages.length === 1 && !sizes.has(name)) sizes.set(name, Buffer.byteLength(raw) / 1000);
      }
    } finally {
      await api.close();
    }
  }
  const each = [...sizes].map(([name, value]) => ({ name: `first request, ${name}`, value, unit: "kB" }));
  const value = Math.max(...sizes.values());
  return [...each, { name: "the largest of them", value, unit: "kB", demand: LIMIT_KB }];
}

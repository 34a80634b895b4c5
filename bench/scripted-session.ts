// A session of many turns over real stores with a model that replies at once: a read a turn, until max-turns.
// node scripted-session.js <install> <repository> <turns> [<session to go on with>]
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { loadConfiguration } from "../src/config/load.ts";
import { createPrompts } from "../src/config/prompts.ts";
import type { ContentSettings } from "../src/content/ports.ts";
import type { Clock, Model } from "../src/core/ports.ts";
import { redactNothing } from "../src/core/redaction.ts";
import { itemFilesBelow } from "../src/entry/wire-sessions.ts";
import { trustedFolder } from "../src/files/sources.ts";
import { openWorkspace } from "../src/files/workspace.ts";
import { openStores } from "../src/store/work.ts";
import { allTools } from "../src/tools/registry.ts";
import { wakeFromTerminal } from "../src/work/terminal.ts";
import { peakMemory } from "./child.ts";
import { ITEM, type LoopReport, replyOf } from "./turns.ts";

const [install = "", root = "", turns = "", sessionId] = process.argv.slice(2);
const startedAt = performance.now();
const requestedAt: number[] = [];
const model: Model = {
  provider: "anthropic",
  priceOf: () => 0,
  async respond(request) {
    requestedAt.push(performance.now());
    const { message, usage } = replyOf(requestedAt.length);
    return { message, usage, stopReason: "tool_use", model: request.model };
  },
};
const settings: ContentSettings = {
  pipeline: "writing-kit",
  orchestration: "program",
  model: "claude-sonnet-5-5",
  limits: { maxTurns: Number(turns) },
  concurrency: 1,
  dryRun: false,
  gate: { policy: [], approval: "risky", sandbox: "auto", settingsFile: "looplia.yml" },
  people: { answerTtlHours: 168, minApprovals: 1, workingDirectory: "." },
};

const clock: Clock = { now: () => new Date(), elapsed: () => performance.now() };
const stateFolder = join(root, ".looplia/state");
const builtin = await trustedFolder(install, "");
const { configuration } = await loadConfiguration(await trustedFolder(root, ""), builtin, {
  prompts: createPrompts(builtin),
});
await wakeFromTerminal(
  sessionId === undefined ? { kind: "file", source: ITEM } : { kind: "session", sessionId },
  {
    clock,
    ids: { hex: (bytes) => randomBytes(bytes).toString("hex") },
    workspace: await openWorkspace(root, { environment: {}, systemTemp: stateFolder }),
    host: { canAsk: false, ask: async () => "nobody", taskEnded: async () => {}, secure: async () => {} },
    model,
    stores: openStores({ stateFolder, codeVersion: "bench", clock }),
    observe: () => {},
    signal: new AbortController().signal,
    redact: redactNothing,
    configuration,
    tools: new Map(allTools().map((tool) => [tool.name, tool])),
    ...itemFilesBelow(root),
  },
  settings,
);
const [id = ""] = await readdir(join(root, ".looplia/contentItem"));
const report: LoopReport = { startedAt, requestedAt, peakMb: await peakMemory("self"), sessionId: id };
console.log(JSON.stringify(report));

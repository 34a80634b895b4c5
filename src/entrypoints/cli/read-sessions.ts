// The sessions of a workspace as they stand on disk: no lock, no change.
import { parseManifest } from "../../content/parse-manifest.ts";
import { LoopliaError } from "../../errors.ts";
import type { LoadedSession, TrustedFiles } from "../../ports.ts";
import {
  applyConversationLine,
  type Conversation,
  noUsage,
  type Totals,
} from "../../session/conversation.ts";
import { foldEvents } from "../../session/fold-state.ts";
import type { InteractionRequest } from "../../session/interaction.ts";
import { openInteractions } from "../../session/state.ts";

export type SessionReport = {
  sessionId: string;
  source: string;
  pipeline: string;
  status: "completed" | "waiting" | "failed" | "unfinished";
  createdAt: string;
  updatedAt: string;
  steps: { output: string; status: string; message?: string }[];
  interactions: InteractionRequest[];
  totals: Totals;
};

export type SessionSources = {
  files: TrustedFiles;
  /** The stores of a session, or undefined when there are none. */
  readStores(sessionId: string): Promise<LoadedSession | undefined>;
};

const FOLDER = ".looplia/contentItem";

/** A session whose manifest or stores can't be read. */
export type DamagedSession = { sessionId: string; status: "damaged"; message: string; hint?: string };

/** Newest first. */
export async function readSessions(
  sources: SessionSources,
): Promise<{ sessions: SessionReport[]; damaged: DamagedSession[] }> {
  const sessions: SessionReport[] = [];
  const damaged: DamagedSession[] = [];
  for (const sessionId of await sources.files.list(FOLDER)) {
    try {
      const report = await readSession(sources, sessionId);
      if (report) sessions.push(report);
    } catch (thrown) {
      if (!(thrown instanceof LoopliaError)) throw thrown;
      const { message, hint } = thrown;
      damaged.push({ sessionId, status: "damaged", message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  sessions.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  return { sessions, damaged };
}

async function readSession(
  { files, readStores }: SessionSources,
  sessionId: string,
): Promise<SessionReport | undefined> {
  const file = `${FOLDER}/${sessionId}/session.json`;
  const text = await files.read(file);
  if (text === undefined) return undefined;
  const { manifest } = parseManifest(text, file);
  const stores = await readStores(sessionId);
  const interactions = stores ? openInteractions(foldEvents(stores.events)) : [];
  const steps = [...manifest.steps].map(([output, { status, errorMessage }]) => ({
    output,
    status,
    ...(errorMessage === undefined ? {} : { message: errorMessage }),
  }));
  const isDone = manifest.steps.get(manifest.desiredOutput)?.status === "completed";
  const hasFailed = steps.some((step) => step.status === "failed");
  return {
    sessionId,
    source: manifest.source,
    pipeline: manifest.pipeline,
    status: interactions.length > 0 ? "waiting" : isDone ? "completed" : hasFailed ? "failed" : "unfinished",
    createdAt: manifest.createdAt,
    updatedAt: manifest.updatedAt,
    steps,
    interactions,
    totals: totalsOf(stores),
  };
}

function totalsOf(stores: LoadedSession | undefined): Totals {
  const totals: Totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  const conversations = new Map<string, Conversation>();
  for (const line of stores?.conversation ?? []) applyConversationLine(conversations, totals, line);
  return totals;
}

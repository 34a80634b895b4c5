// What happens in a run, for those who watch.
import type { TaskSummary } from "../session/events.ts";
import type { InteractionAnswer, InteractionRequest } from "../session/interaction.ts";
import type { Usage } from "../session/message.ts";

export type RunEvent =
  | {
      type: "session";
      sessionId: string;
      source: string;
      pipeline: string;
      folder: string;
      steps: { output: string; due: boolean; reason: string }[];
    }
  | {
      type: "step";
      sessionId: string;
      output: string;
      agent: string;
      status: "started" | "completed" | "failed" | "waiting";
      message?: string;
    }
  /** A to-do task began or ended; `step` events of the same task come beside it. */
  | {
      type: "iteration";
      sessionId: string;
      /** Counts over the session, from 1. */
      iteration: number;
      taskId: string;
      title: string;
      agent: string;
      model: string;
      /** As the settings call it. */
      schedule: string;
      status: "started" | "completed" | "failed" | "waiting";
      message?: string;
      summary?: TaskSummary;
      /** Why, where the agent itself failed: the reason code. */
      errorCode?: string;
    }
  | {
      type: "tool-started";
      sessionId: string;
      taskId: string;
      agent: string;
      toolName: string;
      toolCallId: string;
      summary: string;
    }
  | {
      type: "tool-ended";
      sessionId: string;
      taskId: string;
      agent: string;
      toolName: string;
      toolCallId: string;
      summary: string;
      isError: boolean;
      durationMs: number;
      /** Why it was not run at all. */
      refused?: string;
    }
  | {
      type: "validation-failed";
      sessionId: string;
      output: string;
      artifact: string;
      errors: string[];
      hint: string;
      recoverable: boolean;
    }
  | { type: "usage"; sessionId: string; model: string; usage: Usage; costUsd: number | null }
  | { type: "text"; sessionId: string; agent: string; delta: string }
  | { type: "message"; sessionId: string; agent: string; text: string }
  | { type: "question"; sessionId: string; request: InteractionRequest }
  | {
      type: "answered";
      sessionId: string;
      request: InteractionRequest;
      answer: InteractionAnswer;
      actorId: string;
    }
  /** A run is over with an item or a list that did not fail; for logs. */
  | { type: "ended"; sessionId: string; status: string; reasonCode: string; message?: string }
  | { type: "notice"; level: "info" | "warning" | "error"; message: string; sessionId?: string };

/** Told of everything, decides nothing. Must not throw. */
export type Observer = (event: RunEvent) => void;

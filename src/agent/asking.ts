// How people are asked in a session of an open work.
import type { WorkStore } from "../ports.ts";
import type { OpenQuestions } from "./open-questions.ts";
import type { Asking } from "./session.ts";

/** What people may decide, and how long they have. */
export type PeopleSettings = {
  answerTtlHours: number;
  minApprovals: number;
  /** As it is set: part of what an approval is bound to. */
  workingDirectory: string;
};

/** A work that is open for this process, and its questions. */
export type OpenWork = { store: WorkStore; questions: OpenQuestions };

/** One for each session; the questions that it shares with the others are raised one at a time. */
export function createAsking(
  people: PeopleSettings,
  { store, questions }: OpenWork,
  startedBy: readonly string[] | undefined,
): Asking {
  return {
    nextOrdinal: () => store.nextOrdinal(),
    open: questions,
    ttlHours: people.answerTtlHours,
    minApprovals: people.minApprovals,
    workingDirectory: people.workingDirectory,
    ...(startedBy === undefined ? {} : { startedBy }),
  };
}

// What is kept of a work as a whole, beside its sessions.
import type { AuditHead } from "../session/audit.ts";
import type { DomainEvent } from "../session/events.ts";
import type { WorkEvent } from "../session/work-events.ts";

/** A work's own log, and what concerns all of its stores. */
export interface WorkLog {
  /** What happened to the work, in order. */
  workEvents(): Promise<WorkEvent[]>;
  /** Durable when it resolves. */
  appendWorkEvents(events: readonly WorkEvent[]): Promise<void>;
  /** The number of the next question of the work, over all its sessions, from 1; each call another one. */
  nextOrdinal(): Promise<number>;
  /**
   * Ends every segment: what is appended later begins new ones, so what stands now is never changed. Appends wait until
   * `whileSealed` is done (it must not append itself): what it copies is one moment of all stores. Fails when an earlier
   * append failed, or `whileSealed` does.
   */
  seal(whileSealed?: () => Promise<void>): Promise<void>;
  /** Where the audit log of each session stands that was opened here, by session id; sessions without a line are missing. */
  auditHeads(): ReadonlyMap<string, AuditHead>;
}

/** A work as it stands, for those who only look; sessions by their ids. */
export type WorkReading = {
  /** Of the work's own log. */
  events: WorkEvent[];
  sessions: Map<string, SessionReading>;
};

export type SessionReading = {
  events: DomainEvent[];
  /** Of the audit log: its lines and the hash of the last one. */
  auditHead: AuditHead;
};

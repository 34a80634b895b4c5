// What is left for whoever has a work: words that came with an event and stand nowhere else.

export type Letter = {
  /** Names it among those of its work. */
  id: string;
  text: string;
};

/** The letters of one work. Fails with `host-failed`. */
export interface Letters {
  /** Durable when it resolves: a run that has the work finds it in its last look at the inbox. */
  leave(text: string): Promise<void>;
  /** Those that nobody has removed, oldest first; the first hundred. */
  list(): Promise<Letter[]>;
  /** Those that are gone already are no failure. */
  remove(letters: readonly Letter[]): Promise<void>;
}

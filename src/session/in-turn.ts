// One at a time for each owner, in the order of the calls.

const last = new WeakMap<object, Promise<unknown>>();

/** Runs `work` when all that was given for the same owner before has ended, however it ended. */
export function inTurn<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const before = last.get(owner) ?? Promise.resolve();
  const next = before.then(work, work);
  last.set(
    owner,
    next.catch(() => undefined),
  );
  return next;
}

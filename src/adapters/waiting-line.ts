// What waits for its turn is one: those who ask for the same before it begins get the same answer.

export type Ticket = {
  /** Resolves when somebody who joined can't wait. */
  hurry: Promise<void>;
  /** From now on nobody joins; all that was asked for, in order. */
  close(): string;
};

type Waiting<T> = { kind: string; wants: Set<string>; hurry: () => void; result: Promise<T> };

export type WaitingLine<T> = {
  /** Joins what waits and is of the same kind, or does `work` when all before it has ended. */
  join(want: string, kind: string, isUrgent: boolean, work: (ticket: Ticket) => Promise<T>): Promise<T>;
};

/** An empty line; it begins what waits in the order asked, one at a time. */
export function createWaitingLine<T>(): WaitingLine<T> {
  let waiting: Waiting<T> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    join(want, kind, isUrgent, work) {
      if (waiting?.kind !== kind) {
        let hurryUp = (): void => {};
        const hurry = new Promise<void>((resolve) => {
          hurryUp = resolve;
        });
        const wants = new Set<string>();
        const close = (): string => {
          if (waiting === mine) waiting = undefined;
          return [...wants].join(", ");
        };
        const run = () => work({ hurry, close }).finally(close);
        const result = last.then(run, run);
        last = result.catch(() => {});
        const mine: Waiting<T> = { kind, wants, hurry: hurryUp, result };
        waiting = mine;
      }
      waiting.wants.add(want);
      if (isUrgent) waiting.hurry();
      return waiting.result;
    },
  };
}

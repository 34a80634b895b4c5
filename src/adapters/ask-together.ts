// Many small questions to one slow source: those that come at one time are asked together.

type Waiting<Asked, Answer> = {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
};

/**
 * Asks at once for what came in the same moment, or while an answer was under way. `ask` answers in the order asked; where
 * it fails, all who asked with it fail.
 */
export function askTogether<Asked, Answer>(
  ask: (all: readonly Asked[]) => Promise<readonly Answer[]>,
): (one: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    await Promise.resolve(); // who asks in the same moment goes along
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      try {
        const answers = await ask(now.map(({ asked }) => asked));
        for (const [index, { resolve }] of now.entries()) resolve(answers[index] as Answer);
      } catch (thrown) {
        for (const { reject } of now) reject(thrown);
      }
    }
    isAsking = false;
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (isAsking) return;
      isAsking = true;
      void askAll();
    });
}

import { expect, test } from "vitest";
import { askTogether } from "../../src/git/repository.ts";

test("what comes in one moment, or while an answer is under way, is asked together and in order", async () => {
  const asked: number[][] = [];
  let open: (() => void) | undefined;
  const ask = askTogether(async (all: readonly number[]) => {
    asked.push([...all]);
    await new Promise<void>((resolve) => (open = resolve));
    return all.map((one) => one * 2);
  });
  const first = [ask(1), ask(2)];
  await expect.poll(() => asked).toEqual([[1, 2]]);
  const later = [ask(3), ask(4), ask(5)];
  open?.();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await expect
    .poll(() => asked)
    .toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  open?.();
  expect(await Promise.all(later)).toEqual([6, 8, 10]);
});

test("a failure is told to all who asked with it, and to nobody after", async () => {
  const ask = askTogether(async (all: readonly string[]) => {
    if (all.includes("bad")) throw new Error("no");
    return all;
  });
  const ends = await Promise.allSettled([ask("good"), ask("bad")]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("good")).toBe("good");
});

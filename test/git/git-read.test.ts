import { expect, test } from "vitest";
import { partsOf } from "../../src/git/objects.ts";

test("things are read in parts of bounded size, in their order, each once", () => {
  const sizes = [0, 4, 6, 1, 30, 0, 9, 1, 1];
  const parts = partsOf(
    sizes.map((size) => ({ size })),
    10,
  );
  expect(parts.map((part) => part.map(({ size }) => size))).toEqual([[0, 4, 6], [1], [30], [0, 9, 1], [1]]);
  expect(partsOf([])).toEqual([]);
});

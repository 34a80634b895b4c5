import { expect, test } from "vitest";
import { namesOfTree, partsOf } from "../../src/git/objects.ts";

test("things are read in parts of bounded size, in their order, each once", () => {
  const sizes = [0, 4, 6, 1, 30, 0, 9, 1, 1];
  const parts = partsOf(
    sizes.map((size) => ({ size })),
    10,
  );
  expect(parts.map((part) => part.map(({ size }) => size))).toEqual([[0, 4, 6], [1], [30], [0, 9, 1], [1]]);
  expect(partsOf([])).toEqual([]);
});

test("a tree that is cut off has the names before the cut", () => {
  const entry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.alloc(20, 7)]);
  expect(namesOfTree(Buffer.concat([entry("a b"), entry("ü"), Buffer.from("100644 c")]), 20)).toEqual([
    "a b",
    "ü",
  ]);
});

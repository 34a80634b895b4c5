// What an agent program knew, kept between two processes.
import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";
import { type Memory, packMemory, unpackMemory } from "../../src/programs/memory.ts";

const memory: Memory = {
  ...{ program: "claude", version: "2.1.330", id: "c-1", known: 1, waits: ["toolu_1"] },
  file: '{"type":"user","text":"hello"}\n',
};
const same = (text: string) => text;

test("comes back as it was, without lines that a killed process left unfinished", () => {
  const packed = packMemory({ ...memory, file: `${memory.file}{"type":` }, same);
  expect(unpackMemory(packed, "claude", [])).toEqual(memory);
});

test.each<[string, (packed: string) => string]>([
  ["is no memory", () => "{}"],
  ["is not packed", (packed) => JSON.stringify({ ...JSON.parse(packed), file: "x" })],
  [
    "would unpack to more than any conversation is",
    (packed) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
      const file = brotliCompressSync(Buffer.alloc(257 * 1024 * 1024), { params }).toString("base64");
      expect(file.length).toBeLessThan(100_000);
      return JSON.stringify({ ...JSON.parse(packed), file });
    },
  ],
])("one that %s is damaged, and the error says how to go on", (_, change) => {
  const packed = change(packMemory(memory, same));
  expect(() => unpackMemory(packed, "claude", [])).toThrow(
    expect.objectContaining({ code: "store-corrupt", hint: expect.stringContaining("Retry the task") }),
  );
});

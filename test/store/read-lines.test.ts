import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readLines } from "../../src/store/segments.ts";
import fc, { tries } from "../fakes/properties.ts";

const folder = mkdtempSync(join(tmpdir(), "looplia-lines-"));
const path = join(folder, "file");
afterAll(() => rmSync(folder, { recursive: true }));

type Read = { text: string; offset: number; isLast: boolean };

async function linesIn(bytes: Buffer): Promise<Read[]> {
  writeFileSync(path, bytes);
  const lines: Read[] = [];
  await readLines(path, ({ bytes, ...line }) => lines.push({ text: bytes.toString("latin1"), ...line }));
  return lines;
}

/** What the lines of a text held as a whole are. */
function splitWhole(bytes: Buffer): Read[] {
  const texts = bytes.toString("latin1").split("\n");
  if (texts.at(-1) === "") texts.pop();
  let offset = 0;
  return texts.map((text, index) => {
    const line = { text, offset, isLast: index === texts.length - 1 };
    offset += text.length + 1;
    return line;
  });
}

test("hands over what a file held as a whole is split into", async () => {
  const line = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    // Longer than what is read at once, or nearly so.
    fc.integer({ min: 60_000, max: 300_000 }).map((length) => Buffer.alloc(length, "x")),
  );
  const file = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean()).map(([lines, isTorn]) => {
    const bytes = Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from("\n")]));
    return isTorn ? bytes.subarray(0, -1) : bytes;
  });
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      expect(await linesIn(bytes)).toEqual(splitWhole(bytes));
    }),
    tries(60),
  );
});

test("leaves what comes meanwhile for the next time", async () => {
  writeFileSync(path, "one\ntwo\n");
  const lines: string[] = [];
  await readLines(path, ({ bytes, isLast }) => {
    writeFileSync(path, "three\n", { flag: "a" });
    lines.push(`${bytes}${isLast ? ", the last" : ""}`);
  });
  expect(lines).toEqual(["one", "two, the last"]);
});

test("says what a folder in the place of a file is", async () => {
  await expect(readLines(folder, () => {})).rejects.toMatchObject({ code: "store-corrupt" });
});

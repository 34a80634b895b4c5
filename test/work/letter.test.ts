// A letter is read as it was written, and what is none is none.

import { expect, test } from "vitest";
import { readLetter, writeLetter } from "../../src/work/trigger.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const text = fc.string({ minLength: 1, unit: anyCharacter }).filter((value) => value.isWellFormed());

test("comes back as it was written", () => {
  const answers = fc.record({
    command: text,
    sender: text,
    bot: fc.record({ id: fc.integer({ min: 1 }), login: text }),
    at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((at) => at.toISOString()),
  });
  fc.assert(
    fc.property(answers, (answer) => {
      expect(readLetter(writeLetter(answer))).toEqual(answer);
    }),
  );
});

const WHOLE = { command: "/approve", sender: "ada", bot: { id: 5, login: "helper[bot]" }, at: "2026-11-21" };
test.each<[string, unknown]>([
  ["no command", { ...WHOLE, command: undefined }],
  ["no sender", { ...WHOLE, sender: "" }],
  ["no bot", { ...WHOLE, bot: "helper" }],
  ["an id that is none", { ...WHOLE, bot: { id: "5", login: "x" } }],
  ["no time", { ...WHOLE, at: "soon" }],
  ["no object", "x"],
])("%s: it is no letter", (_, value) => {
  expect(readLetter(JSON.stringify(WHOLE))).toBeDefined();
  expect(readLetter(JSON.stringify(value))).toBeUndefined();
  expect(readLetter("{broken")).toBeUndefined();
});

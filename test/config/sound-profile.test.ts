// A profile that is taken at once must be one that the schema takes, and the same.

import { expect, test } from "vitest";
import { parseSoundProfile } from "../../src/config/sound-profile.ts";
import { userProfileSchema } from "../../src/config/user-profile.ts";
import fc from "../fakes/properties.ts";

const text = fc.constantFrom("a", "city life", " b ", "", "é");
const any = fc.constantFrom<unknown>(null, 0, 1, "", "mixed", [], {}, true);
const mostly = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: any });
const topic = fc.record(
  { topic: mostly(text), interestLevel: mostly(fc.constantFrom(0, 1, 2.5, 5, 6)), more: any },
  { requiredKeys: ["topic", "interestLevel"] },
);
const style = fc.record(
  {
    tone: mostly(fc.constantFrom("beginner", "intermediate", "expert", "mixed", "loud")),
    targetWordCount: mostly(fc.constantFrom(99, 100, 1200.5, 10_000, 10_001)),
    voice: mostly(fc.constantFrom("first-person", "third-person", "instructional")),
  },
  { requiredKeys: ["tone", "voice", "targetWordCount"] },
);
const profile = fc.record(
  {
    $schema: text,
    userId: mostly(text),
    topics: mostly(fc.array(mostly(topic), { maxLength: 2 })),
    style: mostly(style),
    writingSamples: mostly(fc.array(mostly(text), { maxLength: 2 })),
  },
  { requiredKeys: ["userId", "topics", "style"] },
);

test("what is taken at once is what the schema takes, and as it takes it", () => {
  let taken = 0;
  fc.assert(
    fc.property(mostly(profile), (value) => {
      const sent = JSON.stringify(value);
      const sound = parseSoundProfile(sent);
      if (sound === undefined) return;
      taken += 1;
      expect(userProfileSchema.parse(JSON.parse(sent))).toEqual(sound);
    }),
    { numRuns: 5_000 },
  );
  expect(taken).toBeGreaterThan(30);
});

test.each(["", "{", "null", "[]", '{"userId":"a"}'])("leaves %j to the schema", (sent) => {
  expect(parseSoundProfile(sent)).toBeUndefined();
});

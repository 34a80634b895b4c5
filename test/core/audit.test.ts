// The chain holds for any payload, and every change, removal or reordering breaks it.

import canonicalize from "canonicalize";
import { describe, expect, test } from "vitest";
import type { StoredLine } from "../../src/core/events.ts";
import { chainLine, FIRST_PREV, hashLine, verifyChain } from "../../src/core/lines.ts";
import { canonicalForms } from "../fakes/corpora.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const AT = "2026-11-21T08:00:00.000Z";
const stored = (seq: number, payload: unknown): StoredLine => ({
  v: 1,
  seq,
  at: AT,
  type: "ToolCallRequested",
  payload,
});

function chain(payloads: readonly unknown[]): StoredLine[] {
  const lines: StoredLine[] = [];
  for (const [index, payload] of payloads.entries()) {
    lines.push(chainLine(stored(index + 1, payload), lines.at(-1)?.hash ?? FIRST_PREV));
  }
  return lines.map((line) => JSON.parse(JSON.stringify(line)) as StoredLine);
}

const anyPayload = fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter });

describe("chain", () => {
  test("holds after a round trip through text, for any payload", () => {
    fc.assert(
      fc.property(fc.array(anyPayload, { maxLength: 6 }), (payloads) => {
        const lines = chain(payloads);
        expect(verifyChain(lines)).toEqual({
          ok: true,
          count: lines.length,
          head: lines.at(-1)?.hash ?? FIRST_PREV,
        });
      }),
    );
  });

  test("breaks at the line that was changed, removed or moved", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 3, maxLength: 6 }),
        fc.nat(),
        fc.nat(3),
        (texts, at, how) => {
          const lines = chain(texts.map((text) => ({ text })));
          const index = at % (lines.length - 1);
          const line = lines[index] as StoredLine;
          if (how === 0) lines[index] = { ...line, payload: { text: "another", was: line.payload } };
          if (how === 1) lines.splice(index, 1);
          if (how === 2) lines.splice(index, 2, lines[index + 1] as StoredLine, line);
          if (how === 3) lines[index] = { ...line, seq: line.seq + 1 };
          expect(verifyChain(lines)).toMatchObject({ ok: false, index });
        },
      ),
    );
  });

  test("lone surrogates are replaced, in keys too, and `__proto__` stays a key", () => {
    const payload = JSON.parse('{"a\\ud800":"b\\udc00","__proto__":{"c":1}}') as unknown;
    const [line] = chain([payload]);
    expect(JSON.stringify(line?.payload)).toBe('{"a\ufffd":"b\ufffd","__proto__":{"c":1}}');
    expect(verifyChain(line ? [line] : [])).toMatchObject({ ok: true });
  });

  test("a line without hash, or with a number that has no canonical form, is a fault and no exception", () => {
    expect(verifyChain([stored(1, {})])).toMatchObject({ ok: false, reason: "the line has no hash" });
    const infinite = JSON.parse(
      `{"v":1,"seq":1,"at":"x","type":"y","payload":1e999,"prev":"${FIRST_PREV}","hash":"z"}`,
    );
    expect(verifyChain([infinite as StoredLine])).toMatchObject({ ok: false });
  });

  test("the hash does not depend on the order of keys", () => {
    const one = { v: 1, seq: 1, at: AT, type: "t", payload: { a: 1, b: 2 }, prev: FIRST_PREV } as const;
    const other = { prev: FIRST_PREV, payload: { b: 2, a: 1 }, type: "t", at: AT, seq: 1, v: 1 } as const;
    expect(hashLine(one)).toBe(hashLine(other));
    expect(hashLine(one)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("RFC 8785 data", () => {
  test.each(canonicalForms())("%s", (_name, text, output) => {
    const input: unknown = JSON.parse(text);
    expect(canonicalize(input)).toBe(output.trimEnd());
    expect(verifyChain(chain([input]))).toMatchObject({ ok: true });
  });
});

// Conversation payloads come back byte for byte; a line that is not ours is refused with its place.

import { describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { StoredLine, StoreName } from "../../src/core/events.ts";
import { decodeLine, encodeLine } from "../../src/core/lines.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const AT = "2026-11-21T08:00:00.000Z";
const started = (fields: object = {}) => ({
  v: 1,
  seq: 1,
  at: AT,
  type: "TaskStarted",
  payload: { taskId: "summary" },
  ...fields,
});

function refusal(store: StoreName, line: unknown): LoopliaError {
  try {
    decodeLine(store, JSON.stringify(line), "events/000001.jsonl:7");
  } catch (error) {
    if (error instanceof LoopliaError) return error;
    throw error;
  }
  throw new Error("the line was not refused");
}

/** Any JSON text, with keys like `__proto__` and lone surrogates. */
const jsonText = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map((value) => JSON.stringify({ type: "tool_use", id: "t1", name: "x", input: value }));
const hostileBlock = fc.oneof(
  jsonText,
  fc.constant(
    '{"type":"tool_use","id":"t","name":"x","input":{"__proto__":{"a":1},"constructor":2,"z":1,"a":2}}',
  ),
  fc.constant('{"type":"thinking","signature":"s","thinking":"…\\ud800","later":{"b":1,"a":[null,-0.5]}}'),
);

describe("round trip", () => {
  test("a message's bytes are the same after decoding and encoding", () => {
    fc.assert(
      fc.property(fc.array(hostileBlock, { maxLength: 4 }), fc.boolean(), (blocks, isUser) => {
        const role = isUser ? "user" : "assistant";
        const message = `{"role":"${role}","content":[${blocks.join(",")}]}`;
        const written = `{"v":1,"seq":3,"at":"${AT}","type":"Message","payload":{"conversationId":"c","message":${message}}}`;
        const text = JSON.stringify(JSON.parse(written));
        const decoded = decodeLine("conversation", text, "here");
        expect(decoded && encodeLine(decoded)).toBe(`${text}\n`);
        const payload = decoded?.payload as { message: unknown } | undefined;
        expect(JSON.stringify(payload?.message)).toBe(JSON.stringify(JSON.parse(message)));
      }),
    );
  });

  test("__proto__ in a payload stays an own key and changes no prototype", () => {
    const text = `{"v":1,"seq":1,"at":"${AT}","type":"TaskStarted","payload":{"taskId":"t","__proto__":{"polluted":true}}}`;
    const decoded = decodeLine("events", text, "here");
    expect(encodeLine(decoded as StoredLine)).toBe(`${text}\n`);
    expect(Object.hasOwn(decoded?.payload as object, "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("encoding is one line, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (message) => {
        const line = encodeLine({ v: 1, seq: 1, at: AT, type: "TaskFailed", payload: { message } });
        expect(line.indexOf("\n")).toBe(line.length - 1);
      }),
    );
  });
});

describe("torn or not ours", () => {
  test.each(["", "{", '{"v":1,"seq":2,"at":"20', "[]", "null", "17", '"x"', "\u0000\u0000\u0000"])(
    "%j is not a JSON object: undefined",
    (text) => expect(decodeLine("events", text, "here")).toBeUndefined(),
  );

  test("every proper prefix of a line is torn", () => {
    const text = JSON.stringify(started());
    for (let end = 0; end < text.length; end += 1) {
      expect(decodeLine("events", text.slice(0, end), "here")).toBeUndefined();
    }
  });

  test("a newer line format says so", () => {
    const error = refusal("events", started({ v: 2 }));
    expect(error.code).toBe("store-corrupt");
    expect(error.message).toContain("events/000001.jsonl:7");
    expect(error.message).toContain("newer version");
  });

  test("an unknown type says so, also one that every object has", () => {
    for (const type of ["TaskPaused", "constructor", "__proto__", "toString"]) {
      const error = refusal("events", started({ type }));
      expect(error.message).toContain(JSON.stringify(type));
      expect(error.hint).toContain("newer looplia");
    }
  });

  test("a line of another store is unknown in this one", () => {
    expect(() => decodeLine("conversation", JSON.stringify(started()), "here")).toThrow("unknown line type");
  });

  test.each([
    [started({ v: undefined }), "not a store line"],
    [started({ v: "1" }), "not a store line"],
    [started({ seq: 0 }), "seq"],
    [started({ seq: 1.5 }), "seq"],
    [started({ at: 3 }), "at"],
    [started({ payload: null }), "the line"],
    [started({ payload: { taskId: "" } }), "taskId"],
    [
      started({
        type: "TaskFailed",
        payload: { taskId: "T1", reasonCode: "blocked", message: "no key", blocker: ["no key"] },
      }),
      "blocker",
    ],
    [started({ type: "ToolCallSettled", payload: { conversationId: "c", toolCallId: "t" } }), "toolName"],
  ])("%j is refused and the field named", (line, field) => {
    const error = refusal("events", line);
    expect(error.code).toBe("store-corrupt");
    expect(error.message).toContain(field);
  });

  test("an audit line needs its chain, its payload is not looked at", () => {
    const line = {
      v: 1,
      seq: 1,
      at: AT,
      type: "Anything",
      payload: 7,
      prev: "0".repeat(64),
      hash: "f".repeat(64),
    };
    expect(decodeLine("audit", JSON.stringify(line), "here")).toEqual(line);
    expect(refusal("audit", { ...line, hash: "abc" }).message).toContain("hash");
  });
});

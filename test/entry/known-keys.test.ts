// Keys that the program was told of: out of what is published, and out of errors with all that led to them.
import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import { redactNothing } from "../../src/core/redaction.ts";
import { redactArguments, redactError, redactorOf } from "../../src/entry/redact.ts";

const KEY = "correct-horse-battery-staple-2026";
const redact = redactorOf([KEY]);
const shown = (thrown: unknown): string =>
  thrown instanceof Error
    ? `${thrown.message}\n${thrown.stack}\n${shown(thrown.cause)}`
    : JSON.stringify(thrown);

test("an error loses the key in its message, its stack and whatever caused it", () => {
  const cause = new TypeError(`GET /?token=${KEY}`, { cause: { header: KEY } });
  const thrown = redactError(new Error(`failed with ${KEY}`, { cause }), redact);
  expect(thrown).toBeInstanceOf(Error);
  expect(shown(thrown)).toMatch(/failed with[\s\S]*GET/);
  expect(shown(thrown)).not.toContain(KEY);
});

test("an expected error keeps its code and its kind, and loses the key in its hint too", () => {
  const cause = new Error(KEY);
  const given = { hint: `unset ${KEY}`, modelFailure: "network", cause } as const;
  const thrown = redactError(new LoopliaError("model-failed", `no answer to ${KEY}`, given), redact);
  expect(thrown).toMatchObject({ code: "model-failed", modelFailure: "network" });
  expect((thrown as LoopliaError).hint).toMatch(/^unset /);
  expect(shown(thrown) + (thrown as LoopliaError).hint).not.toContain(KEY);
});

test("what is thrown without being an error is redacted as well", () => {
  expect(JSON.stringify(redactError({ said: [KEY] }, redact))).not.toContain(KEY);
  const same = new Error(KEY);
  expect(redactError(same, redactNothing)).toBe(same);
});

test("a port that publishes gets no key, and its other members are as they were", () => {
  const said: unknown[] = [];
  const port = { name: "log", say: (...words: unknown[]) => void said.push(...words) };
  const guarded = redactArguments(port, redact);
  guarded.say(`a ${KEY} b`, { body: KEY }, [KEY], new Map([[KEY, KEY]]), 7, null);
  expect(guarded.name).toBe("log");
  expect(said.slice(4)).toEqual([7, null]);
  expect(JSON.stringify(said.map((one) => (one instanceof Map ? [...one] : one)))).not.toContain(KEY);
  expect(redactArguments(port, redactNothing)).toBe(port);
});

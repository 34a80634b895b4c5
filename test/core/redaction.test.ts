import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED, redactNothing, redactValue } from "../../src/core/redaction.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const KEY = "sk-canary-7f3Q+/x9==&%\"z'A";
const redact = createRedactor([KEY]);

const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const hex = (text: string) => Buffer.from(text).toString("hex");
const fold = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, "gs"), "$&\n");

/** How a command may say a secret. */
const ENCODINGS: [string, (secret: string) => string][] = [
  ["as it is", (secret) => secret],
  ["in base64", base64],
  ["in base64 of UTF-16", (secret) => Buffer.from(secret, "utf16le").toString("base64")],
  ["in base64 after one byte", (secret) => base64(`a${secret}`)],
  ["in base64 after two bytes", (secret) => base64(`ab${secret}`)],
  ["in base64 with a newline after it", (secret) => base64(`${secret}\n`)],
  ["in base64 inside a credential", (secret) => base64(`x-access-token:${secret}`)],
  ["in base64 without padding", (secret) => base64(secret).replace(/=+$/, "")],
  ["in base64 for addresses", base64url],
  ["in base64 for addresses, shifted", (secret) => base64url(`?${secret}?`)],
  ["in base64 in lines of 20", (secret) => fold(base64(secret), 20)],
  ["in hex", hex],
  ["in upper-case hex", (secret) => hex(secret).toUpperCase()],
  ["in hex in pairs", (secret) => hex(secret).replace(/../g, "$& ")],
  ["in an address", encodeURIComponent],
  [
    "in an address, in lower case",
    (secret) => encodeURIComponent(secret).replace(/%../g, (c) => c.toLowerCase()),
  ],
  ["in a whole address", encodeURI],
  ["in a form", (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
  ["in JSON", (secret) => JSON.stringify(secret).slice(1, -1)],
  ["in JSON inside JSON", (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ["backwards", (secret) => [...secret].reverse().join("")],
  ["one character a line", (secret) => [...secret].join("\n")],
  ["in lines of five", (secret) => fold(secret, 5)],
  ["in upper case", (secret) => secret.toUpperCase()],
  ["in lower case", (secret) => secret.toLowerCase()],
  [
    "in changing case",
    (secret) => each(secret, (one, at) => (at % 2 ? one.toUpperCase() : one.toLowerCase())),
  ],
  ["with dashes between", (secret) => [...secret].join("-")],
  ["with dots between", (secret) => [...secret].join(".")],
  ["with commas and quotes between", (secret) => each(secret, (one) => `'${one}', `)],
  ["with zero-width spaces between", (secret) => [...secret].join("\u200b")],
  ["with combining marks between", (secret) => [...secret].join("\u0301")],
  ["with a colour in the middle", (secret) => secret.replace(/^.{9}/s, "$&\u001b[31;1m")],
  ["with a colour for each character", (secret) => each(secret, (one) => `\u001b[32m${one}\u001b[0m`)],
  ["with a link of a terminal", (secret) => secret.replace(/^.{9}/s, "$&\u001b]8;;http://x/\u0007")],
  [
    "in full-width letters",
    (secret) => each(secret, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ],
  ["with every character in percent", (secret) => hex(secret).replace(/../g, "%$&")],
  ["with some characters in percent", (secret) => secret.replace(/[a-f]/g, (one) => `%${hex(one)}`)],
  ["in percent twice", (secret) => encodeURIComponent(hex(secret).replace(/../g, "%$&"))],
  ["in decimal entities", (secret) => each(secret, (one) => `&#${one.charCodeAt(0)};`)],
  ["in hexadecimal entities", (secret) => each(secret, (one) => `&#x${hex(one)};`)],
  [
    "with some characters in entities",
    (secret) => secret.replace(/[a-n]/g, (one) => `&#${one.charCodeAt(0)};`),
  ],
  ["with named entities", (secret) => secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;")],
  ["in backslash x", (secret) => hex(secret).replace(/../g, "\\x$&")],
  ["in backslash u", (secret) => hex(secret).replace(/../g, "\\u00$&")],
  ["in backslash u with braces", (secret) => hex(secret).replace(/../g, "\\u{$&}")],
  ["with some characters in backslash u", (secret) => secret.replace(/[a-n]/g, (one) => `\\u00${hex(one)}`)],
  [
    "in backslash octal",
    (secret) => each(secret, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`),
  ],
  ["in quoted-printable", (secret) => hex(secret).replace(/../g, "=$&")],
  ["in hex with colons", (secret) => hex(secret).replace(/..(?=.)/g, "$&:")],
  ["in hex with 0x", (secret) => hex(secret).replace(/../g, "0x$&, ")],
  ["in hex backwards", (secret) => [...hex(secret)].reverse().join("")],
  ["in hex of the mirror image", (secret) => hex([...secret].reverse().join(""))],
  ["in decimal numbers", (secret) => [...Buffer.from(secret)].join(" ")],
  [
    "in decimal numbers of three digits",
    (secret) => each(secret, (one) => `${one.charCodeAt(0)} `.padStart(4, "0")),
  ],
  ["in octal numbers", (secret) => each(secret, (one) => `${one.charCodeAt(0).toString(8)} `)],
  ["in bits", (secret) => each(secret, (one) => `${one.charCodeAt(0).toString(2).padStart(8, "0")} `)],
  ["in base64 backwards", (secret) => [...base64(secret)].reverse().join("")],
  ["in base64 of the mirror image", (secret) => base64([...secret].reverse().join(""))],
  ["in base64 twice", (secret) => base64(base64(secret))],
  ["in base64 of hex", (secret) => base64(hex(secret))],
  ["in hex of base64", (secret) => hex(base64(secret))],
  ["in base64 with dashes between", (secret) => [...base64(secret)].join("-")],
  ["in base64 as an address part", (secret) => encodeURIComponent(base64(secret))],
  ["in ROT13", (secret) => secret.replace(/[a-z]/gi, rot13)],
];

function each(text: string, change: (one: string, at: number) => string): string {
  return [...text].map(change).join("");
}

function rot13(letter: string): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz";
  const at = alphabet.indexOf(letter.toLowerCase());
  const turned = alphabet.charAt((at + 13) % 26);
  return letter === letter.toLowerCase() ? turned : turned.toUpperCase();
}

describe("a secret in a text is cut out", () => {
  test.each(ENCODINGS)("%s", (_, encode) => {
    const said = encode(KEY);
    const text = redact(`before ${said} after`);
    expect(text).not.toContain(said);
    expect(text).toMatch(/^before .{0,20}\[redacted\].{0,12}\s?after$/s);
  });

  test("whatever it is and wherever it stands", () => {
    const secret = fc.string({ minLength: 12, maxLength: 120, unit: "grapheme" }).filter(isLikeASecret);
    const around = fc.string({ maxLength: 40 });
    fc.assert(
      fc.property(
        secret,
        around,
        around,
        fc.constantFrom(...ENCODINGS.slice(0, 22)),
        (key, before, after, [, encode]) => {
          const said = encode(key);
          fc.pre(said.length >= key.length / 2);
          const text = createRedactor([key])(`${before} ${said} ${after}`);
          expect(text).not.toContain(said);
          expect(text).toContain(REDACTED);
        },
      ),
    );
  });

  test("every time it stands there, with nothing of what stands between lost", () => {
    expect(redact(`${KEY}${KEY} and ${KEY}.`)).toBe(`${REDACTED}${REDACTED} and ${REDACTED}.`);
    expect(redact(`a ${base64(KEY)} b ${hex(KEY)} c`)).toBe(`a ${REDACTED} b ${REDACTED} c`);
  });

  test("of many lines, whole and line by line", () => {
    const lines = [
      "-----BEGIN KEY-----",
      "MIIEvQIBADANBgkqhkiG9w0B",
      "AQEFAASCBKcwggSjAgEAAoIB",
      "-----END KEY-----",
    ];
    const redactKey = createRedactor([`${lines.join("\n")}\n`]);
    expect(redactKey(`x\n${lines.join("\n")}\ny`)).toBe(`x\n${REDACTED}\ny`);
    expect(redactKey(`x\n${lines.join("\r\n")}\r\ny`)).toBe(`x\n${REDACTED}\r\ny`);
    expect(redactKey(JSON.stringify({ key: lines.join("\n") }))).toBe(`{"key":"${REDACTED}"}`);
    expect(redactKey(`grep: ${lines[1]}`)).toBe(`grep: ${REDACTED}`);
    expect(redactKey("-----BEGIN KEY-----"), "says nothing").toBe("-----BEGIN KEY-----");
  });
});

test("a dump of a secret, with its columns", () => {
  const bytes = Buffer.from(KEY);
  const rows = [0, 16].map((at) => {
    const row = bytes.subarray(at, at + 16);
    const place = at.toString(16).padStart(8, "0");
    return { place, row, shown: row.toString("latin1") };
  });
  const hexdump = rows.map(
    ({ place, row, shown }) => `${place}  ${hex(String(row)).replace(/../g, "$& ")} |${shown}|`,
  );
  const xxd = rows.map(
    ({ place, row, shown }) => `${place}: ${hex(String(row)).replace(/.{4}/g, "$& ")}  ${shown}`,
  );
  for (const dump of [hexdump, xxd]) {
    const text = redact(`before\n${dump.join("\n")}\nafter`);
    expect(text).toMatch(/^before\n.*\[redacted\].*\nafter$/s);
    expect(text).not.toContain(hex(KEY).slice(0, 8));
  }
});

test("what is cut out ends where the last character's spelling ends", () => {
  expect(redact(`a ${KEY.slice(0, -1)}%41 b`)).toBe("a [redacted] b");
  expect(redact(`a %73${KEY.slice(1)} b`)).toBe("a [redacted] b");
  expect(redact(`a %2573${KEY.slice(1)} b`)).toBe("a [redacted] b");
});

test("the forms are many, and 50 MB a second are searched", () => {
  expect(ENCODINGS.length).toBeGreaterThan(60);
  const line =
    "src/core/redaction.ts:17: the quick brown fox jumps over 42 lazy dogs = \\n and 100 % of it\n";
  const text = line.repeat(20_000);
  const search = createRedactor([KEY, `ghs_${"aB3".repeat(12)}`, "x7-another-key-of-this-run"]);
  search(text.slice(0, 100_000));
  const speeds = [1, 2, 3].map(() => {
    const took = startCpuClock();
    search(text);
    return text.length / 1e3 / took();
  });
  // The goal is 50; a busy machine must not fail the build.
  expect(Math.max(...speeds), `MB/s: ${speeds}`).toBeGreaterThan(20);
});

describe("what is no secret stays", () => {
  test("texts without one, to the byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        fc.pre(!text.includes(KEY));
        expect(redact(text)).toBe(text);
      }),
    );
  });

  test("short values are words, not secrets", () => {
    expect(createRedactor(["", undefined, "   ", "main", "1234567"])).toBe(redactNothing);
    expect(createRedactor(["12345678"])("a 12345678 b")).toBe(`a ${REDACTED} b`);
  });

  test("redacting twice is redacting once", () => {
    const pieces = fc.constantFrom(
      KEY,
      base64(KEY),
      "[redacted]",
      hex(KEY),
      " ",
      "\n",
      "a",
      "[",
      "redacted]",
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const once = redact(parts.join(""));
        expect(redact(once)).toBe(once);
      }),
    );
  });
});

test("takes time in proportion to the text, whatever the text is", () => {
  const secret = `${"a".repeat(60)}b`;
  const hostile = createRedactor([secret, "k".repeat(40), "x-y-z-x-y-z-x-y-z"]);
  const time = (text: string) => {
    const took = startCpuClock();
    hostile(text);
    return took();
  };
  time("a".repeat(100_000));
  expect(time("a ".repeat(500_000))).toBeLessThan(3_000);
  expect(time("a".repeat(1_000_000))).toBeLessThan(3_000);
});

describe("a value", () => {
  test("is redacted in every text and name, and keeps its form", () => {
    const value = { [KEY]: [KEY, 1, null, true, { deep: `x${KEY}` }], map: new Map([["a", KEY]]) };
    expect(redactValue<unknown>(value, redact)).toEqual({
      [REDACTED]: [REDACTED, 1, null, true, { deep: `x${REDACTED}` }],
      map: new Map([["a", REDACTED]]),
    });
  });

  test("of a foreign kind, or with odd names, is kept", () => {
    const bytes = new Uint8Array([1]);
    expect(redactValue<unknown>({ bytes }, redact)).toEqual({ bytes });
    const odd: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(redactValue(odd, redact))).toBe('{"__proto__":{"a":1}}');
  });
});

/** Secrets are not made of white space, nor of one letter, and have no half of a surrogate pair. */
function isLikeASecret(text: string): boolean {
  return !/\s/.test(text) && text.isWellFormed() && new Set(text).size > 4 && text.normalize() === text;
}

test("a key that is written inside a longer one is found without the rest of the longer one", () => {
  const both = createRedactor(["zebra-0123456789-quilt", "0123456789-qu"]);
  expect(both("zebra-0123456789-qu!")).toBe(`zebra-${REDACTED}!`);
});

test("a key of eight letters is found in pieces", () => {
  expect(createRedactor(["q7w8e9r0"])("it is q7-w8-e9-r0")).toBe(`it is ${REDACTED}`);
});

test.each(["&#0;", "&#x110000;", "&#99999999999;"])(
  "%s, which is no character, is left as it is",
  (reference) => {
    expect(redact(`a ${reference} b ${KEY}`)).toBe(`a ${reference} b ${REDACTED}`);
  },
);

test("a key of signs alone is found at the very beginning of a text, and in lines", () => {
  const signs = "!$%^*()+{}|:<>?-=;";
  const withoutSigns = createRedactor([signs]);
  expect(withoutSigns(signs)).toBe(REDACTED);
  expect(withoutSigns(`${signs} and ${signs}`)).toBe(`${REDACTED} and ${REDACTED}`);
  expect(withoutSigns(`${signs.slice(0, 9)}\n${signs.slice(9)} b`)).toBe(`${REDACTED} b`);
});

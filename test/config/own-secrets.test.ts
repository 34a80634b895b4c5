// No setting can refer to a key that a run uses itself, by name or by value.
import { describe, expect, test } from "vitest";
import { fillVariables } from "../../src/config/secrets.ts";
import fc from "../fakes/properties.ts";

const OWN = [
  ...["ANTHROPIC_API_KEY", "LOOPLIA_ANTHROPIC_API_KEY", "INPUT_ANTHROPIC-API-KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  ...[
    "OPENAI_API_KEY",
    "LOOPLIA_OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "LOOPLIA_GITHUB_TOKEN",
    "LOOPLIA_STATE_KEY",
  ],
  ...["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL"],
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "ANTHROPIC_AUTH_TOKEN"],
];
const isName = (name: string) => /^\w+$/.test(name);

describe("a variable of the settings", () => {
  test.each(OWN.filter(isName))("can't be %s, with a value, a default or neither", (name) => {
    for (const text of [`\${${name}}`, `Bearer \${${name}}`, `\${${name}:-x}`, `\${HOME}\${${name}}`]) {
      expect(fillVariables(text, { [name]: "secret-value-1", HOME: "/home/a" })).toEqual({ own: [name] });
      expect(fillVariables(text, {})).toEqual({ own: [name] });
    }
  });

  test("can't carry the value of one of them, whole, as a part of a text, or one line of it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OWN),
        fc
          .string({ minLength: 8, maxLength: 60, unit: "grapheme-ascii" })
          .filter((text) => text.trim() === text),
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (name, secret, before, after) => {
          const environment = { [name]: `${secret}\nold-key-0001`, COPY: `${before}${secret}${after}` };
          expect(fillVariables(`\${COPY}`, environment)).toEqual({ own: ["COPY"] });
        },
      ),
    );
  });

  test("can't carry a key that was given as a setting, or the password of a proxy", () => {
    const given = fillVariables(`\${X}`, { X: "sk-given-1234" }, { anthropicApiKey: "sk-given-1234" });
    expect(given).toEqual({ own: ["X"] });
    const proxy = { HTTPS_PROXY: "http://me:long-password@proxy:8080", X: "long-password" };
    expect(fillVariables(`\${X}`, proxy)).toEqual({ own: ["X"] });
  });

  test("may hold anything else", () => {
    const environment = {
      ANTHROPIC_API_KEY: "sk-ant-own-key-1",
      TICKETS_TOKEN: "tickets-1",
      GITHUB_TOKEN: "",
    };
    expect(fillVariables(`Bearer \${TICKETS_TOKEN}`, environment)).toEqual({ text: "Bearer tickets-1" });
    expect(fillVariables(`\${NONE:-a}\${ALSO_NONE}`, environment)).toEqual({ missing: ["ALSO_NONE"] });
    // What is shorter than eight characters stands in other texts by chance.
    expect(fillVariables(`\${X}`, { OPENAI_API_KEY: "abc", X: "abcdef" })).toEqual({ text: "abcdef" });
  });
});

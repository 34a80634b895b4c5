// Which comments are commands, and what they say.

import { describe, expect, test } from "vitest";
import { parseSlashCommand, type SlashCommand, slashWordOf } from "../../src/approval/comment.ts";
import { SHORT_ID } from "../../src/core/interaction.ts";
import { naughtyStrings } from "../fakes/corpora.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const Q1 = "q1-0a1b2c";
const Q12 = "q12-ffffff";

describe("every command of the contract", () => {
  test.each<[string, SlashCommand]>([
    ["/approve", { name: "approve", ids: [], comment: "" }],
    [`/approve ${Q1}`, { name: "approve", ids: [Q1], comment: "" }],
    [`/approve ${Q1} ${Q12} looks  good`, { name: "approve", ids: [Q1, Q12], comment: "looks  good" }],
    [`/approve ${Q1} ${Q1}`, { name: "approve", ids: [Q1], comment: "" }],
    ["/approve all", { name: "approve", ids: [], comment: "all" }],
    [`/reject ${Q1} too\r\n\r\n- risky\r\n`, { name: "reject", ids: [Q1], comment: "too\n\n- risky" }],
    ["/reject no", { name: "reject", ids: [], comment: "no" }],
    ["/choose 2", { name: "choose", ids: [], option: "2", comment: "" }],
    [
      `/choose ${Q1} Plan.B\nbut short`,
      { name: "choose", ids: [Q1], option: "Plan.B", comment: "but short" },
    ],
    [`/choose ${Q1}  Start  over`, { name: "choose", ids: [Q1], option: "Start over", comment: "" }],
    [
      `/answer ${Q1} like this:\n~~~\n/approve\n~~~\n> /reject\n/approved by all, /status/live`,
      {
        name: "answer",
        ids: [Q1],
        text: "like this:\n~~~\n/approve\n~~~\n> /reject\n/approved by all, /status/live",
      },
    ],
    [`/choose 2 ${Q1}`, { name: "choose", ids: [Q1], option: "2", comment: "" }],
    [`/answer ${Q1} Monday,  10:00`, { name: "answer", ids: [Q1], text: "Monday,  10:00" }],
    [`/answer ${Q1}\nname: Ada\nage: 36`, { name: "answer", ids: [Q1], text: "name: Ada\nage: 36" }],
    [`/answer see ${Q1}`, { name: "answer", ids: [], text: `see ${Q1}` }],
    ["/answer", { name: "answer", ids: [], text: "" }],
    [`/revise ${Q1} use pnpm`, { name: "revise", ids: [Q1], text: "use pnpm" }],
    ["/looplia Please be brief.\n\nThanks", { name: "message", text: "Please be brief.\n\nThanks" }],
    ["/looplia run", { name: "run" }],
    ["/looplia Restart", { name: "restart" }],
    ["/looplia Run\r\n", { name: "run" }],
    ["/looplia run the tests", { name: "message", text: "run the tests" }],
    ["/status", { name: "status" }],
    ["/status please", { name: "status" }],
    ["/cancel", { name: "cancel" }],
    ["/cancel a-2026-11-21-0a1b2c", { name: "cancel", session: "a-2026-11-21-0a1b2c" }],
    ["/retry Write the docs", { name: "retry", target: "Write the docs" }],
    ["/retry api/v1/login", { name: "retry", session: "api", target: "v1/login" }],
    ["/retry Über/x", { name: "retry", target: "Über/x" }],
    ["/retry summary", { name: "retry", target: "summary" }],
    [
      "/retry a-2026-11-21-0a1b2c/writing-kit",
      { name: "retry", session: "a-2026-11-21-0a1b2c", target: "writing-kit" },
    ],
  ])("%j", async (body, command) => {
    expect(await parseSlashCommand(body)).toEqual(command);
  });

  test.each(["/APPROVE", "/Approve", "/aPPROVE"])("the word counts in any case: %s", async (word) => {
    expect(await parseSlashCommand(`${word} ${Q1} OK`)).toEqual({
      name: "approve",
      ids: [Q1],
      comment: "OK",
    });
  });

  test.each([
    ["blank lines", `\n \n\t\n/approve ${Q1}`],
    ["three spaces", `   /approve ${Q1}`],
    ["a byte order mark", `\ufeff/approve ${Q1}`],
    ["a carriage return as its line end", `/approve ${Q1}\r> quoted`],
    ["a quote after it", `/approve ${Q1}\n> quoted`],
    ["a fence after it", `/approve ${Q1}\n\`\`\`\n/reject\n\`\`\``],
  ])("with %s it is still one", async (_, body) => {
    expect(await parseSlashCommand(body)).toMatchObject({ name: "approve", ids: [Q1] });
  });
});

describe("an id on the next line", () => {
  test.each([
    `/approve\n${Q1}`,
    `/approve\r\n\r\n ${Q1} fine`,
    `/approve ${Q1}\n${Q12}`,
    `/reject\n${Q1}`,
    "/approve\nq1",
    "/approve q\u0663-0a1b2c",
    "/approve q\u0967-0a1b2c",
    "/approve \u051b1-0a1b2c",
    "/approve q1-0\u04301b2c",
    "/reject q\u0663-0a1b2c no",
    `/choose 2\n${Q1}`,
    `/answer\n${Q1} Monday`,
    `/revise\n${Q1} use pnpm`,
  ])("makes the command unclear, so that it decides no other question: %j", async (body) => {
    expect(await parseSlashCommand(body)).toMatchObject({ name: "unclear" });
  });

  test("is a text where the question was named before it", async () => {
    expect(await parseSlashCommand(`/answer ${Q1}\nq5`)).toEqual({ name: "answer", ids: [Q1], text: "q5" });
  });
});

describe("behind the id of the question that is meant, a word that is only a little like one is a word", () => {
  test.each<[string, SlashCommand]>([
    [`/answer ${Q1} Q4`, { name: "answer", ids: [Q1], text: "Q4" }],
    [`/answer ${Q1} q4-2026 or later`, { name: "answer", ids: [Q1], text: "q4-2026 or later" }],
    [`/revise ${Q1} Q3 only`, { name: "revise", ids: [Q1], text: "Q3 only" }],
    [`/reject ${Q1} the (Q3) numbers`, { name: "reject", ids: [Q1], comment: "the (Q3) numbers" }],
    [`/reject ${Q1}\n\nQ3 is missing`, { name: "reject", ids: [Q1], comment: "Q3 is missing" }],
    [`/approve ${Q1} for Q1/Q2`, { name: "approve", ids: [Q1], comment: "for Q1/Q2" }],
  ])("%j", async (body, command) => {
    expect(await parseSlashCommand(body)).toEqual(command);
  });

  test.each([
    `/approve ${Q1} q12`,
    `/approve ${Q1} and q12-fffff`,
    `/approve ${Q1} #${Q12}`,
    `/approve ${Q1} Q12-FFFFFF`,
    `/answer ${Q1} #${Q12} yes`,
    `/answer ${Q1} ${Q12.replace("-", "\u2011")} yes`,
    "/reject Q4 is wrong",
    "/answer Q4",
  ])("another id, and a bare command's, are not: %j", async (body) => {
    expect(await parseSlashCommand(body)).toMatchObject({ name: "unclear" });
  });
});

describe("what is no command", () => {
  test.each([
    ["quoted", "> /approve"],
    ["quoted without a space", ">/approve"],
    ["quoted twice", "> > /approve"],
    ["below a quote", "> What?\n\n/approve"],
    ["the lazy end of a quote", "> What?\n/approve"],
    ["fenced", "```\n/approve\n```"],
    ["fenced with tildes", "~~~\n/approve\n~~~"],
    ["in a fence that never ends", "```\n\n/approve"],
    ["indented code", "    /approve"],
    ["indented by a tab", "\t/approve"],
    ["indented behind a blank line", "\n\n    /approve"],
    ["code in a line", "`/approve`"],
    ["an HTML comment", "<!-- /approve -->"],
    ["in an HTML comment of several lines", "<!--\n/approve\n-->"],
    ["in an HTML block", "<div>\n/approve\n</div>"],
    ["folded away", "<details>\n\n/approve\n\n</details>"],
    ["right behind an HTML comment", "<!-- x -->/approve"],
    ["a list", "- /approve"],
    ["a numbered list", "1. /approve"],
    ["a heading", "# /approve"],
    ["underlined", "/approve\n==="],
    ["underlined over several lines", "/approve\nand more\n---"],
    ["underlined below a line that begins with a dash", "/approve\n--dry-run\n==="],
    ["emphasised", "**/approve**"],
    ["a link", "[/approve](https://example.com)"],
    ["behind a link's definition", "[a]: /x\n/approve"],
    ["escaped", "\\/approve"],
    ["an entity", "&#47;approve"],
    ["in the second line", "Fine.\n/approve"],
    ["in the second paragraph", "Fine.\n\n/approve"],
    ["behind a word", "Please /approve"],
    ["another word", "/approved"],
    ["another bot's", "/rebase"],
    ["glued to a sign", "/approve!"],
    ["a path", "/approve/x"],
    ["split by an unseen character", "/app\u200brove"],
    ["behind a space that is none", "\u00a0/approve"],
    ["with letters that look alike", "/\u0430pprove"],
    ["with a full-width slash", "\uff0fapprove"],
    ["a name of every object", "/constructor"],
    ["nothing", ""],
    ["a slash", "/"],
  ])("%s", async (_, body) => {
    expect(await parseSlashCommand(body)).toBeUndefined();
  });
});

describe("what is meant as a command and is not clear says how to write it", () => {
  test.each([
    ["an id behind words", `/approve everything but ${Q1}`],
    ["an id that was cut", "/approve q1-0a1b2"],
    ["an id in capitals", "/approve Q1-0A1B2C"],
    ["ids with a comma", `/approve ${Q1}, ${Q12}`],
    ["an ordinal alone", "/approve q1"],
    ["ids glued by a comma", `/approve ${Q1},${Q12}`],
    ["an id behind a sign", `/approve #${Q1}`],
    ["an id in bold", `/approve **${Q1}**`],
    ["an id behind a colon", `/approve id:${Q1}`],
    ["an id with another hyphen", `/approve ${Q1.replace("-", "\u2011")}`],
    ["an id with something unseen in it", `/approve ${Q1.replace("-", "-\u200b")} go`],
    ["an id that begins with something unseen", `/approve \u200b${Q1}`],
    ["an id in full width", "/approve \uff51\uff11-0a1b2c"],
    ["an id in code", `/reject \`${Q1}\``],
    ["an ordinal of zero", "/reject q0-0a1b2c"],
    ["no option", "/choose"],
    ["no option behind the id", `/choose ${Q1}`],
    ["two words, the first like an id", "/choose q1-0a1b2 2"],
    ["a second command", `/approve ${Q1}\n/reject ${Q12} too much`],
    ["a mistyped second command", `/approve ${Q1}\n/rejct ${Q12} too much`],
    ["a second command below a text", "/looplia take the short one\n\n  /Status"],
    ["a second command behind a fence", `/answer ${Q1}\n~~~\n/approve\n~~~\n/approve`],
    ["two questions", `/choose ${Q1} ${Q12} 2`],
    ["two answers", `/answer ${Q1} ${Q12} yes`],
    ["an answer's id behind a sign", `/answer #${Q1} yes`],
    ["an answer's id that was cut", "/answer q1-0a1b2 yes"],
    ["a revision without a text", `/revise ${Q1}`],
    ["a message without a text", "/looplia"],
    ["several standing approvals", "/revoke 1 2"],
    ["several sessions", "/cancel a b"],
    ["a path as a session", "/cancel ../x"],
    ["nothing to retry", "/retry"],
    ["a slash to retry", "/retry a/"],
  ])("%s", async (_, body) => {
    const command = await parseSlashCommand(body);
    expect(command).toMatchObject({ name: "unclear" });
    expect(command?.name === "unclear" && command.usage).toMatch(/^\/[a-z]+ \S/);
  });
});

test("a second command is named in the case of its usage, whatever case it was written in", async () => {
  const command = await parseSlashCommand(`/approve ${Q1}\n/REJECT ${Q12}`);
  expect(command?.name === "unclear" && command.problem).toContain("(/reject)");
});

const shortId = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), fc.stringMatching(/^[0-9a-f]{6}$/))
  .map(([ordinal, hex]) => `q${ordinal}-${hex}`);
const anyText = fc.string({ unit: anyCharacter, maxLength: 200 });

test("any ids and any later lines are read back as they were written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(shortId, { maxLength: 5 }), anyText, async (ids, text) => {
      const line = ["/approve", ...ids].join(" ");
      const expected = text.replace(/\r\n?/g, "\n").trim();
      expect(await parseSlashCommand(`${line}\n\n${text}`)).toEqual({
        name: "approve",
        ids,
        comment: expected,
      });
    }),
  );
});

test("nothing that stands in a quote, a fence, a comment or a list is ever a command", async () => {
  const hidden = fc.constantFrom<(text: string) => string>(
    (text) => `> ${text.replaceAll("\n", "\n> ")}`,
    (text) => `~~~~~~~~\n${text.replaceAll("~", "")}\n~~~~~~~~`,
    (text) => `<!-- ${text.replaceAll("-", "")} -->`,
    (text) => `- ${text}`,
    (text) => `    ${text.replaceAll("\n", "\n    ")}`,
  );
  await fc.assert(
    fc.asyncProperty(hidden, anyText, async (hide, text) => {
      expect(await parseSlashCommand(hide(`/approve ${text.replace(/[\r\n]/g, " ")}`))).toBeUndefined();
    }),
  );
});

test("no text makes it fail, and no id is made up", async () => {
  const words = fc.constantFrom(
    "/approve",
    "/choose",
    "/answer",
    "/revise",
    "/retry",
    "/cancel",
    "/looplia",
    "/",
  );
  await fc.assert(
    fc.asyncProperty(words, anyText, async (word, text) => {
      for (const body of [text, `${word}${text}`, `${word} ${text}`]) {
        const command = await parseSlashCommand(body);
        const ids = command && "ids" in command ? command.ids : [];
        for (const id of ids) {
          expect(id).toMatch(SHORT_ID);
          expect(body).toContain(id);
        }
      }
    }),
  );
});

test.each(["[", "![", "> ", "a\n=\n", "a\n", "- ", "<a ", "`", "*a", "&#x", "\\"])(
  "30,000 characters of %j take no minutes",
  async (hostile) => {
    const took = startCpuClock();
    for (const lead of ["/approve ", "/approve\n"]) {
      expect(await parseSlashCommand(lead + hostile.repeat(30_000 / hostile.length))).not.toBe("stuck");
    }
    expect(took()).toBeLessThan(4_000);
  },
);

describe("naughty strings", () => {
  test("are no commands, and as answers they arrive as they are", async () => {
    const strings = naughtyStrings();
    expect(strings.length).toBeGreaterThan(400);
    for (const text of strings) {
      expect(await parseSlashCommand(text), text).toBeUndefined();
      const expected = text.replace(/\r\n?/g, "\n").trim();
      expect(await parseSlashCommand(`/answer ${Q1} ${text}`), text).toEqual({
        name: "answer",
        ids: [Q1],
        text: expected,
      });
    }
  });
});

test("a byte order mark inside a word is not dropped", async () => {
  expect(await parseSlashCommand("/app\ufeffrove")).toBeUndefined();
});

test("a standing approval says so", async () => {
  expect(await parseSlashCommand(`/approve ${Q1} always`)).toEqual({
    name: "approve",
    ids: [Q1],
    always: true,
    comment: "",
  });
});

test("a fence ends only with its own mark", async () => {
  const body = `/approve ${Q1}\n~~~\n\`\`\`\n/reject\n\`\`\`\n~~~`;
  expect(await parseSlashCommand(body)).toMatchObject({ name: "approve", ids: [Q1] });
});

test("without a session, /cancel carries none", async () => {
  expect(await parseSlashCommand("/cancel")).toStrictEqual({ name: "cancel" });
});

test.each(["/looplia be brief", "/looplia run", "/looplia restart", "/status", "/cancel", "/choose"])(
  "the command word is given back as it was written: %s",
  async (body) => {
    const command = await parseSlashCommand(body);
    expect(command && slashWordOf(command)).toBe(body.replace(" be brief", ""));
  },
);

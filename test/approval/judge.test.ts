// Which question a command decides, and every reason to refuse one.

import { describe, expect, test } from "vitest";
import { judgeDispatch } from "../../src/approval/judge.ts";
import type { OpenRequest } from "../../src/approval/questions.ts";
import fc from "../fakes/properties.ts";
import {
  accounts,
  ada,
  anybody,
  at,
  composite,
  inWords,
  judged,
  OWN_ID,
  question,
  select,
} from "./judge-world.ts";

const answered = (seconds: number): Partial<OpenRequest> => ({
  closed: { why: "answered", at: at(seconds), actorId: "github:8:grace" },
});
const Q = "q1-aaaaaa";

describe("as typed on a phone", () => {
  const mail = "\n\nOn Tue, Dec 1, 2026 at 9:00 AM looplia wrote:\n\n> To reject:\n> /reject q1-aaaaaa\n";
  test.each([
    [`/Approve ${Q}`],
    [`/approve\u00a0${Q}`],
    [`/approve ${Q} looks good 👍`],
    [`/approve ${Q}\n\nSent from my phone${mail}`],
  ])("%j is accepted", async (body) => {
    expect(inWords(await judged(body, [question(Q)]))).toBe(`accepted: ${Q} = approve`);
  });

  test.each([
    [`/approve ${Q}.`],
    [`/approve ${Q.toUpperCase()}`],
    ["/approve q1"],
    [`/approve ${Q.replace("-", "–")}`],
    [`/approve ${Q}\n/status`],
  ])("%j is refused, with the line to copy", async (body) => {
    const refused = { verdict: "refused", refusal: { code: "unclear", copy: [`/approve ${Q}`] } };
    expect(await judged(body, [question(Q), question("q2-bbbbbb", {}, answered(300))])).toMatchObject(
      refused,
    );
    const several = await judged(body, [question(Q), question("q2-bbbbbb")]);
    expect(several).toMatchObject({ refusal: { copy: ["/approve <q> [always] [comment]"] } });
  });

  test.each([[`👍 /approve ${Q}`], [`“/approve ${Q}”`], [`/ approve ${Q}`], ["/Approve."], [`approve ${Q}`]])(
    "%j is no command",
    async (body) => {
      expect(await judged(body, [question(Q)])).toMatchObject({ verdict: "ignored", reason: "no-command" });
    },
  );
});

describe("a command that names its question", () => {
  test("decides it, with the comment for the agent", async () => {
    expect(await judged(`/approve ${Q} fine`, [question(Q)])).toMatchObject({
      verdict: "accepted",
      actorId: "github:7:ada",
      permission: "write",
      effects: [
        {
          type: "answer",
          interactionId: `session.${Q}`,
          answer: { selectedOptionId: "approve", comment: "fine" },
        },
      ],
    });
  });
  test("decides several at once, or none of them", async () => {
    const questions = [question(Q), question("q2-bbbbbb"), question("q3-cccccc", select)];
    expect(inWords(await judged(`/approve ${Q} q2-bbbbbb`, questions))).toBe(
      "accepted: q1-aaaaaa = approve, q2-bbbbbb = approve",
    );
    expect(inWords(await judged(`/approve ${Q} q3-cccccc`, questions))).toBe("refused: wrong-kind");
    expect(inWords(await judged(`/reject ${Q} q3-cccccc`, questions))).toBe(
      "accepted: q1-aaaaaa = reject, q3-cccccc = reject",
    );
  });
  test.each<[string, string, Partial<OpenRequest> & { asked?: number }, string]>([
    ["written before the question", at(1), {}, "older"],
    [
      "written in its second, before it",
      at(2),
      { published: { commentId: 5001, createdAt: at(2) } },
      "older",
    ],
    ["written when nobody had seen it", at(600), { published: undefined as never }, "older"],
    ["after it was answered", at(600), answered(300), "decided"],
    ["written before another's answer that was read first", at(200), answered(300), "decided"],
    ["after it expired", at(600), { closed: { why: "expired", at: at(500) } }, "expired"],
    ["after its task ended", at(600), { closed: { why: "task-ended", at: at(500) } }, "canceled"],
    ["after it was canceled", at(600), { closed: { why: "canceled", at: at(500) } }, "canceled"],
  ])("%s is refused", async (_, createdAt, around, code) => {
    const verdict = await judged(`/approve ${Q}`, [question(Q, {}, around)], { comment: { createdAt } });
    expect(inWords(verdict)).toBe(`refused: ${code}`);
  });
  test("a question that nobody could see whole may only be declined", async () => {
    const cut = { commentId: 4000, createdAt: at(2), isCut: true } as const;
    for (const [kind, command] of [
      [{}, "approve"],
      [select, "choose"],
      [composite, "answer"],
    ] as const) {
      const questions = [question(Q, kind, { published: cut })];
      expect(inWords(await judged(`/${command} ${Q} fast`, questions))).toBe("refused: cut");
      expect(inWords(await judged(`/reject ${Q}`, questions))).toBe(`accepted: ${Q} = reject`);
      expect(inWords(await judged(`/revise ${Q} in steps`, questions))).toBe(`accepted: ${Q} = reject`);
    }
  });
  test("written in the question's second, behind it, counts", async () => {
    const seen = question(Q, {}, { published: { commentId: 4999, createdAt: at(600) } });
    expect(inWords(await judged(`/approve ${Q}`, [seen]))).toBe("accepted: q1-aaaaaa = approve");
  });
  test("the time to answer is judged by when the comment was written", async () => {
    const questions = [question(Q, { expiresAt: at(600) })];
    expect(inWords(await judged(`/approve ${Q}`, questions))).toBe("accepted: q1-aaaaaa = approve");
    const late = { comment: { createdAt: at(601) } };
    expect(inWords(await judged(`/approve ${Q}`, questions, late))).toBe("refused: expired");
  });
  test("of another fingerprint is refused with the one that is open", async () => {
    const verdict = await judged("/approve q1-bbbbbb", [question(Q)]);
    expect(verdict).toMatchObject({ refusal: { code: "changed", copy: [`/approve ${Q}`] } });
  });
  test("that never was is refused with what is open", async () => {
    const verdict = await judged("/approve q9-bbbbbb", [question(Q), question("q2-bbbbbb", select)]);
    expect(verdict).toMatchObject({
      refusal: { code: "unknown", copy: [`/approve ${Q}`, "/choose q2-bbbbbb fast"] },
    });
  });
});

describe("a word that is no command", () => {
  test.each([
    [`/aprove ${Q} go on`, `/approve ${Q} go on`],
    [`/Chose ${Q} 2`, `/choose ${Q} 2`],
    [`/revize ${Q} shorter`, `/revise ${Q} shorter`],
  ])("is refused with the nearest one where it names an open question: %s", async (body, usage) => {
    const verdict = await judged(body, [question(Q), question("q2-bbbbbb")]);
    expect(verdict).toMatchObject({ verdict: "refused", refusal: { code: "unclear", copy: [usage] } });
  });
  test("is somebody else's without such an id, and from people without permission it is never answered", async () => {
    for (const [body, questions] of [
      ["/aprove", [question(Q)]],
      ["/aprove q2-bbbbbb", [question(Q)]],
      [`/aprove ${Q}`, [question(Q, {}, answered(300))]],
    ] as const) {
      expect(await judged(body, [...questions]), body).toEqual({ verdict: "ignored", reason: "no-command" });
    }
    const eve = { comment: { author: { id: 9, login: "eve", isBot: false } } };
    expect(await judged(`/aprove ${Q}`, [question(Q)], eve)).toMatchObject({
      verdict: "ignored",
      reason: "not-permitted",
    });
  });
});

describe("a bare command", () => {
  test("that decides one question at a time is offered for each open one, and for none together", async () => {
    const open = [question(Q, select), question("q2-bbbbbb", select)];
    expect(await judged("/choose 2", open)).toMatchObject({
      refusal: { code: "several-open", copy: [`/choose ${Q} 2`, "/choose q2-bbbbbb 2"] },
    });
  });
  test("that no open question takes is answered with what each one takes", async () => {
    const open = [question(Q), question("q2-bbbbbb"), question("q3-cccccc", select)];
    expect(await judged("/choose 1", open)).toMatchObject({
      refusal: {
        code: "several-open",
        copy: [`/approve ${Q}`, "/approve q2-bbbbbb", "/choose q3-cccccc 1"],
      },
    });
  });
  test.each([
    ["fast because it rains", "fast", "because it rains"],
    ["2, please", "2", "please"],
    ["Careful\nand slow", "Careful", "and slow"],
    ["fast or careful", "fast or careful", undefined],
    ["slow because it rains", "slow because it rains", undefined],
  ])(
    "keeps what follows an option as a comment, unless it names another: %s",
    async (said, option, comment) => {
      const verdict = await judged(`/choose ${Q} ${said}`, [question(Q, select)]);
      const answer = { selectedOptionId: option, ...(comment === undefined ? {} : { comment }) };
      expect(verdict).toMatchObject({ effects: [{ type: "answer", answer }] });
    },
  );
  test("counts where exactly one question was open when it was written", async () => {
    expect(inWords(await judged("/approve", [question(Q)]))).toBe("accepted: q1-aaaaaa = approve");
    expect(inWords(await judged("/choose 2", [question(Q, select)]))).toBe("accepted: q1-aaaaaa = 2");
  });
  test("is refused where several were open, with each command to copy", async () => {
    const verdict = await judged("/approve all", [question(Q), question("q2-bbbbbb")]);
    expect(verdict).toMatchObject({
      refusal: {
        code: "several-open",
        copy: [`/approve ${Q} all`, "/approve q2-bbbbbb all", `/approve ${Q} q2-bbbbbb all`],
      },
    });
  });
  test.each<[string, OpenRequest[], string]>([
    ["none was asked yet", [question(Q, {}, { asked: 700 })], "nothing-open"],
    ["none was published", [question(Q, {}, { published: undefined as never })], "nothing-open"],
    ["the only one was closed long before", [question(Q, {}, answered(300))], "nothing-open"],
    ["the only one was answered a minute before", [question(Q, {}, answered(540))], "decided"],
    ["the only one was answered after it", [question(Q, {}, answered(610))], "decided"],
    ["the only one expired before", [question(Q, { expiresAt: at(599) })], "expired"],
    [
      "another was closed 119 seconds before",
      [question(Q), question("q2-bbbbbb", {}, answered(481))],
      "another-just-closed",
    ],
    [
      "another expired a minute before",
      [question(Q), question("q2-bbbbbb", { expiresAt: at(540) })],
      "another-just-closed",
    ],
    [
      "two were open, one of which was answered since",
      [question(Q), question("q2-bbbbbb", {}, answered(610))],
      "several-open",
    ],
    [
      "another was closed, and nobody knows when",
      [question(Q), question("q2-bbbbbb", {}, { closed: { why: "task-ended" } })],
      "several-open",
    ],
    [
      "the only one was closed, and nobody knows when",
      [question(Q, {}, { closed: { why: "task-ended" } })],
      "canceled",
    ],
    ["the question is dangerous", [question(Q, { dangers: ["deletes files"] })], "dangerous"],
  ])("is refused where %s", async (_, questions, code) => {
    expect(inWords(await judged("/approve", questions))).toBe(`refused: ${code}`);
  });
  test.each<[string, OpenRequest]>([
    ["was closed 121 seconds before", question("q2-bbbbbb", {}, answered(479))],
    ["was asked later", question("q2-bbbbbb", {}, { asked: 600 })],
    [
      "was closed before anybody saw it",
      question("q2-bbbbbb", {}, { ...answered(590), published: undefined as never }),
    ],
  ])("counts though another question %s", async (_, other) => {
    expect(inWords(await judged("/approve", [question(Q), other]))).toBe("accepted: q1-aaaaaa = approve");
  });
  test("what is dangerous is decided by its id", async () => {
    const questions = [question(Q, { dangers: ["deletes files"] })];
    expect(inWords(await judged(`/approve ${Q}`, questions))).toBe("accepted: q1-aaaaaa = approve");
  });
});

describe("each kind has its commands; /reject and /revise decline any", () => {
  const kinds = { Confirm: {}, Select: select, Input: { kind: "Input" as const }, Composite: composite };
  const expected: Record<string, Record<string, string>> = {
    Confirm: { approve: "approve", choose: "", answer: "", reject: "reject", revise: "reject" },
    Select: { approve: "", choose: "fast", answer: "", reject: "reject", revise: "reject" },
    Input: { approve: "", choose: "", answer: "fast", reject: "reject", revise: "reject" },
    Composite: { approve: "", choose: "", answer: '{"name":"Ada"}', reject: "reject", revise: "reject" },
  };
  for (const [kind, changes] of Object.entries(kinds)) {
    test.each(Object.entries(expected[kind] ?? {}))(`${kind}: /%s`, async (word, value) => {
      const text = kind === "Composite" && word === "answer" ? "\nname: Ada" : "fast";
      const verdict = await judged(`/${word} ${Q} ${text}`, [question(Q, changes)]);
      expect(inWords(verdict)).toBe(value === "" ? "refused: wrong-kind" : `accepted: q1-aaaaaa = ${value}`);
    });
  }
  test("what a refusal offers to copy is read as it is meant", async () => {
    const options = ["fast", "start over"].map((id) => ({ id, label: id }));
    const verdict = await judged(`/approve ${Q}`, [question(Q, { kind: "Select", options })]);
    expect(verdict).toMatchObject({ refusal: { copy: [`/choose ${Q} fast`, `/choose ${Q} 2`] } });
  });

  test("a wrong one is told the right ones to copy", async () => {
    expect(await judged("/approve", [question(Q, select)])).toMatchObject({
      refusal: { copy: [`/choose ${Q} fast`, `/choose ${Q} careful`] },
    });
    expect(await judged("/choose 1", [question(Q, composite)])).toMatchObject({
      refusal: { copy: [`/answer ${Q}\nname: <value>\nspeed: <value>`] },
    });
  });
  test("the instructions of /revise reach the agent", async () => {
    expect(await judged("/revise use pnpm", [question(Q)])).toMatchObject({
      effects: [{ answer: { selectedOptionId: "reject", comment: "Try again: use pnpm" } }],
    });
  });
});

describe("the fields of a Composite", () => {
  const answer = async (text: string) => {
    const verdict = await judged(`/answer ${Q}\r\n${text}`, [question(Q, composite)]);
    return inWords(verdict).replace("accepted: q1-aaaaaa = ", "");
  };
  test.each([
    ["lines", "name: Ada\r\n\r\nspeed:2", '{"name":"Ada","speed":"2"}'],
    ["colons in a value", "name: a: b", '{"name":"a: b"}'],
    [
      "a value of several lines",
      "name: Ada\n  Lovelace\n\tof London\nspeed: fast",
      '{"name":"Ada\\nLovelace\\nof London","speed":"fast"}',
    ],
    ["the JSON object itself", '{"name": "Ada"}', '{"name": "Ada"}'],
    ["an unknown field", "nmae: Ada", "refused: no-fields"],
    ["a line without a field", "name: Ada\nand more", "refused: no-fields"],
    ["a field twice", "name: Ada\nname: Grace", "refused: no-fields"],
    ["a name of every object", "__proto__: x", "refused: no-fields"],
    ["broken JSON", '{"name": "Ada"', "refused: no-fields"],
  ])("%s", async (_, text, expected) => {
    expect(await answer(text)).toBe(expected);
  });
});

describe("who may decide this question", () => {
  test("who led to it may not where self-approval is off, by id and not by login", async () => {
    const questions = [question(Q, { startedBy: ["github:8:grace", "github:7:formerly-ada"] })];
    expect(inWords(await judged("/approve", questions))).toBe("accepted: q1-aaaaaa = approve");
    const off = { settings: { selfApproval: false } };
    expect(inWords(await judged("/approve", questions, off))).toBe("refused: self");
    expect(inWords(await judged("/looplia hello", questions, off))).toBe("accepted: message");
    const other = [question(Q, { startedBy: ["github:77:ada"] })];
    expect(inWords(await judged("/approve", other, off))).toBe("accepted: q1-aaaaaa = approve");
  });
  test.each([
    ["a schedule did: anybody may", [], "accepted: q1-aaaaaa = approve"],
    ["nobody knows who did: nobody may", ["unknown"], "refused: unknown-starter"],
    ["somebody did, and somebody unknown", ["github:8:grace", "unknown"], "refused: unknown-starter"],
    ["it is not on record: nobody may", undefined, "refused: unknown-starter"],
  ])("self-approval off, %s", async (_, startedBy, verdict) => {
    const off = { settings: { selfApproval: false } };
    const asked = question(Q, startedBy ? { startedBy } : {});
    expect(inWords(await judged(`/approve ${Q}`, [asked], off))).toBe(verdict);
    expect(inWords(await judged(`/approve ${Q}`, [asked]))).toBe("accepted: q1-aaaaaa = approve");
  });
  test("nobody approves twice where several must", async () => {
    const settings = { minApprovals: 2 };
    const once = [question(Q, {}, { approvals: ["github:7:ada"] })];
    expect(inWords(await judged("/approve", once, { settings }))).toBe("refused: approved-before");
    expect(inWords(await judged("/reject", once, { settings }))).toBe("accepted: q1-aaaaaa = reject");
    const byOther = [question(Q, {}, { approvals: ["github:8:grace"] })];
    expect(inWords(await judged("/approve", byOther, { settings }))).toBe("accepted: q1-aaaaaa = approve");
  });
  test("a bot is not one of several people", async () => {
    const bot = { author: { id: 500, login: "helper[bot]", isBot: true } };
    const settings = { allowedBots: ["helper:500"], minApprovals: 2 };
    expect(inWords(await judged("/approve", [question(Q)], { settings, comment: bot }))).toBe(
      "refused: bot-among-several",
    );
  });
  test.each(["run", "2", "RUN"])(
    "running again what is in doubt needs several people too: /choose %s",
    async (option) => {
      const doubt: Parameters<typeof question>[1] = {
        kind: "Select",
        options: ["happened", "run", "stop"].map((id) => ({ id, label: id })),
      };
      const once = [question(Q, doubt, { approvals: ["github:7:ada"] })];
      const settings = { allowedBots: ["helper:500"], minApprovals: 2 };
      expect(inWords(await judged(`/choose ${option}`, once, { settings }))).toBe("refused: approved-before");
      const comment = { author: { id: 500, login: "helper[bot]", isBot: true } };
      expect(inWords(await judged(`/choose ${option}`, once, { settings, comment }))).toBe(
        "refused: bot-among-several",
      );
      expect(inWords(await judged("/choose happened", once, { settings }))).toMatch(/^accepted/);
    },
  );
  test("an app that writes in a person's name decides only where it is allowed", async () => {
    const comment = { app: { id: 900, slug: "autopilot" } };
    expect(inWords(await judged("/approve", [question(Q)], { comment }))).toBe("refused: strange-app");
    const settings = { allowedBots: ["autopilot:900"] };
    expect(inWords(await judged("/approve", [question(Q)], { comment, settings }))).toMatch(/^accepted/);
  });
  test("teams are asked for only where nothing else decides", async () => {
    const { asks, asked } = accounts({ ada: { id: 7, role: "write", teams: ["acme/reviewers"] } });
    const settings = { approvers: ["grace", "@acme/reviewers"] };
    expect(inWords(await judged("/approve", [question(Q)], { settings, asks }))).toBe(
      "accepted: q1-aaaaaa = approve",
    );
    expect(asked.teams).toBe(1);
    expect(inWords(await judged("/status", [], { settings, asks }))).toBe("accepted: status");
    const named = { approvers: ["@acme/reviewers", "Ada"] };
    expect(inWords(await judged("/approve", [question(Q)], { settings: named, asks }))).toMatch(/^accepted/);
    expect(asked.teams).toBe(1);
    const none = { approvers: ["@acme/others"] };
    expect(inWords(await judged("/approve", [question(Q)], { settings: none, asks }))).toBe(
      "ignored: not-permitted",
    );
  });
});

describe("a dispatched command", () => {
  const dispatch = (command: string, sender = "ada") =>
    judgeDispatch(
      { command, sender, createdAt: at(600) },
      { settings: anybody, questions: [question(Q)], asks: ada() },
    );
  test("counts for its sender, who is asked about like a comment's author", async () => {
    expect(await dispatch(`/approve ${Q}`)).toMatchObject({ verdict: "accepted", actorId: "github:7:ada" });
    expect(inWords(await dispatch(`/approve ${Q}`, "stranger"))).toBe("ignored: not-permitted");
  });
  test.each<[string, Parameters<typeof accounts>[0]]>([
    ["without write access", { ada: { id: 7, role: "read" } }],
    ["without an account", {}],
  ])("does not count for a sender %s", async (_, roles) => {
    const dispatched = { command: `/approve ${Q}`, sender: "ada", createdAt: at(600) };
    const { asks } = accounts(roles);
    const verdict = await judgeDispatch(dispatched, { settings: anybody, questions: [question(Q)], asks });
    expect(inWords(verdict)).toBe("ignored: not-permitted");
  });
  test("is a person's, so that it counts where several people must approve", async () => {
    const settings = { ...anybody, minApprovals: 2 };
    const dispatched = { command: `/approve ${Q}`, sender: "ada", createdAt: at(600) };
    const verdict = await judgeDispatch(dispatched, { settings, questions: [question(Q)], asks: ada() });
    expect(inWords(verdict)).toBe("accepted: q1-aaaaaa = approve");
  });
  test("must name its question", async () => {
    expect(inWords(await dispatch("/approve"))).toBe("refused: needs-id");
    expect(inWords(await dispatch("approve"))).toBe("ignored: no-command");
  });
});

test("the program's own word is none where it is a bot; where its token is a person's that person has one", async () => {
  const asks = accounts({ me: { id: OWN_ID, role: "write" } }).asks;
  const settings = { allowedBots: [`me:${OWN_ID}`] };
  const said = (isBot: boolean) => {
    const author = { id: OWN_ID, login: isBot ? "me[bot]" : "me", isBot };
    return judged(`/approve ${Q}`, [question(Q)], { settings, asks, comment: { author } });
  };
  expect(await said(true)).toMatchObject({ verdict: "ignored", reason: "no-command" });
  expect(await said(false)).toMatchObject({ verdict: "accepted" });
});

test("every refusal says what, why, and what to do", async () => {
  const refused = [
    await judged("/choose", [question(Q)]),
    await judged("/approve", []),
    await judged("/approve q9-bbbbbb", []),
    await judged("/approve", [question(Q), question("q2-bbbbbb")]),
    await judged("/approve", [question(Q, { dangers: ["deletes files", "pushes"] })]),
    await judged(`/approve ${Q}`, [question(Q, {}, answered(300))]),
    await judged(`/answer ${Q}\nwhat`, [question(Q, composite)]),
  ];
  for (const verdict of refused) {
    if (verdict.verdict !== "refused") throw new Error(`not refused: ${JSON.stringify(verdict)}`);
    expect(verdict.refusal.reason).toMatch(/\w{2,} \w+/);
    expect(verdict.refusal.whatToDo).toMatch(/^[A-Z].*[.:]$/);
    if (verdict.refusal.whatToDo.endsWith(":")) expect(verdict.refusal.copy.length).toBeGreaterThan(0);
  }
  expect(refused[5]).toMatchObject({ refusal: { reason: expect.stringContaining("by grace") } });
});

test("whatever was asked and closed when: a bare command decides at most one question, and one that was open", async () => {
  const anyQuestion = fc.record({
    asked: fc.integer({ min: 0, max: 1200 }),
    closed: fc.option(fc.integer({ min: 0, max: 1200 }), { nil: undefined }),
    danger: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyQuestion, { maxLength: 5 }), async (seeds) => {
      const questions = seeds.map(({ asked, closed, danger }, index) =>
        question(`q${index + 1}-aaaaaa`, danger ? { dangers: ["deletes files"] } : {}, {
          asked,
          ...(closed === undefined ? {} : answered(closed)),
        }),
      );
      const verdict = await judged("/approve", questions);
      if (verdict.verdict !== "accepted") return;
      expect(verdict.effects.length).toBe(1);
      const open = seeds.filter(({ asked, closed }) => asked + 2 < 600 && closed === undefined);
      expect(open.length).toBe(1);
      expect(open[0]?.danger).toBe(false);
      const justClosed = seeds.some(
        ({ asked, closed }) => asked + 2 < 600 && closed !== undefined && closed <= 600 && closed >= 480,
      );
      expect(justClosed).toBe(false);
    }),
  );
});

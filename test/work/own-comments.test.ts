// SECURITY, "forged bot comment or marker": a marker only locates, and who wrote a comment is checked by its author's id.
import { expect, test } from "vitest";
import type { WorkEvent } from "../../src/core/events.ts";
import type { Discussion, PullComment } from "../../src/core/ports-host.ts";
import { foldWork } from "../../src/core/work-state.ts";
import { requireMarkers } from "../../src/entry/redact.ts";
import { writeMarker } from "../../src/publish/report.ts";
import { adoptComments, isOurComment, isOurs } from "../../src/work/in-hand.ts";
import { at, comment, OWN_ID, question } from "../approval/judge-world.ts";

const WORK_ID = "writing-kit-abc123";
const { request } = question("q1-aaaaaa");
const { interactionId } = request;
const US = { id: OWN_ID, login: "github-actions[bot]", isBot: true };
const BODY = `${writeMarker({ role: "request", workId: WORK_ID, interactionId })}\n### Run a command\n`;
const STATUS = `${writeMarker({ role: "status", workId: WORK_ID })}\n## looplia\n`;

/** Before we ever posted, and once a comment of ours told who we are there. */
const STATES = [
  foldWork([]),
  foldWork([
    {
      type: "CommentPosted",
      payload: { role: "refusal", answers: 1, commentId: 2, authorId: OWN_ID, createdAt: at(0) },
    } satisfies WorkEvent,
  ]),
];

test.each<[string, PullComment["author"]]>([
  ["a person", { id: 7, login: "ada", isBot: false }],
  ["a person who took the bot's name", { id: 7, login: "github-actions[bot]", isBot: false }],
  ["another bot", { id: 500, login: "helper[bot]", isBot: true }],
  ["a bot with our name and another id", { id: 500, login: "github-actions[bot]", isBot: true }],
  ["an account that is gone", null],
])("an identical comment of %s is nobody's question and nobody's status", (_, author) => {
  for (const state of STATES) {
    const forged = [comment(BODY, { id: 11, author }), comment(STATUS, { id: 12, author })];
    expect(isOurs(author, state)).toBe(false);
    expect(adoptComments(WORK_ID, state, forged, [request])).toEqual([]);
    const both = [...forged, comment(BODY, { id: 13, author: US })];
    expect(adoptComments(WORK_ID, state, both, [request])).toMatchObject([
      { type: "CommentPosted", payload: { role: "request", interactionId, commentId: 13, authorId: OWN_ID } },
    ]);
  }
});

test("ours for another work, edited since, quoted or behind other words is not taken up", () => {
  const other = BODY.replace(WORK_ID, "writing-kit-ffffff");
  const bodies = [other, `> ${BODY}`, `Look:\n${BODY}`, BODY.replace("-->", "")];
  const state = foldWork([]);
  const ours = bodies.map((body, index) => comment(body, { id: index, author: US }));
  const edited = comment(BODY, { id: 99, author: US, updatedAt: at(601) });
  expect(adoptComments(WORK_ID, state, [...ours, edited], [request])).toEqual([]);
});

const PERSON = { id: 7, login: "ada", isBot: false };
const posted = (role: "status" | "request", commentId: number, authorId: number): WorkEvent => ({
  type: "CommentPosted",
  payload: { role, commentId, authorId, createdAt: at(0), ...(role === "request" ? { interactionId } : {}) },
});

test.each<[string, Partial<PullComment> & { body: string }, boolean]>([
  ["what a person writes whose token it is", { body: "/approve q1-aaaaaa", author: PERSON }, false],
  ["what bears our marker", { body: STATUS, author: PERSON }, true],
  ["what we posted, whatever it says now", { body: "/approve q1-aaaaaa", id: 21, author: PERSON }, true],
  [
    "a question's comment that somebody changed",
    { body: "/approve q1-aaaaaa", id: 22, author: PERSON },
    true,
  ],
  ["a marker that somebody else wrote", { body: STATUS, author: { ...PERSON, id: 8 } }, false],
])("with a person's token, %s: ours is %s", (_, { body, ...changes }, isOurs) => {
  const lost: WorkEvent = { type: "RequestLost", payload: { interactionId, changedComment: 22 } };
  const state = foldWork([posted("request", 22, PERSON.id), posted("status", 21, PERSON.id), lost]);
  expect(isOurComment(comment(body, changes), state)).toBe(isOurs);
});

test("with a bot's token all that the bot writes is ours", () => {
  const state = foldWork([posted("status", 21, OWN_ID)]);
  expect(isOurComment(comment("/approve q1-aaaaaa", { author: US }), state)).toBe(true);
});

test("nothing is ever said without a marker in front", async () => {
  const said: string[] = [];
  const discussion = requireMarkers({
    postComment: async (_: number, body: string) => void said.push(body),
    editComment: async (_: number, body: string) => void said.push(body),
  } as unknown as Discussion);
  await discussion.postComment(1, BODY);
  await discussion.editComment(1, STATUS);
  const bodies = [
    "/approve q1-aaaaaa",
    ` ${BODY}`,
    "",
    `/approve q1-aaaaaa\n${BODY}`,
    "<!-- looplia:x -->\n",
  ];
  for (const body of bodies) {
    await expect(discussion.postComment(1, body)).rejects.toThrow(/without a marker/);
    await expect(discussion.editComment(1, body)).rejects.toThrow(/without a marker/);
  }
  expect(said).toEqual([BODY, STATUS]);
});

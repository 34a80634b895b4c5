// SECURITY, "forged bot comment or marker": a marker only locates, and who wrote a comment is checked by its author's id.
import { expect, test } from "vitest";
import { adoptComments, isOurs } from "../../../src/entrypoints/wake/own-comments.ts";
import type { PullComment } from "../../../src/ports/discussion.ts";
import { writeMarker } from "../../../src/publish/markers.ts";
import { foldWork, type WorkEvent } from "../../../src/session/work-events.ts";
import { at, comment, OWN_ID, question } from "../../trigger/judge-world.ts";

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

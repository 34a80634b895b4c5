// What the pictures show: the texts of the publishing functions over sample requests, as a repository would get them.
import { type RequestAround, renderRequest } from "../../src/publish/request.ts";
import { renderAnswered } from "../../src/publish/settled.ts";
import { renderStatus } from "../../src/publish/status.ts";
import { confirm, select } from "../../test/publish/requests.ts";
import { waitingTasks, waitingWork } from "../../test/publish/works.ts";

export type Picture = {
  name: string;
  markdown: string;
  /** Of the comment, in CSS pixels. */
  width: number;
};

const DESKTOP = 780;
const PHONE = 390;

const around: RequestAround = {
  workId: "writing-kit-abc123",
  source: "content/tides.md",
  title: "How tides work",
  docsUrl: "https://github.com/o/looplia-action/blob/v1/docs/answering.md",
  approvers: [],
  minApprovals: 1,
  selfApproval: true,
  run: { number: "45", url: "https://github.com/o/r/actions/runs/11" },
  auditHead: { count: 12, hash: "5f0c".padEnd(64, "81e2") },
};
const approved = renderAnswered(
  confirm,
  { workId: around.workId, pullRequestUrl: "https://github.com/o/r/pull/7" },
  {
    interactionId: confirm.interactionId,
    taskId: confirm.taskId,
    authorActorId: "github:1:octocat",
    permission: "write",
    answeredAt: "2026-12-01T09:20:00Z",
    commentId: 102,
    selectedOptionId: "approve",
    comment: "The old tables are in the archive.",
  },
);

export const pictures: Picture[] = [
  { name: "confirm", markdown: renderRequest(confirm, around).body, width: DESKTOP },
  { name: "confirm-phone", markdown: renderRequest(confirm, around).body, width: PHONE },
  { name: "select-phone", markdown: renderRequest(select, around).body, width: PHONE },
  { name: "approved", markdown: approved, width: DESKTOP },
  { name: "status", markdown: renderStatus(waitingWork), width: DESKTOP },
  { name: "status-tasks", markdown: renderStatus(waitingTasks), width: DESKTOP },
];

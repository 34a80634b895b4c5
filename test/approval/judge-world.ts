// People, bots and questions for tests of who may do what.

import { type ApproverSettings, type CommentVerdict, judgeComment } from "../../src/approval/judge.ts";
import type { OpenRequest } from "../../src/approval/questions.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { Discussion, PullComment, Role } from "../../src/core/ports-host.ts";

export const OWN_ID = 41898282;
export const START = Date.parse("2026-11-21T08:00:00Z");
export const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

export const anybody: ApproverSettings = {
  approvers: [],
  minApprovals: 1,
  selfApproval: true,
  allowedBots: [],
};

/** A question that was published two seconds after `asked` (seconds from the start). */
export function question(
  shortId: string,
  changes: Partial<InteractionRequest> = {},
  around: Partial<OpenRequest> & { asked?: number } = {},
): OpenRequest {
  const { asked = 0, ...rest } = around;
  return {
    request: {
      interactionId: `session.${shortId}`,
      shortId,
      taskId: "summary",
      conversationId: "c",
      toolCallIds: ["t"],
      authorActorId: "agent:main",
      kind: "Confirm",
      purpose: "confirm_risky_action",
      display: { title: "Run a command" },
      fingerprint: shortId.slice(-6).padEnd(64, "0"),
      bindings: { t: {} },
      ...changes,
    },
    published: { commentId: 1000 + asked, createdAt: at(asked + 2) },
    approvals: [],
    ...rest,
  };
}

export const select: Partial<InteractionRequest> = {
  kind: "Select",
  options: [
    { id: "fast", label: "Fast" },
    { id: "careful", label: "Careful" },
  ],
};
export const composite: Partial<InteractionRequest> = {
  kind: "Composite",
  fields: [
    { id: "name", label: "Name", kind: "Input" },
    { id: "speed", label: "Speed", kind: "Select", options: select.options ?? [] },
  ],
};

export function comment(body: string, changes: Partial<PullComment> = {}): PullComment {
  const createdAt = changes.createdAt ?? at(600);
  return {
    id: 5000,
    url: "https://github.com/o/r/pull/1#issuecomment-5000",
    author: { id: 7, login: "ada", isBot: false },
    body,
    createdAt,
    updatedAt: createdAt,
    ...changes,
  };
}

/** GitHub's answers about accounts; `asked` counts them. */
export function accounts(roles: Record<string, { id: number; role: Role; teams?: string[] }>) {
  const asked = { permissions: 0, teams: 0 };
  const asks: Pick<Discussion, "permissionOf" | "isTeamMember"> = {
    permissionOf: async (login) => {
      asked.permissions++;
      const found = new Map(Object.entries(roles)).get(login);
      return found ? { role: found.role, userId: found.id } : { role: "none", userId: undefined };
    },
    isTeamMember: async ({ org, slug }, login) => {
      asked.teams++;
      return new Map(Object.entries(roles)).get(login)?.teams?.includes(`${org}/${slug}`) ?? false;
    },
  };
  return { asks, asked };
}

/** Ada (7) has write access. */
export const ada = () => accounts({ ada: { id: 7, role: "write" } }).asks;

export function judged(
  body: string,
  questions: readonly OpenRequest[],
  changes: {
    settings?: Partial<ApproverSettings>;
    comment?: Partial<PullComment>;
    asks?: ReturnType<typeof ada>;
  } = {},
): Promise<CommentVerdict> {
  return judgeComment(comment(body, changes.comment), OWN_ID, {
    settings: { ...anybody, ...changes.settings },
    questions,
    asks: changes.asks ?? ada(),
  });
}

/** `accepted …`, `refused (code)` or `ignored (reason)`. */
export function inWords(verdict: CommentVerdict): string {
  if (verdict.verdict === "ignored") return `ignored: ${verdict.reason}`;
  if (verdict.verdict === "refused") return `refused: ${verdict.refusal.code}`;
  const effects = verdict.effects.map((effect) =>
    effect.type === "answer"
      ? `${effect.interactionId.split(".")[1]} = ${effect.answer.selectedOptionId ?? effect.answer.inputValue}`
      : effect.type,
  );
  return `accepted: ${effects.join(", ")}`;
}

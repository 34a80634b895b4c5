// One request of each kind, as the program stores them.
import { createConfirm, type RequestOrigin, type ShownCall } from "../../src/approval/request.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";

const asked = {
  taskId: "tides:ideas",
  conversationId: "c1",
  toolCallIds: ["call_1"],
  expiresAt: "2026-12-08T09:00:00.000Z",
  startedBy: ["github:1:octocat"],
};

function idsOf(ordinal: number, fingerprint: string) {
  const shortId = `q${ordinal}-${fingerprint.slice(0, 6)}`;
  return { shortId, interactionId: `how-tides-work-2026-12-01-0a1b2c.${shortId}`, fingerprint };
}

/** What the tools show of two edits and a command. */
const shownCalls: ShownCall[] = [
  {
    toolCallId: "call_1",
    toolName: "editFile",
    input: {},
    binding: {},
    dangers: [],
    title: "Edit docs/tides.md",
    content: [
      "--- a/docs/tides.md",
      "+++ b/docs/tides.md",
      "@@ -1,4 +1,4 @@",
      " # Tides",
      "-The moon pulls the sea once a day.",
      "+The moon pulls the sea twice a day.",
      " See `tables/2026.csv`.",
      "",
    ].join("\n"),
    contentKind: "Diff",
  },
  {
    toolCallId: "call_2",
    toolName: "editFile",
    input: {},
    binding: {},
    dangers: [],
    title: "Edit tables/2026.csv",
    content: [
      "--- a/tables/2026.csv",
      "+++ b/tables/2026.csv",
      "@@ -1,2 +1,2 @@",
      " date,place,times",
      "-2026-12-01,harbour,06:12",
      "+2026-12-01,harbour,06:12 18:37",
      "",
    ].join("\n"),
    contentKind: "Diff",
  },
  {
    toolCallId: "call_3",
    toolName: "runCommand",
    input: {},
    binding: {},
    dangers: ["deletes: rm -r tables/2025"],
    title: "Run a command (at most 30 s)",
    content: "rm -r tables/2025 && npm test",
    contentKind: "PlainText",
  },
];

const origin: RequestOrigin = {
  workId: "writing-kit-abc123",
  sessionId: "how-tides-work-2026-12-01-0a1b2c",
  taskId: asked.taskId,
  conversationId: asked.conversationId,
  agent: "editor",
  ordinal: 1,
  workingDirectory: ".",
  expiresAt: asked.expiresAt,
  startedBy: asked.startedBy,
};

/** Its ids and its fingerprint stay, whatever a fingerprint is made of. */
export const confirm: InteractionRequest = {
  ...createConfirm(
    origin,
    shownCalls,
    { kind: "bubblewrap", network: false },
    { said: "The tables of 2025 are in the archive now, so the folder can go. First I correct the text." },
  ),
  ...idsOf(1, "9c1e57".padEnd(64, "04ab")),
};

export const select: InteractionRequest = {
  ...asked,
  ...idsOf(2, "b18f6d".padEnd(64, "73c0")),
  authorActorId: "agent:idea-generator",
  kind: "Select",
  purpose: "choose_strategy",
  display: {
    title: "Which angle should the text take?",
    description: "The notes support all three.\n\n- The first has the figures.\n- The second has the quotes.",
  },
  options: [
    { id: "the-cost", label: "What a missed tide costs a harbour", isDefault: true },
    { id: "the-people", label: "A fisher's day by the clock of the moon" },
    { id: "start over", label: "None of these: look for others", style: "danger" },
  ],
};

export const input: InteractionRequest = {
  ...asked,
  ...idsOf(3, "04d2aa".padEnd(64, "9e1f")),
  authorActorId: "agent:summarizer",
  kind: "Input",
  purpose: "request_info",
  display: { title: "Which season are the figures of?" },
  validation: { required: true, regex: "^[A-Z]" },
};

export const composite: InteractionRequest = {
  ...asked,
  ...idsOf(4, "e7703b".padEnd(64, "51d8")),
  authorActorId: "agent:kit-builder",
  kind: "Composite",
  purpose: "request_info",
  display: { title: "What shall stand below the text?" },
  fields: [
    { id: "season", label: "Season", kind: "Input", validation: { required: true } },
    {
      id: "figures",
      label: "Figures",
      kind: "Select",
      options: [
        { id: "table", label: "As a table" },
        { id: "none", label: "Leave them out" },
      ],
    },
    { id: "credit", label: "Credit the harbour office", kind: "Confirm" },
  ],
};

// One request of each kind, as the program stores them.
import type { InteractionRequest } from "../../src/session/interaction.ts";

const asked = {
  taskId: "tides:ideas",
  conversationId: "c1",
  toolCallIds: ["call_1"],
  expiresAt: "2026-12-08T09:00:00.000Z",
  startedBy: "github:1:octocat",
};

function idsOf(ordinal: number, fingerprint: string) {
  const shortId = `q${ordinal}-${fingerprint.slice(0, 6)}`;
  return { shortId, interactionId: `how-tides-work-2026-12-01-0a1b2c.${shortId}`, fingerprint };
}

export const confirm: InteractionRequest = {
  ...asked,
  ...idsOf(1, "9c1e57".padEnd(64, "04ab")),
  authorActorId: "agent:editor",
  kind: "Confirm",
  purpose: "confirm_risky_action",
  toolCallIds: ["call_1", "call_2", "call_3"],
  display: {
    title: "3 actions need your approval",
    content: [
      "1. edit docs/tides.md",
      "@@ -1,3 +1,3 @@",
      " # Tides",
      "-The moon pulls the sea once a day.",
      "+The moon pulls the sea twice a day.",
      " See `tables/2026.csv`.",
      "2. edit tables/2026.csv",
      "@@ -4 +4 @@",
      "-harbour,06:12",
      "+harbour,06:12,18:37",
      "3. run a command",
      "   rm -r tables/2025 && npm test",
    ].join("\n"),
    contentKind: "PlainText",
  },
  options: [
    { id: "approve", label: "Approve", style: "primary" },
    { id: "reject", label: "Reject", style: "danger", isDefault: true },
  ],
  dangers: ["deletes: rm -r tables/2025"],
  isolation: { kind: "bubblewrap", network: false },
};

export const select: InteractionRequest = {
  ...asked,
  ...idsOf(2, "b18f6d".padEnd(64, "73c0")),
  authorActorId: "agent:idea-generator",
  kind: "Select",
  purpose: "choose_strategy",
  display: {
    title: "Which angle shall the text take?",
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

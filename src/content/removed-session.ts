// A session that has begun, and whose folder somebody took from the branch.
import { LoopliaError } from "../errors.ts";
import type { SessionView } from "../session/session-view.ts";
import { isUnderWay } from "../session/state.ts";
import { bareItem, type ItemResult } from "./item-result.ts";
import { lookAt } from "./look-at.ts";
import type { ContentPorts, ContentSettings } from "./ports.ts";
import { hasSession } from "./session-folder.ts";

/** What is stored of it; undefined where its folder is there, or nothing is stored. */
export async function lookAtRemoved(
  ports: Pick<ContentPorts, "workspace" | "stores">,
  sessionId: string,
): Promise<SessionView | undefined> {
  return (await hasSession(ports.workspace, sessionId)) ? undefined : lookAt(ports, sessionId);
}

/** It is over, and no failure. Throws `config-invalid` where something of it is under way, or `isWanted`. */
export function tellRemoved(
  sessionId: string,
  settings: ContentSettings,
  { state, totals }: SessionView,
  isWanted: boolean,
): ItemResult {
  if (isUnderWay(state) || isWanted) {
    throw new LoopliaError(
      "config-invalid",
      `the folder of session ${sessionId} is not on the branch any more`,
      {
        hint: `put it back (\`git revert\`, or push the branch as it was), or end the session: /cancel ${sessionId}`,
      },
    );
  }
  const message = state.canceled?.reason ?? "its folder was taken from the branch";
  return {
    ...bareItem(sessionId, settings, { status: "ignored", reasonCode: "closed", message }),
    sessionId,
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

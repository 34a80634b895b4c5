// Hidden first lines by which our own comments are found again. They only locate: who wrote a comment is checked, and
// what it stands for is in the store (SECURITY, "forged bot comment or marker"). Pure.

export type Marker =
  | { role: "status"; workId: string }
  | { role: "request"; workId: string; interactionId: string }
  /** Answers a person's comment. */
  | { role: "reply"; workId: string; commentId: number };

const ID = "[A-Za-z0-9][A-Za-z0-9._-]*";
const FORM = new RegExp(`^<!-- looplia:(status|request|reply) (${ID})(?: (${ID}))? -->(?:\\r?\\n|$)`);

/** The comment's first line. */
export function writeMarker(marker: Marker): string {
  const about =
    marker.role === "request"
      ? ` ${marker.interactionId}`
      : marker.role === "reply"
        ? ` ${marker.commentId}`
        : "";
  return `<!-- looplia:${marker.role} ${marker.workId}${about} -->`;
}

/** What a comment's first line names; undefined for everything else. */
export function readMarker(body: string): Marker | undefined {
  const [, role, workId, about] = FORM.exec(body) ?? [];
  if (role === undefined || workId === undefined) return undefined;
  if (role === "status") return about === undefined ? { role, workId } : undefined;
  if (about === undefined) return undefined;
  if (role === "request") return { role, workId, interactionId: about };
  return /^[1-9]\d{0,15}$/.test(about) ? { role: "reply", workId, commentId: Number(about) } : undefined;
}

// What the program says on a pull request always begins with its marker: no text of others ever stands first, where a
// command would.
import type { Discussion } from "../ports/discussion.ts";
import { readMarker } from "../publish/markers.ts";

/** The same discussion; a comment that begins otherwise is a bug, and is not posted. */
export function requireMarkers(discussion: Discussion): Discussion {
  return {
    ...discussion,
    postComment: async (pullRequest, body) => discussion.postComment(pullRequest, marked(body)),
    editComment: async (id, body) => discussion.editComment(id, marked(body)),
  };
}

function marked(body: string): string {
  if (readMarker(body)) return body;
  throw new Error(`a comment without a marker: ${JSON.stringify(body.slice(0, 80))}`);
}

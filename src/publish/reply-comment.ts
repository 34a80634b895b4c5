// One comment for a command that was refused, or that needs an answer in words. Pure.
import { codeSpan, cut, fenceShown, sentence } from "./markdown.ts";
import { writeMarker } from "./markers.ts";
import { mention } from "./people.ts";
import { join } from "./request-comment.ts";

export type Reply = {
  workId: string;
  /** The comment that is answered, and its author's login; null for an account that is gone. */
  commentId: number;
  author: string | null;
};

/** What was refused, why, and what to do instead. `command` is the line that they wrote; `copy` are commands to copy. */
export function renderRefusal(
  { workId, commentId, author }: Reply,
  refused: { command: string; reason: string; whatToDo: string; copy?: readonly string[] },
): string {
  const { command, reason, whatToDo, copy = [] } = refused;
  const line = codeSpan(cut(command.split("\n")[0] ?? "", 200));
  const said = `${line} was refused: ${sentence(reason)} ${sentence(whatToDo)}`;
  const markdown = [said, ...copy.map((each) => fenceShown(each))].join("\n\n");
  const to = author === null ? "" : `${mention(author)}: `;
  return join([writeMarker({ role: "reply", workId, commentId }), `${to}${markdown}`]);
}

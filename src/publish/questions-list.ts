// The open questions of a work, with links to their comments. Pure.
import { formatMoment } from "./figures.ts";
import { codeSpan, escapeInline, link } from "./markdown.ts";
import type { OpenQuestion } from "./report.ts";

/** A work has ten at most. */
const MOST = 20;

/** Markdown lines; none without a question. */
export function renderQuestions(questions: readonly OpenQuestion[]): string[] {
  if (questions.length === 0) return [];
  const rows = questions.slice(0, MOST).map(renderQuestion);
  const more = questions.length - rows.length;
  return [
    `**${countQuestions(questions.length)}:**`,
    "",
    ...rows,
    ...(more > 0 ? [`- … ${more} more`] : []),
    "",
  ];
}

/** `1 question waits for an answer` */
export function countQuestions(count: number): string {
  return count === 1 ? "1 question waits for an answer" : `${count} questions wait for answers`;
}

function renderQuestion({ shortId, title, commentUrl, expiresAt }: OpenQuestion): string {
  const id = commentUrl === undefined ? codeSpan(shortId) : link(escapeInline(shortId), commentUrl);
  const until = expiresAt === undefined ? "" : ` · until ${formatMoment(expiresAt)}`;
  return `- ${id} ${escapeInline(title, 200)}${until}`;
}

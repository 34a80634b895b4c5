// How an answer of a person is told to a model. Pure.
import type { InteractionAnswer } from "../session/interaction.ts";

export const NOBODY =
  "Nobody can be asked here. Decide yourself by what you know, and say in your result what you decided and why.";

/** What was decided, then the person's own words as they were written. */
export function quoteAnswer(decided: string, { inputValue, comment }: InteractionAnswer): string {
  const parts = [decided];
  if (inputValue !== undefined) parts.push(inputValue === "" ? "(an empty text)" : inputValue);
  if (comment) parts.push(`Comment: ${comment}`);
  return parts.join("\n");
}

// Which option somebody means by a word. Pure.
import type { InteractionOption } from "./interaction.ts";

const NUMBER = /^[1-9]\d*$/;

/**
 * The option by its id, else by its number, else by its id or whole label in any letter case; undefined where none is
 * meant, or more than one.
 */
export function findOption(
  options: readonly InteractionOption[],
  given: string,
): InteractionOption | undefined {
  const byId = options.find(({ id }) => id === given);
  if (byId) return byId;
  if (isMistakable(options, given)) return undefined;
  const byNumber = NUMBER.test(given) ? options[Number(given) - 1] : undefined;
  if (byNumber) return byNumber;
  const wanted = fold(given);
  if (wanted === "") return undefined;
  const [only, ...more] = options.filter(({ id, label }) => fold(id) === wanted || fold(label) === wanted);
  return more.length === 0 ? only : undefined;
}

/** True for the number of one option that a person reads as the label of another. */
export function isMistakable(options: readonly InteractionOption[], given: string): boolean {
  if (!NUMBER.test(given) || Number(given) > options.length) return false;
  const at = options.findIndex(({ label }) => label.trim() === given);
  return at >= 0 && at !== Number(given) - 1;
}

function fold(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

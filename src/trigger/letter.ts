// The text of a letter: what a bot dispatched for a person, kept until a run that has the work carries it out. Pure.
import { parseJson, valueAt } from "../session/json.ts";
import { countOf, textOf } from "./payload.ts";
import type { Dispatched } from "./respond.ts";

/** `at`: when it came, ISO 8601. */
export type SentAnswer = Dispatched & { at: string };

/** As `readLetter` reads it. */
export function writeLetter(answer: SentAnswer): string {
  return JSON.stringify(answer);
}

/** Undefined where it is none: whoever may write to the state ref may have written anything. */
export function readLetter(text: string): SentAnswer | undefined {
  const value = parseJson(text);
  const command = textOf(valueAt(value, "command"));
  const sender = textOf(valueAt(value, "sender"));
  const id = countOf(valueAt(value, "bot", "id"));
  const login = textOf(valueAt(value, "bot", "login"));
  const at = textOf(valueAt(value, "at"));
  if (!command || !sender || !id || !login || !at || Number.isNaN(Date.parse(at))) return undefined;
  return { command, sender, bot: { id, login }, at: new Date(Date.parse(at)).toISOString() };
}

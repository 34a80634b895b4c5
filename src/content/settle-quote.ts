// One quote of a summary, held against its item.
import { describeReceived, fieldName, type Problem } from "../config/problem.ts";
import { isObject } from "../session/json.ts";
import { REDACTED } from "../session/redaction.ts";
import type { ContentItem } from "./item.ts";
import { findQuote, foldSource, nearestPassage, secondsOf, timesOf } from "./quotes.ts";

/** `quote`: what may be stored of it; undefined where its words are not in the item. */
export type SettledQuote = { quote?: unknown; problem?: Problem };

/** Judges quotes of an item, which is read once. A quote has its words and line from the item. */
export function settleQuote(item: ContentItem): (quote: unknown, path: PropertyKey[]) => SettledQuote {
  const folded = foldSource(item.text);
  const times = timesOf(item.text);
  return (quote, path) => {
    if (!isObject(quote) || typeof quote.text !== "string") return { quote };
    const { text, timestamp } = quote;
    const found = find(text);
    if (!found) {
      const near = nearestPassage(folded, text);
      const passage = near === undefined ? "" : `; the nearest passage is ${JSON.stringify(near)}`;
      const expected = `words that stand exactly so in ${item.source}${passage}; or leave the quote out`;
      return { problem: { field: fieldName([...path, "text"]), expected, received: describeReceived(text) } };
    }
    const { line: _, timestamp: __, ...rest } = quote;
    const settled = { ...rest, ...found };
    if (typeof timestamp !== "string" || times.has(secondsOf(timestamp))) {
      return { quote: timestamp === undefined ? settled : { ...settled, timestamp } };
    }
    const expected = `a time that stands in ${item.source}, or no timestamp`;
    const received = describeReceived(timestamp);
    return { quote: settled, problem: { field: fieldName([...path, "timestamp"]), expected, received } };
  };

  /** Where a secret was cut out of what the model read, the rest must stand in the source. */
  function find(text: string): { text: string; line?: number } | undefined {
    if (!text.includes(REDACTED)) return findQuote(item.text, folded, text);
    const parts = text.split(REDACTED).filter((part) => foldSource(part).text.trim() !== "");
    const isThere = parts.length > 0 && parts.every((part) => findQuote(item.text, folded, part));
    return isThere ? { text } : undefined;
  }
}

// A translation has the structure, the code and the links of its item.
import { describeReceived, type Problem } from "../../config/schema.ts";
import { valueAt } from "../../core/json.ts";
import type { ContentItem } from "../item.ts";

/** What a translation keeps of Markdown: headings by level, entries of lists, rows of tables, code, addresses. */
type Shape = { headings: string[]; lists: string[]; tables: string[]; code: string[]; links: string[] };

const NAMES: Record<keyof Shape, string> = {
  headings: "headings of the same levels in the same order",
  lists: "lists with as many entries",
  tables: "tables with as many rows",
  code: "the same code, letter by letter",
  links: "the same addresses of links and images",
};

/** What is not kept of the item in the field `markdown`. */
export async function translationProblems(value: unknown, item: ContentItem): Promise<Problem[]> {
  const markdown = valueAt(value, "markdown");
  if (typeof markdown !== "string") return [];
  const [wanted, sent] = [await shapeOf(item.body), await shapeOf(markdown)];
  const parts = Object.keys(NAMES) as (keyof Shape)[];
  return parts.flatMap((part) => {
    const difference = firstDifference(wanted[part], sent[part]);
    if (difference === undefined) return [];
    const { expected, received } = difference;
    const place = expected === undefined ? "no more" : JSON.stringify(expected);
    return [
      {
        field: "markdown",
        expected: `${NAMES[part]} as in the item (here: ${place})`,
        received: describeReceived(received),
      },
    ];
  });
}

function firstDifference(wanted: readonly string[], sent: readonly string[]) {
  const length = Math.max(wanted.length, sent.length);
  for (let at = 0; at < length; at += 1) {
    if (wanted[at] !== sent[at]) return { expected: wanted[at], received: sent[at] };
  }
  return undefined;
}

async function shapeOf(markdown: string): Promise<Shape> {
  const { lexer, walkTokens } = await import("marked");
  const shape: Shape = { headings: [], lists: [], tables: [], code: [], links: [] };
  const spans: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === "heading") shape.headings.push("#".repeat(Number(token.depth)));
    if (token.type === "list") shape.lists.push(`${token.items.length} entries`);
    if (token.type === "table") shape.tables.push(`${token.rows.length} rows`);
    if (token.type === "code") shape.code.push(String(token.text));
    if (token.type === "codespan") spans.push(String(token.text));
    if (token.type === "link" || token.type === "image") shape.links.push(String(token.href));
  });
  // In a sentence of another language, words and links come in another order.
  return { ...shape, code: [...shape.code, ...spans.sort()], links: shape.links.sort() };
}

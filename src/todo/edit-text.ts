// Puts values into JSON text. Only the value that is meant changes; what is new looks like what stands before it.
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";

/** The text with an object's field set; a new field comes last. `path` leads to the object. */
export function setField(text: string, path: JSONPath, field: string, value: unknown): string {
  const object = nodeAt(text, path);
  const known = object.children?.find((property) => property.children?.[0]?.value === field)?.children?.[1];
  if (known) return splice(text, known.offset, known.length, format(value, gapBefore(text, object)));
  const gap = gapBefore(text, object);
  const colon = gap === "" ? ":" : ": ";
  return insertLast(text, object, gap, `${JSON.stringify(field)}${colon}${format(value, gap)}`);
}

/** The text with values put at the end of a list. `path` leads to the list. */
export function appendItems(text: string, path: JSONPath, values: readonly unknown[]): string {
  if (values.length === 0) return text;
  const list = nodeAt(text, path);
  const gap = gapBefore(text, list);
  return insertLast(text, list, gap, values.map((value) => format(value, gap)).join(`,${gap}`));
}

/**
 * The text with each item of a list as `edit` makes it from its own text; undefined takes it away, and the comma that it
 * needed. `show` writes a value as it looks in this place. The list is read once, however long it is.
 */
export function editItems(
  text: string,
  path: JSONPath,
  edit: (item: string, index: number, show: (value: unknown) => string) => string | undefined,
): string {
  const list = nodeAt(text, path);
  const items = list.children ?? [];
  let end = list.offset + 1;
  let start = end;
  let made = "";
  for (const [index, { offset, length }] of items.entries()) {
    const between = text.slice(end, offset);
    const gap = /\s*$/.exec(between)?.[0] ?? "";
    const edited = edit(text.slice(offset, offset + length), index, (value) => format(value, gap));
    if (index === 0) start = offset;
    if (edited !== undefined) made += (made === "" ? "" : between) + edited;
    end = offset + length;
  }
  return splice(text, start, end - start, made);
}

/** The text without a field of an object, nor the comma that it needed. */
export function removeField(text: string, path: JSONPath, field: string): string {
  const fields = nodeAt(text, path).children ?? [];
  const index = fields.findIndex((property) => property.children?.[0]?.value === field);
  return removeChild(text, fields, index);
}

/** The text without an item of a list, nor the comma that it needed. */
export function removeItem(text: string, path: JSONPath, index: number): string {
  return removeChild(text, nodeAt(text, path).children ?? [], index);
}

function removeChild(text: string, children: readonly Node[], index: number): string {
  const [child, before, after] = [children[index], children[index - 1], children[index + 1]];
  if (!child) return text;
  const end = child.offset + child.length;
  if (before) {
    const start = before.offset + before.length;
    return splice(text, start, end - start, "");
  }
  return splice(text, child.offset, (after?.offset ?? end) - child.offset, "");
}

function nodeAt(text: string, path: JSONPath): Node {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  if (!node) throw new Error(`there is nothing at ${path.join(".")}`);
  return node;
}

function insertLast(text: string, around: Node, gap: string, content: string): string {
  const last = around.children?.at(-1);
  if (last) return splice(text, last.offset + last.length, 0, `,${gap}${content}`);
  // Empty: the bracket goes back to where its line begins.
  const outer = gap.includes("\n") ? `${lineEnd(gap)}${lineIndent(text, around.offset)}` : gap;
  return splice(text, around.offset + 1, around.length - 2, `${gap}${content}${outer}`);
}

/** The white space before the last thing in a list or object; for an empty one, what it would have with two spaces more. */
function gapBefore(text: string, around: Node): string {
  const last = around.children?.at(-1);
  if (!last) {
    if (!text.includes("\n")) return "";
    const indent = lineIndent(text, around.offset);
    return `${lineEnd(text)}${indent}${unitOf(indent)}`;
  }
  const start = around.children?.at(-2);
  const before = text.slice(start ? start.offset + start.length : around.offset + 1, last.offset);
  return /\s*$/.exec(before)?.[0] ?? "";
}

/** On lines of its own where its surroundings have them. */
function format(value: unknown, gap: string): string {
  if (!gap.includes("\n") || typeof value !== "object") return JSON.stringify(value);
  const indent = gap.slice(gap.lastIndexOf("\n") + 1);
  const lines = JSON.stringify(value, null, unitOf(indent)).split("\n");
  return lines.join(`${lineEnd(gap)}${indent}`);
}

function unitOf(indent: string): string {
  return indent.startsWith("\t") ? "\t" : "  ";
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function splice(text: string, offset: number, length: number, content: string): string {
  return text.slice(0, offset) + content + text.slice(offset + length);
}

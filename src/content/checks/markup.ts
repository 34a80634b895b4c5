// Which characters of a Markdown text are marks and which are code, as a CommonMark parser reads it.
import { parse, postprocess, preprocess } from "micromark";

/** What a character is. */
export const TEXT = 0;
/** Shown to no reader: the marks of Markdown, and tags. */
export const MARK = 1;
/** Of a tag or comment that ends a line or block. */
export const BREAK = 2;
/** A mark only if Markdown said so: here it is what it is. */
export const CODE = 3;

/** A construct with its marks (`start` to `end`) and without (`inner` to `innerEnd`). Offsets in the whole text. */
type Inline = { start: number; inner: number; innerEnd: number; end: number };

/** The parser takes quadratic time for some texts, so it gets no more characters than this at once. */
const MOST = 4_000;
const ENOUGH = 1_500;

/** Marks in a plain paragraph, or at a line's beginning. */
const MAY_MARK = /[*_`[\]<&\\~]|^[ \t]{0,3}(?:[>#+-]|\d{1,9}[.)])|^(?: {4}|\t)|^[ \t]*[=-]+[ \t]*$/m;

const MARKS = new Set([
  ...["atxHeadingSequence", "autolinkMarker", "blockQuotePrefix", "codeFencedFence", "codeTextSequence"],
  ...["definition", "emphasisSequence", "escapeMarker", "hardBreakEscape", "labelImageMarker", "labelMarker"],
  ...["listItemPrefix", "reference", "resource", "setextHeadingLine", "strongSequence", "thematicBreak"],
]);
const CODES = new Set(["codeTextData", "codeFlowValue"]);
const TAGGED = new Set(["htmlText", "htmlFlow"]);
const INLINES = new Set(["strong", "emphasis", "codeText", "link", "image"]);
const INNER = new Set(["strongText", "emphasisText", "codeTextData", "labelText"]);
const TAG = /<\/?[a-zA-Z][^<>]{0,2000}>|<!--[\s\S]{0,2000}?-->|<[!?][^<>]{0,2000}>/g;
const BREAKING = /^<(?:!--|\/?(?:br|p|div|li|td|th|tr|h[1-6]|ul|ol|table|section|article|blockquote)\b)/i;

/** What each character of `text` is. Takes time in proportion to the text's length. */
export function readMarkup(text: string): Uint8Array {
  const kinds = new Uint8Array(text.length);
  for (const part of partsOf(text)) mark(text, kinds, part);
  return kinds;
}

/** Emphasis, code and links that overlap a range, the outer ones first. */
export function inlinesIn(text: string, from: number, to: number): Inline[] {
  const parts = partsOf(text).filter(({ isCode, start, end }) => !isCode && start < to && end > from);
  const found = parts.flatMap(({ start, end }) => readInlines(text.slice(start, end), start));
  return found
    .filter(({ start, end }) => start < to && end > from)
    .sort((one, other) => one.start - other.start);
}

function readInlines(part: string, offset: number): Inline[] {
  const found: Inline[] = [];
  const tags: { name: string; start: number; inner: number }[] = [];
  const open: { inner: number; innerEnd: number }[] = [];
  for (const [kind, { type, start, end }] of eventsOf(part)) {
    const top = open.at(-1);
    if (kind === "enter" && type === "htmlText") {
      const [, slash, name = ""] = /^<(\/?)([a-zA-Z][\w-]*)/.exec(part.slice(start.offset, end.offset)) ?? [];
      const begun = slash ? tags.findLastIndex((tag) => tag.name === name) : -1;
      const [tag] = begun >= 0 ? tags.splice(begun) : [];
      if (tag) found.push({ ...tag, innerEnd: offset + start.offset, end: offset + end.offset });
      else if (!slash) tags.push({ name, start: offset + start.offset, inner: offset + end.offset });
    } else if (kind === "enter" && INLINES.has(type)) {
      open.push({ inner: Number.POSITIVE_INFINITY, innerEnd: start.offset });
    } else if (kind === "enter" && INNER.has(type) && top) {
      top.inner = Math.min(top.inner, start.offset);
      top.innerEnd = Math.max(top.innerEnd, end.offset);
    } else if (kind === "exit" && INLINES.has(type) && top) {
      open.pop();
      const inner = Math.min(top.inner, end.offset);
      found.push({
        start: offset + start.offset,
        inner: offset + inner,
        innerEnd: offset + Math.max(top.innerEnd, inner),
        end: offset + end.offset,
      });
    }
  }
  return found;
}

function mark(text: string, kinds: Uint8Array, { start: offset, end, isCode }: Part): void {
  if (isCode) {
    kinds.fill(CODE, offset, end);
    return;
  }
  const part = text.slice(offset, end);
  if (!MAY_MARK.test(part)) return;
  for (const [kind, token] of eventsOf(part)) {
    if (kind !== "enter") continue;
    const [from, to] = [offset + token.start.offset, offset + token.end.offset];
    if (MARKS.has(token.type)) kinds.fill(MARK, from, to);
    else if (CODES.has(token.type)) kinds.fill(CODE, from, to);
    else if (TAGGED.has(token.type)) markTags(text, kinds, from, to);
  }
  // What follows one or two letters may be a unit.
  for (const { 0: note, index } of part.matchAll(
    /(?<=\p{L}{3}|[.,;:!?"'”’)\]])<sup>\[?\d{1,3}\]?<\/sup>/gu,
  )) {
    if (kinds[offset + index] === MARK) kinds.fill(MARK, offset + index, offset + index + note.length);
  }
  // Strikethrough is GitHub's own.
  for (const { index } of part.matchAll(/~~/g)) {
    if (kinds[offset + index] === TEXT) kinds.fill(MARK, offset + index, offset + index + 2);
  }
}

function markTags(text: string, kinds: Uint8Array, from: number, to: number): void {
  for (const { 0: tag, index } of text.slice(from, to).matchAll(TAG)) {
    kinds.fill(BREAKING.test(tag) ? BREAK : MARK, from + index, from + index + tag.length);
  }
}

function eventsOf(part: string) {
  return postprocess(
    parse()
      .document()
      .write(preprocess()(part, undefined, true)),
  );
}

type Part = { start: number; end: number; isCode: boolean };

/** Whole blocks, as far as they are short; each line of a fenced block is a part of its own, or of one. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let start = 0;
  let fence: string | undefined;
  let wasBlank = false;
  const cut = (at: number, isCode: boolean) => {
    if (at > start) parts.push({ start, end: at, isCode });
    start = at;
  };
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("\n", at) + 1 || text.length;
    const line = text.slice(at, Math.min(next, at + 200));
    const [, ticks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      const isBlock = wasBlank && /^[^\s>]/.test(line) && at - start > ENOUGH;
      if (isBlock || ticks !== undefined || next - start > MOST) cut(at, false);
      if (ticks !== undefined && !line.slice(line.indexOf(ticks) + ticks.length).includes("`")) fence = ticks;
      // A line that is longer than all that the parser gets.
      while (next - start > MOST) cut(start + MOST, false);
      if (fence !== undefined) cut(next, false);
    } else if (ticks?.startsWith(fence) && line.trim() === ticks) {
      cut(at, true);
      fence = undefined;
      cut(next, false);
    }
    wasBlank = line.trim() === "";
    at = next;
  }
  cut(text.length, fence !== undefined);
  return parts;
}

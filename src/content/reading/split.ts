// Cuts a long text into sections that one reading holds: at headings, else at paragraphs, speakers or lines. Pure.

/** Characters that one reading holds. Items up to this length are in a step's first message as a whole. */
export const ONE_READING = 120_000;
/** Characters that a section repeats from the one before it, so that no thought is cut in two. */
const OVERLAP = 1_500;
/** A section is cut no earlier than here, so that there are few. */
const LEAST_SHARE = 0.6;

/** Where a section may begin, the best first. */
const CUTS = [
  // Markdown headings and chapters.
  /^(?:#{1,6}[ \t]|(?:chapter|part|book|kapitel|teil|chapitre|partie|cap[ií]tulo)\b)/gim,
  // Speakers, as in `[00:00:05] HOST:` or `HOST:`.
  /^(?:\[[\d:.,]+\][ \t]*)?\p{Lu}[\p{L} .'-]{0,40}:[ \t]/gmu,
  /(?<=\n[ \t]*\r?\n)(?=\S)/g,
  /(?<=\n)/g,
  /(?<=[.!?…。！？][ \t]?)(?=\S)/g,
];

/** `firstLine` counts from 1. */
export type Section = { text: string; firstLine: number; lastLine: number };

/** The sections of a text in order: together they are all of it, and each but the first repeats the end of the one before. */
export function splitText(text: string, size = ONE_READING): Section[] {
  const sections: Section[] = [];
  let line = 1;
  for (let start = 0; start < text.length; ) {
    const end = text.length - start <= size ? text.length : findCut(text, start, size);
    const from =
      start === 0 ? 0 : startOfLine(text, Math.max(0, start - Math.min(OVERLAP, size / 10)), start);
    const firstLine = line - countLines(text.slice(from, start));
    line += countLines(text.slice(start, end));
    sections.push({ text: text.slice(from, end), firstLine, lastLine: line });
    start = end;
  }
  return sections;
}

function findCut(text: string, start: number, size: number): number {
  const from = start + Math.floor(size * LEAST_SHARE);
  const window = text.slice(from, start + size);
  for (const cut of CUTS) {
    const last = [...window.matchAll(cut)].findLast(({ index }) => index > 0);
    if (last) return from + last.index;
  }
  const end = start + size;
  // Half a surrogate pair is no character.
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
}

/** The first line that begins between two places, else the first of them. */
function startOfLine(text: string, from: number, before: number): number {
  const found = text.indexOf("\n", from);
  if (found >= 0 && found + 1 < before) return found + 1;
  return /[\uDC00-\uDFFF]/.test(text[from] ?? "") ? from + 1 : Math.floor(from);
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** True for the tasks that read a section; `of` is the task that they read it for. */
export function isReading(taskId: string, of?: string): boolean {
  const owner = /^(.*)\/(?:section|notes-\d+)-\d+$/.exec(taskId)?.[1];
  return of === undefined ? owner !== undefined : owner === of;
}

/** What one task reads: the item's characters, and the requests that this takes at least. */
export function estimateReading(text: string): { characters: number; requests: number } {
  if (text.length <= ONE_READING) return { characters: text.length, requests: 1 };
  const sections = splitText(text);
  const read = sections.reduce((sum, section) => sum + section.text.length, 0);
  const notes = sections.length * NOTES_SIZE;
  return { characters: read + notes, requests: sections.length + Math.ceil(notes / ONE_READING) };
}

/** Characters of the notes of one section, as far as one can tell beforehand. */
const NOTES_SIZE = 2_500;

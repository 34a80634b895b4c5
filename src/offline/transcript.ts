// Recognizes a transcript and splits it into speakers, times and text. Pure.

/** `time`: `HH:MM:SS` or `MM:SS`. */
export type Cue = { time: string; speaker?: string; text: string };

/** With fewer cues the text is no transcript: an article may contain a time in brackets. */
const LEAST = 3;

const TIME = String.raw`((?:\d{1,2}:)?\d{1,2}:\d{2})(?:[.,]\d{1,3})?`;
/** `[00:00:05] HOST: …` or `00:05 …`. */
const PLAIN = new RegExp(String.raw`^[[(]?${TIME}[\])]?[ \t]+(.+)$`, "u");
/** The times of a cue in WebVTT or SubRip. */
const ARROW = new RegExp(String.raw`^${TIME}[ \t]*-->`, "u");
const SPEAKER = /^(?:<v ([^>]+)>|(\p{Lu}[\p{L} .'-]{0,40}?) ?: +)(.*)$/u;

/**
 * The cues of a transcript in order; empty for any other text. Consecutive cues of one speaker are merged.
 */
export function readCues(text: string): Cue[] {
  const cues: Cue[] = [];
  let time: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const arrow = ARROW.exec(line)?.[1];
    const plain = arrow === undefined ? PLAIN.exec(line) : null;
    if (arrow !== undefined) time = arrow;
    else if (plain) add(cues, plain[1] ?? "", plain[2] ?? "");
    else if (line.trim() === "") time = undefined;
    else if (time !== undefined) add(cues, time, line);
  }
  return cues.length < LEAST ? [] : cues;
}

function add(cues: Cue[], time: string, line: string): void {
  const [, tagged, named, rest] = SPEAKER.exec(line.trim()) ?? [];
  const speaker = tagged ?? named;
  const text = (rest ?? line)
    .replace(/<[^<>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (text === "") return;
  const last = cues.at(-1);
  const isSame = last?.time === time && (speaker === undefined || speaker === last.speaker);
  if (last && isSame) last.text += ` ${text}`;
  else cues.push({ time: time.padStart(5, "0"), ...(speaker === undefined ? {} : { speaker }), text });
}

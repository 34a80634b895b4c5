// What kind of text the rehearsal is given.

// A transcript is split into speakers, times and text.

/** `time`: `HH:MM:SS` or `MM:SS`. */
type Cue = { time: string; speaker?: string; text: string };

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

// The rehearsal reads English only: the words of another language would be tagged as English.

/** Why a text without markup is certainly not English, as a part of a sentence; undefined where it may be. */
export async function whyNotEnglish(plain: string): Promise<string | undefined> {
  const [letters = 0, latin = 0] = [/\p{L}/gu, /\p{Script=Latin}/gu].map((kind) => plain.match(kind)?.length);
  if (latin * 2 < letters) return "the source is in another script; the rehearsal reads English only.";
  const { francAll } = await import("franc-min");
  const [likeliest, ...others] = francAll(plain.slice(0, 5_000), { minLength: 200 });
  const english = [likeliest, ...others].find((found) => found?.[0] === "eng")?.[1] ?? 0;
  if (likeliest === undefined || likeliest[0] === "und" || english >= 0.93) return undefined;
  const code = Intl.getCanonicalLocales(likeliest[0])[0] ?? likeliest[0];
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  return `the source is in ${name}; the rehearsal reads English only.`;
}

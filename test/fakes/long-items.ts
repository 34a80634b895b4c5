// Items that no reading holds as a whole, and a model that reads them in sections.
import { messageText } from "../../src/core/events.ts";
import { dueOutputs, SUMMARY, writeDue } from "./kit-script.ts";
import { ScriptedModel } from "./scripted-model.ts";

const QUOTE = "Water remembers the stove that warmed it.";

const SENTENCES = [
  "The kettle stood on the stove, and nobody had asked it to.",
  "Ada Moss counted 240 seconds before she spoke again.",
  "Every house on the street had a window over the sink.",
  "A letter from the county arrived with the wrong year on it.",
  QUOTE,
];

/** About `characters` of prose in chapters. */
export function makeBook(characters: number): string {
  const parts = ["---\ntitle: A long book\n---\n"];
  let length = parts[0]?.length ?? 0;
  for (let chapter = 1; length < characters; chapter += 1) {
    const paragraphs = Array.from({ length: 60 }, (_, at) =>
      Array.from({ length: 8 }, (_, word) => SENTENCES[(chapter + at * 3 + word) % SENTENCES.length]).join(
        " ",
      ),
    );
    const part = `\n## Chapter ${chapter}\n\n${paragraphs.join("\n\n")}\n`;
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

const time = (seconds: number, mark = ".") =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":") + (mark === "" ? "" : `${mark}000`);

/** Three hours of talk, a cue every four seconds. */
export function makeTranscript(form: "vtt" | "srt" | "plain"): string {
  const cues = Array.from({ length: 2_700 }, (_, at) => {
    const said = `${SENTENCES[at % SENTENCES.length]} ${SENTENCES[(at + 2) % SENTENCES.length]}`;
    const speaker = at % 2 === 0 ? "HOST" : "GUEST";
    if (form === "plain") return `[${time(at * 4, "")}] ${speaker}: ${said}`;
    const [from, to] = [at * 4, at * 4 + 3].map((second) => time(second, form === "vtt" ? "." : ","));
    return `${form === "srt" ? `${at + 1}\n` : ""}${from} --> ${to}\n${speaker}: ${said}\n`;
  });
  return `${form === "vtt" ? "WEBVTT\n\n" : ""}${cues.join("\n")}\n`;
}

const NOTES = {
  gist: "The section tells of a kettle, a street and a letter with the wrong year.",
  points: ["Ada Moss counted 240 seconds."],
  quotes: [{ text: QUOTE }],
};

/** Notes each section once, then writes the kit with a quote of the item. */
export function readingModel(): ScriptedModel {
  return new ScriptedModel((request) =>
    writeDue(
      request,
      new Map<string, unknown>([
        ["notes", NOTES],
        ["summary", { ...SUMMARY, importantQuotes: [{ text: QUOTE }] }],
      ]),
    ),
  );
}

/** Characters of everything that the model was sent in messages. */
export function charactersRead({ requests }: ScriptedModel): number {
  return requests.reduce((sum, { messages }) => sum + messages.map(messageText).join("").length, 0);
}

export function sectionsRead({ requests }: ScriptedModel): number {
  return requests.filter((request) => dueOutputs(request).includes("notes")).length;
}

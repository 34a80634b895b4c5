// What can be quoted or counted in a Markdown article. Pieces are cut out of the text, never put together.
import type nlp from "compromise/two";
import { LoopliaError } from "../../errors.ts";

/** `isRaw`: it stands in the file just so, no markup was taken out of it. `score`: how densely it names key phrases. */
export type Unit = { text: string; kind: "sentence" | "heading" | "line"; isRaw: boolean; score: number };
export type Section = { heading?: string; units: Unit[] };
/** `raw`: the file; `plain`: its text without markup (the units, joined by spaces); white space collapsed. */
export type Article = { raw: string; plain: string; units: Unit[]; sections: Section[]; title: string } & {
  category: string | undefined;
  /** Most telling first, none twice, at least three. */
  phrases: string[];
  voices: { text: string; context?: string }[];
};

/** An expected refusal; `reason` goes on from "Cannot rehearse: ". */
export function cannotRehearse(reason: string): LoopliaError {
  return new LoopliaError("invalid-artifact", reason);
}

/** `readArticle` that knows the last file again: a step asks for it each turn. */
export function createArticleReader(): (file: string) => Promise<Article> {
  let last: { file: string; article: Promise<Article> } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, article: readArticle(file) };
    return last.article;
  };
}

/** Reads a content item. Fails with `invalid-artifact` where there is nothing that a rehearsal can work with. */
async function readArticle(file: string): Promise<Article> {
  const { default: nlp } = await import("compromise/two");
  const [front = ""] = /^\uFEFF?(---[ \t]*\r?\n([\s\S]*?\n)??---[ \t]*(\r?\n|$))?/.exec(file) ?? [];
  const blocks = await readBlocks(file.slice(front.length));
  if (blocks.some(({ text }) => TOO_LONG.test(text))) throw cannotRehearse("a paragraph of it is too long.");
  const [raw, plain] = [collapse(file), blocks.map((block) => block.text).join(" ")];
  const [letters = 0, latin = 0] = [/\p{L}/gu, /\p{Script=Latin}/gu].map((kind) => plain.match(kind)?.length);
  if (latin * 2 < letters) throw cannotRehearse("the source is in another script; it reads English only.");
  const phrases = findPhrases(nlp(blocks.map((block) => block.text).join("\n\n")), raw, plain);
  const units = blocks.flatMap(({ text, isHeading }) => {
    const sentences: string[] = isHeading ? [] : nlp.tokenize(text).out("array");
    // Where the sentences are not the block's very words, the block stays in one piece.
    return (sentences.join(" ") === text ? sentences : [text]).map((piece): Unit => {
      const kind = isHeading ? "heading" : SENTENCE.test(piece) ? "sentence" : "line";
      const named = phrases.slice(0, 20).filter((phrase) => piece.includes(phrase)).length;
      return { text: piece, kind, isRaw: raw.includes(piece), score: named / (200 + piece.length) };
    });
  });
  if (!units.some((unit) => unit.kind === "sentence")) throw cannotRehearse("the source has no sentence.");
  if (phrases.length < 3) throw cannotRehearse(`too short for keyThemes: ${phrases.length} of 3 nouns.`);
  const sections: Section[] = [{ units: [] }];
  for (const unit of units) {
    if (unit.kind === "heading") sections.push({ heading: unit.text, units: [] });
    else sections.at(-1)?.units.push(unit);
  }
  const told = (name: string) => new RegExp(`^${name}: *(["']?)(\\p{L}.*?)\\1\\s*$`, "mu").exec(front)?.[2];
  return {
    ...{ raw, plain, units, phrases, sections: sections.filter((section) => section.units.length > 0) },
    title: collapse(told("title") ?? units.find((unit) => unit.kind === "heading")?.text ?? ""),
    category: told("category"),
    voices: blocks.flatMap((block) => findVoices(block.text, raw)),
  };
}

const TOO_LONG = /[^.!?]{5000}|.{40000}/;
const SENTENCE = /^(?=.*\p{L})(\S+ ){3}.*[.!?…]["”’»)\]]*$/u;

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Headings, paragraphs and items of lists without markup; code, tables and HTML are left out. */
async function readBlocks(markdown: string): Promise<{ text: string; isHeading: boolean }[]> {
  const { lexer, walkTokens } = await import("marked");
  const blocks: { text: string; isHeading: boolean }[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (!/^(heading|paragraph|text)$/.test(token.type) || !("tokens" in token) || !token.tokens) return;
    let text = "";
    walkTokens(token.tokens, (leaf) => {
      if (leaf.type === "br") text += " ";
      else if (/^(text|escape|codespan)$/.test(leaf.type) && "text" in leaf) text += leaf.text;
    });
    const isHeading = token.type === "heading";
    if (/[\p{L}\p{N}]/u.test(text)) blocks.push({ text: collapse(text), isHeading });
  });
  return blocks;
}

const NOUN = "(#Noun && !#Pronoun && !#Date && !#Unit && !#Possessive && !#Url)";

/** Names, nouns and pairs by how often they stand there; those that share a word with a better one come last. */
function findPhrases(tagged: ReturnType<typeof nlp>, raw: string, plain: string): string[] {
  const patterns = ["#ProperNoun #ProperNoun+", `(#Adjective|#Noun) ${NOUN}`, NOUN];
  const hits = patterns.flatMap((one): { normal: string; count: number }[] => tagged.match(one).out("topk"));
  const candidates = hits
    .filter(({ normal }) => /^\p{L}[\p{L}'’ -]{1,60}\p{L}$/u.test(normal))
    .map(({ normal, count }) => {
      const keys = normal.split(" ").map((word) => word.replace(/(?<=\w{3})s$/, ""));
      return { normal, keys, weight: count * (count > 1 ? keys.length ** 2 : 1) };
    })
    .sort((a, b) => b.weight - a.weight);
  const ranked: { text: string; keys: string[] }[] = [];
  // Looking one up takes longest: only as many as count.
  for (const { normal, keys } of candidates) {
    if (ranked.length === 200) break;
    const [text] = new RegExp(`(?<!\\p{L})${normal}(?!\\p{L})`, "iu").exec(plain) ?? [];
    if (text !== undefined && raw.includes(text)) ranked.push({ text, keys });
  }
  const isFresh = ({ keys }: { keys: string[] }, at: number) =>
    !ranked.slice(0, at).some((better) => better.keys.some((key) => keys.includes(key)));
  return [...new Set([...ranked.filter(isFresh), ...ranked].map((phrase) => phrase.text))];
}

const QUOTED = /(?<=^|[\s(—–])["“«](?=\S)([^"“”«»]{12,400})(?<=\S)["”»](?=$|[\s.,;:!?)—–])/gu;
const SPEECH = /\b(says?|said|adds?|added|asks?|asked|recall(s|ed)|writes?|wrote|explain(s|ed)|told)\b/i;

/** What stands between quotation marks word for word, with what beside it says who speaks. */
function findVoices(block: string, raw: string): Article["voices"] {
  return [...block.matchAll(QUOTED)].flatMap(({ 0: whole, 1: words = "", index: at }) => {
    const text = words.replace(/[,;]$/, "");
    if (text.split(" ").length < 4 || !raw.includes(text)) return [];
    const after = /^[\s,;:—–]*([^.!?"“”«»]*)/u.exec(block.slice(at + whole.length).slice(0, 400))?.[1];
    const before = /([^.!?"“”«»]*?)[\s,;:—–]*$/u.exec(block.slice(Math.max(0, at - 400), at))?.[1];
    const context = [after, before].find((piece) => piece && SPEECH.test(piece))?.trim();
    return [context && raw.includes(context) ? { text, context } : { text }];
  });
}

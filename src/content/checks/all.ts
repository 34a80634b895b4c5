// What an artifact must keep to beside its schema: the language, what was chosen, and facts of the item.
import { describeReceived, fieldName, type Problem } from "../../config/schema.ts";
import type { ContentItem } from "../item.ts";
import { choiceProblems } from "./choice.ts";
import { readFacts, unknownFacts } from "./facts.ts";
import { languageName, languagesOf, proseOf } from "./language.ts";
import { translationProblems } from "./translation.ts";

type Checked = {
  artifact: string;
  value: unknown;
  item: ContentItem;
  artifacts: ReadonlyMap<string, unknown>;
  /** BCP 47; what the agent's front matter or the profile names instead of the item's language. */
  language?: string;
  /** Doubts are told once. */
  isFirstTry?: boolean;
};

/** Artifacts that are written in the language of the item. */
const WRITTEN: ReadonlySet<string> = new Set(["summary.json", "ideas.json", "outline.json"]);
/** Artifacts whose numbers and names come from the item. */
const DOUBTED: ReadonlySet<string> = new Set(["ideas.json", "outline.json"]);

export async function contentProblems(checked: Checked): Promise<Problem[]> {
  const { artifact, value, artifacts } = checked;
  if (artifact === "translation.json") {
    const kept = await translationProblems(value, checked.item);
    return [...kept, ...(await languageProblems(checked))];
  }
  if (!WRITTEN.has(artifact)) return [];
  return [
    ...choiceProblems(artifact, value, artifacts),
    ...(await languageProblems(checked)),
    ...(checked.isFirstTry === true && DOUBTED.has(artifact) ? await factProblems(checked) : []),
  ];
}

async function languageProblems({ value, item, language }: Checked): Promise<Problem[]> {
  const wanted = language === undefined ? await languagesOf(item.body) : [language];
  const [first] = wanted;
  const [written, ...near] = await languagesOf(proseOf(value));
  if (first === undefined || written === undefined) return [];
  const isSame = [written, ...near].some((one) => wanted.some((other) => baseOf(one) === baseOf(other)));
  if (isSame) return [];
  const why = language === undefined ? "the language of the item" : "the language that is asked for";
  const expected = `text in ${languageName(first)}, ${why}`;
  return [{ field: fieldName([]), expected, received: `text in ${languageName(written)}` }];
}

/** The language without its region or script. */
function baseOf(code: string): string {
  return code.toLowerCase().split("-")[0] ?? code;
}

async function factProblems({ value, item, artifacts }: Checked): Promise<Problem[]> {
  const { indexOf } = await import("./quotes.ts");
  const summary = readFacts(JSON.stringify(artifacts.get("summary.json") ?? ""));
  const { numbers, names } = unknownFacts(value, [indexOf(item).facts, summary]);
  const told = [...numbers, ...names];
  if (told.length === 0) return [];
  const expected =
    "only numbers and names of the item. Correct what is wrong; what is right after all, send again as it is";
  return [{ field: fieldName([]), expected, received: describeReceived(told.slice(0, 20).join(", ")) }];
}

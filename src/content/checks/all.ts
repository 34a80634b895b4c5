// What an artifact must keep to beside its schema: the language, what was chosen, and facts of the item.
import type { PipelineOutput } from "../../config/definitions.ts";
import { describeReceived, fieldName, type Problem } from "../../config/schema.ts";
import { valueAt } from "../../core/json.ts";
import type { ContentItem } from "../item.ts";
import { choiceProblems } from "./choice.ts";
import { readFacts, unknownFacts } from "./facts.ts";
import { languageName, languagesOf, proseOf } from "./language.ts";
import { translationProblems } from "./translation.ts";

type Checked = {
  output: Pick<PipelineOutput, "artifact" | "schema">;
  value: unknown;
  item: ContentItem;
  artifacts: ReadonlyMap<string, unknown>;
  /** BCP 47; what the agent's front matter or the profile names instead of the item's language. */
  language?: string;
  /** Doubts are told once. */
  isFirstTry?: boolean;
};

/** Artifacts whose built-in schema or agent says that they are written in the language of the item. */
const WRITTEN: ReadonlySet<string> = new Set([
  ...["summary.json", "ideas.json", "outline.json"],
  ...["docs-summary.json", "newsletter.json", "posts.json", "release-notes.json"],
]);
/** Artifacts whose numbers and names come from the item. */
const DOUBTED: ReadonlySet<string> = new Set(["ideas.json", "outline.json"]);

export async function contentProblems(checked: Checked): Promise<Problem[]> {
  const { output, value, item, artifacts } = checked;
  const { artifact, schema } = output;
  if (artifact === "translation.json") {
    const kept = await translationProblems(value, item);
    return [...kept, ...(await languageProblems(checked))];
  }
  if (!WRITTEN.has(artifact) || schema?.file.startsWith("pipelines/") === false) return [];
  return [
    ...choiceProblems(artifact, value, artifacts),
    ...sourceProblems(artifact, value, item),
    ...(await languageProblems(checked)),
    ...(checked.isFirstTry === true && DOUBTED.has(artifact) ? await factProblems(checked) : []),
  ];
}

/** Sources that are not in a list of changes, and entries of a newsletter that are not its items', or are missing. */
function sourceProblems(artifact: string, value: unknown, { text, source, parts }: ContentItem): Problem[] {
  if (artifact === "release-notes.json") {
    const expected = `an address, number or hash that stands in ${source}`;
    return namedSources(value).flatMap(({ field, named }) =>
      text.includes(named) ? [] : [{ field, expected, received: describeReceived(named) }],
    );
  }
  const entries = valueAt(value, "entries");
  if (artifact !== "newsletter.json" || !Array.isArray(entries)) return [];
  const told = entries.map((entry) => valueAt(entry, "source"));
  const wrong = told.flatMap((path, at) => {
    const isFirst = told.indexOf(path) === at;
    const isKnown = typeof path === "string" && parts.has(path);
    const expected = isKnown ? "one entry for each item" : `one of ${[...parts.keys()].join(", ")}`;
    const field = fieldName(["entries", at, "source"]);
    return isKnown && isFirst ? [] : [{ field, expected, received: describeReceived(path) }];
  });
  const missing = [...parts.keys()].filter((path) => !told.includes(path));
  if (missing.length === 0) return wrong;
  const expected = `an entry for each item; there is none for ${missing.join(", ")}`;
  return [...wrong, { field: "entries", expected, received: describeReceived(entries) }];
}

/** What the changes of release notes name as their sources. */
function namedSources(value: unknown): { field: string; named: string }[] {
  const listOf = (of: unknown, key: string): unknown[] => {
    const found = valueAt(of, key);
    return Array.isArray(found) ? found : [];
  };
  return listOf(value, "sections").flatMap((section, at) =>
    listOf(section, "changes").flatMap((change, number) =>
      listOf(change, "sources").flatMap((named, place) => {
        const field = fieldName(["sections", at, "changes", number, "sources", place]);
        return typeof named === "string" ? [{ field, named }] : [];
      }),
    ),
  );
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

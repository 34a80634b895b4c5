// What a step's first message carries beside its words, so that its agent need not ask for it.
import { parseJson } from "../../core/json.ts";
import type { TaskState } from "../../core/state.ts";
import { longestRun } from "../../publish/markdown.ts";
import { readArtifacts, type SessionRun } from "../ports.ts";
import { ONE_READING } from "./split.ts";

/** An artifact beyond this many characters is read by the agent as far as it needs it. */
const MOST_OF_ARTIFACT = 60_000;

type Step = Pick<TaskState, "outputs">;

/** True for a step that is made from the item itself and from no other output, or from the items that it names. */
export function readsItem({ pipeline }: Pick<SessionRun, "pipeline">, { outputs }: Step): boolean {
  return pipeline.outputs.some(
    ({ name, requires, readsItems }) => outputs.includes(name) && (readsItems || requires.length === 0),
  );
}

/** True where the item is longer than one reading holds. */
export function isLong({ item }: Pick<SessionRun, "item">, longest = ONE_READING): boolean {
  return item.text.length > longest;
}

/** The item (or `notes` of it), the artifacts that the step builds on and the profile: one part each. */
export async function attachTo(run: SessionRun, step: Step, notes?: string): Promise<string[]> {
  const { folder, item, session } = run;
  const parts: string[] = [];
  if (readsItem(run, step)) {
    const own = `The content item, \`${folder}/content.md\``;
    const whole =
      item.parts.size === 0 ? own : `${own}, and below it the items that it names, each below its path`;
    const label = notes === undefined ? whole : NOTES;
    if (notes !== undefined || !isLong(run)) parts.push(quoted(label, notes ?? item.text));
  }
  for (const [file, text] of await readRequired(run, step)) {
    if (text.length <= MOST_OF_ARTIFACT) parts.push(quoted(`\`${folder}/${file}\``, text));
  }
  const { profileText } = session.configuration;
  const profile = profileText === "" ? undefined : parseJson(profileText);
  if (profile !== undefined) parts.push(quoted("The author's profile", JSON.stringify(profile)));
  return parts;
}

/** True when the first message carries every artifact that the step builds on. */
export async function carriesAll(run: SessionRun, step: Step): Promise<boolean> {
  return [...(await readRequired(run, step)).values()].every((text) => text.length <= MOST_OF_ARTIFACT);
}

async function readRequired(run: SessionRun, { outputs }: Step): Promise<Map<string, string>> {
  const own = run.pipeline.outputs.filter(({ name }) => outputs.includes(name));
  const required = own.flatMap(({ requires }) => requires).filter((name) => !outputs.includes(name));
  const values = await readArtifacts(run, new Set(required));
  return new Map([...values].map(([file, value]) => [file, JSON.stringify(value)]));
}

const NOTES = "Notes on the content item, which was read in sections";

/** A text that is data, between marks that are not in it. */
export function quoted(label: string, text: string): string {
  const marks = "`".repeat(Math.max(4, longestRun(text) + 1));
  return `${label}:\n\n${marks}text\n${text}\n${marks}`;
}

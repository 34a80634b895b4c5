// Reads an item that is too long for one reading: section by section, each noted once, then the notes.
import { z } from "zod";
import { judgeOutputs, openAttempt, owedOutputs, runAttempt } from "../../agent/attempt.ts";
import type { Delivery, Outcome } from "../../agent/session.ts";
import { checkValue, formatProblem, type Problem } from "../../config/schema.ts";
import { toolCallsOf } from "../../core/events.ts";
import { hashContent, isObject, lazily, parseJson } from "../../core/json.ts";
import type { TaskState } from "../../core/state.ts";
import { quoteSchema } from "../artifact.ts";
import { settleQuote } from "../checks/quotes.ts";
import type { ContentItem } from "../item.ts";
import { currentInputs } from "../plan.ts";
import type { SessionRun } from "../ports.ts";
import { ONE_READING, quoted, type Section, splitText } from "./parts.ts";

/** What an agent keeps of a section: all that later steps get of it. */
const notesSchema = lazily(() =>
  z.object({
    gist: z.string().min(20).max(1500).describe("What the section says, in order"),
    points: z
      .array(z.string().min(1).max(400))
      .min(1)
      .max(15)
      .describe("Claims, facts, numbers and names, exact"),
    quotes: z.array(quoteSchema()).max(8).describe("The strongest sentences, word for word"),
  }),
);

const NOTES = "notes";
/** Tries beyond the first. */
const RETRIES = 2;
/** Sections of an item that are read at once. */
const AT_ONCE = 4;

/** The id of the task that reads a section; `level` 0 reads the item, 1 its notes, and so on. */
function readingTask(taskId: string, level: number, number: number): string {
  return `${taskId}/${level === 0 ? "section" : `notes-${level}`}-${number}`;
}

type Reading = Pick<TaskState, "taskId" | "agent">;

/** The notes of all sections as one text that one reading holds, or why there are none. What was read stays read. */
export async function readLongItem(
  run: SessionRun,
  reading: Reading,
): Promise<{ notes: string } | { outcome: Outcome }> {
  let sections = splitText(run.item.text);
  for (let level = 0; ; level += 1) {
    const read = await readSections(run, reading, sections, level);
    if ("outcome" in read) return read;
    const notes = read.notes.join("\n\n");
    if (notes.length <= ONE_READING) return { notes };
    // Notes of so many sections are read in sections again.
    sections = splitText(notes);
  }
}

async function readSections(
  run: SessionRun,
  reading: Reading,
  sections: readonly Section[],
  level: number,
): Promise<{ notes: string[] } | { outcome: Outcome }> {
  const notes: string[] = [];
  for (let at = 0; at < sections.length; at += AT_ONCE) {
    const some = sections.slice(at, at + AT_ONCE);
    const ended = await Promise.all(
      some.map((section, offset) =>
        readSection(run, reading, { section, level, number: at + offset + 1, count: sections.length }),
      ),
    );
    const stopped = ended.find((one) => typeof one !== "string");
    if (stopped) return { outcome: stopped };
    notes.push(...ended.filter((one) => typeof one === "string"));
  }
  return { notes };
}

type Place = { section: Section; level: number; number: number; count: number };

/** The notes of a section as text, or why there are none. */
async function readSection(run: SessionRun, reading: Reading, place: Place): Promise<string | Outcome> {
  const { session } = run;
  const { agent } = reading;
  const { section, level, number } = place;
  const { profile: _, ...inputs } = currentInputs(session.configuration, agent, hashContent(section.text));
  const start = {
    taskId: readingTask(reading.taskId, level, number),
    agent,
    outputs: [],
    inputs: { ...inputs, profile: "" },
  };
  const known = session.journal.state.tasks.get(start.taskId);
  const isSame = known?.inputs.source === inputs.source && known.inputs.agent === inputs.agent;
  if (known?.status === "completed" && isSame) return notesOf(run, known, place);
  const task = await openAttempt(session.journal, start);
  const definition = session.configuration.agents.get(agent);
  if (!definition) throw new Error(`agent ${agent} passed the pipeline's check but is not known`);
  const owed = () => ({ ...task, outputs: [NOTES] });
  const outcome = await runAttempt({
    ...{ session, task, depth: 0, subagents: [] },
    definition: () => definition,
    opening: async () => [await renderSection(run, reading, place), quoted("The section", section.text)],
    accept: (delivery) => acceptNotes(run, task, delivery),
    isDone: () => judgeOutputs(owed(), () => RETRIES),
    debt: () => owedOutputs(owed()),
    end: (ended) => ({ outcome: ended }),
  });
  return outcome.kind === "completed" ? notesOf(run, task, place) : outcome;
}

function renderSection(
  { pipeline, folder, session }: SessionRun,
  { taskId }: Reading,
  { section, level, number, count }: Place,
): Promise<string> {
  const { firstLine, lastLine } = section;
  return session.configuration.prompts.render("section.md", {
    ...{ number, count, pipeline: pipeline.name, outputs: taskId.split("+") },
    ...(level === 0 ? { ofItem: { firstLine, lastLine } } : { ofItem: false }),
    schema: JSON.stringify(z.toJSONSchema(notesSchema())),
    facts: JSON.stringify({
      sessionFolder: folder,
      section: number,
      sections: count,
      outputs: [{ name: NOTES }],
    }),
  });
}

async function acceptNotes(
  run: SessionRun,
  { taskId, refusals }: TaskState,
  { output, content, callId }: Delivery,
) {
  const { journal } = run.session;
  if (output !== NOTES) return { text: `Not written: only ${NOTES} is due here.`, isError: true };
  const isLastTry = (refusals.get(NOTES)?.count ?? 0) >= RETRIES;
  const { problems } = checkNotes(content, run.item);
  const grave = isLastTry ? problems.filter(({ field }) => !field.startsWith("quotes")) : problems;
  if (grave.length > 0) {
    const errors = grave.map(formatProblem);
    const payload = { taskId, output: NOTES, callId, errors };
    await journal.append({ store: "events", type: "ArtifactRefused", payload });
    return {
      text: `Not accepted: ${errors.join("; ")}. Correct this and send all of it again.`,
      isError: true,
    };
  }
  const contentHash = hashContent(JSON.stringify(content));
  await journal.append({
    store: "events",
    type: "ArtifactAccepted",
    payload: { taskId, output: NOTES, contentHash },
  });
  return { text: "Accepted." };
}

type Notes = z.infer<ReturnType<typeof notesSchema>>;

/** The notes with the quotes that are in the item, in its own words. */
function checkNotes(content: unknown, item: ContentItem): { notes: Notes | undefined; problems: Problem[] } {
  const sent = typeof content === "string" ? parseJson(content) : content;
  const { value, problems } = checkValue(notesSchema(), sent);
  if (!isObject(value) || !Array.isArray(value.quotes)) return { notes: undefined, problems };
  const settle = settleQuote(item);
  const settled = value.quotes.map((one: unknown, at) => settle(one, ["quotes", at]));
  const quotes = settled.flatMap(({ quote: found }) => (found === undefined ? [] : [found]));
  const all = [...problems, ...settled.flatMap(({ problem }) => problem ?? [])];
  return { notes: notesSchema().safeParse({ ...value, quotes }).data, problems: all };
}

/** From the conversation, where they are stored: the last notes that were accepted. */
function notesOf(run: SessionRun, { conversationId }: TaskState, { section, level, number }: Place): string {
  const { messages } = run.session.journal.conversation(conversationId);
  const refused = new Set(
    messages
      .flatMap(({ content }) => content)
      .flatMap((block) =>
        block.type === "tool_result" && block.is_error === true ? [block.tool_use_id] : [],
      ),
  );
  const sent = messages
    .flatMap(toolCallsOf)
    .findLast(({ id, name }) => name === "writeArtifact" && !refused.has(id));
  const { notes } = checkNotes(sent && isObject(sent.input) ? sent.input.content : undefined, run.item);
  if (!notes) throw new Error(`the notes of section ${number} were accepted and are not stored`);
  const { firstLine, lastLine } = section;
  const head = level === 0 ? `Section ${number}, lines ${firstLine}–${lastLine}` : `Sections, part ${number}`;
  const quotes = notes.quotes.map(({ text, timestamp, context }) =>
    [
      "> ",
      text,
      [timestamp, context]
        .filter(Boolean)
        .map((part) => ` (${part})`)
        .join(""),
    ].join(""),
  );
  return [head, notes.gist, notes.points.map((point) => `- ${point}`).join("\n"), quotes.join("\n")]
    .filter((part) => part !== "")
    .join("\n");
}

// askUser, Skill and Task: the tools that involve people, knowledge and subagents.
import { z } from "zod";
import { messageOf } from "../core/errors.ts";
import {
  type InteractionAnswer,
  type InteractionField,
  type InteractionOption,
  readTable,
} from "../core/interaction.ts";
import { lazily } from "../core/json.ts";
import type { Tool, ToolContext, ToolQuestion, ToolReply } from "./tool.ts";

// Turns a model's question into one that a person can answer.

const id = lazily(() => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/));
const label = lazily(() => z.string().min(1).max(200));
const named = lazily(() =>
  z.strictObject({
    // Printable ASCII; people choose an option whose id can't be typed by its number.
    id: z.string().regex(/^[!-~](?:[ -~]{0,62}[!-~])?$/),
    label: label(),
    style: z.enum(["primary", "danger", "default"]).optional(),
    isDefault: z.boolean().optional(),
  }),
);
const option = lazily(() =>
  z.union([label(), named()], {
    error: "expected a label, or {id, label, style?, isDefault?}",
  }),
);
const options = lazily(() => z.array(option()).min(1).max(20).optional());
const validation = lazily(() =>
  z
    .strictObject({ regex: z.string().max(500).exactOptional(), required: z.boolean().exactOptional() })
    .optional(),
);
const field = lazily(() =>
  z.strictObject({
    id: id(),
    label: label(),
    kind: z.enum(["Select", "Confirm", "Input"]).optional(),
    options: options(),
    validation: validation(),
  }),
);

/** The input of `askUser`. */
const questionInput = lazily(() =>
  z.strictObject({
    question: z.string().trim().min(1).max(4_000).describe("One line; put background into description"),
    description: z.string().trim().min(1).max(8_000).optional(),
    content: z
      .json()
      .optional()
      .describe("What the question is about; for Table, an array of objects or arrays"),
    contentKind: z
      .enum(["PlainText", "Json", "Table", "Diff"])
      .optional()
      .describe("Default: chosen by the content"),
    kind: z
      .enum(["Select", "Confirm", "Input", "Composite"])
      .optional()
      .describe("Default: Composite with fields, Select with options, else Input"),
    purpose: z
      .enum(["choose_strategy", "request_info", "confirm_risky_action", "assign_subtask", "generic"])
      .default("generic"),
    options: options().describe("For Select: labels, or labels with ids"),
    fields: z
      .array(field())
      .min(1)
      .max(10)
      .optional()
      .describe("For Composite: several questions answered together; kind as above"),
    validation: validation().describe("For Input; regex in RE2 syntax"),
  }),
);
type AskedQuestion = z.infer<ReturnType<typeof questionInput>>;
type NamedOption = Exclude<NonNullable<AskedQuestion["options"]>[number], string>;

/** The question for the person; a string tells the model why it can't be asked. */
async function makeQuestion(asked: AskedQuestion): Promise<ToolQuestion | string> {
  const kind = asked.kind ?? (asked.fields ? "Composite" : asked.options ? "Select" : "Input");
  const shown = showContent(asked);
  if (typeof shown === "string") return shown;
  const question = { purpose: asked.purpose, ...headingOf(asked), ...shown };
  if (kind !== "Composite") {
    if (asked.fields) return `fields belong to kind Composite, not ${kind}. Leave one of the two out.`;
    const part = await makePart(kind, asked, "");
    return typeof part === "string" ? part : { ...question, ...part };
  }
  const problem = problemOfFields(asked);
  if (problem !== undefined) return problem;
  const fields: InteractionField[] = [];
  for (const { id, label, ...given } of asked.fields ?? []) {
    const part = await makePart(given.kind ?? (given.options ? "Select" : "Input"), given, `fields.${id}.`);
    if (typeof part === "string") return part;
    fields.push({ id, label, ...part });
  }
  return { ...question, kind, fields };
}

/** Maximum characters of a heading. */
const MAX_TITLE = 200;

/** The first line, or its beginning; then the description contains the full text. */
function headingOf({
  question,
  description = "",
}: AskedQuestion): Pick<ToolQuestion, "title" | "description"> {
  const [first = "", ...more] = question.split("\n");
  const isLong = first.length > MAX_TITLE;
  const title = isLong ? `${first.slice(0, MAX_TITLE - 1).toWellFormed()}…` : first;
  const rest = [isLong ? question : more.join("\n"), description].map((part) => part.trim());
  const whole = rest.filter((part) => part !== "").join("\n\n");
  return { title, ...(whole === "" ? {} : { description: whole }) };
}

/** Characters of the content as JSON, limited by the room in a comment. */
const MAX_CONTENT = 20_000;

/** The content in its kind; a string says why it can't be shown. */
function showContent({
  content,
  contentKind,
}: AskedQuestion): Pick<ToolQuestion, "content" | "contentKind"> | string {
  if (content === undefined)
    return contentKind ? "contentKind says how content is shown: give one, or leave it out." : {};
  const length = JSON.stringify(content).length;
  if (length > MAX_CONTENT) {
    return `content is too long for a question (${length} characters of ${MAX_CONTENT}). Show the part that decides, and name a file for the rest.`;
  }
  const isText = typeof content === "string";
  const isTable = readTable(content) !== undefined;
  const kind = contentKind ?? (isText ? "PlainText" : isTable ? "Table" : "Json");
  if (kind === "Table" && !isTable)
    return "A Table is an array of objects, or an array of arrays, with at least one row.";
  if ((kind === "PlainText" || kind === "Diff") && !isText) return `content of kind ${kind} is a text.`;
  return { content, contentKind: kind };
}

function problemOfFields({ fields = [], options, validation }: AskedQuestion): string | undefined {
  if (fields.length === 0) return "A Composite needs fields. Give at least one, or ask with another kind.";
  if (options || validation) return "A Composite has options and validation in its fields, not beside them.";
  const twice = findTwice(fields.map(({ id }) => id));
  return twice === undefined
    ? undefined
    : `The field id ${JSON.stringify(twice)} is there twice. Give each its own.`;
}

type Part = Pick<InteractionField, "kind" | "options" | "validation">;

/** A whole question or one field of it. A string, which begins with `place`, says why it can't be asked. */
async function makePart(
  kind: InteractionField["kind"],
  given: Pick<AskedQuestion, "options" | "validation">,
  place: string,
): Promise<Part | string> {
  if (kind === "Confirm") return { kind, options: YES_OR_NO };
  if (kind === "Input") {
    const { validation } = given;
    const problem = validation?.regex === undefined ? undefined : await problemOf(validation.regex, place);
    if (problem !== undefined) return problem;
    return { kind, ...(validation ? { validation } : {}) };
  }
  const { options: asked } = given;
  if (!asked) return `${place || "A "}Select needs options. Give at least one, or ask with kind Input.`;
  const options = nameOptions(asked);
  const twice = findTwice(options.map(({ id }) => id));
  if (twice !== undefined) {
    return `The option id ${place}${JSON.stringify(twice)} is there twice. Give each its own.`;
  }
  const hidden = options.find(({ id }, at) => {
    const others = options.filter((_, other) => other !== at);
    return /\s/.test(id) && others.some((other) => [other.id, other.label.trim()].includes(String(at + 1)));
  });
  if (hidden) {
    return `The option id ${place}${JSON.stringify(hidden.id)} has spaces, and its number means another option. Give it a plain one.`;
  }
  if (options.filter(({ isDefault }) => isDefault).length > 1) {
    return `${place}options has more than one default. Mark one at most.`;
  }
  return { kind, options };
}

function findTwice(ids: readonly string[]): string | undefined {
  return ids.find((id, at) => ids.indexOf(id) !== at);
}

const YES_OR_NO: InteractionOption[] = [
  { id: "approve", label: "Approve", style: "primary" },
  { id: "reject", label: "Reject", style: "danger" },
];

/** Without undefined properties. */
function plainOption({ id, label, style, isDefault }: NamedOption): InteractionOption {
  return { id, label, ...(style === undefined ? {} : { style }), ...(isDefault ? { isDefault } : {}) };
}

/** Gives labels an id made from their words, or one with their number if that id is taken or empty. */
function nameOptions(options: readonly (string | NamedOption)[]): InteractionOption[] {
  const taken = new Set(options.flatMap((each) => (typeof each === "string" ? [] : [each.id])));
  return options.map((each, at) => {
    if (typeof each !== "string") return plainOption(each);
    const words = each
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("-")
      .slice(0, 40)
      .replace(/-$/, "");
    // A numeric id would be read as another option's number.
    const isFree = words !== undefined && !/^\d+$/.test(words) && !taken.has(words);
    const id = isFree ? words : `option-${at + 1}`;
    taken.add(id);
    return { id, label: each };
  });
}

/** An answer of 10,000 characters is then checked in about a second. */
const MAX_INSTRUCTIONS = 1_500;

async function problemOf(regex: string, place: string): Promise<string | undefined> {
  const { RE2JS } = await import("re2js");
  try {
    const size = RE2JS.compile(regex).programSize();
    if (size <= MAX_INSTRUCTIONS) return undefined;
    return `${place}validation.regex was refused: it is too large (${size} instructions of ${MAX_INSTRUCTIONS}). Use smaller repetitions.`;
  } catch (error) {
    return `${place}validation.regex was refused: ${messageOf(error)}. Write it in RE2 syntax, or leave it out.`;
  }
}

export const askUserTool: Tool<AskedQuestion> = {
  name: "askUser",
  description:
    "Ask a person when only a person can decide. Say what you need and why; one question per call.",
  input: questionInput,
  effect: "reentrant",
  risk: "safe",
  summarize: ({ question }) => question.replace(/\s+/g, " ").slice(0, 100).toWellFormed(),
  async run(asked, context) {
    const question = await makeQuestion(asked);
    if (typeof question === "string") return { text: question, isError: true };
    const answer = await context.ask(question);
    if (answer === "nobody") return { text: NOBODY };
    return "suspended" in answer ? answer : { text: describe(question, answer), isPersons: true };
  },
};

const NOBODY =
  "Nobody can be asked here. Decide yourself by what you know, and say in your result what you decided and why.";

/** The decision, followed by the person's exact words. */
function quoteAnswer(decided: string, { inputValue, comment }: InteractionAnswer): string {
  const parts = [decided];
  if (inputValue !== undefined) parts.push(inputValue === "" ? "(an empty text)" : inputValue);
  if (comment) parts.push(`Comment: ${comment}`);
  return parts.join("\n");
}

function describe({ kind, options = [] }: ToolQuestion, answer: InteractionAnswer): string {
  const chosen = options.find(({ id }) => id === answer.selectedOptionId);
  if (chosen) return quoteAnswer(`The person chose ${chosen.id} (${chosen.label}).`, answer);
  if (answer.selectedOptionId !== undefined) return quoteAnswer("The person declined to answer.", answer);
  const decided = kind === "Composite" ? "The person answered, by field:" : "The person answered:";
  return quoteAnswer(decided, answer);
}

// Skill: instructions on demand, and their bundled files.

const skillInput = lazily(() =>
  z.strictObject({
    name: z.string().min(1),
    file: z.string().min(1).optional().describe("One of its files"),
  }),
);

export const skillTool: Tool<z.infer<typeof skillInput>> = {
  name: "Skill",
  description: "Read a skill's instructions, or one of its files, before work that the skill is for.",
  input: skillInput,
  effect: "read",
  risk: "safe",
  summarize: ({ name, file }) => (file ? `${name}/${file}` : name),
  async run({ name, file }, { skills }) {
    const skill = skills.get(name);
    if (!skill) {
      const known = [...skills.keys()].join(", ") || "none";
      return { text: `There is no skill ${JSON.stringify(name)}. Skills: ${known}.`, isError: true };
    }
    if (file === undefined) {
      const list = skill.files.length > 0 ? `\n\nFiles of this skill: ${skill.files.join(", ")}` : "";
      return { text: skill.body + list };
    }
    // Only listed files are ever read, because the name comes from a model.
    const text = skill.files.includes(file) ? await skill.read(file) : undefined;
    if (text !== undefined) return { text };
    const known = skill.files.join(", ") || "none";
    return { text: `The skill ${name} has no file ${JSON.stringify(file)}. Files: ${known}.`, isError: true };
  },
};

// Task: a subagent does a part of the work in its own conversation.

const taskInput = lazily(() =>
  z.strictObject({
    agent: z.string().min(1).optional().describe("If missing, a person chooses"),
    prompt: z
      .string()
      .min(1)
      .describe("Everything that the agent needs to know: it does not see this conversation"),
  }),
);
type Input = z.infer<typeof taskInput>;

export const taskTool: Tool<Input> = {
  name: "Task",
  description: "Delegate part of the work to another agent; its last message is the result.",
  input: taskInput,
  effect: "reentrant",
  risk: "safe",
  summarize: ({ agent, prompt }) =>
    `${agent ?? "?"}: ${prompt.replace(/\s+/g, " ").slice(0, 80).toWellFormed()}`,
  async run({ agent, prompt }, context) {
    const { names, run } = context.subagents;
    if (names.length === 0) return { text: "There are no other agents here. Do it yourself.", isError: true };
    const chosen = agent ?? (await chooseAgent(prompt, context));
    if (typeof chosen !== "string") return chosen;
    if (names.includes(chosen)) return run(chosen, prompt);
    return {
      text: `There is no agent ${JSON.stringify(chosen)}. Agents: ${names.join(", ")}.`,
      isError: true,
    };
  },
};

async function chooseAgent(prompt: string, { ask, subagents }: ToolContext) {
  const answer = await ask({
    kind: "Select",
    purpose: "assign_subtask",
    title: "Which agent should do this?",
    description: prompt,
    options: subagents.names.map((name) => ({ id: name, label: name })),
  });
  if (answer === "nobody") {
    const text = `Nobody can be asked here. Name the agent yourself: ${subagents.names.join(", ")}.`;
    return { text, isError: true } satisfies ToolReply;
  }
  if ("suspended" in answer) return answer;
  const { selectedOptionId = "" } = answer;
  if (subagents.names.includes(selectedOptionId)) return selectedOptionId;
  return {
    text: quoteAnswer("The person chose none of the agents.", answer),
    isError: true,
  } satisfies ToolReply;
}

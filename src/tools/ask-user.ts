// askUser: a question to a person. The call waits for the answer, if need be beyond the end of the run.
import { messageOf } from "../errors.ts";
import type { InteractionAnswer, InteractionOption } from "../session/interaction.ts";
import { NOBODY, quoteAnswer } from "./answer.ts";
import type { InputOf, Question, Tool, Zod } from "./tool.ts";

const input = (z: Zod) => {
  const named = z.strictObject({
    id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/),
    label: z.string().min(1).max(200),
  });
  const option = z.union([z.string().min(1).max(200), named], { error: "expected a label, or {id, label}" });

  return z.strictObject({
    question: z.string().trim().min(1).max(4_000),
    kind: z
      .enum(["Select", "Confirm", "Input"])
      .optional()
      .describe("Default: Select with options, else Input"),
    purpose: z.enum(["choose_strategy", "request_info", "assign_subtask", "generic"]).default("generic"),
    options: z.array(option).min(1).max(20).optional().describe("For Select: labels, or labels with ids"),
    validation: z
      .strictObject({ regex: z.string().max(500).optional(), required: z.boolean().optional() })
      .optional()
      .describe("For Input; regex in RE2 syntax"),
  });
};
type Input = InputOf<typeof input>;

export const askUserTool: Tool<Input> = {
  name: "askUser",
  description: "Ask a person when only a person can decide. Say what you need and why; one question a call.",
  input,
  effect: "reentrant",
  risk: "safe",
  summarize: ({ question }) => question.replace(/\s+/g, " ").slice(0, 100).toWellFormed(),
  async run(asked, context) {
    const question = await makeQuestion(asked);
    if (typeof question === "string") return { text: question, isError: true };
    const answer = await context.ask(question);
    if (answer === "nobody") return { text: NOBODY };
    return "suspended" in answer ? answer : { text: describe(question, answer) };
  },
};

async function makeQuestion(asked: Input): Promise<Question | string> {
  const kind = asked.kind ?? (asked.options ? "Select" : "Input");
  const [title = "", ...more] = asked.question.split("\n");
  const description = more.join("\n").trim();
  const question = { kind, purpose: asked.purpose, title, ...(description ? { description } : {}) };
  if (kind === "Confirm") return { ...question, options: YES_OR_NO };
  if (kind === "Input") {
    const { regex, required } = asked.validation ?? {};
    const problem = regex === undefined ? undefined : await problemOf(regex);
    if (problem !== undefined) return problem;
    const validation = {
      ...(regex === undefined ? {} : { regex }),
      ...(required === undefined ? {} : { required }),
    };
    return { ...question, ...(asked.validation ? { validation } : {}) };
  }
  if (!asked.options) return "A Select needs options. Give at least one, or ask with kind Input.";
  const options = nameOptions(asked.options);
  const ids = options.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `The option id ${JSON.stringify(twice)} is there twice. Give each its own.`;
  return { ...question, options };
}

const YES_OR_NO: InteractionOption[] = [
  { id: "approve", label: "Approve", style: "primary" },
  { id: "reject", label: "Reject", style: "danger" },
];

/** Labels get an id made from their words; where that is taken or empty, one with their number. */
function nameOptions(options: NonNullable<Input["options"]>): InteractionOption[] {
  const taken = new Set(options.flatMap((each) => (typeof each === "string" ? [] : [each.id])));
  return options.map((each, at) => {
    if (typeof each !== "string") return each;
    const words = each
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("-")
      .slice(0, 40)
      .replace(/-$/, "");
    // An id that is a number would be read as the number of another option.
    const isFree = words !== undefined && !/^\d+$/.test(words) && !taken.has(words);
    const id = isFree ? words : `option-${at + 1}`;
    taken.add(id);
    return { id, label: each };
  });
}

/** An answer of 10,000 characters is then checked in about a second. */
const MAX_INSTRUCTIONS = 1_500;

async function problemOf(regex: string): Promise<string | undefined> {
  const { RE2JS } = await import("re2js");
  try {
    const size = RE2JS.compile(regex).programSize();
    if (size <= MAX_INSTRUCTIONS) return undefined;
    return `validation.regex was refused: it is too large (${size} instructions of ${MAX_INSTRUCTIONS}). Use smaller repetitions.`;
  } catch (error) {
    return `validation.regex was refused: ${messageOf(error)}. Write it in RE2 syntax, or leave it out.`;
  }
}

function describe({ options = [] }: Question, answer: InteractionAnswer): string {
  const chosen = options.find(({ id }) => id === answer.selectedOptionId);
  if (chosen) return quoteAnswer(`The person chose ${chosen.id} (${chosen.label}).`, answer);
  if (answer.selectedOptionId !== undefined) {
    return quoteAnswer(`The person answered ${answer.selectedOptionId}.`, answer);
  }
  return quoteAnswer("The person answered:", answer);
}

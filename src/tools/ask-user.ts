// askUser: a question to a person. The call waits for the answer, if need be beyond the end of the run.
import type { InteractionAnswer } from "../session/interaction.ts";
import { NOBODY, quoteAnswer } from "./answer.ts";
import { type AskedQuestion, makeQuestion, questionInput } from "./make-question.ts";
import type { Question, Tool } from "./tool.ts";

export const askUserTool: Tool<AskedQuestion> = {
  name: "askUser",
  description: "Ask a person when only a person can decide. Say what you need and why; one question a call.",
  input: questionInput,
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

function describe({ kind, options = [] }: Question, answer: InteractionAnswer): string {
  const chosen = options.find(({ id }) => id === answer.selectedOptionId);
  if (chosen) return quoteAnswer(`The person chose ${chosen.id} (${chosen.label}).`, answer);
  if (answer.selectedOptionId !== undefined) return quoteAnswer("The person declined to answer.", answer);
  const decided = kind === "Composite" ? "The person answered, by field:" : "The person answered:";
  return quoteAnswer(decided, answer);
}

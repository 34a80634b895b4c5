// Task: a subagent does a part of the work in a conversation of its own.
import { z } from "zod";
import { quoteAnswer } from "./answer.ts";
import type { Tool, ToolContext, ToolReply } from "./tool.ts";

const input = z.strictObject({
  agent: z.string().min(1).optional().describe("Without it a person chooses"),
  prompt: z.string().min(1).describe("All that it needs to know: it sees nothing of this conversation"),
});
type Input = z.infer<typeof input>;

export const taskTool: Tool<Input> = {
  name: "Task",
  description: "Let another agent do a part of the work; its last message is the result.",
  input,
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

// The host of the demo: nobody is there, so it answers by itself, and shows what it was asked and what it said.
import type { Host } from "../ports.ts";
import type { InteractionAnswer, InteractionRequest } from "../session/interaction.ts";
import { askedLines, defaultOption, optionText } from "../session/question-text.ts";

/**
 * `approves`: says yes to every Confirm; its commands are then the program's own. Takes the default option of every other
 * question; to a question without options it says that it has no preference.
 */
export function createDemoHost(options: { print(text: string): void; approves?: boolean }): Host {
  return {
    canAsk: true,
    async ask(request) {
      const { answer, said } = decide(request, options.approves === true);
      const [title = "", ...details] = askedLines(request);
      const lines = [`? ${title} (${request.shortId})`, ...details.map((line) => `  ${line}`), `  → ${said}`];
      options.print(`${lines.join("\n")}\n`);
      return { answer, actorId: "terminal:demo" };
    },
    async secure() {},
    async taskEnded() {},
  };
}

function decide(request: InteractionRequest, approves: boolean): { answer: InteractionAnswer; said: string } {
  if (approves && request.kind === "Confirm") {
    return { answer: { selectedOptionId: "approve" }, said: "the demo approves" };
  }
  const option = defaultOption(request);
  if (option) {
    return {
      answer: { selectedOptionId: option.id },
      said: `the demo takes the default: ${optionText(option)}`,
    };
  }
  if (request.fields) {
    const inputValue = JSON.stringify(
      Object.fromEntries(
        request.fields.map((field) => [field.id, defaultOption(field)?.id ?? "No preference."]),
      ),
    );
    return { answer: { inputValue }, said: `the demo takes the defaults: ${inputValue}` };
  }
  return { answer: { inputValue: "No preference." }, said: "the demo answers: No preference." };
}

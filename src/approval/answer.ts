// Every answer is checked against its request before it is recorded.
import type { InteractionAnswer, InteractionRequest } from "../session/interaction.ts";

export type CheckedAnswer = { ok: true; answer: InteractionAnswer } | { ok: false; expected: string };

/**
 * Checks that the option exists (an exact id beats its number), that what is required is given and that the pattern
 * matches (linear time). `expected` says what would be accepted.
 */
export async function checkAnswer(
  request: InteractionRequest,
  answer: InteractionAnswer,
): Promise<CheckedAnswer> {
  return request.kind === "Input" || request.kind === "Composite"
    ? checkInput(request, answer)
    : checkOption(request, answer);
}

function checkOption(request: InteractionRequest, answer: InteractionAnswer): CheckedAnswer {
  const options = request.options ?? [];
  const given = answer.selectedOptionId ?? "";
  const chosen =
    options.find((option) => option.id === given) ??
    (/^[1-9]\d*$/.test(given) ? options[Number(given) - 1] : undefined);
  if (!chosen) {
    const list = options.map((option, index) => `${index + 1} ${option.id}`).join(", ");
    return { ok: false, expected: `one of these options: ${list}` };
  }
  return { ok: true, answer: { ...answer, selectedOptionId: chosen.id } };
}

async function checkInput(request: InteractionRequest, answer: InteractionAnswer): Promise<CheckedAnswer> {
  const value = answer.inputValue;
  if (value === undefined) return { ok: false, expected: "a text" };
  if (request.validation?.required && value.trim() === "")
    return { ok: false, expected: "a text that is not empty" };
  const regex = request.validation?.regex;
  if (regex !== undefined) {
    const { RE2JS } = await import("re2js");
    if (!RE2JS.compile(regex).matcher(value).find()) {
      return { ok: false, expected: `a text that matches ${regex}` };
    }
  }
  return { ok: true, answer };
}

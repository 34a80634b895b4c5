// A script of native calls as a model would write them that has no tools of its own.
import type { ApiScript, Turn } from "../fakes/messages-api-script.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";

export function writtenScript(script: ApiScript): ApiScript {
  if (Array.isArray(script)) return script.map(writtenTurn);
  return async (body, index) => writtenTurn(await script(body, index));
}

function writtenTurn(turn: Turn): Turn {
  if (typeof turn === "string" || "status" in turn || typeof turn.content === "string") return turn;
  const { cutJson = 0, content, ...rest } = turn;
  const text = content.map((block) => writtenBlock(block)).join("");
  return { ...rest, content: text.slice(0, text.length - cutJson) || "…" };
}

function writtenBlock({ type, text, name, input }: AnswerBlock): string {
  if (type === "text") return String(text);
  return type === "tool_use" ? `<tool_use>${JSON.stringify({ name, input })}</tool_use>` : "";
}

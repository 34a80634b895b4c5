// Why a text is no JSON, and where. V8 names a position for some errors only.
import type { ParseError } from "jsonc-parser";

/** `offset` of the first thing that is wrong; `message` says what, without the text around it. */
export async function findSyntaxError(
  message: string,
  text: string,
): Promise<{ offset: number; message: string }> {
  const position = /\bposition (\d+)/.exec(message)?.[1];
  if (position !== undefined) return { offset: Number(position), message };
  const [, token] = /^(Unexpected token .{1,3}), [\s\S]* is not valid JSON$/su.exec(message) ?? [];
  // Else the end came too early.
  if (token === undefined) return { offset: text.length, message };
  return { offset: await findFirstError(text), message: token };
}

async function findFirstError(text: string): Promise<number> {
  const { parse } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    // Nested deeper than the stack of that parser.
  }
  return errors[0]?.offset ?? text.length;
}

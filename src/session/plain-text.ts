// Text from models and content, made safe for a terminal or a log. Pure.

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** ECMA-48: control sequences, strings ended by BEL or ST, and two-character escapes. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\u009c]*(?:${BELL}|${ESCAPE}\\\\|\u009c)?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Every control but tab and newline. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
/** What changes the order of text or cannot be seen: format and bidi marks, zero-width characters, lone surrogates. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text without terminal sequences and controls; newlines stay, tabs become two spaces. */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .replace(/\p{Bidi_Control}/gu, "")
    .replaceAll("\t", "  ");
}

/** The text on one line, white space collapsed, without terminal sequences and controls. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/\s+/g, " ").trim();
}

/**
 * The text with every unseen character written as `<U+XXXX>`, so that what is approved is what is read. Newlines and
 * tabs stay. Nothing is left out.
 */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

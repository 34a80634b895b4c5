// What a content item is called.

/** The front matter's title, else the first Markdown heading of the body, else the file's name. One line, never empty. */
export function readTitle(given: unknown, body: string, source: string): string {
  const named = typeof given === "string" || typeof given === "number" ? oneLine(String(given)) : "";
  return named || firstHeading(body) || fileName(source) || "item";
}

/** The last part of a path without its extension. */
export function fileName(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  return oneLine(name.replace(/(?<=.)\.[^.]*$/, ""));
}

/** CommonMark headings (`#` or underlined), outside of fenced code. */
function firstHeading(body: string): string {
  let fence: string | undefined;
  let above = "";
  for (const line of body.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = mark;
    const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1]?.replace(/(?:^|[ \t])#+[ \t]*$/, "");
    if (heading && oneLine(heading)) return oneLine(heading);
    if (above && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line)) return above;
    above = /^ {0,3}[^\s>*+`~|<-]/.test(line) ? oneLine(line) : "";
  }
  return "";
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

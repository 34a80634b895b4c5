// Markdown as GitHub's parser family renders it, for tests that ask what is live in a text.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** The last text: a test asks several things about the same one. */
let last = { markdown: "", html: "" };

export function render(markdown: string): string {
  if (last.markdown !== markdown) last = { markdown, html: toHtml(markdown) };
  return last.html;
}

function toHtml(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

/** The characters that a piece of HTML without elements stands for. */
export function decode(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** What GitHub looks through for mentions and references: the rendered text without code. */
export function liveText(markdown: string): string {
  const withoutCode = render(markdown)
    .replace(/<pre>[\s\S]*?<\/pre>/g, " code ")
    .replace(/<code>[\s\S]*?<\/code>/g, " code ");
  return decode(withoutCode.replace(/<[^>]*>/g, ""));
}

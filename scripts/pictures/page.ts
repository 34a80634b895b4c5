// A page that looks like one comment on GitHub: its parser's HTML, alerts, line ends kept, diffs coloured.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

const ALERTS = new Map([
  ["NOTE", { color: "link", title: "Note" }],
  ["WARNING", { color: "attention", title: "Warning" }],
  ["CAUTION", { color: "danger", title: "Caution" }],
]);

export type Theme = "light" | "dark";
export const themes: readonly Theme[] = ["light", "dark"];

/** Pictures of docs/comments by name: the text that is drawn, and its width in CSS pixels. */
export const pictures: readonly { name: string; text: string; width: number }[] = [
  { name: "confirm", text: "confirm", width: 780 },
  { name: "confirm-phone", text: "confirm", width: 390 },
  { name: "select-phone", text: "select", width: 390 },
  { name: "approved", text: "approved", width: 780 },
  { name: "status", text: "status", width: 780 },
  { name: "status-tasks", text: "status-tasks", width: 780 },
  { name: "summary", text: "summary", width: 1280 },
  { name: "summary-phone", text: "summary-broken", width: 390 },
];

/** The name of a picture's file, without its ending. */
export function fileOf(name: string, theme: Theme): string {
  return theme === "light" ? name : `${name}-dark`;
}

/** GitHub's colours by their use. */
export const COLORS = {
  light: {
    page: "#ffffff",
    inset: "#f6f8fa",
    border: "#d1d9e0",
    text: "#1f2328",
    muted: "#59636e",
    link: "#0969da",
    attention: "#9a6700",
    danger: "#d1242f",
    code: "#eff1f2",
    added: "#116329",
    addedBack: "#dafbe1",
    removed: "#82071e",
    removedBack: "#ffebe9",
    hunk: "#8250df",
  },
  dark: {
    page: "#0d1117",
    inset: "#151b23",
    border: "#3d444d",
    text: "#f0f6fc",
    muted: "#9198a1",
    link: "#4493f8",
    attention: "#d29922",
    danger: "#f85149",
    code: "#2a313c",
    added: "#aff5b4",
    addedBack: "#033a16",
    removed: "#ffdcd7",
    removedBack: "#67060c",
    hunk: "#d2a8ff",
  },
} as const satisfies Record<Theme, Record<string, string>>;

const COPY =
  '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"><rect x="5.5" y="1" width="9" height="9" rx="1.5"/><path d="M3 5.5H2.5A1.5 1.5 0 0 0 1 7v6.5A1.5 1.5 0 0 0 2.5 15H9a1.5 1.5 0 0 0 1.5-1.5V13"/></svg>';

/** A step summary has no author. */
export function drawPage(markdown: string, width: number, theme: Theme): string {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });
  const isComment = markdown.startsWith("<!-- looplia:");
  const head = isComment ? "<header><b>github-actions</b> <i>bot</i> <span>now</span></header>" : "";
  return `<!doctype html><meta charset="utf-8"><style>${style(width, theme)}</style><body><article>${head}<main>${asGitHub(html)}</main></article>`;
}

function asGitHub(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<p>([\s\S]*?)<\/p>/g, (_, text: string) => `<p>${text.trim().replace(/\n/g, "<br>")}</p>`)
    .replace(/<blockquote>\s*<p>\[!(\w+)\](?:<br>)?/g, (_, kind: string) => openAlert(kind))
    .replace(
      /<pre><code class="language-diff">([\s\S]*?)<\/code>/g,
      (_, text: string) => `<pre><code>${colour(text)}</code>`,
    )
    .replace(/<pre>/g, `<div class="block"><button>${COPY}</button><pre>`)
    .replace(/<\/pre>/g, "</pre></div>")
    .replace(/(^|[\s>])(@[\w/-]+)/g, '$1<a class="mention">$2</a>');
}

function openAlert(kind: string): string {
  const { color, title } = ALERTS.get(kind) ?? { color: "muted", title: kind };
  return `<blockquote class="alert" style="border-color:var(--${color})"><p class="title" style="color:var(--${color})">${title}</p><p>`;
}

function colour(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const kind = line.startsWith("+")
        ? "added"
        : line.startsWith("-")
          ? "removed"
          : line.startsWith("@@")
            ? "hunk"
            : "";
      return kind === "" ? line : `<span class="${kind}">${line}</span>`;
    })
    .join("\n");
}

function style(width: number, theme: Theme): string {
  const variables = Object.entries(COLORS[theme]).map(([name, color]) => `--${name}: ${color}`);
  return `
:root { ${variables.join("; ")} }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); width: ${width}px; padding: 12px; color: var(--text);
  font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif }
article { border: 1px solid var(--border); border-radius: 6px }
header { background: var(--inset); border-bottom: 1px solid var(--border); border-radius: 6px 6px 0 0; padding: 8px 16px }
header i { font-style: normal; font-size: 12px; color: var(--muted); border: 1px solid var(--border); border-radius: 2em; padding: 0 6px }
header span { color: var(--muted) }
main { padding: 16px; overflow-wrap: break-word }
main > :last-child, li > :last-child { margin-bottom: 0 }
h2, h3 { margin: 0 0 16px; line-height: 1.25 }
h2 { font-size: 21px; border-bottom: 1px solid var(--border); padding-bottom: 6px }
h3 { font-size: 17.5px }
p, ul, ol, blockquote, table, details { margin: 0 0 16px }
ul, ol { padding-left: 2em }
a { color: var(--link); text-decoration: underline }
.mention { color: var(--text); font-weight: 600; text-decoration: none }
code { font: 85% ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; background: var(--code); border-radius: 6px; padding: .2em .4em; white-space: break-spaces }
.block { position: relative; margin: 0 0 16px }
.block button { position: absolute; top: 8px; right: 8px; border: 1px solid var(--border); border-radius: 6px; background: var(--inset); color: var(--muted); font-size: 14px; padding: 5px 6px 0 }
pre { margin: 0; background: var(--inset); border-radius: 6px; padding: 16px; overflow: hidden; line-height: 1.45 }
pre code { background: none; padding: 0; white-space: pre }
.added { color: var(--added); background: var(--addedBack) } .removed { color: var(--removed); background: var(--removedBack) } .hunk { color: var(--hunk) }
blockquote { border-left: 4px solid var(--border); padding: 0 1em; color: var(--muted) }
.alert { color: var(--text); padding: 8px 16px } .alert p { margin: 0 } .alert .title { font-weight: 600 } .alert ul { margin: 0 }
table { border-collapse: collapse; display: block; overflow: hidden } td, th { border: 1px solid var(--border); padding: 6px 13px }
summary { cursor: default }`;
}

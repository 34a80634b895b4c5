// A page that looks like one comment on GitHub: its parser's HTML, alerts, line ends kept, diffs coloured.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Picture } from "./comments.ts";

const ALERTS = new Map([
  ["NOTE", { color: "#0969da", title: "Note" }],
  ["WARNING", { color: "#9a6700", title: "Warning" }],
  ["CAUTION", { color: "#d1242f", title: "Caution" }],
]);

const COPY =
  '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="#59636e" stroke-width="1.5"><rect x="5.5" y="1" width="9" height="9" rx="1.5"/><path d="M3 5.5H2.5A1.5 1.5 0 0 0 1 7v6.5A1.5 1.5 0 0 0 2.5 15H9a1.5 1.5 0 0 0 1.5-1.5V13"/></svg>';
/** Drawn twice as large: sharp on fine screens, and wider than the narrowest window that Chromium makes. */
export const ZOOM = 2;

export function drawPage({ markdown, width }: Picture): string {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });
  const head = "<header><b>github-actions</b> <i>bot</i> <span>now</span></header>";
  const measure = `<script>document.body.dataset.height = Math.ceil(document.querySelector("article").getBoundingClientRect().bottom + 12);</script>`;
  return `<!doctype html><meta charset="utf-8"><style>${style(width)}</style><body><article>${head}<main>${asGitHub(html)}</main></article>${measure}`;
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
  const { color, title } = ALERTS.get(kind) ?? { color: "#59636e", title: kind };
  return `<blockquote class="alert" style="border-color:${color}"><p class="title" style="color:${color}">${title}</p><p>`;
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

function style(width: number): string {
  return `
* { box-sizing: border-box }
body { zoom: ${ZOOM}; margin: 0; background: #fff; width: ${width}px; padding: 12px; color: #1f2328;
  font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif }
article { border: 1px solid #d1d9e0; border-radius: 6px }
header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px }
header i { font-style: normal; font-size: 12px; color: #59636e; border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px }
header span { color: #59636e }
main { padding: 16px; overflow-wrap: break-word }
main > :last-child, li > :last-child { margin-bottom: 0 }
h2, h3 { margin: 0 0 16px; line-height: 1.25 }
h2 { font-size: 21px; border-bottom: 1px solid #d1d9e0; padding-bottom: 6px }
h3 { font-size: 17.5px }
p, ul, ol, blockquote, table, details { margin: 0 0 16px }
ul, ol { padding-left: 2em }
a { color: #0969da; text-decoration: underline }
.mention { color: #1f2328; font-weight: 600; text-decoration: none }
code { font: 85% ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; background: #818b981f; border-radius: 6px; padding: .2em .4em; white-space: break-spaces }
.block { position: relative; margin: 0 0 16px }
.block button { position: absolute; top: 8px; right: 8px; border: 1px solid #d1d9e0; border-radius: 6px; background: #f6f8fa; color: #59636e; font-size: 14px; padding: 5px 6px 0 }
pre { margin: 0; background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: hidden; line-height: 1.45 }
pre code { background: none; padding: 0; white-space: pre }
.added { color: #116329; background: #dafbe1 } .removed { color: #82071e; background: #ffebe9 } .hunk { color: #8250df }
blockquote { border-left: 4px solid #d1d9e0; padding: 0 1em; color: #59636e }
.alert { color: #1f2328; padding: 8px 16px } .alert p { margin: 0 } .alert .title { font-weight: 600 } .alert ul { margin: 0 }
table { border-collapse: collapse; display: block; overflow: hidden } td, th { border: 1px solid #d1d9e0; padding: 6px 13px }
summary { cursor: default }`;
}

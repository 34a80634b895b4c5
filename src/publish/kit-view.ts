// The short view of an item's artifacts: headline, ideas, outline. Unknown shapes are left out, never guessed at. Pure.
import { valueAt } from "../session/json.ts";
import { escapeInline } from "./markdown.ts";

const MANY = 12;

/** Markdown lines; empty when no artifact has a known shape. */
export function viewArtifacts(artifacts: ReadonlyMap<string, unknown>): string[] {
  const sections = [
    viewSummary(artifacts.get("summary")),
    viewIdeas(artifacts.get("ideas")),
    viewOutline(artifacts.get("outline")),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines) => [...lines, ""]);
}

function viewSummary(summary: unknown): string[] {
  const headline = textAt(summary, "headline");
  const tldr = textAt(summary, "tldr");
  return [
    ...(headline ? [`**${headline}**`] : []),
    ...(headline && tldr ? [""] : []),
    ...(tldr ? [tldr] : []),
  ];
}

function viewIdeas(ideas: unknown): string[] {
  const hooks = listAt(ideas, "hooks").map(
    (hook) => [textAt(hook, "text"), textAt(hook, "type", 30)] as const,
  );
  const hookRows = hooks.filter(([text]) => text).map(([text, type]) => `- ${text}${type && ` (${type})`}`);
  const angles = listAt(ideas, "angles").map((angle) => textAt(angle, "title"));
  const angleRows = angles.filter((title) => title).map((title) => `- ${title}`);
  return [
    ...(hookRows.length > 0 ? ["*Hooks*", "", ...hookRows] : []),
    ...(hookRows.length > 0 && angleRows.length > 0 ? [""] : []),
    ...(angleRows.length > 0 ? ["*Angles*", "", ...angleRows] : []),
  ];
}

function viewOutline(outline: unknown): string[] {
  const headings = (Array.isArray(outline) ? outline : [])
    .slice(0, MANY)
    .map((section) => textAt(section, "heading"));
  const rows = headings.filter((heading) => heading).map((heading, index) => `${index + 1}. ${heading}`);
  return rows.length > 0 ? ["*Outline*", "", ...rows] : [];
}

function textAt(value: unknown, name: string, limit?: number): string {
  const found = valueAt(value, name);
  return typeof found === "string" ? escapeInline(found, limit) : "";
}

function listAt(value: unknown, name: string): unknown[] {
  const found = valueAt(value, name);
  return Array.isArray(found) ? found.slice(0, MANY) : [];
}

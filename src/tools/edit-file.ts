// editFile: replaces one exact passage of a file, or creates a file.
import { z } from "zod";
import { LoopliaError } from "../core/errors.ts";
import type { FileImage } from "../core/events.ts";
import { sha256Of } from "../core/json.ts";
import { cutLine, type Preview, type Tool } from "./tool.ts";

const input = z.strictObject({
  path: z.string().min(1).describe("Relative to the repository's root"),
  oldStr: z.string().describe("Exact text, with its white space; empty: create the file"),
  newStr: z.string(),
});
type Edit = z.infer<typeof input>;

export const editFileTool: Tool<Edit> = {
  name: "editFile",
  description: "Replace oldStr, which must stand in the file exactly once, by newStr; or create a file.",
  input,
  effect: "once",
  risk: "risky",
  summarize: ({ path }) => path,
  facts: async ({ path }, { forTools }) => ({ paths: [plainPath(path), await forTools.locate(path)] }),
  image: async (edit, { forTools }) => imageOf(edit, await forTools.readForEdit(edit.path)),
  fileHash: async ({ path }, { forTools }) => hashOf(await forTools.readForEdit(path)),
  async preview(edit, { workspace, pending }): Promise<Preview> {
    const key = plainPath(edit.path);
    const onDisk = await workspace.forTools.readForEdit(edit.path);
    const before = pending.get(key) ?? onDisk;
    const after = applyEdit(edit, before);
    pending.set(key, after);
    return {
      title: `${before === undefined ? "Create" : "Edit"} ${key}`,
      content: await showDiff(key, before, after),
      contentKind: "Diff",
      binding: { path: key, ...imageOf(edit, before) },
    };
  },
  async run(edit, { workspace, facts }) {
    const before = await workspace.forTools.readForEdit(edit.path);
    await workspace.forTools.writeText(edit.path, applyEdit(edit, before), facts.paths?.[1]);
    return { text: before === undefined ? `Created ${edit.path}.` : `Edited ${edit.path}.` };
  },
};

function imageOf(edit: Edit, before: string | undefined): FileImage {
  return { before: hashOf(before), after: hashOf(applyEdit(edit, before)) };
}

function plainPath(path: string): string {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/");
}

/**
 * The file's text after the edit. Refuses an edit that is not exactly one replacement, and says what to do
 * instead.
 */
export function applyEdit({ path, oldStr, newStr }: Edit, before: string | undefined): string {
  if (oldStr === "") {
    if (before === undefined || before === "") return newStr;
    throw refuse(`${path} exists already, so it was not created.`, "Give the text to replace as oldStr.");
  }
  if (before === undefined) {
    throw refuse(
      `There is no file ${path}.`,
      "Leave oldStr empty to create it, or find its name with listFiles.",
    );
  }
  if (oldStr === newStr) throw refuse("oldStr and newStr are the same.", "Send the text as it shall be.");
  const [first, ...more] = findAll(before, oldStr);
  if (first === undefined) throw refuse(`oldStr is not in ${path}.`, explainMiss(before, oldStr));
  if (more.length > 0) {
    const lines = [first, ...more].map((at) => lineAt(before, at)).join(", ");
    throw refuse(
      `oldStr stands ${more.length + 1} times in ${path}, at lines ${lines}.`,
      "Take in more lines around it.",
    );
  }
  return before.slice(0, first) + newStr + before.slice(first + oldStr.length);
}

/** Starts of the matches, including overlapping ones; at most 20 are useful. */
function findAll(text: string, searched: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(searched); at >= 0 && found.length < 20; at = text.indexOf(searched, at + 1)) {
    found.push(at);
  }
  return found;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function explainMiss(before: string, oldStr: string): string {
  if (before.includes("\r\n") && findAll(before.replaceAll("\r\n", "\n"), oldStr).length > 0) {
    return "The file's lines end with \\r\\n: write them so in oldStr and newStr.";
  }
  const [wanted = ""] = oldStr.trim().split("\n");
  const at = before.split("\n").findIndex((line) => line.trim() === wanted.trim());
  return at >= 0 && wanted.trim() !== ""
    ? `Line ${at + 1} is like its first line: compare what follows and the white space.`
    : "Read the file again and copy the text as it stands.";
}

/**
 * A unified diff. When the library gives up on a hard case, all old lines and then all new lines are shown.
 */
async function showDiff(path: string, before: string | undefined, after: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const old = before === undefined ? "/dev/null" : `a/${path}`;
  const patch = (limits: { timeout: number }) =>
    createTwoFilesPatch(old, `b/${path}`, before ?? "", after, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      ...limits,
    });
  return patch({ timeout: 1_000 }) ?? wholeDiff(old, `b/${path}`, before ?? "", after);
}

function wholeDiff(old: string, now: string, before: string, after: string): string {
  const rows = (text: string, sign: string) => text.split("\n").map((line) => `${sign}${line}`);
  return [`--- ${old}`, `+++ ${now}`, ...rows(before, "-"), ...rows(after, "+")].join("\n");
}

function hashOf(text: string | undefined): string {
  return text === undefined ? "none" : sha256Of(text);
}

function refuse(message: string, hint: string): LoopliaError {
  return new LoopliaError("config-invalid", cutLine(message, 1_000), { hint });
}

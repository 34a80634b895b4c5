// editFile: replaces one exact passage of a file, or creates a file; keepChange: keeps what a command made of one.
import { z } from "zod";
import { LoopliaError } from "../core/errors.ts";
import type { FileImage } from "../core/events.ts";
import type { RuleChange } from "../core/interaction.ts";
import { lazily, sha256Of } from "../core/json.ts";
import type { PlacedFile, ToolFiles } from "../core/ports.ts";
import { cutLine, type Tool } from "./tool.ts";

const input = lazily(() =>
  z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    oldStr: z.string().describe("Exact text, including white space; empty: create the file"),
    newStr: z.string(),
  }),
);
type Edit = z.infer<ReturnType<typeof input>>;

export const editFileTool: Tool<Edit> = {
  name: "editFile",
  description: "Replace oldStr, which must occur exactly once in the file, with newStr; or create a file.",
  input,
  effect: "once",
  risk: "risky",
  summarize: ({ path }) => path,
  facts: async ({ path }, { forTools }) => ({ paths: [plainPath(path), await forTools.locate(path)] }),
  image: async (edit, { forTools }) => imageOf(edit, await forTools.readForEdit(edit.path)),
  fileHash: async ({ path }, { forTools }) => hashOf(await forTools.readForEdit(path)),
  async preview(edit, { workspace, pending }) {
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
      `oldStr occurs ${more.length + 1} times in ${path}, at lines ${lines}.`,
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
async function showDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const old = before === undefined ? "/dev/null" : `a/${path}`;
  const now = after === undefined ? "/dev/null" : `b/${path}`;
  const patch = (limits: { timeout: number }) =>
    createTwoFilesPatch(old, now, before ?? "", after ?? "", undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      ...limits,
    });
  return patch({ timeout: 1_000 }) ?? wholeDiff(old, now, before ?? "", after ?? "");
}

function wholeDiff(old: string, now: string, before: string, after: string): string {
  const rows = (text: string, sign: string) => text.split("\n").map((line) => `${sign}${line}`);
  return [`--- ${old}`, `+++ ${now}`, ...rows(before, "-"), ...rows(after, "+")].join("\n");
}

/** In the place of the hash of a file that is not there. */
export const NO_FILE = "none";

function hashOf(text: string | undefined): string {
  return text === undefined ? NO_FILE : sha256Of(text);
}

function refuse(message: string, hint: string): LoopliaError {
  return new LoopliaError("config-invalid", cutLine(message, 1_000), { hint });
}

// keepChange: the program's own call about what a command made of a path, where that is more than another text.

export const KEEP_CHANGE = "keepChange";

const keptInput = lazily(() => z.strictObject({ path: z.string().min(1), made: z.string() }));

/** The call for a change; the same one for the same change. */
export function keptCall(change: RuleChange): z.infer<ReturnType<typeof keptInput>> {
  return { path: change.path, made: describePlaced(placedOf(change)) };
}

/** The tool for this change alone. The rules for `editFile` hold, and no model has the tool. */
export function keepChangeTool(change: RuleChange): Tool<z.infer<ReturnType<typeof keptInput>>> {
  const { path } = change;
  const made = placedOf(change);
  return {
    name: KEEP_CHANGE,
    ruledAs: editFileTool.name,
    description: "Keep what a command made of a path.",
    input: keptInput,
    effect: "once",
    risk: "risky",
    summarize: () => path,
    facts: async (_, { forTools }) => ({ paths: [path, await forTools.locate(path)] }),
    async preview(_, { workspace }) {
      const before = await workspace.forTools.lookAt(path);
      const title = made ? `Keep the command's version of ${path}` : `Remove ${path}, as the command did`;
      const binding = { path, before: describePlaced(before), after: describePlaced(made) };
      return { title, ...(await showKept(change, before, made)), binding };
    },
    async run(_, { workspace }) {
      await workspace.forTools.replace(path, made);
      return { text: made ? `Kept the command's version of ${path}.` : `Removed ${path}.` };
    },
  };
}

function placedOf({ after, bytes, link, isExecutable = false }: RuleChange): PlacedFile | undefined {
  if (link !== undefined) return { link };
  if (bytes !== undefined) return { bytes: Buffer.from(bytes, "base64"), isExecutable };
  return after === undefined ? undefined : { bytes: Buffer.from(after), isExecutable };
}

type Placed = Awaited<ReturnType<ToolFiles["lookAt"]>>;

function describePlaced(placed: Placed): string {
  if (!placed) return "nothing";
  if (placed === "folder") return "a folder";
  if ("link" in placed) return `a link to ${placed.link}`;
  const { bytes, isExecutable } = placed;
  const kind = isExecutable ? "an executable file" : "a file";
  return `${kind} of ${bytes.length} bytes, SHA-256 ${sha256Of(bytes)}`;
}

async function showKept(
  { path, before: text, after }: RuleChange,
  before: Placed,
  made: PlacedFile | undefined,
): Promise<{ content: string; contentKind: "PlainText" | "Diff" }> {
  const lines = `${path} was ${describePlaced(before)}.\nThe command made of this: ${describePlaced(made)}.`;
  const isText = after !== undefined || (made === undefined && text !== undefined);
  if (!isText || text === after) return { content: lines, contentKind: "PlainText" };
  const content = `${lines}\n${await showDiff(path, text, after)}`;
  return { content, contentKind: made ? "PlainText" : "Diff" };
}

// A comment tells which work it is about; what the work is made of stands in its header, not in the answering job's inputs.
import { posix } from "node:path";
import { LoopliaError } from "../../errors.ts";
import { isObject } from "../../session/json.ts";
import { isBranchName } from "../../trigger/event.ts";
import type { Found } from "../action/find-settings.ts";
import { findItems } from "../action/items.ts";
import type { WakeRun } from "./wake-run.ts";

/**
 * The run with globs and pipeline, or the task list, and base and folder as they were when the work began; as it is where
 * that is not known.
 */
export async function adoptKey(run: WakeRun, key: string | undefined): Promise<WakeRun> {
  const known = key === undefined ? undefined : parse(key);
  if (run.kind !== "respond" || !known) return run;
  const { base, workingDirectory: folder } = known;
  const { found, repository, told, work } = run;
  const own =
    known.kind === "tasks" ? { todo: known.todo } : { content: known.globs, pipeline: known.pipeline };
  const settings = { ...found.settings, ...own, workingDirectory: folder || "." };
  const tip = base === found.base ? {} : { base, ...(await tipOf(run, base)) };
  const place = { ...tip, folder, trusted: found.trustedAt(folder) };
  const adopted: Found = { ...found, ...place, settings };
  told.pipeline = known.kind === "tasks" ? known.kind : known.pipeline;
  work.kind = known.kind;
  return { ...run, found: adopted, items: await findItems(repository, adopted) };
}

async function tipOf({ repository }: WakeRun, base: string): Promise<{ baseCommit?: string }> {
  const tip = await repository.tipOf(base);
  if (tip === undefined) return {};
  await repository.fetchCommit(tip, base);
  return { baseCommit: tip };
}

type Key = { base: string; workingDirectory: string } & (
  | { kind: "content"; globs: string[]; pipeline: string }
  | { kind: "tasks"; todo: string }
);

/** Whoever may write the state ref could have written anything: a name that leads elsewhere is refused. */
function parse(key: string): Key | undefined {
  if (!key.startsWith("{")) return undefined;
  const value = parseJson(key);
  if (!isObject(value)) return undefined;
  const { kind, globs, pipeline, todo, base, workingDirectory } = value;
  if (typeof base !== "string" || typeof workingDirectory !== "string") return undefined;
  if (!isBranchName(base) || !isInside(workingDirectory)) throw damaged();
  if (kind === "tasks" && typeof todo === "string") {
    if (todo === "" || !isInside(todo)) throw damaged();
    return { kind, todo, base, workingDirectory };
  }
  const isList = Array.isArray(globs) && globs.every((glob) => typeof glob === "string");
  if (!isList || typeof pipeline !== "string") return undefined;
  return { kind: "content", globs, pipeline, base, workingDirectory };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(cause);
  }
}

function isInside(folder: string): boolean {
  return folder === "" || !(posix.isAbsolute(folder) || folder.split("/").includes(".."));
}

function damaged(cause?: unknown): LoopliaError {
  return new LoopliaError(
    "store-corrupt",
    "header.json of the work's state: its key is none that was written here.",
    {
      hint: "Somebody else wrote to the state ref. Put it back to an earlier commit of its own, or delete it.",
      cause,
    },
  );
}

// `looplia replay`: replays a recorded session in a copy of the folder, without any outside effect.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import type { CliPlace, Wiring } from "../cli/surface.ts";
import { PROVIDERS } from "../config/providers.ts";
import { secretsOf } from "../config/secrets.ts";
import type { Settings } from "../config/settings-table.ts";
import { LoopliaError } from "../core/errors.ts";
import { type StoreLine, toolCallsOf } from "../core/events.ts";
import { isObject, parseJson, sha256Of } from "../core/json.ts";
import { decodeLine, encodeLine, toConversationLine, toEvent } from "../core/lines.ts";
import type { LoadedSession } from "../core/ports.ts";
import { createRedactor, redactNothing, redactValue } from "../core/redaction.ts";
import { trustedFolder, writeNamed } from "../files/sources.ts";
import { Replay } from "../offline/replay.ts";
import { findSessionWork } from "../store/find.ts";
import { BEGAN } from "../todo/run.ts";
import { applyEdit, editFileTool, NO_FILE } from "../tools/edit-file.ts";
import type { Tool } from "../tools/tool.ts";
import type { Trigger } from "../work/handle.ts";
import { KeyGuard, watchKeys } from "./redact.ts";
import { openWorktree, runTrigger } from "./wire.ts";
import { itemFilesBelow } from "./wire-sessions.ts";

// A recording: the lines of a session, and its initial file.

/** A file of the copy: never writes outside it. */
const path = z.string().refine((given) => sourceIn(given) === given, "leads out of the folder");

const recordingShape = z.object({
  recording: z.literal(1),
  sessionId: z.string().min(1),
  /** Empty text: there was no list. */
  begin: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("content"),
      pipeline: z.string(),
      output: z.string().optional(),
      path,
      text: z.string(),
    }),
    z.object({ kind: z.literal("tasks"), path, text: z.string() }),
  ]),
  /** One JSON text per line, as in the stores. */
  events: z.array(z.string()),
  conversation: z.array(z.string()),
});
type Recording = z.infer<typeof recordingShape>;

/** Throws `config-invalid` if the session's initial file is unknown. */
async function recordingOf(place: CliPlace, sessionId: string, stored: LoadedSession): Promise<Recording> {
  const begin = (await contentOf(place, sessionId)) ?? (await listOf(place, sessionId));
  if (!begin) {
    throw new LoopliaError("config-invalid", `The initial file of session ${sessionId} is unknown.`, {
      hint: "Its folder was deleted, or an older version ran the session.",
    });
  }
  const { events, conversation } = stored;
  return { recording: 1, sessionId, begin, events: linesOf(events), conversation: linesOf(conversation) };
}

function linesOf(lines: readonly StoreLine[]): string[] {
  const at = new Date(0).toISOString();
  return lines.map(({ type, payload }, index) =>
    encodeLine({ v: 1, seq: index + 1, at, type, payload }).trimEnd(),
  );
}

async function contentOf({ root }: CliPlace, sessionId: string): Promise<Recording["begin"] | undefined> {
  const folder = join(root, ".looplia", "contentItem", sessionId);
  const manifest = parseJson(await readFile(join(folder, "session.json"), "utf8").catch(() => ""));
  if (!isObject(manifest) || typeof manifest.pipeline !== "string") return undefined;
  const output = typeof manifest.desiredOutput === "string" ? { output: manifest.desiredOutput } : {};
  const text = await readFile(join(folder, "content.md"), "utf8");
  return { kind: "content", pipeline: manifest.pipeline, ...output, path: sourceIn(manifest.source), text };
}

async function listOf(
  { stateFolder, settings }: CliPlace,
  sessionId: string,
): Promise<Recording["begin"] | undefined> {
  const work = await findSessionWork(stateFolder, sessionId);
  if (work === undefined) return undefined;
  const path = join(stateFolder, work, "sessions", sessionId, BEGAN);
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : { kind: "tasks", path: settings.todo, text };
}

/** The item's path in the copy: the recorded path, if it is inside the folder. */
function sourceIn(source: unknown): string {
  const path = typeof source === "string" ? relative(sep, join(sep, source)) : "";
  return path === "" || path !== source ? "replayed.md" : path;
}

/** A recording that `--record` wrote. Throws `config-invalid` for another file, `store-corrupt` for damaged lines. */
async function readRecording(path: string): Promise<Recording> {
  const parsed = recordingShape.safeParse(parseJson(await readFile(path, "utf8").catch(() => "")));
  if (parsed.success) return parsed.data;
  throw new LoopliaError("config-invalid", `${path} is not a recording.`, {
    hint: "`looplia replay <session-id> --record <path>` writes one.",
  });
}

/** Without known secrets, and without what looks like a key: a recording is for other people. */
async function withoutKeys(recording: Recording, { environment, settings }: CliPlace): Promise<Recording> {
  const read = (lines: readonly string[]) => lines.map((line) => parseJson(line));
  const { events, conversation } = recording;
  const open = { ...recording, events: read(events), conversation: read(conversation) };
  const known = redactValue(open, createRedactor(secretsOf(environment, settings)));
  const left = await new KeyGuard().withhold(known);
  const written = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line));
  return { ...left, events: written(left.events), conversation: written(left.conversation) };
}

function storedIn({ events, conversation }: Recording, place: string): LoadedSession {
  const decode = (store: "events" | "conversation", lines: readonly string[]) =>
    lines.flatMap((text, index) => decodeLine(store, text, `${place}, line ${index + 1} of ${store}`) ?? []);
  return {
    events: decode("events", events).map(toEvent),
    conversation: decode("conversation", conversation).map(toConversationLine),
    setAside: [],
  };
}

// Replays a recording.

type Wanted = {
  /** A session of the stores, or the path of a recording. */
  what: { sessionId: string; stored: LoadedSession } | { path: string };
  /** Absolute path for a recording of the session, with secrets removed. */
  recordTo: string | undefined;
};

/** Replays a session. Throws `config-invalid` if its initial file is unknown. */
export async function replaySession(
  place: CliPlace,
  { what, recordTo }: Wanted,
  install: { installFolder: string; version: string },
): ReturnType<Wiring["replay"]> {
  const whole =
    "path" in what ? await readRecording(what.path) : await recordingOf(place, what.sessionId, what.stored);
  const recording = await withoutKeys(whole, place);
  if (recordTo !== undefined) {
    await writeNamed(recordTo, `${JSON.stringify(recording, null, 2)}\n`, '{\n  "recording": 1,');
  }
  const { sessionId, begin } = recording;
  const parent = await mkdtemp(join(tmpdir(), "looplia-replay-"));
  try {
    const root = join(parent, "copy");
    await copyFolder(place.root, root, join(place.root, ".looplia", "contentItem", sessionId));
    await rm(join(root, begin.path), { force: true });
    await mkdir(dirname(join(root, begin.path)), { recursive: true });
    if (begin.text !== "") await writeFile(join(root, begin.path), begin.text);
    const name = "path" in what ? what.path : sessionId;
    const stored = storedIn(recording, name);
    // The folder's files hold what was written, keys included.
    await undoEdits({ ...place, root, stateFolder: join(parent, "undone") }, storedIn(whole, name));
    const replay = new Replay(sessionId, stored);
    const result = await runTrigger(
      {
        ...{ ...install, root, stateFolder: join(parent, "state"), environment: place.environment },
        settings: settingsFor(place.settings, begin, stored),
        trusted: await trustedFolder(root, ""),
        // A replay starts no program of the settings.
        trustedTree: { copyTo: async () => {}, folder: "" },
        host: replay.host,
        observe: () => undefined,
        signal: new AbortController().signal,
        replay: {
          model: replay.model,
          servers: replay.servers,
          toolOf: (tool) => watchKeys(recordedTool(tool, replay)),
        },
        ...itemFilesBelow(root),
      },
      triggerOf(begin),
    );
    const { turns, compared, difference, endsIn } = replay;
    // A session that reached a limit, or was killed, has no more turns; nothing failed.
    const message = endsIn === undefined ? result.items[0]?.message : `The recording ends in ${endsIn}.`;
    return {
      ...{ status: endsIn === undefined ? result.status : "stopped", turns, compared },
      ...(message === undefined ? {} : { message }),
      ...(difference === undefined ? {} : { difference }),
    };
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** `was`: the hash of the file before the edit; a session of an older version may lack it. */
type Edit = z.infer<ReturnType<typeof editFileTool.input>> & { was: string | undefined };
/** At how many places an edit may have been; each one costs a hash of the file. */
const MOST_PLACES = 20_000;

/** The file's text before the edit. Where the new text is empty or stands there several times, the hash decides. */
function textBefore({ path, oldStr, newStr, was }: Edit, now = ""): string {
  let at = now.indexOf(newStr);
  for (let place = 0; at >= 0 && place < MOST_PLACES; place += 1) {
    const before = now.slice(0, at) + oldStr + now.slice(at + newStr.length);
    if (sha256Of(before) === was) return before;
    at = at === now.length ? -1 : now.indexOf(newStr, at + 1);
  }
  // A person has changed the file since.
  return applyEdit({ path, oldStr: newStr, newStr: oldStr }, now);
}

/** Undoes the session's edits in the copy, the newest first; skips an edit that the files no longer show. */
async function undoEdits(
  copy: Parameters<typeof openWorktree>[0],
  { events, conversation }: LoadedSession,
): Promise<void> {
  const known = (conversationId: string, id: string) => `${conversationId} ${id}`;
  const hashes = new Map<string, string>();
  for (const { type, payload } of events) {
    if (type === "ToolCallStarted" && payload.image)
      hashes.set(known(payload.conversationId, payload.toolCallId), payload.image.before);
  }
  const calls = new Map<string, Edit>();
  const edits: Edit[] = [];
  for (const { type, payload } of conversation) {
    if (type === "Message") {
      for (const { id, name, input } of toolCallsOf(payload.message)) {
        const edit = editFileTool.input().safeParse(input);
        const key = known(payload.conversationId, id);
        if (name === editFileTool.name && edit.success)
          calls.set(key, { ...edit.data, was: hashes.get(key) });
      }
    }
    if (type !== "ToolResult" || payload.block.is_error) continue;
    const done = calls.get(known(payload.conversationId, payload.block.tool_use_id));
    if (done) edits.unshift(done);
  }
  if (edits.length === 0) return;
  const { workspace, close } = await openWorktree(copy, () => undefined, redactNothing, true);
  const undo = async (edit: Edit) => {
    const now = await workspace.forTools.readForEdit(edit.path);
    if (now === edit.newStr && edit.was === NO_FILE) return workspace.remove(edit.path);
    return workspace.forTools.writeText(edit.path, textBefore(edit, now));
  };
  for (const edit of edits) await undo(edit).catch(() => undefined);
  await close();
}

/** One agent takes every turn, because a recorded answer does not depend on the agent. */
function settingsFor(
  settings: Settings,
  begin: Recording["begin"],
  { conversation }: LoadedSession,
): Settings {
  const nobodyElse = { agents: [], reviewAgent: undefined, repairAgent: undefined, schedule: undefined };
  const first = conversation.find((line) => line.type === "ConversationStarted");
  const provider = PROVIDERS.find((known) => known === first?.payload.provider) ?? "offline";
  const own: Settings = { ...settings, ...nobodyElse, provider, model: "recorded", hook: undefined };
  if (begin.kind === "tasks") return { ...own, todo: begin.path };
  const { pipeline, output } = begin;
  return { ...own, pipeline, ...(output === undefined ? {} : { output }) };
}

function triggerOf(begin: Recording["begin"]): Trigger {
  if (begin.kind === "content") return { kind: "file", source: begin.path };
  return { kind: "tasks", workId: "tasks-000000", key: "replay" };
}

/** A recorded command does not run again: its result is the recorded one. */
function recordedTool(tool: Tool, replay: Replay): Tool {
  if (tool.name !== "runCommand") return tool;
  const { reachesOutside: _, ...kept } = tool;
  return {
    ...kept,
    effect: "repeatable",
    run: async (_input, { call }) => {
      const text = replay.resultOf(call.conversationId, call.toolCallId);
      return text === undefined
        ? { text: "The record has no result of this command.", isError: true }
        : { text };
    },
  };
}

function copyFolder(from: string, to: string, session: string): Promise<void> {
  const left = new Set([
    join(from, ".git"),
    join(from, "node_modules"),
    join(from, ".looplia", "state"),
    session,
  ]);
  return cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.has(path) });
}

// `looplia replay`: a recorded session once more, in a copy of the folder, with nothing that reaches outside.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { CliPlace, ReplayResult } from "../cli/surface.ts";
import { LoopliaError } from "../core/errors.ts";
import { isObject, parseJson } from "../core/json.ts";
import type { LoadedSession } from "../core/ports.ts";
import { readSourceFile } from "../files/sources.ts";
import { trustedFolder } from "../git/repository.ts";
import { Replay } from "../offline/replay.ts";
import type { Tool } from "../tools/tool.ts";
import { runTrigger } from "./wire.ts";

/** Throws `config-invalid` for a session that is not one of content. */
export async function replaySession(
  place: CliPlace,
  { sessionId, stored }: { sessionId: string; stored: LoadedSession },
  install: { installFolder: string; version: string },
): Promise<ReplayResult> {
  const folder = join(place.root, ".looplia", "contentItem", sessionId);
  const manifest = parseJson(await readFile(join(folder, "session.json"), "utf8").catch(() => ""));
  if (!isObject(manifest) || typeof manifest.pipeline !== "string") {
    throw new LoopliaError("config-invalid", `There is no manifest of a content session in ${folder}.`, {
      hint: "Sessions of task lists cannot be replayed: nothing tells how the list began.",
    });
  }
  const parent = await mkdtemp(join(tmpdir(), "looplia-replay-"));
  try {
    const root = join(parent, "copy");
    await copyFolder(place.root, root, folder);
    const source = sourceIn(manifest.source);
    await mkdir(dirname(join(root, source)), { recursive: true });
    await writeFile(join(root, source), await readFile(join(folder, "content.md")));
    const replay = new Replay(sessionId, stored);
    const output = typeof manifest.desiredOutput === "string" ? { output: manifest.desiredOutput } : {};
    const result = await runTrigger(
      {
        ...{ ...install, root, stateFolder: join(parent, "state"), environment: place.environment },
        settings: { ...place.settings, provider: "offline", pipeline: manifest.pipeline, ...output },
        trusted: await trustedFolder(root, ""),
        host: replay.host,
        observe: () => undefined,
        signal: new AbortController().signal,
        replay: { model: replay.model, toolOf: (tool) => recordedTool(tool, replay) },
        readSource: (path) => readSourceFile(root, path),
      },
      { kind: "file", source },
    );
    const { turns, compared, difference } = replay;
    const message = result.items[0]?.message;
    return {
      ...{ status: result.status, turns, compared },
      ...(message === undefined ? {} : { message }),
      ...(difference === undefined ? {} : { difference }),
    };
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** What a command did then is not done again: its result is the recorded one. */
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

/** Where the item is in the copy: as recorded, where that is in the folder. */
function sourceIn(source: unknown): string {
  const path = typeof source === "string" ? relative(sep, join(sep, source)) : "";
  return path === "" || path !== source ? "replayed.md" : path;
}

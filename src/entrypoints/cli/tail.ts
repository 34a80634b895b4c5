// `tail`: the end of the newest log as lines that a person reads, and with --follow what comes after it, from another
// terminal too.
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LoopliaError } from "../../errors.ts";
import { findLogFolder } from "../log-folder.ts";
import { logLine } from "./log-lines.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { findPlace, reportPlace } from "./resolve-place.ts";
import type { Surface } from "./surface.ts";
import { watchSignals } from "./watch-signals.ts";

const LINES = 40;
const POLL_MS = 250;
const BLOCK = 256 * 1024;

/** Prints the last lines; with --follow until Ctrl-C, over to a newer log when a run begins one. */
export async function tailCommand(line: CommandLine, surface: Surface): Promise<number> {
  const found = await findPlace(surface, line.folder, line.overrides);
  reportPlace(surface, { ...found, notices: [] });
  const { root, stateFolder, settings } = found.place;
  const logDir = findLogFolder(root, settings.logDir);
  const newest = () => newestLog(stateFolder, logDir);
  const first = await newest();
  if (first === undefined && !line.isFollowing) {
    throw new LoopliaError("config-invalid", `There is no log in ${logDir ?? stateFolder}.`, {
      hint: "`looplia run` writes one; --log-dir names where",
    });
  }
  const log: Followed = { path: first, offset: 0, rest: "" };
  const begun = (await readOn(log)).slice(-LINES);
  surface.stdout.write(begun.map((text) => `${text}\n`).join(""));
  if (!line.isFollowing) return 0;
  const showMore = async () => {
    surface.stdout.write((await readOn(log)).map((text) => `${text}\n`).join(""));
  };
  const { signal, release } = watchSignals(surface, () => undefined);
  try {
    while (!signal.aborted) {
      await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
      await showMore();
      const path = await newest();
      if (path === log.path) continue;
      // The run before may have said its last words since.
      await showMore();
      Object.assign(log, { path, offset: 0, rest: "" });
    }
    return 0;
  } finally {
    release();
  }
}

type Followed = { path: string | undefined; offset: number; rest: string };

/** What has come since, as far as lines are whole; nothing of a log that somebody has removed. */
async function readOn(log: Followed): Promise<string[]> {
  const file = log.path === undefined ? undefined : await open(log.path, "r").catch(orGone);
  if (!file) return [];
  try {
    const buffer = Buffer.alloc(BLOCK);
    const texts: string[] = [];
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, BLOCK, log.offset);
      if (bytesRead === 0) break;
      // Up to the last whole line, so that no character is cut in two.
      const end = buffer.lastIndexOf("\n", bytesRead - 1) + 1;
      const taken = end > 0 && end <= bytesRead ? end : bytesRead < BLOCK ? 0 : bytesRead;
      if (taken === 0) break;
      texts.push(buffer.toString("utf8", 0, taken));
      log.offset += taken;
    }
    const lines = (log.rest + texts.join("")).split("\n");
    log.rest = lines.pop() ?? "";
    return lines.flatMap((text) => logLine(text) ?? []);
  } finally {
    await file.close();
  }
}

function orGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Names of logs begin with their time. */
async function newestLog(stateFolder: string, logDir: string | undefined): Promise<string | undefined> {
  const works = logDir === undefined ? await namesIn(stateFolder) : [];
  const folders = logDir === undefined ? works.map((work) => join(stateFolder, work, "logs")) : [logDir];
  const logs: { name: string; path: string }[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (name.endsWith(".jsonl")) logs.push({ name, path: join(folder, name) });
    }
  }
  return logs.sort((one, other) => (one.name < other.name ? -1 : 1)).at(-1)?.path;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

// The place where a program runs: its own folder, its isolation, and its one entrance to the runner.
import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { connect, createServer, type ListenOptions, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import type { Room } from "./conversation.ts";
import type { Command } from "./launch.ts";
import {
  type Entrance,
  type Installed,
  isolate,
  type Listener,
  type ProgramPlace,
  ProgramProcess,
  setStage,
} from "./process.ts";

export type RoomPlace = ProgramPlace & {
  /** Instead of the key that the program requires; the gateway adds the real one. */
  placeholder: Readonly<Record<string, string>>;
};

export type OpenRoom = Room & {
  /** The name of the folder, which is part of the paths in the program's requests. */
  place: string;
  entrance: Entrance;
  close(): Promise<void>;
};

const SILENCE_MS = 10 * 60_000;

/** `place`: the name of its folder. Throws `config-invalid` if isolation is missing and was not switched off. */
export async function openRoom(options: RoomPlace, installed: Installed, place: string): Promise<OpenRoom> {
  const folder = makeFolder(options, place);
  const isolator = isolate(options, folder, installed.kind);
  const stage = setStage(options, installed, { folder, isolator });
  const entrance = await openEntrance({ socket: join(folder, "s"), isOpen: stage.bridge === undefined });
  const id = randomUUID();
  const { silenceMs = SILENCE_MS } = options;
  let latest: ProgramProcess | undefined;
  const launch = async ({ args, environment: own, hello }: Command, listener: Listener) => {
    const home = { HOME: join(folder, "home"), LANG: "C.UTF-8" };
    const environment = { ...own, ...options.placeholder, ...home };
    const launched = await isolator.launch(false);
    const plan = { launch: launched, stage, folder, entrance, args, environment };
    latest = new ProgramProcess(plan, listener);
    if (hello !== undefined) latest.write(`${hello}\n`);
    return latest;
  };
  return {
    ...{ folder, id, silenceMs, place, entrance },
    start: (command, listener) => launch(command(), listener),
    loosen: () => latest?.terminate(),
    async stop(started) {
      started?.terminate();
      await started?.end();
    },
    async close() {
      entrance.close();
      await isolator.close();
      removeFolder(folder);
    },
  };
}

/** The same path on every machine, so that the path in the program's requests does not change. */
function makeFolder({ temporary }: ProgramPlace, place: string): string {
  const uid = process.getuid?.() ?? 0;
  const parent = join(temporary, `looplia-programs-${uid}`);
  mkdirSync(parent, { mode: 0o700, recursive: true });
  const found = lstatSync(parent);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new LoopliaError("config-invalid", `${parent} is not a folder that belongs to this user alone.`, {
      hint: "Remove the folder and run again.",
    });
  }
  const folder = join(parent, place);
  // A killed process could not remove it.
  removeFolder(folder);
  for (const name of ["home", "work", "fast"]) mkdirSync(join(folder, name), { recursive: true });
  sweep(parent).catch(() => {});
  return folder;
}

/** At once: one call for a few small files is ten times as fast as a task for each, and the run waits for it. */
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

const OLD_MS = 24 * 60 * 60_000;

/** Removes folders of processes that were killed a day ago; one that lives still listens in its folder. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const isOld = () => Date.now() - lstatSync(folder).mtimeMs > OLD_MS;
    // Looked at again, because another process may just have made it anew.
    if (isOld() && !(await isServed(join(folder, "s"))) && isOld()) removeFolder(folder);
  }
}

function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const tried = connect(socket, () => resolve(true)).on("error", () => resolve(false));
    tried.on("connect", () => tried.destroy());
  });
}

/** Bytes in the path of a socket: macOS allows fewer than Linux. */
const MAX_SOCKET = process.platform === "darwin" ? 103 : 107;

/** Listens at `socket`, in a folder that only this user can enter, and with `isOpen` on a loopback port. */
async function openEntrance({ socket, isOpen }: { socket: string; isOpen: boolean }): Promise<Entrance> {
  if (Buffer.byteLength(socket) > MAX_SOCKET) {
    throw new LoopliaError("config-invalid", `The path ${socket} is too long for a socket.`, {
      hint: "Set TMPDIR to a folder with a shorter path, such as /tmp.",
    });
  }
  const waiting: Socket[] = [];
  const all = new Set<Socket>();
  let serve = (connection: Socket): void => void waiting.push(connection);
  const hear = (connection: Socket) => {
    all.add(connection);
    connection.on("close", () => all.delete(connection)).on("error", () => {});
    serve(connection);
  };
  const servers = [await listen(hear, { path: socket })];
  if (isOpen) servers.push(await listen(hear, { host: "127.0.0.1", port: 0 }));
  const address = servers[1]?.address();
  return {
    ...{ socket, port: typeof address === "object" ? address?.port : undefined },
    loosen() {},
    serve(take) {
      serve = take;
      for (const connection of waiting.splice(0)) take(connection);
    },
    close() {
      for (const server of servers) server.close();
      for (const connection of all) connection.destroy();
    },
  };
}

function listen(hear: (connection: Socket) => void, place: ListenOptions): Promise<Server> {
  // As an HTTP server does: a client that has said everything still hears the answer.
  const server = createServer({ allowHalfOpen: true }, hear);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => resolve(server));
  });
}

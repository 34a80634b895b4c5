// An agent program as a model: it provides turns, and our loop decides, asks and runs. So all rules for
// models apply to it, and a call runs once, whatever the program's own file says.
import { lstatSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import type { Usage } from "../core/events.ts";
import { sha256Of } from "../core/json.ts";
import type { Model, ModelRequest } from "../core/ports.ts";
import { tryAhead } from "../sandbox/isolation.ts";
import { ClaudeConversation } from "./claude.ts";
import { CodexConversation } from "./codex.ts";
import type { ProgramConversation, Room } from "./conversation.ts";
import { type Gateway, openGateway, type Upstream } from "./gateway.ts";
import { packMemory, unpackMemory } from "./memory.ts";
import {
  findInstalled,
  type Installed,
  isolate,
  type ProgramName,
  type ProgramPlace,
  ProgramProcess,
  setStage,
} from "./process.ts";

export type ProgramOptions = ProgramPlace & {
  upstream: Upstream;
  /** Instead of the key that the program requires; the gateway adds the real one. */
  placeholder: Readonly<Record<string, string>>;
  priceOf(model: string, usage: Usage): number | null;
  /** Called once before the first conversation; throws if the version must not be used. */
  approve?(installed: Installed): Promise<void>;
};

const SILENCE_MS = 10 * 60_000;
const CONVERSATIONS: Readonly<Record<ProgramName, new (room: Room) => ProgramConversation>> = {
  claude: ClaudeConversation,
  codex: CodexConversation,
};

type Open = { conversation: ProgramConversation; version: string; close(): Promise<void> };

/**
 * Does not start the program before the first request. Throws as every model does, and `config-invalid` if it
 * can't start.
 */
export function createProgramModel(options: ProgramOptions): Model {
  const { name, priceOf } = options;
  const open = new Map<string, Promise<Open>>();
  const leaving = new Map<string, Promise<void>>();
  const { sandbox, environment, root } = options;
  const isTried = sandbox === "off" ? undefined : tryAhead({ environment: { ...environment }, root });
  let installed: Promise<Installed> | undefined;
  const find = async () => {
    const found = await findInstalled(options);
    await options.approve?.(found);
    return found;
  };
  return {
    provider: name,
    priceOf,
    async respond(request, asked) {
      installed ??= find();
      const { conversationId } = request;
      await Promise.all([isTried, leaving.get(conversationId)]);
      const opening = open.get(conversationId) ?? enter(options, await installed, request);
      open.set(conversationId, opening);
      return (await opening).conversation.respond(request, asked);
    },
    program: {
      asksAlone: name === "claude",
      async release(conversationId, keep) {
        const opened = await open.get(conversationId)?.catch(() => undefined);
        open.delete(conversationId);
        if (!opened) return undefined;
        const { conversation, close, version } = opened;
        const gone = conversation.leave(keep !== undefined);
        if (!keep) {
          // It is killed already: nothing has to wait until the system has taken it apart and its folder is gone.
          const removed = close().finally(() => gone.finally(close));
          leaving.set(
            conversationId,
            removed.catch(() => {}),
          );
          return undefined;
        }
        const left = await gone.finally(close);
        return left && packMemory({ ...left, program: name, version }, keep);
      },
    },
  };
}

async function enter(options: ProgramOptions, installed: Installed, request: ModelRequest): Promise<Open> {
  const { name, silenceMs = SILENCE_MS } = options;
  const folder = await makeFolder(options, request.conversationId);
  const isolator = isolate(options, folder);
  const stage = await setStage(options, installed, { folder, isolator });
  let gateway: Gateway | undefined;
  let latest: ProgramProcess | undefined;
  const room: Room = {
    ...{ folder, silenceMs },
    async start(args, own, listener) {
      const home = { HOME: join(folder, "home"), LANG: "C.UTF-8" };
      const environment = { ...own, ...options.placeholder, ...home };
      const launch = await isolator.launch(false, [join(folder, "given")]);
      if (!gateway) throw new Error("the gateway is not open");
      latest = new ProgramProcess({ launch, stage, folder, gateway, args, environment }, listener);
      return latest;
    },
    loosen: () => latest?.terminate(),
    async stop(process) {
      process?.terminate();
      await process?.end();
    },
  };
  const conversation = new CONVERSATIONS[name](room);
  const place = { socket: join(folder, "s"), isOpen: stage.bridge === undefined };
  gateway = await openGateway(place, options.upstream, conversation.door);
  const memory = unpackMemory(request.memory, name, request.messages);
  if (memory) await conversation.recall(memory, request.messages);
  const close = async () => {
    await Promise.all([gateway?.close(), isolator.close()]);
    removeFolder(folder);
  };
  return { conversation, version: installed.version ?? "", close };
}

/** The same path on every machine, so that the path in the program's requests does not change. */
async function makeFolder({ temporary }: ProgramPlace, conversationId: string): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const parent = join(temporary, `looplia-programs-${uid}`);
  await mkdir(parent, { mode: 0o700, recursive: true });
  const found = lstatSync(parent);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new LoopliaError("config-invalid", `${parent} is not a folder that belongs to this user alone.`, {
      hint: "Remove the folder and run again.",
    });
  }
  const folder = join(parent, sha256Of(conversationId).slice(0, 12));
  // A killed process could not remove it.
  removeFolder(folder);
  for (const name of ["home", "work", "given", "fast"]) await mkdir(join(folder, name), { recursive: true });
  return folder;
}

/** At once: one call for a few small files is ten times as fast as a task for each, and the run waits for it. */
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

// An agent program as a model: it provides turns, and our loop decides, asks and runs. So all rules for
// models apply to it, and a call runs once, whatever the program's own file says.
import type { Usage } from "../core/events.ts";
import { sha256Of } from "../core/json.ts";
import type { Model, ModelRequest } from "../core/ports.ts";
import { tryAhead } from "../sandbox/isolation.ts";
import { ClaudeConversation } from "./claude.ts";
import { CodexConversation } from "./codex.ts";
import type { ProgramConversation, Room } from "./conversation.ts";
import { openGateway, type Upstream } from "./gateway.ts";
import { packMemory, unpackMemory } from "./memory.ts";
import { findInstalled, type Installed, type ProgramName } from "./process.ts";
import { type OpenRoom, openRoom, type RoomPlace } from "./room.ts";
import { Tally } from "./tally.ts";

export type ProgramOptions = RoomPlace & {
  upstream: Upstream;
  priceOf(model: string, usage: Usage): number | null;
  /** Called once for each model, before it is used; throws if the version must not be used with it. */
  approve?(installed: Installed, model: string): Promise<void>;
};

const CONVERSATIONS: Readonly<Record<ProgramName, new (room: Room) => ProgramConversation>> = {
  claude: ClaudeConversation,
  codex: CodexConversation,
};

type Open = {
  conversation: ProgramConversation;
  tally: Tally;
  version: string;
  place: string;
  close(): Promise<void>;
};

/**
 * Does not start the program before the first request. Throws as every model does, and `config-invalid` if it
 * can't start.
 */
export function createProgramModel(options: ProgramOptions): Model {
  const { name, priceOf } = options;
  const open = new Map<string, Promise<Open>>();
  const leaving = new Map<string, Promise<void>>();
  const find = finderOf(options);
  const openFor = openerOf(options, find);
  return {
    provider: name,
    priceOf,
    async respond(request, asked) {
      const { conversationId } = request;
      await leaving.get(conversationId);
      // An open conversation may go on with another model than it began with.
      await find(request.model);
      const opening = open.get(conversationId) ?? openFor(request);
      open.set(conversationId, opening);
      const { conversation, tally } = await opening;
      tally.begin(request.model, asked.meter);
      try {
        return await conversation.respond(request, asked);
      } finally {
        tally.pause();
      }
    },
    program: {
      asksAlone: name === "claude",
      expect(conversationId, toolCallIds) {
        open.get(conversationId)?.then(
          ({ conversation }) => conversation.expect?.(toolCallIds),
          () => {},
        );
      },
      async release(conversationId, keep) {
        const opened = await open.get(conversationId)?.catch(() => undefined);
        open.delete(conversationId);
        if (!opened) return undefined;
        const { conversation, tally, close, version, place } = opened;
        tally.end();
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
        return left && packMemory({ ...left, program: name, version, place }, keep);
      },
    },
  };
}

/** Looks up the program once, and whether it may be used with a model once for each. */
function finderOf(options: ProgramOptions): (model: string) => Promise<Installed> {
  let installed: Installed | undefined;
  const approved = new Map<string, Promise<void> | undefined>();
  return async (model) => {
    const found = installed ?? findInstalled(options);
    installed = found;
    if (!approved.has(model)) approved.set(model, options.approve?.(found, model));
    await approved.get(model);
    return found;
  };
}

/** Opens conversations. Whether isolation works is tried while the program is looked up. */
function openerOf(
  options: ProgramOptions,
  find: (model: string) => Promise<Installed>,
): (request: ModelRequest) => Promise<Open> {
  const { name, sandbox, environment, root } = options;
  const tried = sandbox === "off" ? undefined : tryAhead({ environment: { ...environment }, root });
  return async (request) => {
    const found = await find(request.model);
    await tried;
    const room = await openRoom(options, found, placeOf(request, name));
    return enter(options, request, { room, version: found.version ?? "" });
  };
}

async function enter(
  options: ProgramOptions,
  request: ModelRequest,
  { room, version }: { room: OpenRoom; version: string },
): Promise<Open> {
  const { name, upstream } = options;
  const conversation = new CONVERSATIONS[name](room);
  const tally = new Tally((why) => conversation.stop(why));
  openGateway(room.entrance, upstream, { door: conversation.door, tally });
  const memory = unpackMemory(request.memory, name, request.messages);
  if (memory) await conversation.recall(memory, request.messages);
  return { conversation, tally, version, place: room.place, close: () => room.close() };
}

/** The folder of an earlier process, else one that the conversation always gets. */
function placeOf({ memory, conversationId, messages }: ModelRequest, name: ProgramName): string {
  return unpackMemory(memory, name, messages)?.place ?? sha256Of(conversationId).slice(0, 12);
}

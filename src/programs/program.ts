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
  /** Called once before the first conversation; throws if the version must not be used. */
  approve?(installed: Installed): Promise<void>;
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
  const openFor = openerOf(options);
  return {
    provider: name,
    priceOf,
    async respond(request, asked) {
      const { conversationId } = request;
      await leaving.get(conversationId);
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

/** Opens conversations. Whether isolation works is tried while the program is looked up. */
function openerOf(options: ProgramOptions): (request: ModelRequest) => Promise<Open> {
  const { name, sandbox, environment, root } = options;
  const tried = sandbox === "off" ? undefined : tryAhead({ environment: { ...environment }, root });
  let installed: Promise<Installed> | undefined;
  const find = async () => {
    const found = findInstalled(options);
    await options.approve?.(found);
    return found;
  };
  return async (request) => {
    installed ??= find();
    const found = await installed;
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

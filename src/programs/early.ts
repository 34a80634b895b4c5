// A program that starts while this process is still loading its own code. It gets no answer, from a model or a tool, before a
// conversation takes it; a conversation that it does not fit starts another one.
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ModelRequest } from "../core/ports.ts";
import { noteIsolated } from "../sandbox/isolation.ts";
import { findInstalled, type Installed } from "./process.ts";
import { type OpenRoom, openRoom, type RoomPlace } from "./room.ts";

export type Early = {
  /** Its room, for a new conversation that would start the same. Otherwise undefined, and the program is gone. */
  take(place: RoomPlace, installed: Installed, request: ModelRequest): Promise<OpenRoom | undefined>;
};

/** A program gives up on its tools after 30 s. */
const UNUSED_MS = 20_000;

/**
 * Starts the program for a conversation with `model`. Throws where it can't start.
 */
export async function startEarly(place: RoomPlace, model: string): Promise<Early> {
  const installed = findInstalled(place);
  const name = randomBytes(6).toString("hex");
  const room = await openRoom(place, installed, { place: name, isAssumed: true });
  await room.begin(model);
  let isFree = true;
  const leave = () => {
    isFree = false;
    return room.close();
  };
  const unused = setTimeout(leave, UNUSED_MS).unref();
  const starts = ({ name, root, sandbox, environment, bridge, temporary, placeholder }: RoomPlace) => [
    ...[name, root, sandbox, environment, bridge, temporary, placeholder],
  ];
  return {
    async take(asked, found, request) {
      if (!isFree) return undefined;
      isFree = false;
      clearTimeout(unused);
      const fits =
        request.memory === undefined &&
        (request.model === model || place.name === "codex") &&
        isDeepStrictEqual([starts(asked), found], [starts(place), installed]);
      if (!fits || !(await room.isUp())) {
        await leave();
        return undefined;
      }
      noteIsolated({ environment: { ...place.environment }, root: place.root });
      return room;
    },
  };
}

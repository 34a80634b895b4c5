// A process that opens a work's stores: `node store-process.ts <folder> <session> <command>…`. It prints a line of JSON
// for each step: {"won":pid} or {"code":…,"message":…}; with `hold` it keeps the lock until it is killed or told to end;
// with `whole` it appends all lines of a session that ended. KEY: encrypts.

import { LoopliaError } from "../../src/core/errors.ts";
import { storeCiphers } from "../../src/store/cipher.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { endedSession, eventLine } from "./store-lines.ts";

const [folder = "", sessionId = "", ...commands] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

const cipher = await storeCiphers(process.env.KEY)("work-abc123");

try {
  const work = await openWorkStore({
    folder,
    header: { workId: "work-abc123", kind: "content", key: "k", codeVersion: "0.1.0" },
    ...(cipher ? { cipher } : {}),
    clock: { now: () => new Date(), elapsed: () => performance.now() },
  });
  const session = await work.session(sessionId);
  for (const command of commands) {
    if (command === "whole") await session.append(endedSession(sessionId));
    else if (command !== "hold") await session.append([eventLine(command)]);
    if (command === "hold") {
      say({ won: process.pid });
      await new Promise((resolve) => process.stdin.once("data", resolve));
    }
  }
  await work.close();
  say({ closed: process.pid });
} catch (error) {
  if (!(error instanceof LoopliaError)) throw error;
  say({ code: error.code, message: error.message, hint: error.hint });
}
process.stdin.destroy();

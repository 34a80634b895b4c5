// The folders of agent programs: what a killed process left is removed, and nothing that is in use.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Installed } from "../../src/programs/process.ts";
import { openRoom, type RoomPlace } from "../../src/programs/room.ts";

const DAY_MS = 24 * 60 * 60_000;

test("folders that nobody has used for a day are removed when a program starts", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "looplia-room-"));
  onTestFinished(() => rm(temporary, { recursive: true, force: true }));
  const parent = join(temporary, `looplia-programs-${process.getuid?.()}`);
  await mkdir(parent, { mode: 0o700 });
  for (const name of ["old", "dead", "busy", "young"]) {
    await mkdir(join(parent, name, "home"), { recursive: true });
    // A killed process leaves its socket, at which nobody listens.
    if (name === "dead") await writeFile(join(parent, name, "s"), "");
    if (name === "busy") {
      const server = createServer();
      await new Promise<void>((ready) => server.listen(join(parent, name, "s"), ready));
      onTestFinished(() => void server.close());
    }
    const then = new Date(Date.now() - (name === "young" ? 0.9 : 1.1) * DAY_MS);
    await utimes(join(parent, name), then, then);
  }
  const room = await open(temporary);
  onTestFinished(() => room.close());
  await vi.waitFor(async () => {
    expect((await readdir(parent)).sort()).toEqual(["0123456789ab", "busy", "young"]);
  });
});

test("says what to do where the folder for temporary files has too long a name for a socket", async () => {
  const temporary = join(tmpdir(), "x".repeat(100));
  onTestFinished(() => rm(temporary, { recursive: true, force: true }));
  await expect(open(temporary)).rejects.toMatchObject({
    code: "config-invalid",
    hint: expect.stringContaining("TMPDIR"),
  });
});

function open(temporary: string) {
  const place: RoomPlace = {
    ...{ name: "claude", root: join(temporary, "worktree"), sandbox: "off", environment: {} },
    ...{ bridge: "bridge.js", temporary, placeholder: {} },
  };
  const installed: Installed = { path: "/bin/true", base: "/bin/true", kind: "binary", version: "1" };
  return openRoom(place, installed, "0123456789ab");
}

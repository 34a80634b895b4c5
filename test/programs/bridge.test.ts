// The bridge between an agent program and the runner's socket: Perl's, and Node's where there is no Perl.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { shellBefore } from "../../src/programs/bridge.ts";

const NODE = [process.execPath, resolve(import.meta.dirname, "../../src/entry/bridge.ts")] as const;

/** A free port: the bridge takes one that it is told. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** A runner that hears what comes to its socket, and a program that would run for a minute. */
async function start(searchPath: string) {
  const folder = mkdtempSync(join(tmpdir(), "looplia-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const heard: Socket[] = [];
  const socket = join(folder, "s");
  const runner = createServer({ allowHalfOpen: true }, (connection) => void heard.push(connection));
  runner.listen(socket);
  onTestFinished(() => void runner.close());
  const port = await freePort();
  const [shell = "", ...words] = shellBefore(NODE, { socket, port: String(port) }, { folder, searchPath });
  const program = spawn(shell, [...words, "/bin/sleep", "60"], { env: { PATH: searchPath }, detached: true });
  onTestFinished(() => void process.kill(-(program.pid ?? 0), "SIGKILL"));
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 5_000 });
  return { program, heard, port };
}

/** The bridge may call the runner before its own port is open. */
function connectOnceOpen(port: number): Promise<Socket> {
  const attempt = async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  return vi.waitFor(attempt, { timeout: 5_000 });
}

test.each([
  ["perl", process.env.PATH ?? ""],
  ["node", "/nowhere"],
])("%s passes on what both sides say, to the last byte", async (_, searchPath) => {
  const { heard, port } = await start(searchPath);
  const asked = Buffer.alloc(3_000_000, "ask ");
  const told = Buffer.alloc(2_000_000, "tell ");
  // Nobody reads what this one is told.
  const idle = (await connectOnceOpen(port)).pause().on("error", () => {});
  await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 5_000 });
  heard[1]?.on("error", () => {}).write(told);
  const used = connect(port, "127.0.0.1");
  used.write(asked);
  await vi.waitFor(() => expect(heard).toHaveLength(3), { timeout: 5_000 });
  const received: Buffer[] = [];
  heard[2]?.on("data", (bytes: Buffer) => {
    received.push(bytes);
    if (Buffer.concat(received).length === asked.length) heard[2]?.end(told);
  });
  expect((await buffer(used)).equals(told)).toBe(true);
  expect(Buffer.concat(received).equals(asked)).toBe(true);
  idle.destroy();
});

test.each([
  ["perl", process.env.PATH ?? ""],
  ["node", "/nowhere"],
])("%s ends the program when the runner lets go of it", async (_, searchPath) => {
  const { program, heard } = await start(searchPath);
  const ended = once(program, "exit");
  heard[0]?.destroy();
  expect(await ended).toEqual([null, "SIGTERM"]);
});

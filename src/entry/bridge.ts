#!/usr/bin/env node
// Runs inside the isolation of an agent program: starts the program, passes its connections on to the runner's
// socket, which is all that it can reach, and ends the program when the runner says so. Decides nothing.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [, , socket = "", cwd = "", ...command] = process.argv;
const GRACE_MS = 1_000;

const server = createServer((inside) => {
  const outside = connect(socket);
  inside.pipe(outside).pipe(inside);
  for (const end of [inside, outside]) {
    end.on("error", () => {
      inside.destroy();
      outside.destroy();
    });
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address ? String(address.port) : "";
  const fill = (text: string) => text.replaceAll("@PORT@", port);
  const env = Object.fromEntries(
    Object.entries(process.env).map(([name, value = ""]) => [name, fill(value)]),
  );
  const [program = "", ...args] = command.map(fill);
  const child = spawn(program, args, { cwd, env, stdio: "inherit" });
  // The runner ends this connection to stop the program, because it can't signal a process in here. Written by
  // hand: loading Node's HTTP takes longer than anything else in here.
  const leash = connect(socket, () => leash.write("POST /looplia/leash HTTP/1.1\r\nHost: runner\r\n\r\n"));
  leash.resume().on("error", () => {});
  leash.on("close", () => {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
  });
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  // As a shell reports it.
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
});

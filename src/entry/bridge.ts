#!/usr/bin/env node
// Runs beside an agent program in its isolation: passes its connections on to the runner's socket, which is all
// that it can reach, and ends the program when the runner says so. Decides nothing.
import { connect, createServer } from "node:net";

const [, , socket = "", program = "", port = ""] = process.argv;
const GRACE_MS = 1_000;

const server = createServer({ noDelay: true }, (inside) => {
  const outside = connect(socket);
  inside.pipe(outside).pipe(inside);
  for (const end of [inside, outside]) {
    end.on("error", () => {
      inside.destroy();
      outside.destroy();
    });
  }
});
server.listen(Number(port), "127.0.0.1");

// The runner ends this connection to stop the program, because it can't signal a process in here. Written by hand:
// loading Node's HTTP takes longer than anything else in here.
const leash = connect(socket, () => leash.write("POST /looplia/leash HTTP/1.1\r\nHost: runner\r\n\r\n"));
leash.resume().on("error", () => {});
leash.on("close", () => {
  process.kill(Number(program), "SIGTERM");
  setTimeout(() => process.kill(Number(program), "SIGKILL"), GRACE_MS);
});

// The command line as a process.
import { main } from "../cli/main.ts";
import { type Surface, settleSize } from "../cli/surface.ts";
import { takeProxies } from "./outside/routes.ts";
import { wireCli } from "./wire-cli.ts";

// Streams are opened on first use because opening them is slow.
const surface: Surface = {
  cwd: process.cwd(),
  nodeVersion: process.versions.node,
  environment: process.env,
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return prepared(process.stdout);
  },
  get stderr() {
    return prepared(process.stderr);
  },
  elapsed: () => performance.now(),
  onSignal(listener) {
    process.on("SIGINT", listener).on("SIGTERM", listener);
    return () => void process.off("SIGINT", listener).off("SIGTERM", listener);
  },
  exit: (code) => process.exit(code),
};

/** Sets the size of a terminal. */
function prepared(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listeners("error").includes(endUnlessClosed)) return stream;
  settleSize(stream);
  return stream.on("error", endUnlessClosed);
}

/** Ignores a closed pipe, as in `looplia status | head`. On a full disk, what was asked for is incomplete. */
function endUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  process.stderr.write(
    `error: The output can't be written: ${error.message}\nsend it elsewhere, and run again\n`,
  );
  process.exit(1);
}

// The exit code is 1 until the run ends well. Not awaited at the top level: a bundler would then wrap
// everything in a function, which slows the start by many milliseconds.
process.exitCode = 1;
void takeProxies(process.env)
  .then(() => main(process.argv.slice(2), surface, wireCli))
  .then((code) => {
    process.exitCode = code;
  });

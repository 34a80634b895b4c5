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

/** Sets the size of a terminal. Ignores a closed pipe, as in `looplia status | head`. */
function prepared(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listeners("error").includes(throwUnlessClosed)) return stream;
  settleSize(stream);
  return stream.on("error", throwUnlessClosed);
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

// The exit code is 1 until the run ends well. Not awaited at the top level: a bundler would then wrap
// everything in a function, which slows the start by many milliseconds.
process.exitCode = 1;
void takeProxies(process.env)
  .then(() => main(process.argv.slice(2), surface, wireCli))
  .then((code) => {
    process.exitCode = code;
  });

// The command line as a process.
import { main } from "../cli/main.ts";
import { type Surface, settleSize } from "../cli/surface.ts";
import { takeProxies } from "./outside/routes.ts";
import { wireCli } from "./wire-cli.ts";

// Streams are opened only when they are used: that takes long.
const surface: Surface = {
  cwd: process.cwd(),
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

/** Settles the size of a terminal. `looplia status | head` closes the pipe early: nobody is left to tell. */
function prepared(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listeners("error").includes(throwUnlessClosed)) return stream;
  settleSize(stream);
  return stream.on("error", throwUnlessClosed);
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

// Until it ended well it failed. Not awaited at the top: a bundler would have to wrap all there is in a function, which
// costs a start many milliseconds.
process.exitCode = 1;
void takeProxies(process.env)
  .then(() => main(process.argv.slice(2), surface, wireCli))
  .then((code) => {
    process.exitCode = code;
  });

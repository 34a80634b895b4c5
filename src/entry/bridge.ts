#!/usr/bin/env node
// Runs inside the isolation of an agent program and only knows the socket of the runner. It forwards requests
// and answers and decides nothing.
import { spawn } from "node:child_process";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { constants } from "node:os";
import { createInterface } from "node:readline";

const [, , mode = "", socket = "", cwd = "", ...command] = process.argv;
const GRACE_MS = 1_000;

/** The runner's answer; undefined if it has none. */
function ask(path: string, body: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, path, method: "POST" }, async (response) => {
      let text = "";
      for await (const chunk of response) text += String(chunk);
      if (response.statusCode === 200) resolve(text);
      else if (response.statusCode === 204) resolve(undefined);
      else reject(new Error(`status ${response.statusCode}`));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Starts the program with its model's loopback address in place of `@PORT@`. */
function run(): void {
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
    const stop = (): void => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
    };
    // The runner ends its answer to stop the program, because it can't signal a process in here.
    ask("/looplia/leash", "").then(stop, stop);
    child.on("error", (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(127);
    });
    // As a shell reports it.
    child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
  });
}

/**
 * The agent's tools over standard input and output: forwards each message to the runner and returns the
 * answer.
 */
function serveTools(): void {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    ask("/looplia/mcp", line).then(
      (answer) => answer !== undefined && process.stdout.write(`${answer}\n`),
      // The program would have no tools, so it is ended.
      () => process.exit(1),
    );
  });
  lines.on("close", () => process.exit(0));
}

const REFUSAL = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "The runner could not be asked, so this call was not run.",
  },
});

/** Every failure is a refusal, because a failed hook would allow the call. */
async function answerHook(): Promise<void> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  const answer = await ask("/looplia/hook", text).catch(() => undefined);
  process.stdout.write(`${answer ?? REFUSAL}\n`);
}

if (mode === "run") run();
else if (mode === "tools") serveTools();
else await answerHook();

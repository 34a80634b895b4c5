// Re-executes the process without keys in its environment, because /proc/<pid>/environ can be read by its
// children.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { isSecretName } from "../config/secrets.ts";
import { messageOf } from "../core/errors.ts";

/** Set in the second life only. */
const MARK = "LOOPLIA_HANDED_OVER";
/** Linux; Node has no name for it. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * Call it first. Takes the keys out of the process's environment and puts them back into `process.env`, which no other
 * process sees: they cross over in a file without a name, in memory, as standard input. Undefined when that is done, or
 * there is nothing to hide; else why the environment stays as it is. In the first life it does not return.
 */
export function handOverSecrets(): string | undefined {
  if (process.env[MARK] !== undefined) return takeOver();
  const entries = Object.entries(process.env);
  const isSecret = ([name, value]: [string, string | undefined]) => value !== "" && isSecretName(name);
  const secrets = entries.filter(isSecret);
  if (secrets.length === 0) return undefined;
  if (process.platform !== "linux" || typeof process.execve !== "function") {
    return `${process.platform} with Node ${process.version} can't begin a process anew`;
  }
  const clean = Object.fromEntries(entries.filter((entry) => !isSecret(entry)));
  try {
    passOn(JSON.stringify(Object.fromEntries(secrets)));
    const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    process.execve(process.execPath, words, { ...clean, [MARK]: "1" });
  } catch (error) {
    restoreInput();
    return messageOf(error);
  }
}

/** Of the descriptors only 0, 1 and 2 are kept, and a file lands on the first that is free. */
function passOn(text: string): void {
  closeSync(0);
  const landed = openSync("/dev/shm", O_TMPFILE | constants.O_RDWR | constants.O_EXCL, 0o600);
  if (landed !== 0) {
    closeSync(landed);
    throw new Error(`standard input is descriptor ${landed}`);
  }
  writeSync(landed, text);
}

function takeOver(): string | undefined {
  delete process.env[MARK];
  try {
    const bytes = Buffer.alloc(fstatSync(0).size);
    readSync(0, bytes, 0, bytes.length, 0);
    const secrets: unknown = JSON.parse(bytes.toString("utf8"));
    for (const [name, value] of Object.entries(secrets ?? {})) process.env[name] = String(value);
    return undefined;
  } catch (error) {
    return `${MARK} is set, but nothing was handed over (${messageOf(error)})`;
  } finally {
    restoreInput();
  }
}

/** Nothing is read from it any longer. */
function restoreInput(): void {
  try {
    closeSync(0);
  } catch {
    // It is closed already.
  }
  openSync("/dev/null", constants.O_RDONLY);
}

// Re-executes the process without keys in its environment, because /proc/<pid>/environ can be read by its
// children.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { isSecretName, secretsOf } from "../config/secrets.ts";
import type { Settings } from "../config/settings-table.ts";
import { messageOf } from "../core/errors.ts";

/** Set only in the re-executed process. */
const MARK = "LOOPLIA_HANDED_OVER";
/** Linux; Node has no name for it. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * Call this first. Removes the keys from the process's environment and puts them back into `process.env`,
 * which no other process can see: they are passed as standard input, in an unnamed file in memory. Undefined
 * on success or without keys; else the reason why the environment stays unchanged. Does not return in the
 * first process.
 */
export function handOverSecrets(): string | undefined {
  if (process.env[MARK] !== undefined) return takeOver();
  const entries = Object.entries(process.env);
  const isSecret = ([name, value]: [string, string | undefined]) => value !== "" && isSecretName(name);
  const secrets = entries.filter(isSecret);
  if (secrets.length === 0) return undefined;
  if (process.platform !== "linux" || typeof process.execve !== "function") {
    return `${process.platform} with Node ${process.version} cannot start a process again`;
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

/** Only descriptors 0, 1 and 2 are inherited, and a new file gets the first free one. */
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

/** Standard input is no longer needed. */
function restoreInput(): void {
  try {
    closeSync(0);
  } catch {
    // Already closed.
  }
  openSync("/dev/null", constants.O_RDONLY);
}

// The command line does not re-execute itself, which takes as long as a start: it overwrites the keys in
// memory.

/** Fields of /proc/self/stat after the program's name: the start and end of the environment in memory. */
const ENVIRONMENT_FIELDS = [47, 48] as const;

/**
 * Overwrites the values of keys in the memory shown by `/proc/<pid>/environ`; `process.env` keeps them.
 * Standard input stays unchanged. Undefined on success or without keys; else the reason why the environment
 * stays unchanged.
 */
export function hideSecrets(settings: Settings): string | undefined {
  const known = new Set(secretsOf(process.env, settings));
  const secrets = Object.entries(process.env).filter(
    ([name, value]) => value && (isSecretName(name) || known.has(value)),
  );
  if (secrets.length === 0) return undefined;
  if (process.platform !== "linux")
    return `${process.platform} shows the environment that a process began with`;
  try {
    overwriteInitial(new Set(secrets.map(([name]) => name)));
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    // The C library's copies may be the very memory that was overwritten, so they are set again.
    for (const [name, value] of secrets) process.env[name] = value;
  }
}

function overwriteInitial(secret: ReadonlySet<string>): void {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [begin = 0, end = 0] = ENVIRONMENT_FIELDS.map((field) => Number(fields[field]));
  const initial = readFileSync("/proc/self/environ");
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const found = Buffer.alloc(end - begin);
    readSync(memory, found, 0, found.length, begin);
    if (initial.length === 0 || !found.equals(initial))
      throw new Error("the environment is not where the kernel says");
    for (let at = 0; at < found.length; at = found.indexOf(0, at) + 1) {
      const stop = found.indexOf(0, at);
      if (stop < 0) break;
      const name = found.toString("utf8", at, stop).split("=", 1)[0] ?? "";
      const from = at + Buffer.byteLength(name) + 1;
      if (secret.has(name) && from < stop)
        writeSync(memory, Buffer.alloc(stop - from), 0, stop - from, begin + from);
    }
  } finally {
    closeSync(memory);
  }
}

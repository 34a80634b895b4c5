#!/usr/bin/env node
// The entry of the command line. A start is mostly compiling: Node reuses compiled code if the cache is set
// before the program is loaded.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { access } from "node:fs/promises";
import module from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Guess } from "./outside/early.ts";

// Never Node's default, a folder shared by all users, because cached code is run. Node 20 has no such cache.
const { XDG_CACHE_HOME, HOME } = process.env;
const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (home && isAbsolute(home)) module.enableCompileCache?.(join(home, "looplia", "compiled"));
// Many sessions write at once, and libuv's default is four threads for the disk. libuv reads the variable at its first use,
// so it is removed at once: no command inherits it.
const isSet = process.env.UV_THREADPOOL_SIZE !== undefined;
process.env.UV_THREADPOOL_SIZE ??= "8";
const used = access("/");
if (!isSet) delete process.env.UV_THREADPOOL_SIZE;
// An agent program takes longer to start than the rest of this one takes to load.
const guess = guessSafely();
if (guess) await import("./outside/early.ts").then(({ beginEarly }) => beginEarly(guess, process.env));
await Promise.all([used, import("./cli-main.ts")]);

/** Arguments may be anything, as a text that is too long for a path; the run itself reports what is wrong. */
function guessSafely(): Guess | undefined {
  try {
    return guessProgram(process.argv.slice(2), process.env);
  } catch {
    return undefined;
  }
}

/**
 * What the settings, which are not read yet, probably say. Nothing takes a program that does not fit them, so a wrong guess
 * only costs time. Undefined where it is unlikely that a new conversation with a program begins.
 */
function guessProgram(argv: readonly string[], environment: NodeJS.ProcessEnv): Guess | undefined {
  if (argv[0] !== "run") return undefined;
  const last = resolve(argv.at(-1) ?? "");
  const root = statSync(last, { throwIfNoEntry: false })?.isDirectory() ? last : process.cwd();
  let file: string | undefined;
  const said = (name: string): string | undefined => {
    const flag = `--${name}`;
    const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    if (at >= 0) return argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1);
    const variable = environment[`LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`];
    if (variable) return variable;
    file ??= readIfThere(join(root, "looplia.yml"));
    return new RegExp(`^${name}: *["']?([^"'#\\s]+)`, "m").exec(file)?.[1];
  };
  const name = said("provider");
  if (name !== "claude" && name !== "codex") return undefined;
  const sandbox = said("sandbox") ?? "auto";
  const others = ["session-id", "dry-run", "working-directory", "config"].map(said);
  if ((sandbox !== "auto" && sandbox !== "required") || others.some(Boolean)) return undefined;
  const installFolder = dirname(dirname(dirname(realpathSync(process.argv[1] ?? ""))));
  return { name, root, installFolder, settings: { sandbox }, model: said("model") };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

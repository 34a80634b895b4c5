// Kills the process before or after its n-th effect; loaded with `node --import`, it needs nothing from the program.
// CRASH_FOLDERS: where file effects count · CRASH_IGNORE: a regular expression over their paths · CRASH_LIST: a file
// that gets a line an effect · CRASH_AT: `<n>:before` or `<n>:after` · CRASH_ONLY: a regular expression over
// `<kind> <place>`, nothing else counts · CRASH_WITH: the variable that must be set for anything to count (the Action
// begins twice). Commands and requests always count.
import childProcess from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folders = (process.env.CRASH_FOLDERS ?? "")
  .split(path.delimiter)
  .filter((folder) => folder !== "")
  .map((folder) => fs.realpathSync(folder));
const ignored = process.env.CRASH_IGNORE ? new RegExp(process.env.CRASH_IGNORE) : undefined;
const only = process.env.CRASH_ONLY ? new RegExp(process.env.CRASH_ONLY) : undefined;
const [crashIndex, crashWhen] = (process.env.CRASH_AT ?? "0:").split(":");
const { appendFileSync, constants } = fs;
const ONE_PATH = ["writeFile", "appendFile", "mkdir", "mkdtemp", "rmdir", "rm", "unlink", "truncate"];
const TWO_PATHS = ["rename", "link", "symlink", "copyFile", "cp"];
const BY_DESCRIPTOR = ["write", "writev", "fsync", "fdatasync", "ftruncate"];
const BY_HANDLE = ["write", "writev", "writeFile", "appendFile", "truncate", "sync", "datasync"];

const here = fileURLToPath(import.meta.url);
/** Open descriptors and handles below the folders, by what they are open on. */
const descriptors = new Map();
const handles = new Map();
let count = 0;
const isCounting = !process.env.CRASH_WITH || process.env[process.env.CRASH_WITH] !== undefined;
/** True while a wrapped function runs: what it calls in its turn is the same effect. */
let isInside = false;

// ---- counting -------------------------------------------------------------------------------------------------------

/** The path as it is listed, or undefined where effects do not count. */
function placeOf(target) {
  if (typeof target === "number") return descriptors.get(target);
  if (handles.has(target)) return handles.get(target);
  if (typeof target !== "string" && !(target instanceof URL) && !Buffer.isBuffer(target)) return undefined;
  const full = throughDescriptor(
    path.resolve(target instanceof URL ? fileURLToPath(target) : target.toString()),
  );
  const folder = folders.find((one) => full === one || full.startsWith(one + path.sep));
  if (folder === undefined) return undefined;
  const place = path.relative(folder, full) || ".";
  return ignored?.test(place) ? undefined : place;
}

/** `/proc/self/fd/<n>/name` names an entry of a folder that is open. */
function throughDescriptor(full) {
  const match = /^\/proc\/self\/fd\/\d+/.exec(full);
  if (!match) return full;
  try {
    return fs.readlinkSync(match[0]) + full.slice(match[0].length);
  } catch {
    return full;
  }
}

function callSite() {
  const lines = (new Error().stack ?? "").split("\n").slice(1);
  const line = lines.find((one) => /:\d+:\d+\)?$/.test(one) && !one.includes(here) && !one.includes("node:"));
  return (line ?? "unknown")
    .trim()
    .replace(/^at (async )?/, "")
    .replace(`file://${process.cwd()}/`, "");
}

function begin(kind, place) {
  if (!isCounting || only?.test(`${kind} ${place}`) === false) return 0;
  count += 1;
  if (process.env.CRASH_LIST) {
    appendFileSync(process.env.CRASH_LIST, `${[count, kind, place, callSite()].join("\t")}\n`);
  }
  if (count === Number(crashIndex) && crashWhen === "before") die();
  return count;
}

function end(index) {
  if (index > 0 && index === Number(crashIndex) && crashWhen === "after") die();
}

function die() {
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}

// ---- wrapping -------------------------------------------------------------------------------------------------------

/** Replaces `owner[name]`; `describe(args)` gives kind and place of an effect, or undefined when it is none. */
function wrap(owner, name, style, describe, whenDone = () => undefined) {
  const original = owner[name];
  if (typeof original !== "function") return;
  const wrapped = function (...args) {
    if (isInside) return original.apply(this, args);
    const effect = describe.call(this, args);
    const index = effect ? begin(effect.kind, effect.place) : 0;
    const finish = (result) => {
      whenDone.call(this, args, result);
      if (index > 0) end(index);
    };
    if (style === "callback" && typeof args.at(-1) === "function") {
      const callback = args.pop();
      args.push((error, ...results) => {
        finish(results[0]);
        callback(error, ...results);
      });
    }
    isInside = true;
    try {
      const result = original.apply(this, args);
      if (style === "sync") finish(result);
      if (style === "promise") return result.then(whenResolved, whenRejected);
      return result;
    } catch (error) {
      if (style === "sync") finish();
      throw error;
    } finally {
      isInside = false;
    }
    function whenResolved(value) {
      finish(value);
      return value;
    }
    function whenRejected(error) {
      finish();
      throw error;
    }
  };
  for (const key of Reflect.ownKeys(original)) {
    const property = Object.getOwnPropertyDescriptor(wrapped, key);
    if (property === undefined || property.configurable) {
      Object.defineProperty(wrapped, key, Object.getOwnPropertyDescriptor(original, key));
    }
  }
  owner[name] = wrapped;
}

const at = (kind, target) => {
  const place = placeOf(target);
  return place === undefined ? undefined : { kind, place };
};

function changesFile(flags) {
  if (typeof flags === "number") return (flags & (constants.O_CREAT | constants.O_TRUNC)) !== 0;
  return /[wa]/.test(flags ?? "r");
}

/** A draft that got its name goes on under it: an append is listed with the segment's path. */
function renameOpen([from, to]) {
  const [old, place] = [placeOf(from), placeOf(to)];
  if (old === undefined || place === undefined) return;
  for (const open of [descriptors, handles]) {
    for (const [key, value] of open) if (value === old) open.set(key, place);
  }
}

function remember([target], opened) {
  const place = placeOf(target);
  const open = typeof opened === "number" ? descriptors : handles;
  if (opened === undefined) return;
  if (place === undefined) open.delete(opened);
  else open.set(opened, place);
}

function forget([descriptor]) {
  descriptors.delete(descriptor);
}

function wrapFileFunctions(owner, style, suffix = "") {
  for (const name of ONE_PATH) wrap(owner, name + suffix, style, ([target]) => at(name, target));
  for (const name of TWO_PATHS)
    wrap(owner, name + suffix, style, ([, target]) => at(name, target), renameOpen);
  const describeOpen = ([target, flags]) => (changesFile(flags) ? at("open", target) : undefined);
  wrap(owner, `open${suffix}`, style, describeOpen, remember);
}

wrapFileFunctions(fs, "callback");
wrapFileFunctions(fs, "sync", "Sync");
for (const name of BY_DESCRIPTOR) {
  wrap(fs, name, "callback", ([descriptor]) => at(name, descriptor));
  wrap(fs, `${name}Sync`, "sync", ([descriptor]) => at(name, descriptor));
}
wrap(fs, "close", "callback", () => undefined, forget);
wrap(fs, "closeSync", "sync", () => undefined, forget);

const probe = await fs.promises.open(process.execPath, "r");
const handlePrototype = Object.getPrototypeOf(probe);
await probe.close();
wrapFileFunctions(fs.promises, "promise");
for (const name of BY_HANDLE) {
  wrap(handlePrototype, name, "promise", function () {
    return at(name, this);
  });
}
wrap(
  handlePrototype,
  "close",
  "promise",
  () => undefined,
  function () {
    handles.delete(this);
  },
);

/** Git's own commands are told apart. */
function nameCommand({ file, args = [] }) {
  // The program starts git by its real path.
  if (file !== "git" && !file.endsWith("/git")) return file;
  const name = args.slice(1).find((word) => !/^-|=/.test(word)) ?? "";
  return `git ${name}${name === "hash-object" && args.includes("commit") ? " commit" : ""}`;
}

const spawnAsync = childProcess.ChildProcess.prototype.spawn;
childProcess.ChildProcess.prototype.spawn = function (options) {
  const index = begin("spawn", nameCommand(options));
  this.once("exit", () => end(index));
  return spawnAsync.call(this, options);
};
for (const name of ["spawnSync", "execSync", "execFileSync"]) {
  wrap(childProcess, name, "sync", ([command]) => ({ kind: "spawn", place: String(command) }));
}
const nameRequest = ([target, options]) => {
  const { method, url } =
    target instanceof Request ? target : { method: options?.method ?? "GET", url: String(target) };
  return { kind: "fetch", place: `${method} ${url}` };
};
wrap(globalThis, "fetch", "promise", nameRequest);
// What is sent without `fetch`: uploads.
const requestPlain = http.request;
http.request = function (...args) {
  const request = requestPlain.apply(this, args);
  const index = begin("request", `${request.method} ${request.path}`);
  request.once("response", () => end(index));
  return request;
};
syncBuiltinESMExports();

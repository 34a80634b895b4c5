// Preloaded (`node --import`) into a program under test: a disk that is so slow that what is asked of it together is seen to
// be together. Notes each of its rounds in the file NOTED, by how many files and folders were waited for.
import fs, { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A program that gets no processor for a while has not been quiet: turns are counted in which nothing is under way. */
const QUIET_TURNS = 12;
const TURN_MS = 5;
const file = process.env.NOTED ?? "";
let asked: (() => void)[] = [];
let timer: NodeJS.Timeout | undefined;
let quiet = 0;

/** A round begins once nothing more has been asked for a while, and nothing is under way that may lead to more. */
function note(sync: () => void): void {
  asked.push(sync);
  quiet = 0;
  timer ??= setInterval(takeTurn, TURN_MS);
}

function takeTurn(): void {
  const isBusy = process.getActiveResourcesInfo().some((name) => /Req|^ProcessWrap$/.test(name));
  quiet = isBusy ? 0 : quiet + 1;
  if (quiet < QUIET_TURNS) return;
  clearInterval(timer);
  timer = undefined;
  appendFileSync(file, `${asked.length}\n`);
  const round = asked;
  asked = [];
  for (const begin of round) begin();
}

const { fsync, fdatasync } = fs;
fs.fsync = Object.assign(
  (descriptor: number, done: fs.NoParamCallback) => note(() => fsync(descriptor, done)),
  fsync,
);
fs.fdatasync = Object.assign(
  (descriptor: number, done: fs.NoParamCallback) => note(() => fdatasync(descriptor, done)),
  fdatasync,
);
syncBuiltinESMExports();

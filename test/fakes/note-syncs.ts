// Preloaded (`node --import`) into a program under test: a disk that is so slow that what is asked of it together is seen to
// be together. Notes each of its rounds in the file NOTED, by how many files and folders were waited for.
import fs, { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const QUIET_MS = 60;
const file = process.env.NOTED ?? "";
let asked: (() => void)[] = [];
let timer: NodeJS.Timeout | undefined;

/** A round begins once nothing more has been asked for a while. */
function note(sync: () => void): void {
  asked.push(sync);
  clearTimeout(timer);
  timer = setTimeout(() => {
    appendFileSync(file, `${asked.length}\n`);
    const round = asked;
    asked = [];
    for (const begin of round) begin();
  }, QUIET_MS);
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

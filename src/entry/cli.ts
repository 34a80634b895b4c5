#!/usr/bin/env node
// The entry of the command line. Every Node since version 12 can read this file, so that an old one says that it is too old.
const { node } = process.versions;
if (Number.parseInt(node, 10) >= 20) import("./cli-start.ts");
else {
  process.stderr.write(
    `looplia needs Node 20 or newer, and this is Node ${node} (${process.execPath}). Install Node 24, for example from https://nodejs.org, or put a newer one first on your PATH.\n`,
  );
  process.exitCode = 2;
}

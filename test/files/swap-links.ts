// Run as a process of its own: swaps a name between a real folder (or file) and a link, as fast as it can.
import { existsSync, lstatSync, renameSync, rmSync } from "node:fs";

const [name = "", spare = "", stop = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
while (!existsSync(stop)) {
  for (let turn = 0; turn < 200; turn += 1) {
    renameSync(name, `${name}.away`);
    takeOver();
    renameSync(`${name}.away`, spare);
  }
}

/** Whoever writes may have made the folder anew in the moment when it was away. */
function takeOver(): void {
  for (;;) {
    try {
      renameSync(spare, name);
      return;
    } catch (error) {
      if (!lstatSync(name, { throwIfNoEntry: false })) throw error;
      rmSync(name, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

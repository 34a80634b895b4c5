// Preloaded (`node --import`) into a program under test: notes each package and module of Node that it loads in the file NOTED.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env.NOTED ?? "";

registerHooks({
  load(url, context, nextLoad) {
    const path = url.split("/node_modules/").at(-1) ?? "";
    const name = url.startsWith("node:") ? url : path.match(/^(?:@[^/]+\/)?[^/:]+(?=\/)/)?.[0];
    if (name !== undefined) appendFileSync(file, `${name}\n`);
    return nextLoad(url, context);
  },
});

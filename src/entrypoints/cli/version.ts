// `version`: what runs here.
import type { CommandLine } from "./parse-arguments.ts";
import type { Surface } from "./surface.ts";
import type { Wiring } from "./wiring.ts";

/** One `name value` a line, or the same as JSON. */
export function versionCommand(line: CommandLine, surface: Surface, wiring: Wiring): number {
  const models = Object.fromEntries(wiring.defaultModels);
  const fields = { looplia: wiring.version, node: process.version, models };
  if (line.isJson) {
    surface.stdout.write(`${JSON.stringify(fields, null, 2)}\n`);
    return 0;
  }
  const rows = [["looplia", fields.looplia], ["node", fields.node], ...wiring.defaultModels];
  surface.stdout.write(rows.map(([name, value]) => `${name} ${value}\n`).join(""));
  return 0;
}

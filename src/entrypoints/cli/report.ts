// `report <session-id>`: a session told whole, as Markdown or JSON.
import { LoopliaError } from "../../errors.ts";
import { reportMarkdown, reportOf } from "../../publish/session-report.ts";
import { viewSession } from "../../session/session-view.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { findPlace, reportPlace } from "./resolve-place.ts";
import type { Surface } from "./surface.ts";
import type { Wiring } from "./wiring.ts";

/** Throws LoopliaError `config-invalid` when there is no such session. */
export async function reportCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const { topic } = line;
  const hint = "`looplia status` lists the sessions";
  if (topic === undefined)
    throw new LoopliaError("config-invalid", "`report` needs the id of a session.", { hint });
  const found = await findPlace(surface, line.folder, line.overrides);
  reportPlace(surface, { ...found, notices: [] });
  const { stateFolder, settings } = found.place;
  const stored = await wiring.readStores(stateFolder, settings.stateKey)(topic);
  if (!stored)
    throw new LoopliaError("config-invalid", `There is no session ${topic} in ${stateFolder}.`, { hint });
  const report = reportOf(viewSession(topic, stored));
  surface.stdout.write(line.isJson ? `${JSON.stringify(report, null, 2)}\n` : reportMarkdown(report));
  return 0;
}

// Manages state that outlives a run: standing approvals (`answer revoke <number>`, and their list in `status`) and
// stored states (`expire`).
import type { Colors } from "picocolors/types.js";
import { LoopliaError } from "../core/errors.ts";
import { loginOf, printedJson, toPlainLine } from "../core/json.ts";
import type { CommandLine } from "./arguments.ts";
import { openPlace } from "./run.ts";
import { actorOf, type StandingInWork, type Surface, type Wiring } from "./surface.ts";

/** Throws LoopliaError `config-invalid` unless exactly one work has an approval with that number. */
export async function revokeCommand(
  line: CommandLine & Required<Pick<CommandLine, "revoke">>,
  surface: Surface,
  wiring: Wiring,
): Promise<number> {
  const place = await openPlace(surface, line);
  const { stateFolder } = place;
  const { workId, number, commands } = chooseApproval(
    await wiring.standingApprovals(stateFolder),
    line.revoke,
  );
  await wiring.revokeApproval(place, { workId, number }, actorOf(surface));
  const result = { status: "completed", reasonCode: "done", revoked: { workId, number, commands } };
  const told = `Revoked ${number}: ${toPlainLine(commands.join(", "))}. The next such call needs approval again.`;
  surface.stdout.write(line.isJson ? printedJson(result) : `${told}\n`);
  return 0;
}

function chooseApproval(
  works: readonly StandingInWork[],
  wanted: NonNullable<CommandLine["revoke"]>,
): { workId: string; number: number; commands: readonly string[] } {
  const all = works.flatMap(({ workId, approvals }) =>
    approvals.map((approval) => ({ workId, ...approval })),
  );
  const matching = all.filter(
    ({ workId, number }) => number === wanted.number && (wanted.workId ?? workId) === workId,
  );
  const [only, ...others] = matching;
  if (only && others.length === 0) return only;
  const commands = (only ? matching : all).map(
    ({ workId, number }) => `looplia answer revoke ${workId}/${number}`,
  );
  const message = only
    ? `Several works have a standing approval ${wanted.number}.`
    : `There is no standing approval ${wanted.number}.`;
  const hint =
    commands.length === 0 ? "No standing approval is in force." : `Write one of: ${commands.join(", ")}`;
  throw new LoopliaError("config-invalid", message, { hint });
}

/** The standing approvals, each with the command that revokes it; empty if there are none. */
export function standingLines(
  works: readonly StandingInWork[],
  kept: string,
  { bold, dim }: Colors,
): string[] {
  if (works.length === 0) return [];
  const isAlone = works.length === 1;
  const lines = works.flatMap(({ workId, approvals }) =>
    approvals.flatMap(({ number, commands, actorIds, at }) => [
      `  ${number}  ${commands.map(toPlainLine).join(", ")}  ${dim(`by ${actorIds.map(loginOf).join(", ")}, ${at}`)}`,
      `     looplia answer revoke ${isAlone ? "" : `${workId}/`}${number}${kept}`,
    ]),
  );
  return [bold("Standing approvals: these commands run without another question"), ...lines];
}

export async function expireCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const place = await openPlace(surface, line);
  const { expired, kept } = await wiring.expireStates(place);
  const result = { status: "completed", reasonCode: "done", expired, kept, dryRun: place.settings.dryRun };
  const verb = place.settings.dryRun ? "would be deleted" : "deleted";
  const told = [
    ...expired.map((workId) => `${verb}: ${toPlainLine(workId)}`),
    `${kept} stored states are kept.`,
  ];
  surface.stdout.write(line.isJson ? printedJson(result) : `${told.join("\n")}\n`);
  return 0;
}

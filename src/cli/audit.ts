// `audit verify`: checks audit logs and prints the first damaged line of each.
import { LoopliaError } from "../core/errors.ts";
import { printedJson, toPlainLine } from "../core/json.ts";
import type { CommandLine } from "./arguments.ts";
import { findPlace, reportPlace } from "./run.ts";
import { colorsFor, type Surface, type Wiring } from "./surface.ts";

/** Returns 0 if every log is intact, else 1. Throws LoopliaError `config-invalid` without a log. */
export async function auditCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  if (line.topic === undefined) {
    throw new LoopliaError("config-invalid", "`audit verify` needs something to verify.", {
      hint: "write `looplia audit verify <state folder | artifact zip | exported file | ref>`",
    });
  }
  const found = await findPlace(surface, line.folder, line.overrides);
  reportPlace(surface, { ...found, notices: [] });
  const reading = await wiring.readAudit(found.place, line.topic, surface.cwd, line.exportTo);
  const isWhole = reading.status === "verified";
  if (line.isJson) surface.stdout.write(printedJson(reading));
  else surface.stdout.write(sayReading(reading, surface));
  return isWhole ? 0 : 1;
}

function sayReading(reading: Awaited<ReturnType<Wiring["readAudit"]>>, surface: Surface): string {
  const { green, red, dim } = colorsFor(surface, surface.stdout);
  const lines = reading.sessions.flatMap(({ sessionId, count, hash, problems }) => [
    `${problems.length === 0 ? green("✓") : red("✗")} ${toPlainLine(sessionId)}: ${count} lines, last hash ${toPlainLine(hash)}`,
    ...problems.map(
      ({ kind, place, message }) => `  ${red(kind)} ${toPlainLine(place)}: ${toPlainLine(message)}`,
    ),
  ]);
  const compared =
    reading.compared.length > 0
      ? [`Compared with ${reading.compared.map(toPlainLine).join(", ")}.`]
      : ["Compared with nothing outside the log: whoever can write all of it could have written it again."];
  return [...lines, ...compared, ...reading.unreached.map((what) => dim(`Not reached: ${toPlainLine(what)}`))]
    .map((text) => `${text}\n`)
    .join("");
}

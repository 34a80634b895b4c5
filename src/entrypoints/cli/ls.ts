// `ls <status>`: the tasks of the task list that have a status.
import { suggestName } from "../../config/suggest.ts";
import { LoopliaError } from "../../errors.ts";
import { toPlainLine } from "../../session/plain-text.ts";
import { compareIds } from "../../todo/natural-order.ts";
import type { TodoTask } from "../../todo/schema.ts";
import { padText } from "./fit-line.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { requireTasks, STATUSES } from "./read-tasks.ts";
import { findPlace, reportPlace } from "./resolve-place.ts";
import { colorsFor, type Surface } from "./surface.ts";
import type { Wiring } from "./wiring.ts";

/** Prints id, priority and title of each, or whole tasks as JSON. */
export async function lsCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const { topic } = line;
  if (topic === undefined || !STATUSES.some((status) => status === topic)) {
    const message =
      topic === undefined ? "`ls` needs a status." : `There is no status ${JSON.stringify(topic)}.`;
    const near = topic === undefined ? undefined : suggestName(topic, STATUSES);
    const hint = near ?? `write \`looplia ls ${STATUSES.join("|")} [<folder>]\``;
    throw new LoopliaError("config-invalid", message, { hint });
  }
  const found = await findPlace(surface, line.folder, line.overrides);
  reportPlace(surface, { ...found, notices: [] });
  const { trusted } = await wiring.readFiles(found.place.root);
  const tasks = (await requireTasks(trusted, found.place.settings.todo))
    .filter((task) => task.status === topic)
    .sort((one, other) => one.priority - other.priority || compareIds(one.id, other.id));
  if (line.isJson) {
    surface.stdout.write(`${JSON.stringify(tasks, null, 2)}\n`);
    return 0;
  }
  const { dim } = colorsFor(surface, surface.stdout);
  const width = Math.max(0, ...tasks.map((task) => toPlainLine(task.id).length));
  surface.stdout.write(tasks.map((task) => taskLine(task, width, dim)).join(""));
  return 0;
}

function taskLine(task: TodoTask, width: number, dim: (text: string) => string): string {
  const why = task.status === "blocked" ? task.blockers?.at(-1) : undefined;
  const more = why === undefined ? "" : dim(`  ${toPlainLine(why)}`);
  const id = padText(toPlainLine(task.id), width);
  return `${id}  ${dim(`p${task.priority}`)}  ${toPlainLine(task.title)}${more}\n`;
}

// `depends_on`: unknown ids and cycles are errors that name them. Pure.
import type { TodoTask } from "./schema.ts";

type Dependent = Pick<TodoTask, "id" | "depends_on">;
/** `id`: the task whose field is wrong. */
export type DependencyProblem = { id: string; message: string };

/** Every unknown id, then every cycle once; empty when all is sound. */
export function findDependencyProblems(tasks: readonly Dependent[]): DependencyProblem[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const unknown = tasks.flatMap(({ id, depends_on = [] }) =>
    depends_on
      .filter((needed) => !byId.has(needed))
      .map((needed) => ({ id, message: `depends on ${show(needed)}, and there is no such task` })),
  );
  return [...unknown, ...findCycles(tasks, byId)];
}

/** Depth first without recursion: a chain may be as long as the file. */
function findCycles(tasks: readonly Dependent[], byId: ReadonlyMap<string, Dependent>): DependencyProblem[] {
  const problems: DependencyProblem[] = [];
  const done = new Set<string>();
  for (const { id } of tasks) {
    const way: { id: string; left: string[] }[] = [];
    const onWay = new Set<string>();
    const enter = (next: string): void => {
      way.push({ id: next, left: [...(byId.get(next)?.depends_on ?? [])] });
      onWay.add(next);
    };
    if (!done.has(id)) enter(id);
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const next = here.left.shift();
      if (next === undefined) {
        done.add(here.id);
        onWay.delete(here.id);
        way.pop();
      } else if (onWay.has(next)) {
        const cycle = way.map((step) => step.id).slice(way.findIndex((step) => step.id === next));
        problems.push({ id: next, message: `is in a cycle: ${[...cycle, next].map(show).join(" → ")}` });
      } else if (byId.has(next) && !done.has(next)) enter(next);
    }
  }
  return problems;
}

function show(id: string): string {
  return JSON.stringify(id);
}

// Due neighbours of one agent are one task: its agent makes them in one conversation, all or none.
import type { Pipeline, PipelineOutput } from "../config/definitions.ts";

/** `taskId`: the outputs joined by `+`. */
export type TaskGroup = { taskId: string; agent: string; outputs: string[] };

/**
 * The due steps as tasks, in an order in which each can run. Within a task each output requires the one before. `open`:
 * tasks that were begun and have not ended; nothing joins them, else they could not go on in their conversations.
 */
export function groupTasks(
  pipeline: Pipeline,
  plans: readonly { output: string; due: boolean }[],
  open: readonly { outputs: readonly string[] }[] = [],
): TaskGroup[] {
  const taskOf = ({ name }: PipelineOutput) => open.find(({ outputs }) => outputs.includes(name));
  const due = new Set(plans.filter((plan) => plan.due).map((plan) => plan.output));
  const groups: PipelineOutput[][] = [];
  for (const output of pipeline.outputs) {
    if (!due.has(output.name)) continue;
    const group = groups.find(
      (candidate) =>
        candidate.every((member) => taskOf(member) === taskOf(output)) && canJoin(output, candidate, groups),
    );
    if (group) group.push(output);
    else groups.push([output]);
  }
  // In the order of the pipeline, which is topological: a task waits only for tasks that began before it.
  return groups.map((group) => {
    const outputs = group.map((output) => output.name);
    return { taskId: outputs.join("+"), agent: group[0]?.agent ?? "", outputs };
  });
}

/** Joining must not make the task wait for more: what could run at the same time still does. */
function canJoin(output: PipelineOutput, group: PipelineOutput[], groups: PipelineOutput[][]): boolean {
  const last = group.at(-1);
  if (last?.agent !== output.agent || !output.requires.includes(last.name)) return false;
  return groupsBefore([output], groups).every(
    (before) => before === group || waitsFor(group, before, groups),
  );
}

function waitsFor(group: PipelineOutput[], target: PipelineOutput[], groups: PipelineOutput[][]): boolean {
  return groupsBefore(group, groups).some((before) => before === target || waitsFor(before, target, groups));
}

function groupsBefore(outputs: PipelineOutput[], groups: PipelineOutput[][]): PipelineOutput[][] {
  const required = new Set(outputs.flatMap((output) => output.requires));
  return groups.filter((group) => group !== outputs && group.some((member) => required.has(member.name)));
}

// The guarded workspace of an iteration, and what its commands find in their environment.
import type { Workspace } from "../ports.ts";
import type { TaskState } from "../session/state.ts";
import { noteBeforeAct } from "./before-act.ts";
import { guardTodo, undoneName } from "./guard.ts";
import { readRunbook, variableName } from "./runbook.ts";
import type { TodoTask } from "./schema.ts";
import { notify, type TodoRun } from "./todo-run.ts";

/** Where agents of this run work: an edit of the to-do file is undone, kept beside the log, and reported. */
export function guardFor(run: TodoRun, task: TodoTask | undefined, state: TaskState): Workspace {
  const { todo } = run.settings;
  return guardTodo(run.ports.workspace, {
    path: todo,
    async onUndone(discarded, by) {
      const how = discarded ? "changed" : "removed";
      const name = undoneName(run.ports.ids);
      const { sessionId } = run.journal;
      const kept = discarded ? await run.ports.log.keepText(sessionId, name, decode(discarded)) : undefined;
      const where = kept === undefined ? "" : ` What it had become is in ${kept}.`;
      const what =
        by === "edit"
          ? `${state.agent} ${how} ${todo} itself`
          : `${todo} was ${how} while a command of ${state.agent} ran`;
      notify(run, "warning", `${what}, which was undone.${where}`);
    },
    beforeAct: async () => (task ? noteBeforeAct(run, state) : undefined),
    hold: () => run.ports.host.hold?.(todo),
    variables: () => (task ? answersOf(run, task, state) : {}),
  });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** What people answered to the questions of a runbook: the n-th question of the task got the n-th answer. */
function answersOf(run: TodoRun, task: TodoTask, { conversationId }: TaskState): Record<string, string> {
  if (run.journal.conversation(conversationId).provider !== "offline") return {};
  const asked = [...run.journal.state.interactions.values()].filter(
    ({ request }) => request.conversationId === conversationId && request.purpose === "request_info",
  );
  const questions = readRunbook(task).filter((step) => step.kind === "question");
  return Object.fromEntries(
    questions.flatMap(({ name, options = [] }, at) => {
      const { request, response } = asked[at] ?? {};
      if (!request || !response) return [];
      const chosen = request.options?.findIndex((option) => option.id === response.selectedOptionId) ?? -1;
      const value = response.inputValue ?? options[chosen];
      return value === undefined ? [] : [[variableName(name), value]];
    }),
  );
}

// Orchestration `agent`: a main agent delegates each due step through `Task`.
import { openAttempt, runAttempt } from "../agent/attempt.ts";
import { isEndedByPeople, type Outcome, type SubagentCall, type SubagentOutcome } from "../agent/session.ts";
import { inTurn } from "../core/json.ts";
import { hashOfAll } from "./item.ts";
import { currentInputs, type TaskGroup } from "./plan.ts";
import { isReady, type SessionRun } from "./ports.ts";
import { runTask } from "./task.ts";

const TASK_ID = "orchestrate";

/** Runs the main agent. Records the outcomes of its tasks in `outcomes`; steps that it forgot are absent. */
export async function orchestrate(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
): Promise<Outcome> {
  const { session } = run;
  const { mainAgent: definition } = session.configuration;
  const { name: agent } = definition;
  const inputs = currentInputs(session.configuration, agent, hashOfAll(run.item));
  const task = await openAttempt(session.journal, { taskId: TASK_ID, agent, outputs: [], inputs });
  let interruption: Outcome | undefined;
  return runAttempt({
    ...{ session, task, depth: 0, subagents: [...new Set(groups.map((group) => group.agent))] },
    definition: () => definition,
    opening: () => renderOrchestration(run, groups),
    accept: async () => ({ text: "The main agent writes no artifacts: use Task.", isError: true }),
    // Steps depend on earlier ones: none begins while another of the same turn waits.
    delegate: (call) =>
      inTurn(outcomes, async () => {
        if (interruption) return { outcome: interruption };
        const ended = await delegate(run, groups, outcomes, call);
        if ("outcome" in ended) interruption = ended.outcome;
        return ended;
      }),
    isDone: () => (groups.every((group) => outcomes.get(group)?.kind === "completed") ? DONE : undefined),
    // The program continues without a failed main agent.
    end: (outcome, isOpen) => {
      const isOver = outcome.kind === "failed" && !isOpen && !isEndedByPeople(outcome);
      return { outcome: isOver ? DONE : outcome };
    },
  });
}

const DONE: Outcome = { kind: "completed", text: "" };

function renderOrchestration(run: SessionRun, groups: readonly TaskGroup[]): Promise<string> {
  const steps = groups.map(({ agent, outputs }) => ({ agent, outputs }));
  const { pipeline, folder, item } = run;
  return run.session.configuration.prompts.render("orchestrate.md", {
    pipeline,
    sessionFolder: folder,
    title: item.title,
    steps,
    facts: JSON.stringify({ sessionFolder: folder, steps }),
  });
}

/** One `Task` call: runs the due task of that agent, or reports the due tasks. */
async function delegate(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
  call: SubagentCall,
): Promise<SubagentOutcome> {
  const earlier = [...run.session.journal.state.tasks.values()].find(
    (task) => task.conversationId === call.conversationId && task.status === "completed",
  );
  if (earlier) return { reply: { text: `Completed: ${earlier.outputs.join(", ")}.` } };
  const left = groups.filter((group) => !outcomes.has(group));
  const group = left.find((candidate) => candidate.agent === call.agent && isReady(run, candidate));
  if (!group) {
    const due = left.filter((candidate) => isReady(run, candidate)).map((candidate) => candidate.agent);
    const text = `Nothing is due for ${JSON.stringify(call.agent)} now. Due now: ${due.join(", ") || "nothing"}.`;
    return { reply: { text, isError: true } };
  }
  const { conversationId, prompt } = call;
  const outcome = await runTask(run, group, { conversationId, depth: 1, prompt });
  if (outcome.kind === "waiting" || outcome.kind === "stopped") return { outcome };
  outcomes.set(group, outcome);
  if (outcome.kind === "failed") return { reply: { text: `Failed: ${outcome.message}.`, isError: true } };
  return {
    reply: { text: `Completed: ${group.outputs.join(", ")}. The program validated and recorded it.` },
  };
}

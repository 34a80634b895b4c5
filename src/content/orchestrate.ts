// Orchestration `agent`: a main agent reads instructions, pipeline and due steps, and calls `Task` for each.
// The program still runs, validates and marks each step.
import { buildPrefix, runConversation, startConversation } from "../agent/loop.ts";
import { type AgentRun, isEndedByPeople, type Outcome, type SubagentOutcome } from "../agent/session.ts";
import { isOpen } from "../core/state.ts";
import { currentInputs, type TaskGroup } from "./plan.ts";
import { isReady, type SessionRun } from "./ports.ts";
import { runTask } from "./task.ts";

const TASK_ID = "orchestrate";

/** Runs the main agent. Outcomes of the tasks it started are put into `outcomes`; what it forgot is left out. */
export async function orchestrate(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
): Promise<Outcome> {
  const { journal, configuration } = run.session;
  const agent = configuration.mainAgent.name;
  const conversationId = await openMain(run, groups);
  const self: AgentRun = {
    conversationId,
    taskId: TASK_ID,
    agent,
    depth: 0,
    artifacts: {
      write: async () => ({ text: "The main agent writes no artifacts: use Task.", isError: true }),
    },
    subagents: [...new Set(groups.map((group) => group.agent))],
    runSubagent: (agent, prompt, id) =>
      delegate(run, groups, outcomes, { agent, prompt, conversationId: id }),
    isDone: () => (groups.every((group) => outcomes.get(group)?.kind === "completed") ? DONE : undefined),
    whenEnded: async () => ({ outcome: DONE }),
  };
  const outcome = await runConversation(run.session, self);
  if (outcome.kind === "waiting" || outcome.kind === "stopped") return outcome;
  if (outcome.kind === "failed" && isEndedByPeople(outcome)) {
    const { reasonCode, message } = outcome;
    await journal.append({
      store: "events",
      type: "TaskFailed",
      payload: { taskId: TASK_ID, reasonCode, message },
    });
    return outcome;
  }
  // However it ended: what it left is the program's.
  await journal.append({ store: "events", type: "TaskCompleted", payload: { taskId: TASK_ID } });
  return DONE;
}

const DONE: Outcome = { kind: "completed", text: "" };

async function openMain(run: SessionRun, groups: readonly TaskGroup[]): Promise<string> {
  const { journal, configuration, modelName: model } = run.session;
  const agent = configuration.mainAgent.name;
  const known = journal.state.tasks.get(TASK_ID);
  const conversationId = isOpen(known) ? known.conversationId : `${TASK_ID}#${(known?.attempt ?? 0) + 1}`;
  if (!isOpen(known)) {
    const inputs = currentInputs(configuration, agent, run.item.sourceHash);
    const payload = { taskId: TASK_ID, agent, outputs: [], inputs, conversationId };
    await journal.append(
      { store: "events", type: "TaskCreated", payload },
      { store: "events", type: "TaskStarted", payload: { taskId: TASK_ID } },
    );
  }
  if (!journal.hasBegun(conversationId)) {
    const prefix = await buildPrefix(run.session, configuration.mainAgent);
    const start = { conversationId, taskId: TASK_ID, agent, depth: 0, model };
    await startConversation(run.session, start, prefix, await renderOrchestration(run, groups));
  }
  return conversationId;
}

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

/** One `Task` call: runs the due task of that agent, or says what is due. */
async function delegate(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
  call: { agent: string; prompt: string; conversationId: string },
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
  return { reply: { text: `Completed: ${group.outputs.join(", ")}. The program validated and marked it.` } };
}

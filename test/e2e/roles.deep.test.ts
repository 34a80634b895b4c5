// One model per role: the task list's agent, its subagent, a step's agent, review and repair each ask their own.
import { expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import { report, use } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const agentFile = (name: string, model: string, tools: string) =>
  `---\nname: ${name}\ndescription: d\ntools: ${tools}\nmodel: ${model}\n---\nDo it.\n`;

async function serve(script: Parameters<typeof startMessagesApi>[0]) {
  const api = await startMessagesApi(script);
  onTestFinished(() => api.close());
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  const asked = () =>
    api.requests.map(({ body }) => body.model).filter((name, at, all) => name !== all[at - 1]);
  return { api, environment, asked };
}

it("task, subagent, review and repair each have their own, and a fallback takes over for its agent alone", async () => {
  const good = JSON.parse(makeTodo([makeTask("T1")]));
  const { api, environment, asked } = await serve((body) => {
    const isFirst = body.messages.length === 1;
    switch (body.model) {
      case "repairer":
        return isFirst ? use("writeArtifact", { output: "to-do", content: good }) : "Repaired.";
      case "worker":
        return { status: 404, type: "not_found_error", message: "no such model" };
      case "spare":
        return isFirst ? use("Task", { agent: "helper", prompt: "Look." }) : report("T1");
      case "small":
        return "I looked.";
      default:
        return "Nothing is missing.";
    }
  });
  const agents = [
    "w provider=anthropic model=worker fallback-model=spare",
    "r provider=anthropic model=repairer",
    "v provider=anthropic model=reviewer",
  ];
  const world = await makeCliWorld({
    "to-do.json": makeTodo([makeTask("T1", { priority: 99 })]),
    "looplia.yml": `schedule: w\nreview-agent: v\nrepair-agent: r\nagents: |\n${agents.map((one) => `  ${one}\n`).join("")}`,
    ".looplia/.claude/agents/helper.md": agentFile("helper", "small", "readFile"),
  });
  const ran = await world.run(["run", "--mode", "tasks"], environment);
  expect(ran.code, ran.stderr).toBe(0);
  expect(asked()).toEqual(["repairer", "worker", "spare", "small", "spare", "reviewer"]);
  expect(ran.stderr).toMatch(/worker failed .*continues with spare/);
  api.assertDone();
});

it("the agent of a pipeline's step has its own", async () => {
  const { api, environment, asked } = await serve((body) => writeDue(body));
  const world = await makeCliWorld({
    ".looplia/.claude/agents/idea-generator.md": agentFile("idea-generator", "inventive", "writeArtifact"),
  });
  const ran = await world.run(["run", "--file", "content/kettles.md", "--model", "main"], environment);
  expect(ran.code, ran.stderr).toBe(0);
  expect(asked()).toEqual(["main", "inventive", "main"]);
  api.assertDone();
});

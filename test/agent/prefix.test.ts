import { expect, test } from "vitest";
import { buildPrefix } from "../../src/agent/attempt.ts";
import type { AgentDefinition, Configuration } from "../../src/config/definitions.ts";
import { allTools, toolDefinition } from "../../src/tools/registry.ts";

const every = allTools();
const configuration = {
  prompts: { render: async () => "system" },
  instructions: "",
  skills: new Map(),
  agents: new Map(),
  toolDefinitions: new Map(every.map((tool) => [tool.name, toolDefinition(tool)])),
} as unknown as Configuration;

async function toolsOf(own: string[] | undefined, allowed: string[]): Promise<string[]> {
  const tools = new Map(every.filter(({ name }) => allowed.includes(name)).map((tool) => [tool.name, tool]));
  const agent: AgentDefinition = {
    ...{ name: "a", description: "d", instructions: "i", file: "a.md" },
    ...(own ? { tools: own } : {}),
  };
  return (await buildPrefix({ configuration, tools }, agent)).tools.map(({ name }) => name);
}

test("an agent's list narrows what is allowed and never widens it", async () => {
  expect(await toolsOf(undefined, ["grep", "readFile"])).toEqual(["readFile", "grep"]);
  expect(await toolsOf(["runCommand", "grep", "unknown"], ["grep", "readFile", "unknown"])).toEqual(["grep"]);
  const all = every.map(({ name }) => name);
  expect(await toolsOf([], all)).toEqual([]);
});

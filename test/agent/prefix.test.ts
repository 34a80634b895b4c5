import { expect, test } from "vitest";
import { buildPrefix } from "../../src/agent/attempt.ts";
import type { AgentDefinition, Configuration } from "../../src/config/definitions.ts";
import type { ToolServers } from "../../src/core/ports-host.ts";
import { allTools, toolDefinition } from "../../src/tools/registry.ts";

const every = allTools();
const configuration = {
  prompts: { render: async () => "system" },
  instructions: "",
  skills: new Map(),
  agents: new Map(),
  toolDefinitions: new Map(every.map((tool) => [tool.name, toolDefinition(tool)])),
} as unknown as Configuration;

const offered = ["mcp__docs__read", "mcp__docs__search", "mcp__notes__add"].map((name) => ({
  ...{ name, description: "d", inputSchema: { type: "object" } },
}));
const servers: ToolServers = {
  names: ["docs", "notes"],
  definitions: async () => offered,
  placeOf: () => "there",
  call: async () => ({ text: "", isError: false }),
};

async function toolsOf(own: string[] | undefined, allowed: string[], more = {}): Promise<string[]> {
  const tools = new Map(every.filter(({ name }) => allowed.includes(name)).map((tool) => [tool.name, tool]));
  const agent: AgentDefinition = {
    ...{ name: "a", description: "d", instructions: "i", file: "a.md" },
    ...(own ? { tools: own } : {}),
  };
  return (await buildPrefix({ configuration: { ...configuration, ...more }, tools }, agent)).tools.map(
    ({ name }) => name,
  );
}

test("an agent's list narrows what is allowed and never widens it", async () => {
  expect(await toolsOf(undefined, ["grep", "readFile"])).toEqual(["readFile", "grep"]);
  expect(await toolsOf(["runCommand", "grep", "unknown"], ["grep", "readFile", "unknown"])).toEqual(["grep"]);
  const all = every.map(({ name }) => name);
  expect(await toolsOf([], all)).toEqual([]);
});

test("tools of MCP servers come last; an agent's list names one, or all of a server", async () => {
  const all = offered.map(({ name }) => name);
  expect(await toolsOf(undefined, ["grep"], { servers })).toEqual(["grep", ...all]);
  expect(await toolsOf(["grep"], ["grep"], { servers })).toEqual(["grep"]);
  expect(await toolsOf(["mcp__docs__search"], ["grep"], { servers })).toEqual(["mcp__docs__search"]);
  expect(await toolsOf(["mcp__docs"], [], { servers })).toEqual(["mcp__docs__read", "mcp__docs__search"]);
  expect(await toolsOf(["mcp__notes__*"], [], { servers })).toEqual(["mcp__notes__add"]);
});

// What configuration files define, once read and checked. Loaders are beside this file.
import type { ToolDefinition } from "../session/message.ts";

/** A pipeline whose graph is known to be sound: acyclic, names known, exactly one final output. */
export type Pipeline = {
  name: string;
  description: string;
  file: string;
  /** In topological order; ties in the order of the file. */
  outputs: PipelineOutput[];
  final: string;
};

export type PipelineOutput = {
  name: string;
  artifact: string;
  agent: string;
  requires: string[];
  /** Text of the JSON Schema file beside the pipeline; absent for the built-in artifacts. */
  schema?: { file: string; text: string };
  maxRetries: number;
};

export type AgentDefinition = {
  name: string;
  description: string;
  /** Project tool names (aliases resolved); undefined: all. */
  tools?: string[];
  model?: string;
  /** The Markdown below the front matter. */
  instructions: string;
  file: string;
};

export type SkillDefinition = {
  name: string;
  description: string;
  body: string;
  /** Bundled files, relative to the skill's folder. */
  files: string[];
  file: string;
  read(file: string): Promise<string | undefined>;
};

export type UserProfile = {
  userId: string;
  topics: { topic: string; interestLevel: number }[];
  style: {
    tone: "beginner" | "intermediate" | "expert" | "mixed";
    targetWordCount: number;
    voice: "first-person" | "third-person" | "instructional";
  };
  writingSamples?: string[];
};

/** Everything a run needs from the trusted ref. */
export type Configuration = {
  pipelines: ReadonlyMap<string, Pipeline>;
  agents: ReadonlyMap<string, AgentDefinition>;
  /** Leads under `orchestration: agent`; the program's own (`prompts/system.md`). */
  mainAgent: AgentDefinition;
  skills: ReadonlyMap<string, SkillDefinition>;
  /** `.looplia/CLAUDE.md`, or empty. */
  instructions: string;
  profile?: UserProfile;
  /** Text of user-profile.json as it stands, or empty: part of every step's inputs. */
  profileText: string;
  /** What models are told of the tools, by tool: `prompts/tools.json`, made from the registry. */
  toolDefinitions: ReadonlyMap<string, ToolDefinition>;
  /** What models are told of the program's artifacts, by file: compact JSON Schemas (`readArtifactSchemas`). */
  artifactSchemas: ReadonlyMap<string, string>;
  prompts: Prompts;
};

/** The program's own prompts (`prompts/*.md`), rendered strictly: an undefined variable names file and variable. */
export interface Prompts {
  render(file: string, variables: Record<string, unknown>): Promise<string>;
}

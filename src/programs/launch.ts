// How each program is started: arguments, environment and home, all known before the conversation is.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Command = {
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** The first line that the program is told. */
  hello?: string;
};

export const claudeHome = (folder: string): string => join(folder, "home", ".claude");

/** Makes the home and adds what starts every conversation. */
export function claudeCommand(folder: string, args: readonly string[]): Command {
  const home = claudeHome(folder);
  const config = join(home, ".claude.json");
  mkdirSync(home, { recursive: true });
  if (!existsSync(config)) writeFileSync(config, JSON.stringify(FIRST_START));
  const environment = { ...CLAUDE_ENVIRONMENT, CLAUDE_CONFIG_DIR: home };
  return { args: [...CLAUDE_FLAGS, ...args], environment };
}

const RUNNER = "http://127.0.0.1:@PORT@";
// Its folder is empty, and the isolation's cover of `.git` looks like a repository.
const CLAUDE_SETTINGS = { includeGitInstructions: false };
/** Our tools and our hook are asked over the program's output, and answered like its prompt. */
const SERVER = { type: "sdk", name: "looplia", alwaysLoad: true };

/** `--setting-sources ""`: ignores settings of repository and home. `--tools ""`: no tools of its own. */
const CLAUDE_FLAGS = [
  ...["-p", "--output-format", "stream-json", "--verbose"],
  ...["--input-format", "stream-json"],
  ...["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands", "--tools", ""],
  ...["--settings", JSON.stringify(CLAUDE_SETTINGS)],
  ...["--mcp-config", JSON.stringify({ mcpServers: { looplia: SERVER } })],
];
const CLAUDE_ENVIRONMENT = {
  ANTHROPIC_BASE_URL: RUNNER,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_MAX_RETRIES: "4",
  // Calls are read from the model's answer as it passes by, which is a stream.
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  MCP_CONNECTION_NONBLOCKING: "0",
  // A result has at most 30,000 characters and must not be cut again.
  MAX_MCP_OUTPUT_TOKENS: "100000",
  // Otherwise the model is offered a tool of its own, which not every service accepts.
  ENABLE_TOOL_SEARCH: "false",
  IS_SANDBOX: "1",
  // It reaches nothing over TLS.
  CLAUDE_CODE_CERT_STORE: "bundled",
};

/** What it would write at its first start, one key at a time, each time until the disk has it. */
const FIRST_START = {
  migrationVersion: 15,
  opusProMigrationComplete: true,
  hasResetAutoModeOptInForDefaultOffer: true,
};

export const codexHome = (folder: string): string => join(folder, "home", ".codex");

/** The id of the request in Codex's `hello`. */
export const CODEX_HELLO = 0;

/** Makes the home. A conversation begins or continues with the requests that follow. */
export function codexCommand(folder: string): Command {
  const home = codexHome(folder);
  mkdirSync(home, { recursive: true });
  const catalogue = join(home, "catalogue.json");
  writeFileSync(catalogue, JSON.stringify(CATALOGUE));
  // Its databases are of no use to a later process, and it waits until the disk has them.
  const databases = `sqlite_home=${JSON.stringify(join(folder, "fast"))}`;
  const settings = [...CODEX_SETTINGS, databases, `model_catalog_json=${JSON.stringify(catalogue)}`].flatMap(
    (setting) => ["-c", setting],
  );
  const clientInfo = { name: "looplia", title: "looplia", version: "1" };
  const capabilities = { experimentalApi: true, optOutNotificationMethods: UNREAD };
  const params = { clientInfo, capabilities };
  const hello = JSON.stringify({ jsonrpc: "2.0", id: CODEX_HELLO, method: "initialize", params });
  return { args: ["app-server", ...settings], environment: { CODEX_HOME: home }, hello };
}

/** Nobody reads these, and writing them takes several milliseconds per call. */
const UNREAD = [
  ...["thread/started", "thread/status/changed", "thread/tokenUsage/updated", "turn/started"],
  ...["item/started", "item/completed", "account/rateLimits/updated", "warning", "configWarning"],
];

/**
 * Instead of Codex's own catalogue, which gives models tools of Codex's own (`exec` of its code mode, `apply_patch`,
 * `clock`) whatever its settings say. A model that is not in the catalogue gets none. Codex wants one row.
 */
const CATALOGUE = {
  models: [
    {
      ...{
        slug: "looplia-none",
        display_name: "none",
        visibility: "hide",
        priority: 0,
        base_instructions: "",
      },
      ...{ supported_reasoning_levels: [], experimental_supported_tools: [], support_verbosity: false },
      ...{ shell_type: "unified_exec", supported_in_api: true },
      truncation_policy: { mode: "tokens", limit: 10_000 },
    },
  ],
};

/** No tools of its own, no reading from folders, no data sent elsewhere. */
const CODEX_SETTINGS = [
  'model_provider="looplia"',
  'model_providers.looplia={name="looplia",base_url="http://127.0.0.1:@PORT@",env_key="OPENAI_API_KEY",wire_api="responses"}',
  ...["shell_tool", "unified_exec", "goals", "view_image", "plugins", "apps"].map(
    (name) => `features.${name}=false`,
  ),
  // A result has at most 30,000 characters and must not be cut again.
  "tool_output_token_limit=100000",
  ...["agents.enabled=false", 'web_search="disabled"', "project_doc_max_bytes=0"],
  ...[
    "skills.include_instructions=false",
    "skills.bundled.enabled=false",
    "analytics.enabled=false",
    "check_for_update_on_startup=false",
  ],
];

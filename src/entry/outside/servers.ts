// The MCP servers of the settings: programs of the machine or of the trusted export, and addresses.

import { fillVariables } from "../../config/secrets.ts";
import type { Settings } from "../../config/settings-table.ts";
import { LoopliaError } from "../../core/errors.ts";
import type { Observer } from "../../core/ports.ts";
import type { Redact } from "../../core/redaction.ts";
import { openToolServers } from "../../mcp/servers.ts";
import type { TrustedPrograms } from "../../sandbox/trusted-programs.ts";

type ServersPlace = Pick<Settings, "mcpServers"> & {
  version: string;
  environment: Readonly<Record<string, string | undefined>>;
  programs: TrustedPrograms;
  observe: Observer;
  redact: Redact;
};

/** Throws `config-invalid` where a variable that the settings name is not set. */
export function openMcpServers(place: ServersPlace) {
  const { version, observe, redact } = place;
  return openToolServers(
    place.mcpServers.map((server) => serverOf(server, place)),
    {
      version,
      warn: (message) => observe({ type: "notice", level: "warning", message: redact(message) }),
    },
  );
}

function serverOf(
  server: Settings["mcpServers"][number],
  place: ServersPlace,
): Parameters<typeof openToolServers>[0][number] {
  const { name } = server;
  const timeoutMs = server["timeout-seconds"] * 1_000;
  const fill = (text: string): string => {
    const filled = fillVariables(text, place.environment);
    if ("text" in filled) return filled.text;
    const missing = filled.missing.join(", ");
    throw new LoopliaError("config-invalid", `The MCP server ${name} needs ${missing}, which is not set.`, {
      hint: `Set ${missing} in the step's \`env\`, or write a default: \${${filled.missing[0]}:-…}.`,
    });
  };
  const fillAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if ("url" in server) {
    const access = { url: server.url, headers: fillAll(server.headers) };
    return { name, timeoutMs, place: server.url, open: async () => access };
  }
  const environment = fillAll(server.env);
  const args = server.args.map(fill);
  const { network, write: written } = server;
  const worktree = server.worktree === "read" || written.length > 0 ? { written } : undefined;
  const program = place.programs.find(server.command);
  return {
    ...{ name, timeoutMs, place: [server.command, ...server.args].join(" ") },
    open: () => program.start(args, { network, environment, ...(worktree ? { worktree } : {}) }),
  };
}

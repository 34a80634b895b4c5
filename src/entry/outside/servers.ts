// The MCP servers of the settings: programs of the machine or of the trusted export, and addresses.

import { type NpxPackage, readNpx } from "../../config/servers.ts";
import type { Settings } from "../../config/settings-table.ts";
import { describeNetwork, plainNetwork } from "../../core/interaction.ts";
import type { Observer } from "../../core/ports.ts";
import type { Redact } from "../../core/redaction.ts";
import { openToolServers } from "../../mcp/servers.ts";
import type { TrustedPrograms } from "../../sandbox/trusted-programs.ts";
import type { InstalledPackage } from "./npx-packages.ts";
import { fillText } from "./variables.ts";

type ServersPlace = {
  settings: Settings;
  version: string;
  environment: Readonly<Record<string, string | undefined>>;
  programs: TrustedPrograms;
  /** Installs a package that `npx` would start. */
  install(npx: NpxPackage, environment: Readonly<Record<string, string>>): Promise<InstalledPackage>;
  observe: Observer;
  redact: Redact;
};

/** Throws `config-invalid` where a variable that the settings name is not set, or holds a secret of this run. */
export function openMcpServers(place: ServersPlace) {
  const { version, observe, redact } = place;
  return openToolServers(
    place.settings.mcpServers.map((server) => serverOf(server, place)),
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
  const { environment: variables, settings } = place;
  const subject = `The MCP server ${name}`;
  const fill = (text: string) => fillText(text, { subject, environment: variables, settings });
  const fillAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  const common = { name, timeoutMs, isRequired: server.required };
  if ("url" in server) {
    const access = { url: server.url, headers: fillAll(server.headers) };
    return { ...common, place: server.url, open: async () => access };
  }
  const environment = fillAll(server.env);
  return {
    ...common,
    place: describeProgram(server, place),
    open: starterOf(server, environment, place, fill),
  };
}

type ProgramServer = Extract<Settings["mcpServers"][number], { command: string }>;

/** Its command, and how it runs: what a person reads who is asked about a call. */
function describeProgram(server: ProgramServer, { settings: { sandbox, network } }: ServersPlace): string {
  const { command, args, worktree, write } = server;
  const isolated = sandbox === "off" ? "without isolation" : "isolated";
  const reached = sandbox === "off" ? "" : `, ${describeNetwork(server.network ?? plainNetwork(network))}`;
  const reads = worktree === "read" || write.length > 0 ? ", reads the worktree" : "";
  const writes = write.length > 0 ? ` and writes ${write.join(", ")}` : "";
  return `${[command, ...args].join(" ")} (${isolated}${reached}${reads}${writes})`;
}

function starterOf(
  server: ProgramServer,
  environment: Record<string, string>,
  { programs, install }: ServersPlace,
  fill: (text: string) => string,
): () => ReturnType<ReturnType<TrustedPrograms["find"]>["start"]> {
  const { network, write: written, worktree } = server;
  const reach = worktree === "read" || written.length > 0 ? { worktree: { written } } : {};
  const options = { network, environment, ...reach };
  const npx = readNpx(server);
  if (!npx) {
    const program = programs.find(server.command);
    const args = server.args.map(fill);
    return () => program.start(args, options);
  }
  return async () => {
    const { program, folder } = await install(npx, environment);
    return programs.find(program).start(npx.args.map(fill), { ...options, shown: [folder] });
  };
}

// The MCP servers of the settings, each started as isolated as a command, with a worktree that it can only read.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { fillVariables } from "../../config/secrets.ts";
import type { Settings } from "../../config/settings-table.ts";
import { LoopliaError } from "../../core/errors.ts";
import type { Observer, TrustedFiles } from "../../core/ports.ts";
import type { Redact } from "../../core/redaction.ts";
import { openToolServers, type ServerAccess } from "../../mcp/servers.ts";
import type { Isolator } from "../../sandbox/isolation.ts";
import { noteBareCommand } from "../../sandbox/own-tools.ts";

type ServersPlace = {
  root: string;
  version: string;
  settings: Pick<Settings, "mcpServers" | "sandbox">;
  environment: Readonly<Record<string, string | undefined>>;
  trusted: TrustedFiles;
  /** Made at the first start of a program. */
  isolate(): Isolator;
  observe: Observer;
  redact: Redact;
};

/** Throws `config-invalid` where a variable that the settings name is not set. */
export function openMcpServers(place: ServersPlace) {
  const { version, observe, redact } = place;
  let isolator: Isolator | undefined;
  const isolate = () => {
    isolator ??= place.isolate();
    return isolator;
  };
  const servers = openToolServers(
    place.settings.mcpServers.map((server) => serverOf(server, place, isolate)),
    {
      version,
      warn: (message) => observe({ type: "notice", level: "warning", message: redact(message) }),
    },
  );
  const close = async () => {
    await servers.close();
    await isolator?.close();
  };
  return { ...servers, close };
}

function serverOf(
  server: Settings["mcpServers"][number],
  place: ServersPlace,
  isolate: () => Isolator,
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
  const words = [server.command, ...server.args.map(fill)];
  return {
    ...{ name, timeoutMs, place: [server.command, ...server.args].join(" ") },
    open: () => startAs({ words, environment, network: server.network }, place, isolate()),
  };
}

type Program = {
  words: readonly string[];
  environment: Record<string, string>;
  network: boolean | undefined;
};

async function startAs(
  { words, environment, network }: Program,
  { root, settings: { sandbox }, trusted }: ServersPlace,
  isolator: Isolator,
): Promise<ServerAccess> {
  if (isolator.isolation.kind === "none" && sandbox !== "off") {
    throw new Error(`it can't be isolated here: ${isolator.isolation.reason ?? "there is no isolation"}`);
  }
  for (const word of words) await requireTrusted(word, root, trusted);
  const launch = await isolator.launch(network, [], true);
  if (launch.before.length === 0) noteBareCommand();
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  return {
    words: [...launch.before, shell, "-c", `${launch.setUp}exec "$0" "$@"`, ...words],
    folder: root,
    environment: { ...launch.environment, ...environment },
    finish: launch.finish,
  };
}

/** A file of the worktree that is named must be the trusted ref's: agents work there. */
async function requireTrusted(word: string, root: string, trusted: TrustedFiles): Promise<void> {
  const path = relative(root, resolve(root, word));
  if (path === "" || path.startsWith("..")) return;
  const text = await readFile(join(root, path), "utf8").catch(() => undefined);
  if (text === undefined || text === (await trusted.read(path.split(sep).join("/")))) return;
  throw new Error(`${path} is not what the trusted ref has`);
}

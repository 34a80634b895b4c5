// The programs that the settings name, hook and MCP servers: where they start, and what they get.
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fillVariables } from "../../config/secrets.ts";
import { runSetup } from "../../content/result.ts";
import { LoopliaError } from "../../core/errors.ts";
import type { Observer } from "../../core/ports.ts";
import type { Redact } from "../../core/redaction.ts";
import { ownSearchPath, writableFolders } from "../../sandbox/own-tools.ts";
import { openTrustedExport } from "../../sandbox/trusted-export.ts";
import { openTrustedPrograms, type TrustedPrograms } from "../../sandbox/trusted-programs.ts";
import { isolatorFor, openWorktree, type RunPlace } from "../wire.ts";

type Around = { observe: Observer; redact: Redact; signal: AbortSignal };

/** On the command line the copy is made at once, before any command. Throws `config-invalid` for unusable settings. */
export async function openTrusted(place: RunPlace, around: Around) {
  const { environment, root, trustedTree } = place;
  const writable = writableFolders(root);
  const searchPath = ownSearchPath(environment.PATH ?? "", writable);
  const inside = { ...place, environment: { ...environment, PATH: searchPath } };
  const trusted = openTrustedExport({
    parents: [tmpdir(), "/tmp", "/var/tmp", homedir()],
    writable,
    copyTo: trustedTree.copyTo,
    prepare: () => prepare({ ...inside, root: folder }, around),
  });
  const folder = join(trusted.top, trustedTree.folder);
  const programs = openTrustedPrograms({
    ...{ trusted, folder, root, searchPath, writable },
    isolate: (top) =>
      isolatorFor({ ...inside, root: top, ...(top === root ? {} : { hidden: [root] }) }, () => {}),
  });
  const closePrograms = async () => {
    await programs.close();
    await trusted.close();
  };
  try {
    const servers = await openServers(place, { ...around, programs });
    const startHook = hookOf(place, programs);
    // On a runner nothing changes the trusted commit.
    if (!place.sessions) await trusted.begin();
    const close = async () => {
      await servers?.close();
      await closePrograms();
    };
    return { servers, startHook, close };
  } catch (error) {
    await closePrograms();
    throw error;
  }
}

async function prepare(place: RunPlace, { observe, redact, signal }: Around): Promise<void> {
  const { setup, sandbox } = place.settings;
  if (setup.length === 0) return;
  const { workspace, close } = await openWorktree(place, observe, redact, true);
  try {
    await runSetup(workspace, setup, { observe, signal, sandbox });
  } finally {
    await close();
  }
}

async function openServers(
  { version, settings, environment }: RunPlace,
  { observe, redact, programs }: Around & { programs: TrustedPrograms },
) {
  const { mcpServers } = settings;
  if (mcpServers.length === 0) return undefined;
  const { openMcpServers } = await import("./servers.ts");
  return openMcpServers({ version, mcpServers, environment, programs, observe, redact });
}

function hookOf({ settings, environment }: RunPlace, programs: TrustedPrograms) {
  const { hook, hookNetwork: network, hookEnv } = settings;
  if (hook === undefined) return undefined;
  const program = programs.find(hook);
  const variables = Object.fromEntries(hookEnv.map((name) => [name, variableOf(name, environment)]));
  return (words: readonly string[]) => {
    const [, , message] = words;
    const shown = message === undefined ? [] : [message];
    return program.start(words, { network, environment: variables, shown, mayBeBare: true });
  };
}

function variableOf(name: string, environment: RunPlace["environment"]): string {
  const filled = fillVariables(`\${${name}}`, environment);
  if ("text" in filled) return filled.text;
  throw new LoopliaError("config-invalid", `\`hook-env\` names ${name}, which is not set.`, {
    hint: `Set ${name} in the step's \`env\`, or take it out of \`hook-env\`.`,
  });
}

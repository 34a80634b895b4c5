// The programs that the settings name, hook and MCP servers: where they start, and what they get.
import { readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { NpxPackage } from "../../config/servers.ts";
import { runSetup } from "../../content/result.ts";
import type { Observer } from "../../core/ports.ts";
import type { Redact } from "../../core/redaction.ts";
import { openWorkspace } from "../../files/workspace.ts";
import { ownSearchPath, writableFolders } from "../../sandbox/own-tools.ts";
import { openTrustedExport } from "../../sandbox/trusted-export.ts";
import { openTrustedPrograms, type TrustedPrograms } from "../../sandbox/trusted-programs.ts";
import { commandEnvironment, isInside, realOrExpected } from "../../sandbox/visible.ts";
import { isolatorFor, openWorktree, type RunPlace } from "../wire.ts";
import type { openMcpServers } from "./servers.ts";
import { fillText } from "./variables.ts";

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
    const install: Install = async (npx, variables) => {
      await trusted.ready();
      return installFor(inside, around, { npx, variables, writable, folder, spare: trusted.beside });
    };
    const servers = await openServers(place, { ...around, programs, install });
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
  { observe, redact, programs, install }: Around & { programs: TrustedPrograms; install: Install },
) {
  if (settings.mcpServers.length === 0) return undefined;
  const { openMcpServers } = await import("./servers.ts");
  return openMcpServers({ settings, version, environment, programs, install, observe, redact });
}

type Install = Parameters<typeof openMcpServers>[0]["install"];

type InstallPlan = {
  npx: NpxPackage;
  variables: Readonly<Record<string, string>>;
  writable: readonly string[];
  /** The folder in the export. */
  folder: string;
  /** For packages of this run only. */
  spare: string;
};

/** Packages stay on the machine, unless commands can write where they would stay. */
async function installFor(
  place: RunPlace,
  { observe, redact, signal }: Around,
  { npx, variables, writable, folder, spare }: InstallPlan,
) {
  const { XDG_CACHE_HOME, HOME, PATH: searchPath = "" } = place.environment;
  const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
  const kept = home && isAbsolute(home) ? realOrExpected(join(home, "looplia", "servers")) : spare;
  const { installPackage } = await import("./npx-packages.ts");
  return installPackage(npx, variables, {
    cache: writable.some((one) => isInside(one, kept)) ? spare : kept,
    npmrc: await readFile(join(folder, ".npmrc"), "utf8").catch(() => ""),
    searchPath,
    open: async (root) => {
      const isolator = isolatorFor({ ...place, root, hidden: [place.root] }, () => {});
      const environment = commandEnvironment(place.environment);
      const around = { environment, systemTemp: spare, redact, isolate: () => isolator };
      return { workspace: await openWorkspace(root, around), close: () => isolator.close() };
    },
    mayBeBare: place.settings.sandbox === "off",
    ...{ observe, signal },
  });
}

function hookOf({ settings, environment }: RunPlace, programs: TrustedPrograms) {
  const { hook, hookNetwork: network, hookEnv } = settings;
  if (hook === undefined) return undefined;
  const program = programs.find(hook);
  const place = { subject: "`hook-env`", environment, settings };
  const variables = Object.fromEntries(hookEnv.map((name) => [name, fillText(`\${${name}}`, place)]));
  return (words: readonly string[]) => {
    const [, , message] = words;
    const shown = message === undefined ? [] : [message];
    return program.start(words, { network, environment: variables, shown, mayBeBare: true });
  };
}

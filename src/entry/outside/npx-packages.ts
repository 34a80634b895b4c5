// The packages of MCP servers that `npx` would start: each is installed once per machine, isolated, in its exact
// version, and starts from there. Nothing that a command planted in a `node_modules` of the worktree is looked at.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { NpxPackage } from "../../config/servers.ts";
import { LoopliaError, messageOf } from "../../core/errors.ts";
import { isObject, parseJson, sha256Of } from "../../core/json.ts";
import type { Observer, Workspace } from "../../core/ports.ts";
import { findOwnTool } from "../../sandbox/own-tools.ts";
import { isInside } from "../../sandbox/visible.ts";

const INSTALL_MS = 10 * 60_000;
const MAX_OUTPUT = 20_000;
const SHOWN = 1_000;

type PackagesPlace = {
  /** A folder that no command can write to. */
  cache: string;
  /** The text of the trusted `.npmrc`; empty without one. */
  npmrc: string;
  searchPath: string;
  /** A workspace for isolated commands. */
  open(folder: string): Promise<{ workspace: Workspace; close(): Promise<void> }>;
  mayBeBare: boolean;
  observe: Observer;
  signal: AbortSignal;
};

/** `folder`: all of it; `program`: the file to start. */
export type InstalledPackage = { folder: string; program: string };

/** Installs the package unless it is there. `environment`: what its server gets. Throws `config-invalid`. */
export async function installPackage(
  wanted: NpxPackage,
  environment: Readonly<Record<string, string>>,
  place: PackagesPlace,
): Promise<InstalledPackage> {
  const { name, version } = wanted;
  const node = findOwnTool("node", place.searchPath, [])?.path();
  const { platform, arch, version: running } = process;
  const bound = sha256Of(JSON.stringify([name, version, place.npmrc, node, platform, arch, running]));
  const folder = join(place.cache, `${name.replace("/", "+")}@${version}-${bound.slice(0, 12)}`);
  if (!existsSync(folder)) await install(wanted, environment, { ...place, folder });
  return { folder: await realpath(folder), program: await programOf(wanted, folder) };
}

async function install(
  { name, version }: NpxPackage,
  variables: Readonly<Record<string, string>>,
  { folder, npmrc, open, observe, signal, mayBeBare }: PackagesPlace & { folder: string },
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const draft = await realpath(await mkdtemp(`${folder}.`));
  try {
    await writeFile(join(draft, "package.json"), '{ "private": true }\n');
    if (npmrc !== "") await writeFile(join(draft, ".npmrc"), npmrc);
    const { workspace, close } = await open(draft);
    if (workspace.isolation.kind === "none" && !mayBeBare) {
      throw new LoopliaError(
        "config-invalid",
        `it can't be isolated here: ${workspace.isolation.reason ?? ""}`,
      );
    }
    const message = `mcp-servers: installing ${name}@${version}, once on this machine`;
    observe({ type: "notice", level: "info", message });
    const command = `npm install --no-audit --no-fund --no-update-notifier --save-exact '${name}@${version}'`;
    const options = { timeoutMs: INSTALL_MS, maxOutput: MAX_OUTPUT, network: true };
    try {
      const { exitCode, output } = await workspace.run(command, { ...options, variables, signal });
      signal.throwIfAborted();
      if (exitCode !== 0) throw notInstalled(`${name}@${version}`, output);
    } finally {
      await close();
    }
    // Another run may have been faster.
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function notInstalled(spec: string, output: string): LoopliaError {
  const said = output.trimEnd().slice(-SHOWN).toWellFormed();
  return new LoopliaError("config-invalid", `npm could not install ${spec}: ${said}`);
}

/** What the package says is data: the file must be one of its own. */
async function programOf({ name, version, program }: NpxPackage, folder: string): Promise<string> {
  const own = join(folder, "node_modules", name);
  const problem = (what: string) =>
    new LoopliaError("config-invalid", `the package ${name}@${version} ${what}`);
  const text = await readFile(join(own, "package.json"), "utf8").catch((error: unknown) => {
    throw problem(`can't be read: ${messageOf(error)}`);
  });
  const facts = parseJson(text);
  const given = isObject(facts) ? facts.bin : undefined;
  const short = name.replace(/^.*\//, "");
  const programs = new Map(isObject(given) ? Object.entries(given) : [[short, given]]);
  const only = programs.size === 1 ? [...programs.values()][0] : programs.get(short);
  const path = program === undefined ? only : programs.get(program);
  if (typeof path !== "string") {
    throw problem(
      `has ${[...programs.keys()].join(", ")}: name one as \`args: [-p, "${name}@${version}", <name>]\``,
    );
  }
  const real = await realpath(join(own, path)).catch(() => "");
  if (isInside(await realpath(folder), real)) return real;
  throw problem(`has no file ${path}`);
}

// The setting `mcp-servers`: the shape of Claude Code's `.mcp.json`, below the names of the servers.
import { z } from "zod";
import { isObject, lazily, parseJson } from "../core/json.ts";

/** Only single `_` are allowed in a name, because `__` ends a name in `mcp__<server>__<tool>`. */
const NAME = /^[A-Za-z0-9](?:_?[A-Za-z0-9-]){0,31}$/;

const texts = lazily(() =>
  z.record(z.string().regex(/^[\w-]{1,100}$/, "is not a name"), z.string().max(10_000)),
);
const timeout = lazily(() => z.int().min(1).max(3_600).default(120));

/** Hidden folders hold what decides which programs run. */
const writtenPath = lazily(() =>
  z
    .string()
    .max(1_000)
    .regex(
      /^[^./\0][^/\0]*(?:\/[^./\0][^/\0]*)*$/,
      "must be a path below the working folder, in which no name begins with a dot",
    ),
);

const program = lazily(() =>
  z.strictObject({
    type: z.literal("stdio").optional(),
    command: z.string().min(1).max(1_000),
    args: z.array(z.string().max(10_000)).max(100).default([]),
    env: texts().default({}),
    network: z.boolean().optional(),
    worktree: z.enum(["none", "read"]).default("none"),
    write: z.array(writtenPath()).max(100).default([]),
    required: z.boolean().default(false),
    "timeout-seconds": timeout(),
  }),
);
const remote = lazily(() =>
  z.strictObject({
    type: z.literal("http").optional(),
    url: z.string().regex(/^https?:\/\/[^\s@]+$/, "must begin with https:// or http:// and hold no login"),
    headers: texts().default({}),
    required: z.boolean().default(false),
    "timeout-seconds": timeout(),
  }),
);

/** One server, as written in the settings. */
export const serverSchema = lazily(() => z.union([program(), remote()]));

type Server = { name: string } & z.infer<ReturnType<typeof serverSchema>>;

/** Servers in the given order, or every problem. `given` is a mapping, or its JSON. */
export function readServers(given: unknown): { value: Server[] } | { problem: string } {
  const parsed = typeof given === "string" ? parseJson(given) : toPlain(given);
  if (!isObject(parsed)) {
    return { problem: "must be a mapping of names to servers, each with a `command` or a `url`" };
  }
  const read = Object.entries(parsed).map(([name, server]) => readServer(name, server));
  const problems = read.flatMap((one) => ("problem" in one ? [one.problem] : []));
  if (problems.length > 0) return { problem: problems.join("; ") };
  return { value: read.flatMap((one) => ("value" in one ? [one.value] : [])) };
}

function readServer(name: string, given: unknown): { value: Server } | { problem: string } {
  const shown = JSON.stringify(name);
  if (!NAME.test(name)) {
    return { problem: `has the name ${shown}; use letters, digits, dashes and single underscores` };
  }
  const isRemote = isObject(given) && "url" in given;
  const checked = (isRemote ? remote() : program()).safeParse(given);
  if (checked.success) {
    const problem = "command" in checked.data ? npxProblem(checked.data) : undefined;
    if (problem === undefined) return { value: { ...checked.data, name } };
    return { problem: `has a server ${shown} that can't be used: ${problem}` };
  }
  const faults = checked.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  return { problem: `has a server ${shown} that can't be used: ${faults.join(", ")}` };
}

// `npx`: the package is installed once, so it needs one exact version.

const PACKAGE = /^((?:@[\w.~-]+\/)?[\w~][\w.~-]*)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/;

/** The package that `npx` starts, in one version. `program`: one of its programs, if it has several. */
export type NpxPackage = { name: string; version: string; program: string | undefined; args: string[] };

/** Undefined for a command other than `npx`, and for words that do not name one package in an exact version. */
export function readNpx({
  command,
  args,
}: {
  command: string;
  args: readonly string[];
}): NpxPackage | undefined {
  if (!isNpx(command)) return undefined;
  const words = args.flatMap((word) => (/^--package=/.test(word) ? ["-p", word.slice(10)] : [word]));
  while (/^(?:-y|--yes|-q|--quiet)$/.test(words[0] ?? "")) words.shift();
  const isNamed = words[0] === "-p" || words[0] === "--package";
  const [spec = "", ...rest] = isNamed ? words.slice(1) : words;
  const [, name, version] = PACKAGE.exec(spec) ?? [];
  const program = isNamed ? rest.shift() : undefined;
  if (name === undefined || version === undefined || program?.startsWith("-")) return undefined;
  return { name, version, program, args: rest };
}

function isNpx(command: string): boolean {
  return /^(?:.*\/)?npx$/.test(command);
}

function npxProblem(server: { command: string; args: readonly string[] }): string | undefined {
  if (!isNpx(server.command) || readNpx(server)) return undefined;
  const given = server.args.find((word) => !word.startsWith("-")) ?? "name";
  const name = given.replace(/(?!^)@.*$/, "");
  return `npx needs the exact version of one package: args: [-y, "${name}@1.2.3"]; \`npm view ${name} version\` prints the newest`;
}

/** Turns mappings of YAML into objects. */
export function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, inner]) => [String(key), toPlain(inner)]));
}

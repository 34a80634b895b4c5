// Bundles TypeScript entries: what they share stands in chunks of its own, beside the licences of what is bundled.
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, parse, resolve } from "node:path";
import { type GetModuleInfo, type Plugin, rolldown } from "rolldown";
import { describeLicenses, packageOf } from "./licenses.ts";

export const ROOT = resolve(import.meta.dirname, "..");

/** The entries of the program: the bundle's name → the source. */
export const PROGRAM: Readonly<Record<string, string>> = {
  "action/index": "src/entry/action.ts",
  "post/index": "src/entry/post.ts",
  "cli/index": "src/entry/cli.ts",
  "bridge/index": "src/entry/bridge.ts",
};

/** re2js asks once whether `eval` is there; an `import()` may be of a module that is loaded by then. */
const HARMLESS = new Set(["EVAL", "INEFFECTIVE_DYNAMIC_IMPORT"]);

type Modules = { getModuleInfo: GetModuleInfo };

/**
 * What each of these files loads at once is one chunk: opening many small files takes longer. A module is in the first chunk
 * that it belongs to. The Action's first process, which only hands over the keys, needs little; its clone is
 * started before the rest is loaded; and a task list needs nothing of what wakes a work on a pull request.
 */
const TOGETHER: readonly [chunk: string, source: string][] = [
  ["hand-over", "src/entry/action.ts"],
  ["clone", "src/git/remote.ts"],
  ["session", "src/entry/cli-main.ts"],
  ["turn", "src/agent/turn.ts"],
  ["todo", "src/todo/run.ts"],
  ["wake", "src/entry/action-main.ts"],
];

/** Bundles `entries` into `out`, which is replaced as a whole. The same sources give the same bytes. */
export async function bundle(entries: Readonly<Record<string, string>>, out: string): Promise<void> {
  const draft = `${out}.${process.pid}`;
  const build = await rolldown({
    cwd: ROOT,
    input: { ...entries },
    platform: "node",
    // React has two builds, and takes the larger and slower one unless told.
    transform: { target: "node20", define: { "process.env.NODE_ENV": '"production"' } },
    tsconfig: false,
    resolve: {
      alias: {
        // The entry that its package.json names calls a `require` that no bundler can follow.
        "jsonc-parser": "jsonc-parser/lib/esm/main.js",
        // The same code as modules, of which a bundler keeps only what is used.
        yaml: join(ROOT, "node_modules/yaml/browser/dist/index.js"),
      },
    },
    plugins: [leaveOutUnused],
    onLog: (_, { code, message }) => {
      if (!HARMLESS.has(code ?? "")) throw new Error(`The bundler warns: ${message}`);
    },
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: ({ name, moduleIds, facadeModuleId }) => {
      if (TOGETHER.some(([chunk]) => chunk === name)) return "chunks/[name].js";
      // A chunk without modules only passes on what another exports.
      const [prefix, id] = moduleIds.length > 0 ? ["", moduleIds.at(-1)] : ["import-", facadeModuleId];
      return `chunks/${prefix}${nameOf(id ?? "")}.js`;
    },
    codeSplitting: { groups: TOGETHER.map(([name, source]) => groupOf(name, join(ROOT, source))) },
  });
  await build.close();
  const chunks = output
    .filter((file) => file.type === "chunk")
    .map((chunk) => ({ ...chunk, code: requireBuiltIns(chunk.code) }));
  for (const { fileName, code } of chunks) {
    await mkdir(dirname(join(draft, fileName)), { recursive: true });
    await writeFile(join(draft, fileName), code, { mode: code.startsWith("#!") ? 0o755 : 0o644 });
  }
  const sources = chunks.flatMap(({ moduleIds }) => moduleIds);
  await writeFile(join(draft, "licenses.txt"), await describeLicenses(sources));
  await rm(out, { recursive: true, force: true });
  await rename(draft, out);
}

/**
 * Node's own modules by `require`: for an `import`, Node copies each of their exports and so loads what hides behind some of
 * them, as Web Crypto. Done to the statements that a chunk begins with.
 */
function requireBuiltIns(code: string): string {
  const [head = "", first = ""] = /^(#!.*\n)?(?:import[^;]*;)*/.exec(code) ?? [];
  const IMPORT = /import(?:([\w$]+),?)?(?:\{([^}]*)\}|\*as ([\w$]+))?from"(node:(?!module")[\w/]+)";/g;
  const required = head.slice(first.length).replace(IMPORT, (_, whole, names, all, id) => {
    const named = names?.replace(/([\w$]+) as ([\w$]+)/g, "$1:$2");
    const declared = [whole, all].flatMap((name) => (name ? [`${name}=$require("${id}")`] : []));
    if (named !== undefined) declared.push(`{${named}}=$require("${id}")`);
    return `const ${declared.join(",")};`;
  });
  if (required === head.slice(first.length)) return code;
  const prelude =
    'import{createRequire as $create}from"node:module";const $require=$create(import.meta.url);';
  return first + prelude + required + code.slice(head.length);
}

/**
 * What packages load for what this program never does, and what stands in for it: the package's folder (a part of its path),
 * the module as it is imported, the code.
 *
 * `@actions/core` would load a whole HTTP client for a token of an identity provider. `@actions/artifact` would load what finds,
 * downloads and deletes artifacts, and through it `unzip-stream`, whose dependencies `chainsaw`, `traverse` and `buffers` have
 * no licence file and no maintainer. It asks `@actions/http-client` for no request by `fetch` through a proxy, and `archiver` for
 * no patterns of files and no tar. The packages for clouds make all resources of the SDK's clients, and the program only posts
 * messages; as the SDK's core is loaded at each start, the resources would be too. Ink loads the developer tools of React if DEV
 * is set; they are not installed.
 */
const UNUSED: readonly [folder: string, module: string, code: string][] = [
  ["@actions/core/", "./oidc-utils.js", "export class OidcClient {}"],
  [
    "@actions/artifact/",
    "./download/download-artifact.js",
    nothing("downloadArtifactPublic", "downloadArtifactInternal"),
  ],
  [
    "@actions/artifact/",
    "./delete/delete-artifact.js",
    nothing("deleteArtifactPublic", "deleteArtifactInternal"),
  ],
  ["@actions/artifact/", "./find/get-artifact.js", nothing("getArtifactPublic", "getArtifactInternal")],
  ["@actions/artifact/", "./find/list-artifacts.js", nothing("listArtifactsPublic", "listArtifactsInternal")],
  ["@actions/http-client/", "undici", nothing("ProxyAgent")],
  ["/archiver-utils/", "./file.js", "export default {};"],
  ["/archiver/", "readdir-glob", "export default {};"],
  ["/archiver/", "tar-stream", "export default {};"],
  [
    "@anthropic-ai/",
    "@anthropic-ai/sdk/resources/index",
    "export class Messages {}\nexport class Beta { constructor() { this.messages = {}; } }",
  ],
  ["/ink/", "./devtools.js", "export {};"],
];

const leaveOutUnused: Plugin = {
  name: "leave-out-unused",
  resolveId: (id, importer = "") => {
    const at = UNUSED.findIndex(([folder, module]) => id === module && importer.includes(folder));
    return at < 0 ? undefined : { id: `\0unused/${at}/${id}` };
  },
  load: (id) => UNUSED[Number(/^\0unused\/(\d+)\//.exec(id)?.[1])]?.[2],
};

function nothing(...names: string[]): string {
  return names.map((name) => `export const ${name} = undefined;\n`).join("");
}

function groupOf(name: string, source: string) {
  let together: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    name: (id: string, modules: Modules): string | null => {
      together ??= loadedBy(source, modules);
      return together.has(id) ? name : null;
    },
  };
}

/** A source without exports is left out: it acts when it is loaded, and others load its chunk for what they share. */
function loadedBy(source: string, modules: Modules): ReadonlySet<string> {
  const importsOf = (id: string) => modules.getModuleInfo(id)?.importedIds ?? [];
  const acts = modules.getModuleInfo(source)?.exports.length === 0;
  const found = new Set(acts ? importsOf(source) : [source]);
  for (const id of found) {
    for (const imported of importsOf(id)) found.add(imported);
  }
  return found;
}

/** The package's name, or the project's file's: neither changes with the names of other chunks. */
function nameOf(moduleId: string): string {
  const name = packageOf(moduleId)?.name.replace(/^@/, "").replaceAll("/", "-");
  return name ?? parse(moduleId).name.replaceAll("\0", "");
}

// The house as src/README.md describes it. Rules in prose decay; these fail.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { groupBy } from "../src/core/json.ts";

const src = resolve(import.meta.dirname, "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));

const RULES = ["core", "approval", "config", "tools", "publish"];
/** What each room may import besides itself. */
const ALLOWED = new Map<string, readonly string[]>([
  ["core", []],
  ["approval", ["core"]],
  ["config", ["core"]],
  ["tools", ["core", "config"]],
  ["publish", ["core", "config"]],
  ["agent", RULES],
  ["content", [...RULES, "agent"]],
  ["todo", [...RULES, "agent"]],
  ["work", [...RULES, "agent", "content", "todo"]],
  ["cli", [...RULES, "agent", "content", "todo", "work"]],
  ["store", ["core"]],
  ["sandbox", ["core", "store"]],
  ["files", ["core", "store", "sandbox"]],
  ["mcp", ["core"]],
  ["git", ["core", "store", "sandbox", "files"]],
  ["terminal", ["core", "store", "sandbox"]],
  ["programs", ["core", "sandbox"]],
  ...["anthropic", "openai", "offline", "github"].map((room): [string, string[]] => [room, ["core"]]),
]);
/** No Node modules but hashes, no clock, no random source. */
const PURE = /^(core|approval|publish)\//;

/** Exported for a test alone. The list only becomes shorter: test through what the room offers instead. */
const TESTED = new Set<string>([
  "anthropic/model.ts: AnthropicOptions",
  "anthropic/prices.ts: PRICES",
  "anthropic/model.ts: priceOf",
  "cli/live/progress.ts: progressLines",
  "cli/read.ts: logLine",
  "config/pipeline.ts: findCycle",
  "config/pipeline.ts: findSinks",
  "config/pipeline.ts: parsePipeline",
  "config/pipeline.ts: sortByRequirement",
  "config/settings.ts: allowedText",
  "config/tasks.ts: actionOutputs",
  "content/artifact.ts: ContentSummary",
  "content/artifact.ts: OutlineSection",
  "content/artifact.ts: WritingIdeas",
  "content/artifact.ts: artifactSchemas",
  "content/checks/checks.ts: languagesOf",
  "content/checks/checks.ts: proseOf",
  "content/plan.ts: hashInputs",
  "core/lines.ts: hashLine",
  "git/repository.ts: trustedCommit",
  "git/state-ref.ts: createWaitingLine",
  "sandbox/isolation.ts: explainAbsence",
  "store/segments.ts: readLines",
  "store/work.ts: lastOrdinal",
  "store/work.ts: openWorkStore",
  "todo/attempt.ts: checkSummary",
  "todo/attempt.ts: findSummary",
  "todo/revise.ts: guardTodo",
  "todo/write.ts: mergeRepair",
  "tools/edit-file.ts: applyEdit",
  "tools/files.ts: splitWords",
  "tools/registry.ts: toolDefinition",
  "work/asked/own-questions.ts: baseEdits",
  "work/find.ts: readInputs",
  "work/host.ts: createPullRequestHost",
  "work/host.ts: followProgress",
  "work/in-hand.ts: adoptComments",
  "work/in-hand.ts: isOurComment",
  "work/in-hand.ts: isOurs",
  "work/inbox.ts: carryOut",
  "work/people.ts: outputsOf",
  "work/project.ts: projectStatus",
  "work/project.ts: settleRequest",
]);

const roomOf = (file: string): string => file.split("/")[0] ?? "";
const codeOf = (file: string): string => (texts.get(file) ?? "").replace(/^\s*\/\/.*$/gm, "");

type Import = { target: string; names: string[]; isLazy: boolean };

function importsOf(file: string): Import[] {
  const code = codeOf(file);
  const target = (path: string): string => relative(src, resolve(src, dirname(file), path));
  const names = (list: string): string[] =>
    list.split(",").map(
      (name) =>
        name
          .trim()
          .replace(/^type /, "")
          .split(/ as |:/)[0]
          ?.trim() ?? "",
    );
  const still = [
    ...code.matchAll(/(?:import|export) (?:type )?(?:\{([^}]*)\}|[^;"]*?)(?: from )?"(\.[^"]+\.ts)"/g),
  ];
  const lazy = [
    ...code.matchAll(/(?:\{([^{}]*)\} = )?\(?await import\(\s*"(\.[^"]+\.ts)"\s*\)\)?(?:\.(\w+))?/g),
    ...code.matchAll(/import\(\s*"(\.[^"]+\.ts)"\s*\)(?:\.then\(\(\{([^}]*)\})?/g),
  ];
  return [
    ...still.map(([, list, path = ""]) => ({
      target: target(path),
      names: names(list ?? "*"),
      isLazy: false,
    })),
    ...lazy.map(([whole, one, two, three]) => {
      const path = one?.startsWith(".") ? one : (two ?? "");
      const list = one?.startsWith(".") ? two : (one ?? three);
      const isWhole = list === undefined && !/\.\w+$/.test(whole);
      return { target: target(path), names: isWhole ? ["*"] : names(list ?? ""), isLazy: true };
    }),
  ];
}

function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string | undefined => {
    if (done.has(node)) return undefined;
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(" → ");
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}

type Export = { file: string; name: string };
const exported: Export[] = files.flatMap((file) =>
  [
    ...codeOf(file).matchAll(
      /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|abstract class|type|interface) (\w+)/gm,
    ),
  ].map(([, name = ""]) => ({ file, name })),
);

describe("the house", () => {
  it("has a row for every room", () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].filter((room) => room !== "entry" && !ALLOWED.has(room))).toEqual([]);
  });

  it.each(files)("%s imports only along the arrow", (file) => {
    const allowed = ALLOWED.get(roomOf(file));
    for (const { target } of importsOf(file)) {
      expect(files, `${file} imports a file that does not exist: ${target}`).toContain(target);
      if (allowed && roomOf(target) !== roomOf(file)) {
        expect(allowed, `${file} → ${target}`).toContain(roomOf(target));
      }
    }
  });

  it("is described by files that are there", () => {
    const page = readFileSync(join(src, "README.md"), "utf8");
    const named = [...page.matchAll(/`([\w-]+\/[\w/-]+\.ts)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(50);
    const gone = named.filter((path) => !texts.has(path) && !existsSync(join(src, "..", path)));
    expect(gone).toEqual([]);
  });

  it("has no cycle of files", () => {
    const still = (file: string) => importsOf(file).filter(({ isLazy }) => !isLazy);
    const edges = files.map((file) => [file, new Set(still(file).map(({ target }) => target))] as const);
    expect(findCycle(new Map(edges))).toBeUndefined();
  });

  it("has no cycle of rooms, lazy imports included", () => {
    const edges = new Map<string, Set<string>>();
    for (const file of files) {
      const targets = edges.get(roomOf(file)) ?? new Set();
      for (const { target } of importsOf(file))
        if (roomOf(target) !== roomOf(file)) targets.add(roomOf(target));
      edges.set(roomOf(file), targets);
    }
    expect(findCycle(edges)).toBeUndefined();
  });

  it("reads the process's environment and arguments only in entry", () => {
    const elsewhere = files.filter((file) => roomOf(file) !== "entry");
    expect(elsewhere.filter((file) => /process\.(env|argv)\b|@actions\/core/.test(codeOf(file)))).toEqual([]);
  });

  it("keeps pure files pure", () => {
    const impure = /from "node:(?!crypto)|Date\.now\(|new Date\(\)|Math\.random|performance\.now|console\./;
    expect(files.filter((file) => PURE.test(file) && impure.test(codeOf(file)))).toEqual([]);
  });

  it("uses nothing that Node 20 lacks where the types know it because tests use it", () => {
    expect(files.filter((file) => /\bwithResolvers\b/.test(codeOf(file)))).toEqual([]);
  });

  it("exports a name once, and only what another file of src imports", () => {
    const users = new Map<string, Set<string>>();
    for (const file of files) {
      for (const { target, names } of importsOf(file)) {
        users.set(target, new Set([...(users.get(target) ?? []), ...names]));
      }
    }
    const unused = exported.filter(({ file, name }) => {
      const names = users.get(file);
      return !names?.has(name) && !names?.has("*") && !TESTED.has(`${file}: ${name}`);
    });
    expect(unused.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
    const homes = groupBy(exported, ({ name }) => name);
    const twice = [...homes].filter(([, list]) => new Set(list.map(({ file }) => file)).size > 1);
    expect(twice.map(([name]) => name)).toEqual([]);
  });

  it("takes the seed of every property test from one place", () => {
    const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
    const direct = tests.filter(
      (file) =>
        file.endsWith(".ts") &&
        /^import .*"fast-check"/m.test(readFileSync(join(import.meta.dirname, file), "utf8")),
    );
    expect(direct).toEqual([join("fakes", "properties.ts")]);
  });
});

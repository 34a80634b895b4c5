// Commands and file tools look for keys: in processes, on the machine, behind paths, and through planted programs.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCanaryMachine } from "../fakes/canary-machine.ts";
import { WAYS } from "../fakes/canary-ways.ts";
import {
  type Attack,
  type HostileCall,
  hostileFolder,
  hostileRun,
  putFiles,
  run,
  runScript,
  type Scene,
} from "./hostile-run.ts";

const canary = () => `sk-ant-canary-${randomBytes(12).toString("hex")}`;

const machine: Scene = {
  name: "reading the machine, isolated",
  async attack() {
    const world = await makeCanaryMachine();
    try {
      putFiles(world.root, {
        "to-do.json":
          '{"schema_version":1,"source_files":[],"tasks":[{"id":"T1","title":"x","priority":1,"status":"todo"}]}',
      });
      const variables = Object.entries(world.places)
        .map(([name, value]) => `${name}='${value}'; `)
        .join("");
      const turns = inParts(WAYS, 12).map((part) =>
        part.map(({ command }) => runScript(world.root, variables + command)),
      );
      const ended = await hostileRun(
        {
          ...{ folder: world.root, key: world.key, flags: ["--sandbox", "required"] },
          environment: {
            HOME: world.places.HOME_FOLDER,
            CANARY_KEY: world.key,
            RUNNER_TEMP: world.places.TEMP,
            LOOPLIA_STATE_DIR: world.places.STATE,
          },
        },
        turns,
      );
      return WAYS.map(({ title }, at): Attack => {
        const text = ended.results[at]?.text;
        // A search of the worktree also finds the scripts themselves.
        const said = text?.replace(/^.*scripts\/attack-.*$/gm, "");
        const found = said === undefined || said.includes(world.key) || /\[redacted\]|\breached\b/.test(said);
        return { row: "keys", name: `${title} (isolated)`, held: !found, detail: text ?? ended.stderr };
      });
    } finally {
      await world.remove();
    }
  },
};

// The memory of a process of the same user can be read where the kernel lets it: without isolation that is not promised.
const OWN = [
  "env",
  "/proc/self/environ",
  "the parent's environ",
  "the first process's environ",
  "every process's environ",
  "threads of every process",
  "every command line",
  "ps with environments",
  "a debugger",
];

const processes: Scene = {
  name: "reading the program, not isolated",
  async attack() {
    const key = canary();
    const ways = WAYS.filter(({ title }) => OWN.includes(title));
    const folder = hostileFolder();
    // What is read is encoded, so that nothing but its absence keeps it from the model. Other scenes' keys do not count.
    const filter = `tr 'a-z' 'n-za-m' | grep -aoF '${rotated(key)}' && echo reached`;
    const turns = ways.map(({ command }) => {
      const text = command.replaceAll("canary-key-", "sk-ant-canary-");
      return [runScript(folder, `{ ${text}\n} 2>&1 | ${filter}`)];
    });
    turns.push([runScript(folder, `echo ${key} 2>&1 | ${filter}`)]);
    const ended = await hostileRun({ folder, key, flags: ["--sandbox", "off"] }, turns);
    const isSeen = ended.results.at(-1)?.text.includes("reached") === true;
    const control: Attack = { row: "control", name: "a key that is there is found", held: isSeen };
    const attacks = ways.map(({ title }, at): Attack => {
      const result = ended.results[at];
      const held = result !== undefined && !/\breached\b/.test(result.text);
      return { row: "keys", name: `${title} (not isolated)`, held, detail: result?.text ?? ended.stderr };
    });
    return [control, ...attacks];
  },
};

/** ROT13 of small letters. */
function rotated(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
}

const TOOLS = ["git", "node", "bwrap", "npx", "rg", "prlimit"];
const FOLDERS = [".venv/bin", "node_modules/.bin", "bin"];

const planted: Scene = {
  name: "planted programs",
  isQuick: true,
  async attack() {
    const key = canary();
    const folder = hostileFolder();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const outside = mkdtempSync(join(tmpdir(), "looplia-planted-"));
    const markOf = (place: string, tool: string) => join(outside, `${place.replaceAll("/", "-")}-${tool}`);
    const plants = FOLDERS.flatMap((place) =>
      TOOLS.map(
        (tool) =>
          `mkdir -p ${place}; printf '#!/bin/sh\\nenv > ${markOf(place, tool)}\\nexit 1\\n' > ${place}/${tool}; chmod 755 ${place}/${tool}`,
      ),
    );
    const environment = {
      PATH: [...FOLDERS.map((place) => join(folder, place)), process.env.PATH].join(":"),
    };
    const place = { folder, key, environment };
    await hostileRun({ ...place, flags: ["--sandbox", "off"] }, [[runScript(folder, plants.join("\n"))]]);
    const quiet: HostileCall[] = [
      { name: "listFiles", input: { glob: "*" } },
      { name: "editFile", input: { path: "new.md", oldStr: "", newStr: "x" } },
    ];
    await hostileRun({ ...place, flags: ["--sandbox", "auto"] }, [quiet, [run(":")]]);
    return FOLDERS.flatMap((where) =>
      TOOLS.map((tool): Attack => {
        const isPlanted = existsSync(join(folder, where, tool));
        const ran = existsSync(markOf(where, tool));
        return {
          row: "planted tools",
          name: `${tool} in ${where}`,
          held: isPlanted && !ran,
          detail: ran ? "it was started" : "not planted",
        };
      }),
    );
  },
};

const PATHS = [
  "../outside.txt",
  "a/../../outside.txt",
  "./../outside.txt",
  "/etc/passwd",
  "/proc/self/environ",
  "//proc/self/environ",
  "/proc/self/cwd/.git/config",
  "/proc/self/root/etc/passwd",
  "/sys/kernel/profiling",
  "/dev/stdin",
  "away.txt",
  "away/outside.txt",
  "loop/loop/away.txt",
  ".git/config",
  ".GIT/config",
  "git~1/config",
  ".git /config",
  ".git./config",
  ".git::$INDEX_ALLOCATION/config",
  ".g\u200cit/config",
  ".gi\u0074/./config",
  "sub/../.git/config",
  ".looplia/state/secret.txt",
  ".LOOPLIA/STATE/secret.txt",
  ".looplia/./state/secret.txt",
  ".looplia-write-0-0.tmp",
  "~/outside.txt",
  "file:///etc/passwd",
  "..\\outside.txt",
  "a\u0000/../../outside.txt",
];

const paths: Scene = {
  name: "paths that lead outside",
  isQuick: true,
  async attack() {
    const key = canary();
    const folder = hostileFolder({ "a/x.txt": "x", ".looplia/state/secret.txt": "outside-canary" });
    execFileSync("git", ["init", "-q"], { cwd: folder });
    putFiles(folder, { "../outside.txt": "outside-canary", ".git/config": "[x]\n\ty = outside-canary\n" });
    symlinkSync(join(folder, "../outside.txt"), join(folder, "away.txt"));
    symlinkSync(join(folder, ".."), join(folder, "away"));
    symlinkSync(".", join(folder, "loop"));
    chmodSync(join(folder, ".git/config"), 0o644);
    const reads = PATHS.map((path) => [{ name: "readFile", input: { path } }]);
    const globs = ["../*", "/etc/*", ".git/**", "away/*", "**/../../*", ".looplia/state/**"];
    const lists = globs.map((glob) => [{ name: "listFiles", input: { glob } }]);
    const searches = ["../", "/", ".git", "away"].map((path) => [
      {
        name: "searchCode",
        input: { pattern: "outside-canary", query: "outside-canary", path, glob: `${path}/**` },
      },
    ]);
    const control = [{ name: "readFile", input: { path: "a/x.txt" } }];
    const turns = [...reads, ...lists, ...searches, control];
    const ended = await hostileRun({ folder, key, flags: ["--max-turns", "80"] }, turns);
    const names = [
      ...PATHS.map((path) => `readFile ${JSON.stringify(path)}`),
      ...globs.map((glob) => `listFiles ${glob}`),
      ...["../", "/", ".git", "away"].map((path) => `searchCode in ${path}`),
    ];
    const isRead = ended.results[names.length]?.text.includes("x") === true;
    const own: Attack = { row: "control", name: "readFile a/x.txt is allowed", held: isRead };
    const attacks = names.map((name, at): Attack => {
      const result = ended.results[at];
      const said = result?.text ?? "";
      const isOut = said.includes("outside-canary") && !name.startsWith("searchCode");
      const isListed =
        /outside\.txt:|passwd:|root:x:0|state\/secret\.txt[:\s]/.test(said) ||
        (name.startsWith("listFiles") &&
          /outside\.txt|passwd|\.git\/config|secret\.txt/.test(said) &&
          !result?.isError);
      return {
        row: "paths",
        name,
        held: result !== undefined && !isOut && !isListed,
        detail: said || ended.stderr,
      };
    });
    return [own, ...attacks];
  },
};

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

export const keyScenes: Scene[] = [machine, processes, planted, paths];

// A hostile command does all that it can think of to each file that decides what runs or who has permission.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listDecidingPaths } from "../../src/approval/gate.ts";
import type { PutBack } from "../../src/core/ports.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { openRuleFiles } from "../../src/sandbox/rule-files.ts";
import { runCommandTool } from "../../src/tools/run-command.ts";
import { isolate } from "../fakes/isolation.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };
const SETTINGS = "conf/settings.yml";
const LISTED = listDecidingPaths(SETTINGS);
const NAMES = [
  "looplia.yml",
  ".looplia/pipelines/a.yaml",
  ".looplia/.claude/agents/a.md",
  ".looplia/CLAUDE.md",
  ".looplia/user-profile.json",
  ".looplia/contentItem/s-1/session.json",
  ".claude/settings.json",
  ".github/workflows/ci.yml",
  ".github/actions/x/node_modules/y/index.js",
  "action.yml",
  "action.yaml",
  "CODEOWNERS",
  ".npmrc",
  ".envrc",
  ".husky/pre-commit",
];
const LIST = [SETTINGS, ...NAMES, ...NAMES.map((name) => `docs/deep/${name}`)];
const MODES = ["required", "off"] as const;

async function openHostile(sandbox: "required" | "off", files: Record<string, string>) {
  const { base, root } = await makeWorktree(files);
  const told: PutBack[] = [];
  const environment = { PATH: process.env.PATH ?? "", HOME: base };
  const workspace = await openWorkspace(root, {
    ...{ environment, systemTemp: join(base, "temp"), isolate: isolate({ sandbox, environment }) },
    rules: {
      ...LISTED,
      aside: join(base, "put-back"),
      notify: (putBack) => told.push(putBack),
    },
  });
  return { base, root, workspace, told };
}

/** Kind, mode, number of names and bytes of everything that is listed. */
function look(root: string): string[] {
  const lines: string[] = [];
  const walk = (folder: string) => {
    for (const name of readdirSync(join(root, folder)).sort()) {
      if (name === ".git") continue; // kept there while commands run
      const path = join(folder, name);
      const found = lstatSync(join(root, path));
      const isListed = LISTED.decides(path);
      if (found.isDirectory()) {
        if (isListed) lines.push(`${path}/`);
        walk(path);
      } else if (!isListed && !LISTED.leadsThere(path)) continue;
      else if (found.isSymbolicLink()) lines.push(`${path} -> ${readlinkSync(join(root, path))}`);
      else {
        const bytes = readFileSync(join(root, path), "utf8");
        lines.push(`${path} ${found.mode & 0o7777} ${found.nlink} ${bytes}`);
      }
    }
  };
  walk("");
  return lines;
}

const ATTACKS: Record<string, (path: string, at: number) => string> = {
  "write into it": (path) => `echo evil >> ${path}`,
  "write as many bytes over it": (path) => `printf x | dd of=${path} conv=notrunc`,
  "remove it": (path) => `rm -rf ${path}`,
  "replace it": (path) => `rm -rf ${path}; echo evil > ${path}`,
  "rename another over it": (path, at) => `echo evil > new-${at}; mv -f new-${at} ${path}`,
  "rename it": (path) => `mv ${path} ${path}.old`,
  "rename its folder": (path, at) => `mv ${dirname(path)} moved-${at}`,
  "put a folder there": (path) => `rm -f ${path}; mkdir -p ${path}; echo evil > ${path}/evil`,
  "link over it": (path) => `echo evil > evil; ln -sfn $PWD/evil ${path}`,
  "put a link in the place of its folder": (path, at) =>
    `d=${dirname(path)}; [ $d = . ] && d=no-such-folder; cp -r $d copy-${at}; echo evil > copy-${at}/$(basename ${path}); rm -rf $d; ln -s $PWD/copy-${at} $d`,
  "give it a second name": (path, at) => `ln ${path} hard-${at}`,
  "write through a second name": (path, at) => `ln ${path} hard-${at}; echo evil > hard-${at}`,
  "make it executable by all": (path) => `chmod 777 ${path}`,
  "close its folder": (path) => `echo evil >> ${path}; chmod 555 ${dirname(path)}`,
  "put a pipe there": (path) => `rm -f ${path}; mkfifo ${path}`,
};

const onEach = (attack: (path: string, at: number) => string) => LIST.map(attack).join("\n");

describe.each(MODES)("sandbox: %s", (sandbox) => {
  test.each(Object.entries(ATTACKS))("every path that is there: %s, two runs in a row", async (_, attack) => {
    const files = Object.fromEntries(LIST.map((path) => [path, `as it was: ${path}\n`]));
    const { root, workspace } = await openHostile(sandbox, { ...files, "a.md": "text\n" });
    const before = look(root);
    expect(before.filter((line) => line.includes("as it was"))).toHaveLength(LIST.length);
    for (let run = 0; run < 2; run += 1) {
      const { putBack } = await workspace.run(`echo mine > own.md\n${onEach(attack)}`, limits);
      expect(look(root)).toEqual(before);
      expect(putBack?.failed ?? []).toEqual([]);
      if (sandbox === "off" && run === 0) expect(putBack).toBeDefined();
    }
    expect(readFileSync(join(root, "own.md"), "utf8")).toBe("mine\n");
    await workspace.run("for f in hard-*; do echo evil > $f; done; true", limits);
    expect(look(root)).toEqual(before);
  });

  test("every path that is not there yet: made, moved there, linked there, made by its folder's link", async () => {
    const make = (path: string) => `mkdir -p ${dirname(path)}; echo evil > ${path}`;
    const ways = [
      make,
      (path: string) => `mkdir -p ${dirname(path)}; echo evil > x; mv x ${path}`,
      (path: string) => `mkdir -p ${dirname(path)}; echo evil > evil; ln -s $PWD/evil ${path}`,
      (path: string, at: number) =>
        `mkdir -p made-${at}; echo evil > made-${at}/x; mkdir -p ${dirname(dirname(path))}; ln -s $PWD/made-${at} ${dirname(path)}`,
      (path: string) => `mkdir -p ${path}`,
    ];
    for (const way of ways) {
      const { root, workspace, base } = await openHostile(sandbox, { "a.md": "text\n" });
      const { putBack } = await workspace.run(onEach(way), limits);
      expect(look(root)).toEqual([]);
      expect(putBack?.failed).toEqual([]);
      expect(existsSync(join(root, "a.md"))).toBe(true);
      const { putBack: again } = await workspace.run(onEach(make), limits);
      expect(look(root)).toEqual([]);
      expect(again?.paths).toContain("looplia.yml");
      expect(readFileSync(join(again?.copy ?? base, "looplia.yml"), "utf8")).toBe("evil\n");
    }
  });

  test("spelled otherwise, and through a link that was there before", async () => {
    const { root, workspace } = await openHostile(sandbox, {
      "real/agents/a.md": "mine\n",
      "AGENTS.md": "mine\n",
    });
    symlinkSync("real", join(root, ".claude"));
    mkdirSync(join(root, ".looplia"));
    symlinkSync("../AGENTS.md", join(root, ".looplia/CLAUDE.md"));
    const spelled = ["LOOPLIA.yml", ".GitHub/x", "Action.YML", "docs/.Looplia/Pipelines/x"];
    const lines = spelled.map((path) => `mkdir -p ${dirname(path)}; echo evil > ${path}`);
    await workspace.run(
      [...lines, "echo evil > .claude/agents/a.md", "echo evil > AGENTS.md"].join("\n"),
      limits,
    );
    expect(look(root)).toEqual([
      ".claude -> real",
      ".looplia/CLAUDE.md -> ../AGENTS.md",
      expect.stringMatching(/^AGENTS\.md .* mine\n$/),
    ]);
    expect(readFileSync(join(root, "real/agents/a.md"), "utf8")).toBe("mine\n");
  });

  test("what is put back is told, and the model is told to use editFile", async () => {
    const { workspace, told } = await openHostile(sandbox, { "a.md": "text\n" });
    const tool = {
      command: "echo 'sandbox: off' > looplia.yml; mkdir .github; echo x > .github/a; echo said",
    };
    const reply = await callTool(runCommandTool, tool, makeContext(workspace));
    expect(reply.text).toMatch(
      /^Exit code 0\.\nThe command changed "\.github", "looplia\.yml"\. The change was undone: .* use editFile, which asks as well\.\nsaid\n$/,
    );
    expect("changes" in reply && reply.changes).toEqual([
      { path: ".github/a", after: "x\n" },
      { path: "looplia.yml", after: "sandbox: off\n" },
    ]);
    expect(told.map(({ paths }) => paths)).toEqual([[".github", "looplia.yml"]]);
    expect(readFileSync(join(told[0]?.copy ?? "", "looplia.yml"), "utf8")).toBe("sandbox: off\n");
  });

  test("a command leaves no file with a name of the program's temporary ones, and tools refuse such names", async () => {
    const { root, workspace } = await openHostile(sandbox, { "docs/a.md": "text\n" });
    const name = `.looplia-write-0123456789ab-${process.pid}-00ff00ff`;
    const { putBack } = await workspace.run(
      `echo evil > ${name}; mkdir docs/${name}; echo evil > docs/${name}/x`,
      limits,
    );
    expect(putBack).toMatchObject({ paths: [name, `docs/${name}`], failed: [] });
    expect(
      [readdirSync(root), readdirSync(join(root, "docs"))].flat().filter((one) => one !== ".git"),
    ).toEqual(["docs", "a.md"]);
    for (const path of [name, `docs/${name.toUpperCase()}/x`]) {
      await expect(workspace.forTools.writeText(path, "x")).rejects.toMatchObject({ code: "config-invalid" });
      await expect(workspace.forTools.readText(path)).rejects.toThrow(
        /only the program uses files of this name/,
      );
    }
  });

  test("what the program writes while a command ends is not taken away", async () => {
    const { root, workspace } = await openHostile(sandbox, {});
    const running = workspace.run("touch ready; while [ ! -e go ]; do sleep 0.02; done", limits);
    await expect.poll(() => existsSync(join(root, "ready"))).toBe(true);
    const writes = Array.from({ length: 300 }, (_, at) => workspace.writeAtomic(`made/${at}.md`, "made\n"));
    writeFileSync(join(root, "go"), "");
    await Promise.all(writes);
    expect((await running).putBack).toBeUndefined();
    expect(readdirSync(join(root, "made"))).toHaveLength(300);
  });

  test("where memory runs out a command is ended before the program", async () => {
    const { workspace } = await openHostile(sandbox, {});
    const { output } = await workspace.run(
      "cat /proc/self/oom_score_adj; sh -c 'cat /proc/self/oom_score_adj'",
      limits,
    );
    expect(output).toBe("1000\n1000\n");
  });

  test("a command that is stopped is looked after as well", async () => {
    const { root, workspace } = await openHostile(sandbox, {});
    const stop = new AbortController();
    const running = workspace.run("echo evil > action.yml; touch ready; sleep 100", {
      ...limits,
      signal: stop.signal,
    });
    await expect.poll(() => existsSync(join(root, "ready"))).toBe(true);
    stop.abort();
    expect((await running).putBack?.paths).toEqual(["action.yml"]);
    expect(look(root)).toEqual([]);
  });

  test("two commands at once: neither takes what the other made for what was there", async () => {
    const { root, workspace } = await openHostile(sandbox, { ".npmrc": "mine\n" });
    const until = (name: string) => `while [ ! -e ${name} ]; do sleep 0.02; done`;
    const first = workspace.run(`echo evil > action.yml; touch one; ${until("two")}`, limits);
    await expect.poll(() => existsSync(join(root, "one"))).toBe(true);
    const second = workspace.run(`touch two; ${until("three")}; echo evil > .envrc`, limits);
    await first;
    expect(look(root)).toEqual([`.npmrc ${0o644} 1 mine\n`]);
    writeFileSync(join(root, "three"), "");
    expect((await second).putBack?.paths).toEqual([".envrc"]);
    expect(look(root)).toEqual([`.npmrc ${0o644} 1 mine\n`]);
  });

  test("what the program writes while a command runs stays, and a command can't change it", async () => {
    const { root, workspace } = await openHostile(sandbox, {
      "action.yml": "mine\n",
      ".looplia/contentItem/s/a": "1",
    });
    const end =
      "touch ready; while [ ! -e go ]; do sleep 0.02; done; echo evil >> action.yml; echo evil > CODEOWNERS";
    const running = workspace.run(`${end}; echo evil > .looplia/contentItem/s/b`, limits);
    await expect.poll(() => existsSync(join(root, "ready"))).toBe(true);
    await workspace.writeAtomic(".looplia/contentItem/s/b", "made\n");
    await workspace.writeAtomic("CODEOWNERS", "made\n");
    await workspace.forTools.writeText("action.yml", "approved\n");
    await workspace.remove(".looplia/contentItem/s/a");
    writeFileSync(join(root, "go"), "");
    await running;
    expect(look(root).filter((line) => !line.endsWith("/"))).toEqual([
      expect.stringMatching(/^\.looplia\/contentItem\/s\/b .* made\n$/),
      expect.stringMatching(/^CODEOWNERS .* made\n$/),
      expect.stringMatching(/^action\.yml .* approved\n$/),
    ]);
  });
});

test.each(MODES)(
  "sandbox: %s: what the program and others write to the state meanwhile stays",
  async (sandbox) => {
    const { root, workspace } = await openHostile(sandbox, {
      ".looplia/state/w/a": "1",
      "docs/.looplia/state/w/a": "1",
    });
    const running = workspace.run("touch ready; while [ ! -e go ]; do sleep 0.02; done", limits);
    await expect.poll(() => existsSync(join(root, "ready"))).toBe(true);
    for (const folder of [".looplia", "docs/.looplia"]) {
      writeFileSync(join(root, folder, "state/w/a"), "2");
      writeFileSync(join(root, folder, "state/w/b"), "2");
    }
    writeFileSync(join(root, "go"), "");
    expect((await running).putBack).toBeUndefined();
    for (const folder of [".looplia", "docs/.looplia"])
      expect(["a", "b"].map((name) => readFileSync(join(root, folder, "state/w", name), "utf8"))).toEqual([
        "2",
        "2",
      ]);
  },
);

test("of 800 folders only those are read again in which something changed", async () => {
  const names = Array.from({ length: 800 }, (_, at) => `f${at % 20}/g${at}`);
  const files = Object.fromEntries(names.map((name) => [`${name}/a.md`, "text\n"]));
  const { root } = await openHostile("off", { ...files, "looplia.yml": "mine\n" });
  let looks = 0;
  const list = {
    ...LISTED,
    mayMatter(name: string) {
      looks += 1;
      return LISTED.mayMatter(name);
    },
  };
  const rules = openRuleFiles(root, list, join(root, "../put-back"));
  const count = (act: () => void) => {
    looks = 0;
    act();
    return looks;
  };
  const readAgain = () => count(() => rules.hold(false).release());
  expect(readAgain()).toBeGreaterThan(800);
  // What is younger than a tick of the clock is read again.
  await expect.poll(readAgain).toBe(0);
  writeFileSync(join(root, "f3/g3/looplia.txt"), "");
  expect(readAgain()).toBeLessThan(20);
  writeFileSync(join(root, "f3/g3/looplia.yml"), "made by a person\n");
  const held = rules.hold(false);
  writeFileSync(join(root, "f7/g7/looplia.yml"), "made by a command\n");
  expect(held.release()?.paths).toEqual(["f7/g7/looplia.yml"]);
});

test("behind however many folders a command makes", async () => {
  const { root, workspace, told } = await openHostile("off", { "z/deep/.npmrc": "mine\n", "x.txt": "x" });
  const many = "mkdir -p a z/new && (cd a && seq 1 20100 | xargs mkdir) && echo evil > z/new/looplia.yml";
  await workspace.run(`${many} && echo evil > z/deep/.npmrc`, limits);
  expect(told[0]?.paths.sort()).toEqual(["z/deep/.npmrc", "z/new/looplia.yml"]);
  expect(existsSync(join(root, "z/new/looplia.yml"))).toBe(false);
  expect(readFileSync(join(root, "z/deep/.npmrc"), "utf8")).toBe("mine\n");
});

test("what a person does between two commands stays", async () => {
  const { root, workspace } = await openHostile("off", { "looplia.yml": "mine\n", ".npmrc": "mine\n" });
  await workspace.run("true", limits);
  writeFileSync(join(root, "looplia.yml"), "by a person\n");
  writeFileSync(join(root, "action.yml"), "by a person\n");
  rmSync(join(root, ".npmrc"));
  expect((await workspace.run("true", limits)).putBack).toBeUndefined();
  expect(look(root).map((line) => line.split(" ")[0])).toEqual(["action.yml", "looplia.yml"]);
});

test("isolated, a command can't change what is there even for a moment, and makes no empty files on the disk", async () => {
  const { root, workspace, told } = await openHostile("required", {
    "looplia.yml": "mine\n",
    ".github/a": "mine\n",
  });
  const { output } = await workspace.run(
    "echo evil >> looplia.yml; rm .github/a; mv .github x; touch .github/b; cat looplia.yml .github/a; ls -A",
    limits,
  );
  expect(output).toMatch(/Read-only file system[\s\S]*mine\nmine\n\.git\n\.github\nlooplia\.yml\n$/);
  expect(told).toEqual([]);
  expect(readdirSync(root).sort()).toEqual([".github", "looplia.yml"]);
});

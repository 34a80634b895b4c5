// The hook of the settings: no shell, no secret, a time limit, and nothing that it does can harm the run.
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTaskLog } from "../../src/terminal/logs.ts";
import { trustedPrograms } from "../fakes/trusted-programs.ts";

type LogOptions = {
  signal?: AbortSignal;
  hook?: string;
  hookMs?: number;
  files?: Record<string, string>;
  network?: boolean;
  environment?: Record<string, string>;
  sandbox?: "auto" | "required" | "off";
  PATH?: string;
};

async function openLog(script: string, options: LogOptions = {}) {
  const {
    hook = "./hook.sh",
    files = {},
    network = false,
    environment = {},
    sandbox,
    PATH,
    ...more
  } = options;
  const base = await realpath(await mkdtemp(join(tmpdir(), "looplia-hook-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, "root");
  for (const [path, text] of Object.entries({ "hook.sh": `#!/bin/sh\n${script}\n`, ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text, { mode: 0o755 });
  }
  const programs = await trustedPrograms(root, {
    ...(sandbox ? { sandbox } : {}),
    ...(PATH ? { PATH } : {}),
  });
  const program = programs.find(hook);
  const log = createTaskLog({
    logPath: () => join(root, "logs", "run.jsonl"),
    sessionFolder: async (sessionId) => join(root, "state", sessionId),
    startHook: (words) =>
      program.start(words, { network, environment, shown: words.slice(2, 3), mayBeBare: true }),
    signal: new AbortController().signal,
    ...more,
  });
  const last = await log.keepLast(1, { a: 1 });
  /** What the hook said before it failed. */
  const call = () => log.runHook(["$(touch oops); 'T 1'", "done", last, "iteration-1"]);
  return { base, root, log, last, call, top: programs.top };
}

const TELL = "exec >&2; ";

test("a hook gets its words as they are, starts in the trusted files, and can read its message and no worktree", async () => {
  const script = `${TELL} printf "%s\\n" "$@"; pwd; cat "$3"; ls "$(dirname "$3")"; touch made || echo read-only; exit 9`;
  const { root, last, call, top } = await openLog(script);
  const said = await call();
  expect(said).toContain(`it ended with 9: $(touch oops); 'T 1'\ndone\n${last}\niteration-1\n${top}\n`);
  expect(said).toContain('{\n  "a": 1\n}\nrun-iter-1.last.json\n');
  expect(said).toContain("read-only");
  expect(await readdir(root)).toEqual(["hook.sh", "logs"]);
});

test("what it sources or imports is the trusted file, whatever a command wrote since", async () => {
  const files = { "scripts/lib.sh": "echo trusted >&2; exit 7\n" };
  const { root, call } = await openLog(". scripts/lib.sh", { files });
  await writeFile(join(root, "scripts/lib.sh"), "echo planted >&2; exit 8\n");
  await writeFile(join(root, "hook.sh"), "#!/bin/sh\necho planted >&2; exit 8\n");
  expect(await call()).toBe("it ended with 7: trusted");
});

test("it has the variables and the network that its settings give it, and no others", async () => {
  const server = createServer((connection) => connection.end("hello\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const reach = `exec 3<>/dev/tcp/127.0.0.1/${typeof address === "object" ? address?.port : 0} && cat <&3`;
  const files = { "hook.sh": `#!/bin/bash\n${TELL} env; ${reach}; exit 9\n` };
  const alone = await (await openLog("", { files })).call();
  expect(alone).toMatch(/refused|unreachable/i);
  expect(alone).not.toContain("SLACK_URL");
  const given = await openLog("", { files, network: true, environment: { SLACK_URL: "https://hooks" } });
  const said = await given.call();
  expect(said).toContain("SLACK_URL=https://hooks");
  expect(said).toContain("hello");
});

test("one that a command made since the run began is not called", async () => {
  const made = await openLog("", { hook: "tools/../new.sh" });
  await writeFile(join(made.root, "new.sh"), "#!/bin/sh\ntouch oops\n", { mode: 0o755 });
  expect(await made.call()).toBe("it was not called: there is no tools/../new.sh among the trusted files");
});

test("where nothing isolates, the trusted hook runs in the trusted files", async () => {
  const files = { lib: "echo trusted >&2\n" };
  const PATH = await emptyPath();
  const { root, call, top } = await openLog("/bin/pwd >&2; . ./lib; exit 9", {
    files,
    sandbox: "auto",
    PATH,
  });
  await writeFile(join(root, "lib"), "echo planted >&2\n");
  expect(await call()).toBe(`it ended with 9: ${top}\ntrusted`);
});

test("after a command without isolation, changed trusted files are not used", async () => {
  const { call, top } = await openLog("exit 0", { sandbox: "auto", PATH: await emptyPath() });
  expect(await call()).toBeUndefined();
  await chmod(join(top, "hook.sh"), 0o755);
  await writeFile(join(top, "hook.sh"), "#!/bin/sh\nexit 0\n");
  expect(await call()).toContain("a command without isolation has changed them");
});

/** A folder without bubblewrap. */
async function emptyPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "looplia-no-tools-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ["that fails", "echo no >&2; exit 3", {}, /^it ended with 3: no$/],
  ["that is not there", "", { hook: "./nothing.sh" }, /there is no \.\/nothing\.sh among the trusted files/],
  [
    "that is no program",
    "",
    { hook: "looplia-no-such-program" },
    /there is no looplia-no-such-program on the PATH/,
  ],
  ["that takes too long", "sleep 300", { hookMs: 100 }, /longer than 0\.1 s/],
  ["that waits for what it has started", "sleep 300 & wait", { hookMs: 100 }, /longer than 0\.1 s/],
])("one %s is told in words, soon", async (_what, script, more, said) => {
  const started = performance.now();
  const { call } = await openLog(script, more);
  expect(await call()).toMatch(said);
  expect(performance.now() - started).toBeLessThan(30_000);
});

test.each(["required", "off"] as const)(
  "one that leaves something running holds up nothing (%s)",
  async (sandbox) => {
    const started = performance.now();
    const { call } = await openLog("sleep 300 &", { sandbox });
    expect(await call()).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(30_000);
  },
);

test("one that runs when the run is stopped ends with it", async () => {
  const run = new AbortController();
  const { call } = await openLog("sleep 300", { signal: run.signal });
  const called = call();
  setTimeout(() => run.abort(), 2_000);
  expect(await called).toBe("it was stopped together with the run");
});

test("one whose run is stopped while it is still looked at is not called", async () => {
  const run = new AbortController();
  const { call } = await openLog("sleep 300", { signal: run.signal, hookMs: 10_000 });
  const called = call();
  run.abort();
  expect(await called).toBe("it was not called: the run is being stopped");
});

test("last messages stand beside the log, texts in the session's folder", async () => {
  const { root, log } = await openLog("");
  expect(await log.keepLast(3, { a: 1 })).toBe(join(root, "logs", "run-iter-3.last.json"));
  expect(await readFile(join(root, "logs", "run-iter-3.last.json"), "utf8")).toBe('{\n  "a": 1\n}\n');
  expect(await log.keepText("s-1", "to-do.schema.json", "{}\n")).toBe(
    join(root, "state/s-1/to-do.schema.json"),
  );
});

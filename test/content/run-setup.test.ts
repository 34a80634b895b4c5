import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runSetup } from "../../src/content/result.ts";
import type { RunEvent } from "../../src/core/ports.ts";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

function watch() {
  const events: RunEvent[] = [];
  const observe = (event: RunEvent) => void events.push(event);
  const said = () => events.map((event) => (event.type === "notice" ? event.message : ""));
  return { around: { observe, signal: new AbortController().signal, sandbox: "auto" as const }, said };
}

test("the commands run in order in the worktree, each told", async () => {
  const { root, workspace } = await makeWorktree({}, isolate());
  const { around, said } = watch();
  await runSetup(workspace, ["mkdir made", " echo one > made/a ", "", "cat made/a > made/b"], around);
  expect(await readFile(join(root, "made/b"), "utf8")).toBe("one\n");
  expect(said()).toEqual(["setup: mkdir made", "setup: echo one > made/a", "setup: cat made/a > made/b"]);
});

test("`network: ` gives one command the network, and no other", async () => {
  const server = createServer((connection) => connection.end("hello\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const fetch = `exec 3<>/dev/tcp/127.0.0.1/${typeof address === "object" ? address?.port : 0} && cat <&3 > got`;
  const { root, workspace } = await makeWorktree({}, isolate());
  const { around, said } = watch();
  await runSetup(workspace, [`network: ${fetch}`], around);
  expect(await readFile(join(root, "got"), "utf8")).toBe("hello\n");
  expect(said()[0]).toMatch(/^setup: exec .* \(with network\)$/s);
  await expect(runSetup(workspace, [fetch], around)).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringContaining("Connection refused"),
  });
});

test("the first that fails ends it, with the end of its output and what to do", async () => {
  const { workspace } = await makeWorktree({}, isolate());
  const { around, said } = watch();
  const lines = ["seq 1 5000; echo missing script: build >&2; exit 4", "echo never"];
  const failure = await runSetup(workspace, lines, around).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "config-invalid", hint: expect.stringContaining("fix `setup`") });
  const message = failure instanceof Error ? failure.message : "";
  expect(message).toMatch(
    /^The setup command `seq .*` failed with exit code 4:\n.*5000\nmissing script: build$/s,
  );
  expect(message.length).toBeLessThan(2_300);
  expect(said()).toHaveLength(1);
});

test("where isolation is required and missing nothing runs", async () => {
  const environment = { PATH: "/nowhere", HOME: "/nowhere" };
  const { workspace } = await makeWorktree({}, isolate({ environment }));
  const around = { ...watch().around, sandbox: "required" as const };
  await expect(runSetup(workspace, ["echo"], around)).rejects.toMatchObject({
    code: "config-invalid",
  });
});

test("an abort stops it", async () => {
  const { workspace } = await makeWorktree({}, isolate());
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("the run ends")), 150);
  const around = { observe: () => {}, signal: stop.signal, sandbox: "auto" as const };
  await expect(runSetup(workspace, ["sleep 60", "echo never"], around)).rejects.toThrow("the run ends");
});

test("where nothing isolates commands it does not run unasked, and says so; with `sandbox: off` it runs", async () => {
  const environment = { PATH: "/nowhere", HOME: "/nowhere" };
  const none = await makeWorktree({}, isolate({ environment, sandbox: "auto" }));
  const { around, said } = watch();
  await runSetup(none.workspace, ["echo x > made"], around);
  expect(await readdir(none.root)).toEqual([]);
  expect(said()).toEqual([
    expect.stringMatching(/^setup did not run, because nothing isolates commands here/),
  ]);
  const off = await makeWorktree({}, isolate({ sandbox: "off" }));
  await runSetup(off.workspace, ["echo x > made"], { ...around, sandbox: "off" });
  expect(await readdir(off.root)).toEqual(["made"]);
});

// Stands for the program on a runner: a process with a key in its environment that runs commands in a worktree.
// node canary-process.ts <JSON of CanaryTask in base64>; prints the commands' results as JSON.
import { tmpdir } from "node:os";
import { openWorkspace } from "../../src/files/workspace.ts";
import { openIsolation } from "../../src/sandbox/isolation.ts";

export type CanaryTask = {
  root: string;
  sandbox: "required" | "off";
  closed: string[];
  environment: Record<string, string>;
  commands: string[];
};

const task = JSON.parse(Buffer.from(process.argv[2] ?? "", "base64").toString()) as CanaryTask;
const { environment } = task;
const opened: { close(): Promise<void> }[] = [];
const workspace = await openWorkspace(task.root, {
  environment,
  systemTemp: tmpdir(),
  isolate(root) {
    const isolator = openIsolation({ ...task, root, network: false, temporary: tmpdir(), warn: () => {} });
    opened.push(isolator);
    return isolator;
  },
});
const outputs: string[] = [];
for (const command of task.commands) {
  const limits = { timeoutMs: 200_000, maxOutput: 1_000_000, signal: new AbortController().signal };
  outputs.push((await workspace.run(command, limits)).output);
}
await Promise.all(opened.map((isolator) => isolator.close()));
process.stdout.write(JSON.stringify({ isolation: workspace.isolation, outputs }));

// What stands between a command and the runner, once bubblewrap and its AppArmor profile are there.
import { execFileSync } from "node:child_process";
import type { Probe } from "./probe.ts";

const WALLS = [
  "--unshare-all",
  "--die-with-parent",
  "--new-session",
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--tmpfs",
  "/tmp",
];

export function isolationProbes(): Probe[] {
  return [
    { what: "bubblewrap with namespaces of its own on this runner", run: () => inside("echo runs") },
    {
      what: "no process of the runner is seen from inside",
      run: () => {
        const count = Number(inside("ls -d /proc/[0-9]* | wc -l"));
        if (!(count > 0 && count < 10)) throw new Error(`${count} processes are seen`);
        return `${count} processes`;
      },
    },
    { what: "no network from inside", run: () => refused("exec 3<>/dev/tcp/1.1.1.1/53") },
    {
      what: "nothing of the runner can be written from inside",
      run: () => refused('echo x > "$0"', process.env.GITHUB_ENV ?? "/etc/hostname"),
    },
    { what: "no privilege from inside", run: () => refused("sudo -n true") },
  ];
}

function inside(command: string, ...words: string[]): string {
  const shell = ["bash", "-c", command, ...words];
  return execFileSync("bwrap", [...WALLS, ...shell], {
    encoding: "utf8",
    timeout: 10_000,
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

function refused(command: string, ...words: string[]): string {
  // Else a bubblewrap that does not start would pass for one that refuses.
  inside("true");
  try {
    inside(command, ...words);
  } catch {
    return "refused";
  }
  throw new Error("it went through");
}

// Whether bubblewrap works on this machine, and if not, what to do.
import { readFileSync } from "node:fs";

const PROBE_MS = 10_000;
const RESTRICTION = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/** Runs `true` with these arguments before the command. Undefined when it worked, else what was said. */
export function tryBubblewrap(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): string | undefined {
  // Not imported: it takes 10 ms and more, and most runs reach the model before they need it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const tried = spawnSync(program, [...args, "--", "/bin/sh", "-c", "true"], {
    env: environment,
    cwd: "/",
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PROBE_MS,
  });
  if (tried.status === 0) return undefined;
  return tried.stderr?.trim().split("\n").at(-1) || tried.error?.message || `exit code ${tried.status}`;
}

/** Why there is no isolation and what to do, in one line. `said`: what bubblewrap said; undefined: it is not there. */
export function explainAbsence(
  said: string | undefined,
  facts: { platform: string; isRestricted: boolean },
): string {
  if (facts.platform !== "linux") return "bubblewrap runs on Linux only; use a Linux runner or container";
  if (said === undefined) {
    return "bubblewrap is not installed; install it, for example `sudo apt-get install -y bubblewrap`";
  }
  if (facts.isRestricted) {
    return `AppArmor keeps bubblewrap from making namespaces, as ubuntu-24.04 does (${said}); ${ALLOW_IN_APPARMOR}`;
  }
  return `bubblewrap does not work here (${said}); ${ALLOW_NAMESPACES}`;
}

/** True where AppArmor allows user namespaces only to programs with a profile of their own. */
export function isRestrictedByAppArmor(): boolean {
  try {
    return readFileSync(RESTRICTION, "utf8").trim() === "1";
  } catch {
    return false;
  }
}

const PROFILE = "bwrap-userns-restrict";
const ALLOW_IN_APPARMOR = [
  "before this step load its profile:",
  `\`sudo apt-get install -y apparmor-profiles && sudo cp /usr/share/apparmor/extra-profiles/${PROFILE} /etc/apparmor.d/`,
  `&& sudo apparmor_parser -r /etc/apparmor.d/${PROFILE}\`,`,
  "or else `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
].join(" ");
const ALLOW_NAMESPACES =
  "allow user namespaces: `sudo sysctl -w user.max_user_namespaces=10000`, and a container needs `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`";

// What an isolated command sees of the disk, as arguments of bubblewrap. Later ones lie over earlier ones.
import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isInside } from "./inside.ts";
import { findGit, showGit } from "./isolation-git.ts";

/** Homes, sockets of services, other disks. `/tmp` and `/dev/shm` are the run's own. */
const HIDDEN = ["/home", "/root", "/run", "/var/run", "/var/tmp", "/mnt", "/media", "/github"];
/** What is the machine's own, and may hold keys; root could read all of it. */
const SECRET_FILES = ["/etc/shadow", "/etc/gshadow", "/etc/ssh", "/etc/gitconfig"];
/** Root writes to them even without capabilities, and some of them start programs outside. */
const KERNEL = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/fs",
  "/proc/scsi",
  "/proc/acpi",
];
/** Compilers and interpreters that live in a home, with the variable that names each. They hold no keys. */
const TOOLCHAINS: readonly [string, string?][] = [
  [".rustup", "RUSTUP_HOME"],
  [".pyenv", "PYENV_ROOT"],
  [".nvm", "NVM_DIR"],
  [".rbenv", "RBENV_ROOT"],
  [".volta", "VOLTA_HOME"],
  [".asdf", "ASDF_DIR"],
  [".sdkman", "SDKMAN_DIR"],
  [".bun"],
  [".deno"],
];
const CERTIFICATES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

export type Visible = {
  /** The real folder that the command may write. */
  root: string;
  /** A folder of this run; `tmp` in it becomes `/tmp`. */
  scratch: string;
  /** Closed to commands: state, the runner's files, homes. Those that are not there are left out. */
  closed: readonly string[];
  /** To be read all the same. */
  shown: readonly string[];
  /** In the worktree: to be read, never written. An earlier command may have removed some. */
  kept: readonly string[];
  environment: Readonly<Record<string, string>>;
};

/** What an isolated command gets of the environment: a home and caches of this run. */
export function isolatedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const home = environment.HOME;
  const tools = TOOLCHAINS.flatMap(([folder, name]) =>
    name !== undefined && home !== undefined && isThere(join(home, folder))
      ? [[name, join(home, folder)]]
      : [],
  );
  return { ...environment, ...Object.fromEntries(tools), HOME: "/tmp/home", TMPDIR: "/tmp" };
}

/** Throws a TypeError with the reason where nothing sensible can be hidden. */
export function mountArguments(visible: Visible): string[] {
  const { root, scratch, environment } = visible;
  const { HOME: home = "/root" } = environment;
  const closed = [...HIDDEN, home, ...visible.closed].filter(isThere).map((path) => realpathSync(path));
  // Each mount takes a fifth of a millisecond: what is empty needs none.
  const outside = outermost(closed.filter((path) => !isInside(root, path) && !isInside("/tmp", path))).filter(
    (path) => !isEmpty(path),
  );
  if (["/", "/tmp", "/dev", "/proc", "/sys"].includes(root) || closed.includes(root)) {
    throw new TypeError(`${root} is a home or a folder of the system; work in a folder of its own`);
  }
  if (lstatSync(join(root, ".git"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new TypeError(`${root}/.git is a link, which a command could replace`);
  }
  for (const folder of ["tmp/home", "shm"]) mkdirSync(join(scratch, folder), { recursive: true });
  writeFileSync(join(scratch, "empty"), "");
  const git = findGit(root);
  const inside = closed.filter((path) => path !== root && isInside(root, path));
  const kept = visible.kept.filter(
    (path) => isThere(path) && !inside.some((folder) => isInside(folder, path)),
  );
  const isTopShown = git !== undefined && git.top !== root && !closed.some((path) => isInside(git.top, path));
  return [
    ...["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"],
    ...KERNEL.filter(isThere).flatMap((path) => ["--ro-bind", path, path]),
    ...["--bind", join(scratch, "shm"), "/dev/shm", "--remount-ro", "/dev"],
    ...["--bind", join(scratch, "tmp"), "/tmp"],
    ...[...outside, ...SECRET_FILES.filter(isThere)].flatMap((path) => hide(path, scratch)),
    ...shownAgain(visible, [...outside, "/tmp"]).flatMap((path) => ["--ro-bind-try", path, path]),
    ...(isTopShown ? ["--ro-bind", git.top, git.top] : []),
    ...["--bind", root, root],
    // All of them first: each shows what lies below it as it is on the disk.
    ...foldersAbove(root, [...inside, ...kept]).flatMap((folder) => ["--bind", folder, folder]),
    ...inside.flatMap((path) => [...hide(path, scratch), "--remount-ro", path]),
    ...kept.flatMap((path) => ["--ro-bind", path, path]),
    ...(git ? showGit(git, scratch) : []),
    // Where there is no repository none can be made: its hooks would run whenever a person uses git here.
    ...(git?.top === root
      ? []
      : [...["--tmpfs", join(root, ".git")], ...["--remount-ro", join(root, ".git")]]),
    ...outside.flatMap((path) => ["--remount-ro", path]),
    ...["--chdir", root],
  ];
}

/** Below a hidden folder again: programs on the search path, toolchains, certificates, where names are looked up. */
function shownAgain({ environment, shown }: Visible, hidden: readonly string[]): string[] {
  const { HOME: home = "/root" } = environment;
  const programs = (environment.PATH ?? "").split(":").filter((folder) => isAbsolute(folder));
  const beside = programs
    .filter((folder) => folder.endsWith("/bin") && dirname(folder) !== home)
    .flatMap((folder) => ["lib", "lib64", "libexec", "include"].map((name) => join(dirname(folder), name)));
  const paths = [
    ...[...shown, ...programs, ...beside],
    ...TOOLCHAINS.map(([folder]) => join(home, folder)),
    ...CERTIFICATES.flatMap((name) => environment[name] ?? []),
    ...(isThere("/etc/resolv.conf") ? [realpathSync("/etc/resolv.conf")] : []),
  ];
  const isBelow = (path: string) =>
    hidden.some((folder) => isInside(folder, path)) && !hidden.some((folder) => isInside(path, folder));
  return outermost(paths.filter((path) => isThere(path) && isBelow(path)));
}

/** Folders on the way to these paths: mounted by themselves they can't be moved away. Each once, from the top. */
function foldersAbove(root: string, paths: readonly string[]): string[] {
  const above = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== root; folder = dirname(folder)) above.add(folder);
  }
  return [...above].sort((one, other) => one.length - other.length);
}

function hide(path: string, scratch: string): string[] {
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", join(scratch, "empty"), path];
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isInside(other, path)));
}

function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined && statSync(path) !== undefined;
  } catch {
    return false;
  }
}

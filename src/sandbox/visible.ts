// The paths of the machine that an isolated command sees; all others are hidden.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { quietly } from "../core/errors.ts";

/** Programs and libraries; links stay links. Every user of the machine may read all of this. */
const SYSTEM = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix /gnu /snap /home/linuxbrew/.linuxbrew".split(
  " ",
);
/** What compilers and runtimes read about the machine. */
const KERNEL_FACTS = ["/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/fs/cgroup"];
/** Files of `/etc` that programs read and that hold no keys. */
const ETC_FILES = [
  "DIR_COLORS alpine-release bash.bashrc bashrc debian_version fedora-release group host.conf hostname hosts inputrc",
  "ld.so.cache ld.so.conf localtime locale.alias locale.conf locale.gen login.defs lsb-release magic magic.mime mailcap",
  "mime.types mtab networks nsswitch.conf os-release passwd profile protocols redhat-release resolv.conf rpc services",
  "shells static system-release timezone",
]
  .join(" ")
  .split(" ");
/** Such folders of `/etc`; `ssl` and `pki` also have private keys, so only these parts are shown. */
const ETC_FOLDERS = [
  "alternatives ca-certificates crypto-policies dotnet fonts java ld.so.conf.d maven perl pki/ca-trust pki/java",
  "pki/tls/certs profile.d python3 ssl/certs terminfo",
]
  .join(" ")
  .split(" ");
const ETC_SSL = ["ssl/openssl.cnf", "pki/tls/openssl.cnf", "pki/tls/cert.pem", "ssl/cert.pem"];
/** What a program reads that starts no others: users, names of hosts, time zone, certificates. */
const ETC_BARE = {
  files: "group hosts ld.so.cache localtime nsswitch.conf os-release passwd resolv.conf timezone".split(" "),
  folders: ["pki/ca-trust", "pki/tls/certs", "ssl/certs"],
};
/** Configurations of an installed Java: `java-17-openjdk`. */
const ETC_NUMBERED = /^(?:java|python|php|ruby)-?\d[\w.-]*$/;

/** Compilers and interpreters in a home, with the variable that names each. They hold no keys. */
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
  [".cargo/bin"],
  [".dotnet"],
  [".ghcup"],
  [".jenv"],
  [".local/share/fnm"],
  [".local/share/mise"],
  [".local/share/pnpm"],
  [".local/share/uv"],
];
/** Variables that name a toolchain's folder: a command gets them and sees that folder. */
const TOOL_VARIABLES = [
  "JAVA_HOME JAVA_HOME_8_X64 JAVA_HOME_11_X64 JAVA_HOME_17_X64 JAVA_HOME_21_X64 JAVA_HOME_25_X64 MAVEN_HOME M2_HOME",
  "GRADLE_HOME ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME ANDROID_NDK_ROOT GOROOT DOTNET_ROOT RUSTUP_HOME",
  "PYENV_ROOT pythonLocation CONDA NVM_DIR RBENV_ROOT VOLTA_HOME ASDF_DIR SDKMAN_DIR FLUTTER_ROOT CHROMEWEBDRIVER",
  "GECKOWEBDRIVER EDGEWEBDRIVER PLAYWRIGHT_BROWSERS_PATH VCPKG_INSTALLATION_ROOT",
]
  .join(" ")
  .split(" ");
const CERTIFICATES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
/**
 * Fetched packages below a home: a command without network finds them below its own home. If a package
 * manager keeps credentials in the same folder, only the packages are listed.
 */
const CACHES = [
  ".cargo/registry .cargo/git .m2/repository .m2/wrapper .npm/_cacache go/pkg/mod .nuget/packages .composer/cache",
  ".cache/pip .cache/uv .cache/yarn .cache/node/corepack .cache/ms-playwright .cache/Cypress .cache/puppeteer",
  ".yarn/berry/cache .local/share/pnpm/store .cache/pnpm",
]
  .join(" ")
  .split(" ");
/** A folder of `/opt` with one of these is no toolchain: it may be the runner's. */
const NO_TOOLCHAIN = /^(?:\.runner|\.env|\.path|\.credentials.*|_work|_diag)$/;

/** The home of isolated commands. */
const COMMAND_HOME = "/tmp/home";

type VisiblePlan = {
  /** The real folder that the command may write. */
  root: string;
  /** A folder of this run; its `tmp` becomes `/tmp`. */
  scratch: string;
  /** Hidden from commands even below a shown folder. Existing real paths. */
  closed: readonly string[];
  /** More readable paths: the tool cache, and those in the settings. */
  shown: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** For a program that starts no others: the system only, without toolchains and package caches. */
  isBare: boolean;
};

type Machine = { args: string[]; folders: string[] };

/** Results per environment, so that only the first command pays for hundreds of look-ups. */
const known = new WeakMap<object, { key: string; machine: Machine }>();

/** Bubblewrap's first arguments, and the folders that they show. */
export function showMachine(plan: VisiblePlan): Machine {
  const key = JSON.stringify([plan.root, plan.scratch, plan.closed, plan.shown]);
  const before = known.get(plan.environment);
  if (before?.key === key) return before.machine;
  const machine = findMachine(plan);
  known.set(plan.environment, { key, machine });
  return machine;
}

function findMachine(plan: VisiblePlan): Machine {
  const links = SYSTEM.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
  const system = SYSTEM.filter((path) => !links.includes(path) && isThere(path));
  const tools = plan.isBare ? [] : toolFolders(plan);
  const folders = [
    ...system,
    ...outermost(tools.filter((path) => !system.some((one) => isInside(one, path)))),
  ];
  const facts = KERNEL_FACTS.filter(isThere);
  const args = [
    ...links.flatMap((path) => ["--symlink", readlinkSync(path), path]),
    ...[...folders, ...facts].flatMap((path) => ["--ro-bind", path, path]),
    ...showEtc(plan),
    ...["--dir", "/run", "--symlink", "../run", "/var/run", "--symlink", "../tmp", "/var/tmp"],
  ];
  return { args, folders };
}

/** Arguments that show fetched packages read-only in the commands' home. */
export function showCaches(home: string): string[] {
  return CACHES.filter((path) => isThere(join(home, path))).flatMap((path) => [
    ...["--ro-bind", join(home, path), join(COMMAND_HOME, path)],
  ]);
}

const ALLOWED = new Set(
  [
    "PATH HOME USER LOGNAME SHELL TMPDIR TZ TERM CI NO_COLOR LANG LANGUAGE",
    "LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME",
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR",
    ...TOOL_VARIABLES,
  ]
    .join(" ")
    .split(" "),
);

/** The variables that commands may see: never a key, a token, or a variable of the runner or the project. */
export function commandEnvironment(environment: Record<string, string | undefined>): Record<string, string> {
  const allowed = Object.entries(environment).filter(
    (entry): entry is [string, string] => ALLOWED.has(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(allowed);
}

/**
 * The environment of an isolated command, with this run's home and caches. Without a repository, Go would
 * mistake the empty cover of `.git` for one.
 */
export function isolatedEnvironment(
  environment: Readonly<Record<string, string>>,
  hasRepository: boolean,
): Record<string, string> {
  const home = environment.HOME;
  const tools = TOOLCHAINS.flatMap(([folder, name]) =>
    name !== undefined && home !== undefined && isThere(join(home, folder))
      ? [[name, join(home, folder)]]
      : [],
  );
  const go: Record<string, string> = hasRepository ? {} : { GOFLAGS: "-buildvcs=false" };
  return { ...Object.fromEntries(tools), ...go, ...environment, HOME: COMMAND_HOME, TMPDIR: "/tmp" };
}

/**
 * Programs on the search path, toolchains, certificates; never a folder that would show a home or the
 * worktree's surroundings.
 */
function toolFolders({ root, closed, shown, environment }: VisiblePlan): string[] {
  const { HOME: home = "/root" } = environment;
  const programs = (environment.PATH ?? "").split(":").filter((folder) => isAbsolute(folder));
  const beside = programs
    .filter((folder) => /\/s?bin$/.test(folder) && dirname(folder) !== home)
    .flatMap((folder) => ["lib", "lib64", "libexec", "include"].map((name) => join(dirname(folder), name)));
  const found = [
    ...[...programs, ...beside, ...optFolders()],
    ...TOOLCHAINS.map(([folder]) => join(home, folder)),
    ...[...TOOL_VARIABLES, ...CERTIFICATES].flatMap((name) => environment[name] ?? []),
  ];
  const isTooMuch = (path: string) =>
    [home, root, ...closed, ...SYSTEM, "/etc", "/tmp", "/proc", "/dev", "/sys", "/var", "/opt"].some((one) =>
      isInside(path, one),
    );
  const isOwn = (path: string) => isInside(root, path) || isInside("/tmp", path) || isInside("/etc", path);
  const named = found.filter((path) => isAbsolute(path) && isThere(path) && !isOwn(path));
  const tools = named.filter((path) => !isTooMuch(path) && !isTooMuch(realpathSync(path)));
  return [...tools, ...shown.filter((path) => isThere(path) && !isInside(path, root))];
}

/** `/opt/ghc` and the like, and the tool cache of hosted runners. */
function optFolders(): string[] {
  return namesIn("/opt")
    .filter((name) => {
      const inside = namesIn(join("/opt", name));
      if (inside.some((one) => NO_TOOLCHAIN.test(one))) return false;
      return name === "hostedtoolcache" || inside.some((one) => /^(?:s?bin|lib|lib64)$/.test(one));
    })
    .map((name) => join("/opt", name));
}

/** Mounting one file per command takes longer than this many copies, which are made once. */
const MOST_COPIES = 12;

/** A folder of copies and links with mounts in it, because one mount per file would take longer. */
function showEtc({ scratch, isBare }: VisiblePlan): string[] {
  const copy = join(scratch, "etc");
  const numbered = namesIn("/etc").filter((name) => ETC_NUMBERED.test(name));
  const listed = isBare
    ? ETC_BARE
    : { files: [...ETC_FILES, ...ETC_SSL], folders: ETC_FOLDERS.concat(numbered) };
  const folders = [...new Set(listed.folders)].filter((name) => isFolder(join("/etc", name)));
  const copied = folders.filter(isSmall);
  if (!isThere(copy)) {
    mkdirSync(copy, { recursive: true });
    for (const name of folders) mkdirSync(join(copy, name), { recursive: true });
    const inside = copied.flatMap((folder) =>
      namesIn(join("/etc", folder)).map((name) => join(folder, name)),
    );
    for (const name of [...listed.files, ...inside]) copyEtc(name, copy);
    moveHome(join(copy, "passwd"));
  }
  const mounted = folders.filter((name) => !copied.includes(name));
  return [
    ...["--ro-bind", copy, "/etc"],
    ...mounted.flatMap((name) => ["--ro-bind", join("/etc", name), join("/etc", name)]),
  ];
}

/** Programs that do not ask `HOME` (all of Java) find the home of commands in the list of users. */
function moveHome(passwd: string): void {
  const user = String(process.getuid?.());
  const rows = isThere(passwd) ? readFileSync(passwd, "utf8").split("\n") : [];
  const moved = rows.map((row) => {
    const fields = row.split(":");
    return fields[2] === user && fields.length === 7 ? fields.with(5, COMMAND_HOME).join(":") : row;
  });
  if (rows.length > 0) writeFileSync(passwd, moved.join("\n"));
}

/** True for few entries, all of them files. */
function isSmall(name: string): boolean {
  const inside = namesIn(join("/etc", name));
  return inside.length <= MOST_COPIES && !inside.some((one) => isFolder(join("/etc", name, one)));
}

/** A link to a listed file stays a link: the time zone is read from its name. */
function copyEtc(name: string, copy: string): void {
  const [from, to] = [join("/etc", name), join(copy, name)];
  try {
    const found = lstatSync(from, { throwIfNoEntry: false });
    if (!found) return;
    if (name.includes(sep)) mkdirSync(dirname(to), { recursive: true });
    const real = found.isSymbolicLink() ? realpathSync.native(from) : from;
    const isListed = ["/usr", "/proc", "/nix"].some((folder) => isInside(folder, real));
    if (isListed || name === "mtab") symlinkSync(readlinkSync(from), to);
    else if (statSync(real).isFile()) writeFileSync(to, readFileSync(real));
  } catch {
    // Commands need no file that this process can't read.
  }
}

/** The paths that are in none of the others, each once. */
export function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isInside(other, path)));
}

/** Also checks a link's target. An error per missing path would take most of the time. */
export function isThere(path: string): boolean {
  return quietly(() => statSync(path, { throwIfNoEntry: false })) !== undefined;
}

function isFolder(path: string): boolean {
  return quietly(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) ?? false;
}

/** True for the folder itself and what lies below it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path of a file that may not exist yet: that of its nearest existing folder, plus the rest. */
export function realOrExpected(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOrExpected(parent), path.slice(parent.length));
  }
}

function namesIn(folder: string): string[] {
  return quietly(() => readdirSync(folder)) ?? [];
}

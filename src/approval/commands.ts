// Reads a command line as simple commands and names the dangerous ones. Unreadable lines count as dangerous.
// Pure.
import { isProgramName, type KnownValues, parseCommand, type SimpleCommand } from "./parse-command.ts";

const UNREADABLE = "can't be read for certain";
type Danger =
  | "deletes"
  | "overwrites"
  | "rewrites history"
  | "publishes"
  | "takes privileges"
  | typeof UNREADABLE;

type Arguments = readonly string[];
type Condition = (args: Arguments) => boolean;
/** Programs without their folder; without a condition they are always dangerous. */
type Row = readonly [danger: Danger, programs: string, when?: Condition];

const some =
  (pattern: RegExp): Condition =>
  (args) =>
    args.some((arg) => pattern.test(arg));
const first =
  (pattern: RegExp): Condition =>
  ([arg = ""]) =>
    pattern.test(arg);
const both =
  (one: Condition, other: Condition): Condition =>
  (args) =>
    one(args) && other(args);
const either =
  (one: Condition, other: Condition): Condition =>
  (args) =>
    one(args) || other(args);
const not =
  (condition: Condition): Condition =>
  (args) =>
    !condition(args);

/** Matches long options, also abbreviated to any prefix, which most programs accept. */
const long =
  (names: string): Condition =>
  (args) => {
    const given = args.flatMap((arg) => /^--([A-Za-z][\w-]*)(?:=|$)/.exec(arg)?.[1] ?? []);
    return given.some((option) => names.split(" ").some((name) => name.startsWith(option)));
  };

/** The same with one dash too, as npm reads long options; shorter ones are letters. */
const dashed =
  (names: string): Condition =>
  (args) =>
    long(names)(args.map((arg) => arg.replace(/^-(?=[A-Za-z][\w-]{2})/, "--")));

/** `uniq <in> <out>` writes the second file. */
const isSecondNamed: Condition = (args) => args.filter((arg) => !arg.startsWith("-")).length > 1;

/**
 * Between two delimiters: an escape, a whole character class without the delimiter, or any other character.
 */
const betweenDelimiters = (delimiter: string) =>
  `(?:[^${delimiter}\\\\[\\n]|\\\\.|\\[\\^?[^\\]^${delimiter}\\\\\\n][^\\]${delimiter}\\\\\\n]*\\])*`;
const SED_ADDRESS = `(?:\\d+|\\$|/${betweenDelimiters("/")}/)`;
const SED_SUBSTITUTIONS = ["/", "|", "#", ","].map((mark) => {
  const delimiter = mark === "|" ? "\\|" : mark;
  return `s${delimiter}${betweenDelimiters(delimiter)}${delimiter}(?:[^${delimiter}\\\\\\n]|\\\\.)*${delimiter}[gpiI0-9]*`;
});
const SED_COMMAND = `(?:${SED_ADDRESS}(?:,${SED_ADDRESS})? *)?(?:! *)?(?:[pdDPgGhHxnNq=]|${SED_SUBSTITUTIONS.join("|")}) *`;
/** Commands that write no files, read no further files and start no programs. */
const SED_SCRIPT = new RegExp(`^ *${SED_COMMAND}(?:[;\\n] *${SED_COMMAND})*$`);

/** Options and scripts that write no files and start no programs. */
const isPlainSed: Condition = (args) => {
  const scripts: string[] = [];
  const names: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (/^-[nErsz]*e$/.test(arg)) {
      at += 1;
      scripts.push(args[at] ?? "");
    } else if (!arg.startsWith("-")) names.push(arg);
    else if (!/^-[nErszi]+$/.test(arg)) return false;
  }
  const given = scripts.length > 0 ? scripts : names.slice(0, 1);
  return given.length > 0 && given.every((script) => SED_SCRIPT.test(script));
};

/** Only `-F` and `-v`, and a script that writes no files, starts no programs and makes no indirect calls. */
const isPlainAwk: Condition = (args) => {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (/^-[Fv]/.test(arg)) at += arg.length === 2 ? 1 : 0;
    else if (arg.startsWith("-")) return false;
    else return !/\bsystem\b|[|>@]/.test(arg.replace(/\|\||>=/g, " "));
  }
  return false;
};
const KNOWN_GIT = new RegExp(
  `^(?:${[
    "add|am|annotate|apply|blame|branch|cat-file|check-ignore|checkout|cherry|cherry-pick|clean|commit|describe|diff",
    "fetch|filter-branch|gc|grep|help|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|notes|prune|pull|push",
    "rebase|reflog|remote|replace|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|stash|status|switch",
    "symbolic-ref|tag|update-ref|version|worktree|--version|--help",
  ].join("|")})$`,
);

/** npm settings that name a program, contain code, or name a file of further settings. */
const NPM_OPTIONS =
  "script-shell node-options shell editor viewer git userconfig globalconfig prefix init-module onload-script call config-dir dir cwd";

/** An option of an interpreter whose value is code. */
const CODE_OPTION = /^--?(?:e|p|c|r|a|ex?pr|eval|print|run|command|shell|require)(?:=|$)|^eval$/;

const TABLE: readonly Row[] = [
  ["deletes", "rm rmdir unlink shred srm rimraf del trash trash-put wipefs mkfs mkfs.ext4 fdisk parted"],
  ["deletes", "find", some(/^-delete$/)],
  ["deletes", "rsync", some(/^--(?:del|remove)/)],
  ["deletes", "git", first(/^(?:clean|rm)$/)],
  ["overwrites", "tee dd mv cp ln install truncate patch sponge rsync unzip gunzip bunzip2 unxz 7z cpio"],
  ["overwrites", "gzip bzip2 xz lzma zstd zip rename dos2unix unix2dos split csplit"],
  ["overwrites", "uniq", isSecondNamed],
  ["overwrites", "shuf", some(/^-[a-zA-Z]*o|^--o/)],
  ["overwrites", "sed gsed", some(/^-[nErsz]*i|^--in-place/)],
  ["overwrites", "yq", either(some(/^-[a-zA-Z]*[is]/), long("inplace in-place split-exp"))],
  ["overwrites", "sort", either(some(/^-[a-zA-Z]*o/), long("output"))],
  ["overwrites", "tar bsdtar", some(/^-{0,2}[a-zA-Z]*x|^--get/)],
  [
    "overwrites",
    "tar bsdtar",
    either(first(/^[a-zA-Z]*[cru]/), some(/^-[a-zA-Z]*[cruA]|^--(?:cr|ap|up|ca|con|del)/)),
  ],
  ["overwrites", "wget aria2c"],
  ["overwrites", "curl", some(/^-[a-zA-Z]*[oOJDc]|^--(?:out|rem|dump|cook)/)],
  ["overwrites", "find", some(/^-f(?:print|ls)/)],
  ["overwrites", "git", first(/^(?:checkout|restore|switch|stash|apply|am|mv)$/)],
  ["overwrites", "git", long("output output-directory")],
  [
    "rewrites history",
    "git",
    first(/^(?:reset|rebase|filter-branch|update-ref|symbolic-ref|replace|prune|gc|notes)$/),
  ],
  ["rewrites history", "git", both(first(/^commit$/), some(/^--am/))],
  ["rewrites history", "git", both(first(/^pull$/), some(/^-r|^--reb/))],
  ["rewrites history", "git", both(first(/^reflog$/), some(/^(?:expire|delete|drop)$/))],
  [
    "rewrites history",
    "git",
    both(first(/^(?:branch|tag|worktree)$/), some(/^-[a-z]*[dDfmMC]|^--(?:del|fo|mo)|^(?:remove|prune)$/)),
  ],
  ["rewrites history", "git-filter-repo bfg"],
  ["publishes", "git", first(/^push$/)],
  [
    "publishes",
    "npm pnpm yarn bun lerna",
    some(/^(?:publish|unpublish|deprecate|dist-tags?|owner|access|login|adduser|token)$/),
  ],
  [
    "publishes",
    "cargo poetry uv flit hatch pdm dart flutter twine gem helm dotnet",
    some(/^(?:publish|upload|push|yank)$/),
  ],
  ["publishes", "mvn mvnw gradle gradlew sbt", some(/deploy|publish|release/i)],
  ["publishes", "gh glab hub vsce ovsx semantic-release release-it goreleaser scp sftp ftp mail sendmail"],
  ["publishes", "curl", some(/^-[a-zA-Z]*[TdFX]|^--(?:upl|da|form|js|req)/)],
  ["publishes", "rclone"],
  ["publishes", "ansible-playbook vagrant"],
  ["publishes", "terraform tofu pulumi kubectl aws gcloud az vercel netlify wrangler firebase heroku flyctl"],
  [
    "takes privileges",
    "sudo su doas pkexec runuser sudoedit passwd chown chgrp chattr setcap setfacl mount umount chroot",
  ],
  [
    "takes privileges",
    "unshare nsenter bwrap docker podman nerdctl systemctl systemd-run service shutdown reboot",
  ],
  ["takes privileges", "insmod modprobe sysctl iptables nft useradd usermod groupadd crontab at batch"],
  // chmod on a file outside the folder, or with the set-user-id bits.
  ["takes privileges", "chmod", some(/^\/|(?:^|\/)\.\.(?:\/|$)|^0?[1-7][0-7]{3}$|^[^-/]*[+=][^,]*s/)],
  // A program that starts others, or changes the meaning of a later name, can't be judged by its own name.
  [
    UNREADABLE,
    "xargs watch parallel flock script expect setpriv fakeroot unbuffer faketime valgrind ltrace perf rlwrap numactl",
  ],
  [
    UNREADABLE,
    "catchsegv cgexec firejail proot dumb-init tini chronic watchexec systemd-inhibit dbus-run-session i386",
  ],
  [
    UNREADABLE,
    "choom uclampset runcon logsave start-stop-daemon run-parts eatmydata cpulimit sg newgrp direnv dotenv dotenvx",
  ],
  [
    UNREADABLE,
    "cross-env concurrently nodemon ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 lldb",
  ],
  [
    UNREADABLE,
    "eval exec source . command builtin alias unalias enable trap hash export declare typeset local",
  ],
  [
    UNREADABLE,
    "readonly unset set shopt let read mapfile readarray bind fc coproc ssh busybox toybox strace gdb",
  ],
  [UNREADABLE, "awk gawk mawk nawk", not(isPlainAwk)],
  [UNREADABLE, "vi vim nvim ex ed emacs screen tmux entr"],
  [UNREADABLE, "bash sh dash zsh ksh fish csh tcsh ash pwsh", not(first(/^[^-+]/))],
  [UNREADABLE, "node nodejs deno bun", some(/^-[a-z]*[epr]|^--(?:ev|pr|re|im|loader|exp\w*.loader)|^eval$/)],
  [
    UNREADABLE,
    "node nodejs",
    some(/^--(?:test.(?:reporter|global.setup)|env.file|openssl.config|inspect|import)/),
  ],
  [UNREADABLE, "python python2 python3 pypy pypy3", some(/^-[a-zA-Z]*c/)],
  [UNREADABLE, "perl ruby php lua rscript", some(/^-/)],
  [
    UNREADABLE,
    "guile ghc ocaml elixir mix erl julia r octave swift kotlin scala groovy clojure clj sbcl racket crystal",
    some(CODE_OPTION),
  ],
  [UNREADABLE, "tsx ts-node rake rspec just nix nix-shell nix-build rebar3 ansible", some(CODE_OPTION)],
  [UNREADABLE, "sqlite3 psql mysql mariadb", some(/(?:^|[;\s])(?:\.[a-z]{2}|\\\S|system\b)/)],
  [UNREADABLE, "tex latex pdftex pdflatex xelatex lualatex", some(/shell-escape|enable-write18/)],
  [UNREADABLE, "sed gsed", not(isPlainSed)],
  [UNREADABLE, "find fd fdfind", some(/^-(?:exec|ok)|^--exec|^-[xX]$/)],
  [
    UNREADABLE,
    "tar bsdtar",
    either(
      some(/^-[a-zA-Z]*[IF]/),
      long("to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script"),
    ),
  ],
  // Options that contain code, or name a file with code.
  [UNREADABLE, "sort", long("compress-program")],
  [UNREADABLE, "rg ripgrep", some(/^--(?:pre|hostname-bin)(?:=|$)/)],
  [UNREADABLE, "ag", long("pager")],
  [UNREADABLE, "timeit"],
  [UNREADABLE, "make gmake bmake", either(some(/^[^-=]+=|^-[a-zA-Z]*[EI]/), long("eval include-dir"))],
  [UNREADABLE, "curl", either(some(/^-[a-zA-Z]*K/), long("config"))],
  [UNREADABLE, "npm npx pnpm yarn", dashed(NPM_OPTIONS)],
  [UNREADABLE, "cargo", long("config")],
  [UNREADABLE, "go", some(/^--?(?:exec|toolexec|vettool|overlay|modfile|compiler|gccgoflags)(?:=|$)|extld/)],
  [UNREADABLE, "bazel bazelisk", some(/^--(?:run_under|shell_executable|override_repository)(?:=|$)/)],
  [UNREADABLE, "cmake", some(/^-[PE]/)],
  [UNREADABLE, "mypy", long("config-file")],
  [
    UNREADABLE,
    "jest vitest",
    some(
      /^--(?:config|global(?:Setup|Teardown)|setupFiles\w*|runner|testRunner|transform|resolver)(?:=|$)|^-c/,
    ),
  ],
  [UNREADABLE, "mocha", some(/^--(?:config|require|import|file)(?:=|$)|^-r/)],
  [
    UNREADABLE,
    "eslint prettier stylelint",
    some(/^--(?:config|rulesdir|plugin|parser|resolve-plugins-relative-to|custom-syntax)(?:=|$)|^-c/),
  ],
  [UNREADABLE, "gcc g++ cc c++ clang clang++", some(/^-(?:wrapper|fplugin|specs|B)|^-Xclang|^@/)],
  [UNREADABLE, "java javac", some(/^-(?:agent|javaagent|XX:On|J)|^@/)],
  [UNREADABLE, "mvn mvnw", some(/^exec:|^-D(?:jvm|argLine|exec\.|maven\.ext)/)],
  [UNREADABLE, "gradle gradlew", either(some(/^-I/), long("init-script"))],
  [UNREADABLE, "pytest", some(/^-[a-zA-Z]*[pco]/)],
  [UNREADABLE, "man less more", some(/^-[a-zA-Z]*[PH]|^--(?:pager|html)|^\+/)],
  [UNREADABLE, "printf", some(/^-v/)],
  [UNREADABLE, "git", not(first(KNOWN_GIT))],
  [
    UNREADABLE,
    "git",
    either(some(/^ext::/), long("open-files-in-pager upload-pack receive-pack exec ext-diff extcmd")),
  ],
  [UNREADABLE, "git", both(first(/^grep$/), some(/^-[a-zA-Z]*O/))],
  // These run any program that their arguments name, from a registry or the project; `-c` takes a whole
  // command line.
  [UNREADABLE, "npx bunx pnpx npm pnpm yarn", some(/^-c|^--call|^--shell-mode/)],
];

const byProgram = new Map<string, Row[]>();
for (const row of TABLE) {
  for (const program of row[1].split(" ")) byProgram.set(program, [...(byProgram.get(program) ?? []), row]);
}

/** The dangers of a command line, in words; empty when none is known. */
export function commandDangers(line: string, values: KnownValues = {}): string[] {
  const commands = parseCommand(line, values);
  return commands ? [...new Set(commands.flatMap(dangersOf))] : [`${UNREADABLE}: ${line}`];
}

function dangersOf({ words, written }: SimpleCommand): string[] {
  const shown = words.join(" ");
  return [
    ...dangersOfWords(words).map((danger) => `${danger}: ${shown}`),
    ...written.map((path) => `overwrites: ${path} (${shown})`),
  ];
}

/** A module whose address is its code, for any program that passes its arguments on to an interpreter. */
const CODE_ADDRESS = /(?:^|[=\s,])data:[^,\s]*(?:javascript|typescript|wasm|json)\b/i;

function dangersOfWords(words: readonly string[]): Danger[] {
  const inner = unwrapCommand(words);
  if (!inner) return [UNREADABLE];
  const [name = "", ...args] = inner;
  const program = programName(name);
  const rows = [...new Set([program, withoutVersion(program)])].flatMap(
    (known) => byProgram.get(known) ?? [],
  );
  return [
    ...(args.some((arg) => CODE_ADDRESS.test(arg)) ? ([UNREADABLE] as const) : []),
    ...rows.filter(([, , when]) => when?.(args) ?? true).map(([danger]) => danger),
    ...programsIn(inner).flatMap(dangersOfWords),
  ];
}

const TIMEOUT_FLAGS = /^(?:--preserve-status|--foreground|-v|-[ks]\w+|--(?:signal|kill-after)=\w+)$/;
/** A program that only starts another one. `valued`: options that take the next word too. */
type Wrapper = { flags?: RegExp; valued?: RegExp; first?: RegExp };
const ARCHITECTURE = /^(?:x86_64|i[3-6]86|aarch64|arm64|linux32|linux64)$/;
const WRAPPERS = new Map<string, Wrapper>([
  ["time", { flags: /^-p$/ }],
  ["nice", { flags: /^-(?:n?-?\d+|-adjustment=-?\d+)$/, valued: /^-n$/ }],
  ["ionice", { flags: /^-(?:[cn]\d|t)$/, valued: /^-[cn]$/ }],
  ["nohup", {}],
  // With variables or options it may start anything.
  ["env", {}],
  ["setsid", { flags: /^-[cfw]+$/ }],
  ["stdbuf", { flags: /^-[ioe](?:L|\d+)$/ }],
  ["timeout", { flags: TIMEOUT_FLAGS, valued: /^-[ks]$/, first: /^\d+(?:\.\d+)?[smhd]?$/ }],
  ["setarch", { flags: /^-R$/, first: ARCHITECTURE }],
  ["linux32", { flags: /^-R$/ }],
  ["linux64", { flags: /^-R$/ }],
  ["prlimit", { flags: /^--[a-z]+=[\d:]+$/ }],
  ["chrt", { flags: /^-[bfior]$/, first: /^\d+$/ }],
  ["taskset", { flags: /^-c$/, first: /^(?:0x)?[\da-f,-]+$/ }],
]);

/**
 * The command without preceding programs that only start it (`time`, `nice -n 5`, `timeout 60`); undefined
 * when such a program has arguments that may mean more.
 */
export function unwrapCommand(words: readonly string[]): readonly string[] | undefined {
  const [name = "", ...rest] = words;
  const wrapper = WRAPPERS.get(programName(name));
  if (!wrapper || rest.length === 0) return words;
  const { flags, valued, first: needed } = wrapper;
  let at = 0;
  for (; at < rest.length; at += 1) {
    const word = rest[at] ?? "";
    if (valued?.test(word) && /^[\w.-]+$/.test(rest[at + 1] ?? "")) at += 1;
    else if (!flags?.test(word)) break;
  }
  if (needed?.test(rest[at] ?? "")) at += 1;
  else if (needed) return undefined;
  while (flags?.test(rest[at] ?? "")) at += 1;
  const inner = rest.slice(at);
  // In another folder a program of that name may do anything.
  const isPlain = name === programName(name) && isProgramName(inner[0] ?? "") && !inner[0]?.startsWith("-");
  return isPlain ? unwrapCommand(inner) : undefined;
}

/** `python3.11` and `python3` are `python`, `gcc-12` is `gcc`. */
export function withoutVersion(program: string): string {
  return program.replace(/(?<=[a-z+])-?\d+(?:\.\d+)*$/, "");
}

/** A program as the table names it: `/usr/bin/RM.exe` is `rm`. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/(?<=.)\.(?:exe|cmd|bat|ps1)$/, "");
}

/** `npx rimraf dist`, `pnpm exec rm x`, `python -m pytest`: the inner command is judged as if it stood alone. */
export function programsIn([name = "", ...args]: readonly string[]): Arguments[] {
  const program = programName(name);
  const isRunner = /^(?:npx|bunx|pnpx|uvx|yarn|pnpm|bun|corepack)$/.test(program);
  const isManager =
    /^(?:npm|pnpm|yarn|bun|uv|poetry|pdm|pipx|bundle|pipenv|rbenv|pyenv|mise|asdf|conda|hatch|rye|composer|stack|cabal|opam|gem)$/.test(
      program,
    );
  const isPython = /^(?:python|pypy)$/.test(withoutVersion(program));
  const modules = args.flatMap((arg, at) => (isPython && arg === "-m" ? [at + 1] : []));
  const starts = args.flatMap((arg, at) => (isManager && /^(?:exec|x|dlx|run)$/.test(arg) ? [at + 1] : []));
  return [...(isRunner ? [0] : []), ...modules, ...starts].map((start) => {
    const rest = args.slice(start);
    const at = rest.findIndex((arg) => !arg.startsWith("-"));
    return at < 0 ? [] : rest.slice(at);
  });
}

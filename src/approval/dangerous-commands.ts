// Which commands a person is asked about whatever the rules say: one table. It names what is plainly dangerous; what
// holds back all else is isolation. Pure.
import { parseCommand, type SimpleCommand } from "./parse-command.ts";

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

/** `uniq <in> <out>` writes the second. */
const isSecondNamed: Condition = (args) => args.filter((arg) => !arg.startsWith("-")).length > 1;

/** Options and a script that neither write files nor start programs. */
const isPlainSed: Condition = (args) => {
  const [script = ""] = args.filter((arg) => !arg.startsWith("-"));
  const areOptionsPlain = args.every((arg) => !arg.startsWith("-") || /^-[nErszi]+$/.test(arg));
  return areOptionsPlain && /^(?:[0-9,$]*[pdq=]|s\/[^/]*\/[^/]*\/[gpi0-9]*)$/.test(script);
};
const KNOWN_GIT = new RegExp(
  `^(?:${[
    "add|am|annotate|apply|blame|branch|cat-file|check-ignore|checkout|cherry|cherry-pick|clean|commit|describe|diff",
    "fetch|filter-branch|gc|grep|help|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|notes|prune|pull|push",
    "rebase|reflog|remote|replace|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|stash|status|switch",
    "symbolic-ref|tag|update-ref|version|worktree|--version|--help",
  ].join("|")})$`,
);

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
  ["overwrites", "sort", some(/^-[a-zA-Z]*o|^--output/)],
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
  ["overwrites", "git", some(/^--outp/)],
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
  // Of a file elsewhere, or with the set-user-id bits.
  ["takes privileges", "chmod", some(/^\/|(?:^|\/)\.\.(?:\/|$)|^0?[1-7][0-7]{3}$|^[^-/]*[+=][^,]*s/)],
  // What starts another program, or changes what a later name means, is not what it is called.
  [
    UNREADABLE,
    "xargs env nohup timeout nice ionice setsid stdbuf watch parallel flock script expect taskset",
  ],
  [
    UNREADABLE,
    "eval exec source . command builtin alias unalias enable trap hash export declare typeset local",
  ],
  [
    UNREADABLE,
    "readonly unset set shopt let read mapfile readarray bind fc coproc ssh busybox toybox strace gdb",
  ],
  [UNREADABLE, "awk gawk mawk nawk vi vim nvim ex ed emacs screen tmux entr"],
  [UNREADABLE, "bash sh dash zsh ksh fish csh tcsh ash pwsh", not(first(/^[^-+]/))],
  [UNREADABLE, "node deno bun", some(/^-[a-z]*[epr]|^--(?:ev|pr|re|im|loader)|^eval$/)],
  [UNREADABLE, "python python2 python3 pypy pypy3", some(/^-[a-zA-Z]*c/)],
  [UNREADABLE, "perl ruby php lua rscript", some(/^-/)],
  [UNREADABLE, "sed gsed", not(isPlainSed)],
  [UNREADABLE, "find fd fdfind", some(/^-(?:exec|ok)|^--exec|^-[xX]$/)],
  [UNREADABLE, "tar bsdtar", some(/^--(?:to-c|ch|use-c|rsh|info-s|new-v)|^-[a-zA-Z]*[IF]/)],
  [UNREADABLE, "printf", some(/^-v/)],
  [UNREADABLE, "git", not(first(KNOWN_GIT))],
  [UNREADABLE, "git", some(/^--(?:u(?:=|$)|up(?!d)|rec|open|exe?c?(?:=|$))|^ext::/)],
  [UNREADABLE, "git", both(first(/^grep$/), some(/^-[a-zA-Z]*O/))],
  // They run what their arguments name from a registry or the project; `-c` gives them a whole command line.
  [UNREADABLE, "npx bunx pnpx npm pnpm yarn", some(/^-c|^--call|^--shell-mode/)],
];

const byProgram = new Map<string, Row[]>();
for (const row of TABLE) {
  for (const program of row[1].split(" ")) byProgram.set(program, [...(byProgram.get(program) ?? []), row]);
}

/** What is dangerous about a command line, in words; empty when nothing is known to be. */
export function commandDangers(line: string): string[] {
  const commands = parseCommand(line);
  return commands ? [...new Set(commands.flatMap(dangersOf))] : [`${UNREADABLE}: ${line}`];
}

function dangersOf({ words, written }: SimpleCommand): string[] {
  const shown = words.join(" ");
  return [
    ...dangersOfWords(words).map((danger) => `${danger}: ${shown}`),
    ...written.map((path) => `overwrites: ${path} (${shown})`),
  ];
}

function dangersOfWords([name = "", ...args]: readonly string[]): Danger[] {
  const program = programName(name);
  const rows = byProgram.get(program) ?? [];
  return [
    ...rows.filter(([, , when]) => when?.(args) ?? true).map(([danger]) => danger),
    ...programsThatAreRun(program, args).flatMap(dangersOfWords),
  ];
}

/** A program as the table names it: `/usr/bin/RM.exe` is `rm`. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/(?<=.)\.(?:exe|cmd|bat|ps1)$/, "");
}

/** `npx rimraf dist`, `pnpm exec rm x`: what may be run is judged as if it stood alone. */
function programsThatAreRun(program: string, args: Arguments): Arguments[] {
  const isRunner = /^(?:npx|bunx|pnpx|uvx|yarn|pnpm|bun)$/.test(program);
  const isManager = /^(?:npm|pnpm|yarn|bun|uv|poetry|pdm|pipx|bundle)$/.test(program);
  const starts = args.flatMap((arg, at) => (isManager && /^(?:exec|x|dlx|run)$/.test(arg) ? [at + 1] : []));
  return [...(isRunner ? [0] : []), ...starts].map((start) => {
    const rest = args.slice(start);
    const at = rest.findIndex((arg) => !arg.startsWith("-"));
    return at < 0 ? [] : rest.slice(at);
  });
}

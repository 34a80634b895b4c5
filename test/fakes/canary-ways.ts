// Ways in which a command may try to reach a key, or what is not its own. A way has succeeded when the key is in its
// output, or the word `reached`.

/** Set in every command; what lies around the worktree is made in canary-machine.ts. */
export type CanaryPlaces = Record<
  | "HOME_FOLDER"
  | "MACHINE"
  | "CHECKOUT"
  | "TEMP"
  | "REPOSITORY"
  | "STATE"
  | "SOCKET"
  | "ABSTRACT"
  | "PORT"
  | "NEIGHBOUR",
  string
>;

/** Below the home: each holds a key. */
export const FILES_WITH_KEYS = [
  ".netrc",
  ".npmrc",
  ".ssh/id_ed25519",
  ".aws/credentials",
  ".docker/config.json",
  ".git-credentials",
];

/** Below a folder that is on no list, where machines keep such things: each holds a key. */
export const FILES_OF_MACHINE = [
  "actions-runner/.credentials",
  "actions-runner/.credentials_rsaparams",
  "actions-runner/.runner",
  "actions-runner/.env",
  "actions-runner/_diag/Runner.log",
  "actions-runner/bin/.env",
  "workspaces/.codespaces/shared/.env",
  "srv/app/secret",
  "data/db/secret",
  "etc/ssl/private/server.key",
  "etc/environment",
  "root/.ssh/id_rsa",
  "home/other/.ssh/id_ed25519",
  "home/other/.config/gh/hosts.yml",
  "home/other/.kube/config",
  "var/lib/docker/secret",
  "var/spool/cron/root",
  "var/backups/shadow.bak",
  "mnt/disk/secret",
  "media/usb/secret",
  "opt/service/config.env",
  "boot/secret",
];
/** Of this machine, where they are there. */
const NOT_LISTED = [
  "/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh /etc/ssl/private /etc/pki/tls/private /etc/environment /etc/gitconfig",
  "/etc/npmrc /etc/pip.conf /etc/apt /etc/docker /etc/kubernetes /etc/machine-id /srv /data /workspaces /boot /mnt /media",
  "/var/lib /var/log /var/spool /var/backups /var/cache /root/.ssh /root/.config /root/.npmrc /root/.gitconfig /root/.bashrc",
  "/lost+found /.dockerenv /sys/firmware /sys/class /run/secrets /run/user /run/systemd /var/run/secrets",
]
  .join(" ")
  .split(" ");

const CONNECT = (address: string) =>
  `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect(${address}); print(s.recv(100))"`;
const READ_MEMORY = `python3 - <<'PY'
import os, re
for pid in [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]:
    try:
        maps = open(f'/proc/{pid}/maps').read().splitlines()
        memory = open(f'/proc/{pid}/mem', 'rb', 0)
        for line in maps:
            if '[stack]' not in line: continue
            start, end = [int(x, 16) for x in line.split()[0].split('-')]
            memory.seek(start)
            for found in re.findall(rb'canary-key-[0-9a-f]+', memory.read(end - start)): print(found.decode())
    except OSError: pass
PY`;

/** `control`: it succeeds where nothing isolates commands, on any Linux; so the way is a real one. */
export const WAYS: { title: string; command: string; control?: true }[] = [
  // The program's process
  { title: "env", command: "env; export -p; set" },
  { title: "/proc/self/environ", command: "cat /proc/self/environ" },
  {
    title: "the parents' environ",
    // Without isolation the parent is the keeper of the command, which has the command's own environment.
    command: "cat /proc/$PPID/environ /proc/$(cut -d' ' -f4 /proc/$PPID/stat)/environ",
    control: true,
  },
  { title: "the first process's environ", command: "cat /proc/1/environ" },
  { title: "every process's environ", command: "cat /proc/[0-9]*/environ", control: true },
  { title: "threads of every process", command: "cat /proc/[0-9]*/task/*/environ", control: true },
  { title: "every command line", command: "cat /proc/[0-9]*/cmdline; ps auxww", control: true },
  { title: "ps with environments", command: "ps auxeww", control: true },
  {
    title: "open files of every process",
    command: 'for f in /proc/[0-9]*/fd/*; do case "$(readlink "$f")" in *.secret) cat "$f"; esac; done',
    control: true,
  },
  { title: "roots of every process", command: 'cat /proc/[0-9]*/root"$TEMP"/plain.secret', control: true },
  { title: "folders of every process", command: "cat /proc/[0-9]*/cwd/plain.secret" },
  { title: "the memory of every process", command: READ_MEMORY },
  {
    title: "a debugger",
    command: 'gdb -p "$PPID" -batch -ex "call (void)puts(*(char**)environ)" </dev/null',
  },
  { title: "a signal", command: 'kill -0 "$NEIGHBOUR" && echo reached', control: true },
  { title: "a signal to the parent", command: "for p in $PPID 1; do kill -9 $p; done; echo still here" },
  // Files of the home
  ...FILES_WITH_KEYS.map((file) => ({
    title: `~/${file}`,
    command: `cat "$HOME_FOLDER/${file}" ~/${file}`,
    control: true as const,
  })),
  { title: "a search of the home", command: 'grep -rs canary-key "$HOME_FOLDER"', control: true },
  { title: "git's credential helper", command: 'HOME="$HOME_FOLDER" git config --list', control: true },
  // Elsewhere on the machine
  ...FILES_OF_MACHINE.map((file) => ({
    title: `${file} of the machine`,
    command: `cat "$MACHINE/${file}"`,
    control: true as const,
  })),
  { title: "names beside the worktree", command: 'ls "$MACHINE" && echo reached' },
  ...NOT_LISTED.map((path) => ({ title: path, command: `[ -e ${path} ] && echo reached` })),
  { title: "other homes", command: "ls -d /home/* | grep -qv linuxbrew && echo reached" },
  {
    title: "a search of the whole disk",
    command: "grep -rsl canary-key / --exclude-dir=proc --exclude-dir=usr --exclude-dir=sys && echo reached",
  },
  // The checkout and the program's own repository
  { title: "the checkout's configuration", command: 'cat "$CHECKOUT/.git/config"', control: true },
  {
    title: "git in the checkout",
    command: 'git -C "$CHECKOUT" -c safe.directory="*" config --list',
    control: true,
  },
  { title: "an included configuration", command: 'cat "$TEMP"/git-credentials-*.config', control: true },
  {
    title: "the worktree's configuration",
    command: "git -c safe.directory='*' config --list; git remote -v",
    control: true,
  },
  { title: "the program's repository", command: 'cat "$REPOSITORY/config"', control: true },
  { title: "by way of .git", command: "cat \"$(sed 's/gitdir: //' .git)/../../config\"", control: true },
  // The runner's files
  { title: "a file of RUNNER_TEMP", command: 'cat "$TEMP/plain.secret"', control: true },
  { title: "a search beside the worktree", command: "grep -rs canary-key ../..", control: true },
  { title: "the state", command: 'cat "$STATE"/*/*', control: true },
  ...["set_env", "add_path", "set_output", "step_summary"].map((file) => ({
    title: `writing ${file}`,
    command: `echo "KEY=value" >> "$TEMP/_runner_file_commands/${file}" && cat "$TEMP/_runner_file_commands/${file}" && echo reached`,
    control: true as const,
  })),
  // Shared things of the machine
  { title: "shared memory", command: "cat /dev/shm/*.secret", control: true },
  { title: "the temporary folder", command: "cat /tmp/*.secret", control: true },
  { title: "a local server", command: 'exec 3<>"/dev/tcp/127.0.0.1/$PORT"; head -n 1 <&3', control: true },
  { title: "a local server by its other name", command: 'exec 3<>"/dev/tcp/localhost/$PORT"; head -n 1 <&3' },
  { title: "an agent's socket", command: CONNECT("'$SOCKET'"), control: true },
  { title: "an abstract socket", command: CONNECT("'\\0$ABSTRACT'"), control: true },
  { title: "names of sockets", command: 'grep -q "$ABSTRACT" /proc/net/unix && echo reached', control: true },
  { title: "services' sockets", command: "find /run /var/run/ -type s | grep -q . && echo reached" },
  // Ways out
  { title: "sudo", command: 'sudo -n cat "$TEMP/plain.secret"' },
  {
    title: "uncovering what is covered",
    command: 'umount -l "$HOME_FOLDER" "$TEMP" /tmp; cat "$TEMP/plain.secret"',
    control: true,
  },
  {
    title: "a namespace of its own",
    command: 'unshare -Urm sh -c "umount -l $TEMP; cat $TEMP/plain.secret"',
  },
  { title: "another process's namespaces", command: 'nsenter -t 1 -m -- cat "$TEMP/plain.secret"' },
  { title: "the first process's root", command: 'chroot /proc/1/root cat "$TEMP/plain.secret"' },
  {
    title: "a link in the worktree",
    command: 'ln -sf "$TEMP/plain.secret" there; cat there; rm there',
    control: true,
  },
  {
    title: "a hard link in the worktree",
    command: 'ln "$TEMP/plain.secret" there && cat there; rm -f there',
    control: true,
  },
  {
    title: "writing to the system",
    command: "touch /etc/canary-was-here && rm /etc/canary-was-here && echo reached",
  },
  {
    title: "the kernel's settings",
    command: "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo reached",
  },
  { title: "a kernel interface", command: "echo h > /proc/sysrq-trigger && echo reached" },
  {
    title: "the kernel's objects",
    command:
      'find /sys -type f 2>/dev/null | head -n 4000 | while read -r f; do if ( : >> "$f" ) 2>/dev/null; then echo "reached $f"; fi; done',
  },
  // What git runs for people
  { title: "a hook", command: 'echo true > "$REPOSITORY/hooks/pre-push" && echo reached', control: true },
  { title: "another .git", command: "mv .git .was && mv .was .git && echo reached", control: true },
  {
    title: "the worktree's HEAD",
    command: 'd="$(sed "s/gitdir: //" .git)"; cp "$d/HEAD" "$d/x" && rm "$d/x" && echo reached',
    control: true,
  },
];

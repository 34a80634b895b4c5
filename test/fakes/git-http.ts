// A real git server: `git http-backend` behind node:http, with the kind of authorization that the runner's token has.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** What GitHub's side of a push prints. */
const REFUSALS = {
  protected: [
    "error: GH006: Protected branch update failed for refs/heads/looplia/x.",
    "error: Changes must be made through a pull request.",
  ],
  ruleset: [
    "error: GH013: Repository rule violations found for refs/heads/looplia/x.",
    "Review all repository rules at https://github.com/owner/repo/rules?ref=refs%2Fheads%2Flooplia%2Fx",
    "",
    "- Cannot create ref due to creations being restricted.",
  ],
  secret: [
    "error: GH013: Repository rule violations found for refs/heads/looplia/x.",
    "",
    "- GITHUB PUSH PROTECTION",
    "    Resolve the following violations before pushing again",
    "",
    "    - Push cannot contain secrets",
    "",
    "      -- Anthropic API Key ---------------------",
    "       locations:",
    "         - commit: 0123456789012345678901234567890123456789",
    "           path: notes.md:1",
    "",
    "       (?) To push, remove secret from commit(s) or follow this URL to allow the secret.",
    "       https://github.com/owner/repo/security/secret-scanning/unblock-secret/2x",
  ],
  unsigned: [
    "error: GH013: Repository rule violations found for refs/heads/looplia/x.",
    "Review all repository rules at https://github.com/owner/repo/rules?ref=refs%2Fheads%2Flooplia%2Fx",
    "",
    "- Commits must have verified signatures.",
    "  Found 1 violation:",
  ],
} as const;
/** Of the shell: whether a push of `$old` to `$new` is refused. */
const REFUSED_WHEN: Partial<Record<keyof typeof REFUSALS, string>> = {
  unsigned:
    'for c in $(git rev-list "$new" --not --all); do git cat-file commit "$c" | grep -q "^gpgsig" || echo no; done',
};
const PERSON = { name: "A Person", email: "person@example.com" };

export type GitServer = {
  /** URL of the repository. */
  url: string;
  /** `http://git.localhost:<port>`: what GITHUB_SERVER_URL is set to. */
  serverUrl: string;
  /** The bare repository on disk. */
  bare: string;
  /** Method, path and whether the token was there, in order. */
  requests: { method: string; path: string; authorized: boolean }[];
  /** Called before anything is read: a status is answered instead. */
  beforeRead: (() => number | undefined) | undefined;
  /** Called before a push is carried out: to let somebody else push first, or to answer with a status instead. */
  beforePush: (() => Promise<number | undefined>) | undefined;
  /** Called after a push was carried out; true loses the answer. */
  afterPush: (() => boolean) | undefined;
  /** Refuses every push to a branch under `looplia/`, in GitHub's words. */
  refuseBranch(why: keyof typeof REFUSALS): Promise<void>;
  /** Ends `refuseBranch`. */
  takeBranch(): Promise<void>;
  /** Runs git in the bare repository. */
  git(...args: string[]): Promise<string>;
  close(): Promise<void>;
};

/** Serves `<root>/<repository>.git`, which is made with one commit of `files` on `main`. */
export async function startGitServer(options: {
  root: string;
  repository: string;
  /** Undefined: everybody may read, nobody may push. */
  token: string | undefined;
  files: Record<string, string | Uint8Array>;
}): Promise<GitServer> {
  const bare = join(options.root, `${options.repository}.git`);
  await cp(join(await repositoryOf(options.files), "bare"), bare, { recursive: true });
  const git = async (...args: string[]) =>
    (await execute("git", args, { cwd: bare, env: environment() })).stdout.trim();
  const expected = `basic ${Buffer.from(`x-access-token:${options.token}`).toString("base64")}`;
  const state: GitServer = {
    url: "",
    serverUrl: "",
    bare,
    requests: [],
    beforeRead: undefined,
    beforePush: undefined,
    afterPush: undefined,
    refuseBranch: async (why) => {
      const hook = join(bare, "hooks", "pre-receive");
      await mkdir(join(bare, "hooks"), { recursive: true });
      const words = REFUSALS[why].map((line) => `echo '${line}' >&2`).join("\n    ");
      const isRefused = `[ -n "$(${REFUSED_WHEN[why] ?? "echo always"})" ]`;
      const script = `#!/bin/sh\nwhile read -r old new ref; do\n  case "$ref" in refs/heads/looplia/*)\n    if ${isRefused}; then\n    ${words}\n    exit 1; fi;;\n  esac\ndone\n`;
      await writeFile(hook, script, { mode: 0o755 });
    },
    takeBranch: () => rm(join(bare, "hooks", "pre-receive")),
    git,
    close: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? "/";
      const authorized = (request.headers.authorization ?? "").toLowerCase() === expected.toLowerCase();
      state.requests.push({ method: request.method ?? "", path, authorized });
      const isPublic = options.token === undefined && !path.endsWith("git-receive-pack");
      if (!authorized && !isPublic) return answer(response, 401, { "www-authenticate": 'Basic realm="git"' });
      const refused = path.includes("git-upload-pack") ? state.beforeRead?.() : undefined;
      if (refused !== undefined) return answer(response, refused, {});
      const isPush = request.method === "POST" && path.endsWith("/git-receive-pack");
      if (isPush) {
        const status = await state.beforePush?.();
        if (status !== undefined) return answer(response, status, {});
      }
      serve(options.root, request, response, () => isPush && state.afterPush?.() === true);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  state.url = `http://127.0.0.1:${port}/${options.repository}.git`;
  state.serverUrl = `http://git.localhost:${port}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}

/**
 * A folder with `bare`, one commit of `files` on `main`, and `checkout`, its clone: to be copied. It is made once for all
 * tests that begin alike, as each git process takes longer than the copy.
 */
export async function repositoryOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for (const [path, bytes] of Object.entries(files)) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  const made = join(tmpdir(), `looplia-repository-${hash.digest("hex")}`);
  if (existsSync(made)) return made;
  const draft = await mkdtemp(`${made}-`);
  const bare = join(draft, "bare");
  await pipe(draft, ["init", "-q", "--bare", "--template=", "-b", "main", bare]);
  await appendFile(join(bare, "config"), "[http]\n\treceivepack = true\n");
  await commitFiles(bare, "main", files, "first");
  await pipe(draft, ["clone", "-q", "--template=", bare, join(draft, "checkout")]);
  // Another process may have made the same meanwhile.
  await rename(draft, made).catch(() => rm(draft, { recursive: true }));
  return made;
}

/** One commit on a branch of a bare repository: files set, or removed where null. The new commit's id. */
export async function commitFiles(
  bare: string,
  branch: string,
  files: Record<string, string | Uint8Array | null>,
  message: string,
  person = PERSON,
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const parent = await pipe(bare, ["rev-parse", "--verify", "-q", ref]).catch(() => "");
  const lines = [`commit ${ref}`, "mark :1", `committer ${person.name} <${person.email}> now`];
  const stream = [text(lines), data(`${message}\n`), ...(parent === "" ? [] : [text([`from ${parent}`])])];
  for (const [path, content] of Object.entries(files)) {
    if (content === null) stream.push(text([`D ${JSON.stringify(path)}`]));
    else stream.push(text([`M ${modeOf(content)} inline ${JSON.stringify(path)}`]), data(content));
  }
  stream.push(text(["get-mark :1"]));
  return pipe(
    bare,
    ["-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--date-format=now"],
    Buffer.concat(stream),
  );
}

/** A script can be started. */
function modeOf(content: string | Uint8Array): string {
  return typeof content === "string" && content.startsWith("#!") ? "100755" : "100644";
}

function text(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

function data(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(content);
  return Buffer.concat([text([`data ${bytes.length}`]), bytes, text([""])]);
}

function environment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: PERSON.name,
    GIT_AUTHOR_EMAIL: PERSON.email,
    GIT_COMMITTER_NAME: PERSON.name,
    GIT_COMMITTER_EMAIL: PERSON.email,
  };
}

function pipe(cwd: string, args: string[], input?: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd, env: environment() });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString("utf8");
    });
    child.on("close", (code) =>
      code === 0 ? resolve(output.trim()) : reject(new Error(`git ${args[0]}: ${errors}`)),
    );
    child.stdin.on("error", () => {}); // a child that reads nothing
    child.stdin.end(input ?? "");
  });
}

function serve(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  isLost: () => boolean,
): void {
  const url = new URL(request.url ?? "/", "http://git");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...environment(),
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"] ?? ""),
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "x-access-token",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const whole = Buffer.concat(chunks);
    if (isLost()) return void response.destroy();
    const end = whole.indexOf("\r\n\r\n");
    const headers: Record<string, string> = {};
    for (const line of whole.subarray(0, end).toString("utf8").split("\r\n")) {
      const [name, ...value] = line.split(":");
      if (name) headers[name.toLowerCase()] = value.join(":").trim();
    }
    response.writeHead(Number.parseInt(headers.status ?? "200", 10), {
      "content-type": headers["content-type"] ?? "",
    });
    response.end(whole.subarray(end + 4));
  });
}

function answer(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, headers).end();
}

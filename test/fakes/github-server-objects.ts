// Blobs, trees and commits of the local GitHub server, made in the bare repository behind it. No ref points to them.
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ACTIONS, type Account } from "./github-server-accounts.ts";
import { notFound, type PlainRequest, type Reply, refusal } from "./github-server-contract.ts";

type Entry = { path: string; mode: string; sha?: string | null; content?: string };
type Sent = Partial<{
  content: string;
  encoding: string;
  base_tree: string;
  tree: Entry[] | string;
  message: string;
  parents: string[];
}>;

const SIGNATURE = [
  "-----BEGIN PGP SIGNATURE-----",
  "",
  "bm90IGEgc2lnbmF0dXJl",
  "-----END PGP SIGNATURE-----",
];
let indexes = 0;

/** `git` runs in the bare repository. Commits of an app's token are signed, those of a person's are not. */
export async function answerObjects(
  { method, path, body }: PlainRequest,
  account: Account,
  git: (...args: string[]) => Promise<string>,
): Promise<Reply | undefined> {
  const kind = /\/git\/(blobs|trees|commits)$/.exec(path)?.[1];
  if (method !== "POST" || kind === undefined) return undefined;
  const bare = await git("rev-parse", "--absolute-git-dir");
  const sent = body as Sent;
  const url = `http://github.localhost${path}`;
  try {
    if (kind === "blobs") {
      const bytes = Buffer.from(sent.content ?? "", sent.encoding === "base64" ? "base64" : "utf8");
      const sha = await feed(bare, ["hash-object", "-w", "--stdin"], bytes);
      return { status: 201, body: { sha, url: `${url}/${sha}` } };
    }
    if (kind === "trees") {
      const sha = await makeTree(bare, sent);
      return { status: 201, body: { sha, url: `${url}/${sha}`, truncated: false, tree: [] } };
    }
    return { status: 201, body: await makeCommit(bare, sent, { account, url }) };
  } catch (error) {
    // What is named and is not there.
    return /bad object|not a valid|unable to|failed/i.test(String(error))
      ? notFound()
      : refusal(422, String(error));
  }
}

async function makeTree(bare: string, { base_tree, tree }: Sent): Promise<string> {
  const index = join(bare, `api-index-${process.pid}-${++indexes}`);
  const inIndex = (args: string[], input?: string) => feed(bare, args, input, { GIT_INDEX_FILE: index });
  try {
    await inIndex(base_tree === undefined ? ["read-tree", "--empty"] : ["read-tree", base_tree]);
    const rows: string[] = [];
    for (const { path, mode, sha, content } of tree as Entry[]) {
      if (sha === undefined && content === undefined) throw new Error(`${path} has neither sha nor content`);
      if (sha) await feed(bare, ["cat-file", "-e", sha]);
      const oid =
        sha ??
        (content === undefined ? undefined : await feed(bare, ["hash-object", "-w", "--stdin"], content));
      rows.push(oid === undefined ? `0 ${"0".repeat(40)}\t${path}` : `${mode} ${oid}\t${path}`);
    }
    await inIndex(["update-index", "-z", "--index-info"], rows.map((row) => `${row}\0`).join(""));
    return await inIndex(["write-tree"]);
  } finally {
    await rm(index, { force: true });
  }
}

async function makeCommit(
  bare: string,
  { message = "", tree, parents = [] }: Sent,
  { account, url }: { account: Account; url: string },
) {
  for (const oid of [String(tree), ...parents]) await feed(bare, ["cat-file", "-e", oid]);
  const isSigned = account.app !== undefined;
  const seconds = Math.floor(Date.now() / 1000);
  const person = { name: account.login, email: `${account.id}+${account.login}@users.noreply.github.com` };
  const byGithub = account.id === ACTIONS.id ? { name: "GitHub", email: "noreply@github.com" } : person;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person.name} <${person.email}> ${seconds} +0000`,
    `committer ${byGithub.name} <${byGithub.email}> ${seconds} +0000`,
    ...(isSigned ? [`gpgsig ${SIGNATURE.join("\n ")}`] : []),
  ];
  const sha = await feed(
    bare,
    ["hash-object", "-t", "commit", "-w", "--stdin"],
    `${lines.join("\n")}\n\n${message}`,
  );
  const date = new Date(seconds * 1000).toISOString();
  const verified_at = isSigned ? date : null;
  const signature = isSigned ? SIGNATURE.join("\n") : null;
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${url}/${sha}`,
    html_url: `${url}/${sha}`,
    author: { ...person, date },
    committer: { ...byGithub, date },
    message,
    tree: { sha: String(tree), url: `${url}/${tree}` },
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${url}/${parent}`,
      html_url: `${url}/${parent}`,
    })),
    verification: {
      verified: isSigned,
      reason: isSigned ? "valid" : "unsigned",
      signature,
      payload: isSigned ? lines.join("\n") : null,
      verified_at,
    },
  };
}

function feed(
  cwd: string,
  args: string[],
  input?: string | Uint8Array,
  variables: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH ?? "",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      ...variables,
    };
    const child = spawn("git", args, { cwd, env });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString("utf8");
    });
    child.on("close", (code) =>
      code === 0 ? resolve(output.trim()) : reject(new Error(`git ${args[0]} failed: ${errors}`)),
    );
    child.stdin.on("error", () => {}); // a child that reads nothing
    child.stdin.end(input ?? "");
  });
}

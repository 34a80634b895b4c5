// What GitHub says when its push protection refuses a commit reaches people in its own words.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGit } from "../../src/sandbox/git-process.ts";

const SAID = `GITHUB PUSH PROTECTION
  —————————————————————————————————————————
    Resolve the following violations before pushing again

    - Push cannot contain secrets

     (?) Learn how to resolve a blocked push
     https://docs.github.com/code-security/secret-scanning/working-with-secret-scanning-and-push-protection

      —— GitHub Personal Access Token ——————————————————————
       locations:
         - commit: 0123456789012345678901234567890123456789
           path: notes.md:3

       (?) To push, remove secret from commit(s) or follow this URL to allow the secret.
       https://github.com/o/r/security/secret-scanning/unblock-secret/2abc
`;

test("the commit, the file and the way to let it through are named, and the hint is about that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "looplia-protection-"));
  const [remote, work] = [join(folder, "remote.git"), join(folder, "work")];
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const hook = join(remote, "hooks", "pre-receive");
  mkdirSync(join(remote, "hooks"), { recursive: true });
  const shown = `error: GH013: Repository rule violations found for refs/heads/looplia/x.\n\n${SAID}`;
  writeFileSync(hook, `#!/bin/sh\ncat >&2 <<'END'\n${shown}END\nexit 1\n`);
  chmodSync(hook, 0o755);
  execFileSync("git", ["init", "-q", work]);
  const commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"];
  execFileSync("git", commit, { cwd: work });
  const environment = { PATH: process.env.PATH ?? "" };
  const git = createGit({ folder: work, home: folder, remote, token: undefined, environment });
  await expect(git(["push", "--quiet", remote, "HEAD:refs/heads/looplia/x"])).rejects.toMatchObject({
    code: "host-failed",
    message: expect.stringMatching(/GH013.*Push cannot contain secrets.*notes\.md:3.*unblock-secret/s),
    hint: expect.stringContaining("push protection found a key"),
  });
});

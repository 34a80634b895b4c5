// Which git the program uses here, for `doctor`.
import { createGit, gitEnvironment } from "./git-process.ts";
import { writableFolders } from "./own-tools.ts";

/** Its version, and the folder of the repository that `root` is in. Throws `host-failed` where there is no git. */
export async function probeGit(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ version: string; repository?: string }> {
  const writable = writableFolders(root);
  const own = gitEnvironment(environment, writable);
  const git = createGit({
    folder: root,
    home: "/dev/null",
    remote: "",
    token: undefined,
    environment: own,
    writable,
  });
  const version = (await git(["--version"])).stdout.toString("utf8").trim();
  const found = await git(["rev-parse", "--show-toplevel"], { answers: [128] });
  const repository = found.stdout.toString("utf8").trim();
  return { version, ...(repository === "" ? {} : { repository }) };
}

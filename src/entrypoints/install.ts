// Where the program itself is.
import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

export type Install = { installFolder: string; version: string };

/** The folder that the program is installed in: two above its entry, `script`. */
export async function findInstall(script: string): Promise<Install> {
  const installFolder = dirname(dirname(dirname(await realpath(script))));
  const { version } = JSON.parse(await readFile(join(installFolder, "package.json"), "utf8")) as {
    version: string;
  };
  return { installFolder, version };
}

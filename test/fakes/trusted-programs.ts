// Programs of the settings around a worktree, as the wiring makes them.
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";
import { copyFiles } from "../../src/files/trusted-copy.ts";
import { ownSearchPath, writableFolders } from "../../src/sandbox/own-tools.ts";
import { openTrustedExport } from "../../src/sandbox/trusted-export.ts";
import { openTrustedPrograms, type TrustedPrograms } from "../../src/sandbox/trusted-programs.ts";
import { isolate } from "./isolation.ts";
import { needIsolation } from "./needed.ts";

/** The export has what is in the worktree now. `sandbox: "auto"` with a `PATH` without bubblewrap isolates nothing. */
export async function trustedPrograms(
  root: string,
  {
    sandbox = "required" as "auto" | "required" | "off",
    PATH = process.env.PATH ?? "",
    parents = [tmpdir()],
  } = {},
): Promise<TrustedPrograms & { top: string; end(): Promise<void> }> {
  if (sandbox === "required") needIsolation();
  const writable = writableFolders(root);
  const searchPath = ownSearchPath(PATH, writable);
  const trusted = openTrustedExport({
    ...{ parents, writable },
    copyTo: (folder) => copyFiles(root, folder, { environment: { PATH: searchPath }, closed: [] }),
    prepare: async () => {},
  });
  const programs = openTrustedPrograms({
    ...{ trusted, folder: trusted.top, root, searchPath, writable },
    isolate: isolate({ sandbox, environment: { PATH: searchPath, HOME: process.env.HOME ?? "/root" } }),
  });
  const end = async () => {
    await programs.close();
    await trusted.close();
  };
  onTestFinished(end);
  await trusted.begin();
  return { ...programs, top: trusted.top, end };
}

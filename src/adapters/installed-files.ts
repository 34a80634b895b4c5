// The files that the program is installed with: prompts and pipelines.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../errors.ts";
import type { TrustedFiles } from "../ports.ts";

/** The program's own files: nobody else writes there, so they are read straight, without a look at links. */
export function installedFolder(root: string): TrustedFiles {
  const orNothing = <Found>(look: () => Found): Found | undefined => {
    try {
      return look();
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(errnoOf(error) ?? "")) return undefined;
      throw error;
    }
  };
  // Synchronous: many small reads in a row, which the pool of threads would only slow down.
  return {
    label: "",
    read: async (path) => orNothing(() => readFileSync(join(root, path), "utf8")),
    list: async (folder) => orNothing(() => readdirSync(join(root, folder)))?.sort() ?? [],
  };
}

// Files of a trusted ref, made up: paths to texts.
import type { TrustedFiles } from "../../src/core/ports.ts";

export function memoryTrusted(texts: Record<string, string>, label = ""): TrustedFiles {
  const files = new Map(Object.entries(texts));
  return {
    label,
    read: async (path) => files.get(path),
    list: async (folder) => {
      const start = folder === "" ? "" : `${folder}/`;
      const below = [...files.keys()].filter((path) => path.startsWith(start));
      return [...new Set(below.map((path) => path.slice(start.length).split("/")[0] ?? ""))].sort();
    },
  };
}

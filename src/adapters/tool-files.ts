// Files as a model's tools see them: the same root, fewer places.
import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ToolFiles } from "../ports.ts";
import { readInside, writeInside } from "./file-access.ts";
import { compileGlob } from "./glob.ts";
import { isInside } from "./inside.ts";
import { checkForTools, refusal, showPath, splitPath, type Use } from "./path-rules.ts";
import { locate, type Place } from "./pinned-files.ts";
import { walkFiles } from "./walk-files.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** `closed` are real folders that tools never see. */
export function openToolFiles(root: string, closed: readonly string[]): ToolFiles {
  const workspaceFolder = linkedFolder(root, ".looplia");
  const check = (path: string, use: Use) => (place: Place) => {
    const real = realOf(place);
    if (closed.some((folder) => isInside(folder, real))) {
      throw refusal(`${showPath(path)} was refused: this folder is closed to tools.`, "You do not need it.");
    }
    checkForTools(path, namesOf(root, real), use);
    if (workspaceFolder !== undefined && isInside(workspaceFolder, real)) {
      checkForTools(path, [".looplia", ...namesOf(workspaceFolder, real)], use);
    }
  };
  const read = async (path: string, use: Use): Promise<string | undefined> => {
    const parts = splitPath(path);
    checkForTools(path, parts, use);
    const bytes = await readInside(root, parts, MAX_BYTES, check(path, use));
    return bytes === undefined ? undefined : decode(path, bytes);
  };
  return {
    async readText(path) {
      const text = await read(path, "read");
      if (text !== undefined) return text;
      throw refusal(`There is no file ${showPath(path)}.`, "Find its name with listFiles.");
    },
    readForEdit: (path) => read(path, "write"),
    async locate(path) {
      const parts = splitPath(path);
      checkForTools(path, parts, "write");
      const place = await locate(root, parts);
      check(path, "write")(place);
      return namesOf(root, realOf(place)).join("/");
    },
    async writeText(path, text, expected) {
      const parts = splitPath(path);
      checkForTools(path, parts, "write");
      if (!text.isWellFormed()) {
        throw refusal(
          `${showPath(path)} was not written: the text has half of a surrogate pair.`,
          "Send valid Unicode.",
        );
      }
      await writeInside(root, parts, text, (place) => {
        check(path, "write")(place);
        if (expected === undefined || namesOf(root, realOf(place)).join("/") === expected) return;
        throw refusal(`${showPath(path)} was not written: it leads somewhere else by now.`, "Look again.");
      });
    },
    walk: (folder, glob) => walkForTools(root, folder, glob, check(folder, "read")),
  };
}

async function* walkForTools(
  root: string,
  folder: string,
  glob: string | undefined,
  check: (place: Place) => void,
): AsyncGenerator<string> {
  const parts = splitPath(folder);
  checkForTools(folder, parts, "read");
  const place = locate(root, parts);
  check(place);
  if (place.missing.length > 0)
    throw refusal(`There is no folder ${showPath(folder)}.`, 'List the root: path ".".');
  if (statSync(place.real).isFile()) {
    yield parts.join("/");
    return;
  }
  const isWanted = glob === undefined ? () => true : await compileGlob(glob);
  const isOpen = (path: string) => {
    if (path === "node_modules" || path.endsWith("/node_modules")) return false;
    try {
      checkForTools(path, path.split("/"), "read");
      check({ real: join(place.real, path), missing: [] });
      return true;
    } catch {
      return false;
    }
  };
  for await (const path of walkFiles(place.real, isOpen)) {
    if (isWanted(path)) yield [...parts, path].join("/");
  }
}

function decode(path: string, bytes: Uint8Array): string {
  const isBinary = bytes.subarray(0, 8_000).includes(0);
  try {
    if (!isBinary) return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(`${showPath(path)} was refused: it is not UTF-8.`, "Convert a copy with a command.");
  }
  throw refusal(`${showPath(path)} was refused: it is binary.`, "Look at it with a command.");
}

function realOf({ real, missing }: Place): string {
  return join(real, ...missing);
}

function namesOf(folder: string, real: string): string[] {
  return relative(folder, real)
    .split(sep)
    .filter((name) => name !== "");
}

/** Where the workspace folder really is, when it is a link: its rules hold there too. */
function linkedFolder(root: string, name: string): string | undefined {
  try {
    const real = realpathSync.native(join(root, name));
    return real === join(root, name) ? undefined : real;
  } catch {
    return undefined;
  }
}

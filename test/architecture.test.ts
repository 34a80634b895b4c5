// The arrows of src/README.md, held by a test: prose rules decay.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const src = resolve(import.meta.dirname, "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** What each room may import; a room may always import itself. */
const ALLOWED = new Map<string, readonly string[]>([
  ["errors", []],
  ["session", ["errors"]],
  ["ports", ["errors", "session"]],
  ...["approval", "tools", "trigger", "config", "publish"].map((room): [string, string[]] => [
    room,
    ["errors", "session", "ports"],
  ]),
  ["agent", ["errors", "session", "ports", "approval", "tools", "trigger", "config", "publish"]],
  ["content", ["errors", "session", "ports", "approval", "tools", "trigger", "config", "publish", "agent"]],
  ["todo", ["errors", "session", "ports", "approval", "tools", "trigger", "config", "publish", "agent"]],
  [
    "handle",
    [
      "handle-tasks",
      "errors",
      "session",
      "ports",
      "approval",
      "tools",
      "trigger",
      "config",
      "publish",
      "agent",
      "content",
      "todo",
    ],
  ],
  [
    "handle-tasks",
    ["errors", "session", "ports", "approval", "tools", "config", "publish", "agent", "content", "todo"],
  ],
  ["adapters", ["errors", "session", "ports"]],
]);

/** Files called pure: no Node modules but hashing, no clock, no chance. */
const PURE = /^(session|approval|publish|trigger)\//;

function roomOf(file: string): string {
  return (file.split("/")[0] ?? "").replace(/\.ts$/, "");
}

function textOf(file: string): string {
  return readFileSync(join(src, file), "utf8").replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) =>
    relative(src, resolve(src, dirname(file), match[1] ?? "")),
  );
}

describe("the house", () => {
  it.each(files)("%s imports only along the arrow", (file) => {
    const room = roomOf(file);
    const allowed = ALLOWED.get(room);
    for (const target of importsOf(file)) {
      expect(files, `${file} imports a file that is not there: ${target}`).toContain(target);
      if (roomOf(target) === "adapters" && room === "entrypoints") {
        expect(file, "only the wiring imports adapters").toMatch(
          /^entrypoints\/wire(-cli|-action|-tasks|-worktree)?\.ts$/,
        );
      }
      if (allowed && roomOf(target) !== room)
        expect(allowed, `${file} → ${target}`).toContain(roomOf(target));
    }
  });

  it("has no cycles", () => {
    const state = new Map<string, "open" | "done">();
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === "done") return;
      if (state.get(file) === "open") throw new Error(`cycle: ${[...path, file].join(" → ")}`);
      state.set(file, "open");
      for (const target of importsOf(file)) visit(target, [...path, file]);
      state.set(file, "done");
    };
    for (const file of files) visit(file, []);
  });

  it("reads the process's environment and arguments only in entrypoints", () => {
    const elsewhere = files.filter((file) => !file.startsWith("entrypoints/"));
    expect(elsewhere.filter((file) => /process\.(env|argv)\b|@actions\/core/.test(textOf(file)))).toEqual([]);
  });

  it("keeps pure files pure", () => {
    const impure = /from "node:(?!crypto)|Date\.now\(|new Date\(\)|Math\.random|performance\.now|console\./;
    expect(files.filter((file) => PURE.test(file) && impure.test(textOf(file)))).toEqual([]);
  });

  it("keeps files short", () => {
    const long = files
      .map((file) => [file, textOf(file).split("\n").length] as const)
      .filter(([, lines]) => lines > 250);
    expect(long).toEqual([]);
  });

  it("takes the seed of every property test from one place", () => {
    const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
    const direct = tests.filter(
      (file) =>
        file.endsWith(".ts") &&
        /^import .*"fast-check"/m.test(readFileSync(join(import.meta.dirname, file), "utf8")),
    );
    expect(direct).toEqual([join("fakes", "properties.ts")]);
  });
});

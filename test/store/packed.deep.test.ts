// A kill while sessions are packed loses nothing, wherever it comes.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storeCiphers } from "../../src/store/cipher.ts";
import { readStoredLines } from "../../src/store/scan.ts";
import { INJECTOR } from "../crash/trial.ts";

const WORK = "work-abc123";
const ids = Array.from({ length: 9 }, (_, index) => `item-${index}-2026-11-21-00000${index}`);
const PROGRAM = join(import.meta.dirname, "../fakes/store-process.ts");

function start(folder: string, sessionId: string, environment: Record<string, string> = {}) {
  const words = [
    "--import",
    INJECTOR,
    PROGRAM,
    folder,
    sessionId,
    ...(environment.WORDS ?? "whole").split(" "),
  ];
  return spawnSync(process.execPath, words, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, CRASH_FOLDERS: folder, CRASH_IGNORE: "^lock", ...environment },
  });
}

const KEYS = [undefined, "correct horse battery staple"];

test.each(KEYS)(
  "killed before and after each effect of packing, key %j",
  { timeout: 240_000 },
  async (key) => {
    const cipher = await storeCiphers(key)(WORK);
    const run = (folder: string, sessionId: string, environment: Record<string, string> = {}) =>
      start(folder, sessionId, { ...environment, ...(key === undefined ? {} : { KEY: key }) });
    const root = await mkdtemp(join(tmpdir(), "packing-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const loose = join(root, "start", WORK);
    mkdirSync(loose, { recursive: true });
    for (const sessionId of ids.slice(0, 8)) expect(run(loose, sessionId).status).toBe(0);
    const read = (folder: string) =>
      Promise.all(ids.slice(0, 8).map((id) => readStoredLines(folder, id, cipher)));
    const before = await read(loose);

    const whole = join(root, "whole", WORK);
    cpSync(loose, whole, { recursive: true });
    const list = join(root, "effects");
    expect(run(whole, ids[8] ?? "", { CRASH_LIST: list }).status).toBe(0);
    expect(await read(whole)).toEqual(before);
    const effects = readFileSync(list, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    const isOfPacking = (place = "") => /frozen|packed|header\.json|\/(audit|conversation)/.test(place);
    const first = effects.findIndex(([, kind, place]) => kind === "link" && place?.includes("frozen/"));
    const points = effects
      .slice(first - 2)
      .filter(([, kind = "", place]) => !/sync|write/.test(kind) && isOfPacking(place))
      .slice(0, 13);
    expect(points.map(([, kind, place]) => `${kind} ${place?.replace(/item-\d[^/]*/, "X")}`)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^link .*frozen\//),
        expect.stringMatching(/^rename .*header\.json/),
        expect.stringMatching(/^link .*X\/packed\/000001\.br/),
        expect.stringMatching(/^unlink .*X\/conversation\/000001\.jsonl/),
        expect.stringMatching(/^unlink .*X\/audit\/000001\.jsonl/),
      ]),
    );
    for (const [index] of points) {
      for (const when of ["before", "after"]) {
        const folder = join(root, `${index}-${when}`, WORK);
        cpSync(loose, folder, { recursive: true });
        expect(run(folder, ids[8] ?? "", { CRASH_AT: `${index}:${when}` }).signal).toBe("SIGKILL");
        expect(await read(folder)).toEqual(before);
        expect(run(folder, ids[0] ?? "", { WORDS: "t9" }).status).toBe(0);
        const [goesOn, ...others] = await read(folder);
        expect(others).toEqual(before.slice(1));
        expect(goesOn?.lines.slice(0, -1)).toEqual(before[0]?.lines);
        await rm(folder, { recursive: true });
      }
    }
  },
);

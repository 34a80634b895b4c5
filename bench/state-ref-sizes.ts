// How large state refs become that are not those of the benchmark beside: short and long histories of small and large
// records. The stores are real; git gets their files in one stream, so that many checkpoints take seconds.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StoreLine } from "../src/core/events.ts";
import { openWorkStore } from "../src/store/work.ts";
import { SESSION, WORK } from "../test/fakes/state-run.ts";
import type { Figure } from "./report.ts";

const HISTORIES = [
  { checkpoints: 100, output: 4_000 },
  { checkpoints: 300, output: 300 },
  { checkpoints: 300, output: 20_000 },
  { checkpoints: 1_000, output: 300 },
];
/** Where records are small the trees weigh more than they do: that is shown without a limit. */
const SMALL = 1_000;
const LIMITS = { packed: 0.6, loose: 2 };

/** `linesOf`: what a turn stores whose tool gives `text`; `source`: what tools read. */
export async function benchStateRefSizes(
  folder: string,
  source: string,
  linesOf: (turn: number, text: string) => StoreLine[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { checkpoints, output } of HISTORIES) {
    const place = join(folder, `sizes-${checkpoints}-${output}`);
    const textOf = (turn: number) => {
      const from = (turn * 2_717) % (source.length - output);
      return source.slice(from, from + output);
    };
    const { raw, loose, packed } = await measure(place, checkpoints, (turn) => linesOf(turn, textOf(turn)));
    const name = `state ref of ${checkpoints} checkpoints, ${output} characters a turn`;
    const demands = output < SMALL ? undefined : LIMITS;
    const figureOf = (kind: "loose" | "packed", bytes: number): Figure => ({
      name: `${name}: ${kind} to raw`,
      value: bytes / raw,
      unit: "times",
      ...(demands ? { demand: demands[kind] } : {}),
    });
    figures.push(figureOf("loose", loose), figureOf("packed", packed));
  }
  return figures;
}

async function measure(place: string, checkpoints: number, linesOf: (turn: number) => StoreLine[]) {
  const folder = join(place, WORK);
  mkdirSync(folder, { recursive: true });
  const header = { workId: WORK, kind: "content", key: "k", codeVersion: "0.1.0" };
  const clock = { now: () => new Date(), elapsed: () => performance.now() };
  const work = await openWorkStore({ folder, header, clock });
  const session = await work.session(SESSION);
  const history = new History(folder);
  for (let turn = 0; turn < checkpoints; turn += 1) {
    await session.append(linesOf(turn));
    await work.seal(async () => history.add());
  }
  await work.close();
  return { raw: bytesOf(folder, ".jsonl"), ...sizesInGit(place, history.stream()) };
}

/** Commits of a folder's files, as `git fast-import` takes them. */
class History {
  readonly #folder: string;
  readonly #chunks: Buffer[] = [];
  #known = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(): void {
    const present = new Map(
      filesIn(this.#folder).map((path) => [path, statSync(join(this.#folder, path)).size]),
    );
    this.#say("commit refs/heads/state\ncommitter a <a@b> 1 +0000\ndata 0\n");
    for (const path of this.#known.keys()) if (!present.has(path)) this.#say(`D ${path}\n`);
    for (const [path, size] of present) {
      if (this.#known.get(path) === size) continue;
      this.#say(`M 100644 inline ${path}\ndata ${size}\n`);
      this.#chunks.push(readFileSync(join(this.#folder, path)));
      this.#say("\n");
    }
    this.#known = present;
  }

  stream(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  #say(text: string): void {
    this.#chunks.push(Buffer.from(text));
  }
}

function sizesInGit(place: string, stream: Buffer): { loose: number; packed: number } {
  const [packed, loose] = ["packed.git", "loose.git"].map((name) => join(place, name)) as [string, string];
  const git = (cwd: string, args: string[], input?: Buffer) =>
    execFileSync("git", args, { cwd, input, stdio: ["pipe", "pipe", "ignore"], maxBuffer: 2 ** 30 });
  for (const repository of [packed, loose]) git(place, ["init", "-q", "--bare", repository]);
  git(packed, ["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"], stream);
  git(packed, ["repack", "-adfq"]);
  const [pack = ""] = filesIn(join(packed, "objects/pack")).filter((name) => name.endsWith(".pack"));
  git(loose, ["unpack-objects", "-q"], readFileSync(join(packed, "objects/pack", pack)));
  return { packed: bytesOf(packed, ".pack"), loose: bytesOf(join(loose, "objects")) };
}

/** What of a folder is in a state ref, or in a repository: all but locks. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => path.slice(folder.length + 1)).filter((path) => !/(^|\/)lock(\/|$)/.test(path));
}

function bytesOf(folder: string, ending = ""): number {
  const files = filesIn(folder).filter((path) => path.endsWith(ending));
  return files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
}

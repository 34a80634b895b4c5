// Where local state was made. State in a repository may have come with a clone, a pull or an archive: it counts only where this
// user's program has made it, on this machine and for this folder.
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import { createFile, makeFolder, namesIn, readWhole, removeIfThere, renameFile } from "./durable.ts";

/** Folders are absolute. `keyFolder` is the user's own: no command and no clone can write there. */
type StatePlace = {
  stateFolder: string;
  root: string;
  keyFolder: string;
  /** Whether git has files in a folder below the root. */
  isTracked(folder: string): Promise<boolean>;
};

const ORIGIN = "origin";

/** `aside`: where state that was not made here is now. `sign`: comes before anything is written to the state. */
type ClaimedState = { aside?: string; sign(): Promise<void> };

/**
 * Looks where the state of this folder was made, and changes nothing where there is none. State that another machine, folder or
 * user has made, or that git has, is moved aside as a whole, and none of it is used. A folder outside the root can't come with
 * a clone: whoever names it has chosen it. `sign` throws `config-invalid` where the key can't be kept.
 */
export async function claimState(place: StatePlace): Promise<ClaimedState> {
  const { stateFolder, root, keyFolder, isTracked } = place;
  if (!isBelow(root, stateFolder)) return { sign: async () => {} };
  let signing: Promise<void> | undefined;
  const sign = () => {
    signing ??= signState(place);
    return signing;
  };
  if (namesIn(stateFolder).every((name) => name === ORIGIN)) return { sign };
  const mark = markOf(root, await readKey(keyFolder).catch(() => undefined));
  const isOwn =
    mark !== undefined && (await readMark(stateFolder)) === mark && !(await isTracked(stateFolder));
  return isOwn ? { sign: async () => {} } : { aside: await moveAside(stateFolder), sign };
}

async function signState({ stateFolder, root, keyFolder }: StatePlace): Promise<void> {
  const mark = markOf(root, await makeKey(keyFolder));
  if ((await readMark(stateFolder)) === mark) return;
  await makeFolder(stateFolder);
  removeIfThere(join(stateFolder, ORIGIN));
  await createFile(join(stateFolder, ORIGIN), `${mark}\n`);
}

function markOf(root: string, key: Buffer | undefined): string | undefined {
  return key && createHmac("sha256", key).update(realpathSync(root)).digest("hex");
}

function isBelow(root: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (realOf(at) === realOf(root)) return true;
    if (at === dirname(at)) return false;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

async function moveAside(stateFolder: string): Promise<string> {
  const aside = `${stateFolder}-set-aside-${randomBytes(4).toString("hex")}`;
  await renameFile(stateFolder, aside);
  return aside;
}

async function readMark(stateFolder: string): Promise<string | undefined> {
  try {
    return (await readWhole(join(stateFolder, ORIGIN))).toString("utf8").trim();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

const KEY = "key";
const KEY_BYTES = 32;

function readKey(folder: string): Promise<Buffer> {
  return readWhole(join(folder, KEY));
}

/** Made at its first use; of two processes that make it at once, both get the same. */
async function makeKey(folder: string): Promise<Buffer> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await createFile(join(folder, KEY), randomBytes(KEY_BYTES).toString("hex"));
    return await readKey(folder);
  } catch (error) {
    throw new LoopliaError(
      "config-invalid",
      `The key of local state can't be kept in ${folder}: ${messageOf(error)}.`,
      {
        hint: "Set XDG_STATE_HOME to a folder of your own that is writable, or LOOPLIA_STATE_DIR to one outside the repository",
        cause: error,
      },
    );
  }
}

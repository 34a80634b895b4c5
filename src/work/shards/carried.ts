// Finds the open work that already carries an item, so that a corrected glob neither pays twice nor leaves an orphan.
import { posix } from "node:path";
import { SESSIONS } from "../../content/folder.ts";
import { isSessionId } from "../../content/item.ts";
import { parseManifest, type SessionManifest } from "../../content/manifest.ts";
import { LoopliaError } from "../../core/errors.ts";
import type { CodeHost, Repository } from "../../core/ports-host.ts";
import { chooseWork, type RunSettings, type Work, type WorkKind } from "../find.ts";
import type { WakeRun } from "../run.ts";

/** The work of a run: a new one only if no open work carries any of its items. */
export async function workToStart(
  { repository, host, found, items }: Pick<WakeRun, "repository" | "host" | "found" | "items">,
  choice: { kind: WorkKind; skipped: number },
): Promise<Work> {
  const isShared = choice.kind === "content" && choice.skipped === 0;
  // Nearly every run that begins a work needs both lists, so they are requested together.
  const listing = isShared ? host.openPullRequests(found.settings.branchPrefix) : undefined;
  listing?.catch(() => undefined); // reported where the list is used
  const chosen = await chooseWork(repository, host, found, choice);
  if (chosen.pullRequest || !listing) return chosen;
  return (await findCarrier(repository, await listing, found, items.sources)) ?? chosen;
}

/**
 * The newest open work of the same pipeline that started a session of one of these sources. Sessions that its branch has
 * from the base do not count.
 */
async function findCarrier(
  repository: Repository,
  open: Awaited<ReturnType<CodeHost["openPullRequests"]>>,
  { settings, folder, baseCommit }: RunSettings,
  sources: readonly string[],
): Promise<Work | undefined> {
  const { branchPrefix, pipeline } = settings;
  const wanted = new Set(sources);
  const below = posix.join(folder, SESSIONS);
  const manifestsAt = async (commit: string) =>
    (await repository.listFiles(commit, below)).filter(({ path }) => path.endsWith("/session.json"));
  const onBase = new Set((await manifestsAt(baseCommit)).map(({ path }) => path));
  for (const pullRequest of open) {
    const { branch } = pullRequest;
    const workId = branch.slice(branchPrefix.length);
    if (!isSessionId(workId) || !workId.startsWith(`${pipeline}-`)) continue;
    const tip = await repository.tipOf(branch);
    if (tip === undefined) continue;
    await repository.fetchCommit(tip, branch);
    const own = (await manifestsAt(tip)).filter(({ path }) => !onBase.has(path));
    const blobs = await repository.readBlobs(own.map(({ oid }) => oid));
    const isCarried = own.some(({ path }, at) => {
      const manifest = read(new TextDecoder().decode(blobs[at]), path);
      return manifest?.pipeline === pipeline && wanted.has(manifest.source);
    });
    if (isCarried) return { workId, kind: "content", key: workId, branch, pullRequest };
  }
  return undefined;
}

function read(text: string, path: string): SessionManifest | undefined {
  try {
    return parseManifest(text, path).manifest;
  } catch (error) {
    if (error instanceof LoopliaError) return undefined;
    throw error;
  }
}

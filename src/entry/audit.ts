// Reads audit logs from any place, and the heads recorded in commits and comments.
import { readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { CliPlace, Wiring } from "../cli/surface.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { parseJson, valueAt } from "../core/json.ts";
import { writeNamed } from "../files/sources.ts";
import { readStoredAudit } from "../git/state-ref.ts";
import { createGithubDiscussion } from "../github/discussion.ts";
import { createGithubHost } from "../github/pulls.ts";
import {
  type AuditWitness,
  exportAudit,
  headInComment,
  headsInMessage,
  readExport,
  type StateFile,
  sessionOfInteraction,
  verifyAudit,
} from "../publish/audit.ts";
import { readMarker } from "../publish/report.ts";
import { storeCiphers } from "../store/cipher.ts";
import { isOfPack, openPacks } from "../store/packed.ts";
import { stateRefsOf } from "../work/find.ts";

type Server = { serverUrl: string; apiUrl: string; repository: string; token: string };
type Found = { files: StateFile[]; witnesses: AuditWitness[]; compared: string[]; unreached: string[] };

const NEEDED = /(?:^|\/)(?:header\.json|sessions\/[^/]+\/(?:events|conversation|audit)\/\d{6}\.jsonl)$/;
/** Far above any real work. */
const MOST_BYTES = 1024 ** 3;

/**
 * Verifies the logs in a folder, an artifact's zip, an exported file, or a state ref (its name, or a work's
 * id). `exportTo`: writes them to one file. Throws `config-invalid` without a log.
 */
export async function readAudit(
  place: CliPlace,
  source: string,
  { server, cwd, exportTo }: { server: Server | undefined; cwd: string; exportTo: string | undefined },
): ReturnType<Wiring["readAudit"]> {
  const found = await findLogs(place, resolve(cwd, source), { server, source });
  if (!found.files.some(({ path }) => path.includes("sessions/"))) {
    throw new LoopliaError("config-invalid", `There is no audit log in ${source}.`, {
      hint: "name a state folder, the zip of an artifact, an exported file, or a state ref",
    });
  }
  await addComments(found, place, server);
  if (exportTo !== undefined) {
    const text = exportAudit(found.files, found.witnesses, new Date().toISOString());
    await writeNamed(resolve(cwd, exportTo), text, '{"format":"looplia-audit"');
  }
  const { compared, unreached } = found;
  return { ...verifyAudit(found.files, found.witnesses), compared, unreached };
}

async function findLogs(
  place: CliPlace,
  path: string,
  { server, source }: { server: Server | undefined; source: string },
): Promise<Found> {
  const info = await stat(path).catch(() => undefined);
  if (!info) return readRef(place, source, server);
  if (info.size > MOST_BYTES) throw tooLarge(path);
  const bytes = info.isDirectory() ? undefined : await readFile(path);
  const exported = bytes && readExport(bytes.toString("utf8"));
  if (exported) return { ...exported, compared: ["the heads in the file itself"], unreached: [] };
  const stored = bytes ? await readZip(bytes, path) : await readFolder(path);
  const files = await openStored(place, stored);
  const found: Found = { files, witnesses: [], compared: [], unreached: [] };
  await addCommits(found, place, server);
  return found;
}

async function readRef(place: CliPlace, name: string, server: Server | undefined): Promise<Found> {
  const refs = /^[a-z0-9][a-z0-9-]{0,80}$/.test(name) ? stateRefsOf(place.settings, name) : [name];
  const stored = await readStoredAudit(placeOf(place, server), refs);
  if (!stored) {
    throw new LoopliaError(
      "config-invalid",
      `There is no file, folder or state ref ${JSON.stringify(name)}.`,
      {
        hint: "`looplia audit verify .looplia/state` checks all sessions of this folder; for a ref that is only on the server, set GITHUB_TOKEN",
      },
    );
  }
  const { ref } = stored;
  const files = await openStored(place, stored.files);
  return { files, witnesses: witnessesOf(stored), compared: [`the commits of ${ref}`], unreached: [] };
}

async function addCommits(found: Found, place: CliPlace, server: Server | undefined): Promise<void> {
  for (const workId of worksOf(found.files)) {
    const refs = stateRefsOf(place.settings, workId);
    try {
      const stored = await readStoredAudit(placeOf(place, server), refs);
      if (!stored) {
        found.unreached.push(
          `commits of ${refs[0]}: not here${server ? ", nor on the server" : ", and no GITHUB_TOKEN is set"}`,
        );
        continue;
      }
      found.witnesses.push(...witnessesOf(stored));
      found.compared.push(`the commits of ${stored.ref}`);
    } catch (thrown) {
      found.unreached.push(`commits of ${refs[0]}: ${messageOf(thrown)}`);
    }
  }
}

type Stored = NonNullable<Awaited<ReturnType<typeof readStoredAudit>>>;

function witnessesOf({ ref, commits }: Stored): AuditWitness[] {
  return commits.flatMap(({ id, message }) => headsInMessage(message, `commit ${id.slice(0, 12)} of ${ref}`));
}

function placeOf({ root, environment }: CliPlace, server: Server | undefined) {
  return { checkout: root, systemTemp: tmpdir(), environment, ...(server ? { server } : {}) };
}

/** Question comments record their session's head; only comments by the program's kind of author count. */
async function addComments(found: Found, place: CliPlace, server: Server | undefined): Promise<void> {
  if (!server) return;
  const host = createGithubHost(server);
  const discussion = createGithubDiscussion(server);
  for (const workId of worksOf(found.files)) {
    const branch = `${place.settings.branchPrefix}${workId}`;
    try {
      for (const { number } of await host.pullRequestsOf(branch)) {
        for (const { author, body, url } of await discussion.comments(number)) {
          const marker = author?.isBot ? readMarker(body) : undefined;
          const head =
            marker?.role === "request" && marker.workId === workId ? headInComment(body) : undefined;
          const sessionId =
            marker?.role === "request" ? sessionOfInteraction(found.files, marker.interactionId) : undefined;
          if (head && sessionId) found.witnesses.push({ ...head, sessionId, source: `the comment ${url}` });
        }
        found.compared.push(`the request comments of pull request #${number}`);
      }
    } catch (thrown) {
      found.unreached.push(`request comments of ${branch}: ${messageOf(thrown)}`);
    }
  }
}

function worksOf(files: readonly StateFile[]): string[] {
  const ids = files
    .filter(({ path }) => /(?:^|\/)header\.json$/.test(path))
    .map(({ text }) => valueAt(parseJson(text), "workId"));
  return ids.filter((id): id is string => typeof id === "string" && /^[a-z0-9][a-z0-9-]{0,80}$/.test(id));
}

type StoredFile = { path: string; bytes: Uint8Array };

function openStored({ settings }: CliPlace, files: readonly StoredFile[]): Promise<StateFile[]> {
  return openPacks(files, storeCiphers(settings.stateKey));
}

async function readFolder(folder: string): Promise<StoredFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths
    .filter(isNeeded)
    .map(async (path) => ({ path: nameOf(folder, path), bytes: await readFile(path) }));
  return Promise.all(files);
}

/** Relative, unless the folder is itself inside a work's folder. */
function nameOf(folder: string, path: string): string {
  const inside = relative(folder, path);
  return isNeeded(inside) ? inside : path;
}

function isNeeded(path: string): boolean {
  return NEEDED.test(path) || isOfPack(path);
}

async function readZip(bytes: Uint8Array, path: string): Promise<StoredFile[]> {
  const { unzipSync } = await import("fflate");
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!isNeeded(name)) return false;
        size += originalSize;
        if (size > MOST_BYTES) throw tooLarge(path);
        return true;
      },
    });
    return Object.entries(files).map(([name, bytes]) => ({ path: name, bytes }));
  } catch (cause) {
    if (cause instanceof LoopliaError) throw cause;
    throw new LoopliaError("config-invalid", `${path} is neither a zip nor an exported audit log.`, {
      cause,
    });
  }
}

function tooLarge(path: string): LoopliaError {
  return new LoopliaError("config-invalid", `${path}: larger than 1 GiB, the most that is read.`);
}

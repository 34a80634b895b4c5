// The sessions of each item. Reads the folders once per run, so that the time only grows with the number of
// items.

import type { Pipeline } from "../config/definitions.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { groupBy, hashContent } from "../core/json.ts";
import type { Workspace } from "../core/ports.ts";
import {
  type ManifestOnDisk,
  readManifest,
  readManifestBytes,
  readRest,
  SESSIONS,
  type SessionOnDisk,
} from "./folder.ts";
import { type ContentItem, isSessionId } from "./item.ts";

type Entry = {
  sessionId: string;
  source: string;
  pipeline: string;
  age: number;
  sourceHash: string;
  /** The unparsed manifest, for one use only: parsed manifests of many items would fill the memory. */
  fresh?: Uint8Array;
};

/** A session with an unreadable manifest, and what its folder shows about its item. */
type Unreadable = { error: LoopliaError; source?: string; pipeline?: string; contentHash?: string };

/** The item whose session is wanted. */
type Wanted = Pick<ContentItem, "source" | "sourceHash"> & { pipeline: string };

/**
 * Derived from the manifests, which are authoritative: a session is chosen by its manifest, and manifests are
 * read again once a work is open.
 */
export class SessionIndex {
  readonly #workspace: Workspace;
  readonly #notice: (message: string) => void;
  readonly #unreadable = new Map<string, Unreadable>();
  readonly #told = new Set<string>();
  /** Sessions taken by renamed items, by id. */
  readonly #taken = new Map<string, string>();
  #entries: Promise<Map<string, Entry>> | undefined;
  #bySource = new Map<string, Entry[]>();
  #byHash = new Map<string, Entry[]>();

  constructor(workspace: Workspace, notice: (message: string) => void = () => {}) {
    this.#workspace = workspace;
    this.#notice = notice;
  }

  /**
   * The newest session of an item, completed or not, except those in `except`. Throws `config-invalid` if a
   * session of the item is unreadable; skips unreadable sessions of other items and calls `notice` once.
   */
  async newestOf(wanted: Wanted, except: ReadonlySet<string>): Promise<string | undefined> {
    await this.#read();
    for (const [sessionId, found] of this.#unreadable) {
      if (except.has(sessionId)) continue;
      if (isOf(found, wanted)) throw found.error;
      if (this.#told.has(sessionId)) continue;
      this.#told.add(sessionId);
      this.#notice(`ignored session ${sessionId}: ${messageOf(found.error)}`);
    }
    return newest(this.#bySource.get(wanted.source) ?? [], wanted.pipeline, except)?.sessionId;
  }

  /**
   * The newest session of the same bytes under a name that no longer exists: the item was renamed. If several
   * items have these bytes, the first takes the session.
   */
  async renamedTo(
    wanted: Wanted,
    except: ReadonlySet<string>,
    isGone: (source: string) => Promise<boolean>,
  ): Promise<string | undefined> {
    await this.#read();
    let candidates = this.#byHash.get(wanted.sourceHash) ?? [];
    for (;;) {
      const found = newest(candidates, wanted.pipeline, except);
      if (!found) return undefined;
      const takenBy = this.#taken.get(found.sessionId) ?? wanted.source;
      if (takenBy === wanted.source && isPlain(found.source) && (await isGone(found.source))) {
        this.#taken.set(found.sessionId, wanted.source);
        return found.sessionId;
      }
      candidates = candidates.filter((one) => one !== found);
    }
  }

  /** All readable sessions of a pipeline with their sources, ordered by id. */
  async sessionsOf(pipeline: string): Promise<{ sessionId: string; source: string }[]> {
    return [...(await this.#read()).values()].filter((entry) => entry.pipeline === pipeline);
  }

  /** Finds sessions that another process began meanwhile; drops manifests read before. */
  async refresh(): Promise<void> {
    const known = await this.#read();
    for (const entry of known.values()) delete entry.fresh;
    this.#entries = this.#readNew(known);
    await this.#entries;
  }

  /** The manifest of a session: the indexed one on the first call, later the one on disk. */
  async manifestOf(sessionId: string): Promise<ManifestOnDisk | undefined> {
    const entry = (await this.#read()).get(sessionId);
    const { fresh } = entry ?? {};
    delete entry?.fresh;
    return readManifest(this.#workspace, sessionId, fresh);
  }

  /** Drops what was read, because a manifest has changed. */
  forget(): void {
    this.#entries = undefined;
    this.#unreadable.clear();
  }

  #read(): Promise<Map<string, Entry>> {
    this.#entries ??= this.#readNew(new Map());
    return this.#entries;
  }

  async #readNew(known: ReadonlyMap<string, Entry>): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    for (const { name, isFolder } of await this.#workspace.list(SESSIONS)) {
      if (!isFolder) continue;
      const entry = known.get(name) ?? (await this.#readOne(name));
      if (entry) entries.set(name, entry);
    }
    this.#bySource = groupBy(entries.values(), ({ source }) => source);
    this.#byHash = groupBy(entries.values(), ({ sourceHash }) => sourceHash);
    return entries;
  }

  async #readOne(sessionId: string): Promise<Entry | undefined> {
    try {
      const fresh = await readManifestBytes(this.#workspace, sessionId);
      const found = await readManifest(this.#workspace, sessionId, fresh);
      this.#unreadable.delete(sessionId);
      return found && entryOf(sessionId, found, fresh);
    } catch (error) {
      if (!(error instanceof LoopliaError)) throw error;
      this.#unreadable.set(sessionId, { error, ...(await readTraces(this.#workspace, sessionId)) });
      return undefined;
    }
  }
}

function entryOf(sessionId: string, { manifest }: ManifestOnDisk, fresh: Uint8Array | undefined): Entry {
  const { source, pipeline, createdAt, sourceHash = "" } = manifest;
  const entry = { sessionId, source, pipeline, age: Date.parse(createdAt) || 0, sourceHash };
  return fresh ? { ...entry, fresh } : entry;
}

/** The last one of equally old sessions. */
function newest(entries: readonly Entry[], pipeline: string, except: ReadonlySet<string>): Entry | undefined {
  let found: Entry | undefined;
  for (const entry of entries) {
    if (entry.pipeline !== pipeline || except.has(entry.sessionId)) continue;
    if (found === undefined || entry.age >= found.age) found = entry;
  }
  return found;
}

/** A manifest may have come with the repository: no file outside of it is looked for on its word. */
function isPlain(source: string): boolean {
  return !/^(?:[/\\]|[a-z]:)/i.test(source) && !source.split(/[/\\]/).includes("..");
}

/** By what can still be read of the manifest, otherwise by the copy beside it. */
function isOf(found: Unreadable, { source, sourceHash, pipeline }: Wanted): boolean {
  if ((found.pipeline ?? pipeline) !== pipeline) return false;
  return found.source === undefined ? found.contentHash === sourceHash : found.source === source;
}

async function readTraces(workspace: Workspace, sessionId: string): Promise<Omit<Unreadable, "error">> {
  // No name of a session: no item's.
  if (!isSessionId(sessionId)) return { source: "" };
  const read = (file: string) =>
    workspace.read(`${SESSIONS}/${sessionId}/${file}`).catch((error: unknown) => {
      if (error instanceof LoopliaError) return undefined;
      throw error;
    });
  const text = new TextDecoder().decode(await read("session.json"));
  const content = await read("content.md");
  const [source, pipeline] = ["source", "pipeline"].map((field) => readField(text, field));
  return {
    ...(source === undefined ? {} : { source }),
    ...(pipeline === undefined ? {} : { pipeline }),
    ...(content === undefined ? {} : { contentHash: hashContent(content) }),
  };
}

function readField(text: string, field: string): string | undefined {
  const quoted = new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1];
  if (quoted === undefined) return undefined;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** The session that `findManifest` finds, as it is on disk. */
export async function findSession(
  workspace: Workspace,
  item: Pick<ContentItem, "source" | "sourceHash">,
  pipeline: Pipeline,
  { index, ...search }: SessionSearch & { index: SessionIndex },
): Promise<SessionOnDisk | undefined> {
  const found = await findManifest(index, item, pipeline, search);
  return found && readRest(workspace, found, pipeline);
}

/**
 * The newest session of an item and pipeline, completed ones too, but none of `except`; or undefined. `isGone` tells whether
 * there is no item of that name any more: a renamed item goes on in its session. Throws `config-invalid` where one of the
 * item's cannot be read.
 */
export async function findManifest(
  index: SessionIndex,
  item: Pick<ContentItem, "source" | "sourceHash">,
  pipeline: Pipeline,
  { except = new Set(), isGone }: SessionSearch = {},
): Promise<ManifestOnDisk | undefined> {
  const wanted = { ...item, pipeline: pipeline.name };
  for (let attempt = 1; ; attempt += 1) {
    const sessionId =
      (await index.newestOf(wanted, except)) ?? (isGone && (await index.renamedTo(wanted, except, isGone)));
    if (sessionId === undefined) return undefined;
    const found = await index.manifestOf(sessionId);
    const isIts =
      found?.manifest.pipeline === pipeline.name &&
      (found.manifest.source === item.source || found.manifest.sourceHash === item.sourceHash);
    if (found && isIts) return found;
    if (attempt === MAX_LOOKS) return undefined;
    // The manifests count, not the index.
    index.forget();
  }
}

type SessionSearch = { except?: ReadonlySet<string>; isGone?: (source: string) => Promise<boolean> };

/** A manifest that changes at this very moment is looked at again. */
const MAX_LOOKS = 3;

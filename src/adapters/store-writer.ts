// Appends to the segments of stores that lie in one folder, one write after another.
import { appendFileSync, closeSync } from "node:fs";
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import type { LogName } from "../session/codec.ts";
import { diskError } from "./disk-errors.ts";
import { createOpenFile, syncBytes } from "./durable-file.ts";
import { foldSegments } from "./store-fold.ts";
import { segmentName } from "./store-segments.ts";

/** Lines of one store that are written together. */
export type Group = { store: LogName; text: string };

/** Appends to segments of its own, one group after the other; an older segment is never written to. */
export class SegmentWriter {
  readonly #folder: string;
  /** What the folder is of, for people. */
  readonly #owner: string;
  readonly #segments: Map<LogName, number[]>;
  readonly #descriptors = new Map<LogName, number>();
  #queue: Promise<void> = Promise.resolve();
  /** Once a write failed nobody knows what stands on disk: only opening again finds out. */
  #broken: unknown;

  /** `segments`: numbers of each store's, which this now holds. */
  constructor(folder: string, owner: string, segments: Iterable<readonly [LogName, number[]]>) {
    this.#folder = folder;
    this.#owner = owner;
    this.#segments = new Map(segments);
  }

  /** Durable when it resolves, after all that was asked for before. The first line of a store makes a new segment. */
  write(groups: readonly Group[]): Promise<void> {
    const written = this.#queue.then(() => this.#writeAll(groups));
    this.#queue = written.catch(() => undefined);
    return written;
  }

  /** Resolves when all that was asked for is written, or was refused. */
  drained(): Promise<void> {
    return this.#queue;
  }

  /**
   * Ends every segment: what is written later begins new ones, and only once `until` is settled. Where there are many,
   * they become one. Resolves when they have ended; fails when an earlier write failed.
   */
  seal(until: Promise<unknown>): Promise<void> {
    const sealed = this.#queue.then(async () => {
      this.#closeAll();
      if (this.#broken !== undefined) throw this.#broken;
      for (const [store, numbers] of this.#segments) await foldSegments(join(this.#folder, store), numbers);
    });
    const goOn = () => until.then(nothing, nothing);
    this.#queue = sealed.then(goOn, goOn);
    return sealed;
  }

  async close(): Promise<void> {
    await this.#queue;
    this.#closeAll();
  }

  #closeAll(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#descriptors.clear();
  }

  async #writeAll(groups: readonly Group[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      for (const group of groups) await this.#writeGroup(group);
    } catch (error) {
      this.#broken = diskError(error, this.#folder);
      throw this.#broken;
    }
  }

  async #writeGroup({ store, text }: Group): Promise<void> {
    const descriptor = this.#descriptors.get(store);
    if (descriptor !== undefined) {
      appendFileSync(descriptor, text);
      await syncBytes(descriptor);
      return;
    }
    const numbers = this.#segments.get(store) ?? [];
    const number = (numbers.at(-1) ?? 0) + 1;
    const name = segmentName(number);
    const created = await createOpenFile(join(this.#folder, store, name), text);
    if (created === undefined) {
      throw new LoopliaError("lost-race", `${store}/${name} of ${this.#owner} is another process's.`, {
        hint: "Let the other run end, then run again.",
      });
    }
    numbers.push(number);
    this.#segments.set(store, numbers);
    this.#descriptors.set(store, created);
  }
}

function nothing(): void {}

// A work's own log on the local disk (`work/<n>.jsonl`), open for this process alone.
import { join } from "node:path";
import type { Clock } from "../ports.ts";
import { encodeLine } from "../session/codec.ts";
import type { WorkEvent } from "../session/work-events.ts";
import { removeLeftovers } from "./durable-file.ts";
import { requestsOfWork } from "./store-find.ts";
import { scanWorkLog } from "./store-scan.ts";
import { setAsideCuts } from "./store-set-aside.ts";
import { SegmentWriter } from "./store-writer.ts";

export type FileWorkLog = {
  readonly writer: SegmentWriter;
  events(): Promise<WorkEvent[]>;
  append(events: readonly WorkEvent[]): Promise<void>;
};

/** Opens the log in a work's folder and sets aside what does not count. The caller holds the work's lock. */
export async function openWorkLog(folder: string, clock: Clock): Promise<FileWorkLog> {
  const scan = await scanWorkLog(folder);
  removeLeftovers(join(folder, "work"));
  await setAsideCuts(folder, scan.cuts, clock, () => {
    scan.segments.pop();
  });
  const writer = new SegmentWriter(folder, "the work's log", [["work", scan.segments]]);
  let { seq } = scan;
  return {
    writer,
    async events() {
      await writer.drained();
      return (await scanWorkLog(folder)).events;
    },
    async append(events) {
      if (events.length === 0) return;
      const at = clock.now().toISOString();
      let text = "";
      for (const { type, payload } of events) {
        seq += 1;
        text += encodeLine({ v: 1, seq, at, type, payload });
      }
      return writer.write([{ store: "work", text }]);
    },
  };
}

/** The highest number that a question of the work has so far: each is another one, asked or not. */
export async function lastOrdinal(folder: string): Promise<number> {
  let count = 0;
  let highest = 0;
  for await (const { request } of requestsOfWork(folder, '"UserInteractionRequested"')) {
    count += 1;
    const ordinal = /^q([1-9]\d{0,8})-/.exec(String(request.shortId))?.[1];
    highest = Math.max(highest, Number(ordinal ?? 0));
  }
  return Math.max(count, highest);
}

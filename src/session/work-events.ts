// What happens to a work as a whole: claims, comments, messages. Lines of `work/<n>.jsonl` beside the sessions' stores.
import type { z } from "zod";
import type { workPayloads } from "./work-shapes.ts";

type Payloads = { [T in keyof typeof workPayloads]: z.infer<(typeof workPayloads)[T]> };

export type WorkEvent = { [T in keyof Payloads]: { type: T; payload: Payloads[T] } }[keyof Payloads];
export type BaseList = Payloads["BaseListSeen"];
export type HandledComment = Payloads["CommentHandled"];

// What a task asks for, as one short hash: an attempt that was begun from something else begins anew.
import { hashContent } from "../session/hash.ts";
import type { TodoTask } from "./schema.ts";

/** Over what an agent is told to do; states, files and times are left out. */
export function taskDigest({ title, details, description, reference, steps }: TodoTask): string {
  return hashContent(JSON.stringify([title, details, description, reference, steps]));
}

// Whether somebody who left a mark on the disk may still be at work.
import { errnoOf } from "../errors.ts";

/** True for a process that exists, another user's and one that nobody has waited for included. */
export function isLive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}

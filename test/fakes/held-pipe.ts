// Whether a process is still there that holds a named pipe: its end is seen without waiting for what it does not do.
import { closeSync, constants, openSync } from "node:fs";

export function isHeld(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENXIO") return false;
    throw error;
  }
}

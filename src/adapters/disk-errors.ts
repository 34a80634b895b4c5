// What a disk refuses, in words.
import { errnoOf, LoopliaError } from "../errors.ts";

/** What the disk refused, as an error that says what to do; anything else comes back as it was. */
export function diskError(error: unknown, path: string): unknown {
  const code = errnoOf(error);
  const reason = code === undefined ? undefined : DISK_REASONS.get(code);
  if (!reason) return error;
  return new LoopliaError(reason.code, `Cannot use ${path}: ${reason.text} (${code}).`, {
    hint: reason.hint,
    cause: error,
  });
}

const ELSEWHERE = "Make the folder writable, or set LOOPLIA_STATE_DIR to one that is.";
const NO_LINKS = {
  code: "config-invalid",
  text: "the file system has no hard links or forbids the change",
  hint: "Set LOOPLIA_STATE_DIR to a folder on a local disk.",
} as const;
type DiskReason = { code: "config-invalid" | "host-failed" | "store-corrupt"; text: string; hint: string };
const DISK_REASONS = new Map<string, DiskReason>([
  ["EACCES", { code: "config-invalid", text: "permission denied", hint: ELSEWHERE }],
  ["EROFS", { code: "config-invalid", text: "the file system is read-only", hint: ELSEWHERE }],
  ["ENOTDIR", { code: "config-invalid", text: "a part of the path is a file", hint: ELSEWHERE }],
  ["EEXIST", { code: "config-invalid", text: "a file has the name of a folder", hint: ELSEWHERE }],
  [
    "EISDIR",
    {
      code: "store-corrupt",
      text: "a folder has the name of a file",
      hint: "Move it away, or restore the file from a copy.",
    },
  ],
  ["EPERM", NO_LINKS],
  ["ENOTSUP", NO_LINKS],
  ["ENOSPC", { code: "host-failed", text: "the disk is full", hint: "Free some space and run again." }],
  [
    "EDQUOT",
    { code: "host-failed", text: "the disk quota is used up", hint: "Free some space and run again." },
  ],
]);

/** What `action` does with the disk, its refusals as `diskError`. */
export function onDisk<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw diskError(error, path);
  }
}

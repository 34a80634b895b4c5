// Names as the laxest file system sees them. Pure.

/** HFS+ ignores these in names; the list is git's (utf8.c, next_hfs_char). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** One name of a path: case, composition, NTFS streams, trailing dots and blanks do not matter. */
export function foldName(name: string): string {
  const folded = name.normalize("NFKC").replace(IGNORED, "").toLowerCase();
  return folded.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

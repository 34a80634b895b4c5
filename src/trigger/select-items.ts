// Which files are content items. Pure.
import picomatch from "picomatch";

/**
 * The paths that match any of the globs, sorted; a glob that begins with `!` takes away. Paths are relative to the
 * working directory. Nothing below `.git` or `.looplia` is ever an item.
 */
export function selectItems(paths: readonly string[], globs: readonly string[]): string[] {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(plain);
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => plain(glob.slice(1)));
  if (wanted.length === 0) return [];
  const isItem = picomatch(wanted, { nonegate: true, ignore: [...unwanted, ".git/**", ".looplia/**"] });
  return paths.filter((path) => isItem(path)).sort();
}

function plain(glob: string): string {
  return glob.trim().replace(/^(\.\/)+/, "");
}

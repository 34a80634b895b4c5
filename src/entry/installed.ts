import { fileURLToPath } from "node:url";

/**
 * The folder of this installation. Found from this file's own place, because `argv[1]` is whatever started the process. The
 * sources are in `src/entry` and the bundles in `dist/chunks`: two folders below it, both.
 */
export const INSTALLED = fileURLToPath(new URL("../..", import.meta.url));

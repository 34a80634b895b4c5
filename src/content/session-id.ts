// Ids of sessions and works: they become paths and refs, so their form is checked, and no model is asked for them.
import canonicalize from "canonicalize";
import { hashContent } from "../session/hash.ts";
import type { ContentItem } from "./item.ts";
import { fileName } from "./item-title.ts";

const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;
const MAX_SLUG = 60;

/** True for what may name a session or a work: safe as part of a path and of a ref. */
export function isSessionId(text: string): boolean {
  return ID.test(text);
}

/** Lower-case letters, digits and single hyphens, at most 60; empty when nothing is left. */
export function slugify(text: string): string {
  const plain = text
    .slice(0, 1000)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss");
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug.length <= MAX_SLUG) return slug;
  const cut = slug.slice(0, MAX_SLUG + 1).replace(/-[^-]*$/, "");
  return (cut.length <= MAX_SLUG ? cut : slug.slice(0, MAX_SLUG)).replace(/-+$/, "");
}

/** `<slug>-<YYYY-MM-DD>-<6 hex>`; the day is UTC's, the slug from the hint, else the title, else the file name. */
export function createSessionId(
  item: Pick<ContentItem, "slugHint" | "title" | "source">,
  now: Date,
  randomHex6: string,
): string {
  const names = [item.slugHint ?? "", item.title, fileName(item.source)];
  const slug = names.map(slugify).find((name) => name !== "") ?? "item";
  return `${slug}-${now.toISOString().slice(0, 10)}-${randomHex6}`;
}

/** `<name>-<6 hex>`: the same for the same key, whatever the order of the key's fields. */
export function createWorkId(name: string, key: Readonly<Record<string, unknown>>): string {
  return `${slugify(name) || "work"}-${hashContent(canonicalize(key) ?? "").slice(0, 6)}`;
}

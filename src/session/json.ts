// Rules about JSON values that models and people send.

/** False when a text or key in the value holds a lone surrogate: such a value has no UTF-8 and no RFC 8785 form. */
export function isWellFormedJson(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") {
      if (!next.isWellFormed()) return false;
    } else if (next !== null && typeof next === "object") {
      for (const [key, inner] of Object.entries(next)) open.push(key, inner);
    }
  }
  return true;
}

/** Deeper values overflow the stack of what writes JSON. */
const MAX_DEPTH = 500;

/** True when no list or object in the value has more than 500 others around it. Never recurses. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return true;
}

/** The value as an object for the audit log; anything else is wrapped. Lone surrogates become U+FFFD. */
export function auditable(value: unknown): Record<string, unknown> {
  const safe: unknown = isWellFormedJson(value) ? value : JSON.parse(wellFormedText(value));
  return isObject(safe) ? safe : { value: safe ?? null };
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON object, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at a path of own properties; undefined where there is nothing. */
export function valueAt(root: unknown, ...path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function wellFormedText(value: unknown): string {
  const replace = (_key: string, inner: unknown): unknown => {
    if (typeof inner === "string") return inner.toWellFormed();
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key.toWellFormed(), item]));
  };
  return JSON.stringify(value, replace) ?? "null";
}

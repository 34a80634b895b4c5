// The order of ids as people count: T2 before T10, A10 before B2. Pure, and the same on every machine.

/** Negative when `one` comes first. Runs of ASCII digits count as numbers; equal ones fall back to code units. */
export function compareIds(one: string, other: string): number {
  if (one === other) return 0;
  const parts = one.match(/[0-9]+|[^0-9]+/g) ?? [];
  const others = other.match(/[0-9]+|[^0-9]+/g) ?? [];
  for (const [at, part] of parts.entries()) {
    const against = others[at];
    if (against === undefined) return 1;
    const order = compareParts(part, against);
    if (order !== 0) return order;
  }
  return parts.length < others.length ? -1 : one < other ? -1 : 1;
}

function compareParts(one: string, other: string): number {
  if (/^[0-9]/.test(one) && /^[0-9]/.test(other)) {
    const digits = one.replace(/^0+/, "");
    const against = other.replace(/^0+/, "");
    if (digits.length !== against.length) return digits.length - against.length;
    return digits === against ? 0 : digits < against ? -1 : 1;
  }
  return one === other ? 0 : one < other ? -1 : 1;
}

// What isolated commands may reach: nothing, all that this machine reaches, or a list of hosts. Pure.

/** `true`: this machine's network. A list: only its entries, each as `readTarget` writes it. */
export type Network = boolean | readonly string[];

/** A host in the form that `URL` gives it, IPv6 in brackets. Without `port`: every port. */
export type Target = { host: string; port?: number };

const ENTRY = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\%]+?)\.?(?::(\d{1,5}))?$/i;
const HOST = /^(?:\[[\da-f:.]+\]|[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_])?)$/;

/** Reads `host` or `host:port`; undefined for anything else. Every way to write an address gives the same host. */
export function readTarget(entry: string): Target | undefined {
  const [, written = "", digits] = ENTRY.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (written === "" || (port !== undefined && (port < 1 || port > 65_535))) return undefined;
  try {
    const host = new URL(`http://${written}/`).hostname;
    if (!HOST.test(host)) return undefined;
    return { host, ...(port === undefined ? {} : { port }) };
  } catch {
    return undefined;
  }
}

/** The setting in the one form that approvals are bound to: entries in order, each once. An empty list is no network. */
export function plainNetwork(given: boolean | readonly string[]): Network {
  if (typeof given === "boolean") return given;
  const targets = given.flatMap((entry) => readTarget(entry) ?? []);
  const entries = [
    ...new Set(targets.map(({ host, port }) => (port === undefined ? host : `${host}:${port}`))),
  ];
  return entries.length > 0 ? entries.sort() : false;
}

export function isSameNetwork(one: Network, other: Network): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** `without network`, and the like. `show` writes an entry. */
export function describeNetwork(
  network: Network,
  show: (entry: string) => string = (entry) => entry,
): string {
  if (network === false) return "without network";
  return network === true
    ? "with this machine's network, its own services and private addresses included"
    : `with network only to ${network.map(show).join(", ")}`;
}

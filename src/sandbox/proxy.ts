// Connects isolated commands to the hosts that the settings list, and to nothing else.
import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import { BlockList, connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf } from "../core/errors.ts";
import { readTarget, type Target } from "../core/interaction.ts";

// Decides which addresses may be reached. Checks the resolved address of a name and connects to exactly that
// address.

const CONNECT_MS = 30_000;

/** Addresses of this machine and its neighbors: allowed only for an entry with a port. */
const PRIVATE = new BlockList();
/**
 * Clouds serve machine credentials here (Azure, Oracle and Alibaba outside of the link-local range): allowed
 * only if the address itself is listed with its port.
 */
const LINK_LOCAL = new BlockList();
for (const subnet of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3",
  "::/96 ::ffff:0:0:0/96 fc00::/7 ff00::/8 64:ff9b::/96 64:ff9b:1::/48 2002::/16 2001::/32",
]
  .join(" ")
  .split(" "))
  add(PRIVATE, subnet);
for (const subnet of [
  ...["169.254.0.0/16", "fe80::/10", "fd00:ec2::/32"],
  ...["168.63.129.16/32", "192.0.0.192/32", "100.100.100.200/32"],
])
  add(LINK_LOCAL, subnet);

function add(list: BlockList, subnet: string): void {
  const [address = "", length] = subnet.split("/");
  list.addSubnet(address, Number(length), isIP(address) === 6 ? "ipv6" : "ipv4");
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

type Wanted = Required<Target>;

/** The entries that match a target; without a match, the target may not be reached. */
function entriesFor({ host, port }: Wanted, entries: readonly string[]): Target[] {
  const targets = entries.flatMap((entry) => readTarget(entry) ?? []);
  return targets.filter((entry) => entry.host === host && (entry.port ?? port) === port);
}

/** The reason to refuse an address; undefined if the address is allowed. */
function refuseAddress(address: string, { host }: Wanted, listed: readonly Target[]): string | undefined {
  const hasPort = listed.some((entry) => entry.port !== undefined);
  if (isIn(LINK_LOCAL, address)) {
    const isLiteral = isIP(host.replace(/^\[|\]$/g, "")) !== 0;
    return isLiteral && hasPort
      ? undefined
      : `${address} is link-local or the cloud's own: list this address itself, with its port`;
  }
  return hasPort || !isIn(PRIVATE, address)
    ? undefined
    : `${address} is private: list the host with its port`;
}

/** A connection, or the reason for its failure; `status` is the proxy's answer. */
type Reached = { socket: Socket } | { status: 403 | 502; why: string };

/** All addresses of a name. */
type Resolve = (name: string) => Promise<{ address: string }[]>;

/** What the proxy lets through, and how it finds addresses. */
type Listed = { entries: readonly string[]; resolve: Resolve };

/** Each connection has its own look-up, and goes to the very address that was checked: a name that changes gains nothing. */
async function reach(wanted: Wanted, { entries, resolve }: Listed): Promise<Reached> {
  const name = `${wanted.host}:${wanted.port}`;
  const listed = entriesFor(wanted, entries);
  if (listed.length === 0) {
    return { status: 403, why: `${name} is not listed. Commands reach only: ${entries.join(", ")}` };
  }
  const bare = wanted.host.replace(/^\[|\]$/g, "");
  const found = await resolve(bare).catch((error: unknown) => messageOf(error));
  if (typeof found === "string") return { status: 502, why: `${name}: ${found}` };
  let last: Reached = { status: 502, why: `${name} has no address` };
  for (const { address } of found) {
    const why = refuseAddress(address, wanted, listed);
    if (why !== undefined) {
      last = { status: 403, why: `${name}: ${why}` };
      continue;
    }
    const socket = await open(address, wanted.port);
    if (typeof socket !== "string") return { socket };
    last = { status: 502, why: `${name}: ${socket}` };
  }
  return last;
}

function open(host: string, port: number): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true, timeout: CONNECT_MS });
    const fail = (why: string) => {
      socket.destroy();
      resolve(why);
    };
    socket.once("timeout", () => fail(`no connection within ${CONNECT_MS / 1000} seconds`));
    socket.once("error", (error) => fail(error.message));
    socket.once("connect", () => {
      socket.removeAllListeners("timeout").removeAllListeners("error");
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

// The proxy itself: plain HTTP requests, and CONNECT for everything else.

/** Headers for a single connection, never forwarded. */
const HOP_BY_HOP = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** Resolves once the proxy listens on the socket at `path`. `entries` come from `plainNetwork`. */
export async function openProxy(
  path: string,
  entries: readonly string[],
  resolve: Resolve = (name) => lookup(name, { all: true }),
): Promise<{ close(): void }> {
  const listed = { entries, resolve };
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };
  // A request that cannot be forwarded closes its own connection, never the run.
  const server = createServer((request, response) => {
    forward(request, response, listed, keep).catch(() => response.destroy());
  });
  server.requestTimeout = 0;
  server.on("connection", keep);
  server.on("connect", (request, client, head) => {
    tunnel(request, { client, head }, listed, keep).catch(() => client.destroy());
  });
  server.unref();
  await new Promise<void>((done, reject) => {
    server.once("error", reject);
    server.listen(path, done);
  });
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Keep = (socket: Duplex) => void;

async function tunnel(
  { url = "" }: IncomingMessage,
  { client, head }: { client: Duplex; head: Buffer },
  listed: Listed,
  keep: Keep,
): Promise<void> {
  const { host, port } = readTarget(url) ?? {};
  const reached: Reached =
    host === undefined || port === undefined
      ? { status: 403, why: "CONNECT needs host:port" }
      : await reach({ host, port }, listed);
  if (!("socket" in reached)) {
    const text = `looplia: ${reached.why}\n`;
    const lines = [
      `HTTP/1.1 ${reached.status} Refused`,
      "Content-Type: text/plain",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
    ];
    client.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
    return;
  }
  const { socket } = reached;
  keep(socket);
  client.once("close", () => socket.destroy());
  socket.once("close", () => client.destroy());
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) socket.write(head);
  socket.pipe(client);
  client.pipe(socket);
}

/** Plain HTTP: checks each request on its own. */
async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  listed: Listed,
  keep: Keep,
): Promise<void> {
  const url = URL.parse(incoming.url ?? "");
  const target = url?.protocol === "http:" ? readTarget(url.hostname) : undefined;
  const refuse = (status: number, why: string) => {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(status, { "content-type": "text/plain", connection: "close" })
        .end(`looplia: ${why}\n`);
  };
  if (!url || !target) return refuse(403, "this is a proxy for http:// and CONNECT");
  const reached = await reach({ host: target.host, port: Number(url.port || 80) }, listed);
  if (!("socket" in reached)) return refuse(reached.status, reached.why);
  keep(reached.socket);
  const passedOn = Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const outgoing = openRequest({
    ...{ method: incoming.method, path: `${url.pathname}${url.search}`, setHost: false },
    headers: { ...Object.fromEntries(passedOn), host: url.host, connection: "close" },
    createConnection: () => reached.socket,
  });
  outgoing.on("error", (error) => refuse(502, error.message));
  outgoing.on("response", (answer) => {
    const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name));
    try {
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      answer.pipe(response);
    } catch (error) {
      outgoing.destroy();
      refuse(502, messageOf(error));
    }
  });
  response.once("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

// The bridge inside the sandbox: a program that listens on the proxy's address and forwards bytes to the socket.

/** Where the sandbox mounts the socket and the Node that runs the bridge. */
const BRIDGE_SOCKET = "/run/looplia/network";
const BRIDGE_NODE = "/run/looplia/node";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** The proxy's port inside the sandbox, unless a listed entry uses that port. */
const PROXY_PORT = 3128;

/** Arguments: the proxy's port, then one `port=host:port` per forwarded entry. Prints `ready` once and closes its output. */
const BRIDGE = `
const { connect, createServer } = require("node:net");
const [proxy, ...forwards] = require("node:process").argv.slice(1);
const join = (client, outside) => {
  client.on("error", () => outside.destroy()).once("close", () => outside.destroy());
  outside.on("error", () => client.destroy()).once("close", () => client.destroy());
  client.pipe(outside);
  outside.pipe(client);
};
const reach = (client, target) => {
  const outside = connect({ path: "${BRIDGE_SOCKET}", allowHalfOpen: true });
  if (!target) return join(client, outside);
  let said = Buffer.alloc(0);
  const listen = (chunk) => {
    said = Buffer.concat([said, chunk]);
    const end = said.indexOf("\\r\\n\\r\\n");
    if (end < 0) return;
    outside.off("data", listen).pause();
    if (!said.toString("latin1").startsWith("HTTP/1.1 200")) return void client.destroy();
    client.write(said.subarray(end + 4));
    join(client, outside);
  };
  client.on("error", () => outside.destroy());
  outside.on("data", listen).on("error", () => client.destroy());
  outside.write("CONNECT " + target + " HTTP/1.1\\r\\nHost: " + target + "\\r\\n\\r\\n");
};
const listen = (port, address, target) => new Promise((done) => {
  createServer({ allowHalfOpen: true }, (client) => reach(client, target)).on("error", () => done(false)).listen(port, address, () => done(true));
});
const places = [[proxy], ...forwards.map((forward) => forward.split("="))];
Promise.all(places.map(([port, target]) => listen(port, "127.0.0.1", target))).then(async (made) => {
  if (made.includes(false)) process.exit(1);
  await Promise.all(places.map(([port, target]) => listen(port, "::1", target)));
  process.stdout.write("ready", () => require("node:fs").closeSync(1));
});
`;

/** Everything that a sandbox needs to give its commands access to the proxy. */
export type Bridge = {
  /** Read-only mounts. */
  shown: [from: string, to: string][];
  /** Shell commands that start the bridge; they end with exit code 125 if it does not start. */
  setUp: string;
  environment: Record<string, string>;
  /** True if all listed entries are ports of this machine. */
  isLocal: boolean;
};

/** `socket`: the path of the proxy's socket outside the sandbox. */
export function describeBridge(socket: string, entries: readonly string[]): Bridge {
  const forwards = entries
    .filter(isForwarded)
    .map((entry) => ({ entry, port: readTarget(entry)?.port ?? 0 }));
  const ports = new Set(forwards.map(({ port }) => port));
  let own = PROXY_PORT;
  while (ports.has(own)) own += 1;
  const words = [...new Map(forwards.map(({ entry, port }) => [port, `${port}=${entry}`])).values()];
  const url = `http://127.0.0.1:${own}`;
  const proxied = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  const local = "localhost,127.0.0.1,::1";
  const start = [BRIDGE_NODE, "-e", quote(BRIDGE), "--", String(own), ...words.map(quote)].join(" ");
  return {
    shown: [
      [process.execPath, BRIDGE_NODE],
      [socket, BRIDGE_SOCKET],
    ],
    setUp: `[ "$(${start} </dev/null 2>/dev/null &)" = ready ] || { echo "looplia: the listed network could not be set up"; exit 125; }; `,
    isLocal: forwards.length === entries.length,
    environment: {
      ...Object.fromEntries(proxied.map((name) => [name, url])),
      ...{ no_proxy: local, NO_PROXY: local, NODE_USE_ENV_PROXY: "1" },
    },
  };
}

/** A local entry with a port is available inside the sandbox on the same port. */
function isForwarded(entry: string): boolean {
  const { host, port } = readTarget(entry) ?? {};
  return host !== undefined && LOOPBACK.has(host) && port !== undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

// A company's proxy: every request to the world goes through it, and it alone knows the names that end in `.proxied`.
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";

export type HttpProxy = {
  url: string;
  /** Hosts that were asked for, with ports, each once. */
  hosts: Set<string>;
  close(): Promise<void>;
};

export async function startHttpProxy(): Promise<HttpProxy> {
  const hosts = new Set<string>();
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? "/");
    hosts.add(url.host);
    const path = `${url.pathname}${url.search}`;
    const options = {
      host: "127.0.0.1",
      port: url.port,
      path,
      method: incoming.method,
      headers: incoming.headers,
    };
    const outgoing = send(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.on("connect", ({ url = "" }, socket, head) => {
    hosts.add(url);
    const upstream = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

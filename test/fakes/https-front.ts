// A company's certificate authority, and servers behind certificates that nobody else trusts.
import { request as send } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";

export type HttpsFront = {
  /** The same server with this name, over TLS. */
  of(url: string): Promise<string>;
  /** PEM of the certificate. */
  certificate: string;
  close(): Promise<void>;
};

/** `names` are DNS names that the certificate is for, beside 127.0.0.1. */
export async function openHttpsFront(names: readonly string[]): Promise<HttpsFront> {
  const subjectAltName = {
    name: "subjectAltName" as const,
    altNames: [{ type: 7 as const, ip: "127.0.0.1" }, ...names.map((value) => ({ type: 2 as const, value }))],
  };
  const extensions = [{ name: "basicConstraints" as const, cA: true }, subjectAltName];
  const { private: key, cert } = await generate([{ name: "commonName", value: "A company" }], { extensions });
  const servers: ReturnType<typeof createServer>[] = [];
  return {
    certificate: cert,
    async of(url) {
      const { hostname, port, pathname } = new URL(url);
      const server = createServer({ key, cert }, (incoming, response) => {
        const { url: path = "/", method, headers } = incoming;
        const outgoing = send({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        outgoing.on("error", () => response.destroy());
        incoming.pipe(outgoing);
      });
      servers.push(server);
      await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
      return `https://${hostname}:${(server.address() as AddressInfo).port}${pathname === "/" ? "" : pathname}`;
    },
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

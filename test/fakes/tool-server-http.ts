// The small MCP server behind HTTP; it counts calls and refuses requests without its header.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answer } from "./tool-server.mjs";

export type HttpToolServer = {
  url: string;
  /** Names of the tools that were called. */
  calls: string[];
  close(): Promise<void>;
};

export async function startToolServer(authorization: string): Promise<HttpToolServer> {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.headers.authorization !== authorization) return response.writeHead(401).end();
    if (request.method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (message.method === "tools/call") calls.push(message.params.name);
    const reply = answer(message);
    if (reply === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

// The way of an agent program's request to the service of its model.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { serviceUpstream } from "../../src/programs/gateway.ts";
import { eachLine } from "../../src/programs/process.ts";
import fc from "../fakes/properties.ts";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const asked = {
  ...{ method: "POST", path: "/v1/messages", body: Buffer.from("{}") },
  headers: { "content-type": "application/json" },
};
const { signal } = new AbortController();

test.each([false, true])(
  "the key is added on allowed paths only (through a proxy: %s)",
  async (isProxied) => {
    const seen: unknown[] = [];
    const baseURL = await serve((request, response) => {
      seen.push([request.url, request.headers["x-api-key"], request.headers["accept-encoding"]]);
      response.writeHead(201, { "x-own": "yes" }).end("answer");
    });
    const send = serviceUpstream({
      baseURL,
      paths: /^\/v1\/messages\b/,
      key: { "x-api-key": "key" },
      isProxied,
    });
    const reply = await send(asked, signal);
    expect(reply).toMatchObject({ status: 201, headers: { "x-own": "yes" } });
    expect(await text(reply.body)).toBe("answer");
    expect(await send({ ...asked, path: "/v1/files" }, signal)).toMatchObject({ status: 404 });
    expect(seen).toEqual([["/v1/messages", "key", "identity"]]);
  },
);

test.each([false, true])("the key does not follow a redirect (through a proxy: %s)", async (isProxied) => {
  const elsewhere: unknown[] = [];
  const other = await serve((request, response) => {
    elsewhere.push(request.headers);
    response.end();
  });
  const baseURL = await serve((_, response) => response.writeHead(307, { location: other }).end());
  const send = serviceUpstream({ baseURL, paths: /./, key: { "x-api-key": "key" }, isProxied });
  await expect(send(asked, signal)).rejects.toThrow("it redirects (status 307)");
  expect(elsewhere).toEqual([]);
});

test("turns share a connection", async () => {
  const ports = new Set<number | undefined>();
  const baseURL = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("answer");
  });
  const send = serviceUpstream({ baseURL, paths: /./, key: {}, isProxied: false });
  for (let turn = 0; turn < 3; turn += 1) await text((await send(asked, signal)).body);
  expect(ports.size).toBe(1);
});

test("lines end at line feeds only, wherever their bytes are cut", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\u2028", "\u2029", "\u0085", "\r") });
  fc.assert(
    fc.property(fc.array(line), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      const heard: string[] = [];
      const hear = eachLine((text) => heard.push(text));
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value;
        hear(bytes.subarray(at, at + size));
        at += size;
      }
      expect(heard).toEqual(lines.filter((text) => text !== ""));
    }),
  );
});

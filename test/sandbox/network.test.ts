import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { plainNetwork, readTarget } from "../../src/core/interaction.ts";
import { openProxy } from "../../src/sandbox/proxy.ts";
import { runCommandTool } from "../../src/tools/run-command.ts";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };

async function listen(server: Server, address = "127.0.0.1"): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => void server.close());
  const place = server.address();
  return typeof place === "object" && place ? place.port : 0;
}

/** Answers each connection with what it said, in capitals. */
const shouting = () =>
  createServer((client) => client.on("data", (data) => client.end(String(data).toUpperCase())));
const web = () =>
  createHttpServer((request, response) => {
    response.setHeader("x-seen", JSON.stringify([request.method, request.url, request.headers.host]));
    request.pipe(response);
  });

describe("a list of hosts", () => {
  test("is read in one form, whatever it is written as", () => {
    const written = [
      "B.Example.com.",
      "a.example:443",
      "0x7f.1:80",
      "[::0:1]:5432",
      "a.example:443",
      "bücher.example",
    ];
    expect(plainNetwork(written)).toEqual([
      "127.0.0.1:80",
      "[::1]:5432",
      "a.example:443",
      "b.example.com",
      "xn--bcher-kva.example",
    ]);
    expect(plainNetwork([])).toBe(false);
  });

  test.each([
    "*.example.com",
    "https://a.example",
    "a.example/x",
    "a.example:0",
    "a.example:65536",
    "a b",
    "u@h",
    "",
    ":80",
    "::1",
  ])("does not take %j", (entry) => expect(readTarget(entry)).toBeUndefined());
});

test("a command with listed hosts may reach outside, like one with the whole network", () => {
  const reaches = (network: boolean | string[]) =>
    runCommandTool.reachesOutside?.({ kind: "bubblewrap", network });
  expect([reaches(false), reaches(["a.example"]), reaches(true)]).toEqual([false, true, true]);
});

test("commands with a list reach its entries, and nothing else", async () => {
  const [raw, other] = [await listen(shouting()), await listen(shouting())];
  const http = await listen(web());
  const network = plainNetwork([`localhost:${raw}`, `127.0.0.1:${http}`]);
  const { workspace } = await makeWorktree({}, isolate({ network }));
  expect(workspace.isolation).toEqual({ kind: "bubblewrap", network });
  // A program that knows no proxy finds the listed port of this machine at the same place.
  const speak = (port: number) => `(exec 3<>/dev/tcp/localhost/${port} && echo hello >&3 && cat <&3)`;
  const fetched = `node -e 'fetch("http://127.0.0.1:${http}/a?b", {method: "POST", body: "text"}).then(async (r) => console.log(r.status, r.headers.get("x-seen"), await r.text()))'`;
  // A program that leaves the forwarded port out and asks the proxy itself.
  const ask = (line: string) =>
    `(exec 3<>/dev/tcp/127.0.0.1/3128 && printf '${line}\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -1 <&3)`;
  const commands = [
    speak(raw),
    speak(other),
    fetched,
    ask(`CONNECT localhost:${other} HTTP/1.1`),
    ask(`GET http://127.0.0.1:${other}/ HTTP/1.1`),
    ask(`GET http://127.0.0.1:${http}/x HTTP/1.1`),
  ];
  const { output } = await workspace.run(commands.join("; echo ---; "), limits);
  expect(output.split("---\n")).toEqual([
    "HELLO\n",
    expect.stringContaining("Connection refused"),
    `200 ["POST","/a?b","127.0.0.1:${http}"] text\n`,
    "HTTP/1.1 403 Refused\r\n",
    "HTTP/1.1 403 Forbidden\r\n",
    "HTTP/1.1 200 OK\r\n",
  ]);
});

describe("the proxy", () => {
  async function open(...[entries, resolve]: [readonly string[], Parameters<typeof openProxy>[2]?]) {
    const { base } = await makeWorktree();
    const path = join(base, "proxy");
    const proxy = await openProxy(path, entries, resolve);
    onTestFinished(() => proxy.close());
    return (line: string) => speak(path, line);
  }

  async function ask(entries: readonly string[], line: string): Promise<string> {
    return (await open(entries))(line);
  }

  async function speak(path: string, line: string): Promise<string> {
    const client = connect(path);
    // A tunnel ends with the client; a server may drop a request whose client has ended.
    client.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    if (line.startsWith("CONNECT ")) client.end();
    let said = "";
    for await (const chunk of client) said += chunk;
    return said;
  }

  test("lets a name through to a private address only with its port", async () => {
    const port = await listen(shouting());
    const target = `CONNECT localhost:${port}`;
    expect(await ask(["localhost"], target)).toMatch(
      /403[\s\S]*(?:127\.0\.0\.1|::1) is private: list the host with its port/,
    );
    expect(await ask([`localhost:${port}`], target)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(["127.0.0.1"], `CONNECT 127.0.0.1:${port}`)).toContain("is private");
    expect(await ask(["127.0.0.1"], `CONNECT [::ffff:127.0.0.1]:${port}`)).toContain("is not listed");
    expect(await ask([`[::ffff:7f00:1]`], `CONNECT [::ffff:127.0.0.1]:${port}`)).toContain("is private");
  });

  test.each([
    ["169.254.169.254", "CONNECT 169.254.169.254:80", /is link-local/],
    ["[fd00:ec2::254]", "CONNECT [fd00:ec2::254]:80", /is link-local/],
    ["169.254.169.254", "GET http://169.254.169.254/latest/meta-data/", /is link-local/],
    ["[::ffff:a9fe:a9fe]", "CONNECT [::ffff:169.254.169.254]:80", /is link-local/],
    ["[64:ff9b::a9fe:a9fe]", "CONNECT [64:ff9b::a9fe:a9fe]:80", /is private/],
    ["10.0.0.1", "CONNECT 10.0.0.1:80", /is private/],
    ["0.0.0.0", "CONNECT 0.0.0.0:80", /is private/],
    ["[::a9fe:a9fe]", "CONNECT [::169.254.169.254]:80", /is private/],
    ["168.63.129.16", "CONNECT 168.63.129.16:80", /is link-local or the cloud's own/],
    ["a.example", "CONNECT 0251.0376.0251.0376:80", /169\.254\.169\.254:80 is not listed/],
    ["a.example", "CONNECT 0xa9fea9fe:80", /169\.254\.169\.254:80 is not listed/],
    ["a.example", "CONNECT 2852039166:80", /169\.254\.169\.254:80 is not listed/],
    ["a.example", "CONNECT a.example", /needs host:port/],
    ["a.example", "GET https://a.example/", /is a proxy for/],
    ["a.example", "GET /", /is a proxy for/],
    ["a.example", "CONNECT b.example:443", /b\.example:443 is not listed/],
    ["a.example:443", "CONNECT a.example:80", /a\.example:80 is not listed/],
  ])("with %s listed refuses `%s`", async (entry, line, why) => {
    const said = await ask([entry], line);
    expect(said).toMatch(/^HTTP\/1\.1 403 /);
    expect(said).toMatch(why);
  });

  test("looks a name up once for each connection, and a name that changes gains nothing", async () => {
    const port = await listen(shouting());
    const answers = [["127.0.0.1"], ["169.254.169.254"], ["169.254.169.254", "127.0.0.1"], ["fe80::1"]];
    const asked: string[] = [];
    const say = await open([`a.example:${port}`], async (name) => {
      asked.push(name);
      return (answers.shift() ?? []).map((address) => ({ address }));
    });
    const target = `CONNECT a.example:${port}`;
    expect(await say(target)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await say(target)).toMatch(/^HTTP\/1\.1 403 [\s\S]*169\.254\.169\.254 is link-local/);
    expect(await say(target)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await say(`GET http://a.example:${port}/`)).toMatch(/fe80::1 is link-local/);
    expect(asked).toEqual(Array(4).fill("a.example"));

    const rebound = await open(["a.example"], async () => [{ address: "127.0.0.1" }]);
    expect(await rebound(`CONNECT a.example:${port}`)).toContain("127.0.0.1 is private");
  });

  test("hands a redirect to the client, whose next request is judged like the first", async () => {
    const away = "http://169.254.169.254/latest/meta-data/";
    const port = await listen(
      createHttpServer((_, response) => response.writeHead(302, { location: away }).end()),
    );
    const say = await open([`a.example:${port}`], async () => [{ address: "127.0.0.1" }]);
    const said = await say(`GET http://a.example:${port}/`);
    expect(said).toMatch(/^HTTP\/1\.1 302 /);
    expect(said).toContain(away);
    expect(await say(`GET ${away}`)).toMatch(/^HTTP\/1\.1 403 [\s\S]*is not listed/);
  });
});

// The runner's artifact service: the twirp calls of an upload and the block blobs behind its signed URL.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// account, container and blob, as addresses with an IP number have them
const BLOB = "/account/container/blob";

export type ArtifactServer = {
  /** ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN for the process under test. */
  environment: { ACTIONS_RESULTS_URL: string; ACTIONS_RUNTIME_TOKEN: string };
  /** Finalized ones: name, zip and the days it is kept. */
  artifacts: { name: string; zip: Buffer; retentionDays: number | undefined }[];
  /** When set, creating answers with this status. */
  failWith: number | undefined;
  close(): Promise<void>;
};

type Pending = { blocks: Map<string, Buffer>; zip: Buffer; retentionDays: number | undefined };

/** As on GitHub, a name can be used once in a run. */
export async function startArtifactServer(): Promise<ArtifactServer> {
  const pending = new Map<string, Pending>();
  const state: ArtifactServer = {
    environment: { ACTIONS_RESULTS_URL: "", ACTIONS_RUNTIME_TOKEN: runtimeToken() },
    artifacts: [],
    failWith: undefined,
    close: () => Promise.resolve(),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? "/", "http://results");
    if (request.method === "PUT" && url.pathname === BLOB) {
      putBlob(url, body);
      response.writeHead(201).end();
      return;
    }
    const reply = call(url.pathname.split("/").at(-1) ?? "", JSON.parse(body.toString("utf8") || "{}"));
    response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.environment.ACTIONS_RESULTS_URL = `${address}/`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;

  function putBlob(url: URL, body: Buffer): void {
    const artifact = pending.get(url.searchParams.get("name") ?? "");
    if (!artifact) return;
    const part = url.searchParams.get("comp");
    if (part === "block") artifact.blocks.set(url.searchParams.get("blockid") ?? "", body);
    else if (part === "blocklist") {
      const ids = [...body.toString("utf8").matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(
        (found) => found[1] ?? "",
      );
      artifact.zip = Buffer.concat(ids.map((id) => artifact.blocks.get(id) ?? Buffer.alloc(0)));
    } else artifact.zip = body;
  }

  function call(method: string, given: Record<string, unknown>): { status: number; body: unknown } {
    const name = String(given.name);
    if (method === "CreateArtifact") {
      if (state.failWith) return { status: state.failWith, body: { msg: "refused by the test" } };
      const isTaken = pending.has(name) || state.artifacts.some((artifact) => artifact.name === name);
      if (isTaken) return { status: 409, body: { msg: "an artifact with this name already exists" } };
      const expires = Date.parse(String(given.expires_at ?? given.expiresAt));
      const days = Number.isNaN(expires) ? undefined : Math.round((expires - Date.now()) / 86_400_000);
      pending.set(name, { blocks: new Map(), zip: Buffer.alloc(0), retentionDays: days });
      return {
        status: 200,
        body: {
          ok: true,
          signed_upload_url: `${address}${BLOB}?name=${encodeURIComponent(name)}&sig=signature-of-the-test`,
        },
      };
    }
    const artifact = pending.get(name);
    if (method !== "FinalizeArtifact" || !artifact)
      return { status: 404, body: { msg: `no ${method} of ${name}` } };
    state.artifacts.push({ name, zip: artifact.zip, retentionDays: artifact.retentionDays });
    return { status: 200, body: { ok: true, artifact_id: String(state.artifacts.length) } };
  }
}

/** Names in a zip file, from its central directory. */
export function zipNames(zip: Buffer): string[] {
  const names: string[] = [];
  for (let at = zip.indexOf("PK\u0001\u0002"); at >= 0; at = zip.indexOf("PK\u0001\u0002", at + 46)) {
    names.push(zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  return names.sort();
}

function runtimeToken(): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode({ scp: "Actions.Results:run-id:job-id" })}.x`;
}

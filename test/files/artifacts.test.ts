import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { uploadFolder } from "../../src/files/sources.ts";
import { type ArtifactServer, startArtifactServer, zipNames } from "../fakes/artifact-server.ts";

let server: ArtifactServer;
let folder: string;

beforeEach(async () => {
  server = await startArtifactServer();
  folder = await mkdtemp(join(tmpdir(), "looplia-artifact-"));
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  vi.stubEnv("GITHUB_SERVER_URL", "https://github.com");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const upload = (name: string) => uploadFolder({ name, folder, retentionDays: 7, timeoutMs: 20_000 });

test("uploads the files of a folder, without links", async () => {
  await mkdir(join(folder, "sessions/s/audit"), { recursive: true });
  await writeFile(join(folder, "sessions/s/audit/000001.jsonl"), "{}\n");
  await writeFile(join(folder, "header.json"), "{}");
  await symlink("/etc/passwd", join(folder, "passwd"));
  expect(await upload("looplia-x")).toBe(1);
  const [artifact] = server.artifacts;
  expect(artifact).toMatchObject({ name: "looplia-x", retentionDays: 7 });
  expect(zipNames(artifact?.zip ?? Buffer.alloc(0))).toEqual([
    "header.json",
    "sessions/s/audit/000001.jsonl",
  ]);
});

test("leaves out what is being written just now: it is gone before it could be read", async () => {
  await mkdir(join(folder, "work"));
  await writeFile(join(folder, "work/000001.jsonl"), "{}\n");
  await writeFile(join(folder, "work/.000002.jsonl.87d7c9ed.looplia-new"), "{}\n");
  await upload("looplia-x");
  expect(zipNames(server.artifacts[0]?.zip ?? Buffer.alloc(0))).toEqual(["work/000001.jsonl"]);
});

test("nothing to upload is no failure", async () => {
  expect(await upload("looplia-x")).toBeUndefined();
});

test("a refusal is a failure that says so", async () => {
  await writeFile(join(folder, "header.json"), "{}");
  server.failWith = 403;
  await expect(upload("looplia-x")).rejects.toMatchObject({
    code: "host-failed",
    message: expect.stringContaining("403"),
  });
});

test("GHES has no such service", async () => {
  await writeFile(join(folder, "header.json"), "{}");
  vi.stubEnv("GITHUB_SERVER_URL", "https://git.example.com");
  await expect(upload("looplia-x")).rejects.toMatchObject({ code: "host-failed" });
});

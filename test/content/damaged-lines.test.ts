// A stored line with a field of a wrong type: `run`, `answer` and `status` name file and line, and nothing is changed.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSessions } from "../../src/cli/status.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { wireCli } from "../../src/entry/wire-cli.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, askingModel } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

type Line = { v: number; seq: number; at: string; type: string; payload: Record<string, unknown> };

/** Changes the payload of the first line of a type. */
const change = (type: string, payload: Record<string, unknown>) => (lines: Line[]) => {
  const at = lines.findIndex((line) => line.type === type);
  const line = lines[at];
  if (line) line.payload = { ...line.payload, ...payload };
  return at + 1;
};
/** Adds a line at the end. */
const add = (type: string, payload: Record<string, unknown>, seq: number) => (lines: Line[]) =>
  lines.push({ v: 1, seq, at: "2026-11-21T08:00:00.000Z", type, payload });

test.each([
  ["options", () => change("UserInteractionRequested", { options: 7 })],
  ["from", () => change("TaskCreated", { from: {} })],
  ["actorId", (seq: number) => add("SessionCanceled", { reason: "r", actorId: 42 }, seq)],
  [
    "summary.files",
    (seq: number) =>
      add("SummaryReported", { taskId: "ideas", summary: { task_id: null, status: "done", files: 7 } }, seq),
  ],
])("%s of a wrong type", async (field, damageAfter) => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const host = new ScriptedHost([]);
  await world.run({ kind: "file", source: "a.md" }, askingModel("ideas"), { host });
  const [sessionId = ""] = await sessionsOf(world);
  const stateFolder = join(world.root, ".looplia/state");
  const stores = join(stateFolder, sessionId, "sessions", sessionId);
  const texts = await Promise.all(
    ["events", "conversation", "audit"].map((name) => readFile(join(stores, name, "000001.jsonl"), "utf8")),
  );
  const linesOf = (text: string): Line[] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const seq = Math.max(...texts.flatMap(linesOf).map((line) => line.seq)) + 1;
  const events = linesOf(texts[0] ?? "");
  const number = damageAfter(seq)(events);
  const damaged = events.map((line) => `${JSON.stringify(line)}\n`).join("");
  const segment = join(stores, "events/000001.jsonl");
  await writeFile(segment, damaged);

  const place = `${segment}:${number}: ${field}`;
  const refused = { code: "store-corrupt", message: expect.stringContaining(place) };
  const model = new ScriptedModel([]);
  await expect(world.run({ kind: "session", sessionId }, model)).rejects.toMatchObject(refused);
  const answer = { kind: "answer", actorId: "terminal:t", answer: { selectedOptionId: "calm" } } as const;
  const interactionId = host.asked[0]?.interactionId ?? "";
  const answered = world.run({ ...answer, interactionId }, model);
  await expect(answered).rejects.toMatchObject(refused);
  await expect(answered).rejects.toBeInstanceOf(LoopliaError);

  const readStores = (await wireCli()).readStores(stateFolder, undefined);
  const shown = await readSessions({ files: await trustedFolder(world.root, ""), readStores });
  expect(shown.sessions).toEqual([]);
  expect(shown.damaged).toMatchObject([{ sessionId, message: expect.stringContaining(place) }]);
  expect(await readFile(segment, "utf8")).toBe(damaged);
});

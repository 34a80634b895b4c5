// Terminals without a size, and narrow ones: the command line ends, and people see what it says.
import { EventEmitter } from "node:events";
import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { columnsOf, isInteractive, isLiveTerminal, type Surface, settleSize } from "../../src/cli/surface.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import { KEYS, openTerminal, type Terminal } from "../fakes/pseudo-terminal.ts";

const PROGRAM = resolve(import.meta.dirname, "../../src/entry/cli.ts");

function streamOf(columns: number | undefined, rows = 40): NodeJS.WriteStream {
  return Object.assign(new EventEmitter(), { columns, rows, isTTY: true }) as unknown as NodeJS.WriteStream;
}

describe("the size of a terminal", () => {
  it.each([
    [undefined, 80],
    [0, 80],
    [1, 1],
    [132, 132],
  ])("of %s columns counts as %i", (columns, counted) => {
    expect(columnsOf(streamOf(columns))).toBe(counted);
  });

  it("is settled for libraries, too, at the beginning and after a resize", () => {
    const stream = streamOf(0, 0);
    settleSize(stream);
    expect([stream.columns, stream.rows]).toEqual([80, 24]);
    Object.assign(stream, { columns: 50, rows: 0 }).emit("resize");
    expect([stream.columns, stream.rows]).toEqual([50, 24]);
  });

  it.each([
    [undefined, true],
    [0, true],
    [1, false],
    [19, false],
    [20, true],
  ])("of %s columns allows a picture and questions: %s", (columns, allowed) => {
    const stream = streamOf(columns);
    const surface = { stdin: { isTTY: true }, stderr: stream, environment: {} } as unknown as Surface;
    expect([isLiveTerminal(surface), isInteractive(surface)]).toEqual([allowed, allowed]);
  });
});

/** A run whose model asks a person at the ideas. */
async function openRun(size: { columns: number; rows: number }): Promise<Terminal> {
  const question = { question: "Which angle?", options: ["Calm", "Loud"] };
  const ask = { content: [{ type: "tool_use" as const, id: "toolu_ask", name: "askUser", input: question }] };
  const api = await startMessagesApi((body) =>
    body.messages.length === 1 && dueOutputs(body)[0] === "ideas" ? ask : writeDue(body),
  );
  onTestFinished(() => api.close());
  const { folder } = await makeCliWorld();
  return openTerminal([process.execPath, PROGRAM, "run", "--file", "content/kettles.md"], {
    cwd: folder,
    environment: { USER: "ada", HOME: folder, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url },
    ...size,
  });
}

describe("the command line in a terminal", () => {
  it.each([0, 1, 19])("of %i columns ends its demo", async (columns) => {
    const terminal = openTerminal([process.execPath, PROGRAM, "demo"], { columns, rows: 0 });
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain("The writing kit is valid.");
  });

  it("without a size draws its picture and asks", async () => {
    const terminal = await openRun({ columns: 0, rows: 0 });
    await terminal.shows("to navigate");
    expect(terminal.screen()).toContain("┌─");
    expect(terminal.screen()).toContain("Which angle?");
    expect(terminal.screen()).toContain("Loud");
    terminal.type(KEYS.enter);
    expect(await terminal.ended()).toBe(0);
  });

  it("of 1 column says in plain lines what was asked, and how to answer", async () => {
    const terminal = await openRun({ columns: 1, rows: 40 });
    expect(await terminal.ended()).toBe(3);
    expect(terminal.screen()).toMatch(/looplia answer q1-[0-9a-f]{6} choose/);
    expect(terminal.screen()).not.toContain("┌─");
  });
});

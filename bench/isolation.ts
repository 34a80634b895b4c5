// What isolation adds to a command: the same one in turn with and without it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openWorkspace } from "../src/files/workspace.ts";
import { openIsolation } from "../src/sandbox/isolation.ts";
import { commandEnvironment } from "../src/sandbox/visible.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, median } from "./report.ts";

const MOST_MS = 15;

export async function benchIsolation({ folder, runs }: Surroundings): Promise<Figure[]> {
  const root = join(folder, "isolation");
  await mkdir(root, { recursive: true });
  const environment = commandEnvironment(process.env);
  const open = (sandbox: "required" | "off") =>
    openWorkspace(root, {
      environment,
      systemTemp: join(folder, "none"),
      isolate: (inside) =>
        openIsolation({
          sandbox,
          network: false,
          root: inside,
          environment,
          closed: [],
          temporary: folder,
          warn: () => {},
        }),
    });
  const [bare, isolated] = [await open("off"), await open("required")];
  const limits = { timeoutMs: 10_000, maxOutput: 1_000, signal: new AbortController().signal };
  const began = performance.now();
  if (isolated.isolation.kind === "none") throw new Error(isolated.isolation.reason);
  const probe = performance.now() - began;
  const times: { bare: number[]; isolated: number[] } = { bare: [], isolated: [] };
  for (let run = 0; run <= runs; run += 1) {
    for (const [name, workspace] of [
      ["bare", bare],
      ["isolated", isolated],
    ] as const) {
      const start = performance.now();
      await workspace.run("true", limits);
      // The first does not count.
      if (run > 0) times[name].push(performance.now() - start);
    }
  }
  return [
    { name: "isolation, the probe", value: probe, unit: "ms" },
    { name: "isolation, a command without", value: median(times.bare), unit: "ms" },
    { name: "isolation, a command with", value: median(times.isolated), unit: "ms" },
    {
      name: "isolation, added to a command",
      value: median(times.isolated) - median(times.bare),
      unit: "ms",
      demand: MOST_MS,
    },
  ];
}

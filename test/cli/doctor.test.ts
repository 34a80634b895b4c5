import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkNode } from "../../src/entrypoints/cli/doctor-checks.ts";
import { LoopliaError } from "../../src/errors.ts";
import { makeFolder, type Options, runMain } from "./made-up-surface.ts";

async function doctor(files: Record<string, string>, argv: string[] = [], options: Options = {}) {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { ...(await runMain(["doctor", ...argv], folder, options)), folder };
}

describe("doctor", () => {
  it("finds an empty folder well, with a line for each check", async () => {
    const { code, stdout } = await doctor({});
    expect(stdout).not.toContain("✗");
    for (const name of [
      "node",
      "git",
      "settings",
      "pipelines",
      "agents",
      "skills",
      "prompts",
      "provider",
      "state",
    ]) {
      expect(stdout).toMatch(new RegExp(`^✓ ${name} `, "m"));
    }
    expect(stdout).toContain("writing-kit");
    expect(code).toBe(0);
  });

  it.each<[string, Record<string, string>, string[], RegExp]>([
    [
      "settings",
      { "looplia.yml": "providr: offline\n" },
      [],
      /looplia\.yml:1: .*\n.*→ did you mean "provider"/,
    ],
    ["files", { ".looplia/pipelines/p.yaml": "name: p\n" }, [], /\.looplia\/pipelines\/p\.yaml/],
    ["pipelines", {}, ["--pipeline", "nope"], /no pipeline nope\n.*→ use one of .*writing-kit/],
    ["settings", {}, ["--provider", "anthropic"], /has no key\n.*ANTHROPIC_API_KEY/],
    ["state", { "plain-file": "x" }, [], /plain-file is no folder/],
  ])("names what is wrong with %s and how to mend it", async (name, files, argv, expected) => {
    const environment: Record<string, string> =
      name === "state" ? { LOOPLIA_STATE_DIR: "plain-file/state" } : {};
    const { code, stdout } = await doctor(files, argv, { environment });
    expect(stdout).toMatch(new RegExp(`^✗ ${name} `, "m"));
    expect(stdout).toMatch(expected);
    expect(code).toBe(1);
  });

  it("asks the provider when there is a key", async () => {
    const environment = { ANTHROPIC_API_KEY: "sk-secret" };
    const well = await doctor({}, [], { environment });
    expect(well.stdout).toMatch(/^✓ key .*\n✓ provider +answered$/m);
    expect(well.stdout).not.toContain("sk-secret");
    const probeProvider = async () => {
      throw new LoopliaError("model-failed", "401: the key was refused", { hint: "make a new key" });
    };
    const ill = await doctor({}, [], { environment, wiring: { probeProvider } });
    expect(ill.stdout).toMatch(/^✗ provider +401: the key was refused\n.*→ make a new key$/m);
    expect(ill.code).toBe(1);
  });

  it("tries a state ref where there is a token, and says what to set where it is refused", async () => {
    expect((await doctor({})).stdout).not.toContain("state-ref");
    const probeStateRef = async () => "refs/looplia/ of o/r takes refs, two at once";
    const well = await doctor({}, [], { wiring: { probeStateRef } });
    expect(well.stdout).toMatch(/^✓ state-ref +refs\/looplia\/ of o\/r takes refs/m);
    const refuses = async () => {
      throw new LoopliaError("host-failed", "git push failed: hidden ref", { hint: "set state-ref-prefix" });
    };
    const ill = await doctor({}, [], { wiring: { probeStateRef: refuses } });
    expect(ill.stdout).toMatch(/^✗ state-ref +git push failed: hidden ref\n +→ set state-ref-prefix$/m);
    expect(ill.code).toBe(1);
  });

  it("says how commands are isolated, and what to do where they are not", async () => {
    const well = await doctor({});
    expect(well.stdout).toMatch(/^✓ sandbox +bubblewrap, without network$/m);
    const none = { kind: "none" as const, network: true, reason: "bubblewrap is not installed; install it" };
    const wiring = { probeIsolation: async () => none };
    const ill = await doctor({}, [], { wiring });
    expect(ill.stdout).toMatch(/^✓ sandbox +warning: .*bubblewrap is not installed\n +→ install it$/m);
    expect(ill.code).toBe(0);
    const required = await doctor({ "looplia.yml": "sandbox: required\n" }, [], { wiring });
    expect(required.stdout).toMatch(
      /^✗ sandbox +required, but bubblewrap is not installed\n +→ install it$/m,
    );
    expect(required.code).toBe(1);
  });

  it("says the same as JSON", async () => {
    const { stdout } = await doctor({}, ["--json"]);
    expect(JSON.parse(stdout)).toContainEqual({ name: "node", isWell: true, detail: process.version });
  });

  it("knows which Node is too old", () => {
    expect(checkNode("v18.20.1")).toMatchObject({ isWell: false, mend: expect.stringContaining("20") });
    expect(checkNode("v20.0.0").isWell).toBe(true);
  });
});

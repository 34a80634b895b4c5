// What GitHub lets a token do in a repository, found out without changing anything: what would make something names a
// branch or a commit that cannot be there, so that it is refused either for that or for the missing permission.
import { randomBytes } from "node:crypto";
import type { GithubFacts, Permission } from "../ports/repository.ts";
import { type Api, type GithubPlace, openApi, statusOf, translate, wordsOf } from "./github-client.ts";

/** Asked once: who waits for `doctor` does not wait for retries. */
const ONCE = { request: { retries: 0 } };
const NO_COMMIT = "0".repeat(40);
/** Beginning of the tokens of apps, the job's own among them. */
const APP_TOKEN = "ghs_";

/** Fails with `host-failed` and what to do where GitHub is out of reach, or shows this token no such repository. */
export async function probeGithub(
  place: GithubPlace,
  run: { id: string; attempt: string } | undefined,
): Promise<GithubFacts> {
  const api = openApi(place);
  const found = await translate("show the repository", () => readRepository(api));
  const [opening, checks, runs, setting] = await Promise.all([
    answerOf("try to open a pull request", () => openNothing(api, found.default_branch)),
    answerOf("try to make a check", () => checkNothing(api)),
    answerOf("tell of a workflow run", () => readRun(api, run)),
    readSetting(api),
  ]);
  const isApp = place.token.startsWith(APP_TOKEN);
  const asked: [Permission, Told][] = [["pull-requests: write", toldBy(opening)]];
  // Checks are made by apps alone, and a person's token reads what the person may.
  if (isApp) asked.push(["checks: write", toldBy(checks)], ["actions: read", toldBy(runs)]);
  const named = (wanted: Told) =>
    asked.filter(([, told]) => told === wanted).map(([permission]) => permission);
  return {
    repository: found.full_name,
    isPublic: !found.private,
    isArchived: found.archived,
    has: named("may"),
    lacks: named("may not"),
    mayActionsOpen: setting ?? settingBy(opening, isApp),
  };
}

type Answer = { status: number; words: string };
type Told = "may" | "may not" | "unknown";

/** GitHub's answer, whatever it is. Fails with `host-failed` where none came, or the server itself failed. */
function answerOf(what: string, request: () => Promise<{ status: number }>): Promise<Answer> {
  return translate(what, async () => {
    try {
      return { status: (await request()).status, words: "" };
    } catch (thrown) {
      const status = statusOf(thrown);
      const isAnswer = status !== undefined && status < 500 && ![401, 429].includes(status);
      if (!isAnswer || /rate limit/i.test(wordsOf(thrown))) throw thrown;
      return { status, words: wordsOf(thrown) };
    }
  });
}

const SETTING_IS_OFF = /not permitted to create/i;

/** Whoever lacks the permission is refused with 403; whoever has it for what is not there. */
function toldBy({ status, words }: Answer): Told {
  if (status === 403) return SETTING_IS_OFF.test(words) ? "may" : "may not";
  return [200, 404, 422].includes(status) ? "may" : "unknown";
}

function settingBy(opening: Answer, isApp: boolean): boolean | undefined {
  if (SETTING_IS_OFF.test(opening.words)) return false;
  return isApp && toldBy(opening) === "may" ? true : undefined;
}

async function readRepository({ client, owner, repo }: Api) {
  const { data } = await (await client()).request("GET /repos/{owner}/{repo}", { owner, repo, ...ONCE });
  const { full_name, default_branch, archived } = data;
  return { full_name, default_branch, archived, private: data.private };
}

async function openNothing({ client, owner, repo }: Api, base: string) {
  const head = `looplia-probe-${randomBytes(6).toString("hex")}`;
  const fields = { owner, repo, head, base, title: "looplia doctor: no such branch", ...ONCE };
  return (await client()).request("POST /repos/{owner}/{repo}/pulls", fields);
}

async function checkNothing({ client, owner, repo }: Api) {
  const fields = { owner, repo, name: "looplia doctor: no such commit", head_sha: NO_COMMIT, ...ONCE };
  return (await client()).request("POST /repos/{owner}/{repo}/check-runs", fields);
}

async function readRun({ client, owner, repo }: Api, run: { id: string; attempt: string } | undefined) {
  const fields = { owner, repo, run_id: Number(run?.id ?? 1), attempt_number: Number(run?.attempt ?? 1) };
  const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}";
  return (await client()).request(route, { ...fields, ...ONCE });
}

/** Told to administrators alone. */
async function readSetting({ client, owner, repo }: Api): Promise<boolean | undefined> {
  const route = "GET /repos/{owner}/{repo}/actions/permissions/workflow";
  const read = async () => (await (await client()).request(route, { owner, repo, ...ONCE })).data;
  return read().then(
    (setting) => setting.can_approve_pull_request_reviews,
    () => undefined,
  );
}

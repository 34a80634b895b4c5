// The check run of a work. Where the token may not write checks there is none, and nothing fails.
import type { CheckRun } from "../ports/discussion.ts";
import { type Api, checkedText, makeOnce, translateBut, UNREPEATED } from "./github-client.ts";

const LONGEST_SUMMARY = 65_535;
const LONGEST_TITLE = 255;
/** No permission, or a check of another app: the latter is answered by a new one. */
const REFUSED = [403, 404];

/**
 * Makes the check of this name on its commit, or changes the one that is there. Resolves to its id, or to undefined where
 * the token may not write checks.
 */
export async function saveCheck(api: Api, check: CheckRun): Promise<number | undefined> {
  const fields = toFields(check);
  const known = check.id ?? (await findCheck(api, check));
  if (known === "unreadable") return undefined;
  const changed = known === undefined ? undefined : await changeCheck(api, known, fields);
  return changed ?? createCheck(api, check, fields);
}

function toFields(check: CheckRun) {
  return {
    name: check.name,
    status: "completed" as const,
    conclusion: check.conclusion,
    details_url: check.detailsUrl,
    external_id: externalId(check),
    output: {
      title: checkedText("a check's title", check.title, LONGEST_TITLE),
      summary: checkedText("a check's summary", check.summary, LONGEST_SUMMARY),
    },
  };
}

/** Jobs of workflows are check runs of the same app: ours are known by this, not by their name. */
function externalId({ name }: CheckRun): string {
  return `looplia:${name}`;
}

function findCheck(api: Api, check: CheckRun): Promise<number | "unreadable" | undefined> {
  return translateBut("list checks", REFUSED, "unreadable", () => lookUp(api, check));
}

async function lookUp({ client, owner, repo }: Api, check: CheckRun): Promise<number | undefined> {
  const query = { owner, repo, ref: check.headSha, check_name: check.name, per_page: 100 };
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const { check_runs: found } = (await (await client()).request(route, query)).data;
  const ours = found.find((one) => one.external_id === externalId(check));
  return ours && Number(ours.id);
}

function changeCheck(
  { client, owner, repo }: Api,
  id: number,
  fields: ReturnType<typeof toFields>,
): Promise<number | undefined> {
  return translateBut("change a check", REFUSED, undefined, async () => {
    const route = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
    const changed = await (await client()).request(route, { owner, repo, check_run_id: id, ...fields });
    return Number(changed.data.id);
  });
}

function createCheck(
  api: Api,
  check: CheckRun,
  fields: ReturnType<typeof toFields>,
): Promise<number | undefined> {
  const { client, owner, repo } = api;
  const create = async () => {
    const route = "POST /repos/{owner}/{repo}/check-runs";
    const all = { owner, repo, head_sha: check.headSha, ...fields, ...UNREPEATED };
    return Number((await (await client()).request(route, all)).data.id);
  };
  const find = () => lookUp(api, check);
  return translateBut("make a check", REFUSED, undefined, () => makeOnce("make a check", create, find));
}

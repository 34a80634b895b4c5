// Who may, what runs, what is checked, and what `doctor` asks.
import { type Call, field, type Opened, ok, refused } from "./api.ts";
import { defaultBranch } from "./git.ts";
import { expect, type Platform, type Probe } from "./probe.ts";

export function peopleProbes({ actor, repository }: Platform, call: Call): Probe[] {
  const [owner] = repository.split("/");
  const team = `/orgs/${owner}/teams/looplia-self-test`;
  return [
    {
      what: "the permission of a person",
      run: async () => {
        const { body } = await ok(call("GET", `/collaborators/${actor}/permission`));
        if (typeof body.role_name !== "string") throw new Error("there is no role_name");
        if (typeof field(body, "user", "id") !== "number") throw new Error("there is no id of the account");
        return body.role_name;
      },
    },
    {
      what: "an account that is not there has none",
      run: () => refused(call("GET", "/collaborators/looplia--no--such--account/permission"), 404),
    },
    {
      what: "the members of a team are not told to the job's token",
      run: () => refused(call("GET", `${team}/memberships/${actor}`), 403, 404),
    },
    { what: "nor is the team", run: () => refused(call("GET", team), 403, 404) },
  ];
}

export function checkProbes(call: Call, opened: Opened): Probe[] {
  const name = "looplia self-test";
  const external_id = `looplia:${name}`;
  const output = { title: "waiting for 1 answer", summary: "self-test" };
  const check = { name, external_id, status: "completed", conclusion: "neutral", output };
  let id: unknown;
  return [
    {
      what: "a neutral one on the work branch",
      run: async () => {
        ({ id } = (await ok(call("POST", "/check-runs", { ...check, head_sha: opened.head }))).body);
        return "made";
      },
    },
    {
      what: "it is found on its commit by name and external id",
      run: async () => {
        const query = `check_name=${encodeURIComponent(name)}&per_page=100`;
        const { body } = await ok(call("GET", `/commits/${opened.head}/check-runs?${query}`));
        const found = Array.isArray(body.check_runs) ? body.check_runs : [];
        const ours = found.filter((one) => field(one, "external_id") === external_id);
        return expect(ours.map((one) => field(one, "id")).join(), String(id), "found, and no other");
      },
    },
    {
      what: "it is changed when the question has its answer",
      run: async () => {
        const change = { ...check, conclusion: "success" };
        const { body } = await ok(call("PATCH", `/check-runs/${id}`, change));
        return expect(body.conclusion, "success", "changed");
      },
    },
  ];
}

export function runProbes(platform: Platform, call: Call): Probe[] {
  const { runId, attempt, actor, actorId, triggeredBy } = platform;
  return [
    {
      what: "an attempt that is at work says so",
      run: async () => {
        const { body } = await ok(call("GET", `/actions/runs/${runId}/attempts/${attempt}`));
        return expect(body.status, "in_progress", "in progress: this run");
      },
    },
    {
      what: "the runner names who started the run, their id, and who had it run",
      run: () => {
        if (!/^\d+$/.test(actorId)) throw new Error(`GITHUB_ACTOR_ID is ${JSON.stringify(actorId)}`);
        if (triggeredBy === "") throw new Error("GITHUB_TRIGGERING_ACTOR is empty");
        return `${actor} (${actorId}), ${triggeredBy}`;
      },
    },
  ];
}

/** What would make something is refused for what it names, so nothing is made. */
export function doctorProbes(platform: Platform, call: Call): Probe[] {
  return [
    {
      what: "the repository",
      run: async () => {
        const { body } = await ok(call("GET", ""));
        expect(body.full_name, platform.repository);
        return `${body.private === true ? "private" : "public"}, ${body.default_branch}`;
      },
    },
    {
      what: "who may open pull requests is refused one of a branch that is not there with 422, not 403",
      run: () => {
        const head = "looplia-self-test-no-such-branch";
        const base = defaultBranch(platform);
        return refused(call("POST", "/pulls", { head, base, title: "no such branch" }), 422);
      },
    },
    {
      what: "who may make checks is refused one on a commit that is not there with 422, not 403",
      run: () => {
        const check = { name: "looplia self-test: no such commit", head_sha: "0".repeat(40) };
        return refused(call("POST", "/check-runs", check), 422);
      },
    },
    {
      what: "the names of secrets are not told to the job's token",
      run: async () => {
        const own = await refused(call("GET", "/actions/secrets"), 403, 404);
        await refused(call("GET", "/actions/organization-secrets"), 403, 404);
        return own;
      },
    },
    {
      what: "the setting for pull requests of workflows is not told to the job's token",
      run: () => refused(call("GET", "/actions/permissions/workflow"), 403, 404),
    },
  ];
}

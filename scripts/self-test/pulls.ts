// The one pull request of a work, as it is opened, found, and kept up to date.
import { type Call, field, type Opened, ok, refused } from "./api.ts";
import { defaultBranch, namesOf } from "./git.ts";
import { expect, type Platform, type Probe } from "./probe.ts";

/** Fills in what it opened. */
export function pullProbes(platform: Platform, call: Call, opened: Opened): Probe[] {
  const { branch } = namesOf(platform);
  const [owner] = platform.repository.split("/");
  const request = () => {
    const text = { title: "looplia self-test", body: "Closes itself." };
    return { ...text, head: branch, base: defaultBranch(platform) };
  };
  const numbers = (list: unknown[]) => list.map((one) => field(one, "number"));
  return [
    {
      what: "one of the job's token",
      run: async () => {
        const { body } = await ok(call("POST", "/pulls", request()));
        Object.assign(opened, { number: Number(body.number), head: String(field(body, "head", "sha")) });
        return `made, number ${body.number}`;
      },
    },
    {
      what: "a second one of the same branch is refused, and the words say why",
      run: async () => {
        const said = await refused(call("POST", "/pulls", request()), 422);
        return expect(/already exists/i.test(said), true, said);
      },
    },
    {
      what: "one of a branch that has nothing new is refused, and the words say why",
      run: async () => {
        const base = defaultBranch(platform);
        const said = await refused(call("POST", "/pulls", { ...request(), head: base }), 422);
        return expect(/no commits between|no history in common/i.test(said), true, said);
      },
    },
    {
      what: "it is found by its branch, among open and closed ones",
      run: async () => {
        const query = `head=${owner}:${encodeURIComponent(branch)}&state=all&per_page=100`;
        const { list } = await ok(call("GET", `/pulls?${query}`));
        return expect(numbers(list).join(), String(opened.number), "found, and no other");
      },
    },
    {
      what: "it is among the open ones",
      run: async () => {
        const { list } = await ok(call("GET", "/pulls?state=open&per_page=100"));
        return expect(numbers(list).includes(opened.number), true, "found");
      },
    },
    {
      what: "its head, base and repository are told",
      run: async () => {
        const { body } = await ok(call("GET", `/pulls/${opened.number}`));
        expect(field(body, "head", "ref"), branch);
        expect(field(body, "head", "repo", "full_name"), platform.repository);
        return expect(field(body, "state"), "open", "as it was opened");
      },
    },
    {
      what: "its title and a text of 60,000 characters are changed",
      run: async () => {
        const change = { title: "looplia self-test, once more", body: "x".repeat(60_000) };
        const { body } = await ok(call("PATCH", `/pulls/${opened.number}`, change));
        return expect(field(body, "title"), change.title, "taken");
      },
    },
    {
      what: "it gets a label and an assignee",
      run: async () => {
        const issue = `/issues/${opened.number}`;
        await ok(call("POST", `${issue}/labels`, { labels: ["looplia-self-test"] }));
        await ok(call("POST", `${issue}/assignees`, { assignees: [platform.actor] }));
        return "taken";
      },
    },
    {
      what: "a request for a review is taken, or refused in a way that the Action reports",
      run: async () => {
        const reviewers = [platform.actor];
        const { status } = await call("POST", `/pulls/${opened.number}/requested_reviewers`, { reviewers });
        return expect([201, 403, 404, 422].includes(status), true, `answered ${status}`);
      },
    },
    {
      what: "a workflow that does not exist is not started",
      run: async () => {
        const start = { ref: defaultBranch(platform), inputs: {} };
        return refused(call("POST", "/actions/workflows/looplia-no-such.yml/dispatches", start), 403, 404);
      },
    },
  ];
}

// Comments: how long they may be, whose they are, and what their times tell of edits.
import { type Answer, type Call, field, type Opened, ok, refused } from "./api.ts";
import { expect, type Probe } from "./probe.ts";

/** The account that the job's token comments as: known before the first comment was posted. */
const ACTIONS_BOT = "github-actions[bot] 41898282";

export function commentProbes(call: Call, opened: Opened): Probe[] {
  let own: unknown;
  const post = (body: string): Promise<Answer> => call("POST", `/issues/${opened.number}/comments`, { body });
  const times = (comment: unknown) => [field(comment, "created_at"), field(comment, "updated_at")];
  const now = async (): Promise<unknown> =>
    (await ok(call("GET", `/issues/${opened.number}/comments?per_page=100`))).list.find(
      ({ id }) => id === field(own, "id"),
    );
  return [
    {
      what: "60,000 characters, with `pull-requests: write` alone",
      run: async () => {
        own = (await ok(post("x".repeat(60_000)))).body;
        return "taken";
      },
    },
    {
      what: "the author is the account of the job's token",
      run: () => {
        const author = `${field(own, "user", "login")} ${field(own, "user", "id")}`;
        return expect(author, ACTIONS_BOT, author);
      },
    },
    {
      what: "60,000 characters that are three bytes each",
      run: async () => {
        await ok(post("语".repeat(60_000)));
        return "taken";
      },
    },
    { what: "65,537 characters are refused", run: () => refused(post("x".repeat(65_537)), 422) },
    {
      what: "a list since the second of a comment has it",
      run: async () => {
        const since = encodeURIComponent(String(field(own, "created_at")));
        const query = `since=${since}&per_page=100`;
        const { list } = await ok(call("GET", `/issues/${opened.number}/comments?${query}`));
        return expect(
          list.some(({ id }) => id === field(own, "id")),
          true,
          `${list.length} listed`,
        );
      },
    },
    {
      what: "so has a list of the whole repository's",
      run: async () => {
        const since = encodeURIComponent(String(field(own, "created_at")));
        const { list } = await ok(call("GET", `/issues/comments?since=${since}&per_page=100`));
        const found = list.find(({ id }) => id === field(own, "id"));
        const number = /\d+$/.exec(String(field(found, "issue_url")))?.[0];
        return expect(number, String(opened.number), `${list.length} listed`);
      },
    },
    {
      what: "a reaction, twice the same, leaves the comment's times as they were",
      run: async () => {
        const path = `/issues/comments/${field(own, "id")}/reactions`;
        await ok(call("POST", path, { content: "eyes" }));
        const again = await ok(call("POST", path, { content: "eyes" }));
        const [created, updated] = times(await now());
        return expect(updated, created, `the second one was answered ${again.status}`);
      },
    },
    {
      what: "an edit of its own, which its times tell",
      run: async () => {
        // Times have whole seconds.
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        await ok(call("PATCH", `/issues/comments/${field(own, "id")}`, { body: "edited" }));
        const [created, updated] = times(await now());
        return expect(created !== updated, true, `written ${created}, changed ${updated}`);
      },
    },
  ];
}

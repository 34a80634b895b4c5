import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseSlashCommand } from "../../src/approval/comment.ts";
import { createConfirm, type ShownCall } from "../../src/approval/request.ts";
import { type InteractionRequest, readFields } from "../../src/core/interaction.ts";
import { showUnseen } from "../../src/core/json.ts";
import { readMarker } from "../../src/publish/report.ts";
import { attachmentOf, isShownWhole, type RequestAround, renderRequest } from "../../src/publish/request.ts";
import { renderAnswered, renderClosed } from "../../src/publish/settled.ts";
import { naughtyStrings } from "../fakes/corpora.ts";
import fc, { tries } from "../fakes/properties.ts";
import { hostile } from "./hostile.ts";
import { decode, liveText, render } from "./rendered.ts";
import { composite, confirm, input, select } from "./requests.ts";

const around: RequestAround = {
  workId: "writing-kit-abc123",
  source: "content/tides.md",
  approvers: [],
  minApprovals: 1,
  selfApproval: true,
  run: { number: "45", url: "https://github.com/o/r/actions/runs/11" },
  auditHead: { count: 12, hash: "cd".repeat(32) },
};
const settledAround = { workId: around.workId, pullRequestUrl: "https://github.com/o/r/pull/7" };

function golden(name: string): string {
  return new URL(`golden/${name}.golden.md`, import.meta.url).pathname;
}

function body(request: InteractionRequest, changes: Partial<RequestAround> = {}): string {
  return renderRequest(request, { ...around, ...changes }).body;
}

/** The texts of all code blocks, as a reader sees them. */
function blocksOf(markdown: string): string[] {
  return [...render(markdown).matchAll(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)].map(([, text = ""]) =>
    decode(text).replace(/\n$/, ""),
  );
}

describe("the comment of a request reads", () => {
  test.each([
    ["a Confirm", "confirm", confirm],
    ["a Select", "select", select],
    ["an Input", "input", input],
    ["a Composite", "composite", composite],
  ])("as written down for %s", async (_, name, request) => {
    await expect(body(request)).toMatchFileSnapshot(golden(`request-${name}`));
  });

  test("of a task of a list: which one it is, whatever it is called", () => {
    const task = { id: "T|1", title: "Say *hi* to @octocat\n### now" };
    const shown = body(select, { task, auditHead: { count: 1, hash: "ab" } });
    expect(render(shown)).toContain(
      "For task <strong>T|1</strong>: Say *hi* to <code>@octocat</code> ### now, asked by the agent ",
    );
    expect(shown).toContain("Audit log so far: 1 line, the last");
  });

  test("as written down once it is settled", async () => {
    const response = {
      interactionId: confirm.interactionId,
      taskId: confirm.taskId,
      authorActorId: "github:2:hubot",
      permission: "write",
      answeredAt: "2026-12-01T10:00:00Z",
      commentId: 99,
    };
    const earlier = [
      { actorId: "github:1:octocat", permission: "admin", answeredAt: "2026-12-01T09:00:00Z" },
    ];
    const approved = renderAnswered(
      confirm,
      settledAround,
      { ...response, selectedOptionId: "approve", comment: "Looks right" },
      { earlier },
    );
    const rejected = renderAnswered(confirm, settledAround, { ...response, selectedOptionId: "reject" });
    const chosen = renderAnswered(select, settledAround, { ...response, selectedOptionId: "the-people" });
    const answered = renderAnswered(input, settledAround, { ...response, inputValue: "Winter `24`" });
    const closed = [
      renderClosed(select, settledAround, { how: "expired", at: "2026-12-08T09:00:00Z" }),
      renderClosed(select, settledAround, { how: "canceled", reason: "the session was canceled by octocat" }),
      renderClosed(select, settledAround, {
        how: "superseded",
        reason: "its file has changed",
        byShortId: "q4-aaaaaa",
      }),
    ];
    const all = [approved, rejected, chosen, answered, ...closed];
    await expect(all.join("\n---\n\n")).toMatchFileSnapshot(golden("settled"));
    for (const settled of all) {
      expect(blocksOf(settled).filter((block) => block.startsWith("/"))).toEqual([]);
      expect(liveText(settled)).not.toContain("@");
    }
  });
});

describe("a heading says what is decided and what was", () => {
  const call = (title: string, content: string, toolCallId = "a"): ShownCall => ({
    ...{ toolCallId, toolName: "t", input: {}, binding: {}, dangers: [], title, content },
    contentKind: title.startsWith("Edit") ? "Diff" : "PlainText",
  });
  const run = (command: string, id?: string) => call("Run a command (at most 30 s)", command, id);
  const headings = (calls: readonly ShownCall[], changes: Partial<InteractionRequest> = {}) => {
    const { workId } = around;
    const origin = { workId, sessionId: "s", taskId: "t", conversationId: "c", agent: "a", ordinal: 1 };
    const place = { workingDirectory: ".", expiresAt: "2026-12-08T09:00:00.000Z" };
    const isolation = { kind: "bubblewrap", network: false } as const;
    const request = { ...createConfirm({ ...origin, ...place }, calls, isolation), ...changes };
    const answered = { interactionId: "i", taskId: "t", authorActorId: "github:2:hubot" };
    const approved = renderAnswered(request, settledAround, { ...answered, selectedOptionId: "approve" });
    return [body(request), approved].map((markdown) => /^### (.*)$/m.exec(markdown)?.[1]);
  };

  test.each([
    ["a command", [run("rm -r tables/2025")], "Approve this command?", "run `rm -r tables/2025`"],
    [
      "a command of several lines, with a value",
      [run('# harmless\n\nrm -r a\n# with LOOPLIA_X="b"')],
      "Approve this command?",
      "run `rm -r a …`",
    ],
    ["an edit", [call("Edit a.md", "-a\n+b")], "Approve this edit?", "edit a.md"],
    [
      "a call of an MCP server: which tool, as its input does not say it",
      [call("Call close_issue of the MCP server tracker", '{ "id": 7 }')],
      "Approve: call close_issue of the MCP server tracker?",
      "call close_issue of the MCP server tracker",
    ],
    [
      "several calls: how many, and each in a line of its own",
      [run("cd a\nmake", "a"), call("Edit b.md", "-a\n+b", "b"), run("ls", "c"), run("pwd", "d")],
      "Approve these 4 actions?",
      "4 actions",
    ],
  ])("%s", (_, calls, asked, approved) => {
    expect(headings(calls)).toEqual([asked, `Approved: ${approved}`]);
  });

  test("what a command changed and the program reverted: its own question", () => {
    const title = "A command changed .npmrc, and this was reverted. Keep the command's version?";
    const [asked] = headings([call("Edit .npmrc", "-a\n+b")], {
      display: { title, content: "-a\n+b", contentKind: "Diff" },
      kept: [],
    });
    expect(asked && decode(render(asked))).toContain(title);
  });
});

test("an option that says no more than its id is named once", () => {
  const options = [{ id: "patch", label: "patch" }];
  const response = { interactionId: "i", taskId: "t", authorActorId: "github:2:hubot" };
  const chosen = renderAnswered({ ...select, options }, settledAround, {
    ...response,
    selectedOptionId: "patch",
  });
  expect(chosen).toContain("\n\n`patch`\n\n");
});

describe("commands to copy", () => {
  test("stand each in a code block of its own, with the request's id", () => {
    expect(blocksOf(body(confirm)).slice(1)).toEqual([
      `/approve ${confirm.shortId}`,
      `/revise ${confirm.shortId}`,
      `/reject ${confirm.shortId}`,
    ]);
    expect(blocksOf(body(select))).toEqual([
      `/choose ${select.shortId} the-cost`,
      `/choose ${select.shortId} the-people`,
      `/choose ${select.shortId} 3`,
      `/reject ${select.shortId}`,
    ]);
    expect(blocksOf(body(input))).toEqual([`/answer ${input.shortId}`, `/reject ${input.shortId}`]);
    expect(blocksOf(body(composite))[0]).toBe(`/answer ${composite.shortId}\nseason: \nfigures: \ncredit: `);
  });

  test("are read as what they say", async () => {
    const read = async (request: InteractionRequest) =>
      Promise.all(
        blocksOf(body(request))
          .filter((block) => block.startsWith("/"))
          .map((block) =>
            parseSlashCommand(`${block}${/^\/(answer|revise) \S+$/.test(block) ? " words" : ""}`),
          ),
      );
    const ids = (request: InteractionRequest) => ({ ids: [request.shortId] });
    expect(await read(confirm)).toMatchObject([
      { name: "approve", ...ids(confirm) },
      { name: "revise", ...ids(confirm), text: "words" },
      { name: "reject", ...ids(confirm), comment: "" },
    ]);
    expect(await read(select)).toMatchObject([
      { name: "choose", ...ids(select), option: "the-cost" },
      { name: "choose", ...ids(select), option: "the-people" },
      { name: "choose", ...ids(select), option: "3" },
      { name: "reject", ...ids(select) },
    ]);
    expect((await read(input))[0]).toMatchObject({ name: "answer", ...ids(input), text: "words" });
    const [answer] = await read(composite);
    expect(answer).toMatchObject({ name: "answer", ...ids(composite) });
    const values = answer?.name === "answer" ? readFields(answer.text, composite.fields ?? []) : undefined;
    expect(values).toEqual({ value: JSON.stringify({ season: "", figures: "", credit: "" }) });
  });

  test("name an option by its id where its number is another one's id", () => {
    const options = [
      { id: "two words", label: "A" },
      { id: "1", label: "B" },
    ];
    expect(blocksOf(body({ ...select, options })).slice(0, 2)).toEqual([
      `/choose ${select.shortId} two words`,
      `/choose ${select.shortId} 1`,
    ]);
  });
});

describe("what is approved", () => {
  test("says where a line goes on beyond the edge of its box", () => {
    const display = { title: "T", content: `a\n${"b".repeat(101)}\n${"c".repeat(100)}` };
    expect(body({ ...confirm, display })).toContain(
      "**Scroll the box sideways**: 1 line is longer than 100 characters.",
    );
    expect(body(confirm)).not.toContain("Scroll");
    expect(body({ ...select, display })).not.toContain("Scroll");
  });

  test("says how commands run, and nothing of them where there are none", () => {
    expect(body(confirm)).toContain("Commands run isolated (bubblewrap), without network.");
    const withNetwork = (network: boolean | string[]) =>
      body({ ...confirm, isolation: { kind: "bubblewrap", network } });
    expect(withNetwork(true)).toContain(
      "isolated (bubblewrap), **with** this machine's network, its own services and private addresses included.",
    );
    expect(withNetwork(["a.example", "localhost:5432"])).toContain(
      "isolated (bubblewrap), **with network only** to `a.example`, `localhost:5432`.",
    );
    const display = { title: "Edit a", content: "+a", contentKind: "Diff" as const };
    expect(body({ ...confirm, display })).not.toContain("Commands run");
  });
});

describe("who is asked", () => {
  test.each([
    [
      "the one who started the run, and whoever may write",
      {},
      ["octocat"],
      "Anyone with write access may answer.",
    ],
    ["nobody by name who may not answer", { selfApproval: false }, [], "Not octocat, who started it."],
    [
      "none of several who led to it",
      { selfApproval: false },
      [],
      "Not octocat or ada: who started it, or told the agent something.",
      ["github:1:octocat", "looplia", "github:2:ada"],
    ],
    [
      "nobody where GitHub did not say who started it",
      { selfApproval: false },
      [],
      "Nobody may answer it",
      ["github:1:octocat", "unknown"],
    ],
    [
      "the approvers alone",
      { approvers: ["hubot", "@org/team"] },
      ["hubot", "org/team"],
      "Only the people named here may answer",
    ],
    ["several people", { minApprovals: 2 }, ["octocat"], "2 different people must approve"],
  ])("%s", (_, changes, names, said, startedBy = confirm.startedBy) => {
    const markdown = body({ ...confirm, ...(startedBy ? { startedBy } : {}) }, changes);
    const text = liveText(markdown.replaceAll(/`(octocat|ada)`/g, "$1"));
    expect([...text.matchAll(/@([\w/-]+)/g)].map(([, name]) => name)).toEqual(names);
    expect(text).toContain(said);
  });

  test.each(["looplia", "terminal:octocat", "github:5:renovate[bot]"])(
    "nobody by name where %s started it",
    (startedBy) => {
      const markdown = body({ ...confirm, startedBy: [startedBy] });
      expect(liveText(markdown)).not.toContain("@");
      expect(markdown).toContain("Your approval is needed.");
    },
  );

  test.each([
    ["nobody's doing: whom GitHub names for the run", ["looplia"], {}, ["octocat"]],
    ["nobody's doing, self-approval off", ["looplia"], { selfApproval: false }, ["octocat"]],
    ["somebody's doing", ["looplia", "github:3:ada"], {}, ["ada"]],
    ["the doing of whom GitHub names, who may not answer", ["github:1:octocat"], { selfApproval: false }, []],
    ["a bot's run", ["looplia"], { run: { ...around.run, actor: "github:5:renovate[bot]" } }, []],
  ])("where a run is %s", (_, startedBy, changes, names) => {
    const run = { ...around.run, actor: "github:1:octocat" };
    const text = liveText(body({ ...confirm, startedBy }, { run, ...changes }));
    expect([...text.matchAll(/@([\w/-]+)/g)].map(([, name]) => name)).toEqual(names);
  });

  test("a model's own Confirm does not say that something runs by it", () => {
    const { bindings: _, isolation: __, ...own } = confirm;
    const markdown = body({ ...own, startedBy: ["looplia"] });
    expect(markdown).toContain("A yes or no is needed.");
    expect(markdown).not.toMatch(/before this runs|An edit is not made/);
  });

  test("no name that is no login rings anybody", () => {
    const approvers = ["a b @c", "x".repeat(40), "-a", "a[bot]", "`@x`", "<b>"];
    expect(liveText(body(confirm, { approvers }))).not.toContain("@");
  });
});

describe("whatever a model wrote", () => {
  const requests = fc
    .record({
      kind: fc.constantFrom(confirm, select, input, composite),
      title: hostile,
      text: hostile,
      content: hostile,
    })
    .map(({ kind, title, text, content }) => hostileRequest(kind, title, text, content));

  test("the comment keeps its shape: one marker, one heading, no link, mention, image or HTML of others", () => {
    fc.assert(
      fc.property(requests, hostile, hostile, (request, id, title) => {
        const { body: markdown } = renderRequest(request, { ...around, task: { id, title } });
        expectShape(markdown, request);
        expect(markdown.length).toBeLessThan(60_000);
      }),
      tries(15),
    );
  });

  test("and the settled one as well", () => {
    fc.assert(
      fc.property(requests, hostile, (request, said) => {
        const { interactionId, taskId } = request;
        const answer = { selectedOptionId: "reject", inputValue: said, comment: said, permission: said };
        const response = { interactionId, taskId, authorActorId: `github:2:${said}`, ...answer };
        expectShape(renderAnswered(request, settledAround, response), request);
        expectShape(renderClosed(request, settledAround, { how: "canceled", reason: said }), request);
      }),
      tries(15),
    );
  });

  test("what is approved is shown to the last character, nothing unseen", () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom("Diff" as const, "PlainText" as const), (content, contentKind) => {
        fc.pre(content !== "");
        const request = { ...confirm, display: { title: "t", content, contentKind } };
        expect(blocksOf(body(request))[0]).toBe(showUnseen(content.replace(/\n$/, "")));
      }),
      tries(15),
    );
  });
});

describe("naughty strings", () => {
  test("do nothing in a request", () => {
    const strings = naughtyStrings();
    expect(strings.length).toBeGreaterThan(400);
    for (let at = 0; at < strings.length; at += 3) {
      const [title = "", text = "", content = ""] = strings.slice(at, at + 3);
      const request = hostileRequest(select, title, text, content);
      expectShape(body(request), request);
    }
  });
});

function hostileRequest(
  kind: InteractionRequest,
  title: string,
  text: string,
  content: string,
): InteractionRequest {
  const { options, fields, ...rest } = kind;
  return {
    ...rest,
    display: { title: title || "t", description: text, content, contentKind: "Diff" },
    ...(options
      ? { options: options.map(({ id }) => ({ id: id === "approve" ? id : text, label: title })) }
      : {}),
    ...(fields
      ? { fields: fields.map((field) => ({ ...field, label: text, validation: { regex: title } })) }
      : {}),
    dangers: [title],
    authorActorId: `agent:${text}`,
  };
}

const TAGS =
  /<(?!\/?(?:p|h3|pre|code|ol|ul|li|strong|em|a|br|blockquote|details|summary|del)\b)\/?[a-z][^>]*>/i;

function expectShape(markdown: string, request: InteractionRequest): void {
  const html = render(markdown);
  expect(readMarker(markdown)).toEqual({
    role: "request",
    workId: around.workId,
    interactionId: request.interactionId,
  });
  expect(html.match(/<!--/g)?.length, markdown).toBe(1);
  expect(html.match(/<h[1-6]/g)?.length, markdown).toBe(1);
  expect(html.match(/<details>/g)?.length, markdown).toBe(1);
  expect(html.trimEnd().endsWith("</details>"), markdown).toBe(true);
  expect(TAGS.exec(html)?.[0], markdown).toBeUndefined();
  for (const [, href] of html.matchAll(/href="([^"]*)"/g))
    expect(href).toMatch(/^https:\/\/github\.com\/o\/r\//);
  const live = liveText(markdown);
  expect(live.replace("@octocat", ""), markdown).not.toMatch(/@|#\w|\bGH-\d|:\/\/|www\./i);
}

describe("a request that no comment holds", () => {
  const long = {
    ...confirm,
    display: {
      title: "Big",
      content: Array.from({ length: 9_000 }, (_, at) => `+line ${at}`).join("\n"),
      contentKind: "Diff" as const,
    },
  };

  test("can only be declined where it could not be attached, and the comment says why", () => {
    const { body: markdown, isComplete, attachment } = renderRequest(long, around);
    expect(isComplete).toBe(false);
    expect(isShownWhole(long, markdown)).toBe(false);
    expect(blocksOf(markdown).slice(1)).toEqual([`/reject ${long.shortId}`]);
    expect(markdown).toContain("can't be approved or answered here");
    expect(markdown).toMatch(/\d+ of 9000 lines are shown/);
    expect(attachment?.text).toContain("+line 8999");
  });

  test("can be approved once the whole of it is attached, with its hash", () => {
    const { attachment } = renderRequest(long, around);
    const url = "https://github.com/o/r/actions/runs/11/artifacts/3";
    const { body: markdown, isComplete } = renderRequest(long, { ...around, attachmentUrl: url });
    const sha256 = createHash("sha256")
      .update(attachment?.text ?? "")
      .digest("hex");
    expect(isComplete).toBe(true);
    expect(isShownWhole(long, markdown)).toBe(true);
    expect(isShownWhole(confirm, body(confirm))).toBe(true);
    expect(markdown).toContain(sha256);
    expect(render(markdown)).toContain(`<a href="${url}">${long.shortId}.txt</a>`);
    expect(blocksOf(markdown)).toContain(`/approve ${long.shortId}`);
    expectShape(markdown, long);
  });

  test("stays below the limit whatever is long: title, description, options, fields, one line, a table", () => {
    const wide = "\u{e0041}`@".repeat(20_000);
    const many = Array.from({ length: 500 }, (_, at) => ({ id: `option-${at}`, label: "label ".repeat(30) }));
    const cases: InteractionRequest[] = [
      { ...select, display: { title: wide } },
      { ...select, display: { title: "t", description: wide } },
      { ...select, options: many },
      { ...composite, fields: many.map((option) => ({ ...option, kind: "Input" as const })) },
      { ...confirm, display: { title: "t", content: wide, contentKind: "PlainText" } },
      { ...confirm, display: { title: "t", content: "`".repeat(50_000), contentKind: "Diff" } },
      { ...confirm, display: { title: "t", content: [Array(2).fill(wide)], contentKind: "Table" } },
      {
        ...confirm,
        display: { title: wide, description: wide, content: wide },
        options: many,
        dangers: many.map(({ label }) => label),
      },
    ];
    for (const request of cases) {
      const attached = { ...around, attachmentUrl: around.run.url, approvers: many.map(({ id }) => id) };
      expect(attachmentOf(request)).toBeDefined();
      const markdown = body(request);
      expect(markdown.length).toBeLessThan(60_000);
      expect(body(request, attached).length).toBeLessThan(60_000);
      expect(blocksOf(markdown).join("\n")).not.toMatch(/\/(approve|choose|answer|revise)/);
    }
  });
});

describe("a table", () => {
  const cells = ["a | b", "<b>1</b>\n2"];
  function draw(content: unknown): string {
    return render(body({ ...confirm, display: { title: "t", content, contentKind: "Table" } }));
  }

  test.each([
    ["of rows", [["x", "y"], cells]],
    ["of named cells", [{ name: cells[0], cost: cells[1] }]],
  ])("%s is one, whatever stands in a cell", (_, content) => {
    const html = draw(content);
    expect(html).toContain('<td align="left">a | b</td>');
    expect(html).toContain('<td align="left">&lt;b&gt;1&lt;/b&gt;<br>2</td>');
  });

  test("has the names of its cells in the first row", () => {
    expect(draw([{ name: "n", cost: 1 }])).toContain('<th align="left">cost</th>');
  });

  test("of another shape is JSON", () => {
    for (const content of [[], [1, 2], { rows: [["1", "2"]] }, [[], []]]) {
      const shown = blocksOf(body({ ...confirm, display: { title: "t", content, contentKind: "Table" } }))[0];
      expect(JSON.parse(shown ?? "")).toEqual(content);
    }
  });
});

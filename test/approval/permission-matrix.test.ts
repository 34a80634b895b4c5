// Who may give which command: every kind of account against every command, as one table to read.
import { expect, test } from "vitest";
import type { PullComment, Role } from "../../src/core/ports-host.ts";
import { accounts, at, comment, inWords, judged, question, select } from "./judge-world.ts";

const questions = [
  question("q1-aaaaaa"),
  question("q2-bbbbbb", select),
  question("q3-cccccc", { kind: "Input" }),
];

const COMMANDS = [
  "/approve q1-aaaaaa",
  "/reject q1-aaaaaa no",
  "/choose q2-bbbbbb 2",
  "/answer q3-cccccc Monday",
  "/revise q1-aaaaaa use pnpm",
  "/looplia be brief",
  "/looplia run",
  "/looplia restart",
  "/status",
  "/cancel",
  "/retry summary",
  "/choose",
  "Nice work!",
];

type Who = { role?: Role; comment?: Partial<PullComment>; settings?: Parameters<typeof judged>[2] };
const app = { id: 99, slug: "helper" };
const bot = { author: { id: 500, login: "helper[bot]", isBot: true }, app };
const WHO: Record<string, Who> = {
  none: { role: "none" },
  read: { role: "read" },
  triage: { role: "triage" },
  write: { role: "write" },
  maintain: { role: "maintain" },
  admin: { role: "admin" },
  "a stranger, whom the repository does not know": {},
  "revoked since the comment": { role: "read" },
  "the author of a fork's pull request": { role: "read" },
  "a deleted account": { comment: { author: null } },
  "a login that another account took over": {
    role: "admin",
    comment: { author: { id: 8, login: "ada", isBot: false } },
  },
  "a bot": { role: "admin", comment: bot },
  "a person who is called like a bot": {
    role: "read",
    comment: { author: { id: 7, login: "helper[bot]", isBot: false } },
    settings: { settings: { allowedBots: ["helper:500"] } },
  },
  "a bot, allowed by its account's id": {
    comment: bot,
    settings: { settings: { allowedBots: ["helper:500"] } },
  },
  "a bot, allowed by its app's id": { comment: bot, settings: { settings: { allowedBots: ["helper:99"] } } },
  "a bot with an allowed slug and another id": {
    comment: bot,
    settings: { settings: { allowedBots: ["helper:98", "helper:*", "helper", "*:500", "helper[bot]:500"] } },
  },
  "the program itself": {
    role: "admin",
    comment: { author: { id: 41898282, login: "github-actions[bot]", isBot: true } },
    settings: { settings: { allowedBots: ["github-actions:41898282"] } },
  },
  "write, through an app": { role: "write", comment: { app } },
  "write, through an allowed app": {
    role: "write",
    comment: { app },
    settings: { settings: { allowedBots: ["helper:99"] } },
  },
  "write, edited": { role: "write", comment: { updatedAt: at(601) } },
  "read, edited": { role: "read", comment: { updatedAt: at(601) } },
  "write, no approver": { role: "write", settings: { settings: { approvers: ["grace"] } } },
  "write, approver in other letters": { role: "write", settings: { settings: { approvers: ["ADA"] } } },
  "read, though an approver": { role: "read", settings: { settings: { approvers: ["ada"] } } },
};

test("the permission matrix", async () => {
  const rows = [`| who | ${COMMANDS.map((command) => `\`${command}\``).join(" | ")} |`];
  rows.push(`|---|${COMMANDS.map(() => "---|").join("")}`);
  for (const [name, who] of Object.entries(WHO)) {
    const cells = [];
    for (const body of COMMANDS) {
      const said = comment(body, who.comment);
      const known = who.role === undefined ? {} : { [said.author?.login ?? ""]: { id: 7, role: who.role } };
      const { asks, asked } = accounts(known);
      cells.push(inWords(await judged(body, questions, { ...who.settings, comment: said, asks })));
      expect(asked.permissions, `${name}, ${body}`).toBe(
        body.startsWith("/") && said.author && !said.author.isBot ? 1 : 0,
      );
    }
    rows.push(`| ${name} | ${cells.join(" | ")} |`);
  }
  await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot("golden/permission-matrix.golden.md");
});

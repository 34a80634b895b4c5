// The comment of a request: everything that a person needs to decide, and the replies to copy. Pure.

import { type InteractionRequest, letsCallsRun, optionWord, questionLines } from "../core/interaction.ts";
import { PROGRAM, sha256Of, UNKNOWN } from "../core/json.ts";
import type { AuditHead } from "../core/lines.ts";
import {
  alert,
  codeSpan,
  cutMarkdown,
  escapeInline,
  escapeShown,
  fenceShown,
  formatMoment,
  link,
  mentionAll,
  nameOf,
  personOf,
  quoteShown,
} from "./markdown.ts";
import { writeMarker } from "./report.ts";
import {
  isCommand,
  renderAction,
  renderCallWarnings,
  renderChoices,
  renderContent,
  renderDescription,
  renderIsolation,
  renderLongLines,
  renderOption,
  renderTitle,
} from "./request-parts.ts";
import { bytesOf } from "./tables.ts";

// The exact commands that answer a request, each in its own code block, which a phone copies with one tap.
// Pure.

/** With more options than this, one command represents them all. */
const BLOCKS = 10;

/**
 * Markdown: what to write for each answer; `isShort` leaves out the parts that grow with options and fields.
 */
function renderCommands(request: InteractionRequest, isShort: boolean): string {
  const decline = ["To reject, with a reason if you like:", renderRejectCommand(request)];
  return [...answerCommands(request, isShort), ...decline].join("\n\n");
}

/** Declining is always possible. */
function renderRejectCommand({ shortId }: InteractionRequest): string {
  return block(`/reject ${shortId}`);
}

function answerCommands(request: InteractionRequest, isShort: boolean): string[] {
  const { shortId, kind } = request;
  if (kind === "Confirm") {
    return [
      letsCallsRun(request)
        ? `To approve ${request.toolCallIds.length > 1 ? "them" : "it"} once, copy this into a new comment:`
        : "To say yes:",
      block(`/approve ${shortId}`),
      ...(request.standing
        ? [
            "To approve this command for the rest of this work, even if files change:",
            block(`/approve ${shortId} always`),
          ]
        : []),
      "To ask for changes, add them after the id:",
      block(`/revise ${shortId}`),
    ];
  }
  if (kind === "Select") return selectCommands(request, isShort);
  if (kind === "Input") {
    return [`To answer, add your text${textRules(request.validation)}:`, block(`/answer ${shortId}`)];
  }
  if (isShort) {
    return [
      "To answer, add one line per field below it: the field's id, a colon and the value:",
      block(`/answer ${shortId}`),
    ];
  }
  const fields = (request.fields ?? []).map(({ id }) => `${id}: `);
  return ["To answer, add a value after each colon:", block([`/answer ${shortId}`, ...fields].join("\n"))];
}

function selectCommands(request: InteractionRequest, isShort: boolean): string[] {
  const { shortId, options = [] } = request;
  const commandOf = (at: number): string => `/choose ${shortId} ${optionWord(options, at)}`;
  if (isShort || !carriesChoices(request)) {
    const lead = "To choose, give the option's id or number, for example the first:";
    return [lead, block(commandOf(0))];
  }
  return options.flatMap((option, at) => [
    `**To choose ${at + 1}:** ${renderOption(option)}`,
    block(commandOf(at)),
  ]);
}

/** True when the commands name every option, so that no list of options is needed. */
function carriesChoices({ kind, options = [] }: InteractionRequest): boolean {
  return kind === "Select" && options.length > 0 && options.length <= BLOCKS;
}

function textRules(validation: InteractionRequest["validation"]): string {
  const rules = [
    ...(validation?.required ? ["not empty"] : []),
    ...(validation?.regex === undefined ? [] : [`matching ${codeSpan(cutMarkdown(validation.regex, 500))}`]),
  ];
  return rules.length > 0 ? ` (${rules.join(", ")})` : "";
}

function block(command: string): string {
  return fenceShown(command);
}

// The paragraph of a request's comment that says who may answer and who may not. Pure.

/** The people who are asked. Logins come from the program, never from a model. */
type AskedPeople = {
  /** The setting: logins and `@org/team`; empty: everyone with write access. */
  approvers: readonly string[];
  minApprovals: number;
  selfApproval: boolean;
  /** The actors who have approved so far, when several must. */
  approvedBy?: readonly string[];
  /** For a run without a starter: owners of the paths, or the people who last changed them. */
  near?: readonly string[];
  /** `actor`: the account that GitHub names for the run; notified when no other person is known. */
  run: { actor?: string };
};

const ASKS = {
  Confirm: "a yes or no is needed",
  Select: "please choose one",
  Input: "an answer is needed",
  Composite: "a few answers are needed",
};

/** One line of Markdown: the people concerned and the purpose, each person once. */
function whoIsAsked(request: InteractionRequest, around: AskedPeople): string {
  const addressed = whomToMention(request, around);
  const isGate = request.kind === "Confirm" && letsCallsRun(request);
  const asked = isGate ? "your approval is needed" : ASKS[request.kind];
  if (addressed.length > 0) return `${mentionAll(addressed)}: ${asked}.`;
  return `${asked[0]?.toUpperCase()}${asked.slice(1)}.`;
}

function whomToMention(request: InteractionRequest, around: AskedPeople): readonly string[] {
  return around.approvers.length > 0 ? around.approvers : whoIsNear(request, around);
}

/** Who may answer, until when, how many approvals are needed, and how many were given. */
function whoMayAnswer(request: InteractionRequest, around: AskedPeople): string {
  const who =
    around.approvers.length > 0
      ? "Only the people named here may answer, and only with write access."
      : "Anyone with write access may answer.";
  const notStarter = around.selfApproval ? "" : whoMayNot(request.startedBy);
  return [who, notStarter, renderUntil(request)].filter((part) => part !== "").join(" ");
}

/** The deadline for an answer; empty if the request never expires. */
function renderUntil({ expiresAt }: InteractionRequest): string {
  return expiresAt === undefined ? "" : `Until **${formatMoment(expiresAt)}**.`;
}

/** Empty when one approval is enough. */
function howMany({ kind }: InteractionRequest, around: AskedPeople): string {
  if (kind !== "Confirm" || around.minApprovals < 2) return "";
  const { minApprovals } = around;
  return `**${minApprovals} different people** must approve; one rejection ends it.${approvedSoFar(around)}`;
}

/** ` **1 of 2** approved so far: ada.`; the names notify no one. */
function approvedSoFar({ approvedBy = [], minApprovals }: AskedPeople): string {
  if (approvedBy.length === 0) return "";
  const names = approvedBy.map((actor) => nameOf(actor)).join(", ");
  return ` **${approvedBy.length} of ${minApprovals}** approved so far: ${names}.`;
}

/** A bot's pull request has no subscribers, so one person behind the request who may answer is notified. */
function whoIsNear(
  { startedBy = [] }: InteractionRequest,
  { run, selfApproval, near = [] }: AskedPeople,
): string[] {
  const led = startedBy.flatMap((actor) => personOf(actor) ?? []);
  if (led.length > 0) return selfApproval ? led.slice(0, 1) : [];
  return near.length > 0 ? [...near] : [run.actor ?? ""].flatMap((actor) => personOf(actor) ?? []);
}

/** Used with `self-approval: false`. */
function whoMayNot(startedBy: readonly string[] | undefined): string {
  if (!startedBy || startedBy.includes(UNKNOWN)) {
    return "**Nobody may answer it**: `self-approval` is off, and GitHub did not say who caused it.";
  }
  const [first, ...others] = startedBy
    .map(personOf)
    .flatMap((login) => login ?? [])
    .map(nameOf);
  if (first === undefined) return "";
  if (others.length === 0) return `Not ${first}, who started it.`;
  return `Not ${[first, ...others].join(" or ")}: who started it, or told the agent something.`;
}

/** Below the API's limit (65,536 characters). */
export const COMMENT_LIMIT = 60_000;
/** Room for the rest of the comment: people, run, links, hashes. */
const AROUND_ROOM = 9_000;

/** The comment's contents besides the request. Logins and links come from the program, never from a model. */
export type RequestAround = AskedPeople & {
  workId: string;
  /** The content item or to-do file. */
  source?: string;
  /** The content item's title. */
  title?: string;
  /** To-do files only: the task that asks. */
  task?: { id: string; title: string };
  /** The page that explains how to answer. */
  docsUrl?: string;
  /** The run that asks. */
  run: { number: string; url: string };
  /** Address of `attachment`, once it is uploaded. */
  attachmentUrl?: string;
  /** The current head of the session's audit log. */
  auditHead: AuditHead;
  /** The session's changes so far that are not committed. */
  changes?: { files: readonly { path: string; kind: string }[]; diff: string };
  /** Half of the time for an answer is over. */
  isReminder?: boolean;
};

type Attachment = { name: string; text: string; sha256: string };

type RequestComment = {
  body: string;
  /**
   * The comment, or the file that it links to, shows everything. Otherwise it offers no command to approve.
   */
  isComplete: boolean;
  /** The full text if it did not fit. Upload it and render again with its address. */
  attachment?: Attachment;
};

/** The request as one text file when a comment can't hold it; depends on the request alone. */
export function attachmentOf(request: InteractionRequest): Attachment | undefined {
  if (renderParts(request).isWhole) return undefined;
  const text = `${questionLines(request).join("\n")}\n`;
  return { name: `${request.shortId}.txt`, text, sha256: sha256Of(text) };
}

/** A comment under 60,000 characters. */
export function renderRequest(request: InteractionRequest, around: RequestAround): RequestComment {
  const attachment = attachmentOf(request);
  const isComplete = !attachment || around.attachmentUrl !== undefined;
  const { title, warnings, description, content, choices, commands } = renderParts(request);
  const isGate = letsCallsRun(request) && request.kind === "Confirm";
  const marker = writeMarker({
    role: "request",
    workId: around.workId,
    interactionId: request.interactionId,
  });
  const answers = [
    howMany(request, around),
    isNobodyAllowed(request, around) ? whoMayNot(request.startedBy) : "",
    !attachment && carriesChoices(request) ? "" : choices,
    attachment ? attachmentNote(attachment, around.attachmentUrl) : "",
    isComplete ? commands : renderRejectCommand(request),
  ];
  const call = [warnings, description, content, renderLongLines(request), openIsolation(request)];
  const about = [whatFor(request, around), whoIsAsked(request, around)]
    .filter((part) => part !== "")
    .join(" ");
  const body = isGate
    ? [marker, `### ${gateTitle(request)}`, ...call, about, ...answers, boundTo(request, around)]
    : [marker, `### ${title}`, about, ...call, ...answers, boundTo(request, around)];
  const reminder = around.isReminder ? [`**Reminder:** ${renderUntil(request)}`] : [];
  const whole = join([...body.slice(0, 2), ...reminder, ...body.slice(2)]);
  const changed = renderChanges(around, COMMENT_LIMIT - bytesOf(whole));
  const all = changed === "" ? whole : join([whole.trimEnd(), changed]);
  return { body: all, isComplete, ...(attachment ? { attachment } : {}) };
}

/** With less room a diff would be unreadable. */
const LEAST_ROOM = 2_000;
/** Maximum number of files that are named. */
const MOST_NAMED = 20;

/** Collapsed: the session's changes before the question. */
function renderChanges({ changes }: Pick<RequestAround, "changes">, room: number): string {
  if (!changes || room < LEAST_ROOM) return "";
  const { files, diff } = changes;
  const named = files
    .slice(0, MOST_NAMED)
    .map(({ path, kind }) => `- ${codeSpan(cutMarkdown(path, 300))} (${kind})`);
  const more = files.length > named.length ? [`- and ${files.length - named.length} more`] : [];
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const render = (text: string) =>
    join([
      `<details>\n<summary>Changes made by this session so far: ${count}</summary>`,
      [...named, ...more].join("\n"),
      ...(text === "" ? [] : [fenceShown(text.trimEnd(), "diff")]),
      "</details>",
    ]).trimEnd();
  const shown = [diff, diff.slice(0, 2_000), ""].map(render);
  return shown.find((markdown) => bytesOf(markdown) <= room) ?? "";
}

/** A new comment that notifies people again; the question's own comment has all details. */
export function renderReminder(
  request: InteractionRequest,
  around: AskedPeople,
  { workId, commentId, url }: { workId: string; commentId: number; url: string },
): string {
  return join([
    writeMarker({ role: "reply", workId, commentId }),
    `${whoIsAsked(request, around)} ${link(`Question ${request.shortId}`, url)} is still open. ${renderUntil(request)}`,
  ]);
}

/** A new comment that tells people that their time is over, and how the work goes on. */
export function renderExpired(
  request: InteractionRequest,
  around: AskedPeople,
  { workId, commentId, url }: { workId: string; commentId: number; url: string },
): string {
  const people = whomToMention(request, around);
  const lead = people.length > 0 ? `${mentionAll(people)}: nobody` : "Nobody";
  const until = request.expiresAt === undefined ? "in time" : `until ${formatMoment(request.expiresAt)}`;
  return join([
    writeMarker({ role: "reply", workId, commentId }),
    `${lead} answered ${link(`question ${request.shortId}`, url)} ${until}, so it expired and nothing was done. To try the work again:`,
    block("/looplia run"),
  ]);
}

/** Whether the comment shows the whole request or links to it; if false, the request may only be declined. */
export function isShownWhole(request: InteractionRequest, body: string): boolean {
  const attachment = attachmentOf(request);
  return attachment === undefined || body.includes(attachment.sha256);
}

/** The question's parts, the same in the open and in the settled comment. */
export function questionParts(request: InteractionRequest): string[] {
  const { description, content, choices } = renderParts(request);
  return [description, content, choices, renderIsolation(request)];
}

type Parts = Record<"title" | "warnings" | "description" | "content" | "choices" | "commands", string> & {
  isWhole: boolean;
};

/** The content gets the room that the other parts leave; each of those has a limit. */
function renderParts(request: InteractionRequest): Parts {
  const title = renderTitle(request);
  const description = renderDescription(request);
  const choices = renderChoices(request);
  const warnings = renderCallWarnings(request);
  const areWhole = title.isWhole && description.isWhole && choices.isWhole;
  const commands = renderCommands(request, !areWhole);
  const others = [title, description, choices].map(({ markdown }) => markdown).join("");
  const room = COMMENT_LIMIT - AROUND_ROOM - others.length - warnings.length - commands.length;
  const content = renderContent(request, room);
  return {
    title: title.markdown,
    warnings,
    description: description.markdown,
    content: content.markdown,
    choices: choices.markdown,
    commands,
    isWhole: areWhole && content.isWhole,
  };
}

/** Joins paragraphs and leaves out empty ones. */
export function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The decision at a glance; commands and edits are shown below, of any other call only the input. */
function gateTitle(request: InteractionRequest): string {
  const { toolCallIds, display } = request;
  if (request.kept) return renderTitle(request).markdown;
  if (toolCallIds.length > 1) return `Approve these ${toolCallIds.length} actions?`;
  if (isCommand(display.title)) return "Approve this command?";
  return display.contentKind === "Diff"
    ? "Approve this edit?"
    : `Approve: ${renderAction(display.title, "")}?`;
}

/** Characters of an agent's text that are shown before the collapsed full text. */
const SAID_SHORT = 200;

/** The task or item, the agent, and the beginning of the agent's text. */
function whatFor(request: InteractionRequest, { task, title, source }: RequestAround): string {
  const item =
    title && title !== source ? `**${escapeInline(title, 300)}** (${codeOf(source)})` : codeOf(source);
  const what = task
    ? `task **${escapeInline(task.id, 100)}**: ${escapeInline(task.title, 300)}`
    : source === undefined
      ? ""
      : item;
  const words = (request.said ?? "").replace(/\s+/g, " ").trim();
  const said = words === "" ? "" : ` It said: “${escapeShown(cutMarkdown(words, SAID_SHORT))}”`;
  if (what === "" && said === "") return "";
  const agent = agentOf(request);
  const lead = what === "" ? `Asked by ${agent}.` : `For ${what}, asked by ${agent}.`;
  return lead + said + (said === "" || /[.!?…”]$/.test(said) ? "" : ".");
}

function codeOf(source: string | undefined): string {
  return source === undefined ? "" : codeSpan(cutMarkdown(source, 300));
}

function agentOf({ authorActorId: author }: InteractionRequest): string {
  if (author === PROGRAM) return "looplia itself";
  return `the agent ${codeSpan(cutMarkdown(author.replace(/^agent:/, ""), 100))}`;
}

/** Missing isolation is a danger and always shown; otherwise the isolation is collapsed. */
function openIsolation(request: InteractionRequest): string {
  return request.isolation?.kind === "none" || request.isolation?.network ? renderIsolation(request) : "";
}

function isNobodyAllowed({ startedBy }: InteractionRequest, { selfApproval }: AskedPeople): boolean {
  return !selfApproval && (!startedBy || startedBy.includes(UNKNOWN));
}

function attachmentNote({ name, sha256 }: Attachment, url: string | undefined): string {
  if (url === undefined) {
    const why = "It is too long for a comment and could not be attached, so nobody can see all of it.";
    return alert("CAUTION", `**This can't be approved or answered here.** ${why} It can be rejected:`);
  }
  const whole = `**The whole of it is ${link(name, url)}**, SHA-256 ${codeSpan(sha256)}.`;
  return alert("WARNING", `${whole} Read it before you answer: only part of it is shown here.`);
}

/** GitHub refuses a comment over 65,536 characters, command included. */
const LONGEST =
  "An answer reaches the agent whole and may have 65,000 characters; put a longer text into a file on this branch and name the file in the answer.";

function takesText({ kind }: InteractionRequest): boolean {
  return kind === "Input" || kind === "Composite";
}

function boundTo(request: InteractionRequest, around: RequestAround): string {
  const { run, auditHead, docsUrl } = around;
  const isolation = openIsolation(request) === "" ? renderIsolation(request) : "";
  const words = (request.said ?? "").trim();
  const lines = [
    `- ${whoMayAnswer(request, around)}`,
    ...(takesText(request) ? [`- ${LONGEST}`] : []),
    ...(isolation === "" ? [] : [`- ${isolation}`]),
    `- Eyes mean that an answer was accepted; a rocket means that it took effect.${docsUrl === undefined ? "" : ` ${link("How to answer", docsUrl)}.`}`,
    `- Asked by ${agentOf(request)}${around.source === undefined ? "" : ` for ${codeOf(around.source)}`} in ${link(`run ${escapeShown(run.number)}`, run.url)}.`,
    `- The answer counts once, for exactly this request: SHA-256 ${codeSpan(request.fingerprint)}.`,
    ...(letsCallsRun(request) ? [BINDING] : []),
    `- Audit log so far: ${auditHead.count === 1 ? "1 line" : `${auditHead.count} lines`}, the last one's hash ${codeSpan(auditHead.hash)}.`,
    ...(words.length > SAID_SHORT
      ? ["", `What ${agentOf(request)} said before this, in its own words:`, "", quoteShown(words)]
      : []),
  ];
  const summary = `<summary>${request.shortId}: who may answer, and what an answer is bound to</summary>`;
  return ["<details>", summary, "", ...lines, "", "</details>"].join("\n");
}

const BINDING =
  "- An edit is not made if its file has changed since, and a command is not run if any file has. Files that git ignores are not covered.";

// The comment of one request: all that a person needs to decide, and the commands to copy. What others wrote shows as
// text and does nothing; nothing unseen stays unseen (SECURITY, "a misleading diff"). Pure.

import { PROGRAM } from "../session/actor.ts";
import type { AuditHead } from "../session/audit.ts";
import { sha256Of } from "../session/hash.ts";
import { type InteractionRequest, letsCallsRun } from "../session/interaction.ts";
import { questionLines } from "../session/question-text.ts";
import { alert, codeSpan, cut, escapeInline, escapeShown, link } from "./markdown.ts";
import { writeMarker } from "./markers.ts";
import { carriesChoices, renderCommands, renderRejectCommand } from "./request-commands.ts";
import { renderContent } from "./request-content.ts";
import {
  renderChoices,
  renderDescription,
  renderIsolation,
  renderLongLines,
  renderTitle,
  renderWarnings,
} from "./request-parts.ts";
import { type AskedPeople, whoIsAsked } from "./who-is-asked.ts";

/** Below what the API takes (65,536 characters). */
export const COMMENT_LIMIT = 60_000;
/** For what the comment tells beside the request: people, run, links, hashes. */
const AROUND_ROOM = 9_000;

/** What a request's comment tells beside the request. Logins and links are the program's, never a model's. */
export type RequestAround = AskedPeople & {
  workId: string;
  /** The content item or to-do file. */
  source?: string;
  /** Of a to-do file: the task that asks. */
  task?: { id: string; title: string };
  /** The run that asks. */
  run: { number: string; url: string };
  /** Where `attachment` can be read, once it was uploaded. */
  attachmentUrl?: string;
  /** The session's audit log as it stands. */
  auditHead: AuditHead;
};

export type Attachment = { name: string; text: string; sha256: string };

export type RequestComment = {
  body: string;
  /** Everything can be read: in the comment, or in the file that it links to. If not, no command to answer is shown. */
  isComplete: boolean;
  /** What did not fit. Upload it and render again with its address. */
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
  const body = [
    writeMarker({ role: "request", workId: around.workId, interactionId: request.interactionId }),
    `### ${title}`,
    around.task ? renderTask(around.task) : "",
    whoIsAsked(request, around),
    warnings,
    description,
    content,
    renderLongLines(request),
    !attachment && carriesChoices(request) ? "" : choices,
    renderIsolation(request),
    attachment ? attachmentNote(attachment, around.attachmentUrl) : "",
    isComplete ? commands : renderRejectCommand(request),
    boundTo(request, around),
  ];
  return { body: join(body), isComplete, ...(attachment ? { attachment } : {}) };
}

/** Whether the comment shows the whole request, or links to it: false where it may only be declined. */
export function isShownWhole(request: InteractionRequest, body: string): boolean {
  const attachment = attachmentOf(request);
  return attachment === undefined || body.includes(attachment.sha256);
}

/** What was asked, as in the open comment, so in the settled one. */
export function questionParts(request: InteractionRequest): string[] {
  const { description, content, choices } = renderParts(request);
  return [description, content, choices, renderIsolation(request)];
}

type Parts = Record<"title" | "warnings" | "description" | "content" | "choices" | "commands", string> & {
  isWhole: boolean;
};

/** The content gets the room that the others leave; each of them has a limit. */
function renderParts(request: InteractionRequest): Parts {
  const title = renderTitle(request);
  const description = renderDescription(request);
  const choices = renderChoices(request);
  const warnings = renderWarnings(request);
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

/** Paragraphs; empty ones are left out. */
export function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function renderTask({ id, title }: { id: string; title: string }): string {
  return `Task **${escapeInline(id, 100)}**: ${escapeInline(title, 300)}`;
}

function attachmentNote({ name, sha256 }: Attachment, url: string | undefined): string {
  if (url === undefined) {
    const why = "It is too long for a comment and could not be attached, so nobody can see the whole of it.";
    return alert("CAUTION", `**This can't be approved or answered here.** ${why} It can be declined:`);
  }
  const whole = `**The whole of it is ${link(name, url)}**, SHA-256 ${codeSpan(sha256)}.`;
  return alert("WARNING", `${whole} Read that before you answer: only a part is shown here.`);
}

function boundTo(request: InteractionRequest, around: RequestAround): string {
  const { run, auditHead, source } = around;
  const { authorActorId: author } = request;
  const agent = codeSpan(cut(author.replace(/^agent:/, ""), 100));
  const lines = [
    `- Asked by ${author === PROGRAM ? "looplia itself" : `the agent ${agent}`}${source === undefined ? "" : ` for ${codeSpan(cut(source, 300))}`} in ${link(`run ${escapeShown(run.number)}`, run.url)}.`,
    `- The answer holds once, for exactly this request: SHA-256 ${codeSpan(request.fingerprint)}.`,
    ...(letsCallsRun(request) ? [BINDING] : []),
    `- Audit log so far: ${auditHead.count === 1 ? "1 line" : `${auditHead.count} lines`}, the last one's hash ${codeSpan(auditHead.hash)}.`,
  ];
  const summary = `<summary>${request.shortId}: what an answer is bound to</summary>`;
  return ["<details>", summary, "", ...lines, "", "</details>"].join("\n");
}

const BINDING =
  "- An edit is not made if its file has changed since, a command is not run if any file has. Files that git ignores can't be bound.";
